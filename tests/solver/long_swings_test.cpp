// Ten seconds of every strategy as it comes, with the integrator and the drift control that nobody has chosen: what swings, tumbles and turns on joints makes
// no energy, and stays on them.

#include <sinew/sinew.hpp>
#include <sinew/solver/augmented_lagrangian.hpp>
#include <sinew/solver/compliant_implicit.hpp>
#include <sinew/solver/jacobi.hpp>
#include <sinew/solver/lagrange_impulses.hpp>
#include <sinew/solver/lagrange_multipliers.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>
#include <sinew/solver/sequential_impulses.hpp>
#include <sinew/solver/vertex_block_descent.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace sinew;

template <class Solver>
struct config : default_config {
    using scalar = double;
    using solver = Solver;
};

// Multipliers take half a step's old J_dot v (lagrange_multipliers.hpp): energy comes and goes by a part of omega h, and joints stray by h.
template <class Solver>
inline constexpr bool is_staggered = false;
template <class Linear>
inline constexpr bool is_staggered<lagrange_multipliers<Linear>> = true;

template <class Solver>
struct long_swings : testing::Test {
    using world_type = world<config<Solver>, ball_joint, hinge_joint, slider_joint>;
    using vector = vec3<double>;
    world_type w;

    auto add(vector const& size, vector const& at, twist<double> const& moving = {}, double mass = 1) {
        auto const body = w.add(rigid_body_of(solid_box(mass, size), pose<double>{at, {}}));
        w.set_twist(body, moving);
        return body;
    }
    template <class Joint, class A, class B, class... More>
    void join(A a, B b, More const&... more) {
        w.add(Joint::at(w.pose(a), w.pose(b), more...), a, b);
    }
    // As a share of the most kinetic energy there was.
    struct outcome {
        double gained, apart;
    };
    outcome run(int rate) {
        double const before = w.energy();
        double most = 0, gained = 0, apart = 0;
        for (int i = 0; i < 10 * rate; ++i) {
            EXPECT_TRUE(w.step(1. / rate));
            most = std::max(most, w.kinetic_energy());
            gained = std::max(gained, w.energy() - before);
            apart = std::max(apart, w.constraint_error());
        }
        return {gained / most, apart};
    }
    void expect_no_energy(double apart) {
        constexpr bool staggered = is_staggered<Solver>;
        auto const start = w;
        auto const at_60 = run(60);
        EXPECT_LT(at_60.gained, staggered ? 0.06 : 0.01);
        EXPECT_LT(at_60.apart, staggered ? 10 * apart : apart);
        if (staggered) return;
        w = start;
        auto const at_30 = run(30);
        EXPECT_LT(at_30.gained, 0.01);
        EXPECT_LT(at_30.apart, 4 * apart);
    }
};
using solvers = testing::Types<nonlinear_gauss_seidel, jacobi, vertex_block_descent, augmented_lagrangian, sequential_impulses, lagrange_impulses<cholesky>,
                               lagrange_impulses<sparse_ldlt>, lagrange_impulses<dantzig>, compliant_implicit, lagrange_multipliers<ldlt>, lagrange_multipliers<conjugate_gradient>,
                               lagrange_multipliers<sparse_ldlt>, lagrange_multipliers<dantzig>>;
TYPED_TEST_SUITE(long_swings, solvers);

TYPED_TEST(long_swings, a_box_on_its_corner) {
    vec3<double> const arm{0.3, 0.5, 0.1}, omega{0.9, 3, 0.6};
    auto const box = this->add({0.3, 1, 0.1}, arm, {cross(omega, arm), omega});
    this->template join<ball_joint<double>>(this->w.ground(), box, vec3<double>{});
    this->expect_no_energy(2e-3);
}
TYPED_TEST(long_swings, a_bar_that_goes_round) {
    auto const bar = this->add({1, 0.05, 0.05}, {0.5, 0, 0}, {{0, 0, -1}, {0, 2, 0}});
    this->template join<ball_joint<double>>(this->w.ground(), bar, vec3<double>{});
    this->expect_no_energy(2e-3);
}
TYPED_TEST(long_swings, a_double_pendulum) {
    auto previous = this->w.ground();
    for (int k = 0; k < 2; ++k) {
        auto const bar = this->add({1, 0.1, 0.1}, {k + 0.5, 0, 0});
        this->template join<hinge_joint<double>>(previous, bar, vec3<double>{1. * k, 0, 0}, vec3<double>{0, 0, 1});
        previous = bar;
    }
    this->expect_no_energy(4e-3);
}
TYPED_TEST(long_swings, a_chain_of_four) {
    auto previous = this->w.ground();
    for (int k = 0; k < 4; ++k) {
        auto const bar = this->add({0.5, 0.1, 0.2}, {0.5 * k + 0.25, 0, 0});
        this->template join<ball_joint<double>>(previous, bar, vec3<double>{0.5 * k, 0, 0});
        previous = bar;
    }
    this->expect_no_energy(8e-3);
}
TYPED_TEST(long_swings, a_bar_that_hangs_from_a_slider) {
    auto const ground = this->w.ground();
    auto const carriage = this->add({0.3, 0.2, 0.2}, {}, {}, 2), bar = this->add({1, 0.1, 0.1}, {0.5, 0, 0}, {{0, 0, -1}, {0, 2, 0}});
    this->template join<slider_joint<double>>(ground, carriage, vec3<double>{}, vec3<double>{1, 0, 0});
    this->template join<ball_joint<double>>(carriage, bar, vec3<double>{});
    this->expect_no_energy(2e-3);
}
// Four bars with the ground, through the places where they lie in a line, with a hinge and a ball joint each.
TYPED_TEST(long_swings, a_loop) {
    auto const ground = this->w.ground();
    vec3<double> const z{0, 0, 1};
    auto const a = this->add({0.1, 1, 0.1}, {0, 0.5, 0}, {{-2, 0, 0}, {0, 0, 4}}), b = this->add({1, 0.1, 0.1}, {0.5, 1, 0}, {{-4, 0, 0}, {}}),
               c = this->add({0.1, 1, 0.1}, {1, 0.5, 0}, {{-2, 0, 0}, {0, 0, 4}});
    this->template join<hinge_joint<double>>(ground, a, vec3<double>{}, z);
    this->template join<ball_joint<double>>(a, b, vec3<double>{0, 1, 0});
    this->template join<hinge_joint<double>>(b, c, vec3<double>{1, 1, 0}, z);
    this->template join<ball_joint<double>>(c, ground, vec3<double>{1, 0, 0});
    this->expect_no_energy(2e-3);
}

}  // namespace
