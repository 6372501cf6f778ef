// expect: sinew: wide_sequential_impulses<N> solves N constraints at a time
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using solver = sinew::wide_sequential_impulses<4>;
#else
    using solver = sinew::wide_sequential_impulses<6>;
#endif
};

int main() {
    sinew::world<config, sinew::ball_joint> world;
    (void)world.step(0.01f);
}
