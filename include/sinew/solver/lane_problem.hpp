#pragma once
// The bodies of N constraints as those of one: what a constraint over lanes sees as its problem. Lane i of body k is the k-th body of constraint i.
//
// Bodies that do not move have no inverse mass here, and are movable as all are: what lanes have in common must be decided once.

#include <sinew/config/inlining.hpp>
#include <sinew/constraint/in_lanes.hpp>
#include <sinew/math/batch_columns.hpp>
#include <sinew/solver/problem.hpp>

namespace sinew::inline v0::detail {

/// S itself for one lane.
template <class S, std::size_t N>
struct lanes_of_scalar {
    using type = S;
};
template <std::floating_point S, std::size_t N>
    requires(N > 1)
struct lanes_of_scalar<S, N> {
    using type = batch<S, N>;
};

/// One of N lanes; of one lane the number itself.
template <std::size_t N, class T>
[[nodiscard]] constexpr auto lane_of(T const& x, [[maybe_unused]] std::size_t lane) noexcept {
    if constexpr (N == 1)
        return x;
    else
        return x.e[lane];
}

// Structs of S alone, as lanes of one struct of B.
template <class B, class W, class T, std::size_t N>
SINEW_ALWAYS_INLINE constexpr void gather_structs(W& to, std::array<T const*, N> const& from) noexcept {
    using S = typename B::lane_type;
    constexpr std::size_t numbers = sizeof(T) / sizeof(S);
    static_assert(sizeof(T) == numbers * sizeof(S) && sizeof(W) == numbers * sizeof(B));
    if (std::is_constant_evaluated()) {
        for (std::size_t i = 0; i < N; ++i) set_lane<B>(to, i, *from[i]);
    } else {
        std::array<S const*, N> first;
        for (std::size_t i = 0; i < N; ++i) first[i] = static_cast<S const*>(static_cast<void const*>(from[i]));
        load_columns<numbers>(first, static_cast<B*>(static_cast<void*>(&to)));
    }
}

/// Of up to `Bodies` bodies of each kind, numbered together.
template <class B, class R, std::size_t Bodies>
struct lane_problem {
    using scalar_type = B;
    using rotation_type = R;
    struct movable_mass {
        B inverse_mass{};
        static constexpr bool movable = true;
    };
    std::array<rigid_state<B, R>, Bodies> bodies;
    std::array<movable_mass, Bodies> masses;
    std::array<inverse_mass<B>, Bodies> inverse_masses;
    std::array<particle_state<B>, Bodies> particles;
    std::array<movable_mass, Bodies> particle_masses;

    [[nodiscard]] constexpr std::uint32_t node(rigid, std::uint32_t i) const noexcept { return i; }
    [[nodiscard]] constexpr std::uint32_t node(point_mass, std::uint32_t i) const noexcept { return i; }
};

}  // namespace sinew::inline v0::detail
