// A plain function as a problem: any kind of state, any way to give the derivative, the same bits.

#include "reference_problems.hpp"

#include <sinew/math/dual.hpp>
#include <sinew/math/mat.hpp>
#include <sinew/math/vec.hpp>
#include <sinew/ode/dormand_prince_54.hpp>
#include <sinew/ode/implicit_midpoint.hpp>
#include <sinew/ode/integrate.hpp>
#include <sinew/ode/rk4.hpp>
#include <sinew/ode/velocity_verlet.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace {

using sinew::integrate;
using sinew::ode_status;
using sinew::rk4;
using sinew::vec;

template <class S>
class function_of : public testing::Test {};
using numbers = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(function_of, numbers);

// ---- a number

// Simpson's rule is exact for cubics: what remains is rounding.
TYPED_TEST(function_of, time_alone) {
    using S = TypeParam;
    auto const r = integrate(rk4{}, [](S t, S) { return 4 * t * t * t - 6 * t + 1; }, S(2), S(0), S(2), S(0.125));
    static_assert(std::same_as<decltype(r.y), S> || std::same_as<decltype(r.y), S const>);
    static_assert(std::same_as<std::remove_cvref_t<decltype(r.report.time)>, S>);
    ASSERT_TRUE(r);
    EXPECT_EQ(r.report.steps, 16u);
    EXPECT_EQ(r.report.time, S(2));
    EXPECT_NEAR(static_cast<double>(r.y), 16 - 12 + 2 + 2, static_cast<double>(32 * std::numeric_limits<S>::epsilon()));
}
// One step of y' = -y is the series of exp(-h) up to the fourth power.
TYPED_TEST(function_of, decay) {
    using S = TypeParam;
    S const h = S(0.25);
    auto const r = integrate(rk4{}, [](S, S y) { return -y; }, S(1), S(0), h, h);
    S const series = 1 - h * (1 - h / 2 * (1 - h / 3 * (1 - h / 4)));
    EXPECT_NEAR(static_cast<double>(r.y), static_cast<double>(series), static_cast<double>(2 * std::numeric_limits<S>::epsilon()));
    auto const whole = integrate(rk4{}, [](S, S y) { return -y; }, S(1), S(0), S(1), S(1) / 64);
    EXPECT_NEAR(static_cast<double>(whole.y), std::exp(-1.0), 1e-9 + static_cast<double>(64 * std::numeric_limits<S>::epsilon()));
}
// Times may be of any built-in type; the state's number decides what they become.
TEST(function_times, of_any_type) {
    auto const f = [](float t, float y) { return t - y; };
    auto const a = integrate(rk4{}, f, 1.0f, 0, 2, 0.125);
    auto const b = integrate(rk4{}, f, 1.0f, 0.0, 2.0L, 0.125f);
    static_assert(std::same_as<decltype(a.y), float>);
    EXPECT_EQ(a.y, b.y);
    EXPECT_EQ(integrate(rk4{}, [](double, double y) { return y; }, 1.0, 0, 3, 1).report.steps, 3u);
}

// ---- rows

