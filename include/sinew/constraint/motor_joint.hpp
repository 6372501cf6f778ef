#pragma once
// Motor of all six degrees of freedom: drives body b towards a wanted pose in the frame of body a, with bounded force and
// torque. On the velocity level, after MotorJoint of Vondrak 2005, 7.4.2: bodies controlled "kinematically in terms of
// dynamics", which still feel impacts and loads.
//
//   rows 0-2   R_a^T (v_b - v_a - omega_a x d) - u + alpha (R_a^T d - p)     m/s     d = x_b - x_a
//   rows 3-5   R_a^T (omega_b - omega_a) - w + alpha theta                   rad/s   theta = log(R_a^T R_b Q^T)
//
//   p, Q   wanted position of b's centre of mass (m) and wanted rotation, in the frame of a
//   u, w   wanted velocity (m/s) and angular velocity (rad/s) of b seen from a, axes of a
//   alpha  stabilisation rate, 1/s: the deviation decays as exp(-alpha t); 0 follows the velocities alone
//
// theta_dot = J_L(theta)^-1 R_a^T (omega_b - omega_a), and J_L(theta)^-1 theta = theta: the decay of theta is exact however
// far the turn. If the target moves by p_dot = u and Q_dot = [w]x Q, then theta_dot = -alpha theta + w x theta, whose size
// decays all the same. Choose alpha h below 1 for a step h.
//
// Sign: lambda_i > 0 pushes b along axis i of a (N) or turns it about that axis (N m). Both forces act at b's centre of
// mass, so momentum is kept; the Jacobian of (7.6) lacks that arm of a, see powered_axis.hpp. To make it soft: soft.hpp.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/displacement.hpp>
#include <sinew/constraint/stack.hpp>

namespace sinew::inline v0 {

/// (6 rows, velocity level, m/s and rad/s, bounded) Drives b towards a pose relative to a.
template <scalar S>
struct motor_joint {
    static constexpr std::size_t rows = 6;
    using attachments = binds<rigid, rigid>;

    pose<S> target{};            ///< wanted pose of b in the frame of a; its position is that of the centre of mass, m
    S alpha{};                   ///< stabilisation rate, 1/s
    vec3<S> velocity{};          ///< wanted velocity of b seen from a, axes of a, m/s
    vec3<S> angular_velocity{};  ///< wanted angular velocity of b against a, axes of a, rad/s
    vec3<S> max_force{infinity_v<S>, infinity_v<S>, infinity_v<S>};   ///< along each axis of a, N; 0 leaves it free
    vec3<S> max_torque{infinity_v<S>, infinity_v<S>, infinity_v<S>};  ///< about each axis of a, N m; 0 leaves it free

    /// Keeps b where it is now, seen from a.
    [[nodiscard]] static constexpr motor_joint at(auto const& a, auto const& b, S const& alpha, S const& max_force = infinity_v<S>,
                                                  S const& max_torque = infinity_v<S>) noexcept {
        return at(a, b, b, alpha, max_force, max_torque);
    }
    /// Drives b to a pose in the world, while a is where it is now; once a moves, the target moves with it.
    template <class R>
    [[nodiscard]] static constexpr motor_joint at(auto const& a, auto const&, pose<S, R> const& wanted, S const& alpha,
                                                  S const& max_force = infinity_v<S>, S const& max_torque = infinity_v<S>) noexcept {
        pose<S> const target{a.local_point(wanted.position), inverse(to_quaternion(a.rotation)) * to_quaternion(wanted.rotation)};
        return {target, alpha, {}, {}, {max_force, max_force, max_force}, {max_torque, max_torque, max_torque}};
    }

    /// How far b is turned beyond the target: theta above, frame of a, rad.
    [[nodiscard]] constexpr auto turn(auto const& a, auto const& b) const noexcept {
        auto const q = inverse(to_quaternion(a.rotation)) * to_quaternion(b.rotation);
        using T = typename decltype(q)::scalar_type;
        return log(q * inverse(rotation_to_scalar<T>(target.rotation)));
    }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        auto const d = b.position - a.position;
        auto const d_dot = tb.linear - ta.linear - cross(ta.angular, d);
        auto const omega = tb.angular - ta.angular;
        auto const theta = turn(a, b);
        auto const linear = [&](std::size_t k) {
            auto const n = a.direction(unit(k));
            return dot(n, d_dot) - velocity[k] + alpha * (dot(n, d) - target.position[k]);
        };
        auto const angular = [&](std::size_t k) { return dot(a.direction(unit(k)), omega) - angular_velocity[k] + alpha * theta[k]; };
        return stack_rows(linear(0), linear(1), linear(2), angular(0), angular(1), angular(2));
    }
    [[nodiscard]] constexpr bounds<S, 6> limits() const noexcept {
        return {stack_rows(-max_force, -max_torque), stack_rows(max_force, max_torque)};
    }

    [[nodiscard]] constexpr mat<S, 6, 12> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 6, 12> J{};
        for (std::size_t k = 0; k < 3; ++k) {
            vec3<S> const n = a.direction(unit(k));
            detail::place_displacement(J, k, a, b, vec3<S>{}, n);
            place(J, 3 + k, 3, -n);
            place(J, 3 + k, 9, n);
        }
        return J;
    }
    [[nodiscard]] constexpr vec<S, 6> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        vec3<S> const d_dot = tb.linear - ta.linear - cross(ta.angular, b.position - a.position);
        vec3<S> const omega = tb.angular - ta.angular;
        vec3<S> const theta_dot = left_jacobian_inverse(turn(a, b)) * a.local_direction(omega);
        vec<S, 6> r{};
        for (std::size_t k = 0; k < 3; ++k) {
            vec3<S> const n = a.direction(unit(k));
            r[k] = detail::displacement_rate(a, b, vec3<S>{}, vec3<S>{}, ta, tb, n) + alpha * dot(n, d_dot);
            r[3 + k] = dot(cross(ta.angular, n), omega) + alpha * theta_dot[k];
        }
        return r;
    }

    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault r = first_fault(nonnegative_parameter("alpha", alpha));
        for (std::size_t k = 0; k < 3; ++k)
            r = first_fault(r, finite_parameter("target.position", target.position[k]),
                                    finite_parameter("velocity", velocity[k]),
                                    finite_parameter("angular_velocity", angular_velocity[k]),
                                    magnitude_parameter("max_force", max_force[k]), magnitude_parameter("max_torque", max_torque[k]));
        S const n2 = squared_norm(target.rotation);
        if (r.name == nullptr && !all(abs(n2 - S(1)) <= sqrt(epsilon_v<S>)))
            return {"target.rotation", "must be a unit quaternion; its squared norm", detail::shown_number(n2, abs(n2 - S(1)) <= sqrt(epsilon_v<S>))};
        return r;
    }
    [[nodiscard]] friend constexpr bool operator==(motor_joint const&, motor_joint const&) = default;

private:
    [[nodiscard]] static constexpr vec3<S> unit(std::size_t k) noexcept {
        vec3<S> n{};
        n[k] = S(1);
        return n;
    }
};

}  // namespace sinew::inline v0
