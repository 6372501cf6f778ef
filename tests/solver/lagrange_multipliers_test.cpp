// Lagrange multipliers inside the integrator: published motions, feedback, redundancy. Orders are in order_of_convergence_test.cpp.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using sinew::vec3;

template <class Integrator, template <class> class R = sinew::quaternion, sinew::motion_form Form = sinew::motion_form::momentum,
          class Linear = sinew::cholesky>
struct config : sinew::default_config {
    using scalar = double;
    using integrator = Integrator;
    using solver = sinew::lagrange_multipliers<Linear>;
    template <class S>
    using rotation = R<S>;
    static constexpr sinew::motion_form form = Form;
};

template <class World>
typename World::body_handle add_box(World& w, double x, double mass = 1) {
    typename World::body_type b;
    b.mass = mass;
    b.inertia = sinew::solid_box(mass, vec3<double>{1.0, 0.1, 0.1}).inertia;
    b.pose.position = {x, 0, 0};
    return w.add(b);
}

// ---- published: two boxes 1 x 0.1 x 0.1 m of 1 kg hinged at their ends, from the horizontal (128-bit reference)

template <class Config>
double pendulum_error(int steps, double t, double theta1, double theta2) {
    sinew::world<Config, sinew::ball_joint> w;
    auto const a = add_box(w, 0.5), b = add_box(w, 1.5);
    w.add(sinew::ball_joint<double>{{0, 0, 0}, {-0.5, 0, 0}}, w.ground(), a);
    w.add(sinew::ball_joint<double>{{0.5, 0, 0}, {-0.5, 0, 0}}, a, b);
    for (int i = 0; i < steps; ++i)
        if (!w.step(t / steps)) return INFINITY;
    auto const angle = [&](auto h) {
        auto const d = w.pose(h).direction(vec3<double>{1, 0, 0});
        return std::atan2(d.x(), -d.y());
    };
    return std::hypot(angle(a) - theta1, angle(b) - theta2);
}
TEST(double_pendulum, of_boxes_agrees_with_the_reference_after_2_s) {
    EXPECT_LT((pendulum_error<config<sinew::dormand_prince_54>>(2000, 2.0, -0.0845270358379211, 0.392041930260688)), 1e-11);
}
TEST(double_pendulum, of_point_masses_agrees_with_the_reference) {
    sinew::world<config<sinew::dormand_prince_54>, sinew::particle_distance> w;
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const a = w.add(sinew::particle<double>{1, {1, 0, 0}, {}}), b = w.add(sinew::particle<double>{1, {2, 0, 0}, {}});
    w.add(sinew::particle_distance<double>{.length = 1}, top, a);
    w.add(sinew::particle_distance<double>{.length = 1}, a, b);
    auto const angle = [](vec3<double> const& d) { return std::atan2(d.x(), -d.y()); };
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(w.step(1e-3));
    EXPECT_NEAR(angle(w.position(a)), -0.625087699806391, 1e-11);
    EXPECT_NEAR(angle(w.position(b) - w.position(a)), -1.03458508568001, 1e-11);
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(w.step(1e-3));
    EXPECT_NEAR(angle(w.position(a)), -0.482971534251754, 1e-10);
    EXPECT_NEAR(angle(w.position(b) - w.position(a)), -1.32404871230236, 1e-10);
}

// l = 1 m, g = 9.81: periods from the complete elliptic integral.
TEST(simple_pendulum, has_the_period_of_its_amplitude) {
    struct {
        double degrees, period;
    } const published[] = {{0.01, 2.00606668071065}, {90, 2.36784194757624}, {170, 4.89352427410549}};
    for (auto const& row : published) {
        double const start = row.degrees * sinew::pi_v<double> / 180;
        sinew::world<config<sinew::dormand_prince_54>, sinew::particle_distance> w;
        auto const top = w.add_fixed_particle({0, 0, 0});
        auto const p = w.add(sinew::particle<double>{1, {std::sin(start), -std::cos(start), 0}, {}});
        w.add(sinew::particle_distance<double>{.length = 1}, top, p);
        // From rest to the bottom is a quarter; the passage is located by the bob's own speed.
        double const h = 1e-3;
        double quarter = 0;
        for (int i = 1; i < 5000; ++i) {
            double const before = w.position(p).x();
            ASSERT_TRUE(w.step(h));
            double const after = w.position(p).x();
            if (before > 0 && after <= 0) {
                // Newton's step back along x_dot, which is constant to second order at the bottom.
                quarter = i * h - after / w.velocity(p).x();
                break;
            }
        }
        EXPECT_NEAR(4 * quarter / row.period, 1.0, 1e-8) << row.degrees << " degrees";
    }
}

// ---- the torque-free body through the equations of motion (128-bit reference)

