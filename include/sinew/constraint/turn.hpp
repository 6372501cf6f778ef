#pragma once
// The direction about which one axis turns into another, as a part of a Jacobian: w = n_a x n_b / |n_a x n_b|.

#include <sinew/math/vec.hpp>

namespace sinew::inline v0::detail {

/// w_dot . (omega_b - omega_a) for world axes fixed in two bodies; 0 where they are parallel and w has no direction.
template <class S>
[[nodiscard]] constexpr S turn_rate(vec3<S> const& na, vec3<S> const& nb, vec3<S> const& omega_a, vec3<S> const& omega_b) noexcept {
    vec3<S> const across = cross(na, nb);
    vec3<S> const across_dot = cross(cross(omega_a, na), nb) + cross(na, cross(omega_b, nb));
    S const s2 = squared_norm(across);
    auto const none = s2 == S(0);
    S const inverse = select(none, S(0), S(1) / sqrt(select(none, S(1), s2)));
    vec3<S> const w = across * inverse;
    vec3<S> const w_dot = (across_dot - w * dot(w, across_dot)) * inverse;
    return dot(w_dot, omega_b - omega_a);
}

}  // namespace sinew::inline v0::detail
