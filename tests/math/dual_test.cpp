// Dual numbers: first and second derivatives of every function against closed forms, the chain rule, and the points where a
// derivative does not exist.

#include <sinew/math/dual.hpp>
#include <sinew/math/vec.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace sinew;
using real = long double;

template <class S>
class duals : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(duals, scalars);

// Value, first and second derivative at x, by nesting.
template <class S>
struct jet {
    S value, first, second;
};
template <class S, class F>
jet<S> jet_of(F const& f, S const& x) {
    using D = dual<dual<S, 1>, 1>;
    D t(dual<S, 1>::variable(x, 0));
    t.d[0] = dual<S, 1>(S(1));
    D const y = f(t);
    EXPECT_EQ(y.v.d[0], y.d[0].v);  // the two ways to the first derivative
    return {y.v.v, y.v.d[0], y.d[0].d[0]};
}

template <class S>
void expect_near(S const& a, real b, real units, char const* what, real x) {
    real const scale = std::max(std::abs(b), 1.0L);
    EXPECT_LE(std::abs(static_cast<real>(a) - b), units * static_cast<real>(epsilon_v<S>) * scale) << what << " at " << static_cast<double>(x);
}
template <class S, class F>
void check(char const* name, F const& f, std::vector<real> const& at, std::function<real(real)> const& value, std::function<real(real)> const& first,
           std::function<real(real)> const& second) {
    for (real const p : at) {
        S const x = static_cast<S>(p);
        real const t = static_cast<real>(x);
        jet<S> const j = jet_of(f, x);
        expect_near(j.value, value(t), 8, name, t);
        expect_near(j.first, first(t), 16, (std::string(name) + "'").c_str(), t);
        expect_near(j.second, second(t), 32, (std::string(name) + "''").c_str(), t);
    }
}

TYPED_TEST(duals, functions_of_one_variable) {
    using S = TypeParam;
    std::vector<real> const any{-3, -1.2L, -0.5L, -1e-3L, 0, 1e-6L, 0.3L, 1, 2.5L, 3}, positive{0.01L, 0.3L, 1, 2.5L, 9}, within{-0.9L, -0.5L, 0, 0.3L, 0.8L};
    std::vector<real> const steep{-1.2L, -0.5L, 0, 0.3L, 1};
    check<S>("sqrt", [](auto x) { return sqrt(x); }, positive, [](real x) { return std::sqrt(x); }, [](real x) { return 0.5L / std::sqrt(x); },
             [](real x) { return -0.25L / (x * std::sqrt(x)); });
    check<S>("sin", [](auto x) { return sin(x); }, any, [](real x) { return std::sin(x); }, [](real x) { return std::cos(x); }, [](real x) { return -std::sin(x); });
    check<S>("cos", [](auto x) { return cos(x); }, any, [](real x) { return std::cos(x); }, [](real x) { return -std::sin(x); }, [](real x) { return -std::cos(x); });
    check<S>("tan", [](auto x) { return tan(x); }, steep, [](real x) { return std::tan(x); }, [](real x) { return 1 / (std::cos(x) * std::cos(x)); },
             [](real x) { return 2 * std::tan(x) / (std::cos(x) * std::cos(x)); });
    check<S>("atan", [](auto x) { return atan(x); }, any, [](real x) { return std::atan(x); }, [](real x) { return 1 / (1 + x * x); },
             [](real x) { return -2 * x / ((1 + x * x) * (1 + x * x)); });
    check<S>("asin", [](auto x) { return asin(x); }, within, [](real x) { return std::asin(x); }, [](real x) { return 1 / std::sqrt(1 - x * x); },
             [](real x) { return x / std::pow(1 - x * x, 1.5L); });
    check<S>("acos", [](auto x) { return acos(x); }, within, [](real x) { return std::acos(x); }, [](real x) { return -1 / std::sqrt(1 - x * x); },
             [](real x) { return -x / std::pow(1 - x * x, 1.5L); });
    check<S>("exp", [](auto x) { return exp(x); }, any, [](real x) { return std::exp(x); }, [](real x) { return std::exp(x); }, [](real x) { return std::exp(x); });
    check<S>("log", [](auto x) { return log(x); }, positive, [](real x) { return std::log(x); }, [](real x) { return 1 / x; }, [](real x) { return -1 / (x * x); });
    check<S>("1/x", [](auto x) { return 1 / x; }, positive, [](real x) { return 1 / x; }, [](real x) { return -1 / (x * x); }, [](real x) { return 2 / (x * x * x); });
    check<S>("x^3", [](auto x) { return x * x * x; }, any, [](real x) { return x * x * x; }, [](real x) { return 3 * x * x; }, [](real x) { return 6 * x; });
    check<S>("|x|", [](auto x) { return abs(x); }, {-2, -0.1L, 0.1L, 3}, [](real x) { return std::abs(x); }, [](real x) { return x < 0 ? -1.0L : 1.0L; },
             [](real) { return 0.0L; });
    check<S>("floor", [](auto x) { return floor(x); }, {-1.5L, 0.5L, 2.25L}, [](real x) { return std::floor(x); }, [](real) { return 0.0L; }, [](real) { return 0.0L; });
}

