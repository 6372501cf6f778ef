#pragma once
// Of many contact points, the four that carry a body best.
//
// The first is the deepest. The second is farthest from it, the third spans the largest triangle with both, the fourth adds the
// most area on a side of that triangle that is still open. Points that are as good as equal are taken in their order, so that
// noise in the last digits does not make the choice jump from step to step.
//
// What is about to tip stands on one edge of all corners that touch: of more than four those may be none that are chosen, and it would tip too soon. Where it presses near an edge
// of theirs, that edge is kept instead.

#include <sinew/collision/manifold.hpp>
#include <sinew/geometry/frame.hpp>

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

/// Chooses four of more than four points where the push upon all of them goes through (u, w): if that is nearer to their edge than to their middle, the ends of the edge
/// that it is nearest to, seen from there; the corner beyond, if it is near one of them; and the best besides, with the deepest among them, if it is deeper by a thousandth of their
/// extent. None, if the push is in the middle.
template <class S>
constexpr std::size_t choose_four_at_edge(planar_point<S> const* p, std::size_t n, S const& u, S const& w, std::size_t (&chosen)[4]) noexcept {
    S left = p[0].u, right = p[0].u, low = p[0].w, high = p[0].w;
    std::size_t deepest = 0;
    for (std::size_t i = 1; i < n; ++i) {
        left = min(left, p[i].u), right = max(right, p[i].u);
        low = min(low, p[i].w), high = max(high, p[i].w);
        if (p[i].z < p[deepest].z) deepest = i;
    }
    S const u0 = (left + right) / S(2), w0 = (low + high) / S(2), du = u - u0, dw = w - w0, far2 = du * du + dw * dw;
    S const extent2 = (right - left) * (right - left) + (high - low) * (high - low);
    if (!(far2 * S(100) > extent2)) return 0;
    // Along the way out, and across; of the edge that is crossed one end is on either side.
    S const far = sqrt(far2), eu = du / far, ew = dw / far;
    auto const along = [&](std::size_t i) { return (p[i].u - u0) * eu + (p[i].w - w0) * ew; };
    auto const across = [&](std::size_t i) { return (p[i].w - w0) * eu - (p[i].u - u0) * ew; };
    std::size_t one = 0, back = 0;
    for (std::size_t i = 1; i < n; ++i) {
        if (along(i) > along(one)) one = i;
        if (along(i) < along(back)) back = i;
    }
    std::size_t other = one;
    S crossing{};
    for (int again = 0; again < 3; ++again) {
        std::size_t best = one;
        S const t1 = across(one), s1 = along(one);
        for (std::size_t i = 0; i < n; ++i) {
            S const t = across(i);
            if ((t < S(0)) == (t1 < S(0)) || !(abs(t - t1) > S(0))) continue;
            S const s = (s1 * t - along(i) * t1) / (t - t1);
            if (best != one && !(s > crossing)) continue;
            crossing = s;
            best = i;
        }
        if (best == one) return 0;
        if (best == other) break;
        other = one;
        one = best;
    }
    if (!(far * S(2) > crossing)) return 0;
    if (abs(across(other)) < abs(across(one))) {
        std::size_t const swapped = one;
        one = other;
        other = swapped;
    }
    chosen[0] = one;
    chosen[1] = other;
    S const thin = S(value_type_t<S>(1e-3)) * sqrt(extent2), t1 = across(one), s1 = along(one);
    std::size_t third = one;
    if (p[deepest].z + thin < min(p[one].z, p[other].z)) {
        third = deepest;
    } else if (abs(t1) * S(4) < abs(t1 - across(other))) {
        S best{};
        for (std::size_t i = 0; i < n; ++i) {
            S const aside = abs(across(i) - t1);
            if (i == one || (across(i) < t1) == (across(other) < t1) || !(aside * aside * S(10000) > extent2)) continue;
            S const steep = (along(i) - s1) / aside;
            if (third != one && !(steep > best)) continue;
            best = steep;
            third = i;
        }
    }
    if (third == one) return complete_four(p, n, S(value_type_t<S>(1e-6)), chosen);
    chosen[2] = third;
    chosen[3] = back;
    std::size_t const count = back == one || back == other || back == third ? 3 : 4;
    std::size_t top = 0;
    for (std::size_t i = 1; i < count; ++i)
        if (p[chosen[i]].z < p[chosen[top]].z) top = i;
    std::size_t const swapped = chosen[0];
    chosen[0] = chosen[top];
    chosen[top] = swapped;
    return count;
}

/// A line along which what is on one side of a contact pushes upon it (world, or the frame in which it is asked for).
template <class S>
struct push_line {
    vec3<S> point{}, along{};
    [[nodiscard]] constexpr push_line seen_from(frame<S> const& f) const noexcept { return {f.local_point(point), f.local_direction(along)}; }
    /// Where it goes through the plane through p across n; the point as it is, if it does not.
    [[nodiscard]] constexpr vec3<S> through(vec3<S> const& p, vec3<S> const& n) const noexcept {
        S const down = dot(along, n);
        return down * down * S(10000) > squared_norm(along) ? point - along * (dot(point - p, n) / down) : point;
    }
};

/// Chooses four of n points, at most 64, with distances along `normal`. `pushed`: along which line, if that is known.
template <class S>
constexpr std::size_t choose_four(contact_point<S> const* points, std::size_t n, vec3<S> const& normal, std::size_t (&chosen)[4], push_line<S> const* pushed = nullptr) noexcept {
    planar_point<S> planar[64];
    basis<S> const across = orthonormal_basis(normal);
    // From the first point: far from the origin, areas would be lost in rounding.
    for (std::size_t i = 0; i < n; ++i) {
        vec3<S> const d = points[i].on_b - points[0].on_b;
        planar[i] = {dot(across.u, d), dot(across.v, d), points[i].distance};
    }
    if (pushed != nullptr && n > 4) {
        vec3<S> const d = pushed->through(points[0].on_b, normal) - points[0].on_b;
        std::size_t const kept = choose_four_at_edge(planar, n, dot(across.u, d), dot(across.v, d), chosen);
        if (kept > 0) return kept;
    }
    return choose_four(planar, n, chosen);
}

/// Whether a line goes through the plane of a manifold nearer to its points than to their middle.
template <class S>
[[nodiscard]] constexpr bool is_far_out(manifold<S> const& m, push_line<S> const& line) noexcept {
    vec3<S> middle{S(0), S(0), S(0)};
    for (auto const& p : m.points) middle = middle + p.on_b;
    middle = middle / S(value_type_t<S>(m.points.size()));
    S far{0};
    for (auto const& p : m.points) far = max(far, squared_norm(p.on_b - middle));
    return squared_norm(line.through(middle, m.normal) - middle) * S(4) > far;
}

/// Adds the best four of n points to a manifold whose normal is set.
template <class S>
constexpr void keep_four(contact_point<S> const* points, std::size_t n, manifold<S>& m, push_line<S> const* pushed = nullptr) noexcept {
    std::size_t chosen[4] = {};
    std::size_t const kept = choose_four(points, n, m.normal, chosen, pushed);
    for (std::size_t i = 0; i < kept; ++i) m.points.push_back(points[chosen[i]]);
}

}  // namespace detail

}  // namespace sinew::inline v0
