#pragma once
// Non-linear Gauss-Seidel on positions: Waterson 2026, Algorithm 1, with the compliance of XPBD.
//
//   X       predicted poses, displaced in place           h   time step, s
//   lambda  multipliers, N; here as p = lambda h^2         W   inverse masses
//   c       error at the displaced poses                   xi  relaxation
//   alpha~ = compliance / h^2 + regularisation,  gamma = alpha~ damping h
//
//   dp = -xi (alpha~ + (1 + gamma) J W J^T)^-1 (c + alpha~ p + gamma J dx),  X += W J^T dp        (eq. 4.73, 6.35, 6.36)
//
// where dx = v h is the displacement since the start of the step. A constraint is solved as a block of all its rows; one
// with bounds row by row. A velocity-level constraint takes part with c = h rate (eq. 4.82, which lacks the factor h).
//
// Departures from the printed text: gamma = alpha~ damping h needs B h^2 = beta~ in (6.33), not B h; the velocity in the
// last line of (4.8) changes by dX / h without J_L^-1.
//
// Linear momentum is kept to rounding. Angular momentum: see angular_momentum_balance.hpp. Spins are carried as momenta
// through the change of pose. So an isolated system keeps both to rounding, whatever the relaxation, if each J^T dp has no
// net wrench at the pose where it is applied: the scalar point-to-point form, not the vector form under-relaxed.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/solver/angular_momentum_balance.hpp>
#include <sinew/solver/row_block.hpp>

namespace sinew::inline v0 {

/// When Jacobians and effective masses are evaluated. Constraints with a moving normal are evaluated every iteration.
enum class evaluate : unsigned char { every_step, every_iteration };
/// Where velocity-level constraints are solved: among the positions, or after them on velocities alone (Waterson 4.11).
enum class velocity_rows : unsigned char { in_loop, after };

/// The strategy: position level, iterative, any constraint.
struct nonlinear_gauss_seidel {
    template <class Env>
    class strategy;
};

namespace detail {

// Rows and their weights at one pose.
template <class C, class S>
struct linearised {
    jacobian_t<C, S> J{};
    mat<S, rows_v<C>, rows_v<C>> K{};  // J M^-1 J^T; its inverse where the constraint gives it
};

// Whether the constraint's own effective mass is used. A block with bounds is solved row by row and needs J M^-1 J^T itself.
template <class C, class S>
inline constexpr bool inverts_itself_v = has_effective_mass_v<C, S> && (rows_v<C> == 1 || !is_bounded_v<C, S>);

}  // namespace detail

template <class Env>
class nonlinear_gauss_seidel::strategy {
public:
    using S = typename Env::scalar;
    static constexpr solver_level level = solver_level::position;
    static constexpr solver_abilities abilities{};

    int iterations = 10;                                ///< sweeps over all constraints
    int substeps = 1;                                   ///< predictions and solves in one step
    S relaxation{1};                                    ///< xi: below 1 under-relaxed, above 1 SOR, below 2 always (eq. 4.75)
    bool adaptive = false;                              ///< xi follows the residual from sweep to sweep (Waterson 4.9.3)
    S warm_start{0};                                    ///< fraction of the last multipliers to start from (Waterson 4.10)
    S regularization{0};                                ///< Tikhonov's epsilon, 1/kg (eq. 4.24)
    evaluate jacobian = evaluate::every_iteration;      ///< when J is evaluated
    velocity_rows velocity = velocity_rows::in_loop;    ///< where velocity-level constraints are solved
    int velocity_iterations = 10;                       ///< sweeps of the separate velocity solve
    S tolerance{0};                                     ///< stop when no |error| is above it
    bool conserve_angular_momentum = true;              ///< see angular_momentum_balance.hpp
    bool modified_inertia = false;                      ///< displacements by I~ of eq. 4.17 instead of I: for fast spins in long steps

    /// Why the tuning numbers cannot be. A relaxation of 2 or more diverges (Waterson 2026, eq. 4.75).
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        auto const count = [](int number, int least, char const* name, char const* requirement) {
            return number >= least ? input_fault{} : input_fault{name, requirement, static_cast<double>(number)};
        };
        auto const within = [](bool holds, char const* name, char const* requirement, S const& number) {
            return holds ? input_fault{} : input_fault{name, requirement, detail::fault_value(number)};
        };
        return first_fault(count(iterations, 0, "solver.iterations", "must not be negative"), count(substeps, 1, "solver.substeps", "must be at least 1"),
                           count(velocity_iterations, 0, "solver.velocity_iterations", "must not be negative"),
                           within(all(relaxation > S(0)) && all(relaxation < S(2)), "solver.relaxation", "must be above 0 and below 2", relaxation),
                           within(all(warm_start >= S(0)) && all(warm_start <= S(1)), "solver.warm_start", "must be between 0 and 1", warm_start),
                           nonnegative_parameter("solver.regularization", regularization), magnitude_parameter("solver.tolerance", tolerance));
    }

