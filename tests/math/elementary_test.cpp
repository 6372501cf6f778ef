// Elementary functions against the C library, which is taken as exact one format up: double and float against long
// double. Laws hold bit for bit, and constant evaluation gives the bits of the run time.

#include <sinew/math/elementary.hpp>
#include <sinew/math/scalar.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

constexpr unsigned seed = 1971;
constexpr int samples = 60000;

template <class S>
class elementary : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(elementary, scalars);

template <class S>
using limits = std::numeric_limits<S>;
template <class S>
constexpr S inf = limits<S>::infinity();
template <class S>
constexpr S nan_ = limits<S>::quiet_NaN();

// The reference: exact enough to measure the errors of S by, or no better than S itself.
using wide = long double;
template <class S>
constexpr bool measurable = limits<wide>::digits >= limits<S>::digits + 8;

// Largest error that is promised, in units of the last place of the exact result. Where the reference is no better than
// S, its own error, up to 1, comes on top.
template <class S>
constexpr double bound = 2.0 + (measurable<S> ? 0.0 : 1.0);
// Of sin, cos, tan, exp and log: only their last sum rounds in full.
template <class S>
constexpr double tight_bound = 1.0 + (measurable<S> ? 0.0 : 1.0);

// The significand that long double is made for (80-bit and 64-bit formats).
template <class S>
constexpr bool supported = limits<S>::digits <= 64;

template <class S>
bool same(S a, S b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b && std::signbit(a) == std::signbit(b);
}

// Error of `got` in units of the last place that S has at `exact`.
template <class S>
double ulps(S got, wide exact) {
    if (std::isnan(exact)) return std::isnan(got) ? 0 : inf<double>;
    if (std::isinf(exact)) return same(static_cast<wide>(got), exact) ? 0 : inf<double>;
    if (std::isnan(got)) return inf<double>;
    if (exact == 0) return got == 0 && std::signbit(got) == std::signbit(exact) ? 0 : inf<double>;
    int const lowest = limits<S>::min_exponent - 1;
    int const e = std::max(std::ilogb(exact), lowest);
    wide const ulp = std::ldexp(wide(1), e - limits<S>::digits + 1);
    if (std::isinf(got)) {
        // Rounding to infinity is right from half a unit above the largest number.
        wide const largest = limits<S>::max();
        return (got > 0) == (exact > 0) && std::fabs(exact) - largest >= ulp / 2 - wide(bound<S>) * ulp ? 0 : inf<double>;
    }
    return static_cast<double>(std::fabs(static_cast<wide>(got) - exact) / ulp);
}

// Random arguments made of raw bits: the same with every standard library.
class source {
public:
    template <class S>
    S unit() {  // [0, 1)
        return static_cast<S>(std::ldexp(static_cast<wide>(bits()), -64) * (1 - wide(limits<S>::epsilon())));
    }
    template <class S>
    S between(S lo, S hi) {
        return lo + (hi - lo) * unit<S>();
    }
    // Of either sign, with every exponent in [lo, hi) as likely.
    template <class S>
    S spread(int lo, int hi) {
        int const e = lo + static_cast<int>(bits() % static_cast<std::uint64_t>(hi - lo));
        S const x = static_cast<S>(std::ldexp(1 + static_cast<wide>(unit<S>()), e));
        return bits() >> 63 ? -x : x;
    }
    template <class S>
    S any() {
        return spread<S>(limits<S>::min_exponent - limits<S>::digits, limits<S>::max_exponent - 1);
    }

private:
    std::uint64_t bits() { return (static_cast<std::uint64_t>(random_()) << 32) | random_(); }
    std::mt19937 random_{seed};
};

// The worst error over the arguments that `next` makes.
template <class S, class Ours, class Theirs, class Next>
void expect_accurate(char const* name, Ours const& ours, Theirs const& theirs, Next const& next, double allowed) {
    SCOPED_TRACE(testing::Message() << name << ", seed " << seed);
    source random;
    double worst = 0;
    S at = 0;
    for (int i = 0; i < samples; ++i) {
        S const x = next(random);
        double const e = ulps(ours(x), theirs(static_cast<wide>(x)));
        if (!(e <= worst)) worst = e, at = x;
    }
    EXPECT_LE(worst, allowed) << "at " << std::hexfloat << static_cast<wide>(at);
}

