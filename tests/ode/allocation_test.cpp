// Nothing is allocated once a solver has run, and nothing ever where the size of the state is known: counted by the
// global operator new.

#include <sinew/ode/dormand_prince_54.hpp>
#include <sinew/ode/euler.hpp>
#include <sinew/ode/events.hpp>
#include <sinew/ode/implicit_euler.hpp>
#include <sinew/ode/implicit_midpoint.hpp>
#include <sinew/ode/integrate.hpp>
#include <sinew/ode/midpoint.hpp>
#include <sinew/ode/ode_solver.hpp>
#include <sinew/ode/rk4.hpp>
#include <sinew/ode/symplectic_euler.hpp>
#include <sinew/ode/velocity_verlet.hpp>

#include <counting_new.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

using sinew_test::allocations;

namespace {

using sinew::adaptive_steps;
using sinew::fixed_steps;
using sinew::ode_status;

// Masses on a spring each; positions, then speeds. The state lives on the heap; only its owner may allocate.
struct springs {
    using scalar_type = double;
    std::vector<double> y;
    explicit springs(std::size_t masses) : y(2 * masses, 0.0) {
        for (std::size_t i = 0; i < masses; ++i) y[i] = 1 + static_cast<double>(i);
    }
    std::size_t dimension() const { return y.size(); }
    void get_state(std::span<double> out) const { std::copy(y.begin(), y.end(), out.begin()); }
    void set_state(std::span<double const> in) { std::copy(in.begin(), in.end(), y.begin()); }
    sinew::derivative_status derivative(double, std::span<double> d) {
        std::size_t const n = y.size() / 2;
        for (std::size_t i = 0; i < n; ++i) d[i] = y[n + i], d[n + i] = -y[i];
        return sinew::derivative_status::regular;
    }
};

template <class Integrator>
class allocations_of : public testing::Test {};
using methods = testing::Types<sinew::euler, sinew::symplectic_euler, sinew::implicit_euler, sinew::midpoint, sinew::velocity_verlet, sinew::implicit_midpoint, sinew::rk4,
                               sinew::dormand_prince_54>;
TYPED_TEST_SUITE(allocations_of, methods);

// The counter counts.
TEST(allocations_counter, sees_the_heap) {
    std::size_t const before = allocations;
    auto const v = std::vector<double>(100);
    EXPECT_EQ(allocations - before, v.empty() ? 0u : 1u);
}
TYPED_TEST(allocations_of, an_advance) {
    for (bool const adaptive : {false, true}) {
        springs p(3);
        sinew::ode_solver solver(p, TypeParam{}, adaptive ? adaptive_steps(1e-3, 1e-3) : fixed_steps(0.01));
        ASSERT_TRUE(solver.advance(0.1));
        std::size_t const before = allocations;
        ASSERT_TRUE(solver.advance(1));
        ASSERT_TRUE(solver.advance(0.5));
        ASSERT_TRUE(solver.transacted_advance(1));
        ASSERT_EQ(solver.transacted_advance(2, [](auto const&) { return false; }).status, ode_status::aborted);
        ASSERT_EQ(solver.restart(0), ode_status::ok);
        ASSERT_TRUE(solver.advance(0.1));
        EXPECT_EQ(allocations, before);
    }
}
TYPED_TEST(allocations_of, events) {
    springs p(2);
    sinew::ode_solver solver(p, TypeParam{}, fixed_steps(0.01));
    ASSERT_TRUE(solver.advance(0.1));
    std::size_t const before = allocations;
    int met = 0;
    auto const passing = sinew::on_event([](double, std::span<double const> y) { return y[0] - 0.5; }, sinew::crossing::either, [&](double, std::span<double const>) { ++met; });
    auto const last = sinew::stop_when([](double, std::span<double const> y) { return y[0]; });
    EXPECT_EQ(solver.advance(10, passing, last).status, ode_status::event);
    EXPECT_EQ(allocations, before);
    EXPECT_EQ(met, 1);
}
TYPED_TEST(allocations_of, single_steps) {
    springs p(3);
    sinew::ode_workspace<TypeParam, double> w;
    ASSERT_EQ(TypeParam{}.step(p, 0.0, 0.01, w), ode_status::ok);
    std::size_t const before = allocations;
    for (int i = 0; i < 10; ++i) ASSERT_EQ(TypeParam{}.step(p, 0.0, 0.01, w), ode_status::ok);
    EXPECT_EQ(allocations, before);
    // A smaller problem fits what is there.
    springs small(1);
    std::size_t const with_small = allocations;
    ASSERT_EQ(TypeParam{}.step(small, 0.0, 0.01, w), ode_status::ok);
    ASSERT_EQ(TypeParam{}.step(p, 0.0, 0.01, w), ode_status::ok);
    EXPECT_EQ(allocations, with_small);
}
// In place from the first step on.
TYPED_TEST(allocations_of, states_of_fixed_size) {
    using state = std::array<double, 2>;
    auto const f = [](double, state const& y) { return state{y[1], -y[0]}; };
    std::size_t const before = allocations;
    auto const fixed = sinew::integrate(TypeParam{}, f, state{1, 0}, 0, 1, 0.01);
    auto const adaptive = sinew::integrate(TypeParam{}, f, state{1, 0}, 0, 1, adaptive_steps(1e-3, 1e-3));
    auto const event = sinew::integrate(TypeParam{}, f, state{1, 0}, 0, 10, 0.01, sinew::stop_when([](double, state const& y) { return y[0]; }));
    EXPECT_EQ(allocations, before);
    EXPECT_TRUE(fixed);
    EXPECT_TRUE(adaptive);
    EXPECT_EQ(event.report.status, ode_status::event);
}
TEST(allocations_of_one_number, none) {
    std::size_t const before = allocations;
    auto const r = sinew::integrate(sinew::rk4{}, [](double, double y) { return -y; }, 1.0, 0, 1, 0.01);
    auto const l = sinew::integrate(sinew::dormand_prince_54{}, [](float, float y) { return -y; }, 1.0f, 0, 1, adaptive_steps(1e-4f, 1e-4f));
    EXPECT_EQ(allocations, before);
    EXPECT_TRUE(r);
    EXPECT_TRUE(l);
}
// What is refused allocates nothing either.
TEST(allocations_of_errors, none) {
    springs p(3);
    sinew::ode_solver solver(p, sinew::rk4{}, fixed_steps(0.01));
    ASSERT_TRUE(solver.advance(0.1));
    std::size_t const before = allocations;
    solver.parameters.initial_step = -1;
    EXPECT_EQ(solver.advance(1).status, ode_status::bad_step);
    solver.parameters.initial_step = 0.01;
    p.y[0] = 1e308 * 10;
    EXPECT_EQ(solver.restart(0), ode_status::not_finite);
    EXPECT_EQ(allocations, before);
}

}  // namespace
