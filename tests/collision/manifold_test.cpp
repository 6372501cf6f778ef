// Manifolds where shapes lie flat, edge on edge and corner on corner; which points are kept, and that their names last.

#include <collision/pair_laws.hpp>
#include <sinew/collision/cast.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <tuple>

namespace {

using namespace sinew_test;

template <class S>
frame<S> at(S x, S y, S z) {
    frame<S> f;
    f.position = {x, y, z};
    return f;
}
template <class S>
constexpr frame<S> turned(vec3<S> const& position, vec3<S> const& by) {
    return {position, {so3_exp(by)}};
}
template <class S>
std::set<std::uint32_t> features(manifold<S> const& m) {
    std::set<std::uint32_t> s;
    for (auto const& p : m.points) s.insert(p.feature);
    return s;
}
template <class S>
class manifolds : public testing::Test {
public:
    static constexpr S eps = std::numeric_limits<S>::epsilon();
    box<S> cube{{S(0.5), S(0.5), S(0.5)}};
};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(manifolds, scalars);

TYPED_TEST(manifolds, a_box_flat_on_a_box_has_four_corners) {
    using S = TypeParam;
    auto const m = collide(this->cube, at<S>(0, 0, 0), this->cube, at<S>(S(0.25), S(0.99), 0), S(0.01));
    ASSERT_EQ(m.points.size(), 4u);
    EXPECT_EQ(m.normal, (vec3<S>{0, 1, 0}));
    S area_x = 0, area_z = 0;
    for (auto const& p : m.points) {
        EXPECT_NEAR(p.distance, S(-0.01), 4 * this->eps);
        EXPECT_TRUE(std::abs(p.on_a[0] - S(0.5)) < 4 * this->eps || std::abs(p.on_a[0] + S(0.25)) < 4 * this->eps) << p.on_a[0];
        EXPECT_NEAR(std::abs(p.on_a[2]), S(0.5), 4 * this->eps);
        for (auto const& q : m.points) {
            area_x = std::max(area_x, p.on_a[0] - q.on_a[0]);
            area_z = std::max(area_z, p.on_a[2] - q.on_a[2]);
        }
    }
    EXPECT_NEAR(area_x, S(0.75), 8 * this->eps);
    EXPECT_NEAR(area_z, S(1), 8 * this->eps);
}

TYPED_TEST(manifolds, of_boxes_with_aligned_faces_do_not_depend_on_noise) {
    // Of the same size, one on the other: every corner meets a corner, every edge an edge. The four corners, and nothing else, whatever the noise.
    using S = TypeParam;
    splitmix64 random{1};
    auto const first = features(collide(this->cube, at<S>(0, 0, 0), this->cube, at<S>(0, S(0.999), 0), S(0.01)));
    EXPECT_EQ(first.size(), 4u);
    for (int i = 0; i < 200; ++i) {
        vec3<S> const shake = random_vector<S, 3>(random, S(1e-5)), turn = random_vector<S, 3>(random, S(1e-5));
        auto const m = collide(this->cube, at<S>(0, 0, 0), this->cube, turned<S>(vec3<S>{0, S(0.999), 0} + shake, turn), S(0.01));
        EXPECT_EQ(features(m).size(), 4u);
        // Either face may be the reference: its face meets the other's corners, or the other way round.
        for (auto const f : features(m)) EXPECT_TRUE((f >> 16 == 0x8003u && (f & 0xFFFFu) < 8u) || ((f & 0xFFFFu) == 0x8002u && f >> 16 < 8u)) << std::hex << f;
    }
}

// Rims that lie one above the other but for noise: neither side's edges may be lost to it.
TYPED_TEST(manifolds, of_boxes_with_aligned_rims_keep_four_points) {
    using S = TypeParam;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(-1, 1);
    box<S> const b{{S(0.2), S(0.2), S(0.2)}};
    for (int k = 0; k < 2000; ++k) {
        double const noise = std::pow(10.0, 2 * unit(random) - (sizeof(S) == 4 ? 7 : 13));
        auto const turn = [&] { return so3_exp(vec3<S>{S(noise * unit(random)), S(noise * unit(random)), S(noise * unit(random))}); };
        frame<S> const fa{{S(0), S(0.2), S(0)}, {turn()}}, fb{{S(0.01), S(0.6), S(noise * unit(random))}, {turn()}};
        EXPECT_EQ(collide(b, fa, b, fb, S(1e-4)).points.size(), 4u) << k;
    }
}
TYPED_TEST(manifolds, keep_their_features_while_a_box_slides_and_turns) {
    using S = TypeParam;
    box<S> const floor{{S(5), S(0.5), S(5)}};
    std::set<std::uint32_t> last;
    for (int i = 0; i < 100; ++i) {
        S const t = S(i) * S(0.02);
        auto const m = collide(floor, at<S>(0, 0, 0), this->cube, turned<S>({t, S(0.999) + S(1e-4) * std::sin(t * 9), -t}, {0, t, 0}), S(0.02));
        ASSERT_EQ(m.points.size(), 4u) << i;
        if (i > 0) {
            EXPECT_EQ(features(m), last) << i;
        }
        last = features(m);
    }
}

TYPED_TEST(manifolds, of_round_bodies_at_rest_keep_their_features) {
    using S = TypeParam;
    box<S> const floor{{S(5), S(0.5), S(5)}};
    splitmix64 random{2};
    auto const check = [&](auto const& shape, S height, std::size_t expected, vec3<S> const& lying) {
        std::set<std::uint32_t> first;
        for (int i = 0; i < 50; ++i) {
            vec3<S> const shake = random_vector<S, 3>(random, S(1e-5)), turn = random_vector<S, 3>(random, S(2e-5));
            frame<S> const f{vec3<S>{0, height, 0} + shake, {so3_exp(turn) * so3_exp(lying)}};
            auto const m = collide(floor, at<S>(0, 0, 0), shape, f, S(0.02));
            ASSERT_EQ(m.points.size(), expected) << i;
            if (i == 0) first = features(m);
            EXPECT_EQ(features(m), first) << i;
            EXPECT_GT(m.normal[1], S(0.9999));
        }
    };
    S const quarter = S(1.5707963267948966);
    check(cylinder<S>{S(0.5), S(0.5)}, S(0.999), 4, {0, 0, 0});             // standing
    check(cylinder<S>{S(0.5), S(0.5)}, S(0.999), 2, {0, 0, quarter});       // lying
    check(capsule<S>{S(0.3), S(0.5)}, S(0.799), 2, {0, 0, quarter});
    check(cone<S>{S(0.5), S(0.5)}, S(0.999), 4, {0, 0, 0});
    check(rounded_box<S>{{{S(0.4), S(0.4), S(0.4)}}, S(0.1)}, S(0.999), 4, {0, 0, 0});
    check(sphere<S>{S(0.5)}, S(0.999), 1, {0, 0, 0});
}

TYPED_TEST(manifolds, of_parallel_edges_have_their_two_ends) {
    using S = TypeParam;
    // Two boxes turned by 45 degrees about x: edge on edge along x, for which no face is any good.
    S const eighth = S(0.7853981633974483), root = std::sqrt(S(2));
    rounded_box<S> const a{this->cube, S(0.05)};
    auto const m = collide(a, turned<S>({0, 0, 0}, {eighth, 0, 0}), a, turned<S>({S(0.2), root + S(0.09), 0}, {eighth, 0, 0}), S(0.02));
    ASSERT_EQ(m.points.size(), 2u);
    EXPECT_NEAR(m.normal[1], 1, 1e-4);
    EXPECT_NEAR(std::abs(m.points[0].on_a[0] - m.points[1].on_a[0]), 0.8, 1e-3);
    // Capsules side by side, one half a length ahead.
    capsule<S> const pill{S(0.3), S(0.5)};
    auto const side = collide(pill, at<S>(0, 0, 0), pill, at<S>(S(0.59), S(0.5), 0), S(0.01));
    ASSERT_EQ(side.points.size(), 2u);
    EXPECT_NEAR(side.points[0].distance, -0.01, 1e-6);
    EXPECT_NEAR(std::abs(side.points[0].on_a[1] - side.points[1].on_a[1]), 0.5, 1e-6);
}

TYPED_TEST(manifolds, of_crossing_edges_have_the_crossing) {
    using S = TypeParam;
    S const eighth = S(0.7853981633974483), root = std::sqrt(S(2));
    // An edge along x under an edge along z.
    auto const m = collide(this->cube, turned<S>({0, 0, 0}, {eighth, 0, 0}), this->cube, turned<S>({S(0.1), root - S(0.02), S(0.2)}, {0, 0, eighth}), S(0.01));
    ASSERT_EQ(m.points.size(), 1u);
    EXPECT_NEAR(m.points[0].distance, -0.02, 1e-6);
    EXPECT_NEAR(m.points[0].on_a[0], 0.1, 1e-6);
    EXPECT_NEAR(m.points[0].on_a[2], 0, 1e-6);
    EXPECT_NEAR(m.points[0].on_b[2], 0, 1e-6);
    EXPECT_EQ(m.points[0].feature >> 30, 1u);  // an edge
}

TYPED_TEST(manifolds, of_a_box_on_its_corner_have_that_corner) {
    using S = TypeParam;
    S const up = std::sqrt(S(3)) / 2;
    // The diagonal upright: turned by the angle between (1, 1, 1) and y.
    vec3<S> const axis = normalize(cross(vec3<S>{1, 1, 1}, vec3<S>{0, 1, 0}));
    frame<S> const f{{0, S(0.5) + up - S(0.01), 0}, {so3_exp(axis * std::acos(1 / std::sqrt(S(3))))}};
    auto const m = collide(this->cube, at<S>(0, 0, 0), this->cube, f, S(0.001));
    ASSERT_EQ(m.points.size(), 1u);
    EXPECT_NEAR(m.points[0].distance, -0.01, 1e-6);
    EXPECT_EQ(m.normal, (vec3<S>{0, 1, 0}));
    auto const on_ground = collide(half_space<S>{}, at<S>(0, S(0.5), 0), this->cube, f, S(0.001));
    ASSERT_EQ(on_ground.points.size(), 1u);
    EXPECT_NEAR(on_ground.points[0].distance, -0.01, 1e-6);
}

TYPED_TEST(manifolds, of_a_half_space_are_the_lowest_points) {
    using S = TypeParam;
    splitmix64 random{8};
    auto const check = [&]<class T>(T const&) {
        for (int i = 0; i < 2000; ++i) {
            T const shape = make<T>::random(random);
            frame<S> const fa = random_frame<S>(random, S(1)), fb = random_frame<S>(random, S(1));
            half_space<S> const ground = half_space<S>::at(random_vector<S, 3>(random, S(0.5)), random_direction<S, 3>(random));
            auto const reference = reference_of(shape, fb);
            vec3<real> const n = precise(fa.direction(ground.normal));
            real const lowest = -reference.height(-n) - (real(ground.offset) + dot(n, precise(fa.position)));
            real const tolerance = 40 * real(this->eps);
            auto const c = closest_points(ground, fa, shape, fb);
            EXPECT_LE(abs(real(c.distance) - lowest), tolerance);
            EXPECT_LE(abs(reference.signed_distance(precise(c.on_b))), tolerance);
            S const margin = S(0.05);
            auto const m = collide(ground, fa, shape, fb, margin);
            EXPECT_EQ(flipped(m), collide(shape, fb, ground, fa, margin));
            ASSERT_EQ(m.empty(), lowest > real(margin));
            if (m.empty()) continue;
            real least = infinity_v<real>;
            for (auto const& p : m.points) {
                least = std::min(least, real(p.distance));
                EXPECT_LE(abs(dot(n, precise(p.on_b) - precise(p.on_a)) - real(p.distance)), tolerance);
                EXPECT_LE(p.distance, margin);
            }
            EXPECT_LE(abs(least - lowest), 4e-3L);  // a rim's corners for the rim itself, within a thousandth of its extent
            EXPECT_EQ(overlaps(ground, fa, shape, fb), !collide(ground, fa, shape, fb, S(0)).empty());
        }
    };
    check(sphere<S>{});
    check(capsule<S>{});
    check(box<S>{});
    check(rounded_box<S>{});
    check(cylinder<S>{});
    check(cone<S>{});
    check(convex_polytope<S>{});
    check(ellipsoid<S>{});
    EXPECT_TRUE(collide(half_space<S>{}, at<S>(0, 0, 0), half_space<S>{}, at<S>(0, 0, 0), S(1)).empty());
}

TYPED_TEST(manifolds, hold_four_of_many_points_that_span_the_most) {
    using S = TypeParam;
    splitmix64 random{9};
    for (int i = 0; i < 500; ++i) {
        // Points on a circle, some of them deeper.
        contact_point<S> points[12];
        std::size_t const n = 5 + random() % 8;
        for (std::size_t k = 0; k < n; ++k) {
            S const angle = S(6.2831853) * S(k) / S(n);
            points[k] = {{}, {std::cos(angle), S(0), std::sin(angle)}, random_number(random, S(-0.1), S(0)), static_cast<std::uint32_t>(k)};
        }
        manifold<S> m;
        m.normal = {0, 1, 0};
        detail::keep_four(points, n, m);
        ASSERT_EQ(m.points.size(), 4u);
        EXPECT_EQ(features(m).size(), 4u);
        S deepest = 0;
        for (std::size_t k = 0; k < n; ++k) deepest = std::min(deepest, points[k].distance);
        EXPECT_LE(m.points[0].distance, deepest + S(0.003));
        // A square has an area of 2, all n corners that of the polygon. Four of them have at least 60 % of it.
        std::vector<S> angles;
        for (auto const& p : m.points) angles.push_back(std::atan2(p.on_b[2], p.on_b[0]));
        std::sort(angles.begin(), angles.end());
        S area = 0;
        for (std::size_t k = 0; k < 4; ++k) area += std::sin(angles[(k + 1) % 4] - angles[k]) / 2;
        EXPECT_GT(area, S(0.6) * S(n) / 2 * std::sin(S(6.2831853) / S(n)));
    }
}

// A pair of one's own, beside one's own type: found by its arguments, in both orders.
template <scalar S>
struct beacon {
    using scalar_type = S;
    [[nodiscard]] constexpr vec3<S> support(vec3<S> const&) const { return {S(0), S(0), S(0)}; }
};
template <class S>
constexpr manifold<S> exact_manifold(beacon<S> const&, frame<S> const& fa, sphere<S> const&, frame<S> const& fb, S const&) {
    manifold<S> m;
    m.normal = {S(0), S(0), S(1)};
    m.points.push_back({fa.position, fb.position, S(42), 7});
    return m;
}

TEST(manifold, of_a_pair_of_ones_own_is_found) {
    frame<double> const a = at(1.0, 0.0, 0.0), b;
    EXPECT_EQ(collide(beacon<double>{}, a, sphere<double>{1}, b, 0.0).points[0].distance, 42);
    auto const m = collide(sphere<double>{1}, b, beacon<double>{}, a, 0.0);
    EXPECT_EQ(m.normal, (vec3<double>{0, 0, -1}));
    EXPECT_EQ(m.points[0].on_b, a.position);
    EXPECT_EQ(m.points[0].feature, 7u << 16);
    // With others it goes the common way.
    EXPECT_NEAR(collide(beacon<double>{}, a, box<double>{{0.5, 0.5, 0.5}}, b, 1.0).points[0].distance, 0.5, 1e-15);
}

TEST(manifold, is_had_in_a_constant_expression) {
    constexpr auto m = collide(sphere<double>{1}, frame<double>{}, sphere<double>{1}, frame<double>{{0, 1.5, 0}, {}}, 0.0);
    static_assert(m.points.size() == 1 && m.points[0].distance == -0.5 && m.normal == vec3<double>{0, 1, 0});
    constexpr auto n = collide(box<double>{{1, 1, 1}}, frame<double>{}, box<double>{{1, 1, 1}}, frame<double>{{0, 1.75, 0.5}, {}}, 0.0);
    static_assert(n.points.size() == 4 && n.points[0].distance == -0.25);
    constexpr auto c = closest_points(box<double>{{1, 1, 1}}, frame<double>{}, cylinder<double>{1, 1}, frame<double>{{0, 3, 0}, {}});
    static_assert(c.distance > 1 - 1e-12 && c.distance < 1 + 1e-12);
}

// There the searches see the shapes themselves, here through a view.
TEST(manifold, of_a_constant_expression_is_that_of_the_running_program) {
    constexpr auto found = [](double x, double y) {
        box<double> const cube{{1, 1, 1}};
        cylinder<double> const can{0.75, 1.25};
        frame<double> const a, b = turned<double>({x, y, 0.125}, {0.25, -0.5, 1});
        return std::tuple{collide(cube, a, can, b, 0.5), closest_points(cube, a, can, b), shape_cast(cube, a, {3 * x, 3 * y, 0.25}, can, b)};
    };
    constexpr auto expect_same = [](auto const& compiled, auto const& run) {
        auto const& [m, c, s] = compiled;
        auto const& [m2, c2, s2] = run;
        ASSERT_EQ(m.points.size(), m2.points.size());
        EXPECT_EQ(m.normal, m2.normal);
        for (std::size_t i = 0; i < m.points.size(); ++i) {
            EXPECT_EQ(m.points[i].on_a, m2.points[i].on_a);
            EXPECT_EQ(m.points[i].on_b, m2.points[i].on_b);
            EXPECT_EQ(m.points[i].distance, m2.points[i].distance);
        }
        EXPECT_EQ(c.distance, c2.distance);
        EXPECT_EQ(c.on_a, c2.on_a);
        EXPECT_EQ(c.normal, c2.normal);
        EXPECT_EQ(s.hit, s2.hit);
        EXPECT_EQ(s.fraction, s2.fraction);
        EXPECT_EQ(s.point, s2.point);
        EXPECT_EQ(s.normal, s2.normal);
    };
    constexpr auto apart = found(2.5, 0.5), deep = found(0.75, 1.0);
    static_assert(std::get<1>(apart).distance > 0 && std::get<2>(apart).hit && std::get<1>(deep).distance < 0);
    double volatile const x = 2.5, y = 0.5;
    expect_same(apart, found(x, y));
    expect_same(deep, found(x - 1.75, y + 0.5));
}

}  // namespace