// Where functions bend, end or change their formula.
template <class S>
std::vector<S> special_arguments() {
    S const tiny = limits<S>::denorm_min(), least = limits<S>::min(), eps = limits<S>::epsilon(), most = limits<S>::max();
    S const pi = sinew::pi_v<S>;
    std::vector<S> const base{S(0),   tiny,         2 * tiny,     least,           std::nextafter(least, S(0)), least * 3, eps,      eps / 2,  eps / 4,
                              S(0.5), S(1),         S(2),         S(3),            S(10),                       S(100),    S(1000),  S(1e6L),  S(2e9L),
                              pi,     pi / 2,       pi / 4,       3 * pi / 4,      pi * 3 / 2,                  2 * pi,    100 * pi, S(1e10L), S(1e20L),
                              most,   most / 2,     inf<S>,       nan_<S>,         S(0.0625L),                  S(0.1875L), S(0.9375L), S(22),  S(355),
                              S(200), S(1) - eps / 2, S(1) + eps, S(0.7071067811865475244L), std::ldexp(S(1), limits<S>::digits), std::ldexp(S(1), limits<S>::digits - 1)};
    std::vector<S> all;
    for (S const x : base)
        for (S const s : {x, -x})
            for (S const t : {s, std::nextafter(s, inf<S>), std::nextafter(s, -inf<S>)}) all.push_back(t);
    return all;
}

template <class S, class Ours, class Theirs>
void expect_like_the_library(char const* name, Ours const& ours, Theirs const& theirs, double allowed, S largest = limits<S>::max()) {
    for (S const x : special_arguments<S>()) {
        if (std::isfinite(x) && std::fabs(x) > largest) continue;
        EXPECT_LE(ulps(ours(x), theirs(static_cast<wide>(x))), allowed) << name << " of " << std::hexfloat << static_cast<wide>(x);
    }
}

// Beyond this, the sine of a long double is not promised.
template <class S>
constexpr S trigonometric_range = limits<S>::digits > 53 ? S(1.9e9L) : limits<S>::max();
template <class S>
constexpr int trigonometric_exponent = limits<S>::digits > 53 ? 30 : limits<S>::max_exponent - 1;

// ---- square root and floor: exact

TYPED_TEST(elementary, sqrt_is_correctly_rounded) {
    using S = TypeParam;
    if constexpr (supported<S>) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        source random;
        for (int i = 0; i < samples; ++i) {
            S const x = std::fabs(random.any<S>());
            ASSERT_EQ(sinew::sqrt(x), std::sqrt(x)) << std::hexfloat << static_cast<wide>(x);
            S const near = random.between(S(1), S(4));
            ASSERT_EQ(sinew::sqrt(near), std::sqrt(near)) << std::hexfloat << static_cast<wide>(near);
            // Squares and their neighbours: where rounding is closest to a tie.
            S const square = near * near;
            for (S const y : {square, std::nextafter(square, S(0)), std::nextafter(square, inf<S>)}) ASSERT_EQ(sinew::sqrt(y), std::sqrt(y));
        }
        for (S const x : special_arguments<S>()) EXPECT_TRUE(same(sinew::sqrt(x), std::sqrt(x))) << static_cast<wide>(x);
        for (int n = 0; n < 1000; ++n) EXPECT_EQ(sinew::sqrt(static_cast<S>(n * n)), static_cast<S>(n));
    }
}
// Where the processor has no instruction, and in constant evaluation.
TYPED_TEST(elementary, sqrt_by_digits_and_by_newton_are_correctly_rounded) {
    using S = TypeParam;
    if constexpr (sinew::detail::float_bits<S>::known) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        source random;
        auto const check = [](S x) {
            ASSERT_EQ(sinew::detail::sqrt_by_digits(x), std::sqrt(x)) << std::hexfloat << static_cast<wide>(x);
            ASSERT_EQ(sinew::detail::sqrt_by_newton(x), std::sqrt(x)) << std::hexfloat << static_cast<wide>(x);
        };
        for (int i = 0; i < samples; ++i) {
            check(std::fabs(random.any<S>()));
            S const near = random.between(S(1), S(4));
            check(near);
            check(std::nextafter(near * near, inf<S>));
            if (this->HasFatalFailure()) return;
        }
        for (S const x : {limits<S>::denorm_min(), limits<S>::min(), limits<S>::max(), std::nextafter(S(1), S(0)), std::nextafter(S(4), S(0))}) check(x);
        // The digits stand for the instruction, which takes any number.
        for (S const x : special_arguments<S>()) EXPECT_TRUE(same(sinew::detail::sqrt_by_digits(x), std::sqrt(x))) << static_cast<wide>(x);
    }
}
TYPED_TEST(elementary, floor_is_exact) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    source random;
    for (int i = 0; i < samples; ++i) {
        for (S const x : {random.any<S>(), random.spread<S>(-3, limits<S>::digits + 3), random.between(S(-10), S(10))})
            ASSERT_TRUE(same(sinew::floor(x), std::floor(x))) << std::hexfloat << static_cast<wide>(x);
        S const whole = std::round(random.between(S(-1000), S(1000)));
        for (S const x : {whole, std::nextafter(whole, inf<S>), std::nextafter(whole, -inf<S>)}) ASSERT_TRUE(same(sinew::floor(x), std::floor(x)));
    }
    for (S const x : special_arguments<S>()) EXPECT_TRUE(same(sinew::floor(x), std::floor(x))) << std::hexfloat << static_cast<wide>(x);
}

