#pragma once
// The linear system of compliant_implicit, factored over the graph of bodies and constraints:
//
//   [ alpha M - gamma h^2 G   -J^T ] [ dv ]   [ momenta ]
//   [ -J                      -W   ] [ mu ] = [ -r      ]       rows at a bound: mu given, their J taken to the other side
//
// Under compression G takes from M (a column buckles); if what is left is not positive definite a factorisation shows it by the sign
// of a pivot. Then -G of each constraint is replaced by the diagonal matrix of its absolute row sums, which is no smaller.

#include <sinew/core/storage.hpp>
#include <sinew/linear/block_ldlt.hpp>
#include <sinew/solver/compliant_rows.hpp>

namespace sinew::inline v0::detail {

template <class Env>
class saddle_point {
public:
    using S = typename Env::scalar;
    using rows_type = compliant_rows<Env>;
    /// Numbers of every node of the problem.
    using node_numbers = typename Env::template array<vec<S, Env::max_dof>, Env::max_nodes>;

    /// An attachment: its node in the problem and in the factors, and its columns.
    struct part {
        std::uint32_t place, node;
        std::size_t at, dof;
        [[nodiscard]] constexpr bool moves() const noexcept { return node != no_place; }
    };
    template <class P, class E>
    [[nodiscard]] constexpr auto parts_of(P const& p, E const& e) const {
        std::array<part, attachments_t<typename E::constraint_type>::size> r{};
        std::size_t k = 0;
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            std::uint32_t const place = p.node(kind, i);
            r[k++] = part{place, nodes_[place], at, decltype(kind)::dof};
        });
        return r;
    }

    template <class P>
    [[nodiscard]] constexpr bool is_of(P const& p, bool with_turning) const noexcept {
        return built_ && contents_ == p.contents && nodes_.size() == p.node_count() && with_turning_ == with_turning;
    }
    /// The graph of a problem, and its order of elimination.
    template <class P>
    constexpr void build(P const& p, rows_type& rows, bool with_turning) {
        built_ = true;
        contents_ = p.contents;
        with_turning_ = with_turning;
        factors_.clear();
        nodes_.assign(p.node_count(), no_place);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            nodes_[p.node(kind, i)] = factors_.add_positive(K::dof, std::same_as<K, rigid> || std::same_as<K, point_mass>);
        });
        rows.for_each(p, [&](auto& e, auto& w) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            auto const parts = parts_of(p, e);
            bool held = false;
            for (auto const& a : parts) held = held || !a.moves();
            w.node = factors_.add_negative(rows_v<C>, held);
            w.edge = join(parts, w.node, has_turning_v<C, S> && !additive_error_v<C> && with_turning);
        });
        factors_.order();
        x_.assign(factors_.rows(), S(0));
    }

    /// Factors it for the rows that are free, and solves for dv and the changes of mu. `turn`: with G.
    template <class P>
    constexpr bool solve(P const& p, rows_type& rows, node_numbers const& momenta, S const& alpha, bool turn) {
        block_ldlt_report report = factor(p, rows, alpha, turn, majorised_);
        if (turn && !majorised_ && report.wrong_signs > 0) {
            majorised_ = true;
            report = factor(p, rows, alpha, turn, true);
        }
        fill(p, rows, momenta);
        factors_.solve(std::span<S>(x_.data(), x_.size()));
        rows.for_each(p, [&](auto&, auto& w) {
            std::size_t const row = factors_.row(w.node);
            for (std::size_t r = 0; r < w.change.size(); ++r) w.change[r] = x_[row + r];
        });
        return report.full_rank();
    }
    /// Before the solves of another matrix: G is tried again.
    constexpr void begin() noexcept { majorised_ = false; }
    /// dv of a body that can be moved.
    template <class P, class K>
    [[nodiscard]] constexpr vec<S, K::dof> correction_of(P const& p, K kind, std::uint32_t i) const {
        std::size_t const row = factors_.row(nodes_[p.node(kind, i)]);
        vec<S, K::dof> dv;
        for (std::size_t k = 0; k < K::dof; ++k) dv[k] = x_[row + k];
        return dv;
    }
    /// dv of the bodies of an entry, one below the other.
    template <class P, class E>
    [[nodiscard]] constexpr auto corrections_of(P const& p, E const& e) const {
        vec<S, dof_v<typename E::constraint_type>> dv{};
        for (auto const& a : parts_of(p, e))
            if (a.moves())
                for (std::size_t k = 0; k < a.dof; ++k) dv[a.at + k] = x_[factors_.row(a.node) + k];
        return dv;
    }

