// Spring and damper as a compliant constraint: derivatives and momentum; its force is that of the explicit spring.

#include <sinew/constraint/spring_damper.hpp>

#include <sinew/body/spring.hpp>

#include <constraint/cases/spring_damper.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(spring_damper, Conformance, on_all_rotations<spring_damper_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_spring_damper, Conformance, on_all_rotations<particle_spring_damper_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_body_spring_damper, Conformance, on_all_rotations<particle_body_spring_damper_case>);

using V = vec3<double>;
using body = rigid_body<double>;

// lambda = -c / compliance - damping c_dot gives, as J^T lambda, the wrenches of the force of the same name.
TEST(spring_damper, is_the_spring_force) {
    splitmix64 random{17};
    SCOPED_TRACE("seed 17");
    for (int i = 0; i < 100; ++i) {
        body a, b;
        a.pose = random_pose<rigid, quaternion<double>>(random, 1.0);
        b.pose = random_pose<rigid, quaternion<double>>(random, 1.0);
        a.twist = random_twist<rigid, double>(random, 1.0);
        b.twist = random_twist<rigid, double>(random, 1.0);
        spring_damper<double> const c{random_vector(random, 1.0), random_vector(random, 1.0), 0.7, 30, 4};
        spring<double> const force{c.anchor_a, c.anchor_b, c.rest_length, c.spring_rate, c.damper_rate};
        auto const J = c.jacobian(a.pose, b.pose);
        double const c_dot = (J * stacked(a.twist, b.twist))[0];
        double const lambda = -c.error(a.pose, b.pose) / compliance_of<double>(c)[0] - damping_of<double>(c)[0] * c_dot;
        auto const w = force.wrenches(a, b, 0.0);
        vec<double, 12> const expected{w[0].force.x(),  w[0].force.y(),  w[0].force.z(),  w[0].torque.x(), w[0].torque.y(), w[0].torque.z(),
                                       w[1].force.x(),  w[1].force.y(),  w[1].force.z(),  w[1].torque.x(), w[1].torque.y(), w[1].torque.z()};
        EXPECT_LE(norm(transpose_times(J, vec<double, 1>{lambda}) - expected), 1e-12 * norm(expected)) << i;
    }
}

TEST(spring_damper, is_soft_at_compile_time) {
    static_assert(has_compliance<spring_damper<double>> && has_damping<spring_damper<double>>);
    constexpr particle_spring_damper<double> c{{}, {}, 1, 50, 3};
    static_assert(compliance_of<double>(c)[0] == 1.0 / 50);
    static_assert(damping_of<double>(c)[0] == 3);
    // Two-sided: it pushes and pulls.
    static_assert(!is_bounded_v<spring_damper<double>, double>);
}

TEST(spring_damper, at_rest_where_it_was_made) {
    particle_pose<double> const a{{0, 0, 0}}, b{{0, 3, 4}};
    auto const c = particle_spring_damper<double>::at(a, b, {}, {}, 10.0, 1.0);
    EXPECT_EQ(c.rest_length, 5);
    EXPECT_EQ(c.error(a, b), 0);
    EXPECT_EQ(c.error(a, particle_pose<double>{{0, 0, 7}}), 2);
}

TEST(spring_damper, refuses_what_no_spring_has) {
    spring_damper<double> c{};
    EXPECT_EQ(c.fault().name, nullptr);
    for (double const k : {0.0, -1.0, infinity_v<double>}) {
        c.spring_rate = k;
        EXPECT_STREQ(c.fault().name, "spring_rate");
    }
    c.spring_rate = 1;
    for (double const nu : {-1.0, infinity_v<double>}) {
        c.damper_rate = nu;
        EXPECT_STREQ(c.fault().name, "damper_rate");
    }
    c.damper_rate = 0;
    c.rest_length = -1;
    EXPECT_STREQ(c.fault().name, "rest_length");
}

}  // namespace
