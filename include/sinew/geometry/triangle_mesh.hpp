#pragma once
// A surface of triangles: the ground, a house, a statue. It is made once from points and triangles, and is never changed.
//
//   auto const terrain = mesh_of(points, triangles);                      // a surface with a front, open or not
//   auto const statue  = mesh_of(points, triangles, mesh_kind::solid);    // must be closed: it has a volume and a mass, and may move
//   auto const sail    = mesh_of(points, triangles, mesh_kind::sheet);    // touched from both sides
//   if (terrain.fault().name != nullptr) ...                              // a world refuses it with a sentence
//
// Triangles are counter-clockwise seen from the front. Points at exactly the same place count as one, so triangles need not share
// indices (STL). Edges between two faces are inner ones: see surface_part.hpp. Whatever the kind, open_edges() tells how many edges have no
// partner, or too many, or one that runs the same way: of a closed surface, none.

#include <sinew/core/sort.hpp>
#include <sinew/core/storage.hpp>
#include <sinew/geometry/box_hierarchy.hpp>
#include <sinew/geometry/surface_part.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace sinew::inline v0 {

enum class mesh_kind : unsigned char {
    surface,  ///< touched from its front; what is behind passes
    solid,    ///< the same, and closed
    sheet,    ///< touched from both sides
};

namespace detail {
template <class Mesh>
struct mesh_builder;
}

/// Of up to N triangles and N points with static storage. Default constructed it is empty, which fault() refuses.
template <scalar S, class Storage = dynamic_storage, std::size_t N = 0>
class basic_triangle_mesh {
public:
    using scalar_type = S;
    using indices = std::array<std::uint32_t, 3>;

    [[nodiscard]] constexpr std::span<vec3<S> const> vertices() const noexcept { return {vertices_.data(), vertices_.size()}; }
    [[nodiscard]] constexpr std::span<indices const> triangles() const noexcept { return {triangles_.data(), triangles_.size()}; }
    [[nodiscard]] constexpr mesh_kind kind() const noexcept { return kind_; }
    /// Edges without a face on the other side, each counted once a triangle.
    [[nodiscard]] constexpr std::size_t open_edges() const noexcept { return open_edges_; }
    [[nodiscard]] constexpr bool is_closed() const noexcept { return !triangles_.empty() && open_edges_ == 0; }

    [[nodiscard]] constexpr std::size_t part_count() const noexcept { return triangles_.size(); }
    /// A triangle that knows its neighbours, for as long as the mesh lives.
    [[nodiscard]] constexpr surface_part<basic_triangle_mesh> part(std::size_t i) const noexcept {
        return {triangle_at(static_cast<std::uint32_t>(i)), this, static_cast<std::uint32_t>(i)};
    }
    [[nodiscard]] constexpr triangle<S> triangle_at(std::uint32_t i) const noexcept {
        indices const& at = triangles_[i];
        return {vertices_[at[0]], vertices_[at[1]], vertices_[at[2]]};
    }
    [[nodiscard]] constexpr vec3<S> const& normal(std::uint32_t i) const noexcept { return normals_[i]; }
    /// What is across the edge from corner `side` to the next.
    [[nodiscard]] constexpr surface_neighbour const& across(std::uint32_t i, std::size_t side) const noexcept { return neighbours_[i][side]; }
    [[nodiscard]] constexpr surface_sides sides() const noexcept { return kind_ == mesh_kind::sheet ? surface_sides::both : surface_sides::front; }
    /// f(number, surface_part, its frame) for the triangles whose boxes overlap the box, given in the mesh's frame.
    template <class F>
    constexpr void for_each_part(aabb<S> const& box, F&& f) const {
        hierarchy_.query(box, [&](std::uint32_t i) {
            if (detail::meet(box, box_of(i))) f(i, part(i), frame<S>{});
        });
    }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept { return transformed(hierarchy_.bounds(), f); }
    /// Of a solid; any other mesh has no mass.
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const& density) const noexcept {
        return {density * unit_mass_.mass, unit_mass_.center, density * unit_mass_.inertia};
    }
    /// From either side; but a ray that begins within a solid hits at once.
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept {
        ray_hit<S> best;
        std::uint32_t which = 0;
        // Whether a ray begins inside shows in the first face that it meets, however far away that is.
        ray<S> rest = r;
        if (kind_ == mesh_kind::solid) rest.length = infinity_v<S>;
        detail::ray_slabs<S> slabs(rest);
        hierarchy_.cast(slabs, [&](std::uint32_t i) {
            ray_hit<S> const h = triangle_at(i).cast(rest);
            if (!h.hit || (best.hit && !(best.distance > h.distance || (h.distance == best.distance && i < which)))) return;
            best = h;
            which = i;
            rest.length = h.distance;
            slabs.shorten(h.distance);
        });
        if (best.hit && kind_ == mesh_kind::solid) {
            if (dot(normals_[which], r.direction) > S(0)) return detail::hit_from_inside(r);
            if (best.distance > r.length) return {};
        }
        return best;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return fault_; }
    [[nodiscard]] friend constexpr bool operator==(basic_triangle_mesh const& a, basic_triangle_mesh const& b) noexcept {
        return a.vertices_ == b.vertices_ && a.triangles_ == b.triangles_ && a.kind_ == b.kind_;
    }

