#pragma once
// The velocity of one body against another where they touch: shared by rolling and the knife edge.
//
//   slip = v_b + omega_b x (p - x_b) - v_a - omega_a x (p - x_a)       m/s, world frame
//
// Both velocities are those of the bodies' matter at one and the same world point p. A force along it therefore has no
// moment of its own, wherever p is: momentum and angular momentum are kept even if the bodies do not quite touch.

#include <sinew/constraint/anchor.hpp>

namespace sinew::inline v0::detail {

[[nodiscard]] constexpr auto slip_at(auto const& a, auto const& b, auto const& ta, auto const& tb, auto const& p) noexcept {
    return tb.linear + cross(tb.angular, p - b.position) - ta.linear - cross(ta.angular, p - a.position);
}
/// Its rate for constant twists, while p itself moves with p_dot (m/s^2).
template <class S>
[[nodiscard]] constexpr vec3<S> slip_rate_at(twist<S> const& ta, twist<S> const& tb, vec3<S> const& p_dot) noexcept {
    return cross(tb.angular, p_dot - tb.linear) - cross(ta.angular, p_dot - ta.linear);
}
/// Row i of the Jacobian: n . slip.
template <class S, std::size_t M>
constexpr void place_slip(mat<S, M, 12>& J, std::size_t i, auto const& a, auto const& b, vec3<S> const& p, vec3<S> const& n) noexcept {
    place_pull(J, i, 0, vec3<S>(-n), vec3<S>(p - a.position));
    place_pull(J, i, 6, n, vec3<S>(p - b.position));
}

}  // namespace sinew::inline v0::detail
