#pragma once
// What the elementary functions are built from: classification, rounding to integers, scaling by powers of two, and
// sums and products whose rounding error is known. Only + - * / and bit casts, so the bits are the same everywhere.

#include <sinew/math/scalar.hpp>
#include <sinew/math/sqrt.hpp>

#include <cstddef>

namespace sinew::inline v0 {

template <std::floating_point S>
[[nodiscard]] constexpr bool isnan(S x) noexcept {
    return x != x;
}
template <std::floating_point S>
[[nodiscard]] constexpr bool isfinite(S x) noexcept {
    return abs(x) <= std::numeric_limits<S>::max();
}

namespace detail {

template <class S>
[[nodiscard]] constexpr bool sign_bit(S x) noexcept {
    if constexpr (float_bits<S>::known)
        return (std::bit_cast<typename float_bits<S>::type>(x) >> (8 * sizeof(S) - 1)) != 0;
    else
#if defined(__GNUC__) || defined(__clang__)
        return __builtin_copysignl(1.0L, x) < 0.0L;  // also in constant evaluation, where 1 / 0 is not allowed
#else
        return x < S(0) || (x == S(0) && S(1) / x < S(0));
#endif
}

// 2^n for n in the range of normal numbers.
template <class S>
[[nodiscard]] constexpr S power_of_two(int n) noexcept {
    if constexpr (float_bits<S>::known) {
        using U = typename float_bits<S>::type;
        return std::bit_cast<S>(static_cast<U>(n + float_bits<S>::bias) << float_bits<S>::mantissa);
    } else {
        S r = 1, b = n < 0 ? S(0.5L) : S(2);
        for (int k = n < 0 ? -n : n; k != 0;) {
            if (k & 1) r *= b;
            k >>= 1;
            if (k != 0) b *= b;  // the square after the last would overflow
        }
        return r;
    }
}
// x 2^n, rounded once also where the result is subnormal.
template <class S>
[[nodiscard]] constexpr S scaled(S x, int n) noexcept {
    constexpr int top = std::numeric_limits<S>::max_exponent - 1, bottom = std::numeric_limits<S>::min_exponent - 1;
    if (n > top) {
        S const part = x * power_of_two<S>(top), rest = power_of_two<S>(n - top > top ? top : n - top);
        if (abs(part) > std::numeric_limits<S>::max() / rest) return x < S(0) ? -std::numeric_limits<S>::infinity() : std::numeric_limits<S>::infinity();
        return part * rest;
    }
    if (n < bottom) {
        int const rest = n - bottom;
        return x * power_of_two<S>(bottom) * power_of_two<S>(rest < bottom ? bottom : rest);
    }
    return x * power_of_two<S>(n);
}

// x = m 2^e with m in [1, 2), for positive finite x.
template <class S>
struct split_float {
    S m;
    int e;
};
template <class S>
[[nodiscard]] constexpr split_float<S> split(S x) noexcept {
    int extra = 0;
    if (x < std::numeric_limits<S>::min()) {
        x *= power_of_two<S>(std::numeric_limits<S>::digits);
        extra = -std::numeric_limits<S>::digits;
    }
    if constexpr (float_bits<S>::known) {
        using F = float_bits<S>;
        using U = typename F::type;
        U const bits = std::bit_cast<U>(x);
        U const one = static_cast<U>(F::bias) << F::mantissa;
        return {std::bit_cast<S>((bits & ((U{1} << F::mantissa) - 1)) | one), static_cast<int>(bits >> F::mantissa) - F::bias + extra};
    } else {
        int e = extra;
        for (int k = 1 << 13; k > 0; k >>= 1) {
            S const p = k < std::numeric_limits<S>::max_exponent ? power_of_two<S>(k) : std::numeric_limits<S>::infinity();
            if (x >= p) {
                x /= p;
                e += k;
            } else if (x < S(1) / p && x * p < S(1)) {
                x *= p;
                e -= k;
            }
        }
        while (x >= S(2)) {
            x /= 2;
            ++e;
        }
        while (x < S(1)) {
            x *= 2;
            --e;
        }
        return {x, e};
    }
}

// An unevaluated sum hi + lo.
template <class S>
struct two {
    S hi, lo;
};
template <class S>
[[nodiscard]] constexpr two<S> two_sum(S a, S b) noexcept {
    S const s = a + b;
    S const bb = s - a;
    return {s, (a - (s - bb)) + (b - bb)};
}
template <class S>
[[nodiscard]] constexpr two<S> fast_two_sum(S a, S b) noexcept {
    S const s = a + b;
    return {s, b - (s - a)};
}
// a b exactly (Dekker 1971, Veltkamp's splitting): no fused multiply-add is needed. Of numbers and of lanes.
template <class S>
[[nodiscard]] constexpr two<S> two_product(S a, S b) noexcept {
    using T = typename scalar_traits<S>::value_type;
    S const splitter(T(1ull << ((std::numeric_limits<T>::digits + 1) / 2)) + T(1));
    S const p = a * b;
    S const ta = splitter * a, tb = splitter * b;
    S const ah = ta - (ta - a), bh = tb - (tb - b);
    S const al = a - ah, bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

template <class S, std::size_t N>
[[nodiscard]] constexpr S horner(S const (&k)[N], S x) noexcept {
    S r = k[N - 1];
    for (std::size_t i = N - 1; i-- > 0;) r = r * x + k[i];
    return r;
}

}  // namespace detail

/// x with the sign of s.
template <std::floating_point S>
[[nodiscard]] constexpr S copysign(S x, std::type_identity_t<S> s) noexcept {
    return detail::sign_bit(x) == detail::sign_bit(s) ? x : -x;
}

/// Largest integer not above x.
template <std::floating_point S>
[[nodiscard]] constexpr S floor(S x) noexcept {
    using I = std::conditional_t<sizeof(S) == 4, std::int32_t, std::int64_t>;
    constexpr int digits = std::numeric_limits<S>::digits;
    constexpr S limit = S(std::uint64_t{1} << (digits > 63 ? 62 : digits - 1));
    if (isnan(x) || x == S(0)) return x;
    if (!(abs(x) < limit)) {
        if constexpr (digits > 63) {
            // Fractions beyond the range of the integer: first what is above 2^48, then the rest.
            if (abs(x) < detail::power_of_two<S>(digits - 1)) {
                constexpr S step = S(std::uint64_t{1} << 48);
                S const high = floor(x / step) * step;
                return high + floor(x - high);
            }
        }
        return x;
    }
    S const whole = static_cast<S>(static_cast<I>(x));
    S const r = whole > x ? whole - S(1) : whole;
    return r == S(0) ? copysign(r, x) : r;
}

}  // namespace sinew::inline v0
