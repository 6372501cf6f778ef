#pragma once
// The class behind world.hpp: what a world holds, and what it offers. How it steps stands in step.hpp.
//
//   sinew::world<my_config, sinew::ball_joint, my_rod, sinew::spring, my_arm> world;
//
// The list after the config names the templates of the constraints and forces that it may hold, and the maps of generalized
// bodies: one contiguous pool per type, loops over the pools unrolled at compile time. A world is a regular value: a copy is a snapshot, assigning
// it back is a rollback, == compares, and stepping a copy gives the same bits.

#include <sinew/body/force.hpp>
#include <sinew/body/parameter_fault.hpp>
#include <sinew/solver/impacts.hpp>
#include <sinew/solver/impacts_lanes.hpp>
#include <sinew/solver/solver.hpp>
#include <sinew/world/colliding_lanes.hpp>
#include <sinew/world/config.hpp>
#include <sinew/world/contact_phase.hpp>
#include <sinew/world/enabling.hpp>
#include <sinew/world/environment.hpp>
#include <sinew/world/free_motion.hpp>
#include <sinew/world/generalized_motion.hpp>
#include <sinew/world/generalized_pool.hpp>
#include <sinew/world/input_checks.hpp>
#include <sinew/world/pool.hpp>
#include <sinew/world/report.hpp>
#include <sinew/world/requirements.hpp>
#include <sinew/world/sleeping_world.hpp>
#include <sinew/world/validate.hpp>
#include <sinew/world/world_parts.hpp>
#include <sinew/world/world_state.hpp>

