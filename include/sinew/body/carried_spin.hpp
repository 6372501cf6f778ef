#pragma once
// The spin of a body that is displaced in no time, as a solver on positions does after it has moved by itself.
//
// Momenta alone say that L = I omega stays: from the body, which is turned by delta, that is a kick by c = -delta x L. So it must be for a top, which stands
// by it. But the displacement is a force's that has acted since the step began, where it had no moment about the axis u of a bar that is held at its end:
// L . u stays, and L . (delta x u) is an error of second order in h. Divided by a small inertia about u, it makes a bar of 1 m by 10 cm that goes round on a
// ball joint spin at 55 rad/s about itself after 300 steps of 1/60 s. About axes of little inertia the spin is therefore taken along with the body:
//
//   omega' = R (w + I^-1 (t + K c)),   w = R_0^T omega,   c = R^T (R_0 I w + T) - (I w + t)     body axes; R_0, R: before and after
//   K = Y Y,   Y = X (2 - X),   X = I / rho
//   rho = sum i_a (i_b - i_c)^2 / sum (i_b - i_c)^2                                             over the principal moments i_a
//
// T, t   the sum of what has pushed it on its way; in the world, and in the body as it was turned at each push. For a force on a bar's end has no moment about the bar
//        where it acts, and the sum of such moments has one about where the bar comes to: of the second order again.
//
// K is a choice: 1 where a top needs it, across its axis, whether thin or flat, for rho is the double moment of what is round about an axis; 4 (i / rho)^2, which
// is next to nothing, about the axis of a bar; smooth between, and made of products alone. Other axes are in between as well: rho lies between the moments of
// any body, and no moment is above the sum of the other two, so that 0 <= X <= 2. About the axis of a disc, X = 2, the spin goes with the body as that of a bar.
//
// What c lacks is missing from L: a system of several bodies that hang on nothing has it given back, another loses it.

#include <sinew/body/body.hpp>

namespace sinew::inline v0::detail {

/// I / rho; 1 for balls and cubes, where rho has no value of its own but the mean.
template <class S>
[[nodiscard]] constexpr sym3<S> inertia_by_rho(sym3<S> const& inertia) noexcept {
    S const largest = max(inertia.xx, max(inertia.yy, inertia.zz));
    auto const none = largest <= S(0);
    sym3<S> const A = select(none, S(0), S(1) / select(none, S(1), largest)) * inertia;
    S const trace = (A.xx + A.yy) + A.zz;
    S const squares = ((A.xx * A.xx + A.yy * A.yy) + A.zz * A.zz) + S(2) * ((A.xy * A.xy + A.xz * A.xz) + A.yz * A.yz);
    S const minors = (trace * trace - squares) / S(2);
    S const little = trace * trace / S(1024);  // where all moments are alike to some per cent the sums have no digits
    S const weights = (S(3) * squares - trace * trace) + little;
    S const rho = ((trace * minors - S(9) * determinant(A)) + little * (trace / S(3))) / select(none, S(1), weights);
    return (S(1) / select(none, S(1), rho)) * A;
}

/// K y, where X is I / rho.
template <class S>
[[nodiscard]] constexpr vec3<S> across_a_top(sym3<S> const& X, vec3<S> const& y) noexcept {
    auto const Y = [&](vec3<S> const& x) { return X * (S(2) * x - X * x); };
    return Y(Y(y));
}
/// As much of t as T bears out, both in body axes: t is shortened until (1 - K) t, the part that carry_spin takes of it, is no longer than that of T.
/// For forces at the end of a solve that has not converged: what they are off by is a small displacement times a large stiffness. T, which the body has been
/// displaced by, is bounded; but about the axis of a bar T has an error of second order, and t none. A spin (rad/s) that is no more than `rounding` is none.
template <class S>
[[nodiscard]] constexpr vec3<S> trusted_impulse(sym3<S> const& inertia, vec3<S> const& T, vec3<S> const& t, [[maybe_unused]] S const& rounding = S(0)) noexcept {
    if (is_isotropic(inertia)) return t;
    sym3<S> const X = inertia_by_rho(inertia);
    S const most = norm(T - across_a_top(X, T)), taken = norm(t - across_a_top(X, t));
    auto const longer = taken > most;
    vec3<S> trusted = select(longer, t * (most / select(longer, taken, S(1))), t);
    if constexpr (derivative_order_v<S> > 0) {
        // What begins to turn: of lengths that are rounding nothing is told, and nothing is shortened.
        auto const still = max(abs(T[0]), max(abs(T[1]), abs(T[2]))) <= max(inertia.xx, max(inertia.yy, inertia.zz)) * rounding;
        trusted = select(still, with_values_of(t, trusted), trusted);
    }
    return trusted;
}

template <class S>
struct carried_spin {
    vec3<S> angular;  // omega', rad/s
    vec3<S> gained;   // I omega' - (L + T): what angular momentum has grown by, kg m^2/s
};
/// omega is that of a body which is now turned from one rotation to another; T: impulse, t: own_impulse (N m s). Its inertia and the inverse: body axes,
/// kg m^2. whole: K = 1, L + T stays, t is not asked for.
template <class S, class R>
[[nodiscard]] constexpr carried_spin<S> carry_spin(sym3<S> const& inertia, sym3<S> const& inverse_inertia, R const& from, R const& to, vec3<S> const& omega,
                                                   vec3<S> const& impulse, vec3<S> const& own_impulse, bool whole = false) noexcept {
    vec3<S> const own = inverse_rotate(from, omega), spin = inertia * own, momentum = inverse_rotate(to, rotate(from, spin) + impulse);
    if (whole || is_isotropic(inertia)) return {rotate(to, inverse_inertia * momentum), {}};
    vec3<S> const c = momentum - (spin + own_impulse);
    vec3<S> const kick = across_a_top(inertia_by_rho(inertia), c);
    carried_spin<S> r{rotate(to, own + inverse_inertia * (own_impulse + kick)), rotate(to, kick - c)};
    if constexpr (has_lanes_v<S>) {
        auto const isotropic = isotropic_lanes(inertia);
        r = {select(isotropic, rotate(to, inverse_inertia * momentum), r.angular), select(isotropic, vec3<S>{}, r.gained)};
    }
    return r;
}

}  // namespace sinew::inline v0::detail
