#pragma once
// Lagrange multipliers at acceleration level: Witkin 1997, eq. 11, inside every stage of the integrator.
//
//   J W J^T lambda = -J_dot v - J W Q - k_s C - k_d C_dot,   constraint force J^T lambda
//
//   W   inverse masses            Q   applied forces, with the gyroscopic torque -omega x I omega
//   C   errors (none for velocity-level constraints), C_dot their rates
//   k_s, k_d   feedback that absorbs the integrator's drift (Baumgarte); at c = 0 it vanishes, so the order of accuracy
//              of the integrator is kept
//
// The linear part is a policy. A compliant row is no unknown: its multiplier is -C / compliance - damping C_dot.
// Multipliers with bounds need a complementarity solver; a linear one refuses them at compile time.
// (Witkin's eq. 9 lacks its equals sign: J W Q^ = -J_dot v - J W Q.)

#include <sinew/body/parameter_fault.hpp>
#include <sinew/core/storage.hpp>
#include <sinew/linear/dense.hpp>
#include <sinew/solver/problem.hpp>

namespace sinew::inline v0 {

/// Linear part: dense Cholesky factors of J W J^T.
struct cholesky {
    template <class S>
    static constexpr factor_report factor(std::span<S> a, std::size_t n, S const& floor) noexcept {
        return cholesky_factor<S>(a, n, floor);
    }
    template <class S>
    static constexpr void solve(std::span<S const> a, std::size_t n, std::span<S> b) noexcept {
        cholesky_solve<S>(a, n, b);
    }
};
/// Linear part: dense L D L^T factors of J W J^T, without square roots.
struct ldlt {
    template <class S>
    static constexpr factor_report factor(std::span<S> a, std::size_t n, S const& floor) noexcept {
        return ldlt_factor<S>(a, n, floor);
    }
    template <class S>
    static constexpr void solve(std::span<S const> a, std::size_t n, std::span<S> b) noexcept {
        ldlt_solve<S>(a, n, b);
    }
};

/// The strategy: acceleration level, direct, equality constraints.
template <class Linear = cholesky>
struct lagrange_multipliers {
    template <class Env>
    class strategy;
};

template <class Linear>
template <class Env>
class lagrange_multipliers<Linear>::strategy {
public:
    using S = typename Env::scalar;
    static constexpr solver_level level = solver_level::acceleration;
    static constexpr solver_abilities abilities{.bounds = false, .update_rules = false, .moving_normals = false, .soft_rates = false};

    S feedback_stiffness{100};  ///< k_s, 1/s^2
    S feedback_damping{20};     ///< k_d, 1/s

    /// Why the tuning numbers cannot be: negative feedback drives errors apart.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(nonnegative_parameter("solver.feedback_stiffness", feedback_stiffness), nonnegative_parameter("solver.feedback_damping", feedback_damping));
    }

    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return a.feedback_stiffness == b.feedback_stiffness && a.feedback_damping == b.feedback_damping;
    }

    /// Adds the constraint forces J^T lambda to the applied ones.
    template <class P>
    constexpr solve_report<S> solve(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        p.update_inverse_masses();
        gather(p, forces, particle_forces);
        assemble(p, forces, particle_forces);
        std::size_t const n = rows_.size();
        // Of a pivot of a redundant row rounding leaves some eps of its diagonal; sums of n roundings grow as sqrt(n).
        S const floor = epsilon_v<S> * (S(4) * sqrt(S(value_type_t<S>(n + 1))));
        auto const factors = Linear::template factor<S>(std::span<S>(matrix_.data(), n * n), n, floor);
        Linear::template solve<S>(std::span<S const>(matrix_.data(), n * n), n, std::span<S>(rhs_.data(), n));
        apply(p, forces, particle_forces);
        solve_report<S> report;
        report.iterations = 1;
        report.residual = residual_;
        report.full_rank = factors.full_rank();
        return report;
    }

