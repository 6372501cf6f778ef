#pragma once
// Broad phase by two trees of boxes, one of what moves and one of what stands still. The boxes in the tree of what moves are fatter than
// given, and ahead of a box in motion, so that most steps leave the trees as they are; and the pairs whose fat boxes overlap are kept from
// step to step: only a box that left its fat box is looked up again. What it costs: O(pairs) a step, and O(log n) for each box that left.

#include <sinew/collision/box_table.hpp>
#include <sinew/collision/box_tree.hpp>
#include <sinew/collision/broad_phase.hpp>
#include <sinew/collision/pair_list.hpp>
#include <sinew/core/sort.hpp>
#include <sinew/geometry/box_tests.hpp>


namespace sinew::inline v0 {

struct bounding_volume_tree {
    template <class S, class Storage, std::size_t N>
    class index {
    public:
        constexpr void insert(std::uint32_t id, aabb<S> const& box, bool moves) {
            boxes_.insert(id, box, moves);
            detail::grow_to(marks_, id);
            plant(id, moves ? fattened(id, vec3<S>{}) : tree::clamped(box));
        }
        constexpr void erase(std::uint32_t id) {
            tree_.erase(root_of(id), id);
            boxes_.erase(id);
            touch(id);
        }
        constexpr void move(std::uint32_t id, aabb<S> const& box) {
            aabb<S> const& fat = tree_.box(id);
            aabb<S> const before = boxes_[id];
            boxes_.move(id, box);
            if (!boxes_.moves(id)) {
                aabb<S> const now = tree::clamped(box);
                if (!(now == fat)) replant(id, now);
            } else if (!contains(fat, box) || (marks_[id] & stretched) != 0) {
                aabb<S> const now = fattened(id, half((box.lower + box.upper) - (before.lower + before.upper)));
                // One that reached ahead of a fast box is given up when the box has become slow.
                if (contains(fat, tree::clamped(box)) && surface_area(fat) <= S(2) * surface_area(now)) return;
                replant(id, now);
            }
        }
        constexpr void set_moves(std::uint32_t id, bool moves) {
            if (boxes_.moves(id) == moves) return;
            aabb<S> const fat = tree_.box(id);
            tree_.erase(root_of(id), id);
            boxes_.set_moves(id, moves);
            plant(id, moves ? fattened(id, vec3<S>{}) : fat);
        }

        template <class F>
        constexpr void for_each_pair(F&& f) {
            update_pairs();
            if (!complete_) return for_each_pair_without_list(f);
            // Sieved without a branch, some at a time, and then reported.
            auto const& all = list_.pairs();
            typename pairs::key met[64];
            for (std::size_t from = 0; from < all.size(); from += 64) {
                std::size_t const to = from + 64 < all.size() ? from + 64 : all.size();
                std::size_t n = 0;
                for (std::size_t i = from; i < to; ++i) {
                    met[n] = all[i];
                    n += detail::meet(boxes_[pairs::low(all[i])], boxes_[pairs::high(all[i])]) ? 1u : 0u;
                }
                for (std::size_t i = 0; i < n; ++i) f(pairs::low(met[i]), pairs::high(met[i]));
            }
        }
        template <class F>
        constexpr void query(aabb<S> const& box, F&& f) const {
            aabb<S> const near = tree::clamped(box);
            for (detail::tree_ref const root : roots_)
                tree_.query(root, near, [&](std::uint32_t id) {
                    if (overlaps(box, boxes_[id])) f(id);
                });
        }
        template <class F>
        constexpr void cast(ray<S> const& r, F&& f) const {
            detail::ray_slabs<S> slabs(r);
            for (detail::tree_ref const root : roots_)
                tree_.cast(root, slabs, [&](std::uint32_t id) {
                    if (slabs.hits(boxes_[id])) slabs.shorten(f(id));
                });
        }
        /// The same boxes under the same ids; how the trees grew does not matter.
        [[nodiscard]] friend constexpr bool operator==(index const& a, index const& b) noexcept { return a.boxes_ == b.boxes_; }

        /// Levels of the deeper tree.
        [[nodiscard]] constexpr std::size_t depth() const noexcept {
            std::size_t const a = tree_.depth(roots_[0]), b = tree_.depth(roots_[1]);
            return a > b ? a : b;
        }

    private:
        using tree = detail::box_tree<S, Storage, N>;
        // In a dense pile a fat box touches about eleven others.
        static constexpr std::size_t room = 16 * N;
        using pairs = detail::pair_list<Storage, N, room>;
        enum mark : std::uint8_t { touched = 1, stretched = 2 };

