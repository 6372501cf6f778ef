#pragma once
// What the parts of one world share at compile time: its scalar, rotation, containers, and how much fits into them.

#include <sinew/core/storage.hpp>
#include <sinew/solver/problem.hpp>

namespace sinew::inline v0 {

template <class Config, class Maps, class... Cs>
struct environment;

/// Maps: of the generalized bodies. Cs: the constraints.
template <class Config, class... Maps, class... Cs>
struct environment<Config, map_list<Maps...>, Cs...> {
    using scalar = typename Config::scalar;
    using rotation = typename Config::template rotation<scalar>;
    using map_types = map_list<Maps...>;
    using constraint_types = std::tuple<Cs...>;
    template <class T, std::size_t N>
    using array = typename Config::storage::template array<T, N>;

    static constexpr capacities limits = Config::storage::limits;
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

}  // namespace sinew::inline v0
