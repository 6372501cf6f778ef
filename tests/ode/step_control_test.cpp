// How long a step may be: the formula and its limits, and what it is for: every step kept is within the tolerance.

#include "reference_problems.hpp"

#include <sinew/ode/dormand_prince_54.hpp>
#include <sinew/ode/euler.hpp>
#include <sinew/ode/implicit_midpoint.hpp>
#include <sinew/ode/integrate.hpp>
#include <sinew/ode/midpoint.hpp>
#include <sinew/ode/ode_solver.hpp>
#include <sinew/ode/rk4.hpp>
#include <sinew/ode/step_control.hpp>
#include <sinew/ode/velocity_verlet.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace {

using sinew::adaptive_steps;
using sinew::fixed_steps;
using sinew::integrate;
using sinew::is_valid;
using sinew::ode_status;
using sinew::rk4;
using sinew::step_parameters;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

// ---- parameters

template <class S>
class parameters : public testing::Test {};
using numbers = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(parameters, numbers);

TYPED_TEST(parameters, ranges) {
    using S = TypeParam;
    static_assert(is_valid(step_parameters<S>{}));
    static_assert(is_valid(fixed_steps(S(0.01L))));
    static_assert(is_valid(adaptive_steps(S(0), S(1e-3L))) && is_valid(adaptive_steps(S(1e-3L), S(0))));
    static_assert(!is_valid(adaptive_steps(S(0), S(0))));
    static_assert(fixed_steps(S(2)).mode == sinew::stepping::fixed && fixed_steps(S(2)).initial_step == S(2));
    static_assert(adaptive_steps(S(2), S(3)).mode == sinew::stepping::adaptive);
    S const endless = std::numeric_limits<S>::infinity(), none = std::numeric_limits<S>::quiet_NaN();
    auto const valid = [](auto change, S x) {
        step_parameters<S> p;
        change(p) = x;
        return is_valid(p);
    };
    auto const expect_from_zero = [&](auto member, bool zero_is_fine, bool endless_is_fine) {
        EXPECT_TRUE(valid(member, S(0.5L)));
        EXPECT_EQ(valid(member, S(0)), zero_is_fine);
        EXPECT_EQ(valid(member, endless), endless_is_fine);
        EXPECT_FALSE(valid(member, S(-1)));
        EXPECT_FALSE(valid(member, none));
        EXPECT_FALSE(valid(member, -endless));
    };
    expect_from_zero([](auto& p) -> S& { return p.absolute_error; }, true, false);
    expect_from_zero([](auto& p) -> S& { return p.relative_error; }, true, false);
    expect_from_zero([](auto& p) -> S& { return p.initial_step; }, true, false);
    expect_from_zero([](auto& p) -> S& { return p.min_step; }, true, false);
    expect_from_zero([](auto& p) -> S& { return p.event_tolerance; }, true, false);
    expect_from_zero([](auto& p) -> S& { return p.max_step; }, false, true);
    expect_from_zero([](auto& p) -> S& { return p.safety; }, false, false);
    EXPECT_TRUE(valid([](auto& p) -> S& { return p.safety; }, S(1)));
    EXPECT_FALSE(valid([](auto& p) -> S& { return p.safety; }, S(1.001L)));
    for (auto const member : {+[](step_parameters<S>& p) -> S& { return p.max_growth; }, +[](step_parameters<S>& p) -> S& { return p.max_shrink; }}) {
        EXPECT_TRUE(valid(member, S(1.5L)));
        for (S const x : {S(1), S(0.5L), S(0), S(-2), none, endless}) EXPECT_FALSE(valid(member, x)) << static_cast<double>(x);
    }
    step_parameters<S> p;
    p.min_step = 2;
    p.max_step = 1;
    EXPECT_FALSE(is_valid(p));
    p.max_step = 2;
    EXPECT_TRUE(is_valid(p));
}
// A step that is none is refused before anything is evaluated, and the problem keeps its state.
TEST(parameters_of_a_solver, steps_that_are_none) {
    struct watched {
        using scalar_type = double;
        double y = 3;
        int evaluations = 0;
        std::size_t dimension() const { return 1; }
        void get_state(std::span<double> out) const { out[0] = y; }
        void set_state(std::span<double const> in) { y = in[0]; }
        sinew::derivative_status derivative(double, std::span<double> d) {
            ++evaluations;
            d[0] = 1;
            return sinew::derivative_status::regular;
        }
    };
    for (double const h : {0.0, -0.0, -1.0, inf, -inf, nan_}) {
        watched p;
        sinew::ode_solver solver(p, rk4{}, fixed_steps(h));
        auto const r = solver.advance(1);
        EXPECT_EQ(r.status, ode_status::bad_step) << h;
        EXPECT_EQ(r.time, 0);
        EXPECT_EQ(p.evaluations, 0);
        EXPECT_EQ(p.y, 3);
        EXPECT_EQ(solver.transacted_advance(1).status, ode_status::bad_step);
        EXPECT_EQ(p.y, 3);
        // Put right, the same solver goes on.
        solver.parameters.initial_step = 0.25;
        EXPECT_TRUE(solver.advance(1));
        EXPECT_EQ(p.y, 4);
    }
}

