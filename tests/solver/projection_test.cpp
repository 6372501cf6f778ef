// Back onto the constraints after the step: how near, what it costs in energy and order, and what it leaves alone.

#include <solver/linear_parts.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace {

using namespace sinew_test;
using V = vec3<double>;

template <class Linear>
struct projection : testing::Test {};
using linear_parts = testing::Types<cholesky, ldlt, conjugate_gradient, sparse_ldlt, dantzig>;
TYPED_TEST_SUITE(projection, linear_parts);

// Separations of a chain of ten that falls from the horizontal, 3 s at 1/60 s.
template <class World>
double worst_separation() {
    using S = typename World::scalar_type;
    World w;
    w.solver.drift = drift_control::projection;
    add_chain(w, 10);
    double worst = 0;
    for (int i = 0; i < 180; ++i) {
        if (!w.step(S(1) / 60)) return INFINITY;
        worst = std::max(worst, static_cast<double>(w.constraint_error()));
    }
    return worst;
}
template <class Linear, class S>
using chain_world = world<direct_config<lagrange_multipliers<Linear>, S>, ball_joint>;
TYPED_TEST(projection, holds_joints_to_its_tolerance) {
    EXPECT_LT((worst_separation<chain_world<TypeParam, double>>()), 1.01e-9);
    EXPECT_LT((worst_separation<chain_world<TypeParam, float>>()), 5e-6);
}
TEST(projection_in_every_rotation, holds_joints) {
    EXPECT_LT((worst_separation<world<direct_config<lagrange_multipliers<sparse_ldlt>, double, symplectic_euler, rotation_matrix>, ball_joint>>()), 1.01e-9);
    EXPECT_LT((worst_separation<world<direct_config<lagrange_multipliers<sparse_ldlt>, double, symplectic_euler, rotation_vector>, ball_joint>>()), 1.01e-9);
    EXPECT_LT((worst_separation<world<direct_config<lagrange_multipliers<sparse_ldlt>, long double>, ball_joint>>()), 1.01e-9);
    EXPECT_LT((worst_separation<world<direct_config<lagrange_multipliers<sparse_ldlt>, double, rk4>, ball_joint>>()), 1.01e-9);
}

// The chain of 32 and the tree of 127 from the horizontal, 10 s: what separation, and that no energy is made.
template <class World, class Build>
void falls(char const* name, Build const& build, double tolerance) {
    using S = typename World::scalar_type;
    World w;
    w.solver.drift = drift_control::projection;
    build(w);
    double const start = static_cast<double>(w.energy());
    double worst = 0, most = 0, fastest = 0;
    for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(w.step(S(1) / 60));
        worst = std::max(worst, static_cast<double>(w.constraint_error()));
        most = std::max(most, static_cast<double>(w.energy()) - start);
        fastest = std::max(fastest, static_cast<double>(w.kinetic_energy()));
    }
    std::printf("%s: separation %.1e m, energy %+.1f J of %.0f J in motion\n", name, worst, static_cast<double>(w.energy()) - start, fastest);
    EXPECT_LT(worst, tolerance);
    EXPECT_LT(most, 0.02 * fastest);  // within RATTLE's error, which swings
}
TEST(projection_of_trees, holds_long_chains_and_trees) {
    auto const chain = [](auto& w) { add_chain(w, 32); };
    auto const tree = [](auto& w) { add_tree(w, 127); };
    falls<world<direct_config<lagrange_multipliers<sparse_ldlt>, double>, ball_joint>>("chain of 32, double", chain, 1e-6);
    falls<world<direct_config<lagrange_multipliers<sparse_ldlt>, float>, ball_joint>>("chain of 32, float", chain, 1e-5);
    falls<world<direct_config<lagrange_multipliers<sparse_ldlt>, double>, ball_joint>>("tree of 127, double", tree, 1e-6);
    falls<world<direct_config<lagrange_multipliers<sparse_ldlt>, float>, ball_joint>>("tree of 127, float", tree, 1e-5);
    falls<world<direct_config<lagrange_impulses<sparse_ldlt>, double>, ball_joint>>("chain of 32, impulses", chain, 1e-6);
}

