// expect: a world whose scalar has lanes lists no shapes but sphere, capsule, box and half_space
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
    using scalar = sinew::batch<float, 8>;
};

int main() {
#if defined(SINEW_CONTROL)
    sinew::world<config, sinew::sphere, sinew::half_space> w;
#else
    sinew::world<config, sinew::cylinder, sinew::half_space> w;
#endif
    (void)w.step(1.0f);
}
