// expect: this config's `rotation` represents no rotation
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    template <class S>
    using rotation = sinew::rotation_vector<S>;
#else
    template <class S>
    using rotation = sinew::vec3<S>;
#endif
};

sinew::world<config, sinew::ball_joint> w;
