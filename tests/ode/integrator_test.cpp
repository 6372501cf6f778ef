// Every integrator against its order of accuracy, exact discrete values, and what it conserves.

#include "reference_problems.hpp"

#include <sinew/math/dual.hpp>
#include <sinew/math/fixed.hpp>
#include <sinew/math/vec.hpp>
#include <sinew/ode/dormand_prince_54.hpp>
#include <sinew/ode/euler.hpp>
#include <sinew/ode/implicit_euler.hpp>
#include <sinew/ode/implicit_midpoint.hpp>
#include <sinew/ode/integrate.hpp>
#include <sinew/ode/midpoint.hpp>
#include <sinew/ode/rk4.hpp>
#include <sinew/ode/symplectic_euler.hpp>
#include <sinew/ode/velocity_verlet.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace {

using namespace reference;

// ---- orders

template <class I>
double kepler_error(I const& method, int steps) {
    double const end = kepler::time_at(4.0);
    auto const r = sinew::integrate(method, kepler{}, kepler::start(), 0.0, end, end / steps);
    EXPECT_TRUE(r);
    EXPECT_EQ(r.report.steps, static_cast<std::size_t>(steps));
    return distance(r.y, kepler::at(4.0));
}

template <class I>
double measured_order(int first_steps, int halvings) {
    std::vector<double> h, error;
    for (int k = 0, n = first_steps; k <= halvings; ++k, n *= 2) {
        h.push_back(1.0 / n);
        error.push_back(kepler_error(I{}, n));
    }
    return fitted_slope(h, error);
}

template <class I>
struct order_of : testing::Test {};
using all_integrators = testing::Types<sinew::euler, sinew::symplectic_euler, sinew::implicit_euler, sinew::midpoint, sinew::velocity_verlet,
                                       sinew::implicit_midpoint, sinew::rk4, sinew::dormand_prince_54>;
TYPED_TEST_SUITE(order_of, all_integrators);

// From steps small enough to be in the asymptotic range, over five or six halvings.
TYPED_TEST(order_of, kepler) {
    int const first = TypeParam::order == 1 ? 1600 : TypeParam::order == 2 ? 200 : TypeParam::order == 4 ? 200 : 80;
    double const order = measured_order<TypeParam>(first, TypeParam::order > 2 ? 5 : 6);
    testing::Test::RecordProperty("order", std::to_string(order));
    EXPECT_NEAR(order, TypeParam::order, 0.15);
}

// ---- the exact discrete solution of x'' = -100 x at t = 1, h = 0.01

template <class I>
double discrete() {
    auto const r = sinew::integrate(I{}, oscillator<double>{}, std::array{1.0, 0.0}, 0, 1, 0.01);
    EXPECT_TRUE(r);
    EXPECT_EQ(r.report.steps, 100u);
    EXPECT_EQ(r.report.time, 1.0);
    EXPECT_EQ(r.report.smallest_step, 0.01);
    return r.y[0];
}

// The values have 15 digits; the arithmetic of 100 steps adds a few ulp.
TEST(oscillator, discrete_values) {
    EXPECT_NEAR(discrete<sinew::euler>(), -1.40884698291602, 8e-15);
    EXPECT_NEAR(discrete<sinew::symplectic_euler>(), -0.809384821133212, 2e-15);
    EXPECT_NEAR(discrete<sinew::implicit_euler>(), -0.520866526040103, 2e-15);
    EXPECT_NEAR(discrete<sinew::midpoint>(), -0.830954421124927, 2e-15);
    EXPECT_NEAR(discrete<sinew::rk4>(), -0.839075464413065, 2e-15);
    EXPECT_NEAR(discrete<sinew::implicit_midpoint>(), -0.843569150875790, 2e-15);
    EXPECT_NEAR(discrete<sinew::velocity_verlet>(), -0.836794927110388, 2e-15);
    EXPECT_NEAR(discrete<sinew::dormand_prince_54>(), -0.839071529076452, 1e-7);
}

