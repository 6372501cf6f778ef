// expect: and use it with the world's scalar
#include <sinew/sinew.hpp>

int main() {
    sinew::world<sinew::default_config, sinew::spring> w;
    [[maybe_unused]] auto const a = w.add(sinew::rigid_body<float>{});
    [[maybe_unused]] auto const b = w.add(sinew::rigid_body<float>{});
    [[maybe_unused]] auto const p = w.add(sinew::particle<float>{});
#if defined(SINEW_CONTROL)
    w.add(sinew::spring<float>{}, a, b);
#else
    w.add(sinew::spring<double>{}, a, b);
#endif
}
