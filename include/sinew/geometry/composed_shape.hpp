#pragma once
// What shapes made of other shapes have in common: a shape at a place, and how its parts are found.

#include <sinew/geometry/box_tests.hpp>
#include <sinew/geometry/shape.hpp>

#include <cstdint>

namespace sinew::inline v0 {

/// A shape and where it is in the whole.
template <class Shape, scalar S = typename Shape::scalar_type>
    requires shape_like<Shape, S>
struct placed {
    Shape shape{};
    sinew::frame<S> frame{};

    [[nodiscard]] friend constexpr bool operator==(placed const&, placed const&) = default;
};
template <class Shape>
placed(Shape) -> placed<Shape>;
template <class Shape, class Frame>
placed(Shape, Frame) -> placed<Shape>;

namespace detail {

/// Of a convex shape or half space 1.
template <class S, class Shape>
[[nodiscard]] constexpr std::size_t part_count_of(Shape const& shape) noexcept {
    if constexpr (is_composed<Shape, S>)
        return shape.part_count();
    else
        return 1;
}

/// f(number, part, frame) for the parts near a box, all seen from the whole; the first part has number `first`.
template <class S, class Shape, class F>
constexpr void for_each_part_of(placed<Shape, S> const& p, std::uint32_t first, aabb<S> const& box, F&& f) {
    if constexpr (is_composed<Shape, S>) {
        p.shape.for_each_part(transformed(box, inverse(p.frame)), [&](std::uint32_t i, auto const& part, frame<S> const& at) { f(first + i, part, p.frame * at); });
    } else {
        if (meet(box, bounds_of<S>(p.shape, p.frame))) f(first, p.shape, p.frame);
    }
}

/// Of the shape where it is; a half space has none.
template <class S, class Shape>
[[nodiscard]] constexpr mass_properties<S> mass_properties_of_part(placed<Shape, S> const& p, S const& density) noexcept {
    if constexpr (has_mass_properties<Shape, S>)
        return moved(p.shape.mass_properties(density), p.frame);
    else if constexpr (has_support<Shape, S>)
        return moved(mass_properties_of<S>(p.shape, density), p.frame);
    else
        return {};
}

template <class S, class Shape>
[[nodiscard]] constexpr ray_hit<S> cast_part(placed<Shape, S> const& p, ray<S> const& r) noexcept {
    return world_hit(p.frame, ray_hit<S>(p.shape.cast(local_ray(p.frame, r))));
}

/// A rotation's rows have length 1 and are at right angles.
template <class S, class Shape>
[[nodiscard]] constexpr input_fault fault_of_part(placed<Shape, S> const& p) noexcept {
    if (input_fault const f = first_fault(fault_of<S>(p.shape), finite_parameter("frame.position", p.frame.position)); f.name != nullptr) return f;
    S worst{0};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            S const error = abs(dot(p.frame.rotation.m.row(i), p.frame.rotation.m.row(j)) - S(i == j ? 1 : 0));
            if (!(error <= worst)) worst = error;  // NaN is worst
        }
    bool const turns = worst < S(1) / S(1000) && dot(cross(p.frame.rotation.m.row(0), p.frame.rotation.m.row(1)), p.frame.rotation.m.row(2)) > S(0);
    return turns ? input_fault{} : input_fault{"frame.rotation", "must be a rotation; its distance from one", shown_number(worst)};
}

}  // namespace detail

}  // namespace sinew::inline v0
