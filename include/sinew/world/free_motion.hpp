#pragma once
// Free motion of one body over a step: a kick by the applied wrench, then a drift without forces.
//
// The drift of a rotating body solves Euler's equations by an implicit midpoint with a scaled step,
//
//   I (w1 - w0) = k h (I wm) x wm,   wm = (w0 + w1) / 2,   R1 = R0 cay(k h [wm]x)       (body frame)
//
// For any factor k the energy w . I w / 2 is kept, since wm . ((I wm) x wm) = 0; and the first equation is
// I w1 = cay(k h [wm]x)^T I w0, so R1 I w1 = R0 I w0: the angular momentum is kept as a vector. k = tan(a) / a with
// a = h |w0| / 2 makes the rotation about a fixed axis exact, since cay turns by 2 atan(k h |w| / 2).

#include <sinew/solver/problem.hpp>
#include <sinew/world/config.hpp>
#include <sinew/world/least_speed.hpp>

namespace sinew::inline v0 {

namespace detail {

// The first terms of tan(a) / a in a^2.
template <std::size_t Terms>
struct tangent_series {
    static constexpr std::size_t terms = Terms;
    long double k[10] = {1.0L, 1.0L / 3, 2.0L / 15, 17.0L / 315, 62.0L / 2835, 1382.0L / 155925, 21844.0L / 6081075,
                         929569.0L / 638512875, 6404582.0L / 10854718875.0L, 443861162.0L / 1856156927625.0L};
};

// tan(a) / a as a function of a^2; held at its value for a = 1.2, where cay already turns by 137 degrees a step.
template <class S>
[[nodiscard]] constexpr S tangent_quotient_of_square(S const& a2) noexcept {
    auto const small = a2 < S(value_type_t<S>(0.0625));
    return either(
        small,
        // As many terms as the scalar can tell from none at a = 1/4.
        [&] { return polynomial<tangent_series<sizeof(value_type_t<S>) == 4 ? 6 : 10>>(a2); },
        [&] {
            S const a = sqrt(min(select(small, S(1), a2), S(value_type_t<S>(1.44))));
            return sin(a) / (cos(a) * a);
        });
}

// The same step for numbers without an exponent. The equations do not change when the inertia is scaled: taken as near 1 it keeps its digits. Nothing is
// squared, h is multiplied in last unless the spin is fast, and w1 is iterated on alone, which gains a factor of the turn each time; false if the turn is too large for that.
template <class S, class R>
[[nodiscard]] constexpr bool rotate_freely_without_exponent(rigid_state<S, R>& b, rigid_mass<S> const& m, S const& h) noexcept {
    S scale(1);
    S const largest = max(max(m.inertia.xx, m.inertia.yy), m.inertia.zz);
    while (any(largest * scale < S(1) / S(2))) scale = scale * S(2);
    while (any(largest * scale > S(1))) scale = scale / S(2);
    sym3<S> const inertia = scale * m.inertia, inverse_inertia = inverse(inertia);
    vec3<S> const w0 = b.pose.local_direction(b.twist.angular);
    vec3<S> const turn = w0 * h;
    if (any(norm(turn) > S(1))) return false;
    S const speed = norm(w0), share = tangent_quotient_of_square(squared_norm(turn / S(2)));
    vec3<S> w1 = w0, wm = w0;
    // Of a fast one the product of two spins has no room, but the turn in h has digits.
    S unit(2), first(1), last = h;
    if (any(speed > S(1 << (value_type_t<S>::integer_bits / 2)))) {
        unit = speed;
        first = h;
        last = S(1);
    }
    S moved = infinity_v<S>;
    for (int i = 0; i < 40 && any(moved > epsilon_v<S> * unit); ++i) {
        vec3<S> const next = w0 + inverse_inertia * ((cross(inertia * wm, wm * first) * last) * share), change = next - w1;
        moved = norm(change);
        w1 = next;
        wm = (w0 + w1) / S(2);
    }
    // A torque's last place may move w1 to and fro for ever, by as much as that turns it.
    if (any(moved + moved > (inverse_inertia.xx + inverse_inertia.yy + inverse_inertia.zz) * epsilon_v<S> * unit)) return false;
    b.pose.rotation = nudged(b.pose.rotation, b.pose.direction((wm * h) * share));
    // Not by the momentum: rounded, I^-1 I would be off to one side, step after step.
    if (!(w1 == w0)) b.twist.angular = b.pose.direction(w1);
    return true;
}

// dF/dw1 of F(w1) = I (w1 - w0) - k (I wm) x wm, wm = (w0 + w1) / 2:  I - k/2 ([I wm]x - [wm]x I), column by column.
template <class S>
[[nodiscard]] constexpr mat3<S> midpoint_derivative(mat3<S> const& inertia, vec3<S> const& Iwm, vec3<S> const& wm, S const& k) noexcept {
    mat3<S> const turn = skew(Iwm);
    S const half = k / S(2);
    mat3<S> r;
    for (std::size_t c = 0; c < 3; ++c) {
        vec3<S> const column = inertia.col(c), d = column - half * (turn.col(c) - cross(wm, column));
        for (std::size_t i = 0; i < 3; ++i) r(i, c) = d[i];
    }
    return r;
}

// The derivatives of the solution w1, however soon its value was found: each of Newton's steps finds them to one order more. About a principal axis the
// value needs none.
template <class S>
[[nodiscard]] constexpr vec3<S> with_derivatives(vec3<S> const& w0, vec3<S> w1, rigid_mass<S> const& m, S const& k) noexcept {
    mat3<S> const inertia = to_mat(m.inertia);
    for (std::size_t order = 0; order < derivative_order_v<S>; ++order) {
        vec3<S> const wm = (w0 + w1) / S(2);
        vec3<S> const Iwm = m.inertia * wm;
        vec3<S> const F = m.inertia * (w1 - w0) - k * cross(Iwm, wm);
        w1 = with_values_of(vec3<S>(w1 - solve(midpoint_derivative(inertia, Iwm, wm, k), F)), w1);
    }
    return w1;
}

// A norm without squares: of what is nearly still they would be below the range of a float.
template <class S>
[[nodiscard]] constexpr S sum_of_sizes(vec3<S> const& x) noexcept {
    return abs(x[0]) + abs(x[1]) + abs(x[2]);
}

// Turns in one step (rad) by which nothing precesses: the torque (I w) x w changes I w by a share of |w| h at most, which is below rounding.
template <class S>
[[nodiscard]] constexpr mask_t<S> hardly_turns(vec3<S> const& turn) noexcept {
    if constexpr (floating_scalar<S>)
        return sum_of_sizes(turn) <= S(2) * epsilon_v<S>;
    else
        return false;
}

// (rad / step)^2 of turns for which an iteration that takes I for the derivative is quick.
template <class T>
inline constexpr T small_square_v = T(30) * sqrt(scalar_traits<T>::epsilon);

// One implicit midpoint step of the rotation; false, and nothing changed, if Newton does not converge.
template <class S, class R>
[[nodiscard]] constexpr bool rotate_freely(rigid_state<S, R>& b, rigid_mass<S> const& m, S const& h) noexcept {
    vec3<S> const turn = b.twist.angular * h;
    auto const way = [&] { return turn * tangent_quotient_of_square(squared_norm(turn) / S(4)); };
    bool const precesses = !any(hardly_turns(turn));
    if (is_isotropic(m.inertia) || (!precesses && derivative_order_v<S> < 2)) {  // goes on turning as it does
        b.pose.rotation = nudged(b.pose.rotation, way());
        return true;
    }
    if constexpr (!floating_scalar<S>) return rotate_freely_without_exponent(b, m, h);
    vec3<S> const w0 = b.pose.local_direction(b.twist.angular);
    vec3<S> const spin = m.inertia * w0, momentum = b.pose.direction(spin);
    S const turn2 = squared_norm(w0) * (h * h);
    S const k = h * tangent_quotient_of_square(turn2 / S(4));
    // Explicit at first. For a ball, and about a principal axis, k (I w0) x w0 vanishes, and that is all. Else a second term of the
    // solution's series is a good beginning, where the turn is small enough for it.
    S const tolerance = S(2) * epsilon_v<S>, small_turn2(small_square_v<value_type_t<S>>);
    S const near = select(turn2 < S(1), k, S(0));
    vec3<S> const torque = cross(spin, w0), g = torque * near, first = m.inverse_inertia * g;
    vec3<S> w1 = w0 + first;
    bool const steady = !precesses || all(sum_of_sizes(torque) * abs(k) <= sum_of_sizes(spin) * tolerance);
    bool converged = steady;
    if (!converged) w1 += m.inverse_inertia * ((cross(g, w0) + cross(spin, first)) * (near / S(2)));
    // F(w1) = I (w1 - w0) - k (I wm) x wm. For small turns I is nearly its derivative, and an iteration gains a factor of the turn; else
    // Newton's method, whose three steps reach rounding for |w| h up to about 1.
    bool const small = all(turn2 < small_turn2);
    for (int i = 0; i < 10 && !converged; ++i) {
        vec3<S> const wm = (w0 + w1) / S(2);
        vec3<S> const Iwm = m.inertia * wm;
        vec3<S> const F = m.inertia * (w1 - w0) - k * cross(Iwm, wm);
        converged = all(sum_of_sizes(F) <= sum_of_sizes(Iwm) * tolerance);
        if (converged) break;
        if (small && i < 6) {
            w1 -= m.inverse_inertia * F;
        } else {
            mat3<S> const inertia = to_mat(m.inertia);
            w1 -= solve(midpoint_derivative(inertia, Iwm, wm, k), F);
        }
    }
    if (!converged) return false;
    if constexpr (derivative_order_v<S> > 0) w1 = with_derivatives(w0, w1, m, k);
    vec3<S> const turned_by = b.pose.direction((w0 + w1) * (k / S(2)));
    if constexpr (derivative_order_v<S> > 1)  // second derivatives of the torque are there at rest too
        b.pose.rotation = nudged(b.pose.rotation, precesses ? turned_by : with_values_of(turned_by, way()));
    else
        b.pose.rotation = nudged(b.pose.rotation, turned_by);
    if (!steady || derivative_order_v<S> > 0) {
        vec3<S> const end = b.pose.direction(m.inverse_inertia * b.pose.local_direction(momentum));
        if constexpr (derivative_order_v<S> > 0)
            b.twist.angular = steady ? with_values_of(end, b.twist.angular) : end;
        else
            b.twist.angular = end;
    }
    return true;
}

// The same in lanes, of those that are `active`: where it has converged, or nothing has changed.
template <class S, class R>
    requires(has_lanes_v<S>)
[[nodiscard]] constexpr mask_t<S> rotate_freely(rigid_state<S, R>& b, rigid_mass<S> const& m, S const& h, mask_t<S> const& active) noexcept {
    vec3<S> const turn = b.twist.angular * h;
    auto const way = [&] { return turn * tangent_quotient_of_square(squared_norm(turn) / S(4)); };
    auto const isotropic = isotropic_lanes(m.inertia), precesses = !hardly_turns(turn);
    auto const simple = derivative_order_v<S> < 2 ? isotropic || !precesses : isotropic;
    vec3<S> const as_it_does = any(simple) ? way() : vec3<S>{};
    if (all(simple)) {
        b.pose.rotation = select(active, nudged(b.pose.rotation, as_it_does), b.pose.rotation);
        return active;
    }
    vec3<S> const w0 = b.pose.local_direction(b.twist.angular);
    vec3<S> const spin = m.inertia * w0, momentum = b.pose.direction(spin);
    S const turn2 = squared_norm(w0) * (h * h);
    S const k = h * tangent_quotient_of_square(turn2 / S(4));
    S const tolerance = S(2) * epsilon_v<S>, small_turn2(small_square_v<value_type_t<S>>);
    S const near = select(turn2 < S(1), k, S(0));
    vec3<S> const torque = cross(spin, w0), g = torque * near, first = m.inverse_inertia * g;
    vec3<S> w1 = w0 + first;
    auto const steady = !precesses || sum_of_sizes(torque) * abs(k) <= sum_of_sizes(spin) * tolerance;
    auto const idle = simple || !active;
    auto converged = steady;
    if (!all(steady || idle)) w1 = select(steady, w1, w1 + m.inverse_inertia * ((cross(g, w0) + cross(spin, first)) * (near / S(2))));
    auto const small = turn2 < small_turn2;
    for (int i = 0; i < 10 && !all(converged || idle); ++i) {
        vec3<S> const wm = (w0 + w1) / S(2);
        vec3<S> const Iwm = m.inertia * wm;
        vec3<S> const F = m.inertia * (w1 - w0) - k * cross(Iwm, wm);
        converged |= sum_of_sizes(F) <= sum_of_sizes(Iwm) * tolerance;
        if (all(converged || idle)) break;
        vec3<S> next = w1 - m.inverse_inertia * F;
        if (i >= 6 || !all(small || converged || idle)) {
            mat3<S> const inertia = to_mat(m.inertia);
            vec3<S> const newton = w1 - solve(midpoint_derivative(inertia, Iwm, wm, k), F);
            next = i < 6 ? select(small, next, newton) : newton;
        }
        w1 = select(converged, w1, next);
    }
    auto const moved = active && (simple || converged);
    if constexpr (derivative_order_v<S> > 0) w1 = with_derivatives(w0, w1, m, k);
    vec3<S> turned_by = b.pose.direction((w0 + w1) * (k / S(2)));
    if constexpr (derivative_order_v<S> > 1) turned_by = select(precesses, turned_by, with_values_of(turned_by, way()));
    b.pose.rotation = select(moved, nudged(b.pose.rotation, select(simple, as_it_does, turned_by)), b.pose.rotation);
    auto const turns = moved && !simple && !steady;
    if (any(turns) || derivative_order_v<S> > 0) {
        vec3<S> const end = b.pose.direction(m.inverse_inertia * b.pose.local_direction(momentum));
        if constexpr (derivative_order_v<S> > 0)
            b.twist.angular = select(moved && !simple, select(steady, with_values_of(end, b.twist.angular), end), b.twist.angular);
        else
            b.twist.angular = select(turns, end, b.twist.angular);
    }
    return moved;
}

}  // namespace detail

namespace detail {
// The velocity that a force (N) gives in h seconds.
template <class S>
[[nodiscard]] constexpr vec3<S> gained_velocity(vec3<S> const& force, S const& inverse_mass, S const& h) noexcept {
    if constexpr (floating_scalar<S>)
        return force * (inverse_mass * h);
    else
        return (force * inverse_mass) * h;  // the product of two small factors would have few digits
}
}  // namespace detail

/// Changes the twist by a wrench (N, N m) over h seconds.
template <class S, class R>
constexpr void kick(rigid_state<S, R>& b, rigid_mass<S> const& m, wrench<S> const& w, S const& h) noexcept {
    b.twist.linear += detail::gained_velocity(w.force, m.inverse_mass, h);
    auto const turns = differs(w.torque, vec3<S>{});  // gravity, which acts on most, has none
    if constexpr (has_lanes_v<S>) {
        if (any(turns)) b.twist.angular = select(turns, b.twist.angular + b.pose.direction(m.inverse_inertia * b.pose.local_direction(w.torque)) * h, b.twist.angular);
    } else if (any(turns))
        b.twist.angular += b.pose.direction(m.inverse_inertia * b.pose.local_direction(w.torque)) * h;
}

namespace detail {
// A rotation with its own derivatives and the values of another.
template <rotation_like R>
[[nodiscard]] constexpr R with_values_of(R a, R const& b) noexcept {
    for (std::size_t k = 0; k < R::dimension; ++k) a.set_coordinate(k, with_value_of(a.coordinate(k), b.coordinate(k)));
    return a;
}
}  // namespace detail

/// Moves a body without forces for h seconds. Angular momentum is kept to rounding with the implicit midpoint.
template <class S, class R>
constexpr void drift(rigid_state<S, R>& b, rigid_mass<S> const& m, S const& h, gyroscopic_term gyroscopic) noexcept {
    if (m.movable) detail::drop_traces(b.twist);
    b.pose.position += b.twist.linear * h;
    if (!m.movable || gyroscopic != gyroscopic_term::conserving) {
        if (m.movable && gyroscopic == gyroscopic_term::explicit_euler) {
            vec3<S> const w0 = b.pose.local_direction(b.twist.angular);
            b.twist.angular = b.pose.direction(w0 + m.inverse_inertia * cross(m.inertia * w0, w0) * h);
        }
        // What stands still keeps its bits: to turn by nothing would round.
        [[maybe_unused]] R const before = b.pose.rotation;
        if constexpr (has_lanes_v<S>) {
            auto const& w = b.twist.angular;
            auto const turns = m.movable || differs(w, vec3<S>{});
            b.pose.rotation = select(turns, turned(b.pose.rotation, w * h), b.pose.rotation);
        } else if (m.movable || any(differs(b.twist.angular, vec3<S>{})))
            b.pose.rotation = turned(b.pose.rotation, b.twist.angular * h);
        if constexpr (derivative_order_v<S> > 0)
            if (!m.movable) b.pose.rotation = select(detail::values_differ(b.twist.angular, vec3<S>{}), b.pose.rotation, detail::with_values_of(b.pose.rotation, before));
        return;
    }
    // Steps that turn by more than about two radians have no solution, or none that Newton finds, and without an exponent none are tried beyond one: those are
    // taken in parts.
    S rest = h, part = h;
    if constexpr (has_lanes_v<S>) {
        for (int i = 0; i < 4096 && any(rest > S(0)); ++i) {
            S const t = min(part, rest);
            auto const active = rest > S(0), taken = detail::rotate_freely(b, m, t, active);
            rest = select(taken, rest - t, rest);
            part = select(active && !taken, part / S(2), part);
        }
    } else {
        constexpr int most = floating_scalar<S> ? 4096 : 512;
        for (int i = 0; i < most && any(rest > S(0)); ++i) {
            if (detail::rotate_freely(b, m, min(part, rest)))
                rest = rest - min(part, rest);
            else
                part = part / S(2);
        }
        if constexpr (!floating_scalar<S>)
            if (any(rest > S(0))) b.pose.position[0] = infinity_v<S>;  // spins beyond what the format can tell: such a step is not taken
    }
}

}  // namespace sinew::inline v0
