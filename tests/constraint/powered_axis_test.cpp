// Motors about and along an axis: derivatives and momentum on the velocity level; the wanted speed; that torque and force
// are bounded; the decay of the deviation from a target, at a bounded speed and behind a moving target.

#include <sinew/constraint/angle_limit.hpp>
#include <sinew/constraint/hinge.hpp>
#include <sinew/constraint/powered_axis.hpp>
#include <sinew/constraint/slider.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>
#include <sinew/world/world.hpp>

#include <constraint/cases/powered_axis.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(powered_axis, Conformance, on_all_rotations<powered_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(linear_motor, Conformance, on_all_rotations<linear_motor_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_motor, Conformance, on_all_rotations<particle_motor_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;
constexpr double pi = pi_v<double>;

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
    body turned_b(double angle) const { return {b.position, rotation_about<Q>(axis, angle) * b.rotation}; }
    body moved_b(V const& by) const { return {b.position + by, b.rotation}; }
};

TEST(powered_axis, rate_is_the_speed_that_is_too_much) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto const c = powered_axis<double>::at(s.a, s.b, 4.0 * s.axis, 2.0, 1.0);
        V const drift{0.3, -0.2, 0.7};  // common to both
        twist<double> const ta{{1, 2, 3}, drift}, tb{{-1, 0, 2}, drift + 2.5 * s.axis};
        EXPECT_NEAR(c.rate(s.a, s.b, ta, tb), 0.5, 1e-14);
        EXPECT_NEAR(c.rate(s.a, s.b, tb, ta), -4.5, 1e-14);
        // Without alpha no angle matters.
        EXPECT_NEAR(c.rate(s.a, s.turned_b(2.0), ta, tb), 0.5, 1e-14);
    }
}

// The rate without the wanted speed is the derivative of the angle, also where the axes are apart.
TEST(powered_axis, measures_the_speed_of_the_angle) {
    splitmix64 random{4};
    for (int i = 0; i < 100; ++i) {
        body const a = random_pose<rigid, Q>(random, 1.0), b = random_pose<rigid, Q>(random, 1.0);
        body const other = random_pose<rigid, Q>(random, 1.0);
        auto const c = powered_axis<double>::at(a, other, random_direction<double>(random));
        auto const ta = random_twist<rigid>(random, 1.0), tb = random_twist<rigid>(random, 1.0);
        double const speed = c.angle.speed(a, b, ta, tb);
        EXPECT_NEAR(c.rate(a, b, ta, tb), speed, 1e-12 * (1 + abs(speed)));
    }
}

TEST(powered_axis, goes_to_a_target_the_short_way_at_a_bounded_speed) {
    scene const s(3);
    twist<double> const rest{};
    auto const c = powered_axis<double>::at(s.a, s.b, s.axis).towards(3.0, 2.0);
    EXPECT_NEAR(c.rate(s.a, s.turned_b(2.5), rest, rest), -1.0, 1e-13);                  // 0.5 rad behind: wants 1 rad/s
    EXPECT_NEAR(c.rate(s.a, s.turned_b(-3.0), rest, rest), 2 * (2 * pi - 6.0), 1e-13);   // wants to go back past half a turn
    EXPECT_NEAR(c.towards(3.0, 2.0, 0.25).rate(s.a, s.turned_b(2.5), rest, rest), -0.25, 1e-13);
    EXPECT_NEAR(c.towards(3.0, 2.0, 0.25).rate(s.a, s.turned_b(-3.0), rest, rest), 0.25, 1e-13);
    EXPECT_NEAR(c.rate(s.a, s.turned_b(3.0), rest, rest), 0, 1e-13);
}

TEST(powered_axis, is_bounded_by_its_torque) {
    auto const c = powered_axis<double>::at(body{}, body{}, {0, 0, 1}, 1.0, 2.5);
    EXPECT_EQ(c.limits().lower[0], -2.5);
    EXPECT_EQ(c.limits().upper[0], 2.5);
    static_assert(is_bounded_v<powered_axis<double>, double> && !is_holonomic_v<powered_axis<double>, double>);
}

