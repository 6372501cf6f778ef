// A crate is thrown on the floor, slides, and comes to rest where Coulomb's law says: after v^2 / (2 mu g). Contacts are constraints like any
// other, and of a crate on a floor one knows where they are: at its four lower corners. So the program needs no collision detection.

#include "small_world.hpp"

#include <sinew/constraint/contact.hpp>

using crate_world = sinew::world<small_config<1, 4>, sinew::contact>;
using contact = sinew::contact<real>;

int main() {
    crate_world& world = make_world<crate_world>();
    world.solver.iterations = 8;
    constexpr real half = 0.25f, speed = 2, friction = 0.5f;  // m; m/s
    auto const ground = world.ground();
    auto const crate = world.add(rigid_body_of(sinew::solid_box(real(10), vec{2 * half, 2 * half, 2 * half}), sinew::pose<real>{{0, half, 0}}));
    world.set_twist(crate, {{speed, 0, 0}, {0, 0, 0}});

    auto const corner = [&](int i) { return world.pose(crate).point(vec{i % 2 == 0 ? half : -half, -half, i < 2 ? half : -half}); };
    auto const found = [&](int i) {  // the contact of a corner with the point of the floor beneath it
        vec const p = corner(i);
        return contact::at(world.pose(ground), world.pose(crate), vec{p.x(), 0, p.z()}, p, vec{0, 1, 0}, sinew::material<real>::of(friction));
    };
    sinew::handle<contact> contacts[4];
    for (int i = 0; i < 4; ++i) contacts[i] = world.add(found(i), ground, crate);
    auto const find_contacts = [&](int) {
        for (int i = 0; i < 4; ++i) {
            contact now = found(i);
            now.continue_from(world.get(contacts[i]), world.multipliers(contacts[i]), world.pose(ground), world.pose(crate), step_length);
            world.set(contacts[i], now);
        }
    };
    std::uint32_t const instructions = run(world, 200, find_contacts);
    constexpr real way = speed * speed / (2 * friction * real(9.81f));
    // In fixed point a speed is known to some steps of 2^-16 m per time step, 3 mm/s each.
    vec const at = world.position(crate), v = world.twist(crate).linear;
    board::finish(is_within(at.x() - way, 0.01f) && is_within(at.y() - half, 0.002f) && is_within(norm(v), 0.02f), board::state_of(world), instructions);
}