// ---- accuracy

TYPED_TEST(elementary, sine_cosine_tangent) {
    using S = TypeParam;
    if constexpr (supported<S>) {
        auto const sine = [](S x) { return sinew::sin(x); };
        auto const cosine = [](S x) { return sinew::cos(x); };
        auto const tangent = [](S x) { return sinew::tan(x); };
        auto const lsin = [](wide x) { return std::sin(x); };
        auto const lcos = [](wide x) { return std::cos(x); };
        auto const ltan = [](wide x) { return std::tan(x); };
        auto const everywhere = [&](auto const& next) {
            expect_accurate<S>("sin", sine, lsin, next, tight_bound<S>);
            expect_accurate<S>("cos", cosine, lcos, next, tight_bound<S>);
            expect_accurate<S>("tan", tangent, ltan, next, tight_bound<S>);
        };
        everywhere([](source& r) { return r.between(S(-1), S(1)); });
        everywhere([](source& r) { return r.between(S(-20), S(20)); });
        everywhere([](source& r) { return r.spread<S>(limits<S>::min_exponent - limits<S>::digits, trigonometric_exponent<S>); });
        // The floats nearest to multiples of pi / 2: poles and zeros, where reduction cancels most.
        everywhere([](source& r) {
            S const q = std::round(std::fabs(r.spread<S>(0, limits<S>::digits > 53 ? 29 : limits<S>::digits - 2)));
            S const x = static_cast<S>(static_cast<wide>(q) * 1.57079632679489661923132169163975144L);
            return r.unit<S>() < S(0.5) ? x : std::nextafter(x, r.unit<S>() < S(0.5) ? S(0) : inf<S>);
        });
        expect_like_the_library<S>("sin", sine, lsin, tight_bound<S>, trigonometric_range<S>);
        expect_like_the_library<S>("cos", cosine, lcos, tight_bound<S>, trigonometric_range<S>);
        expect_like_the_library<S>("tan", tangent, ltan, tight_bound<S>, trigonometric_range<S>);
    }
}
// Known worst cases of reduction: the doubles and floats nearest to a multiple of pi / 2 (Muller, Elementary Functions,
// 11.1), to the digits computed there.
TEST(reduction, closest_to_a_multiple_of_half_pi) {
    double const d = std::ldexp(6381956970095103.0, 797);
    EXPECT_LE(ulps(sinew::cos(d), -4.6871659242546276111225828019638843989495e-19L), 1);
    EXPECT_EQ(std::fabs(sinew::sin(d)), 1);
    float const f = std::ldexp(16367173.0f, 72);
    EXPECT_LE(ulps(sinew::cos(f), -1.6147697982476211883963e-9L), 2);
    EXPECT_EQ(std::fabs(sinew::sin(f)), 1);
}
TYPED_TEST(elementary, inverse_functions) {
    using S = TypeParam;
    if constexpr (supported<S>) {
        auto const arcsine = [](S x) { return sinew::asin(x); };
        auto const arccosine = [](S x) { return sinew::acos(x); };
        auto const arctangent = [](S x) { return sinew::atan(x); };
        auto const lasin = [](wide x) { return std::asin(x); };
        auto const lacos = [](wide x) { return std::acos(x); };
        auto const latan = [](wide x) { return std::atan(x); };
        auto const inside = [](source& r) { return r.between(S(-1), S(1)); };
        auto const small = [](source& r) { return r.spread<S>(limits<S>::min_exponent - limits<S>::digits, 0); };
        auto const near_one = [](source& r) {
            S const x = S(1) - std::fabs(r.spread<S>(-limits<S>::digits, -1));
            return r.unit<S>() < S(0.5) ? x : -x;
        };
        for (auto const& next : std::vector<S (*)(source&)>{inside, small, near_one}) {
            expect_accurate<S>("asin", arcsine, lasin, next, bound<S>);
            expect_accurate<S>("acos", arccosine, lacos, next, bound<S>);
        }
        expect_accurate<S>("atan", arctangent, latan, inside, bound<S>);
        expect_accurate<S>("atan", arctangent, latan, [](source& r) { return r.spread<S>(-4, 5); }, bound<S>);
        expect_accurate<S>("atan", arctangent, latan, [](source& r) { return r.any<S>(); }, bound<S>);
        expect_like_the_library<S>("asin", arcsine, lasin, bound<S>);
        expect_like_the_library<S>("acos", arccosine, lacos, bound<S>);
        expect_like_the_library<S>("atan", arctangent, latan, bound<S>);
    }
}
TYPED_TEST(elementary, angle_of_a_point) {
    using S = TypeParam;
    if constexpr (supported<S>) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        source random;
        double worst = 0;
        S at[2] = {};
        auto const look = [&](S y, S x) {
            double const e = ulps(sinew::atan2(y, x), std::atan2(static_cast<wide>(y), static_cast<wide>(x)));
            if (!(e <= worst)) worst = e, at[0] = y, at[1] = x;
        };
        for (int i = 0; i < samples; ++i) {
            look(random.between(S(-1), S(1)), random.between(S(-1), S(1)));
            look(random.spread<S>(-20, 20), random.spread<S>(-20, 20));
            look(random.any<S>(), random.any<S>());
            // Along the diagonals and the axes.
            S const x = random.spread<S>(-8, 8);
            look(x * (1 + random.spread<S>(-limits<S>::digits, -4)), x);
        }
        EXPECT_LE(worst, bound<S>) << std::hexfloat << "atan2(" << static_cast<wide>(at[0]) << ", " << static_cast<wide>(at[1]) << ")";
        auto const special = special_arguments<S>();
        for (S const y : special)
            for (S const x : special)
                EXPECT_LE(ulps(sinew::atan2(y, x), std::atan2(static_cast<wide>(y), static_cast<wide>(x))), bound<S>)
                    << std::hexfloat << "atan2(" << static_cast<wide>(y) << ", " << static_cast<wide>(x) << ")";
    }
}
TYPED_TEST(elementary, exponential_and_logarithm) {
    using S = TypeParam;
    if constexpr (supported<S>) {
        auto const exponential = [](S x) { return sinew::exp(x); };
        auto const logarithm = [](S x) { return sinew::log(x); };
        auto const lexp = [](wide x) { return std::exp(x); };
        auto const llog = [](wide x) { return std::log(x); };
        constexpr S top = static_cast<S>(limits<S>::max_exponent * 0.69314718055994530942L);
        constexpr S bottom = static_cast<S>((limits<S>::min_exponent - limits<S>::digits - 2) * 0.69314718055994530942L);
        expect_accurate<S>("exp", exponential, lexp, [](source& r) { return r.between(S(-2), S(2)); }, tight_bound<S>);
        expect_accurate<S>("exp", exponential, lexp, [](source& r) { return r.between(bottom, top); }, tight_bound<S>);
        expect_accurate<S>("exp", exponential, lexp, [](source& r) { return r.spread<S>(-limits<S>::digits - 2, 0); }, tight_bound<S>);
        // Subnormal results are rounded once.
        expect_accurate<S>("exp", exponential, lexp, [](source& r) { return r.between(bottom, S(limits<S>::min_exponent) * S(0.68L)); }, tight_bound<S>);
        expect_accurate<S>("log", logarithm, llog, [](source& r) { return r.between(S(0.25), S(4)); }, tight_bound<S>);
        expect_accurate<S>("log", logarithm, llog, [](source& r) { return S(1) + r.spread<S>(-limits<S>::digits, -3); }, tight_bound<S>);
        expect_accurate<S>("log", logarithm, llog, [](source& r) { return std::fabs(r.any<S>()); }, tight_bound<S>);
        expect_like_the_library<S>("exp", exponential, lexp, tight_bound<S>);
        expect_like_the_library<S>("log", logarithm, llog, tight_bound<S>);
        // Where exp overflows and vanishes.
        for (S const x : {top, bottom, S(limits<S>::min_exponent) * S(0.6931471805599453L)})
            for (int k = -5; k <= 5; ++k) {
                S const y = x + static_cast<S>(k) * std::fabs(x) * limits<S>::epsilon();
                EXPECT_LE(ulps(sinew::exp(y), std::exp(static_cast<wide>(y))), bound<S>) << std::hexfloat << static_cast<wide>(y);
            }
    }
}

