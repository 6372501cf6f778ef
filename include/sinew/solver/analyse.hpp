#pragma once
// What the constraints of a problem look like to a solver, and which strategy suits them.
//
//   A = J M^-1 J^T + alpha~      alpha~ = compliance / h^2
//   D                            the diagonal blocks of A, one per constraint: what an iterative solver inverts at once
//   r                            max_i sum_{j != i} |A_ij| / A_ii; below 1 every sweep shrinks the worst error (Waterson 2026, eq. 4.71)
//   rho                          spectral radius of an iteration: the factor by which a sweep shrinks the error in the end; see block_iteration.hpp
//
// Rows with bounds take part where they act now. A redundant row repeats what the rows before it say. All of it is dense, n x n numbers on
// the heap, meant to be looked at once and not in every step.

#include <sinew/core/call_with.hpp>
#include <sinew/core/type_name.hpp>
#include <sinew/linear/block_iteration.hpp>
#include <sinew/solver/connected_bodies.hpp>

namespace sinew::inline v0 {

/// A row of a constraint, by name.
struct row_name {
    char const* constraint = "";  ///< its type, such as "hinge_joint<float>"
    std::size_t index = 0;        ///< which of its type, in the order of for_each<C>
    std::size_t row = 0;          ///< which of its rows
};

/// What analyse() finds. The symbols are explained at the head of analyse.hpp.
template <class S>
struct analysis {
    std::size_t constraints = 0;           ///< that act
    std::size_t rows = 0;                  ///< of A
    std::size_t rank = 0;                  ///< of A: below `rows`, some are redundant
    bool has_loops = false;                ///< something is bound to something else in more ways than one
    bool has_bounds = false;               ///< a constraint has limits or an update rule
    S dominance{};                         ///< r
    S condition{1};                        ///< largest eigenvalue of A over its smallest that is not zero, as far as S can tell
    S radius_jacobi{};                     ///< rho of Jacobi, undamped: 1 or more diverges
    S radius_gauss_seidel{};               ///< rho of Gauss-Seidel
    S optimal_relaxation{1};               ///< xi for which SOR converges fastest
    S radius_sor{};                        ///< rho with that
    dynamic_vector<row_name> redundant{};  ///< rows that repeat others before them
    char const* recommendation = "";       ///< which strategy suits, in one sentence
};

namespace detail {

template <class Env>
class analyser {
public:
    using S = typename Env::scalar;

    template <class P>
    [[nodiscard]] constexpr analysis<S> operator()(P const& p, S const& h) {
        p.update_inverse_masses();
        p.for_each_type([&](auto entries, auto) {
            for (std::size_t i = 0; i < entries.size(); ++i) gather(p, entries[i], i, h);
        });
        assemble();
        find_numbers();
        found_.recommendation = recommendation();
        return found_;
    }

private:
    struct block {
        std::size_t row = 0;
        std::uint32_t node = 0;
        vec<S, Env::max_dof> J{}, B{};  // B = J M^-1
    };

    // Which rows act: an inequality only where it is reached or pushes.
    template <class P, class E>
    constexpr void gather(P const& p, E const& e, std::size_t index, S const& h) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        auto const poses = poses_of(p, e);
        auto const J = entry_jacobian(p, e);
        auto const compliance = compliance_of<S>(e.constraint);
        auto const limits = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
        vec<S, M> c{};
        if constexpr (is_holonomic_v<C, S>) c = detail::call_with([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
        found_.has_bounds = found_.has_bounds || is_bounded_v<C, S> || has_update_v<C, S>;
        std::size_t const before = names_.size();
        for (std::size_t r = 0; r < M; ++r) {
            bool const one_sided = !(limits.lower[r] < S(0) && limits.upper[r] > S(0));
            bool const pushes = (limits.upper[r] > S(0) && c[r] <= S(0)) || (limits.lower[r] < S(0) && c[r] >= S(0)) || e.lambda[r] > S(0) || e.lambda[r] < S(0);
            if (one_sided && !pushes) continue;
            std::size_t const row = names_.size();
            bool moves = false;
            for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
                using K = decltype(kind);
                if (!attachment_access<K>::movable(p, i)) return;
                vec<S, K::dof> f;
                for (std::size_t k = 0; k < K::dof; ++k) f[k] = J(r, at + k);
                auto const w = attachment_access<K>::weigh(p, i, f);
                block b;
                b.row = row;
                b.node = p.node(kind, i);
                for (std::size_t k = 0; k < K::dof; ++k) {
                    b.J[k] = f[k];
                    b.B[k] = w[k];
                }
                blocks_.push_back(b);
                moves = true;
            });
            if (!moves) continue;
            names_.push_back({type_name<C>(), index, r});
            soft_.push_back(compliance[r] / (h * h));
        }
        if (names_.size() == before) return;
        sizes_.push_back(names_.size() - before);
        ++found_.constraints;
        join(p, e);
    }