private:
    friend struct detail::mesh_builder<basic_triangle_mesh>;

    template <class T, std::size_t Room>
    using array = typename Storage::template array<T, Room>;

    [[nodiscard]] constexpr aabb<S> box_of(std::size_t i) const noexcept {
        indices const& at = triangles_[i];
        return merged(merged(aabb<S>{vertices_[at[0]], vertices_[at[0]]}, vertices_[at[1]]), vertices_[at[2]]);
    }

    array<vec3<S>, N> vertices_{};
    array<indices, N> triangles_{};
    array<vec3<S>, N> normals_{};
    array<std::array<surface_neighbour, 3>, N> neighbours_{};
    detail::box_hierarchy<S, Storage, N> hierarchy_{};
    sinew::mass_properties<S> unit_mass_{};  // at a density of 1 kg/m^3
    std::size_t open_edges_ = 0;
    input_fault fault_{"triangles", "must not be empty; their number", 0};
    mesh_kind kind_ = mesh_kind::surface;
};

/// Of as many triangles as it needs.
template <class S>
using triangle_mesh = basic_triangle_mesh<S>;

namespace detail {

template <class S, class Storage, std::size_t N>
struct mesh_builder<basic_triangle_mesh<S, Storage, N>> {
    using mesh = basic_triangle_mesh<S, Storage, N>;

    [[nodiscard]] static constexpr mesh refused(char const* name, char const* requirement, std::size_t value) {
        mesh m;
        m.fault_ = {name, requirement, static_cast<error_number>(value)};
        return m;
    }

    template <class Triangles>
    [[nodiscard]] static constexpr mesh build(std::span<vec3<S> const> points, Triangles const& triangles, mesh_kind kind) {
        if (triangles.empty()) return mesh{};
        if (Storage::is_static && points.size() > N) return refused("points", "must not be more than there is room for; their number", points.size());
        if (Storage::is_static && triangles.size() > N)
            return refused("triangles", "must not be more than there is room for; their number", triangles.size());
        for (std::size_t i = 0; i < points.size(); ++i)
            if (!all(isfinite(points[i]))) return refused("points", "must be finite, but one is not; its index", i);
        mesh m;
        m.kind_ = kind;
        for (vec3<S> const& p : points) m.vertices_.push_back(p);
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            typename mesh::indices t{};
            for (std::size_t k = 0; k < 3; ++k) {
                // A negative index turns into a huge one.
                auto const v = static_cast<std::size_t>(triangles[i][k]);
                if (v >= points.size()) return refused("triangles", "must name points that exist, but one does not; its index", i);
                t[k] = static_cast<std::uint32_t>(v);
            }
            triangle<S> const shape{points[t[0]], points[t[1]], points[t[2]]};
            if (shape.fault().name != nullptr) return refused("triangles", "must have their corners not in one line, but one has; its index", i);
            m.triangles_.push_back(t);
            m.normals_.push_back(shape.normal());
        }
        join_faces(m);
        if (kind == mesh_kind::solid) {
            if (m.open_edges_ > 0) return refused("triangles", "of a solid must close it; the number of open edges", m.open_edges_);
            auto const solid = solid_mesh(of_density(S(1)), m.vertices(), m.triangles());
            if (!solid) {
                char const* const why = solid.status == mesh_status::inside_out ? "must be counter-clockwise seen from outside, but enclose a negative volume; their number"
                                                                                : "of a solid must enclose a volume; their number";
                return refused("triangles", why, triangles.size());
            }
            m.unit_mass_ = solid.properties;
        }
        m.hierarchy_.build(m.triangles_.size(), [&](std::size_t i) { return m.box_of(i); });
        m.fault_ = {};
        return m;
    }

private:
    // A triangle's edge, from the lower of two places to the higher, or the other way.
    struct edge {
        std::uint32_t low, high, face, side;
        bool down;
    };

