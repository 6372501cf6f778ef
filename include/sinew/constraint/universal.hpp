#pragma once
// Universal joint (Hooke's joint, cardan): the bodies share a point; an axis of one stays perpendicular to an axis of the
// other, as the two bars of the cross between two shafts do.
//
//   c = (p_a - p_b, n_a . n_b)      rows 0-2 in m, row 3 in rad for small angles

#include <sinew/constraint/axis_alignment.hpp>
#include <sinew/constraint/point_to_point.hpp>

namespace sinew::inline v0 {

/// (4 rows) Leaves 2 degrees of freedom: rotation about each bar of the cross.
template <scalar S>
struct universal_joint {
    static constexpr std::size_t rows = 4;
    using attachments = binds<rigid, rigid>;

    ball_joint<S> point{};
    perpendicular_axes<S> cross_axes{};

    /// At a world point; the bars of the cross along two world axes, the first held by a, the second by b.
    [[nodiscard]] static constexpr universal_joint at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& bar_of_a,
                                                      vec3<S> const& bar_of_b) noexcept {
        return {ball_joint<S>::at(a, b, anchor), perpendicular_axes<S>::at(a, b, bar_of_a, bar_of_b)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return stack_rows(point.error(a, b), cross_axes.error(a, b));
    }
    [[nodiscard]] constexpr mat<S, 4, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(point.jacobian(a, b), cross_axes.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 4> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(point.jacobian_rate(a, b, ta, tb), cross_axes.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr mat<S, 12, 12> stiffness(auto const& a, auto const& b, vec<S, 4> const& lambda) const noexcept {
        return point.stiffness(a, b, vec3<S>{lambda[0], lambda[1], lambda[2]}) + cross_axes.stiffness(a, b, vec<S, 1>{lambda[3]});
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(point.fault(), cross_axes.fault()); }
    [[nodiscard]] friend constexpr bool operator==(universal_joint const&, universal_joint const&) = default;
};

}  // namespace sinew::inline v0
