// The driver: step control, counts, rollback at invalid states, impulses, transactions.

#include "reference_problems.hpp"

#include <sinew/math/batch.hpp>
#include <sinew/ode/dormand_prince_54.hpp>
#include <sinew/ode/euler.hpp>
#include <sinew/ode/implicit_midpoint.hpp>
#include <sinew/ode/integrate.hpp>
#include <sinew/ode/midpoint.hpp>
#include <sinew/ode/ode_solver.hpp>
#include <sinew/ode/rk4.hpp>
#include <sinew/ode/symplectic_euler.hpp>
#include <sinew/ode/velocity_verlet.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace {

using namespace reference;
using sinew::derivative_status;
using sinew::ode_status;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

// Counts its evaluations.
struct counted {
    using scalar_type = double;
    std::array<double, 2> y{1, 0};
    std::size_t evaluations = 0;
    std::size_t dimension() const { return 2; }
    void get_state(std::span<double> out) const { out[0] = y[0], out[1] = y[1]; }
    void set_state(std::span<double const> in) { y = {in[0], in[1]}; }
    derivative_status derivative(double, std::span<double> d) {
        ++evaluations;
        d[0] = y[1], d[1] = -100 * y[0];
        return derivative_status::regular;
    }
};

// ---- counts

template <class I>
void expect_evaluations(std::size_t of_a_function, std::size_t of_a_problem) {
    std::size_t calls = 0;
    auto const f = [&calls](double, std::array<double, 2> const& y) {
        ++calls;
        return std::array{y[1], -100 * y[0]};
    };
    auto const r = sinew::integrate(I{}, f, std::array{1.0, 0.0}, 0, 1, 0.01);
    EXPECT_EQ(calls, of_a_function);
    EXPECT_EQ(r.report.evaluations, calls);
    EXPECT_EQ(r.report.steps, 100u);
    EXPECT_EQ(r.report.rejections, 0u);

    counted p;
    sinew::ode_solver solver(p, I{}, sinew::fixed_steps(0.01));
    auto const report = solver.advance(1);
    EXPECT_TRUE(report);
    EXPECT_EQ(p.evaluations, of_a_problem);
    EXPECT_EQ(report.evaluations, p.evaluations);
    EXPECT_EQ(p.y, r.y);
}
// A problem may refuse a state, so that the last one is evaluated too; it is the next advance's first derivative.
TEST(counts, evaluations) {
    expect_evaluations<sinew::euler>(100, 101);
    expect_evaluations<sinew::symplectic_euler>(200, 201);
    expect_evaluations<sinew::midpoint>(200, 201);
    expect_evaluations<sinew::velocity_verlet>(300, 301);
    expect_evaluations<sinew::rk4>(400, 401);
    expect_evaluations<sinew::dormand_prince_54>(601, 601);
}
TEST(counts, adaptive) {
    counted p;
    sinew::ode_solver solver(p, sinew::rk4{}, sinew::adaptive_steps(1e-8, 1e-8));
    auto const a = solver.advance(1);
    EXPECT_TRUE(a);
    EXPECT_EQ(a.evaluations, p.evaluations);
    // The first derivative, one to estimate the step, then 10 for each attempt and one at the end of each step kept.
    EXPECT_EQ(a.evaluations, 2 + 10 * (a.steps + a.rejections) + a.steps);
    auto const b = solver.advance(2);
    EXPECT_EQ(a.evaluations + b.evaluations, p.evaluations);
    EXPECT_EQ(b.evaluations, 10 * (b.steps + b.rejections) + b.steps);
}
struct split_oscillator : counted {
    static constexpr bool always_regular = true;
    std::size_t cheap = 0;
    void position_rate(double, std::span<double> dq) { ++cheap, dq[0] = y[1]; }
};
TEST(counts, positions_rate_saves_an_evaluation) {
    split_oscillator p;
    sinew::ode_solver solver(p, sinew::symplectic_euler{}, sinew::fixed_steps(0.01));
    EXPECT_TRUE(solver.advance(1));
    EXPECT_EQ(p.evaluations, 100u);
    EXPECT_EQ(p.cheap, 100u);
    EXPECT_NEAR(p.y[0], -0.809384821133212, 2e-15);
}
// Steps that divide the interval in exact arithmetic are counted as such, for any decimal step.
TEST(counts, whole_steps) {
    for (int n : {1, 2, 3, 7, 10, 49, 100, 1000, 12345}) {
        for (double h : {0.1, 0.01, 1.0 / 3, 1.0 / 60, 1e-5, 0.3, 7.7}) {
            for (double t0 : {0.0, 1.0, -12.3, 1e5}) {
                auto const c = sinew::detail::count_steps(t0, t0 + n * h, h);
                EXPECT_EQ(c.steps, static_cast<std::uint64_t>(n)) << t0 << " " << h;
                EXPECT_TRUE(c.whole);
                auto const f = sinew::detail::count_steps(0.0f, static_cast<float>(n * h), static_cast<float>(h));
                EXPECT_EQ(f.steps, static_cast<std::uint64_t>(n)) << h;
            }
        }
    }
    EXPECT_EQ(sinew::detail::count_steps(0.0, 1.0, 0.3).steps, 4u);
    EXPECT_FALSE(sinew::detail::count_steps(0.0, 1.0, 0.3).whole);
    EXPECT_EQ(sinew::detail::count_steps(0.0, 1e-300, 0.3).steps, 1u);
    EXPECT_EQ(sinew::detail::count_steps(0.0, 1e300, 1e-300).steps, 0u);
}
TEST(counts, the_last_step_is_shortened) {
    auto const r = sinew::integrate(sinew::rk4{}, [](double t, double) { return t; }, 0.0, 0, 1, 0.3);
    EXPECT_EQ(r.report.steps, 4u);
    EXPECT_EQ(r.report.time, 1.0);
    EXPECT_NEAR(r.report.smallest_step, 0.1, 1e-15);
    EXPECT_NEAR(r.y, 0.5, 1e-15);
}
TEST(fixed_steps, go_back_in_time) {
    auto const there = sinew::integrate(sinew::rk4{}, oscillator<double>{}, std::array{1.0, 0.0}, 2, 3, 0.01);
    auto const back = sinew::integrate(sinew::rk4{}, oscillator<double>{}, there.y, 3, 2, 0.01);
    ASSERT_TRUE(back);
    EXPECT_EQ(back.report.time, 2.0);
    EXPECT_EQ(back.report.steps, 100u);
    EXPECT_NEAR(back.y[0], 1, 1e-5);
    auto const f = [](double t, double) { return std::cos(t); };
    EXPECT_NEAR(sinew::integrate(sinew::dormand_prince_54{}, f, 0.0, 0, -2, sinew::adaptive_steps(1e-12, 1e-12)).y, std::sin(-2.0), 1e-11);
}
TEST(fixed_steps, continue_where_they_ended) {
    counted once, twice;
    sinew::ode_solver a(once, sinew::rk4{}, sinew::fixed_steps(0.125));
    sinew::ode_solver b(twice, sinew::rk4{}, sinew::fixed_steps(0.125));
    EXPECT_TRUE(a.advance(2));
    EXPECT_TRUE(b.advance(1));
    EXPECT_TRUE(b.advance(2));
    EXPECT_EQ(once.y, twice.y);
    EXPECT_EQ(once.evaluations, twice.evaluations);
    EXPECT_EQ(b.time(), 2.0);
}

