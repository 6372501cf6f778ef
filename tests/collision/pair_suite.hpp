#pragma once
// Random pairs of two kinds of shapes against the reference of pair_laws.hpp: 1000 of each, or 10,000 if the environment says SINEW_LONG_TESTS, which
// also tells the largest errors.
//
// What the library says is taken in long double, in the unit of length of the pair: the laws are then compiled once, not once for each pair.

#include <collision/pair_laws.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
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

inline int pairs_to_try() { return std::getenv("SINEW_LONG_TESTS") != nullptr ? 10000 : 1000; }

/// Lengths (m) of pairs whose shapes and places are about 3 m across.
struct tolerance {
    static constexpr real size = 3;
    bool round;
    real rounding;
    // Of round cores, the nearest points are found between corners ever closer together: what the height of their triangle loses to rounding
    // its normal gains, and the best that can be is of the order of epsilon^(2/3), 2e-5 in float and 4e-11 in double. Measured: 1.2e-4 and 4e-9, both at a cone's line or tip.
    real iteration;
    // The way out is known to the noise of the search in float, to a ten-millionth of itself in double.
    real depth;
    // But for bodies right in each other, where ways out all around differ by less than that: rarely, it is the next shortest. One pair in two thousand may be so.
    real next_shortest = 1e-3L;
    // Where on the surface it leads out: about the shortest way the depth hardly changes, so that its direction is known to the root of what the depth is
    // known to, epsilon or 1e-10, and so far its two points are not one above the other. Merged faces of a hull are flat but for a millionth of its extent of
    // 2 m, to either side (hull.hpp): so far the reference's own planes are off.
    real surface;
    // A face is preferred where it separates as well but for a thousandth of its extent, and corners may lie beside it by a tenth of that.
    real coherence = 1e-3L * 2 * size;

    template <class S>
    static tolerance of(bool is_round) {
        tolerance t;
        t.round = is_round;
        t.rounding = 16 * size * real(std::numeric_limits<S>::epsilon());
        t.iteration = is_round ? (std::is_same_v<S, float> ? 3e-4L : 1e-8L) : 0;
        t.depth = is_round ? (std::is_same_v<S, float> ? 2e-5L : 1e-8L) : t.rounding;
        t.surface = is_round ? size * root(std::max(real(std::numeric_limits<S>::epsilon()), 1e-10L)) : std::max(t.rounding, real(4e-6L));
        return t;
    }
    // Between touching cores the normal is that of the nearest features but for rounding over the distance.
    [[nodiscard]] real of_normal(real distance_of_cores) const { return rounding * (1 + size / std::max(abs(distance_of_cores), rounding)); }
};

/// Two points that two surfaces have nearest to each other, and those of a manifold; from a to b.
struct told_point {
    vec3<real> on_a, on_b;
    real distance;
    std::uint32_t feature;
};
struct told {
    vec3<real> normal{};
    std::vector<told_point> points;
};
/// All that the library says of a pair, asked both ways round.
struct testimony {
    told closest[2], manifold[2];
    bool overlaps = false;
};

template <class S>
told in_units(closest<S> const& c, real unit_length) {
    return {precise(c.normal), {{precise(c.on_a) / unit_length, precise(c.on_b) / unit_length, real(c.distance) / unit_length, 0}}};
}
template <class S>
told in_units(manifold<S> const& m, real unit_length) {
    told t{precise(m.normal), {}};
    for (auto const& p : m.points) t.points.push_back({precise(p.on_a) / unit_length, precise(p.on_b) / unit_length, real(p.distance) / unit_length, p.feature});
    return t;
}
inline reference_shape in_units(reference_shape r, real unit_length) {
    for (auto& c : r.corners) c = c / unit_length;
    for (real* x : {&r.radius, &r.half_height, &r.margin, &r.offset}) *x = *x / unit_length;
    r.semi_axes = r.semi_axes / unit_length;
    r.at.position = r.at.position / unit_length;
    return r;
}

constexpr double contact_margin = 0.1;

