// Hinge: its derivatives and momentum; that exactly one relative degree of freedom is left, and which.

#include <sinew/constraint/hinge.hpp>

#include <constraint/cases/hinge.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(hinge, Conformance, on_all_rotations<hinge_case>);

using V = vec3<double>;
using body = pose<double>;

struct scene {
    body a, b;
    V anchor, axis;
    hinge_joint<double> hinge;
    explicit scene(std::uint64_t seed) {
        splitmix64 random{seed};
        a = random_pose<rigid, quaternion<double>>(random, 1.0);
        b = random_pose<rigid, quaternion<double>>(random, 1.0);
        anchor = random_vector(random, 1.0);
        axis = random_direction<double>(random);
        hinge = hinge_joint<double>::at(a, b, anchor, 3.0 * axis);
    }
};

TEST(hinge, leaves_one_relative_degree_of_freedom) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto const J = s.hinge.jacobian(s.a, s.b);
        EXPECT_EQ(rank_of(J), 5);
        // The one that is left: b turns about the axis through the anchor.
        twist<double> const turning{cross(s.axis, s.b.position - s.anchor), s.axis};
        EXPECT_LE(norm(J * stacked<double>({}, turning)), 1e-14);
        // Both together move as one rigid body.
        twist<double> const common_a{V{1, 2, 3} + cross(V{4, 5, 6}, s.a.position), V{4, 5, 6}};
        twist<double> const common_b{V{1, 2, 3} + cross(V{4, 5, 6}, s.b.position), V{4, 5, 6}};
        EXPECT_LE(norm(J * stacked(common_a, common_b)), 1e-13);
    }
}

TEST(hinge, stays_satisfied_while_it_turns) {
    scene const s(7);
    for (int degrees = -180; degrees <= 180; degrees += 15) {
        auto const turn = rotation_about<quaternion<double>>(s.axis, degrees * pi_v<double> / 180);
        body const b{s.anchor + rotate(turn, s.b.position - s.anchor), turn * s.b.rotation};
        auto const c = s.hinge.error(s.a, b);
        for (double const x : c.e) EXPECT_NEAR(x, 0, 1e-14);
    }
}

TEST(hinge, small_tilt_is_measured_in_radians) {
    scene const s(3);
    double const tilt = 1e-6;
    auto const across = orthonormal_basis(s.axis);
    auto const turn = quaternion_exp(across.u * tilt);
    body const b{s.anchor + rotate(turn, s.b.position - s.anchor), turn * s.b.rotation};
    auto const c = s.hinge.error(s.a, b);
    EXPECT_NEAR(norm(V{c[0], c[1], c[2]}), 0, 1e-14);
    EXPECT_NEAR(sqrt(c[3] * c[3] + c[4] * c[4]), tilt, 1e-14);
}

TEST(hinge, refuses_an_axis_without_direction) {
    scene const s(1);
    auto const none = hinge_joint<double>::at(s.a, s.b, s.anchor, V{0, 0, 0});
    ASSERT_NE(none.fault().name, nullptr);
    EXPECT_STREQ(none.fault().name, "axis_a");
    EXPECT_EQ(none.fault().value, 0);
    hinge_joint<double> bare{};
    bare.axes.axis_b = {1, 1, 0};
    EXPECT_STREQ(bare.fault().name, "axis_b");
    EXPECT_EQ(hinge_joint<double>{}.fault().name, nullptr);
}

constexpr bool works_at_compile_time() {
    pose<double> const a{}, b{{1, 0, 0}, {}};
    auto const h = hinge_joint<double>::at(a, b, {0.5, 0, 0}, {0, 0, 2});
    auto const J = h.jacobian(a, b);
    return h.error(a, b) == vec<double, 5>{} && J == derived_jacobian(h, a, b);
}
static_assert(works_at_compile_time());

}  // namespace
