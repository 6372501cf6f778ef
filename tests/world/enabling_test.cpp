// Bodies that are disabled, fixed or kinematic: what they respond to, and what enables them.

#include <sinew/sinew.hpp>

#include <world/lanes_scene.hpp>

#include <gtest/gtest.h>

namespace {

using sinew::enabled_by;
using sinew::vec3;

struct sleepy : sinew::default_config {
    using errors = sinew::null_errors;
    using sleep = sinew::island_sleep;
};
struct wakeful : sinew::default_config {
    using errors = sinew::null_errors;
};
template <class Config>
using world_of = sinew::world<Config, sinew::sphere, sinew::box, sinew::half_space, sinew::ball_joint>;

constexpr float dt = 1.0f / 60;

template <class World>
typename World::body_handle cube(World& w, vec3<float> const& at) {
    return w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{at});
}
template <class World>
void run(World& w, int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(w.step(dt));
}

template <class World>
class enabling : public testing::Test {};
using worlds = testing::Types<world_of<wakeful>, world_of<sleepy>>;
TYPED_TEST_SUITE(enabling, worlds);

// Two of everything: where one has a body that is disabled, the other has a fixed one.
TYPED_TEST(enabling, a_disabled_body_is_a_fixed_one_to_others) {
    TypeParam w[2];
    typename TypeParam::body_handle shelf[2], on[2], hung[2];
    for (int k = 0; k < 2; ++k) {
        sinew::box<float> const board{{1, 0.25f, 1}};
        if (k == 0) {
            shelf[k] = w[k].add_solid(board, 500.0f, sinew::pose<float>{{0, 4, 0}});
            ASSERT_TRUE(w[k].disable(shelf[k]));
        } else {
            shelf[k] = w[k].add_fixed({{0, 4, 0}});
            w[k].add(board, shelf[k]);
        }
        on[k] = cube(w[k], {0.3f, 5.5f, 0});
        hung[k] = cube(w[k], {0, 2.5f, 0});
        w[k].add(sinew::ball_joint<float>::at(w[k].pose(shelf[k]), w[k].pose(hung[k]), {0, 3.5f, 0}), shelf[k], hung[k]);
        w[k].add(sinew::ball_joint<float>::at(w[k].pose(shelf[k]), w[k].pose(w[k].ground()), {1, 4, 0}), shelf[k], w[k].ground());
        w[k].set_twist(hung[k], {{1, 0, 0}, {}});
        w[k].apply_force(shelf[k], {0, 1e6f, 0}, {0, 4, 0});
    }
    EXPECT_FALSE(w[0].is_enabled(shelf[0]));
    EXPECT_TRUE(w[0].is_enabled(on[0]));
    EXPECT_FALSE(w[1].is_enabled(shelf[1]));
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(w[0].step(dt));
        ASSERT_TRUE(w[1].step(dt));
        for (auto const body : {on, hung}) ASSERT_TRUE(w[0].pose(body[0]) == w[1].pose(body[1])) << i;
    }
    EXPECT_TRUE(w[0].pose(shelf[0]) == w[1].pose(shelf[1]));
    EXPECT_NEAR(w[0].position(on[0]).y(), 4.75, 0.01);
    EXPECT_EQ(w[0].body(shelf[0]).mass, 1000.0f) << "it keeps its mass";

    // Enabled it swings about its own joint, and takes along what lies on it, awake or asleep.
    ASSERT_TRUE(w[0].enable(shelf[0]));
    EXPECT_TRUE(w[0].is_enabled(shelf[0]));
    run(w[0], 30);
    EXPECT_LT(w[0].position(shelf[0]).y(), 3.9f);
    EXPECT_LT(w[0].position(on[0]).y(), 4.7f);
}

TYPED_TEST(enabling, it_stands_and_goes_on_from_rest) {
    TypeParam w;
    auto const a = w.add(sinew::rigid_body_of(sinew::solid_sphere(1.0f, 0.5f), sinew::pose<float>{{0, 10, 0}}));
    w.set_twist(a, {{3, 0, 0}, {0, 1, 0}});
    ASSERT_TRUE(w.disable(a));
    ASSERT_TRUE(w.disable(a)) << "once more is no more";
    EXPECT_TRUE(w.twist(a) == sinew::twist<float>{});
    EXPECT_EQ(w.kinetic_energy(), 0);
    w.apply_force(a, {1e3f, 0, 0}, {0, 10, 0});
    run(w, 30);
    EXPECT_TRUE((w.position(a) == vec3<float>{0, 10, 0}));
    EXPECT_FALSE(w.is_movable(a));
    w.apply_force(a, {1e3f, 0, 0}, {0, 10, 0});
    ASSERT_TRUE(w.enable(a));
    run(w, 30);
    EXPECT_EQ(w.position(a).x(), 0) << "what was applied meanwhile is lost";
    EXPECT_NEAR(w.twist(a).linear.y(), -9.81 * 0.5, 1e-4);
}

