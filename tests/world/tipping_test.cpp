// What stands on an incline tips where its weight passes the edge of what it stands on, and not before: however many corners it has, and wherever they are.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using sinew::vec3;
using world = sinew::world<sinew::default_config, sinew::half_space, sinew::box, sinew::convex_polytope, sinew::cylinder>;

constexpr float dt = 1.0f / 60, g = 9.81f, r = 0.3f, half = 0.6f, pi = 3.14159265f;

world::options_type rough(float mu) { return {.material = sinew::material<float>::of(mu)}; }
sinew::quaternion<float> about_y(float angle) { return sinew::turned(sinew::quaternion<float>::identity(), {0, angle, 0}); }

enum class ground { half_space, box };
void lay(world& w, ground on, float mu) {
    auto o = rough(mu);
    if (on == ground::half_space) {
        w.add(sinew::half_space<float>{}, w.ground(), o);
    } else {
        o.frame = {{0, -0.5f, 0}, {}};
        w.add(sinew::box<float>{{20, 0.5f, 20}}, w.ground(), o);
    }
}

sinew::convex_polytope<float> prism(int sides, float height) {
    std::vector<vec3<float>> corners;
    for (int k = 0; k < sides; ++k) {
        float const a = 2 * pi * (float(k) + 0.5f) / float(sides);
        for (float const y : {-height / 2, height / 2}) corners.push_back({r * std::cos(a), y, r * std::sin(a)});
    }
    return sinew::convex_hull(corners);
}
// How far it is from the middle to the edge, along x, of a prism that is turned about its axis.
float way_to_edge(int sides, float heading) {
    float least = 1e9f;
    for (int k = 0; k < sides; ++k) {
        float const out = std::cos(2 * pi * float(k + 1) / float(sides) - heading);
        if (out > 1e-3f) least = std::min(least, r * std::cos(pi / float(sides)) / out);
    }
    return least;
}
// Whether it still stands after four seconds, down an incline that falls by `slope` along x. No friction lets it slide.
template <class Shape>
bool stands(Shape const& shape, ground on, float heading, float slope) {
    world w;
    float const angle = std::atan(slope);
    w.gravity = {g * std::sin(angle), -g * std::cos(angle), 0};
    lay(w, on, 3);
    auto const b = w.add_solid(shape, 1000.0f, {{0, half, 0}, about_y(heading)}, rough(3));
    for (int i = 0; i < 240; ++i) EXPECT_TRUE(w.step(dt));
    return w.pose(b).direction(vec3<float>{0, 1, 0}).y() > 0.99f;
}

TEST(tipping, prisms_stand_up_to_where_their_weight_passes_their_edge) {
    for (ground const on : {ground::half_space, ground::box})
        for (int const sides : {3, 4, 5, 6, 7, 8, 12, 16})
            for (float const heading : {0.0f, 0.13f, 0.3f, 0.55f, 0.9f}) {
                SCOPED_TRACE(testing::Message() << sides << " sides, turned by " << heading << (on == ground::box ? ", on a box" : ""));
                auto const shape = prism(sides, 2 * half);
                float const tips = way_to_edge(sides, heading) / half;
                EXPECT_TRUE(stands(shape, on, heading, 0.98f * tips));
                EXPECT_FALSE(stands(shape, on, heading, 1.01f * tips));
            }
}

TEST(tipping, cylinders_stand_up_to_where_their_weight_passes_their_rim) {
    for (ground const on : {ground::half_space, ground::box})
        for (float const heading : {0.0f, 0.13f, 0.3f, 0.55f, 0.9f, 1.3f}) {
            SCOPED_TRACE(testing::Message() << "turned by " << heading << (on == ground::box ? ", on a box" : ""));
            sinew::cylinder<float> const shape{r, half};
            EXPECT_TRUE(stands(shape, on, heading, 0.97f * r / half));
            EXPECT_FALSE(stands(shape, on, heading, 1.01f * r / half));
        }
}

// What slides presses ahead of its middle by friction times half its height: here nearly as far as its edge is.
TEST(tipping, prisms_that_slide_near_tipping_do_not_stumble) {
    float const mu = 0.5f, slope = std::atan(mu) + 0.25f, seconds = 2;
    float const pull = g * (std::sin(slope) - mu * std::cos(slope));
    for (ground const on : {ground::half_space, ground::box})
        for (int const sides : {5, 6, 8, 12})
            for (int turn = 0; turn < 4; ++turn) {
                SCOPED_TRACE(testing::Message() << sides << " sides, turned by " << 0.3 * turn << (on == ground::box ? ", on a box" : ""));
                float const high = 0.95f * r * std::cos(pi / float(sides)) / mu;
                world w;
                w.gravity = {g * std::sin(slope), -g * std::cos(slope), 0};
                lay(w, on, mu);
                auto const b = w.add_solid(prism(sides, 2 * high), 1000.0f, {{-6, high, 0}, about_y(0.3f * float(turn))}, rough(mu));
                for (int i = 0; i < int(seconds * 60); ++i) ASSERT_TRUE(w.step(dt));
                float const speed = pull * seconds, way = speed * seconds / 2;
                EXPECT_NEAR(w.twist(b).linear.x(), speed, 0.005f * speed);
                EXPECT_NEAR(w.position(b).x() + 6, way, 0.005f * way);
                EXPECT_GT(w.pose(b).direction(vec3<float>{0, 1, 0}).y(), 1 - 1e-3f);
            }
}

// 60 s near tipping, and it has gone nowhere.
TEST(tipping, what_leans_on_its_edge_does_not_creep) {
    for (int const sides : {6, 8}) {
        world w;
        float const slope = 0.9f * way_to_edge(sides, 0.3f) / half, angle = std::atan(slope);
        w.gravity = {g * std::sin(angle), -g * std::cos(angle), 0};
        lay(w, ground::half_space, 1.1f * slope);
        auto const b = w.add_solid(prism(sides, 2 * half), 1000.0f, {{0, half, 0}, about_y(0.3f)}, rough(1.1f * slope));
        for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(dt));
        auto const before = w.position(b);
        for (int i = 0; i < 3540; ++i) ASSERT_TRUE(w.step(dt));
        EXPECT_LT(norm(w.position(b) - before), 1e-4f) << sides;
    }
}

}  // namespace
