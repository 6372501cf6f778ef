// Events: located by bisection with rollback, on the near side, each once, whatever else lies in the same step.

#include "reference_problems.hpp"

#include <sinew/ode/dormand_prince_54.hpp>
#include <sinew/ode/events.hpp>
#include <sinew/ode/implicit_midpoint.hpp>
#include <sinew/ode/integrate.hpp>
#include <sinew/ode/midpoint.hpp>
#include <sinew/ode/ode_solver.hpp>
#include <sinew/ode/rk4.hpp>
#include <sinew/ode/velocity_verlet.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace {

using sinew::adaptive_steps;
using sinew::crossing;
using sinew::fixed_steps;
using sinew::integrate;
using sinew::ode_status;
using sinew::on_event;
using sinew::rk4;
using sinew::stop_when;

constexpr double pi = 3.14159265358979323846;
constexpr double g = 9.81;  // m/s^2

using state = std::array<double, 2>;  // height (m), speed upwards (m/s)
state fall(double, state const& y) { return {y[1], -g}; }
double height(double, state const& y) { return y[0]; }
double clock(double, double) { return 1; }  // y' = 1: y is the time

// ---- where they are

struct ball {
    using scalar_type = double;
    state y{1, 0};
    std::size_t dimension() const { return 2; }
    void get_state(std::span<double> out) const { out[0] = y[0], out[1] = y[1]; }
    void set_state(std::span<double const> in) { y = {in[0], in[1]}; }
    sinew::derivative_status derivative(double, std::span<double> d) {
        d[0] = y[1], d[1] = -g;
        return sinew::derivative_status::regular;
    }
};

// All these methods are exact for a parabola, so the only error is the bracket's.
template <class Integrator>
class falling : public testing::Test {};
using exact_methods = testing::Types<rk4, sinew::midpoint, sinew::velocity_verlet, sinew::implicit_midpoint, sinew::dormand_prince_54>;
TYPED_TEST_SUITE(falling, exact_methods);

TYPED_TEST(falling, stops_before_the_ground) {
    for (double const from : {1.0, 0.3, 100.0})
        for (double const h : {0.01, 0.1, 0.37, 50.0})
            for (double const tolerance : {1e-2, 1e-5, 1e-9, 0.0}) {
                SCOPED_TRACE(testing::Message() << "from " << from << " m, step " << h << " s, tolerance " << tolerance << " s");
                auto parameters = fixed_steps(h);
                parameters.event_tolerance = tolerance;
                auto const r = integrate(TypeParam{}, fall, state{from, 0}, 0, 100, parameters, stop_when(height));
                double const exact = std::sqrt(2 * from / g);
                // 100 s has no finer resolution; and the end of the bracket is rounded.
                double const epsilon = std::numeric_limits<double>::epsilon();
                double const width = std::fmax(tolerance, 4 * epsilon * 100) + epsilon * exact;
                EXPECT_EQ(r.report.status, ode_status::event);
                EXPECT_EQ(r.report.events, 1u);
                EXPECT_EQ(r.report.event_index, 0u);
                EXPECT_EQ(r.report.event_mask, 1u);
                EXPECT_EQ(r.report.event_begin, r.report.time);
                EXPECT_GT(r.report.event_end, r.report.event_begin);
                EXPECT_LE(r.report.event_end - r.report.event_begin, width);
                EXPECT_GE(r.report.event_end, exact - 2e-13);
                EXPECT_LE(r.report.event_begin, exact + 2e-13);
                EXPECT_GT(r.y[0], 0) << "the state is the one before the event";
                EXPECT_LE(r.y[0], g * exact * (width + 4e-13));
                EXPECT_NEAR(r.y[1], -g * r.report.time, 1e-11);
            }
}
// The time and speed of every bounce of a ball that keeps e of its speed.
TYPED_TEST(falling, bounces_at_the_exact_times) {
    double const e = 0.8;
    ball b;
    sinew::ode_solver solver(b, TypeParam{}, fixed_steps(0.01));
    double speed = std::sqrt(2 * g), time = speed / g;
    auto const ground = stop_when([](double, std::span<double const> y) { return y[0]; }, crossing::falling);
    for (int n = 0; n < 15; ++n) {
        auto const r = solver.advance(10, ground);
        ASSERT_EQ(r.status, ode_status::event) << n;
        EXPECT_NEAR(r.time, time, 1e-11) << n;
        EXPECT_NEAR(b.y[0], 0, 1e-11) << n;
        EXPECT_GE(b.y[0], 0) << n;
        EXPECT_NEAR(b.y[1], -speed, 1e-10) << n;
        b.y[1] = speed = e * speed;
        ASSERT_EQ(solver.restart(r.time), ode_status::ok);
        time += 2 * speed / g;
    }
}
TEST(event, of_a_solution_that_is_not_a_polynomial) {
    for (double const tolerance : {1e-6, 1e-9, 1e-12}) {
        auto const r = integrate(sinew::dormand_prince_54{}, [](double, state const& y) { return state{y[1], -y[0]}; }, state{1, 0}, 0, 10,
                                 adaptive_steps(tolerance, tolerance), stop_when(height));
        EXPECT_EQ(r.report.status, ode_status::event);
        EXPECT_NEAR(r.report.time, pi / 2, 20 * tolerance);
        EXPECT_GT(r.y[0], 0);
    }
}
TEST(event, in_float_and_long_double) {
    auto const f = [](auto, auto y) { return -y; };
    auto const single = integrate(rk4{}, f, 1.0f, 0, 10, 0.125f, stop_when([](float, float y) { return y - 0.5f; }));
    EXPECT_EQ(single.report.status, ode_status::event);
    EXPECT_NEAR(single.report.time, 0.693147f, 1e-4f);
    EXPECT_GE(single.y, 0.5f);
    auto const wide = integrate(rk4{}, f, 1.0L, 0, 10, 1.0L / 1024, stop_when([](long double, long double y) { return y - 0.5L; }));
    EXPECT_NEAR(static_cast<double>(wide.report.time), std::log(2.0), 1e-13);
}
// A state that is located is one that a step reached: starting from it again gives the same solution.
TEST(event, states_before_it_are_those_of_the_integrator) {
    auto const r = integrate(rk4{}, fall, state{1, 0}, 0, 10, 0.01, stop_when(height));
    std::size_t const whole = static_cast<std::size_t>(std::sqrt(2 / g) / 0.01);
    EXPECT_GT(r.report.steps, whole);
    EXPECT_LE(r.report.steps + r.report.rejections, whole + 2 * 50);  // bisection: a bit for each
    EXPECT_EQ(r.report.smallest_step, 0.01) << "steps that locate an event do not count as small";
}

