#pragma once
// The triangles of a hull, joined to polygons where they are in one plane but for a tolerance.
//
// Two neighbours become one face if all their corners are within the tolerance of its plane, it is convex, and the faces around it
// are below it. A hull that was
// built with that tolerance has no corners that are not needed, and any part of a convex polygon that is made of its corners
// is convex: so a face that was flat before rounding comes out whole, in whatever order its triangles are joined.

#include <sinew/geometry/quickhull.hpp>

namespace sinew::inline v0::detail {

// Half an edge: from its origin to the origin of `next`, counter-clockwise around its face.
struct half_edge {
    std::uint32_t origin = 0, twin = no_index, next = no_index, previous = no_index, face = no_index;
    bool alive = true;
};

// Normal by the areas the polygon throws on the planes of the axes (Newell), which no single corner decides.
struct newell_plane {
    vec3<double> normal{0, 0, 0}, middle{0, 0, 0};
    double area = 0;  // twice
};

template <class Storage, std::size_t N>
class face_merger {
public:
    template <class T, std::size_t Room>
    using array = typename Storage::template array<T, Room>;
    static constexpr std::size_t edge_room = 12 * N;

    struct face {
        std::uint32_t edge = no_index, count = 0;
        bool alive = false;
    };

    // Points by a function of their index, in any unit of length; the tolerance in the same.
    template <class Triangles, class Point>
    constexpr void build(Triangles const& triangles, Point const& point, double tolerance) {
        load(triangles);
        bool merged = true;
        while (merged) {
            merged = false;
            for (std::uint32_t h = 0; h < edges_.size(); ++h)
                if (edges_[h].alive && h < edges_[h].twin && merge(h, point, tolerance)) merged = true;
        }
        straighten(point, tolerance);
    }
    [[nodiscard]] constexpr array<half_edge, edge_room> const& edges() const noexcept { return edges_; }
    [[nodiscard]] constexpr array<face, edge_room / 3> const& faces() const noexcept { return faces_; }

    // Newell's sums over a loop of half-edges that `following` walks, starting at h.
    template <class Point, class Following>
    [[nodiscard]] constexpr newell_plane plane_of(std::uint32_t h, std::uint32_t count, Point const& point, Following const& following) const {
        newell_plane p;
        vec3<double> const base = point(edges_[h].origin);
        vec3<double> normal{0, 0, 0}, sum{0, 0, 0};
        std::uint32_t e = h;
        for (std::uint32_t i = 0; i < count; ++i) {
            std::uint32_t const n = following(e);
            vec3<double> const a = point(edges_[e].origin) - base, b = point(edges_[n].origin) - base;
            normal += sinew::cross(a, b);
            sum += a;
            e = n;
        }
        p.area = norm(normal);
        p.normal = normalize(normal);
        p.middle = base + sum / static_cast<double>(count);
        return p;
    }

private:
    template <class Triangles>
    constexpr void load(Triangles const& triangles) {
        edges_.clear();
        faces_.clear();
        number_.clear();
        std::uint32_t made = 0;
        for (hull_triangle const& t : triangles) number_.push_back(t.alive ? made++ : no_index);
        for (std::uint32_t f = 0; f < triangles.size(); ++f) {
            hull_triangle const& t = triangles[f];
            if (!t.alive) continue;
            std::uint32_t const first = 3 * number_[f];
            for (std::uint32_t k = 0; k < 3; ++k) {
                half_edge e;
                e.origin = t.corner[k];
                e.next = first + (k + 1) % 3;
                e.previous = first + (k + 2) % 3;
                e.face = number_[f];
                hull_triangle const& g = triangles[t.neighbour[k]];
                for (std::uint32_t j = 0; j < 3; ++j)
                    if (g.corner[j] == t.corner[(k + 1) % 3] && g.corner[(j + 1) % 3] == t.corner[k]) e.twin = 3 * number_[t.neighbour[k]] + j;
                edges_.push_back(e);
            }
            faces_.push_back({first, 3, true});
        }
    }

