#pragma once
// A hash of bits, to compare states across runs, compilers and processors.

#include <bit>
#include <concepts>
#include <cstdint>

namespace sinew::inline v0 {

/// FNV-1a, 64 bits, fed number by number. The sign of zero and the payload of NaN are made uniform first, since
/// processors differ in them.
class bit_hash {
public:
    constexpr void add(std::uint64_t word) noexcept {
        for (int i = 0; i < 8; ++i) {
            value_ = (value_ ^ (word & 0xffu)) * 0x100000001b3ull;
            word >>= 8;
        }
    }
    constexpr void add(float x) noexcept { add(static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(canonical(x)))); }
    constexpr void add(double x) noexcept { add(std::bit_cast<std::uint64_t>(canonical(x))); }
    /// A fixed-point number: its count of steps.
    template <class T>
        requires std::signed_integral<decltype(T::raw)>
    constexpr void add(T const& x) noexcept {
        add(static_cast<std::uint64_t>(x.raw));
    }
    [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }

private:
    [[nodiscard]] static constexpr float canonical(float x) noexcept {
        return x != x ? std::bit_cast<float>(std::uint32_t{0x7fc00000u}) : x == 0 ? 0.0f : x;
    }
    [[nodiscard]] static constexpr double canonical(double x) noexcept {
        return x != x ? std::bit_cast<double>(std::uint64_t{0x7ff8000000000000u}) : x == 0 ? 0.0 : x;
    }
    std::uint64_t value_ = 0xcbf29ce484222325ull;
};

}  // namespace sinew::inline v0