// ---- their direction

constexpr auto sine = [](double t, double) { return std::cos(t); };
std::vector<double> crossings_of_sine(double from, double to, crossing direction) {
    std::vector<double> times;
    auto const r = integrate(rk4{}, sine, std::sin(from), from, to, 0.01, on_event([](double, double y) { return y; }, direction, [&](double t, double) { times.push_back(t); }));
    EXPECT_TRUE(r);
    EXPECT_EQ(r.report.events, times.size());
    EXPECT_EQ(r.report.time, to);
    return times;
}
void expect_times(std::vector<double> const& times, std::vector<double> const& expected) {
    ASSERT_EQ(times.size(), expected.size());
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 1e-9) << i;
}
TEST(event, direction) {
    expect_times(crossings_of_sine(1, 20, crossing::either), {pi, 2 * pi, 3 * pi, 4 * pi, 5 * pi, 6 * pi});
    expect_times(crossings_of_sine(1, 20, crossing::rising), {2 * pi, 4 * pi, 6 * pi});
    expect_times(crossings_of_sine(1, 20, crossing::falling), {pi, 3 * pi, 5 * pi});
}
// Along the solution, which may lead into the past.
TEST(event, direction_back_in_time) {
    expect_times(crossings_of_sine(8, 1, crossing::rising), {pi});
    expect_times(crossings_of_sine(8, 1, crossing::falling), {2 * pi});
    auto const r = integrate(rk4{}, fall, state{-1, -std::sqrt(2 * g * 2)}, 0, -10, 0.01, stop_when(height));
    EXPECT_EQ(r.report.status, ode_status::event);
    // From 1 m up, through 0 at 1.414 m/s^2 ... to 1 m down: back to where it passed zero.
    EXPECT_NEAR(r.report.time, -(std::sqrt(4 / g) - std::sqrt(2 / g)), 1e-12);
    EXPECT_LT(r.y[0], 0);
    EXPECT_LT(r.report.event_end, r.report.event_begin);
}
TEST(event, sides) {
    using sinew::detail::crosses;
    using sinew::detail::side;
    constexpr side minus = side::negative, zero = side::on, plus = side::positive;
    static_assert(crosses(minus, plus, crossing::either) && crosses(plus, minus, crossing::either));
    static_assert(crosses(minus, plus, crossing::rising) && !crosses(plus, minus, crossing::rising));
    static_assert(!crosses(minus, plus, crossing::falling) && crosses(plus, minus, crossing::falling));
    // Reaching zero is meeting it; leaving it only in the event's own direction.
    static_assert(crosses(minus, zero, crossing::either) && crosses(plus, zero, crossing::falling) && !crosses(minus, zero, crossing::falling));
    static_assert(!crosses(zero, plus, crossing::either) && crosses(zero, plus, crossing::rising) && !crosses(zero, plus, crossing::falling));
    static_assert(!crosses(zero, zero, crossing::rising) && !crosses(zero, zero, crossing::either));
    static_assert(!crosses(plus, plus, crossing::either) && !crosses(minus, minus, crossing::either));
    // Zero just met counts as passed.
    static_assert(sinew::detail::side_after(minus, zero) == plus && sinew::detail::side_after(plus, zero) == minus);
    static_assert(sinew::detail::side_after(zero, zero) == zero && sinew::detail::side_after(plus, minus) == minus);
    static_assert(sinew::detail::side_of(-0.0) == zero && sinew::detail::side_of(-1e-300) == minus && sinew::detail::side_of(1) == plus);
}

