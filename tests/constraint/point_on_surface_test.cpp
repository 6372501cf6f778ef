// A point on a user's surface: derivatives; what is free; known curvature; faces a particle and a body alike.

#include <sinew/constraint/point_on_surface.hpp>

#include <constraint/cases/point_on_surface.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

struct sphere {
    double radius = 1;
    constexpr auto operator()(auto const& p) const { return norm(p) - radius; }
    constexpr bool operator==(sphere const&) const = default;
};
/// The torus of radii 1 and 0.1 about z.
struct torus {
    constexpr auto operator()(auto const& p) const {
        auto const rho = sqrt(p.x() * p.x() + p.y() * p.y()) - 1.0;
        return sqrt(rho * rho + p.z() * p.z()) - 0.1;
    }
    constexpr bool operator==(torus const&) const = default;
};

INSTANTIATE_TYPED_TEST_SUITE_P(particle_on_surface, Conformance, on_all_rotations<particle_on_surface_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(body_point_on_surface, Conformance, on_all_rotations<body_on_surface_case>);

using V = vec3<double>;
using P = particle_pose<double>;
using T = particle_twist<double>;

TEST(point_on_surface, is_the_users_function) {
    particle_on_surface<double, sphere> const c{{}, {2}};
    EXPECT_EQ(c.error(P{{0, 3, 4}}), 3);
    EXPECT_EQ(c.error(P{{0, 0, 1}}), -1);
    // lambda > 0 pushes outward, where the function grows.
    EXPECT_EQ(c.jacobian(P{{0, 0, 1}}), (mat<double, 1, 3>{0, 0, 1}));
}

TEST(point_on_surface, body_is_held_at_its_anchor) {
    splitmix64 random{3};
    for (int i = 0; i < 20; ++i) {
        auto const b = random_pose<rigid, quaternion<double>>(random, 1.0);
        V const p = 2.0 * random_direction<double>(random);
        auto const c = body_point_on_surface<double, sphere>::at(b, p, {2});
        EXPECT_NEAR(c.error(b), 0, 1e-14);
        auto const J = c.jacobian(b);
        V const n = normalize(p);
        V const linear{J(0, 0), J(0, 1), J(0, 2)}, angular{J(0, 3), J(0, 4), J(0, 5)};
        EXPECT_LE(norm(linear - n), 1e-14);
        EXPECT_LE(norm(angular - cross(p - b.position, n)), 1e-14);
    }
}

// On a sphere the force inward is m v^2 / r; round the torus the short way m v^2 / 0.1, the long way m v^2 / 1.1.
TEST(point_on_surface, normal_acceleration_is_as_the_surface_curves) {
    double const v = 3;
    particle_on_surface<double, sphere> const ball{{}, {2}};
    EXPECT_NEAR(jacobian_rate_of(ball, std::tuple{P{{0, 0, 2}}}, std::tuple{T{{v, 0, 0}}})[0], v * v / 2, 1e-13);
    particle_on_surface<double, torus> const ring{};
    P const outermost{{1.1, 0, 0}};
    EXPECT_NEAR(ring.error(outermost), 0, 1e-15);
    EXPECT_NEAR(jacobian_rate_of(ring, std::tuple{outermost}, std::tuple{T{{0, 0, v}}})[0], v * v / 0.1, 1e-11);
    EXPECT_NEAR(jacobian_rate_of(ring, std::tuple{outermost}, std::tuple{T{{0, v, 0}}})[0], v * v / 1.1, 1e-13);
}

TEST(point_on_surface, stays_finite_where_the_surface_has_no_normal) {
    splitmix64 random{1};
    EXPECT_TRUE(is_finite_at<quaternion<double>>(particle_on_surface<double, sphere>{{}, {2}}, random, P{}));
    EXPECT_TRUE(is_finite_at<quaternion<double>>(particle_on_surface<double, torus>{}, random, P{}));
}

}  // namespace
