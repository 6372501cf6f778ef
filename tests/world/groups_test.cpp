// Simulation groups: what is stepped apart goes its way as it would together, groups merge and split, and an advance is all or nothing.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using sinew::vec3;

// Fails after a time, which only its own bodies learn.
template <sinew::scalar S>
struct bomb {
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
    S after{};  // s
    constexpr std::array<sinew::wrench<S>, 2> wrenches(auto const&, auto const&, S t) const {
        S const f = t > after ? sinew::infinity_v<S> : S(0);
        return {sinew::wrench<S>{{f, S(0), S(0)}, {}}, sinew::wrench<S>{{-f, S(0), S(0)}, {}}};
    }
    [[nodiscard]] friend constexpr bool operator==(bomb const&, bomb const&) = default;
};

struct sleepy : sinew::default_config {
    using sleep = sinew::island_sleep;
};
using world = sinew::world<sleepy, sinew::sphere, sinew::box, sinew::half_space, sinew::ball_joint, sinew::spring, bomb>;
using groups = sinew::simulation_groups<world>;
using body_handle = world::body_handle;

constexpr float dt = 1.0f / 60;

groups fixed_groups(float step = 0) {
    groups g;
    g.settings.mode = sinew::stepping::fixed;
    g.settings.initial_step = step;
    return g;
}
body_handle ball(world& w, vec3<float> const& at, vec3<float> const& v = {}, float restitution = 0) {
    return w.add_solid(sinew::sphere<float>{0.5f}, 1000.0f, sinew::pose<float>{at}, {.material = sinew::material<float>::of(0.0f, restitution)}, {v, {}});
}
std::vector<body_handle> pile(world& w, float x, int n) {
    std::vector<body_handle> r;
    for (int i = 0; i < n; ++i) r.push_back(w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{x, 0.5f + float(i), 0}}));
    return r;
}

// A bit of everything: solids that tumble, joints, one that breaks, a platform that moves and turns, a sensor.
struct playground {
    world w;
    std::vector<body_handle> bodies;

    explicit playground(unsigned seed) {
        std::mt19937 random(seed);
        auto const u = [&](float a, float b) { return std::uniform_real_distribution<float>(a, b)(random); };
        w.add(sinew::half_space<float>{}, w.ground());
        for (int i = 0; i < 40; ++i) {
            sinew::pose<float> const at{{u(-10, 10), u(0.5f, 5), u(-10, 10)}, normalize(sinew::quaternion<float>{u(-1, 1), u(-1, 1), u(-1, 1), u(-1, 1)})};
            sinew::twist<float> const t{{u(-4, 4), u(-2, 2), u(-4, 4)}, {u(-3, 3), u(-3, 3), u(-3, 3)}};
            if (i % 2 == 0)
                bodies.push_back(w.add_solid(sinew::sphere<float>{u(0.2f, 0.5f)}, 1000.0f, at, {}, t));
            else
                bodies.push_back(w.add_solid(sinew::box<float>{{u(0.2f, 0.5f), u(0.2f, 0.5f), u(0.2f, 0.5f)}}, 1000.0f, at, {}, t));
        }
        auto const platform = w.add_fixed({{-6, 0.3f, 0}}, {{0.7f, 0, 0}, {0, 0.3f, 0}});
        w.add(sinew::box<float>{{1.5f, 0.1f, 1.5f}}, platform);
        w.add(sinew::box<float>{{1, 3, 1}}, w.ground(), {.frame = {{3, 1, 3}}, .sensor = true});
        for (std::size_t i = 0; i < 12; i += 2) {
            vec3<float> const middle = (w.position(bodies[i]) + w.position(bodies[i + 1])) * 0.5f;
            w.add(sinew::ball_joint<float>::at(w.pose(bodies[i]), w.pose(bodies[i + 1]), middle), bodies[i], bodies[i + 1]);
        }
        vec3<float> const hook = w.position(bodies[20]) + vec3<float>{1, 1, 0};
        auto const thread = w.add(sinew::ball_joint<float>::at(w.pose(bodies[20]), w.pose(w.ground()), hook), bodies[20], w.ground());
        w.set_break_threshold(thread, 8000);
    }
    // Springs that are let go: nothing in the twists tells where they will throw what they hold.
    void add_catapults() {
        for (std::size_t i = 24; i < bodies.size(); ++i) {
            float const side = i % 2 == 0 ? 2.0f : -2.0f;
            auto const post = w.add_fixed({w.position(bodies[i]) + vec3<float>{side, -0.5f, i % 3 == 0 ? 2.0f : -1.0f}});
            w.add(sinew::spring<float>{.rest_length = 6, .stiffness = 3e3f, .damping = 100}, post, bodies[i]);
        }
    }
};