// ---- zeros met exactly

// y = t in steps that are powers of two: a step ends on the zero itself.
TEST(event, exactly_at_the_end_of_a_step) {
    auto const half = [](double, double y) { return y - 0.5; };
    auto const r = integrate(rk4{}, clock, 0.0, 0, 1, 0.125, stop_when(half));
    EXPECT_EQ(r.report.status, ode_status::event);
    EXPECT_LT(r.y, 0.5);
    EXPECT_NEAR(r.report.time, 0.5, 1e-14);
    EXPECT_EQ(r.report.event_end, 0.5);
    for (auto const direction : {crossing::either, crossing::rising}) {
        int met = 0;
        auto const on = integrate(rk4{}, clock, 0.0, 0, 1, 0.125, on_event(half, direction, [&](double, double) { ++met; }));
        EXPECT_TRUE(on);
        EXPECT_EQ(met, 1) << "once, not on arrival and again on leaving";
        EXPECT_NEAR(on.y, 1, 1e-14);
    }
    int met = 0;
    EXPECT_TRUE(integrate(rk4{}, clock, 0.0, 0, 1, 0.125, on_event(half, crossing::falling, [&](double, double) { ++met; })));
    EXPECT_EQ(met, 0);
}
// Turning back at zero: the sign before and after is the same, but zero is met.
TEST(event, touched) {
    int met = 0;
    auto const f = [](double t, double) { return 2 * (t - 0.5); };  // y = (t - 1/2)^2 from 1/4
    auto const r = integrate(rk4{}, f, 0.25, 0, 1, 0.125, on_event([](double, double y) { return y; }, crossing::falling, [&](double t, double) {
        ++met;
        EXPECT_NEAR(t, 0.5, 1e-6);
    }));
    EXPECT_TRUE(r);
    EXPECT_EQ(met, 1);
}
// A ball that lies on the ground must not fall through it; one thrown from there has not met it.
TEST(event, at_the_start) {
    auto const lying = integrate(rk4{}, fall, state{0, 0}, 0, 1, 0.01, stop_when(height, crossing::falling));
    EXPECT_EQ(lying.report.status, ode_status::event);
    EXPECT_NEAR(lying.report.time, 0, 1e-14);
    EXPECT_EQ(lying.y[0], 0);
    for (auto const direction : {crossing::falling, crossing::either}) {
        auto const thrown = integrate(rk4{}, fall, state{0, g / 2}, 0, 3, 0.01, stop_when(height, direction));
        EXPECT_EQ(thrown.report.status, ode_status::event);
        EXPECT_NEAR(thrown.report.time, 1, 1e-12);
    }
    // Nothing moves: nothing is met.
    EXPECT_TRUE(integrate(rk4{}, [](double, double) { return 0.0; }, 0.0, 0, 1, 0.1, stop_when([](double, double y) { return y; }, crossing::falling)));
}

// ---- several at once

