// Limits of an angle: derivatives and momentum; which limit the row belongs to, and which way it pushes; ranges that lie
// anywhere on the circle; a falling pendulum held at its stop.

#include <sinew/constraint/angle_limit.hpp>
#include <sinew/constraint/hinge.hpp>
#include <sinew/math/batch.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>
#include <sinew/world/world.hpp>

#include <constraint/cases/angle_limit.hpp>
#include <constraint/conformance_suite.hpp>

#include <array>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(angle_limit, Conformance, on_all_rotations<angle_limit_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;
constexpr double pi = pi_v<double>;

struct scene {
    body a, b;
    V axis;
    explicit scene(std::uint64_t seed) {
        splitmix64 random{seed};
        a = random_pose<rigid, Q>(random, 1.0);
        b = random_pose<rigid, Q>(random, 1.0);
        axis = random_direction<double>(random);
    }
    body turned_b(double angle) const { return {b.position, rotation_about<Q>(axis, angle) * b.rotation}; }
};

void expect_lower(bounds<double, 1> const& l) {
    EXPECT_EQ(l.lower[0], 0);
    EXPECT_EQ(l.upper[0], infinity_v<double>);
}
void expect_upper(bounds<double, 1> const& l) {
    EXPECT_EQ(l.lower[0], -infinity_v<double>);
    EXPECT_EQ(l.upper[0], 0);
}

TEST(angle_limit, belongs_to_the_nearer_limit) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto const c = angle_limit<double>::at(s.a, s.b, 4.0 * s.axis, -0.5, 1.0);
        for (double const angle : {-1.2, -0.5, -0.2, 0.2}) {
            EXPECT_NEAR(c.error(s.a, s.turned_b(angle)), angle + 0.5, 1e-14);
            expect_lower(c.limits(s.a, s.turned_b(angle)));
        }
        for (double const angle : {0.3, 0.9, 1.0, 2.5}) {
            EXPECT_NEAR(c.error(s.a, s.turned_b(angle)), angle - 1.0, 1e-14);
            expect_upper(c.limits(s.a, s.turned_b(angle)));
        }
    }
}

// A positive multiplier turns b by the right hand, and a the other way.
TEST(angle_limit, pushes_b_back_into_the_range) {
    scene const s(2);
    auto const c = angle_limit<double>::at(s.a, s.b, s.axis, -0.5, 1.0);
    auto const torque = transpose_times(c.jacobian(s.a, s.turned_b(-0.7)), vec<double, 1>{2.0});
    EXPECT_LE(norm(V{torque[9], torque[10], torque[11]} - 2.0 * s.axis), 1e-14);
    EXPECT_LE(norm(V{torque[3], torque[4], torque[5]} + 2.0 * s.axis), 1e-14);
    for (std::size_t k : {0u, 1u, 2u, 6u, 7u, 8u}) EXPECT_EQ(torque[k], 0);
}

// A range may hold the place where angles wrap.
TEST(angle_limit, takes_ranges_anywhere_on_the_circle) {
    scene const s(3);
    auto const c = angle_limit<double>::at(s.a, s.b, s.axis, 2.5, 4.5);
    for (double const inside : {2.6, 3.0, pi + 0.1, 4.4}) {
        auto const b = s.turned_b(inside);
        double const e = c.error(s.a, b);
        bool const low = inside < 3.5;
        EXPECT_NEAR(e, low ? inside - 2.5 : inside - 4.5, 1e-13);
        if (low)
            expect_lower(c.limits(s.a, b));
        else
            expect_upper(c.limits(s.a, b));
    }
    // Outside: back the short way round.
    EXPECT_NEAR(c.error(s.a, s.turned_b(1.0)), 1.0 - 2.5, 1e-13);
    expect_lower(c.limits(s.a, s.turned_b(1.0)));
    EXPECT_NEAR(c.error(s.a, s.turned_b(6.0)), 6.0 - 4.5, 1e-13);
    expect_upper(c.limits(s.a, s.turned_b(6.0)));
    EXPECT_NEAR(c.error(s.a, s.turned_b(3.5 + pi + 0.1)), -pi + 0.1 + 1.0, 1e-13);
    expect_lower(c.limits(s.a, s.turned_b(3.5 + pi + 0.1)));
}

TEST(angle_limit, may_be_open_on_one_side) {
    scene const s(4);
    auto const from = angle_limit<double>::at(s.a, s.b, s.axis, 0.25, infinity_v<double>);
    auto const up_to = angle_limit<double>::at(s.a, s.b, s.axis, -infinity_v<double>, 0.25);
    for (double const angle : {-3.0, -0.5, 0.0, 0.25, 2.0, 3.0}) {
        auto const b = s.turned_b(angle);
        EXPECT_NEAR(from.error(s.a, b), angle - 0.25, 1e-14);
        expect_lower(from.limits(s.a, b));
        EXPECT_NEAR(up_to.error(s.a, b), angle - 0.25, 1e-14);
        expect_upper(up_to.limits(s.a, b));
    }
    EXPECT_EQ(from.fault().name, nullptr);
    EXPECT_EQ(up_to.fault().name, nullptr);
}

