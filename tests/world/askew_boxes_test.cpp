// A box that lies askew on a plane in any orientation slides as a point would, straight on and without turning: Coulomb's friction is alike in every direction, and under a flat
// box its moment about the vertical is 0, however the corners share the push.
//
//   slides   a = g (sin alpha - mu cos alpha) down the plane, alpha > atan(mu)
//   sticks   alpha < atan(mu)
//   level    v = v_0 - mu g t

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace {

template <class Solver>
struct config : sinew::default_config {
    using scalar = double;
    using solver = Solver;
};
using V = sinew::vec3<double>;
constexpr double g = 9.81, h = 1.0 / 60, pi = std::numbers::pi;
constexpr double frictions[] = {0.1, 0.3, 0.5, 1.0};
constexpr int headings = 8;

template <class Solver>
struct askew_box : testing::Test {
    using world_type = sinew::world<config<Solver>, sinew::box, sinew::half_space>;
    struct outcome {
        V position, velocity;
        double turning;  // rad/s
    };
    // After so many steps, seen with x down the plane and y out of it.
    static outcome after(int steps, double tilt, double mu, int heading, double speed = 0, double height = 0) {
        auto const plane = sinew::quaternion_exp(V{0.3, -0.5, 0.7});
        auto const out = [&](V const& v) { return rotate(plane, v); };
        world_type w;
        auto const m = sinew::material<double>::of(mu);
        w.gravity = out({g * std::sin(tilt), -g * std::cos(tilt), 0});
        w.add(sinew::half_space<double>{out({0, 1, 0}), 0.0}, w.ground(), {.material = m});
        auto const askew = plane * sinew::quaternion_exp(V{0, 0.05 + heading * pi / (2 * headings), 0});
        auto const box = w.add_solid(sinew::box<double>{{0.3, 0.1, 0.2}}, 1000.0, {out({0, 0.1 + height, 0}), askew}, {.material = m}, {out({speed, 0, 0}), {}});
        for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(h));
        auto const in = [&](V const& v) { return inverse_rotate(plane, v); };
        return {in(w.pose(box).position), in(w.twist(box).linear), in(w.twist(box).angular).y()};
    }
};
using strategies = testing::Types<sinew::lagrange_impulses<sinew::dantzig>, sinew::lagrange_impulses<sinew::sparse_ldlt>, sinew::lagrange_multipliers<sinew::dantzig>,
                                  sinew::lagrange_multipliers<sinew::sparse_ldlt>, sinew::compliant_implicit>;
TYPED_TEST_SUITE(askew_box, strategies, );

TYPED_TEST(askew_box, slides_down_straight) {
    for (double const mu : frictions)
        for (int k = 0; k < headings; ++k) {
            double const tilt = std::atan(mu) + 0.15, v = g * (std::sin(tilt) - mu * std::cos(tilt));  // after a second
            auto const r = this->after(60, tilt, mu, k);
            EXPECT_NEAR(r.velocity.x(), v, 1e-3 * v) << mu << ' ' << k;
            EXPECT_NEAR(r.velocity.z(), 0, 1e-3 * v) << mu << ' ' << k;
            EXPECT_NEAR(r.turning, 0, 1e-3) << mu << ' ' << k;
        }
}
TYPED_TEST(askew_box, slides_just_above_the_angle_of_friction) {
    for (double const mu : frictions)
        for (int k = 0; k < headings; ++k) {
            double const tilt = 1.05 * std::atan(mu), v = g * (std::sin(tilt) - mu * std::cos(tilt));  // after a second
            EXPECT_NEAR(this->after(60, tilt, mu, k).velocity.x(), v, 5e-3 * v) << mu << ' ' << k;
        }
}
TYPED_TEST(askew_box, sticks_below_the_angle_of_friction) {
    for (double const mu : frictions)
        for (int k = 0; k < headings; ++k) {
            auto const p = this->after(600, std::atan(mu) - 0.03, mu, k).position;
            EXPECT_LT(std::hypot(p.x(), p.z()), 1e-4) << mu << ' ' << k;
        }
}
TYPED_TEST(askew_box, is_braked_straight_on_a_level_plane) {
    for (double const mu : frictions)
        for (int k = 0; k < headings; ++k) {
            double const v_0 = 1.2 * mu * g;
            auto const r = this->after(60, 0, mu, k, v_0);
            EXPECT_NEAR(r.velocity.x(), v_0 - mu * g, 1e-3 * v_0) << mu << ' ' << k;
            EXPECT_NEAR(r.velocity.z(), 0, 1e-3 * v_0) << mu << ' ' << k;
            EXPECT_NEAR(r.turning, 0, 1e-3) << mu << ' ' << k;
        }
}
TYPED_TEST(askew_box, that_falls_on_an_incline_comes_to_rest) {
    // It falls for less than a step, at the end of which it slides by less than g sin(alpha) h, and is braked by g (mu cos(alpha) - sin(alpha)).
    for (double const mu : frictions)
        for (int k = 0; k < headings; ++k) {
            double const tilt = std::atan(mu) - 0.03, v = g * std::sin(tilt) * h, brake = g * (mu * std::cos(tilt) - std::sin(tilt));
            auto const p = this->after(600, tilt, mu, k, 0, 1e-3).position;
            EXPECT_LT(std::hypot(p.x(), p.z()), v * h + v * v / (2 * brake)) << mu << ' ' << k;
        }
}

}  // namespace
