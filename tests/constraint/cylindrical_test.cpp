// Cylindrical joint: derivatives, momentum, and the slide and turn that it leaves.

#include <sinew/constraint/cylindrical.hpp>

#include <constraint/cases/cylindrical.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(cylindrical, Conformance, on_all_rotations<cylindrical_case>);

using V = vec3<double>;
using body = pose<double>;

struct scene {
    body a, b;
    V anchor, axis;
    explicit scene(std::uint64_t seed) {
        splitmix64 random{seed};
        a = random_pose<rigid, quaternion<double>>(random, 1.0);
        b = random_pose<rigid, quaternion<double>>(random, 1.0);
        anchor = random_vector(random, 1.0);
        axis = random_direction<double>(random);
    }
    // Body b in motion about a world axis through the anchor, and along a direction.
    twist<double> turning(V const& about) const { return {cross(about, b.position - anchor), about}; }
    body turned_b(V const& theta) const {
        auto const turn = quaternion_exp(theta);
        return {anchor + rotate(turn, b.position - anchor), turn * b.rotation};
    }
    body moved_b(V const& by) const { return {b.position + by, b.rotation}; }
};

TEST(cylindrical, leaves_the_axis_to_slide_and_turn) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto const c = cylindrical_joint<double>::at(s.a, s.b, s.anchor, s.axis);
        auto const J = c.jacobian(s.a, s.b);
        EXPECT_EQ(rank_of(J), 4);
        EXPECT_LE(norm(J * stacked<double>({}, s.turning(s.axis))), 1e-14);
        EXPECT_LE(norm(J * stacked<double>({}, {s.axis, {}})), 1e-14);
        EXPECT_LE(norm(c.error(s.a, s.turned_b(2.5 * s.axis))), 1e-14);
        EXPECT_LE(norm(c.error(s.a, s.moved_b(-7.0 * s.axis))), 1e-14);
        EXPECT_NEAR(norm(c.error(s.a, s.moved_b(orthonormal_basis(s.axis).u))), 1, 1e-14);
    }
}

TEST(cylindrical, refuses_an_axis_without_direction) {
    scene const s(1);
    EXPECT_STREQ(cylindrical_joint<double>::at(s.a, s.b, s.anchor, {0, 0, 0}).fault().name, "axis");
}

}  // namespace
