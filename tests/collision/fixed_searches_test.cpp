// Searches over fixed point, between shapes whose distance has no closed form, against the same in double: the same numbers go in.

#include <gtest/gtest.h>

#include <sinew/sinew.hpp>

#include <algorithm>
#include <random>

namespace {

using namespace sinew;

template <class S>
class fixed_searches : public testing::Test {};
using formats = testing::Types<fixed<15, 16>, fixed<31, 32>>;
TYPED_TEST_SUITE(fixed_searches, formats);

// A last place of 15 um, of shapes of half a metre; and of 0.2 nm. Along a graze a cast sees the gap grow with the square of the way.
template <class S>
inline constexpr double nearness = S::fraction_bits == 16 ? 1e-4 : 1e-8;
template <class S>
inline constexpr double along_a_cast = S::fraction_bits == 16 ? 2e-3 : 1e-6;

template <class S>
vec3<double> doubles(vec3<S> const& v) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}
template <class S>
frame<double> doubles(frame<S> const& f) {
    frame<double> r;
    r.position = doubles(f.position);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) r.rotation.m(i, j) = static_cast<double>(f.rotation.m(i, j));
    return r;
}
template <class S>
frame<S> frame_at(vec3<double> const& position, vec3<double> const& turn) {
    auto const n = [](vec3<double> const& v) { return vec3<S>{S::from(v[0]), S::from(v[1]), S::from(v[2])}; };
    return frame_of(pose<S>{n(position), quaternion_exp(n(turn))});
}

/// Two shapes in both scalars; their sizes are binary fractions.
template <class S>
struct pairs {
    std::mt19937 random;

    double number(double from, double to) { return from + (to - from) * static_cast<double>(random() >> 8) / 16777216.0; }
    vec3<double> vector(double most) { return {number(-most, most), number(-most, most), number(-most, most)}; }

    template <class A, class B, class AD, class BD>
    void expect_as_double(A const& a, AD const& ad, B const& b, BD const& bd, double reach, int rounds) {
        for (int i = 0; i < rounds; ++i) {
            SCOPED_TRACE(testing::Message() << "round " << i);
            auto const fa = frame_at<S>({}, vector(1.5)), fb = frame_at<S>(vector(reach), vector(1.5));
            auto const x = closest_points(a, fa, b, fb);
            auto const y = closest_points(ad, doubles(fa), bd, doubles(fb));
            double const d = static_cast<double>(x.distance), known = y.distance;
            if (known > 1e-3) {
                ASSERT_NEAR(d, known, nearness<S>);
            } else if (known < -1e-3) {
                // A way out, and no longer than the one of double by more than what several that are about as short differ by.
                auto moved = doubles(fb);
                for (std::size_t k = 0; k < 3; ++k) moved.position[k] -= d * static_cast<double>(x.normal[k]);
                ASSERT_NEAR(closest_points(ad, doubles(fa), bd, moved).distance, 0, 2 * nearness<S>);
                ASSERT_NEAR(d, known, 1e-3);
            }
            auto const far_away = frame_at<S>({-3, number(-0.4, 0.4), number(-0.4, 0.4)}, vector(1.5)), middle = frame_at<S>({}, vector(1.5));
            vec3<S> const way{S(6), S(0), S(0)};
            auto const hit = shape_cast(a, far_away, way, b, middle);
            auto const real_hit = shape_cast(ad, doubles(far_away), doubles(way), bd, doubles(middle));
            ASSERT_EQ(hit.hit, real_hit.hit);
            if (hit.hit) {
                ASSERT_NEAR(6 * static_cast<double>(hit.fraction), 6 * real_hit.fraction, along_a_cast<S>);
            }
        }
    }
};

TYPED_TEST(fixed_searches, of_boxes_and_cylinders) {
    using S = TypeParam;
    pairs<S> p{std::mt19937(3)};
    p.expect_as_double(box<S>{{S(0.25), S(0.5), S(0.375)}}, box<double>{{0.25, 0.5, 0.375}}, cylinder<S>{S(0.25), S(0.375)}, cylinder<double>{0.25, 0.375}, 1.25, 300);
}
TYPED_TEST(fixed_searches, of_cylinders) {
    using S = TypeParam;
    pairs<S> p{std::mt19937(4)};
    p.expect_as_double(cylinder<S>{S(0.5), S(0.125)}, cylinder<double>{0.5, 0.125}, cylinder<S>{S(0.25), S(0.375)}, cylinder<double>{0.25, 0.375}, 1.25, 300);
}
TYPED_TEST(fixed_searches, of_cones_and_cylinders) {
    using S = TypeParam;
    pairs<S> p{std::mt19937(5)};
    p.expect_as_double(cone<S>{S(0.375), S(0.5)}, cone<double>{0.375, 0.5}, cylinder<S>{S(0.25), S(0.375)}, cylinder<double>{0.25, 0.375}, 1.25, 300);
}
TYPED_TEST(fixed_searches, of_cones_and_boxes) {
    using S = TypeParam;
    pairs<S> p{std::mt19937(6)};
    p.expect_as_double(cone<S>{S(0.375), S(0.5)}, cone<double>{0.375, 0.5}, box<S>{{S(0.25), S(0.5), S(0.375)}}, box<double>{{0.25, 0.5, 0.375}}, 1.25, 300);
}

