// Bounds of multipliers at acceleration level: inequalities and their hits, motors of limited force, friction. Dantzig's pivoting on the
// dense matrix, and on what the linear-time part leaves of it.

#include <solver/linear_parts.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace sinew_test;
using V = vec3<double>;

template <class Linear, class Integrator = rk4>
using config = direct_config<lagrange_multipliers<Linear>, double, Integrator>;

// A particle on a table: row 0 presses, rows 1 and 2 hold it back as long as the pressing force times mu allows.
template <class S>
struct on_table {
    static constexpr std::size_t rows = 3;
    using attachments = binds<point_mass>;
    S mu = S(0.5);
    constexpr auto rate(auto const&, auto const& v) const { return vec{v.linear.y(), v.linear.x(), v.linear.z()}; }
    constexpr bounds<S, 3> limits(vec<S, 3> const& lambda, auto const&) const {
        S const most = mu * lambda[0];
        return {{S(0), -most, -most}, {infinity_v<S>, most, most}};
    }
};
// One type of world for all of it, which is compiled once for each of the linear parts.
template <class Config>
using world_of = world<Config, ball_joint, rope, particle_rope, hinge_joint, angle_limit, powered_axis, angular_servo, on_table>;

template <class Linear>
struct bounded : testing::Test {};
using linear_parts = testing::Types<dantzig, warm_dantzig, sparse_ldlt>;
TYPED_TEST_SUITE(bounded, linear_parts);

// ---- hits

// A bob flies until its rope is taut: then exactly the velocity along the rope is gone, and it goes round with the rest.
TYPED_TEST(bounded, a_rope_that_goes_taut_takes_the_velocity_along_it_and_no_other) {
    world_of<config<TypeParam>> w;
    w.gravity = {0, 0, 0};
    w.solver.feedback_stiffness = w.solver.feedback_damping = 0;
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const bob = w.add(particle<double>{2, {0.2, -0.1, 0}, {3, 1, 0.5}});
    w.add(particle_rope<double>{.length = 1}, top, bob);
    int hits = 0;
    for (int i = 0; i < 1000; ++i) {
        V const x = w.position(bob), v = w.velocity(bob), n = normalize(x);
        bool const taut = norm(x) >= 1 && dot(v, n) > 1e-8;
        ASSERT_TRUE(w.step(1e-3));
        if (hits == 0 && !taut) {
            EXPECT_EQ(w.velocity(bob), v);  // free
            continue;
        }
        V const left = v - n * dot(v, n);
        EXPECT_NEAR(norm(w.velocity(bob)), norm(left), 1e-11);
        if (taut) ++hits;
        EXPECT_LE(norm(w.position(bob)), 1 + 4e-3);  // as far as it went within the step of the hit
    }
    EXPECT_EQ(hits, 1);
}
// The same of a hinged bar that falls upon its stop: it stops dead, rests there, and the stop bears its weight.
TYPED_TEST(bounded, a_pendulum_that_reaches_its_stop_rests_on_it) {
    world_of<config<TypeParam>> w;
    auto const bar = add_box(w, {0.5, 0, 0}, 2, {1, 0.1, 0.1});
    w.add(hinge_joint<double>::at(pose<double>{}, w.pose(bar), V{0, 0, 0}, V{0, 0, 1}), w.ground(), bar);
    auto const stop = w.add(angle_limit<double>::at(pose<double>{}, w.pose(bar), V{0, 0, 1}, -0.5, 1.0), w.ground(), bar);
    double fastest = 0;
    for (int i = 0; i < 6000; ++i) {
        ASSERT_TRUE(w.step(1e-3));
        fastest = std::max(fastest, norm(w.twist(bar).angular));
        EXPECT_GE(w.multipliers(stop)[0], 0);
    }
    // Energy at the stop: I omega^2 / 2 = m g l sin(0.5), I about the hinge; it is met up to a step later.
    double const inertia = 2 * (1 + 0.01) / 12.0 + 2 * 0.25;
    EXPECT_NEAR(fastest, std::sqrt(2 * 2 * 9.81 * 0.5 * std::sin(0.5) / inertia), 1e-3 * 9.81 / inertia);
    EXPECT_LT(norm(w.twist(bar).angular), 1e-7);
    EXPECT_NEAR(w.pose(bar).position.y(), -0.5 * std::sin(0.5), 1e-6);
    EXPECT_NEAR(w.multipliers(stop)[0], 2 * 9.81 * 0.5 * std::cos(0.5), 1e-4);
}
// A stop that is left is let go at once: it does not pull.
TYPED_TEST(bounded, a_limit_does_not_hold_back_what_leaves_it) {
    world_of<config<TypeParam>> w;
    w.gravity = {0, 0, 0};
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const bob = w.add(particle<double>{1, {1, 0, 0}, {-1, 0, 0}});
    auto const rope = w.add(particle_rope<double>{.length = 1}, top, bob);
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(w.step(1e-3));
        EXPECT_EQ(w.multipliers(rope)[0], 0);
    }
    EXPECT_EQ(w.velocity(bob), (V{-1, 0, 0}));
}
// A hit is passed on through the joints: a chain whose end is caught shares the blow, and no joint comes apart.
TYPED_TEST(bounded, a_hit_is_shared_by_all_that_hangs_together) {
    world_of<config<TypeParam>> w;
    w.gravity = {0, 0, 0};
    std::vector<typename decltype(w)::body_handle> links;
    for (int i = 0; i < 3; ++i) {
        links.push_back(add_box(w, {0.25 + 0.5 * i, 0, 0}));
        if (i > 0) join(w, links[static_cast<std::size_t>(i) - 1], links.back(), {0.5 * i, 0, 0});
        w.set_twist(links.back(), {{0, 3, 0}, {}});
    }
    w.add(rope<double>::at(pose<double>{}, w.pose(links[0]), V{0, 0, 0}, V{0, 0, 0}), w.ground(), links[0]);
    V const momentum = w.linear_momentum();
    double const energy = w.kinetic_energy();
    ASSERT_TRUE(w.step(1e-3));  // still slack: of length 0, reached only when it has moved
    ASSERT_TRUE(w.step(1e-3));
    ASSERT_TRUE(w.step(1e-3));
    EXPECT_LT(w.linear_momentum().y(), momentum.y() - 0.5);
    EXPECT_LT(w.kinetic_energy(), energy);
    EXPECT_LT(w.constraint_error(), 1e-7);
}
// Which states may be changed: those where a step begins, and no other (Vondrak 2005, 6.4.3).
TYPED_TEST(bounded, impulses_change_regular_states_only) {
    using W = world_of<config<TypeParam>>;
    W w;
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const bob = w.add(particle<double>{1, {1, 0, 0}, {2, 1, 0}});
    w.add(particle_rope<double>{.length = 1}, top, bob);
    auto const from = w.save();
    motion_problem<W> motion(w, from);
    std::vector<double> dy(motion.dimension());
    EXPECT_EQ(motion.derivative(0, dy, state_kind::regular), derivative_status::changed);
    EXPECT_LT(std::abs(w.velocity(bob).x()), 1e-12);
    EXPECT_NEAR(w.velocity(bob).y(), 1, 1e-12);
    EXPECT_EQ(motion.derivative(0, dy, state_kind::regular), derivative_status::regular);
    w.set_velocity(bob, {2, 1, 0});
    EXPECT_EQ(motion.derivative(0, dy, state_kind::intermediate), derivative_status::regular);
    EXPECT_EQ(w.velocity(bob), (V{2, 1, 0}));
}