// ---- the error in units of what is tolerated

template <class S>
S scaled(step_parameters<S> const& p, std::vector<S> const& error, std::vector<S> y, std::vector<S> y1) {
    using sinew::state_view;
    return sinew::detail::scaled_error(p, error, state_view<S>(y.data(), y.size()), state_view<S>(y1.data(), y1.size()));
}
TYPED_TEST(parameters, scaled_error) {
    using S = TypeParam;
    auto const p = adaptive_steps(S(0.5L), S(0.25L));
    // 0.5 + 0.25 max(|y|, |y1|) is tolerated of each; the largest counts.
    EXPECT_EQ(scaled<S>(p, {1}, {2}, {-6}), S(0.5L));
    EXPECT_EQ(scaled<S>(p, {-1}, {-6}, {2}), S(0.5L));
    EXPECT_EQ(scaled<S>(p, {1, -4, 0}, {2, 6, 0}, {2, 6, 0}), S(2));
    EXPECT_EQ(scaled<S>(p, {}, {}, {}), S(0));
    EXPECT_EQ(scaled<S>(adaptive_steps(S(0), S(1)), {0}, {0}, {0}), S(0)) << "no error of nothing is no error";
    EXPECT_EQ(scaled<S>(adaptive_steps(S(0), S(1)), {1}, {0}, {0}), std::numeric_limits<S>::infinity());
    S const none = std::numeric_limits<S>::quiet_NaN();
    for (auto const& error : {std::vector<S>{none, 1}, {1, none}, {none, none}}) EXPECT_TRUE(std::isnan(scaled<S>(p, error, {1, 1}, {1, 1})));
}

// ---- the factor from one step to the next (Vondrak 2005, eq. 2.3)