private:
    static constexpr std::uint32_t none = 0xffffffffu;
    // One row's part on one body; those of a body are chained.
    struct block {
        vec<S, 6> J{}, B{};
        std::uint32_t row = 0;
        std::uint32_t body = 0;  // particles come after the rigid bodies
        std::uint32_t next = none;
    };
    struct row_info {
        std::uint32_t first = 0, count = 0;  // blocks
        bool hard = true;
    };

    template <class P>
    [[nodiscard]] static constexpr std::uint32_t place(P const&, rigid, std::uint32_t i) noexcept {
        return i;
    }
    template <class P>
    [[nodiscard]] static constexpr std::uint32_t place(P const& p, point_mass, std::uint32_t i) noexcept {
        return static_cast<std::uint32_t>(p.bodies.size()) + i;
    }

    // Rows, their blocks, and the part of the right-hand side that needs no forces; forces of compliant rows.
    template <class P>
    constexpr void gather(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        rows_.clear();
        blocks_.clear();
        rhs_.clear();
        head_.assign(p.bodies.size() + p.particles.size(), none);
        residual_ = S(0);
        p.for_each_type([&](auto entries, auto) {
            for (auto& e : entries) gather_entry(p, e, forces, particle_forces);
        });
    }

    template <class P, class E>
    constexpr void gather_entry(P const& p, E& e, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        auto const poses = poses_of(p, e);
        auto const twists = twists_of(p, e);
        jacobian_t<C, S> const J = std::apply([&](auto const&... q) { return jacobian_of(e.constraint, q...); }, poses);
        jacobian_t<C, S> const B = std::apply([&](auto const&... m) { return weighted_jacobian<C, S>(J, m...); }, inverse_masses_of(p, e));
        vec<S, M> const c_dot = rate_of(e.constraint, poses, twists);
        vec<S, M> c{};
        if constexpr (is_holonomic_v<C, S>) c = std::apply([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
        vec<S, M> const bias = jacobian_rate_of(e.constraint, poses, twists);
        vec<S, M> const compliance = compliance_of<S>(e.constraint);
        vec<S, M> const damping = damping_of<S>(e.constraint);
        for (std::size_t r = 0; r < M; ++r) {
            bool const hard = !all(compliance[r] > S(0));
            if (hard) residual_ = max(residual_, abs(is_holonomic_v<C, S> ? c[r] : c_dot[r]));
            auto const row = static_cast<std::uint32_t>(rows_.size());
            rows_.push_back({static_cast<std::uint32_t>(blocks_.size()), 0, hard});
            if (hard) {
                rhs_.push_back(-bias[r] - feedback_stiffness * c[r] - feedback_damping * c_dot[r]);
            } else {
                e.lambda[r] = -c[r] / compliance[r] - damping[r] * c_dot[r];
                rhs_.push_back(e.lambda[r]);
            }
            for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
                using K = decltype(kind);
                block b;
                b.row = row;
                b.body = place(p, kind, i);
                for (std::size_t k = 0; k < K::dof; ++k) {
                    b.J[k] = J(r, at + k);
                    b.B[k] = B(r, at + k);
                }
                if (!hard) add_force(p, b, e.lambda[r], forces, particle_forces);
                if (hard && detail::attachment_access<K>::movable(p, i)) {
                    b.next = head_[b.body];
                    head_[b.body] = static_cast<std::uint32_t>(blocks_.size());
                    blocks_.push_back(b);
                    ++rows_.back().count;
                }
            });
        }
    }

    template <class P>
    static constexpr void add_force(P const& p, block const& b, S const& lambda, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        if (b.body < p.bodies.size()) {
            for (std::size_t k = 0; k < 3; ++k) {
                forces[b.body].force[k] = forces[b.body].force[k] + b.J[k] * lambda;
                forces[b.body].torque[k] = forces[b.body].torque[k] + b.J[3 + k] * lambda;
            }
        } else {
            auto& f = particle_forces[b.body - p.bodies.size()];
            for (std::size_t k = 0; k < 3; ++k) f[k] = f[k] + b.J[k] * lambda;
        }
    }

    // A = J W J^T, block by block along the chain of each body; right-hand side minus J W Q = B . Q.
    template <class P>
    constexpr void assemble(P const& p, std::span<wrench<S> const> forces, std::span<vec3<S> const> particle_forces) {
        std::size_t const n = rows_.size();
        matrix_.assign(n * n, S(0));
        for (std::size_t i = 0; i < n; ++i) {
            if (!rows_[i].hard) {
                matrix_[i * n + i] = S(1);
                continue;
            }
            for (std::uint32_t k = rows_[i].first; k < rows_[i].first + rows_[i].count; ++k) {
                block const& b = blocks_[k];
                for (std::uint32_t o = head_[b.body]; o != none; o = blocks_[o].next) {
                    std::size_t const j = blocks_[o].row;
                    if (j > i) continue;
                    matrix_[i * n + j] = matrix_[i * n + j] + dot(b.J, blocks_[o].B);
                }
                if (b.body < p.bodies.size()) {
                    auto const& state = p.bodies[b.body];
                    vec3<S> const w = state.pose.local_direction(state.twist.angular);
                    vec3<S> const gyroscopic = state.pose.direction(cross(p.masses[b.body].inertia * w, w));
                    vec3<S> const torque = forces[b.body].torque + gyroscopic;
                    for (std::size_t q = 0; q < 3; ++q) rhs_[i] = rhs_[i] - b.B[q] * forces[b.body].force[q] - b.B[3 + q] * torque[q];
                } else {
                    auto const& f = particle_forces[b.body - p.bodies.size()];
                    for (std::size_t q = 0; q < 3; ++q) rhs_[i] = rhs_[i] - b.B[q] * f[q];
                }
            }
        }
    }

    template <class P>
    constexpr void apply(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        std::size_t row = 0;
        p.for_each_type([&](auto entries, auto) {
            using C = typename decltype(entries)::value_type::constraint_type;
            for (auto& e : entries)
                for (std::size_t r = 0; r < rows_v<C>; ++r, ++row)
                    if (rows_[row].hard) e.lambda[r] = rhs_[row];
        });
        for (auto const& b : blocks_) add_force(p, b, rhs_[b.row], forces, particle_forces);
    }

    typename Env::template array<row_info, Env::max_rows> rows_;
    typename Env::template array<block, Env::max_blocks> blocks_;
    typename Env::template array<std::uint32_t, Env::limits.bodies + 1 + Env::limits.particles> head_;
    typename Env::template array<S, Env::max_rows> rhs_;
    typename Env::template array<S, Env::max_rows * Env::max_rows> matrix_;
    S residual_{};
};

}  // namespace sinew::inline v0
