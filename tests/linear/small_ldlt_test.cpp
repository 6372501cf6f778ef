// L D L^T of fixed size: residuals in units of rounding, lost pivots without infinities.

#include <sinew/linear/small_ldlt.hpp>
#include <sinew/math/batch.hpp>
#include <sinew/math/dual.hpp>
#include <sinew/math/elementary.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>

namespace {

using namespace sinew;

constexpr unsigned seed = 1924;

template <class S>
class small_factors : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(small_factors, scalars);

template <class S>
S number(std::mt19937& random) {  // [-1, 1]
    return static_cast<S>(static_cast<double>(random()) / 2147483648.0 - 1);
}
template <class S, std::size_t N>
vec<S, N> any_vector(std::mt19937& random) {
    vec<S, N> v{};
    for (S& x : v.e) x = number<S>(random);
    return v;
}
template <class S, std::size_t R, std::size_t C>
mat<S, R, C> any_matrix(std::mt19937& random) {
    mat<S, R, C> m{};
    for (S& x : m.e) x = number<S>(random);
    return m;
}
template <class S, std::size_t N>
S largest(vec<S, N> const& v) {
    S r = 0;
    for (S const& x : v.e) r = max(r, abs(x));
    return r;
}
// Largest sum of a row: the norm that belongs to `largest`.
template <class S, std::size_t N>
S norm_of(mat<S, N, N> const& a) {
    S r = 0;
    for (std::size_t i = 0; i < N; ++i) {
        S sum = 0;
        for (std::size_t k = 0; k < N; ++k) sum += abs(a(i, k));
        r = max(r, sum);
    }
    return r;
}
template <class S, std::size_t N>
bool finite(vec<S, N> const& v) {
    for (S const& x : v.e)
        if (!isfinite(x)) return false;
    return true;
}
template <class F>
void for_sizes(F&& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (f.template operator()<I + 1>(), ...); }(std::make_index_sequence<12>{});
}
// D of a factorisation, from its reciprocals; L is what stands below the diagonal.
template <class S, std::size_t N>
mat<S, N, N> product(small_ldlt<S, N> const& f) {
    mat<S, N, N> l = identity<S, N>(), d{};
    for (std::size_t i = 0; i < N; ++i) {
        d(i, i) = f.l(i, i) == S(0) ? S(0) : S(1) / f.l(i, i);
        for (std::size_t k = 0; k < i; ++k) l(i, k) = f.l(i, k);
    }
    return l * d * transpose(l);
}

TYPED_TEST(small_factors, solve_and_multiply_back) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for_sizes([&]<std::size_t N>() {
        SCOPED_TRACE(testing::Message() << "size " << N);
        for (int i = 0; i < 40; ++i) {
            auto const g = any_matrix<S, N, N + 2>(random);
            mat<S, N, N> const a = g * transpose(g);
            auto const b = any_vector<S, N>(random);
            small_ldlt<S, N> const f(a);
            auto const x = f.solve(b);
            // Backward stable on definite matrices: the residual does not know the condition (Higham 2002, theorem 10.4).
            S const unit = epsilon_v<S> * norm_of(a) * largest(x);
            EXPECT_LE(largest(vec<S, N>(a * x - b)), S(N + 3) * unit);
            EXPECT_LE(norm_of(mat<S, N, N>(product(f) - a)), S(N + 1) * epsilon_v<S> * norm_of(a) * 2);
            vec<S, N> const direct = N == 1 ? b / a(0, 0) : x;  // one row is divided, not multiplied by a reciprocal
            EXPECT_EQ((solve_spd<S, N>(a, b)), direct);
            for (std::size_t k = 0; k < N; ++k) EXPECT_GT(f.l(k, k), S(0));
        }
    });
}
// The error of the solution is the residual's times the condition.
TYPED_TEST(small_factors, known_solutions) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for_sizes([&]<std::size_t N>() {
        SCOPED_TRACE(testing::Message() << "size " << N);
        for (int i = 0; i < 20; ++i) {
            auto const g = any_matrix<S, N, N + 4>(random);
            mat<S, N, N> const a = g * transpose(g);
            auto const x = any_vector<S, N>(random);
            mat<S, N, N> const inv = inverse_spd(a);
            S const condition = norm_of(a) * norm_of(inv);
            EXPECT_LE(largest(vec<S, N>((solve_spd<S, N>(a, a * x)) - x)), S(2 * N + 4) * epsilon_v<S> * condition);
            EXPECT_LE(norm_of(mat<S, N, N>(a * inv - identity<S, N>())), S(2 * N + 4) * epsilon_v<S> * condition);
            EXPECT_LE(norm_of(mat<S, N, N>(inv - transpose(inv))), S(2 * N + 4) * epsilon_v<S> * condition * norm_of(inv));
        }
    });
}
// On small whole numbers with L and D whole, nothing rounds.
TYPED_TEST(small_factors, exact_on_whole_numbers) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for_sizes([&]<std::size_t N>() {
        if constexpr (N <= 5) {
            for (int i = 0; i < 20; ++i) {
                mat<S, N, N> l = identity<S, N>(), d{};
                vec<S, N> x{};
                for (std::size_t r = 0; r < N; ++r) {
                    for (std::size_t k = 0; k < r; ++k) l(r, k) = static_cast<S>(static_cast<int>(random() % 5) - 2);
                    d(r, r) = static_cast<S>(1 << (random() % 4));
                    x[r] = static_cast<S>(static_cast<int>(random() % 7) - 3);
                }
                mat<S, N, N> const a = l * d * transpose(l);
                small_ldlt<S, N> const f(a);
                EXPECT_EQ(product(f), a);
                EXPECT_EQ(f.solve(a * x), x);
            }
        }
    });
}
// Only the lower triangle counts.
TYPED_TEST(small_factors, do_not_read_above_the_diagonal) {
    using S = TypeParam;
    mat<S, 3, 3> const a{S(4), S(2), S(-2), S(2), S(10), S(2), S(-2), S(2), S(6)};
    mat<S, 3, 3> spoilt = a;
    spoilt(0, 1) = spoilt(0, 2) = spoilt(1, 2) = std::numeric_limits<S>::quiet_NaN();
    vec<S, 3> const b{S(1), S(2), S(3)};
    EXPECT_EQ((small_ldlt<S, 3>(spoilt).solve(b)), (small_ldlt<S, 3>(a).solve(b)));
}

