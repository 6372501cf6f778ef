// The hull of any points is convex, closed, and holds them; it knows its corners, faces and edges; and what has no hull is told why.

#include "shape_laws.hpp"

#include <sinew/geometry/hull.hpp>
#include <sinew/geometry/rounded.hpp>
#include <sinew/math/dual.hpp>
#include <sinew/math/fixed.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace sinew;
using shape_laws::dice;
using shape_laws::expect_same;
using shape_laws::rounding;

template <class S>
class hull_of : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(hull_of, scalars);

// What hull.hpp says of the tolerance, and the rounding of the planes.
template <class S>
double default_tolerance(std::vector<vec3<S>> const& points) {
    double largest = 0, extent = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        double lo = static_cast<double>(points[0][k]), hi = lo;
        for (auto const& p : points) {
            lo = std::min(lo, static_cast<double>(p[k]));
            hi = std::max(hi, static_cast<double>(p[k]));
        }
        extent = std::max(extent, hi - lo);
        largest = std::max({largest, std::abs(lo), std::abs(hi)});
    }
    return std::max(extent * 1e-6, 3 * largest * static_cast<double>(epsilon_v<S>));
}

// Everything a hull must be, however its points lie.
template <class S, class Polytope>
void expect_hull(Polytope const& h, std::vector<vec3<S>> const& points, double tolerance) {
    ASSERT_EQ(h.status(), hull_status::ok) << to_text(h.status());
    ASSERT_EQ(h.fault().name, nullptr);
    auto const v = h.vertices();
    auto const f = h.faces();
    auto const e = h.edges();
    // Euler.
    ASSERT_EQ(v.size() + f.size(), e.size() + 2);
    ASSERT_GE(v.size(), 4u);
    ASSERT_GE(f.size(), 4u);
    // Corners are points, each once.
    std::set<std::array<S, 3>> given, kept;
    for (auto const& p : points) given.insert({p[0], p[1], p[2]});
    for (auto const& p : v) {
        ASSERT_TRUE(given.contains({p[0], p[1], p[2]}));
        ASSERT_TRUE(kept.insert({p[0], p[1], p[2]}).second);
    }
    // Everything is below every face, but for the tolerance; planes are unit and touch the polytope.
    double const slack = 4 * tolerance;
    for (auto const& face : f) {
        ASSERT_NEAR(norm(face.normal), S(1), rounding(S(1)));
        for (auto const& p : points) ASSERT_LE(static_cast<double>(dot(face.normal, p) - face.offset), slack);
        double highest = -1e300;
        for (auto const& p : v) highest = std::max(highest, static_cast<double>(dot(face.normal, p) - face.offset));
        ASSERT_NEAR(highest, 0, slack);
        // Planar, convex, counter-clockwise.
        auto const c = h.corners(face);
        ASSERT_GE(c.size(), 3u);
        for (std::size_t i = 0; i < c.size(); ++i) {
            vec3<double> const a = cast<double>(v[c[i]]), b = cast<double>(v[c[(i + 1) % c.size()]]), d = cast<double>(v[c[(i + 2) % c.size()]]);
            ASSERT_NEAR(static_cast<double>(dot(face.normal, v[c[i]]) - face.offset), 0, slack * 2);
            ASSERT_GE(dot(cross(b - a, d - b), cast<double>(face.normal)), -slack * norm(d - a));
        }
    }
    // Every edge is in its two faces, running the way that it says; every corner of a face begins one edge of it.
    std::set<std::array<std::size_t, 3>> runs;
    for (std::size_t k = 0; k < f.size(); ++k) {
        auto const c = h.corners(f[k]);
        for (std::size_t i = 0; i < c.size(); ++i) ASSERT_TRUE(runs.insert({c[i], c[(i + 1) % c.size()], k}).second);
    }
    ASSERT_EQ(runs.size(), 2 * e.size());
    for (auto const& edge : e) {
        ASSERT_LT(edge.a, edge.b);
        ASSERT_TRUE((runs.contains({edge.a, edge.b, edge.left})));
        ASSERT_TRUE((runs.contains({edge.b, edge.a, edge.right})));
    }
    std::size_t ends = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
        for (std::size_t const k : h.edges_at(i)) {
            ASSERT_TRUE(e[k].a == i || e[k].b == i);
            ++ends;
        }
    ASSERT_EQ(ends, 2 * e.size());
    ASSERT_GT(h.volume(), S(0));
    // The support misses nothing, least of all along the normals of faces.
    dice<S> random(22);
    for (std::size_t i = 0; i < 100 + f.size(); ++i) {
        vec3<S> const d = i < 100 ? random.telling_direction() : f[i - 100].normal;
        double highest = -1e300;
        for (auto const& p : v) highest = std::max(highest, static_cast<double>(dot(p, d)));
        ASSERT_EQ(static_cast<double>(dot(h.support(d), d)), highest);
    }
}

