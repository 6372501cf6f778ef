// Simulation groups of particles and bodies in reduced coordinates, and under other strategies.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using sinew::vec3;

template <sinew::scalar S>
struct pendulum {
    static constexpr std::size_t coordinates = 1;
    S length{1};  // m
    vec3<S> pivot{};
    constexpr auto links(auto const& u) const {
        using T = typename std::remove_cvref_t<decltype(u)>::scalar_type;
        auto const turn = sinew::rotation_about<sinew::quaternion<T>>({T(0), T(0), T(1)}, u[0]);
        return sinew::pose<T>{rotate(turn, sinew::vec3<T>{T(0), T(-length), T(0)}) + sinew::vec3<T>{T(pivot[0]), T(pivot[1]), T(pivot[2])}, turn};
    }
    [[nodiscard]] friend constexpr bool operator==(pendulum const&, pendulum const&) = default;
};
template <class S>
using particle_rod = sinew::distance_between<S, sinew::point_mass, sinew::point_mass>;

template <class Solver, class Integrator>
struct config : sinew::default_config {
    using scalar = double;
    using solver = Solver;
    using integrator = Integrator;
};
template <class Solver, class Integrator = sinew::symplectic_euler>
using world = sinew::world<config<Solver, Integrator>, pendulum, sinew::ball_joint, particle_rod>;

// Two chains, a pair of particles, one alone, and pendulums with and without one of their own hung on them. Added in turns, so that
// nothing of a group stands together.
template <class World>
void fill(World& w) {
    typename World::body_handle last[2] = {w.ground(), w.ground()};
    typename World::particle_handle first{};
    for (int i = 0; i < 4; ++i) {
        double const x = 0.5 + i;
        for (int k = 0; k < 2; ++k) {
            auto const at = sinew::pose<double>{{x, 2.0 * k, 10.0 * k}};
            auto const link = w.add(sinew::rigid_body_of(sinew::solid_box(1.0 + k, vec3<double>{1, 0.1, 0.1}), at));
            w.add(sinew::ball_joint<double>::at(w.pose(last[k]), w.pose(link), {x - 0.5, 2.0 * k, 10.0 * k}), last[k], link);
            last[k] = link;
        }
        auto const p = w.add(sinew::particle<double>{1 + 0.1 * i, {20, 1.0 * i, 0}, {0.1 * i, 0, 1}});
        if (i % 2 == 1) w.add(particle_rod<double>{.length = 1.0}, first, p);
        first = p;
        sinew::generalized_body<pendulum<double>> b;
        b.map = {0.5 + 0.25 * i, {30, 0, 5.0 * i}};
        b.masses = {sinew::link_mass<double>{1, sinew::solid_box(1.0, vec3<double>{0.1, 0.1, 0.1}).inertia}};
        b.u[0] = 1 + 0.2 * i;
        w.add(b);
    }
}

template <class World>
class group_of : public testing::Test {};
using solvers = testing::Types<world<sinew::sequential_impulses>, world<sinew::nonlinear_gauss_seidel>, world<sinew::lagrange_multipliers<sinew::sparse_ldlt>, sinew::rk4>>;
TYPED_TEST_SUITE(group_of, solvers);

TYPED_TEST(group_of, goes_on_as_in_one_world) {
    TypeParam w;
    fill(w);
    TypeParam other = w;
    sinew::simulation_groups<TypeParam> g;
    g.settings.mode = sinew::stepping::fixed;
    for (int i = 0; i < 60; ++i) {
        auto const r = g.advance(w, 1.0 / 60);
        ASSERT_TRUE(r);
        EXPECT_EQ(r.groups, 2u + 2u + 4u);
        EXPECT_EQ(r.body_steps, 16u);
        ASSERT_TRUE(other.step(1.0 / 60));
    }
    EXPECT_EQ(w.time(), other.time());
    auto const a = w.save(), b = other.save();
    for (std::size_t i = 0; i < a.bodies.size(); ++i) EXPECT_LT(norm(a.bodies[i].pose.position - b.bodies[i].pose.position), 1e-9) << i;
    EXPECT_TRUE(a.particles == b.particles);
    EXPECT_TRUE(a.generalized == b.generalized);
}

// Each pendulum alone, with the steps that it needs: its energy tells whether they are short enough.
TEST(group_kinds, reach_the_accuracy_asked_for_at_the_order_of_the_integrator) {
    using pendulums = world<sinew::lagrange_multipliers<sinew::sparse_ldlt>, sinew::rk4>;
    std::size_t steps[2] = {};
    double off[2] = {};
    for (int k = 0; k < 2; ++k) {
        pendulums w;
        fill(w);
        double const before = w.energy();
        sinew::simulation_groups<pendulums> g;
        g.settings.absolute_error = k == 0 ? 1e-4 : 1e-4 / 1024;
        g.settings.relative_error = 0;
        g.settings.min_step = 1e-6;
        for (int i = 0; i < 10; ++i) {
            auto const r = g.advance(w, 0.1);
            ASSERT_TRUE(r);
            steps[k] += r.steps;
            EXPECT_EQ(r.at_floor, 0u);
        }
        off[k] = std::abs(w.energy() - before);
    }
    // Local errors of order 5: a tolerance of 1/4^5 asks for steps of 1/4. Free particles need no more than before.
    EXPECT_GT(steps[1], 2 * steps[0]);
    EXPECT_LT(steps[1], 5 * steps[0]);
    EXPECT_LT(off[1], off[0] / 64);
}

}  // namespace
