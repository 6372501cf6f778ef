#pragma once
// The part of a world with shapes whose scalar has lanes: how bodies meet half spaces, in every lane somewhere else.
//
// The same steps as colliding_world.hpp and contact_phase.hpp have, lane by lane and with the same bits; but a contact is in the list as soon as any lane has
// it, and says in which (contact_presence). A lane without it is as if it were not there.
//
// What differs between lanes in kind and not in numbers is left out. Spheres, capsules and boxes meet half spaces on the ground, and not each other; a body has
// one shape; there are no sensors, nothing is continuous or sleeps, nobody is told who begins to touch whom. What a program asks for beyond that does not compile
// or is refused where it is added.

#include <sinew/collision/half_space_lanes.hpp>
#include <sinew/constraint/contact_lanes.hpp>
#include <sinew/world/colliding_world.hpp>
#include <sinew/world/contact_set_lanes.hpp>
#include <sinew/world/report.hpp>
#include <sinew/world/shape_store.hpp>
#include <sinew/world/validate.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace sinew::inline v0 {

namespace detail {

/// The broad phase where all are tried with all half spaces.
struct no_boxes {
    template <class S, class Storage, std::size_t N>
    struct index {
        static constexpr void erase(std::uint32_t) noexcept {}
        [[nodiscard]] friend constexpr bool operator==(index const&, index const&) = default;
    };
};

/// How contacts are looked for in lanes.
template <class S>
struct lane_collision_settings {
    S margin = S(1) / S(50);  ///< as in collision_settings, m
    [[nodiscard]] constexpr input_fault fault() const noexcept { return nonnegative_parameter("collision.margin", margin); }
    [[nodiscard]] friend constexpr bool operator==(lane_collision_settings const&, lane_collision_settings const&) = default;
};

template <class World, class Env, class... Shapes>
    requires(sizeof...(Shapes) > 0 && has_lanes_v<typename Env::scalar>)
class colliding_world<World, Env, shape_list<Shapes...>> : public collider_access<World, Env, no_boxes, shape_list<Shapes...>> {
    using access = collider_access<World, Env, no_boxes, shape_list<Shapes...>>;

public:
    using S = typename Env::scalar;
    using error_type = typename access::error_type;
    using R = typename Env::rotation;
    using typename access::config;
    using typename access::contact_entry;
    using typename access::options_type;

    lane_collision_settings<S> collision{};
    using access::pair_filter;

    /// How hard half spaces press on a collider, N, in each lane, as the last step left it.
    template <class Shape>
    [[nodiscard]] constexpr S pressing(handle<Shape> const& h) const {
        S sum(0);
        if (!valid(access::collider(h))) return sum;
        for (auto const& p : active_.pairs)
            if (p.a == h.index || p.b == h.index)
                for (std::uint32_t k = p.first; k < p.first + p.count; ++k) sum = sum + active_.entries[k].lambda[0];
        return sum;
    }

    // Questions that have another answer in each lane are refused with a sentence.
    template <class... Asked>
    constexpr bool cast(Asked const&...) const {
        return is_asked<Asked...>();
    }
    template <class... Asked>
    constexpr bool shape_cast(Asked const&...) const {
        return is_asked<Asked...>();
    }
    template <class... Asked>
    constexpr bool overlaps(Asked const&...) const {
        return is_asked<Asked...>();
    }
    template <class... Asked>
    constexpr bool closest(Asked const&...) const {
        return is_asked<Asked...>();
    }
    template <class T = S>
    constexpr auto touch_begins() const {
        return no_touches<T>();
    }
    template <class T = S>
    constexpr auto touch_ends() const {
        return no_touches<T>();
    }
    template <class F>
    constexpr auto for_each_touch(F const&) const {
        return no_touches<F>();
    }

protected:
    template <class... Asked>
    [[nodiscard]] static constexpr bool is_asked() noexcept {
        static_assert(sizeof...(Asked) > 99, "sinew: a world whose scalar has lanes knows neither casts nor overlaps nor closest points: what is hit differs from lane to lane.");
        return false;
    }
    template <class T>
    [[nodiscard]] static constexpr auto no_touches() noexcept {
        static_assert(sizeof(T) == 0, "sinew: a world whose scalar has lanes has no touch events: what touches in one lane does not in another. `pressing` says how hard, in each.");
        return std::array<touch_event<value_type_t<S>>, 0>{};
    }
    using typename access::record;
    using typename access::set_type;
    using pair_type = typename set_type::pair;
    using mask = mask_t<S>;
    static constexpr bool has_planes = lists_shape_v<half_space<S>, shape_list<Shapes...>>;

