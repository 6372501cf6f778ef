#pragma once
// Boxes along the axes of a frame: what a broad phase compares.
//
// A box may be unbounded: a half space's reaches to infinity. The empty box has lower = infinity, upper = -infinity, overlaps
// nothing that has an end, and is the neutral element of merged.

#include <sinew/geometry/frame.hpp>

namespace sinew::inline v0 {

/// All points between two corners (m), faces included.
template <scalar S>
struct aabb {
    using scalar_type = S;
    vec3<S> lower, upper;

    [[nodiscard]] friend constexpr bool operator==(aabb const&, aabb const&) = default;
};

template <class S>
[[nodiscard]] constexpr aabb<S> empty_aabb() noexcept {
    S const i = infinity_v<S>;
    return {{i, i, i}, {-i, -i, -i}};
}
template <class S>
[[nodiscard]] constexpr aabb<S> unbounded_aabb() noexcept {
    S const i = infinity_v<S>;
    return {{-i, -i, -i}, {i, i, i}};
}
/// Whether no point is inside; also where a corner is not a number.
template <class S>
[[nodiscard]] constexpr bool is_empty(aabb<S> const& b) noexcept {
    return !(b.lower[0] <= b.upper[0] && b.lower[1] <= b.upper[1] && b.lower[2] <= b.upper[2]);
}
template <class S>
[[nodiscard]] constexpr bool is_bounded(aabb<S> const& b) noexcept {
    return all(isfinite(b.lower)) && all(isfinite(b.upper));
}

/// Whether two boxes share a point; touching counts.
template <class S>
[[nodiscard]] constexpr bool overlaps(aabb<S> const& a, aabb<S> const& b) noexcept {
    return a.lower[0] <= b.upper[0] && b.lower[0] <= a.upper[0] && a.lower[1] <= b.upper[1] && b.lower[1] <= a.upper[1] && a.lower[2] <= b.upper[2] &&
           b.lower[2] <= a.upper[2];
}
template <class S>
[[nodiscard]] constexpr bool contains(aabb<S> const& box, vec3<S> const& p) noexcept {
    return box.lower[0] <= p[0] && p[0] <= box.upper[0] && box.lower[1] <= p[1] && p[1] <= box.upper[1] && box.lower[2] <= p[2] && p[2] <= box.upper[2];
}
/// Whether all of `inner` is inside.
template <class S>
[[nodiscard]] constexpr bool contains(aabb<S> const& box, aabb<S> const& inner) noexcept {
    return contains(box, inner.lower) && contains(box, inner.upper);
}

/// The smallest box around both.
template <class S>
[[nodiscard]] constexpr aabb<S> merged(aabb<S> const& a, aabb<S> const& b) noexcept {
    aabb<S> r{};
    for (std::size_t i = 0; i < 3; ++i) {
        r.lower[i] = min(a.lower[i], b.lower[i]);
        r.upper[i] = max(a.upper[i], b.upper[i]);
    }
    return r;
}
/// The smallest box around a box and a point.
template <class S>
[[nodiscard]] constexpr aabb<S> merged(aabb<S> const& a, vec3<S> const& p) noexcept {
    return merged(a, aabb<S>{p, p});
}
/// Moved outwards on every side (m).
template <class S>
[[nodiscard]] constexpr aabb<S> grown(aabb<S> const& b, std::type_identity_t<S> const& by) noexcept {
    vec3<S> const d{by, by, by};
    return {b.lower - d, b.upper + d};
}
/// Stretched to hold all places of a box on its way along a displacement (m).
template <class S>
[[nodiscard]] constexpr aabb<S> swept(aabb<S> const& b, vec3<S> const& along) noexcept {
    return merged(b, aabb<S>{b.lower + along, b.upper + along});
}

/// Of a bounded box.
template <class S>
[[nodiscard]] constexpr vec3<S> center(aabb<S> const& b) noexcept {
    value_type_t<S> const half(0.5);
    return b.lower * half + b.upper * half;
}
/// Half the edges (m).
template <class S>
[[nodiscard]] constexpr vec3<S> half_extents(aabb<S> const& b) noexcept {
    value_type_t<S> const half(0.5);  // not of S: a derivative of 0 times an unbounded edge is none
    return b.upper * half - b.lower * half;
}
/// m^2; 0 for the empty box.
template <class S>
[[nodiscard]] constexpr S surface_area(aabb<S> const& b) noexcept {
    if (is_empty(b)) return S(0);
    vec3<S> const d = b.upper - b.lower;
    return (d.x() * d.y() + d.y() * d.z() + d.z() * d.x()) * S(2);
}

/// The smallest box, along the axes of the outer frame, around a box that is given in the inner one (Arvo 1990).
template <class S>
[[nodiscard]] constexpr aabb<S> transformed(aabb<S> const& b, frame<S> const& f) noexcept {
    if (is_empty(b)) return empty_aabb<S>();
    aabb<S> r{f.position, f.position};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            S const m = f.rotation.m(i, j);
            // Zero times an infinite side would be no number.
            S const p = m == S(0) ? S(0) : m * b.lower[j], q = m == S(0) ? S(0) : m * b.upper[j];
            r.lower[i] = r.lower[i] + min(p, q);
            r.upper[i] = r.upper[i] + max(p, q);
        }
    return r;
}

}  // namespace sinew::inline v0
