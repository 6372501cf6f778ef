#pragma once
// Linear time: the sparse matrix of bodies and constraints, factored along their tree (Baraff 1996; Vondrak 2005, 7.3.5).
//
//   H = | M  -J^T |        the unknowns of a body are its response, those of a constraint its multipliers; in the order of a
//       |-J  -S   |        depth-first search nothing fills in
//
// Not every body need be in H. Eliminated first, by its W, one leaves -J W J^T on its constraints, and couples any two of them by
// -J_2 W J_1^T. What is left where all are eliminated is definite, so that any order will do:
//
//   chain   no body has more than two constraints. It may be held at both ends, and a four-bar linkage is a chain
//   tree    of a body's constraints those that lead away from the root are one node, if that has no more rows than a body can lose
//
// Elsewhere only bodies with one constraint are eliminated: a pivot of a constraint must not hang on a body that others hold already.
// So it is, too, where masses are so far apart that J W J^T would drown what the lightest leave of the heaviest; M does not.
// Constraints that bind the same bodies, a joint and its motor, are one node.
//
// What does not fit into the forest is auxiliary: constraints that close a loop, and all that have bounds. With U the columns that
// their J would have beside H, D their own J W J^T over eliminated bodies, and z the solution without them,
//
//   (D + S + U^T H^-1 U) mu = b - U^T z,   lower <= mu <= upper
//
// is a complementarity problem that anticipates how all others will answer to mu (Vondrak, eq. 7.1-7.2; his A is the same). Then H is
// solved once more with U mu beside b. Without auxiliary constraints, or while no bounded one is reached, none of this runs.
//
// A pivot lost in rounding belongs to a redundant row, which gets no multiplier. Should the row not hold all the same, because its
// pivot would have come from a body that is eliminated later, it joins the auxiliary ones.
// (Vondrak's eq. 6.49 has +S where J W J^T + S asks for -S.)

#include <sinew/linear/forest_ldlt.hpp>
#include <sinew/solver/linear_part.hpp>

namespace sinew::inline v0 {

/// Linear part: linear time in the number of constraints, but for those that close loops or have bounds. LoopRows, of static
/// storage only: rows of constraints that close loops for which there is room.
template <std::size_t LoopRows>
struct sparse_ldlt_with {
    template <class Env>
    class part;
};
/// With room for four hinges that close loops.
struct sparse_ldlt : sparse_ldlt_with<20> {};

template <std::size_t LoopRows>
template <class Env>
class sparse_ldlt_with<LoopRows>::part {
    using rows_type = row_system<Env>;
    using facts = typename rows_type::facts;
    using place = typename rows_type::place;
    static constexpr std::uint32_t none = 0xffffffffu;

    // Capacities of static storage. A node has at most as many rows as one constraint, or as a body has degrees of freedom.
    static constexpr std::size_t widest = std::max(Env::max_dof, facts::most_rows);
    static constexpr std::size_t max_groups = rows_type::max_constraints;
    static constexpr std::size_t max_aux_rows = std::min(Env::max_rows, Env::limits.constraints * facts::bounded_rows + LoopRows);
    static constexpr std::size_t max_segments = 4 * max_aux_rows * Env::widest;
    static constexpr std::size_t max_columns = 2 * max_aux_rows * Env::widest * widest;
    static constexpr forest_limits forest_capacity{max_groups + Env::max_nodes, rows_type::max_blocks,
                                                   Env::max_rows * widest + Env::max_nodes * Env::max_dof * Env::max_dof + rows_type::max_blocks * widest * widest,
                                                   Env::max_rows + Env::max_nodes * Env::max_dof};

public:
    using S = typename Env::scalar;
    /// Bounds ask for pivoting, which takes numbers of one value: no derivatives, no lanes.
    static constexpr bool bounds = std::same_as<S, value_type_t<S>>;
    static constexpr bool lanes = false;

    template <class P>
    constexpr linear_report solve(P const& p, rows_type& rows, bool renew) {
        if (version_ != rows.version()) {
            build(p, rows);
            version_ = rows.version();
        }
        linear_report report;
        fill(rows);
        if (renew) {
            assemble(p, rows);
            auto const f = forest_.factor_and_solve(std::span<S>(x_.data(), x_.size()), detail::pivot_floor<S>(x_.size()));
            is_full_rank_ = f.full_rank() && !is_crowded_;
            auxiliary_.resize(permanent_);
            if (!f.full_rank()) find_stranded(p, rows);
            find_auxiliary(rows);
            if (!active_.empty()) couple(p, rows);
        } else {
            forest_.solve(std::span<S>(x_.data(), x_.size()));
        }
        report.full_rank = is_full_rank_;
        if (!active_.empty()) solve_auxiliary(rows, report);
        read(rows);
        return report;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return {}; }
    /// It has no tuning numbers.
    [[nodiscard]] friend constexpr bool operator==(part const&, part const&) { return true; }