template <class S>
void expect_idempotent(convex_polytope<S> const& h, double tolerance) {
    std::vector<vec3<S>> const corners(h.vertices().begin(), h.vertices().end());
    auto const again = convex_hull(corners, tolerance);
    // A corner that later ones left within the tolerance may go the second time.
    EXPECT_LE(again.vertices().size(), h.vertices().size());
    EXPECT_GE(again.vertices().size() * 50 + 50, h.vertices().size() * 49);
    EXPECT_EQ(again, convex_hull(corners, tolerance));
    expect_hull(again, corners, tolerance);
    // The surface may move by the tolerance.
    double area = 0;
    for (auto const& f : h.faces()) {
        auto const c = h.corners(f);
        for (std::size_t i = 2; i < c.size(); ++i)
            area += norm(cast<double>(cross(h.vertices()[c[i - 1]] - h.vertices()[c[0]], h.vertices()[c[i]] - h.vertices()[c[0]]))) / 2;
    }
    EXPECT_NEAR(static_cast<double>(again.volume()), static_cast<double>(h.volume()), area * tolerance);
}

template <class S>
std::vector<vec3<S>> cast_all(std::vector<vec3<double>> const& points) {
    std::vector<vec3<S>> r;
    for (auto const& p : points) r.push_back(cast<S>(p));
    return r;
}

// Point sets of every kind that is hard for a hull, about the origin, of a size of about 1.
std::vector<vec3<double>> point_set(int kind, std::mt19937& random) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(-1, 1);
    auto const count = std::uniform_int_distribution<int>(0, 1)(random) == 0 ? std::uniform_int_distribution<int>(4, 20)(random)
                                                                            : std::uniform_int_distribution<int>(20, 300)(random);
    std::vector<vec3<double>> points;
    auto const direction = [&] { return normalize(vec3<double>{normal(random), normal(random), normal(random)}); };
    for (int i = 0; i < count; ++i) {
        double const a = 6.283185307179586 * i / count;
        switch (kind) {
            case 0: points.push_back({uniform(random), uniform(random), uniform(random)}); break;
            case 1: points.push_back(direction()); break;
            case 2: points.push_back(direction() * uniform(random)); break;
            case 3: points.push_back({uniform(random), uniform(random), uniform(random) * 1e-3}); break;   // a sheet
            case 4: points.push_back({uniform(random), uniform(random) * 1e-3, uniform(random) * 1e-3}); break;  // a needle
            case 5: points.push_back({std::cos(a), i % 2 == 0 ? 0.5 : -0.5, std::sin(a)}); break;            // an antiprism
            case 6: points.push_back({std::cos(a), uniform(random) < 0 ? 0.5 : -0.5, std::sin(a)}); break;   // half a prism
            case 7: points.push_back({uniform(random), uniform(random), std::abs(uniform(random)) < 0.5 ? 0.3 : -0.3}); break;  // two planes
            case 8: {  // points of faces, edges and corners of a cube
                vec3<double> p{uniform(random), uniform(random), uniform(random)};
                int const fixed = std::uniform_int_distribution<int>(1, 3)(random);
                for (int k = 0; k < fixed; ++k) p[static_cast<std::size_t>((i + k) % 3)] = uniform(random) < 0 ? -1 : 1;
                points.push_back(p);
                break;
            }
            default: points.push_back(direction() * (1 + 1e-5 * normal(random))); break;  // a rough ball
        }
    }
    if (kind == 6)
        for (int i = 0; i < count; ++i) points.push_back({std::cos(0.1 * i), i % 2 == 0 ? 0.5 : -0.5, std::sin(0.1 * i)});
    return points;
}

