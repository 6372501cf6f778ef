// Lanes: every function of the scalar concept has, lane by lane, the bits of the built-in scalar: over ordinary and special values, as
// vectors, as arrays and in constant expressions.

#include <sinew/math/batch.hpp>
#include <sinew/math/dual.hpp>
#include <sinew/math/mat.hpp>
#include <sinew/math/quad.hpp>
#include <sinew/rotation/rotation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace sinew;

template <class B>
class lanes : public testing::Test {};
using batches = testing::Types<batch<float, 8>, batch<double, 4>, batch<float, 3>, batch<float, 16>, batch<double, 8>>;
TYPED_TEST_SUITE(lanes, batches);

// A NaN is a NaN: which one a sum of two yields depends on the order in which the compiler names them.
template <class T>
bool same_bits(T a, T b) {
    if (a != a || b != b) return a != a && b != b;
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
std::vector<T> special_values() {
    using L = std::numeric_limits<T>;
    std::vector<T> v{T(0), T(1), T(0.5), T(2), T(3), T(0.785398163), T(1.57079633), T(3.14159265), T(100), T(1e6), T(3e9), L::min(), L::denorm_min(), L::max(), L::infinity(),
                     L::epsilon(), T(1) - L::epsilon(), T(1) + L::epsilon(), T(1e-20), T(1e20), T(88), T(-104), T(709)};
    std::size_t const n = v.size();
    for (std::size_t i = 0; i < n; ++i) v.push_back(-v[i]);
    v.push_back(L::quiet_NaN());
    return v;
}
template <class T>
std::vector<T> many_values(std::mt19937& random) {
    auto v = special_values<T>();
    std::uniform_real_distribution<T> unit(-1, 1), wide(-20, 20);
    std::uniform_int_distribution<int> power(-40, 40);
    for (int i = 0; i < 400; ++i) {
        v.push_back(unit(random));
        v.push_back(wide(random));
        v.push_back(std::ldexp(unit(random), power(random)));
    }
    std::shuffle(v.begin(), v.end(), random);
    return v;
}

constexpr unsigned seed = 20240611;

template <class B>
struct operands {
    std::mt19937 random{seed};
    std::vector<typename B::lane_type> values = many_values<typename B::lane_type>(random);
    B next() {
        B x;
        for (std::size_t i = 0; i < B::lanes; ++i) x[i] = values[random() % values.size()];
        return x;
    }
};

template <class B, class F>
void each_lane_is_that_of_a_scalar(char const* name, F const& f) {
    SCOPED_TRACE(testing::Message() << name << ", seed " << seed);
    operands<B> given;
    for (int i = 0; i < 500; ++i) {
        B const x = given.next(), y = given.next(), r = f(x, y);
        for (std::size_t k = 0; k < B::lanes; ++k)
            ASSERT_TRUE(same_bits(r[k], f(x[k], y[k]))) << name << '(' << x[k] << ", " << y[k] << ") = " << r[k] << ", not " << f(x[k], y[k]) << ", lane " << k;
    }
}
template <class B, class F>
void each_truth_is_that_of_a_scalar(F const& f) {
    operands<B> given;
    for (int i = 0; i < 500; ++i) {
        B x = given.next(), y = given.next();
        if (i % 3 == 0) y[0] = x[0];
        auto const m = f(x, y);
        bool none = true, every = true;
        for (std::size_t k = 0; k < B::lanes; ++k) {
            bool const expected = f(x[k], y[k]);
            ASSERT_EQ(m[k], expected) << x[k] << ", " << y[k];
            none = none && !expected;
            every = every && expected;
        }
        ASSERT_EQ(any(m), !none);
        ASSERT_EQ(all(m), every);
    }
}

TYPED_TEST(lanes, arithmetic_is_that_of_the_scalar) {
    using B = TypeParam;
    each_lane_is_that_of_a_scalar<B>("+", [](auto const& x, auto const& y) { return x + y; });
    each_lane_is_that_of_a_scalar<B>("-", [](auto const& x, auto const& y) { return x - y; });
    each_lane_is_that_of_a_scalar<B>("*", [](auto const& x, auto const& y) { return x * y; });
    each_lane_is_that_of_a_scalar<B>("/", [](auto const& x, auto const& y) { return x / y; });
    each_lane_is_that_of_a_scalar<B>("negation", [](auto const& x, auto const&) { return -x; });
    each_lane_is_that_of_a_scalar<B>("min", [](auto const& x, auto const& y) { return min(x, y); });
    each_lane_is_that_of_a_scalar<B>("max", [](auto const& x, auto const& y) { return max(x, y); });
    each_lane_is_that_of_a_scalar<B>("abs", [](auto const& x, auto const&) { using sinew::abs; return abs(x); });
    each_lane_is_that_of_a_scalar<B>("select", [](auto const& x, auto const& y) { return select(x < y, x + y, x - y); });
    each_lane_is_that_of_a_scalar<B>("clamp", [](auto const& x, auto const& y) { using sinew::abs; return clamp(x, -abs(y), abs(y)); });
    each_lane_is_that_of_a_scalar<B>("numbers of other types", [](auto const& x, auto const& y) {
        using T = typename B::lane_type;
        return x * T(2) + T(0.5) - y / T(3);
    });
    each_lane_is_that_of_a_scalar<B>("either", [](auto const& x, auto const& y) {
        return either(x < y, [&] { return x * x; }, [&] { return y + y; });
    });
}

TYPED_TEST(lanes, functions_are_those_of_the_scalar) {
    using B = TypeParam;
    each_lane_is_that_of_a_scalar<B>("sqrt", [](auto const& x, auto const&) { using sinew::sqrt; return sqrt(x); });
    each_lane_is_that_of_a_scalar<B>("floor", [](auto const& x, auto const&) { using sinew::floor; return floor(x); });
    each_lane_is_that_of_a_scalar<B>("copysign", [](auto const& x, auto const& y) { using sinew::copysign; return copysign(x, y); });
    each_lane_is_that_of_a_scalar<B>("sin", [](auto const& x, auto const&) { using sinew::sin; return sin(x); });
    each_lane_is_that_of_a_scalar<B>("cos", [](auto const& x, auto const&) { using sinew::cos; return cos(x); });
    each_lane_is_that_of_a_scalar<B>("sincos", [](auto const& x, auto const&) { return sincos(x).sin - sincos(x).cos; });
    each_lane_is_that_of_a_scalar<B>("tan", [](auto const& x, auto const&) { using sinew::tan; return tan(x); });
    each_lane_is_that_of_a_scalar<B>("asin", [](auto const& x, auto const&) { using sinew::asin; return asin(x); });
    each_lane_is_that_of_a_scalar<B>("acos", [](auto const& x, auto const&) { using sinew::acos; return acos(x); });
    each_lane_is_that_of_a_scalar<B>("atan", [](auto const& x, auto const&) { using sinew::atan; return atan(x); });
    each_lane_is_that_of_a_scalar<B>("atan2", [](auto const& x, auto const& y) { using sinew::atan2; return atan2(x, y); });
    each_lane_is_that_of_a_scalar<B>("exp", [](auto const& x, auto const&) { using sinew::exp; return exp(x); });
    each_lane_is_that_of_a_scalar<B>("log", [](auto const& x, auto const&) { using sinew::log; return log(x); });
}

TYPED_TEST(lanes, comparisons_are_those_of_the_scalar) {
    using B = TypeParam;
    each_truth_is_that_of_a_scalar<B>([](auto const& x, auto const& y) { return x < y; });
    each_truth_is_that_of_a_scalar<B>([](auto const& x, auto const& y) { return x <= y; });
    each_truth_is_that_of_a_scalar<B>([](auto const& x, auto const& y) { return x > y; });
    each_truth_is_that_of_a_scalar<B>([](auto const& x, auto const& y) { return x >= y; });
    each_truth_is_that_of_a_scalar<B>([](auto const& x, auto const& y) { return x == y; });
    each_truth_is_that_of_a_scalar<B>([](auto const& x, auto const& y) { return x != y; });
    each_truth_is_that_of_a_scalar<B>([](auto const& x, auto const&) { using sinew::isfinite; return isfinite(x); });
    each_truth_is_that_of_a_scalar<B>([](auto const& x, auto const&) { using sinew::isnan; return isnan(x); });
    each_truth_is_that_of_a_scalar<B>([](auto const& x, auto const& y) { return (x < y && !(x < -y)) || x == y; });
    each_truth_is_that_of_a_scalar<B>([](auto const& x, auto const& y) { return (x < y) && true && !(y < -x); });
}

// Rotations, matrices, frames and duals are written over any scalar: so over lanes.
TYPED_TEST(lanes, code_over_any_scalar_has_the_same_lanes) {
    using B = TypeParam;
    auto const turned_by = [](auto const& x, auto const& y) {
        using S = std::remove_cvref_t<decltype(x)>;
        using sinew::abs;  // not those of the C library
        auto const q = turned(quaternion_exp(vec3<S>{x, y, x - y}), vec3<S>{y, x, S(1)});
        auto const v = log(nudged(q, vec3<S>{x, S(0), y})) + normalize(vec3<S>{x, y, S(0)});
        auto const f = orthonormal_basis(normalize(vec3<S>{y, x, y}));
        return dot(v, f.u) + inverse(sym3<S>{abs(x), abs(y), S(2), S(0.25), S(0), x}).xy + dot(to_matrix(quaternion_of(to_matrix(q))).row(1), f.v);
    };
    std::mt19937 random{seed};
    std::uniform_real_distribution<double> number(-3, 3);
    using D = dual<B, 2>;
    using T = typename B::lane_type;
    using E = dual<T, 2>;
    for (int i = 0; i < 100; ++i) {
        B x, y;
        for (std::size_t k = 0; k < B::lanes; ++k) {
            x[k] = static_cast<T>(number(random));
            y[k] = k % 3 == 0 ? T(0) : static_cast<T>(number(random));
        }
        auto const r = turned_by(x, y);
        auto const d = turned_by(D::variable(x, 0), D::variable(y, 1));
        for (std::size_t k = 0; k < B::lanes; ++k) {
            ASSERT_TRUE(same_bits(r[k], turned_by(x[k], y[k]))) << x[k] << ' ' << y[k];
            auto const e = turned_by(E::variable(x[k], 0), E::variable(y[k], 1));
            ASSERT_TRUE(same_bits(d.v[k], e.v) && same_bits(d.d[0][k], e.d[0]) && same_bits(d.d[1][k], e.d[1])) << x[k] << ' ' << y[k];
        }
    }
}

TYPED_TEST(lanes, lanes_are_set_gathered_and_scattered) {
    using B = TypeParam;
    using T = typename B::lane_type;
    constexpr std::size_t n = B::lanes;
    std::array<T, 2 * n> from{}, to{};
    std::array<std::uint32_t, n> at{};
    for (std::size_t i = 0; i < 2 * n; ++i) from[i] = static_cast<T>(i);
    for (std::size_t i = 0; i < n; ++i) at[i] = static_cast<std::uint32_t>((3 * i + 1) % (2 * n));
    B const x = gather(from.data(), at), row = load<B>(from.data());
    scatter(to.data(), at, x);
    for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(x[i], from[at[i]]);
        EXPECT_EQ(to[at[i]], from[at[i]]);
        EXPECT_EQ(row[i], from[i]);
    }
    store(to.data(), row);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(to[i], from[i]);
    B const changed = with_lane(row, n - 1, T(-7));
    EXPECT_EQ(changed[n - 1], T(-7));
    EXPECT_EQ(all(changed == row), false);
    EXPECT_TRUE(static_cast<bool>(row == row));
    EXPECT_FALSE(static_cast<bool>(changed == row));
}

