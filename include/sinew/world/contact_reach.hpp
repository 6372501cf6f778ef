#pragma once
// Where colliders may come to within a step, by their twists and by what forces add to them: what is looked for there is contact_phase.hpp. And which bodies are joined,
// so that they do not collide.

#include <sinew/core/call_with.hpp>
#include <sinew/core/sort.hpp>
#include <sinew/world/colliding_world.hpp>

#include <algorithm>

namespace sinew::inline v0 {

namespace detail {

// How far turning can carry a point of the shape in a step (m).
template <class World, class Env, class... Shapes>
constexpr typename Env::scalar colliding_world<World, Env, shape_list<Shapes...>>::arc_of(std::uint32_t id, S const& h) const {
    record const& r = store_[id];
    vec3<S> const& w = self().states_[r.body].twist.angular;
    if (w == vec3<S>{}) return S(0);
    return min(norm(w) * h, S(2)) * r.radius;
}

template <class World, class Env, class... Shapes>
constexpr aabb<typename Env::scalar> colliding_world<World, Env, shape_list<Shapes...>>::box_of(std::uint32_t id) const {
    if (!moves(store_[id].body)) return grown(store_.bounds(id), margin_of(id));
    return reach_of(id, last_h_, id < falls_.size() ? falls_[id] : S(0));
}
// How far contacts of it are looked for in a step in which forces carry it so far beyond where its twist does.
template <class World, class Env, class... Shapes>
constexpr aabb<typename Env::scalar> colliding_world<World, Env, shape_list<Shapes...>>::reach_of(std::uint32_t id, S const& h, S const& fall) const {
    S const margin = margin_of(id);
    return grown(swept(store_.bounds(id), self().states_[store_[id].body].twist.linear * h), margin + arc_of(id, h) + beyond(margin, fall));
}
// The same before a step of h seconds, when forces have been expected; of what sleeps, if something wakes it in that step.
template <class World, class Env, class... Shapes>
constexpr aabb<typename Env::scalar> colliding_world<World, Env, shape_list<Shapes...>>::reach_awake(std::uint32_t id, S const& h) const {
    return reach_of(id, h, way_of(self().expected_push_awake(store_[id].body, h), h, store_[id].radius));
}

// What the forces of now add in a step. Boxes that are made for it follow.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::expect_falls(S const& h) {
    if (store_.size() == 0) return;
    World& w = self();
    w.expect_forces();
    falls_.resize(store_.size());
    bool const has_objects = w.has_force_objects();
    S const by_gravity = way_of({w.gravity * h, {}}, h, S(0));
    for (std::uint32_t id = 0; id < store_.size(); ++id) {
        if (!store_.slots()[id].alive) continue;
        record const& r = store_[id];
        S const before = falls_[id];
        bool const is_moved = w.masses_[r.body].movable, is_plain = !has_objects && w.applied_[r.body] == wrench<S>{};
        falls_[id] = !is_moved ? S(0) : is_plain ? by_gravity : way_of(w.expected_push(r.body, h), h, r.radius);
        if (falls_[id] == before) continue;
        S const margin = margin_of(id);
        if (beyond(margin, before) != beyond(margin, falls_[id]) && moves(r.body)) store_.index().move(id, box_of(id));
    }
}
// How much nearer these bring two colliders, if it is more than `near`, at which contacts are known of anyway. What pulls both alike brings one as near to the other as if that were held.
template <class World, class Env, class... Shapes>
constexpr typename Env::scalar colliding_world<World, Env, shape_list<Shapes...>>::fall_of(std::uint32_t a, std::uint32_t b, S const& h, S const& near) const {
    auto const p = self().expected_push(store_[a].body, h), q = self().expected_push(store_[b].body, h);
    S const turns = (falls_[a] - norm(p.linear) * h) + (falls_[b] - norm(q.linear) * h);
    return beyond(near, max(max(falls_[a], falls_[b]), norm(q.linear - p.linear) * h + turns));
}

template <class World, class Env, class... Shapes>
constexpr motion<typename Env::scalar> colliding_world<World, Env, shape_list<Shapes...>>::motion_of(std::uint32_t id, S const& h, bool pushed) const {
    World const& w = self();
    std::uint32_t const body = store_[id].body;
    auto t = w.states_[body].twist;
    if (pushed && w.masses_[body].movable) t = t + w.expected_push(body, h);
    return {store_.frame_at(id), w.states_[body].pose.position, t.linear * h, t.angular * h};
}

// The same of (a, b) and (b, a).
[[nodiscard]] constexpr std::uint64_t body_pair(std::uint32_t a, std::uint32_t b) noexcept {
    return a < b ? std::uint64_t{a} << 32 | b : std::uint64_t{b} << 32 | a;
}

// Bodies that constraints join, as keys like those of pairs. The ground joins nothing: it is everything that stands.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::update_joined() {
    if (collision.joined_collide) {
        joined_.clear();
        joined_of_ = 0;
        return;
    }
    if (joined_of_ == self().contents_) return;
    joined_of_ = self().contents_;
    joined_.clear();
    [[maybe_unused]] auto const one = [&](auto const& pool) {
        using A = attachments_t<typename std::remove_cvref_t<decltype(pool.values()[0])>::constraint_type>;
        if constexpr (A::size > 1)
            for (std::size_t e = 0; e < pool.size(); ++e) {
                if (pool.side(e).collides) continue;
                std::uint32_t bodies[A::size]{};
                std::size_t n = 0;
                for_each_attachment(pool.values()[e], [&](auto kind, auto, std::uint32_t i) {
                    if (std::same_as<decltype(kind), rigid> && i != 0) bodies[n++] = i;
                });
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t j = 0; j < i; ++j)
                        if (!is_full(joined_)) joined_.push_back(body_pair(bodies[i], bodies[j]));
            }
    };
    detail::call_with([&](auto const&... pools) { (one(pools), ...); }, self().constraints_);
    detail::sort<Env>(joined_.begin(), joined_.end());
}
template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::are_joined(std::uint32_t a, std::uint32_t b) const noexcept {
    if (joined_.empty()) return false;
    return std::binary_search(joined_.begin(), joined_.end(), body_pair(a, b));
}

}  // namespace detail

}  // namespace sinew::inline v0