// ---- the same as one world

TEST(groups, with_one_step_each_the_world_goes_on_to_the_same_bits) {
    unsigned const seed = 5;
    SCOPED_TRACE(seed);
    playground p(seed);
    world other = p.w;
    groups g = fixed_groups();
    std::size_t most = 0, asleep = 0, events = 0;
    for (int k = 0; k < 400; ++k) {
        SCOPED_TRACE(k);
        if (k % 100 == 50) {
            body_handle const b = p.bodies[std::size_t(k / 10)];
            for (world* w : {&p.w, &other}) w->apply_force(b, {0, 3e4f, 1e3f}, w->position(b));
        }
        auto const r = g.advance(p.w, dt);
        ASSERT_TRUE(r);
        auto const s = other.step(dt);
        ASSERT_TRUE(p.w == other);
        EXPECT_EQ(r.broken, s.broken);
        EXPECT_TRUE(std::ranges::is_permutation(p.w.touch_begins(), other.touch_begins()));
        EXPECT_TRUE(std::ranges::is_permutation(p.w.touch_ends(), other.touch_ends()));
        most = std::max(most, r.groups);
        asleep = std::max(asleep, p.w.asleep_count());
        events += p.w.touch_begins().size();
    }
    EXPECT_GT(most, 15u);
    EXPECT_GT(asleep, 10u);
    EXPECT_GT(events, 40u);
    EXPECT_EQ(p.w.count<sinew::ball_joint<float>>(), 6u) << "the thread broke";
}

// Vondrak's TestGroupMerging asks the same: merged at the right time, and what was begun in vain is taken back.
TEST(groups, merged_and_done_again_they_come_to_the_same_bits) {
    std::size_t retries = 0;
    for (unsigned seed : {1u, 5u}) {
        SCOPED_TRACE(seed);
        playground p(seed);
        p.add_catapults();
        world other = p.w;
        groups g = fixed_groups(dt);
        for (int k = 0; k < 30; ++k) {
            SCOPED_TRACE(k);
            auto const r = g.advance(p.w, 12 * dt);
            ASSERT_TRUE(r);
            retries += r.retries;
            for (int i = 0; i < 12; ++i) other.step(dt);
            auto const a = p.w.save(), b = other.save();
            ASSERT_TRUE(a.bodies == b.bodies);
            ASSERT_TRUE(a.multipliers == b.multipliers);
            ASSERT_TRUE(a.contacts.awake == b.contacts.awake);
            ASSERT_TRUE(a.rest == b.rest);
        }
    }
    EXPECT_GT(retries, 3u);
}

// ---- merging and splitting

TEST(groups, balls_that_meet_are_merged_and_split_again) {
    world w;
    w.gravity = {};
    auto const a = ball(w, {-3, 0, 0}, {2, 0, 0}, 1), b = ball(w, {3, 0, 0}, {-2, 0, 0}, 1), c = ball(w, {0, 20, 0}, {0.3f, 0, 0});
    groups g;
    bool were_together = false;
    for (int i = 0; i < 180; ++i) {
        SCOPED_TRACE(i);
        ASSERT_TRUE(g.advance(w, dt));
        float const gap = norm(w.position(a) - w.position(b)) - 1;
        if (g.are_together(a, b)) {
            were_together = true;
            EXPECT_LT(gap, 4 * dt * 4) << "no sooner than their hulls meet";
            EXPECT_EQ(g.count(), 2u);
        } else {
            EXPECT_GT(gap, 0.0f);
            EXPECT_EQ(g.count(), 3u);
        }
        EXPECT_FALSE(g.are_together(a, c));
    }
    EXPECT_TRUE(were_together);
    EXPECT_FALSE(g.are_together(a, b)) << "they have parted";
    EXPECT_NEAR(w.twist(a).linear.x(), -2, 1e-3);
    EXPECT_NEAR(w.twist(b).linear.x(), 2, 1e-3);
}

