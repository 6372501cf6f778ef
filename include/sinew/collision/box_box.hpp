#pragma once
// Two boxes: fifteen separating axes, then the clipped face or the two nearest edges.
//
//   R_ij = a_i . b_j, t = centre of b seen from a;   separation along a_i:  |t_i| - h_i - sum_j |R_ij| k_j      (and so on:
//   Gottschalk, Lin, Manocha 1996, table 1)
//
// A face is preferred to a pair of edges that separates hardly more: faces carry four points and change seldom. The contact of
// two faces is where the incident face, a parallelogram seen along the normal, overlaps the rectangle of the other: its corners
// within the rectangle, the rectangle's corners within it, and where edges cross. These features are named without regard to
// which face was the reference, so that the names stay when noise exchanges the two.

#include <sinew/collision/manifold.hpp>
#include <sinew/collision/reduce.hpp>
#include <sinew/geometry/frame.hpp>
#include <sinew/math/mat.hpp>

#include <cstddef>
#include <cstdint>

namespace sinew::inline v0 {

namespace detail {

// Names of a box's features. Signs are 1 for the positive side. The two axes beside i are (i + 1) % 3 and (i + 2) % 3.
[[nodiscard]] constexpr std::size_t after(std::size_t i) noexcept { return i == 2 ? 0 : i + 1; }
[[nodiscard]] constexpr std::uint32_t box_face_code(std::size_t axis, bool positive) noexcept {
    return feature_code(feature_kind::face, static_cast<std::uint32_t>(2 * axis) + (positive ? 1U : 0U));
}
// The edge along `axis`, on the sides s1 of after(axis) and s2 of after(after(axis)).
[[nodiscard]] constexpr std::uint32_t box_edge_code(std::size_t axis, bool s1, bool s2) noexcept {
    return feature_code(feature_kind::edge, static_cast<std::uint32_t>(4 * axis) + (s1 ? 2U : 0U) + (s2 ? 1U : 0U));
}
[[nodiscard]] constexpr std::uint32_t box_vertex_code(std::size_t i, bool si, bool s1, bool s2) noexcept {
    std::size_t const i1 = after(i), i2 = after(i1);
    return feature_code(feature_kind::vertex, (si ? 1U << i : 0U) + (s1 ? 1U << i1 : 0U) + (s2 ? 1U << i2 : 0U));
}

/// The box that carries the reference face, and the other seen from it.
template <class S>
struct box_view {
    vec3<S> h, k;    // half extents: of this box, of the other
    mat3<S> R;       // the other's axes in this one's frame, as columns
    vec3<S> t;       // the other's centre in this one's frame
};

/// How the incident face of the other box lies over a reference face.
template <class S>
struct box_clip {
    static constexpr std::size_t capacity = 16;
    planar_point<S> points[capacity];  // along after(i) and after(after(i)); z from the face
    std::uint32_t feature[capacity];
    std::size_t count;
};

/// Clips the face of the other box that looks most against the face `positive ? i : -i` of this one.
template <class S>
constexpr void clip_box_faces(box_view<S> const& v, std::size_t i, bool positive, S const& margin, box_clip<S>& out) noexcept {
    std::size_t const i1 = after(i), i2 = after(i1);
    S const sign = positive ? S(1) : S(-1);
    // The incident face: axis j of the other, on its side towards this box.
    S const r0 = abs(v.R(i, 0)), r1 = abs(v.R(i, 1)), r2 = abs(v.R(i, 2));
    std::size_t const j = r0 >= r1 ? (r0 >= r2 ? 0 : 2) : (r1 >= r2 ? 1 : 2);
    std::size_t const j1 = after(j), j2 = after(j1);
    bool const j_positive = v.R(i, j) * sign < S(0);
    S const kj = j_positive ? v.k[j] : -v.k[j];
    S const k1 = v.k[j1], k2 = v.k[j2];
    // Seen along the normal: u, w across the face, z the distance from it. Centre c, half edges p (along j1) and q (along j2).
    S const cu = v.t[i1] + kj * v.R(i1, j), cw = v.t[i2] + kj * v.R(i2, j), cz = sign * (v.t[i] + kj * v.R(i, j)) - v.h[i];
    S const pu = k1 * v.R(i1, j1), pw = k1 * v.R(i2, j1), pz = sign * k1 * v.R(i, j1);
    S const qu = k2 * v.R(i1, j2), qw = k2 * v.R(i2, j2), qz = sign * k2 * v.R(i, j2);
    S const hu = v.h[i1], hw = v.h[i2];
    // Corners that lie on the rim but for noise count as inside; those of the rectangle then do not.
    S const loose = S(value_type_t<S>(1e-4));
    S const lu = hu * (S(1) + loose), lw = hw * (S(1) + loose);

    std::uint32_t const face = box_face_code(i, positive), incident_face = box_face_code(j, j_positive);
    auto const put = [&](S const& u, S const& w, S const& z, std::uint32_t of_this, std::uint32_t of_other) {
        if (z > margin || out.count == box_clip<S>::capacity) return;
        out.points[out.count] = {u, w, z};
        out.feature[out.count++] = feature_pair(of_this, of_other);
    };

    // The corners, going round: (s1, s2) = (-,-) (+,-) (+,+) (-,+).
    constexpr bool corner1[4] = {false, true, true, false}, corner2[4] = {false, false, true, true};
    S const xu[4] = {cu - pu - qu, cu + pu - qu, cu + pu + qu, cu - pu + qu};
    S const xw[4] = {cw - pw - qw, cw + pw - qw, cw + pw + qw, cw - pw + qw};
    S const xz[4] = {cz - pz - qz, cz + pz - qz, cz + pz + qz, cz - pz + qz};
    bool inside[4];
    std::size_t inside_count = 0;
    for (std::size_t e = 0; e < 4; ++e) {
        inside[e] = abs(xu[e]) <= lu && abs(xw[e]) <= lw;
        if (inside[e]) {
            ++inside_count;
            put(xu[e], xw[e], xz[e], face, box_vertex_code(j, j_positive, corner1[e], corner2[e]));
        }
    }
    if (inside_count == 4) return;

    // Where the edges of the incident face cross the rim: each is cut to the rectangle (Liang, Barsky 1984).
    for (std::size_t e = 0; e < 4; ++e) {
        std::size_t const f = (e + 1) % 4;
        if (inside[e] && inside[f]) continue;
        // Both outside of one side.
        if ((xu[e] > lu && xu[f] > lu) || (xu[e] < -lu && xu[f] < -lu) || (xw[e] > lw && xw[f] > lw) || (xw[e] < -lw && xw[f] < -lw)) continue;
        S const du = xu[f] - xu[e], dw = xw[f] - xw[e], dz = xz[f] - xz[e];
        S enter = S(0), leave = S(1);
        std::uint32_t enter_edge = 0, leave_edge = 0;
        // An edge that lies along a side but for noise is not cut by it: where would be left to the noise.
        if (abs(xu[e]) > lu || abs(xu[f]) > lu) {
            S const inv = S(1) / du;
            S const lo = ((du > S(0) ? -hu : hu) - xu[e]) * inv, hi = ((du > S(0) ? hu : -hu) - xu[e]) * inv;
            bool const low_side = du > S(0);
            // The rim at +-hu runs along i2, between i (this face) and i1: edge of axis i2 on the sides (i, i1).
            if (lo > enter) {
                enter = lo;
                enter_edge = box_edge_code(i2, positive, !low_side);
            }
            if (hi < leave) {
                leave = hi;
                leave_edge = box_edge_code(i2, positive, low_side);
            }
        }
        if (abs(xw[e]) > lw || abs(xw[f]) > lw) {
            S const inv = S(1) / dw;
            S const lo = ((dw > S(0) ? -hw : hw) - xw[e]) * inv, hi = ((dw > S(0) ? hw : -hw) - xw[e]) * inv;
            bool const low_side = dw > S(0);
            if (lo > enter) {
                enter = lo;
                enter_edge = box_edge_code(i1, !low_side, positive);
            }
            if (hi < leave) {
                leave = hi;
                leave_edge = box_edge_code(i1, low_side, positive);
            }
        }
        if (!(enter < leave)) continue;
        // Edges 0 and 2 run along j1 on a side of j2, edges 1 and 3 along j2 on a side of j1.
        std::uint32_t const incident_edge = e % 2 == 0 ? box_edge_code(j1, corner2[e], j_positive) : box_edge_code(j2, j_positive, corner1[e]);
        if (!inside[e]) put(xu[e] + enter * du, xw[e] + enter * dw, xz[e] + enter * dz, enter_edge, incident_edge);
        if (!inside[f]) put(xu[e] + leave * du, xw[e] + leave * dw, xz[e] + leave * dz, leave_edge, incident_edge);
    }

    // Corners of the rectangle within the parallelogram: a p + b q = (corner - c), |a|, |b| < 1.
    S const det = pu * qw - pw * qu;
    S const bound = abs(det) * (S(1) - S(2) * loose);
    for (std::size_t e = 0; e < 4; ++e) {
        S const u = corner1[e] ? hu : -hu, w = corner2[e] ? hw : -hw;
        S const a = (u - cu) * qw - (w - cw) * qu, b = pu * (w - cw) - pw * (u - cu);
        if (!(abs(a) < bound && abs(b) < bound)) continue;
        S z;
        if constexpr (floating_scalar<S>)
            z = cz + (a * pz + b * qz) / det;
        else  // an area times what the face leans by has no digits
            z = cz + ((a / det) * pz + (b / det) * qz);
        put(u, w, z, box_vertex_code(i, positive, corner1[e], corner2[e]), incident_face);
    }
}

/// What the separating axes of two boxes say.
template <class S>
struct box_axes {
    enum class kind : unsigned char { apart, face_of_a, face_of_b, edges };
    kind what;
    std::size_t i, j;   // axis of a, of b
    bool positive;      // face: on which side
    S separation;       // along the axis
    vec3<S> normal;     // edges: unit, from a to b, in a's frame
};

template <class S>
[[nodiscard]] constexpr box_axes<S> separate_boxes(box_view<S> const& v, S const& margin) noexcept {
    using kind = typename box_axes<S>::kind;
    mat3<S> Q;
    for (std::size_t e = 0; e < 9; ++e) Q.e[e] = abs(v.R.e[e]);

    box_axes<S> r{kind::apart, 0, 0, true, S(0), vec3<S>{S(0), S(0), S(0)}};
    S best_a{}, best_b{};
    for (std::size_t i = 0; i < 3; ++i) {
        S const s = abs(v.t[i]) - v.h[i] - (Q(i, 0) * v.k[0] + Q(i, 1) * v.k[1] + Q(i, 2) * v.k[2]);
        if (s > margin) return r;
        if (i == 0 || s > best_a) {
            best_a = s;
            r.i = i;
        }
    }
    vec3<S> const tb = transpose_times(v.R, v.t);  // b's centre from a, along b's axes
    for (std::size_t j = 0; j < 3; ++j) {
        S const s = abs(tb[j]) - v.k[j] - (Q(0, j) * v.h[0] + Q(1, j) * v.h[1] + Q(2, j) * v.h[2]);
        if (s > margin) return r;
        if (j == 0 || s > best_b) {
            best_b = s;
            r.j = j;
        }
    }
    S const bias = S(value_type_t<S>(1e-3)) * min(min(min(v.h[0], v.h[1]), v.h[2]), min(min(v.k[0], v.k[1]), v.k[2]));
    bool const of_b = best_b > best_a + S(value_type_t<S>(0.1)) * bias;
    S const best_face = max(best_a, best_b);

    // Of the products below, the longest of which is a length times a rounded cosine. In fixed point it is as long as the axis itself where edges are almost parallel.
    S noise(0), least2(value_type_t<S>(1e-6));
    if constexpr (!floating_scalar<S>) {
        // Doubled, for some formats have no 4 nor 16.
        auto const twice = [](S const& x) { return x + x; };
        S const four = twice(twice(epsilon_v<S>));
        noise = four + twice(twice(epsilon_v<S> * (v.h[0] + v.h[1] + v.h[2]) + epsilon_v<S> * (v.k[0] + v.k[1] + v.k[2])));
        least2 = max(least2, twice(twice(four)));
    }
    S best = best_face + bias;
    bool edges = false;
    std::size_t ei = 0, ej = 0;
    S edge_length{}, edge_offset{};
    for (std::size_t i = 0; i < 3; ++i) {
        std::size_t const i1 = after(i), i2 = after(i1);
        for (std::size_t j = 0; j < 3; ++j) {
            std::size_t const j1 = after(j), j2 = after(j1);
            // a_i x b_j = (0, -R_i2j, R_i1j) along (i, i1, i2).
            S const offset = v.t[i2] * v.R(i1, j) - v.t[i1] * v.R(i2, j);
            S s = abs(offset) - (v.h[i1] * Q(i2, j) + v.h[i2] * Q(i1, j)) - (v.k[j1] * Q(i, j2) + v.k[j2] * Q(i, j1));
            if constexpr (!floating_scalar<S>) s = s - noise;
            // The axis is no longer than 1: below 0, dividing by its length can only lower s.
            if (s <= min(best, S(0))) continue;
            S const length2 = Q(i1, j) * Q(i1, j) + Q(i2, j) * Q(i2, j);
            if (length2 < least2) continue;  // parallel edges: the faces say it
            S const length = sqrt(length2);
            if (s > margin * length) return r;
            if (s > best * length) {
                best = s / length;
                edges = true;
                ei = i;
                ej = j;
                edge_length = length;
                edge_offset = offset;
            }
        }
    }
    if (edges) {
        r.what = kind::edges;
        r.i = ei;
        r.j = ej;
        r.separation = best;
        S const k = (edge_offset < S(0) ? S(-1) : S(1)) / edge_length;
        std::size_t const i1 = after(ei), i2 = after(i1);
        r.normal[i1] = -k * v.R(i2, ej);
        r.normal[i2] = k * v.R(i1, ej);
        return r;
    }
    r.what = of_b ? kind::face_of_b : kind::face_of_a;
    r.separation = of_b ? best_b : best_a;
    r.positive = of_b ? tb[r.j] < S(0) : v.t[r.i] > S(0);
    return r;
}

/// The nearest points of the two edges that separate_boxes found, in a's frame.
template <class S>
[[nodiscard]] constexpr contact_point<S> box_edge_contact(box_view<S> const& v, box_axes<S> const& x) noexcept {
    std::size_t const i1 = after(x.i), i2 = after(i1), j1 = after(x.j), j2 = after(j1);
    vec3<S> const& n = x.normal;
    bool const sa1 = n[i1] > S(0), sa2 = n[i2] > S(0);
    vec3<S> const nb = transpose_times(v.R, n);
    bool const sb1 = nb[j1] < S(0), sb2 = nb[j2] < S(0);
    vec3<S> pa{};
    pa[x.i] = S(0);
    pa[i1] = sa1 ? v.h[i1] : -v.h[i1];
    pa[i2] = sa2 ? v.h[i2] : -v.h[i2];
    vec3<S> const direction = v.R.col(x.j);
    vec3<S> pb = v.t + (sb1 ? v.k[j1] : -v.k[j1]) * v.R.col(j1) + (sb2 ? v.k[j2] : -v.k[j2]) * v.R.col(j2);
    // pa + s e_i and pb + u b_j: e_i . b_j = R_ij.
    vec3<S> const d = pb - pa;
    S const c = v.R(x.i, x.j);
    S const along_a = d[x.i], along_b = dot(d, direction);
    S const det = S(1) - c * c;
    S const s = clamp((along_a - c * along_b) / det, -v.h[x.i], v.h[x.i]);
    S const u = clamp((c * along_a - along_b) / det, -v.k[x.j], v.k[x.j]);
    pa[x.i] = s;
    pb = pb + u * direction;
    return {pa, pb, dot(n, pb - pa), feature_pair(box_edge_code(x.i, sa1, sa2), box_edge_code(x.j, sb1, sb2))};
}

/// The manifold of two boxes of half extents h and k. `exact` is false where the boxes may be nearer by a corner or a rim than any
/// of the axes tells, which can only be while they are apart; or where noise has left no point.
template <class S>
[[nodiscard]] constexpr manifold<S> box_box(vec3<S> const& h, frame<S> const& fa, vec3<S> const& k, frame<S> const& fb, S const& margin,
                                            bool& exact) noexcept {
    using kind = typename box_axes<S>::kind;
    manifold<S> m;
    exact = true;
    mat3<S> const& A = fa.rotation.m;
    mat3<S> const& B = fb.rotation.m;
    box_view<S> v;
    v.h = h;
    v.k = k;
    v.t = transpose_times(A, fb.position - fa.position);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) v.R(i, j) = A(0, i) * B(0, j) + A(1, i) * B(1, j) + A(2, i) * B(2, j);