    /// Constraints outside of the forest, of all: those that close loops, and those with bounds.
    [[nodiscard]] constexpr std::size_t auxiliary_count() const noexcept { return permanent_; }

private:
    // Constraints that are one node.
    struct group {
        std::uint32_t first = none;  // constraint; the others are chained. none: they have joined another group
        std::uint32_t rows = 0;
        std::uint32_t node = none;   // of the forest
        std::uint32_t neighbour = 0, neighbours = 0;
    };
    struct member {
        std::uint32_t group = none, next = none;
        std::uint32_t offset = 0;    // of its rows within the group
        std::uint32_t x = none;      // where its multipliers are in x; none: not in the forest
        std::uint32_t diagonal = 0;  // and its block in the numbers of the forest
        std::uint32_t stride = 0;
    };
    // A body, and in the one that stands for all that hang together: what is to be known of those.
    struct hanging {
        std::uint32_t parent = 0;             // towards the one that stands for all
        std::uint32_t groups = 0, rows = 0;   // on this body
        std::uint32_t fewest = none;          // rows of one of them
        std::uint32_t seen = none;            // by this group
        std::uint32_t up = none, next = none;  // the group towards the root; the next body to visit
        S inverse_mass{};
        std::uint32_t bodies = 0, links = 0;  // a group of n bodies is n - 1 links
        std::uint32_t most_groups = 0, most_rows = 0;  // on one body; without the smallest group
        S lightest{}, heaviest{};                      // inverse masses
        bool visited = false;
    };
    // A block on a body that is in the forest goes to the coupling with it; one on an eliminated body meets the others there.
    struct target {
        std::uint32_t coupling = none, stride = 0;
        std::uint32_t first = 0, count = 0;  // pairs
        bool only_points = true;             // the others are blocks of points too
    };
    struct pair {
        std::uint32_t number = 0, rows = 0;  // J of the other
        std::uint32_t to = 0, stride = 0;    // this one's rows, the other's columns
        bool point = false;
    };
    // Columns of U of one auxiliary constraint: where they are not 0.
    struct segment {
        std::uint32_t x = 0, count = 0;
    };
    struct auxiliary {
        std::uint32_t constraint = 0;
        std::uint32_t segment = 0, segments = 0;
        std::uint32_t width = 0;       // numbers of one column
        std::uint32_t number = 0;      // where the columns begin, row after row of J
    };

    // ---- structure

