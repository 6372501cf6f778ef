// exp, the left Jacobian and its inverse, in value and in derivative, against their definitions.

#include "rotation_cases.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sinew;
using namespace rotation_cases;

template <class S>
class so3 : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(so3, scalars);

constexpr unsigned seed = 1;

TYPED_TEST(so3, exp_is_rodrigues_formula) {
    using S = TypeParam;
    for (auto const& at : places<S>(seed)) {
        SCOPED_TRACE(at.name);
        EXPECT_LE(difference(so3_exp(at.theta), reference_exp(widened(at.theta))), rounding<S>(4));
    }
}

TYPED_TEST(so3, exp_is_orthonormal) {
    using S = TypeParam;
    for (auto const& at : places<S>(seed)) {
        SCOPED_TRACE(at.name);
        mat3<S> const r = so3_exp(at.theta);
        EXPECT_LE(difference(transpose(r) * r, identity<S, 3>()), rounding<S>(8));
        EXPECT_LE(std::abs(static_cast<real>(determinant(r) - S(1))), rounding<S>(8));
    }
}

TYPED_TEST(so3, left_jacobian_is_its_series) {
    using S = TypeParam;
    for (auto const& at : places<S>(seed)) {
        SCOPED_TRACE(at.name);
        EXPECT_LE(difference(left_jacobian(at.theta), reference_left_jacobian(widened(at.theta))), rounding<S>(8));
    }
}

// The definition (Waterson 2026, eq. 2.26): exp(theta + d) = exp(J_L d) exp(theta) to first order.
TYPED_TEST(so3, left_jacobian_is_the_derivative_of_exp) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (auto const& at : places<S>(seed)) {
        SCOPED_TRACE(at.name);
        vec3<S> const d = random_direction<S>(random);
        mat3<dual<S, 1>> const r = so3_exp(moving(at.theta, d));
        EXPECT_LE(difference(values(r), reference_exp(widened(at.theta))), rounding<S>(4));
        vec3<real> const omega = reference_left_jacobian(widened(at.theta)) * widened(d);
        mat3<real> const expected = skew(omega) * reference_exp(widened(at.theta));
        EXPECT_LE(difference(derivatives(r), expected), rounding<S>(16));
    }
}

TYPED_TEST(so3, left_jacobian_by_finite_differences) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    // Central differences in long double: the error is h^2 from truncation and 1e-19 / h from rounding.
    real const h = 1e-6L;
    for (auto const& at : places<S>(seed)) {
        SCOPED_TRACE(at.name);
        vec3<real> const theta = widened(at.theta);
        vec3<real> const d = widened(random_direction<S>(random));
        mat3<real> const base = transpose(so3_exp(theta));
        vec3<real> const forward = log(quaternion_of<real>(so3_exp(vec3<real>(theta + d * h)) * base));
        vec3<real> const backward = log(quaternion_of<real>(so3_exp(vec3<real>(theta - d * h)) * base));
        vec3<real> const measured = (forward - backward) / (2 * h);
        EXPECT_LE(difference(measured, left_jacobian(theta) * d), 2e-11L);
    }
}

TYPED_TEST(so3, left_jacobian_times_its_inverse_is_one) {
    using S = TypeParam;
    for (auto const& at : places<S>(seed)) {
        SCOPED_TRACE(at.name);
        EXPECT_LE(difference(left_jacobian(at.theta) * left_jacobian_inverse(at.theta), identity<S, 3>()), rounding<S>(16));
        EXPECT_LE(difference(left_jacobian_inverse(at.theta) * left_jacobian(at.theta), identity<S, 3>()), rounding<S>(16));
    }
}

TYPED_TEST(so3, inverse_left_jacobian_beyond_pi) {
    using S = TypeParam;
    // Up to 2 pi, where it is singular; its entries grow like 1 / (2 pi - t).
    for (S const t : {S(3.5L), S(5), S(6)}) {
        vec3<S> const theta = vec3<S>{S(0.36L), S(-0.48L), S(0.8L)} * t;
        EXPECT_LE(difference(left_jacobian(theta) * left_jacobian_inverse(theta), identity<S, 3>()), rounding<S>(200)) << static_cast<double>(t);
    }
}

