#pragma once
// The convex hull of points, as triangles (Barber, Dobkin & Huhdanpaa 1996), by exact arithmetic.
//
// The points are moved to a grid of 2^30 cells along their longest extent. On it, the volume of a tetrahedron is an integer
// whose sign is computed exactly, so that what a point sees of the hull is always one patch with one rim: the hull is closed and
// convex, on the grid, whatever the points. Tolerance comes in only where points are chosen: one becomes a corner if it is
// farther than `tolerance` outside what has been built so far, which welds near-duplicates and leaves out what lies within a
// face or an edge but for noise. In the end every point is within the tolerance of the hull.
//
// Among points that are farthest but for the tolerance the one is taken that is farthest sideways: the highest of a face with
// noise may be anywhere on it, but the outermost is a corner.

#include <sinew/core/storage.hpp>
#include <sinew/math/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace sinew::inline v0::detail {

// A point of the grid.
struct grid_point {
    std::int64_t e[3] = {0, 0, 0};

    [[nodiscard]] friend constexpr grid_point operator-(grid_point const& a, grid_point const& b) noexcept {
        return {{a.e[0] - b.e[0], a.e[1] - b.e[1], a.e[2] - b.e[2]}};
    }
};
// Exact: differences of grid points are below 2^30 in size, so the terms are below 2^60.
[[nodiscard]] constexpr grid_point cross(grid_point const& a, grid_point const& b) noexcept {
    return {{a.e[1] * b.e[2] - a.e[2] * b.e[1], a.e[2] * b.e[0] - a.e[0] * b.e[2], a.e[0] * b.e[1] - a.e[1] * b.e[0]}};
}
[[nodiscard]] constexpr vec3<double> to_double(grid_point const& a) noexcept {
    return {static_cast<double>(a.e[0]), static_cast<double>(a.e[1]), static_cast<double>(a.e[2])};
}
[[nodiscard]] constexpr double squared_distance(grid_point const& a, grid_point const& b) noexcept { return squared_norm(to_double(a - b)); }

inline constexpr int grid_bits = 30;
inline constexpr std::uint32_t no_index = 0xffffffffu;

// A triangle of the hull, counter-clockwise seen from outside; neighbour k is across the edge from corner k to corner k + 1.
struct hull_triangle {
    std::uint32_t corner[3] = {0, 0, 0};
    std::uint32_t neighbour[3] = {no_index, no_index, no_index};
    std::uint32_t outside = no_index;  // the first of the points outside it
    std::uint32_t visit = 0;
    bool alive = false;
    bool queued = false;
    grid_point normal{};
    double length = 0;  // of the normal

    // The height of a point over the plane, times length. Its sign is exact.
    [[nodiscard]] constexpr double volume(grid_point const& at, grid_point const& p) const noexcept {
        grid_point const d = p - at;
        double const approximate = dot(to_double(normal), to_double(d));
        // Three products below 2^91 and their sums, each rounded to 53 bits: off by less than 2^42. Where that could matter the
        // true value fits in 64 bits, so that it is found exactly by arithmetic modulo 2^64.
        constexpr double doubtful = 0x1p44;
        if (approximate > doubtful || approximate < -doubtful) return approximate;
        std::uint64_t sum = 0;
        for (int i = 0; i < 3; ++i) sum += static_cast<std::uint64_t>(normal.e[i]) * static_cast<std::uint64_t>(d.e[i]);
        return static_cast<double>(static_cast<std::int64_t>(sum));
    }
};

enum class quickhull_status : unsigned char { ok, collinear, coplanar };

// Storage and N: of the working memory, for N points.
template <class Storage, std::size_t N>
class quickhull {
public:
    template <class T, std::size_t Room>
    using array = typename Storage::template array<T, Room>;
    // Triangles in use, and those being made before the old ones are given back.
    static constexpr std::size_t triangle_room = 4 * N;

    // Points on the grid; a tolerance in cells. At least two points differ by more than the tolerance.
    template <class Points>
    [[nodiscard]] constexpr quickhull_status build(Points const& points, double tolerance) {
        tolerance_ = tolerance;
        points_.clear();
        for (grid_point const& p : points) points_.push_back(p);
        triangles_.clear();
        free_.clear();
        pending_.clear();
        doubtful_.clear();
        visits_ = 0;
        next_.assign(points_.size(), no_index);
        at_corner_.assign(points_.size(), no_index);
        if (quickhull_status const s = make_simplex(); s != quickhull_status::ok) return s;
        do {
            while (!pending_.empty()) {
                std::uint32_t const f = pending_.back();
                pending_.pop_back();
                triangles_[f].queued = false;
                if (triangles_[f].alive && triangles_[f].outside != no_index) add_farthest(f);
            }
        } while (find_missed());
        return quickhull_status::ok;
    }
    [[nodiscard]] constexpr array<hull_triangle, triangle_room> const& triangles() const noexcept { return triangles_; }

private:
    [[nodiscard]] constexpr double height(std::uint32_t f, std::uint32_t p) const noexcept {
        hull_triangle const& t = triangles_[f];
        return t.volume(points_[t.corner[0]], points_[p]) / t.length;
    }

