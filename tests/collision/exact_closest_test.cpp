// Spheres, capsules and boxes that are apart: their nearest points prove themselves, and what moves meets where closed forms say, and where the
// generic way does that knows of a shape no more than its support.

#include <sinew/collision/time_of_impact.hpp>

#include <collision/pair_laws.hpp>

#include <gtest/gtest.h>

#include <cstdio>

namespace {

using namespace sinew_test;

/// A shape that only tells its support.
template <class Shape>
struct plain {
    using scalar_type = typename Shape::scalar_type;
    Shape shape;
    [[nodiscard]] constexpr auto support(vec3<scalar_type> const& d) const { return shape.support(d); }
    [[nodiscard]] constexpr auto margin() const { return margin_of<scalar_type>(shape); }
};
template <class Shape>
plain(Shape) -> plain<Shape>;

template <class S>
class exact_closest : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(exact_closest, scalars);

constexpr std::uint64_t seed = 20;

template <class S, class F>
void for_each_round_pair(F const& f) {
    f(sphere<S>{}, sphere<S>{});
    f(sphere<S>{}, capsule<S>{});
    f(capsule<S>{}, sphere<S>{});
    f(capsule<S>{}, capsule<S>{});
    f(sphere<S>{}, box<S>{});
    f(box<S>{}, sphere<S>{});
    f(capsule<S>{}, box<S>{});
    f(box<S>{}, capsule<S>{});
}

// The two points are that far apart along n, and a slab between planes across n is empty that is as wide: so nothing can be nearer.
TYPED_TEST(exact_closest, proves_itself) {
    using S = TypeParam;
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    splitmix64 random{seed};
    S worst = 0;
    int apart = 0;
    for_each_round_pair<S>([&]<class A, class B>(A const&, B const&) {
        for (int i = 0; i < 2000; ++i) {
            A const a = make<A>::random(random);
            B const b = make<B>::random(random);
            frame<S> const fa = random_frame<S>(random, S(2)), fb = random_frame<S>(random, S(2));
            closest<S> const c = detail::closest_apart<S>(a, fa, b, fb);
            if (!(c.distance > S(0.01))) continue;
            ++apart;
            EXPECT_NEAR(norm(c.normal), S(1), 8 * epsilon_v<S>);
            EXPECT_LE(norm(c.on_b - c.on_a - c.distance * c.normal), 64 * epsilon_v<S>);
            vec3<S> const n = c.normal;
            S const top_a = dot(n, fa.point(a.support(fa.local_direction(n)))) + margin_of<S>(a);
            S const bottom_b = dot(n, fb.point(b.support(-fb.local_direction(n)))) - margin_of<S>(b);
            worst = max(worst, abs(bottom_b - top_a - c.distance));
        }
    });
    // The nearest point of a segment is known to rounding over the cores' distance, which is the margins' at least.
    std::printf("of %d pairs the widest gap of the proof: %g m\n", apart, static_cast<double>(worst));
    EXPECT_GT(apart, 8000);
    EXPECT_LE(worst, 100 * epsilon_v<S>);
}

TYPED_TEST(exact_closest, agrees_with_the_generic_way) {
    using S = TypeParam;
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    splitmix64 random{seed + 1};
    S worst = 0;
    for_each_round_pair<S>([&]<class A, class B>(A const&, B const&) {
        for (int i = 0; i < 2000; ++i) {
            A const a = make<A>::random(random);
            B const b = make<B>::random(random);
            frame<S> const fa = random_frame<S>(random, S(2)), fb = random_frame<S>(random, S(2));
            closest<S> const c = detail::closest_apart<S>(a, fa, b, fb), generic = detail::closest_apart<S>(plain{a}, fa, plain{b}, fb);
            EXPECT_EQ(c.distance > S(0.01), generic.distance > S(0.01)) << c.distance << " " << generic.distance;
            if (c.distance > S(0.01)) worst = max(worst, abs(c.distance - generic.distance));
        }
    });
    std::printf("distances differ by at most %g m\n", static_cast<double>(worst));
    EXPECT_LE(worst, 100 * epsilon_v<S>);
}

// Random flights: both ways say when, and where they do the shapes are at the target.
TYPED_TEST(exact_closest, sweeps_as_the_generic_way_does) {
    using S = TypeParam;
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    splitmix64 random{seed + 2};
    S const target = S(0.02), tolerance = S(0.001);
    int hits = 0, none = 0, disagree = 0;
    for_each_round_pair<S>([&]<class A, class B>(A const&, B const&) {
        for (int i = 0; i < 300; ++i) {
            A const a = make<A>::random(random);
            B const b = make<B>::random(random);
            auto const any = [&](S reach) {
                motion<S> m;
                m.start = random_frame<S>(random, reach);
                m.center = m.start.position + random_vector<S, 3>(random, S(0.2));
                m.translation = random_vector<S, 3>(random, S(1));
                m.rotation = random_vector<S, 3>(random, S(2));
                return m;
            };
            motion<S> ma = any(S(3));
            motion<S> const mb = any(S(1));
            ma.translation = mb.center - ma.center + random_vector<S, 3>(random, S(1));
            using status = typename impact<S>::status;
            impact<S> const r = time_of_impact(a, ma, b, mb, target, tolerance), generic = time_of_impact(plain{a}, ma, plain{b}, mb, target, tolerance);
            if (r.what != generic.what) {
                ++disagree;
                continue;
            }
            if (r.what == status::none) ++none;
            if (r.what != status::hit) continue;
            ++hits;
            EXPECT_NEAR(r.nearest.distance, target + tolerance / 2, tolerance / 2 + S(1e-5));
            EXPECT_NEAR(closest_points(plain{a}, ma.at(r.fraction), plain{b}, mb.at(r.fraction)).distance, r.nearest.distance, S(2e-5));
            for (int k = 0; k <= 16; ++k)
                EXPECT_GE(closest_points(plain{a}, ma.at(r.fraction * S(k) / 16), plain{b}, mb.at(r.fraction * S(k) / 16)).distance, target - S(2e-5));
        }
    });
    std::printf("%d hits, %d pass by, %d differ\n", hits, none, disagree);
    EXPECT_GT(hits, 500);
    EXPECT_GT(none, 100);
    EXPECT_LE(disagree, 2);  // those that pass by at the target
}

// |p + t v| is the sum of radii and a gap: a quadratic. The search ends between where the gap is target + tolerance and where it is the target.
TYPED_TEST(exact_closest, balls_meet_where_the_quadratic_says) {
    using S = TypeParam;
    splitmix64 random{seed + 3};
    S const target = S(0.01), tolerance = S(0.0001);
    int hits = 0;
    for (int i = 0; i < 1000; ++i) {
        sphere<S> const a{random_number(random, S(0.1), S(1))}, b{random_number(random, S(0.1), S(1))};
        motion<S> ma = at_rest(random_frame<S>(random, S(1)));
        motion<S> const mb = at_rest(random_frame<S>(random, S(4)));
        ma.translation = mb.center - ma.center + random_vector<S, 3>(random, S(1));
        auto const r = time_of_impact(a, ma, b, mb, target, tolerance);
        auto const when = [&](S gap) {
            vec3<real> const p = precise(ma.center) - precise(mb.center), v = precise(ma.translation);
            real const reach = real(a.radius) + real(b.radius) + real(gap), h = dot(p, v), d = h * h - dot(v, v) * (dot(p, p) - reach * reach);
            return d < 0 ? real(2) : (-h - root(d)) / dot(v, v);
        };
        if (r.what != impact<S>::status::hit) continue;
        ++hits;
        EXPECT_GE(real(r.fraction), when(target + tolerance) - real(1e-5));
        EXPECT_LE(real(r.fraction), when(target) + real(1e-5));
    }
    EXPECT_GT(hits, 300);
}

// A rod that turns about z meets a ball R from its middle at the angle phi when R sin(phi - theta) is the sum of radii and the gap.
TYPED_TEST(exact_closest, a_rod_turns_into_a_ball_where_the_sine_says) {
    using S = TypeParam;
    S const target = S(0.01), tolerance = S(0.0001);
    for (int i = 1; i < 20; ++i) {
        S const phi = S(0.5) + S(0.05) * S(i), R = S(1), turn = S(2);
        capsule<S> const rod{.radius = S(0.1), .half_height = S(2)};
        sphere<S> const ball{S(0.2)};
        frame<S> along_x;
        along_x.rotation.m = so3_exp(vec3<S>{S(0), S(0), -pi_v<S> / 2});
        motion<S> m = at_rest(along_x);
        m.rotation = {S(0), S(0), turn};
        frame<S> at;
        at.position = {R * cos(phi), R * sin(phi), S(0)};
        auto const r = time_of_impact(rod, m, ball, at_rest(at), target, tolerance);
        ASSERT_EQ(r.what, impact<S>::status::hit);
        auto const when = [&](S gap) { return (real(phi) - std::asin((real(S(0.1)) + real(S(0.2)) + real(gap)) / real(R))) / real(turn); };
        EXPECT_GE(real(r.fraction), when(target + tolerance) - real(1e-6));
        EXPECT_LE(real(r.fraction), when(target) + real(1e-6));
    }
}

// A ball flies into the corner of a box along its diagonal: the distance is that of its centre from the corner, less the radius.
TYPED_TEST(exact_closest, a_ball_flies_into_a_corner) {
    using S = TypeParam;
    S const target = S(0.01), tolerance = S(0.0001);
    box<S> const cube{{S(0.5), S(0.5), S(0.5)}};
    sphere<S> const ball{S(0.25)};
    frame<S> from;
    from.position = {S(3), S(3), S(3)};
    motion<S> m = at_rest(from);
    m.translation = {S(-3), S(-3), S(-3)};
    auto const r = time_of_impact(ball, m, cube, at_rest(frame<S>{}), target, tolerance);
    ASSERT_EQ(r.what, impact<S>::status::hit);
    real const way = root(real(27)), to_corner = root(real(3)) * real(2.5);
    EXPECT_NEAR(double(r.fraction), double((to_corner - real(0.25) - real(target + tolerance / 2)) / way), double(tolerance));
    EXPECT_NEAR(double(norm(r.nearest.on_b - cube.half_extents)), 0, double(8 * epsilon_v<S>));
}

}  // namespace
