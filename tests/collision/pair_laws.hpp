#pragma once
// What every pair of convex shapes must satisfy, and a slow reference in long double to hold it against.
//
//   sep(n) = min over B of n . b - max over A of n . a        for every unit n a lower bound of the distance
//
// Apart, an answer proves itself: the distance is at least sep(n), at most |on_b - on_a|. Deep, -max sep over all n is the depth: for
// polytopes the maximum is at a normal of a face or across two edges, all of which are tried; for round shapes the sphere of
// directions is sampled, and the best are improved by turning them ever less.

#include <sinew/collision/distance.hpp>
#include <sinew/constraint/random_state.hpp>
#include <sinew/geometry/cone.hpp>
#include <sinew/geometry/cylinder.hpp>
#include <sinew/geometry/half_space.hpp>
#include <sinew/geometry/hull.hpp>
#include <sinew/geometry/rounded.hpp>
#include <sinew/geometry/triangle.hpp>

#include <geometry/ellipsoid.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew_test {

using namespace sinew;
using real = long double;

// ---- The same shape in long double

// The processor's root: sinew's own of a long double is made of steps, since it is also had in constant expressions.
inline real root(real x) { return std::sqrt(x); }
inline real length(vec3<real> const& v) { return root(dot(v, v)); }
inline vec3<real> unit(vec3<real> const& v) {
    real const n = length(v);
    return n > 0 ? v / n : v;
}


inline vec3<real> precise(auto const& v) { return {real(v[0]), real(v[1]), real(v[2])}; }

template <class S>
frame<real> precise(frame<S> const& f) {
    frame<real> r;
    r.position = precise(f.position);
    for (std::size_t i = 0; i < 9; ++i) r.rotation.m.e[i] = real(f.rotation.m.e[i]);
    return r;
}

/// A shape as the reference sees it: support, corners of a polytope, directions of its edges and normals of its faces, signed distance.
struct reference_shape {
    enum class kind { points, cylinder, cone, ellipsoid, half_space } what = kind::points;
    std::vector<vec3<real>> corners, edges, normals;
    real radius = 0, half_height = 0, margin = 0, offset = 0;
    vec3<real> semi_axes{};
    frame<real> at;

    [[nodiscard]] bool is_polytope() const { return what == kind::points; }
    [[nodiscard]] vec3<real> local_support(vec3<real> const& d) const {
        switch (what) {
            case kind::points: {
                std::size_t best = 0;
                for (std::size_t i = 1; i < corners.size(); ++i)
                    if (dot(corners[i], d) > dot(corners[best], d)) best = i;
                return corners[best];
            }
            case kind::cylinder:
            case kind::cone: {
                real const lateral = root(d[0] * d[0] + d[2] * d[2]);
                real const k = lateral > 0 ? radius / lateral : 0;
                vec3<real> const rim{k * d[0], 0, k * d[2]};
                if (what == kind::cylinder) return {rim[0], d[1] < 0 ? -half_height : half_height, rim[2]};
                vec3<real> const base{rim[0], -half_height, rim[2]}, tip{0, half_height, 0};
                return dot(base, d) > dot(tip, d) ? base : tip;
            }
            case kind::ellipsoid: {
                vec3<real> const u = unit(vec3<real>{semi_axes[0] * d[0], semi_axes[1] * d[1], semi_axes[2] * d[2]});
                return {semi_axes[0] * u[0], semi_axes[1] * u[1], semi_axes[2] * u[2]};
            }
            case kind::half_space: return offset * normals[0];  // along its normal; it has no other
        }
        return {};
    }
    /// max over the whole shape of n . x, n unit, world.
    [[nodiscard]] real height(vec3<real> const& n) const {
        if (what == kind::half_space) return dot(at.direction(normals[0]), at.position) + offset;
        return dot(n, at.point(local_support(at.local_direction(n)))) + margin;
    }

