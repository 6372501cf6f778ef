#pragma once
// Augmented vertex block descent (Giles, Diaz, Yuksel 2025; Waterson 2026, 7) for rigid bodies: hard constraints hold exactly at a finite stiffness.
//
//   minimise over x, body by body   1/(2 h^2) |x - y|_M^2 + sum of f_0 c + rho c^2 / 2              (eq. 7.2, 7.8)
//   then in every row               f_0 <- f_0 - rho c within its bounds,   rho grows with |c|        (eq. 7.10)
//
// f here is the force of the library's sign, -lambda of the paper. Every visit solves one body's block (block_descent.hpp). Since the masses
// stand on the diagonal of H and not inside J W J^T, a heavy body at the end of a light chain does not slow the bodies' sweeps down (eq. 8.46). The
// multipliers it does slow down as long as rho h^2 is small against the heavy mass; so rho grows where errors last.
//
//   rho        kappa / (h^2 J W J^T): kappa is a number without unit, the same for grams and tons, metres and radians. It starts at
//              start_stiffness, grows by kappa += ramp |c| in every sweep in which the row is not at a bound, and is carried to the next step times
//              decay. (The paper's penalty starts at a number of newtons per metre, and grows by as many per metre of error.)
//   f_0        carried to the next step times correction_share times decay
//   c_0        (1 - correction_share) of the error that the last step left stays: errors are taken back gently (the paper's alpha is
//              1 - correction_share)
//
// Soft rows. The paper gives them no multiplier and lets rho grow up to the material's stiffness, which is too soft until it is there. Here
// they take the multiplier of the compliant augmented Lagrangian, f = (f_0 / rho - c) / (1 / rho + alpha): its k is never above 1 / alpha, and its
// fixed point is f = -c / alpha whatever rho is.
//
// Bounds, friction: f is clamped, and k with it (block_descent.hpp). The paper leaves k as it is, which holds a sliding row back.

#include <sinew/solver/block_descent.hpp>
#include <sinew/solver/kept_values.hpp>

namespace sinew::inline v0 {

/// The strategy: position level, body by body, any constraint, hard and soft.
struct augmented_lagrangian {
    static constexpr std::size_t memory_per_row = 2;  ///< kappa, and the error that the last step left
    template <class Env>
    class strategy;
};

template <class Env>
class augmented_lagrangian::strategy {
public:
    using S = typename Env::scalar;
    static constexpr solver_level level = solver_level::position;
    static constexpr solver_abilities abilities{.moving_normals = floating_scalar<S>};  // in fixed point the direction of an error that vanishes has no digits

    int iterations = 10;             ///< sweeps over all bodies, each followed by one of the multipliers
    int substeps = 1;                ///< predictions and solves in one step
    S relaxation{1};                 ///< of each body's step: 1 is the minimum of its block
    S start_stiffness{10};           ///< kappa of a new row: penalty over that of its effective mass, 1 / (h^2 J W J^T)
    S largest_stiffness{10000};      ///< kappa at most
    S ramp{500};                     ///< beta: growth of kappa in a sweep for every metre or radian of error, 1/m, 1/rad
    S decay{value_type_t<S>(0.99)};  ///< gamma: what kappa and the multipliers keep from step to step
    S correction_share{value_type_t<S>(0.5)};  ///< 1 - alpha: how much of the error that was there before is taken back in a step
    S tolerance{0};                  ///< stop when no row's error is above it, m or rad
    geometric_stiffness geometric = geometric_stiffness::diagonal;  ///< what H takes of it
    bool conserve_momentum = true;   ///< give free islands back what an unconverged solve lost

    /// Why the tuning numbers cannot be.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        auto const share = [](char const* name, S const& x) {
            return detail::parameter_within(x >= S(0) && x <= S(1), name, "must be between 0 and 1", x);
        };
        return first_fault(detail::count_parameter("solver.iterations", iterations, 0), detail::count_parameter("solver.substeps", substeps, 1),
                           detail::parameter_within(relaxation > S(0) && relaxation < S(2), "solver.relaxation", "must be above 0 and below 2", relaxation),
                           detail::parameter_within(start_stiffness > S(0) && isfinite(start_stiffness), "solver.start_stiffness",
                                                    "must be positive and finite", start_stiffness),
                           detail::parameter_within(largest_stiffness >= start_stiffness && isfinite(largest_stiffness), "solver.largest_stiffness",
                                                    "must be finite and not below start_stiffness", largest_stiffness),
                           nonnegative_parameter("solver.ramp", ramp), share("solver.decay", decay), share("solver.correction_share", correction_share),
                           magnitude_parameter("solver.tolerance", tolerance));
    }

    /// Moves the predicted states until the constraints hold, and sets velocities and multipliers to match. The residual reported is the
    /// largest error of a row that is not at a bound, after the last sweep.
    template <class P>
    constexpr solve_report<S> solve(P const& p, S const& h) {
        return detail::run_guided<Env>(saved_, p, [&](auto& guide) { return solve(p, h, guide); });
    }

    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return detail::all_same(a.iterations, b.iterations, a.substeps, b.substeps, a.relaxation, b.relaxation, a.start_stiffness, b.start_stiffness,
                                a.largest_stiffness, b.largest_stiffness, a.ramp, b.ramp, a.decay, b.decay, a.correction_share, b.correction_share,
                                a.tolerance, b.tolerance, a.geometric, b.geometric, a.conserve_momentum, b.conserve_momentum);
    }

