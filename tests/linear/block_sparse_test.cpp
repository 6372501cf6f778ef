// Block-sparse products against dense ones.

#include <sinew/linear/block_sparse.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace {

using namespace sinew;

constexpr unsigned seed = 1997;

template <class S>
class blocks : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(blocks, scalars);

template <class S>
S number(std::mt19937& random) {  // [-1, 1]
    return static_cast<S>(static_cast<double>(random()) / 2147483648.0 - 1);
}

TYPED_TEST(blocks, products_equal_dense_ones) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    S const eps = std::numeric_limits<S>::epsilon();
    block_sparse<S> j;
    for (int round = 0; round < 200; ++round) {
        std::size_t const rows = 1 + random() % 30, cols = 1 + random() % 40;
        std::vector<S> dense(rows * cols), x(cols), l(rows), y(rows, S(7)), z(cols, S(7));
        j.clear();
        for (std::size_t count = random() % 12; count-- > 0;) {
            std::size_t const r = random() % rows, c = random() % cols;
            std::size_t const m = 1 + random() % (rows - r), n = 1 + random() % (cols - c);
            std::uint32_t const b = j.add(r, c, m, n);
            for (std::size_t i = 0; i < m; ++i)
                for (std::size_t k = 0; k < n; ++k) {
                    j.block(b)[i * n + k] = number<S>(random);
                    dense[(r + i) * cols + c + k] += j.block(b)[i * n + k];  // blocks may overlap
                }
        }
        for (S& e : x) e = number<S>(random);
        for (S& e : l) e = number<S>(random);
        j.multiply(x, y);
        j.multiply_transposed(l, z);
        double const most = static_cast<double>(S(2000) * eps);
        for (std::size_t i = 0; i < rows; ++i) {
            S s = 0;
            for (std::size_t k = 0; k < cols; ++k) s += dense[i * cols + k] * x[k];
            EXPECT_NEAR(static_cast<double>(y[i]), static_cast<double>(s), most);
        }
        for (std::size_t k = 0; k < cols; ++k) {
            S s = 0;
            for (std::size_t i = 0; i < rows; ++i) s += dense[i * cols + k] * l[i];
            EXPECT_NEAR(static_cast<double>(z[k]), static_cast<double>(s), most);
        }
    }
}

constexpr bool in_a_constant() {
    block_sparse<double, static_storage<>, block_limits{.blocks = 2, .numbers = 4}> j;
    std::uint32_t const a = j.add(0, 0, 1, 2), b = j.add(0, 3, 1, 2);
    j.block(a)[0] = 1;
    j.block(a)[1] = 2;
    j.block(b)[1] = 3;
    std::array<double, 5> const x{1, 10, 100, 1000, 10000};
    std::array<double, 1> y{};
    j.multiply(x, y);
    std::array<double, 5> z{};
    j.multiply_transposed(std::array<double, 1>{2}, z);
    return j.size() == 2 && y[0] == 30021 && z == std::array<double, 5>{2, 4, 0, 0, 6};
}
static_assert(in_a_constant());
TEST(block_sparse, at_run_time_too) { EXPECT_TRUE(in_a_constant()); }

}  // namespace
