#pragma once
// The solver concept: what a strategy must offer to be named as `using solver = ...` in a config.
//
// A solver is a struct with a member template strategy<Env>, a regular value that world::step calls at its level:
//
//   acceleration   solve(p, forces, particle_forces)    inside every derivative: adds the constraint forces to the applied ones; may take
//                                                       a fourth argument, state_kind: whether a step begins here
//                  solve_step(p, forces, particle_forces, h)   optional: the same for a step of symplectic Euler
//                  impulses(p)                          optional: where a step begins, changes velocities; whether it did
//                  step_impulses(p, h)                  optional: the same for a step of symplectic Euler
//   velocity       begin(p, h)                          optional: once before the first substep; h is the whole step
//                  solve(p, h)                          on velocities, after the forces and before the bodies move by h
//                  relax(p, h)                          optional: on velocities, after the bodies have moved by h
//                  finish(p, h)                         optional: once after the last substep; h is the whole step
//   position       solve(p, h)                          on the states that the integrator predicts; sets velocities to match
//
// Optional at every level:
//   substeps            the step is taken in as many equal parts
//   project(p, h)       at acceleration and velocity level: after the bodies have moved, puts them back onto the constraints
//   in_parts(count, f)  f(first, last) of parts of 0 ... count - 1 on the strategy's threads: loops over bodies
//   body_lanes          static constexpr: how many bodies move at a time
//   forget()            a step has come to nothing and is taken back: what was kept of it is not to be begun with
//   fault()             why its tuning numbers cannot be
//   abilities           solver_abilities: what it can honour; everything unless it says otherwise
//   operator==          over its tuning numbers
//   memory_per_row      static constexpr, of the solver itself: numbers per row that must survive with the world's state
//
// Env is what the world is made of: Env::scalar, Env::rotation, Env::constraint_types (a tuple), and Env::template array<T, N>, a vector that grows or, with
// static_storage, has room for N. There may be Env::limits.bodies + 1 rigid bodies with the ground, Env::max_nodes bodies of all kinds,
// Env::template most_of<C> constraints of type C, and Env::max_rows rows.

#include <sinew/solver/problem.hpp>

namespace sinew::inline v0 {

template <class T>
concept has_level = requires {
    { T::level } -> std::convertible_to<solver_level>;
};

/// Solves a problem at the acceleration level: adds constraint forces to the applied forces.
template <class T, class P, class S>
concept solves_accelerations = requires(T t, P const& p, std::span<wrench<S>> f, std::span<vec3<S>> g) {
    { t.solve(p, f, g) } -> std::same_as<solve_report<S>>;
};
/// Solves a problem at the velocity or position level, in place, for a step of h seconds.
template <class T, class P, class S>
concept solves_steps = requires(T t, P const& p, S h) {
    { t.solve(p, h) } -> std::same_as<solve_report<S>>;
};

namespace detail {
template <class T>
[[nodiscard]] constexpr solver_abilities abilities_of() noexcept {
    if constexpr (requires {
                      { T::abilities } -> std::convertible_to<solver_abilities>;
                  })
        return T::abilities;
    else
        return {};
}
}  // namespace detail

/// Whether strategy T can honour constraint C over scalar S.
template <class T, class C, class S>
inline constexpr bool honours_v = (detail::abilities_of<T>().bounds || !is_bounded_v<C, S>) && (detail::abilities_of<T>().update_rules || !has_update_v<C, S>) &&
                                  (detail::abilities_of<T>().moving_normals || !moving_normal_v<C>) &&
                                  (detail::abilities_of<T>().soft_rates || is_holonomic_v<C, S> || !has_compliance<C>);

/// A strategy that can solve problem P over scalar S.
template <class T, class P, class S>
concept solver_for = has_level<T> && (T::level == solver_level::acceleration ? solves_accelerations<T, P, S> : solves_steps<T, P, S>);

}  // namespace sinew::inline v0