namespace sinew::inline v0 {

// Of groups.hpp and non_penetrating.hpp.
template <class World>
class simulation_groups;
namespace detail {
template <class World>
class world_part;
template <class World>
class touch_finder;
}  // namespace detail

/// Config: see config.hpp. Items: templates over the scalar, each a constraint, a force, a shape, or the map of generalized bodies.
template <class Config, template <class> class... Items>
class world : public detail::enabling_world<world<Config, Items...>, typename detail::environment_for<Config, Items...>::type>,
              public detail::sleeping_world<world<Config, Items...>, typename detail::environment_for<Config, Items...>::type>,
              public detail::colliding_world<world<Config, Items...>, typename detail::environment_for<Config, Items...>::type,
                                             typename detail::environment_for<Config, Items...>::shapes> {
    using sleeping = detail::sleeping_world<world, typename detail::environment_for<Config, Items...>::type>;
    using colliding = detail::colliding_world<world, typename detail::environment_for<Config, Items...>::type, typename detail::environment_for<Config, Items...>::shapes>;
    friend detail::enabling_world<world, typename detail::environment_for<Config, Items...>::type>;
    friend sleeping;
    friend colliding;
    template <class W>
    friend class detail::world_part;
    template <class W>
    friend class simulation_groups;

public:
    using config = Config;
    using scalar_type = typename Config::scalar;
    using rotation_type = typename Config::template rotation<scalar_type>;
    using S = scalar_type;
    using R = rotation_type;
    using env = typename detail::environment_for<Config, Items...>::type;
    using force_types = detail::kept_t<detail::keep_force, S, Items<S>...>;
    using strategy_type = typename Config::solver::template strategy<env>;
    using body_type = rigid_body<S, R>;
    using particle_type = particle<S>;
    using pose_type = sinew::pose<S, R>;
    using body_handle = handle<rigid>;
    using particle_handle = handle<point_mass>;
    template <class Map>
    using generalized_handle = handle<generalized<Map>>;
    using state_type = world_state<env>;
    /// Whether handles of T name colliders.
    template <class T>
    static constexpr bool is_collider = env::has_shapes && (std::same_as<T, any_shape> || detail::lists_shape_v<T, typename detail::environment_for<Config, Items...>::shapes>);

    vec3<S> gravity{S(0), S(value_type_t<S>(-9.81)), S(0)};  ///< m/s^2, on everything
    strategy_type solver{};                                 ///< its tuning numbers: world.solver.iterations = 20
    typename Config::integrator integrator{};               ///< likewise
    gyroscopic_term gyroscopic = gyroscopic_term::conserving;

    constexpr world() {
        // Body 0 is the ground: it does not move, and anything may be bound to it.
        states_.push_back({});
        masses_.push_back({});
        inverse_masses_.push_back({});
        applied_.push_back({});
        this->add_rest(0);
        (void)body_slots_.take(0);
    }

    // ---- bodies

    /// Adds a rigid body. Refuses a mass that is not positive, an inertia that no body can have, a rotation that is
    /// none, and anything not finite.
    constexpr body_handle add(body_type const& b) {
        if (error e = check(b)) return refuse<body_handle>(e);
        if (body_slots_.full() || (body_slots_.next() == states_.size() && is_full(states_)))
            return refuse<body_handle>(full("bodies", Config::storage::limits.bodies));
        rigid_mass<S> m{b.mass, S(1) / b.mass, b.inertia, inverse(b.inertia), true};  // not const: in constant expressions g++ 12 would refuse lanes in it
        return place_body({{b.pose.position, projected(b.pose.rotation)}, b.twist}, m);
    }
    /// Adds a body that no force moves: fixed, or kinematic if it is given a twist.
    constexpr body_handle add_fixed(pose_type const& p, sinew::twist<S> const& t = {}) {
        if (error e = input::pose(p)) return refuse<body_handle>(e);
        if (error e = input::twist(t)) return refuse<body_handle>(e);
        if (body_slots_.full() || (body_slots_.next() == states_.size() && is_full(states_)))
            return refuse<body_handle>(full("bodies", Config::storage::limits.bodies));
        return place_body({{p.position, projected(p.rotation)}, t}, {});
    }
    /// Adds a particle.
    constexpr particle_handle add(particle_type const& b) {
        if (error e = input::mass(b.mass)) return refuse<particle_handle>(e);
        if (error e = input::finite("position", b.position)) return refuse<particle_handle>(e);
        if (error e = input::finite("velocity", b.velocity)) return refuse<particle_handle>(e);
        return place_particle({b.position, b.velocity}, {b.mass, S(1) / b.mass, true});
    }
    /// Adds a particle that no force moves.
    constexpr particle_handle add_fixed_particle(vec3<S> const& position) {
        if (error e = input::finite("position", position)) return refuse<particle_handle>(e);
        return place_particle({position, {}}, {});
    }
    /// Adds a body in reduced coordinates. Refuses masses that are negative or that leave a coordinate without inertia, links that are
    /// nowhere, and anything not finite.
    template <class Map>
    constexpr generalized_handle<Map> add(generalized_body<Map> const& b) {
        if (error e = input::generalized(b)) return refuse<generalized_handle<Map>>(e);
        auto& g = generalized_of<Map>();
        if (g.slots.full()) return refuse<generalized_handle<Map>>(full("generalized bodies of this map", limits.generalized));
        std::uint32_t const i = g.add(b);
        note(change::generalized_added, i, place_of_map<Map>());
        return {i, g.slots[i].generation, tag_};
    }
    /// The immovable body that stands for the world: pose identity.
    [[nodiscard]] constexpr body_handle ground() const noexcept { return {0, 0, tag_}; }

    // ---- constraints and forces

    /// Adds a constraint or a force between bodies, in the order of its attachments:
    /// world.add(ball_joint<float>{...}, a, b). A force on everything takes no bodies.
    template <class C, class... Handles>
        requires(!is_collider<C>)
    constexpr handle<C> add(C const& c, Handles const&... handles) {
        if constexpr (is_force<C>())
            return add_force(c, handles...);
        else
            return add_constraint(c, handles...);
    }

    // ---- shapes

    /// Puts a shape on a body: see collider.hpp. Refuses shapes without extent, bad materials, and what is unbounded on a body that moves by forces.
    template <class Shape>
        requires is_collider<Shape>
    constexpr handle<Shape> add(Shape const& shape, body_handle const& body, collider_options<S, R> const& options = {}) {
        return this->add_collider(shape, body, options);
    }

    // ---- removal

    /// Whether the handle's thing is still here.
    template <class T>
    [[nodiscard]] constexpr bool contains(handle<T> const& h) const noexcept {
        return check(h).code == errc::none;
    }
    /// Removes a body, with the constraints and forces bound to it.
    constexpr bool remove(body_handle const& h) {
        if (error e = check(h)) return refuse<bool>(e);
        if (h.index == 0) return refuse<bool>({errc::invalid_parameter, "ground", "cannot be removed", 0, false});
        wake_with(h.index);
        this->drop_colliders_of(h.index);
        remove_bound<rigid>(h.index);
        note(change::body_removed, h.index);
        states_[h.index] = {};
        masses_[h.index] = {};
        inverse_masses_[h.index] = {};
        applied_[h.index] = {};
        body_slots_.release(h.index);
        return true;
    }
    constexpr bool remove(particle_handle const& h) {
        if (error e = check(h)) return refuse<bool>(e);
        remove_bound<point_mass>(h.index);
        note(change::particle_removed, h.index);
        particle_states_[h.index] = {};
        particle_masses_[h.index] = {};
        particle_applied_[h.index] = {};
        particle_slots_.release(h.index);
        return true;
    }
    template <class Map>
    constexpr bool remove(generalized_handle<Map> const& h) {
        if (error e = check(h)) return refuse<bool>(e);
        remove_bound<generalized<Map>>(h.index);
        note(change::generalized_removed, h.index, place_of_map<Map>());
        generalized_of<Map>().remove(h.index);
        return true;
    }
    template <class C>
    constexpr bool remove(handle<C> const& h) {
        if (error e = check(h)) return refuse<bool>(e);
        if constexpr (is_collider<C>) {
            this->drop(h.index);
        } else {
            wake_bound(pool_of<C>().at_slot(h.index));
            note(change::item_removed, h.index, place_in_list<C>());
            pool_of<C>().remove_slot(h.index);
        }
        return true;
    }

    // ---- reading and setting bodies

    [[nodiscard]] constexpr pose_type pose(body_handle const& h) const { return valid(h) ? states_[h.index].pose : pose_type{}; }
    [[nodiscard]] constexpr sinew::twist<S> twist(body_handle const& h) const { return valid(h) ? states_[h.index].twist : sinew::twist<S>{}; }
    [[nodiscard]] constexpr vec3<S> position(body_handle const& h) const { return pose(h).position; }
    [[nodiscard]] constexpr vec3<S> position(particle_handle const& h) const { return valid(h) ? particle_states_[h.index].position : vec3<S>{}; }
    [[nodiscard]] constexpr vec3<S> velocity(particle_handle const& h) const { return valid(h) ? particle_states_[h.index].velocity : vec3<S>{}; }
    /// The body as it could be added again. What does not move has no mass.
    [[nodiscard]] constexpr body_type body(body_handle const& h) const {
        if (!valid(h)) return {};
        return {masses_[h.index].mass, masses_[h.index].inertia, states_[h.index].pose, states_[h.index].twist};
    }
    [[nodiscard]] constexpr particle_type body(particle_handle const& h) const {
        if (!valid(h)) return {};
        return {particle_masses_[h.index].mass, particle_states_[h.index].position, particle_states_[h.index].velocity};
    }
    [[nodiscard]] constexpr bool is_movable(body_handle const& h) const { return valid(h) && may_move(h.index); }

    constexpr bool set_pose(body_handle const& h, pose_type const& p) {
        if (error e = check_settable(h)) return refuse<bool>(e);
        if (error e = input::pose(p)) return refuse<bool>(e);
        wake_with(h.index);
        states_[h.index].pose = {p.position, projected(p.rotation)};
        this->note_motion(h.index);
        return true;
    }
    constexpr bool set_twist(body_handle const& h, sinew::twist<S> const& t) {
        if (error e = check_settable(h)) return refuse<bool>(e);
        if (error e = input::twist(t)) return refuse<bool>(e);
        wake_with(h.index);
        states_[h.index].twist = t;
        this->note_motion(h.index);
        return true;
    }
    constexpr bool set_position(particle_handle const& h, vec3<S> const& x) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = input::finite("position", x)) return refuse<bool>(e);
        particle_states_[h.index].position = x;
        return true;
    }
    constexpr bool set_velocity(particle_handle const& h, vec3<S> const& v) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = input::finite("velocity", v)) return refuse<bool>(e);
        particle_states_[h.index].velocity = v;
        return true;
    }
    /// Adds a force (N, world) at a world point (m), and a torque (N m), for the coming step only.
    constexpr bool apply_force(body_handle const& h, vec3<S> const& force, vec3<S> const& point) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = input::finite("force", force)) return refuse<bool>(e);
        if (error e = input::finite("point", point)) return refuse<bool>(e);
        return apply(h, force_at(force, point, states_[h.index].pose.position));
    }
    constexpr bool apply_wrench(body_handle const& h, wrench<S> const& w) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = input::finite("force", w.force)) return refuse<bool>(e);
        if (error e = input::finite("torque", w.torque)) return refuse<bool>(e);
        return apply(h, w);
    }
    constexpr bool apply_force(particle_handle const& h, vec3<S> const& force) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = input::finite("force", force)) return refuse<bool>(e);
        vec3<S> const sum = particle_applied_[h.index] + force;
        if (error e = input::finite("sum of the applied forces", sum)) return refuse<bool>(e);
        particle_applied_[h.index] = sum;
        return true;
    }

    // ---- reading and setting generalized bodies

    template <class Map>
    [[nodiscard]] constexpr vec<S, Map::coordinates> coordinates(generalized_handle<Map> const& h) const {
        return valid(h) ? generalized_of<Map>().states[h.index].u : vec<S, Map::coordinates>{};
    }
    template <class Map>
    [[nodiscard]] constexpr vec<S, Map::coordinates> rates(generalized_handle<Map> const& h) const {
        return valid(h) ? generalized_of<Map>().states[h.index].rates : vec<S, Map::coordinates>{};
    }
    /// The body as it could be added again.
    template <class Map>
    [[nodiscard]] constexpr generalized_body<Map> body(generalized_handle<Map> const& h) const {
        return valid(h) ? generalized_of<Map>().body(h.index) : generalized_body<Map>{};
    }
    /// As a constraint sees it: coordinates and links.
    template <class Map>
    [[nodiscard]] constexpr generalized_pose<Map> pose(generalized_handle<Map> const& h) const {
        return body(h).pose();
    }
    /// Pose of a link; that of a point is not turned.
    template <class Map>
    [[nodiscard]] constexpr pose_type pose(generalized_handle<Map> const& h, std::size_t link) const;
    /// Twist of a link; that of a point does not turn.
    template <class Map>
    [[nodiscard]] constexpr sinew::twist<S> twist(generalized_handle<Map> const& h, std::size_t link) const;
    template <class Map>
    [[nodiscard]] constexpr vec3<S> position(generalized_handle<Map> const& h, std::size_t link) const {
        return pose(h, link).position;
    }
    template <class Map>
    [[nodiscard]] constexpr vec3<S> velocity(generalized_handle<Map> const& h, std::size_t link) const {
        return twist(h, link).linear;
    }
    template <class Map>
    constexpr bool set_coordinates(generalized_handle<Map> const& h, vec<S, Map::coordinates> const& u) {
        if (error e = check(h)) return refuse<bool>(e);
        auto& g = generalized_of<Map>();
        auto moved = g.body(h.index);
        moved.u = u;
        if (error e = input::coordinates(moved)) return refuse<bool>(e);
        g.states[h.index].u = u;
        return true;
    }
    template <class Map>
    constexpr bool set_rates(generalized_handle<Map> const& h, vec<S, Map::coordinates> const& rates) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = input::finite("rates", rates)) return refuse<bool>(e);
        generalized_of<Map>().states[h.index].rates = rates;
        return true;
    }
    /// Adds a force on the coordinates (N, N m), for the coming step only.
    template <class Map>
    constexpr bool apply_force(generalized_handle<Map> const& h, vec<S, Map::coordinates> const& force) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = input::finite("force", force)) return refuse<bool>(e);
        auto& sum = generalized_of<Map>().applied[h.index].coordinates;
        if (error e = input::finite("sum of the applied forces", vec<S, Map::coordinates>(sum + force))) return refuse<bool>(e);
        sum += force;
        return true;
    }
    /// Adds a force (N, world) on a link at a world point (m), or a wrench about its centre, for the coming step only.
    template <class Map>
    constexpr bool apply_force(generalized_handle<Map> const& h, std::size_t link, vec3<S> const& force, vec3<S> const& point) {
        if (error e = check_link(h, link)) return refuse<bool>(e);
        if (error e = input::finite("force", force)) return refuse<bool>(e);
        if (error e = input::finite("point", point)) return refuse<bool>(e);
        return apply(generalized_of<Map>().applied[h.index].links[link], force_at(force, point, position(h, link)));
    }
    template <class Map>
    constexpr bool apply_wrench(generalized_handle<Map> const& h, std::size_t link, wrench<S> const& w) {
        if (error e = check_link(h, link)) return refuse<bool>(e);
        if (error e = input::finite("force", w.force)) return refuse<bool>(e);
        if (error e = input::finite("torque", w.torque)) return refuse<bool>(e);
        return apply(generalized_of<Map>().applied[h.index].links[link], w);
    }

    // ---- reading constraints

    /// The constraint, force or shape itself, to read it.
    template <class C>
    [[nodiscard]] constexpr C get(handle<C> const& h) const {
        if (!valid(h)) return C{};
        if constexpr (is_collider<C>)
            return this->store_.template get<C>(h.index);
        else if constexpr (is_force<C>())
            return pool_of<C>().at_slot(h.index).force;
        else
            return pool_of<C>().at_slot(h.index).constraint;
    }
    /// Replaces its parameters: a motor's target, a spring's stiffness.
    template <class C>
    constexpr bool set(handle<C> const& h, C const& c) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = input::fault(c)) return refuse<bool>(e);
        if constexpr (is_force<C>()) {
            auto probe = pool_of<C>().at_slot(h.index);
            probe.force = c;
            if (error e = check_action(probe)) return refuse<bool>(e);
            wake_bound(probe);
            pool_of<C>().at_slot(h.index).force = c;
        } else {
            auto probe = pool_of<C>().at_slot(h.index);
            probe.constraint = c;
            if (error e = check_evaluation(probe)) return refuse<bool>(e);
            wake_bound(probe);
            pool_of<C>().at_slot(h.index).constraint = c;
        }
        return true;
    }
    /// Multipliers of the last step (N, N m).
    template <class C>
    [[nodiscard]] constexpr vec<S, rows_v<C>> multipliers(handle<C> const& h) const {
        return valid(h) ? pool_of<C>().at_slot(h.index).lambda : vec<S, rows_v<C>>{};
    }
    /// Its error now (m, rad); of a velocity-level constraint, its rate.
    template <class C>
    [[nodiscard]] constexpr vec<S, rows_v<C>> error_of(handle<C> const& h) const {
        return valid(h) ? residual(pool_of<C>().at_slot(h.index)) : vec<S, rows_v<C>>{};
    }
    /// The wrench (N, N m; about the centre of mass, world frame) with which it acted on attachment i in the last step; of an on_link
    /// constraint, on the link. Another constraint on a generalized body has none: it acts on coordinates.
    template <class C>
    [[nodiscard]] constexpr wrench<S> wrench_on(handle<C> const& h, std::size_t i) const {
        if (!valid(h)) return {};
        if (i < attachments_t<C>::size) return wrench_of(pool_of<C>().at_slot(h.index), i);
        Config::errors::fail({errc::invalid_parameter, "index of an attachment", "must be below their number", static_cast<error_number>(i), true});
        return {};
    }
    /// Removes the constraint after a step in which its force (N) or torque (N m) on a body exceeded these.
    template <class C>
    constexpr bool set_break_threshold(handle<C> const& h, S const& force, S const& torque = infinity_v<S>) {
        static_assert(breaks, "sinew: in this config nothing breaks (`breakable = false`).");
        static_assert(!is_force<C>(), "sinew: a force does not break; only constraints have a threshold.");
        static_assert(!has_lanes_v<S>, "sinew: a constraint of a world whose scalar has lanes does not break: it would be gone in some lanes and not in others.");
        if (error e = check(h)) return refuse<bool>(e);
        if (!all(force > S(0))) return refuse<bool>({errc::not_positive, "break force", "must be positive", detail::as_double(force), true});
        if (!all(torque > S(0))) return refuse<bool>({errc::not_positive, "break torque", "must be positive", detail::as_double(torque), true});
        pool_of<C>().side(pool_of<C>().slots()[h.index].at) = {force, torque, false};
        has_breakables_ = true;
        return true;
    }

    // ---- stepping

    /// Advances by h seconds. Allocates nothing once it has run with the present contents. A step that would yield a
    /// state that is not finite is not taken.
    constexpr step_report<S> step(S const& h);

    /// Seconds stepped so far.
    [[nodiscard]] constexpr S time() const noexcept { return time_; }

    // ---- totals

    [[nodiscard]] constexpr S kinetic_energy() const;
    /// Of gravity, of forces that know theirs, and of compliant constraints (J).
    [[nodiscard]] constexpr S potential_energy() const;
    [[nodiscard]] constexpr S energy() const { return kinetic_energy() + potential_energy(); }
    [[nodiscard]] constexpr vec3<S> linear_momentum() const;
    /// About the origin (kg m^2/s).
    [[nodiscard]] constexpr vec3<S> angular_momentum() const;
    /// Largest |error| of any hard holonomic equality row (m, rad).
    [[nodiscard]] constexpr S constraint_error() const;

    [[nodiscard]] constexpr std::size_t body_count() const noexcept { return body_slots_.alive() - 1; }
    [[nodiscard]] constexpr std::size_t particle_count() const noexcept { return particle_slots_.alive(); }
    template <class C>
    [[nodiscard]] constexpr std::size_t count() const noexcept {
        return pool_of<C>().size();
    }
    /// f(handle) for every body but the ground, and for every particle.
    template <class F>
    constexpr void for_each_body(F&& f) const {
        for (std::uint32_t i = 1; i < body_slots_.size(); ++i)
            if (body_slots_[i].alive) f(body_handle{i, body_slots_[i].generation, tag_});
    }
    template <class F>
    constexpr void for_each_particle(F&& f) const {
        for (std::uint32_t i = 0; i < particle_slots_.size(); ++i)
            if (particle_slots_[i].alive) f(particle_handle{i, particle_slots_[i].generation, tag_});
    }
    /// Generalized bodies over a map.
    template <class Map>
    [[nodiscard]] constexpr std::size_t generalized_count() const noexcept {
        return generalized_of<Map>().slots.alive();
    }
    /// f(handle) for every generalized body over a map.
    template <class Map, class F>
    constexpr void for_each_generalized(F&& f) const {
        auto const& slots = generalized_of<Map>().slots;
        for (std::uint32_t i = 0; i < slots.size(); ++i)
            if (slots[i].alive) f(generalized_handle<Map>{i, slots[i].generation, tag_});
    }
    /// f(handle) for every constraint or force of type C.
    template <class C, class F>
    constexpr void for_each(F&& f) const {
        auto const& pool = pool_of<C>();
        for (std::size_t i = 0; i < pool.size(); ++i) f(handle<C>{pool.slot_at(i), pool.slots()[pool.slot_at(i)].generation, tag_});
    }

    // ---- snapshots

    /// The dynamic part alone, into a state that may be used again and again.
    constexpr void save(state_type& s) const;
    [[nodiscard]] constexpr state_type save() const {
        state_type s;
        save(s);
        return s;
    }
    /// Puts a saved state back. Refused if the numbers of bodies, particles or rows are not the same.
    constexpr bool restore(state_type const& s);

    /// Bodies, constraints, forces, multipliers, time, pending forces and tuning numbers are the same: stepped alike, both go
    /// on alike. Needs == of every type in the list.
    [[nodiscard]] friend constexpr bool operator==(world const& a, world const& b) {
        static_assert(pools::all_comparable && fpools::all_comparable,
                      "sinew: worlds can be compared only if every constraint and force in the list can; give yours "
                      "`friend constexpr bool operator==(my_type const&, my_type const&) = default;`.");
        return a.gravity == b.gravity && a.states_ == b.states_ && a.masses_ == b.masses_ && a.body_slots_ == b.body_slots_ &&
               a.particle_states_ == b.particle_states_ && a.particle_masses_ == b.particle_masses_ && a.particle_slots_ == b.particle_slots_ &&
               a.generalized_ == b.generalized_ && same_constraints(a, b) && colliding::equal_colliders(a, b) && sleeping::equal_rest(a, b) && a.forces_ == b.forces_ && a.applied_ == b.applied_ && a.particle_applied_ == b.particle_applied_ &&
               a.time_ == b.time_ && a.time_carry_ == b.time_carry_ && a.gyroscopic == b.gyroscopic && same(a.solver, b.solver) &&
               same(a.integrator, b.integrator);
    }

    /// Why the last refused change was refused. Reading by a dead handle changes nothing, so it leaves no reason here: contains()
    /// tells.
    [[nodiscard]] constexpr error const& last_error() const noexcept { return last_error_; }

    /// The problem that a solver sees, for diagnostics and tests.
    [[nodiscard]] constexpr auto make_problem();