// In constant expressions lanes are an array; the bits are those of the vectors at run time.
template <class B>
constexpr B computed(int at) {
    using namespace sinew;
    B x;
    for (std::size_t i = 0; i < B::lanes; ++i) x[i] = static_cast<typename B::lane_type>(static_cast<int>(i) * 3 - at) / 7;
    B const y = sqrt(abs(x)) + sin(x) * cos(x + 1) - atan2(x, B(2)) / 3;
    return select(x < y && isfinite(y), min(x, y) * exp(x), max(x, y) - floor(4 * y));
}
TYPED_TEST(lanes, constant_expressions_have_the_bits_of_run_time) {
    using B = TypeParam;
    constexpr B early = computed<B>(4);
    int volatile four = 4;
    B const late = computed<B>(four);
    for (std::size_t i = 0; i < B::lanes; ++i) EXPECT_TRUE(same_bits(early[i], late[i]));
}
static_assert(all(computed<batch<double, 4>>(1) == computed<batch<double, 4>>(1)) && !any(batch<float, 8>(1) < batch<float, 8>(1)));

// A mask does not decide an `if`: only == and != of two that have names do, for whole values.
template <class A, class B>
concept equality_decides = requires(A a, B b) {
    static_cast<A&&>(a) == static_cast<B&&>(b) ? 1 : 0;
    static_cast<A&&>(a) != static_cast<B&&>(b) ? 1 : 0;
    !(static_cast<A&&>(a) == static_cast<B&&>(b)) ? 1 : 0;
    !(static_cast<A&&>(a) != static_cast<B&&>(b)) ? 1 : 0;
};
template <class T>
constexpr bool names_alone_decide = equality_decides<T const&, T const&> && equality_decides<T&, T const&> && !equality_decides<T const&, T> && !equality_decides<T, T const&> &&
                                    !equality_decides<T, T> && !equality_decides<T&, T>;
