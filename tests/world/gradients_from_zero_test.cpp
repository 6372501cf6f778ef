// Gradients by what cannot be less than 0, where it is 0: a strength, a friction, a compliance. They are those of the differences from above, and the values are those
// of double: comparisons of numbers that carry derivatives look at values alone, and must not take what begins there for nothing.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace {

using namespace sinew;

template <class S, class Solver>
struct config : default_config {
    using scalar = S;
    using solver = Solver;
    static constexpr bool resists_rolling = true;
};

template <class S>
using soft_ball_joint = soft_joint<S, ball_joint>;

// run(x): numbers of the end.
template <class F>
void expect_derivatives_from_zero(F const& run, double tolerance) {
    using D = dual<double, 1>;
    double const h = 5e-6;
    std::vector<D> const found = run(D::variable(0, 0));
    std::vector<double> const at = run(0.0), one = run(h), two = run(2 * h);
    double greatest = 0;
    ASSERT_EQ(found.size(), at.size());
    for (std::size_t i = 0; i < at.size(); ++i) greatest = std::max(greatest, std::abs((4 * one[i] - 3 * at[i] - two[i]) / (2 * h)));
    EXPECT_GT(greatest, 0.1);
    for (std::size_t i = 0; i < at.size(); ++i) {
        EXPECT_EQ(found[i].v, at[i]) << "number " << i;
        EXPECT_NEAR(found[i].d[0], (4 * one[i] - 3 * at[i] - two[i]) / (2 * h), tolerance * greatest) << "number " << i;
    }
}

// A bar on a hinge, and one that hangs from it.
enum class part { compliance, motor, friction, servo };
template <class S, class Solver>
std::vector<S> swings(part by, S const& x) {
    world<config<S, Solver>, hinge_joint, soft_ball_joint, powered_axis, joint_friction, angular_servo> w;
    auto const number = [](double value) { return S(value); };
    auto const bar = [&](double place, twist<S> const& moving) {
        rigid_body<S> b;
        b.mass = number(1.3);
        b.inertia = diagonal(number(0.2), number(0.3), number(0.25));
        b.pose.position = {number(place), S(0), S(0)};
        b.twist = moving;
        return w.add(b);
    };
    auto const first = bar(0.5, {{S(0), number(-0.75), S(0)}, {S(0), S(0), number(-1.5)}});
    auto const second = bar(1.5, {{S(0), number(-2), number(0.1)}, {number(0.3), S(0), number(-1)}});
    auto const ground = w.ground();
    vec3<S> const z{S(0), S(0), S(1)};
    w.add(hinge_joint<S>::at(w.pose(ground), w.pose(first), vec3<S>{}, z), ground, first);
    w.add(soft_ball_joint<S>::with(ball_joint<S>::at(w.pose(first), w.pose(second), vec3<S>{S(1), S(0), S(0)}), by == part::compliance ? x : S(0)), first, second);
    if (by == part::motor) w.add(powered_axis<S>::at(w.pose(ground), w.pose(first), z, S(3), x), ground, first);
    if (by == part::friction) w.add(joint_friction<S>{x}, first, second);
    if (by == part::servo) w.add(angular_servo<S>::at(w.pose(ground), w.pose(first), z, number(0.7), x), ground, first);
    for (int i = 0; i < 30; ++i) EXPECT_TRUE(w.step(number(0.01)));
    std::vector<S> r;
    for (auto const b : {first, second})
        for (std::size_t i = 0; i < 3; ++i) {
            r.push_back(w.position(b)[i]);
            r.push_back(w.twist(b).linear[i]);
            r.push_back(w.twist(b).angular[i]);
        }
    return r;
}
template <class Solver>
struct gradients_from_zero : testing::Test {
    static void expect(part by, double tolerance) {
        expect_derivatives_from_zero([&](auto const& x) { return swings<std::remove_cvref_t<decltype(x)>, Solver>(by, x); }, tolerance);
    }
};
using solvers = testing::Types<sequential_impulses, nonlinear_gauss_seidel, compliant_implicit, lagrange_impulses<dantzig>, lagrange_impulses<sparse_ldlt>, lagrange_multipliers<dantzig>,
                               lagrange_multipliers<sparse_ldlt>>;
