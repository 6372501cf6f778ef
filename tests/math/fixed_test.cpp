// Fixed point: every operation against exact integers, every function against the value in long double, and the ends of the range.

#include <sinew/math/dual.hpp>
#include <sinew/math/fixed.hpp>
#include <sinew/math/mat.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

namespace {

using sinew::fixed;
using sinew::vec3;
using q16 = fixed<15, 16>;
using q32 = fixed<31, 32>;

static_assert(sizeof(q16) == 4 && sizeof(q32) == 8 && std::is_trivially_copyable_v<q16> && std::is_trivially_default_constructible_v<q16>);
static_assert(sinew::scalar<q16> && sinew::scalar<sinew::dual<q32, 6>> && std::same_as<sinew::value_type_t<sinew::dual<q16, 2>>, q16>);

// Constants are converted by the compiler, to the nearest, ties to even.
static_assert(q16(9.81).raw == 642908);  // 9.81 * 65536 = 642908.16
static_assert(q16(-1e-7).raw == 0 && q16(1.5 / 65536).raw == 2 && q16(2.5 / 65536).raw == 2 && q16(-2.5 / 65536).raw == -2);
static_assert(q16(3).raw == 3 << 16 && q16(40000u) == sinew::infinity_v<q16> && q16(-40000) == -sinew::infinity_v<q16>);
static_assert(q32(std::int64_t{1} << 31) == sinew::infinity_v<q32> && q32((std::int64_t{1} << 31) - 1).raw == ((std::int64_t{1} << 31) - 1) << 32);
static_assert(sinew::pi_v<q16>.raw == 205887);               // 3.14159265358979 * 2^16 = 205887.416
static_assert(sinew::pi_v<q32>.raw == 13493037705);          // 3.14159265358979 * 2^32 = 13493037704.52
static_assert(sinew::epsilon_v<q16>.raw == 1 && sinew::infinity_v<q16>.raw == 0x7fffffff);

// A calculation in a constant expression.
static_assert(q16(1) / q16(3) == q16::from_raw(21845) && q16(2) / 3 == q16::from_raw(43691) && sqrt(q16(2)).raw == 92682);  // 2^16 sqrt 2 = 92681.9
static_assert(sin(q16(0)).raw == 0 && cos(q32(0)) == q32(1) && exp(q32(0)) == q32(1) && log(q16(1)).raw == 0);
// The end of a format is infinite, however small a number it would be.
static_assert(exp(-sinew::infinity_v<fixed<3, 28>>).raw == 0 && exp(-sinew::infinity_v<fixed<0, 31>>).raw == 0 && exp(sinew::infinity_v<fixed<3, 28>>) == sinew::infinity_v<fixed<3, 28>>);
static_assert(norm(vec3<q16>{3, 4, 12}) == q16(13));

template <class T>
class fixed_test : public testing::Test {
protected:
    std::mt19937_64 generator{20240611};

