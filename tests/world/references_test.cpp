// Published numbers that no other test reproduces. Their source: 128-bit floats by extrapolation of order 16, or closed forms at
// 40 digits. They are given to 15 digits, so agreement is to 1e-14 of them where the method allows it. Reproduced elsewhere:
//
//   ode/integrator_test              discrete and damped oscillator, torque-free body (angular velocities, quaternions)
//   solver/lagrange_multipliers_test the same in a world; point-mass double pendulum; periods of the pendulum to 1e-8
//   solver/nonlinear_gauss_seidel_test  contraction per sweep with ends as heavy as the rest, 10 and 100 times as heavy

#include <sinew/sinew.hpp>

#include <ode/reference_problems.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace {

using sinew::vec3;
using real = long double;

constexpr real pi = sinew::pi_v<real>;
// Half a unit of the 15th digit of a number below 10, and as much for the arithmetic.
constexpr double digits15 = 1e-14;

// ---- the torque-free body

constexpr auto tight = [] { return sinew::adaptive_steps(real(1e-19L), real(1e-18L)); };

// Where the angular velocity about the middle axis crosses zero downward.
std::vector<real> falling_zeros(real until) {
    std::vector<real> times;
    auto const middle = [](real, reference::free_body<real>::state const& y) { return y[1]; };
    auto const r = sinew::integrate(sinew::dormand_prince_54{}, reference::free_body<real>{}, reference::free_body<real>::start(), 0, until, tight(),
                                    sinew::on_event(middle, sinew::crossing::falling, [&](real t, auto const&) { times.push_back(t); }));
    EXPECT_TRUE(r);
    return times;
}

// The motion is Jacobi's elliptic one: with L^2 > 2 T I_2 its period is 4 K / p, p^2 = (I_3 - I_2)(L^2 - 2 T I_1) / (I_1 I_2 I_3).
// 1 - k^2 = (I_3 - I_1)(L^2 - 2 T I_2) / ((I_3 - I_2)(L^2 - 2 T I_1)), and K = pi / (2 agm(1, sqrt(1 - k^2))).
real agm(real x, real y) {
    for (int i = 0; i < 12; ++i) {
        real const m = (x + y) / 2;
        y = std::sqrt(x * y);
        x = m;
    }
    return x;
}
constexpr double period = 5.50616811074664, flip = 2.75308405537332;

TEST(torque_free_body, has_the_published_period) {
    // L^2 - 2 T I_2 = I_1 (I_1 - I_2) 0.01^2 + I_3 (I_3 - I_2) 0.01^2.
    real const t2 = 200.0004L, l2 = 400.001L, excess = 0.0002L;
    real const p = std::sqrt((l2 - t2) / 6), rest = 2 * excess / (l2 - t2);
    EXPECT_NEAR(static_cast<double>(4 * pi / (2 * agm(1, std::sqrt(rest))) / p), period, digits15);

    auto const zeros = falling_zeros(13);
    ASSERT_EQ(zeros.size(), 3u);
    // The period changes by 1 / 5.8 of a relative change of L^2 - 2 T I_2, which is 10^6 times as small as either: one rounding
    // is 4e-14 s, and thousands of steps of them, a random walk, some 1e-12 s.
    EXPECT_NEAR(static_cast<double>(zeros[1] - zeros[0]), period, 1e-11);
    EXPECT_NEAR(static_cast<double>(zeros[2] - zeros[1]), period, 1e-11);
}
TEST(torque_free_body, is_flipped_at_the_published_time) {
    using L = real;
    auto const at = [](double t) {
        auto const r = sinew::integrate(sinew::dormand_prince_54{}, reference::free_body<L>{}, reference::free_body<L>::start(), L(0), L(t), tight());
        EXPECT_TRUE(r);
        return r.y;
    };
    // Half a period on, the other way up: omega = (-0.01, -10, 0.01). One period on, as at the start; the rotation is not.
    EXPECT_NEAR(2 * flip, period, digits15);
    auto const half = at(flip), whole = at(period);
    double const expected[2][3] = {{-0.01, -10, 0.01}, {0.01, 10, 0.01}};
    for (std::size_t k = 0; k < 3; ++k) {
        // omega_1 and omega_3 change by 0.1 rad/s^2 there.
        EXPECT_NEAR(static_cast<double>(half[k]), expected[0][k], 1e-11);
        EXPECT_NEAR(static_cast<double>(whole[k]), expected[1][k], 1e-9) << "errors have grown through a second flip";
    }
    EXPECT_GT(std::abs(whole[4]) + std::abs(whole[5]) + std::abs(whole[6]), 0.1L);
}
TEST(torque_free_body, starts_with_the_published_invariants) {
    sinew::rigid_body<double> b;
    b.inertia = sinew::diagonal(1.0, 2.0, 3.0);
    b.twist.angular = {0.01, 10, 0.01};
    EXPECT_NEAR(2 * kinetic_energy(b), 200.0004, 1e-13);
    auto const l = angular_momentum(b);
    EXPECT_DOUBLE_EQ(l.x(), 0.01);
    EXPECT_DOUBLE_EQ(l.y(), 20);
    EXPECT_DOUBLE_EQ(l.z(), 0.03);
}

