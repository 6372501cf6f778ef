#pragma once
// Lagrange multipliers at acceleration level: Witkin 1997, eq. 11, inside every stage of the integrator.
//
//   J W J^T lambda = -J_dot v - J W Q - k_s C - k_d C_dot,   constraint force J^T lambda
//
//   W   inverse masses            Q   applied forces, with the gyroscopic torque -omega x I omega
//   C   errors (none for velocity-level constraints), C_dot their rates
//   k_s, k_d   feedback that absorbs the integrator's drift (Baumgarte); at c = 0 it vanishes, so the order of accuracy
//              of the integrator is kept. Instead, or besides, positions and velocities can be projected: see projection.hpp
//
// Under symplectic Euler v_n has carried positions from q_n-1 to q_n, and belongs to the middle of that step. So where c = 0 is kept, J v is not 0 at q_n but
// h/2 (J_dot v + J W g), g: the gyroscopic torque by which the drift turns omega, where its term is conserving. Feedback takes J v less that for C_dot, which comes to
// a share of 1 - k_d h/2 of J_dot v and of g. (J v itself would be turned back in every step, and make (omega h)^2 of a pendulum's energy. J_dot v is that of v_n
// all the same, half a step old: c is of order h, chains lose energy by it as they whip, and tops gain it: what spins or nutates by omega wants k_d of
// omega^2 h or more, 1 / h at best, or projection.)
//
// With projection a step of symplectic Euler is one of RATTLE: its forces bring about half of J_dot v, so that positions move by
// h v + h^2 a / 2 and stray by h^3 instead of h^2, and the projection of velocities at the end brings the other half. All of it at
// the start would make energy, (omega h)^2 of a pendulum's in a step; none would lose as much; the half loses (omega h)^4 / 4. Where a
// body turns by a good part of a radian in the step, half of J_dot v at the start is no longer a good guess of the other half,
// and at the end of a whip it makes energy: there its share falls to 0, (1 - (omega h / turning_limit)^4) / 2.
//
// A step of symplectic Euler that is projected adds inertia to light links under tension, as lagrange_impulses does: turning_inertia.hpp. To
// the integrator, which knows the true inertia I only, it gives I (I + K)^-1 = 1 - K (I + K)^-1 of the torque of a constraint. Other
// integrators ask for forces at one time, and have no step to be stable for.
//
// The linear part is a policy: see linear_part.hpp. A compliant row is no unknown: its multiplier is -C / compliance - damping C_dot.
// At velocity level its C would be the displacement c_dot h of one step, and there are no steps here: such a row is refused.
//
// Bounds, where the linear part keeps them (Vondrak 2005, 6.2; his signs are those of A lambda + b):
//
//   c >= 0          takes part only where it is reached; then c_ddot >= -k_s c - k_d c_dot, lambda >= 0, one of them equal. So what leaves
//                   faster than feedback would take it back is free. Which rows these are is decided where a step begins and held
//                   through its stages
//   limited force   lambda between its bounds: the row holds as long as it is strong enough
//   friction        bounds that depend on other multipliers: they are taken from a first solve without it (Vondrak 2005, 6.5.3)
//
// A row that is reached with a speed has been hit, and no force can help: where a step begins impulses take the speed away, of all hard
// rows together, J W J^T p = -c_dot, p within bounds likewise; then the derivative says that it has changed the state (6.3.3). A limited
// force gives no impulse; friction gives what the impulses allow it.
//
// Joints between the same bodies that repeat each other, a door's two hinges, do so but for the drift: see repeating_rows.hpp.
//
// (Witkin's eq. 9 lacks its equals sign: J W Q^ = -J_dot v - J W Q.)

#include <sinew/solver/acceleration_rows.hpp>
#include <sinew/solver/sparse_part.hpp>

namespace sinew::inline v0 {

/// The strategy: acceleration level, direct. Linear: cholesky, ldlt, conjugate_gradient, sparse_ldlt, dantzig or warm_dantzig.
template <class Linear = cholesky>
struct lagrange_multipliers {
    template <class Env>
    class strategy;
};

template <class Linear>
template <class Env>
class lagrange_multipliers<Linear>::strategy {
    static_assert(detail::names_part<Linear, Env>,
                  "sinew: the argument of lagrange_multipliers is no linear part; say sinew::sparse_ldlt, or cholesky, ldlt, conjugate_gradient, dantzig or warm_dantzig.");
    using place = typename row_system<Env>::place;
    using facts = typename row_system<Env>::facts;

public:
    using S = typename Env::scalar;
    using linear_type = typename Linear::template part<Env>;
    static constexpr solver_level level = solver_level::acceleration;
    static constexpr bool sees_where_bodies_come_to = true;  ///< the rates of c, as points move on
    static constexpr solver_abilities abilities{.bounds = linear_type::bounds, .update_rules = false, .moving_normals = false, .soft_rates = false, .lanes = detail::solves_lanes_v<linear_type>, .soft_in_lanes = false};