// ---- special values (C, annex F), named one by one

TYPED_TEST(elementary, special_values) {
    using S = TypeParam;
    S const zero = 0, one = 1;
    for (S const x : {zero, -zero, limits<S>::denorm_min(), -limits<S>::denorm_min(), limits<S>::min()}) {
        EXPECT_TRUE(same(sinew::sin(x), x));
        EXPECT_TRUE(same(sinew::tan(x), x));
        EXPECT_TRUE(same(sinew::asin(x), x));
        EXPECT_TRUE(same(sinew::atan(x), x));
        EXPECT_TRUE(same(sinew::cos(x), one));
        EXPECT_TRUE(same(sinew::exp(x), one));
    }
    EXPECT_TRUE(same(sinew::sqrt(-zero), -zero));
    EXPECT_TRUE(same(sinew::floor(-zero), -zero));
    EXPECT_TRUE(same(sinew::acos(one), zero));
    EXPECT_TRUE(same(sinew::log(one), zero));
    EXPECT_EQ(sinew::exp(inf<S>), inf<S>);
    EXPECT_TRUE(same(sinew::exp(-inf<S>), zero));
    EXPECT_EQ(sinew::log(inf<S>), inf<S>);
    EXPECT_EQ(sinew::log(zero), -inf<S>);
    EXPECT_EQ(sinew::log(-zero), -inf<S>);
    EXPECT_EQ(sinew::sqrt(inf<S>), inf<S>);
    for (S const x : {inf<S>, -inf<S>, nan_<S>}) {
        EXPECT_TRUE(std::isnan(sinew::sin(x)));
        EXPECT_TRUE(std::isnan(sinew::cos(x)));
        EXPECT_TRUE(std::isnan(sinew::tan(x)));
        EXPECT_TRUE(std::isnan(sinew::asin(x)));
        EXPECT_TRUE(std::isnan(sinew::acos(x)));
        auto const [s, c] = sinew::sincos(x);
        EXPECT_TRUE(std::isnan(s) && std::isnan(c));
        EXPECT_FALSE(sinew::isfinite(x));
        EXPECT_EQ(sinew::isnan(x), std::isnan(x));
    }
    for (S const x : {-one, -limits<S>::denorm_min(), -inf<S>, nan_<S>}) {
        EXPECT_TRUE(std::isnan(sinew::sqrt(x)));
        EXPECT_TRUE(std::isnan(sinew::log(x)));
    }
    EXPECT_TRUE(std::isnan(sinew::exp(nan_<S>)));
    EXPECT_TRUE(std::isnan(sinew::atan(nan_<S>)));
    EXPECT_TRUE(std::isnan(sinew::atan2(nan_<S>, one)));
    EXPECT_TRUE(std::isnan(sinew::atan2(inf<S>, nan_<S>)));
    for (S const x : special_arguments<S>()) {
        EXPECT_EQ(sinew::isfinite(x), std::isfinite(x)) << static_cast<wide>(x);
        EXPECT_TRUE(same(sinew::copysign(x, S(-3)), std::copysign(x, S(-3))));
        EXPECT_TRUE(same(sinew::copysign(S(3), x), std::copysign(S(3), x)) || std::isnan(x));
    }
    S const outside = std::nextafter(one, S(2));
    for (S const x : {outside, -outside, S(2), limits<S>::max()}) {
        EXPECT_TRUE(std::isnan(sinew::asin(x)));
        EXPECT_TRUE(std::isnan(sinew::acos(x)));
    }
}
TYPED_TEST(elementary, exact_quadrants) {
    using S = TypeParam;
    constexpr S pi = static_cast<S>(3.14159265358979323846264338327950288L), half = static_cast<S>(1.57079632679489661923132169163975144L),
                quarter = static_cast<S>(0.785398163397448309615660845819875721L), three_quarters = static_cast<S>(2.35619449019234492884698253745962716L);
    S const zero = 0;
    for (S const r : {S(1), S(0.3L), limits<S>::max(), limits<S>::min(), limits<S>::denorm_min(), inf<S>}) {
        EXPECT_TRUE(same(sinew::atan2(zero, r), zero));
        EXPECT_TRUE(same(sinew::atan2(-zero, r), -zero));
        EXPECT_EQ(sinew::atan2(zero, -r), pi);
        EXPECT_EQ(sinew::atan2(-zero, -r), -pi);
        for (S const x : {zero, -zero}) {
            EXPECT_EQ(sinew::atan2(r, x), half);
            EXPECT_EQ(sinew::atan2(-r, x), -half);
        }
        EXPECT_EQ(sinew::atan2(r, r), quarter);
        EXPECT_EQ(sinew::atan2(-r, r), -quarter);
        EXPECT_EQ(sinew::atan2(r, -r), three_quarters);
        EXPECT_EQ(sinew::atan2(-r, -r), -three_quarters);
    }
    EXPECT_TRUE(same(sinew::atan2(zero, zero), zero));
    EXPECT_TRUE(same(sinew::atan2(-zero, zero), -zero));
    EXPECT_EQ(sinew::atan2(zero, -zero), pi);
    EXPECT_EQ(sinew::atan2(-zero, -zero), -pi);
    for (S const y : {S(1), S(0.25L), limits<S>::max()}) {
        EXPECT_EQ(sinew::atan2(inf<S>, y), half);
        EXPECT_EQ(sinew::atan2(-inf<S>, -y), -half);
        EXPECT_TRUE(same(sinew::atan2(y, inf<S>), zero));
        EXPECT_TRUE(same(sinew::atan2(-y, inf<S>), -zero));
        EXPECT_EQ(sinew::atan2(y, -inf<S>), pi);
        EXPECT_EQ(sinew::atan2(-y, -inf<S>), -pi);
    }
    EXPECT_EQ(sinew::asin(S(1)), half);
    EXPECT_EQ(sinew::asin(S(-1)), -half);
    EXPECT_EQ(sinew::acos(S(-1)), pi);
    EXPECT_EQ(sinew::acos(zero), half);
    EXPECT_EQ(sinew::acos(-zero), half);
    EXPECT_EQ(sinew::atan(inf<S>), half);
    EXPECT_EQ(sinew::atan(-inf<S>), -half);
    EXPECT_EQ(sinew::atan(S(1)), quarter);
}

