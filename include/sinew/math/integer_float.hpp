#pragma once
// Floating-point numbers of integers: what searches over fixed point compute with, whose products of four lengths no fixed number of places can hold.
//
//   raw 2^exponent     a quarter of the range of Raw <= |raw| < half of it, or 0: 30 or 62 bits
//
// What is added and what results are cut off towards 0, so that mirrored searches stay mirrored. Infinity is a number beyond all that fixed point holds, and
// computed with like others: its square is more, and products of eight of them still have an exponent, such as the square of a limit that is none times
// derivatives up to the fifth that have left the range. The same bits on every processor, with or without floating point, whatever the compiler is told of that.

#include <sinew/config/inlining.hpp>
#include <sinew/math/dual.hpp>
#include <sinew/math/fixed_number.hpp>

#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sinew::inline v0 {

namespace detail {

// Not constexpr: see fixed_number.hpp.
inline void this_constant_is_not_a_number() noexcept {}

/// Raw: std::int32_t or std::int64_t.
template <class Raw>
struct integer_float {
    using word = std::make_unsigned_t<Raw>;
    static constexpr bool is_short = sizeof(Raw) == 4;
    static constexpr int bits = is_short ? 30 : 62;  ///< of raw

    Raw raw = 0;
    std::int16_t exponent = 0;

    constexpr integer_float() noexcept = default;
    /// A constant, converted by the compiler.
    template <std::floating_point T>
    consteval integer_float(T constant) noexcept {
        auto const parts = parts_of(static_cast<double>(constant));
        if (parts.is_nan) this_constant_is_not_a_number();
        *this = of(parts.significand, parts.exponent < 1000 ? parts.exponent : endless - 52, parts.negative);  // the parts of infinity have 2000
    }
    template <std::integral T>
    constexpr integer_float(T n) noexcept {
        bool const negative = n < T{};
        *this = of(negative ? std::uint64_t{0} - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n), 0, negative);
    }
    template <int I, int F>
    constexpr explicit integer_float(fixed<I, F> const& x) noexcept {
        *this = x.is_infinite() ? of(1, endless, x.raw < 0) : of(x.magnitude(), -F, x.raw < 0);
    }
    /// To the nearest, kept within the range.
    template <int I, int F>
    [[nodiscard]] constexpr explicit operator fixed<I, F>() const noexcept {
        int const shift = exponent + F;
        std::uint64_t const m = magnitude();
        bool const is_beyond = shift >= 64 - bits;
        return fixed<I, F>::nearest(m == 0 ? 0 : is_beyond ? ~std::uint64_t{0} : shift >= 0 ? m << shift : rounded_shift(m, -shift), raw < 0);
    }
    /// m 2^e.
    [[nodiscard]] static constexpr integer_float of(std::uint64_t m, int e, bool negative) noexcept {
        integer_float r;
        if (m == 0) return r;
        int const shift = std::countl_zero(m) - (64 - bits);
        auto const n = static_cast<Raw>(shift >= 0 ? m << shift : m >> -shift);
        r.raw = negative ? static_cast<Raw>(-n) : n;
        r.exponent = static_cast<std::int16_t>(e - shift);
        return r;
    }
    static constexpr int endless = 4096;  ///< infinity is 2^endless
    [[nodiscard]] constexpr word magnitude() const noexcept { return static_cast<word>(raw < 0 ? -raw : raw); }

