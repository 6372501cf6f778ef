#pragma once
// Rays, and where they hit.
//
// A cast finds the first point of a solid on a ray. A ray that begins inside hits at once: distance 0, its own origin, and a
// normal against the ray. Distances are in metres along the ray, whose direction has length 1.

#include <sinew/geometry/aabb.hpp>

namespace sinew::inline v0 {

/// From an origin (m) along a unit vector, as far as `length` (m).
template <scalar S>
struct ray {
    using scalar_type = S;
    vec3<S> origin{S(0), S(0), S(0)};     ///< m
    vec3<S> direction{S(1), S(0), S(0)};  ///< length 1
    S length = infinity_v<S>;             ///< m

    [[nodiscard]] constexpr vec3<S> at(S const& distance) const noexcept { return origin + direction * distance; }
    [[nodiscard]] friend constexpr bool operator==(ray const&, ray const&) = default;
};

/// Along a direction of any length but zero.
template <class S>
[[nodiscard]] constexpr ray<S> ray_along(vec3<S> const& origin, vec3<S> const& direction, std::type_identity_t<S> const& length = infinity_v<S>) noexcept {
    return {origin, normalize(direction), length};
}
/// From one point to another.
template <class S>
[[nodiscard]] constexpr ray<S> ray_between(vec3<S> const& from, vec3<S> const& to) noexcept {
    return {from, normalize(to - from), norm(to - from)};
}
/// A ray of the world, as a shape at f sees it.
template <class S>
[[nodiscard]] constexpr ray<S> local_ray(frame<S> const& f, ray<S> const& r) noexcept {
    return {f.local_point(r.origin), f.local_direction(r.direction), r.length};
}

/// The first point of a solid on a ray.
template <scalar S>
struct ray_hit {
    using scalar_type = S;
    bool hit = false;
    S distance{0};                         ///< m, along the ray
    vec3<S> point{S(0), S(0), S(0)};       ///< m
    vec3<S> normal{S(0), S(0), S(0)};      ///< of the solid, outwards, length 1

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return hit; }
    [[nodiscard]] friend constexpr bool operator==(ray_hit const&, ray_hit const&) = default;
};

/// The hit of a shape at f, in the world.
template <class S>
[[nodiscard]] constexpr ray_hit<S> world_hit(frame<S> const& f, ray_hit<S> const& h) noexcept {
    return {h.hit, h.distance, f.point(h.point), f.direction(h.normal)};
}

/// The part of a ray that is inside a convex solid: [enters, leaves] (m).
template <scalar S>
struct ray_span {
    S enters, leaves;
    [[nodiscard]] constexpr bool empty() const noexcept { return !(enters <= leaves); }
};

/// The part of a ray inside a box; empty where it passes by. A ray within a face of the box is inside.
template <class S>
[[nodiscard]] constexpr ray_span<S> span_inside(ray<S> const& r, aabb<S> const& b) noexcept {
    ray_span<S> s{S(0), r.length};
    for (std::size_t i = 0; i < 3; ++i) {
        S const o = r.origin[i], d = r.direction[i];
        if (d == S(0)) {  // the division would make 0/0 of a ray within a face
            if (o < b.lower[i] || b.upper[i] < o) return {S(1), S(0)};
        } else {
            S const p = (b.lower[i] - o) / d, q = (b.upper[i] - o) / d;
            s.enters = max(s.enters, min(p, q));
            s.leaves = min(s.leaves, max(p, q));
        }
    }
    return s;
}

namespace detail {

template <class S>
[[nodiscard]] constexpr ray_hit<S> hit_at(ray<S> const& r, S const& distance, vec3<S> const& normal) noexcept {
    return {true, distance, r.at(distance), normal};
}
template <class S>
[[nodiscard]] constexpr ray_hit<S> hit_from_inside(ray<S> const& r) noexcept {
    return {true, S(0), r.origin, -r.direction};
}
// The nearer of two, the first of equals.
template <class S>
[[nodiscard]] constexpr ray_hit<S> nearer(ray_hit<S> const& a, ray_hit<S> const& b) noexcept {
    return !a.hit || (b.hit && a.distance > b.distance) ? b : a;
}

// A ball about a center. The root's two terms are taken from the ray's point nearest to the center, so that a ray from far
// away keeps its digits (Haines et al. 2019, "Precision improvements for ray/sphere intersection").
template <class S>
[[nodiscard]] constexpr ray_hit<S> cast_ball(ray<S> const& r, vec3<S> const& center, S const& radius) noexcept {
    vec3<S> const m = center - r.origin;
    if (squared_norm(m) <= radius * radius) return hit_from_inside(r);
    S const along = dot(m, r.direction);
    S const room = radius * radius - squared_norm(m - along * r.direction);
    if (room < S(0) || along < S(0)) return {};
    S const t = max(along - sqrt(room), S(0));
    return t <= r.length ? hit_at(r, t, normalize(r.at(t) - center)) : ray_hit<S>{};
}

}  // namespace detail

}  // namespace sinew::inline v0