TYPED_TEST(duals, chains_of_functions) {
    using S = TypeParam;
    std::vector<real> const at{0.1L, 0.5L, 1, 1.4L};
    // exp(sin x): f' = cos f, f'' = (cos^2 - sin) f.
    check<S>("exp(sin x)", [](auto x) { return exp(sin(x)); }, at, [](real x) { return std::exp(std::sin(x)); }, [](real x) { return std::cos(x) * std::exp(std::sin(x)); },
             [](real x) { return (std::cos(x) * std::cos(x) - std::sin(x)) * std::exp(std::sin(x)); });
    // x^x = exp(x log x): f' = (log x + 1) f, f'' = ((log x + 1)^2 + 1/x) f.
    check<S>("x^x", [](auto x) { return exp(x * log(x)); }, at, [](real x) { return std::pow(x, x); }, [](real x) { return (std::log(x) + 1) * std::pow(x, x); },
             [](real x) { return ((std::log(x) + 1) * (std::log(x) + 1) + 1 / x) * std::pow(x, x); });
    // What undoes itself has slope 1 and no curvature.
    check<S>("atan(tan x)", [](auto x) { return atan(tan(x)); }, at, [](real x) { return x; }, [](real) { return 1.0L; }, [](real) { return 0.0L; });
    check<S>("sqrt(x^2)", [](auto x) { return sqrt(x * x); }, at, [](real x) { return x; }, [](real) { return 1.0L; }, [](real) { return 0.0L; });
    check<S>("sin^2 + cos^2", [](auto x) { return sin(x) * sin(x) + cos(x) * cos(x); }, at, [](real) { return 1.0L; }, [](real) { return 0.0L; }, [](real) { return 0.0L; });
    check<S>("x / (1 + x)", [](auto x) { return x / (1 + x); }, at, [](real x) { return x / (1 + x); }, [](real x) { return 1 / ((1 + x) * (1 + x)); },
             [](real x) { return -2 / ((1 + x) * (1 + x) * (1 + x)); });
}

// Gradient and Hessian of functions of two variables: lanes for x and y.
TYPED_TEST(duals, gradient_and_hessian) {
    using S = TypeParam;
    using D1 = dual<S, 2>;
    using D = dual<D1, 2>;
    auto const seeded = [](S const& v, std::size_t lane) {
        D r(D1::variable(v, lane));
        r.d[lane] = D1(S(1));
        return r;
    };
    for (auto const& p : {std::pair<real, real>{1.5L, 0.5L}, {-1, 2}, {-0.5L, -2}, {0, 1}, {2, 0}, {-2, 0.25L}}) {
        real const x = p.first, y = p.second, n = x * x + y * y;
        D const f = atan2(seeded(static_cast<S>(y), 1), seeded(static_cast<S>(x), 0));
        expect_near(f.v.v, std::atan2(y, x), 8, "atan2", x);
        expect_near(f.v.d[0], -y / n, 8, "d/dx", x);
        expect_near(f.v.d[1], x / n, 8, "d/dy", x);
        expect_near(f.d[0].d[0], 2 * x * y / (n * n), 16, "d2/dx2", x);
        expect_near(f.d[0].d[1], (y * y - x * x) / (n * n), 16, "d2/dxdy", x);
        expect_near(f.d[1].d[0], (y * y - x * x) / (n * n), 16, "d2/dydx", x);
        expect_near(f.d[1].d[1], -2 * x * y / (n * n), 16, "d2/dy2", x);

        D const g = seeded(static_cast<S>(x), 0) / (1 + seeded(static_cast<S>(y), 1) * seeded(static_cast<S>(y), 1));
        real const k = 1 / (1 + y * y);
        expect_near(g.v.d[0], k, 8, "d/dx", x);
        expect_near(g.v.d[1], -2 * x * y * k * k, 16, "d/dy", x);
        expect_near(g.d[0].d[0], 0, 8, "d2/dx2", x);
        expect_near(g.d[0].d[1], -2 * y * k * k, 16, "d2/dxdy", x);
        expect_near(g.d[1].d[1], 2 * x * (3 * y * y - 1) * k * k * k, 32, "d2/dy2", x);
    }
}

