#pragma once
// From a normal to a manifold: the parts of two cores that look at each other are laid over one another along it.
//
// Where one of them is a face, its sides clip the other (Sutherland, Hodgman 1974); two edges that run alongside share a stretch;
// all else touches in one point. A face's normal is taken for the given one when it separates as well but for a thousandth of the
// smaller one's extent: normals found by iteration carry noise, and a body at rest on a face must not rock on an edge.

#include <sinew/collision/reduce.hpp>
#include <sinew/geometry/frame.hpp>
#include <sinew/geometry/polygon.hpp>
#include <sinew/geometry/shape.hpp>

#include <cstddef>
#include <cstdint>

namespace sinew::inline v0 {

namespace detail {

/// What is known of two cores: unit normal from a to b, their separation along it, the points that are that near.
template <class S>
struct core_contact {
    vec3<S> normal;
    S separation;  // m, negative when deep
    vec3<S> on_a, on_b;
};

/// Contact points between shapes whose cores are grown by balls of radius ra and rb, in the frame of the polygons. Points farther than
/// `margin` along the normal are left out.
template <class S>
struct contact_patch {
    static constexpr std::size_t capacity = 2 * max_face_points + 1;
    S ra, rb, margin;  // m
    vec3<S> normal;    // unit, from a to b
    std::size_t count;
    contact_point<S> points[capacity];

    constexpr contact_patch(S const& radius_a, S const& radius_b, S const& most) noexcept
        : ra(radius_a), rb(radius_b), margin(most), normal{S(0), S(0), S(0)}, count(0), points{} {}

