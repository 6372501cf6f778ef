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
