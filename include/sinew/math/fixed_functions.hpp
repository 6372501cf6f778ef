#pragma once
// Elementary functions of fixed-point numbers, with integers only: the same bits on every processor.
//
// sqrt is rounded to the nearest. The others are within a step as long as F <= 54, exp also within 2^-59 of its value, and tan, which has poles,
// within a step and (1 + tan^2) 2^-60. What has no value is the nearest that has:
//
//   sqrt(x < 0) = 0, asin and acos take x beyond [-1, 1] as the end, log(x <= 0) = -infinity, atan2(0, 0) = 0
//
// Inside, an angle or a power is an integer that counts steps of 2^-30 (for 32 bits) or 2^-62, and the series are summed in those.

#include <sinew/math/fixed_number.hpp>
#include <sinew/math/trigonometric.hpp>

#include <cstddef>

namespace sinew::inline v0 {

namespace detail {

// Signed numbers from -2 to 2 in steps of 2^-one_bit.
struct narrow_kernel {
    using word = std::int32_t;
    using unsigned_word = std::uint32_t;
    static constexpr int one_bit = 30;
    [[nodiscard]] static constexpr word times(word a, word b) noexcept { return static_cast<word>((std::int64_t{a} * b + (std::int64_t{1} << 29)) >> 30); }
    // n / d for 0 <= n < 2 d.
    [[nodiscard]] static constexpr unsigned_word ratio(unsigned_word n, unsigned_word d) noexcept { return static_cast<unsigned_word>((std::uint64_t{n} << 30) / d); }
    /// `bits` counts steps of 2^-62.
    [[nodiscard]] static constexpr unsigned_word constant(std::uint64_t bits) noexcept { return static_cast<unsigned_word>((bits + (std::uint64_t{1} << 31)) >> 32); }
};
struct wide_kernel {
    using word = std::int64_t;
    using unsigned_word = std::uint64_t;
    static constexpr int one_bit = 62;
    [[nodiscard]] static constexpr word times(word a, word b) noexcept {
        auto const m = sum(product(static_cast<std::uint64_t>(a < 0 ? -a : a), static_cast<std::uint64_t>(b < 0 ? -b : b)), {0, std::uint64_t{1} << 61});
        auto const r = static_cast<word>((m.hi << 2) | (m.lo >> 62));
        return (a ^ b) < 0 ? -r : r;
    }
    [[nodiscard]] static constexpr unsigned_word ratio(unsigned_word n, unsigned_word d) noexcept { return quotient({n >> 2, n << 62}, d).quotient; }
    [[nodiscard]] static constexpr unsigned_word constant(std::uint64_t bits) noexcept { return bits; }
};
template <int I, int F>
using kernel_of = std::conditional_t<(I + F <= 31 && F <= 27), narrow_kernel, wide_kernel>;

// Coefficients of a series in steps of the kernel: how many, until a term at the largest argument is below 2^-(one_bit + 1).
template <class K, std::size_t N>
struct kernel_series {
    typename K::word k[N];
};
// +-1/start!, +-1/(start + step)!, ...
template <class K, std::size_t N>
[[nodiscard]] consteval kernel_series<K, N> inverse_factorials_from(unsigned start, unsigned step, bool alternate) {
    kernel_series<K, N> r{};
    std::uint64_t f = 1;
    for (unsigned i = 2; i <= start; ++i) f *= i;
    for (std::size_t n = 0; n < N; ++n) {
        auto const c = static_cast<typename K::word>(K::constant(((std::uint64_t{1} << 62) + f / 2) / f));
        r.k[n] = alternate && n % 2 == 1 ? -c : c;
        for (unsigned i = 1; i <= step; ++i) f *= start + i;
        start += step;
    }
    return r;
}
// +-1/3, 1/5, +-1/7, ...
template <class K, std::size_t N>
[[nodiscard]] consteval kernel_series<K, N> inverse_odds(bool alternate) {
    kernel_series<K, N> r{};
    for (std::size_t n = 0; n < N; ++n) {
        std::uint64_t const d = 2 * n + 3;
        auto const c = static_cast<typename K::word>(K::constant(((std::uint64_t{1} << 62) + d / 2) / d));
        r.k[n] = alternate && n % 2 == 0 ? -c : c;
    }
    return r;
}
template <class K, std::size_t N>
[[nodiscard]] constexpr typename K::word series_sum(kernel_series<K, N> const& c, typename K::word x) noexcept {
    auto r = c.k[N - 1];
    for (std::size_t i = N - 1; i-- > 0;) r = K::times(r, x) + c.k[i];
    return r;
}

// The fraction of a turn that an angle of m steps of 2^-F rad is, in steps of 2^-64: m 2^(64 - F) / (2 pi) modulo a turn.
template <bool Narrow, int F>
[[nodiscard]] constexpr std::uint64_t turn_of(std::uint64_t m) noexcept {
    constexpr std::uint64_t hi = 0x28be60db9391054au, lo = 0x7f09d5f47d4d3770u;  // 2^128 / (2 pi)
    if constexpr (Narrow) {
        auto const p = product(m, hi);
        return (p.hi << (64 - F)) | (p.lo >> F);
    } else {
        auto const p = product(m, hi);
        auto const r = sum(p, {0, product(m, lo).hi});
        return (r.hi << (64 - F)) | (r.lo >> F);
    }
}
template <class K>
struct kernel_sine_cosine {
    typename K::word sine, cosine;
};
template <class K, int I, int F>
[[nodiscard]] constexpr kernel_sine_cosine<K> kernel_sincos(fixed<I, F> x) noexcept {
    using word = typename K::word;
    constexpr std::size_t terms = K::one_bit == 30 ? 5 : 9;
    constexpr auto s = inverse_factorials_from<K, terms>(3, 2, true), c = inverse_factorials_from<K, terms>(4, 2, true);
    constexpr word one = word{1} << K::one_bit, half_pi = static_cast<word>(K::constant(0x6487ed5110b4611au));
    std::uint64_t const turn = turn_of<fixed<I, F>::is_narrow && K::one_bit == 30, F>(x.magnitude());
    auto const quadrant = static_cast<unsigned>((turn + (std::uint64_t{1} << 61)) >> 62);
    // The rest, up to an eighth of a turn to both sides: a quarter is 2^62 of these, and one of the kernel.
    auto const rest = static_cast<word>(static_cast<std::int64_t>(turn - (std::uint64_t{quadrant} << 62)) >> (62 - K::one_bit));
    word const r = K::times(rest, half_pi), z = K::times(r, r);
    word const sine = r - K::times(K::times(r, z), series_sum(s, z));
    word const cosine = one - (z >> 1) + K::times(K::times(z, z), series_sum(c, z));
    bool const swap = (quadrant & 1) != 0;
    word a = swap ? cosine : sine, b = swap ? -sine : cosine;
    if ((quadrant & 2) != 0) {
        a = -a;
        b = -b;
    }
    return {x.raw < 0 ? -a : a, b};
}
// A number of the kernel to the nearest fixed one.
template <class T, class K>
[[nodiscard]] constexpr T from_kernel(typename K::unsigned_word m, bool negative) noexcept {
    constexpr int shift = K::one_bit - T::fraction_bits;
    if constexpr (shift > 0)
        return T::nearest(rounded_shift(m, shift), negative);
    else
        return T::nearest(m >= (std::uint64_t{1} << (63 + shift)) ? ~std::uint64_t{0} : std::uint64_t{m} << -shift, negative);
}
template <class T, class K>
[[nodiscard]] constexpr T from_kernel(typename K::word x) noexcept {
    return from_kernel<T, K>(static_cast<typename K::unsigned_word>(x < 0 ? -x : x), x < 0);
}

// atan(i / 8) in steps of 2^-62.
inline constexpr std::uint64_t atan_of_eighths[] = {0,
                                                    0x07f56ea6ab0bdb72u,
                                                    0x0fadbafc96406eb1u,
                                                    0x16f61941e4def08eu,
                                                    0x1dac670561bb4f69u,
                                                    0x23c01757bdfd67e7u,
                                                    0x292f1f464d3dc249u,
                                                    0x2e014f8af08c679du,
                                                    0x3243f6a8885a308du};
// The angle of the point (x, y) in the first quadrant, both of one unit, not both 0; x, y < 2^(one_bit + 1).
template <class K>
[[nodiscard]] constexpr typename K::unsigned_word kernel_angle(typename K::unsigned_word y, typename K::unsigned_word x) noexcept {
    using word = typename K::word;
    using unsigned_word = typename K::unsigned_word;
    constexpr std::size_t terms = K::one_bit == 30 ? 3 : 7;
    constexpr auto odds = inverse_odds<K, terms>(true);
    bool const steep = y > x;
    unsigned_word const q = K::ratio(steep ? x : y, steep ? y : x);  // 0 to 1
    auto const i = static_cast<unsigned>((q + (unsigned_word{1} << (K::one_bit - 4))) >> (K::one_bit - 3));
    unsigned_word const eighth = static_cast<unsigned_word>(i) << (K::one_bit - 3);
    // atan q = atan c + atan((q - c) / (1 + q c))
    bool const below = q < eighth;
    unsigned_word const along = (unsigned_word{1} << K::one_bit) + static_cast<unsigned_word>(K::times(static_cast<word>(q), static_cast<word>(eighth)));
    auto const m = static_cast<word>(K::ratio(below ? eighth - q : q - eighth, along));
    word const z = K::times(m, m), part = m + K::times(K::times(m, z), series_sum(odds, z));
    unsigned_word const table = K::constant(atan_of_eighths[i]);
    unsigned_word const angle = below ? table - static_cast<unsigned_word>(part) : table + static_cast<unsigned_word>(part);
    return steep ? K::constant(0x6487ed5110b4611au) - angle : angle;
}
// The angle whose sine is |x| or, `from_cosine`, whose cosine is: that of the point (sqrt(1 - x^2), |x|). Of 1 beyond it.
template <class K, int I, int F>
[[nodiscard]] constexpr typename K::unsigned_word kernel_arc(fixed<I, F> x, bool from_cosine) noexcept {
    using U = typename K::unsigned_word;
    constexpr std::uint64_t one = std::uint64_t{1} << F;
    std::uint64_t const m = x.magnitude() > one ? one : x.magnitude();
    U const along = static_cast<U>(m << (K::one_bit - F));
    U across;
    if constexpr (K::one_bit == 30)
        across = floor_sqrt(((one - m) * (one + m)) << (2 * (30 - F)));
    else
        across = floor_sqrt(shifted_left(product(one - m, one + m), 2 * (62 - F)));
    return from_cosine ? kernel_angle<K>(across, along) : kernel_angle<K>(along, across);
}

}  // namespace detail

/// To the nearest; 0 below 0.
template <int I, int F>
[[nodiscard]] constexpr fixed<I, F> sqrt(fixed<I, F> x) noexcept {
    if (x.raw <= 0) return fixed<I, F>::from_raw(0);
    if (x.is_infinite()) return x;
    if constexpr (I + 2 * F <= 64) {
        std::uint64_t const square = std::uint64_t{x.magnitude()} << F, r = detail::floor_sqrt(square);
        return fixed<I, F>::nearest(r + (square - r * r > r ? 1 : 0), false);
    } else {
        auto const square = detail::shifted_left({0, x.magnitude()}, F);
        std::uint64_t const r = detail::floor_sqrt(square);
        return fixed<I, F>::nearest(r + (detail::difference(square, detail::product(r, r)).lo > r ? 1 : 0), false);
    }
}

/// Sine and cosine of x (rad) with one reduction.
template <int I, int F>
[[nodiscard]] constexpr sine_cosine<fixed<I, F>> sincos(fixed<I, F> x) noexcept {
    using T = fixed<I, F>;
    using K = detail::kernel_of<I, F>;
    auto const r = detail::kernel_sincos<K>(x);
    return {detail::from_kernel<T, K>(r.sine), detail::from_kernel<T, K>(r.cosine)};
}
template <int I, int F>
[[nodiscard]] constexpr fixed<I, F> sin(fixed<I, F> x) noexcept {
    return sincos(x).sin;
}
template <int I, int F>
[[nodiscard]] constexpr fixed<I, F> cos(fixed<I, F> x) noexcept {
    return sincos(x).cos;
}
template <int I, int F>
[[nodiscard]] constexpr fixed<I, F> tan(fixed<I, F> x) noexcept {
    using T = fixed<I, F>;
    auto const r = detail::kernel_sincos<detail::wide_kernel>(x);  // near the poles every digit counts
    bool const negative = (r.sine ^ r.cosine) < 0;
    auto const s = static_cast<std::uint64_t>(r.sine < 0 ? -r.sine : r.sine), c = static_cast<std::uint64_t>(r.cosine < 0 ? -r.cosine : r.cosine);
    detail::two_words const n = detail::shifted_left({0, s}, F);
    if (n.hi >= c) return T::nearest(~std::uint64_t{0}, negative);
    auto const q = detail::quotient(n, c);
    return T::nearest(q.quotient + (2 * q.rest >= c ? 1 : 0), negative);
}

/// Angle of the point (x, y), in [-pi, pi]; 0 of (0, 0).
template <int I, int F>
[[nodiscard]] constexpr fixed<I, F> atan2(fixed<I, F> y, std::type_identity_t<fixed<I, F>> x) noexcept {
    using T = fixed<I, F>;
    using K = detail::kernel_of<I, F>;
    using U = typename K::unsigned_word;
    if (x.raw == 0 && y.raw == 0) return T::from_raw(0);
    U const angle = detail::kernel_angle<K>(y.magnitude(), x.magnitude());
    return detail::from_kernel<T, K>(x.raw < 0 ? static_cast<U>(K::constant(0xc90fdaa22168c235u) - angle) : angle, y.raw < 0);
}
template <int I, int F>
[[nodiscard]] constexpr fixed<I, F> atan(fixed<I, F> x) noexcept {
    using K = detail::kernel_of<I, F>;
    using U = typename K::unsigned_word;
    return detail::from_kernel<fixed<I, F>, K>(detail::kernel_angle<K>(x.magnitude(), isfinite(x) ? U{1} << F : U{0}), x.raw < 0);
}
/// Of the nearest end outside [-1, 1].
template <int I, int F>
[[nodiscard]] constexpr fixed<I, F> asin(fixed<I, F> x) noexcept {
    using K = detail::kernel_of<I, F>;
    return detail::from_kernel<fixed<I, F>, K>(detail::kernel_arc<K>(x, false), x.raw < 0);
}
/// In [0, pi]; of the nearest end outside [-1, 1].
template <int I, int F>
[[nodiscard]] constexpr fixed<I, F> acos(fixed<I, F> x) noexcept {
    using K = detail::kernel_of<I, F>;
    using U = typename K::unsigned_word;
    U const angle = detail::kernel_arc<K>(x, true);
    return detail::from_kernel<fixed<I, F>, K>(x.raw < 0 ? static_cast<U>(K::constant(0xc90fdaa22168c235u) - angle) : angle, false);
}

/// x = k ln 2 + r, Taylor's series of exp(r), times 2^k.
template <int I, int F>
[[nodiscard]] constexpr fixed<I, F> exp(fixed<I, F> x) noexcept {
    using T = fixed<I, F>;
    using K = detail::wide_kernel;
    if (x.is_infinite()) return x.raw < 0 ? T::from_raw(0) : x;  // the end of a format with few bits before the point is no large number
    constexpr std::uint64_t ln2_hi = 0x2c5c85fdf473de6au, ln2_lo = 0xf278ece6u, log2_e = 0x5c551d94ae0bf85eu;  // steps of 2^-62, 2^-94, 2^-62
    auto const p = detail::product(x.magnitude(), log2_e);                                                     // in steps of 2^-(62 + F)
    std::uint64_t const halves = F >= 3 ? p.hi >> (F - 3) : detail::shifted_left(p, 3 - F).hi;
    if (halves > 256) return x.raw < 0 ? T::from_raw(0) : infinity_v<T>;
    auto const n = static_cast<std::int64_t>((halves + 1) >> 1);
    std::int64_t const k = x.raw < 0 ? -n : n;
    if (k > I + 1) return infinity_v<T>;
    if (k < -F - 1) return T::from_raw(0);
    // What wraps in the difference is whole: the rest is small.
    auto const m = static_cast<std::uint64_t>(n);
    auto const far = static_cast<std::int64_t>((static_cast<std::uint64_t>(x.magnitude()) << (F < 62 ? 62 - F : 0)) - m * ln2_hi - ((m * ln2_lo) >> 32));
    std::int64_t const r = x.raw < 0 ? -far : far;
    constexpr auto c = detail::inverse_factorials_from<K, 16>(2, 1, false);
    auto const e = static_cast<std::uint64_t>((std::int64_t{1} << 62) + r + K::times(K::times(r, r), detail::series_sum(c, r)));
    int const shift = 62 - F - static_cast<int>(k);
    if (shift > 0) return T::nearest(detail::rounded_shift(e, shift), false);
    return T::nearest(shift < -1 ? ~std::uint64_t{0} : e << -shift, false);
}

/// x = 2^k m with m from 1/sqrt 2 to sqrt 2, log m = 2 atanh((m - 1) / (m + 1)). -infinity at 0 and below.
template <int I, int F>
[[nodiscard]] constexpr fixed<I, F> log(fixed<I, F> x) noexcept {
    using T = fixed<I, F>;
    using K = detail::wide_kernel;
    if (x.raw <= 0) return -infinity_v<T>;
    if (x.is_infinite()) return x;
    int const top = 63 - std::countl_zero(static_cast<std::uint64_t>(x.magnitude()));
    std::uint64_t m = static_cast<std::uint64_t>(x.magnitude()) << (62 - top);
    int k = top - F;
    if (m > 0x5a827999fcef3242u) {  // sqrt 2
        m >>= 1;
        ++k;
    }
    constexpr std::uint64_t one = std::uint64_t{1} << 62;
    bool const below = m < one;
    auto const s = static_cast<std::int64_t>(K::ratio(below ? one - m : m - one, m + one));
    constexpr auto odds = detail::inverse_odds<K, 11>(false);
    std::int64_t const z = K::times(s, s), half = s + K::times(K::times(s, z), detail::series_sum(odds, z));
    // In steps of 2^-57, which hold 63 ln 2; what ln 2 has behind them in steps of 2^-89.
    std::int64_t const whole = k * std::int64_t{0x162e42fefa39ef3} + ((k * std::int64_t{0x5793c767} + (std::int64_t{1} << 31)) >> 32);
    std::int64_t const part = (half + 8) >> 4, all = whole + (below ? -part : part);
    auto const size = static_cast<std::uint64_t>(all < 0 ? -all : all);
    if constexpr (F < 57)
        return T::nearest(detail::rounded_shift(size, 57 - F), all < 0);
    else
        return T::nearest((size >> (120 - F)) != 0 ? ~std::uint64_t{0} : size << (F - 57), all < 0);
}

}  // namespace sinew::inline v0
