// Conjugate gradient and conjugate residual: as many steps as the matrix has eigenvalues, the pseudo-inverse for singular and for
// contradictory systems, the preconditioner.

#include <sinew/linear/conjugate_gradient.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace {

using namespace sinew;

constexpr unsigned seed = 1952;

template <class S>
class krylov : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(krylov, scalars);

template <class S>
S number(std::mt19937& random) {  // [-1, 1]
    return static_cast<S>(static_cast<double>(random()) / 2147483648.0 - 1);
}

// A symmetric matrix with given eigenvalues, and the eigenvectors that it is made of.
template <class S>
struct spectral {
    std::size_t n;
    std::vector<std::vector<long double>> q;  // orthonormal, one a row
    std::vector<long double> values;
    std::vector<S> a;

    spectral(std::vector<long double> eigenvalues, std::mt19937& random) : n(eigenvalues.size()), values(std::move(eigenvalues)), a(n * n) {
        while (q.size() < n) {
            std::vector<long double> v(n);
            for (auto& x : v) x = number<long double>(random);
            for (int twice = 0; twice < 2; ++twice)
                for (auto const& u : q) {
                    long double s = 0;
                    for (std::size_t i = 0; i < n; ++i) s += u[i] * v[i];
                    for (std::size_t i = 0; i < n; ++i) v[i] -= s * u[i];
                }
            long double s = 0;
            for (auto const x : v) s += x * x;
            for (auto& x : v) x /= std::sqrt(s);
            q.push_back(v);
        }
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k) {
                long double s = 0;
                for (std::size_t j = 0; j < n; ++j) s += values[j] * q[j][i] * q[j][k];
                a[i * n + k] = static_cast<S>(s);
            }
    }
    // f of the matrix, times b: f(value of j) on each eigenvector.
    template <class F>
    std::vector<S> times(F f, std::vector<S> const& b) const {
        std::vector<long double> x(n);
        for (std::size_t j = 0; j < n; ++j) {
            long double s = 0;
            for (std::size_t i = 0; i < n; ++i) s += q[j][i] * static_cast<long double>(b[i]);
            for (std::size_t i = 0; i < n; ++i) x[i] += f(values[j]) * s * q[j][i];
        }
        return {x.begin(), x.end()};
    }
    std::vector<S> pseudo_inverse_times(std::vector<S> const& b) const {
        return times([](long double v) { return v > 0 ? 1 / v : 0; }, b);
    }
    std::vector<S> in_range(std::vector<S> const& b) const {
        return times([](long double v) { return v > 0 ? 1.0L : 0.0L; }, b);
    }
};

template <class S>
auto product_with(std::vector<S> const& a, std::size_t n) {
    return [&a, n](std::span<S const> x, std::span<S> y) {
        for (std::size_t i = 0; i < n; ++i) {
            S s = 0;
            for (std::size_t k = 0; k < n; ++k) s += a[i * n + k] * x[k];
            y[i] = s;
        }
    };
}
template <class S>
S size_of(std::vector<S> const& v) {
    S s = 0;
    for (S const x : v) s += x * x;
    return std::sqrt(s);
}
template <class S>
S distance_of(std::vector<S> a, std::vector<S> const& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return size_of(a);
}
template <class S>
std::vector<S> numbers(std::size_t n, std::mt19937& random) {
    std::vector<S> v(n);
    for (S& x : v) x = number<S>(random);
    return v;
}
template <class S>
iteration_limits<S> limits_of(std::size_t n) {
    return {S(20) * std::numeric_limits<S>::epsilon(), 10 * n + 10};
}

