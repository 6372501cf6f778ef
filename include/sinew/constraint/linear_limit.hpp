#pragma once
// How far body b is along an axis of body a stays between two limits: the end stops of a slider, or a plane that may not
// be crossed. A part to be used beside the joint.
//
//   lower <= s <= upper,  s = n_a . (p_b - p_a)      one row, two-sided (see two_sided.hpp)
//
// Sign: lambda > 0 is the force (N) that pushes b along the axis from the lower limit, lambda < 0 back from the upper one.

#include <sinew/constraint/displacement.hpp>
#include <sinew/constraint/two_sided.hpp>

namespace sinew::inline v0 {

/// (1 row, m, inequality) Body a is rigid and carries the axis; b is a rigid body or a particle.
template <scalar S, class KindB>
struct linear_limit_of {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, KindB>;

    vec3<S> anchor_a{};              ///< where s = 0, frame of a, m
    anchor_t<S, KindB> anchor_b{};   ///< frame of b, m
    vec3<S> axis{S(0), S(0), S(1)};  ///< unit, frame of a
    S lower = S(0);                  ///< m
    S upper = infinity_v<S>;         ///< m

    /// Along a world axis; s counts from a world point, which is b's anchor too (a particle is where it is).
    [[nodiscard]] static constexpr linear_limit_of at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis, S const& lower,
                                                      S const& upper) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor), a.local_direction(normalize(axis)), lower, upper};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return detail::beyond_nearer(detail::displacement(a, b, anchor_a, anchor_b, axis), lower, upper);
    }
    [[nodiscard]] constexpr bounds<S, 1> limits(auto const& a, auto const& b) const noexcept {
        return detail::bounds_of_nearer(S(detail::displacement(a, b, anchor_a, anchor_b, axis)), lower, upper);
    }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 1, attachments::dof> J;
        detail::place_displacement(J, 0, a, b, detail::arm_of(b, anchor_b), a.direction(axis));
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::displacement_rate(a, b, detail::arm_of(a, anchor_a), detail::arm_of(b, anchor_b), ta, tb, a.direction(axis));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), unit_parameter("axis", axis), detail::limits_fault(lower, upper));
    }
    [[nodiscard]] friend constexpr bool operator==(linear_limit_of const&, linear_limit_of const&) = default;
};

template <class S>
using linear_limit = linear_limit_of<S, rigid>;
template <class S>
using particle_linear_limit = linear_limit_of<S, point_mass>;

}  // namespace sinew::inline v0
