#pragma once
// A triangle as part of a surface: it looks at its neighbours, so that what slides over the surface does not stumble over edges that are
// none.
//
// Where two faces lie in one plane, or form a valley, their common edge cannot be touched but through a face: a normal that leans over it is
// an error of looking at the triangle alone. Over a ridge a normal may lean as far as the neighbour's own, but not beyond: there lies the
// neighbour's region. At a corner it may lean anywhere between the faces, if all edges there fall away from it. (The Voronoi regions of the
// features of the surface, as van den Bergen 2003, 4.3, has them for a solid.)
//
//   f  normal of this face,  g  of the one across an edge,  e  in this face, out over the edge,  n  what is asked for

#include <sinew/geometry/triangle.hpp>

#include <concepts>
#include <cstdint>

namespace sinew::inline v0 {

/// What is behind the triangles of a surface.
enum class surface_sides : unsigned char {
    front,   ///< they are touched from the front only: what is behind passes
    both,    ///< a sheet, touched from both sides
    ground,  ///< solid ground: what is behind a face is pushed to its front
};

/// What an edge of a triangle is to the surface.
enum class surface_edge : unsigned char {
    border,  ///< there is no other face, or more than one
    flat,
    ridge,   ///< the faces bend away from each other, seen from the front
    valley,
};

/// Whether a shape is a surface: its parts are triangles that know their neighbours.
template <class T>
concept is_surface = requires(T const& shape) {
    { shape.sides() } -> std::convertible_to<surface_sides>;
    shape.across(std::uint32_t{0}, std::size_t{0});
};

/// The triangle across an edge, and which of its edges that is. Edge k runs from corner k to the next.
struct surface_neighbour {
    std::uint32_t triangle = 0;
    std::uint8_t side = 0;
    surface_edge edge = surface_edge::border;
};

namespace detail {

// About 0.06 degrees: below it faces count as one plane, and a normal as not leaning.
template <class S>
inline constexpr S slight_lean = S(1) / S(1000);

/// What the edge between a face and another is; `rise` leads from the edge to the other face's third corner.
template <class S>
[[nodiscard]] constexpr surface_edge edge_between(vec3<S> const& face, vec3<S> const& other, vec3<S> const& rise) noexcept {
    bool const bent = squared_norm(cross(face, other)) > slight_lean<S> * slight_lean<S> || dot(face, other) < S(0);
    return !bent ? surface_edge::flat : dot(face, rise) < S(0) ? surface_edge::ridge : surface_edge::valley;
}

}  // namespace detail

/// Triangle `number` of a surface that outlives it. A surface has triangle_at(i), normal(i), across(i, side) and sides().
template <class Surface, scalar S = typename Surface::scalar_type>
struct surface_part : triangle<S> {
    Surface const* surface = nullptr;
    std::uint32_t number = 0;

    /// The normal that is meant by n, out of this triangle towards what touches it, where the whole surface is considered; both have length 1.
    /// Zero where this triangle is not touched at all.
    [[nodiscard]] constexpr vec3<S> constrain_normal(vec3<S> const& n) const noexcept {
        return constrain_normal(n, [&] { return this->a + n; });
    }
    /// The same. middle(): of what touches it, in the surface's frame. Beside a sheet a normal that points aside does not tell from which side it is touched; the middle does.
    template <class Middle>
    [[nodiscard]] constexpr vec3<S> constrain_normal(vec3<S> const& n, Middle const& middle) const noexcept {
        vec3<S> const face = surface->normal(number);
        S const up = dot(n, face);
        return meant_by(n, face, up, surface->sides() == surface_sides::both && (abs(up) < S(1) / S(2) ? dot(middle() - this->a, face) : up) < S(0));
    }

