// expect: this config's `scalar` is no number
#include <sinew/sinew.hpp>

// A struct that does not derive from default_config has none of its choices.
#if defined(SINEW_CONTROL)
struct config : sinew::default_config {};
#else
struct config {};
#endif

sinew::world<config, sinew::ball_joint> w;
