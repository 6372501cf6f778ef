// Slider: derivatives, momentum, and the one slide that it leaves.

#include <sinew/constraint/slider.hpp>

#include <constraint/cases/slider.hpp>
#include <constraint/conformance_suite.hpp>
#include <constraint/joint_scene.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;
using namespace joint_scene;

INSTANTIATE_TYPED_TEST_SUITE_P(slider, Conformance, on_all_rotations<slider_case>);

TEST(slider, leaves_one_relative_degree_of_freedom) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto const c = slider_joint<double>::at(s.a, s.b, s.anchor, s.axis);
        auto const J = c.jacobian(s.a, s.b);
        EXPECT_EQ(rank_of(J), 5);
        EXPECT_LE(norm(J * stacked<double>({}, {s.axis, {}})), 1e-14);
        EXPECT_LE(norm(c.error(s.a, s.moved_b(-7.0 * s.axis))), 1e-14);
        // Turned about the axis: the error is that turn.
        EXPECT_NEAR(norm(c.error(s.a, s.turned_b(0.3 * s.axis))), 0.3, 1e-14);
        EXPECT_NEAR(norm(c.error(s.a, s.moved_b(orthonormal_basis(s.axis).u))), 1, 1e-14);
    }
}

TEST(slider, refuses_an_axis_without_direction) {
    scene const s(1);
    EXPECT_STREQ(slider_joint<double>::at(s.a, s.b, s.anchor, {0, 0, 0}).fault().name, "axis");
}

}  // namespace
