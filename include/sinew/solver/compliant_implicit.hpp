#pragma once
// Implicit integration of constraints from infinitely stiff to soft, with geometric stiffness: Tournier's saddle-point system, whose
// general form with geometric stiffness is, for one step of length h,
//
//   [ alpha M - gamma h^2 G   -J^T ] [ v  ]   [ delta M v*                            ]
//   [ -J                      -W   ] [ mu ] = [ eta h (beta h C D + gamma h^2)^-1 f   ]     W = (beta h C D + gamma h^2)^-1 C
//
//   M, v*  masses; velocities that the other forces predict      v    velocity that moves the bodies: q1 = q0 + h v
//   f, J   errors and their Jacobian at q0                       mu   impulses eta h lambda (N s)
//   C, D   compliance (1/(N/m)), damping (N s/m) of the rows     G    sum of lambda_i D^2 f_i, its symmetric part (N/m)
//
// The constants and those of the common integrators: implicit_constants.hpp. Forces are those at q_f = q0 + (gamma / eta) h v: of the end for
// implicit Euler; of the middle for the trapezoid, where v is the mean of v* and the end velocity.
//
// In words: alpha M v - delta M v* = J(q_f)^T mu, and lambda = -C^-1 f(q_f) - D J v, linearised about the start. The end velocity is
// v* + end (v - v*). A row with compliance 0 is no limit of soft ones for theta < 1, where f(q_f) = 0 would let the errors ring with
// f1 = -f0: it asks for f(q1) = 0, and for J v = 0 of the end velocity (as RATTLE does), whatever the constants.
// A velocity-level row asks for its rate to vanish, W taken as above; its normal does not turn (no G: it has no Hessian).
// So does the friction of hard contacts.
//
// One solve is the linearised step. Then the bodies have moved, and Newton's iterations go on from there: f, J and G are those of the
// true new poses, corrections move velocities by dv and poses by h dv. What the equation of motion leaves is compared with momenta
// (M v after the motion less what the constraints gave), so that gyroscopic motion is not undone. Matrices are those above; so
// the joints close to rounding, and the force has the direction that J has at q_f.
//
// geometric_stiffness = false leaves G out and lets each impulse keep the direction of the linearisation that found it. That is exact in
// momentum, and explicit across the constraint: it diverges where sqrt(tension / (mass x length)) h > 2. Contacts, which know no tension, always do so.
//
// As in every implicit Euler of momenta, forces of the end have a moment about the axis that a bar had at the start: one that goes round on a ball joint begins
// to spin about itself, by h I_p / I_x times what its axis turns (carried_spin.hpp).
//
// The rows are in compliant_rows.hpp, the linear system in saddle_point.hpp, bounds in row_active_set.hpp.
//
// Departures from the printed text. alpha M v + J^T (beta D + gamma K) J v = delta p + eta J^T K f has the wrong sign of eta, or else f is
// minus the error: the rows there read J v + W lambda = +eta (...)^-1 f, against -J v - C mu / h^2 = f / h above them. The last Lagrangian
// lacks a half: |f|_K^2 / 2. G = d/dq (J^T lambda): not d/dq of dJ^T lambda. W has mu for lambda. G stands in the general form as gamma h^2 G.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/solver/kept_values.hpp>
#include <sinew/solver/row_active_set.hpp>
#include <sinew/solver/row_block.hpp>

namespace sinew::inline v0 {

/// The strategy: velocity level, direct, implicit.
struct compliant_implicit {
    template <class Env>
    class strategy;
};

template <class Env>
class compliant_implicit::strategy {
public:
    using S = typename Env::scalar;
    static constexpr solver_level level = solver_level::velocity;
    static constexpr bool sees_where_bodies_come_to = true;  ///< c at the end of the step, by its rows
    static constexpr solver_abilities abilities{.update_rules = false, .lanes = false};

