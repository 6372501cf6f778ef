#pragma once
// Vertex block descent (Chen et al. 2024; Waterson 2026, 6.1-6.2) for rigid bodies: an implicit Euler step, solved body by body.
//
//   minimise  1/(2 h^2) |x - y|_M^2 + E(x),   E = sum of c^2 / (2 alpha) over compliant rows, and of rho c^2 / 2 over hard ones
//
// y is the predicted pose; dampers add d (c - c_start)^2 / (2 h). Every visit solves one body's block exactly to second order while its
// neighbours stand still (block_descent.hpp). Unconverged it is too soft and loses momentum, which `conserve_momentum` gives back to free islands.
// With the geometric stiffness it stays together in a single sweep a step up to springs of a million N/m between bodies of 1 kg at 60 Hz.
//
// What the sweeps have not done yet moves what no row resists: of equal weights over a pulley the one visited first rises;
// warm_start = 1, or chebyshev, leave less than a tenth of it.
//
// A hard row is a penalty with rho = hard_stiffness / (h^2 J W J^T), so that it sags by f / rho: under its own weight a body hangs g h^2 /
// hard_stiffness too low, at any mass. Stiffer needs more sweeps. For hard constraints take augmented_lagrangian.

#include <sinew/solver/block_descent.hpp>
#include <sinew/solver/kept_values.hpp>

namespace sinew::inline v0 {

/// The strategy: position level, body by body, any constraint; hard ones as penalties.
struct vertex_block_descent {
    template <class Env>
    class strategy;
};

template <class Env>
class vertex_block_descent::strategy {
public:
    using S = typename Env::scalar;
    static constexpr solver_level level = solver_level::position;
    static constexpr solver_abilities abilities{.moving_normals = floating_scalar<S>};  // in fixed point the direction of an error that vanishes has no digits

    int iterations = 20;             ///< sweeps over all bodies; with chebyshev each is forth and back
    int substeps = 1;                ///< predictions and solves in one step
    S relaxation{1};                 ///< of each body's step: 1 is the minimum of its block
    S warm_start{0};                 ///< fraction of the last forces that the first guess already has; 1 keeps what no row resists, and tells the last places of c hard_stiffness times as loud
    S hard_stiffness{100};           ///< penalty of hard rows over that of their effective mass, 1 / (h^2 J W J^T)
    S tolerance{0};                  ///< stop when no body moves farther in a sweep, m or rad
    bool chebyshev = false;          ///< accelerate the sweeps
    S spectral_radius{0};            ///< rho of a sweep forth and back, below 1; 0: estimated anew in every step, from its first sweeps
    geometric_stiffness geometric = geometric_stiffness::diagonal;  ///< what H takes of it; without, stiff springs that turn blow up
    bool conserve_momentum = true;   ///< give free islands back what an unconverged solve lost

    /// Why the tuning numbers cannot be.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(detail::count_parameter("solver.iterations", iterations, 0), detail::count_parameter("solver.substeps", substeps, 1),
                           detail::parameter_within(relaxation > S(0) && relaxation < S(2), "solver.relaxation", "must be above 0 and below 2", relaxation),
                           detail::alike_in_lanes("solver.warm_start", warm_start == S(0)), detail::alike_in_lanes("solver.spectral_radius", spectral_radius == S(0)),
                           detail::parameter_within(warm_start >= S(0) && warm_start <= S(1), "solver.warm_start", "must be between 0 and 1", warm_start),
                           detail::parameter_within(hard_stiffness > S(0) && isfinite(hard_stiffness), "solver.hard_stiffness",
                                                    "must be positive and finite", hard_stiffness),
                           magnitude_parameter("solver.tolerance", tolerance),
                           detail::parameter_within(spectral_radius >= S(0) && spectral_radius < S(1), "solver.spectral_radius",
                                                    "must be between 0 and 1, and below 1", spectral_radius));
    }

    /// Moves the predicted states towards the minimum, and sets velocities and multipliers to match. The residual reported is the largest step
    /// of a body in the last sweep, m or rad.
    template <class P>
    constexpr solve_report<S> solve(P const& p, S const& h) {
        return detail::run_guided<Env>(saved_, p, [&](auto& guide) { return solve(p, h, guide); });
    }

    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return detail::all_same(a.iterations, b.iterations, a.substeps, b.substeps, a.relaxation, b.relaxation, a.warm_start, b.warm_start,
                                a.hard_stiffness, b.hard_stiffness, a.tolerance, b.tolerance, a.chebyshev, b.chebyshev,
                                a.spectral_radius, b.spectral_radius, a.geometric, b.geometric, a.conserve_momentum, b.conserve_momentum);
    }

private:
    template <class P, class Guide>
    constexpr solve_report<S> solve(P const& p, S const& h, Guide& guide) {
        descent_.relaxation = relaxation;
        descent_.geometric = geometric;
        descent_.conserve = conserve_momentum;
        descent_.begin(p, h, warm_start, [&](auto const& e, auto& w) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            auto const alpha = compliance_of<S>(e.constraint);
            for (std::size_t i = 0; i < rows_v<C>; ++i) w.ratio[i] = select(alpha[i] > S(0), S(0), hard_stiffness);
            w.goal = {};
            w.start = {};
        });
        solve_report<S> report;
        semi_iteration<S> momentum(chebyshev, spectral_radius, true);
        sweeps_.begin();
        for (int k = 0; k < iterations; ++k) {
            descent_.largest_step = S(0);
            if (chebyshev)
                descent_.accelerated_sweep(p, momentum.next());
            else
                descent_.sweep(p);
            momentum.observe(descent_.largest_step * descent_.largest_step);
            ++report.iterations;
            report.residual = descent_.largest_step;
            if (descent_.knows_pushes() && guide(sweeps_.is_over(p, report.residual, tolerance))) break;
        }
        sweeps_.finish(p);
        descent_.finish(p, [](auto&, auto&, auto const& r) { return r.force; });
        return report;
    }

    block_descent<Env> descent_;
    [[no_unique_address]] detail::saved_lanes<Env> saved_{};
    [[no_unique_address]] detail::last_sweep<Env> sweeps_{};
};

}  // namespace sinew::inline v0
