// expect: what wakes a body is known to a world that sleeps
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using sleep = sinew::island_sleep;
#endif
};

int main() {
    sinew::world<config, sinew::box> w;
    auto const crate = w.add_solid(sinew::box<float>{{1, 1, 1}}, 500.0f, sinew::pose<float>{});
    (void)w.disable(crate, sinew::enabled_by::touch);
}
