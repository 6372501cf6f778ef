#pragma once
// Fixed-point numbers: an integer that counts steps of 2^-F, for processors without floating point.
//
// fixed<I, F> has I bits before the point, F behind it and a sign; fixed<15, 16> (Q15.16) fills 32 bits, fixed<31, 32> (Q31.32) 64 bits.
//
//   rounding     every result is the nearest number; of two that are equally near, the one whose last bit is 0
//   range        from -largest to largest, the same on both sides: a result beyond never wraps, it becomes the end of the range
//   the ends     are the infinities: infinity times, divided by or plus a number stays, a number divided by infinity is 0, isfinite is false; so
//                what has left the range is not taken for a number again, and a world does not commit it; infinity - infinity is infinity
//   zero         x / 0 is infinity with the sign of x; 0 / 0, 0 * infinity and infinity / infinity are 0
//   wide middle  products and quotients pass through twice the bits, whole
//
// -x is exact, and (-a) * b == -(a * b): mirrored motions stay mirrored. There is no -0 and no NaN.
//
// Constants are converted by the compiler: `fixed<15, 16> g = 9.81;` leaves no floating point in the program, and a constant that does not fit
// is an error. A number of the run time is converted, and kept within the range, by fixed<15, 16>::from(x).

#include <sinew/config/double_unit.hpp>
#include <sinew/config/inlining.hpp>
#include <sinew/core/float_bits.hpp>
#include <sinew/math/by_name.hpp>
#include <sinew/math/scalar.hpp>
#include <sinew/math/wide_integer.hpp>

#include <compare>
#include <cstdint>
#include <limits>

namespace sinew::inline v0 {

namespace detail {

// Not constexpr: a call in a constant expression is the error, and its name says what is wrong.
inline void this_constant_does_not_fit_the_fixed_point_type() noexcept {}

// The bits of a double as an integer times a power of two.
struct double_parts {
    bool negative, is_nan;
    std::uint64_t significand;
    int exponent;
};
[[nodiscard]] constexpr double_parts parts_of(double x) noexcept {
    static_assert(std::numeric_limits<double>::digits == 53 && sizeof(double) == 8);
    auto const bits = std::bit_cast<std::uint64_t>(x);
    auto const fraction = bits & 0xfffffffffffffu;
    int const e = static_cast<int>(bits >> 52) & 0x7ff;
    if (e == 0x7ff) return {(bits >> 63) != 0, fraction != 0, std::uint64_t{1} << 52, 2000};
    return {(bits >> 63) != 0, false, e == 0 ? fraction : fraction | (std::uint64_t{1} << 52), (e == 0 ? 1 : e) - 1075};
}

// a b 2^-F to the nearest, ties to even; all ones where that is more.
template <int F>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr std::uint32_t rounded_product_by_halves(std::uint32_t a, std::uint32_t b) noexcept {
    std::uint64_t const p = product_of_words_by_halves(a, b);
    auto const lo = static_cast<std::uint32_t>(p), hi = static_cast<std::uint32_t>(p >> 32);
    constexpr std::uint32_t half = std::uint32_t{1} << (F - 1);
    std::uint32_t const rest = lo & (2 * half - 1), below = (hi << (32 - F)) | (lo >> F);
    std::uint32_t const up = rest > half || (rest == half && (below & 1) != 0) ? 1 : 0;
    return (hi >> F) != 0 || below == 0xffffffffu ? 0xffffffffu : below + up;
}

// m 2^-f.
[[nodiscard]] constexpr double double_of(std::uint64_t m, int f, bool negative) noexcept {
    std::uint64_t const sign = std::uint64_t{negative} << 63;
    if (m == 0) return std::bit_cast<double>(sign);
    int const top = 63 - std::countl_zero(m);
    std::uint64_t const significand = top > 52 ? rounded_shift(m, top - 52) : m << (52 - top);  // 2^53 where rounding carried: then the sum below carries too
    return std::bit_cast<double>(sign + (static_cast<std::uint64_t>(1022 + top - f) << 52) + significand);
}

}  // namespace detail

template <int I, int F>
    requires(I >= 0 && F >= 1 && F <= 62 && I + F <= 63)
struct fixed;

template <class T>
inline constexpr bool is_fixed_v = false;
template <int I, int F>
inline constexpr bool is_fixed_v<fixed<I, F>> = true;

/// raw 2^-F.
template <int I, int F>
    requires(I >= 0 && F >= 1 && F <= 62 && I + F <= 63)
struct fixed {
    static constexpr int integer_bits = I, fraction_bits = F;
    static constexpr bool is_narrow = I + F <= 31;
    using storage = std::conditional_t<is_narrow, std::int32_t, std::int64_t>;
    using magnitude_type = std::make_unsigned_t<storage>;
    /// Count of steps at the upper end; the lower end is -largest.
    static constexpr storage largest = static_cast<storage>((std::uint64_t{1} << (I + F)) - 1);

