// Limits of a displacement: derivatives and momentum, for bodies and particles; which limit the row belongs to, and which
// way it pushes; a body on a slider that runs onto its stop, and a particle above a floor.

#include <sinew/constraint/linear_limit.hpp>
#include <sinew/constraint/slider.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>
#include <sinew/world/world.hpp>

#include <constraint/cases/linear_limit.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(linear_limit, Conformance, on_all_rotations<linear_limit_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_linear_limit, Conformance, on_all_rotations<particle_limit_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;

struct scene {
    body a, b;
    V anchor, axis;
    explicit scene(std::uint64_t seed) {
        splitmix64 random{seed};
        a = random_pose<rigid, Q>(random, 1.0);
        b = random_pose<rigid, Q>(random, 1.0);
        anchor = random_vector(random, 1.0);
        axis = random_direction<double>(random);
    }
    body moved_b(V const& by) const { return {b.position + by, b.rotation}; }
};

TEST(linear_limit, belongs_to_the_nearer_limit) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto const c = linear_limit<double>::at(s.a, s.b, s.anchor, 4.0 * s.axis, -0.5, 1.0);
        V const aside = 3.0 * orthonormal_basis(s.axis).u;  // does not count
        for (double const x : {-7.0, -0.5, -0.2, 0.2}) {
            EXPECT_NEAR(c.error(s.a, s.moved_b(x * s.axis + aside)), x + 0.5, 1e-14);
            auto const l = c.limits(s.a, s.moved_b(x * s.axis + aside));
            EXPECT_EQ(l.lower[0], 0);
            EXPECT_EQ(l.upper[0], infinity_v<double>);
        }
        for (double const x : {0.3, 0.9, 1.0, 9.0}) {
            EXPECT_NEAR(c.error(s.a, s.moved_b(x * s.axis - aside)), x - 1.0, 1e-14);
            auto const l = c.limits(s.a, s.moved_b(x * s.axis - aside));
            EXPECT_EQ(l.lower[0], -infinity_v<double>);
            EXPECT_EQ(l.upper[0], 0);
        }
    }
}

// A positive multiplier pushes b along the axis, at its anchor; a takes the reaction at the same point.
TEST(linear_limit, pushes_b_along_the_axis) {
    scene const s(2);
    auto const c = linear_limit<double>::at(s.a, s.b, s.anchor, s.axis, -0.5, 1.0);
    auto const w = transpose_times(c.jacobian(s.a, s.b), vec<double, 1>{2.0});
    EXPECT_LE(norm(V{w[0], w[1], w[2]} + 2.0 * s.axis), 1e-14);
    EXPECT_LE(norm(V{w[3], w[4], w[5]} + cross(s.anchor - s.a.position, 2.0 * s.axis)), 1e-14);
    EXPECT_LE(norm(V{w[6], w[7], w[8]} - 2.0 * s.axis), 1e-14);
    EXPECT_LE(norm(V{w[9], w[10], w[11]} - cross(s.anchor - s.b.position, 2.0 * s.axis)), 1e-14);
}

TEST(linear_limit, may_be_open_on_one_side) {
    scene const s(4);
    double const inf = infinity_v<double>;
    auto const from = linear_limit<double>::at(s.a, s.b, s.anchor, s.axis, 0.25, inf);
    auto const up_to = linear_limit<double>::at(s.a, s.b, s.anchor, s.axis, -inf, 0.25);
    for (double const x : {-1e6, -0.5, 0.0, 0.25, 2.0, 1e6}) {
        auto const b = s.moved_b(x * s.axis);
        EXPECT_NEAR(from.error(s.a, b), x - 0.25, 1e-14 * (1 + abs(x)));
        EXPECT_EQ(from.limits(s.a, b).lower[0], 0);
        EXPECT_NEAR(up_to.error(s.a, b), x - 0.25, 1e-14 * (1 + abs(x)));
        EXPECT_EQ(up_to.limits(s.a, b).upper[0], 0);
    }
}

struct double_config : default_config {
    using scalar = double;
    using solver = nonlinear_gauss_seidel;
};

