#pragma once
// What the parts of one world share at compile time: its scalar, rotation, containers, and how much fits into them.

#include <sinew/constraint/rolling_friction.hpp>
#include <sinew/core/storage.hpp>
#include <sinew/solver/problem.hpp>
#include <sinew/world/sleep.hpp>

#include <concepts>

namespace sinew::inline v0 {

template <class Config, class Maps, class... Cs>
struct environment;

/// Maps: of the generalized bodies. Cs: the constraints.
template <class Config, class... Maps, class... Cs>
struct environment<Config, map_list<Maps...>, Cs...> {
    using scalar = typename Config::scalar;
    using rotation = typename Config::template rotation<scalar>;
    using config_type = Config;
    using storage = typename Config::storage;
    using map_types = map_list<Maps...>;
    using constraint_types = std::tuple<Cs...>;
    template <class T, std::size_t N>
    using array = typename Config::storage::template array<T, N>;

    /// The storage's, as what keeps arrays alone asks of it.
    static constexpr bool is_static = Config::storage::is_static;
    static constexpr capacities limits = Config::storage::limits;
    /// Whether bodies have shapes, and whether they may sleep.
    static constexpr bool has_shapes = false, sleeps = detail::config_sleeps<Config>();
    /// Types of constraints that the user lists.
    static constexpr std::size_t user_types = sizeof...(Cs);
    /// Bodies of all kinds, with the ground.
    static constexpr std::size_t max_nodes = limits.bodies + 1 + limits.particles + limits.generalized * sizeof...(Maps);
    /// Most degrees of freedom of one body.
    static constexpr std::size_t max_dof = [] {
        std::size_t most = 6;
        ((most = Maps::coordinates > most ? Maps::coordinates : most), ...);
        return most;
    }();
    /// Numbers beside its multiplier that the solver keeps of every row from step to step.
    static constexpr std::size_t memory_per_row = [] {
        if constexpr (requires { Config::solver::memory_per_row; })
            return Config::solver::memory_per_row;
        else
            return std::size_t(0);
    }();
    /// Constraints of type C that there may be.
    template <class C>
    static constexpr std::size_t most_of = limits.constraints;
    /// Scalar rows of all constraints, and their parts on single bodies.
    static constexpr std::size_t all_rows = limits.constraints * (rows_v<Cs> + ... + 0);
    static constexpr std::size_t all_blocks = limits.constraints * ((rows_v<Cs> * attachments_t<Cs>::size) + ... + 0);
    static constexpr std::size_t widest = [] {
        std::size_t most = 1;
        ((most = attachments_t<Cs>::size > most ? attachments_t<Cs>::size : most), ...);
        return most;
    }();
    static constexpr std::size_t max_rows = limits.rows > 0 && limits.rows < all_rows ? limits.rows : all_rows;
    static constexpr std::size_t max_blocks = max_rows * widest < all_blocks ? max_rows * widest : all_blocks;
    /// Numbers in the state vector of the equations of motion.
    static constexpr std::size_t max_state = limits.bodies * (9 + rotation::dimension) + limits.particles * 6 + limits.generalized * ((2 * Maps::coordinates) + ... + 0);
};

namespace detail {
// Of a world whose contacts are of type Contact: they take part as a type of constraint like the others, behind them.
template <class Config, class Maps, class Contact, bool ResistsRolling, class... Cs>
struct colliding_environment : environment<Config, Maps, Cs...> {
    using base = environment<Config, Maps, Cs...>;
    using S = typename base::scalar;
    using contact_type = Contact;
    static constexpr bool has_shapes = true, resists_rolling = ResistsRolling;

    static constexpr std::size_t all_pairs = base::limits.pairs > 0 ? base::limits.pairs : base::limits.contacts;
    using base::limits;
    template <class C>
    static constexpr std::size_t most_of = [] {
        std::size_t most = (std::same_as<C, Cs> || ...) ? limits.constraints : 0;
        if (std::same_as<C, Contact> && limits.contacts > most) most = limits.contacts;
        if (std::same_as<C, rolling_friction<S>> && all_pairs > most) most = all_pairs;
        return most;
    }();
    /// Pairs of bodies that constraints can join.
    static constexpr std::size_t joinable = base::limits.constraints * ((attachments_t<Cs>::size * (attachments_t<Cs>::size - 1) / 2) + ... + 0);
    static constexpr std::size_t contact_rows = rows_v<Contact> * limits.contacts + (resists_rolling ? 3 * all_pairs : 0);
    static constexpr std::size_t all_rows = base::all_rows + contact_rows;
    static constexpr std::size_t all_blocks = base::all_blocks + 2 * contact_rows;
    static constexpr std::size_t widest = base::widest > 2 ? base::widest : 2;
    static constexpr std::size_t max_rows = limits.rows > 0 && limits.rows < all_rows ? limits.rows : all_rows;
    static constexpr std::size_t max_blocks = max_rows * widest < all_blocks ? max_rows * widest : all_blocks;
};
}  // namespace detail

}  // namespace sinew::inline v0
