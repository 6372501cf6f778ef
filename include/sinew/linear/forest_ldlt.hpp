#pragma once
// L D L^T of a sparse symmetric matrix whose blocks, seen as a graph, form a forest: in linear time, without fill.
//
// A node is a block of unknowns; an edge is a block of the matrix that is not zero. Eliminating the nodes in the post-order of a
// depth-first search, every node before its parent, changes the parent's diagonal block and nothing else (Baraff 1996,
// "Linear-time dynamics using Lagrange multipliers", section 4; Vondrak 2005, 7.3.5). The use in mind is
//
//   H = | M  -J^T |     M   masses: a node for each body
//       |-J  -S   |     S   compliance: a node for each constraint; -J: an edge for each body it binds
//
// which is quasi-definite: pivots of bodies are positive, those of constraints negative, and any order that meets no zero is as
// good as another. A hard constraint (S = 0) finds its pivots in -J_c M_c^-1 J_c^T, M_c what its children bring; so it
// must not come before they do, and a constraint on a single body must be the root of its tree.
//
// The numbers of a node and of the edge to its parent lie together, in the order of elimination, and so do those of b and x.

#include <sinew/core/storage.hpp>
#include <sinew/linear/forest_kernels.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::inline v0 {

/// Capacities of a forest_ldlt with static storage.
struct forest_limits {
    std::size_t nodes = 0;
    std::size_t edges = 0;
    std::size_t numbers = 0;  ///< size^2 for each node and the product of the two sizes for each edge
    std::size_t rows = 0;     ///< sum of the sizes; 0: as many as numbers
};

/// Where a node finds its pivots: in a diagonal block that is definite by itself, or, where that may be zero, in what
/// its children bring.
enum class pivots : unsigned char { own, from_children };

/// The matrix and its factors. Storage has `array<T, N>`, as dynamic_storage and static_storage do.
template <class S, class Storage = dynamic_storage, forest_limits Limits = forest_limits{}>
class forest_ldlt {
public:
    static constexpr std::uint32_t none = 0xffffffffu;

    // The graph.

