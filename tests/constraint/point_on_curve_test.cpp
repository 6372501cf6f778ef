// A point on a user's curve, the bead on a wire: derivatives; a planar curve in any plane; the force that bends the way.

#include <sinew/constraint/point_on_curve.hpp>

#include <constraint/cases/point_on_curve.hpp>
#include <constraint/conformance_suite.hpp>

#include <limits>
#include <string>

namespace {

using namespace sinew;
using namespace sinew_test;

struct circle {
    double radius = 1;
    constexpr auto operator()(auto const& x, auto const& y) const { return sqrt(x * x + y * y) - radius; }
    constexpr bool operator==(circle const&) const = default;
};
/// Not planar: where two cylinders about z and y meet.
struct two_cylinders {
    constexpr auto operator()(auto const& p) const {
        return stack_rows(p.x() * p.x() + p.y() * p.y() - 1.0f, p.x() * p.x() + p.z() * p.z() - 4.0f);
    }
    constexpr bool operator==(two_cylinders const&) const = default;
};

INSTANTIATE_TYPED_TEST_SUITE_P(particle_on_curve, Conformance, on_all_rotations<particle_on_curve_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(body_point_on_curve, Conformance, on_all_rotations<body_on_curve_case>);

using V = vec3<double>;
using P = particle_pose<double>;
using T = particle_twist<double>;
using wire = particle_on_curve<double, planar_curve<double, circle>>;

TEST(point_on_curve, holds_in_the_plane_and_on_the_curve) {
    wire const c{{}, {{0, 0, 5}, {1, 0, 0}, {0, 1, 0}, {2}}};
    EXPECT_EQ(c.error(P{{0, 2, 5}}), (vec<double, 2>{0, 0}));
    EXPECT_EQ(c.error(P{{3, 4, 5}}), (vec<double, 2>{3, 0}));
    EXPECT_EQ(c.error(P{{0, 2, 4}}), (vec<double, 2>{0, -1}));
    EXPECT_EQ(c.jacobian(P{{0, 2, 5}}), (mat<double, 2, 3>{0, 1, 0, 0, 0, 1}));
}

TEST(point_on_curve, leaves_the_tangent_free) {
    splitmix64 random{4};
    for (int i = 0; i < 20; ++i) {
        auto const curve = tilted_parabola<double>(random);
        double const x = random_number(random, -1.0, 1.0);
        auto const b = random_pose<rigid, quaternion<double>>(random, 1.0);
        auto const c = body_point_on_curve<double, planar_curve<double, parabola>>::at(b, point_of(curve, x), curve);
        EXPECT_EQ(rank_of(c.jacobian(b)), 2);
        V const tangent = curve.x_axis + curve.y_axis * (x / 2), omega = random_vector(random, 1.0);
        V const linear = tangent + cross(omega, b.position - point_of(curve, x));
        vec<double, 6> const v{linear.x(), linear.y(), linear.z(), omega.x(), omega.y(), omega.z()};
        EXPECT_LE(norm(c.jacobian(b) * v), 1e-14);
    }
}

// m v^2 / r inward, in the plane of the circle only (Witkin 1997, 2).
TEST(point_on_curve, centripetal_force) {
    double const r = 2, v = 3;
    wire const c{{}, {{}, {1, 0, 0}, {0, 1, 0}, {r}}};
    for (double angle = 0; angle < 6.3; angle += 0.1) {
        P const bead{{r * cos(angle), r * sin(angle), 0}};
        T const motion{{-v * sin(angle), v * cos(angle), 0}};
        auto const J_dot_v = jacobian_rate_of(c, std::tuple{bead}, std::tuple{motion});
        EXPECT_NEAR(J_dot_v[0], v * v / r, 1e-13);
        EXPECT_NEAR(J_dot_v[1], 0, 1e-15);
    }
}

TEST(point_on_curve, curve_of_two_surfaces) {
    particle_on_curve<double, two_cylinders> const c{};
    P const bead{{0.6, 0.8, sqrt(4 - 0.36)}};
    EXPECT_LE(norm(c.error(bead)), 1e-15);
    auto const J = c.jacobian(bead);
    EXPECT_EQ(rank_of(J), 2);
    // Along the curve: across both gradients.
    V const tangent = cross(V{J(0, 0), J(0, 1), J(0, 2)}, V{J(1, 0), J(1, 1), J(1, 2)});
    EXPECT_LE(norm(c.error(P{bead.position + 1e-6 * normalize(tangent)})), 1e-11);
}

TEST(point_on_curve, stays_finite_at_the_centre_of_a_circle) {
    splitmix64 random{1};
    wire const c{};
    EXPECT_TRUE(is_finite_at<quaternion<double>>(c, random, P{}));
    EXPECT_EQ(c.jacobian(P{}), (mat<double, 2, 3>{0, 0, 0, 0, 0, 1}));
}

struct ring {
    double radius = 1;
    constexpr auto operator()(auto const& p) const { return stack_rows(p.x() * p.x() + p.y() * p.y() - radius * radius, p.z()); }
    constexpr input_fault fault() const { return nonnegative_parameter("radius", radius); }
    constexpr bool operator==(ring const&) const = default;
};

TEST(point_on_curve, is_asked_for_its_faults) {
    auto const named = [](wire const& c) { return std::string(c.fault().name == nullptr ? "" : c.fault().name); };
    wire c{{}, {{0, 0, 5}, {1, 0, 0}, {0, 1, 0}, {2}}};
    EXPECT_EQ(named(c), "");
    c.curve.x_axis = {2, 0, 0};
    EXPECT_EQ(named(c), "x_axis");
    c.curve.x_axis = {0, 1, 0};
    EXPECT_EQ(named(c), "y_axis");
    c.curve = {};
    c.curve.y_axis = {};
    EXPECT_EQ(named(c), "y_axis");
    c.curve = {};
    c.curve.origin[1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(named(c), "origin");
    // The user's own.
    EXPECT_EQ((particle_on_curve<double, ring>{}.fault().name), nullptr);
    EXPECT_STREQ((particle_on_curve<double, ring>{{}, {-1}}.fault().name), "radius");
}

}  // namespace
