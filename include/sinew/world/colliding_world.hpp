#pragma once
// The part of a world that has shapes: adding and asking about colliders, queries, events. How contacts are found stands in
// contact_phase.hpp. Nothing, where the world lists no shapes.

#include <sinew/collision/cast.hpp>
#include <sinew/collision/time_of_impact.hpp>
#include <sinew/world/contact_events.hpp>
#include <sinew/world/contact_pairs.hpp>
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
    [[nodiscard]] static constexpr bool equal_colliders(colliding_world const&, colliding_world const&) noexcept { return true; }
};

template <class World, class Env, class... Shapes>
class colliding_world<World, Env, shape_list<Shapes...>> {
public:
    using S = typename Env::scalar;
    using R = typename Env::rotation;
    using config = typename Env::config_type;
    using contact_entry = typename contact_set<Env>::entry;
    using options_type = collider_options<S, R>;
    using touch_type = touch<S, contact_entry>;

    collision_settings<S> collision{};
    [[no_unique_address]] typename config::pair_filter pair_filter{};
    [[no_unique_address]] typename config::contact_rule contact_rule{};

    // ---- colliders

    /// A body of a shape's mass at a density (kg/m^3), and the shape on it; the shape at a pose of the world.
    template <class Shape>
        requires lists_shape_v<Shape, shape_list<Shapes...>>
    constexpr handle<rigid> add_solid(Shape const& shape, S const& density, pose<S, R> const& at = {}, options_type const& options = {}, twist<S> const& t = {}) {
        if (error e = as_error(fault_of<S>(shape))) return self().template refuse<handle<rigid>>(e);
        if (error e = check_positive("density", density)) return self().template refuse<handle<rigid>>(e);
        if (error e = check_options(options)) return self().template refuse<handle<rigid>>(e);
        if (store_.full()) return self().template refuse<handle<rigid>>(World::full("colliders", Env::limits.colliders));
        auto const made = solid(shape, density, at, t);
        if (!all(made.body.mass > S(0)))
            return self().template refuse<handle<rigid>>({errc::invalid_parameter, "shape", "must enclose a volume to be a solid body, as a mesh of mesh_kind::solid does; its mass", as_double(made.body.mass), true});
        handle<rigid> const body = self().add(made.body);
        if (!body) return body;
        options_type placed = options;
        placed.frame = made.frame;
        (void)self().add(shape, body, placed);
        return body;
    }
    [[nodiscard]] constexpr std::size_t collider_count() const noexcept { return store_.alive(); }
    /// The handle that events and queries have of it.
    template <class Shape>
    [[nodiscard]] static constexpr collider_handle collider(handle<Shape> const& h) noexcept {
        return {h.index, h.generation, h.world};
    }
    [[nodiscard]] constexpr handle<rigid> body_of(collider_handle const& h) const { return valid(h) ? handle_of_body(store_[h.index].body) : handle<rigid>{}; }
    /// Where its shape is.
    [[nodiscard]] constexpr frame<S> frame_of(collider_handle const& h) const { return valid(h) ? store_.frame_at(h.index) : frame<S>{}; }
    [[nodiscard]] constexpr sinew::material<S> material(collider_handle const& h) const { return valid(h) ? store_.surface(h.index) : sinew::material<S>{}; }
    [[nodiscard]] constexpr collision_filter filter(collider_handle const& h) const { return valid(h) ? store_[h.index].filter : collision_filter{}; }
    [[nodiscard]] constexpr bool is_sensor(collider_handle const& h) const { return valid(h) && store_[h.index].sensor; }
    constexpr bool set_material(collider_handle const& h, sinew::material<S> const& m) {
        if (error e = check_collider(h)) return self().template refuse<bool>(e);
        if (error e = check_material(m)) return self().template refuse<bool>(e);
        wake_at(h.index);
        store_.surface(h.index) = m;
        return true;
    }
    constexpr bool set_filter(collider_handle const& h, collision_filter const& f) {
        if (error e = check_collider(h)) return self().template refuse<bool>(e);
        wake_at(h.index);
        store_[h.index].filter = f;
        return true;
    }
    /// f(handle) for each collider of a body.
    template <class F>
    constexpr void for_each_collider_of(handle<rigid> const& body, F&& f) const {
        if (self().valid(body)) store_.for_each_of(body.index, [&](std::uint32_t id) { f(handle_of(id)); });
    }
    /// f(shape, handle) for each collider, the shape as what it is; in the order of their numbers.
    template <class F>
    constexpr void for_each_shape(F&& f) const {
        for (std::uint32_t id = 0; id < store_.size(); ++id)
            if (store_.slots()[id].alive) store_.with_shape(id, [&](auto const& shape) { f(shape, handle_of(id)); });
    }

