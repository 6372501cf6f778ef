#pragma once
// All constraints at once at velocity level: the exact answer to what sequential_impulses approaches sweep by sweep.
//
//   (J W J^T + S) p = b,   v += W J^T p      after the forces, before the bodies move; p = h lambda within its bounds
//
//   hard row          b = -c_dot - (baumgarte / h) c, or without its last term where positions are projected after the step
//   compliant row     S = alpha / (h (h + alpha d)), b = -c_dot - c / (h + alpha d): the spring and damper -c / alpha - d c_dot taken
//                     at the end of the step, so that any stiffness is stable
//   c >= 0            c_dot >= -c / h where there is room: it may be used up within the step, and no more. Beyond it as a hard row
//   velocity level    b = -c_dot; compliance acts on the displacement c_dot h of the step, as in every other strategy
//   friction          bounds from the impulses of a first solve without it (Vondrak 2005, 6.5.4); friction_passes renew them
//
// Forces of constraints point where their J points at the start of the step. What turns by omega h in a step loses (omega h)^2 of its
// kinetic energy; and a chain under tension T oscillates across itself as in every explicit method, growing where omega h > 2, omega^2 about
// T l / I of its links. With geometric_stiffness links for which omega h is above 1 are given inertia until it is 1: turning_inertia.hpp.
//
// The linear part is a policy, see linear_part.hpp: with dantzig or sparse_ldlt rows may have bounds.

#include <sinew/solver/friction_axes.hpp>
#include <sinew/solver/projection.hpp>
#include <sinew/solver/soft_step.hpp>
#include <sinew/solver/sparse_part.hpp>
#include <sinew/solver/turning_inertia.hpp>

namespace sinew::inline v0 {

/// The strategy: velocity level, direct. Linear: cholesky, ldlt, conjugate_gradient, sparse_ldlt, dantzig or warm_dantzig.
template <class Linear>
struct lagrange_impulses {
    template <class Env>
    class strategy;
};

template <class Linear>
template <class Env>
class lagrange_impulses<Linear>::strategy {
    static_assert(detail::names_part<Linear, Env>,
                  "sinew: the argument of lagrange_impulses is no linear part; say sinew::sparse_ldlt, or cholesky, ldlt, conjugate_gradient, dantzig or warm_dantzig.");
    using rows_type = row_system<Env>;
    using place = typename rows_type::place;
    using facts = typename rows_type::facts;

public:
    using S = typename Env::scalar;
    using linear_type = typename Linear::template part<Env>;
    static constexpr solver_level level = solver_level::velocity;
    static constexpr solver_abilities abilities{.bounds = linear_type::bounds, .update_rules = false, .moving_normals = false, .lanes = detail::solves_lanes_v<linear_type>, .soft_in_lanes = false};

    linear_type linear{};  ///< its tuning numbers, if it has any
    int substeps = 1;      ///< forces, impulses and motion in one step
    drift_control drift = drift_control::projection;
    bool geometric_stiffness = true;  ///< inertia for light links under tension; it acts where they would swing by more than a radian in a step
    S baumgarte{value_type_t<S>(0.2)};              ///< share of an error taken back in one substep, under drift_control::feedback
    S projection_tolerance = detail::projection_tolerance<S>();  ///< largest error that projection leaves, m, rad
    int projection_iterations = 10;                 ///< Newton steps of it at most
    int friction_passes = 1;                        ///< how often bounds that depend on other multipliers are renewed from them

