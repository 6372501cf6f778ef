#pragma once
// Two convex shapes as one set: A - B, the differences of their cores' points, seen from a's frame.
//
//   support of A - B along d:   a(d) - (t + R b(-R^T d))      R, t: b's frame seen from a

#include <sinew/collision/clipping.hpp>
#include <sinew/collision/epa.hpp>
#include <sinew/collision/gjk.hpp>
#include <sinew/collision/round_corners.hpp>
#include <sinew/core/call_view.hpp>
#include <sinew/geometry/shape.hpp>

namespace sinew::inline v0 {

namespace detail {

/// Of what was found, with the derivatives of its corners.
template <class S, class Pair>
[[nodiscard]] constexpr nearest_cores<S> with_derivatives_of_corners(Pair const& pair, difference_simplex<search_number_t<S>> const& corners, nearest_cores<S> const& found) noexcept {
    using W = search_number_t<S>;
    if constexpr (floating_scalar<S>) {
        return round_corners<S, Pair>(pair, corners, found.normal).with_derivatives(found);
    } else {
        using wide = searched_support<S, Pair>;
        nearest_cores<W> const x = round_corners<W, wide>(wide(pair), corners, cast<W>(found.normal)).with_derivatives({cast<W>(found.normal), static_cast<W>(found.separation), cast<W>(found.on_a)});
        return {with_values_of(cast<S>(x.normal), found.normal), with_value_of(static_cast<S>(x.separation), found.separation), with_values_of(cast<S>(x.on_a), found.on_a)};
    }
}

/// How two cores are placed: apart or deep. Only to be asked where GJK did not find them beyond the limit. `pair` is the same as support, with the derivatives of its corners.
template <class S, class Support, class Pair>
[[nodiscard]] constexpr core_contact<S> contact_of(Support const& support, Pair const& pair, gjk_result<S> const& r) noexcept {
    nearest_cores<S> found;
    difference_simplex<search_number_t<S>> corners;
    if (r.status == gjk_status::apart) {
        if constexpr (floating_scalar<S>)
            corners = nearest_corners(r, r.size);
        else
            corners = r.simplex;  // its v is the direction only
        found = {direction_of(r), r.distance, corners.template on_a<S>()};
    } else {
        epa_result<S> const e = epa(support, r.simplex, r.size);
        corners = e.corners;
        found = {e.normal, -e.depth, e.on_a()};
    }
    if constexpr (derivative_order_v<S> > 0) found = with_derivatives_of_corners(pair, corners, found);
    return {found.normal, found.separation, found.on_a, found.on_a + found.separation * found.normal};
}

/// separation(n): that of the cores along a unit vector from a to b (m).
template <class Support>
struct separation_along {
    Support const& support;

    constexpr explicit separation_along(Support const& s) noexcept : support(s) {}

    template <class S>
    [[nodiscard]] constexpr S operator()(vec3<S> const& n) const noexcept {
        return -dot(n, support(n).w);
    }
};

/// use(the pair's A - B), of one type for all pairs of shapes: the searches are as long as all else together, and five shapes are fifteen pairs.
template <class S, class Pair, class Use>
constexpr decltype(auto) searched(Pair const& pair, Use const& use) {
    return seen_as<difference_point<S>(vec3<S> const&)>(pair, use);
}

template <class S, class A, class B>
struct core_pair {
    A const& a;
    B const& b;
    frame<S> rel;  // b seen from a

    constexpr core_pair(A const& shape_a, frame<S> const& fa, B const& shape_b, frame<S> const& fb) noexcept
        : a(shape_a), b(shape_b), rel(relative(fa, fb)) {}

    [[nodiscard]] constexpr vec3<S> of_b(vec3<S> const& d) const noexcept { return rel.point(vec3<S>(b.support(rel.local_direction(d)))); }
    [[nodiscard]] constexpr difference_point<S> operator()(vec3<S> const& d) const noexcept {
        vec3<S> const p = a.support(d);
        difference_point<S> r{p - of_b(-d), p};
        if constexpr (derivative_order_v<S> > 0) r.along = d;
        return r;
    }
    /// The same points, as they are fixed in their bodies: at a flat end the points around it are many times as fast as a direction turns.
    [[nodiscard]] constexpr difference_point<S> held(vec3<S> const& d) const noexcept {
        vec3<S> local = rel.local_direction(-d);
        for (std::size_t i = 0; i < 3; ++i) local[i] = S(value(local[i]));
        vec3<S> const p = a.support(d);
        return {p - rel.point(vec3<S>(b.support(local))), p};
    }
    /// A first guess for v: from b's origin to a's.
    [[nodiscard]] constexpr vec3<S> guess() const noexcept { return -rel.position; }

    [[nodiscard]] constexpr gjk_result<S> nearest(S const& limit) const noexcept {
        return searched<S>(*this, [&](auto const& support) { return gjk(support, {}, guess(), limit); });
    }
    /// How the cores are placed, by what GJK has found.
    [[nodiscard]] constexpr core_contact<S> contact(gjk_result<S> const& r) const noexcept {
        return searched<S>(*this, [&](auto const& support) { return contact_of(support, *this, r); });
    }
};

/// Manifold of any two convex shapes, by GJK and EPA on their cores. `pushed`: along which line they push each other (world), if that is known.
template <class S, class A, class B>
[[nodiscard]] constexpr manifold<S> convex_convex(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, S const& margin, push_line<S> const* pushed = nullptr) noexcept {
    S const ra = margin_of<S>(a), rb = margin_of<S>(b);
    S const limit = margin + ra + rb;
    core_pair<S, A, B> const pair(a, fa, b, fb);
    gjk_result<S> const r = pair.nearest(limit);
    if (r.status == gjk_status::beyond || (r.status == gjk_status::apart && r.distance > limit)) return {};
    core_contact<S> const c = pair.contact(r);
    push_line<S> in_a, in_b;
    if (pushed != nullptr) {
        in_a = pushed->seen_from(fa);
        in_b = pushed->seen_from(fb);
    }
    polygon<S> const of_a = face_pushed_at(a, c.normal, pushed == nullptr ? nullptr : &in_a);
    polygon<S> const of_b = transformed(face_pushed_at(b, -pair.rel.local_direction(c.normal), pushed == nullptr ? nullptr : &in_b), pair.rel);
    contact_patch<S> patch(ra, rb, margin);
    searched<S>(pair, [&](auto const& support) { make_patch(c, of_a, of_b, separation_along(support), patch); });
    return finished(patch, fa, pushed == nullptr ? nullptr : &in_a);
}

}  // namespace detail

}  // namespace sinew::inline v0
