// All strategies move the same scene alike: run to convergence, each agrees with the equations of motion to the order of its theory.
//
// Reference: multipliers at acceleration level under rk4, h = 1/2000, whose own error is of order h^4 (order_of_convergence_test.cpp). A strategy
// of order p at h, h/2, h/4 must close in on it by 2^p each time.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace {

using namespace sinew;
using V = vec3<double>;

template <class Solver, class Integrator = symplectic_euler>
struct config : default_config {
    using scalar = double;
    using solver = Solver;
    using integrator = Integrator;
};
template <class Config>
using world_of = world<Config, ball_joint, hinge_joint>;

// Three boxes on ball joints in space, let go from the horizontal with a turn: all freedoms of the chain take part.
struct three_links {
    static auto build(auto& world) {
        std::vector<typename std::remove_reference_t<decltype(world)>::body_handle> links;
        auto last = world.ground();
        for (int i = 0; i < 3; ++i) {
            auto b = rigid_body_of(solid_box(1.0, V{0.5, 0.1, 0.2}), pose<double>{{0.5 * i + 0.25, 0, 0}, {}});
            b.twist = {{0, 0, -(0.5 * i + 0.25)}, {0, 1, 0}};  // turning as a whole about the vertical
            links.push_back(world.add(b));
            world.add(ball_joint<double>::at(world.pose(last), world.pose(links.back()), V{0.5 * i, 0, 0}), last, links.back());
            last = links.back();
        }
        return links;
    }
};

// A parallelogram of three bars on four hinges, in its plane: three of its twenty rows are redundant.
struct four_bar {
    static auto build(auto& world) {
        V const z{0, 0, 1};
        std::vector<typename std::remove_reference_t<decltype(world)>::body_handle> bars;
        auto const bar = [&](V const& size, V const& at, V const& velocity, V const& spin) {
            auto b = rigid_body_of(solid_box(1.0, size), pose<double>{at, {}});
            b.twist = {velocity, spin};
            bars.push_back(world.add(b));
        };
        auto const hinge = [&](auto a, auto b, V const& at) { world.add(hinge_joint<double>::at(world.pose(a), world.pose(b), at, z), a, b); };
        bar({0.1, 1, 0.1}, {0, 0.5, 0}, {0.5, 0, 0}, -z);
        bar({2, 0.1, 0.1}, {1, 1, 0}, {1, 0, 0}, {});
        bar({0.1, 1, 0.1}, {2, 0.5, 0}, {0.5, 0, 0}, -z);
        hinge(world.ground(), bars[0], {0, 0, 0});
        hinge(bars[0], bars[1], {0, 1, 0});
        hinge(bars[1], bars[2], {2, 1, 0});
        hinge(bars[2], world.ground(), {2, 0, 0});
        return bars;
    }
};

template <class Scene, class Config>
std::vector<V> after_a_second(int steps, auto&& converge) {
    world_of<Config> world;
    auto const bodies = Scene::build(world);
    converge(world.solver);
    for (int i = 0; i < steps; ++i) {
        auto const r = world.step(1.0 / steps);
        if (!r) {
            ADD_FAILURE() << "step " << i << " failed";
            break;
        }
    }
    std::vector<V> x;
    for (auto const& b : bodies) x.push_back(world.position(b));
    return x;
}
template <class Scene>
std::vector<V> const& reference() {
    static std::vector<V> const x = after_a_second<Scene, config<lagrange_multipliers<ldlt>, rk4>>(2000, [](auto&) {});
    return x;
}
double distance(std::vector<V> const& a, std::vector<V> const& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, norm(a[i] - b[i]));
    return worst;
}

// One strategy: how it is run to convergence, and the order of its theory.
template <class Solver, class Integrator, int Order>
struct strategy_case {
    using configuration = config<Solver, Integrator>;
    static constexpr int order = Order;
};
template <class Solver>
using first_order = strategy_case<Solver, symplectic_euler, 1>;

/// Sweeps until nothing changes, and no softness of its own.
constexpr auto to_convergence = [](auto& solver) {
    if constexpr (requires { solver.iterations; }) solver.iterations = 200;
    if constexpr (requires { solver.tolerance = 1e-13; }) solver.tolerance = 1e-13;
    if constexpr (requires { solver.substeps; }) solver.substeps = 1;
};

template <class Case>
struct Agreement : testing::Test {};
using strategies =
    testing::Types<first_order<nonlinear_gauss_seidel>, first_order<jacobi>, first_order<augmented_lagrangian>, first_order<sequential_impulses>,
                   first_order<lagrange_impulses<sparse_ldlt>>, first_order<lagrange_impulses<dantzig>>, first_order<compliant_implicit>,
                   first_order<lagrange_multipliers<cholesky>>, first_order<lagrange_multipliers<sparse_ldlt>>, first_order<lagrange_multipliers<conjugate_gradient>>,
                   strategy_case<lagrange_multipliers<ldlt>, midpoint, 2>, strategy_case<lagrange_multipliers<sparse_ldlt>, midpoint, 2>>;
TYPED_TEST_SUITE(Agreement, strategies);

template <class Case, class Scene>
void agrees() {
    std::array<double, 3> error{};
    int steps = 500;
    for (double& e : error) {
        e = distance(after_a_second<Scene, typename Case::configuration>(steps, to_convergence), reference<Scene>());
        steps *= 2;
    }
    double const expected = Case::order == 1 ? 2.0 : 4.0;
    // Were the limit another motion, the ratios would tend to 1.
    // (On a scene whose first-order terms cancel a strategy may do better than it promises.)
    for (std::size_t i : {0u, 1u}) EXPECT_GT(error[i] / error[i + 1], 0.85 * expected) << error[0] << " " << error[1] << " " << error[2];
}

TYPED_TEST(Agreement, on_the_three_link_chain) { agrees<TypeParam, three_links>(); }
TYPED_TEST(Agreement, on_the_four_bar) { agrees<TypeParam, four_bar>(); }

}  // namespace
