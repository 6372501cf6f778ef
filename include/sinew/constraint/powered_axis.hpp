#pragma once
// Motors: a wanted speed of body b against body a, about an axis or along one, with a bounded torque or force. On the
// velocity level, as in Vondrak 2005, 7.4.2.
//
//   rate = x_dot - k,   k = clamp(speed + alpha (target - x), -max_speed, max_speed),   |lambda| <= max
//
//   x      angle of b about the axis (rad, angle.hpp), or displacement along it (m, displacement.hpp)
//   alpha  stabilisation rate, 1/s: 0 follows the speed alone; above 0 the deviation from the target decays as
//          exp(-alpha t), while a target that moves at `speed` is followed without lag
//   k      the wanted x_dot. An angle goes to its target the short way round.
//
// Choose alpha h below 1 for a step h: the target is then not overshot.
//
// Sign: lambda > 0 turns (N m) or pushes (N) b onward by the right hand or along the axis. Limits stand beside the motor as
// rows of their own (angle_limit.hpp, linear_limit.hpp); Vondrak puts the limit in place of the motor and applies the
// motor's torque as an external one. Hard or exact holds: servo.hpp.
//
// Departures from the printed text. The speed about the axis is that of the angle of angle.hpp, symmetric in both
// bodies; in a hinge it is n_a . (omega_b - omega_a). Along an axis x_dot has a part by which the axis itself turns: the
// Jacobian printed in (7.6), (-a, 0 | a, 0), lacks it, so that its wrench has a net torque d x a lambda; its J_dot v
// should read (omega_A x a) . (v_B - v_A), with velocities for the positions. Above (7.5) the omegas have a dot too many.

#include <sinew/constraint/angle.hpp>
#include <sinew/constraint/displacement.hpp>
#include <sinew/constraint/wrapped_angle.hpp>

namespace sinew::inline v0 {

namespace detail {

// The wanted speed, from how far the target is ahead.
template <class T, class S>
[[nodiscard]] constexpr T wanted_speed(T const& ahead, S const& speed, S const& alpha, S const& max_speed) noexcept {
    return clamp(T(speed + alpha * ahead), T(-max_speed), T(max_speed));
}
// How fast it falls with x: alpha, or 0 while it is cut off.
template <class S>
[[nodiscard]] constexpr S wanted_slope(S const& ahead, S const& speed, S const& alpha, S const& max_speed) noexcept {
    return select(abs(speed + alpha * ahead) <= max_speed, alpha, S(0));
}

// Velocity of an anchor, for poses and twists with lanes too.
template <class S>
[[nodiscard]] constexpr auto anchor_velocity(auto const& p, auto const& t, vec3<S> const& anchor) noexcept {
    return t.linear + cross(t.angular, p.direction(anchor));
}
[[nodiscard]] constexpr auto anchor_velocity(auto const&, auto const& t, no_anchor) noexcept { return t.linear; }

// x_dot = n . (velocity of b's anchor - velocity of body a there).
template <class S>
[[nodiscard]] constexpr auto displacement_speed(auto const& a, auto const& b, auto const& ta, auto const& tb, auto const& anchor_b,
                                                vec3<S> const& local_n) noexcept {
    auto const arm = anchored(b, anchor_b) - a.position;
    return dot(a.direction(local_n), anchor_velocity(b, tb, anchor_b) - ta.linear - cross(ta.angular, arm));
}

template <class S>
[[nodiscard]] constexpr input_fault drive_fault(char const* max_name, S const& maximum, S const& speed, S const& target, S const& alpha,
                                                S const& max_speed) noexcept {
    return first_fault(magnitude_parameter(max_name, maximum), finite_parameter("speed", speed), finite_parameter("target", target),
                       nonnegative_parameter("alpha", alpha), magnitude_parameter("max_speed", max_speed));
}

}  // namespace detail

/// (1 row, velocity level, rad/s, bounded) Turns b about an axis of a, as the motor of a hinge or a wheel.
template <scalar S>
struct powered_axis {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    relative_angle<S> angle{};
    S speed{};                     ///< wanted speed of b against a, rad/s
    S max_torque = infinity_v<S>;  ///< N m
    S target{};                    ///< wanted angle, rad; matters if alpha is above 0
    S alpha{};                     ///< stabilisation rate, 1/s; 0: the speed alone
    S max_speed = infinity_v<S>;   ///< bound of the speed on the way to the target, rad/s

