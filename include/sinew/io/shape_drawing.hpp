#pragma once
// What a recorder draws of a shape: what the page has a drawing of, as that, and everything else as a body of flat faces.
//
// A convex shape that has no faces of its own is drawn as the hull of points of its surface. Faces are sharp or smooth: the edges of
// sharp ones are drawn. Lengths in m, in the shape's frame.

#include <sinew/geometry/aabb.hpp>
#include <sinew/geometry/box.hpp>
#include <sinew/geometry/capsule.hpp>
#include <sinew/geometry/cone.hpp>
#include <sinew/geometry/cylinder.hpp>
#include <sinew/geometry/hull.hpp>
#include <sinew/geometry/sphere.hpp>
#include <sinew/geometry/triangle.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sinew::inline v0 {

namespace detail {

/// Flat faces around a solid, or a surface. Corners are counter-clockwise seen from outside.
struct drawn_mesh {
    std::vector<vec3<double>> points;
    std::vector<std::vector<std::uint32_t>> sharp, smooth;
    bool convex = true;
    [[nodiscard]] friend bool operator==(drawn_mesh const&, drawn_mesh const&) = default;
};

/// A drawing and where it is in the frame of the body. `kind` and `size` are the page's; of kind "mesh" the mesh counts.
struct drawn_part {
    std::string kind;
    std::vector<double> size;
    drawn_mesh mesh{};
    pose<double> local{};
};

/// A number as it is drawn: without its derivatives.
template <class S>
[[nodiscard]] double drawn_number(S const& x) {
    if constexpr (has_lanes_v<S>) {
        static_assert(!has_lanes_v<S>, "sinew: a page shows one world, and numbers with lanes are of several: draw a world over float that has the state of one lane");
        return 0;
    } else if constexpr (std::is_convertible_v<S const&, double>) {
        return static_cast<double>(x);
    } else {
        return static_cast<double>(value(x));
    }
}
template <class S, class R>
[[nodiscard]] pose<double> drawn_pose(pose<S, R> const& p) {
    auto const q = to_quaternion(p.rotation);
    return {{drawn_number(p.position[0]), drawn_number(p.position[1]), drawn_number(p.position[2])}, {drawn_number(q.w), drawn_number(q.x), drawn_number(q.y), drawn_number(q.z)}};
}
template <class S>
[[nodiscard]] vec3<double> drawn_point(vec3<S> const& p) {
    return {drawn_number(p[0]), drawn_number(p[1]), drawn_number(p[2])};
}

/// Directions all around, those of the axes and of the diagonals among them.
[[nodiscard]] inline std::vector<vec3<double>> drawn_directions(int n) {
    std::vector<vec3<double>> r;
    for (int i = -n; i <= n; ++i)
        for (int j = -n; j <= n; ++j)
            for (int k = -n; k <= n; ++k)
                if (std::abs(i) + std::abs(j) + std::abs(k) == n) r.push_back(normalize(vec3<double>{double(i), double(j), double(k)}));
    return r;
}

/// The hull of points, its faces as they are; smooth where they are many. Empty of what is flat.
[[nodiscard]] inline drawn_mesh drawn_hull(std::vector<vec3<double>> const& points, double tolerance) {
    auto const hull = convex_hull(points, tolerance);
    drawn_mesh mesh;
    mesh.points.assign(hull.vertices().begin(), hull.vertices().end());
    for (auto const& f : hull.faces()) {
        auto const corners = hull.corners(f);
        (hull.faces().size() > 40 ? mesh.smooth : mesh.sharp).emplace_back(corners.begin(), corners.end());
    }
    return mesh;
}

/// Of any convex shape: the farthest points in many directions, and those of what lies just beside the directions, which
/// tells the corners of a face.
template <class S, class Shape>
[[nodiscard]] drawn_mesh drawn_convex(Shape const& shape) {
    auto const core = [&](vec3<double> const& d) {
        return drawn_point(shape.support(vec3<S>{static_cast<S>(d[0]), static_cast<S>(d[1]), static_cast<S>(d[2])}));
    };
    double const radius = drawn_number(margin_of<S>(shape));
    std::vector<vec3<double>> cores, points;
    for (auto const& d : drawn_directions(6)) {
        for (int i = 0; i < 8; ++i) {
            vec3<double> const aside{i & 1 ? 1e-3 : -1e-3, i & 2 ? 1.7e-3 : -1.7e-3, i & 4 ? 0.6e-3 : -0.6e-3};
            vec3<double> const c = core(d + aside);
            cores.push_back(c);
            points.push_back(c + d * radius);
        }
    }
    double size = 0;
    for (auto const& p : points) size = max(size, norm(p - points[0]));
    if (radius > 0) {
        // The faces of the core, moved out.
        auto const hull = convex_hull(cores, 1e-4 * size);
        for (auto const& f : hull.faces())
            for (auto const c : hull.corners(f)) points.push_back(hull.vertices()[c] + f.normal * radius);
    }
    return drawn_hull(points, 1e-3 * size);
}

template <class S>
[[nodiscard]] drawn_mesh drawn_cone(cone<S> const& c) {
    constexpr std::uint32_t n = 24;
    double const r = drawn_number(c.radius), h = drawn_number(c.half_height);
    drawn_mesh mesh;
    mesh.sharp.emplace_back();
    for (std::uint32_t i = 0; i < n; ++i) {
        double const angle = 2 * pi_v<double> * i / n;
        mesh.points.push_back({r * std::cos(angle), -h, r * std::sin(angle)});
        mesh.sharp[0].push_back(i);
        mesh.smooth.push_back({(i + 1) % n, i, n});
    }
    mesh.points.push_back({0, h, 0});
    return mesh;
}

/// f(drawn_part) for all that is to be seen of a shape.
template <class S, class Shape, class F>
void draw_shape(Shape const& shape, pose<double> const& at, F&& f) {
    auto const number = [](auto const& x) { return drawn_number(x); };
    auto const solid = [&](char const* kind, std::vector<double> size) { f(drawn_part{kind, std::move(size), {}, at}); };
    auto const mesh = [&](drawn_mesh m) { f(drawn_part{"mesh", {}, std::move(m), at}); };
    if constexpr (std::same_as<Shape, sphere<S>>) {
        solid("sphere", {number(shape.radius)});
    } else if constexpr (std::same_as<Shape, capsule<S>>) {
        solid("capsule", {number(shape.radius), number(shape.half_height)});
    } else if constexpr (std::same_as<Shape, box<S>>) {
        vec3<S> const h = shape.half_extents;
        solid("box", {number(h[0]), number(h[1]), number(h[2])});
    } else if constexpr (std::same_as<Shape, cylinder<S>>) {
        solid("cylinder", {number(shape.radius), number(shape.half_height)});
    } else if constexpr (std::same_as<Shape, cone<S>>) {
        mesh(drawn_cone(shape));
    } else if constexpr (is_half_space<Shape, S>) {
        // y of the drawing is out of the solid.
        vec3<double> const n = drawn_point(shape.normal), axis = cross(vec3<double>{0, 1, 0}, n);
        double const s = norm(axis), angle = std::atan2(s, n[1]);
        auto const turn = s > 0 ? quaternion_exp(axis * (angle / s)) : n[1] > 0 ? quaternion<double>::identity() : quaternion<double>{0, 1, 0, 0};
        f(drawn_part{"plane", {}, {}, at * pose<double>{n * number(shape.offset), turn}});
    } else if constexpr (requires { shape.rows(), shape.sample(0, 0); }) {
        drawn_mesh m;
        m.convex = false;
        auto const columns = static_cast<std::uint32_t>(shape.columns()), rows = static_cast<std::uint32_t>(shape.rows());
        for (std::uint32_t j = 0; j < rows; ++j)
            for (std::uint32_t i = 0; i < columns; ++i) m.points.push_back(drawn_point(shape.sample(i, j)));
        for (std::uint32_t j = 0; j + 1 < rows; ++j)
            for (std::uint32_t i = 0; i + 1 < columns; ++i) {
                std::uint32_t const p = j * columns + i, r = p + 1, q = p + columns;
                m.sharp.push_back({p, q, r});
                m.sharp.push_back({r, q, q + 1});
            }
        mesh(std::move(m));
    } else if constexpr (requires { shape.triangles(), shape.vertices(); }) {
        drawn_mesh m;
        m.convex = false;
        for (auto const& p : shape.vertices()) m.points.push_back(drawn_point(p));
        for (auto const& t : shape.triangles()) m.sharp.emplace_back(t.begin(), t.end());
        mesh(std::move(m));
    } else if constexpr (requires { shape.vertices(), shape.faces(); }) {
        drawn_mesh m;
        for (auto const& p : shape.vertices()) m.points.push_back(drawn_point(p));
        for (auto const& face : shape.faces()) {
            auto const corners = shape.corners(face);
            (shape.faces().size() > 40 ? m.smooth : m.sharp).emplace_back(corners.begin(), corners.end());
        }
        mesh(std::move(m));
    } else if constexpr (is_composed<Shape, S>) {
        shape.for_each_part(unbounded_aabb<S>(), [&](std::uint32_t, auto const& part, frame<S> const& local) {
            draw_shape<S>(part, at * drawn_pose(local), f);
        });
    } else if constexpr (requires { static_cast<triangle<S> const&>(shape); }) {
        mesh(drawn_mesh{{drawn_point(shape.a), drawn_point(shape.b), drawn_point(shape.c)}, {{0, 1, 2}}, {}, false});
    } else {
        mesh(drawn_convex<S>(shape));
    }
}

}  // namespace detail

}  // namespace sinew::inline v0