TEST(event, the_first_of_several_stops) {
    auto const at = [](double level) { return [level](double, double y) { return y - level; }; };
    // All three lie within one step of 1 s; the order in which they are given does not matter.
    auto const r = integrate(rk4{}, clock, 0.0, 0, 10, 1, stop_when(at(0.75)), stop_when(at(0.25)), stop_when(at(0.5)));
    EXPECT_EQ(r.report.status, ode_status::event);
    EXPECT_NEAR(r.report.time, 0.25, 1e-13);
    EXPECT_EQ(r.report.event_index, 1u);
    EXPECT_EQ(r.report.event_mask, 2u);
}
TEST(event, passing_ones_before_the_last) {
    std::vector<int> order;
    auto const at = [](double level) { return [level](double, double y) { return y - level; }; };
    auto const note = [&](int i) { return [&order, i](double, double) { order.push_back(i); }; };
    auto const r = integrate(rk4{}, clock, 0.0, 0, 10, 1, on_event(at(0.6), crossing::either, note(0)), stop_when(at(2.5)),
                             on_event(at(0.3), crossing::rising, note(2)), on_event(at(2.7), crossing::either, note(3)));
    EXPECT_EQ(r.report.status, ode_status::event);
    EXPECT_NEAR(r.report.time, 2.5, 1e-13);
    EXPECT_EQ(order, (std::vector{2, 0}));
    EXPECT_EQ(r.report.events, 3u);
    EXPECT_EQ(r.report.event_index, 1u);
}
TEST(event, at_the_same_time) {
    int met = 0;
    auto const zero = [](double, double y) { return y - 0.3; };
    auto const minus = [](double, double y) { return 3 * (0.3 - y); };
    auto const count = [&](double, double) { ++met; };
    auto const r = integrate(rk4{}, clock, 0.0, 0, 1, 0.25, on_event(zero, crossing::rising, count), on_event(minus, crossing::falling, count), stop_when(zero));
    EXPECT_EQ(r.report.status, ode_status::event);
    EXPECT_EQ(r.report.event_mask, 7u);
    EXPECT_EQ(r.report.event_index, 0u);
    EXPECT_EQ(r.report.events, 3u);
    EXPECT_NEAR(r.report.time, 0.3, 1e-13);
    // The step across was not kept, so nothing has passed yet.
    EXPECT_EQ(met, 0);
    auto const on = integrate(rk4{}, clock, 0.0, 0, 1, 0.25, on_event(zero, crossing::rising, count), on_event(minus, crossing::falling, count));
    EXPECT_TRUE(on);
    EXPECT_EQ(met, 2);
    EXPECT_EQ(on.report.events, 2u);
}
// What the problem refuses and an event in one step: whichever comes first.
TEST(event, before_and_behind_an_invalid_state) {
    struct walled {
        using scalar_type = double;
        double y = 0, wall = 1;
        std::size_t dimension() const { return 1; }
        void get_state(std::span<double> out) const { out[0] = y; }
        void set_state(std::span<double const> in) { y = in[0]; }
        sinew::derivative_status derivative(double, std::span<double> d) {
            d[0] = 1;
            return y > wall ? sinew::derivative_status::invalid : sinew::derivative_status::regular;
        }
    };
    for (double const level : {0.4, 0.9, 0.999}) {
        walled p;
        sinew::ode_solver solver(p, rk4{}, fixed_steps(3.0));
        auto const r = solver.advance(3, stop_when([level](double, std::span<double const> y) { return y[0] - level; }));
        EXPECT_EQ(r.status, ode_status::event) << level;
        EXPECT_NEAR(p.y, level, 1e-13);
    }
    for (double const level : {1.001, 1.5, 2.9}) {
        walled p;
        sinew::ode_solver solver(p, rk4{}, fixed_steps(3.0));
        auto const r = solver.advance(3, stop_when([level](double, std::span<double const> y) { return y[0] - level; }));
        EXPECT_EQ(r.status, ode_status::invalid_state) << level;
        EXPECT_NEAR(p.y, 1, 1e-13);
        EXPECT_LE(p.y, 1);
        EXPECT_EQ(r.events, 0u);
    }
}

// ---- what they do to the integration