TYPED_TEST(hull_of, a_thousand_point_sets) {
    using S = TypeParam;
    int made = 0;
    for (unsigned seed = 0; seed < 1000; ++seed) {
        int const kind = static_cast<int>(seed % 10);
        SCOPED_TRACE("seed " + std::to_string(seed) + " kind " + std::to_string(kind));
        std::mt19937 random(seed);
        dice<double> places(seed);
        double const scale = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 1e-4 : 1e4;
        auto set = point_set(kind, random);
        auto const f = places.place(seed % 2 == 0 ? 0.0 : 2.0);
        for (auto& p : set) p = f.point(p) * scale;
        auto const points = cast_all<S>(set);
        auto const h = convex_hull(points);
        if (h.status() == hull_status::coplanar || h.status() == hull_status::collinear) {
            // A few points of two planes may all be of one.
            ASSERT_TRUE(points.size() < 10 || kind == 4) << points.size();
            continue;
        }
        ++made;
        expect_hull(h, points, default_tolerance(points));
        if (testing::Test::HasFatalFailure()) return;
        expect_idempotent(h, default_tolerance(points));
        // Copies of points change nothing.
        auto doubled = points;
        doubled.insert(doubled.end(), points.begin(), points.end());
        ASSERT_EQ(convex_hull(doubled).vertices().size(), h.vertices().size());
    }
    EXPECT_GT(made, 950);
}

// n^3 points of a grid: a cube of eight corners, with or without noise, wherever it is.
TYPED_TEST(hull_of, grids) {
    using S = TypeParam;
    std::mt19937 random(16);
    std::normal_distribution<double> normal;
    dice<double> places(17);
    for (int n : {2, 3, 4, 9})
        for (double const noise : {0.0, 1e-9, 1e-7})
            for (double const scale : {1e-4, 1.0, 1e4}) {
                SCOPED_TRACE(std::to_string(n) + " noise " + std::to_string(noise) + " scale " + std::to_string(scale));
                auto const f = places.place(1.0);
                std::vector<vec3<double>> set;
                for (int i = 0; i < n * n * n; ++i) {
                    vec3<double> const p{static_cast<double>(i % n), static_cast<double>(i / n % n), static_cast<double>(i / n / n)};
                    set.push_back(f.point(p / static_cast<double>(n - 1) + noise * vec3<double>{normal(random), normal(random), normal(random)}) * scale);
                }
                auto const points = cast_all<S>(set);
                auto const h = convex_hull(points);
                expect_hull(h, points, default_tolerance(points));
                EXPECT_EQ(h.vertices().size(), 8u);
                EXPECT_EQ(h.edges().size(), 12u);
                EXPECT_EQ(h.faces().size(), 6u);
                for (auto const& face : h.faces()) EXPECT_EQ(face.count, 4u);
                EXPECT_NEAR(static_cast<double>(h.volume()), scale * scale * scale, 1e-4 * scale * scale * scale);
            }
}

