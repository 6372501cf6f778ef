#pragma once
// The bodies of a pack of constraints: their states, masses and velocities into lanes, and velocities back. Read and written whole, and transposed in registers.

#include <sinew/config/inlining.hpp>
#include <sinew/solver/constraint_pack.hpp>

namespace sinew::inline v0::detail {

/// Packed velocities in lanes, not set to anything beforehand.
template <class B, std::size_t N>
struct alignas(N == 1 ? 2 * quad_alignment_v<B> : alignof(B)) lane_velocity {
    B e[8];
};
template <class Pack>
using lane_velocities = std::array<lane_velocity<typename Pack::B, Pack::lanes>, Pack::bodies>;

// f(kind, attachment)
template <class Pack, class F>
SINEW_ALWAYS_INLINE constexpr void for_each_kind(F const& f) {
    using A = attachments_t<typename Pack::wide>;
    [&]<std::size_t... I>(std::index_sequence<I...>) SINEW_ALWAYS_INLINE { (f(typename A::template kind<I>{}, I), ...); }(std::make_index_sequence<Pack::bodies>{});
}
// Velocities of bodies that do not move are put beside those of the others.
template <class Q, class P, class Pack, class Packed>
constexpr void place_fixed(P const& p, Pack const& k, Packed* velocities) {
    for_each_kind<Pack>([&](auto kind, std::size_t a) {
        for (std::size_t lane = 0; lane < k.count; ++lane)
            if (!k.moves[a][lane]) load_velocity<Q>(p, kind, k.body[a][lane], velocities[k.node[a][lane]]);
    });
}
/// R I^-1 R^T of N bodies, from the one at `first`, where they move.
template <std::size_t N, class P>
[[gnu::flatten]] constexpr void weigh_bodies(P const& p, std::size_t first) {
    using S = typename P::scalar_type;
    using B = typename lanes_of_scalar<S, N>::type;
    using R = typename P::rotation_type::template rebind<B>;
    std::array<sym3<S> const*, N> inertias;
    std::array<typename P::rotation_type const*, N> rotations;
    std::array<S*, N> to, to_rest;
    inverse_mass<S> unused;
    for (std::size_t i = 0; i < N; ++i) {
        bool const is_there = first + i < p.bodies.size();
        std::size_t const at = is_there ? first + i : first;
        inertias[i] = &p.masses[at].inverse_inertia;
        rotations[i] = &p.bodies[at].pose.rotation;
        auto& own = is_there && p.masses[at].movable ? p.inverse_masses[at] : unused;
        own.linear = p.masses[at].inverse_mass;
        to[i] = static_cast<S*>(static_cast<void*>(&own.angular));
        to_rest[i] = to[i] + 2;
    }
    sym3<B> inertia;
    R rotation;
    gather_structs<B>(inertia, inertias);
    gather_structs<B>(rotation, rotations);
    sym3<B> const w = seen_from_world(inertia, rotation);
    std::array<B, 6> const numbers{w.xx, w.yy, w.zz, w.xy, w.xz, w.yz};
    store_columns(numbers.data(), to);
    store_columns(numbers.data() + 2, to_rest);
}
/// The states of a pack's bodies as lanes.
template <class P, class Pack, class Near>
constexpr void gather_bodies(P const& p, Pack const& k, Near& near) {
    using S = typename P::scalar_type;
    using B = typename Pack::B;
    constexpr std::size_t N = Pack::lanes;
    for_each_kind<Pack>([&](auto kind, std::size_t a) {
        auto const& at = k.body[a];
        if constexpr (N == 1) {
            if constexpr (std::same_as<decltype(kind), rigid>) {
                near.bodies[a] = p.bodies[at[0]];
                near.inverse_masses[a] = p.inverse_masses[at[0]];
            } else {
                near.particles[a] = p.particles[at[0]];
                near.particle_masses[a].inverse_mass = p.particle_masses[at[0]].inverse_mass;
            }
        } else if constexpr (std::same_as<decltype(kind), rigid>) {
            using C = typename Pack::wide;
            std::array<inverse_mass<S> const*, N> masses;
            for (std::size_t i = 0; i < N; ++i) masses[i] = &p.inverse_masses[at[i]];
            gather_structs<B>(near.inverse_masses[a], masses);
            // The twist matters to what has a rate of its own.
            if constexpr (is_holonomic_v<C, B> && !has_rate<C, B> && is_hard_block_v<C, B>) {
                std::array<pose<S, typename P::rotation_type> const*, N> poses;
                for (std::size_t i = 0; i < N; ++i) poses[i] = &p.bodies[at[i]].pose;
                gather_structs<B>(near.bodies[a].pose, poses);
            } else {
                std::array<rigid_state<S, typename P::rotation_type> const*, N> states;
                for (std::size_t i = 0; i < N; ++i) states[i] = &p.bodies[at[i]];
                gather_structs<B>(near.bodies[a], states);
            }
        } else {
            std::array<particle_state<S> const*, N> states;
            for (std::size_t i = 0; i < N; ++i) {
                states[i] = &p.particles[at[i]];
                near.particle_masses[a].inverse_mass.e[i] = p.particle_masses[at[i]].inverse_mass;
            }
            gather_structs<B>(near.particles[a], states);
        }
    });
}
/// Velocities of the bodies of a pack into lanes, and back.
template <class Q, class Pack, class Packed>
[[gnu::flatten]] constexpr void gather(Pack const& k, Packed const* velocities, lane_velocities<Pack>& v) {
    constexpr std::size_t N = Pack::lanes;
    for_each_kind<Pack>([&](auto kind, std::size_t a) SINEW_ALWAYS_INLINE {
        constexpr std::size_t numbers = 4 * quads_of_v<decltype(kind)>;
        if constexpr (N == 1) {
            for (std::size_t x = 0; x < numbers; x += 4) Q::load(velocities[k.node[a][0]].e + x).store(v[a].e + x);
        } else {
            std::array<typename Pack::number const*, N> from;
            for (std::size_t i = 0; i < N; ++i) from[i] = velocities[k.node[a][i]].e;
            load_columns<numbers>(from, v[a].e);
        }
    });
}
// What does not move is left alone, and may be shared by many.
template <class Q, class Pack, class Packed>
[[gnu::flatten]] constexpr void scatter(Pack const& k, lane_velocities<Pack> const& v, Packed* velocities) {
    constexpr std::size_t N = Pack::lanes;
    for_each_kind<Pack>([&](auto kind, std::size_t a) SINEW_ALWAYS_INLINE {
        constexpr std::size_t numbers = 4 * quads_of_v<decltype(kind)>;
        if constexpr (N == 1) {
            if (k.moves[a][0])
                for (std::size_t x = 0; x < numbers; x += 4) Q::load(v[a].e + x).store(velocities[k.node[a][0]].e + x);
        } else {
            Packed unused;
            std::array<typename Pack::number*, N> to;
            for (std::size_t i = 0; i < N; ++i) to[i] = velocities[k.node[a][i]].e;
            if (!k.all_move)
                for (std::size_t i = 0; i < N; ++i) to[i] = k.moves[a][i] ? to[i] : unused.e;
            for (std::size_t x = 0; x < numbers; x += 4) store_columns(v[a].e + x, to, x);
        }
    });
}

}  // namespace sinew::inline v0::detail