TEST(groups, a_hull_that_is_left_takes_all_back_and_merges) {
    // Flung aside by a spring that nobody sees coming, into a ball that flies past.
    world w;
    w.gravity = {};
    auto const post = w.add_fixed({{0, -4, 0}});
    auto const a = ball(w, {0, 0, 0}), b = ball(w, {-2, 3, 0}, {2, 0, 0}), c = ball(w, {30, 0, 0}, {1, 1, 1});
    w.add(sinew::spring<float>{.rest_length = 7, .stiffness = 4e4f}, post, a);
    world together = w;
    together.add(sinew::spring<float>{.stiffness = 0}, a, b);  // holds nothing; but they are one group
    groups g = fixed_groups(dt), h = g;
    auto const r = g.advance(w, 60 * dt);
    auto const s = h.advance(together, 60 * dt);
    ASSERT_TRUE(r);
    EXPECT_EQ(r.retries, 1u);
    EXPECT_EQ(s.retries, 0u);
    EXPECT_TRUE(g.are_together(a, b));
    EXPECT_EQ(r.groups, 2u);
    EXPECT_TRUE(w.save().bodies == together.save().bodies);
    EXPECT_GT(norm(w.twist(b).linear - vec3<float>{2, 0, 0}), 0.5f) << "it was hit";
    // The other one has been advanced twice: that was the price.
    EXPECT_GE(r.body_steps, s.body_steps + 1);
    (void)c;
}

// Contacts are looked for as far as forces carry bodies in the step, which is far against the size of what is small. So far the hulls are to reach.
TEST(groups, what_forces_bring_together_in_one_step_is_one_group) {
    float const radius = 0.002f, gap = 0.002f;
    for (bool const by_spring : {false, true}) {
        SCOPED_TRACE(by_spring ? "by a spring" : "applied");
        world w;
        w.gravity = {};
        auto const small = [&](vec3<float> const& at) { return w.add_solid(sinew::sphere<float>{radius}, 1000.0f, sinew::pose<float>{at}); };
        auto const a = small({0, 0, 0}), b = small({2 * radius + gap, 0, 0}), c = small({0, 1, 0});
        float const force = 40 * 1000 * 4.18879f * radius * radius * radius;  // 40 m/s^2: 11 mm in a step
        if (by_spring)
            w.add(sinew::spring<float>{.anchor_a = {1, 0, 0}, .stiffness = force}, w.ground(), a);
        else
            w.apply_force(a, {force, 0, 0}, w.position(a));
        world other = w;
        groups g = fixed_groups();
        ASSERT_TRUE(g.advance(w, dt));
        ASSERT_TRUE(other.step(dt));
        EXPECT_TRUE(w == other);
        EXPECT_EQ(w.contacts().size(), 1u);
        EXPECT_TRUE(g.are_together(a, b));
        EXPECT_FALSE(g.are_together(a, c));
        EXPECT_GT(w.twist(b).linear.x(), 0.1f) << "it was hit";
    }
}

// The first is awake and hits the second, which wakes, and falls as far as to the third in the same step.
TEST(groups, what_wakes_reaches_as_far_as_it_will_fall) {
    float const half = 0.002f, h = 1.0f / 30;
    world w;
    auto const cube = [&](float x, float y) { return w.add_solid(sinew::box<float>{{half, half, half}}, 1000.0f, sinew::pose<float>{{x, y, 0}}); };
    auto const lowest = cube(0, 0), middle = cube(0, 2 * half + 0.002f), high = cube(1, 0);
    ASSERT_TRUE(w.step(1e-6f));
    w.put_to_sleep(lowest);
    w.put_to_sleep(middle);
    w.set_pose(high, {{0, 4 * half + 0.0021f, 0}});
    w.set_twist(high, {{0, -0.5f, 0}, {}});
    ASSERT_EQ(w.asleep_count(), 2u);
    world other = w;
    groups g = fixed_groups();
    ASSERT_TRUE(g.advance(w, h));
    ASSERT_TRUE(other.step(h));
    EXPECT_TRUE(w == other);
    EXPECT_FALSE(w.is_asleep(middle));
    EXPECT_TRUE(g.are_together(lowest, high));
}

