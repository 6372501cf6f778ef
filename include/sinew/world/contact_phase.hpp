#pragma once
// How a world finds its contacts, once at the beginning of a step, and what it makes of them at the end.
//
//   boxes       of the broad phase: where a collider is now, and where it will be if nothing stops it
//   pairs       whose boxes overlap, ascending; the filters leave some
//   manifolds   at the poses of now, as far apart as the two can come together in the step, by their twists and what forces add to them, but not farther than
//               the smaller is wide: what is farther away is met in the next step. Fast `continuous` colliders: at the poses of their first touch on the way (time_of_impact.hpp), so that the
//               contact stands where it will be
//   contacts    each with the multipliers and the friction of the one that it was in the last step, by its features
//   waking      what moves and touches a sleeping island wakes it, and all is done once more
//   stopping    a fast `continuous` collider that something threw another way than it was to go may have had no contact with what it met there: if
//               it has passed through what stands, its body is put back to where it first touched it
//
// The solver sees the contacts as constraints behind the user's, at each substep's poses. Nothing here depends on the way the world came
// about, only on its state: a restored world steps to the same bits.

#include <sinew/collision/bounding_volume_tree.hpp>
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
    std::apply([&](auto const&... pools) { (one(pools), ...); }, self().constraints_);
    std::sort(joined_.begin(), joined_.end());
}
template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::are_joined(std::uint32_t a, std::uint32_t b) const noexcept {
    if (joined_.empty()) return false;
    return std::binary_search(joined_.begin(), joined_.end(), body_pair(a, b));
}

// f(manifold, part of a, part of b) for two colliders at frames, with a normal from a to b.
template <class World, class Env, class... Shapes>
template <class F>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::each_manifold(std::uint32_t a, std::uint32_t b, frame<S> const& fa, frame<S> const& fb, S const& margin,
                                                                               F&& f) const {
    if (store_[a].type <= store_[b].type)
        store_.with_shapes(a, b, [&](auto const& x, auto const& y) { for_each_manifold(x, fa, y, fb, margin, f); });
    else
        store_.with_shapes(b, a, [&](auto const& y, auto const& x) {
            for_each_manifold(y, fb, x, fa, margin, [&](manifold<S> const& m, std::uint32_t part_b, std::uint32_t part_a) { f(flipped(m), part_a, part_b); });
        });
}

// f(manifold, manifold_parts) of the same: those of a surface's triangles are one where they agree.
template <class World, class Env, class... Shapes>
template <class F>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::each_merged_manifold(std::uint32_t a, std::uint32_t b, frame<S> const& fa, frame<S> const& fb, S const& margin,
                                                                                      F&& f) const {
    bool const ordered = store_[a].type <= store_[b].type;
    S const near = min(store_[a].radius, store_[b].radius) / S(1000);
    auto const of = [&](auto const& x, frame<S> const& at_x, auto const& y, frame<S> const& at_y, auto const& out) {
        constexpr bool of_x = is_surface<std::remove_cvref_t<decltype(x)>>, of_y = is_surface<std::remove_cvref_t<decltype(y)>>;
        if constexpr (of_x || of_y) {
            manifold_merger<S> merger(of_x, of_y, near);
            for_each_manifold(x, at_x, y, at_y, margin, [&](manifold<S> const& m, std::uint32_t i, std::uint32_t j) { merger.add(m, i, j, out); });
            merger.finish(out);
        } else {
            for_each_manifold(x, at_x, y, at_y, margin, [&](manifold<S> const& m, std::uint32_t i, std::uint32_t j) { out(m, manifold_parts{{i, j}}); });
        }
    };
    if (ordered)
        store_.with_shapes(a, b, [&](auto const& x, auto const& y) { of(x, fa, y, fb, f); });
    else
        store_.with_shapes(b, a, [&](auto const& y, auto const& x) {
            of(y, fb, x, fa, [&](manifold<S> const& m, manifold_parts const& parts) {
                part_pair room[4];
                f(flipped(m), parts.flipped(room, m.points.size()));
            });
        });
}

