// Worlds whose scalar has lanes, under position-level strategies: every lane has the bits of a world that is alone.

#include "lanes_scene.hpp"

namespace {

using namespace lanes_scene;

template <class S>
using gauss_seidel = machine_world<S, nonlinear_gauss_seidel>;
template <class S>
using gauss_seidel_chain = chain_world<S, nonlinear_gauss_seidel>;
template <class S>
using jacobi_chain = chain_world<S, jacobi>;
template <class S>
using descent_chain = chain_world<S, vertex_block_descent>;
template <class S>
using augmented_chain = chain_world<S, augmented_lagrangian>;

TEST(lanes_under_position_strategies, are_worlds_that_are_alone) {
    expect_lanes_of_worlds<gauss_seidel, batch<float, 8>>(machine, as_it_is, 100, 60);
}
// Where a tolerance ends the sweeps, each lane has its own number of them.
TEST(lanes_under_position_strategies, sweep_as_long_as_each_must) {
    expect_lanes_of_worlds<gauss_seidel_chain, batch<double, 4>>(
        chain,
        [](auto& w) {
            w.solver.tolerance = 1e-4;
            w.solver.iterations = 30;
            w.solver.warm_start = 0.5;
            w.solver.adaptive = true;
        },
        60, 60);
}
TEST(lanes_under_position_strategies, are_worlds_that_are_alone_body_by_body) {
    auto const some = [](auto& w) { w.solver.tolerance = 1e-3; };
    expect_lanes_of_worlds<jacobi_chain, batch<double, 4>>(chain, some, 30, 60);
    expect_lanes_of_worlds<descent_chain, batch<double, 4>>(chain, some, 30, 60);
    expect_lanes_of_worlds<augmented_chain, batch<double, 4>>(chain, some, 30, 60);
}
TEST(lanes_under_position_strategies, agree_on_what_is_done_at_all) {
    struct quiet : config<batch<float, 4>, nonlinear_gauss_seidel> {
        using errors = null_errors;
    };
    world<quiet, ball_joint> w;
    w.solver.warm_start = with_lane(batch<float, 4>(0), 2, 0.5f);
    EXPECT_EQ(w.step(batch<float, 4>(0.01f)).status, step_status::invalid_parameter);
    w.solver.warm_start = batch<float, 4>(0.5f);
    EXPECT_TRUE(w.step(batch<float, 4>(0.01f)));
}

}  // namespace