TYPED_TEST(hull_of, solids_with_names) {
    using S = TypeParam;
    // Name, corners, edges, faces, corners of the largest face.
    S const g = S(1.6180339887498949), one = S(1), none = S(0), inverse = one / g;
    auto const signs = [](vec3<S> const& p) {
        std::vector<vec3<S>> all;
        for (int s = 0; s < 8; ++s) {
            vec3<S> const q{s & 1 ? -p[0] : p[0], s & 2 ? -p[1] : p[1], s & 4 ? -p[2] : p[2]};
            for (std::size_t k = 0; k < 3; ++k) all.push_back({q[k], q[(k + 1) % 3], q[(k + 2) % 3]});
        }
        return all;
    };
    auto const check = [](std::vector<vec3<S>> const& points, std::size_t v, std::size_t e, std::size_t f, double volume) {
        auto const h = convex_hull(points);
        expect_hull(h, points, default_tolerance(points));
        EXPECT_EQ(h.vertices().size(), v);
        EXPECT_EQ(h.edges().size(), e);
        EXPECT_EQ(h.faces().size(), f);
        EXPECT_NEAR(static_cast<double>(h.volume()), volume, volume * 1e-6);
    };
    check({{none, none, none}, {one, none, none}, {none, one, none}, {none, none, one}}, 4, 6, 4, 1.0 / 6);
    check(signs({one, none, none}), 6, 12, 8, 4.0 / 3);                                 // octahedron
    check(signs({none, one, g}), 12, 30, 20, 8 * 2.1816949906249124);                   // icosahedron of edge 2: 5 (3 + sqrt 5) / 12 a^3
    auto dodecahedron = signs({one, one, one});
    for (auto const& p : signs({none, inverse, g})) dodecahedron.push_back(p);
    check(dodecahedron, 20, 30, 12, 7.66311896062463 * 8 / (1.6180339887498949 * 1.6180339887498949 * 1.6180339887498949));  // edge 2 / g
    // A prism of 100 corners around: two faces of 100.
    std::vector<vec3<S>> prism;
    for (int i = 0; i < 100; ++i)
        for (S const y : {S(-1), S(1)}) prism.push_back({static_cast<S>(std::cos(0.0628318530717959 * i)), y, static_cast<S>(std::sin(0.0628318530717959 * i))});
    check(prism, 200, 300, 102, 100 * std::sin(0.0628318530717959));
}

// The polytope of a box is a box: mass, bounds, rays, faces.
TYPED_TEST(hull_of, laws_of_a_box) {
    using S = TypeParam;
    vec3<S> const e{S(0.3), S(0.7), S(0.5)};
    auto const make = [&](S k) {
        std::vector<vec3<S>> points;
        for (int i = 0; i < 8; ++i) points.push_back({e[0] * k * S(i & 1 ? 1 : -1), e[1] * k * S(i & 2 ? 1 : -1), e[2] * k * S(i & 4 ? 1 : -1)});
        return convex_hull(points);
    };
    auto const inside = [&](S k, vec3<S> const& p) { return std::abs(p[0]) < e[0] * k && std::abs(p[1]) < e[1] * k && std::abs(p[2]) < e[2] * k; };
    shape_laws::hold<S>(make, inside, 1e-4);
    expect_same(make(S(1)).mass_properties(S(5)), solid_box(of_density(S(5)), e * 2), 1e-6);
}

