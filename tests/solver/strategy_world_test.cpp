// Every strategy in a world: a step allocates nothing once it has run, and nothing ever with static storage; both storages, a copy and a
// restored state step to the same bits.

#include <solver/strategy_list.hpp>

#include <counting_new.hpp>

#include <gtest/gtest.h>

using sinew_test::allocations;

namespace {

using namespace sinew;
using namespace sinew_test;

template <class Solver>
struct on_heap : default_config {
    using scalar = double;
    using solver = Solver;
};
template <class Solver>
struct in_place : on_heap<Solver> {
    using storage = static_storage<capacities{.bodies = 6, .constraints = 3, .particles = 3}>;
};

// A swing of three links, with a weight of particles below.
template <class World>
auto furnish(World& w) {
    using V = vec3<double>;
    auto const ground = pose<double>{};
    auto previous = w.ground();
    auto previous_pose = ground;
    typename World::body_handle link;
    for (int i = 0; i < 3; ++i) {
        rigid_body<double> b;
        b.inertia = diagonal(0.02, 0.09, 0.09);
        b.pose.position = {i + 0.5, 0.0, 0.0};
        b.twist.angular = {0, 0, -0.1};
        link = w.add(b);
        if (i == 1)
            w.add(hinge_joint<double>::at(previous_pose, b.pose, V{double(i), 0, 0}, V{0, 0, 1}), previous, link);
        else
            w.add(ball_joint<double>::at(previous_pose, b.pose, V{double(i), 0, 0}), previous, link);
        previous = link;
        previous_pose = b.pose;
    }
    auto const upper = w.add(particle<double>{0.5, {3, -0.5, 0}, {}}), lower = w.add(particle<double>{0.5, {3, -1, 0}, {}});
    w.add(particle_distance<double>{{}, {}, 0.5}, upper, lower);
    w.add(particle_body_distance<double>::at(particle_pose<double>{{3, -0.5, 0}}, previous_pose, {}, V{3, 0, 0}), upper, link);
    return link;
}
// What bounds its multipliers: a motor, a stop, a rope.
template <class World>
void furnish_bounded(World& w, typename World::body_handle const& link) {
    using V = vec3<double>;
    auto const a = pose<double>{}, b = w.pose(link);
    w.add(powered_axis<double>::at(a, b, V{0, 0, 1}, 1.0, 0.5), w.ground(), link);
    w.add(angle_limit<double>::at(a, b, V{0, 0, 1}, -0.01, 1.0), w.ground(), link);
    w.add(rope<double>::at(a, b, V{1, 1, 0}, V{2.5, 0, 0}), w.ground(), link);
}

template <class Config, bool Bounds>
struct furnished;
template <class Config>
struct furnished<Config, false> {
    world<Config, ball_joint, hinge_joint, particle_distance, particle_body_distance> w;
    handle<rigid> link{};
    void furnish_all() { link = furnish(w); }
};
template <class Config>
struct furnished<Config, true> {
    world<Config, ball_joint, hinge_joint, particle_distance, particle_body_distance, powered_axis, angle_limit, rope> w;
    handle<rigid> link{};
    void furnish_all() {
        link = furnish(w);
        furnish_bounded(w, link);
    }
};
// Whether the strategy honours bounds, asked of a world that has none.
template <class Config>
inline constexpr bool bounds_of = detail::abilities_of<typename world<Config>::strategy_type>().bounds;
template <class Config>
using scene = furnished<Config, bounds_of<Config>>;

template <class List>
struct as_types;
template <class... Solvers>
struct as_types<strategy_list<Solvers...>> {
    using type = testing::Types<Solvers...>;
};
struct strategy_names {
    template <class Solver>
    static std::string GetName(int) {
        return expected<Solver>.name;
    }
};

template <class Solver>
struct every_strategy : testing::Test {};
TYPED_TEST_SUITE(every_strategy, typename as_types<all_strategies>::type, strategy_names);

TYPED_TEST(every_strategy, allocates_nothing_once_it_has_run) {
    scene<on_heap<TypeParam>> s;
    s.furnish_all();
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(s.w.step(1.0 / 120));
    std::size_t const before = allocations;
    bool ok = true;
    for (int i = 0; i < 60; ++i) ok = ok && s.w.step(1.0 / 120);
    EXPECT_EQ(allocations - before, 0u);
    EXPECT_TRUE(ok);
}

TYPED_TEST(every_strategy, never_allocates_with_static_storage) {
    std::size_t const before = allocations;
    bool ok = true;
    {
        scene<in_place<TypeParam>> s;
        s.furnish_all();
        for (int i = 0; i < 60; ++i) ok = ok && s.w.step(1.0 / 120);
    }
    EXPECT_EQ(allocations - before, 0u);
    EXPECT_TRUE(ok);
}

TYPED_TEST(every_strategy, steps_alike_in_either_storage) {
    scene<on_heap<TypeParam>> a;
    scene<in_place<TypeParam>> b;
    a.furnish_all();
    b.furnish_all();
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(a.w.step(1.0 / 120));
        ASSERT_TRUE(b.w.step(1.0 / 120));
    }
    EXPECT_EQ(a.w.pose(a.link), b.w.pose(b.link));
    EXPECT_EQ(a.w.twist(a.link), b.w.twist(b.link));
}

TYPED_TEST(every_strategy, a_copy_and_a_restored_state_step_to_the_same_bits) {
    scene<on_heap<TypeParam>> s;
    s.furnish_all();
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(s.w.step(1.0 / 120));
    auto copy = s.w;
    auto const state = s.w.save();
    EXPECT_TRUE(copy == s.w);
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(s.w.step(1.0 / 120));
    EXPECT_FALSE(copy == s.w);
    auto const end = s.w;
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(copy.step(1.0 / 120));
    EXPECT_TRUE(copy == end);
    s.w.restore(state);
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(s.w.step(1.0 / 120));
    EXPECT_TRUE(s.w == end);
}

}  // namespace