// However wide the ground: a cylinder askew above a box, near it or not, and on its way down.
TYPED_TEST(fixed_searches, of_what_is_wide) {
    using S = TypeParam;
    std::mt19937 random(9);
    for (int const half : {100, 500, 1000, S::fraction_bits == 16 ? 1500 : 100000})
        for (double const gap : {-0.02, 0.1, 0.6, 2.0}) {
            SCOPED_TRACE(testing::Message() << "half " << half << ", gap " << gap);
            pairs<S> p{random};
            vec3<double> const turn = p.vector(1.5);
            random = p.random;
            double const wide = half;
            auto const below = frame_at<S>({}, {});
            auto above = frame_at<S>({0.25 * wide, 10, 0.125 * wide}, turn);
            cylinder<S> const a{S(0.375), S(0.25)};
            cylinder<double> const ad{0.375, 0.25};
            box<S> const ground{{S(half), S(1), S(half)}};
            box<double> const ground_d{{wide, 1, wide}};
            above.position[1] = above.position[1] - S::from(closest_points(ground_d, doubles(below), ad, doubles(above)).distance - gap);
            double const known = closest_points(ground_d, doubles(below), ad, doubles(above)).distance;
            EXPECT_NEAR(static_cast<double>(closest_points(ground, below, a, above).distance), known, 10 * nearness<S>);
            auto const x = collide(ground, below, a, above, S(0.25));
            ASSERT_EQ(x.points.empty(), known > 0.25);
            if (!x.points.empty()) {
                EXPECT_NEAR(static_cast<double>(x.points[0].distance), known, 10 * nearness<S>);
                EXPECT_NEAR(static_cast<double>(x.normal[1]), 1, nearness<S>);
            }
            auto const hit = shape_cast(a, above, vec3<S>{S(0), S(-4), S(0)}, ground, below);
            ASSERT_TRUE(hit.hit);
            EXPECT_NEAR(4 * static_cast<double>(hit.fraction), std::max(known, 0.0), along_a_cast<S>);
        }
}

// Boxes that lie on each other, turned against each other by a few last places of a radian: their edges are all but parallel, and the axis across two of them has no digits.
TYPED_TEST(fixed_searches, find_boxes_that_lie_on_each_other) {
    using S = TypeParam;
    double const place = static_cast<double>(epsilon_v<S>);
    for (double const half : {0.25, 4.0}) {
        unsigned const seed = half < 1 ? 11 : 12;
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        pairs<S> p{std::mt19937(seed)};
        box<S> const fixed_box{{S::from(half), S::from(half), S::from(half)}};
        box<double> const double_box{{half, half, half}};
        for (int i = 0; i < 2000; ++i) {
            SCOPED_TRACE(testing::Message() << "round " << i);
            double const most = place * (i % 2 == 0 ? 3 : 40);
            auto const fa = frame_at<S>({}, p.vector(most)), fb = frame_at<S>(vec3<double>{0, 2 * half, 0} + p.vector(5 * most), p.vector(most));
            auto const found = collide(fixed_box, fa, fixed_box, fb, S::from(0.02));
            auto const known = collide(double_box, doubles(fa), double_box, doubles(fb), 0.02);
            ASSERT_GE(found.points.size(), 3U);
            ASSERT_GT(static_cast<double>(found.normal[1]), 0.99);
            double deepest = 1, deepest_known = 1;
            for (auto const& x : found.points) deepest = std::min(deepest, static_cast<double>(x.distance));
            for (auto const& x : known.points) deepest_known = std::min(deepest_known, x.distance);
            // A corner that lies on the rim of the other face but for noise may be told by its neighbours.
            ASSERT_NEAR(deepest, deepest_known, half < 1 ? 8 * place * (1 + half) : 2 * most * 2 * half);  // of large ones by one that is as far as they lean
        }
    }
}

// Two edges that cross, in formats whose range ends below 16 and below 8.
template <class S>
void expect_crossing_edges() {
    box<S> const b{{S::from(0.25), S::from(0.25), S::from(0.25)}};
    double const right = 0.78539816339744831, high = 0.5 * 1.4142135623730951;
    auto const below = frame_at<S>({}, {0, 0, right}), above = frame_at<S>({0.05, high - 0.01, 0.03}, {right, 0, 0});
    auto const m = collide(b, below, b, above, S::from(0.02));
    ASSERT_EQ(m.points.size(), 1U);
    EXPECT_NEAR(static_cast<double>(m.points[0].distance), -0.01, 1e-6);
    EXPECT_NEAR(static_cast<double>(m.normal[1]), 1, 1e-6);
}
TEST(fixed_searches_of_narrow_formats, find_edges_that_cross) {
    expect_crossing_edges<fixed<4, 27>>();
    expect_crossing_edges<fixed<3, 28>>();
}

}  // namespace