// ---- adaptive steps

// The global error follows the tolerance, the work its fifth root.
TEST(adaptive, dormand_prince_meets_tolerances) {
    std::vector<double> tolerances, work;
    for (double tolerance = 1e-4; tolerance > 1e-12; tolerance /= 10) {
        auto const r = sinew::integrate(sinew::dormand_prince_54{}, kepler{}, kepler::start(), 0.0, kepler::time_at(6.0), sinew::adaptive_steps(tolerance, tolerance));
        ASSERT_TRUE(r);
        EXPECT_LT(distance(r.y, kepler::at(6.0)), 300 * tolerance) << tolerance;
        tolerances.push_back(tolerance);
        work.push_back(static_cast<double>(r.report.evaluations));
    }
    EXPECT_NEAR(fitted_slope(tolerances, work), -0.2, 0.03);
}
template <class I>
struct doubling : testing::Test {};
using doubled = testing::Types<sinew::midpoint, sinew::velocity_verlet, sinew::implicit_midpoint, sinew::rk4>;
TYPED_TEST_SUITE(doubling, doubled);
TYPED_TEST(doubling, meets_tolerances) {
    std::vector<double> tolerances, work;
    for (double tolerance = 1e-4; tolerance > 3e-9; tolerance /= 10) {
        auto const r = sinew::integrate(TypeParam{}, kepler{}, kepler::start(), 0.0, kepler::time_at(10.0), sinew::adaptive_steps(tolerance, tolerance));
        ASSERT_TRUE(r);
        // The number of steps grows as tolerance^(-1/(p+1)), and the error as their sum.
        double const steps = std::pow(tolerance, -1.0 / (TypeParam::order + 1));
        EXPECT_LT(distance(r.y, kepler::at(10.0)), 30 * steps * tolerance) << tolerance;
        tolerances.push_back(tolerance);
        work.push_back(static_cast<double>(r.report.steps));
    }
    EXPECT_NEAR(fitted_slope(tolerances, work), -1.0 / (TypeParam::order + 1), 0.04);
}
TYPED_TEST(doubling, extrapolation_gains) {
    auto parameters = sinew::adaptive_steps(1e-7, 1e-7);
    auto const plain = sinew::integrate(TypeParam{}, kepler{}, kepler::start(), 0.0, kepler::time_at(10.0), parameters);
    parameters.extrapolate = true;
    auto const better = sinew::integrate(TypeParam{}, kepler{}, kepler::start(), 0.0, kepler::time_at(10.0), parameters);
    EXPECT_LT(distance(better.y, kepler::at(10.0)), distance(plain.y, kepler::at(10.0)) / 2);
}
TEST(adaptive, steps_follow_the_solution) {
    // Short at the perihelion, long at the aphelion.
    auto f = kepler{};
    sinew::function_problem<kepler&, std::array<double, 4>> p(f, kepler::at(0.5));
    sinew::ode_solver solver(p, sinew::dormand_prince_54{}, sinew::adaptive_steps(1e-9, 1e-9), kepler::time_at(0.5));
    ASSERT_TRUE(solver.advance(kepler::time_at(3.14)));
    double const far = solver.next_step();
    ASSERT_TRUE(solver.advance(kepler::time_at(6.28)));
    EXPECT_LT(solver.next_step() * 4, far);
}
TEST(adaptive, stiff) {
    auto const f = [](double t, double y) { return -200 * (y - std::cos(t)); };
    auto const r = sinew::integrate(sinew::dormand_prince_54{}, f, 0.0, 0, 2, sinew::adaptive_steps(1e-7, 1e-7));
    ASSERT_TRUE(r);
    double const exact = 200.0 / (200.0 * 200 + 1) * (200 * std::cos(2.0) + std::sin(2.0));
    EXPECT_NEAR(r.y, exact, 1e-6);
    // Bound by stability, h = 3.3 / 200, not by accuracy.
    EXPECT_GT(r.report.steps, 80u);
    EXPECT_LT(r.report.steps, 400u);
}
// A step of length h over a jump J at the fraction s of it is off by (sum of the b_i after s - (1 - s)) h J, and its estimate by
// (sum of the e_i after s) h J. From the tableau their ratio is at worst 170: for jumps at 0.2 < s < 0.3.
TEST(adaptive, discontinuous) {
    auto const f = [](double t, double) { return t < 0.7 ? 1.0 : -3.0; };
    for (double tolerance : {1e-4, 1e-6, 1e-8}) {
        auto const r = sinew::integrate(sinew::dormand_prince_54{}, f, 0.0, 0, 2, sinew::adaptive_steps(tolerance, tolerance));
        ASSERT_TRUE(r);
        EXPECT_GT(r.report.rejections, 0u);
        EXPECT_NEAR(r.y, 0.7 - 3 * 1.3, 170 * tolerance * (1 + 0.7));
    }
}
TEST(adaptive, limits_are_kept) {
    auto parameters = sinew::adaptive_steps(1e-3, 1e-3);
    parameters.max_step = 0.05;
    auto r = sinew::integrate(sinew::dormand_prince_54{}, [](double, double) { return 1.0; }, 0.0, 0, 1, parameters);
    EXPECT_GE(r.report.steps, 20u);
    parameters = sinew::adaptive_steps(1e-12, 1e-12);
    parameters.min_step = 0.01;
    r = sinew::integrate(sinew::rk4{}, [](double t, double) { return std::cos(100 * t); }, 0.0, 0, 1, parameters);
    EXPECT_EQ(r.report.status, ode_status::step_too_small);
    EXPECT_LT(r.report.time, 1);
    parameters = sinew::adaptive_steps(1e-6, 1e-6);
    parameters.max_steps = 5;
    r = sinew::integrate(sinew::rk4{}, [](double t, double) { return std::cos(100 * t); }, 0.0, 0, 1, parameters);
    EXPECT_EQ(r.report.status, ode_status::too_many_steps);
    EXPECT_EQ(r.report.steps, 5u);
    EXPECT_GT(r.report.time, 0);
}
// y' = y^2 ends at t = 1: never an endless loop.
TEST(adaptive, blow_up_ends) {
    auto const r = sinew::integrate(sinew::dormand_prince_54{}, [](double, double y) { return y * y; }, 1.0, 0, 2, sinew::adaptive_steps(1e-8, 1e-8));
    EXPECT_FALSE(r);
    EXPECT_NEAR(r.report.time, 1, 1e-6);
    EXPECT_TRUE(std::isfinite(r.y));
    EXPECT_LT(r.report.steps + r.report.rejections, 5000u);
}
// A first step that overflows is shortened.
TEST(adaptive, recovers_from_a_wild_first_step) {
    auto parameters = sinew::adaptive_steps(1e-8, 1e-8);
    parameters.initial_step = 10;
    auto const r = sinew::integrate(sinew::rk4{}, [](double, double y) { return -y * y * y * y * y; }, 1.0, 0, 10, parameters);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y, std::pow(41.0, -0.25), 1e-7);
}
TEST(adaptive, float_and_long_double) {
    auto const r = sinew::integrate(sinew::dormand_prince_54{}, oscillator<float>{}, std::array{1.0f, 0.0f}, 0, 1, sinew::step_parameters<float>{});
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y[0], -0.839071529076452f, 1e-3f);
    auto const l = sinew::integrate(sinew::dormand_prince_54{}, oscillator<long double>{}, std::array{1.0L, 0.0L}, 0, 1, sinew::adaptive_steps(1e-15L, 1e-15L));
    ASSERT_TRUE(l);
    EXPECT_NEAR(static_cast<double>(l.y[0]), -0.839071529076452, 1e-13);
}

