// At the limits of static storage: what there is room for is as on the heap, and what there is none for is counted.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace sinew;
using vec = vec3<double>;

template <class Storage>
struct config : default_config {
    using scalar = double;
    using storage = Storage;
};
template <class Storage>
struct rolling_config : config<Storage> {
    static constexpr bool resists_rolling = true;
};
template <class Storage>
struct sleeping_config : config<Storage> {
    using sleep = island_sleep;
};
template <class Storage>
struct direct_config : config<Storage> {
    using solver = lagrange_impulses<sparse_ldlt>;
};

// A ball in a gutter of triangles: one pair, two manifolds, and two frictions that resist rolling.
template <class World>
void roll_in_a_gutter(World& w) {
    auto surface = material<double>::of(0.5);
    surface.rolling_friction = 0.05;
    std::vector<vec> const points{{-20, 0, 0}, {20, 0, 0}, {-20, 2, -2}, {20, 2, -2}, {-20, 2, 2}, {20, 2, 2}};
    std::vector<std::array<std::uint32_t, 3>> const triangles{{0, 1, 3}, {0, 3, 2}, {1, 0, 4}, {1, 4, 5}};
    w.add(mesh_of(points, triangles), w.ground());
    w.add_solid(sphere<double>{0.5}, 1000.0, pose<double>{{0, 0.5 * sqrt(2.0), 0}}, collider_options<double>{.material = surface}, twist<double>{{2, 0, 0}, {}});
}
template <std::size_t Pairs>
std::size_t dropped_in_a_gutter() {
    using storage = static_storage<capacities{.bodies = 1, .colliders = 2, .contacts = 4, .pairs = Pairs}>;
    auto const in_place = std::make_unique<world<rolling_config<storage>, triangle_mesh, sphere>>();
    world<rolling_config<dynamic_storage>, triangle_mesh, sphere> on_heap;
    roll_in_a_gutter(*in_place);
    roll_in_a_gutter(on_heap);
    std::size_t dropped = 0;
    for (int i = 0; i < 60; ++i) {
        dropped += in_place->step(1.0 / 60).dropped_contacts;
        EXPECT_TRUE(on_heap.step(1.0 / 60));
    }
    auto const a = in_place->save();
    auto const b = on_heap.save();
    EXPECT_EQ(a.bodies[1] == b.bodies[1], dropped == 0);
    return dropped;
}
TEST(static_limits, count_what_would_resist_rolling) {
    EXPECT_EQ(dropped_in_a_gutter<2>(), 0u);
    EXPECT_EQ(dropped_in_a_gutter<1>(), 60u);
}

template <class Storage>
using sleepers = world<sleeping_config<Storage>, half_space, box>;

TEST(static_limits, a_body_of_many_shapes_does_not_keep_others_asleep) {
    auto const w = std::make_unique<sleepers<static_storage<capacities{.bodies = 2, .colliders = 12, .contacts = 40, .pairs = 40}>>>();
    w->add(half_space<double>{}, w->ground());
    auto const many = w->add(rigid_body_of(solid_box(6.0, vec{6, 1, 1}), pose<double>{{0, 0.5, 0}}));
    for (int k = 0; k < 6; ++k) w->add(box<double>{{0.5, 0.5, 0.5}}, many, collider_options<double>{.frame = {{k - 2.5, 0, 0}}});
    auto const other = w->add_solid(box<double>{{0.5, 0.5, 0.5}}, 1000.0, pose<double>{{6, 0.5, 0}});
    for (int i = 0; i < 600 && !(w->is_asleep(many) && w->is_asleep(other)); ++i) ASSERT_TRUE(w->step(1.0 / 60));
    ASSERT_TRUE(w->is_asleep(many) && w->is_asleep(other));
    ASSERT_TRUE(w->add(box<double>{{10, 0.05, 10}}, w->ground(), collider_options<double>{.frame = {{0, -0.045, 0}}}));
    EXPECT_FALSE(w->is_asleep(many));
    EXPECT_FALSE(w->is_asleep(other));
}
TEST(static_limits, count_contacts_of_sleepers_that_are_forgotten) {
    auto const w = std::make_unique<sleepers<static_storage<capacities{.bodies = 2, .colliders = 3, .contacts = 4, .pairs = 1}>>>();
    w->add(half_space<double>{}, w->ground());
    auto const lay_down = [&](double x) {
        auto const b = w->add_solid(box<double>{{0.5, 0.5, 0.5}}, 1000.0, pose<double>{{x, 0.5, 0}});
        std::size_t dropped = 0;
        for (int i = 0; i < 600 && !w->is_asleep(b); ++i) dropped += w->step(1.0 / 60).dropped_contacts;
        EXPECT_TRUE(w->is_asleep(b));
        return dropped + w->step(1.0 / 60).dropped_contacts;
    };
    EXPECT_EQ(lay_down(0), 0u);
    EXPECT_EQ(lay_down(6), 1u);
}
TEST(static_limits, tell_all_touches_that_end) {
    auto const w = std::make_unique<world<config<static_storage<capacities{.bodies = 3, .colliders = 3, .contacts = 1, .pairs = 1}>>, sphere>>();
    w->gravity = {};
    auto const ball_at = [&](double x) { return w->add_solid(sphere<double>{0.5}, 1000.0, pose<double>{{x, 0, 0}}); };
    auto const a = ball_at(0), b = ball_at(0.99), c = ball_at(10);
    ASSERT_TRUE(w->step(1.0 / 60));
    w->set_pose(b, pose<double>{{10.99, 0, 0}});  // leaves a, meets c
    for (auto const& ball : {a, b, c}) w->set_twist(ball, {});
    ASSERT_TRUE(w->step(1.0 / 60));
    EXPECT_EQ(w->touch_ends().size(), 1u);
    w->remove(c);
    ASSERT_TRUE(w->step(1.0 / 60));
    EXPECT_EQ(w->touch_ends().size(), 1u);
}

