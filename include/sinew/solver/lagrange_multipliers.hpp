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

#include <sinew/ode/problem.hpp>
#include <sinew/solver/friction_axes.hpp>
#include <sinew/solver/projection.hpp>
#include <sinew/solver/repeating_rows.hpp>
#include <sinew/solver/sparse_part.hpp>
#include <sinew/solver/turning_inertia.hpp>

namespace sinew::inline v0 {

namespace detail {
template <class A>
inline constexpr bool binds_rigid_v = false;
template <class... K>
inline constexpr bool binds_rigid_v<binds<K...>> = (std::same_as<K, rigid> || ...);
}  // namespace detail

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
    using rows_type = row_system<Env>;
    using place = typename rows_type::place;
    using facts = typename rows_type::facts;

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
        is_step_ = is_staggered_ = false;
        share_ = S(1);
        return solve_state(p, forces, particle_forces, kind);
    }
    /// The same for a step of symplectic Euler: see the head of this file.
    template <class P>
    constexpr solve_report<S> solve_step(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces, S const& h) {
        step_ = h;
        is_step_ = drift == drift_control::projection;
        is_staggered_ = !is_step_;
        share_ = is_step_ ? S(1) / S(2) : S(1) - feedback_damping * h / S(2);
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
        if (drift == drift_control::feedback) return {.iterations = 0, .residual = residual_, .full_rank = true};
        added_.take(rows_.added_inertia, p.bodies.size());
        return detail::run_guided<Env>(saved_, p, [&](auto& guide) {
            added_.give(rows_.added_inertia);
            auto const report = projection_.positions(p, rows_, linear, {projection_tolerance, projection_iterations}, guide, [&](std::span<S const> multipliers) {
                if (geometric_stiffness && is_step_) turning_.add_for_displacement(p, rows_, multipliers);
            });
            auto const add_impulses = [&](auto const& taken) {
                S const inverse_h = S(1) / h;
                rows_type::for_each(p, [&](auto& e, place const& at) {
                    for (std::size_t r = 0; r < rows_v<typename std::remove_cvref_t<decltype(e)>::constraint_type>; ++r)
                        e.lambda[r] = taken(e.lambda[r] + rows_.lambda[at.row + r] * inverse_h, e.lambda[r]);
                });
            };
            if (projection_.velocities(p, rows_, linear, projection_tolerance, h, guide)) add_impulses([](S const& sum, S const&) { return sum; });
            if constexpr (derivative_order_v<S> > 0) {
                projection_.derivatives(p, rows_, linear, projection_tolerance, true);
                add_impulses([](S const& sum, S const& before) { return with_value_of(sum, before); });
            }
            return report;
        });
    }

