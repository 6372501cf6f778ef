#pragma once
// How far a point of body b is from a point of body a along a direction fixed in a: the row that planes, lines, sliders,
// linear limits and linear motors share.
//
//   s = n_a . d,   d = p_b - p_a
//   s_dot = n_a . (v_b + omega_b x r_b) - n_a . (v_a + omega_a x l),   l = p_b - x_a
//
// The lever of body a ends at p_b, not at its own point: its direction turns with it.

#include <sinew/constraint/anchor.hpp>

namespace sinew::inline v0::detail {

/// n . (p_b - p_a); local_n is a direction in the frame of a.
template <class S>
[[nodiscard]] constexpr auto displacement(auto const& a, auto const& b, auto const& anchor_a, auto const& anchor_b, vec3<S> const& local_n) noexcept {
    return dot(a.direction(local_n), anchored(b, anchor_b) - anchored(a, anchor_a));
}

// Row i; b's columns begin at 6. n is the world direction, arm_b the arm of b's anchor.
template <class S, std::size_t M, std::size_t N, class A, class B, class Arm>
constexpr void place_displacement(mat<S, M, N>& J, std::size_t i, A const& a, B const& b, Arm const& arm_b, vec3<S> const& n) noexcept {
    place_pull(J, i, 0, -n, end_of(b, arm_b) - a.position);
    place_pull(J, i, 6, n, arm_b);
}

// J_dot v: n_ddot . d + 2 n_dot . d_dot + n . d_ddot.
template <class S, class A, class B, class TA, class TB, class ArmB>
[[nodiscard]] constexpr S displacement_rate(A const& a, B const& b, vec3<S> const& arm_a, ArmB const& arm_b, TA const& ta, TB const& tb,
                                            vec3<S> const& n) noexcept {
    vec3<S> const d = end_of(b, arm_b) - end_of(a, arm_a);
    vec3<S> const d_dot = velocity_of(tb, arm_b) - velocity_of(ta, arm_a);
    vec3<S> const d_ddot = acceleration_of(tb, arm_b) - acceleration_of(ta, arm_a);
    return dot(centripetal(ta.angular, n), d) + S(2) * dot(cross(ta.angular, n), d_dot) + dot(n, d_ddot);
}

}  // namespace sinew::inline v0::detail
