// Matrices and symmetric 3x3: the laws of an algebra, exact on whole numbers.

#include <sinew/math/dual.hpp>
#include <sinew/math/mat.hpp>

#include <gtest/gtest.h>

#include <random>
#include <type_traits>

namespace {

using namespace sinew;

constexpr unsigned seed = 67;

template <class S>
class matrices : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(matrices, scalars);

template <class S, std::size_t R, std::size_t C>
mat<S, R, C> whole(std::mt19937& random) {
    std::uniform_int_distribution<int> any(-9, 9);
    mat<S, R, C> m{};
    for (S& x : m.e) x = static_cast<S>(any(random));
    return m;
}
template <class S, std::size_t N>
vec<S, N> whole_vec(std::mt19937& random) {
    std::uniform_int_distribution<int> any(-9, 9);
    vec<S, N> v{};
    for (S& x : v.e) x = static_cast<S>(any(random));
    return v;
}
template <class S>
sym3<S> whole_sym(std::mt19937& random) {
    auto const v = whole_vec<S, 6>(random);
    return {v[0], v[1], v[2], v[3], v[4], v[5]};
}
template <class S, std::size_t R, std::size_t C>
S largest(mat<S, R, C> const& m) {
    S r = S(0);
    for (S const& x : m.e) r = max(r, abs(x));
    return r;
}

TYPED_TEST(matrices, algebra) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 50; ++i) {
        auto const a = whole<S, 2, 3>(random), a2 = whole<S, 2, 3>(random);
        auto const b = whole<S, 3, 4>(random), b2 = whole<S, 3, 4>(random);
        auto const c = whole<S, 4, 2>(random);
        auto const v = whole_vec<S, 4>(random);
        auto const u = whole_vec<S, 2>(random);
        EXPECT_EQ((a * b) * c, a * (b * c));
        EXPECT_EQ(a * (b + b2), a * b + a * b2);
        EXPECT_EQ((a + a2) * b, a * b + a2 * b);
        EXPECT_EQ((a - a2) + a2, a);
        EXPECT_EQ(a + (-a), (mat<S, 2, 3>{}));
        EXPECT_EQ((a * b) * v, a * (b * v));
        EXPECT_EQ(transpose(a * b), transpose(b) * transpose(a));
        EXPECT_EQ(transpose(transpose(a)), a);
        EXPECT_EQ(transpose_times(a, u), transpose(a) * u);
        EXPECT_EQ((identity<S, 2>() * a), a);
        EXPECT_EQ((a * identity<S, 3>()), a);
        EXPECT_EQ(S(3) * a, a + a + a);
        EXPECT_EQ(a * S(3), S(3) * a);
        EXPECT_EQ(outer(u, v) * v, u * dot(v, v));
        mat<S, 2, 3> d = a;
        d += a2;
        d -= a;
        EXPECT_EQ(d, a2);
        for (std::size_t r = 0; r < 2; ++r)
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_EQ(a.row(r)[k], a(r, k));
                EXPECT_EQ(a.col(k)[r], a(r, k));
                EXPECT_EQ(a.e[3 * r + k], a(r, k));
            }
    }
}

TYPED_TEST(matrices, skew_is_the_cross_product) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 50; ++i) {
        auto const a = whole_vec<S, 3>(random), b = whole_vec<S, 3>(random);
        EXPECT_EQ(skew(a) * b, cross(a, b));
        EXPECT_EQ(transpose(skew(a)), -skew(a));
        EXPECT_EQ(skew(a) * skew(a), outer(a, a) - squared_norm(a) * (identity<S, 3>()));
        EXPECT_EQ(skew(a) * skew(b) - skew(b) * skew(a), skew(cross(a, b)));
    }
}

TYPED_TEST(matrices, determinant_trace_inverse) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 50; ++i) {
        auto const a = whole<S, 3, 3>(random), b = whole<S, 3, 3>(random);
        EXPECT_EQ(determinant(transpose(a)), determinant(a));
        EXPECT_EQ(trace(a * b), trace(b * a));
        if constexpr (sizeof(S) > 4) {
            EXPECT_EQ(determinant(a * b), determinant(a) * determinant(b));
        }
        S const det = determinant(a);
        if (det == S(0)) continue;
        mat3<S> const inv = inverse(a);
        // The cofactors are whole, so only the division rounds.
        S const error = 4 * epsilon_v<S> * largest(a) * largest(inv) * 3;
        EXPECT_LE(largest(mat3<S>(a * inv - identity<S, 3>())), error);
        EXPECT_LE(largest(mat3<S>(inv * a - identity<S, 3>())), error);
    }
    EXPECT_EQ(determinant(identity<S, 3>()), S(1));
    EXPECT_FALSE(isfinite(inverse(mat3<S>{}).e[0]));
}

