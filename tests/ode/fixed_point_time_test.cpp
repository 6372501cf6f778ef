// Time in fixed point: a whole number of 2^-F s. Steps lead to where they are told to, however many they are.

#include <gtest/gtest.h>

#include <sinew/sinew.hpp>

#include <array>
#include <cmath>
#include <cstdint>

namespace {

using sinew::fixed;

template <class S>
class fixed_point_time : public testing::Test {};
using formats = testing::Types<fixed<15, 16>, fixed<31, 32>>;
TYPED_TEST_SUITE(fixed_point_time, formats);

// y'' = -y:  cos t after any method's error, h^4 t / 120 of rk4, and half a unit for each of the operations.
TYPED_TEST(fixed_point_time, an_oscillator_goes_round) {
    using S = TypeParam;
    auto const rates = [](S, std::array<S, 2> const& y) { return std::array<S, 2>{y[1], -y[0]}; };
    for (double const end : {1.0, 6.25, -2.0}) {
        auto const r = sinew::integrate(sinew::rk4{}, rates, std::array<S, 2>{S(1), S(0)}, S(0), S::from(end), S(1) / S(64));
        ASSERT_EQ(r.report.status, sinew::ode_status::ok);
        auto const steps = static_cast<std::uint64_t>(std::abs(end) * 64);
        EXPECT_EQ(r.report.steps, steps);
        double const unit = std::ldexp(1.0, -S::fraction_bits), method = std::pow(1.0 / 64, 4) * std::abs(end) / 120;
        double const bound = method + 8 * unit * static_cast<double>(steps);
        EXPECT_NEAR(static_cast<double>(r.y[0]), std::cos(end), bound);
        EXPECT_NEAR(static_cast<double>(r.y[1]), -std::sin(end), bound);
    }
}

// The local error of each step is tolerated as long as it is below 2^-10, also that of what damps by itself: together at most so much a step.
template <class S, class Integrator>
void expect_adaptive_steps_go_on(Integrator const& integrator) {
    S const tolerance = S(1) / S(1024);
    auto const parameters = sinew::adaptive_steps(tolerance, S(0));
    auto const decay = [](S, std::array<S, 1> const& y) { return std::array<S, 1>{-y[0]}; };
    auto const from_hundred = sinew::integrate(integrator, decay, std::array<S, 1>{S(100)}, S(0), S(2), parameters);
    ASSERT_EQ(from_hundred.report.status, sinew::ode_status::ok);
    EXPECT_EQ(from_hundred.report.time, S(2));
    EXPECT_NEAR(static_cast<double>(from_hundred.y[0]), 100 * std::exp(-2.0), static_cast<double>(tolerance) * static_cast<double>(from_hundred.report.steps));
    EXPECT_GT(from_hundred.report.smallest_step, S(1) / S(1024));  // it begins with about what it goes on with
    auto const turn = [](S, std::array<S, 2> const& y) { return std::array<S, 2>{y[1], -y[0]}; };
    auto const round = sinew::integrate(integrator, turn, std::array<S, 2>{S(1), S(0)}, S(0), S(4), parameters);
    ASSERT_EQ(round.report.status, sinew::ode_status::ok);
    double const bound = std::sqrt(2.0) * static_cast<double>(tolerance) * static_cast<double>(round.report.steps);
    EXPECT_NEAR(static_cast<double>(round.y[0]), std::cos(4.0), bound);
    EXPECT_NEAR(static_cast<double>(round.y[1]), -std::sin(4.0), bound);
    EXPECT_LT(from_hundred.report.steps + round.report.steps, 400u);
    // What leaves the range is refused: e^24.
    if constexpr (S::integer_bits < 32) {
        auto const grow = [](S, std::array<S, 1> const& y) { return y; };
        auto const out = sinew::integrate(integrator, grow, std::array<S, 1>{S(1)}, S(0), S(24), sinew::adaptive_steps(tolerance, tolerance));
        EXPECT_NE(out.report.status, sinew::ode_status::ok);
        EXPECT_LT(out.report.time, S(24));
    }
}
TYPED_TEST(fixed_point_time, adaptive_steps_of_rk4_go_on) { expect_adaptive_steps_go_on<TypeParam>(sinew::rk4{}); }
TYPED_TEST(fixed_point_time, adaptive_steps_of_midpoint_go_on) { expect_adaptive_steps_go_on<TypeParam>(sinew::midpoint{}); }
TYPED_TEST(fixed_point_time, adaptive_steps_of_implicit_midpoint_go_on) { expect_adaptive_steps_go_on<TypeParam>(sinew::implicit_midpoint{}); }
TYPED_TEST(fixed_point_time, adaptive_steps_of_dormand_prince_go_on) { expect_adaptive_steps_go_on<TypeParam>(sinew::dormand_prince_54{}); }

// Half of a last place of the time is no step: an end that is one away is reached all the same.
TYPED_TEST(fixed_point_time, adaptive_steps_end_one_last_place_on) {
    using S = TypeParam;
    auto const clock = [](S, std::array<S, 1> const&) { return std::array<S, 1>{S(1)}; };
    S const tick = S::from_raw(1);
    auto const r = sinew::integrate(sinew::rk4{}, clock, std::array<S, 1>{S(0)}, S(0), tick, sinew::adaptive_steps(S(1) / S(64), S(0)));
    ASSERT_EQ(r.report.status, sinew::ode_status::ok);
    EXPECT_EQ(r.y[0], tick);
}

// A step of an odd number of last places has no half, and is as long all the same: what falls has the speed that its time gives it, to the rounding of each step's gain, or
// twice that of half of it.
template <class S, class Integrator>
void expect_odd_steps_are_whole(Integrator const& integrator) {
    auto const fall = [](S, std::array<S, 2> const& y) { return std::array<S, 2>{y[1], S(-9.8125)}; };
    for (auto const raw : {S::from_raw(1).raw * 655, S::from_raw(1).raw * 65, S::from_raw(1).raw * 33}) {
        S const h = S::from_raw(static_cast<typename S::storage>(raw)), end = S(100) * h;
        auto const r = sinew::integrate(integrator, fall, std::array<S, 2>{S(10), S(0)}, S(0), end, h);
        ASSERT_EQ(r.report.status, sinew::ode_status::ok);
        EXPECT_NEAR(static_cast<double>(r.y[1]), -9.8125 * static_cast<double>(end), 200 * std::ldexp(1.0, -S::fraction_bits));
    }
    // Bisection ends with steps of one last place.
    auto const r = sinew::integrate(integrator, fall, std::array<S, 2>{S(1), S(0)}, S(0), S(5), sinew::fixed_steps(S(1) / S(64)),
                                    sinew::stop_when([](S, auto const& y) { return y[0]; }, sinew::crossing::falling));
    EXPECT_EQ(r.report.status, sinew::ode_status::event);
    EXPECT_NEAR(static_cast<double>(r.report.time), std::sqrt(2 / 9.8125), 1e-4);
    EXPECT_LT(r.report.steps, 100u);
}
TYPED_TEST(fixed_point_time, odd_steps_of_implicit_midpoint_are_whole) { expect_odd_steps_are_whole<TypeParam>(sinew::implicit_midpoint{}); }
// Nor does a stiff force make more of a last place in an odd step than in an even one: y follows the clock, later by the time that it takes.
TYPED_TEST(fixed_point_time, odd_steps_of_implicit_midpoint_are_stiff_too) {
    using S = TypeParam;
    S const rate(S::integer_bits < 31 ? 1000 : 1000000);
    auto const follow = [&](S, std::array<S, 2> const& y) { return std::array<S, 2>{rate * (y[1] - y[0]), S(1)}; };
    for (std::int64_t const odd : {0, 1}) {
        S const h = S::from_raw(static_cast<typename S::storage>(((std::int64_t{1} << S::fraction_bits) / 10 / 2) * 2 + odd));
        auto const r = sinew::integrate(sinew::implicit_midpoint{}, follow, std::array<S, 2>{S(1) - S(1) / rate, S(1)}, S(0), S(60) * h, h);
        ASSERT_EQ(r.report.status, sinew::ode_status::ok);
        EXPECT_NEAR(static_cast<double>(r.y[1] - r.y[0]), 1 / static_cast<double>(rate), 64 * std::ldexp(1.0, -S::fraction_bits)) << odd;
    }
}
TYPED_TEST(fixed_point_time, odd_steps_of_midpoint_are_whole) { expect_odd_steps_are_whole<TypeParam>(sinew::midpoint{}); }
TYPED_TEST(fixed_point_time, odd_steps_of_velocity_verlet_are_whole) { expect_odd_steps_are_whole<TypeParam>(sinew::velocity_verlet{}); }

// Both ends are in the range, and the way between them is not.
TYPED_TEST(fixed_point_time, goes_from_one_end_of_the_range_to_the_other) {
    using S = TypeParam;
    S const end(S::integer_bits < 31 ? 32000 : 2000000000);
    auto const slope = [](S, std::array<S, 1> const&) { return std::array<S, 1>{S(1) / S(8)}; };
    auto const r = sinew::integrate(sinew::midpoint{}, slope, std::array<S, 1>{S(0)}, -end, end, sinew::adaptive_steps(S(1) / S(128), S(0)));
    ASSERT_EQ(r.report.status, sinew::ode_status::ok);
    EXPECT_NEAR(static_cast<double>(r.y[0]), static_cast<double>(end) / 4, 1 + static_cast<double>(r.report.steps) * std::ldexp(1.0, -S::fraction_bits));
    EXPECT_LT(r.report.steps, 10000u);
    S const quarter = end / S(2);
    auto const grid = sinew::integrate(sinew::euler{}, slope, std::array<S, 1>{S(0)}, -end, end, quarter);
    ASSERT_EQ(grid.report.status, sinew::ode_status::ok);
    EXPECT_EQ(grid.report.steps, 4u);
}

// More steps than the format has whole numbers: 2000 s in steps of 1/64 s are 128,000.
TEST(fixed_point_time_of_many_steps, ends_where_it_is_told_to) {
    using S = fixed<15, 16>;
    auto const clock = [](S, std::array<S, 1> const&) { return std::array<S, 1>{S(1)}; };
    for (bool const from_below : {true, false}) {
        S const begin = from_below ? S(-1000) : S(1000);
        auto const r = sinew::integrate(sinew::euler{}, clock, std::array<S, 1>{begin}, begin, -begin, S(1) / S(64));
        ASSERT_EQ(r.report.status, sinew::ode_status::ok);
        EXPECT_EQ(r.report.steps, 128000u);
        EXPECT_EQ(r.y[0], -begin);  // every step adds 1024 units, without rounding
    }
}

// 0.01 is 655 units, 0.05 of one too few: a hundred of them are meant to be a second.
TEST(fixed_point_time_of_rounded_steps, are_as_many_as_meant) {
    using S = fixed<15, 16>;
    auto const clock = [](S, std::array<S, 1> const&) { return std::array<S, 1>{S(1)}; };
    auto const r = sinew::integrate(sinew::euler{}, clock, std::array<S, 1>{S(0)}, S(0), S(1), S(0.01));
    ASSERT_EQ(r.report.status, sinew::ode_status::ok);
    EXPECT_EQ(r.report.steps, 100u);
}

}  // namespace
