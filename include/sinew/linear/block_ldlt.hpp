#pragma once
// L D L^T of a sparse symmetric matrix of blocks, [A, B^T; B, -C] with A positive definite and C semi-definite: any graph, also
// one with cycles, in time linear in its size if the graph is a chain or a tree of small cliques.
//
// A positive node is a block of unknowns with a definite diagonal block of its own. A negative node, a constraint, may have
// nothing on its diagonal: its pivots -(C + B A^-1 B^T) come from positive nodes before it. With 1 x 1 pivots in a fixed order
// everything hangs on the order: a constraint that comes too early meets a pivot of 0 that it would not have met later.
// order() takes the node of least degree (external degree in unknowns, over the quotient graph: eliminated nodes stand for the
// cliques they leave, absorbed by their successors) among all positive nodes and those constraints whose turn has come:
//
//   a group     eliminated nodes that hang together. It is free if no eliminated constraint ties it to anything outside of it
//   its turn    nodes of free groups among its neighbours have together as many unknowns as it has rows: what is free as a whole can be
//               moved, so that its rows have pivots; or all of its neighbours are eliminated, in groups that end there: what is
//               zero then is zero for good, a redundant row
//
// A chain held at both ends, a loop or a net is ordered without a lost pivot this way, and a tree without fill beyond the cliques
// of its constraints.
// Pivots are judged against the sum of the magnitudes that made them: one at or below relative_floor times that is lost, its
// unknown becomes 0. A pivot of the wrong sign is counted: the matrix is not what was promised.
//
//   L, D   in place: column by column of blocks, each a square and a panel of the blocks below it, row by row

#include <sinew/core/sort.hpp>
#include <sinew/core/storage.hpp>
#include <sinew/linear/dense.hpp>
#include <sinew/math/scalar.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::inline v0 {

/// Room under static storage.
struct block_ldlt_limits {
    std::size_t nodes = 0;
    std::size_t edges = 0;
    std::size_t rows = 0;  ///< unknowns of all nodes together
};

/// How a factorisation ended. `wrong_signs` pivots had the sign of the other kind of node.
struct block_ldlt_report : factor_report {
    std::size_t wrong_signs = 0;
};

template <class S, class Storage = dynamic_storage, block_ldlt_limits Limits = block_ldlt_limits{}>
class block_ldlt {
public:
    static constexpr std::uint32_t none = 0xffffffffu;

    /// A block of numbers in place: element (r, c).
    struct view {
        S* data;
        std::size_t row_stride, column_stride;
        [[nodiscard]] constexpr S& operator()(std::size_t r, std::size_t c) const noexcept { return data[r * row_stride + c * column_stride]; }
    };

    // ---- the graph, when it changes

