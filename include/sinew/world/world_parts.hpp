#pragma once
// What a world is made of besides bodies: which types of its list are constraints, forces, shapes and maps, the environment that follows from
// them, and what stands beside each constraint and force.

#include <sinew/body/force.hpp>
#include <sinew/solver/generalized_state.hpp>
#include <sinew/world/contact_pairs.hpp>
#include <sinew/world/environment.hpp>
#include <sinew/world/requirements.hpp>
#include <sinew/world/world_state.hpp>

namespace sinew::inline v0 {

namespace detail {

// Types of the list that are constraints, or forces, in their order.
template <template <class, class> class Keep, class S, class... Ts>
using kept_t = decltype(std::tuple_cat(std::declval<std::conditional_t<Keep<Ts, S>::value, std::tuple<std::type_identity<Ts>>, std::tuple<>>>()...));

template <class T, class S>
struct keep_force : std::bool_constant<force_for<T, S>> {};
template <class T, class S>
struct keep_constraint : std::bool_constant<!has_coordinates<T> && !force_for<T, S> && !is_shape_item<T, S>> {};
template <class T, class S>
struct keep_shape : std::bool_constant<is_shape_item<T, S>> {};
template <class T, class S>
struct keep_map : std::bool_constant<has_coordinates<T>> {};

template <class Config, class Maps, class Constraints, class Shapes>
struct environment_of;
template <class Config, class... Maps, class... Ts>
struct environment_of<Config, std::tuple<std::type_identity<Maps>...>, std::tuple<std::type_identity<Ts>...>, std::tuple<>> {
    using type = environment<Config, map_list<Maps...>, Ts...>;
    using shapes = shape_list<>;
};
template <class Config, class... Maps, class... Ts, class First, class... Shapes>
struct environment_of<Config, std::tuple<std::type_identity<Maps>...>, std::tuple<std::type_identity<Ts>...>,
                      std::tuple<std::type_identity<First>, std::type_identity<Shapes>...>> {
    using made = colliding_environment_of<Config, map_list<Maps...>, typename Config::template contact<typename Config::scalar>, Ts...>;
    using type = std::conditional_t<Config::resists_rolling, typename made::with_rolling, typename made::with_contacts>;
    using shapes = shape_list<First, Shapes...>;
};
// What a world's list makes of it, once it has been found that it can be one.
template <class Config, template <class> class... Items>
struct environment_for {
    static_assert(check_world<Config, Items...>());
    using S = typename Config::scalar;
    using made = environment_of<Config, kept_t<keep_map, S, Items<S>...>, kept_t<keep_constraint, S, Items<S>...>, kept_t<keep_shape, S, Items<S>...>>;
    using constraints = kept_t<keep_constraint, S, Items<S>...>;
    using type = typename made::type;
    using shapes = typename made::shapes;
};
template <class List>
struct plain_types;
template <class... Ts>
struct plain_types<std::tuple<std::type_identity<Ts>...>> {
    using type = std::tuple<Ts...>;
};

template <class Map, class Maps>
inline constexpr bool lists_map_v = false;
template <class Map, class... Maps>
inline constexpr bool lists_map_v<Map, map_list<Maps...>> = (std::same_as<Map, Maps> || ...);

template <class T, class Tuple>
struct index_of;
template <class T, class... Ts>
struct index_of<T, std::tuple<T, Ts...>> : std::integral_constant<std::size_t, 0> {};
template <class T, class U, class... Ts>
struct index_of<T, std::tuple<U, Ts...>> : std::integral_constant<std::size_t, 1 + index_of<T, std::tuple<Ts...>>::value> {};
template <class T>
struct index_of<T, std::tuple<>> : std::integral_constant<std::size_t, 0> {};

template <class Config>
[[nodiscard]] constexpr bool config_breaks() noexcept {
    if constexpr (requires { Config::breakable; })
        return Config::breakable;
    else
        return true;
}

template <class S>
struct break_limit {
    S force = infinity_v<S>;
    S torque = infinity_v<S>;
    bool exceeded = false;
    bool collides = false;  // the bodies that it joins, with each other
    [[nodiscard]] friend constexpr bool operator==(break_limit const&, break_limit const&) = default;
};
struct no_side {
    [[nodiscard]] friend constexpr bool operator==(no_side const&, no_side const&) = default;
};

template <class T>
inline constexpr bool is_body_v = false;
template <class S, class R>
inline constexpr bool is_body_v<rigid_body<S, R>> = true;
template <class S>
inline constexpr bool is_body_v<particle<S>> = true;
template <class Map>
inline constexpr bool is_body_v<generalized_body<Map>> = true;

// Bodies that a force acts between, or none for a force on everything.
template <class F>
struct force_arity : std::integral_constant<std::size_t, 0> {};
template <class F>
    requires requires { typename F::attachments; }
struct force_arity<F> : std::integral_constant<std::size_t, F::attachments::size> {};

// Whether handles have the kinds of an attachment list.
template <class A, class Handles>
struct binds_kinds : std::false_type {};
template <class... K, class... T>
struct binds_kinds<binds<K...>, std::tuple<handle<T>...>> : std::is_same<std::tuple<K...>, std::tuple<T...>> {};

// Where bodies were, or would be, within one step.
template <class Env>
struct moving_states {
    typename Env::template array<rigid_state<typename Env::scalar, typename Env::rotation>, Env::limits.bodies + 1> bodies{};
    typename Env::template array<particle_state<typename Env::scalar>, Env::limits.particles> particles{};
    [[no_unique_address]] over_maps_t<generalized_state, Env> generalized{};
};

template <class F>
struct force_entry {
    F force{};
    std::array<std::uint32_t, force_arity<F>::value> bodies{};
    [[nodiscard]] friend constexpr bool operator==(force_entry const& a, force_entry const& b) {
        if constexpr (std::equality_comparable<F>) {
            if (!(a.force == b.force)) return false;
        }
        return a.bodies == b.bodies;
    }
};

}  // namespace detail

}  // namespace sinew::inline v0
