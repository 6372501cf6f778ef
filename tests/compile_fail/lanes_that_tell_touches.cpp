// expect: a world whose scalar has lanes has no touch events
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using scalar = float;
#else
    using scalar = sinew::batch<float, 8>;
#endif
};

int main() {
    sinew::world<config, sinew::half_space, sinew::sphere> const w;
    for (auto const& touch : w.touch_begins()) (void)touch;
}
