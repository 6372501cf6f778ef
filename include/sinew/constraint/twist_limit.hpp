#pragma once
// The twist of body b about an axis, whatever its swing: R_a^T R_b = swing * twist, where the twist turns about the axis
// and the swing about an axis across it. For the relative quaternion (w, x, y, z) in frames with z along the axis the
// twist is 2 atan2(z, w).
//
// That is the angle of angle.hpp, so the limit of a twist is the limit of a hinge's angle; only here the two axes are
// apart, and each is kept in its own body. The twist has no meaning where the axes are opposite (a swing of pi); a cone limit
// keeps clear of that.

#include <sinew/constraint/angle_limit.hpp>
#include <sinew/constraint/cone_limit.hpp>

namespace sinew::inline v0 {

/// (1 row, rad, inequality) Both limits of the twist.
template <class S>
using twist_limit = angle_limit<S>;

/// (2 rows, rad, inequalities) A cone for the swing and two limits for the twist, about the same axes: what a ball joint
/// needs to be a shoulder.
template <scalar S>
struct swing_twist_limit {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, rigid>;

    cone_limit<S> swing{};
    twist_limit<S> twist{};

    /// About a world axis; swing and twist count from these poses.
    [[nodiscard]] static constexpr swing_twist_limit at(auto const& a, auto const& b, vec3<S> const& axis, S const& half_angle, S const& twist_lower,
                                                        S const& twist_upper) noexcept {
        return {cone_limit<S>::at(a, b, axis, half_angle), twist_limit<S>::at(a, b, axis, twist_lower, twist_upper)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return stack_rows(swing.error(a, b), twist.error(a, b)); }
    [[nodiscard]] constexpr bounds<S, 2> limits(auto const& a, auto const& b) const noexcept { return stack_rows(swing.limits(), twist.limits(a, b)); }

    [[nodiscard]] constexpr mat<S, 2, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(swing.jacobian(a, b), twist.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(swing.jacobian_rate(a, b, ta, tb), twist.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(swing.fault(), twist.fault()); }
    [[nodiscard]] friend constexpr bool operator==(swing_twist_limit const&, swing_twist_limit const&) = default;
};

}  // namespace sinew::inline v0
