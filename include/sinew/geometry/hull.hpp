#pragma once
// The convex hull of points, as a polytope with polygons for faces.
//
//   auto const rock = convex_hull(points);                          // any contiguous range of vec3
//   if (rock.fault().name != nullptr) ...                           // too flat, not finite, ...: a world refuses it with a sentence
//
// Every point is within a tolerance of the hull, and every corner of the hull is one of the points. Unless another one is
// given, the tolerance is a millionth of the longest extent, or the rounding of the coordinates where that is more. Points
// closer to each other are welded, faces in one plane are merged, corners within a face or an edge are left out; and points
// that span no more than eight tolerances in some direction are refused as flat. See quickhull.hpp for why it cannot fail.

#include <sinew/core/sort.hpp>
#include <sinew/geometry/convex_polytope.hpp>
#include <sinew/geometry/merged_faces.hpp>

#include <algorithm>
#include <concepts>
#include <type_traits>

namespace sinew::inline v0 {

namespace detail {

template <class S>
[[nodiscard]] constexpr double plain(S const& x) noexcept {
    return static_cast<double>(value(x));
}
template <class S>
[[nodiscard]] constexpr vec3<double> plain(vec3<S> const& v) noexcept {
    return {plain(v[0]), plain(v[1]), plain(v[2])};
}

template <class S>
[[nodiscard]] constexpr S of_plain(double x) noexcept {
    if constexpr (requires { S::from(x); })
        return S::from(x);
    else
        return S(static_cast<value_type_t<S>>(x));
}

template <class S, class Storage, std::size_t N>
struct polytope_builder<basic_convex_polytope<S, Storage, N>> {
    using polytope = basic_convex_polytope<S, Storage, N>;
    template <class T, std::size_t Room>
    using array = typename Storage::template array<T, Room>;

    [[nodiscard]] static constexpr polytope refused(hull_status why, std::size_t offender) {
        polytope p;
        p.status_ = why;
        p.offender_ = offender;
        return p;
    }

    [[nodiscard]] static constexpr polytope build(std::span<vec3<S> const> points, double tolerance) {
        if (points.empty()) return refused(hull_status::empty, 0);
        if (Storage::is_static && points.size() > N) return refused(hull_status::full, points.size());
        vec3<double> lower = plain(points[0]), upper = lower;
        double largest = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            vec3<double> const p = plain(points[i]);
            if (!all(isfinite(points[i])) || !all(isfinite(p))) return refused(hull_status::not_finite, i);
            for (std::size_t k = 0; k < 3; ++k) {
                lower[k] = min(lower[k], p[k]);
                upper[k] = max(upper[k], p[k]);
                largest = max(largest, abs(p[k]));
            }
        }
        vec3<double> const size = upper - lower;
        double const extent = max(max(size[0], size[1]), size[2]);
        // Far outside of any length that has a meaning; the grid's arithmetic would overflow.
        if (!(extent < 1e150)) return refused(hull_status::not_finite, points.size() - 1);
        if (!(extent > 1e-150)) return refused(hull_status::coincident, points.size());
        if (!(tolerance > 0)) tolerance = max(extent * 1e-6, largest * plain(epsilon_v<S>) * 3);
        if (!(extent > 8 * tolerance)) return refused(hull_status::coincident, points.size());

        double const cells = (0x1p30 - 1) / extent;
        array<grid_point, N> grid;
        for (vec3<S> const& p : points) {
            grid_point g;
            for (std::size_t k = 0; k < 3; ++k) g.e[k] = static_cast<std::int64_t>((plain(p[k]) - lower[k]) * cells + 0.5);
            grid.push_back(g);
        }
        quickhull<Storage, N> hull;
        quickhull_status const status = hull.build(grid, tolerance * cells + 2);
        if (status != quickhull_status::ok)
            return refused(status == quickhull_status::collinear ? hull_status::collinear : hull_status::coplanar, points.size());
        // From the middle of the points, so that little cancels far from the origin.
        vec3<double> const middle = (lower + upper) * 0.5;
        auto const point = [&](std::uint32_t i) { return plain(points[i]) - middle; };
        face_merger<Storage, N> merger;
        merger.build(hull.triangles(), point, tolerance * 2);
        return assemble(points, merger, point);
    }

private:
    // Corners in the order of the points, faces in the order of their lowest corners, so that the same points make the same
    // polytope whatever became of the triangles.
    template <class Merger, class Point>
    [[nodiscard]] static constexpr polytope assemble(std::span<vec3<S> const> points, Merger const& merger, Point const& point) {
        auto const& edges = merger.edges();
        polytope p;
        array<std::uint32_t, N> number;
        number.assign(points.size(), no_index);
        for (half_edge const& e : edges)
            if (e.alive) number[e.origin] = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (number[i] == no_index) continue;
            number[i] = static_cast<std::uint32_t>(p.vertices_.size());
            p.vertices_.push_back(points[i]);
        }
        // Edges are numbered by 16 bits.
        if (p.vertices_.size() > 16384) return refused(hull_status::full, points.size());

