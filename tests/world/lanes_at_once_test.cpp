// Worlds whose scalar has lanes, under impulses that are found all at once: every lane has the bits of a world that is alone.

#include "lanes_scene.hpp"

namespace {

using namespace lanes_scene;

template <class S>
using factored = chain_world<S, lagrange_impulses<ldlt>>;
template <class S>
using iterated = chain_world<S, lagrange_impulses<conjugate_gradient>>;

TEST(lanes_under_impulses_at_once, are_worlds_that_are_alone) { expect_lanes_of_worlds<factored, batch<float, 8>>(chain, as_it_is, 60, 60); }
// Iterations end when each lane has converged.
TEST(lanes_under_impulses_at_once, iterate_as_long_as_each_must) { expect_lanes_of_worlds<iterated, batch<float, 8>>(chain, as_it_is, 20, 60); }

}  // namespace
