// Worlds with shapes: what falls comes to rest, what is filtered passes, snapshots bring contacts back, and all broad phases and storages
// compute the same bits.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

using sinew::vec3;

struct float_config : sinew::default_config {};
struct double_config : sinew::default_config {
    using scalar = double;
};
struct quiet_config : float_config {
    using errors = sinew::null_errors;
};
struct positions_config : float_config {
    using solver = sinew::nonlinear_gauss_seidel;
};
template <class BroadPhase>
struct phase_config : float_config {
    using broad_phase = BroadPhase;
};
struct static_config : float_config {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 24, .colliders = 26, .contacts = 128}>;
};
struct scarce_config : quiet_config {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 8, .colliders = 4, .contacts = 5}>;
};

struct rolling_config : double_config {
    static constexpr bool resists_rolling = true;
};

template <class Config>
using world_of = sinew::world<Config, sinew::sphere, sinew::box, sinew::half_space>;
using simple_world = world_of<float_config>;

constexpr float dt = 1.0f / 60;

template <class World>
void floor_of(World& w, float friction = 0.6f) {
    using S = typename World::scalar_type;
    w.add(sinew::half_space<S>{}, w.ground(), {.material = sinew::material<S>::of(S(friction))});
}
template <class World>
typename World::body_handle cube_of(World& w, vec3<typename World::scalar_type> const& at, typename World::scalar_type half = 0.5f) {
    using S = typename World::scalar_type;
    return w.add_solid(sinew::box<S>{{half, half, half}}, S(1000), sinew::pose<S>{at});
}
// A heap of boxes and spheres that fall onto each other.
template <class World>
void add_heap(World& w, int n) {
    using S = typename World::scalar_type;
    floor_of(w);
    for (int i = 0; i < n; ++i) {
        vec3<S> const at{S(0.37f) * S(i % 3), S(1) + S(0.9f) * S(i), S(0.29f) * S(i % 2)};
        if (i % 2 == 0)
            cube_of(w, at, S(0.4f));
        else
            w.add_solid(sinew::sphere<S>{S(0.4f)}, S(1000), sinew::pose<S>{at});
    }
}
template <class World>
std::uint64_t hash_of(World const& w) {
    sinew::bit_hash h;
    w.for_each_body([&](auto b) {
        auto const p = w.pose(b);
        auto const t = w.twist(b);
        for (std::size_t k = 0; k < 3; ++k) {
            h.add(p.position[k]);
            h.add(t.linear[k]);
            h.add(t.angular[k]);
        }
        for (std::size_t k = 0; k < 4; ++k) h.add(p.rotation.coordinate(k));
    });
    return h.value();
}
template <class World>
void run(World& w, int steps, typename World::scalar_type h = typename World::scalar_type(1) / 60) {
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(w.step(h));
}

// ---- rest

template <class Config>
class resting : public testing::Test {};
using resting_configs = testing::Types<float_config, double_config, positions_config>;
TYPED_TEST_SUITE(resting, resting_configs);

TYPED_TEST(resting, what_falls_stops_on_the_floor) {
    using world = sinew::world<TypeParam, sinew::sphere, sinew::box, sinew::half_space, sinew::capsule>;
    using S = typename world::scalar_type;
    world w;
    floor_of(w);
    auto const cube = cube_of(w, {0, 2, 0});
    auto const ball = w.add_solid(sinew::sphere<S>{S(0.3f)}, S(500), sinew::pose<S>{{3, 2, 0}});
    sinew::quaternion<S> const lying = turned(sinew::quaternion<S>::identity(), vec3<S>{sinew::pi_v<S> / 2, 0, 0});
    auto const pill = w.add_solid(sinew::capsule<S>{S(0.2f), S(0.5f)}, S(500), sinew::pose<S>{{6, 2, 0}, lying});
    run(w, 180);
    EXPECT_NEAR(w.position(cube).y(), S(0.5f), 0.002);
    EXPECT_NEAR(w.position(ball).y(), S(0.3f), 0.002);
    EXPECT_NEAR(w.position(pill).y(), S(0.2f), 0.002);
    for (auto const b : {cube, ball, pill}) EXPECT_LT(norm(w.twist(b).linear), 0.01);
    // The floor carries the weight.
    S weight{}, push{};
    w.for_each_body([&](auto b) { weight += w.body(b).mass * S(9.81); });
    w.for_each_touch([&](auto const& t) { push += t.pressing(); });
    EXPECT_NEAR(push / weight, 1, 0.02);
}