    // The same by handles that know the type.
    template <class Shape>
        requires lists_shape_v<Shape, shape_list<Shapes...>>
    [[nodiscard]] constexpr handle<rigid> body_of(handle<Shape> const& h) const { return body_of(collider(h)); }
    template <class Shape>
        requires lists_shape_v<Shape, shape_list<Shapes...>>
    [[nodiscard]] constexpr frame<S> frame_of(handle<Shape> const& h) const { return frame_of(collider(h)); }
    template <class Shape>
        requires lists_shape_v<Shape, shape_list<Shapes...>>
    [[nodiscard]] constexpr sinew::material<S> material(handle<Shape> const& h) const { return material(collider(h)); }
    template <class Shape>
        requires lists_shape_v<Shape, shape_list<Shapes...>>
    constexpr bool set_material(handle<Shape> const& h, sinew::material<S> const& m) { return set_material(collider(h), m); }
    template <class Shape>
        requires lists_shape_v<Shape, shape_list<Shapes...>>
    [[nodiscard]] constexpr collision_filter filter(handle<Shape> const& h) const { return filter(collider(h)); }
    template <class Shape>
        requires lists_shape_v<Shape, shape_list<Shapes...>>
    constexpr bool set_filter(handle<Shape> const& h, collision_filter const& f) { return set_filter(collider(h), f); }

    // ---- queries. `wants` limits them to the colliders whose filter lets them meet it; sensors are passed over.

