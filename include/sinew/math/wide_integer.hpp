#pragma once
// Products, quotients and roots of 64-bit integers through 128 bits: what fixed-point numbers are computed with.
//
// Where the compiler has 128-bit integers they are used for products and quotients; the two-word forms beside them, for processors without,
// give the same bits. Everything is unsigned: the caller keeps the sign.

#include <sinew/config/inlining.hpp>

#include <bit>
#include <cstdint>

namespace sinew::inline v0::detail {

#if defined(__SIZEOF_INT128__)
inline constexpr bool has_int128 = true;
__extension__ typedef unsigned __int128 uint128;
#else
inline constexpr bool has_int128 = false;
#endif

/// hi 2^64 + lo.
struct two_words {
    std::uint64_t hi, lo;
    [[nodiscard]] friend constexpr bool operator==(two_words const&, two_words const&) = default;
};

/// a b, by four products of halves.
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr std::uint64_t product_of_words_by_halves(std::uint32_t a, std::uint32_t b) noexcept {
    std::uint32_t const a0 = a & 0xffffu, a1 = a >> 16, b0 = b & 0xffffu, b1 = b >> 16;
    std::uint32_t const low = a0 * b0, middle = a1 * b0 + (low >> 16), other = a0 * b1 + (middle & 0xffffu);
    return (std::uint64_t{a1 * b1 + (middle >> 16) + (other >> 16)} << 32) | ((other << 16) | (low & 0xffffu));
}
/// a b, by four products of halves.
[[nodiscard]] constexpr two_words product_by_halves(std::uint64_t a, std::uint64_t b) noexcept {
    std::uint64_t const a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    std::uint64_t const low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (middle & 0xffffffffu);
    return {a1 * b1 + (middle >> 32) + (other >> 32), (other << 32) | (low & 0xffffffffu)};
}
/// a b.
[[nodiscard]] constexpr two_words product(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__)
    uint128 const p = static_cast<uint128>(a) * b;
    return {static_cast<std::uint64_t>(p >> 64), static_cast<std::uint64_t>(p)};
#else
    return product_by_halves(a, b);
#endif
}
[[nodiscard]] constexpr two_words sum(two_words a, two_words b) noexcept {
    std::uint64_t const lo = a.lo + b.lo;
    return {a.hi + b.hi + (lo < a.lo ? 1u : 0u), lo};
}
/// a - b.
[[nodiscard]] constexpr two_words difference(two_words a, two_words b) noexcept { return {a.hi - b.hi - (a.lo < b.lo ? 1u : 0u), a.lo - b.lo}; }
[[nodiscard]] constexpr bool less(two_words a, two_words b) noexcept { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; }
/// a 2^n for 0 <= n < 128; what leaves the top is lost.
[[nodiscard]] constexpr two_words shifted_left(two_words a, int n) noexcept {
    if (n >= 64) return {a.lo << (n - 64), 0};
    return n == 0 ? a : two_words{(a.hi << n) | (a.lo >> (64 - n)), a.lo << n};
}
[[nodiscard]] constexpr int leading_zeros(two_words a) noexcept { return a.hi != 0 ? std::countl_zero(a.hi) : 64 + std::countl_zero(a.lo); }

struct quotient_and_rest {
    std::uint64_t quotient, rest;
    [[nodiscard]] friend constexpr bool operator==(quotient_and_rest const&, quotient_and_rest const&) = default;
};
/// n / d for n.hi < d, by two digits of 32 bits (Knuth 1997, 4.3.1, algorithm D).
[[nodiscard]] constexpr quotient_and_rest quotient_by_halves(two_words n, std::uint64_t d) noexcept {
    int const shift = std::countl_zero(d);
    d <<= shift;
    n = shifted_left(n, shift);
    std::uint64_t const d1 = d >> 32, d0 = d & 0xffffffffu;
    // A digit guessed from the leading halves is at most two too large.
    auto const digit = [&](std::uint64_t rest, std::uint64_t next) {
        std::uint64_t q = rest / d1, r = rest - q * d1;
        while ((q >> 32) != 0 || q * d0 > ((r << 32) | next)) {
            --q;
            r += d1;
            if ((r >> 32) != 0) break;
        }
        return q;
    };
    std::uint64_t const q1 = digit(n.hi, n.lo >> 32), rest = ((n.hi << 32) | (n.lo >> 32)) - q1 * d;
    std::uint64_t const q0 = digit(rest, n.lo & 0xffffffffu);
    return {(q1 << 32) | q0, (((rest << 32) | (n.lo & 0xffffffffu)) - q0 * d) >> shift};
}
/// n / d for n.hi < d.
[[nodiscard]] constexpr quotient_and_rest quotient(two_words n, std::uint64_t d) noexcept {
#if defined(__SIZEOF_INT128__)
    uint128 const whole = (static_cast<uint128>(n.hi) << 64) | n.lo;
    auto const q = static_cast<std::uint64_t>(whole / d);
    return {q, n.lo - q * d};
#else
    return quotient_by_halves(n, d);
#endif
}

/// Largest r with r^2 <= x, digit by digit.
[[nodiscard]] constexpr std::uint32_t floor_sqrt(std::uint64_t x) noexcept {
    std::uint64_t root = 0, bit = x == 0 ? 0 : std::uint64_t{1} << ((63 - std::countl_zero(x)) & ~1);
    while (bit != 0) {
        if (x >= root + bit) {
            x -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
        bit >>= 2;
    }
    return static_cast<std::uint32_t>(root);
}
/// Largest r with r^2 <= x: the upper half of its bits from the upper word, the lower half by a division (Zimmermann 1999, Karatsuba square root).
[[nodiscard]] constexpr std::uint64_t floor_sqrt(two_words x) noexcept {
    if (x.hi == 0) return floor_sqrt(x.lo);
    int const shift = std::countl_zero(x.hi) & ~1;  // the root of x 4^(shift / 2) has 64 bits
    two_words const a = shifted_left(x, shift);
    std::uint64_t const s = floor_sqrt(a.hi), r = a.hi - s * s;  // r <= 2 s
    // (r 2^32 + next 32 bits) / (2 s), r < 2^33
    quotient_and_rest const q = quotient({r >> 32, (r << 32) | (a.lo >> 32)}, 2 * s);
    std::uint64_t root = (s << 32) + (q.quotient > 0xffffffffu ? 0xffffffffu : q.quotient);
    while (less(a, product(root, root))) --root;
    return root >> (shift / 2);
}

}  // namespace sinew::inline v0::detail