    // Points are known by their places: the first point at a place stands for all there.
    static constexpr void find_places(mesh const& m, typename Storage::template array<std::uint32_t, N>& place) {
        typename Storage::template array<std::uint32_t, N> order;
        for (std::size_t i = 0; i < m.vertices_.size(); ++i) order.push_back(static_cast<std::uint32_t>(i));
        auto const less = [&](std::uint32_t a, std::uint32_t b) {
            vec3<S> const &p = m.vertices_[a], &q = m.vertices_[b];
            for (std::size_t k = 0; k < 3; ++k)
                if (p[k] != q[k]) return p[k] < q[k];
            return a < b;
        };
        detail::sort<Storage>(order.begin(), order.end(), less);
        place.assign(m.vertices_.size(), 0);
        for (std::size_t i = 0; i < order.size(); ++i) {
            bool const same = i > 0 && m.vertices_[order[i]] == m.vertices_[order[i - 1]];
            place[order[i]] = same ? place[order[i - 1]] : order[i];
        }
    }

    static constexpr void join_faces(mesh& m) {
        typename Storage::template array<std::uint32_t, N> place;
        find_places(m, place);
        typename Storage::template array<edge, 3 * N> edges;
        for (std::size_t i = 0; i < m.triangles_.size(); ++i)
            for (std::uint32_t k = 0; k < 3; ++k) {
                std::uint32_t const from = place[m.triangles_[i][k]], to = place[m.triangles_[i][(k + 1) % 3]];
                edges.push_back({from < to ? from : to, from < to ? to : from, static_cast<std::uint32_t>(i), k, from > to});
            }
        detail::sort<Storage>(edges.begin(), edges.end(), [](edge const& a, edge const& b) {
            if (a.low != b.low) return a.low < b.low;
            if (a.high != b.high) return a.high < b.high;
            if (a.face != b.face) return a.face < b.face;
            return a.side < b.side;
        });
        m.neighbours_.assign(m.triangles_.size(), {});
        for (std::size_t i = 0; i < edges.size();) {
            std::size_t end = i + 1;
            while (end < edges.size() && edges[end].low == edges[i].low && edges[end].high == edges[i].high) ++end;
            if (end - i == 2 && edges[i].down != edges[i + 1].down) {
                join(m, edges[i], edges[i + 1]);
                join(m, edges[i + 1], edges[i]);
            } else {
                m.open_edges_ += end - i;
            }
            i = end;
        }
    }
    static constexpr void join(mesh& m, edge const& mine, edge const& other) {
        vec3<S> const rise = m.vertices_[m.triangles_[other.face][(other.side + 2) % 3]] - m.vertices_[m.triangles_[mine.face][mine.side]];
        surface_edge const edge = edge_between(m.normals_[mine.face], m.normals_[other.face], rise);
        m.neighbours_[mine.face][mine.side] = {other.face, static_cast<std::uint8_t>(other.side), edge};
    }
};

}  // namespace detail

/// A mesh of points (m) and triangles, each three indices into the points, counter-clockwise seen from the front.
template <point_range Points, element_range<3> Triangles>
[[nodiscard]] constexpr auto mesh_of(Points const& points, Triangles const& triangles, mesh_kind kind = mesh_kind::surface) {
    using S = typename detail::element_t<Points>::scalar_type;
    return detail::mesh_builder<triangle_mesh<S>>::build(std::span<vec3<S> const>(points), std::span(triangles), kind);
}

/// The same without a heap, for up to N points and N triangles: mesh_in_place<64>(points, triangles).
template <std::size_t N, point_range Points, element_range<3> Triangles>
[[nodiscard]] constexpr auto mesh_in_place(Points const& points, Triangles const& triangles, mesh_kind kind = mesh_kind::surface) {
    using S = typename detail::element_t<Points>::scalar_type;
    return detail::mesh_builder<basic_triangle_mesh<S, static_storage<>, N>>::build(std::span<vec3<S> const>(points), std::span(triangles), kind);
}

}  // namespace sinew::inline v0
