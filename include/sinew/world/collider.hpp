#pragma once
// Colliders: shapes on bodies. A body may carry several, each at a frame of its own; what is added to the ground stands still.
//
//   auto const ball = world.add(sphere<float>{0.5f}, body);
//   auto const belt = world.add(box<float>{{4, 0.1f, 1}}, world.ground(), {.material = rubber});
//
// Who collides with whom: two colliders of one body never do, nor those of two bodies that a constraint joins, unless it is told to let
// them (world.let_joined_collide); what is joined to the ground still meets all that stands on it. For the rest the filters decide, then the
// config's pair_filter.

#include <sinew/body/body.hpp>
#include <sinew/collision/manifold.hpp>
#include <sinew/constraint/material.hpp>
#include <sinew/core/errors.hpp>
#include <sinew/core/handle.hpp>
#include <sinew/geometry/shape.hpp>

#include <cstdint>

namespace sinew::inline v0 {

/// What a handle of a collider names when the type of its shape does not matter, as in events.
struct any_shape {};
using collider_handle = handle<any_shape>;

/// Whom a collider meets. Of the same group, not 0: always if it is positive, never if it is negative. Else both must want the
/// other's category.
struct collision_filter {
    std::uint32_t category = 1;           ///< bits of what it is
    std::uint32_t mask = 0xffffffffu;     ///< bits of what it meets
    std::int32_t group = 0;
    [[nodiscard]] friend constexpr bool operator==(collision_filter const&, collision_filter const&) = default;
};
[[nodiscard]] constexpr bool may_collide(collision_filter const& a, collision_filter const& b) noexcept {
    if (a.group == b.group && a.group != 0) return a.group > 0;
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

/// What a shape is given beside itself when it is added to a body.
template <class S, class R = quaternion<S>>
struct collider_options {
    sinew::pose<S, R> frame{};            ///< of the shape in its body
    sinew::material<S> material{};
    collision_filter filter{};
    bool sensor = false;      ///< tells of touches, and does not push
    bool continuous = false;  ///< is not to pass through thin things, however fast: see time_of_impact.hpp. Ahead of a fast body what is fixed is looked for in any case
};

/// Two colliders that are about to be tried against each other, as a pair_filter sees them.
struct collider_pair {
    collider_handle a, b;
    handle<rigid> body_a, body_b;
    collision_filter filter_a, filter_b;
};
/// The pair_filter of a config that has none of its own: an object that is called for each pair the filters let pass. It must always
/// say the same of the same pair.
struct all_pairs {
    [[nodiscard]] constexpr bool operator()(collider_pair const&) const noexcept { return true; }
};
/// A manifold that is about to become contacts, as a contact_rule sees it: what it changes is what the solver gets.
template <class S>
struct contact_setup {
    collider_pair pair;
    sinew::manifold<S>& manifold;    ///< without points the two do not touch: a platform that is passed from below takes them away
    sinew::material<S>& material;    ///< of the two together
    twist<S> twist_a, twist_b;       ///< of the bodies
};
/// The contact_rule of a config that has none of its own: an object that is called with each contact_setup, and must always do the same with the same.
struct plain_contacts {
    template <class S>
    constexpr void operator()(contact_setup<S> const&) const noexcept {}
};

/// How contacts are looked for.
template <class S>
struct collision_settings {
    // A quotient: g++ 12 does not fold the cast of a literal here where a world steps in a constant expression.
    S margin = S(1) / S(50);  ///< contacts are known of at this distance, m, beside what bodies travel in a step; of small shapes at less
    bool continuous = false;          ///< all colliders are as if they were added with .continuous
    bool joined_collide = false;      ///< bodies that a constraint joins collide too
    [[nodiscard]] constexpr input_fault fault() const noexcept { return nonnegative_parameter("collision.margin", margin); }
    [[nodiscard]] friend constexpr bool operator==(collision_settings const&, collision_settings const&) = default;
};

/// A solid body and the frame of its shape in it: body axes are those of the shape, the origin is the centre of mass.
template <class S, class R>
struct solid_body {
    rigid_body<S, R> body{};
    sinew::pose<S, R> frame{};
};
/// Of a shape of uniform density (kg/m^3), the shape at a pose of the world; the twist is that of the centre of mass.
template <class Shape, class S, class R = quaternion<S>>
[[nodiscard]] constexpr solid_body<S, R> solid(Shape const& shape, S const& density, sinew::pose<S, R> const& at = {}, sinew::twist<S> const& twist = {}) {
    static_assert(has_mass_properties<Shape, S> || has_support<Shape, S>,
                  "sinew: this shape has no volume, so that it cannot be a solid body: add it to the ground or to a body with world.add(shape, body).");
    solid_body<S, R> r{};
    if constexpr (has_mass_properties<Shape, S> || has_support<Shape, S>) {
        auto const p = mass_properties_of<S>(shape, density);
        r = {rigid_body_of(p, at), {-p.center, R::identity()}};
        r.body.twist = twist;
    }
    return r;
}

namespace detail {

/// The shape stands in its body as it is: no place and no turn of its own, nor derivatives of either.
template <class S, class R>
[[nodiscard]] constexpr bool is_identity(sinew::pose<S, R> const& frame) noexcept {
    if constexpr (derivative_order_v<S> > 0) {
        for (std::size_t k = 0; k < R::dimension; ++k)
            if (any(differs(frame.rotation.coordinate(k), R{}.coordinate(k)))) return false;
        return is_same(frame.position, vec3<S>{});
    } else {
        return frame == sinew::pose<S, R>{};
    }
}

template <class... Shapes>
struct shape_list {
    static constexpr std::size_t size = sizeof...(Shapes);
};
template <class Shape, class List>
inline constexpr bool lists_shape_v = false;
template <class Shape, class... Shapes>
inline constexpr bool lists_shape_v<Shape, shape_list<Shapes...>> = (std::same_as<Shape, Shapes> || ...);

/// What the world keeps of a collider, whatever its shape.
template <class S>
struct collider_record {
    static constexpr std::uint32_t none = 0xffffffffu;

    frame<S> local{};               // of the shape in its body
    S radius{};                     // of the ball about the body's origin that holds the shape, m
    S extent{};                     // half of the smallest edge of its box, m; of surfaces without an inside infinite
    vec3<S> middle{};               // of its box, or another point within a convex shape, frame of the body, m
    std::uint32_t body = 0;
    std::uint32_t next = none;      // collider of the same body
    std::uint32_t at = 0;           // in the pool of its type
    std::uint16_t type = 0;
    bool plain = true;              // local is the identity
    bool sensor = false;
    bool continuous = false;
    bool hollow = false;            // its middle is not within it
    collision_filter filter{};
    [[nodiscard]] friend constexpr bool operator==(collider_record const&, collider_record const&) = default;
};

}  // namespace detail

}  // namespace sinew::inline v0