    box_axes<S> const axes = separate_boxes(v, margin);
    if (axes.what == kind::apart) return m;

    if (axes.what == kind::edges) {
        contact_point<S> const p = box_edge_contact(v, axes);
        m.normal = A * axes.normal;
        m.points.push_back({fa.point(p.on_a), fa.point(p.on_b), p.distance, p.feature});
        // Past an edge's end the nearest points are not one above the other.
        S const most = S(value_type_t<S>(1.01)) * axes.separation;
        exact = axes.separation <= S(0) || squared_norm(p.on_b - p.on_a) <= most * most;
        return m;
    }

    box_clip<S> clip;
    clip.count = 0;
    bool const of_b = axes.what == kind::face_of_b;
    if (of_b) {
        box_view<S> w;
        w.h = k;
        w.k = h;
        w.t = -transpose_times(v.R, v.t);
        w.R = transpose(v.R);
        clip_box_faces(w, axes.j, axes.positive, margin, clip);
    } else {
        clip_box_faces(v, axes.i, axes.positive, margin, clip);
    }
    frame<S> const& reference = of_b ? fb : fa;
    vec3<S> const& extents = of_b ? k : h;
    std::size_t const i = of_b ? axes.j : axes.i, i1 = after(i), i2 = after(i1);
    vec3<S> const axis = reference.rotation.m.col(i), along_u = reference.rotation.m.col(i1), along_w = reference.rotation.m.col(i2);
    vec3<S> const out = axes.positive ? axis : -axis;  // of the reference face
    vec3<S> const middle = reference.position + extents[i] * out;
    m.normal = of_b ? -out : out;
    std::size_t chosen[4] = {};
    std::size_t const kept = clip.count > 0 ? choose_four(clip.points, clip.count, chosen) : 0;
    S const nearest = kept > 0 ? clip.points[chosen[0]].z : margin;
    for (std::size_t e = 0; e < kept; ++e) {
        planar_point<S> const& p = clip.points[chosen[e]];
        vec3<S> const on_reference = middle + p.u * along_u + p.w * along_w;
        vec3<S> const on_incident = on_reference + p.z * out;
        std::uint32_t const feature = clip.feature[chosen[e]];
        if (of_b)
            m.points.push_back({on_incident, on_reference, p.z, flipped_feature(feature)});
        else
            m.points.push_back({on_reference, on_incident, p.z, feature});
    }
    S const slack = S(value_type_t<S>(2e-3)) * max(norm(h), norm(k));
    exact = kept > 0 && (axes.separation <= S(0) || nearest <= axes.separation + slack);
    return m;
}

}  // namespace detail

}  // namespace sinew::inline v0
