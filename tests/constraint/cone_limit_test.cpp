// Cone: derivatives and momentum; the angle of known swings up to half a turn; which way it pushes; a pendulum that
// swings within a cone and keeps its spin.

#include <sinew/constraint/cone_limit.hpp>
#include <sinew/constraint/point_to_point.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>
#include <sinew/world/world.hpp>

#include <constraint/cases/cone_limit.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(cone_limit, Conformance, on_all_rotations<cone_case>);

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
    // Body b swung by an angle about a world axis, after a twist about the cone's own.
    body swung_b(double angle, double twist = 0) const {
        return {b.position, rotation_about<Q>(across, angle) * (rotation_about<Q>(axis, twist) * b.rotation)};
    }
};

TEST(cone_limit, measures_the_swing_alone) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto const c = cone_limit<double>::at(s.a, s.b, 3.0 * s.axis, 0.75);
        EXPECT_NEAR(c.error(s.a, s.b), 0.75, 1e-15);
        for (double const swing : {1e-8, 1e-3, 0.5, 0.75, 1.5, 2.0, 3.0, 3.141})
            for (double const twist : {0.0, 1.0, -3.0}) {
                EXPECT_NEAR(c.error(s.a, s.swung_b(swing, twist)), 0.75 - swing, 1e-14);
                EXPECT_NEAR(c.error(s.a, s.swung_b(-swing, twist)), 0.75 - swing, 1e-14);
            }
    }
}

TEST(cone_limit, turns_the_axis_of_b_back) {
    scene const s(2);
    auto const c = cone_limit<double>::at(s.a, s.b, s.axis, 0.75);
    EXPECT_EQ(c.limits().lower[0], 0);
    EXPECT_EQ(c.limits().upper[0], infinity_v<double>);
    auto const w = transpose_times(c.jacobian(s.a, s.swung_b(1.0)), vec<double, 1>{2.0});
    EXPECT_LE(norm(V{w[9], w[10], w[11]} + 2.0 * s.across), 1e-14);
    EXPECT_LE(norm(V{w[3], w[4], w[5]} - 2.0 * s.across), 1e-14);
    // Turned as its torque turns it, c rises at the rate of 1.
    auto const body_back = s.swung_b(1.0 - 1e-3);
    EXPECT_NEAR(c.error(s.a, body_back) - c.error(s.a, s.swung_b(1.0)), 1e-3, 1e-14);
    EXPECT_NEAR((c.jacobian(s.a, s.swung_b(1.0)) * stacked<double>({}, {{}, -1e-3 * s.across}))[0], 1e-3, 1e-15);
}

TEST(cone_limit, has_no_direction_where_axes_are_parallel_or_opposite) {
    cone_limit<double> const c{};
    body const a{}, opposite{{}, Q{0, 1, 0, 0}};
    EXPECT_EQ(c.jacobian(a, a), (mat<double, 1, 12>{}));
    EXPECT_EQ(c.jacobian(a, opposite), (mat<double, 1, 12>{}));
    EXPECT_NEAR(c.error(a, opposite), -pi_v<double> / 2, 1e-15);
    splitmix64 random{1};
    EXPECT_TRUE(is_finite_at(c, random, a, a));
    EXPECT_TRUE(is_finite_at(c, random, a, opposite));
}

struct double_config : default_config {
    using scalar = double;
    using solver = nonlinear_gauss_seidel;
};

// A spinning rod on a ball joint, thrown aside: it swings up to the cone, along it, and no further.
TEST(cone_limit, keeps_a_pendulum_within) {
    world<double_config, ball_joint, cone_limit> w;
    w.gravity = {0, -9.81, 0};
    rigid_body<double> rod;
    rod.inertia = diagonal(0.1, 0.02, 0.1);
    rod.pose.position = {0, -0.5, 0};
    rod.twist = {{2.5, 0, 0.5}, {-1, 3, 5}};  // v = omega x (0, -0.5, 0)
    auto const bob = w.add(rod);
    body const ground{}, start = w.pose(bob);
    auto const cone = cone_limit<double>::at(ground, start, {0, -1, 0}, 0.6);
    w.add(ball_joint<double>::at(ground, start, {0, 0, 0}), w.ground(), bob);
    w.add(cone, w.ground(), bob);
    double least = 1;
    for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(w.step(1.0 / 240));
        least = min(least, cone.error(ground, w.pose(bob)));
    }
    EXPECT_GE(least, -1e-3);
    EXPECT_LE(least, 1e-3);  // it has been there
}

TEST(cone_limit, refuses_openings_that_are_none) {
    scene const s(1);
    double const nan = std::numeric_limits<double>::quiet_NaN();
    for (double const bad : {0.0, -0.1, 3.2, nan}) EXPECT_STREQ(cone_limit<double>::at(s.a, s.b, s.axis, bad).fault().name, "half_angle");
    EXPECT_EQ(cone_limit<double>::at(s.a, s.b, s.axis, pi_v<double>).fault().name, nullptr);
    EXPECT_STREQ(cone_limit<double>::at(s.a, s.b, {0, 0, 0}, 1.0).fault().name, "axis_a");
    EXPECT_STREQ(cone_limit<double>::at(s.a, s.b, s.axis, {0, 0, 0}, 1.0).fault().name, "axis_b");
}

constexpr bool works_at_compile_time() {
    pose<double> const a{}, b{};
    auto const c = cone_limit<double>::at(a, b, {0, 0, 2}, {2, 0, 0}, 1.0);
    return c.error(a, b) < 0 && c.jacobian(a, b) == derived_jacobian(c, a, b) && c == c;
}
static_assert(works_at_compile_time());

}  // namespace