TYPED_TEST(enabling, given_a_twist_it_is_moved_by_it) {
    TypeParam w;
    w.add(sinew::half_space<float>{}, w.ground());
    auto const lift = w.add_solid(sinew::box<float>{{1, 0.25f, 1}}, 500.0f, sinew::pose<float>{{0, 0.5f, 0}});
    auto const load = cube(w, {0, 1.25f, 0});
    w.disable(lift);
    run(w, 60);
    w.set_twist(lift, {{0, 1, 0}, {}});
    run(w, 60);
    EXPECT_NEAR(w.position(lift).y(), 1.5, 1e-4);
    EXPECT_NEAR(w.position(load).y(), 2.25, 0.01);
    EXPECT_TRUE((w.linear_momentum() - 1000.0f * w.twist(load).linear == vec3<float>{})) << "whose momentum nobody keeps";
    w.enable(lift);
    EXPECT_EQ(w.twist(lift).linear.y(), 1.0f);
    run(w, 120);
    EXPECT_NEAR(w.position(lift).y(), 0.25, 0.01);
    EXPECT_NEAR(w.position(load).y(), 1.0, 0.01);
}

TYPED_TEST(enabling, what_is_fixed_cannot_be_and_bad_handles_change_nothing) {
    TypeParam w;
    auto const rock = w.add_fixed({{5, 0, 0}});
    auto const gone = cube(w, {0, 5, 0});
    w.remove(gone);
    auto const before = w;
    for (auto const h : {w.ground(), rock, gone, typename TypeParam::body_handle{}}) {
        EXPECT_FALSE(w.disable(h));
        EXPECT_TRUE(w.last_error());
        EXPECT_FALSE(w.enable(h));
        EXPECT_FALSE(w.is_enabled(h));
    }
    EXPECT_TRUE(w == before);
    // What moves when it is enabled may not be without end.
    auto const a = cube(w, {0, 5, 0});
    w.disable(a);
    EXPECT_FALSE(w.add(sinew::half_space<float>{}, a));
}

TYPED_TEST(enabling, a_snapshot_knows_who_was_enabled) {
    TypeParam w;
    w.add(sinew::half_space<float>{}, w.ground());
    auto const a = cube(w, {0, 2, 0}), b = cube(w, {0, 5, 0});
    w.disable(a);
    TypeParam const copy = w;
    auto const state = w.save();
    run(w, 60);
    w.enable(a);
    run(w, 60);
    EXPECT_FALSE(w == copy);
    if constexpr (TypeParam::env::sleeps) {
        ASSERT_TRUE(w.restore(state));
    } else {
        EXPECT_FALSE(w.restore(state)) << "it does not say who was";
        w.disable(a);
        ASSERT_TRUE(w.restore(state));
    }
    EXPECT_FALSE(w.is_enabled(a));
    TypeParam other = copy;
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(w.step(dt));
        ASSERT_TRUE(other.step(dt));
    }
    EXPECT_TRUE(w == other);
    EXPECT_NEAR(w.position(b).y(), 3, 0.01);
}

// ---- what enables, where islands sleep

using world = world_of<sleepy>;

TEST(enabled_by_others, a_force_enables_whom_it_may) {
    world w;
    w.gravity = {};
    auto const a = cube(w, {0, 0, 0}), b = cube(w, {5, 0, 0}), c = cube(w, {10, 0, 0});
    w.disable(a, enabled_by::force);
    w.disable(b, enabled_by::touch);
    w.disable(c, enabled_by::force_or_touch);
    for (auto const h : {a, b, c}) w.apply_force(h, {6e4f, 0, 0}, w.position(h));
    EXPECT_TRUE(w.is_enabled(a));
    EXPECT_FALSE(w.is_enabled(b));
    EXPECT_TRUE(w.is_enabled(c));
    run(w, 1);
    EXPECT_NEAR(w.twist(a).linear.x(), 1, 1e-5);
    EXPECT_EQ(w.twist(b).linear.x(), 0);
}

