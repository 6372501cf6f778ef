#pragma once
// The round end of a cylinder or a cone, as a polygon that contacts can be clipped from.

#include <sinew/geometry/shape.hpp>

namespace sinew::inline v0::detail {

inline constexpr std::size_t cap_points = 8;

// The direction of rim point i in the plane of the cap: (x, z), from z towards x.
template <class S>
[[nodiscard]] constexpr vec<S, 2> rim_direction(std::size_t i) noexcept {
    S const h = sqrt(ratio<S>(1, 2));
    S const sine[8] = {S(0), h, S(1), h, S(0), -h, S(-1), -h};
    return {sine[i % 8], sine[(i + 2) % 8]};
}

// Eight points of the rim, fixed in the shape, so that a cylinder that stands keeps its contacts. If d leans to a side, the
// one nearest to the lowest point of the rim moves there: a rim that rolls touches where it must. Features from `first` on.
template <class S>
[[nodiscard]] constexpr polygon<S> cap_face(S const& radius, S const& level, bool up, vec3<S> const& d, std::size_t first) noexcept {
    S const lateral = d.x() * d.x() + d.z() * d.z();
    std::size_t moved = cap_points;
    if (lateral * S(1000000) > d.y() * d.y()) {  // less than a milliradian is noise
        S best{0};
        for (std::size_t i = 0; i < cap_points; ++i) {
            vec<S, 2> const u = rim_direction<S>(i);
            S const along = u[0] * d.x() + u[1] * d.z();
            if (along > best) best = along, moved = i;
        }
    }
    polygon<S> p;
    for (std::size_t n = 0; n < cap_points; ++n) {
        std::size_t const i = up ? n : cap_points - 1 - n;
        vec<S, 2> const u = i == moved ? vec<S, 2>{d.x(), d.z()} / sqrt(lateral) : rim_direction<S>(i);
        p.add({radius * u[0], level, radius * u[1]}, first + i);
    }
    p.normal = {S(0), up ? S(1) : S(-1), S(0)};
    return p;
}

// The direction of d across the axis y, or some direction where d has none.
template <class S>
[[nodiscard]] constexpr vec3<S> across_axis(vec3<S> const& d) noexcept {
    vec3<S> const u = normalize(vec3<S>{d.x(), S(0), d.z()});
    return u.x() == S(0) && u.z() == S(0) ? vec3<S>{S(1), S(0), S(0)} : u;
}

// The part of a ray between the planes y = -h and y = h, and whether it enters through one of them.
template <class S>
struct slab_span {
    S enters, leaves;
};
template <class S>
[[nodiscard]] constexpr slab_span<S> span_in_slab(vec3<S> const& origin, vec3<S> const& direction, S const& h) noexcept {
    S const o = origin.y(), v = direction.y();
    if (v == S(0)) return abs(o) <= h ? slab_span<S>{-infinity_v<S>, infinity_v<S>} : slab_span<S>{infinity_v<S>, -infinity_v<S>};
    S const reach = v < S(0) ? -h : h;
    return {(-reach - o) / v, (reach - o) / v};
}

}  // namespace sinew::inline v0::detail
