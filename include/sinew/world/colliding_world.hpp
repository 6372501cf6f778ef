#pragma once
// The part of a world that has shapes: adding colliders, queries, events. What is the same where the scalar has lanes stands in collider_access.hpp, how contacts
// are found in contact_phase.hpp. Nothing, where the world lists no shapes.

#include <sinew/collision/cast.hpp>
#include <sinew/collision/inner_point.hpp>
#include <sinew/collision/manifold_merger.hpp>
#include <sinew/collision/time_of_impact.hpp>
#include <sinew/world/collider_access.hpp>
#include <sinew/world/contact_continuing.hpp>
#include <sinew/world/contact_events.hpp>
#include <sinew/world/contact_pairs.hpp>
#include <sinew/world/edge_candidates.hpp>
#include <sinew/world/report.hpp>
#include <sinew/world/shape_store.hpp>
#include <sinew/world/validate.hpp>

namespace sinew::inline v0 {

/// The first collider on a ray.
template <class S>
struct cast_hit {
    collider_handle collider{};
    handle<rigid> body{};
    ray_hit<S> at{};
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return at.hit; }
};
/// The first collider that a shape meets on its way.
template <class S>
struct shape_cast_hit {
    collider_handle collider{};
    handle<rigid> body{};
    shape_hit<S> at{};
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return at.hit; }
};
/// The collider that is nearest to a shape.
template <class S>
struct closest_hit {
    collider_handle collider{};
    handle<rigid> body{};
    sinew::closest<S> at{};  ///< a is the shape that was asked with
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return static_cast<bool>(collider); }
};

namespace detail {

template <class World, class Env, class Shapes>
class colliding_world;

template <class World, class Env>
class colliding_world<World, Env, shape_list<>> {
protected:
    static constexpr void drop_colliders_of(std::uint32_t) noexcept {}
    static constexpr void note_motion(std::uint32_t) noexcept {}
    static constexpr void wake_met_by(std::uint32_t) noexcept {}
    [[nodiscard]] static constexpr bool equal_colliders(colliding_world const&, colliding_world const&) noexcept { return true; }
};

template <class World, class Env, class... Shapes>
class colliding_world<World, Env, shape_list<Shapes...>> : public collider_access<World, Env, typename Env::config_type::broad_phase, shape_list<Shapes...>> {
    using access = collider_access<World, Env, typename Env::config_type::broad_phase, shape_list<Shapes...>>;

public:
    using S = typename Env::scalar;
    using error_type = typename access::error_type;
    using R = typename Env::rotation;
    using typename access::config;
    using typename access::contact_entry;
    using typename access::options_type;
    using touch_type = touch<S, contact_entry>;

    collision_settings<S> collision{};
    using access::pair_filter;
    [[no_unique_address]] typename config::contact_rule contact_rule{};

    [[nodiscard]] constexpr bool is_sensor(collider_handle const& h) const { return valid(h) && store_[h.index].sensor; }

    // ---- queries. `wants` limits them to the colliders whose filter lets them meet it; sensors are passed over. What cannot be asked with, as a ray
    // whose direction has no length or a shape without extent, the config's error policy is told of; if that goes on, nothing is found.

