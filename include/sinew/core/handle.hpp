#pragma once
// Handles: names of things in a world that stay valid while other things come and go, and that notice when their own
// thing is gone, or when they are shown to a world they do not come from.

#include <sinew/config/counter.hpp>

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

namespace detail {
// The one piece of state outside objects: an address would be given again to the next world at the same place.
inline std::uint32_t worlds_made = 0;
}  // namespace detail

/// A number that tells worlds apart: how many were made before it in this program. Copies keep it, so that handles work on
/// snapshots. It has no part in what a world computes. In a constant expression every world is 0.
[[nodiscard]] constexpr std::uint32_t next_world_tag() noexcept {
    if (std::is_constant_evaluated()) return 0;
    return detail::next_number(detail::worlds_made);
}

}  // namespace sinew::inline v0