// Half of an odd step in fixed point is rounded; both halves of the kick must make the whole.
template <class I>
void expect_whole_speed() {
    using S = sinew::fixed<15, 16>;
    S const h = S::from_raw(219);
    auto const fall = [](S, std::array<S, 2> const& y) { return std::array{y[1], S(-8)}; };
    sinew::function_problem<decltype(fall)&, std::array<S, 2>> p(fall, {S(0), S(0)});
    sinew::ode_workspace<I, S> w;
    for (int i = 0; i < 64; ++i) ASSERT_EQ(I{}.step(p, h * S(i), h, w), sinew::ode_status::ok);
    EXPECT_EQ(p.y[1], S(-8) * (h * S(64)));
}
TEST(fixed_point, free_fall_gains_all_of_its_speed) {
    expect_whole_speed<sinew::velocity_verlet>();
    expect_whole_speed<sinew::symplectic_euler>();
    expect_whole_speed<sinew::midpoint>();
    expect_whole_speed<sinew::rk4>();
}

// Damping c/m = 2, 20, 50 against the exact solution.
TEST(oscillator, damped) {
    struct row {
        double damping, exact;
    };
    for (auto const& [damping, exact] : {row{2, -0.336851680590413}, row{20, 4.99399227387e-4}, row{50, 0.129693214344801}}) {
        double const c = damping;
        auto const f = [c](double, std::array<double, 2> const& y) { return std::array{y[1], -100 * y[0] - c * y[1]}; };
        auto const r = sinew::integrate(sinew::dormand_prince_54{}, f, std::array{1.0, 0.0}, 0, 1, sinew::adaptive_steps(1e-14, 1e-13));
        EXPECT_TRUE(r);
        EXPECT_NEAR(r.y[0], exact, 1e-12) << "c/m = " << damping;
    }
}

// ---- one source for every scalar

template <class S>
struct scalars : testing::Test {};
using all_scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(scalars, all_scalars);

template <class S, class I>
S discrete_in() {
    auto const r = sinew::integrate(I{}, oscillator<S>{}, std::array{S(1), S(0)}, S(0), S(1), S(1) / S(128));
    EXPECT_TRUE(r);
    EXPECT_EQ(r.report.steps, 128u);
    return r.y[0];
}

// With h = 1/128, exact in each, the results differ by rounding alone.
TYPED_TEST(scalars, agree_to_rounding) {
    using S = TypeParam;
    auto const check = [](auto method) {
        using I = decltype(method);
        EXPECT_NEAR(static_cast<double>(discrete_in<S, I>()), static_cast<double>(discrete_in<long double, I>()),
                    static_cast<double>(100 * std::numeric_limits<S>::epsilon()) + 1e-15);
    };
    check(sinew::euler{});
    check(sinew::symplectic_euler{});
    check(sinew::implicit_euler{});
    check(sinew::midpoint{});
    check(sinew::velocity_verlet{});
    check(sinew::implicit_midpoint{});
    check(sinew::rk4{});
    check(sinew::dormand_prince_54{});
}

// The derivative with respect to the initial state and to a parameter, through the whole integration.
template <class I>
void differentiate_through(double tolerance) {
    using D = sinew::dual<double, 2>;
    auto const run = [](auto x0, auto k) {
        using S = decltype(x0);
        auto const f = [k](S const&, std::array<S, 2> const& y) { return std::array<S, 2>{y[1], -(k * y[0] + y[0] * y[0] * y[0])}; };
        auto const r = sinew::integrate(I{}, f, std::array<S, 2>{x0, S(0)}, 0.0, 1.0, 0.05);
        EXPECT_TRUE(r);
        return r.y[0];
    };
    D const x = run(D::variable(0.7, 0), D::variable(9.0, 1));
    double const d = 1e-5;
    EXPECT_NEAR(x.v, run(0.7, 9.0), 1e-13);
    EXPECT_NEAR(x.d[0], (run(0.7 + d, 9.0) - run(0.7 - d, 9.0)) / (2 * d), tolerance);
    EXPECT_NEAR(x.d[1], (run(0.7, 9.0 + d) - run(0.7, 9.0 - d)) / (2 * d), tolerance);
}
TEST(duals, gradients) {
    differentiate_through<sinew::euler>(1e-9);
    differentiate_through<sinew::symplectic_euler>(1e-9);
    differentiate_through<sinew::midpoint>(1e-9);
    differentiate_through<sinew::velocity_verlet>(1e-9);
    differentiate_through<sinew::rk4>(1e-9);
    differentiate_through<sinew::dormand_prince_54>(1e-9);
    differentiate_through<sinew::implicit_midpoint>(1e-9);
    differentiate_through<sinew::implicit_euler>(1e-9);
}

// ---- the torque-free body

