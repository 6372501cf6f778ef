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
    /// The push f = R_a (u lambda_0 + v lambda_1) turns with a; its torques are f x (p_b - x_a) on a and r_b x f on b.
    [[nodiscard]] constexpr mat<S, attachments::dof, attachments::dof> stiffness(auto const& a, auto const& b, vec<S, 2> const& lambda) const noexcept {
        auto const across = orthonormal_basis(axis);
        mat3<S> const F = skew(a.direction(across.u * lambda[0] + across.v * lambda[1]));
        mat<S, attachments::dof, attachments::dof> G{};
        place(G, 0, 3, F);
        place(G, 3, 0, -F);
        place(G, 3, 3, skew(anchored(b, anchor_b) - a.position) * F);
        place(G, 3, 6, F);
        place(G, 6, 3, -F);
        if constexpr (KindB::dof == 6) {
            mat3<S> const R = skew(detail::arm_of(b, anchor_b)), FR = F * R;
            place(G, 3, 9, -FR);
            place(G, 9, 3, -(R * F));
            place(G, 9, 9, FR);
        }
        return G;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), unit_parameter("axis", axis)); }
    [[nodiscard]] friend constexpr bool operator==(point_on_line_of const&, point_on_line_of const&) = default;
};

template <class S>
using point_on_line = point_on_line_of<S, rigid>;
template <class S>
using particle_on_line = point_on_line_of<S, point_mass>;

}  // namespace sinew::inline v0
