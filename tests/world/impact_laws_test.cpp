// Hits between shapes that the world finds: Newton's law of restitution over many bounces, hits at several places at once, and momentum handed
// on along a row.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

struct config : sinew::default_config {
    using scalar = double;
};
using vec = sinew::vec3<double>;
using ball = sinew::sphere<double>;
using box = sinew::box<double>;
using material = sinew::material<double>;
using world_type = sinew::world<config, sinew::box, sinew::sphere, sinew::half_space, sinew::distance>;
using body_id = world_type::body_handle;

constexpr double g = 9.81;

material bouncy(double e, double friction = 0) {
    material m = material::of(friction, e);
    m.restitution_threshold = 0.01;
    return m;
}

// Heights of the bounces of a body that falls from a height, which is that of its lowest point.
std::vector<double> bounces(double e, double height, bool cube, std::size_t count, double h) {
    world_type w;
    w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(e, 0.4)});
    vec const at{0, 0.25 + height, 0};
    body_id const b = cube ? w.add_solid(box{{0.4, 0.25, 0.3}}, 1000.0, {at, sinew::quaternion_exp(vec{0, 0.4, 0})}, {.material = bouncy(e, 0.4)})
                           : w.add_solid(ball{0.25}, 1000.0, {at}, {.material = bouncy(e, 0.4)});
    std::vector<double> apexes;
    double before = 0, spin = 0;
    for (int i = 0; i < 20000 && apexes.size() < count; ++i) {
        EXPECT_TRUE(w.step(h));
        // Velocities are half a substep behind positions.
        double const v = w.twist(b).linear.y(), now = v - g * h / w.solver.substeps / 2;
        if (before > 0 && v <= 0) apexes.push_back(w.position(b).y() - 0.25 + now * now / (2 * g));
        before = v;
        spin = std::max(spin, norm(w.twist(b).angular));
    }
    EXPECT_LT(spin, 1e-3) << "it has not been turned by its hits";
    return apexes;
}

TEST(impact_laws, bounces_reach_e_squared_of_the_last_height) {
    double worst = 0;  // relative
    for (double const e : {0.2, 0.5, 0.8, 1.0})
        for (bool const cube : {false, true})
            for (double const h : {1.0 / 60, 1.0 / 240}) {
                if (e < 0.3 && h > 0.01) continue;  // of 0.2 the fifth flight from 2 km lasts 13 ms
                double last = e < 0.3 ? 2000 : e < 0.6 ? 40 : 2;
                auto const heights = bounces(e, last, cube, 5, h);
                ASSERT_EQ(heights.size(), 5u);
                for (double const now : heights) {
                    EXPECT_NEAR(now, e * e * last, 0.01 * e * e * last) << "e " << e << (cube ? ", a box" : ", a ball") << ", h " << h;
                    worst = std::max(worst, std::abs(now / (e * e * last) - 1));
                    last = now;
                }
            }
    std::printf("heights of bounces are off by at most %.1e of themselves\n", worst);
}

TEST(impact_laws, a_box_that_falls_flat_does_not_spin) {
    for (double const e : {0.0, 0.5})
        for (double const heading : {0.0, 0.4})
            for (int supports : {1, 2}) {  // a floor, or two bodies side by side
                world_type w;
                if (supports == 1)
                    w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(e, 0.5)});
                else
                    for (double const side : {-1.0, 1.0}) w.add(box{{0.5, 0.5, 2}}, w.add_fixed({{0.7 * side, -0.5, 0}}), {.material = bouncy(e, 0.5)});
                auto const b = w.add_solid(box{{0.5, 0.2, 0.4}}, 1000.0, {{0, 1.2, 0}, sinew::quaternion_exp(vec{0, heading, 0})}, {.material = bouncy(e, 0.5)});
                double spin = 0, highest = 0;
                for (int i = 0; i < 120; ++i) {
                    w.step(1.0 / 120);
                    spin = std::max(spin, norm(w.twist(b).angular));
                    if (w.twist(b).linear.y() > 0) highest = std::max(highest, w.position(b).y() - 0.2);
                }
                // What does not bounce is stopped by sweeps: by two bodies in turn, in some steps.
                EXPECT_LT(spin, e == 0 && supports == 2 ? 0.2 : 1e-3) << e << ' ' << heading << ' ' << supports;
                EXPECT_LT(norm(w.twist(b).angular), 1e-3);
                EXPECT_NEAR(w.pose(b).direction(vec{0, 1, 0}).y(), 1, 1e-9) << e << ' ' << heading << ' ' << supports;
                EXPECT_NEAR(highest, e * e, 0.01);
            }
}

