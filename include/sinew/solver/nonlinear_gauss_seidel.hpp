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
// Linear momentum is kept to rounding. Angular momentum: see angular_momentum_balance.hpp. Spins are carried through the change of
// pose as carried_spin.hpp says, with modified_inertia as momenta. So an isolated system keeps both to rounding, whatever the relaxation,
// if each J^T dp has no net wrench at the pose where it is applied: the scalar point-to-point form, not the vector form under-relaxed.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/solver/angular_momentum_balance.hpp>
#include <sinew/solver/kept_values.hpp>
#include <sinew/solver/position_rows.hpp>
#include <sinew/solver/turning_mass.hpp>

namespace sinew::inline v0 {

/// What the strategy can do beside its sweeps, if asked at run time. What is left out here takes neither code nor memory.
struct gauss_seidel_extras {
    bool conserve_angular_momentum = true;
    bool modified_inertia = true;
    bool geometric_stiffness = true;
    bool kept_jacobians = true;  ///< Jacobians stay from sweep to sweep, one per constraint, for evaluate::every_step
    bool carried_spins = true;
};

/// The strategy: position level, iterative, any constraint.
template <gauss_seidel_extras Extras = gauss_seidel_extras{}>
struct nonlinear_gauss_seidel_with {
    template <class Env>
    class strategy;
};
using nonlinear_gauss_seidel = nonlinear_gauss_seidel_with<>;
/// Sweeps alone, for where memory is dear. The bits are those of nonlinear_gauss_seidel with all extras off: bars that go round in three dimensions begin to spin.
using plain_gauss_seidel = nonlinear_gauss_seidel_with<gauss_seidel_extras{false, false, false, false, false}>;

namespace detail {
// A switch that is there to be set, or is off for good.
template <bool Has>
struct angular_momentum_switch {
    bool conserve_angular_momentum = true;  ///< see angular_momentum_balance.hpp
};
template <>
struct angular_momentum_switch<false> {
    static constexpr bool conserve_angular_momentum = false;
};
template <bool Has>
struct modified_inertia_switch {
    bool modified_inertia = false;  ///< displacements by I~ of eq. 4.17 instead of I: for wheels that turn by one or two radians in a step
};
template <>
struct modified_inertia_switch<false> {
    static constexpr bool modified_inertia = false;
};
template <bool Has>
struct geometric_stiffness_switch {
    bool geometric_stiffness = false;  ///< forces already found turn with a displacement (eq. 7.21); see turning_of
};
template <>
struct geometric_stiffness_switch<false> {
    static constexpr bool geometric_stiffness = false;
};
template <bool Has>
struct kept_jacobians_switch {
    sinew::evaluate jacobian = sinew::evaluate::every_iteration;  ///< when J is evaluated
};
template <>
struct kept_jacobians_switch<false> {
    static constexpr sinew::evaluate jacobian = sinew::evaluate::every_iteration;
};
template <bool Has>
struct carried_spins_switch {
    bool carried_spins = true;  ///< spins about axes of little inertia go with a displacement: carried_spin.hpp. false: as momenta
};
template <>
struct carried_spins_switch<false> {
    static constexpr bool carried_spins = false;
};
template <class T>
struct extra_left_out {};  // of each type another, so that none takes room
}  // namespace detail

template <gauss_seidel_extras Extras>
template <class Env>
class nonlinear_gauss_seidel_with<Extras>::strategy : public detail::angular_momentum_switch<Extras.conserve_angular_momentum>,
                                                      public detail::modified_inertia_switch<Extras.modified_inertia>,
                                                      public detail::geometric_stiffness_switch<Extras.geometric_stiffness>,
                                                      public detail::kept_jacobians_switch<Extras.kept_jacobians>,
                                                      public detail::carried_spins_switch<Extras.carried_spins> {
public:
    using detail::angular_momentum_switch<Extras.conserve_angular_momentum>::conserve_angular_momentum;
    using detail::modified_inertia_switch<Extras.modified_inertia>::modified_inertia;
    using detail::geometric_stiffness_switch<Extras.geometric_stiffness>::geometric_stiffness;
    using detail::kept_jacobians_switch<Extras.kept_jacobians>::jacobian;
    using detail::carried_spins_switch<Extras.carried_spins>::carried_spins;

    using S = typename Env::scalar;
    static constexpr solver_level level = solver_level::position;
    static constexpr solver_abilities abilities{};

    int iterations = 10;                                ///< sweeps over all constraints
    int substeps = 1;                                   ///< predictions and solves in one step
    S relaxation{1};                                    ///< xi: below 1 under-relaxed, above 1 SOR, below 2 always (eq. 4.75)
    bool adaptive = false;                              ///< xi follows the residual from sweep to sweep (Waterson 4.9.3)
    S warm_start{0};                                    ///< fraction of the last multipliers to start from (Waterson 4.10)
    S regularization{0};                                ///< Tikhonov's epsilon, 1/kg (eq. 4.24)
    velocity_rows velocity = velocity_rows::in_loop;    ///< where velocity-level constraints are solved
    int velocity_iterations = 10;                       ///< sweeps of the separate velocity solve
    S tolerance{0};                                     ///< stop when no |error| is above it

    /// Why the tuning numbers cannot be. A relaxation of 2 or more diverges (Waterson 2026, eq. 4.75).
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        auto const count = [](int number, int least, char const* name, char const* requirement) {
            return number >= least ? input_fault{} : input_fault{name, requirement, static_cast<error_number>(number)};
        };
        return first_fault(count(iterations, 0, "solver.iterations", "must not be negative"), count(substeps, 1, "solver.substeps", "must be at least 1"),
                           count(velocity_iterations, 0, "solver.velocity_iterations", "must not be negative"),
                           detail::parameter_within(relaxation > S(0) && relaxation < S(2), "solver.relaxation", "must be above 0 and below 2", relaxation),
                           detail::parameter_within(warm_start >= S(0) && warm_start <= S(1), "solver.warm_start", "must be between 0 and 1", warm_start),
                           nonnegative_parameter("solver.regularization", regularization),
                           detail::alike_in_lanes("solver.warm_start", warm_start == S(0)), detail::alike_in_lanes("solver.regularization", regularization == S(0)), magnitude_parameter("solver.tolerance", tolerance),
                           detail::parameter_within(!(modified_inertia && geometric_stiffness), "solver.modified_inertia", "cannot be had together with geometric_stiffness", S(1)));
    }

