#include <world/non_penetrating_scene.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace {

using namespace sinew_test;

using world_type = moving_world<sinew::sphere>;
using motion = sinew::non_penetrating<world_type>;
using sinew::advance_status;

// Drops on a floor: r under gravity from height h above it.
TEST(NonPenetrating, ABallComesBackAsTheLawSays) {
    for (double const e : {0.5, 0.8, 1.0}) {
        world_type w;
        w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(e)});
        constexpr double r = 0.1, h = 1;
        auto const b = w.add_solid(ball{r}, 1000.0, {{0, r + h, 0}}, {.material = bouncy(e)});
        motion m(w);
        // To the top of each bounce: height h e^(2k), after sqrt(2h/g) (1 + 2 e + ... + 2 e^(k-1) + e^k).
        double const fall = std::sqrt(2 * h / g);
        double t = fall, factor = 1;
        for (int k = 1; k <= 5; ++k) {
            factor *= e;
            t += fall * factor;
            ASSERT_TRUE(m.advance(t - w.time()));
            EXPECT_NEAR(w.position(b).y() - r, h * factor * factor, 1e-6) << e << ' ' << k;
            EXPECT_NEAR(w.twist(b).linear.y(), 0, 1e-6) << e << ' ' << k;
            t += fall * factor;
        }
    }
}
// Infinitely many hits before 1.36 s, the sum of the series; then it lies, and nothing hangs.
TEST(NonPenetrating, ZenosBallComesToRest) {
    world_type w;
    w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(0.5)});
    auto const b = w.add_solid(ball{0.1}, 1000.0, {{0, 1.1, 0}}, {.material = bouncy(0.5)});
    motion m(w);
    auto const r = m.advance(2.0);
    ASSERT_TRUE(r);
    EXPECT_LT(r.steps, 300u);
    EXPECT_GE(r.critical, 1u);
    EXPECT_NEAR(w.position(b).y(), 0.1, 1e-8);
    EXPECT_NEAR(norm(w.twist(b).linear), 0, 1e-6);
    EXPECT_GE(r.nearest, -1e-9);
    ASSERT_EQ(m.contacts().size(), 1u);
    EXPECT_NEAR(m.contacts()[0].lambda[0], w.body(b).mass * g, 1e-4);
}
// The floor leans; the block begins at rest, or is thrown up the slope.
TEST(NonPenetrating, ABlockOnAnInclineSticksOrSlides) {
    double const angle = 0.5;
    vec const normal{-std::sin(angle), std::cos(angle), 0}, down{-std::cos(angle), -std::sin(angle), 0};
    for (double const heading : {0.0, 0.7})  // of the block's edges to the slope
        for (double const mu : {0.2, 0.4, 0.7}) {
            world_type w;
            w.add(sinew::half_space<double>{.normal = normal, .offset = 0}, w.ground(), {.material = material::of(mu)});
            auto const turned = sinew::quaternion_exp(vec{0, 0, angle}) * sinew::quaternion_exp(vec{0, heading, 0});
            auto const b = w.add_solid(box{{0.3, 0.1, 0.2}}, 1000.0, {normal * 0.1, turned}, {.material = material::of(mu)});
            motion m(w);
            vec const begin = w.position(b);
            auto const r = m.advance(1.0);
            ASSERT_TRUE(r);
            double const a = std::max(0.0, g * (std::sin(angle) - mu * std::cos(angle)));
            EXPECT_NEAR(dot(w.position(b) - begin, down), a / 2, 1e-6) << mu;
            EXPECT_NEAR(dot(w.twist(b).linear, down), a, 1e-6) << mu;
            EXPECT_NEAR(norm(w.twist(b).angular), 0, 1e-6) << mu;
            EXPECT_GE(r.nearest, -1e-8);
        }
}
TEST(NonPenetrating, ABlockThrownUpTheSlopeStopsWhereItsEnergyIsSpent) {
    double const angle = 0.3, mu = 0.4, speed = 2;
    vec const normal{-std::sin(angle), std::cos(angle), 0}, down{-std::cos(angle), -std::sin(angle), 0};
    world_type w;
    w.add(sinew::half_space<double>{.normal = normal, .offset = 0}, w.ground(), {.material = material::of(mu)});
    auto const b = w.add_solid(box{{0.3, 0.1, 0.2}}, 1000.0, {normal * 0.1, sinew::quaternion_exp(vec{0, 0, angle})}, {.material = material::of(mu)}, {down * -speed, {}});
    motion m(w);
    vec const begin = w.position(b);
    ASSERT_TRUE(m.advance(2.0));
    EXPECT_NEAR(dot(begin - w.position(b), down), speed * speed / (2 * g * (std::sin(angle) + mu * std::cos(angle))), 1e-6);
    EXPECT_LT(norm(w.twist(b).linear), 1e-7);
}
TEST(NonPenetrating, AStackOfFiveRestsForTenSeconds) {
    world_type w;
    auto const stone = material::of(0.6);
    w.add(sinew::half_space<double>{}, w.ground(), {.material = stone});
    std::vector<world_type::body_handle> bodies;
    std::vector<vec> begin;
    for (int k = 0; k < 5; ++k) {
        bodies.push_back(w.add_solid(box{{0.2, 0.2, 0.2}}, 1000.0, {{0.01 * k, 0.2 + 0.4 * k, 0}}, {.material = stone}));
        begin.push_back(w.position(bodies.back()));
    }
    motion m(w);
    double nearest = 1, highest = -1e300;
    double const energy = w.energy();
    for (int k = 0; k < 20; ++k) {
        auto const r = m.advance(0.5);
        ASSERT_TRUE(r);
        nearest = std::min(nearest, r.nearest);
        highest = std::max(highest, w.energy());
    }
    EXPECT_GE(nearest, -1e-12);
    EXPECT_LE(highest, energy * (1 + 1e-6));
    for (std::size_t k = 0; k < bodies.size(); ++k) EXPECT_LT(norm(w.position(bodies[k]) - begin[k]), 1e-6) << k;
}
// A heavy press comes down on a cube and stays on it; what lies below carries both.
TEST(NonPenetrating, AHeavyPressRestsOnACube) {
    world_type w;
    w.add(sinew::half_space<double>{}, w.ground(), {.material = material::of(0.5)});
    auto const cube = w.add_solid(box{{0.2, 0.2, 0.2}}, 1000.0, {{0, 0.2, 0}}, {.material = material::of(0.5)});
    auto const press = w.add_solid(box{{0.3, 0.1, 0.3}}, 1e6, {{0, 0.8, 0}}, {.material = material::of(0.5)});
    motion m(w);
    auto const r = m.advance(2.0);
    ASSERT_TRUE(r);
    EXPECT_NEAR(w.position(cube).y(), 0.2, 1e-6);
    EXPECT_NEAR(w.position(press).y(), 0.5, 1e-6);
    EXPECT_GE(r.nearest, -1e-8);
    EXPECT_LT(norm(w.twist(cube).linear), 1e-6);
}
// Two fixed desks that come together with a cube between them: no impulse can help, so that they are stopped (Vondrak 2005, 9.1.1).
TEST(NonPenetrating, ACubeIsNotCrushedByDesksThatNothingStops) {
    world_type w;
    w.gravity = {};
    auto const cube = w.add_solid(box{{0.2, 0.2, 0.2}}, 1000.0, {{0, 0, 0}});
    std::vector<world_type::body_handle> desks;
    for (double const side : {-1.0, 1.0}) {
        desks.push_back(w.add_fixed({{0, side * 0.5, 0}}, {{0, -side * (side < 0 ? 0.2 : 0.3), 0}, {}}));
        w.add(box{{1, 0.1, 1}}, desks.back());
    }
    motion m(w);
    auto const r = m.advance(2.0);
    ASSERT_TRUE(r) << int(r.status);
    EXPECT_GE(r.stopped, 2u);
    EXPECT_GE(r.nearest, -1e-8);
    EXPECT_NEAR(w.position(desks[1]).y() - w.position(desks[0]).y(), 0.6, 1e-3);
    EXPECT_EQ(w.twist(desks[0]), sinew::twist<double>{});
    EXPECT_LT(norm(w.twist(cube).linear) + norm(w.twist(cube).angular), 1e-6);
}
// A ball between two that touch each other: they part alike, by the angle of their centres.
TEST(NonPenetrating, ABreakOfThreeBallsIsSymmetric) {
    for (double const e : {0.0, 0.7, 1.0}) {
        world_type w;
        w.gravity = {};
        double const r = 0.1, s = std::sqrt(3.0);
        std::array<world_type::body_handle, 3> b{w.add_solid(ball{r}, 1000.0, {{-1, 0, 0}}, {.material = bouncy(e)}, {{2, 0, 0}, {}}),
                                                 w.add_solid(ball{r}, 1000.0, {{0, r, 0}}, {.material = bouncy(e)}), w.add_solid(ball{r}, 1000.0, {{0, -r, 0}}, {.material = bouncy(e)})};
        double const energy = w.energy(), momentum = w.linear_momentum().x();
        motion m(w);
        ASSERT_TRUE(m.advance(1.0));
        vec const v0 = w.twist(b[0]).linear, v1 = w.twist(b[1]).linear, v2 = w.twist(b[2]).linear;
        // Along (s, 1, 0) / 2 by w: 2 (1 + e) v . n = of p (1 + 1 / ... ) in closed form: p = m (1 + e) v s/2 / (1 + 3/2), each of the two.
        double const leaves = (1 + e) * 2 * (s / 2) / 2.5;
        EXPECT_NEAR(v1.x(), leaves * s / 2, 1e-6);
        EXPECT_NEAR(v1.y(), leaves / 2, 1e-6);
        EXPECT_NEAR(v1.x(), v2.x(), 1e-9);
        EXPECT_NEAR(v1.y(), -v2.y(), 1e-9);
        EXPECT_NEAR(v0.y(), 0, 1e-9);
        EXPECT_NEAR(w.linear_momentum().x(), momentum, 1e-9);
        EXPECT_LE(w.energy(), energy * (1 + 1e-12));
    }
}
// The known indeterminacy: of balls in a row (6.44) for all at once lets the first bounce back and the others leave together, 1 -> (-1/3, 2/3, 2/3). Momentum and
// energy are kept so as well as by (0, 0, 1), which hits one after the other would give.
TEST(NonPenetrating, BallsInARowPartFromOneHitTogether) {
    world_type w;
    w.gravity = {};
    double const r = 0.1;
    std::array<world_type::body_handle, 3> b;
    for (int k = 0; k < 3; ++k) b[std::size_t(k)] = w.add_solid(ball{r}, 1000.0, {{k == 0 ? -0.5 : 2 * r * k, 0, 0}}, {.material = bouncy(1)}, {{k == 0 ? 1.0 : 0.0, 0, 0}, {}});
    motion m(w);
    ASSERT_TRUE(m.advance(1.0));
    EXPECT_NEAR(w.twist(b[0]).linear.x(), -1.0 / 3, 1e-6);
    EXPECT_NEAR(w.twist(b[1]).linear.x(), 2.0 / 3, 1e-6);
    EXPECT_NEAR(w.twist(b[2]).linear.x(), 2.0 / 3, 1e-6);
}
// What ends an advance early leaves the last good state, and another goes on from there.
TEST(NonPenetrating, ABoundOnStepsIsKeptAndNothingIsLost) {
    world_type w;
    w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(0.5)});
    auto const b = w.add_solid(ball{0.1}, 1000.0, {{0, 1.1, 0}}, {.material = bouncy(0.5)});
    motion m(w);
    m.parameters.max_steps = 3;
    int advances = 0;
    for (; w.time() < 1 && advances < 200; ++advances) {
        auto const r = m.advance(1 - w.time());
        ASSERT_TRUE(r || r.status == advance_status::too_many_steps);
        EXPECT_LE(r.steps, 3u);
        EXPECT_GT(r.advanced, 0);
    }
    EXPECT_GT(advances, 3);
    EXPECT_NEAR(w.time(), 1, 1e-12);
    EXPECT_GT(w.position(b).y(), 0.1);
    auto const before = w.position(b);
    EXPECT_THROW((void)m.advance(-1.0), std::invalid_argument);
    m.contact_shell = 0;
    EXPECT_THROW((void)m.advance(1.0), std::invalid_argument);
    EXPECT_EQ(w.position(b), before);
}
TEST(NonPenetrating, ABoxThatFallsFlatDoesNotSpin) {
    world_type w;
    w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(0.6, 0.5)});
    auto const b = w.add_solid(box{{0.3, 0.1, 0.2}}, 1000.0, {{0, 1, 0}, sinew::quaternion_exp(vec{0, 0.3, 0})}, {.material = bouncy(0.6, 0.5)});
    motion m(w);
    ASSERT_TRUE(m.advance(0.8));
    EXPECT_LT(norm(w.twist(b).angular), 1e-9);
    EXPECT_GT(w.twist(b).linear.y(), -3);
}
// Surrogate contacts: what begins inside something else gets out of it, no deeper before.
TEST(NonPenetrating, WhatBeginsEmbeddedGetsOut) {
    world_type w;
    auto const smooth = material::of(0);
    w.add(sinew::half_space<double>{}, w.ground(), {.material = smooth});
    auto const b = w.add_solid(ball{0.2}, 1000.0, {{0, 0.1, 0}}, {.material = smooth});  // half of it in the floor
    auto const a = w.add_solid(box{{0.2, 0.2, 0.2}}, 1000.0, {{1, 0.2, 0}}, {.material = smooth});
    auto const c = w.add_solid(box{{0.2, 0.2, 0.2}}, 1000.0, {{1.3, 0.2, 0}}, {.material = smooth});  // a quarter of it in the other
    motion m(w);
    double deepest = -0.1 - 1e-9;
    for (int k = 0; k < 60; ++k) {
        auto const r = m.advance(0.05);
        ASSERT_TRUE(r) << int(r.status);
        EXPECT_GE(w.position(b).y() - 0.2, deepest - 1e-8);
        deepest = std::min(0.0, w.position(b).y() - 0.2);
    }
    EXPECT_GT(w.position(b).y(), 0.2 - 1e-4);
    EXPECT_LT(w.position(b).y(), 0.21);
    EXPECT_GT(w.position(c).x() - w.position(a).x(), 0.4 - 1e-4);
    EXPECT_NEAR(w.position(a).y(), 0.2, 1e-3);
    EXPECT_LT(norm(w.twist(c).linear - w.twist(a).linear), 0.2);  // at most its size in a second
    EXPECT_LT(norm(w.twist(b).linear), 1e-5);
}
// Boxes and balls fall on each other: energy never rises, nothing overlaps, and nothing hangs.
TEST(NonPenetrating, AHeapNeitherGainsEnergyNorOverlaps) {
    world_type w;
    w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(0.4, 0.4)});
    for (int k = 0; k < 6; ++k) {
        vec const at{0.07 * k, 0.5 + 0.45 * k, 0.05 * (k % 3)};
        auto const turn = sinew::quaternion_exp(vec{0.3 * k, 0.2, 0.5 * k});
        if (k % 2 == 0)
            w.add_solid(box{{0.2, 0.1, 0.15}}, 1000.0, {at, turn}, {.material = bouncy(0.4, 0.4)});
        else
            w.add_solid(ball{0.15}, 1000.0, {at, turn}, {.material = bouncy(0.4, 0.4)});
    }
    motion m(w);
    double energy = w.energy(), nearest = 1;
    std::size_t steps = 0;
    for (int k = 0; k < 60; ++k) {
        auto const r = m.advance(0.05);
        ASSERT_TRUE(r) << int(r.status) << " at " << w.time();
        EXPECT_LE(w.energy(), energy + 1e-5 * std::abs(energy)) << w.time();
        energy = w.energy();
        nearest = std::min(nearest, r.nearest);
        steps += r.steps;
    }
    EXPECT_GE(nearest, -1e-8);
    std::printf("a heap of 6 in 3 s: %zu steps, nearest %g m\n", steps, nearest);
}
TEST(NonPenetrating, ABallRollsDownAnIncline) {
    world_type w;
    double const angle = 0.3, r = 0.2;
    vec const normal{-std::sin(angle), std::cos(angle), 0}, down{-std::cos(angle), -std::sin(angle), 0};
    w.add(sinew::half_space<double>{.normal = normal, .offset = 0}, w.ground(), {.material = material::of(1)});
    auto const b = w.add_solid(ball{r}, 1000.0, {normal * r}, {.material = material::of(1)});
    motion m(w);
    ASSERT_TRUE(m.advance(1.0));
    EXPECT_NEAR(dot(w.position(b) - normal * r, down), 5.0 / 14 * g * std::sin(angle), 1e-6);
    EXPECT_NEAR(w.twist(b).angular.z() * r, dot(w.twist(b).linear, down), 1e-6);
}