    [[nodiscard]] friend constexpr bool operator==(integer_float const&, integer_float const&) noexcept = default;
    [[nodiscard]] friend constexpr std::strong_ordering operator<=>(integer_float const& a, integer_float const& b) noexcept {
        int const sign_a = (a.raw > 0) - (a.raw < 0), sign_b = (b.raw > 0) - (b.raw < 0);
        if (sign_a != sign_b) return sign_a <=> sign_b;
        if (a.exponent != b.exponent) return sign_a > 0 ? a.exponent <=> b.exponent : b.exponent <=> a.exponent;
        return a.raw <=> b.raw;
    }
    [[nodiscard]] friend constexpr integer_float operator-(integer_float a) noexcept {
        a.raw = static_cast<Raw>(-a.raw);
        return a;
    }
    [[nodiscard]] SINEW_CALLED friend constexpr integer_float operator+(integer_float a, integer_float b) noexcept {
        if (a.raw == 0) return b;
        if (b.raw == 0) return a;
        if (a.exponent < b.exponent) {
            integer_float const c = a;
            a = b;
            b = c;
        }
        int const apart = a.exponent - b.exponent;
        if (apart >= bits) return a;
        auto const part = static_cast<Raw>(b.magnitude() >> apart);
        auto const s = static_cast<Raw>(b.raw < 0 ? a.raw - part : a.raw + part);
        return of(static_cast<word>(s < 0 ? -s : s), a.exponent, s < 0);
    }
    [[nodiscard]] friend constexpr integer_float operator-(integer_float a, integer_float b) noexcept { return a + -b; }
    [[nodiscard]] SINEW_CALLED friend constexpr integer_float operator*(integer_float a, integer_float b) noexcept {
        bool const negative = (a.raw ^ b.raw) < 0;
        if constexpr (is_short) {
            return of(has_long_multiply ? std::uint64_t{a.magnitude()} * b.magnitude() : product_of_words_by_halves(a.magnitude(), b.magnitude()), a.exponent + b.exponent, negative);
        } else {
            auto const p = product(a.magnitude(), b.magnitude());
            return of((p.hi << 2) | (p.lo >> 62), a.exponent + b.exponent + 62, negative);
        }
    }
    /// By 0 infinity with the sign of a; 0 / 0 is 0.
    [[nodiscard]] SINEW_CALLED friend constexpr integer_float operator/(integer_float a, integer_float b) noexcept {
        if (a.raw == 0) return a;
        if (b.raw == 0) return of(1, endless, a.raw < 0);
        std::uint64_t const m = a.magnitude();
        std::uint64_t q;
        if constexpr (is_short)
            q = (m << 30) / b.magnitude();
        else
            q = quotient({m >> 2, m << 62}, b.magnitude()).quotient;
        return of(q, a.exponent - b.exponent - bits, (a.raw ^ b.raw) < 0);
    }
    /// 0 of what is negative.
    [[nodiscard]] friend constexpr integer_float sqrt(integer_float x) noexcept {
        if (x.raw <= 0) return {};
        bool const odd = (x.exponent & 1) != 0;
        std::uint64_t const m = odd ? std::uint64_t{x.magnitude()} << 1 : std::uint64_t{x.magnitude()};
        int const half = ((odd ? x.exponent - 1 : x.exponent) - bits) / 2;
        if constexpr (is_short)
            return of(floor_sqrt(m << 30), half, false);
        else
            return of(floor_sqrt(two_words{m >> 2, m << 62}), half, false);
    }

    [[nodiscard]] friend constexpr integer_float select(bool mask, integer_float a, integer_float b) noexcept { return mask ? a : b; }
    [[nodiscard]] friend constexpr integer_float min(integer_float a, integer_float b) noexcept { return b < a ? b : a; }
    [[nodiscard]] friend constexpr integer_float max(integer_float a, integer_float b) noexcept { return a < b ? b : a; }
    [[nodiscard]] friend constexpr integer_float abs(integer_float a) noexcept { return a.raw < 0 ? -a : a; }
    [[nodiscard]] friend constexpr integer_float value(integer_float a) noexcept { return a; }
};

/// In which a search among points over S goes on: S itself, unless that is without an exponent.
template <class S>
struct search_number {
    using type = S;
};
template <int I, int F>
struct search_number<fixed<I, F>> {
    using type = integer_float<std::conditional_t<fixed<I, F>::is_narrow, std::int32_t, std::int64_t>>;
};
template <class S, std::size_t N>
struct search_number<dual<S, N>> {
    using type = dual<typename search_number<S>::type, N>;
};
template <class S>
using search_number_t = typename search_number<S>::type;

}  // namespace detail

template <class Raw>
struct scalar_traits<detail::integer_float<Raw>> {
    using value_type = detail::integer_float<Raw>;
    static constexpr value_type epsilon = value_type::of(1, 2 - value_type::bits, false);
    static constexpr value_type max = value_type::of(1, value_type::endless / 2, false);
    static constexpr value_type infinity = value_type::of(1, value_type::endless, false);
};

static_assert(scalar<detail::search_number_t<fixed<15, 16>>> && scalar<detail::search_number_t<dual<fixed<31, 32>, 1>>>);

}  // namespace sinew::inline v0