TEST(collision_world, a_kinematic_platform_carries_and_a_fixed_body_holds) {
    simple_world w;
    auto const platform = w.add_fixed({{0, 0, 0}}, {{0.5f, 0, 0}, {}});
    w.add(sinew::box<float>{{2, 0.1f, 2}}, platform);
    auto const shelf = w.add_fixed({{10, 1, 0}});
    w.add(sinew::box<float>{{1, 0.1f, 1}}, shelf);
    auto const rider = cube_of(w, {0, 0.7f, 0}), keeper = cube_of(w, {10, 1.7f, 0});
    run(w, 240);
    EXPECT_NEAR(w.position(rider).x() - w.position(platform).x(), 0, 0.1);
    EXPECT_NEAR(w.twist(rider).linear.x(), 0.5, 0.01);
    EXPECT_NEAR(w.position(keeper).y(), 1.6, 0.003);
    EXPECT_NEAR(w.position(keeper).x(), 10, 1e-3);
}

TEST(collision_world, a_sliding_box_stops_after_v2_over_2_mu_g) {
    sinew::world<double_config, sinew::box, sinew::half_space> w;
    floor_of(w, 0.5f);
    auto const cube = w.add_solid(sinew::box<double>{{0.5, 0.25, 0.5}}, 1000.0, sinew::pose<double>{{0, 0.25, 0}}, {.material = sinew::material<double>::of(0.5)},
                                  {{3, 0, 0}, {}});
    run(w, 120);
    EXPECT_NEAR(w.position(cube).x(), 9.0 / (2 * 0.5 * 9.81), 0.03);
    EXPECT_LT(norm(w.twist(cube).linear), 1e-3);
}

TEST(collision_world, a_stack_of_20_boxes_and_a_pyramid_stand) {
    simple_world w;
    floor_of(w);
    std::vector<simple_world::body_handle> stack;
    for (int i = 0; i < 20; ++i) stack.push_back(cube_of(w, {-20, 0.5f + float(i), 0}));
    std::vector<std::pair<simple_world::body_handle, vec3<float>>> pyramid;
    for (int row = 0; row < 10; ++row)
        for (int k = 0; k < 10 - row; ++k) {
            vec3<float> const at{float(k) + 0.5f * float(row), 0.5f + float(row), 0};
            pyramid.push_back({cube_of(w, at), at});
        }
    run(w, 600);
    for (int i = 0; i < 20; ++i) {
        vec3<float> const x = w.position(stack[std::size_t(i)]);
        EXPECT_NEAR(x.x(), -20, 0.01) << i;
        EXPECT_NEAR(x.y(), 0.5f + float(i), 0.02) << i;
    }
    for (auto const& [b, at] : pyramid) EXPECT_LT(norm(w.position(b) - at), 0.01);
}

// ---- snapshots

TEST(collision_world, a_copy_and_a_restored_state_step_to_the_same_bits) {
    simple_world w;
    add_heap(w, 14);
    run(w, 45);
    simple_world const snapshot = w;
    auto const state = w.save();
    EXPECT_TRUE(w == snapshot);
    run(w, 60);
    EXPECT_FALSE(w == snapshot);
    simple_world const later = w;

    simple_world copy = snapshot;
    run(copy, 60);
    EXPECT_TRUE(copy == later);
    EXPECT_EQ(hash_of(copy), hash_of(later));

    ASSERT_TRUE(w.restore(state));
    EXPECT_TRUE(w == snapshot);
    EXPECT_TRUE(w.save() == state);
    run(w, 60);
    EXPECT_TRUE(w == later);
    EXPECT_EQ(hash_of(w), hash_of(later));
}