    using access::active_;
    using access::before_h_;
    using access::beyond;
    using access::body_frame;
    using access::handle_of;
    using access::handle_of_body;
    using access::last_h_;
    using access::margin_of;
    using access::note_all_motion;
    using access::previous_;
    using access::self;
    using access::set_contents_;
    using access::store_;
    using access::valid;
    using access::way_of;

    template <class Shape>
    constexpr handle<Shape> add_collider(Shape const& shape, handle<rigid> const& body, options_type const& o) {
        World& w = self();
        auto const refused = [&](char const* name, char const* requirement) { return w.template refuse<handle<Shape>>({errc::invalid_parameter, name, requirement, 0, false}); };
        if (error_type e = access::check_new(shape, body, o)) return w.template refuse<handle<Shape>>(e);
        record r = access::record_of(body, o);
        r.extent = r.radius = infinity_v<S>;
        if constexpr (std::same_as<Shape, half_space<S>>) {
            if (body.index != 0) return refused("shape", "is a half space, which stands on the ground where the scalar has lanes");
            if (faces_as_another(r.local.direction(shape.normal)))
                return refused("shape", "is a half space that faces the same way as another in some lane: contacts with both could not be told apart");
        } else {
            if (!w.masses_[body.index].movable) return refused("shape", "stands still: where the scalar has lanes only half spaces stand, and all that moves meets them alone");
            if (store_.first_of(body.index) != record::none) return refused("shape", "is the second of its body: where the scalar has lanes a body has one");
            aabb<S> const b = bounds_of<S>(shape, r.local);
            vec3<S> const half = half_extents(b);
            r.extent = min(min(half[0], half[1]), half[2]);
            r.extent = select(r.extent > S(0), r.extent, infinity_v<S>);
            r.middle = center(b);
            r.radius = access::reach(b);
        }
        std::uint32_t const id = access::enter(shape, r, o);
        note_motion(body.index);
        return {id, store_.slots()[id].generation, w.tag_};
    }
    [[nodiscard]] constexpr bool faces_as_another(vec3<S> const& n) const {
        bool found = false;
        each_plane([&](std::uint32_t, half_space<S> const& plane, frame<S> const& at) {
            vec3<S> const m = at.direction(plane.normal);
            found = found || any(m[0] == n[0] && m[1] == n[1] && m[2] == n[2]);
        });
        return found;
    }
    // f(id, half space, frame) of each.
    template <class F>
    constexpr void each_plane([[maybe_unused]] F&& f) const {
        if constexpr (has_planes)
            store_.for_each_of(0, [&](std::uint32_t id) { f(id, store_.template get<half_space<S>>(id), store_.frame_at(id)); });
    }
    constexpr void drop(std::uint32_t id) {
        previous_.clear();
        for (pair_type const& p : active_.pairs) {
            if (p.a == id || p.b == id) continue;
            pair_type mine = p;
            mine.first = static_cast<std::uint32_t>(previous_.entries.size());
            for (std::uint32_t k = p.first; k < p.first + p.count; ++k) {
                previous_.entries.push_back(active_.entries[k]);
                previous_.features.push_back(active_.features[k]);
            }
            previous_.pairs.push_back(mine);
        }
        std::swap(active_, previous_);
        self().note(World::change::collider_removed, id, store_[id].type);
        store_.remove(id);
    }
    constexpr void note_motion(std::uint32_t body) {
        store_.move_with(body, self().states_[body].pose, [](std::uint32_t) {});
    }
    static constexpr void wake_with(std::uint32_t) noexcept {}
    static constexpr void wake_at(std::uint32_t) noexcept {}
    static constexpr void wake_met(std::uint32_t) noexcept {}
    static constexpr void wake_met_by(std::uint32_t) noexcept {}
    [[nodiscard]] constexpr auto contact_entries() noexcept { return std::make_tuple(std::span(active_.entries.data(), active_.entries.size())); }

