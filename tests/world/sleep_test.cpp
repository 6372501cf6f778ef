// Sleep: who falls asleep, what wakes whom, that sleep costs nothing of what a snapshot promises.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using sinew::vec3;

struct sleepy_config : sinew::default_config {
    using sleep = sinew::island_sleep;
};
using world = sinew::world<sleepy_config, sinew::sphere, sinew::box, sinew::half_space, sinew::ball_joint, sinew::spring>;
using body_handle = world::body_handle;

constexpr float dt = 1.0f / 60;

body_handle cube_of(world& w, vec3<float> const& at) { return w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{at}); }
std::vector<body_handle> pile_of(world& w, float x, int n) {
    std::vector<body_handle> r;
    for (int i = 0; i < n; ++i) r.push_back(cube_of(w, {x, 0.5f + float(i), 0}));
    return r;
}
void run(world& w, int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(w.step(dt));
}
// Piles of three, at rest and asleep.
struct sleeping : testing::Test {
    world w;
    sinew::handle<sinew::half_space<float>> floor;
    std::vector<std::vector<body_handle>> piles;
    void SetUp() override {
        floor = w.add(sinew::half_space<float>{}, w.ground());
        for (float x : {0.0f, 5.0f, 10.0f}) piles.push_back(pile_of(w, x, 3));
        run(w, 120);
    }
    std::vector<bool> asleep() const {
        std::vector<bool> r;
        for (auto const& p : piles) {
            bool all = true, any = false;
            for (auto const b : p) {
                all = all && w.is_asleep(b);
                any = any || w.is_asleep(b);
            }
            EXPECT_EQ(all, any) << "an island sleeps as a whole";
            r.push_back(all);
        }
        return r;
    }
};
using marks = std::vector<bool>;

TEST_F(sleeping, what_rests_falls_asleep_and_stays_to_the_bit) {
    EXPECT_EQ(asleep(), (marks{true, true, true}));
    EXPECT_EQ(w.asleep_count(), 9u);
    auto const before = w.save();
    run(w, 600);
    auto const after = w.save();
    EXPECT_TRUE(before.bodies == after.bodies);
    auto const r = w.step(dt);
    EXPECT_EQ(r.contacts, 0u);
    EXPECT_EQ(r.islands, 0u);
    EXPECT_EQ(w.kinetic_energy(), 0);
    for (auto const& p : piles)
        for (auto const b : p) EXPECT_TRUE(w.is_movable(b)) << "it only sleeps";
}

TEST_F(sleeping, a_force_wakes_one_island) {
    ASSERT_TRUE(w.apply_force(piles[1][2], {1, 0, 0}, w.position(piles[1][2])));
    EXPECT_EQ(asleep(), (marks{true, false, true}));
    auto const r = w.step(dt);
    EXPECT_EQ(r.islands, 1u);
    EXPECT_EQ(r.contacts, 12u);
    EXPECT_EQ(w.touch_begins().size(), 0u) << "they have been touching all the time";
    EXPECT_EQ(w.touch_ends().size(), 0u);
    run(w, 60);
    EXPECT_EQ(asleep(), (marks{true, true, true}));
}

TEST_F(sleeping, a_touch_wakes) {
    auto const ball = w.add_solid(sinew::sphere<float>{0.3f}, 1000.0f, sinew::pose<float>{{2.5f, 0.3f, 0}}, {}, {{4, 0, 0}, {}});
    EXPECT_EQ(asleep(), (marks{true, true, true}));
    int woken = 0;
    for (int i = 0; i < 60; ++i) {
        w.step(dt);
        woken += asleep() == marks{true, false, true} ? 1 : 0;
    }
    EXPECT_GT(woken, 10);
    EXPECT_LT(w.position(ball).x(), 4.9f) << "it was in the way";
    run(w, 300);
    EXPECT_EQ(asleep(), (marks{true, true, true}));
}

