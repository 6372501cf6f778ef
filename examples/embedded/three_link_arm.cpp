// An arm of three links on hinges, let go from the horizontal: the smallest program that has everything, to measure.

#include "small_world.hpp"

using arm_world = sinew::world<small_config<3>, sinew::hinge_joint>;

int main() {
    arm_world& world = make_world<arm_world>();
    world.solver.iterations = 8;
    auto previous = world.ground();
    for (real x = 0; x < 1.2f; x += 0.5f) {
        auto const link = world.add(rigid_body_of(sinew::solid_box(real(1), vec{0.5f, 0.05f, 0.05f}), sinew::pose<real>{{x + 0.25f, 0, 0}}));
        world.add(sinew::hinge_joint<real>::at(world.pose(previous), world.pose(link), {x, 0, 0}, {0, 0, 1}), previous, link);
        previous = link;
    }
    std::uint32_t const instructions = run(world, 200, [](int) {});
    board::finish(world.time() > 0.99f && world.position(previous).y() < 0, board::state_of(world), instructions);
}
