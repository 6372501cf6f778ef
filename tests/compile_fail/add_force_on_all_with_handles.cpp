// expect: this force acts on every body; add it without handles
#include <sinew/sinew.hpp>

int main() {
    sinew::world<sinew::default_config, sinew::point_gravity> w;
    [[maybe_unused]] auto const a = w.add(sinew::rigid_body<float>{});
    [[maybe_unused]] auto const b = w.add(sinew::rigid_body<float>{});
    [[maybe_unused]] auto const p = w.add(sinew::particle<float>{});
#if defined(SINEW_CONTROL)
    w.add(sinew::point_gravity<float>{});
#else
    w.add(sinew::point_gravity<float>{}, a);
#endif
}
