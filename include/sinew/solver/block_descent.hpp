#pragma once
// Descent body by body on the objective of an implicit Euler step: what vertex_block_descent and augmented_lagrangian share.
//
//   x   pose, displaced in place        y   predicted pose (free motion)       d = (x - y, theta)   displacement since y
//   M   mass matrix at y                h   time step, s                       f   multipliers, N    k   stiffness of a row, N/m
//
//   minimise   1/2 d^T M d + h^2 E(x)                                                                  (Waterson 2026, eq. 6.6)
//   each body  H delta = -(M d - h^2 sum J_b^T f),   H = M + h^2 (sum J_b^T k J_b + G_b)                (eq. 6.7, 6.8, 7.31)
//
// Printed signs differ: (6.5) moves along +F, (6.8) has f = -dE/dx with dE/dx ~ F (6.9); here f is the force, and F = J^T f.
//
// Rotations. theta is a vector with R = cay(theta) R_y, the rotation that a nudge by theta makes: |theta| = 2 tan(angle / 2). The inertial term is
// 1/2 theta^T I_y theta, which is that of the logarithm to third order, and needs no sines. A left perturbation delta changes theta by
//
//   theta' = (theta + delta + delta x theta / 2) / (1 - delta . theta / 4),   d theta = A delta,   A = 1 - [theta]x / 2 + theta theta^T / 4
//
// exactly, so the gradient is A^T I_y theta: it stands in for J_L^-T I log(R R_y^T) of Waterson 2.1.3. H takes I_y alone; that is no error of the
// minimum, but of the way there. The spin is carried to the new pose (carried_spin.hpp) and grows by the impulse A^T I_y theta / h; about thin axes by h
// times the torques of the constraints, which are the same when it has converged.
//
// Rows. One law for all: the multiplier that minimises the augmented Lagrangian of a compliant row, with s = 1 / rho the softness of the penalty,
//
//   f = (s f_0 - (c - c_0) - alpha d c_dot) / (s + alpha)   within its bounds,   k = (1 + alpha d / h) / (s + alpha)
//
//   s = 0         a spring and damper:  f = -c / alpha - d c_dot
//   f_0 = 0       a penalty, for hard rows
//   f_0 -> f      multipliers: the fixed point holds c + alpha (f + d c_dot) = 0 whatever s is
//
// At its bounds f does not change with c, and k = 0 would let the next step jump to the other bound, and back. k is there that of the chord
// from where the row would rest to where it is, k f / f_unbounded: a quadratic above the row's true energy, so that the objective falls. A row
// that pushes one way only has f = k = 0 while it is slack; but k stays for the sweep in which its multiplier goes to 0, or the body would
// fall back to its prediction and the multiplier and the position chase each other in a cycle of two sweeps.
//
// A velocity-level row takes part with c = h rate. A constraint with a moving normal has no multiplier from sweep to sweep (f_0 = 0), since its
// direction belongs to another pose.
//
// Geometric stiffness G = -D(J^T f): what keeps H true where forces turn with the body (7.31). It may be indefinite; `diagonal` takes the norms
// of its columns instead, which are never negative (Giles 2025), `full` its symmetric part where H stays positive definite. It is taken once a step, at
// the last step's forces. Where the normal moves J^T k J knows one direction of those that the force resists: there `diagonal` is taken at every
// visit, also if `none` is asked for.

#include <sinew/body/carried_spin.hpp>
#include <sinew/body/parameter_fault.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/solver/body_adjacency.hpp>
#include <sinew/solver/island_momentum.hpp>
#include <sinew/solver/position_rows.hpp>
#include <sinew/solver/semi_iteration.hpp>

#include <limits>

namespace sinew::inline v0 {

/// What a strategy that goes body by body takes of the geometric stiffness.
enum class geometric_stiffness : unsigned char { none, diagonal, full };

namespace detail {
/// Whether numbers of type S reach as far as a mass over the square of a step.
template <class S>
inline constexpr bool holds_stiffnesses_v = std::numeric_limits<value_type_t<S>>::max_exponent >= 24;
}  // namespace detail

/// Env: the world's environment.
template <class Env>
class block_descent {
public:
    using S = typename Env::scalar;
    static_assert(detail::holds_stiffnesses_v<S>,
                  "sinew: this strategy works with stiffnesses of mass / h^2, which this fixed-point scalar cannot hold; take one with 24 bits before the point or "
                  "more, such as sinew::fixed<31, 32>, or a strategy on velocities.");

