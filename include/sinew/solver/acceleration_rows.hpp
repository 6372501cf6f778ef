#pragma once
// The rows of constraints at acceleration level, of forces or of the impulses of a hit, whatever linear part solves them: see lagrange_multipliers.hpp.

#include <sinew/ode/problem.hpp>
#include <sinew/solver/friction_axes.hpp>
#include <sinew/solver/projection.hpp>
#include <sinew/solver/repeating_rows.hpp>
#include <sinew/solver/turning_inertia.hpp>

#include <span>

namespace sinew::inline v0::detail {

template <class A>
inline constexpr bool binds_rigid_v = false;
template <class... K>
inline constexpr bool binds_rigid_v<binds<K...>> = (std::same_as<K, rigid> || ...);

/// Env: the world's environment. Softens: rows that repeat others are softened, see repeating_rows.hpp; some linear parts share the load between such rows themselves.
template <class Env, bool Softens>
struct acceleration_rows {
    using S = typename Env::scalar;
    using rows_type = row_system<Env>;
    using place = typename rows_type::place;

    /// Of the strategy.
    struct numbers {
        S const &stiffness, &damping;  // of feedback, 1/s^2 and 1/s
        S const &turning_limit, &limit_tolerance;
    };

    rows_type rows{};
    turning_inertia<Env> light{};
    typename rows_type::node_vectors work{};  // W Q, and what else is wanted of all bodies
    S residual{};
    bool repeats = false;  // some row another
    S step{};              // s, of a step of symplectic Euler
    S share{1};            // of gyroscopic torques, and without projection of J_dot v, that which forces answer; the rest is feedback's, or projection's
    bool is_step = false, is_staggered = false;  // whether this is one with projection; without

    // The multiplier of a row: of a soft one, which is no unknown, that of its spring and damper.
    template <class E>
    constexpr S force_of(E const& e, place const& at, std::size_t r) const {
        if constexpr (has_compliance<typename E::constraint_type>)
            if (all(compliance_of<S>(e.constraint)[r] > S(0))) return e.lambda[r];
        return rows.lambda[at.row + r];
    }