// The wrench is a pair of torques about the axis: lambda > 0 turns b by the right hand.
TEST(powered_axis, turns_b_by_the_right_hand) {
    scene const s(2);
    auto const c = powered_axis<double>::at(s.a, s.b, s.axis, 1.0);
    auto const w = transpose_times(c.jacobian(s.a, s.b), vec<double, 1>{2.0});
    EXPECT_LE(norm(V{w[9], w[10], w[11]} - 2.0 * s.axis), 1e-14);
    EXPECT_LE(norm(V{w[3], w[4], w[5]} + 2.0 * s.axis), 1e-14);
    for (std::size_t k : {0u, 1u, 2u, 6u, 7u, 8u}) EXPECT_EQ(w[k], 0);
}

TEST(linear_motor, rate_is_the_speed_that_is_too_much) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto const c = linear_motor<double>::at(s.a, s.b, s.anchor, 4.0 * s.axis, 2.0, 1.0);
        // Both move as one body, and b along the axis besides.
        V const v{1, 2, 3}, omega{0.4, -0.5, 0.6};
        twist<double> const ta{v + cross(omega, s.a.position), omega};
        twist<double> const tb{v + cross(omega, s.b.position) + 2.5 * s.axis, omega};
        EXPECT_NEAR(c.rate(s.a, s.b, ta, tb), 0.5, 1e-14);
        twist<double> const rest{};
        EXPECT_NEAR(c.towards(0.5, 3.0).rate(s.a, s.moved_b(1.5 * s.axis), rest, rest), -2.0 + 3.0 * 1.0, 1e-13);
        EXPECT_NEAR(c.towards(0.5, 3.0, 0.25).rate(s.a, s.moved_b(1.5 * s.axis), rest, rest), 0.25, 1e-13);
    }
}

// The Jacobian as printed by Vondrak (7.6), without angular part, pulls the bodies round; ours does not.
TEST(linear_motor, has_no_net_torque) {
    scene const s(5);
    auto const c = linear_motor<double>::at(s.a, s.b, s.anchor, s.axis);
    auto const w = transpose_times(c.jacobian(s.a, s.b), vec<double, 1>{1.0});
    V const fa{w[0], w[1], w[2]}, ta{w[3], w[4], w[5]}, fb{w[6], w[7], w[8]}, tb{w[9], w[10], w[11]};
    EXPECT_LE(norm(fb - s.axis), 1e-15);
    EXPECT_LE(norm(fa + fb), 1e-15);
    EXPECT_LE(norm(ta + tb + cross(s.a.position, fa) + cross(s.b.position, fb)), 1e-14);
    EXPECT_GE(norm(cross(s.a.position, fa) + cross(s.b.position, fb)), 0.1);
}

struct double_config : default_config {
    using scalar = double;
    using solver = nonlinear_gauss_seidel;
};

// A wheel on a hinge: 0.5 kg m^2 about z.
template <template <class> class... Items>
struct wheel_on_a_hinge {
    world<double_config, hinge_joint, powered_axis, Items...> w;
    typename decltype(w)::body_handle wheel;
    body start;
    wheel_on_a_hinge() {
        w.gravity = {0, 0, 0};
        rigid_body<double> b;
        b.inertia = diagonal(0.3, 0.3, 0.5);
        wheel = w.add(b);
        start = w.pose(wheel);
        w.add(hinge_joint<double>::at(body{}, start, {0, 0, 0}, {0, 0, 1}), w.ground(), wheel);
    }
    double speed() const { return w.twist(wheel).angular.z(); }
};

constexpr double step = 1.0 / 120;

