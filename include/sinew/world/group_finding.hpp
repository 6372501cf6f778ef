#pragma once
// Which bodies are one simulation group: joined by what binds them and by hulls that overlap, then numbered and listed.

#include <sinew/world/simulation_groups.hpp>

namespace sinew::inline v0 {

template <class World>
template <class... K, std::size_t N>
constexpr void simulation_groups<World>::join_bound(World& w, std::array<std::uint32_t, N> const& bodies, binds<K...>) {
    auto const p = w.make_problem();
    std::uint32_t first = none;
    std::size_t k = 0;
    auto const one = [&](std::uint32_t node) {
        if (members_[node] == 0) return;
        if (first == none)
            first = node;
        else
            unions_.join(first, node);
    };
    (one(p.node(K{}, bodies[k++])), ...);
}

// Everything that belongs together as far as is known before anything has moved.
template <class World>
constexpr void simulation_groups<World>::join_all(World& w) {
    auto const p = w.make_problem();
    std::size_t const nodes = p.node_count();
    unions_.reset(nodes);
    members_.assign(nodes, 0);
    live_.assign(nodes, 0);
    p.for_each_movable([&](auto kind, std::uint32_t i) { members_[p.node(kind, i)] = live_[p.node(kind, i)] = 1; });
    if constexpr (env::sleeps)
        for (std::uint32_t i = 0; i < w.rest_.size(); ++i) {
            if (w.rest_[i].asleep) {
                members_[i] = 1;
                unions_.join(i, w.rest_[i].next);
            } else if (w.rises_by_touch(i)) {
                members_[i] = 1;
                live_[i] = is_carried(w, i) ? 1 : 0;
            }
        }
    detail::for_each_constant<types>([&](auto t) {
        auto const& pool = std::get<t>(w.constraints_);
        using C = typename std::remove_cvref_t<decltype(pool.values()[0])>::constraint_type;
        for (auto const& e : pool.values()) join_bound(w, e.bodies, attachments_t<C>{});
    });
    detail::for_each_constant<force_types>([&](auto t) {
        auto const& pool = std::get<t>(w.forces_);
        using F = std::remove_cvref_t<decltype(pool.values()[0].force)>;
        if constexpr (requires { typename F::attachments; })
            for (auto const& e : pool.values()) join_bound(w, e.bodies, typename F::attachments{});
    });
    if constexpr (env::has_shapes) {
        auto const of_pairs = [&](auto const& set) {
            for (auto const& q : set.pairs) {
                std::uint32_t const i = w.store_[q.a].body, j = w.store_[q.b].body;
                if (members_[i] != 0 && members_[j] != 0) unions_.join(i, j);
            }
        };
        of_pairs(w.active_);
        if constexpr (env::sleeps) of_pairs(w.asleep_);
        // What moves without being moved may be about to touch a sleeper.
        auto const note_carried = [&](std::uint32_t member, std::uint32_t other) {
            if (is_carried(w, other)) live_[member] = 1;
        };
        w.store_.index().for_each_pair([&](std::uint32_t a, std::uint32_t b) {
            std::uint32_t const i = w.store_[a].body, j = w.store_[b].body;
            if ((members_[i] == 0 && members_[j] == 0) || !may_meet(w, a, b)) return;
            if (members_[i] != 0 && members_[j] != 0)
                unions_.join(i, j);
            else
                note_carried(members_[i] != 0 ? i : j, members_[i] != 0 ? j : i);
        });
    }
}

// The first that is one, of the bodies that something binds.
template <class World>
template <class... K, std::size_t N>
constexpr std::uint32_t simulation_groups<World>::member_of(World& w, std::array<std::uint32_t, N> const& bodies, binds<K...>) const {
    auto const p = w.make_problem();
    std::uint32_t found = none;
    std::size_t k = 0;
    auto const one = [&](std::uint32_t node) {
        if (found == none && members_[node] != 0) found = node;
    };
    (one(p.node(K{}, bodies[k++])), ...);
    return found;
}

template <class World>
constexpr std::uint32_t simulation_groups<World>::group_of_pair(World const& w, detail::near_pair const& p) const noexcept {
    std::uint32_t const i = w.store_[p.a].body, j = w.store_[p.b].body;
    if (members_[i] != 0) return group_of_[i];
    if (members_[j] != 0) return group_of_[j];
    return group_of_[i] != none ? group_of_[i] : group_of_[j];
}

// Numbers the groups that are awake, by their least nodes, and lists what belongs to each.
template <class World>
constexpr void simulation_groups<World>::gather(World& w) {
    auto const p = w.make_problem();
    auto const nodes = static_cast<std::uint32_t>(p.node_count());
    number_.assign(nodes, none);
    group_of_.assign(nodes, none);
    for (std::uint32_t i = 0; i < nodes; ++i)
        if (live_[i] != 0) live_[unions_.root(i)] = 1;
    std::uint32_t groups = 0;
    for (std::uint32_t i = 0; i < nodes; ++i) {
        if (members_[i] == 0 || live_[unions_.root(i)] == 0) continue;
        std::uint32_t& number = number_[unions_.root(i)];
        if (number == none) number = groups++;
        group_of_[i] = number;
    }
    // Behind them: what moves without being moved, and constraints that hold nothing which could be.
    groups_ = groups;
    bool any_left = false;
    for (std::uint32_t i = 1; i < w.states_.size(); ++i)
        if (w.body_slots_[i].alive && members_[i] == 0 && is_carried(w, i)) {
            group_of_[i] = groups;
            any_left = true;
        }
    for (std::uint32_t i = 0; i < w.particle_states_.size(); ++i)
        if (!w.particle_masses_[i].movable && w.particle_states_[i].velocity != vec3<S>{}) {
            group_of_[p.node(point_mass{}, i)] = groups;
            any_left = true;
        }
    detail::for_each_constant<types>([&](auto t) {
        auto const& pool = std::get<t>(w.constraints_);
        using C = typename std::remove_cvref_t<decltype(pool.values()[0])>::constraint_type;
        for (auto const& e : pool.values()) any_left = any_left || member_of(w, e.bodies, attachments_t<C>{}) == none;
    });
    std::size_t const all = groups + (any_left ? 1u : 0u);
    runs_.assign(all, {});

    detail::fill_grouped(lists_.nodes, all, [&](auto&& visit) {
        for (std::uint32_t i = 0; i < nodes; ++i) visit(group_of_[i], i);
    });
    // f(slot, entry) in the order in which the world's own step sees them.
    [[maybe_unused]] auto const for_each_in_order = [](auto const& pool, auto&& f) {
        if constexpr (env::sleeps) {
            for (std::uint32_t s = 0; s < pool.slots().size(); ++s)
                if (pool.slots()[s].alive) f(s, pool.at_slot(s));
        } else {
            for (std::size_t k = 0; k < pool.size(); ++k) f(pool.slot_at(k), pool.values()[k]);
        }
    };
    detail::for_each_constant<types>([&](auto t) {
        auto const& pool = std::get<t>(w.constraints_);
        using C = typename std::remove_cvref_t<decltype(pool.values()[0])>::constraint_type;
        detail::fill_grouped(lists_.constraints[t], all, [&](auto&& visit) {
            for_each_in_order(pool, [&](std::uint32_t s, auto const& e) {
                std::uint32_t const node = member_of(w, e.bodies, attachments_t<C>{});
                visit(node == none ? groups : group_of_[node], s);
            });
        });
    });
    detail::for_each_constant<force_types>([&](auto t) {
        auto const& pool = std::get<t>(w.forces_);
        using F = std::remove_cvref_t<decltype(pool.values()[0].force)>;
        if constexpr (requires { typename F::attachments; })
            detail::fill_grouped(lists_.forces[t], all, [&](auto&& visit) {
                for (std::size_t k = 0; k < pool.size(); ++k) {
                    std::uint32_t const node = member_of(w, pool.values()[k].bodies, typename F::attachments{});
                    visit(node == none ? none : group_of_[node], pool.slot_at(k));
                }
            });
    });
    if constexpr (env::has_shapes) {
        auto const of_set = [&](auto& list, auto const& set) {
            detail::fill_grouped(list, all, [&](auto&& visit) {
                for (std::uint32_t k = 0; k < set.pairs.size(); ++k) visit(group_of_pair(w, set.pairs[k]), k);
            });
        };
        of_set(lists_.pairs, w.active_);
        if constexpr (env::sleeps) of_set(lists_.slept, w.asleep_);
    }
}

}  // namespace sinew::inline v0