    /// Displaces the predicted states until the constraints hold, and sets velocities and multipliers to match.
    template <class P>
    constexpr solve_report<S> solve(P const& p, S const& h) {
        prepare(p, h);
        solve_report<S> report;
        S xi = relaxation;
        S previous = infinity_v<S>;
        for (int k = 0; k < iterations; ++k) {
            residual_ = S(0);
            p.for_each_type([&](auto entries, auto t) {
                for (std::size_t i = 0; i < entries.size(); ++i) relax(p, entries[i], std::get<t>(work_)[i], h, xi);
            });
            ++report.iterations;
            report.residual = residual_;
            if (all(residual_ <= tolerance)) break;
            if (adaptive) {
                // Grow by a fifth while the error falls, back off by a twentieth when it rises: on straight chains of 10
                // to 100 links this removes 3 to 2000 times more error than xi = 1, without knowing the optimum.
                xi = select(residual_ < previous, min(xi * S(value_type_t<S>(1.2)), S(value_type_t<S>(1.9))), max(xi * S(value_type_t<S>(0.95)), S(value_type_t<S>(0.1))));
                previous = residual_;
            }
        }
        update_velocities(p, h);
        if (velocity == velocity_rows::after) solve_velocities(p, h);
        return report;
    }

    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return a.iterations == b.iterations && a.substeps == b.substeps && a.relaxation == b.relaxation && a.adaptive == b.adaptive &&
               a.warm_start == b.warm_start && a.regularization == b.regularization && a.jacobian == b.jacobian && a.velocity == b.velocity &&
               a.velocity_iterations == b.velocity_iterations && a.tolerance == b.tolerance &&
               a.conserve_angular_momentum == b.conserve_angular_momentum && a.modified_inertia == b.modified_inertia;
    }

