// Generalized bodies in a world: forces on them, reading and setting, removal, snapshots, and what is refused.

#include <body/body_maps.hpp>
#include <world/generalized_scene.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace generalized_scene;
using sinew::link_of;
using sinew::vec;
using sinew::vec3;
using sinew::cos;
using sinew::sin;

template <class S>
using clasp = sinew::on_link<S, sinew::ball_joint, link_of<maps::two_bars, 1>, link_of<maps::two_bars, 1>>;
template <class S>
using grip = sinew::on_link<S, sinew::ball_joint, link_of<maps::two_bars, 1>>;

// ---- forces

template <class S>
using link_spring = sinew::force_on_link<S, sinew::spring, link_of<maps::one_bar>>;
// A user's force on coordinates.
template <sinew::scalar S>
struct torsion {
    using attachments = sinew::binds<sinew::generalized<maps::one_bar<S>>>;
    S stiffness{1};
    constexpr auto wrenches(auto const& b, S const&) const { return std::array{vec<S, 1>{-stiffness * b.u[0]}}; }
    constexpr S energy(auto const& b) const { return stiffness * b.u[0] * b.u[0] / S(2); }
    friend constexpr bool operator==(torsion const&, torsion const&) = default;
};
static_assert(sinew::force_for<torsion<double>, double> && sinew::force_for<link_spring<float>, float>);

TEST(forces, of_every_sort_keep_the_energy) {
    sinew::world<rk4, maps::one_bar, sinew::uniform_gravity, sinew::point_gravity, link_spring, torsion> w;
    w.add(body_of_bars(maps::one_bar<double>{}, {0.5}, {1}));
    auto const h = w.add(body_of_bars(maps::one_bar<double>{.root = {0.5, 1, 0}}, {0.5}, {1}));
    w.add(sinew::uniform_gravity<double>{{1, 2, 3}});
    w.add(sinew::point_gravity<double>{.center = {0, 3, 0}, .parameter = 2});
    w.add(link_spring<double>{{.anchor_a = {0.3, 0.1, 0}, .anchor_b = {1, 1, 0}, .rest_length = 0.4, .stiffness = 20}}, h, w.ground());
    w.add(torsion<double>{3}, h);
    double const before = w.energy();
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(w.step(1e-3));
    EXPECT_NEAR(w.energy(), before, 1e-9);
    EXPECT_GT(std::abs(w.kinetic_energy()), 0.01);
}
TEST(applied, wrench_on_a_link_and_force_on_coordinates_act_alike_for_one_step) {
    auto const after = [](auto&& apply) {
        sinew::world<rk4, maps::one_bar> w;
        w.gravity = {};
        auto const h = w.add(body_of_bars(maps::one_bar<double>{}, {0.5}));
        EXPECT_TRUE(apply(w, h));
        w.step(0.01);
        double const rate = w.rates(h)[0];
        w.step(0.01);
        EXPECT_NEAR(w.rates(h)[0], rate, 1e-15) << "for one step";
        return rate;
    };
    double const torque = after([](auto& w, auto h) { return w.apply_wrench(h, 0, {{}, {0, 0, 2}}); });
    double const direct_torque = after([](auto& w, auto h) { return w.apply_force(h, vec<double, 1>{2}); });
    // Inertia about the hinge: 1 (1 + 0.01) / 12 + 1/4.
    EXPECT_NEAR(torque, 0.01 * 2 / (1.01 / 12 + 0.25), 1e-14);
    EXPECT_NEAR(torque, direct_torque, 1e-15);
    double const force = after([](auto& w, auto h) { return w.apply_force(h, 0, {-2 * std::sin(0.5), 2 * std::cos(0.5), 0}, w.pose(h, 0).point(vec3<double>{0.5, 0, 0})); });
    EXPECT_NEAR(force, torque, 1e-6) << "it keeps its direction while the bar turns";
}

