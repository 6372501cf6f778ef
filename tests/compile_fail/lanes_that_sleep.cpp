// expect: a world whose scalar has lanes does not sleep
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
    using scalar = sinew::batch<float, 8>;
#if !defined(SINEW_CONTROL)
    using sleep = sinew::island_sleep;
#endif
};

int main() {
    sinew::world<config, sinew::sphere, sinew::half_space> w;
    (void)w.step(1.0f);
}
