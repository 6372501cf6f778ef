// What a hit may do to energy where no position may be edited: with restitution 1 only friction takes any, within Coulomb's bound, and nothing ever adds any.
#include <world/non_penetrating_scene.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using namespace sinew_test;

using world_type = moving_world<>;
using motion = sinew::non_penetrating<world_type>;

TEST(NonPenetratingHits, ATumblingBoxKeepsItsEnergyWithoutFriction) {
    world_type w;
    w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(1)});
    w.add_solid(box{{0.3, 0.1, 0.2}}, 1000.0, {{0, 1, 0}, sinew::quaternion_exp(vec{0.3, 0.2, 0.5})}, {.material = bouncy(1)}, {{}, {1, 2, 3}});
    motion m(w);
    double const energy = w.energy();
    std::size_t hits = 0;
    for (int k = 0; k < 30; ++k) {
        auto const report = m.advance(1.0);
        ASSERT_TRUE(report);
        hits += report.hits;
        // Each step may err by 1e-9 of its momenta, and there are some 5000.
        EXPECT_NEAR(w.energy(), energy, 1e-6 * energy) << w.time();
    }
    EXPECT_GT(hits, 50u);
}
// A corner that hits: P of the whole body is P of the corner, and the energy changes by P . (u before + u after) / 2.
TEST(NonPenetratingHits, OnlyFrictionTakesEnergy) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    auto const any = [&] { return vec{uniform(random), uniform(random), uniform(random)}; };
    vec const half{0.3, 0.1, 0.2};
    int rubbed = 0;
    for (double const mu : {0.1, 0.3, 0.6, 1.0})
        for (int k = 0; k < 60; ++k) {
            world_type w;
            w.gravity = {};
            w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(1, mu)});
            auto const turned = sinew::quaternion_exp(any() * 2);
            vec r{1e9, 1e9, 1e9};
            double next = 1e9;  // height of the second lowest corner
            for (int c = 0; c < 8; ++c) {
                vec const q = rotate(turned, vec{c & 1 ? 0.3 : -0.3, c & 2 ? 0.1 : -0.1, c & 4 ? 0.2 : -0.2});
                next = std::min(next, std::max(q.y(), r.y()));
                if (q.y() < r.y()) r = q;
            }
            sinew::twist<double> const before{any() + vec{0, -2, 0}, any() * 3};
            vec const u0 = before.linear + cross(before.angular, r);
            if (u0.y() > -0.1 || next < r.y() + 1e-3) continue;  // one corner alone
            auto const b = w.add_solid(box{half}, 1000.0, {{0, 1e-9 - r.y(), 0}, turned}, {.material = bouncy(1, mu)}, before);
            double const energy = w.energy();
            motion m(w);
            auto const report = m.advance(1e-7);
            ASSERT_TRUE(report);
            ASSERT_EQ(report.hits, 1u);
            double const change = w.energy() - energy;
            vec const P = (w.twist(b).linear - before.linear) * w.body(b).mass, u1 = w.twist(b).linear + cross(w.twist(b).angular, r);
            vec const rub{P.x(), 0, P.z()}, mean = (u0 + u1) * 0.5;
            double const friction = dot(rub, mean);
            EXPECT_NEAR(change, dot(P, mean), 1e-5 * energy) << mu << ' ' << k;
            EXPECT_LE(change, 1e-8 * energy) << mu << ' ' << k;
            EXPECT_GE(change, std::min(friction, 0.0) - 1e-5 * energy) << mu << ' ' << k;
            // Of the pyramid, whose corner lies across its sides.
            EXPECT_LE(norm(rub), std::sqrt(2.0) * mu * P.y() * (1 + 1e-3)) << mu << ' ' << k;
            rubbed += friction < -1e-3 * energy;
        }
    EXPECT_GT(rubbed, 50);
}
// Two corners at once: what they give together obeys Newton's law and Coulomb's, mu of the push that there is and not of one without friction.
TEST(NonPenetratingHits, AnEdgeRubsAsHardAsItIsPushed) {
    int slid = 0, stuck = 0;
    for (double const half : {0.1, 0.5})
        for (double const e : {0.0, 0.5})
            for (double const mu : {0.1, 0.3, 0.6, 1.0})
                for (double const along : {0.3, 3.0}) {
                    world_type w;
                    w.gravity = {};
                    w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(e, mu)});
                    auto const turned = sinew::quaternion_exp(vec{0, 0, 0.3});
                    vec const r = rotate(turned, vec{-0.3, -half, 0});
                    auto const b = w.add_solid(box{{0.3, half, 0.2}}, 1000.0, {{0, 1e-9 - r.y(), 0}, turned}, {.material = bouncy(e, mu)}, {{along, -2, 0}, {}});
                    motion m(w);
                    auto const report = m.advance(1e-7);
                    ASSERT_TRUE(report);
                    ASSERT_EQ(report.hits, 1u);
                    vec const v = w.twist(b).linear, P = (v - vec{along, -2, 0}) * w.body(b).mass, u = v + cross(w.twist(b).angular, r);
                    EXPECT_NEAR(u.y(), 2 * e, 1e-5) << half << ' ' << e << ' ' << mu << ' ' << along;
                    EXPECT_LE(std::abs(P.x()), mu * P.y() * (1 + 1e-5)) << half << ' ' << e << ' ' << mu << ' ' << along;
                    bool const slides = std::abs(u.x()) > 1e-4;
                    if (slides) {
                        EXPECT_NEAR(P.x(), -mu * P.y() * (u.x() > 0 ? 1 : -1), 1e-5 * P.y()) << half << ' ' << e << ' ' << mu << ' ' << along;
                    }
                    ++(slides ? slid : stuck);
                }
    EXPECT_GT(slid, 10);
    EXPECT_GT(stuck, 10);
}
TEST(NonPenetratingHits, NothingAddsEnergyToATumblingBoxWithFriction) {
    for (double const mu : {0.2, 0.5}) {
        world_type w;
        w.add(sinew::half_space<double>{}, w.ground(), {.material = bouncy(1, mu)});
        w.add_solid(box{{0.3, 0.1, 0.2}}, 1000.0, {{0, 1, 0}, sinew::quaternion_exp(vec{0.3, 0.2, 0.5})}, {.material = bouncy(1, mu)}, {{}, {1, 2, 3}});
        motion m(w);
        double energy = w.energy();
        for (int k = 0; k < 100; ++k) {
            ASSERT_TRUE(m.advance(0.05));
            EXPECT_LE(w.energy(), energy * (1 + 1e-7)) << w.time();
            energy = w.energy();
        }
    }
}

}  // namespace