TEST(wrench, on_a_link_is_reported_by_the_world) {
    sinew::world<rk4, maps::two_bars, grip> w;
    auto const arm = w.add(body_of_bars(maps::two_bars<double>{}, {-0.5, 0.5}));
    vec3<double> const tip{2 * std::cos(0.5), 0, 0};
    auto const hook = w.add(grip<double>::at(w.pose(arm), sinew::pose<double>{}, tip), arm, w.ground());
    ASSERT_TRUE(w.step(1e-6));
    // Hung up at both ends: each holds half of the two bars.
    auto const on_arm = w.wrench_on(hook, 0), on_ground = w.wrench_on(hook, 1);
    EXPECT_NEAR(on_arm.force.y(), 9.81, 1e-4);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(on_arm.force[i], -on_ground.force[i], 1e-12);
    EXPECT_NEAR(on_arm.torque.z(), cross(tip - w.position(arm, 1), on_arm.force).z(), 1e-9) << "about the centre of the link";
    EXPECT_NEAR(norm(on_arm.force), norm(w.multipliers(hook)), 1e-12);
    w.set_break_threshold(hook, 0.5);
    auto const report = w.step(1e-6);
    EXPECT_EQ(report.broken, 1u);
    EXPECT_EQ(w.count<grip<double>>(), 0u);
}

// ---- what a world does with bodies

