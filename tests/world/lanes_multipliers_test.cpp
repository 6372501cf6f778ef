// Worlds whose scalar has lanes, under Lagrange multipliers: every lane has the bits of a world that is alone.

#include "lanes_scene.hpp"

namespace {

using namespace lanes_scene;

template <class S>
using multipliers = chain_world<S, lagrange_multipliers<cholesky>>;
template <class S>
using impulses_at_once = chain_world<S, lagrange_impulses<ldlt>>;

template <class S>
struct stages : config<S, lagrange_multipliers<cholesky>> {
    using integrator = rk4;
};
template <class S>
using staged = world<stages<S>, ball_joint, hinge_joint, my_rod>;

TEST(lanes_under_multipliers, are_worlds_that_are_alone) { expect_lanes_of_worlds<multipliers, batch<double, 4>>(chain, as_it_is, 200, 240); }
// Newton's steps back onto the constraints: more in some lanes, factors renewed in some.
TEST(lanes_under_multipliers, are_projected_each_as_it_must) {
    expect_lanes_of_worlds<multipliers, batch<float, 8>>(chain, [](auto& w) { w.solver.drift = drift_control::projection; }, 150, 60);
    expect_lanes_of_worlds<impulses_at_once, batch<float, 8>>(chain, as_it_is, 150, 60);
}
TEST(lanes_under_multipliers, are_worlds_that_are_alone_in_stages) { expect_lanes_of_worlds<staged, batch<double, 4>>(chain, as_it_is, 100, 120); }

}  // namespace