// Equal limits are a lock: whatever the angle, one of the two pushes towards it.
TEST(angle_limit, with_equal_limits_holds_the_angle) {
    scene const s(5);
    auto const c = angle_limit<double>::at(s.a, s.b, s.axis, 0.5, 0.5);
    EXPECT_EQ(c.fault().name, nullptr);
    EXPECT_NEAR(c.error(s.a, s.turned_b(0.4)), -0.1, 1e-14);
    expect_lower(c.limits(s.a, s.turned_b(0.4)));
    EXPECT_NEAR(c.error(s.a, s.turned_b(0.6)), 0.1, 1e-14);
    expect_upper(c.limits(s.a, s.turned_b(0.6)));
}

struct double_config : default_config {
    using scalar = double;
    using solver = nonlinear_gauss_seidel;
};

// A pendulum let go level falls by the right hand about z to its lower stop and stays there; the stop bears its weight.
TEST(angle_limit, stops_a_falling_pendulum) {
    world<double_config, hinge_joint, angle_limit> w;
    rigid_body<double> rod;
    rod.mass = 2;
    rod.inertia = diagonal(0.01, 0.2, 0.2);
    rod.pose.position = {0.5, 0, 0};
    auto const bob = w.add(rod);
    body const ground{}, start = w.pose(bob);
    w.add(hinge_joint<double>::at(ground, start, {0, 0, 0}, {0, 0, 1}), w.ground(), bob);
    auto const stop = angle_limit<double>::at(ground, start, {0, 0, 1}, -0.5, 1.0);
    auto const h = w.add(stop, w.ground(), bob);
    double lowest = 0;
    for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(w.step(1.0 / 120));
        lowest = min(lowest, stop.angle.error(ground, w.pose(bob)));
    }
    EXPECT_GE(lowest, -0.5 - 1e-3);
    EXPECT_NEAR(stop.angle.error(ground, w.pose(bob)), -0.5, 1e-3);
    EXPECT_LE(norm(w.twist(bob).angular), 1e-2);
    // lambda is the torque of the weight m g l cos(theta), and pushes onward from the lower limit.
    EXPECT_NEAR(w.multipliers(h)[0], 2 * 9.81 * 0.5 * cos(0.5), 0.05);
}

TEST(angle_limit, refuses_limits_that_are_none) {
    scene const s(1);
    auto const at = [&](double lower, double upper) { return angle_limit<double>::at(s.a, s.b, s.axis, lower, upper).fault(); };
    double const inf = infinity_v<double>, nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(at(-1, 1).name, nullptr);
    EXPECT_STREQ(at(1, 0).name, "lower");
    EXPECT_STREQ(at(-inf, inf).name, "lower");
    EXPECT_STREQ(at(nan, 1).name, "lower");
    EXPECT_NE(at(0, nan).name, nullptr);
    EXPECT_STREQ(at(inf, inf).name, "lower");
    EXPECT_NE(at(-inf, -inf).name, nullptr);
    EXPECT_STREQ(angle_limit<double>::at(s.a, s.b, {0, 0, 0}, -1, 1).fault().name, "axis_a");
}
// Angles know no turns: a limit more than a turn from the other one, or half a turn away with none on the other side, would never be met, or always.
TEST(angle_limit, refuses_limits_that_no_angle_meets) {
    scene const s(1);
    auto const at = [&](double lower, double upper) { return angle_limit<double>::at(s.a, s.b, s.axis, lower, upper).fault(); };
    double const inf = infinity_v<double>;
    for (auto const& [lower, upper] : {std::array{0.0, 6.28}, {-pi, pi}, {5.0, 6.0}, {-20.0, -19.0}, {3.1, inf}, {-inf, -3.1}}) EXPECT_EQ(at(lower, upper).name, nullptr) << lower << ' ' << upper;
    EXPECT_STREQ(at(0, 6.4).name, "upper");
    EXPECT_STREQ(at(-50, 50).name, "upper");
    EXPECT_STREQ(at(5, inf).name, "lower");
    EXPECT_EQ(at(5, inf).value, 5);
    EXPECT_STREQ(at(-inf, -4).name, "upper");
}
// In lanes each may have another limit that is infinite.
TEST(angle_limit, lanes_have_limits_of_their_own) {
    using B = batch<double, 4>;
    B lower(-1.0), upper(1.0);
    lower[0] = -infinity_v<double>;
    upper[1] = infinity_v<double>;
    auto const at = [&] { return angle_limit<B>{{}, lower, upper}.fault(); };
    EXPECT_EQ(at().name, nullptr);
    upper[0] = infinity_v<double>;
    EXPECT_STREQ(at().name, "lower");
    upper[0] = 1;
    upper[2] = 10;
    EXPECT_STREQ(at().name, "upper");
    EXPECT_EQ(at().value, 10);
}

constexpr bool works_at_compile_time() {
    pose<double> const a{}, b{{1, 0, 0}, {}};
    auto const c = angle_limit<double>::at(a, b, {0, 0, 2}, 0.0, 1.0);
    return c.error(a, b) == 0 && c.jacobian(a, b) == derived_jacobian(c, a, b) && c == c;
}
static_assert(works_at_compile_time());

}  // namespace