    storage raw;  ///< count of steps of 2^-F

    constexpr fixed() noexcept = default;
    /// A constant, converted by the compiler.
    template <std::floating_point T>
    consteval fixed(T constant) noexcept : raw(from(static_cast<double>(constant)).raw) {
        auto const [magnitude, fits] = steps_of(detail::parts_of(static_cast<double>(constant)));
        if (!fits) detail::this_constant_does_not_fit_the_fixed_point_type();
    }
    /// A whole number, kept within the range.
    template <std::integral T>
    constexpr fixed(T n) noexcept : raw(0) {
        constexpr std::uint64_t top = static_cast<std::uint64_t>(largest) >> F;  // whole numbers up to here are in range
        bool const negative = n < T{};
        std::uint64_t const m = negative ? std::uint64_t{0} - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
        raw = m > top ? largest : static_cast<storage>(m << F);
        if (negative) raw = static_cast<storage>(-raw);
    }
    /// From another format: to the nearest, kept within the range.
    template <int J, int G>
        requires(J != I || G != F)
    constexpr explicit fixed(fixed<J, G> const& x) noexcept : raw(0) {
        std::uint64_t const m = x.magnitude();
        if constexpr (G > F) {
            raw = limited(x.is_infinite() ? ~std::uint64_t{0} : detail::rounded_shift(m, G - F), x.raw < 0);
        } else {
            constexpr int shift = F - G;
            bool const fits = (m >> (63 - shift)) == 0 && !x.is_infinite();
            raw = limited(fits ? m << shift : ~std::uint64_t{0}, x.raw < 0);
        }
    }

    /// The number of `steps` steps. This and the like are inlined where nothing is optimised, too: calls of them would be a fifth of the time.
    [[nodiscard, gnu::always_inline]] static constexpr fixed from_raw(storage steps) noexcept {
        fixed r;
        r.raw = steps;
        return r;
    }
    /// A number known at run time: to the nearest, kept within the range, NaN to 0. With integers only.
    [[nodiscard]] static constexpr fixed from(double x) noexcept {
        auto const parts = detail::parts_of(x);
        return from_raw(parts.is_nan ? storage{0} : limited(steps_of(parts).steps, parts.negative));
    }

    /// To the nearest; with integers only for float and double.
    template <std::floating_point T>
    [[nodiscard]] constexpr explicit operator T() const noexcept {
        if (is_infinite()) return raw < 0 ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
        if constexpr (std::same_as<T, float>) {
            return detail::float_of(magnitude(), F, raw < 0);
        } else if constexpr (std::numeric_limits<T>::digits <= 53) {
            return static_cast<T>(detail::double_of(magnitude(), F, raw < 0));
        } else {
            constexpr T step = T(1) / static_cast<T>(std::uint64_t{1} << F);
            return static_cast<T>(raw) * step;
        }
    }
    /// Towards zero.
    template <std::integral T>
    [[nodiscard]] constexpr explicit operator T() const noexcept {
        auto const whole = static_cast<storage>(magnitude() >> F);
        return static_cast<T>(raw < 0 ? -whole : whole);
    }

    [[nodiscard]] friend constexpr bool operator==(fixed const&, fixed const&) noexcept = default;
    [[nodiscard]] friend constexpr auto operator<=>(fixed const&, fixed const&) noexcept = default;

