#pragma once
// Every strategy of the library, with what its theory promises for the strategy matrix. A new strategy is one line here, in `expected`, and
// its name in `all_strategies`.

#include <solver/strategy_matrix.hpp>

#include <sinew/sinew.hpp>
#include <sinew/solver/augmented_lagrangian.hpp>
#include <sinew/solver/compliant_implicit.hpp>
#include <sinew/solver/jacobi.hpp>
#include <sinew/solver/lagrange_impulses.hpp>
#include <sinew/solver/lagrange_multipliers.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>
#include <sinew/solver/sequential_impulses.hpp>
#include <sinew/solver/vertex_block_descent.hpp>

namespace sinew_test {

using namespace sinew;

/// What holds after 40 steps of 1/240 s, under loads of a few N on bodies of 1 to 2 kg.
///   position   projected or iterated to convergence: rounding; with feedback: the drift of h^2; penalties: load over stiffness
///   lag        at acceleration level feedback brings velocity-level rows to their speed: k_d
///   falls      at acceleration level an inequality that has opened falls freely until the next step begins with an impulse
///   agreement  first order in h: the reference itself is; twice that where forces act at the other end of the step
template <class Solver>
inline constexpr expectation expected{};

template <> inline constexpr expectation expected<nonlinear_gauss_seidel>{"nonlinear_gauss_seidel", 1e-6, 1e-4, 1e-9};
template <> inline constexpr expectation expected<jacobi>{"jacobi", 1e-6, 1e-4, 1e-6};
template <> inline constexpr expectation expected<vertex_block_descent>{"vertex_block_descent", 1e-3, 1e-2, 5e-3, 0, 0, false, 100};
template <> inline constexpr expectation expected<augmented_lagrangian>{"augmented_lagrangian", 1e-3, 1e-2, 5e-3};
template <> inline constexpr expectation expected<sequential_impulses>{"sequential_impulses", 1e-3, 1e-2, 5e-3, 0, 0, true};
template <> inline constexpr expectation expected<lagrange_impulses<cholesky>>{"lagrange_impulses<cholesky>", 1e-3, 1e-2, 5e-3};
template <> inline constexpr expectation expected<lagrange_impulses<sparse_ldlt>>{"lagrange_impulses<sparse_ldlt>", 1e-3, 1e-2, 5e-3};
template <> inline constexpr expectation expected<lagrange_impulses<dantzig>>{"lagrange_impulses<dantzig>", 1e-3, 1e-2, 5e-3};
template <> inline constexpr expectation expected<compliant_implicit>{"compliant_implicit", 1e-3, 1e-2, 5e-3};
template <> inline constexpr expectation expected<lagrange_multipliers<cholesky>>{"lagrange_multipliers<cholesky>", 1e-3, 1e-2, 5e-3, 0, 20};
template <> inline constexpr expectation expected<lagrange_multipliers<ldlt>>{"lagrange_multipliers<ldlt>", 1e-3, 1e-2, 5e-3, 0, 20};
template <> inline constexpr expectation expected<lagrange_multipliers<conjugate_gradient>>{"lagrange_multipliers<conjugate_gradient>", 1e-3, 1e-2, 5e-3, 0, 20};
template <> inline constexpr expectation expected<lagrange_multipliers<sparse_ldlt>>{"lagrange_multipliers<sparse_ldlt>", 1e-3, 1e-2, 5e-3, 4, 20};
template <> inline constexpr expectation expected<lagrange_multipliers<dantzig>>{"lagrange_multipliers<dantzig>", 1e-3, 1e-2, 5e-3, 4, 20};

template <class... Solvers>
struct strategy_list {};
/// The first is the reference of the others.
using all_strategies =
    strategy_list<nonlinear_gauss_seidel, jacobi, vertex_block_descent, augmented_lagrangian, sequential_impulses, lagrange_impulses<cholesky>, lagrange_impulses<sparse_ldlt>,
                  lagrange_impulses<dantzig>, compliant_implicit, lagrange_multipliers<cholesky>, lagrange_multipliers<ldlt>, lagrange_multipliers<conjugate_gradient>,
                  lagrange_multipliers<sparse_ldlt>, lagrange_multipliers<dantzig>>;

/// Enough work for a single constraint to converge; what is not iterative is left as it is.
inline constexpr auto tuned = [](auto& s) {
    if constexpr (requires { s.hard_stiffness; })
        s.iterations = 150;  // of two free bodies a sweep forgets about one part in hard_stiffness; each step goes on where the last has ended
    else if constexpr (requires { s.relaxation; })
        s.iterations = 50;
};

}  // namespace sinew_test