TEST(groups, constraints_and_forces_hold_groups_together) {
    world w;
    w.gravity = {};
    auto const a = ball(w, {0, 0, 0}), b = ball(w, {5, 0, 0}), c = ball(w, {10, 0, 0}), d = ball(w, {15, 0, 0});
    auto const joint = w.add(sinew::ball_joint<float>::at(w.pose(a), w.pose(b), {2.5f, 0, 0}), a, b);
    auto const spring = w.add(sinew::spring<float>{.rest_length = 5, .stiffness = 10}, b, c);
    auto const rail = w.add_fixed({{7, 5, 0}});
    w.add(sinew::spring<float>{.rest_length = 5, .stiffness = 10}, c, rail);
    w.add(sinew::spring<float>{.rest_length = 5, .stiffness = 10}, d, rail);
    groups g;
    ASSERT_TRUE(g.advance(w, dt));
    EXPECT_EQ(g.count(), 2u) << "what does not move joins nothing";
    EXPECT_TRUE(g.are_together(a, c));
    EXPECT_FALSE(g.are_together(c, d));
    w.remove(spring);
    ASSERT_TRUE(g.advance(w, dt));
    EXPECT_EQ(g.count(), 3u);
    w.remove(joint);
    ASSERT_TRUE(g.advance(w, dt));
    EXPECT_EQ(g.count(), 4u);
}

TEST(groups, a_fall_in_one_long_advance_ends_on_the_floor) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground());
    auto const a = ball(w, {0, 6, 0});
    auto const b = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{5, 3, 0}});
    auto const flung = ball(w, {10, 2, 0});
    w.apply_force(flung, {0, -4e4f, 0}, w.position(flung));
    groups g;
    auto const r = g.advance(w, 2);
    ASSERT_TRUE(r);
    for (auto const h : {a, b, flung}) EXPECT_NEAR(w.position(h).y(), 0.5, 0.02);
}

// ---- all or nothing

TEST(groups, a_group_that_cannot_be_advanced_leaves_everything_as_it_was) {
    playground p(7);
    groups g;
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(g.advance(p.w, dt));
    auto const a = p.bodies[38], b = p.bodies[39];
    p.w.set_pose(a, {{40, 5, 0}});
    p.w.set_pose(b, {{45, 5, 0}});
    p.w.add(bomb<float>{p.w.time() + 0.5f * dt}, a, b);
    p.w.apply_force(p.bodies[0], {1, 2, 3}, p.w.position(p.bodies[0]));
    world const before = p.w;
    auto const paces = g.paces();
    auto const begins = std::vector(before.touch_begins().begin(), before.touch_begins().end());
    auto const r = g.advance(p.w, dt);
    EXPECT_EQ(r.status, sinew::step_status::not_finite);
    EXPECT_TRUE(p.w == before);
    EXPECT_TRUE(g.paces() == paces);
    EXPECT_TRUE(std::ranges::equal(p.w.touch_begins(), begins));
    // And goes on as if nothing had been: as the copy does.
    world copy = before;
    ASSERT_TRUE(p.w.step(0.4f * dt));
    ASSERT_TRUE(copy.step(0.4f * dt));
    EXPECT_TRUE(p.w == copy);
}

// Others have come, and have stepped the world, since the paces were left: that is taken note of when an advance is taken.
TEST(groups, an_advance_that_fails_leaves_the_paces_of_others_as_they_were) {
    world w;
    w.gravity = {};
    auto const a = ball(w, {0, 0, 0}), b = ball(w, {5, 0, 0});
    groups g;
    ASSERT_TRUE(g.advance(w, dt));
    ASSERT_TRUE(w.step(dt));
    ball(w, {10, 0, 0});
    auto const fails = w.add(bomb<float>{w.time() + 0.3f * dt}, a, b);
    auto const paces = g.paces();
    ASSERT_EQ(g.advance(w, dt).status, sinew::step_status::not_finite);
    EXPECT_TRUE(g.paces() == paces);
    w.remove(fails);
    ASSERT_TRUE(g.advance(w, dt));
    EXPECT_EQ(g.paces().of_nodes.size(), paces.of_nodes.size() + 1);
}

