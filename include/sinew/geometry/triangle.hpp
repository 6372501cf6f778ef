#pragma once
// A triangle without thickness: the part that meshes are made of.

#include <sinew/geometry/shape.hpp>

namespace sinew::inline v0 {

/// Corners a, b, c (m), counter-clockwise seen from its front. It is solid from both sides.
template <scalar S>
struct triangle {
    using scalar_type = S;
    vec3<S> a{}, b{}, c{};  ///< m

    /// Out of the front, length 1; 0 if the corners are in line.
    [[nodiscard]] constexpr vec3<S> normal() const noexcept { return normalize(cross(b - a, c - a)); }
    [[nodiscard]] constexpr vec3<S> support(vec3<S> const& d) const noexcept {
        S const pa = dot(a, d), pb = dot(b, d), pc = dot(c, d);
        return select(pa < pb, select(pb < pc, c, b), select(pa < pc, c, a));
    }
    [[nodiscard]] constexpr S margin() const noexcept { return S(0); }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept {
        vec3<S> const p = f.point(a);
        return merged(merged(aabb<S>{p, p}, f.point(b)), f.point(c));
    }
    /// It has no volume, so no mass.
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const&) const noexcept {
        return {S(0), (a + b + c) * detail::ratio<S>(1, 3), {}};
    }
    [[nodiscard]] constexpr polygon<S> supporting_face(vec3<S> const& d) const noexcept {
        vec3<S> const n = normal();
        bool const front = !(dot(n, d) < S(0));
        polygon<S> p;
        p.add(a, 0);
        p.add(front ? b : c, front ? 1 : 2);
        p.add(front ? c : b, front ? 2 : 1);
        p.normal = front ? n : -n;
        return p;
    }
    /// From either side; the normal is that of the side that is hit.
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept {
        // Volumes of the tetrahedra of the ray with each edge: neighbours compute the same for an edge they share, but for its
        // sign, so that no ray passes between them (Woop et al. 2013).
        vec3<S> const p = a - r.origin, q = b - r.origin, s = c - r.origin, d = r.direction;
        S const u = dot(d, cross(s, q)), v = dot(d, cross(p, s)), w = dot(d, cross(q, p));
        if ((u < S(0) || v < S(0) || w < S(0)) && (u > S(0) || v > S(0) || w > S(0))) return {};
        S const sum = u + v + w;
        if (sum == S(0)) return {};
        S const t = (u * dot(p, d) + v * dot(q, d) + w * dot(s, d)) / sum;
        if (t < S(0) || t > r.length) return {};
        vec3<S> const n = normal();
        return detail::hit_at(r, t, dot(n, d) > S(0) ? -n : n);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        if (input_fault const f = first_fault(finite_parameter("a", a), finite_parameter("b", b), finite_parameter("c", c)); f.name != nullptr) return f;
        S const longest = max(max(squared_norm(b - a), squared_norm(c - a)), squared_norm(c - b));
        S const twice_area = norm(cross(b - a, c - a));
        bool const fine = twice_area > longest * epsilon_v<S> * S(4);
        return fine ? input_fault{} : input_fault{"corners", "must not be in one line; twice the area they enclose", detail::shown_number(twice_area)};
    }
    [[nodiscard]] friend constexpr bool operator==(triangle const&, triangle const&) = default;
};

}  // namespace sinew::inline v0