// x'' = -100 x with the state in containers of all kinds: the same operations on the same numbers.
struct heap_free_row {
    double e[2];
    static constexpr std::size_t size() { return 2; }
    double& operator[](std::size_t i) { return e[i]; }
    double const& operator[](std::size_t i) const { return e[i]; }
};
template <class Y>
Y turned(double, Y const& y) {
    Y d = y;
    d[0] = y[1];
    d[1] = -100 * y[0];
    return d;
}
template <class Integrator, class Y>
std::array<double, 2> end_of(Integrator method, Y const& y0) {
    auto const r = integrate(method, turned<Y>, y0, 0, 1, 0.01);
    EXPECT_TRUE(r);
    EXPECT_EQ(r.report.steps, 100u);
    return {r.y[0], r.y[1]};
}
template <class Integrator>
void expect_one_result() {
    auto const expected = end_of(Integrator{}, std::array{1.0, 0.0});
    EXPECT_EQ(end_of(Integrator{}, vec<double, 2>{1, 0}), expected);
    EXPECT_EQ(end_of(Integrator{}, std::vector<double>{1, 0}), expected);
    EXPECT_EQ(end_of(Integrator{}, heap_free_row{{1, 0}}), expected);
    EXPECT_NEAR(expected[0], std::cos(10.0), 0.2);
}
TEST(function_rows, hold_the_same_numbers) {
    expect_one_result<rk4>();
    expect_one_result<sinew::velocity_verlet>();
    expect_one_result<sinew::implicit_midpoint>();
    expect_one_result<sinew::dormand_prince_54>();
}
TEST(function_rows, know_their_dimension) {
    auto const f = [](double, auto const& y) { return y; };
    using F = decltype(f);
    static_assert(sinew::function_problem<F&, double>::max_dimension == 1);
    static_assert(sinew::function_problem<F&, std::array<double, 7>>::max_dimension == 7);
    static_assert(sinew::function_problem<F&, vec<float, 3>>::max_dimension == 3);
    static_assert(sinew::function_problem<F&, heap_free_row>::max_dimension == 2);
    static_assert(sinew::function_problem<F&, std::vector<double>>::max_dimension == 0);
    sinew::function_problem<F&, std::vector<double>> p(f, {1, 2, 3});
    EXPECT_EQ(p.dimension(), 3u);
    std::array<double, 3> flat{};
    p.get_state(flat);
    EXPECT_EQ(flat, (std::array{1.0, 2.0, 3.0}));
    p.set_state(std::array{4.0, 5.0, 6.0});
    EXPECT_EQ(p.y, (std::vector<double>{4, 5, 6}));
    // A view shows another state without installing it.
    EXPECT_EQ(p.view(std::array{7.0, 8.0, 9.0}), (std::vector<double>{7, 8, 9}));
    EXPECT_EQ(p.y, (std::vector<double>{4, 5, 6}));
}
// As many numbers as a system of bodies has.
TEST(function_rows, long_ones) {
    std::size_t const n = 200;
    std::vector<double> y0(n);
    for (std::size_t i = 0; i < n; ++i) y0[i] = static_cast<double>(i) / 10;
    auto const r = integrate(rk4{}, [](double, std::vector<double> const& y) {
        std::vector<double> d(y.size());
        for (std::size_t i = 0; i < y.size(); ++i) d[i] = -static_cast<double>(i % 3) * y[i];
        return d;
    }, y0, 0, 1, 1.0 / 128);
    ASSERT_TRUE(r);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(r.y[i], y0[i] * std::exp(-static_cast<double>(i % 3)), 1e-7);
}

// ---- ways to give the derivative

TEST(function_forms, return_or_write) {
    using state = std::array<double, 2>;
    state const start{1, 0};
    auto const returned = integrate(rk4{}, [](double, state const& y) { return state{y[1], -y[0]}; }, start, 0, 1, 0.1).y;
    EXPECT_EQ(integrate(rk4{}, [](double, state const& y, std::span<double> d) { d[0] = y[1], d[1] = -y[0]; }, start, 0, 1, 0.1).y, returned);
    EXPECT_EQ(integrate(rk4{}, [](double, state const& y, state& d) { d = {y[1], -y[0]}; }, start, 0, 1, 0.1).y, returned);
    std::vector<double> const v = integrate(rk4{}, [](double, std::vector<double> const& y, std::vector<double>& d) { d[0] = y[1], d[1] = -y[0]; },
                                            std::vector<double>{1, 0}, 0, 1, 0.1).y;
    EXPECT_EQ((state{v[0], v[1]}), returned);
    // A row may return another kind of row.
    EXPECT_EQ(integrate(rk4{}, [](double, state const& y) { return vec<double, 2>{y[1], -y[0]}; }, start, 0, 1, 0.1).y, returned);
    double const number = integrate(rk4{}, [](double, double y, double& d) { d = -y; }, 1.0, 0, 1, 0.1).y;
    EXPECT_EQ(number, integrate(rk4{}, [](double, double y) { return -y; }, 1.0, 0, 1, 0.1).y);
}
double growth(double, double y) { return y; }
TEST(function_forms, pointers_and_objects_with_memory) {
    EXPECT_EQ(integrate(rk4{}, growth, 1.0, 0, 1, 0.5).y, integrate(rk4{}, &growth, 1.0, 0, 1, 0.5).y);
    int calls = 0;
    auto const counting = [&calls](double, double y) mutable {
        ++calls;
        return y;
    };
    EXPECT_EQ(integrate(rk4{}, counting, 1.0, 0, 1, 0.5).y, integrate(rk4{}, growth, 1.0, 0, 1, 0.5).y);
    EXPECT_EQ(calls, 8);
}
TEST(function_forms, times_of_the_stages) {
    std::vector<double> times;
    (void)integrate(rk4{}, [&](double t, double) {
        times.push_back(t);
        return 0.0;
    }, 0.0, 1, 2, 0.5);
    EXPECT_EQ(times, (std::vector<double>{1, 1.25, 1.25, 1.5, 1.5, 1.75, 1.75, 2}));
}

