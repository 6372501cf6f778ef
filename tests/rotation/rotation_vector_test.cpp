// What is the rotation vector's own: its range, where it wraps, and its rate.

#include "rotation_cases.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sinew;
using namespace rotation_cases;

static_assert(rotation_vector<double>::dimension == 3);
static_assert(rotation_vector<double>::identity().theta == vec3<double>{0, 0, 0});

template <class S>
class rotation_vectors : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(rotation_vectors, scalars);

TYPED_TEST(rotation_vectors, wraps_past_pi_and_keeps_the_rotation) {
    using S = TypeParam;
    vec3<S> const n{S(0.36L), S(-0.48L), S(0.8L)};
    for (S const t : {S(0), S(1), S(3), S(3.15L), S(4), S(6), S(6.3L), S(8)}) {
        rotation_vector<S> const r{n * t};
        rotation_vector<S> const w = projected(r);
        EXPECT_LE(length(widened(w.theta)), 3.14159265358979323846L + rounding<S>(2));
        EXPECT_LE(difference(to_matrix(w), to_matrix(r)), rounding<S>(8)) << static_cast<double>(t);
        if (t < S(3.1L)) {
            EXPECT_EQ(w, r);
        }
    }
}

TYPED_TEST(rotation_vectors, deviation_is_what_lies_beyond_pi) {
    using S = TypeParam;
    EXPECT_EQ(deviation(rotation_vector<S>{{S(3), S(0), S(0)}}), S(0));
    EXPECT_LE(std::abs(static_cast<real>(deviation(rotation_vector<S>{{S(0), S(4), S(0)}})) - (4 - 3.14159265358979323846L)), rounding<S>(4));
}

// About a fixed axis the angle simply grows.
TYPED_TEST(rotation_vectors, rate_about_its_own_axis) {
    using S = TypeParam;
    vec3<S> const n{S(0.36L), S(-0.48L), S(0.8L)};
    for (S const t : {S(0), S(1e-8L), S(0.5L), S(2), S(3.1L), S(5)})
        EXPECT_LE(difference(coordinate_rate(rotation_vector<S>{n * t}, vec3<S>(n * S(2))), n * S(2)), rounding<S>(20)) << static_cast<double>(t);
}

// A body that turns about one axis for many turns comes through pi again and again.
TYPED_TEST(rotation_vectors, turning_on_and_on) {
    using S = TypeParam;
    vec3<S> const step{S(0), S(0), S(0.1L)};
    rotation_vector<S> r;
    for (int i = 1; i <= 1000; ++i) {
        r = turned(r, step);
        ASSERT_LE(length(widened(r.theta)), 3.14159265358979323846L + rounding<S>(4));
        real const angle = static_cast<real>(step[2]) * i;
        ASSERT_LE(difference(to_matrix(r), reference_exp({0, 0, angle})), rounding<S>(4) * i + rounding<S>(8)) << i;
    }
}

}  // namespace
