// Composed shapes: their parts' manifolds, and surfaces of triangles over whose inner edges nothing stumbles.

#include <sinew/collision/cast.hpp>
#include <sinew/collision/time_of_impact.hpp>
#include <sinew/constraint/random_state.hpp>
#include <sinew/geometry/compound.hpp>
#include <sinew/geometry/cylinder.hpp>
#include <sinew/geometry/height_field.hpp>
#include <sinew/geometry/hull.hpp>
#include <sinew/geometry/triangle_mesh.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace {

using namespace sinew;

template <class S>
struct touch {
    manifold<S> m;
    std::uint32_t part_a, part_b;
};
template <class S, class A, class B>
std::vector<touch<S>> touches(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, S margin) {
    std::vector<touch<S>> all;
    for_each_manifold(a, fa, b, fb, margin, [&](manifold<S> const& m, std::uint32_t i, std::uint32_t j) { all.push_back({m, i, j}); });
    return all;
}

/// A plane y = 0 of n x n squares of a metre, two triangles each, about the origin.
template <class S>
triangle_mesh<S> plane(int n) {
    std::vector<vec3<S>> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) points.push_back({S(i) - S(n) / 2, S(0), S(j) - S(n) / 2});
    auto const at = [&](int i, int j) { return static_cast<std::uint32_t>(i * (n + 1) + j); };
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
        }
    return mesh_of(points, triangles);
}

template <class S>
class composed : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(composed, scalars);

TYPED_TEST(composed, shapes_that_are_not_have_one_part) {
    using S = TypeParam;
    frame<S> above;
    above.position = {0, S(0.99), 0};
    box<S> const cube{{S(0.5), S(0.5), S(0.5)}};
    auto const all = touches(cube, frame<S>{}, cube, above, S(0.02));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].m, collide(cube, frame<S>{}, cube, above, S(0.02)));
    EXPECT_EQ(all[0].part_a + all[0].part_b, 0u);
    above.position[1] = 2;
    EXPECT_TRUE(touches(cube, frame<S>{}, cube, above, S(0.02)).empty());
}

TYPED_TEST(composed, inner_edges_of_a_plane_make_no_bumps) {
    // Whatever lies, rolls or slides on a plane of triangles has contacts straight up, as deep as on a half space, wherever it is.
    using S = TypeParam;
    auto const ground = plane<S>(6);
    ASSERT_EQ(ground.fault().name, nullptr);
    splitmix64 random{1};
    std::vector<vec3<S>> corners;
    for (int i = 0; i < 12; ++i) corners.push_back(random_vector<S, 3>(random, S(0.5)));
    auto const check = [&](auto const& shape) {
        for (int i = 0; i < 1000; ++i) {
            frame<S> f{{random_number(random, S(-1.5), S(1.5)), S(0), random_number(random, S(-1.5), S(1.5))}, random_rotation<rotation_matrix<S>>(random)};
            if (i % 3 == 0) f.rotation = {};  // edges along the squares' edges
            if (i % 6 == 0) f.position = {std::round(f.position[0]), S(0), std::round(f.position[2])};
            S const depth = random_number(random, S(0), S(0.05));
            f.position[1] = -bounds_of<S>(shape, f).lower[1] - depth;
            auto const all = touches(ground, frame<S>{}, shape, f, S(0.01));
            ASSERT_FALSE(all.empty()) << i;
            S least = 1;
            for (auto const& t : all) {
                EXPECT_GT(t.m.normal[1], S(0.9999)) << i << ": " << t.m.normal[0] << ' ' << t.m.normal[1] << ' ' << t.m.normal[2];
                for (auto const& p : t.m.points) {
                    least = std::min(least, p.distance);
                    EXPECT_NEAR(p.on_a[1], 0, 1e-3) << i;
                }
            }
            EXPECT_NEAR(least, -depth, 2e-3) << i;
        }
    };
    check(sphere<S>{S(0.3)});
    check(capsule<S>{S(0.2), S(0.4)});
    check(box<S>{{S(0.4), S(0.3), S(0.2)}});
    check(cylinder<S>{S(0.3), S(0.2)});
    check(convex_hull(corners));
}

TYPED_TEST(composed, manifolds_with_exchanged_shapes_are_flipped) {
    using S = TypeParam;
    auto const ground = plane<S>(4);
    frame<S> f;
    f.position = {S(0.3), S(0.29), S(0.1)};
    box<S> const brick{{S(0.4), S(0.3), S(0.2)}};
    auto const ab = touches(ground, frame<S>{}, brick, f, S(0.02)), ba = touches(brick, f, ground, frame<S>{}, S(0.02));
    ASSERT_EQ(ab.size(), ba.size());
    for (std::size_t i = 0; i < ab.size(); ++i) {
        EXPECT_EQ(ab[i].part_a, ba[i].part_b);
        ASSERT_EQ(ab[i].m.points.size(), ba[i].m.points.size());
        EXPECT_LT(norm(ab[i].m.normal + ba[i].m.normal), S(1e-5));
    }
}

