#pragma once
// exp and log, within 1 ulp but for rare cases, without a library.
//
// exp: x = k ln 2 + r with ln 2 in two parts, |r| <= ln 2 / 2, Taylor's series of exp(r), scaled by 2^k.
// log: x = 2^k m with m in [sqrt(1/2), sqrt(2)), log m = 2 atanh(s) with s = (m - 1) / (m + 1).

#include <sinew/math/float_tools.hpp>

namespace sinew::inline v0 {

namespace detail {

template <class S>
struct exp_constants {
    static constexpr int digits = std::numeric_limits<S>::digits;
    static constexpr int kind = digits <= 24 ? 0 : digits <= 53 ? 1 : 2;
    // ln 2 in parts; k times the first is exact.
    static constexpr S ln2_hi = S(kind == 0 ? 0xb172p-16L : kind == 1 ? 0x162e42fefp-33L : 0xb17217f7p-32L);
    static constexpr S ln2_lo =
        S(kind == 0 ? 0xbfbep-35L + 0x8e7bp-51L : kind == 1 ? 0x1473de6afp-66L + 0x13c767300p-101L : 0xd1cf79abp-64L + 0xc9e3b398p-96L);
    static constexpr std::size_t exp_terms = kind == 0 ? 7 : kind == 1 ? 13 : 16;
    static constexpr std::size_t log_terms = kind == 0 ? 4 : kind == 1 ? 10 : 13;
};

// 1/2!, 1/3!, ...
template <class S, std::size_t N>
struct inverse_factorials {
    S k[N];
    constexpr inverse_factorials() : k{} {
        long double f = 1;
        for (std::size_t n = 0; n < N; ++n) {
            f *= static_cast<long double>(n + 2);
            k[n] = static_cast<S>(1.0L / f);
        }
    }
};

}  // namespace detail

template <std::floating_point S>
[[nodiscard]] constexpr S exp(S x) noexcept {
    using K = detail::exp_constants<S>;
    using L = std::numeric_limits<S>;
    if (isnan(x)) return x;
    if (x > S(L::max_exponent) * S(0.694L)) return L::infinity();
    if (x < S(L::min_exponent - L::digits - 1) * S(0.694L)) return S(0);
    S const t = x * S(1.4426950408889634073599246810018921L);
    int const k = static_cast<int>(t + (t < S(0) ? S(-0.5L) : S(0.5L)));
    S const q = static_cast<S>(k);
    S const hi = x - q * K::ln2_hi;
    S const lo = q * K::ln2_lo;
    S const r = hi - lo;
    S const r_lo = (hi - r) - lo;
    // exp(r) - 1 - r = r^2 (1/2! + r/3! + ...)
    constexpr detail::inverse_factorials<S, K::exp_terms> c;
    S const p = detail::horner(c.k, r);
    S const y = S(1) + (r + (r * r * p + r_lo));
    return detail::scaled(y, k);
}

/// -infinity at 0, NaN below.
template <std::floating_point S>
[[nodiscard]] constexpr S log(S x) noexcept {
    using K = detail::exp_constants<S>;
    using L = std::numeric_limits<S>;
    if (isnan(x)) return x;
    if (x < S(0)) return L::quiet_NaN();
    if (x == S(0)) return -L::infinity();
    if (!isfinite(x)) return x;
    auto parts = detail::split(x);
    if (parts.m > S(1.4142135623730950488016887242096981L)) {
        parts.m /= 2;
        ++parts.e;
    }
    S const f = parts.m - S(1);
    S const s = f / (S(2) + f);
    S const z = s * s;
    S R = S(0);
    for (std::size_t n = K::log_terms; n > 0; --n) R = S(2) / static_cast<S>(2 * n + 1) + R * z;
    R *= z;
    S const half = f * f / 2;
    S const k = static_cast<S>(parts.e);
    return k * K::ln2_hi - ((half - (s * (half + R) + k * K::ln2_lo)) - f);
}

}  // namespace sinew::inline v0