    constexpr std::uint32_t make_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        std::uint32_t f = 0;
        if (!free_.empty()) {
            f = free_.back();
            free_.pop_back();
        } else {
            f = static_cast<std::uint32_t>(triangles_.size());
            triangles_.push_back(hull_triangle{});
        }
        hull_triangle t;
        t.corner[0] = a, t.corner[1] = b, t.corner[2] = c;
        t.alive = true;
        t.queued = triangles_[f].queued;  // it may wait under the same number since its last life
        t.normal = cross(points_[b] - points_[a], points_[c] - points_[a]);
        t.length = norm(to_double(t.normal));
        triangles_[f] = t;
        return f;
    }

    // The point with the largest measure, and of those within the tolerance of it the farthest from a place.
    template <class Measure>
    [[nodiscard]] constexpr std::uint32_t outermost(Measure const& measure, vec3<double> const& from, double& largest) const noexcept {
        largest = -1;
        for (std::uint32_t i = 0; i < points_.size(); ++i) {
            double const m = measure(i);
            if (m > largest) largest = m;
        }
        std::uint32_t best = no_index;
        double farthest = -1;
        for (std::uint32_t i = 0; i < points_.size(); ++i) {
            if (measure(i) < largest - tolerance_) continue;
            double const d = squared_norm(to_double(points_[i]) - from);
            if (d > farthest) farthest = d, best = i;
        }
        return best;
    }

    [[nodiscard]] constexpr quickhull_status make_simplex() {
        // Flatter than this, faces of the two sides could be taken for one.
        double const flat = 8 * tolerance_;
        double largest = 0;
        double const middle = 0x1p29;
        std::uint32_t const a = outermost([](std::uint32_t) { return 0.0; }, vec3<double>{middle, middle, middle}, largest);
        vec3<double> const pa = to_double(points_[a]);
        std::uint32_t const b = outermost([](std::uint32_t) { return 0.0; }, pa, largest);
        vec3<double> const ab = to_double(points_[b] - points_[a]);
        double const length = norm(ab);
        auto const from_line = [&](std::uint32_t i) { return norm(sinew::cross(ab, to_double(points_[i] - points_[a]))) / length; };
        std::uint32_t const c = outermost(from_line, pa, largest);
        if (!(largest > flat)) return quickhull_status::collinear;
        hull_triangle base;
        base.normal = cross(points_[b] - points_[a], points_[c] - points_[a]);
        base.length = norm(to_double(base.normal));
        auto const from_plane = [&](std::uint32_t i) { return abs(base.volume(points_[a], points_[i])) / base.length; };
        std::uint32_t const d = outermost(from_plane, pa, largest);
        if (!(largest > flat)) return quickhull_status::coplanar;

        bool const below = base.volume(points_[a], points_[d]) < 0;
        std::uint32_t const p = a, q = below ? b : c, r = below ? c : b;
        std::uint32_t const f[4] = {make_triangle(p, q, r), make_triangle(q, p, d), make_triangle(r, q, d), make_triangle(p, r, d)};
        // Side k of the base is the first edge of triangle k + 1; the other edges of those meet around d.
        for (std::uint32_t k = 0; k < 3; ++k) {
            triangles_[f[0]].neighbour[k] = f[k + 1];
            triangles_[f[k + 1]].neighbour[0] = f[0];
            triangles_[f[k + 1]].neighbour[1] = f[1 + (k + 2) % 3];
            triangles_[f[k + 1]].neighbour[2] = f[1 + (k + 1) % 3];
        }
        for (std::uint32_t i = 0; i < points_.size(); ++i) (void)assign(i, f);
        for (std::uint32_t const t : f) enqueue(t);
        return quickhull_status::ok;
    }

    // Hangs a point on the triangle that it is farthest outside of. Returns how far outside it is.
    template <class Triangles>
    constexpr double assign(std::uint32_t p, Triangles const& candidates) noexcept {
        std::uint32_t best = no_index;
        double highest = 0;
        for (std::uint32_t const f : candidates) {
            double const h = height(f, p);
            if (h > highest) highest = h, best = f;
        }
        if (highest > tolerance_) {
            next_[p] = triangles_[best].outside;
            triangles_[best].outside = p;
        }
        return highest;
    }
    constexpr void enqueue(std::uint32_t f) {
        if (triangles_[f].outside == no_index || triangles_[f].queued) return;
        triangles_[f].queued = true;
        pending_.push_back(f);
    }

    constexpr void add_farthest(std::uint32_t f) {
        std::uint32_t const p = farthest_of(f);
        find_visible(f, p);
        // A new triangle on each edge of the rim. at_corner_ finds the one that begins at a corner.
        made_.clear();
        for (rim_edge const& e : rim_) {
            std::uint32_t const t = make_triangle(e.from, e.to, p);
            triangles_[t].neighbour[0] = e.beyond;
            for (std::uint32_t k = 0; k < 3; ++k)
                if (triangles_[e.beyond].corner[k] == e.to && triangles_[e.beyond].corner[(k + 1) % 3] == e.from) triangles_[e.beyond].neighbour[k] = t;
            at_corner_[e.from] = t;
            made_.push_back(t);
        }
        for (std::uint32_t const t : made_) {
            std::uint32_t const after = at_corner_[triangles_[t].corner[1]];
            triangles_[t].neighbour[1] = after;
            triangles_[after].neighbour[2] = t;
        }
        for (std::uint32_t const v : visible_) {
            std::uint32_t q = triangles_[v].outside;
            triangles_[v].alive = false;
            while (q != no_index) {
                std::uint32_t const following = next_[q];
                if (q != p) {
                    double const h = assign(q, made_);
                    if (h > 0 && !(h > tolerance_)) doubtful_.push_back(q);
                }
                q = following;
            }
        }
        for (std::uint32_t const v : visible_) free_.push_back(v);
        for (std::uint32_t const t : made_) enqueue(t);
    }

    [[nodiscard]] constexpr std::uint32_t farthest_of(std::uint32_t f) const noexcept {
        hull_triangle const& t = triangles_[f];
        vec3<double> const middle = (to_double(points_[t.corner[0]]) + to_double(points_[t.corner[1]]) + to_double(points_[t.corner[2]])) / 3.0;
        double highest = 0;
        for (std::uint32_t q = t.outside; q != no_index; q = next_[q]) highest = max(highest, height(f, q));
        std::uint32_t best = no_index;
        double farthest = -1;
        for (std::uint32_t q = t.outside; q != no_index; q = next_[q]) {
            if (height(f, q) < highest - tolerance_) continue;
            double const d = squared_norm(to_double(points_[q]) - middle);
            if (d > farthest || (d == farthest && q < best)) farthest = d, best = q;
        }
        return best;
    }

    // All triangles that have p strictly above them: one patch around f. Triangles in the plane of p stay.
    constexpr void find_visible(std::uint32_t f, std::uint32_t p) {
        ++visits_;
        visible_.clear();
        rim_.clear();
        visible_.push_back(f);
        triangles_[f].visit = visits_;
        for (std::size_t i = 0; i < visible_.size(); ++i) {
            hull_triangle const t = triangles_[visible_[i]];
            for (std::uint32_t k = 0; k < 3; ++k) {
                std::uint32_t const g = t.neighbour[k];
                if (triangles_[g].visit == visits_) continue;
                if (height(g, p) > 0) {
                    triangles_[g].visit = visits_;
                    visible_.push_back(g);
                }
            }
        }
        for (std::uint32_t const v : visible_)
            for (std::uint32_t k = 0; k < 3; ++k) {
                std::uint32_t const g = triangles_[v].neighbour[k];
                if (triangles_[g].visit != visits_) rim_.push_back({triangles_[v].corner[k], triangles_[v].corner[(k + 1) % 3], g});
            }
    }

    // A point that hung on a triangle now gone, and is not above any that replaced it, is inside: a plane between two that it is
    // above, through their edge, is one that it is above too. But one that is outside by less than the tolerance may be farther
    // outside another triangle. Those few are looked at again when all seems done.
    [[nodiscard]] constexpr bool find_missed() {
        made_.clear();
        if (doubtful_.empty()) return false;
        for (std::uint32_t f = 0; f < triangles_.size(); ++f)
            if (triangles_[f].alive) made_.push_back(f);
        for (std::uint32_t const p : doubtful_) (void)assign(p, made_);
        doubtful_.clear();
        for (std::uint32_t const f : made_) enqueue(f);
        return !pending_.empty();
    }

    struct rim_edge {
        std::uint32_t from = 0, to = 0, beyond = 0;
    };

    double tolerance_ = 0;
    std::uint32_t visits_ = 0;
    array<grid_point, N> points_{};
    array<std::uint32_t, N> next_{}, at_corner_{}, doubtful_{};
    array<hull_triangle, triangle_room> triangles_{};
    array<std::uint32_t, triangle_room> free_{}, visible_{}, made_{}, pending_{};
    array<rim_edge, triangle_room> rim_{};
};

}  // namespace sinew::inline v0::detail