// ---- states that the problem refuses

// A stone above the ground, which it must not enter; or, with `bounces`, the ground throws it back.
struct stone {
    using scalar_type = double;
    double height = 1, speed = 0;  // m, m/s upwards
    double restitution = 0;
    bool bounces = false;
    double contact = 1e-9;  // m, nearer than this is contact
    std::size_t evaluations = 0;
    std::size_t dimension() const { return 2; }
    void get_state(std::span<double> y) const { y[0] = height, y[1] = speed; }
    void set_state(std::span<double const> y) { height = y[0], speed = y[1]; }
    derivative_status derivative(double, std::span<double> d, sinew::state_kind kind) {
        ++evaluations;
        bool const hits = bounces && kind == sinew::state_kind::regular && height < contact && speed < 0;
        if (hits) speed = -restitution * speed;
        d[0] = speed, d[1] = -9.81;
        if (height < 0) return derivative_status::invalid;
        return hits ? derivative_status::changed : derivative_status::regular;
    }
};

template <class I>
void expect_impact(sinew::step_parameters<double> parameters, double accuracy) {
    for (double tolerance : {1e-3, 1e-6, 1e-9, 0.0}) {
        parameters.event_tolerance = tolerance;
        stone s;
        sinew::ode_solver solver(s, I{}, parameters);
        auto const r = solver.advance(10);
        double const impact = std::sqrt(2 / 9.81);
        EXPECT_EQ(r.status, ode_status::invalid_state);
        EXPECT_NEAR(r.time, impact, tolerance + accuracy);
        EXPECT_EQ(r.event_begin, r.time);
        EXPECT_GT(r.event_end, r.time);
        EXPECT_LE(r.event_end - r.event_begin, std::fmax(tolerance, 1e-14));
        EXPECT_GE(s.height, 0);
        EXPECT_LE(s.height, 4.5 * (tolerance + accuracy));
        EXPECT_EQ(r.evaluations, s.evaluations);
        EXPECT_EQ(solver.time(), r.time);
        // Stuck here until something changes.
        auto const again = solver.advance(10);
        EXPECT_EQ(again.status, ode_status::invalid_state);
        EXPECT_LE(again.time - r.time, std::fmax(tolerance, 1e-14));
    }
}
// Rows of lanes go through time together: fixed steps are those of each alone, adaptive ones those of the worst.
TEST(lanes, of_a_state_go_through_time_together) {
    using lanes = sinew::batch<double, 4>;
    auto const swing = [](auto const&, auto const& y) {
        auto r = y;
        r[0] = y[1];
        r[1] = -y[0];
        return r;
    };
    std::array<lanes, 2> wide{lanes(0), lanes(0)};
    for (std::size_t i = 0; i < 4; ++i) wide[0][i] = 1 + static_cast<double>(i);
    auto const steps = [&](auto const& integrator) {
        auto const all = sinew::integrate(integrator, swing, wide, 0.0, 2.0, 0.03125);
        ASSERT_EQ(all.report.status, ode_status::ok);
        for (std::size_t i = 0; i < 4; ++i) {
            auto const alone = sinew::integrate(integrator, swing, std::array<double, 2>{wide[0][i], 0}, 0.0, 2.0, 0.03125);
            EXPECT_EQ(all.y[0][i], alone.y[0]);
            EXPECT_EQ(all.y[1][i], alone.y[1]);
        }
    };
    steps(sinew::rk4{});
    steps(sinew::velocity_verlet{});
    auto const all = sinew::integrate(sinew::dormand_prince_54{}, swing, wide, 0.0, 2.0, sinew::adaptive_steps(1e-9, 0.0));
    auto const worst = sinew::integrate(sinew::dormand_prince_54{}, swing, std::array<double, 2>{4, 0}, 0.0, 2.0, sinew::adaptive_steps(1e-9, 0.0));
    ASSERT_EQ(all.report.status, ode_status::ok);
    EXPECT_EQ(all.report.steps, worst.report.steps);
    EXPECT_EQ(all.y[0][3], worst.y[0]);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(all.y[0][i], wide[0][i] * std::cos(2.0), 1e-7);
    // An event is asked of one lane.
    auto const met = sinew::integrate(sinew::rk4{}, swing, wide, 0.0, 5.0, sinew::fixed_steps(0.03125), sinew::stop_when([](auto const&, auto const& y) { return y[0][2]; }));
    EXPECT_EQ(met.report.status, ode_status::event);
    EXPECT_NEAR(met.report.time, std::acos(0.0), 1e-6);
}