// ---- the planar double pendulum, as bodies and as the ODE of its angles

// a theta1'' + b cos(d) theta2'' = -b sin(d) theta2'^2 - p sin(theta1), d = theta1 - theta2
// b cos(d) theta1'' + c theta2'' =  b sin(d) theta1'^2 - q sin(theta2)
struct double_pendulum {
    real a, b, c, p, q;
    std::array<real, 4> operator()(real, std::array<real, 4> const& y) const {
        real const d = y[0] - y[1], m = b * std::cos(d), s = b * std::sin(d);
        real const f = -s * y[3] * y[3] - p * std::sin(y[0]), g = s * y[2] * y[2] - q * std::sin(y[1]);
        real const det = a * c - m * m;
        return {y[2], y[3], (f * c - m * g) / det, (a * g - m * f) / det};
    }
};
void expect_angles(double_pendulum const& f, double t, double theta1, double theta2) {
    auto const r = sinew::integrate(sinew::dormand_prince_54{}, f, std::array<real, 4>{pi / 2, pi / 2, 0, 0}, real(0), real(t),
                                    sinew::adaptive_steps(real(1e-17L), real(1e-17L)));
    EXPECT_TRUE(r);
    EXPECT_NEAR(static_cast<double>(r.y[0]), theta1, digits15) << t;
    EXPECT_NEAR(static_cast<double>(r.y[1]), theta2, digits15) << t;
}
TEST(double_pendulum_ode, of_point_masses) {
    real const g = 9.81L;
    double_pendulum const f{2, 1, 1, 2 * g, g};
    expect_angles(f, 1, -0.625087699806391, -1.03458508568001);
    expect_angles(f, 2, -0.482971534251754, -1.32404871230236);
}
TEST(double_pendulum_ode, of_boxes) {
    // A box of 1 kg, 1 x 0.1 x 0.1 m: 1.01 / 12 about its middle, which is half a metre from its hinge.
    real const g = 9.81L, inertia = 1.01L / 12;
    double_pendulum const f{inertia + 0.25L + 1, 0.5L, inertia + 0.25L, 1.5L * g, 0.5L * g};
    expect_angles(f, 1, -1.20432407923534, -0.819980711665502);
    expect_angles(f, 2, -0.0845270358379211, 0.392041930260688);
}

