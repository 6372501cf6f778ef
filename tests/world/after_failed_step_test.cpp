// A step that comes to nothing leaves nothing behind: after it a world goes on as one that never tried, to the last bit.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cstddef>
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

}  // namespace
