#pragma once
// What has become of all simulation groups, given to their world at once.

#include <sinew/core/sort.hpp>
#include <sinew/world/simulation_groups.hpp>

#include <algorithm>

namespace sinew::inline v0 {

template <class World>
constexpr void simulation_groups<World>::commit(World& w, S const& duration, report_type& report) {
    paces_.of_nodes.resize(w.make_problem().node_count());
    for (std::uint32_t node = 0; node < paces_.of_nodes.size(); ++node) paces_.of_nodes[node] = pace_at(node);
    for (std::uint32_t group = 0; group < runs_.size(); ++group)
        for (std::uint32_t const node : lists_.nodes.of(group)) paces_.of_nodes[node] = runs_[group].pace;
    paces_.bodies = w.states_.size();
    w.pass_time(duration);
    // Last slots first, as when a step of the world finds them.
    detail::sort<env>(broken_.begin(), broken_.end(), [](auto const& a, auto const& b) { return a.type != b.type ? b.type > a.type : a.slot > b.slot; });
    for (auto const& b : broken_)
        detail::for_each_constant<types>([&](auto t) {
            if (t != b.type) return;
            auto& pool = std::get<t>(w.constraints_);
            using C = typename std::remove_cvref_t<decltype(pool.values()[0])>::constraint_type;
            w.note(World::change::item_removed, b.slot, World::template place_in_list<C>());
            pool.remove_slot(b.slot);
        });
    report.broken = broken_.size();
    report.groups = groups_;
    w.note_layout();
    w.arrange();
    if constexpr (env::has_shapes) commit_contacts(w, duration);
}

template <class World>
constexpr void simulation_groups<World>::commit_contacts(World& w, S const& duration) {
    if constexpr (env::has_shapes) {
        using set_type = detail::contact_set<env>;
        // Pairs that no group has had: what stands and goes on as it is, and who sleeps.
        auto const stands = [&](detail::near_pair const& p) { return group_of_pair(w, p) == none && !w.sleeps(w.store_[p.a].body) && !w.sleeps(w.store_[p.b].body); };
        // The contacts of all groups, and of those that sleep on; ascending, as the world keeps them.
        auto const compose = [&](auto& next, auto const&... sets) {
            next.clear();
            detail::sort<env>(staged_.order.begin(), staged_.order.end(), [](pair_place const& a, pair_place const& b) { return b.key > a.key; });
            std::array<set_type const*, sizeof...(sets)> const from{&sets...};
            for (pair_place const& q : staged_.order) {
                auto const& found = from[q.set]->pairs[q.at];
                auto const p = stands(found) ? found.at_rest() : found;
                if (next.has_room(p)) next.append(*from[q.set], q.at, p);
            }
            staged_.order.clear();
        };
        auto const list = [&](auto const& set, std::uint32_t number, auto&& wanted) {
            for (std::uint32_t k = 0; k < set.pairs.size(); ++k)
                if (wanted(set.pairs[k])) staged_.order.push_back({set.pairs[k].key(), number, k});
        };
        auto const all = [](detail::near_pair const&) { return true; };
        auto const rests = [&](detail::near_pair const& p) {
            std::uint32_t const i = w.store_[p.a].body, j = w.store_[p.b].body;
            return group_of_pair(w, p) == none && !w.moves(i) && !w.moves(j) && (w.sleeps(i) || w.sleeps(j));
        };
        list(staged_.awake, 0, all);
        // What one of them carries past the other, neither free to move, is no pair any more; nor is what was put elsewhere.
        w.update_joined();
        list(w.active_, 1, [&](detail::near_pair const& p) {
            if (!stands(p) || w.moves(w.store_[p.a].body) || w.moves(w.store_[p.b].body)) return false;
            bool const goes_on = w.is_carried_on(p);
            if (!goes_on && p.touches && !is_full(staged_.ended)) staged_.ended.push_back(w.end_of(p));
            return goes_on;
        });
        compose(staged_.next, staged_.awake, w.active_);
        if constexpr (env::sleeps) {
            list(staged_.asleep, 0, all);
            list(w.active_, 1, rests);
            bool const none_comes = staged_.order.empty();
            list(w.asleep_, 2, rests);
            if (none_comes && staged_.order.size() == w.asleep_.pairs.size()) {
                staged_.order.clear();
            } else {
                compose(staged_.next_asleep, staged_.asleep, w.active_, w.asleep_);
                w.asleep_ = staged_.next_asleep;  // not exchanged: so each has the room it needs after the first time
            }
            // Of those that have just fallen asleep the contacts are still among the others: the next step is to look who sleeps.
            w.slept_layout_ = ~w.layout_;
        }
        w.active_ = staged_.next;
        // What was removed since the last step comes first.
        std::size_t const removed = w.ended_.size() - w.told_;
        for (std::size_t k = 0; k < removed; ++k) w.ended_[k] = w.ended_[k + w.told_];
        while (w.ended_.size() > removed) w.ended_.pop_back();
        for (auto const& e : staged_.ended)
            if (!is_full(w.ended_)) w.ended_.push_back(e);
        w.told_ = w.ended_.size();
        w.begun_ = staged_.begun;
        w.last_h_ = duration;
        for (std::uint32_t i = 1; i < w.states_.size(); ++i)
            if (w.moves(i) || group_of_[i] != none) w.note_motion(i);
    }
}

}  // namespace sinew::inline v0
