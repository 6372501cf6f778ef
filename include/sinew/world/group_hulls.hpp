#pragma once
// Hulls of simulation groups: boxes in which colliders stay during an advance, and what comes within them.

#include <sinew/world/simulation_groups.hpp>

namespace sinew::inline v0 {

// Where each collider may be during the advance, by its twist and gravity, and how far contacts are looked for in its first step. What springs do later is not foreseen:
// hold() sees it.
template <class World>
constexpr void simulation_groups<World>::place_hulls([[maybe_unused]] World& w, [[maybe_unused]] S const& duration) {
    if constexpr (env::has_shapes) {
        w.expect_forces();
        staged_.hulls.resize(w.store_.size());
        for (std::uint32_t i = 1; i < w.states_.size(); ++i) {
            if (!w.body_slots_[i].alive) continue;
            if (!w.moves(i) && is_member(w, i)) {
                w.store_.for_each_of(i, [&](std::uint32_t id) { staged_.hulls[id] = w.box_of(id); });
            } else if (w.moves(i)) {
                vec3<S> const way = w.states_[i].twist.linear * duration;
                S const first = first_step(i, duration);
                vec3<S> const fall = w.masses_[i].movable ? way + w.gravity * (duration * duration) : way;
                w.store_.move_with(i, w.states_[i].pose, [&](std::uint32_t id) {
                    aabb<S> const b = w.store_.bounds(id);
                    staged_.hulls[id] = merged(w.reach_awake(id, first), grown(merged(swept(b, way), swept(b, fall)), w.margin_of(id) + w.arc_of(id, duration)));
                    w.store_.index().set_moves(id, true);
                    w.store_.index().move(id, staged_.hulls[id]);
                });
            }
        }
    }
}

// As long as a body's first step may be, as far as is known; 0 if it is not.
template <class World>
constexpr typename World::S simulation_groups<World>::first_step(std::uint32_t body, S const& duration) const {
    if (settings.mode == stepping::fixed) return settings.initial_step > S(0) ? min(settings.initial_step, duration) : duration;
    S const next = pace_at(body).next_step;
    return min(min(next > S(0) ? next : settings.initial_step, settings.max_step), duration);
}

// To the broad phase, where what has fallen asleep or woken stands in other boxes.
template <class World>
constexpr void simulation_groups<World>::show_hulls([[maybe_unused]] World& w) {
    if constexpr (env::has_shapes)
        for (std::uint32_t i = 1; i < w.states_.size(); ++i)
            if (w.body_slots_[i].alive && (is_member(w, i) || w.moves(i))) w.store_.for_each_of(i, [&](std::uint32_t id) { w.store_.index().move(id, staged_.hulls[id]); });
}

// The step, or as much of it as lets nothing pass through what it may meet, which contacts are looked for where it begins: with the speed of now and by
// gravity it goes no farther than the smaller of the two is wide. What is `continuous` finds its contacts by itself.
template <class World>
constexpr typename World::S simulation_groups<World>::unhurried(S const& step) {
    S longest = step;
    if constexpr (env::has_shapes) {
        World& w = part_.stepped();
        S const g = norm(w.gravity);
        S thinnest = infinity_v<S>;
        for (std::uint32_t id = 0; id < w.store_.size(); ++id) thinnest = min(thinnest, w.store_[id].extent);
        for (std::uint32_t id = 0; id < w.store_.size(); ++id) {
            auto const& mine = w.store_[id];
            if (!w.masses_[mine.body].movable || mine.continuous || w.collision.continuous) continue;
            vec3<S> const& velocity = w.states_[mine.body].twist.linear;
            S const speed = norm(velocity);
            S const way = speed * longest + g * longest * longest;
            if (!(way > thinnest)) continue;
            aabb<S> const box = swept(w.store_.bounds(id), velocity * longest);
            w.store_.index().query(merged(box, swept(box, w.gravity * (longest * longest))), [&](std::uint32_t other) {
                auto const& its = w.store_[other];
                S const extent = min(mine.extent, its.extent);
                if (its.body == mine.body || its.sensor || !(way > extent) || !may_collide(mine.filter, its.filter)) return;
                longest = min(longest, S(2) * extent / (speed + sqrt(speed * speed + S(4) * g * extent)));
            });
        }
    }
    return longest;
}

template <class World>
constexpr bool simulation_groups<World>::may_meet([[maybe_unused]] World const& w, [[maybe_unused]] std::uint32_t a, [[maybe_unused]] std::uint32_t b) const {
    auto const &p = w.store_[a], &q = w.store_[b];
    if (p.body == q.body || !may_collide(p.filter, q.filter)) return false;
    return w.pair_filter(collider_pair{w.handle_of(a), w.handle_of(b), w.handle_of_body(p.body), w.handle_of_body(q.body), p.filter, q.filter});
}

// Before a step of the part: whether its contacts are looked for within its hulls, or what comes within the wider ones.
template <class World>
constexpr typename simulation_groups<World>::outcome simulation_groups<World>::hold([[maybe_unused]] World& w, [[maybe_unused]] S const& step, [[maybe_unused]] S const& left) {
    outcome result = outcome::reached;
    if constexpr (env::has_shapes) {
        part_.for_each_reach(step, left, [&](std::uint32_t id, aabb<S> const& reach, aabb<S> const& ahead) {
            if (!contains(staged_.hulls[id], reach)) widen(w, id, ahead, result);
        });
    }
    return result;
}

// After a step of the part: what is fast and was thrown another way than it was to go has been stopped at what stands there, if that was in the part.
template <class World>
constexpr typename simulation_groups<World>::outcome simulation_groups<World>::look_back([[maybe_unused]] World& w, [[maybe_unused]] S const& step) {
    outcome result = outcome::reached;
    if constexpr (env::has_shapes)
        part_.for_each_fast_way(step, [&](std::uint32_t id, aabb<S> const& way) {
            if (!contains(staged_.hulls[id], way)) widen(w, id, way, result);
        });
    return result;
}

// A hull by a box, and what is to be done if more comes within it.
template <class World>
constexpr void simulation_groups<World>::widen(World& w, std::uint32_t id, aabb<S> const& by, outcome& result) {
    if constexpr (env::has_shapes) {
        staged_.hulls[id] = merged(staged_.hulls[id], by);
        w.store_.index().move(id, staged_.hulls[id]);
        std::uint32_t const mine = w.store_[id].body;
        w.store_.index().query(staged_.hulls[id], [&](std::uint32_t other) {
            std::uint32_t const its = w.store_[other].body;
            if (part_.holds_collider(other) || !may_meet(w, id, other)) return;
            if (!is_member(w, its)) {
                if (result == outcome::reached) result = outcome::wider;
            } else if (!part_.holds_node(its)) {
                unions_.join(mine, its);
                result = outcome::merged;
            }
        });
    }
}

}  // namespace sinew::inline v0
