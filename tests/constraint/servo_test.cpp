// Servos: derivatives and momentum; the target of known turns and places, the short way round; that they reach and hold
// it as long as their force lasts, and give way beyond.

#include <sinew/constraint/hinge.hpp>
#include <sinew/constraint/servo.hpp>
#include <sinew/constraint/slider.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>
#include <sinew/world/world.hpp>

#include <constraint/cases/servo.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(angular_servo, Conformance, on_all_rotations<angular_servo_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(linear_servo, Conformance, on_all_rotations<linear_servo_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_servo, Conformance, on_all_rotations<particle_servo_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;
constexpr double pi = pi_v<double>;

TEST(angular_servo, takes_the_short_way_round) {
    splitmix64 random{3};
    for (int i = 0; i < 20; ++i) {
        body const a = random_pose<rigid, Q>(random, 1.0), b = random_pose<rigid, Q>(random, 1.0);
        V const axis = random_direction<double>(random);
        auto const at = [&](double angle) { return body{b.position, rotation_about<Q>(axis, angle) * b.rotation}; };
        auto const c = angular_servo<double>::at(a, b, 3.0 * axis, 3.0);
        EXPECT_NEAR(c.error(a, at(3.0)), 0, 1e-13);
        EXPECT_NEAR(c.error(a, at(1.0)), -2.0, 1e-13);
        EXPECT_NEAR(c.error(a, at(-3.0)), 2 * pi - 6.0, 1e-13);  // onward past half a turn, not back through 0
        // Whole turns of the target do not matter.
        auto far = c;
        far.target += 20 * pi;
        EXPECT_NEAR(far.error(a, at(1.0)), -2.0, 1e-12);
    }
}

TEST(angular_servo, is_bounded_by_its_torque) {
    auto const c = angular_servo<double>::at(body{}, body{}, {0, 0, 1}, 1.0, 2.5);
    EXPECT_EQ(c.limits().lower[0], -2.5);
    EXPECT_EQ(c.limits().upper[0], 2.5);
    auto const l = linear_servo<double>::at(body{}, body{}, {0, 0, 0}, {0, 0, 1}, 1.0, 3.5);
    EXPECT_EQ(l.limits().lower[0], -3.5);
    EXPECT_EQ(l.limits().upper[0], 3.5);
}

struct double_config : default_config {
    using scalar = double;
    using solver = nonlinear_gauss_seidel;
};

// An arm of 2 kg, its centre 0.5 m from a hinge about z, with gravity across: level, its weight has the moment 9.81 N m.
struct arm_on_a_hinge {
    world<double_config, hinge_joint, angular_servo> w;
    decltype(w)::body_handle arm;
    handle<angular_servo<double>> servo;
    relative_angle<double> angle;
    arm_on_a_hinge(double target, double max_torque) {
        rigid_body<double> rod;
        rod.mass = 2;
        rod.inertia = diagonal(0.01, 0.2, 0.2);
        rod.pose.position = {0.5, 0, 0};
        arm = w.add(rod);
        body const start = w.pose(arm);
        w.add(hinge_joint<double>::at(body{}, start, {0, 0, 0}, {0, 0, 1}), w.ground(), arm);
        auto const s = angular_servo<double>::at(body{}, start, {0, 0, 1}, target, max_torque);
        angle = s.angle;
        servo = w.add(s, w.ground(), arm);
    }
    double theta() const { return angle.error(body{}, w.pose(arm)); }
    void run(int steps) {
        for (int i = 0; i < steps; ++i) ASSERT_TRUE(w.step(1.0 / 120));
    }
};

TEST(angular_servo, holds_while_its_torque_lasts) {
    arm_on_a_hinge s(0.0, 10.0);
    s.run(240);
    EXPECT_NEAR(s.theta(), 0, 1e-6);
    EXPECT_NEAR(s.w.multipliers(s.servo)[0], 2 * 9.81 * 0.5, 0.01);  // it lifts: by the right hand
}

TEST(angular_servo, gives_way_to_more_than_its_torque) {
    arm_on_a_hinge s(0.0, 5.0);
    s.run(12);
    EXPECT_LT(s.theta(), -0.02);
    EXPECT_NEAR(s.w.multipliers(s.servo)[0], 5.0, 1e-12);
    // As a constant torque would let it: (m g l - T) / (I + m l^2) t^2 / 2.
    EXPECT_NEAR(s.theta(), -(9.81 - 5.0) / 0.7 * 0.1 * 0.1 / 2, 0.004);
}

