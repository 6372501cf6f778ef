// expect: this solver cannot honour one of the world's constraints
// A rope only pulls: its multiplier has a bound, which a linear solve cannot keep.
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

#if defined(SINEW_CONTROL)
sinew::world<config, sinew::distance> w;
#else
sinew::world<config, sinew::rope> w;
#endif
