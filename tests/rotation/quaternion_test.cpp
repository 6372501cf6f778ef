// What is the quaternion's own: Hamilton's products, the two signs, and the way back from a matrix.

#include "rotation_cases.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sinew;
using namespace rotation_cases;

// i j = k, j k = i, k i = j, i^2 = j^2 = k^2 = i j k = -1 (Hamilton 1843).
constexpr quaternion<double> i{0, 1, 0, 0}, j{0, 0, 1, 0}, k{0, 0, 0, 1}, minus_one{-1, 0, 0, 0};
static_assert(i * j == k && j * k == i && k * i == j);
static_assert(i * i == minus_one && j * j == minus_one && k * k == minus_one && (i * j) * k == minus_one);
static_assert(j * i == quaternion<double>{0, 0, 0, -1});

// A quarter turn about z takes x to y.
constexpr double half_root = 0.70710678118654752440;
static_assert(norm(rotate(quaternion<double>{half_root, 0, 0, half_root}, vec3<double>{1, 0, 0}) - vec3<double>{0, 1, 0}) < 1e-15);
static_assert(to_matrix(i) == mat3<double>{1, 0, 0, 0, -1, 0, 0, 0, -1});

static_assert(quaternion<float>::dimension == 4 && quaternion<double>{} == quaternion<double>::identity());

template <class S>
class quaternions : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(quaternions, scalars);

constexpr unsigned seed = 3;

TYPED_TEST(quaternions, q_and_minus_q_are_one_rotation) {
    using S = TypeParam;
    std::mt19937 random(seed);
    for (auto const& at : places<S>(seed)) {
        SCOPED_TRACE(at.name);
        quaternion<S> const q = quaternion_exp(at.theta), m{-q.w, -q.x, -q.y, -q.z};
        EXPECT_EQ(to_matrix(q), to_matrix(m));
        EXPECT_EQ(rotate(q, vec3<S>{S(1), S(2), S(3)}), rotate(m, vec3<S>{S(1), S(2), S(3)}));
        // At w = 0 the two signs of the vector are the same rotation, by pi.
        if (q.w > S(0)) {
            EXPECT_EQ(log(q), log(m));
        }
    }
}

TYPED_TEST(quaternions, from_a_matrix_with_w_not_negative) {
    using S = TypeParam;
    for (auto const& at : places<S>(seed)) {
        SCOPED_TRACE(at.name);
        quaternion<S> const q = quaternion_of(so3_exp(at.theta));
        EXPECT_GE(q.w, S(0));
        EXPECT_LE(std::abs(static_cast<real>(squared_norm(q)) - 1), rounding<S>(4));
        EXPECT_LE(difference(to_matrix(q), so3_exp(at.theta)), rounding<S>(8));
    }
    // Each of the four candidates as the largest, and ties.
    for (quaternion<S> const q : {quaternion<S>{S(0.9L), S(0.1L), S(-0.3L), S(0.2L)}, quaternion<S>{S(0.1L), S(0.9L), S(0.3L), S(-0.2L)},
                                  quaternion<S>{S(0.2L), S(-0.1L), S(0.9L), S(0.3L)}, quaternion<S>{S(0.3L), S(0.2L), S(-0.1L), S(0.9L)},
                                  quaternion<S>{S(0.5L), S(0.5L), S(0.5L), S(0.5L)}, quaternion<S>{S(0), S(1), S(1), S(0)},
                                  quaternion<S>{S(0), S(0), S(-1), S(1)}, quaternion<S>{S(0), S(-1), S(0), S(0)}}) {
        quaternion<S> const unit = normalize(q);
        EXPECT_LE(difference(to_matrix(quaternion_of(to_matrix(unit))), to_matrix(unit)), rounding<S>(4));
    }
}

TYPED_TEST(quaternions, exp_has_half_the_angle) {
    using S = TypeParam;
    for (auto const& at : places<S>(seed)) {
        SCOPED_TRACE(at.name);
        quaternion<S> const q = quaternion_exp(at.theta);
        real const t = length(widened(at.theta));
        EXPECT_LE(std::abs(static_cast<real>(q.w) - std::cos(t / 2)), rounding<S>(2));
        real const s = t == 0 ? 0.5L : std::sin(t / 2) / t;
        EXPECT_LE(difference(q.vector(), widened(at.theta) * s), rounding<S>(3));
    }
}

TYPED_TEST(quaternions, log_of_a_turn_by_more_than_pi_takes_the_shorter_way) {
    using S = TypeParam;
    vec3<S> const n{S(0.36L), S(-0.48L), S(0.8L)};
    for (S const t : {S(3.2L), S(4), S(5), S(6)}) {
        real const left = static_cast<real>(t) - 2 * 3.14159265358979323846264338327950288L;
        EXPECT_LE(difference(log(quaternion_exp(vec3<S>(n * t))), widened(n) * left), rounding<S>(16)) << static_cast<double>(t);
    }
}

TYPED_TEST(quaternions, deviation_measures_the_norm) {
    using S = TypeParam;
    EXPECT_EQ(deviation(quaternion<S>{S(2), S(0), S(0), S(0)}), S(3));
    EXPECT_EQ(deviation(quaternion<S>{S(0), S(0), S(0), S(0)}), S(1));
    EXPECT_EQ(projected(quaternion<S>{S(0), S(0), S(-4), S(0)}), (quaternion<S>{S(0), S(0), S(-1), S(0)}));
}

// What stands nearly along the axes of the world: squares and products of its tilts are to be no subnormal numbers.
TEST(float_quaternions, keep_no_traces_of_tilts) {
    quaternion<float> q = quaternion<float>::identity();
    for (int turn = 0; turn < 40; ++turn) {
        q = nudged(q, vec3<float>{std::ldexp(1.0f, -50 - turn), 0.0f, -std::ldexp(1.0f, -70 - turn)});
        mat3<float> const m = to_matrix(q);
        for (float const x : {q.x, q.y, q.z}) EXPECT_TRUE(x == 0 || std::abs(x) >= 0x1p-61f) << x << " after " << turn;
        for (float const x : m.e) EXPECT_TRUE(x == 0 || std::abs(x) >= 0x1p-61f) << x << " after " << turn;
    }
    EXPECT_NEAR(q.x, 0x1p-50f, 0x1p-58f);  // half the turns in all, but for ten halves of the grid
    EXPECT_EQ(q.z, 0.0f);
    EXPECT_EQ(nudged(quaternion<double>::identity(), vec3<double>{0, 0, 0x1p-100}).z, 0x1p-101);
    quaternion<float> const small = normalize(quaternion<float>{0.0f, 3e-15f, 0.0f, 4e-15f});  // of any length: nothing of it is a trace
    EXPECT_NEAR(small.x, 0.6f, 1e-6f);
    EXPECT_NEAR(small.z, 0.8f, 1e-6f);
}

TEST(float_quaternions, nudged_to_and_fro_stay_where_they_are) {
    for (float const tilt : {0.1f, 3e-3f, 1e-3f, 3e-4f, 1e-4f, 1e-6f, 1e-9f}) {
        quaternion<float> const start = normalize(quaternion<float>{1.0f, tilt, -tilt, 0.0f});
        quaternion<float> q = start;
        for (int turn = 0; turn < 100000; ++turn) q = nudged(q, (turn % 2 == 0 ? 1.0f : -1.0f) * vec3<float>{1e-7f, -3e-8f, 2e-8f});
        EXPECT_NEAR(q.x, start.x, 2e-8f) << tilt;
        EXPECT_NEAR(q.y, start.y, 2e-8f) << tilt;
    }
}

}  // namespace
