// The modified inertia of Waterson 2026, eq. 4.17: what a displacement does to a spinning body.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace {

using sinew::vec3;

struct config : sinew::default_config {
    using scalar = double;
    using solver = sinew::nonlinear_gauss_seidel;
};
using world_type = sinew::world<config, sinew::ball_joint>;

// A spinning body.
struct scene {
    world_type world;
    world_type::body_handle body;
    explicit scene(bool modified) {
        world.gravity = {0, 0, 0};
        world.solver.iterations = 1;
        world.solver.modified_inertia = modified;
        sinew::rigid_body<double> b;
        b.inertia = sinew::diagonal(1.0, 2.0, 2.5);
        b.twist.angular = {3, 2, -4};
        body = world.add(b);
    }
};

// A pin at the point where the body's anchor goes by itself, displaced by `size`: the angular velocity is to change by the
// rotation that the pin makes, over h.
TEST(modified_inertia, keeps_velocity_and_displacement_together_to_second_order) {
    double const h = 0.05;
    for (bool const modified : {false, true}) {
        SCOPED_TRACE(modified ? "modified" : "plain");
        auto const amiss = [&](double size) {
            scene free(modified);
            EXPECT_TRUE(free.world.step(h));
            auto const goes_to = free.world.pose(free.body).point(vec3<double>{0.3, 0.2, 0.4});
            scene pinned(modified);
            pinned.world.add(sinew::ball_joint<double>{goes_to + size * vec3<double>{0.6, -0.8, 0.5}, {0.3, 0.2, 0.4}}, pinned.world.ground(), pinned.body);
            EXPECT_TRUE(pinned.world.step(h));
            auto const turned = log(to_quaternion(pinned.world.pose(pinned.body).rotation) * inverse(to_quaternion(free.world.pose(free.body).rotation)));
            auto const faster = pinned.world.twist(pinned.body).angular - free.world.twist(free.body).angular;
            return norm(faster - turned / h);
        };
        double const ratio = amiss(2e-3) / amiss(1e-3);
        EXPECT_NEAR(ratio, modified ? 4 : 2, 0.1);
    }
}

// The spin changes by the moment of the joint's impulse, with either inertia: the scalar form keeps it to rounding.
TEST(modified_inertia, keeps_angular_momentum) {
    for (bool const modified : {false, true}) {
        sinew::world<config, sinew::scalar_point_to_point> world;
        world.gravity = {0, 0, 0};
        world.solver.modified_inertia = modified;
        sinew::rigid_body<double> a, b;
        a.inertia = sinew::diagonal(1.0, 2.0, 2.5);
        b.inertia = sinew::diagonal(0.5, 0.4, 0.3);
        a.twist.angular = {3, 2, -4};
        b.pose.position = {1, 0, 0};
        auto const first = world.add(a), second = world.add(b);
        world.add(sinew::scalar_point_to_point<double>{{0.5, 0, 0}, {-0.5, 0, 0}}, first, second);
        auto const before = world.angular_momentum();
        for (int i = 0; i < 300; ++i) ASSERT_TRUE(world.step(1.0 / 60));
        EXPECT_LT(norm(world.angular_momentum() - before) / norm(before), 1e-13) << (modified ? "modified" : "plain");
    }
}

// Wheels that turn by one to two radians in a step, on a hinge whose axle is held, on a car that tumbles, and on an arm that hangs and goes round: effective masses that took
// I~ for symmetric made 1e9 of their energy within five seconds, and I makes a hundred from 1.2 radians on.
TEST(modified_inertia, bears_wheels_that_turn_by_two_radians_in_a_step) {
    using vector = vec3<double>;
    using hinges = sinew::world<config, sinew::ball_joint, sinew::hinge_joint>;
    auto const wheel = [](hinges& w, bool flat, vector const& at, sinew::twist<double> const& moving) {
        auto const solid = flat ? sinew::solid_cylinder(1., 0.02, 0.2) : sinew::solid_cylinder(1., 0.1, 0.3);  // along y
        auto const body = w.add(rigid_body_of(solid, sinew::pose<double>{at, sinew::quaternion_exp(vector{std::numbers::pi / 2, 0, 0})}));
        w.set_twist(body, moving);
        return body;
    };
    auto const expect_no_energy = [](hinges& w) {
        w.solver.modified_inertia = true;
        double const before = w.energy();
        for (int i = 0; i < 300; ++i) {
            ASSERT_TRUE(w.step(1. / 60));
            ASSERT_LT(w.energy(), before * 1.001);
            ASSERT_LT(w.constraint_error(), 0.01);
        }
    };
    for (bool const flat : {false, true})
        for (double const radians : {0.5, 1., 1.5, 2.}) {
            SCOPED_TRACE(radians);
            vector const spin{0, 0, radians * 60}, z{0, 0, 1};
            hinges held;
            auto const off = wheel(held, flat, {0, 0, 0.1}, {{}, spin + vector{1e-3, 0, 0}});
            held.add(sinew::hinge_joint<double>::at(held.pose(held.ground()), held.pose(off), vector{}, z), held.ground(), off);
            expect_no_energy(held);

            hinges tumbling;
            tumbling.gravity = {};
            vector const turning{0, 0.5, 0.2}, at{0.8, 0, 0.6};
            auto const car = tumbling.add(rigid_body_of(sinew::solid_box(20., vector{2, 0.5, 1}), sinew::pose<double>{}));
            tumbling.set_twist(car, {{}, turning});
            auto const of_car = wheel(tumbling, flat, at, {cross(turning, at), turning + spin});
            tumbling.add(sinew::hinge_joint<double>::at(tumbling.pose(car), tumbling.pose(of_car), at, z), car, of_car);
            expect_no_energy(tumbling);

            hinges hanging;
            auto const arm = hanging.add(rigid_body_of(sinew::solid_box(0.2, vector{0.1, 0.1, 0.5}), sinew::pose<double>{{0, 0, 0.25}, {}}));
            auto const of_arm = wheel(hanging, flat, {0, 0, 0.5}, {{}, spin});
            hanging.add(sinew::ball_joint<double>::at(hanging.pose(hanging.ground()), hanging.pose(arm), vector{}), hanging.ground(), arm);
            hanging.add(sinew::hinge_joint<double>::at(hanging.pose(arm), hanging.pose(of_arm), vector{0, 0, 0.5}, z), arm, of_arm);
            expect_no_energy(hanging);
        }
}

}  // namespace
