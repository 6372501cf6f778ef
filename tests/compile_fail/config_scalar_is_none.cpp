// expect: this config's `scalar` is no number that sinew can compute with
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using scalar = double;
#else
    using scalar = char const*;
#endif
};

sinew::world<config, sinew::ball_joint> w;