template <class Integrator>
struct config : sinew::default_config {
    using scalar = double;
    using integrator = Integrator;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

TEST(double_pendulum_of_bodies, boxes) {
    sinew::world<config<sinew::dormand_prince_54>, sinew::hinge_joint> w;
    auto const add = [&](double x) {
        sinew::rigid_body<double> b;
        b.inertia = sinew::solid_box(b.mass, vec3<double>{1.0, 0.1, 0.1}).inertia;
        b.pose.position = {x, 0, 0};
        return w.add(b);
    };
    auto const a = add(0.5), b = add(1.5);
    vec3<double> const z{0, 0, 1};
    w.add(sinew::hinge_joint<double>::at(w.pose(w.ground()), w.pose(a), vec3<double>{0, 0, 0}, z), w.ground(), a);
    w.add(sinew::hinge_joint<double>::at(w.pose(a), w.pose(b), vec3<double>{1, 0, 0}, z), a, b);
    auto const angle = [&](auto h) {
        auto const d = w.pose(h).direction(vec3<double>{1, 0, 0});
        return std::atan2(d.x(), -d.y());
    };
    struct {
        double theta1, theta2;
    } const published[] = {{-1.20432407923534, -0.819980711665502}, {-0.0845270358379211, 0.392041930260688}};
    for (auto const& row : published) {
        for (int i = 0; i < 1000; ++i) ASSERT_TRUE(w.step(1e-3));
        EXPECT_NEAR(angle(a), row.theta1, 1e-11) << w.time();
        EXPECT_NEAR(angle(b), row.theta2, 1e-11) << w.time();
    }
}

// ---- the simple pendulum, l = 1 m, g = 9.81

real quarter_period(real amplitude) {
    auto const f = [](real, std::array<real, 2> const& y) { return std::array<real, 2>{y[1], -9.81L * std::sin(y[0])}; };
    auto const bottom = sinew::stop_when([](real, std::array<real, 2> const& y) { return y[0]; });
    auto const r = sinew::integrate(sinew::dormand_prince_54{}, f, std::array<real, 2>{amplitude, 0}, real(0), real(5),
                                    sinew::adaptive_steps(amplitude * 1e-17L, real(1e-17L)), bottom);
    EXPECT_EQ(r.report.status, sinew::ode_status::event);
    return r.report.time;
}
TEST(simple_pendulum_ode, has_the_published_periods) {
    EXPECT_NEAR(static_cast<double>(4 * quarter_period(pi / 2)), 2.36784194757624, digits15);
    EXPECT_NEAR(static_cast<double>(4 * quarter_period(pi * 170 / 180)), 4.89352427410549, digits15);
    // Of an amplitude x the period is 1 + x^2 / 16 as long as that of small swings, in first order.
    EXPECT_NEAR(static_cast<double>(4 * quarter_period(1e-4L) / (1 + 1e-8L / 16)), 2.00606668071065, digits15);
    EXPECT_NEAR(static_cast<double>(2 * pi / std::sqrt(9.81L)), 2.00606668071065, digits15);
}

// ---- x'' = -100 x in a world, h = 0.01: the discrete solution of each integrator to the last few bits

template <class S>
using soft_pin = sinew::penalty_force<S, sinew::ball_joint>;
template <class S>
using compliant_pin = sinew::soft_joint<S, sinew::ball_joint>;

template <class Config>
double spring_at_one_second() {
    sinew::world<Config, soft_pin> w;
    w.gravity = {0, 0, 0};
    sinew::rigid_body<double> b;
    b.pose.position = {1, 0, 0};
    auto const h = w.add(b);
    w.add(soft_pin<double>::with({}, 100), w.ground(), h);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(w.step(0.01));
    return w.position(h).x();
}
template <class Config>
double compliance_at_one_second() {
    sinew::world<Config, compliant_pin> w;
    w.gravity = {0, 0, 0};
    sinew::rigid_body<double> b;
    b.pose.position = {1, 0, 0};
    auto const h = w.add(b);
    w.add(compliant_pin<double>::with({}, 0.01), w.ground(), h);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(w.step(0.01));
    return w.position(h).x();
}
struct xpbd : sinew::default_config {
    using scalar = double;
    using solver = sinew::nonlinear_gauss_seidel;
};
TEST(oscillator_in_a_world, is_stepped_as_the_integrator_says) {
    EXPECT_NEAR(spring_at_one_second<config<sinew::euler>>(), -1.40884698291602, digits15);
    EXPECT_NEAR(spring_at_one_second<config<sinew::symplectic_euler>>(), -0.809384821133212, digits15);
    EXPECT_NEAR(spring_at_one_second<config<sinew::midpoint>>(), -0.830954421124927, digits15);
    EXPECT_NEAR(spring_at_one_second<config<sinew::rk4>>(), -0.839075464413065, digits15);
    EXPECT_NEAR(spring_at_one_second<config<sinew::implicit_midpoint>>(), -0.843569150875790, digits15);
    EXPECT_NEAR(spring_at_one_second<config<sinew::implicit_euler>>(), -0.520866526040103, digits15);
    EXPECT_NEAR(spring_at_one_second<config<sinew::velocity_verlet>>(), -0.836794927110388, digits15);
    // The exact solution, by a method whose own error is 2e-8 at this step: (h w)^5 w t / 3600.
    EXPECT_NEAR(spring_at_one_second<config<sinew::dormand_prince_54>>(), -0.839071529076452, 5e-8);
    // A compliant row under an acceleration-level solver is that same spring; under XPBD it is implicit Euler.
    EXPECT_NEAR(compliance_at_one_second<config<sinew::rk4>>(), -0.839075464413065, digits15);
    EXPECT_NEAR(compliance_at_one_second<xpbd>(), -0.520866526040103, digits15);
}
TEST(oscillator_ode, damped_as_published) {
    struct {
        real damping;
        double x;
    } const published[] = {{0, -0.839071529076452}, {2, -0.336851680590413}, {20, 4.99399227387e-4}, {50, 0.129693214344801}};
    for (auto const& row : published) {
        auto const f = [c = row.damping](real, std::array<real, 2> const& y) { return std::array<real, 2>{y[1], -100 * y[0] - c * y[1]}; };
        auto const r = sinew::integrate(sinew::dormand_prince_54{}, f, std::array<real, 2>{1, 0}, real(0), real(1), sinew::adaptive_steps(1e-18L, 1e-17L));
        EXPECT_TRUE(r);
        // The critically damped one is given to 1e-15.
        EXPECT_NEAR(static_cast<double>(r.y[0]), row.x, 1e-15) << "c/m = " << static_cast<double>(row.damping);
    }
}

// ---- straight chains of N constraints (Waterson 2026, section 8)

using row = std::vector<real>;
using matrix = std::vector<row>;

// A = J W J^T of unit masses but the ends.
matrix chain(std::size_t n, real end_mass) {
    matrix a(n, row(n, 0));
    for (std::size_t i = 0; i < n; ++i) {
        a[i][i] = (i == 0 ? 1 / end_mass : 1) + (i + 1 == n ? 1 / end_mass : 1);
        if (i + 1 < n) a[i][i + 1] = a[i + 1][i] = -1;
    }
    return a;
}
// Largest eigenvalue of the Jacobi iteration matrix 1 - D^-1 A, by bisection: mu is above all of them while all pivots of
// mu - D^-1/2 (D - A) D^-1/2 are positive.
real jacobi_radius(matrix const& a) {
    real lo = 0, hi = 2;
    for (int it = 0; it < 80; ++it) {
        real const mu = (lo + hi) / 2;
        real pivot = mu;
        bool above = pivot > 0;
        for (std::size_t i = 1; above && i < a.size(); ++i) {
            pivot = mu - a[i][i - 1] * a[i][i - 1] / (a[i][i] * a[i - 1][i - 1]) / pivot;
            above = pivot > 0;
        }
        (above ? hi : lo) = mu;
    }
    return hi;
}
// (D + f L)^-1 ((1 - f) D - f L^T): what a sweep with factor f does to an error (eq. 4.76).
void sweep(matrix const& a, real f, row& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        real s = 0;
        for (std::size_t j = i == 0 ? 0 : i - 1; j < std::min(i + 2, x.size()); ++j)
            if (j != i) s += a[i][j] * x[j];
        x[i] = (1 - f) * x[i] - f * s / a[i][i];
    }
}
real norm(row const& x) {
    real s = 0;
    for (real v : x) s += v * v;
    return std::sqrt(s);
}
// Growth per sweep between sweep k and 2k. Where one eigenvalue is largest by itself that is the spectral radius to rounding;
// of the defective matrix at the optimum, where errors shrink as k rho^k, it is off by a factor 2^(1/k).
real radius(matrix const& a, real f, int k) {
    row x(a.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<real>(1 + i * i));
    real log_growth = 0;
    for (int it = 0; it < 2 * k; ++it) {
        sweep(a, f, x);
        real const n = norm(x);
        for (real& v : x) v /= n;
        if (it >= k) log_growth += std::log(n);
    }
    return std::exp(log_growth / k);
}
real best_factor(real rho_jacobi) { return 2 / (1 + std::sqrt(1 - rho_jacobi * rho_jacobi)); }