// ---- laws, bit for bit

TYPED_TEST(elementary, odd_and_even) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    source random;
    for (int i = 0; i < samples / 4; ++i) {
        for (S const x : {random.spread<S>(limits<S>::min_exponent, trigonometric_exponent<S>), random.between(S(-8), S(8))}) {
            ASSERT_TRUE(same(sinew::sin(-x), -sinew::sin(x))) << std::hexfloat << static_cast<wide>(x);
            ASSERT_TRUE(same(sinew::tan(-x), -sinew::tan(x))) << std::hexfloat << static_cast<wide>(x);
            ASSERT_TRUE(same(sinew::atan(-x), -sinew::atan(x))) << std::hexfloat << static_cast<wide>(x);
            ASSERT_TRUE(same(sinew::cos(-x), sinew::cos(x))) << std::hexfloat << static_cast<wide>(x);
            auto const [s, c] = sinew::sincos(x);
            ASSERT_TRUE(same(s, sinew::sin(x))) << std::hexfloat << static_cast<wide>(x);
            ASSERT_TRUE(same(c, sinew::cos(x))) << std::hexfloat << static_cast<wide>(x);
        }
        S const u = random.between(S(-1), S(1));
        ASSERT_TRUE(same(sinew::asin(-u), -sinew::asin(u))) << std::hexfloat << static_cast<wide>(u);
        S const y = random.spread<S>(-9, 9), x = random.spread<S>(-9, 9);
        ASSERT_TRUE(same(sinew::atan2(-y, x), -sinew::atan2(y, x)));
        // Scaling a point by a power of two does not turn it.
        ASSERT_TRUE(same(sinew::atan2(std::ldexp(y, 60), std::ldexp(x, 60)), sinew::atan2(y, x)));
        ASSERT_TRUE(same(sinew::atan2(y, S(1)), sinew::atan(y)));
    }
}
TYPED_TEST(elementary, results_stay_in_their_range) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    source random;
    for (int i = 0; i < samples / 4; ++i) {
        S const x = random.spread<S>(limits<S>::min_exponent, trigonometric_exponent<S>);
        ASSERT_LE(std::fabs(sinew::sin(x)), S(1));
        ASSERT_LE(std::fabs(sinew::cos(x)), S(1));
        S const u = random.between(S(-1), S(1));
        ASSERT_LE(std::fabs(sinew::asin(u)), sinew::asin(S(1)));
        ASSERT_GE(sinew::acos(u), S(0));
        ASSERT_LE(sinew::acos(u), sinew::acos(S(-1)));
        ASSERT_LE(std::fabs(sinew::atan(x)), sinew::atan(inf<S>));
        ASSERT_GE(sinew::exp(-std::fabs(x)), S(0));
        ASSERT_LE(sinew::exp(-std::fabs(x)), S(1));
    }
}
TYPED_TEST(elementary, inverses_undo) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    source random;
    S const eps = limits<S>::epsilon();
    for (int i = 0; i < samples / 4; ++i) {
        S const a = random.between(S(-1.5L), S(1.5L));
        ASSERT_NEAR(static_cast<double>(sinew::atan(sinew::tan(a)) - a), 0, static_cast<double>(6 * eps));
        ASSERT_NEAR(static_cast<double>(sinew::atan2(sinew::sin(a * 2), sinew::cos(a * 2)) - a * 2), 0, static_cast<double>(6 * eps));
        S const r = random.between(S(-30), S(30));
        ASSERT_NEAR(static_cast<double>(sinew::log(sinew::exp(r)) - r), 0, static_cast<double>(eps * (2 + std::fabs(r))));
        auto const [s, c] = sinew::sincos(r);
        ASSERT_NEAR(static_cast<double>(s * s + c * c - 1), 0, static_cast<double>(4 * eps));
    }
}

