#pragma once
// An axis of body b stays within a cone about an axis of body a: the swing of a shoulder or a hip.
//
//   c = half_angle - phi >= 0,   phi = atan2(|n_a x n_b|, n_a . n_b) in [0, pi]
//   phi_dot = w . (omega_b - omega_a),   w = n_a x n_b / |n_a x n_b|       (Waterson 2026, eq. 5.55, with the sign derived)
//
// Sign: lambda >= 0 is the torque (N m) that turns n_b back towards n_a. Where the axes are parallel or opposite no
// direction is set apart: J is 0 there.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/stack.hpp>
#include <sinew/constraint/turn.hpp>

namespace sinew::inline v0 {

/// (1 row, rad, inequality) The angle between two axes is at most half_angle.
template <scalar S>
struct cone_limit {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    vec3<S> axis_a{S(0), S(0), S(1)};  ///< unit, frame of a: the middle of the cone
    vec3<S> axis_b{S(0), S(0), S(1)};  ///< unit, frame of b
    S half_angle = pi_v<S> / S(2);     ///< rad, above 0, up to pi

    /// About a world axis, on which b's axis lies now.
    [[nodiscard]] static constexpr cone_limit at(auto const& a, auto const& b, vec3<S> const& axis, S const& half_angle) noexcept {
        return at(a, b, axis, axis, half_angle);
    }
    /// The middle of the cone along one world axis, b's axis now along another.
    [[nodiscard]] static constexpr cone_limit at(auto const& a, auto const& b, vec3<S> const& axis_of_a, vec3<S> const& axis_of_b,
                                                 S const& half_angle) noexcept {
        return {a.local_direction(normalize(axis_of_a)), b.local_direction(normalize(axis_of_b)), half_angle};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const na = a.direction(axis_a), nb = b.direction(axis_b);
        return half_angle - atan2(norm(cross(na, nb)), dot(na, nb));
    }
    [[nodiscard]] static constexpr bounds<S, 1> limits() noexcept { return pushing<S, 1>(); }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept {
        vec3<S> const w = normalize(cross(a.direction(axis_a), b.direction(axis_b)));
        mat<S, 1, 12> J{};
        place(J, 0, 3, w);
        place(J, 0, 9, -w);
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        vec3<S> const na = a.direction(axis_a), nb = b.direction(axis_b);
        return -detail::turn_rate(na, nb, ta.angular, tb.angular);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault opening{};
        if (!all(half_angle > S(0)) || !all(half_angle <= pi_v<S>))
            opening = {"half_angle", "must be above 0 and at most pi", detail::shown_number(half_angle, half_angle > S(0) && half_angle <= pi_v<S>)};
        return first_fault(unit_parameter("axis_a", axis_a), unit_parameter("axis_b", axis_b), opening);
    }
    [[nodiscard]] friend constexpr bool operator==(cone_limit const&, cone_limit const&) = default;
};

}  // namespace sinew::inline v0
