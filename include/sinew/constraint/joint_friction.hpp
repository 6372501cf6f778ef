#pragma once
// Dry friction in a joint: a torque that resists relative rotation, up to a maximum. A part to be used beside the joint.
//
//   omega_b - omega_a = 0   (3 rows, velocity level),   |lambda_i| <= max_torque
//
// Each axis of the world has its own bound, so the torque of a rotation about a diagonal may be up to sqrt(3) larger.
// With no bound the bodies keep their relative rotation.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/stack.hpp>

namespace sinew::inline v0 {

/// (3 rows, rad/s, bounded) Sign: lambda is the torque (N m, world frame) on b.
template <scalar S>
struct joint_friction {
    static constexpr std::size_t rows = 3;
    using attachments = binds<rigid, rigid>;

    S max_torque = infinity_v<S>;  ///< N m

    [[nodiscard]] constexpr auto rate(auto const&, auto const&, auto const& ta, auto const& tb) const noexcept { return tb.angular - ta.angular; }
    [[nodiscard]] constexpr bounds<S, 3> limits() const noexcept {
        return {{-max_torque, -max_torque, -max_torque}, {max_torque, max_torque, max_torque}};
    }
    [[nodiscard]] constexpr mat<S, 3, 12> jacobian(auto const&, auto const&) const noexcept {
        mat<S, 3, 12> J{};
        for (std::size_t i = 0; i < 3; ++i) {
            J(i, 3 + i) = S(-1);
            J(i, 9 + i) = S(1);
        }
        return J;
    }
    [[nodiscard]] constexpr vec3<S> jacobian_rate(auto const&, auto const&, auto const&, auto const&) const noexcept { return {S(0), S(0), S(0)}; }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return magnitude_parameter("max_torque", max_torque); }
    [[nodiscard]] friend constexpr bool operator==(joint_friction const&, joint_friction const&) = default;
};

}  // namespace sinew::inline v0