// a.u stays normal to b.v: of hinges in parts, whose bodies have six rows of their own, and bear six.
template <scalar S, int>
struct crossed {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;
    vec3<S> u, v;
    constexpr auto error(auto const& a, auto const& b) const { return dot(a.direction(u), b.direction(v)); }
};
template <class S>
using first_crossed = crossed<S, 1>;
template <class S>
using second_crossed = crossed<S, 2>;
// The x axes are at most so far apart, as a cosine.
template <scalar S>
struct bend {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;
    S least;
    constexpr auto error(auto const& a, auto const& b) const {
        vec3<S> const x{S(1), S(0), S(0)};
        return dot(a.direction(x), b.direction(x)) - least;
    }
    static constexpr bounds<S, 1> limits() { return pushing<S, 1>(); }
};
constexpr int links = 64;
template <class World>
void hang_in_parts(World& w) {
    std::vector<typename World::body_handle> all{w.ground()};
    for (int i = 0; i < links; ++i) {
        auto const b = w.add(rigid_body_of(solid_box(1.0, vec{1, 0.1, 0.1}), pose<double>{{i + 0.5, 0, 0}}));
        w.add(ball_joint<double>::at(w.pose(all.back()), w.pose(b), vec{static_cast<double>(i), 0, 0}), all.back(), b);
        w.add(first_crossed<double>{{0, 0, 1}, {1, 0, 0}}, all.back(), b);
        w.add(second_crossed<double>{{0, 0, 1}, {0, 1, 0}}, all.back(), b);
        all.push_back(b);
    }
    for (std::size_t i = links; i-- > 0;) ASSERT_TRUE(w.add(bend<double>{0.995}, all[i], all[i + 1]));
}
TEST(static_limits, sparse_factors_have_room_for_a_limit_of_every_joint) {
    using storage = static_storage<capacities{.bodies = links, .constraints = links}>;
    auto const in_place = std::make_unique<world<direct_config<storage>, ball_joint, first_crossed, second_crossed, bend>>();
    world<direct_config<dynamic_storage>, ball_joint, first_crossed, second_crossed, bend> on_heap;
    hang_in_parts(*in_place);
    hang_in_parts(on_heap);
    for (int i = 0; i < 60; ++i) {
        auto const report = in_place->step(1.0 / 60);
        ASSERT_TRUE(report);
        ASSERT_TRUE(report.full_rank);
        ASSERT_TRUE(on_heap.step(1.0 / 60));
    }
    auto const a = in_place->save();
    auto const b = on_heap.save();
    for (std::size_t i = 0; i < b.bodies.size(); ++i) EXPECT_EQ(a.bodies[i], b.bodies[i]) << i;
}

}  // namespace