TEST(event, without_any_nothing_changes) {
    auto const f = [](double, state const& y) { return state{y[1], -y[0]}; };
    auto const never = stop_when([](double, state const&) { return 1.0; });
    for (auto const& parameters : {fixed_steps(0.05), adaptive_steps(1e-8, 1e-8)}) {
        auto const plain = integrate(sinew::dormand_prince_54{}, f, state{1, 0}, 0, 3, parameters);
        auto const watched = integrate(sinew::dormand_prince_54{}, f, state{1, 0}, 0, 3, parameters, never);
        EXPECT_EQ(plain.y, watched.y);
        EXPECT_EQ(plain.report.steps, watched.report.steps);
        EXPECT_EQ(plain.report.evaluations, watched.report.evaluations);
    }
}
// After an event that passes, fixed steps are back on their grid.
TEST(event, grid_is_kept) {
    std::vector<double> ends;
    auto const spy = [&](double t, double y) {
        ends.push_back(t);
        return y - 0.3;
    };
    auto const r = integrate(rk4{}, clock, 0.0, 0, 1, 0.25, on_event(spy, crossing::either));
    EXPECT_TRUE(r);
    for (double const t : {0.25, 0.5, 0.75, 1.0}) EXPECT_NE(std::find(ends.begin(), ends.end(), t), ends.end()) << t;
}
TEST(event, again_from_where_it_stopped) {
    struct line {
        using scalar_type = double;
        double y = 0;
        std::size_t dimension() const { return 1; }
        void get_state(std::span<double> out) const { out[0] = y; }
        void set_state(std::span<double const> in) { y = in[0]; }
        sinew::derivative_status derivative(double, std::span<double> d) {
            d[0] = 1;
            return sinew::derivative_status::regular;
        }
    } p;
    sinew::ode_solver solver(p, rk4{}, fixed_steps(0.1));
    auto const level = stop_when([](double, std::span<double const> y) { return y[0] - 0.55; });
    auto const first = solver.advance(1, level);
    EXPECT_EQ(first.status, ode_status::event);
    auto const second = solver.advance(1, level);
    EXPECT_EQ(second.status, ode_status::event);
    EXPECT_NEAR(second.time, first.time, 1e-14);
    EXPECT_LT(p.y, 0.55);
    // Without it, or beyond it, the way is free.
    EXPECT_TRUE(solver.advance(1));
    EXPECT_EQ(solver.time(), 1.0);
    EXPECT_NEAR(p.y, 1, 1e-14);
    EXPECT_TRUE(solver.advance(2, level));
    // An advance that an event cuts short is no success of a transaction.
    auto const back = stop_when([](double, std::span<double const> y) { return y[0] - 2.55; });
    double const before = p.y;
    EXPECT_EQ(solver.transacted_advance(3, [](auto const&) { return true; }, back).status, ode_status::event);
    EXPECT_EQ(p.y, before);
    EXPECT_EQ(solver.time(), 2.0);
}
// The handler sees the state before the event, as the user's own type.
TEST(event, handler_sees_the_state) {
    int met = 0;
    auto const r = integrate(rk4{}, fall, state{1, 0}, 0, 0.6, 0.1, on_event(height, crossing::falling, [&](double t, state const& y) {
        ++met;
        EXPECT_NEAR(t, std::sqrt(2 / g), 1e-13);
        EXPECT_NEAR(y[0], 0, 1e-12);
        EXPECT_GE(y[0], 0);
        EXPECT_NEAR(y[1], -std::sqrt(2 * g), 1e-12);
    }));
    EXPECT_TRUE(r);
    EXPECT_EQ(met, 1);
    EXPECT_NEAR(r.y[0], 1 - g * 0.18, 1e-13);
}
// Of time alone.
TEST(event, of_time) {
    auto const r = integrate(rk4{}, [](double, double y) { return -y; }, 1.0, 0, 10, 0.1, stop_when([](double t, double) { return t - pi; }));
    EXPECT_EQ(r.report.status, ode_status::event);
    EXPECT_NEAR(r.report.time, pi, 2e-14);
    EXPECT_LT(r.report.time, pi);
}
TEST(event, that_is_not_a_number) {
    auto const broken = stop_when([](double t, double) { return t < 0.45 ? 1.0 : std::numeric_limits<double>::quiet_NaN(); });
    auto const r = integrate(rk4{}, clock, 0.0, 0, 1, 0.125, broken);
    EXPECT_EQ(r.report.status, ode_status::not_finite);
    EXPECT_EQ(r.report.time, 0.375);
    EXPECT_EQ(r.y, 0.375);
    auto const from_the_start = integrate(rk4{}, clock, 0.0, 0.5, 1, 0.125, broken);
    EXPECT_EQ(from_the_start.report.status, ode_status::not_finite);
    EXPECT_EQ(from_the_start.report.steps, 0u);
    // An infinite one has a sign.
    auto const far = stop_when([](double t, double) { return t < 0.45 ? -std::numeric_limits<double>::infinity() : 1.0; });
    EXPECT_NEAR(integrate(rk4{}, clock, 0.0, 0, 1, 0.125, far).report.time, 0.45, 1e-13);
}

}  // namespace
