// Numbers with derivatives in constant expressions, where no infinity may meet a derivative of 0: limits, ropes and contacts have a bound on one side alone.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

namespace {

using namespace sinew;

using number = dual<double, 1>;

template <class Solver>
struct config_with : default_config {
    using scalar = number;
    using solver = Solver;
    using errors = null_errors;
    using storage = static_storage<capacities{.bodies = 2, .constraints = 2, .colliders = 2, .contacts = 2}>;
};

struct outcome {
    double value, derivative;
    bool stepped;
};

// A box on a rope that is taut, beyond the limit of its turn; by the length of the rope.
template <class Solver>
constexpr outcome hang(int steps) {
    world<config_with<Solver>, rope, angle_limit> w;
    auto const ground = w.ground();
    auto const b = w.add(rigid_body_of(solid_box(number(1), vec3<number>{number(1), number(1), number(1)}), pose<number>{{number(0), number(-1), number(0)}, {}}));
    bool stepped = w.add(rope<number>{{}, {}, number::variable(1, 0)}, ground, b) && w.add(angle_limit<number>::at(w.pose(ground), w.pose(b), {0, 0, 1}, number(-1), number(-0.01)), ground, b);
    for (int i = 0; i < steps; ++i) stepped = w.step(number(1) / 64) && stepped;
    number const y = w.position(b).y();
    return {y.v, y.d[0], stepped};
}
// A ball comes down; by its speed.
template <class Solver>
constexpr outcome land(int steps) {
    world<config_with<Solver>, sphere, half_space> w;
    bool stepped = w.add(half_space<number>{}, w.ground()) ? true : false;
    auto const b = w.add_solid(sphere<number>{number(1) / 2}, number(100), pose<number>{{number(0), number(0.51), number(0)}, {}}, {}, twist<number>{{number(0), number::variable(-1, 0), number(0)}, {}});
    for (int i = 0; i < steps; ++i) stepped = w.step(number(1) / 64) && stepped;
    number const y = w.position(b).y();
    return {y.v, y.d[0], stepped};
}

void expect_same(outcome const& by_compiler, outcome (*run)(int), int steps) {
    int volatile n = steps;
    outcome const now = run(n);
    EXPECT_EQ(now.value, by_compiler.value);
    EXPECT_EQ(now.derivative, by_compiler.derivative);
    EXPECT_EQ(now.stepped, by_compiler.stepped);
}

template <class Solver>
struct constant_derivatives : testing::Test {};
using strategies = testing::Types<sequential_impulses, nonlinear_gauss_seidel, compliant_implicit, lagrange_impulses<sparse_ldlt>, lagrange_multipliers<dantzig>>;
TYPED_TEST_SUITE(constant_derivatives, strategies);

TYPED_TEST(constant_derivatives, of_a_rope_have_the_bits_of_the_same_call_at_run_time) {
    constexpr outcome hung = hang<TypeParam>(2);
    static_assert(hung.stepped && hung.derivative < -1e-2);  // a longer rope, a lower box
    expect_same(hung, hang<TypeParam>, 2);
}
TEST(constant_derivatives_of_a_contact, have_the_bits_of_the_same_call_at_run_time) {
    constexpr outcome landed = land<nonlinear_gauss_seidel>(2);
    static_assert(landed.stepped);
    expect_same(landed, land<nonlinear_gauss_seidel>, 2);
}

}  // namespace
