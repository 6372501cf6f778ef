// How generalized bodies move: as published, and as their constrained twins of rigid bodies and particles do, alone, in loops and in
// hybrids; orders of convergence and laws of conservation.

#include <body/body_maps.hpp>
#include <world/generalized_scene.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace generalized_scene;
using sinew::link_of;
using sinew::vec;
using sinew::vec3;
using sinew::cos;
using sinew::sin;

// ---- published: double pendulums from the horizontal at rest (128-bit reference); angles there are from straight down

template <class Config>
void expect_published_boxes() {
    sinew::world<Config, maps::two_bars> w;
    auto const h = w.add(body_of_bars(maps::two_bars<double>{}, {0, 0}));
    for (int i = 0; i < 2000; ++i) ASSERT_TRUE(w.step(1e-3)) << i;
    double const quarter = sinew::pi_v<double> / 2;
    EXPECT_NEAR(w.coordinates(h)[0] + quarter, -0.0845270358379211, 1e-11);
    EXPECT_NEAR(w.coordinates(h)[1] + quarter, 0.392041930260688, 1e-11);
}
TEST(double_pendulum, of_boxes_agrees_with_the_reference_after_2_s) {
    expect_published_boxes<direct<sinew::dormand_prince_54>>();
    expect_published_boxes<direct<sinew::dormand_prince_54, sinew::motion_form::velocity>>();
    expect_published_boxes<iterative<sinew::dormand_prince_54>>();
}
TEST(double_pendulum, of_point_masses_agrees_with_the_reference) {
    sinew::world<direct<sinew::dormand_prince_54>, maps::two_points> w;
    double const quarter = sinew::pi_v<double> / 2;
    auto const h = w.add(sinew::generalized_body<maps::two_points<double>>{.u = {quarter, quarter}});
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(w.step(1e-3));
    EXPECT_NEAR(w.coordinates(h)[0], -0.625087699806391, 1e-11);
    EXPECT_NEAR(w.coordinates(h)[1], -1.03458508568001, 1e-11);
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(w.step(1e-3));
    EXPECT_NEAR(w.coordinates(h)[0], -0.482971534251754, 1e-10);
    EXPECT_NEAR(w.coordinates(h)[1], -1.32404871230236, 1e-10);
}
// l = 1 m, g = 9.81, from 90 degrees: at rest on the other side after half the published period.
TEST(simple_pendulum, has_the_period_of_its_amplitude) {
    sinew::world<direct<sinew::dormand_prince_54>, maps::spherical_point> w;
    auto const h = w.add(sinew::generalized_body<maps::spherical_point<double>>{.u = {sinew::pi_v<double> / 2, 0}, .armature = {0, 1e-6}});
    for (int i = 0; i < 2000; ++i) ASSERT_TRUE(w.step(2.36784194757624 / 4000));
    EXPECT_NEAR(w.coordinates(h)[0], -sinew::pi_v<double> / 2, 1e-10);
    EXPECT_NEAR(w.rates(h)[0], 0, 1e-9);
}

// ---- twins of rigid bodies and hinges