TEST(growth, formula) {
    step_parameters<double> const p;
    for (int const order : {1, 2, 4}) {
        for (double const e : {0.9, 0.5, 0.1, 0.02}) {
            sinew::detail::growth_control<double> control;
            control.restart();
            double const expected = std::fmin(p.safety * std::pow(e, -1.0 / (order + 1)), p.max_growth);
            EXPECT_NEAR(control.accept(p, e, order, false), expected, 1e-14) << order << " " << e;
        }
        for (double const e : {1.1, 2.0, 10.0, 100.0}) {
            sinew::detail::growth_control<double> control;
            control.restart();
            double const expected = std::fmin(std::fmax(p.safety * std::pow(e, -1.0 / (order + 1)), 1 / p.max_shrink), p.safety);
            EXPECT_NEAR(control.reject(p, e, order, false), expected, 1e-14) << order << " " << e;
        }
    }
}
TEST(growth, limits) {
    step_parameters<double> p;
    p.max_growth = 3;
    p.max_shrink = 4;
    for (bool const proportional : {false, true}) {
        sinew::detail::growth_control<double> control;
        control.restart();
        EXPECT_EQ(control.accept(p, 0, 4, proportional), 3) << "no error at all";
        EXPECT_EQ(control.accept(p, 1e-300, 4, proportional), 3);
        for (double const e : {inf, nan_, 1e300}) EXPECT_EQ(control.reject(p, e, 4, proportional), 0.25) << e;
        // Right after a rejection the step does not grow; after that it may again.
        EXPECT_EQ(control.accept(p, 1e-9, 4, proportional), 1);
        EXPECT_GT(control.accept(p, 1e-9, 4, proportional), 1);
        // A rejection always shortens.
        EXPECT_LE(control.reject(p, 1.0000001, 4, proportional), p.safety);
        EXPECT_LE(control.reject(p, nan_, 4, proportional), p.safety);
        // With the largest error that is kept, the next step is no longer.
        control.restart();
        EXPECT_LT(control.accept(p, 1, 4, proportional), 1);
    }
}
// An error that grows from step to step shortens sooner than the error alone would (PI control).
TEST(growth, looks_at_the_step_before) {
    step_parameters<double> const p;
    auto const after = [&](double before) {
        sinew::detail::growth_control<double> control;
        control.restart();
        (void)control.accept(p, before, 4, true);
        return control.accept(p, 0.1, 4, true);
    };
    EXPECT_LT(after(0.01), after(0.1));
    EXPECT_LT(after(0.1), after(0.9));
    EXPECT_NEAR(after(0.1), 0.9 * std::pow(0.1, -(0.2 - 0.03)) * std::pow(0.1, 0.04), 1e-14);
}

// ---- every step is within the tolerance

// The end of every step kept, and what the exact solution makes of its start: x'' = -x, a turn of the state.
struct turning {
    using scalar_type = double;
    std::array<double, 2> y{1, 0};
    std::size_t dimension() const { return 2; }
    void get_state(std::span<double> out) const { out[0] = y[0], out[1] = y[1]; }
    void set_state(std::span<double const> in) { y = {in[0], in[1]}; }
    sinew::derivative_status derivative(double, std::span<double> d) {
        d[0] = y[1], d[1] = -y[0];
        return sinew::derivative_status::regular;
    }
};
struct local_errors {
    double largest = 0, sum = 0;
    std::size_t steps = 0;
};
template <class Integrator>
local_errors errors_of_steps(step_parameters<double> parameters, double end) {
    local_errors r;
    turning p;
    sinew::ode_solver solver(p, Integrator{}, parameters);
    solver.parameters.max_steps = 1;
    double t = 0;
    while (t < end) {
        auto const before = p.y;
        auto const report = solver.advance(end);
        EXPECT_TRUE(report.status == ode_status::too_many_steps || report.status == ode_status::ok);
        EXPECT_EQ(report.steps, 1u);
        if (report.steps != 1) break;
        double const c = std::cos(report.time - t), s = std::sin(report.time - t);
        double const error = std::fmax(std::fabs(p.y[0] - (c * before[0] + s * before[1])), std::fabs(p.y[1] - (c * before[1] - s * before[0])));
        r.largest = std::fmax(r.largest, error);
        r.sum += error;
        ++r.steps;
        t = report.time;
    }
    return r;
}
template <class Integrator>
class controlled : public testing::Test {};
using methods = testing::Types<sinew::euler, sinew::midpoint, sinew::velocity_verlet, sinew::implicit_midpoint, rk4, sinew::dormand_prince_54>;
TYPED_TEST_SUITE(controlled, methods);

