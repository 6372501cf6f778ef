// Friction as a user meets it, between shapes that the world finds touching: what sticks does not creep, what slides obeys Coulomb, what rolls
// rolls, and no direction is better than another.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

struct config : sinew::default_config {
    using scalar = double;
};
using vec = sinew::vec3<double>;
using material = sinew::material<double>;
using world_type = sinew::world<config, sinew::box, sinew::sphere, sinew::half_space>;

constexpr double g = 9.81;
constexpr int rate = 60;

/// A plane that falls towards x by `slope` rad, and what lies on it.
struct incline {
    world_type w;
    vec up, down;
    world_type::body_handle body{};

    incline(double slope, material const& m) : up{std::sin(slope), std::cos(slope), 0}, down{std::cos(slope), -std::sin(slope), 0} {
        w.add(sinew::half_space<double>{.normal = up}, w.ground(), {.material = m});
    }
    void add_box(vec const& half, double heading, material const& m, double height = 0) {
        auto const tilt = sinew::quaternion_exp(vec{0, 0, -std::atan2(up.x(), up.y())}), turn = sinew::quaternion_exp(vec{0, heading, 0});
        body = w.add_solid(sinew::box<double>{half}, 1000.0, {up * (half.y() + height), tilt * turn}, {.material = m});
    }
    void run(double seconds) {
        for (int i = 0, n = int(seconds * rate + 0.5); i < n; ++i) ASSERT_TRUE(w.step(1.0 / rate));
    }
    [[nodiscard]] double speed() const { return dot(w.twist(body).linear, down); }
};

constexpr double coefficients[] = {0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0};
constexpr double headings[] = {0.0, 0.1, 0.3, 0.785, 1.2, 1.57};

// Flat ones and high ones, straight down the slope and askew; but for those that would tip.
TEST(friction_laws, a_box_on_an_incline_does_not_creep_in_a_minute) {
    double worst = 0;
    for (vec const half : {vec{0.5, 0.25, 0.4}, vec{0.25, 0.25, 0.25}, vec{1, 0.2, 1}, vec{0.1, 0.1, 0.2}, vec{0.3, 0.5, 0.3}, vec{0.5, 0.5, 0.5}})
        for (double const mu : coefficients)
            for (double const heading : headings) {
                double const slope = 0.95 * std::atan(mu);
                if (half.y() * std::tan(slope) > 0.98 * std::min(half.x(), half.z())) continue;
                incline s(slope, material::of(mu));
                s.add_box(half, heading, material::of(mu));
                vec const start = s.w.position(s.body);
                double farthest = 0;
                int const seconds = heading == 0.3 || (half.y() == 0.25 && half.x() == 0.5) ? 60 : 10;  // what creeps does so from the start
                for (int i = 0; i < seconds * rate; ++i) {
                    ASSERT_TRUE(s.w.step(1.0 / rate));
                    farthest = std::max(farthest, norm(s.w.position(s.body) - start));
                }
                worst = std::max(worst, farthest);
                EXPECT_LT(farthest, 1e-4) << half.x() << " x " << half.y() << " x " << half.z() << ", mu " << mu << ", heading " << heading;
            }
    std::printf("farthest of all, from the first step on: %.1e m\n", worst);
}

TEST(friction_laws, a_cube_that_is_about_to_tip_does_not_slip_before_its_friction_is_found) {
    for (double const mu : {0.4, 0.7, 1.0})
        for (double const heading : {0.0, 0.3, 0.785}) {
            double const slope = 0.95 * std::atan(mu);
            incline s(slope, material::of(mu));
            s.add_box({0.25, 0.25, 0.25}, heading, material::of(mu));
            vec const start = s.w.position(s.body);
            for (int i = 0; i < 20 * rate; ++i) {
                ASSERT_TRUE(s.w.step(1.0 / rate));
                ASSERT_LT(norm(s.w.position(s.body) - start), 1e-4) << "mu " << mu << ", heading " << heading << ", step " << i;
            }
        }
}

