// The concept, the defaults of a user's own shape, half spaces and triangles.

#include "shape_laws.hpp"

#include <sinew/geometry/box.hpp>
#include <sinew/geometry/check_shape.hpp>
#include <sinew/geometry/half_space.hpp>
#include <sinew/geometry/hull.hpp>
#include <sinew/geometry/rounded.hpp>
#include <sinew/geometry/sphere.hpp>
#include <sinew/geometry/triangle.hpp>

#include <geometry/ellipsoid.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace sinew;
using shape_laws::dice;
using shape_laws::expect_same;
using shape_laws::rounding;
using sinew_test::ellipsoid;

// A box that says nothing but its support, turned so that no face looks along an axis.
template <scalar S>
struct mute_box {
    box<S> core;
    frame<S> at;
    S radius{0};
    constexpr vec3<S> support(vec3<S> const& d) const { return at.point(core.support(at.local_direction(d))); }
    constexpr S margin() const { return radius; }
};
template <scalar S>
struct pair_of_balls {
    sphere<S> ball;
    constexpr std::size_t part_count() const { return 2; }
    constexpr void for_each_part(aabb<S> const&, auto const& f) const {
        f(0u, ball, frame<S>{{S(-1), S(0), S(0)}, {}});
        f(1u, ball, frame<S>{{S(1), S(0), S(0)}, {}});
    }
    constexpr aabb<S> bounds(frame<S> const& f) const { return merged(ball.bounds(f), ball.bounds(f)); }
};
struct nothing {};

static_assert(convex_shape<ellipsoid<double>, double> && convex_shape<ellipsoid<float>, float>);
static_assert(!convex_shape<box<double>, float> && !shape_like<box<float>, double>);
static_assert(is_half_space<half_space<double>, double> && !convex_shape<half_space<double>, double> && shape_like<half_space<double>, double>);
static_assert(is_composed<pair_of_balls<double>, double> && shape_like<pair_of_balls<double>, double> && !convex_shape<pair_of_balls<double>, double>);
static_assert(!shape_like<nothing, double> && !shape_like<int, double>);
template <class S>
constexpr bool all_shapes =
    convex_shape<sphere<S>, S> && convex_shape<box<S>, S> && convex_shape<triangle<S>, S> && convex_shape<convex_polytope<S>, S> && convex_shape<rounded_polytope<S>, S>;
static_assert(all_shapes<float> && all_shapes<double>);

template <class S>
class shape : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(shape, scalars);

TYPED_TEST(shape, every_shape_passes_the_check) {
    using S = TypeParam;
    check_shape<ellipsoid<S>, S>();
    check_shape<mute_box<S>, S>();
    check_shape<pair_of_balls<S>, S>();
    check_shape<half_space<S>, S>();
    check_shape<triangle<S>, S>();
    check_shape<convex_polytope<S>, S>();
    check_shape<rounded_box<S>, S>();
    check_shape<rounded_cylinder<S>, S>();
    check_shape<rounded_polytope<S>, S>();
    check_shape<sphere<S>, S>();
}

TYPED_TEST(shape, defaults_of_an_ellipsoid) {
    using S = TypeParam;
    ellipsoid<S> const e{{S(1), S(2), S(3)}};
    EXPECT_EQ(margin_of<S>(e), S(0));
    EXPECT_EQ(bounds_of<S>(e, frame<S>{}), (aabb<S>{{S(-1), S(-2), S(-3)}, {S(1), S(2), S(3)}}));
    dice<S> random(11);
    for (int i = 0; i < 50; ++i) {
        frame<S> const f = random.place(S(5));
        auto const b = bounds_of<S>(e, f);
        for (std::size_t k = 0; k < 3; ++k) {
            // The reach of an ellipsoid along an axis n is |A n|.
            vec3<S> const n = f.rotation.m.row(k);
            S const reach = std::sqrt(n[0] * n[0] + 4 * n[1] * n[1] + 9 * n[2] * n[2]);
            EXPECT_NEAR(b.upper[k], f.position[k] + reach, rounding(S(8)));
            EXPECT_NEAR(b.lower[k], f.position[k] - reach, rounding(S(8)));
        }
        vec3<S> const d = random.direction();
        auto const face = supporting_face_of<S>(e, d);
        ASSERT_EQ(face.size(), 1u);
        EXPECT_EQ(face[0].position, e.support(d));
    }
    expect_same(mass_properties_of<S>(e, S(7)), solid_ellipsoid(of_density(S(7)), e.semi_axes), 1e-4);
    EXPECT_EQ(fault_of<S>(e).name, nullptr);
    EXPECT_STREQ(fault_of<S>(ellipsoid<S>{{S(1), std::numeric_limits<S>::quiet_NaN(), S(1)}}).name, "support");
}