// ---- energy and order

// A pendulum of 1 m that turns by 0.074 rad in a step at its lowest point, for a minute. Symplectic Euler's own error of the weight swings by
// h g v / 2 = 0.36 J; the turn may add little to that.
template <class S>
double lost_energy(drift_control drift) {
    world<direct_config<lagrange_multipliers<sparse_ldlt>, S>, particle_distance> w;
    w.solver.drift = drift;
    auto const top = w.add_fixed_particle({S(0), S(0), S(0)});
    auto const bob = w.add(particle<S>{S(1), {S(1), S(0), S(0)}, {S(0), S(0), S(0)}});
    w.add(particle_distance<S>{.length = S(1)}, top, bob);
    double worst = 0;
    for (int i = 0; i < 60 * 60; ++i) {
        EXPECT_TRUE(w.step(S(1) / 60));
        worst = std::max(worst, std::abs(static_cast<double>(w.energy())));  // 0 at the start, 9.81 J at the bottom
    }
    return worst;
}
TEST(projection_of_a_pendulum, keeps_its_energy) {
    double const projected = lost_energy<double>(drift_control::projection);
    std::printf("pendulum at h = 1/60, a minute: energy error %.2f J with projection, %.2g J with feedback, of 9.81 J\n", projected,
                lost_energy<double>(drift_control::feedback));
    EXPECT_LT(projected, 0.6);
}

// And the less is lost, the shorter the steps are, down to what a tolerance that is coarse allows.
template <class S>
double lost_by_a_rod(int hertz) {
    world<direct_config<lagrange_multipliers<sparse_ldlt>, S>, hinge_joint> w;
    w.gravity = {S(0), S(-9.8125), S(0)};
    w.solver.drift = drift_control::projection;
    S const zero(0), one(1);
    auto const rod = w.add(rigid_body_of(solid_box(one, vec3<S>{one, one / S(2), one / S(2)}), pose<S>{{one / S(2), zero, zero}, {}}));
    w.add(hinge_joint<S>::at(w.pose(w.ground()), w.pose(rod), {zero, zero, zero}, {zero, zero, one}), w.ground(), rod);
    double const before = static_cast<double>(w.energy());
    for (int i = 0; i < 10 * hertz; ++i) EXPECT_TRUE(w.step(S(1) / S(hertz)));
    return before - static_cast<double>(w.energy());  // of 4.9 J
}
TEST(projection_of_a_pendulum, loses_less_in_shorter_steps_however_coarse_its_tolerance) {
    EXPECT_LT(std::abs(lost_by_a_rod<double>(256)), 0.01);
    EXPECT_LT(std::abs(lost_by_a_rod<float>(256)), 0.01);
    EXPECT_LT(std::abs(lost_by_a_rod<float>(4096)), 0.002);
    EXPECT_LT(std::abs(lost_by_a_rod<fixed<31, 32>>(256)), 0.01);
    EXPECT_LT(std::abs(lost_by_a_rod<fixed<15, 16>>(256)), 0.03);  // places of 15 um, speeds of 15 um/s: what each step rounds off
    EXPECT_LT(std::abs(lost_by_a_rod<fixed<15, 16>>(1024)), 0.05);
}

