#pragma once
// The distance of two convex cores: Gilbert, Johnson, Keerthi 1988, with barycentric coordinates from cross products.
//
// The point of A - B nearest to the origin is approached by simplices of points w = a - b that support A - B against the
// present nearest point v. All is seen from a's frame.
//
//   |v| >= distance >= v . w / |v|:   v . w = |v|^2 ends the search
//
// Rounding: w is known to epsilon * |w|. The search ends where the bounds meet within that, where a point comes twice, or where v
// would not become shorter; the last good simplex is kept. Below touch_v * max |w| the direction of v is noise: epa.hpp says more.

#include <sinew/math/integer_float.hpp>
#include <sinew/math/mat.hpp>
#include <sinew/math/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace sinew::inline v0 {

namespace detail {

/// Below this fraction of the cores' size the distance is lost in rounding.
template <class S>
inline constexpr S touch_v = S(256) * epsilon_v<S>;

/// A point of A - B and the point of A it comes from; that of B is a - w.
template <class S, bool = (derivative_order_v<S> > 0)>
struct difference_point {
    vec3<S> w, a;
};
/// With derivatives, also the direction that it was found along: see round_corners.hpp.
template <class S>
struct difference_point<S, true> {
    vec3<S> w, a, along{};
};

/// Up to four points of A - B, and what part each has in the point nearest to the origin.
template <class S>
struct difference_simplex {
    difference_point<S> at[4]{};
    S weight[4]{};
    std::size_t count = 0;

