// The round and the square shapes against the laws of all shapes, their closed forms, and what each refuses.

#include "shape_laws.hpp"

#include <sinew/geometry/box.hpp>
#include <sinew/geometry/capsule.hpp>
#include <sinew/geometry/cone.hpp>
#include <sinew/geometry/cylinder.hpp>
#include <sinew/geometry/rounded.hpp>
#include <sinew/geometry/sphere.hpp>
#include <sinew/math/dual.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace {

using namespace sinew;
using shape_laws::expect_same;

template <class S>
class convex_shapes : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(convex_shapes, scalars);

template <class S>
S across(vec3<S> const& p) {
    return std::sqrt(p[0] * p[0] + p[2] * p[2]);
}

TYPED_TEST(convex_shapes, sphere) {
    using S = TypeParam;
    shape_laws::hold<S>([](S k) { return sphere<S>{S(0.7) * k}; }, [](S k, vec3<S> const& p) { return norm(p) < S(0.7) * k; }, 2e-4);
    auto const m = sphere<S>{S(0.5)}.mass_properties(S(1000));
    EXPECT_NEAR(m.mass, S(523.598775598), S(1e-4));           // 4/3 pi r^3
    EXPECT_NEAR(m.inertia.xx, S(52.3598775598), S(1e-5));     // 2/5 m r^2
}

TYPED_TEST(convex_shapes, capsule) {
    using S = TypeParam;
    shape_laws::hold<S>([](S k) { return capsule<S>{S(0.3) * k, S(0.6) * k}; },
                        [](S k, vec3<S> const& p) { return norm(p - vec3<S>{S(0), std::clamp(p[1], S(-0.6) * k, S(0.6) * k), S(0)}) < S(0.3) * k; }, 1e-3);
    // A segment of no length is a ball.
    expect_same(capsule<S>{S(0.5), S(0)}.mass_properties(S(2)), sphere<S>{S(0.5)}.mass_properties(S(2)), 1e-6);
}

TYPED_TEST(convex_shapes, box) {
    using S = TypeParam;
    shape_laws::hold<S>([](S k) { return box<S>{{S(0.3) * k, S(0.7) * k, S(0.5) * k}}; },
                        [](S k, vec3<S> const& p) { return std::abs(p[0]) < S(0.3) * k && std::abs(p[1]) < S(0.7) * k && std::abs(p[2]) < S(0.5) * k; }, 1e-4);
    expect_same(box<S>{{S(1), S(2), S(3)}}.mass_properties(S(5)), solid_box(S(240), vec3<S>{S(2), S(4), S(6)}), 1e-6);
    // Corner by bits; a face by its number holds the corners with its bit.
    box<S> const b{{S(1), S(2), S(3)}};
    EXPECT_EQ(b.corner(5), (vec3<S>{S(1), S(-2), S(3)}));
    for (std::size_t face = 0; face < 6; ++face)
        for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ((box<S>::face_corner(face, i) >> (face / 2)) & 1, face & 1);
}

TYPED_TEST(convex_shapes, cylinder) {
    using S = TypeParam;
    shape_laws::hold<S>([](S k) { return cylinder<S>{S(0.4) * k, S(0.6) * k}; },
                        [](S k, vec3<S> const& p) { return across(p) < S(0.4) * k && std::abs(p[1]) < S(0.6) * k; }, 2e-3);
    expect_same(cylinder<S>{S(0.5), S(1)}.mass_properties(S(3)), solid_cylinder(of_density(S(3)), S(2), S(0.5)), 1e-6);
}

TYPED_TEST(convex_shapes, cone) {
    using S = TypeParam;
    shape_laws::hold<S>([](S k) { return cone<S>{S(0.4) * k, S(0.6) * k}; },
                        [](S k, vec3<S> const& p) { return p[1] > S(-0.6) * k && across(p) < (S(0.6) * k - p[1]) / S(3); }, 2e-3);
    shape_laws::hold<S>([](S k) { return cone<S>{S(0.8) * k, S(0.1) * k}; },
                        [](S k, vec3<S> const& p) { return p[1] > S(-0.1) * k && across(p) < (S(0.1) * k - p[1]) * S(4); }, 5e-3);
    auto const m = cone<S>{S(0.5), S(1)}.mass_properties(S(3));
    EXPECT_NEAR(m.center[1], S(-0.5), S(1e-6));  // a quarter of its height up
    EXPECT_NEAR(m.mass, S(1.5707963), S(1e-6));  // pi r^2 h / 3
}