// What goes farther in a step than it is wide meets the ground where that is, not behind it: 5 cm, and 13 cm a step.
TEST(impact_laws, small_and_fast_bodies_bounce_as_high_as_others) {
    for (bool const half_space : {false, true})
        for (double const e : {0.2, 0.5}) {
            world_type w;
            if (half_space)
                w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(e)});
            else
                w.add(box{{5, 1, 5}}, w.add_fixed({{0, -1, 0}}), {.material = bouncy(e)});
            auto const b = w.add_solid(ball{0.05}, 1000.0, {{0, 3.05, 0}}, {.material = bouncy(e)});
            double highest = 0, before = 0;
            for (int i = 0; i < 120 && highest == 0; ++i) {
                ASSERT_TRUE(w.step(1.0 / 60));
                double const v = w.twist(b).linear.y(), now = v - g / 60 / w.solver.substeps / 2;
                if (before > 0 && v <= 0) highest = w.position(b).y() - 0.05 + now * now / (2 * g);
                before = v;
            }
            EXPECT_NEAR(highest, 3 * e * e, 0.03 * e * e) << e << (half_space ? " on a half space" : " on a box");
        }
}

// All corners of what falls flat have their answer at once, whatever its proportions: sweeps over them would take long where one corner moves the others as much as itself.
TEST(impact_laws, plates_and_posts_that_fall_flat_have_no_spin_but_by_rounding) {
    for (vec const half : {vec{0.5, 0.02, 0.4}, vec{0.05, 0.5, 0.08}, vec{0.3, 0.3, 0.3}})
        for (double const h : {1.0 / 60, 1.0 / 120}) {
            double const e = 0.6;
            world_type w;
            w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(e, 0.5)});
            auto const b = w.add_solid(box{half}, 1000.0, {{0, 1 + half.y(), 0}, sinew::quaternion_exp(vec{0, 0.3, 0})}, {.material = bouncy(e, 0.5)});
            double highest = 0;
            bool parts = false;
            for (int i = 0; i < 120 && !(parts && w.twist(b).linear.y() < 0); ++i) {
                ASSERT_TRUE(w.step(h));
                parts = parts || w.twist(b).linear.y() > 0;
                if (parts) highest = std::max(highest, w.position(b).y() - half.y());
                EXPECT_LT(norm(w.twist(b).angular) * norm(half), 1e-11) << "m/s at its corners, of " << half.x() << " x " << half.y() << " x " << half.z() << ", h " << h << ", step " << i;
            }
            EXPECT_NEAR(highest, e * e, 2e-3);  // what it goes on by in a substep at its highest, g h^2 / 8
        }
}

// Its last hits, after which it would not come back as far as it is away, are given to its corners together too.
TEST(impact_laws, a_flat_box_does_not_spin_in_its_last_bounces) {
    for (double const half : {0.05, 0.5}) {
        world_type w;
        w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(0.2, 0.5)});
        auto const b = w.add_solid(box{{half, half, half}}, 1000.0, {{0, 1 + half, 0}}, {.material = bouncy(0.2, 0.5)});
        for (int i = 0; i < 90; ++i) {
            ASSERT_TRUE(w.step(1.0 / 60));
            EXPECT_LT(norm(w.twist(b).angular) * half, 1e-3) << "m/s at its faces, after a fall at 4.4 m/s; half " << half << ", step " << i;
        }
    }
}

// A ball that meets two others at the same moment, and a row of five.
TEST(impact_laws, hits_at_the_same_moment_are_alike) {
    for (double const e : {0.5, 1.0}) {
        world_type w;
        w.gravity = {};
        double const r = 0.5, a = 0.5;
        auto const shot = w.add_solid(ball{r}, 1000.0, {{0, 0, 0}}, {.material = bouncy(e)}, {{2, 0, 0}, {}});
        std::array<body_id, 2> met;
        for (std::size_t i = 0; i < 2; ++i) met[i] = w.add_solid(ball{r}, 1000.0, {vec{std::cos(a), 0, i == 0 ? std::sin(a) : -std::sin(a)} * (2 * r)}, {.material = bouncy(e)});
        for (int i = 0; i < 60; ++i) w.step(1.0 / 60);
        // Along the lines of centres they part with e of what they came with: v_i = p / m n_i, p (1 + 2 cos^2 a) = m (1 + e) v cos a.
        double const p = (1 + e) * 2 * std::cos(a) / (1 + 2 * std::cos(a) * std::cos(a));
        vec const v = w.twist(shot).linear, v0 = w.twist(met[0]).linear, v1 = w.twist(met[1]).linear;
        EXPECT_NEAR(v.x(), 2 - 2 * p * std::cos(a), 1e-6);
        EXPECT_NEAR(v.z(), 0, 1e-6);
        EXPECT_NEAR(norm(v0), p, 1e-6);
        EXPECT_NEAR(norm(v1), p, 1e-6);
        EXPECT_NEAR(v0.z() + v1.z(), 0, 1e-6);
    }
}

