#pragma once
// What a ray hits first, and what a shape hits first that is carried along a straight line without turning.
//
//   ray_hit<S>   hit = cast(ray, shape, frame);
//   shape_hit<S> hit = shape_cast(shape_a, frame_a, translation, shape_b, frame_b);     // a moves, b stands
//
// Conservative advancement on the exact distance (Mirtich 1996; as a ray cast on A - B: van den Bergen 2004). The plane across the
// shortest way between the two holds them apart, so a may go until it meets that plane:  t += distance / (n . direction).
// The planes come ever nearer to the one that is hit; for polytopes that takes finitely many.

#include <sinew/collision/distance.hpp>

namespace sinew::inline v0 {

/// Where a moving shape first touches another.
template <scalar S>
struct shape_hit {
    using scalar_type = S;
    bool hit = false;
    S fraction{1};                         ///< of the translation that was free
    vec3<S> point{S(0), S(0), S(0)};       ///< m, world
    vec3<S> normal{S(0), S(0), S(0)};      ///< unit, world, out of what is hit
    std::uint32_t part_a = 0, part_b = 0;  ///< of composed shapes

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return hit; }
    [[nodiscard]] friend constexpr bool operator==(shape_hit const&, shape_hit const&) = default;
};

namespace detail {

/// What a ray carries.
template <class S>
struct point_core {
    [[nodiscard]] constexpr vec3<S> support(vec3<S> const&) const noexcept { return {S(0), S(0), S(0)}; }
};

template <class S>
struct advance_hit {
    bool hit = false;
    bool at_start = false;
    S t{0};
    vec3<S> normal{S(0), S(0), S(0)};  // from a to b, a's frame
    vec3<S> on_b{S(0), S(0), S(0)};    // a's frame at the start
};

/// Carries the cores of a, grown together by `radius`, along `direction` (a's frame) for t in [0, most]. `guess`: the first for GJK's v.
template <class S, class Pair>
[[nodiscard]] constexpr advance_hit<S> advance(Pair const& pair, vec3<S> const& guess, vec3<S> const& direction, S const& most, S const& radius) noexcept {
    constexpr int rounds = 128;
    constexpr S rounding = S(floating_scalar<S> ? 16 : 24) * epsilon_v<S>;  // what is no farther apart overlaps: in units of the size; in fixed point, of a metre
    advance_hit<S> r;
    vec3<S> shift{S(0), S(0), S(0)};
    auto const support = [&](vec3<S> const& d) {
        difference_point<S> p = pair(d);
        p.w = p.w + shift;
        p.a = p.a + shift;
        return p;
    };
    // Near a surface that is wide GJK knows no direction any more; EPA tells the plane that still holds them apart. (As contact_of, which only where they touch at
    // the start has the last word: else derivatives come later, and corners are not needed.)
    auto const placed = [&](gjk_result<S> const& g, bool starts) -> core_contact<S> {
        if (g.status == gjk_status::apart) {
            vec3<S> const n = direction_of(g), on_a = g.on_a();
            return {n, g.distance, on_a, on_a + g.distance * n};
        }
        if (starts) return contact_of(pair, pair, g);
        epa_result<S> const e = epa(support, g.simplex, g.size);
        vec3<S> const on_a = e.on_a();
        return {e.normal, -e.depth, on_a, on_a - e.depth * e.normal};
    };
    vec3<S> v = guess;
    S nearest_gap = infinity_v<S>;
    for (int k = 0; k < rounds; ++k) {
        gjk_result<S> const g = gjk(support, {}, v, infinity_v<S>);
        // Nearer than this, the distance of round cores is not known well enough to tell the way on.
        S const arrived = max(S(128) * epsilon_v<S>, S(value_type_t<S>(1e-7))) * g.size;
        bool const is_near = g.status == gjk_status::touching;
        core_contact<S> const c = placed(g, k == 0);
        S const gap = c.separation - radius;
        vec3<S> const n = c.normal;
        S const closing = dot(n, direction);
        if (k == 0 && gap <= (is_near ? rounding * (floating_scalar<S> ? g.size : S(1)) : S(0))) {
            r.hit = true;
            r.at_start = true;
            r.normal = n;
            r.on_b = c.on_b;
            return r;
        }
        if (is_near && gap <= S(0)) {  // arrived, and by a rounding too far: on_a is what has met b
            r.hit = true;
            if (closing > S(0)) r.normal = n;
            r.on_b = c.on_a;
            return r;
        }
        r.on_b = c.on_b;
        if (k > 0 && gap <= arrived) {
            if (closing > S(0)) {
                r.normal = n;
                // The rest of the way, which is known well where it is not along the surface.
                S const rest = gap / closing;
                if (gap > S(0) && rest * norm(direction) <= S(16) * arrived) r.t = min(r.t + rest, most);
            }
            r.hit = true;
            return r;
        }
        if (!(closing > S(0))) return r;  // leaves, or passes by
        r.normal = n;
        nearest_gap = gap;
        S const t = r.t + gap / closing;
        if (!(t <= most)) return r;
        if (t == r.t) break;
        r.t = t;
        shift = t * direction;
        v = is_near ? -n : g.v;
    }
    // Grazing: the planes turn so slowly that the rest of the way is not worth a decision.
    r.hit = nearest_gap <= S(value_type_t<S>(1e-3)) * max(radius, norm(shift));
    return r;
}

// The derivatives of a hit: those of the cores' nearest points a little before it, where they are apart, and of the rest of the way, gap / (n . direction).
// Near zero the search no longer knows its corners, so that what holds at the hit is told by two such places, on a line. The search itself has the derivatives of
// its last step.
template <class S, class A, class B>
[[nodiscard]] constexpr advance_hit<S> with_derivatives(advance_hit<S> const& hit, A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, vec3<S> const& direction, S const& radius) noexcept {
    using V = value_type_t<S>;
    // In fixed point these are a thousandth of the size before the hit, and twice that, or a millimetre: nearer, the cores would be taken for touching.
    constexpr V few = V(floating_scalar<V> ? 1024 : 64) * epsilon_v<V>, grazing = floating_scalar<V> ? V(1e-6) : max(few, V(1e-6));
    V const closing = value(dot(hit.normal, direction)), least = max(few, V(5e-6));
    if (!(closing > grazing * value(norm(direction)))) return hit;  // grazes
    V gap = least * (value(norm(hit.on_b - hit.t * direction)) + value(norm(hit.on_b - relative(fa, fb).position)));
    if constexpr (!floating_scalar<V>) gap = max(gap, few);
    auto const before = [&](V const& distance) {
        S const begun(value(hit.t) - distance / closing);
        advance_hit<S> r = hit;
        r.t = begun;
        for (std::size_t order = 0; order <= derivative_order_v<S>; ++order) {
            frame<S> at = fa;
            at.position = fa.position + fa.direction(r.t * direction);
            core_pair<S, A, B> const pair(a, at, b, fb);
            core_contact<S> const c = pair.contact(pair.nearest(infinity_v<S>));
            r.normal = c.normal;
            r.on_b = c.on_b + r.t * direction;
            S const way = r.t + (c.separation - radius) / dot(c.normal, direction);
            r.t = with_value_of(way, begun);
        }
        return r;
    };
    advance_hit<S> const once = before(gap), twice = before(V(2) * gap);
    advance_hit<S> r = hit;
    r.t = with_value_of(S(2) * once.t - twice.t, hit.t);
    r.normal = with_values_of(vec3<S>(S(2) * once.normal - twice.normal), hit.normal);
    r.on_b = with_values_of(vec3<S>(S(2) * once.on_b - twice.on_b), hit.on_b);
    return r;
}

/// Carries the core of a, grown by `radius`, along `direction` (a's frame) for t in [0, most].
template <class S, class A, class B>
[[nodiscard]] constexpr advance_hit<S> advance_pair(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, vec3<S> const& direction, S const& most, S const& radius) noexcept {
    core_pair<S, A, B> const pair(a, fa, b, fb);
    advance_hit<S> const hit = searched<S>(pair, [&](auto const& support) { return advance(support, pair.guess(), direction, most, radius); });
    if constexpr (derivative_order_v<S> > 0)
        if (hit.hit && !hit.at_start) return with_derivatives(hit, a, fa, b, fb, direction, radius);
    return hit;
}

template <class S, class T>
[[nodiscard]] constexpr ray_hit<S> cast_convex(ray<S> const& r, T const& shape, frame<S> const& f) noexcept {
    if constexpr (has_cast<T, S>) {
        return world_hit(f, ray_hit<S>(shape.cast(local_ray(f, r))));
    } else {
        point_core<S> const point;
        frame<S> from;
        from.position = r.origin;
        advance_hit<S> const h = advance_pair(point, from, shape, f, r.direction, r.length, margin_of<S>(shape));
        if (!h.hit) return {};
        if (h.at_start) return hit_from_inside(r);
        return hit_at(r, h.t, -h.normal);
    }
}

template <class S, class A, class B>
[[nodiscard]] constexpr shape_hit<S> cast_pair(A const& a, frame<S> const& fa, vec3<S> const& translation, B const& b, frame<S> const& fb) noexcept {
    if constexpr (is_half_space<A, S> && is_half_space<B, S>) {
        return {};
    } else if constexpr (is_half_space<A, S>) {
        // The other moves the other way; what is hit is then at rest again.
        shape_hit<S> h = cast_pair<S>(b, fb, -translation, a, fa);
        if (h.hit) {
            h.point = h.point + h.fraction * translation;
            h.normal = -h.normal;
        }
        return h;
    } else if constexpr (is_half_space<B, S>) {
        closest<S> const c = closest_of_pair<S>(a, fa, b, fb, infinity_v<S>);
        vec3<S> const out = -c.normal;
        S const falls = dot(c.normal, translation);
        if (c.distance <= S(0)) return {true, S(0), c.on_a, out, 0, 0};
        if (!(falls > S(0)) || c.distance > falls) return {};
        S const t = c.distance / falls;
        return {true, t, c.on_a + t * translation, out, 0, 0};
    } else {
        S const ra = margin_of<S>(a), rb = margin_of<S>(b);
        advance_hit<S> const h = advance_pair(a, fa, b, fb, fa.local_direction(translation), S(1), ra + rb);
        if (!h.hit) return {};
        vec3<S> const n = fa.direction(h.normal);
        return {true, h.t, fa.point(h.on_b) - rb * n, -n, 0, 0};
    }
}

/// A box around the way of a ray, which may be without end.
template <class S>
[[nodiscard]] constexpr aabb<S> bounds_of_ray(ray<S> const& r) noexcept {
    aabb<S> b{r.origin, r.origin};
    for (std::size_t i = 0; i < 3; ++i) {
        if (r.direction[i] == S(0)) continue;
        S const end = r.origin[i] + r.direction[i] * r.length;
        b.lower[i] = min(b.lower[i], end);
        b.upper[i] = max(b.upper[i], end);
    }
    return b;
}

}  // namespace detail