    constexpr void clear() noexcept {
        nodes_.clear();
        edges_.clear();
        steps_.clear();
        numbers_.clear();
        rows_ = 0;
        number_count_ = 0;
    }
    /// A node with a definite diagonal block, joined to none so far. Its number; none if there is no room.
    constexpr std::uint32_t add(std::size_t size) { return add(size, {}, pivots::own); }
    /// A node joined to earlier ones. Its number; or none, and nothing has changed, if it cannot be in the forest: it would close a
    /// cycle; or it must be the root of a tree that has such a root already; or there is no room. It must be the root if
    /// its pivots come from children and its neighbours but the largest have fewer unknowns than it has.
    constexpr std::uint32_t add(std::size_t size, std::span<std::uint32_t const> neighbours, pivots from = pivots::from_children) {
        std::size_t sum = 0, largest = 0, numbers = number_count_ + size * size;
        std::uint32_t fixed_root = none;
        for (std::size_t i = 0; i < neighbours.size(); ++i) {
            std::uint32_t const tree = tree_of(neighbours[i]);
            for (std::size_t k = 0; k < i; ++k)
                if (tree_of(neighbours[k]) == tree) return none;
            if (nodes_[tree].fixed_root != none) {
                if (fixed_root != none) return none;
                fixed_root = nodes_[tree].fixed_root;
            }
            std::size_t const n = nodes_[neighbours[i]].size;
            sum += n;
            largest = std::max(largest, n);
            numbers += size * n;
        }
        auto const number = static_cast<std::uint32_t>(nodes_.size());
        if (from == pivots::from_children && sum - largest < size) {
            if (fixed_root != none) return none;
            fixed_root = number;
        }
        if constexpr (requires { nodes_.full(); }) {
            if (nodes_.size() + 1 > Limits.nodes || edges_.size() + neighbours.size() > Limits.edges || numbers > Limits.numbers) return none;
        }
        node v;
        v.size = static_cast<std::uint32_t>(size);
        v.first_edge = static_cast<std::uint32_t>(edges_.size());
        v.edge_count = static_cast<std::uint32_t>(neighbours.size());
        v.tree = number;
        v.fixed_root = fixed_root;
        nodes_.push_back(v);
        for (std::uint32_t const to : neighbours) {
            nodes_[tree_of(to)].tree = number;
            edges_.push_back({number, to, nodes_[to].later_edge, 0});
            nodes_[to].later_edge = static_cast<std::uint32_t>(edges_.size() - 1);
        }
        rows_ += size;
        number_count_ = numbers;
        return number;
    }
    /// Finds the order of elimination and gives every number its place. The numbers are 0.
    constexpr void order() {
        std::size_t const n = nodes_.size();
        queue_.resize(n);
        steps_.resize(n);
        for (auto& v : nodes_) v.step = none;
        // A preorder from the roots, written from the last place to the first, is a post-order.
        auto place = static_cast<std::uint32_t>(n);
        for (auto v = static_cast<std::uint32_t>(n); v-- > 0;) {
            if (nodes_[v].step != none) continue;
            std::uint32_t const top = place - 1;
            place = descend(root_of(v), place);
            steps_[top].first = place;
        }
        std::uint32_t offset = 0, row = 0;
        for (auto& s : steps_) {
            s.diagonal = offset;
            s.row = row;
            offset += s.size * s.size;
            s.coupling = offset;
            row += s.size;
            if (s.parent == none) continue;
            s.parent_size = steps_[s.parent].size;
            edges_[s.first].place = offset;
            offset += s.size * s.parent_size;
        }
        for (auto& s : steps_) {
            if (s.parent != none) {
                s.parent_diagonal = steps_[s.parent].diagonal;
                s.parent_row = steps_[s.parent].row;
            }
        }
        numbers_.assign(offset, S(0));
        sizes_.assign(rows_, S(0));
        if constexpr (!detail::is_fixed_point_v<S>) d_.assign(rows_, S(0));
    }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return nodes_.size(); }
    [[nodiscard]] constexpr std::size_t size(std::uint32_t v) const noexcept { return nodes_[v].size; }
    /// Length of b and x.
    [[nodiscard]] constexpr std::size_t rows() const noexcept { return rows_; }
    /// How many numbers the matrix has, which is how many its factors have.
    [[nodiscard]] constexpr std::size_t numbers() const noexcept { return number_count_; }

    // Known after order().

    /// Where the node's part of b and of x begins.
    [[nodiscard]] constexpr std::uint32_t row(std::uint32_t v) const noexcept { return steps_[nodes_[v].step].row; }
    /// The node's own block, size x size, row by row. The lower triangle is read.
    [[nodiscard]] constexpr S* diagonal(std::uint32_t v) noexcept { return numbers_.data() + steps_[nodes_[v].step].diagonal; }
    [[nodiscard]] constexpr S const* diagonal(std::uint32_t v) const noexcept { return numbers_.data() + steps_[nodes_[v].step].diagonal; }
    /// The block between a node and the k-th neighbour it was added with: size(v) x size(neighbour), row by row.
    [[nodiscard]] constexpr S* coupling(std::uint32_t v, std::size_t k) noexcept { return numbers_.data() + edges_[nodes_[v].first_edge + k].place; }
    /// The node that comes after all its neighbours but this one; none for the root of a tree.
    [[nodiscard]] constexpr std::uint32_t parent(std::uint32_t v) const noexcept {
        std::uint32_t const p = steps_[nodes_[v].step].parent;
        return p == none ? none : steps_[p].node;
    }

    // The numbers.

    /// All numbers, block after block.
    [[nodiscard]] constexpr std::span<S> values() noexcept { return {numbers_.data(), numbers_.size()}; }

    /// Factors in place: the blocks must be written anew before the next time. A pivot at or below `relative_floor` times its row's
    /// diagonal, as it was written or as it stands once the children are eliminated, is lost: the row is set aside and its unknown
    /// becomes 0. Small pivots before it count too, which magnify rounding; in fixed point those of its own node.
    constexpr factor_report factor(S const& relative_floor) noexcept {
        factor_report report{rows_, 0};
        note_sizes();
        for (auto const& s : steps_) report.rank += factor_step(s, relative_floor);
        return report;
    }
    /// x with H x = b, in place.
    constexpr void solve(std::span<S> b) const noexcept {
        for (auto const& s : steps_) forward_step(s, b);
        for (std::size_t i = steps_.size(); i-- > 0;) backward_step(steps_[i], b);
    }
    /// Both, in one sweep less.
    constexpr factor_report factor_and_solve(std::span<S> b, S const& relative_floor) noexcept {
        factor_report report{rows_, 0};
        note_sizes();
        for (auto const& s : steps_) {
            report.rank += factor_step(s, relative_floor);
            forward_step(s, b);
        }
        for (std::size_t i = steps_.size(); i-- > 0;) backward_step(steps_[i], b);
        return report;
    }
    /// With x = H^-1 u: what an error of 1 in a number of H, relative to its row, may add to u^T H^-1 u. Of the largest one: errors of
    /// different signs do not add up along a chain.
    [[nodiscard]] constexpr S sensitivity(std::span<S const> x) const noexcept {
        S most(0);
        for (std::size_t i = 0; i < rows_; ++i) most = max(most, x[i] * x[i] * sizes_[i]);
        return most;
    }
    /// Row i of the node has lost its pivot.
    [[nodiscard]] constexpr bool set_aside(std::uint32_t v, std::size_t i) const noexcept {
        return all(diagonal(v)[i * (size(v) + 1)] == S(0));
    }

    // Right-hand sides that are 0 but in the few nodes of `touched`: what they reach are the paths to the roots. `touched` is used up.
    // With u = L^-1 b_1 and v = L^-1 b_2, the response b_1^T H^-1 b_2 of a constraint outside of the forest is u^T D^-1 v.

    /// b <- L^-1 b.
    constexpr void forward_sparse(std::span<S> b, std::span<std::uint32_t> touched) const noexcept {
        along_paths(touched, [&](step const& s) { forward_step(s, b); });
    }
    /// u^T D^-1 v, where u came from `touched`.
    [[nodiscard]] constexpr S product(std::span<S const> u, std::span<S const> v, std::span<std::uint32_t> touched) const noexcept {
        S sum(0);
        along_paths(touched, [&](step const& s) {
            S const* const d = numbers_.data() + s.diagonal;
            for (std::size_t i = 0; i < s.size; ++i) sum = sum + detail::over_pivot(u[s.row + i], d[i * (s.size + 1)]) * v[s.row + i];
        });
        return sum;
    }
    /// What solve(b) does, leaving alone what stays 0: it visits the paths, and the trees they are in once.
    constexpr void solve_sparse(std::span<S> b, std::span<std::uint32_t> touched) const noexcept {
        along_paths(touched, [&](step const& s) {
            forward_step(s, b);
            if (s.parent != none) return;
            for (std::size_t i = static_cast<std::size_t>(&s - steps_.data()) + 1; i-- > s.first;) backward_step(steps_[i], b);
        });
    }