TEST(invalid_state, is_located_by_bisection) {
    expect_impact<sinew::rk4>(sinew::fixed_steps(0.1), 1e-14);
    expect_impact<sinew::rk4>(sinew::fixed_steps(10.0), 1e-14);
    expect_impact<sinew::midpoint>(sinew::fixed_steps(0.01), 1e-14);
    expect_impact<sinew::implicit_midpoint>(sinew::fixed_steps(0.03), 1e-14);
    expect_impact<sinew::rk4>(sinew::adaptive_steps(1e-9, 1e-9), 1e-8);
    expect_impact<sinew::dormand_prince_54>(sinew::adaptive_steps(1e-9, 1e-9), 1e-8);
}
// The simulator's loop: stop at the ground, throw back, go on. The apex after bounce n is e^(2n).
TEST(invalid_state, bouncing_by_restarts) {
    double const e = 0.8;
    stone s;
    sinew::ode_solver solver(s, sinew::rk4{}, sinew::fixed_steps(0.01));
    double impact = std::sqrt(2 / 9.81);
    double speed = std::sqrt(2 * 9.81);
    for (int n = 1; n <= 20; ++n) {
        auto const r = solver.advance(100);
        ASSERT_EQ(r.status, ode_status::invalid_state);
        EXPECT_NEAR(r.time, impact, 1e-12) << n;
        s.speed = -e * s.speed;
        EXPECT_NEAR(s.speed * s.speed / (2 * 9.81), std::pow(e, 2 * n), 1e-12);
        ASSERT_EQ(solver.restart(r.time), ode_status::ok);
        speed *= e;
        impact += 2 * speed / 9.81;
    }
    // The sum of all flights, 4.0637 s: what is left after 20 of them.
    EXPECT_NEAR(4.06371276887158 - impact, 2 * speed / 9.81 * e / (1 - e), 1e-12);
}
// The problem throws back by itself: it answers `changed`, and one advance runs through all bounces.
TEST(invalid_state, bouncing_by_impulses) {
    stone s;
    s.bounces = true;
    s.restitution = 0.8;
    sinew::ode_solver solver(s, sinew::rk4{}, sinew::fixed_steps(0.01));
    double t = std::sqrt(2 / 9.81), v = std::sqrt(2 * 9.81);
    for (int n = 1; n <= 10; ++n) {
        v *= 0.8;
        auto const r = solver.advance(t + v / 9.81);  // the apex
        ASSERT_TRUE(r);
        EXPECT_NEAR(s.height, std::pow(0.8, 2 * n), 1e-7) << n;
        EXPECT_NEAR(s.speed, 0, 1e-6);
        t += 2 * v / 9.81;
    }
    auto adaptive = sinew::ode_solver(s, sinew::dormand_prince_54{}, sinew::adaptive_steps(1e-10, 1e-10));
    s.height = 1, s.speed = 0;
    ASSERT_TRUE(adaptive.advance(std::sqrt(2 / 9.81) * (1 + 0.8)));
    EXPECT_NEAR(s.height, 0.64, 1e-7);
}
TEST(invalid_state, at_the_start) {
    stone s;
    s.height = -1;
    sinew::ode_solver solver(s, sinew::rk4{}, sinew::fixed_steps(0.1));
    auto const r = solver.advance(1);
    EXPECT_EQ(r.status, ode_status::invalid_state);
    EXPECT_EQ(r.time, 0);
    EXPECT_EQ(s.height, -1);
}

