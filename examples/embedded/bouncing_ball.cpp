// A ball is thrown at a floor and bounces, with collision detection: v falls to e v at each hit, and so the height to e^2 of what it was.

#include "small_world.hpp"

#include <sinew/collision/sweep_and_prune.hpp>
#include <sinew/geometry/half_space.hpp>
#include <sinew/geometry/sphere.hpp>

struct ball_config : small_config<1> {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 1, .constraints = 0, .forces = 0, .colliders = 2, .contacts = 4, .pairs = 1}>;
    using broad_phase = sinew::sweep_and_prune;
};
using ball_world = sinew::world<ball_config, sinew::sphere, sinew::half_space>;

int main() {
    ball_world& world = make_world<ball_world>();
    world.solver.iterations = 8;
    auto const material = sinew::material<real>::of(0.5f, 0.5f);
    world.add(sinew::half_space<real>{}, world.ground(), {.material = material});
    auto const ball = world.add_solid(sinew::sphere<real>{0.25f}, real(100), {{0, 1.25f, 0}}, {.material = material, .continuous = true});
    real highest = 0;  // over the floor, after the first hit
    bool hit = false;
    std::uint32_t const instructions = run(world, 200, [&](int) {
        hit = hit || !world.touch_begins().empty();
        if (hit) highest = highest < world.position(ball).y() ? world.position(ball).y() : highest;
    });
    board::finish(hit && is_within(highest - 0.25f - 0.25f, 0.02f), board::state_of(world), instructions);
}
