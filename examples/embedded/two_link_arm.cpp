// A two-link arm stands on its end and keeps its balance: motors in both hinges, of bounded torque, feel angles and speeds. After a
// second something pushes it.

#include "small_world.hpp"

using arm_world = sinew::world<small_config<2>, sinew::hinge_joint>;

int main() {
    arm_world& world = make_world<arm_world>();
    world.solver.iterations = 8;
    vec const along{0, 1, 0}, axis{0, 0, 1};
    auto const link_from = [&](real y) {
        return world.add(rigid_body_of(sinew::solid_box(real(0.5f), vec{0.04f, 0.4f, 0.04f}), sinew::pose<real>{{0, y + 0.2f, 0}}));
    };
    auto const ground = world.ground(), lower = link_from(0), upper = link_from(0.4f);
    world.add(sinew::hinge_joint<real>::at(world.pose(ground), world.pose(lower), {0, 0, 0}, axis), ground, lower);
    world.add(sinew::hinge_joint<real>::at(world.pose(lower), world.pose(upper), {0, 0.4f, 0}, axis), lower, upper);

    // How far a link leans to the left: the sine of its angle, which is enough for control.
    auto const lean = [&](auto link) { return -world.pose(link).direction(along).x(); };
    auto const bounded = [](real x, real most) { return sinew::clamp(x, -most, most); };
    auto const control = [&](int i) {
        real const lean_lower = lean(lower), lean_upper = lean(upper);
        real const spin_lower = world.twist(lower).angular.z(), spin_upper = world.twist(upper).angular.z();
        real const shoulder = bounded(-30 * lean_lower - 6 * spin_lower, 8), elbow = bounded(-15 * lean_upper - 2 * spin_upper, 4);
        world.apply_wrench(upper, {{}, {0, 0, elbow}});
        world.apply_wrench(lower, {{}, {0, 0, shoulder - elbow}});
        if (i >= 200 && i < 210) world.apply_force(upper, {15, 0, 0}, world.position(upper));
    };
    std::uint32_t const instructions = run(world, 600, control);
    real const height = world.pose(upper).point(vec{0, 0.2f, 0}).y();
    board::finish(height > 0.795f && height < 0.805f, board::state_of(world), instructions);
}