// Largest distance between the links of the bars after t seconds, as one generalized body and as N bodies with N hinges.
template <class Config, std::size_t N, template <class> class Map>
double difference_of_twins(int steps, double t) {
    sinew::world<Config, Map, sinew::hinge_joint> w;
    Map<double> const map{};
    auto body = body_of_bars(map, {}, {});
    for (std::size_t i = 0; i < N; ++i) {
        body.u[i] = 0.3 - 0.4 * static_cast<double>(i);
        body.rates[i] = 1 - 0.5 * static_cast<double>(i);
    }
    auto const whole = w.add(body);
    std::vector<typename decltype(w)::body_handle> parts;
    auto previous = w.ground();
    for (std::size_t i = 0; i < N; ++i) {
        parts.push_back(w.add(sinew::rigid_body<double>{1, bar<double>().inertia, w.pose(whole, i), w.twist(whole, i)}));
        auto const anchor = w.pose(parts[i]).point(vec3<double>{-0.5, 0, 0});
        w.add(sinew::hinge_joint<double>::at(w.pose(previous), w.pose(parts[i]), anchor, vec3<double>{0, 0, 1}), previous, parts[i]);
        previous = parts[i];
    }
    for (int i = 0; i < steps; ++i)
        if (!w.step(t / steps)) return INFINITY;
    double worst = 0;
    for (std::size_t i = 0; i < N; ++i) worst = std::max(worst, norm(w.position(whole, i) - w.position(parts[i])));
    return worst;
}
template <template <class> class Map, std::size_t N>
void expect_fourth_order_of_twins() {
    double const coarse = difference_of_twins<rk4, N, Map>(100, 1), fine = difference_of_twins<rk4, N, Map>(200, 1);
    double const order = std::log2(coarse / fine);
    EXPECT_GT(order, 3.5) << coarse << " " << fine;
    EXPECT_LT(order, 5.6) << coarse << " " << fine;
    EXPECT_LT(fine, 1e-5);
}
TEST(twin, of_a_pendulum_differs_by_the_error_of_the_integrator) { expect_fourth_order_of_twins<maps::one_bar, 1>(); }
TEST(twin, of_a_three_link_arm_differs_by_the_error_of_the_integrator) {
    expect_fourth_order_of_twins<maps::three_bars, 3>();
    expect_fourth_order_of_twins<maps::arm, 3>();
}
TEST(twin, of_first_order_under_symplectic_euler) {
    double const coarse = difference_of_twins<symplectic, 3, maps::arm>(1000, 1), fine = difference_of_twins<symplectic, 3, maps::arm>(2000, 1);
    EXPECT_NEAR(std::log2(coarse / fine), 1, 0.25) << coarse << " " << fine;
}
// The coordinates alone, against the most accurate integrator.
template <class Config>
vec3<double> arm_after(int steps) {
    sinew::world<Config, maps::arm> w;
    auto const h = w.add(body_of_bars(maps::arm<double>{}, {0.3, -0.4, -0.5}, {1, -1, 0.5}));
    for (int i = 0; i < steps; ++i) w.step(1.0 / steps);
    return w.coordinates(h);
}
template <class Config>
double order_of() {
    static auto const exact = arm_after<direct<sinew::dormand_prince_54>>(2000);
    return std::log2(norm(arm_after<Config>(400) - exact) / norm(arm_after<Config>(800) - exact));
}
TEST(order, is_that_of_the_integrator) {
    EXPECT_NEAR((order_of<direct<sinew::euler>>()), 1, 0.2);
    EXPECT_NEAR((order_of<symplectic>()), 1, 0.2);
    EXPECT_NEAR((order_of<direct<sinew::midpoint>>()), 2, 0.3);
    EXPECT_NEAR((order_of<direct<sinew::implicit_midpoint>>()), 2, 0.3);
    EXPECT_NEAR((order_of<direct<sinew::implicit_midpoint, sinew::motion_form::velocity>>()), 2, 0.3);
    EXPECT_NEAR((order_of<rk4>()), 4, 0.4);
    EXPECT_NEAR((order_of<direct<sinew::rk4, sinew::motion_form::velocity>>()), 4, 0.4);
}

// ---- conservation

