#pragma once
// Broad phase that tries every pair of boxes: n^2 / 2 comparisons, no memory beside the boxes. For a few dozen colliders, and as the
// reference that the others are tested against.

#include <sinew/collision/box_table.hpp>
#include <sinew/collision/broad_phase.hpp>
#include <sinew/geometry/box_tests.hpp>

namespace sinew::inline v0 {

struct brute_force {
    template <class S, class Storage, std::size_t N>
    class index {
    public:
        constexpr void insert(std::uint32_t id, aabb<S> const& box, bool moves) { boxes_.insert(id, box, moves); }
        constexpr void erase(std::uint32_t id) noexcept { boxes_.erase(id); }
        constexpr void move(std::uint32_t id, aabb<S> const& box) noexcept { boxes_.move(id, box); }
        constexpr void set_moves(std::uint32_t id, bool moves) noexcept { boxes_.set_moves(id, moves); }

        template <class F>
        constexpr void for_each_pair(F&& f) const {
            for (std::uint32_t low = 0; low < boxes_.end(); ++low) {
                if (!boxes_.holds(low)) continue;
                bool const moves = boxes_.moves(low);
                for (std::uint32_t high = low + 1; high < boxes_.end(); ++high)
                    if (boxes_.holds(high) && (moves || boxes_.moves(high)) && detail::meet(boxes_[low], boxes_[high])) f(low, high);
            }
        }
        template <class F>
        constexpr void query(aabb<S> const& box, F&& f) const {
            for (std::uint32_t id = 0; id < boxes_.end(); ++id)
                if (boxes_.holds(id) && overlaps(box, boxes_[id])) f(id);
        }
        template <class F>
        constexpr void cast(ray<S> const& r, F&& f) const {
            detail::ray_slabs<S> slabs(r);
            for (std::uint32_t id = 0; id < boxes_.end(); ++id)
                if (boxes_.holds(id) && slabs.hits(boxes_[id])) slabs.shorten(f(id));
        }
        [[nodiscard]] friend constexpr bool operator==(index const&, index const&) = default;

    private:
        detail::box_table<S, Storage, N> boxes_;
    };
};

}  // namespace sinew::inline v0
