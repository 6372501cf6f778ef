// Universal joint: derivatives, momentum, and the two turns that it leaves.

#include <sinew/constraint/universal.hpp>

#include <constraint/cases/universal.hpp>
#include <constraint/conformance_suite.hpp>
#include <constraint/joint_scene.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;
using namespace joint_scene;

INSTANTIATE_TYPED_TEST_SUITE_P(universal, Conformance, on_all_rotations<universal_case>);

TEST(universal, leaves_the_turns_about_the_bars_of_the_cross) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto const bars = orthonormal_basis(s.axis);
        auto const c = universal_joint<double>::at(s.a, s.b, s.anchor, bars.u, bars.v);
        auto const J = c.jacobian(s.a, s.b);
        EXPECT_EQ(rank_of(J), 4);
        EXPECT_LE(norm(J * stacked<double>({}, s.turning(bars.u))), 1e-14);
        EXPECT_LE(norm(J * stacked<double>({}, s.turning(bars.v))), 1e-14);
        // A turn about the shaft is carried over: it is an error of the same size.
        EXPECT_NEAR(norm(J * stacked<double>({}, s.turning(s.axis))), 1, 1e-14);
    }
}

TEST(universal, stays_satisfied_while_the_shaft_bends) {
    scene const s(3);
    auto const bars = orthonormal_basis(s.axis);
    auto const c = universal_joint<double>::at(s.a, s.b, s.anchor, bars.u, bars.v);
    // First about the bar of b, then about that of a, which stays where it is.
    for (double const first : {-1.0, 0.2, 1.3})
        for (double const second : {-1.2, 0.4, 3.0}) {
            auto const turn = quaternion_exp(bars.u * second) * quaternion_exp(bars.v * first);
            EXPECT_LE(norm(c.error(s.a, s.turned_b(log(turn)))), 1e-14);
        }
}

TEST(universal, refuses_a_bar_without_direction) {
    scene const s(1);
    EXPECT_STREQ(universal_joint<double>::at(s.a, s.b, s.anchor, {1, 0, 0}, {0, 0, 0}).fault().name, "axis_b");
}

}  // namespace
