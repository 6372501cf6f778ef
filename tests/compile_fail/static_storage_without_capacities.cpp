// expect: this static_storage has no capacities; say how many, as in sinew::static_storage<sinew::capacities
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using storage = sinew::static_storage<sinew::capacities{.bodies = 2, .constraints = 2}>;
#else
    using storage = sinew::static_storage<>;
#endif
};

sinew::world<config, sinew::ball_joint> w;