// Of two that are fast against their size: f(manifold, manifold_parts, fraction of the step, way of a, way of b) where they first touch. False if they are near each
// other already, so that they are to be looked at as they are.
//
// Under a constant force a body is always within the triangle between where it is, where its velocity alone would take it, and where both would: what stands in neither
// of the two ways is not met.
template <class World, class Env, class... Shapes>
template <class F>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::each_impact_manifold(std::uint32_t a, std::uint32_t b, S const& h, S const& near, F&& f) const {
    impact<S> hit;
    bool const ordered = store_[a].type <= store_[b].type;
    motion<S> ma, mb;
    auto const go = [&](bool pushed) {
        ma = motion_of(a, h, pushed);
        mb = motion_of(b, h, pushed);
        motion<S> const &first = ordered ? ma : mb, &second = ordered ? mb : ma;
        store_.with_shapes(ordered ? a : b, ordered ? b : a,
                           [&](auto const& x, auto const& y) { hit = time_of_impact(x, first, y, second, near / S(4), near / S(4)); });
    };
    go(true);
    if (hit.what == impact<S>::status::none && fall_of(a, b, h, near) > S(0)) go(false);
    if (hit.what == impact<S>::status::at_start) return false;
    if (hit.what == impact<S>::status::none) return true;
    S const t = hit.fraction;
    // All points of the smaller one that may come down next. What turns too fast to be followed has none; the nearest then stands for them.
    S const wide = near + S(2) * min(store_[a].radius, store_[b].radius);
    bool any_found = false;
    each_merged_manifold(a, b, ma.at(t), mb.at(t), wide, [&](manifold<S> const& m, manifold_parts const& parts) {
        any_found = true;
        f(m, parts, t, ma, mb);
    });
    if (!any_found) {
        sinew::closest<S> const c = ordered ? hit.nearest : flipped(hit.nearest);
        manifold<S> m;
        m.normal = c.normal;
        m.points.push_back({c.on_a, c.on_b, c.distance, core_feature});
        part_pair const parts = ordered ? part_pair{hit.part_a, hit.part_b} : part_pair{hit.part_b, hit.part_a};
        f(m, manifold_parts{parts}, t, ma, mb);
    }
    return true;
}

template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::has_row_room(std::size_t rows) const noexcept {
    if constexpr (Env::limits.rows > 0)
        return self().row_count() + 3 * (active_.entries.size() + active_.rolling.size()) + rows <= Env::limits.rows;
    else
        return true;
}

// Which contact of the last step each point of a manifold over a surface is, or none. By the features that meet, as everywhere. But triangles come and go under what
// moves over them: for the rest, by the vertex of the body that is not the surface; else the nearest of those that went along with the body's middle.
// `found`: those that have been given to a point.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::find_again(near_pair const& p, manifold<S> const& m, manifold_parts const& parts, frame<S> const& at_a,
                                                                            frame<S> const& at_b, S const& h, near_pair const& last, set_type const& last_set,
                                                                            std::uint64_t& found, std::uint32_t (&places)[manifold<S>::max_points]) const {
    std::uint32_t const end = last.first + last.count, old = std::min(end, last.first + 64), size = static_cast<std::uint32_t>(m.points.size());
    for (auto& place : places) place = end;
    auto const is_free = [&](std::uint32_t k) { return (found >> (k - last.first) & 1) == 0; };
    std::uint32_t open = size;
    auto const give = [&](std::uint32_t n, std::uint32_t k) {
        places[n] = k;
        found |= std::uint64_t{1} << (k - last.first);
        --open;
    };
    auto const look = [&](auto const& is_same_point) {
        for (std::uint32_t n = 0; n < size; ++n)
            for (std::uint32_t k = last.first; k < old && places[n] == end; ++k)
                if (is_free(k) && is_same_point(m.points[n].feature, parts.of(n), last_set.keys[k])) give(n, k);
    };
    look([](std::uint32_t feature, part_pair const& on, point_key const& key) { return key == point_key{feature, on.a, on.b}; });
    if (open == 0) return;
    bool const ground_a = parts.on_surface_a;
    auto const same_part = [&](part_pair const& on, point_key const& key) {
        return (parts.on_surface_a || on.a == key.part_a) && (parts.on_surface_b || on.b == key.part_b) && key.feature != core_feature;
    };
    look([&](std::uint32_t feature, part_pair const& on, point_key const& key) {
        std::uint32_t const mine = ground_a ? feature & 0xffffu : feature >> 16, its = ground_a ? key.feature & 0xffffu : key.feature >> 16;
        return mine == its && mine >> 14 == static_cast<std::uint32_t>(feature_kind::vertex) && same_part(on, key);
    });
    if (open == 0) return;

    // From the middle of the body: where a point is, and where those of the last step were.
    auto const &ra = store_[p.a], &rb = store_[p.b];
    auto const &ta = self().states_[ra.body].twist, &tb = self().states_[rb.body].twist;
    frame<S> const now_a = body_frame(p.a), now_b = body_frame(p.b);
    vec3<S> const apart = now_b.position - now_a.position;
    vec3<S> const came = (ground_a ? tb.linear - ta.linear - cross(ta.angular, apart) : ta.linear - tb.linear + cross(tb.angular, apart)) * h;
    vec3<S> const middle = ground_a ? now_b.position : now_a.position, going = ground_a ? at_b.position : at_a.position;
    S const most = min(ra.radius, rb.radius) / S(2);
    while (open > 0) {
        S least = most;
        std::uint32_t n_best = size, k_best = end;
        for (std::uint32_t n = 0; n < size; ++n) {
            if (places[n] != end) continue;
            vec3<S> const here = (ground_a ? m.points[n].on_a : m.points[n].on_b) - going;
            for (std::uint32_t k = last.first; k < old; ++k) {
                if (!is_free(k) || !same_part(parts.of(n), last_set.keys[k])) continue;
                auto const& c = last_set.entries[k].constraint;
                if (!(dot(c.normal, m.normal) > S(value_type_t<S>(0.95)))) continue;
                vec3<S> const was = (ground_a ? now_a.point(c.anchor_a) : now_b.point(c.anchor_b)) - (middle - came);
                S const d = norm(here - was);
                if (!(d < least)) continue;
                least = d;
                n_best = n;
                k_best = k;
            }
        }
        if (n_best == size) return;
        give(n_best, k_best);
    }
}

