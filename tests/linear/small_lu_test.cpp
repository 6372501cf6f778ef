// Small systems that are positive and not symmetric.

#include <sinew/linear/small_lu.hpp>
#include <sinew/math/batch.hpp>

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace sinew;

// R R^T / N + 1/10 + size (B - B^T): x . A x > 0.
template <std::size_t N>
mat<double, N, N> positive(std::mt19937& random, double size) {
    std::uniform_real_distribution<double> number(-1, 1);
    mat<double, N, N> R, B, A;
    for (double& x : R.e) x = number(random);
    for (double& x : B.e) x = number(random);
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j) {
            A(i, j) = (i == j ? 0.1 : 0) + size * (B(i, j) - B(j, i));
            for (std::size_t k = 0; k < N; ++k) A(i, j) += R(i, k) * R(j, k) / N;
        }
    return A;
}
template <std::size_t N>
void expect_solved() {
    unsigned const seed = 41;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int run = 0; run < 100; ++run)
        for (double const size : {0., 0.3, 3.}) {
            auto const A = positive<N>(random, size);
            vec<double, N> x;
            for (double& y : x.e) y = number(random);
            EXPECT_LT(norm(solve_positive(A, vec<double, N>(A * x)) - x), 1e-11) << N << ' ' << size;
        }
}
TEST(small_lu, solves_what_is_positive) {
    expect_solved<1>();
    expect_solved<2>();
    expect_solved<3>();
    expect_solved<5>();
    expect_solved<6>();
}
// A row that nothing moves gets nothing, and leaves the others alone.
TEST(small_lu, leaves_out_what_nothing_moves) {
    mat<double, 3, 3> A{};
    A(0, 0) = 2;
    A(0, 2) = 1;
    A(2, 0) = -1;
    A(2, 2) = 4;
    auto const x = solve_positive(A, vec<double, 3>{3, 5, 7});
    EXPECT_NEAR(x[0], 5. / 9, 1e-15);
    EXPECT_EQ(x[1], 0);
    EXPECT_NEAR(x[2], 17. / 9, 1e-15);
}
TEST(small_lu, has_the_same_bits_in_lanes) {
    using lanes = batch<double, 4>;
    unsigned const seed = 3;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    mat<double, 5, 5> one[4];
    mat<lanes, 5, 5> all;
    vec<lanes, 5> b;
    for (std::size_t l = 0; l < 4; ++l) {
        one[l] = positive<5>(random, 1);
        for (std::size_t i = 0; i < 25; ++i) all.e[i][l] = one[l].e[i];
        for (std::size_t i = 0; i < 5; ++i) b[i][l] = static_cast<double>(i) - 2 + 0.1 * static_cast<double>(l);
    }
    auto const x = solve_positive(all, b);
    for (std::size_t l = 0; l < 4; ++l) {
        vec<double, 5> c;
        for (std::size_t i = 0; i < 5; ++i) c[i] = b[i][l];
        auto const y = solve_positive(one[l], c);
        for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(x[i][l], y[i]);
    }
}

}  // namespace