TEST_F(sleeping, changes_wake_those_whom_they_concern) {
    w.set_pose(piles[0][2], w.pose(piles[0][2]));
    EXPECT_EQ(asleep(), (marks{false, true, true}));
    run(w, 60);
    w.set_twist(piles[1][0], {});
    EXPECT_EQ(asleep(), (marks{true, false, true}));
    run(w, 60);
    ASSERT_TRUE(w.remove(piles[2][0]));
    piles[2].erase(piles[2].begin());
    EXPECT_EQ(asleep(), (marks{true, true, false}));
    run(w, 120);
    EXPECT_EQ(asleep(), (marks{true, true, true}));
    EXPECT_NEAR(w.position(piles[2][0]).y(), 0.5, 0.01) << "what it stood on has gone";
    auto const joint = w.add(sinew::ball_joint<float>::at(w.pose(piles[0][2]), w.pose(piles[1][2]), {2.5f, 2.5f, 0}), piles[0][2], piles[1][2]);
    EXPECT_EQ(asleep(), (marks{false, false, true}));
    run(w, 120);
    EXPECT_EQ(asleep(), (marks{true, true, true}));
    ASSERT_TRUE(w.wake(piles[0][0]));
    EXPECT_EQ(asleep(), (marks{false, false, true})) << "the joint makes one island of two";
    run(w, 120);
    ASSERT_TRUE(w.remove(joint));
    EXPECT_EQ(asleep(), (marks{false, false, true}));
    run(w, 120);
    ASSERT_TRUE(w.wake(piles[0][0]));
    EXPECT_EQ(asleep(), (marks{false, true, true}));
    run(w, 60);
    ASSERT_TRUE(w.remove(floor));
    EXPECT_EQ(asleep(), (marks{false, false, false}));
    run(w, 60);
    for (auto const& p : piles)
        for (auto const b : p) EXPECT_LT(w.position(b).y(), -1);
}

TEST_F(sleeping, gravity_and_a_moved_support_wake) {
    w.gravity = {0, -5, 0};
    run(w, 1);
    EXPECT_EQ(asleep(), (marks{false, false, false}));
    run(w, 120);
    EXPECT_EQ(asleep(), (marks{true, true, true}));
    // A shelf that goes away under a sleeper.
    auto const shelf = w.add_fixed({{20, 1, 0}});
    w.add(sinew::box<float>{{1, 0.1f, 1}}, shelf);
    auto const cup = cube_of(w, {20, 1.6f, 0});
    run(w, 120);
    ASSERT_TRUE(w.is_asleep(cup));
    w.set_pose(shelf, {{30, 1, 0}});
    EXPECT_FALSE(w.is_asleep(cup));
    run(w, 120);
    EXPECT_NEAR(w.position(cup).y(), 0.5, 0.01);
}

TEST_F(sleeping, by_hand) {
    ASSERT_TRUE(w.wake(piles[1][1]));
    EXPECT_EQ(asleep(), (marks{true, false, true}));
    run(w, 1);
    ASSERT_TRUE(w.put_to_sleep(piles[1][0]));
    EXPECT_EQ(asleep(), (marks{true, true, true}));
    // In the air, and there it stays.
    auto const cube = cube_of(w, {0, 20, 0});
    ASSERT_TRUE(w.put_to_sleep(cube));
    run(w, 60);
    EXPECT_EQ(w.position(cube).y(), 20);
    ASSERT_TRUE(w.wake(cube));
    run(w, 60);
    EXPECT_LT(w.position(cube).y(), 17);
    EXPECT_FALSE(w.put_to_sleep(w.ground()));
}

TEST_F(sleeping, snapshots_know_who_sleeps) {
    ASSERT_TRUE(w.apply_force(piles[1][2], {2e4f, 0, 0}, w.position(piles[1][2])));
    run(w, 10);
    EXPECT_EQ(asleep(), (marks{true, false, true}));
    world const snapshot = w;
    auto const state = w.save();
    w.wake(piles[0][0]);
    w.apply_force(piles[2][2], {3e4f, 0, 0}, w.position(piles[2][2]));
    run(w, 30);
    EXPECT_FALSE(w == snapshot);
    ASSERT_TRUE(w.restore(state));
    EXPECT_EQ(asleep(), (marks{true, false, true}));
    EXPECT_TRUE(w == snapshot);
    world other = snapshot;
    for (int i = 0; i < 120; ++i) {
        w.step(dt);
        other.step(dt);
        ASSERT_TRUE(w == other) << i;
    }
    EXPECT_EQ(asleep(), (marks{true, true, true}));
    // And back again, across the falling asleep.
    ASSERT_TRUE(w.restore(state));
    EXPECT_TRUE(w == snapshot);
}

