// A rag doll falls down a staircase. Writes 17_rag_doll_stairs.html.
//
// The figure is that of a file of motion capture: make_ragdoll gives it bodies, joints with their ranges, and friction in them. Here it gets
// a surface too: the capsules that it is drawn by are its colliders. Parts that a joint binds do not collide with each other; all others do, arms with
// legs, and everything with the stairs.
//
// Whatever happens on the way down, the joints must hold, nothing may stick in a step, energy may only fall, and in the end it must lie still.

#include <sinew/io/ragdoll.hpp>
#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

struct config : sinew::default_config {
    using sleep = sinew::island_sleep;
};
using vec = sinew::vec3<float>;
using world_type = sinew::world<config, sinew::ball_joint, sinew::hinge_joint, sinew::angle_limit, sinew::swing_twist_limit, sinew::joint_friction, sinew::capsule, sinew::box>;

// A figure that looks along z with its arms half down, in centimetres.
std::string skeleton() {
    auto const joint = [](std::string const& name, std::string const& offset, std::string const& inside) {
        return "JOINT " + name + " { OFFSET " + offset + " CHANNELS 3 Zrotation Xrotation Yrotation " + inside + " } ";
    };
    auto const end = [](std::string const& offset) { return "End Site { OFFSET " + offset + " }"; };
    auto const side = [&](std::string const& s, std::string const& sign) {
        return std::pair(joint(s + "UpLeg", sign + "9 -4 0", joint(s + "Leg", "0 -42 0", joint(s + "Foot", "0 -41 0", end("0 -6 20")))),
                         joint(s + "Arm", sign + "18 20 0", joint(s + "ForeArm", sign + "20 -19 2", joint(s + "Hand", sign + "17 -18 5", end(sign + "9 -10 4")))));
    };
    auto const [left_leg, left_arm] = side("Left", "");
    auto const [right_leg, right_arm] = side("Right", "-");
    std::string const head = joint("Neck", "0 24 0", joint("Head", "0 9 1", end("0 19 1")));
    return "HIERARCHY ROOT Hips { OFFSET 0 95 0 CHANNELS 3 Zrotation Xrotation Yrotation " + left_leg + right_leg + joint("Spine", "0 12 0", joint("Chest", "0 18 0", head + left_arm + right_arm)) +
           "} MOTION Frames: 0 Frame Time: 0.01";
}

int main() {
    world_type world;
    // A limb that is struck is stiff work; and it turns by a third of a radian in a sixtieth of a second, through which a contact would keep its arms.
    constexpr int steps_a_second = 120;
    world.solver.substeps = 16;
    auto const wood = sinew::material<float>::of(0.5f);

    // Fourteen steps of 29 by 18 cm, down along z.
    constexpr int steps = 14;
    constexpr float rise = 0.18f, tread = 0.29f, width = 1.2f;
    for (int i = 0; i < steps; ++i) {
        float const height = 0.5f * rise * float(steps - i);
        world.add(sinew::box<float>{{width, height, i == 0 ? 4 * tread : 0.5f * tread}}, world.ground(), {.frame = {{0, height, i == 0 ? -3.5f * tread : tread * float(i)}}, .material = wood});
    }
    world.add(sinew::box<float>{{4, 0.5f, 8}}, world.ground(), {.frame = {{0, -0.5f, 0}}, .material = wood});
    float const top = rise * float(steps);

    auto const doll = sinew::make_ragdoll(sinew::parse_bvh(skeleton()));
    auto const bodies = add_ragdoll(world, doll, {0, static_cast<double>(top) + 0.06, -0.2});
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (auto const& c : doll.parts[i].capsules) {
            auto const& p = c.local.position;
            auto const& q = c.local.rotation;
            sinew::pose<float> const local{{float(p.x()), float(p.y()), float(p.z())}, normalize(sinew::quaternion<float>{float(q.w), float(q.x), float(q.y), float(q.z)})};
            world.add(sinew::capsule<float>{float(c.radius), float(c.half_length)}, bodies[i], {.frame = local, .material = wood});
        }
    // Tripped: the higher a part, the faster it goes forward.
    for (auto const& b : bodies) world.set_twist(b, {{0.1f, 0, 1.4f * (world.position(b).y() - top)}, {1.4f, 0, 0}});

    sinew::recorder page("A rag doll down a staircase");
    page.camera(0.95, 0.25);
    auto const shown = page.add_colliders(world, [&](auto const& b) {
        for (std::size_t i = 0; i < bodies.size(); ++i)
            if (b == bodies[i]) return std::string(i % 2 == 0 ? "#3b7cb8" : "#d9822b");
        return std::string("#b9ac98");
    });
    page.follow(shown.front().second, 1.5);
    float worst = 0, deepest = 0, above = 0, least = world.energy();
    float const first = least;
    for (int step = 0; step < 8 * steps_a_second; ++step) {
        if (step % (steps_a_second / 30) == 0) {
            page.frame(static_cast<double>(world.time()));
            page.show(world, shown);
            page.plot("energy [J]", "kinetic", static_cast<double>(world.kinetic_energy()));
            page.plot("energy [J]", "total", static_cast<double>(world.energy()));
            page.plot("height of the hips [m]", "hips", static_cast<double>(world.position(bodies[0]).y()));
            page.plot("joints apart by [mm, mrad]", "largest", 1000.0 * static_cast<double>(world.constraint_error()));
        }
        if (!world.step(1.0f / steps_a_second)) return 1;
        worst = std::max(worst, world.constraint_error());
        world.for_each_touch([&](auto const& touch) {
            for (auto const& c : touch.contacts) deepest = std::max(deepest, -c.constraint.error(world.pose(touch.body_a), world.pose(touch.body_b))[0]);
        });
        above = std::max(above, world.energy() - least);
        least = std::min(least, world.energy());
    }
    page.write("17_rag_doll_stairs.html");

    float const hips = world.position(bodies[0]).y(), far = world.position(bodies[0]).z();
    std::printf("the hips have come down %.2f m and %.2f m along; %zu of %zu bodies sleep\n", static_cast<double>(top + 0.95f - hips), static_cast<double>(far), world.asleep_count(), bodies.size());
    std::printf("energy from %.0f to %.0f J, never %.1f J above what it had come down to; joints never apart by more than %.1f mm, no part deeper in another than %.1f mm\n", static_cast<double>(first),
                static_cast<double>(world.energy()), static_cast<double>(above), 1000.0 * static_cast<double>(worst), 1000.0 * static_cast<double>(deepest));
    return far > 1 && worst < 0.05f && deepest < 0.02f && above < 0.01f * first ? 0 : 1;
}
