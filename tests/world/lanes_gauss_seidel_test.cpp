// Worlds whose scalar has lanes, under nonlinear Gauss-Seidel: every lane has the bits of a world that is alone.

#include "lanes_scene.hpp"

namespace {

using namespace lanes_scene;

template <class S>
using gauss_seidel = machine_world<S, nonlinear_gauss_seidel>;

TEST(lanes_under_gauss_seidel, are_worlds_that_are_alone) { expect_lanes_of_worlds<gauss_seidel, batch<float, 8>>(machine, as_it_is, 30, 60); }
// Where a tolerance ends the sweeps, each lane has its own number of them.
TEST(lanes_under_gauss_seidel, sweep_as_long_as_each_must) {
    expect_lanes_of_worlds<gauss_seidel, batch<float, 8>>(
        machine,
        [](auto& w) {
            w.solver.tolerance = 3e-3f;
            w.solver.iterations = 20;
            w.solver.warm_start = 0.5f;
            w.solver.adaptive = true;
        },
        6, 60);
}
TEST(lanes_under_gauss_seidel, agree_on_what_is_done_at_all) {
    using B = batch<float, 8>;
    gauss_seidel<B> w;
    w.solver.warm_start = with_lane(B(0), 2, 0.5f);
    EXPECT_THROW((void)w.step(B(0.01f)), std::invalid_argument);
    w.solver.warm_start = B(0.5f);
    EXPECT_TRUE(w.step(B(0.01f)));
}

}  // namespace
