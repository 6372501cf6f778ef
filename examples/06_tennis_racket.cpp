// The tennis-racket flip: a free body that spins about its middle axis turns over, again and again. Writes
// 06_tennis_racket.html.
//
// Its angular velocity w obeys Euler's equations, I w' = (I w) x w in the body's axes (Vondrak 2005, 5.2). Spin about the
// axis of the largest or the smallest moment of inertia is stable; about the middle one, the least wobble grows until the
// body is over. Energy and angular momentum must stay as they are: both are quadratic in w, and the implicit midpoint rule
// of the game's step keeps such invariants, so that what is left is the rounding of float.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <cstdio>

int main() {
    sinew::world<sinew::default_config> world;
    world.gravity = {0, 0, 0};

    // A racket: a head and a handle, summed by the parallel-axis theorem; the body's frame is at their centre of mass.
    using vec = sinew::vec3<float>;
    auto const head = moved(sinew::solid_box(0.18f, vec{0.26f, 0.34f, 0.02f}), vec{0, 0.34f, 0});
    auto const handle = moved(sinew::solid_box(0.14f, vec{0.035f, 0.36f, 0.03f}), vec{0, 0, 0});
    auto const racket = head + handle;
    auto body = rigid_body_of(racket, sinew::pose<float>{});
    body.twist.angular = {9, 0.02f, 0.02f};  // rad/s, about x, the middle one of its three axes; and a little wobble
    auto const id = world.add(body);

    sinew::recorder page("The tennis-racket flip");
    auto const head_shape = page.add_box({0.13, 0.17, 0.01}, "#3b7cb8"), handle_shape = page.add_box({0.0175, 0.18, 0.015}, "#d9822b");
    float const energy = world.energy();
    auto const momentum = world.angular_momentum();
    for (int i = 0; i < 900; ++i) {
        auto const pose = world.pose(id);
        page.frame(world.time());
        page.pose(head_shape, sinew::pose<float>{pose.point(head.center - racket.center), pose.rotation});
        page.pose(handle_shape, sinew::pose<float>{pose.point(handle.center - racket.center), pose.rotation});
        auto const spin = pose.local_direction(world.twist(id).angular);
        page.plot("spin in the body's axes [rad/s]", "x", spin.x());
        page.plot("spin in the body's axes [rad/s]", "y", spin.y());
        page.plot("spin in the body's axes [rad/s]", "z", spin.z());
        page.plot("relative change of energy and momentum", "energy", world.energy() / energy - 1);
        page.plot("relative change of energy and momentum", "angular momentum", norm(world.angular_momentum() - momentum) / norm(momentum));
        world.step(1.0f / 60);
    }
    std::printf("after 15 s in float: energy changed by %.1e, angular momentum by %.1e\n", static_cast<double>(world.energy() / energy - 1),
                static_cast<double>(norm(world.angular_momentum() - momentum) / norm(momentum)));
    page.write("06_tennis_racket.html");
}
