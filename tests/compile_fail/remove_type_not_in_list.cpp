// expect: this type is not in the world's list
#include <sinew/sinew.hpp>

int main() {
    sinew::world<sinew::default_config, sinew::ball_joint> w;
    [[maybe_unused]] auto const a = w.add(sinew::rigid_body<float>{});
    [[maybe_unused]] auto const b = w.add(sinew::rigid_body<float>{});
    [[maybe_unused]] auto const p = w.add(sinew::particle<float>{});
#if defined(SINEW_CONTROL)
    w.remove(sinew::handle<sinew::ball_joint<float>>{});
#else
    w.remove(sinew::handle<sinew::distance<float>>{});
#endif
}