// ---- bounded equalities

TYPED_TEST(bounded, a_motor_gives_what_it_has_and_no_more) {
    world_of<config<TypeParam>> w;
    w.gravity = {0, 0, 0};
    auto const rotor = add_box(w, {0, 0, 0}, 3, {0.4, 0.4, 0.1});
    double const inertia = 3 * (0.16 + 0.16) / 12;
    w.add(hinge_joint<double>::at(pose<double>{}, w.pose(rotor), V{0, 0, 0}, V{0, 0, 1}), w.ground(), rotor);
    auto const motor = w.add(powered_axis<double>::at(pose<double>{}, w.pose(rotor), V{0, 0, 1}, 10.0, 0.2), w.ground(), rotor);
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(w.step(1e-3));
        ASSERT_NEAR(std::abs(w.multipliers(motor)[0]), 0.2, 1e-12);  // far from its speed: all it has
    }
    EXPECT_NEAR(norm(w.twist(rotor).angular), 0.2 / inertia, 1e-9);
    for (int i = 0; i < 4000; ++i) ASSERT_TRUE(w.step(1e-3));
    EXPECT_NEAR(norm(w.twist(rotor).angular), 10, 1e-9);
    EXPECT_NEAR(w.multipliers(motor)[0], 0, 1e-7);
}
// Where it is strong enough a limited servo is the equality itself, where not it gives way.
TYPED_TEST(bounded, a_servo_holds_as_long_as_it_is_strong_enough) {
    for (double strength : {9.0, 10.0}) {  // the weight of the arm asks for 9.81 N m
        world_of<config<TypeParam>> w;
        auto const arm = add_box(w, {1, 0, 0}, 1, {2, 0.1, 0.1});
        w.add(hinge_joint<double>::at(pose<double>{}, w.pose(arm), V{0, 0, 0}, V{0, 0, 1}), w.ground(), arm);
        auto const servo = w.add(angular_servo<double>::at(pose<double>{}, w.pose(arm), V{0, 0, 1}, 0.0, strength), w.ground(), arm);
        for (int i = 0; i < 200; ++i) ASSERT_TRUE(w.step(1e-3));
        if (strength > 9.81) {
            EXPECT_LT(std::abs(w.position(arm).y()), 1e-9);
            EXPECT_NEAR(w.multipliers(servo)[0], 9.81, 1e-6);
        } else {
            EXPECT_NEAR(w.multipliers(servo)[0], 9, 1e-9);
            EXPECT_LT(w.position(arm).y(), -5e-3);
        }
    }
}