private:
    template <class P, class Guide>
    constexpr solve_report<S> solve(P const& p, S const& h, Guide& guide) {
        descent_.relaxation = relaxation;
        descent_.geometric = geometric;
        descent_.conserve = conserve_momentum;
        descent_.begin(p, h, S(1), [&](auto const& e, auto& w) { recall(e, w); });
        solve_report<S> report;
        sweeps_.begin();
        for (int k = 0; k < iterations; ++k) {
            descent_.largest_step = S(0);
            descent_.sweep(p);
            S worst(0);
            descent_.for_each_response(p, [&](auto& e, auto& w, auto const& r) { worst = max(worst, learn(e, w, r)); });
            ++report.iterations;
            report.residual = worst;
            // Where no row is between its bounds, how far bodies still go tells what is left.
            if (descent_.knows_pushes() && guide(sweeps_.is_over(p, select(worst > S(0), worst, descent_.largest_step), tolerance))) break;
        }
        sweeps_.finish(p);
        descent_.finish(p, [&](auto& e, auto& w, auto const& r) { return settled(e, w, r); });
        return report;
    }

    // At the start of a step.
    template <class E, class W>
    constexpr void recall(E const& e, W& w) const {
        using C = typename E::constraint_type;
        auto const alpha = compliance_of<S>(e.constraint);
        S const kept = S(1) - correction_share;
        for (std::size_t i = 0; i < rows_v<C>; ++i) {
            w.ratio[i] = clamp(decay * e.memory[2 * i], start_stiffness, largest_stiffness);
            auto const hard = alpha[i] <= S(0);
            w.goal[i] = is_holonomic_v<C, S> && !moving_normal_v<C> ? select(hard, kept * e.memory[2 * i + 1], S(0)) : S(0);
            w.start[i] = moving_normal_v<C> ? S(0) : e.lambda[i] * decay * select(hard, kept, S(1));
        }
    }
    // After a sweep: the multipliers, and how stiff the next one is. Yields the largest error.
    template <class E, class W, class R>
    constexpr S learn(E const& e, W& w, R const& r) const {
        using C = typename E::constraint_type;
        auto const alpha = compliance_of<S>(e.constraint);
        S worst(0);
        for (std::size_t i = 0; i < rows_v<C>; ++i) {
            // What is amiss of c - c_0 + alpha (f_0 + d c_dot) = 0, as the change of f shows it.
            auto const soft = alpha[i] > S(0);
            S const hard_error = abs(r.c[i] - w.goal[i]);
            S const soft_error = abs(r.force[i] - w.start[i]) * (w.softness[i] + alpha[i]);
            S const error = select(soft, soft_error, hard_error);
            worst = max(worst, select(r.within[i], error, S(0)));
            S const stiffer = min(w.ratio[i] + ramp * error, largest_stiffness);
            w.ratio[i] = select(r.within[i], stiffer, w.ratio[i]);
            if constexpr (!moving_normal_v<C>) w.start[i] = r.force[i];
        }
        if constexpr (!moving_normal_v<C>) descent_.template soften<C>(w);
        return worst;
    }
    // At the end of a step. The bodies have come to rest under the forces that the last sweep of the multipliers found.
    template <class E, class W, class R>
    constexpr auto settled(E& e, W const& w, R const& r) const {
        using C = typename E::constraint_type;
        for (std::size_t i = 0; i < rows_v<C>; ++i) {
            e.memory[2 * i] = w.ratio[i];
            e.memory[2 * i + 1] = select(r.within[i], r.c[i], S(0));
        }
        return moving_normal_v<C> || iterations == 0 ? r.force : w.start;
    }

    block_descent<Env> descent_;
    [[no_unique_address]] detail::saved_lanes<Env> saved_{};
    [[no_unique_address]] detail::last_sweep<Env> sweeps_{};
};

}  // namespace sinew::inline v0
