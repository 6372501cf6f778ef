#pragma once
// Binary trees of boxes that change: a leaf is the box of an id, an inner node keeps the boxes of its two children, so that a walk reads one
// node where it decides twice. Several trees share one pool of nodes, and an id is a leaf of at most one of them.
//
// A new leaf goes where it adds the least surface (the probability that a random ray or box visits a node grows with its surface: Goldsmith
// & Salmon 1987), found greedily as Box3D does; on the way up each node may exchange a grandchild with its other child where that makes less
// surface (Kopta et al. 2012). Nothing recurs and nothing needs a stack: a walk goes up again by the parents.

#include <sinew/collision/box_table.hpp>
#include <sinew/geometry/box_tests.hpp>
#include <sinew/core/static_vector.hpp>
#include <sinew/core/storage.hpp>
#include <sinew/geometry/aabb.hpp>
#include <sinew/math/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace sinew::inline v0::detail {

/// Names an inner node (its index, >= 0) or a leaf (the complement of its id, < 0).
using tree_ref = std::int32_t;
/// The root of an empty tree, and the parent of a root.
inline constexpr tree_ref no_node = std::numeric_limits<tree_ref>::min();

[[nodiscard]] constexpr bool is_leaf(tree_ref r) noexcept { return r < 0; }
[[nodiscard]] constexpr tree_ref leaf_of(std::uint32_t id) noexcept { return ~static_cast<tree_ref>(id); }
[[nodiscard]] constexpr std::uint32_t id_of(tree_ref leaf) noexcept { return static_cast<std::uint32_t>(~leaf); }

template <class S, class Storage, std::size_t N>
class box_tree {
public:
    using box_type = aabb<S>;

    /// Adds a leaf to the tree of this root. The box must not be infinite: see clamped().
    constexpr void insert(tree_ref& root, std::uint32_t id, box_type const& box) {
        grow_to(leaves_, id) = {box, no_node};
        tree_ref const leaf = leaf_of(id);
        if (root == no_node) {
            root = leaf;
            return;
        }
        place const sibling = best_sibling(root, box);
        tree_ref const parent = parent_of(sibling.at);
        tree_ref const n = make_node();
        node_at(n) = {{sibling.box, box}, {sibling.at, leaf}, parent};
        set_parent(leaf, n);
        if (parent == no_node)
            root = n;
        else
            node_at(parent).child[side_of(parent, sibling.at)] = n;
        set_parent(sibling.at, n);
        for (tree_ref at = n; at != no_node; at = parent_of(at)) {
            rotate(at);
            refit_parent(at);
        }
    }

    /// Takes a leaf out of the tree of this root.
    constexpr void erase(tree_ref& root, std::uint32_t id) noexcept {
        tree_ref const parent = leaves_[id].parent;
        if (parent == no_node) {
            root = no_node;
            return;
        }
        node const gone = node_at(parent);
        std::size_t const side = gone.child[0] == leaf_of(id) ? 1 : 0;
        tree_ref const sibling = gone.child[side];
        set_parent(sibling, gone.parent);
        if (gone.parent == no_node) {
            root = sibling;
        } else {
            node& up = node_at(gone.parent);
            std::size_t const s = side_of(gone.parent, parent);
            up.child[s] = sibling;
            up.box[s] = gone.box[side];
            tree_ref at = gone.parent;
            while (at != no_node && refit_parent(at)) at = parent_of(at);
        }
        free_node(parent);
    }

    /// The box of a leaf, as it was inserted.
    [[nodiscard]] constexpr box_type const& box(std::uint32_t id) const noexcept { return leaves_[id].box; }

    /// f(id) for each leaf of the tree whose box overlaps this one.
    template <class F>
    constexpr void query(tree_ref root, box_type const& box, F&& f) const {
        // What is left to enter waits on a stack, and whether a child does so is decided without a branch. Below a node that finds the
        // stack full (a tree so deep has degenerated), the walk goes without.
        constexpr std::size_t most = 64;
        tree_ref stack[most + 2];
        std::size_t n = 0;
        if (root != no_node) stack[n++] = root;
        while (n > 0) {
            tree_ref const at = stack[--n];
            if (is_leaf(at)) {
                if (at != root || meet(box, leaves_[id_of(at)].box)) f(id_of(at));
            } else if (n > most - 2) {
                walk(
                    at, [&](box_type const& b) { return meet(box, b); }, [](node const&) { return false; }, f);
            } else {
                node const& here = node_at(at);
                stack[n] = here.child[1];
                n += meet(box, here.box[1]) ? 1u : 0u;
                stack[n] = here.child[0];
                n += meet(box, here.box[0]) ? 1u : 0u;
            }
        }
    }