// In exact arithmetic a method over these subspaces is done after as many steps as there are different eigenvalues.
TYPED_TEST(krylov, steps_are_the_number_of_different_eigenvalues) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (std::size_t different = 1; different <= 6; ++different)
        for (std::size_t n : {6u, 13u, 30u}) {
            std::vector<long double> values(n);
            for (std::size_t j = 0; j < n; ++j) values[j] = 1 + static_cast<long double>(j % different);
            spectral<S> const m(values, random);
            auto const b = numbers<S>(n, random);
            auto const exact = m.pseudo_inverse_times(b);
            iteration_vectors<S> work;
            S const enough = S(200) * std::numeric_limits<S>::epsilon();
            std::vector<S> x(n), y(n);
            auto const report = conjugate_gradient_solve<S>(product_with(m.a, n), b, x, {}, work, {enough, 10 * n});
            EXPECT_TRUE(report.converged && report.consistent);
            EXPECT_EQ(report.iterations, different) << n;
            EXPECT_LE(distance_of(x, exact), 8 * enough * size_of(exact));
            auto const other = conjugate_residual_solve<S>(product_with(m.a, n), b, y, {}, work, {enough, 10 * n});
            EXPECT_TRUE(other.converged && other.consistent);
            EXPECT_EQ(other.iterations, different) << n;
            EXPECT_LE(distance_of(y, exact), 8 * enough * size_of(exact));
        }
}

TYPED_TEST(krylov, definite) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (std::size_t n = 1; n <= 40; ++n) {
        std::vector<long double> values(n);
        for (auto& v : values) v = 1 + 9 * std::abs(number<long double>(random));
        spectral<S> const m(values, random);
        auto const b = numbers<S>(n, random);
        auto const exact = m.pseudo_inverse_times(b);
        iteration_vectors<S> work;
        for (int method = 0; method < 2; ++method) {
            auto x = numbers<S>(n, random);  // from anywhere
            auto const report = method == 0 ? conjugate_gradient_solve<S>(product_with(m.a, n), b, x, {}, work, limits_of<S>(n))
                                            : conjugate_residual_solve<S>(product_with(m.a, n), b, x, {}, work, limits_of<S>(n));
            EXPECT_TRUE(report.converged && report.consistent) << n;
            EXPECT_LE(report.residual, limits_of<S>(n).tolerance * size_of(b));
            EXPECT_LE(distance_of(x, exact), 200 * std::numeric_limits<S>::epsilon() * size_of(exact)) << n;
        }
    }
}

// Redundant constraints: solutions exist, and from 0 both find the smallest.
TYPED_TEST(krylov, singular_and_consistent) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (std::size_t n = 2; n <= 40; ++n)
        for (std::size_t zeros : {std::size_t(1), n / 2}) {
            std::vector<long double> values(n);
            for (std::size_t j = 0; j < n; ++j) values[j] = j < zeros ? 0 : 1 + 9 * std::abs(number<long double>(random));
            spectral<S> const m(values, random);
            auto const b = m.in_range(numbers<S>(n, random));
            auto const exact = m.pseudo_inverse_times(b);
            iteration_vectors<S> work;
            for (int method = 0; method < 2; ++method) {
                std::vector<S> x(n);
                auto const report = method == 0 ? conjugate_gradient_solve<S>(product_with(m.a, n), b, x, {}, work, limits_of<S>(n))
                                                : conjugate_residual_solve<S>(product_with(m.a, n), b, x, {}, work, limits_of<S>(n));
                EXPECT_TRUE(report.converged && report.consistent) << n;
                EXPECT_LE(distance_of(x, exact), 300 * std::numeric_limits<S>::epsilon() * size_of(exact)) << n << " " << method;
            }
        }
}

