#pragma once
// What a world asks of its config and of its list, checked before anything else of it is compiled: one sentence each.

#include <sinew/collision/broad_phase.hpp>
#include <sinew/collision/half_space_lanes.hpp>
#include <sinew/constraint/check_members.hpp>
#include <sinew/geometry/check_shape.hpp>
#include <sinew/rotation/rotation.hpp>
#include <sinew/solver/solver.hpp>
#include <sinew/world/config.hpp>

namespace sinew::inline v0 {

// The atoms of a config.

/// Names a scalar.
template <class Config>
concept has_config_scalar = requires { requires scalar<typename Config::scalar>; };
/// Names a template over the scalar that represents a rotation.
template <class Config>
concept has_config_rotation = has_config_scalar<Config> && requires { requires rotation_like<typename Config::template rotation<typename Config::scalar>>; };
/// Names a storage: the kind of its arrays, and how much fits into them.
template <class Config>
concept has_config_storage = requires {
    { Config::storage::is_static } -> std::convertible_to<bool>;
    { Config::storage::limits } -> std::convertible_to<capacities>;
    typename Config::storage::template array<typename Config::scalar, 1>;
};
/// Names an integrator, with a workspace over the storage's arrays.
template <class Config>
concept has_config_integrator = has_config_storage<Config> && has_order<typename Config::integrator> && has_buffers<typename Config::integrator> && requires {
    typename Config::integrator::template workspace<typename Config::storage::template array<typename Config::scalar, 1>>;
};

namespace detail {
template <template <class> class Strategy>
struct strategy_template {};
}  // namespace detail

/// Names a solver, which has a strategy over the world's environment.
template <class Config>
concept has_config_solver = requires { typename detail::strategy_template<Config::solver::template strategy>; };
/// Names what a refused input does.
template <class Config>
concept has_config_errors = requires(error const& e) { Config::errors::fail(e); };
/// Says which state variables the equations of motion have.
template <class Config>
concept has_config_form = requires {
    { Config::form } -> std::convertible_to<motion_form>;
};

/// Says whether what is at rest sleeps, if it says so.
template <class Config>
concept has_config_sleep = !requires { typename Config::sleep; } || (has_config_scalar<Config> && requires {
    { Config::sleep::is_active } -> std::convertible_to<bool>;
    typename Config::sleep::template settings<typename Config::scalar>;
});

/// Says how shapes collide; asked of worlds that list some.
template <class Config>
concept has_config_collisions = has_config_scalar<Config> && requires {
    typename Config::broad_phase;
    typename Config::template contact<typename Config::scalar>;
    typename Config::combination;
    typename Config::pair_filter;
    typename Config::contact_rule;
    { Config::resists_rolling } -> std::convertible_to<bool>;
};

/// All that a world needs to know before it knows its constraints.
template <class Config>
concept world_config = has_config_scalar<Config> && has_config_rotation<Config> && has_config_storage<Config> && has_config_integrator<Config> &&
                       has_config_solver<Config> && has_config_errors<Config> && has_config_form<Config>;

/// Turns a missing part of a config into one sentence.
template <class Config>
constexpr void check_config() noexcept {
    static_assert(std::is_class_v<Config>, "sinew: the first argument of sinew::world is its config: sinew::default_config, or a struct derived from it.");
    if constexpr (std::is_class_v<Config>) {
        static_assert(has_config_scalar<Config>,
                      "sinew: this config's `scalar` is no number that sinew can compute with; say `using scalar = float;`, double or long double, or a type that "
                      "satisfies sinew::scalar.");
        static_assert(has_config_errors<Config>,
                      "sinew: this config's `errors` is no error policy; say `using errors = sinew::throw_errors;`, sinew::null_errors, sinew::error_codes, sinew::trusted_input or "
                      "sinew::call_errors<F>, or a type with `static void fail(sinew::error const&)`.");
        static_assert(has_config_form<Config>, "sinew: this config's `form` is no sinew::motion_form: momentum or velocity.");
        static_assert(has_config_storage<Config>,
                      "sinew: this config's `storage` is no storage; say `using storage = sinew::dynamic_storage;` or `using storage = "
                      "sinew::static_storage<sinew::capacities{.bodies = 16, .constraints = 32}>;`.");
        static_assert(has_config_solver<Config>,
                      "sinew: this config's `solver` is no solver; say `using solver = sinew::sequential_impulses;`, sinew::nonlinear_gauss_seidel or "
                      "sinew::lagrange_multipliers<sinew::sparse_ldlt>, or a type with a member template `strategy<Env>`.");
        static_assert(!has_config_scalar<Config> || has_config_sleep<Config>,
                      "sinew: this config's `sleep` is no policy of sleep; say `using sleep = sinew::island_sleep;` or sinew::never_sleep.");
        if constexpr (has_config_scalar<Config>)
            static_assert(has_config_rotation<Config>,
                          "sinew: this config's `rotation` represents no rotation; say `template <class S> using rotation = sinew::quaternion<S>;`, "
                          "sinew::rotation_matrix<S> or sinew::rotation_vector<S>, or a template that satisfies sinew::rotation_like.");
        if constexpr (has_config_scalar<Config> && has_config_storage<Config>)
            static_assert(has_config_integrator<Config>,
                          "sinew: this config's `integrator` is no integrator; say `using integrator = sinew::symplectic_euler;`, sinew::rk4 or another of "
                          "sinew/ode, or a type with `order`, `buffers`, `attempt`, `workspace` and `step` like those.");
    }
}

namespace detail {
// A shape, and nothing else that a world may hold.
template <class T, class S>
inline constexpr bool is_shape_item = !has_coordinates<T> && !constraint_for<T, S> && !force_for<T, S> && shape_like<T, S>;

template <class T, class S>
inline constexpr bool is_meant_as_shape = !constraint_for<T, S> && !force_for<T, S> && names_support<T>;

// A shape of a world whose scalar has lanes.
template <class T, class S>
concept meets_planes_in_lanes = has_feet<T, S> || std::same_as<T, half_space<S>>;

struct links_name {
    void links();
};
template <class T>
concept names_links = can_be_joined<T> && !requires { &joined<T, links_name>::links; };
}  // namespace detail

/// A type of the list must be a constraint, a force, or the map of generalized bodies; which one it was meant to be shows in what it
/// has: a map says how many coordinates it has.
template <class T, class S>
constexpr void check_item() noexcept {
    if constexpr (has_coordinates<T>) {
        check_body_map<T, S>();
    } else if constexpr (detail::is_shape_item<T, S> || detail::is_meant_as_shape<T, S>) {
        check_shape<T, S>();
    } else if constexpr (!force_for<T, S>) {
        if constexpr (meant_as_force<T>)
            check_force<T, S>();
        else if constexpr (!constraint_for<T, S> && detail::names_links<T>)
            check_body_map<T, S>();
        else
            check_constraint<T, S>();
        if constexpr (constraint_for<T, S>) check_members<T, S>();
    }
}

/// Room for what is listed.
template <class Storage, std::size_t Constraints, std::size_t Forces, std::size_t Maps, std::size_t Shapes>
constexpr void check_capacities() noexcept {
    if constexpr (Storage::is_static) {
        constexpr capacities limits = Storage::limits;
        constexpr bool has_room = limits.bodies + limits.particles + limits.generalized > 0;
        static_assert(has_room,
                      "sinew: this static_storage has no capacities; say how many, as in sinew::static_storage<sinew::capacities{.bodies = 16, .constraints = "
                      "32}>.");
        static_assert(!has_room || Constraints == 0 || limits.constraints > 0,
                      "sinew: the world lists constraints, but its static_storage has room for none; say how many of each type: "
                      "sinew::capacities{.constraints = 32}.");
        static_assert(!has_room || Maps == 0 || limits.generalized > 0,
                      "sinew: the world lists body maps, but its static_storage has room for none; say how many bodies over each map: "
                      "sinew::capacities{.generalized = 4}.");
        static_assert(!has_room || Shapes == 0 || (limits.colliders > 0 && limits.contacts > 0),
                      "sinew: the world lists shapes, but its static_storage has no room for colliders or for contacts; say how many: "
                      "sinew::capacities{.colliders = 16, .contacts = 64}.");
        static_assert(!has_room || Forces == 0 || limits.forces > 0,
                      "sinew: the world lists forces, but its static_storage has room for none; say how many of each type: sinew::capacities{.forces = 4}.");
    }
}

/// Whether a solver can honour a constraint: one sentence for each thing that it may be unable to do.
template <class Strategy, class C, class S>
constexpr void check_honoured() noexcept {
    constexpr solver_abilities can = detail::abilities_of<Strategy>();
    static_assert(can.bounds || !is_bounded_v<C, S>,
                  "sinew: this solver cannot honour one of the world's constraints: it solves equalities only, and the constraint bounds its multipliers "
                  "(it has limits). Choose an iterative solver such as nonlinear_gauss_seidel or, unless the scalar has lanes, lagrange_multipliers<dantzig>; or take the constraint off the list.");
    static_assert(can.update_rules || !has_update_v<C, S>,
                  "sinew: this solver cannot honour one of the world's constraints: the constraint has an update rule of its own for its multipliers, which only an "
                  "iterative solver such as nonlinear_gauss_seidel can follow. Choose one, or take the constraint off the list.");
    static_assert(can.moving_normals || !moving_normal_v<C>,
                  "sinew: this solver cannot honour one of the world's constraints: it takes the Jacobian at the start of the step, or in fixed point, and the constraint's "
                  "Jacobian vanishes where it holds (moving_normal). Take point_to_point and parallel_axes instead, or a position-level solver such as nonlinear_gauss_seidel.");
    static_assert(can.soft_rates || is_holonomic_v<C, S> || !has_compliance<C>,
                  "sinew: this solver cannot honour one of the world's constraints: the constraint is soft at velocity level, a friction force that acceleration-level "
                  "multipliers do not know. Make it a force, or choose a solver such as nonlinear_gauss_seidel.");
}

namespace detail {

template <class T, class... All>
inline constexpr std::size_t times_listed = (static_cast<std::size_t>(std::is_same_v<T, All>) + ... + 0);

// All that can be said before the world's environment is made of the list.
template <class Config, template <class> class... Items>
[[nodiscard]] constexpr bool check_world() noexcept {
    check_config<Config>();
    if constexpr (world_config<Config>) {
        using S = typename Config::scalar;
        (check_item<Items<S>, S>(), ...);
        static_assert(((times_listed<Items<S>, Items<S>...> == 1) && ...),
                      "sinew: the world lists one type twice, perhaps under two names (ball_joint is point_to_point); list it once.");
        constexpr std::size_t maps = ((has_coordinates<Items<S>> ? 1 : 0) + ... + 0), forces = ((force_for<Items<S>, S> ? 1 : 0) + ... + 0);
        constexpr std::size_t shapes = ((is_shape_item<Items<S>, S> ? 1 : 0) + ... + 0);
        check_capacities<typename Config::storage, sizeof...(Items) - maps - forces - shapes, forces, maps, shapes>();
        static_assert(!has_lanes_v<S> || !requires { Config::integrator::iterates; },
                      "sinew: an implicit integrator iterates until its equations are solved, in another number of iterations in every lane; a world whose scalar has lanes "
                      "takes an explicit one, such as symplectic_euler or rk4.");
        static_assert(!has_lanes_v<S> || ((!is_shape_item<Items<S>, S> || meets_planes_in_lanes<Items<S>, S>) && ...),
                      "sinew: a world whose scalar has lanes lists no shapes but sphere, capsule, box and half_space: of any other, which of its points touch differs from lane to "
                      "lane. Step a world of each variant, or hold bodies above a plane by an inequality of your own: a constraint with `limits`.");
        static_assert(!has_lanes_v<S> || !config_sleeps<Config>(), "sinew: a world whose scalar has lanes does not sleep: what is at rest in one lane moves in another.");
        static_assert(shapes == 0 || has_config_collisions<Config>,
                      "sinew: the world lists shapes, but its config does not say how they collide; derive it from sinew::default_config, or give it `broad_phase`, "
                      "`contact`, `combination`, `pair_filter`, `contact_rule` and `resists_rolling` like that.");
        if constexpr (shapes > 0 && !has_lanes_v<S> && has_config_collisions<Config>)
            static_assert(has_broad_phase_index<typename Config::broad_phase, S>,
                          "sinew: this config's `broad_phase` finds no pairs; it is bounding_volume_tree, sweep_and_prune, brute_force, no_broad_phase, or a struct with a class "
                          "template index like theirs: see sinew/collision/broad_phase.hpp.");
        if constexpr (shapes > 0 && has_lanes_v<S> && has_config_collisions<Config>) {
            static_assert(std::same_as<typename Config::contact_rule, plain_contacts>,
                          "sinew: a world whose scalar has lanes has no contact_rule: a manifold has other points in every lane. Change materials, or step a world of each variant.");
            static_assert(!Config::resists_rolling, "sinew: a world whose scalar has lanes knows no rolling friction of its contacts; leave `resists_rolling` false.");
        }
    }
    return true;
}
// And with it.
template <class Strategy, class Problem, class S, class... Cs>
[[nodiscard]] constexpr bool check_strategy() noexcept {
    static_assert(solver_for<Strategy, Problem, S>,
                  "sinew: this config's `solver` has a strategy without `level`, or whose `solve` does not take what is solved at that level and return a "
                  "sinew::solve_report; see sinew/solver/solver.hpp.");
    (check_honoured<Strategy, Cs, S>(), ...);
    static_assert(!has_lanes_v<S> || abilities_of<Strategy>().lanes,
                  "sinew: this solver cannot step a world whose scalar has lanes: it chooses rows and pivots by their numbers, which differ from lane to lane. Choose "
                  "sequential_impulses, nonlinear_gauss_seidel or another iterative solver, or lagrange_multipliers or lagrange_impulses with cholesky or ldlt.");
    static_assert(!has_lanes_v<S> || abilities_of<Strategy>().soft_in_lanes || ((!has_compliance<Cs>) && ...),
                  "sinew: this solver cannot honour one of the world's constraints in lanes: it is soft, and a row with compliance leaves the linear system, which cannot "
                  "have other rows in other lanes. Make it a force, or choose an iterative solver such as sequential_impulses.");
    static_assert(!has_lanes_v<S> || abilities_of<Strategy>().contacts_in_lanes || !(is_contact_v<Cs> || ...),
                  "sinew: this solver cannot step contacts in lanes: they are there in some lanes and not in others. Choose sequential_impulses, or a world for each variant.");
    static_assert(!has_lanes_v<S> || std::same_as<typename Problem::map_types, map_list<>>,
                  "sinew: a world whose scalar has lanes holds no bodies in reduced coordinates: the motion of one ends its iterations when it has converged, which differs from "
                  "lane to lane. Use rigid bodies and constraints, or a world for each variant.");
    static_assert(abilities_of<Strategy>().generalized_bodies || std::same_as<typename Problem::map_types, map_list<>>,
                  "sinew: this solver cannot honour the world's body maps: it knows rigid bodies and particles only. Choose another solver, such as "
                  "lagrange_multipliers or nonlinear_gauss_seidel, or take the maps off the list.");
    return true;
}

}  // namespace detail

}  // namespace sinew::inline v0
