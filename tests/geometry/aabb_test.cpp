// Boxes along the axes, frames, and rays through boxes.

#include "shape_laws.hpp"

#include <sinew/geometry/aabb.hpp>
#include <sinew/geometry/ray.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace {

using namespace sinew;
using shape_laws::dice;
using shape_laws::rounding;

template <class S>
class aabb_of : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(aabb_of, scalars);

template <class S>
aabb<S> around(vec3<S> const& a, vec3<S> const& b) {
    return merged(aabb<S>{a, a}, b);
}

TYPED_TEST(aabb_of, overlap_is_a_common_point) {
    using S = TypeParam;
    dice<S> random(5);
    int yes = 0;
    for (int i = 0; i < 2000; ++i) {
        auto const a = around(random.point(S(1)), random.point(S(1))), b = around(random.point(S(1)), random.point(S(1)));
        // The common part, if there is one, is the box between the larger lower and the smaller upper corner.
        aabb<S> common{};
        for (std::size_t k = 0; k < 3; ++k) {
            common.lower[k] = std::max(a.lower[k], b.lower[k]);
            common.upper[k] = std::min(a.upper[k], b.upper[k]);
        }
        EXPECT_EQ(overlaps(a, b), !is_empty(common));
        EXPECT_EQ(overlaps(a, b), overlaps(b, a));
        yes += overlaps(a, b);
        EXPECT_TRUE(contains(merged(a, b), a) && contains(merged(a, b), b));
        EXPECT_EQ(merged(a, b), merged(b, a));
        EXPECT_EQ(contains(a, b), merged(a, b) == a);
        EXPECT_TRUE(contains(grown(a, S(0.1)), a));
        EXPECT_GE(surface_area(merged(a, b)), std::max(surface_area(a), surface_area(b)));
    }
    EXPECT_GT(yes, 200);
    // Touching counts.
    EXPECT_TRUE(overlaps(aabb<S>{{S(0), S(0), S(0)}, {S(1), S(1), S(1)}}, aabb<S>{{S(1), S(1), S(1)}, {S(2), S(2), S(2)}}));
}

TYPED_TEST(aabb_of, the_empty_and_the_unbounded) {
    using S = TypeParam;
    auto const none = empty_aabb<S>(), all = unbounded_aabb<S>();
    aabb<S> const b{{S(0), S(0), S(0)}, {S(1), S(2), S(3)}};
    EXPECT_TRUE(is_empty(none) && !is_empty(all) && !is_empty(b));
    EXPECT_TRUE(is_bounded(b) && !is_bounded(all) && !is_bounded(none));
    EXPECT_EQ(merged(none, b), b);
    EXPECT_EQ(merged(all, b), all);
    EXPECT_FALSE(overlaps(none, b) || overlaps(none, none));
    EXPECT_TRUE(overlaps(all, b));
    EXPECT_EQ(surface_area(none), S(0));
    EXPECT_EQ(surface_area(b), S(22));
    EXPECT_EQ(center(b), (vec3<S>{S(0.5), S(1), S(1.5)}));
    EXPECT_EQ(half_extents(b), (vec3<S>{S(0.5), S(1), S(1.5)}));
    EXPECT_EQ(swept(b, vec3<S>{S(-1), S(0), S(4)}), (aabb<S>{{S(-1), S(0), S(0)}, {S(1), S(2), S(7)}}));
    aabb<S> nan = b;
    nan.upper[1] = std::numeric_limits<S>::quiet_NaN();
    EXPECT_TRUE(is_empty(nan));
    EXPECT_FALSE(overlaps(nan, all));
    // Turned, an unbounded box stays unbounded and the empty one empty, without a NaN.
    dice<S> random(6);
    for (frame<S> const& f : {frame<S>{}, random.place(S(1))}) {
        EXPECT_EQ(transformed(all, f), all);
        EXPECT_EQ(transformed(none, f), none);
    }
    aabb<S> floor = all;
    floor.upper[1] = S(2);
    EXPECT_EQ(transformed(floor, frame<S>{{S(5), S(5), S(5)}, {}}).upper, (vec3<S>{infinity_v<S>, S(7), infinity_v<S>}));
}