TEST(groups, bad_input_changes_nothing) {
    struct quiet : sleepy {
        using errors = sinew::null_errors;
    };
    using quiet_world = sinew::world<quiet, sinew::sphere>;
    quiet_world w;
    w.add_solid(sinew::sphere<float>{0.5f}, 1000.0f);
    auto const before = w;
    sinew::simulation_groups<quiet_world> g;
    for (float bad : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        EXPECT_EQ(g.advance(w, bad).status, sinew::step_status::invalid_step);
    auto const refuses = [&](auto change, char const* name) {
        auto mine = g;
        change(mine.settings);
        EXPECT_EQ(mine.advance(w, dt).status, sinew::step_status::invalid_parameter);
        EXPECT_STREQ(w.last_error().name, name);
    };
    refuses([](auto& s) { s.absolute_error = -1; }, "settings.absolute_error");
    refuses([](auto& s) { s.absolute_error = s.relative_error = 0; }, "settings.absolute_error");
    refuses([](auto& s) { s.relative_error = std::numeric_limits<float>::quiet_NaN(); }, "settings.relative_error");
    refuses([](auto& s) { s.initial_step = -1; }, "settings.initial_step");
    refuses([](auto& s) { s.min_step = std::numeric_limits<float>::infinity(); }, "settings.min_step");
    refuses([](auto& s) { s.max_step = 0; }, "settings.max_step");
    w.gravity = {0, std::numeric_limits<float>::quiet_NaN(), 0};
    EXPECT_EQ(g.advance(w, dt).status, sinew::step_status::invalid_parameter);
    w.gravity = before.gravity;
    EXPECT_TRUE(w == before);
    EXPECT_TRUE(g.advance(w, dt));
}

// ---- steps of their own

TEST(groups, each_takes_the_steps_it_needs_and_costs_them) {
    world w;
    w.gravity = {};
    auto const oscillator = [&](float x, float hertz) {
        float const omega = 2 * sinew::pi_v<float> * hertz;
        auto const post = w.add_fixed({{x, 0, 0}});
        auto const b = w.add(sinew::rigid_body_of(sinew::solid_sphere(1.0f, 0.1f), sinew::pose<float>{{x, 1.1f, 0}}));
        w.add(sinew::spring<float>{.rest_length = 1, .stiffness = omega * omega}, post, b);
        return b;
    };
    auto const calm = oscillator(0, 0.2f), quick = oscillator(10, 10);
    auto const drifting = w.add(sinew::rigid_body_of(sinew::solid_sphere(1.0f, 0.1f), sinew::pose<float>{{20, 0, 0}}));
    w.set_twist(drifting, {{3, 0, 0}, {}});
    groups g;
    g.settings.absolute_error = 1e-4f;
    g.settings.relative_error = 0;
    g.settings.min_step = 1e-5f;
    std::size_t calm_steps = 0, quick_steps = 0, drift_steps = 0, cost = 0;
    for (int i = 0; i < 10; ++i) {
        auto const r = g.advance(w, 0.1f);
        ASSERT_TRUE(r);
        calm_steps += g.steps(calm);
        quick_steps += g.steps(quick);
        drift_steps += g.steps(drifting);
        EXPECT_EQ(r.steps, g.steps(calm) + g.steps(quick) + g.steps(drifting));
        cost += r.body_steps;
        EXPECT_EQ(r.at_floor, 0u);
    }
    EXPECT_EQ(drift_steps, 20u) << "one, as two halves: it is exact";
    EXPECT_LT(calm_steps, quick_steps / 4);
    // One body a group. A kept step is three: a whole, and two halves.
    EXPECT_GE(2 * cost, 3 * (calm_steps + quick_steps + drift_steps));
    EXPECT_LE(2 * cost, 4 * (calm_steps + quick_steps + drift_steps)) << "few are rejected";
    EXPECT_LT(g.next_step(quick), 0.1f * g.next_step(drifting));
    EXPECT_FLOAT_EQ(w.time(), 1.0f);
    // After ten of its periods the quick one is where it began, but for what symplectic Euler does to the phase.
    EXPECT_NEAR(w.position(quick).y(), 1.1, 0.02);
    EXPECT_NEAR(w.position(calm).y(), 1 + 0.1 * std::cos(0.4 * std::numbers::pi), 2e-3);
    EXPECT_NEAR(w.position(drifting).x(), 23, 1e-4);
}

// ---- sleep

TEST(groups, of_a_hundred_piles_those_cost_that_are_awake) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground());
    std::vector<std::vector<body_handle>> piles;
    for (int i = 0; i < 100; ++i) piles.push_back(pile(w, 3 * float(i), 3));
    groups g = fixed_groups();
    auto r = g.advance(w, dt);
    EXPECT_EQ(r.groups, 100u);
    EXPECT_EQ(r.body_steps, 300u);
    for (int i = 0; i < 90; ++i) r = g.advance(w, dt);
    EXPECT_EQ(w.asleep_count(), 300u);
    EXPECT_EQ(r.groups, 0u);
    EXPECT_EQ(r.body_steps, 0u);
    EXPECT_EQ(r.contacts, 0u);
    for (int awake : {1, 10, 40}) {
        for (int i = 0; i < awake; ++i) w.wake(piles[std::size_t(2 * i)][0]);
        r = g.advance(w, dt);
        EXPECT_EQ(r.groups, std::size_t(awake));
        EXPECT_EQ(r.body_steps, 3 * std::size_t(awake));
        EXPECT_EQ(r.contacts, 12 * std::size_t(awake));
        EXPECT_EQ(r.islands, std::size_t(awake));
    }
}