TYPED_TEST(matrices, symmetric_algebra) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 50; ++i) {
        auto const a = whole_sym<S>(random), b = whole_sym<S>(random);
        auto const v = whole_vec<S, 3>(random);
        auto const q = whole<S, 3, 3>(random);
        EXPECT_EQ(to_mat(a) * v, a * v);
        EXPECT_EQ(transpose(to_mat(a)), to_mat(a));
        EXPECT_EQ(to_mat(a + b), to_mat(a) + to_mat(b));
        EXPECT_EQ(to_mat(a - b), to_mat(a) - to_mat(b));
        EXPECT_EQ(to_mat(S(2) * a), S(2) * to_mat(a));
        EXPECT_EQ(to_sym(to_mat(a)), a);
        EXPECT_EQ(to_mat(to_sym(q)) + to_mat(to_sym(q)), q + transpose(q));
        EXPECT_EQ(determinant(a), determinant(to_mat(a)));
        EXPECT_EQ(to_mat(congruence(q, a)), q * to_mat(a) * transpose(q));
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(a(r, k), to_mat(a)(r, k));
        S const det = determinant(a);
        if (det == S(0)) continue;
        mat3<S> const inv = to_mat(inverse(a));
        S const error = 4 * epsilon_v<S> * largest(to_mat(a)) * largest(inv) * 3;
        EXPECT_LE(largest(mat3<S>(to_mat(a) * inv - identity<S, 3>())), error);
    }
    EXPECT_EQ(to_mat(diagonal(S(1), S(2), S(4)))(1, 1), S(2));
    EXPECT_EQ(inverse(diagonal(S(1), S(2), S(4))), diagonal(S(1), S(0.5), S(0.25)));
}

// What cannot be moved has the inverse inertia zero.
TYPED_TEST(matrices, solve_is_the_inverse_times_the_right_side) {
    using S = TypeParam;
    mat<S, 3, 3> const A{{S(2), S(-1), S(0.5), S(0.25), S(3), S(1), S(-1), S(0.5), S(4)}};
    vec3<S> const b{S(1), S(-2), S(3)};
    vec3<S> const residual = A * solve(A, b) - b;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(abs(residual[i]), 8 * epsilon_v<S>);
}

TYPED_TEST(matrices, the_inverse_of_a_singular_symmetric_matrix_is_zero) {
    using S = TypeParam;
    EXPECT_EQ(inverse(sym3<S>{}), sym3<S>{});
    EXPECT_EQ(inverse(diagonal(S(1), S(0), S(1))), sym3<S>{});
    EXPECT_EQ(inverse(sym3<S>{S(1), S(1), S(1), S(1), S(1), S(1)}), sym3<S>{});
}

// The inertia of bodies from a speck of dust to a planet must be invertible in its own scalar.
TYPED_TEST(matrices, inverse_of_small_and_large_inertias) {
    using S = TypeParam;
    for (S const k : {S(1e-18L), S(1e-14L), S(1e-6L), S(1e6L), S(1e14L), S(1e18L)}) {
        sym3<S> const inv = inverse(diagonal(k, 2 * k, 4 * k));
        EXPECT_LE(abs(inv.xx * k - S(1)), 8 * epsilon_v<S>) << static_cast<double>(k);
        EXPECT_LE(abs(inv.yy * k * 2 - S(1)), 8 * epsilon_v<S>) << static_cast<double>(k);
        EXPECT_LE(abs(inv.zz * k * 4 - S(1)), 8 * epsilon_v<S>) << static_cast<double>(k);
    }
}

// d(A^-1) = -A^-1 dA A^-1.
TYPED_TEST(matrices, derivative_of_the_inverse) {
    using S = TypeParam;
    using D = dual<S, 1>;
    mat3<S> const a{S(4), S(1), S(0), S(-2), S(3), S(1), S(1), S(0), S(2)}, da{S(1), S(2), S(3), S(0), S(1), S(-1), S(2), S(2), S(0)};
    mat3<D> x{};
    for (std::size_t i = 0; i < 9; ++i) {
        x.e[i].v = a.e[i];
        x.e[i].d[0] = da.e[i];
    }
    mat3<S> const expected = -(inverse(a) * da * inverse(a));
    mat3<D> const inv = inverse(x);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_LE(abs(inv.e[i].d[0] - expected.e[i]), 8 * epsilon_v<S>);
    // Mixed with a plain matrix.
    static_assert(std::is_same_v<decltype(a * x), mat3<D>> && std::is_same_v<decltype(x * vec3<S>{}), vec3<D>>);
    EXPECT_EQ((a * x)(0, 0).d[0], (a * da)(0, 0));
}

constexpr mat3<double> m{1, 2, 3, 0, 1, 4, 5, 6, 0};
static_assert(determinant(m) == 1 && inverse(m) == mat3<double>{-24, 18, 5, 20, -15, -4, -5, 4, 1});
static_assert(m * inverse(m) == identity<double, 3>() && m.rows() == 3 && mat<float, 2, 5>::cols() == 5);

// Isotropic in its derivatives too: of a ball by its radius it is, of a cube by one of its edges not.
using jet = dual<dual<double, 1>, 2>;
constexpr jet grows = jet::variable(3, 1);
static_assert(is_isotropic(diagonal(3.0, 3.0, 3.0)) && !is_isotropic(diagonal(3.0, 3.0, 4.0)) && !is_isotropic(sym3<double>{3, 3, 3, 0, 1, 0}));
static_assert(is_isotropic(diagonal(grows, grows, grows)) && !is_isotropic(diagonal(grows, grows, jet(3))));

}  // namespace