// One sweep of the world's solver on its multipliers is an affine map; this is its linear part, measured by warm starts.
std::vector<std::vector<double>> measured_sweep(std::size_t n, double end_mass, double factor) {
    sinew::world<xpbd, sinew::particle_distance> start;
    start.gravity = {0, 0, 0};
    start.solver.regularization = 0;
    start.solver.conserve_angular_momentum = false;
    start.solver.iterations = 1;
    start.solver.relaxation = factor;
    start.solver.warm_start = 1;
    std::vector<decltype(start)::particle_handle> p;
    for (std::size_t i = 0; i <= n; ++i) p.push_back(start.add(sinew::particle<double>{i == 0 || i == n ? end_mass : 1, {1.05 * static_cast<double>(i), 0, 0}, {}}));
    for (std::size_t i = 0; i < n; ++i) start.add(sinew::particle_distance<double>{.length = 1}, p[i], p[i + 1]);
    auto const after = [&](std::size_t unit) {
        auto w = start;
        auto s = w.save();
        if (unit < n) s.multipliers[unit] = 1e-3;
        w.restore(s);
        EXPECT_TRUE(w.step(1.0));
        return w.save().multipliers;
    };
    auto const base = after(n);
    std::vector<std::vector<double>> g(n, std::vector<double>(n));
    for (std::size_t c = 0; c < n; ++c) {
        auto const y = after(c);
        for (std::size_t i = 0; i < n; ++i) g[i][c] = (y[i] - base[i]) / 1e-3;
    }
    return g;
}

