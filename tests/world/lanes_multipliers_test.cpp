// Worlds whose scalar has lanes, under Lagrange multipliers inside the derivative: every lane has the bits of a world that is alone.

#include "lanes_scene.hpp"

namespace {

using namespace lanes_scene;

template <class S>
using multipliers = chain_world<S, lagrange_multipliers<cholesky>>;
template <class S>
struct stages : config<S, lagrange_multipliers<cholesky>> {
    using integrator = rk4;
};
template <class S>
using staged = world<stages<S>, ball_joint, my_rod>;

TEST(lanes_under_multipliers, are_worlds_that_are_alone) { expect_lanes_of_worlds<multipliers, batch<double, 4>>(chain, as_it_is, 100, 240); }
TEST(lanes_under_multipliers, are_worlds_that_are_alone_in_stages) { expect_lanes_of_worlds<staged, batch<double, 4>>(chain, as_it_is, 60, 120); }
// Newton's steps back onto the constraints: more in some lanes, factors renewed in some.
TEST(lanes_under_multipliers, are_projected_each_as_it_must) {
    expect_lanes_of_worlds<multipliers, batch<double, 4>>(chain, [](auto& w) { w.solver.drift = drift_control::projection; }, 60, 60);
}

}  // namespace