private:
    struct node {
        std::uint32_t size = 0;
        std::uint32_t first_edge = 0, edge_count = 0;  // to earlier nodes
        std::uint32_t later_edge = none;               // chain of the edges to later nodes
        std::uint32_t tree = 0;                        // another node of the tree; the one that is its own stands for the tree
        std::uint32_t fixed_root = none;               // of the tree, in the node that stands for it
        std::uint32_t step = none;                     // when it is eliminated
    };
    struct edge {
        std::uint32_t from = 0, to = 0;  // to is the earlier node
        std::uint32_t next = none;       // in the chain of `to`
        std::uint32_t place = 0;
    };
    // One elimination.
    struct step {
        std::uint32_t diagonal = 0, coupling = 0, row = 0, size = 0;
        std::uint32_t parent_diagonal = 0, parent_row = 0, parent_size = 0;
        std::uint32_t parent = none;  // its step
        std::uint32_t node = 0;
        std::uint32_t first = 0;  // of a root: the first step of its tree; of others: the edge to the parent
        bool along = false;  // the node was added after its parent, so the rows of the coupling block are its own
    };

    constexpr std::uint32_t tree_of(std::uint32_t v) noexcept {
        while (nodes_[v].tree != v) {
            nodes_[v].tree = nodes_[nodes_[v].tree].tree;
            v = nodes_[v].tree;
        }
        return v;
    }
    // f(neighbour, edge).
    template <class F>
    constexpr void for_each_neighbour(std::uint32_t v, F&& f) const {
        node const& a = nodes_[v];
        for (std::uint32_t e = a.first_edge; e < a.first_edge + a.edge_count; ++e) f(edges_[e].to, e);
        for (std::uint32_t e = a.later_edge; e != none; e = edges_[e].next) f(edges_[e].from, e);
    }
    // The node that must be the root, or the middle of a longest path, so that paths are short.
    constexpr std::uint32_t root_of(std::uint32_t v) {
        std::uint32_t const fixed = nodes_[tree_of(v)].fixed_root;
        if (fixed != none) return fixed;
        std::uint32_t u = farthest(farthest(v));
        std::uint32_t length = 0;
        for (std::uint32_t w = u; queue_[w].before != none; w = queue_[w].before) ++length;
        for (length /= 2; length > 0; --length) u = queue_[u].before;
        return u;
    }
    // Breadth first; queue_[w].before then leads back to the start.
    constexpr std::uint32_t farthest(std::uint32_t start) {
        std::size_t last = 1;
        queue_[0].node = start;
        queue_[start].before = none;
        for (std::size_t i = 0; i < last; ++i) {
            std::uint32_t const v = queue_[i].node;
            for_each_neighbour(v, [&](std::uint32_t to, std::uint32_t) {
                if (to == queue_[v].before) return;
                queue_[to].before = v;
                queue_[last++].node = to;
            });
        }
        return queue_[last - 1].node;
    }
    // Depth first from the root, filling the steps below `place`. The first one filled.
    constexpr std::uint32_t descend(std::uint32_t root, std::uint32_t place) {
        std::size_t waiting = 1;
        queue_[0].node = root;
        queue_[root].before = none;
        queue_[root].edge = none;
        while (waiting > 0) {
            std::uint32_t const v = queue_[--waiting].node;
            nodes_[v].step = --place;
            step& s = steps_[place];
            s = step{};
            s.node = v;
            s.size = nodes_[v].size;
            if (queue_[v].before != none) {
                s.parent = nodes_[queue_[v].before].step;
                s.first = queue_[v].edge;
                s.along = edges_[queue_[v].edge].from == v;
            }
            for_each_neighbour(v, [&](std::uint32_t to, std::uint32_t e) {
                if (to == queue_[v].before) return;
                queue_[to].before = v;
                queue_[to].edge = e;
                queue_[waiting++].node = to;
            });
        }
        return place;
    }
    // f(step) for every node on the paths from the touched nodes to their roots, once, children first.
    template <class F>
    constexpr void along_paths(std::span<std::uint32_t> touched, F&& f) const {
        for (auto& t : touched) t = nodes_[t].step;
        while (true) {
            std::uint32_t first = none;
            for (std::uint32_t const t : touched) first = std::min(first, t);
            if (first == none) return;
            f(steps_[first]);
            for (auto& t : touched)
                if (t == first) t = steps_[first].parent;
        }
    }

    // f with the size as a constant where a block of such a size is common.
    template <class F>
    static constexpr auto with_extent(std::size_t n, F&& f) {
        switch (n) {
            case 1: return f(detail::extent_constant<1>{});
            case 2: return f(detail::extent_constant<2>{});
            case 3: return f(detail::extent_constant<3>{});
            case 4: return f(detail::extent_constant<4>{});
            case 5: return f(detail::extent_constant<5>{});
            case 6: return f(detail::extent_constant<6>{});
            default: return f(n);
        }
    }
    // f(n, m, along) for a node and its parent; as constants where such blocks are common: three rows of a joint, six of a body or of two
    // joints, five of a hinge joined to a hinge where the bodies between them have been eliminated by hand.
    template <class F>
    static constexpr void with_extents(step const& s, F&& f) {
        using detail::extent_constant;
        std::size_t const n = s.size, m = s.parent_size;
        auto const dispatch = [&](std::size_t known, std::size_t other, auto&& g) {
            auto const with_other = [&](auto c) {
                return other == 3 ? g(c, extent_constant<3>{}) : other == 6 ? g(c, extent_constant<6>{}) : g(c, other);
            };
            switch (known) {
                case 3: return with_other(extent_constant<3>{});
                case 5: return g(extent_constant<5>{}, other);
                case 6: return with_other(extent_constant<6>{});
                default: return g(known, other);
            }
        };
        if (s.along)
            dispatch(m, n, [&](auto cm, auto cn) { f(cn, cm, std::true_type{}); });
        else
            dispatch(n, m, [&](auto cn, auto cm) { f(cn, cm, std::false_type{}); });
    }
    constexpr void note_sizes() noexcept {
        for (auto const& s : steps_) {
            S const* const a = numbers_.data() + s.diagonal;
            for (std::size_t i = 0; i < s.size; ++i) sizes_[s.row + i] = abs(a[i * (s.size + 1)]);
        }
    }
    constexpr std::size_t factor_step(step const& s, S const& relative_floor) noexcept {
        S* const a = numbers_.data() + s.diagonal;
        S* const e = numbers_.data() + s.coupling;
        S* const p = numbers_.data() + s.parent_diagonal;
        std::size_t const kept = with_extent(s.size, [&](auto c) { return detail::factor_block(a, sizes_.data() + s.row, c, relative_floor, [&](std::size_t j) { return magnified_below(s, j); }); });
        with_extents(s, [&](auto n, auto m, auto along) {
            if constexpr (along)
                detail::eliminate_along(a, e, p, n, m);
            else
                detail::eliminate_across(a, e, p, n, m);
        });
        return kept;
    }
    // What rounding of the nodes below comes to in the pivot of row j, as magnified_size() has it of the rows before, whose d it has left above the diagonal: below, d is the
    // way back from those. Of the last few nodes, so that time stays linear.
    constexpr S magnified_below(step const& s, std::size_t j) noexcept {
        S sum(0);
        if constexpr (!detail::is_fixed_point_v<S>) {
            S const* const a = numbers_.data() + s.diagonal;
            for (std::size_t k = 0; k < s.size; ++k) d_[s.row + k] = k < j ? S(0) - a[k * s.size + j] : S(k == j ? 1 : 0);
            auto const own = static_cast<std::size_t>(&s - steps_.data());
            for (std::size_t i = own; i > 0 && own - i < few && steps_[i - 1].parent <= own; --i) {
                step const& below = steps_[i - 1];
                for (std::size_t k = below.row; k < below.row + below.size; ++k) d_[k] = S(0);
                backward_step(below, std::span<S>(d_.data(), rows_));
                for (std::size_t k = below.row; k < below.row + below.size; ++k) sum = sum + d_[k] * d_[k] * sizes_[k];
            }
        }
        return sum;
    }
    constexpr void forward_step(step const& s, std::span<S> b) const noexcept {
        S const* const a = numbers_.data() + s.diagonal;
        S const* const e = numbers_.data() + s.coupling;
        S* const own = b.data() + s.row;
        S* const parents = b.data() + s.parent_row;
        with_extents(s, [&](auto n, auto m, auto along) {
            if constexpr (along)
                detail::forward_along(a, e, own, parents, n, m);
            else
                detail::forward_across(a, e, own, parents, n, m);
        });
    }
    constexpr void backward_step(step const& s, std::span<S> b) const noexcept {
        S const* const a = numbers_.data() + s.diagonal;
        S const* const e = numbers_.data() + s.coupling;
        S* const own = b.data() + s.row;
        S const* const parents = b.data() + s.parent_row;
        with_extents(s, [&](auto n, auto m, auto along) {
            if constexpr (along)
                detail::backward_along(a, e, own, parents, n, m);
            else
                detail::backward_across(a, e, own, parents, n, m);
        });
    }

    struct visit {
        std::uint32_t node = 0;                  // of the queue or stack: by place
        std::uint32_t before = none, edge = 0;  // of the search: by node
    };
    typename Storage::template array<node, Limits.nodes> nodes_;
    typename Storage::template array<edge, Limits.edges> edges_;
    typename Storage::template array<step, Limits.nodes> steps_;
    typename Storage::template array<visit, Limits.nodes> queue_;
    typename Storage::template array<S, Limits.numbers> numbers_;
    typename Storage::template array<S, (Limits.rows > 0 ? Limits.rows : Limits.numbers)> sizes_;  // of the diagonal, by row
    static constexpr std::size_t few = 32;
    struct no_rows {};
    [[no_unique_address]] std::conditional_t<detail::is_fixed_point_v<S>, no_rows, typename Storage::template array<S, (Limits.rows > 0 ? Limits.rows : Limits.numbers)>> d_{};
    std::size_t rows_ = 0, number_count_ = 0;
};

}  // namespace sinew::inline v0