    /// The first collider on a ray.
    [[nodiscard]] constexpr cast_hit<S> cast(ray<S> const& r, collision_filter const& wants = {}) const {
        cast_hit<S> best;
        if (!may_ask(check_ray(r))) return best;
        ray<S> rest = r;
        std::uint32_t found = record::none;
        store_.index().cast(r, [&](std::uint32_t id) {
            if (is_wanted(id, wants)) {
                store_.with_shape(id, [&](auto const& shape) {
                    auto const hit = sinew::cast(rest, shape, store_.frame_at(id));
                    // Of two at the same place the lower number, whatever the order they are tried in.
                    if (!hit.hit || (best.at.hit && !(best.at.distance > hit.distance) && id > found)) return;
                    best.at = hit;
                    found = id;
                    rest.length = hit.distance;
                });
            }
            return rest.length;
        });
        if (best.at.hit) name(best, found);
        return best;
    }
    /// f(collider) for each that overlaps a shape at a frame of the world, in the order of their numbers where the index yields them so.
    template <class Shape, class F>
    constexpr void overlaps(Shape const& shape, frame<S> const& at, F&& f, collision_filter const& wants = {}) const {
        if (!may_ask(check_asked(shape, at))) return;
        store_.index().query(bounds_of<S>(shape, at), [&](std::uint32_t id) {
            if (!is_wanted(id, wants)) return;
            bool hit = false;
            store_.with_shape(id, [&](auto const& other) { hit = sinew::overlaps(shape, at, other, store_.frame_at(id)); });
            if (hit) f(handle_of(id));
        });
    }
    /// The first collider that a shape meets which is carried along a translation (m, world) without turning.
    template <class Shape>
    [[nodiscard]] constexpr shape_cast_hit<S> shape_cast(Shape const& shape, frame<S> const& at, vec3<S> const& translation, collision_filter const& wants = {}) const {
        shape_cast_hit<S> best;
        if (!may_ask(check_asked(shape, at)) || !may_ask(check_finite("translation", translation))) return best;
        std::uint32_t found = record::none;
        store_.index().query(swept(bounds_of<S>(shape, at), translation), [&](std::uint32_t id) {
            if (!is_wanted(id, wants)) return;
            store_.with_shape(id, [&](auto const& other) {
                auto const hit = sinew::shape_cast(shape, at, translation, other, store_.frame_at(id));
                if (!hit.hit || (best.at.hit && (best.at.fraction < hit.fraction || (best.at.fraction == hit.fraction && id > found)))) return;
                best.at = hit;
                found = id;
            });
        });
        if (best.at.hit) name(best, found);
        return best;
    }
    /// The collider nearest to a shape, within a limit (m). Distances of what overlaps are negative.
    template <class Shape>
    [[nodiscard]] constexpr closest_hit<S> closest(Shape const& shape, frame<S> const& at, S const& limit, collision_filter const& wants = {}) const {
        closest_hit<S> best;
        if (!may_ask(check_asked(shape, at))) return best;
        if (!may_ask(limit == limit ? error_type{} : error_type{errc::not_finite, "limit", "must be a number", detail::shown_number(limit), true})) return best;
        std::uint32_t found = record::none;
        store_.index().query(grown(bounds_of<S>(shape, at), limit), [&](std::uint32_t id) {
            if (!is_wanted(id, wants)) return;
            store_.with_shape(id, [&](auto const& other) {
                auto const c = closest_points(shape, at, other, store_.frame_at(id), limit);
                if (!(c.distance <= limit) || c.distance > best.at.distance || (best.at.distance == c.distance && id > found)) return;
                best.at = c;
                found = id;
            });
        });
        if (found != record::none) name(best, found);
        return best;
    }

    // ---- what touches

    /// Those that began to touch in the last step, and those that parted; in the order of the colliders' numbers, what was removed first.
    [[nodiscard]] constexpr std::span<touch_event<S> const> touch_begins() const noexcept { return {begun_.data(), begun_.size()}; }
    [[nodiscard]] constexpr std::span<touch_event<S> const> touch_ends() const noexcept { return {ended_.data(), told_}; }
    /// f(touch) for each two that touch, but those that sleep.
    template <class F>
    constexpr void for_each_touch(F&& f) const {
        for (auto const& p : active_.pairs)
            if (p.touches) f(shown(p));
    }
    /// Bodies of two joined by this constraint may collide, or may not, as is the rule. It wakes them.
    template <class C>
    constexpr bool let_joined_collide(handle<C> const& h, bool collide = true) {
        static_assert(!World::template is_force<C>(), "sinew: a force joins no bodies; only constraints do.");
        if (error_type e = self().check(h)) return self().template refuse<bool>(e);
        auto& pool = self().template pool_of<C>();
        self().wake_bound(pool.at_slot(h.index));
        pool.side(pool.slots()[h.index].at).collides = collide;
        joined_of_ = 0;
        return true;
    }

protected:
    using typename access::record;
    using typename access::set_type;
    using typename access::store_type;
    template <class T, std::size_t N>
    using array = typename Env::template array<T, N>;
    using continued_type = continued_contacts<set_type, Env::storage::is_static>;

    using access::active_;
    using access::before_h_;
    using access::beyond;
    using access::body_frame;
    using access::check_collider;
    using access::handle_of;
    using access::handle_of_body;
    using access::last_h_;
    using access::last_margin_;
    using access::margin_of;
    using access::note_all_motion;
    using access::previous_;
    using access::self;
    using access::set_contents_;
    using access::store_;
    using access::unbounded_shape;
    using access::valid;
    using access::way_of;

