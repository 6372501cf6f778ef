#pragma once
// How a world finds its contacts, once at the beginning of a step, and what it makes of them at the end.
//
//   boxes       of the broad phase: where a collider is now, and where it will be if nothing stops it
//   pairs       whose boxes overlap, ascending; the filters leave some
//   manifolds   at the poses of now, as far apart as the two can come together in the step, by their twists and what forces add to them, but not farther than
//               the smaller is wide: what is farther away is met in the next step. Fast `continuous` colliders: at the poses of their first touch on the way (time_of_impact.hpp), so that the
//               contact stands where it will be
//   contacts    each with the multipliers and the friction of the one that it was in the last step, by its features
//   edges       that the next box of a floor hides are none: what was met there goes (hidden_edges.hpp)
//   waking      what moves and touches a sleeping island wakes it, and all is done once more
//   stopping    a fast `continuous` collider that something threw another way than it was to go may have had no contact with what it met there: if
//               it has passed through what stands, its body is put back to where it first touched it
//
// The solver sees the contacts as constraints behind the user's, at each substep's poses. Nothing here depends on the way the world came
// about, only on its state: a restored world steps to the same bits.

#include <sinew/collision/bounding_volume_tree.hpp>
#include <sinew/world/contact_taking.hpp>
#include <sinew/world/crossings.hpp>
#include <sinew/world/hidden_edges.hpp>

#include <algorithm>

namespace sinew::inline v0 {

namespace detail {

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
                                                                          set_type const& last_set, continued_type& continued) {
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
    if constexpr (edges_type::are_met)
        if (last != nullptr && last->count == 0) last = nullptr;  // all that it had was hidden
    if (is_full(active_.pairs)) {
        ++dropped;
        return;
    }
    auto const &ta = w.states_[i].twist, &tb = w.states_[j].twist;

    S const near = min(margin_of(a), margin_of(b)), extent = min(ra.extent, rb.extent);
    S const reach = norm(tb.linear - ta.linear) * h + arcs_[a] + arcs_[b] + (falls_[a] + falls_[b] > near ? fall_of(a, b, h, near) : S(0));
    if (p.sensor) {
        each_manifold(a, b, store_.frame_at(a), store_.frame_at(b), S(0), [&](manifold<S> const& m) {
            if (!p.touches && !p.was_touching && !is_full(meetings_)) meetings_.push_back({static_cast<std::uint32_t>(active_.pairs.size()), m.points[0].on_a, m.normal, S(0)});
            p.touches = true;
        });
        if (p.touches || reach > extent) {  // what is so fast may go through: that is seen when the step is over
            active_.pairs.push_back(p);
            active_.origins.push_back({});
        }
        return;
    }

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
        take_manifold(p, m, parts, at_a, at_b, surface, last != nullptr ? last_set.origin_of(*last).step : S(0), dropped, last, last_set, found, continued);
        if (ahead && !parts.is_rest) take_core(p, m, {0, parts.first.a, parts.first.b}, at_a, at_b, dropped);
        if constexpr (Env::resists_rolling)
            if (!parts.is_rest) take_rolling(p, m, parts, surface, h, dropped, last, last_set);
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
    auto const take_whole = [&](manifold<S> const& m, manifold_parts const& parts, S const& margin) {
        // Of several parts that do not agree, where it is round and rolls, or where a surface moves by itself, the contacts are looked for in every step.
        auto const surface = surface_of(a, b);
        bool const is_whole = p.count == 0 || (parts.is_rest && origin.margin >= S(0));
        bool const may_stay = can_stay && is_whole && !parts.is_near_tipping && surface.surface_velocity == vec3<S>{} && !is_round(p, m, parts);
        origin.margin = may_stay ? margin : S(-1);
        if (may_stay) {
            origin.of_b = relative(store_.frame_at(a), store_.frame_at(b));
            origin.normal = store_.frame_at(a).local_direction(m.normal);
        }
        with_body_frames(a, b, [&](frame<S> const& at_a, frame<S> const& at_b) { take(m, surface, parts, at_a, at_b, false); });
    };
    if (!looked) {
        S const margin = near + (is_endless ? reach : min(reach, extent));
        stays = can_stay && last != nullptr && stay(p, margin, near, h, *last, last_set, first, met);
        if (!stays)
            each_merged_manifold(a, b, store_.frame_at(a), store_.frame_at(b), margin, [&](manifold<S> const& m, manifold_parts const& parts) {
                if constexpr (World::strategy_type::level == solver_level::position || requires { World::strategy_type::sees_where_bodies_come_to; }) {
                    with_side_radii(p, m, parts, [&](manifold<S> const& rolling, manifold_parts const& own) { take_whole(rolling, own, margin); });
                } else {
                    take_whole(m, parts, margin);
                }
            }, last, &last_set);
    }
    if (p.count == 0 && p.rolling_count == 0) return;
    p.touches = met;
    if (met && !p.was_touching && !is_full(meetings_)) meetings_.push_back(first);
    active_.pairs.push_back(p);
    if (stays) origin = last_set.origin_of(*last);
    origin.step = h;
    active_.origins.push_back(origin);
    if constexpr (edges_type::are_met) note_edges(p);
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

// A pair of the last step whose boxes no longer overlap, or neither of which moves. The latter goes on touching, or not, as it did; nothing pushes it. But one of them may
// have been put elsewhere, or have another filter.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::carry(near_pair const& p) {
    if (!is_carried_on(p) || !active_.has_room(p.at_rest())) return;
    active_.append(previous_, static_cast<std::size_t>(&p - previous_.pairs.data()), p.at_rest());
}
template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::is_carried_on(near_pair const& p) const {
    record const &a = store_[p.a], &b = store_[p.b];
    if (moves(a.body) || moves(b.body) || self().sleeps(a.body) || self().sleeps(b.body)) return false;
    if (!may_collide(a.filter, b.filter) || are_joined(a.body, b.body)) return false;
    if (!pair_filter(collider_pair{handle_of(p.a), handle_of(p.b), handle_of_body(a.body), handle_of_body(b.body), a.filter, b.filter})) return false;
    if (!sinew::overlaps(grown(store_.bounds(p.a), min(margin_of(p.a), margin_of(p.b))), store_.bounds(p.b))) return false;
    bool meets = !p.sensor;
    if (p.sensor) each_manifold(p.a, p.b, store_.frame_at(p.a), store_.frame_at(p.b), S(0), [&](manifold<S> const&) { meets = true; });
    return meets;
}

// All pairs once. Whether it must be done again, because something woke.
template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::detect(S const& h, std::size_t& dropped) {
    active_.clear();
    meetings_.clear();
    to_wake_.clear();
    edges_.clear();
    dropped = 0;
    arcs_.resize(store_.size());
    for (std::uint32_t id = 0; id < store_.size(); ++id) arcs_[id] = store_.slots()[id].alive ? arc_of(id, h) : S(0);
    continued_type continued{};
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
                try_pair(a, b, h, dropped, last, previous_, continued);
            else
                try_pair(a, b, h, dropped, before, slept_set, continued);
        });
    } else {
        store_.index().for_each_pair(
            [&](std::uint32_t a, std::uint32_t b) { try_pair(a, b, h, dropped, awake.seek(std::uint64_t{a} << 32 | b, carry_on), previous_, continued); });
    }
    (void)awake.seek(~std::uint64_t{0}, carry_on);
    continued.finish(active_);
    if constexpr (edges_type::are_met) hide_edges();
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

