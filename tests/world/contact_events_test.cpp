// Events: what began to touch in a step and what parted, told once each, without flicker.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using sinew::vec3;
using world = sinew::world<sinew::default_config, sinew::sphere, sinew::box, sinew::half_space>;

constexpr float dt = 1.0f / 60;

struct counts {
    int begins = 0, ends = 0;
    void add(world const& w) {
        begins += static_cast<int>(w.touch_begins().size());
        ends += static_cast<int>(w.touch_ends().size());
    }
};
int touches(world const& w) {
    int n = 0;
    w.for_each_touch([&](auto const&) { ++n; });
    return n;
}

TEST(contact_events, a_resting_body_begins_once_and_does_not_flicker) {
    world w;
    auto const floor = w.add(sinew::half_space<float>{}, w.ground());
    auto const body = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{0, 2, 0}});
    counts c;
    for (int i = 0; i < 300; ++i) {
        w.step(dt);
        c.add(w);
        for (auto const& e : w.touch_begins()) {
            EXPECT_TRUE(e.involves(world::collider(floor)));
            EXPECT_TRUE(e.involves(body));
            EXPECT_TRUE(e.involves(w.ground()));
            EXPECT_FALSE(e.sensor);
            // From a to b, the floor having come first.
            EXPECT_NEAR(e.normal.y(), 1, 1e-5);
            EXPECT_NEAR(e.point.y(), 0, 1e-4);
            EXPECT_NEAR(e.speed, std::sqrt(2 * 9.81f * 1.5f), 0.2f);
        }
    }
    EXPECT_EQ(c.begins, 1);
    EXPECT_EQ(c.ends, 0);
    EXPECT_EQ(touches(w), 1);
}

TEST(contact_events, every_bounce_is_told_even_one_within_a_step) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground(), {.material = sinew::material<float>::of(0, 1)});
    auto const ball = w.add_solid(sinew::sphere<float>{0.5f}, 1000.0f, sinew::pose<float>{{0, 2, 0}});
    counts c;
    int reversals = 0;
    for (int i = 0; i < 240; ++i) {
        float const before = w.twist(ball).linear.y();
        w.step(dt);
        reversals += before < 0 && w.twist(ball).linear.y() > 0 ? 1 : 0;
        c.add(w);
    }
    EXPECT_GE(reversals, 3);
    EXPECT_EQ(c.begins, reversals);
    EXPECT_NEAR(c.ends, reversals, 1);
}

TEST(contact_events, a_sensor_tells_and_does_not_push) {
    world w;
    auto const gate = w.add(sinew::box<float>{{2, 0.5f, 2}}, w.ground(), {.sensor = true});
    auto const ball = w.add_solid(sinew::sphere<float>{0.25f}, 1000.0f, sinew::pose<float>{{0, 2, 0}});
    float began = 0, ended = 0;
    counts c;
    for (int i = 0; i < 90; ++i) {
        w.step(dt);
        c.add(w);
        for (auto const& e : w.touch_begins()) {
            EXPECT_TRUE(e.sensor);
            EXPECT_TRUE(e.involves(world::collider(gate)));
            began = w.position(ball).y();
        }
        if (!w.touch_ends().empty()) ended = w.position(ball).y();
        EXPECT_EQ(w.contacts().size(), 0u);
    }
    EXPECT_EQ(c.begins, 1);
    EXPECT_EQ(c.ends, 1);
    EXPECT_LT(began, 0.76f);
    EXPECT_GT(began, 0.4f);
    EXPECT_LT(ended, -0.75f);
    EXPECT_NEAR(w.position(ball).y(), 2 - 0.5f * 9.81f * 1.5f * 1.5f, 0.2f) << "it has fallen freely";
}