    /// What a sweep needs of a constraint besides itself.
    template <class C>
    struct work {
        vec<S, rows_v<C>> mobility{};            ///< J W J^T of each row, 1/kg
        vec<S, rows_v<C>> ratio{};               ///< rho h^2 mobility; 0: no penalty (s = 0)
        vec<S, rows_v<C>> goal{};                ///< c_0
        vec<S, rows_v<C>> start{};               ///< f_0, N
        vec<S, rows_v<C>> softness{};            ///< s, m/N
        mat<S, dof_v<C>, dof_v<C>> stiffness{};  ///< G, where asked for
        S pressing{};                            ///< of contacts: the push that bounds the friction, N
    };
    /// The law of the rows at some state.
    template <std::size_t M>
    struct response {
        vec<S, M> c, force, stiffness;
        vec<S, M> wanted;   ///< the force if it had no bounds, N
        vec<S, M> slope;    ///< of that by -c, N/m
        std::array<mask_t<S>, M> within;  ///< not at a bound
    };

    S relaxation{1};                                           ///< of each body's step
    geometric_stiffness geometric = geometric_stiffness::none;  ///< what H takes of it
    bool conserve = true;                                      ///< see island_momentum.hpp
    S largest_step{};                                          ///< of any body since this was set to 0, m or rad

