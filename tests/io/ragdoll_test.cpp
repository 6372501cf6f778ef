// A rag doll from a skeleton: what becomes a part, how big and heavy it is, how it is joined, and that it hangs.

#include <sinew/io/ragdoll.hpp>
#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace {

using namespace sinew;
using V = vec3<double>;

constexpr char const* channels = " CHANNELS 3 Zrotation Xrotation Yrotation ";

// A figure of 100 units with hands, fingers that are too small to be parts, and a joint that lies on its parent.
std::string figure(std::string const& motion = "MOTION Frames: 0 Frame Time: 0.01") {
    std::string const c = channels;
    auto const side = [&](std::string const& name, int x) {
        std::string const s = std::to_string(x);
        return "JOINT " + name + "HipJoint { OFFSET 0 0 0" + c + "JOINT " + name + "UpLeg { OFFSET " + s + " -2 0" + c + "JOINT " + name + "Leg { OFFSET 0 -24 0" + c + "JOINT " + name +
               "Foot { OFFSET 0 -24 0" + c + "End Site { OFFSET 0 -2 12 } } } } }";
    };
    auto const arm = [&](std::string const& name, int x) {
        std::string const s = std::to_string(x);
        return "JOINT " + name + "Arm { OFFSET " + s + " 10 0" + c + "JOINT " + name + "ForeArm { OFFSET " + s + " 0 0" + c + "JOINT " + name + "Hand { OFFSET " + s + " 0 0" + c + "JOINT " + name +
               "Finger { OFFSET " + std::to_string(x / 2) + " 0 0" + c + "End Site { OFFSET 1 0 0 } } } } }";
    };
    return "HIERARCHY ROOT Hips { OFFSET 0 52 0" + c + side("Left", 5) + side("Right", -5) + "JOINT Spine { OFFSET 0 12 0" + c + arm("Left", 12) + arm("Right", -12) + "JOINT Head { OFFSET 0 16 0" +
           c + "End Site { OFFSET 0 20 0 } } } } " + motion;
}

TEST(ragdoll, makes_one_part_of_what_lies_together_or_is_small) {
    auto const motion = parse_bvh(figure());
    auto const doll = make_ragdoll(motion);
    ASSERT_EQ(doll.part_of_joint.size(), motion.joints.size());
    auto const part_of = [&](std::string const& name) -> ragdoll_part const& {
        for (std::size_t i = 0; i < motion.joints.size(); ++i)
            if (motion.joints[i].name == name) return doll.parts[doll.part_of_joint[i]];
        throw std::logic_error("no joint " + name);
    };
    // Hips, two times upper leg, leg, foot; spine; two times arm, forearm, hand; head.
    EXPECT_EQ(doll.parts.size(), 15u);
    EXPECT_EQ(part_of("LeftHipJoint").name, "Hips");       // on its parent
    EXPECT_EQ(part_of("LeftFinger").name, "LeftHand");     // small
    EXPECT_EQ(part_of("Head").name, "Head");
    for (std::size_t i = 1; i < doll.parts.size(); ++i) EXPECT_LT(doll.parts[i].parent, static_cast<int>(i)) << "parents first";
    EXPECT_EQ(doll.parts[static_cast<std::size_t>(part_of("LeftUpLeg").parent)].name, "Hips");
    EXPECT_EQ(find_joint(motion, {"hand"}), find_joint(motion, {"LEFTHAND"}));
    EXPECT_EQ(motion.joints[static_cast<std::size_t>(find_joint(motion, {"hand"}))].name, "LeftHand");
}

TEST(ragdoll, has_the_size_and_mass_that_are_asked_for) {
    for (double size : {1.0, 1.75}) {
        ragdoll_options options;
        options.size = size;
        options.mass = 60;
        auto const doll = make_ragdoll(parse_bvh(figure()), options);
        EXPECT_NEAR(doll.scale, size / 100, 1e-12);  // from the sole at -0 to the crown at 100
        double mass = 0;
        for (auto const& part : doll.parts) {
            mass += part.mass.mass;
            EXPECT_NEAR(norm(part.mass.center), 0, 1e-12);
            auto const& I = part.mass.inertia;
            EXPECT_GT(I.xx, 0);
            EXPECT_GE(I.xx + I.yy, I.zz);
            EXPECT_FALSE(part.capsules.empty()) << part.name;
        }
        EXPECT_NEAR(mass, 60, 1e-10);
    }
}