// Constraints that contradict each other: the least-squares answer, the smallest of them, and the report says so.
TYPED_TEST(krylov, inconsistent) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    S const eps = std::numeric_limits<S>::epsilon();
    for (std::size_t n = 2; n <= 40; ++n)
        for (std::size_t zeros : {std::size_t(1), n / 2})
            for (double conflict : {0.01, 1.0, 30.0}) {
                std::vector<long double> values(n);
                for (std::size_t j = 0; j < n; ++j) values[j] = j < zeros ? 0 : 1 + 9 * std::abs(number<long double>(random));
                spectral<S> const m(values, random);
                auto b = numbers<S>(n, random);
                auto const inside = m.in_range(b);
                for (std::size_t i = 0; i < n; ++i) b[i] = inside[i] + S(conflict) * (b[i] - inside[i]);
                auto const exact = m.pseudo_inverse_times(b);
                iteration_vectors<S> work;
                std::vector<S> x(n);
                auto const report = conjugate_residual_solve<S>(product_with(m.a, n), b, x, {}, work, limits_of<S>(n));
                EXPECT_TRUE(report.converged) << n << " " << zeros << " " << conflict;
                EXPECT_FALSE(report.consistent);
                EXPECT_LE(report.iterations, 3 * (n + 2));  // three solves
                EXPECT_NEAR(static_cast<double>(report.residual), static_cast<double>(distance_of(b, m.in_range(b))),
                            static_cast<double>(100 * eps * size_of(b)));
                EXPECT_LE(distance_of(x, exact), 1000 * eps * (size_of(exact) + size_of(b))) << n << " " << zeros << " " << conflict;
            }
}

// Why there are two: conjugate gradient has no answer to a contradiction, and its report admits it.
TYPED_TEST(krylov, conjugate_gradient_says_that_it_failed) {
    using S = TypeParam;
    std::vector<S> const a{1, 1, 1, 1}, b{1, 0};
    std::vector<S> x(2), y(2);
    iteration_vectors<S> work;
    auto const report = conjugate_gradient_solve<S>(product_with(a, 2), b, x, {}, work, limits_of<S>(2));
    EXPECT_FALSE(report.converged);
    auto const other = conjugate_residual_solve<S>(product_with(a, 2), b, y, {}, work, limits_of<S>(2));
    EXPECT_TRUE(other.converged);
    EXPECT_FALSE(other.consistent);
    for (S const v : y) EXPECT_NEAR(static_cast<double>(v), 0.25, static_cast<double>(4 * std::numeric_limits<S>::epsilon()));
}

// Rows in units 1e6 apart: with Jacobi's preconditioner they do not matter, without it they do. The answer to a contradiction is then
// that of the scaled system, in its norm.
TYPED_TEST(krylov, preconditioner) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    S const eps = std::numeric_limits<S>::epsilon();
    for (std::size_t n : {6u, 12u, 30u})
        for (std::size_t zeros : {0u, 2u}) {
            std::vector<long double> values(n);
            for (std::size_t j = 0; j < n; ++j) values[j] = j < zeros ? 0 : 1 + static_cast<long double>(j % 4);
            spectral<S> const m(values, random);
            auto const b = numbers<S>(n, random);
            std::vector<S> scaled(n * n), right(n), scale(n), inverse(n);
            for (std::size_t i = 0; i < n; ++i) scale[i] = static_cast<S>(std::ldexp(1.0, static_cast<int>(i % 2 == 0 ? -10 : 10)));
            for (std::size_t i = 0; i < n; ++i) {
                right[i] = scale[i] * b[i];
                inverse[i] = 1 / (scale[i] * scale[i]);
                for (std::size_t k = 0; k < n; ++k) scaled[i * n + k] = scale[i] * m.a[i * n + k] * scale[k];
            }
            iteration_vectors<S> work;
            std::vector<S> x(n), plain(n);
            S const enough = 200 * eps;
            auto const report = conjugate_residual_solve<S>(product_with(scaled, n), right, x, inverse, work, {enough, 100 * n});
            EXPECT_TRUE(report.converged);
            EXPECT_EQ(report.consistent, zeros == 0);
            EXPECT_LE(report.iterations, zeros == 0 ? 4u : 12u);
            for (std::size_t i = 0; i < n; ++i) x[i] *= scale[i];
            EXPECT_LE(distance_of(x, m.pseudo_inverse_times(b)), 3000 * eps * size_of(b)) << n << " " << zeros;
            if (zeros == 0) {
                std::vector<S> y(n);
                auto const gradient = conjugate_gradient_solve<S>(product_with(scaled, n), right, y, inverse, work, {enough, 100 * n});
                EXPECT_TRUE(gradient.converged);
                EXPECT_EQ(gradient.iterations, 4u);
                auto const without = conjugate_gradient_solve<S>(product_with(scaled, n), right, plain, {}, work, {enough, 4});
                EXPECT_LE(without.iterations, 4u);
                for (std::size_t i = 0; i < n; ++i) plain[i] *= scale[i];
                EXPECT_GT(distance_of(plain, m.pseudo_inverse_times(b)), S(0.1) * size_of(plain));
            }
        }
}

