#pragma once
// The distance between two anchors as a row of a Jacobian: shared by the scalar point-to-point form, the rod and the rope.
//
//   d = |dp|,  dp = p_a - p_b,  n = dp / d       d_dot  = n . dp_dot
//                                                d_ddot = n . dp_ddot + (|dp_dot|^2 - d_dot^2) / d
//
// Where d = 0 there is no direction: n and 1 / d are taken as 0.

#include <sinew/constraint/anchor.hpp>

namespace sinew::inline v0::detail {

template <class KindA, class KindB, class S, class A, class B>
[[nodiscard]] constexpr mat<S, 1, KindA::dof + KindB::dof> separation_jacobian(A const& a, B const& b, anchor_t<S, KindA> const& anchor_a,
                                                                               anchor_t<S, KindB> const& anchor_b) noexcept {
    auto const ra = arm_of(a, anchor_a);
    auto const rb = arm_of(b, anchor_b);
    vec3<S> const n = normalize(end_of(a, ra) - end_of(b, rb));
    mat<S, 1, KindA::dof + KindB::dof> J;
    place_pull(J, 0, 0, n, ra);
    place_pull(J, 0, KindA::dof, -n, rb);
    return J;
}

template <class KindA, class KindB, class S, class A, class B, class TA, class TB>
[[nodiscard]] constexpr S separation_jacobian_rate(A const& a, B const& b, anchor_t<S, KindA> const& anchor_a, anchor_t<S, KindB> const& anchor_b,
                                                   TA const& ta, TB const& tb) noexcept {
    auto const ra = arm_of(a, anchor_a);
    auto const rb = arm_of(b, anchor_b);
    vec3<S> const dp = end_of(a, ra) - end_of(b, rb);
    vec3<S> const dp_dot = velocity_of(ta, ra) - velocity_of(tb, rb);
    vec3<S> const dp_ddot = acceleration_of(ta, ra) - acceleration_of(tb, rb);
    if constexpr (!floating_scalar<S>) {  // squares of lengths are beyond the range, or have no digits
        S const d = norm(dp);
        if (d == S(0)) return S(0);
        vec3<S> const n = normalize(dp);
        S const across = norm(cross(n, dp_dot));
        return dot(n, dp_ddot) + across * (across / d);
    } else {
        S const d2 = squared_norm(dp);
        auto const none = d2 == S(0);
        S const inverse = select(none, S(0), S(1) / sqrt(select(none, S(1), d2)));
        vec3<S> const n = dp * inverse;
        // |dp_dot|^2 - (n . dp_dot)^2 without cancellation: the part of dp_dot across n.
        return dot(n, dp_ddot) + squared_norm(cross(n, dp_dot)) * inverse;
    }
}

}  // namespace sinew::inline v0::detail