TYPED_TEST(convex_shapes, rounded) {
    using S = TypeParam;
    vec3<S> const h{S(0.2), S(0.5), S(0.3)};
    shape_laws::hold<S>([&](S k) { return rounded_box<S>{{h * k}, S(0.1) * k}; },
                        [&](S k, vec3<S> const& p) {
                            vec3<S> out;
                            for (std::size_t i = 0; i < 3; ++i) out[i] = std::max(std::abs(p[i]) - h[i] * k, S(0));
                            return norm(out) < S(0.1) * k;
                        },
                        5e-4);
    shape_laws::hold<S>([&](S k) { return rounded_cylinder<S>{{S(0.4) * k, S(0.3) * k}, S(0.2) * k}; },
                        [&](S k, vec3<S> const& p) {
                            return std::hypot(std::max(across(p) - S(0.4) * k, S(0)), std::max(std::abs(p[1]) - S(0.3) * k, S(0))) < S(0.2) * k;
                        },
                        1e-6);
    // Rounding adds up, a rounded sphere is a larger one, and a capsule is a rounded segment.
    EXPECT_EQ((rounded<rounded_box<S>>{{{h}, S(0.1)}, S(0.2)}.margin()), S(0.1) + S(0.2));
    expect_same((rounded<sphere<S>>{{S(0.4)}, S(0.1)}.mass_properties(S(2))), sphere<S>{S(0.5)}.mass_properties(S(2)), 2e-4);
    // A box that shrinks to nothing leaves its ball; to a line, a capsule.
    S const r = S(0.5), tiny = S(1e-6);
    expect_same(rounded_box<S>{{{tiny, tiny, tiny}}, r}.mass_properties(S(2)), sphere<S>{r}.mass_properties(S(2)), 1e-4);
    expect_same(rounded_box<S>{{{tiny, S(0.7), tiny}}, r}.mass_properties(S(2)), capsule<S>{r, S(0.7)}.mass_properties(S(2)), 1e-4);
}

// A cylinder on its cap keeps its eight contacts, and their names, while it turns a little or leans to a side.
TYPED_TEST(convex_shapes, a_cap_keeps_its_corners) {
    using S = TypeParam;
    cylinder<S> const c{S(1), S(2)};
    auto const still = c.supporting_face({S(0), S(-1), S(0)});
    ASSERT_EQ(still.size(), 8u);
    for (S const lean : {S(1e-7), S(1e-5), S(5e-4)}) EXPECT_EQ(c.supporting_face(vec3<S>{lean, S(-1), lean}), still);
    for (int k = 0; k < 100; ++k) {
        S const angle = S(0.0628) * static_cast<S>(k);
        vec3<S> const d{std::sin(angle) * S(0.1), S(-1), std::cos(angle) * S(0.1)};
        auto const face = c.supporting_face(d);
        int same = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            EXPECT_EQ(face[i].feature, still[i].feature);
            same += face[i].position == still[i].position;
        }
        EXPECT_GE(same, 7);
    }
    // On its side it touches along a line.
    EXPECT_EQ(c.supporting_face({S(1), S(0.3), S(0)}).size(), 2u);
    // The two caps and the side have names of their own.
    EXPECT_NE(c.supporting_face({S(0), S(1), S(0)})[0].feature, still[7].feature);
}

TYPED_TEST(convex_shapes, rays_along_faces_and_axes) {
    using S = TypeParam;
    box<S> const b{{S(1), S(1), S(1)}};
    // Within the plane of a face: it grazes, and counts as a hit; beyond it does not.
    EXPECT_TRUE(b.cast(ray<S>{{S(-5), S(1), S(0)}, {S(1), S(0), S(0)}}).hit);
    EXPECT_FALSE(b.cast(ray<S>{{S(-5), S(1.001), S(0)}, {S(1), S(0), S(0)}}).hit);
    cylinder<S> const c{S(1), S(1)};
    auto const down = c.cast(ray<S>{{S(0.5), S(5), S(0)}, {S(0), S(-1), S(0)}});
    EXPECT_TRUE(down.hit);
    EXPECT_EQ(down.distance, S(4));
    EXPECT_EQ(down.normal, (vec3<S>{S(0), S(1), S(0)}));
    EXPECT_FALSE(c.cast(ray<S>{{S(1.5), S(5), S(0)}, {S(0), S(-1), S(0)}}).hit);
    cone<S> const k{S(1), S(1)};
    // Down on the tip; up on the base; along a line of the side but inside it.
    EXPECT_NEAR(k.cast(ray<S>{{S(0), S(5), S(0)}, {S(0), S(-1), S(0)}}).distance, S(4), S(1e-6));
    EXPECT_EQ(k.cast(ray<S>{{S(0.3), S(-5), S(0)}, {S(0), S(1), S(0)}}).distance, S(4));
    auto const parallel = k.cast(ray_along(vec3<S>{S(0.5), S(-5), S(0)} - vec3<S>{S(-4) / S(2), S(0), S(0)}, vec3<S>{S(-1), S(2), S(0)}));
    EXPECT_TRUE(parallel.hit);
    EXPECT_NEAR(parallel.point[1], S(-1), S(1e-5));
    // Past the tip, where the other nappe of the cone would be.
    EXPECT_FALSE(k.cast(ray<S>{{S(-5), S(1.5), S(0)}, {S(1), S(0), S(0)}}).hit);
    EXPECT_FALSE(k.cast(ray<S>{{S(0.2), S(5), S(0)}, {S(0), S(1), S(0)}}).hit);
    // A ray without direction meets only what it begins in.
    for (vec3<S> const& o : {vec3<S>{S(5), S(0), S(0)}, vec3<S>{S(0), S(0), S(0)}}) {
        ray<S> const none{o, {S(0), S(0), S(0)}, S(10)};
        bool const in = o[0] == S(0);
        EXPECT_EQ(b.cast(none).hit, in);
        EXPECT_EQ(c.cast(none).hit, in);
        EXPECT_EQ(k.cast(none).hit, in);
        EXPECT_EQ((sphere<S>{S(1)}.cast(none).hit), in);
        EXPECT_EQ((capsule<S>{S(1), S(1)}.cast(none).hit), in);
    }
}

