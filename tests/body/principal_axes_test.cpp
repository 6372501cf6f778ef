// Principal axes diagonalise, whatever the moments; and what no body can have is told from what one can.

#include <sinew/body/principal_axes.hpp>
#include <sinew/math/dual.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace {

using namespace sinew;
using real = long double;

constexpr unsigned seed = 31;

template <class S>
class principal_axes_of : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(principal_axes_of, scalars);

template <class S>
real largest(sym3<S> const& m) {
    real r = 0;
    for (S const x : {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz}) {
        real const a = std::abs(static_cast<real>(x));
        if (!(a <= r)) r = a;
    }
    return r;
}

template <class S>
quaternion<S> random_rotation(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return normalize(quaternion<S>{static_cast<S>(normal(random)), static_cast<S>(normal(random)), static_cast<S>(normal(random)), static_cast<S>(normal(random))});
}

// The laws: ascending, right-handed and orthonormal, and I = Q D Q^T.
template <class R, class S>
void expect_principal(principal_inertia<S, R> const& p, sym3<S> const& inertia, real units = 12) {
    real const e = static_cast<real>(epsilon_v<S>);
    EXPECT_LE(p.moments[0], p.moments[1]);
    EXPECT_LE(p.moments[1], p.moments[2]);
    mat3<S> const q = to_matrix(p.axes);
    mat3<S> const off = transpose(q) * q - identity<S, 3>();
    for (S const x : off.e) EXPECT_LE(std::abs(static_cast<real>(x)), 12 * e);
    EXPECT_LE(std::abs(static_cast<real>(determinant(q) - S(1))), 12 * e);
    sym3<S> const back = congruence(q, diagonal(p.moments[0], p.moments[1], p.moments[2]));
    EXPECT_LE(largest(back - inertia), units * e * largest(inertia));
}

TYPED_TEST(principal_axes_of, what_was_rotated) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(0.1, 3);
    for (int i = 0; i < 500; ++i) {
        S d[3] = {static_cast<S>(any(random)), static_cast<S>(any(random)), static_cast<S>(any(random))};
        quaternion<S> const q = random_rotation<S>(random);
        sym3<S> const inertia = congruence(to_matrix(q), diagonal(d[0], d[1], d[2]));
        auto const p = principal_axes(inertia);
        expect_principal(p, inertia);
        std::sort(d, d + 3);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(std::abs(static_cast<real>(p.moments[k] - d[k])), 16 * static_cast<real>(epsilon_v<S>) * 3);
    }
}

TYPED_TEST(principal_axes_of, any_symmetric_matrix) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int i = 0; i < 500; ++i) {
        auto const n = [&] { return static_cast<S>(any(random)); };
        sym3<S> const m{n(), n(), n(), n(), n(), n()};
        expect_principal(principal_axes(m), m, 16);
    }
}

TYPED_TEST(principal_axes_of, every_representation) {
    using S = TypeParam;
    sym3<S> const inertia{S(3), S(2), S(4), S(0.5), S(-0.25), S(0.125)};
    expect_principal(principal_axes<rotation_matrix<S>>(inertia), inertia);
    expect_principal(principal_axes<rotation_vector<S>>(inertia), inertia, 24);
}

// What is diagonal already: the axes are permuted, exactly.
TYPED_TEST(principal_axes_of, diagonals) {
    using S = TypeParam;
    S d[3] = {S(1), S(2), S(2.5)};
    do {
        sym3<S> const inertia = diagonal(d[0], d[1], d[2]);
        auto const p = principal_axes<rotation_matrix<S>>(inertia);
        EXPECT_EQ(p.moments, (vec3<S>{S(1), S(2), S(2.5)}));
        EXPECT_EQ(congruence(p.axes.m, diagonal(S(1), S(2), S(2.5))), inertia);
        EXPECT_EQ(determinant(p.axes.m), S(1));
    } while (std::next_permutation(d, d + 3));
    EXPECT_EQ(principal_axes(diagonal(S(1), S(2), S(3))).axes, quaternion<S>::identity());
    EXPECT_EQ(principal_axes(diagonal(S(2), S(2), S(2))).axes, quaternion<S>::identity());
    EXPECT_EQ(principal_axes(diagonal(S(1), S(2), S(2))).axes, quaternion<S>::identity());
    EXPECT_EQ(principal_axes(diagonal(S(1), S(1), S(2))).axes, quaternion<S>::identity());
}

