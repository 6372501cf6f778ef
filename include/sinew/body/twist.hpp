#pragma once
// Twist and wrench of a rigid body: six numbers each, world frame, about the centre of mass.

#include <sinew/math/mat.hpp>

namespace sinew::inline v0 {

/// Velocity of the centre of mass (m/s) and world angular velocity (rad/s). Power is dot(wrench, twist).
template <class S>
struct twist {
    using scalar_type = S;
    vec3<S> linear{S(0), S(0), S(0)};   ///< m/s
    vec3<S> angular{S(0), S(0), S(0)};  ///< rad/s

    [[nodiscard]] friend constexpr bool operator==(twist const&, twist const&) = default;
    [[nodiscard]] friend constexpr twist operator+(twist const& a, twist const& b) noexcept {
        return {a.linear + b.linear, a.angular + b.angular};
    }
    [[nodiscard]] friend constexpr twist operator*(S const& k, twist const& a) noexcept { return {k * a.linear, k * a.angular}; }
};

/// `mask ? a : b`, lane by lane.
template <class M, class S>
[[nodiscard]] constexpr twist<S> select(M const& mask, twist<S> const& a, twist<S> const& b) noexcept {
    return {select(mask, a.linear, b.linear), select(mask, a.angular, b.angular)};
}

/// Force (N) and torque about the centre of mass (N m).
template <class S>
struct wrench {
    using scalar_type = S;
    vec3<S> force{S(0), S(0), S(0)};   ///< N
    vec3<S> torque{S(0), S(0), S(0)};  ///< N m

    constexpr wrench& operator+=(wrench const& b) noexcept {
        force += b.force;
        torque += b.torque;
        return *this;
    }
    [[nodiscard]] friend constexpr bool operator==(wrench const&, wrench const&) = default;
    [[nodiscard]] friend constexpr wrench operator+(wrench a, wrench const& b) noexcept { return a += b; }
    [[nodiscard]] friend constexpr wrench operator-(wrench const& a) noexcept { return {-a.force, -a.torque}; }
    [[nodiscard]] friend constexpr wrench operator*(S const& k, wrench const& a) noexcept { return {k * a.force, k * a.torque}; }
};

/// `mask ? a : b`, lane by lane.
template <class M, class S>
[[nodiscard]] constexpr wrench<S> select(M const& mask, wrench<S> const& a, wrench<S> const& b) noexcept {
    return {select(mask, a.force, b.force), select(mask, a.torque, b.torque)};
}

template <class S>
[[nodiscard]] constexpr S dot(wrench<S> const& w, twist<S> const& t) noexcept {
    return dot(w.force, t.linear) + dot(w.torque, t.angular);
}

/// The wrench of a force (N) that acts at world point p (m) on a body whose centre of mass is at x (m).
template <class S>
[[nodiscard]] constexpr wrench<S> force_at(vec3<S> const& force, vec3<S> const& p, vec3<S> const& x) noexcept {
    return {force, cross(p - x, force)};
}

}  // namespace sinew::inline v0