    /// Whether nothing of the surface lies in the plane or higher where q is: q is beyond an edge over which the surface ends or falls away, and beyond no other.
    /// n: as above.
    [[nodiscard]] constexpr bool ends_before(vec3<S> const& q, vec3<S> const& n) const noexcept {
        vec3<S> const face = surface->normal(number);
        bool const turned = dot(n, face) < S(0) && surface->sides() == surface_sides::both;
        vec3<S> const corners[3] = {this->a, this->b, this->c};
        for (std::size_t k = 0; k < 3; ++k)
            if (dot(cross(corners[(k + 1) % 3] - corners[k], face), q - corners[k]) > S(0) && !is_open(surface->across(number, k), turned)) return false;
        return true;
    }

private:
    // What n means: it rises by `up` along the face's normal. `turned`: it touches from behind, which is a front too.
    [[nodiscard]] constexpr vec3<S> meant_by(vec3<S> const& n, vec3<S> const& face, S const& up, bool turned) const noexcept {
        vec3<S> const from_behind = surface->sides() == surface_sides::ground ? face : vec3<S>{S(0), S(0), S(0)};
        vec3<S> const f = turned ? -face : face;
        S const slight = detail::slight_lean<S>;
        // A body pierced near an edge is pushed aside, which may come out as slightly downwards; from behind is more than that.
        bool const behind = !turned && up < S(-1) / S(2);
        vec3<S> const aside = n - face * up;
        if (!(squared_norm(aside) > slight * slight)) return behind ? from_behind : n;

        // The outward directions of two edges in turn span the region of the corner between them: n leans over the first by p, the second by q.
        vec3<S> const corners[3] = {this->a, this->b, this->c};
        vec3<S> out[3];
        for (std::size_t k = 0; k < 3; ++k) out[k] = normalize(cross(corners[(k + 1) % 3] - corners[k], face));
        std::size_t first = 0;
        S p{0}, q{0}, most = -infinity_v<S>;
        for (std::size_t k = 0; k < 3; ++k) {
            std::size_t const next = (k + 1) % 3;
            S const sine = dot(cross(out[k], out[next]), face);
            S const over_this = dot(cross(aside, out[next]), face) / sine, over_next = dot(cross(out[k], aside), face) / sine;
            if (!(min(over_this, over_next) > most)) continue;
            most = min(over_this, over_next);
            first = k;
            p = over_this;
            q = over_next;
        }
        std::size_t const second = (first + 1) % 3;
        surface_neighbour const over_first = surface->across(number, first), over_second = surface->across(number, second);
        bool const p_counts = p > slight && is_open(over_first, turned), q_counts = q > slight && is_open(over_second, turned);
        if (!p_counts && !q_counts) return behind ? from_behind : f;
        if (p > slight && q > slight && is_summit(second, n)) return n;
        vec3<S> r = n;
        if (!p_counts) r = r - out[first] * p;
        if (!q_counts) r = r - out[second] * q;
        if (p_counts) r = within_ridge(r, over_first, f, out[first], turned);
        if (q_counts) r = within_ridge(r, over_second, f, out[second], turned);
        r = normalize(r);
        // From behind, but over a sharp ridge it is still outside.
        bool const outside = !behind || (p_counts && faces_across(r, over_first)) || (q_counts && faces_across(r, over_second));
        return outside ? r : from_behind;
    }
    // Seen from behind a valley is a ridge.
    [[nodiscard]] static constexpr bool is_ridge(surface_neighbour const& over, bool turned) noexcept {
        return over.edge == (turned ? surface_edge::valley : surface_edge::ridge);
    }
    // Whether a normal may lean over an edge at all.
    [[nodiscard]] static constexpr bool is_open(surface_neighbour const& over, bool turned) noexcept {
        return over.edge == surface_edge::border || is_ridge(over, turned);
    }
    // Turned back about the edge to the neighbour's normal g, where it leans farther than that: sin(g to r) > 0.
    [[nodiscard]] constexpr vec3<S> within_ridge(vec3<S> const& r, surface_neighbour const& over, vec3<S> const& f, vec3<S> const& e, bool turned) const noexcept {
        if (!is_ridge(over, turned)) return r;
        vec3<S> const front = surface->normal(over.triangle), g = turned ? -front : front;
        S const lean = dot(r, e), height = dot(r, f);
        if (!(lean * dot(g, f) - height * dot(g, e) > S(0))) return r;
        return r - e * lean - f * height + g * sqrt(lean * lean + height * height);
    }
    [[nodiscard]] constexpr bool faces_across(vec3<S> const& r, surface_neighbour const& over) const noexcept {
        return is_ridge(over, false) && dot(r, surface->normal(over.triangle)) > S(0);
    }

    // Whether no edge at a corner rises along n. Goes around the corner from face to face: forth, and where there is a border also back.
    [[nodiscard]] constexpr bool is_summit(std::size_t corner, vec3<S> const& n) const noexcept {
        constexpr int most_faces = 64;
        for (bool const forth : {true, false}) {
            std::uint32_t at = number;
            std::size_t here = corner;
            for (int i = 0; i < most_faces; ++i) {
                triangle<S> const t = surface->triangle_at(at);
                vec3<S> const corners[3] = {t.a, t.b, t.c};
                for (std::size_t k = 1; k < 3; ++k) {
                    vec3<S> const spoke = corners[(here + k) % 3] - corners[here];
                    S const rise = dot(n, spoke), slight = detail::slight_lean<S>;
                    if (rise > S(0) && rise * rise > slight * slight * squared_norm(spoke)) return false;
                }
                // The edge that ends here is one that begins here for the neighbour, and the other way round.
                surface_neighbour const next = surface->across(at, forth ? (here + 2) % 3 : here);
                if (next.edge == surface_edge::border) break;
                at = next.triangle;
                here = forth ? next.side : (next.side + std::size_t{1}) % 3;
                if (at == number) return true;
            }
        }
        return true;
    }
};

}  // namespace sinew::inline v0
