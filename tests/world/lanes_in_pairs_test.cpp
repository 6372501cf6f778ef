// Two manifolds, and two bodies in free motion, at a time: on any machine as where a register takes the lanes of both.

#include <sinew/math/lane_pairs.hpp>

namespace sinew::inline v0::detail {
template <>
inline constexpr bool has_lane_pairs_v<batch<double, 2>> = true;  // no other test has a world of these
}  // namespace sinew::inline v0::detail

#include "lanes_drops.hpp"

namespace {

using namespace lanes_drops;
using pairs = batch<double, 2>;
template <class S>
using swinging = chain_world<S, sequential_impulses>;

// Three, two and one manifold of each half space: some find a partner, and some do not.
TEST(lanes_in_pairs, slide_roll_and_bounce_as_worlds_that_are_alone) {
    static_assert(detail::has_lane_pairs_v<pairs>);
    expect_lanes_of_drops<plain, pairs>(11, 0.8, 150, as_it_is);
    expect_lanes_of_drops<plain, pairs>(12, 0, 100, as_it_is);
}
TEST(lanes_in_pairs, rub_by_other_laws) {
    expect_lanes_of_drops<pyramids, pairs>(13, 0.6, 60, as_it_is);
    expect_lanes_of_drops<lagged, pairs>(14, 0.6, 60, as_it_is);
}
TEST(lanes_in_pairs, are_worlds_that_are_alone_in_one_substep) {
    expect_lanes_of_drops<plain, pairs>(15, 0.5, 60, [](auto& w) {
        w.solver.substeps = 1;
        w.solver.iterations = 8;
        w.solver.relaxing_iterations = 0;
        w.solver.feedback = position_feedback::baumgarte;
    });
}
// A chain of balls and boxes, of which those that are equal in all directions and those that are not move side by side.
TEST(lanes_in_pairs, chains_swing_as_worlds_that_are_alone) { expect_lanes_of_worlds<swinging, pairs>(chain, as_it_is, 60, 60); }

TEST(lanes_in_pairs, are_used_where_a_register_holds_two) {
    constexpr std::size_t floats = detail::register_bytes / sizeof(float);
    if constexpr (detail::has_lane_vectors) {
        EXPECT_EQ((detail::has_lane_pairs_v<batch<float, 8>>), floats == 16);
        EXPECT_EQ((detail::has_lane_pairs_v<batch<float, 4>>), floats >= 8);
        EXPECT_EQ((detail::has_lane_pairs_v<batch<double, 4>>), floats == 16);
    }
    EXPECT_FALSE((detail::has_lane_pairs_v<batch<float, 16>>));  // fills one itself
    EXPECT_FALSE((detail::has_lane_pairs_v<batch<float, 2>>));
    EXPECT_FALSE(detail::has_lane_pairs_v<float>);
}

}  // namespace
