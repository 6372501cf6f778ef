// Rolling and spinning friction brake from the first step on, by the torque that they are said to have: coefficients mu_r and mu_s (m) times the push m g.
//
//   a ball that rolls      (m r^2 + I) a / r = mu_r m g,   a = 5/7 mu_r g / r
//   a ball that spins      I alpha = mu_s m g
//
// Both are constant, so that a discrete law is exact: v_k = v_0 - a k h.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

template <class Solver>
struct config : sinew::default_config {
    using scalar = double;
    using solver = Solver;
    static constexpr bool resists_rolling = true;
};
using V = sinew::vec3<double>;
constexpr double g = 9.81, h = 1.0 / 60, radius = 0.1;

template <class Solver>
struct rolling_friction_of : testing::Test {
    using world_type = sinew::world<config<Solver>, sinew::sphere, sinew::half_space>;
    struct scene {
        world_type world{};
        sinew::handle<sinew::rigid> ball{};
        scene(sinew::material<double> const& m, V const& velocity, V const& spin) {
            world.add(sinew::half_space<double>{}, world.ground(), {.material = m});
            ball = world.add_solid(sinew::sphere<double>{radius}, 1000.0, {{0, radius, 0}}, {.material = m}, {velocity, spin});
        }
    };
};
using strategies = testing::Types<sinew::sequential_impulses, sinew::nonlinear_gauss_seidel, sinew::lagrange_impulses<sinew::dantzig>>;
TYPED_TEST_SUITE(rolling_friction_of, strategies, );

TYPED_TEST(rolling_friction_of, a_ball_brakes_it_from_the_first_step_on) {
    for (double const mu : {0.001, 0.01})
        for (double const turn : {0.05, 0.15, 0.3}) {  // rad in a step
            auto m = sinew::material<double>::of(0.8);
            m.rolling_friction = mu;
            double const v_0 = turn * radius / h, a = 5.0 / 7 * mu * g / radius;
            typename TestFixture::scene s(m, {v_0, 0, 0}, {0, 0, -v_0 / radius});
            for (int k = 1; k < 60 && a * k * h < v_0; ++k) {
                ASSERT_TRUE(s.world.step(h));
                auto const t = s.world.twist(s.ball);
                EXPECT_NEAR(v_0 - t.linear.x(), a * k * h, 5e-3 * a * k * h) << mu << ' ' << turn << ' ' << k;
                EXPECT_NEAR(-t.angular.z() * radius, t.linear.x(), 1e-3 * v_0) << mu << ' ' << turn << ' ' << k;
            }
        }
}
TYPED_TEST(rolling_friction_of, a_ball_brakes_its_spin_from_the_first_step_on) {
    for (double const mu : {0.001, 0.01})
        for (double const w_0 : {2.0, 10.0}) {
            auto m = sinew::material<double>::of(0.8);
            m.spinning_friction = mu;
            double const alpha = mu * g / (0.4 * radius * radius);
            typename TestFixture::scene s(m, {}, {0, w_0, 0});
            int k = 1;
            for (; k < 600 && alpha * k * h < w_0; ++k) {
                ASSERT_TRUE(s.world.step(h));
                EXPECT_NEAR(w_0 - s.world.twist(s.ball).angular.y(), alpha * k * h, 5e-3 * alpha * k * h) << mu << ' ' << w_0 << ' ' << k;
            }
            ASSERT_TRUE(s.world.step(h));
            EXPECT_NEAR(s.world.twist(s.ball).angular.y(), 0, 1e-6) << mu << ' ' << w_0;  // it stops
        }
}
// Not what is still in the air: that is pressed by nothing.
TYPED_TEST(rolling_friction_of, nothing_holds_back_a_ball_in_the_air) {
    auto m = sinew::material<double>::of(0.8);
    m.rolling_friction = m.spinning_friction = 0.01;
    typename TestFixture::scene s(m, {}, {0, 5, 2});
    s.world.set_pose(s.ball, {{0, radius + 0.01, 0}});
    ASSERT_TRUE(s.world.step(h));
    EXPECT_NEAR(norm(s.world.twist(s.ball).angular - V{0, 5, 2}), 0, 1e-12);
}

}  // namespace
