#pragma once
// Where two shapes touch.
//
//   manifold<S> m = collide(shape_a, frame_a, shape_b, frame_b, margin);
//
// For convex shapes and half spaces. Points farther apart than the margin (m) are left out. Pairs of spheres, capsules, boxes and
// half spaces are computed in closed form, all others by GJK and EPA on the cores and by clipping the faces that look at each
// other. Composed shapes are taken apart by
//
//   for_each_manifold(shape_a, frame_a, shape_b, frame_b, margin, [](manifold<S> const& m, std::uint32_t part_a, std::uint32_t part_b) {});
//
// A part of a mesh may have `constrain_normal(vec3 n) -> vec3`: the normal that is meant by n, a unit vector out of the part in its
// own frame; zero where the part is not to be touched. Where a neighbour covers the edge that n comes from, it is the part's face normal:
// nothing stumbles over inner edges.
//
// A pair of one's own types: write
//
//   constexpr manifold<S> exact_manifold(my_shape<S> const&, frame<S> const&, other<S> const&, frame<S> const&, S const& margin);
//
// beside the type; it is found by its arguments, also with the shapes exchanged.

#include <sinew/collision/box_box.hpp>
#include <sinew/collision/capsule_box.hpp>
#include <sinew/collision/core_pair.hpp>
#include <sinew/collision/half_space_pairs.hpp>
#include <sinew/collision/sphere_pairs.hpp>
#include <sinew/geometry/cone.hpp>
#include <sinew/geometry/cylinder.hpp>
#include <sinew/geometry/surface_part.hpp>