    /// Starts a step of h seconds at the predicted states. tune(entry, work) sets ratio, goal and start of an entry, whose mobility is known.
    /// Bodies first move by the multipliers of the last step times `warm`, island by island, where that is no worse a guess.
    template <class P, class Tune>
    constexpr void begin(P const& p, S const& h, S const& warm, Tune&& tune) {
        h_ = h;
        sweeps_ = 0;
        any_new_ = false;
        adjacency_.update(p);
        p.update_inverse_masses();
        bool const warmed = any(warm != S(0));
        if (conserve || warmed) momentum_.connect(p);
        if (conserve) momentum_.begin(p);
        predicted_.resize(p.bodies.size());
        inertia_.resize(p.bodies.size());
        for (std::size_t i = 0; i < p.bodies.size(); ++i) {
            predicted_[i] = p.bodies[i];
            if (p.masses[i].movable) inertia_[i] = world_inertia(p.masses[i].inertia, p.bodies[i].pose.rotation);
        }
        predicted_particles_.resize(p.particles.size());
        for (std::size_t i = 0; i < p.particles.size(); ++i) predicted_particles_[i] = p.particles[i];
        offset_.assign(p.node_count(), block{});
        last_.assign(p.node_count(), block{});
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            auto& works = std::get<t>(work_);
            works.resize(entries.size());
            for (std::size_t i = 0; i < entries.size(); ++i) {
                auto& e = entries[i];
                auto& w = works[i];
                auto const J = entry_jacobian(p, e);
                w.mobility = mobility_of(p, e, J);
                tune(e, w);
                w.pressing = e.lambda[0];
                if constexpr (presses_and_rubs<C, S>) any_new_ = any_new_ || !all(w.pressing > S(0));
                if constexpr (!moving_normal_v<C>) {
                    soften<C>(w);
                    if (geometric != geometric_stiffness::none) w.stiffness = -stiffness_of(e.constraint, poses_of(p, e), e.lambda);
                    if (warmed) note_push(p, e, J, e.lambda * (warm * h * h));
                }
            }
        });
        if (warmed) guess(p);
    }

    /// Whether all contacts have their friction: those that are new get it in the third sweep.
    [[nodiscard]] constexpr bool knows_pushes() const noexcept { return sweeps_ > 2 || !any_new_; }
    /// One visit of every body.
    template <class P>
    constexpr void sweep(P const& p) {
        if (++sweeps_ == 3) note_pushes(p);
        p.for_each_movable([&](auto kind, std::uint32_t i) { visit(p, kind, i); });
    }
    /// Forth and back, and Chebyshev's step from there. Only the symmetric pair has real eigenvalues, in [0, rho], and a full set of eigenvectors;
    /// forward sweeps alone are far from normal, and what is to speed them up may first blow them up by many orders.
    template <class P>
    constexpr void accelerated_sweep(P const& p, typename semi_iteration<S>::factors const& factors) {
        before_.resize(offset_.size());
        for (std::size_t i = 0; i < offset_.size(); ++i) {
            before_[i] = last_[i];
            last_[i] = offset_[i];
        }
        sweep(p);
        for_each_movable_backwards(p, [&](auto kind, std::uint32_t i) { visit(p, kind, i); });
        auto const plain = factors.omega == S(1) && factors.gamma == S(1);
        if (all(plain)) return;
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using Kind = decltype(kind);
            auto const node = p.node(kind, i);
            if (adjacency_.constraints_of(node).empty()) return;
            auto const now = part<Kind>(offset_[node]), last = part<Kind>(last_[node]), before = part<Kind>(before_[node]);
            auto const further = factors.omega * (factors.gamma * (now - last) + last - before) + before;
            if constexpr (has_lanes_v<S>)
                place(p, kind, i, select(plain, now, further));
            else
                place(p, kind, i, further);
        });
    }

    /// f(entry, work, response) for every constraint at the state of now.
    template <class P, class F>
    constexpr void for_each_response(P const& p, F&& f) {
        p.for_each_type([&](auto entries, auto t) {
            for (std::size_t i = 0; i < entries.size(); ++i) {
                auto& e = entries[i];
                auto& w = std::get<t>(work_)[i];
                auto const poses = poses_of(p, e);
                f(e, w, respond(p, e, w, poses, [&] { return entry_jacobian(p, e); }));
            }
        });
    }
    // Of contacts that had none in the last step.
    template <class P>
    constexpr void note_pushes(P const& p) {
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (presses_and_rubs<C, S>)
                for (std::size_t i = 0; i < entries.size(); ++i) {
                    auto& w = std::get<t>(work_)[i];
                    auto const known = w.pressing > S(0);
                    if (all(known)) continue;
                    auto const& e = entries[i];
                    w.pressing = select(known, w.pressing, respond(p, e, w, poses_of(p, e), [&] { return entry_jacobian(p, e); }).force[0]);
                }
        });
    }
    /// Softness of an entry's rows after its ratio has changed.
    template <class C>
    constexpr void soften(work<C>& w) const noexcept {
        for (std::size_t i = 0; i < rows_v<C>; ++i) {
            auto const none = w.ratio[i] <= S(0);
            w.softness[i] = select(none, S(0), h_ * h_ * w.mobility[i] / select(none, S(1), w.ratio[i]));
        }
    }

    /// Velocities to match, and multipliers: settle(entry, work, response) of each constraint yields those that hold at the state of now.
    template <class P, class F>
    constexpr void finish(P const& p, F&& settle) {
        torques_.assign(p.bodies.size(), {});
        for_each_response(p, [&](auto& e, auto& w, auto const& r) {
            e.lambda = settle(e, w, r);
            e.pushed.clear();
            auto const f = wrenches_of(e, entry_jacobian(p, e), e.lambda);
            std::size_t k = 0;
            for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
                if constexpr (std::same_as<decltype(kind), rigid>) {
                    if (p.masses[i].movable) torques_[i] += f[k].torque;
                }
                e.pushed.add(k, f[k], S(1));
                ++k;
            });
            if (conserve) momentum_.add(p, e, f, h_);
        });
        S const rounding = S(value_type_t<S>(64) * epsilon_v<value_type_t<S>>) / h_;  // of a spin, rad/s
        for (std::uint32_t i = 0; i < p.bodies.size(); ++i) {
            if (!p.masses[i].movable) continue;
            // Its spin grows by the impulse of the inertial term, which is what its forces come to where it is now: the one that it has been displaced by, and theirs.
            auto& b = p.bodies[i];
            vec3<S> const theta = angular_part(offset_[i]);
            vec3<S> const impulse = pulled_back(theta, inertia_[i] * theta) / h_;
            auto const own = detail::trusted_impulse(p.masses[i].inertia, b.pose.local_direction(impulse), b.pose.local_direction(h_ * torques_[i]), rounding);
            auto const carried = detail::carry_spin(p.masses[i].inertia, p.masses[i].inverse_inertia, predicted_[i].pose.rotation, b.pose.rotation, predicted_[i].twist.angular, impulse, own);
            b.twist.angular = carried.angular;
            if (conserve) momentum_.add_spin(p, i, carried.gained);
        }
        if (conserve) momentum_.give_back(p);
    }

