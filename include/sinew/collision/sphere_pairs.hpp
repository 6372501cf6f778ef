#pragma once
// Spheres against spheres, capsules and boxes, and capsules against each other: points and segments, in closed form.
//
// Where centres or axes meet there is no direction between them; then it is one that is shortest out: any for two centres, across
// the axes for a segment, the nearest face for a box.

#include <sinew/collision/clipping.hpp>
#include <sinew/geometry/box.hpp>
#include <sinew/geometry/capsule.hpp>
#include <sinew/geometry/sphere.hpp>

namespace sinew::inline v0 {

namespace detail {

inline constexpr std::uint32_t single_feature = feature_pair(feature_code(feature_kind::surface, 0), feature_code(feature_kind::surface, 0));

/// The manifold of two balls, about a point of the world and another d from it; where the two are one, along `otherwise`.
template <class S>
[[nodiscard]] constexpr manifold<S> ball_ball(vec3<S> const& pa, S const& ra, vec3<S> const& d, S const& rb, vec3<S> const& otherwise, S const& margin) noexcept {
    manifold<S> m;
    S const reach = ra + rb + margin;
    S length;
    bool apart;
    if constexpr (floating_scalar<S>) {
        S const d2 = dot(d, d);
        if (d2 > reach * reach) return m;
        length = sqrt(d2);
        // Lengths whose squares are below the range of S say nothing of a direction.
        apart = d2 > S(16) * std::numeric_limits<value_type_t<S>>::min() / epsilon_v<S>;
        m.normal = apart ? d * (S(1) / length) : otherwise;
    } else {  // whose squares have few digits, but whose lengths and directions have all
        length = norm(d);
        if (length > reach) return m;
        apart = length > S(0);
        m.normal = apart ? normalize(d) : otherwise;
    }
    m.points.push_back({pa + ra * m.normal, pa + (d - rb * m.normal), (apart ? length : S(0)) - ra - rb, single_feature});
    return m;
}

template <class S>
[[nodiscard]] constexpr manifold<S> exact_manifold(sphere<S> const& a, frame<S> const& fa, sphere<S> const& b, frame<S> const& fb, S const& margin) noexcept {
    return ball_ball(fa.position, a.radius, fb.position - fa.position, b.radius, vec3<S>{S(0), S(1), S(0)}, margin);
}

template <class S>
[[nodiscard]] constexpr manifold<S> exact_manifold(sphere<S> const& a, frame<S> const& fa, capsule<S> const& b, frame<S> const& fb, S const& margin) noexcept {
    vec3<S> const axis = fb.rotation.m.col(1);
    vec3<S> const d = fa.position - fb.position;
    S const along = dot(axis, d), t = clamp(along, -b.half_height, b.half_height);
    // From the centre to the segment's point, free of the size of the coordinates; between the ends across the axis, however short.
    vec3<S> e = t * axis - d;
    if (t == along) {
        e = e - dot(e, axis) * axis;
        S const noise = S(4) * epsilon_v<S> * (norm(d) + abs(t));
        if (squared_norm(e) <= noise * noise) e = {S(0), S(0), S(0)};
    }
    return ball_ball(fa.position, a.radius, e, b.radius, orthonormal_basis(axis).u, margin);
}

template <class S>
[[nodiscard]] constexpr manifold<S> exact_manifold(sphere<S> const& a, frame<S> const& fa, box<S> const& b, frame<S> const& fb, S const& margin) noexcept {
    manifold<S> m;
    vec3<S> const& h = b.half_extents;
    vec3<S> const c = fb.local_point(fa.position);
    vec3<S> const foot{clamp(c[0], -h[0], h[0]), clamp(c[1], -h[1], h[1]), clamp(c[2], -h[2], h[2])};
    vec3<S> const d = c - foot;
    S const reach = a.radius + margin, d2 = dot(d, d);
    if (d2 > reach * reach) return m;
    S const noise = S(4) * epsilon_v<S> * max(max(abs(c[0]), abs(c[1])), abs(c[2]));
    vec3<S> on_box = foot, out{S(0), S(0), S(0)};
    S distance{};
    if (d2 > noise * noise) {
        distance = sqrt(d2);
        out = d * (S(1) / distance);
    } else {  // the centre is inside, or on the surface: out by the nearest face
        std::size_t k = 0;
        distance = abs(c[0]) - h[0];
        for (std::size_t i = 1; i < 3; ++i)
            if (abs(c[i]) - h[i] > distance) {
                distance = abs(c[i]) - h[i];
                k = i;
            }
        S const sign = c[k] < S(0) ? S(-1) : S(1);
        out[k] = sign;
        on_box[k] = sign * h[k];
    }
    vec3<S> const n = fb.direction(out);  // from the box to the sphere
    m.normal = -n;
    m.points.push_back({fa.position - a.radius * n, fb.point(on_box), distance - a.radius, single_feature});
    return m;
}

/// The nearest points p + s u and q + t v of two segments, |s| <= hs, |t| <= ht, u and v unit (Ericson 2005, 5.1.9).
template <class S>
constexpr void nearest_on_segments(vec3<S> const& p, vec3<S> const& u, S const& hs, vec3<S> const& q, vec3<S> const& v, S const& ht, S& s, S& t) noexcept {
    vec3<S> const d = q - p;
    S const c = dot(u, v), du = dot(d, u), dv = dot(d, v);
    S const det = squared_norm(cross(u, v));  // 1 - c^2, with the digits of small angles
    if (det > S(16) * epsilon_v<S> * epsilon_v<S>) {
        s = clamp((du - c * dv) / det, -hs, hs);
    } else {  // parallel: the middle of what they share
        S const reach = ht * abs(c);
        s = (max(-hs, du - reach) + min(hs, du + reach)) / S(2);
        s = clamp(s, -hs, hs);
    }
    t = clamp(c * s - dv, -ht, ht);
    s = clamp(du + c * t, -hs, hs);
    t = clamp(c * s - dv, -ht, ht);
}

template <class S>
[[nodiscard]] constexpr manifold<S> exact_manifold(capsule<S> const& a, frame<S> const& fa, capsule<S> const& b, frame<S> const& fb, S const& margin) noexcept {
    vec3<S> const u = fa.rotation.m.col(1), v = fb.rotation.m.col(1);
    vec3<S> const q = fb.position - fa.position;  // all from a's centre
    vec3<S> const zero{S(0), S(0), S(0)};
    S s{}, t{};
    nearest_on_segments(zero, u, a.half_height, q, v, b.half_height, s, t);
    vec3<S> const pa = s * u, pb = q + t * v, d = pb - pa;
    S const limit = a.radius + b.radius + margin, d2 = dot(d, d);
    manifold<S> m;
    if (d2 > limit * limit) return m;
    S const size = max(a.half_height + b.half_height, norm(q));
    vec3<S> const w = cross(u, v);
    bool const inner = abs(s) < a.half_height && abs(t) < b.half_height && squared_norm(w) > S(value_type_t<S>(1e-6));
    S const noise = S(64) * epsilon_v<S> * size;
    core_contact<S> c;
    c.on_a = pa;
    c.on_b = pb;
    if (inner) {
        // Across both axes, also where they cross.
        c.normal = normalize(w);
        S const along = dot(c.normal, d2 > noise * noise ? d : q);
        if (along < S(0)) c.normal = -c.normal;
        c.separation = abs(dot(c.normal, d));
    } else if (d2 > noise * noise) {
        c.separation = sqrt(d2);
        c.normal = d * (S(1) / c.separation);
    } else {  // touching axes that end or run along each other
        vec3<S> const out = squared_norm(w) > S(value_type_t<S>(1e-6)) ? normalize(w) : orthonormal_basis(u).u;
        c.normal = dot(out, q) < S(0) ? -out : out;
        c.separation = S(0);
    }
    contact_patch<S> patch(a.radius, b.radius, margin);
    patch.normal = c.normal;
    face_point<S> const a0{-a.half_height * u, 0}, a1{a.half_height * u, 1}, b0{q - b.half_height * v, 0}, b1{q + b.half_height * v, 1};
    if (squared_norm(w) < S(value_type_t<S>(1e-2))) clip_edges(a0, a1, b0, b1, c.normal, patch);
    S const distance = c.separation - a.radius - b.radius;
    S least = infinity_v<S>;
    for (std::size_t i = 0; i < patch.count; ++i) least = min(least, patch.points[i].distance);
    if (least > distance + S(value_type_t<S>(1e-3)) * size) patch.add(pa + a.radius * c.normal, pb - b.radius * c.normal, distance, single_feature);
    frame<S> at;
    at.position = fa.position;
    return finished(patch, at);
}

}  // namespace detail

}  // namespace sinew::inline v0
