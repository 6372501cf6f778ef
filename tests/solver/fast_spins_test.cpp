// How far a wheel may turn within one step of 1/60 s: as far as is said here of each strategy, what spins on joints makes no energy. Beyond, a step no longer knows
// which way it nutates, and those on positions and multipliers make energy. On positions a disc whose axle is held is stable while tan(omega h) < 2 omega h, up to 1.17 rad.
// Multipliers without projection are not asked: of what nutates by a good part of a radian in a step they make energy (lagrange_multipliers.hpp).

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
#include <numbers>

namespace {

using namespace sinew;

template <class Solver, int RadiansPerStep, bool Projects = false>
struct entry {
    using solver = Solver;
    static constexpr int radians = RadiansPerStep;
    static constexpr bool projects = Projects;
};
template <class Solver>
struct config : default_config {
    using scalar = double;
    using solver = Solver;
};
using vector = vec3<double>;

template <class Entry>
struct fast_spins : testing::Test {
    using world_type = world<config<typename Entry::solver>, ball_joint, hinge_joint>;

    // A wheel of 0.6 m by 10 cm, or a disc of 0.4 m by 2 cm, that turns about z; cylinders stand along y.
    static auto wheel(world_type& w, bool flat, vector const& at, twist<double> const& moving) {
        auto const body = w.add(rigid_body_of(flat ? solid_cylinder(1., 0.02, 0.2) : solid_cylinder(1., 0.1, 0.3), pose<double>{at, quaternion_exp(vector{std::numbers::pi / 2, 0, 0})}));
        w.set_twist(body, moving);
        return body;
    }
    template <class Build>
    static void makes_no_energy(Build const& build) {
        for (bool const flat : {false, true})
            for (double const radians : {0.25, 0.5, 1., 1.5, 2., 3., 4., 5., 6.})
                if (radians <= Entry::radians) makes_no_energy_at(flat, radians, build);
    }

private:
    template <class Build>
    static void makes_no_energy_at(bool flat, double radians, Build const& build) {
        SCOPED_TRACE(radians);
        world_type w;
        if constexpr (Entry::projects) w.solver.drift = drift_control::projection;
        build(w, flat, radians * 60);
        double const before = w.energy();
        double most = 0, gained = 0, apart = 0;
        for (int i = 0; i < 300; ++i) {
            ASSERT_TRUE(w.step(1. / 60));
            most = std::max(most, w.kinetic_energy());
            gained = std::max(gained, w.energy() - before);
            apart = std::max(apart, w.constraint_error());
        }
        EXPECT_LT(gained, 0.03 * most) << (flat ? "a disc" : "a wheel");  // what falls and whips with a slow one makes 2 per cent under multipliers
        EXPECT_LT(apart, radians <= 2 ? 0.03 : 0.12);  // m; sequential_impulses holds an arm with a wheel at its end so loosely
    }
};
using strategies = testing::Types<entry<sequential_impulses, 6>, entry<nonlinear_gauss_seidel, 1>, entry<jacobi, 1>, entry<vertex_block_descent, 1>, entry<augmented_lagrangian, 1>,
                                  entry<lagrange_impulses<ldlt>, 6>, entry<lagrange_multipliers<ldlt>, 2, true>, entry<compliant_implicit, 3>>;
TYPED_TEST_SUITE(fast_spins, strategies);

TYPED_TEST(fast_spins, of_a_wheel_on_a_car_that_tumbles) {
    this->makes_no_energy([](auto& w, bool flat, double spin) {
        w.gravity = {};
        vector const turning{0, 0.5, 0.2}, at{0.8, 0, 0.6};
        auto const car = w.add(rigid_body_of(solid_box(20., vector{2, 0.5, 1}), pose<double>{}));
        w.set_twist(car, {{}, turning});
        auto const wheel = TestFixture::wheel(w, flat, at, {cross(turning, at), turning + vector{0, 0, spin}});
        w.add(hinge_joint<double>::at(w.pose(car), w.pose(wheel), at, vector{0, 0, 1}), car, wheel);
    });
}
TYPED_TEST(fast_spins, of_a_wheel_at_the_end_of_an_arm) {
    this->makes_no_energy([](auto& w, bool flat, double spin) {
        auto const arm = w.add(rigid_body_of(solid_box(0.2, vector{0.1, 0.1, 0.5}), pose<double>{{0, 0, 0.25}, {}}));
        auto const wheel = TestFixture::wheel(w, flat, {0, 0, 0.5}, {{}, {0, 0, spin}});
        w.add(ball_joint<double>::at(w.pose(w.ground()), w.pose(arm), vector{}), w.ground(), arm);
        w.add(hinge_joint<double>::at(w.pose(arm), w.pose(wheel), vector{0, 0, 0.5}, vector{0, 0, 1}), arm, wheel);
    });
}
TYPED_TEST(fast_spins, of_a_top) {
    this->makes_no_energy([](auto& w, bool flat, double spin) {
        auto const top = TestFixture::wheel(w, flat, {0, 0, 0.3}, {{}, {0, 0, spin}});
        w.add(ball_joint<double>::at(w.pose(w.ground()), w.pose(top), vector{}), w.ground(), top);
    });
}

}  // namespace