TEST(energy, is_kept_to_the_order_of_the_integrator) {
    auto const drift = [](int steps) {
        sinew::world<rk4, maps::arm> w;
        w.add(body_of_bars(maps::arm<double>{}, {0.3, -0.4, -0.5}, {1, -1, 0.5}));
        double const before = w.energy();
        for (int i = 0; i < steps; ++i) w.step(2.0 / steps);
        return std::abs(w.energy() - before);
    };
    double const coarse = drift(400), fine = drift(800);
    EXPECT_GT(std::log2(coarse / fine), 3.5) << coarse << " " << fine;
    EXPECT_LT(fine, 1e-6);
}
// Symplectic Euler: the energy stays within a band as wide as the step, for as long as one likes.
TEST(energy, stays_within_a_band_under_symplectic_euler) {
    auto const band = [](double h, double seconds) {
        sinew::world<symplectic, maps::two_bars> w;
        w.add(body_of_bars(maps::two_bars<double>{}, {-1.2, -1.8}));
        double const before = w.energy();
        double worst = 0;
        for (int i = 0; i < static_cast<int>(seconds / h); ++i) {
            w.step(h);
            worst = std::max(worst, std::abs(w.energy() - before));
        }
        return worst;
    };
    double const wide = band(1.0 / 200, 5), narrow = band(1.0 / 400, 5);
    EXPECT_NEAR(wide / narrow, 2, 0.3);
    EXPECT_LT(band(1.0 / 200, 60), 1.5 * wide);
}
// Nothing depends on the first angle of the arm: its momentum is the angular momentum about z.
template <class S>
class scalars : public testing::Test {};
using all_scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(scalars, all_scalars);
TYPED_TEST(scalars, free_motion_keeps_the_momentum_of_a_cyclic_coordinate_and_the_energy_within_a_band) {
    using S = TypeParam;
    sinew::world<direct<sinew::symplectic_euler, sinew::motion_form::momentum, S>, maps::arm> w;
    w.gravity = {};
    w.add(body_of_bars(maps::arm<S>{}, {S(0), S(1), S(-2)}, {S(3), S(-2), S(4)}));
    S const momentum = w.angular_momentum().z(), energy = w.energy();
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(w.step(S(1) / S(240)));
        ASSERT_NEAR(static_cast<double>(w.angular_momentum().z() / momentum), 1, 2000 * static_cast<double>(sinew::epsilon_v<S>)) << i;
        ASSERT_NEAR(static_cast<double>(w.energy() / energy), 1, 2e-3) << i;
    }
}
TEST(long_steps, are_taken_in_parts) {
    sinew::world<symplectic, maps::arm> w;
    w.gravity = {};
    w.add(body_of_bars(maps::arm<double>{}, {0, 1, -2}, {30, -20, 40}));
    double const momentum = w.angular_momentum().z();
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    EXPECT_NEAR(w.angular_momentum().z() / momentum, 1, 1e-10);
}

// ---- a point on a curve, by map and by constraint

struct ellipse {
    constexpr auto operator()(auto const& x, auto const& y) const { return x * x / 4 + y * y - 1.0; }
};
template <class S>
using on_ellipse = sinew::particle_on_curve<S, sinew::planar_curve<S, ellipse>>;
TEST(bead, slides_as_a_particle_on_the_curve_does) {
    auto const difference = [](int steps) {
        sinew::world<rk4, maps::ellipse_bead, on_ellipse> w;
        auto const bead = w.add(sinew::generalized_body<maps::ellipse_bead<double>>{.u = {0.3}});
        auto const twin = w.add(sinew::particle<double>{1, w.position(bead, 0), {}});
        auto const wire = w.add(on_ellipse<double>{}, twin);
        for (int i = 0; i < steps; ++i) w.step(1.0 / steps);
        EXPECT_LT(std::abs(w.error_of(wire)[0]), 1e-5);
        return norm(w.position(bead, 0) - w.position(twin));
    };
    double const coarse = difference(100), fine = difference(200);
    EXPECT_GT(std::log2(coarse / fine), 3.5) << coarse << " " << fine;
    EXPECT_LT(fine, 1e-5);
}

// ---- closed loops and multipliers

template <class S>
using clasp = sinew::on_link<S, sinew::ball_joint, link_of<maps::two_bars, 1>, link_of<maps::two_bars, 1>>;
template <class S>
using grip = sinew::on_link<S, sinew::ball_joint, link_of<maps::two_bars, 1>>;

