#pragma once
// Cylindrical joint: body b slides along an axis of body a and turns about it, as a rod in a bush does.
//
//   c = (u_a . d, v_a . d, n_a . u_b, n_a . v_b),   d = p_b - p_a      rows 0-1 in m, rows 2-3 in rad for small angles

#include <sinew/constraint/axis_alignment.hpp>
#include <sinew/constraint/point_on_line.hpp>

namespace sinew::inline v0 {

/// (4 rows) Leaves 2 degrees of freedom: along the axis, and about it.
template <scalar S>
struct cylindrical_joint {
    static constexpr std::size_t rows = 4;
    using attachments = binds<rigid, rigid>;

    point_on_line<S> line{};
    parallel_axes<S> axes{};

    /// Along the world axis through a world point.
    [[nodiscard]] static constexpr cylindrical_joint at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis) noexcept {
        return {point_on_line<S>::at(a, b, anchor, axis), parallel_axes<S>::at(a, b, axis)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return stack_rows(line.error(a, b), axes.error(a, b)); }
    [[nodiscard]] constexpr mat<S, 4, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(line.jacobian(a, b), axes.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 4> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(line.jacobian_rate(a, b, ta, tb), axes.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr mat<S, 12, 12> stiffness(auto const& a, auto const& b, vec<S, 4> const& lambda) const noexcept {
        return line.stiffness(a, b, vec<S, 2>{lambda[0], lambda[1]}) + axes.stiffness(a, b, vec<S, 2>{lambda[2], lambda[3]});
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(line.fault(), axes.fault()); }
    [[nodiscard]] friend constexpr bool operator==(cylindrical_joint const&, cylindrical_joint const&) = default;
};

}  // namespace sinew::inline v0