// A manifold's points as contacts of a pair, which is behind all others.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::take_manifold(near_pair& p, manifold<S> const& m, manifold_parts const& parts, frame<S> const& at_a,
                                                                               frame<S> const& at_b, sinew::material<S> const& surface, S const& h, std::size_t& dropped,
                                                                               near_pair const* last, set_type const& last_set, std::uint64_t& found) {
    std::uint32_t const i = store_[p.a].body, j = store_[p.b].body;
    auto const c = set_type::contact_type::between(m.normal, surface);
    bool const over_surface = last != nullptr && (parts.on_surface_a || parts.on_surface_b);
    std::uint32_t places[manifold<S>::max_points];
    if (over_surface) find_again(p, m, parts, at_a, at_b, h, *last, last_set, found, places);
    common_turn<S> turn;
    if (last != nullptr) turn = {common_spin(m.normal, self().states_[i].twist.angular, self().states_[j].twist.angular), h};
    for (std::size_t n = 0; n < m.points.size(); ++n) {
        auto const& point = m.points[n];
        if (is_full(active_.entries) || !has_row_room(3)) {
            ++dropped;
            continue;
        }
        typename set_type::entry e{};
        e.constraint = c;
        e.constraint.place(at_a, at_b, point.on_a, point.on_b, m.round_a, m.round_b);
        e.bodies = {i, j};
        point_key const key{point.feature, parts.of(n).a, parts.of(n).b};
        if (last != nullptr)
            for (std::uint32_t k = last->first; k < last->first + last->count; ++k) {
                if (!(over_surface ? places[n] == k : last_set.keys[k] == key)) continue;
                auto const& old = last_set.entries[k];
                with_body_frames(p.a, p.b, [&](frame<S> const& a, frame<S> const& b) {
                    auto before = old.constraint;
                    if (!turn.is_none) before.turn_with_bodies(turn);
                    e.lambda = e.constraint.continue_from(before, old.lambda, a, b, h);
                });
                e.memory = old.memory;
                break;
            }
        active_.entries.push_back(e);
        active_.keys.push_back(key);
        ++p.count;
    }
}
// Of a fast body that will hit: its core too, a point in its middle with half of its least extent around it, may not pass the plane it will touch. The points of the
// manifold turn with the body, which after a hit on a corner may turn far in what is left of the step; the middle goes nowhere but through the plane.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::take_core(near_pair& p, manifold<S> const& m, point_key part, frame<S> const& at_a, frame<S> const& at_b,
                                                                           std::size_t& dropped) {
    record const &ra = store_[p.a], &rb = store_[p.b];
    bool const of_a = ra.extent < rb.extent;
    record const& small = of_a ? ra : rb;
    if (!(small.radius > small.extent * S(value_type_t<S>(1.01)))) return;  // a ball: its contact says it
    if (is_full(active_.entries) || !has_row_room(3)) {
        ++dropped;
        return;
    }
    typename set_type::entry e{};
    e.constraint = set_type::contact_type::at(at_a, at_b, m.points[0].on_a, m.points[0].on_b, m.normal, sinew::material<S>::of(S(0)));
    vec3<S> const around = m.normal * (small.extent / S(2));
    if (of_a) {
        e.constraint.anchor_a = ra.middle;
        e.constraint.anchor_b = at_b.local_point(m.points[0].on_b - around);
    } else {
        e.constraint.anchor_a = at_a.local_point(m.points[0].on_a + around);
        e.constraint.anchor_b = rb.middle;
    }
    e.constraint.core_a = e.constraint.anchor_a;
    e.constraint.core_b = e.constraint.anchor_b;
    e.bodies = {ra.body, rb.body};
    active_.entries.push_back(e);
    active_.keys.push_back({core_feature, part.part_a, part.part_b});
    ++p.count;
}
// And its resistance against rolling.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::take_rolling(near_pair& p, manifold<S> const& m, manifold_parts const& parts, sinew::material<S> const& surface,
                                                                              near_pair const* last, set_type const& last_set) {
    if (!any(surface.rolling_friction > S(0)) && !any(surface.spinning_friction > S(0))) return;
    if (is_full(active_.rolling) || !has_row_room(3)) return;
    typename set_type::rolling_entry e{};
    auto& c = e.constraint;
    c.normal = m.normal;
    c.tangent = orthonormal_basis(m.normal).u;
    c.rolling = surface.rolling_friction;
    c.spinning = surface.spinning_friction;
    e.bodies = {store_[p.a].body, store_[p.b].body};
    point_key const part{0, parts.first.a, parts.first.b};
    // What rolls over a surface goes from triangle to triangle: there the normal tells which it was.
    auto const is_same_place = [&](point_key const& key, vec3<S> const& normal) {
        bool const same_a = parts.on_surface_a || key.part_a == part.part_a, same_b = parts.on_surface_b || key.part_b == part.part_b;
        return same_a && same_b && ((!parts.on_surface_a && !parts.on_surface_b) || dot(normal, m.normal) > S(value_type_t<S>(0.99)));
    };
    if (last != nullptr) {
        for (std::uint32_t k = last->first; k < last->first + last->count; ++k)
            if (is_same_place(last_set.keys[k], last_set.entries[k].constraint.normal)) c.pressing = c.pressing + max(last_set.entries[k].lambda[0], S(0));
        for (std::uint32_t k = last->first_rolling; k < last->first_rolling + last->rolling_count; ++k) {
            if (!is_same_place(last_set.rolling_keys[k], last_set.rolling[k].constraint.normal)) continue;
            auto const& old = last_set.rolling[k];
            vec3<S> const torque =
                old.constraint.normal * old.lambda[0] + old.constraint.tangent * old.lambda[1] + cross(old.constraint.normal, old.constraint.tangent) * old.lambda[2];
            S const spin = c.spinning * c.pressing;
            e.lambda = c.within_friction({clamp(dot(c.normal, torque), -spin, spin), dot(c.tangent, torque), dot(cross(c.normal, c.tangent), torque)});
            e.memory = old.memory;
            break;
        }
    }
    active_.rolling.push_back(e);
    active_.rolling_keys.push_back(part);
    ++p.rolling_count;
}

