// Continuous collision: what is fast against its size does not pass through thin things.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <type_traits>

namespace {

using sinew::vec3;

struct float_config : sinew::default_config {};
struct double_config : sinew::default_config {
    using scalar = double;
};
struct positions_config : double_config {
    using solver = sinew::nonlinear_gauss_seidel;
};

template <class Config>
class continuous : public testing::Test {};
using configs = testing::Types<float_config, double_config, positions_config>;
TYPED_TEST_SUITE(continuous, configs);

template <class Config>
using world_of = sinew::world<Config, sinew::sphere, sinew::box, sinew::half_space>;

constexpr double dt = 1.0 / 60;

TYPED_TEST(continuous, a_bullet_of_1000_m_s_does_not_pass_a_wall_of_1_cm) {
    using world = world_of<TypeParam>;
    using S = typename world::scalar_type;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> part(-1, 1);
    for (int trial = 0; trial < 100; ++trial) {
        SCOPED_TRACE(trial);
        world w;
        w.gravity = {S(0), S(0), S(0)};
        w.add(sinew::box<S>{{S(0.005), S(400), S(400)}}, w.ground());
        // At any phase of the step, from any side, at any angle below 60 degrees.
        vec3<S> const aim{S(0), S(part(random)), S(part(random))};
        vec3<S> const heading = normalize(vec3<S>{S(1), S(part(random)), S(part(random))});
        S const away = S(30 + 10 * part(random));
        // What is hit off its centre, or rubs, leaves with thousands of revolutions a second, which displacements do not follow.
        bool const turns = !std::is_same_v<TypeParam, positions_config>, cube = turns && trial % 2 == 1;
        sinew::pose<S> const from{aim - heading * away};
        sinew::collider_options<S> const options{.material = sinew::material<S>::of(turns ? S(0.6) : S(0)), .continuous = true};
        sinew::twist<S> const shot{heading * S(1000), cube ? vec3<S>{S(20), S(-30), S(10)} : vec3<S>{}};
        auto const bullet = cube ? w.add_solid(sinew::box<S>{{S(0.01), S(0.005), S(0.005)}}, S(8000), from, options, shot)
                                 : w.add_solid(sinew::sphere<S>{S(0.005)}, S(8000), from, options, shot);
        for (int i = 0; i < 12; ++i) {
            ASSERT_TRUE(w.step(S(dt)));
            ASSERT_LT(w.position(bullet).x(), S(0.001)) << "at step " << i;
        }
        EXPECT_LT(w.twist(bullet).linear.x(), cube ? S(500) : S(1)) << "it has been stopped, or turned";
    }
}

TYPED_TEST(continuous, a_near_miss_is_a_miss) {
    using world = world_of<TypeParam>;
    using S = typename world::scalar_type;
    world w;
    w.gravity = {S(0), S(0), S(0)};
    w.add(sinew::box<S>{{S(0.005), S(1), S(1)}}, w.ground());
    // A quarter of a radius beyond the rim.
    auto const bullet = w.add_solid(sinew::sphere<S>{S(0.02)}, S(8000), sinew::pose<S>{{S(-20), S(1.025), S(0)}}, {.continuous = true}, {{S(1000), S(0), S(0)}, {}});
    for (int i = 0; i < 6; ++i) ASSERT_TRUE(w.step(S(dt)));
    EXPECT_NEAR(w.twist(bullet).linear.x(), 1000, 1e-3);
    EXPECT_NEAR(w.position(bullet).y(), 1.025, 1e-5);
}

TYPED_TEST(continuous, a_hit_passes_the_momentum_on) {
    using world = world_of<TypeParam>;
    using S = typename world::scalar_type;
    world w;
    w.gravity = {S(0), S(0), S(0)};
    auto const plate = w.add_solid(sinew::box<S>{{S(0.005), S(0.5), S(0.5)}}, S(8000));
    auto const bullet = w.add_solid(sinew::sphere<S>{S(0.01)}, S(8000), sinew::pose<S>{{S(-12), S(0), S(0)}}, {.continuous = true}, {{S(800), S(0), S(0)}, {}});
    S const m = w.body(bullet).mass, M = w.body(plate).mass;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(w.step(S(dt)));
    EXPECT_NEAR(w.linear_momentum().x(), m * S(800), m * S(0.01));
    EXPECT_NEAR(w.twist(plate).linear.x(), S(800) * m / (m + M), S(800) * m / (m + M) * S(0.02));
    EXPECT_LE(w.position(bullet).x(), w.position(plate).x());
}

TYPED_TEST(continuous, two_bullets_meet) {
    using world = world_of<TypeParam>;
    using S = typename world::scalar_type;
    world w;
    w.gravity = {S(0), S(0), S(0)};
    auto const shot = [&](S x, S v) { return w.add_solid(sinew::sphere<S>{S(0.01)}, S(8000), sinew::pose<S>{{x, S(0), S(0)}}, {.continuous = true}, {{v, S(0), S(0)}, {}}); };
    auto const a = shot(S(-21), S(500)), b = shot(S(20), S(-500));
    for (int i = 0; i < 6; ++i) ASSERT_TRUE(w.step(S(dt)));
    EXPECT_LT(w.position(a).x(), w.position(b).x());
}

TEST(continuous_settings, one_setting_makes_all_colliders_so) {
    for (bool const all : {false, true}) {
        world_of<float_config> w;
        w.gravity = {0, 0, 0};
        w.collision.continuous = all;
        w.add_solid(sinew::box<float>{{0.005f, 2, 2}}, 8000.0f, sinew::pose<float>{});
        auto const bullet = w.add_solid(sinew::sphere<float>{0.005f}, 8000.0f, sinew::pose<float>{{-8, 0, 0}}, {}, {{1000, 0, 0}, {}});
        for (int i = 0; i < 3; ++i) w.step(float(dt));
        EXPECT_EQ(w.position(bullet).x() < 10, all);
    }
}

TEST(continuous_settings, a_rain_of_small_boxes_stays_in_a_thin_tray) {
    sinew::world<float_config, sinew::box> w;
    w.collision.continuous = true;
    w.add(sinew::box<float>{{2, 0.005f, 2}}, w.ground());
    std::mt19937 random(3);
    std::uniform_real_distribution<float> part(-1, 1);
    for (int i = 0; i < 40; ++i)
        w.add_solid(sinew::box<float>{{0.05f, 0.05f, 0.05f}}, 1000.0f, sinew::pose<float>{{1.5f * part(random), 5 + float(i), 1.5f * part(random)}}, {}, {{0, -100, 0}, {}});
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(w.step(float(dt)));
        w.for_each_body([&](auto b) {
            auto const x = w.position(b);
            bool const over_the_tray = std::abs(x.x()) < 1.9f && std::abs(x.z()) < 1.9f;
            EXPECT_TRUE(!over_the_tray || x.y() > 0) << x.y();
        });
    }
}

}  // namespace