    // A surface that encloses nothing has no width: how level it lies says nothing of how near a body must come to be looked at.
    template <class Shape>
    [[nodiscard]] static constexpr bool is_sheet(Shape const& shape) noexcept {
        if constexpr (requires { shape.is_closed(); })
            return !shape.is_closed();
        else
            return requires { shape.sides(); };
    }
    template <class Shape>
    constexpr handle<Shape> add_collider(Shape const& shape, handle<rigid> const& body, options_type const& o) {
        World& w = self();
        if (error_type e = access::check_new(shape, body, o)) return w.template refuse<handle<Shape>>(e);
        record r = access::record_of(body, o);
        r.sensor = o.sensor;
        r.continuous = o.continuous;
        aabb<S> const b = bounds_of<S>(shape, r.local);
        bool const bounded = is_bounded(b);
        if (!bounded && w.masses_[body.index].mass > S(0))
            return w.template refuse<handle<Shape>>(unbounded_shape());
        vec3<S> const half = half_extents(b);
        r.middle = bounded ? center(b) : vec3<S>{};
        if constexpr ((is_surface<Shapes> || ...) || !holds_its_middle<Shape>) {
            if (bounded) {
                detail::inner_point<S> const inner = inner_point_of<S>(shape, r.local, r.middle);
                r.middle = inner.point;
                r.hollow = !inner.is_inside;
            }
        }
        r.extent = bounded && !is_sheet(shape) ? min(min(half[0], half[1]), half[2]) : infinity_v<S>;
        if (!(r.extent > S(0))) r.extent = infinity_v<S>;
        r.radius = bounded ? access::reach(b) : infinity_v<S>;
        w.wake_one(body.index);
        std::uint32_t const id = access::enter(shape, r, o);
        begin_to_meet(id);
        return {id, store_.slots()[id].generation, w.tag_};
    }
    // A collider with all that it touches.
    constexpr void drop(std::uint32_t id) {
        wake_at(id);
        forget_pairs(active_, previous_, id);
        if constexpr (Env::sleeps) forget_pairs(asleep_, was_asleep_, id);
        self().note(World::change::collider_removed, id, store_[id].type);
        store_.remove(id);
    }
    // A body is elsewhere, or its twist is another: its colliders follow.
    constexpr void note_motion(std::uint32_t body) {
        bool const now = moves(body);
        store_.move_with(body, self().states_[body].pose, [&](std::uint32_t id) {
            store_.index().set_moves(id, now);
            store_.index().move(id, box_of(id));
        });
    }
    [[nodiscard]] constexpr bool moves(std::uint32_t body) const noexcept {
        auto const& t = self().states_[body].twist;
        return self().masses_[body].movable || t.linear != vec3<S>{} || t.angular != vec3<S>{};
    }
    // It moves, or its twist is 0 and has derivatives.
    [[nodiscard]] constexpr bool may_go(std::uint32_t body) const noexcept {
        auto const& t = self().states_[body].twist;
        return self().masses_[body].movable || !is_same(t.linear, vec3<S>{}) || !is_same(t.angular, vec3<S>{});
    }
    // A body that sleeps, and all that touch it; or the body of a collider, and all that touch that.
    constexpr void wake_with(std::uint32_t body) {
        if constexpr (Env::sleeps) {
            self().wake_one(body);
            wake_touching([&](std::uint32_t id) { return store_[id].body == body; });
        }
    }
    constexpr void wake_at(std::uint32_t id) {
        if constexpr (Env::sleeps) {
            self().wake_one(store_[id].body);
            wake_touching([&](std::uint32_t other) { return other == id; });
        }
    }
    // A collider that is new.
    constexpr void begin_to_meet(std::uint32_t id) {
        std::uint32_t const body = store_[id].body;
        store_.move_with(body, self().states_[body].pose, [](std::uint32_t) {});
        store_.index().insert(id, box_of(id), moves(body));
        wake_met(id);
    }
    // What sleeps where a collider of a body that stands has been put, or may now be met.
    constexpr void wake_met(std::uint32_t id) {
        if constexpr (Env::sleeps) {
            record const& r = store_[id];
            if (moves(r.body)) return;
            aabb<S> const near = grown(store_.bounds(id), margin_of(id) / S(4));
            bool more = true;  // than there is room for, with a body for each of its colliders
            while (more) {
                more = false;
                to_wake_.clear();
                store_.index().query(near, [&](std::uint32_t other) {
                    std::uint32_t const its = store_[other].body;
                    if (!self().sleeps(its) || !may_collide(r.filter, store_[other].filter) || !sinew::overlaps(near, store_.bounds(other))) return;
                    more = more || is_full(to_wake_);
                    if (!is_full(to_wake_)) to_wake_.push_back(its);
                });
                for (std::uint32_t const i : to_wake_) self().wake_one(i);
            }
        }
    }
    constexpr void wake_met_by(std::uint32_t body) {
        if constexpr (Env::sleeps) store_.for_each_of(body, [&](std::uint32_t id) { wake_met(id); });
    }
    template <class F>
    constexpr void wake_touching(F&& f) {
        for (set_type const* set : {&asleep_, &active_})
            for (auto const& p : set->pairs) {
                if (f(p.a)) self().wake_one(store_[p.b].body);
                if (f(p.b)) self().wake_one(store_[p.a].body);
            }
    }
    // As solvers see them.
    [[nodiscard]] constexpr auto contact_entries() noexcept {
        auto const all = std::span(active_.entries.data(), active_.entries.size());
        if constexpr (Env::resists_rolling)
            return std::make_tuple(all, std::span(active_.rolling.data(), active_.rolling.size()));
        else
            return std::make_tuple(all);
    }
    // f(body, body) for each two bodies that contacts join.
    template <class F>
    constexpr void for_each_near_pair(F&& f) const {
        for (auto const& p : active_.pairs)
            if (p.count > 0) f(store_[p.a].body, store_[p.b].body);
    }