    /// The point of A nearest to B, summed up in numbers T.
    template <class T = S>
    [[nodiscard]] constexpr vec3<T> on_a() const noexcept {
        vec3<T> p = static_cast<T>(weight[0]) * cast<T>(at[0].a);
        for (std::size_t i = 1; i < count; ++i) p = p + static_cast<T>(weight[i]) * cast<T>(at[i].a);
        return p;
    }
};

/// One point alone.
template <class S>
[[nodiscard]] constexpr difference_simplex<S> only(difference_point<S> const& p) noexcept {
    difference_simplex<S> s;
    s.at[0] = p;
    s.weight[0] = S(1);
    s.count = 1;
    return s;
}

/// The point of a segment or triangle nearest to the origin: which corners take part, and how much.
template <class S>
struct nearest_point {
    vec3<S> v;
    S squared;
    unsigned corners;  // bit i: corner i takes part
    S weight[4];
};

template <class S>
[[nodiscard]] constexpr nearest_point<S> nearest_on_segment(vec3<S> const& p, vec3<S> const& q, std::size_t i, std::size_t j) noexcept {
    nearest_point<S> r;
    r.weight[0] = r.weight[1] = r.weight[2] = r.weight[3] = S(0);
    vec3<S> const d = q - p;
    S const t = -dot(p, d), dd = dot(d, d);
    if (t <= S(0)) {
        r.v = p;
        r.corners = 1U << i;
        r.weight[i] = S(1);
    } else if (t >= dd) {
        r.v = q;
        r.corners = 1U << j;
        r.weight[j] = S(1);
    } else {
        S const u = t / dd;
        r.v = p + u * d;
        r.corners = 1U << i | 1U << j;
        r.weight[i] = S(1) - u;
        r.weight[j] = u;
    }
    r.squared = dot(r.v, r.v);
    return r;
}

template <class S>
[[nodiscard]] constexpr nearest_point<S> nearest_on_triangle(vec3<S> const& p, vec3<S> const& q, vec3<S> const& r, std::size_t i, std::size_t j,
                                                             std::size_t k) noexcept {
    vec3<S> const pq = q - p, pr = r - p, qr = r - q;
    vec3<S> const n = cross(pq, pr);
    S const nn = dot(n, n);
    // Twice the areas that the origin, seen along n, makes with the edges.
    S const wr = -dot(n, cross(pq, p)), wq = dot(n, cross(pr, p)), wp = -dot(n, cross(qr, q));
    S const thin = S(64) * epsilon_v<S> * epsilon_v<S> * dot(pq, pq) * dot(pr, pr);
    if (nn > thin && wp > S(0) && wq > S(0) && wr > S(0)) {
        nearest_point<S> x;
        S const k3 = S(1) / (wp + wq + wr);
        x.weight[0] = x.weight[1] = x.weight[2] = x.weight[3] = S(0);
        x.weight[i] = wp * k3;
        x.weight[j] = wq * k3;
        x.weight[k] = wr * k3;
        // Along n exactly, which keeps the direction where v is short; and as far as the point between the corners, since over a narrow
        // triangle n leans a little, and a far corner would tell that as height.
        vec3<S> const foot = x.weight[i] * p + x.weight[j] * q + x.weight[k] * r;
        S const h = dot(n, foot), part = h / nn;  // not h * h: that of a sliver of tiny shapes is below the range of a float
        x.v = n * part;
        x.squared = h * part;
        x.corners = 1U << i | 1U << j | 1U << k;
        return x;
    }
    // Outside of an edge: on one of those it is outside of; a thin triangle tells nothing about that.
    bool const all_edges = !(nn > thin);
    nearest_point<S> best{};
    bool found = false;
    if (all_edges || wr <= S(0)) {
        best = nearest_on_segment(p, q, i, j);
        found = true;
    }
    if (all_edges || wq <= S(0)) {
        nearest_point<S> const x = nearest_on_segment(p, r, i, k);
        if (!found || x.squared < best.squared) best = x;
        found = true;
    }
    if (all_edges || wp <= S(0)) {
        nearest_point<S> const x = nearest_on_segment(q, r, j, k);
        if (!found || x.squared < best.squared) best = x;
    }
    return best;
}

/// The point of the simplex nearest to the origin; corners = 15 where the origin is within a tetrahedron, unless it is known to be outside.
template <class S>
[[nodiscard]] constexpr nearest_point<S> nearest_on_simplex(difference_simplex<S> const& s, bool is_outside = false) noexcept {
    if (s.count == 1) {
        nearest_point<S> r;
        r.weight[1] = r.weight[2] = r.weight[3] = S(0);
        r.v = s.at[0].w;
        r.squared = dot(r.v, r.v);
        r.corners = 1;
        r.weight[0] = S(1);
        return r;
    }
    if (s.count == 2) return nearest_on_segment(s.at[0].w, s.at[1].w, 0, 1);
    if (s.count == 3) return nearest_on_triangle(s.at[0].w, s.at[1].w, s.at[2].w, 0, 1, 2);
    constexpr std::size_t faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    nearest_point<S> best{};
    bool outside = false;
    for (auto const& f : faces) {
        vec3<S> const &p = s.at[f[0]].w, &q = s.at[f[1]].w, &r = s.at[f[2]].w, &o = s.at[f[3]].w;
        vec3<S> const n = cross(q - p, r - p);
        S const of_origin = -dot(n, p), of_fourth = dot(n, o - p);
        // A flat tetrahedron has no inside: its fourth corner is on no side that rounding could not turn.
        S const flat = S(8) * epsilon_v<S> * norm(n) * norm(o - p);
        bool const beyond = is_outside || abs(of_fourth) <= flat || (of_fourth > S(0) ? of_origin < S(0) : of_origin > S(0));
        if (!beyond) continue;
        nearest_point<S> const x = nearest_on_triangle(p, q, r, f[0], f[1], f[2]);
        if (!outside || x.squared < best.squared) best = x;
        outside = true;
    }
    if (outside) return best;
    best.corners = 15;
    best.squared = S(0);
    best.v = vec3<S>{S(0), S(0), S(0)};
    // Weights by volumes.
    vec3<S> const &a = s.at[0].w, &b = s.at[1].w, &c = s.at[2].w, &d = s.at[3].w;
    S const va = dot(b, cross(c, d)), vb = -dot(a, cross(c, d)), vc = dot(a, cross(b, d)), vd = -dot(a, cross(b, c));
    S const sum = va + vb + vc + vd;
    S const k = sum == S(0) ? S(0) : S(1) / sum;
    best.weight[0] = va * k;
    best.weight[1] = vb * k;
    best.weight[2] = vc * k;
    best.weight[3] = vd * k;
    return best;
}

/// The same, among those parts of the simplex that have its last corner, of which there are at least two.
template <class S>
[[nodiscard]] constexpr nearest_point<S> nearest_with_newest(difference_simplex<S> const& s) noexcept {
    std::size_t const last = s.count - 1;
    nearest_point<S> best{};
    bool found = false;
    auto const offer = [&](nearest_point<S> const& x) {
        if ((x.corners >> last & 1U) == 0 || (found && !(x.squared <= best.squared))) return;
        best = x;
        found = true;
    };
    for (std::size_t i = 0; i < last; ++i) {
        offer(nearest_on_segment(s.at[i].w, s.at[last].w, i, last));
        for (std::size_t j = 0; j < i; ++j) offer(nearest_on_triangle(s.at[j].w, s.at[i].w, s.at[last].w, j, i, last));
    }
    if (found) return best;
    best.corners = 1U << last;
    best.weight[last] = S(1);
    best.v = s.at[last].w;
    best.squared = squared_norm(best.v);
    return best;
}

/// Keeps the corners that take part.
template <class S>
constexpr void keep_corners(difference_simplex<S>& s, nearest_point<S> const& x) noexcept {
    std::size_t n = 0;
    for (std::size_t i = 0; i < s.count; ++i)
        if ((x.corners >> i & 1U) != 0) {
            s.at[n] = s.at[i];
            s.weight[n] = x.weight[i];
            ++n;
        }
    s.count = n;
}

enum class gjk_status : unsigned char {
    apart,     // v is the nearest point of A - B
    touching,  // the cores overlap, or are so near that the direction of v is lost
    beyond,    // farther than asked for: v only tells a lower bound
};

template <class S>
struct gjk_result {
    gjk_status status;
    vec3<S> v;       // nearest point of A - B to the origin, a's frame
    S distance;      // |v|; for beyond: a lower bound
    S size;          // max |w| seen
    difference_simplex<search_number_t<S>> simplex;
    int iterations;