    /// At a speed about a world axis; angles count from these poses.
    [[nodiscard]] static constexpr powered_axis at(auto const& a, auto const& b, vec3<S> const& axis, S const& speed = S(0),
                                                   S const& max_torque = infinity_v<S>) noexcept {
        return {relative_angle<S>::at(a, b, axis), speed, max_torque, S(0), S(0), infinity_v<S>};
    }
    /// The same motor, on its way to an angle (rad) at the rate decay (1/s), no faster than top_speed (rad/s).
    [[nodiscard]] constexpr powered_axis towards(S const& wanted, S const& decay, S const& top_speed = infinity_v<S>) const noexcept {
        return {angle, speed, max_torque, wanted, decay, top_speed};
    }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return angle_speed(a, b, ta, tb) - detail::wanted_speed(ahead(a, b), speed, alpha, max_speed);
    }
    [[nodiscard]] constexpr bounds<S, 1> limits() const noexcept { return {{-max_torque}, {max_torque}}; }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept { return angle.jacobian(a, b); }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        S const slope = detail::wanted_slope(S(ahead(a, b)), speed, alpha, max_speed);
        return angle.jacobian_rate(a, b, ta, tb) + slope * angle.speed(a, b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(angle.fault(), detail::drive_fault("max_torque", max_torque, speed, target, alpha, max_speed),
                           all(alpha <= S(0)) ? input_fault{} : angle_parameter("target", target));
    }
    [[nodiscard]] friend constexpr bool operator==(powered_axis const&, powered_axis const&) = default;

private:
    [[nodiscard]] constexpr auto ahead(auto const& a, auto const& b) const noexcept { return wrapped(target - angle.error(a, b)); }
    // The gradient of angle.hpp, for poses with lanes too: 2 s . (omega_b - omega_a) / |s|^2, and 0 for opposite axes.
    [[nodiscard]] constexpr auto angle_speed(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        auto const s = a.direction(angle.axis_a) + b.direction(angle.axis_b);
        auto const s2 = squared_norm(s);
        using T = std::remove_const_t<decltype(s2)>;
        auto const opposite = s2 <= T(S(0));
        T const k = select(opposite, T(S(0)), T(S(2)) / select(opposite, T(S(1)), s2));
        return dot(s * k, tb.angular - ta.angular);
    }
};

/// (1 row, velocity level, m/s, bounded) Moves b along an axis of a, as the motor of a slider or a lift. b is a rigid
/// body or a particle.
template <scalar S, class KindB>
struct linear_motor_of {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, KindB>;

    vec3<S> anchor_a{};              ///< where x = 0, frame of a, m
    anchor_t<S, KindB> anchor_b{};   ///< frame of b, m
    vec3<S> axis{S(0), S(0), S(1)};  ///< unit, frame of a
    S speed{};                       ///< wanted speed of b against a, m/s
    S max_force = infinity_v<S>;     ///< N
    S target{};                      ///< wanted displacement, m; matters if alpha is above 0
    S alpha{};                       ///< stabilisation rate, 1/s; 0: the speed alone
    S max_speed = infinity_v<S>;     ///< bound of the speed on the way to the target, m/s

    /// At a speed along a world axis; x counts from a world point, which is b's anchor too (a particle is where it is).
    [[nodiscard]] static constexpr linear_motor_of at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis,
                                                      S const& speed = S(0), S const& max_force = infinity_v<S>) noexcept {
        vec3<S> const n = a.local_direction(normalize(axis));
        return {anchor_at(a, anchor), anchor_at(b, anchor), n, speed, max_force, S(0), S(0), infinity_v<S>};
    }
    /// The same motor, on its way to a place (m) at the rate decay (1/s), no faster than top_speed (m/s).
    [[nodiscard]] constexpr linear_motor_of towards(S const& wanted, S const& decay, S const& top_speed = infinity_v<S>) const noexcept {
        return {anchor_a, anchor_b, axis, speed, max_force, wanted, decay, top_speed};
    }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::displacement_speed(a, b, ta, tb, anchor_b, axis) - detail::wanted_speed(ahead(a, b), speed, alpha, max_speed);
    }
    [[nodiscard]] constexpr bounds<S, 1> limits() const noexcept { return {{-max_force}, {max_force}}; }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 1, attachments::dof> J;
        detail::place_displacement(J, 0, a, b, detail::arm_of(b, anchor_b), a.direction(axis));
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        auto const arm_a = detail::arm_of(a, anchor_a);
        auto const arm_b = detail::arm_of(b, anchor_b);
        S const slope = detail::wanted_slope(S(ahead(a, b)), speed, alpha, max_speed);
        return detail::displacement_rate(a, b, arm_a, arm_b, ta, tb, a.direction(axis)) +
               slope * detail::displacement_speed(a, b, ta, tb, anchor_b, axis);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), unit_parameter("axis", axis),
                           detail::drive_fault("max_force", max_force, speed, target, alpha, max_speed));
    }
    [[nodiscard]] friend constexpr bool operator==(linear_motor_of const&, linear_motor_of const&) = default;

private:
    [[nodiscard]] constexpr auto ahead(auto const& a, auto const& b) const noexcept {
        return target - detail::displacement(a, b, anchor_a, anchor_b, axis);
    }
};

template <class S>
using linear_motor = linear_motor_of<S, rigid>;
template <class S>
using particle_motor = linear_motor_of<S, point_mass>;

}  // namespace sinew::inline v0
