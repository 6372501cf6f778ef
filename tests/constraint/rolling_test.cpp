// Rolling: derivatives and momentum; what rolls and what slips; the ball on a turntable, the rolling cone.

#include <sinew/constraint/rolling.hpp>

#include <sinew/constraint/point_on_plane.hpp>

#include <constraint/cases/rolling.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(rolling_sphere, Conformance, on_all_rotations<rolling_sphere_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(rolling_disc, Conformance, on_all_rotations<rolling_disc_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(disc_on_plane, Conformance, on_all_rotations<disc_on_plane_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;
using T = twist<double>;

constexpr V z{0, 0, 1};

TEST(rolling_sphere, rolls_as_far_as_it_turns) {
    double const r = 0.5;
    body const ground{}, ball{{3, 4, r}, {}};
    auto const c = rolling_sphere<double>::at(ground, ball, ball.position, 2.0 * z, r);
    EXPECT_EQ(c.contact(ground, ball), (V{3, 4, 0}));
    V const omega{1, 2, 3};
    V const v = r * cross(omega, z);
    EXPECT_LE(norm(c.rate(ground, ball, T{}, T{v, omega})), 1e-15);
    // The spin about the normal is free; sliding is seen in full.
    EXPECT_LE(norm(c.rate(ground, ball, T{}, T{{}, 7.0 * z})), 1e-15);
    EXPECT_NEAR(norm(c.rate(ground, ball, T{}, T{{3, 4, 0}, {}})), 5, 1e-14);
    // Its height is not a matter of rolling.
    EXPECT_LE(norm(c.rate(ground, ball, T{}, T{z, {}})), 1e-15);
    static_assert(!is_holonomic_v<rolling_sphere<double>, double>);
}

// A ball on a turntable of angular velocity W goes round in circles at (2 / 7) W: its acceleration is (2 / 7) W x v.
TEST(rolling_sphere, ball_on_a_turntable) {
    double const r = 0.2, mass = 3, inertia = 2.0 / 5 * mass * r * r, W = 5;
    body const table{};
    splitmix64 random{11};
    for (int i = 0; i < 20; ++i) {
        V const place = random_vector(random, 1.0);
        body const ball{{place.x(), place.y(), r}, random_rotation<Q>(random)};
        auto const c = rolling_sphere<double>::at(table, ball, ball.position, z, r);
        T const table_twist{{}, W * z};
        V const omega = random_vector(random, 3.0);
        V const contact_velocity = cross(W * z, V{ball.position.x(), ball.position.y(), 0});
        T const ball_twist{contact_velocity + r * cross(omega, z), omega};
        ASSERT_LE(norm(c.rate(table, ball, table_twist, ball_twist)), 1e-14);
        // M v_dot = J^T lambda, J v_dot + J_dot v = 0, the table driven at constant speed.
        auto const J = c.jacobian(table, ball);
        mat<double, 2, 6> Jb, weighted;
        for (std::size_t row = 0; row < 2; ++row)
            for (std::size_t k = 0; k < 6; ++k) {
                Jb(row, k) = J(row, 6 + k);
                weighted(row, k) = Jb(row, k) / (k < 3 ? mass : inertia);
            }
        mat<double, 2, 2> const K = Jb * transpose(weighted);
        auto const rhs = -c.jacobian_rate(table, ball, table_twist, ball_twist);
        double const det = K(0, 0) * K(1, 1) - K(0, 1) * K(1, 0);
        vec<double, 2> const lambda{(K(1, 1) * rhs[0] - K(0, 1) * rhs[1]) / det, (K(0, 0) * rhs[1] - K(1, 0) * rhs[0]) / det};
        V acceleration{};
        for (std::size_t k = 0; k < 3; ++k) acceleration[k] = weighted(0, k) * lambda[0] + weighted(1, k) * lambda[1];
        EXPECT_LE(norm(acceleration - 2.0 / 7 * cross(W * z, ball_twist.linear)), 1e-13);
    }
}

// With the height held too, no velocity of the contact is left, and three ways of turning are.
TEST(rolling_sphere, with_its_height_leaves_three_degrees_of_freedom) {
    splitmix64 random{3};
    auto const a = random_pose<rigid, Q>(random, 1.0), b = random_pose<rigid, Q>(random, 1.0);
    V const normal = random_direction<double>(random);
    auto const roll = rolling_sphere<double>::at(a, b, b.position, normal, 0.3);
    auto const height = point_on_plane<double>::at(a, b, b.position, normal);
    EXPECT_EQ(rank_of(stack_rows(roll.jacobian(a, b), height.jacobian(a, b))), 3);
}

