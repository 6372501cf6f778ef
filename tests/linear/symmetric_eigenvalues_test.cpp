#include <sinew/linear/symmetric_eigenvalues.hpp>

#include <sinew/constraint/random_state.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace {

using namespace sinew;

template <class S>
std::vector<S> eigenvalues(std::vector<S> a, std::size_t n) {
    std::vector<S> d(n), e(n);
    EXPECT_TRUE(symmetric_eigenvalues<S>(a, n, d, e));
    return d;
}

template <class S>
struct SymmetricEigenvalues : testing::Test {};
using numbers_t = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(SymmetricEigenvalues, numbers_t);

// tridiag(-1, 2, -1): 2 - 2 cos(k pi / (n + 1)).
TYPED_TEST(SymmetricEigenvalues, of_a_chain_are_known) {
    using S = TypeParam;
    for (std::size_t n : {1u, 2u, 3u, 10u, 64u}) {
        std::vector<S> a(n * n, S(0));
        for (std::size_t i = 0; i < n; ++i) {
            a[i * n + i] = S(2);
            if (i > 0) a[i * n + i - 1] = a[(i - 1) * n + i] = S(-1);
        }
        auto const d = eigenvalues(a, n);
        for (std::size_t k = 0; k < n; ++k)
            EXPECT_NEAR(double(d[k]), 2 - 2 * std::cos(double(k + 1) * std::numbers::pi / double(n + 1)), double(S(16) * epsilon_v<S>) + 1e-15) << n << " " << k;
    }
}

// Q diag(known) Q^T with Q a product of random reflections; repeated, zero and negative ones too.
TYPED_TEST(SymmetricEigenvalues, survive_a_random_rotation) {
    using S = TypeParam;
    constexpr std::uint64_t seed = 71;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    splitmix64 random{seed};
    for (std::size_t n = 1; n <= 40; ++n) {
        std::vector<S> known(n);
        for (std::size_t i = 0; i < n; ++i) known[i] = i % 5 == 0 ? S(0) : i % 7 == 0 ? S(3) : random_number<S>(random, S(-10), S(10));
        std::vector<S> a(n * n, S(0));
        for (std::size_t i = 0; i < n; ++i) a[i * n + i] = known[i];
        for (int reflections = 0; reflections < 4; ++reflections) {
            std::vector<S> u(n), au(n, S(0));
            S uu{}, uau{};
            for (auto& x : u) x = random_number<S>(random, S(-1), S(1)), uu += x * x;
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) au[i] += a[i * n + j] * u[j];
            for (std::size_t i = 0; i < n; ++i) uau += u[i] * au[i];
            // (1 - 2 u u^T / uu) A (1 - 2 u u^T / uu)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) a[i * n + j] += -2 * (u[i] * au[j] + au[i] * u[j]) / uu + 4 * uau * u[i] * u[j] / (uu * uu);
        }
        std::sort(known.begin(), known.end());
        auto const d = eigenvalues(a, n);
        for (std::size_t k = 0; k < n; ++k) EXPECT_LE(abs(d[k] - known[k]), S(600) * epsilon_v<S>) << n << " " << k;
    }
}

constexpr bool in_a_constant_expression() {
    double a[9] = {2, 0, 0, -1, 2, 0, 0, -1, 2}, d[3]{}, e[3]{};
    return symmetric_eigenvalues<double>(a, 3, d, e) && d[0] > 0.5857864376 && d[0] < 0.5857864377 && d[1] > 1.999999999999 && d[2] < 3.4142135625;
}
static_assert(in_a_constant_expression());

}  // namespace