// The published motion, each row within its bound (rad/s, rad), and the invariants to 1e-9 (relative) over 10 s.
template <class Config>
void torque_free(int steps_per_second, std::array<double, 3> const& bounds) {
    using S = typename Config::scalar;
    sinew::world<Config> w;
    w.gravity = {S(0), S(0), S(0)};
    typename sinew::world<Config>::body_type b;
    b.inertia = sinew::diagonal(S(1), S(2), S(3));
    b.twist.angular = {S(1) / S(100), S(10), S(1) / S(100)};
    auto const h = w.add(b);
    S const energy = w.energy();
    EXPECT_NEAR(static_cast<double>(2 * energy), 200.0004, 1e-12);
    auto const momentum = w.angular_momentum();
    struct {
        int t;
        vec3<double> omega;
        std::array<double, 4> q;
    } const published[] = {
        {1, {-1.17326383719773, 9.93093912821562, 0.677433399352767}, {0.2831520338891, 0.0137111148475206, -0.957225806168767, -0.0579282922125169}},
        {5, {0.253640862814745, 9.996787799724, 0.146667068888928}, {0.380979709192104, -0.00999999210217757, -0.924489842150399, -0.00854360009521411}},
        {10, {4.46960797706577, 8.94554104184593, 2.58054228594495}, {-0.690809345725046, 0.0595451952292125, -0.685558209499533, -0.221916107959392}}};
    int step = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        auto const& row = published[i];
        for (; step < row.t * steps_per_second; ++step) ASSERT_TRUE(w.step(S(1) / S(steps_per_second)));
        auto const omega = w.pose(h).local_direction(w.twist(h).angular);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(static_cast<double>(omega[k]), row.omega[k], bounds[i]) << "t = " << row.t;
        auto const q = to_quaternion(w.pose(h).rotation);
        double const sign = static_cast<double>(q.w) * row.q[0] < 0 ? -1 : 1;
        EXPECT_NEAR(sign * static_cast<double>(q.w), row.q[0], bounds[i]) << "t = " << row.t;
        EXPECT_NEAR(sign * static_cast<double>(q.x), row.q[1], bounds[i]) << "t = " << row.t;
        EXPECT_NEAR(sign * static_cast<double>(q.y), row.q[2], bounds[i]) << "t = " << row.t;
        EXPECT_NEAR(sign * static_cast<double>(q.z), row.q[3], bounds[i]) << "t = " << row.t;
        EXPECT_NEAR(static_cast<double>(w.energy() / energy), 1.0, 1e-9);
        EXPECT_LT(norm(w.angular_momentum() - momentum) / norm(momentum), 1e-9);
    }
    std::printf("torque-free body, %d steps/s, 10 s: energy %.1e, angular momentum %.1e (relative)\n", steps_per_second,
                static_cast<double>(w.energy() / energy - 1), static_cast<double>(norm(w.angular_momentum() - momentum) / norm(momentum)));
}
template <class Integrator, template <class> class R = sinew::quaternion, sinew::motion_form Form = sinew::motion_form::momentum>
struct precise_config : config<Integrator, R, Form> {
    using scalar = long double;
};
// An error grows by exp(5.8 t) while the body leaves its middle axis, again and again: one rounding of double has become 1e-6
// after 10 s, and one of long double 1e-9. The bounds are ten times that, or of the method's own error.
TEST(torque_free_body, agrees_with_the_reference) {
    torque_free<config<sinew::dormand_prince_54>>(2000, {1e-12, 1e-7, 1e-5});
    torque_free<config<sinew::dormand_prince_54, sinew::rotation_matrix, sinew::motion_form::velocity>>(2000, {1e-12, 1e-7, 1e-5});
    torque_free<config<sinew::dormand_prince_54, sinew::rotation_vector>>(2000, {1e-12, 1e-7, 1e-5});
    torque_free<precise_config<sinew::dormand_prince_54>>(4000, {1e-13, 1e-9, 1e-7});
}
TEST(torque_free_body, keeps_its_invariants_under_rk4) {
    using sinew::motion_form;
    std::array<double, 3> const rk4_bounds{1e-8, 2e-4, 2e-2};  // truncation, amplified likewise
    torque_free<config<sinew::rk4>>(1000, rk4_bounds);
    torque_free<config<sinew::rk4, sinew::quaternion, motion_form::velocity>>(1000, rk4_bounds);
    torque_free<config<sinew::rk4, sinew::rotation_matrix>>(1000, rk4_bounds);
    torque_free<config<sinew::rk4, sinew::rotation_vector>>(1000, rk4_bounds);
}

// ---- feedback: the bead on a wire (Witkin 1997, section 2)

struct unit_circle {
    constexpr auto operator()(auto const& x, auto const& y) const { return (x * x + y * y - 1) / 2; }
};
template <class S>
using bead = sinew::particle_on_curve<S, sinew::planar_curve<S, unit_circle>>;

