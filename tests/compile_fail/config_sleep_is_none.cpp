// expect: `sleep` is no policy of sleep
// A switch for a policy.
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using sleep = sinew::island_sleep;
#else
    using sleep = bool;
#endif
};

int main() { sinew::world<config, sinew::ball_joint> w; }