struct published {
    std::size_t n;
    double end_mass, jacobi, gauss_seidel, factor, sor;
};
class chain_table : public testing::TestWithParam<published> {};

TEST_P(chain_table, is_that_of_the_iteration_matrices) {
    auto const& row_ = GetParam();
    auto const a = chain(row_.n, row_.end_mass == 0.1 ? 0.1L : row_.end_mass == 0.01 ? 0.01L : static_cast<real>(row_.end_mass));
    real const rho = jacobi_radius(a), factor = best_factor(rho);
    EXPECT_NEAR(static_cast<double>(rho), row_.jacobi, digits15);
    // Young: squared; and by sweeping.
    EXPECT_NEAR(static_cast<double>(rho * rho), row_.gauss_seidel, digits15);
    EXPECT_NEAR(static_cast<double>(radius(a, 1, 4000)), row_.gauss_seidel, digits15);
    // These two columns are printed with errors of up to 5e-14: 1.87908542666042 is 1.879085426660376 at 50 digits.
    EXPECT_NEAR(static_cast<double>(factor), row_.factor, 6e-14);
    // All eigenvalues are factor - 1 in size, since their product is (1 - factor)^N and none may be larger.
    EXPECT_NEAR(static_cast<double>(factor - 1), row_.sor, 6e-14);
    EXPECT_NEAR(static_cast<double>(radius(a, factor, 20000) / static_cast<real>(row_.sor)), 1, 1e-4);
    EXPECT_GT(static_cast<double>(radius(a, factor - 0.01L, 20000)), row_.sor + 0.005);
    EXPECT_GT(static_cast<double>(radius(a, factor + 0.01L, 20000)), row_.sor + 0.005);
}
TEST_P(chain_table, is_that_of_the_solver) {
    auto const& row_ = GetParam();
    auto const a = chain(row_.n, static_cast<real>(row_.end_mass));
    for (double const f : {1.0, row_.factor}) {
        auto const g = measured_sweep(row_.n, row_.end_mass, f);
        for (std::size_t c = 0; c < row_.n; ++c) {
            row x(row_.n, 0);
            x[c] = 1;
            sweep(a, f, x);
            // Differences of numbers up to 0.05 N^2 m^2/s^2, over 1e-3.
            for (std::size_t i = 0; i < row_.n; ++i) ASSERT_NEAR(g[i][c], static_cast<double>(x[i]), 1e-9) << "factor " << f << ", " << i << ", " << c;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(published, chain_table,
                         testing::Values(published{10, 1, 0.959492973614497, 0.92062676641559, 1.56038792127477, 0.560387921274774},
                                         published{10, 10, 0.990440515877989, 0.980972415492657, 1.75756112125149, 0.757561121251487},
                                         published{10, 100, 0.998906343182043, 0.997813882449322, 1.91066506644716, 0.910665066447156},
                                         published{10, 0.1, 0.942360876943761, 0.888044022394214, 1.49857833643853, 0.498578336438534},
                                         published{10, 0.01, 0.939968253161657, 0.883540316951777, 1.4911330911099, 0.491133091109905},
                                         published{32, 1, 0.995471922573085, 0.990964348631353, 1.82639054158842, 0.826390541588421},
                                         published{32, 10, 0.997927547851878, 0.995859390761662, 1.87908542666042, 0.879085426660423},
                                         published{32, 100, 0.99969349241817, 0.999387078783238, 1.95168173565884, 0.951681735658845},
                                         published{32, 0.1, 0.994935053005157, 0.989895759698374, 1.81732296739517, 0.817322967395166},
                                         published{32, 0.01, 0.994875954226363, 0.989778164297815, 1.81636034820658, 0.816360348206575}));

// Waterson's (8.11) prints cos^2(pi / N) for N rows; that is N masses, N - 1 rows. His (8.16), cos(k pi / (1 + N)), is right.
TEST(chains, closed_forms) {
    for (std::size_t n : {3u, 10u, 31u, 32u}) {
        real const c = std::cos(pi / static_cast<real>(n + 1));
        EXPECT_NEAR(static_cast<double>(jacobi_radius(chain(n, 1))), static_cast<double>(c), 1e-17);
        EXPECT_NEAR(static_cast<double>(radius(chain(n, 1), 1, 4000)), static_cast<double>(c * c), 1e-14);
        EXPECT_GT(std::abs(jacobi_radius(chain(n, 1)) - std::cos(pi / static_cast<real>(n))), 1e-4L);
        // Likewise sin(pi / (N + 1)) in the best factor (8.21).
        EXPECT_NEAR(static_cast<double>(best_factor(c)), static_cast<double>(2 / (1 + std::sin(pi / static_cast<real>(n + 1)))), 1e-15);
    }
}
// The best factor of equal masses is far from best with heavy ends: of the error, it leaves the larger part.
TEST(chains, heavy_ends_need_their_own_factor) {
    auto const a = chain(10, 100);
    real const equal = radius(a, best_factor(std::cos(pi / 11)), 20000), own = best_factor(jacobi_radius(a)) - 1;
    EXPECT_GT(std::log(own) / std::log(equal), 10) << "times as many sweeps";
}
// At the optimum the iteration matrix is defective, and ln(tol) / ln(factor - 1) underestimates the sweeps that the slowest
// mode of Jacobi needs: N = 31, to 1 %: 36, not 23.
TEST(chains, sweeps_at_the_best_factor) {
    std::size_t const n = 31;
    auto const a = chain(n, 1);
    real const f = best_factor(std::cos(pi / 32));
    EXPECT_EQ(std::floor(std::log(0.01L) / std::log(f - 1)), 23);
    row x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(pi * static_cast<real>(i + 1) / 32);
    real const start = norm(x);
    int sweeps = 0;
    for (; norm(x) > start / 100; ++sweeps) sweep(a, f, x);
    EXPECT_EQ(sweeps, 36);
}
// Both ends fixed: one rod too many, the matrix is singular, and the solver says so and goes on.
TEST(chains, fixed_at_both_ends_are_redundant) {
    sinew::world<config<sinew::rk4>, sinew::particle_distance> w;
    w.gravity = {0, 0, 0};
    std::vector<decltype(w)::particle_handle> p;
    p.push_back(w.add_fixed_particle({0, 0, 0}));
    for (int i = 1; i < 10; ++i) p.push_back(w.add(sinew::particle<double>{1, {1.0 * i, 0, 0}, {}}));
    p.push_back(w.add_fixed_particle({10, 0, 0}));
    for (std::size_t i = 0; i < 10; ++i) w.add(sinew::particle_distance<double>{.length = 1}, p[i], p[i + 1]);
    auto const report = w.step(0.01);
    EXPECT_TRUE(report);
    EXPECT_FALSE(report.full_rank);
    EXPECT_NEAR(static_cast<double>(jacobi_radius(chain(10, INFINITY))), 1, 1e-17);
}

// ---- what needs no contact: a ball that rolls without slipping down 30 degrees

TEST(rolling_ball, has_the_published_acceleration) {
    sinew::world<config<sinew::rk4>, sinew::point_on_plane, sinew::rolling_sphere> w;
    double const r = 0.25;
    vec3<double> const normal{0.5, std::sqrt(0.75), 0}, down{std::sqrt(0.75), -0.5, 0};
    sinew::rigid_body<double> b;
    b.inertia = sinew::solid_sphere(b.mass, r).inertia;
    b.pose.position = normal * r;
    auto const h = w.add(b);
    auto const ground = w.pose(w.ground());
    w.add(sinew::point_on_plane<double>::at(ground, b.pose, b.pose.position, normal), w.ground(), h);
    w.add(sinew::rolling_sphere<double>::at(ground, b.pose, b.pose.position, normal, r), w.ground(), h);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(w.step(0.01));
    EXPECT_NEAR(dot(w.twist(h).linear, down), 3.50357142857143, 1e-12);
    EXPECT_NEAR(dot(w.position(h), down), 3.50357142857143 / 2, 1e-12);
}

}  // namespace
