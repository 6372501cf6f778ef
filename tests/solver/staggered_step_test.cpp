// A step of symplectic Euler under Lagrange multipliers with feedback: velocities are those of half a step before the positions, so what turns has a speed
// towards its joint, h/2 times the acceleration, which is no error. Energy that is made where it is taken for one grows by (omega h)^2 a step.

#include <body/body_maps.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace sinew;

template <class S, class Linear>
struct config : default_config {
    using scalar = S;
    using solver = lagrange_multipliers<Linear>;
    using integrator = symplectic_euler;
};
template <class S, class L>
struct strategy {
    using scalar = S;
    using linear = L;
};
template <class T>
struct staggered_step : testing::Test {};
using strategies = testing::Types<strategy<double, ldlt>, strategy<double, conjugate_gradient>, strategy<double, sparse_ldlt>, strategy<double, dantzig>, strategy<float, sparse_ldlt>>;
TYPED_TEST_SUITE(staggered_step, strategies);

// A plate that turns about a hinge at its edge, with nothing else to act on it. By how much its energy has changed at most, as a share.
template <class T>
double turning_plate(double omega, int steps_a_second, int seconds) {
    using number = typename T::scalar;
    world<config<number, typename T::linear>, hinge_joint> w;
    w.gravity = {};
    auto const plate = w.add(rigid_body_of(solid_box(number(10), vec3<number>{number(1), number(2), number(0.1)}), pose<number>{{number(0.5), number(0), number(0)}, {}}));
    w.add(hinge_joint<number>::at(w.pose(w.ground()), w.pose(plate), {}, {number(0), number(1), number(0)}), w.ground(), plate);
    auto const spin = static_cast<number>(omega);
    w.set_twist(plate, {{number(0), number(0), -spin / number(2)}, {number(0), spin, number(0)}});
    double const before = static_cast<double>(w.energy());
    double most = 0;
    for (int i = 0; i < seconds * steps_a_second; ++i) {
        (void)w.step(number(1) / static_cast<number>(steps_a_second));
        most = std::max(most, std::abs(static_cast<double>(w.energy()) / before - 1));
    }
    return most;
}
// (omega h)^2 = 0.0025 of it in a step would be 20 times as much after 1200 steps.
TYPED_TEST(staggered_step, a_plate_that_turns_on_its_hinge_keeps_its_energy) { EXPECT_LT(turning_plate<TypeParam>(3, 60, 20), 0.03); }
TYPED_TEST(staggered_step, and_with_half_the_step_changes_it_by_a_quarter) {
    double const coarse = turning_plate<TypeParam>(3, 60, 10), fine = turning_plate<TypeParam>(3, 120, 10);
    EXPECT_GT(coarse / fine, 3);
}

// A box on a ball joint at one of its corners, that is let go lying and swings and tumbles about it: 2 m g r = 11.7 J from top to bottom.
TYPED_TEST(staggered_step, a_box_that_tumbles_about_a_corner_keeps_its_energy) {
    using number = typename TypeParam::scalar;
    for (double const spin : {0., 1., 3., 6.}) {
        world<config<number, typename TypeParam::linear>, ball_joint> w;
        vec3<number> const arm{number(0.3), number(0.5), number(0.1)}, omega{static_cast<number>(0.3 * spin), static_cast<number>(spin), static_cast<number>(0.2 * spin)};
        auto const box = w.add(rigid_body_of(solid_box(number(1), vec3<number>{number(0.3), number(1), number(0.1)}), pose<number>{arm, {}}));
        w.add(ball_joint<number>::at(w.pose(w.ground()), w.pose(box), {}), w.ground(), box);
        w.set_twist(box, {cross(omega, arm), omega});
        double const before = static_cast<double>(w.energy());
        double most = 0, apart = 0;
        for (int i = 0; i < 600; ++i) {
            (void)w.step(number(1) / number(60));
            most = std::max(most, std::abs(static_cast<double>(w.energy()) - before));
            apart = std::max(apart, static_cast<double>(w.constraint_error()));
        }
        EXPECT_LT(most, 1.2) << "spin " << spin;
        EXPECT_LT(apart, 0.02) << "spin " << spin;
    }
}