    // Numbers of all sizes, and one in eight from the edges.
    T any() {
        constexpr int bits = T::integer_bits + T::fraction_bits;
        constexpr typename T::storage one = typename T::storage{1} << T::fraction_bits;
        constexpr typename T::storage edges[] = {0, 1, 2, 3, one / 2, one - 1, one, one + 1, T::largest / 2, T::largest - 1, T::largest};
        std::uint64_t const r = generator();
        auto const m = r % 8 == 0 ? edges[(r >> 8) % std::size(edges)] : static_cast<typename T::storage>((generator() >> (64 - bits)) >> ((r >> 8) % bits));
        return T::from_raw((r & 64) != 0 ? m : -m);
    }
};
using formats = testing::Types<q16, q32, fixed<7, 24>, fixed<13, 50>, fixed<3, 12>>;
TYPED_TEST_SUITE(fixed_test, formats);

__extension__ typedef __int128 wide;

// n / d to the nearest, ties to even, within the range.
template <class T>
T expected(wide n, wide d) {
    if (d < 0) {
        n = -n;
        d = -d;
    }
    wide const m = n < 0 ? -n : n;
    wide q = m / d;
    wide const twice = (m - q * d) * 2;
    if (twice > d || (twice == d && q % 2 != 0)) ++q;
    if (q > T::largest) q = T::largest;
    return T::from_raw(static_cast<typename T::storage>(n < 0 ? -q : q));
}

TYPED_TEST(fixed_test, arithmetic_is_exact_rounded_once_and_stays_in_range) {
    using T = TypeParam;
    wide const one = wide{1} << T::fraction_bits;
    for (int i = 0; i < 100000; ++i) {
        T const a = this->any(), b = this->any();
        SCOPED_TRACE(testing::Message() << "seed 20240611, draw " << i << ": " << a.raw << " and " << b.raw);
        if (isfinite(a) && isfinite(b)) {
            ASSERT_EQ((a + b).raw, expected<T>(wide{a.raw} + b.raw, 1).raw);
            ASSERT_EQ((a - b).raw, expected<T>(wide{a.raw} - b.raw, 1).raw);
            ASSERT_EQ((a * b).raw, expected<T>(wide{a.raw} * b.raw, one).raw);
            if (b.raw != 0) { ASSERT_EQ((a / b).raw, expected<T>(wide{a.raw} * one, b.raw).raw); }
        } else if (a == b) {  // the infinities keep to what IEEE 754 says, with 0 for NaN; but what has left the range does not come back
            ASSERT_EQ(a + b, a);
            ASSERT_EQ(a - b, sinew::infinity_v<T>);
            ASSERT_EQ(a / b, T(0));
            ASSERT_EQ(a * b, sinew::infinity_v<T>);
        } else if (isfinite(a)) {
            ASSERT_EQ(a + b, b);
            ASSERT_EQ(b - a, b);
            ASSERT_EQ(a / b, T(0));
            ASSERT_EQ(a * b, a == 0 ? T(0) : a < 0 ? -b : b);
            ASSERT_EQ(b / a, a < 0 ? -b : b);
        }
        ASSERT_EQ((-a) * b, -(a * b));
        ASSERT_EQ((-a) / b, -(a / b));
        ASSERT_EQ(a * b, b * a);
        if (isfinite(a) || isfinite(b) || a == b) { ASSERT_EQ((-a) + (-b), -(a + b)); }
        ASSERT_EQ(a + b, b + a);
        ASSERT_EQ(a < b, a.raw < b.raw);
        ASSERT_EQ(min(a, b) + max(a, b), a + b);
        ASSERT_EQ(abs(a), a < 0 ? -a : a);
        ASSERT_EQ(select(a < b, a, b), min(a, b));
    }
}

TYPED_TEST(fixed_test, ends_of_the_range) {
    using T = TypeParam;
    T const top = sinew::infinity_v<T>, step = T::from_raw(1);
    EXPECT_EQ(top + step, top);
    EXPECT_EQ(-top - step, -top);
    EXPECT_EQ(top * 2, top);
    EXPECT_EQ(top * -top, -top);
    EXPECT_EQ(step / top, T(0));
    EXPECT_EQ(top / step, top);
    EXPECT_EQ(top * step, top);
    EXPECT_EQ(top - T(1), top);
    EXPECT_EQ(T::from_raw(T::largest - 1) + step, top);
    EXPECT_EQ(T::from_raw(T::largest - 1) * T(2), top);
    EXPECT_EQ(sqrt(top), top);
    EXPECT_EQ(T(1) / 0, top);
    EXPECT_EQ(T(-1) / 0, -top);
    EXPECT_EQ(T(0) / 0, T(0));
    EXPECT_FALSE(isfinite(top));
    EXPECT_FALSE(isfinite(-top));
    EXPECT_TRUE(isfinite(T::from_raw(T::largest - 1)));
    EXPECT_EQ(-(-top), top);
    EXPECT_EQ(floor(-top), -top);
}

TYPED_TEST(fixed_test, conversions) {
    using T = TypeParam;
    double const step = std::ldexp(1.0, -T::fraction_bits);
    EXPECT_EQ(T::from(1e300), sinew::infinity_v<T>);
    EXPECT_EQ(T::from(-1e300), -sinew::infinity_v<T>);
    EXPECT_EQ(T::from(std::numeric_limits<double>::infinity()), sinew::infinity_v<T>);
    EXPECT_EQ(T::from(std::numeric_limits<double>::quiet_NaN()), T(0));
    EXPECT_EQ(T::from(1e-300), T(0));
    EXPECT_EQ(T::from(-0.0), T(0));
    EXPECT_EQ(T::from(0.5 * step), T(0));
    EXPECT_EQ(T::from(0.75 * step).raw, 1);
    EXPECT_EQ(T::from(-3.5 * step).raw, -4);
    for (int i = 0; i < 20000; ++i) {
        T const a = this->any();
        SCOPED_TRACE(testing::Message() << "seed 20240611, draw " << i << ": " << a.raw);
        if (!isfinite(a)) {
            ASSERT_TRUE(std::isinf(static_cast<double>(a)) && std::isinf(static_cast<long double>(a)));
            ASSERT_FALSE(isfinite(fixed<60, 1>(a)) || isfinite(fixed<0, 60>(a)));  // what has left one range is not taken for a number of another
            continue;
        }
        ASSERT_EQ(static_cast<long double>(a), std::ldexp(static_cast<long double>(a.raw), -T::fraction_bits));
        ASSERT_EQ(static_cast<double>(a), std::ldexp(static_cast<double>(a.raw), -T::fraction_bits));
        ASSERT_EQ(static_cast<float>(a), static_cast<float>(static_cast<double>(a)));
        if (sizeof(T) == 4) { ASSERT_EQ(T::from(static_cast<double>(a)), a); }
        ASSERT_EQ(static_cast<std::int64_t>(a), static_cast<std::int64_t>(std::trunc(static_cast<long double>(a))));
        ASSERT_EQ(static_cast<long double>(floor(a)), std::floor(static_cast<long double>(a)) <= -std::ldexp(1.0L, T::integer_bits) ? -std::numeric_limits<long double>::infinity() : std::floor(static_cast<long double>(a)));
        // Through other formats: exact where there is room, else to the nearest.
        auto const roomy = fixed<13, 50>(a);
        if (isfinite(roomy) && T::fraction_bits <= 50) { ASSERT_EQ(T(roomy), a); }
        auto const coarse = fixed<7, 8>(a);
        ASSERT_EQ(coarse.raw, T::fraction_bits > 8 ? (expected<fixed<7, 8>>(wide{a.raw}, wide{1} << (T::fraction_bits - 8)).raw) : coarse.raw);
    }
}

TYPED_TEST(fixed_test, square_root_is_the_nearest) {
    using T = TypeParam;
    for (int i = 0; i < 50000; ++i) {
        T const a = abs(this->any());
        if (!isfinite(a)) continue;
        SCOPED_TRACE(testing::Message() << "seed 20240611, draw " << i << ": " << a.raw);
        // r - 1/2 < sqrt(a 2^F) < r + 1/2 in steps, squared and times 4
        wide const r = sqrt(a).raw, square = (wide{a.raw} << T::fraction_bits) * 4;
        ASSERT_LT(square, (2 * r + 1) * (2 * r + 1));
        if (r > 0) { ASSERT_GT(square, (2 * r - 1) * (2 * r - 1)); }
    }
    EXPECT_EQ(sqrt(T(-1)), T(0));
    EXPECT_EQ(sqrt(T(4)), T(2));
}

template <class T>
long double real(T x) {
    return static_cast<long double>(x);
}
// Distance of y from the value, in steps; what lies beyond the range must be at its end.
template <class T>
long double steps_off(T y, long double value) {
    if (std::fabs(value) >= std::ldexp(static_cast<long double>(T::largest) - 0.5L, -T::fraction_bits)) return y == (value < 0 ? -sinew::infinity_v<T> : sinew::infinity_v<T>) ? 0.0L : 1e9L;
    return std::fabs(std::ldexp(real(y) - value, T::fraction_bits));
}

TYPED_TEST(fixed_test, functions_are_within_a_step) {
    using T = TypeParam;
    // of its value, exp and tan: see fixed_functions.hpp
    auto const grown = [](long double allowed) { return std::ldexp(allowed, T::fraction_bits); };
    for (int i = 0; i < 20000; ++i) {
        T const a = this->any(), b = this->any();
        if (!isfinite(a) || !isfinite(b)) continue;
        long double const x = real(a), y = real(b);
        SCOPED_TRACE(testing::Message() << "seed 20240611, draw " << i << ": " << a.raw << " and " << b.raw);
        if (std::fabs(x) < 1e6L) {  // beyond, the reference itself loses digits
            ASSERT_LE(steps_off(sin(a), std::sin(x)), 1);
            ASSERT_LE(steps_off(cos(a), std::cos(x)), 1);
            ASSERT_EQ(sin(-a), -sin(a));
            ASSERT_EQ(cos(-a), cos(a));
            ASSERT_EQ(sincos(a).sin, sin(a));
            ASSERT_EQ(sincos(a).cos, cos(a));
            long double const t = std::tan(x);
            ASSERT_LE(steps_off(tan(a), t), 1 + grown(std::ldexp(1 + t * t, -60)));
        }
        ASSERT_LE(steps_off(atan(a), std::atan(x)), 1);
        if (a.raw != 0 || b.raw != 0) { ASSERT_LE(steps_off(atan2(a, b), std::atan2(x, y)), 1); }
        if (std::fabs(x) <= 1) {
            ASSERT_LE(steps_off(asin(a), std::asin(x)), 1);
            ASSERT_LE(steps_off(acos(a), std::acos(x)), 1);
        }
        if (a > 0) { ASSERT_LE(steps_off(log(a), std::log(x)), 1); }
        long double const e = std::exp(x);
        ASSERT_LE(steps_off(exp(a), e), 1 + grown(std::ldexp(e < 1e12L ? e : 0, -59)));
    }
    EXPECT_EQ(atan2(T(0), T(0)), T(0));
    EXPECT_EQ(atan2(T(0), T(-1)), sinew::pi_v<T>);
    EXPECT_EQ(atan(sinew::infinity_v<T>), atan2(T(1), T(0)));
    EXPECT_EQ(atan(-sinew::infinity_v<T>), atan2(T(-1), T(0)));
    EXPECT_EQ(asin(T(2)), asin(T(1)));
    EXPECT_EQ(acos(T(-2)), sinew::pi_v<T>);
    EXPECT_EQ(log(T(0)), -sinew::infinity_v<T>);
    EXPECT_EQ(log(T(-1)), -sinew::infinity_v<T>);
}

// A length is exact to a step where squares would overflow or vanish, and a direction has all its digits.
TYPED_TEST(fixed_test, lengths_and_directions) {
    using T = TypeParam;
    for (int i = 0; i < 20000; ++i) {
        vec3<T> const a{this->any(), this->any(), this->any()};
        if (!isfinite(a)) continue;
        SCOPED_TRACE(testing::Message() << "seed 20240611, draw " << i);
        long double const x = real(a.x()), y = real(a.y()), z = real(a.z()), n = std::sqrt(x * x + y * y + z * z);
        if (n > std::ldexp(static_cast<long double>(T::largest - 4), -T::fraction_bits)) continue;  // at the very end the reference cannot tell
        ASSERT_LE(steps_off(norm(a), n), 0.501L + std::ldexp(n, T::fraction_bits - 62));  // the reference has 64 bits
        if (n == 0) continue;
        vec3<T> const u = normalize(a);
        ASSERT_LE(steps_off(u.x(), x / n), 2);
        ASSERT_LE(steps_off(u.y(), y / n), 2);
        ASSERT_LE(steps_off(u.z(), z / n), 2);
    }
    EXPECT_EQ(normalize(vec3<T>{0, 0, 0}), (vec3<T>{0, 0, 0}));
    EXPECT_EQ(normalize(vec3<T>{0, T::from_raw(-1), 0}), (vec3<T>{0, -1, 0}));
}

// Products as processors without a long multiplication form them.
TEST(fixed, products_by_halves_are_the_products) {
    std::mt19937 generator{11};
    auto const check = [&](auto format) {
        using T = decltype(format);
        for (int i = 0; i < 100000; ++i) {
            auto const draw = [&] { return T::from_raw(static_cast<std::int32_t>(generator() >> (1 + generator() % 31))); };
            T const a = draw(), b = draw();
            if (!isfinite(a) || !isfinite(b)) continue;
            std::uint64_t const steps = sinew::detail::rounded_product_by_halves<T::fraction_bits>(a.magnitude(), b.magnitude());
            ASSERT_EQ(T::nearest(steps, false), a * b) << "seed 11, draw " << i << ": " << a.raw << ", " << b.raw;
        }
    };
    check(sinew::fixed<15, 16>{});
    check(sinew::fixed<0, 31>{});
    check(sinew::fixed<30, 1>{});
}

// The two-word forms, which processors without 128-bit integers use, give what the compiler's own give.
TEST(wide_integer, words_give_the_bits_of_128_bit_integers) {
    std::mt19937_64 generator{7};
    for (int i = 0; i < 200000; ++i) {
        auto const draw = [&] { return i % 5 == 0 ? ~std::uint64_t{0} << (generator() % 64) : generator() >> (generator() % 64); };
        std::uint64_t const a = draw(), b = draw(), d = draw();
        SCOPED_TRACE(testing::Message() << "seed 7, draw " << i << ": " << a << ", " << b << ", " << d);
        ASSERT_EQ(sinew::detail::product_by_halves(a, b), sinew::detail::product(a, b));
        if (d != 0) { ASSERT_EQ(sinew::detail::quotient_by_halves({a % d, b}, d), sinew::detail::quotient({a % d, b}, d)); }
        std::uint64_t const r = sinew::detail::floor_sqrt(sinew::detail::two_words{a, b});
        ASSERT_FALSE(sinew::detail::less({a, b}, sinew::detail::product(r, r)));
        if (r + 1 != 0) { ASSERT_TRUE(sinew::detail::less({a, b}, sinew::detail::product(r + 1, r + 1))); }
        std::uint64_t const s = sinew::detail::floor_sqrt(a);
        ASSERT_LE(s * s, a);
        ASSERT_GE(s * s + 2 * s, a);
    }
    static_assert(sinew::detail::quotient_by_halves({5, 0}, 7) == sinew::detail::quotient({5, 0}, 7));
}

// Derivatives of fixed-point functions.
TEST(fixed_dual, derivatives) {
    using D = sinew::dual<q32, 1>;
    D const x = D::variable(q32(0.75), 0);
    D const y = 0.5 * x * x + sin(x) / 2 - D(1.25);
    EXPECT_NEAR(static_cast<double>(y.d[0]), 0.75 + std::cos(0.75) / 2, 1e-8);
    EXPECT_NEAR(static_cast<double>(y.v), 0.5 * 0.75 * 0.75 + std::sin(0.75) / 2 - 1.25, 1e-8);
}

}  // namespace
