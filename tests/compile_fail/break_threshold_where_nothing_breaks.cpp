// expect: in this config nothing breaks
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if !defined(SINEW_CONTROL)
    static constexpr bool breakable = false;
#endif
};
int main() {
    sinew::world<config, sinew::ball_joint> w;
    [[maybe_unused]] auto const a = w.add(sinew::rigid_body<float>{});
    [[maybe_unused]] auto const b = w.add(sinew::rigid_body<float>{});
    w.set_break_threshold(w.add(sinew::ball_joint<float>{}, a, b), 1.0f);
}