TEST(groups, a_touch_a_force_and_a_call_wake_a_group) {
    world w;
    w.add(sinew::half_space<float>{}, w.ground());
    auto const one = pile(w, 0, 2), two = pile(w, 6, 2), three = pile(w, 12, 2), four = pile(w, 18, 2);
    groups g = fixed_groups();
    for (int i = 0; i < 90; ++i) ASSERT_TRUE(g.advance(w, dt));
    ASSERT_EQ(w.asleep_count(), 8u);
    // By touch, not by coming near.
    auto const visitor = ball(w, {3, 0.5f, 0}, {-4, 0, 0});
    bool near = false;
    while (w.is_asleep(one[0])) {
        ASSERT_TRUE(g.advance(w, dt));
        near = near || (w.is_asleep(one[0]) && g.are_together(visitor, one[0]));
        ASSERT_LT(w.time(), 5);
        ASSERT_FALSE(g.are_together(visitor, two[0]));
    }
    EXPECT_LT(w.position(visitor).x(), 1 + 4 * dt);
    EXPECT_FALSE(w.is_asleep(one[1]));
    EXPECT_TRUE(w.is_asleep(two[0]));
    // By force, and by hand.
    ASSERT_TRUE(w.apply_force(two[1], {1, 0, 0}, w.position(two[1])));
    ASSERT_TRUE(w.wake(three[0]));
    ASSERT_TRUE(g.advance(w, dt));
    EXPECT_FALSE(w.is_asleep(two[0]));
    EXPECT_FALSE(w.is_asleep(three[1]));
    EXPECT_EQ(g.steps(two[0]), 1u);
    EXPECT_EQ(g.steps(four[0]), 0u);
    // By a platform that is moved and not moved by anything.
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(g.advance(w, dt));
    ASSERT_TRUE(w.is_asleep(four[0]));
    auto const plough = w.add_fixed({{22, 0.5f, 0}}, {{-1, 0, 0}, {}});
    w.add(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, plough);
    for (int i = 0; i < 240; ++i) ASSERT_TRUE(g.advance(w, dt));
    EXPECT_NEAR(w.position(plough).x(), 18, 1e-3);
    EXPECT_LT(w.position(four[0]).x(), 17.1f);
}

// ---- snapshots

