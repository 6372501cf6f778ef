#pragma once
// The part of a shape's surface that looks one way: a face, an edge or a point. Contact manifolds are clipped from two of them.

#include <sinew/core/static_vector.hpp>
#include <sinew/math/vec.hpp>

#include <cstdint>

namespace sinew::inline v0 {

inline constexpr std::size_t max_face_points = 16;

/// A corner (m), and a number that names it for as long as the shape lives: multipliers are kept by it from step to step.
template <scalar S>
struct face_point {
    vec3<S> position{S(0), S(0), S(0)};
    std::uint16_t feature = 0;

    [[nodiscard]] friend constexpr bool operator==(face_point const&, face_point const&) = default;
};

/// One point, an edge of two, or a convex face of three and more, counter-clockwise seen from outside.
template <scalar S>
struct polygon {
    using scalar_type = S;
    static_vector<face_point<S>, max_face_points> points{};
    vec3<S> normal{S(0), S(0), S(0)};  ///< of a face: outwards, length 1; 0 for an edge or a point

    [[nodiscard]] constexpr std::size_t size() const noexcept { return points.size(); }
    [[nodiscard]] constexpr bool is_face() const noexcept { return points.size() > 2; }
    [[nodiscard]] constexpr face_point<S> const& operator[](std::size_t i) const noexcept { return points[i]; }
    constexpr void add(vec3<S> const& position, std::size_t feature) noexcept { points.push_back({position, static_cast<std::uint16_t>(feature)}); }
    [[nodiscard]] friend constexpr bool operator==(polygon const&, polygon const&) = default;
};

/// Seen from the frame outside.
template <class S, class Frame>
[[nodiscard]] constexpr polygon<S> transformed(polygon<S> p, Frame const& f) noexcept {
    for (auto& q : p.points) q.position = f.point(q.position);
    p.normal = f.direction(p.normal);
    return p;
}

}  // namespace sinew::inline v0