// And of other solids; inside is below all faces. At the same time: a translation moves the centre of mass and nothing else.
TYPED_TEST(hull_of, laws_of_a_rock) {
    using S = TypeParam;
    std::vector<vec3<S>> rock;
    dice<S> random(18);
    for (int i = 0; i < 40; ++i) rock.push_back(random.direction() * S(0.7));
    auto const make = [&](S k) {
        auto scaled = rock;
        for (auto& p : scaled) p = p * k;
        return convex_hull(scaled);
    };
    std::map<S, convex_polytope<S>> made;
    for (S const k : {S(1e-4), S(1), S(1e4)}) made[k] = make(k);
    auto const inside = [&](S k, vec3<S> const& p) {
        for (auto const& f : made.at(k).faces())
            if (dot(f.normal, p) >= f.offset) return false;
        return true;
    };
    shape_laws::hold<S>(make, inside, 2e-3);
    auto const at_home = made.at(S(1));
    EXPECT_EQ(at_home.centroid(), at_home.mass_properties(S(1)).center);
    auto shifted = rock;
    vec3<S> const by{S(8), S(-16), S(4)};
    for (auto& p : shifted) p = p + by;
    auto const moved_hull = convex_hull(shifted);
    expect_same(moved_hull.mass_properties(S(2)), moved(at_home.mass_properties(S(2)), by), 1e-5);
    auto const r = rounded_polytope<S>{at_home, S(0.1)};
    EXPECT_GT(r.mass_properties(S(1)).mass, at_home.mass_properties(S(1)).mass);
    EXPECT_EQ(r.fault().name, nullptr);
}

TYPED_TEST(hull_of, a_face_of_many_corners_is_thinned) {
    using S = TypeParam;
    std::vector<vec3<S>> prism;
    for (int i = 0; i < 50; ++i)
        for (S const y : {S(-1), S(1)}) prism.push_back({static_cast<S>(std::cos(0.125663706143592 * i)), y, static_cast<S>(std::sin(0.125663706143592 * i))});
    auto const h = convex_hull(prism);
    shape_laws::supporting_face_is_one<S>(h, S(1));
    EXPECT_EQ(h.supporting_face({S(0), S(1), S(0)}).size(), max_face_points);
}

// Near-duplicates are welded; what a tolerance smooths away is gone, and what it leaves is the hull of what is left.
TYPED_TEST(hull_of, welding_and_tolerance) {
    using S = TypeParam;
    dice<double> random(19);
    std::vector<vec3<double>> set;
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 50; ++k) set.push_back(vec3<double>{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0} + random.point(5e-4));
    auto const points = cast_all<S>(set);
    auto const rough = convex_hull(points, 2e-3);
    expect_hull(rough, points, 2e-3);
    EXPECT_EQ(rough.vertices().size(), 8u);
    EXPECT_EQ(rough.faces().size(), 6u);
    EXPECT_GT(convex_hull(points).vertices().size(), 20u);
    // A ball of few corners from one of many.
    std::vector<vec3<double>> ball;
    for (int i = 0; i < 3000; ++i) ball.push_back(random.direction());
    auto const balls = cast_all<S>(ball);
    std::size_t before = 100000;
    for (double const tolerance : {1e-4, 1e-3, 1e-2, 5e-2}) {
        auto const h = convex_hull(balls, tolerance);
        expect_hull(h, balls, tolerance);
        EXPECT_LT(h.vertices().size(), before);
        before = h.vertices().size();
    }
    EXPECT_LT(before, 100u);
}