// The motion is sensitive: its period depends on the difference of 2 T I_2 and L^2, 10^-6 of either, so that errors of the
// energy come back 10^6 times as large. In double the table is met to 1e-8 at t = 10, in long double to 1e-10.
TEST(free_body, rk4_reaches_the_table) {
    using L = long double;
    for (auto const& [t, y] : free_body_table) {
        EXPECT_LT(distance(sinew::integrate(sinew::rk4{}, free_body<double>{}, free_body<double>::start(), 0, t, 1e-3).y, y), 5e-8) << t;
        auto const coarse = sinew::integrate(sinew::rk4{}, free_body<L>{}, free_body<L>::start(), 0, L(t), L(1) / 1000);
        auto const fine = sinew::integrate(sinew::rk4{}, free_body<L>{}, free_body<L>::start(), 0, L(t), L(1) / 2000);
        EXPECT_NEAR(distance(coarse.y, y) / distance(fine.y, y), 16, 2) << t;
    }
}
TEST(free_body, dormand_prince_reaches_the_table) {
    using L = long double;
    for (auto const& [t, y] : free_body_table) {
        auto const r = sinew::integrate(sinew::dormand_prince_54{}, free_body<double>{}, free_body<double>::start(), 0, t, sinew::adaptive_steps(1e-14, 1e-13));
        ASSERT_TRUE(r);
        EXPECT_LT(distance(r.y, y), 5e-8) << t;
        auto const s = sinew::integrate(sinew::dormand_prince_54{}, free_body<L>{}, free_body<L>::start(), 0, L(t), sinew::adaptive_steps(1e-17L, 1e-17L));
        ASSERT_TRUE(s);
        EXPECT_LT(distance(s.y, y), 1e-10) << t;
    }
}
// Ten seconds at h = 1/1000: energy and angular momentum to 1e-9.
TEST(free_body, rk4_keeps_energy_and_momentum) {
    using body = free_body<double>;
    auto const start = body::start();
    auto const r = sinew::integrate(sinew::rk4{}, body{}, start, 0, 10, 1e-3);
    EXPECT_NEAR(body::energy(r.y) / body::energy(start), 1, 1e-9);
    EXPECT_LT(distance(body::world_momentum(r.y), std::array{0.01, 20.0, 0.03}) / 20, 1e-9);
}
template <class I>
struct order_on_the_body : testing::Test {};
using body_integrators = testing::Types<sinew::euler, sinew::midpoint, sinew::implicit_midpoint, sinew::rk4, sinew::dormand_prince_54>;
TYPED_TEST_SUITE(order_on_the_body, body_integrators);
TYPED_TEST(order_on_the_body, is_the_nominal_one) {
    auto const& [t, y] = free_body_table[0];
    std::vector<double> hs, errors;
    int n = TypeParam::order == 1 ? 8000 : TypeParam::order == 2 ? 200 : TypeParam::order == 4 ? 50 : 32;
    for (int k = 0; k <= 5; ++k, n *= 2) {
        hs.push_back(1.0 / n);
        errors.push_back(distance(sinew::integrate(TypeParam{}, free_body<double>{}, free_body<double>::start(), 0, t, t / n).y, y));
    }
    double const order = fitted_slope(hs, errors);
    testing::Test::RecordProperty("order", std::to_string(order));
    EXPECT_NEAR(order, TypeParam::order, 0.15);
}

// ---- invariants

