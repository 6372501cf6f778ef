// expect: this config's `storage` is no storage; say `using storage = sinew::dynamic_storage;`
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using storage = sinew::dynamic_storage;
#else
    using storage = sinew::capacities;
#endif
};

sinew::world<config> w;