// What a turn by omega h costs in a step, of the kinetic energy: (omega h)^4 / 4 in forces with projection, (omega h)^2 in impulses.
template <class Solver>
double cost_of_a_turn(double angle) {
    world<direct_config<Solver>, particle_distance> w;
    w.gravity = {0, 0, 0};
    w.solver.drift = drift_control::projection;
    w.solver.projection_tolerance = 1e-14;
    if constexpr (requires { w.solver.turning_limit; }) w.solver.turning_limit = 1e6;
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const bob = w.add(particle<double>{1, {1, 0, 0}, {0, angle, 0}});
    w.add(particle_distance<double>{.length = 1}, top, bob);
    double const before = w.kinetic_energy();
    EXPECT_TRUE(w.step(1));
    // Impulses lose it where the next step begins.
    if (w.solver.level == solver_level::velocity) {
        EXPECT_TRUE(w.step(1e-9));
    }
    return 1 - w.kinetic_energy() / before;
}
TEST(projection_of_a_pendulum, costs_what_theory_says) {
    for (double angle : {0.05, 0.1}) {
        EXPECT_NEAR(cost_of_a_turn<lagrange_multipliers<sparse_ldlt>>(angle) / (std::pow(angle, 4) / 4), 1, 0.05) << angle;
        EXPECT_NEAR(cost_of_a_turn<lagrange_impulses<sparse_ldlt>>(angle) / (angle * angle), 1, 0.05) << angle;
    }
}

using places = std::array<V, 2>;
template <class Integrator>
places double_pendulum(int steps, drift_control drift) {
    world<direct_config<lagrange_multipliers<ldlt>, double, Integrator>, ball_joint> w;
    w.solver.drift = drift;
    w.solver.projection_tolerance = 1e-13;
    auto const links = add_chain(w, 2);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(0.5 / steps));
    return {w.position(links[0]), w.position(links[1])};
}
double apart(places const& a, places const& b) { return std::max(norm(a[0] - b[0]), norm(a[1] - b[1])); }

TEST(projection_of_a_double_pendulum, keeps_the_order_of_the_integrator) {
    places const reference = double_pendulum<dormand_prince_54>(2000, drift_control::feedback);
    auto const order = [&](auto integrator, int steps) {
        using I = decltype(integrator);
        double const e = apart(double_pendulum<I>(steps, drift_control::projection), reference), f = apart(double_pendulum<I>(2 * steps, drift_control::projection), reference);
        return std::log2(e / f);
    };
    EXPECT_NEAR(order(rk4{}, 100), 4, 0.3);
    EXPECT_NEAR(order(midpoint{}, 200), 2, 0.3);
    EXPECT_GT(order(symplectic_euler{}, 200), 0.8);
}

// ---- what it leaves alone

template <class S>
using soft_rod = soft_joint<S, particle_distance>;
TYPED_TEST(projection, leaves_soft_rows_to_their_force) {
    world<direct_config<lagrange_multipliers<TypeParam>>, soft_rod> w;
    w.gravity = {0, 0, 0};
    w.solver.drift = drift_control::projection;
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const bob = w.add(particle<double>{1, {6, 0, 0}, {}});
    w.add(soft_rod<double>::with(particle_distance<double>{.length = 5}, 1.0 / 100), top, bob);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(w.step(0.01));
    EXPECT_NEAR(w.position(bob).x() - 5, -0.809384821133212, 1e-12);  // symplectic Euler's own, as without
}
// A displacement along the constraints moves no centre of mass, and what is velocity-level alone is not slid along.
TYPED_TEST(projection, moves_no_centre_of_mass) {
    world<direct_config<lagrange_multipliers<TypeParam>>, ball_joint> w;
    w.gravity = {0, 0, 0};
    w.solver.drift = drift_control::projection;
    std::vector<handle<rigid>> links;
    for (int i = 0; i < 4; ++i) {
        links.push_back(add_box(w, {0.25 + 0.5 * i, 0, 0}, 1 + i));
        if (i > 0) join(w, links[static_cast<std::size_t>(i) - 1], links.back(), {0.5 * i, 0, 0});
    }
    w.set_twist(links[0], {{0, 1, 2}, {0, 0, 3}});
    w.set_twist(links[3], {{1, 0, -2}, {0, 2, 1}});
    auto const centre = [&] {
        V sum{};
        for (std::size_t i = 0; i < 4; ++i) sum += w.position(links[i]) * (1.0 + static_cast<double>(i));
        return sum / 10.0;
    };
    V const start = centre(), v = w.linear_momentum() / 10.0;
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(w.step(1e-2));
    EXPECT_LT(norm(centre() - (start + v * 1.0)), 1e-11);
    EXPECT_LT(norm(w.linear_momentum() / 10.0 - v), 1e-12);
}