// Implicit midpoint keeps quadratic invariants at any step: here a game's, 1/60 s.
TEST(implicit_midpoint, keeps_quadratic_invariants_to_rounding) {
    using body = free_body<double>;
    auto const start = body::start();
    auto const r = sinew::integrate(sinew::implicit_midpoint{}, body{}, start, 0, 10, 1.0 / 60);
    ASSERT_TRUE(r);
    EXPECT_EQ(r.report.steps, 600u);
    double const eps = std::numeric_limits<double>::epsilon();
    EXPECT_NEAR(body::energy(r.y) / body::energy(start), 1, 100 * eps);
    EXPECT_NEAR(body::momentum(r.y) / body::momentum(start), 1, 100 * eps);
    EXPECT_NEAR(r.y[3] * r.y[3] + r.y[4] * r.y[4] + r.y[5] * r.y[5] + r.y[6] * r.y[6], 1, 100 * eps);
}
// Energy of the oscillator over 10^5 steps: rounding is a random walk, not a drift.
TEST(implicit_midpoint, energy_does_not_drift) {
    auto const r = sinew::integrate(sinew::implicit_midpoint{}, oscillator<double>{}, std::array{1.0, 0.0}, 0, 1000, 0.01);
    ASSERT_TRUE(r);
    EXPECT_NEAR((100 * r.y[0] * r.y[0] + r.y[1] * r.y[1]) / 100, 1, 1e-12);
}
TEST(symplectic_euler, energy_stays_bounded) {
    double worst = 0;
    std::array y{1.0, 0.0};
    for (int k = 0; k < 100; ++k) {
        y = sinew::integrate(sinew::symplectic_euler{}, oscillator<double>{}, y, 0, 10, 0.01).y;
        worst = std::fmax(worst, std::fabs((100 * y[0] * y[0] + y[1] * y[1]) / 100 - 1));
    }
    // v^2 + 100 x^2 - h 100 x v is kept: the energy differs from it by at most h 10 / 2 = 5 % of itself and a little.
    EXPECT_LT(worst, 0.11);
}
TEST(velocity_verlet, reversible) {
    auto const there = sinew::integrate(sinew::velocity_verlet{}, kepler{}, kepler::start(), 0, 3, 0.01);
    auto const back = sinew::integrate(sinew::velocity_verlet{}, kepler{}, there.y, 3, 0, 0.01);
    EXPECT_LT(distance(back.y, kepler::start()), 1e-12);
}
// Forces that depend on velocity keep the order 2.
TEST(velocity_verlet, order_with_drag) {
    auto const f = [](double, std::array<double, 2> const& y) { return std::array{y[1], -y[0] - 0.5 * y[1] * std::fabs(y[1]) - 0.3 * y[1]}; };
    auto const exact = sinew::integrate(sinew::dormand_prince_54{}, f, std::array{1.0, 0.0}, 0, 2, sinew::adaptive_steps(1e-14, 1e-14)).y;
    std::vector<double> hs, errors;
    for (int n = 50; n <= 1600; n *= 2) {
        hs.push_back(1.0 / n);
        errors.push_back(distance(sinew::integrate(sinew::velocity_verlet{}, f, std::array{1.0, 0.0}, 0, 2, 2.0 / n).y, exact));
    }
    EXPECT_NEAR(fitted_slope(hs, errors), 2, 0.15);
}

// ---- implicit methods on stiff systems