TEST(collision_world, a_failed_step_changes_nothing) {
    world_of<quiet_config> w;
    add_heap(w, 8);
    run(w, 60, dt);
    auto const before = w;
    auto const some = [&] {
        world_of<quiet_config>::body_handle b;
        w.for_each_body([&](auto h) { b = h; });
        return b;
    }();
    // Finite by itself, and more than a body can bear in a step.
    ASSERT_TRUE(w.apply_wrench(some, {{3e38f, 0, 0}, {0, 3e38f, 0}}));
    EXPECT_NE(w.step(1e3f).status, sinew::step_status::ok);
    ASSERT_TRUE(w.apply_wrench(some, {{-3e38f, 0, 0}, {0, -3e38f, 0}}));
    EXPECT_TRUE(w == before);
    auto again = before;
    run(again, 30, dt);
    run(w, 30, dt);
    EXPECT_EQ(hash_of(w), hash_of(again));
}

TEST(collision_world, all_broad_phases_compute_the_same_bits) {
    world_of<phase_config<sinew::brute_force>> brute;
    world_of<phase_config<sinew::bounding_volume_tree>> tree;
    world_of<phase_config<sinew::sweep_and_prune>> sweep;
    world_of<phase_config<sinew::no_broad_phase>> none;
    auto const result = [](auto& w) {
        add_heap(w, 16);
        run(w, 120);
        return hash_of(w);
    };
    auto const expected = result(brute);
    EXPECT_EQ(result(tree), expected);
    EXPECT_EQ(result(sweep), expected);
    EXPECT_EQ(result(none), expected);
}

// ---- who collides with whom

TEST(collision_world, filters_decide) {
    simple_world w;
    w.add(sinew::half_space<float>{}, w.ground(), {.filter = {.category = 2}});
    auto const drop = [&](float x, sinew::collision_filter const& f) {
        return w.add_solid(sinew::sphere<float>{0.5f}, 1000.0f, sinew::pose<float>{{x, 1, 0}}, {.filter = f});
    };
    auto const stays = drop(0, {}), falls = drop(3, {.mask = ~2u}), outside = drop(6, {.category = 4});
    auto const below = drop(9, {.group = -1});
    auto const above = w.add_solid(sinew::sphere<float>{0.5f}, 1000.0f, sinew::pose<float>{{9, 3, 0}}, {.filter = {.group = -1}});
    run(w, 90);
    EXPECT_NEAR(w.position(stays).y(), 0.5, 0.01);
    EXPECT_LT(w.position(falls).y(), -5);
    EXPECT_NEAR(w.position(outside).y(), 0.5, 0.01);
    EXPECT_NEAR(w.position(below).y(), 0.5, 0.01);
    EXPECT_NEAR(w.position(above).y(), 0.5, 0.01) << "both of group -1: they pass through each other";
    // Filters can be changed later.
    auto const floor = [&] {
        sinew::collider_handle h;
        w.for_each_collider_of(w.ground(), [&](sinew::collider_handle c) { h = c; });
        return h;
    }();
    ASSERT_TRUE(w.set_filter(floor, {.category = 2, .mask = 4}));
    run(w, 60);
    EXPECT_LT(w.position(stays).y(), -1);
    EXPECT_NEAR(w.position(outside).y(), 0.5, 0.01);
}