// At 100 m/s a bullet goes 1.7 m in a step: through gates that it is in where no step begins.
TEST(contact_events, a_bullet_through_a_sensor_within_one_step_is_told) {
    for (float const start : {-1.5f, -1.0f, -0.5f, -0.24f, -0.2f}) {
        world w;
        auto const gate = w.add(sinew::box<float>{{0.15f, 1, 1}}, w.ground(), {.sensor = true});
        w.add(sinew::box<float>{{0.1f, 1, 1}}, w.ground(), {.frame = {{0.5f, 0, 3}, {}}, .sensor = true});    // beside its way
        w.add(sinew::box<float>{{0.1f, 1, 1}}, w.ground(), {.frame = {{-6, 0, 0}, {}}, .sensor = true});      // behind it
        auto const bullet = w.add_solid(sinew::sphere<float>{0.01f}, 8000.0f, sinew::pose<float>{{start, 0, 0}}, {}, {{100, 0, 0}, {}});
        int begun = -1, ended = -1;
        counts c;
        for (int i = 0; i < 10; ++i) {
            w.step(dt);
            c.add(w);
            for (auto const& e : w.touch_begins()) {
                begun = i;
                EXPECT_TRUE(e.sensor);
                EXPECT_TRUE(e.involves(world::collider(gate)) && e.involves(bullet));
                EXPECT_NEAR(e.point.x(), -0.15f, 0.002f) << "where it came in";
                EXPECT_NEAR(e.point.y(), 0, 0.01f);
                EXPECT_NEAR(e.normal.x(), -1, 1e-5) << "from the gate, which came first";
                EXPECT_NEAR(e.speed, 100, 0.1f);
            }
            if (!w.touch_ends().empty()) ended = i;
        }
        EXPECT_EQ(c.begins, 1) << start;
        EXPECT_EQ(c.ends, 1) << start;
        EXPECT_EQ(begun, 0) << start << ": in the step in which it goes through";
        EXPECT_EQ(ended, 1) << start;
        EXPECT_FLOAT_EQ(w.twist(bullet).linear.x(), 100) << "nothing pushed it";
    }
}

// What stops before a sensor has not gone through it, and what stops within stays in it.
TEST(contact_events, a_sensor_is_passed_by_where_the_body_went_not_where_it_would_have_gone) {
    for (bool const before : {true, false}) {
        world w;
        w.add(sinew::box<float>{{0.2f, 1, 1}}, w.ground(), {.sensor = true});
        w.add(sinew::box<float>{{0.05f, 1, 1}}, w.ground(), {.frame = {{before ? -0.3f : 0.0f, 0, 0}, {}}});
        auto const bullet = w.add_solid(sinew::sphere<float>{0.01f}, 8000.0f, sinew::pose<float>{{-1, 0, 0}}, {.continuous = true}, {{100, 0, 0}, {}});
        w.gravity = {};
        int sensed = 0, left = 0;
        for (int i = 0; i < 30; ++i) {
            w.step(dt);
            for (auto const& e : w.touch_begins()) sensed += e.sensor ? 1 : 0;
            for (auto const& e : w.touch_ends()) left += e.sensor ? 1 : 0;
        }
        EXPECT_EQ(sensed, before ? 0 : 1);
        EXPECT_EQ(left, 0);
        EXPECT_NEAR(w.position(bullet).x(), before ? -0.36f : -0.06f, 0.005f);
    }
}

// A rod that turns by more than its width in a step sweeps over what stands beside it; and a sensor that flies by tells of what stands.
TEST(contact_events, what_turns_or_carries_a_sensor_tells_of_what_it_sweeps) {
    world w;
    auto const post = w.add_fixed({{1, 0, 0}});
    w.add(sinew::sphere<float>{0.02f}, post, {.sensor = true});
    auto const rod = w.add_fixed({{0, 0, 0}, sinew::turned(sinew::quaternion<float>::identity(), {0, 0.5f, 0})}, {{}, {0, -60, 0}});
    w.add(sinew::box<float>{{1.5f, 0.02f, 0.02f}}, rod);
    auto const scanner = w.add_fixed({{1, 3, 0}}, {{0, -60, 0}, {}});
    w.add(sinew::box<float>{{0.3f, 0.01f, 0.3f}}, scanner, {.sensor = true});
    auto const stays = w.add_solid(sinew::sphere<float>{0.05f}, 1000.0f, sinew::pose<float>{{1, 2.5f, 0}});
    w.gravity = {};
    w.step(dt);
    int of_rod = 0, of_scanner = 0;
    for (auto const& e : w.touch_begins()) {
        of_rod += e.involves(rod) && e.involves(post) ? 1 : 0;
        of_scanner += e.involves(scanner) && e.involves(stays) ? 1 : 0;
    }
    EXPECT_EQ(of_rod, 1);
    EXPECT_EQ(of_scanner, 1);
}

