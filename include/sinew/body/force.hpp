#pragma once
// The force concept: what a type must say to be a force.
//
// On every body of the world (unary, Vondrak 2005, 3.3):
//
//   template <sinew::scalar S>
//   struct lift {
//       sinew::vec3<S> per_kilogram;                          // m/s^2, world frame
//       constexpr sinew::wrench<S> wrench_on(auto const& body, S const& t) const { return {body.mass * per_kilogram}; }
//   };
//
// Between certain bodies (n-ary), which are given when it is added:
//
//   template <sinew::scalar S>
//   struct repulsion {
//       using attachments = sinew::binds<sinew::rigid, sinew::point_mass>;
//       constexpr std::array<sinew::wrench<S>, 2> wrenches(auto const& a, auto const& b, S const& t) const;
//   };
//
// A body is seen as what it is: rigid_body {mass, inertia, pose, twist} or particle {mass, position, velocity}; body_point.hpp
// reads either. A wrench is in the world frame, about the centre of mass; a particle ignores the torque.
// A force on every body acts on the links of generalized bodies, which look like bodies of their own. A force that binds
// generalized<Map> sees a generalized_body, and returns a std::tuple (or array) with the force on its coordinates, vec<S, N>, in its place.
// Optional: energy(body) or energy(a, b, ...), the potential energy (J); fault(), why the parameters cannot be (core/errors.hpp).

#include <sinew/body/generalized_body.hpp>

#include <array>
#include <concepts>
#include <type_traits>
#include <utility>

namespace sinew::inline v0 {

namespace detail {

// A body of each kind, to ask whether a force can be called with it.
template <class Kind, class S>
struct body_archetype;
template <class S>
struct body_archetype<rigid, S> {
    using type = rigid_body<S>;
};
template <class S>
struct body_archetype<point_mass, S> {
    using type = particle<S>;
};
template <class Map, class S>
struct body_archetype<generalized<Map>, S> {
    using type = generalized_body<Map>;
};

template <class A>
inline constexpr bool is_body_list_v = false;
template <class... K>
inline constexpr bool is_body_list_v<binds<K...>> = (sizeof...(K) > 0) && (is_body_kind_v<K> && ...);

// What pushes a body of kind K: a wrench, or a force on its coordinates.
template <class K, class S>
struct push_on {
    using type = wrench<S>;
};
template <class Map, class S>
struct push_on<generalized<Map>, S> {
    using type = vec<S, Map::coordinates>;
};

template <class R, class S, class Seq, class... K>
inline constexpr bool are_pushes_v = false;
template <class R, class S, std::size_t... I, class... K>
inline constexpr bool are_pushes_v<R, S, std::index_sequence<I...>, K...> = (std::convertible_to<std::tuple_element_t<I, R>, typename push_on<K, S>::type> && ...);
template <class R, class S, class... K>
concept pushes_of = requires { requires std::tuple_size<R>::value == sizeof...(K); } && are_pushes_v<R, S, std::index_sequence_for<K...>, K...>;

template <class F, class S, class A>
struct acts_between : std::false_type {};
template <class F, class S, class... K>
    requires requires(F const& f, typename body_archetype<K, S>::type const&... bodies, S const& t) {
        { f.wrenches(bodies..., t) } -> pushes_of<S, K...>;
    }
struct acts_between<F, S, binds<K...>> : std::true_type {};

// Does F have a member of that name, however it is to be called? Joined with a base that has one, the name is ambiguous
// exactly if F has one too.
struct wrench_on_name {
    void wrench_on();
};
struct wrenches_name {
    void wrenches();
};
template <class F, class Name>
struct joined : F, Name {};
template <class F>
concept can_be_joined = std::is_class_v<F> && !std::is_final_v<F>;
template <class F>
concept names_wrench_on = can_be_joined<F> && !requires { &joined<F, wrench_on_name>::wrench_on; };
template <class F>
concept names_wrenches = can_be_joined<F> && !requires { &joined<F, wrenches_name>::wrenches; };

}  // namespace detail

// The atoms.

/// Says which bodies it acts between.
template <class F>
concept has_force_attachments = requires { typename F::attachments; } && detail::is_body_list_v<typename F::attachments>;
/// wrench_on(body, t) const can be called with a rigid body.
template <class F, class S>
concept has_wrench_on_rigid = requires(F const& f, rigid_body<S> const& b, S const& t) {
    { f.wrench_on(b, t) } -> std::convertible_to<wrench<S>>;
};
/// wrench_on(body, t) const can be called with a particle.
template <class F, class S>
concept has_wrench_on_particle = requires(F const& f, particle<S> const& b, S const& t) {
    { f.wrench_on(b, t) } -> std::convertible_to<wrench<S>>;
};
template <class F, class S>
concept has_wrench_on = has_wrench_on_rigid<F, S> && has_wrench_on_particle<F, S>;
/// wrenches(bodies..., t) const yields one wrench per attachment.
template <class F, class S>
concept has_wrenches = has_force_attachments<F> && detail::acts_between<F, S, typename F::attachments>::value;

/// Acts on every body.
template <class F, class S>
concept unary_force_for = !has_force_attachments<F> && has_wrench_on<F, S>;
/// Acts between the bodies that it is added with.
template <class F, class S>
concept bound_force_for = has_wrenches<F, S>;

/// A type that a world over scalar S can hold as a force.
template <class F, class S>
concept force_for = scalar<S> && (unary_force_for<F, S> || bound_force_for<F, S>) && std::copyable<F>;

/// Has a member that only a force has, called rightly or not.
template <class F>
concept meant_as_force = detail::names_wrench_on<F> || detail::names_wrenches<F>;

/// Turns a missing part of the concept into one sentence.
template <class F, class S>
constexpr void check_force() noexcept {
    constexpr bool lists_bodies = requires { typename F::attachments; };
    if constexpr (lists_bodies) {
        static_assert(has_force_attachments<F>,
                      "sinew: this force's `attachments` is not a non-empty list of body kinds, such as sinew::binds<sinew::rigid, sinew::point_mass>.");
        if constexpr (has_force_attachments<F>)
            static_assert(has_wrenches<F, S>,
                          "sinew: this force has `attachments`, but no `wrenches(bodies..., t)` const that can be called with one body per attachment and a time "
                          "and returns std::array<sinew::wrench<S>, N>, one wrench per attachment; take the bodies as `auto const&`.");
    } else if constexpr (detail::names_wrenches<F>) {
        static_assert(lists_bodies,
                      "sinew: this force has `wrenches` but does not say which bodies it acts between; add `using attachments = sinew::binds<sinew::rigid, "
                      "sinew::rigid>;`, or whatever the kinds are.");
    } else if constexpr (detail::names_wrench_on<F>) {
        static_assert(has_wrench_on_rigid<F, S>,
                      "sinew: this force's `wrench_on(body, t)` cannot be called on a const force with a sinew::rigid_body and a time, or does not return "
                      "sinew::wrench<S>; take the body as `auto const&`.");
        static_assert(has_wrench_on_particle<F, S>,
                      "sinew: this force's `wrench_on(body, t)` cannot be called on a const force with a sinew::particle and a time, or does not return "
                      "sinew::wrench<S>; take the body as `auto const&`, and return {} for what it leaves alone.");
    } else {
        static_assert(force_for<F, S>,
                      "sinew: this force has neither `wrench_on(body, t)`, to act on every body, nor `attachments` and `wrenches(bodies..., t)`, to act between "
                      "the bodies that it is added with; write one.");
    }
    static_assert(std::copyable<F>, "sinew: a force must be a copyable value.");
}

}  // namespace sinew::inline v0