    /// 0 on the surface, within the accuracy of the point; outside positive.
    [[nodiscard]] real signed_distance(vec3<real> const& world) const {
        vec3<real> const p = at.local_point(world);
        auto const beyond = [](real x) { return x > 0 ? x : real(0); };
        switch (what) {
            case kind::cylinder: {
                real const x = root(p[0] * p[0] + p[2] * p[2]) - radius, y = abs(p[1]) - half_height;
                real const out = root(beyond(x) * beyond(x) + beyond(y) * beyond(y));
                return (out > 0 ? out : max(x, y)) - margin;
            }
            case kind::cone: {
                // The largest of the two boundary lines' distances: exact on the surface.
                real const x = root(p[0] * p[0] + p[2] * p[2]), slant = root(radius * radius + 4 * half_height * half_height);
                return max((2 * half_height * x + radius * (p[1] - half_height)) / slant, -p[1] - half_height) - margin;
            }
            case kind::ellipsoid: {
                vec3<real> const u{p[0] / semi_axes[0], p[1] / semi_axes[1], p[2] / semi_axes[2]};
                vec3<real> const g{u[0] / semi_axes[0], u[1] / semi_axes[1], u[2] / semi_axes[2]};
                return (dot(u, u) - 1) / (2 * length(g));
            }
            case kind::half_space: return dot(normals[0], p) - offset;
            case kind::points: break;
        }
        if (corners.size() == 1) return length(p - corners[0]) - margin;
        if (corners.size() == 2) {
            vec3<real> const d = corners[1] - corners[0];
            real const dd = dot(d, d), t = dd > 0 ? std::clamp(dot(p - corners[0], d) / dd, real(0), real(1)) : real(0);
            return length(p - corners[0] - t * d) - margin;
        }
        if (margin > 0) {  // a rounded box: corner 7 is its half extents
            vec3<real> const h = corners[7];
            vec3<real> const q{beyond(abs(p[0]) - h[0]), beyond(abs(p[1]) - h[1]), beyond(abs(p[2]) - h[2])};
            return length(q) - margin;
        }
        real out = -infinity_v<real>;
        for (auto const& n : normals) {
            real top = -infinity_v<real>;
            for (auto const& c : corners) top = max(top, dot(n, c));
            out = max(out, dot(n, p) - top);
        }
        return out;
    }
};

template <class S>
reference_shape reference_of(half_space<S> const& s, frame<S> const& f) {
    reference_shape r;
    r.what = reference_shape::kind::half_space;
    r.at = precise(f);
    r.normals = {unit(precise(s.normal))};
    r.offset = real(s.offset);
    return r;
}
template <class S>
reference_shape reference_of(sphere<S> const& s, frame<S> const& f) {
    reference_shape r;
    r.at = precise(f);
    r.corners = {{0, 0, 0}};
    r.margin = real(s.radius);
    return r;
}
template <class S>
reference_shape reference_of(capsule<S> const& s, frame<S> const& f) {
    reference_shape r;
    r.at = precise(f);
    r.corners = {{0, -real(s.half_height), 0}, {0, real(s.half_height), 0}};
    r.edges = {{0, 1, 0}};
    r.margin = real(s.radius);
    return r;
}
template <class S>
reference_shape reference_of(box<S> const& s, frame<S> const& f) {
    reference_shape r;
    r.at = precise(f);
    for (std::size_t i = 0; i < 8; ++i) r.corners.push_back(precise(s.corner(i)));
    r.edges = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    r.normals = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    return r;
}
template <class S>
reference_shape reference_of(rounded_box<S> const& s, frame<S> const& f) {
    reference_shape r = reference_of(s.core, f);
    r.margin = real(s.radius);
    return r;
}
template <class S>
reference_shape reference_of(cylinder<S> const& s, frame<S> const& f) {
    reference_shape r;
    r.what = reference_shape::kind::cylinder;
    r.at = precise(f);
    r.radius = real(s.radius);
    r.half_height = real(s.half_height);
    return r;
}
template <class S>
reference_shape reference_of(cone<S> const& s, frame<S> const& f) {
    reference_shape r;
    r.what = reference_shape::kind::cone;
    r.at = precise(f);
    r.radius = real(s.radius);
    r.half_height = real(s.half_height);
    return r;
}
template <class S>
reference_shape reference_of(ellipsoid<S> const& s, frame<S> const& f) {
    reference_shape r;
    r.what = reference_shape::kind::ellipsoid;
    r.at = precise(f);
    r.semi_axes = precise(s.semi_axes);
    return r;
}
template <class S>
reference_shape reference_of(triangle<S> const& s, frame<S> const& f) {
    reference_shape r;
    r.at = precise(f);
    r.corners = {precise(s.a), precise(s.b), precise(s.c)};
    r.edges = {r.corners[1] - r.corners[0], r.corners[2] - r.corners[1], r.corners[0] - r.corners[2]};
    vec3<real> const n = unit(cross(r.edges[0], r.edges[1]));
    r.normals = {n, -n};
    for (auto const& e : r.edges) r.normals.push_back(unit(cross(e, n)));
    return r;
}
template <class S>
reference_shape reference_of(convex_polytope<S> const& s, frame<S> const& f) {
    reference_shape r;
    r.at = precise(f);
    for (auto const& v : s.vertices()) r.corners.push_back(precise(v));
    for (auto const& e : s.edges()) r.edges.push_back(r.corners[e.b] - r.corners[e.a]);
    for (auto const& face : s.faces()) {
        // From the corners: the face's own normal is rounded.
        auto const c = s.corners(face);
        vec3<real> n{0, 0, 0};
        for (std::size_t i = 1; i + 1 < c.size(); ++i) n = n + cross(r.corners[c[i]] - r.corners[c[0]], r.corners[c[i + 1]] - r.corners[c[0]]);
        r.normals.push_back(unit(n));
    }
    return r;
}