TEST(contact_events, a_kinematic_body_that_stops_in_a_sensor_stays_there) {
    world w;
    w.add(sinew::box<float>{{1, 1, 1}}, w.ground(), {.sensor = true});
    auto const lift = w.add_fixed({{0, 4, 0}}, {{0, -2, 0}, {}});
    w.add(sinew::sphere<float>{0.5f}, lift);
    counts c;
    for (int i = 0; i < 120; ++i) {
        if (i == 100) w.set_twist(lift, {});
        w.step(dt);
        c.add(w);
    }
    EXPECT_EQ(c.begins, 1);
    EXPECT_EQ(c.ends, 0);
    EXPECT_EQ(touches(w), 1);
    w.set_twist(lift, {{0, 5, 0}, {}});
    for (int i = 0; i < 60; ++i) {
        w.step(dt);
        c.add(w);
    }
    EXPECT_EQ(c.ends, 1);
}

TEST(contact_events, what_is_removed_parts) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground());
    auto const body = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{0, 0.5f, 0}});
    for (int i = 0; i < 10; ++i) w.step(dt);
    EXPECT_EQ(touches(w), 1);
    ASSERT_TRUE(w.remove(body));
    w.step(dt);
    ASSERT_EQ(w.touch_ends().size(), 1u);
    EXPECT_TRUE(w.touch_ends()[0].involves(body));
    EXPECT_FALSE(w.contains(body));
    EXPECT_EQ(touches(w), 0);
    w.step(dt);
    EXPECT_EQ(w.touch_ends().size(), 0u);
}

TEST(contact_events, a_push_is_the_force_of_the_contacts) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground());
    auto const body = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{0, 0.5f, 0}});
    for (int i = 0; i < 60; ++i) w.step(dt);
    w.for_each_touch([&](auto const& t) {
        EXPECT_EQ(t.contacts.size(), 4u);
        EXPECT_NEAR(t.pressing() / (w.body(body).mass * 9.81f), 1, 0.01);
    });
}

// ---- what stands, and is put elsewhere or given another filter

struct sleeping_config : sinew::default_config {
    using sleep = sinew::island_sleep;
};
using sleeping_world = sinew::world<sleeping_config, sinew::sphere, sinew::box, sinew::half_space>;

template <class W>
struct tally {
    int begins = 0, ends = 0;
    template <class Advance>
    void run(W& w, int steps, Advance const& advance) {
        for (int i = 0; i < steps; ++i) {
            advance(w);
            begins += static_cast<int>(w.touch_begins().size());
            ends += static_cast<int>(w.touch_ends().size());
        }
    }
};
// A ball that was lifted into a sensor and stands there, then changed by the user: it has parted, and that is told once.
template <class Change, class Advance>
void expect_parts(Change const& change, Advance const& advance, char const* how) {
    sleeping_world w;
    w.add(sinew::box<float>{{1, 1, 1}}, w.ground(), {.sensor = true});
    auto const lift = w.add_fixed({{0, 3, 0}}, {{0, -2, 0}, {}});
    auto const ball = w.add(sinew::sphere<float>{0.5f}, lift);
    tally<sleeping_world> c;
    c.run(w, 90, advance);
    w.set_twist(lift, {});
    c.run(w, 30, advance);
    EXPECT_EQ(c.begins, 1) << how;
    EXPECT_EQ(c.ends, 0) << how;
    change(w, lift, ball);
    c.run(w, 5, advance);
    EXPECT_EQ(c.begins, 1) << how;
    EXPECT_EQ(c.ends, 1) << how;
    int left = 0;
    w.for_each_touch([&](auto const&) { ++left; });
    EXPECT_EQ(left, 0) << how;
}

TEST(contact_events, what_stands_in_a_sensor_parts_when_it_is_put_elsewhere_or_filtered) {
    auto const step = [](sleeping_world& w) { w.step(dt); };
    sinew::simulation_groups<sleeping_world> groups;
    auto const by_groups = [&](sleeping_world& w) { groups.advance(w, dt); };
    auto const far = [](auto& w, auto const& body, auto const&) { w.set_pose(body, {{10, 0, 0}}); };
    auto const beside = [](auto& w, auto const& body, auto const&) { w.set_pose(body, {{1.4f, 1.4f, 0}}); };  // their boxes overlap
    auto const filtered = [](auto& w, auto const&, auto const& ball) { w.set_filter(ball, {.mask = 0}); };
    expect_parts(far, step, "far");
    expect_parts(beside, step, "beside");
    expect_parts(filtered, step, "filtered");
    groups = {};
    expect_parts(far, by_groups, "far, by groups");
    groups = {};
    expect_parts(filtered, by_groups, "filtered, by groups");
}

