// Projected Gauss-Seidel: the answers of Dantzig's pivoting, the pace of the theory, the energy that never rises, friction, what cannot
// be solved.

#include <sinew/linear/lo_hi_lcp.hpp>
#include <sinew/linear/projected_gauss_seidel.hpp>

#include "lo_hi_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using namespace sinew;
using namespace lo_hi_reference;

constexpr unsigned seed = 1975;

template <class S>
class gauss_seidel : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(gauss_seidel, scalars);

template <class S>
constexpr real goal = std::is_same_v<S, float> ? 1e-4L : 1e-9L;

template <class S>
void add_to_diagonal(owned_problem<S>& p) {
    for (std::size_t i = 0; i < p.n; ++i) p.at(i, i) *= S(1.2);
}
template <class S>
std::vector<S> bounds_of(projected_gauss_seidel<S> const& solver, owned_problem<S> const& p, bool upper) {
    std::vector<S> r(p.n);
    for (std::size_t i = 0; i < p.n; ++i) r[i] = p.is_friction(i) ? (upper ? solver.upper(i) : solver.lower(i)) : upper ? p.upper[i] : p.lower[i];
    return r;
}

TYPED_TEST(gauss_seidel, agrees_with_pivoting) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    projected_gauss_seidel<S> iterated;
    iterated.iterations = 3000;
    lo_hi_lcp<S> pivoted;
    for (int trial = 0; trial < 2000; ++trial) {
        auto p = gram<S>(up_to(24, random), 32, trial % 2 == 0 ? kind::definite : kind::masses, random);
        add_to_diagonal(p);
        set_bounds(p, random);
        std::vector<S> x(p.n), y(p.n);
        auto const report = iterated.solve(p.view(), x);
        ASSERT_EQ(report.status, lcp_status::solved) << trial << " " << report.residual;
        ASSERT_LE(residual(p, x, p.lower, p.upper), goal<S>);
        ASSERT_EQ(pivoted.solve(p.view(), y).status, lcp_status::solved);
        real size = 0, largest = 0;
        for (std::size_t i = 0; i < p.n; ++i) {
            real const d = std::sqrt(static_cast<real>(p.a[i * p.n + i]));
            size = std::max({size, std::fabs(y[i] * d), std::fabs(p.b[i] / d)});
            largest = std::max(largest, std::fabs(x[i] - y[i]) * d);
        }
        ASSERT_LE(largest, 100 * goal<S> * size) << trial;
        // The answer is one to the tolerance: from there on it takes few sweeps to see it.
        auto const again = iterated.solve(p.view(), x, lcp_start::warm);
        ASSERT_LE(again.pivots, 8u);
    }
}

// Semi-definite ones too, slowly: every sweep lowers x.A x / 2 + b.x, for any relaxation between 0 and 2.
TYPED_TEST(gauss_seidel, never_raises_the_energy) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (S const relaxation : {S(0.3), S(1), S(1.7)}) {
        projected_gauss_seidel<S> solver;
        solver.relaxation = relaxation;
        solver.iterations = 1;
        for (int trial = 0; trial < 50; ++trial) {
            std::size_t const n = up_to(16, random);
            auto p = gram<S>(n, up_to(n, random), kind::semidefinite, random);
            set_bounds(p, random);
            std::vector<S> x(n);
            for (std::size_t i = 0; i < n; ++i) x[i] = std::clamp(S(0), p.lower[i], p.upper[i]);
            auto const energy = [&] {
                real e = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    real w = p.b[i];
                    for (std::size_t k = 0; k < n; ++k) w += static_cast<real>(p.a[i * n + k]) * x[k] / 2;
                    e += w * x[i];
                }
                return e;
            };
            real before = energy(), size = std::fabs(before);
            for (int sweep = 0; sweep < 100; ++sweep) {
                (void)solver.solve(p.view(), x, lcp_start::warm);
                real const now = energy();
                size = std::max(size, std::fabs(now));
                for (S const v : x) size = std::max(size, static_cast<real>(v) * v);
                ASSERT_LE(now, before + static_cast<real>(epsilon_v<S>) * 64 * size);
                before = now;
            }
        }
    }
}

// A chain of n equal rows, A = tridiag(-1, 2, -1): the error falls by cos^2(pi / (n + 1)) a sweep, and with the best relaxation
// 2 / (1 + sin(pi / (n + 1))) by that less 1 (Young 1950).
TEST(gauss_seidel_pace, is_that_of_the_theory) {
    for (std::size_t const n : {3u, 8u, 20u}) {
        owned_problem<double> p(n);
        for (std::size_t i = 0; i < n; ++i) {
            p.at(i, i) = 2;
            if (i > 0) p.at(i, i - 1) = p.at(i - 1, i) = -1;
        }
        projected_gauss_seidel<double> solver;
        solver.tolerance = 0;
        auto const error_after = [&](std::size_t sweeps) {
            solver.iterations = sweeps;
            std::vector<double> x(n, 1.0);
            (void)solver.solve(p.view(), x, lcp_start::warm);
            double s = 0;
            for (double const v : x) s = std::max(s, std::fabs(v));
            return s;
        };
        double const angle = std::numbers::pi / static_cast<double>(n + 1), rate = std::cos(angle) * std::cos(angle);
        std::size_t const many = n * n;
        EXPECT_NEAR(error_after(many + 1) / error_after(many), rate, 1e-3) << n;
        solver.relaxation = 2 / (1 + std::sin(angle));
        double const best = solver.relaxation - 1;
        std::size_t const some = 6 * n;
        EXPECT_NEAR(std::pow(error_after(2 * some) / error_after(some), 1.0 / static_cast<double>(some)), best, 0.05) << n;
        EXPECT_LT(error_after(some), std::pow(rate, static_cast<double>(some))) << n;
    }
}