TEST(rolling_disc, upright_wheel_rolls_ahead_and_steers) {
    double const r = 0.4;
    body const ground{}, wheel{{1, 2, r}, {}};
    auto const c = rolling_disc<double>::at(ground, wheel, wheel.position, {0, 1, 0}, z, r);
    EXPECT_LE(norm(c.contact(ground, wheel) - V{1, 2, 0}), 1e-15);
    EXPECT_LE(norm(c.rate(ground, wheel, T{}, T{{6 * r, 0, 0}, {0, 6, 0}})), 1e-15);
    EXPECT_LE(norm(c.rate(ground, wheel, T{}, T{{}, z})), 1e-15);
    EXPECT_NEAR(norm(c.rate(ground, wheel, T{}, T{{0, 1, 0}, {}})), 1, 1e-15);
}

// A disc on the base of a cone that rolls round its own tip: it turns about the line from the tip to the contact.
TEST(rolling_disc, rolling_cone) {
    double const half_angle = 0.5, length = 2, r = length * sin(half_angle), speed = 3;  // slant length
    body const ground{};
    // Tip at the origin, contact line along x, axis raised by the half angle.
    V const axis{cos(half_angle), 0, sin(half_angle)};
    V const centre = length * cos(half_angle) * axis;
    body const cone0{centre, Q::identity()};
    auto const roll = rolling_disc<double>::at(ground, cone0, centre, axis, z, r);
    auto const height = disc_on_plane<double>::at(ground, cone0, centre, axis, z, r);
    EXPECT_LE(norm(roll.contact(ground, cone0) - V{length, 0, 0}), 1e-14);
    EXPECT_LE(norm(height.anchor_a - V{length, 0, 0}), 1e-14);
    // Omega about the vertical carries the axis around; the whole is a turn about the contact line.
    double const precession = -speed * tan(half_angle);
    for (double t = 0; t < 5; t += 0.13) {
        auto const around = rotation_about<Q>(z, precession * t);
        // The spin about the axis, on top of the precession: omega = speed x = precession z + spin axis.
        double const spin = speed / cos(half_angle);
        body const cone{rotate(around, centre), around * rotation_about<Q>(axis, spin * t)};
        V const omega = rotate(around, V{speed, 0, 0});
        T const motion{cross(omega, cone.position), omega};
        EXPECT_NEAR(height.error(ground, cone), 0, 1e-14) << t;
        EXPECT_LE(norm(roll.rate(ground, cone, T{}, motion)), 1e-13) << t;
        EXPECT_NEAR((height.jacobian(ground, cone) * stacked(T{}, motion))[0], 0, 1e-13) << t;
    }
}

TEST(disc_on_plane, measures_the_height_of_the_lowest_point) {
    body const ground{};
    disc_on_plane<double> const c{{}, {}, {0, 1, 0}, z, 0.5};
    EXPECT_DOUBLE_EQ(c.error(ground, body{{0, 0, 0.5}, {}}), 0);
    EXPECT_DOUBLE_EQ(c.error(ground, body{{0, 0, 0.7}, {}}), 0.2);
    // Leaning by 60 degrees, and flat.
    EXPECT_NEAR(c.error(ground, body{{0, 0, 0.5 * cos(pi_v<double> / 3)}, rotation_about<Q>(V{1, 0, 0}, pi_v<double> / 3)}), 0, 1e-15);
    EXPECT_NEAR(c.error(ground, body{{0, 0, 0.3}, rotation_about<Q>(V{1, 0, 0}, pi_v<double> / 2)}), 0.3, 1e-15);
}

TEST(rolling_disc, lying_flat_stays_finite) {
    splitmix64 random{1};
    body const p{};
    rolling_disc<double> const c{{}, z, z, 0.5};
    disc_on_plane<double> const d{{}, {}, z, z, 0.5};
    EXPECT_TRUE(is_finite_at<Q>(c, random, p, p));
    EXPECT_TRUE(is_finite_at<Q>(d, random, p, p));
    EXPECT_EQ(c.contact(p, p), p.position);
}

TEST(rolling, refuses_what_has_no_direction_or_size) {
    body const p{};
    EXPECT_STREQ(rolling_sphere<double>::at(p, p, {}, {}, 1).fault().name, "normal");
    EXPECT_STREQ(rolling_sphere<double>::at(p, p, {}, z, -1).fault().name, "radius");
    EXPECT_STREQ(rolling_sphere<double>::at(p, p, {}, z, infinity_v<double>).fault().name, "radius");
    EXPECT_STREQ(rolling_disc<double>::at(p, p, {}, {}, z, 1).fault().name, "axis");
    EXPECT_STREQ(rolling_disc<double>::at(p, p, {}, z, {}, 1).fault().name, "normal");
    EXPECT_STREQ(disc_on_plane<double>::at(p, p, {}, z, z, -1).fault().name, "radius");
    EXPECT_EQ(rolling_sphere<double>{}.fault().name, nullptr);
    EXPECT_EQ(rolling_disc<double>{}.fault().name, nullptr);
    EXPECT_EQ(disc_on_plane<double>{}.fault().name, nullptr);
}

}  // namespace