    constexpr void add(vec3<S> const& on_a, vec3<S> const& on_b, S const& distance, std::uint32_t feature) noexcept {
        if (count < capacity && distance <= margin) points[count++] = {on_a, on_b, distance, feature};
    }
    [[nodiscard]] constexpr S nearest() const noexcept {
        S least = infinity_v<S>;
        for (std::size_t i = 0; i < count; ++i) least = min(least, points[i].distance);
        return least;
    }
};

// 1 - cos of a twentieth of a degree: normals within it are one.
template <class S>
inline constexpr S slack_of_normal = S(value_type_t<S>(4e-7));

template <class S>
[[nodiscard]] constexpr std::uint32_t vertex_code(face_point<S> const& p) noexcept { return feature_code(feature_kind::vertex, p.feature); }
// An edge is named by the corner it starts from, a face by its first.
template <class S>
[[nodiscard]] constexpr std::uint32_t edge_code(face_point<S> const& p) noexcept { return feature_code(feature_kind::edge, p.feature); }
template <class S>
[[nodiscard]] constexpr std::uint32_t face_code(polygon<S> const& p) noexcept { return feature_code(feature_kind::face, p[0].feature); }

/// Largest distance from the first corner (m).
template <class S>
[[nodiscard]] constexpr S extent_of(polygon<S> const& p) noexcept {
    S e2 = S(0);
    for (std::size_t i = 1; i < p.size(); ++i) e2 = max(e2, squared_norm(p[i].position - p[0].position));
    return sqrt(e2);
}

/// Which way the surface of a grown core lies from an edge or a face that looks along n: across it. What is round beyond its ends is not told.
template <class S>
[[nodiscard]] constexpr vec3<S> outwards(polygon<S> const& p, vec3<S> const& n) noexcept {
    if (p.is_face()) return p.normal;
    if (p.size() < 2) return n;
    vec3<S> const e = p[1].position - p[0].position;
    S const ee = dot(e, e);
    return ee > S(0) ? normalize(n - (dot(n, e) / ee) * e) : n;
}

/// Clips `incident` by the sides of the face `reference`, whose outward normal is n. With Flip the reference belongs to b.
template <bool Flip, class S>
constexpr void clip_to_face(polygon<S> const& reference, polygon<S> const& incident, vec3<S> const& n, contact_patch<S>& out) noexcept {
    struct corner {
        vec3<S> p;               // m
        std::uint32_t ref, inc;  // codes of the two features that make it
        std::uint32_t side;      // the edge that leaves it: an incident corner's number, or 64 + a side of the reference
    };
    constexpr std::size_t most = 2 * max_face_points + 2;
    corner first[most], second[most];
    corner* from = first;
    corner* to = second;
    std::size_t count = incident.size();
    std::uint32_t const ref_face = face_code(reference), inc_face = face_code(incident);
    S const r_ref = Flip ? out.rb : out.ra, r_inc = Flip ? out.ra : out.rb;
    vec3<S> const shift = r_inc > S(0) ? r_inc * outwards(incident, -n) : vec3<S>{S(0), S(0), S(0)};
    for (std::size_t i = 0; i < count; ++i) from[i] = {incident[i].position + shift, ref_face, vertex_code(incident[i]), static_cast<std::uint32_t>(i)};
    std::size_t const sides = reference.size();
    // Corners that lie on a side but for noise stay.
    S const loose = S(value_type_t<S>(1e-4)) * extent_of(reference);

    for (std::size_t s = 0; s < sides && count > 0; ++s) {
        vec3<S> const& p = reference[s].position;
        vec3<S> const along = reference[s + 1 == sides ? 0 : s + 1].position - p;
        vec3<S> const out_of = cross(along, n);
        S const length2 = squared_norm(out_of);
        if (!(length2 > S(0))) continue;
        S const beyond = loose * sqrt(length2);
        S d[most];
        bool all_in = true;
        for (std::size_t i = 0; i < count; ++i) {
            d[i] = dot(out_of, from[i].p - p);
            all_in = all_in && d[i] <= beyond;
        }
        if (all_in) continue;
        std::uint32_t const this_side = 64U + static_cast<std::uint32_t>(s);
        std::size_t m = 0;
        for (std::size_t i = 0; i < count; ++i) {
            std::size_t const j = i + 1 == count ? 0 : i + 1;
            bool const in = d[i] <= beyond, next_in = d[j] <= beyond;
            if (in && m < most) to[m++] = from[i];
            if (in == next_in || count == 1 || (count == 2 && i == 1) || m >= most) continue;  // an edge has one way only
            corner c;
            c.p = from[i].p + clamp(d[i] / (d[i] - d[j]), S(0), S(1)) * (from[j].p - from[i].p);
            if (from[i].side >= 64U) {  // two sides of the reference meet over the incident face
                std::size_t const other = from[i].side - 64U;
                std::size_t const shared = other + 1 == s ? s : (s + 1 == other || (s + 1 == sides && other == 0)) ? other : s;
                c.ref = vertex_code(reference[shared]);
                c.inc = inc_face;
            } else {
                c.ref = edge_code(reference[s]);
                c.inc = edge_code(incident[from[i].side]);
            }
            // On the way out, the side is followed next; on the way in, the edge goes on.
            c.side = in && count > 2 ? this_side : from[i].side;
            to[m++] = c;
        }
        corner* const swap = from;
        from = to;
        to = swap;
        count = m;
    }
    vec3<S> const& origin = reference[0].position;
    for (std::size_t i = 0; i < count; ++i) {
        S const d = dot(n, from[i].p - origin) - r_ref;
        vec3<S> const on_reference = from[i].p - d * n;
        if constexpr (Flip)
            out.add(from[i].p, on_reference, d, feature_pair(from[i].inc, from[i].ref));
        else
            out.add(on_reference, from[i].p, d, feature_pair(from[i].ref, from[i].inc));
    }
}

/// The face of a shape that looks along d, as supporting_face_of gives it, in the shape's frame. Of a round one that is pushed nearer to its rim than to its axis a point of the
/// rim is where it is pushed, so that it does not tip between two that are fixed in it.
template <class S, class T>
[[nodiscard]] constexpr polygon<S> face_pushed_at(T const& shape, vec3<S> const& d, push_line<S> const* pushed) noexcept {
    polygon<S> const face = supporting_face_of<S>(shape, d);
    if constexpr (is_revolved<T>) {
        if (pushed == nullptr || face.size() < 3) return face;
        vec3<S> out = pushed->through(face[0].position, d);
        out[1] = S(0);
        vec3<S> const rim{face[0].position.x(), S(0), face[0].position.z()};
        S const out2 = squared_norm(out);
        if (!(out2 * S(4) > squared_norm(rim))) return face;
        return supporting_face_of<S>(shape, d + out * (S(value_type_t<S>(0.05)) / sqrt(out2)));
    } else {
        return face;
    }
}

/// The edge of a core that looks along n: true if just two corners of the polygon do, within `slack`.
template <class S>
[[nodiscard]] constexpr bool edge_along(polygon<S> const& p, vec3<S> const& n, S const& slack, std::size_t& i, std::size_t& j) noexcept {
    if (p.size() < 2) return false;
    S top = dot(n, p[0].position);
    for (std::size_t k = 1; k < p.size(); ++k) top = max(top, dot(n, p[k].position));
    std::size_t found = 0;
    for (std::size_t k = 0; k < p.size(); ++k)
        if (dot(n, p[k].position) >= top - slack) {
            if (found == 0) i = k;
            if (found == 1) j = k;
            ++found;
        }
    return found == 2;
}

/// The stretch that two edges share alongside each other, seen along n: its two ends. False where they cross or pass by.
template <class S>
constexpr bool clip_edges(face_point<S> const& a0, face_point<S> const& a1, face_point<S> const& b0, face_point<S> const& b1, vec3<S> const& n,
                          contact_patch<S>& out) noexcept {
    vec3<S> const ea = a1.position - a0.position, eb = b1.position - b0.position;
    vec3<S> const fa = ea - dot(n, ea) * n, fb = eb - dot(n, eb) * n;
    S const aa = dot(fa, fa), bb = dot(fb, fb), ab = dot(fa, fb);
    if (!(aa > S(0) && bb > S(0))) return false;
    // Alongside, and one above the other: within one part in two hundred.
    S const loose2 = S(value_type_t<S>(2.5e-5));
    if (squared_norm(cross(fa, fb)) > loose2 * aa * bb) return false;
    vec3<S> const between = b0.position - a0.position;
    vec3<S> const aside = between - dot(n, between) * n - (dot(fa, between) / aa) * fa;
    if (squared_norm(aside) > loose2 * min(aa, bb)) return false;
    // b's ends on a, in parts of a.
    S const t0 = dot(fa, b0.position - a0.position) / aa, t1 = dot(fa, b1.position - a0.position) / aa;
    bool const same_way = ab > S(0);
    S const low = same_way ? t0 : t1, high = same_way ? t1 : t0;
    face_point<S> const &b_low = same_way ? b0 : b1, &b_high = same_way ? b1 : b0;
    S const noise = S(value_type_t<S>(1e-4));
    bool const low_of_a = low < noise, high_of_a = high > S(1) - noise;
    S const lo = low_of_a ? S(0) : low, hi = high_of_a ? S(1) : high;
    if (!(hi - lo > noise)) return false;
    // Surfaces lie across the edges.
    vec3<S> const na = normalize(n - (dot(n, ea) / dot(ea, ea)) * ea), nb = normalize(n - (dot(n, eb) / dot(eb, eb)) * eb);
    auto const put = [&](S const& t, std::uint32_t of_a, std::uint32_t of_b) {
        S const u = clamp((t - t0) / (t1 - t0), S(0), S(1));
        vec3<S> const pa = a0.position + t * ea + out.ra * na, pb = b0.position + u * eb - out.rb * nb;
        out.add(pa, pb, dot(n, pb - pa), feature_pair(of_a, of_b));
    };
    put(lo, low_of_a ? vertex_code(a0) : edge_code(a0), low_of_a ? edge_code(b0) : vertex_code(b_low));
    put(hi, high_of_a ? vertex_code(a1) : edge_code(a0), high_of_a ? edge_code(b0) : vertex_code(b_high));
    return true;
}

/// Adds what two cores share, given the polygons that look along the normal, both in one frame. `separation_along(m)` is that of the
/// cores along another unit vector.
template <class S, class Separation>
constexpr void make_patch(core_contact<S> const& c, polygon<S> const& a, polygon<S> const& b, Separation const& separation_along, contact_patch<S>& out) noexcept {
    out.count = 0;
    out.normal = c.normal;
    S const coherence = S(value_type_t<S>(1e-3));
    S const distance = c.separation - out.ra - out.rb;
    S slack = S(0);
    if (a.size() > 1 && b.size() > 1) {
        S const extent_a = extent_of(a), extent_b = extent_of(b);
        // Of the smaller one: what lies on wide ground is not known less well for that, but for the rounding of the ground's size.
        slack = max(coherence * min(extent_a, extent_b), S(64) * epsilon_v<S> * max(extent_a, extent_b));
        S const same = S(1) - S(4) * epsilon_v<S>;
        S const steep = S(value_type_t<S>(0.7));
        S const cos_a = a.is_face() ? dot(a.normal, c.normal) : S(0), cos_b = b.is_face() ? -dot(b.normal, c.normal) : S(0);
        bool face_a = false, face_b = false;
        S of_a{}, of_b{};
        if (cos_a > steep) {
            of_a = cos_a >= same ? c.separation : separation_along(a.normal);
            face_a = of_a >= c.separation - slack;
        }
        if (cos_b > steep) {
            of_b = cos_b >= same ? c.separation : separation_along(-b.normal);
            face_b = of_b >= c.separation - slack;
        }
        if (face_a && face_b) {
            bool const prefer_b = of_b > of_a + S(value_type_t<S>(0.1)) * slack;
            face_a = !prefer_b;
            face_b = prefer_b;
        }
        if (face_a) {
            clip_to_face<false>(a, b, a.normal, out);
            out.normal = a.normal;
        } else if (face_b) {
            clip_to_face<true>(b, a, b.normal, out);
            out.normal = -b.normal;
        }
        // A face that is as good as the given normal, but looks elsewhere, must touch as deep; else that normal is kept.
        if ((face_a || face_b) && dot(out.normal, c.normal) < S(1) - slack_of_normal<S> && out.nearest() > distance + slack) out.count = 0;
        if (out.count == 0) {
            out.normal = c.normal;
            std::size_t a0 = 0, a1 = 0, b0 = 0, b1 = 0;
            if (edge_along(a, c.normal, coherence * extent_a, a0, a1) && edge_along(b, -c.normal, coherence * extent_b, b0, b1))
                clip_edges(a[a0], a[a1], b[b0], b[b1], c.normal, out);
        }
    }
    // Round rims and ends touch between the corners of their polygons; a corner touches alone.
    if (out.nearest() > distance + slack) {
        vec3<S> const on_a = c.on_a + out.ra * c.normal, on_b = c.on_b - out.rb * c.normal;
        S const along = out.count == 0 ? distance : dot(out.normal, on_b - on_a);  // of the normal that the patch has taken
        out.add(on_a, on_b, along, feature_pair(feature_code(feature_kind::surface, 0), feature_code(feature_kind::surface, 0)));
    }
}

/// The best of a patch's points, its frame seen from f; `pushed` is in that of the patch.
template <class S>
[[nodiscard]] constexpr manifold<S> finished(contact_patch<S> const& patch, frame<S> const& f, push_line<S> const* pushed = nullptr) noexcept {
    manifold<S> m;
    if (patch.count == 0) return m;
    std::size_t chosen[4] = {};
    std::size_t const kept = choose_four(patch.points, patch.count, patch.normal, chosen, pushed);
    m.normal = f.direction(patch.normal);
    for (std::size_t i = 0; i < kept; ++i) {
        contact_point<S> const& p = patch.points[chosen[i]];
        m.points.push_back({f.point(p.on_a), f.point(p.on_b), p.distance, p.feature});
    }
    return m;
}

}  // namespace detail

}  // namespace sinew::inline v0
