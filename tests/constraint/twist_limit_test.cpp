// Swing and twist of a ball joint: derivatives and momentum; that each is limited apart from the other; a shoulder that
// is pushed from all sides.

#include <sinew/constraint/point_to_point.hpp>
#include <sinew/constraint/twist_limit.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>
#include <sinew/world/world.hpp>

#include <constraint/cases/twist_limit.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(swing_twist_limit, Conformance, on_all_rotations<swing_twist_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;

struct scene {
    body a, b;
    V axis, across;
    explicit scene(std::uint64_t seed) {
        splitmix64 random{seed};
        a = random_pose<rigid, Q>(random, 1.0);
        b = random_pose<rigid, Q>(random, 1.0);
        axis = random_direction<double>(random);
        across = orthonormal_basis(axis).u;
    }
    body turned_b(double swing, double twist) const {
        return {b.position, rotation_about<Q>(across, swing) * (rotation_about<Q>(axis, twist) * b.rotation)};
    }
};

TEST(swing_twist_limit, measures_each_apart_from_the_other) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto const c = swing_twist_limit<double>::at(s.a, s.b, 2.0 * s.axis, 1.0, -0.5, 1.5);
        for (double const swing : {0.0, 0.3, 1.2, 2.5})
            for (double const twist : {-1.0, -0.25, 0.25, 1.0, 2.0}) {
                auto const b = s.turned_b(swing, twist);
                auto const e = c.error(s.a, b);
                EXPECT_NEAR(e[0], 1.0 - swing, 1e-13);
                bool const low = twist < 0.5;
                EXPECT_NEAR(e[1], low ? twist + 0.5 : twist - 1.5, 1e-13);
                auto const l = c.limits(s.a, b);
                EXPECT_EQ(l.lower[0], 0);
                EXPECT_EQ(l.upper[0], infinity_v<double>);
                EXPECT_EQ(l.lower[1], low ? 0 : -infinity_v<double>);
                EXPECT_EQ(l.upper[1], low ? infinity_v<double> : 0);
            }
    }
}

// For small swings the two torques are at right angles: neither limit works against the other.
TEST(swing_twist_limit, rows_are_orthogonal) {
    scene const s(3);
    auto const c = swing_twist_limit<double>::at(s.a, s.b, s.axis, 1.0, -0.5, 1.5);
    for (double const swing : {0.1, 1.0, 2.0, 3.0}) {
        auto const J = c.jacobian(s.a, s.turned_b(swing, 0.7));
        EXPECT_EQ(rank_of(J), 2);
        EXPECT_NEAR(dot(V{J(0, 9), J(0, 10), J(0, 11)}, V{J(1, 9), J(1, 10), J(1, 11)}), 0, 1e-14);
    }
}

TEST(twist_limit, is_the_limit_of_an_angle) {
    scene const s(4);
    auto const both = swing_twist_limit<double>::at(s.a, s.b, s.axis, 1.0, -0.5, 1.5);
    EXPECT_EQ(both.twist, angle_limit<double>::at(s.a, s.b, s.axis, -0.5, 1.5));
    EXPECT_EQ(both.twist, twist_limit<double>::at(s.a, s.b, s.axis, -0.5, 1.5));
}

struct double_config : default_config {
    using scalar = double;
    using solver = nonlinear_gauss_seidel;
};

// An arm thrown about in all directions keeps within its cone and its range of twist.
TEST(swing_twist_limit, makes_a_ball_joint_a_shoulder) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        SCOPED_TRACE(seed);
        splitmix64 random{seed};
        world<double_config, ball_joint, swing_twist_limit> w;
        rigid_body<double> arm;
        arm.inertia = diagonal(0.02, 0.1, 0.1);
        arm.pose.position = {0.4, 0, 0};
        arm.twist.angular = random_vector(random, 6.0);
        arm.twist.linear = cross(arm.twist.angular, arm.pose.position);
        auto const bob = w.add(arm);
        body const ground{}, start = w.pose(bob);
        auto const limit = swing_twist_limit<double>::at(ground, start, {1, 0, 0}, 0.8, -0.4, 0.6);
        w.add(ball_joint<double>::at(ground, start, {0, 0, 0}), w.ground(), bob);
        w.add(limit, w.ground(), bob);
        w.solver.iterations = 30;
        double swing = 1, twist = 0;
        for (int i = 0; i < 480; ++i) {
            ASSERT_TRUE(w.step(1.0 / 240));
            swing = min(swing, limit.swing.error(ground, w.pose(bob)));
            double const angle = limit.twist.angle.error(ground, w.pose(bob));
            twist = max(twist, max(-0.4 - angle, angle - 0.6));
        }
        EXPECT_GE(swing, -2e-3);
        EXPECT_LE(twist, 2e-3);
    }
}

TEST(swing_twist_limit, refuses_what_its_parts_refuse) {
    scene const s(1);
    EXPECT_EQ(swing_twist_limit<double>::at(s.a, s.b, s.axis, 1.0, -1.0, 1.0).fault().name, nullptr);
    EXPECT_STREQ(swing_twist_limit<double>::at(s.a, s.b, s.axis, 0.0, -1.0, 1.0).fault().name, "half_angle");
    EXPECT_STREQ(swing_twist_limit<double>::at(s.a, s.b, s.axis, 1.0, 1.0, -1.0).fault().name, "lower");
    EXPECT_STREQ(swing_twist_limit<double>::at(s.a, s.b, {0, 0, 0}, 1.0, -1.0, 1.0).fault().name, "axis_a");
}

}  // namespace