    /// f(id) for each leaf whose box the ray enters, the nearer of two children first, roughly. f may shorten the ray.
    template <class F>
    constexpr void cast(tree_ref root, ray_slabs<S> const& slabs, F&& f) const {
        walk(
            root, [&](box_type const& b) { return slabs.hits(b); }, [&](node const& n) { return second_is_nearer(n, slabs); }, f);
    }

    /// With every coordinate such that surfaces stay finite and their sums do not lose a box of ordinary size to an infinite one.
    [[nodiscard]] static constexpr box_type clamped(box_type const& box) noexcept {
        constexpr S far = farthest();
        box_type r = box;
        for (std::size_t i = 0; i < 3; ++i) {
            r.lower[i] = clamp(box.lower[i], -far, far);
            r.upper[i] = clamp(box.upper[i], -far, far);
        }
        return r;
    }

    /// Levels below the root, for tests of the shape.
    [[nodiscard]] constexpr std::size_t depth(tree_ref root) const noexcept {
        std::size_t deepest = 0;
        auto const count = [&](std::uint32_t id) {
            std::size_t levels = 0;
            for (tree_ref at = leaves_[id].parent; at != no_node; at = parent_of(at)) ++levels;
            if (levels > deepest) deepest = levels;
        };
        walk(
            root, [](box_type const&) { return true; }, [](auto const&) { return false; }, count);
        return deepest;
    }

private:
    struct node {
        box_type box[2];
        tree_ref child[2];
        tree_ref parent;
    };
    struct tree_leaf {
        box_type box;
        tree_ref parent;
    };
    struct place {
        tree_ref at;
        box_type box;
    };

    [[nodiscard]] static constexpr S farthest() noexcept { return sqrt(S(scalar_traits<S>::max)) / S(8); }

    [[nodiscard]] constexpr node& node_at(tree_ref r) noexcept { return nodes_[static_cast<std::size_t>(r)]; }
    [[nodiscard]] constexpr node const& node_at(tree_ref r) const noexcept { return nodes_[static_cast<std::size_t>(r)]; }
    [[nodiscard]] constexpr tree_ref parent_of(tree_ref r) const noexcept { return is_leaf(r) ? leaves_[id_of(r)].parent : node_at(r).parent; }
    constexpr void set_parent(tree_ref r, tree_ref parent) noexcept { (is_leaf(r) ? leaves_[id_of(r)].parent : node_at(r).parent) = parent; }
    [[nodiscard]] constexpr std::size_t side_of(tree_ref parent, tree_ref child) const noexcept {
        return node_at(parent).child[0] == child ? 0 : 1;
    }

    constexpr tree_ref make_node() {
        if (free_ == no_node) {
            nodes_.push_back(node{});
            return static_cast<tree_ref>(nodes_.size() - 1);
        }
        tree_ref const r = free_;
        free_ = node_at(r).parent;
        return r;
    }
    constexpr void free_node(tree_ref r) noexcept {
        node_at(r).parent = free_;
        free_ = r;
    }

    // Whether the box that the parent keeps of this node changed.
    constexpr bool refit_parent(tree_ref at) noexcept {
        tree_ref const parent = node_at(at).parent;
        if (parent == no_node) return false;
        box_type const whole = merged(node_at(at).box[0], node_at(at).box[1]);
        box_type& kept = node_at(parent).box[side_of(parent, at)];
        if (kept == whole) return false;
        kept = whole;
        return true;
    }