// Spins up as its torque allows, T t / I, then runs at the wanted speed without torque.
TEST(powered_axis, spins_a_wheel_up) {
    wheel_on_a_hinge<> s;
    auto const h = s.w.add(powered_axis<double>::at(body{}, s.start, {0, 0, 1}, 6.0, 2.0), s.w.ground(), s.wheel);
    for (int i = 1; i <= 120; ++i) {
        ASSERT_TRUE(s.w.step(step));
        EXPECT_NEAR(s.speed(), 2.0 / 0.5 * step * i, 1e-9);
        EXPECT_NEAR(s.w.multipliers(h)[0], 2.0, 1e-12);
    }
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(s.w.step(step));
    EXPECT_NEAR(s.speed(), 6.0, 1e-9);
    EXPECT_NEAR(s.w.multipliers(h)[0], 0, 1e-6);
}

// On velocities alone, after the positions: the same law.
TEST(powered_axis, spins_a_wheel_up_in_a_velocity_solve) {
    wheel_on_a_hinge<> s;
    s.w.solver.velocity = velocity_rows::after;
    s.w.add(powered_axis<double>::at(body{}, s.start, {0, 0, 1}, 6.0, 2.0), s.w.ground(), s.wheel);
    for (int i = 1; i <= 120; ++i) {
        ASSERT_TRUE(s.w.step(step));
        EXPECT_NEAR(s.speed(), 2.0 / 0.5 * step * i, 1e-9);
    }
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(s.w.step(step));
    EXPECT_NEAR(s.speed(), 6.0, 1e-9);
}

// A motor without speed is a brake, with at most its torque.
TEST(powered_axis, brakes) {
    wheel_on_a_hinge<> s;
    s.w.set_twist(s.wheel, {{}, {0, 0, 5}});
    s.w.add(powered_axis<double>::at(body{}, s.start, {0, 0, 1}, 0.0, 1.0), s.w.ground(), s.wheel);
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(s.w.step(step));
    EXPECT_NEAR(s.speed(), 5.0 - 1.0 / 0.5, 1e-9);
    for (int i = 0; i < 240; ++i) ASSERT_TRUE(s.w.step(step));
    EXPECT_NEAR(s.speed(), 0, 1e-9);
}

// The deviation decays as exp(-alpha t) for small steps; a moving target is followed without lag.
TEST(powered_axis, follows_an_angle) {
    wheel_on_a_hinge<> s;
    auto motor = powered_axis<double>::at(body{}, s.start, {0, 0, 1}, 0.5);
    auto const h = s.w.add(motor, s.w.ground(), s.wheel);
    double const dt = 1.0 / 1000;
    double target = 1.0;
    for (int i = 0; i < 1000; ++i) {
        target += 0.5 * dt;
        ASSERT_TRUE(s.w.set(h, motor.towards(target, 4.0)));
        ASSERT_TRUE(s.w.step(dt));
        double const deviation = target - motor.angle.error(body{}, s.w.pose(s.wheel));
        EXPECT_NEAR(deviation, exp(-4.0 * dt * (i + 1)), 4e-3);
    }
    EXPECT_NEAR(s.speed(), 0.5 + 4.0 * exp(-4.0), 2e-3);
}

// Against a stop the motor's torque is what the stop bears.
TEST(powered_axis, pushes_against_a_limit_beside_it) {
    wheel_on_a_hinge<angle_limit> s;
    s.w.add(powered_axis<double>::at(body{}, s.start, {0, 0, 1}, 3.0, 2.0), s.w.ground(), s.wheel);
    auto const stop = angle_limit<double>::at(body{}, s.start, {0, 0, 1}, -1.0, 1.0);
    auto const h = s.w.add(stop, s.w.ground(), s.wheel);
    for (int i = 0; i < 360; ++i) ASSERT_TRUE(s.w.step(step));
    EXPECT_NEAR(stop.angle.error(body{}, s.w.pose(s.wheel)), 1.0, 1e-6);
    EXPECT_NEAR(s.speed(), 0, 1e-6);
    EXPECT_NEAR(s.w.multipliers(h)[0], -2.0, 1e-6);
}

