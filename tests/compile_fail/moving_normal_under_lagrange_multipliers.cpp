// expect: this solver cannot honour one of the world's constraints.*moving_normal
// The Jacobian of the scalar form vanishes where it holds: a force cannot be found from it.
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

#if defined(SINEW_CONTROL)
sinew::world<config, sinew::point_to_point> w;
#else
sinew::world<config, sinew::scalar_point_to_point> w;
#endif