// Touched when the last step was over, and is near enough to touch when this one is: whether the two would meet meanwhile tells nothing more, but that it would
// wake one that sleeps.
template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::goes_on_touching(near_pair const& p) const noexcept {
    return p.was_touching && p.lingers && !self().sleeps(store_[p.a].body) && !self().sleeps(store_[p.b].body);
}

// What the surfaces of two colliders are together.
template <class World, class Env, class... Shapes>
constexpr sinew::material<typename Env::scalar> colliding_world<World, Env, shape_list<Shapes...>>::surface_of(std::uint32_t a, std::uint32_t b) const {
    auto m = combined<typename config::combination>(store_.surface(a), store_.surface(b));
    auto const turned = [&](std::uint32_t id) {
        vec3<S> const& v = store_.surface(id).surface_velocity;
        return is_same(v, vec3<S>{}) ? v : store_.frame_at(id).direction(v);
    };
    m.surface_velocity = turned(a) - turned(b);
    return m;
}

// The contacts of a pair as they were, where its bodies have hardly moved against each other: what lies still is not looked for again, and nothing
// about it flickers. False if they have moved, or if more may be near now than was looked for.
template <class World, class Env, class... Shapes>
[[gnu::flatten]] constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::stay(near_pair& p, S const& margin, S const& near, S const& h, near_pair const& last,
                                                                                       set_type const& last_set, meeting& first, bool& met) {
    pair_origin<S> const& before = last_set.origin_of(last);
    if (!(before.margin + near / S(4) >= margin)) return false;
    frame<S> const &fa = store_.frame_at(p.a), &fb = store_.frame_at(p.b);
    if (!before.is_at(fa, fb, min(store_[p.a].radius, store_[p.b].radius), near / S(20))) return false;
    for (std::uint32_t k = last.first; k < last.first + last.count; ++k)
        if (!last_set.entries[k].constraint.may_stay(last_set.entries[k].lambda)) return false;
    if (!active_.has_room(last) || !has_row_room(3 * last.count)) return false;
    sinew::material<S> const surface = surface_of(p.a, p.b);
    if (surface.surface_velocity != vec3<S>{}) return false;

    World const& w = self();
    std::uint32_t const i = store_[p.a].body, j = store_[p.b].body;
    bool const plain_a = store_[p.a].plain, plain_b = store_[p.b].plain;
    frame<S> const own_a = plain_a ? frame<S>{} : body_frame(p.a), own_b = plain_b ? frame<S>{} : body_frame(p.b);
    frame<S> const &at_a = plain_a ? fa : own_a, &at_b = plain_b ? fb : own_b;
    vec3<S> const normal = fa.direction(before.normal);
    common_turn<S> const turn(common_spin(normal, w.states_[i].twist.angular, w.states_[j].twist.angular), before.step);
    active_.append_contacts(last_set, last);
    for (auto& e : std::span(active_.entries.data() + p.first, last.count)) {
        auto& c = e.constraint;
        c.set(surface);
        if (!turn.is_none) c.turn_with_bodies(turn);
        bool const holds = c.holds(e.lambda);
        if (holds) c.hold(e.lambda, normal, before.step);
        if (holds && p.lingers && (met || goes_on_touching(p))) continue;  // where its points are is not asked
        vec3<S> const on_a = at_a.point(c.anchor_a), on_b = at_b.point(c.anchor_b);
        if (!holds) e.lambda = c.stay(e.lambda, normal, at_b, on_a, on_b, before.step);
        S const distance = dot(normal, on_b - on_a);
        p.lingers = p.lingers || distance <= near / S(4);
        if (met || goes_on_touching(p)) continue;
        auto const &ta = w.states_[i].twist, &tb = w.states_[j].twist;
        S const speed = dot(normal, ta.linear + cross(ta.angular, on_a - at_a.position) - tb.linear - cross(tb.angular, on_b - at_b.position));
        met = distance <= max(speed, S(0)) * h;
        if (met) first = {first.pair, on_a, normal, speed};
    }
    p.count = last.count;
    return true;
}

