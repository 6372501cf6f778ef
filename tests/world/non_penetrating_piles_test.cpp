// Many contacts at rest where no position may be edited: steps are as long as accuracy asks, whatever the size of the bodies.
#include <world/non_penetrating_scene.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace sinew_test;

using world_type = moving_world<>;
using motion = sinew::non_penetrating<world_type>;

// Rows of 4, 3, 2 and 1 boxes; their sides touch if pitch is twice the half edge of 0.2 m.
void expect_pyramid_stands(double pitch) {
    world_type w;
    auto const stone = material::of(0.6);
    w.add(sinew::half_space<double>{}, w.ground(), {.material = stone});
    std::vector<world_type::body_handle> bodies;
    std::vector<vec> begin;
    for (int row = 0; row < 4; ++row)
        for (int k = 0; k < 4 - row; ++k) {
            begin.push_back({pitch * (k - (3 - row) / 2.0), 0.2 + 0.4 * row, 0});
            bodies.push_back(w.add_solid(box{{0.2, 0.2, 0.2}}, 1000.0, {begin.back()}, {.material = stone}));
        }
    motion m(w);
    auto const report = m.advance(1.0);
    ASSERT_TRUE(report);
    // Nothing moves: steps grow to max_step, 1 / 0.05 of them. Eight evaluations are one more than the stages.
    EXPECT_LT(report.steps, 40u) << pitch;
    EXPECT_LT(report.evaluations, 40u * 8) << pitch;
    EXPECT_EQ(report.hits, 0u) << pitch;
    EXPECT_GE(report.nearest, -1e-12) << pitch;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        EXPECT_LT(norm(w.position(bodies[k]) - begin[k]), 1e-6) << pitch << ' ' << k;
        EXPECT_LT(norm(w.twist(bodies[k]).linear), 1e-6) << pitch << ' ' << k;
    }
}
TEST(NonPenetratingPiles, APyramidStandsInLongSteps) { expect_pyramid_stands(0.45); }
TEST(NonPenetratingPiles, SoItDoesWhenSidesTouch) { expect_pyramid_stands(0.4); }
// Its contacts lead it to where they hold it, 1e-7 of its size away, within the same 1e-9 m: the greatest needs the most steps for it.
TEST(NonPenetratingPiles, ABoxOfAnySizeLies) {
    for (double const half : {1e4, 1e2, 1.0, 1e-2, 1e-3}) {
        world_type w;
        auto const stone = material::of(0.6);
        w.add(sinew::half_space<double>{}, w.ground(), {.material = stone});
        auto const b = w.add_solid(box{{half, half, half}}, 1000.0, {{0, half, 0}}, {.material = stone});
        motion m(w);
        auto const report = m.advance(1.0);
        ASSERT_TRUE(report) << half << ' ' << int(report.status);
        EXPECT_LT(report.steps, 60u) << half;
        EXPECT_EQ(report.hits, 0u) << half;
        EXPECT_LT(norm(w.position(b) - vec{0, half, 0}), 1e-6 * half) << half;
        EXPECT_GE(report.nearest, -1e-12 * half) << half;
    }
}
// Each that falls leans on the next in the end: edges on faces, faces that turn on faces, and points of faces that hardly slide.
TEST(NonPenetratingPiles, DominoesFallAndLieStill) {
    world_type w;
    auto const stone = material::of(0.6);
    w.add(sinew::half_space<double>{}, w.ground(), {.material = stone});
    std::vector<world_type::body_handle> row;
    constexpr double width = 0.05, height = 0.5;  // halves, m
    for (int k = 0; k < 6; ++k)
        row.push_back(w.add_solid(box{{width, height, 0.25}}, 1000.0, {{0.4 * k, height, 0}}, {.material = stone},
                                  k == 0 ? sinew::twist<double>{{1.5 * height, 0, 0}, {0, 0, -1.5}} : sinew::twist<double>{}));
    motion m(w);
    double energy = w.energy();
    for (int k = 0; k < 30; ++k) {
        auto const report = m.advance(0.1);
        ASSERT_TRUE(report) << int(report.status) << " at " << w.time();
        EXPECT_EQ(report.stopped, 0u) << w.time();
        EXPECT_GE(report.nearest, -1e-8 * width) << w.time();  // half of what counts as touching
        EXPECT_LE(w.energy(), energy + 1e-5 * energy) << w.time();
        energy = w.energy();
    }
    for (std::size_t k = 0; k < row.size(); ++k) {
        EXPECT_LT(norm(w.twist(row[k]).linear), 1e-6) << k;
        EXPECT_LT(norm(w.twist(row[k]).angular), 1e-6) << k;
        EXPECT_GT(std::abs(rotate(w.pose(row[k]).rotation, vec{0, 1, 0}).x()), 0.8) << k;  // none stands
    }
}

}  // namespace