TEST(collision_world, joined_sleepers_wake_when_they_are_let_collide) {
    struct sleeping : float_config {
        using sleep = sinew::island_sleep;
    };
    sinew::world<sleeping, sinew::sphere, sinew::ball_joint> w;
    w.gravity = {0, 0, 0};
    auto const a = w.add_solid(sinew::sphere<float>{0.5f}, 1000.0f), b = w.add_solid(sinew::sphere<float>{0.5f}, 1000.0f, {{0.6f, 0, 0}});
    auto const j = w.add(sinew::ball_joint<float>::at(w.pose(a), w.pose(b), {0.3f, 0, 0}), a, b);
    run(w, 60);
    ASSERT_TRUE(w.is_asleep(a) && w.is_asleep(b));
    ASSERT_TRUE(w.let_joined_collide(j));
    EXPECT_FALSE(w.is_asleep(a) || w.is_asleep(b));
    run(w, 1);
    EXPECT_EQ(w.contacts().size(), 1u);
}

TEST(collision_world, joined_bodies_pass_through_each_other_unless_they_are_let) {
    using world = sinew::world<float_config, sinew::sphere, sinew::half_space, sinew::ball_joint>;
    world w;
    w.gravity = {0, 0, 0};
    auto const pair = [&](float z) {
        auto const a = w.add_solid(sinew::sphere<float>{0.5f}, 1000.0f, sinew::pose<float>{{0, 0, z}});
        auto const b = w.add_solid(sinew::sphere<float>{0.5f}, 1000.0f, sinew::pose<float>{{0.6f, 0, z}});
        auto const j = w.add(sinew::ball_joint<float>::at(w.pose(a), w.pose(b), {0.3f, 0, z}), a, b);
        return std::tuple(a, b, j);
    };
    auto const [a, b, j] = pair(0);
    run(w, 1);
    EXPECT_EQ(w.contacts().size(), 0u);
    ASSERT_TRUE(w.let_joined_collide(j));
    run(w, 1);
    EXPECT_EQ(w.contacts().size(), 1u);
    ASSERT_TRUE(w.let_joined_collide(j, false));
    run(w, 1);
    EXPECT_EQ(w.contacts().size(), 0u);
    w.remove(j);
    run(w, 1);
    EXPECT_EQ(w.contacts().size(), 1u);
    // All at once, at any time.
    auto const again = w.add(sinew::ball_joint<float>::at(w.pose(a), w.pose(b), w.position(a)), a, b);
    for (bool const collide : {false, true, false}) {
        w.collision.joined_collide = collide;
        run(w, 1);
        EXPECT_EQ(w.contacts().size(), collide ? 1u : 0u);
    }
    ASSERT_TRUE(w.let_joined_collide(again, false));
    w.collision.joined_collide = true;
    run(w, 1);
    EXPECT_EQ(w.contacts().size(), 1u);
    // The ground is everything that stands: what hangs on it still meets the floor.
    world g;
    g.add(sinew::half_space<float>{}, g.ground());
    auto const c = g.add_solid(sinew::sphere<float>{0.5f}, 1000.0f, sinew::pose<float>{{0, 0.5f, 0}});
    g.add(sinew::ball_joint<float>::at(g.pose(g.ground()), g.pose(c), {0, 5, 0}), g.ground(), c);
    run(g, 1);
    EXPECT_EQ(g.contacts().size(), 1u);
}

struct odd_ones_only {
    bool operator()(sinew::collider_pair const& p) const { return p.b.index % 2 == 1; }
};
struct from_above {
    template <class S>
    void operator()(sinew::contact_setup<S>& c) const {
        // Of a collider 0 that is a platform: what rises passes.
        if (c.pair.a.index == 0 && c.twist_b.linear.y() - c.twist_a.linear.y() > S(0.1f)) c.manifold.points.clear();
    }
};
struct user_config : float_config {
    using pair_filter = odd_ones_only;
};
struct one_way_config : float_config {
    using contact_rule = from_above;
};