TYPED_TEST(aabb_of, a_turned_box_holds_its_corners_and_touches_them) {
    using S = TypeParam;
    dice<S> random(7);
    for (int i = 0; i < 200; ++i) {
        auto const b = around(random.point(S(1)), random.point(S(1)));
        frame<S> const f = random.place(S(2));
        aabb<S> tight = empty_aabb<S>();
        for (int c = 0; c < 8; ++c)
            tight = merged(tight, f.point(vec3<S>{c & 1 ? b.upper[0] : b.lower[0], c & 2 ? b.upper[1] : b.lower[1], c & 4 ? b.upper[2] : b.lower[2]}));
        auto const t = transformed(b, f);
        EXPECT_LT(norm(t.lower - tight.lower) + norm(t.upper - tight.upper), rounding(S(4)));
    }
}

TYPED_TEST(aabb_of, a_relative_frame_leads_from_one_to_the_other) {
    using S = TypeParam;
    dice<S> random(8);
    for (int i = 0; i < 50; ++i) {
        frame<S> const a = random.place(S(3)), b = random.place(S(3));
        frame<S> const between = relative(a, b);
        vec3<S> const p = random.point(S(1));
        EXPECT_LT(norm(a.point(between.point(p)) - b.point(p)), rounding(S(4)));
        pose<S, quaternion<S>> const turned{b.position, to_quaternion(b.rotation)};
        EXPECT_LT(norm(frame_of(turned).point(p) - b.point(p)), rounding(S(4)));
    }
}

TYPED_TEST(aabb_of, the_part_of_a_ray_inside) {
    using S = TypeParam;
    dice<S> random(9);
    int hits = 0;
    for (int i = 0; i < 10000; ++i) {
        auto const b = around(random.point(S(1)), random.point(S(1)));
        auto const r = ray_along(random.point(S(2)), random.telling_direction(), random.real(S(0.1), S(5)));
        auto const s = span_inside(r, b);
        for (int k = 0; k < 20; ++k) {
            S const t = random.real(S(0), r.length);
            if (!s.empty() && t > s.enters + rounding(S(8)) && t < s.leaves - rounding(S(8))) {
                EXPECT_TRUE(contains(grown(b, rounding(S(8))), r.at(t)));
            }
            if (s.empty() || t < s.enters - rounding(S(8)) || t > s.leaves + rounding(S(8))) {
                EXPECT_FALSE(contains(grown(b, -rounding(S(8))), r.at(t)));
            }
        }
        hits += !s.empty();
    }
    EXPECT_GT(hits, 100);
    // Within a face.
    aabb<S> const b{{S(0), S(0), S(0)}, {S(1), S(1), S(1)}};
    EXPECT_FALSE(span_inside(ray<S>{{S(-1), S(1), S(0)}, {S(1), S(0), S(0)}}, b).empty());
    EXPECT_TRUE(span_inside(ray<S>{{S(-1), S(2), S(0)}, {S(1), S(0), S(0)}}, b).empty());
    EXPECT_FALSE(span_inside(ray<S>{{S(-1), S(2), S(0)}, {S(1), S(0), S(0)}}, unbounded_aabb<S>()).empty());
}

TYPED_TEST(aabb_of, rays_in_frames) {
    using S = TypeParam;
    dice<S> random(10);
    for (int i = 0; i < 50; ++i) {
        frame<S> const f = random.place(S(3));
        auto const r = ray_between(random.point(S(3)), random.point(S(3)));
        auto const local = local_ray(f, r);
        S const t = r.length / S(3);
        EXPECT_LT(norm(f.point(local.at(t)) - r.at(t)), rounding(S(8)));
        auto const back = world_hit(f, ray_hit<S>{true, t, local.at(t), local.direction});
        EXPECT_LT(norm(back.point - r.at(t)) + norm(back.normal - r.direction), rounding(S(8)));
        EXPECT_TRUE(back);
    }
    EXPECT_EQ(ray_between(vec3<S>{S(1), S(0), S(0)}, vec3<S>{S(4), S(0), S(4)}).length, S(5));
}

static_assert(overlaps(aabb<double>{{0, 0, 0}, {1, 1, 1}}, aabb<double>{{1, 0, 0}, {2, 1, 1}}));

}  // namespace