// Two or three equal moments, in any orientation, and noise of the last digit beside them.
TYPED_TEST(principal_axes_of, equal_and_nearly_equal_moments) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    S const eps = epsilon_v<S>;
    for (int i = 0; i < 50; ++i) {
        quaternion<S> const q = random_rotation<S>(random);
        for (S const gap : {S(0), eps, 4 * eps, 1000 * eps, sqrt(eps), S(1e-3L)})
            for (vec3<S> const& d : {vec3<S>{S(1), S(1) + gap, S(1.5)}, vec3<S>{S(1), S(1.5), S(1.5) + gap}, vec3<S>{S(1), S(1) + gap, S(1) + 2 * gap}}) {
                sym3<S> const inertia = congruence(to_matrix(q), diagonal(d[0], d[1], d[2]));
                expect_principal(principal_axes(inertia), inertia);
            }
    }
    sym3<S> const noisy{S(1), S(1), S(1), eps / 16, -eps / 16, eps / 32};
    EXPECT_EQ(principal_axes(noisy).axes, quaternion<S>::identity());
}

// Jacobi's method finds a small moment beside large ones to its own digits, where the inertia's entries carry them.
TYPED_TEST(principal_axes_of, small_moments_keep_their_digits) {
    using S = TypeParam;
    // diag(d) A diag(d) with A well conditioned: the smallest eigenvalue is determined to relative rounding (Demmel & Veselic 1992).
    S const d = S(1e-3L);
    sym3<S> const inertia{d * d, S(1), S(1), d * S(0.25), d * S(0.125), S(0.5)};
    auto const p = principal_axes(inertia);
    // The determinant, by hand from the same numbers: d^2 (1 - 1/4 - 1/16 - 1/64 + 2 / 64) = d^2 * 45/64.
    real const product = static_cast<real>(p.moments[0]) * static_cast<real>(p.moments[1]) * static_cast<real>(p.moments[2]);
    real const expected = static_cast<real>(d) * static_cast<real>(d) * 45 / 64;
    EXPECT_LE(std::abs(product - expected), 16 * static_cast<real>(epsilon_v<S>) * expected);
}

TYPED_TEST(principal_axes_of, very_large_and_very_small_bodies) {
    using S = TypeParam;
    sym3<S> const inertia{S(3), S(2), S(4), S(0.5), S(-0.25), S(0.125)};
    for (S const k : {S(1e-30L), S(1e30L)}) {
        auto const p = principal_axes(k * inertia);
        expect_principal(p, k * inertia);
    }
}

TYPED_TEST(principal_axes_of, degenerate_input_ends) {
    using S = TypeParam;
    EXPECT_EQ(principal_axes(sym3<S>{}).axes, quaternion<S>::identity());
    EXPECT_EQ(principal_axes(sym3<S>{}).moments, (vec3<S>{S(0), S(0), S(0)}));
    S const nan = std::numeric_limits<S>::quiet_NaN(), infinity = std::numeric_limits<S>::infinity();
    EXPECT_FALSE(isfinite(principal_axes(diagonal(S(1), nan, S(1))).moments));
    EXPECT_FALSE(isfinite(principal_axes(diagonal(infinity, S(1), S(1))).moments));
    (void)principal_axes(sym3<S>{S(1), S(1), S(1), nan, S(0), S(0)});
    // Rank one and rank two.
    sym3<S> const rod{S(0), S(2), S(2), S(0), S(0), S(0)}, rank_one{S(1), S(1), S(1), S(1), S(1), S(1)};
    expect_principal(principal_axes(rod), rod);
    expect_principal(principal_axes(rank_one), rank_one);
    // A zero diagonal.
    sym3<S> const hollow{S(0), S(0), S(0), S(1), S(2), S(3)};
    expect_principal(principal_axes(hollow), hollow);
}

TYPED_TEST(principal_axes_of, principal_frame_of_a_body) {
    using S = TypeParam;
    auto const body = solid_box(S(2), vec3<S>{S(1), S(2), S(3)}) + moved(solid_sphere(S(1), S(0.5)), vec3<S>{S(1), S(0.5), S(-1)});
    pose<S> const frame = principal_frame(body);
    EXPECT_EQ(frame.position, body.center);
    auto const aligned = moved(body, inverse(frame));
    S const e = 24 * epsilon_v<S> * static_cast<S>(largest(body.inertia));
    EXPECT_LE(norm(aligned.center), e);
    EXPECT_LE(abs(aligned.inertia.xy), e);
    EXPECT_LE(abs(aligned.inertia.xz), e);
    EXPECT_LE(abs(aligned.inertia.yz), e);
    EXPECT_LE(aligned.inertia.xx, aligned.inertia.yy);
    EXPECT_LE(aligned.inertia.yy, aligned.inertia.zz);
}

// ---- Valid inertias

