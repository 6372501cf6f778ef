#pragma once
// No broad phase: every pair of which one moves goes to the narrow phase, and no box is kept or looked at. For a handful of colliders that
// touch most of the time, on a target where each byte counts. A contact may be known a step before boxes overlap: laws are the same, not bits.

#include <sinew/collision/box_table.hpp>
#include <sinew/collision/broad_phase.hpp>

namespace sinew::inline v0 {

struct no_broad_phase {
    template <class S, class Storage, std::size_t N>
    class index {
    public:
        constexpr void insert(std::uint32_t id, aabb<S> const&, bool moves) { detail::grow_to(states_, id) = moves ? moving : still; }
        constexpr void erase(std::uint32_t id) noexcept { states_[id] = absent; }
        constexpr void move(std::uint32_t, aabb<S> const&) noexcept {}
        constexpr void set_moves(std::uint32_t id, bool moves) noexcept { states_[id] = moves ? moving : still; }

        template <class F>
        constexpr void for_each_pair(F&& f) const {
            for (std::uint32_t low = 0; low < end(); ++low) {
                if (states_[low] == absent) continue;
                for (std::uint32_t high = low + 1; high < end(); ++high)
                    if (states_[high] != absent && (states_[low] == moving || states_[high] == moving)) f(low, high);
            }
        }
        template <class F>
        constexpr void query(aabb<S> const&, F&& f) const {
            for (std::uint32_t id = 0; id < end(); ++id)
                if (states_[id] != absent) f(id);
        }
        template <class F>
        constexpr void cast(ray<S> const&, F&& f) const {
            for (std::uint32_t id = 0; id < end(); ++id)
                if (states_[id] != absent) static_cast<void>(f(id));
        }
        [[nodiscard]] friend constexpr bool operator==(index const& a, index const& b) noexcept {
            std::uint32_t const n = a.end() > b.end() ? a.end() : b.end();
            for (std::uint32_t i = 0; i < n; ++i)
                if ((i < a.end() ? a.states_[i] : absent) != (i < b.end() ? b.states_[i] : absent)) return false;
            return true;
        }

    private:
        enum state : std::uint8_t { absent, still, moving };
        [[nodiscard]] constexpr std::uint32_t end() const noexcept { return static_cast<std::uint32_t>(states_.size()); }
        typename Storage::template array<state, N> states_;
    };
};

}  // namespace sinew::inline v0
