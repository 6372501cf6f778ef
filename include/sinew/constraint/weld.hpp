#pragma once
// Weld (fixed joint): the bodies move as one.
//
//   c = (p_a - p_b, log(R_a^T R_b Q^T))      rows 0-2 in m, rows 3-5 in rad

#include <sinew/constraint/orientation.hpp>
#include <sinew/constraint/point_to_point.hpp>

namespace sinew::inline v0 {

/// (6 rows) Leaves no degree of freedom.
template <scalar S>
struct weld_joint {
    static constexpr std::size_t rows = 6;
    using attachments = binds<rigid, rigid>;

    ball_joint<S> point{};
    orientation_lock<S> orientation{};

    /// As the bodies are now, joined at a world point: where the seam is, for forces and torques to be read at.
    [[nodiscard]] static constexpr weld_joint at(auto const& a, auto const& b, vec3<S> const& anchor) noexcept {
        return {ball_joint<S>::at(a, b, anchor), orientation_lock<S>::at(a, b)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return stack_rows(point.error(a, b), orientation.error(a, b));
    }
    [[nodiscard]] constexpr mat<S, 6, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(point.jacobian(a, b), orientation.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 6> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(point.jacobian_rate(a, b, ta, tb), orientation.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr mat<S, 12, 12> stiffness(auto const& a, auto const& b, vec<S, 6> const& lambda) const noexcept {
        return point.stiffness(a, b, vec3<S>{lambda[0], lambda[1], lambda[2]}) + orientation.stiffness(a, b, vec3<S>{lambda[3], lambda[4], lambda[5]});
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(point.fault(), orientation.fault()); }
    [[nodiscard]] friend constexpr bool operator==(weld_joint const&, weld_joint const&) = default;
};

}  // namespace sinew::inline v0