TYPED_TEST_SUITE(gradients_from_zero, solvers);
TYPED_TEST(gradients_from_zero, by_the_strength_of_a_motor_are_those_of_differences) { this->expect(part::motor, 1e-5); }
TYPED_TEST(gradients_from_zero, by_the_friction_of_a_joint_are_those_of_differences) { this->expect(part::friction, 1e-5); }
TYPED_TEST(gradients_from_zero, by_the_strength_of_a_servo_are_those_of_differences) { this->expect(part::servo, 1e-5); }
// Impulses have another law for what is soft, that of a spring within the step, which is none at first.
TEST(gradients_from_zero_by_compliance, are_those_of_differences) {
    gradients_from_zero<nonlinear_gauss_seidel>::expect(part::compliance, 1e-2);
    gradients_from_zero<compliant_implicit>::expect(part::compliance, 1e-2);
}

// A ball that rolls and spins.
template <class S, class Solver>
std::vector<S> rolls(bool spins, S const& x) {
    world<config<S, Solver>, sphere, half_space> w;
    collider_options<S, quaternion<S>> o{.material = material<S>::of(S(0.5))};
    (spins ? o.material.spinning_friction : o.material.rolling_friction) = x;
    w.add(half_space<S>{}, w.ground(), o);
    auto const ball = w.add_solid(sphere<S>{S(0.5)}, S(500), pose<S>{{S(0), S(0.4999), S(0)}, {}}, o, {{S(2), S(0), S(0)}, {S(0), S(3), S(-4)}});
    for (int i = 0; i < 40; ++i) EXPECT_TRUE(w.step(S(1) / S(120)));
    return {w.position(ball).x(), w.twist(ball).linear.x(), w.twist(ball).angular.y(), w.twist(ball).angular.z()};
}
// A box slides to a stop; the friction of both surfaces is x.
template <class S>
std::vector<S> slides(S const& x) {
    world<config<S, sequential_impulses>, box, half_space> w;
    collider_options<S, quaternion<S>> const o{.material = material<S>::of(x)};
    w.add(half_space<S>{}, w.ground(), o);
    auto const crate = w.add_solid(box<S>{{S(0.5), S(0.25), S(0.5)}}, S(500), pose<S>{{S(0), S(0.2499), S(0)}, {}}, o, {{S(2), S(0), S(1)}, {}});
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(w.step(S(1) / S(120)));
    return {w.position(crate).x(), w.position(crate).z(), w.twist(crate).linear.x(), w.twist(crate).linear.z()};
}
TEST(gradients_from_zero_by_friction, are_those_of_differences) {
    expect_derivatives_from_zero([](auto const& x) { return slides(x); }, 1e-4);
}

template <class Solver>
void expect_to_roll() {
    for (bool const spins : {false, true}) {
        SCOPED_TRACE(spins ? "spinning" : "rolling");
        expect_derivatives_from_zero([&](auto const& x) { return rolls<std::remove_cvref_t<decltype(x)>, Solver>(spins, x); }, 1e-4);
    }
}
TEST(gradients_from_zero_by_rolling_friction, are_those_of_differences_under_sequential_impulses) { expect_to_roll<sequential_impulses>(); }
TEST(gradients_from_zero_by_rolling_friction, are_those_of_differences_under_lagrange_impulses) { expect_to_roll<lagrange_impulses<dantzig>>(); }
TEST(gradients_from_zero_by_rolling_friction, are_those_of_differences_under_lagrange_multipliers) { expect_to_roll<lagrange_multipliers<dantzig>>(); }
TEST(gradients_from_zero_by_rolling_friction, are_those_of_differences_under_compliant_implicit) { expect_to_roll<compliant_implicit>(); }

}  // namespace