    linear_type linear{};       ///< its tuning numbers, if it has any
    S feedback_stiffness{100};  ///< k_s, 1/s^2
    S feedback_damping{20};     ///< k_d, 1/s
    drift_control drift = drift_control::feedback;  ///< projection: after each step too; the feedback is then idle where c = 0
    S projection_tolerance = detail::projection_tolerance<S>();  ///< largest error that projection leaves, m, rad
    int projection_iterations = 10;                 ///< Newton steps of it at most
    bool geometric_stiffness = true;                ///< in a projected step of symplectic Euler: inertia for light links under tension
    S turning_limit{value_type_t<S>(0.5)};          ///< in a projected step of symplectic Euler: the turn of a body that is no longer followed exactly, rad
    S limit_tolerance = sqrt(epsilon_v<S>);  ///< at which an inequality counts as reached, m, rad; and its approach as a hit, m/s, rad/s
    int friction_passes = 1;                 ///< how often bounds that depend on other multipliers are renewed from them

    /// Why the tuning numbers cannot be: negative feedback drives errors apart.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        auto const count = [](int number, char const* name) {
            return number >= 1 ? input_fault{} : input_fault{name, "must be at least 1", static_cast<error_number>(number)};
        };
        return first_fault(linear.fault(), nonnegative_parameter("solver.feedback_stiffness", feedback_stiffness),
                           nonnegative_parameter("solver.feedback_damping", feedback_damping), nonnegative_parameter("solver.projection_tolerance", projection_tolerance),
                           count(projection_iterations, "solver.projection_iterations"), nonnegative_parameter("solver.limit_tolerance", limit_tolerance),
                           detail::parameter_within(turning_limit > S(0), "solver.turning_limit", "must be above 0", turning_limit),
                           count(friction_passes, "solver.friction_passes"));
    }

    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return detail::all_same(a.linear, b.linear, a.feedback_stiffness, b.feedback_stiffness, a.feedback_damping, b.feedback_damping, a.drift, b.drift,
                                a.projection_tolerance, b.projection_tolerance, a.projection_iterations, b.projection_iterations,
                                a.turning_limit, b.turning_limit, a.geometric_stiffness, b.geometric_stiffness, a.limit_tolerance, b.limit_tolerance,
                                a.friction_passes, b.friction_passes);
    }

    /// Adds the constraint forces J^T lambda to the applied ones. A regular state begins a step, an intermediate one is a stage of it.
    template <class P>
    constexpr solve_report<S> solve(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces, state_kind kind = state_kind::regular) {
        equations_.is_step = equations_.is_staggered = false;
        equations_.share = S(1);
        return solve_state(p, forces, particle_forces, kind);
    }
    /// The same for a step of symplectic Euler: see the head of this file.
    template <class P>
    constexpr solve_report<S> solve_step(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces, S const& h) {
        bool const projects = drift == drift_control::projection;
        equations_.step = h;
        equations_.is_step = projects;
        equations_.is_staggered = !projects;
        equations_.share = projects ? S(1) / S(2) : S(1) - feedback_damping * h / S(2);
        return solve_state(p, forces, particle_forces, state_kind::regular);
    }

    /// Takes away, by impulses, the speed with which inequalities are hit. Whether there was any. Friction: bounds from the impulses of the pass before; from the
    /// third on from the mean of all before, the later ones counting more, until they settle: a push that falls as friction rises would be overshot in turns.
    template <class P>
    constexpr bool impulses(P const& p, int passes)
        requires(facts::any_bounds && linear_type::bounds)
    {
        return impulses_of(p, passes, S(0));
    }
    template <class P>
    constexpr bool impulses(P const& p)
        requires(facts::any_bounds && linear_type::bounds)
    {
        return impulses(p, friction_passes);
    }
    /// The same where a step of symplectic Euler begins: what is half a step behind is left so.
    template <class P>
    constexpr bool step_impulses(P const& p, S const& h)
        requires(facts::any_bounds && linear_type::bounds)
    {
        return impulses_of(p, friction_passes, drift == drift_control::feedback ? h / S(2) : S(0));
    }

    /// After the bodies have moved.
    template <class P>
    constexpr solve_report<S> project(P const& p, S const& h) {
        if (drift == drift_control::feedback) return {.iterations = 0, .residual = equations_.residual, .full_rank = true};
        auto& rows = equations_.rows;
        added_.take(rows.added_inertia, p.bodies.size());
        return detail::run_guided<Env>(saved_, p, [&](auto& guide) {
            added_.give(rows.added_inertia);
            auto const report = projection_.positions(p, rows, linear, {projection_tolerance, projection_iterations}, guide, [&](std::span<S const> multipliers) {
                if (geometric_stiffness && equations_.is_step) equations_.light.add_for_displacement(p, rows, multipliers);
            });
            bool const pushed = projection_.velocities(p, rows, linear, projection_tolerance, h, guide);
            if (pushed) equations_.add_impulses(p, h, true);
            if constexpr (derivative_order_v<S> > 0) {
                bool const moved = report.iterations > 0;
                projection_.derivatives(p, rows, linear, projection_tolerance, moved, !moved || !pushed);
                equations_.add_impulses(p, h, false);
            }
            return report;
        });
    }

