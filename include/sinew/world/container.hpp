#pragma once
// The class behind world.hpp: what a world holds, and what it offers. What it does stands in files of their own: adding.hpp and removing.hpp,
// body_access.hpp and constraint_access.hpp, step.hpp, totals.hpp, saving.hpp.
//
//   sinew::world<my_config, sinew::ball_joint, my_rod, sinew::spring, my_arm> world;
//
// The list after the config names the templates of the constraints and forces that it may hold, and the maps of generalized
// bodies: one contiguous pool per type, loops over the pools unrolled at compile time. A world is a regular value: a copy is a snapshot, assigning
// it back is a rollback, == compares, and stepping a copy gives the same bits.

#include <sinew/body/force.hpp>
#include <sinew/body/parameter_fault.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/solver/impacts.hpp>
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
#include <sinew/world/world_pools.hpp>
#include <sinew/world/world_state.hpp>

namespace sinew::inline v0 {

// Of simulation_groups.hpp, world_part.hpp and touch_finder.hpp.
template <class World>
class simulation_groups;
namespace detail {
template <class World>
class world_part;
template <class World>
class touch_finder;
template <class World, class Entry>
class touching_contacts;
template <class World, class Contacts, class Impulses>
struct hit_resolution;
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
    template <class W, class Env, class BroadPhase, class Shapes>
    friend class detail::collider_access;
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
    using error_type = detail::error_told_to<typename Config::errors>;  ///< `error`, or what its policy wants instead
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
        put_body(body_slots_.take(0), {}, {});
    }

    // ---- bodies

