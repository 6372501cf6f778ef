// The relative angle about an axis: derivatives and momentum, and the angle of known turns.

#include <sinew/constraint/angle.hpp>

#include <constraint/cases/angle.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(relative_angle, Conformance, on_all_rotations<angle_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;

struct scene {
    body a, b;
    V axis;
    relative_angle<double> angle;
    explicit scene(std::uint64_t seed) {
        splitmix64 random{seed};
        a = random_pose<rigid, Q>(random, 1.0);
        b = random_pose<rigid, Q>(random, 1.0);
        axis = random_direction<double>(random);
        angle = relative_angle<double>::at(a, b, 5.0 * axis);
    }
};

TEST(relative_angle, is_that_of_b_turned_by_the_right_hand) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        for (int degrees = -170; degrees <= 180; degrees += 10) {
            double const phi = degrees * pi_v<double> / 180;
            body const turned_b{s.b.position, rotation_about<Q>(s.axis, phi) * s.b.rotation};
            double const angle = s.angle.error(s.a, turned_b);
            // At half a turn rounding decides between pi and -pi.
            EXPECT_NEAR(degrees == 180 ? abs(angle) : angle, phi, 1e-14);
            body const turned_a{s.a.position, rotation_about<Q>(s.axis, phi) * s.a.rotation};
            double const opposite = s.angle.error(turned_a, s.b);
            EXPECT_NEAR(degrees == 180 ? abs(opposite) : opposite, degrees == 180 ? phi : -phi, 1e-14);
        }
    }
}

// Swing-twist: R_a^T R_b = swing * twist with the swing's axis across the twist's; the angle is the twist's alone.
TEST(relative_angle, ignores_swing) {
    splitmix64 random{3};
    for (int i = 0; i < 100; ++i) {
        V const axis = random_direction<double>(random);
        auto const across = orthonormal_basis(axis);
        double const twist = random_number(random, -3.1, 3.1), swing = random_number(random, -3.0, 3.0), around = random_number(random, -3.1, 3.1);
        V const swing_axis = cos(around) * across.u + sin(around) * across.v;
        body const a = random_pose<rigid, Q>(random, 1.0);
        relative_angle<double> const angle{axis, across.u, axis, across.u};
        body const b{{}, a.rotation * (rotation_about<Q>(swing_axis, swing) * rotation_about<Q>(axis, twist))};
        EXPECT_NEAR(angle.error(a, b), twist, 1e-12);
        body const c{{}, a.rotation * (rotation_about<Q>(axis, twist) * rotation_about<Q>(swing_axis, swing))};
        EXPECT_NEAR(angle.error(a, c), twist, 1e-12);
    }
}

TEST(relative_angle, speed_about_aligned_axes_is_the_relative_angular_velocity) {
    scene const s(5);
    twist<double> const ta{{1, 2, 3}, {0.3, -0.2, 0.5}}, tb{{-1, 0, 2}, {-0.7, 0.1, 0.9}};
    EXPECT_NEAR(s.angle.speed(s.a, s.b, ta, tb), dot(s.axis, tb.angular - ta.angular), 1e-14);
    EXPECT_NEAR((s.angle.jacobian(s.a, s.b) * stacked(ta, tb))[0], s.angle.speed(s.a, s.b, ta, tb), 1e-14);
}

TEST(relative_angle, opposite_axes_have_no_gradient) {
    relative_angle<double> const angle{{0, 0, 1}, {1, 0, 0}, {0, 0, -1}, {1, 0, 0}};
    body const a{}, b{};
    EXPECT_EQ(angle.error(a, b), 0);
    EXPECT_EQ(angle.jacobian(a, b), (mat<double, 1, 12>{}));
    splitmix64 random{1};
    EXPECT_TRUE(is_finite_at(angle, random, a, b));
}

TEST(relative_angle, refuses_directions_that_make_no_frame) {
    relative_angle<double> c{};
    EXPECT_EQ(c.fault().name, nullptr);
    c.reference_b = {0, 0, 1};
    EXPECT_STREQ(c.fault().name, "reference_b");
    c = {};
    c.axis_a = {0, 0, std::numeric_limits<double>::quiet_NaN()};
    EXPECT_STREQ(c.fault().name, "axis_a");
    EXPECT_STREQ(relative_angle<double>::at(body{}, body{}, {0, 0, 0}).fault().name, "axis_a");
}

}  // namespace