    /// The first collider on a ray.
    [[nodiscard]] constexpr cast_hit<S> cast(ray<S> const& r, collision_filter const& wants = {}) const {
        cast_hit<S> best;
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
    /// Contacts of the last step, those of sleeping bodies apart.
    [[nodiscard]] constexpr std::span<contact_entry const> contacts() const noexcept { return {active_.entries.data(), active_.entries.size()}; }
    /// Bodies of two joined by this constraint may collide, or may not, as is the rule.
    template <class C>
    constexpr bool let_joined_collide(handle<C> const& h, bool collide = true) {
        static_assert(!World::template is_force<C>(), "sinew: a force joins no bodies; only constraints do.");
        if (error e = self().check(h)) return self().template refuse<bool>(e);
        auto& pool = self().template pool_of<C>();
        pool.side(pool.slots()[h.index].at).collides = collide;
        joined_of_ = 0;
        return true;
    }

protected:
    using record = collider_record<S>;
    using set_type = contact_set<Env>;
    using store_type = shape_store<Env, typename config::broad_phase, shape_list<Shapes...>>;
    template <class T, std::size_t N>
    using array = typename Env::template array<T, N>;

    [[nodiscard]] constexpr World& self() noexcept { return static_cast<World&>(*this); }
    [[nodiscard]] constexpr World const& self() const noexcept { return static_cast<World const&>(*this); }

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
        if (error e = w.check(body)) return w.template refuse<handle<Shape>>(e);
        if (error e = as_error(fault_of<S>(shape))) return w.template refuse<handle<Shape>>(e);
        if (error e = check_options(o)) return w.template refuse<handle<Shape>>(e);
        if (store_.full()) return w.template refuse<handle<Shape>>(World::full("colliders", Env::limits.colliders));
        record r;
        r.body = body.index;
        r.local = sinew::frame_of(o.frame);
        r.plain = o.frame == pose<S, R>{};
        r.sensor = o.sensor;
        r.continuous = o.continuous;
        r.filter = o.filter;
        aabb<S> const b = bounds_of<S>(shape, r.local);
        bool const bounded = is_bounded(b);
        if (!bounded && w.masses_[body.index].mass > S(0))
            return w.template refuse<handle<Shape>>({errc::invalid_parameter, "shape", "is unbounded, so that it can only stand on the ground or on a fixed body", 0, false});
        vec3<S> const half = half_extents(b);
        r.middle = bounded ? center(b) : vec3<S>{};
        r.extent = bounded && !is_sheet(shape) ? min(min(half[0], half[1]), half[2]) : infinity_v<S>;
        if (!(r.extent > S(0))) r.extent = infinity_v<S>;
        r.radius = bounded ? norm(vec3<S>{max(abs(b.lower[0]), abs(b.upper[0])), max(abs(b.lower[1]), abs(b.upper[1])), max(abs(b.lower[2]), abs(b.upper[2]))}) : infinity_v<S>;
        w.wake_one(body.index);
        std::uint32_t const id = store_.add(shape, r, o.material);
        w.note(World::change::collider_added, id, store_type::template type_of<Shape>());
        w.note(World::change::collider_added, body.index);
        store_.move_with(body.index, w.states_[body.index].pose, [](std::uint32_t) {});
        store_.index().insert(id, box_of(id), moves(body.index));
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
    constexpr void drop_colliders_of(std::uint32_t body) {
        store_.for_each_of(body, [&](std::uint32_t id) { drop(id); });
    }
    // A body is elsewhere, or its twist is another: its colliders follow.
    constexpr void note_motion(std::uint32_t body) {
        bool const now = moves(body);
        store_.move_with(body, self().states_[body].pose, [&](std::uint32_t id) {
            store_.index().set_moves(id, now);
            store_.index().move(id, box_of(id));
        });
    }
    constexpr void note_all_motion() {
        for (std::uint32_t i = 0; i < self().states_.size(); ++i) note_motion(i);
    }
    [[nodiscard]] constexpr bool moves(std::uint32_t body) const noexcept {
        auto const& t = self().states_[body].twist;
        return self().masses_[body].movable || t.linear != vec3<S>{} || t.angular != vec3<S>{};
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

    // The number in a handle is in the slot: in a part of a world it is that of the whole.
    [[nodiscard]] constexpr collider_handle handle_of(std::uint32_t id) const noexcept { return {store_.slots()[id].at, store_.slots()[id].generation, self().tag_}; }
    [[nodiscard]] constexpr handle<rigid> handle_of_body(std::uint32_t i) const noexcept { return {self().body_slots_[i].at, self().body_slots_[i].generation, self().tag_}; }
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
    [[nodiscard]] constexpr error check_collider(collider_handle const& h) const noexcept { return self().check_slot(store_.slots(), h, "collider handle"); }
    [[nodiscard]] constexpr bool valid(collider_handle const& h) const {
        error const e = check_collider(h);
        if (e) config::errors::fail(e);
        return !e;
    }
    [[nodiscard]] static constexpr error check_material(sinew::material<S> const& m) noexcept {
        if (error e = as_error(m.fault())) return e;
        if constexpr (!Env::resists_rolling)
            if (any(m.rolling_friction > S(0)) || any(m.spinning_friction > S(0)))
                return {errc::invalid_parameter, "material.rolling_friction", "needs a config that says `static constexpr bool resists_rolling = true;`", 0, false};
        return {};
    }
    [[nodiscard]] static constexpr error check_options(options_type const& o) noexcept {
        if (error e = check_pose(o.frame)) return e;
        return check_material(o.material);
    }
    constexpr void save_contacts(auto& s) const {
        s.awake = active_;
        s.last_step = last_h_;
        if constexpr (Env::sleeps) {
            s.asleep = asleep_;
            s.layout = slept_layout_;
        }
    }
    constexpr void put_contacts(auto const& s) {
        active_ = s.awake;
        last_h_ = s.last_step;
        if constexpr (Env::sleeps) {
            asleep_ = s.asleep;
            slept_layout_ = s.layout;
        }
        begun_.clear();
        ended_.clear();
        told_ = 0;
        note_all_motion();
    }
    [[nodiscard]] static constexpr bool equal_colliders(colliding_world const& a, colliding_world const& b) {
        bool same = a.store_ == b.store_ && a.active_ == b.active_ && a.collision == b.collision && a.last_h_ == b.last_h_;
        if constexpr (Env::sleeps) same = same && a.asleep_ == b.asleep_;
        return same;
    }

    // Of contact_phase.hpp.
    constexpr void find_contacts(S const& h, step_report<S>& report);
    constexpr void undo_contacts();
    constexpr void settle_contacts(S const& h);
    [[nodiscard]] constexpr S free_way(std::uint32_t id, motion<S> const& way) const;
    constexpr void stop_at_what_stands(S const& h);
    constexpr bool detect(S const& h, std::size_t& dropped);
    constexpr void carry(near_pair const& p);
    constexpr void try_pair(std::uint32_t a, std::uint32_t b, S const& h, std::size_t& dropped, near_pair const* last, set_type const& last_set);
    struct meeting;
    [[nodiscard]] constexpr bool goes_on_touching(near_pair const& p) const noexcept;
    [[nodiscard]] constexpr sinew::material<S> surface_of(std::uint32_t a, std::uint32_t b) const;
    [[nodiscard]] constexpr bool stay(near_pair& p, S const& margin, S const& near, S const& h, near_pair const& last, set_type const& last_set, meeting& first, bool& met);
    constexpr void take_manifold(near_pair& p, manifold<S> const& m, point_key part, frame<S> const& at_a, frame<S> const& at_b, sinew::material<S> const& surface, S const& h,
                                 std::size_t& dropped, near_pair const* last, set_type const& last_set);
    constexpr void take_core(near_pair& p, manifold<S> const& m, point_key part, frame<S> const& at_a, frame<S> const& at_b, std::size_t& dropped);
    constexpr void take_rolling(near_pair& p, manifold<S> const& m, point_key part, sinew::material<S> const& surface, near_pair const* last, set_type const& last_set);
    template <class F>
    constexpr void each_manifold(std::uint32_t a, std::uint32_t b, frame<S> const& fa, frame<S> const& fb, S const& margin, F&& f) const;
    template <class F>
    constexpr bool each_impact_manifold(std::uint32_t a, std::uint32_t b, S const& h, S const& near, F&& f) const;
    // Of a collider's body: a matrix turns many vectors faster than other rotations.
    [[nodiscard]] constexpr frame<S> body_frame(std::uint32_t id) const {
        return store_[id].plain ? store_.frame_at(id) : sinew::frame_of(self().states_[store_[id].body].pose);
    }
    // f(frame, frame) of two: most are those of the shapes, and are not copied.
    template <class F>
    constexpr void with_body_frames(std::uint32_t a, std::uint32_t b, F&& f) const {
        if (store_[a].plain && store_[b].plain)
            f(store_.frame_at(a), store_.frame_at(b));
        else
            f(body_frame(a), body_frame(b));
    }
    [[nodiscard]] constexpr motion<S> motion_of(std::uint32_t id, S const& h) const;
    [[nodiscard]] constexpr S arc_of(std::uint32_t id, S const& h) const;
    constexpr void move_to_sleep();
    constexpr void update_joined();
    [[nodiscard]] constexpr bool are_joined(std::uint32_t a, std::uint32_t b) const noexcept;
    [[nodiscard]] constexpr aabb<S> box_of(std::uint32_t id) const;
    [[nodiscard]] constexpr S margin_of(std::uint32_t id) const noexcept { return min(collision.margin, store_[id].extent / S(4)); }
    constexpr void forget_pairs(set_type& set, set_type& scratch, std::uint32_t id);
    constexpr void tell_end(near_pair const& p);
    [[nodiscard]] constexpr bool has_row_room(std::size_t rows) const noexcept;

    struct nothing {};
    using if_sleeps = std::conditional_t<Env::sleeps, set_type, nothing>;
    // Two colliders that did not touch before, and may do so in this step.
    struct meeting {
        std::uint32_t pair = 0;
        vec3<S> point{}, normal{};
        S speed{};
    };

    store_type store_{};
    set_type active_{}, previous_{};
    [[no_unique_address]] if_sleeps asleep_{};
    [[no_unique_address]] std::conditional_t<Env::sleeps, set_type, std::array<nothing, 1>> was_asleep_{};
    array<S, Env::limits.colliders> arcs_{};  // of each collider, in the step under way
    array<meeting, set_type::max_pairs> meetings_{};
    array<touch_event<S>, set_type::max_pairs> begun_{}, ended_{};
    array<std::uint64_t, Env::joinable> joined_{};  // bodies that may not collide, ascending
    array<std::uint32_t, Env::limits.bodies + 1> to_wake_{};
    S last_h_{};                       // of the last step, or the one under way: boxes are made for one like it
    S before_h_{};                     // of the step before the one under way
    std::uint32_t joined_of_ = 0;      // contents for which joined_ was made
    std::uint32_t slept_layout_ = 0;   // who slept when asleep_ was made, for a step that was taken
    std::uint32_t made_layout_ = 0;    // and for the one under way
    std::uint32_t set_contents_ = 0;   // a number that tells which bodies have contacts
    std::size_t told_ = 0;             // of ended_, those of the last step; the others have been removed since
    bool replaced_sleepers_ = false;
};

}  // namespace detail

}  // namespace sinew::inline v0