TEST(world, reads_and_sets) {
    sinew::world<rk4, maps::arm> w;
    auto const h = w.add(body_of_bars(maps::arm<double>{}, {0.1, 0.2, 0.3}, {1, 2, 3}));
    EXPECT_EQ(w.coordinates(h), (vec3<double>{0.1, 0.2, 0.3}));
    EXPECT_EQ(w.rates(h), (vec3<double>{1, 2, 3}));
    EXPECT_NEAR(angle_of(w.pose(h, 2)), 0.6, 1e-15);
    EXPECT_NEAR(w.twist(h, 2).angular.z(), 6, 1e-14);
    EXPECT_EQ(w.pose(h).u, w.coordinates(h));
    EXPECT_EQ(w.body(h), body_of_bars(maps::arm<double>{}, {0.1, 0.2, 0.3}, {1, 2, 3}));
    EXPECT_TRUE(w.set_coordinates(h, {1, 1, 1}));
    EXPECT_TRUE(w.set_rates(h, {0, 0, 1}));
    EXPECT_NEAR(w.velocity(h, 1).x(), 0, 1e-15);
    EXPECT_EQ(w.generalized_count<maps::arm<double>>(), 1u);
    int n = 0;
    w.for_each_generalized<maps::arm<double>>([&](auto const& one) { n += one == h ? 1 : 0; });
    EXPECT_EQ(n, 1);
    EXPECT_NEAR(w.kinetic_energy(), kinetic_energy(w.body(h)), 0);
    EXPECT_EQ(w.linear_momentum(), linear_momentum(w.body(h)));
}
TEST(world, removes_a_body_with_what_is_bound_to_it) {
    sinew::world<rk4, maps::two_bars, grip, clasp> w;
    auto const a = w.add(body_of_bars(maps::two_bars<double>{}, {0.2, 0}));
    auto const b = w.add(body_of_bars(maps::two_bars<double>{}, {0.2, 0}));
    w.add(grip<double>::at(w.pose(a), sinew::pose<double>{}, w.position(a, 1)), a, w.ground());
    auto const kept = w.add(grip<double>::at(w.pose(b), sinew::pose<double>{}, w.position(b, 1)), b, w.ground());
    w.add(clasp<double>::at(w.pose(a), w.pose(b), w.position(a, 1)), a, b);
    ASSERT_TRUE(w.step(0.01));
    ASSERT_TRUE(w.remove(a));
    EXPECT_FALSE(w.contains(a));
    EXPECT_TRUE(w.contains(b));
    EXPECT_TRUE(w.contains(kept));
    EXPECT_EQ(w.count<grip<double>>(), 1u);
    EXPECT_EQ(w.count<clasp<double>>(), 0u);
    ASSERT_TRUE(w.step(0.01));
    auto const again = w.add(body_of_bars(maps::two_bars<double>{}, {1, 0}));
    EXPECT_EQ(again.index, a.index);
    EXPECT_FALSE(w.contains(a)) << "its slot has a new generation";
    ASSERT_TRUE(w.step(0.01));
}
TEST(world, is_a_value) {
    using world = sinew::world<iterative<sinew::symplectic_euler>, maps::two_bars, grip>;
    world w;
    auto const a = w.add(body_of_bars(maps::two_bars<double>{}, {0.2, 0}));
    auto const b = w.add(sinew::rigid_body<double>{.pose = {{2.5, 0, 0}}});
    w.add(grip<double>::at(w.pose(a), w.pose(b), vec3<double>{2, 0.2, 0}), a, b);
    for (int i = 0; i < 10; ++i) w.step(1.0 / 60);
    world copy = w;
    EXPECT_EQ(copy, w);
    auto const state = w.save();
    std::vector<double> path;
    for (int i = 0; i < 50; ++i) {
        w.step(1.0 / 60);
        path.push_back(w.coordinates(a)[0]);
        path.push_back(w.position(b).y());
    }
    EXPECT_FALSE(copy == w);
    ASSERT_TRUE(w.restore(state));
    EXPECT_EQ(copy, w);
    for (std::size_t i = 0; i < 50; ++i) {
        w.step(1.0 / 60);
        copy.step(1.0 / 60);
        ASSERT_EQ(w.coordinates(a)[0], path[2 * i]) << "the same bits";
        ASSERT_EQ(copy.position(b).y(), path[2 * i + 1]);
    }
    EXPECT_EQ(copy, w);
    w.add(body_of_bars(maps::two_bars<double>{}, {0.2, 0}));
    EXPECT_THROW(w.restore(state), std::invalid_argument);
}
// A hit is struck before the forces of its step are known: nothing of the step before may stand for them.
TEST(world, goes_on_to_the_same_bits_from_any_state_that_hits_a_limit) {
    struct limited : sinew::default_config {
        using scalar = double;
        using solver = sinew::lagrange_multipliers<sinew::dantzig>;
    };
    using world = sinew::world<limited, maps::two_bars, grip, sinew::hinge_joint, sinew::angle_limit>;
    world w;
    auto const a = w.add(body_of_bars(maps::two_bars<double>{}, {0.2, 0}, {1, -3}));
    auto const b = w.add(sinew::rigid_body<double>{.pose = {{2.5, 0, 0}}});
    w.add(grip<double>::at(w.pose(a), w.pose(b), vec3<double>{2, 0.2, 0}), a, b);
    vec3<double> const axis{0, 0, 1};
    auto const flap = w.add(rigid_body_of(sinew::solid_box(1.0, vec3<double>{0.4, 0.1, 0.2}), sinew::pose<double>{{5.2, 0, 0}, {}}));
    w.add(sinew::hinge_joint<double>::at(w.pose(w.ground()), w.pose(flap), vec3<double>{5, 0, 0}, axis), w.ground(), flap);
    w.add(sinew::angle_limit<double>::at(w.pose(w.ground()), w.pose(flap), axis, -0.3, 0.3), w.ground(), flap);
    int hits = 0;
    std::vector<world::state_type> states{w.save()};
    for (int i = 0; i < 60; ++i) {
        double const before = w.twist(flap).angular.z();
        ASSERT_TRUE(w.step(1.0 / 120));
        hits += before < -1 && std::abs(w.twist(flap).angular.z()) < 0.1;
        states.push_back(w.save());
    }
    ASSERT_EQ(hits, 1);
    for (std::size_t i = 60; i-- > 0;) {
        ASSERT_TRUE(w.restore(states[i]));
        ASSERT_TRUE(w.step(1.0 / 120));
        ASSERT_TRUE(w.save() == states[i + 1]) << i;
    }
}
TEST(world, does_not_commit_what_is_not_finite) {
    sinew::world<iterative<sinew::symplectic_euler>, maps::ellipse_bead> w;
    auto const h = w.add(sinew::generalized_body<maps::ellipse_bead<double>>{.u = {0.3}});
    w.set_rates(h, {1e300});
    auto const before = w.coordinates(h);
    auto const r = w.step(1e30);
    EXPECT_FALSE(r);
    EXPECT_EQ(w.coordinates(h), before);
}

