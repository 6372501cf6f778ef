#pragma once
// A convex polytope: corners, faces and edges. It is made from points by hull.hpp, and is never changed.
//
// Vondrak's Polytope (2005, 7.3.2): boundary planes, with what the collision tests need to know of corners and edges.

#include <sinew/core/storage.hpp>
#include <sinew/geometry/shape.hpp>

#include <cstdint>
#include <span>

namespace sinew::inline v0 {

/// What became of a hull's points.
enum class hull_status : unsigned char {
    ok,
    empty,       ///< no points
    not_finite,  ///< a point is NaN or infinite, or the points are too far apart to compute with
    coincident,  ///< all points are one
    collinear,   ///< all points are on one line
    coplanar,    ///< all points are in one plane
    full,        ///< more points than there is room for, or corners than their numbers can tell apart
};

/// Why points have no hull, as the end of a sentence that begins with "points".
[[nodiscard]] constexpr char const* to_text(hull_status s) noexcept {
    switch (s) {
        case hull_status::ok: return "are fine; their number";
        case hull_status::empty: return "must not be empty; their number";
        case hull_status::not_finite: return "must be finite, but one is not; its index";
        case hull_status::coincident: return "must enclose a volume, but are all in one place; their number";
        case hull_status::collinear: return "must enclose a volume, but are all on one line; their number";
        case hull_status::coplanar: return "must enclose a volume, but are all in one plane; their number";
        case hull_status::full: return "must not be more than there is room for; their number";
    }
    return "";
}

/// { x : normal . x <= offset } touches the polytope along this face.
template <class S>
struct polytope_face {
    vec3<S> normal{S(0), S(0), S(0)};  ///< outwards, length 1
    S offset{0};                       ///< m
    std::uint32_t first = 0;           ///< of its corners among face_corners()
    std::uint32_t count = 0;

    [[nodiscard]] friend constexpr bool operator==(polytope_face const&, polytope_face const&) = default;
};

/// From corner a to corner b, a < b; the left face runs through it from a to b, the right one from b to a.
struct polytope_edge {
    std::uint16_t a = 0, b = 0;
    std::uint16_t left = 0, right = 0;

    [[nodiscard]] friend constexpr bool operator==(polytope_edge const&, polytope_edge const&) = default;
};

namespace detail {
template <class Polytope>
struct polytope_builder;
}

/// Convex, of up to N corners with static storage. Default constructed it is empty, which fault() refuses.
template <scalar S, class Storage = dynamic_storage, std::size_t N = 0>
class basic_convex_polytope {
public:
    using scalar_type = S;

    [[nodiscard]] constexpr std::span<vec3<S> const> vertices() const noexcept { return {vertices_.data(), vertices_.size()}; }
    [[nodiscard]] constexpr std::span<polytope_face<S> const> faces() const noexcept { return {faces_.data(), faces_.size()}; }
    [[nodiscard]] constexpr std::span<polytope_edge const> edges() const noexcept { return {edges_.data(), edges_.size()}; }
    /// The corners of a face, by index into vertices(), counter-clockwise seen from outside.
    [[nodiscard]] constexpr std::span<std::uint16_t const> corners(polytope_face<S> const& f) const noexcept {
        return {face_corners_.data() + f.first, f.count};
    }
    /// The edges at a corner, by index into edges().
    [[nodiscard]] constexpr std::span<std::uint16_t const> edges_at(std::size_t vertex) const noexcept {
        return {vertex_edges_.data() + vertex_first_[vertex], vertex_first_[vertex + 1] - vertex_first_[vertex]};
    }
    [[nodiscard]] constexpr S volume() const noexcept { return unit_mass_.mass; }       ///< m^3
    [[nodiscard]] constexpr vec3<S> centroid() const noexcept { return unit_mass_.center; }  ///< m
    [[nodiscard]] constexpr hull_status status() const noexcept { return status_; }

