// The same contacts under every strategy that honours bounds: they stick, slide, roll, carry and bounce as they should, with one line changed.

#include <solver/contact_scene.hpp>

#include <gtest/gtest.h>

#include <sinew/core/type_name.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

using V = vec3<double>;

template <class Solver>
class contacts : public testing::Test {
public:
    using scene = on_plane<contact_config<double, Solver>>;
    static constexpr double h = 1.0 / 240;
};
struct names {
    template <class T>
    static std::string GetName(int) {
        std::string const n = type_name<T>();
        return n.substr(n.rfind(':') == std::string::npos || n.find('<') != std::string::npos ? 0 : n.rfind(':') + 1);
    }
};
using strategies = testing::Types<sequential_impulses, nonlinear_gauss_seidel, jacobi, augmented_lagrangian, vertex_block_descent, lagrange_impulses<dantzig>, lagrange_impulses<sparse_ldlt>,
                                  lagrange_multipliers<dantzig>, lagrange_multipliers<sparse_ldlt>>;
TYPED_TEST_SUITE(contacts, strategies, names);

TYPED_TEST(contacts, stick_below_the_angle_of_friction_without_creep) {
    for (double mu : {0.1, 0.3, 0.6}) {
        typename TestFixture::scene s(0.9 * std::atan(mu));
        s.surface = material<double>::of(mu);
        s.add_box({0.5, 0.25, 0.4}, 0.3);
        s.run(0.5, this->h);
        auto const there = s.place();
        s.run(4, this->h);
        EXPECT_TRUE(s.ok);
        EXPECT_LT(norm(s.place() - there), 2e-5) << mu;
        EXPECT_NEAR(s.push(), 9.81 * s.normal[1], 2e-2) << mu;
    }
}

TYPED_TEST(contacts, slide_above_it_with_coulombs_acceleration) {
    for (double mu : {0.1, 0.3, 0.6, 1.0}) {
        double const slope = std::min(1.3 * std::atan(mu), 1.1);
        typename TestFixture::scene s(slope);
        s.surface = material<double>::of(mu);
        s.add_box({0.5, 0.25, 0.4}, 0.3);
        s.run(0.5, this->h);
        double const before = s.speed();
        s.run(0.5, this->h);
        double const a = 9.81 * (std::sin(slope) - mu * std::cos(slope));
        EXPECT_NEAR((s.speed() - before) / 0.5, a, 5e-3 * a) << mu;
    }
}

TYPED_TEST(contacts, roll_a_ball_at_five_sevenths) {
    typename TestFixture::scene s(0.3);
    s.surface = material<double>::of(0.5);
    s.add_ball(0.5);
    s.run(1, this->h);
    double const a = 5.0 / 7 * 9.81 * std::sin(0.3);
    EXPECT_NEAR(s.speed(), a, 5e-3 * a);
    EXPECT_NEAR(s.w.twist(s.body).angular[2], -s.speed() / 0.5, 1e-3 * s.speed());
}

// A ball that is thrown along a floor slides until it rolls: it is left with 5/7 of its speed, whatever the friction.
TYPED_TEST(contacts, turn_sliding_into_rolling) {
    typename TestFixture::scene s;
    s.surface = material<double>::of(0.3);
    s.add_ball(0.5);
    s.w.set_twist(s.body, {{3.5, 0, 0}, {}});
    s.run(1, this->h);  // slides for 2 v / (7 mu g) = 0.34 s
    EXPECT_NEAR(s.speed(), 2.5, 0.02);
}

TYPED_TEST(contacts, rub_alike_in_every_direction) {
    for (double heading : {0.0, 0.2, 0.5, 0.7854, 1.1, 2.5}) {
        typename TestFixture::scene s;
        s.surface = material<double>::of(0.4);
        s.add_box({0.5, 0.1, 0.5}, 0);
        V const along{std::cos(heading), 0, std::sin(heading)};
        s.w.set_twist(s.body, {along * 3.0, {}});
        s.run(0.5, this->h);
        auto const v = s.w.twist(s.body).linear;
        EXPECT_NEAR(std::atan2(v[2], v[0]), std::atan2(along[2], along[0]), 0.0175) << heading;  // a degree
        EXPECT_NEAR(norm(v), 3 - 0.4 * 9.81 * 0.5, 0.03) << heading;
    }
}