private:
    static constexpr bool checks = !detail::trusts_input<typename Config::errors>;  // of input
    using input = detail::input_checks<checks>;
    static constexpr bool breaks = [] {
        if constexpr (requires { Config::breakable; })
            return Config::breakable;
        else
            return true;
    }();
    static constexpr bool has_maps = !std::same_as<typename env::map_types, map_list<>>;
    static constexpr bool is_symplectic = std::same_as<typename Config::integrator, symplectic_euler>;
    static constexpr bool keeps_start = strategy_type::level == solver_level::velocity && !is_symplectic;
    template <class T, std::size_t N>
    using array = typename env::template array<T, N>;
    static constexpr capacities limits = env::limits;

    // All: as solvers see them, with contacts. Tuple: those of the list.
    template <class All>
    struct solved_types;
    template <class... Cs>
    struct solved_types<std::tuple<Cs...>> {
        using problem_type = problem<S, R, env::memory_per_row, typename env::map_types, Cs...>;
        static constexpr bool check() noexcept { return detail::check_strategy<strategy_type, problem_type, S, Cs...>(); }
    };
    template <class Tuple>
    struct constraint_pools;
    template <class... Cs>
    struct constraint_pools<std::tuple<Cs...>> : solved_types<typename env::constraint_types> {
        using type = std::tuple<dense_pool<constraint_entry<Cs, S, env::memory_per_row>, detail::break_limit<S>, typename Config::storage, Config::storage::limits.constraints>...>;
        static constexpr bool all_comparable = (std::equality_comparable<Cs> && ...);
        using plain = std::tuple<Cs...>;
    };
    template <class Tuple>
    struct force_pools;
    template <class... Fs>
    struct force_pools<std::tuple<std::type_identity<Fs>...>> {
        using type = std::tuple<dense_pool<detail::force_entry<Fs>, detail::no_side, typename Config::storage, limits.forces>...>;
        using plain = std::tuple<Fs...>;
        static constexpr bool all_comparable = (std::equality_comparable<Fs> && ...);
    };
    template <class T>
    [[nodiscard]] static constexpr bool same([[maybe_unused]] T const& a, [[maybe_unused]] T const& b) {
        if constexpr (std::equality_comparable<T>)
            return a == b;
        else
            return true;  // has no numbers, or does not show them
    }
    using pools = constraint_pools<typename detail::plain_types<typename detail::environment_for<Config, Items...>::constraints>::type>;
    using fpools = force_pools<force_types>;

    template <class C>
    [[nodiscard]] static constexpr bool is_force() noexcept {
        constexpr bool listed_constraint = detail::index_of<C, typename pools::plain>::value < std::tuple_size_v<typename pools::plain>;
        constexpr bool listed_force = detail::index_of<C, typename fpools::plain>::value < std::tuple_size_v<typename fpools::plain>;
        static_assert(!detail::is_body_v<C>, "sinew: this body is not of this world: bodies and particles must be of the world's scalar and rotation.");
        static_assert(detail::is_body_v<C> || listed_constraint || listed_force,
                      "sinew: this type is not in the world's list; add its template to world<config, ...>, and use it with the world's scalar.");
        return listed_force;
    }
    template <class C>
    [[nodiscard]] constexpr auto& pool_of() noexcept {
        if constexpr (is_force<C>())
            return std::get<detail::index_of<C, typename fpools::plain>::value>(forces_);
        else
            return std::get<detail::index_of<C, typename pools::plain>::value>(constraints_);
    }
    template <class C>
    [[nodiscard]] constexpr auto const& pool_of() const noexcept {
        return const_cast<world*>(this)->template pool_of<C>();
    }

    template <class Map>
    [[nodiscard]] constexpr auto& generalized_of() noexcept {
        static_assert(detail::lists_map_v<Map, typename env::map_types>,
                      "sinew: this body's map is not in the world's list; add its template to world<config, ...>, and use it with the world's scalar.");
        return std::get<detail::generalized_pool<Map, env>>(generalized_);
    }
    template <class Map>
    [[nodiscard]] constexpr auto const& generalized_of() const noexcept {
        return const_cast<world*>(this)->template generalized_of<Map>();
    }
    template <class Map>
    [[nodiscard]] static constexpr std::uint32_t place_of_map() noexcept {
        return []<class... Maps>(map_list<Maps...>) {
            return static_cast<std::uint32_t>(detail::index_of<Map, std::tuple<Maps...>>::value);
        }(typename env::map_types{});
    }

    // Refusing.

    template <class Result>
    constexpr Result refuse(error const& e) {
        last_error_ = e;
        Config::errors::fail(e);
        return Result{};
    }
    [[nodiscard]] static constexpr error full(char const* what, std::size_t capacity) noexcept {
        return {errc::full, what, "are all in use: the static storage is full; its capacity", static_cast<error_number>(capacity), true};
    }
    [[nodiscard]] static constexpr error check(body_type const& b) noexcept {
        if (error e = input::mass(b.mass)) return e;
        if (error e = input::inertia(b.inertia)) return e;
        if (error e = input::pose(b.pose)) return e;
        return input::twist(b.twist);
    }
    template <class Slots, class T>
    [[nodiscard]] constexpr error check_slot([[maybe_unused]] Slots const& slots, [[maybe_unused]] handle<T> const& h, [[maybe_unused]] char const* name) const noexcept {
        if constexpr (!checks) return {};
        if (!h) return {errc::dead_handle, name, "is null: it names nothing", 0, false};
        if (h.world != tag_) return {errc::foreign_handle, name, "belongs to another world", 0, false};
        if (h.index >= slots.size() || !slots[h.index].alive || slots[h.index].generation != h.generation)
            return {errc::dead_handle, name, "is dead: what it named has been removed", 0, false};
        return {};
    }
    [[nodiscard]] constexpr error check(body_handle const& h) const noexcept {
        if (h == body_handle{0, 0, 0}) return {};  // the ground, asked of a world that was still empty
        return check_slot(body_slots_, h, "body handle");
    }
    [[nodiscard]] constexpr error check(particle_handle const& h) const noexcept { return check_slot(particle_slots_, h, "particle handle"); }
    template <class C>
    [[nodiscard]] constexpr error check(handle<C> const& h) const noexcept {
        if constexpr (is_collider<C>)
            return this->check_collider({h.index, h.generation, h.world});
        else
            return check_slot(pool_of<C>().slots(), h, "constraint or force handle");
    }
    template <class Map>
    [[nodiscard]] constexpr error check(generalized_handle<Map> const& h) const noexcept {
        return check_slot(generalized_of<Map>().slots, h, "handle of a generalized body");
    }
    template <class Map>
    [[nodiscard]] constexpr error check_link(generalized_handle<Map> const& h, std::size_t link) const noexcept {
        if (error e = check(h)) return e;
        if (link < detail::link_count_v<Map>) return {};
        return {errc::invalid_parameter, "index of a link", "must be below their number", static_cast<error_number>(link), true};
    }
    [[nodiscard]] constexpr error check_settable(body_handle const& h) const noexcept {
        if constexpr (!checks) return {};
        if (error e = check(h)) return e;
        if (h.index == 0) return {errc::invalid_parameter, "ground", "cannot be changed", 0, false};
        return {};
    }
    template <class T>
    [[nodiscard]] constexpr bool valid(handle<T> const& h) const {
        error const e = check(h);
        if (e) Config::errors::fail(e);
        return !e;
    }

    constexpr bool apply(body_handle const& h, wrench<S> const& w) {
        this->wake_one(h.index);
        if constexpr (env::sleeps)
            if (this->rises_by_force(h.index)) this->enable_one(h.index);
        return apply(applied_[h.index], w);
    }
    constexpr bool apply(wrench<S>& applied, wrench<S> const& w) {
        wrench<S> sum = applied;
        sum += w;
        if (error e = input::finite("sum of the applied forces", sum.force)) return refuse<bool>(e);
        if (error e = input::finite("sum of the applied torques", sum.torque)) return refuse<bool>(e);
        applied = sum;
        return true;
    }

    // Every addition and removal changes a number by which a saved state knows its world. The first one also gives the world its
    // tag: not the constructor, which for a global world may run in the compiler.
    enum class change : std::uint32_t { body_added, body_removed, particle_added, particle_removed, item_added, item_removed, generalized_added, generalized_removed, collider_added, collider_removed };
    constexpr void note(change what, std::uint32_t index, std::uint32_t type = 0) noexcept {
        if (contents_ == 0) tag_ = next_world_tag();
        for (std::uint32_t const word : {static_cast<std::uint32_t>(what), type, index}) contents_ = (contents_ ^ word) * 0x9e3779b1u + 0x7f4a7c15u;
    }
    // Which of the world's constraints and forces C is.
    template <class C>
    [[nodiscard]] static constexpr std::uint32_t place_in_list() noexcept {
        using Cs = typename pools::plain;
        if constexpr (is_force<C>())
            return static_cast<std::uint32_t>(std::tuple_size_v<Cs> + detail::index_of<C, typename fpools::plain>::value);
        else
            return static_cast<std::uint32_t>(detail::index_of<C, Cs>::value);
    }

    // Placing.

    constexpr body_handle place_body(rigid_state<S, R> const& state, rigid_mass<S> const& m) {
        std::uint32_t const i = body_slots_.take(body_slots_.next());
        note(change::body_added, i, m.movable ? 1 : 0);
        if (i == states_.size()) {
            states_.push_back(state);
            masses_.push_back(m);
            inverse_masses_.push_back({});
        } else {
            states_[i] = state;
            masses_[i] = m;
            inverse_masses_[i] = {};
        }
        applied_.resize(states_.size());
        this->add_rest(i);
        return {i, body_slots_[i].generation, tag_};
    }
    constexpr particle_handle place_particle(particle_state<S> const& state, particle_mass<S> const& m) {
        if (particle_slots_.full()) return refuse<particle_handle>(full("particles", limits.particles));
        std::uint32_t const i = particle_slots_.take(0);
        note(change::particle_added, i, m.movable ? 1 : 0);
        if (i == particle_states_.size()) {
            particle_states_.push_back(state);
            particle_masses_.push_back(m);
        } else {
            particle_states_[i] = state;
            particle_masses_[i] = m;
        }
        particle_applied_.resize(particle_states_.size());
        return {i, particle_slots_[i].generation, tag_};
    }

    template <class... H>
    [[nodiscard]] constexpr error check_bodies([[maybe_unused]] H const&... handles) const {
        if constexpr (!checks) return {};
        error found{};
        ((found = found ? found : check(handles)), ...);
        if (found) return found;
        [[maybe_unused]] auto const same = [](auto const& a, auto const& b) {
            if constexpr (std::same_as<decltype(a), decltype(b)>)
                return a == b;
            else
                return false;
        };
        int equal_pairs = 0;
        ([&](auto const& a) { equal_pairs += (static_cast<int>(same(a, handles)) + ... + 0); }(handles), ...);
        if (equal_pairs > static_cast<int>(sizeof...(H)))
            return {errc::self_binding, "bodies of a constraint or force", "must be different bodies, not the same one twice", 0, false};
        return {};
    }

    template <class C, class... H>
    constexpr handle<C> add_constraint(C const& c, H const&... handles) {
        static_assert(detail::binds_kinds<attachments_t<C>, std::tuple<H...>>::value,
                      "sinew: this constraint is added with the wrong handles: give one per attachment, body handles for `rigid`, particle handles for "
                      "`point_mass`, those of its map for `generalized`, in the order of its `attachments`.");
        if (error e = check_bodies(handles...)) return refuse<handle<C>>(e);
        if (error e = input::fault(c)) return refuse<handle<C>>(e);
        constraint_entry<C, S, env::memory_per_row> const entry{c, {handles.index...}, {}};
        if (error e = check_evaluation(entry)) return refuse<handle<C>>(e);
        auto& pool = pool_of<C>();
        if (pool.full()) return refuse<handle<C>>(full("constraints of this type", Config::storage::limits.constraints));
        if constexpr (limits.rows > 0)
            if (row_count() + rows_v<C> > limits.rows) return refuse<handle<C>>(full("rows of constraints", limits.rows));
        wake_bound(entry);
        std::uint32_t const s = pool.add(entry, {});
        note(change::item_added, s, place_in_list<C>());
        for (std::uint32_t const body : entry.bodies) note(change::item_added, body);
        return {s, pool.slots()[s].generation, tag_};
    }
    template <class F, class... H>
    constexpr handle<F> add_force(F const& f, H const&... handles) {
        if constexpr (detail::force_arity<F>::value > 0) {
            static_assert(detail::binds_kinds<typename F::attachments, std::tuple<H...>>::value,
                          "sinew: this force is added with the wrong handles: give one per attachment, in the order of its `attachments`.");
        } else {
            static_assert(sizeof...(H) == 0, "sinew: this force acts on every body; add it without handles.");
        }
        if (error e = check_bodies(handles...)) return refuse<handle<F>>(e);
        if (error e = input::fault(f)) return refuse<handle<F>>(e);
        detail::force_entry<F> const entry{f, {handles.index...}};
        if (error e = check_action(entry)) return refuse<handle<F>>(e);
        auto& pool = pool_of<F>();
        if (pool.full()) return refuse<handle<F>>(full("forces of this type", limits.forces));
        wake_bound(entry);
        std::uint32_t const s = pool.add(entry, {});
        note(change::item_added, s, place_in_list<F>());
        return {s, pool.slots()[s].generation, tag_};
    }

    [[nodiscard]] constexpr std::size_t row_count() const noexcept {
        return std::apply([](auto const&... p) { return ((p.size() * rows_v<typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type>) + ... + 0); }, constraints_);
    }
    // A constraint with a NaN inside is found by what it yields.
    template <class E>
    [[nodiscard]] constexpr error check_evaluation([[maybe_unused]] E const& entry) const {
        if constexpr (!checks) return {};
        auto const p = const_problem();
        auto const poses = poses_of(p, entry);
        auto const r = residual(entry);
        bool finite = all(isfinite(r));
        auto const J = std::apply([&](auto const&... q) { return jacobian_of(entry.constraint, q...); }, poses);
        for (S const& x : J.e) finite = finite && all(isfinite(x));
        if constexpr (has_compliance<typename E::constraint_type>)
            for (S const& x : compliance_of<S>(entry.constraint).e)
                if (error e = detail::as_error(nonnegative_parameter("compliance", x))) return e;
        if constexpr (is_bounded_v<typename E::constraint_type, S>) {
            auto const limits_now = std::apply([&](auto const&... q) { return limits_of(entry.constraint, entry.lambda, q...); }, poses);
            for (std::size_t i = 0; i < rows_v<typename E::constraint_type>; ++i)
                if (!all(limits_now.lower[i] <= limits_now.upper[i]))
                    return {errc::invalid_parameter, "limits", "must be numbers, the lower not above the upper; the lower one", detail::as_double(limits_now.lower[i]), true};
        }
        if constexpr (has_damping<typename E::constraint_type>)
            for (S const& x : damping_of<S>(entry.constraint).e)
                if (error e = detail::as_error(nonnegative_parameter("damping", x))) return e;
        if (!finite) return {errc::not_finite, "constraint", "must have finite parameters: its error or Jacobian is not finite here", 0, false};
        return {};
    }
    // Likewise a force: on the bodies it is added with, or on those that are there.
    template <class F>
    [[nodiscard]] constexpr error check_action([[maybe_unused]] detail::force_entry<F> const& entry) const {
        if constexpr (!checks) return {};
        bool finite = true;
        if constexpr (detail::force_arity<F>::value > 0) {
            std::apply([&](auto const&... w) { finite = (is_finite_push(w) && ...); }, wrenches_by(entry, time_));
        } else {
            for_each_map([&](auto const& g) {
                for (std::uint32_t i = 0; i < g.states.size(); ++i)
                    if (g.masses[i].movable) g.body(i).for_each_link([&](auto const& link, auto) { finite = finite && is_finite_push(entry.force.wrench_on(link, time_)); });
            });
            for (std::uint32_t i = 0; i < states_.size(); ++i)
                if (masses_[i].movable) {
                    wrench<S> const w = entry.force.wrench_on(seen(rigid{}, i), time_);
                    finite = finite && all(isfinite(w.force)) && all(isfinite(w.torque));
                }
            for (std::uint32_t i = 0; i < particle_states_.size(); ++i)
                if (particle_masses_[i].movable) finite = finite && all(isfinite(entry.force.wrench_on(seen(point_mass{}, i), time_).force));
        }
        return finite ? error{} : error{errc::not_finite, "force", "must have finite parameters: its wrench is not finite here", 0, false};
    }
    [[nodiscard]] static constexpr bool is_finite_push(wrench<S> const& w) { return all(isfinite(w.force)) && all(isfinite(w.torque)); }
    template <std::size_t N>
    [[nodiscard]] static constexpr bool is_finite_push(vec<S, N> const& f) {
        return all(isfinite(f));
    }
    // The bodies of a force as it sees them.
    [[nodiscard]] constexpr body_type seen(rigid, std::uint32_t i) const { return {masses_[i].mass, masses_[i].inertia, states_[i].pose, states_[i].twist}; }
    [[nodiscard]] constexpr particle_type seen(point_mass, std::uint32_t i) const {
        return {particle_masses_[i].mass, particle_states_[i].position, particle_states_[i].velocity};
    }
    template <class Map>
    [[nodiscard]] constexpr generalized_body<Map> seen(generalized<Map>, std::uint32_t i) const {
        return generalized_of<Map>().body(i);
    }
    template <class F>
    [[nodiscard]] constexpr auto wrenches_by(detail::force_entry<F> const& entry, S const& t) const {
        using A = typename F::attachments;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return entry.force.wrenches(seen(typename A::template kind<I>{}, entry.bodies[I])..., t);
        }(std::make_index_sequence<A::size>{});
    }
    template <class E>
    [[nodiscard]] constexpr vec<S, rows_v<typename E::constraint_type>> residual(E const& entry) const {
        auto const p = const_problem();
        if constexpr (is_holonomic_v<typename E::constraint_type, S>)
            return std::apply([&](auto const&... q) { return sinew::error_of(entry.constraint, q...); }, poses_of(p, entry));
        else
            return rate_of(entry.constraint, poses_of(p, entry), twists_of(p, entry));
    }
    template <class E>
    [[nodiscard]] constexpr wrench<S> wrench_of(E const& entry, std::size_t attachment) const {
        auto const p = const_problem();
        if constexpr (requires { E::constraint_type::on_links; })
            return std::apply([&](auto const&... q) { return entry.constraint.link_wrenches(entry.lambda, q...); }, poses_of(p, entry))[attachment];
        if constexpr (moving_normal_v<typename E::constraint_type>) return entry.pushed.wrenches[attachment];
        auto const J = entry_jacobian(p, entry);
        auto const Q = transpose_times(J, entry.lambda);
        wrench<S> w;
        std::size_t k = 0;
        for_each_attachment(entry, [&](auto kind, auto at, std::uint32_t) {
            if (k++ != attachment) return;
            if constexpr (!is_generalized_v<decltype(kind)>)
                for (std::size_t i = 0; i < 3; ++i) w.force[i] = Q[at + i];
            if constexpr (std::same_as<decltype(kind), rigid>)
                for (std::size_t i = 0; i < 3; ++i) w.torque[i] = Q[at + 3 + i];
        });
        return w;
    }
    // Reading only: solvers get the same view through make_problem.
    [[nodiscard]] constexpr auto const_problem() const { return const_cast<world*>(this)->make_problem(); }

    // f(pool) for each map.
    template <class F>
    constexpr void for_each_map(F&& f) {
        detail::for_each_of_maps(f, generalized_);
    }
    template <class F>
    constexpr void for_each_map(F&& f) const {
        detail::for_each_of_maps(f, generalized_);
    }
    // And f(pool, element of each of others...), which are tuples over the same maps.
    template <class F, class... Others>
    constexpr void for_each_of_maps(F&& f, Others&... others) {
        detail::for_each_of_maps(f, generalized_, others...);
    }
    template <class F, class... Others>
    constexpr void for_each_of_maps(F&& f, Others&... others) const {
        detail::for_each_of_maps(f, generalized_, others...);
    }
    // f(link index as a constant) of the link that has a number known at run time.
    template <class Map, class F>
    static constexpr void with_link(std::size_t link, F&& f) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((link == I ? f(std::integral_constant<std::size_t, I>{}) : void()), ...);
        }(std::make_index_sequence<detail::link_count_v<Map>>{});
    }
    template <class Map>
    [[nodiscard]] constexpr bool valid_link(generalized_handle<Map> const& h, std::size_t link) const {
        error const e = check_link(h, link);
        if (e) Config::errors::fail(e);
        return !e;
    }
    constexpr void gather_generalized(S const& t);

    // By forces; a body that sleeps may.
    [[nodiscard]] constexpr bool may_move(std::uint32_t body) const noexcept { return masses_[body].movable || this->sleeps(body); }
    // A body, and what touches it, if they sleep.
    constexpr void wake_with(std::uint32_t body) {
        if constexpr (env::has_shapes)
            colliding::wake_with(body);
        else
            this->wake_one(body);
    }
    // Those that constraints and forces bind to a body.
    constexpr void wake_bound_to([[maybe_unused]] std::uint32_t body) {
        if constexpr (env::sleeps) {
            [[maybe_unused]] auto const in = [&](auto& pool) {
                if constexpr (requires { pool.values()[0].bodies; })
                    for (auto const& e : pool.values())
                        for (std::uint32_t const i : e.bodies)
                            if (i == body) wake_bound(e);
            };
            std::apply([&](auto&... pool) { (in(pool), ...); }, constraints_);
            std::apply([&](auto&... pool) { (in(pool), ...); }, forces_);
        }
    }
    // The bodies of a constraint or force that comes, goes or changes.
    template <class E>
    constexpr void wake_bound([[maybe_unused]] E const& entry) {
        if constexpr (env::sleeps) {
            this->note_layout();
            auto const wake_all_of = [&]<class... K>(binds<K...>) {
                std::size_t k = 0;
                ((std::same_as<K, rigid> ? this->wake_one(entry.bodies[k++]) : void(++k)), ...);
            };
            if constexpr (requires { entry.constraint; }) {
                wake_all_of(attachments_t<typename E::constraint_type>{});
            } else if constexpr (requires { typename std::remove_cvref_t<decltype(entry.force)>::attachments; }) {
                wake_all_of(typename std::remove_cvref_t<decltype(entry.force)>::attachments{});
            } else {
                this->wake_all();
            }
        }
    }
    // What a solver sees of the user's constraints, type by type, and the contacts behind them.
    template <class... P, std::size_t... I>
    [[nodiscard]] constexpr auto solved_entries([[maybe_unused]] std::tuple<P...>& all, std::index_sequence<I...>) {
        [[maybe_unused]] auto const entries = [&](auto& pool, [[maybe_unused]] std::size_t type) {
            std::size_t n = pool.size();
            if constexpr (env::sleeps) n = this->awake_entries(type, n);
            return std::span(pool.values().data(), n);
        };
        auto const own = std::make_tuple(entries(std::get<I>(all), I)...);
        if constexpr (env::has_shapes)
            return std::tuple_cat(own, this->contact_entries());
        else
            return own;
    }
    // A number that changes with what solvers see.
    [[nodiscard]] constexpr std::uint32_t solved_contents() const noexcept {
        std::uint32_t c = contents_;
        if constexpr (env::has_shapes) c = (c ^ this->set_contents_) * 0x9e3779b1u + 0x7f4a7c15u;
        if constexpr (env::sleeps) c = (c ^ this->layout_) * 0x9e3779b1u + 0x7f4a7c15u;
        return c;
    }
    [[nodiscard]] static constexpr bool same_constraints(world const& a, world const& b) {
        if constexpr (env::sleeps)
            return [&]<std::size_t... I>(std::index_sequence<I...>) {
                return (std::tuple_element_t<I, typename pools::type>::same_by_slots(std::get<I>(a.constraints_), std::get<I>(b.constraints_)) && ...);
            }(std::make_index_sequence<env::user_types>{});
        else
            return a.constraints_ == b.constraints_;
    }

    template <class Kind>
    constexpr void remove_bound(std::uint32_t index);

    // f(entry) for each, in an order that sleep does not change.
    template <class Pool, class F>
    static constexpr void for_each_kept(Pool& pool, F&& f) {
        if constexpr (env::sleeps) {
            for (std::size_t s = 0; s < pool.slots().size(); ++s)
                if (pool.slots()[s].alive) f(pool.at_slot(static_cast<std::uint32_t>(s)));
        } else {
            for (auto& e : pool.values()) f(e);
        }
    }
    // What a solver keeps of a constraint from step to step.
    template <class E, class F>
    static constexpr void for_each_number(E& entry, F&& f) {
        for (auto& x : entry.lambda.e) f(x);
        if constexpr (E::memory_size > 0)
            for (auto& x : entry.memory.e) f(x);
    }

    // Stepping, in step.hpp.
    [[nodiscard]] constexpr error check_settings() const;
    constexpr void pass_time(S const& h);
    constexpr void clear_applied();
    constexpr void gather_forces(S const& t);
    constexpr void kick_all(S const& h);
    constexpr void drift_all(S const& h);
    constexpr bool take_impulses();
    constexpr bool strike_hits(S const& h);
    constexpr auto solve_accelerations(state_kind kind, S const& h);
    constexpr void step_accelerations(S const& h, step_report<S>& report);
    constexpr void step_velocities(S const& h, step_report<S>& report);
    constexpr void step_positions(S const& h, step_report<S>& report);
    constexpr void integrate(S const& h, step_report<S>& report);
    static constexpr void merge(step_report<S>& report, solve_report<S> const& r);
    constexpr bool is_finite() const;
    template <class Bodies, class Particles>
    [[nodiscard]] static constexpr bool are_finite(Bodies const& bodies, Particles const& particles);
    template <class States>
    [[nodiscard]] static constexpr bool are_finite_rates(States const& states);
    constexpr void note_overloads();
    constexpr std::size_t break_overloaded();
    constexpr void put_back(state_type const& s);
    constexpr void save_motion(state_type& s) const;
    constexpr void place_kinematic(state_type const& from, S const& after);
    template <class World>
    friend class motion_problem;
    template <class World>
    friend class detail::touch_finder;
    template <class World, class Integrator>
    friend class non_penetrating;

    array<rigid_state<S, R>, limits.bodies + 1> states_{};
    array<rigid_mass<S>, limits.bodies + 1> masses_{};
    array<inverse_mass<S>, limits.bodies + 1> inverse_masses_{};
    array<wrench<S>, limits.bodies + 1> applied_{};      // by the user, for the coming step
    array<wrench<S>, limits.bodies + 1> total_{};        // of a stage
    array<particle_state<S>, limits.particles> particle_states_{};
    array<particle_mass<S>, limits.particles> particle_masses_{};
    array<vec3<S>, limits.particles> particle_applied_{};
    array<vec3<S>, limits.particles> particle_total_{};
    slot_list<array<slot, limits.bodies + 1>> body_slots_{};
    slot_list<array<slot, limits.particles>> particle_slots_{};
    [[no_unique_address]] detail::generalized_pools_t<env> generalized_{};
    typename pools::type constraints_{};
    typename fpools::type forces_{};
    S time_{};
    S time_carry_{};
    std::uint32_t tag_ = 0;
    std::uint32_t contents_ = 0;
    bool has_breakables_ = false;
    state_type backup_{};
    [[no_unique_address]] std::conditional_t<keeps_start, detail::moving_states<env>, detail::no_side> start_{}, predicted_{};
    // Symplectic Euler is taken apart by the step itself.
    [[no_unique_address]] std::conditional_t<is_symplectic, detail::no_side, typename Config::integrator::template workspace<array<S, env::max_state>>> workspace_{};
    static constexpr S velocity_lead{is_symplectic ? value_type_t<S>(0.5) : value_type_t<S>(1)};  // of h, by which velocities that forces have just changed are ahead of positions
    S elapsed_{};  // s, of the present step
    static constexpr bool has_restitution = detail::any_restitution_v<typename env::constraint_types, S>;
    [[no_unique_address]] std::conditional_t<has_restitution, std::conditional_t<has_lanes_v<S>, impacts_in_lanes<env>, impacts<env>>, detail::no_side> impacts_{};  // of one step
    error last_error_{};

    static_assert(pools::check());
};

}  // namespace sinew::inline v0