// A lift: it climbs at its speed, with its weight as force, and does not climb with less.
TEST(linear_motor, lifts_at_its_speed_if_it_is_strong_enough) {
    for (double const max_force : {40.0, 20.0}) {
        world<double_config, slider_joint, linear_motor> w;
        rigid_body<double> b;
        b.mass = 3;
        b.inertia = diagonal(0.1, 0.1, 0.1);
        auto const lift = w.add(b);
        body const start = w.pose(lift);
        w.add(slider_joint<double>::at(body{}, start, {0, 0, 0}, {0, 1, 0}), w.ground(), lift);
        auto const h = w.add(linear_motor<double>::at(body{}, start, {0, 0, 0}, {0, 1, 0}, 0.5, max_force), w.ground(), lift);
        for (int i = 0; i < 120; ++i) ASSERT_TRUE(w.step(step));
        if (max_force > 3 * 9.81) {
            EXPECT_NEAR(w.twist(lift).linear.y(), 0.5, 1e-6);
            EXPECT_NEAR(w.multipliers(h)[0], 3 * 9.81, 1e-3);
        } else {
            EXPECT_NEAR(w.twist(lift).linear.y(), max_force / 3 - 9.81, 1e-6);
            EXPECT_NEAR(w.multipliers(h)[0], max_force, 1e-12);
        }
    }
}

TEST(particle_motor, brings_a_particle_to_its_place) {
    world<double_config, particle_motor> w;
    w.gravity = {0, 0, 0};
    auto const p = w.add(particle<double>{2.0, {0, 0, 0}, {}});
    w.add(particle_motor<double>{.axis = {1, 0, 0}, .target = 1.0, .alpha = 5.0, .max_speed = 0.5}, w.ground(), p);
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(w.step(step));
    EXPECT_NEAR(w.position(p).x(), 0.5, 1e-2);  // at its top speed
    for (int i = 0; i < 480; ++i) ASSERT_TRUE(w.step(step));
    EXPECT_NEAR(w.position(p).x(), 1.0, 1e-5);
}

TEST(powered_axis, refuses_what_cannot_be) {
    double const inf = infinity_v<double>, nan = std::numeric_limits<double>::quiet_NaN();
    auto const good = powered_axis<double>::at(body{}, body{}, {0, 0, 1}, 1.0, 2.0).towards(1.0, 3.0, 4.0);
    EXPECT_EQ(good.fault().name, nullptr);
    auto c = good;
    c.speed = inf;
    EXPECT_STREQ(c.fault().name, "speed");
    c = good;
    c.max_torque = -1;
    EXPECT_STREQ(c.fault().name, "max_torque");
    c = good;
    c.target = nan;
    EXPECT_STREQ(c.fault().name, "target");
    c.target = 1e17;
    EXPECT_STREQ(c.fault().name, "target");
    c.alpha = 0;  // it is not looked at
    EXPECT_EQ(c.fault().name, nullptr);
    for (double const bad : {-1.0, inf, nan}) {
        c = good;
        c.alpha = bad;
        EXPECT_STREQ(c.fault().name, "alpha");
    }
    c = good;
    c.max_speed = -1;
    EXPECT_STREQ(c.fault().name, "max_speed");
    EXPECT_STREQ(powered_axis<double>::at(body{}, body{}, {0, 0, 0}).fault().name, "axis_a");
    EXPECT_EQ(linear_motor<double>::at(body{}, body{}, {}, {0, 0, 1}).fault().name, nullptr);
    EXPECT_STREQ(linear_motor<double>::at(body{}, body{}, {}, {0, 0, 0}).fault().name, "axis");
    EXPECT_STREQ(linear_motor<double>::at(body{}, body{}, {}, {0, 0, 1}, 1.0, nan).fault().name, "max_force");
}

constexpr bool works_at_compile_time() {
    pose<double> const a{}, b{{1, 0, 0}, {}};
    auto const c = powered_axis<double>::at(a, b, {0, 0, 2}, 1.0);
    return c.rate(a, b, twist<double>{}, twist<double>{{}, {0, 0, 1}}) == 0 && c == c;
}
static_assert(works_at_compile_time());

}  // namespace