// ---- one step

template <class I>
struct one_step : testing::Test {};
using steppers = testing::Types<sinew::euler, sinew::symplectic_euler, sinew::midpoint, sinew::velocity_verlet, sinew::implicit_midpoint, sinew::rk4,
                                sinew::dormand_prince_54>;
TYPED_TEST_SUITE(one_step, steppers);
TYPED_TEST(one_step, equals_the_driver) {
    counted a, b;
    typename TypeParam::template workspace<std::vector<double>> w;
    for (int k = 0; k < 8; ++k) ASSERT_EQ(TypeParam{}.step(a, k * 0.125, 0.125, w), ode_status::ok);
    sinew::ode_solver solver(b, TypeParam{}, sinew::fixed_steps(0.125));
    ASSERT_TRUE(solver.advance(1));
    EXPECT_EQ(a.y, b.y);
}
TYPED_TEST(one_step, invalid_stage_rolls_back) {
    stone s;
    s.height = 0.5, s.speed = -20;
    sinew::ode_workspace<TypeParam, double, 2> w;
    auto const status = TypeParam{}.step(s, 0.0, 0.1, w);
    if (TypeParam::order == 1 && status == ode_status::ok) return;  // Euler's methods do not evaluate the state at the end
    EXPECT_EQ(status, ode_status::invalid_state);
    EXPECT_EQ(s.height, 0.5);
    EXPECT_EQ(s.speed, -20);
}
TYPED_TEST(one_step, not_finite_rolls_back) {
    struct poisoned : counted {
        double from = 0;
        derivative_status derivative(double t, std::span<double> d) {
            auto const r = counted::derivative(t, d);
            if (evaluations > 1 || from < 0) d[1] = inf;
            return r;
        }
    };
    poisoned p;
    p.from = -1;
    sinew::ode_workspace<TypeParam, double> w;
    EXPECT_EQ(TypeParam{}.step(p, 0.0, 0.1, w), ode_status::not_finite);
    EXPECT_EQ(p.y, (std::array{1.0, 0.0}));
    counted q;
    q.y[1] = nan_;
    EXPECT_EQ(TypeParam{}.step(q, 0.0, 0.1, w), ode_status::not_finite);
    EXPECT_EQ(q.evaluations, 0u);
    EXPECT_EQ(TypeParam{}.step(q, nan_, 0.1, w), ode_status::bad_time);
    EXPECT_EQ(TypeParam{}.step(q, 0.0, inf, w), ode_status::bad_step);
}
TEST(one_step, changed_state_is_read_again) {
    // Renormalises: the first evaluation of a step projects (x, v) to the unit circle.
    struct circle {
        using scalar_type = double;
        std::array<double, 2> y{2, 0};
        std::size_t dimension() const { return 2; }
        void get_state(std::span<double> out) const { out[0] = y[0], out[1] = y[1]; }
        void set_state(std::span<double const> in) { y = {in[0], in[1]}; }
        derivative_status derivative(double, std::span<double> d, sinew::state_kind kind) {
            double const n = std::sqrt(y[0] * y[0] + y[1] * y[1]);
            bool const off = kind == sinew::state_kind::regular && std::fabs(n - 1) > 1e-15;
            if (off) y = {y[0] / n, y[1] / n};
            d[0] = -y[1], d[1] = y[0];
            return off ? derivative_status::changed : derivative_status::regular;
        }
    };
    circle c;
    sinew::ode_workspace<sinew::rk4, double> w;
    ASSERT_EQ(sinew::rk4{}.step(c, 0.0, 0.1, w), ode_status::ok);
    EXPECT_NEAR(c.y[0], std::cos(0.1), 1e-7);
    // The driver hands over the changed state of the end, too.
    c.y = {2, 0};
    sinew::ode_solver solver(c, sinew::rk4{}, sinew::fixed_steps(0.1));
    ASSERT_TRUE(solver.advance(10));
    EXPECT_NEAR(c.y[0] * c.y[0] + c.y[1] * c.y[1], 1, 1e-15);
    EXPECT_NEAR(c.y[0], std::cos(10.0), 1e-5);
}
TEST(one_step, a_state_of_nothing) {
    struct nothing {
        using scalar_type = double;
        std::size_t dimension() const { return 0; }
        void get_state(std::span<double>) const {}
        void set_state(std::span<double const>) {}
        derivative_status derivative(double, std::span<double>) { return derivative_status::regular; }
    };
    nothing p;
    sinew::ode_workspace<sinew::rk4, double> w;
    EXPECT_EQ(sinew::rk4{}.step(p, 0.0, 0.1, w), ode_status::ok);
    sinew::ode_workspace<sinew::implicit_midpoint, double> v;
    EXPECT_EQ(sinew::implicit_midpoint{}.step(p, 0.0, 0.1, v), ode_status::ok);
    sinew::ode_solver solver(p, sinew::dormand_prince_54{});
    EXPECT_TRUE(solver.advance(1));
    EXPECT_EQ(sinew::integrate(sinew::rk4{}, [](double, std::vector<double> const& y) { return y; }, std::vector<double>{}, 0, 1, 0.1).report.steps, 10u);
}

