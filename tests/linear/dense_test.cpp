// Cholesky and L D L^T of run-time size: residuals in units of rounding, the report, redundant rows set aside.

#include <sinew/linear/dense.hpp>
#include <sinew/math/dual.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace {

constexpr unsigned seed = 1910;

template <class S>
class dense : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(dense, scalars);

constexpr std::size_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 24, 33, 48, 60};

// A square matrix, row by row.
template <class S>
struct square {
    std::size_t n;
    std::vector<S> e;

    explicit square(std::size_t size) : n(size), e(size * size) {}
    S& operator()(std::size_t i, std::size_t k) { return e[i * n + k]; }
    S operator()(std::size_t i, std::size_t k) const { return e[i * n + k]; }
    std::span<S> span() { return e; }
    std::span<S const> view() const { return e; }
};
template <class S>
S number(std::mt19937& random) {  // [-1, 1]
    return static_cast<S>(static_cast<double>(random()) / 2147483648.0 - 1);
}
template <class S>
std::vector<S> numbers(std::size_t n, std::mt19937& random) {
    std::vector<S> v(n);
    for (S& x : v) x = number<S>(random);
    return v;
}
// G G^T of a random n x m matrix: definite if m >= n, of rank m if not.
template <class S>
square<S> gram(std::size_t n, std::size_t m, std::mt19937& random) {
    auto const g = numbers<S>(n * m, random);
    square<S> a(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < m; ++j) a(i, k) += g[i * m + j] * g[k * m + j];
    return a;
}
template <class S>
std::vector<S> times(square<S> const& a, std::vector<S> const& x) {
    std::vector<S> r(a.n);
    for (std::size_t i = 0; i < a.n; ++i)
        for (std::size_t k = 0; k < a.n; ++k) r[i] += a(i, k) * x[k];
    return r;
}
template <class S>
S largest(std::vector<S> const& v) {
    S r = 0;
    for (S const x : v) r = std::fmax(r, std::fabs(x));
    return r;
}
template <class S>
S norm_of(square<S> const& a) {
    S r = 0;
    for (std::size_t i = 0; i < a.n; ++i) {
        S sum = 0;
        for (std::size_t k = 0; k < a.n; ++k) sum += std::fabs(a(i, k));
        r = std::fmax(r, sum);
    }
    return r;
}
template <class S>
S residual(square<S> const& a, std::vector<S> const& x, std::vector<S> const& b) {
    auto r = times(a, x);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= b[i];
    return largest(r);
}
template <class S>
bool finite(std::span<S const> v) {
    for (S const x : v)
        if (!std::isfinite(x)) return false;
    return true;
}

// The two factorisations behind one face.
struct cholesky {
    template <class S>
    static sinew::factor_report factor(square<S>& a, S floor) {
        return sinew::cholesky_factor(a.span(), a.n, floor);
    }
    template <class S>
    static void solve(square<S> const& l, std::vector<S>& b) {
        sinew::cholesky_solve(l.view(), l.n, std::span<S>(b));
    }
    // L L^T - A, largest row sum.
    template <class S>
    static S error(square<S> const& l, square<S> const& a) {
        square<S> r(a.n);
        for (std::size_t i = 0; i < a.n; ++i)
            for (std::size_t k = 0; k < a.n; ++k) {
                auto const at = [&](std::size_t p, std::size_t q) { return p == q ? S(1) / l(p, p) : l(p, q); };
                for (std::size_t j = 0; j <= std::min(i, k); ++j) r(i, k) += at(i, j) * at(k, j);
                r(i, k) -= a(i, k);
            }
        return norm_of(r);
    }
};
struct ldlt {
    template <class S>
    static sinew::factor_report factor(square<S>& a, S floor) {
        return sinew::ldlt_factor(a.span(), a.n, floor);
    }
    template <class S>
    static void solve(square<S> const& l, std::vector<S>& b) {
        sinew::ldlt_solve(l.view(), l.n, std::span<S>(b));
    }
    template <class S>
    static S error(square<S> const& l, square<S> const& a) {
        square<S> r(a.n);
        for (std::size_t i = 0; i < a.n; ++i)
            for (std::size_t k = 0; k < a.n; ++k) {
                auto const at = [&](std::size_t p, std::size_t q) { return p == q ? S(1) : l(p, q); };
                for (std::size_t j = 0; j <= std::min(i, k); ++j) r(i, k) += at(i, j) * at(k, j) / l(j, j);
                r(i, k) -= a(i, k);
            }
        return norm_of(r);
    }
};
template <class S>
constexpr S floor_of = S(16) * std::numeric_limits<S>::epsilon();