    [[nodiscard]] static constexpr error_type check_material(sinew::material<S> const& m) noexcept {
        if (error_type e = as_error<error_type>(m.fault())) return e;
        if (any(m.rolling_friction > S(0)) || any(m.spinning_friction > S(0)))
            return {errc::invalid_parameter, "material.rolling_friction", "must be 0 where the scalar has lanes", 0, false};
        return {};
    }
    [[nodiscard]] static constexpr bool equal_colliders(colliding_world const& a, colliding_world const& b) {
        return a.store_ == b.store_ && a.active_ == b.active_ && a.collision == b.collision && static_cast<bool>(a.last_h_ == b.last_h_);
    }

    // ---- the step

    constexpr void find_contacts(S const& h, step_report<S>& report) {
        before_h_ = last_h_;
        last_h_ = h;
        std::swap(active_, previous_);
        active_.clear();
        if (store_.size() > 0) self().expect_forces();
        std::size_t last = 0;
        report.dropped_contacts = 0;
        auto const stands = [&](std::uint32_t id) { return store_.slots()[id].alive && store_[id].body == 0; };
        auto const all = static_cast<std::uint32_t>(store_.size());
        std::uint32_t end_of_ground = all;  // behind the last collider that stands: what moves meets none that comes later
        while (end_of_ground > 0 && !stands(end_of_ground - 1)) --end_of_ground;
        for (std::uint32_t a = 0; a < all; ++a)
            for (std::uint32_t b = a + 1, end = stands(a) ? all : end_of_ground; b < end; ++b) {
                if (!store_.slots()[a].alive || !store_.slots()[b].alive || (store_[a].body == 0) == (store_[b].body == 0)) continue;
                while (last < previous_.pairs.size() && (previous_.pairs[last].a < a || (previous_.pairs[last].a == a && previous_.pairs[last].b < b))) ++last;
                bool const known = last < previous_.pairs.size() && previous_.pairs[last].a == a && previous_.pairs[last].b == b;
                try_pair(a, b, h, known ? &previous_.pairs[last] : nullptr, report.dropped_contacts);
            }
        report.contacts = active_.entries.size();
        set_contents_ = 0x9e3779b9u;
        for (pair_type const& p : active_.pairs)
            for (std::uint32_t const word : {store_[p.a].body, store_[p.b].body, p.count << 16}) set_contents_ = (set_contents_ ^ word) * 0x9e3779b1u + 0x7f4a7c15u;
    }
    constexpr void undo_contacts() {
        std::swap(active_, previous_);
        last_h_ = before_h_;
        note_all_motion();
    }
    // Contacts that were saved come back in some lanes. Nothing is changed if there is no room for these and the others'.
    constexpr error_type put_contacts_in(mask const& lanes, auto const& saved) {
        if (!merge_lanes(lanes, saved.awake, active_, previous_)) return World::full("contacts", Env::limits.contacts);
        if (!has_row_room_for(previous_.entries.size())) return World::full("rows of constraints", Env::limits.rows);
        std::swap(active_, previous_);
        last_h_ = select(lanes, saved.last_step, last_h_);
        return {};
    }
    // take_back_crossings of crossings.hpp: what has gone as far as it is wide, and into a half space, is put back before it.
    constexpr void stop_at_what_stands(S const&) {
        World& w = self();
        for (std::uint32_t id = 0; id < store_.size(); ++id) {
            record const& mine = store_[id];
            if (!store_.slots()[id].alive || mine.body == 0 || !w.may_move(mine.body)) continue;
            auto& now = w.states_[mine.body].pose;
            auto const& before = w.backup_.bodies[mine.body].pose;
            mask goes_on = squared_norm(now.position - before.position) > mine.extent * mine.extent;
            if (!any(goes_on)) continue;
            vec3<S> const from = before.point(mine.middle);
            for (int again = 0; again < 3; ++again) {
                vec3<S> const to = now.point(mine.middle);
                vec3<S> const shift = before_crossing(id, from, to, goes_on);
                goes_on = goes_on && !is_zero(shift);
                if (!any(goes_on)) break;
                now.position = select(goes_on, now.position + (again < 2 ? shift : from - to), now.position);
            }
        }
    }
    constexpr vec3<S> before_crossing(std::uint32_t id, vec3<S> const& from, vec3<S> const& to, mask const& on) {
        S least(1), first(0);  // as there, in every lane
        vec3<S> shift{};
        each_plane([&](std::uint32_t other, half_space<S> const& plane, frame<S> const& at) {
            if (!may_meet(id, other)) return;
            S const number(static_cast<value_type_t<S>>(other));
            ray<S> const way = ray_between(from, at.point(at.local_point(to))), local = local_ray(at, way);
            S const above = plane.height(local.origin), falls = -dot(plane.normal, local.direction);
            mask const enters = on && way.length > S(0) && above > S(0) && falls > S(0) && above <= falls * way.length;
            S const distance = above / select(enters, falls, S(1)), share = distance / select(enters, way.length, S(1));
            mask const comes_first = enters && distance > S(0) && (least > share || (least == share && first > number));
            if (!any(comes_first)) return;
            least = select(comes_first, share, least);
            first = select(comes_first, number, first);
            vec3<S> const point = at.point(local.at(distance)), normal = at.direction(plane.normal);
            shift = select(comes_first, at.point(at.local_point(point)) + at.direction(at.local_direction(normal)) * store_[id].extent - to, shift);
        });
        return shift;
    }
    constexpr void settle_contacts(S const&) {
        for (std::uint32_t i = 1; i < self().states_.size(); ++i)
            if (self().masses_[i].movable) note_motion(i);
    }