template <class A, class B, class S>
testimony ask(A const& a, frame<S> const& fa, B const& b, frame<S> const& fb, S k) {
    testimony t;
    S const margin = S(contact_margin) * k;
    t.closest[0] = in_units(closest_points(a, fa, b, fb), real(k));
    t.closest[1] = in_units(flipped(closest_points(b, fb, a, fa)), real(k));
    t.manifold[0] = in_units(collide(a, fa, b, fb, margin), real(k));
    t.manifold[1] = in_units(flipped(collide(b, fb, a, fa, margin)), real(k));
    t.overlaps = overlaps(a, fa, b, fb);
    return t;
}

/// The largest errors met (m).
struct worst {
    real apart = 0, deep = 0, excess = 0, asymmetry = 0, surface = 0, deepest = 0;
    int longer_ways = 0;  // out than need be
};

inline void check(testimony const& t, reference_shape const& ra, reference_shape const& rb, tolerance const& tol, bool sample_depth, splitmix64& random, worst& w) {
    auto const raise = [](real& a, real const& b) { a = std::max(a, b); };
    real const d = t.closest[0].points[0].distance, cores = d + ra.margin + rb.margin;
    // Both ways round: the distance proves itself from below by the normal, from above by points that lie on both.
    for (told const& c : t.closest) {
        told_point const& p = c.points[0];
        EXPECT_TRUE(all(isfinite(c.normal)) && all(isfinite(p.on_a)) && all(isfinite(p.on_b)) && isfinite(p.distance));
        EXPECT_LE(abs(length(c.normal) - 1), tol.rounding);
        real const gap = abs(separation_along(ra, rb, unit(c.normal)) - p.distance);
        raise(cores > 0.01L ? w.apart : w.deep, abs(cores) > 0.01L ? gap : 0);
        EXPECT_LE(gap, tol.of_normal(cores) + tol.iteration);
        EXPECT_LE(length(p.on_b - p.on_a - p.distance * c.normal), tol.rounding);
        raise(w.surface, abs(ra.signed_distance(p.on_a)));
        raise(w.surface, abs(rb.signed_distance(p.on_b)));
        EXPECT_LE(abs(ra.signed_distance(p.on_a)), tol.surface);
        EXPECT_LE(abs(rb.signed_distance(p.on_b)), tol.surface);
    }
    real const asymmetry = abs(d - t.closest[1].points[0].distance);
    raise(w.asymmetry, asymmetry);
    real const excusable = tol.depth + tol.rounding + (tol.round ? tol.of_normal(cores) : 0);
    EXPECT_LE(asymmetry, d < 0 && tol.round ? tol.next_shortest : excusable);
    bool is_longer = asymmetry > excusable;
    raise(w.deepest, -d);
    if (d < 0 && sample_depth) {
        real const excess = largest_separation(ra, rb, random) - d;
        raise(w.excess, excess);
        EXPECT_LE(excess, tol.round ? tol.next_shortest : tol.depth) << "there is a shorter way out";
        is_longer = is_longer || excess > tol.depth;
    }
    if (is_longer) ++w.longer_ways;
    EXPECT_TRUE(abs(d) < tol.rounding + tol.depth || t.overlaps == (d < 0)) << d;

    bool const on_half_space = ra.what == reference_shape::kind::half_space || rb.what == reference_shape::kind::half_space;
    // The manifold: all its points on both, the deepest as deep as the distance, in either order.
    for (told const& m : t.manifold) {
        bool const within_rounding = abs(d - real(contact_margin)) < tol.rounding;
        EXPECT_TRUE(within_rounding || m.points.empty() == (d > real(contact_margin))) << d;
        if (m.points.empty()) continue;
        EXPECT_LE(abs(length(m.normal) - 1), tol.rounding);
        real least = infinity_v<real>;
        for (told_point const& p : m.points) {
            EXPECT_LE(p.distance, real(contact_margin) + tol.rounding);
            real const off_a = ra.signed_distance(p.on_a), off_b = rb.signed_distance(p.on_b), off = std::max(tol.surface, tol.coherence / 10);
            EXPECT_LE(std::max(off_a, off_b), off);
            // Of a rounded shape on a half-space every corner of the face that looks down counts: those higher up are within its rounding.
            EXPECT_GE(std::min(off_a, off_b), on_half_space ? -ra.margin - rb.margin - off : -off);
            EXPECT_LE(abs(dot(m.normal, p.on_b - p.on_a) - p.distance), tol.rounding);
            least = std::min(least, p.distance);
        }
        EXPECT_LE(abs(least - d), tol.coherence);
        real const along = separation_along(ra, rb, unit(m.normal));
        EXPECT_LE(along, d + tol.depth + tol.rounding + (is_longer ? tol.next_shortest : 0));
        EXPECT_GE(along, d - tol.coherence - tol.of_normal(cores));
        for (std::size_t p = 0; p < m.points.size(); ++p)
            for (std::size_t q = 0; q < p; ++q) EXPECT_NE(m.points[p].feature, m.points[q].feature);
    }
}