TEST(friction_laws, above_the_angle_of_friction_it_slides_as_coulomb_says) {
    for (double const mu : coefficients)
        for (double const heading : headings) {
            double const slope = std::atan(mu) + 0.12;
            incline s(slope, material::of(mu));
            s.add_box({0.5, 0.1, 0.4}, heading, material::of(mu));
            s.run(0.5);
            double const before = s.speed();
            s.run(1);
            double const a = g * (std::sin(slope) - mu * std::cos(slope));
            EXPECT_NEAR(s.speed() - before, a, 5e-3 * a) << mu << ' ' << heading;
        }
}

TEST(friction_laws, static_friction_holds_what_dynamic_friction_would_not) {
    double const slope = std::atan(0.5);
    material m;
    m.static_friction = 0.6;
    m.dynamic_friction = 0.4;
    incline resting(slope, m), pushed(slope, m);
    for (auto* s : {&resting, &pushed}) s->add_box({0.5, 0.1, 0.4}, 0.3, m);
    vec const start = resting.w.position(resting.body);
    pushed.w.set_twist(pushed.body, {pushed.down * 0.2, {}});
    resting.run(10);
    EXPECT_LT(norm(resting.w.position(resting.body) - start), 1e-4);
    pushed.run(0.5);
    double const before = pushed.speed(), a = g * (std::sin(slope) - 0.4 * std::cos(slope));
    pushed.run(1);
    EXPECT_NEAR(pushed.speed() - before, a, 5e-3 * a);
}

// What has slid to rest is held by static friction again.
TEST(friction_laws, what_has_come_to_rest_is_held_by_static_friction_again) {
    material m;
    m.static_friction = 0.6;
    m.dynamic_friction = 0.3;
    for (double const spin : {0.0, 1.0, 3.0, 6.0})
        for (vec const speed : {vec{0, 0, 0}, vec{1, 0, 0}, vec{0.5, 0, -1}}) {
            SCOPED_TRACE(testing::Message() << "spin " << spin << ", speed " << speed.x());
            incline s(0, m);
            s.add_box({0.3, 0.15, 0.3}, 0.2, m);
            s.w.set_twist(s.body, {speed, {0, spin, 0}});
            s.run(3);
            double const weight = 1000.0 * 8 * 0.3 * 0.15 * 0.3 * g;
            auto const push = [&](double share, int steps) {  // by this share of its weight
                for (int i = 0; i < steps; ++i) {
                    s.w.apply_force(s.body, vec{share * weight, 0, 0}, s.w.position(s.body) - vec{0, 0.15, 0});
                    ASSERT_TRUE(s.w.step(1.0 / rate));
                }
            };
            vec const start = s.w.position(s.body);
            push(0.4, rate);
            EXPECT_LT(norm(s.w.position(s.body) - start), 1e-3);
            push(0.7, rate / 4);
            double const before = s.w.twist(s.body).linear.x(), a = (0.7 - m.dynamic_friction) * g;
            push(0.7, rate / 2);
            EXPECT_NEAR((s.w.twist(s.body).linear.x() - before) * 2, a, 5e-3 * a);
        }
}

// What has tumbled to rest leaves its corners rubbing against each other as hard as they can. They stick all the same.
TEST(friction_laws, nothing_slides_that_has_come_to_rest) {
    for (double const mu : {0.3, 0.45, 0.6})
        for (double const tumble : {0.3, 0.8, 1.5, 2.0}) {
            incline s(0, material::of(mu));
            s.add_box({0.3, 0.15, 0.3}, 0, material::of(mu), 0.25);
            s.w.set_twist(s.body, {{tumble, 0, tumble}, {0, tumble, tumble}});
            s.run(4);
            ASSERT_LT(norm(s.w.twist(s.body).linear), 1e-6);
            ASSERT_EQ(s.w.contacts().size(), 4U);
            for (auto const& e : s.w.contacts()) EXPECT_FALSE(e.constraint.slides) << "mu " << mu << ", tumble " << tumble;
        }
}