// The radius of a ball from 10 km away, to the rounding of the ray's own coordinates.
TEST(convex_shapes_from_afar, a_small_ball) {
    sphere<float> const ball{0.01f};
    ray<float> const r{{1e4f, 0.005f, 0}, {-1, 0, 0}};
    auto const h = ball.cast(r);
    ASSERT_TRUE(h.hit);
    EXPECT_NEAR(h.distance, 1e4f - 0.01f * std::sqrt(0.75f), 1e-3f);
    EXPECT_FALSE(ball.cast(ray<float>{{1e4f, 0.0101f, 0}, {-1, 0, 0}}).hit);
}

TYPED_TEST(convex_shapes, bad_extents_are_refused) {
    using S = TypeParam;
    S const nan = std::numeric_limits<S>::quiet_NaN(), infinite = std::numeric_limits<S>::infinity();
    for (S const bad : {S(0), S(-1), nan, infinite, -infinite}) {
        EXPECT_STREQ(sphere<S>{bad}.fault().name, "radius");
        EXPECT_STREQ((capsule<S>{bad, S(1)}.fault().name), "radius");
        EXPECT_STREQ((cylinder<S>{bad, S(1)}.fault().name), "radius");
        EXPECT_STREQ((cylinder<S>{S(1), bad}.fault().name), "half_height");
        EXPECT_STREQ((cone<S>{bad, S(1)}.fault().name), "radius");
        EXPECT_STREQ((cone<S>{S(1), bad}.fault().name), "half_height");
        EXPECT_STREQ((box<S>{{bad, S(1), S(1)}}.fault().name), "half_extents[0]");
        EXPECT_STREQ((box<S>{{S(1), bad, S(1)}}.fault().name), "half_extents[1]");
        EXPECT_STREQ((box<S>{{S(1), S(1), bad}}.fault().name), "half_extents[2]");
        EXPECT_STREQ((rounded_box<S>{{{S(1), S(1), bad}}, S(1)}.fault().name), "half_extents[2]");
        if (bad == S(0)) continue;  // a segment may be a point, and a rounded box sharp
        EXPECT_STREQ((capsule<S>{S(1), bad}.fault().name), "half_height");
        EXPECT_STREQ((rounded_box<S>{{{S(1), S(1), S(1)}}, bad}.fault().name), "radius");
    }
    EXPECT_EQ((capsule<S>{S(1), S(0)}.fault().name), nullptr);
    EXPECT_STREQ(error_text(error{errc::invalid_parameter, "radius", sphere<S>{S(-1)}.fault().requirement, -1, true}).c_str(),
                 "sinew: radius must be positive and finite, but is -1");
}

// Shapes over dual numbers: how far the support moves with the shape's size.
TEST(convex_shapes_derivative, support_by_extent) {
    using D = dual<double, 1>;
    cylinder<D> const c{D::variable(0.5, 0), D(2.0)};
    vec3<D> const p = c.support({D(3.0), D(1.0), D(4.0)});
    EXPECT_NEAR(p[0].d[0], 0.6, 1e-15);
    EXPECT_NEAR(p[2].d[0], 0.8, 1e-15);
    EXPECT_NEAR(c.mass_properties(D(1.0)).mass.d[0], 2 * 3.14159265358979 * 0.5 * 4, 1e-13);  // d/dr pi r^2 h
}

// The same in a constant expression.
static_assert(sphere<double>{1}.cast(ray<double>{{3, 0, 0}, {-1, 0, 0}}).distance == 2);
static_assert(box<float>{{1, 2, 3}}.supporting_face({0, 1, 0}).size() == 4);
static_assert(cylinder<double>{1, 2}.support({0, -1, 0})[1] == -2);
static_assert(cone<double>{1, 2}.support({0, 1, 0})[1] == 2);
static_assert(capsule<double>{1, 2}.bounds({}).upper[1] == 3);
static_assert(rounded_box<double>{{{1, 1, 1}}, 1}.margin() == 1);

}  // namespace