// ---- constant evaluation

template <class S>
constexpr std::array numbers{S(0),       S(-0.0L),   S(1),         S(-1),      S(0.5L),     S(-0.5L),    S(0.3L),    S(-0.9L),    S(0.999999L), S(1e-9L),
                             S(-1e-30L), S(0.0625L), S(0.1875L),   S(0.785L),  S(-0.7854L), S(1.5707L),  S(1.5708L), S(3.14159L), S(-6.28L),    S(22),
                             S(-355),    S(123.25L), S(-1000.75L), S(54321),   S(1e6L),     S(1.5e9L),   S(-37.5L),  S(80.25L),   S(2),         S(4),
                             limits<S>::min(),       limits<S>::denorm_min(),  limits<S>::epsilon(),     -limits<S>::min()};
template <class S>
constexpr std::array huge{limits<S>::max(), limits<S>::lowest(), S(1e10L), S(1e20L), S(-3e37L)};
template <class S>
constexpr std::array beyond{inf<S>, -inf<S>, nan_<S>};

template <class F, class S, std::size_t N>
constexpr std::array<S, N> each(F f, std::array<S, N> const& x) {
    std::array<S, N> r{};
    for (std::size_t i = 0; i < N; ++i) r[i] = f(x[i]);
    return r;
}
// The optimiser must not know the argument.
template <class S, std::size_t N, class F>
void expect_same(char const* name, std::array<S, N> const& compiled, std::array<S, N> const& arguments, F f) {
    for (std::size_t i = 0; i < N; ++i) {
        S volatile hidden = arguments[i];
        S const x = hidden;
        EXPECT_TRUE(same(f(x), compiled[i])) << name << " of " << std::hexfloat << static_cast<wide>(x);
    }
}
template <auto const& Arguments, class F>
void expect_both(char const* name, F f) {
    constexpr auto compiled = each(F{}, Arguments);
    expect_same(name, compiled, Arguments, f);
}
template <class S>
constexpr auto exponents = each([](S x) { return x > S(80) ? S(80) : x < S(-100) ? S(-100) : x; }, numbers<S>);
template <class S>
constexpr std::array overflowing{S(limits<S>::max_exponent) * S(0.6935L), S(limits<S>::min_exponent - limits<S>::digits) * S(0.6935L)};