// By world.step, and by groups.
template <class Advance>
void knock(Advance&& advance) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground());
    // In a row: what a touch enables, with one lying on it, and what only a hand does.
    auto const first = cube(w, {0, 0.5f, 0}), on = cube(w, {0, 1.5f, 0}), second = cube(w, {1.2f, 0.5f, 0}), third = cube(w, {2.4f, 0.5f, 0});
    for (int i = 0; i < 60; ++i) advance(w);
    w.disable(first, enabled_by::touch);
    w.disable(second, enabled_by::touch);
    w.disable(third);
    for (int i = 0; i < 120; ++i) advance(w);
    EXPECT_FALSE(w.is_enabled(first)) << "what lay on it all the time does not touch it anew";
    EXPECT_TRUE(w.is_asleep(on));
    auto const visitor = w.add_solid(sinew::sphere<float>{0.4f}, 8000.0f, sinew::pose<float>{{-3, 0.6f, 0}}, {}, {{8, 0, 0}, {}});
    int at_first = -1, at_second = -1;
    for (int i = 0; i < 120; ++i) {
        bool const was = w.is_enabled(first);
        advance(w);
        if (w.is_enabled(first) && at_first < 0) {
            at_first = i;
            EXPECT_NEAR(w.position(visitor).x(), -0.9, 8 * dt + 0.05) << "as soon as it is there";
            EXPECT_FALSE(w.is_asleep(on));
        }
        if (w.is_enabled(second) && at_second < 0) {
            at_second = i;
            EXPECT_TRUE(was) << "by the first, which has been moved";
        }
    }
    EXPECT_GT(at_first, 0);
    EXPECT_GT(at_second, at_first);
    EXPECT_FALSE(w.is_enabled(third));
    EXPECT_TRUE((w.position(third) - vec3<float>{2.4f, 0.5f, 0}).x() < 0.02f);
    EXPECT_GT(w.position(first).x(), 0.1f);
    EXPECT_GT(w.position(second).x(), 1.25f);
}
TEST(enabled_by_others, a_touch_enables_in_a_step) {
    knock([](world& w) { ASSERT_TRUE(w.step(dt)); });
}
TEST(enabled_by_others, a_touch_enables_in_an_advance_of_groups) {
    sinew::simulation_groups<world> g;
    knock([&](world& w) { ASSERT_TRUE(g.advance(w, dt)); });
}
TEST(enabled_by_others, groups_go_on_to_the_same_bits) {
    sinew::simulation_groups<world> g;
    g.settings.mode = sinew::stepping::fixed;
    knock([&](world& w) {
        world other = w;
        ASSERT_TRUE(g.advance(w, dt));
        ASSERT_TRUE(other.step(dt));
        ASSERT_TRUE(w == other);
    });
}

TEST(enabled_by_others, a_state_that_was_saved_is_restored_with_it) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground());
    auto const a = cube(w, {0, 3, 0});
    w.disable(a, enabled_by::touch);
    w.add_solid(sinew::sphere<float>{0.5f}, 1000.0f, sinew::pose<float>{{0.2f, 6, 0}});
    auto const state = w.save();
    world copy = w;
    run(w, 100);
    ASSERT_TRUE(w.is_enabled(a));
    ASSERT_LT(w.position(a).y(), 2.9f);
    ASSERT_TRUE(w.restore(state));
    EXPECT_FALSE(w.is_enabled(a));
    EXPECT_TRUE(w == copy);
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(w.step(dt));
        ASSERT_TRUE(copy.step(dt));
    }
    EXPECT_TRUE(w == copy);
    EXPECT_TRUE(w.is_enabled(a));
}

// In lanes as in each of the worlds that they are.
template <class S>
struct swinging_config : sinew::default_config {
    using scalar = S;
};
template <class S>
sinew::vec3<S> swung(std::size_t lane) {
    sinew::world<swinging_config<S>, sinew::ball_joint> w;
    S const mass = lanes_scene::by_lane<S>(lane, [](double i) { return 1 + 0.5 * i; }), zero(0), one(1);
    auto const a = w.add(rigid_body_of(sinew::solid_box(one, vec3<S>{one, one, one}), sinew::pose<S>{{one, zero, zero}, {}}));
    auto const b = w.add(rigid_body_of(sinew::solid_box(mass, vec3<S>{one, one, one}), sinew::pose<S>{{S(2), zero, zero}, {}}));
    w.add(sinew::ball_joint<S>::at(w.pose(w.ground()), w.pose(a), {S(0.5f), zero, zero}), w.ground(), a);
    w.add(sinew::ball_joint<S>::at(w.pose(a), w.pose(b), {S(1.5f), zero, zero}), a, b);
    auto const swing = [&] {
        for (int i = 0; i < 20; ++i) EXPECT_TRUE(w.step(S(dt)));
    };
    swing();
    EXPECT_TRUE(w.disable(a));
    EXPECT_FALSE(w.is_enabled(a));
    auto const stands = w.position(a);
    swing();
    EXPECT_TRUE(sinew::all(stands.x() == w.position(a).x()));
    EXPECT_TRUE(w.enable(a));
    swing();
    EXPECT_FALSE(sinew::any(stands.x() == w.position(a).x()));
    return w.position(b);
}
TEST(enabling_in_lanes, is_that_of_worlds_alone) {
    auto const wide = swung<sinew::batch<float, 4>>(0);
    for (std::size_t lane = 0; lane < 4; ++lane) {
        auto const alone = swung<float>(lane);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(wide[k][lane], alone[k]) << "lane " << lane;
    }
}

}  // namespace
