// expect: wide sweeps take joints of one world as lanes of one joint
// and not: strategy without
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using scalar = float;
#else
    using scalar = sinew::dual<float, 1>;
#endif
    using solver = sinew::wide_sequential_impulses<4>;
};

int main() {
    sinew::world<config, sinew::ball_joint> w;
    (void)w.step(config::scalar(1));
}