TEST(ragdoll, bends_knees_backward_and_elbows_forward) {
    auto const doll = make_ragdoll(parse_bvh(figure()));
    for (auto const& part : doll.parts) {
        if (part.name.find("ForeArm") != std::string::npos || part.name == "LeftLeg" || part.name == "RightLeg") {
            ASSERT_EQ(part.kind, ragdoll_joint::hinge) << part.name;
            // A positive turn about the axis takes the limb to the front (arm) or to the back (leg); toes point along +z.
            V const limb = part.rest - part.pivot;
            V const moves = cross(part.axis, limb);
            EXPECT_GT(moves.z() * (part.name.find("Arm") != std::string::npos ? 1 : -1), 0.9 * norm(limb)) << part.name;
            EXPECT_LT(part.lower, 0);
            EXPECT_GT(part.upper, 2);
        } else if (part.parent >= 0) {
            EXPECT_EQ(part.kind, ragdoll_joint::ball) << part.name;
            EXPECT_GT(part.swing, 0) << part.name;
        } else {
            EXPECT_EQ(part.kind, ragdoll_joint::none);
        }
    }
}

struct config : default_config {
    using scalar = double;
};
struct with_derivatives : default_config {
    using scalar = dual<double, 1>;
};
using world_type = world<config, ball_joint, hinge_joint, angle_limit, swing_twist_limit, joint_friction>;

// Angles of one frame; the joints of the doll must meet in any pose.
TEST(ragdoll, begins_in_the_pose_of_a_frame_with_its_joints_together) {
    auto const skeleton = parse_bvh(figure());
    std::string frame = "MOTION Frames: 2 Frame Time: 0.01\n";
    for (int f = 0; f < 2; ++f) {
        for (std::size_t c = 0; c < skeleton.channels; ++c) frame += std::to_string(f == 0 ? 0 : static_cast<int>(c * 7 % 25) - 12) + " ";
        frame += "\n";
    }
    auto const motion = parse_bvh(figure(frame));
    for (std::size_t f : {std::size_t(0), std::size_t(1), std::size_t(99)}) {
        ragdoll_options options;
        options.frame = f;
        auto const doll = make_ragdoll(motion, options);
        world_type w;
        w.gravity = {0, 0, 0};
        auto const bodies = add_ragdoll(w, doll, V{1, 2, 3});
        ASSERT_EQ(bodies.size(), doll.parts.size());
        double apart = 0;
        w.for_each<ball_joint<double>>([&](auto h) { apart = std::max(apart, norm(w.error_of(h))); });
        EXPECT_LT(apart, 1e-12) << "frame " << f;
        EXPECT_NEAR(norm(w.position(bodies[0]) - doll.parts[0].start.position - V{1, 2, 3}), 0, 1e-12);
        if (f == 1) {
            EXPECT_GT(norm(doll.parts[3].start.position - doll.parts[3].rest), 1e-3);
        } else {
            EXPECT_NEAR(norm(doll.parts[3].start.position - doll.parts[3].rest), 0, 1e-12);
        }
    }
}

TEST(ragdoll, hangs_by_its_hand_with_its_weight) {
    auto const motion = parse_bvh(figure());
    auto const doll = make_ragdoll(motion);
    auto const hand = doll.part_of_joint[static_cast<std::size_t>(find_joint(motion, {"hand"}))];
    world_type w;
    w.solver.substeps = 8;
    V const nail{0, 3, 0};
    auto const bodies = add_ragdoll(w, doll, nail - far_end(doll.parts[hand]));
    auto const hook = w.add(ball_joint<double>::at(w.pose(w.ground()), w.pose(bodies[hand]), nail), w.ground(), bodies[hand]);
    double force = 0;
    int const steps = 1200;
    for (int i = 0; i < steps; ++i) {
        ASSERT_TRUE(w.step(1.0 / 60));
        force += w.multipliers(hook).y() / steps;
        ASSERT_LT(w.constraint_error(), 0.02) << i;
    }
    // Over the time average momentum does not grow: the hook carries the weight.
    double const p_y = w.linear_momentum().y();
    EXPECT_NEAR(force, -(75 * 9.81 + p_y / 20), 0.02 * 75 * 9.81);
    EXPECT_LT(w.position(bodies[0]).y(), 2.4);  // the hips hang far below
}