// Two arms of two bars, 1 m apart, joined at their tips: a five-bar linkage. Its twin is of rigid bodies.
struct five_bar {
    double difference, error, multiplier, twin_multiplier;
};
template <class Config>
five_bar joined_arms(int steps, double t) {
    sinew::world<Config, maps::two_bars, clasp, sinew::hinge_joint, sinew::ball_joint> w;
    double const a = std::acos(0.5);
    auto const left = w.add(body_of_bars(maps::two_bars<double>{}, {2 * a, 0}));
    auto const right = w.add(body_of_bars(maps::two_bars<double>{.root = {1, 0, 0}}, {a, sinew::pi_v<double>}));
    // Tips: (cos 2a + 1, sin 2a) = (0.5, 0.866), (1 + cos a - 1, sin a) = (0.5, 0.866).
    auto const tip = w.pose(left, 1).point(vec3<double>{0.5, 0, 0});
    auto const joint = w.add(clasp<double>::at(w.pose(left), w.pose(right), tip), left, right);

    // The twin's hinges hold the bodies in the plane, and its tips are joined by a ball.
    auto const twin = [&](auto const& arm) {
        auto previous = w.ground();
        for (std::size_t i = 0; i < 2; ++i) {
            auto const link = w.add(sinew::rigid_body<double>{1, bar<double>().inertia, w.pose(arm, i), {}});
            auto const anchor = w.pose(link).point(vec3<double>{-0.5, 0, 0});
            w.add(sinew::hinge_joint<double>::at(w.pose(previous), w.pose(link), anchor, vec3<double>{0, 0, 1}), previous, link);
            previous = link;
        }
        return previous;
    };
    auto const l = twin(left), r = twin(right);
    auto const twin_joint = w.add(sinew::ball_joint<double>::at(w.pose(l), w.pose(r), tip), l, r);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(t / steps));
    return {norm(w.position(left, 1) - w.position(l)) + norm(w.position(right, 1) - w.position(r)), norm(w.error_of(joint)), norm(w.multipliers(joint)),
            norm(w.multipliers(twin_joint))};
}
TEST(closed_loop, of_two_arms_moves_as_its_twin_does) {
    auto const coarse = joined_arms<rk4>(100, 0.5), fine = joined_arms<rk4>(200, 0.5);
    EXPECT_GT(std::log2(coarse.difference / fine.difference), 3.4) << coarse.difference << " " << fine.difference;
    EXPECT_LT(fine.difference, 1e-6);
    EXPECT_LT(fine.error, 1e-7);
    EXPECT_NEAR(fine.multiplier, fine.twin_multiplier, 1e-4 * fine.twin_multiplier);
    EXPECT_GT(fine.multiplier, 0.1);
}
// At the same state the multipliers are the same, whatever the coordinates. (The third row of the joint is redundant in the plane.)
TEST(multipliers, are_those_of_the_twin) {
    auto const r = joined_arms<rk4>(1, 1e-9);
    EXPECT_NEAR(r.multiplier, r.twin_multiplier, 1e-6);
    EXPECT_GT(r.multiplier, 0.1);
}
// ---- hybrids: an arm that holds a rope of particles