        [[nodiscard]] constexpr detail::tree_ref& root_of(std::uint32_t id) noexcept { return roots_[boxes_.moves(id) ? 1 : 0]; }
        [[nodiscard]] static constexpr vec3<S> half(vec3<S> const& v) noexcept { return v * (S(1) / S(2)); }

        // A tenth of the mean extent on each side.
        [[nodiscard]] static constexpr S slack(aabb<S> const& box) noexcept {
            vec3<S> const e = box.upper - box.lower;
            return (e[0] + e[1] + e[2]) / S(30);
        }
        // And as far ahead as it would come in four steps like this one, but no farther than it is wide.
        constexpr aabb<S> fattened(std::uint32_t id, vec3<S> const& motion) noexcept {
            aabb<S> const& box = boxes_[id];
            S const around = slack(box);
            aabb<S> fat = grown(box, around);
            bool far = false;
            for (std::size_t i = 0; i < 3; ++i) {
                S const width = fat.upper[i] - fat.lower[i];
                S const ahead = clamp(S(4) * motion[i], -width, width);
                if (ahead > S(0)) fat.upper[i] = fat.upper[i] + ahead;
                if (ahead < S(0)) fat.lower[i] = fat.lower[i] + ahead;
                far = far || ahead > around || ahead < -around;
            }
            marks_[id] = static_cast<std::uint8_t>(far ? marks_[id] | stretched : marks_[id] & ~unsigned{stretched});
            return tree::clamped(fat);
        }

        constexpr void plant(std::uint32_t id, aabb<S> const& fat) {
            tree_.insert(root_of(id), id, fat);
            touch(id);
        }
        constexpr void replant(std::uint32_t id, aabb<S> const& fat) {
            tree_.erase(root_of(id), id);
            plant(id, fat);
        }
        constexpr void touch(std::uint32_t id) {
            if ((marks_[id] & touched) != 0) return;
            marks_[id] = static_cast<std::uint8_t>(marks_[id] | touched);
            touched_.push_back(id);
        }
        [[nodiscard]] constexpr bool is_touched(std::uint32_t id) const noexcept { return (marks_[id] & touched) != 0; }

        // The list holds the pairs of overlapping fat boxes, one moving at least, as long as `complete_`.
        constexpr void update_pairs() {
            if (touched_.empty()) return;
            if (!complete_) {
                // There was no room once; there may be now, if it is found anew.
                list_.clear();
                for (std::uint32_t id = 0; id < boxes_.end(); ++id)
                    if (boxes_.holds(id)) touch(id);
            }
            list_.drop([&](std::uint32_t id) { return is_touched(id); });
            complete_ = true;
            for (std::uint32_t const id : touched_) {
                if (!boxes_.holds(id)) continue;
                for (bool const moves : {false, true}) {
                    if (!moves && !boxes_.moves(id)) continue;
                    tree_.query(roots_[moves ? 1 : 0], tree_.box(id), [&](std::uint32_t other) {
                        // Of two that were touched the higher one reports.
                        if (other == id || (is_touched(other) && other > id)) return;
                        complete_ = complete_ && list_.add(id, other);
                    });
                }
            }
            complete_ = complete_ && list_.merge();
            if (!complete_) list_.clear();
            for (std::uint32_t const id : touched_) marks_[id] = static_cast<std::uint8_t>(marks_[id] & ~unsigned{touched});
            touched_.clear();
        }
        // With static storage, when there are more pairs than room for them.
        template <class F>
        constexpr void for_each_pair_without_list(F&& f) {
            for (std::uint32_t low = 0; low < boxes_.end(); ++low) {
                if (!boxes_.holds(low)) continue;
                touched_.clear();
                query(boxes_[low], [&](std::uint32_t high) {
                    if (high > low && (boxes_.moves(low) || boxes_.moves(high))) touched_.push_back(high);
                });
                detail::sort<Storage>(touched_.begin(), touched_.end());
                for (std::uint32_t const high : touched_) f(low, high);
            }
            touched_.clear();
        }

        detail::box_table<S, Storage, N> boxes_;  // as given
        tree tree_;
        detail::tree_ref roots_[2] = {detail::no_node, detail::no_node};  // of what stands still, of what moves
        typename Storage::template array<std::uint8_t, N> marks_;
        typename Storage::template array<std::uint32_t, N> touched_;
        pairs list_;
        bool complete_ = true;
    };
};

}  // namespace sinew::inline v0
