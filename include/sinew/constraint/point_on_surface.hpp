#pragma once
// A particle, or a point of a rigid body, stays on a surface in the world that the user gives as f(p) = 0.
//
//   struct torus {                                               // callable with a point over any scalar
//       constexpr auto operator()(auto const& p) const {
//           auto const rho = sqrt(p.x() * p.x() + p.y() * p.y()) - 1.0;
//           return rho * rho + p.z() * p.z() - 0.01;
//       }
//   };
//   template <class S> using bead_on_torus = sinew::particle_on_surface<S, torus>;
//
//   c = f(p),  p = x + R anchor      c_dot = grad f . p_dot
//
// The gradient comes from f by dual numbers of three lanes, whatever the kind of body. Let f be near a distance in scale
// (|grad f| near 1 on the surface), so that the error is in metres and the multiplier in newtons.

#include <sinew/constraint/anchor.hpp>

namespace sinew::inline v0 {

namespace detail {

/// f and its gradients at a world point: rows of f by three columns.
template <std::size_t M, class S, class F>
[[nodiscard]] constexpr mat<S, M, 3> gradient_of(F const& f, vec3<S> const& p) noexcept {
    return lanes_of<3>(as_rows<M>(f(seed_position<3, 0>(p))));
}

/// The Jacobian of M functions of one anchor.
template <std::size_t M, class Kind, class S, class F, class A>
[[nodiscard]] constexpr mat<S, M, Kind::dof> implicit_jacobian(F const& f, A const& a, anchor_t<S, Kind> const& anchor) noexcept {
    auto const arm = arm_of(a, anchor);
    mat<S, M, 3> const gradient = gradient_of<M>(f, end_of(a, arm));
    mat<S, M, Kind::dof> J;
    for (std::size_t i = 0; i < M; ++i) place_pull(J, i, 0, gradient.row(i), arm);
    return J;
}

}  // namespace detail

/// (1 row, in the unit of f) Function is a type callable with vec3<T> for any scalar T, returning T.
template <scalar S, class Function, class Kind>
struct point_on_surface {
    static constexpr std::size_t rows = 1;
    using attachments = binds<Kind>;

    anchor_t<S, Kind> anchor{};  ///< frame of the body, m
    Function surface{};          ///< f, of a world point in m

    /// The anchor is at a world point now (a particle is where it is).
    [[nodiscard]] static constexpr point_on_surface at(auto const& a, vec3<S> const& world_point, Function const& surface = {}) noexcept {
        return {anchor_at(a, world_point), surface};
    }

    [[nodiscard]] constexpr auto error(auto const& a) const noexcept { return surface(anchored(a, anchor)); }
    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a) const noexcept {
        return detail::implicit_jacobian<1, Kind, S>(surface, a, anchor);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor", anchor), part_fault(surface)); }
    [[nodiscard]] friend constexpr bool operator==(point_on_surface const&, point_on_surface const&) = default;
};

template <class S, class Function>
using particle_on_surface = point_on_surface<S, Function, point_mass>;
template <class S, class Function>
using body_point_on_surface = point_on_surface<S, Function, rigid>;

}  // namespace sinew::inline v0