TEST(impact_laws, newtons_cradle_hands_on_its_momentum) {
    for (std::size_t const falling : {1u, 2u}) {
        world_type w;
        constexpr double r = 0.1, thread = 1, angle = 0.5;
        std::array<body_id, 5> balls;
        for (std::size_t i = 0; i < 5; ++i) {
            vec const nail{2 * r * double(i), 0, 0};
            double const at = i < falling ? -angle : 0;
            balls[i] = w.add_solid(ball{r}, 7800.0, {nail + vec{std::sin(at), -std::cos(at), 0} * thread}, {.material = bouncy(1)});
            for (double const z : {-0.4, 0.4})
                w.add(sinew::distance<double>::at(w.pose(w.ground()), w.pose(balls[i]), nail + vec{0, 0, z}, w.position(balls[i])), w.ground(), balls[i]);
        }
        double const law = std::sqrt(2 * g * thread * (1 - std::cos(angle)));
        double fastest = 0, rest = 0;
        for (int i = 0; i < 240 * 8; ++i) {  // four swings
            w.step(1.0 / 240);
            double const t = w.time();
            // Between the first and the second hit, at a quarter and three quarters of a period.
            if (i < 240) fastest = std::max(fastest, w.twist(balls[4]).linear.x());
            if (t > 0.6 && t < 1.4)
                for (std::size_t k = 0; k + falling < 5; ++k) rest = std::max(rest, norm(w.twist(balls[k]).linear));
        }
        EXPECT_NEAR(fastest, law, 0.01 * law);
        EXPECT_LT(rest, 0.02 * law);
    }
}

// What is far away changes nothing, not even the last bit: neither whether a body bounces nor how others round.
// To the last bit, however many sweeps the hits of others take.
TEST(impact_laws, boxes_tumble_as_if_alone) {
    auto const scene = [](bool alone) {
        world_type w;
        w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(0.7, 0.5)});
        auto const add = [&](double x, double turn) {
            return w.add_solid(box{{0.4, 0.25, 0.3}}, 1000.0, {{x, 1.2, 0}, sinew::quaternion_exp(vec{turn, 0.2, 2 * turn})}, {.material = bouncy(0.7, 0.5)}, {{1, 0, 0.5}, {turn, 0.3, 0}});
        };
        body_id const first = add(0, 0.0), second = add(10, 0.3);
        for (int k = 0; k < 8 && !alone; ++k) (void)add(30.0 + 4 * k, 0.1 * k);
        std::vector<double> r;
        for (int i = 0; i < 180; ++i) {
            EXPECT_TRUE(w.step(1.0 / 60));
            for (body_id const one : {first, second})
                for (vec const& v : {w.twist(one).linear, w.twist(one).angular, w.position(one)})
                    for (double const x : v.e) r.push_back(x);
        }
        return r;
    };
    EXPECT_TRUE(scene(true) == scene(false));
}

TEST(impact_laws, bodies_bounce_as_if_alone) {
    auto const scene = [](double height, bool alone) {
        world_type w;
        w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(0.8)});
        auto m = bouncy(0.8);
        m.restitution_threshold = 0.5;
        body_id const b = w.add_solid(ball{0.25}, 1000.0, {{0, 0.25 + height, 0}}, {.material = m});
        body_id const turning = w.add_solid(box{{0.4, 0.25, 0.3}}, 1000.0, {{30, 5, 0}}, {}, {{}, {0.1, 0.2, 0.3}});
        for (int k = 0; k < 20 && !alone; ++k) w.add_solid(ball{0.25}, 1000.0, {{60.0 + k, 0.3 + k / 12.0, 0}}, {.material = bouncy(0.8)}, {{0, -5, 0}, {}});
        std::vector<double> r;
        for (int i = 0; i < 40; ++i) {
            w.apply_wrench(turning, {{3e3, 1e4, 7e2}, {1e3, 3e3, 2e2}});
            EXPECT_TRUE(w.step(1.0 / 60));
            for (body_id const one : {b, turning})
                for (double const x : w.twist(one).linear.e) r.push_back(x);
        }
        return r;
    };
    for (double height = 0.005; height < 0.03; height += 0.0005) EXPECT_TRUE(scene(height, true) == scene(height, false)) << height;
}

}  // namespace
