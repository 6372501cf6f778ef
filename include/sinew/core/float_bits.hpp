#pragma once
// The bits of a float, made of integers: for processors to which each operation on a float is a call into a library.

#include <bit>
#include <cstdint>

namespace sinew::inline v0::detail {

/// n / 2^shift, to the nearest, ties to even; shift > 0.
[[nodiscard]] constexpr std::uint64_t rounded_shift(std::uint64_t n, int shift) noexcept {
    if (shift > 64) return 0;
    if (shift == 64) return n > (std::uint64_t{1} << 63) ? 1 : 0;
    std::uint64_t const q = n >> shift, rest = n & ((std::uint64_t{1} << shift) - 1), half = std::uint64_t{1} << (shift - 1);
    return q + (rest > half || (rest == half && (q & 1) != 0) ? 1 : 0);
}

/// +-m 2^-f to the nearest; |f| < 64.
[[nodiscard]] constexpr float float_of(std::uint64_t m, int f, bool negative) noexcept {
    std::uint32_t const sign = std::uint32_t{negative} << 31;
    if (m == 0) return std::bit_cast<float>(sign);
    int const top = 63 - std::countl_zero(m);
    std::uint64_t const significand = top > 23 ? rounded_shift(m, top - 23) : m << (23 - top);  // 2^24 where rounding carried: then the sum below carries too
    return std::bit_cast<float>(sign + (static_cast<std::uint32_t>(126 + top - f) << 23) + static_cast<std::uint32_t>(significand));
}
[[nodiscard]] constexpr bool has_finite_bits(float x) noexcept { return (std::bit_cast<std::uint32_t>(x) & 0x7f800000u) != 0x7f800000u; }

}  // namespace sinew::inline v0::detail