TYPED_TEST(hull_of, what_has_none) {
    using S = TypeParam;
    using points = std::vector<vec3<S>>;
    auto const status = [](points const& p) { return convex_hull(p).status(); };
    EXPECT_EQ(status({}), hull_status::empty);
    EXPECT_EQ(convex_polytope<S>{}.status(), hull_status::empty);
    EXPECT_STREQ(convex_polytope<S>{}.fault().name, "points");
    EXPECT_TRUE(isfinite(convex_polytope<S>{}.support({S(1), S(0), S(0)})));
    EXPECT_FALSE(convex_polytope<S>{}.cast(ray<S>{}).hit);
    EXPECT_EQ(convex_polytope<S>{}.supporting_face({S(1), S(0), S(0)}).size(), 0u);
    for (S const scale : {S(1e-4), S(1), S(1e4)}) {
        vec3<S> const a{scale, S(2) * scale, S(3) * scale}, u{S(0.3) * scale, S(-0.4) * scale, S(0.1) * scale}, v{S(0.7) * scale, S(0.2) * scale, S(-0.5) * scale};
        EXPECT_EQ(status({a}), hull_status::coincident);
        EXPECT_EQ(status({a, a, a, a, a}), hull_status::coincident);
        points line, plane;
        for (int i = 0; i < 50; ++i) line.push_back(a + u * (S(i) / S(7)));
        for (int i = 0; i < 50; ++i)
            for (int k = 0; k < 5; ++k) plane.push_back(a + u * (S(i) / S(7)) + v * (S(k) / S(3)));
        EXPECT_EQ(status({a, a + u}), hull_status::collinear);
        EXPECT_EQ(status(line), hull_status::collinear);
        EXPECT_EQ(status({a, a + u, a + v}), hull_status::coplanar);
        EXPECT_EQ(status(plane), hull_status::coplanar);
        for (S const bad : {std::numeric_limits<S>::quiet_NaN(), infinity_v<S>, -infinity_v<S>}) {
            points p{a, a + u, a + v, a + cross(u, v) / scale};
            EXPECT_EQ(status(p), hull_status::ok);
            p[2][1] = bad;
            auto const h = convex_hull(p);
            EXPECT_EQ(h.status(), hull_status::not_finite);
            EXPECT_EQ(h.fault().value, 2);
        }
    }
    auto const f = convex_hull(points{{S(0), S(0), S(0)}, {S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(1), S(1), S(0)}}).fault();
    EXPECT_STREQ(error_text(error{errc::invalid_parameter, f.name, f.requirement, f.value, true}).c_str(),
                 "sinew: points must enclose a volume, but are all in one plane; their number is 4");
    auto const nan = convex_hull(points{{S(0), S(0), S(0)}, {S(1), std::numeric_limits<S>::quiet_NaN(), S(0)}}).fault();
    EXPECT_STREQ(error_text(error{errc::invalid_parameter, nan.name, nan.requirement, nan.value, true}).c_str(),
                 "sinew: points must be finite, but one is not; its index is 1");
    for (auto const s : {hull_status::ok, hull_status::empty, hull_status::not_finite, hull_status::coincident, hull_status::collinear, hull_status::coplanar, hull_status::full})
        EXPECT_GT(std::string(to_text(s)).size(), 8u);
}

// The order of the points does not matter for what comes out: the corners are the same set.
TYPED_TEST(hull_of, any_order) {
    using S = TypeParam;
    std::mt19937 random(20);
    for (int kind : {0, 1, 8}) {
        auto points = cast_all<S>(point_set(kind, random));
        auto const first = convex_hull(points);
        std::set<std::array<S, 3>> corners;
        for (auto const& p : first.vertices()) corners.insert({p[0], p[1], p[2]});
        for (int i = 0; i < 5; ++i) {
            std::shuffle(points.begin(), points.end(), random);
            auto const h = convex_hull(points);
            EXPECT_NEAR(static_cast<double>(h.volume()), static_cast<double>(first.volume()), 1e-6);
            EXPECT_EQ(h.faces().size(), first.faces().size());
            std::set<std::array<S, 3>> same;
            for (auto const& p : h.vertices()) same.insert({p[0], p[1], p[2]});
            EXPECT_EQ(same, corners) << kind;
        }
    }
}

// Without a heap, with room for 20 points and no more.
TYPED_TEST(hull_of, in_place) {
    using S = TypeParam;
    dice<S> random(21);
    std::vector<vec3<S>> points;
    for (int i = 0; i < 20; ++i) points.push_back(random.direction());
    auto const h = convex_hull_in_place<20>(points);
    expect_hull(h, points, default_tolerance(points));
    auto const on_heap = convex_hull(points);
    ASSERT_EQ(h.vertices().size(), on_heap.vertices().size());
    EXPECT_EQ(h.faces().size(), on_heap.faces().size());
    EXPECT_EQ(h.mass_properties(S(1)), on_heap.mass_properties(S(1)));
    points.push_back({S(2), S(0), S(0)});
    EXPECT_EQ(convex_hull_in_place<20>(points).status(), hull_status::full);
}