/// sep(n), see above.
inline real separation_along(reference_shape const& a, reference_shape const& b, vec3<real> const& n) { return -b.height(-n) - a.height(n); }

/// The largest sep(n) over all n: minus the depth of what overlaps; of what is apart a lower bound of the distance.
inline real largest_separation(reference_shape const& a, reference_shape const& b, splitmix64& random) {
    real best = -infinity_v<real>;
    vec3<real> best_n{};
    auto const attempt = [&](vec3<real> const& n) {
        real const s = separation_along(a, b, n);
        if (s > best) {
            best = s;
            best_n = n;
        }
        return s;
    };
    for (auto const* s : {&a, &b})
        if (s->what == reference_shape::kind::half_space) return attempt((s == &a ? 1 : -1) * s->at.direction(s->normals[0]));
    if (a.is_polytope() && b.is_polytope()) {
        for (auto const& n : a.normals) attempt(a.at.direction(n));
        for (auto const& n : b.normals) attempt(-b.at.direction(n));
        for (auto const& p : a.edges)
            for (auto const& q : b.edges) {
                vec3<real> const x = cross(a.at.direction(p), b.at.direction(q));
                if (length(x) < 1e-12L * length(p) * length(q)) continue;
                attempt(unit(x));
                attempt(-unit(x));
            }
        // Where a core is a point or a segment: the nearest points of the cores.
        if (a.corners.size() <= 2 && b.corners.size() <= 2) {
            vec3<real> const w = unit(b.at.position - a.at.position);
            attempt(length(w) > 0 ? w : vec3<real>{0, 1, 0});
        }
        return best;
    }
    struct candidate {
        vec3<real> n;
        real s;
    };
    std::vector<candidate> tried;
    auto const add = [&](vec3<real> const& n) { tried.push_back({n, separation_along(a, b, n)}); };
    for (int i = 0; i < 250; ++i) add(random_direction<real, 3>(random));
    for (auto const* s : {&a, &b}) {
        real const sign = s == &a ? 1 : -1;
        for (auto const& n : s->normals) add(sign * s->at.direction(n));
        if (s->what != reference_shape::kind::points) {
            add(s->at.direction(vec3<real>{0, 1, 0}));
            add(s->at.direction(vec3<real>{0, -1, 0}));
        }
    }
    std::partial_sort(tried.begin(), tried.begin() + 6, tried.end(), [](candidate const& x, candidate const& y) { return x.s > y.s; });
    for (int i = 0; i < 6; ++i) {
        candidate c = tried[static_cast<std::size_t>(i)];
        for (real step = 0.2L, rounds = 0; step > 1e-9L && rounds < 200; ++rounds) {
            auto const t = orthonormal_basis(c.n);
            bool better = false;
            for (int k = 0; k < 8; ++k) {
                constexpr real cosines[8] = {1, 0.70710678118L, 0, -0.70710678118L, -1, -0.70710678118L, 0, 0.70710678118L};
                vec3<real> const n = unit(c.n + step * (cosines[k] * t.u + cosines[(k + 2) % 8] * t.v));
                real const s = separation_along(a, b, n);
                if (s > c.s) {
                    c = {n, s};
                    better = true;
                    break;
                }
            }
            if (!better) step *= 0.5L;
        }
        attempt(c.n);
    }
    return best;
}

// ---- Random shapes of about a metre