TYPED_TEST(controlled, local_errors_stay_within_the_tolerance) {
    for (double const tolerance : {1e-3, 1e-5, 1e-7}) {
        if (TypeParam::order == 1 && tolerance < 1e-5) continue;  // a million steps
        auto const e = errors_of_steps<TypeParam>(adaptive_steps(tolerance, 0), 5);
        // Step doubling estimates 2^n - 1 times the error of the two halves that are kept: for order 1 that error itself.
        // What is left out is of the next order in h.
        EXPECT_LE(e.largest, 1.1 * tolerance) << tolerance;
        EXPECT_GE(e.largest, tolerance / 2000) << "not by steps much too short";
        EXPECT_GT(e.steps, 2u);
    }
}
// Relative to the size of the state, whatever that is.
TYPED_TEST(controlled, relative_tolerance_does_not_know_units) {
    auto const run = [](double size) {
        return integrate(TypeParam{}, [](double, std::array<double, 2> const& y) { return std::array{-y[0], -y[0] - y[1]}; }, std::array{size, size}, 0, 1,
                         adaptive_steps(0.0, 1e-4));
    };
    auto const one = run(1);
    for (double const size : {std::ldexp(1.0, 40), std::ldexp(1.0, -40)}) {
        auto const other = run(size);
        EXPECT_EQ(other.report.steps, one.report.steps);
        EXPECT_EQ(other.y[0], one.y[0] * size);
    }
    EXPECT_NEAR(one.y[0], std::exp(-1.0), 5e-3);
}
TYPED_TEST(controlled, limits_of_the_step) {
    auto const constant = [](double, std::array<double, 2> const&) { return std::array{1.0, 1.0}; };
    auto p = adaptive_steps(1e-2, 1e-2);
    p.max_step = 0.0625;
    auto const r = integrate(TypeParam{}, constant, std::array{0.0, 0.0}, 0, 1, p);
    ASSERT_TRUE(r);
    EXPECT_GE(r.report.steps, 16u);
    EXPECT_LE(r.report.smallest_step, 0.0625);
    // A first step that is given is tried.
    auto q = adaptive_steps(1e-2, 1e-2);
    q.initial_step = 1e-3;
    q.max_growth = 2;
    auto const s = integrate(TypeParam{}, constant, std::array{0.0, 0.0}, 0, 1, q);
    ASSERT_TRUE(s);
    EXPECT_NEAR(s.report.smallest_step, 1e-3, 1e-18);
    // Doubled from 1/1000 on: 1 s is reached after ten, or one more since the last is divided in two.
    EXPECT_GE(s.report.steps, 10u);
    EXPECT_LE(s.report.steps, 12u);
}
// Without steps there is no error, and no division by what is left.
TYPED_TEST(controlled, nothing_moves) {
    auto const r = integrate(TypeParam{}, [](double, std::array<double, 2> const&) { return std::array{0.0, 0.0}; }, std::array{1.0, 0.0}, 0, 1000, adaptive_steps(1e-9, 1e-9));
    ASSERT_TRUE(r);
    EXPECT_EQ(r.y, (std::array{1.0, 0.0}));
    EXPECT_LT(r.report.steps, 30u);
    EXPECT_EQ(r.report.rejections, 0u);
}
// A kick that comes out of nowhere: steps are taken back until they resolve it, and grow again behind it.
TYPED_TEST(controlled, a_sudden_kick) {
    if (TypeParam::order == 1) return;
    auto const kick = [](double t, std::array<double, 2> const& y) { return std::array{y[1], std::exp(-std::pow((t - 5) / 0.01, 2))}; };
    auto p = adaptive_steps(1e-6, 0);
    p.max_step = 0.02;  // not to step over it
    auto const r = integrate(TypeParam{}, kick, std::array{0.0, 0.0}, 0, 10, p);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y[1], 0.01 * std::sqrt(3.14159265358979324), 3e-5);
    EXPECT_GT(r.report.rejections, 0u);
    EXPECT_LT(r.report.smallest_step, 0.01);
    EXPECT_LT(r.report.steps, 1500u);
}
// Tighter is better, down to rounding.
TYPED_TEST(controlled, global_error_falls_with_the_tolerance) {
    double last = inf;
    for (double tolerance = 1e-2; tolerance > 1e-6; tolerance /= 8) {
        auto const e = errors_of_steps<TypeParam>(adaptive_steps(tolerance, 0), 2);
        EXPECT_LT(e.sum, last);
        last = e.sum;
    }
}

}  // namespace