// A cube in fixed point: its corners are exact, and so are the faces'.
// Numbers of a long double that no double holds.
TEST(hull_in_long_double, of_points_beyond_any_double_is_refused) {
    long double const m = std::numeric_limits<long double>::max();
    std::vector<vec3<long double>> const far_away{{0, m, 0}, {1, m, 0}, {0, m, 1}, {1, m, 1}};
    EXPECT_EQ(convex_hull(far_away, 0.001).status(), std::numeric_limits<long double>::max_exponent > std::numeric_limits<double>::max_exponent ? hull_status::not_finite : hull_status::coplanar);
}

TEST(hull_in_fixed_point, is_that_of_a_cube) {
    using Q = fixed<15, 16>;
    std::vector<vec3<Q>> points;
    for (int i = 0; i < 8; ++i) points.push_back({Q(i % 2), Q(i / 2 % 2), Q(i / 4)});
    points.push_back({Q(0.5), Q(0.25), Q(0.5)});
    auto const check = [&](auto const& h) {
        ASSERT_EQ(h.status(), hull_status::ok);
        EXPECT_EQ(h.vertices().size(), 8u);
        ASSERT_EQ(h.faces().size(), 6u);
        for (auto const& f : h.faces()) EXPECT_EQ(abs(f.normal[0]) + abs(f.normal[1]) + abs(f.normal[2]), Q(1));
        auto const top = h.support(vec3<Q>{Q(0.25), Q(0.5), Q(0.75)});
        EXPECT_TRUE(top == (vec3<Q>{Q(1), Q(1), Q(1)}));
    };
    check(convex_hull(points));
    check(convex_hull_in_place<9>(points));
}

// With derivatives over fixed point: the same hull, of numbers that are measured at run time.
TEST(hull_in_fixed_point, with_derivatives) {
    using Q = fixed<15, 16>;
    using D = dual<Q, 1>;
    std::vector<vec3<Q>> points;
    std::vector<vec3<D>> moved;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-2, 2);
    for (int i = 0; i < 30; ++i) {
        double const x = number(random), y = number(random), z = number(random);
        points.push_back({Q::from(x), Q::from(y), Q::from(z)});
        moved.push_back({D::from(x), D::from(y), D::from(z)});
    }
    auto const h = convex_hull(points);
    auto const g = convex_hull(moved);
    ASSERT_EQ(h.status(), hull_status::ok);
    ASSERT_EQ(g.status(), hull_status::ok);
    ASSERT_EQ(g.vertices().size(), h.vertices().size());
    for (std::size_t i = 0; i < h.vertices().size(); ++i)
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(g.vertices()[i][k].v, h.vertices()[i][k]);
    ASSERT_EQ(g.faces().size(), h.faces().size());
    for (std::size_t i = 0; i < h.faces().size(); ++i)
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(g.faces()[i].normal[k].v, h.faces()[i].normal[k]);
}

// How a tetrahedron's mass answers to a corner: a sixth of the area it faces.
TEST(hull_derivative, mass_by_a_corner) {
    using D = dual<double, 1>;
    std::array<vec3<D>, 4> const points{{{D(0.0), D(0.0), D(0.0)}, {D(1.0), D(0.0), D(0.0)}, {D(0.0), D(1.0), D(0.0)}, {D(0.0), D(0.0), D::variable(1.0, 0)}}};
    auto const h = convex_hull(points);
    ASSERT_EQ(h.status(), hull_status::ok);
    EXPECT_NEAR(h.volume().d[0], 1.0 / 6, 1e-15);
}

// In a constant expression.
constexpr std::array<vec3<double>, 9> corners_and_middle{
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.5, 0.5, 0.5}}};
static_assert(convex_hull(corners_and_middle).volume() == 1);
static_assert(convex_hull_in_place<9>(corners_and_middle).faces().size() == 6);

}  // namespace