    /// The corner that is farthest along d. All are looked at, two at a time, so that one comparison need not wait for the
    /// other. Walking upwards along the edges would be faster for hundreds of corners, but faces are flat and convex only but
    /// for a tolerance, and on an edge across the slope that is enough to stand still far below the summit.
    [[nodiscard]] constexpr std::size_t support_vertex(vec3<S> const& d) const noexcept {
        std::size_t const n = vertices_.size();
        std::size_t best = 0, other = 0;
        S highest = dot(vertices_[0], d), other_highest = highest;
        for (std::size_t i = 1; i + 1 < n; i += 2) {
            S const a = dot(vertices_[i], d), b = dot(vertices_[i + 1], d);
            best = a > highest ? i : best;
            highest = max(highest, a);
            other = b > other_highest ? i + 1 : other;
            other_highest = max(other_highest, b);
        }
        if (n % 2 == 0)
            if (S const a = dot(vertices_[n - 1], d); a > highest) highest = a, best = n - 1;
        return other_highest > highest ? other : best;
    }
    [[nodiscard]] constexpr vec3<S> support(vec3<S> const& d) const noexcept {
        return vertices_.empty() ? vec3<S>{S(0), S(0), S(0)} : vertices_[support_vertex(d)];
    }
    [[nodiscard]] constexpr S margin() const noexcept { return S(0); }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept {
        aabb<S> b = empty_aabb<S>();
        for (vec3<S> const& v : vertices_) b = merged(b, f.rotation.m * v);
        return {b.lower + f.position, b.upper + f.position};
    }
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const& density) const noexcept {
        return {density * unit_mass_.mass, unit_mass_.center, density * unit_mass_.inertia};
    }
    /// Of the faces at the corner that is farthest along d, that whose normal is nearest to d.
    [[nodiscard]] constexpr std::size_t support_face(vec3<S> const& d) const noexcept {
        std::size_t best = 0;
        S most = -infinity_v<S>;
        for (std::size_t const e : edges_at(support_vertex(d)))
            for (std::size_t const f : {edges_[e].left, edges_[e].right}) {
                S const along = dot(faces_[f].normal, d);
                if (along > most || (along == most && f < best)) most = along, best = f;
            }
        return best;
    }
    /// A face of more than max_face_points corners loses some, but never the farthest along d.
    [[nodiscard]] constexpr polygon<S> supporting_face(vec3<S> const& d) const noexcept {
        polygon<S> p;
        if (faces_.empty()) return p;
        polytope_face<S> const& f = faces_[support_face(d)];
        auto const corner = corners(f);
        std::size_t start = 0;
        if (corner.size() > max_face_points)
            for (std::size_t i = 1; i < corner.size(); ++i)
                if (dot(vertices_[corner[i]], d) > dot(vertices_[corner[start]], d)) start = i;
        std::size_t const n = corner.size() < max_face_points ? corner.size() : max_face_points;
        for (std::size_t i = 0; i < n; ++i) {
            std::uint16_t const v = corner[(start + i * corner.size() / n) % corner.size()];
            p.add(vertices_[v], v);
        }
        p.normal = f.normal;
        return p;
    }
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept {
        // The part of the ray below every face (Cyrus & Beck 1978).
        S enters{0}, leaves = r.length;
        polytope_face<S> const* through = nullptr;
        for (polytope_face<S> const& f : faces_) {
            S const above = dot(f.normal, r.origin) - f.offset, falls = -dot(f.normal, r.direction);
            if (falls == S(0)) {
                if (above > S(0)) return {};
            } else if (falls > S(0)) {
                if (above > falls * enters) {
                    enters = above / falls;
                    through = &f;
                }
            } else {
                leaves = min(leaves, above / falls);
            }
        }
        if (faces_.empty() || !(enters <= leaves)) return {};
        return through == nullptr ? detail::hit_from_inside(r) : detail::hit_at(r, enters, through->normal);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return status_ == hull_status::ok ? input_fault{} : input_fault{"points", to_text(status_), static_cast<error_number>(offender_)};
    }
    [[nodiscard]] friend constexpr bool operator==(basic_convex_polytope const&, basic_convex_polytope const&) = default;

private:
    friend struct detail::polytope_builder<basic_convex_polytope>;

    // By Euler's formula N corners have at most 3 N - 6 edges and 2 N - 4 faces; every edge is in two faces and at two corners.
    static constexpr std::size_t corner_room = 6 * N;
    template <class T, std::size_t Room>
    using array = typename Storage::template array<T, Room>;

    array<vec3<S>, N> vertices_{};
    array<polytope_face<S>, 2 * N> faces_{};
    array<std::uint16_t, corner_room> face_corners_{};
    array<polytope_edge, 3 * N> edges_{};
    array<std::uint32_t, N + 1> vertex_first_{};
    array<std::uint16_t, corner_room> vertex_edges_{};
    sinew::mass_properties<S> unit_mass_{};  // at a density of 1 kg/m^3
    std::size_t offender_ = 0;               // the value of the fault
    hull_status status_ = hull_status::empty;
};

/// Convex, of as many corners as its points need.
template <class S>
using convex_polytope = basic_convex_polytope<S>;

}  // namespace sinew::inline v0