    template <class P>
    constexpr void build(P const& p, rows_type const& rows) {
        auto const& constraints = rows.constraints();
        auto const& blocks = rows.blocks();
        members_.assign(constraints.size(), member{});
        groups_.clear();
        auxiliary_.clear();
        neighbours_.clear();
        pairs_.clear();
        body_.assign(rows.node_count(), none);
        forest_.clear();

        for (std::uint32_t c = 0; c < constraints.size(); ++c)
            if (!constraints[c].bounded) join_group(rows, c);
        find_hanging(p, rows);
        join_siblings(rows);
        for (auto const& g : groups_) {
            if (g.first == none) continue;
            for_each_body(rows, g.first, [&](auto const& b) {
                if (hanging_[b.node].groups > 1 && keeps_bodies(b.node) && body_[b.node] == none) body_[b.node] = forest_.add(b.dof);
            });
        }
        // Types that are always hard come first, so that what is soft at times does not take their place.
        for (bool soft : {false, true})
            for (std::uint32_t g = 0; g < groups_.size(); ++g)
                if (groups_[g].first != none && constraints[groups_[g].first].soft == soft) plant(rows, g);
        forest_.order();
        x_.assign(forest_.rows(), S(0));

        S const* const base = forest_.values().data();
        targets_.assign(blocks.size(), target{});
        for (std::uint32_t c = 0; c < constraints.size(); ++c) {
            member& m = members_[c];
            if (m.group == none || groups_[m.group].node == none) {
                if (blocks_that_move(rows, c) > 0) auxiliary_.push_back({c, 0, 0, 0, 0});
                continue;  // what nothing can move takes no part
            }
            group const& g = groups_[m.group];
            m.x = forest_.row(g.node) + m.offset;
            m.stride = g.rows;
            m.diagonal = static_cast<std::uint32_t>(forest_.diagonal(g.node) - base) + m.offset * (g.rows + 1);
        }
        for (std::uint32_t b = 0; b < blocks.size(); ++b) find_target(rows, b, base);
        find_segments(rows);
        reserve_auxiliary(rows);
    }
    // Inequalities come and go: room for all that may act together, or for as many as a matrix of moderate size has. Beyond that it grows
    // when they do.
    constexpr void reserve_auxiliary(rows_type const& rows) {
        std::size_t n = 0;
        for (auto const& a : auxiliary_) n += rows.constraints()[a.constraint].rows;
        n = n < 128 ? n : 128;
        make_room(active_, n);
        make_room(a_, n * n);
        for (auto* v : {&b_, &lower_, &upper_, &mu_, &scale_}) make_room(*v, n);
        if constexpr (bounds) lcp_.reserve(n);
    }
    template <class F>
    static constexpr void for_each_body(rows_type const& rows, std::uint32_t constraint, F&& f) {
        auto const& c = rows.constraints()[constraint];
        for (std::uint32_t b = c.block; b < c.block + c.blocks; ++b)
            if (rows.blocks()[b].moves) f(rows.blocks()[b]);
    }
    [[nodiscard]] static constexpr std::size_t blocks_that_move(rows_type const& rows, std::uint32_t constraint) {
        std::size_t n = 0;
        for_each_body(rows, constraint, [&](auto const&) { ++n; });
        return n;
    }
    [[nodiscard]] static constexpr bool binds_same(rows_type const& rows, std::uint32_t a, std::uint32_t b) {
        if (blocks_that_move(rows, a) != blocks_that_move(rows, b)) return false;
        bool same = true;
        for_each_body(rows, a, [&](auto const& x) {
            bool found = false;
            for_each_body(rows, b, [&](auto const& y) { found = found || x.node == y.node; });
            same = same && found;
        });
        return same;
    }
    // To the group that binds the same bodies, as long as that has no more rows than a body can lose; or a new one.
    constexpr void join_group(rows_type const& rows, std::uint32_t c) {
        auto const& info = rows.constraints()[c];
        std::uint32_t on = none, least = none;
        for_each_body(rows, c, [&](auto const& b) {
            if (rows.blocks_on(b.node) < least) {
                least = rows.blocks_on(b.node);
                on = b.node;
            }
        });
        if (on == none) return;  // nothing moves
        for (std::uint32_t o = rows.first_on(on); o != none; o = rows.blocks()[o].next) {
            std::uint32_t const other = rows.blocks()[o].constraint;
            if (other >= c || members_[other].group == none) continue;
            group& g = groups_[members_[other].group];
            if (g.rows + info.rows > Env::max_dof || !binds_same(rows, c, other)) continue;
            members_[c].group = members_[other].group;
            members_[c].next = g.first;
            members_[c].offset = g.rows;
            g.first = c;
            g.rows += info.rows;
            return;
        }
        members_[c].group = static_cast<std::uint32_t>(groups_.size());
        groups_.push_back({c, info.rows, none, 0, 0});
    }
    // How many groups each body has; which bodies hang together, and how.
    template <class P>
    constexpr void find_hanging(P const& p, rows_type const& rows) {
        hanging_.assign(rows.node_count(), hanging{});
        for (std::uint32_t i = 0; i < hanging_.size(); ++i) hanging_[i].parent = i;
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            if constexpr (std::same_as<decltype(kind), rigid>)
                hanging_[p.node(kind, i)].inverse_mass = p.masses[i].inverse_mass;
            else if constexpr (std::same_as<decltype(kind), point_mass>)
                hanging_[p.node(kind, i)].inverse_mass = p.particle_masses[i].inverse_mass;
        });
        for (auto const& g : groups_) {
            std::uint32_t first = none;
            for_each_body(rows, g.first, [&](auto const& b) {
                hanging& h = hanging_[b.node];
                ++h.groups;
                h.rows += g.rows;
                h.fewest = std::min(h.fewest, g.rows);
                if (first == none) first = root_of(b.node);
                hanging_[root_of(b.node)].parent = first;
            });
        }
        for (std::uint32_t i = 0; i < hanging_.size(); ++i) {
            hanging const& h = hanging_[i];
            if (h.groups == 0) continue;
            hanging& all = hanging_[root_of(i)];
            ++all.bodies;
            all.most_groups = std::max(all.most_groups, h.groups);
            all.most_rows = std::max(all.most_rows, h.rows - h.fewest);
            if (!any(h.inverse_mass > S(0))) continue;  // coordinates
            all.lightest = max(all.lightest, h.inverse_mass);
            all.heaviest = select(all.heaviest > S(0), min(all.heaviest, h.inverse_mass), h.inverse_mass);
        }
        for (auto const& g : groups_) {
            std::uint32_t bodies = 0, on = 0;
            for_each_body(rows, g.first, [&](auto const& b) {
                ++bodies;
                on = b.node;
            });
            hanging_[root_of(on)].links += bodies - 1;
        }
    }
    constexpr std::uint32_t root_of(std::uint32_t i) noexcept {
        while (hanging_[i].parent != i) {
            hanging_[i].parent = hanging_[hanging_[i].parent].parent;
            i = hanging_[i].parent;
        }
        return i;
    }
    // Whether bodies that hang together with this one are in H.
    [[nodiscard]] constexpr bool keeps_bodies(std::uint32_t node) noexcept {
        hanging const& all = hanging_[root_of(node)];
        // Of the pivots that eliminated bodies leave the smallest are about the inverse of all their masses.
        if (any(all.heaviest < all.lightest * (detail::pivot_floor<S>(all.bodies * Env::max_dof) * S(100)))) return true;
        return all.most_groups > 2 && (all.links + 1 > all.bodies || all.most_rows > Env::max_dof);
    }
    // Trees of eliminated bodies: the groups on a body, but the one towards the root, become one. Roots are bodies held by what does not
    // move, or at the end of a branch.
    constexpr void join_siblings(rows_type const& rows) {
        for (auto const& g : groups_) {
            if (g.first == none) continue;
            std::uint32_t bodies = 0, on = 0;
            for_each_body(rows, g.first, [&](auto const& b) {
                ++bodies;
                on = b.node;
            });
            if (bodies == 1) join_from(rows, on, static_cast<std::uint32_t>(&g - groups_.data()));
        }
        for (std::uint32_t i = 0; i < hanging_.size(); ++i)
            if (hanging_[i].groups == 1) join_from(rows, i, none);
    }
    constexpr void join_from(rows_type const& rows, std::uint32_t root, std::uint32_t up) {
        if (hanging_[root].visited || hanging_[root_of(root)].most_groups < 3 || keeps_bodies(root)) return;
        hanging_[root].up = up;
        hanging_[root].visited = true;
        for (std::uint32_t b = root, last = root; b != none; b = hanging_[b].next) {
            std::uint32_t one = none;
            for (std::uint32_t o = rows.first_on(b); o != none; o = rows.blocks()[o].next) {
                std::uint32_t const g = members_[rows.blocks()[o].constraint].group;
                if (g == none || g == hanging_[b].up || g == one) continue;
                if (one == none)
                    one = g;
                else
                    absorb(one, g);
            }
            if (one == none) continue;
            for (std::uint32_t c = groups_[one].first; c != none; c = members_[c].next)
                for_each_body(rows, c, [&](auto const& beyond) {
                    hanging& h = hanging_[beyond.node];
                    if (h.visited) return;
                    h.visited = true;
                    h.up = one;
                    hanging_[last].next = beyond.node;
                    last = beyond.node;
                });
        }
    }
    // The constraints of group b join group a.
    constexpr void absorb(std::uint32_t a, std::uint32_t b) {
        std::uint32_t last = none;
        for (std::uint32_t c = groups_[b].first; c != none; c = members_[c].next) {
            members_[c].group = a;
            members_[c].offset += groups_[a].rows;
            last = c;
        }
        members_[last].next = groups_[a].first;
        groups_[a].first = groups_[b].first;
        groups_[a].rows += groups_[b].rows;
        groups_[b] = {};
    }
    // Into the forest, joined to its bodies there and to what is there already on its eliminated ones.
    constexpr void plant(rows_type const& rows, std::uint32_t number) {
        group& g = groups_[number];
        g.neighbour = static_cast<std::uint32_t>(neighbours_.size());
        auto const add = [&](std::uint32_t node) {
            for (std::size_t i = g.neighbour; i < neighbours_.size(); ++i)
                if (neighbours_[i] == node) return;
            neighbours_.push_back(node);
        };
        std::size_t own = 0;
        auto const join = [&](auto const& b) {
            if (hanging_[b.node].seen == number) return;
            hanging_[b.node].seen = number;
            if (body_[b.node] != none) {
                add(body_[b.node]);
                return;
            }
            own += b.dof;
            for (std::uint32_t o = rows.first_on(b.node); o != none; o = rows.blocks()[o].next) {
                std::uint32_t const other = members_[rows.blocks()[o].constraint].group;
                if (other != none && other != number && groups_[other].node != none) add(groups_[other].node);
            }
        };
        for (std::uint32_t c = g.first; c != none; c = members_[c].next) for_each_body(rows, c, join);
        g.neighbours = static_cast<std::uint32_t>(neighbours_.size()) - g.neighbour;
        g.node = forest_.add(g.rows, std::span<std::uint32_t const>(neighbours_.data() + g.neighbour, g.neighbours), own >= g.rows ? pivots::own : pivots::from_children);
    }
    constexpr void find_target(rows_type const& rows, std::uint32_t number, S const* base) {
        auto const& b = rows.blocks()[number];
        member const& m = members_[b.constraint];
        if (!b.moves || m.x == none) return;
        group const& g = groups_[m.group];
        target& t = targets_[number];
        auto const coupling = [&](std::uint32_t node) {
            std::size_t k = 0;
            while (neighbours_[g.neighbour + k] != node) ++k;
            return static_cast<std::uint32_t>(forest_.coupling(g.node, k) - base);
        };
        if (body_[b.node] != none) {
            t.coupling = coupling(body_[b.node]) + m.offset * b.dof;
            t.stride = b.dof;
            return;
        }
        t.first = static_cast<std::uint32_t>(pairs_.size());
        for (std::uint32_t o = rows.first_on(b.node); o != none; o = rows.blocks()[o].next) {
            auto const& other = rows.blocks()[o];
            member const& n = members_[other.constraint];
            if (n.x == none || o == number) continue;
            pair q{other.number, other.rows, 0, 0, rows.constraints()[other.constraint].points};
            if (n.group == m.group) {
                if (n.offset > m.offset) continue;
                q.to = m.diagonal - m.offset + n.offset;
                q.stride = g.rows;
            } else {
                if (groups_[n.group].node > g.node) continue;
                q.stride = groups_[n.group].rows;
                q.to = coupling(groups_[n.group].node) + m.offset * q.stride + n.offset;
            }
            pairs_.push_back(q);
            t.only_points = t.only_points && q.point;
        }
        t.count = static_cast<std::uint32_t>(pairs_.size()) - t.first;
    }
    // Where the columns of U are not 0. Static storage may lack room for a loop: such a constraint is left out, and every report says so.
    constexpr void find_segments(rows_type const& rows) {
        segments_.clear();
        columns_.clear();
        is_crowded_ = false;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < auxiliary_.size(); ++i) {
            if (add_segments(rows, auxiliary_[i]))
                auxiliary_[kept++] = auxiliary_[i];
            else
                is_crowded_ = true;
        }
        auxiliary_.resize(kept);
        permanent_ = kept;
    }
    constexpr bool add_segments(rows_type const& rows, auxiliary& a) {
        a.segment = static_cast<std::uint32_t>(segments_.size());
        a.width = 0;
        a.number = static_cast<std::uint32_t>(columns_.size());
        bool fits = true;
        auto const add = [&](std::uint32_t x, std::uint32_t count) {
            if (fits = fits && !is_full(segments_); !fits) return;
            segments_.push_back({x, count});
            a.width += count;
        };
        for_each_body(rows, a.constraint, [&](auto const& b) {
            if (body_[b.node] != none) return add(forest_.row(body_[b.node]), b.dof);
            for (std::uint32_t o = rows.first_on(b.node); o != none; o = rows.blocks()[o].next)
                if (member const& m = members_[rows.blocks()[o].constraint]; m.x != none) add(m.x, rows.blocks()[o].rows);
        });
        a.segments = static_cast<std::uint32_t>(segments_.size()) - a.segment;
        std::size_t const numbers = a.width * rows.constraints()[a.constraint].rows;
        if (fits && has_room(columns_, numbers)) {
            columns_.resize(columns_.size() + numbers);
            return true;
        }
        segments_.resize(a.segment);
        return false;
    }
    template <class A>
    [[nodiscard]] static constexpr bool has_room(A const& array, std::size_t more) noexcept {
        if constexpr (requires { array.full(); })
            return array.size() + more <= array.capacity();
        else
            return true;
    }

    // ---- numbers

    template <class P>
    constexpr void assemble(P const& p, rows_type& rows) {
        std::span<S> const h = forest_.values();
        for (S& x : h) x = S(0);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            std::uint32_t const node = body_[p.node(kind, i)];
            if (node == none) return;
            auto const m = rows.template mass_matrix<K>(p, i);
            S* const to = forest_.diagonal(node);
            for (std::size_t k = 0; k < K::dof * K::dof; ++k) to[k] = m.e[k];
        });
        rows_type::template for_each_of<is_primary>(p, [&](auto const& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            member const& m = members_[at.constraint];
            if (m.x == none) return;
            S* const own = h.data() + m.diagonal;
            for (std::size_t r = 0; r < M; ++r) own[r * (m.stride + 1)] = own[r * (m.stride + 1)] - rows.softness[at.row + r];
            rows.for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t block) {
                using K = decltype(kind);
                target const& t = targets_[block];
                typename rows_type::template block_of<C, K> const b{J};
                if (t.coupling != none) {
                    b.write(h.data() + t.coupling, S(-1));
                    return;
                }
                if (!rows.blocks()[block].moves) return;
                if constexpr (rows_type::template block_of<C, K>::is_arm) {
                    if (t.only_points) return meet_points(p.inverse_masses[i], rows, t, J, own, m.stride);
                }
                auto const B = b.weighed(p, i);
                for (std::size_t r = 0; r < M; ++r)
                    for (std::size_t q = 0; q <= r; ++q) own[r * m.stride + q] = own[r * m.stride + q] - dot(b.row(q), B[r]);
                for (std::uint32_t n = t.first; n < t.first + t.count; ++n) {
                    pair const& other = pairs_[n];
                    detail::written_out<K, S> const Jo(rows.numbers(other.number), other.point);
                    S* const to = h.data() + other.to;
                    for (std::size_t r = 0; r < M; ++r)
                        for (std::uint32_t q = 0; q < other.rows; ++q)
                            to[r * other.stride + q] = to[r * other.stride + q] - detail::product_with(Jo.row(q), B[r]);
                }
            });
        });
    }
    // The same for blocks of points on a rigid body.
    constexpr void meet_points(inverse_mass<S> const& w, rows_type const& rows, target const& t, S const* J, S* own, std::size_t stride) noexcept {
        auto const k = detail::point_response(w, detail::jacobian_block<true, 3, rigid, S>{J}.arm());
        own[0] = own[0] - k.xx;
        own[stride] = own[stride] - k.xy;
        own[stride + 1] = own[stride + 1] - k.yy;
        own[2 * stride] = own[2 * stride] - k.xz;
        own[2 * stride + 1] = own[2 * stride + 1] - k.yz;
        own[2 * stride + 2] = own[2 * stride + 2] - k.zz;
        for (std::uint32_t n = t.first; n < t.first + t.count; ++n) {
            pair const& other = pairs_[n];
            mat3<S> const c = detail::between_points(w, J, rows.numbers(other.number));
            S* const to = forest_.values().data() + other.to;
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t q = 0; q < 3; ++q) to[r * other.stride + q] = to[r * other.stride + q] - c(r, q);
        }
    }
    constexpr void fill(rows_type const& rows) {
        for (S& x : x_) x = S(0);
        for (std::uint32_t c = 0; c < members_.size(); ++c) {
            if (members_[c].x == none) continue;
            auto const& info = rows.constraints()[c];
            for (std::uint32_t r = 0; r < info.rows; ++r) x_[members_[c].x + r] = -rows.b[info.row + r];
        }
    }
    constexpr void read(rows_type& rows) const {
        for (std::uint32_t c = 0; c < members_.size(); ++c) {
            auto const& info = rows.constraints()[c];
            for (std::uint32_t r = 0; r < info.rows; ++r) rows.lambda[info.row + r] = members_[c].x == none ? S(0) : x_[members_[c].x + r];
        }
        for (std::size_t i = 0; i < active_.size(); ++i) rows.lambda[active_[i].row] = mu_[i];
    }

    // ---- auxiliary rows

    struct active_row {
        std::uint32_t row = 0;     // of the system
        std::uint32_t of = 0;      // in auxiliary_
        std::uint32_t r = 0;       // within its constraint
    };

    // Rows whose pivots are lost, and which the others do not make hold: they join the auxiliary ones until the next factors. (The
    // solution of the others is in x.)
    template <class P>
    constexpr void find_stranded(P const& p, rows_type& rows) {
        if (permanent_ == 0) {
            segments_.clear();
            columns_.clear();
        } else {
            auxiliary const& last = auxiliary_[permanent_ - 1];
            segments_.resize(last.segment + last.segments);
            columns_.resize(last.number + last.width * rows.constraints()[last.constraint].rows);
        }
        stranded_.assign(rows.rows(), 0);
        read(rows);
        for (active_row const& a : active_) rows.lambda[a.row] = S(0);
        rows.clear(p, v_);
        rows.add_transposed(p, std::span<S const>(rows.lambda.data(), rows.rows()), v_);
        rows.weigh(p, v_);
        left_.resize(rows.rows());
        rows.multiply(p, v_, std::span<S>(left_.data(), left_.size()));
        S size(0);
        for (std::size_t r = 0; r < rows.rows(); ++r) {
            left_[r] = rows.b[r] - left_[r] - rows.softness[r] * rows.lambda[r];
            size = max(size, max(abs(rows.b[r]), abs(left_[r])));
        }
        S const tolerance = size * sqrt(epsilon_v<S>);
        for (std::uint32_t c = 0; c < members_.size(); ++c) {
            member const& m = members_[c];
            if (m.x == none) continue;
            auto const& info = rows.constraints()[c];
            bool any_row = false;
            for (std::uint32_t r = 0; r < info.rows; ++r) {
                bool const is_stranded = forest_.set_aside(groups_[m.group].node, m.offset + r) && abs(left_[info.row + r]) > tolerance;
                stranded_[info.row + r] = is_stranded ? 1 : 0;
                any_row = any_row || is_stranded;
            }
            auxiliary a{c, 0, 0, 0, 0};
            if (any_row && !is_full(auxiliary_) && add_segments(rows, a)) auxiliary_.push_back(a);
        }
    }
    constexpr void find_auxiliary(rows_type const& rows) {
        active_.clear();
        for (std::uint32_t a = 0; a < auxiliary_.size(); ++a) {
            auto const& info = rows.constraints()[auxiliary_[a].constraint];
            for (std::uint32_t r = 0; r < info.rows; ++r) {
                if (rows.use[info.row + r] == row_use::idle || (a >= permanent_ && stranded_[info.row + r] == 0)) continue;
                if (is_full(active_))
                    is_full_rank_ = false;
                else
                    active_.push_back({info.row + r, a, r});
            }
        }
    }
    [[nodiscard]] constexpr S const* column(active_row const& a) const noexcept {
        auto const& x = auxiliary_[a.of];
        return columns_.data() + x.number + a.r * x.width;
    }
    // Dot product of a column of U with x.
    [[nodiscard]] constexpr S seen_by(active_row const& a) const noexcept {
        auto const& x = auxiliary_[a.of];
        S const* u = column(a);
        S s(0);
        for (std::uint32_t i = x.segment; i < x.segment + x.segments; ++i)
            for (std::uint32_t k = 0; k < segments_[i].count; ++k) s = s + *u++ * x_[segments_[i].x + k];
        return s;
    }
    constexpr void scatter(active_row const& a, S const& scale) noexcept {
        auto const& x = auxiliary_[a.of];
        S const* u = column(a);
        for (std::uint32_t i = x.segment; i < x.segment + x.segments; ++i)
            for (std::uint32_t k = 0; k < segments_[i].count; ++k) x_[segments_[i].x + k] = x_[segments_[i].x + k] + *u++ * scale;
    }

    // U, and A = D + S + U^T H^-1 U. x is kept.
    template <class P>
    constexpr void couple(P const& p, rows_type& rows) {
        std::size_t const n = active_.size();
        a_.assign(n * n, S(0));
        scale_.assign(n, S(0));
        weigh_auxiliary(p, rows);
        for (std::size_t i = 0; i < n; ++i) {
            a_[i * n + i] = a_[i * n + i] + rows.softness[active_[i].row];
            scale_[i] = scale_[i] + rows.softness[active_[i].row];
        }
        kept_.resize(x_.size());
        for (std::size_t i = 0; i < x_.size(); ++i) kept_[i] = x_[i];
        for (std::size_t i = 0; i < n; ++i) {
            for (S& x : x_) x = S(0);
            scatter(active_[i], S(1));
            forest_.solve(std::span<S>(x_.data(), x_.size()));
            for (std::size_t j = i; j < n; ++j) a_[j * n + i] = a_[j * n + i] + seen_by(active_[j]);
        }
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = kept_[i];
    }
    // Columns of U; D between auxiliary rows that meet on an eliminated body; the diagonal that J W J^T has over all bodies.
    template <class P>
    constexpr void weigh_auxiliary(P const& p, rows_type& rows) {
        std::size_t const n = active_.size();
        first_active_.assign(rows.constraints().size(), none);
        for (std::uint32_t i = 0; i < n; ++i) {
            std::uint32_t const c = auxiliary_[active_[i].of].constraint;
            if (first_active_[c] == none) first_active_[c] = i;
        }
        rows_type::for_each(p, [&](auto const& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            if (first_active_[at.constraint] == none) return;
            std::uint32_t const first = first_active_[at.constraint];
            auxiliary const& aux = auxiliary_[active_[first].of];
            S* u = columns_.data() + aux.number;
            rows.for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t block) {
                using K = decltype(kind);
                auto const& info = rows.blocks()[block];
                if (!info.moves) return;
                typename rows_type::template block_of<C, K> const b{J};
                auto const B = b.weighed(p, i);
                for (std::uint32_t k = first; k < n && active_[k].of == active_[first].of; ++k)
                    scale_[k] = scale_[k] + dot(b.row(active_[k].r), B[active_[k].r]);
                if (body_[info.node] != none) {
                    for (std::size_t r = 0; r < M; ++r) {
                        auto const row = b.row(r);
                        for (std::size_t k = 0; k < K::dof; ++k) u[r * aux.width + k] = row[k];
                    }
                    u += K::dof;
                    return;
                }
                for (std::uint32_t o = rows.first_on(info.node); o != none; o = rows.blocks()[o].next) {
                    auto const& other = rows.blocks()[o];
                    detail::written_out<K, S> const Jo(rows.numbers(other.number), rows.constraints()[other.constraint].points);
                    if (members_[other.constraint].x != none) {
                        for (std::size_t r = 0; r < M; ++r)
                            for (std::uint32_t q = 0; q < other.rows; ++q) u[r * aux.width + q] = detail::product_with(Jo.row(q), B[r]);
                        u += other.rows;
                    }
                    if (std::uint32_t const f = first_active_[other.constraint]; f <= first) {
                        for (std::uint32_t k = first; k < n && active_[k].of == active_[first].of; ++k)
                            for (std::uint32_t q = f; q < n && active_[q].of == active_[f].of && q <= k; ++q)
                                a_[k * n + q] = a_[k * n + q] + detail::product_with(Jo.row(active_[q].r), B[active_[k].r]);
                    }
                }
            });
        });
    }
    constexpr void solve_auxiliary(rows_type& rows, linear_report& report) {
        std::size_t const n = active_.size();
        for (auto* v : {&b_, &lower_, &upper_, &mu_}) v->resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            b_[i] = seen_by(active_[i]) - rows.b[active_[i].row];
            lower_[i] = rows.lower[active_[i].row];
            upper_[i] = rows.upper[active_[i].row];
        }
        if constexpr (bounds) {
            lo_hi_problem<S> problem{std::span<S const>(a_.data(), n * n), view(b_, n), view(lower_, n), view(upper_, n)};
            problem.diagonal_scale = view(scale_, n);
            auto const r = lcp_.solve(problem, std::span<S>(mu_.data(), n));
            for (std::size_t i = 0; i < n; ++i) report.full_rank = report.full_rank && lcp_.row(i) != lcp_row::idle;
            report.solved = r.status == lcp_status::solved;
            report.full_rank = report.full_rank && report.solved;
        } else {
            factors_.resize(n * n);
            for (std::size_t i = 0; i < n * n; ++i) factors_[i] = a_[i];
            report.full_rank = report.full_rank && ldlt_factor<S>(std::span<S>(factors_.data(), n * n), n, detail::pivot_floor<S>(x_.size())).full_rank();
            for (std::size_t i = 0; i < n; ++i) mu_[i] = -b_[i];
            ldlt_solve<S>(view(factors_, n * n), n, std::span<S>(mu_.data(), n));
        }
        fill(rows);
        for (std::size_t i = 0; i < n; ++i) scatter(active_[i], mu_[i]);
        forest_.solve(std::span<S>(x_.data(), x_.size()));
    }
    template <class A>
    [[nodiscard]] static constexpr std::span<S const> view(A const& a, std::size_t n) noexcept {
        return {a.data(), n};
    }

    template <class C>
    struct is_primary : std::bool_constant<!is_bounded_v<C, S>> {};

    forest_ldlt<S, Env, forest_capacity> forest_{};
    typename Env::template array<group, max_groups> groups_{};
    typename Env::template array<member, rows_type::max_constraints> members_{};
    typename Env::template array<std::uint32_t, rows_type::max_blocks> neighbours_{};
    typename Env::template array<std::uint32_t, Env::max_nodes> body_{};
    typename Env::template array<hanging, Env::max_nodes> hanging_{};
    typename Env::template array<target, rows_type::max_blocks> targets_{};
    typename Env::template array<pair, rows_type::max_blocks * widest> pairs_{};
    typename Env::template array<S, Env::max_rows + Env::max_nodes * Env::max_dof> x_{}, kept_{};

    typename Env::template array<auxiliary, rows_type::max_constraints> auxiliary_{};
    typename Env::template array<segment, max_segments> segments_{};
    typename Env::template array<S, max_columns> columns_{};
    std::size_t permanent_ = 0;  // of auxiliary_; the others are stranded
    typename Env::template array<unsigned char, Env::max_rows> stranded_{};
    typename Env::template array<S, Env::max_rows> left_{};
    typename rows_type::node_vectors v_{};
    typename Env::template array<active_row, max_aux_rows> active_{};
    typename Env::template array<std::uint32_t, rows_type::max_constraints> first_active_{};
    typename Env::template array<S, max_aux_rows * max_aux_rows> a_{};
    typename Env::template array<S, max_aux_rows> b_{}, lower_{}, upper_{}, mu_{}, scale_{};
    struct no_pivoting {};
    [[no_unique_address]] std::conditional_t<bounds, lo_hi_lcp<S, Env, max_aux_rows>, no_pivoting> lcp_{};
    typename Env::template array<S, bounds ? 0 : max_aux_rows * max_aux_rows> factors_{};  // instead
    std::uint32_t version_ = 0;
    bool is_full_rank_ = true, is_crowded_ = false;
};

}  // namespace sinew::inline v0
