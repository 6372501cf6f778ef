#pragma once
// How far two shapes are apart, or how deep they overlap, and where.
//
//   closest<S> c = closest_points(shape_a, frame_a, shape_b, frame_b);
//   bool hit     = overlaps(shape_a, frame_a, shape_b, frame_b);
//
// The distance is signed: below 0 it is minus the length of the shortest way out, and moving b by -distance * normal separates the
// two. on_b - on_a = distance * normal. Composed shapes are as near, or as deep, as the part that is nearest, or deepest.

#include <sinew/collision/collide.hpp>

namespace sinew::inline v0 {

/// The nearest points of two shapes.
template <scalar S>
struct closest {
    using scalar_type = S;
    S distance = infinity_v<S>;            ///< m, negative when deep; infinite when nothing is within the limit
    vec3<S> on_a{S(0), S(0), S(0)};        ///< m, world
    vec3<S> on_b{S(0), S(0), S(0)};        ///< m, world
    vec3<S> normal{S(0), S(0), S(0)};      ///< unit, world, from a to b
    std::uint32_t part_a = 0, part_b = 0;  ///< of composed shapes

    [[nodiscard]] friend constexpr bool operator==(closest const&, closest const&) = default;
};

/// (b, a) from (a, b).
template <class S>
[[nodiscard]] constexpr closest<S> flipped(closest<S> const& c) noexcept {
    return {c.distance, c.on_b, c.on_a, -c.normal, c.part_b, c.part_a};
}

namespace detail {

template <class S, class A, class B>
[[nodiscard]] constexpr closest<S> closest_of_pair(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, S const& limit) noexcept {
    if constexpr (is_half_space<A, S> && is_half_space<B, S>) {
        return {};
    } else if constexpr (is_half_space<A, S>) {
        S const rb = margin_of<S>(b);
        vec3<S> const n = fa.direction(vec3<S>(a.normal));
        vec3<S> const down = -fb.local_direction(n), lowest = b.support(down);
        S const d = dot(n, fb.position - fa.position) - a.offset - dot(down, lowest) - rb;
        if (d > limit) return {};
        vec3<S> const on_b = fb.point(lowest) - rb * n;
        return {d, on_b - d * n, on_b, n, 0, 0};
    } else if constexpr (is_half_space<B, S>) {
        return flipped(closest_of_pair<S>(b, fb, a, fa, limit));
    } else {
        S const ra = margin_of<S>(a), rb = margin_of<S>(b);
        core_pair<S, A, B> const pair(a, fa, b, fb);
        gjk_result<S> const r = pair.nearest(limit + ra + rb);
        if (r.status == gjk_status::beyond || (r.status == gjk_status::apart && r.distance > limit + ra + rb)) return {};
        core_contact<S> const c = pair.contact(r);
        vec3<S> const n = fa.direction(c.normal);
        return {c.separation - ra - rb, fa.point(c.on_a) + ra * n, fa.point(c.on_b) - rb * n, n, 0, 0};
    }
}

}  // namespace detail

/// The nearest points of two shapes, as far as they are within `limit` of each other (m).
template <scalar S, shape_like<S> A, shape_like<S> B>
[[nodiscard]] constexpr closest<S> closest_points(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb,
                                                  std::type_identity_t<S> const& limit = infinity_v<S>) noexcept {
    if constexpr (!is_composed<A, S> && !is_composed<B, S>) {
        return detail::closest_of_pair<S>(a, fa, b, fb, limit);
    } else {
        closest<S> best;
        S within = limit;
        detail::for_each_part_near<S>(a, fa, grown(bounds_of<S>(b, fb), limit), [&](std::uint32_t number_a, auto const& part_a, frame<S> const& at_a) {
            detail::for_each_part_near<S>(b, fb, grown(bounds_of<S>(part_a, at_a), within), [&](std::uint32_t number_b, auto const& part_b, frame<S> const& at_b) {
                closest<S> c = detail::closest_of_pair<S>(part_a, at_a, part_b, at_b, within);
                if (!(best.distance > c.distance)) return;
                c.part_a = number_a;
                c.part_b = number_b;
                best = c;
                within = min(within, max(c.distance, S(0)));
            });
        });
        return best;
    }
}

namespace detail {

template <class S, class A, class B>
[[nodiscard]] constexpr bool overlap_of_pair(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb) noexcept {
    if constexpr (is_half_space<A, S> || is_half_space<B, S> || has_exact_manifold<A, B, S> || has_exact_manifold<B, A, S>) {
        return !collide_pair<S>(a, fa, b, fb, S(0)).empty();
    } else {
        S const reach = margin_of<S>(a) + margin_of<S>(b);
        core_pair<S, A, B> const pair(a, fa, b, fb);
        gjk_result<S> const r = pair.nearest(reach);
        if (r.status != gjk_status::touching) return r.status == gjk_status::apart && r.distance <= reach;
        // Within a tetrahedron, or with room to spare; else so near that only the faces tell.
        return r.simplex.count == 4 || r.distance <= reach || pair.contact(r).separation <= reach;
    }
}

}  // namespace detail

/// Whether two shapes share a point; touching counts, within rounding.
template <scalar S, shape_like<S> A, shape_like<S> B>
[[nodiscard]] constexpr bool overlaps(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb) noexcept {
    if constexpr (!is_composed<A, S> && !is_composed<B, S>) {
        return detail::overlap_of_pair<S>(a, fa, b, fb);
    } else {
        bool hit = false;
        detail::for_each_part_near<S>(a, fa, bounds_of<S>(b, fb), [&](std::uint32_t, auto const& part_a, frame<S> const& at_a) {
            if (hit) return;
            detail::for_each_part_near<S>(b, fb, bounds_of<S>(part_a, at_a), [&](std::uint32_t, auto const& part_b, frame<S> const& at_b) {
                hit = hit || detail::overlap_of_pair<S>(part_a, at_a, part_b, at_b);
            });
        });
        return hit;
    }
}

}  // namespace sinew::inline v0
