// Rod and rope between all kinds of bodies.

#include <sinew/constraint/distance.hpp>

#include <constraint/cases/distance.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(distance, Conformance, on_all_rotations<distance_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_distance, Conformance, on_all_rotations<particle_distance_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(rope, Conformance, on_all_rotations<rope_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_body_rope, Conformance, on_all_rotations<particle_body_rope_case>);

using V = vec3<double>;

TEST(distance, measures_what_is_missing_or_too_much) {
    particle_distance<double> const c{{}, {}, 2};
    EXPECT_EQ(c.error(particle_pose<double>{{3, 0, 0}}, particle_pose<double>{}), 1);
    EXPECT_EQ(c.error(particle_pose<double>{{0, 1, 0}}, particle_pose<double>{}), -1);
}

// A particle on a rod, in circular motion: lambda = -m v^2 / l keeps it there, since J v_dot + J_dot v = 0.
TEST(distance, circular_motion_needs_the_centripetal_force) {
    double const l = 2, v = 3, m = 5;
    particle_distance<double> const c{{}, {}, l};
    particle_pose<double> const a{{l, 0, 0}}, b{};
    double const J_dot_v = c.jacobian_rate(a, b, particle_twist<double>{{0, v, 0}}, particle_twist<double>{});
    EXPECT_DOUBLE_EQ(J_dot_v, v * v / l);
    double const lambda = -J_dot_v * m;
    EXPECT_DOUBLE_EQ(lambda, -m * v * v / l);
}

TEST(distance, collapsed_rod_stays_finite) {
    splitmix64 random{1};
    EXPECT_TRUE(is_finite_at(particle_distance<double>{{}, {}, 1}, random, particle_pose<double>{}, particle_pose<double>{}));
    EXPECT_EQ((particle_distance<double>{{}, {}, 1}.jacobian(particle_pose<double>{}, particle_pose<double>{})), (mat<double, 1, 6>{}));
}

TEST(rope, only_pulls) {
    particle_rope<double> const c{{}, {}, 2};
    particle_pose<double> const far{{3, 0, 0}}, near{{1, 0, 0}}, origin{};
    EXPECT_LT(c.error(far, origin), 0);  // violated
    EXPECT_GT(c.error(near, origin), 0);
    auto const l = limits_of(c, vec<double, 1>{}, far, origin);
    EXPECT_EQ(l.lower[0], 0);
    EXPECT_EQ(l.upper[0], infinity_v<double>);
    // lambda > 0 pulls a back.
    EXPECT_EQ(c.jacobian(far, origin)(0, 0), -1);
    static_assert(is_bounded_v<particle_rope<double>, double> && !is_bounded_v<particle_distance<double>, double>);
}

TEST(distance, refuses_a_negative_length) {
    EXPECT_STREQ((distance<double>{{}, {}, -1}.fault().name), "length");
    EXPECT_EQ((distance<double>{{}, {}, -1}.fault().value), -1);
    EXPECT_STREQ((rope<double>{{}, {}, -1}.fault().name), "length");
    EXPECT_EQ((rope<double>{{}, {}, 0}.fault().name), nullptr);
}

}  // namespace