TEST(friction_laws, a_sphere_rolls_at_five_sevenths) {
    for (double const slope : {0.1, 0.3, 0.6}) {
        incline s(slope, material::of(0.8));
        s.body = s.w.add_solid(sinew::sphere<double>{0.5}, 1000.0, {s.up * 0.5}, {.material = material::of(0.8)});
        s.run(0.5);
        double const before = s.speed();
        s.run(1);
        double const a = 5.0 / 7 * g * std::sin(slope);
        EXPECT_NEAR(s.speed() - before, a, 5e-3 * a) << slope;
        EXPECT_NEAR(s.w.twist(s.body).angular.z(), -s.speed() / 0.5, 2e-3 * s.speed() / 0.5);
    }
}

// Until it turns by 1 rad in a step. Symplectic substeps of h take it h t a / 2 farther than a t^2 / 2.
TEST(friction_laws, a_small_ball_rolls_at_five_sevenths) {
    for (double const radius : {0.01, 0.025, 0.1})
        for (double const slope : {0.1, 0.3, 0.6}) {
            incline s(slope, material::of(0.8));
            s.body = s.w.add_solid(sinew::sphere<double>{radius}, 1000.0, {s.up * radius}, {.material = material::of(0.8)});
            double const a = 5.0 / 7 * g * std::sin(slope), seconds = std::floor(rate * rate * radius / a) / rate, h = 1.0 / rate / s.w.solver.substeps;
            s.run(seconds);
            EXPECT_NEAR(s.speed(), a * seconds, 1e-4 * a * seconds) << radius << ' ' << slope;
            EXPECT_NEAR(-s.w.twist(s.body).angular.z() * radius, a * seconds, 1e-4 * a * seconds) << radius << ' ' << slope;
            double const way = a * seconds * (seconds + h) / 2;
            EXPECT_NEAR(dot(s.w.position(s.body), s.down), way, 1e-3 * way) << radius << ' ' << slope;
        }
}

TEST(friction_laws, friction_opposes_the_motion_whatever_its_heading) {
    for (int i = 0; i < 24; ++i) {
        double const heading = 0.2618 * i;
        incline s(0, material::of(0.4));
        s.add_box({0.5, 0.1, 0.5}, 0.1, material::of(0.4));
        vec const along{std::cos(heading), 0, std::sin(heading)};
        s.w.set_twist(s.body, {along * 3.0, {}});
        s.run(0.5);
        vec const v = s.w.twist(s.body).linear;
        EXPECT_GT(dot(v, along), std::cos(sinew::pi_v<double> / 180) * norm(v)) << heading;
        EXPECT_NEAR(norm(v), 3 - 0.4 * g * 0.5, 0.01) << heading;
    }
}

// The push has taken m (g t + v_up) of momentum since the fall began, however it came, by a hit or by weight; mu of that the friction, if the box still slides.
TEST(friction_laws, a_landing_takes_momentum_as_coulomb_says) {
    for (double const e : {0.0, 0.5})
        for (double const mu : {0.15, 0.3, 0.6})
            for (double const half : {0.05, 0.25, 0.5})
                for (double const heading : {0.0, 0.5}) {
                    incline s(0, material::of(mu, e));
                    s.add_box({0.5, half, 0.5}, heading, material::of(mu, e), 0.7);
                    s.w.set_twist(s.body, {{4, 0, 0}, {}});
                    s.run(27.0 / rate);  // it lands in the 23rd step
                    vec const v = s.w.twist(s.body).linear;
                    double const taken = mu * (g * 27 / rate + v.y());
                    // A box about to tip leaves the floor for moments; within a substep friction may follow the push of the one before.
                    EXPECT_NEAR(4 - v.x(), taken, 0.01 * taken) << "e " << e << ", mu " << mu << ", half height " << half << ", heading " << heading;
                    EXPECT_NEAR(v.z(), 0, 0.01 * taken);
                    EXPECT_LT(std::abs(v.y()), e == 0 ? 0.01 : 2.0);
                }
}

}  // namespace
