// Every strategy solves constraints on bodies in reduced coordinates: an arm that holds a rope of particles goes where the acceleration-level
// reference goes, to the order of the strategy; and a loop through two arms stays closed.

#include <body/body_maps.hpp>

#include <sinew/solver/augmented_lagrangian.hpp>
#include <sinew/solver/compliant_implicit.hpp>
#include <sinew/solver/jacobi.hpp>
#include <sinew/solver/lagrange_multipliers.hpp>
#include <sinew/solver/sequential_impulses.hpp>
#include <sinew/solver/vertex_block_descent.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using sinew::vec3;

template <class Solver, class Integrator>
struct config : sinew::default_config {
    using scalar = double;
    using solver = Solver;
    using integrator = Integrator;
};
template <class S>
using rope_end = sinew::on_link<S, sinew::particle_pin, sinew::as_bound, sinew::link_of<maps::arm, 2>>;
template <class S>
using clasp = sinew::on_link<S, sinew::ball_joint, sinew::link_of<maps::arm, 2>, sinew::link_of<maps::arm, 2>>;

template <class World>
auto add_arm(World& w, vec3<double> const& u) {
    sinew::generalized_body<maps::arm<double>> b;
    b.masses.fill(sinew::link_mass<double>::of(sinew::solid_box(1.0, vec3<double>{1, 0.1, 0.1})));
    b.u = u;
    return w.add(b);
}
template <class World>
void converge(World& w) {
    if constexpr (requires { w.solver.iterations; }) w.solver.iterations = 200;
}

// Where the end of the rope is after a quarter of a second, and the largest error.
struct outcome {
    vec3<double> end;
    double error;
};
template <class Config>
outcome swing(int steps) {
    sinew::world<Config, maps::arm, rope_end, sinew::particle_distance> w;
    converge(w);
    auto const arm = add_arm(w, {0.3, -0.4, -0.5});
    vec3<double> const tip = w.pose(arm, 2).point(vec3<double>{0.5, 0, 0});
    std::vector<typename decltype(w)::particle_handle> rope;
    for (int i = 0; i < 4; ++i) rope.push_back(w.add(sinew::particle<double>{0.2, tip + vec3<double>{0.25 * i, 0, 0}, {}}));
    for (std::size_t i = 1; i < rope.size(); ++i) w.add(sinew::particle_distance<double>{.length = 0.25}, rope[i - 1], rope[i]);
    w.add(rope_end<double>::at(sinew::particle_pose<double>{tip}, w.pose(arm), tip), rope[0], arm);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(0.25 / steps)) << i;
    return {w.position(rope.back()), w.constraint_error()};
}

template <class Solver, class Integrator, int Order>
struct strategy {
    using solver = Solver;
    using integrator = Integrator;
    static constexpr int order = Order;
};
using symplectic = sinew::symplectic_euler;
using strategies = testing::Types<strategy<sinew::lagrange_multipliers<sinew::cholesky>, sinew::rk4, 4>, strategy<sinew::lagrange_multipliers<sinew::ldlt>, sinew::rk4, 4>,
                                  strategy<sinew::lagrange_multipliers<sinew::conjugate_gradient>, sinew::rk4, 4>,
                                  strategy<sinew::lagrange_multipliers<sinew::sparse_ldlt>, sinew::rk4, 4>,
                                  strategy<sinew::lagrange_multipliers<sinew::dantzig>, sinew::rk4, 4>, strategy<sinew::nonlinear_gauss_seidel, symplectic, 1>,
                                  strategy<sinew::jacobi, symplectic, 1>, strategy<sinew::sequential_impulses, symplectic, 1>,
                                  strategy<sinew::vertex_block_descent, symplectic, 1>, strategy<sinew::augmented_lagrangian, symplectic, 1>,
                                  strategy<sinew::compliant_implicit, symplectic, 1>>;
template <class T>
class hybrid : public testing::Test {};
TYPED_TEST_SUITE(hybrid, strategies);

TYPED_TEST(hybrid, of_an_arm_and_a_rope_goes_where_the_reference_goes) {
    static auto const reference = swing<config<sinew::lagrange_multipliers<sinew::cholesky>, sinew::rk4>>(1000).end;
    constexpr int steps = TypeParam::order == 4 ? 25 : 60;
    using c = config<typename TypeParam::solver, typename TypeParam::integrator>;
    auto const coarse = swing<c>(steps), fine = swing<c>(2 * steps);
    double const order = std::log2(norm(coarse.end - reference) / norm(fine.end - reference));
    EXPECT_NEAR(order, TypeParam::order, 0.15 * TypeParam::order + 0.15) << norm(coarse.end - reference) << " " << norm(fine.end - reference);
    EXPECT_LT(norm(fine.end - reference), 1e-2);
    EXPECT_LT(fine.error, 1e-4);
}
// Two arms from the same root, joined at their tips.
TYPED_TEST(hybrid, of_two_arms_stays_closed) {
    sinew::world<config<typename TypeParam::solver, typename TypeParam::integrator>, maps::arm, clasp> w;
    converge(w);
    auto const a = add_arm(w, {0.3, -0.4, -0.5}), b = add_arm(w, {-0.6, 0.5, 0.4});
    // The tips of both are on one line through the root, at the same distance.
    auto const tip = [&](auto const& h) { return w.pose(h, 2).point(vec3<double>{0.5, 0, 0}); };
    w.set_coordinates(b, {w.coordinates(b)[0] + std::atan2(tip(a).y(), tip(a).x()) - std::atan2(tip(b).y(), tip(b).x()), 0.4, 0.5});
    double const turn = std::atan2(tip(a).y(), tip(a).x()) - std::atan2(tip(b).y(), tip(b).x());
    w.set_coordinates(b, {w.coordinates(b)[0] + turn, 0.4, 0.5});
    ASSERT_LT(norm(tip(a) - tip(b)), 1e-12);
    auto const joint = w.add(clasp<double>::at(w.pose(a), w.pose(b), tip(a)), a, b);
    double const energy = w.energy();
    for (int i = 0; i < 240; ++i) ASSERT_TRUE(w.step(1.0 / 240)) << i;
    EXPECT_LT(norm(w.error_of(joint)), 1e-3);
    // Position-level strategies lose energy, as first-order ones do (here 3.6 J; the twin of rigid bodies loses 8.2 J); none gains.
    EXPECT_LT(w.energy(), energy + 0.05);
    EXPECT_GT(w.energy(), energy - 8.2);
}

}  // namespace
