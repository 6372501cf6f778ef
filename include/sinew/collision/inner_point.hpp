#pragma once
// A point within a shape: what has it on the other side of a wall has gone through it.

#include <sinew/collision/cast.hpp>
#include <sinew/geometry/box.hpp>
#include <sinew/geometry/capsule.hpp>
#include <sinew/geometry/half_space.hpp>
#include <sinew/geometry/shape.hpp>
#include <sinew/geometry/sphere.hpp>

#include <cstddef>

namespace sinew::inline v0 {

namespace detail {

/// A point (m), and whether it is within the shape that it was asked of.
template <class S>
struct inner_point {
    vec3<S> point{};
    bool is_inside = false;
};

/// The middle of a shape's box is always within it.
template <class Shape>
inline constexpr bool holds_its_middle = is_revolved<Shape>;
template <class S>
inline constexpr bool holds_its_middle<sphere<S>> = true;
template <class S>
inline constexpr bool holds_its_middle<capsule<S>> = true;
template <class S>
inline constexpr bool holds_its_middle<box<S>> = true;
template <class S>
inline constexpr bool holds_its_middle<half_space<S>> = true;  // it has none

/// The middle of a shape's box, at a frame; where that is outside, as of a corner cut from a box, of a convex shape the middle of six points of it. What is not convex, as a
/// horseshoe, may have nothing in its middle.
template <class S, class Shape>
[[nodiscard]] constexpr inner_point<S> inner_point_of(Shape const& shape, frame<S> const& at, vec3<S> const& middle) {
    ray_hit<S> const h = cast(ray_along(middle, vec3<S>{S(0), S(1), S(0)}), shape, at);
    if (h.hit && !(h.distance > S(0))) return {middle, true};
    if constexpr (has_support<Shape, S>) {
        vec3<S> sum{S(0), S(0), S(0)};
        for (std::size_t i = 0; i < 3; ++i) {
            vec3<S> d{S(0), S(0), S(0)};
            d[i] = S(1);
            sum += shape.support(d) + shape.support(-d);
        }
        return {at.point(sum * (S(1) / S(6))), true};
    } else {
        return {middle, false};
    }
}

}  // namespace detail

}  // namespace sinew::inline v0
