// expect: this config's `integrator` is no integrator; say `using integrator = sinew::symplectic_euler;`
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using integrator = sinew::rk4;
#else
    using integrator = int;
#endif
};

sinew::world<config> w;
