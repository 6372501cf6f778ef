// Path: derivatives and momentum; where the foot is; a bead on a helix, a car on a loop.

#include <sinew/constraint/path.hpp>

#include <constraint/cases/path.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

/// Radius 1, pitch 2 pi / 10.
struct helix {
    template <class T>
    constexpr vec3<T> operator()(T const& u) const {
        return {cos(u), sin(u), u * 0.1};
    }
    constexpr bool operator==(helix const&) const = default;
};
struct circle {
    double radius = 1;
    template <class T>
    constexpr vec3<T> operator()(T const& u) const {
        return {cos(u) * radius, sin(u) * radius, u * 0.0};
    }
    constexpr bool operator==(circle const&) const = default;
};
struct downward {
    template <class T>
    constexpr vec3<T> operator()(T const& u) const {
        return {u * 0.0, u * 0.0, -u};
    }
    constexpr bool operator==(downward const&) const = default;
};

INSTANTIATE_TYPED_TEST_SUITE_P(body_on_path, Conformance, on_all_rotations<body_on_path_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_on_path, Conformance, on_all_rotations<particle_on_path_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(guided_path, Conformance, on_all_rotations<guided_path_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;
using P = particle_pose<double>;

TEST(path, foot_is_the_nearest_place) {
    splitmix64 random{1};
    body const a = random_pose<rigid, Q>(random, 1.0);
    particle_on_path<double, helix> const c{{}, {}, -10, 10, 200};
    for (int i = 0; i < 100; ++i) {
        SCOPED_TRACE(i);
        double const u = random_number(random, -9.0, 9.0);
        // Off the helix by a little, across it: radially, and along the binormal.
        double const radial = random_number(random, -0.05, 0.05), binormal = random_number(random, -0.05, 0.05);
        V const out{cos(u), sin(u), 0}, tangent = normalize(V{-sin(u), cos(u), 0.1});
        P const bead{a.point(helix{}(u) + radial * out + binormal * cross(tangent, out))};
        EXPECT_NEAR(c.foot(a, bead).u, u, 1e-13);
        auto const off = c.error(a, bead);
        EXPECT_NEAR(norm(off), sqrt(radial * radial + binormal * binormal), 1e-13);
    }
}

TEST(path, frame_at_the_foot_is_right_handed) {
    splitmix64 random{2};
    particle_on_path<double, helix> const c{{}, {}, -10, 10, 200};
    for (int i = 0; i < 100; ++i) {
        auto const f = c.foot(body{}, P{random_vector(random, 1.0)});
        EXPECT_NEAR(norm(f.e_1), 1, 1e-14);
        EXPECT_NEAR(dot(f.e_1, f.t), 0, 1e-14);
        EXPECT_LE(norm(cross(f.t, f.e_1) - f.e_2), 1e-14);
    }
}

// Closed: the foot goes round and round, and the error has no jump where the parameter begins anew.
TEST(path, closed_curve_has_no_seam) {
    particle_on_path<double, circle> const c{{}, {2}, -pi_v<double>, pi_v<double>, 16};
    body const a{};
    vec<double, 2> last{};
    for (double u = -0.1; u <= 0.1; u += 0.001) {
        double const angle = pi_v<double> + u;
        auto const now = c.error(a, P{{2.5 * cos(angle), 2.5 * sin(angle), 0.25}});
        EXPECT_NEAR(norm(now), sqrt(0.25 + 0.0625), 1e-14);
        if (u > -0.0995) {
            EXPECT_LE(norm(now - last), 2e-3);
        }
        last = now;
    }
}

// The normal force that holds a bead of speed v on a circle: m v^2 / r inward, from J v_dot + J_dot v = 0.
TEST(path, centripetal_force_on_a_circle) {
    double const r = 2, v = 3;
    particle_on_path<double, circle> const c{{}, {r}, -pi_v<double>, pi_v<double>};
    body const a{};
    for (double angle = -3; angle <= 3; angle += 0.25) {
        P const bead{{r * cos(angle), r * sin(angle), 0}};
        particle_twist<double> const motion{{-v * sin(angle), v * cos(angle), 0}};
        auto const J = c.jacobian(a, bead);
        EXPECT_LE(norm(J * stacked_velocity<particle_on_path<double, circle>>(std::tuple{twist<double>{}, motion})), 1e-14);
        auto const J_dot_v = jacobian_rate_of(c, std::tuple{a, bead}, std::tuple{twist<double>{}, motion});
        // Rows are orthonormal: the force per mass is -J^T J_dot v.
        V force{};
        for (std::size_t k = 0; k < 3; ++k) force[k] = -(J(0, 6 + k) * J_dot_v[0] + J(1, 6 + k) * J_dot_v[1]);
        EXPECT_LE(norm(force + bead.position * (v * v / (r * r))), 1e-13) << angle;
    }
}

TEST(path, carries_its_curve_along) {
    splitmix64 random{4};
    body const a = random_pose<rigid, Q>(random, 1.0), b = random_pose<rigid, Q>(random, 1.0);
    auto const c = body_on_path<double, helix>::at(a, b, {}, -10.0, 10.0, 1.25, 200);
    EXPECT_NEAR(c.foot(a, b).u, 1.25, 1e-13);
    body const by = random_pose<rigid, Q>(random, 1.0);
    EXPECT_LE(norm(c.error(by * a, by * b)), 1e-14);
    EXPECT_NEAR(c.foot(by * a, by * b).u, 1.25, 1e-13);
    EXPECT_EQ(rank_of(c.jacobian(a, b)), 2);
}

TEST(path, guided_body_runs_along_and_rolls_about_the_tangent) {
    splitmix64 random{5};
    body const a = random_pose<rigid, Q>(random, 1.0), b = random_pose<rigid, Q>(random, 1.0);
    auto const c = guided_path<double, helix>::at(a, b, {}, -10.0, 10.0, 0.5, 200);
    auto const J = c.jacobian(a, b);
    EXPECT_EQ(rank_of(J), 4);
    V const p = b.point(c.anchor_b), t = b.direction(c.axis);
    EXPECT_LE(norm(t - a.direction(c.foot(a, b).t)), 1e-14);
    EXPECT_LE(norm(J * stacked(twist<double>{}, twist<double>{cross(t, b.position - p), t})), 1e-13);
    // Along the helix: a screw about a's z axis.
    V const z = a.direction(V{0, 0, 1});
    EXPECT_LE(norm(J * stacked(twist<double>{}, twist<double>{cross(z, b.position - a.position) + 0.1 * z, z})), 1e-13);
    for (double angle = -3; angle <= 3; angle += 0.5) {
        auto const turn = rotation_about<Q>(z, angle);
        body const moved{a.position + rotate(turn, b.position - a.position) + (0.1 * angle) * z, turn * b.rotation};
        EXPECT_LE(norm(c.error(a, moved)), 1e-13) << angle;
        EXPECT_NEAR(c.foot(a, moved).u, 0.5 + angle, 1e-13);
    }
}

TEST(path, stays_finite_at_the_centre_of_curvature_and_on_a_curve_of_no_length) {
    splitmix64 random{1};
    body const a{};
    EXPECT_TRUE(is_finite_at<Q>(particle_on_path<double, circle>{{}, {2}, -3, 3}, random, a, P{}));
    EXPECT_TRUE(is_finite_at<Q>(particle_on_path<double, circle>{{}, {0}, -3, 3}, random, a, P{{1, 0, 0}}));
    // Against `up`.
    particle_on_path<double, downward> const c{{}, {}, -3, 3};
    EXPECT_TRUE(is_finite_at<Q>(c, random, a, P{{1, 0, 0}}));
    EXPECT_NEAR(norm(c.error(a, P{{1, 2, 0.5}})), sqrt(5.0), 1e-14);
}

TEST(path, refuses_an_empty_range) {
    particle_on_path<double, helix> c{};
    EXPECT_EQ(c.fault().name, nullptr);
    c.end = 0;
    EXPECT_STREQ(c.fault().name, "begin");
    c.end = infinity_v<double>;
    EXPECT_STREQ(c.fault().name, "end");
    c.end = 1;
    c.samples = 1;
    EXPECT_STREQ(c.fault().name, "samples");
    c.samples = 2000000000;
    EXPECT_STREQ(c.fault().name, "samples");
    c.samples = 2;
    c.up = {0, 0, 2};
    EXPECT_STREQ(c.fault().name, "up");
    guided_path<double, helix> d{};
    d.axis = {};
    EXPECT_STREQ(d.fault().name, "axis");
}

}  // namespace
