#pragma once
// A binary tree over boxes that stay as they are: the triangles of a mesh, the parts of a list. Built at once, from the top down, where the
// surface area heuristic sees the cheapest cut among bins (Wald 2007); no recursion. Nodes lie in the order of a walk that goes left first,
// so a node's left child is the next one.
//
// A tree is the same on every compiler: what the standard algorithms leave open, the order within a part, decides nothing.

#include <sinew/core/sort.hpp>
#include <sinew/core/storage.hpp>
#include <sinew/geometry/box_tests.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sinew::inline v0::detail {

template <class S, class Storage, std::size_t N>
class box_hierarchy {
public:
    /// Over the items [0, n), whose boxes are box_of(i).
    template <class BoxOf>
    constexpr void build(std::size_t n, BoxOf const& box_of) {
        nodes_.clear();
        items_.clear();
        for (std::size_t i = 0; i < n; ++i) items_.push_back(static_cast<std::uint32_t>(i));
        if (n == 0) return;
        part stack[most_levels + 1];
        std::size_t waiting = 0;
        stack[waiting++] = {0, static_cast<std::uint32_t>(n), no_parent, 0};
        while (waiting > 0) {
            part const p = stack[--waiting];
            auto const here = static_cast<std::uint32_t>(nodes_.size());
            if (p.parent != no_parent) nodes_[p.parent].link = here;
            node made{empty_aabb<S>(), p.first, 0, 0};
            for (std::uint32_t i = p.first; i < p.end; ++i) made.box = merged(made.box, box_of(items_[i]));
            if (p.end - p.first <= leaf_items) {
                made.count = static_cast<std::uint16_t>(p.end - p.first);
                detail::sort<Storage>(items_.begin() + p.first, items_.begin() + p.end);
                nodes_.push_back(made);
                continue;
            }
            split const s = cut(p, box_of);
            made.axis = s.axis;
            nodes_.push_back(made);
            stack[waiting++] = {s.middle, p.end, here, p.level + 1};
            stack[waiting++] = {p.first, s.middle, no_parent, p.level + 1};
        }
    }

    [[nodiscard]] constexpr bool empty() const noexcept { return nodes_.empty(); }
    /// Around all items.
    [[nodiscard]] constexpr aabb<S> bounds() const noexcept { return nodes_.empty() ? empty_aabb<S>() : nodes_[0].box; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return items_.size(); }

    /// f(item) for each item of the leaves that the box overlaps: some of the items may not do so themselves.
    template <class F>
    constexpr void query(aabb<S> const& box, F&& f) const {
        std::uint32_t stack[most_levels + 2];
        std::size_t waiting = 0;
        if (!nodes_.empty() && meet(box, nodes_[0].box)) stack[waiting++] = 0;
        while (waiting > 0) {
            std::uint32_t const at = stack[--waiting];
            node const& n = nodes_[at];
            if (n.count > 0) {
                for (std::uint32_t i = 0; i < n.count; ++i) f(items_[n.link + i]);
                continue;
            }
            stack[waiting] = n.link;
            waiting += meet(box, nodes_[n.link].box) ? 1u : 0u;
            stack[waiting] = at + 1;
            waiting += meet(box, nodes_[at + 1].box) ? 1u : 0u;
        }
    }

    /// f(item) for each item of the leaves on the ray, the nearer ones first, roughly. f may shorten the ray.
    template <class F>
    constexpr void cast(ray_slabs<S> const& slabs, F&& f) const {
        std::uint32_t stack[most_levels + 2];
        std::size_t waiting = 0;
        if (!nodes_.empty()) stack[waiting++] = 0;
        while (waiting > 0) {
            std::uint32_t const at = stack[--waiting];
            node const& n = nodes_[at];
            if (!slabs.hits(n.box)) continue;
            if (n.count > 0) {
                for (std::uint32_t i = 0; i < n.count; ++i) f(items_[n.link + i]);
                continue;
            }
            bool const forward = slabs.forward(n.axis);
            stack[waiting++] = forward ? n.link : at + 1;
            stack[waiting++] = forward ? at + 1 : n.link;
        }
    }
    [[nodiscard]] friend constexpr bool operator==(box_hierarchy const&, box_hierarchy const&) = default;

private:
    static constexpr std::uint32_t leaf_items = 2, bins = 16, no_parent = 0xffffffffu;
    // Cuts in halves below this level: at most 32 more of them.
    static constexpr std::uint32_t cheapest_levels = 32, most_levels = 64;

