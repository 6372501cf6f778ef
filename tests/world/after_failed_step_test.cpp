// A step that comes to nothing leaves nothing behind: after it a world goes on as one that never tried, to the last bit.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace {

using namespace sinew;

template <class Solver>
struct config : default_config {
    using scalar = float;
    using solver = Solver;
};
template <class Solver>
using world_of = world<config<Solver>, box, sphere, half_space, ball_joint, hinge_joint>;

// Piles of boxes and balls, and pairs that are joined, which roll and tumble.
template <class World>
std::vector<handle<rigid>> build(World& w) {
    std::vector<handle<rigid>> bodies;
    w.add(half_space<float>{}, w.ground());
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) {
            float const x = 1.6f * static_cast<float>(i), y = 0.4f + 0.72f * static_cast<float>(k);
            pose<float> const at{{x + 0.05f * static_cast<float>(k), y, 0.1f * static_cast<float>(i)}, {}};
            bodies.push_back(k == 1 ? w.add_solid(sphere<float>{0.35f}, 500.0f, at) : w.add_solid(box<float>{{0.35f, 0.35f, 0.35f}}, 500.0f, at, {}, {{0.3f, 0, 0.2f}, {1, 2, 0.5f}}));
        }
    for (std::size_t i = 0; i + 3 < bodies.size(); i += 6) {
        vec3<float> const between = (w.pose(bodies[i]).position + w.pose(bodies[i + 3]).position) / 2.0f;
        w.add(ball_joint<float>::at(w.pose(bodies[i]), w.pose(bodies[i + 3]), between), bodies[i], bodies[i + 3]);
        w.add(hinge_joint<float>::at(w.pose(bodies[i + 1]), w.pose(bodies[i + 4]), between, {0, 0, 1}), bodies[i + 1], bodies[i + 4]);
    }
    return bodies;
}

template <class Solver>
class after_failed_step : public testing::Test {};
using solvers = testing::Types<sequential_impulses, wide_sequential_impulses<1>, wide_sequential_impulses<8>, nonlinear_gauss_seidel>;
TYPED_TEST_SUITE(after_failed_step, solvers);

TYPED_TEST(after_failed_step, the_world_goes_on_as_if_it_had_not_been) {
    world_of<TypeParam> w, alone;
    auto const bodies = build(w);
    (void)build(alone);
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(w.step(1.0f / 60));
        ASSERT_TRUE(alone.step(1.0f / 60));
    }
    for (std::size_t bad = 0; bad < bodies.size(); ++bad) {
        SCOPED_TRACE(bad);
        auto const kept = w.save();
        w.set_twist(bodies[bad], {{3e37f, -3e38f, 1e38f}, {0, 1e30f, 0}});
        EXPECT_FALSE(w.step(1.0f / 60));
        w.restore(kept);
        alone.restore(alone.save());
        for (int i = 0; i < 5; ++i) {
            auto const r = w.step(1.0f / 60), of_alone = alone.step(1.0f / 60);
            ASSERT_TRUE(r);
            EXPECT_EQ(r.residual, of_alone.residual);
        }
        ASSERT_TRUE(w.save() == alone.save());
    }
}

// What is taken away after it is gone.
TYPED_TEST(after_failed_step, joints_may_be_removed) {
    world_of<TypeParam> w;
    std::vector<handle<rigid>> bodies;
    std::vector<handle<ball_joint<float>>> joints;
    for (int i = 0; i < 6; ++i) {
        bodies.push_back(w.add_solid(sphere<float>{0.2f}, 500.0f, pose<float>{{static_cast<float>(i), 50, 0}, {}}));
        if (i > 0) joints.push_back(w.add(ball_joint<float>::at(w.pose(bodies[bodies.size() - 2]), w.pose(bodies.back()), {static_cast<float>(i) - 0.5f, 50, 0}), bodies[bodies.size() - 2], bodies.back()));
    }
    ASSERT_TRUE(w.step(1.0f / 60));
    auto const kept = w.save();
    w.set_twist(bodies[2], {{3e37f, -3e38f, 1e38f}, {0, 1e30f, 0}});
    EXPECT_FALSE(w.step(1.0f / 60));
    w.restore(kept);
    for (auto const& j : joints) w.remove(j);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(1.0f / 60));
    for (auto const& b : bodies) EXPECT_NEAR(w.pose(b).position.y(), 45, 0.2);
}

