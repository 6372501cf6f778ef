#pragma once
// How compliant_implicit weighs the ends of a step: Tournier's general constants, with those of the common integrators.
//
//   [ alpha M - gamma h^2 G   -J^T ] [ v  ]   [ delta M v*                            ]
//   [ -J                      -W   ] [ mu ] = [ eta h (beta h C D + gamma h^2)^-1 f   ]     W = (beta h C D + gamma h^2)^-1 C
//
//                   alpha  beta  gamma    delta  eta   end        q_f = q0 + (gamma / eta) h v
//   implicit Euler    1     1     1         1     1     1         q1
//   trapezoid         1    1/2   1/4        1    1/2    2         the middle: v is the mean of v* and the end velocity
//   theta             1   theta  theta^2    1   theta  1/theta
//
// A spring is A-stable for theta >= 1/2; implicit Euler also damps what it does not resolve. alpha > delta = 1 damps by mass.
// The trapezoid damps nothing, and that is too little where bodies turn on springs that the step does not resolve (h omega >> 2): they ring, and the
// ringing feeds on the motion until it blows up (Gonzalez and Simo 1996), whatever the number of iterations. A pendulum of 1 kg on 1e9 N/m at 60 Hz
// lasts some 2000 steps with theta = 0.5, some 6500 with 0.51, and more than 10,000 with 0.55. Stiff springs are for implicit Euler. Hard rows do not
// ring; but what Newton leaves is not damped either: three links under 1000 kg want 10 iterations.
// The symbols are explained at the head of compliant_implicit.hpp.

#include <sinew/body/parameter_fault.hpp>

namespace sinew::inline v0 {

/// How a step weighs its ends, as multiples of powers of h: alpha, delta 1; beta, eta h; gamma h^2. `end`: what the end velocity is.
template <class S>
struct implicit_constants {
    S alpha{1};  ///< of M v
    S beta{1};   ///< of the damping
    S gamma{1};  ///< of the stiffness, and of G
    S delta{1};  ///< of M v*
    S eta{1};    ///< of the error
    S end{1};    ///< end velocity v* + end (v - v*)

    /// Why they cannot be.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("solver.constants.alpha", alpha), detail::parameter_within(alpha > S(0), "solver.constants.alpha", "must be positive", alpha),
                           nonnegative_parameter("solver.constants.beta", beta), finite_parameter("solver.constants.gamma", gamma),
                           detail::parameter_within(gamma > S(0), "solver.constants.gamma", "must be positive", gamma), nonnegative_parameter("solver.constants.delta", delta),
                           finite_parameter("solver.constants.eta", eta),
                           detail::parameter_within(eta >= gamma, "solver.constants.eta", "must not be below gamma: the force is that of a time within the step", eta),
                           nonnegative_parameter("solver.constants.end", end));
    }
    [[nodiscard]] friend constexpr bool operator==(implicit_constants const&, implicit_constants const&) = default;
};
/// Forces of the end of the step: first order, L-stable.
template <class S>
[[nodiscard]] constexpr implicit_constants<S> implicit_euler_constants() noexcept {
    return {};
}
/// Forces at a share theta of the step, 1/2 to 1.
template <class S>
[[nodiscard]] constexpr implicit_constants<S> theta_constants(S const& theta) noexcept {
    return {S(1), theta, theta * theta, S(1), theta, S(1) / theta};
}
/// Second order, keeps the energy of a linear spring.
template <class S>
[[nodiscard]] constexpr implicit_constants<S> trapezoid_constants() noexcept {
    return theta_constants(S(1) / S(2));
}

}  // namespace sinew::inline v0
