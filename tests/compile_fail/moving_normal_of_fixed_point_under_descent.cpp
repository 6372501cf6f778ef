// expect: this solver cannot honour one of the world's constraints.*fixed point.*moving_normal
// What a step by curvature builds on is the direction of an error that vanishes: in fixed point that has no digits.
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
    using scalar = sinew::fixed<31, 32>;
    using solver = sinew::augmented_lagrangian;
};

#if defined(SINEW_CONTROL)
sinew::world<config, sinew::point_to_point> w;
#else
sinew::world<config, sinew::scalar_point_to_point> w;
#endif
