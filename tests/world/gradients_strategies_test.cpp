// Gradients under every strategy and several integrators; and where a derivative is not 0 though its number is.

#include "gradients_scene.hpp"

namespace {

using namespace gradients_scene;

template <class S, class Solver, class Integrator = symplectic_euler>
using boxes = row_of_boxes<S, world<config<S, Solver, Integrator>, ball_joint>, 2, 240>;

// Scene<S> for each strategy.
template <class Solver, class Integrator = symplectic_euler>
struct under {
    template <class S>
    using scene = boxes<S, Solver, Integrator>;
};
template <class Under>
class gradients_under : public testing::Test {};
using strategies = testing::Types<under<jacobi>, under<augmented_lagrangian>, under<vertex_block_descent>, under<compliant_implicit>, under<lagrange_impulses<sparse_ldlt>>,
                                  under<lagrange_multipliers<conjugate_gradient>, dormand_prince_54>, under<lagrange_multipliers<dantzig>, implicit_midpoint>,
                                  under<lagrange_multipliers<sparse_ldlt>, velocity_verlet>>;
TYPED_TEST_SUITE(gradients_under, strategies);

TYPED_TEST(gradients_under, each_strategy_are_those_of_differences) { expect_gradient<TypeParam::template scene, 4>({1.3, 0.9, 0.2, 0}, 60, 1e-6); }

/// {spin about its three axes, torque, moment about the first}: a body that turns about a principal axis, or a ball, or not at all.
template <class S>
struct free_body {
    sinew::world<config<S, sequential_impulses>> world;
    handle<rigid> body{};
    S torque{};

    void build(std::span<S const> p) {
        rigid_body<S> b;
        b.inertia = diagonal(p[4], S(2), S(2));
        b.twist.angular = {p[0], p[1], p[2]};
        body = world.add(b);
        torque = p[3];
    }
    bool step(std::size_t, std::span<S const>) {
        world.apply_wrench(body, {{}, {S(0), torque, S(0)}});
        return static_cast<bool>(world.step(S(1) / S(60)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k == 99 ? mark_of(world.pose(body)) : S(0); }
};
TEST(gradients_of_a_free_body, are_there_about_a_principal_axis) { expect_gradient<free_body, 5>({3, 0, 0, 0, 1}, 100, 1e-6); }
TEST(gradients_of_a_free_body, are_there_at_rest) { expect_gradient<free_body, 5>({0, 0, 0, 0, 1}, 100, 1e-6); }
TEST(gradients_of_a_free_body, know_that_a_ball_might_be_none) { expect_gradient<free_body, 5>({1, 0.5, 0, 0.1, 2}, 100, 1e-6); }

}  // namespace