TEST(angular_servo, goes_to_its_target) {
    arm_on_a_hinge s(1.0, 1e6);
    s.run(60);
    EXPECT_NEAR(s.theta(), 1.0, 1e-6);
    EXPECT_NEAR(s.w.multipliers(s.servo)[0], 9.81 * cos(1.0), 0.01);
}

// Along a slider, and for a particle.
TEST(linear_servo, lifts_and_holds) {
    world<double_config, slider_joint, linear_servo> w;
    rigid_body<double> b;
    b.mass = 3;
    b.inertia = diagonal(0.1, 0.1, 0.1);
    auto const lift = w.add(b);
    body const ground{}, start = w.pose(lift);
    w.add(slider_joint<double>::at(ground, start, {0, 0, 0}, {0, 1, 0}), w.ground(), lift);
    auto const h = w.add(linear_servo<double>::at(ground, start, {0, 0, 0}, {0, 1, 0}, 0.75, 1e5), w.ground(), lift);
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(w.step(1.0 / 120));
    EXPECT_LE(norm(w.position(lift) - V{0, 0.75, 0}), 1e-6);
    EXPECT_NEAR(w.multipliers(h)[0], 3 * 9.81, 1e-3);
}

TEST(particle_servo, gives_way_to_more_than_its_force) {
    world<double_config, particle_servo> w;
    auto const p = w.add(particle<double>{2.0, {0, 0, 0}, {}});
    auto const h = w.add(particle_servo<double>{.axis = {0, 1, 0}, .max_force = 10}, w.ground(), p);
    double const dt = 1.0 / 120;
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(w.step(dt));
    EXPECT_NEAR(w.multipliers(h)[0], 10.0, 1e-12);
    // Falls by what is left of its weight; symplectic Euler is ahead by half a step.
    EXPECT_NEAR(w.position(p).y(), -(9.81 - 10.0 / 2) / 2 * (1 + dt), 1e-9);
}

TEST(servo, refuses_what_cannot_be) {
    double const inf = infinity_v<double>, nan = std::numeric_limits<double>::quiet_NaN();
    auto const angular = [](double target, double torque) {
        return angular_servo<double>::at(body{}, body{}, {0, 0, 1}, target, torque).fault();
    };
    EXPECT_EQ(angular(0, inf).name, nullptr);
    EXPECT_EQ(angular(0, 0).name, nullptr);
    EXPECT_STREQ(angular(inf, 1).name, "target");
    EXPECT_STREQ(angular(nan, 1).name, "target");
    // Where two numbers that follow each other are turns apart, nothing can be aimed at.
    EXPECT_EQ(angular(1e9, 1).name, nullptr);
    EXPECT_STREQ(angular(1e17, 1).name, "target");
    EXPECT_STREQ((angular_servo<float>{{}, 1e9f, 1}.fault().name), "target");
    EXPECT_STREQ(angular(0, -1).name, "max_torque");
    EXPECT_STREQ(angular(0, nan).name, "max_torque");
    auto const linear = [](V const& axis, double target, double force) {
        return linear_servo<double>::at(body{}, body{}, {}, axis, target, force).fault();
    };
    EXPECT_EQ(linear({0, 0, 1}, 0, inf).name, nullptr);
    EXPECT_STREQ(linear({0, 0, 0}, 0, 1).name, "axis");
    EXPECT_STREQ(linear({0, 0, 1}, nan, 1).name, "target");
    EXPECT_STREQ(linear({0, 0, 1}, 0, -1).name, "max_force");
}

constexpr bool works_at_compile_time() {
    pose<double> const a{}, b{{1, 0, 0}, {}};
    auto const c = angular_servo<double>::at(a, b, {0, 0, 2});
    auto const l = linear_servo<double>::at(a, b, {0.5, 0, 0}, {2, 0, 0});
    return c.error(a, b) == 0 && c.jacobian(a, b) == derived_jacobian(c, a, b) && l.error(a, b) == 0 &&
           l.jacobian(a, b) == derived_jacobian(l, a, b);
}
static_assert(works_at_compile_time());

}  // namespace
