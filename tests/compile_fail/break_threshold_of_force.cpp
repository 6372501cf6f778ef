// expect: a force does not break
#include <sinew/sinew.hpp>

int main() {
    sinew::world<sinew::default_config, sinew::ball_joint, sinew::spring> w;
    [[maybe_unused]] auto const a = w.add(sinew::rigid_body<float>{});
    [[maybe_unused]] auto const b = w.add(sinew::rigid_body<float>{});
    [[maybe_unused]] auto const p = w.add(sinew::particle<float>{});
#if defined(SINEW_CONTROL)
    w.set_break_threshold(w.add(sinew::ball_joint<float>{}, a, b), 1.0f);
#else
    w.set_break_threshold(w.add(sinew::spring<float>{}, a, b), 1.0f);
#endif
}
