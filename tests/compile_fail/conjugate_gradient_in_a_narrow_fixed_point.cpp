// expect: take one with 24 bits behind the point
#include <sinew/math/fixed.hpp>
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#ifdef SINEW_CONTROL
    using scalar = sinew::fixed<31, 32>;
#else
    using scalar = sinew::fixed<15, 16>;
#endif
    using solver = sinew::lagrange_multipliers<sinew::conjugate_gradient>;
};

int main() {
    sinew::world<config, sinew::ball_joint> world;
    world.step(1);
}