    // Takes the faces on both sides of h for one, if they are.
    template <class Point>
    constexpr bool merge(std::uint32_t h, Point const& point, double tolerance) {
        std::uint32_t const f = edges_[h].face, g = edges_[edges_[h].twin].face;
        if (f == g) return false;
        // All edges that they share: a chain from `first` to `last`, counted along f.
        std::uint32_t first = h, last = h, shared = 1;
        while (shared < faces_[f].count && edges_[edges_[edges_[first].previous].twin].face == g) first = edges_[first].previous, ++shared;
        while (shared < faces_[f].count && edges_[edges_[edges_[last].next].twin].face == g) last = edges_[last].next, ++shared;
        std::uint32_t all = 0;
        std::uint32_t e = h;
        for (std::uint32_t i = 0; i < faces_[f].count; ++i, e = edges_[e].next)
            if (edges_[edges_[e].twin].face == g) ++all;
        std::uint32_t const count = faces_[f].count + faces_[g].count - 2 * shared;
        if (all != shared || count < 3) return false;

        // Around the union: along f from behind the chain to before it, and on along g.
        std::uint32_t const f_end = edges_[first].previous, g_start = edges_[edges_[first].twin].next;
        std::uint32_t const g_end = edges_[edges_[last].twin].previous, f_start = edges_[last].next;
        auto const following = [&](std::uint32_t i) { return i == f_end ? g_start : i == g_end ? f_start : edges_[i].next; };
        newell_plane const plane = plane_of(f_start, count, point, following);
        if (!(plane.area > 0)) return false;
        auto const is_flat = [&](std::uint32_t i) { return abs(dot(plane.normal, point(edges_[i].origin) - plane.middle)) <= tolerance; };
        e = first;
        for (std::uint32_t i = 0; i < shared; ++i, e = edges_[e].next)
            if (!is_flat(e)) return false;
        e = f_start;
        for (std::uint32_t i = 0; i < count; ++i) {
            std::uint32_t const n = following(e);
            vec3<double> const a = point(edges_[e].origin), b = point(edges_[n].origin), c = point(edges_[following(n)].origin);
            // Twice the area of the corner's triangle, over its base: how far the corner stands out.
            if (!is_flat(e) || dot(sinew::cross(b - a, c - b), plane.normal) < -tolerance * norm(c - a)) return false;
            // The plane of a sliver is tilted by its noise: what lies around must be below the plane too.
            std::uint32_t beside = edges_[edges_[e].twin].next;
            for (std::uint32_t k = faces_[edges_[beside].face].count; k > 2; --k) {
                beside = edges_[beside].next;
                if (dot(plane.normal, point(edges_[beside].origin) - plane.middle) > tolerance) return false;
            }
            e = n;
        }

        e = first;
        for (std::uint32_t i = 0; i < shared; ++i) {
            std::uint32_t const n = edges_[e].next;
            edges_[edges_[e].twin].alive = false;
            edges_[e].alive = false;
            e = n;
        }
        link(f_end, g_start);
        link(g_end, f_start);
        e = f_start;
        for (std::uint32_t i = 0; i < count; ++i, e = edges_[e].next) edges_[e].face = f;
        faces_[f] = {f_start, count, true};
        faces_[g].alive = false;
        return true;
    }

    // A corner between two faces only is a point of their edge, but for the tolerance: the edge goes on through it.
    template <class Point>
    constexpr void straighten(Point const& point, double tolerance) {
        for (std::uint32_t h = 0; h < edges_.size(); ++h) {
            // Into the corner along one face: h; out of it: its next. The other face comes back by the twins.
            if (!edges_[h].alive) continue;
            std::uint32_t const out = edges_[h].next, back = edges_[out].twin, home = edges_[h].twin;
            if (edges_[back].next != home) continue;
            std::uint32_t const f = edges_[h].face, g = edges_[home].face;
            if (faces_[f].count < 4 || faces_[g].count < 4) continue;
            vec3<double> const u = point(edges_[h].origin), v = point(edges_[out].origin), w = point(edges_[back].origin);
            if (norm(sinew::cross(v - u, w - u)) > 4 * tolerance * norm(w - u)) continue;
            edges_[out].alive = false;
            edges_[home].alive = false;
            link(h, edges_[out].next);
            link(back, edges_[home].next);
            edges_[h].twin = back;
            edges_[back].twin = h;
            faces_[f] = {h, faces_[f].count - 1, true};
            faces_[g] = {back, faces_[g].count - 1, true};
            --h;  // the next corner along may be such a one too
        }
    }
    constexpr void link(std::uint32_t before, std::uint32_t after) noexcept {
        edges_[before].next = after;
        edges_[after].previous = before;
    }

    array<half_edge, edge_room> edges_{};
    array<face, edge_room / 3> faces_{};
    array<std::uint32_t, edge_room / 3> number_{};
};

}  // namespace sinew::inline v0::detail
