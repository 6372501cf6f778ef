// Cylindrical joint: derivatives, momentum, and the slide and turn that it leaves.

#include <sinew/constraint/cylindrical.hpp>

#include <constraint/cases/cylindrical.hpp>
#include <constraint/conformance_suite.hpp>
#include <constraint/joint_scene.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;
using namespace joint_scene;

INSTANTIATE_TYPED_TEST_SUITE_P(cylindrical, Conformance, on_all_rotations<cylindrical_case>);

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
