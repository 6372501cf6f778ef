// Vectors: the laws of a vector space, of the dot and cross product, and what happens at zero.

#include <sinew/math/dual.hpp>
#include <sinew/math/vec.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using namespace sinew;

constexpr unsigned seed = 61;

template <class S>
class vectors : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(vectors, scalars);

// Small whole numbers, on which every operation is exact.
template <class S>
vec3<S> whole(std::mt19937& random) {
    std::uniform_int_distribution<int> any(-20, 20);
    return {static_cast<S>(any(random)), static_cast<S>(any(random)), static_cast<S>(any(random))};
}

TYPED_TEST(vectors, vector_space_and_products) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    vec3<S> const zero{S(0), S(0), S(0)};
    for (int i = 0; i < 100; ++i) {
        vec3<S> const a = whole<S>(random), b = whole<S>(random), c = whole<S>(random);
        S const k = whole<S>(random)[0];
        EXPECT_EQ(a + b, b + a);
        EXPECT_EQ((a + b) + c, a + (b + c));
        EXPECT_EQ(a - b, a + (-b));
        EXPECT_EQ(a - a, zero);
        EXPECT_EQ(k * (a + b), k * a + k * b);
        EXPECT_EQ(a * k, k * a);
        EXPECT_EQ((a * 4) / 4, a);
        EXPECT_EQ(2 * a, a + a);
        EXPECT_EQ(dot(a, b), dot(b, a));
        EXPECT_EQ(dot(a + b, c), dot(a, c) + dot(b, c));
        EXPECT_EQ(cross(a, b), -cross(b, a));
        EXPECT_EQ(cross(a, a), zero);
        EXPECT_EQ(dot(a, cross(a, b)), S(0));
        EXPECT_EQ(dot(a, cross(b, c)), dot(b, cross(c, a)));
        EXPECT_EQ(cross(a, cross(b, c)), b * dot(a, c) - c * dot(a, b));              // Lagrange
        EXPECT_EQ(cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b)), zero);  // Jacobi
        EXPECT_EQ(squared_norm(a), dot(a, a));
        EXPECT_EQ(squared_norm(cross(a, b)), squared_norm(a) * squared_norm(b) - dot(a, b) * dot(a, b));
        vec3<S> d = a;
        d += b;
        d -= c;
        d *= k;
        EXPECT_EQ(d, k * (a + b - c));
    }
}

TYPED_TEST(vectors, norm_and_normalize) {
    using S = TypeParam;
    EXPECT_EQ(norm(vec3<S>{S(2), S(3), S(6)}), S(7));
    EXPECT_EQ(norm(vec<S, 2>{S(3), S(4)}), S(5));
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 100; ++i) {
        vec3<S> const a{static_cast<S>(normal(random)), static_cast<S>(normal(random)), static_cast<S>(normal(random))};
        vec3<S> const n = normalize(a);
        EXPECT_LE(abs(norm(n) - S(1)), 2 * epsilon_v<S>);
        EXPECT_LE(norm(n * norm(a) - a), 4 * epsilon_v<S> * norm(a));
    }
    // What has no direction stays zero, with finite derivatives.
    EXPECT_EQ(normalize(vec3<S>{S(0), S(0), S(0)}), (vec3<S>{S(0), S(0), S(0)}));
    using D = dual<S, 3>;
    vec3<D> const seeded{D::variable(S(0), 0), D::variable(S(0), 1), D::variable(S(0), 2)};
    EXPECT_TRUE(isfinite(normalize(seeded)));
    EXPECT_TRUE(isfinite(norm(seeded)));
    EXPECT_EQ(norm(seeded).d[0], S(0));
}

// Derivative of the norm: the unit vector. Of the unit vector: (1 - n n^T) / |a|.
TYPED_TEST(vectors, derivatives_of_norm_and_normalize) {
    using S = TypeParam;
    using D = dual<S, 3>;
    vec3<S> const a{S(2), S(-3), S(6)}, n = a / S(7);
    vec3<D> const x{D::variable(a[0], 0), D::variable(a[1], 1), D::variable(a[2], 2)};
    D const length = norm(x);
    vec3<D> const unit = normalize(x);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_LE(abs(length.d[i] - n[i]), epsilon_v<S>);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(abs(unit[i].d[k] - ((i == k ? S(1) : S(0)) - n[i] * n[k]) / 7), epsilon_v<S>);
    }
}

