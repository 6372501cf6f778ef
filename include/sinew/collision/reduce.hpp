#pragma once
// Of many contact points, the four that carry a body best.
//
// The first is the deepest. The second is farthest from it, the third spans the largest triangle with both, the fourth adds the
// most area on a side of that triangle that is still open. Points that are as good as equal are taken in their order, so that
// noise in the last digits does not make the choice jump from step to step.

#include <sinew/collision/manifold.hpp>

#include <cstddef>

namespace sinew::inline v0 {

namespace detail {

/// A contact point seen along the normal: where it is in the plane (m), and its distance (m).
template <class S>
struct planar_point {
    S u, w, z;
};

/// Adds a third and a fourth of n points to the two that are chosen, where they add to the area: a triangle counts if twice its area is more than a share of the
/// squared distance of the first two. How many there are then.
template <class S>
constexpr std::size_t complete_four(planar_point<S> const* p, std::size_t n, S const& least_share, std::size_t (&chosen)[4]) noexcept {
    S const slack = S(1) + S(value_type_t<S>(1e-3));
    std::size_t const first = chosen[0], second = chosen[1];
    S const u0 = p[first].u, w0 = p[first].w;
    // Twice the signed areas of (first, second, i): the largest on either side of the line of the first two. The larger of both makes
    // the triangle, the other the fourth point, unless one outside of the triangle's other edges adds more.
    S const u1 = p[second].u - u0, w1 = p[second].w - w0;
    S const least = least_share * (u1 * u1 + w1 * w1);
    std::size_t third = first;
    S side = S(0);
    S best = least;
    for (std::size_t i = 0; i < n; ++i) {
        S const area = u1 * (p[i].w - w0) - w1 * (p[i].u - u0);
        if (abs(area) > best) {
            best = abs(area) * slack;
            side = area;
            third = i;
        }
    }
    if (third == first) return 2;
    chosen[2] = third;
    S const turn = side < S(0) ? S(-1) : S(1);
    S const u2 = p[third].u, w2 = p[third].w;
    // Edges of the triangle, each with its outside on the right: (second - first), (third - second), (first - third).
    S const eu[3] = {turn * u1, turn * (u2 - p[second].u), turn * (u0 - u2)}, ew[3] = {turn * w1, turn * (w2 - p[second].w), turn * (w0 - w2)};
    S const fu[3] = {u0, p[second].u, u2}, fw[3] = {w0, p[second].w, w2};
    std::size_t fourth = first;
    best = least;
    for (std::size_t i = 0; i < n; ++i) {
        S area = ew[0] * (p[i].u - fu[0]) - eu[0] * (p[i].w - fw[0]);
        area = max(area, ew[1] * (p[i].u - fu[1]) - eu[1] * (p[i].w - fw[1]));
        area = max(area, ew[2] * (p[i].u - fu[2]) - eu[2] * (p[i].w - fw[2]));
        if (area > best && i != first && i != second && i != third) {
            best = area * slack;
            fourth = i;
        }
    }
    if (fourth == first) return 3;
    chosen[3] = fourth;
    return 4;
}

/// Chooses four of n points: the indices into `chosen`, the deepest first; how many is returned.
template <class S>
constexpr std::size_t choose_four(planar_point<S> const* p, std::size_t n, std::size_t (&chosen)[4]) noexcept {
    if (n <= 4) {
        std::size_t deepest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            chosen[i] = i;
            if (p[i].z < p[deepest].z) deepest = i;
        }
        chosen[deepest] = 0;
        chosen[0] = deepest;
        return n;
    }
    S const slack = S(1) + S(value_type_t<S>(1e-3));
    S deepest = p[0].z, left = p[0].u, right = p[0].u;
    for (std::size_t i = 1; i < n; ++i) {
        deepest = min(deepest, p[i].z);
        left = min(left, p[i].u);
        right = max(right, p[i].u);
    }
    // Among those that are deepest but for a thousandth of the extent, the first in order.
    std::size_t first = 0;
    while (p[first].z > deepest + S(value_type_t<S>(1e-3)) * (right - left)) ++first;
    S const u0 = p[first].u, w0 = p[first].w;

    std::size_t second = first;
    S best = S(0);
    for (std::size_t i = 0; i < n; ++i) {
        S const du = p[i].u - u0, dw = p[i].w - w0, d = du * du + dw * dw;
        if (d > best) {
            best = d * slack;
            second = i;
        }
    }
    chosen[0] = first;
    if (second == first) return 1;
    chosen[1] = second;
    return complete_four(p, n, S(value_type_t<S>(1e-6)), chosen);
}

/// Chooses four of n points, at most 64, with distances along `normal`.
template <class S>
constexpr std::size_t choose_four(contact_point<S> const* points, std::size_t n, vec3<S> const& normal, std::size_t (&chosen)[4]) noexcept {
    planar_point<S> planar[64];
    basis<S> const across = orthonormal_basis(normal);
    // From the first point: far from the origin, areas would be lost in rounding.
    for (std::size_t i = 0; i < n; ++i) {
        vec3<S> const d = points[i].on_b - points[0].on_b;
        planar[i] = {dot(across.u, d), dot(across.v, d), points[i].distance};
    }
    return choose_four(planar, n, chosen);
}

/// Adds the best four of n points to a manifold whose normal is set.
template <class S>
constexpr void keep_four(contact_point<S> const* points, std::size_t n, manifold<S>& m) noexcept {
    std::size_t chosen[4] = {};
    std::size_t const kept = choose_four(points, n, m.normal, chosen);
    for (std::size_t i = 0; i < kept; ++i) m.points.push_back(points[chosen[i]]);
}

}  // namespace detail

}  // namespace sinew::inline v0
