// Which strategies and integrators have no meaning over which scalars, and why. The compiler compares the list with what the library says of itself;
// that it refuses such a world, with a sentence, is shown in compile_fail: lanes_under_pivoting, lanes_with_implicit_integrator,
// stiffnesses_in_a_narrow_fixed_point, conjugate_gradient_in_a_narrow_fixed_point.

#include <world/scalar_list.hpp>

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace scalar_matrix;

enum class why : unsigned char { it_runs, pivots, rows, iterations, stiffnesses, squares };
constexpr char const* reason(why w) {
    switch (w) {
    case why::it_runs: return "";
    case why::pivots: return "chooses its pivots by numbers, which differ from lane to lane";
    case why::rows: return "chooses the rows that take part by numbers, which differ from lane to lane";
    case why::iterations: return "iterates until its equations are solved, another number of times in every lane";
    case why::stiffnesses: return "works with stiffnesses of mass / h^2, which 16 bits before the point do not hold";
    case why::squares: return "goes by squares of residuals, which vanish behind 16 bits";
    }
    return "";
}

// ---- the list: batch<float, 4>, batch<float, 8>, batch<double, 4>; fixed Q15.16; fixed Q31.32, dual<double, 4>, long double
struct pairs {
    char const* name;
    why in_lanes, in_q16, otherwise;
};
template <class Of>
constexpr pairs listed{};

constexpr why it_runs = why::it_runs;
template <> constexpr pairs listed<nonlinear_gauss_seidel>{"nonlinear_gauss_seidel", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<plain_gauss_seidel>{"plain_gauss_seidel", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<jacobi>{"jacobi", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<vertex_block_descent>{"vertex_block_descent", it_runs, why::stiffnesses, it_runs};
template <> constexpr pairs listed<augmented_lagrangian>{"augmented_lagrangian", it_runs, why::stiffnesses, it_runs};
template <> constexpr pairs listed<sequential_impulses>{"sequential_impulses", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<compliant_implicit>{"compliant_implicit", why::rows, it_runs, it_runs};
template <> constexpr pairs listed<lagrange_impulses<cholesky>>{"lagrange_impulses<cholesky>", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<lagrange_impulses<ldlt>>{"lagrange_impulses<ldlt>", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<lagrange_impulses<conjugate_gradient>>{"lagrange_impulses<conjugate_gradient>", it_runs, why::squares, it_runs};
template <> constexpr pairs listed<lagrange_impulses<sparse_ldlt>>{"lagrange_impulses<sparse_ldlt>", why::pivots, it_runs, it_runs};
template <> constexpr pairs listed<lagrange_impulses<dantzig>>{"lagrange_impulses<dantzig>", why::pivots, it_runs, it_runs};
template <> constexpr pairs listed<lagrange_multipliers<cholesky>>{"lagrange_multipliers<cholesky>", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<lagrange_multipliers<ldlt>>{"lagrange_multipliers<ldlt>", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<lagrange_multipliers<conjugate_gradient>>{"lagrange_multipliers<conjugate_gradient>", it_runs, why::squares, it_runs};
template <> constexpr pairs listed<lagrange_multipliers<sparse_ldlt>>{"lagrange_multipliers<sparse_ldlt>", why::pivots, it_runs, it_runs};
template <> constexpr pairs listed<lagrange_multipliers<dantzig>>{"lagrange_multipliers<dantzig>", why::pivots, it_runs, it_runs};

template <> constexpr pairs listed<euler>{"euler", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<symplectic_euler>{"symplectic_euler", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<velocity_verlet>{"velocity_verlet", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<midpoint>{"midpoint", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<rk4>{"rk4", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<dormand_prince_54>{"dormand_prince_54", it_runs, it_runs, it_runs};
template <> constexpr pairs listed<implicit_euler>{"implicit_euler", why::iterations, it_runs, it_runs};
template <> constexpr pairs listed<implicit_midpoint>{"implicit_midpoint", why::iterations, it_runs, it_runs};

// ---- checked

template <class Of, class S>
constexpr why listed_over = has_lanes_v<S> ? listed<Of>.in_lanes : std::is_same_v<S, q16> ? listed<Of>.in_q16 : listed<Of>.otherwise;

template <class... Ts>
struct types {};
using scalars = types<batch<float, 4>, batch<float, 8>, batch<double, 4>, q16, q32, dual<double, 4>, long double, float, double>;
using strategies = types<nonlinear_gauss_seidel, plain_gauss_seidel, jacobi, vertex_block_descent, augmented_lagrangian, sequential_impulses, compliant_implicit,
                         lagrange_impulses<cholesky>, lagrange_impulses<ldlt>, lagrange_impulses<conjugate_gradient>, lagrange_impulses<sparse_ldlt>, lagrange_impulses<dantzig>,
                         lagrange_multipliers<cholesky>, lagrange_multipliers<ldlt>, lagrange_multipliers<conjugate_gradient>, lagrange_multipliers<sparse_ldlt>,
                         lagrange_multipliers<dantzig>>;
using integrators = types<euler, symplectic_euler, velocity_verlet, midpoint, rk4, dormand_prince_54, implicit_euler, implicit_midpoint>;

template <class Solver, class... S>
constexpr bool strategy_is_as_listed(types<S...>) {
    return ((has_meaning<Solver, S> == (listed_over<Solver, S> == it_runs)) && ...);
}
template <class Integrator, class... S>
constexpr bool integrator_is_as_listed(types<S...>) {
    return ((steps_over<Integrator, S> == (listed_over<Integrator, S> == it_runs)) && ...);
}
template <class... Solvers>
constexpr bool strategies_are_as_listed(types<Solvers...>) {
    return (strategy_is_as_listed<Solvers>(scalars{}) && ...);
}
template <class... Integrators>
constexpr bool integrators_are_as_listed(types<Integrators...>) {
    return (integrator_is_as_listed<Integrators>(scalars{}) && ...);
}
static_assert(strategies_are_as_listed(strategies{}));
static_assert(integrators_are_as_listed(integrators{}));

// Every rotation is one over every scalar.
template <class... S>
constexpr bool rotations_have_meaning(types<S...>) {
    return ((rotation_like<quaternion<S>> && rotation_like<rotation_matrix<S>> && rotation_like<rotation_vector<S>>)&&...);
}
static_assert(rotations_have_meaning(scalars{}));

template <class... Of>
void print(types<Of...>) {
    auto const one = [](pairs const& p) {
        EXPECT_NE(p.name, nullptr);
        for (auto const& [scalar, w] : {std::pair{"lanes", p.in_lanes}, {"fixed<15, 16>", p.in_q16}, {"any other", p.otherwise}})
            if (w != it_runs) {
                EXPECT_NE(std::string(reason(w)), "");
                std::cout << "| `" << p.name << "` | " << scalar << " | " << reason(w) << " |\n";
            }
    };
    (one(listed<Of>), ...);
}
TEST(every_scalar, and_what_has_no_meaning_over_it) {
    std::cout << "| refused | over | because it |\n|---|---|---|\n";
    print(strategies{});
    print(integrators{});
}

}  // namespace