    [[nodiscard]] friend constexpr fixed operator+(fixed a) noexcept { return a; }
    [[nodiscard]] friend constexpr fixed operator-(fixed a) noexcept { return from_raw(static_cast<storage>(-a.raw)); }
    // Called, not inlined: in the flattened loops of the solvers copies of it would be three times the program, and no faster.
    [[nodiscard]] SINEW_CALLED friend constexpr fixed operator+(fixed a, fixed b) noexcept {
        if (a.is_infinite() || b.is_infinite()) [[unlikely]]
            return a.raw == -b.raw ? from_raw(largest) : a.is_infinite() ? a : b;
        auto const s = static_cast<storage>(static_cast<magnitude_type>(a.raw) + static_cast<magnitude_type>(b.raw));
        if (((a.raw ^ s) & (b.raw ^ s)) < 0) return from_raw(a.raw < 0 ? -largest : largest);
        return from_raw(s > largest ? largest : s < -largest ? static_cast<storage>(-largest) : s);
    }
    [[nodiscard]] friend constexpr fixed operator-(fixed a, fixed b) noexcept { return a + -b; }
    [[nodiscard]] SINEW_CALLED friend constexpr fixed operator*(fixed a, fixed b) noexcept {
        if (a.is_infinite() || b.is_infinite()) [[unlikely]]
            return a.raw == 0 || b.raw == 0 ? from_raw(0) : from_raw((a.raw ^ b.raw) < 0 ? -largest : largest);
        if constexpr (is_narrow && !detail::has_long_multiply) {
            std::uint32_t const steps = detail::rounded_product_by_halves<F>(a.magnitude(), b.magnitude());
            storage const m = steps > static_cast<std::uint32_t>(largest) ? largest : static_cast<storage>(steps);
            return from_raw((a.raw ^ b.raw) < 0 ? -m : m);
        } else if constexpr (is_narrow) {
            constexpr std::int64_t below_half = (std::int64_t{1} << (F - 1)) - 1;
            std::int64_t const p = std::int64_t{a.raw} * b.raw;
            return from_raw(limited((p + below_half + ((p >> F) & 1)) >> F));
        } else {
            auto const p = detail::product(a.magnitude(), b.magnitude());
            constexpr std::uint64_t below_half = (std::uint64_t{1} << (F - 1)) - 1;
            auto const r = detail::sum(p, {0, below_half + ((p.lo >> F) & 1)});
            std::uint64_t const steps = (r.hi >> F) != 0 ? ~std::uint64_t{0} : (r.hi << (64 - F)) | (r.lo >> F);
            return from_raw(limited(steps, (a.raw ^ b.raw) < 0));
        }
    }
    [[nodiscard]] SINEW_CALLED friend constexpr fixed operator/(fixed a, fixed b) noexcept {
        std::uint64_t const n = a.magnitude(), d = b.magnitude();
        bool const negative = (a.raw ^ b.raw) < 0;
        if (n == 0 || b.is_infinite()) return from_raw(0);
        if (a.is_infinite()) return from_raw(negative ? -largest : largest);
        std::uint64_t q, rest;
        if constexpr (is_narrow) {
            if (d == 0) return from_raw(negative ? -largest : largest);
            q = (n << F) / d;
            rest = (n << F) - q * d;
        } else {
            if ((n >> (64 - F)) >= d) return from_raw(negative ? -largest : largest);
            auto const x = detail::quotient({n >> (64 - F), n << F}, d);
            q = x.quotient;
            rest = x.rest;
        }
        std::uint64_t const twice = 2 * rest;
        return from_raw(limited(q + (twice > d || (twice == d && (q & 1) != 0) ? 1 : 0), negative));
    }
    constexpr fixed& operator+=(fixed b) noexcept { return *this = *this + b; }
    constexpr fixed& operator-=(fixed b) noexcept { return *this = *this - b; }
    constexpr fixed& operator*=(fixed b) noexcept { return *this = *this * b; }
    constexpr fixed& operator/=(fixed b) noexcept { return *this = *this / b; }

    [[nodiscard]] friend constexpr fixed select(bool mask, fixed a, fixed b) noexcept { return mask ? a : b; }
    [[nodiscard]] friend constexpr fixed min(fixed a, fixed b) noexcept { return b < a ? b : a; }
    [[nodiscard]] friend constexpr fixed max(fixed a, fixed b) noexcept { return a < b ? b : a; }
    [[nodiscard]] friend constexpr fixed abs(fixed a) noexcept { return a.raw < 0 ? -a : a; }
    [[nodiscard]] friend constexpr fixed value(fixed a) noexcept { return a; }
    [[nodiscard]] friend constexpr bool isfinite(fixed a) noexcept { return !a.is_infinite(); }
    [[nodiscard]] friend constexpr bool isnan(fixed) noexcept { return false; }
    /// Largest whole number not above x; the lower end of the range where there is none.
    [[nodiscard]] friend constexpr fixed floor(fixed a) noexcept { return a.is_infinite() ? a : from_raw(limited(a.raw & ~static_cast<storage>((std::uint64_t{1} << F) - 1))); }
    [[nodiscard]] friend constexpr fixed copysign(fixed a, fixed s) noexcept { return s.raw < 0 ? -abs(a) : abs(a); }

