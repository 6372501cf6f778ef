// expect: this solver cannot step a world whose scalar has lanes
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
    using scalar = sinew::batch<float, 8>;
#if defined(SINEW_CONTROL)
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
#else
    using solver = sinew::lagrange_multipliers<sinew::dantzig>;
#endif
};

int main() {
    sinew::world<config, sinew::ball_joint> w;
    (void)w.step(1.0f);
}