    template <class Hit>
    constexpr void name(Hit& hit, std::uint32_t id) const {
        hit.collider = handle_of(id);
        hit.body = handle_of_body(store_[id].body);
    }
    [[nodiscard]] constexpr bool is_wanted(std::uint32_t id, collision_filter const& wants) const noexcept {
        return !store_[id].sensor && may_collide(wants, store_[id].filter);
    }
    [[nodiscard]] constexpr touch_type shown(near_pair const& p) const {
        return {handle_of(p.a), handle_of(p.b), handle_of_body(store_[p.a].body), handle_of_body(store_[p.b].body), p.sensor,
                std::span<contact_entry const>(active_.entries.data() + p.first, p.count)};
    }
    [[nodiscard]] static constexpr bool may_ask(error_type const& e) {
        if (e) config::errors::fail(e);
        return !e;
    }
    [[nodiscard]] static constexpr error_type check_ray(ray<S> const& r) noexcept {
        if (error_type e = check_finite<error_type>("ray.origin", r.origin)) return e;
        if (error_type e = check_finite<error_type>("ray.direction", r.direction)) return e;
        if (!(r.length >= S(0))) return {errc::invalid_parameter, "ray.length", "must not be negative", detail::shown_number(r.length), true};
        // From a point to itself there is no direction.
        if (r.length == S(0) || unit_parameter("ray.direction", r.direction).name == nullptr) return {};
        return {errc::invalid_parameter, "ray.direction", "must have length 1, as ray_along makes it; its length", detail::shown_number(norm(r.direction)), true};
    }
    template <class Shape>
    [[nodiscard]] static constexpr error_type check_asked(Shape const& shape, frame<S> const& at) noexcept {
        if (error_type e = as_error<error_type>(fault_of<S>(shape))) return e;
        return check_pose<error_type>(at);
    }
    [[nodiscard]] static constexpr error_type check_material(sinew::material<S> const& m) noexcept {
        if (error_type e = as_error<error_type>(m.fault())) return e;
        if constexpr (!Env::resists_rolling)
            if (any(m.rolling_friction > S(0)) || any(m.spinning_friction > S(0)))
                return {errc::invalid_parameter, "material.rolling_friction", "needs a config that says `static constexpr bool resists_rolling = true;`", 0, false};
        return {};
    }
    constexpr void save_contacts(auto& s) const {
        access::save_contacts(s);
        if constexpr (Env::sleeps) {
            s.asleep = asleep_;
            s.layout = slept_layout_;
        }
    }
    constexpr void put_contacts(auto const& s) {
        access::put_contacts(s);
        if constexpr (Env::sleeps) {
            asleep_ = s.asleep;
            slept_layout_ = s.layout;
        }
        forget_events();
    }
    [[nodiscard]] static constexpr bool equal_colliders(colliding_world const& a, colliding_world const& b) {
        bool same = a.store_ == b.store_ && a.active_ == b.active_ && a.collision == b.collision && a.last_h_ == b.last_h_;
        if constexpr (Env::sleeps) same = same && a.asleep_ == b.asleep_;
        return same;
    }