    template <class K>
    using access = attachment_access<K>;

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
            auto const c = entry_error(p, e);
            auto const c_dot = entry_rate(p, e);
            auto const limits = entry_limits(p, e, e.lambda);
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
        rows.clear(p, work);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            auto& a = work[p.node(kind, i)];
            if constexpr (std::same_as<K, rigid>) {
                set_head(a, access<K>::weigh(p, i, access<K>::joined(forces[i].force, forces[i].torque + gyroscopic(p, i) * share)));
            } else if constexpr (std::same_as<K, point_mass>) {
                set_head(a, access<K>::weigh(p, i, particle_forces[i]));
            } else {
                set_head(a, access<K>::weigh(p, i, access<K>::force(p, i) + access<K>::velocity_force(p, i) * (is_staggered ? share : S(1))));
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
    constexpr void add_turning_inertia(P const& p, std::span<wrench<S>> forces, bool adds) {
        rows.added_inertia.clear();
        if (!is_step || !adds) return;
        light.add(p, rows, step, [&](std::uint32_t i, vec3<S> const& change, vec3<S> const& of_momentum, [[maybe_unused]] auto const& lanes) {
            vec3<S> const a = change / step;
            auto& free = work[p.node(rigid{}, i)];
            for (std::size_t k = 0; k < 3; ++k) {
                if constexpr (has_lanes_v<S>)
                    free[3 + k] = select(lanes, free[3 + k] + a[k], free[3 + k]);
                else
                    free[3 + k] = free[3 + k] + a[k];
            }
            if constexpr (has_lanes_v<S>)
                forces[i].torque = select(lanes, forces[i].torque + of_momentum / step, forces[i].torque);
            else
                forces[i].torque += of_momentum / step;
        });
    }

    // to += J u, with u(kind, body) of each of its bodies.
    template <class E, class V, class F>
    constexpr void add_pull(E const& e, place const& at, V& to, F const& u) {
        using C = typename E::constraint_type;
        rows.for_each_block(e, at, [&](auto k, std::uint32_t i, S const* J, std::uint32_t) { to += typename rows_type::template block_of<C, decltype(k)>{J}.times(u(k, i)); });
    }
    // Whether a constraint is that of the step before, moved on. The points of a contact are found anew in each: there J v is C_dot.
    template <class C>
    static constexpr bool moves_on_v = !presses_and_rubs<C, S>;

    // J, b and bounds of all hard rows; the largest error.
    template <class P>
    constexpr S gather(P const& p, state_kind kind, numbers const& by) {
        residual = S(0);
        repeats = false;
        rows_type::for_each(p, [&](auto& e, place const& at) {
            if constexpr (has_friction_axes<typename std::remove_cvref_t<decltype(e)>::constraint_type, S>)
                if (kind == state_kind::regular) turn_along_slip(p, e, at);
            gather_entry(p, e, at, kind, by);
            soften_repeating(p, e, at);
        });
        return residual;
    }
    // What others between the same bodies say as well, but for the drift.
    template <class P, class E>
    constexpr void soften_repeating(P const& p, E const& e, place const& at) {
        if constexpr (!Softens) return;
        if (rows.constraints()[at.constraint].beside == rows_type::none) return;
        bool const one = soften_repeating_rows(p, rows, e, at);
        repeats = repeats || one;
    }
    // Along the slip, or along what would slip next.
    template <class P, class E>
    constexpr void turn_along_slip(P const& p, E& e, place const& at) {
        if (detail::turn_friction(e.constraint, entry_rate(p, e), least_slip<S>())) return;
        rows.set_jacobian(p, e, at);
        vec<S, 3> pull{};
        add_pull(e, at, pull, [&](auto k, std::uint32_t i) { return vec<S, decltype(k)::dof>(head<decltype(k)>(work[p.node(k, i)])); });
        (void)detail::turn_friction(e.constraint, pull, least_slip<S>());
    }
    template <class P, class E>
    constexpr void gather_entry(P const& p, E const& e, place const& at, state_kind kind, numbers const& by) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        constexpr bool is_plain = !is_bounded_v<C, S> && !has_compliance<C>;
        constexpr bool own_rate = has_rate<C, S> || !is_plain;
        auto const poses = poses_of(p, e);
        auto const twists = twists_of(p, e);
        rows.set_jacobian(p, e, at);
        vec<S, M> const c = entry_error(p, e);
        vec<S, M> const turning = jacobian_rate_of(e.constraint, poses, twists);
        vec<S, M> b = -(is_step ? turning * turning_share(p, e, at, turning, by.turning_limit) : moves_on_v<C> && is_staggered ? turning * share : turning);
        // J (W Q + k_d v), or J W Q where c_dot is not J v alone.
        rows.for_each_block(e, at, [&](auto k, std::uint32_t i, S const* J, std::uint32_t) {
            using K = decltype(k);
            vec<S, K::dof> u = head<K>(work[p.node(k, i)]);
            if constexpr (!own_rate) u += access<K>::velocity(p, i) * by.damping;
            if constexpr (!moves_on_v<C>)
                if (is_staggered) u += turned_by_drift(p, k, i) * (S(1) - share);
            b -= typename rows_type::template block_of<C, K>{J}.times(u);
        });
        vec<S, M> c_dot{};
        if constexpr (own_rate) c_dot = rate_of(e.constraint, poses, twists);
        if constexpr (is_plain) {
            for (std::size_t r = 0; r < M; ++r) {
                residual = max(residual, abs(is_holonomic_v<C, S> ? c[r] : c_dot[r]));
                rows.b[at.row + r] = b[r] - by.stiffness * c[r] - by.damping * c_dot[r];
            }
        } else {
            auto const alpha = compliance_of<S>(e.constraint);
            auto const limits = entry_limits(p, e, vec<S, M>{});
            for (std::size_t r = 0; r < M; ++r) gather_row(e, at, r, alpha[r], c[r], c_dot[r], b[r], limits.lower[r], limits.upper[r], kind, by);
        }
    }
    // How much of J_dot v the forces bring about; the head of lagrange_multipliers.hpp says why.
    template <class P, class E, std::size_t M>
    [[nodiscard]] constexpr S turning_share(P const& p, E const& e, place const& at, vec<S, M> const& turning, S const& limit) {
        S squared(0);  // rad^2/s^2
        if constexpr (binds_rigid_v<attachments_t<typename E::constraint_type>>) {
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
            rows.for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t) {
                auto v = access<decltype(kind)>::velocity(p, i);
                if constexpr (std::same_as<decltype(kind), point_mass>) v -= mean;
                typename rows_type::template block_of<typename E::constraint_type, decltype(kind)> const b{J};
                S j(0);
                for (std::size_t r = 0; r < M; ++r) j = j + squared_norm(b.row(r));
                moved = moved + j * squared_norm(v);
            });
            squared = select(moved > S(0), squared_norm(turning) / select(moved > S(0), moved, S(1)), S(0));
        }
        S const angle = squared * step * step / (limit * limit);
        return max(S(1) - angle * angle, S(0)) / S(2);
    }
    template <class E>
    constexpr void gather_row(E const& e, place const& at, std::size_t r, S const& alpha, S const& c, S const& c_dot, S const& b, S const& lower, S const& upper,
                              state_kind state, numbers const& by) {
        using C = typename E::constraint_type;
        std::size_t const row = at.row + r;
        if (all(alpha > S(0))) return rows.set_idle(e, at, r);
        row_bounds const kind = bounds_kind(lower, upper);
        // A friction row without other multipliers may not act: it is not known yet.
        bool const waits = has_limits_of_lambda_v<C, S> && kind == row_bounds::none;
        S const error = is_holonomic_v<C, S> ? c : c_dot;
        if (kind == row_bounds::pushes || kind == row_bounds::pulls) {
            S const side = kind == row_bounds::pushes ? S(1) : S(-1);
            bool reached = all(side * c <= by.limit_tolerance);
            if (state == state_kind::intermediate) reached = rows.use[row] != row_use::idle;
            residual = max(residual, -side * error);
            if (!reached) return rows.set_idle(e, at, r);
        } else if (kind == row_bounds::none && !waits) {
            return rows.set_idle(e, at, r);
        } else if (!waits) {
            residual = max(residual, abs(error));
        }
        rows.set_active(row, S(0), lower, upper);
        rows.b[row] = b - by.stiffness * c - by.damping * c_dot;
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

    // The impulses of a projection are added to the multipliers, over h. Without values: their derivatives alone, where numbers carry any.
    template <class P>
    constexpr void add_impulses(P const& p, S const& h, [[maybe_unused]] bool values) {
        S const inverse_h = S(1) / h;
        rows_type::for_each(p, [&](auto& e, place const& at) {
            for (std::size_t r = 0; r < rows_v<typename std::remove_cvref_t<decltype(e)>::constraint_type>; ++r) {
                S const sum = e.lambda[r] + rows.lambda[at.row + r] * inverse_h;
                if constexpr (derivative_order_v<S> > 0)
                    e.lambda[r] = values ? sum : with_value_of(sum, e.lambda[r]);
                else
                    e.lambda[r] = sum;
            }
        });
    }
    template <class P>
    constexpr void apply(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        rows_type::for_each(p, [&](auto& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            S const* const lambda = rows.lambda.data() + at.row;
            if constexpr (has_compliance<C>) {
                auto const alpha = compliance_of<S>(e.constraint);
                for (std::size_t r = 0; r < M; ++r)
                    if (!all(alpha[r] > S(0))) e.lambda[r] = lambda[r];
            } else {
                for (std::size_t r = 0; r < M; ++r) e.lambda[r] = lambda[r];
            }
            rows.for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t) {
                using K = decltype(kind);
                auto f = typename rows_type::template block_of<C, K>{J}.transpose_times(lambda);
                if constexpr (std::same_as<K, rigid>)
                    if (auto const adds = rows.adds_to(i); any(adds)) {
                        vec3<S> const torque = access<K>::angular_part(f), less = torque - rows.added_inertia[i] * (p.inverse_masses[i].angular * torque);
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
    constexpr bool is_hit(P const& p, S const& behind, S const& tolerance) const {
        bool hit = false;
        rows_type::template for_each_of<is_bounded>(p, [&](auto const& e, place const&) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            auto const limits = entry_limits(p, e, vec<S, M>{});
            auto const c = entry_error(p, e);
            auto const alpha = compliance_of<S>(e.constraint);
            bool near = false;
            for (std::size_t r = 0; r < M; ++r) near = near || (side_of(limits.lower[r], limits.upper[r]) * c[r] <= tolerance);
            if (!near) return;
            vec<S, M> c_dot = entry_rate(p, e);
            if constexpr (moves_on_v<C>)  // without J W g: what that hides costs a solve that finds nothing
                if (any(behind > S(0))) c_dot -= jacobian_rate_of(e.constraint, poses_of(p, e), twists_of(p, e)) * behind;
            for (std::size_t r = 0; r < M; ++r) {
                S const side = side_of(limits.lower[r], limits.upper[r]);
                hit = hit || (!(alpha[r] > S(0)) && side * c[r] <= tolerance && side * c_dot[r] < -tolerance);
            }
        });
        return hit;
    }
    // +1 for c >= 0, -1 for c <= 0, 0 for what is no inequality.
    [[nodiscard]] static constexpr S side_of(S const& lower, S const& upper) noexcept {
        auto const kind = bounds_kind(lower, upper);
        return kind == row_bounds::pushes ? S(1) : kind == row_bounds::pulls ? S(-1) : S(0);
    }
    // behind: by how long velocities are behind positions.
    template <class P>
    constexpr void gather_rates(P const& p, S const& behind, S const& tolerance) {
        rows_type::for_each(p, [&](auto& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            if constexpr (has_friction_axes<C, S>) (void)detail::turn_friction(e.constraint, entry_rate(p, e), least_slip<S>());
            rows.set_jacobian(p, e, at);
            auto const c_dot = entry_rate(p, e);
            for (std::size_t r = 0; r < M; ++r) rows.b[at.row + r] = -c_dot[r];
            if constexpr (moves_on_v<C>) {
                if (any(behind > S(0))) {
                    vec<S, M> turning = jacobian_rate_of(e.constraint, poses_of(p, e), twists_of(p, e));
                    add_pull(e, at, turning, [&](auto k, std::uint32_t i) { return turned_by_drift(p, k, i); });
                    for (std::size_t r = 0; r < M; ++r) rows.b[at.row + r] = rows.b[at.row + r] + turning[r] * behind;
                }
            }
            if constexpr (is_bounded_v<C, S> || has_compliance<C>) {
                auto const alpha = compliance_of<S>(e.constraint);
                auto const c = entry_error(p, e);
                auto const given = entry_limits(p, e, vec<S, M>{});
                auto const limits = impulse_limits(given, given);
                for (std::size_t r = 0; r < M; ++r) {
                    S const side = side_of(given.lower[r], given.upper[r]);
                    bool const waits = has_limits_of_lambda_v<C, S> && side == S(0);
                    bool const gives = limits.lower[r] < S(0) || limits.upper[r] > S(0) || waits;
                    if (alpha[r] > S(0) || !gives || side * c[r] > tolerance)
                        rows.set_idle(e, at, r);
                    else
                        rows.set_active(at.row + r, S(0), limits.lower[r], limits.upper[r]);
                }
            }
            soften_repeating(p, e, at);
        });
    }

    template <class C>
    struct is_bounded : std::bool_constant<is_bounded_v<C, S>> {};
    template <class C>
    struct is_soft : std::bool_constant<has_compliance<C>> {};
};

}  // namespace sinew::inline v0::detail