// Flat faces are found whole, so the default is nearly exact; and it is as the closed form for a rounded box.
TYPED_TEST(shape, defaults_of_a_mute_box) {
    using S = TypeParam;
    dice<S> random(12);
    for (int i = 0; i < 10; ++i) {
        SCOPED_TRACE(i);
        frame<S> f = random.place(S(0));
        f.position = {S(3), S(-2), S(1)};
        mute_box<S> const b{{{S(1), S(2), S(3)}}, f};
        expect_same(mass_properties_of<S>(b, S(2)), moved(b.core.mass_properties(S(2)), f), 1e-4);
        mute_box<S> const r{{{S(1), S(2), S(3)}}, f, S(0.5)};
        expect_same(mass_properties_of<S>(r, S(2)), moved(rounded_box<S>{{{S(1), S(2), S(3)}}, S(0.5)}.mass_properties(S(2)), f), 1e-3);
    }
    mute_box<S> const bad{{{S(1), S(2), S(3)}}, {}, S(-1)};
    EXPECT_STREQ(fault_of<S>(bad).name, "margin");
}

TYPED_TEST(shape, half_space) {
    using S = TypeParam;
    dice<S> random(13);
    for (int i = 0; i < 200; ++i) {
        auto const through = random.point(S(3));
        auto const h = half_space<S>::at(through, random.direction() * S(7));
        EXPECT_EQ(h.fault().name, nullptr);
        EXPECT_NEAR(h.height(through), S(0), rounding(S(8)));
        auto const r = ray_along(random.point(S(5)), random.direction(), S(20));
        auto const hit = h.cast(r);
        if (h.height(r.origin) <= 0) {
            EXPECT_TRUE(hit.hit && hit.distance == 0);
        } else if (hit.hit) {
            EXPECT_NEAR(h.height(hit.point), S(0), rounding(S(64)));
            EXPECT_EQ(hit.normal, h.normal);
        } else {
            EXPECT_GT(h.height(r.at(r.length)), -rounding(S(32)));
        }
        frame<S> const f = random.place(S(3));
        EXPECT_NEAR(transformed(h, f).height(f.point(through)), S(0), rounding(S(16)));
        EXPECT_FALSE(is_bounded(h.bounds(f)));
        EXPECT_TRUE(contains(h.bounds(f), f.point(through - h.normal * S(0.5))));
    }
    // A floor is bounded above, a ceiling below; their solids reach on.
    half_space<S> const floor{{S(0), S(1), S(0)}, S(2)};
    EXPECT_EQ(floor.bounds(frame<S>{{S(1), S(1), S(1)}, {}}).upper, (vec3<S>{infinity_v<S>, S(3), infinity_v<S>}));
    EXPECT_EQ(floor.bounds(frame<S>{}).lower, unbounded_aabb<S>().lower);
    half_space<S> const ceiling{{S(0), S(-1), S(0)}, S(2)};
    EXPECT_EQ(ceiling.bounds(frame<S>{}).lower, (vec3<S>{-infinity_v<S>, S(-2), -infinity_v<S>}));
    EXPECT_EQ(bounds_of<S>(floor, frame<S>{}), floor.bounds(frame<S>{}));
    EXPECT_STREQ((half_space<S>{{S(0), S(2), S(0)}, S(0)}.fault().name), "normal");
    EXPECT_STREQ((half_space<S>{{S(0), S(0), S(0)}, S(0)}.fault().name), "normal");
    EXPECT_STREQ((half_space<S>{{S(0), S(1), S(0)}, infinity_v<S>}.fault().name), "offset");
    EXPECT_STREQ((half_space<S>{{S(0), std::numeric_limits<S>::quiet_NaN(), S(0)}, S(0)}.fault().name), "normal");
}

