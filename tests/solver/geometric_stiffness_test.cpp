// Geometric stiffness as an option of nonlinear_gauss_seidel: forces have the direction of J where a displacement ends.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using sinew::vec3;

struct config : sinew::default_config {
    using scalar = double;
    using solver = sinew::nonlinear_gauss_seidel;
};
using chain_world = sinew::world<config, sinew::ball_joint>;

struct chain {
    chain_world world;
    std::vector<chain_world::body_handle> links;
    std::vector<decltype(std::declval<chain_world&>().add(sinew::ball_joint<double>{}, chain_world::body_handle{}, chain_world::body_handle{}))> joints;

    chain(int n, bool anchored, bool geometric_stiffness, int iterations) {
        world.gravity = {0, anchored ? -9.81 : 0, 0};
        world.solver.geometric_stiffness = geometric_stiffness;
        world.solver.iterations = iterations;
        world.solver.conserve_angular_momentum = world.solver.carried_spins = false;  // momenta change by J^T lambda and nothing else
        auto previous = world.ground();
        vec3<double> const omega{0.5, 3, 4};
        for (int i = 0; i < n; ++i) {
            sinew::rigid_body<double> b;
            b.inertia = sinew::diagonal(0.02, 0.0833, 0.0833);
            b.pose.position = {i + 0.5, 0, 0};
            b.twist = {cross(omega, b.pose.position), omega};
            links.push_back(world.add(b));
            if (i > 0 || anchored)
                joints.push_back(world.add(sinew::ball_joint<double>{i == 0 ? vec3<double>{} : vec3<double>{0.5, 0, 0}, {-0.5, 0, 0}}, previous, links.back()));
            previous = links.back();
        }
    }
};

// How far the momenta of an anchored chain are, after one step, from what J^T lambda gives at the poses of the end.
double stationarity(int n, double h, bool geometric_stiffness, int iterations) {
    chain c(n, true, geometric_stiffness, iterations);
    auto& w = c.world;
    std::vector<vec3<double>> v, l;
    for (auto b : c.links) {
        v.push_back(w.twist(b).linear);
        l.push_back(spin(w.body(b)));
    }
    EXPECT_TRUE(w.step(h));
    EXPECT_LT(w.constraint_error(), 1e-12);
    double worst = 0;
    for (std::size_t i = 0; i < c.links.size(); ++i) {
        auto const& pose = w.pose(c.links[i]);
        vec3<double> const own = w.multipliers(c.joints[i]) * -1.0;
        vec3<double> force = own, torque = cross(pose.direction(vec3<double>{-0.5, 0, 0}), own);
        if (i + 1 < c.links.size()) {
            vec3<double> const next = w.multipliers(c.joints[i + 1]);
            force += next;
            torque += cross(pose.direction(vec3<double>{0.5, 0, 0}), next);
        }
        worst = std::max(worst, norm((w.twist(c.links[i]).linear - v[i] - w.gravity * h) - force * h));
        worst = std::max(worst, norm(spin(w.body(c.links[i])) - l[i] - torque * h));
    }
    return worst;
}

// One body on a pin: without, the force keeps the direction of the predicted pose, which is off by the displacement, h^2, times an impulse
// of order h. With it what is left is of the square of the displacement.
TEST(geometric_stiffness, makes_forces_turn_with_the_bodies) {
    double const plain = stationarity(1, 0.01, false, 20), turned = stationarity(1, 0.01, true, 20);
    EXPECT_NEAR(stationarity(1, 0.02, false, 20) / plain, 8, 1);     // h^3
    EXPECT_NEAR(stationarity(1, 0.02, true, 20) / turned, 32, 4);    // h^5
    EXPECT_LT(turned, plain / 1000);
    // Of joints that share bodies, what one does to the other's direction is left.
    EXPECT_LT(stationarity(3, 0.01, true, 500), stationarity(3, 0.01, false, 500) / 3);
}
// The blocks between the bodies are there: whatever turns has its reaction.
TEST(geometric_stiffness, keeps_linear_momentum) {
    for (bool on : {false, true}) {
        chain c(5, false, on, 10);
        auto& w = c.world;
        auto const p = w.linear_momentum();
        for (int i = 0; i < 200; ++i) EXPECT_TRUE(w.step(0.01));
        EXPECT_LT(norm(w.linear_momentum() - p), 1e-11);
    }
}
// Multipliers that push so hard that M - G is not positive definite: M is taken.
TEST(geometric_stiffness, is_left_out_where_it_would_turn_the_mass_negative) {
    chain c(3, true, true, 10);
    auto& w = c.world;
    w.solver.warm_start = 1;
    for (int i = 0; i < 3; ++i) {
        auto s = w.save();
        for (double& x : s.multipliers) x = 1e6;
        EXPECT_TRUE(w.restore(s));
        EXPECT_TRUE(w.step(0.01));
    }
    for (auto b : c.links) EXPECT_TRUE(std::isfinite(w.position(b).x()));
}
// Rods turn about their ends, ropes and springs too; bounds hold.
TEST(geometric_stiffness, runs_bounded_and_soft_constraints) {
    sinew::world<config, sinew::rope, sinew::spring_damper, sinew::hinge_joint, sinew::scalar_point_to_point> w;
    w.gravity = {0, -9.81, 0};
    w.solver.geometric_stiffness = true;
    sinew::rigid_body<double> b;
    b.inertia = sinew::diagonal(0.05, 0.05, 0.05);
    b.pose.position = {1, 0, 0};
    auto const a = w.add(b);
    b.pose.position = {2, 0, 0};
    auto const c = w.add(b);
    b.pose.position = {3, 0, 0};
    auto const d = w.add(b);
    auto const rope = w.add(sinew::rope<double>{{}, {0, 0.1, 0}, 1.2}, w.ground(), a);
    w.add(sinew::spring_damper<double>::at(w.pose(a), w.pose(c), {1.2, 0, 0}, {1.8, 0, 0}, 500, 5), a, c);
    w.add(sinew::hinge_joint<double>::at(w.pose(c), w.pose(d), {2.5, 0, 0}, {0, 0, 1}), c, d);
    for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(w.step(1.0 / 120));
        EXPECT_GE(w.multipliers(rope)[0], 0);
    }
    EXPECT_LT(w.constraint_error(), 1e-4);
    EXPECT_LT(w.kinetic_energy() + w.potential_energy(), 0.5 * 500 * 0.01);
}
TEST(geometric_stiffness, cannot_be_had_with_modified_inertia) {
    chain_world w, v;
    w.solver.geometric_stiffness = true;
    EXPECT_FALSE(w.solver == v.solver);
    EXPECT_EQ(w.solver.fault().name, nullptr);
    w.solver.modified_inertia = true;
    EXPECT_STREQ(w.solver.fault().name, "solver.modified_inertia");
}

}  // namespace