private:
    template <class P>
    constexpr bool impulses_of(P const& p, int passes, S const& behind) {
        if (!equations_.is_hit(p, behind, limit_tolerance)) return false;
        auto& rows = equations_.rows;
        p.update_inverse_masses();
        rows.added_inertia.clear();  // it is of the step before, as are the forces of velocities
        if (any(behind > S(0))) p.update_velocity_forces();
        rows.update(p);
        equations_.gather_rates(p, behind, limit_tolerance);
        (void)linear.solve(p, rows, true);
        if constexpr (facts::any_limits_of_lambda) {
            for (int pass = 0; pass < passes; ++pass) {
                if (!take_pushes(p, pass == 0)) break;
                (void)linear.solve(p, rows, false);
            }
        }
        detail::push_bodies(p, rows, equations_.work);
        return true;
    }
    template <class P>
    constexpr solve_report<S> solve_state(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces, state_kind kind) {
        auto& rows = equations_.rows;
        p.update_inverse_masses();
        rows.update(p);
        if constexpr (facts::any_compliance) equations_.add_soft_forces(p, forces, particle_forces);
        equations_.find_free_accelerations(p, forces, particle_forces);
        equations_.add_turning_inertia(p, forces, geometric_stiffness);
        solve_report<S> report;
        report.residual = equations_.gather(p, kind, {feedback_stiffness, feedback_damping, turning_limit, limit_tolerance});
        linear_report r = linear.solve(p, rows, true);
        report.iterations = r.iterations;
        if constexpr (facts::any_limits_of_lambda) {
            for (int pass = 0; pass < friction_passes; ++pass) {
                detail::renew_limits(
                    p, rows, S(1), [&](auto const& e, place const& at, std::size_t i) { return equations_.force_of(e, at, i); }, [](auto const& limits, auto const&) { return limits; });
                r = linear.solve(p, rows, false);
                report.iterations += r.iterations;
            }
        }
        report.full_rank = r.full_rank && !equations_.repeats;
        equations_.apply(p, forces, particle_forces);
        return report;
    }

    // Bounds from the impulses that were found, or halfway to them from those before. Whether any have changed. The multipliers of the constraints stay what they
    // are: soft ones take their friction from them.
    template <class P>
    constexpr bool take_pushes(P const& p, bool first) {
        auto& rows = equations_.rows;
        S most(0), change(0);
        if (first) pushes_.resize(rows.lambda.size());
        row_system<Env>::template for_each_of<detail::limited_by_others<S>::template of>(p, [&](auto const& e, place const& at) {
            for (std::size_t r = at.row; r < at.row + e.lambda.size(); ++r) {
                S const found = rows.lambda[r], last = first ? S(0) : pushes_[r];
                pushes_[r] = first ? found : (last + found) / S(2);
                most = max(most, abs(found));
                change = max(change, abs(found - last));
            }
        });
        detail::renew_limits(
            p, rows, S(1), [&](auto const&, place const& at, std::size_t r) { return pushes_[at.row + r]; },
            [](auto const& limits, auto const& at_rest) { return decltype(equations_)::impulse_limits(limits, at_rest); });
        return change > most * S(64) * sqrt(epsilon_v<S>);
    }

    detail::acceleration_rows<Env, !detail::shares_v<linear_type>> equations_{};
    detail::constraint_projection<Env> projection_{};
    [[no_unique_address]] detail::saved_lanes<Env> saved_{};
    [[no_unique_address]] detail::saved_inertia<Env> added_{};
    struct no_pushes {};
    [[no_unique_address]] std::conditional_t<facts::any_limits_of_lambda && linear_type::bounds, typename Env::template array<S, Env::max_rows>, no_pushes> pushes_{};  // of hits
};

}  // namespace sinew::inline v0
