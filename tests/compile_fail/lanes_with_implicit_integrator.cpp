// expect: an implicit integrator iterates until its equations are solved
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
    using scalar = sinew::batch<double, 4>;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
#if defined(SINEW_CONTROL)
    using integrator = sinew::rk4;
#else
    using integrator = sinew::implicit_midpoint;
#endif
};

int main() {
    sinew::world<config, sinew::ball_joint> w;
    (void)w.step(1.0);
}