// x' = -1000 x at h = 0.1: the factor per step is (1 - 50)/(1 + 50), and 1/101.
TEST(implicit, stiff_decay) {
    auto const f = [](double, double x) { return -1000 * x; };
    auto const r = sinew::integrate(sinew::implicit_midpoint{}, f, 1.0, 0, 1, 0.1);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y, std::pow(49.0 / 51.0, 10), 1e-14);
    auto const e = sinew::integrate(sinew::implicit_euler{}, f, 1.0, 0, 1, 0.1);
    ASSERT_TRUE(e);
    EXPECT_NEAR(e.y * std::pow(101.0, 10), 1, 1e-12);
}
// A stiff and nonlinear one: van der Pol's oscillator with mu = 1000, against Dormand-Prince with tiny steps.
TEST(implicit, van_der_pol) {
    auto const f = [](double, std::array<double, 2> const& y) { return std::array{y[1], 1000 * (1 - y[0] * y[0]) * y[1] - y[0]}; };
    auto const fine = sinew::integrate(sinew::dormand_prince_54{}, f, std::array{2.0, 0.0}, 0, 10, sinew::adaptive_steps(1e-10, 1e-10));
    ASSERT_TRUE(fine);
    auto const r = sinew::integrate(sinew::implicit_euler{}, f, std::array{2.0, 0.0}, 0, 10, 0.1);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y[0], fine.y[0], 1e-6);
    EXPECT_LT(r.report.evaluations * 10, fine.report.evaluations);
}
// Components of very different size at once.
TEST(implicit, mixed_scales) {
    auto const f = [](double, std::array<double, 3> const& y) { return std::array{-1e6 * (y[0] - 1e-9 * y[1]), -y[1], 1e4 * y[1]}; };
    auto const r = sinew::integrate(sinew::implicit_midpoint{}, f, std::array{0.0, 1.0, 1e8}, 0, 1, 0.01);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y[1], std::pow((1 - 0.005) / (1 + 0.005), 100), 1e-14);
    EXPECT_NEAR(r.y[2], 1e8 + 1e4 * (1 - r.y[1]), 1e-6);
}
// No solution: y = 1 + h y^2 with h = 1.
TEST(implicit, reports_what_has_no_solution) {
    auto const f = [](double, double y) { return y * y; };
    auto const r = sinew::integrate(sinew::implicit_euler{}, f, 1.0, 0, 1, 1.0);
    EXPECT_EQ(r.report.status, sinew::ode_status::not_converged);
    EXPECT_EQ(r.y, 1.0);
    EXPECT_EQ(r.report.time, 0.0);
}
// Without room for a Jacobian a stiff step is refused, a mild one taken.
struct without_newton : sinew::implicit_midpoint {
    static constexpr std::size_t newton_limit = 0;
};
TEST(implicit, without_newton) {
    auto const f = [](double, double x) { return -1000 * x; };
    EXPECT_EQ(sinew::integrate(without_newton{}, f, 1.0, 0, 1, 0.1).report.status, sinew::ode_status::not_converged);
    auto const mild = sinew::integrate(without_newton{}, f, 1.0, 0, 0.1, 0.0005);
    ASSERT_TRUE(mild);
    EXPECT_NEAR(mild.y / std::pow((1 - 0.25) / (1 + 0.25), 200), 1, 1e-12);
}
// What a spring's length gains by an iteration its speed loses by the next: x'' = -w^2 x contracts by (w h / 2)^2 in two. One step turns (w x, v) by 2 atan(w h / 2).
TEST(implicit, spring_without_newton) {
    without_newton method;
    method.max_iterations = 250;  // 0.69 in two, for w = 100
    for (double const w : {1.0, 20.0, 70.0, 100.0}) {
        auto const f = [w](double, std::array<double, 2> const& y) { return std::array{y[1], -w * w * y[0]}; };
        for (std::array<double, 2> const start : {std::array{1.0, 0.0}, std::array{0.001, 1.0}, std::array{0.0, 1.0}}) {
            auto const r = sinew::integrate(method, f, start, 0, 1, 1.0 / 60);
            ASSERT_TRUE(r) << w << ' ' << start[0];
            double const turn = 60 * 2 * std::atan(w / 120), size = std::hypot(w * start[0], start[1]);
            EXPECT_NEAR(w * r.y[0], w * start[0] * std::cos(turn) + start[1] * std::sin(turn), 1e-11 * size) << w;
            EXPECT_NEAR(r.y[1], start[1] * std::cos(turn) - w * start[0] * std::sin(turn), 1e-11 * size) << w;
        }
    }
}

// ---- in constant expressions

template <class I>
constexpr bool swings() {
    auto const r = sinew::integrate(I{}, oscillator<double>{}, std::array{1.0, 0.0}, 0, 1, 0.01);
    return r.report.steps == 100 && r.y[0] < -0.5 && r.y[0] > -1.5;
}
static_assert(swings<sinew::euler>());
static_assert(swings<sinew::symplectic_euler>());
static_assert(swings<sinew::midpoint>());
static_assert(swings<sinew::velocity_verlet>());
static_assert(swings<sinew::rk4>());
constexpr bool implicit_decay() {
    auto const r = sinew::integrate(sinew::implicit_midpoint{}, [](double, double x) { return -1000 * x; }, 1.0, 0, 1, 0.1);
    return r.report.status == sinew::ode_status::ok && r.y > 0.67 && r.y < 0.671;
}
static_assert(implicit_decay());
constexpr bool adaptive_decay() {
    auto const r = sinew::integrate(sinew::dormand_prince_54{}, [](double, double x) { return -x; }, 1.0, 0, 1, sinew::adaptive_steps(1e-6, 1e-6));
    return r.report.status == sinew::ode_status::ok && r.y > 0.367878 && r.y < 0.367881;
}
static_assert(adaptive_decay());

// The same bits at compile time and at run time.
constexpr auto at_compile_time = sinew::integrate(sinew::rk4{}, oscillator<double>{}, std::array{1.0, 0.0}, 0, 1, 0.01);
TEST(constant_evaluation, same_bits) {
    auto const r = sinew::integrate(sinew::rk4{}, oscillator<double>{}, std::array{1.0, 0.0}, 0, 1, 0.01);
    EXPECT_EQ(r.y, at_compile_time.y);
}

}  // namespace
