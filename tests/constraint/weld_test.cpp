// Weld: derivatives, momentum, and nothing left free.

#include <sinew/constraint/weld.hpp>

#include <constraint/cases/weld.hpp>
#include <constraint/conformance_suite.hpp>
#include <constraint/joint_scene.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;
using namespace joint_scene;

INSTANTIATE_TYPED_TEST_SUITE_P(weld, Conformance, on_all_rotations<weld_case>);

TEST(weld, leaves_nothing) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto const c = weld_joint<double>::at(s.a, s.b, s.anchor);
        auto const J = c.jacobian(s.a, s.b);
        EXPECT_EQ(rank_of(J), 6);
        EXPECT_NEAR(norm(c.error(s.a, s.turned_b(0.3 * s.axis))), 0.3, 1e-14);
        EXPECT_NEAR(norm(c.error(s.a, s.moved_b(0.3 * s.axis))), 0.3, 1e-14);
        // Both together move as one rigid body.
        V const v{1, 2, 3}, w{4, 5, 6};
        EXPECT_LE(norm(J * stacked<double>({v + cross(w, s.a.position), w}, {v + cross(w, s.b.position), w})), 1e-13);
    }
}

TEST(weld, refuses_what_is_no_rotation) {
    weld_joint<double> c{};
    c.orientation.relative = {2, 0, 0, 0};
    EXPECT_STREQ(c.fault().name, "relative");
}

}  // namespace
