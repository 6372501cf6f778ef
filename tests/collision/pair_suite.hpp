#pragma once
// Random pairs of two kinds of shapes against the reference of pair_laws.hpp.

#include <collision/pair_laws.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace sinew_test {

template <class T>
inline constexpr bool is_round = false;  // its core has a curved surface: found by iteration
template <class S>
inline constexpr bool is_round<cylinder<S>> = true;
template <class S>
inline constexpr bool is_round<cone<S>> = true;
template <class S>
inline constexpr bool is_round<ellipsoid<S>> = true;

/// Lengths (m) of pairs whose shapes and places are about 3 m across.
template <class S, bool Round>
struct tolerance {
    static constexpr real size = 3;
    static constexpr real rounding = 16 * size * real(std::numeric_limits<S>::epsilon());
    // Between touching cores the normal is that of the nearest features but for rounding over the distance.
    static constexpr real of_normal(real distance_of_cores) { return rounding * (1 + size / std::max(abs(distance_of_cores), rounding)); }
    // Of round cores, the nearest points are found between corners ever closer together: what the height of their triangle loses to rounding
    // its normal gains, and the best that can be is of the order of epsilon^(2/3), 2e-5 in float and 4e-11 in double. Measured: 1.2e-4 and 4e-9, both at a cone's line or tip.
    static constexpr real iteration = Round ? (std::is_same_v<S, float> ? 3e-4L : 1e-8L) : 0;
    // The way out is known to 2e-5 of the size; of two smooth ones found from samples both here and there.
    static constexpr real depth = Round ? 1e-4L : rounding;
    // Where on the surface it leads out: of many-cornered polytopes now and then from a polytope in between.
    static constexpr real surface = Round ? 5e-3L : std::max(rounding, 1e-6L);
    // A face is preferred where it separates as well but for a thousandth of its extent, and corners may lie beside it by a tenth of that.
    static constexpr real coherence = 1e-3L * 2 * size;
};

/// 10,000 random pairs, half of which overlap. Returns how many did.
template <class A, class B>
int check_random_pairs(int pairs) {
    using S = typename A::scalar_type;
    constexpr bool round = is_round<A> || is_round<B>;
    using tol = tolerance<S, round>;
    constexpr std::uint64_t seed = 4;
    SCOPED_TRACE(testing::Message() << make<A>::name << " and " << make<B>::name << ", seed " << seed);
    splitmix64 random{seed};
    int deep = 0;
    for (int i = 0; i < pairs && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(testing::Message() << "pair " << i);
        A const a = make<A>::random(random);
        B const b = make<B>::random(random);
        frame<S> const fa = random_frame(random, S(1)), fb = random_frame(random, S(1));
        reference_shape const ra = reference_of(a, fa), rb = reference_of(b, fb);

        // Both ways round: the distance proves itself from below by the normal, from above by points that lie on both.
        closest<S> const ab = closest_points(a, fa, b, fb), ba = closest_points(b, fb, a, fa);
        real const d = real(ab.distance), cores = d + ra.margin + rb.margin;
        for (closest<S> const& c : {ab, flipped(ba)}) {
            EXPECT_TRUE(all(isfinite(c.normal)) && all(isfinite(c.on_a)) && all(isfinite(c.on_b)));
            EXPECT_LE(abs(length(precise(c.normal)) - 1), tol::rounding);
            EXPECT_LE(abs(separation_along(ra, rb, unit(precise(c.normal))) - real(c.distance)), tol::of_normal(cores) + tol::iteration);
            EXPECT_LE(length(precise(c.on_b) - precise(c.on_a) - real(c.distance) * precise(c.normal)), tol::rounding);
            EXPECT_LE(abs(ra.signed_distance(precise(c.on_a))), tol::surface);
            EXPECT_LE(abs(rb.signed_distance(precise(c.on_b))), tol::surface);
        }
        EXPECT_LE(abs(real(ab.distance) - real(ba.distance)), tol::depth + tol::rounding + (round ? tol::of_normal(cores) : 0));
        if (d < 0) {
            ++deep;
            // Sampling all directions takes a millisecond: of round pairs every tenth.
            if (!round || i % 10 == 0) {
                EXPECT_LE(largest_separation(ra, rb, random) - d, tol::depth) << "there is a shorter way out";
            }
        }
        EXPECT_TRUE(abs(d) < tol::rounding + tol::depth || overlaps(a, fa, b, fb) == (d < 0)) << real(d);

        // The manifold: all its points on both, the deepest as deep as the distance, in either order.
        S const margin = S(0.1);
        for (bool const swapped : {false, true}) {
            manifold<S> const m = swapped ? flipped(collide(b, fb, a, fa, margin)) : collide(a, fa, b, fb, margin);
            EXPECT_EQ(m.empty(), d > real(margin)) << real(d);
            if (m.empty()) continue;
            EXPECT_LE(abs(length(precise(m.normal)) - 1), tol::rounding);
            real least = infinity_v<real>;
            for (contact_point<S> const& p : m.points) {
                EXPECT_LE(p.distance, margin);
                EXPECT_LE(abs(ra.signed_distance(precise(p.on_a))), std::max(tol::surface, tol::coherence / 10));
                EXPECT_LE(abs(rb.signed_distance(precise(p.on_b))), std::max(tol::surface, tol::coherence / 10));
                EXPECT_LE(abs(dot(precise(m.normal), precise(p.on_b) - precise(p.on_a)) - real(p.distance)), tol::rounding);
                least = std::min(least, real(p.distance));
            }
            EXPECT_LE(abs(least - d), tol::coherence);
            EXPECT_LE(separation_along(ra, rb, unit(precise(m.normal))), d + tol::depth + tol::rounding);
            EXPECT_GE(separation_along(ra, rb, unit(precise(m.normal))), d - tol::coherence - tol::of_normal(cores));
            for (std::size_t p = 0; p < m.points.size(); ++p)
                for (std::size_t q = 0; q < p; ++q) EXPECT_NE(m.points[p].feature, m.points[q].feature);
        }
    }
    return deep;
}

template <class A, class... Bs>
void check_all(int pairs) {
    (
        [&] {
            int const deep = check_random_pairs<A, Bs>(pairs);
            if (testing::Test::HasFailure()) return;
            EXPECT_GT(deep, pairs / 25) << make<A>::name << " and " << make<Bs>::name << " hardly ever overlap";
        }(),
        ...);
}

}  // namespace sinew_test
