#pragma once
// sin, cos, tan and their inverses, within 2 ulp, without a library.
//
// Arguments are reduced by pi/2: up to a moderate size with pi/2 in four parts whose products are exact (Cody and Waite
// 1980), beyond with as many bits of 2/pi as are needed, in integers (Payne and Hanek 1983). The kernels are Taylor's
// series on [-pi/4, pi/4]: the first term left out is below a tenth of an ulp. Inverse functions reduce to atan on
// [-1/16, 1/16] by a table of atan(i/8).

#include <sinew/math/float_tools.hpp>

namespace sinew::inline v0 {

/// Sine and cosine of one angle.
template <class S>
struct sine_cosine {
    S sin, cos;
};

namespace detail {

template <class S>
struct trig_constants {
    static constexpr int digits = std::numeric_limits<S>::digits;
    static constexpr int kind = digits <= 24 ? 0 : digits <= 53 ? 1 : 2;
    // pi/2 in parts; all but the last have trailing zeros, so that a product with the quadrant's number is exact.
    static constexpr S half_pi[4] = {
        S(kind == 0 ? 0xc90fp-15L : kind == 1 ? 0x1921fb544p-32L : 0xc90fdaa2p-31L),
        S(kind == 0 ? 0xdaa2p-31L : kind == 1 ? 0x10b4611a6p-66L : 0x85a308d3p-65L),
        S(kind == 0 ? 0x85a3p-49L : kind == 1 ? 0x13198a2e0p-101L : 0x98cc5170p-100L),
        S(kind == 0 ? 0x8d3132p-77L : kind == 1 ? 0x1b839a252049c1p-156L : 0xdc1cd129024e088ap-167L)};
    static constexpr S half_pi_hi = S(kind == 0 ? 0xc90fdap-23L : kind == 1 ? 0x1921fb54442d18p-52L : 0xc90fdaa22168c234p-63L);
    static constexpr S half_pi_lo = S(kind == 0 ? 0xa22169p-47L : kind == 1 ? 0x11a62633145c07p-106L : 0xc4c6628b80dc1cd1p-127L);
    static constexpr S two_over_pi = S(0xa2f9836e4e441529p-64L);
    // Up to here the products above are exact.
    static constexpr S moderate = S(kind == 0 ? 200.0L : kind == 1 ? 1.0e6L : 2.0e9L);
};

inline constexpr std::uint32_t two_over_pi_words[] = {
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau,
    0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu,
    0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u,
    0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du, 0xa9e39161u, 0x5ee61b08u, 0x6599855fu, 0x14a06840u};

// The first N words of 2/pi after two of zeros, for bits before the point.
template <std::size_t N>
struct two_over_pi_table {
    std::uint32_t words[2 + N]{};
    constexpr two_over_pi_table() noexcept {
        for (std::size_t i = 0; i < N; ++i) words[2 + i] = two_over_pi_words[i];
    }
};
// As many as numbers of the type S can come to need.
template <class S>
inline constexpr two_over_pi_table<trig_constants<S>::kind == 0 ? 8 : sizeof two_over_pi_words / sizeof two_over_pi_words[0]> two_over_pi{};

// 32 bits of 2/pi from bit `at` after the point on, where `at` is at least -64.
template <class S>
[[nodiscard]] constexpr std::uint32_t two_over_pi_bits(int at) noexcept {
    auto const bit = static_cast<unsigned>(at + 64);
    std::uint32_t const* const w = two_over_pi<S>.words + bit / 32;
    return w[0] << bit % 32 | w[1] >> 1 >> (31 - bit % 32);
}

// x = quadrant pi/2 + hi + lo, |hi| <= pi/4 but for rounding.
template <class S>
struct reduced {
    int quadrant;
    S hi, lo;
};

template <class S>
[[nodiscard]] constexpr reduced<S> reduce_huge(S x) noexcept {
    // x = m 2^e with integer m. The product of m and 192 bits of 2/pi, or 128 of them for float, modulo 4: the top two bits are the quadrant.
    constexpr int mantissa_bits = std::numeric_limits<S>::digits <= 53 ? std::numeric_limits<S>::digits : 53;
    constexpr int top = mantissa_bits <= 32 ? 3 : 5;     // the product's last word
    constexpr int used = mantissa_bits <= 32 ? 1 : 2;    // those before this one hold nothing but what was left out
    auto const parts = split(x);
    using whole = std::conditional_t<mantissa_bits <= 32, std::uint32_t, std::uint64_t>;  // small processors convert to 64 bits through doubles
    auto const m = static_cast<std::uint64_t>(static_cast<whole>(parts.m * power_of_two<S>(mantissa_bits - 1)));
    int const first = parts.e - (mantissa_bits - 1) - 2;  // bits before this one count whole turns
    std::uint32_t product[std::size_t{top} + 1] = {};      // least significant first
    std::uint32_t const low = static_cast<std::uint32_t>(m), high = static_cast<std::uint32_t>(m >> 32);
    std::uint64_t carry = 0, carry_high = 0;
    std::uint32_t previous = 0;
    for (int i = 0; i <= top; ++i) {
        std::uint32_t const w = two_over_pi_bits<S>(first + 32 * (top - i));
        std::uint64_t const a = std::uint64_t{low} * w + carry;
        carry = a >> 32;
        std::uint64_t const b = std::uint64_t{high} * previous + carry_high + static_cast<std::uint32_t>(a);
        product[i] = static_cast<std::uint32_t>(b);
        carry_high = b >> 32;
        previous = w;
    }
    int quadrant = static_cast<int>(product[top] >> 30);
    product[top] &= 0x3fffffffu;
    bool const negative = (product[top] >> 29) != 0;  // a fraction of 1/2 or more counts back from the next quadrant
    if (negative) {
        ++quadrant;
        std::uint64_t c = 1;
        for (auto& w : product) {
            c += static_cast<std::uint32_t>(~w);
            w = static_cast<std::uint32_t>(c);
            c >>= 32;
        }
        product[top] &= 0x3fffffffu;
    }
    two<S> f{S(0), S(0)};
    for (int i = top; i >= used; --i)
        for (int half = 1; half >= 0; --half) {
            auto const chunk = static_cast<std::uint32_t>(half == 1 ? product[i] >> 16 : product[i] & 0xffffu);
            two<S> const s = two_sum(f.hi, static_cast<S>(chunk) * power_of_two<S>(-30 - 32 * (top - i) + 16 * half));
            f = {s.hi, f.lo + s.lo};
        }
    f = fast_two_sum(f.hi, f.lo);
    two<S> const p = two_product(f.hi, trig_constants<S>::half_pi_hi);
    two<S> r = fast_two_sum(p.hi, p.lo + (f.hi * trig_constants<S>::half_pi_lo + f.lo * trig_constants<S>::half_pi_hi));
    if (negative) r = {-r.hi, -r.lo};
    return {quadrant, r.hi, r.lo};
}

// For finite x.
template <class S>
[[nodiscard]] constexpr reduced<S> reduce(S x) noexcept {
    using K = trig_constants<S>;
    S const a = abs(x);
    if (a <= K::half_pi_hi / 2) return {0, x, S(0)};
    reduced<S> r{};
    if (std::numeric_limits<S>::digits > 53 && !(a < S(4.6e18L))) {  // 2^62 turns: beyond what the constants of long double resolve
        r = {0, std::numeric_limits<S>::quiet_NaN(), S(0)};
    } else if (a < K::moderate || std::numeric_limits<S>::digits > 53) {
        auto const n = static_cast<std::conditional_t<K::kind == 0, std::int32_t, std::int64_t>>(a * K::two_over_pi + S(0.5L));
        S const q = static_cast<S>(n);
        S hi = a - q * K::half_pi[0];
        two<S> const b = two_sum(hi, -q * K::half_pi[1]);
        two<S> const c = two_sum(b.hi, -q * K::half_pi[2]);
        two<S> const d = fast_two_sum(c.hi, (b.lo + c.lo) - q * K::half_pi[3]);
        r = {static_cast<int>(n & 3), d.hi, d.lo};
    } else {
        r = reduce_huge(a);
    }
    if (x < S(0)) r = {-r.quadrant, -r.hi, -r.lo};
    r.quadrant &= 3;
    return r;
}

// 1/3!, 1/5!, ... with alternating signs, from 1/start!.
template <class S, std::size_t N>
struct alternating_factorials {
    S k[N];
    constexpr explicit alternating_factorials(int start) : k{} {
        long double f = 1;
        for (int i = 2; i <= start; ++i) f *= i;
        for (std::size_t i = 0; i < N; ++i) {
            k[i] = static_cast<S>((i % 2 == 0 ? -1.0L : 1.0L) / f);
            f *= static_cast<long double>(start + 1);
            f *= static_cast<long double>(start + 2);
            start += 2;
        }
    }
};
template <class S>
inline constexpr std::size_t series_terms = std::numeric_limits<S>::digits <= 24 ? 4 : std::numeric_limits<S>::digits <= 53 ? 8 : 11;

template <class S>
[[nodiscard]] constexpr two<S> sin_kernel(S r, S lo) noexcept {
    constexpr alternating_factorials<S, series_terms<S>> k(3);  // -1/3!, 1/5!, ...
    S const z = r * r;
    return {r, r * z * horner(k.k, z) + lo * (S(1) - z / 2)};
}
template <class S>
[[nodiscard]] constexpr two<S> cos_kernel(S r, S lo) noexcept {
    constexpr alternating_factorials<S, series_terms<S>> k(4);  // sign turned: 1/4! comes first and is positive
    S const z = r * r;
    S const half = z / 2;
    S const w = S(1) - half;
    return {w, ((S(1) - w) - half) + (-(z * z) * horner(k.k, z) - r * lo)};
}

// atan(i / 8), i = 0..8.
template <class S>
struct atan_table {
    static constexpr int kind = trig_constants<S>::kind;
    static constexpr S hi[9] = {
        S(0),
        S(kind == 0 ? 0xfeadd4p-27L : kind == 1 ? 0x1fd5ba9aac2f6dp-56L : 0xfeadd4d5617b6e32p-67L),
        S(kind == 0 ? 0xfadbafp-26L : kind == 1 ? 0x1f5b75f92c80ddp-55L : 0xfadbafc96406eb15p-66L),
        S(kind == 0 ? 0xb7b0cap-25L : kind == 1 ? 0x16f61941e4def0p-54L : 0xb7b0ca0f26f78473p-65L),
        S(kind == 0 ? 0xed6338p-25L : kind == 1 ? 0x1dac670561bb4fp-54L : 0xed63382b0dda7b45p-65L),
        S(kind == 0 ? 0x8f005dp-24L : kind == 1 ? 0x11e00babdefeb3p-53L : 0x8f005d5ef7f59f9bp-64L),
        S(kind == 0 ? 0xa4bc7dp-24L : kind == 1 ? 0x14978fa3269ee1p-53L : 0xa4bc7d1934f70924p-64L),
        S(kind == 0 ? 0xb8053ep-24L : kind == 1 ? 0x1700a7c5784633p-53L : 0xb8053e2bc2319e73p-64L),
        S(kind == 0 ? 0xc90fdap-24L : kind == 1 ? 0x1921fb54442d18p-53L : 0xc90fdaa22168c234p-64L)};
    static constexpr S lo[9] = {
        S(0),
        S(kind == 0 ? 0xd5617bp-51L : kind == 1 ? 0x18cb225e627cfap-109L : 0xc897989f3e888ef8p-131L),
        S(kind == 0 ? 0xc96407p-50L : kind == 1 ? 0x18ab6e3cf7afbdp-109L : 0xdb8f3debef442fcbp-131L),
        S(kind == 0 ? 0xf26f78p-53L : kind == 1 ? 0x11ce2a8c848b74p-107L : 0x8aa32122dcfe4483p-129L),
        S(kind == 0 ? 0xac376ap-51L : kind == 1 ? 0x1a2b7f222f65e2p-108L : 0xdfc88bd978751a07p-130L),
        S(kind == 0 ? 0xbdefebp-49L : kind == 1 ? 0x1e6d720d785997p-106L : 0xb906bc2ccb886e8fp-129L),
        S(kind == 0 ? 0xc9a7b8p-51L : kind == 1 ? 0x12419a87f2a458p-108L : 0xcd43f9522bed64f7p-131L),
        S(kind == 0 ? 0xaf08c6p-50L : kind == 1 ? 0x19cf2cb6954843p-106L : 0xcb2da55210a4443dp-128L),
        S(kind == 0 ? 0xa22169p-48L : kind == 1 ? 0x11a62633145c07p-107L : 0xc4c6628b80dc1cd1p-128L)};
};

// The entry of the table next to t in [0, 1]: the number c = i / 8 and its angle hi + lo. Lanes look up one by one.
template <class S>
struct tabulated_atan {
    S c, hi, lo;
    [[nodiscard]] static constexpr tabulated_atan next_to(S const& t) noexcept {
        auto const i = static_cast<std::size_t>(t * S(8) + S(0.5L));
        return {static_cast<S>(i) / S(8), atan_table<S>::hi[i], atan_table<S>::lo[i]};
    }
};

// atan(t + lo) for t in [0, 1], as hi + lo. Of numbers and of lanes.
template <class S>
[[nodiscard]] constexpr two<S> atan_kernel(S const& t, S const& lo) noexcept {
    using T = typename scalar_traits<S>::value_type;
    constexpr std::size_t terms = std::numeric_limits<T>::digits <= 24 ? 3 : std::numeric_limits<T>::digits <= 53 ? 7 : 8;
    auto const near = tabulated_atan<S>::next_to(t);
    S const slope = S(1) / (S(1) + t * t);
    S const u = (t - near.c) / (S(1) + t * near.c);
    S const z = u * u;
    S s = S(0);
    for (std::size_t n = terms; n > 0; --n) s = S((n % 2 == 0 ? T(1) : T(-1)) / static_cast<T>(2 * n + 1)) + s * z;
    S const rest = u * z * s + lo * slope;
    two<S> const sum = fast_two_sum(near.hi, u);
    return {sum.hi, sum.lo + (near.lo + rest)};
}

// Between these the greater of two numbers has no parts that underflow or overflow on the way to the angle of both.
template <class T>
inline constexpr T least_of_ratio = power_of_two<T>(std::numeric_limits<T>::min_exponent + 3 * std::numeric_limits<T>::digits);
template <class T>
inline constexpr T greatest_of_ratio = power_of_two<T>(std::numeric_limits<T>::max_exponent - std::numeric_limits<T>::digits - 3);

// atan((y + y_lo) / (x + x_lo)) for y, x >= 0 whose greater one lies there: in [0, pi/2], as hi + lo. Of numbers and of lanes.
template <class S>
[[nodiscard]] constexpr two<S> atan_of_ordinary_ratio(S const& y, S const& y_lo, S const& x, S const& x_lo) noexcept {
    using T = typename scalar_traits<S>::value_type;
    auto const swap = y > x;
    S const n = select(swap, x, y), n_lo = select(swap, x_lo, y_lo), d = select(swap, y, x), d_lo = select(swap, y_lo, x_lo);
    S const q = n / d;
    two<S> const p = two_product(q, d);
    // The residual of a small n would underflow, but of a small quotient it is below rounding.
    S const q_lo = select(q < S(power_of_two<T>(-std::numeric_limits<T>::digits)), S(0), (((n - p.hi) - p.lo) + (n_lo - q * d_lo)) / d);
    two<S> const a = atan_kernel(q, q_lo);
    two<S> const s = two_sum(S(trig_constants<T>::half_pi_hi), -a.hi);
    return {select(swap, s.hi, a.hi), select(swap, s.lo + (S(trig_constants<T>::half_pi_lo) - a.lo), a.lo)};
}

// The same of any finite y, x >= 0, not both zero.
template <class S>
[[nodiscard]] constexpr two<S> atan_of_ratio(S y, S y_lo, S x, S x_lo) noexcept {
    S const d = max(x, y);
    if (d > greatest_of_ratio<S> || d < least_of_ratio<S>) {
        S const k = power_of_two<S>(d < S(1) ? 3 * std::numeric_limits<S>::digits : -2 * std::numeric_limits<S>::digits);
        y *= k;
        y_lo *= k;
        x *= k;
        x_lo *= k;
    }
    return atan_of_ordinary_ratio(y, y_lo, x, x_lo);
}

// y's sign to the angle of (|y|, |x|), in the half plane that x lies in.
template <class S>
[[nodiscard]] constexpr S turned_to_quadrant(two<S> const& a, S const& y, S const& x) noexcept {
    using K = trig_constants<typename scalar_traits<S>::value_type>;
    two<S> const s = two_sum(S(2 * K::half_pi_hi), -a.hi);
    S const left = s.hi + (s.lo + (S(2 * K::half_pi_lo) - a.lo));
    return copysign(select(copysign(S(1), x) < S(0), left, a.hi + a.lo), y);
}

}  // namespace detail

/// Sine and cosine of x (rad) with one reduction. NaN of an infinity.
template <std::floating_point S>
[[nodiscard]] constexpr sine_cosine<S> sincos(S x) noexcept {
    if (!isfinite(x)) return {std::numeric_limits<S>::quiet_NaN(), std::numeric_limits<S>::quiet_NaN()};
    auto const r = detail::reduce(x);
    auto const s = detail::sin_kernel(r.hi, r.lo);
    auto const c = detail::cos_kernel(r.hi, r.lo);
    S const sine = x == S(0) ? x : s.hi + s.lo, cosine = c.hi + c.lo;
    switch (r.quadrant) {
        case 0: return {sine, cosine};
        case 1: return {cosine, -sine};
        case 2: return {-sine, -cosine};
        default: return {-cosine, sine};
    }
}
template <std::floating_point S>
[[nodiscard]] constexpr S sin(S x) noexcept {
    if (!isfinite(x)) return std::numeric_limits<S>::quiet_NaN();
    if (x == S(0)) return x;
    auto const r = detail::reduce(x);
    auto const k = (r.quadrant & 1) != 0 ? detail::cos_kernel(r.hi, r.lo) : detail::sin_kernel(r.hi, r.lo);
    S const v = k.hi + k.lo;
    return (r.quadrant & 2) != 0 ? -v : v;
}
template <std::floating_point S>
[[nodiscard]] constexpr S cos(S x) noexcept {
    if (!isfinite(x)) return std::numeric_limits<S>::quiet_NaN();
    auto const r = detail::reduce(x);
    auto const k = (r.quadrant & 1) != 0 ? detail::sin_kernel(r.hi, r.lo) : detail::cos_kernel(r.hi, r.lo);
    S const v = k.hi + k.lo;
    return ((r.quadrant + 1) & 2) != 0 ? -v : v;
}
template <std::floating_point S>
[[nodiscard]] constexpr S tan(S x) noexcept {
    if (!isfinite(x)) return std::numeric_limits<S>::quiet_NaN();
    if (x == S(0)) return x;
    auto const r = detail::reduce(x);
    auto const sk = detail::sin_kernel(r.hi, r.lo);
    auto const ck = detail::cos_kernel(r.hi, r.lo);
    auto n = detail::fast_two_sum(sk.hi, sk.lo), d = detail::fast_two_sum(ck.hi, ck.lo);
    if ((r.quadrant & 1) != 0) {
        auto const t = n;
        n = {-d.hi, -d.lo};
        d = t;
    }
    S const q = n.hi / d.hi;
    auto const p = detail::two_product(q, d.hi);
    S const rest = (((n.hi - p.hi) - p.lo) + (n.lo - q * d.lo)) / d.hi;
    return isfinite(rest) ? q + rest : q;
}

/// Angle of the point (x, y), in [-pi, pi]; zeros and infinities as in C's annex F.
template <std::floating_point S>
[[nodiscard]] constexpr S atan2(S y, std::type_identity_t<S> x) noexcept {
    using K = detail::trig_constants<S>;
    if (isnan(x) || isnan(y)) return std::numeric_limits<S>::quiet_NaN();
    S const ay = abs(y), ax = abs(x);
    detail::two<S> a{};
    if (ay == S(0)) {
        a = {S(0), S(0)};
    } else if (!isfinite(ay) || !isfinite(ax)) {
        S const huge = S(1), none = S(0);
        a = detail::atan_of_ratio(isfinite(ay) ? none : huge, S(0), isfinite(ax) ? none : huge, S(0));
    } else if (ax == S(0)) {
        a = {K::half_pi_hi, K::half_pi_lo};
    } else {
        a = detail::atan_of_ratio(ay, S(0), ax, S(0));
    }
    return detail::turned_to_quadrant<S>(a, y, x);
}
template <std::floating_point S>
[[nodiscard]] constexpr S atan(S x) noexcept {
    if (x == S(0)) return x;
    return atan2(x, S(1));
}

namespace detail {
// sqrt(1 - x^2) as hi + lo, for |x| <= 1.
template <class S>
[[nodiscard]] constexpr two<S> cosine_of_asin(S x) noexcept {
    two<S> const square = two_product(x, x);
    two<S> const d = two_sum(S(1), -square.hi);
    two<S> const rest = fast_two_sum(d.hi, d.lo - square.lo);
    if (!(rest.hi > S(0))) return {S(0), S(0)};
    S const root = sinew::v0::sqrt(rest.hi);
    two<S> const p = two_product(root, root);
    return {root, (((rest.hi - p.hi) - p.lo) + rest.lo) / (2 * root)};
}
}  // namespace detail

/// NaN outside [-1, 1].
template <std::floating_point S>
[[nodiscard]] constexpr S asin(S x) noexcept {
    S const a = abs(x);
    if (!(a <= S(1))) return std::numeric_limits<S>::quiet_NaN();
    if (a < detail::power_of_two<S>(-std::numeric_limits<S>::digits / 2)) return x;
    auto const c = detail::cosine_of_asin(a);
    auto const r = detail::atan_of_ratio(a, S(0), c.hi, c.lo);
    return copysign(r.hi + r.lo, x);
}
/// In [0, pi]; NaN outside [-1, 1].
template <std::floating_point S>
[[nodiscard]] constexpr S acos(S x) noexcept {
    using K = detail::trig_constants<S>;
    S const a = abs(x);
    if (!(a <= S(1))) return std::numeric_limits<S>::quiet_NaN();
    if (a < detail::power_of_two<S>(-std::numeric_limits<S>::digits)) return K::half_pi_hi + (K::half_pi_lo - x);
    auto const s = detail::cosine_of_asin(a);
    auto r = detail::atan_of_ratio(s.hi, s.lo, a, S(0));
    if (x < S(0)) {
        auto const t = detail::two_sum(2 * K::half_pi_hi, -r.hi);
        r = {t.hi, t.lo + (2 * K::half_pi_lo - r.lo)};
    }
    return r.hi + r.lo;
}

}  // namespace sinew::inline v0
