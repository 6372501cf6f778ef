#pragma once
// Slider (prismatic joint): body b slides along an axis of body a and does not turn against it.
//
//   c = (u_a . d, v_a . d, log(R_a^T R_b Q^T)),   d = p_b - p_a      rows 0-1 in m, rows 2-4 in rad

#include <sinew/constraint/orientation.hpp>
#include <sinew/constraint/point_on_line.hpp>

namespace sinew::inline v0 {

/// (5 rows) Leaves 1 degree of freedom: along the axis.
template <scalar S>
struct slider_joint {
    static constexpr std::size_t rows = 5;
    using attachments = binds<rigid, rigid>;

    point_on_line<S> line{};
    orientation_lock<S> orientation{};

    /// Along the world axis through a world point.
    [[nodiscard]] static constexpr slider_joint at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis) noexcept {
        return {point_on_line<S>::at(a, b, anchor, axis), orientation_lock<S>::at(a, b)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return stack_rows(line.error(a, b), orientation.error(a, b));
    }
    [[nodiscard]] constexpr mat<S, 5, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(line.jacobian(a, b), orientation.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 5> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(line.jacobian_rate(a, b, ta, tb), orientation.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr mat<S, 12, 12> stiffness(auto const& a, auto const& b, vec<S, 5> const& lambda) const noexcept {
        return line.stiffness(a, b, vec<S, 2>{lambda[0], lambda[1]}) + orientation.stiffness(a, b, vec3<S>{lambda[2], lambda[3], lambda[4]});
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(line.fault(), orientation.fault()); }
    [[nodiscard]] friend constexpr bool operator==(slider_joint const&, slider_joint const&) = default;
};

}  // namespace sinew::inline v0
