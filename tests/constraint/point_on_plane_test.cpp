// A point on a plane of another body: derivatives, momentum, sign, what is left free.

#include <sinew/constraint/point_on_plane.hpp>

#include <constraint/cases/point_on_plane.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(point_on_plane, Conformance, on_all_rotations<plane_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_on_plane, Conformance, on_all_rotations<particle_plane_case>);

using V = vec3<double>;

TEST(point_on_plane, is_the_height_above_it) {
    particle_on_plane<double> const c{{0, 0, 1}, {}, {0, 0, 1}};
    EXPECT_EQ(c.error(pose<double>{}, particle_pose<double>{{7, -3, 1.5}}), 0.5);
    EXPECT_EQ(c.error(pose<double>{{0, 0, 2}, {}}, particle_pose<double>{{7, -3, 1.5}}), -1.5);
    // lambda > 0 pushes the particle along the normal, and the body that carries the plane the other way.
    auto const J = c.jacobian(pose<double>{}, particle_pose<double>{{7, -3, 1.5}});
    EXPECT_EQ(J, (mat<double, 1, 9>{0, 0, -1, 3, 7, 0, 0, 0, 1}));
}

// In a plane that turns with the constant rate omega, a particle at rest at distance x from the axis comes nearer the
// plane's normal with omega^2: here n = y, the plane turns about z.
TEST(point_on_plane, jacobian_rate_on_a_turning_plane) {
    particle_on_plane<double> const c{{}, {}, {0, 1, 0}};
    double const omega = 3, x = 2, y = 0.5;
    double const r = c.jacobian_rate(pose<double>{}, particle_pose<double>{{x, y, 0}}, twist<double>{{}, {0, 0, omega}}, particle_twist<double>{});
    EXPECT_DOUBLE_EQ(r, -omega * omega * y);
}

TEST(point_on_plane, refuses_a_normal_without_direction) {
    EXPECT_STREQ((particle_on_plane<double>{{}, {}, {0, 0, 0}}.fault().name), "normal");
}

}  // namespace
