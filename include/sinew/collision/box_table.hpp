#pragma once
// Boxes by id: what every broad phase that keeps boxes has in common.

#include <sinew/core/storage.hpp>
#include <sinew/geometry/aabb.hpp>

#include <cstddef>
#include <cstdint>

namespace sinew::inline v0::detail {

/// Element i of an array that grows as far as it must; what lies between is T{}. The array at least doubles, so that ids may come one by one.
template <class A>
constexpr auto& grow_to(A& array, std::size_t i) {
    while (array.size() <= i) array.push_back(typename A::value_type{});
    return array[i];
}

template <class S, class Storage, std::size_t N>
class box_table {
public:
    constexpr void insert(std::uint32_t id, aabb<S> const& box, bool moves) {
        grow_to(boxes_, id) = box;
        grow_to(states_, id) = moves ? moving : still;
    }
    constexpr void erase(std::uint32_t id) noexcept { states_[id] = absent; }
    constexpr void move(std::uint32_t id, aabb<S> const& box) noexcept { boxes_[id] = box; }
    constexpr void set_moves(std::uint32_t id, bool moves) noexcept { states_[id] = moves ? moving : still; }

    [[nodiscard]] constexpr aabb<S> const& operator[](std::size_t id) const noexcept { return boxes_[id]; }
    [[nodiscard]] constexpr bool holds(std::size_t id) const noexcept { return id < states_.size() && states_[id] != absent; }
    [[nodiscard]] constexpr bool moves(std::size_t id) const noexcept { return states_[id] == moving; }
    /// Past the greatest id ever used.
    [[nodiscard]] constexpr std::uint32_t end() const noexcept { return static_cast<std::uint32_t>(states_.size()); }

    /// The same boxes under the same ids.
    [[nodiscard]] friend constexpr bool operator==(box_table const& a, box_table const& b) noexcept {
        std::uint32_t const n = a.end() > b.end() ? a.end() : b.end();
        for (std::uint32_t i = 0; i < n; ++i) {
            if (a.holds(i) != b.holds(i)) return false;
            if (a.holds(i) && !(a.states_[i] == b.states_[i] && a.boxes_[i] == b.boxes_[i])) return false;
        }
        return true;
    }

private:
    enum state : std::uint8_t { absent, still, moving };
    typename Storage::template array<aabb<S>, N> boxes_;
    typename Storage::template array<state, N> states_;
};

}  // namespace sinew::inline v0::detail
