#pragma once
// Free motion of many bodies, N at a time: states and masses into lanes, the motion of one body (free_motion.hpp) over a scalar of N lanes, states back. Of
// bodies whose scalar has lanes, two at a time where they fill a register.
//
// Each body does the operations that it does alone, and has the same bits. Lanes that are left over move their first body once more, and forget it; of two, the one that
// is left over moves alone.

#include <sinew/rotation/lane_poses.hpp>
#include <sinew/solver/lane_problem.hpp>
#include <sinew/world/free_motion.hpp>

namespace sinew::inline v0::detail {

// N bodies as lanes of one, moved by f(state, mass); the first `count` of them are written back.
template <std::size_t N, class S, class R, class F>
[[gnu::flatten]] constexpr void move_lanes(rigid_state<S, R>* states, rigid_mass<S> const* masses, std::array<std::size_t, N> const& which, std::size_t count, F const& f) {
    using B = typename lanes_of_scalar<S, N>::type;
    constexpr std::size_t numbers = sizeof(rigid_state<S, R>) / sizeof(S), numbers_of_mass = 14, fours = numbers / 4;
    using lanes = rigid_state<B, typename R::template rebind<B>>;
    static_assert(sizeof(lanes) == numbers * sizeof(B));
    lanes state;
    rigid_mass<B> mass;
    mass.movable = true;
    std::array<S const*, N> from, from_mass;
    std::array<S*, N> to, to_rest;
    rigid_state<S, R> unused;
    for (std::size_t i = 0; i < N; ++i) {
        auto& own = i < count ? states[which[i]] : unused;
        from[i] = static_cast<S const*>(static_cast<void const*>(&states[which[i < count ? i : 0]]));
        from_mass[i] = &masses[which[i < count ? i : 0]].mass;
        to[i] = static_cast<S*>(static_cast<void*>(&own));
        to_rest[i] = to[i] + (numbers - 4);
    }
    auto* const columns = static_cast<B*>(static_cast<void*>(&state));
    load_columns<numbers>(from, columns);
    load_columns<numbers_of_mass>(from_mass, &mass.mass);
    f(state, mass);
    for (std::size_t k = 0; k < fours; ++k) {
        store_columns(columns + 4 * k, to);
        for (auto& place : to) place += 4;
    }
    if constexpr (numbers % 4 != 0) store_columns(columns + (numbers - 4), to_rest);
}

// Drift of two bodies that are movable.
template <class S, class R>
[[gnu::flatten]] inline void drift_pair(rigid_state<S, R>& a, rigid_state<S, R>& b, rigid_mass<S> const& of_a, rigid_mass<S> const& of_b, S const& h, gyroscopic_term gyroscopic) {
    using B = lane_pair_t<S>;
    using pair = rigid_state<B, typename R::template rebind<B>>;
    constexpr std::size_t numbers = sizeof(rigid_state<S, R>) / sizeof(S), numbers_of_mass = 14;
    static_assert(sizeof(rigid_state<S, R>) == numbers * sizeof(S) && sizeof(pair) == numbers * sizeof(B));
    pair state;
    rigid_mass<B> mass;
    mass.movable = true;
    auto* const x = static_cast<S*>(static_cast<void*>(&a));
    auto* const y = static_cast<S*>(static_cast<void*>(&b));
    auto* const both = static_cast<B*>(static_cast<void*>(&state));
    pair_numbers<numbers>(x, y, both);
    pair_numbers<numbers_of_mass>(&of_a.mass, &of_b.mass, &mass.mass);
    drift(state, mass, side_by_side<B>(h, h), gyroscopic);
    part_numbers<numbers>(both, x, y);
}

/// Drift over h seconds of the bodies first <= i < last for which goes(i), N at a time where they are movable.
template <std::size_t N, class S, class R, class Goes>
constexpr void drift_bodies(rigid_state<S, R>* states, rigid_mass<S> const* masses, std::size_t first, std::size_t last, S const& h, gyroscopic_term gyroscopic, Goes const& goes) {
    if constexpr (N > 1) {
        if (!std::is_constant_evaluated()) {
            using B = typename lanes_of_scalar<S, N>::type;
            std::array<std::size_t, N> which{};
            std::size_t count = 0;
            auto const move = [&] { move_lanes<N>(states, masses, which, count, [&](auto& state, auto const& mass) { drift(state, mass, B(h), gyroscopic); }); };
            for (std::size_t i = first; i < last; ++i) {
                if (!goes(i)) continue;
                if (masses[i].movable) {
                    which[count++] = i;
                    if (count == N) {
                        move();
                        count = 0;
                    }
                } else {
                    drift(states[i], masses[i], h, gyroscopic);
                }
            }
            if (count > 0) move();
            return;
        }
    }
    if constexpr (has_pose_pairs_v<S, R>) {
        if (!std::is_constant_evaluated()) {
            std::size_t waits = last;  // for a second one
            for (std::size_t i = first; i < last; ++i) {
                if (!goes(i)) continue;
                if (!masses[i].movable) {
                    drift(states[i], masses[i], h, gyroscopic);
                } else if (waits == last) {
                    waits = i;
                } else {
                    drift_pair(states[waits], states[i], masses[waits], masses[i], h, gyroscopic);
                    waits = last;
                }
            }
            if (waits < last) drift(states[waits], masses[waits], h, gyroscopic);
            return;
        }
    }
    for (std::size_t i = first; i < last; ++i)
        if (goes(i)) drift(states[i], masses[i], h, gyroscopic);
}

}  // namespace sinew::inline v0::detail