    implicit_constants<S> constants{};  ///< how the step weighs its ends: implicit_euler_constants, trapezoid_constants, theta_constants
    int iterations = 3;                 ///< linear systems: the linearised step, then Newton's iterations
    bool geometric_stiffness = true;    ///< force directions are those of the end; false: of the start
    S tolerance{0};                     ///< no further iteration when the last has moved no body by more (m, rad)
    S contact_push_speed{3};            ///< at which bodies that have sunk into each other are pushed apart, m/s

    /// Why the tuning numbers cannot be.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(iterations >= 1 ? input_fault{} : input_fault{"solver.iterations", "must be at least 1", static_cast<error_number>(iterations)}, constants.fault(),
                           magnitude_parameter("solver.tolerance", tolerance), magnitude_parameter("solver.contact_push_speed", contact_push_speed));
    }
    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return detail::all_same(a.constants, b.constants, a.iterations, b.iterations, a.geometric_stiffness, b.geometric_stiffness, a.tolerance, b.tolerance,
                                a.contact_push_speed, b.contact_push_speed);
    }

    /// The linearised step: velocities that move the bodies, and the multipliers.
    template <class P>
    constexpr solve_report<S> solve(P const& p, S const& h) {
        if (!system_.is_of(p, geometric_stiffness) || !rows_.are_of(p)) build(p);
        p.update_inverse_masses();
        report_ = {};
        detail::implicit_step<S> const step = of_step(h);
        rows_.linearise(p, step, stage::start);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using A = detail::attachment_access<decltype(kind)>;
            auto const place = p.node(kind, i);
            auto const momentum = A::mass_matrix(p, i) * A::velocity(p, i);
            put(rhs_[place], momentum * (constants.delta - constants.alpha));
            put(predicted_[place], A::velocity(p, i));
        });
        add_predicted_turning(p);
        add_started(p);
        solve_linear(p, h, stage::start);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using A = detail::attachment_access<decltype(kind)>;
            auto const place = p.node(kind, i);
            auto const v = A::velocity(p, i), before = take<decltype(kind)::dof>(predicted_[place]);
            auto const M = A::mass_matrix(p, i);
            put(found_[place], v);
            put(gained_[place], M * (v - before));
            put(target_[place], M * (before * constants.delta - v * constants.alpha));
        });
        rows_.notice_tipping(p, step);
        absorb(p, stage::start);
        return report_;
    }

    /// Newton's iterations at the poses that were reached; then the end velocities.
    template <class P>
    constexpr solve_report<S> relax(P const& p, S const& h) {
        report_.iterations = 0;
        int const further = any_moving_normal && iterations < 2 ? 1 : iterations - 1;
        begin_at_reached(p);
        sweeps_.begin();
        for (int k = 0; k < further; ++k) {
            if (k > 0 && all(sweeps_.is_over(p, correction_, tolerance))) break;
            p.update_inverse_masses();
            rows_.linearise(p, of_step(h), stage::reached);
            balance(p);
            solve_linear(p, h, stage::reached);
            absorb(p, stage::reached);
        }
        sweeps_.finish(p);
        report_.residual = rows_.residual();
        if (any(constants.end != S(1))) end_velocities(p, h);
        return report_;
    }