// The matrix of a chain, tridiagonal (-1, 2, -1), of condition 4 n^2 / pi^2: a bad one is no contradiction.
TYPED_TEST(krylov, chain) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    S const eps = std::numeric_limits<S>::epsilon();
    for (std::size_t n : {16u, 64u, 128u}) {
        auto const apply = [n](std::span<S const> x, std::span<S> y) {
            for (std::size_t i = 0; i < n; ++i) y[i] = 2 * x[i] - (i > 0 ? x[i - 1] : S(0)) - (i + 1 < n ? x[i + 1] : S(0));
        };
        auto const exact = numbers<S>(n, random);
        std::vector<S> b(n), x(n);
        apply(exact, b);
        iteration_vectors<S> work;
        auto const report = conjugate_residual_solve<S>(apply, b, x, {}, work, {50 * eps, 4 * n});
        EXPECT_TRUE(report.converged && report.consistent) << n;
        EXPECT_LE(report.iterations, 2 * n);
        EXPECT_LE(distance_of(x, exact), S(n * n) * 50 * eps * size_of(b)) << n;
    }
}

TYPED_TEST(krylov, nothing_to_do) {
    using S = TypeParam;
    std::vector<S> const a{2, 0, 0, 3}, zero(2);
    std::vector<S> x(2);
    iteration_vectors<S> work;
    for (int method = 0; method < 2; ++method) {
        auto const report = method == 0 ? conjugate_gradient_solve<S>(product_with(a, 2), zero, x, {}, work, limits_of<S>(2))
                                        : conjugate_residual_solve<S>(product_with(a, 2), zero, x, {}, work, limits_of<S>(2));
        EXPECT_TRUE(report.converged && report.consistent);
        EXPECT_EQ(report.iterations, 0u);
        EXPECT_EQ(x, zero);
    }
    // A row that nothing can move, A = 0, and a right-hand side: the multiplier 0.
    std::vector<S> const nothing{0}, one{1};
    std::vector<S> y(1);
    auto const stuck = conjugate_residual_solve<S>(product_with(nothing, 1), one, y, {}, work, limits_of<S>(1));
    EXPECT_TRUE(stuck.converged && !stuck.consistent);
    EXPECT_EQ(y[0], S(0));
    // No row at all.
    std::vector<S> const none;
    std::vector<S> z;
    EXPECT_TRUE(conjugate_residual_solve<S>(product_with(none, 0), none, z, {}, work, limits_of<S>(0)).converged);
}

// [[4, 1], [1, 3]] x = (1, 2): x = (1, 7) / 11.
constexpr bool in_a_constant() {
    std::array<double, 2> const b{1, 2}, inverse{0.25, 1.0 / 3};
    std::array<double, 2> x{}, y{};
    iteration_vectors<double, static_storage<>, 2> work;
    auto const apply = [](std::span<double const> v, std::span<double> r) {
        r[0] = 4 * v[0] + v[1];
        r[1] = v[0] + 3 * v[1];
    };
    auto const one = conjugate_gradient_solve<double>(apply, b, x, inverse, work, {1e-14, 5});
    auto const two = conjugate_residual_solve<double>(apply, b, y, inverse, work, {1e-14, 5});
    return one.converged && two.consistent && abs(11 * x[0] - 1) < 1e-13 && abs(11 * y[1] - 7) < 1e-13;
}
static_assert(in_a_constant());
TEST(krylov_constant, at_run_time_too) { EXPECT_TRUE(in_a_constant()); }

}  // namespace