    [[nodiscard]] constexpr vec3<S> on_a() const noexcept { return simplex.template on_a<S>(); }
};

/// The unit vector from a to b of cores that are apart.
template <class S>
[[nodiscard]] constexpr vec3<S> direction_of(gjk_result<S> const& r) noexcept {
    if constexpr (floating_scalar<S>)
        return r.v * (S(-1) / r.distance);
    else
        return -r.v;  // a unit vector there: see below
}

/// The distance of the origin from A - B, where `support(d)` is the point of A - B farthest along d. `simplex` may carry the points
/// of an earlier search between the same cores, if they have been recomputed for the present poses; else start with count 0 and
/// the guess d0 for v. Ends early once the distance is known to exceed `limit`.
template <class S, class Support>
[[nodiscard]] constexpr gjk_result<S> gjk_search(Support const& support, difference_simplex<S> const& start, vec3<S> const& d0, S const& limit) noexcept {
    constexpr int most = 96;
    constexpr S relative = S(16) * epsilon_v<S>;
    gjk_result<S> r;
    r.status = gjk_status::apart;
    r.simplex = start;
    r.size = S(0);
    r.iterations = 0;
    S vv;
    if (start.count > 0) {
        nearest_point<S> const x = nearest_on_simplex(r.simplex);
        for (std::size_t i = 0; i < start.count; ++i) r.size = max(r.size, squared_norm(start.at[i].w));
        keep_corners(r.simplex, x);
        r.v = x.v;
        vv = x.squared;
    } else {
        r.v = d0;
        vv = dot(d0, d0);
        if (!(vv > S(0))) {
            r.v = vec3<S>{S(1), S(0), S(0)};
            vv = S(1);
        }
        difference_point<S> const p = support(-r.v);
        S const vw = dot(r.v, p.w);
        if (vw > S(0) && vw * vw > limit * limit * vv) {
            r.status = gjk_status::beyond;
            r.distance = vw / sqrt(vv);
            return r;
        }
        r.simplex.at[0] = p;
        r.simplex.weight[0] = S(1);
        r.simplex.count = 1;
        r.v = p.w;
        vv = dot(r.v, r.v);
        r.size = vv;
    }
    // r.size holds the square until the end.
    constexpr int most_stalls = 6;
    int stalls = 0;
    struct {
        vec3<S> v;
        S vv, vw;
        difference_simplex<S> simplex;
    } best{};
    constexpr S touch2 = touch_v<S> * touch_v<S>;
    bool settled = false;
    for (; r.iterations < most; ++r.iterations) {
        if (r.simplex.count == 4 || vv <= touch2 * r.size) {
            r.status = gjk_status::touching;
            break;
        }
        difference_point<S> const p = support(-r.v);
        S const vw = dot(r.v, p.w);
        if (vw > S(0) && vw * vw > limit * limit * vv) {
            r.status = gjk_status::beyond;
            r.size = sqrt(r.size);
            r.distance = vw / sqrt(vv);
            return r;
        }
        r.size = max(r.size, squared_norm(p.w));
        S const gap = vv - vw;
        if (gap <= relative * vv || gap * gap <= S(4) * epsilon_v<S> * epsilon_v<S> * vv * r.size) {
            settled = true;
            break;
        }
        bool twice = false;
        for (std::size_t i = 0; i < r.simplex.count; ++i) twice = twice || p.w == r.simplex.at[i].w;
        if (twice) break;
        difference_simplex<S> next = r.simplex;
        next.at[next.count] = p;
        next.weight[next.count] = S(0);
        ++next.count;
        // A plane that holds the origin off cannot be gainsaid by a flat tetrahedron.
        nearest_point<S> x = nearest_on_simplex(next, vw > S(0) && vw * vw > S(16) * epsilon_v<S> * epsilon_v<S> * vv * r.size);
        if (x.corners != 15 && !(x.squared < vv)) {
            // Between corners close together the normal is rounded, and what is no nearer may still be better. The plane across v tells
            // how good it is: the best is kept, and a few more are tried that take in the new corner.
            if (stalls == 0 || vw * vw * best.vv > best.vw * best.vw * vv) best = {r.v, vv, max(vw, S(0)), r.simplex};
            if (++stalls > most_stalls) break;
            if ((x.corners >> (next.count - 1) & 1U) == 0) x = nearest_with_newest(next);
        }
        keep_corners(next, x);
        r.simplex = next;
        r.v = x.v;
        vv = x.squared;
    }
    if (r.status == gjk_status::apart && (stalls > 0 || !settled)) {
        S vw = dot(r.v, support(-r.v).w);
        if (stalls > 0 && !(vw > S(0) && vw * vw * best.vv > best.vw * best.vw * vv)) {
            r.v = best.v;
            vv = best.vv;
            vw = best.vw;
            r.simplex = best.simplex;
        }
        // The plane across v does not even hold the origin off: between corners so near each other v may point anywhere.
        if (!(vw > S(0))) r.status = gjk_status::touching;
    }
    r.size = sqrt(r.size);
    r.distance = sqrt(vv);
    return r;
}

/// The corners that lead to the nearest point of a, of cores that are apart. Of a triangle all but two of whose corners are one, rounding may leave weights that lead beside v, though
/// v is right; then those of an edge or a corner are taken that lead nearest to it. `size`: the largest |w|.
template <class S>
[[nodiscard]] constexpr difference_simplex<S> nearest_corners(gjk_result<S> const& r, S const& size) noexcept {
    auto const beside = [&](difference_simplex<S> const& s) {
        vec3<S> foot = s.weight[0] * s.at[0].w;
        for (std::size_t i = 1; i < s.count; ++i) foot = foot + s.weight[i] * s.at[i].w;
        return squared_norm(foot - r.v);
    };
    difference_simplex<S> best = r.simplex;
    S const rounding = S(64) * epsilon_v<S> * size;
    S least = beside(best);
    if (best.count < 3 || least <= rounding * rounding) return best;
    for (std::size_t i = 0; i < r.simplex.count; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            difference_simplex<S> edge;
            edge.count = 2;
            edge.at[0] = r.simplex.at[i];
            edge.at[1] = r.simplex.at[j];
            vec3<S> const d = edge.at[1].w - edge.at[0].w;
            S const dd = dot(d, d);
            edge.weight[1] = dd > S(0) ? clamp(dot(r.v - edge.at[0].w, d) / dd, S(0), S(1)) : S(0);
            edge.weight[0] = S(1) - edge.weight[1];
            S const off = beside(edge);
            if (!(off < least)) continue;
            least = off;
            best = edge;
        }
    return best;
}

/// A - B over a scalar without an exponent, as the search sees it: in numbers with one, in which products of four lengths have digits.
template <class S, class Support>
struct searched_support {
    using W = search_number_t<S>;
    static constexpr auto last_place = static_cast<value_type_t<W>>(epsilon_v<value_type_t<S>>);  ///< to which its points and directions are known
    Support const& support;