/// Where the two are: anyhow, of which half overlap; right in each other; side by side with their axes parallel, or one right above the other; moved until
/// they touch. And anyhow again, but as small as 0.1 mm, or as large as 10 km.
enum class placing { anyhow, together, parallel, touching, tiny, huge };
inline constexpr char const* placing_names[] = {"anyhow", "together", "parallel", "touching", "tiny", "huge"};

template <class A, class B>
void check_random_pairs(int pairs) {
    using S = typename A::scalar_type;
    constexpr bool round = is_round<A> || is_round<B>;
    constexpr std::uint64_t seed = 4;
    SCOPED_TRACE(testing::Message() << make<A>::name << " and " << make<B>::name << ", seed " << seed);
    tolerance const tol = tolerance::of<S>(round);
    splitmix64 random{seed};
    int deep = 0;
    worst errors;
    for (int i = 0; i < pairs && !testing::Test::HasFailure(); ++i) {
        placing const how = i % 2 == 0 ? placing::anyhow : placing((i / 2) % 6);
        SCOPED_TRACE(testing::Message() << "pair " << i << ", " << placing_names[int(how)]);
        S const k = how == placing::tiny ? S(1e-4) : how == placing::huge ? S(1e4) : S(1);
        A const a = scaled(make<A>::random(random), k);
        B const b = scaled(make<B>::random(random), k);
        frame<S> fa = scaled(random_frame(random, S(1)), k), fb = scaled(random_frame(random, S(1)), k);
        if (how == placing::together) fb.position = fa.position;
        if (how == placing::parallel) {
            fb.rotation = fa.rotation;
            if (i % 4 == 1) fb.position = fa.position + dot(fb.position - fa.position, fa.rotation.m.col(1)) * fa.rotation.m.col(1);
        }
        if (how == placing::touching) {
            auto const c = closest_points(a, fa, b, fb);
            fb.position = fb.position - c.distance * c.normal;
        }
        testimony const t = ask(a, fa, b, fb, k);
        // Sampling all directions takes a millisecond: of round pairs every tenth.
        bool const sample = !round || i % 10 < 2;
        check(t, in_units(reference_of(a, fa), real(k)), in_units(reference_of(b, fb), real(k)), tol, sample, random, errors);
        if (how == placing::anyhow && t.closest[0].points[0].distance < 0) ++deep;
    }
    if (testing::Test::HasFailure()) return;
    EXPECT_GT(deep, pairs / 50) << make<A>::name << " and " << make<B>::name << " hardly ever overlap";
    EXPECT_LE(errors.longer_ways, pairs / 2000) << make<A>::name << " and " << make<B>::name << " are led out a longer way than need be";
    if (pairs > 1000)
        std::printf("%-10s %-11s %-6s worst: distance apart %.1Le, distance deep %.1Le, way out too long %.1Le, asymmetry %.1Le, off the surface %.1Le; deepest %.1Lf m\n", make<A>::name,
                    make<B>::name, sizeof(S) == 4 ? "float" : "double", errors.apart, errors.deep, errors.excess, errors.asymmetry, errors.surface, errors.deepest);
}

template <class A, class... Bs>
void check_all() {
    (check_random_pairs<A, Bs>(pairs_to_try()), ...);
}

}  // namespace sinew_test