// ---- definite

template <class S, class Method>
void expect_definite_solved() {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (std::size_t const n : sizes) {
        SCOPED_TRACE(testing::Message() << "size " << n);
        for (int i = 0; i < 8; ++i) {
            auto const a = gram<S>(n, n + 3, random);
            auto const b = numbers<S>(n, random);
            auto l = a;
            auto const report = Method::factor(l, floor_of<S>);
            ASSERT_EQ(report.size, n);
            ASSERT_EQ(report.rank, n);
            ASSERT_TRUE(report.full_rank());
            auto x = b;
            Method::solve(l, x);
            // Backward stable: the bounds do not know the condition (Higham 2002, theorems 10.3 and 10.4).
            S const eps = std::numeric_limits<S>::epsilon();
            EXPECT_LE(residual(a, x, b), static_cast<S>(n + 3) * eps * norm_of(a) * largest(x));
            EXPECT_LE(Method::error(l, a), static_cast<S>(n + 1) * eps * norm_of(a));
            // What stands above the diagonal is neither read nor written.
            for (std::size_t r = 0; r < n; ++r)
                for (std::size_t k = r + 1; k < n; ++k) ASSERT_EQ(l(r, k), a(r, k));
        }
    }
}
TYPED_TEST(dense, cholesky_solves_definite_systems) { expect_definite_solved<TypeParam, cholesky>(); }
TYPED_TEST(dense, ldlt_solves_definite_systems) { expect_definite_solved<TypeParam, ldlt>(); }

// The error of the solution is the residual's times the condition.
template <class S, class Method>
void expect_solutions_found() {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (std::size_t const n : sizes) {
        SCOPED_TRACE(testing::Message() << "size " << n);
        auto const a = gram<S>(n, n + 6, random);
        auto l = a;
        ASSERT_TRUE(Method::factor(l, floor_of<S>).full_rank());
        square<S> inverse(n);
        for (std::size_t k = 0; k < n; ++k) {
            std::vector<S> column(n);
            column[k] = 1;
            Method::solve(l, column);
            for (std::size_t i = 0; i < n; ++i) inverse(i, k) = column[i];
        }
        S const condition = norm_of(a) * norm_of(inverse);
        for (int i = 0; i < 8; ++i) {
            auto const exact = numbers<S>(n, random);
            auto x = times(a, exact);
            Method::solve(l, x);
            for (std::size_t k = 0; k < n; ++k) x[k] -= exact[k];
            EXPECT_LE(largest(x), static_cast<S>(n + 3) * std::numeric_limits<S>::epsilon() * condition);
        }
    }
}
TYPED_TEST(dense, cholesky_finds_the_solution) { expect_solutions_found<TypeParam, cholesky>(); }
TYPED_TEST(dense, ldlt_finds_the_solution) { expect_solutions_found<TypeParam, ldlt>(); }