    constexpr explicit searched_support(Support const& s) noexcept : support(s) {}
    [[nodiscard]] constexpr difference_point<W> operator()(vec3<W> const& d) const noexcept { return wide(support(unit(d)), d); }
    [[nodiscard]] constexpr difference_point<W> held(vec3<W> const& d) const noexcept
        requires requires(vec3<S> const& n) { support.held(n); }
    {
        return wide(support.held(unit(d)), d);
    }
    [[nodiscard]] constexpr vec3<W> of_b(vec3<W> const& d) const noexcept
        requires requires(vec3<S> const& n) { support.of_b(n); }
    {
        return cast<W>(support.of_b(unit(d)));
    }

    [[nodiscard]] static constexpr vec3<S> unit(vec3<W> const& d) noexcept { return cast<S>(normalize(d)); }
    [[nodiscard]] static constexpr difference_point<W> wide(difference_point<S> const& p, vec3<W> const& along) noexcept {
        difference_point<W> r{cast<W>(p.w), cast<W>(p.a)};
        if constexpr (derivative_order_v<S> > 0) r.along = along;
        return r;
    }
};

/// gjk_search. For a scalar without an exponent v is the direction only, a unit vector.
template <class S, class Support>
[[nodiscard]] constexpr gjk_result<S> gjk(Support const& support, difference_simplex<search_number_t<S>> const& start, vec3<S> const& d0, S const& limit) noexcept {
    if constexpr (floating_scalar<S>) {
        return gjk_search(support, start, d0, limit);
    } else {
        using W = search_number_t<S>;
        gjk_result<W> const found = gjk_search(searched_support<S, Support>(support), start, cast<W>(d0), static_cast<W>(limit));
        gjk_result<S> r;
        r.status = found.status;
        // Of what is nearer than some steps of S, the points know no direction.
        if (r.status == gjk_status::apart && static_cast<W>(S(32) * epsilon_v<S>) > found.distance) r.status = gjk_status::touching;
        r.v = cast<S>(normalize(found.v));
        r.distance = static_cast<S>(found.distance);
        r.size = static_cast<S>(found.size);
        r.iterations = found.iterations;
        r.simplex = found.simplex;
        return r;
    }
}

}  // namespace detail

}  // namespace sinew::inline v0