// Of a joint whose normal turns with its error multipliers tell no direction: the wrench itself is part of the state.
template <class Storage, class Scalar = float>
struct of_turning_normals : config<nonlinear_gauss_seidel> {
    using scalar = Scalar;
    using storage = Storage;
};
template <class World>
auto hang_by_a_turning_normal(World& w) {
    using S = typename World::scalar_type;
    auto const b = w.add(rigid_body_of(solid_box(S(2), vec3<S>{S(0.2f), S(0.2f), S(0.2f)}), pose<S>{{S(1), S(0), S(0)}, {}}));
    auto const joint = w.add(scalar_point_to_point<S>::at(w.pose(w.ground()), w.pose(b), {S(0), S(0), S(0)}), w.ground(), b);
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(w.step(S(0.01f)));
    return std::pair(b, joint);
}
template <class World>
void expect_wrenches_that_come_back() {
    World w;
    auto const [b, joint] = hang_by_a_turning_normal(w);
    auto const before = w.wrench_on(joint, 1);
    EXPECT_GT(norm(before.force), 1.0f);
    auto const kept = w.save();
    w.set_twist(b, {{3e37f, -3e38f, 1e38f}, {0, 1e30f, 0}});
    EXPECT_FALSE(w.step(0.01f));
    EXPECT_EQ(w.wrench_on(joint, 1), before);
    EXPECT_TRUE(w.restore(kept));
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(w.step(0.01f));
    EXPECT_NE(w.wrench_on(joint, 1), before);
    EXPECT_TRUE(w.restore(kept));
    EXPECT_EQ(w.wrench_on(joint, 1), before);
    EXPECT_TRUE(w.save() == kept);
}
TEST(wrenches, are_those_of_the_state_after_a_failed_step_and_a_restored_one) {
    expect_wrenches_that_come_back<world<of_turning_normals<dynamic_storage>, scalar_point_to_point>>();
    expect_wrenches_that_come_back<world<of_turning_normals<static_storage<capacities{.bodies = 1, .constraints = 1}>>, scalar_point_to_point>>();
}
TEST(wrenches, come_back_in_the_lanes_that_are_restored) {
    using S = batch<float, 4>;
    world<of_turning_normals<dynamic_storage, S>, scalar_point_to_point> w;
    auto const joint = hang_by_a_turning_normal(w).second;
    auto const kept = w.save();
    auto const before = w.wrench_on(joint, 1).force;
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(w.step(S(0.01f)));
    auto const after = w.wrench_on(joint, 1).force;
    mask_t<S> third = false;
    third.set(2, true);
    ASSERT_TRUE(w.restore(kept, third));
    auto const now = w.wrench_on(joint, 1).force;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t lane = 0; lane < 4; ++lane) EXPECT_EQ(now[k][lane], lane == 2 ? before[k][lane] : after[k][lane]) << k << lane;
}

// A body on a rod to a particle, in a world that knows no shapes: registers of its rod had kept what was no number.
template <class S>
struct of_particles : default_config {
    using scalar = S;
};
TEST(a_failed_step, leaves_nothing_in_the_rows_of_particles) {
    world<of_particles<float>, particle_body_distance> w;
    auto const b = w.add(rigid_body_of(solid_box(1.0f, vec3<float>{0.5f, 0.4f, 0.3f}), pose<float>{}));
    auto const p = w.add(particle<float>{1, {1, 0, 0}, {}});
    w.add(particle_body_distance<float>::at(particle_pose<float>{w.position(p)}, w.pose(b), w.position(p), vec3<float>{0.25f, 0.1f, 0}), p, b);
    auto other = w;
    w.apply_wrench(b, {{}, {3e38f, 3e38f, 0}});
    EXPECT_FALSE(w.step(1.0f / 60));
    EXPECT_TRUE(w.restore(other.save()));
    for (int k = 0; k < 5; ++k) {
        EXPECT_TRUE(w.step(1.0f / 60)) << k;
        EXPECT_TRUE(other.step(1.0f / 60)) << k;
        EXPECT_TRUE(w.save() == other.save()) << k;
    }
}

}  // namespace
