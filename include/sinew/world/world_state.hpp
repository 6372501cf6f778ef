#pragma once
// The dynamic part of a world alone, for rollback: poses, twists, multipliers and time.

#include <sinew/solver/problem.hpp>

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
}  // namespace detail

/// Taken by world::save, put back by world::restore; stepping on from it gives the same bits. It holds neither masses
/// nor constraints, so it fits only the world it was saved from, or a copy,
/// as long as nothing is added or removed.
template <class Env>
struct world_state {
    using S = typename Env::scalar;
    using R = typename Env::rotation;

    typename Env::template array<rigid_state<S, R>, Env::limits.bodies + 1> bodies{};
    typename Env::template array<particle_state<S>, Env::limits.particles> particles{};
    [[no_unique_address]] detail::over_maps_t<generalized_state, Env> generalized{};
    typename Env::template array<S, Env::max_rows * (1 + Env::memory_per_row)> multipliers{};
    S time{};
    S time_carry{};             // what `time` lost to rounding
    std::uint32_t contents = 0;  // which bodies and constraints the world had

    [[nodiscard]] friend constexpr bool operator==(world_state const&, world_state const&) = default;
};

}  // namespace sinew::inline v0