    // A forest has no edge between two bodies that already hang together; all that does not move is one body.
    template <class P, class E>
    constexpr void join(P const& p, E const& e) {
        while (parents_.size() < p.node_count() + 1) parents_.push_back(static_cast<std::uint32_t>(parents_.size()));
        std::uint32_t first = 0xffffffffu;
        bool anchored = false;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            bool const moves = attachment_access<decltype(kind)>::movable(p, i);
            if (!moves && anchored) return;
            anchored = anchored || !moves;
            std::uint32_t const r = root(moves ? p.node(kind, i) : static_cast<std::uint32_t>(p.node_count()));
            if (first == 0xffffffffu)
                first = r;
            else if (r == first)
                found_.has_loops = true;
            else
                parents_[r] = first;
        });
    }
    [[nodiscard]] constexpr std::uint32_t root(std::uint32_t i) {
        while (parents_[i] != i) {
            parents_[i] = parents_[parents_[i]];
            i = parents_[i];
        }
        return i;
    }

    constexpr void assemble() {
        std::size_t const n = names_.size();
        a_.assign(n * n, S(0));
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            for (std::size_t j = 0; j < blocks_.size(); ++j)
                if (blocks_[i].node == blocks_[j].node) {
                    S& x = a_[blocks_[i].row * n + blocks_[j].row];
                    x = x + dot(blocks_[i].J, blocks_[j].B);
                }
        for (std::size_t i = 0; i < n; ++i) a_[i * n + i] = a_[i * n + i] + soft_[i];
    }

    constexpr void find_numbers() {
        std::size_t const n = names_.size();
        found_.rows = n;
        for (std::size_t i = 0; i < n; ++i) {
            S others{};
            for (std::size_t j = 0; j < n; ++j)
                if (j != i) others = others + abs(a_[i * n + j]);
            if (a_[i * n + i] > S(0)) found_.dominance = max(found_.dominance, others / a_[i * n + i]);
        }
        block_iteration<S> iteration(std::span<S const>(a_.data(), n * n), n, std::span<std::size_t const>(sizes_.data(), sizes_.size()));
        found_.rank = iteration.rank();
        for (std::size_t i = 0; i < n; ++i)
            if (iteration.is_redundant(i)) found_.redundant.push_back(names_[i]);
        found_.condition = iteration.condition();
        found_.radius_jacobi = iteration.jacobi_radius();
        found_.radius_gauss_seidel = iteration.sor_radius(S(1));
        auto const best = iteration.optimal_relaxation();
        found_.optimal_relaxation = best.xi;
        found_.radius_sor = best.radius;
    }

    [[nodiscard]] constexpr char const* recommendation() const {
        if (found_.rows == 0) return "No constraint acts: any strategy will do.";
        // Sweeps until a hundredth of the error is left.
        auto const sweeps = [](S const& rho) { return rho < S(1) ? (rho > S(0) ? log(S(value_type_t<S>(0.01))) / log(rho) : S(1)) : infinity_v<S>; };
        bool const redundant = found_.rank < found_.rows;
        if (sweeps(found_.radius_gauss_seidel) <= S(10))
            return redundant ? "A few Gauss-Seidel sweeps suffice, redundant rows and all: sequential_impulses is fast enough and exact enough."
                             : "A few Gauss-Seidel sweeps suffice: sequential_impulses is fast enough and exact enough.";
        if (redundant)
            return "Some rows are redundant and sweeps converge slowly: lagrange_multipliers<sparse_ldlt> sets them aside and solves the rest exactly.";
        if (sweeps(found_.radius_sor) <= S(20) && found_.has_bounds)
            return "Sweeps converge slowly, but relaxation helps: nonlinear_gauss_seidel with solver.relaxation near the optimum needs about 20.";
        if (found_.has_bounds)
            return "Sweeps converge too slowly here: augmented_lagrangian, or lagrange_multipliers<sparse_ldlt> for an exact answer with the bounds kept.";
        if (!found_.has_loops) return "The constraints form a tree of equalities: lagrange_multipliers<sparse_ldlt> solves them exactly, in linear time.";
        return "Sweeps converge slowly here: lagrange_multipliers<sparse_ldlt> or compliant_implicit solves the loops exactly.";
    }

    analysis<S> found_{};
    dynamic_vector<block> blocks_{};
    dynamic_vector<row_name> names_{};
    dynamic_vector<S> soft_{}, a_{};
    dynamic_vector<std::size_t> sizes_{};
    dynamic_vector<std::uint32_t> parents_{};
};

}  // namespace detail

/// Analyses the constraints of a world as they are now; h: the step (s) for which compliance counts.
template <class World>
[[nodiscard]] constexpr auto analyse(World const& world, typename World::scalar_type const& h) {
    constexpr bool has_lanes = has_lanes_v<typename World::scalar_type>;
    static_assert(!has_lanes, "sinew: a world whose scalar has lanes is not analysed: which rows act, and their rank, are of one world. Analyse a world over the lanes' own scalar.");
    if constexpr (!has_lanes) {
        World looked_at = world;  // a world is a value: looking at it changes nothing
        return detail::analyser<typename World::env>{}(looked_at.make_problem(), h);
    }
}
template <class World>
[[nodiscard]] constexpr auto analyse(World const& world) {
    using S = typename World::scalar_type;
    return analyse(world, S(1) / S(60));
}

}  // namespace sinew::inline v0