TYPED_TEST(principal_axes_of, solids_are_valid) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> length(0.01, 2);
    for (int i = 0; i < 200; ++i) {
        auto const l = [&] { return static_cast<S>(length(random)); };
        auto const turned_about = [&](mass_properties<S> const& p) { return rotated(p, random_rotation<S>(random)); };
        EXPECT_TRUE(valid_inertia(turned_about(solid_box(l(), vec3<S>{l(), l(), l()})).inertia));
        EXPECT_TRUE(valid_inertia(turned_about(solid_ellipsoid(l(), vec3<S>{l(), l(), l()})).inertia));
        EXPECT_TRUE(valid_inertia(turned_about(solid_capsule(l(), l(), l())).inertia));
        // Flat plates: the largest moment is the sum of the other two, exactly on the border.
        EXPECT_TRUE(valid_inertia(turned_about(solid_box(l(), vec3<S>{l(), S(0), l()})).inertia));
        EXPECT_TRUE(valid_inertia((turned_about(solid_box(l(), vec3<S>{l(), l(), l()})) + moved(solid_cone(l(), l(), l()), vec3<S>{l(), l(), l()})).inertia));
    }
}

TYPED_TEST(principal_axes_of, what_no_body_can_have) {
    using S = TypeParam;
    S const nan = std::numeric_limits<S>::quiet_NaN(), infinity = std::numeric_limits<S>::infinity();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20; ++i) {
        mat3<S> const q = to_matrix(random_rotation<S>(random));
        auto const turned_about = [&](S const& x, S const& y, S const& z) { return congruence(q, diagonal(x, y, z)); };
        EXPECT_TRUE(valid_inertia(turned_about(S(1), S(1), S(2))));
        EXPECT_TRUE(valid_inertia(turned_about(S(1), S(2), S(2.9L))));
        EXPECT_FALSE(valid_inertia(turned_about(S(1), S(1), S(2.01L))));
        EXPECT_FALSE(valid_inertia(turned_about(S(1), S(2), S(4))));
        EXPECT_FALSE(valid_inertia(turned_about(S(-1), S(2), S(2))));
        EXPECT_FALSE(valid_inertia(turned_about(S(-1), S(-1), S(-1))));
        EXPECT_TRUE(valid_inertia(turned_about(S(1), S(1), S(2.01L)), S(0.01L)));
    }
    EXPECT_FALSE(valid_inertia(sym3<S>{}));
    EXPECT_TRUE(possible_inertia(sym3<S>{}));
    EXPECT_FALSE(valid_inertia(diagonal(S(0), S(1), S(1))));
    EXPECT_TRUE(possible_inertia(diagonal(S(0), S(1), S(1))));
    EXPECT_TRUE(possible_inertia(thin_rod(S(1), vec3<S>{S(0), S(0), S(0)}, vec3<S>{S(1), S(2), S(3)}).inertia));
    EXPECT_FALSE(possible_inertia(diagonal(S(0), S(1), S(2))));
    EXPECT_FALSE(valid_inertia(diagonal(nan, S(1), S(1))));
    EXPECT_FALSE(valid_inertia(diagonal(S(1), S(1), infinity)));
    EXPECT_FALSE(possible_inertia(sym3<S>{S(1), S(1), S(1), S(0), nan, S(0)}));
    // Positive diagonal and still no inertia: the products of inertia are too large.
    EXPECT_FALSE(valid_inertia(sym3<S>{S(1), S(1), S(1), S(2), S(0), S(0)}));
}

// A long needle is a body, also in float.
TYPED_TEST(principal_axes_of, needles_are_valid) {
    using S = TypeParam;
    EXPECT_TRUE(valid_inertia(solid_cylinder(S(0.001L), S(10), S(1e-4L)).inertia));
}

// Of a number with derivatives, the value decides.
TYPED_TEST(principal_axes_of, validity_with_derivatives) {
    using S = TypeParam;
    using D = dual<S, 2>;
    EXPECT_TRUE(valid_inertia(diagonal(D(S(1)), D::variable(S(2), 0), D::variable(S(3), 1))));
    EXPECT_FALSE(valid_inertia(diagonal(D(S(1)), D::variable(S(2), 0), D::variable(S(4), 1))));
    EXPECT_EQ(principal_moments(diagonal(D(S(3)), D(S(2)), D(S(1)))), (vec3<S>{S(1), S(2), S(3)}));
}

// The same code in a constant expression.
constexpr sym3<double> some{3, 2, 4, 0.5, -0.25, 0.125};
constexpr auto at_compile_time = principal_axes(some);
static_assert(valid_inertia(some) && !valid_inertia(diagonal(1.0, 1.0, 3.0)));
static_assert(principal_axes(diagonal(3.0, 1.0, 2.0)).moments == vec3<double>{1, 2, 3});

TEST(principal_axes_of, compile_time_is_run_time) {
    double volatile xx = 3;
    sym3<double> const same{xx, 2, 4, 0.5, -0.25, 0.125};
    auto const p = principal_axes(same);
    EXPECT_EQ(p.moments, at_compile_time.moments);
    EXPECT_EQ(p.axes, at_compile_time.axes);
}

}  // namespace
