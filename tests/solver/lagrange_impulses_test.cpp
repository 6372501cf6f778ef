// All constraints at once at velocity level: exact velocities, springs without a step limit, speculative inequalities, friction; and
// what sequential_impulses comes to when it is run to convergence.

#include <solver/linear_parts.hpp>

#include <sinew/solver/sequential_impulses.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace sinew_test;
using V = vec3<double>;

template <class Linear>
struct impulses : testing::Test {};
using linear_parts = testing::Types<cholesky, ldlt, conjugate_gradient, sparse_ldlt, dantzig>;
TYPED_TEST_SUITE(impulses, linear_parts);

TYPED_TEST(impulses, satisfy_every_joint_at_once) {
    world<direct_config<lagrange_impulses<TypeParam>>, ball_joint, hinge_joint> w;
    w.solver.drift = drift_control::feedback;
    w.solver.baumgarte = 0;
    w.gyroscopic = gyroscopic_term::none;
    add_random_tree(w, 3, 10, 1);
    stir(w, 4);
    // So short a step that the poses at its end are those of its impulses.
    ASSERT_TRUE(w.step(1e-9));
    auto const p = w.make_problem();
    double worst = 0;
    p.for_each_type([&](auto entries, auto) {
        for (auto const& e : entries) {
            auto const rate = rate_of(e.constraint, poses_of(p, e), twists_of(p, e));
            for (double x : rate.e) worst = std::max(worst, std::abs(x));
        }
    });
    EXPECT_LT(worst, 1e-7);
}
TYPED_TEST(impulses, keep_momentum_and_never_add_energy) {
    world<direct_config<lagrange_impulses<TypeParam>>, ball_joint> w;
    w.gravity = {0, 0, 0};
    w.solver.drift = drift_control::feedback;
    w.solver.baumgarte = 0;
    std::vector<handle<rigid>> links;
    for (int i = 0; i < 5; ++i) {
        links.push_back(add_box(w, {0.25 + 0.5 * i, 0, 0}));
        if (i > 0) join(w, links[static_cast<std::size_t>(i) - 1], links.back(), {0.5 * i, 0, 0});
    }
    stir(w, 11);
    V const p = w.linear_momentum(), l = w.angular_momentum();
    double energy = w.kinetic_energy();
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(w.step(1e-3));
        EXPECT_LT(norm(w.linear_momentum() - p), 1e-10);
        EXPECT_LT(w.kinetic_energy(), energy * (1 + 1e-12));
        energy = w.kinetic_energy();
        if (i == 0) {
            EXPECT_LT(norm(w.angular_momentum() - l), 1e-10);  // the joints still fit
        }
    }
}

// x'' = -k x by implicit Euler: x shrinks by 1 / (1 + (omega h)^2) exactly as the recurrence does, however stiff.
template <class S>
using soft_rod = soft_joint<S, particle_distance>;
TYPED_TEST(impulses, make_springs_implicit) {
    for (double stiffness : {1e2, 1e9}) {
        world<direct_config<lagrange_impulses<TypeParam>>, soft_rod> w;
        w.gravity = {0, 0, 0};
        auto const top = w.add_fixed_particle({0, 0, 0});
        auto const bob = w.add(particle<double>{1, {6, 0, 0}, {}});
        w.add(soft_rod<double>::with(particle_distance<double>{.length = 5}, 1 / stiffness), top, bob);
        double const h = 1.0 / 60;
        double x = 1, v = 0;
        for (int i = 0; i < 100; ++i) {
            ASSERT_TRUE(w.step(h));
            v = (v - h * stiffness * x) / (1 + h * h * stiffness);
            x += h * v;
            ASSERT_NEAR(w.position(bob).x() - 5, x, 1e-9);
        }
    }
}
TYPED_TEST(impulses, agree_with_sequential_impulses_run_to_convergence) {
    world<direct_config<lagrange_impulses<TypeParam>>, ball_joint> a;
    world<direct_config<sequential_impulses>, ball_joint> b;
    a.solver.drift = drift_control::feedback;
    b.solver.substeps = 1;
    b.solver.iterations = 4000;
    b.solver.relaxing_iterations = 0;
    b.solver.feedback = position_feedback::baumgarte;
    add_chain(a, 4);
    add_chain(b, 4);
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(a.step(1.0 / 120));
        ASSERT_TRUE(b.step(1.0 / 120));
    }
    EXPECT_LT(largest_difference(velocities(a), velocities(b)), 1e-8);
}
TYPED_TEST(impulses, keep_joints_to_the_tolerance_of_their_projection) {
    world<direct_config<lagrange_impulses<TypeParam>>, ball_joint> w;
    add_chain(w, 16);
    double worst = 0;
    for (int i = 0; i < 300; ++i) {
        ASSERT_TRUE(w.step(1.0 / 60));
        worst = std::max(worst, w.constraint_error());
    }
    EXPECT_LT(worst, 1e-8);
}

