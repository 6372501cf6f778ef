// expect: wide sweeps take joints of one world as lanes of one joint
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using scalar = float;
#else
    using scalar = sinew::batch<float, 8>;
#endif
    using solver = sinew::wide_sequential_impulses<4>;
};

int main() {
    sinew::world<config, sinew::ball_joint> w;
    (void)w.step(1.0f);
}
