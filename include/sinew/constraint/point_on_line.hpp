#pragma once
// A point of body b lies on a line fixed in body a: two planes through the line. A part of sliders and cylindrical joints.
//
//   c = (u_a . d, v_a . d),   d = p_b - p_a      u_a and v_a across the line, p_a a point on it
//
// A line has no ends: along it the point is free.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/displacement.hpp>

namespace sinew::inline v0 {

/// (2 rows, m) Body a is rigid and carries the line (or is the ground); b is a rigid body or a particle.
template <scalar S, class KindB>
struct point_on_line_of {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, KindB>;

    vec3<S> anchor_a{};              ///< a point of the line, frame of a, m
    anchor_t<S, KindB> anchor_b{};   ///< frame of b, m
    vec3<S> axis{S(0), S(0), S(1)};  ///< unit, frame of a

    /// The line through a world point; b's anchor is that point too (a particle is where it is).
    [[nodiscard]] static constexpr point_on_line_of at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor), a.local_direction(normalize(axis))};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const across = orthonormal_basis(axis);
        auto const d = anchored(b, anchor_b) - anchored(a, anchor_a);
        return stack_rows(dot(a.direction(across.u), d), dot(a.direction(across.v), d));
    }

    [[nodiscard]] constexpr mat<S, 2, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        auto const across = orthonormal_basis(axis);
        auto const arm = detail::arm_of(b, anchor_b);
        mat<S, 2, attachments::dof> J;
        detail::place_displacement(J, 0, a, b, arm, a.direction(across.u));
        detail::place_displacement(J, 1, a, b, arm, a.direction(across.v));
        return J;
    }
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        auto const across = orthonormal_basis(axis);
        auto const arm_a = detail::arm_of(a, anchor_a);
        auto const arm_b = detail::arm_of(b, anchor_b);
        return {detail::displacement_rate(a, b, arm_a, arm_b, ta, tb, a.direction(across.u)),
                detail::displacement_rate(a, b, arm_a, arm_b, ta, tb, a.direction(across.v))};
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), unit_parameter("axis", axis)); }
    [[nodiscard]] friend constexpr bool operator==(point_on_line_of const&, point_on_line_of const&) = default;
};

template <class S>
using point_on_line = point_on_line_of<S, rigid>;
template <class S>
using particle_on_line = point_on_line_of<S, point_mass>;

}  // namespace sinew::inline v0
