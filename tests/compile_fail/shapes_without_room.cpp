// expect: static_storage has no room for colliders
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#ifdef SINEW_CONTROL
    using storage = sinew::static_storage<sinew::capacities{.bodies = 4, .colliders = 4, .contacts = 16}>;
#else
    using storage = sinew::static_storage<sinew::capacities{.bodies = 4}>;
#endif
};

int main() {
    sinew::world<config, sinew::sphere> w;
    w.step(0.1f);
}