        for (auto const& f : merger.faces()) {
            if (!f.alive) continue;
            std::uint32_t lowest = f.edge, h = f.edge;
            for (std::uint32_t i = 0; i < f.count; ++i, h = edges[h].next)
                if (edges[h].origin < edges[lowest].origin) lowest = h;
            polytope_face<S> made;
            made.first = static_cast<std::uint32_t>(p.face_corners_.size());
            made.count = f.count;
            h = lowest;
            for (std::uint32_t i = 0; i < f.count; ++i, h = edges[h].next)
                p.face_corners_.push_back(static_cast<std::uint16_t>(number[edges[h].origin]));
            vec3<double> const n = merger.plane_of(lowest, f.count, point, [&](std::uint32_t i) { return edges[i].next; }).normal;
            made.normal = {of_plain<S>(n[0]), of_plain<S>(n[1]), of_plain<S>(n[2])};
            p.faces_.push_back(made);
        }
        detail::sort<Storage>(p.faces_.begin(), p.faces_.end(), [&](auto const& a, auto const& b) {
            for (std::uint32_t i = 0; i < a.count && i < b.count; ++i)
                if (p.face_corners_[a.first + i] != p.face_corners_[b.first + i]) return p.face_corners_[a.first + i] < p.face_corners_[b.first + i];
            return a.count < b.count;
        });
        for (polytope_face<S>& f : p.faces_) {
            // Over all corners, not only its own: no rounding of a normal then leaves a corner outside.
            f.offset = -infinity_v<S>;
            for (vec3<S> const& v : p.vertices_) f.offset = max(f.offset, dot(f.normal, v));
        }
        connect(p);
        measure(p);
        // What is flat in the scalar at hand though it was not on the grid.
        if (!(p.unit_mass_.mass > S(0))) return refused(hull_status::coplanar, points.size());
        if (!all(isfinite(p.unit_mass_.mass))) return refused(hull_status::not_finite, points.size() - 1);
        p.status_ = hull_status::ok;
        return p;
    }

    static constexpr void connect(polytope& p) {
        array<polytope_edge, 6 * N> halves;
        for (std::size_t f = 0; f < p.faces_.size(); ++f) {
            auto const corner = p.corners(p.faces_[f]);
            for (std::size_t i = 0; i < corner.size(); ++i) {
                polytope_edge e;
                e.a = corner[i];
                e.b = corner[(i + 1) % corner.size()];
                e.left = static_cast<std::uint16_t>(f);
                halves.push_back(e);
            }
        }
        // Each edge twice, once from either side: brought together by sorting, the second tells the first of its face.
        auto const low = [](polytope_edge const& e) { return e.a < e.b ? e.a : e.b; };
        auto const high = [](polytope_edge const& e) { return e.a < e.b ? e.b : e.a; };
        detail::sort<Storage>(halves.begin(), halves.end(), [&](polytope_edge const& x, polytope_edge const& y) {
            if (low(x) != low(y)) return low(x) < low(y);
            if (high(x) != high(y)) return high(x) < high(y);
            return x.a < y.a;
        });
        std::size_t const count = halves.size() / 2;
        for (std::size_t i = 0; i < count; ++i) {
            polytope_edge e = halves[2 * i];
            e.right = halves[2 * i + 1].left;
            p.edges_.push_back(e);
        }

        p.vertex_first_.assign(p.vertices_.size() + 1, 0);
        for (polytope_edge const& e : p.edges_) ++p.vertex_first_[e.a + 1u], ++p.vertex_first_[e.b + 1u];
        for (std::size_t v = 0; v < p.vertices_.size(); ++v) p.vertex_first_[v + 1] += p.vertex_first_[v];
        p.vertex_edges_.assign(2 * count, 0);
        array<std::uint32_t, N + 1> at = p.vertex_first_;
        for (std::size_t i = 0; i < count; ++i) {
            p.vertex_edges_[at[p.edges_[i].a]++] = static_cast<std::uint16_t>(i);
            p.vertex_edges_[at[p.edges_[i].b]++] = static_cast<std::uint16_t>(i);
        }
    }

    // Volume integrals over the tetrahedra of each face, cut into a fan, with the middle of the corners. Float sums are made in
    // double: of hundreds of terms they would lose two digits.
    static constexpr void measure(polytope& p) {
        using A = std::conditional_t<std::same_as<S, float>, double, S>;
        auto const widened = [&](std::size_t v) { return cast<A>(p.vertices_[v]); };
        vec3<A> middle{A(0), A(0), A(0)};
        for (std::size_t v = 0; v < p.vertices_.size(); ++v) middle += widened(v) - widened(0);
        middle = widened(0) + middle / A(static_cast<value_type_t<A>>(p.vertices_.size()));
        volume_moments<A> sum;
        for (polytope_face<S> const& f : p.faces_) {
            auto const corner = p.corners(f);
            for (std::size_t i = 2; i < corner.size(); ++i) sum.add(widened(corner[0]) - middle, widened(corner[i - 1]) - middle, widened(corner[i]) - middle);
        }
        if (!(sum.volume > A(0))) return;
        sinew::mass_properties<A> const m = sum.properties(sum.volume, middle);
        auto const narrowed = [](A const& x) { return static_cast<S>(x); };
        p.unit_mass_ = {narrowed(m.mass), cast<S>(m.center),
                        {narrowed(m.inertia.xx), narrowed(m.inertia.yy), narrowed(m.inertia.zz), narrowed(m.inertia.xy), narrowed(m.inertia.xz), narrowed(m.inertia.yz)}};
    }
};

}  // namespace detail

/// The hull of points (m). A tolerance (m) of 0 is chosen from the points.
template <point_range Points>
[[nodiscard]] constexpr auto convex_hull(Points const& points, double tolerance = 0) {
    using S = typename detail::element_t<Points>::scalar_type;
    return detail::polytope_builder<convex_polytope<S>>::build(std::span<vec3<S> const>(points), tolerance);
}

/// The same without a heap, for up to N points: convex_hull_in_place<16>(points).
template <std::size_t N, point_range Points>
[[nodiscard]] constexpr auto convex_hull_in_place(Points const& points, double tolerance = 0) {
    using S = typename detail::element_t<Points>::scalar_type;
    return detail::polytope_builder<basic_convex_polytope<S, static_storage<>, N>>::build(std::span<vec3<S> const>(points), tolerance);
}

}  // namespace sinew::inline v0
