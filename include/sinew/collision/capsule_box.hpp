#pragma once
// A capsule against a box: a segment and a box, in closed form.
//
// Apart: the squared distance of p(s) = c + s u from the box is convex in s, and its slope
//
//   g(s) = sum over axes of  u_i * (how far p_i(s) is beyond +-h_i)
//
// is piecewise linear and rises: its root lies between two of the six places where a coordinate passes +-h_i. Where the slope is 0 on
// a stretch, the middle of it. Overlapping: the box swept by the segment has as faces those of the box and one for each of its edges.

#include <sinew/collision/sphere_pairs.hpp>

namespace sinew::inline v0 {

namespace detail {

/// The parameter |s| <= hs of the point of the segment c + s u that is nearest to the box of half extents h about the origin.
template <class S>
[[nodiscard]] constexpr S nearest_to_box(vec3<S> const& c, vec3<S> const& u, S const& hs, vec3<S> const& h) noexcept {
    auto const slope = [&](S const& s) {
        S g = S(0);
        for (std::size_t i = 0; i < 3; ++i) {
            S const x = c[i] + s * u[i];
            g = g + u[i] * (x - clamp(x, -h[i], h[i]));
        }
        return g;
    };
    S const noise = S(16) * epsilon_v<S> * (max(max(abs(c[0]), abs(c[1])), abs(c[2])) + hs);
    S const at_low = slope(-hs), at_high = slope(hs);
    if (at_low > noise) return -hs;
    if (at_high < -noise) return hs;
    // [low, high] shrinks around where the slope passes 0, from either side: a flat stretch has two ends.
    auto const passing = [&](S const& level) {
        S low = -hs, high = hs, g_low = at_low, g_high = at_high;
        for (std::size_t i = 0; i < 3; ++i) {
            if (abs(u[i]) < epsilon_v<S>) continue;
            for (S const& side : {-h[i], h[i]}) {
                S const s = (side - c[i]) / u[i];
                if (!(s > low && s < high)) continue;
                S const g = slope(s);
                if (g < level) {
                    low = s;
                    g_low = g;
                } else {
                    high = s;
                    g_high = g;
                }
            }
        }
        // Linear between.
        if (g_low >= level) return low;
        if (g_high <= level) return high;
        return low + (level - g_low) / (g_high - g_low) * (high - low);
    };
    return (passing(-noise) + passing(noise)) / S(2);
}

template <class S>
[[nodiscard]] constexpr manifold<S> exact_manifold(capsule<S> const& a, frame<S> const& fa, box<S> const& b, frame<S> const& fb, S const& margin) noexcept {
    vec3<S> const& h = b.half_extents;
    // All is seen from the box; normals point from the capsule to it.
    vec3<S> const c = fb.local_point(fa.position), u = fb.local_direction(fa.rotation.m.col(1));
    S const hs = a.half_height, limit = a.radius + margin;
    for (std::size_t i = 0; i < 3; ++i)
        if (abs(c[i]) - h[i] - hs * abs(u[i]) > limit) return {};

    core_contact<S> x;
    S const s = nearest_to_box(c, u, hs, h);
    vec3<S> const p = c + s * u;
    vec3<S> const foot{clamp(p[0], -h[0], h[0]), clamp(p[1], -h[1], h[1]), clamp(p[2], -h[2], h[2])};
    vec3<S> const d = foot - p;
    S const d2 = dot(d, d);
    S const size = max(max(abs(c[0]), abs(c[1])), abs(c[2])) + hs;
    S const noise = S(256) * epsilon_v<S> * size;
    if (d2 > limit * limit && d2 > noise * noise) return {};  // also of a segment and a plate that have no thickness
    S const bias = S(value_type_t<S>(1e-3)) * min(min(h[0], h[1]), h[2]);
    if (d2 > noise * noise) {
        x.separation = sqrt(d2);
        x.normal = d * (S(1) / x.separation);
        x.on_a = p;
        x.on_b = foot;
    } else {
        std::size_t face = 0;
        S best = abs(c[0]) - h[0] - hs * abs(u[0]);
        for (std::size_t i = 1; i < 3; ++i) {
            S const sep = abs(c[i]) - h[i] - hs * abs(u[i]);
            if (sep > best) {
                best = sep;
                face = i;
            }
        }
        S const sign = c[face] < S(0) ? S(-1) : S(1);
        x.separation = best;
        x.normal = vec3<S>{S(0), S(0), S(0)};
        x.normal[face] = -sign;
        // The deepest end; of a segment alongside, its middle.
        S const tilt = sign * u[face];
        x.on_a = c + (abs(tilt) < S(value_type_t<S>(1e-6)) ? S(0) : tilt > S(0) ? -hs : hs) * u;
        x.on_b = x.on_a;
        x.on_b[face] = sign * h[face];
        S const face_best = best;
        for (std::size_t i = 0; i < 3; ++i) {
            std::size_t const i1 = i == 2 ? 0 : i + 1, i2 = i1 == 2 ? 0 : i1 + 1;
            // e_i x u = (0, -u_i2, u_i1)
            S const length2 = u[i1] * u[i1] + u[i2] * u[i2];
            if (length2 < S(value_type_t<S>(1e-6))) continue;
            S const k = S(1) / sqrt(length2);
            S const offset = (c[i2] * u[i1] - c[i1] * u[i2]) * k;
            S const sep = abs(offset) - (h[i1] * abs(u[i2]) + h[i2] * abs(u[i1])) * k;
            if (!(sep > best) || !(sep > face_best + bias)) continue;
            best = sep;
            S const side = offset < S(0) ? k : -k;  // against the way from the box to the segment
            vec3<S> n{S(0), S(0), S(0)};
            n[i1] = -side * u[i2];
            n[i2] = side * u[i1];
            x.normal = n;
            x.separation = sep;
            // Where the segment, seen along n, passes the edge.
            vec3<S> edge{S(0), S(0), S(0)};
            edge[i1] = n[i1] < S(0) ? h[i1] : -h[i1];
            edge[i2] = n[i2] < S(0) ? h[i2] : -h[i2];
            vec3<S> const to = edge - c;
            // (c + t u - edge - r e_i) is along n: solve across it.
            S const t = clamp((dot(to, u) - to[i] * u[i]) / length2, -hs, hs);
            x.on_a = c + t * u;
            edge[i] = clamp(x.on_a[i], -h[i], h[i]);
            x.on_b = edge;
        }
    }
    polygon<S> of_a;
    // The segment as seen along the normal: its end, where it looks along the axis.
    S const along = dot(u, x.normal);
    bool const sideways = along * along < S(value_type_t<S>(0.5));
    if (sideways || along < S(0)) of_a.add(c - hs * u, 0);
    if (sideways || !(along < S(0))) of_a.add(c + hs * u, 1);
    polygon<S> const of_b = b.supporting_face(-x.normal);
    contact_patch<S> patch(a.radius, S(0), margin);
    auto const separation_along = [&](vec3<S> const& n) {
        return -dot(n, c) - hs * abs(dot(n, u)) - (h[0] * abs(n[0]) + h[1] * abs(n[1]) + h[2] * abs(n[2]));
    };
    make_patch(x, of_a, of_b, separation_along, patch);
    return finished(patch, fb);
}

}  // namespace detail

}  // namespace sinew::inline v0
