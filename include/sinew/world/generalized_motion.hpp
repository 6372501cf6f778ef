#pragma once
// Free motion of a generalized body over a step: along a geodesic of its kinetic energy T(u, u_dot).
//
// With the mid-point rule on the action, u = (u0 + u1) / 2, v = (u1 - u0) / h (Marsden and West 2001, 2.3.1):
//
//   M(u) v = p0 + h/2 dT/du(u, v),   p1 = p0 + h dT/du(u, v),   p = M u_dot
//
// It is symplectic and of second order: the energy stays within a band, and the momentum of a coordinate that T does not
// depend on is kept to rounding.

#include <sinew/solver/generalized_state.hpp>
#include <sinew/world/config.hpp>

namespace sinew::inline v0 {

namespace detail {

template <class S, std::size_t N>
[[nodiscard]] constexpr S largest_of(vec<S, N> const& v) noexcept {
    S m{};
    for (S const& x : v.e) m = max(m, abs(x));
    return m;
}

// One mid-point step; false, and nothing changed, if the iteration does not converge.
template <class Map>
[[nodiscard]] constexpr bool glide(generalized_state<Map>& b, generalized_mass<Map> const& m, map_scalar_t<Map> const& h) {
    using S = map_scalar_t<Map>;
    using V = vec<S, Map::coordinates>;
    S const half = h / S(2);
    generalized_body<Map> at = whole_body(m, b);
    generalized_dynamics<Map> const start(at);
    V const p0 = start.mass * b.rates;
    V v = b.rates + start.accelerated(start.velocity_force) * half, gradient{};
    S last = infinity_v<S>;
    bool converged = false;
    for (int i = 0; i < 24 && !converged; ++i) {
        at.u = b.u + v * half;
        at.rates = v;
        generalized_dynamics<Map> const mid(at);
        gradient = mid.energy_gradient;
        V const next = mid.accelerated(p0 + gradient * half);
        if (!all(isfinite(next))) return false;
        S const change = largest_of(V(next - v)), size = largest_of(next);
        v = next;
        // At rounding it wanders about, and is as near as it gets.
        converged = all(change <= size * (S(8) * epsilon_v<S>)) || (all(change >= last) && all(change <= size * sqrt(epsilon_v<S>)));
        last = change;
    }
    if (!converged) return false;
    // Derivatives converge as values do, but need not have begun with them: where T is stationary in u, the first value is the last.
    if constexpr (derivative_order_v<S> > 0) {
        bool settled = false;
        auto shift = infinity_v<value_type_t<S>>;
        for (int i = 0; i < 24 && !settled; ++i) {
            at.u = b.u + v * half;
            at.rates = v;
            generalized_dynamics<Map> const mid(at);
            value_type_t<S> change{}, size{};
            for (std::size_t k = 0; k < Map::coordinates; ++k) gradient[k] = with_value_of(mid.energy_gradient[k], gradient[k]);
            V const next = mid.accelerated(p0 + gradient * half);
            for (std::size_t k = 0; k < Map::coordinates; ++k) {
                S const wanted = with_value_of(next[k], v[k]);
                change = max(change, largest_part(S(wanted - v[k])));
                size = max(size, largest_part(wanted));
                v[k] = wanted;
            }
            settled = change <= size * (value_type_t<S>(8) * epsilon_v<value_type_t<S>>) || change >= shift;
            shift = change;
        }
    }
    at.u = b.u + v * h;
    b.u = at.u;
    b.rates = solve_spd(mass_matrix_of(at), V(p0 + gradient * h));
    return true;
}

}  // namespace detail

/// Moves a body without forces for h seconds. Anything but `conserving` is an explicit Euler step.
template <class Map>
constexpr void drift(generalized_state<Map>& b, generalized_mass<Map> const& m, detail::map_scalar_t<Map> const& h, gyroscopic_term gyroscopic) {
    using S = detail::map_scalar_t<Map>;
    if (gyroscopic != gyroscopic_term::conserving) {
        detail::generalized_dynamics<Map> const now(whole_body(m, b));
        b.rates += now.accelerated(now.velocity_force) * h;
        b.u += b.rates * h;
        return;
    }
    // Steps too long for the iteration are taken in parts.
    S rest = h, part = h;
    for (int i = 0; i < 4096 && any(rest > S(0)); ++i) {
        if (detail::glide(b, m, min(part, rest)))
            rest = rest - min(part, rest);
        else
            part = part / S(2);
    }
    if (any(rest > S(0))) b.u[0] = infinity_v<S>;  // it moves too fast to be followed: the world takes the step back
}

}  // namespace sinew::inline v0