// Two colliders whose boxes overlap.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::try_pair(std::uint32_t a, std::uint32_t b, S const& h, std::size_t& dropped, near_pair const* last,
                                                                          set_type const& last_set) {
    World& w = self();
    record const &ra = store_[a], &rb = store_[b];
    std::uint32_t const i = ra.body, j = rb.body;
    if (i == j || !may_collide(ra.filter, rb.filter)) return;
    near_pair p;
    p.sensor = ra.sensor || rb.sensor;
    bool const movable = w.may_move(i) || w.may_move(j);
    if (!movable && !p.sensor) return;
    if (are_joined(i, j)) return;
    auto const names = [&] { return collider_pair{handle_of(a), handle_of(b), handle_of_body(i), handle_of_body(j), ra.filter, rb.filter}; };
    if (!pair_filter(names())) return;

    p.a = a;
    p.b = b;
    p.first = static_cast<std::uint32_t>(active_.entries.size());
    p.first_rolling = static_cast<std::uint32_t>(active_.rolling.size());
    p.was_touching = last != nullptr && last->touches;
    if (is_full(active_.pairs)) {
        ++dropped;
        return;
    }
    if (p.sensor) {
        each_manifold(a, b, store_.frame_at(a), store_.frame_at(b), S(0), [&](manifold<S> const& m, std::uint32_t, std::uint32_t) {
            if (!p.touches && !p.was_touching && !is_full(meetings_)) meetings_.push_back({static_cast<std::uint32_t>(active_.pairs.size()), m.points[0].on_a, m.normal, S(0)});
            p.touches = true;
        });
        if (p.touches) {
            active_.pairs.push_back(p);
            active_.origins.push_back({});
        }
        return;
    }

    auto const &ta = w.states_[i].twist, &tb = w.states_[j].twist;

    S const near = min(margin_of(a), margin_of(b)), extent = min(ra.extent, rb.extent);
    S const reach = norm(tb.linear - ta.linear) * h + arcs_[a] + arcs_[b] + (falls_[a] + falls_[b] > near ? fall_of(a, b, h, near) : S(0));
    bool met = false;
    meeting first{static_cast<std::uint32_t>(active_.pairs.size()), {}, {}, S(0)};
    // The points at poses where they are, or will be; the approach is that of now.
    std::uint64_t found = 0;
    auto const take_as_is = [&](manifold<S> const& m, sinew::material<S> const& surface, manifold_parts const& parts, frame<S> const& at_a, frame<S> const& at_b, bool ahead) {
        for (auto const& point : m.points) {
            p.lingers = p.lingers || point.distance <= near / S(4);
            if (met || goes_on_touching(p)) continue;
            vec3<S> const v = tb.linear + cross(tb.angular, point.on_b - at_b.position) - ta.linear - cross(ta.angular, point.on_a - at_a.position);
            S const speed = -dot(m.normal, v);
            // Would they meet in this step, if nothing were in the way?
            if (!ahead && !(point.distance <= max(speed, S(0)) * h)) continue;
            met = true;
            first.point = point.on_a;
            first.normal = m.normal;
            first.speed = speed;
        }
        take_manifold(p, m, parts, at_a, at_b, surface, last != nullptr ? last_set.origin_of(*last).step : S(0), dropped, last, last_set, found);
        if (ahead) take_core(p, m, {0, parts.first.a, parts.first.b}, at_a, at_b, dropped);
        if constexpr (Env::resists_rolling) take_rolling(p, m, parts, surface, last, last_set);
    };
    // A rule is to see every manifold, and what resists rolling is made of one.
    constexpr bool is_plain = std::same_as<typename config::contact_rule, plain_contacts>, can_stay = is_plain && !Env::resists_rolling;
    auto const take = [&](manifold<S> const& m, sinew::material<S> const& surface, manifold_parts const& parts, frame<S> const& at_a, frame<S> const& at_b, bool ahead) {
        if constexpr (is_plain) {
            take_as_is(m, surface, parts, at_a, at_b, ahead);
        } else {
            manifold<S> ruled = m;
            sinew::material<S> own = surface;
            contact_setup<S> setup{names(), ruled, own, ta, tb};
            contact_rule(setup);
            if (ruled.points.empty()) return;
            manifold_parts left = parts;
            part_pair each[manifold<S>::max_points];
            if (parts.each != nullptr) {  // it may have left points out
                left.each = each;
                for (std::size_t n = 0; n < ruled.points.size(); ++n) {
                    std::size_t from = 0;
                    while (from + 1 < m.points.size() && !(m.points[from] == ruled.points[n])) ++from;
                    each[n] = parts.of(from);
                }
            }
            take_as_is(ruled, own, left, at_a, at_b, ahead);
        }
    };
    // Of what meets a fixed body the contact is to be there before it hits: found too late it would be pushed out, and come away faster than it came. A half
    // space is met wherever it is.
    bool const is_endless = !all(isfinite(max(ra.radius, rb.radius)));
    bool const fast = ((ra.continuous || rb.continuous || collision.continuous) && reach > extent / S(2)) || (reach > extent && !is_endless && (!moves(i) || !moves(j)));
    bool const looked = fast && each_impact_manifold(a, b, h, near, [&](manifold<S> const& m, manifold_parts const& parts, S const& t, motion<S> const& way_a, motion<S> const& way_b) {
        auto const later = [&](std::uint32_t body, motion<S> const& way) {
            pose<S, R> r = w.states_[body].pose;
            r.position += way.translation * t;
            r.rotation = turned(r.rotation, way.rotation * t);
            return sinew::frame_of(r);
        };
        take(m, surface_of(a, b), parts, later(i, way_a), later(j, way_b), true);
    });
    pair_origin<S> origin;
    bool stays = false;
    if (!looked) {
        S const margin = near + (is_endless ? reach : min(reach, extent));
        stays = can_stay && last != nullptr && stay(p, margin, near, h, *last, last_set, first, met);
        if (!stays)
            each_merged_manifold(a, b, store_.frame_at(a), store_.frame_at(b), margin, [&](manifold<S> const& m, manifold_parts const& parts) {
                // Of several parts, where it is round, or where a surface moves by itself, the contacts are looked for in every step.
                auto const surface = surface_of(a, b);
                bool const may_stay = can_stay && p.count == 0 && m.round_a == S(0) && m.round_b == S(0) && surface.surface_velocity == vec3<S>{};
                origin.margin = may_stay ? margin : S(-1);
                if (may_stay) {
                    origin.of_b = relative(store_.frame_at(a), store_.frame_at(b));
                    origin.normal = store_.frame_at(a).local_direction(m.normal);
                }
                with_body_frames(a, b, [&](frame<S> const& at_a, frame<S> const& at_b) { take(m, surface, parts, at_a, at_b, false); });
            });
    }
    if (p.count == 0 && p.rolling_count == 0) return;
    p.touches = met;
    if (met && !p.was_touching && !is_full(meetings_)) meetings_.push_back(first);
    active_.pairs.push_back(p);
    if (stays) origin = last_set.origin_of(*last);
    origin.step = h;
    active_.origins.push_back(origin);
    if constexpr (Env::sleeps) {
        auto const touched = [&](std::uint32_t it, std::uint32_t by) {
            // If there is no room, it is found again when those that are noted have woken.
            if (moves(by) && (w.sleeps(it) || (!p.was_touching && w.rises_by_touch(it))) && !is_full(to_wake_)) to_wake_.push_back(it);
        };
        if (met) {
            touched(i, j);
            touched(j, i);
        }
    }
}