// ---- transactions

TEST(transaction, rolls_back_bit_for_bit) {
    stone s;
    s.height = 0.7314159;
    s.speed = 0.1;
    sinew::ode_solver solver(s, sinew::dormand_prince_54{}, sinew::adaptive_steps(1e-9, 1e-9));
    ASSERT_TRUE(solver.advance(0.1));
    stone const before = s;
    double const h = solver.next_step();
    auto const r = solver.transacted_advance(5);
    EXPECT_EQ(r.status, ode_status::invalid_state);
    EXPECT_EQ(r.time, 0.1);
    EXPECT_GT(r.event_begin, 0.1);
    EXPECT_EQ(s.height, before.height);
    EXPECT_EQ(s.speed, before.speed);
    EXPECT_EQ(solver.time(), 0.1);
    EXPECT_EQ(solver.next_step(), h);
    // Refused.
    EXPECT_EQ(solver.transacted_advance(0.2, [](auto const&) { return false; }).status, ode_status::aborted);
    EXPECT_EQ(s.height, before.height);
    EXPECT_EQ(solver.time(), 0.1);
    // As if nothing had happened.
    stone t = before;
    t.height = 0.7314159, t.speed = 0.1;
    sinew::ode_solver other(t, sinew::dormand_prince_54{}, sinew::adaptive_steps(1e-9, 1e-9));
    ASSERT_TRUE(other.advance(0.1));
    ASSERT_TRUE(other.advance(0.2));
    ASSERT_TRUE(solver.transacted_advance(0.2));
    EXPECT_EQ(s.height, t.height);
    EXPECT_EQ(s.speed, t.speed);
}
// Two groups advance together or not at all (Vondrak 2005, 7.3.3).
TEST(transaction, chains) {
    stone high, low;
    high.height = 10;
    sinew::ode_solver a(high, sinew::rk4{}, sinew::fixed_steps(0.01));
    sinew::ode_solver b(low, sinew::rk4{}, sinew::fixed_steps(0.01));
    auto const together = [&](double t) { return a.transacted_advance(t, [&](auto const& r) { return static_cast<bool>(b.transacted_advance(r.time)); }); };
    EXPECT_TRUE(together(0.4));
    EXPECT_EQ(a.time(), b.time());
    double const height = high.height;
    EXPECT_EQ(together(0.5).status, ode_status::aborted);
    EXPECT_EQ(a.time(), 0.4);
    EXPECT_EQ(b.time(), 0.4);
    EXPECT_EQ(high.height, height);
}

