#pragma once
// Implicit midpoint: y1 = y + h f(t + h/2, (y + y1)/2). Order 2.
//
// Keeps every quadratic invariant (energy of an oscillator, angular momentum, the norm of a quaternion) to rounding, is
// symplectic and symmetric, and stable at any step for a damped linear system, whose fast modes it does not damp.

#include <sinew/core/errors.hpp>
#include <sinew/math/fixed_number.hpp>
#include <sinew/ode/implicit_stage.hpp>

namespace sinew::inline v0 {

struct implicit_midpoint {
    static constexpr int order = 2;
    static constexpr bool iterates = true;  ///< until its equations are solved
    static constexpr std::size_t buffers = 2;
    /// The largest state that Newton's method is used for: its Jacobian takes newton_limit^2 numbers. A workspace of a
    /// type derived from this one, with 0 here, does without.
    static constexpr std::size_t newton_limit = 256;

    int max_iterations = 100;  ///< of either iteration

    /// Why its number cannot be.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return max_iterations > 0 ? input_fault{} : input_fault{"integrator.max_iterations", "must be positive", static_cast<error_number>(max_iterations)};
    }

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const d = s.stage(0), k = s.stage(1);
        detail::solve_implicit_stage(f, s, T(1) / T(2), d, k, max_iterations);
        s.y1 = s.y + T(2) * d;
        // Half of an odd number of last places is not half: one is missing, or too many.
        if constexpr (is_fixed_v<value_type_t<T>>) {
            T const half = T(1) / T(2) * s.h, rest = s.h - half;
            if (value(rest) != value(half)) s.y1 = s.y1 + (rest - half) * k;
        }
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<implicit_midpoint, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0
