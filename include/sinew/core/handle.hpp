#pragma once
// Handles: names of things in a world that stay valid while other things come and go, and that notice when their own
// thing is gone, or when they are shown to a world they do not come from.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sinew::inline v0 {

/// A name of a T in a world: slot, how often the slot has been reused, and which world. A default handle names nothing.
template <class T>
struct handle {
    static constexpr std::uint32_t none = 0xffffffffu;
    std::uint32_t index = none;
    std::uint32_t generation = 0;
    std::uint32_t world = 0;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return index != none; }
    [[nodiscard]] friend constexpr bool operator==(handle const&, handle const&) = default;
};

/// A number that tells worlds apart: made of the address at which a world was first constructed. Copies keep it, so
/// that handles work on snapshots. In a constant expression every world is 0.
[[nodiscard]] constexpr std::uint32_t world_tag(void const* address) noexcept {
    if (std::is_constant_evaluated()) return 0;
    auto const bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address));
    return static_cast<std::uint32_t>((bits * 0x9e3779b97f4a7c15ull) >> 32);
}

}  // namespace sinew::inline v0