TEST(groups, a_copy_and_a_saved_state_go_on_to_the_same_bits) {
    playground p(11);
    groups g;
    for (int k = 0; k < 40; ++k) ASSERT_TRUE(g.advance(p.w, dt));
    world w = p.w;
    groups h = g;
    auto const state = p.w.save();
    auto const paces = g.paces();
    for (int k = 0; k < 40; ++k) {
        ASSERT_TRUE(g.advance(p.w, dt));
        ASSERT_TRUE(h.advance(w, dt));
        ASSERT_TRUE(p.w == w);
    }
    // Back, with contacts and sleep; and by other groups that are given the paces.
    ASSERT_TRUE(p.w.restore(state));
    groups fresh;
    fresh.set_paces(paces);
    for (int k = 0; k < 40; ++k) ASSERT_TRUE(fresh.advance(p.w, dt));
    EXPECT_TRUE(p.w.save() == w.save());
}

// Its remembered way over the belt is that of its own last step, whatever others have done since.
TEST(groups, what_wakes_goes_on_from_its_own_last_step) {
    world w;
    sinew::material<float> belt = sinew::material<float>::of(0.5f, 0.0f);
    belt.surface_velocity = {1, 0, 0};
    w.add(sinew::half_space<float>{}, w.ground(), {.material = belt});
    auto const load = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{0, 0.5f, 0}});
    groups g = fixed_groups();
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(g.advance(w, dt));
    ASSERT_TRUE(w.put_to_sleep(load));
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(g.advance(w, dt / 8));
    ASSERT_TRUE(w.is_asleep(load));
    w.wake(load);
    world other = w;
    ASSERT_TRUE(g.advance(w, dt));
    ASSERT_TRUE(other.step(dt));
    EXPECT_TRUE(w == other);
}

// It hits a board that throws it upwards, where its hull does not reach, and there is a thin wall.
TEST(groups, what_is_thrown_aside_is_stopped_as_in_one_world) {
    world w;
    w.gravity = {};
    auto const board = w.add_fixed({{0.5f, 0, 0}, sinew::quaternion_exp(vec3<float>{0, 0, 0.3926991f})});
    w.add(sinew::box<float>{{0.5f, 0.01f, 0.5f}}, board, {.material = sinew::material<float>::of(0.0f, 1.0f)});
    w.add(sinew::box<float>{{5, 0.01f, 5}}, w.ground(), {.frame = {{0, 0.3f, 0}}});
    auto const thrown = w.add_solid(sinew::sphere<float>{0.05f}, 1000.0f, sinew::pose<float>{{-0.1f, 0.1f, 0}},
                                    {.material = sinew::material<float>::of(0.0f, 1.0f), .continuous = true}, {{60, 0, 0}, {}});
    world other = w;
    groups g = fixed_groups();
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(g.advance(w, dt));
        ASSERT_TRUE(other.step(dt));
        EXPECT_LT(w.position(thrown).y(), 0.3f) << i;
        ASSERT_TRUE(w == other) << i << ": " << w.position(thrown).y() << ", " << other.position(thrown).y();
    }
}

TEST(groups, a_change_of_gravity_wakes_nobody_in_an_advance_that_fails) {
    for (bool const by_groups : {false, true}) {
        world w;
        w.add(sinew::half_space<float>{}, w.ground());
        auto const resting = pile(w, 0, 2), doomed = pile(w, 20, 2);
        groups g = fixed_groups();
        auto const advance = [&] { return by_groups ? static_cast<bool>(g.advance(w, dt)) : static_cast<bool>(w.step(dt)); };
        for (int i = 0; i < 120; ++i) ASSERT_TRUE(advance());
        ASSERT_TRUE(w.is_asleep(resting[0]) && w.is_asleep(doomed[0]));
        auto const fails = w.add(bomb<float>{w.time() + 0.5f * dt}, doomed[0], doomed[1]);
        w.gravity = {1, -9.81f, 0};
        world const before = w;
        auto const state = w.save();
        for (int k = 0; k < 2; ++k) {
            ASSERT_FALSE(advance());
            EXPECT_TRUE(w == before) << by_groups;
            EXPECT_TRUE(w.save() == state) << by_groups;
            EXPECT_TRUE(w.is_asleep(resting[0])) << by_groups;
        }
        w.remove(fails);
        ASSERT_TRUE(advance());
        EXPECT_FALSE(w.is_asleep(resting[0])) << "it is felt as soon as there is a step; by groups: " << by_groups;
    }
}

}  // namespace