    // The node or leaf that makes the least surface as the sibling of the box: the surface of the new parent, and what the nodes above it
    // grow by. Branch and bound (Bittner et al. 2013): down the side that promises more, and back to what was left aside for as long as it
    // promises more than the best that was found. Without going back, small boxes beside a huge one would not get past it.
    [[nodiscard]] constexpr place best_sibling(tree_ref root, box_type const& box) const noexcept {
        struct start {
            place at;
            S area, direct, inherited, low;
        };
        if (is_leaf(root)) return {root, leaves_[id_of(root)].box};
        S const own = surface_area(box);
        place const whole{root, merged(node_at(root).box[0], node_at(root).box[1])};
        place best = whole;
        start at{whole, surface_area(whole.box), surface_area(merged(whole.box, box)), S(0), S(0)};
        S best_cost = at.direct;
        static_vector<start, 16> aside;
        for (;;) {
            node const& n = node_at(at.at.at);
            S const inherited = at.inherited + at.direct - at.area;
            start below[2];
            bool open[2] = {false, false};
            for (std::size_t i = 0; i < 2; ++i) {
                S const area = surface_area(n.box[i]), direct = surface_area(merged(n.box[i], box));
                S const cost = inherited + direct;
                if (cost < best_cost) {
                    best_cost = cost;
                    best = {n.child[i], n.box[i]};
                }
                open[i] = !is_leaf(n.child[i]);
                below[i] = {{n.child[i], n.box[i]}, area, direct, inherited, inherited + direct - area + own};
            }
            for (std::size_t i = 0; i < 2; ++i) open[i] = open[i] && below[i].low < best_cost;
            if (open[0] && open[1]) {
                bool const second = below[1].low < below[0].low || (below[0].low == below[1].low && squared_distance(n.box[1], box) < squared_distance(n.box[0], box));
                at = below[second ? 1 : 0];
                if (!aside.full()) aside.push_back(below[second ? 0 : 1]);
            } else if (open[0] || open[1]) {
                at = below[open[0] ? 0 : 1];
            } else {
                do {
                    if (aside.empty()) return best;
                    at = aside.back();
                    aside.pop_back();
                } while (!(at.low < best_cost));
            }
        }
    }
    // Between centres, four times.
    [[nodiscard]] static constexpr S squared_distance(box_type const& a, box_type const& b) noexcept {
        return squared_norm((a.lower + a.upper) - (b.lower + b.upper));
    }

    // A node with children x and y, x with children p and q: y and p may change places, then x is (y, q). Of the four ways the best is taken
    // if it makes less surface than there is.
    constexpr void rotate(tree_ref a) noexcept {
        node& n = node_at(a);
        S best{0};
        std::size_t best_side = 0, best_child = 0;
        bool found = false;
        for (std::size_t s = 0; s < 2; ++s) {
            if (is_leaf(n.child[s])) continue;
            node const& x = node_at(n.child[s]);
            S const area = surface_area(n.box[s]);
            for (std::size_t k = 0; k < 2; ++k) {
                S const gain = area - surface_area(merged(n.box[1 - s], x.box[1 - k]));
                if (gain > best) {
                    best = gain;
                    best_side = s;
                    best_child = k;
                    found = true;
                }
            }
        }
        if (!found) return;
        tree_ref const inner = n.child[best_side];
        node& x = node_at(inner);
        place const up{x.child[best_child], x.box[best_child]};
        place const down{n.child[1 - best_side], n.box[1 - best_side]};
        x.child[best_child] = down.at;
        x.box[best_child] = down.box;
        set_parent(down.at, inner);
        n.child[1 - best_side] = up.at;
        n.box[1 - best_side] = up.box;
        set_parent(up.at, a);
        n.box[best_side] = merged(x.box[0], x.box[1]);
    }

    [[nodiscard]] static constexpr bool second_is_nearer(node const& n, ray_slabs<S> const& slabs) noexcept {
        S along{0};
        for (std::size_t i = 0; i < 3; ++i) {
            S const apart = (n.box[1].lower[i] + n.box[1].upper[i]) - (n.box[0].lower[i] + n.box[0].upper[i]);
            along = along + (slabs.forward(i) ? apart : -apart);
        }
        return along < S(0);
    }

    // Every leaf below `root` whose box, and those above it, may be entered; second(node) says which child comes first.
    template <class Enters, class Second, class F>
    constexpr void walk(tree_ref root, Enters const& enters, Second const& second, F&& f) const {
        if (root == no_node) return;
        tree_ref at = root;
        if (is_leaf(at)) {
            if (enters(leaves_[id_of(at)].box)) f(id_of(at));
            return;
        }
        for (;;) {
            node const& n = node_at(at);
            std::size_t const first = second(n) ? 1 : 0;
            tree_ref next = no_node;
            for (std::size_t i : {first, 1 - first}) {
                if (!enters(n.box[i])) continue;
                if (!is_leaf(n.child[i])) {
                    next = n.child[i];
                    break;
                }
                f(id_of(n.child[i]));
            }
            // Up, until there is a second child left to enter.
            while (next == no_node) {
                if (at == root) return;
                tree_ref const parent = node_at(at).parent;
                node const& up = node_at(parent);
                std::size_t const last = second(up) ? 0 : 1;
                if (up.child[last] != at && enters(up.box[last])) {
                    if (is_leaf(up.child[last]))
                        f(id_of(up.child[last]));
                    else
                        next = up.child[last];
                }
                at = parent;
            }
            at = next;
        }
    }

    typename Storage::template array<node, N> nodes_;
    typename Storage::template array<tree_leaf, N> leaves_;
    tree_ref free_ = no_node;
};

}  // namespace sinew::inline v0::detail