template <class Linear>
struct bounded_projection : testing::Test {};
using bounded_parts = testing::Types<sparse_ldlt, dantzig>;
TYPED_TEST_SUITE(bounded_projection, bounded_parts);

// An inequality is put right where it is violated, and only from one side.
TYPED_TEST(bounded_projection, pushes_inequalities_from_one_side) {
    world<direct_config<lagrange_multipliers<TypeParam>>, particle_rope> w;
    w.gravity = {0, 0, 0};
    w.solver.drift = drift_control::projection;
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const far = w.add(particle<double>{1, {1.1, 0, 0}, {}}), near = w.add(particle<double>{1, {0, 0.9, 0}, {}});
    w.add(particle_rope<double>{.length = 1}, top, far);
    w.add(particle_rope<double>{.length = 1}, top, near);
    w.solver.feedback_stiffness = w.solver.feedback_damping = 0;
    ASSERT_TRUE(w.step(1e-3));
    EXPECT_NEAR(w.position(far).x(), 1, 1e-9);
    EXPECT_EQ(w.position(near), (V{0, 0.9, 0}));
    EXPECT_EQ(w.velocity(far), (V{0, 0, 0}));
}
// A motor that is too weak is not helped by displacements.
TYPED_TEST(bounded_projection, gives_nothing_to_rows_of_limited_force) {
    world<direct_config<lagrange_multipliers<TypeParam>>, hinge_joint, angular_servo> w;
    w.solver.drift = drift_control::projection;
    auto const arm = add_box(w, {1, 0, 0}, 1, {2, 0.1, 0.1});
    w.add(hinge_joint<double>::at(pose<double>{}, w.pose(arm), V{0, 0, 0}, V{0, 0, 1}), w.ground(), arm);
    w.add(angular_servo<double>::at(pose<double>{}, w.pose(arm), V{0, 0, 1}, 0.0, 5.0), w.ground(), arm);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(1.0 / 120));
    EXPECT_LT(w.position(arm).y(), -0.3);
    EXPECT_LT(w.constraint_error(), 1e-8);
}
// A resting contact stays where it is: no hopping, no creeping.
TYPED_TEST(bounded_projection, lets_things_rest_on_their_stops) {
    world<direct_config<lagrange_multipliers<TypeParam>>, hinge_joint, angle_limit> w;
    w.solver.drift = drift_control::projection;
    auto const bar = add_box(w, {0.5, 0, 0}, 2, {1, 0.1, 0.1});
    w.add(hinge_joint<double>::at(pose<double>{}, w.pose(bar), V{0, 0, 0}, V{0, 0, 1}), w.ground(), bar);
    w.add(angle_limit<double>::at(pose<double>{}, w.pose(bar), V{0, 0, 1}, -0.5, 1.0), w.ground(), bar);
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    for (int i = 0; i < 120; ++i) {
        ASSERT_TRUE(w.step(1.0 / 60));
        EXPECT_NEAR(w.position(bar).y(), -0.5 * std::sin(0.5), 1e-7);
        EXPECT_LT(norm(w.twist(bar).angular), 1e-5);
    }
}

// Copies and restored states step to the same bits.
TYPED_TEST(projection, steps_copies_to_the_same_bits) {
    world<direct_config<lagrange_multipliers<TypeParam>>, ball_joint, hinge_joint> w;
    w.solver.drift = drift_control::projection;
    add_random_tree(w, 9, 8, 1);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(w.step(1e-2));
    auto copy = w;
    auto const state = w.save();
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(w.step(1e-2));
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(copy.step(1e-2));
    EXPECT_TRUE(copy == w);
    ASSERT_TRUE(copy.restore(state));
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(copy.step(1e-2));
    EXPECT_TRUE(copy == w);
}

}  // namespace