// ---- other values

// Anything that can be added and multiplied by a number.
struct phasor {
    double re, im;
    phasor operator+(phasor const& b) const { return {re + b.re, im + b.im}; }
    friend phasor operator*(double k, phasor const& a) { return {k * a.re, k * a.im}; }
};
TEST(function_values, of_any_vector_space) {
    auto const r = integrate(rk4{}, [](double, phasor const& z) { return phasor{-z.im, z.re}; }, phasor{1, 0}, 0, 1, 0.01);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y.re, std::cos(1.0), 1e-10);
    EXPECT_NEAR(r.y.im, std::sin(1.0), 1e-10);
    auto const z = integrate(rk4{}, [](double, std::complex<double> y) { return std::complex<double>(0, 1) * y; }, std::complex<double>(1, 0), 0, 1, 0.01);
    ASSERT_TRUE(z);
    EXPECT_NEAR(z.y.imag(), std::sin(1.0), 1e-10);
}
// R' = [omega]x R: the matrix turns, and its angle is the time's.
TEST(function_values, matrices) {
    sinew::mat3<double> const spin = sinew::skew(sinew::vec3<double>{0, 0, 2});
    auto const r = integrate(rk4{}, [&](double, sinew::mat3<double> const& m) { return sinew::mat3<double>(spin * m); }, sinew::identity<double, 3>(), 0, 1, 0.01);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y(0, 0), std::cos(2.0), 1e-8);
    EXPECT_NEAR(r.y(1, 0), std::sin(2.0), 1e-8);
    EXPECT_NEAR(r.y(2, 2), 1, 1e-15);
}
// exp(a t) differentiated by a is t exp(a t).
TEST(function_values, duals) {
    using D = sinew::dual<double, 1>;
    D const a = D::variable(-0.5, 0);
    auto const r = integrate(rk4{}, [&](D const&, D const& y) { return a * y; }, D(1.0), 0.0, 2.0, 0.01);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r.y.v, std::exp(-1.0), 1e-11);
    EXPECT_NEAR(r.y.d[0], 2 * std::exp(-1.0), 1e-10);
}

// ---- how it ends

TEST(function_end, last_good_state_is_returned) {
    // Infinite from t = 0.5 on: four steps of 0.1 see none of it, the fifth ends in it.
    auto const f = [](double t, std::array<double, 2> const& y) { return std::array{1.0, t < 0.5 ? y[0] : std::numeric_limits<double>::infinity()}; };
    auto const r = integrate(rk4{}, f, std::array{0.0, 0.0}, 0, 1, 0.125);
    EXPECT_FALSE(r);
    EXPECT_EQ(r.report.status, ode_status::not_finite);
    EXPECT_EQ(r.report.time, 0.375);
    EXPECT_EQ(r.report.steps, 3u);
    EXPECT_EQ(r.y[0], 0.375);
}
TEST(function_end, steps_that_are_none) {
    auto const f = [](double, std::array<double, 2> const& y) { return y; };
    std::array<double, 2> const start{1, 2};
    for (double const h : {0.0, -0.0, -0.1, -1e-300, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
        auto const r = integrate(rk4{}, f, start, 0, 1, h);
        EXPECT_EQ(r.report.status, ode_status::bad_step) << h;
        EXPECT_EQ(r.report.steps, 0u);
        EXPECT_EQ(r.report.evaluations, 0u);
        EXPECT_EQ(r.y, start);
    }
    // No way to go: nothing is evaluated.
    auto const r = integrate(rk4{}, f, start, 1, 1, 0.1);
    EXPECT_TRUE(r);
    EXPECT_EQ(r.report.steps, 0u);
    EXPECT_EQ(r.y, start);
}

}  // namespace
