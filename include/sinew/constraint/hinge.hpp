#pragma once
// Hinge (revolute joint): the bodies share a point and an axis; one turn about it is left.
//
//   c = (p_a - p_b, n_a . u_b, n_a . v_b)      rows 0-2 in m, rows 3-4 in rad for small angles
//
// Its angle, limits, motors: see angle.hpp and what is built on it.

#include <sinew/constraint/axis_alignment.hpp>
#include <sinew/constraint/point_to_point.hpp>

namespace sinew::inline v0 {

/// (5 rows) Leaves 1 degree of freedom: rotation about the axis.
template <scalar S>
struct hinge_joint {
    static constexpr std::size_t rows = 5;
    using attachments = binds<rigid, rigid>;

    ball_joint<S> point{};
    parallel_axes<S> axes{};

    /// About the world axis through a world point.
    [[nodiscard]] static constexpr hinge_joint at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis) noexcept {
        return {ball_joint<S>::at(a, b, anchor), parallel_axes<S>::at(a, b, axis)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return stack_rows(point.error(a, b), axes.error(a, b)); }
    [[nodiscard]] constexpr mat<S, 5, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(point.jacobian(a, b), axes.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 5> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(point.jacobian_rate(a, b, ta, tb), axes.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr mat<S, 12, 12> stiffness(auto const& a, auto const& b, vec<S, 5> const& lambda) const noexcept {
        return point.stiffness(a, b, vec3<S>{lambda[0], lambda[1], lambda[2]}) + axes.stiffness(a, b, vec<S, 2>{lambda[3], lambda[4]});
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(point.fault(), axes.fault()); }
    [[nodiscard]] friend constexpr bool operator==(hinge_joint const&, hinge_joint const&) = default;
};

}  // namespace sinew::inline v0