    /// Adds a rigid body. Refuses a mass that is not positive, an inertia that no body can have, a rotation that is
    /// none, and anything not finite.
    constexpr body_handle add(body_type const& b);
    /// Adds a body that no force moves: fixed, or kinematic if it is given a twist.
    constexpr body_handle add_fixed(pose_type const& p, sinew::twist<S> const& t = {});
    /// Adds a particle.
    constexpr particle_handle add(particle_type const& b);
    /// Adds a particle that no force moves.
    constexpr particle_handle add_fixed_particle(vec3<S> const& position);
    /// Adds a body in reduced coordinates. Refuses masses that are negative or that leave a coordinate without inertia, links that are
    /// nowhere, and anything not finite.
    template <class Map>
    constexpr generalized_handle<Map> add(generalized_body<Map> const& b);
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
        else if constexpr (!detail::is_body_v<C>)
            return add_constraint(c, handles...);
        else
            return {};  // has been refused
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
        return fault_of_handle(h).code == errc::none;
    }
    /// Removes a body, with the constraints and forces bound to it.
    constexpr bool remove(body_handle const& h);
    constexpr bool remove(particle_handle const& h);
    template <class Map>
    constexpr bool remove(generalized_handle<Map> const& h);
    template <class C>
    constexpr bool remove(handle<C> const& h);

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

    constexpr bool set_pose(body_handle const& h, pose_type const& p);
    constexpr bool set_twist(body_handle const& h, sinew::twist<S> const& t);
    constexpr bool set_position(particle_handle const& h, vec3<S> const& x);
    constexpr bool set_velocity(particle_handle const& h, vec3<S> const& v);
    /// Adds a force (N, world) at a world point (m), and a torque (N m), for the coming step only.
    constexpr bool apply_force(body_handle const& h, vec3<S> const& force, vec3<S> const& point);
    constexpr bool apply_wrench(body_handle const& h, wrench<S> const& w);
    constexpr bool apply_force(particle_handle const& h, vec3<S> const& force);

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
    constexpr bool set_coordinates(generalized_handle<Map> const& h, vec<S, Map::coordinates> const& u);
    template <class Map>
    constexpr bool set_rates(generalized_handle<Map> const& h, vec<S, Map::coordinates> const& rates);
    /// Adds a force on the coordinates (N, N m), for the coming step only.
    template <class Map>
    constexpr bool apply_force(generalized_handle<Map> const& h, vec<S, Map::coordinates> const& force);
    /// Adds a force (N, world) on a link at a world point (m), or a wrench about its centre, for the coming step only.
    template <class Map>
    constexpr bool apply_force(generalized_handle<Map> const& h, std::size_t link, vec3<S> const& force, vec3<S> const& point);
    template <class Map>
    constexpr bool apply_wrench(generalized_handle<Map> const& h, std::size_t link, wrench<S> const& w);

    // ---- reading constraints

    /// The constraint, force or shape itself, to read it.
    template <class C>
    [[nodiscard]] constexpr C get(handle<C> const& h) const;
    /// Replaces its parameters: a motor's target, a spring's stiffness.
    template <class C>
    constexpr bool set(handle<C> const& h, C const& c);
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
    [[nodiscard]] constexpr wrench<S> wrench_on(handle<C> const& h, std::size_t i) const;
    /// Removes the constraint after a step in which its force (N) or torque (N m) on a body exceeded these.
    template <class C>
    constexpr bool set_break_threshold(handle<C> const& h, S const& force, S const& torque = infinity_v<S>);

    // ---- stepping

    /// Advances by h seconds. Allocates nothing once it has run with the present contents. A step that would yield a
    /// state that is not finite is not taken.
    constexpr step_report<S> step(S const& h);

    /// Seconds stepped so far, or since what set_time said. A step after which it would be out of the scalar's range is not taken: in Q15.16, one of more than nine hours.
    [[nodiscard]] constexpr S time() const noexcept { return time_; }
    /// Goes on counting from there: for worlds that run for longer than their scalar can count, and forces that ask for the time.
    constexpr bool set_time(S const& t);

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
    /// In some lanes alone, while the others stay as they are: `world.restore(start, ended)` where episodes have ended. Over a scalar
    /// without lanes all of it, or nothing. Refused also if static storage has no room for the contacts of both.
    constexpr bool restore(state_type const& s, mask_t<S> const& lanes);

    /// Bodies, constraints, forces, multipliers, time, pending forces and tuning numbers are the same: stepped alike, both go
    /// on alike. Needs == of every type in the list.
    [[nodiscard]] friend constexpr bool operator==(world const& a, world const& b) {
        constexpr bool comparable = pools::all_comparable && fpools::all_comparable && detail::generalized_pools_over<env, typename env::map_types>::all_comparable;
        static_assert(comparable,
                      "sinew: worlds can be compared only if every constraint, force and map in the list can; give yours "
                      "`friend constexpr bool operator==(my_type const&, my_type const&) = default;`.");
        if constexpr (!comparable) return false;
        else return a.gravity == b.gravity && a.states_ == b.states_ && a.masses_ == b.masses_ && a.body_slots_ == b.body_slots_ &&
               a.particle_states_ == b.particle_states_ && a.particle_masses_ == b.particle_masses_ && a.particle_slots_ == b.particle_slots_ &&
               a.generalized_ == b.generalized_ && same_constraints(a, b) && colliding::equal_colliders(a, b) && sleeping::equal_rest(a, b) && a.forces_ == b.forces_ && a.applied_ == b.applied_ && a.particle_applied_ == b.particle_applied_ &&
               detail::all_same(a.time_, b.time_, a.time_carry_, b.time_carry_, a.gyroscopic, b.gyroscopic) && detail::equal_as_far_as_shown(a.solver, b.solver) &&
               detail::equal_as_far_as_shown(a.integrator, b.integrator);
    }

    /// Why the last refused change was refused. Reading by a dead handle changes nothing, so it leaves no reason here: contains()
    /// tells.
    [[nodiscard]] constexpr error_type const& last_error() const noexcept { return last_error_; }

    /// The problem that a solver sees, for diagnostics and tests.
    [[nodiscard]] constexpr auto make_problem();