    // Inner: link is the right child. Leaf: count > 0 items from link on.
    struct node {
        aabb<S> box{};
        std::uint32_t link = 0;
        std::uint16_t count = 0, axis = 0;
        [[nodiscard]] friend constexpr bool operator==(node const&, node const&) = default;
    };
    struct part {
        std::uint32_t first, end, parent, level;
    };
    struct split {
        std::uint32_t middle;
        std::uint16_t axis;
    };
    struct bin {
        aabb<S> box = empty_aabb<S>();
        std::uint32_t count = 0;
    };

    // Twice a box's middle.
    [[nodiscard]] static constexpr S middle(aabb<S> const& b, std::size_t axis) noexcept { return b.lower[axis] + b.upper[axis]; }

    template <class BoxOf>
    [[nodiscard]] constexpr split cut(part const& p, BoxOf const& box_of) {
        aabb<S> middles = empty_aabb<S>();
        for (std::uint32_t i = p.first; i < p.end; ++i) {
            aabb<S> const b = box_of(items_[i]);
            middles = merged(middles, b.lower + b.upper);
        }
        vec3<S> const size = middles.upper - middles.lower;
        std::size_t longest = 0;
        for (std::size_t k = 1; k < 3; ++k)
            if (size[k] > size[longest]) longest = k;
        auto const first = items_.begin() + p.first, end = items_.begin() + p.end;
        if (size[longest] > S(0) && p.level < cheapest_levels) {
            S best = infinity_v<S>;
            std::size_t best_axis = 0, best_bin = 0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (!(size[axis] > S(0))) continue;
                bin b[bins];
                for (std::uint32_t i = p.first; i < p.end; ++i) {
                    aabb<S> const box = box_of(items_[i]);
                    bin& mine = b[bin_of(box, axis, middles)];
                    mine.box = merged(mine.box, box);
                    ++mine.count;
                }
                // What a walk pays on either side of a cut: surface times items.
                S above[bins] = {};
                bin sum;
                for (std::size_t i = bins; i-- > 1;) {
                    sum = {merged(sum.box, b[i].box), sum.count + b[i].count};
                    above[i] = surface_area(sum.box) * count_of(sum);
                }
                sum = {};
                for (std::size_t i = 1; i < bins; ++i) {
                    sum = {merged(sum.box, b[i - 1].box), sum.count + b[i - 1].count};
                    if (sum.count == 0 || sum.count == p.end - p.first) continue;
                    S const cost = surface_area(sum.box) * count_of(sum) + above[i];
                    if (cost < best) {
                        best = cost;
                        best_axis = axis;
                        best_bin = i;
                    }
                }
            }
            if (best_bin > 0) {
                auto const at = std::partition(first, end, [&](std::uint32_t i) { return bin_of(box_of(i), best_axis, middles) < best_bin; });
                return {static_cast<std::uint32_t>(at - items_.begin()), static_cast<std::uint16_t>(best_axis)};
            }
        }
        // In halves along the longest axis; of boxes in one place by number.
        std::uint32_t const half = p.first + (p.end - p.first) / 2;
        detail::sort<Storage>(first, end, [&](std::uint32_t a, std::uint32_t b) {
            S const x = middle(box_of(a), longest), y = middle(box_of(b), longest);
            return x < y || (x == y && a < b);
        });
        return {half, static_cast<std::uint16_t>(longest)};
    }
    [[nodiscard]] static constexpr std::size_t bin_of(aabb<S> const& box, std::size_t axis, aabb<S> const& middles) noexcept {
        S const at = (middle(box, axis) - middles.lower[axis]) / (middles.upper[axis] - middles.lower[axis]) * S(static_cast<int>(bins));
        auto const i = static_cast<std::size_t>(value(at > S(0) ? at : S(0)));
        return i < bins ? i : bins - 1;
    }
    [[nodiscard]] static constexpr S count_of(bin const& b) noexcept { return S(static_cast<value_type_t<S>>(b.count)); }

    // A binary tree whose leaves hold one item or more has less than twice as many nodes.
    typename Storage::template array<node, 2 * N> nodes_;
    typename Storage::template array<std::uint32_t, N> items_;
};

}  // namespace sinew::inline v0::detail
