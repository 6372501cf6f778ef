#pragma once
// The dynamic part of a world alone, for rollback: poses, twists, multipliers, contacts, who sleeps, and time.

#include <sinew/core/storage.hpp>
#include <sinew/solver/problem.hpp>
#include <sinew/world/sleep.hpp>

namespace sinew::inline v0 {

namespace detail {
// An array of T<Map> for each map.
template <template <class> class T, class Env, class Maps>
struct arrays_over_maps;
template <template <class> class T, class Env, class... Maps>
struct arrays_over_maps<T, Env, map_list<Maps...>> {
    using type = std::tuple<typename Env::template array<T<Maps>, Env::limits.generalized>...>;
};
template <template <class> class T, class Env>
using over_maps_t = typename arrays_over_maps<T, Env, typename Env::map_types>::type;

// Of contacts, where there are any, and of who sleeps. The sets of contacts are contact_set<Env>, which a world without shapes does not know.
template <class Env>
struct contact_set;
template <class Env, bool HasShapes = Env::has_shapes, bool Sleeps = Env::sleeps>
struct saved_contacts {
    [[nodiscard]] friend constexpr bool operator==(saved_contacts const&, saved_contacts const&) = default;
};
template <class Env>
struct saved_contacts<Env, true, false> {
    contact_set<Env> awake{};
    typename Env::scalar last_step{};
    [[nodiscard]] friend constexpr bool operator==(saved_contacts const&, saved_contacts const&) = default;
};
template <class Env>
struct saved_contacts<Env, true, true> {
    contact_set<Env> awake{}, asleep{};
    typename Env::scalar last_step{};
    std::uint32_t layout = 0;
    [[nodiscard]] friend constexpr bool operator==(saved_contacts const&, saved_contacts const&) = default;
};
template <class Env, bool Sleeps = Env::sleeps>
struct saved_rest {
    [[nodiscard]] friend constexpr bool operator==(saved_rest const&, saved_rest const&) = default;
};
template <class Env>
struct saved_rest<Env, true> {
    typename Env::template array<rest_state<typename Env::scalar>, Env::limits.bodies + 1> bodies{};
    vec3<typename Env::scalar> gravity{};  // with which they came to rest: another wakes them
    bool has_stepped = false;
    [[nodiscard]] friend constexpr bool operator==(saved_rest const&, saved_rest const&) = default;
};
}  // namespace detail

/// Taken by world::save, put back by world::restore; stepping on from it gives the same bits. It holds neither masses
/// nor constraints, so it fits only the world it was saved from, or a copy,
/// as long as nothing is added or removed.
template <class Env>
struct world_state {
    using S = typename Env::scalar;
    using R = typename Env::rotation;
    // Not within the type that it is for: clang 14 reads no type with a lambda from a precompiled header.
    static constexpr std::size_t most_wrenches = detail::room_for<Env>([]<class C>(std::type_identity<C>) { return detail::remembered_wrenches<C, S>::count; });

    typename Env::template array<rigid_state<S, R>, Env::limits.bodies + 1> bodies{};
    typename Env::template array<particle_state<S>, Env::limits.particles> particles{};
    [[no_unique_address]] detail::over_maps_t<generalized_state, Env> generalized{};
    typename Env::template array<S, Env::max_rows * (1 + Env::memory_per_row)> multipliers{};
    [[no_unique_address]] typename Env::template array<wrench<S>, most_wrenches> wrenches{};  // which multipliers do not tell
    S time{};
    S time_carry{};             // what `time` lost to rounding
    [[no_unique_address]] detail::saved_contacts<Env> contacts{};
    [[no_unique_address]] detail::saved_rest<Env> rest{};
    std::uint32_t contents = 0;  // which bodies and constraints the world had

    [[nodiscard]] friend constexpr bool operator==(world_state const&, world_state const&) = default;
};

}  // namespace sinew::inline v0