// ---- friction: bounds that depend on another row

TYPED_TEST(bounded, friction_holds_up_to_its_cone_and_slides_beyond) {
    for (double push : {5.0, 15.0}) {
        world_of<config<TypeParam>> w;
        auto const p = w.add(particle<double>{2, {0, 0, 0}, {}});
        auto const table = w.add(on_table<double>{}, p);
        for (int i = 0; i < 500; ++i) {
            w.apply_force(p, {push, 0, 0});
            ASSERT_TRUE(w.step(1e-3));
        }
        double const weight = 2 * 9.81, most = 0.5 * weight;
        EXPECT_NEAR(w.multipliers(table)[0], weight, 1e-9);
        EXPECT_NEAR(w.multipliers(table)[1], -std::min(push, most), 1e-9);
        EXPECT_NEAR(w.velocity(p).x(), push < most ? 0 : (push - most) / 2 * 0.5, 1e-9);
        EXPECT_NEAR(w.velocity(p).y(), 0, 1e-12);
    }
}
// A blow on the table: the impulse of friction is at most mu times that of the blow.
TYPED_TEST(bounded, friction_of_a_hit_is_bounded_by_the_hit) {
    for (double along : {0.5, 5.0}) {
        world_of<config<TypeParam>> w;
        w.gravity = {0, 0, 0};
        auto const p = w.add(particle<double>{2, {0, 0, 0}, {along, -2, 0}});
        w.add(on_table<double>{}, p);
        ASSERT_TRUE(w.step(1e-4));
        EXPECT_NEAR(w.velocity(p).y(), 0, 1e-12);
        EXPECT_NEAR(w.velocity(p).x(), std::max(0.0, along - 0.5 * 2), 1e-12);
    }
}

// ---- the same in other numbers and rotations

template <class Config>
double rests_on_its_stop() {
    using S = typename Config::scalar;
    world<Config, hinge_joint, angle_limit> w;
    auto const bar = add_box(w, {0.5, 0, 0}, 2, {1, 0.1, 0.1});
    auto const here = w.pose(w.ground());
    vec3<S> const z{S(0), S(0), S(1)};
    w.add(hinge_joint<S>::at(here, w.pose(bar), vec3<S>{}, z), w.ground(), bar);
    auto const stop = w.add(angle_limit<S>::at(here, w.pose(bar), z, S(-1) / 2, S(1)), w.ground(), bar);
    for (int i = 0; i < 1000; ++i)
        if (!w.step(S(1) / 200)) return std::numeric_limits<double>::infinity();
    return std::abs(static_cast<double>(w.multipliers(stop)[0]) - 2 * 9.81 * 0.5 * std::cos(0.5));
}
TYPED_TEST(bounded, rests_in_every_scalar_and_rotation) {
    using strategy = lagrange_multipliers<TypeParam>;
    EXPECT_LT((rests_on_its_stop<direct_config<strategy, float, rk4, quaternion>>()), 0.1);
    EXPECT_LT((rests_on_its_stop<direct_config<strategy, float, symplectic_euler, rotation_vector>>()), 0.1);
    EXPECT_LT((rests_on_its_stop<direct_config<strategy, double, rk4, quaternion>>()), 1e-3);
    EXPECT_LT((rests_on_its_stop<direct_config<strategy, double, rk4, rotation_matrix>>()), 1e-3);
    EXPECT_LT((rests_on_its_stop<direct_config<strategy, double, symplectic_euler, rotation_vector>>()), 1e-3);
    EXPECT_LT((rests_on_its_stop<direct_config<strategy, long double, rk4, quaternion>>()), 1e-3);
}

}  // namespace
