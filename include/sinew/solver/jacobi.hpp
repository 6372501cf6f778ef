#pragma once
// Jacobi on positions: every constraint is solved at the state that the last sweep left, and all are applied together (Waterson 2026, 4.6).
// No result depends on the order of the constraints.
//
//   K dp = -xi r  for each constraint (position_rows.hpp),  then  X += W J^T dp  of all at once
//
// A body that several constraints pull at is pulled too far by plain Jacobi, and the iteration may diverge. Three ways to share it:
//
//   plain            K as it is: converges if rho(1 - D^-1 A) < 1, A = J W J^T, D its diagonal blocks. The theory's form (eq. 4.43)
//   averaging        dp divided by the largest number n of constraints on any of its bodies
//   mass_splitting   K = sum n_i J_i W_i J_i^T: every constraint moves its own share 1 / n_i of each body's mass, and the body goes to where
//                    its shares are on average. Since the blocks K >= A, all eigenvalues of 1 - K^-1 A are in [0, 1)
//
// In all three the bodies are displaced by W J^T dp with the same dp on both sides, so that linear momentum is kept to rounding and a
// compliance holds exactly what it should. (Averaging displacements body by body, as position-based dynamics does, keeps neither: a body
// of n constraints then has n times its mass.) Angular momentum: see angular_momentum_balance.hpp.
//
// Chebyshev's semi-iteration (semi_iteration.hpp) goes from sweep to sweep with dp_k = w_k g dp + (w_k - 1) dp_(k-1).

#include <sinew/body/parameter_fault.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/solver/angular_momentum_balance.hpp>
#include <sinew/solver/kept_values.hpp>
#include <sinew/solver/position_rows.hpp>
#include <sinew/solver/semi_iteration.hpp>

namespace sinew::inline v0 {

/// How constraints share a body that several of them pull at.
enum class body_sharing : unsigned char { plain, averaging, mass_splitting };

/// The strategy: position level, iterative, independent of the order of the constraints, any constraint.
struct jacobi {
    template <class Env>
    class strategy;
};

template <class Env>
class jacobi::strategy {
public:
    using S = typename Env::scalar;
    static constexpr solver_level level = solver_level::position;
    static constexpr solver_abilities abilities{};

    int iterations = 20;                                ///< sweeps over all constraints
    int substeps = 1;                                   ///< predictions and solves in one step
    body_sharing sharing = body_sharing::mass_splitting;  ///< of bodies with several constraints
    S relaxation{1};                                    ///< xi
    S warm_start{0};                                    ///< fraction of the last multipliers to start from (Waterson 4.10)
    S regularization{0};                                ///< Tikhonov's epsilon, 1/kg (eq. 4.24)
    evaluate jacobian = evaluate::every_iteration;      ///< when J is evaluated
    velocity_rows velocity = velocity_rows::in_loop;    ///< where velocity-level constraints are solved
    int velocity_iterations = 20;                       ///< sweeps of the separate velocity solve
    S tolerance{0};                                     ///< stop when no |error| is above it
    bool conserve_angular_momentum = true;              ///< see angular_momentum_balance.hpp
    bool chebyshev = false;                             ///< accelerate the position sweeps
    S spectral_radius{0};                               ///< rho of a sweep, below 1; 0: estimated anew in every step, from its first sweeps

    /// Why the tuning numbers cannot be.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(detail::count_parameter("solver.iterations", iterations, 0), detail::count_parameter("solver.substeps", substeps, 1),
                           detail::count_parameter("solver.velocity_iterations", velocity_iterations, 0),
                           detail::parameter_within(relaxation > S(0) && relaxation < S(2), "solver.relaxation", "must be above 0 and below 2", relaxation),
                           detail::parameter_within(warm_start >= S(0) && warm_start <= S(1), "solver.warm_start", "must be between 0 and 1", warm_start),
                           nonnegative_parameter("solver.regularization", regularization),
                           detail::alike_in_lanes("solver.warm_start", warm_start == S(0)), detail::alike_in_lanes("solver.spectral_radius", spectral_radius == S(0)), detail::alike_in_lanes("solver.regularization", regularization == S(0)), magnitude_parameter("solver.tolerance", tolerance),
                           detail::parameter_within(spectral_radius >= S(0) && spectral_radius < S(1), "solver.spectral_radius",
                                                    "must be between 0 and 1, and below 1", spectral_radius));
    }

    /// Displaces the predicted states until the constraints hold, and sets velocities and multipliers to match.
    template <class P>
    constexpr solve_report<S> solve(P const& p, S const& h) {
        return detail::run_guided<Env>(saved_, p, [&](auto& guide) { return solve(p, h, guide); });
    }

    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return detail::all_same(a.iterations, b.iterations, a.substeps, b.substeps, a.sharing, b.sharing, a.relaxation, b.relaxation, a.warm_start, b.warm_start,
                                a.regularization, b.regularization, a.jacobian, b.jacobian, a.velocity, b.velocity,
                                a.velocity_iterations, b.velocity_iterations, a.tolerance, b.tolerance,
                                a.conserve_angular_momentum, b.conserve_angular_momentum, a.chebyshev, b.chebyshev,
                                a.spectral_radius, b.spectral_radius);
    }