// The ends of the domains: finite, as every degenerate pose must be.
TYPED_TEST(duals, where_there_is_no_derivative_it_is_zero) {
    using S = TypeParam;
    auto const check_end = [](jet<S> const& j, S const& value) {
        EXPECT_LE(abs(j.value - value), 2 * epsilon_v<S>);
        EXPECT_EQ(j.first, S(0));
        EXPECT_EQ(j.second, S(0));
    };
    check_end(jet_of([](auto x) { return sqrt(x); }, S(0)), S(0));
    check_end(jet_of([](auto x) { return asin(x); }, S(1)), pi_v<S> / 2);
    check_end(jet_of([](auto x) { return asin(x); }, S(-1)), -pi_v<S> / 2);
    check_end(jet_of([](auto x) { return acos(x); }, S(1)), S(0));
    check_end(jet_of([](auto x) { return acos(x); }, S(-1)), pi_v<S>);
    check_end(jet_of([](auto x) { return atan2(x, x); }, S(0)), S(0));
    EXPECT_TRUE(isfinite(jet_of([](auto x) { return abs(x); }, S(0)).first));
    // The length of a vector through zero.
    check_end(jet_of([](auto x) { return sqrt(x * x); }, S(0)), S(0));
}

TYPED_TEST(duals, choices_take_the_derivatives_of_what_is_chosen) {
    using S = TypeParam;
    using D = dual<S, 2>;
    D const a = D::variable(S(1), 0), b = D::variable(S(2), 1);
    auto const same = [](D const& x, D const& y) { return x.v == y.v && x.d[0] == y.d[0] && x.d[1] == y.d[1]; };
    EXPECT_TRUE(same(min(a, b), a) && same(min(b, a), a) && same(max(a, b), b) && same(max(b, a), b));
    EXPECT_TRUE(same(select(true, a, b), a) && same(select(false, a, b), b));
    EXPECT_TRUE(same(clamp(a, D(S(0)), D(S(3))), a));
    EXPECT_TRUE(same(clamp(b, D(S(0)), D(S(1.5))), D(S(1.5))));
    EXPECT_TRUE(same(either(a < b, [&] { return a; }, [&] { return b; }), a));
    EXPECT_TRUE(a < b && !(b < a) && a <= b && b > a && b >= a && a != b && a == D(S(1)));
    EXPECT_EQ(value(a * b), S(2));
}

TYPED_TEST(duals, constants_of_any_kind) {
    using S = TypeParam;
    using D = dual<S, 1>;
    using DD = dual<D, 1>;
    D const x = D::variable(S(3), 0);
    EXPECT_EQ((x + 1).v, S(4));
    EXPECT_EQ((1 + x).d[0], S(1));
    EXPECT_EQ((x - S(1)).v, S(2));
    EXPECT_EQ((1 - x).v, S(-2));
    EXPECT_EQ((1 - x).d[0], S(-1));
    EXPECT_EQ((x * 2).d[0], S(2));
    EXPECT_EQ((S(2) * x).d[0], S(2));
    EXPECT_EQ((x / 2).d[0], S(0.5));
    EXPECT_EQ((3 / x).v, S(1));
    EXPECT_LE(abs((3 / x).d[0] + S(1) / 3), epsilon_v<S>);
    EXPECT_EQ((-x).d[0], S(-1));
    EXPECT_EQ((+x).d[0], S(1));
    DD const y = DD(x) * S(2) + x;  // what the inner scalar knows is a constant to the outer
    EXPECT_EQ(y.v.d[0], S(3));
    EXPECT_EQ(y.d[0].v, S(0));
    DD const endless(infinity_v<S>);  // and no derivative of it on any level is what meets infinity
    EXPECT_EQ((endless * S(0.5)).v.v, infinity_v<S>);
    EXPECT_EQ((endless * S(0.5)).v.d[0], S(0));
    EXPECT_EQ((endless / 2).v.d[0], S(0));
    D z = x;
    z += x;
    z -= D(1);
    z *= x;
    z /= D(S(3));
    EXPECT_LE(abs(z.v - S(5)), 4 * epsilon_v<S>);
    EXPECT_LE(abs(z.d[0] - S(11) / 3), 4 * epsilon_v<S>);  // (2 x - 1) x / 3 has the slope (4 x - 1) / 3
}