    // How far turning can carry a point of a shape in a step (m).
    [[nodiscard]] constexpr S arc_of(std::uint32_t id, S const& h) const {
        vec3<S> const& w = self().states_[store_[id].body].twist.angular;
        return select(is_zero(w), S(0), min(norm(w) * h, S(2)) * store_[id].radius);
    }

    // By their filters, and the user's.
    [[nodiscard]] constexpr bool may_meet(std::uint32_t i, std::uint32_t j) {
        auto const [a, b] = std::minmax(i, j);
        record const &ra = store_[a], &rb = store_[b];
        return may_collide(ra.filter, rb.filter) && pair_filter(collider_pair{handle_of(a), handle_of(b), handle_of_body(ra.body), handle_of_body(rb.body), ra.filter, rb.filter});
    }
    constexpr void try_pair(std::uint32_t a, std::uint32_t b, S const& h, pair_type const* last, std::size_t& dropped) {
        record const &ra = store_[a], &rb = store_[b];
        if (!self().may_move(ra.body == 0 ? rb.body : ra.body) || !may_meet(a, b)) return;
        if constexpr (has_planes) {
            bool const first_stands = ra.body == 0;
            auto const& plane = store_.template get<half_space<S>>(first_stands ? a : b);
            store_.with_shape(first_stands ? b : a, [&](auto const& shape) {
                if constexpr (!std::same_as<std::remove_cvref_t<decltype(shape)>, half_space<S>>) meet(a, b, plane, shape, h, last, dropped);
            });
        }
    }
    // try_pair of contact_phase.hpp, for a half space and another shape.
    template <class Shape>
    [[gnu::flatten]] constexpr void meet(std::uint32_t a, std::uint32_t b, half_space<S> const& plane, Shape const& shape, S const& h, pair_type const* last, std::size_t& dropped) {
        bool const first_stands = store_[a].body == 0;
        std::uint32_t const stands = first_stands ? a : b, moves = first_stands ? b : a;
        frame<S> const &at_plane = store_.frame_at(stands), &at_shape = store_.frame_at(moves);
        auto const& t = self().states_[store_[moves].body].twist;
        S const arc = arc_of(moves, h), fall = way_of(self().expected_push(store_[moves].body, h), h, store_[moves].radius);
        aabb<S> const around = grown(swept(bounds_in_lanes(shape, at_shape), t.linear * h), margin_of(moves) + arc + beyond(margin_of(moves), fall));
        mask const near_enough = meet_in_lanes(grown(bounds_in_lanes(plane, at_plane), margin_of(stands)), around);
        if (!any(near_enough)) return;

        sinew::material<S> ma = store_.surface(a), mb = store_.surface(b);
        auto const turn = [&](sinew::material<S>& m, std::uint32_t id) {
            auto const still = is_zero(m.surface_velocity);
            if (!all(still)) m.surface_velocity = select(still, m.surface_velocity, store_.frame_at(id).direction(m.surface_velocity));
        };
        turn(ma, a);
        turn(mb, b);
        sinew::material<S> const surface = combined<typename config::combination>(ma, mb);
        S const near = min(margin_of(a), margin_of(b)), reach = norm(t.linear) * h + arc + beyond(near, fall), margin = near + reach;

        mask stays = false;
        if (last != nullptr) stays = near_enough && may_stay(*last, margin, near, surface);
        mask const looks = near_enough && !stays;
        pair_type p;
        p.a = a;
        p.b = b;
        p.first = static_cast<std::uint32_t>(active_.entries.size());
        constexpr bool is_round = !std::same_as<Shape, box<S>>;
        lane_manifold_points<S> const found = any(looks) ? half_space_points(plane, at_plane, shape, at_shape, margin, looks) : lane_manifold_points<S>{};
        std::uint32_t const most = std::max(any(stays) ? last->count : 0u, any(looks) ? static_cast<std::uint32_t>(found.most) : 0u);
        p.live = last != nullptr ? select(stays, last->live, found.count) : found.count;
        if (!any(p.live > S(0))) return;
        if (!active_.has_room(most) || !has_row_room_for(active_.entries.size() + most)) {
            dropped += most;
            return;
        }
        frame<S> const at_a = body_frame(a), at_b = body_frame(b);
        vec3<S> const normal = first_stands ? found.normal : -found.normal;
        p.margin = is_round ? S(-1) : margin;
        if constexpr (!is_round) {
            if (any(looks)) {
                p.of_b = relative(store_.frame_at(a), store_.frame_at(b));
                p.normal = store_.frame_at(a).local_direction(normal);
            }
            if (any(stays)) p.is_of(*last, stays);
        }
        using contact_type = typename set_type::contact_type;
        S const round = sinew::margin_of<S>(shape), round_a = first_stands ? S(0) : round, round_b = first_stands ? round : S(0);
        vec3<S> kept_normal{};
        if (any(stays)) kept_normal = store_.frame_at(a).direction(last->normal);
        auto const stays_at = [&](std::uint32_t k) { return last != nullptr && k < last->count ? stays && last_entry(*last, k).constraint.presence.here : mask(false); };
        auto const keep = [&](std::uint32_t k, mask const& in_stay) {
            auto const& old = last_entry(*last, k);
            auto& e = copy_of(old);
            active_.features.push_back(previous_.features[last->first + k]);
            e.constraint.set(surface);
            e.lambda = detail::go_on(e.constraint, mask(false), in_stay, old.constraint, old.lambda, kept_normal, at_a, at_b, before_h_, true);
            e.constraint.presence.here = in_stay;
            if (e.constraint.presence.written == 0) e.constraint.presence.written = ++writings_;
        };
        p.count = most;
        if (!any(looks)) {
            for (std::uint32_t k = 0; k < most; ++k) keep(k, stays_at(k));
            active_.pairs.push_back(p);
            return;
        }
        like_.bodies = {store_[a].body, store_[b].body};
        like_.constraint = contact_type::between(normal, surface);
        for (std::uint32_t k = 0; k < most; ++k) {
            mask const in_stay = stays_at(k), in_look = looks && S(static_cast<int>(k)) < found.count;
            if (!any(in_look)) {
                keep(k, in_stay);
                continue;
            }
            active_.entries.push_back(like_);
            active_.features.push_back(found.feature[k]);
            auto& e = active_.entries.back();
            auto& c = e.constraint;
            c.place(at_a, at_b, first_stands ? found.on_plane[k] : found.on_shape[k], first_stands ? found.on_shape[k] : found.on_plane[k], round_a, round_b);
            c.presence.here = in_stay || in_look;
            c.presence.place = k;
            c.presence.written = ++writings_;
            if (last == nullptr) continue;
            mask known = false;
            auto const& old = find_again(k, found.feature[k], in_look, in_stay, *last, known);
            if (any(in_stay)) active_.features.back() = select(in_stay, previous_.features[last->first + k], found.feature[k]);
            if (!any(known || in_stay)) continue;
            e.lambda = detail::go_on(c, known, in_stay, old.constraint, old.lambda, kept_normal, at_a, at_b, before_h_, false);
            remember(e, old, known || in_stay);
        }
        active_.pairs.push_back(p);
    }
    // The next contact, a copy of `old` but for its surfaces and multipliers. Of what has come to rest it is here already, from the step before the last, and much is spared: a contact of
    // eight lanes is 1.6 KB.
    constexpr auto& copy_of(typename set_type::entry const& old) {
        auto& e = active_.entries.next();
        auto const &was = old.constraint.presence, &is = e.constraint.presence;
        if (was.written == 0 || is.written != was.written) {
            e = old;
        } else {
            e.constraint.pressing = old.constraint.pressing;
            e.constraint.steadiness = old.constraint.steadiness;
            e.memory = old.memory;
        }
        return e;
    }
    [[nodiscard]] constexpr auto const& last_entry(pair_type const& last, std::uint32_t k) const noexcept { return previous_.entries[last.first + k]; }
    [[nodiscard]] constexpr bool has_row_room_for(std::size_t contacts) const noexcept {
        if constexpr (Env::limits.rows > 0)
            return self().row_count() + 3 * contacts <= Env::limits.rows;
        else
            return true;
    }
    template <class E>
    static constexpr void remember([[maybe_unused]] E& e, [[maybe_unused]] E const& from, [[maybe_unused]] mask const& on) noexcept {
        if constexpr (E::memory_size > 0)
            for (std::size_t i = 0; i < E::memory_size; ++i) e.memory[i] = select(on, from.memory[i], e.memory[i]);
    }
    // Point k of the last step, or in the lanes `on` the point with this feature, and where there was one. Where all lanes have it in one place it stays there.
    [[nodiscard]] constexpr typename set_type::entry const& find_again(std::uint32_t k, S const& feature, mask const& on, mask const& stays, pair_type const& last, mask& known) {
        typename set_type::entry const* old = k < last.count ? &last_entry(last, k) : &mixed_;
        mask left = on, placed = stays;
        auto const look_at = [&](std::uint32_t j) {
            auto const& one = last_entry(last, j);
            mask const same = left && one.constraint.presence.here && feature == previous_.features[last.first + j];
            if (!any(same)) return;
            if (!any(placed)) {
                old = &one;
            } else if (&one != old) {
                mixed_.constraint = select_contact(same, one.constraint, old->constraint);
                mixed_.lambda = select(same, one.lambda, old->lambda);
                if (old != &mixed_) mixed_.memory = old->memory;
                remember(mixed_, one, same);
                old = &mixed_;
            }
            placed = placed || same;
            known = known || same;
            left = left && !same;
        };
        if (k < last.count) look_at(k);
        for (std::uint32_t j = 0; j < last.count && any(left); ++j)
            if (j != k) look_at(j);
        return *old;
    }
    // `stay` of contact_phase.hpp: in which lanes the contacts of a pair may go on as they are.
    [[nodiscard]] constexpr mask may_stay(pair_type const& last, S const& margin, S const& near, sinew::material<S> const& surface) const {
        mask r = last.live > S(0) && last.margin + near / S(4) >= margin && is_zero(surface.surface_velocity);
        if (!any(r)) return r;
        frame<S> const now = relative(store_.frame_at(last.a), store_.frame_at(last.b));
        S const radius = min(store_[last.a].radius, store_[last.b].radius), most = near / S(20);
        S const shift = squared_norm(now.position - last.of_b.position);
        S turn(0);
        for (std::size_t i = 0; i < 9; ++i) {
            S const d = now.rotation.m.e[i] - last.of_b.rotation.m.e[i];
            turn = turn + d * d;
        }
        r = r && shift * S(4) <= most * most && turn * (radius * radius) * S(2) <= most * most;
        for (std::uint32_t k = 0; k < last.count && any(r); ++k) {
            auto const& old = last_entry(last, k);
            r = r && !(old.constraint.presence.here && !(is_zero(old.constraint.surface_velocity) && !(old.constraint.slides && old.lambda[0] > S(0))));
        }
        return r;
    }

    std::uint64_t writings_ = 0;  // of contacts, see contact_presence
    typename set_type::entry like_{}, mixed_{};  // within a pair: what its points begin with; a last contact of which lanes come from several
};

}  // namespace detail

}  // namespace sinew::inline v0
