#pragma once
// Two points stay a length apart (rod), or no farther apart than a length (rope).
//
//   rod    c = |p_a - p_b| - length  = 0      sign: lambda > 0 pushes the points apart
//   rope   c = length - |p_a - p_b| >= 0      sign: lambda > 0, the rope's tension in N, pulls them together
//
// J is that of Waterson's scalar point-to-point form (2026, eq. 5.6). Where the points coincide there is no direction:
// J is 0, and a rod of positive length stays collapsed until something else moves its ends apart.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/separation.hpp>

namespace sinew::inline v0 {

/// (1 row, m) A rod without mass between any two kinds of bodies.
template <scalar S, class KindA, class KindB>
struct distance_between {
    static constexpr std::size_t rows = 1;
    using attachments = binds<KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    S length{};                     ///< m

    /// Between two world points, as long as they are apart now. A particle is its own end, whatever point is given.
    [[nodiscard]] static constexpr distance_between at(auto const& a, auto const& b, vec3<S> const& end_a, vec3<S> const& end_b) noexcept {
        distance_between c{anchor_at(a, end_a), anchor_at(b, end_b), S(0)};
        c.length = norm(anchored(a, c.anchor_a) - anchored(b, c.anchor_b));
        return c;
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return norm(anchored(a, anchor_a) - anchored(b, anchor_b)) - length;
    }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        return detail::separation_jacobian<KindA, KindB, S>(a, b, anchor_a, anchor_b);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::separation_jacobian_rate<KindA, KindB, S>(a, b, anchor_a, anchor_b, ta, tb);
    }
    [[nodiscard]] constexpr mat<S, attachments::dof, attachments::dof> stiffness(auto const& a, auto const& b, vec<S, 1> const& lambda) const noexcept {
        return detail::separation_stiffness<KindA, KindB, S>(a, b, anchor_a, anchor_b, lambda[0]);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), nonnegative_parameter("length", length)); }
    [[nodiscard]] friend constexpr bool operator==(distance_between const&, distance_between const&) = default;
};

/// (1 row, m, inequality) A rope without mass between any two kinds of bodies: slack, or taut.
template <scalar S, class KindA, class KindB>
struct rope_between {
    static constexpr std::size_t rows = 1;
    using attachments = binds<KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    S length{};                     ///< m

    /// Between two world points, taut now.
    [[nodiscard]] static constexpr rope_between at(auto const& a, auto const& b, vec3<S> const& end_a, vec3<S> const& end_b) noexcept {
        auto const rod = distance_between<S, KindA, KindB>::at(a, b, end_a, end_b);
        return {rod.anchor_a, rod.anchor_b, rod.length};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return length - norm(anchored(a, anchor_a) - anchored(b, anchor_b));
    }
    [[nodiscard]] static constexpr bounds<S, 1> limits() noexcept { return pushing<S, 1>(); }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        return -detail::separation_jacobian<KindA, KindB, S>(a, b, anchor_a, anchor_b);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return -detail::separation_jacobian_rate<KindA, KindB, S>(a, b, anchor_a, anchor_b, ta, tb);
    }
    [[nodiscard]] constexpr mat<S, attachments::dof, attachments::dof> stiffness(auto const& a, auto const& b, vec<S, 1> const& lambda) const noexcept {
        return detail::separation_stiffness<KindA, KindB, S>(a, b, anchor_a, anchor_b, -lambda[0]);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), nonnegative_parameter("length", length)); }
    [[nodiscard]] friend constexpr bool operator==(rope_between const&, rope_between const&) = default;
};

template <class S>
using distance = distance_between<S, rigid, rigid>;
template <class S>
using particle_distance = distance_between<S, point_mass, point_mass>;
template <class S>
using particle_body_distance = distance_between<S, point_mass, rigid>;

template <class S>
using rope = rope_between<S, rigid, rigid>;
template <class S>
using particle_rope = rope_between<S, point_mass, point_mass>;
template <class S>
using particle_body_rope = rope_between<S, point_mass, rigid>;

}  // namespace sinew::inline v0
