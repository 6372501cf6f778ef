// Poses are rigid motions: they compose, invert, and take points and directions there and back.

#include "rotation_cases.hpp"

#include <sinew/rotation/pose.hpp>

#include <gtest/gtest.h>

namespace {

using namespace sinew;
using namespace rotation_cases;

template <class R>
class poses : public testing::Test {};
using representations = testing::Types<quaternion<float>, quaternion<double>, rotation_matrix<double>, rotation_vector<float>, rotation_vector<double>,
                                       quaternion<long double>>;
TYPED_TEST_SUITE(poses, representations);

constexpr unsigned seed = 11;

template <class R>
pose<typename R::scalar_type, R> random_pose(std::mt19937& random) {
    using S = typename R::scalar_type;
    std::uniform_real_distribution<double> length(0, 3);
    return {random_direction<S>(random) * static_cast<S>(length(random)), rotation_exp<R>(random_direction<S>(random) * static_cast<S>(length(random)))};
}

TYPED_TEST(poses, a_point_is_position_plus_turned_offset) {
    using S = typename TypeParam::scalar_type;
    pose<S, TypeParam> const p{{S(1), S(2), S(3)}, rotation_about<TypeParam>(vec3<S>{S(0), S(0), S(1)}, pi_v<S> / 2)};
    EXPECT_LE(difference(p.point(vec3<S>{S(1), S(0), S(0)}), vec3<real>{1, 3, 3}), rounding<S>(4));
    EXPECT_LE(difference(p.direction(vec3<S>{S(1), S(0), S(0)}), vec3<real>{0, 1, 0}), rounding<S>(2));
    EXPECT_EQ((pose<S, TypeParam>{}.point(vec3<S>{S(1), S(2), S(3)})), (vec3<S>{S(1), S(2), S(3)}));
}

TYPED_TEST(poses, there_and_back) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 50; ++i) {
        auto const p = random_pose<TypeParam>(random);
        vec3<S> const r = random_direction<S>(random);
        EXPECT_LE(difference(p.local_point(p.point(r)), r), rounding<S>(16));
        EXPECT_LE(difference(p.local_direction(p.direction(r)), r), rounding<S>(12));
        EXPECT_LE(difference(inverse(p).point(p.point(r)), r), rounding<S>(20));
        EXPECT_LE(difference(inverse(p).point(r), p.local_point(r)), rounding<S>(20));
    }
}

TYPED_TEST(poses, composition) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 50; ++i) {
        auto const a = random_pose<TypeParam>(random), b = random_pose<TypeParam>(random), c = random_pose<TypeParam>(random);
        vec3<S> const r = random_direction<S>(random);
        EXPECT_LE(difference((a * b).point(r), a.point(b.point(r))), rounding<S>(40));
        EXPECT_LE(difference(((a * b) * c).point(r), (a * (b * c)).point(r)), rounding<S>(60));
        EXPECT_LE(difference((a * inverse(a)).point(r), r), rounding<S>(40));
        EXPECT_LE(difference(inverse(a * b).point(r), (inverse(b) * inverse(a)).point(r)), rounding<S>(60));
    }
}

constexpr pose<double> half_turn{{1, 0, 0}, {0, 0, 0, 1}};
static_assert(half_turn.point(vec3<double>{1, 2, 3}) == vec3<double>{0, -2, 3});
static_assert(half_turn.local_point(vec3<double>{0, -2, 3}) == vec3<double>{1, 2, 3});
static_assert((half_turn * half_turn).position == vec3<double>{0, 0, 0});

}  // namespace
