#pragma once
// Knife edge (skate, blade): a point of body b may move along its blade and turn, but not go sideways over body a.
//
//   rate = s . slip,  slip = velocity of b's point against a there      m/s      (slip.hpp)
//
//   s    direction across the blade, fixed in b (world frame here)
//   p    b's point that touches a
//
// This is non-holonomic: it restricts velocities, yet every place can be reached by going along and turning. There is no
// position to hold, hence no error; what keeps the point on a surface is another constraint (point_on_plane).
//
// Sign: lambda (N) pushes b along s, and a against it.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/slip.hpp>

namespace sinew::inline v0 {

/// (1 row, m/s, non-holonomic) Body a carries the ice (or is the ground), b the blade.
template <scalar S>
struct knife_edge {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    vec3<S> anchor_b{};                ///< the point of the blade that touches, frame of b, m
    vec3<S> across{S(0), S(1), S(0)};  ///< unit, across the blade, frame of b

    /// A blade that touches at a world point and forbids motion along a world direction.
    [[nodiscard]] static constexpr knife_edge at(auto const&, auto const& b, vec3<S> const& point, vec3<S> const& across) noexcept {
        return {b.local_point(point), b.local_direction(normalize(across))};
    }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return dot(b.direction(across), detail::slip_at(a, b, ta, tb, b.point(anchor_b)));
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        mat<S, 1, 12> J;
        detail::place_slip(J, 0, a, b, b.point(anchor_b), b.direction(across));
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr S jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const s = b.direction(across), arm = b.direction(anchor_b);
        vec3<S> const p_dot = tb.linear + cross(tb.angular, arm);
        return dot(cross(tb.angular, s), detail::slip_at(a, b, ta, tb, b.position + arm)) + dot(s, detail::slip_rate_at(ta, tb, p_dot));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_b", anchor_b), unit_parameter("across", across)); }
    [[nodiscard]] friend constexpr bool operator==(knife_edge const&, knife_edge const&) = default;
};

}  // namespace sinew::inline v0
