// expect: added with the wrong handles: give one per attachment
#include <sinew/sinew.hpp>

int main() {
    sinew::world<sinew::default_config, sinew::ball_joint> w;
    [[maybe_unused]] auto const a = w.add(sinew::rigid_body<float>{});
    [[maybe_unused]] auto const b = w.add(sinew::rigid_body<float>{});
    [[maybe_unused]] auto const p = w.add(sinew::particle<float>{});
#if defined(SINEW_CONTROL)
    w.add(sinew::ball_joint<float>{}, a, b);
#else
    w.add(sinew::ball_joint<float>{}, a, b, w.ground());
#endif
}