private:
    // In the order in which assemble() asks for the blocks. The first of the edges.
    template <class Parts>
    constexpr std::uint32_t join(Parts const& parts, std::uint32_t node, bool coupled) {
        std::uint32_t first = no_place;
        auto const next = [&](std::uint32_t a, std::uint32_t b) {
            std::uint32_t const e = factors_.join(a, b);
            if (first == no_place) first = e;
        };
        for (auto const& a : parts)
            if (a.moves()) next(node, a.node);
        if (coupled)
            for (std::size_t i = 0; i < parts.size(); ++i)
                for (std::size_t j = i + 1; j < parts.size(); ++j)
                    if (parts[i].moves() && parts[j].moves()) next(parts[i].node, parts[j].node);
        return first;
    }
    template <class P>
    constexpr auto factor(P const& p, rows_type& rows, S const& alpha, bool turn, bool majorise) {
        factors_.set_zero();
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            auto const M = attachment_access<K>::mass_matrix(p, i);
            auto const square = factors_.diagonal(nodes_[p.node(kind, i)]);
            for (std::size_t r = 0; r < K::dof; ++r)
                for (std::size_t c = 0; c <= r; ++c) square(r, c) = M(r, c) * alpha;
        });
        rows.for_each(p, [&](auto& e, auto& w) { assemble(p, e, w, turn, majorise); });
        return factors_.factor(epsilon_v<S> * (S(16) * sqrt(S(value_type_t<S>(x_.size() + 1)))));
    }
    template <class P, class E, class W>
    constexpr void assemble(P const& p, E const& e, W const& w, bool turn, bool majorise) {
        using C = typename E::constraint_type;
        auto const parts = parts_of(p, e);
        auto const square = factors_.diagonal(w.node);
        for (std::size_t r = 0; r < rows_v<C>; ++r) square(r, r) = w.is_free(r) ? -w.W[r] : S(-1);
        std::uint32_t edge = w.edge;
        for (auto const& a : parts) {
            if (!a.moves()) continue;
            auto const block = factors_.block(edge++);
            for (std::size_t r = 0; r < rows_v<C>; ++r)
                if (w.is_free(r))
                    for (std::size_t c = 0; c < a.dof; ++c) block(r, c) = block(r, c) - w.J(r, a.at + c);
        }
        if constexpr (has_turning_v<C, S>)
            if (turn) add_turning(e, w, parts, edge, majorise);
    }
    template <class E, class W, class Parts>
    constexpr void add_turning(E const&, W const& w, Parts const& parts, std::uint32_t edge, bool majorise) {
        using C = typename E::constraint_type;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            auto const& a = parts[i];
            if (!a.moves()) continue;
            auto const own = factors_.diagonal(a.node);
            for (std::size_t r = 0; r < a.dof; ++r) {
                if (majorise) {
                    for (std::size_t c = 0; c < dof_v<C>; ++c) own(r, r) = own(r, r) + abs(w.G(a.at + r, c));
                } else {
                    for (std::size_t c = 0; c <= r; ++c) own(r, c) = own(r, c) - w.G(a.at + r, a.at + c);
                }
            }
            if (majorise || additive_error_v<C>) continue;
            for (std::size_t j = i + 1; j < parts.size(); ++j) {
                auto const& b = parts[j];
                if (!b.moves()) continue;
                auto const block = factors_.block(edge++);
                for (std::size_t r = 0; r < a.dof; ++r)
                    for (std::size_t c = 0; c < b.dof; ++c) {
                        block(r, c) = block(r, c) - w.G(a.at + r, b.at + c);
                        if (a.node == b.node) block(c, r) = block(c, r) - w.G(b.at + c, a.at + r);
                    }
            }
        }
    }
    // Right-hand sides: of the bodies, with what rows at a bound give; of the rows.
    template <class P>
    constexpr void fill(P const& p, rows_type& rows, node_numbers const& momenta) {
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            auto const place = p.node(kind, i);
            std::size_t const row = factors_.row(nodes_[place]);
            for (std::size_t k = 0; k < decltype(kind)::dof; ++k) x_[row + k] = momenta[place][k];
        });
        rows.for_each(p, [&](auto& e, auto& w) {
            constexpr std::size_t M = rows_v<typename std::remove_cvref_t<decltype(e)>::constraint_type>;
            std::size_t const row = factors_.row(w.node);
            vec<S, M> fixed{};
            bool any_fixed = false;
            for (std::size_t r = 0; r < M; ++r) {
                if (w.is_free(r)) {
                    x_[row + r] = -w.r[r];
                    continue;
                }
                if (w.active && w.at_bound[r] != left_out) {
                    fixed[r] = (w.at_bound[r] == at_lower ? w.lower[r] : w.upper[r]) - w.mu[r];
                    any_fixed = true;
                }
                x_[row + r] = -fixed[r];
            }
            if (!any_fixed) return;
            auto const q = transpose_times(w.J, fixed);
            for (auto const& a : parts_of(p, e))
                if (a.moves())
                    for (std::size_t k = 0; k < a.dof; ++k) x_[factors_.row(a.node) + k] = x_[factors_.row(a.node) + k] + q[a.at + k];
        });
    }

    // Degrees of freedom of all bodies that fit, and rows.
    static constexpr std::size_t unknowns = []<class... Maps>(map_list<Maps...>) {
        return Env::limits.bodies * 6 + Env::limits.particles * 3 + Env::limits.generalized * (Maps::coordinates + ... + 0) + Env::max_rows;
    }(typename Env::map_types{});

    static constexpr std::size_t max_constraints = room_for<Env>([]<class C>(std::type_identity<C>) { return std::size_t(1); });
    static constexpr std::size_t max_edges = room_for<Env>([]<class C>(std::type_identity<C>) { return attachments_t<C>::size * (attachments_t<C>::size + 1) / 2; });

    block_ldlt<S, Env, block_ldlt_limits{.nodes = Env::max_nodes + max_constraints, .edges = max_edges, .rows = unknowns}> factors_;
    typename Env::template array<std::uint32_t, Env::max_nodes> nodes_;  // in the factors
    typename Env::template array<S, unknowns> x_;
    std::uint32_t contents_ = 0;
    bool built_ = false, with_turning_ = false, majorised_ = false;
};

}  // namespace sinew::inline v0::detail