double distance_from_wire(double stiffness, double damping, double h, double seconds) {
    sinew::world<config<sinew::rk4>, bead> w;
    w.solver.feedback_stiffness = stiffness;
    w.solver.feedback_damping = damping;
    auto const p = w.add(sinew::particle<double>{1, {1, 0, 0}, {0, 3, 0}});
    w.add(bead<double>{}, p);
    double worst = 0;
    for (int i = 0; i < static_cast<int>(seconds / h + 0.5); ++i) {
        EXPECT_TRUE(w.step(h));
        worst = std::max(worst, std::abs(norm(w.position(p)) - 1));
    }
    return worst;
}
TEST(bead_on_a_wire, stays_on_it_with_feedback_and_spirals_out_without) {
    EXPECT_LT(distance_from_wire(100, 20, 1e-3, 100), 1e-8);
    // Without: the distance grows and goes on growing.
    double const after_20 = distance_from_wire(0, 0, 1e-2, 20), after_40 = distance_from_wire(0, 0, 1e-2, 40), after_80 = distance_from_wire(0, 0, 1e-2, 80);
    EXPECT_GT(after_40, 1.5 * after_20);
    EXPECT_GT(after_80, 1.5 * after_40);
    EXPECT_GT(after_80, 100 * distance_from_wire(100, 20, 1e-2, 80));
}

// ---- redundant and compliant rows

TEST(redundant_constraints, share_the_load_and_are_reported) {
    sinew::world<config<sinew::rk4>, sinew::ball_joint> w;
    auto const a = add_box(w, 0.5);
    auto const first = w.add(sinew::ball_joint<double>{{0, 0, 0}, {-0.5, 0, 0}}, w.ground(), a);
    auto const again = w.add(sinew::ball_joint<double>{{0, 0, 0}, {-0.5, 0, 0}}, w.ground(), a);
    sinew::world<config<sinew::rk4>, sinew::ball_joint> single;
    auto const b = add_box(single, 0.5);
    auto const only = single.add(sinew::ball_joint<double>{{0, 0, 0}, {-0.5, 0, 0}}, single.ground(), b);
    for (int i = 0; i < 100; ++i) {
        auto const report = w.step(0.01);
        ASSERT_TRUE(report);
        EXPECT_FALSE(report.full_rank);
        EXPECT_TRUE(single.step(0.01).full_rank);
    }
    EXPECT_LT(norm(w.position(a) - single.position(b)), 1e-10);
    EXPECT_LT(norm(w.wrench_on(first, 1).force + w.wrench_on(again, 1).force - single.wrench_on(only, 1).force), 1e-6);
}

template <class S>
using soft_rod = sinew::soft_joint<S, sinew::particle_distance>;

// x'' = -100 x with damping c/m = 0, 2, 20, 50 from x = 1 at rest: the closed form at t = 1.
TEST(compliant_rows, are_springs_and_dampers_of_true_order) {
    struct {
        double damping, x;
    } const published[] = {{0, -0.839071529076452}, {2, -0.336851680590413}, {20, 4.99399227387e-4}, {50, 0.129693214344801}};
    for (auto const& row : published) {
        sinew::world<config<sinew::rk4>, soft_rod> w;
        w.gravity = {0, 0, 0};
        auto const top = w.add_fixed_particle({0, 0, 0});
        auto const p = w.add(sinew::particle<double>{1, {6, 0, 0}, {}});
        w.add(soft_rod<double>::with(sinew::particle_distance<double>{.length = 5}, 1.0 / 100, row.damping), top, p);
        for (int i = 0; i < 1000; ++i) ASSERT_TRUE(w.step(1e-3));
        EXPECT_NEAR(w.position(p).x() - 5, row.x, 1e-9);
    }
}

// The discrete oscillator, bit by bit: h = 0.01, 100 steps.
template <class Config>
double discrete_oscillator() {
    sinew::world<Config, soft_rod> w;
    w.gravity = {0, 0, 0};
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const p = w.add(sinew::particle<double>{1, {6, 0, 0}, {}});
    w.add(soft_rod<double>::with(sinew::particle_distance<double>{.length = 5}, 1.0 / 100), top, p);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(w.step(0.01));
    return w.position(p).x() - 5;
}
struct xpbd : sinew::default_config {
    using scalar = double;
    using solver = sinew::nonlinear_gauss_seidel;
};
TEST(compliant_rows, give_each_integrator_its_discrete_solution) {
    EXPECT_NEAR(discrete_oscillator<config<sinew::euler>>(), -1.40884698291602, 1e-12);
    EXPECT_NEAR(discrete_oscillator<config<sinew::symplectic_euler>>(), -0.809384821133212, 1e-12);
    EXPECT_NEAR(discrete_oscillator<config<sinew::midpoint>>(), -0.830954421124927, 1e-12);
    EXPECT_NEAR(discrete_oscillator<config<sinew::rk4>>(), -0.839075464413065, 1e-12);
    EXPECT_NEAR(discrete_oscillator<config<sinew::implicit_midpoint>>(), -0.843569150875790, 1e-12);
    // XPBD is implicit Euler on a linear spring.
    EXPECT_NEAR(discrete_oscillator<xpbd>(), -0.520866526040103, 1e-12);
}

}  // namespace