// A pair of the last step whose boxes no longer overlap, or neither of which moves. The latter goes on touching, or not, as it did; nothing pushes it.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::carry(near_pair const& p) {
    std::uint32_t const i = store_[p.a].body, j = store_[p.b].body;
    if (moves(i) || moves(j) || self().sleeps(i) || self().sleeps(j)) return;
    if (!active_.has_room(p.at_rest())) return;
    active_.append(previous_, static_cast<std::size_t>(&p - previous_.pairs.data()), p.at_rest());
}

// All pairs once. Whether it must be done again, because something woke.
template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::detect(S const& h, std::size_t& dropped) {
    active_.clear();
    meetings_.clear();
    to_wake_.clear();
    dropped = 0;
    arcs_.resize(store_.size());
    for (std::uint32_t id = 0; id < store_.size(); ++id) arcs_[id] = store_.slots()[id].alive ? arc_of(id, h) : S(0);
    pair_cursor<set_type> awake(previous_);
    auto const carry_on = [&](near_pair const& p) { carry(p); };
    if constexpr (Env::sleeps) {
        pair_cursor<set_type> slept(replaced_sleepers_ ? was_asleep_ : asleep_);
        set_type const& slept_set = replaced_sleepers_ ? was_asleep_ : asleep_;
        store_.index().for_each_pair([&](std::uint32_t a, std::uint32_t b) {
            std::uint64_t const key = std::uint64_t{a} << 32 | b;
            near_pair const* const last = awake.seek(key, carry_on);
            near_pair const* const before = slept.seek(key, [](near_pair const&) {});
            if (last != nullptr || before == nullptr)
                try_pair(a, b, h, dropped, last, previous_);
            else
                try_pair(a, b, h, dropped, before, slept_set);
        });
    } else {
        store_.index().for_each_pair(
            [&](std::uint32_t a, std::uint32_t b) { try_pair(a, b, h, dropped, awake.seek(std::uint64_t{a} << 32 | b, carry_on), previous_); });
    }
    (void)awake.seek(~std::uint64_t{0}, carry_on);
    if constexpr (Env::sleeps) {
        for (std::uint32_t const i : to_wake_) {
            if (self().rises_by_touch(i))
                self().enable_one(i);
            else
                self().wake_one(i);
        }
        return !to_wake_.empty();
    } else {
        return false;
    }
}