TEST(ragdoll, takes_skeletons_that_are_no_figures) {
    auto const one = make_ragdoll(parse_bvh("HIERARCHY ROOT Only { OFFSET 0 0 0 CHANNELS 0 } MOTION Frames: 0 Frame Time: 1"));
    ASSERT_EQ(one.parts.size(), 1u);
    EXPECT_NEAR(one.parts[0].mass.mass, 75, 1e-9);
    auto const rope = make_ragdoll(parse_bvh("HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 0 JOINT b { OFFSET 1 0 0 CHANNELS 0 JOINT c { OFFSET 1 0 0 CHANNELS 0 } } } MOTION Frames: 0 Frame Time: 1"));
    EXPECT_EQ(rope.parts.size(), 3u);
    EXPECT_EQ(find_joint(parse_bvh(figure()), {"tail"}), -1);
    // Deep, and every joint small: one part.
    std::string deep = "HIERARCHY ROOT r { OFFSET 0 0 0 CHANNELS 0 ";
    int const joints = 20000;
    for (int i = 0; i < joints; ++i) deep += "JOINT j { OFFSET 0 1 0 CHANNELS 0 ";
    for (int i = 0; i <= joints; ++i) deep += "}";
    auto const long_one = make_ragdoll(parse_bvh(deep + " MOTION Frames: 0 Frame Time: 1"));
    EXPECT_GE(long_one.parts.size(), 1u);
    EXPECT_LE(long_one.parts.size(), static_cast<std::size_t>(joints) + 1);
}

TEST(ragdoll, refuses_what_makes_no_sense) {
    auto const motion = parse_bvh(figure());
    double const nan = std::numeric_limits<double>::quiet_NaN();
    for (double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
        EXPECT_THROW((void)make_ragdoll(motion, {.size = bad}), std::invalid_argument);
        EXPECT_THROW((void)make_ragdoll(motion, {.mass = bad}), std::invalid_argument);
    }
    EXPECT_THROW((void)make_ragdoll(motion, {.joint_friction = -1}), std::invalid_argument);
    EXPECT_THROW((void)make_ragdoll({}), std::invalid_argument);
    auto broken = motion;
    broken.joints[2].offset.x() = nan;
    EXPECT_THROW((void)make_ragdoll(broken), std::invalid_argument);
}

TEST(ragdoll, is_shown_by_one_capsule_each) {
    auto const doll = make_ragdoll(parse_bvh(figure()));
    world_type w;
    auto const bodies = add_ragdoll(w, doll);
    recorder page("a doll");
    ragdoll_view const view(page, doll);
    page.frame(0);
    view.show(page, w, bodies);
    std::size_t capsules = 0;
    for (auto const& part : doll.parts) capsules += part.capsules.size();
    std::string const html = page.html();
    std::size_t shown = 0;
    for (std::size_t at = html.find("\"kind\":\"capsule\""); at != std::string::npos; at = html.find("\"kind\":\"capsule\"", at + 1)) ++shown;
    EXPECT_EQ(shown, capsules);

    // Over numbers with derivatives it is the same page.
    world<with_derivatives, ball_joint, hinge_joint, angle_limit, swing_twist_limit, joint_friction> other;
    auto const others = add_ragdoll(other, doll);
    recorder other_page("a doll");
    ragdoll_view const other_view(other_page, doll);
    other_page.frame(0);
    other_view.show(other_page, other, others);
    EXPECT_EQ(other_page.html(), html);
}

}  // namespace