TYPED_TEST(dense, ldlt_is_exact_on_whole_numbers) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 50; ++i) {
        std::size_t const n = 1 + random() % 5;
        square<S> l(n), a(n);
        std::vector<S> d(n), x(n);
        for (std::size_t r = 0; r < n; ++r) {
            for (std::size_t k = 0; k < r; ++k) l(r, k) = static_cast<S>(static_cast<int>(random() % 5) - 2);
            l(r, r) = 1;
            d[r] = static_cast<S>(1 << (random() % 4)) * (random() % 2 == 0 ? S(1) : S(-1));
            x[r] = static_cast<S>(static_cast<int>(random() % 7) - 3);
        }
        for (std::size_t r = 0; r < n; ++r)
            for (std::size_t k = 0; k < n; ++k)
                for (std::size_t j = 0; j < n; ++j) a(r, k) += l(r, j) * d[j] * l(k, j);
        auto b = times(a, x);
        auto f = a;
        EXPECT_TRUE(ldlt::factor(f, S(0)).full_rank());
        for (std::size_t r = 0; r < n; ++r) {
            EXPECT_EQ(f(r, r), S(1) / d[r]);
            for (std::size_t k = 0; k < r; ++k) EXPECT_EQ(f(r, k), l(r, k));
        }
        ldlt::solve(f, b);
        EXPECT_EQ(b, x);
    }
}
TYPED_TEST(dense, cholesky_of_the_identity_and_of_a_diagonal) {
    using S = TypeParam;
    square<S> a(4);
    for (std::size_t i = 0; i < 4; ++i) a(i, i) = static_cast<S>(std::size_t{1} << (2 * i));  // 1, 4, 16, 64
    auto l = a;
    EXPECT_TRUE(cholesky::factor(l, floor_of<S>).full_rank());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(l(i, i), S(1) / static_cast<S>(std::size_t{1} << i));
    std::vector<S> b{1, 8, 48, 256};
    cholesky::solve(l, b);
    EXPECT_EQ(b, (std::vector<S>{1, 2, 3, 4}));
}

// ---- indefinite

// Negative definite, and quasi-definite [A G^T; G -C]: L D L^T exists for any order of the rows (Vanderbei 1995).
TYPED_TEST(dense, ldlt_solves_negative_definite_systems) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (std::size_t const n : sizes) {
        SCOPED_TRACE(testing::Message() << "size " << n);
        auto a = gram<S>(n, n + 3, random);
        for (S& x : a.e) x = -x;
        auto const b = numbers<S>(n, random);
        auto l = a;
        ASSERT_TRUE(ldlt::factor(l, floor_of<S>).full_rank());
        for (std::size_t k = 0; k < n; ++k) EXPECT_LT(l(k, k), S(0));
        auto x = b;
        ldlt::solve(l, x);
        EXPECT_LE(residual(a, x, b), static_cast<S>(n + 3) * std::numeric_limits<S>::epsilon() * norm_of(a) * largest(x));
    }
}
TYPED_TEST(dense, ldlt_solves_quasi_definite_systems) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (std::size_t const n : sizes) {
        if (n < 2) continue;
        SCOPED_TRACE(testing::Message() << "size " << n);
        std::size_t const m = n / 2;
        for (int i = 0; i < 8; ++i) {
            auto a = gram<S>(n, n + 3, random);
            for (std::size_t r = m; r < n; ++r)
                for (std::size_t k = m; k < n; ++k) a(r, k) = -a(r, k);
            // The blocks on the diagonal stay well conditioned beside the one off it.
            for (std::size_t r = 0; r < n; ++r) a(r, r) += r < m ? static_cast<S>(n) : -static_cast<S>(n);
            auto const b = numbers<S>(n, random);
            auto l = a;
            ASSERT_TRUE(ldlt::factor(l, floor_of<S>).full_rank());
            for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(l(k, k) > S(0), k < m) << k;
            auto x = b;
            ldlt::solve(l, x);
            EXPECT_LE(residual(a, x, b), static_cast<S>(4 * n) * std::numeric_limits<S>::epsilon() * norm_of(a) * largest(x));
            EXPECT_LE(ldlt::error(l, a), static_cast<S>(4 * n) * std::numeric_limits<S>::epsilon() * norm_of(a));
        }
    }
}
// Cholesky has no root for it: the row is set aside and counted, and nothing becomes infinite.
TYPED_TEST(dense, cholesky_sets_negative_pivots_aside) {
    using S = TypeParam;
    square<S> a(3);
    a.e = {4, 0, 0, 0, -1, 0, 0, 0, 9};
    auto const report = cholesky::factor(a, floor_of<S>);
    EXPECT_EQ(report.rank, 2u);
    EXPECT_FALSE(report.full_rank());
    std::vector<S> b{8, 5, 18};
    cholesky::solve(a, b);
    EXPECT_EQ(b, (std::vector<S>{2, 0, 2}));
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (std::size_t const n : sizes)
        for (int i = 0; i < 8; ++i) {
            square<S> c(n);
            for (std::size_t r = 0; r < n; ++r)
                for (std::size_t k = 0; k <= r; ++k) c(r, k) = c(k, r) = number<S>(random);
            auto x = numbers<S>(n, random);
            EXPECT_LE(cholesky::factor(c, floor_of<S>).rank, n);
            cholesky::solve(c, x);
            EXPECT_TRUE(finite<S>(x));
        }
}

