#pragma once
// A point of body b lies on a plane fixed in body a; and the distance from the plane, as a part of linear limits and motors.
//
//   c = n_a . (p_b - p_a)      n_a normal of the plane, p_a a point on it
//
// Sign: positive on the side that the normal points to.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/displacement.hpp>

namespace sinew::inline v0 {

/// (1 row, m) Body a is rigid and carries the plane (or is the ground); b is a rigid body or a particle.
template <scalar S, class KindB>
struct point_on_plane_of {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, KindB>;

    vec3<S> anchor_a{};                   ///< a point of the plane, frame of a, m
    anchor_t<S, KindB> anchor_b{};        ///< frame of b, m
    vec3<S> normal{S(0), S(0), S(1)};     ///< unit, frame of a

    /// The plane through a world point; b's anchor is that point too (a particle is where it is).
    [[nodiscard]] static constexpr point_on_plane_of at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& normal) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor), a.local_direction(normalize(normal))};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return detail::displacement(a, b, anchor_a, anchor_b, normal);
    }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 1, attachments::dof> J;
        detail::place_displacement(J, 0, a, b, detail::arm_of(b, anchor_b), a.direction(normal));
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::displacement_rate(a, b, detail::arm_of(a, anchor_a), detail::arm_of(b, anchor_b), ta, tb, a.direction(normal));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), unit_parameter("normal", normal)); }
    [[nodiscard]] friend constexpr bool operator==(point_on_plane_of const&, point_on_plane_of const&) = default;
};

template <class S>
using point_on_plane = point_on_plane_of<S, rigid>;
template <class S>
using particle_on_plane = point_on_plane_of<S, point_mass>;

}  // namespace sinew::inline v0
