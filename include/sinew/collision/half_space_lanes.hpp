#pragma once
// A half space against a sphere, a capsule or a box in lanes: in each other points look down, or none. The same as half_space_pairs.hpp without a branch, and
// with its bits.
//
//   feet      the points of the shape's core that may be lowest: its supporting face. Which it is differs by lane, and so does how many there are
//   points    those near the plane, closed up: the first `count` of four, in every lane its own, the deepest first
//   feature   the number of the corner; the plane has but one face, so that it names the point

#include <sinew/geometry/box.hpp>
#include <sinew/geometry/capsule.hpp>
#include <sinew/geometry/half_space.hpp>
#include <sinew/geometry/sphere.hpp>

namespace sinew::inline v0::detail {

template <class S, std::size_t N>
struct shape_feet {
    static constexpr std::size_t size = N;
    vec3<S> position[N]{};
    S feature[N]{};
    mask_t<S> here[N]{};
};

template <class S>
[[nodiscard]] constexpr shape_feet<S, 1> feet_of(sphere<S> const&, vec3<S> const&) noexcept {
    shape_feet<S, 1> f;
    f.here[0] = true;
    return f;
}
template <class S>
[[nodiscard]] constexpr shape_feet<S, 2> feet_of(capsule<S> const& c, vec3<S> const& d) noexcept {
    shape_feet<S, 2> f;
    auto const sideways = d.y() * d.y() <= d.x() * d.x() + d.z() * d.z(), below = d.y() < S(0);
    f.position[0].y() = -c.half_height;
    f.position[1].y() = c.half_height;
    f.feature[1] = S(1);
    f.here[0] = sideways || below;
    f.here[1] = sideways || !below;
    return f;
}
template <class S>
[[nodiscard]] constexpr shape_feet<S, 4> feet_of(box<S> const& b, vec3<S> const& d) noexcept {
    shape_feet<S, 4> f;
    auto const second = abs(d[1]) > abs(d[0]), third = abs(d[2]) > select(second, abs(d[1]), abs(d[0]));
    mask_t<S> const along[3] = {!second && !third, second && !third, third};
    auto const up = !(select(third, d[2], select(second, d[1], d[0])) < S(0));
    for (std::size_t i = 0; i < 4; ++i) {
        f.here[i] = true;
        for (std::size_t j = 0; j < 3; ++j) {
            // The axis of the face, the one behind it, and the third: see box::face_corner.
            auto const beyond = select(along[j], up, select(along[(j + 2) % 3], mask_t<S>(i == 1 || i == 2), i >= 2 ? up : !up));
            f.position[i][j] = select(beyond, b.half_extents[j], -b.half_extents[j]);
            f.feature[i] = f.feature[i] + select(beyond, S(1 << j), S(0));
        }
    }
    return f;
}

/// Which shapes meet half spaces in lanes.
template <class T, class S>
concept has_feet = requires(T const& shape, vec3<S> const& d) { feet_of(shape, d); };

template <class S>
struct lane_manifold_points {
    vec3<S> normal{};  // out of the half space
    vec3<S> on_plane[4]{}, on_shape[4]{};
    S feature[4]{}, count{};
    std::size_t most = 0;  // of any lane
};

/// Points at most `margin` apart, in the lanes that are asked for.
template <class S, class B>
[[nodiscard, gnu::flatten, gnu::noinline]] constexpr lane_manifold_points<S> half_space_points(half_space<S> const& a, frame<S> const& fa, B const& b, frame<S> const& fb, S const& margin, mask_t<S> const& on) noexcept {
    lane_manifold_points<S> m;
    S const rb = margin_of<S>(b);
    vec3<S> const n = fa.direction(a.normal);
    vec3<S> const down = -fb.local_direction(n);
    S const origin = dot(n, fb.position - fa.position) - a.offset;
    S const least = origin - dot(down, b.support(down)) - rb;
    auto const near = on && !(least > margin);
    m.normal = n;
    auto const feet = feet_of(b, down);
    constexpr std::size_t size = decltype(feet)::size;
    vec3<S> local[size]{};
    S depth[size]{};
    for (std::size_t i = 0; i < size; ++i) {
        S const d = origin - dot(down, feet.position[i]) - rb;
        auto const taken = near && feet.here[i] && !(d > margin);
        for (std::size_t k = 0; k <= i; ++k) {
            auto const here = taken && m.count == S(static_cast<int>(k));
            local[k] = select(here, feet.position[i], local[k]);
            depth[k] = select(here, d, depth[k]);
            m.feature[k] = select(here, feet.feature[i], m.feature[k]);
        }
        m.count = m.count + select(taken, S(1), S(0));
    }
    // The deepest changes places with the first.
    S best(0), deepest = depth[0];
    for (std::size_t i = 1; i < size; ++i) {
        auto const deeper = S(static_cast<int>(i)) < m.count && depth[i] < deepest;
        best = select(deeper, S(static_cast<int>(i)), best);
        deepest = select(deeper, depth[i], deepest);
    }
    for (std::size_t i = 1; i < size; ++i) {
        auto const swaps = best == S(static_cast<int>(i));
        if (!any(swaps)) continue;
        auto const exchange = [&](auto& x, auto& y) {
            auto const old = x;
            x = select(swaps, y, x);
            y = select(swaps, old, y);
        };
        exchange(local[0], local[i]);
        exchange(depth[0], depth[i]);
        exchange(m.feature[0], m.feature[i]);
    }
    for (std::size_t i = 0; i < size; ++i) {
        if (any(S(static_cast<int>(i)) < m.count)) m.most = i + 1;
        m.on_shape[i] = fb.point(local[i]) - rb * n;
        m.on_plane[i] = m.on_shape[i] - depth[i] * n;
    }
    return m;
}

/// half_space::bounds in lanes.
template <class S>
[[nodiscard]] constexpr aabb<S> bounds_in_lanes(half_space<S> const& a, frame<S> const& f) noexcept {
    aabb<S> b = unbounded_aabb<S>();
    vec3<S> const n = f.direction(a.normal);
    for (std::size_t i = 0; i < 3; ++i) {
        auto const along = n[(i + 1) % 3] == S(0) && n[(i + 2) % 3] == S(0), up = n[i] > S(0);
        S const level = f.position[i] + select(up, a.offset, -a.offset);
        b.upper[i] = select(along && up, level, b.upper[i]);
        b.lower[i] = select(along && !up, level, b.lower[i]);
    }
    return b;
}
template <class S, class B>
[[nodiscard]] constexpr aabb<S> bounds_in_lanes(B const& b, frame<S> const& f) noexcept {
    return bounds_of<S>(b, f);
}
/// In which lanes two boxes share a point.
template <class S>
[[nodiscard]] constexpr mask_t<S> meet_in_lanes(aabb<S> const& a, aabb<S> const& b) noexcept {
    mask_t<S> r = true;
    for (std::size_t i = 0; i < 3; ++i) r = r && a.lower[i] <= b.upper[i] && b.lower[i] <= a.upper[i];
    return r;
}

}  // namespace sinew::inline v0::detail