TEST(collision_world, a_users_filter_and_rule_have_their_say) {
    world_of<user_config> w;
    floor_of(w);
    auto const first = cube_of(w, {0, 0.5f, 0}), second = cube_of(w, {5, 0.5f, 0});
    run(w, 60);
    EXPECT_NEAR(w.position(first).y(), 0.5, 0.01);
    EXPECT_LT(w.position(second).y(), -1);

    world_of<one_way_config> o;
    o.add(sinew::box<float>{{2, 0.05f, 2}}, o.ground());
    auto const ball = o.add_solid(sinew::sphere<float>{0.2f}, 1000.0f, sinew::pose<float>{{0, -0.5f, 0}}, {}, {{0, 6, 0}, {}});
    run(o, 120);
    EXPECT_NEAR(o.position(ball).y(), 0.25, 0.01) << "through from below, held from above";
}

// ---- colliders come and go

TEST(collision_world, removal_takes_the_support_away_and_kills_the_handle) {
    simple_world w;
    floor_of(w);
    auto const table = w.add_fixed({{0, 1, 0}});
    auto const top = w.add(sinew::box<float>{{1, 0.1f, 1}}, table);
    auto const cube = cube_of(w, {0, 1.6f, 0});
    run(w, 60);
    EXPECT_NEAR(w.position(cube).y(), 1.6, 0.01);
    EXPECT_TRUE(w.contains(top));
    EXPECT_EQ(w.collider_count(), 3u);
    ASSERT_TRUE(w.remove(top));
    EXPECT_FALSE(w.contains(top));
    EXPECT_EQ(w.collider_count(), 2u);
    run(w, 60);
    EXPECT_NEAR(w.position(cube).y(), 0.5, 0.01);
    // The number is used again, the handle is not.
    auto const other = w.add(sinew::box<float>{{1, 0.1f, 1}}, w.ground(), {.frame = {{0, -5, 0}}});
    EXPECT_EQ(other.index, top.index);
    EXPECT_FALSE(w.contains(top));
    // With a body go its colliders.
    ASSERT_TRUE(w.remove(cube));
    EXPECT_EQ(w.collider_count(), 2u);
    run(w, 10);
    EXPECT_EQ(w.contacts().size(), 0u);
}

TEST(collision_world, several_shapes_on_one_body_and_a_centre_of_mass_elsewhere) {
    using world = sinew::world<float_config, sinew::box, sinew::cone, sinew::half_space>;
    world w;
    floor_of(w);
    // A dumbbell of two boxes.
    auto const weights = moved(sinew::solid_box(1.0f, vec3<float>{1, 1, 1}), vec3<float>{-1, 0, 0}) + moved(sinew::solid_box(1.0f, vec3<float>{1, 1, 1}), vec3<float>{1, 0, 0});
    auto const bell = w.add(rigid_body_of(weights, sinew::pose<float>{{0, 2, 0}}));
    w.add(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, bell, {.frame = {{-1, 0, 0}}});
    w.add(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, bell, {.frame = {{1, 0, 0}}});
    // A cone's centre of mass is a quarter of its height above its base.
    auto const cone = w.add_solid(sinew::cone<float>{0.5f, 0.5f}, 1000.0f, sinew::pose<float>{{5, 1, 0}});
    run(w, 150);
    EXPECT_NEAR(w.position(bell).y(), 0.5, 0.005);
    EXPECT_EQ(w.contacts().size() >= 8, true);
    EXPECT_NEAR(w.position(cone).y(), 0.25, 0.005) << "at rest on its base";
}

// ---- queries

