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
    std::mt19937 random(7);
    std::uniform_real_distribution<float> binade(-75, -20);
    for (int body = 0; body < 1000; ++body) {
        rotation_matrix<float> r;
        for (int turn = 0; turn < 8; ++turn) {
            auto const size = [&] { return std::copysign(std::exp2(binade(random)), binade(random) + 47); };
            r = nudged(r, vec3<float>{size(), size(), size()});
            for (float const x : r.m.e) ASSERT_TRUE(x == 0 || std::abs(x) >= 0x1p-61f) << x << " of body " << body << " after " << turn;
        }
    }
    EXPECT_EQ(nudged(rotation_matrix<float>{}, vec3<float>{0, 0x1p-30f, 0}).m(0, 2), 0x1p-30f);
}

TEST(rotation_matrices, nudged_to_and_fro_stay_where_they_are) {
    for (float const tilt : {3e-3f, 1e-3f, 3e-4f, 1e-4f, 1e-6f, 1e-9f}) {
        rotation_matrix<float> const start = turned(rotation_matrix<float>{}, vec3<float>{tilt, -tilt, 0});
        rotation_matrix<float> r = start;
        for (int turn = 0; turn < 100000; ++turn) r = nudged(r, (turn % 2 == 0 ? 1.0f : -1.0f) * vec3<float>{1e-7f, -3e-8f, 2e-8f});
        for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(r.m.e[i], start.m.e[i], 1e-7f) << tilt;
    }
}

}  // namespace
