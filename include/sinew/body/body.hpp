#pragma once
// Rigid bodies and particles: what they are made of, how they move, and how a constraint or force sees them.
//
// A body kind says how many degrees of freedom a body has. Constraints and forces name the kinds that they bind.

#include <sinew/body/twist.hpp>
#include <sinew/rotation/pose.hpp>

#include <concepts>
#include <tuple>

namespace sinew::inline v0 {

/// Kind of a rigid body: 6 degrees of freedom, (linear, angular).
struct rigid {
    static constexpr std::size_t dof = 6;
};
/// Kind of a particle, a point with mass: 3 degrees of freedom.
struct point_mass {
    static constexpr std::size_t dof = 3;
};

template <class K>
inline constexpr bool is_body_kind_v = std::same_as<K, rigid> || std::same_as<K, point_mass>;

/// The list of body kinds that a constraint or a force acts on: binds<rigid, rigid>, binds<point_mass, rigid, rigid>, ...
template <class... Kinds>
struct binds {
    static constexpr std::size_t size = sizeof...(Kinds);
    static constexpr std::size_t dof = (Kinds::dof + ... + 0);
    template <std::size_t I>
    using kind = std::tuple_element_t<I, std::tuple<Kinds...>>;
    /// First column of attachment i in the rows of a Jacobian.
    [[nodiscard]] static constexpr std::size_t offset(std::size_t i) noexcept {
        std::size_t const dofs[] = {Kinds::dof..., 0};
        std::size_t at = 0;
        for (std::size_t k = 0; k < i; ++k) at += dofs[k];
        return at;
    }
};

/// A rigid body: mass and inertia are constant, pose and twist move.
template <class S, class R = quaternion<S>>
struct rigid_body {
    using scalar_type = S;
    using kind = rigid;
    S mass{1};                                   ///< kg
    sym3<S> inertia = diagonal(S(1), S(1), S(1));  ///< kg m^2, about the centre of mass, body axes
    sinew::pose<S, R> pose{};                    ///< of the centre of mass
    sinew::twist<S> twist{};                     ///< world frame

    [[nodiscard]] friend constexpr bool operator==(rigid_body const&, rigid_body const&) = default;
};

/// A point with mass.
template <class S>
struct particle {
    using scalar_type = S;
    using kind = point_mass;
    S mass{1};                              ///< kg
    vec3<S> position{S(0), S(0), S(0)};     ///< m
    vec3<S> velocity{S(0), S(0), S(0)};     ///< m/s

    [[nodiscard]] friend constexpr bool operator==(particle const&, particle const&) = default;
};

/// Inertia seen from the world: R I R^T (Waterson 2026, eq. 3.19).
template <class S, class R>
[[nodiscard]] constexpr sym3<S> world_inertia(sym3<S> const& body_inertia, R const& rotation) noexcept {
    return congruence(to_matrix(rotation), body_inertia);
}
namespace detail {
// The same, where what is equal in every direction stays as it is, to the last bit.
template <class S, class R>
[[nodiscard]] constexpr sym3<S> seen_from_world(sym3<S> const& body_inertia, R const& rotation) noexcept {
    if (is_isotropic(body_inertia)) return body_inertia;
    if constexpr (has_lanes_v<S>)
        return select(isotropic_lanes(body_inertia), body_inertia, world_inertia(body_inertia, rotation));
    else
        return world_inertia(body_inertia, rotation);
}
}  // namespace detail

/// Kinetic energy (J).
template <class S, class R>
[[nodiscard]] constexpr S kinetic_energy(rigid_body<S, R> const& b) noexcept {
    vec3<S> const w = b.pose.local_direction(b.twist.angular);
    return (b.mass * squared_norm(b.twist.linear) + dot(w, b.inertia * w)) * (S(1) / S(2));
}
template <class S>
[[nodiscard]] constexpr S kinetic_energy(particle<S> const& b) noexcept {
    return b.mass * squared_norm(b.velocity) * (S(1) / S(2));
}

/// Linear momentum (kg m/s).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> linear_momentum(rigid_body<S, R> const& b) noexcept {
    return b.mass * b.twist.linear;
}
template <class S>
[[nodiscard]] constexpr vec3<S> linear_momentum(particle<S> const& b) noexcept {
    return b.mass * b.velocity;
}

/// Angular momentum about the centre of mass (kg m^2/s), world frame.
template <class S, class R>
[[nodiscard]] constexpr vec3<S> spin(rigid_body<S, R> const& b) noexcept {
    return b.pose.direction(b.inertia * b.pose.local_direction(b.twist.angular));
}

/// Angular momentum about the world's origin (kg m^2/s).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> angular_momentum(rigid_body<S, R> const& b) noexcept {
    return cross(b.pose.position, b.mass * b.twist.linear) + spin(b);
}
template <class S>
[[nodiscard]] constexpr vec3<S> angular_momentum(particle<S> const& b) noexcept {
    return cross(b.position, b.mass * b.velocity);
}

}  // namespace sinew::inline v0
