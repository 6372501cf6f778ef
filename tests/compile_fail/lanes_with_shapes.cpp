// expect: a world whose scalar has lanes lists no shapes
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using scalar = float;
#else
    using scalar = sinew::batch<float, 8>;
#endif
};

int main() {
    sinew::world<config, sinew::sphere, sinew::half_space> w;
    (void)w.step(1.0f);
}
