// expect: lists constraints, but its static_storage has room for none
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using storage = sinew::static_storage<sinew::capacities{.bodies = 2, .constraints = 2}>;
#else
    using storage = sinew::static_storage<sinew::capacities{.bodies = 2}>;
#endif
};

sinew::world<config, sinew::ball_joint> w;