private:
    static constexpr std::uint32_t no_island = angular_momentum_balance<Env>::no_island;
    template <class C>
    struct work : detail::linearised<C, S> {
        std::uint32_t island = no_island;  // the root of its bodies, if they keep their angular momentum
        bool inverted = false;             // K is the inverse
    };
    template <class C>
    using work_array = typename Env::template array<work<C>, Env::limits.constraints>;

    template <class C>
    static constexpr bool in_positions(velocity_rows where) noexcept {
        return is_holonomic_v<C, S> || where == velocity_rows::in_loop;
    }

    template <class P>
    constexpr void prepare(P const& p, S const& h) {
        pushed_.assign(p.bodies.size(), wrench<S>{});
        spin_.resize(p.bodies.size());
        particle_pushed_.assign(p.particles.size(), vec3<S>{});
        p.update_inverse_masses();
        for (std::size_t i = 0; i < p.bodies.size(); ++i) {
            auto const& b = p.bodies[i];
            spin_[i] = b.pose.direction(p.masses[i].inertia * b.pose.local_direction(b.twist.angular));
        }
        if (modified_inertia) prepare_modified_inertia(p, h);
        if (conserve_angular_momentum) balance_.begin(p);
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            auto& works = std::get<t>(work_);
            works.resize(entries.size());
            for (std::size_t i = 0; i < entries.size(); ++i) {
                auto& e = entries[i];
                works[i].island = conserve_angular_momentum ? balance_.island_of(p, e) : no_island;
                e.pushed.clear();
                if (!in_positions<C>(velocity)) continue;
                for (std::size_t r = 0; r < rows_v<C>; ++r) e.lambda[r] = e.lambda[r] * warm_start;
                bool const warm = any(warm_start != S(0));
                if (jacobian == evaluate::every_step || warm) linearise(p, e, works[i], modified_inertia);
                if (warm) displace(p, e, works[i], e.lambda * (h * h), h);
            }
        });
    }

    // A displacement d turns the inertia too, and the spin is to change by J^T dp and nothing else (eq. 4.15, linear in d):
    // I~ d = J^T dp,  I~ = I + h (I [omega]x - [I omega]x). Gradients of the torques are left out.
    template <class P>
    constexpr void prepare_modified_inertia(P const& p, S const& h) {
        inverse_modified_.resize(p.bodies.size());
        for (std::size_t i = 0; i < p.bodies.size(); ++i) {
            if (!p.masses[i].movable) continue;
            auto const& b = p.bodies[i];
            mat3<S> const inertia = to_mat(world_inertia(p.masses[i].inertia, b.pose.rotation));
            vec3<S> const turn = b.twist.angular * h;
            inverse_modified_[i] = inverse(inertia + inertia * skew(turn) - skew(inertia * turn));
        }
    }

    // I^-1, or I~^-1, times a vector.
    template <class P>
    [[nodiscard]] constexpr vec3<S> turn_by(P const& p, std::uint32_t i, vec3<S> const& torque) const {
        return modified_inertia ? inverse_modified_[i] * torque : p.inverse_masses[i].angular * torque;
    }

    template <class P, class E, class W>
    constexpr void linearise(P const& p, E const& e, W& w, bool modified) const {
        using C = typename E::constraint_type;
        w.J = entry_jacobian(p, e);
        w.inverted = false;
        if constexpr (detail::inverts_itself_v<C, S>) {
            if (all(regularization == S(0))) {  // which the constraint does not know of
                w.K = own_effective_mass(p, e);
                w.inverted = true;
                return;
            }
        }
        w.K = {};
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            if constexpr (std::same_as<decltype(kind), point_mass>)
                detail::add_particle(w.K, w.J, at, p.particle_masses[i].inverse_mass);
            else if (!p.masses[i].movable)
                return;
            else if (modified)
                detail::add_rigid(w.K, w.J, at, p.inverse_masses[i].linear, inverse_modified_[i]);
            else
                detail::add_rigid(w.K, w.J, at, p.inverse_masses[i].linear, p.inverse_masses[i].angular);
        });
        detail::mirror(w.K);
    }
    template <class P, class E>
    [[nodiscard]] static constexpr auto own_effective_mass(P const& p, E const& e) {
        using C = typename E::constraint_type;
        return std::apply(
            [&](auto const&... q) {
                return std::apply([&](auto const&... m) { return as_block<rows_v<C>>(constraint_traits<C>::effective_mass(e.constraint, q..., m...)); },
                                  inverse_masses_of(p, e));
            },
            poses_of(p, e));
    }
    // One row's effective mass may be a number.
    template <std::size_t M, class T>
    [[nodiscard]] static constexpr mat<S, M, M> as_block(T const& x) noexcept {
        if constexpr (std::convertible_to<T, S>)
            return mat<S, M, M>{{S(x)}};
        else
            return x;
    }

    // -xi K^-1 r within the bounds, and the constraint's own rule after it. p and dp in N times `scale`.
    template <class E, class W, class Poses, std::size_t M>
    [[nodiscard]] static constexpr vec<S, M> impulse_of(E const& e, W const& w, mat<S, M, M> const& K, vec<S, M> const& r, Poses const& poses, S const& scale,
                                                        S const& xi) {
        using C = typename E::constraint_type;
        vec<S, M> const p = e.lambda * scale;
        vec<S, M> dp;
        if constexpr (is_bounded_v<C, S>) {
            auto limits = std::apply([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
            for (std::size_t i = 0; i < M; ++i) {
                limits.lower[i] = limits.lower[i] * scale;
                limits.upper[i] = limits.upper[i] * scale;
            }
            if (w.inverted) {  // one row
                dp = w.K * r * (-xi);
                dp[0] = clamp(p[0] + dp[0], limits.lower[0], limits.upper[0]) - p[0];
            } else {
                dp = detail::solve_bounded(K, r, p, limits, xi);
            }
        } else if constexpr (detail::inverts_itself_v<C, S>) {
            dp = w.inverted ? w.K * r * (-xi) : solve_spd(K, r) * (-xi);
        } else {
            dp = solve_spd(K, r) * (-xi);
        }
        if constexpr (has_update_v<C, S>)
            dp = std::apply([&](auto const&... q) { return updated_multipliers(e.constraint, e.lambda, e.lambda + dp / scale, q...); }, poses) * scale - p;
        return dp;
    }

    // Velocity now: predicted, plus what has been displaced since.
    template <class P>
    [[nodiscard]] constexpr twist<S> twist_now(P const& p, rigid, std::uint32_t i, S const& inverse_h) const {
        auto const& b = p.bodies[i];
        return {b.twist.linear + (inverse_h * p.inverse_masses[i].linear) * pushed_[i].force, b.twist.angular + inverse_h * turn_by(p, i, pushed_[i].torque)};
    }
    template <class P>
    [[nodiscard]] constexpr particle_twist<S> twist_now(P const& p, point_mass, std::uint32_t i, S const& inverse_h) const {
        return {p.particles[i].velocity + (inverse_h * p.particle_masses[i].inverse_mass) * particle_pushed_[i]};
    }
    template <class P, class E>
    [[nodiscard]] constexpr auto twists_now(P const& p, E const& e, S const& inverse_h) const {
        using A = attachments_t<typename E::constraint_type>;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::make_tuple(twist_now(p, typename A::template kind<I>{}, e.bodies[I], inverse_h)...);
        }(std::make_index_sequence<A::size>{});
    }

    template <class P, class E, class W>
    constexpr void relax(P const& p, E& e, W& w, S const& h, S const& xi) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        if (!in_positions<C>(velocity)) return;
        if (moving_normal_v<C> || jacobian == evaluate::every_iteration) linearise(p, e, w, modified_inertia);

        S const h2 = h * h;
        auto const poses = poses_of(p, e);
        vec<S, M> r;
        if constexpr (is_holonomic_v<C, S>)
            r = std::apply([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
        else
            r = rate_of(e.constraint, poses, twists_now(p, e, S(1) / h)) * h;

        auto K = w.K;
        vec<S, M> const position_impulse = e.lambda * h2;
        if constexpr (has_compliance<C>) {
            vec<S, M> const alpha = compliance_of<S>(e.constraint) / h2;
            r = r + scaled_rows(alpha, position_impulse);
            if constexpr (has_damping<C>) {
                vec<S, M> const gamma = scaled_rows(alpha, damping_of<S>(e.constraint)) * h;
                vec<S, M> const moved = w.J * stacked_velocity<C>(twists_now(p, e, S(1) / h)) * h;
                r = r + scaled_rows(gamma, moved);
                // Each row divided by its 1 + gamma, so that the block stays symmetric.
                for (std::size_t i = 0; i < M; ++i) {
                    S const k = S(1) / (S(1) + gamma[i]);
                    r[i] = r[i] * k;
                    K(i, i) = K(i, i) + alpha[i] * k;
                }
            } else {
                for (std::size_t i = 0; i < M; ++i) K(i, i) = K(i, i) + alpha[i];
            }
        }
        r = r + position_impulse * regularization;
        for (std::size_t i = 0; i < M; ++i) residual_ = max(residual_, violation(e, poses, r, i));
        for (std::size_t i = 0; i < M; ++i) K(i, i) = K(i, i) + regularization;

        vec<S, M> const dp = impulse_of(e, w, K, r, poses, h2, xi);
        e.lambda = e.lambda + dp / h2;
        displace(p, e, w, dp, h);
    }

    // How far a row is from being satisfied: a row that pushes one way only is violated on one side.
    template <class E, class Poses, std::size_t M>
    [[nodiscard]] static constexpr S violation(E const& e, Poses const& poses, vec<S, M> const& r, std::size_t i) {
        using C = typename E::constraint_type;
        if constexpr (is_bounded_v<C, S>) {
            auto const limits = std::apply([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
            S const can_push_up = select(e.lambda[i] < limits.upper[i], max(-r[i], S(0)), S(0));
            S const can_push_down = select(limits.lower[i] < e.lambda[i], max(r[i], S(0)), S(0));
            return max(can_push_up, can_push_down);
        } else {
            return abs(r[i]);
        }
    }

    template <std::size_t M>
    [[nodiscard]] static constexpr vec<S, M> scaled_rows(vec<S, M> const& k, vec<S, M> const& v) noexcept {
        vec<S, M> r;
        for (std::size_t i = 0; i < M; ++i) r[i] = k[i] * v[i];
        return r;
    }

    // X += W J^T dp, and the angular momentum that this displacement costs.
    template <class P, class E, class W, std::size_t M>
    constexpr void displace(P const& p, E& e, W& w, vec<S, M> const& dp, S const& h) {
        auto const f = wrenches_of(e, w.J, dp);  // kg m, kg m^2
        S const inverse_h = S(1) / h;
        for (std::size_t k = 0; k < f.size(); ++k) e.pushed.add(k, f[k], inverse_h * inverse_h);
        if (w.island != no_island) {
            std::size_t k = 0;
            std::array<vec3<S>, attachments_t<typename E::constraint_type>::size> v;
            for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) { v[k++] = twist_now(p, kind, i, inverse_h).linear; });
            balance_.add(w.island, f, v);
        }
        std::size_t k = 0;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            wrench<S> const& push = f[k++];
            if constexpr (std::same_as<decltype(kind), rigid>) {
                if (!p.masses[i].movable) return;
                auto& pose = p.bodies[i].pose;
                pose.position += p.inverse_masses[i].linear * push.force;
                pose.rotation = nudged(pose.rotation, turn_by(p, i, push.torque));
                pushed_[i] += push;
            } else {
                if (!p.particle_masses[i].movable) return;
                p.particles[i].position += p.particle_masses[i].inverse_mass * push.force;
                particle_pushed_[i] += push.force;
            }
        });
    }

    // Momenta grow by J^T dp / h; the spin is then divided by the inertia of the new pose.
    template <class P>
    constexpr void update_velocities(P const& p, S const& h) {
        S const inverse_h = S(1) / h;
        for (std::size_t i = 0; i < p.bodies.size(); ++i) {
            if (!p.masses[i].movable) continue;
            auto& b = p.bodies[i];
            b.twist.linear += (inverse_h * p.masses[i].inverse_mass) * pushed_[i].force;
            vec3<S> const spin = spin_[i] + inverse_h * pushed_[i].torque;
            b.twist.angular = b.pose.direction(p.masses[i].inverse_inertia * b.pose.local_direction(spin));
        }
        for (std::size_t i = 0; i < p.particles.size(); ++i)
            if (p.particle_masses[i].movable) p.particles[i].velocity += (inverse_h * p.particle_masses[i].inverse_mass) * particle_pushed_[i];
        if (conserve_angular_momentum) balance_.give_back(p);
    }

    // Velocity-level constraints on velocities alone; the multipliers are impulses over h.
    template <class P>
    constexpr void solve_velocities(P const& p, S const& h) {
        p.update_inverse_masses();
        for (int k = 0; k < velocity_iterations; ++k)
            p.for_each_type([&](auto entries, auto t) {
                using C = typename decltype(entries)::value_type::constraint_type;
                if constexpr (!is_holonomic_v<C, S>)
                    for (std::size_t i = 0; i < entries.size(); ++i) {
                        auto& e = entries[i];
                        auto& w = std::get<t>(work_)[i];
                        if (k == 0) {
                            linearise(p, e, w, false);
                            e.lambda = vec<S, rows_v<C>>{};
                        }
                        relax_velocity(p, e, w, h);
                    }
            });
    }
    template <class P, class E, class W>
    constexpr void relax_velocity(P const& p, E& e, W const& w, S const& h) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        auto const poses = poses_of(p, e);
        vec<S, M> const r = rate_of(e.constraint, poses, twists_of(p, e));
        vec<S, M> const impulse = impulse_of(e, w, w.K, r, poses, h, relaxation);
        e.lambda = e.lambda + impulse / h;
        auto const f = wrenches_of(e, w.J, impulse);
        for (std::size_t i = 0; i < f.size(); ++i) e.pushed.add(i, f[i], S(1) / h);
        std::size_t k = 0;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            wrench<S> const& push = f[k++];
            if constexpr (std::same_as<decltype(kind), rigid>) {
                if (!p.masses[i].movable) return;
                p.bodies[i].twist.linear += p.inverse_masses[i].linear * push.force;
                p.bodies[i].twist.angular += p.inverse_masses[i].angular * push.torque;
            } else if (p.particle_masses[i].movable) {
                p.particles[i].velocity += p.particle_masses[i].inverse_mass * push.force;
            }
        });
    }

    template <class Tuple>
    struct works_of;
    template <class... Cs>
    struct works_of<std::tuple<Cs...>> {
        using type = std::tuple<work_array<Cs>...>;
    };

    // The sums of J^T dp, apart from the positions: a difference of positions would lose digits far from the origin.
    typename Env::template array<wrench<S>, Env::limits.bodies + 1> pushed_;
    typename Env::template array<vec3<S>, Env::limits.particles> particle_pushed_;
    typename Env::template array<vec3<S>, Env::limits.bodies + 1> spin_;               // R I omega
    typename Env::template array<mat3<S>, Env::limits.bodies + 1> inverse_modified_;  // I~^-1, where asked for
    angular_momentum_balance<Env> balance_;
    typename works_of<typename Env::constraint_types>::type work_;
    S residual_{};
};

}  // namespace sinew::inline v0
