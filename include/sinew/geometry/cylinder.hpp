#pragma once
// A cylinder about the origin, along y.

#include <sinew/geometry/cap.hpp>

namespace sinew::inline v0 {

template <scalar S>
struct cylinder {
    using scalar_type = S;
    static constexpr bool revolves = true;
    S radius{};       ///< m
    S half_height{};  ///< m

    [[nodiscard]] constexpr vec3<S> support(vec3<S> const& d) const noexcept {
        vec3<S> p = detail::across_axis(d) * radius;
        p[1] = select(d.y() < S(0), -half_height, half_height);
        return p;
    }
    [[nodiscard]] constexpr S margin() const noexcept { return S(0); }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept {
        vec3<S> const axis = f.rotation.m.col(1);
        vec3<S> reach{};
        // A disc of radius r reaches r sin(angle between its axis and the world's).
        for (std::size_t i = 0; i < 3; ++i) reach[i] = abs(axis[i]) * half_height + radius * sqrt(max(S(1) - axis[i] * axis[i], S(0)));
        return {f.position - reach, f.position + reach};
    }
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const& density) const noexcept {
        return solid_cylinder(of_density(density), half_height * S(2), radius);
    }
    /// A cap where d looks more along the axis than across, else the line of the side that looks along d.
    [[nodiscard]] constexpr polygon<S> supporting_face(vec3<S> const& d) const noexcept {
        if (d.y() * d.y() >= d.x() * d.x() + d.z() * d.z()) {
            bool const up = !(d.y() < S(0));
            return detail::cap_face(radius, up ? half_height : -half_height, up, d, up ? detail::cap_points : 0);
        }
        vec3<S> const side = detail::across_axis(d) * radius, top{S(0), half_height, S(0)};
        polygon<S> p;
        p.add(side - top, 2 * detail::cap_points);
        p.add(side + top, 2 * detail::cap_points + 1);
        return p;
    }
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept {
        // Distances are counted from the ray's point nearest to the origin, so that a ray from far away keeps its digits.
        S const shift = -dot(r.origin, r.direction);
        vec3<S> const o = r.at(shift), v = r.direction;
        auto span = detail::span_in_slab(o, v, half_height);
        bool through_cap = true;
        S const lateral = v.x() * v.x() + v.z() * v.z();
        if (lateral > S(0)) {
            S const t = -(o.x() * v.x() + o.z() * v.z()) / lateral;
            vec3<S> const nearest = o + v * t;
            S const room = radius * radius - nearest.x() * nearest.x() - nearest.z() * nearest.z();
            if (room < S(0)) return {};
            S const half = sqrt(room / lateral);
            through_cap = t - half <= span.enters;
            span.enters = max(span.enters, t - half);
            span.leaves = min(span.leaves, t + half);
        } else if (o.x() * o.x() + o.z() * o.z() > radius * radius) {
            return {};
        }
        S const enters = span.enters + shift, leaves = span.leaves + shift;
        if (!(span.enters <= span.leaves) || leaves < S(0) || enters > r.length) return {};
        if (enters <= S(0)) return detail::hit_from_inside(r);
        vec3<S> const p = o + v * span.enters;
        vec3<S> const normal = through_cap ? vec3<S>{S(0), v.y() < S(0) ? S(1) : S(-1), S(0)} : normalize(vec3<S>{p.x(), S(0), p.z()});
        return {true, enters, p, normal};
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(detail::extent_parameter("radius", radius), detail::extent_parameter("half_height", half_height));
    }
    [[nodiscard]] friend constexpr bool operator==(cylinder const&, cylinder const&) = default;
};

}  // namespace sinew::inline v0
