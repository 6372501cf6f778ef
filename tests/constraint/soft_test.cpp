// Soft joints: the joint's own values, passed on; compliance and damping of each row.

#include <sinew/constraint/soft.hpp>

#include <sinew/constraint/distance.hpp>
#include <sinew/constraint/hinge.hpp>
#include <sinew/constraint/knife_edge.hpp>
#include <sinew/constraint/linear_limit.hpp>

#include <constraint/cases/soft.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

template <class S>
using soft_rope = soft_joint<S, particle_rope>;
template <class S>
using soft_stop = soft_joint<S, linear_limit>;

INSTANTIATE_TYPED_TEST_SUITE_P(soft_hinge, Conformance, on_all_rotations<soft_hinge_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(soft_knife_edge, Conformance, on_all_rotations<soft_blade_case>);

using V = vec3<double>;
using body = pose<double>;

TEST(soft_joint, is_the_joint_with_softer_rows) {
    splitmix64 random{1};
    auto const a = random_pose<rigid, quaternion<double>>(random, 1.0), b = random_pose<rigid, quaternion<double>>(random, 1.0);
    auto const hinge = hinge_joint<double>::at(a, b, random_vector(random, 1.0), random_direction<double>(random));
    auto const c = soft_hinge<double>::with(hinge, 0.25, 3);
    auto const moved = random_pose<rigid, quaternion<double>>(random, 1.0);
    EXPECT_EQ(c.error(a, moved), hinge.error(a, moved));
    EXPECT_EQ(c.jacobian(a, moved), hinge.jacobian(a, moved));
    auto const ta = random_twist<rigid, double>(random, 1.0), tb = random_twist<rigid, double>(random, 1.0);
    EXPECT_EQ(c.jacobian_rate(a, moved, ta, tb), hinge.jacobian_rate(a, moved, ta, tb));
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(compliance_of<double>(c)[i], 0.25);
        EXPECT_EQ(damping_of<double>(c)[i], 3);
    }
    static_assert(has_compliance<soft_hinge<double>> && !has_compliance<hinge_joint<double>>);
    static_assert(soft_hinge<double>::rows == 5 && std::same_as<soft_hinge<double>::attachments, hinge_joint<double>::attachments>);
}

TEST(soft_joint, rows_may_differ) {
    soft_hinge<double> c{};
    c.row_compliance = {0, 0, 0, 0.5, 0.25};
    EXPECT_EQ(compliance_of<double>(c), (vec<double, 5>{0, 0, 0, 0.5, 0.25}));
    EXPECT_EQ(damping_of<double>(c), (vec<double, 5>{}));
    EXPECT_NE(c, soft_hinge<double>{});
}

TEST(soft_joint, stays_what_the_joint_is) {
    // One-sided, with fixed limits and with limits that depend on the poses.
    static_assert(is_bounded_v<soft_rope<double>, double> && is_bounded_v<soft_stop<double>, double> && !is_bounded_v<soft_hinge<double>, double>);
    soft_rope<double> const rope = soft_rope<double>::with(particle_rope<double>{{}, {}, 1}, 0.1);
    auto const l = limits_of(rope, vec<double, 1>{}, particle_pose<double>{}, particle_pose<double>{});
    EXPECT_EQ(l.lower[0], 0);
    EXPECT_EQ(l.upper[0], infinity_v<double>);
    soft_stop<double> const stop = soft_stop<double>::with(linear_limit<double>{{}, {}, {0, 0, 1}, 0, 1}, 0.1);
    EXPECT_EQ(limits_of(stop, vec<double, 1>{}, body{}, body{{0, 0, 2}, {}}).upper[0], 0);
    EXPECT_EQ(limits_of(stop, vec<double, 1>{}, body{}, body{{0, 0, -2}, {}}).lower[0], 0);
    // Of velocities only.
    static_assert(!is_holonomic_v<soft_blade<double>, double> && has_rate<soft_blade<double>, double> && is_holonomic_v<soft_hinge<double>, double>);
}

TEST(soft_joint, passes_the_joints_faults_on_and_adds_its_own) {
    body const p{};
    auto const none = hinge_joint<double>::at(p, p, {}, {});
    EXPECT_STREQ(soft_hinge<double>::with(none, 0.1).fault().name, none.fault().name);
    EXPECT_EQ((soft_hinge<double>::with(hinge_joint<double>{}, 0.1).fault().name), nullptr);
    EXPECT_STREQ((soft_hinge<double>::with(hinge_joint<double>{}, -0.1).fault().name), "compliance");
    EXPECT_STREQ((soft_hinge<double>::with(hinge_joint<double>{}, 0.1, -1).fault().name), "damping");
    soft_hinge<double> c{};
    c.row_compliance[4] = -2;
    EXPECT_STREQ(c.fault().name, "compliance");
    EXPECT_EQ(c.fault().value, -2);
}

}  // namespace