TEST_F(sleeping, what_never_rests_does_not_sleep) {
    auto const belt = w.add_fixed({{20, 0, 0}}, {{0.5f, 0, 0}, {}});
    w.add(sinew::box<float>{{5, 0.1f, 1}}, belt);
    auto const rider = cube_of(w, {20, 0.6f, 0});
    // A pendulum, and a weight on a spring.
    auto const bob = w.add_solid(sinew::sphere<float>{0.2f}, 1000.0f, sinew::pose<float>{{42, 10, 0}});
    w.add(sinew::ball_joint<float>::at(w.pose(w.ground()), w.pose(bob), {40, 10, 0}), w.ground(), bob);
    for (int i = 0; i < 300; ++i) {
        w.step(dt);
        EXPECT_FALSE(w.is_asleep(rider));
        EXPECT_FALSE(w.is_asleep(bob)) << "slow at its turning point for a moment only";
    }
    EXPECT_EQ(asleep(), (marks{true, true, true}));
}

TEST(sleep, works_without_shapes) {
    sinew::world<sleepy_config, sinew::ball_joint> w;
    auto const post = w.add_fixed({{0, 0, 0}});
    auto const hung = w.add(rigid_body_of(sinew::solid_box(1.0f, vec3<float>{1, 1, 1}), sinew::pose<float>{{0, -1, 0}}));
    auto const joint = w.add(sinew::ball_joint<float>::at(w.pose(post), w.pose(hung), {0, 0, 0}), post, hung);
    auto const swings = w.add(rigid_body_of(sinew::solid_box(1.0f, vec3<float>{1, 1, 1}), sinew::pose<float>{{11, 0, 0}}));
    w.add(sinew::ball_joint<float>::at(w.pose(w.ground()), w.pose(swings), {10, 0, 0}), w.ground(), swings);
    for (int i = 0; i < 120; ++i) w.step(dt);
    EXPECT_TRUE(w.is_asleep(hung));
    EXPECT_FALSE(w.is_asleep(swings));
    EXPECT_LT(norm(w.error_of(joint)), 1e-3f);
    auto const state = w.save();
    auto const copy = w;
    for (int i = 0; i < 60; ++i) w.step(dt);
    ASSERT_TRUE(w.restore(state));
    EXPECT_TRUE(w == copy);
    ASSERT_TRUE(w.remove(joint));
    EXPECT_FALSE(w.is_asleep(hung));
    for (int i = 0; i < 60; ++i) w.step(dt);
    EXPECT_LT(w.position(hung).y(), -3);
}

template <class S>
struct sleepy_over : sinew::default_config {
    using scalar = S;
    using sleep = sinew::island_sleep;
};
// The steps after which a ball that floats and does not move sleeps, if it is to do so after `time` s; 0: it does not.
template <class S>
int steps_until_sleep(int hertz, S const& time, S const& speed = S(0)) {
    sinew::world<sleepy_over<S>, sinew::sphere> w;
    w.gravity = {};
    w.sleep.time = time;
    auto const ball = w.add_solid(sinew::sphere<S>{S(1)}, S(1), {}, {}, {{speed, S(0), S(0)}, {}});
    for (int k = 1; k < 300; ++k) {
        EXPECT_TRUE(w.step(S(1) / S(hertz)));
        if (w.is_asleep(ball)) return k;
    }
    return 0;
}
// Half a second is a whole number of steps, whatever the rounding of their sum.
TEST(sleep, begins_after_as_many_steps_in_every_precision) {
    for (int const hertz : {30, 50, 60, 90, 100, 120, 240}) {
        SCOPED_TRACE(hertz);
        EXPECT_EQ(steps_until_sleep<float>(hertz, 0.5f), hertz / 2);
        EXPECT_EQ(steps_until_sleep<double>(hertz, 0.5), hertz / 2);
        EXPECT_EQ(steps_until_sleep<long double>(hertz, 0.5L), hertz / 2);
    }
}
TEST(sleep, at_once_is_for_what_is_slow_alone) {
    for (float const time : {0.0f, 1e-3f}) {
        EXPECT_EQ(steps_until_sleep(60, time), 1);
        EXPECT_EQ(steps_until_sleep(60, time, 1.0f), 0);
    }
}
TEST(sleep, its_settings_are_checked) {
    world w;
    w.sleep.time = -1;
    EXPECT_THROW(w.step(dt), std::invalid_argument);
    w.sleep = {};
    EXPECT_TRUE(w.step(dt));
}

}  // namespace
