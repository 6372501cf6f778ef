// expect: this config's `solver` is no solver; say `using solver = sinew::sequential_impulses;`
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using solver = sinew::nonlinear_gauss_seidel;
#else
    using solver = sinew::rk4;
#endif
};

sinew::world<config, sinew::ball_joint> w;