namespace sinew::inline v0 {

namespace detail {

template <class S>
[[nodiscard]] constexpr manifold<S> exact_manifold(box<S> const& a, frame<S> const& fa, box<S> const& b, frame<S> const& fb, S const& margin) noexcept {
    bool exact = true;
    manifold<S> const m = box_box(a.half_extents, fa, b.half_extents, fb, margin, exact);
    if (exact) return m;
    return convex_convex(a, fa, b, fb, margin);
}

template <class A, class B, class S>
concept has_exact_manifold = requires(A const& a, B const& b, frame<S> const& f, S const& margin) {
    { exact_manifold(a, f, b, f, margin) } -> std::convertible_to<manifold<S>>;
};

template <class S, class A>
[[nodiscard]] constexpr S rounding_of(A const& shape) noexcept {
    if constexpr (has_support<A, S>)
        return margin_of<S>(shape);
    else
        return S(0);
}

/// f(part, its frame) of what is composed: for the part with a number, if it is near a point (world, m).
template <class S, class A, class F>
constexpr void with_part_at(A const& shape, frame<S> const& at, std::uint32_t number, vec3<S> const& on, F&& f) noexcept {
    vec3<S> const local = at.local_point(on);
    S const around = (abs(local.x()) + abs(local.y()) + abs(local.z())) / S(100);
    shape.for_each_part(grown(aabb<S>{local, local}, around), [&](std::uint32_t part, auto const& s, frame<S> const& its) {
        if (part == number) f(s, at * its);
    });
}

/// Radius of the side of a cylinder or a cone at one of its points (world, m) where it lies on that side, `out` being the normal that looks out of it: it rolls there as a ball does,
/// and no point of it stays the one that touches. 0 elsewhere, and of other shapes. Of what is composed it is that of the part with a number.
template <class S, class A>
[[nodiscard]] constexpr S side_radius(A const& shape, frame<S> const& at, std::uint32_t number, vec3<S> const& on, vec3<S> const& out) noexcept {
    S const lean(value_type_t<S>(0.1));
    if constexpr (is_composed<A, S> && !is_surface<A>) {
        S r{0};
        with_part_at<S>(shape, at, number, on, [&](auto const& part, frame<S> const& its) { r = side_radius<S>(part, its, 0, on, out); });
        return r;
    } else if constexpr (requires { shape.core.half_height; }) {
        return side_radius<S>(shape.core, at, number, on - out * shape.radius, out);
    } else if constexpr (std::same_as<A, cylinder<S>>) {
        return abs(dot(out, at.rotation.m.col(1))) < lean ? shape.radius : S(0);
    } else if constexpr (std::same_as<A, cone<S>>) {
        // The circle about the axis that goes through the point leans as the side does.
        S const across = shape.half_height * S(2), slant = sqrt(across * across + shape.radius * shape.radius);
        if (!(abs(dot(out, at.rotation.m.col(1)) - shape.radius / slant) < lean)) return S(0);
        return max(shape.half_height - at.local_point(on).y(), S(0)) * shape.radius * slant / (across * across);
    } else {
        return S(0);
    }
}

/// Whether a shape is round where it touches at one of its points (world, m), `out` being the normal that looks out of it: as it turns on, another point touches. So are the side,
/// the rim and the tip of what revolves, and what tells of no faces. Of what is composed it is asked of the part with a number.
template <class S, class A>
[[nodiscard]] constexpr bool is_round_at(A const& shape, frame<S> const& at, std::uint32_t number, vec3<S> const& on, vec3<S> const& out) noexcept {
    S const flat(value_type_t<S>(0.999));  // against the normal of a cap
    if constexpr (is_composed<A, S> && !is_surface<A>) {
        bool round = true;  // of a part that is not found there, nothing is known
        with_part_at<S>(shape, at, number, on, [&](auto const& part, frame<S> const& its) { round = is_round_at<S>(part, its, 0, on, out); });
        return round;
    } else if constexpr (std::same_as<A, cylinder<S>>) {
        return abs(dot(out, at.rotation.m.col(1))) < flat;
    } else if constexpr (std::same_as<A, cone<S>>) {
        return -dot(out, at.rotation.m.col(1)) < flat;
    } else {
        return has_support<A, S> && !has_supporting_face<A, S>;
    }
}

template <class S, class A, class B>
[[nodiscard]] constexpr manifold<S> collide_surfaces(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, S const& margin) noexcept {
    if constexpr (has_exact_manifold<A, B, S>)
        return exact_manifold(a, fa, b, fb, margin);
    else if constexpr (has_exact_manifold<B, A, S>)
        return flipped(manifold<S>(exact_manifold(b, fb, a, fa, margin)));
    else if constexpr (is_half_space<A, S> && is_half_space<B, S>)
        return {};  // neither can move
    else if constexpr (is_half_space<A, S>)
        return half_space_convex<S>(a.normal, a.offset, fa, b, fb, margin);
    else if constexpr (is_half_space<B, S>)
        return flipped(half_space_convex<S>(b.normal, b.offset, fb, a, fa, margin));
    else
        return convex_convex<S>(a, fa, b, fb, margin);
}

/// Whether the manifold of two shapes may be of more than four points, and which are kept is to be asked anew where they are pushed near an edge.
template <class S, class A, class B>
inline constexpr bool may_have_many_corners = !has_exact_manifold<A, B, S> && !has_exact_manifold<B, A, S> && !is_composed<A, S> && !is_composed<B, S> && [] {
    auto const of = []<class T>(std::type_identity<T>) { return has_supporting_face<T, S> && !std::same_as<T, box<S>>; };
    return of(std::type_identity<A>{}) || of(std::type_identity<B>{});
}();

/// The manifold of two such shapes that push each other along a line (world).
template <class S, class A, class B>
[[nodiscard]] constexpr manifold<S> collide_pushed(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, S const& margin, push_line<S> const& pushed) noexcept {
    manifold<S> m;
    if constexpr (is_half_space<A, S>)
        m = half_space_convex<S>(a.normal, a.offset, fa, b, fb, margin, &pushed);
    else if constexpr (is_half_space<B, S>)
        m = flipped(half_space_convex<S>(b.normal, b.offset, fb, a, fa, margin, &pushed));
    else
        m = convex_convex<S>(a, fa, b, fb, margin, &pushed);
    m.round_a = rounding_of<S>(a);
    m.round_b = rounding_of<S>(b);
    return m;
}

template <class S, class A, class B>
[[nodiscard]] constexpr manifold<S> collide_pair(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, S const& margin) noexcept {
    manifold<S> m = collide_surfaces<S>(a, fa, b, fb, margin);
    m.round_a = rounding_of<S>(a);
    m.round_b = rounding_of<S>(b);
    return m;
}

}  // namespace detail

/// The contact points of two convex shapes or half spaces that are at most `margin` apart (m).
template <scalar S, shape_like<S> A, shape_like<S> B>
    requires(!is_composed<A, S> && !is_composed<B, S>)
[[nodiscard]] constexpr manifold<S> collide(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, std::type_identity_t<S> const& margin) noexcept {
    return detail::collide_pair<S>(a, fa, b, fb, margin);
}

namespace detail {

template <class P, class S>
concept has_constrain_normal = requires(P const& part, vec3<S> const& n) {
    { part.constrain_normal(n) } -> std::convertible_to<vec3<S>>;
};

template <class P, class S>
concept has_ends_before = requires(P const& part, vec3<S> const& v) {
    { part.ends_before(v, v) } -> std::convertible_to<bool>;
};

/// The point of a polygon's rim that is nearest to p.
template <class S>
[[nodiscard]] constexpr vec3<S> nearest_on_rim(polygon<S> const& rim, vec3<S> const& p) noexcept {
    vec3<S> best = rim[0].position;
    for (std::size_t i = 0; i < rim.size(); ++i) {
        vec3<S> const from = rim[i].position, along = rim[i + 1 == rim.size() ? 0 : i + 1].position - from;
        S const length2 = squared_norm(along);
        vec3<S> const q = length2 > S(0) ? from + along * clamp(dot(p - from, along) / length2, S(0), S(1)) : from;
        if (squared_norm(q - p) < squared_norm(best - p)) best = q;
    }
    return best;
}

/// What of a convex shape lies over a face of a mesh, along the face's normal: its polygon that looks at the face, and its lowest point, all in one frame.
template <class S>
constexpr void add_over_face(polygon<S> const& face, polygon<S> const& of_b, vec3<S> const& lowest, contact_patch<S>& patch) noexcept {
    patch.normal = face.normal;
    clip_to_face<false>(face, of_b, face.normal, patch);
    // A round rim or end touches between the corners of its polygon.
    S lowest_corner = infinity_v<S>;
    for (auto const& q : of_b.points) lowest_corner = min(lowest_corner, dot(face.normal, q.position));
    S const below = patch.rb + dot(face.normal, patch.rb * outwards(of_b, -face.normal)), slack = S(value_type_t<S>(1e-3)) * extent_of(of_b);
    if (of_b.size() > 1 && dot(face.normal, lowest) - below + slack < lowest_corner) {
        polygon<S> alone;
        alone.add(lowest, 0);
        std::size_t const before = patch.count;
        clip_to_face<false>(face, alone, face.normal, patch);
        if (patch.count > before) patch.points[before].feature = feature_pair(face_code(face), feature_code(feature_kind::surface, 0));
    }
}

/// The manifold of a face of a mesh and a convex shape along the face's normal (frame of a): only what lies over the face.
template <class S, class A, class B>
[[nodiscard]] constexpr manifold<S> over_face(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, polygon<S> const& face, S const& margin) noexcept {
    S const ra = margin_of<S>(a), rb = margin_of<S>(b);
    frame<S> const rel = relative(fa, fb);
    vec3<S> const down = -rel.local_direction(face.normal);
    contact_patch<S> patch(ra, rb, margin);
    add_over_face(face, transformed(supporting_face_of<S>(b, down), rel), rel.point(b.support(down)), patch);
    manifold<S> m = finished(patch, fa);
    m.round_a = ra;
    m.round_b = rb;
    return m;
}

/// The same points along another normal.
template <class S>
[[nodiscard]] constexpr manifold<S> along(vec3<S> const& normal, manifold<S> const& m, S const& margin) noexcept {
    manifold<S> r;
    r.normal = normal;
    r.round_a = m.round_a;
    r.round_b = m.round_b;
    for (auto p : m.points) {
        p.distance = dot(r.normal, p.on_b - p.on_a);
        if (p.distance <= margin) r.points.push_back(p);
    }
    return r;
}

/// The normal that a part allows for n, in its frame.
template <class S, class A, class B>
[[nodiscard]] constexpr vec3<S> normal_allowed(A const& a, frame<S> const& fa, vec3<S> const& n, B const& b, frame<S> const& fb) noexcept {
    auto const middle = [&] { return fa.local_point(center(bounds_of<S>(b, fb))); };
    if constexpr (requires { a.constrain_normal(n, middle); })
        return a.constrain_normal(n, middle);
    else
        return a.constrain_normal(n);
}

/// The manifold of a part and another shape, with the normal the part allows. Along the face's own normal it is made anew: a normal that was found by iteration
/// leans, and what is round touches elsewhere then.
template <class S, class A, class B>
[[nodiscard]] constexpr manifold<S> constrained(manifold<S> const& m, A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, S const& margin) noexcept {
    vec3<S> const n = fa.local_direction(m.normal);
    vec3<S> const allowed = normal_allowed<S>(a, fa, n, b, fb);
    S const same = S(1) - S(value_type_t<S>(1e-5));
    bool const is_meant = squared_norm(allowed - n) <= S(value_type_t<S>(1e-7));
    if (squared_norm(allowed) < S(1) / S(4)) return {};
    if constexpr (has_support<A, S> && has_support<B, S>) {
        polygon<S> const face = supporting_face_of<S>(a, allowed);
        if (face.is_face() && dot(face.normal, allowed) > same) {
            manifold<S> const over = over_face<S>(a, fa, b, fb, face, margin);
            if (!over.empty() || !is_meant) return over;
            // Found at an edge, where b is lowest beyond it: the triangle there tells of it.
            if constexpr (has_ends_before<A, S>) {
                frame<S> const rel = relative(fa, fb);
                polygon<S> const of_b = transformed(supporting_face_of<S>(b, -rel.local_direction(face.normal)), rel);
                if (!a.ends_before(nearest_on_rim(of_b, fa.local_point(m.points[0].on_b)), allowed)) return {};
            }
        }
    }
    if (is_meant) return m;
    // Not pierced yet: where n leans to a side to which it may not, another triangle is nearer.
    if (m.points[0].distance > S(0)) return {};
    return along(fa.direction(allowed), m, margin);
}

template <class S, class A, class B>
[[nodiscard]] constexpr manifold<S> collide_parts(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, S const& margin) noexcept {
    manifold<S> m = collide_pair<S>(a, fa, b, fb, margin);
    if constexpr (has_constrain_normal<A, S>)
        if (!m.empty()) m = constrained(m, a, fa, b, fb, margin);
    if constexpr (has_constrain_normal<B, S>)
        if (!m.empty()) m = flipped(constrained(flipped(m), b, fb, a, fa, margin));
    return m;
}

/// Calls f(part, shape, frame) for the convex parts of a shape near a box of the world; a shape that is not composed is its part 0.
template <class S, class A, class F>
constexpr void for_each_part_near(A const& a, frame<S> const& fa, aabb<S> const& near, F&& f) {
    if constexpr (is_composed<A, S>)
        a.for_each_part(transformed(near, inverse(fa)), [&](std::uint32_t number, auto const& part, frame<S> const& local) { f(number, part, fa * local); });
    else
        f(std::uint32_t{0}, a, fa);
}

}  // namespace detail

/// Calls f(manifold, part of a, part of b) for all convex parts of two shapes that are at most `margin` apart (m).
template <scalar S, shape_like<S> A, shape_like<S> B, class F>
constexpr void for_each_manifold(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, std::type_identity_t<S> const& margin, F&& f) {
    if constexpr (!is_composed<A, S> && !is_composed<B, S>) {
        manifold<S> const m = detail::collide_parts<S>(a, fa, b, fb, margin);
        if (!m.empty()) f(m, std::uint32_t{0}, std::uint32_t{0});
    } else if constexpr (is_composed<A, S>) {
        detail::for_each_part_near<S>(a, fa, grown(bounds_of<S>(b, fb), margin), [&](std::uint32_t number_a, auto const& part_a, frame<S> const& at_a) {
            auto const each = [&](std::uint32_t number_b, auto const& part_b, frame<S> const& at_b) {
                manifold<S> const m = detail::collide_parts<S>(part_a, at_a, part_b, at_b, margin);
                if (!m.empty()) f(m, number_a, number_b);
            };
            if constexpr (is_composed<B, S>)
                detail::for_each_part_near<S>(b, fb, grown(bounds_of<S>(part_a, at_a), margin), each);
            else
                each(std::uint32_t{0}, b, fb);
        });
    } else {
        detail::for_each_part_near<S>(b, fb, grown(bounds_of<S>(a, fa), margin), [&](std::uint32_t number_b, auto const& part_b, frame<S> const& at_b) {
            manifold<S> const m = detail::collide_parts<S>(a, fa, part_b, at_b, margin);
            if (!m.empty()) f(m, std::uint32_t{0}, number_b);
        });
    }
}

}  // namespace sinew::inline v0