    // Of hidden_edges.hpp.
    using edges_type = edge_candidates<Env, set_type::max_pairs, Shapes...>;
    struct edge_side;
    struct edge_plane;
    static constexpr std::size_t most_edge_planes = 16;
    [[nodiscard]] constexpr edge_side side_of(near_pair const& p, bool of_b) const;
    [[nodiscard]] constexpr bool has_several_parts(near_pair const& p, bool of_b) const;
    constexpr void note_edges(near_pair const& p);
    constexpr void hide_edges();
    template <class F>
    constexpr void find_planes(static_vector<edge_plane, most_edge_planes>& planes, std::uint32_t x, F&& each_side) const;
    template <class F>
    [[nodiscard]] constexpr bool hide_edges_of(edge_side const& of, static_vector<edge_plane, most_edge_planes> const& planes, F&& each_side);
    template <class F>
    [[nodiscard]] constexpr bool is_hidden(edge_side const& of, vec3<S> const& p, vec3<S> const& n, edge_plane const& plane, F&& f) const;
    [[nodiscard]] constexpr sinew::closest<S> nearest_to(std::uint32_t id, vec3<S> const& point, S const& limit) const;
    [[nodiscard]] constexpr bool leans_into(std::uint32_t id, vec3<S> const& point, vec3<S> const& n, S const& off, S const& size, S const& tolerance) const;
    constexpr void take_out_hidden();
    // Of contact_phase.hpp.
    constexpr void find_contacts(S const& h, step_report<S>& report);
    constexpr void undo_contacts();
    constexpr void settle_contacts(S const& h);
    [[nodiscard]] constexpr motion<S> way_gone(std::uint32_t id, S const& h) const;
    [[nodiscard]] constexpr impact<S> passing_of(near_pair const& p, S const& h) const;
    [[nodiscard]] constexpr S free_way(std::uint32_t id, motion<S> const& way) const;
    constexpr void stop_at_what_stands(S const& h);
    constexpr void take_back_crossings();  // of crossings.hpp
    constexpr void take_out_of(std::uint32_t id, std::uint32_t other);
    [[nodiscard]] constexpr vec3<S> before_crossing(std::uint32_t id, vec3<S> const& from, vec3<S> const& to, bool surfaces_alone, bool standing_alone);
    [[nodiscard]] constexpr bool stops(std::uint32_t id, std::uint32_t other, ray_hit<S> const& at);
    constexpr bool detect(S const& h, std::size_t& dropped);
    constexpr void carry(near_pair const& p);
    [[nodiscard]] constexpr bool is_carried_on(near_pair const& p) const;
    constexpr void forget_events();
    constexpr void drop_told();
    constexpr void try_pair(std::uint32_t a, std::uint32_t b, S const& h, std::size_t& dropped, near_pair const* last, set_type const& last_set,
                            continued_type& continued);
    struct meeting;
    [[nodiscard]] constexpr bool goes_on_touching(near_pair const& p) const noexcept;
    [[nodiscard]] constexpr sinew::material<S> surface_of(std::uint32_t a, std::uint32_t b) const;
    [[nodiscard]] constexpr bool is_round(near_pair const& p, manifold<S> const& m, manifold_parts const& parts) const;
    template <class F>
    constexpr void with_side_radii(near_pair const& p, manifold<S> const& m, manifold_parts const& parts, F&& f) const;
    [[nodiscard]] constexpr bool stay(near_pair& p, S const& margin, S const& near, S const& h, near_pair const& last, set_type const& last_set, meeting& first, bool& met);
    constexpr void take_manifold(near_pair& p, manifold<S> const& m, manifold_parts const& parts, frame<S> const& at_a, frame<S> const& at_b, sinew::material<S> const& surface,
                                 S const& h, std::size_t& dropped, near_pair const* last, set_type const& last_set, std::uint64_t& found, continued_type& continued);
    constexpr void find_again(near_pair const& p, manifold<S> const& m, manifold_parts const& parts, frame<S> const& at_a, frame<S> const& at_b, S const& h, near_pair const& last,
                              set_type const& last_set, std::uint64_t& found, std::uint32_t (&places)[manifold<S>::max_points]) const;
    constexpr void take_core(near_pair& p, manifold<S> const& m, point_key part, frame<S> const& at_a, frame<S> const& at_b, std::size_t& dropped);
    constexpr void take_rolling(near_pair& p, manifold<S> const& m, manifold_parts const& parts, sinew::material<S> const& surface, S const& h, std::size_t& dropped, near_pair const* last,
                                set_type const& last_set);
    [[nodiscard]] constexpr S first_push(manifold<S> const& m, std::uint32_t a, std::uint32_t b, S const& h) const;
    template <class F, class Push>
    constexpr void each_in_order(std::uint32_t a, std::uint32_t b, frame<S> const& fa, frame<S> const& fb, S const& margin, F const& f, Push const& push_known) const;
    template <class F, class Push>
    constexpr void each_seen_in_order(std::uint32_t a, std::uint32_t b, frame<S> const& fa, frame<S> const& fb, S const& margin, F const& f, Push const& push_known) const;
    template <class F>
    constexpr void each_manifold(std::uint32_t a, std::uint32_t b, frame<S> const& fa, frame<S> const& fb, S const& margin, F const& f) const;
    template <class F>
    constexpr void each_merged_manifold(std::uint32_t a, std::uint32_t b, frame<S> const& fa, frame<S> const& fb, S const& margin, F const& f, near_pair const* last = nullptr,
                                        set_type const* last_set = nullptr) const;
    [[nodiscard]] constexpr bool push_between(std::uint32_t a, std::uint32_t b, near_pair const* last, set_type const& last_set, push_line<S>& line) const;
    template <class F>
    constexpr bool each_impact_manifold(std::uint32_t a, std::uint32_t b, S const& h, S const& near, F&& f) const;
    // f(frame, frame) of two bodies: most are those of the shapes, and are not copied.
    template <class F>
    constexpr void with_body_frames(std::uint32_t a, std::uint32_t b, F&& f) const {
        if (store_[a].plain && store_[b].plain)
            f(store_.frame_at(a), store_.frame_at(b));
        else
            f(body_frame(a), body_frame(b));
    }
    [[nodiscard]] constexpr motion<S> motion_of(std::uint32_t id, S const& h, bool pushed) const;
    constexpr void expect_falls(S const& h);
    [[nodiscard]] constexpr S fall_of(std::uint32_t a, std::uint32_t b, S const& h, S const& near) const;
    [[nodiscard]] constexpr S arc_of(std::uint32_t id, S const& h) const;
    constexpr std::size_t move_to_sleep();
    constexpr void update_joined();
    [[nodiscard]] constexpr bool are_joined(std::uint32_t a, std::uint32_t b) const noexcept;
    [[nodiscard]] constexpr aabb<S> box_of(std::uint32_t id) const;
    [[nodiscard]] constexpr aabb<S> reach_awake(std::uint32_t id, S const& h) const;
    [[nodiscard]] constexpr aabb<S> reach_of(std::uint32_t id, S const& h, S const& fall) const;
    constexpr void forget_pairs(set_type& set, set_type& scratch, std::uint32_t id);
    constexpr void tell_end(near_pair const& p);
    [[nodiscard]] constexpr touch_event<S> end_of(near_pair const& p) const;
    [[nodiscard]] constexpr bool has_row_room(std::size_t rows) const noexcept;

