// Worlds whose scalar has lanes, under the strategies that displace all at once or body by body: every lane has the bits of a world that is alone.

#include "lanes_scene.hpp"

namespace {

using namespace lanes_scene;

template <class S>
using jacobi_chain = chain_world<S, jacobi>;
template <class S>
using descent_chain = chain_world<S, vertex_block_descent>;
template <class S>
using augmented_chain = chain_world<S, augmented_lagrangian>;

TEST(lanes_under_position_strategies, are_worlds_that_are_alone) {
    auto const some = [](auto& w) { w.solver.tolerance = 1e-3; };
    expect_lanes_of_worlds<jacobi_chain, batch<double, 4>>(chain, some, 30, 60);
    expect_lanes_of_worlds<descent_chain, batch<double, 4>>(chain, some, 30, 60);
    expect_lanes_of_worlds<augmented_chain, batch<double, 4>>(chain, some, 30, 60);
}
// Chebyshev's acceleration: each lane by its own estimate of the spectral radius.
TEST(lanes_under_position_strategies, are_accelerated_each_by_its_own_radius) {
    auto const accelerated = [](auto& w) {
        w.solver.chebyshev = true;
        w.solver.iterations = 20;
    };
    expect_lanes_of_worlds<jacobi_chain, batch<double, 4>>(chain, accelerated, 20, 60);
    expect_lanes_of_worlds<descent_chain, batch<double, 4>>(chain, accelerated, 20, 60);
}

}  // namespace
