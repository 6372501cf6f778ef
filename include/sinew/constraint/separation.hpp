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

// How the wrenches of lambda d turn: the pull lambda n by K = lambda (1 - n n^T) / d times what dp changes by, and its torques with the arms besides.
template <class KindA, class KindB, class S, class A, class B>
[[nodiscard]] constexpr mat<S, KindA::dof + KindB::dof, KindA::dof + KindB::dof> separation_stiffness(A const& a, B const& b, anchor_t<S, KindA> const& anchor_a,
                                                                                                      anchor_t<S, KindB> const& anchor_b, S const& lambda) noexcept {
    constexpr std::size_t N = KindA::dof + KindB::dof;
    auto const ra = arm_of(a, anchor_a);
    auto const rb = arm_of(b, anchor_b);
    vec3<S> const dp = end_of(a, ra) - end_of(b, rb);
    S const d = norm(dp);
    auto const none = d == S(0);
    vec3<S> const n = normalize(dp), f = n * lambda;
    S const k = select(none, S(0), lambda / select(none, S(1), d));
    mat3<S> const K = identity<S, 3>() * k - outer(n * k, n);
    mat<S, N, N> moved{}, turned{};
    // Rows of one end, columns of another; dp changes by what a's end moves, less what b's does.
    auto const put = [&]<class Row, class Column>(Row, std::size_t i, auto const& row_arm, Column, std::size_t j, auto const& column_arm, mat3<S> const& by) {
        place(moved, i, j, by);
        if constexpr (Column::dof == 6) place(moved, i, j + 3, -(by * skew(column_arm)));
        if constexpr (Row::dof == 6) {
            mat3<S> const torque = skew(row_arm) * by;
            place(moved, i + 3, j, torque);
            if constexpr (Column::dof == 6) place(moved, i + 3, j + 3, -(torque * skew(column_arm)));
        }
    };
    put(KindA{}, 0, ra, KindA{}, 0, ra, K);
    put(KindA{}, 0, ra, KindB{}, KindA::dof, rb, -K);
    put(KindB{}, KindA::dof, rb, KindA{}, 0, ra, -K);
    put(KindB{}, KindA::dof, rb, KindB{}, KindA::dof, rb, K);
    place_turning(turned, 0, f, ra);
    place_turning(turned, KindA::dof, -f, rb);
    return moved + turned;
}

}  // namespace sinew::inline v0::detail