// ---- singular

template <class S, class Method>
void expect_zero_is_harmless() {
    for (std::size_t const n : sizes) {
        square<S> a(n);
        EXPECT_EQ(Method::factor(a, floor_of<S>).rank, 0u);
        std::vector<S> b(n, S(7));
        Method::solve(a, b);
        EXPECT_EQ(b, std::vector<S>(n, S(0)));
    }
    // Nothing at all is solved.
    square<S> none(0);
    EXPECT_TRUE(Method::factor(none, floor_of<S>).full_rank());
    std::vector<S> b;
    Method::solve(none, b);
}
TYPED_TEST(dense, zero_is_harmless) {
    expect_zero_is_harmless<TypeParam, cholesky>();
    expect_zero_is_harmless<TypeParam, ldlt>();
}
// Rows that repeat sums of earlier ones: the report counts them, their unknowns are 0, and what can be solved is solved.
template <class S, class Method>
void expect_redundancy_found() {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (std::size_t const n : {2u, 3u, 5u, 8u, 12u, 24u}) {
        SCOPED_TRACE(testing::Message() << "size " << n);
        for (int i = 0; i < 20; ++i) {
            // Row `twin` of G is the sum of two others before it; whole numbers, so that only the factorisation rounds.
            std::size_t const m = n + 2, twin = 1 + random() % (n - 1);
            std::vector<S> g(n * m);
            for (S& x : g) x = static_cast<S>(static_cast<int>(random() % 7) - 3);
            for (std::size_t r = 0; r < n; ++r) g[r * m + r] += S(12);
            for (std::size_t k = 0; k < m; ++k) g[twin * m + k] = g[k] + (twin > 1 ? g[m + k] : S(0));
            square<S> a(n);
            for (std::size_t r = 0; r < n; ++r)
                for (std::size_t k = 0; k < n; ++k)
                    for (std::size_t j = 0; j < m; ++j) a(r, k) += g[r * m + j] * g[k * m + j];
            auto l = a;
            auto const report = Method::factor(l, S(4) * static_cast<S>(n) * floor_of<S>);
            EXPECT_EQ(report.rank, n - 1);
            EXPECT_EQ(l(twin, twin), S(0));
            auto const b = times(a, numbers<S>(n, random));
            auto x = b;
            Method::solve(l, x);
            ASSERT_TRUE(finite<S>(x));
            EXPECT_EQ(x[twin], S(0));
            EXPECT_LE(residual(a, x, b), static_cast<S>(16 * n) * std::numeric_limits<S>::epsilon() * norm_of(a) * std::fmax(S(1), largest(x)));
        }
    }
}
TYPED_TEST(dense, cholesky_reports_redundant_rows) { expect_redundancy_found<TypeParam, cholesky>(); }
TYPED_TEST(dense, ldlt_reports_redundant_rows) { expect_redundancy_found<TypeParam, ldlt>(); }