template <class T>
struct make;
template <class S>
struct make<half_space<S>> {
    static constexpr char const* name = "half_space";
    static half_space<S> random(splitmix64& r) { return {random_direction<S, 3>(r), random_number(r, S(-1), S(1))}; }
};
template <class S>
struct make<sphere<S>> {
    static constexpr char const* name = "sphere";
    static sphere<S> random(splitmix64& r) { return {random_number(r, S(0.2), S(1))}; }
};
template <class S>
struct make<capsule<S>> {
    static constexpr char const* name = "capsule";
    static capsule<S> random(splitmix64& r) { return {random_number(r, S(0.1), S(0.5)), random_number(r, S(0.1), S(1))}; }
};
template <class S>
struct make<box<S>> {
    static constexpr char const* name = "box";
    static box<S> random(splitmix64& r) { return {{random_number(r, S(0.1), S(1)), random_number(r, S(0.1), S(1)), random_number(r, S(0.1), S(1))}}; }
};
template <class S>
struct make<rounded_box<S>> {
    static constexpr char const* name = "rounded_box";
    static rounded_box<S> random(splitmix64& r) { return {make<box<S>>::random(r), random_number(r, S(0.02), S(0.3))}; }
};
template <class S>
struct make<cylinder<S>> {
    static constexpr char const* name = "cylinder";
    static cylinder<S> random(splitmix64& r) { return {random_number(r, S(0.2), S(0.8)), random_number(r, S(0.1), S(1))}; }
};
template <class S>
struct make<cone<S>> {
    static constexpr char const* name = "cone";
    static cone<S> random(splitmix64& r) { return {random_number(r, S(0.2), S(0.8)), random_number(r, S(0.2), S(1))}; }
};
template <class S>
struct make<ellipsoid<S>> {
    static constexpr char const* name = "ellipsoid";
    static ellipsoid<S> random(splitmix64& r) { return {{random_number(r, S(0.3), S(1)), random_number(r, S(0.3), S(1)), random_number(r, S(0.3), S(1))}}; }
};
template <class S>
struct make<triangle<S>> {
    static constexpr char const* name = "triangle";
    static triangle<S> random(splitmix64& r) {
        return {random_vector<S, 3>(r, S(1)), random_vector<S, 3>(r, S(1)), random_vector<S, 3>(r, S(1))};
    }
};
template <class S>
struct make<convex_polytope<S>> {
    static constexpr char const* name = "polytope";
    static convex_polytope<S> random(splitmix64& r) {
        std::vector<vec3<S>> points;
        auto const n = 5 + r() % 16;
        for (std::size_t i = 0; i < n; ++i) points.push_back(random_vector<S, 3>(r, S(1)));
        return convex_hull(points);
    }
};

template <class S>
frame<S> random_frame(splitmix64& r, S reach) {
    return {random_vector<S, 3>(r, reach), random_rotation<rotation_matrix<S>>(r)};
}

/// The shape and its place enlarged: by a power of two nothing is rounded.
template <class S>
half_space<S> scaled(half_space<S> const& s, S k) {
    return {s.normal, s.offset * k};
}
template <class S>
sphere<S> scaled(sphere<S> const& s, S k) {
    return {s.radius * k};
}
template <class S>
capsule<S> scaled(capsule<S> const& s, S k) {
    return {s.radius * k, s.half_height * k};
}
template <class S>
box<S> scaled(box<S> const& s, S k) {
    return {s.half_extents * k};
}
template <class S>
rounded_box<S> scaled(rounded_box<S> const& s, S k) {
    return {scaled(s.core, k), s.radius * k};
}
template <class S>
cylinder<S> scaled(cylinder<S> const& s, S k) {
    return {s.radius * k, s.half_height * k};
}
template <class S>
cone<S> scaled(cone<S> const& s, S k) {
    return {s.radius * k, s.half_height * k};
}
template <class S>
ellipsoid<S> scaled(ellipsoid<S> const& s, S k) {
    return {s.semi_axes * k};
}
template <class S>
triangle<S> scaled(triangle<S> const& s, S k) {
    return {s.a * k, s.b * k, s.c * k};
}
template <class S>
convex_polytope<S> scaled(convex_polytope<S> const& s, S k) {
    std::vector<vec3<S>> points;
    for (auto const& v : s.vertices()) points.push_back(v * k);
    return convex_hull(points);
}
template <class S>
frame<S> scaled(frame<S> f, S k) {
    f.position = f.position * k;
    return f;
}

}  // namespace sinew_test
