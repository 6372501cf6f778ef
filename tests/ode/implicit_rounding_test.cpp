// Implicit integrators where a function is rounded far more coarsely than a state that is next to nothing, and the derivatives of what they find: exact ones are known, values over
// duals are those over plain numbers to the last bit, and no step is refused for its derivatives.

#include <sinew/math/dual.hpp>
#include <sinew/math/vec.hpp>
#include <sinew/ode/implicit_euler.hpp>
#include <sinew/ode/implicit_midpoint.hpp>
#include <sinew/ode/integrate.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

namespace {

using namespace sinew;

template <class Integrator>
class implicit_rounding : public testing::Test {};
using integrators = testing::Types<implicit_euler, implicit_midpoint>;
TYPED_TEST_SUITE(implicit_rounding, integrators);

// 1 kg at y[0] (m) on a spring (N/m) whose stretch is taken between points that are `away` from the origin: place, speed, and a number beside.
template <class S>
auto sprung(S const& stiffness, S const& damping, S const& away) {
    return [=](auto const&, vec<S, 3> const& y) { return vec<S, 3>{y[1], -stiffness * ((away + y[0]) - away) - damping * y[1], S(0)}; };
}

// To rest, and on: there it is moved about by the rounding of the stretch, 1e-16 of `away`.
TYPED_TEST(implicit_rounding, what_has_come_to_rest_goes_on) {
    for (double const stiffness : {1e3, 1e4, 1e5, 1e6})
        for (double const away : {0.0, 1.0, 10.0})
            for (double const beside : {0.0, 5.0}) {
                SCOPED_TRACE(testing::Message() << stiffness << " N/m, " << away << " m away, beside " << beside);
                double const damping = std::is_same_v<TypeParam, implicit_midpoint> ? 0.5 * std::sqrt(stiffness) : 0;
                auto const r = integrate(TypeParam{}, sprung(stiffness, damping, away), vec<double, 3>{0.01, 0, beside}, 0.0, 30.0, 1.0 / 64);
                ASSERT_TRUE(r) << "after " << r.report.steps << " steps of 1920, at " << r.y[0];
                EXPECT_LT(std::abs(r.y[0]), 1e-6);
            }
}

// A jump is no rounding, however small and wherever: where speeds are braked by a constant force against them, none solves the equation near 0.
template <class Integrator, class S>
void expect_no_step_over_a_jump(S place, S lost) {
    SCOPED_TRACE(testing::Message() << "at " << place << " m, " << lost << " m/s in a step");
    if (lost < place * std::numeric_limits<S>::epsilon()) return;  // where the largest number is rounded by more, it is no matter
    S const h = S(1) / S(64), brake = lost / h;
    auto const braked = [&](S, vec<S, 2> const& y) { return vec<S, 2>{y[1], y[1] > S(0) ? -brake : brake}; };
    auto const r = integrate(Integrator{}, braked, vec<S, 2>{place, S(3.3) * lost}, S(0), S(1), h);
    EXPECT_EQ(r.report.status, ode_status::not_converged);
    EXPECT_LT(std::abs(r.y[1]), lost);
}
TYPED_TEST(implicit_rounding, a_jump_is_not_taken_for_it) {
    for (double const place : {0.0, 1.0, 1e3, 6.4e6})
        for (double const lost : {1e-14, 1e-10, 1e-6, 0.08}) expect_no_step_over_a_jump<TypeParam>(place, lost);
    for (float const place : {0.0f, 1.0f, 1e3f})
        for (float const lost : {1e-4f, 0.02f, 0.08f}) expect_no_step_over_a_jump<TypeParam>(place, lost);
}

// Newton goes down an exponential by steps that do not shrink: e^20 of them, then one at a time.
TEST(implicit_euler, goes_down_an_exponential) {
    auto const fall = [](double, vec<double, 1> const& y) { return vec<double, 1>{-std::exp(y[0])}; };
    auto const r = integrate(implicit_euler{}, fall, vec<double, 1>{20}, 0.0, 1.0, 1.0);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y[0] + std::exp(r.y[0]), 20, 1e-12);
}

