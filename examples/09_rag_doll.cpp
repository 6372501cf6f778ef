// The main job: a skeleton of motion capture, hung up by one hand as a rag doll.
//
//   09_rag_doll [file.bvh [page.html]]     without a file, a small skeleton of its own
//
// Writes 09_rag_doll.html, or the page that is named.
//
// Every bone becomes a rigid body of capsules, every joint a constraint: for elbows and knees a hinge with a range of
// angles, elsewhere a ball joint with a cone for its swing and a range for its twist (Waterson 2026, 5; Vondrak 2005, 7.4).
// Friction in the joints and the drag of the air take energy out, and so do the limits when they are struck.

#include <sinew/io/ragdoll.hpp>
#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

// Joints, their ranges, the friction in them, and a little drag of the air.
struct config : sinew::default_config {
    using scalar = double;
};
using world_type = sinew::world<config, sinew::ball_joint, sinew::hinge_joint, sinew::angle_limit, sinew::swing_twist_limit,
                                sinew::joint_friction, sinew::linear_drag>;

// A figure with its arms spread, in centimetres, y up, z forward.
constexpr char const* small_skeleton = R"(HIERARCHY
ROOT Hips { OFFSET 0 95 0 CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT LeftUpLeg { OFFSET 9 -4 0 CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftLeg { OFFSET 0 -42 0 CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT LeftFoot { OFFSET 0 -41 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0 -6 20 } } } }
  JOINT RightUpLeg { OFFSET -9 -4 0 CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT RightLeg { OFFSET 0 -42 0 CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT RightFoot { OFFSET 0 -41 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0 -6 20 } } } }
  JOINT Spine { OFFSET 0 12 0 CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Chest { OFFSET 0 18 0 CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT Neck { OFFSET 0 24 0 CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT Head { OFFSET 0 9 1 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0 19 1 } } }
      JOINT LeftArm { OFFSET 18 20 0 CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT LeftForeArm { OFFSET 28 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
          JOINT LeftHand { OFFSET 25 0 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 17 0 0 } } } }
      JOINT RightArm { OFFSET -18 20 0 CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT RightForeArm { OFFSET -28 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
          JOINT RightHand { OFFSET -25 0 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET -17 0 0 } } } } } } }
MOTION Frames: 0 Frame Time: 0.01)";

int run(int argc, char** argv) {
    std::string const source = argc > 1 ? argv[1] : "its own small skeleton";
    std::string const path = argc > 2 ? argv[2] : "09_rag_doll.html";
    if (!path.ends_with(".html")) throw std::invalid_argument("the page must be named something.html, not '" + path + "': it would be written over");
    auto const motion = argc > 1 ? sinew::load_bvh(argv[1]) : sinew::parse_bvh(small_skeleton);
    auto const doll = sinew::make_ragdoll(motion);

    world_type world;
    world.solver.substeps = 8;
    world.add(sinew::linear_drag<double>{0.15, 0.0});

    // Hang it by the end of a hand, two and a half metres up; by its last part if it has no hands.
    int const hand = sinew::find_joint(motion, {"hand", "wrist"});
    std::size_t const held_part = hand >= 0 ? doll.part_of_joint[static_cast<std::size_t>(hand)] : doll.parts.size() - 1;
    auto const& held = doll.parts[held_part];
    sinew::vec3<double> const nail{0, 2.5, 0};
    auto const bodies = add_ragdoll(world, doll, nail - far_end(held));
    auto const held_body = bodies[held_part];
    auto const hook =
        world.add(sinew::ball_joint<double>::at(world.pose(world.ground()), world.pose(held_body), nail), world.ground(), held_body);

    sinew::recorder page("A rag doll, hung up by one hand");
    sinew::ragdoll_view const view(page, doll);
    auto const nail_marker = page.add_marker("#d9534f", 0.03);
    page.log_scale("joint error [m, rad]");

    constexpr int frames = 720;
    double worst = 0;
    auto const begin = std::chrono::steady_clock::now();
    double const first = world.energy();
    for (int i = 0; i < frames; ++i) {
        page.frame(world.time());
        view.show(page, world, bodies);
        page.position(nail_marker, nail);
        page.plot("energy [J]", "kinetic", world.kinetic_energy());
        page.plot("energy [J]", "potential", world.potential_energy());
        page.plot("energy [J]", "total", world.energy());
        page.plot("momentum [kg m/s]", "of all parts", norm(world.linear_momentum()));
        page.plot("joint error [m, rad]", "largest", world.constraint_error());
        page.plot("force on the hand [N]", "force", norm(world.multipliers(hook)));
        if (auto const report = world.step(1.0 / 60); !report) {
            std::fprintf(stderr, "the simulation failed at %.2f s\n", world.time());
            return 1;
        }
        worst = sinew::max(worst, world.constraint_error());
    }
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    double mass = 0;
    for (auto const& part : doll.parts) mass += part.mass.mass;
    double const weight = -mass * world.gravity.y();

    std::printf("skeleton   %zu joints from %s\n", motion.joints.size(), source.c_str());
    std::printf("rag doll   %zu bodies, %.0f kg, hung up by '%s'\n", doll.parts.size(), mass, held.name.c_str());
    std::printf("simulated  %.0f s in %.2f s\n", world.time(), seconds);
    std::printf("energy     %.0f J at first, %.0f J at last\n", first, world.energy());
    std::printf("joints     never apart by more than %.1e (m, rad)\n", worst);
    std::printf("hand       held with %.0f N at last; the doll weighs %.0f N\n", norm(world.multipliers(hook)), weight);
    std::printf("page       %s\n", path.c_str());
    page.summary("skeleton", std::to_string(motion.joints.size()) + " joints from " + source);
    page.summary("rag doll", std::to_string(doll.parts.size()) + " bodies, hung up by '" + held.name + "'");
    page.write(path);
    return 0;
}

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s%s%s\n", argc > 1 ? argv[1] : "", argc > 1 ? ": " : "", e.what());
        return 1;
    }
}