    constexpr void clear() noexcept {
        nodes_.clear();
        edges_.clear();
        rows_ = 0;
    }
    /// A node with a definite diagonal block. `free`: all of its unknowns move with those of the group that it joins (a body in
    /// space); false for one that is held by itself (a pendulum described by its angle). -> its number
    constexpr std::uint32_t add_positive(std::size_t size, bool free = true) { return add(size, true, !free); }
    /// A constraint. `held`: it also ties its neighbours to something that is no node (the ground). -> its number
    constexpr std::uint32_t add_negative(std::size_t size, bool held = false) { return add(size, false, held); }
    /// The block of a and b may be other than zero. The same two may be joined again, also a node with itself. -> the edge's number
    constexpr std::uint32_t join(std::uint32_t a, std::uint32_t b) {
        edges_.push_back({a, b});
        return static_cast<std::uint32_t>(edges_.size() - 1);
    }
    /// The order of elimination, and the places of all numbers.
    constexpr void order() {
        gather_neighbours();
        eliminate_all();
        lay_out();
    }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return nodes_.size(); }
    /// Unknowns.
    [[nodiscard]] constexpr std::size_t rows() const noexcept { return rows_; }
    /// Where a node's unknowns begin in a right-hand side.
    [[nodiscard]] constexpr std::size_t row(std::uint32_t node) const noexcept { return columns_[nodes_[node].position].row; }
    /// Numbers kept: the squares and panels.
    [[nodiscard]] constexpr std::size_t number_count() const noexcept { return numbers_.size(); }

    // ---- the numbers, before each factor(), which works in place

    constexpr void set_zero() noexcept {
        for (S& x : numbers_) x = S(0);
    }
    /// The square of a node, row by row; its lower triangle is read.
    [[nodiscard]] constexpr view diagonal(std::uint32_t node) noexcept {
        column const& c = columns_[nodes_[node].position];
        return {numbers_.data() + c.square, c.size, 1};
    }
    /// The block of an edge: rows of the node that was named first, columns of the second. Edges that join the same two share it, as
    /// transposes if they name them the other way round: add to it. Of a node joined with itself it is the square.
    [[nodiscard]] constexpr view block(std::uint32_t edge) noexcept {
        link const& e = edges_[edge];
        return {numbers_.data() + e.at, e.row_stride, e.column_stride};
    }

    constexpr block_ldlt_report factor(S const& relative_floor) noexcept {
        block_ldlt_report report;
        report.size = rows_;
        for (S& m : magnitudes_) m = S(0);
        for (column const& c : columns_)
            for (std::size_t i = 0; i < c.size; ++i) magnitudes_[c.row + i] = abs(numbers_[c.square + i * c.size + i]);
        for (column const& c : columns_) switch (c.size) {
                case 1: eliminate<1>(c, relative_floor, report); break;
                case 2: eliminate<2>(c, relative_floor, report); break;
                case 3: eliminate<3>(c, relative_floor, report); break;
                case 4: eliminate<4>(c, relative_floor, report); break;
                case 5: eliminate<5>(c, relative_floor, report); break;
                case 6: eliminate<6>(c, relative_floor, report); break;
                default: eliminate<0>(c, relative_floor, report); break;
            }
        return report;
    }
    /// x with A x = b, in place, any number of times.
    constexpr void solve(std::span<S> b) const noexcept {
        for (column const& c : columns_) {
            S const* const square = &numbers_[c.square];
            S* const x = b.data() + c.row;
            std::size_t const n = c.size;
            for (std::size_t i = 1; i < n; ++i)
                for (std::size_t k = 0; k < i; ++k) x[i] = x[i] - square[i * n + k] * x[k];
            S const* p = square + n * n;
            for (std::uint32_t s = c.begin; s < c.end; ++s) {
                column const& lower = columns_[structure_[s].position];
                for (std::size_t r = 0; r < lower.size; ++r, p += n) {
                    S sum = b[lower.row + r];
                    for (std::size_t k = 0; k < n; ++k) sum = sum - p[k] * x[k];
                    b[lower.row + r] = sum;
                }
            }
        }
        for (std::size_t at = columns_.size(); at-- > 0;) {
            column const& c = columns_[at];
            S const* const square = &numbers_[c.square];
            S* const x = b.data() + c.row;
            std::size_t const n = c.size;
            for (std::size_t i = 0; i < n; ++i) x[i] = x[i] * square[i * n + i];
            S const* p = square + n * n;
            for (std::uint32_t s = c.begin; s < c.end; ++s) {
                column const& lower = columns_[structure_[s].position];
                for (std::size_t r = 0; r < lower.size; ++r, p += n)
                    for (std::size_t k = 0; k < n; ++k) x[k] = x[k] - p[k] * b[lower.row + r];
            }
            for (std::size_t i = n; i-- > 0;)
                for (std::size_t k = 0; k < i; ++k) x[k] = x[k] - square[i * n + k] * x[i];
        }
    }
    /// Whether the pivot of a node's i-th unknown was lost.
    [[nodiscard]] constexpr bool set_aside(std::uint32_t node, std::size_t i) const noexcept {
        column const& c = columns_[nodes_[node].position];
        return all(numbers_[c.square + i * c.size + i] == S(0));
    }

