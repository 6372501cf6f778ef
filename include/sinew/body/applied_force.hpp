#pragma once
// Forces that someone applies: constant in the world (a pull, a weight on a string), or constant in the body (a thruster).

#include <sinew/body/body_point.hpp>
#include <sinew/body/parameter_fault.hpp>

#include <array>

namespace sinew::inline v0 {

/// A force that keeps its direction in the world, at a point of a body of kind A.
template <scalar S, class A>
struct constant_force_on {
    using attachments = binds<A>;
    vec3<S> force{S(0), S(0), S(0)};   ///< N, world frame
    vec3<S> anchor{S(0), S(0), S(0)};  ///< m, body frame

    [[nodiscard]] constexpr std::array<wrench<S>, 1> wrenches(auto const& body, S const&) const noexcept {
        return {wrench_at(body, force, anchor_of(body, anchor))};
    }
    /// J, zero with the anchor at the world's origin.
    [[nodiscard]] constexpr S energy(auto const& body) const noexcept { return -dot(force, anchor_of(body, anchor)); }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("force", force), finite_parameter("anchor", anchor));
    }
    [[nodiscard]] friend constexpr bool operator==(constant_force_on const&, constant_force_on const&) = default;
};

template <scalar S>
using constant_force = constant_force_on<S, rigid>;
template <scalar S>
using particle_constant_force = constant_force_on<S, point_mass>;

/// A force and a torque that turn with the body.
template <scalar S>
struct thruster {
    using attachments = binds<rigid>;
    vec3<S> force{S(0), S(0), S(0)};   ///< N, body frame
    vec3<S> torque{S(0), S(0), S(0)};  ///< N m, body frame
    vec3<S> anchor{S(0), S(0), S(0)};  ///< m, body frame

    [[nodiscard]] constexpr std::array<wrench<S>, 1> wrenches(auto const& body, S const&) const noexcept {
        return {wrench<S>{body.pose.direction(force), body.pose.direction(torque + cross(anchor, force))}};
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("force", force), finite_parameter("torque", torque), finite_parameter("anchor", anchor));
    }
    [[nodiscard]] friend constexpr bool operator==(thruster const&, thruster const&) = default;
};

}  // namespace sinew::inline v0
