#pragma once
// The colliders of a world, whatever its scalar: solid bodies, what a collider is, who holds it, and what all of them share.

#include <sinew/world/collider.hpp>
#include <sinew/world/contact_pairs.hpp>
#include <sinew/world/shape_store.hpp>
#include <sinew/world/validate.hpp>

namespace sinew::inline v0 {

namespace detail {

/// What both forms of colliding_world are made of. Shapes: a shape_list.
template <class World, class Env, class BroadPhase, class Shapes>
class collider_access {
public:
    using S = typename Env::scalar;
    using R = typename Env::rotation;
    using config = typename Env::config_type;
    using error_type = error_told_to<typename config::errors>;
    using contact_entry = typename contact_set<Env>::entry;
    using options_type = collider_options<S, R>;

    [[no_unique_address]] typename config::pair_filter pair_filter{};

    /// A body of a shape's mass at a density (kg/m^3), and the shape on it; the shape at a pose of the world.
    template <class Shape>
    constexpr handle<rigid> add_solid(Shape const& shape, S const& density, pose<S, R> const& at = {}, options_type const& options = {}, twist<S> const& t = {}) {
        static_assert(lists_shape_v<Shape, Shapes>, "sinew: this shape is not in the world's list; add its template to world<config, ...>, and use it with the world's scalar.");
        if constexpr (!lists_shape_v<Shape, Shapes>)
            return {};  // said all that there is to say
        else
            return add_solid_of(shape, density, at, options, t);
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
    constexpr bool set_material(collider_handle const& h, sinew::material<S> const& m) {
        if (error_type e = check_collider(h)) return self().template refuse<bool>(e);
        if (error_type e = World::check_material(m)) return self().template refuse<bool>(e);
        self().wake_at(h.index);
        store_.surface(h.index) = m;
        return true;
    }
    constexpr bool set_filter(collider_handle const& h, collision_filter const& f) {
        if (error_type e = check_collider(h)) return self().template refuse<bool>(e);
        self().wake_at(h.index);
        store_[h.index].filter = f;
        self().wake_met(h.index);
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
        requires lists_shape_v<Shape, Shapes>
    [[nodiscard]] constexpr handle<rigid> body_of(handle<Shape> const& h) const { return body_of(collider(h)); }
    template <class Shape>
        requires lists_shape_v<Shape, Shapes>
    [[nodiscard]] constexpr frame<S> frame_of(handle<Shape> const& h) const { return frame_of(collider(h)); }
    template <class Shape>
        requires lists_shape_v<Shape, Shapes>
    [[nodiscard]] constexpr sinew::material<S> material(handle<Shape> const& h) const { return material(collider(h)); }
    template <class Shape>
        requires lists_shape_v<Shape, Shapes>
    constexpr bool set_material(handle<Shape> const& h, sinew::material<S> const& m) { return set_material(collider(h), m); }
    template <class Shape>
        requires lists_shape_v<Shape, Shapes>
    [[nodiscard]] constexpr collision_filter filter(handle<Shape> const& h) const { return filter(collider(h)); }
    template <class Shape>
        requires lists_shape_v<Shape, Shapes>
    constexpr bool set_filter(handle<Shape> const& h, collision_filter const& f) { return set_filter(collider(h), f); }

    /// Contacts of the last step, those of sleeping bodies apart. Where the scalar has lanes each says in which of them it is one.
    [[nodiscard]] constexpr std::span<contact_entry const> contacts() const noexcept { return {active_.entries.data(), active_.entries.size()}; }

protected:
    using record = collider_record<S>;
    using set_type = contact_set<Env>;
    using store_type = shape_store<Env, BroadPhase, Shapes>;

    template <class Shape>
    constexpr handle<rigid> add_solid_of(Shape const& shape, S const& density, pose<S, R> const& at, options_type const& options, twist<S> const& t) {
        if (error_type e = as_error<error_type>(fault_of<S>(shape))) return self().template refuse<handle<rigid>>(e);
        if (error_type e = check_positive<error_type>("density", density)) return self().template refuse<handle<rigid>>(e);
        if (error_type e = check_options(options)) return self().template refuse<handle<rigid>>(e);
        if (store_.full()) return self().template refuse<handle<rigid>>(World::full("colliders", Env::limits.colliders));
        auto const made = solid(shape, density, at, t);
        if (!all(made.body.mass > S(0)))
            return self().template refuse<handle<rigid>>({errc::invalid_parameter, "shape", "must enclose a volume, as a mesh of mesh_kind::solid does, and one whose mass the scalar can tell from 0; its mass", shown_number(made.body.mass), true});
        if constexpr (!has_lanes_v<S>)
            if (!is_bounded(bounds_of<S>(shape, sinew::frame_of(made.frame)))) return self().template refuse<handle<rigid>>(unbounded_shape());
        handle<rigid> const body = self().add(made.body);
        if (!body) return body;
        options_type placed = options;
        placed.frame = made.frame;
        (void)self().add(shape, body, placed);
        return body;
    }

    [[nodiscard]] constexpr World& self() noexcept { return static_cast<World&>(*this); }
    [[nodiscard]] constexpr World const& self() const noexcept { return static_cast<World const&>(*this); }

    [[nodiscard]] static constexpr error_type unbounded_shape() noexcept {
        return {errc::invalid_parameter, "shape", "is unbounded, so that it can only stand on the ground or on a fixed body", 0, false};
    }
    // What any collider must be, before what the world asks of it besides.
    template <class Shape>
    [[nodiscard]] constexpr error_type check_new(Shape const& shape, handle<rigid> const& body, options_type const& o) const {
        if (error_type e = self().check(body)) return e;
        if (error_type e = as_error<error_type>(fault_of<S>(shape))) return e;
        if (error_type e = check_options(o)) return e;
        return store_.full() ? World::full("colliders", Env::limits.colliders) : error_type{};
    }
    [[nodiscard]] static constexpr record record_of(handle<rigid> const& body, options_type const& o) {
        record r;
        r.body = body.index;
        r.local = sinew::frame_of(o.frame);
        r.plain = is_identity(o.frame);
        r.filter = o.filter;
        return r;
    }
    // Of the farthest corner of a box from the origin.
    [[nodiscard]] static constexpr S reach(aabb<S> const& b) noexcept {
        return norm(vec3<S>{max(abs(b.lower[0]), abs(b.upper[0])), max(abs(b.lower[1]), abs(b.upper[1])), max(abs(b.lower[2]), abs(b.upper[2]))});
    }
    template <class Shape>
    constexpr std::uint32_t enter(Shape const& shape, record const& r, options_type const& o) {
        std::uint32_t const id = store_.add(shape, r, o.material);
        self().note(World::change::collider_added, id, store_type::template type_of<Shape>());
        self().note(World::change::collider_added, r.body);
        return id;
    }
    constexpr void drop_colliders_of(std::uint32_t body) {
        store_.for_each_of(body, [&](std::uint32_t id) { self().drop(id); });
    }
    constexpr void note_all_motion() {
        for (std::uint32_t i = 0; i < self().states_.size(); ++i) self().note_motion(i);
    }
    template <class Shape>
    [[nodiscard]] constexpr bool has_shape(std::uint32_t id) const noexcept { return store_[id].type == store_type::template type_of<Shape>(); }
    // The number in a handle is in the slot: in a part of a world it is that of the whole.
    [[nodiscard]] constexpr collider_handle handle_of(std::uint32_t id) const noexcept { return {store_.slots()[id].at, store_.slots()[id].generation, self().tag_}; }
    [[nodiscard]] constexpr handle<rigid> handle_of_body(std::uint32_t i) const noexcept { return {self().body_slots_[i].at, self().body_slots_[i].generation, self().tag_}; }
    [[nodiscard]] constexpr error_type check_collider(collider_handle const& h) const noexcept { return self().check(h); }
    [[nodiscard]] constexpr error_type fault_of_collider(collider_handle const& h) const noexcept { return self().fault_of_slot(store_.slots(), h, "collider handle"); }
    [[nodiscard]] constexpr bool valid(collider_handle const& h) const {
        error_type const e = check_collider(h);
        if (e) config::errors::fail(e);
        return !e;
    }
    [[nodiscard]] static constexpr error_type check_options(options_type const& o) noexcept {
        if (error_type e = check_pose<error_type>(o.frame)) return e;
        if constexpr (has_lanes_v<S>)
            if (o.sensor || o.continuous) return {errc::invalid_parameter, o.sensor ? "collider.sensor" : "collider.continuous", "must be false where the scalar has lanes", 0, false};
        return World::check_material(o.material);
    }
    constexpr void save_contacts(auto& s) const {
        s.awake = active_;
        s.last_step = last_h_;
    }
    constexpr void put_contacts(auto const& s) {
        active_ = s.awake;
        if constexpr (has_lanes_v<S>) active_.forget_writings();
        last_h_ = s.last_step;
        note_all_motion();
    }
    [[nodiscard]] constexpr S margin_of(std::uint32_t id) const noexcept { return min(self().collision.margin, store_[id].extent / value_type_t<S>(4)); }
    // How far a push carries a point of a body in a step, `radius` from its origin (m).
    [[nodiscard]] static constexpr S way_of(sinew::twist<S> const& push, S const& h, S const& radius) noexcept {
        S const along = norm(push.linear) * h, turn = min(norm(push.angular) * h, S(2));
        return select(turn > S(0), along + turn * radius, along);
    }
    // Of a way that forces add in a step: all of it, or nothing where contacts are known of before it is gone, at `margin`.
    [[nodiscard]] static constexpr S beyond(S const& margin, S const& way) noexcept { return select(way > margin && isfinite(way), way, S(0)); }
    // Of a collider's body: a matrix turns many vectors faster than other rotations.
    [[nodiscard]] constexpr frame<S> body_frame(std::uint32_t id) const {
        return store_[id].plain ? store_.frame_at(id) : sinew::frame_of(self().states_[store_[id].body].pose);
    }

    store_type store_{};
    set_type active_{}, previous_{};
    S last_h_{};                      // of the last step, or the one under way: boxes are made for one like it
    S last_margin_{};                 // the same of collision.margin
    S before_h_{};                    // of the step before the one under way, which is taken up again if that is not taken
    std::uint32_t set_contents_ = 0;  // a number that tells which bodies have contacts
};

}  // namespace detail

}  // namespace sinew::inline v0
