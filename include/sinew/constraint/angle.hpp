#pragma once
// The angle by which body b is turned against body a about an axis: a part of hinges, limits, servos, motors and gears.
//
//   theta = atan2(v_a . u_b - u_a . v_b,  u_a . u_b + v_a . v_b)      in (-pi, pi]
//
// with the right-handed world frames (u, v, n) of the two bodies: n the axis, u the direction that shows the angle,
// v = n x u. It is the twist of the relative rotation, whatever the swing between n_a and n_b: symmetric in the two
// bodies, and smooth until the axes are opposite. In terms of the relative quaternion the two arguments are 4 w z and
// 2 (w^2 - z^2), hence the angle, and 2 (w^2 + z^2) = 1 + n_a . n_b, hence the gradient:
//
//   theta_dot = g . (omega_b - omega_a),   g = (n_a + n_b) / (1 + n_a . n_b) = 2 s / |s|^2,   s = n_a + n_b
//
// The last form keeps its digits when the axes are nearly opposite. In fixed point few are left there, of theta and of g: the wider format has them.
//
// Sign: positive when b turns against a by the right hand about the axis. Aligned axes: g = n. Opposite axes: g = 0; in fixed point that has a wider format,
// where they are within 0.9 degrees of it.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/stack.hpp>
#include <sinew/rotation/quaternion.hpp>

namespace sinew::inline v0 {

/// (1 row) The angle of b against a about an axis (rad). As a constraint of its own it holds the angle at 0.
template <scalar S>
struct relative_angle {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    vec3<S> axis_a{S(0), S(0), S(1)};       ///< unit, frame of a
    vec3<S> reference_a{S(1), S(0), S(0)};  ///< unit, perpendicular to axis_a, frame of a
    vec3<S> axis_b{S(0), S(0), S(1)};       ///< unit, frame of b
    vec3<S> reference_b{S(1), S(0), S(0)};  ///< unit, perpendicular to axis_b, frame of b; at angle 0 it is along reference_a

    /// About a world axis (any length but 0); the angle is 0 at these poses.
    [[nodiscard]] static constexpr relative_angle at(auto const& a, auto const& b, vec3<S> const& axis) noexcept {
        vec3<S> const n = normalize(axis);
        vec3<S> const u = orthonormal_basis(n).u;
        return {a.local_direction(n), a.local_direction(u), b.local_direction(n), b.local_direction(u)};
    }

    /// The angle (rad), in (-pi, pi].
    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const ua = a.direction(reference_a), va = a.direction(cross(axis_a, reference_a));
        auto const ub = b.direction(reference_b), vb = b.direction(cross(axis_b, reference_b));
        auto const across = dot(va, ub) - dot(ua, vb), along = dot(ua, ub) + dot(va, vb);  // (|s|^2 / 2)^2 is the sum of their squares
        if constexpr (widens && std::same_as<std::remove_const_t<decltype(across)>, S>) {  // derivatives have what digits there are
            if (max(abs(across), abs(along)) < S(0.125)) return S(wider().error(widened(a), widened(b)));
        }
        return atan2(across, along);
    }

    /// The axis about which a relative angular velocity changes the angle: g above, world frame.
    template <class R>
    [[nodiscard]] constexpr vec3<S> gradient(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        vec3<S> const s = a.direction(axis_a) + b.direction(axis_b);
        S const square = squared_norm(s);
        if constexpr (widens) {
            if (square < S(0.25)) return square < least_square ? vec3<S>{} : narrowed(wider().gradient(widened(a), widened(b)));
        }
        return s * two_over(square);
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        vec3<S> const g = gradient(a, b);
        mat<S, 1, 12> J{};
        place(J, 0, 3, -g);
        place(J, 0, 9, g);
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr S jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const na = a.direction(axis_a), nb = b.direction(axis_b);
        vec3<S> const s = na + nb, s_dot = cross(ta.angular, na) + cross(tb.angular, nb);
        S const square = squared_norm(s);
        if constexpr (widens) {
            if (square < S(0.25))
                return square < least_square ? S(0) : S(wider().jacobian_rate(widened(a), widened(b), twist<wide>{{}, widened(ta.angular)}, twist<wide>{{}, widened(tb.angular)}));
        }
        S const k = two_over(square);
        vec3<S> const g = s * k;
        vec3<S> const g_dot = s_dot * k - g * (k * dot(s, s_dot));
        return dot(g_dot, tb.angular - ta.angular);
    }
    /// theta_dot (rad/s).
    template <class R>
    [[nodiscard]] constexpr S speed(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        return dot(gradient(a, b), tb.angular - ta.angular);
    }

    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(unit_parameter("axis_a", axis_a), unit_parameter("axis_b", axis_b),
                                   unit_parameter("reference_a", reference_a), unit_parameter("reference_b", reference_b),
                                   perpendicular_parameter("reference_a", reference_a, axis_a),
                                   perpendicular_parameter("reference_b", reference_b, axis_b));
    }
    [[nodiscard]] friend constexpr bool operator==(relative_angle const&, relative_angle const&) = default;

private:
    using wide = wider_t<S>;
    static constexpr bool widens = !floating_scalar<S> && !std::same_as<wide, S>;
    static constexpr S least_square{value_type_t<S>(1.0 / 4096)};  // |s|^2 below which the angle is not held: g^2 leaves Q15.16

    [[nodiscard]] static constexpr vec3<wide> widened(vec3<S> const& v) noexcept { return {wide(v[0]), wide(v[1]), wide(v[2])}; }
    [[nodiscard]] static constexpr vec3<S> narrowed(vec3<wide> const& v) noexcept { return {S(v[0]), S(v[1]), S(v[2])}; }
    template <class R>
    [[nodiscard]] static constexpr pose<wide, quaternion<wide>> widened(pose<S, R> const& p) noexcept {
        auto const q = to_quaternion(p.rotation);
        return {{}, normalize(quaternion<wide>{wide(q.w), wide(q.x), wide(q.y), wide(q.z)})};
    }
    // Rounding has left axes and references neither unit nor perpendicular.
    [[nodiscard]] constexpr relative_angle<wide> wider() const noexcept {
        auto const across = [](vec3<wide> const& u, vec3<wide> const& n) { return normalize(u - n * dot(n, u)); };
        vec3<wide> const na = normalize(widened(axis_a)), nb = normalize(widened(axis_b));
        return {na, across(widened(reference_a), na), nb, across(widened(reference_b), nb)};
    }
    // 2 / x; 0 for opposite axes.
    [[nodiscard]] static constexpr S two_over(S const& x) noexcept {
        auto const opposite = x <= S(0);
        return select(opposite, S(0), S(2) / select(opposite, S(1), x));
    }
};

}  // namespace sinew::inline v0
