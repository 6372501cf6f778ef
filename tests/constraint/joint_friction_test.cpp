// Dry friction in a joint: its derivatives and momentum, and that it brakes by its bound, then holds.

#include <sinew/sinew.hpp>

#include <constraint/cases/joint_friction.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(joint_friction, Conformance, on_all_rotations<joint_friction_case>);

struct config : default_config {
    using scalar = double;
    using solver = nonlinear_gauss_seidel;
};

TEST(joint_friction, brakes_by_its_torque_and_then_holds) {
    for (auto where : {velocity_rows::in_loop, velocity_rows::after}) {
        world<config, joint_friction> w;
        w.gravity = {0, 0, 0};
        w.solver.velocity = where;
        rigid_body<double> b;
        b.inertia = diagonal(2.0, 2.0, 2.0);
        b.twist.angular = {0, 3, 0};
        auto const h = w.add(b);
        auto const friction = w.add(joint_friction<double>{4}, w.ground(), h);
        // omega - T t / I: 3 - 2 t
        for (int i = 0; i < 100; ++i) ASSERT_TRUE(w.step(0.01));
        EXPECT_NEAR(w.twist(h).angular.y(), 1, 1e-9);
        EXPECT_NEAR(w.multipliers(friction)[1], -4, 1e-12);
        for (int i = 0; i < 100; ++i) ASSERT_TRUE(w.step(0.01));
        EXPECT_NEAR(norm(w.twist(h).angular), 0, 1e-12);
        // It holds against less than its bound, and gives way to more.
        w.apply_wrench(h, {{0, 0, 0}, {0, 3.9, 0}});
        ASSERT_TRUE(w.step(0.01));
        EXPECT_NEAR(norm(w.twist(h).angular), 0, 1e-12);
        w.apply_wrench(h, {{0, 0, 0}, {0, 5, 0}});
        ASSERT_TRUE(w.step(0.01));
        EXPECT_NEAR(w.twist(h).angular.y(), (5 - 4) * 0.01 / 2, 1e-12);
    }
}
TEST(joint_friction, refuses_a_negative_torque) {
    EXPECT_STREQ(joint_friction<double>{-1}.fault().name, "max_torque");
    EXPECT_EQ(joint_friction<double>{}.fault().name, nullptr);
    EXPECT_EQ(joint_friction<double>{0}.fault().name, nullptr);
}

}  // namespace