    [[nodiscard, gnu::always_inline]] constexpr bool is_infinite() const noexcept {  // at either end, in one comparison
        constexpr auto inner = static_cast<magnitude_type>(largest) - 1;
        return static_cast<magnitude_type>(static_cast<magnitude_type>(raw) + inner) > 2 * inner;
    }
    /// |raw|.
    [[nodiscard, gnu::always_inline]] constexpr magnitude_type magnitude() const noexcept { return static_cast<magnitude_type>(raw < 0 ? -raw : raw); }
    /// The number of so many steps, or the end of the range.
    [[nodiscard]] static constexpr fixed nearest(std::uint64_t steps, bool negative) noexcept { return from_raw(limited(steps, negative)); }

private:
    struct rounded_steps {
        std::uint64_t steps;
        bool fits;
    };
    [[nodiscard]] static constexpr rounded_steps steps_of(detail::double_parts const& parts) noexcept {
        constexpr std::uint64_t none = ~std::uint64_t{0};
        int const shift = parts.exponent + F;
        std::uint64_t const steps = parts.significand == 0 ? 0
                                    : shift > 10           ? none
                                    : shift >= 0           ? parts.significand << shift
                                                           : detail::rounded_shift(parts.significand, -shift);
        return {steps, !parts.is_nan && steps <= static_cast<std::uint64_t>(largest)};
    }
    [[nodiscard]] static constexpr storage limited(std::int64_t steps) noexcept {
        return static_cast<storage>(steps > largest ? largest : steps < -largest ? -largest : steps);
    }
    [[nodiscard]] static constexpr storage limited(std::uint64_t steps, bool negative) noexcept {
        storage const m = steps > static_cast<std::uint64_t>(largest) ? largest : static_cast<storage>(steps);
        return negative ? static_cast<storage>(-m) : m;
    }
};

/// The number is its own value type: a constant of the library, value_type_t<S>(0.25), is converted by the compiler.
template <int I, int F>
struct scalar_traits<fixed<I, F>> {
    using value_type = fixed<I, F>;
    using wider = std::conditional_t<(F < 32), fixed<31, 32>, fixed<I, F>>;
    static constexpr value_type epsilon = value_type::from_raw(1);
    static constexpr value_type max = value_type::from_raw(value_type::largest);
    static constexpr value_type infinity = value_type::from_raw(value_type::largest);
};

/// pi, to the nearest; the end of the range where that is less.
template <int I, int F>
inline constexpr fixed<I, F> pi_v<fixed<I, F>> = I < 2 ? infinity_v<fixed<I, F>> : fixed<I, F>::nearest(detail::rounded_shift(0xc90fdaa22168c235u, F < 62 ? 62 - F : 1), false);

static_assert(scalar<fixed<15, 16>> && scalar<fixed<31, 32>>);

}  // namespace sinew::inline v0

/// The library's own view: `min` is the smallest positive number, as for floating point.
template <int I, int F>
struct std::numeric_limits<sinew::fixed<I, F>> {
    using T = sinew::fixed<I, F>;
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false, is_bounded = true, is_modulo = false;
    static constexpr bool has_infinity = false, has_quiet_NaN = false, has_signaling_NaN = false, is_iec559 = false, traps = false;
    static constexpr int radix = 2, digits = I + F;
    static constexpr int max_exponent = I, min_exponent = 1 - F;  // 2^(n - 1) is a number for n from min_exponent to max_exponent, as for floating point
    [[nodiscard]] static constexpr T min() noexcept { return T::from_raw(1); }
    [[nodiscard]] static constexpr T max() noexcept { return T::from_raw(T::largest); }
    [[nodiscard]] static constexpr T lowest() noexcept { return T::from_raw(-T::largest); }
    [[nodiscard]] static constexpr T epsilon() noexcept { return T::from_raw(1); }
};