// ---- singular

TYPED_TEST(small_factors, zero_gives_zero) {
    using S = TypeParam;
    for_sizes([&]<std::size_t N>() {
        vec<S, N> b{};
        for (S& x : b.e) x = S(7);
        EXPECT_EQ((solve_spd<S, N>(mat<S, N, N>{}, b)), (vec<S, N>{}));
        EXPECT_EQ((inverse_spd<S, N>(mat<S, N, N>{})), (mat<S, N, N>{}));
    });
}
// Of redundant rows only the first is used; what can be solved is solved.
TYPED_TEST(small_factors, semi_definite) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for_sizes([&]<std::size_t N>() {
        if constexpr (N >= 3) {
            SCOPED_TRACE(testing::Message() << "size " << N);
            for (int i = 0; i < 40; ++i) {
                // Whole numbers, so that the last pivot is lost in rounding and not by luck.
                mat<S, N, N - 1> g{};
                for (S& x : g.e) x = static_cast<S>(static_cast<int>(random() % 9) - 4);
                std::size_t const twin = N - 1;
                for (std::size_t k = 0; k < N - 1; ++k) g(twin, k) = g(0, k) + g(1, k);
                for (std::size_t k = 0; k < N - 1; ++k) g(k, k) += S(9);
                for (std::size_t k = 0; k < N - 1; ++k) g(twin, k) = g(0, k) + g(1, k);
                mat<S, N, N> const a = g * transpose(g);
                small_ldlt<S, N> const f(a);
                EXPECT_EQ(f.l(twin, twin), S(0));
                for (std::size_t k = 0; k + 1 < N; ++k) EXPECT_GT(f.l(k, k), S(0));
                vec<S, N> const b = a * any_vector<S, N>(random);
                auto const x = f.solve(b);
                EXPECT_TRUE(finite(x));
                EXPECT_EQ(x[twin], S(0));
                EXPECT_LE(largest(vec<S, N>(a * x - b)), S(16 * N) * epsilon_v<S> * norm_of(a) * max(S(1), largest(x)));
            }
        }
    });
}
// A row that nothing can move, between others that can.
TYPED_TEST(small_factors, a_dead_row) {
    using S = TypeParam;
    mat<S, 3, 3> const a{S(4), S(0), S(2), S(0), S(0), S(0), S(2), S(0), S(5)};
    vec<S, 3> const x = solve_spd<S, 3>(a, {S(6), S(100), S(7)});
    EXPECT_EQ(x, (vec<S, 3>{S(1), S(0), S(1)}));
}
// A pivot below zero is rounding of something semi-definite: it is dropped, and never turns a sign.
TYPED_TEST(small_factors, indefinite_stays_finite) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for_sizes([&]<std::size_t N>() {
        for (int i = 0; i < 40; ++i) {
            auto const g = any_matrix<S, N, N>(random);
            mat<S, N, N> const a = g + transpose(g);
            small_ldlt<S, N> const f(a);
            for (std::size_t k = 0; k < N; ++k) EXPECT_GE(f.l(k, k), S(0));
            auto const b = any_vector<S, N>(random);
            auto const x = f.solve(b);
            EXPECT_TRUE(finite(x));
            EXPECT_GE(dot(x, b), -S(64) * epsilon_v<S> * S(N) * (S(1) + norm_of(f.l)) * (S(1) + largest(x)) * S(N));
        }
    });
    EXPECT_EQ((solve_spd<S, 1>({S(-2)}, {S(3)})), (vec<S, 1>{S(0)}));
}
TYPED_TEST(small_factors, scale_does_not_matter) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    auto const g = any_matrix<S, 6, 8>(random);
    mat<S, 6, 6> const a = g * transpose(g);
    auto const b = any_vector<S, 6>(random);
    auto const x = solve_spd<S, 6>(a, b);
    for (int e : {-40, -10, 10, 40}) EXPECT_EQ((solve_spd<S, 6>(std::ldexp(S(1), e) * a, std::ldexp(S(1), e) * b)), x);
}
// Small rows beside large ones, as translation beside rotation of a heavy body, stay as long as they are above rounding.
TYPED_TEST(small_factors, mixed_units) {
    using S = TypeParam;
    S const small = std::ldexp(S(1), 6 - std::numeric_limits<S>::digits);
    mat<S, 2, 2> const a{S(1), S(0), S(0), small};
    EXPECT_EQ((solve_spd<S, 2>(a, {S(1), small})), (vec<S, 2>{S(1), S(1)}));
}