TYPED_TEST(so3, left_jacobian_transposed_is_that_of_minus_theta) {
    using S = TypeParam;
    for (auto const& at : places<S>(seed)) {
        EXPECT_EQ(transpose(left_jacobian(at.theta)), left_jacobian(vec3<S>(-at.theta))) << at.name;
        EXPECT_LE(difference(so3_exp(at.theta) * left_jacobian(vec3<S>(-at.theta)), left_jacobian(at.theta)), rounding<S>(8)) << at.name;
    }
}

// The even coefficients as functions of t^2, across the border between series and closed form, with two derivatives.
TYPED_TEST(so3, coefficients_agree_across_the_border) {
    using S = TypeParam;
    using D = dual<dual<S, 1>, 1>;
    auto const seeded = [](S const& t2) {
        D x(dual<S, 1>::variable(t2, 0));
        x.d[0] = dual<S, 1>(S(1));
        return x;
    };
    S const inside = S(1) - 4 * epsilon_v<S>, outside = S(1);
    auto const check = [&](auto const& f, char const* name) {
        D const a = f(seeded(inside)), b = f(seeded(outside));
        EXPECT_LE(std::abs(static_cast<real>(a.v.v - b.v.v)), rounding<S>(8)) << name;
        EXPECT_LE(std::abs(static_cast<real>(a.d[0].v - b.d[0].v)), rounding<S>(16)) << name;
        EXPECT_LE(std::abs(static_cast<real>(a.d[0].d[0] - b.d[0].d[0])), rounding<S>(64)) << name;
    };
    check([](auto const& x) { return sinc_of_square(x); }, "sinc");
    check([](auto const& x) { return versine_of_square(x); }, "versine");
    check([](auto const& x) { return sine_defect_of_square(x); }, "sine defect");
    check([](auto const& x) { return cotangent_defect_of_square(x); }, "cotangent defect");
}

TYPED_TEST(so3, coefficients_at_zero) {
    using S = TypeParam;
    using D = dual<S, 1>;
    D const x = D::variable(S(0), 0);
    EXPECT_EQ(sinc_of_square(x).v, S(1));
    EXPECT_EQ(sinc_of_square(x).d[0], S(-1) / S(6));
    EXPECT_EQ(versine_of_square(x).v, S(1) / S(2));
    EXPECT_EQ(versine_of_square(x).d[0], S(-1) / S(24));
    EXPECT_EQ(sine_defect_of_square(x).v, S(1) / S(6));
    EXPECT_EQ(sine_defect_of_square(x).d[0], S(-1) / S(120));
    EXPECT_LE(std::abs(static_cast<real>(cotangent_defect_of_square(x).v - S(1) / S(12))), rounding<S>(1));
    EXPECT_LE(std::abs(static_cast<real>(cotangent_defect_of_square(x).d[0] - S(1) / S(720))), rounding<S>(1));
}

// pi^-2 at t = pi, since cot(pi / 2) = 0.
TYPED_TEST(so3, cotangent_defect_at_pi) {
    using S = TypeParam;
    real const pi = 3.14159265358979323846264338327950288L;
    EXPECT_LE(std::abs(static_cast<real>(cotangent_defect_of_square<S>(pi_v<S> * pi_v<S>)) - 1 / (pi * pi)), rounding<S>(1));
}

// The same code in a constant expression.
constexpr vec3<double> some_theta{0.3, -0.2, 0.5};
static_assert(so3_exp(vec3<double>{0, 0, 0}) == identity<double, 3>());
static_assert(left_jacobian(vec3<double>{0, 0, 0}) == identity<double, 3>());
static_assert(left_jacobian_inverse(vec3<double>{0, 0, 0}) == identity<double, 3>());
constexpr mat3<double> exp_at_compile_time = so3_exp(some_theta);
constexpr mat3<double> jacobian_at_compile_time = left_jacobian_inverse(some_theta);

TEST(so3, compile_time_is_run_time) {
    vec3<double> volatile_theta = some_theta;
    double volatile x = volatile_theta[0];
    volatile_theta[0] = x;
    EXPECT_EQ(exp_at_compile_time, so3_exp(volatile_theta));
    EXPECT_EQ(jacobian_at_compile_time, left_jacobian_inverse(volatile_theta));
}

}  // namespace