TYPED_TEST(shape, triangle) {
    using S = TypeParam;
    dice<S> random(14);
    for (S const scale : {S(1e-4), S(1), S(1e4)}) {
        for (int i = 0; i < 300; ++i) {
            triangle<S> const t{random.point(scale), random.point(scale), random.point(scale)};
            if (norm(cross(t.b - t.a, t.c - t.a)) < S(0.05) * scale * scale) continue;
            ASSERT_EQ(t.fault().name, nullptr);
            vec3<S> const d = random.direction();
            S const highest = dot(t.support(d), d);
            for (vec3<S> const& p : {t.a, t.b, t.c}) ASSERT_LE(dot(p, d), highest);
            auto const face = t.supporting_face(d);
            ASSERT_EQ(face.size(), 3u);
            ASSERT_GE(dot(face.normal, d), S(0));
            ASSERT_GT(dot(cross(face[1].position - face[0].position, face[2].position - face[1].position), face.normal), S(0));
            for (auto const& p : face.points) ASSERT_EQ(p.position, (p.feature == 0 ? t.a : p.feature == 1 ? t.b : t.c));
            frame<S> const f = random.place(scale);
            for (std::size_t k = 0; k < 3; ++k) {
                ASSERT_NEAR(t.bounds(f).upper[k], f.position[k] + shape_laws::reach(t, f.rotation.m.row(k)), rounding(scale * 4));
                ASSERT_NEAR(t.bounds(f).lower[k], f.position[k] - shape_laws::reach(t, -f.rotation.m.row(k)), rounding(scale * 4));
            }

            // A point inside is hit from both sides, one outside of an edge is not.
            S const u = random.real(S(0.02), S(0.9)), v = random.real(S(0.02), S(0.95)) * (S(1) - u);
            vec3<S> const in = t.a + (t.b - t.a) * u + (t.c - t.a) * v;
            for (S const side : {S(1), S(-1)}) {
                vec3<S> const from = in + (t.normal() * side + random.direction() * S(0.3)) * scale;
                auto const hit = t.cast(ray_along(from, in - from, scale * 10));
                ASSERT_TRUE(hit.hit);
                ASSERT_LT(norm(hit.point - in), rounding(scale, S(256)));
                ASSERT_NEAR(dot(hit.normal, t.normal()), side, rounding(S(1)));
                vec3<S> const out = t.a + (t.b - t.a) * u - (t.c - t.a) * v;
                ASSERT_FALSE(t.cast(ray_along(from, out - from, scale * 10)).hit);
                ASSERT_FALSE(t.cast(ray_along(from, from - in, scale * 10)).hit);
                ASSERT_FALSE(t.cast(ray_along(from, in - from, norm(in - from) * S(0.9))).hit);
            }
        }
    }
    EXPECT_STREQ((triangle<S>{{S(0), S(0), S(0)}, {S(1), S(1), S(1)}, {S(2), S(2), S(2)}}.fault().name), "corners");
    EXPECT_STREQ((triangle<S>{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}, {S(2), S(2), S(2)}}.fault().name), "corners");
    EXPECT_STREQ((triangle<S>{{S(0), S(0), S(0)}, {S(0), infinity_v<S>, S(0)}, {S(2), S(2), S(2)}}.fault().name), "b");
    EXPECT_EQ((triangle<S>{}.mass_properties(S(1)).mass), S(0));
}

// No ray passes between two triangles that share an edge, aimed at the edge itself.
TYPED_TEST(shape, triangles_are_watertight) {
    using S = TypeParam;
    dice<S> random(15);
    for (int i = 0; i < 5000; ++i) {
        vec3<S> const a = random.point(S(1)), b = random.point(S(1));
        vec3<S> const c{random.real(S(-1), S(1)), random.real(S(-1), S(1)), S(3)}, d{random.real(S(-1), S(1)), random.real(S(-1), S(1)), S(-3)};
        triangle<S> const left{a, b, c}, right{b, a, d};
        vec3<S> const at = a + (b - a) * random.real(S(0.05), S(0.95));
        // From a side from which the edge is no silhouette: both triangles face it the same way.
        vec3<S> const from = random.direction() * S(10);
        S const l = dot(left.normal(), at - from), r = dot(right.normal(), at - from);
        if (l * r < S(0.1)) continue;
        ray<S> const beam = ray_along(from, at - from);
        ASSERT_TRUE(left.cast(beam).hit || right.cast(beam).hit) << i;
    }
}

}  // namespace
