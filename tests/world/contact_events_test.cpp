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

}  // namespace
