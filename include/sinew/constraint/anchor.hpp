#pragma once
// Where a constraint holds a body: a point fixed in a rigid body, or a particle itself. And how such a point moves.
//
// Makers. Every constraint and part has a static `at(poses..., places in the world)` that measures its body-frame fields
// from where the bodies are now: `hinge_joint<S>::at(a, b, anchor, axis)`. World points in m, world axes of any length but 0.
//
//   r     arm from the centre of mass to the point, world frame, m
//   p     the point, p_dot = v + omega x r, p_ddot = omega x (omega x r) for a constant twist   (Vondrak 2005, eq. 7.3)
//   n     a world direction; n . p_dot = [n | r x n] (v, omega)                                 (Waterson 2026, eq. 5.6)

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/stack.hpp>

namespace sinew::inline v0 {

/// The anchor on a particle: nothing to say.
struct no_anchor {
    [[nodiscard]] friend constexpr bool operator==(no_anchor, no_anchor) = default;
};
/// It is never at fault.
[[nodiscard]] constexpr input_fault finite_parameter(char const*, no_anchor) noexcept { return {}; }

namespace detail {
template <class S, class Kind>
struct anchor_on;
template <class S>
struct anchor_on<S, rigid> {
    using type = vec3<S>;
};
template <class S>
struct anchor_on<S, point_mass> {
    using type = no_anchor;
};
}  // namespace detail

/// Anchor on an attachment of kind Kind: a point in its frame (m), or nothing for a particle.
template <class S, class Kind>
using anchor_t = typename detail::anchor_on<S, Kind>::type;

/// World position of an anchor (m).
template <class S>
[[nodiscard]] constexpr auto anchored(auto const& pose, vec3<S> const& anchor) noexcept {
    return pose.point(anchor);
}
[[nodiscard]] constexpr auto anchored(auto const& pose, no_anchor) noexcept { return pose.position; }

/// The anchor that is at a world point now. A particle is its own anchor, wherever it is.
template <class S, class R>
[[nodiscard]] constexpr vec3<S> anchor_at(pose<S, R> const& p, vec3<S> const& world_point) noexcept {
    return p.local_point(world_point);
}
template <class S>
[[nodiscard]] constexpr no_anchor anchor_at(particle_pose<S> const&, vec3<S> const&) noexcept {
    return {};
}

namespace detail {

// The arm of an anchor: r, or nothing.
template <class S, class R>
[[nodiscard]] SINEW_RESULT_INLINE constexpr vec3<S> arm_of(pose<S, R> const& p, vec3<S> const& anchor) noexcept {
    return p.direction(anchor);
}
template <class S>
[[nodiscard]] constexpr no_anchor arm_of(particle_pose<S> const&, no_anchor) noexcept {
    return {};
}

template <class P, class S>
[[nodiscard]] constexpr vec3<S> end_of(P const& p, vec3<S> const& arm) noexcept {
    return p.position + arm;
}
template <class S>
[[nodiscard]] constexpr vec3<S> end_of(particle_pose<S> const& p, no_anchor) noexcept {
    return p.position;
}

// p_dot and p_ddot.
template <class S>
[[nodiscard]] constexpr vec3<S> velocity_of(twist<S> const& t, vec3<S> const& arm) noexcept {
    return t.linear + cross(t.angular, arm);
}
template <class S>
[[nodiscard]] constexpr vec3<S> velocity_of(particle_twist<S> const& t, no_anchor) noexcept {
    return t.linear;
}
template <class S>
[[nodiscard]] constexpr vec3<S> acceleration_of(twist<S> const& t, vec3<S> const& arm) noexcept {
    return centripetal(t.angular, arm);
}
template <class S>
[[nodiscard]] constexpr vec3<S> acceleration_of(particle_twist<S> const&, no_anchor) noexcept {
    return vec3<S>{};
}

// Row i from column j: n . p_dot.
template <class S, std::size_t M, std::size_t N>
constexpr void place_pull(mat<S, M, N>& J, std::size_t i, std::size_t j, vec3<S> const& n, vec3<S> const& arm) noexcept {
    place(J, i, j, n);
    place(J, i, j + 3, cross(arm, n));
}
template <class S, std::size_t M, std::size_t N>
constexpr void place_pull(mat<S, M, N>& J, std::size_t i, std::size_t j, vec3<S> const& n, no_anchor) noexcept {
    place(J, i, j, n);
}
// Rows i .. i + 2 from column j: sign * p_dot, [1 | -[r]x].
template <class S, std::size_t M, std::size_t N>
constexpr void place_point(mat<S, M, N>& J, std::size_t i, std::size_t j, S const& sign, vec3<S> const& arm) noexcept {
    for (std::size_t k = 0; k < 3; ++k) J(i + k, j + k) = sign;
    place(J, i, j + 3, skew(arm * -sign));
}
template <class S, std::size_t M, std::size_t N>
constexpr void place_point(mat<S, M, N>& J, std::size_t i, std::size_t j, S const& sign, no_anchor) noexcept {
    for (std::size_t k = 0; k < 3; ++k) J(i + k, j + k) = sign;
}

// D(r x f) of a force f at the end of an arm r that turns with its body: [f]x [r]x = r f^T - (r . f), from row and column j + 3.
template <class S, std::size_t N>
constexpr void place_turning(mat<S, N, N>& G, std::size_t j, vec3<S> const& f, vec3<S> const& arm) noexcept {
    S const along = dot(arm, f);
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) G(j + 3 + r, j + 3 + c) = arm[r] * f[c] - (r == c ? along : S(0));
}
template <class S, std::size_t N>
constexpr void place_turning(mat<S, N, N>&, std::size_t, vec3<S> const&, no_anchor) noexcept {}

}  // namespace detail

namespace detail {

// How a point moves by a unit impulse on it: 1/m + [r]x I^-1 [r]x^T, symmetric.
template <class S>
[[nodiscard]] constexpr sym3<S> point_response(inverse_mass<S> const& w, vec3<S> const& arm) noexcept {
    auto const& I = w.angular;
    // The rows of T = [r]x I^-1, from its columns r x (column of I^-1); then row i of T [r]x^T is r x (row i of T).
    vec3<S> const x = cross(arm, vec3<S>{I.xx, I.xy, I.xz}), y = cross(arm, vec3<S>{I.xy, I.yy, I.yz}), z = cross(arm, vec3<S>{I.xz, I.yz, I.zz});
    vec3<S> const r0 = cross(arm, vec3<S>{x.x(), y.x(), z.x()}), r1 = cross(arm, vec3<S>{x.y(), y.y(), z.y()}), r2 = cross(arm, vec3<S>{x.z(), y.z(), z.z()});
    return {w.linear + r0.x(), w.linear + r1.y(), w.linear + r2.z(), r0.y(), r0.z(), r1.z()};
}
template <class S>
[[nodiscard]] constexpr sym3<S> point_response(particle_inverse_mass<S> const& w, no_anchor) noexcept {
    return {w.linear, w.linear, w.linear, S(0), S(0), S(0)};
}

}  // namespace detail

}  // namespace sinew::inline v0
