// expect: the argument of lagrange_multipliers is no linear part
// An integrator for a linear part.
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using solver = sinew::lagrange_multipliers<sinew::sparse_ldlt>;
#else
    using solver = sinew::lagrange_multipliers<sinew::rk4>;
#endif
};

int main() { sinew::world<config, sinew::ball_joint> w; }