TYPED_TEST(duals, finiteness_looks_at_derivatives_too) {
    using S = TypeParam;
    dual<S, 2> x(S(1));
    EXPECT_TRUE(isfinite(x));
    x.d[1] = std::numeric_limits<S>::quiet_NaN();
    EXPECT_FALSE(isfinite(x));
    x.d[1] = S(0);
    x.v = infinity_v<S>;
    EXPECT_FALSE(isfinite(x));
}

// Comparisons look at values; what asks whether something has changed looks at all.
TYPED_TEST(duals, differ_in_derivatives_too) {
    using S = TypeParam;
    using D = dual<S, 2>;
    D const a(S(0)), b = D::variable(S(0), 1);
    EXPECT_TRUE(a == b);
    EXPECT_TRUE(differs(a, b));
    EXPECT_FALSE(differs(b, b));
    EXPECT_TRUE(differs(vec3<D>{a, a, a}, vec3<D>{a, a, b}));
    using D2 = dual<D, 1>;
    EXPECT_TRUE(differs(D2(a), D2(b)));
    EXPECT_EQ(derivative_order_v<D2>, 2u);
    // The derivatives of one with the value of the other, and not a bit of its own.
    D const c = with_value_of(D::variable(S(1) / S(3), 0), D(S(0.1)));
    EXPECT_EQ(c.v, S(0.1));
    EXPECT_EQ(c.d[0], S(1));
}

// Newton's method at compile time, with the derivative from the dual number: the cube root of 27.
constexpr double cube_root(double a) {
    double x = 4;
    for (int i = 0; i < 20; ++i) {
        auto const t = dual<double, 1>::variable(x, 0);
        auto const f = t * t * t - a;
        x -= f.v / f.d[0];
    }
    return x;
}
static_assert(cube_root(27) == 3);
static_assert(sqrt(dual<double, 1>::variable(4, 0)).d[0] == 0.25);

// Squares that have no room, and a zero with a sign.
TEST(dual_edges, keep_their_derivatives) {
    using D = sinew::dual<float, 2>;
    for (float size : {1e-30f, 1e-23f, 1e19f, 1e30f}) {
        D const a = atan2(D::variable(size, 0), D::variable(size, 1));  // 1 / (2 x) by y, -1 / (2 x) by x
        EXPECT_NEAR(a.d[0] * size, 0.5f, 1e-6f) << size;
        EXPECT_NEAR(a.d[1] * size, -0.5f, 1e-6f) << size;
    }
    EXPECT_FALSE(std::signbit(abs(D(-0.0f)).v));
}

// To numbers of another kind with their derivatives, but as constants where they are numbers of one derivative less.
TEST(dual_conversions, keep_derivatives) {
    using sinew::dual;
    auto const x = dual<float, 2>::variable(0.5f, 1);
    auto const y = static_cast<dual<double, 2>>(x);
    EXPECT_EQ(y.v, 0.5);
    EXPECT_EQ(y.d[0], 0);
    EXPECT_EQ(y.d[1], 1);
    static_assert(!std::is_convertible_v<dual<float, 2>, dual<double, 2>> && !std::is_constructible_v<dual<double, 3>, dual<float, 2>>);
    dual<dual<double, 2>, 2> const constant(y);
    EXPECT_EQ(constant.v.d[1], 1);
    EXPECT_EQ(constant.d[1].v, 0);
    dual<dual<float, 2>, 2> z(x);
    z.d[0].d[1] = 3;
    auto const w = static_cast<dual<dual<double, 2>, 2>>(z);
    EXPECT_EQ(w.v.d[1], 1);
    EXPECT_EQ(w.d[0].d[1], 3);
}

}  // namespace