TYPED_TEST(contacts, take_more_to_begin_to_slide_than_to_go_on) {
    double const slope = std::atan(0.5);
    typename TestFixture::scene at_rest(slope), pushed(slope);
    for (auto* s : {&at_rest, &pushed}) {
        s->surface.static_friction = 0.6;
        s->surface.dynamic_friction = 0.4;
        s->add_box({0.5, 0.1, 0.4}, 0);
    }
    pushed.w.set_twist(pushed.body, {pushed.downhill * 0.2, {}});
    at_rest.run(1, this->h);
    EXPECT_NEAR(at_rest.speed(), 0, 1e-3);
    double const a = 9.81 * (std::sin(slope) - 0.4 * std::cos(slope));
    pushed.run(0.5, this->h);
    double const before = pushed.speed();
    pushed.run(0.5, this->h);
    EXPECT_NEAR((pushed.speed() - before) / 0.5, a, 5e-3 * a);
}

TYPED_TEST(contacts, carry_what_lies_on_a_belt) {
    typename TestFixture::scene s;
    s.surface = material<double>::of(0.5);
    s.add_box({0.5, 0.1, 0.4}, 0.3);
    s.surface.surface_velocity = {1, 0, 0};
    s.run(0.1, this->h);
    EXPECT_NEAR(s.speed(), 0.5 * 9.81 * 0.1, 0.1);  // the push may be known late by a step
    s.run(1, this->h);
    EXPECT_NEAR(s.speed(), 1, 1e-3);
}

TYPED_TEST(contacts, bounce_to_e_squared) {
    for (double e : {0.2, 0.5, 0.8, 1.0}) {
        typename TestFixture::scene s;
        s.surface = material<double>::of(0.5, e);
        s.surface.restitution_threshold = 0.01;
        double height = e < 0.3 ? 80 : e < 0.6 ? 10 : 1;
        s.add_ball(0.25, height);
        int const substeps = [&] {
            if constexpr (requires { s.w.solver.substeps; })
                return s.w.solver.substeps;
            else
                return 1;
        }();
        // The fifth flight is of 2.6 ms for e = 0.2: whoever looks once a step has to step faster than that.
        double const h = e < 0.3 && substeps > 1 ? this->h / 4 : this->h, part = h / substeps;
        int const bounces = e < 0.3 && substeps == 1 ? 3 : 5;  // of the last ones the flight is shorter than a step
        double before = 0;
        int seen = 0;
        for (int i = 0; i < 20000 && seen < bounces; ++i) {
            s.step(h);
            // Velocities are half a step behind positions.
            double const v = s.w.twist(s.body).linear[1], now = v - 9.81 * part / 2;
            if (before > 0 && v <= 0) {
                double const apex = s.place()[1] - 0.25 + now * now / (2 * 9.81);
                EXPECT_NEAR(apex, e * e * height, 0.01 * e * e * height) << "e " << e << ", bounce " << seen + 1;
                height = apex;
                ++seen;
            }
            before = v;
        }
        EXPECT_EQ(seen, bounces) << "e " << e;
    }
}

TYPED_TEST(contacts, do_not_spin_a_box_that_falls_flat) {
    for (double e : {0.0, 0.6}) {
        typename TestFixture::scene s;
        s.surface = material<double>::of(0.5, e);
        s.add_box({0.5, 0.25, 0.4}, 0.3, 0.5);
        auto const before = s.w.pose(s.body).direction(s.corners[0]);
        double most = 0, highest = 0;
        bool risen = false;
        for (int i = 0; i < 240; ++i) {
            s.step(this->h);
            most = std::max(most, norm(s.w.twist(s.body).angular));
            risen = risen || s.w.twist(s.body).linear[1] > 0.1;
            if (risen) highest = std::max(highest, s.place()[1] - 0.25);
        }
        EXPECT_LT(most, 0.02) << e;  // in the step of the hit, corner by corner
        EXPECT_LT(norm(s.w.twist(s.body).angular), 2e-3) << e;
        EXPECT_GT(dot(s.w.pose(s.body).direction(s.corners[0]), before), (1 - 1e-7) * dot(before, before)) << e;
        EXPECT_NEAR(highest, e * e * 0.5, 0.01) << e;
    }
}

