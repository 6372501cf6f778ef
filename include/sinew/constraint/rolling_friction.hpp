#pragma once
// Rolling and spinning friction: torques against the relative rotation of two bodies that touch. A part to be used beside their contacts.
//
//   omega = omega_b - omega_a = 0    (3 rows, velocity level: about the normal, and about two directions across it)
//
//   |torque about n|      <= spinning friction x force that presses
//   |torque across n|     <= rolling friction x force that presses,   alike in every direction
//
// The coefficients are lengths: of rolling, by how far the push is ahead of where the bodies touch. The force that presses is that of the
// last step, as the contacts' multipliers tell; it is set by who finds contacts, who takes that of the forces on bodies which were not near in the last step.

#include <sinew/constraint/anchor.hpp>
#include <sinew/constraint/friction_cone.hpp>

namespace sinew::inline v0 {

/// (3 rows, rad/s, bounded) Sign: lambda is the torque (N m) on b, about the normal, the tangent, and normal x tangent.
template <scalar S>
struct rolling_friction {
    static constexpr std::size_t rows = 3;
    using attachments = binds<rigid, rigid>;

    vec3<S> normal{S(0), S(0), S(1)};   ///< from a to b, unit, world
    vec3<S> tangent{S(1), S(0), S(0)};  ///< across the normal, unit, world
    S rolling{0};                       ///< coefficient, m
    S spinning{0};                      ///< coefficient, m
    S pressing{0};                      ///< the bodies onto each other, N

    [[nodiscard]] constexpr auto rate(auto const&, auto const&, auto const& ta, auto const& tb) const noexcept {
        auto const w = tb.angular - ta.angular;
        return stack_rows(dot(normal, w), dot(tangent, w), dot(cross(normal, tangent), w));
    }
    [[nodiscard]] constexpr bounds<S, 3> limits() const noexcept {
        S const spin = spinning * pressing, roll = rolling * pressing;
        return {{-spin, -roll, -roll}, {spin, roll, roll}};
    }
    [[nodiscard]] constexpr vec<S, 3> within_friction(vec<S, 3> const& lambda) const noexcept {
        return friction_cone::within(lambda, rolling * pressing);
    }
    [[nodiscard]] constexpr mat<S, 3, 12> jacobian(auto const&, auto const&) const noexcept {
        vec3<S> const axes[3] = {normal, tangent, cross(normal, tangent)};
        mat<S, 3, 12> J{};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 3; ++k) {
                J(i, 3 + k) = -axes[i][k];
                J(i, 9 + k) = axes[i][k];
            }
        return J;
    }
    [[nodiscard]] constexpr vec3<S> jacobian_rate(auto const&, auto const&, auto const&, auto const&) const noexcept { return {S(0), S(0), S(0)}; }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(unit_parameter("normal", normal), unit_parameter("tangent", tangent), perpendicular_parameter("tangent", tangent, normal),
                           nonnegative_parameter("rolling", rolling), nonnegative_parameter("spinning", spinning), nonnegative_parameter("pressing", pressing));
    }
    [[nodiscard]] friend constexpr bool operator==(rolling_friction const&, rolling_friction const&) = default;
};

}  // namespace sinew::inline v0
