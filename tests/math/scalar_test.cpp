// The scalar concept, and the choices that every scalar offers in place of an `if`.

#include <sinew/math/dual.hpp>
#include <sinew/math/scalar.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

namespace two_lanes {

// Two lanes, whose comparison is a mask: what a SIMD scalar looks like to the library.
struct lanes {
    double a{}, b{};
    constexpr lanes() = default;
    constexpr lanes(double x) : a(x), b(x) {}
    constexpr lanes(double x, double y) : a(x), b(y) {}
    friend constexpr lanes operator+(lanes x, lanes y) { return {x.a + y.a, x.b + y.b}; }
    friend constexpr lanes operator-(lanes x, lanes y) { return {x.a - y.a, x.b - y.b}; }
    friend constexpr lanes operator*(lanes x, lanes y) { return {x.a * y.a, x.b * y.b}; }
    friend constexpr lanes operator/(lanes x, lanes y) { return {x.a / y.a, x.b / y.b}; }
    friend constexpr lanes operator-(lanes x) { return {-x.a, -x.b}; }
    struct mask {
        bool a, b;
        friend constexpr mask operator&(mask x, mask y) { return {x.a && y.a, x.b && y.b}; }
    };
    friend constexpr mask operator<(lanes x, lanes y) { return {x.a < y.a, x.b < y.b}; }
    friend constexpr mask operator==(lanes x, lanes y) { return {x.a == y.a, x.b == y.b}; }
    friend constexpr lanes select(mask m, lanes x, lanes y) { return {m.a ? x.a : y.a, m.b ? x.b : y.b}; }
    friend constexpr bool all(mask m) { return m.a && m.b; }
    friend constexpr bool any(mask m) { return m.a || m.b; }
    friend constexpr lanes min(lanes x, lanes y) { return select(y < x, y, x); }
    friend constexpr lanes max(lanes x, lanes y) { return select(x < y, y, x); }
};

}  // namespace two_lanes

template <>
struct sinew::scalar_traits<two_lanes::lanes> {
    using value_type = double;
    static constexpr double epsilon = std::numeric_limits<double>::epsilon();
    static constexpr double max = std::numeric_limits<double>::max();
    static constexpr double infinity = std::numeric_limits<double>::infinity();
};

namespace {

using namespace sinew;
using two_lanes::lanes;

static_assert(scalar<float> && scalar<double> && scalar<long double> && scalar<dual<float, 1>> && scalar<dual<dual<double, 2>, 3>>);
static_assert(!scalar<int> && !scalar<std::string> && !scalar<bool> && !scalar<void*>);
static_assert(std::is_same_v<value_type_t<dual<dual<float, 2>, 3>>, float> && std::is_same_v<mask_t<dual<double, 2>>, bool>);
static_assert(scalar<lanes> && std::is_same_v<mask_t<lanes>, lanes::mask>);

template <class S>
class scalars : public testing::Test {};
using types = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(scalars, types);

TYPED_TEST(scalars, select_min_max_abs_clamp) {
    using S = TypeParam;
    EXPECT_EQ(select(true, S(1), S(2)), S(1));
    EXPECT_EQ(select(false, S(1), S(2)), S(2));
    EXPECT_EQ(min(S(1), S(2)), S(1));
    EXPECT_EQ(min(S(2), S(1)), S(1));
    EXPECT_EQ(max(S(1), S(2)), S(2));
    EXPECT_EQ(max(S(2), S(1)), S(2));
    EXPECT_EQ(clamp(S(5), S(0), S(1)), S(1));
    EXPECT_EQ(clamp(S(-5), S(0), S(1)), S(0));
    EXPECT_EQ(clamp(S(0.5), S(0), S(1)), S(0.5));
    EXPECT_EQ(abs(S(-3)), S(3));
    EXPECT_EQ(abs(S(3)), S(3));
    EXPECT_EQ(abs(-infinity_v<S>), infinity_v<S>);
    EXPECT_FALSE(std::signbit(abs(-S(0))));
    EXPECT_TRUE(std::isnan(abs(std::numeric_limits<S>::quiet_NaN())));
    // Literals of another type as the second argument.
    EXPECT_EQ(max(S(0.5), 1), S(1));
    EXPECT_EQ(clamp(S(7), 0, 2), S(2));
    EXPECT_EQ(value(S(2)), S(2));
}

TYPED_TEST(scalars, constants) {
    using S = TypeParam;
    EXPECT_EQ(pi_v<S>, static_cast<S>(3.14159265358979323846264338327950288L));
    EXPECT_EQ(S(1) + epsilon_v<S> / 2, S(1));
    EXPECT_GT(S(1) + epsilon_v<S>, S(1));
    EXPECT_GT(infinity_v<S>, std::numeric_limits<S>::max());
    using D = dual<S, 2>;
    EXPECT_EQ(pi_v<D>.v, pi_v<S>);
    EXPECT_EQ(pi_v<D>.d[0], S(0));
    EXPECT_EQ(epsilon_v<D>.v, epsilon_v<S>);
    EXPECT_EQ(infinity_v<D>.v, infinity_v<S>);
}

// `either` evaluates only what some lane needs, and joins the two where lanes differ.
TEST(choices, either_evaluates_what_is_needed) {
    int calls_f = 0, calls_g = 0;
    auto const f = [&] { return ++calls_f, lanes(1, 2); };
    auto const g = [&] { return ++calls_g, lanes(3, 4); };
    lanes r = either(lanes::mask{true, true}, f, g);
    EXPECT_TRUE(r.a == 1 && r.b == 2 && calls_f == 1 && calls_g == 0);
    r = either(lanes::mask{false, false}, f, g);
    EXPECT_TRUE(r.a == 3 && r.b == 4 && calls_f == 1 && calls_g == 1);
    r = either(lanes::mask{true, false}, f, g);
    EXPECT_TRUE(r.a == 1 && r.b == 4 && calls_f == 2 && calls_g == 2);
    EXPECT_EQ(either(true, [] { return 1.0; }, [] { return 2.0; }), 1.0);
    EXPECT_EQ(either(false, [] { return 1.0; }, [] { return 2.0; }), 2.0);
}

TEST(choices, clamp_lane_by_lane) {
    lanes const r = clamp(lanes(-1, 5), lanes(0), lanes(2, 3));
    EXPECT_EQ(r.a, 0);
    EXPECT_EQ(r.b, 3);
}

static_assert(select(1 < 2, 3.0, 4.0) == 3 && clamp(9.0, 0, 1) == 1 && abs(-2.0f) == 2 && all(true) && !any(false));

}  // namespace
