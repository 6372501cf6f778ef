#pragma once
// Which bodies and constraints are nodes of the matrix that sparse_part.hpp factors, and where in it each block of J goes.
//
// Not every body need be in the matrix H = (M, -J^T; -J, -S). Eliminated first, by its W, one leaves -J W J^T on its constraints, and couples any two
// of them by -J_2 W J_1^T. What is left where all are eliminated is definite, so that any order will do:
//
//   chain   no body has more than two constraints. It may be held at both ends, and a four-bar linkage is a chain
//   tree    of a body's constraints those that lead away from the root are one node, if that has no more rows than a body can lose
//
// Elsewhere only bodies with one constraint are eliminated: a pivot of a constraint must not hang on a body that others hold already.
// So it is, too, where masses are so far apart that J W J^T would drown what the lightest leave of the heaviest; M does not.
// Constraints that bind the same bodies, a joint and its motor, are one node, up to the rows that a body can lose. Those with bounds are in none.

#include <sinew/linear/forest_ldlt.hpp>
#include <sinew/solver/linear_part.hpp>

namespace sinew::inline v0 {

namespace detail {

/// The structure of the matrix, made anew when constraints come or go. Env: the world's environment.
template <class Env>
class constraint_forest {
protected:
    using S = typename Env::scalar;
    using rows_type = row_system<Env>;
    using facts = typename rows_type::facts;
    static constexpr std::uint32_t none = 0xffffffffu;

    // Capacities of static storage. A node has at most as many rows as one constraint, or as a body has degrees of freedom.
    static constexpr std::size_t widest = std::max(Env::max_dof, facts::most_rows);
    static constexpr std::size_t max_groups = rows_type::max_constraints;
    static constexpr forest_limits forest_capacity{max_groups + Env::max_nodes, rows_type::max_blocks,
                                                   Env::max_rows * widest + Env::max_nodes * Env::max_dof * Env::max_dof + rows_type::max_blocks * widest * widest,
                                                   Env::max_rows + Env::max_nodes * Env::max_dof};

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

    template <class P>
    constexpr void build(P const& p, rows_type const& rows) {
        auto const& constraints = rows.constraints();
        auto const& blocks = rows.blocks();
        members_.assign(constraints.size(), member{});
        groups_.clear();
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
            rows.for_each_body(g.first, [&](auto const& b) {
                if (hanging_[b.node].groups > 1 && keeps_bodies(b.node) && body_[b.node] == none) body_[b.node] = forest_.add(b.dof);
            });
        }
        // Types that are always hard come first, so that what is soft at times does not take their place.
        for (bool soft : {false, true})
            for (std::uint32_t g = 0; g < groups_.size(); ++g)
                if (groups_[g].first != none && constraints[groups_[g].first].soft == soft) plant(rows, g);
        forest_.order();

        S const* const base = forest_.values().data();
        targets_.assign(blocks.size(), target{});
        for (std::uint32_t c = 0; c < constraints.size(); ++c) {
            member& m = members_[c];
            if (m.group == none || groups_[m.group].node == none) continue;
            group const& g = groups_[m.group];
            m.x = forest_.row(g.node) + m.offset;
            m.stride = g.rows;
            m.diagonal = static_cast<std::uint32_t>(forest_.diagonal(g.node) - base) + m.offset * (g.rows + 1);
        }
        for (std::uint32_t b = 0; b < blocks.size(); ++b) find_target(rows, b, base);
    }
    // To the group that binds the same bodies, or a new one. To none where there would be more rows than a body can lose: some repeat
    // others, and which are best set aside is found among the auxiliary ones. In the forest their pivots would be rounding. Of fixed point
    // they are looked at twice, and a long chain of auxiliary rows has too few digits: there it is a new group.
    constexpr void join_group(rows_type const& rows, std::uint32_t c) {
        auto const& info = rows.constraints()[c];
        std::uint32_t const on = rows.least_bound(c);
        if (on == none) return;  // nothing moves
        for (std::uint32_t o = rows.first_on(on); o != none; o = rows.blocks()[o].next) {
            std::uint32_t const other = rows.blocks()[o].constraint;
            if (other >= c || members_[other].group == none) continue;
            group& g = groups_[members_[other].group];
            if (!rows.binds_same(c, other)) continue;
            if (g.rows + info.rows > Env::max_dof) {
                if constexpr (floating_scalar<S>)
                    return;
                else
                    continue;
            }
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
            rows.for_each_body(g.first, [&](auto const& b) {
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
            rows.for_each_body(g.first, [&](auto const& b) {
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
        if (any(all.heaviest < all.lightest * (pivot_floor<S>(all.bodies * Env::max_dof) * S(100)))) return true;
        return all.most_groups > 2 && (all.links + 1 > all.bodies || all.most_rows > Env::max_dof);
    }
    // Trees of eliminated bodies: the groups on a body, but the one towards the root, become one. Roots are bodies held by what does not
    // move, or at the end of a branch.
    constexpr void join_siblings(rows_type const& rows) {
        for (auto const& g : groups_) {
            if (g.first == none) continue;
            std::uint32_t bodies = 0, on = 0;
            rows.for_each_body(g.first, [&](auto const& b) {
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
                rows.for_each_body(c, [&](auto const& beyond) {
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
        for (std::uint32_t c = g.first; c != none; c = members_[c].next) rows.for_each_body(c, join);
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

    forest_ldlt<S, Env, forest_capacity> forest_{};
    typename Env::template array<group, max_groups> groups_{};
    typename Env::template array<member, rows_type::max_constraints> members_{};
    typename Env::template array<std::uint32_t, rows_type::max_blocks> neighbours_{};
    typename Env::template array<std::uint32_t, Env::max_nodes> body_{};
    typename Env::template array<hanging, Env::max_nodes> hanging_{};
    typename Env::template array<target, rows_type::max_blocks> targets_{};
    typename Env::template array<pair, rows_type::max_blocks * widest> pairs_{};
};

}  // namespace detail

}  // namespace sinew::inline v0