// The contacts of those that have fallen asleep are put aside, and those of the woken taken back.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::move_to_sleep() {
    if constexpr (Env::sleeps) {
        self().arrange();
        if (replaced_sleepers_) std::swap(asleep_, was_asleep_);
        made_layout_ = self().layout_;
        replaced_sleepers_ = made_layout_ != slept_layout_;
        if (!replaced_sleepers_) return;
        std::swap(asleep_, was_asleep_);
        asleep_.clear();
        auto const rests = [&](near_pair const& p) {
            std::uint32_t const i = store_[p.a].body, j = store_[p.b].body;
            return !moves(i) && !moves(j) && (self().sleeps(i) || self().sleeps(j));
        };
        pair_cursor<set_type> slept(was_asleep_);
        auto const keep = [&](near_pair const& p) {
            if (rests(p) && asleep_.has_room(p)) asleep_.append(was_asleep_, p);
        };
        for (near_pair const& p : previous_.pairs) {
            (void)slept.seek(p.key(), keep);
            if (rests(p) && asleep_.has_room(p)) asleep_.append(previous_, p);
        }
        (void)slept.seek(~std::uint64_t{0}, keep);
    }
}

template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::find_contacts(S const& h, step_report<S>& report) {
    before_h_ = last_h_;
    if (any(differs(h, last_h_))) {
        last_h_ = h;
        note_all_motion();
    }
    update_joined();
    std::swap(active_, previous_);
    replaced_sleepers_ = false;
    do {
        move_to_sleep();
        expect_falls(h);
    } while (detect(h, report.dropped_contacts));
    if constexpr (Env::sleeps) self().arrange();
    report.contacts = active_.entries.size();
    set_contents_ = 0x9e3779b9u;
    for (near_pair const& p : active_.pairs) {
        if (p.count == 0) continue;
        for (std::uint32_t const word : {store_[p.a].body, store_[p.b].body, std::uint32_t{p.count} << 16 | p.rolling_count})
            set_contents_ = (set_contents_ ^ word) * 0x9e3779b1u + 0x7f4a7c15u;
    }
}

// The step was not taken.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::undo_contacts() {
    std::swap(active_, previous_);
    if constexpr (Env::sleeps) {
        if (replaced_sleepers_) std::swap(asleep_, was_asleep_);
        replaced_sleepers_ = false;
    }
    last_h_ = before_h_;
    note_all_motion();
}

template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::tell_end(near_pair const& p) {
    if (p.touches && !is_full(ended_)) ended_.push_back({handle_of(p.a), handle_of(p.b), handle_of_body(store_[p.a].body), handle_of_body(store_[p.b].body), p.sensor, {}, {}, S(0)});
}

// How far of its way of the step a body can go until the collider touches what stands and of which it had no contact.
template <class World, class Env, class... Shapes>
constexpr typename Env::scalar colliding_world<World, Env, shape_list<Shapes...>>::free_way(std::uint32_t id, motion<S> const& way) const {
    World const& w = self();
    record const& mine = store_[id];
    S least{1};
    aabb<S> const around = grown(swept(store_.bounds(id), way.translation), min(norm(way.rotation), S(2)) * mine.radius);
    store_.index().query(around, [&](std::uint32_t other) {
        record const& its = store_[other];
        if (its.body == mine.body || moves(its.body) || its.sensor || !may_collide(mine.filter, its.filter) || are_joined(mine.body, its.body)) return;
        std::uint32_t const a = std::min(id, other), b = std::max(id, other);
        auto const known = std::lower_bound(active_.pairs.begin(), active_.pairs.end(), std::uint64_t{a} << 32 | b, [](near_pair const& p, std::uint64_t key) { return p.key() < key; });
        if (known != active_.pairs.end() && known->a == a && known->b == b && known->count > 0) return;
        collider_pair const names{handle_of(a), handle_of(b), handle_of_body(store_[a].body), handle_of_body(store_[b].body), store_[a].filter, store_[b].filter};
        if (!pair_filter(names)) return;
        S const near = min(margin_of(id), margin_of(other)) / S(4);
        impact<S> hit;
        bool const ordered = mine.type <= its.type;
        motion<S> const stands = at_rest(store_.frame_at(other));
        store_.with_shapes(ordered ? id : other, ordered ? other : id,
                           [&](auto const& x, auto const& y) { hit = time_of_impact(x, ordered ? way : stands, y, ordered ? stands : way, near, near); });
        if (hit.what != impact<S>::status::hit || !(least > hit.fraction)) return;
        // What the user's rule lets through goes through.
        bool const same_order = ordered == (id < other);
        sinew::closest<S> const c = same_order ? hit.nearest : flipped(hit.nearest);
        manifold<S> m;
        m.normal = c.normal;
        m.points.push_back({c.on_a, c.on_b, c.distance, core_feature});
        sinew::material<S> surface = combined<typename config::combination>(store_.surface(a), store_.surface(b));
        contact_setup<S> setup{names, m, surface, w.states_[store_[a].body].twist, w.states_[store_[b].body].twist};
        contact_rule(setup);
        if (!m.points.empty()) least = hit.fraction;
    });
    return least;
}
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::stop_at_what_stands(S const& h) {
    World& w = self();
    for (std::uint32_t id = 0; id < store_.size(); ++id) {
        record const& r = store_[id];
        if (!store_.slots()[id].alive || r.sensor || !(r.continuous || collision.continuous) || !w.may_move(r.body)) continue;
        auto& now = w.states_[r.body];
        vec3<S> const from = w.backup_.bodies[r.body].pose.position, travel = now.pose.position - from;
        if (!(squared_norm(travel) * S(4) > r.extent * r.extent)) continue;
        motion<S> const way{store_.frame_at(id), from, travel, now.twist.angular * h};
        S const t = free_way(id, way);
        if (!(S(1) > t)) continue;
        now.pose.position = from + travel * t;
        now.pose.rotation = turned(now.pose.rotation, way.rotation * (t - S(1)));
    }
}

