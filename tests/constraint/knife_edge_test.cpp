// Knife edge: derivatives and momentum; what it forbids and what it leaves; the skate on an incline.

#include <sinew/constraint/knife_edge.hpp>

#include <constraint/cases/knife_edge.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(knife_edge, Conformance, on_all_rotations<knife_edge_case>);

using V = vec3<double>;
using body = pose<double>;

TEST(knife_edge, is_a_constraint_of_velocity) {
    static_assert(!is_holonomic_v<knife_edge<double>, double> && has_rate<knife_edge<double>, double>);
}

TEST(knife_edge, forbids_sideways_motion_only) {
    splitmix64 random{5};
    auto const a = random_pose<rigid, quaternion<double>>(random, 1.0), b = random_pose<rigid, quaternion<double>>(random, 1.0);
    V const point = random_vector(random, 1.0), across = random_direction<double>(random);
    auto const other = orthonormal_basis(across);
    auto const c = knife_edge<double>::at(a, b, point, 3.0 * across);
    twist<double> const still{};
    EXPECT_NEAR(c.rate(a, b, still, twist<double>{across * 2.0, {}}), 2, 1e-14);
    EXPECT_NEAR(c.rate(a, b, still, twist<double>{other.u, {}}), 0, 1e-15);
    EXPECT_NEAR(c.rate(a, b, still, twist<double>{other.v, {}}), 0, 1e-15);
    // Turning about its point, in any way.
    V const omega = random_vector(random, 1.0);
    EXPECT_NEAR(c.rate(a, b, still, twist<double>{cross(omega, b.position - point), omega}), 0, 1e-14);
    // Carried along with the ice.
    EXPECT_NEAR(c.rate(a, b, twist<double>{cross(omega, a.position), omega}, twist<double>{cross(omega, b.position), omega}), 0, 1e-14);
}

// A skate that spins freely on an incline does not slide down: x = g' / (2 w^2) sin^2(w t) down the slope, and it drifts
// sideways, y = g' / (2 w^2) (w t - sin(2 w t) / 2) (Neimark and Fufaev 1972, III.1).
TEST(knife_edge, spinning_skate_does_not_slide_down) {
    double const down = 3, w = 2;  // m/s^2 along x, rad/s
    body const ground{};
    knife_edge<double> const c{{}, {0, 1, 0}};
    struct state {
        V x, v;
        double phi;
    };
    auto const derivative = [&](state const& s) -> state {
        body const skate{s.x, rotation_about<quaternion<double>>(V{0, 0, 1}, s.phi)};
        twist<double> const t{s.v, {0, 0, w}};
        auto const J = c.jacobian(ground, skate);
        V const n{J(0, 6), J(0, 7), J(0, 8)};
        // Unit mass: n . (g + n lambda) + J_dot v = 0; the force has no moment about the centre of mass.
        double const lambda = -(dot(n, V{down, 0, 0}) + c.jacobian_rate(ground, skate, {}, t));
        return {s.v, V{down, 0, 0} + n * lambda, w};
    };
    auto const moved = [](state const& s, state const& k, double h) -> state { return {s.x + k.x * h, s.v + k.v * h, s.phi + k.phi * h}; };
    state s{{}, {}, 0};
    double const h = 0.001;
    for (int i = 1; i <= 5000; ++i) {
        state const k1 = derivative(s), k2 = derivative(moved(s, k1, h / 2)), k3 = derivative(moved(s, k2, h / 2)), k4 = derivative(moved(s, k3, h));
        s = moved(moved(moved(moved(s, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
        if (i % 500 != 0) continue;
        double const t = i * h, k = down / (2 * w * w);
        EXPECT_NEAR(s.x.x(), k * sin(w * t) * sin(w * t), 1e-10) << t;
        EXPECT_NEAR(s.x.y(), k * (w * t - sin(2 * w * t) / 2), 1e-10) << t;
        body const skate{s.x, rotation_about<quaternion<double>>(V{0, 0, 1}, s.phi)};
        EXPECT_NEAR(c.rate(ground, skate, twist<double>{}, twist<double>{s.v, {0, 0, w}}), 0, 1e-10);
    }
}

TEST(knife_edge, refuses_a_blade_without_direction) {
    body const p{};
    EXPECT_STREQ(knife_edge<double>::at(p, p, {}, {}).fault().name, "across");
    EXPECT_EQ(knife_edge<double>{}.fault().name, nullptr);
}

}  // namespace