private:
    template <class P>
    constexpr bool impulses_of(P const& p, int passes, S const& behind) {
        if (!is_hit(p, behind)) return false;
        p.update_inverse_masses();
        rows_.update(p);
        gather_rates(p, behind);
        (void)linear.solve(p, rows_, true);
        if constexpr (facts::any_limits_of_lambda) {
            for (int pass = 0; pass < passes; ++pass) {
                if (!take_pushes(p, pass == 0)) break;
                (void)linear.solve(p, rows_, false);
            }
        }
        detail::push_bodies(p, rows_, v_);
        return true;
    }
    template <class P>
    constexpr solve_report<S> solve_state(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces, state_kind kind) {
        p.update_inverse_masses();
        rows_.update(p);
        if constexpr (facts::any_compliance) add_soft_forces(p, forces, particle_forces);
        find_free_accelerations(p, forces, particle_forces);
        add_turning_inertia(p, forces);
        solve_report<S> report;
        report.residual = gather(p, kind);
        linear_report r = linear.solve(p, rows_, true);
        report.iterations = r.iterations;
        if constexpr (facts::any_limits_of_lambda) {
            for (int pass = 0; pass < friction_passes; ++pass) {
                detail::renew_limits(
                    p, rows_, S(1), [&](auto const& e, place const& at, std::size_t i) { return force_of(e, at, i); }, [](auto const& limits, auto const&) { return limits; });
                r = linear.solve(p, rows_, false);
                report.iterations += r.iterations;
            }
        }
        report.full_rank = r.full_rank && !repeats_;
        apply(p, forces, particle_forces);
        return report;
    }

    // The multiplier of a row: of a soft one, which is no unknown, that of its spring and damper.
    template <class E>
    constexpr S force_of(E const& e, place const& at, std::size_t r) const {
        if constexpr (has_compliance<typename E::constraint_type>)
            if (all(compliance_of<S>(e.constraint)[r] > S(0))) return e.lambda[r];
        return rows_.lambda[at.row + r];
    }

    // Bounds from the impulses that were found, or halfway to them from those before. Whether any have changed. The multipliers of the constraints stay what they
    // are: soft ones take their friction from them.
    template <class P>
    constexpr bool take_pushes(P const& p, bool first) {
        S most(0), change(0);
        if (first) pushes_.resize(rows_.lambda.size());
        rows_type::template for_each_of<detail::limited_by_others<S>::template of>(p, [&](auto const& e, place const& at) {
            for (std::size_t r = at.row; r < at.row + e.lambda.size(); ++r) {
                S const found = rows_.lambda[r], last = first ? S(0) : pushes_[r];
                pushes_[r] = first ? found : (last + found) / S(2);
                most = max(most, abs(found));
                change = max(change, abs(found - last));
            }
        });
        detail::renew_limits(
            p, rows_, S(1), [&](auto const&, place const& at, std::size_t r) { return pushes_[at.row + r]; },
            [](auto const& limits, auto const& at_rest) { return impulse_limits(limits, at_rest); });
        return change > most * S(64) * sqrt(epsilon_v<S>);
    }

    template <class K>
    using access = detail::attachment_access<K>;

    // J^T x of an attachment to where the forces are.
    template <class P, class K>
    static constexpr void add_force(P const& p, K, std::uint32_t i, vec<S, K::dof> const& f, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        if constexpr (std::same_as<K, rigid>) {
            forces[i] += {access<K>::linear_part(f), access<K>::angular_part(f)};
        } else if constexpr (std::same_as<K, point_mass>) {
            particle_forces[i] += f;
        } else {
            if (access<K>::movable(p, i)) access<K>::force(p, i) += f;
        }
    }
    template <class P>
    constexpr void add_soft_forces(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        rows_type::template for_each_of<is_soft>(p, [&](auto& e, place const&) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            auto const alpha = compliance_of<S>(e.constraint);
            auto const damping = damping_of<S>(e.constraint);
            auto const c = detail::entry_error(p, e);
            auto const c_dot = detail::entry_rate(p, e);
            auto const limits = detail::entry_limits(p, e, e.lambda);
            vec<S, M> lambda{};
            for (std::size_t r = 0; r < M; ++r) {
                if (!all(alpha[r] > S(0))) continue;
                e.lambda[r] = clamp(-c[r] / alpha[r] - damping[r] * c_dot[r], limits.lower[r], limits.upper[r]);
                lambda[r] = e.lambda[r];
            }
            auto const f = transpose_times(entry_jacobian(p, e), lambda);
            for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
                using K = decltype(kind);
                vec<S, K::dof> one;
                for (std::size_t k = 0; k < K::dof; ++k) one[k] = f[at + k];
                add_force(p, kind, i, one, forces, particle_forces);
            });
        });
    }

    // (I omega) x omega, in the world.
    template <class P>
    [[nodiscard]] static constexpr vec3<S> gyroscopic(P const& p, std::uint32_t i) noexcept {
        auto const& state = p.bodies[i];
        vec3<S> const w = state.pose.local_direction(state.twist.angular);
        return state.pose.direction(cross(p.masses[i].inertia * w, w));
    }
    // W Q: what the bodies would do without constraints.
    template <class P>
    constexpr void find_free_accelerations(P const& p, std::span<wrench<S> const> forces, std::span<vec3<S> const> particle_forces) {
        rows_.clear(p, v_);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            auto& a = v_[p.node(kind, i)];
            if constexpr (std::same_as<K, rigid>) {
                detail::set_head(a, access<K>::weigh(p, i, access<K>::joined(forces[i].force, forces[i].torque + gyroscopic(p, i) * share_)));
            } else if constexpr (std::same_as<K, point_mass>) {
                detail::set_head(a, access<K>::weigh(p, i, particle_forces[i]));
            } else {
                detail::set_head(a, access<K>::weigh(p, i, access<K>::force(p, i) + access<K>::velocity_force(p, i) * (is_staggered_ ? share_ : S(1))));
            }
        });
    }

    // W g: what changes a velocity in the drift.
    template <class P, class K>
    [[nodiscard]] constexpr vec<S, K::dof> turned_by_drift(P const& p, K, std::uint32_t i) const noexcept {
        if constexpr (std::same_as<K, rigid>)
            return access<K>::weigh(p, i, access<K>::joined(vec3<S>{}, gyroscopic(p, i)));
        else if constexpr (std::same_as<K, point_mass>)
            return {};
        else
            return access<K>::weigh(p, i, access<K>::velocity_force(p, i));
    }

    // Inertia for light links, and the torques that bring velocities to it.
    template <class P>
    constexpr void add_turning_inertia(P const& p, std::span<wrench<S>> forces) {
        rows_.added_inertia.clear();
        if (!is_step_ || !geometric_stiffness) return;
        turning_.add(p, rows_, step_, [&](std::uint32_t i, vec3<S> const& change, vec3<S> const& of_momentum, [[maybe_unused]] auto const& lanes) {
            vec3<S> const a = change / step_;
            auto& free = v_[p.node(rigid{}, i)];
            for (std::size_t k = 0; k < 3; ++k) {
                if constexpr (has_lanes_v<S>)
                    free[3 + k] = select(lanes, free[3 + k] + a[k], free[3 + k]);
                else
                    free[3 + k] = free[3 + k] + a[k];
            }
            if constexpr (has_lanes_v<S>)
                forces[i].torque = select(lanes, forces[i].torque + of_momentum / step_, forces[i].torque);
            else
                forces[i].torque += of_momentum / step_;
        });
    }

    // to += J u, with u(kind, body) of each of its bodies.
    template <class E, class V, class F>
    constexpr void add_pull(E const& e, place const& at, V& to, F const& u) {
        using C = typename E::constraint_type;
        rows_.for_each_block(e, at, [&](auto k, std::uint32_t i, S const* J, std::uint32_t) { to += typename rows_type::template block_of<C, decltype(k)>{J}.times(u(k, i)); });
    }
    // Whether a constraint is that of the step before, moved on. The points of a contact are found anew in each: there J v is C_dot.
    template <class C>
    static constexpr bool moves_on_v = !presses_and_rubs<C, S>;

    // J, b and bounds of all hard rows; the largest error.
    template <class P>
    constexpr S gather(P const& p, state_kind kind) {
        residual_ = S(0);
        repeats_ = false;
        rows_type::for_each(p, [&](auto& e, place const& at) {
            if constexpr (detail::has_friction_axes<typename std::remove_cvref_t<decltype(e)>::constraint_type, S>)
                if (kind == state_kind::regular) turn_friction(p, e, at);
            gather_entry(p, e, at, kind);
            soften_repeating(p, e, at);
        });
        return residual_;
    }
    // What others between the same bodies say as well, but for the drift.
    template <class P, class E>
    constexpr void soften_repeating(P const& p, E const& e, place const& at) {
        if constexpr (detail::shares_v<linear_type>) return;
        if (rows_.constraints()[at.constraint].beside == rows_type::none) return;
        bool const repeats = detail::soften_repeating_rows(p, rows_, e, at);
        repeats_ = repeats_ || repeats;
    }
    // Along the slip, or along what would slip next.
    template <class P, class E>
    constexpr void turn_friction(P const& p, E& e, place const& at) {
        if (detail::turn_friction(e.constraint, detail::entry_rate(p, e), detail::least_slip<S>())) return;
        rows_.set_jacobian(p, e, at);
        vec<S, 3> pull{};
        add_pull(e, at, pull, [&](auto k, std::uint32_t i) { return vec<S, decltype(k)::dof>(detail::head<decltype(k)>(v_[p.node(k, i)])); });
        (void)detail::turn_friction(e.constraint, pull, detail::least_slip<S>());
    }
    template <class P, class E>
    constexpr void gather_entry(P const& p, E const& e, place const& at, state_kind kind) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        constexpr bool is_plain = !is_bounded_v<C, S> && !has_compliance<C>;
        constexpr bool own_rate = has_rate<C, S> || !is_plain;
        auto const poses = poses_of(p, e);
        auto const twists = twists_of(p, e);
        rows_.set_jacobian(p, e, at);
        vec<S, M> const c = detail::entry_error(p, e);
        vec<S, M> const turning = jacobian_rate_of(e.constraint, poses, twists);
        vec<S, M> b = -(is_step_ ? turning * turning_share(p, e, at, turning) : moves_on_v<C> && is_staggered_ ? turning * share_ : turning);
        // J (W Q + k_d v), or J W Q where c_dot is not J v alone.
        rows_.for_each_block(e, at, [&](auto k, std::uint32_t i, S const* J, std::uint32_t) {
            using K = decltype(k);
            vec<S, K::dof> u = detail::head<K>(v_[p.node(k, i)]);
            if constexpr (!own_rate) u += access<K>::velocity(p, i) * feedback_damping;
            if constexpr (!moves_on_v<C>)
                if (is_staggered_) u += turned_by_drift(p, k, i) * (S(1) - share_);
            b -= typename rows_type::template block_of<C, K>{J}.times(u);
        });
        vec<S, M> c_dot{};
        if constexpr (own_rate) c_dot = rate_of(e.constraint, poses, twists);
        if constexpr (is_plain) {
            for (std::size_t r = 0; r < M; ++r) {
                residual_ = max(residual_, abs(is_holonomic_v<C, S> ? c[r] : c_dot[r]));
                rows_.b[at.row + r] = b[r] - feedback_stiffness * c[r] - feedback_damping * c_dot[r];
            }
        } else {
            auto const alpha = compliance_of<S>(e.constraint);
            auto const limits = detail::entry_limits(p, e, vec<S, M>{});
            for (std::size_t r = 0; r < M; ++r) gather_row(e, at, r, alpha[r], c[r], c_dot[r], b[r], limits.lower[r], limits.upper[r], kind);
        }
    }
    // How much of J_dot v the forces bring about; the head of this file says why.
    template <class P, class E, std::size_t M>
    [[nodiscard]] constexpr S turning_share(P const& p, E const& e, place const& at, vec<S, M> const& turning) {
        S squared(0);  // rad^2/s^2
        if constexpr (detail::binds_rigid_v<attachments_t<typename E::constraint_type>>) {
            for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
                if constexpr (std::same_as<decltype(kind), rigid>) squared = max(squared, squared_norm(p.bodies[i].twist.angular));
            });
        } else {
            // |J_dot v| over |J| |v|: v as seen from the others, since a common velocity turns nothing.
            vec3<S> mean{};
            constexpr std::size_t n = attachments_t<typename E::constraint_type>::size;
            if constexpr (n > 1)
                for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
                    if constexpr (std::same_as<decltype(kind), point_mass>) mean += p.particles[i].velocity / S(value_type_t<S>(n));
                });
            S moved(0);
            rows_.for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t) {
                auto v = access<decltype(kind)>::velocity(p, i);
                if constexpr (std::same_as<decltype(kind), point_mass>) v -= mean;
                typename rows_type::template block_of<typename E::constraint_type, decltype(kind)> const b{J};
                S j(0);
                for (std::size_t r = 0; r < M; ++r) j = j + squared_norm(b.row(r));
                moved = moved + j * squared_norm(v);
            });
            squared = select(moved > S(0), squared_norm(turning) / select(moved > S(0), moved, S(1)), S(0));
        }
        S const angle = squared * step_ * step_ / (turning_limit * turning_limit);
        return max(S(1) - angle * angle, S(0)) / S(2);
    }
    template <class E>
    constexpr void gather_row(E const& e, place const& at, std::size_t r, S const& alpha, S const& c, S const& c_dot, S const& b, S const& lower, S const& upper,
                              state_kind state) {
        using detail::row_bounds;
        using C = typename E::constraint_type;
        std::size_t const row = at.row + r;
        if (all(alpha > S(0))) return rows_.set_idle(e, at, r);
        row_bounds const kind = detail::bounds_kind(lower, upper);
        // A friction row without other multipliers may not act: it is not known yet.
        bool const waits = has_limits_of_lambda_v<C> && kind == row_bounds::none;
        S const error = is_holonomic_v<C, S> ? c : c_dot;
        if (kind == row_bounds::pushes || kind == row_bounds::pulls) {
            S const side = kind == row_bounds::pushes ? S(1) : S(-1);
            bool reached = all(side * c <= limit_tolerance);
            if (state == state_kind::intermediate) reached = rows_.use[row] != row_use::idle;
            residual_ = max(residual_, -side * error);
            if (!reached) return rows_.set_idle(e, at, r);
        } else if (kind == row_bounds::none && !waits) {
            return rows_.set_idle(e, at, r);
        } else if (!waits) {
            residual_ = max(residual_, abs(error));
        }
        rows_.set_active(row, S(0), lower, upper);
        rows_.b[row] = b - feedback_stiffness * c - feedback_damping * c_dot;
    }

    // What of a bound holds for impulses: all of an infinite one, nothing of a given force, and what grows with other multipliers.
    template <std::size_t M>
    [[nodiscard]] static constexpr bounds<S, M> impulse_limits(bounds<S, M> const& limits, bounds<S, M> const& at_rest) noexcept {
        bounds<S, M> r = limits;
        for (std::size_t i = 0; i < M; ++i) {
            if (limits.lower[i] > -infinity_v<S>) r.lower[i] = min(limits.lower[i] - at_rest.lower[i], S(0));
            if (limits.upper[i] < infinity_v<S>) r.upper[i] = max(limits.upper[i] - at_rest.upper[i], S(0));
        }
        return r;
    }

    template <class P>
    constexpr void apply(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        rows_type::for_each(p, [&](auto& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            S const* const lambda = rows_.lambda.data() + at.row;
            if constexpr (has_compliance<C>) {
                auto const alpha = compliance_of<S>(e.constraint);
                for (std::size_t r = 0; r < M; ++r)
                    if (!all(alpha[r] > S(0))) e.lambda[r] = lambda[r];
            } else {
                for (std::size_t r = 0; r < M; ++r) e.lambda[r] = lambda[r];
            }
            rows_.for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t) {
                using K = decltype(kind);
                auto f = typename rows_type::template block_of<C, K>{J}.transpose_times(lambda);
                if constexpr (std::same_as<K, rigid>)
                    if (auto const adds = rows_.adds_to(i); any(adds)) {
                        vec3<S> const torque = access<K>::angular_part(f), less = torque - rows_.added_inertia[i] * (p.inverse_masses[i].angular * torque);
                        if constexpr (has_lanes_v<S>)
                            f = access<K>::joined(access<K>::linear_part(f), select(adds, less, torque));
                        else
                            f = access<K>::joined(access<K>::linear_part(f), less);
                    }
                add_force(p, kind, i, f, forces, particle_forces);
            });
        });
    }

    // Whether some inequality is reached with a speed.
    template <class P>
    constexpr bool is_hit(P const& p, S const& behind) {
        bool hit = false;
        rows_type::template for_each_of<is_bounded>(p, [&](auto const& e, place const&) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            auto const limits = detail::entry_limits(p, e, vec<S, M>{});
            auto const c = detail::entry_error(p, e);
            auto const alpha = compliance_of<S>(e.constraint);
            bool near = false;
            for (std::size_t r = 0; r < M; ++r) near = near || (side_of(limits.lower[r], limits.upper[r]) * c[r] <= limit_tolerance);
            if (!near) return;
            vec<S, M> c_dot = detail::entry_rate(p, e);
            if constexpr (moves_on_v<C>)  // without J W g: what that hides costs a solve that finds nothing
                if (any(behind > S(0))) c_dot -= jacobian_rate_of(e.constraint, poses_of(p, e), twists_of(p, e)) * behind;
            for (std::size_t r = 0; r < M; ++r) {
                S const side = side_of(limits.lower[r], limits.upper[r]);
                hit = hit || (!(alpha[r] > S(0)) && side * c[r] <= limit_tolerance && side * c_dot[r] < -limit_tolerance);
            }
        });
        return hit;
    }
    // +1 for c >= 0, -1 for c <= 0, 0 for what is no inequality.
    [[nodiscard]] static constexpr S side_of(S const& lower, S const& upper) noexcept {
        auto const kind = detail::bounds_kind(lower, upper);
        return kind == detail::row_bounds::pushes ? S(1) : kind == detail::row_bounds::pulls ? S(-1) : S(0);
    }
    // behind: by how long velocities are behind positions.
    template <class P>
    constexpr void gather_rates(P const& p, S const& behind) {
        rows_type::for_each(p, [&](auto& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            if constexpr (detail::has_friction_axes<C, S>) (void)detail::turn_friction(e.constraint, detail::entry_rate(p, e), detail::least_slip<S>());
            rows_.set_jacobian(p, e, at);
            auto const c_dot = detail::entry_rate(p, e);
            for (std::size_t r = 0; r < M; ++r) rows_.b[at.row + r] = -c_dot[r];
            if constexpr (moves_on_v<C>) {
                if (any(behind > S(0))) {
                    vec<S, M> turning = jacobian_rate_of(e.constraint, poses_of(p, e), twists_of(p, e));
                    add_pull(e, at, turning, [&](auto k, std::uint32_t i) { return turned_by_drift(p, k, i); });
                    for (std::size_t r = 0; r < M; ++r) rows_.b[at.row + r] = rows_.b[at.row + r] + turning[r] * behind;
                }
            }
            if constexpr (is_bounded_v<C, S> || has_compliance<C>) {
                auto const alpha = compliance_of<S>(e.constraint);
                auto const c = detail::entry_error(p, e);
                auto const given = detail::entry_limits(p, e, vec<S, M>{});
                auto const limits = impulse_limits(given, given);
                for (std::size_t r = 0; r < M; ++r) {
                    S const side = side_of(given.lower[r], given.upper[r]);
                    bool const waits = has_limits_of_lambda_v<C> && side == S(0);
                    bool const gives = limits.lower[r] < S(0) || limits.upper[r] > S(0) || waits;
                    if (alpha[r] > S(0) || !gives || side * c[r] > limit_tolerance)
                        rows_.set_idle(e, at, r);
                    else
                        rows_.set_active(at.row + r, S(0), limits.lower[r], limits.upper[r]);
                }
            }
            soften_repeating(p, e, at);
        });
    }

    template <class C>
    static constexpr bool has_limits_of_lambda_v = detail::has_limits_of_lambda_v<C, S>;
    template <class C>
    struct is_bounded : std::bool_constant<is_bounded_v<C, S>> {};
    template <class C>
    struct is_soft : std::bool_constant<has_compliance<C>> {};

    rows_type rows_{};
    detail::constraint_projection<Env, linear_type> projection_{};
    detail::turning_inertia<Env> turning_{};
    [[no_unique_address]] detail::saved_lanes<Env> saved_{};
    [[no_unique_address]] detail::saved_inertia<Env> added_{};
    typename rows_type::node_vectors v_{};
    struct no_pushes {};
    [[no_unique_address]] std::conditional_t<facts::any_limits_of_lambda && linear_type::bounds, typename Env::template array<S, Env::max_rows>, no_pushes> pushes_{};  // of hits
    S residual_{};
    bool repeats_ = false;  // some row another
    S step_{};              // s, of a step of symplectic Euler
    S share_{1};            // of gyroscopic torques, and without projection of J_dot v, that which forces answer; the rest is feedback's, or projection's
    bool is_step_ = false, is_staggered_ = false;  // whether this is one with projection; without
};

}  // namespace sinew::inline v0