    /// Displaces the predicted states until the constraints hold, and sets velocities and multipliers to match.
    template <class P>
    constexpr solve_report<S> solve(P const& p, S const& h) {
        return detail::run_guided<Env>(saved_, p, [&](auto& guide) { return solve(p, h, guide); });
    }

    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return detail::all_same(a.iterations, b.iterations, a.substeps, b.substeps, a.relaxation, b.relaxation, a.adaptive, b.adaptive, a.warm_start, b.warm_start,
                                a.regularization, b.regularization, a.jacobian, b.jacobian, a.velocity, b.velocity,
                                a.velocity_iterations, b.velocity_iterations, a.tolerance, b.tolerance,
                                a.conserve_angular_momentum, b.conserve_angular_momentum, a.modified_inertia, b.modified_inertia,
                                a.geometric_stiffness, b.geometric_stiffness, a.carried_spins, b.carried_spins);
    }

private:
    template <class P, class Guide>
    constexpr solve_report<S> solve(P const& p, S const& h, Guide& guide) {
        detail::position_unit<S> const unit(h);
        prepare(p, unit);
        solve_report<S> report;
        in_range_ = true;
        S xi = relaxation;
        S previous = infinity_v<S>;
        sweeps_.begin();
        for (int k = 0; k < iterations; ++k) {
            residual_ = S(0);
            p.for_each_type([&](auto entries, auto t) {
                for (std::size_t i = 0; i < entries.size(); ++i) relax(p, entries[i], work_of(std::get<t>(work_), i), unit, xi);
            });
            ++report.iterations;
            report.residual = residual_;
            if (guide(sweeps_.is_over(p, residual_, tolerance))) break;
            if (adaptive) {
                // Grow by a fifth while the error falls, back off by a twentieth when it rises: on straight chains of 10
                // to 100 links this removes 3 to 2000 times more error than xi = 1, without knowing the optimum.
                xi = select(residual_ < previous, min(xi * S(value_type_t<S>(1.2)), S(value_type_t<S>(1.9))), max(xi * S(value_type_t<S>(0.95)), S(value_type_t<S>(0.1))));
                previous = residual_;
            }
        }
        sweeps_.finish(p);
        pushed_.update_velocities(p, unit, modified_inertia || !carried_spins, [&]([[maybe_unused]] std::uint32_t i, [[maybe_unused]] vec3<S> const& gained) {
            if constexpr (Extras.conserve_angular_momentum)
                if (conserve_angular_momentum) balance_.add_spin(p, i, gained);
        });
        if constexpr (Extras.conserve_angular_momentum)
            if (conserve_angular_momentum) balance_.give_back(p, unit.to_length(S(1)));
        if (velocity == velocity_rows::after) solve_velocities(p, h);
        report.in_range = in_range_;
        return report;
    }

    static constexpr std::uint32_t no_island = angular_momentum_balance<Env>::no_island;
    template <class C>
    struct work : detail::linearised<C, S> {
        std::uint32_t island = no_island;  // the root of its bodies, if they keep their angular momentum
    };
    template <class C>
    using work_array = std::conditional_t<Extras.kept_jacobians, typename Env::template array<work<C>, Env::template most_of<C>>, work<C>>;
    template <class Works>
    [[nodiscard]] static constexpr auto& work_of(Works& works, [[maybe_unused]] std::size_t i) noexcept {
        if constexpr (Extras.kept_jacobians)
            return works[i];
        else
            return works;
    }

    template <class C>
    static constexpr bool in_positions(velocity_rows where) noexcept {
        return is_holonomic_v<C, S> || where == velocity_rows::in_loop;
    }

    template <class P>
    constexpr void prepare(P const& p, detail::position_unit<S> const& unit) {
        pushed_.begin(p);
        p.update_inverse_masses();
        if constexpr (Extras.modified_inertia)
            if (modified_inertia) prepare_modified_inertia(p, unit.h);
        if constexpr (Extras.conserve_angular_momentum)
            if (conserve_angular_momentum) balance_.begin(p);
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            auto& works = std::get<t>(work_);
            if constexpr (Extras.kept_jacobians) works.resize(entries.size());
            for (std::size_t i = 0; i < entries.size(); ++i) {
                auto& e = entries[i];
                if constexpr (Extras.conserve_angular_momentum) work_of(works, i).island = this->conserve_angular_momentum ? balance_.island_of(p, e) : no_island;
                e.pushed.clear();
                if (!in_positions<C>(velocity)) continue;
                for (std::size_t r = 0; r < rows_v<C>; ++r) e.lambda[r] = e.lambda[r] * warm_start;
                bool const warm = any(warm_start != S(0));
                if (this->jacobian == evaluate::every_step || warm) linearise(p, e, work_of(works, i), this->modified_inertia);
                if (warm) displace(p, e, work_of(works, i), e.lambda * unit.of_multiplier(), unit);
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
        if constexpr (Extras.modified_inertia)
            if (modified_inertia) return inverse_modified_[i] * torque;
        return p.inverse_masses[i].angular * torque;
    }

    template <class P, class E, class W>
    constexpr void linearise(P const& p, E const& e, W& w, bool modified) const {
        using C = typename E::constraint_type;
        modified = modified && Extras.modified_inertia;  // known where it is left out
        w.J = entry_jacobian(p, e);
        w.inverted = false;
        if constexpr (detail::inverts_itself_v<C, S>) {
            if (!modified && all(regularization == S(0))) {  // which the constraint does not know of
                w.K = detail::own_effective_mass(p, e);
                w.inverted = true;
                return;
            }
        }
        w.K = {};
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            if constexpr (std::same_as<decltype(kind), point_mass>)
                detail::add_particle(w.K, w.J, at, p.particle_masses[i].inverse_mass);
            else if constexpr (is_generalized_v<decltype(kind)>)
                detail::add_generalized(w.K, w.J, at, detail::attachment_access<decltype(kind)>::inverse_mass(p, i).matrix);
            else if (!p.masses[i].movable)
                return;
            else {
                if (modified) return;
                detail::add_rigid(w.K, w.J, at, p.inverse_masses[i].linear, p.inverse_masses[i].angular);
            }
        });
        detail::mirror(w.K);
        if constexpr (Extras.modified_inertia) {
            if (!modified) return;
            for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
                if constexpr (std::same_as<decltype(kind), rigid>)
                    if (p.masses[i].movable) detail::add_spinning(w.K, w.J, at, p.inverse_masses[i].linear, inverse_modified_[i]);
            });
        }
    }
    // Velocity now, of one body.
    template <class P, class Kind>
    [[nodiscard]] constexpr auto twist_now(P const& p, Kind kind, std::uint32_t i, detail::position_unit<S> const& unit) const {
        return pushed_.twist_now(p, kind, i, unit, [&](std::uint32_t k, vec3<S> const& torque) { return turn_by(p, k, torque); });
    }
    template <class P, class E>
    [[nodiscard]] constexpr auto twists_now(P const& p, E const& e, detail::position_unit<S> const& unit) const {
        using A = attachments_t<typename E::constraint_type>;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::make_tuple(twist_now(p, typename A::template kind<I>{}, e.bodies[I], unit)...);
        }(std::make_index_sequence<A::size>{});
    }

    template <class P, class E, class W>
    constexpr void relax(P const& p, E& e, W& w, detail::position_unit<S> const& unit, S const& xi) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        if (!in_positions<C>(velocity)) return;
        if constexpr (Extras.geometric_stiffness && turns_v<C>) {
            if (geometric_stiffness) {
                relax_turning(p, e, w, unit, xi);
                return;
            }
        }
        if (moving_normal_v<C> || jacobian == evaluate::every_iteration) linearise(p, e, w, modified_inertia);

        auto const scale = unit.of_multiplier();
        auto const poses = poses_of(p, e);
        auto const [r, K, in_range] = detail::equation_of(e, w, poses, [&] { return twists_now(p, e, unit); }, unit, p.elapsed + unit.h, regularization, residual_);
        vec<S, M> const dp = impulse_on(e, w.inverted, K, r, poses, scale, xi);
        if constexpr (detail::position_unit<S>::is_divided) in_range_ = in_range_ && in_range && all(isfinite(dp));
        e.lambda = e.lambda + dp / scale;
        displace(p, e, w, dp, unit);
    }

    // K is symmetric but with the modified inertia.
    template <class E, class Poses, std::size_t M>
    [[nodiscard]] constexpr vec<S, M> impulse_on(E const& e, bool inverted, mat<S, M, M> const& K, vec<S, M> const& r, Poses const& poses, S const& scale, S const& xi) const {
        if constexpr (Extras.modified_inertia)
            if (modified_inertia) return detail::impulse_of<false>(e, inverted, K, r, poses, scale, xi);
        return detail::impulse_of(e, inverted, K, r, poses, scale, xi);
    }

    // Whether the direction of a type's multipliers turns with the bodies, as its Hessian tells. That of a moving normal turns freely.
    template <class C>
    static constexpr bool turns_v = is_holonomic_v<C, S> && !moving_normal_v<C>;

    // A displacement d turns the impulses p = lambda h^2 that a constraint has given already: M d = J^T dp + G d, G = sum p_i D^2 c_i,
    // its symmetric part. So M becomes M~ = M - G (Waterson 2026, eq. 7.21, which has rho h^2 c for -p and one D too many), here of all the
    // bodies of the constraint together: without the blocks between them the forces would have no reaction. Momenta change by M d,
    // so that a constraint's p has the direction of J after its displacement; without G each dp keeps that in which it was found. (What
    // the displacements by other constraints turn is not known here: it is left as it is.) Under compression M - G may not be positive definite: then it is M.
    template <class C>
    struct turning {
        mat<S, dof_v<C>, dof_v<C>> G{};
        mat<S, dof_v<C>, rows_v<C>> Y{};  // M~^-1 J^T; nothing of what does not move
    };
    template <class P, class E, class W>
    [[nodiscard]] constexpr auto turning_of(P const& p, E const& e, W const& w, vec<S, rows_v<typename E::constraint_type>> const& impulses) const {
        using C = typename E::constraint_type;
        constexpr std::size_t N = dof_v<C>, M = rows_v<C>;
        turning<C> t;
        auto const mass = detail::stacked_mass_of(p, e);
        t.G = mass.turning(stiffness_of(e.constraint, poses_of(p, e), impulses));
        auto const definite = mass.outweighs(t.G);
        for (S& x : t.G.e) x = select(definite, x, S(0));
        small_ldlt<S, N> const factors(mass.M - t.G);
        for (std::size_t r = 0; r < M; ++r) {
            vec<S, N> column;
            for (std::size_t c = 0; c < N; ++c) column[c] = mass.moves[c] ? w.J(r, c) : S(0);
            column = factors.solve(column);
            for (std::size_t c = 0; c < N; ++c) t.Y(c, r) = column[c];
        }
        return t;
    }
    template <class P, class E, class W>
    constexpr void relax_turning(P const& p, E& e, W& w, detail::position_unit<S> const& unit, S const& xi) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        w.J = entry_jacobian(p, e);
        w.inverted = false;
        auto const scale = unit.of_multiplier();
        auto const poses = poses_of(p, e);
        // Twice: dp turns too, as soon as it is known.
        auto t = turning_of(p, e, w, unit.to_length(vec<S, M>(e.lambda * scale)));
        vec<S, M> dp{};
        for (int pass = 0; pass < 2; ++pass) {
            if (pass > 0) t = turning_of(p, e, w, unit.to_length(vec<S, M>(e.lambda * scale + dp)));
            w.K = w.J * t.Y;
            auto const [r, K, in_range] = detail::equation_of(e, w, poses, [&] { return twists_now(p, e, unit); }, unit, p.elapsed + unit.h, regularization, residual_);
            dp = detail::impulse_of(e, false, K, r, poses, scale, xi);
            if constexpr (detail::position_unit<S>::is_divided) in_range_ = in_range_ && in_range && all(isfinite(dp));
        }
        e.lambda = e.lambda + dp / scale;
        auto const q = transpose_times(w.J, dp) + t.G * (t.Y * dp);  // M d
        displace_by(p, e, w, q, unit);
    }

    // X += W J^T dp, and the angular momentum that this displacement costs.
    template <class P, class E, class W, std::size_t M>
    constexpr void displace(P const& p, E& e, W& w, vec<S, M> const& dp, detail::position_unit<S> const& unit) {
        displace_by(p, e, w, wrenches_of(e, w.J, dp), [&](auto kind, auto at) { return detail::pushed_on<decltype(kind)>(w.J, at, dp); }, unit);
    }
    // The same by q, all degrees of freedom of the constraint one below the other.
    template <class P, class E, class W, std::size_t N>
    constexpr void displace_by(P const& p, E& e, W& w, vec<S, N> const& q, detail::position_unit<S> const& unit) {
        auto const part = [&](auto kind, auto at) {
            vec<S, decltype(kind)::dof> f;
            for (std::size_t k = 0; k < decltype(kind)::dof; ++k) f[k] = q[at + k];
            return f;
        };
        std::array<wrench<S>, attachments_t<typename E::constraint_type>::size> f{};
        std::size_t i = 0;
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t) {
            auto& one = f[i++];
            if constexpr (!is_generalized_v<decltype(kind)>)
                for (std::size_t k = 0; k < 3; ++k) {
                    one.force[k] = q[at + k];
                    if constexpr (std::same_as<decltype(kind), rigid>) one.torque[k] = q[at + 3 + k];
                }
        });
        displace_by(p, e, w, f, part, unit);
    }
    // f: wrenches, in the unit of dp; on(kind, column): the same for a generalized body.
    template <class P, class E, class W, class Wrenches, class On>
    constexpr void displace_by(P const& p, E& e, [[maybe_unused]] W& w, Wrenches const& f, [[maybe_unused]] On&& on, detail::position_unit<S> const& unit) {
        for (std::size_t k = 0; k < f.size(); ++k) e.pushed.add(k, f[k], unit.force());
        if constexpr (Extras.conserve_angular_momentum) {
            if (w.island != no_island) {
                std::size_t k = 0;
                std::array<vec3<S>, attachments_t<typename E::constraint_type>::size> v;
                for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
                    if constexpr (is_generalized_v<decltype(kind)>)
                        v[k++] = {};  // is in no island that keeps its momentum
                    else
                        v[k++] = twist_now(p, kind, i, unit).linear;
                });
                balance_.add(w.island, f, v);
            }
        }
        std::size_t k = 0;
        for_each_attachment(e, [&](auto kind, [[maybe_unused]] auto at, std::uint32_t i) {
            [[maybe_unused]] wrench<S> const& push = f[k++];
            if constexpr (is_generalized_v<decltype(kind)>) {
                pushed_.push(p, kind, i, detail::attachment_access<decltype(kind)>::weigh(p, i, on(kind, at)), unit);
            } else {
                displace_one(p, kind, i, push, unit);
            }
        });
    }
    template <class P>
    constexpr void displace_one(P const& p, rigid kind, std::uint32_t i, wrench<S> const& push, detail::position_unit<S> const& unit) {
        if (!p.masses[i].movable) return;
        if constexpr (detail::position_unit<S>::is_divided) {
            pushed_.push(p, kind, i, push, unit, [&](std::uint32_t b, vec3<S> const& torque) { return turn_by(p, b, torque); });
        } else {
            auto& pose = p.bodies[i].pose;
            pushed_.add(p, kind, i, push);
            pose.position += p.inverse_masses[i].linear * push.force;
            pose.rotation = nudged(pose.rotation, turn_by(p, i, push.torque));
        }
    }
    template <class P>
    constexpr void displace_one(P const& p, point_mass kind, std::uint32_t i, wrench<S> const& push, detail::position_unit<S> const& unit) {
        if (p.particle_masses[i].movable) pushed_.push(p, kind, i, push, unit);
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
                        auto& w = work_of(std::get<t>(work_), i);
                        if (k == 0 || !Extras.kept_jacobians) linearise(p, e, w, false);
                        if (k == 0) e.lambda = vec<S, rows_v<C>>{};
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
        vec<S, M> const impulse = detail::impulse_of(e, w.inverted, w.K, r, poses, h, relaxation);
        e.lambda = e.lambda + impulse / h;
        auto const f = wrenches_of(e, w.J, impulse);
        for (std::size_t i = 0; i < f.size(); ++i) e.pushed.add(i, f[i], S(1) / h);
        std::size_t k = 0;
        for_each_attachment(e, [&](auto kind, [[maybe_unused]] auto at, std::uint32_t i) {
            [[maybe_unused]] wrench<S> const& push = f[k++];
            if constexpr (is_generalized_v<decltype(kind)>) {
                detail::attachment_access<decltype(kind)>::push(p, i, detail::pushed_on<decltype(kind)>(w.J, at, impulse));
            } else if constexpr (std::same_as<decltype(kind), rigid>) {
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

    pushed_bodies<Env, Extras.carried_spins> pushed_;
    template <bool Has, class T>
    using if_asked = std::conditional_t<Has, T, detail::extra_left_out<T>>;
    [[no_unique_address]] if_asked<Extras.modified_inertia, typename Env::template array<mat3<S>, Env::limits.bodies + 1>> inverse_modified_;  // I~^-1
    [[no_unique_address]] if_asked<Extras.conserve_angular_momentum, angular_momentum_balance<Env>> balance_;
    typename works_of<typename Env::constraint_types>::type work_;
    S residual_{};
    bool in_range_ = true;
    [[no_unique_address]] detail::saved_lanes<Env> saved_{};
    [[no_unique_address]] detail::last_sweep<Env> sweeps_{};
};

}  // namespace sinew::inline v0