// Normal and friction coupled: 2 x = 4 - 0.6 mu x, where the pivoting's first pass has the normal force of 2.
TYPED_TEST(gauss_seidel, friction_follows_its_normal) {
    using S = TypeParam;
    owned_problem<S> p(2);
    p.a = {S(2), S(0.6), S(0.6), S(1)};
    p.b = {S(-4), S(-9)};
    p.lower = {S(0), S(0)};
    p.upper = {infinity_v<S>, S(0)};
    p.normal = {no_normal, 0};
    p.mu = {S(0), S(0.5)};
    projected_gauss_seidel<S> solver;
    solver.tolerance = epsilon_v<S> * S(8);
    std::vector<S> x(2);
    auto const report = solver.solve(p.view(), x);
    EXPECT_EQ(report.status, lcp_status::solved);
    EXPECT_NEAR(x[0], S(4 / 2.3), S(1e-5));
    EXPECT_NEAR(x[1], S(2 / 2.3), S(1e-5));
}
TYPED_TEST(gauss_seidel, friction_rows_meet_their_conditions) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    projected_gauss_seidel<S> solver;
    solver.iterations = 3000;
    int solved = 0;
    for (int trial = 0; trial < 500; ++trial) {
        auto p = gram<S>(up_to(20, random), 32, kind::definite, random);
        add_to_diagonal(p);
        set_bounds(p, random);
        set_friction(p, random);
        std::vector<S> x(p.n);
        auto const report = solver.solve(p.view(), x);
        real const left = residual(p, x, bounds_of(solver, p, false), bounds_of(solver, p, true));
        ASSERT_TRUE(std::isfinite(left));
        if (report.status == lcp_status::solved) {
            ++solved;
            ASSERT_LE(left, goal<S>);
        }
        for (std::size_t i = 0; i < p.n; ++i) {
            if (!p.is_friction(i)) continue;
            ASSERT_NEAR(solver.upper(i), p.mu[i] * std::fabs(x[p.normal[i]]), epsilon_v<S> * 8 * std::fabs(x[p.normal[i]]));
        }
    }
    // Coulomb's law is no convex problem: now and then it circles. Almost never here.
    EXPECT_GE(solved, 495);
}

TYPED_TEST(gauss_seidel, reports_what_it_could_not_satisfy) {
    using S = TypeParam;
    projected_gauss_seidel<S> solver;
    auto const solve = [&](owned_problem<S> const& p) {
        std::vector<S> x(p.n);
        auto const report = solver.solve(p.view(), x);
        EXPECT_TRUE(std::isfinite(residual(p, x, p.lower, p.upper)));
        for (S const v : x) EXPECT_TRUE(std::isfinite(v));
        EXPECT_EQ(report.status == lcp_status::solved, report.unsatisfied == 0);
        return report;
    };
    owned_problem<S> p(2);  // equal rows that ask for different things
    p.a = {S(1), S(1), S(1), S(1)};
    p.b = {S(1), S(-1)};
    auto report = solve(p);
    EXPECT_EQ(report.status, lcp_status::pivot_limit);
    EXPECT_GT(report.residual, S(1e-3));
    EXPECT_EQ(report.pivots, solver.iterations);
    p.a = {S(0), S(0), S(0), S(1)};  // a row that nothing moves
    report = solve(p);
    EXPECT_EQ(report.status, lcp_status::pivot_limit);
    EXPECT_EQ(report.unsatisfied, 1u);
    p.lower[0] = S(-3);  // with a bound to go to
    EXPECT_EQ(solve(p).status, lcp_status::solved);
    p.a = {S(-1), S(2), S(2), S(1)};  // no force helps
    p.b = {S(1), S(1)};
    p.lower[0] = -infinity_v<S>;
    report = solve(p);
    EXPECT_TRUE(report.indefinite);
    EXPECT_GT(report.unsatisfied, 0u);
    p.a = {S(1), S(3), S(3), S(1)};  // diverges until it no longer can
    solver.iterations = 10000;
    EXPECT_GT(solve(p).unsatisfied, 0u);
    p.b[0] = std::numeric_limits<S>::quiet_NaN();
    std::vector<S> x(2);
    EXPECT_EQ(solver.solve(p.view(), x).status, lcp_status::invalid);
    EXPECT_EQ(x, (std::vector<S>{S(0), S(0)}));
}

template <class S>
constexpr bool solves_a_small_problem() {
    std::array<S, 4> const a{2, 0, -1, 2};
    std::array<S, 2> const b{-1, 3};
    std::array<S, 2> const lower{0, 0}, upper{infinity_v<S>, infinity_v<S>};
    std::array<S, 2> x{};
    projected_gauss_seidel<S, static_storage<>, 2> solver;
    auto const report = solver.solve({a, b, lower, upper}, x);
    return report.status == lcp_status::solved && x[0] == S(0.5) && x[1] == S(0);
}
static_assert(solves_a_small_problem<double>());
TEST(gauss_seidel_constexpr, the_same_at_run_time) { EXPECT_TRUE(solves_a_small_problem<float>()); }

}  // namespace
