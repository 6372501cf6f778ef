#pragma once
// What keeps a type from being a shape, as one sentence; and likewise an optional member that would be passed over in silence,
// because it cannot be called as the library calls it.

#include <sinew/body/force.hpp>
#include <sinew/geometry/shape.hpp>

namespace sinew::inline v0 {

namespace detail {

struct support_name {
    void support();
};
struct margin_name {
    void margin();
};
struct bounds_name {
    void bounds();
};
struct mass_properties_name {
    void mass_properties();
};
struct supporting_face_name {
    void supporting_face();
};
struct cast_name {
    void cast();
};
struct shape_fault_name {
    void fault();
};
template <class T>
concept names_support = can_be_joined<T> && !requires { &joined<T, support_name>::support; };
template <class T>
concept names_margin = can_be_joined<T> && !requires { &joined<T, margin_name>::margin; };
template <class T>
concept names_bounds = can_be_joined<T> && !requires { &joined<T, bounds_name>::bounds; };
template <class T>
concept names_mass_properties = can_be_joined<T> && !requires { &joined<T, mass_properties_name>::mass_properties; };
template <class T>
concept names_supporting_face = can_be_joined<T> && !requires { &joined<T, supporting_face_name>::supporting_face; };
template <class T>
concept names_cast = can_be_joined<T> && !requires { &joined<T, cast_name>::cast; };
template <class T>
concept names_shape_fault = can_be_joined<T> && !requires { &joined<T, shape_fault_name>::fault; };

}  // namespace detail

/// Turns a missing part of the concept into one sentence. Called first wherever a shape enters the library.
template <class T, class S>
constexpr void check_shape() noexcept {
    static_assert(!detail::names_support<T> || has_support<T, S>,
                  "sinew: this shape's `support` cannot be called as support(direction) const with a sinew::vec3 of the world's scalar, or does not return one.");
    static_assert(detail::names_support<T> || shape_like<T, S> || !std::copyable<T>,
                  "sinew: this type is not a shape; write `sinew::vec3<S> support(sinew::vec3<S> const& direction) const`, the farthest point along a direction "
                  "(or `normal` and `offset` for a half space, or `part_count() const` and `for_each_part(box, f) const` for a composed shape).");
    static_assert(std::copyable<T>, "sinew: a shape must be a copyable value.");
    static_assert(!detail::names_margin<T> || has_margin<T, S>,
                  "sinew: this shape's `margin` cannot be called as margin() const, or does not return the world's scalar; it would be ignored.");
    static_assert(!detail::names_bounds<T> || has_bounds<T, S>,
                  "sinew: this shape's `bounds` cannot be called as bounds(frame) const with a sinew::frame of the world's scalar, or does not return a sinew::aabb; it "
                  "would be ignored.");
    static_assert(!detail::names_mass_properties<T> || has_mass_properties<T, S>,
                  "sinew: this shape's `mass_properties` cannot be called as mass_properties(density) const, or does not return sinew::mass_properties of the world's "
                  "scalar; it would be ignored.");
    static_assert(!detail::names_supporting_face<T> || has_supporting_face<T, S>,
                  "sinew: this shape's `supporting_face` cannot be called as supporting_face(direction) const, or does not return a sinew::polygon of the world's scalar; "
                  "it would be ignored.");
    static_assert(!detail::names_cast<T> || has_cast<T, S>,
                  "sinew: this shape's `cast` cannot be called as cast(ray) const with a sinew::ray of the world's scalar, or does not return a sinew::ray_hit; it would "
                  "be ignored.");
    static_assert(!detail::names_shape_fault<T> || has_shape_fault<T>,
                  "sinew: this shape's `fault` cannot be called as fault() const, or does not return a sinew::input_fault; it would be ignored.");
    if constexpr (is_composed<T, S>)
        static_assert(has_bounds<T, S>, "sinew: a composed shape needs `sinew::aabb<S> bounds(sinew::frame<S> const&) const`: without it, it would be near everything.");
}

}  // namespace sinew::inline v0