// A rope that is taut is hit in every step, as seen by J v alone. Impulses are of all rows together: those of the joint would turn its velocity back each time.
TEST(staggered_steps, hits_of_a_taut_rope_leave_what_swings_beside_it) {
    for (double const omega : {1., 3.}) {
        world<config<double, dantzig>, rope, ball_joint> w;
        w.gravity = {};
        auto const add = [&](double z, vec3<double> const& spin) {
            auto const b = w.add(rigid_body_of(solid_box(1., vec3<double>{0.1, 0.1, 0.1}), pose<double>{{1, 0, z}, {}}));
            w.set_twist(b, {{0, omega, 0}, spin});
            return b;
        };
        auto const on_rope = add(0, {}), on_joint = add(5, {0, 0, omega});
        w.add(rope<double>{{}, {}, 1}, w.ground(), on_rope);
        w.add(ball_joint<double>::at(w.pose(w.ground()), w.pose(on_joint), {0, 0, 5}), w.ground(), on_joint);
        for (int i = 0; i < 600; ++i) ASSERT_TRUE(w.step(1.0 / 60));
        for (auto const b : {on_rope, on_joint}) EXPECT_NEAR(norm(w.twist(b).linear) / omega, 1, 0.02) << omega;
        EXPECT_LT(w.constraint_error(), 2e-3) << omega;
    }
}
// A skate on ice goes around in a circle of radius v / omega, at the same speed: what has no place to keep to is half a step behind as well.
TEST(staggered_steps, a_skate_goes_around_in_its_circle) {
    world<config<double, ldlt>, knife_edge> w;
    w.gravity = {};
    auto const skate = w.add(rigid_body_of(solid_box(1., vec3<double>{1, 0.1, 0.3}), pose<double>{}));
    w.add(knife_edge<double>{{}, {0, 1, 0}}, w.ground(), skate);
    w.set_twist(skate, {{2, 0, 0}, {0, 0, 3}});
    double const before = w.energy();
    double farthest = 0;
    for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(w.step(1.0 / 60));
        farthest = std::max(farthest, norm(w.position(skate) - vec3<double>{0, 2.0 / 3, 0}));
    }
    EXPECT_NEAR(w.energy() / before, 1, 0.01);  // it had become four times as much
    EXPECT_NEAR(farthest, 2.0 / 3, 0.01);
}
// Another set of coordinates, whose bodies have forces that go with the square of their rates: two bars, and a third one gripped at their end.
template <class S>
using grip = on_link<S, ball_joint, link_of<maps::two_bars, 1>>;
TEST(staggered_steps, bodies_in_reduced_coordinates_make_no_energy) {
    world<config<double, cholesky>, maps::two_bars, grip> w;
    generalized_body<maps::two_bars<double>> bars;
    bars.masses.fill(link_mass<double>::of(solid_box(1., vec3<double>{1, 0.1, 0.1})));
    bars.u = {0.2, 0.1};
    auto const arm = w.add(bars);
    vec3<double> const tip = w.pose(arm, 1).point(vec3<double>{0.5, 0, 0});
    auto const third = w.add(rigid_body_of(solid_box(1., vec3<double>{1, 0.1, 0.1}), pose<double>{tip + vec3<double>{0.5, 0, 0}, {}}));
    w.add(grip<double>::at(w.pose(arm), w.pose(third), tip), arm, third);
    double const before = w.energy();
    double most = 0, apart = 0;
    for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(w.step(1.0 / 60));
        most = std::max(most, w.energy() - before);
        apart = std::max(apart, w.constraint_error());
    }
    EXPECT_LT(most, 1);  // of 88 J; 200 were made
    EXPECT_LT(apart, 0.06);
}

// Two of them one under the other, from the horizontal: 2 m g of each to lose. What was made drove them apart by metres.
TYPED_TEST(staggered_step, a_double_pendulum_makes_no_energy) {
    using number = typename TypeParam::scalar;
    world<config<number, typename TypeParam::linear>, ball_joint> w;
    auto previous = w.ground();
    for (int k = 0; k < 2; ++k) {
        auto const x = static_cast<number>(k);
        auto const link = w.add(rigid_body_of(solid_box(number(1), vec3<number>{number(1), number(0.1), number(0.2)}), pose<number>{{x + number(0.5), number(0), number(0)}, {}}));
        w.add(ball_joint<number>::at(w.pose(previous), w.pose(link), {x, number(0), number(0)}), previous, link);
        previous = link;
    }
    double const before = static_cast<double>(w.energy());
    double most = 0, apart = 0;
    for (int i = 0; i < 600; ++i) {
        (void)w.step(number(1) / number(60));
        most = std::max(most, static_cast<double>(w.energy()) - before);
        apart = std::max(apart, static_cast<double>(w.constraint_error()));
    }
    EXPECT_LT(most, 1);  // of 39 J
    EXPECT_LT(apart, 0.03);
}

}  // namespace