TEST(contact_events, a_disabled_body_parts_when_it_is_lifted) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground());
    auto const body = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{0, 0.5f, 0}});
    counts c;
    auto const run = [&](int steps) {
        for (int i = 0; i < steps; ++i) {
            w.step(dt);
            c.add(w);
        }
    };
    run(10);
    w.disable(body);
    run(10);
    EXPECT_EQ(c.begins, 1);
    EXPECT_EQ(c.ends, 0) << "as it stands it goes on touching";
    w.set_pose(body, {{0, 3, 0}});
    run(3);
    EXPECT_EQ(c.ends, 1);
    EXPECT_EQ(touches(w), 0);
}

TEST(contact_events, a_sensor_that_comes_over_a_sleeper_tells_of_it) {
    for (int way = 0; way < 3; ++way) {  // added, put there, let meet it
        sleeping_world w;
        w.add(sinew::half_space<float>{}, w.ground());
        auto const body = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{0, 0.5f, 0}});
        auto const gate = w.add_fixed({{way == 2 ? 0.0f : 10.0f, 0, 0}});
        sinew::collision_filter filter;
        if (way == 2) filter.mask = 0;
        auto const there = way == 0 ? sinew::handle<sinew::box<float>>{} : w.add(sinew::box<float>{{1, 1, 1}}, gate, {.filter = filter, .sensor = true});
        auto const step = [](sleeping_world& it) { it.step(dt); };
        tally<sleeping_world> c;
        c.run(w, 120, step);
        ASSERT_TRUE(w.is_asleep(body));
        c = {};
        if (way == 0) w.add(sinew::box<float>{{1, 1, 1}}, w.ground(), {.sensor = true});
        if (way == 1) w.set_pose(gate, {});
        if (way == 2) w.set_filter(there, {});
        c.run(w, 2, step);
        EXPECT_EQ(c.begins, 1) << way;
        c.run(w, 240, step);
        EXPECT_EQ(c.begins, 1) << way;
        EXPECT_EQ(c.ends, 0) << way;
        EXPECT_TRUE(w.is_asleep(body)) << way;
    }
}

TEST(contact_events, a_wall_that_is_put_into_a_sleeper_wakes_it) {
    for (bool const added : {false, true}) {
        sleeping_world w;
        w.add(sinew::half_space<float>{}, w.ground());
        auto const body = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{0, 0.5f, 0}});
        auto const wall = w.add_fixed({{10, 1, 0}});
        if (!added) w.add(sinew::box<float>{{1, 1, 1}}, wall);
        for (int i = 0; i < 120; ++i) w.step(dt);
        ASSERT_TRUE(w.is_asleep(body));
        if (added)
            w.add(sinew::box<float>{{1, 1, 1}}, w.ground(), {.frame = {{1.45f, 1, 0}}});
        else
            w.set_pose(wall, {{1.45f, 1, 0}});
        for (int i = 0; i < 120; ++i) w.step(dt);
        EXPECT_LT(w.position(body).x(), -0.04f) << "it is pushed out";
    }
}

TEST(contact_events, a_step_that_fails_tells_nothing) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground());
    auto const body = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{0, 0.501f, 0}});
    auto const gone = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{5, 0.5f, 0}});
    w.step(dt);
    ASSERT_EQ(w.touch_begins().size(), 2u);
    w.remove(gone);
    w.apply_force(body, {3e38f, 0, 0}, w.position(body));
    ASSERT_FALSE(w.step(1e6f));
    EXPECT_EQ(w.touch_begins().size(), 0u);
    EXPECT_EQ(w.touch_ends().size(), 0u);
    w.apply_force(body, {-3e38f, 0, 0}, w.position(body));
    w.step(dt);
    EXPECT_EQ(w.touch_begins().size(), 0u);
    EXPECT_EQ(w.touch_ends().size(), 1u) << "what was removed before is told by the step that is taken";
}

}  // namespace