// ---- bad input

TEST(bad_input, steps_and_times) {
    auto const run = [](double t0, double t1, double h) {
        return sinew::integrate(sinew::rk4{}, [](double, double y) { return -y; }, 1.0, t0, t1, h).report.status;
    };
    for (double h : {0.0, -0.1, -inf, inf, nan_}) EXPECT_EQ(run(0, 1, h), ode_status::bad_step) << h;
    for (double t : {inf, -inf, nan_}) {
        EXPECT_EQ(run(t, 1, 0.1), ode_status::bad_time);
        EXPECT_EQ(run(0, t, 0.1), ode_status::bad_time);
    }
    EXPECT_EQ(run(0, 1, 1e-30), ode_status::step_too_small);
    EXPECT_EQ(run(1e9, 1e9 + 1, 1e-8), ode_status::step_too_small);
    EXPECT_EQ(run(0, 1e300, 1e-300), ode_status::step_too_small);
    EXPECT_EQ(run(1, 1, 0.1), ode_status::ok);
    EXPECT_EQ(run(0, 1, 1e300), ode_status::ok);
}
TEST(bad_input, states_and_derivatives) {
    auto const keep = [](double, double) { return 0.0; };
    for (double y : {inf, -inf, nan_}) {
        auto const r = sinew::integrate(sinew::rk4{}, keep, y, 0, 1, 0.1);
        EXPECT_EQ(r.report.status, ode_status::not_finite);
        EXPECT_EQ(r.report.evaluations, 0u);
    }
    // A derivative that turns to NaN at 0.55: the last good state is that of 0.5, or just before with adaptive steps.
    auto const dies = [](double t, double) { return t < 0.55 ? 1.0 : nan_; };
    auto const r = sinew::integrate(sinew::rk4{}, dies, 0.0, 0, 1, 0.1);
    EXPECT_EQ(r.report.status, ode_status::not_finite);
    EXPECT_EQ(r.report.steps, 5u);
    EXPECT_EQ(r.report.time, 5 * 0.1);
    EXPECT_NEAR(r.y, 0.5, 1e-15);
    auto const a = sinew::integrate(sinew::dormand_prince_54{}, dies, 0.0, 0, 1, sinew::adaptive_steps(1e-6, 1e-6));
    EXPECT_EQ(a.report.status, ode_status::not_finite);
    EXPECT_NEAR(a.report.time, 0.55, 1e-6);
    EXPECT_LT(a.report.time, 0.55);
}
TEST(bad_input, parameters) {
    auto const run = [](auto change) {
        sinew::step_parameters<double> p;
        change(p);
        return sinew::integrate(sinew::rk4{}, [](double, double y) { return -y; }, 1.0, 0, 1, p).report.status;
    };
    EXPECT_EQ(run([](auto&) {}), ode_status::ok);
    EXPECT_EQ(run([](auto& p) { p.absolute_error = -1; }), ode_status::bad_parameters);
    EXPECT_EQ(run([](auto& p) { p.absolute_error = nan_; }), ode_status::bad_parameters);
    EXPECT_EQ(run([](auto& p) { p.absolute_error = p.relative_error = 0; }), ode_status::bad_parameters);
    EXPECT_EQ(run([](auto& p) { p.max_step = 0; }), ode_status::bad_parameters);
    EXPECT_EQ(run([](auto& p) { p.min_step = 1, p.max_step = 0.5; }), ode_status::bad_parameters);
    EXPECT_EQ(run([](auto& p) { p.safety = 0; }), ode_status::bad_parameters);
    EXPECT_EQ(run([](auto& p) { p.max_growth = 1; }), ode_status::bad_parameters);
    EXPECT_EQ(run([](auto& p) { p.initial_step = -1; }), ode_status::bad_parameters);
    EXPECT_EQ(run([](auto& p) { p.event_tolerance = inf; }), ode_status::bad_parameters);
    EXPECT_EQ(run([](auto& p) { p.relative_error = 0; }), ode_status::ok);
}
TEST(bad_input, a_state_without_halves) {
    auto const r = sinew::integrate(sinew::symplectic_euler{}, [](double, std::array<double, 3> const& y) { return y; }, std::array{1.0, 2.0, 3.0}, 0, 1, 0.1);
    EXPECT_EQ(r.report.status, ode_status::no_split);
    EXPECT_EQ(r.y, (std::array{1.0, 2.0, 3.0}));
}
// Relative tolerance alone, a component that is zero and stays so.
TEST(bad_input, zero_over_zero) {
    auto const f = [](double, std::array<double, 2> const& y) { return std::array{-y[0], 0.0}; };
    auto const r = sinew::integrate(sinew::dormand_prince_54{}, f, std::array{1.0, 0.0}, 0, 1, sinew::adaptive_steps(0.0, 1e-9));
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y[0], std::exp(-1.0), 1e-8);
}

}  // namespace
