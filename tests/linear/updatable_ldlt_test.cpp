// L D L^T with rows added and removed: after any of them as good as made anew, for definite and indefinite matrices.

#include <sinew/linear/updatable_ldlt.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace {

using namespace sinew;

constexpr unsigned seed = 1974;

template <class S>
class factors : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(factors, scalars);

template <class S>
S number(std::mt19937& random) {  // [-1, 1]
    return static_cast<S>(static_cast<double>(random()) / 2147483648.0 - 1);
}

template <class S>
struct subject {
    std::size_t n;
    std::vector<S> a;
    std::vector<std::size_t> rows;
    updatable_ldlt<S> f;

    // Definite; or quasi-definite, [A B^T; B -C], which has factors in every order.
    subject(std::size_t size, std::size_t negative, std::mt19937& random) : n(size), a(n * n) {
        std::size_t const m = n + 3;
        std::vector<S> g(n * m);
        for (auto& x : g) x = number<S>(random);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k) {
                for (std::size_t j = 0; j < m; ++j) a[i * n + k] += g[i * m + j] * g[k * m + j];
                if (i < negative && k < negative) a[i * n + k] = -a[i * n + k];
            }
        f.begin(n);
    }
    void append(std::size_t i) {
        std::vector<S> y(n);
        for (std::size_t k = 0; k < rows.size(); ++k) y[k] = a[i * n + rows[k]];
        f.forward(y.data());
        f.append(y.data(), a[i * n + i] - f.eliminated(y.data()));
        rows.push_back(i);
    }
    bool remove(std::size_t k) {
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(k));
        return f.remove(k);
    }
    // Of A x = b over the rows that are in, relative to |A| |x|.
    S residual(std::mt19937& random) const {
        std::size_t const m = rows.size();
        std::vector<S> b(m), x(m);
        for (auto& v : b) v = number<S>(random);
        x = b;
        f.forward(x.data());
        f.backward(x.data());
        S worst(0), size(0);
        for (std::size_t i = 0; i < m; ++i) {
            S r = -b[i], s(0);
            for (std::size_t k = 0; k < m; ++k) {
                r += a[rows[i] * n + rows[k]] * x[k];
                s += std::fabs(a[rows[i] * n + rows[k]] * x[k]);
            }
            worst = std::max(worst, std::fabs(r));
            size = std::max(size, s);
        }
        return m == 0 ? S(0) : worst / size;
    }
};

TYPED_TEST(factors, stay_good_through_changes) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (std::size_t const n : {1u, 2u, 3u, 7u, 20u, 41u})
        for (std::size_t const negative : {std::size_t(0), n / 2, n}) {
            subject<S> s(n, negative, random);
            for (int change = 0; change < 300; ++change) {
                std::size_t const i = random() % n;
                auto const at = std::find(s.rows.begin(), s.rows.end(), i);
                if (at == s.rows.end())
                    s.append(i);
                else
                    ASSERT_TRUE(s.remove(static_cast<std::size_t>(at - s.rows.begin())));
                ASSERT_EQ(s.f.size(), s.rows.size());
                ASSERT_LE(s.residual(random), epsilon_v<S> * S(n + 4) * S(16)) << n << " " << negative << " " << change;
            }
        }
}

// D of a definite matrix stays positive, and its product is det A whatever was added and removed on the way.
TYPED_TEST(factors, keep_the_determinant) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    subject<S> s(8, 0, random);
    for (std::size_t i = 0; i < 8; ++i) s.append(i);
    auto const log_determinant = [&] {
        S sum(0);
        for (std::size_t k = 0; k < s.f.size(); ++k) {
            EXPECT_GT(s.f.pivot(k), S(0));
            sum += std::log(s.f.pivot(k));
        }
        return sum;
    };
    S const before = log_determinant();
    for (std::size_t const k : {3u, 0u, 7u, 5u, 1u}) {
        std::size_t const row = s.rows[k];
        ASSERT_TRUE(s.remove(k));
        s.append(row);
        EXPECT_NEAR(static_cast<double>(log_determinant()), static_cast<double>(before), 2000 * static_cast<double>(epsilon_v<S>));
    }
}

// [1 1; 1 0] without its first row is [0]: there is no pivot left, and it says so.
TYPED_TEST(factors, tell_of_a_lost_pivot) {
    using S = TypeParam;
    updatable_ldlt<S> f;
    f.begin(2);
    S y[2] = {S(1), S(0)};
    f.append(y, S(1));
    f.forward(y);
    f.append(y, S(0) - f.eliminated(y));
    EXPECT_EQ(f.pivot(1), S(-1));
    EXPECT_FALSE(f.remove(0));
}

template <class S>
constexpr bool factors_in_place() {
    updatable_ldlt<S, static_storage<>, 2> f;  // [4 2; 2 3]
    f.begin(2);
    S y[2]{};
    f.append(y, S(4));
    y[0] = S(2);
    f.forward(y);
    f.append(y, S(3) - f.eliminated(y));
    S x[2] = {S(8), S(8)};  // of x = 1, 2
    f.forward(x);
    f.backward(x);
    bool const solved = x[0] == S(1) && x[1] == S(2);
    return f.remove(0) && f.size() == 1 && f.pivot(0) == S(3) && solved;
}
static_assert(factors_in_place<double>());
TEST(factors_constexpr, the_same_at_run_time) { EXPECT_TRUE(factors_in_place<float>()); }

}  // namespace