TEST(collision_world, queries_see_the_colliders_where_they_are_now) {
    simple_world w;
    w.gravity = {0, 0, 0};
    floor_of(w);
    auto const cube = cube_of(w, {0, 2, 0}), other = cube_of(w, {4, 2, 0});
    auto const sensor_body = w.add_fixed({{0, 5, 0}});
    w.add(sinew::sphere<float>{1}, sensor_body, {.sensor = true});

    auto hit = w.cast({{0, 10, 0}, {0, -1, 0}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit.body, cube);
    EXPECT_NEAR(hit.at.distance, 7.5, 1e-4);
    EXPECT_NEAR(hit.at.normal.y(), 1, 1e-5);
    w.set_pose(cube, {{0, 2, 3}});
    hit = w.cast({{0, 10, 0}, {0, -1, 0}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit.body, w.ground());
    EXPECT_NEAR(hit.at.distance, 10, 1e-4);
    EXPECT_FALSE(w.cast({{0, 10, 0}, {0, 1, 0}}));
    w.set_twist(other, {{60, 0, 0}, {}});
    run(w, 3);
    hit = w.cast({{7, 10, 0}, {0, -1, 0}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit.body, other);

    int found = 0;
    w.overlaps(sinew::sphere<float>{1}, sinew::frame<float>{{0, 2, 2}}, [&](sinew::collider_handle c) {
        EXPECT_EQ(w.body_of(c), cube);
        ++found;
    });
    EXPECT_EQ(found, 1);
    auto const swept = w.shape_cast(sinew::sphere<float>{0.5f}, sinew::frame<float>{{0, 2, -3}}, {0, 0, 10});
    ASSERT_TRUE(swept);
    EXPECT_EQ(swept.body, cube);
    EXPECT_NEAR(swept.at.fraction, 0.5, 1e-4);
    auto const near = w.closest(sinew::sphere<float>{0.5f}, sinew::frame<float>{{0, 2, 0}}, 10.0f);
    ASSERT_TRUE(near);
    EXPECT_EQ(near.body, w.ground());
    EXPECT_NEAR(near.at.distance, 1.5, 1e-4);
    EXPECT_FALSE(w.closest(sinew::sphere<float>{0.5f}, sinew::frame<float>{{0, 2, 0}}, 0.5f));
    // What a query does not want it passes over.
    EXPECT_FALSE(w.cast({{0, 10, 0}, {0, -1, 0}}, {.mask = 2}));
}

// ---- bad input

template <class F>
std::string refusal(F&& f) {
    try {
        f();
    } catch (std::invalid_argument const& e) {
        return e.what();
    }
    return "accepted";
}

TEST(collision_world, bad_input_is_refused_by_a_sentence_and_changes_nothing) {
    simple_world w;
    auto const body = cube_of(w, {0, 0, 0});
    auto const before = w;
    float const nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(refusal([&] { w.add(sinew::sphere<float>{0}, body); }), "sinew: radius must be positive and finite, but is 0");
    EXPECT_NE(refusal([&] { w.add(sinew::box<float>{{1, nan, 1}}, body); }), "accepted");
    EXPECT_NE(refusal([&] { w.add(sinew::box<float>{{1, -1, 1}}, body); }), "accepted");
    EXPECT_NE(refusal([&] { w.add(sinew::sphere<float>{1}, body, {.frame = {{nan, 0, 0}}}); }), "accepted");
    EXPECT_NE(refusal([&] { w.add(sinew::sphere<float>{1}, body, {.frame = {{0, 0, 0}, {2, 0, 0, 0}}}); }), "accepted");
    EXPECT_NE(refusal([&] { w.add(sinew::sphere<float>{1}, body, {.material = sinew::material<float>::of(-0.1f)}); }), "accepted");
    EXPECT_NE(refusal([&] { w.add(sinew::sphere<float>{1}, body, {.material = sinew::material<float>::of(0.1f, 1.5f)}); }), "accepted");
    sinew::material<float> rolls;
    rolls.rolling_friction = 0.1f;
    EXPECT_NE(refusal([&] { w.add(sinew::sphere<float>{1}, body, {.material = rolls}); }), "accepted");
    EXPECT_EQ(refusal([&] { w.add(sinew::half_space<float>{}, body); }), "sinew: shape is unbounded, so that it can only stand on the ground or on a fixed body");
    EXPECT_NE(refusal([&] { w.add_solid(sinew::sphere<float>{1}, 0.0f); }), "accepted");
    EXPECT_NE(refusal([&] { w.add_solid(sinew::sphere<float>{-1}, 1.0f); }), "accepted");
    EXPECT_NE(refusal([&] { w.add(sinew::sphere<float>{1}, simple_world::body_handle{77, 0, body.world}); }), "accepted");
    EXPECT_NE(refusal([&] { w.set_material(sinew::collider_handle{}, {}); }), "accepted");
    EXPECT_TRUE(w == before);
    w.collision.margin = -1;
    EXPECT_NE(refusal([&] { w.step(dt); }), "accepted");
}

// A cube that hangs still above the floor, farther than contacts are known of, and then nearer.
TEST(collision_world, a_margin_that_is_changed_holds_in_the_same_step) {
    simple_world w;
    w.gravity = {};
    w.collision.margin = 0.02f;
    floor_of(w);
    cube_of(w, {0, 0.6f, 0});
    std::vector<std::size_t> contacts;
    for (float margin : {0.02f, 0.02f, 0.12f, 0.12f, 0.02f}) {
        w.collision.margin = margin;
        contacts.push_back(w.step(dt).contacts);
    }
    EXPECT_EQ(contacts, (std::vector<std::size_t>{0, 0, 4, 4, 0}));
}

// ---- storage

TEST(collision_world, static_storage_computes_the_same_bits) {
    world_of<float_config> dynamic;
    auto fixed = std::make_unique<world_of<static_config>>();
    add_heap(dynamic, 16);
    add_heap(*fixed, 16);
    run(dynamic, 120);
    run(*fixed, 120);
    EXPECT_EQ(hash_of(dynamic), hash_of(*fixed));
}

TEST(collision_world, what_static_storage_has_no_room_for_is_refused_or_dropped_and_told) {
    world_of<scarce_config> w;
    floor_of(w);
    for (float x : {0.0f, 3.0f, 6.0f}) cube_of(w, {x, 0.5f, 0});
    EXPECT_EQ(w.collider_count(), 4u);
    EXPECT_FALSE(w.add(sinew::sphere<float>{1}, w.ground()));
    EXPECT_FALSE(cube_of(w, {9, 0.5f, 0})) << "no body without its shape";
    EXPECT_EQ(w.body_count(), 3u);
    auto const r = w.step(dt);
    EXPECT_TRUE(r);
    EXPECT_EQ(r.contacts, 5u);
    EXPECT_EQ(r.dropped_contacts, 7u);
}

// The contacts of what lies still are kept from step to step; here another, which comes before it in the order, lands and takes their room.
TEST(collision_world, what_lies_still_keeps_no_more_contacts_than_there_is_room_for) {
    world_of<scarce_config> w;
    floor_of(w);
    cube_of(w, {0, 1.5f, 0});
    cube_of(w, {3, 0.5f, 0});
    bool both = false;
    for (int i = 0; i < 120; ++i) {
        auto const r = w.step(dt);
        ASSERT_TRUE(r);
        ASSERT_LE(r.contacts, 5u) << "in step " << i;
        both = both || r.contacts + r.dropped_contacts == 8u;
    }
    EXPECT_TRUE(both);
}

TEST(collision_world, rolling_friction_stops_a_ball_where_the_config_has_it) {
    sinew::world<rolling_config, sinew::sphere, sinew::half_space> w;
    auto m = sinew::material<double>::of(0.8);
    m.rolling_friction = 0.01;
    w.add(sinew::half_space<double>{}, w.ground(), {.material = m});
    double const r = 0.5, v = 2;
    auto const ball = w.add_solid(sinew::sphere<double>{r}, 1000.0, sinew::pose<double>{{0, r, 0}}, {.material = m}, {{v, 0, 0}, {0, 0, -v / r}});
    run(w, 1000);
    // Deceleration (5/7) g c / r.
    EXPECT_NEAR(w.position(ball).x(), v * v / (2 * (5.0 / 7) * 9.81 * 0.01 / r), 0.3);
    EXPECT_LT(norm(w.twist(ball).linear), 0.01);
}

}  // namespace
