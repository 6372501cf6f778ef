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
TEST(lanes_in_pairs, lie_on_soft_ground_and_on_a_belt) {
    auto const tune = [](auto& w) {
        w.solver.warm_start = decltype(w.solver.warm_start)(0.8);
        w.solver.measure_rates = true;
    };
    expect_lanes_of_worlds<ground, pairs>(on_soft_ground_and_a_belt, tune, 100, 60);
}

// With rotations of other sizes: boxes and balls that ball joints join, in free fall.
template <class S>
struct turned_by_matrices : config<S, sequential_impulses> {
    template <class T>
    using rotation = rotation_matrix<T>;
};
template <class S>
struct turned_by_vectors : config<S, sequential_impulses> {
    template <class T>
    using rotation = rotation_vector<T>;
};
template <class S>
using chain_of_matrices = world<turned_by_matrices<S>, ball_joint, half_space, box>;
template <class S>
using chain_of_vectors = world<turned_by_vectors<S>, ball_joint, half_space, box>;
constexpr auto boxes_in_a_row = [](auto& w, auto scalar, std::size_t lane) {
    using S = typename decltype(scalar)::type;
    using R = typename std::remove_cvref_t<decltype(w.pose(w.ground()))>::rotation_type;
    collider_options<S, R> const options{.filter = alone};
    w.add(half_space<S>{}, w.ground());
    handle<rigid> previous = w.ground();
    for (int k = 0; k < 5; ++k) {
        S const x = of<S>(k), size = by_lane<S>(lane, [&](double i) { return 0.2 + 0.05 * i + 0.02 * k; });
        vec3<S> const spin{by_lane<S>(lane, [&](double i) { return 0.3 * i + 0.1 * k; }), of<S>(0.2), of<S>(-0.4)};
        auto const h = w.add_solid(box<S>{{size, of<S>(0.1), of<S>(0.15)}}, of<S>(700), pose<S, R>{{x, of<S>(0.4), S(0)}, {}}, options, twist<S>{{}, spin});
        if (k % 3 != 0) w.add(ball_joint<S>::at(w.pose(previous), w.pose(h), {x - of<S>(0.5), of<S>(0.4), S(0)}), previous, h);
        previous = h;
    }
};
TEST(lanes_in_pairs, turn_by_matrices_and_vectors) {
    static_assert(detail::has_pose_pairs_v<pairs, rotation_matrix<pairs>> && detail::has_pose_pairs_v<pairs, rotation_vector<pairs>>);
    expect_lanes_of_worlds<chain_of_matrices, pairs>(boxes_in_a_row, as_it_is, 60, 60);
    expect_lanes_of_worlds<chain_of_vectors, pairs>(boxes_in_a_row, as_it_is, 60, 60);
}

// A copy goes on as what it was copied from: it begins without what packs a step.
TEST(lanes_in_pairs, go_on_from_a_copy) {
    ground<pairs> w;
    build_drops<pairs>(w, 0, 31, 0);
    for (int k = 0; k < 40; ++k) ASSERT_TRUE(w.step(of<pairs>(1.0 / 60)));
    auto again = w;
    for (int k = 0; k < 40; ++k) {
        ASSERT_TRUE(w.step(of<pairs>(1.0 / 60)));
        ASSERT_TRUE(again.step(of<pairs>(1.0 / 60)));
    }
    EXPECT_TRUE(again == w);
}

// Derivatives in lanes: no machine takes two of such numbers, and the values are those of lanes alone.
TEST(lanes_in_pairs, leave_derivatives_in_lanes_alone) {
    auto const height = []<class S>(std::type_identity<S>) {
        world<config<S, sequential_impulses>, box, half_space> w;
        w.add(half_space<S>{}, w.ground());
        auto const b = w.add_solid(box<S>{{S(0.5), S(0.2), S(0.3)}}, S(500), pose<S>{{S(0), S(0.4), S(0)}, {}}, {}, twist<S>{{S(1), S(0), S(0)}, {S(0.1), S(0.2), S(0.3)}});
        for (int k = 0; k < 40; ++k) EXPECT_TRUE(w.step(S(1.0 / 60)));
        return w.position(b);
    };
    auto const plain = height(std::type_identity<batch<double, 4>>{});
    auto const derived = height(std::type_identity<dual<batch<double, 4>, 1>>{});
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t lane = 0; lane < 4; ++lane) EXPECT_EQ(derived[i].v[lane], plain[i][lane]);
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