// ---- constant evaluation, derivatives

static_assert(solve_spd<double, 2>({4, 2, 2, 3}, {8, 8}) == vec<double, 2>{1, 2});
static_assert(solve_spd<float, 1>({0}, {5})[0] == 0);
static_assert(inverse_spd<double, 2>({2, 0, 0, 4}) == mat<double, 2, 2>{0.5, 0, 0, 0.25});

// d(A^-1 b) = -A^-1 dA A^-1 b.
TEST(small_factors_of_duals, derivative) {
    using D = dual<double, 1>;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    auto const g = any_matrix<double, 4, 6>(random);
    auto const h = any_matrix<double, 4, 4>(random);
    mat<double, 4, 4> const a = g * transpose(g), da = h + transpose(h);
    auto const b = any_vector<double, 4>(random);
    mat<D, 4, 4> ad{};
    vec<D, 4> bd{};
    for (std::size_t i = 0; i < 16; ++i) {
        ad.e[i] = D(a.e[i]);
        ad.e[i].d[0] = da.e[i];
    }
    for (std::size_t i = 0; i < 4; ++i) bd[i] = D(b[i]);
    auto const x = solve_spd<D, 4>(ad, bd);
    auto const plain = solve_spd<double, 4>(a, b);
    vec<double, 4> const dx = -1.0 * (solve_spd<double, 4>(a, da * plain));
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(value(x[i]), plain[i]);
        EXPECT_NEAR(x[i].d[0], dx[i], 1e-12 * (1 + largest(dx)));
    }
}

// Small ones are written out where there are lanes, larger ones are not: one lane has a lost pivot, the others none.
template <std::size_t N>
void lanes_have_their_own_bits() {
    SCOPED_TRACE(testing::Message() << "size " << N << ", seed " << seed);
    using B = batch<float, 4>;
    std::mt19937 random(seed);
    mat<float, N, N> a[4];
    vec<float, N> b[4];
    mat<B, N, N> wide{};
    vec<B, N> of_wide{};
    for (std::size_t lane = 0; lane < 4; ++lane) {
        auto g = any_matrix<float, N, N + 1>(random);
        if (lane == 1)
            for (std::size_t k = 0; k <= N; ++k) g(N - 1, k) = g(0, k);
        a[lane] = g * transpose(g);
        b[lane] = any_vector<float, N>(random);
        for (std::size_t i = 0; i < N * N; ++i) wide.e[i].e[lane] = a[lane].e[i];
        for (std::size_t i = 0; i < N; ++i) of_wide[i].e[lane] = b[lane][i];
    }
    small_ldlt<B, N> const f(wide);
    auto const x = f.solve(of_wide);
    for (std::size_t lane = 0; lane < 4; ++lane) {
        small_ldlt<float, N> const own(a[lane]);
        auto const y = own.solve(b[lane]);
        for (std::size_t i = 0; i < N; ++i) {
            EXPECT_EQ(x[i][lane], y[i]);
            for (std::size_t j = 0; j <= i; ++j) EXPECT_EQ(f.l(i, j)[lane], own.l(i, j));
        }
    }
}
TEST(small_factors_in_lanes, each_lane_has_the_bits_of_its_own) {
    lanes_have_their_own_bits<1>();
    lanes_have_their_own_bits<2>();
    lanes_have_their_own_bits<5>();
    lanes_have_their_own_bits<6>();
    lanes_have_their_own_bits<7>();
    lanes_have_their_own_bits<12>();
}

}  // namespace
