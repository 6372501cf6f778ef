#pragma once
// Pulley: a rope from body a over two wheels of a carrier to body b. What one side gives, the other takes.
//
//   l = |p_a - w_a| + ratio |p_b - w_b|
//
//   pulley_rod   c = l - length  = 0      sign: lambda > 0 pushes both ends away from their wheels
//   pulley       c = length - l >= 0      sign: lambda > 0, the tension of the rope (N), pulls both ends to their wheels
//
//   p_a, p_b   the ends of the rope, on the bodies
//   w_a, w_b   where the rope leaves the wheels, fixed in the carrier: the ground, or a crane that moves
//   ratio      tackle: side b has `ratio` strands, so it moves 1 / ratio as far and is pulled ratio times as hard
//
// Wheels have no size and no inertia. An end that is at its wheel has no direction: that side of J is 0 there.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/separation.hpp>

namespace sinew::inline v0 {

namespace detail {

/// The two sides of a pulley: what the rod and the rope share.
template <scalar S, class KindA, class KindB>
struct pulley_sides {
    using attachments = binds<KindA, KindB, rigid>;
    static constexpr std::size_t b_at = KindA::dof, carrier_at = KindA::dof + KindB::dof;

    [[nodiscard]] static constexpr auto length(auto const& c, auto const& a, auto const& b, auto const& carrier) noexcept {
        return norm(anchored(a, c.anchor_a) - carrier.point(c.wheel_a)) + norm(anchored(b, c.anchor_b) - carrier.point(c.wheel_b)) * c.ratio;
    }
    template <class R>
    [[nodiscard]] static constexpr mat<S, 1, attachments::dof> jacobian(auto const& c, auto const& a, auto const& b, pose<S, R> const& carrier) noexcept {
        auto const side_a = separation_jacobian<KindA, rigid, S>(a, carrier, c.anchor_a, c.wheel_a);
        auto const side_b = separation_jacobian<KindB, rigid, S>(b, carrier, c.anchor_b, c.wheel_b) * c.ratio;
        mat<S, 1, attachments::dof> J{};
        for (std::size_t k = 0; k < KindA::dof; ++k) J(0, k) = side_a(0, k);
        for (std::size_t k = 0; k < KindB::dof; ++k) J(0, b_at + k) = side_b(0, k);
        for (std::size_t k = 0; k < 6; ++k) J(0, carrier_at + k) = side_a(0, KindA::dof + k) + side_b(0, KindB::dof + k);
        return J;
    }
    [[nodiscard]] static constexpr S jacobian_rate(auto const& c, auto const& a, auto const& b, auto const& carrier, auto const& ta, auto const& tb,
                                                   auto const& tc) noexcept {
        return separation_jacobian_rate<KindA, rigid, S>(a, carrier, c.anchor_a, c.wheel_a, ta, tc) +
               c.ratio * separation_jacobian_rate<KindB, rigid, S>(b, carrier, c.anchor_b, c.wheel_b, tb, tc);
    }
    [[nodiscard]] static constexpr input_fault fault(auto const& c) noexcept {
        return first_fault(finite_parameter("anchor_a", c.anchor_a), finite_parameter("anchor_b", c.anchor_b), finite_parameter("wheel_a", c.wheel_a),
                           finite_parameter("wheel_b", c.wheel_b), nonnegative_parameter("length", c.length), detail::parameter_within(c.ratio > S(0), "ratio", "must be positive", c.ratio),
                           finite_parameter("ratio", c.ratio));
    }
    // World points to fields; the length is that of now.
    template <class C>
    [[nodiscard]] static constexpr C made(auto const& a, auto const& b, auto const& carrier, vec3<S> const& end_a, vec3<S> const& wheel_a,
                                          vec3<S> const& end_b, vec3<S> const& wheel_b, S const& ratio) noexcept {
        C c{anchor_at(a, end_a), anchor_at(b, end_b), carrier.local_point(wheel_a), carrier.local_point(wheel_b), ratio, S(0)};
        c.length = length(c, a, b, carrier);
        return c;
    }
};

}  // namespace detail

/// (1 row, m) A pulley that can push as well: a hydraulic line, or a rope known to stay taut.
template <scalar S, class KindA, class KindB>
struct pulley_rod_between {
    static constexpr std::size_t rows = 1;
    using attachments = binds<KindA, KindB, rigid>;
    using sides = detail::pulley_sides<S, KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    vec3<S> wheel_a{};              ///< frame of the carrier, m
    vec3<S> wheel_b{};              ///< frame of the carrier, m
    S ratio{1};                     ///< strands of side b to one of side a
    S length{};                     ///< l, m