private:
    struct node_info {
        std::uint32_t size = 0, position = none;
        bool positive = true, held = false;
        // Neighbours as given: in neighbours_. What is left of them in the quotient graph: in quotient_, as nodes and elements.
        std::uint32_t begin = 0, end = 0, quotient_end = 0;
        std::uint32_t element_begin = 0, element_end = 0;  // what it leaves when eliminated, in structure_
        std::uint32_t degree = 0, previous = none, next = none;
        bool queued = false, absorbed = false;
        std::uint32_t group = none, attachments = 0;  // parent in the union of groups; of a root: constraints to the outside,
        bool group_held = false;                      // and whether anything of it is held
        std::uint32_t mark = 0;
    };
    struct link {
        std::uint32_t a = 0, b = 0;
        std::size_t at = 0, row_stride = 0, column_stride = 0;
    };
    // A column of L.
    struct column {
        std::size_t size = 0, row = 0, square = 0;  // unknowns, the first of them, and the square's place; the panel follows it
        std::uint32_t begin = 0, end = 0;           // the blocks below, in structure_
        bool positive = true;
    };
    struct below {
        std::uint32_t position = 0;  // of a later column; a node's number until all are ordered
        std::uint32_t offset = 0;    // first row in the panel
    };

    constexpr std::uint32_t add(std::size_t size, bool positive, bool held) {
        node_info n;
        n.size = static_cast<std::uint32_t>(size);
        n.positive = positive;
        n.held = held;
        nodes_.push_back(n);
        rows_ += size;
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    // ---- ordering

    // Lists of distinct neighbours, one behind the other.
    constexpr void gather_neighbours() {
        neighbours_.assign(2 * edges_.size(), 0);
        for (auto& n : nodes_) n.end = n.mark = 0;
        for (auto const& e : edges_) ++nodes_[e.a].end, ++nodes_[e.b].end;
        std::uint32_t at = 0;
        for (auto& n : nodes_) {
            n.begin = at;
            at += n.end;
            n.end = n.begin;
        }
        for (auto const& e : edges_) {
            if (e.a == e.b) continue;
            neighbours_[nodes_[e.a].end++] = e.b;
            neighbours_[nodes_[e.b].end++] = e.a;
        }
        mark_ = 0;
        for (auto& n : nodes_) {
            ++mark_;
            std::uint32_t kept = n.begin;
            for (std::uint32_t k = n.begin; k < n.end; ++k) {
                auto& other = nodes_[neighbours_[k]];
                if (other.mark == mark_) continue;
                other.mark = mark_;
                neighbours_[kept++] = neighbours_[k];
            }
            n.end = n.quotient_end = kept;
        }
        quotient_ = neighbours_;
    }

    [[nodiscard]] constexpr std::uint32_t group_of(std::uint32_t node) noexcept {
        while (nodes_[node].group != node) {
            nodes_[node].group = nodes_[nodes_[node].group].group;
            node = nodes_[node].group;
        }
        return node;
    }
    constexpr void unite(std::uint32_t a, std::uint32_t b) noexcept {
        a = group_of(a);
        b = group_of(b);
        if (a == b) return;
        nodes_[b].group = a;
        nodes_[a].attachments += nodes_[b].attachments;
        nodes_[a].group_held = nodes_[a].group_held || nodes_[b].group_held;
    }
    [[nodiscard]] constexpr bool eliminated(std::uint32_t node) const noexcept { return nodes_[node].position != none; }

    // Whether a constraint's turn has come.
    [[nodiscard]] constexpr bool is_due(std::uint32_t k) noexcept {
        auto const& n = nodes_[k];
        bool complete = true;
        std::uint32_t freedom = 0;
        for (std::uint32_t i = n.begin; i < n.end; ++i) {
            std::uint32_t const b = neighbours_[i];
            if (!nodes_[b].positive) continue;
            if (!eliminated(b)) {
                complete = false;
                continue;
            }
            std::uint32_t const g = group_of(b);
            auto const& group = nodes_[g];
            complete = complete && group.attachments == 0;
            if (group.group_held || group.attachments > 0) continue;
            // Of several neighbours in one group the largest counts, since they move together.
            bool largest = true;
            for (std::uint32_t o = n.begin; o < n.end; ++o) {
                std::uint32_t const other = neighbours_[o];
                if (o == i || !eliminated(other) || group_of(other) != g) continue;
                largest = largest && (nodes_[b].size > nodes_[other].size || (nodes_[b].size == nodes_[other].size && i < o));
            }
            if (largest) freedom += nodes_[b].size;
        }
        return complete || freedom >= n.size;
    }

    // By degree; of equal ones constraints first: a body whose constraints have not gone yet would join them.
    [[nodiscard]] static constexpr std::uint32_t queue_of(node_info const& n) noexcept { return 2 * n.degree + (n.positive ? 1 : 0); }
    constexpr void enqueue(std::uint32_t i) noexcept {
        auto& n = nodes_[i];
        std::uint32_t const q = queue_of(n);
        n.queued = true;
        n.previous = none;
        n.next = queues_[q];
        if (n.next != none) nodes_[n.next].previous = i;
        queues_[q] = i;
        if (q < least_) least_ = q;
    }
    constexpr void dequeue(std::uint32_t i) noexcept {
        auto& n = nodes_[i];
        n.queued = false;
        if (n.next != none) nodes_[n.next].previous = n.previous;
        if (n.previous != none)
            nodes_[n.previous].next = n.next;
        else
            queues_[queue_of(n)] = n.next;
    }
    // The queued node of least degree.
    [[nodiscard]] constexpr std::uint32_t least() noexcept {
        while (least_ < queues_.size() && queues_[least_] == none) ++least_;
        return least_ < queues_.size() ? queues_[least_] : none;
    }

    // f(i) for each node not yet eliminated that i or the elements beside it reach, each once; i itself is left out.
    template <class F>
    constexpr void for_each_reached(std::uint32_t i, F&& f) {
        ++mark_;
        nodes_[i].mark = mark_;
        auto const visit = [&](std::uint32_t k) {
            if (eliminated(k) || nodes_[k].mark == mark_) return;
            nodes_[k].mark = mark_;
            f(k);
        };
        for (std::uint32_t q = nodes_[i].begin; q < nodes_[i].quotient_end; ++q) {
            std::uint32_t const k = quotient_[q];
            if (!eliminated(k))
                visit(k);
            else
                for (std::uint32_t e = nodes_[k].element_begin; e < nodes_[k].element_end; ++e) visit(structure_[e].position);
        }
    }

    constexpr void update_degree(std::uint32_t i) {
        std::uint32_t degree = 0;
        for_each_reached(i, [&](std::uint32_t k) { degree += nodes_[k].size; });
        if (nodes_[i].queued) dequeue(i);
        nodes_[i].degree = degree;
    }

    constexpr void eliminate_all() {
        auto const count = static_cast<std::uint32_t>(nodes_.size());
        structure_.clear();
        sequence_.clear();
        queues_.assign(2 * rows_ + 2, none);
        least_ = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            auto& n = nodes_[i];
            n.position = none;
            n.group = i;
            n.attachments = 0;
            n.group_held = n.held;
            n.queued = n.absorbed = false;
        }
        // The last is queued first, so that among equals the first is taken first.
        for (std::uint32_t i = count; i-- > 0;) {
            update_degree(i);
            if (nodes_[i].positive || is_due(i)) enqueue(i);
        }
        for (std::uint32_t done = 0; done < count;) {
            std::uint32_t p = least();
            if (p == none) {  // cannot be: with all positive nodes gone, every constraint is due
                for (p = 0; eliminated(p);) ++p;
            } else {
                dequeue(p);
                if (!nodes_[p].positive && !is_due(p)) continue;  // what was free has been tied since; it comes back with its neighbours
            }
            eliminate_node(p, done++);
        }
    }

    constexpr void eliminate_node(std::uint32_t p, std::uint32_t position) {
        auto& n = nodes_[p];
        n.element_begin = static_cast<std::uint32_t>(structure_.size());
        for_each_reached(p, [&](std::uint32_t k) { structure_.push_back({k, 0}); });
        n.element_end = static_cast<std::uint32_t>(structure_.size());
        for (std::uint32_t q = n.begin; q < n.quotient_end; ++q)
            if (eliminated(quotient_[q])) nodes_[quotient_[q]].absorbed = true;
        n.position = position;
        sequence_.push_back(p);

        for (std::uint32_t q = n.begin; q < n.end; ++q) {
            std::uint32_t const k = neighbours_[q];
            if (nodes_[k].positive == n.positive) continue;
            if (eliminated(k)) {
                unite(p, k);
                if (n.positive) --nodes_[group_of(p)].attachments;
            } else if (!n.positive) {
                ++nodes_[group_of(p)].attachments;
            }
        }

        // Whatever p reaches is a clique now: p, as an element, stands for it in place of p the node and of all it covers.
        std::uint32_t const covered = ++mark_;
        for (std::uint32_t e = n.element_begin; e < n.element_end; ++e) nodes_[structure_[e].position].mark = covered;
        for (std::uint32_t e = n.element_begin; e < n.element_end; ++e) {
            auto& i = nodes_[structure_[e].position];
            std::uint32_t kept = i.begin;
            for (std::uint32_t q = i.begin; q < i.quotient_end; ++q) {
                std::uint32_t const k = quotient_[q];
                bool const stale = k == p || (eliminated(k) ? nodes_[k].absorbed : nodes_[k].mark == covered);
                if (!stale) quotient_[kept++] = k;
            }
            quotient_[kept++] = p;
            i.quotient_end = kept;
        }
        for (std::uint32_t e = n.element_begin; e < n.element_end; ++e) {
            std::uint32_t const i = structure_[e].position;
            update_degree(i);
            if (nodes_[i].positive || is_due(i)) enqueue(i);
        }
    }

    // Columns in the order of elimination, and where each edge's block is.
    constexpr void lay_out() {
        columns_.clear();
        std::size_t row = 0, at = 0, widest = 0;
        for (std::uint32_t node : sequence_) {
            auto const& n = nodes_[node];
            column c;
            c.size = n.size;
            c.row = row;
            c.square = at;
            c.begin = n.element_begin;
            c.end = n.element_end;
            c.positive = n.positive;
            for (std::uint32_t s = c.begin; s < c.end; ++s) structure_[s].position = nodes_[structure_[s].position].position;
            detail::sort<Storage>(structure_.data() + c.begin, structure_.data() + c.end, [](below const& x, below const& y) { return x.position < y.position; });
            std::size_t height = 0;
            for (std::uint32_t s = c.begin; s < c.end; ++s) {
                structure_[s].offset = static_cast<std::uint32_t>(height);
                height += nodes_[sequence_[structure_[s].position]].size;
            }
            row += c.size;
            at += c.size * (c.size + height);
            widest = std::max(widest, c.size * height);
            columns_.push_back(c);
        }
        numbers_.assign(at, S(0));
        panel_.assign(widest, S(0));
        magnitudes_.assign(rows_, S(0));
        for (auto& e : edges_) {
            std::uint32_t const a = nodes_[e.a].position, b = nodes_[e.b].position;
            column const& c = columns_[a < b ? a : b];
            if (a == b) {
                e.at = c.square;
                e.row_stride = c.size;
                e.column_stride = 1;
                continue;
            }
            below const* const s = std::lower_bound(structure_.data() + c.begin, structure_.data() + c.end, a < b ? b : a,
                                                    [](below const& x, std::uint32_t position) { return x.position < position; });
            e.at = c.square + (c.size + s->offset) * c.size;
            e.row_stride = a < b ? 1 : c.size;
            e.column_stride = a < b ? c.size : 1;
        }
    }

    // ---- numbers

    template <std::size_t N>
    [[nodiscard]] static constexpr S product(S const* a, S const* b, std::size_t n) noexcept {
        if constexpr (N == 0) {
            S s = a[0] * b[0];
            for (std::size_t k = 1; k < n; ++k) s = s + a[k] * b[k];
            return s;
        } else {
            return [&]<std::size_t... K>(std::index_sequence<K...>) { return ((a[K] * b[K]) + ...); }(std::make_index_sequence<N>{});
        }
    }

    template <std::size_t N>
    constexpr void eliminate(column const& c, S const& relative_floor, block_ldlt_report& report) noexcept {
        std::size_t const n = N == 0 ? c.size : N;
        S* const square = &numbers_[c.square];
        // The square: L below the diagonal, 1 / D on it.
        for (std::size_t j = 0; j < n; ++j) {
            S const d = square[j * n + j];
            bool const lost = !any(abs(d) > magnitudes_[c.row + j] * relative_floor);
            S const inverse = lost ? S(0) : S(1) / d;
            report.rank += lost ? 0u : 1u;
            report.wrong_signs += !lost && any(d > S(0)) != c.positive ? 1u : 0u;
            square[j * n + j] = inverse;
            for (std::size_t i = j + 1; i < n; ++i) {
                S const l = square[i * n + j] * inverse;
                for (std::size_t k = j + 1; k < i; ++k) square[i * n + k] = square[i * n + k] - l * square[k * n + j];
                S const own = l * square[i * n + j];
                square[i * n + i] = square[i * n + i] - own;
                magnitudes_[c.row + i] = magnitudes_[c.row + i] + abs(own);
            }
            for (std::size_t i = j + 1; i < n; ++i) square[i * n + j] = square[i * n + j] * inverse;
        }
        if (c.begin == c.end) return;

        // The panel: rows of L D into panel_, rows of L in place.
        S* const panel = square + n * n;
        column const& last = columns_[structure_[c.end - 1].position];
        std::size_t const height = structure_[c.end - 1].offset + last.size;
        for (std::size_t r = 0; r < height; ++r) {
            S* const l = panel + r * n;
            S* const w = panel_.data() + r * n;
            for (std::size_t i = 0; i < n; ++i) {
                S s = l[i];
                for (std::size_t k = 0; k < i; ++k) s = s - square[i * n + k] * w[k];
                w[i] = s;
            }
            for (std::size_t i = 0; i < n; ++i) l[i] = w[i] * square[i * n + i];
        }

        // What is left of the blocks that it joined.
        for (std::uint32_t s = c.begin; s < c.end; ++s) {
            column const& target = columns_[structure_[s].position];
            std::size_t const width = target.size;
            S const* const w = panel_.data() + structure_[s].offset * n;
            S const* const l = panel + structure_[s].offset * n;
            S* const own = &numbers_[target.square];
            for (std::size_t i = 0; i < width; ++i) {
                for (std::size_t k = 0; k < i; ++k) own[i * width + k] = own[i * width + k] - product<N>(l + i * n, w + k * n, n);
                S const x = product<N>(l + i * n, w + i * n, n);
                own[i * width + i] = own[i * width + i] - x;
                magnitudes_[target.row + i] = magnitudes_[target.row + i] + abs(x);
            }
            std::uint32_t t = target.begin;
            for (std::uint32_t o = s + 1; o < c.end; ++o) {
                while (structure_[t].position != structure_[o].position) ++t;
                std::size_t const rows = columns_[structure_[o].position].size;
                S* const to = own + (width + structure_[t].offset) * width;
                S const* const from = panel + structure_[o].offset * n;
                for (std::size_t i = 0; i < rows; ++i)
                    for (std::size_t k = 0; k < width; ++k) to[i * width + k] = to[i * width + k] - product<N>(from + i * n, w + k * n, n);
            }
        }
    }

    // A full graph is the worst: then all later nodes are below each.
    static constexpr std::size_t worst_blocks = Limits.nodes * (Limits.nodes + 1) / 2;
    static constexpr std::size_t worst_numbers = Limits.rows * Limits.rows;

    typename Storage::template array<node_info, Limits.nodes> nodes_;
    typename Storage::template array<link, Limits.edges> edges_;
    typename Storage::template array<std::uint32_t, 2 * Limits.edges> neighbours_;
    typename Storage::template array<std::uint32_t, 2 * Limits.edges> quotient_;
    typename Storage::template array<std::uint32_t, Limits.nodes> sequence_;
    typename Storage::template array<std::uint32_t, 2 * Limits.rows + 2> queues_;
    typename Storage::template array<below, worst_blocks> structure_;
    typename Storage::template array<column, Limits.nodes> columns_;
    typename Storage::template array<S, worst_numbers> numbers_;
    typename Storage::template array<S, worst_numbers / 4 + 1> panel_;  // the largest rectangle beside a square
    typename Storage::template array<S, Limits.rows> magnitudes_;
    std::size_t rows_ = 0;
    std::uint32_t mark_ = 0, least_ = 0;
};

}  // namespace sinew::inline v0
