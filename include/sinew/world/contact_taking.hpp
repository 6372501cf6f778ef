#pragma once
// Manifolds of two colliders become contacts: each with the multipliers and the friction of the one that it was in the last step, by its features, and of what their
// surfaces are together.

#include <sinew/core/call_view.hpp>
#include <sinew/world/contact_reach.hpp>

#include <algorithm>

namespace sinew::inline v0 {

namespace detail {

// f(manifold, part of a, part of b, whether it is near tipping) for two colliders at frames, with a normal from a to b; a's type stands before b's in the list, or is the
// same. push_known(line): along which they push each other, if that is known.
template <class World, class Env, class... Shapes>
template <class F, class Push>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::each_in_order(std::uint32_t a, std::uint32_t b, frame<S> const& fa, frame<S> const& fb, S const& margin,
                                                                               F const& f, Push const& push_known) const {
    store_.with_shapes(a, b, [&](auto const& x, auto const& y) {
        if constexpr (may_have_many_corners<S, std::remove_cvref_t<decltype(x)>, std::remove_cvref_t<decltype(y)>>) {
            push_line<S> pushed;
            bool const known = push_known(pushed);
            manifold<S> const m = known ? collide_pushed<S>(x, fa, y, fb, margin, pushed) : collide<S>(x, fa, y, fb, margin);
            if (!m.empty()) f(m, std::uint32_t{0}, std::uint32_t{0}, known && m.points.size() == manifold<S>::max_points && is_far_out(m, pushed));
        } else {
            for_each_manifold(x, fa, y, fb, margin, [&](manifold<S> const& m, std::uint32_t i, std::uint32_t j) { f(m, i, j, false); });
        }
    });
}
// The same, of one type for all who ask.
template <class World, class Env, class... Shapes>
template <class F, class Push>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::each_seen_in_order(std::uint32_t a, std::uint32_t b, frame<S> const& fa, frame<S> const& fb, S const& margin,
                                                                                    F const& f, Push const& push_known) const {
    seen_as<void(manifold<S> const&, std::uint32_t, std::uint32_t, bool)>(f, [&](auto const& out) {
        seen_as<bool(push_line<S>&)>(push_known, [&](auto const& known) { each_in_order(a, b, fa, fb, margin, out, known); });
    });
}

// f(manifold) for two colliders at frames, with a normal from a to b.
template <class World, class Env, class... Shapes>
template <class F>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::each_manifold(std::uint32_t a, std::uint32_t b, frame<S> const& fa, frame<S> const& fb, S const& margin,
                                                                               F const& f) const {
    bool const flips = store_[a].type > store_[b].type;
    each_seen_in_order(
        flips ? b : a, flips ? a : b, flips ? fb : fa, flips ? fa : fb, margin,
        [&](manifold<S> const& m, std::uint32_t, std::uint32_t, bool) { f(flips ? flipped(m) : m); }, [](push_line<S>&) { return false; });
}

// Along which line two push each other, in the world. As forces bring one upon what stands, if nothing else holds it: that is known as they are first seen, and does not jump. Else
// through where they have pushed in the last step. False if neither is known.
template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::push_between(std::uint32_t a, std::uint32_t b, near_pair const* last, set_type const& last_set,
                                                                              push_line<S>& line) const {
    bool const by_a = moves(store_[a].body);
    std::uint32_t const body = store_[by_a ? a : b].body;
    bool by_forces = by_a != moves(store_[b].body) && self().masses_[body].movable;
    if (by_forces) {
        auto const push = self().expected_push(body, last_h_);
        line = {self().states_[body].pose.position, push.linear};
        by_forces = push.angular == vec3<S>{};
    }
    if (last == nullptr || last->count == 0) return by_forces;
    if (last->count < manifold<S>::max_points) return false;
    frame<S> const at = body_frame(by_a ? a : b);
    S sum{0}, wide{0};
    vec3<S> moment{};
    for (std::uint32_t k = last->first; k < last->first + last->count; ++k) {
        auto const& e = last_set.entries[k];
        auto const anchor = [by_a](auto const& c) { return by_a ? c.anchor_a : c.anchor_b; };
        vec3<S> const arm = anchor(e.constraint) - anchor(last_set.entries[last->first].constraint);
        wide = max(wide, squared_norm(arm));
        if (!(e.lambda[0] > S(0))) continue;
        sum = sum + e.lambda[0];
        moment = moment + e.lambda[0] * anchor(e.constraint);
    }
    if (!(sum > S(0))) return by_forces;
    vec3<S> const pushed = at.point(moment / sum), normal = last_set.entries[last->first].constraint.normal;
    if (by_forces && squared_norm(line.through(pushed, normal) - pushed) * S(36) < wide) return true;
    line = {pushed, normal};
    return true;
}

// f(manifold, manifold_parts) of the same: those of a surface's triangles are one where they agree.
template <class World, class Env, class... Shapes>
template <class F>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::each_merged_manifold(std::uint32_t a, std::uint32_t b, frame<S> const& fa, frame<S> const& fb, S const& margin,
                                                                                      F const& f,
                                                                                      near_pair const* last, set_type const* last_set) const {
    bool const flips = store_[a].type > store_[b].type;
    std::uint32_t const first = flips ? b : a, second = flips ? a : b;
    auto const each = [&](auto const& out) {
        each_seen_in_order(first, second, flips ? fb : fa, flips ? fa : fb, margin, out,
                           [&](push_line<S>& line) { return last_set != nullptr && push_between(a, b, last, *last_set, line); });
    };
    auto const give = [&](manifold<S> const& m, manifold_parts const& parts) {
        if (!flips) return f(m, parts);
        part_pair room[4];
        f(flipped(m), parts.flipped(room, m.points.size()));
    };
    if constexpr ((is_surface<Shapes> || ...)) {
        constexpr bool is_surface_type[] = {is_surface<Shapes>...};
        bool const of_first = is_surface_type[store_[first].type], of_second = is_surface_type[store_[second].type];
        if (of_first || of_second) {
            manifold_merger<S> merger(of_first, of_second, min(store_[a].radius, store_[b].radius) / S(1000));
            each([&](manifold<S> const& m, std::uint32_t i, std::uint32_t j, bool) { merger.add(m, i, j, give); });
            merger.finish(give);
            return;
        }
    }
    each([&](manifold<S> const& m, std::uint32_t i, std::uint32_t j, bool is_near_tipping) {
        manifold_parts parts{{i, j}};
        parts.is_near_tipping = is_near_tipping;
        give(m, parts);
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
                                                                               near_pair const* last, set_type const& last_set, std::uint64_t& found, continued_type& continued) {
    std::uint32_t const i = store_[p.a].body, j = store_[p.b].body;
    auto const c = set_type::contact_type::between(m.normal, surface);
    bool const over_surface = last != nullptr && (parts.on_surface_a || parts.on_surface_b);
    std::uint32_t places[manifold<S>::max_points];
    if (over_surface) find_again(p, m, parts, at_a, at_b, h, *last, last_set, found, places);
    // On a surface of triangles a point comes and goes with every one that is left behind: where the others have slid, it does too.
    mask_t<S> goes_on_sliding = false;
    if (over_surface)
        for (std::uint32_t k = last->first; k < last->first + last->count; ++k) {
            auto const& old = last_set.entries[k];
            goes_on_sliding = goes_on_sliding || (old.constraint.slides && old.lambda[0] > S(0));
        }
    common_turn<S> turn;
    if (last != nullptr) turn = {common_spin(m.normal, self().states_[i].twist.angular, self().states_[j].twist.angular), h};
    for (std::size_t n = 0; n < m.points.size(); ++n) {
        auto const& point = m.points[n];
        if (is_full(active_.entries) || !has_row_room(3)) {
            ++dropped;
            continue;
        }
        // Written where it stays: what has just been written number by number is slow to copy.
        std::size_t const place = active_.entries.size();
        active_.entries.push_back({});
        auto& e = active_.entries[place];
        e.constraint.normal = c.normal;
        e.constraint.tangent = c.tangent;
        e.constraint.set(surface);
        e.constraint.place(at_a, at_b, point.on_a, point.on_b, m.round_a, m.round_b);
        e.constraint.slides = goes_on_sliding;
        e.bodies = {i, j};
        point_key const key{point.feature, parts.of(n).a, parts.of(n).b};
        active_.keys.push_back(key);
        ++p.count;
        if (last != nullptr)
            for (std::uint32_t k = last->first; k < last->first + last->count; ++k) {
                if (!(over_surface ? places[n] == k : last_set.keys[k] == key)) continue;
                auto const& old = last_set.entries[k];
                e.memory = old.memory;
                with_body_frames(p.a, p.b, [&](frame<S> const& a, frame<S> const& b) {
                    if (turn.is_none) {
                        continued.add(active_, place, old, a, b, h);
                    } else {
                        auto turned = old;
                        turned.constraint.turn_with_bodies(turn);
                        continued.add(active_, place, turned, a, b, h);
                    }
                });
                break;
            }
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
// What presses two bodies onto each other, N, which lie on each other as they are first seen, so that no step has told: the forces that bring them together, as if of no others. Of
// what has room left, or hits, the step will tell.
template <class World, class Env, class... Shapes>
constexpr typename Env::scalar colliding_world<World, Env, shape_list<Shapes...>>::first_push(manifold<S> const& m, std::uint32_t a, std::uint32_t b, S const& h) const {
    World const& w = self();
    S const yields = w.masses_[a].inverse_mass + w.masses_[b].inverse_mass;
    S const together = dot(m.normal, w.expected_push(a, h).linear - w.expected_push(b, h).linear);  // m/s, in this step
    if (!(yields > S(0)) || !(together > S(0))) return S(0);
    bool lies = false;
    for (auto const& point : m.points) lies = lies || point.distance <= together * h;
    return lies ? together / (h * yields) : S(0);
}
// And its resistance against rolling.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::take_rolling(near_pair& p, manifold<S> const& m, manifold_parts const& parts, sinew::material<S> const& surface,
                                                                              S const& h, std::size_t& dropped, near_pair const* last, set_type const& last_set) {
    // What is 0 may have derivatives: that row changes no value, but on positions, where it turns bodies by nothing, which rounds.
    auto const is_there = [](S const& x) {
        if constexpr (derivative_order_v<S> > 0 && World::strategy_type::level != solver_level::position)
            return any(differs(x, S(0)));
        else
            return any(x > S(0));
    };
    if (!is_there(surface.rolling_friction) && !is_there(surface.spinning_friction)) return;
    if (is_full(active_.rolling) || !has_row_room(3)) {
        ++dropped;
        return;
    }
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
    } else if (p.rolling_count == 0) {
        c.pressing = first_push(m, e.bodies[0], e.bodies[1], h);
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

// Whether any of its points is where a shape is round, and another will touch as it turns on.
template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::is_round(near_pair const& p, manifold<S> const& m, manifold_parts const& parts) const {
    if (m.round_a != S(0) || m.round_b != S(0)) return true;
    auto const round_at = [&](std::uint32_t id, std::uint32_t part, vec3<S> const& on, vec3<S> const& out) {
        bool r = false;
        store_.with_shape(id, [&](auto const& shape) { r = is_round_at<S>(shape, store_.frame_at(id), part, on, out); });
        return r;
    };
    for (std::size_t n = 0; n < m.points.size(); ++n)
        if (round_at(p.a, parts.of(n).a, m.points[n].on_a, m.normal) || round_at(p.b, parts.of(n).b, m.points[n].on_b, -m.normal)) return true;
    return false;
}

// Where strategies move bodies along the rows of a contact, a point of a cylinder's or a cone's side that turns on would lift it and drive it on: its axis keeps its distance instead.
// f(manifold, manifold_parts) with those radii added: along a cone they differ from point to point, and each is given by itself.
template <class World, class Env, class... Shapes>
template <class F>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::with_side_radii(near_pair const& p, manifold<S> const& m, manifold_parts const& parts, F&& f) const {
    auto const radius_of = [&](std::uint32_t id, std::uint32_t part, vec3<S> const& on, vec3<S> const& out) {
        S r{0};
        store_.with_shape(id, [&](auto const& shape) { r = side_radius<S>(shape, store_.frame_at(id), part, on, out); });
        return r;
    };
    S of_a[manifold<S>::max_points]{}, of_b[manifold<S>::max_points]{};
    bool same = true;
    for (std::size_t n = 0; n < m.points.size(); ++n) {
        of_a[n] = m.round_a + radius_of(p.a, parts.of(n).a, m.points[n].on_a, m.normal);
        of_b[n] = m.round_b + radius_of(p.b, parts.of(n).b, m.points[n].on_b, -m.normal);
        same = same && of_a[n] == of_a[0] && of_b[n] == of_b[0];
    }
    manifold<S> rolling = m;
    rolling.round_a = of_a[0];
    rolling.round_b = of_b[0];
    if (same) {
        f(rolling, parts);
        return;
    }
    for (std::size_t n = 0; n < m.points.size(); ++n) {
        manifold_parts own = parts;
        own.first = parts.of(n);
        own.each = nullptr;
        own.is_rest = parts.is_rest || n > 0;
        rolling.round_a = of_a[n];
        rolling.round_b = of_b[n];
        rolling.points.clear();
        rolling.points.push_back(m.points[n]);
        f(rolling, own);
    }
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

}  // namespace detail

}  // namespace sinew::inline v0
