// The modified inertia of Waterson 2026, eq. 4.17: what a displacement does to a spinning body.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

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

}  // namespace