// The step has been taken: who touches whom, and where the colliders are now.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::settle_contacts(S const& h) {
    // Those that were removed since the last step come first.
    std::size_t const removed = ended_.size() - told_;
    for (std::size_t k = 0; k < removed; ++k) ended_[k] = ended_[k + told_];
    while (ended_.size() > removed) ended_.pop_back();

    pair_cursor<set_type> before(previous_);
    auto const part = [&](near_pair const& p) {
        if constexpr (Env::sleeps) {
            std::uint32_t const i = store_[p.a].body, j = store_[p.b].body;
            if ((self().sleeps(i) && !moves(j)) || (self().sleeps(j) && !moves(i))) return;
        }
        tell_end(p);
    };
    for (near_pair& p : active_.pairs) {
        (void)before.seek(p.key(), part);
        if (!p.sensor) {
            p.touches = p.touches || (p.was_touching && p.lingers);
            for (std::uint32_t k = p.first; k < p.first + p.count && !p.touches; ++k) p.touches = active_.entries[k].lambda[0] > S(0);
        }
        if (p.was_touching && !p.touches) {
            near_pair parted = p;
            parted.touches = true;
            tell_end(parted);
        }
    }
    (void)before.seek(~std::uint64_t{0}, part);
    if constexpr (Env::sleeps) {
        if (replaced_sleepers_) {
            pair_cursor<set_type> awake(active_), asleep(asleep_);
            auto const pass = [](near_pair const&) {};
            for (near_pair const& p : was_asleep_.pairs) {
                bool const here = awake.seek(p.key(), pass) != nullptr, there = asleep.seek(p.key(), pass) != nullptr;
                if (!here && !there) tell_end(p);
            }
        }
        slept_layout_ = made_layout_;
        replaced_sleepers_ = false;
    }
    told_ = ended_.size();

    begun_.clear();
    std::size_t met = 0;
    for (std::uint32_t k = 0; k < active_.pairs.size(); ++k) {
        near_pair const& p = active_.pairs[k];
        while (met < meetings_.size() && meetings_[met].pair < k) ++met;
        if (!p.touches || p.was_touching || is_full(begun_)) continue;
        touch_event<S> e{handle_of(p.a), handle_of(p.b), handle_of_body(store_[p.a].body), handle_of_body(store_[p.b].body), p.sensor, {}, {}, S(0)};
        if (met < meetings_.size() && meetings_[met].pair == k) {
            e.point = meetings_[met].point;
            e.normal = meetings_[met].normal;
            e.speed = meetings_[met].speed;
        } else if (p.count > 0) {
            auto const& c = active_.entries[p.first].constraint;
            e.normal = c.normal;
            e.point = self().states_[store_[p.a].body].pose.point(c.anchor_a);
        }
        begun_.push_back(e);
    }
    (void)h;
    for (std::uint32_t i = 1; i < self().states_.size(); ++i)
        if (may_go(i)) note_motion(i);
}

// All pairs of a collider that is about to be removed.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::forget_pairs(set_type& set, set_type& scratch, std::uint32_t id) {
    bool any_of = false;
    for (near_pair const& p : set.pairs) any_of = any_of || p.a == id || p.b == id;
    if (!any_of) return;
    scratch.clear();
    for (near_pair const& p : set.pairs) {
        if (p.a == id || p.b == id)
            tell_end(p);
        else
            scratch.append(set, p);
    }
    std::swap(set, scratch);
}

}  // namespace detail

}  // namespace sinew::inline v0