// Rank m below n, where rounding decides which pivots are lost: never more than m, and never anything infinite.
template <class S, class Method>
void expect_low_rank_survives() {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (std::size_t const n : {4u, 9u, 20u, 40u})
        for (std::size_t const m : {std::size_t{1}, n / 3 + 1, n - 1}) {
            auto const a = gram<S>(n, m, random);
            auto l = a;
            auto const report = Method::factor(l, static_cast<S>(n) * static_cast<S>(n) * floor_of<S>);
            EXPECT_LE(report.rank, n);
            EXPECT_GE(report.rank, std::size_t{1});
            EXPECT_TRUE(finite<S>(l.view()));
            auto x = numbers<S>(n, random);
            Method::solve(l, x);
            EXPECT_TRUE(finite<S>(x));
        }
}
TYPED_TEST(dense, low_rank_stays_finite) {
    expect_low_rank_survives<TypeParam, cholesky>();
    expect_low_rank_survives<TypeParam, ldlt>();
}
// A diagonal entry of zero belongs to a row that nothing can move.
TYPED_TEST(dense, a_dead_row) {
    using S = TypeParam;
    for (bool const roots : {true, false}) {
        square<S> a(3);
        a.e = {4, 0, 2, 0, 0, 0, 2, 0, 5};
        EXPECT_EQ((roots ? cholesky::factor(a, floor_of<S>) : ldlt::factor(a, floor_of<S>)).rank, 2u);
        std::vector<S> b{6, 100, 7};
        roots ? cholesky::solve(a, b) : ldlt::solve(a, b);
        EXPECT_EQ(b, (std::vector<S>{1, 0, 1}));
    }
}
// The floor is relative to each row, so that units do not matter.
TYPED_TEST(dense, units_do_not_matter) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::size_t const n = 8;
    auto const a = gram<S>(n, n + 3, random);
    auto const b = numbers<S>(n, random);
    auto const solved = [&](auto method, int step) {
        square<S> l(n);
        auto x = b;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < n; ++k) l(i, k) = std::ldexp(a(i, k), step * static_cast<int>(i + k));
            x[i] = std::ldexp(b[i], step * static_cast<int>(i));
        }
        EXPECT_TRUE(method.factor(l, floor_of<S>).full_rank());
        method.solve(l, x);
        for (std::size_t i = 0; i < n; ++i) x[i] = std::ldexp(x[i], step * static_cast<int>(i));
        return x;
    };
    // Powers of two change no bit of the significands.
    for (int const step : {-5, 3}) {
        EXPECT_EQ(solved(cholesky{}, step), solved(cholesky{}, 0));
        EXPECT_EQ(solved(ldlt{}, step), solved(ldlt{}, 0));
    }
}

// ---- constant evaluation, derivatives

constexpr bool solves_in_a_constant() {
    std::array<double, 4> a{4, 0, 2, 3}, c = a;
    std::array<double, 2> b{8, 8}, d = b;
    bool ok = sinew::cholesky_factor(std::span<double>(a), 2, 1e-12).full_rank() && sinew::ldlt_factor(std::span<double>(c), 2, 1e-12).full_rank();
    sinew::cholesky_solve(std::span<double const>(a), 2, std::span<double>(b));
    sinew::ldlt_solve(std::span<double const>(c), 2, std::span<double>(d));
    return ok && d[0] == 1 && d[1] == 2 && b[0] - 1 < 1e-14 && 1 - b[0] < 1e-14 && b[1] - 2 < 1e-14 && 2 - b[1] < 1e-14;
}
static_assert(solves_in_a_constant());

// d(A^-1 b) = -A^-1 dA A^-1 b.
TEST(dense_of_duals, derivative) {
    using D = sinew::dual<double, 1>;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::size_t const n = 5;
    auto const a = gram<double>(n, n + 3, random), da = gram<double>(n, n, random);
    auto const b = numbers<double>(n, random);
    auto l = a;
    ldlt::factor(l, 1e-14);
    auto x = b;
    ldlt::solve(l, x);
    auto dx = times(da, x);
    ldlt::solve(l, dx);
    for (bool const roots : {true, false}) {
        std::vector<D> ad(n * n), bd(n);
        for (std::size_t i = 0; i < n * n; ++i) {
            ad[i] = D(a.e[i]);
            ad[i].d[0] = da.e[i];
        }
        for (std::size_t i = 0; i < n; ++i) bd[i] = D(b[i]);
        if (roots) {
            EXPECT_TRUE(sinew::cholesky_factor(std::span<D>(ad), n, D(1e-14)).full_rank());
            sinew::cholesky_solve(std::span<D const>(ad), n, std::span<D>(bd));
        } else {
            EXPECT_TRUE(sinew::ldlt_factor(std::span<D>(ad), n, D(1e-14)).full_rank());
            sinew::ldlt_solve(std::span<D const>(ad), n, std::span<D>(bd));
        }
        for (std::size_t i = 0; i < n; ++i) {
            EXPECT_NEAR(bd[i].v, x[i], 1e-12 * (1 + largest(x)));
            EXPECT_NEAR(bd[i].d[0], -dx[i], 1e-11 * (1 + largest(dx)));
        }
    }
}

}  // namespace
