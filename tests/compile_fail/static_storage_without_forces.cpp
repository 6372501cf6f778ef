// expect: lists forces, but its static_storage has room for none
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using storage = sinew::static_storage<sinew::capacities{.bodies = 2, .forces = 1}>;
#else
    using storage = sinew::static_storage<sinew::capacities{.bodies = 2, .forces = 0}>;
#endif
};

sinew::world<config, sinew::spring> w;
