#pragma once
// A point of a body, whichever kind the body is: where it is, how fast, and what a force there does.
//
// A particle has one point, itself: its anchors are ignored, and no force has a lever on it.

#include <sinew/body/body.hpp>

namespace sinew::inline v0 {

/// Centre of mass (m, world).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> center_of(rigid_body<S, R> const& b) noexcept {
    return b.pose.position;
}
template <class S>
[[nodiscard]] constexpr vec3<S> center_of(particle<S> const& b) noexcept {
    return b.position;
}

/// Velocity of the centre of mass (m/s, world).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> velocity_of(rigid_body<S, R> const& b) noexcept {
    return b.twist.linear;
}
template <class S>
[[nodiscard]] constexpr vec3<S> velocity_of(particle<S> const& b) noexcept {
    return b.velocity;
}

/// Angular velocity (rad/s, world). A particle has none.
template <class S, class R>
[[nodiscard]] constexpr vec3<S> angular_velocity_of(rigid_body<S, R> const& b) noexcept {
    return b.twist.angular;
}
template <class S>
[[nodiscard]] constexpr vec3<S> angular_velocity_of(particle<S> const&) noexcept {
    return {S(0), S(0), S(0)};
}

/// World position (m) of the anchor r (m, body frame).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> anchor_of(rigid_body<S, R> const& b, vec3<S> const& r) noexcept {
    return b.pose.point(r);
}
template <class S>
[[nodiscard]] constexpr vec3<S> anchor_of(particle<S> const& b, vec3<S> const&) noexcept {
    return b.position;
}

/// Velocity (m/s) of the body's material at world point p (m).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> velocity_at(rigid_body<S, R> const& b, vec3<S> const& p) noexcept {
    return b.twist.linear + cross(b.twist.angular, p - b.pose.position);
}
template <class S>
[[nodiscard]] constexpr vec3<S> velocity_at(particle<S> const& b, vec3<S> const&) noexcept {
    return b.velocity;
}

/// The wrench of a force (N, world) that acts on the body at world point p (m).
template <class S, class R>
[[nodiscard]] constexpr wrench<S> wrench_at(rigid_body<S, R> const& b, vec3<S> const& force, vec3<S> const& p) noexcept {
    return force_at(force, p, b.pose.position);
}
template <class S>
[[nodiscard]] constexpr wrench<S> wrench_at(particle<S> const&, vec3<S> const& force, vec3<S> const&) noexcept {
    return {force, {S(0), S(0), S(0)}};
}

}  // namespace sinew::inline v0
