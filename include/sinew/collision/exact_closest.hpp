#pragma once
// The nearest points of spheres and capsules, and of these and boxes, while they are apart: of points and segments, in closed form.
//
// A sphere is a point, a capsule a segment  center + s axis, |s| <= half,  each grown by a ball. Where two of these cores meet, the distance
// is minus what they are grown by, and the normal is zero: how to part them is not asked here (exact_manifold tells).

#include <sinew/collision/capsule_box.hpp>
#include <sinew/collision/distance.hpp>
#include <sinew/collision/sphere_pairs.hpp>

#include <concepts>

namespace sinew::inline v0 {

namespace detail {

template <class T, class S>
concept is_segment_like = std::same_as<T, sphere<S>> || std::same_as<T, capsule<S>>;

template <class A, class B, class S>
concept has_exact_closest = is_segment_like<A, S> && (is_segment_like<B, S> || std::same_as<B, box<S>>);

/// Half the length of a sphere's or a capsule's core (m).
template <class S>
[[nodiscard]] constexpr S half_of_core(sphere<S> const&) noexcept {
    return S(0);
}
template <class S>
[[nodiscard]] constexpr S half_of_core(capsule<S> const& c) noexcept {
    return c.half_height;
}

template <class S, class A, class B>
    requires(is_segment_like<A, S> && is_segment_like<B, S>)
[[nodiscard]] constexpr closest<S> exact_closest(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb) noexcept {
    vec3<S> const q = fb.position - fa.position;  // all from a's centre
    vec3<S> pa{S(0), S(0), S(0)}, pb = q;
    if constexpr (!std::same_as<A, sphere<S>> && !std::same_as<B, sphere<S>>) {
        vec3<S> const u = fa.rotation.m.col(1), v = fb.rotation.m.col(1);
        S s{}, t{};
        nearest_on_segments(pa, u, half_of_core(a), q, v, half_of_core(b), s, t);
        pa = s * u;
        pb = q + t * v;
    } else if constexpr (!std::same_as<A, sphere<S>>) {
        vec3<S> const u = fa.rotation.m.col(1);
        pa = clamp(dot(q, u), -half_of_core(a), half_of_core(a)) * u;
    } else if constexpr (!std::same_as<B, sphere<S>>) {
        vec3<S> const v = fb.rotation.m.col(1);
        pb = q + clamp(-dot(q, v), -half_of_core(b), half_of_core(b)) * v;
    }
    vec3<S> const d = pb - pa, n = normalize(d);
    return {norm(d) - a.radius - b.radius, fa.position + (pa + a.radius * n), fa.position + (pb - b.radius * n), n, 0, 0};
}

template <class S, class A>
    requires is_segment_like<A, S>
[[nodiscard]] constexpr closest<S> exact_closest(A const& a, frame<S> const& fa, box<S> const& b, frame<S> const& fb) noexcept {
    vec3<S> const& h = b.half_extents;
    vec3<S> p = fb.local_point(fa.position);  // all seen from the box
    if constexpr (!std::same_as<A, sphere<S>>) {
        vec3<S> const u = fb.local_direction(fa.rotation.m.col(1));
        p = p + nearest_to_box(p, u, half_of_core(a), h) * u;
    }
    vec3<S> const foot{clamp(p[0], -h[0], h[0]), clamp(p[1], -h[1], h[1]), clamp(p[2], -h[2], h[2])};
    vec3<S> const d = foot - p, n = normalize(d);
    return {norm(d) - a.radius, fb.point(p + a.radius * n), fb.point(foot), fb.direction(n), 0, 0};
}

/// The nearest points of two shapes that are apart: without an iteration where that can be.
template <class S, class A, class B>
[[nodiscard]] constexpr closest<S> closest_apart(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb) noexcept {
    if constexpr (has_exact_closest<A, B, S>)
        return exact_closest<S>(a, fa, b, fb);
    else if constexpr (has_exact_closest<B, A, S>)
        return flipped(exact_closest<S>(b, fb, a, fa));
    else
        return closest_of_pair<S>(a, fa, b, fb, infinity_v<S>);
}

}  // namespace detail

}  // namespace sinew::inline v0