private:
    template <class P, class Guide>
    constexpr solve_report<S> solve(P const& p, S const& h, Guide& guide) {
        detail::position_unit<S> const unit(h);
        prepare(p, unit);
        solve_report<S> report;
        in_range_ = true;
        semi_iteration<S> momentum(chebyshev, spectral_radius, sharing != body_sharing::plain);
        sweeps_.begin();
        for (int k = 0; k < iterations; ++k) {
            residual_ = S(0);
            moved_ = S(0);
            auto const factors = momentum.next();
            p.for_each_type([&](auto entries, auto t) {
                using C = typename decltype(entries)::value_type::constraint_type;
                if (!in_positions<C>(velocity)) return;
                for (std::size_t i = 0; i < entries.size(); ++i) relax(p, entries[i], std::get<t>(work_)[i], unit, factors);
            });
            displace_all(p, unit);
            momentum.observe(moved_);
            ++report.iterations;
            report.residual = residual_;
            if (guide(sweeps_.is_over(p, residual_, tolerance))) break;
        }
        sweeps_.finish(p);
        finish_spins(p, unit);
        if (conserve_angular_momentum) balance_.give_back(p, unit.to_length(S(1)));
        if (velocity == velocity_rows::after) solve_velocities(p, unit);
        report.in_range = in_range_;
        return report;
    }

    static constexpr std::uint32_t no_island = angular_momentum_balance<Env>::no_island;
    template <class C>
    struct work : detail::linearised<C, S> {
        std::uint32_t island = no_island;  // the root of its bodies, if they keep their angular momentum
        S share{1};                        // of a step that is applied
        vec<S, rows_v<C>> last{};          // dp of the last sweep
    };
    template <class C>
    using work_array = typename Env::template array<work<C>, Env::template most_of<C>>;

    template <class C>
    static constexpr bool in_positions(velocity_rows where) noexcept {
        return is_holonomic_v<C, S> || where == velocity_rows::in_loop;
    }

    template <class P>
    constexpr void prepare(P const& p, detail::position_unit<S> const& unit) {
        p.update_inverse_masses();
        increment_.assign(p.node_count(), vec<S, Env::max_dof>{});
        spins_.resize(p.bodies.size());
        for (std::size_t i = 0; i < p.bodies.size(); ++i) spins_[i] = {p.bodies[i].pose.rotation, p.bodies[i].twist.angular, {}, {}};
        if (conserve_angular_momentum) balance_.begin(p);
        count(p);
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            auto& works = std::get<t>(work_);
            works.resize(entries.size());
            for (std::size_t i = 0; i < entries.size(); ++i) {
                auto& e = entries[i];
                auto& w = works[i];
                w.island = conserve_angular_momentum ? balance_.island_of(p, e) : no_island;
                w.share = sharing == body_sharing::averaging ? S(1) / most_on(p, e) : S(1);
                w.last = {};
                e.pushed.clear();
                if (!in_positions<C>(velocity)) continue;
                // A normal that turns freely is another one now: its last multiplier would push anywhere.
                for (std::size_t r = 0; r < rows_v<C>; ++r) e.lambda[r] = moving_normal_v<C> ? S(0) : e.lambda[r] * warm_start;
                bool const warm = !moving_normal_v<C> && any(warm_start != S(0));
                if (jacobian == evaluate::every_step || warm) linearise(p, e, w);
                if (warm) push(p, e, w, e.lambda * unit.of_multiplier(), unit, true);
            }
        });
        if (any(warm_start != S(0))) displace_all(p, unit);
    }

    // Constraints on each body.
    template <class P>
    constexpr void count(P const& p) {
        count_.assign(p.node_count(), S(0));
        p.for_each_type([&](auto entries, auto) {
            for (auto const& e : entries) for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) { count_[p.node(kind, i)] = count_[p.node(kind, i)] + S(1); });
        });
    }
    template <class P, class E>
    [[nodiscard]] constexpr S most_on(P const& p, E const& e) const {
        S most(1);
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            if (detail::attachment_access<decltype(kind)>::movable(p, i)) most = max(most, count_[p.node(kind, i)]);
        });
        return most;
    }

    template <class P, class E, class W>
    [[gnu::flatten]] constexpr void linearise(P const& p, E const& e, W& w) const {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        w.J = entry_jacobian(p, e);
        w.inverted = false;
        bool const split = sharing == body_sharing::mass_splitting;
        if constexpr (detail::inverts_itself_v<C, S>) {
            if (!split && all(regularization == S(0))) {  // neither of which the constraint knows of
                w.K = detail::own_effective_mass(p, e);
                w.inverted = true;
                return;
            }
        }
        w.K = {};
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            using Kind = decltype(kind);
            if (!detail::attachment_access<Kind>::movable(p, i)) return;
            S const n = split ? count_[p.node(kind, i)] : S(1);
            for (std::size_t r = 0; r < M; ++r) {
                auto const weighed = n * detail::attachment_access<Kind>::weigh(p, i, detail::row_block<Kind>(w.J, r, at));
                for (std::size_t q = r; q < M; ++q) w.K(q, r) = w.K(q, r) + dot(detail::row_block<Kind>(w.J, q, at), weighed);
            }
        });
        detail::mirror(w.K);
    }

    template <class P, class E, class W>
    constexpr void relax(P const& p, E& e, W& w, detail::position_unit<S> const& unit, typename semi_iteration<S>::factors const& factors) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        if (moving_normal_v<C> || jacobian == evaluate::every_iteration) linearise(p, e, w);
        auto const scale = unit.of_multiplier();
        auto const poses = poses_of(p, e);
        auto const equation = detail::equation_of(e, w, poses, [&] { return twists_of(p, e); }, unit, p.elapsed + unit.h, regularization, residual_);
        vec<S, M> dp = detail::impulse_of(e, w.inverted, equation.K, equation.r, poses, scale, relaxation) * w.share;
        moved_ = moved_ + dot(unit.to_length(dp), unit.to_length(equation.r)) * S(-1);
        if (chebyshev) {
            dp = (factors.omega * factors.gamma) * dp + (factors.omega - S(1)) * w.last;
            if constexpr (is_bounded_v<C, S>) {
                auto const limits = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
                for (std::size_t i = 0; i < M; ++i) dp[i] = (clamp(e.lambda[i] + dp[i] / scale, limits.lower[i], limits.upper[i]) - e.lambda[i]) * scale;
            }
            if constexpr (has_update_v<C, S>)
                dp = (detail::call_with([&](auto const&... q) { return updated_multipliers(e.constraint, e.lambda, e.lambda + dp / scale, q...); }, poses) - e.lambda) * scale;
            w.last = dp;
        }
        if constexpr (detail::position_unit<S>::is_divided) in_range_ = in_range_ && equation.in_range && all(isfinite(dp));
        e.lambda = e.lambda + dp / scale;
        push(p, e, w, dp, unit, true);
    }

    // Adds J^T dp to what its bodies are to be moved by, and notes the angular momentum that it will cost. Or impulses on velocities.
    template <class P, class E, class W, std::size_t M>
    constexpr void push(P const& p, E& e, W const& w, vec<S, M> const& dp, detail::position_unit<S> const& unit, bool displaces) {
        using C = typename E::constraint_type;
        if (moving_normal_v<C> || w.island != no_island) {
            auto const f = wrenches_of(e, w.J, dp);
            S force = unit.inverse_h;
            if constexpr (!detail::position_unit<S>::is_divided)
                if (displaces) force = S(1) / detail::squared(unit.h);
            for (std::size_t k = 0; k < f.size(); ++k) e.pushed.add(k, f[k], force);
            if (displaces && w.island != no_island) {
                std::array<vec3<S>, attachments_t<C>::size> v{};
                std::size_t k = 0;
                for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
                    if constexpr (requires { detail::attachment_access<decltype(kind)>::twist(p, i).linear; })
                        v[k] = detail::attachment_access<decltype(kind)>::twist(p, i).linear;
                    ++k;
                });
                balance_.add(w.island, f, v);
            }
        }
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            auto& sum = increment_[p.node(kind, i)];
            for (std::size_t r = 0; r < M; ++r)
                for (std::size_t k = 0; k < decltype(kind)::dof; ++k) sum[k] = sum[k] + w.J(r, at + k) * dp[r];
        });
    }

    // All at once: positions by W J^T dp, velocities by that over h.
    template <class P>
    constexpr void displace_all(P const& p, detail::position_unit<S> const& unit) {
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using access = detail::attachment_access<decltype(kind)>;
            auto const f = take_increment(p, kind, i);
            if constexpr (std::same_as<decltype(kind), rigid>) {
                vec3<S> const torque{f[3], f[4], f[5]};
                spins_[i].pushed += torque;
                spins_[i].own_pushed += p.bodies[i].pose.local_direction(torque);
            }
            auto const d = access::weigh(p, i, f);
            if constexpr (detail::position_unit<S>::is_divided) {
                auto const before = access::velocity(p, i) * unit.h;
                access::accelerate(p, i, d);
                access::displace(p, i, access::velocity(p, i) * unit.h - before);
            } else {
                access::displace(p, i, d);
                access::accelerate(p, i, unit.to_rate(d));
            }
        });
    }
    template <class P, class Kind>
    [[nodiscard]] constexpr vec<S, Kind::dof> take_increment(P const& p, Kind kind, std::uint32_t i) {
        auto& sum = increment_[p.node(kind, i)];
        vec<S, Kind::dof> f;
        for (std::size_t k = 0; k < Kind::dof; ++k) f[k] = sum[k];
        sum = {};
        return f;
    }
    // The spin of the predicted pose, and all that has been pushed since, is carried to the pose of now.
    template <class P>
    constexpr void finish_spins(P const& p, detail::position_unit<S> const& unit) {
        for (std::uint32_t i = 0; i < p.bodies.size(); ++i) {
            if (!p.masses[i].movable) continue;
            auto& b = p.bodies[i];
            auto const carried = detail::carry_spin(p.masses[i].inertia, p.masses[i].inverse_inertia, spins_[i].from, b.pose.rotation, spins_[i].omega,
                                                    unit.to_rate(spins_[i].pushed), unit.to_rate(spins_[i].own_pushed));
            b.twist.angular = carried.angular;
            if (conserve_angular_momentum) balance_.add_spin(p, i, carried.gained);
        }
    }

    // Velocity-level constraints on velocities alone; the multipliers are impulses over h.
    template <class P>
    constexpr void solve_velocities(P const& p, detail::position_unit<S> const& unit) {
        p.update_inverse_masses();
        for (int k = 0; k < velocity_iterations; ++k) {
            p.for_each_type([&](auto entries, auto t) {
                using C = typename decltype(entries)::value_type::constraint_type;
                if constexpr (!is_holonomic_v<C, S>)
                    for (std::size_t i = 0; i < entries.size(); ++i) {
                        auto& e = entries[i];
                        auto& w = std::get<t>(work_)[i];
                        if (k == 0) {
                            linearise(p, e, w);
                            e.lambda = vec<S, rows_v<C>>{};
                        }
                        auto const poses = poses_of(p, e);
                        auto const rate = rate_of(e.constraint, poses, twists_of(p, e));
                        vec<S, rows_v<C>> const impulse = detail::impulse_of(e, w.inverted, w.K, rate, poses, unit.h, relaxation) * w.share;
                        e.lambda = e.lambda + impulse / unit.h;
                        push(p, e, w, impulse, unit, false);
                    }
            });
            p.for_each_movable([&](auto kind, std::uint32_t i) { detail::attachment_access<decltype(kind)>::push(p, i, take_increment(p, kind, i)); });
        }
    }

    template <class Tuple>
    struct works_of;
    template <class... Cs>
    struct works_of<std::tuple<Cs...>> {
        using type = std::tuple<work_array<Cs>...>;
    };

    typename Env::template array<vec<S, Env::max_dof>, Env::max_nodes> increment_;  // J^T dp of this sweep
    struct predicted_spin {
        typename Env::rotation from{};
        vec3<S> omega{};
        vec3<S> pushed{}, own_pushed{};  // torques that have displaced it; in the world, and in the body as it was turned
    };
    typename Env::template array<predicted_spin, Env::limits.bodies + 1> spins_;
    typename Env::template array<S, Env::max_nodes> count_;  // constraints on each body
    angular_momentum_balance<Env> balance_;
    typename works_of<typename Env::constraint_types>::type work_;
    S residual_{};
    bool in_range_ = true;
    S moved_{};  // sum of dp K dp / xi: the square of the step's size, kg m^2
    [[no_unique_address]] detail::saved_lanes<Env> saved_{};
    [[no_unique_address]] detail::last_sweep<Env> sweeps_{};
};

}  // namespace sinew::inline v0
