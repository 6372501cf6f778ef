#pragma once
// The angle of body b against body a about an axis stays between two limits: the stops of a hinge, or of the twist of a
// ball joint. A part to be used beside the joint.
//
//   lower <= theta <= upper,  theta of angle.hpp      one row, two-sided (see two_sided.hpp)
//
// Sign: lambda > 0 is the torque (N m) that turns b onward from the lower limit, lambda < 0 back from the upper one.
// Angles wrap opposite to the middle of the range, so that a range may lie anywhere and be up to a whole turn wide.

#include <sinew/constraint/angle.hpp>
#include <sinew/constraint/two_sided.hpp>
#include <sinew/constraint/wrapped_angle.hpp>

namespace sinew::inline v0 {

/// (1 row, rad, inequality) Both limits of an angle.
template <scalar S>
struct angle_limit {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    relative_angle<S> angle{};
    S lower = -pi_v<S>;  ///< rad
    S upper = pi_v<S>;   ///< rad

    /// About a world axis; the angle counts from these poses.
    [[nodiscard]] static constexpr angle_limit at(auto const& a, auto const& b, vec3<S> const& axis, S const& lower, S const& upper) noexcept {
        return {relative_angle<S>::at(a, b, axis), lower, upper};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return detail::beyond_nearer(wrapped_between(angle.error(a, b), lower, upper), lower, upper);
    }
    [[nodiscard]] constexpr bounds<S, 1> limits(auto const& a, auto const& b) const noexcept {
        return detail::bounds_of_nearer(S(wrapped_between(angle.error(a, b), lower, upper)), lower, upper);
    }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept { return angle.jacobian(a, b); }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return angle.jacobian_rate(a, b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(angle.fault(), detail::limits_fault(lower, upper), reach_fault()); }
    [[nodiscard]] friend constexpr bool operator==(angle_limit const&, angle_limit const&) = default;

private:
    // Of limits that no angle reaches: more than a turn apart, or half a turn away with the other one infinite. Those of a whole turn may be rounded.
    [[nodiscard]] constexpr input_fault reach_fault() const noexcept {
        S const half = pi_v<S> * S(value_type_t<S>(1.001));
        auto const low = isfinite(lower), high = isfinite(upper), both = low && high;
        auto const within = !both || upper / S(2) - lower / S(2) <= half;
        if (!all(within)) return {"upper", "must be within a turn of `lower`, or infinite", detail::shown_number(upper, within)};
        auto const below = high || lower < pi_v<S>, above = low || -pi_v<S> < upper;
        if (!all(below)) return {"lower", "must be below half a turn where `upper` is infinite", detail::shown_number(lower, below)};
        if (!all(above)) return {"upper", "must be above minus half a turn where `lower` is infinite", detail::shown_number(upper, above)};
        return {};
    }
};

}  // namespace sinew::inline v0