// Sinks by m g / (4 k), as on four springs.
TYPED_TEST(contacts, sink_in_where_they_are_soft) {
    typename TestFixture::scene s;
    s.surface = material<double>::of(0.5);
    s.surface.compliance = 1e-3;
    s.surface.damping = 20;
    s.add_box({0.5, 0.25, 0.4}, 0);
    s.run(3, this->h);
    EXPECT_NEAR(s.place()[1] - 0.25, -9.81 / 4 * 1e-3, 2e-5);
    EXPECT_NEAR(s.push(), 9.81, 2e-2);
}

TYPED_TEST(contacts, brake_what_rolls) {
    typename TestFixture::scene s;
    s.surface = material<double>::of(0.8);
    s.add_ball(0.5);
    rolling_friction<double> r;
    r.normal = {0, 1, 0};
    r.tangent = {1, 0, 0};
    r.rolling = 0.01;
    r.pressing = 9.81;
    s.w.add(r, s.w.ground(), s.body);
    s.w.set_twist(s.body, {{2, 0, 0}, {0, 0, -4}});
    s.run(1, this->h);
    // (m r^2 + I) alpha = -rho m g r:  a = 5/7 rho g / r
    EXPECT_NEAR(s.speed(), 2 - 5.0 / 7 * 0.01 * 9.81 / 0.5, 3e-3);
}

// A row of balls at rest, and one that comes: the last leaves with its speed.
TYPED_TEST(contacts, hand_on_momentum_through_a_row_of_balls) {
    world<contact_config<double, TypeParam>, contact> w;
    w.gravity = {};
    std::vector<typename decltype(w)::body_handle> balls;
    for (int i = 0; i < 5; ++i) balls.push_back(w.add(rigid_body_of(solid_sphere(1.0, 0.5), typename decltype(w)::pose_type{{i == 0 ? -0.1 : 1.0 * i, 0, 0}})));
    auto const touching = [&](std::size_t i) {
        auto const a = w.pose(balls[i]), b = w.pose(balls[i + 1]);
        return contact<double>::at(a, b, a.position + V{0.5, 0, 0}, b.position - V{0.5, 0, 0}, V{1, 0, 0}, material<double>::of(0, 1), 0.5, 0.5);
    };
    for (std::size_t i = 0; i < 4; ++i) w.add(touching(i), balls[i], balls[i + 1]);
    w.set_twist(balls[0], {{2, 0, 0}, {}});
    for (int step = 0; step < 60; ++step) {
        auto const problem = w.make_problem();
        auto const entries = std::get<0>(problem.constraints);
        for (std::size_t i = 0; i < 4; ++i) entries[i].constraint = touching(i);
        w.step(this->h);
    }
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(w.twist(balls[i]).linear[0], 0, 1e-9) << i;
    EXPECT_NEAR(w.twist(balls[4]).linear[0], 2, 1e-9);
}

// A minute close to the limit, in float, where the rounding of 3600 steps could add up.
TEST(contacts_of_a_game, do_not_creep_in_a_minute) {
    for (float mu : {0.1f, 0.6f, 1.0f})
        for (double heading : {0.0, 0.3, 0.8}) {
            on_plane<contact_config<float, sequential_impulses>> s(0.95 * std::atan(double(mu)));
            s.surface = material<float>::of(mu);
            s.add_box({0.5f, 0.25f, 0.4f}, heading);
            s.run(1, 1.0 / 60);
            auto const there = s.place();
            s.run(59, 1.0 / 60);
            EXPECT_LT(norm(s.place() - there), 1e-4f) << mu << ' ' << heading;
        }
}

// Strategies that solve equalities only say so at compile time.
template <class Solver>
inline constexpr bool honours_contacts =
    honours_v<typename Solver::template strategy<environment<contact_config<double, Solver>, map_list<>, contact<double>>>, contact<double>, double>;
static_assert(honours_contacts<sequential_impulses> && honours_contacts<lagrange_impulses<dantzig>> && honours_contacts<compliant_implicit>);
static_assert(!honours_contacts<lagrange_impulses<cholesky>> && !honours_contacts<lagrange_multipliers<conjugate_gradient>>);

}  // namespace
