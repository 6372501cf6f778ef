// expect: a world whose scalar has lanes knows neither casts nor overlaps nor closest points
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
    using S = config::scalar;
    auto const hit = w.cast(sinew::ray<S>{{S(0), S(1), S(0)}, {S(0), S(-1), S(0)}, S(2)});
    (void)hit;
}
