#pragma once
// The pools of a world: one for each constraint and one for each force in its list, and the problem that its solver sees.

#include <sinew/solver/solver.hpp>
#include <sinew/world/pool.hpp>
#include <sinew/world/world_parts.hpp>

namespace sinew::inline v0 {

namespace detail {

// Cs: as solvers see them, with contacts.
template <class Env, class Cs>
struct solved_types;
template <class Env, class... Cs>
struct solved_types<Env, std::tuple<Cs...>> {
    using S = typename Env::scalar;
    using problem_type = problem<S, typename Env::rotation, Env::memory_per_row, typename Env::map_types, Cs...>;
    static constexpr bool check() noexcept { return check_strategy<typename Env::config_type::solver::template strategy<Env>, problem_type, S, Cs...>(); }
};

// Cs: those of the list.
template <class Env, class Cs>
struct constraint_pools;
template <class Env, class... Cs>
struct constraint_pools<Env, std::tuple<Cs...>> : solved_types<Env, typename Env::constraint_types> {
    using storage = typename Env::config_type::storage;
    using side = std::conditional_t<config_breaks<typename Env::config_type>() || Env::has_shapes, break_limit<typename Env::scalar>, no_side>;
    using type = std::tuple<dense_pool<constraint_entry<Cs, typename Env::scalar, Env::memory_per_row>, side, storage, storage::limits.constraints>...>;
    static constexpr bool all_comparable = (std::equality_comparable<Cs> && ...);
    using plain = std::tuple<Cs...>;
};

template <class Env, class Fs>
struct force_pools;
template <class Env, class... Fs>
struct force_pools<Env, std::tuple<std::type_identity<Fs>...>> {
    using type = std::tuple<dense_pool<force_entry<Fs>, no_side, typename Env::config_type::storage, Env::limits.forces>...>;
    static constexpr bool all_comparable = (std::equality_comparable<Fs> && ...);
    using plain = std::tuple<Fs...>;
};

/// What has no numbers, or does not show them, is the same.
template <class T>
[[nodiscard]] constexpr bool equal_as_far_as_shown([[maybe_unused]] T const& a, [[maybe_unused]] T const& b) {
    if constexpr (std::equality_comparable<T>)
        return a == b;
    else
        return true;
}

}  // namespace detail

}  // namespace sinew::inline v0