TYPED_TEST(vectors, orthonormal_basis_is_right_handed) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<vec3<S>> directions{{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}, {S(-1), S(0), S(0)}, {S(0), S(-1), S(0)}, {S(0), S(0), S(-1)},
                                    {S(0), S(0), -S(1)}, normalize(vec3<S>{S(1e-4L), S(1e-4L), S(-1)}), normalize(vec3<S>{S(1), S(1), -S(1e-6L)})};
    for (int i = 0; i < 100; ++i)
        directions.push_back(normalize(vec3<S>{static_cast<S>(normal(random)), static_cast<S>(normal(random)), static_cast<S>(normal(random))}));
    for (auto const& n : directions) {
        auto const [u, v] = orthonormal_basis(n);
        EXPECT_LE(abs(dot(u, v)), 8 * epsilon_v<S>);
        EXPECT_LE(abs(dot(u, n)), 8 * epsilon_v<S>);
        EXPECT_LE(abs(dot(v, n)), 8 * epsilon_v<S>);
        EXPECT_LE(abs(norm(u) - S(1)), 8 * epsilon_v<S>);
        EXPECT_LE(abs(norm(v) - S(1)), 8 * epsilon_v<S>);
        EXPECT_LE(norm(cross(u, v) - n), 12 * epsilon_v<S>);
    }
}

TYPED_TEST(vectors, select_cast_isfinite) {
    using S = TypeParam;
    vec3<S> const a{S(1), S(2), S(3)}, b{S(4), S(5), S(6)};
    EXPECT_EQ(select(true, a, b), a);
    EXPECT_EQ(select(false, a, b), b);
    EXPECT_EQ((cast<double>(a)), (vec3<double>{1, 2, 3}));
    EXPECT_TRUE(isfinite(a));
    for (std::size_t i = 0; i < 3; ++i) {
        vec3<S> c = a;
        c[i] = std::numeric_limits<S>::quiet_NaN();
        EXPECT_FALSE(isfinite(c));
        EXPECT_FALSE(c == c);
        c[i] = -infinity_v<S>;
        EXPECT_FALSE(isfinite(c));
    }
}

// A dual number absorbs a plain one.
TYPED_TEST(vectors, mixed_with_duals) {
    using S = TypeParam;
    using D = dual<S, 1>;
    vec3<S> const a{S(1), S(2), S(3)};
    D const t = D::variable(S(2), 0);
    static_assert(std::is_same_v<decltype(a * t), vec3<D>> && std::is_same_v<decltype(a * S(2)), vec3<S>> && std::is_same_v<decltype(2 * a), vec3<S>>);
    static_assert(std::is_same_v<decltype(a + a * t), vec3<D>> && std::is_same_v<decltype(cross(a, a * t)), vec3<D>>);
    static_assert(std::is_same_v<decltype(dot(a, a * t)), D>);
    vec3<D> const b = a * t;
    EXPECT_EQ(b[1].v, S(4));
    EXPECT_EQ(b[1].d[0], S(2));
    EXPECT_EQ(dot(a, b).d[0], S(14));
    EXPECT_EQ((a - b)[2].d[0], S(-3));
    EXPECT_EQ((b / S(2))[0].d[0], S(0.5));
    EXPECT_EQ((a / t)[1].v, S(1));
    EXPECT_EQ((a / t)[1].d[0], S(-0.5));
}

constexpr vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
static_assert(cross(x, y) == z && cross(y, z) == x && cross(z, x) == y);
static_assert(norm(vec3<double>{2, 3, 6}) == 7 && x.x() == 1 && y.y() == 1 && z.z() == 1 && x.size() == 3);
static_assert(std::is_aggregate_v<vec3<double>> && std::is_trivially_copyable_v<vec3<double>> && sizeof(vec3<float>) == 12);

}  // namespace