    /// From the world point end_a over wheel_a and wheel_b to end_b, as long as it is now. A particle is its own end.
    [[nodiscard]] static constexpr pulley_rod_between at(auto const& a, auto const& b, auto const& carrier, vec3<S> const& end_a, vec3<S> const& wheel_a,
                                                         vec3<S> const& end_b, vec3<S> const& wheel_b, S const& ratio = S(1)) noexcept {
        return sides::template made<pulley_rod_between>(a, b, carrier, end_a, wheel_a, end_b, wheel_b, ratio);
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b, auto const& carrier) const noexcept {
        return sides::length(*this, a, b, carrier) - length;
    }
    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b, auto const& carrier) const noexcept {
        return sides::jacobian(*this, a, b, carrier);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& carrier, auto const& ta, auto const& tb, auto const& tc) const noexcept {
        return sides::jacobian_rate(*this, a, b, carrier, ta, tb, tc);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return sides::fault(*this); }
    [[nodiscard]] friend constexpr bool operator==(pulley_rod_between const&, pulley_rod_between const&) = default;
};

/// (1 row, m, inequality) A rope over two wheels: slack, or taut.
template <scalar S, class KindA, class KindB>
struct pulley_between {
    static constexpr std::size_t rows = 1;
    using attachments = binds<KindA, KindB, rigid>;
    using sides = detail::pulley_sides<S, KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    vec3<S> wheel_a{};              ///< frame of the carrier, m
    vec3<S> wheel_b{};              ///< frame of the carrier, m
    S ratio{1};                     ///< strands of side b to one of side a
    S length{};                     ///< of the rope without what lies between the wheels, m

    /// From the world point end_a over wheel_a and wheel_b to end_b, taut now. A particle is its own end.
    [[nodiscard]] static constexpr pulley_between at(auto const& a, auto const& b, auto const& carrier, vec3<S> const& end_a, vec3<S> const& wheel_a,
                                                     vec3<S> const& end_b, vec3<S> const& wheel_b, S const& ratio = S(1)) noexcept {
        return sides::template made<pulley_between>(a, b, carrier, end_a, wheel_a, end_b, wheel_b, ratio);
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b, auto const& carrier) const noexcept {
        return length - sides::length(*this, a, b, carrier);
    }
    [[nodiscard]] static constexpr bounds<S, 1> limits() noexcept { return pushing<S, 1>(); }
    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b, auto const& carrier) const noexcept {
        return -sides::jacobian(*this, a, b, carrier);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& carrier, auto const& ta, auto const& tb, auto const& tc) const noexcept {
        return -sides::jacobian_rate(*this, a, b, carrier, ta, tb, tc);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return sides::fault(*this); }
    [[nodiscard]] friend constexpr bool operator==(pulley_between const&, pulley_between const&) = default;
};

template <class S>
using pulley = pulley_between<S, rigid, rigid>;
template <class S>
using particle_pulley = pulley_between<S, point_mass, point_mass>;
template <class S>
using particle_body_pulley = pulley_between<S, point_mass, rigid>;
template <class S>
using pulley_rod = pulley_rod_between<S, rigid, rigid>;
template <class S>
using particle_pulley_rod = pulley_rod_between<S, point_mass, point_mass>;

}  // namespace sinew::inline v0
