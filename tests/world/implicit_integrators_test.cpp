// Implicit integrators solve the equations of motion of a world to rounding, whatever solves for the multipliers: also where that leaves some noise of
// its own, and where some numbers of the state are next to nothing beside the others.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace sinew;

template <class Linear, template <class> class Rotation, class Integrator>
struct config : default_config {
    using scalar = double;
    using solver = lagrange_multipliers<Linear>;
    using integrator = Integrator;
    template <class S>
    using rotation = Rotation<S>;
};
// A hinge and a slider with drag; gravity pulls along the hinge too, which bears it.
template <class Linear, template <class> class Rotation, class Integrator>
vec3<double> end_of_arm(int hertz) {
    using R = Rotation<double>;
    world<config<Linear, Rotation, Integrator>, hinge_joint, slider_joint, linear_drag> w;
    w.gravity = {2.943, -9.81, 0.2};
    auto const a = w.add(rigid_body_of(solid_box(1.3, vec3<double>{0.9, 0.1, 0.2}), pose<double, R>{{0.45, 0, 0}, R::identity()}));
    w.add(hinge_joint<double>::at(w.pose(w.ground()), w.pose(a), {}, {0, 0, 1}), w.ground(), a);
    auto const b = w.add(rigid_body_of(solid_box(1.0, vec3<double>{1, 0.1, 0.2}), pose<double, R>{{1.4, 0, 0}, R::identity()}));
    w.add(slider_joint<double>::at(w.pose(a), w.pose(b), {0.9, 0, 0}, {1, 0, 0}), a, b);
    w.add(linear_drag<double>{0.11, 0.022});
    for (int i = 0; i < hertz; ++i) {
        auto const r = w.step(1.0 / hertz);
        EXPECT_EQ(r.status, step_status::ok) << "step " << i;
        if (!r) break;
    }
    return w.position(b);
}
// Yields how far the results by quaternions and by rotation vectors are apart, m: they have other errors of the integrator.
template <class Integrator>
double expect_the_same_of_all(int hertz) {
    SCOPED_TRACE(testing::Message() << hertz << " Hz");
    vec3<double> const expected = end_of_arm<cholesky, quaternion, Integrator>(hertz);
    for (vec3<double> const& found : {end_of_arm<conjugate_gradient, quaternion, Integrator>(hertz), end_of_arm<ldlt, quaternion, Integrator>(hertz),
                                      end_of_arm<sparse_ldlt, quaternion, Integrator>(hertz)})
        EXPECT_LT(norm(found - expected), 1e-9);
    vec3<double> const by_vector = end_of_arm<cholesky, rotation_vector, Integrator>(hertz);
    EXPECT_LT(norm(end_of_arm<conjugate_gradient, rotation_vector, Integrator>(hertz) - by_vector), 1e-9);
    EXPECT_LT(norm(by_vector - expected), 1e-4);
    return norm(by_vector - expected);
}
TEST(implicit_midpoint_in_a_world, is_solved_whatever_solves_for_the_multipliers) {
    double const coarse = expect_the_same_of_all<implicit_midpoint>(128), fine = expect_the_same_of_all<implicit_midpoint>(512);
    EXPECT_NEAR(coarse / fine, 4 * 4, 4);  // as h^2
}
TEST(implicit_euler_in_a_world, is_solved_whatever_solves_for_the_multipliers) {
    double const coarse = expect_the_same_of_all<implicit_euler>(64), fine = expect_the_same_of_all<implicit_euler>(512);
    EXPECT_NEAR(coarse / fine, 8 * 8, 16);  // too
}

// A wheel that turns by several radians in a step: what an implicit integrator makes of a quaternion is linear in it, and has a solution however far that is. An angle of
// which it takes the tangent: of a quarter of the turn by implicit midpoint, of half of it by implicit Euler.
template <class Integrator>
void expect_fast_wheels_turn(auto const& angle_of) {
    for (double const turn : {0.5, 2.05, 3.0, 4.2, 6.0}) {
        SCOPED_TRACE(testing::Message() << turn << " rad in a step");
        double const h = 1.0 / 60;
        world<config<sparse_ldlt, quaternion, Integrator>, hinge_joint> w;
        w.gravity = {};
        auto wheel = rigid_body_of(solid_box(1.0, vec3<double>{1, 1, 0.2}), pose<double>{});
        wheel.twist.angular = {0, 0, turn / h};
        auto const b = w.add(wheel);
        w.add(hinge_joint<double>::at(w.pose(w.ground()), w.pose(b), vec3<double>{}, vec3<double>{0, 0, 1}), w.ground(), b);
        for (int i = 1; i <= 5; ++i) {
            ASSERT_EQ(w.step(h).status, step_status::ok) << "step " << i;
            auto const q = w.pose(b).rotation;
            double const angle = i * angle_of(turn);  // of the half turn
            EXPECT_NEAR(q.w * std::sin(angle) - q.z * std::cos(angle), 0, 1e-9) << "step " << i;
        }
    }
}
TEST(implicit_midpoint_in_a_world, turns_fast_wheels) {
    expect_fast_wheels_turn<implicit_midpoint>([](double turn) { return 2 * std::atan(turn / 4); });
}
TEST(implicit_euler_in_a_world, turns_fast_wheels) {
    expect_fast_wheels_turn<implicit_euler>([](double turn) { return std::atan(turn / 2); });
}

}  // namespace
