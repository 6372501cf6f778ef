// Floating-point numbers of integers against long double, where that has 64 digits.

#include <gtest/gtest.h>

#include <sinew/math/integer_float.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

namespace {

using sinew::fixed;
using sinew::detail::integer_float;

template <class T>
class integer_floats : public testing::Test {};
using kinds = testing::Types<integer_float<std::int32_t>, integer_float<std::int64_t>>;
TYPED_TEST_SUITE(integer_floats, kinds);

template <class X>
long double real(X const& x) {
    return std::ldexp(static_cast<long double>(x.raw), x.exponent);
}
/// Any sign, from 2^-72 to 2^72, and now and then 0 or a power of two.
template <class X>
X any(std::mt19937_64& random) {
    std::uint64_t const m = random(), shift = random() % 64, which = random() % 16, exponent = random() % 80, sign = random() % 2;
    return X::of(which == 0 ? 0 : which == 1 ? 1 : m >> shift, static_cast<int>(exponent) - 72, sign == 0);
}

TYPED_TEST(integer_floats, compute_to_their_last_place) {
    using X = TypeParam;
    if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double has too few digits here";
    std::mt19937_64 random(7);
    long double const last = std::ldexp(1.0L, 2 - X::bits);  // of the largest number in a sum: cut off twice
    for (int i = 0; i < 100000; ++i) {
        X const a = any<X>(random), b = any<X>(random);
        long double const x = real(a), y = real(b);
        SCOPED_TRACE(testing::Message() << "seed 7, " << i << ": " << static_cast<double>(x) << ", " << static_cast<double>(y));
        ASSERT_LE(std::abs(real(a + b) - (x + y)), last * std::max(std::abs(x), std::abs(y)));
        ASSERT_LE(std::abs(real(a - b) - (x - y)), last * std::max(std::abs(x), std::abs(y)));
        ASSERT_LE(std::abs(real(a * b) - x * y), last * std::abs(x * y));
        if (y != 0) {
            ASSERT_LE(std::abs(real(a / b) - x / y), last * std::abs(x / y));
        }
        ASSERT_LE(std::abs(real(sqrt(abs(a))) - std::sqrt(std::abs(x))), last * std::sqrt(std::abs(x)));
        ASSERT_EQ(a < b, x < y);
        ASSERT_EQ(a == b, x == y);
        ASSERT_EQ(a >= b, x >= y);
        // Mirrored numbers have mirrored results.
        ASSERT_EQ(-a + -b, -(a + b));
        ASSERT_EQ(-a * b, -(a * b));
        ASSERT_EQ(a + b, b + a);
        ASSERT_EQ(a - a, X(0));
    }
}

TYPED_TEST(integer_floats, hold_constants_and_whole_numbers) {
    using X = TypeParam;
    EXPECT_EQ(real(X(-3)), -3);
    EXPECT_EQ(real(X(0.375)), 0.375L);
    EXPECT_EQ(real(X(1e-300)) > 0, true);
    EXPECT_EQ(X(0), X(0.0));
    EXPECT_EQ(-X(0), X(0));
    EXPECT_EQ(X(5) / X(0), sinew::infinity_v<X>);
    EXPECT_EQ(X(-5) / X(0), -sinew::infinity_v<X>);
    EXPECT_EQ(X(0) / X(0), X(0));
    EXPECT_EQ(sqrt(X(-4)), X(0));
    EXPECT_GT(sinew::infinity_v<X>, X(1e300));
    EXPECT_EQ(X(std::numeric_limits<double>::infinity()), sinew::infinity_v<X>);
    EXPECT_EQ(X(-std::numeric_limits<float>::infinity()), -sinew::infinity_v<X>);
    static_assert(X(2) * X(0.25) + X(1) == X(1.5));
}

// There and back nothing is lost where the digits suffice; what is beyond the range becomes its end.
TYPED_TEST(integer_floats, come_from_fixed_point_and_go_back) {
    using X = TypeParam;
    using S = std::conditional_t<X::is_short, fixed<15, 16>, fixed<31, 32>>;
    if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double has too few digits here";
    std::mt19937_64 random(11);
    for (int i = 0; i < 100000; ++i) {
        std::uint64_t const m = random(), shift = random() % 64;
        auto const raw = static_cast<typename S::storage>(m >> shift);
        S const x = S::from_raw(raw == std::numeric_limits<typename S::storage>::min() ? 0 : raw);
        S const back = static_cast<S>(X(x));
        auto const exact = [](S const& s) { return std::ldexp(static_cast<long double>(s.raw), -S::fraction_bits); };
        bool const fits = std::bit_width(static_cast<std::uint64_t>(x.magnitude())) <= X::bits;
        SCOPED_TRACE(testing::Message() << "seed 11, " << i << ": " << x.raw);
        if (fits) {
            ASSERT_EQ(back, x);
        } else {
            ASSERT_LE(std::abs(exact(back) - exact(x)), std::ldexp(std::abs(exact(x)), 2 - X::bits));
        }
        // Half of what would be cut off is rounded to the nearest.
        ASSERT_LE(std::abs(exact(static_cast<S>(X(x) / X(3))) - exact(x) / 3), 0.51L * exact(sinew::epsilon_v<S>) + std::ldexp(std::abs(exact(x)), 2 - X::bits));
    }
    EXPECT_FALSE(isfinite(static_cast<S>(X(1e30))));
    EXPECT_EQ(static_cast<S>(X(-1e30)), -sinew::infinity_v<S>);
    EXPECT_EQ(static_cast<S>(X(1e-30)), S(0));
    EXPECT_EQ(X(sinew::infinity_v<S>), sinew::infinity_v<X>);
}

// With derivatives, each by itself, and those of those.
TYPED_TEST(integer_floats, carry_derivatives_there_and_back) {
    using X = TypeParam;
    using S = std::conditional_t<X::is_short, fixed<15, 16>, fixed<31, 32>>;
    using sinew::dual;
    using D = dual<dual<S, 2>, 1>;
    using W = sinew::detail::search_number_t<D>;
    static_assert(std::is_same_v<W, dual<dual<X, 2>, 1>> && std::is_same_v<sinew::detail::search_number_t<W>, W>);
    static_assert(!sinew::floating_scalar<W> && !sinew::floating_scalar<D>);
    D a(S(3) / S(4));
    for (std::size_t k = 1; k < sinew::detail::parts_of<D>(); ++k) sinew::detail::part_of(a, k) = S(static_cast<int>(k)) / S(8);
    W const w(a);
    EXPECT_FALSE(differs(static_cast<D>(w), a));
    // A product of four numbers with few digits keeps its derivatives, which the format has no place for; what is beyond the range becomes its end.
    W const tiny = w * W(X::of(1, -40, false)), back = tiny / W(X::of(1, -40, false));
    EXPECT_FALSE(differs(static_cast<D>(back), a));
    D const huge = static_cast<D>(w * W(X::of(1, 40, false)) * W(X(S(1))));
    EXPECT_FALSE(isfinite(huge.v.v));
    EXPECT_FALSE(isfinite(huge.d[0].d[1]));
}

}  // namespace
