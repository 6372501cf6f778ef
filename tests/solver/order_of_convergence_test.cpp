// The order of every integrator, measured by halving the step five times: on constrained systems through
// lagrange_multipliers, and on the torque-free body. Errors of the fifth order meet rounding in double before they meet their
// slope, so those are measured in long double.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace {

using sinew::vec3;

template <class Integrator, template <class> class R = sinew::quaternion, sinew::motion_form Form = sinew::motion_form::momentum,
          class Linear = sinew::cholesky, class Scalar = double>
struct config : sinew::default_config {
    using scalar = Scalar;
    using integrator = Integrator;
    using solver = sinew::lagrange_multipliers<Linear>;
    template <class S>
    using rotation = R<S>;
    static constexpr sinew::motion_form form = Form;
};
using precise = config<sinew::dormand_prince_54, sinew::quaternion, sinew::motion_form::momentum, sinew::cholesky, long double>;
constexpr int finest = 4096;  // steps of the references: where the errors of long double end

template <class S>
using places = std::array<vec3<S>, 3>;
template <class S, class T>
S distance_of(places<S> const& x, places<T> const& reference) {
    S e = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            S const d = x[i][k] - static_cast<S>(reference[i][k]);
            e += d * d;
        }
    return std::sqrt(e);
}

template <class World>
typename World::body_handle add_box(World& w, double x, double mass = 1) {
    using S = typename World::scalar_type;
    typename World::body_type b;
    b.mass = S(mass);
    b.inertia = sinew::solid_box(b.mass, vec3<S>{S(1), S(1) / 10, S(1) / 10}).inertia;
    b.pose.position = {S(x), S(0), S(0)};
    return w.add(b);
}

// Two boxes hinged at their ends, from the horizontal, after 1/4 s.
template <class Config>
auto double_pendulum(int steps) {
    using S = typename Config::scalar;
    sinew::world<Config, sinew::ball_joint> w;
    w.gravity = {S(0), S(-981) / 100, S(0)};
    auto const a = add_box(w, 0.5), b = add_box(w, 1.5);
    w.add(sinew::ball_joint<S>{{S(0), S(0), S(0)}, {S(-0.5), S(0), S(0)}}, w.ground(), a);
    w.add(sinew::ball_joint<S>{{S(0.5), S(0), S(0)}, {S(-0.5), S(0), S(0)}}, a, b);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(S(1) / S(4 * steps)));
    return places<S>{w.position(a), w.position(b), {}};
}

// Three links of different masses that swing and turn in space, after 1/4 s.
template <class Config>
auto spatial_chain(int steps) {
    using S = typename Config::scalar;
    using V = vec3<S>;
    sinew::world<Config, sinew::ball_joint> w;
    w.gravity = {S(0), S(-981) / 100, S(0)};
    auto const a = add_box(w, 0.5), b = add_box(w, 1.5, 2), c = add_box(w, 2.5, 0.5);
    S const off = S(1) / 64;
    w.add(sinew::ball_joint<S>{{S(0), S(0), S(0)}, {S(-0.5), off, S(0)}}, w.ground(), a);
    w.set_pose(a, {{S(0.5), -off, S(0)}, {}});
    w.add(sinew::ball_joint<S>{{S(0.5), off, S(0)}, {S(-0.5), S(0), S(0)}}, a, b);
    w.add(sinew::ball_joint<S>{{S(0.5), S(0), S(0)}, {S(-0.5), S(0), S(0)}}, b, c);
    // Turning about the first anchor as one: legal velocities that leave the plane.
    V const omega{S(0.25), S(1), S(0.5)};
    for (auto h : {a, b, c}) w.set_twist(h, {cross(omega, w.position(h)), omega});
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(S(1) / S(4 * steps)));
    return places<S>{w.position(a), w.position(b), w.position(c)};
}

// Free of torque, near the unstable axis, after 1 s: its angular velocity, and where two of its axes point.
template <class Config>
auto torque_free(int steps) {
    using S = typename Config::scalar;
    sinew::world<Config> w;
    w.gravity = {S(0), S(0), S(0)};
    typename decltype(w)::body_type b;
    b.inertia = sinew::diagonal(S(1), S(2), S(3));
    b.twist.angular = {S(1) / 100, S(10), S(1) / 100};
    auto const h = w.add(b);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(S(1) / S(steps)));
    return places<S>{w.twist(h).angular, w.pose(h).direction(vec3<S>{S(1), S(0), S(0)}), w.pose(h).direction(vec3<S>{S(0), S(1), S(0)})};
}

