#pragma once
// Rack and pinion: a toothed wheel drives a toothed bar, both guided by one carrier (or the ground).
//
//   c = r wrap(s / r - theta)       m, along the rack
//
//   theta  angle of the pinion in the carrier about its axis, in (-pi, pi] (angle.hpp)
//   s      how far the rack's anchor has moved along a direction fixed in the carrier, m (displacement.hpp)
//   r      radius of the pinion, m
//
// The angle knows no whole turns, but the rack's place does: wrap takes away whole turns of the difference only, so a rack of
// any length is driven through any number of turns without state and without drift. The error may grow to half the
// pinion's circumference, pi r; beyond that the rack is taken to have jumped by a whole turn.
//
// The pinion's axis and the rack's guide are held by other joints (a hinge and a slider).
//
// Sign: lambda > 0 pushes the rack along its direction with lambda newtons and turns the pinion back with lambda r.

#include <sinew/constraint/angle.hpp>
#include <sinew/constraint/displacement.hpp>
#include <sinew/constraint/wrapped_angle.hpp>

namespace sinew::inline v0 {

/// (1 row, m) Binds the pinion, the rack and their carrier.
template <scalar S>
struct rack_and_pinion {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid, rigid>;

    relative_angle<S> angle{};            ///< of the pinion in the carrier
    vec3<S> anchor_carrier{};             ///< where s = 0, frame of the carrier, m
    vec3<S> anchor_rack{};                ///< frame of the rack, m
    vec3<S> direction{S(1), S(0), S(0)};  ///< unit, the way of the rack when the pinion turns forward, frame of the carrier
    S radius{1};                          ///< of the pinion, m

    /// A pinion about the world axis through `centre` meets the rack at `contact`, both world points; in mesh as they
    /// stand now. The radius and the rack's direction, axis x (contact - centre), follow from these.
    [[nodiscard]] static constexpr rack_and_pinion at(auto const& pinion, auto const& rack, auto const& carrier, vec3<S> const& centre, vec3<S> const& axis,
                                                      vec3<S> const& contact) noexcept {
        vec3<S> const rim_velocity = cross(normalize(axis), contact - centre);  // m/s at 1 rad/s
        return {relative_angle<S>::at(carrier, pinion, axis), carrier.local_point(contact), rack.local_point(contact),
                carrier.local_direction(normalize(rim_velocity)), norm(rim_velocity)};
    }

    [[nodiscard]] constexpr auto error(auto const& pinion, auto const& rack, auto const& carrier) const noexcept {
        auto const s = detail::displacement(carrier, rack, anchor_carrier, anchor_rack, direction);
        return wrapped(s / radius - angle.error(carrier, pinion)) * radius;
    }

    template <class R>
    [[nodiscard]] constexpr mat<S, 1, 18> jacobian(pose<S, R> const& pinion, pose<S, R> const& rack, pose<S, R> const& carrier) const noexcept {
        vec3<S> const n = carrier.direction(direction), arm = rack.direction(anchor_rack);
        vec3<S> const g = angle.gradient(carrier, pinion) * radius;
        mat<S, 1, 18> J{};
        place(J, 0, 3, -g);
        detail::place_pull(J, 0, 6, n, arm);
        vec3<S> const lever = rack.position + arm - carrier.position;
        place(J, 0, 12, -n);
        place(J, 0, 15, g - cross(lever, n));
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr S jacobian_rate(pose<S, R> const& pinion, pose<S, R> const& rack, pose<S, R> const& carrier, twist<S> const& tp,
                                            twist<S> const& tr, twist<S> const& tc) const noexcept {
        S const along = detail::displacement_rate(carrier, rack, detail::arm_of(carrier, anchor_carrier), detail::arm_of(rack, anchor_rack), tc, tr,
                                                  carrier.direction(direction));
        return along - radius * angle.jacobian_rate(carrier, pinion, tc, tp);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(detail::parameter_within(radius > S(0), "radius", "must be positive", radius), finite_parameter("radius", radius), angle.fault(),
                           finite_parameter("anchor_carrier", anchor_carrier), finite_parameter("anchor_rack", anchor_rack),
                           unit_parameter("direction", direction));
    }
    [[nodiscard]] friend constexpr bool operator==(rack_and_pinion const&, rack_and_pinion const&) = default;
};

}  // namespace sinew::inline v0
