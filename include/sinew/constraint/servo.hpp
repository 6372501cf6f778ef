#pragma once
// A servo brings a joint to a target and holds it there with a bounded force: angular about an axis, linear along one.
//
//   angular   c = theta - target, the short way round    |lambda| <= max_torque    (theta of angle.hpp)
//   linear    c = s - target,  s = n_a . (p_b - p_a)     |lambda| <= max_force
//
// It acts on positions, as hard as a joint while its force lasts: a target that jumps is reached within one step if the
// force is enough. For a bounded speed use powered_axis.hpp. Sign: lambda > 0 turns or pushes b onward along the axis.

#include <sinew/constraint/angle.hpp>
#include <sinew/constraint/displacement.hpp>
#include <sinew/constraint/wrapped_angle.hpp>

namespace sinew::inline v0 {

/// (1 row, rad, bounded) Turns b about an axis of a to an angle.
template <scalar S>
struct angular_servo {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    relative_angle<S> angle{};
    S target{};                      ///< rad
    S max_torque = infinity_v<S>;    ///< N m

    /// About a world axis; the target counts from these poses.
    [[nodiscard]] static constexpr angular_servo at(auto const& a, auto const& b, vec3<S> const& axis, S const& target = S(0),
                                                    S const& max_torque = infinity_v<S>) noexcept {
        return {relative_angle<S>::at(a, b, axis), target, max_torque};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return wrapped(angle.error(a, b) - target); }
    [[nodiscard]] constexpr bounds<S, 1> limits() const noexcept { return {{-max_torque}, {max_torque}}; }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept { return angle.jacobian(a, b); }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return angle.jacobian_rate(a, b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(angle.fault(), angle_parameter("target", target), magnitude_parameter("max_torque", max_torque));
    }
    [[nodiscard]] friend constexpr bool operator==(angular_servo const&, angular_servo const&) = default;
};

/// (1 row, m, bounded) Pushes b along an axis of a to a place. b is a rigid body or a particle.
template <scalar S, class KindB>
struct linear_servo_of {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, KindB>;

    vec3<S> anchor_a{};              ///< where s = 0, frame of a, m
    anchor_t<S, KindB> anchor_b{};   ///< frame of b, m
    vec3<S> axis{S(0), S(0), S(1)};  ///< unit, frame of a
    S target{};                      ///< m
    S max_force = infinity_v<S>;     ///< N

    /// Along a world axis; s counts from a world point, which is b's anchor too (a particle is where it is).
    [[nodiscard]] static constexpr linear_servo_of at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis, S const& target = S(0),
                                                      S const& max_force = infinity_v<S>) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor), a.local_direction(normalize(axis)), target, max_force};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return detail::displacement(a, b, anchor_a, anchor_b, axis) - target;
    }
    [[nodiscard]] constexpr bounds<S, 1> limits() const noexcept { return {{-max_force}, {max_force}}; }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 1, attachments::dof> J;
        detail::place_displacement(J, 0, a, b, detail::arm_of(b, anchor_b), a.direction(axis));
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::displacement_rate(a, b, detail::arm_of(a, anchor_a), detail::arm_of(b, anchor_b), ta, tb, a.direction(axis));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), unit_parameter("axis", axis), finite_parameter("target", target),
                           magnitude_parameter("max_force", max_force));
    }
    [[nodiscard]] friend constexpr bool operator==(linear_servo_of const&, linear_servo_of const&) = default;
};

template <class S>
using linear_servo = linear_servo_of<S, rigid>;
template <class S>
using particle_servo = linear_servo_of<S, point_mass>;

}  // namespace sinew::inline v0
