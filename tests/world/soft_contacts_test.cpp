// A soft contact rubs by its own push under every strategy that takes soft rows, and hits elsewhere are none of its business.
//
// A ball that slides with v_0 on a floor with coefficient mu is braked by mu g and spun up by 5/2 mu g / r: it rolls from t = 2 v_0 / (7 mu g) on, at 5/7 v_0.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace {

template <class Solver>
struct config : sinew::default_config {
    using scalar = double;
    using solver = Solver;
};

template <class Solver>
struct soft_contact : testing::Test {
    static constexpr double radius = 0.1, mu = 0.3, g = 9.81, v_0 = 3, h = 1.0 / 240, compliance = 1e-5;
    using world_type = sinew::world<config<Solver>, sinew::sphere, sinew::half_space>;

    // How the ball moves after so many steps, with others that fall beside it, on the hard floor, one after the other.
    static sinew::twist<double> after(int steps, int others) {
        world_type w;
        auto floor = sinew::material<double>::of(mu);
        w.add(sinew::half_space<double>{}, w.ground(), {.material = floor});
        auto soft = floor;
        soft.compliance = compliance;
        soft.damping = 600;
        double const mass = 1000.0 * 4 / 3 * std::numbers::pi * radius * radius * radius;
        auto const ball = w.add_solid(sinew::sphere<double>{radius}, 1000.0, {{0, radius - mass * g * compliance, 0}}, {.material = soft}, {{v_0, 0, 0}, {}});
        for (int i = 0; i < others; ++i) w.add_solid(sinew::sphere<double>{radius}, 1000.0, {{-2.0 - i, radius + 0.02 + 0.05 * i, 3}}, {.material = floor}, {{0.5, 0, 0}, {}});
        for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(h));
        return w.twist(ball);
    }
};
using strategies = testing::Types<sinew::lagrange_multipliers<sinew::dantzig>, sinew::lagrange_multipliers<sinew::sparse_ldlt>, sinew::lagrange_impulses<sinew::dantzig>>;
TYPED_TEST_SUITE(soft_contact, strategies, );

TYPED_TEST(soft_contact, brakes_what_slides_by_mu_g) {
    // Over a tenth of a second, from the second step on: what is touched first may be rubbed from the next step on.
    double const v_1 = this->after(1, 0).linear.x(), v_2 = this->after(25, 0).linear.x();
    EXPECT_NEAR((v_1 - v_2) / (24 * this->h), this->mu * this->g, 0.01 * this->mu * this->g);
}
TYPED_TEST(soft_contact, makes_a_ball_roll_at_five_sevenths_of_its_speed) {
    auto const t = this->after(240, 0);  // feedback takes some tenths of a second to hold what has come to roll
    EXPECT_NEAR(t.linear.x(), this->v_0 * 5 / 7, 0.01 * this->v_0);
    EXPECT_NEAR(-t.angular.z() * this->radius, t.linear.x(), 0.01 * this->v_0);
}
TYPED_TEST(soft_contact, rubs_as_much_while_others_land) {
    for (int const steps : {20, 60, 120}) {
        auto const alone = this->after(steps, 0), beside = this->after(steps, 12);
        EXPECT_LT(alone.linear.x(), 2.9);  // it has been rubbed
        EXPECT_NEAR(norm(beside.linear - alone.linear), 0, 1e-9) << steps;
        EXPECT_NEAR(norm(beside.angular - alone.angular), 0, 1e-9) << steps;
    }
}

}  // namespace