constexpr double swung(int steps) {
    sinew::world<iterative<sinew::symplectic_euler>, maps::two_bars, grip> w;
    auto const h = w.add(sinew::generalized_body<maps::two_bars<double>>{.u = {0.3, 0.4}});
    w.add(grip<double>::at(w.pose(h), sinew::pose<double>{}, w.position(h, 1)), h, w.ground());
    for (int i = 0; i < steps; ++i) w.step(0.01);
    return w.coordinates(h)[0];
}
TEST(world, steps_in_the_compiler_with_the_same_bits) {
    constexpr double there = swung(1);
    EXPECT_EQ(there, swung(1));
}

// ---- what is refused

template <class F>
std::string refusal(F&& f) {
    try {
        f();
    } catch (std::invalid_argument const& e) {
        return e.what();
    }
    return "nothing";
}
using refusing = sinew::world<rk4, maps::two_bars, maps::polar_point, maps::one_bar, maps::quaternion_lever>;
TEST(refused_of_generalized, bodies_that_cannot_be) {
    refusing w;
    auto const add = [&](auto&& spoil) {
        auto b = body_of_bars(maps::two_bars<double>{}, {0.2, 0});
        spoil(b);
        return refusal([&] { w.add(b); });
    };
    EXPECT_EQ(add([](auto&) {}), "nothing");
    EXPECT_EQ(add([](auto& b) { b.masses[1].mass = -1; }), "sinew: mass of a link must be finite and not negative, but is -1");
    EXPECT_EQ(add([](auto& b) { b.masses[1].mass = NAN; }), "sinew: mass of a link must be finite and not negative, but is NaN");
    EXPECT_EQ(add([](auto& b) { b.masses[0].inertia = sinew::diagonal(1.0, 1.0, 3.0); }),
              "sinew: inertia of a link cannot be that of a body: no principal moment may exceed the sum of the other two");
    EXPECT_EQ(add([](auto& b) { b.masses[0].inertia = sinew::diagonal(-1.0, 1.0, 1.0); }), "sinew: inertia of a link must be positive semi-definite");
    EXPECT_EQ(add([](auto& b) { b.u[1] = INFINITY; }), "sinew: coordinates must be finite, but is infinity");
    EXPECT_EQ(add([](auto& b) { b.rates[1] = NAN; }), "sinew: rates must be finite, but is NaN");
    EXPECT_EQ(add([](auto& b) { b.armature[0] = -2; }), "sinew: armature must be finite and not negative, but is -2");
    auto const singular = "sinew: mass matrix must be positive definite: a coordinate moves no mass here, or only as others do (armature helps); its index is 1";
    EXPECT_EQ(add([](auto& b) { b.masses[1] = {0, {}}; }), singular);
    EXPECT_EQ(add([](auto& b) { b.masses[1] = {0, {}}, b.armature[1] = 0.1; }), "nothing");
    EXPECT_EQ(refusal([&] { w.add(sinew::generalized_body<maps::polar_point<double>>{}); }), singular);
    EXPECT_EQ(w.generalized_count<maps::two_bars<double>>(), 2u);
}
TEST(refused_of_generalized, handles_and_numbers_that_lead_nowhere) {
    refusing w, other;
    auto const h = w.add(body_of_bars(maps::two_bars<double>{}, {0.2, 0}));
    EXPECT_EQ(refusal([&] { (void)w.pose(h, 2); }), "sinew: index of a link must be below their number, but is 2");
    EXPECT_EQ(refusal([&] { w.apply_force(h, 2, {1, 0, 0}, {}); }), "sinew: index of a link must be below their number, but is 2");
    EXPECT_EQ(refusal([&] { w.apply_force(h, vec<double, 2>{NAN, 0}); }), "sinew: force must be finite, but is NaN");
    EXPECT_EQ(refusal([&] { w.set_coordinates(h, {NAN, 0}); }), "sinew: coordinates must be finite, but is NaN");
    EXPECT_EQ(refusal([&] { w.set_rates(h, {NAN, 0}); }), "sinew: rates must be finite, but is NaN");
    other.add(body_of_bars(maps::two_bars<double>{}, {0.2, 0}));
    EXPECT_EQ(refusal([&] { (void)other.coordinates(h); }), "sinew: handle of a generalized body belongs to another world");
    w.remove(h);
    EXPECT_EQ(refusal([&] { (void)w.coordinates(h); }), "sinew: handle of a generalized body is dead: what it named has been removed");
}

}  // namespace