// ---- with bounds

template <class Linear>
struct bounded_impulses : testing::Test {};
using bounded_parts = testing::Types<sparse_ldlt, dantzig>;
TYPED_TEST_SUITE(bounded_impulses, bounded_parts);

// What is slack is used up to the last and not beyond: a bob flies into its taut rope without a jump at the end of the step.
TYPED_TEST(bounded_impulses, use_up_what_is_slack_and_no_more) {
    world<direct_config<lagrange_impulses<TypeParam>>, particle_rope> w;
    w.gravity = {0, 0, 0};
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const bob = w.add(particle<double>{1, {0.97, 0, 0}, {5, 0, 0}});
    auto const rope = w.add(particle_rope<double>{.length = 1}, top, bob);
    ASSERT_TRUE(w.step(1e-2));
    EXPECT_NEAR(w.position(bob).x(), 1, 1e-12);
    EXPECT_NEAR(w.velocity(bob).x(), 3, 1e-12);
    EXPECT_NEAR(w.multipliers(rope)[0], 2 / 1e-2, 1e-9);
    ASSERT_TRUE(w.step(1e-2));
    EXPECT_NEAR(w.velocity(bob).x(), 0, 1e-12);
    w.set_velocity(bob, {-1, 0, 0});
    ASSERT_TRUE(w.step(1e-2));
    EXPECT_EQ(w.velocity(bob).x(), -1);
    EXPECT_EQ(w.multipliers(rope)[0], 0);
}
TYPED_TEST(bounded_impulses, of_a_motor_are_bounded_by_its_torque) {
    world<direct_config<lagrange_impulses<TypeParam>>, hinge_joint, powered_axis> w;
    w.gravity = {0, 0, 0};
    auto const rotor = add_box(w, {0, 0, 0}, 3, {0.4, 0.4, 0.1});
    w.add(hinge_joint<double>::at(pose<double>{}, w.pose(rotor), V{0, 0, 0}, V{0, 0, 1}), w.ground(), rotor);
    auto const motor = w.add(powered_axis<double>::at(pose<double>{}, w.pose(rotor), V{0, 0, 1}, 10.0, 0.2), w.ground(), rotor);
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(w.step(1.0 / 60));
        ASSERT_NEAR(w.multipliers(motor)[0], 0.2, 1e-12);
    }
    EXPECT_NEAR(norm(w.twist(rotor).angular), 0.2 / (3 * 0.32 / 12), 1e-9);
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    EXPECT_NEAR(norm(w.twist(rotor).angular), 10, 1e-12);
}

// A box-shaped friction pyramid on a table; see dantzig_test.cpp for the same in forces.
template <class S>
struct on_table {
    static constexpr std::size_t rows = 3;
    using attachments = binds<point_mass>;
    S mu = S(0.5);
    constexpr auto error(auto const& a) const { return vec{a.position.y(), a.position.x() * 0, a.position.z() * 0}; }
    constexpr auto rate(auto const&, auto const& v) const { return vec{v.linear.y(), v.linear.x(), v.linear.z()}; }
    constexpr auto jacobian(auto const&) const { return mat3<S>{S(0), S(1), S(0), S(1), S(0), S(0), S(0), S(0), S(1)}; }
    constexpr bounds<S, 3> limits(vec<S, 3> const& lambda, auto const&) const {
        S const most = mu * lambda[0];
        return {{S(0), -most, -most}, {infinity_v<S>, most, most}};
    }
};
TYPED_TEST(bounded_impulses, of_friction_stay_in_their_pyramid) {
    for (double push : {5.0, 15.0}) {
        world<direct_config<lagrange_impulses<TypeParam>>, on_table> w;
        auto const p = w.add(particle<double>{2, {0, 0, 0}, {}});
        auto const table = w.add(on_table<double>{}, p);
        for (int i = 0; i < 60; ++i) {
            w.apply_force(p, {push, 0, 0});
            ASSERT_TRUE(w.step(1.0 / 60));
        }
        double const weight = 2 * 9.81, most = 0.5 * weight;
        EXPECT_NEAR(w.multipliers(table)[0], weight, 1e-9);
        EXPECT_NEAR(w.multipliers(table)[1], -std::min(push, most), 1e-9);
        EXPECT_NEAR(w.velocity(p).x(), push < most ? 0 : (push - most) / 2, 1e-9);
        EXPECT_NEAR(w.position(p).y(), 0, 1e-9);
    }
}

}  // namespace
