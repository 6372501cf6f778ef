// Pulley: derivatives and momentum; tackle; only pulls; Atwood's machine.

#include <sinew/constraint/pulley.hpp>

#include <constraint/cases/pulley.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(pulley, Conformance, on_all_rotations<pulley_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(pulley_rod, Conformance, on_all_rotations<pulley_rod_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_pulley, Conformance, on_all_rotations<particle_pulley_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_body_pulley, Conformance, on_all_rotations<particle_body_pulley_case>);

using V = vec3<double>;
using P = particle_pose<double>;
using T = particle_twist<double>;

// Two weights below two wheels of the ground.
struct atwood {
    P a{{-1, 0, -2}}, b{{1, 0, -3}};
    pose<double> ground{};
    V wheel_a{-1, 0, 0}, wheel_b{1, 0, 0};
};

TEST(pulley, tackle_divides_the_way) {
    atwood const s;
    auto const c = particle_pulley<double>::at(s.a, s.b, s.ground, s.a.position, s.wheel_a, s.b.position, s.wheel_b, 2.0);
    EXPECT_DOUBLE_EQ(c.length, 2 + 2 * 3);
    // a sinks by 1, b rises by a half.
    EXPECT_NEAR(c.error(P{{-1, 0, -3}}, P{{1, 0, -2.5}}, s.ground), 0, 1e-15);
    EXPECT_NEAR(c.error(P{{-1, 0, -3}}, s.b, s.ground), -1, 1e-15);  // violated: too little rope
    EXPECT_NEAR(c.error(P{{-1, 0, -1}}, s.b, s.ground), 1, 1e-15);   // slack
}

TEST(pulley, tension_lifts_both_sides) {
    atwood const s;
    auto const c = particle_pulley<double>::at(s.a, s.b, s.ground, s.a.position, s.wheel_a, s.b.position, s.wheel_b, 2.0);
    auto const J = c.jacobian(s.a, s.b, s.ground);
    EXPECT_DOUBLE_EQ(J(0, 2), 1);
    EXPECT_DOUBLE_EQ(J(0, 5), 2);
    EXPECT_DOUBLE_EQ(J(0, 8), -3);  // the wheels carry all of it
    auto const l = limits_of(c, vec<double, 1>{}, s.a, s.b, s.ground);
    EXPECT_EQ(l.lower[0], 0);
    EXPECT_EQ(l.upper[0], infinity_v<double>);
    static_assert(is_bounded_v<particle_pulley<double>, double> && !is_bounded_v<particle_pulley_rod<double>, double>);
}

// J M^-1 (J^T lambda + f) = 0 gives the textbook's tension 2 m_a m_b g / (m_a + m_b) and acceleration (m_a - m_b) g / (m_a + m_b).
TEST(pulley, atwoods_machine) {
    atwood const s;
    auto const c = particle_pulley_rod<double>::at(s.a, s.b, s.ground, s.a.position, s.wheel_a, s.b.position, s.wheel_b);
    double const m_a = 3, m_b = 2, g = 9.81;
    auto const J = c.jacobian(s.a, s.b, s.ground);
    EXPECT_NEAR(c.jacobian_rate(s.a, s.b, s.ground, T{{0, 0, 1}}, T{{0, 0, -1}}, twist<double>{}), 0, 1e-15);
    double const K = J(0, 2) * J(0, 2) / m_a + J(0, 5) * J(0, 5) / m_b;
    double const lambda = (J(0, 2) + J(0, 5)) * g / K;
    EXPECT_NEAR(-lambda, 2 * m_a * m_b * g / (m_a + m_b), 1e-13);
    EXPECT_NEAR(-g + J(0, 2) * lambda / m_a, -(m_a - m_b) * g / (m_a + m_b), 1e-13);
}

TEST(pulley, an_end_at_its_wheel_stays_finite) {
    splitmix64 random{1};
    atwood const s;
    auto const c = particle_pulley<double>::at(s.a, s.b, s.ground, s.a.position, s.wheel_a, s.b.position, s.wheel_b);
    EXPECT_TRUE(is_finite_at<quaternion<double>>(c, random, P{s.wheel_a}, s.b, s.ground));
    auto const J = c.jacobian(P{s.wheel_a}, s.b, s.ground);
    EXPECT_EQ(J(0, 2), 0);
    EXPECT_EQ(J(0, 5), 1);
}

TEST(pulley, refuses_a_negative_length_and_a_ratio_of_nothing) {
    pulley<double> c{};
    EXPECT_EQ(c.fault().name, nullptr);
    c.length = -1;
    EXPECT_STREQ(c.fault().name, "length");
    c.length = 1;
    c.ratio = 0;
    EXPECT_STREQ(c.fault().name, "ratio");
    c.ratio = infinity_v<double>;
    EXPECT_STREQ(c.fault().name, "ratio");
    pulley_rod<double> d{};
    d.ratio = -2;
    EXPECT_STREQ(d.fault().name, "ratio");
    EXPECT_EQ(d.fault().value, -2);
}

}  // namespace