// Thrown along a slider, a body stops at the upper end; the stop takes the momentum, no more.
TEST(linear_limit, stops_a_slider) {
    world<double_config, slider_joint, linear_limit> w;
    w.gravity = {0, 0, 0};
    rigid_body<double> b;
    b.inertia = diagonal(0.1, 0.1, 0.1);
    b.twist.linear = {3, 0, 0};
    auto const carriage = w.add(b);
    body const ground{}, start = w.pose(carriage);
    w.add(slider_joint<double>::at(ground, start, {0, 0, 0}, {1, 0, 0}), w.ground(), carriage);
    w.add(linear_limit<double>::at(ground, start, {0, 0, 0}, {1, 0, 0}, -1.0, 0.6), w.ground(), carriage);
    for (int i = 0; i < 240; ++i) {
        ASSERT_TRUE(w.step(1.0 / 120));
        ASSERT_LE(w.pose(carriage).position.x(), 0.6 + 1e-9);
    }
    EXPECT_NEAR(w.pose(carriage).position.x(), 0.6, 1e-9);
    EXPECT_NEAR(norm(w.twist(carriage).linear), 0, 1e-9);
}

// Between its limits it exerts nothing.
TEST(linear_limit, leaves_alone_what_is_between) {
    world<double_config, linear_limit> w;
    w.gravity = {0, 0, 0};
    rigid_body<double> b;
    b.twist = {{0.1, 0.2, 0.3}, {0.3, -0.2, 0.1}};
    auto const free = w.add(b), bound = w.add(b);
    w.add(linear_limit<double>::at(body{}, w.pose(bound), {0, 0, 0}, {1, 0, 0}, -1.0, 1.0), w.ground(), bound);
    for (int i = 0; i < 240; ++i) ASSERT_TRUE(w.step(1.0 / 120));
    EXPECT_EQ(w.position(free), w.position(bound));
    // A solver brings the rotation of whatever is bound back to unit length: to rounding.
    EXPECT_LE(norm(log(inverse(w.pose(free).rotation) * w.pose(bound).rotation)), 1e-14);
}

// A floor for a particle: it comes to rest on it, and the floor bears its weight.
TEST(linear_limit, carries_a_particle) {
    world<double_config, particle_linear_limit> w;
    auto const p = w.add(particle<double>{0.5, {0, 1, 0}, {}});
    particle_linear_limit<double> floor{.axis = {0, 1, 0}, .lower = 0.25};
    auto const h = w.add(floor, w.ground(), p);
    for (int i = 0; i < 240; ++i) {
        ASSERT_TRUE(w.step(1.0 / 120));
        ASSERT_GE(w.position(p).y(), 0.25 - 1e-9);
    }
    EXPECT_NEAR(w.position(p).y(), 0.25, 1e-9);
    EXPECT_NEAR(w.multipliers(h)[0], 0.5 * 9.81, 1e-6);
}

TEST(linear_limit, refuses_limits_that_are_none) {
    scene const s(1);
    auto const at = [&](double lower, double upper) { return linear_limit<double>::at(s.a, s.b, s.anchor, s.axis, lower, upper).fault(); };
    double const inf = infinity_v<double>, nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(at(-1, 1).name, nullptr);
    EXPECT_EQ(at(0, inf).name, nullptr);
    EXPECT_STREQ(at(1, 0).name, "lower");
    EXPECT_STREQ(at(-inf, inf).name, "lower");
    EXPECT_STREQ(at(nan, 1).name, "lower");
    EXPECT_NE(at(0, nan).name, nullptr);
    EXPECT_STREQ(at(inf, inf).name, "lower");
    EXPECT_STREQ(linear_limit<double>::at(s.a, s.b, s.anchor, {0, 0, 0}, -1, 1).fault().name, "axis");
}

constexpr bool works_at_compile_time() {
    pose<double> const a{}, b{{1, 0, 0}, {}};
    auto const c = linear_limit<double>::at(a, b, {0.5, 0, 0}, {2, 0, 0}, 0.0, 1.0);
    return c.error(a, b) == 0 && c.jacobian(a, b) == derived_jacobian(c, a, b) && c == c;
}
static_assert(works_at_compile_time());

}  // namespace