TYPED_TEST(elementary, constant_evaluation_gives_the_same_bits) {
    using S = TypeParam;
    constexpr auto root = [](S x) { return sinew::sqrt(x); };
    constexpr auto sine = [](S x) { return sinew::sin(x); };
    constexpr auto cosine = [](S x) { return sinew::cos(x); };
    constexpr auto tangent = [](S x) { return sinew::tan(x); };
    constexpr auto arcsine = [](S x) { return sinew::asin(x); };
    constexpr auto arccosine = [](S x) { return sinew::acos(x); };
    constexpr auto arctangent = [](S x) { return sinew::atan(x); };
    constexpr auto exponential = [](S x) { return sinew::exp(x); };
    constexpr auto logarithm = [](S x) { return sinew::log(x); };
    constexpr auto whole = [](S x) { return sinew::floor(x); };
    expect_both<numbers<S>>("sqrt", root);
    expect_both<numbers<S>>("sin", sine);
    expect_both<numbers<S>>("cos", cosine);
    expect_both<numbers<S>>("tan", tangent);
    expect_both<numbers<S>>("asin", arcsine);
    expect_both<numbers<S>>("acos", arccosine);
    expect_both<numbers<S>>("atan", arctangent);
    expect_both<numbers<S>>("log", logarithm);
    expect_both<numbers<S>>("floor", whole);
    expect_both<exponents<S>>("exp", exponential);
    expect_both<overflowing<S>>("exp", exponential);
    expect_both<huge<S>>("sqrt", root);
    expect_both<huge<S>>("floor", whole);
    expect_both<huge<S>>("atan", arctangent);
    expect_both<huge<S>>("log", logarithm);
    expect_both<huge<S>>("exp", exponential);
    if constexpr (limits<S>::digits <= 53) {
        expect_both<huge<S>>("sin", sine);
        expect_both<huge<S>>("cos", cosine);
        expect_both<huge<S>>("tan", tangent);
    }
    // What is not finite is no error in a constant.
    expect_both<beyond<S>>("sqrt", root);
    expect_both<beyond<S>>("floor", whole);
    expect_both<beyond<S>>("sin", sine);
    expect_both<beyond<S>>("cos", cosine);
    expect_both<beyond<S>>("tan", tangent);
    expect_both<beyond<S>>("asin", arcsine);
    expect_both<beyond<S>>("acos", arccosine);
    expect_both<beyond<S>>("atan", arctangent);
    expect_both<beyond<S>>("exp", exponential);
    expect_both<beyond<S>>("log", logarithm);
}
template <class S>
constexpr auto all_angles() {
    constexpr auto const& n = numbers<S>;
    std::array<S, n.size() * n.size()> r{};
    for (std::size_t i = 0; i < n.size(); ++i)
        for (std::size_t k = 0; k < n.size(); ++k) r[i * n.size() + k] = sinew::atan2(n[i], n[k]);
    return r;
}
TYPED_TEST(elementary, constant_angles_have_the_same_bits) {
    using S = TypeParam;
    constexpr auto compiled = all_angles<S>();
    constexpr auto const& n = numbers<S>;
    for (std::size_t i = 0; i < n.size(); ++i)
        for (std::size_t k = 0; k < n.size(); ++k) {
            S volatile y = n[i], x = n[k];
            EXPECT_TRUE(same(sinew::atan2(S(y), S(x)), compiled[i * n.size() + k])) << std::hexfloat << static_cast<wide>(n[i]) << " " << static_cast<wide>(n[k]);
        }
}
static_assert(sinew::isfinite(1.0) && sinew::isfinite(0.0f) && sinew::isfinite(-1e300L));
static_assert(sinew::isfinite(limits<double>::max()) && sinew::isfinite(limits<float>::lowest()) && sinew::isfinite(limits<long double>::denorm_min()));
static_assert(!sinew::isfinite(inf<float>) && !sinew::isfinite(-inf<double>) && !sinew::isfinite(nan_<long double>));
static_assert(sinew::isnan(nan_<float>) && !sinew::isnan(inf<double>));

}  // namespace