struct of_lanes {
    batch<float, 4> x;
    vec3<batch<float, 4>> v;
    [[nodiscard]] friend constexpr bool operator==(of_lanes const&, of_lanes const&) = default;
};
static_assert(!std::convertible_to<batch_mask<float, 8>, bool> && !std::constructible_from<bool, batch_mask<float, 8>>);
static_assert(names_alone_decide<batch<float, 8>> && names_alone_decide<batch<double, 3>> && names_alone_decide<dual<batch<float, 4>, 2>>);
static_assert(names_alone_decide<vec3<batch<float, 4>>> && names_alone_decide<vec<dual<batch<double, 4>, 1>, 2>>);
static_assert(!equality_decides<batch<float, 8> const&, int> && !equality_decides<int, batch<float, 8> const&> && !equality_decides<batch<float, 8> const&, float const&>);
static_assert(equality_decides<double, double> && equality_decides<dual<double, 2>, dual<double, 2>> && equality_decides<vec3<float>, vec3<float> const&> &&
              equality_decides<of_lanes, of_lanes>);
static_assert(all(vec3<batch<float, 4>>{1, 2, 3} == vec3<batch<float, 4>>{1, 2, 3}) && !any(vec3<batch<float, 4>>{1, 2, 3} != vec3<batch<float, 4>>{1, 2, 3}));
constexpr auto like_but_in_lane_2 = vec3<batch<float, 4>>{1, 2, 3} == vec3<batch<float, 4>>{1, with_lane(batch<float, 4>(2), 2, 0), 3};
static_assert(like_but_in_lane_2[0] && like_but_in_lane_2[1] && !like_but_in_lane_2[2] && like_but_in_lane_2[3]);
static_assert(of_lanes{1, {1, 2, 3}} == of_lanes{1, {1, 2, 3}} && of_lanes{1, {1, 2, 3}} != of_lanes{with_lane(batch<float, 4>(1), 3, 0), {1, 2, 3}});
// `value` leaves derivatives out, and no lanes.
static_assert(std::same_as<decltype(value(batch<float, 4>())), batch<float, 4>> && std::same_as<decltype(value(dual<batch<float, 4>, 2>())), batch<float, 4>>);
static_assert(has_lanes_v<batch<float, 8>> && !has_lanes_v<float> && !has_lanes_v<dual<double, 2>> && has_lanes_v<dual<batch<float, 4>, 2>>);
static_assert(lanes_v<double> == 1 && lanes_v<batch<float, 8>> == 8 && std::same_as<value_type_t<batch<float, 8>>, float>);
static_assert(alignof(batch<float, 8>) == 32 && sizeof(batch<float, 8>) == 32 && std::is_trivially_destructible_v<batch<float, 8>>);
static_assert(!detail::has_vector_quad_v<batch<float, 8>>);

}  // namespace
