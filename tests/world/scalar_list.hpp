#pragma once
// The scalars, the strategies and the integrators that worlds are built of, and which pairs have no meaning, with the reason.

#include <sinew/sinew.hpp>

#include <cstddef>

namespace scalar_matrix {

using namespace sinew;

using q16 = fixed<15, 16>;
using q32 = fixed<31, 32>;

// ---- what the library says of itself

struct plain_config : default_config {
    using scalar = double;
};
template <class Solver>
struct config_of : plain_config {
    using solver = Solver;
};
template <class Solver>
inline constexpr solver_abilities abilities = detail::abilities_of<typename world<config_of<Solver>>::strategy_type>();

template <class Solver>
inline constexpr bool is_descent = false;
template <>
inline constexpr bool is_descent<vertex_block_descent> = true;
template <>
inline constexpr bool is_descent<augmented_lagrangian> = true;
template <class Solver>
inline constexpr bool goes_by_squares = false;
template <>
inline constexpr bool goes_by_squares<lagrange_impulses<conjugate_gradient>> = true;
template <>
inline constexpr bool goes_by_squares<lagrange_multipliers<conjugate_gradient>> = true;

/// Whether a world with this solver is built over S, or refused with a sentence.
template <class Solver, class S>
inline constexpr bool has_meaning =
    (!has_lanes_v<S> || abilities<Solver>.lanes) && (!is_descent<Solver> || detail::holds_stiffnesses_v<S>) && (!goes_by_squares<Solver> || detail::holds_squares_v<S>);
/// Likewise of an integrator.
template <class Integrator, class S>
inline constexpr bool steps_over = !has_lanes_v<S> || !requires { Integrator::iterates; };

}  // namespace scalar_matrix
