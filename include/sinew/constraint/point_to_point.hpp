#pragma once
// A point of body a and a point of body b coincide (Waterson 2026, 5.1; Vondrak 2005, 7.4.1). Two forms:
//
//   vector form, 3 rows   c = dp           dp = p_a - p_b,  p = x + R anchor
//   scalar form, 1 row    c = |dp|         (Waterson 2026, eq. 5.2)
//
// Both bring the points together. The scalar form pulls along dp, so its forces on the two bodies are opposite and on one
// line wherever the points are: it keeps linear and angular momentum with any relaxation, also while the points are
// still apart. The forces of the vector form are opposite, but of any direction, at two points: the couple dp x f is
// left until the points meet. In return it solves the three directions at once.
//
// Sign: c_dot = J v with J = (1, -[r_a]x, -1, [r_b]x); of the scalar form n^T times that, n = dp / |dp| (eq. 5.6). Where
// the points coincide the scalar form has no direction: its Jacobian is 0, and it asks for nothing.

#include <sinew/constraint/separation.hpp>

namespace sinew::inline v0 {

/// (3 rows, m) Vector form, between any two kinds of bodies.
template <scalar S, class KindA, class KindB>
struct point_to_point_between {
    static constexpr std::size_t rows = 3;
    static constexpr bool additive_error = true;
    using attachments = binds<KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m

    /// Joined at a world point.
    [[nodiscard]] static constexpr point_to_point_between at(auto const& a, auto const& b, vec3<S> const& anchor) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return anchored(a, anchor_a) - anchored(b, anchor_b); }

    [[nodiscard]] constexpr mat<S, 3, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 3, attachments::dof> J{};
        detail::place_point(J, 0, 0, S(1), detail::arm_of(a, anchor_a));
        detail::place_point(J, 0, KindA::dof, S(-1), detail::arm_of(b, anchor_b));
        return J;
    }
    [[nodiscard]] constexpr vec3<S> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::acceleration_of(ta, detail::arm_of(a, anchor_a)) - detail::acceleration_of(tb, detail::arm_of(b, anchor_b));
    }
    /// The torque r x lambda turns with r: [lambda]x [r]x for a, minus that for b.
    [[nodiscard]] constexpr mat<S, attachments::dof, attachments::dof> stiffness(auto const& a, auto const& b, vec3<S> const& lambda) const noexcept {
        mat<S, attachments::dof, attachments::dof> G{};
        detail::place_turning(G, 0, lambda, detail::arm_of(a, anchor_a));
        detail::place_turning(G, KindA::dof, -lambda, detail::arm_of(b, anchor_b));
        return G;
    }
    /// (sum of 1/m - [r]x I^-1 [r]x)^-1, a third of the work of J M^-1 J^T.
    [[nodiscard]] constexpr mat3<S> effective_mass(auto const& a, auto const& b, auto const& wa, auto const& wb) const noexcept {
        return to_mat(inverse(detail::point_response(wa, detail::arm_of(a, anchor_a)) + detail::point_response(wb, detail::arm_of(b, anchor_b))));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b)); }
    [[nodiscard]] friend constexpr bool operator==(point_to_point_between const&, point_to_point_between const&) = default;
};

/// (1 row, m) Scalar form, between any two kinds of bodies.
template <scalar S, class KindA, class KindB>
struct scalar_point_to_point_between {
    static constexpr std::size_t rows = 1;
    /// The direction of the pull turns freely near the solution: evaluate it anew in every iteration.
    static constexpr bool moving_normal = true;
    using attachments = binds<KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m

    /// Joined at a world point.
    [[nodiscard]] static constexpr scalar_point_to_point_between at(auto const& a, auto const& b, vec3<S> const& anchor) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return norm(anchored(a, anchor_a) - anchored(b, anchor_b)); }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        return detail::separation_jacobian<KindA, KindB, S>(a, b, anchor_a, anchor_b);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::separation_jacobian_rate<KindA, KindB, S>(a, b, anchor_a, anchor_b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b)); }
    [[nodiscard]] friend constexpr bool operator==(scalar_point_to_point_between const&, scalar_point_to_point_between const&) = default;
};

/// Two rigid bodies joined at a point: 3 degrees of freedom remain.
template <class S>
using point_to_point = point_to_point_between<S, rigid, rigid>;
template <class S>
using ball_joint = point_to_point<S>;
/// A particle pinned to a point of a rigid body.
template <class S>
using particle_pin = point_to_point_between<S, point_mass, rigid>;

template <class S>
using scalar_point_to_point = scalar_point_to_point_between<S, rigid, rigid>;
template <class S>
using scalar_particle_pin = scalar_point_to_point_between<S, point_mass, rigid>;

}  // namespace sinew::inline v0