private:
    using block = vec<S, Env::max_dof>;
    template <class C>
    using work_array = typename Env::template array<work<C>, Env::template most_of<C>>;
    template <class Tuple>
    struct works_of;
    template <class... Cs>
    struct works_of<std::tuple<Cs...>> {
        using type = std::tuple<work_array<Cs>...>;
    };

    template <class Kind>
    [[nodiscard]] static constexpr vec<S, Kind::dof> part(block const& b) noexcept {
        vec<S, Kind::dof> v;
        for (std::size_t k = 0; k < Kind::dof; ++k) v[k] = b[k];
        return v;
    }
    [[nodiscard]] static constexpr vec3<S> linear_part(block const& b) noexcept { return {b[0], b[1], b[2]}; }
    [[nodiscard]] static constexpr vec3<S> angular_part(block const& b) noexcept { return {b[3], b[4], b[5]}; }
    // A^T y.
    [[nodiscard]] static constexpr vec3<S> pulled_back(vec3<S> const& theta, vec3<S> const& y) noexcept {
        return y + S(value_type_t<S>(0.5)) * cross(theta, y) + (S(value_type_t<S>(0.25)) * dot(theta, y)) * theta;
    }

    template <class P, class E, class J>
    [[nodiscard]] static constexpr auto mobility_of(P const& p, E const& e, J const& jacobian) {
        vec<S, rows_v<typename E::constraint_type>> m{};
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            for (std::size_t r = 0; r < m.size(); ++r) {
                auto const b = detail::row_block<decltype(kind)>(jacobian, r, at);
                m[r] = m[r] + dot(b, detail::attachment_access<decltype(kind)>::weigh(p, i, b));
            }
        });
        return m;
    }
    template <class P, class E, class J, std::size_t M>
    constexpr void note_push(P const& p, E const& e, J const& jacobian, vec<S, M> const& impulse) {
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            auto& sum = last_[p.node(kind, i)];
            for (std::size_t r = 0; r < M; ++r)
                for (std::size_t k = 0; k < decltype(kind)::dof; ++k) sum[k] = sum[k] + jacobian(r, at + k) * impulse[r];
        });
    }

    // ---- the first guess

    // Where the pushes in last_ lead. Sweeps that have not converged leave what the first guess had wrong, and where no row resists it that is for ever: of
    // two bodies over a pulley the one that is visited first would rise. At rest last step's forces are right. Far from rest they may be worse than none,
    // since a row answers with rho c to what is left of c; so the objective has the last word.
    template <class P>
    constexpr void guess(P const& p) {
        worse_.assign(p.node_count(), S(0));
        add_potential(p, S(-1));
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using Kind = decltype(kind);
            auto const node = p.node(kind, i);
            place(p, kind, i, detail::attachment_access<Kind>::weigh(p, i, part<Kind>(last_[node])));
            last_[node] = block{};
        });
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            auto& sum = worse_[momentum_.root(p.node(kind, i))];
            sum = sum + inertial_energy(p, kind, i);
        });
        add_potential(p, S(1));
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using Kind = decltype(kind);
            auto const node = p.node(kind, i);
            auto const taken = worse_[momentum_.root(node)] <= S(0);
            if (!all(taken)) place(p, kind, i, select(taken, part<Kind>(offset_[node]), vec<S, Kind::dof>{}));
        });
    }
    // h^2 E of each island, times sign, to worse_ of its root. A constraint with a rule of its own has none, and its island begins at the prediction.
    template <class P>
    constexpr void add_potential(P const& p, S const& sign) {
        S const weight = sign * h_ * h_;
        for_each_response(p, [&](auto const& e, auto const&, auto const& r) {
            S held = potential(r);
            if constexpr (has_update_v<typename std::remove_cvref_t<decltype(e)>::constraint_type, S>) held = all(sign > S(0)) ? infinity_v<S> : S(0);
            std::uint32_t node = no_node;
            for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
                if (detail::attachment_access<decltype(kind)>::movable(p, i)) node = p.node(kind, i);
            });
            if (node == no_node) return;
            auto& sum = worse_[momentum_.root(node)];
            sum = sum + weight * held;
        });
    }

    // ---- the law of the rows

    // E, J: a row whose f would be `wanted` and is held by its bounds has the potential (wanted f - f^2 / 2) / slope, of which -f is the derivative by c.
    template <std::size_t M>
    [[nodiscard]] static constexpr S potential(response<M> const& r) noexcept {
        S sum{};
        for (std::size_t i = 0; i < M; ++i) {
            auto const none = r.slope[i] <= S(0);
            S const rest = (r.wanted[i] + (r.wanted[i] - r.force[i])) / select(none, S(1), r.slope[i]);
            sum = sum + select(none, S(0), r.force[i] * rest);
        }
        return sum * S(value_type_t<S>(0.5));
    }
    template <class P, class E, class W, class Poses, class Jacobian>
    [[nodiscard]] constexpr auto respond(P const& p, E const& e, W const& w, Poses const& poses, Jacobian&& jacobian) const {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        response<M> r;
        if constexpr (is_holonomic_v<C, S>)
            r.c = detail::error_then(e.constraint, poses, p.elapsed + h_);
        else
            r.c = rate_of(e.constraint, poses, twists_of(p, e)) * h_;
        vec<S, M> s = w.softness;
        if constexpr (moving_normal_v<C>) {
            W now = w;
            now.mobility = mobility_of(p, e, jacobian());
            soften<C>(now);
            s = now.softness;
        }
        auto& wanted = r.wanted;
        auto& slope = r.slope;
        vec<S, M> inverse;
        if constexpr (has_compliance<C>) {
            vec<S, M> const alpha = compliance_of<S>(e.constraint);
            vec<S, M> lag{}, growth{};
            if constexpr (has_damping<C>) {
                vec<S, M> const tau = detail::scaled_rows(alpha, damping_of<S>(e.constraint));  // s
                lag = detail::scaled_rows(tau, jacobian() * stacked_velocity<C>(twists_of(p, e)));
                growth = tau / h_;
            }
            for (std::size_t i = 0; i < M; ++i) {
                S const both = s[i] + alpha[i];
                auto const none = both <= S(0);
                inverse[i] = select(none, S(0), S(1) / select(none, S(1), both));
                wanted[i] = (s[i] * w.start[i] - (r.c[i] - w.goal[i]) - lag[i]) * inverse[i];
                r.stiffness[i] = slope[i] = inverse[i] * (S(1) + growth[i]);
            }
        } else {
            for (std::size_t i = 0; i < M; ++i) {
                auto const none = s[i] <= S(0);
                inverse[i] = r.stiffness[i] = slope[i] = select(none, S(0), S(1) / select(none, S(1), s[i]));
                wanted[i] = select(none, S(0), w.start[i]) - (r.c[i] - w.goal[i]) * r.stiffness[i];
            }
        }
        r.force = wanted;
        for (std::size_t i = 0; i < M; ++i) r.within[i] = r.c[i] == r.c[i];
        if constexpr (presses_and_rubs<C, S>) {
            // Friction is as stiff in every direction, lest it be cut to one that does not oppose the slip. Its bound is that of the last step: friction
            // turns a body, which changes the push, which would bound the friction, and Newton's steps, which know nothing of this circle, go
            // back and forth between two answers. Of a contact that is new it is that of the third sweep.
            S const stiffness = min(inverse[1], inverse[2]);
            for (std::size_t i = 1; i < M; ++i) {
                wanted[i] = select(stiffness > S(0), w.start[i], S(0)) - (r.c[i] - w.goal[i]) * stiffness;
                r.stiffness[i] = slope[i] = stiffness;
            }
            auto const limits = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, wanted, q...); }, poses);
            r.force[0] = clamp(wanted[0], limits.lower[0], limits.upper[0]);
            auto const rubs = e.constraint.within_friction(vec<S, M>{w.pressing, wanted[1], wanted[2]});
            r.force = {r.force[0], rubs[1], rubs[2]};
            r.within[0] = limits.lower[0] < wanted[0] && wanted[0] < limits.upper[0];
            auto const holds = e.constraint.within_friction(vec<S, M>{w.pressing, S(1), S(0)})[1] > S(0);  // what has no bound yet is at it, also where nothing slips
            for (std::size_t i = 1; i < M; ++i) r.within[i] = holds && r.force[i] == wanted[i];
            for (std::size_t i = 0; i < M; ++i) r.stiffness[i] = chord(r.stiffness[i], r.force[i], wanted[i], w.start[i], r.within[i]);
        } else if constexpr (is_bounded_v<C, S>) {
            // Bounds of one row may depend on the multipliers of others: those of now.
            auto limits = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, wanted, q...); }, poses);
            for (int pass = 0; pass < (M > 1 ? 2 : 1); ++pass) {
                if (pass > 0) limits = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, r.force, q...); }, poses);
                for (std::size_t i = 0; i < M; ++i) r.force[i] = clamp(wanted[i], limits.lower[i], limits.upper[i]);
            }
            for (std::size_t i = 0; i < M; ++i) {
                r.within[i] = limits.lower[i] < wanted[i] && wanted[i] < limits.upper[i];
                r.stiffness[i] = chord(r.stiffness[i], r.force[i], wanted[i], w.start[i], r.within[i]);
            }
        }
        if constexpr (has_update_v<C, S>) {
            vec<S, M> const proposed = r.force;
            r.force = detail::call_with([&](auto const&... q) { return updated_multipliers(e.constraint, w.start, proposed, q...); }, poses);
            for (std::size_t i = 0; i < M; ++i) {
                auto const kept = r.force[i] == proposed[i];
                r.stiffness[i] = chord(r.stiffness[i], r.force[i], proposed[i], w.start[i], kept);
                r.within[i] = r.within[i] && kept;
            }
        }
        return r;
    }
    // k f / f_unbounded; all of k where a row that was held before this sweep has just gone slack.
    template <class Mask>
    [[nodiscard]] static constexpr S chord(S const& k, S const& force, S const& wanted, S const& start, Mask const& within) noexcept {
        auto const none = wanted == S(0);
        S const share = select(none, S(0), clamp(force / select(none, S(1), wanted), S(0), S(1)));
        S const slack = select(start == S(0), S(0), k);
        return select(within, k, select(force == S(0), slack, k * share));
    }

    // ---- one body

    template <class P, class F>
    static constexpr void for_each_movable_backwards(P const& p, F&& f) {
        constexpr std::size_t maps = std::tuple_size_v<std::remove_cvref_t<decltype(p.generalized)>>;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (
                [&](auto const& g) {
                    using kind = generalized<typename std::remove_cvref_t<decltype(g)>::map_type>;
                    for (std::size_t i = g.states.size(); i-- > 0;)
                        if (g.masses[i].movable) f(kind{}, static_cast<std::uint32_t>(i));
                }(std::get<maps - 1 - I>(p.generalized)),
                ...);
        }(std::make_index_sequence<maps>{});
        for (std::size_t i = p.particles.size(); i-- > 0;)
            if (p.particle_masses[i].movable) f(point_mass{}, static_cast<std::uint32_t>(i));
        for (std::size_t i = p.bodies.size(); i-- > 0;)
            if (p.masses[i].movable) f(rigid{}, static_cast<std::uint32_t>(i));
    }

    template <class P, class Kind>
    constexpr void visit(P const& p, Kind kind, std::uint32_t i) {
        constexpr std::size_t D = Kind::dof;
        auto const node = p.node(kind, i);
        auto const constraints = adjacency_.constraints_of(node);
        if (constraints.empty()) return;
        normal_equations<D> q;
        inertial_term(p, kind, i, node, q);
        for (incidence const& c : constraints)
            body_adjacency<Env>::visit(p, c, [&](auto& e, auto t, auto a) {
                using A = attachments_t<typename std::remove_cvref_t<decltype(e)>::constraint_type>;
                if constexpr (std::same_as<typename A::template kind<decltype(a)::value>, Kind>)
                    add_constraint<A::offset(decltype(a)::value)>(p, e, std::get<t>(work_)[c.entry], q);
            });
        vec<S, D> const start = part<Kind>(offset_[node]), step = within_reach(kind, q.solve(geometric) * (-relaxation));
        vec<S, D> const delta = q.has_potential && any(q.slack) ? descending(p, kind, i, start, step, q.slack) : step;
        for (std::size_t k = 0; k < D; ++k) largest_step = max(largest_step, abs(delta[k]));
        place(p, kind, i, composed(kind, start, delta));
    }

    // A quadratic model of a rotation holds for a part of a turn: a step that would turn farther is shortened.
    [[nodiscard]] static constexpr vec<S, 6> within_reach(rigid, vec<S, 6> const& d) noexcept {
        S const farthest(value_type_t<S>(0.5));  // rad
        S const turn2 = d[3] * d[3] + d[4] * d[4] + d[5] * d[5];
        return d * (farthest / sqrt(max(turn2, farthest * farthest)));
    }
    template <class Kind, std::size_t D>
    [[nodiscard]] static constexpr vec<S, D> within_reach(Kind, vec<S, D> const& d) noexcept {
        return d;
    }

    // H delta = -g; of H and F only what is on and below the diagonal.
    template <std::size_t D>
    struct normal_equations {
        mask_t<S> slack = false;    // a row that would push later
        bool has_potential = true;  // all rows
        vec<S, D> g{};
        mat<S, D, D> H{};
        mat<S, D, D> full{};     // h^2 G, symmetric part
        vec<S, D> diagonal{};    // h^2 times the norms of its columns
        [[nodiscard]] constexpr vec<S, D> solve(geometric_stiffness what) const {
            if (what == geometric_stiffness::full) {
                small_ldlt<S, D> const f(H + full);
                mask_t<S> definite = true;
                for (std::size_t k = 0; k < D; ++k) definite = definite && f.l(k, k) > S(0);
                if (all(definite)) return f.solve(g);
                if constexpr (has_lanes_v<S>) return select(definite, f.solve(g), solve(geometric_stiffness::none));
            }
            auto safe = H;
            for (std::size_t k = 0; k < D; ++k) safe(k, k) = safe(k, k) + diagonal[k];
            return small_ldlt<S, D>(safe).solve(g);
        }
    };

    template <class P, class Kind>
    constexpr void inertial_term(P const& p, Kind, std::uint32_t i, std::uint32_t node, normal_equations<Kind::dof>& q) const {
        if constexpr (std::same_as<Kind, rigid>) {
            S const m = p.masses[i].mass;
            vec3<S> const d = m * linear_part(offset_[node]), theta = angular_part(offset_[node]);
            sym3<S> const& I = inertia_[i];
            vec3<S> const spin = pulled_back(theta, I * theta);
            q.g = {d[0], d[1], d[2], spin[0], spin[1], spin[2]};
            for (std::size_t k = 0; k < 3; ++k) {
                q.H(k, k) = m;
                for (std::size_t l = 0; l <= k; ++l) q.H(3 + k, 3 + l) = I(k, l);
            }
        } else if constexpr (std::same_as<Kind, point_mass>) {
            S const m = p.particle_masses[i].mass;
            q.g = m * linear_part(offset_[node]);
            for (std::size_t k = 0; k < 3; ++k) q.H(k, k) = m;
        } else {
            // Of any other kind W is known, and is held through the step.
            mat<S, Kind::dof, Kind::dof> W;
            for (std::size_t k = 0; k < Kind::dof; ++k) {
                vec<S, Kind::dof> unit{};
                unit[k] = S(1);
                auto const column = detail::attachment_access<Kind>::weigh(p, i, unit);
                for (std::size_t r = 0; r < Kind::dof; ++r) W(r, k) = column[r];
            }
            q.H = inverse_spd(W);
            q.g = q.H * part<Kind>(offset_[node]);
        }
    }

    // 1/2 d^T M d
    template <class P, class Kind>
    [[nodiscard]] constexpr S inertial_energy(P const& p, Kind kind, std::uint32_t i) const {
        S const half(value_type_t<S>(0.5));
        auto const node = p.node(kind, i);
        if constexpr (std::same_as<Kind, rigid>) {
            vec3<S> const d = linear_part(offset_[node]), theta = angular_part(offset_[node]);
            return (dot(p.masses[i].mass * d, d) + dot(theta, inertia_[i] * theta)) * half;
        } else {
            normal_equations<Kind::dof> q;
            inertial_term(p, kind, i, node, q);
            return dot(q.g, part<Kind>(offset_[node])) * half;
        }
    }
    // 1/2 d^T M d + h^2 E, as far as it depends on one body.
    template <class P, class Kind>
    [[nodiscard]] constexpr S objective(P const& p, Kind kind, std::uint32_t i) const {
        S sum = inertial_energy(p, kind, i);
        for (incidence const& c : adjacency_.constraints_of(p.node(kind, i)))
            body_adjacency<Env>::visit(p, c, [&](auto& e, auto t, auto) {
                sum = sum + h_ * h_ * potential(respond(p, e, std::get<t>(work_)[c.entry], poses_of(p, e), [&] { return entry_jacobian(p, e); }));
            });
        return sum;
    }
    // As much of a step as the objective does not rise by. A quadratic lies above the energy of a row that pushes, but not of one that is slack: that lets its
    // body fall as far as its prediction, from where it is taut again, and one would follow the other in a circle that never holds. What roundings tell is no rise.
    template <class P, class Kind, std::size_t D>
    [[nodiscard]] constexpr vec<S, D> descending(P const& p, Kind kind, std::uint32_t i, vec<S, D> const& start, vec<S, D> delta, mask_t<S> const& slack) {
        S const half(value_type_t<S>(0.5)), share(value_type_t<S>(0.0625)), before = objective(p, kind, i);
        for (int cut = 0; cut < most_cuts; ++cut) {
            place(p, kind, i, composed(kind, start, delta));
            S const after = objective(p, kind, i);
            auto const rises = slack && after - before > (abs(after) + abs(before)) * share;
            if (!any(rises)) break;
            delta = select(rises, delta * half, delta);
        }
        return delta;
    }

    // Flattened: only then do the columns of J that belong to other bodies vanish.
    template <std::size_t At, class P, class E, class W, std::size_t D>
    [[gnu::flatten]] constexpr void add_constraint(P const& p, E const& e, W const& w, normal_equations<D>& q) const {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        auto const poses = poses_of(p, e);
        auto const J = detail::call_with([&](auto const&... x) { return jacobian_of(e.constraint, x...); }, poses);
        auto const r = respond(p, e, w, poses, [&]() -> auto const& { return J; });
        S const h2 = h_ * h_;
        if constexpr (has_update_v<C, S>) q.has_potential = false;
        for (std::size_t i = 0; i < M; ++i) {
            if constexpr (is_bounded_v<C, S> || presses_and_rubs<C, S>) q.slack = q.slack || (!r.within[i] && r.stiffness[i] == S(0));
            S const f = h2 * r.force[i], k = h2 * r.stiffness[i];
            detail::each_below<S>(detail::count_v<D>, [&](auto a) {
                q.g[a] = q.g[a] - J(i, At + a) * f;
                S const scaled = k * J(i, At + a);
                for (std::size_t b = 0; b <= a; ++b) q.H(a, b) = q.H(a, b) + scaled * J(i, At + b);
            });
        }
        if constexpr (moving_normal_v<C>)
            add_geometric<At>(-stiffness_of(e.constraint, poses, r.force), q);
        else if (geometric != geometric_stiffness::none)
            add_geometric<At>(w.stiffness, q);
    }
    template <std::size_t At, std::size_t N, std::size_t D>
    constexpr void add_geometric(mat<S, N, N> const& G, normal_equations<D>& q) const {
        S const h2 = h_ * h_;
        for (std::size_t a = 0; a < D; ++a) {
            S square{};
            for (std::size_t b = 0; b < D; ++b) {
                S const both = S(value_type_t<S>(0.5)) * (G(At + a, At + b) + G(At + b, At + a));
                square = square + both * both;
                q.full(a, b) = q.full(a, b) + h2 * both;
            }
            q.diagonal[a] = q.diagonal[a] + h2 * sqrt(square);
        }
    }

    // theta after a further nudge by delta.
    [[nodiscard]] static constexpr vec<S, 6> composed(rigid, vec<S, 6> const& x, vec<S, 6> const& d) noexcept {
        S const half(value_type_t<S>(0.5));
        vec3<S> const theta{x[3], x[4], x[5]}, delta{d[3], d[4], d[5]};
        S const w = S(1) - dot(theta, delta) * S(value_type_t<S>(0.25));
        // Turned by half a turn since the prediction theta has no value: it is held just before.
        vec3<S> const t = (theta + delta + half * cross(delta, theta)) / max(w, S(value_type_t<S>(0.05)));
        return {x[0] + d[0], x[1] + d[1], x[2] + d[2], t[0], t[1], t[2]};
    }
    template <class Kind, std::size_t D>
    [[nodiscard]] static constexpr vec<S, D> composed(Kind, vec<S, D> const& x, vec<S, D> const& d) noexcept {
        return x + d;
    }

    // Pose and velocity of a body displaced by x since the prediction.
    template <class P, class Kind, std::size_t D>
    constexpr void place(P const& p, Kind kind, std::uint32_t i, vec<S, D> const& x) {
        auto& offset = offset_[p.node(kind, i)];
        S const inverse_h = S(1) / h_;
        if constexpr (std::same_as<Kind, rigid>) {
            auto& b = p.bodies[i];
            auto const& from = predicted_[i];
            vec3<S> const d{x[0], x[1], x[2]}, theta{x[3], x[4], x[5]};
            b.pose.position = from.pose.position + d;
            b.pose.rotation = nudged(from.pose.rotation, theta);
            b.twist.linear = from.twist.linear + d * inverse_h;
            b.twist.angular = from.twist.angular + theta * inverse_h;
        } else if constexpr (std::same_as<Kind, point_mass>) {
            p.particles[i].position = predicted_particles_[i].position + x;
            p.particles[i].velocity = predicted_particles_[i].velocity + x * inverse_h;
        } else {
            auto const moved = x - part<Kind>(offset);
            detail::attachment_access<Kind>::displace(p, i, moved);
            detail::attachment_access<Kind>::accelerate(p, i, moved * inverse_h);
        }
        for (std::size_t k = 0; k < D; ++k) offset[k] = x[k];
    }

    static constexpr std::uint32_t no_node = 0xffffffffu;
    static constexpr int most_cuts = 4;  // of a step, each by half

    S h_{};
    body_adjacency<Env> adjacency_;
    typename Env::template array<S, Env::max_nodes> worse_;  // of the first guess, at the root of its island: by how much its objective is above that of the prediction
    island_momentum<Env> momentum_;
    typename Env::template array<block, Env::max_nodes> offset_, last_, before_;  // d now, after the last sweep, and before it
    typename Env::template array<rigid_state<S, typename Env::rotation>, Env::limits.bodies + 1> predicted_;
    typename Env::template array<sym3<S>, Env::limits.bodies + 1> inertia_;  // world frame, at the prediction
    typename Env::template array<vec3<S>, Env::limits.bodies + 1> torques_;  // of the constraints, at the end of the step
    int sweeps_ = 0;        // of this step
    bool any_new_ = false;  // contacts that did not push in the last step
    typename Env::template array<particle_state<S>, Env::limits.particles> predicted_particles_;
    typename works_of<typename Env::constraint_types>::type work_;
};

}  // namespace sinew::inline v0
