#pragma once
// A cylinder along y between two half balls: a segment, grown by its radius.

#include <sinew/geometry/shape.hpp>

namespace sinew::inline v0 {

/// The segment's ends are at (0, -half_height, 0) and (0, half_height, 0); the caps stand out by the radius.
template <scalar S>
struct capsule {
    using scalar_type = S;
    S radius{};       ///< m
    S half_height{};  ///< m, of the segment

    [[nodiscard]] constexpr vec3<S> support(vec3<S> const& d) const noexcept { return {S(0), select(d.y() < S(0), -half_height, half_height), S(0)}; }
    [[nodiscard]] constexpr S margin() const noexcept { return radius; }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept {
        vec3<S> const axis = f.rotation.m.col(1);
        vec3<S> const reach{abs(axis[0]) * half_height + radius, abs(axis[1]) * half_height + radius, abs(axis[2]) * half_height + radius};
        return {f.position - reach, f.position + reach};
    }
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const& density) const noexcept {
        return solid_capsule(of_density(density), half_height * S(2), radius);
    }
    /// The whole segment where d looks sideways, an end where it looks along.
    [[nodiscard]] constexpr polygon<S> supporting_face(vec3<S> const& d) const noexcept {
        polygon<S> p;
        bool const sideways = d.y() * d.y() <= d.x() * d.x() + d.z() * d.z();
        if (sideways || d.y() < S(0)) p.add({S(0), -half_height, S(0)}, 0);
        if (sideways || !(d.y() < S(0))) p.add({S(0), half_height, S(0)}, 1);
        return p;
    }
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept {
        vec3<S> const foot{S(0), clamp(r.origin.y(), -half_height, half_height), S(0)};
        if (squared_norm(r.origin - foot) <= radius * radius) return detail::hit_from_inside(r);
        // The first hit is on the cylinder between the caps, or else on one of the balls.
        S const lateral = r.direction.x() * r.direction.x() + r.direction.z() * r.direction.z();
        if (lateral > S(0)) {
            S const t0 = -(r.origin.x() * r.direction.x() + r.origin.z() * r.direction.z()) / lateral;
            vec3<S> const nearest = r.at(t0);
            S const room = radius * radius - nearest.x() * nearest.x() - nearest.z() * nearest.z();
            if (room < S(0)) return {};
            S const t = t0 - sqrt(room / lateral);
            vec3<S> const p = r.at(t);
            if (abs(p.y()) <= half_height) {
                if (t < S(0) || t > r.length) return {};
                return detail::hit_at(r, t, normalize(vec3<S>{p.x(), S(0), p.z()}));
            }
        }
        return detail::nearer(detail::cast_ball(r, vec3<S>{S(0), half_height, S(0)}, radius), detail::cast_ball(r, vec3<S>{S(0), -half_height, S(0)}, radius));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(detail::extent_parameter("radius", radius), nonnegative_parameter("half_height", half_height));
    }
    [[nodiscard]] friend constexpr bool operator==(capsule const&, capsule const&) = default;
};

}  // namespace sinew::inline v0