    /// Why the tuning numbers cannot be.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        auto const count = [](int number, char const* name) {
            return number >= 1 ? input_fault{} : input_fault{name, "must be at least 1", static_cast<error_number>(number)};
        };
        return first_fault(linear.fault(), count(substeps, "solver.substeps"),
                           detail::parameter_within(baumgarte >= S(0) && baumgarte <= S(1), "solver.baumgarte", "must be between 0 and 1", baumgarte),
                           nonnegative_parameter("solver.projection_tolerance", projection_tolerance), count(projection_iterations, "solver.projection_iterations"),
                           count(friction_passes, "solver.friction_passes"));
    }
    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return detail::all_same(a.linear, b.linear, a.substeps, b.substeps, a.drift, b.drift, a.geometric_stiffness, b.geometric_stiffness,
                                a.baumgarte, b.baumgarte, a.projection_tolerance, b.projection_tolerance,
                                a.projection_iterations, b.projection_iterations, a.friction_passes, b.friction_passes);
    }

    /// Velocities after the forces: impulses on them.
    template <class P>
    constexpr solve_report<S> solve(P const& p, S const& h) {
        p.update_inverse_masses();
        rows_.update(p);
        if (geometric_stiffness)
            turning_.add(p, rows_, h, [&](std::uint32_t i, vec3<S> const& change, vec3<S> const&, auto const& lanes) {
                auto& w = p.bodies[i].twist.angular;
                if constexpr (has_lanes_v<S>)
                    w = select(lanes, w + change, w);
                else
                    w += change;
            });
        else
            rows_.added_inertia.clear();
        gather(p, h);
        linear_report r = linear.solve(p, rows_, true);
        solve_report<S> report{r.iterations, residual_, r.full_rank};
        if constexpr (facts::any_limits_of_lambda) {
            for (int pass = 0; pass < friction_passes; ++pass) {
                detail::renew_limits(
                    p, rows_, h, [&](auto const&, place const& at, std::size_t i) { return rows_.lambda[at.row + i]; }, [](auto const& limits, auto const&) { return limits; });
                r = linear.solve(p, rows_, false);
                report.iterations += r.iterations;
            }
            report.full_rank = r.full_rank;
        }
        detail::push_bodies(p, rows_, v_);
        rows_type::for_each(p, [&](auto& e, place const& at) {
            for (std::size_t i = 0; i < rows_v<typename std::remove_cvref_t<decltype(e)>::constraint_type>; ++i) e.lambda[i] = rows_.lambda[at.row + i] / h;
        });
        return report;
    }

    /// After the bodies have moved.
    template <class P>
    constexpr solve_report<S> project(P const& p, S const&) {
        if (drift == drift_control::feedback) return {.iterations = 0, .residual = residual_, .full_rank = true};
        added_.take(rows_.added_inertia, p.bodies.size());
        return detail::run_guided<Env>(saved_, p, [&](auto& guide) {
            added_.give(rows_.added_inertia);
            auto const report = projection_.positions(p, rows_, linear, {projection_tolerance, projection_iterations}, guide, [&](std::span<S const> multipliers) {
                if (geometric_stiffness) turning_.add_for_displacement(p, rows_, multipliers);
            });
            if constexpr (derivative_order_v<S> > 0) projection_.derivatives(p, rows_, linear, projection_tolerance, report.iterations > 0, false);
            return report;
        });
    }

private:
    template <class P>
    constexpr void gather(P const& p, S const& h) {
        S const feedback = drift == drift_control::feedback ? baumgarte / h : S(0);
        residual_ = S(0);
        rows_type::for_each(p, [&](auto& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            if constexpr (detail::has_friction_axes<C, S>) (void)detail::turn_friction(e.constraint, detail::entry_rate(p, e), detail::least_slip<S>());
            rows_.set_jacobian(p, e, at);
            vec<S, M> const c = detail::entry_error(p, e);
            vec<S, M> const c_dot = detail::entry_rate(p, e);
            for (std::size_t r = 0; r < M; ++r) rows_.b[at.row + r] = -c_dot[r] - feedback * c[r];
            if constexpr (is_bounded_v<C, S> || has_compliance<C>) {
                using detail::row_bounds;
                auto const alpha = compliance_of<S>(e.constraint);
                auto const damping = damping_of<S>(e.constraint);
                auto const limits = detail::entry_limits(p, e, vec<S, M>{});
                for (std::size_t r = 0; r < M; ++r) {
                    std::size_t const row = at.row + r;
                    row_bounds const kind = detail::bounds_kind(limits.lower[r], limits.upper[r]);
                    if (kind == row_bounds::none && !detail::has_limits_of_lambda_v<C, S>) {
                        rows_.set_idle(e, at, r);
                        continue;
                    }
                    S const lag = h + alpha[r] * damping[r];
                    auto const impulse = [&](S const& bound) { return bound * h; };
                    rows_.set_active(row, soft_share(alpha[r], h, lag), detail::scaled_bound(limits.lower[r], impulse), detail::scaled_bound(limits.upper[r], impulse));
                    S const gap = kind == row_bounds::pushes ? max(c[r], S(0)) : kind == row_bounds::pulls ? min(c[r], S(0)) : S(0);
                    if (all(alpha[r] > S(0)))
                        rows_.b[row] = -c_dot[r] - c[r] / lag;
                    else if (all(differs(gap, S(0))))
                        rows_.b[row] = -c_dot[r] - gap / h;
                }
            } else {
                for (std::size_t r = 0; r < M; ++r) residual_ = max(residual_, abs(is_holonomic_v<C, S> ? c[r] : c_dot[r]));
            }
        });
    }

    rows_type rows_{};
    detail::constraint_projection<Env> projection_{};
    detail::turning_inertia<Env> turning_{};
    [[no_unique_address]] detail::saved_lanes<Env> saved_{};
    [[no_unique_address]] detail::saved_inertia<Env> added_{};
    typename rows_type::node_vectors v_{};
    S residual_{};
};

}  // namespace sinew::inline v0