TYPED_TEST(composed, compounds_touch_with_each_part) {
    using S = TypeParam;
    // A dumbbell on a table, and on another dumbbell crosswise.
    frame<S> left, right;
    left.position = {S(-0.5), 0, 0};
    right.position = {S(0.5), 0, 0};
    compound<sphere<S>, sphere<S>> const bell{placed{sphere<S>{S(0.2)}, left}, placed{sphere<S>{S(0.2)}, right}};
    box<S> const table{{S(2), S(0.5), S(2)}};
    frame<S> on;
    on.position = {0, S(0.69), 0};
    auto const all = touches(table, frame<S>{}, bell, on, S(0.02));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].part_b + all[1].part_b, 1u);
    for (auto const& t : all) {
        EXPECT_NEAR(t.m.points[0].distance, -0.01, 1e-6);
        EXPECT_NEAR(std::abs(t.m.points[0].on_a[0]), 0.5, 1e-6);
    }
    auto const c = closest_points(bell, on, table, frame<S>{});
    EXPECT_NEAR(c.distance, -0.01, 1e-6);
    EXPECT_TRUE(overlaps(bell, on, table, frame<S>{}));
    frame<S> high = on;
    high.position[1] = S(1.5);
    EXPECT_FALSE(overlaps(bell, high, table, frame<S>{}));
    EXPECT_NEAR(closest_points(bell, high, table, frame<S>{}).distance, 0.8, 1e-6);
    EXPECT_EQ(closest_points(bell, high, table, frame<S>{}, S(0.5)).distance, infinity_v<S>);
    auto const hit = shape_cast(bell, high, {0, S(-1.6), 0}, table, frame<S>{});
    ASSERT_TRUE(hit.hit);
    EXPECT_NEAR(hit.fraction, 0.5, 1e-4);
    EXPECT_NEAR(hit.normal[1], 1, 1e-6);
    EXPECT_TRUE(touches(bell, on, bell, on, S(0)).size() >= 2u);
}

TYPED_TEST(composed, surfaces_stop_fast_bodies) {
    using S = TypeParam;
    auto const ground = plane<S>(8);
    splitmix64 random{2};
    for (int i = 0; i < 200; ++i) {
        motion<S> fall;
        fall.start.position = {random_number(random, S(-2), S(2)), S(5), random_number(random, S(-2), S(2))};
        fall.center = fall.start.position;
        fall.translation = {random_number(random, S(-1), S(1)), S(-10), random_number(random, S(-1), S(1))};
        fall.rotation = random_vector<S, 3>(random, S(1));
        box<S> const brick{{S(0.1), S(0.05), S(0.02)}};
        auto const hit = time_of_impact(brick, fall, ground, at_rest(frame<S>{}), S(0.01), S(0.002));
        ASSERT_EQ(hit.what, impact<S>::status::hit);
        EXPECT_GT(fall.at(hit.fraction).position[1], 0);
        EXPECT_LT(fall.at(hit.fraction).position[1], S(0.13));
        auto const swept_hit = shape_cast(brick, fall.start, fall.translation, ground, frame<S>{});
        ASSERT_TRUE(swept_hit.hit);
        EXPECT_NEAR(swept_hit.normal[1], 1, 1e-3);
        auto const seen = cast(ray_between(fall.start.position, fall.start.position + fall.translation), ground, frame<S>{});
        ASSERT_TRUE(seen.hit);
        EXPECT_NEAR(seen.point[1], 0, 1e-5);
    }
}

TYPED_TEST(composed, hills_push_up_what_has_sunk_in) {
    using S = TypeParam;
    std::vector<S> heights;
    for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 9; ++j) heights.push_back(S(0.1) * std::sin(S(i)) * std::cos(S(j)));
    auto const hills = height_field_of(heights, 9, vec<S, 2>{S(1), S(1)});
    ASSERT_EQ(hills.fault().name, nullptr);
    splitmix64 random{3};
    auto const box_of_hills = bounds_of<S>(hills, frame<S>{});
    vec3<S> const middle = (box_of_hills.lower + box_of_hills.upper) / 2;
    for (int i = 0; i < 300; ++i) {
        sphere<S> const ball{S(0.3)};
        vec3<S> const over{middle[0] + random_number(random, S(-2), S(2)), S(5), middle[2] + random_number(random, S(-2), S(2))};
        auto const below = cast(ray_along(over, vec3<S>{0, -1, 0}), hills, frame<S>{});
        ASSERT_TRUE(below.hit);
        frame<S> f;
        f.position = below.point + vec3<S>{0, random_number(random, S(0.1), S(0.25)), 0};
        auto const all = touches(hills, frame<S>{}, ball, f, S(0.02));
        ASSERT_FALSE(all.empty());
        // The hills are nowhere steeper than a tenth: the deepest contact is that of a face.
        auto const deepest = *std::min_element(all.begin(), all.end(), [](auto const& a, auto const& b) { return b.m.points[0].distance > a.m.points[0].distance; });
        EXPECT_GT(deepest.m.normal[1], S(0.98)) << i;
        for (auto const& t : all) EXPECT_GT(t.m.normal[1], S(0)) << i;
    }
}

}  // namespace