private:
    static constexpr bool checks = !detail::trusts_input<typename Config::errors>;  // of input
    using input = detail::input_checks<checks, error_type>;
    static constexpr bool breaks = detail::config_breaks<Config>();
    static constexpr bool has_maps = !std::same_as<typename env::map_types, map_list<>>;
    static constexpr bool is_symplectic = std::same_as<typename Config::integrator, symplectic_euler>;
    static constexpr bool keeps_start = strategy_type::level == solver_level::velocity && !is_symplectic;
    template <class T, std::size_t N>
    using array = typename env::template array<T, N>;
    static constexpr capacities limits = env::limits;

    using pools = detail::constraint_pools<env, typename detail::plain_types<typename detail::environment_for<Config, Items...>::constraints>::type>;
    using fpools = detail::force_pools<env, force_types>;

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
    constexpr Result refuse(error_type const& e) {
        last_error_ = e;
        Config::errors::fail(e);
        return Result{};
    }
    [[nodiscard]] static constexpr error_type full(char const* what, std::size_t capacity) noexcept {
        return {errc::full, what, "are all in use: the static storage is full; its capacity", static_cast<error_number>(capacity), true};
    }
    [[nodiscard]] static constexpr error_type check(body_type const& b) noexcept;
    template <class T>
    [[nodiscard]] constexpr error_type check([[maybe_unused]] handle<T> const& h) const noexcept {
        if constexpr (checks)
            return fault_of_handle(h);
        else
            return {};
    }
    // Why a handle names nothing here.
    template <class Slots, class T>
    [[nodiscard]] constexpr error_type fault_of_slot(Slots const& slots, handle<T> const& h, char const* name) const noexcept;
    [[nodiscard]] constexpr error_type fault_of_handle(body_handle const& h) const noexcept;
    [[nodiscard]] constexpr error_type fault_of_handle(particle_handle const& h) const noexcept { return fault_of_slot(particle_slots_, h, "particle handle"); }
    template <class C>
    [[nodiscard]] constexpr error_type fault_of_handle(handle<C> const& h) const noexcept;
    template <class Map>
    [[nodiscard]] constexpr error_type fault_of_handle(generalized_handle<Map> const& h) const noexcept;
    template <class Map>
    [[nodiscard]] constexpr error_type check_link(generalized_handle<Map> const& h, std::size_t link) const noexcept;
    [[nodiscard]] constexpr error_type check_settable(body_handle const& h) const noexcept;
    template <class T>
    [[nodiscard]] constexpr bool valid(handle<T> const& h) const {
        error_type const e = check(h);
        if (e) Config::errors::fail(e);
        return !e;
    }

    constexpr bool apply(body_handle const& h, wrench<S> const& w);
    constexpr bool apply(wrench<S>& applied, wrench<S> const& w);

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

    constexpr void put_body(std::uint32_t i, rigid_state<S, R> const& state, rigid_mass<S> const& m);
    constexpr body_handle place_body(rigid_state<S, R> const& state, rigid_mass<S> const& m);
    constexpr particle_handle place_particle(particle_state<S> const& state, particle_mass<S> const& m);

    template <class... H>
    [[nodiscard]] constexpr error_type check_bodies(H const&... handles) const;

    template <class C, class... H>
    constexpr handle<C> add_constraint(C const& c, H const&... handles);
    template <class F, class... H>
    constexpr handle<F> add_force(F const& f, H const&... handles);

    [[nodiscard]] constexpr std::size_t row_count() const noexcept {
        return detail::call_with([](auto const&... p) { return ((p.size() * rows_v<typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type>) + ... + 0); }, constraints_);
    }
    template <class E>
    [[nodiscard]] constexpr error_type check_evaluation(E const& entry) const;
    template <class F>
    [[nodiscard]] constexpr error_type check_action(detail::force_entry<F> const& entry) const;
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
    [[nodiscard]] constexpr auto wrenches_by(detail::force_entry<F> const& entry, S const& t) const;
    template <class E>
    [[nodiscard]] constexpr vec<S, rows_v<typename E::constraint_type>> residual(E const& entry) const;
    template <class E, class P, class Poses>
    [[nodiscard]] static constexpr vec<S, rows_v<typename E::constraint_type>> residual(E const& entry, P const& p, Poses const& poses);
    template <class E>
    [[nodiscard]] constexpr wrench<S> wrench_of(E const& entry, std::size_t attachment) const;
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
        error_type const e = check_link(h, link);
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
    template <class... P, std::size_t... I>
    [[nodiscard]] constexpr auto solved_entries(std::tuple<P...>& all, std::index_sequence<I...>);
    [[nodiscard]] constexpr std::uint32_t solved_contents() const noexcept;
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
    // What a solver keeps of a constraint from step to step: vectors, and their numbers.
    template <class E, class F>
    static constexpr void for_each_vector(E& entry, F const& f) {
        f(entry.lambda);
        if constexpr (E::memory_size > 0) f(entry.memory);
    }
    template <class E, class F>
    static constexpr void for_each_number(E& entry, F const& f) {
        for_each_vector(entry, [&](auto& v) {
            for (auto& x : v.e) f(x);
        });
    }

    // f(wrench) for each that a constraint is remembered by.
    template <class Pools, class F>
    static constexpr void for_each_wrench(Pools& pools, F const& f) {
        detail::for_each_in(pools, [&](auto& p) {
            if constexpr (requires { p.values()[0].pushed.wrenches; })
                for_each_kept(p, [&](auto& e) {
                    for (auto& w : e.pushed.wrenches) f(w);
                });
        });
    }

    // Stepping.
    [[nodiscard]] constexpr error_type check_settings() const;
    constexpr void pass_time(S const& h);
    constexpr void clear_applied();
    constexpr void gather_forces(S const& t);
    constexpr void gather_other_weights(S const& t);
    constexpr void expect_forces();
    [[nodiscard]] constexpr bool has_force_objects() const noexcept;
    [[nodiscard]] constexpr wrench<S> expected_force(std::uint32_t i) const;
    [[nodiscard]] constexpr sinew::twist<S> expected_push(std::uint32_t i, S const& h) const;
    [[nodiscard]] constexpr sinew::twist<S> expected_push_awake(std::uint32_t i, S const& h) const;
    [[nodiscard]] constexpr sinew::twist<S> push_of(std::uint32_t i, rigid_mass<S> const& m, wrench<S> const& total, S const& h) const;
    template <class F>
    constexpr void in_parts(F const& f);
    // How many bodies move at a time.
    static constexpr std::size_t body_lanes = [] {
        if constexpr (requires { strategy_type::body_lanes; })
            return strategy_type::body_lanes;
        else
            return std::size_t{1};
    }();
    constexpr void kick_all(S const& h);
    constexpr void kick_others(S const& h);
    constexpr void gather_and_kick(S const& h);
    constexpr void drift_all(S const& h);
    constexpr bool take_impulses();
    constexpr bool strike_hits(S const& h);
    constexpr auto solve_accelerations(state_kind kind, S const& h);
    constexpr void step_accelerations(S const& h, step_report<S>& report);
    constexpr void step_velocities(S const& h, step_report<S>& report);
    constexpr void step_positions(S const& h, step_report<S>& report);
    constexpr void integrate(S const& h, step_report<S>& report);
    constexpr mask_t<S> project_rotations();
    static constexpr void merge(step_report<S>& report, solve_report<S> const& r);
    static constexpr void commit_unless(mask_t<S> const& failed, step_report<S>& report);
    [[nodiscard]] constexpr mask_t<S> is_finite() const;
    template <class Bodies, class Particles>
    [[nodiscard]] static constexpr mask_t<S> are_finite(Bodies const& bodies, Particles const& particles);
    template <class States>
    [[nodiscard]] static constexpr mask_t<S> are_finite_rates(States const& states);
    constexpr void note_overloads();
    constexpr std::size_t break_overloaded();
    [[nodiscard]] constexpr error_type check_state(state_type const& s, mask_t<S> const& lanes) const;
    constexpr void put_back(state_type const& s);
    constexpr void save_motion(state_type& s) const;
    constexpr void place_kinematic(state_type const& from, S const& after);
    template <class World>
    friend class motion_problem;
    template <class World>
    friend class detail::touch_finder;
    template <class World, class Entry>
    friend class detail::touching_contacts;
    template <class World, class Contacts, class Impulses>
    friend struct detail::hit_resolution;
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
    [[no_unique_address]] std::conditional_t<has_restitution, impacts<env>, detail::no_side> impacts_{};  // of one step
    error_type last_error_{};

    static_assert(pools::check());
};

}  // namespace sinew::inline v0