// Slope of log(error) over log(step), least squares over five halvings.
template <class F>
double fitted_order(F&& error, int coarsest) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    int const n = 6;
    for (int i = 0; i < n; ++i) {
        int const steps = coarsest << i;
        double const x = -std::log2(static_cast<double>(steps)), y = static_cast<double>(std::log2(error(steps)));
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

template <class Config>
double order_on_pendulum(int coarsest) {
    static auto const reference = double_pendulum<precise>(finest);
    return fitted_order([](int n) { return distance_of(double_pendulum<Config>(n), reference); }, coarsest);
}
template <class Config>
double order_on_chain(int coarsest) {
    static auto const reference = spatial_chain<precise>(finest);
    return fitted_order([](int n) { return distance_of(spatial_chain<Config>(n), reference); }, coarsest);
}
template <class Config>
double order_on_free_body(int coarsest) {
    static auto const reference = torque_free<precise>(finest);
    return fitted_order([](int n) { return distance_of(torque_free<Config>(n), reference); }, coarsest);
}

// Each with the coarsest of its six numbers of steps.
template <class Config>
void expect_order(char const* name, double order, int pendulum, int chain, int body, double order_of_rotation = 0) {
    double const p = order_on_pendulum<Config>(pendulum), c = order_on_chain<Config>(chain), b = order_on_free_body<Config>(body);
    std::printf("%-32s double pendulum %.3f   spatial chain %.3f   torque-free body %.3f\n", name, p, c, b);
    EXPECT_NEAR(p, order, 0.15) << name;
    EXPECT_NEAR(c, order, 0.15) << name;
    EXPECT_NEAR(b, order_of_rotation > 0 ? order_of_rotation : order, 0.15) << name;
}

using sinew::motion_form;

TEST(order_of_convergence, euler) { expect_order<config<sinew::euler>>("euler", 1, 256, 256, 2048); }
// Its free rotation is an implicit midpoint step (free_motion.hpp), so that it keeps energy and angular momentum.
TEST(order_of_convergence, symplectic_euler) { expect_order<config<sinew::symplectic_euler>>("symplectic_euler", 1, 64, 64, 64, 2); }
TEST(order_of_convergence, implicit_euler) { expect_order<config<sinew::implicit_euler>>("implicit_euler", 1, 256, 256, 2048); }
TEST(order_of_convergence, velocity_verlet_in_every_rotation_and_form) {
    expect_order<config<sinew::velocity_verlet>>("velocity_verlet", 2, 64, 64, 128);
    expect_order<config<sinew::velocity_verlet, sinew::rotation_matrix>>("velocity_verlet, matrix", 2, 64, 64, 128);
    expect_order<config<sinew::velocity_verlet, sinew::rotation_vector>>("velocity_verlet, vector", 2, 64, 64, 128);
    expect_order<config<sinew::velocity_verlet, sinew::quaternion, motion_form::velocity, sinew::ldlt>>("velocity_verlet, velocities", 2, 64, 64, 128);
}
TEST(order_of_convergence, midpoint) { expect_order<config<sinew::midpoint>>("midpoint", 2, 32, 32, 128); }
TEST(order_of_convergence, implicit_midpoint) { expect_order<config<sinew::implicit_midpoint>>("implicit_midpoint", 2, 32, 32, 64); }
TEST(order_of_convergence, rk4) { expect_order<config<sinew::rk4>>("rk4", 4, 16, 16, 64); }
TEST(order_of_convergence, rk4_in_every_rotation_and_form) {
    expect_order<config<sinew::rk4, sinew::rotation_matrix, motion_form::momentum>>("rk4, matrix, momenta", 4, 16, 16, 64);
    expect_order<config<sinew::rk4, sinew::rotation_vector, motion_form::momentum>>("rk4, vector, momenta", 4, 16, 16, 64);
    expect_order<config<sinew::rk4, sinew::quaternion, motion_form::velocity, sinew::ldlt>>("rk4, quaternion, velocities", 4, 16, 16, 64);
}
TEST(order_of_convergence, dormand_prince_54) { expect_order<precise>("dormand_prince_54", 5, 16, 16, 48); }

}  // namespace