private:
    using stage = detail::solve_stage;
    using system_type = detail::saddle_point<Env>;
    using node_numbers = typename system_type::node_numbers;
    using numbers = vec<S, Env::max_dof>;
    static constexpr bool any_moving_normal = []<class... Cs>(std::tuple<Cs...>*) {
        return (moving_normal_v<Cs> || ...);
    }(static_cast<typename Env::constraint_types*>(nullptr));

    [[nodiscard]] constexpr detail::implicit_step<S> of_step(S const& h) const noexcept { return {h, constants, geometric_stiffness, contact_push_speed}; }
    template <std::size_t N>
    static constexpr void put(numbers& to, vec<S, N> const& v) noexcept {
        for (std::size_t k = 0; k < N; ++k) to[k] = v[k];
    }
    template <std::size_t N>
    [[nodiscard]] static constexpr vec<S, N> take(numbers const& from) noexcept {
        vec<S, N> v;
        for (std::size_t k = 0; k < N; ++k) v[k] = from[k];
        return v;
    }
    template <class Parts, class V>
    static constexpr void add(node_numbers& to, Parts const& parts, V const& q) {
        for (auto const& a : parts)
            if (a.moves())
                for (std::size_t k = 0; k < a.dof; ++k) to[a.place][k] = to[a.place][k] + q[a.at + k];
    }

    template <class P>
    constexpr void build(P const& p) {
        for (auto* v : {&target_, &predicted_, &found_, &gained_, &rhs_}) v->assign(p.node_count(), numbers{});
        rows_.build(p);
        system_.build(p, rows_, geometric_stiffness);
    }

    // ---- the equation of motion

    // Whether impulses keep the direction in which they were found.
    template <class C>
    [[nodiscard]] constexpr bool keeps_direction(detail::compliant_row_work<C, S> const& w) const noexcept {
        if constexpr (detail::has_turning_v<C, S>)
            return !geometric_stiffness || w.tips;
        else
            return moving_normal_v<C> || presses_and_rubs<C, S> || !geometric_stiffness;
    }
    // The force turns with v*, before any dv.
    template <class P>
    constexpr void add_predicted_turning(P const& p) {
        if (!geometric_stiffness) return;
        rows_.for_each(p, [&](auto& e, auto& w) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            if constexpr (detail::has_turning_v<C, S>) add(rhs_, system_.parts_of(p, e), w.G * stacked_velocity<C>(twists_of(p, e)));
        });
    }
    // Impulses that are there from the beginning: of contacts.
    template <class P>
    constexpr void add_started(P const& p) {
        rows_.for_each(p, [&](auto& e, auto& w) {
            if constexpr (presses_and_rubs<typename std::remove_cvref_t<decltype(e)>::constraint_type, S>) add(rhs_, system_.parts_of(p, e), transpose_times(w.J, w.mu));
        });
    }
    // What the momenta alpha M v would be without the constraints, now that the bodies have moved. The motion kept momenta, and
    // turned velocities with the inertia; or it kept the velocities, and their differences are still those that were found.
    template <class P>
    constexpr void begin_at_reached(P const& p) {
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using A = detail::attachment_access<decltype(kind)>;
            auto const place = p.node(kind, i);
            auto const v = A::velocity(p, i), found = take<decltype(kind)::dof>(found_[place]), before = take<decltype(kind)::dof>(predicted_[place]);
            auto const M = A::mass_matrix(p, i);
            auto const M_v = M * v, gained = take<decltype(kind)::dof>(gained_[place]), turned = take<decltype(kind)::dof>(target_[place]) + M_v * constants.alpha;
            if (v == found) {
                auto const again = M_v - M * before;  // gained at the start is what keeps its direction
                auto const kept = turned + (gained - again);
                // What spins about a principal axis keeps its velocity, but what is next to it, in some direction, does not.
                auto const next_to_it = [&](auto r, [[maybe_unused]] auto const& other) {
                    if constexpr (derivative_order_v<S> > 0)
                        for (std::size_t k = 1; k < detail::parts_of<S>(); ++k) {
                            value_type_t<S> turns{}, size{};  // but for rounding
                            for (std::size_t n = 0; n < v.size(); ++n) {
                                turns = max(turns, abs(detail::part_of(v[n], k) - detail::part_of(found[n], k)));
                                size = max(size, abs(detail::part_of(found[n], k)));
                            }
                            bool const keeps = turns <= size * (epsilon_v<value_type_t<S>> * value_type_t<S>(4096));
                            for (std::size_t n = 0; n < v.size() && !keeps; ++n) detail::part_of(r[n], k) = detail::part_of(other[n], k);
                        }
                    return r;
                };
                put(target_[place], next_to_it(kept, turned));
                put(gained_[place], next_to_it(again, gained));
            } else {
                put(target_[place], turned);
            }
        });
    }
    // What the impulses so far leave of the equation of motion, at the poses reached.
    template <class P>
    constexpr void balance(P const& p) {
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using A = detail::attachment_access<decltype(kind)>;
            auto const at = p.node(kind, i);
            put(rhs_[at], take<decltype(kind)::dof>(target_[at]) - A::mass_matrix(p, i) * A::velocity(p, i) * constants.alpha);
        });
        rows_.for_each(p, [&](auto& e, auto& w) {
            if (!keeps_direction(w)) add(rhs_, system_.parts_of(p, e), transpose_times(w.J, w.mu));
        });
    }
    // Impulses that keep their direction are no longer the equation's to find.
    template <class P>
    constexpr void absorb(P const& p, stage at) {
        rows_.for_each(p, [&](auto& e, auto& w) {
            if (w.active && keeps_direction(w))
                add(target_, system_.parts_of(p, e), transpose_times(w.J, at == stage::start ? w.mu : w.change));
        });
    }

    // ---- the linear system, and what it changes

    template <class P>
    constexpr void solve_linear(P const& p, S const& h, stage at) {
        bool const ends = at == stage::end;
        system_.begin();
        if (!ends) active_set_.begin(p, rows_);
        do {
            ++report_.iterations;
            report_.full_rank = system_.solve(p, rows_, rhs_, ends ? S(1) : constants.alpha, geometric_stiffness && !ends);
        } while (!ends && active_set_.revise(p, rows_, system_));
        report_.residual = rows_.residual();
        take_over(p, h, at);
    }
    // dv to the bodies, and of the multipliers what has changed.
    template <class P>
    constexpr void take_over(P const& p, S const& h, stage at) {
        S const newtons = S(1) / (constants.eta * h);
        correction_ = S(0);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            using A = detail::attachment_access<K>;
            auto const place = p.node(kind, i);
            auto const dv = system_.correction_of(p, kind, i);
            A::accelerate(p, i, dv);
            if (at != stage::reached) return;
            for (S const& x : dv.e) correction_ = max(correction_, abs(x) * h);
            put(gained_[place], take<K::dof>(gained_[place]) + A::mass_matrix(p, i) * dv);
            A::displace(p, i, dv * h);
        });
        if (at == stage::end) return;
        rows_.for_each(p, [&](auto& e, auto& w) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            w.mu = w.mu + w.change;
            if constexpr (is_bounded_v<C, S>)
                for (std::size_t r = 0; r < rows_v<C>; ++r) w.mu[r] = clamp(w.mu[r], w.lower[r], w.upper[r]);
            e.lambda = w.mu * newtons;
            if constexpr (moving_normal_v<C>) {
                if (at == stage::start) e.pushed.clear();
                if (w.active) {
                    auto const f = wrenches_of(e, w.J, vec<S, rows_v<C>>(w.change * newtons));
                    for (std::size_t k = 0; k < f.size(); ++k) e.pushed.add(k, f[k], S(1));
                }
            }
        });
    }
    // v* + end (v - v*), on the hard rows.
    template <class P>
    constexpr void end_velocities(P const& p, S const& h) {
        p.update_inverse_masses();
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            auto const place = p.node(kind, i);
            detail::attachment_access<K>::push(p, i, take<K::dof>(gained_[place]) * (constants.end - S(1)));
            rhs_[place] = {};
        });
        rows_.linearise_rates(p);
        solve_linear(p, h, stage::end);
        rows_.for_each(p, [&](auto&, auto& w) { w.at_bound = {}; });
    }

    detail::compliant_rows<Env> rows_;
    system_type system_;
    detail::row_active_set<Env> active_set_;
    node_numbers predicted_, found_;  // v*; v of the linearised step
    node_numbers target_;             // momenta alpha M v without the constraints'
    node_numbers gained_;             // M (v - v*)
    node_numbers rhs_;
    solve_report<S> report_{};
    [[no_unique_address]] detail::last_sweep<Env> sweeps_{};
    S correction_{};
};

}  // namespace sinew::inline v0
