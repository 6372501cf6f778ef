// expect: this solver cannot step contacts in lanes
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
    using scalar = sinew::batch<float, 8>;
#if !defined(SINEW_CONTROL)
    using solver = sinew::nonlinear_gauss_seidel;
#endif
};

int main() {
    sinew::world<config, sinew::sphere, sinew::half_space> w;
    (void)w.step(1.0f);
}
