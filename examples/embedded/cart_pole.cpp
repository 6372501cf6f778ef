// An inverted pendulum on a cart: the motor pushes the cart, with a bounded force, so that the pole stands and the cart comes home.

#include "small_world.hpp"

#include <sinew/constraint/slider.hpp>

using cart_world = sinew::world<small_config<2>, sinew::slider_joint, sinew::hinge_joint>;

int main() {
    cart_world& world = make_world<cart_world>();
    world.solver.iterations = 8;
    real const length = 1, tilt = 0.15f;  // m; rad, to the right
    auto const upright = sinew::quaternion_exp(vec{0, 0, -tilt});
    auto const ground = world.ground();
    auto const cart = world.add(rigid_body_of(sinew::solid_box(real(30), vec{0.3f, 0.1f, 0.2f}), sinew::pose<real>{{0.4f, 0, 0}}));
    vec const middle = vec{0.4f, 0, 0} + rotate(upright, vec{0, length / 2, 0});
    auto const pole = world.add(rigid_body_of(sinew::solid_box(real(8), vec{0.15f, length, 0.15f}), sinew::pose<real>{middle, upright}));
    world.add(sinew::slider_joint<real>::at(world.pose(ground), world.pose(cart), {0, 0, 0}, {1, 0, 0}), ground, cart);
    world.add(sinew::hinge_joint<real>::at(world.pose(cart), world.pose(pole), {0.4f, 0, 0}, {0, 0, 1}), cart, pole);

    auto const control = [&](int) {
        real const x = world.position(cart).x(), v = world.twist(cart).linear.x();
        real const lean = world.pose(pole).direction(vec{0, 1, 0}).x(), spin = -world.twist(pole).angular.z();  // both to the right
        real const force = 150 * x + 250 * v + 1500 * lean + 450 * spin;
        world.apply_force(cart, {sinew::clamp(force, real(-300), real(300)), 0, 0}, world.position(cart));
    };
    std::uint32_t const instructions = run(world, 1000, control);
    real const lean = world.pose(pole).direction(vec{0, 1, 0}).x(), x = world.position(cart).x();
    board::finish(is_within(lean, 0.02f) && is_within(x, 0.05f), board::state_of(world), instructions);
}
