// Complementarity in fixed point: numbers without an exponent have the same rounding however small the problem is.

#include <sinew/linear/lo_hi_lcp.hpp>
#include <sinew/linear/projected_gauss_seidel.hpp>
#include <sinew/math/fixed.hpp>

#include "lo_hi_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace {

using namespace sinew;
using namespace lo_hi_reference;

constexpr unsigned seed = 1963;

template <class S>
class lo_hi_fixed : public testing::Test {};
using scalars = testing::Types<fixed<15, 16>, fixed<31, 32>>;
TYPED_TEST_SUITE(lo_hi_fixed, scalars);

template <class S>
S near(double x) {
    return S::from_raw(static_cast<decltype(S{}.raw)>(std::nearbyint(x / static_cast<double>(epsilon_v<S>))));
}
// The same problem `times` as large, in numbers of S; infinite bounds are those of S.
template <class S>
owned_problem<S> rounded(owned_problem<double> const& p, double times) {
    owned_problem<S> r(p.n);
    auto const bound = [&](double x) { return x == infinity_v<double> ? infinity_v<S> : x == -infinity_v<double> ? -infinity_v<S> : near<S>(x * times); };
    for (std::size_t i = 0; i < p.n * p.n; ++i) r.a[i] = near<S>(p.a[i]);
    for (std::size_t i = 0; i < p.n; ++i) {
        r.b[i] = near<S>(p.b[i] * times);
        r.lower[i] = bound(p.lower[i]);
        r.upper[i] = bound(p.upper[i]);
    }
    return r;
}
// And exactly in long double.
template <class S>
owned_problem<real> exact(owned_problem<S> const& p) {
    owned_problem<real> r(p.n);
    auto const number = [](S const& x) { return x == infinity_v<S> ? infinity_v<real> : x == -infinity_v<S> ? -infinity_v<real> : static_cast<real>(static_cast<double>(x)); };
    for (std::size_t i = 0; i < p.n * p.n; ++i) r.a[i] = number(p.a[i]);
    for (std::size_t i = 0; i < p.n; ++i) {
        r.b[i] = number(p.b[i]);
        r.lower[i] = number(p.lower[i]);
        r.upper[i] = number(p.upper[i]);
    }
    return r;
}
// The largest |x - clamp(x - w)| of the rows, in units of S's last place, each scaled to a_ii = 1.
template <class S>
real residual_in_last_places(owned_problem<S> const& p, std::vector<S> const& x) {
    auto const q = exact(p);
    std::vector<real> y;
    for (S const& v : x) y.push_back(static_cast<real>(static_cast<double>(v)));
    real size = 0;
    for (std::size_t i = 0; i < p.n; ++i) {
        real const d = q.a[i * p.n + i] > 0 ? 1 / std::sqrt(q.a[i * p.n + i]) : 1;
        size = std::max({size, std::fabs(q.b[i] * d), std::fabs(y[i] / d)});
    }
    return residual(q, y, q.lower, q.upper) * size / static_cast<real>(static_cast<double>(epsilon_v<S>));
}

template <class S, class Solver>
lcp_report<S> expect_solved(Solver& solver, owned_problem<S> const& p) {
    std::vector<S> x(p.n);
    auto const report = solver.solve(p.view(), x);
    EXPECT_EQ(report.status, lcp_status::solved);
    EXPECT_LE(residual_in_last_places(p, x), 128);
    return report;
}

// Definite problems of 1 to 8 rows, as large as their matrix, a thousandth of that, and down to a few last places.
TYPED_TEST(lo_hi_fixed, pivoting_solves_problems_of_every_size) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    lo_hi_lcp<S> solver;
    std::mt19937 random(seed);
    for (int trial = 0; trial < 3000; ++trial) {
        std::size_t const n = up_to(8, random);
        auto problem = gram<double>(n, n + 4, kind::definite, random);
        set_bounds(problem, random);
        double const last = static_cast<double>(epsilon_v<S>);
        for (double const times : {1.0, 1e-3, 1000 * last, 8 * last}) {
            (void)expect_solved(solver, rounded<S>(problem, times));
            ASSERT_FALSE(this->HasFailure()) << "trial " << trial << " times " << times << " n " << n;
        }
    }
}
// Whole numbers, rows that are equal or opposite: exact, and singular.
TYPED_TEST(lo_hi_fixed, pivoting_solves_rows_that_repeat_each_other) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    lo_hi_lcp<S> solver;
    std::mt19937 random(seed);
    for (int trial = 0; trial < 3000; ++trial) {
        std::size_t const n = up_to(8, random);
        auto problem = gram<double>(n, up_to(n, random), kind::duplicates, random);
        set_bounds(problem, random);
        (void)expect_solved(solver, rounded<S>(problem, 1));
        ASSERT_FALSE(this->HasFailure()) << "trial " << trial << " n " << n;
    }
}
// It ends when its rows are on their lines, not with the last sweep.
TYPED_TEST(lo_hi_fixed, gauss_seidel_finds_small_answers) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    projected_gauss_seidel<S> sweeps;
    sweeps.iterations = 100000;
    std::mt19937 random(seed);
    for (int trial = 0; trial < 300; ++trial) {
        std::size_t const n = up_to(4, random);
        auto problem = gram<double>(n, n + 4, kind::definite, random);
        set_bounds(problem, random);
        auto const report = expect_solved(sweeps, rounded<S>(problem, 1000 * static_cast<double>(epsilon_v<S>)));
        ASSERT_LT(report.pivots, sweeps.iterations);
        ASSERT_FALSE(this->HasFailure()) << "trial " << trial << " n " << n;
    }
}

}  // namespace
