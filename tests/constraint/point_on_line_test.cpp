// A point on a line of another body.

#include <sinew/constraint/point_on_line.hpp>

#include <constraint/cases/point_on_line.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(point_on_line, Conformance, on_all_rotations<line_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_on_line, Conformance, on_all_rotations<particle_line_case>);

TEST(point_on_line, is_the_distance_from_it) {
    particle_on_line<double> const c{{}, {}, {0, 0, 1}};
    auto const e = c.error(pose<double>{}, particle_pose<double>{{3, 4, 100}});
    EXPECT_DOUBLE_EQ(norm(e), 5);
    EXPECT_EQ(c.error(pose<double>{}, particle_pose<double>{{0, 0, -100}}), (vec<double, 2>{}));
    EXPECT_EQ(rank_of(c.jacobian(pose<double>{}, particle_pose<double>{{3, 4, 100}})), 2);
}

// A bead that slides outwards on a line turning with omega: the Coriolis term 2 omega v, across the line.
TEST(point_on_line, jacobian_rate_has_the_coriolis_term) {
    particle_on_line<double> const c{{}, {}, {1, 0, 0}};
    double const omega = 3, v = 2;
    auto const r = c.jacobian_rate(pose<double>{}, particle_pose<double>{{5, 0, 0}}, twist<double>{{}, {0, 0, omega}}, particle_twist<double>{{v, 5 * omega, 0}});
    // y_ddot needed is 2 omega v; J_dot v is its negative along y, whichever of the two rows that is.
    auto const across = orthonormal_basis(c.axis);
    EXPECT_NEAR(dot(across.u * r[0] + across.v * r[1], vec3<double>{0, 1, 0}), -2 * omega * v, 1e-13);
}

TEST(point_on_line, refuses_an_axis_without_direction) {
    EXPECT_STREQ((particle_on_line<double>{{}, {}, {0, 0, 0}}.fault().name), "axis");
}

}  // namespace
