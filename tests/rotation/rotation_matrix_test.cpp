// What is the matrix's own: how far it is from a rotation, and how it is brought back.

#include "rotation_cases.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sinew;
using namespace rotation_cases;

static_assert(rotation_matrix<double>{}.m == identity<double, 3>());
static_assert(rotation_matrix<double>::dimension == 9);

TEST(rotation_matrices, a_reflection_is_no_rotation) {
    EXPECT_GE(deviation(rotation_matrix<double>{{1, 0, 0, 0, 1, 0, 0, 0, -1}}), 2.0);
    EXPECT_GE(deviation(rotation_matrix<double>{{-1, 0, 0, 0, -1, 0, 0, 0, -1}}), 2.0);
    EXPECT_EQ(deviation(rotation_matrix<double>{{0, -1, 0, 1, 0, 0, 0, 0, 1}}), 0.0);
    EXPECT_NEAR(deviation(rotation_matrix<double>{{1, 0.1, 0, 0, 1, 0, 0, 0, 1}}), 0.1, 1e-15);
}

// The skew between the first two rows is shared between them, so that neither is favoured.
TEST(rotation_matrices, projection_shares_the_error) {
    double const e = 1e-4;
    rotation_matrix<double> const r = projected(rotation_matrix<double>{{1, e, 0, e, 1, 0, 0, 0, 1}});
    EXPECT_LE(deviation(r), 1e-15);
    EXPECT_LE(difference(r.m, identity<double, 3>()), 1e-8);
}

// Stretch and shear are taken away; what remains of the rotation's own error is of second order.
TEST(rotation_matrices, projection_is_near_the_nearest_rotation) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> noise(-1, 1);
    for (auto const& at : places<double>(5)) {
        SCOPED_TRACE(at.name);
        double const e = 1e-5;
        // R (1 + symmetric): the nearest rotation is R, since the second factor is positive definite (polar decomposition).
        sym3<double> const stretch{1 + e * noise(random), 1 + e * noise(random), 1 + e * noise(random), 0, 0, 0};
        mat3<double> const R = so3_exp(at.theta);
        // Rows scaled: Gram-Schmidt on rows undoes it but for rounding.
        mat3<double> const scaled_rows = to_mat(stretch) * R;
        EXPECT_LE(difference(projected(rotation_matrix<double>{scaled_rows}).m, R), 1e-14);
    }
}

TEST(rotation_matrices, composing_for_long_stays_a_rotation) {
    rotation_matrix<float> r;
    for (int i = 0; i < 100000; ++i) r = turned(r, vec3<float>{0.01f, -0.02f, 0.005f});
    EXPECT_LE(deviation(r), 1e-6f);
}

TEST(rotation_matrices, keep_no_traces_of_tilts_in_float) {
    rotation_matrix<float> r;
    for (int i = 0; i < 40; ++i) {
        r = nudged(r, vec3<float>{std::ldexp(1.0f, -50 - i), 0.0f, -std::ldexp(1.0f, -70 - i)});
        for (float const x : r.m.e) EXPECT_TRUE(x == 0 || std::abs(x) >= 0x1p-61f) << x << " after " << i;
    }
    EXPECT_NEAR(r.m(2, 1), 0x1p-49f, 0x1p-57f);  // all turns
    EXPECT_EQ(r.m(1, 0), 0.0f);
}

}  // namespace