template <class S>
using rope_end = sinew::on_link<S, sinew::particle_pin, sinew::as_bound, link_of<maps::arm, 2>>;
template <class Config>
struct rope_result {
    vec3<double> tip, end;
    double error, energy;
    bool steps;
};
template <class Config>
rope_result<Config> swing(int steps, double t, auto&& tune) {
    using S = typename Config::scalar;
    sinew::world<Config, maps::arm, rope_end, sinew::particle_distance> w;
    tune(w);
    auto const arm = w.add(body_of_bars(maps::arm<S>{}, {S(0.3L), S(-0.4L), S(-0.5L)}));
    auto const tip = w.pose(arm, 2).point(vec3<S>{S(0.5L), S(0), S(0)});
    std::vector<typename decltype(w)::particle_handle> rope;
    for (int i = 0; i < 6; ++i) rope.push_back(w.add(sinew::particle<S>{S(0.2L), tip + vec3<S>{S(0.25L) * S(i), S(0), S(0)}, {}}));
    w.add(rope_end<S>::at(sinew::particle_pose<S>{tip}, w.pose(arm), tip), rope[0], arm);
    for (std::size_t i = 1; i < rope.size(); ++i) w.add(sinew::particle_distance<S>{.length = S(0.25L)}, rope[i - 1], rope[i]);
    S const energy = w.energy();
    bool fine = true;
    for (int i = 0; i < steps; ++i) fine = static_cast<bool>(w.step(S(t) / S(steps))) && fine;
    auto const as_double = [](vec3<S> const& v) { return sinew::cast<double>(v); };
    return {as_double(w.pose(arm, 2).point(vec3<S>{S(0.5L), S(0), S(0)})), as_double(w.position(rope.back())), static_cast<double>(w.constraint_error()),
            static_cast<double>(w.energy() - energy), fine};
}
auto const untuned = [](auto&) {};
TEST(hybrid, of_an_arm_and_a_rope_runs_under_lagrange_multipliers) {
    auto const coarse = swing<rk4>(400, 1, untuned), fine = swing<rk4>(800, 1, untuned), finest = swing<rk4>(3200, 1, untuned);
    EXPECT_TRUE(fine.steps);
    EXPECT_LT(fine.error, 1e-6);
    EXPECT_GT(std::log2(norm(coarse.end - finest.end) / norm(fine.end - finest.end)), 3.4);
    EXPECT_GT(std::log2(std::abs(coarse.energy) / std::abs(fine.energy)), 3.4);
}
// Position level, of first order: half the step, half the distance to the reference.
TEST(hybrid, of_an_arm_and_a_rope_runs_under_nonlinear_gauss_seidel) {
    auto const reference = swing<rk4>(500, 0.5, untuned);
    auto const converged = [](auto& w) { w.solver.iterations = 100; w.solver.tolerance = 1e-10; };
    using gauss_seidel = iterative<sinew::symplectic_euler>;
    auto const coarse = swing<gauss_seidel>(250, 0.5, converged), fine = swing<gauss_seidel>(500, 0.5, converged);
    EXPECT_TRUE(fine.steps);
    EXPECT_LT(fine.error, 1e-8);
    EXPECT_NEAR(std::log2(norm(coarse.end - reference.end) / norm(fine.end - reference.end)), 1, 0.3);
    EXPECT_NEAR(std::log2(norm(coarse.tip - reference.tip) / norm(fine.tip - reference.tip)), 1, 0.3);
}
TYPED_TEST(scalars, hybrid_runs_for_a_while) {
    auto const r = swing<iterative<sinew::symplectic_euler, TypeParam>>(240, 2, untuned);
    EXPECT_TRUE(r.steps);
    EXPECT_LT(r.error, 0.05);
    auto const d = swing<direct<sinew::symplectic_euler, sinew::motion_form::momentum, TypeParam>>(480, 2, untuned);
    EXPECT_TRUE(d.steps);
    EXPECT_LT(d.error, 0.05);
}

// ---- degenerate coordinates

TEST(spherical_coordinates, stay_finite_through_the_pole) {
    sinew::world<rk4, maps::spherical_point> w;
    auto const h = w.add(sinew::generalized_body<maps::spherical_point<double>>{.u = {0.5, 0.2}});
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(w.step(0.01));
    EXPECT_TRUE(std::isfinite(w.coordinates(h)[1]));
    EXPECT_NEAR(norm(w.position(h, 0)), 1, 1e-15);
    ASSERT_TRUE(w.set_coordinates(h, {0, 0}));
    ASSERT_TRUE(w.set_rates(h, {1, 1}));
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(w.step(0.01));
}
TYPED_TEST(scalars, polar_coordinates_stay_finite_at_the_origin) {
    using S = TypeParam;
    sinew::world<iterative<sinew::symplectic_euler, S>, maps::polar_point> w;
    w.gravity = {};
    auto const h = w.add(sinew::generalized_body<maps::polar_point<S>>{.u = {S(1), S(0)}, .rates = {S(-1), S(0)}});
    for (int i = 0; i < 128; ++i) ASSERT_TRUE(w.step(S(1) / S(64))) << i;
    EXPECT_NEAR(static_cast<double>(w.coordinates(h)[0]), -1, 1e-5) << "straight through the origin";
    EXPECT_NEAR(static_cast<double>(w.position(h, 0).x()), -1, 1e-5);
}

}  // namespace