/// The first point of a shape on a ray of the world.
template <scalar S, shape_like<S> T>
[[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r, T const& shape, frame<S> const& f) noexcept {
    if constexpr (is_composed<T, S> && !has_cast<T, S>) {
        ray_hit<S> best;
        ray<S> rest = r;
        detail::for_each_part_near<S>(shape, f, detail::bounds_of_ray(r), [&](std::uint32_t, auto const& part, frame<S> const& at) {
            ray_hit<S> const h = detail::cast_convex(rest, part, at);
            if (!h.hit || (best.hit && !(best.distance > h.distance))) return;
            best = h;
            rest.length = h.distance;
        });
        return best;
    } else {
        return detail::cast_convex(r, shape, f);
    }
}

/// Where a, carried along a translation (m, world), first touches b. Shapes that overlap at once touch at fraction 0.
template <scalar S, shape_like<S> A, shape_like<S> B>
[[nodiscard]] constexpr shape_hit<S> shape_cast(A const& a, frame<S> const& fa, std::type_identity_t<vec3<S>> const& translation, B const& b,
                                                frame<S> const& fb) noexcept {
    if constexpr (!is_composed<A, S> && !is_composed<B, S>) {
        return detail::cast_pair<S>(a, fa, translation, b, fb);
    } else {
        shape_hit<S> best;
        aabb<S> const way_back = swept(bounds_of<S>(b, fb), -translation);
        detail::for_each_part_near<S>(a, fa, way_back, [&](std::uint32_t number_a, auto const& part_a, frame<S> const& at_a) {
            aabb<S> const way = swept(bounds_of<S>(part_a, at_a), translation);
            detail::for_each_part_near<S>(b, fb, way, [&](std::uint32_t number_b, auto const& part_b, frame<S> const& at_b) {
                shape_hit<S> h = detail::cast_pair<S>(part_a, at_a, translation, part_b, at_b);
                if (!h.hit || (best.hit && !(h.fraction < best.fraction))) return;
                h.part_a = number_a;
                h.part_b = number_b;
                best = h;
            });
        });
        return best;
    }
}

}  // namespace sinew::inline v0