// A ball slides without friction on a fixed one, and its distance c goes by the contact's own law to `hold` = 1e-3 of the shell:
// c'' = -20 (c' - 5 (hold - c)),  r theta'' = g sin(theta) - 2 r' theta',  r = 1.25 + c.
template <class Integrator>
double error_on_a_sphere(double h) {
    constexpr double a = 0.3, r = 0.25, duration = 0.3, hold = 1e-3 * 0.1 * r;
    world_type w;
    w.add(ball{1.0}, w.ground(), {.material = material::of(0)});
    auto const b = w.add_solid(ball{r}, 1000.0, {vec{std::sin(a), std::cos(a), 0} * (1 + r + hold / 2)}, {.material = material::of(0)});
    sinew::non_penetrating<world_type, Integrator> m(w);
    m.contact_shell = 0.1;
    m.parameters = sinew::fixed_steps(h);
    auto const report = m.advance(duration);
    EXPECT_TRUE(report);
    EXPECT_EQ(report.trials, 0u);

    std::array<double, 4> y{hold / 2, 0, a, 0};  // c, c', theta, theta'
    auto const f = [&](std::array<double, 4> const& x) {
        return std::array<double, 4>{x[1], -20 * (x[1] - 5 * (hold - x[0])), x[3], (g * std::sin(x[2]) - 2 * x[1] * x[3]) / (1 + r + x[0])};
    };
    constexpr int n = 3000;
    constexpr double d = duration / n;
    auto const along = [](std::array<double, 4> x, std::array<double, 4> const& k, double s) {
        for (std::size_t i = 0; i < 4; ++i) x[i] += s * k[i];
        return x;
    };
    for (int i = 0; i < n; ++i) {
        auto const k1 = f(y), k2 = f(along(y, k1, d / 2)), k3 = f(along(y, k2, d / 2)), k4 = f(along(y, k3, d));
        for (std::size_t j = 0; j < 4; ++j) y[j] += d / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    }
    return norm(w.position(b) - vec{std::sin(y[2]), std::cos(y[2]), 0} * (1 + r + y[0]));
}
TEST(NonPenetrating, BetweenHitsTheOrderIsThatOfTheIntegrator) {
    double const slow4 = error_on_a_sphere<sinew::rk4>(0.005), fast4 = error_on_a_sphere<sinew::rk4>(0.0025);
    EXPECT_NEAR(std::log2(slow4 / fast4), 4, 0.2) << slow4 << ' ' << fast4;
    double const slow5 = error_on_a_sphere<sinew::dormand_prince_54>(0.02), fast5 = error_on_a_sphere<sinew::dormand_prince_54>(0.01);
    EXPECT_NEAR(std::log2(slow5 / fast5), 5, 0.2) << slow5 << ' ' << fast5;
}

// A ball without friction slides down another one that is fixed, and leaves it where cos = 2/3 (from the top at rest).
TEST(NonPenetrating, ABallLeavesASphereAtTwoThirds) {
    world_type w;
    auto const smooth = material::of(0);
    w.add(ball{1.0}, w.ground(), {.material = smooth});
    double const r = 0.25, a = 0.2, reach = 1 + r;
    auto const b = w.add_solid(ball{r}, 1000.0, {vec{std::sin(a), std::cos(a), 0} * reach}, {.material = smooth});
    motion m(w);
    double left_at = 2;
    for (int k = 0; k < 2000 && left_at == 2; ++k) {
        ASSERT_TRUE(m.advance(0.001));
        if (m.contacts().empty() || m.contacts()[0].lambda[0] == 0) left_at = normalize(w.position(b)).y();
    }
    EXPECT_NEAR(left_at, 2.0 / 3 * std::cos(a), 2e-3);
}

}  // namespace