// The contacts of those that have fallen asleep are put aside, and those of the woken taken back. How many pairs there was no room for.
template <class World, class Env, class... Shapes>
constexpr std::size_t colliding_world<World, Env, shape_list<Shapes...>>::move_to_sleep() {
    std::size_t dropped = 0;
    if constexpr (Env::sleeps) {
        self().arrange();
        if (replaced_sleepers_) std::swap(asleep_, was_asleep_);
        made_layout_ = self().layout_;
        replaced_sleepers_ = made_layout_ != slept_layout_;
        if (!replaced_sleepers_) return dropped;
        std::swap(asleep_, was_asleep_);
        asleep_.clear();
        auto const rests = [&](near_pair const& p) {
            std::uint32_t const i = store_[p.a].body, j = store_[p.b].body;
            return !moves(i) && !moves(j) && (self().sleeps(i) || self().sleeps(j));
        };
        pair_cursor<set_type> slept(was_asleep_);
        auto const put_aside = [&](set_type const& from, near_pair const& p) {
            if (!rests(p)) return;
            if (asleep_.has_room(p))
                asleep_.append(from, p);
            else
                ++dropped;
        };
        auto const keep = [&](near_pair const& p) { put_aside(was_asleep_, p); };
        for (near_pair const& p : previous_.pairs) {
            (void)slept.seek(p.key(), keep);
            put_aside(previous_, p);
        }
        (void)slept.seek(~std::uint64_t{0}, keep);
    }
    return dropped;
}

