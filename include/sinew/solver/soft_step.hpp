#pragma once
// How a solver on the velocity level takes back what has come apart: feedback that acts like a spring and a damper on each row,
// solved implicitly, so that any frequency is stable at any step (Catto 2011, "Soft constraints"; Catto 2024, "Solver2D").
//
//   x'' + 2 zeta omega x' + omega^2 x = 0,   omega = 2 pi f          what a row's error does when the soft row is all that acts on it
//
// One step of implicit Euler in impulses, with K = J M^-1 J^T and the error c at its start:
//
//   u + bias_rate c + (impulse_scale / mass_scale) K p = 0,   p <- p - mass_scale K^-1 (u + bias_rate c) - impulse_scale p
//
//   bias_rate = omega / (2 zeta + h omega)    mass_scale = h omega (2 zeta + h omega) / (1 + h omega (2 zeta + h omega))    impulse_scale = 1 - mass_scale
//
// How stiff it may be where many bodies lie on each other. Of a slow motion of them all, as a tower that leans, one sweep finds only a share a << 1 of the
// impulse P that it takes. With s sweeps a substep, n of them with feedback, and impulses that act again in the next one, of a mode of mass M
//
//   dP = -a M (s u + n bias_rate c) - n impulse_scale P,   du = P / M,   dc = h u
//   x^3 + n impulse_scale x^2 + s a x + n a h bias_rate = 0        grows unless s impulse_scale > h bias_rate (Routh), which is (h omega)^2 < s, nearly
//
// whatever a, n and zeta are: the impulses lag behind the error that they answer, and a stiffer spring rocks what it should hold. So do joints that close loops, by
// arms that reach far beyond their bodies. Impulses that go on as they have changed, by a share k of the last change, lag less: (1 - k) dP is what stands above, and
// so the bound is (h omega)^2 < s / (1 - k).

#include <sinew/math/elementary.hpp>
#include <sinew/math/scalar.hpp>

namespace sinew::inline v0 {

/// What holds positions in a strategy on velocities.
enum class position_feedback : unsigned char {
    soft,       ///< a damped spring of joint_hertz and joint_damping_ratio in every row
    baumgarte,  ///< a share of the error in each step (Vondrak 2005, 6.3.4)
    none,       ///< velocities alone: errors stay, and grow with what rounding and the step leave
};

/// What a row of compliance alpha (1/(N/m)) adds to the diagonal of K over a step of h seconds: alpha / (h lag), lag = h + alpha d (s) with the damping d. In fixed
/// point h lag would have no digit left.
template <class S>
[[nodiscard]] constexpr S soft_share(S const& alpha, S const& h, S const& lag) noexcept {
    if constexpr (floating_scalar<S>)
        return alpha / (h * lag);
    else
        return alpha / h / lag;
}

/// The three numbers of the feedback of a hard row; see the head of soft_step.hpp.
template <class S>
struct row_feedback {
    S bias_rate{};      ///< 1/s
    S mass_scale{1};    ///< of the hard row's impulse
    S impulse_scale{};  ///< of the impulse that is there already
};

/// Frequency f (Hz) and damping ratio zeta, for steps of h seconds.
template <class S>
[[nodiscard]] constexpr row_feedback<S> soft_feedback(S const& hertz, S const& damping_ratio, S const& h) noexcept {
    S const omega = S(2) * pi_v<S> * hertz;
    S const turn = floating_scalar<S> ? h * omega : S(2) * pi_v<S> * (h * hertz);  // omega of a short step may have no room in fixed point, its turn has
    S const a = S(2) * damping_ratio + turn;
    S const b = turn * a;
    S const share = S(1) / (S(1) + b);
    auto const idle = a <= S(0);
    S const divisor = select(idle, S(1), a);
    return {select(idle, S(0), floating_scalar<S> ? omega / divisor : turn / divisor / h), b * share, share};
}

/// The highest frequency, as a share of the rate of substeps, at which a spring in a row does not rock a slow mode of many bodies (head of soft_step.hpp):
/// `sweeps` in a substep, with and without feedback; `trend`, the share of the last change of the impulses that they begin with besides; `reserve`, by which the
/// square of the bound is divided.
template <class S>
[[nodiscard]] constexpr S bearable_hertz_share(int sweeps, S const& trend = S(0), S const& reserve = S(1)) noexcept {
    return sqrt(S(value_type_t<S>(sweeps)) / (reserve * (S(1) - trend))) / (S(2) * pi_v<S>);
}

}  // namespace sinew::inline v0
