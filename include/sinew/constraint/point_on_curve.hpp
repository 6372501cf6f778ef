#pragma once
// A particle, or a point of a rigid body, stays on a curve in the world: the bead on a wire (Witkin 1997, 2).
//
// The curve is where two functions vanish, f(p) = (f_0(p), f_1(p)) = 0, given by the user as one callable that returns two
// values; or a curve g(x, y) = 0 in a plane, by planar_curve:
//
//   struct circle {                                                           // callable with x and y over any scalar
//       double radius = 1;
//       constexpr auto operator()(auto const& x, auto const& y) const { return sqrt(x * x + y * y) - radius; }
//   };
//   template <class S> using bead = sinew::particle_on_curve<S, sinew::planar_curve<S, circle>>;
//
// A bead of inertia that turns with a wire of which the place is p(s) needs another form: see the path constraint.

#include <sinew/constraint/point_on_surface.hpp>

namespace sinew::inline v0 {

/// The curve g(x, y) = 0 in a plane of the world, as two functions of a point: g, and the distance from the plane.
template <scalar S, class Function>
struct planar_curve {
    vec3<S> origin{S(0), S(0), S(0)};  ///< where x = y = 0, m
    vec3<S> x_axis{S(1), S(0), S(0)};  ///< unit
    vec3<S> y_axis{S(0), S(1), S(0)};  ///< unit, across x_axis
    Function curve{};                  ///< g

    [[nodiscard]] constexpr auto operator()(auto const& p) const noexcept {
        auto const d = p - origin;
        return stack_rows(curve(dot(x_axis, d), dot(y_axis, d)), dot(cross(x_axis, y_axis), d));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("origin", origin), unit_parameter("x_axis", x_axis), unit_parameter("y_axis", y_axis),
                           perpendicular_parameter("y_axis", y_axis, x_axis), part_fault(curve));
    }
    [[nodiscard]] friend constexpr bool operator==(planar_curve const&, planar_curve const&) = default;
};

/// (2 rows, in the units of the functions) Function is a type callable with vec3<T> for any scalar T, returning vec<T, 2>.
template <scalar S, class Function, class Kind>
struct point_on_curve {
    static constexpr std::size_t rows = 2;
    using attachments = binds<Kind>;

    anchor_t<S, Kind> anchor{};  ///< frame of the body, m
    Function curve{};            ///< f, of a world point in m

    /// The anchor is at a world point now (a particle is where it is).
    [[nodiscard]] static constexpr point_on_curve at(auto const& a, vec3<S> const& world_point, Function const& curve = {}) noexcept {
        return {anchor_at(a, world_point), curve};
    }

    [[nodiscard]] constexpr auto error(auto const& a) const noexcept { return curve(anchored(a, anchor)); }
    [[nodiscard]] constexpr mat<S, 2, attachments::dof> jacobian(auto const& a) const noexcept {
        return detail::implicit_jacobian<2, Kind, S>(curve, a, anchor);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor", anchor), part_fault(curve)); }
    [[nodiscard]] friend constexpr bool operator==(point_on_curve const&, point_on_curve const&) = default;
};

template <class S, class Function>
using particle_on_curve = point_on_curve<S, Function, point_mass>;
template <class S, class Function>
using body_point_on_curve = point_on_curve<S, Function, rigid>;

}  // namespace sinew::inline v0