// m v' = F - k x as place and momentum, at rest: after one step dx/dF = a h / (1 + a h k / m) with a = h / m for Euler and h / 2 m, of half the step's force, for midpoint.
TYPED_TEST(implicit_rounding, derivatives_by_a_force_are_exact_for_heavy_and_light) {
    double const h = 1.0 / 60, rate = 2e4;
    for (double const mass : {1.0, 1e2, 1e4, 1e5, 1e6, 1e8}) {
        SCOPED_TRACE(testing::Message() << mass << " kg");
        using S = dual<double, 2>;
        // The second direction, of a far larger size, is nothing to the first.
        S const force = S::variable(0.0, 0), place = S::variable(0.0, 1);
        auto const f = [&](auto const&, vec<S, 2> const& y) { return vec<S, 2>{y[1] / S(mass), force - S(rate * mass) * y[0]}; };
        auto const r = integrate(TypeParam{}, f, vec<S, 2>{place, S(0)}, 0.0, h, h);
        ASSERT_TRUE(r);
        bool const midpoint = std::is_same_v<TypeParam, implicit_midpoint>;
        double const expected = midpoint ? h * h / 2 / (1 + rate * h * h / 4) / mass : h * h / (1 + rate * h * h) / mass;
        EXPECT_NEAR(r.y[0].d[0], expected, 1e-12 * expected);
        double const kept = midpoint ? (1 - rate * h * h / 4) / (1 + rate * h * h / 4) : 1 / (1 + rate * h * h);
        EXPECT_NEAR(r.y[0].d[1], kept, 1e-12);
    }
}

// Where f depends far more on a parameter than on y, where the derivative of y is a rounding residue, and where one direction is stiff and another slow.
TEST(implicit_euler, has_derivatives_beside_others_of_any_size) {
    using S = dual<double, 2>;
    double const h = 0.5;
    for (double const own : {0.0, 1e-20, 1e-10, 1.0, 1e12})
        for (double const by_parameter : {1.0, 1e18, 1e25}) {
            SCOPED_TRACE(testing::Message() << own << " and " << by_parameter);
            S const p = S::variable(0.0, 0);
            auto const f = [&](auto const&, vec<S, 2> const& y) { return vec<S, 2>{S(by_parameter) * p - S(1e4) * y[0], S(-0.5) * y[1]}; };
            S stiff(0.0), slow(0.0);
            stiff.d[0] = own;
            slow.d[1] = 1;
            auto const r = integrate(implicit_euler{}, f, vec<S, 2>{stiff, slow}, 0.0, h, h);
            ASSERT_TRUE(r);
            double const expected = (own + h * by_parameter) / (1 + h * 1e4);
            EXPECT_NEAR(r.y[0].d[0], expected, 1e-10 * expected);
            EXPECT_NEAR(r.y[1].d[1], 1 / (1 + h * 0.5), 1e-12);
        }
}
TEST(implicit_euler, has_derivatives_after_one_iteration) {
    using S = dual<double, 1>;
    auto const f = [](auto const&, vec<S, 1> const& y) { return vec<S, 1>{S(-50) * y[0]}; };
    auto const r = integrate(implicit_euler{.max_iterations = 1}, f, vec<S, 1>{S::variable(0.0, 0)}, 0.0, 1.0, 1.0);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y[0].d[0], 1.0 / 51, 1e-12);
}

TYPED_TEST(implicit_rounding, derivatives_change_no_value_and_refuse_no_step) {
    unsigned const seed = 7;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> decade(-20, -1), firmness(2, 6);
    for (int i = 0; i < 400; ++i) {
        double const x = std::pow(10, decade(random)), stiffness = std::pow(10, firmness(random)), away = i % 3;
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", draw " << i << ": " << stiffness << " N/m from " << x << " m");
        using S = dual<double, 2>;
        auto const plain = integrate(TypeParam{}, sprung(stiffness, 1.0, away), vec<double, 3>{x, 0, 0}, 0.0, 0.5, 1.0 / 64);
        auto const over = integrate(TypeParam{}, sprung(S::variable(stiffness, 0), S(1), S(away)), vec<S, 3>{S::variable(x, 1), S(0), S(0)}, 0.0, 0.5, 1.0 / 64);
        ASSERT_EQ(plain.report.status, over.report.status);
        ASSERT_EQ(plain.report.steps, over.report.steps);
        for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(plain.y[k], over.y[k].v);
    }
}

}  // namespace
