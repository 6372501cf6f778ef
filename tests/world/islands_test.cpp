// Islands: what hangs together, what does not, and that only what is awake is solved.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using sinew::vec3;

struct sleepy_config : sinew::default_config {
    using sleep = sinew::island_sleep;
};
using world = sinew::world<sleepy_config, sinew::box, sinew::half_space, sinew::ball_joint, sinew::distance, sinew::particle_body_distance, sinew::spring>;
using body_handle = world::body_handle;

constexpr float dt = 1.0f / 60;

body_handle cube_of(world& w, vec3<float> const& at) { return w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{at}); }
std::size_t islands(world& w) { return w.step(dt).islands; }

TEST(islands, the_floor_joins_nothing_and_touch_joins) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground());
    for (float x : {0.0f, 3.0f, 6.0f}) cube_of(w, {x, 0.5f, 0});
    EXPECT_EQ(islands(w), 3u);
    cube_of(w, {3, 1.5f, 0});
    EXPECT_EQ(islands(w), 3u);
    // A bridge over two piles.
    cube_of(w, {0, 1.5f, 0});
    w.add_solid(sinew::box<float>{{3, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{1.5f, 2.5f, 0}});
    EXPECT_EQ(islands(w), 2u);
}

TEST(islands, constraints_and_forces_join_and_the_ground_does_not) {
    world w;
    w.gravity = {0, 0, 0};
    std::vector<body_handle> b;
    for (int i = 0; i < 6; ++i) b.push_back(cube_of(w, {3 * float(i), 0, 0}));
    EXPECT_EQ(islands(w), 6u);
    for (std::size_t i : {0u, 1u}) w.add(sinew::ball_joint<float>::at(w.pose(w.ground()), w.pose(b[i]), {3 * float(i), 1, 0}), w.ground(), b[i]);
    EXPECT_EQ(islands(w), 6u);
    auto const rod = w.add(sinew::distance<float>{{}, {}, 3}, b[0], b[1]);
    EXPECT_EQ(islands(w), 5u);
    auto const spring = w.add(sinew::spring<float>{}, b[2], b[3]);
    EXPECT_EQ(islands(w), 4u);
    ASSERT_TRUE(w.remove(rod));
    ASSERT_TRUE(w.remove(spring));
    EXPECT_EQ(islands(w), 6u);
}

TEST(islands, of_100_piles_only_those_awake_are_solved) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground());
    std::vector<body_handle> tops;
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 10; ++j) {
            cube_of(w, {3 * float(i), 0.5f, 3 * float(j)});
            tops.push_back(cube_of(w, {3 * float(i), 1.5f, 3 * float(j)}));
        }
    auto r = w.step(dt);
    EXPECT_EQ(r.islands, 100u);
    EXPECT_EQ(r.contacts, 800u);
    for (int i = 0; i < 90; ++i) r = w.step(dt);
    EXPECT_EQ(r.islands, 0u);
    EXPECT_EQ(r.contacts, 0u);
    for (std::size_t const k : {7u, 42u, 90u}) w.wake(tops[k]);
    r = w.step(dt);
    EXPECT_EQ(r.islands, 3u);
    EXPECT_EQ(r.contacts, 24u);
    EXPECT_EQ(w.make_problem().bodies.size(), 201u);
    std::size_t movable = 0;
    w.make_problem().for_each_movable([&](auto, std::uint32_t) { ++movable; });
    EXPECT_EQ(movable, 6u);
}

TEST(islands, an_island_with_a_particle_stays_awake) {
    world w;
    w.gravity = {0, 0, 0};
    auto const free = cube_of(w, {0, 0, 0}), held = cube_of(w, {5, 0, 0});
    auto const p = w.add(sinew::particle<float>{1, {6, 0, 0}, {}});
    w.add(sinew::particle_body_distance<float>{{}, {}, 1}, p, held);
    for (int i = 0; i < 90; ++i) w.step(dt);
    EXPECT_TRUE(w.is_asleep(free));
    EXPECT_FALSE(w.is_asleep(held));
    EXPECT_FALSE(w.put_to_sleep(held));
}

// Entries of a pool change places when islands fall asleep; each stays with its handle, and what was saved comes back to it.
TEST(islands, multipliers_stay_with_their_constraints) {
    world w;
    w.gravity = {0, -10, 0};
    std::vector<body_handle> b;
    std::vector<sinew::handle<sinew::ball_joint<float>>> joints;
    for (int i = 0; i < 8; ++i) {
        // Every other one swings, the others hang still, each with its own weight.
        float const x = 5 * float(i), m = 1 + float(i);
        bool const swings = i % 2 == 0;
        b.push_back(w.add(rigid_body_of(sinew::solid_box(m, vec3<float>{0.2f, 0.2f, 0.2f}), sinew::pose<float>{swings ? vec3<float>{x + 1, 0, 0} : vec3<float>{x, -1, 0}})));
        joints.push_back(w.add(sinew::ball_joint<float>::at(w.pose(w.ground()), w.pose(b.back()), {x, 0, 0}), w.ground(), b.back()));
    }
    for (int i = 0; i < 90; ++i) w.step(dt);
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(w.is_asleep(b[i]), i % 2 == 1);
        if (i % 2 == 1) {
            EXPECT_NEAR(norm(w.multipliers(joints[i])), 10 * (1 + float(i)), 0.05f * (1 + float(i)));
        }
        EXPECT_EQ(w.get(joints[i]).anchor_a.x(), 5 * float(i));
    }
    auto const state = w.save();
    auto const copy = w;
    for (int i = 0; i < 20; ++i) w.step(dt);
    auto const later = w;
    w.wake(b[3]);
    w.step(dt);
    ASSERT_TRUE(w.restore(state));
    EXPECT_TRUE(w == copy);
    for (int i = 0; i < 20; ++i) w.step(dt);
    EXPECT_TRUE(w == later);
}

}  // namespace
