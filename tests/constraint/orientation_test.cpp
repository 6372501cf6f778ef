// Locked relative orientation: the missing turn as a rotation vector.

#include <sinew/constraint/orientation.hpp>

#include <constraint/cases/orientation.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(orientation_lock, Conformance, on_all_rotations<lock_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;

TEST(orientation_lock, is_the_turn_of_b_in_the_frame_of_a) {
    splitmix64 random{8};
    for (int i = 0; i < 50; ++i) {
        auto const a = random_pose<rigid, Q>(random, 1.0), b = random_pose<rigid, Q>(random, 1.0);
        auto const c = orientation_lock<double>::at(a, b);
        V const theta = random_direction<double>(random) * random_number(random, 0.0, 3.1);
        body const turned_b{b.position, turned(b.rotation, a.direction(theta))};
        EXPECT_LE(norm(c.error(a, turned_b) - theta), 1e-13);
        // It does not matter which of the two turns.
        body const turned_a{a.position, turned(a.rotation, -a.direction(theta))};
        EXPECT_LE(norm(c.error(turned_a, b) - theta), 1e-13);
        // Nor the sign of a quaternion.
        Q const q = turned_b.rotation;
        EXPECT_LE(norm(c.error(a, body{{}, {-q.w, -q.x, -q.y, -q.z}}) - theta), 1e-13);
    }
}

TEST(orientation_lock, locks_three_turns_up_to_half_a_turn) {
    splitmix64 random{9};
    for (double const angle : {0.0, 1e-9, 1e-4, 1.0, 3.0, pi_v<double>}) {
        auto const a = random_pose<rigid, Q>(random, 1.0);
        body const b{{}, turned(a.rotation, random_direction<double>(random) * angle)};
        orientation_lock<double> const c{};
        EXPECT_EQ(rank_of(c.jacobian(a, b)), 3);
        EXPECT_TRUE(is_finite_at(c, random, a, b));
        EXPECT_LE(detail::deviation_of(c.jacobian(a, b), derived_jacobian(c, a, b), 0.0), 1e-12);
    }
}

TEST(orientation_lock, refuses_what_is_no_rotation) {
    EXPECT_STREQ((orientation_lock<double>{{0, 0, 0, 0}}.fault().name), "relative");
    EXPECT_EQ(orientation_lock<double>{}.fault().name, nullptr);
}

}  // namespace