    struct nothing {};
    using if_sleeps = std::conditional_t<Env::sleeps, set_type, nothing>;
    // Two colliders that did not touch before, and may do so in this step.
    struct meeting {
        std::uint32_t pair = 0;
        vec3<S> point{}, normal{};
        S speed{};
    };

    [[no_unique_address]] edges_type edges_{};
    [[no_unique_address]] if_sleeps asleep_{};
    [[no_unique_address]] std::conditional_t<Env::sleeps, set_type, std::array<nothing, 1>> was_asleep_{};
    array<S, Env::limits.colliders> arcs_{};   // of each collider, in the step under way
    array<S, Env::limits.colliders> falls_{};  // how far forces carry it beyond where its twist does in that step, m; boxes are made for them
    array<meeting, set_type::max_pairs> meetings_{};
    array<touch_event<S>, set_type::max_pairs> begun_{};
    array<touch_event<S>, (Env::sleeps ? 4 : 2) * set_type::max_pairs> ended_{};  // in the last step, and since, of those awake and asleep
    array<std::uint64_t, Env::joinable> joined_{};  // bodies that may not collide, ascending
    array<std::uint32_t, Env::limits.bodies + 1> to_wake_{};
    std::uint32_t joined_of_ = 0;      // contents for which joined_ was made
    std::uint32_t slept_layout_ = 0;   // who slept when asleep_ was made, for a step that was taken
    std::uint32_t made_layout_ = 0;    // and for the one under way
    std::size_t told_ = 0;             // of ended_, those of the last step; the others have been removed since
    bool replaced_sleepers_ = false;
};

}  // namespace detail

}  // namespace sinew::inline v0