template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::find_contacts(S const& h, step_report<S>& report) {
    before_h_ = last_h_;
    if (any(differs(h, last_h_)) || self().collision.margin != last_margin_) {  // which boxes are grown by
        last_h_ = h;
        last_margin_ = self().collision.margin;
        note_all_motion();
    }
    update_joined();
    std::swap(active_, previous_);
    replaced_sleepers_ = false;
    std::size_t forgotten = 0;  // of sleepers
    do {
        forgotten = move_to_sleep();
        expect_falls(h);
    } while (detect(h, report.dropped_contacts));
    report.dropped_contacts += forgotten;
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
    forget_events();
}

// In a step that was not taken nothing began and nothing ended. What was removed before it is still to be told.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::forget_events() {
    begun_.clear();
    drop_told();
}
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::drop_told() {
    std::size_t const removed = ended_.size() - told_;
    for (std::size_t k = 0; k < removed; ++k) ended_[k] = ended_[k + told_];
    while (ended_.size() > removed) ended_.pop_back();
    told_ = 0;
}

template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::tell_end(near_pair const& p) {
    if (p.touches && !is_full(ended_)) ended_.push_back(end_of(p));
}
template <class World, class Env, class... Shapes>
constexpr touch_event<typename Env::scalar> colliding_world<World, Env, shape_list<Shapes...>>::end_of(near_pair const& p) const {
    return {handle_of(p.a), handle_of(p.b), handle_of_body(store_[p.a].body), handle_of_body(store_[p.b].body), p.sensor, {}, {}, S(0)};
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
        if (known != active_.pairs.end() && known->a == a && known->b == b) return;  // it has contacts, or they are hidden
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
    take_back_crossings();
}

// The way of a collider in the step that has been taken.
template <class World, class Env, class... Shapes>
constexpr motion<typename Env::scalar> colliding_world<World, Env, shape_list<Shapes...>>::way_gone(std::uint32_t id, S const& h) const {
    World const& w = self();
    std::uint32_t const body = store_[id].body;
    if (!moves(body)) return at_rest(store_.frame_at(id));
    auto const &from = w.backup_.bodies[body].pose, &now = w.states_[body].pose;
    vec3<S> const turn = w.states_[body].twist.angular * h;
    // Of more than half a turn the poses do not tell which way round.
    bool const far = squared_norm(turn) > S(9);
    return {store_.frame_at(id), from.position, now.position - from.position, far ? turn : log(now.rotation * inverse(from.rotation))};
}
// Where two of which one is a sensor, which did not overlap where the step began, have come to each other on their ways: the nearest points of a and b.
template <class World, class Env, class... Shapes>
constexpr impact<typename Env::scalar> colliding_world<World, Env, shape_list<Shapes...>>::passing_of(near_pair const& p, S const& h) const {
    bool const ordered = store_[p.a].type <= store_[p.b].type;
    motion<S> const way_a = way_gone(p.a, h), way_b = way_gone(p.b, h);
    S const near = min(margin_of(p.a), margin_of(p.b)) / S(40);
    impact<S> hit;
    store_.with_shapes(ordered ? p.a : p.b, ordered ? p.b : p.a,
                       [&](auto const& x, auto const& y) { hit = time_of_impact(x, ordered ? way_a : way_b, y, ordered ? way_b : way_a, near, near); });
    if (!ordered) hit.nearest = flipped(hit.nearest);
    // Where they are that near at first, they come together or part.
    using status = typename impact<S>::status;
    bool const comes = hit.what == status::hit || (hit.what == status::at_start && dot(hit.nearest.normal, way_a.translation - way_b.translation) > S(0));
    if (!comes) hit.what = status::none;
    return hit;
}

// The step has been taken: who touches whom, and where the colliders are now.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::settle_contacts(S const& h) {
    drop_told();  // those that were removed since the last step come first
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
        if (p.sensor) {
            if (!p.touches) p.touches = static_cast<bool>(passing_of(p, h));
        } else {
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
        } else if (p.sensor) {
            sinew::closest<S> const c = passing_of(p, h).nearest;
            auto const &from_a = self().states_[store_[p.a].body], &from_b = self().states_[store_[p.b].body];
            e.point = c.on_a;
            e.normal = c.normal;
            e.speed = dot(c.normal, from_a.twist.linear - from_b.twist.linear);
        } else if (p.count > 0) {
            auto const& c = active_.entries[p.first].constraint;
            e.normal = c.normal;
            e.point = self().states_[store_[p.a].body].pose.point(c.anchor_a);
        }
        begun_.push_back(e);
    }
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
