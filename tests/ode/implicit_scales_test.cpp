// Implicit integrators where the numbers of one state differ by many powers of ten: a stiff spring is solved as well beside a number that is far larger and
// has nothing to do with it.

#include <sinew/math/vec.hpp>
#include <sinew/ode/implicit_euler.hpp>
#include <sinew/ode/implicit_midpoint.hpp>
#include <sinew/ode/integrate.hpp>

#include <gtest/gtest.h>

namespace {

using namespace sinew;

// A weight on a spring of 1 m, held at the origin: its place, (m), after a second.
template <class Integrator, class S>
vec<S, 2> weight_beside(S big) {
    auto const f = [](S, vec<S, 5> const& y) {
        S const length = sqrt(y[1] * y[1] + y[2] * y[2]), pull = S(-1e6) * (length - S(1)) / length;
        return vec<S, 5>{S(0), y[3], y[4], pull * y[1] - S(10) * y[3], pull * y[2] - S(9.81) - S(10) * y[4]};
    };
    auto const r = integrate(Integrator{}, f, vec<S, 5>{big, S(1), S(0), S(0), S(0)}, S(0), S(1), S(0.01));
    EXPECT_TRUE(r) << big;
    return {r.y[1], r.y[2]};
}
template <class Integrator, class S>
void expect_the_same_beside(std::initializer_list<S> numbers, S tolerance) {
    vec<double, 2> const expected = weight_beside<Integrator, double>(0);
    for (S const big : numbers) {
        vec<S, 2> const found = weight_beside<Integrator, S>(big);
        for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(static_cast<double>(found[i]), expected[i], static_cast<double>(tolerance)) << "beside " << big;
    }
}
TEST(implicit_euler_beside_large_numbers, is_solved) {
    expect_the_same_beside<implicit_euler, double>({1e3, 1e6, 1e10, 1.5e11, 1e12}, 1e-9);
    expect_the_same_beside<implicit_euler, float>({1e3f, 1e4f, 1e5f}, 1e-5f);
}
TEST(implicit_midpoint_beside_large_numbers, is_solved) {
    expect_the_same_beside<implicit_midpoint, double>({1e3, 1e6, 1e10, 1.5e11, 1e12}, 1e-9);
    expect_the_same_beside<implicit_midpoint, float>({1e3f, 1e4f, 1e5f}, 1e-5f);
}

}  // namespace
