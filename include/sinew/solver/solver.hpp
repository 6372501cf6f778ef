#pragma once
// The solver concept: what a strategy must offer to be named as `using solver = ...` in a config.

#include <sinew/solver/lagrange_multipliers.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>

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

/// A strategy that can solve problem P over scalar S.
template <class T, class P, class S>
concept solver_for = has_level<T> && (T::level == solver_level::acceleration ? solves_accelerations<T, P, S> : solves_steps<T, P, S>);

}  // namespace sinew::inline v0
