// expect: this config's `integrator` is no integrator
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using integrator = sinew::midpoint;
#else
    using integrator = sinew::nonlinear_gauss_seidel;
#endif
};

sinew::world<config, sinew::ball_joint> w;
