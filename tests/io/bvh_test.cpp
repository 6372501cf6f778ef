#include <sinew/io/bvh.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <locale>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using sinew::bvh_channel;
using sinew::bvh_error;
using sinew::bvh_motion;
using sinew::parse_bvh;
using sinew::quaternion;
using sinew::vec3;

// Every way to be malformed is a change to this file.
std::string const arm = R"(HIERARCHY
ROOT hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT upper arm
  {
    OFFSET 1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 2 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.5
1 2 3 90 0 0 0 0 0
-1.5 2e1 +.25 0 0 0 0 90 0
)";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    auto const at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}
std::string replaced_all(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
    return text;
}

// The sentence that a text is refused with.
std::string refusal(std::string_view text) {
    try {
        (void)parse_bvh(text);
    } catch (bvh_error const& e) {
        EXPECT_TRUE(std::string(e.what()).starts_with("line " + std::to_string(e.line()) + ": expected ")) << e.what();
        EXPECT_NE(std::string(e.what()).find(" but found "), std::string::npos) << e.what();
        return e.what();
    }
    return "accepted";
}
std::string refusal_of(std::string_view from, std::string_view to) { return refusal(replaced(arm, from, to)); }

void expect_near(vec3<double> const& a, vec3<double> const& b, double tolerance) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "component " << k;
}

bool same(bvh_motion const& a, bvh_motion const& b) {
    if (a.joints.size() != b.joints.size() || a.channels != b.channels || a.frames != b.frames || a.frame_time != b.frame_time || a.values != b.values) return false;
    for (std::size_t i = 0; i < a.joints.size(); ++i) {
        auto const &p = a.joints[i], &q = b.joints[i];
        if (p.name != q.name || p.parent != q.parent || !(p.offset == q.offset) || p.channels != q.channels || p.first_channel != q.first_channel || p.end_site != q.end_site) return false;
    }
    return true;
}

TEST(bvh, reads_hierarchy_channels_and_frames) {
    auto const m = parse_bvh(arm);
    ASSERT_EQ(m.joints.size(), 3u);
    EXPECT_EQ(m.joints[0].name, "hips");
    EXPECT_EQ(m.joints[0].parent, -1);
    EXPECT_EQ(m.joints[1].name, "upper arm");
    EXPECT_EQ(m.joints[1].parent, 0);
    EXPECT_EQ(m.joints[1].offset, (vec3<double>{1, 0, 0}));
    EXPECT_EQ(m.joints[1].first_channel, 6u);
    EXPECT_EQ(m.joints[1].channels, (std::vector{bvh_channel::z_rotation, bvh_channel::x_rotation, bvh_channel::y_rotation}));
    EXPECT_FALSE(m.joints[1].end_site);
    EXPECT_TRUE(m.joints[2].end_site);
    EXPECT_EQ(m.joints[2].parent, 1);
    EXPECT_EQ(m.joints[2].name, "upper arm end");
    EXPECT_TRUE(m.joints[2].channels.empty());
    EXPECT_EQ(m.channels, 9u);
    EXPECT_EQ(m.frames, 2u);
    EXPECT_EQ(m.frame_time, 0.5);
    EXPECT_EQ(m.values, (std::vector<double>{1, 2, 3, 90, 0, 0, 0, 0, 0, -1.5, 20, .25, 0, 0, 0, 0, 90, 0}));
    EXPECT_EQ(m.value(1, 7), 90);
}

TEST(bvh, spelling_and_layout_do_not_matter) {
    auto const m = parse_bvh(arm);
    EXPECT_TRUE(same(m, parse_bvh(replaced_all(arm, "\n", "\r\n"))));
    EXPECT_TRUE(same(m, parse_bvh(replaced_all(arm, "\n", "\r"))));
    EXPECT_TRUE(same(m, parse_bvh(replaced_all(arm, "\n", " \t\n\n"))));
    EXPECT_TRUE(same(m, parse_bvh(replaced(replaced_all(arm, " ", "\t"), "upper\tarm", " upper arm \t"))));
    EXPECT_TRUE(same(m, parse_bvh("\xef\xbb\xbf" + arm)));
    EXPECT_TRUE(same(m, parse_bvh(arm.substr(0, arm.size() - 1)))) << "no end of line after the last frame";
    EXPECT_TRUE(same(m, parse_bvh(replaced_all(arm, "\n  {", " {")))) << "braces on the line of the name";
    EXPECT_TRUE(same(m, parse_bvh(replaced_all(replaced_all(arm, "\n  {\n", "{"), "\n    {\n", "{"))));
    for (auto const& [from, to] : {std::pair{"Frames: 2", "Frames:2"}, {"Frames: 2", "frames :\t2"}, {"Frame Time: 0.5", "FRAME TIME:.5"}, {"Frame Time: 0.5", "Frame Time : 5e-1"},
                                   {"Zrotation", "ZROTATION"}, {"Xposition", "xposition"}, {"HIERARCHY", "hierarchy"}, {"ROOT", "Root"}, {"JOINT", "joint"}, {"End Site", "END  SITE"},
                                   {"OFFSET", "Offset"}, {"CHANNELS", "Channels"}, {"MOTION", "Motion"}})
        EXPECT_TRUE(same(m, parse_bvh(replaced(arm, from, to)))) << to;
    // Up to where the frames begin, also lines do not matter.
    auto const head = arm.find("1 2 3");
    EXPECT_EQ(parse_bvh("HIERARCHY ROOT a{OFFSET 1 2 3 CHANNELS 1 Yrotation End Site{OFFSET 0 1 0}}MOTION Frames:1 Frame Time:1 45").value(0, 0), 45);
    EXPECT_EQ(refusal(replaced_all(arm.substr(0, head), "\n", " \n ") + arm.substr(head)), "accepted");
}

TEST(bvh, odd_but_legal_files) {
    // No end site, no children, no channels at all.
    auto const bare = parse_bvh("HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\n}\nMOTION\nFrames: 3\nFrame Time: 1\n");
    EXPECT_EQ(bare.channels, 0u);
    EXPECT_EQ(bare.frames, 3u);
    EXPECT_EQ(pose_of_frame(bare, 2).position[0], (vec3<double>{1, 2, 3}));
    EXPECT_EQ(parse_bvh("HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 0 } MOTION Frames: 0 Frame Time: 1").frames, 0u);
    // Two roots, each with a joint.
    auto const two = parse_bvh("HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xposition JOINT b { OFFSET 1 0 0 } } ROOT c { OFFSET 0 0 5 CHANNELS 1 Zrotation }\nMOTION Frames: 1 Frame Time: 1\n7 90");
    ASSERT_EQ(two.joints.size(), 3u);
    EXPECT_EQ(two.joints[2].parent, -1);
    EXPECT_EQ(two.joints[2].first_channel, 1u);
    EXPECT_EQ(pose_of_frame(two, 0).position[1], (vec3<double>{8, 0, 0}));
    EXPECT_EQ(pose_of_frame(two, 0).position[2], (vec3<double>{0, 0, 5}));
    // No frames at all; names with colons, as exporters of characters write them; named end sites.
    auto none = replaced(arm, "Frames: 2", "Frames: 0");
    none.resize(none.find("1 2 3"));
    EXPECT_EQ(parse_bvh(none).values.size(), 0u);
    EXPECT_EQ(parse_bvh(replaced(arm, "ROOT hips", "ROOT rig:Hips.L-2")).joints[0].name, "rig:Hips.L-2");
    EXPECT_EQ(parse_bvh(replaced(arm, "End Site", "End Site fingertip")).joints[2].name, "fingertip");
    EXPECT_EQ(parse_bvh(replaced(arm, "ROOT hips", "ROOT JOINT")).joints[0].name, "JOINT");
    EXPECT_EQ(parse_bvh(replaced(arm, "1 2 3 90", "1e-400 2 3 90")).values[0], 0);
    EXPECT_EQ(parse_bvh(replaced(arm, "1 2 3 90", "4e-320 2 3 90")).values[0], 4e-320);
}

TEST(bvh, refuses_a_broken_hierarchy) {
    EXPECT_EQ(refusal(""), "line 1: expected 'HIERARCHY' but found the end of the file");
    EXPECT_EQ(refusal(" \r\n\t\n "), "line 3: expected 'HIERARCHY' but found the end of the file");
    EXPECT_EQ(refusal(std::string(1, '\0')), "line 1: expected 'HIERARCHY' but found '?'");
    EXPECT_EQ(refusal("HIERARCHY"), "line 1: expected 'ROOT' but found the end of the file");
    EXPECT_EQ(refusal("HIERARCHY\nMOTION\nFrames: 0\nFrame Time: 1"), "line 2: expected 'ROOT' but found 'MOTION'");
    EXPECT_EQ(refusal("HIERARCHY\n}"), "line 2: expected 'ROOT' but found '}'");
    EXPECT_EQ(refusal_of("OFFSET 1", "OFSET 1"), "line 8: expected 'OFFSET' but found 'OFSET'");
    EXPECT_EQ(refusal_of("ROOT hips", "ROOT"), "line 3: expected the name of a joint but found '{'");
    EXPECT_EQ(refusal_of("{\n  OFFSET 0 0 0", "OFFSET 0 0 0"), "line 3: expected '{' but found 'OFFSET'");
    EXPECT_EQ(refusal_of("OFFSET 1 0 0", "OFFSET 1 0"), "line 9: expected a number for the offset but found 'CHANNELS'");
    EXPECT_EQ(refusal_of("OFFSET 1 0 0", "OFFSET 1 0 0 0"), "line 8: expected 'JOINT', 'End Site' or '}' but found '0'");
    EXPECT_EQ(refusal_of("OFFSET 1 0 0", "OFFSET 1 nan 0"), "line 8: expected a number for the offset but found 'nan'");
    EXPECT_EQ(refusal_of("JOINT upper", "BONE upper"), "line 6: expected 'JOINT', 'End Site' or '}' but found 'BONE'");
    EXPECT_EQ(refusal_of("JOINT upper", "ROOT upper"), "line 6: expected 'JOINT', 'End Site' or '}' but found 'ROOT'");
    EXPECT_EQ(refusal_of("End Site", "End"), "line 11: expected 'Site' but found '{'");
    EXPECT_EQ(refusal_of("      OFFSET 0 2 0\n", ""), "line 12: expected 'OFFSET' but found '}'");
    EXPECT_EQ(refusal_of("OFFSET 0 2 0", "OFFSET 0 2 0\nCHANNELS 0"), "line 13: expected '}' after the offset of an end site but found 'CHANNELS'");
    EXPECT_EQ(refusal_of("OFFSET 0 2 0", "OFFSET 0 2 0 End Site { OFFSET 0 0 0 }"), "line 12: expected '}' after the offset of an end site but found 'End'");
    EXPECT_EQ(refusal_of("}\nMOTION", "MOTION"), "line 15: expected 'JOINT', 'End Site' or '}' but found 'MOTION'");
    EXPECT_EQ(refusal_of("}\nMOTION", "}\n}\nMOTION"), "line 16: expected 'MOTION' or another 'ROOT' but found '}'");
    EXPECT_EQ(refusal_of("MOTION", "NOTION"), "line 16: expected 'MOTION' or another 'ROOT' but found 'NOTION'");
}

TEST(bvh, refuses_wrong_channels) {
    EXPECT_EQ(refusal_of("CHANNELS 3", "CHANNELS 2"), "line 9: expected 'JOINT', 'End Site' or '}' but found 'Yrotation'");
    EXPECT_EQ(refusal_of("CHANNELS 3", "CHANNELS 4"), "line 10: expected a channel such as 'Zrotation' but found 'End'");
    EXPECT_EQ(refusal_of("CHANNELS 3", "CHANNELS -3"), "line 9: expected a count of channels but found '-3'");
    EXPECT_EQ(refusal_of("CHANNELS 3", "CHANNELS 3.0"), "line 9: expected a count of channels but found '3.0'");
    EXPECT_EQ(refusal_of("CHANNELS 3", "CHANNELS"), "line 9: expected a count of channels but found 'Zrotation'");
    EXPECT_EQ(refusal_of("CHANNELS 3", "CHANNELS 7"), "line 9: expected at most 6 channels but found 7");
    EXPECT_EQ(refusal_of("CHANNELS 3", "CHANNELS 99999999999999999999999999"), "line 9: expected a count of channels but found '99999999999999999999999999'");
    EXPECT_EQ(refusal_of("Zrotation Xrotation Yrotation\n    End", "Zrotation Wrotation Yrotation\n    End"),
              "line 9: expected a channel such as 'Zrotation' but found 'Wrotation'");
    EXPECT_EQ(refusal_of("Zrotation Xrotation Yrotation\n    End", "Zrotation Xrotation Zrotation\n    End"),
              "line 9: expected each channel once but found one of joint 'upper arm' twice");
    EXPECT_EQ(refusal_of("    End Site", "    CHANNELS 0\n    End Site"), "line 10: expected 'JOINT', 'End Site' or '}' but found 'CHANNELS'");
}

TEST(bvh, refuses_a_broken_motion) {
    EXPECT_EQ(refusal_of("Frames: 2", "Frames 2"), "line 17: expected ':' but found '2'");
    EXPECT_EQ(refusal_of("Frames: 2\n", ""), "line 17: expected 'Frames' but found 'Frame'");
    EXPECT_EQ(refusal_of("Frames: 2", "Frames: two"), "line 17: expected a count of frames but found 'two'");
    EXPECT_EQ(refusal_of("Frames: 2", "Frames: -2"), "line 17: expected a count of frames but found '-2'");
    EXPECT_EQ(refusal_of("Frames: 2", "Frames: 2.5"), "line 17: expected a count of frames but found '2.5'");
    EXPECT_EQ(refusal_of("Frame Time: 0.5\n", ""), "line 18: expected 'Frame' but found '1'");
    for (std::string const bad : {"0", "-0.5", "-0", "+0.0"}) EXPECT_EQ(refusal_of("Time: 0.5", "Time: " + bad), "line 18: expected a positive frame time but found '" + bad + "'");
    for (std::string const bad : {"nan", "inf", "-inf", "infinity", "nan(1)", "1e999", "-1e999", "1.5s", "0x10", "1,5", "--1", "+-1", "+", "-", ".", "e5", "1.#IND", "-1.#QNAN0"}) {
        EXPECT_EQ(refusal_of("Time: 0.5", "Time: " + bad), "line 18: expected a number for the frame time but found '" + bad + "'");
        EXPECT_EQ(refusal_of("90 0\n", bad + " 0\n"), "line 20: expected a number for a channel but found '" + bad + "'");
    }
    EXPECT_EQ(refusal_of(" 90 0 0 0 0 0\n", " 90 0 0 0 0\n"), "line 19: expected 9 numbers for frame 1 but found the end of the line after 8");
    EXPECT_EQ(refusal_of(" 90 0 0 0 0 0\n", " 90 0 0 0 0 0 7\n"), "line 19: expected the end of the line after 9 numbers for frame 1 but found '7'");
    EXPECT_EQ(refusal(replaced(replaced(arm, " 90 0 0 0 0 0\n", " 90 0 0 0 0\n"), "90 0\n", "90 0 0\n")), "line 19: expected 9 numbers for frame 1 but found the end of the line after 8")
        << "one line too short and one too long: the total is right";
    EXPECT_EQ(refusal_of("Frames: 2", "Frames: 1"), "line 20: expected the end of the file after 1 frames but found '-1.5'");
    EXPECT_EQ(refusal_of("Frames: 2", "Frames: 3"), "line 21: expected 3 frames, as the header says, of which this would be number 3, but found the end of the file");
    EXPECT_EQ(refusal(arm.substr(0, arm.size() - 3)), "line 20: expected 9 numbers for frame 2 but found the end of the line after 8");
    EXPECT_EQ(refusal(arm + "}"), "line 21: expected the end of the file after 2 frames but found '}'");
    std::string const noise = "\x1b[31m\xff" + std::string(100, 'x');
    EXPECT_EQ(refusal_of("HIERARCHY", noise), "line 1: expected 'HIERARCHY' but found '?[31m?" + std::string(34, 'x') + "...'") << "nothing that could upset a terminal";
}

TEST(bvh, every_truncation_is_refused) {
    // Without the last number there is none that could be taken for a whole file, save for the digits of the last one.
    auto const last = arm.find_last_not_of("\n");
    for (std::size_t n = 0; n < last; ++n) EXPECT_NE(refusal(std::string_view(arm).substr(0, n)), "accepted") << "cut after " << n << " characters";
}

TEST(bvh, survives_random_damage) {
    // Whatever one writes over it, the file is read or refused by a bvh_error: no crash, no other exception, no runaway memory.
    unsigned const seed = 20260711;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::string const letters = "{}: \n\t019-+.eENJRO\0xX\r\xff";
    for (int trial = 0; trial < 20000; ++trial) {
        std::string text = arm;
        for (auto k = random() % 4; k < 4; ++k) {
            auto const at = random() % text.size();
            switch (random() % 3) {
                case 0: text[at] = letters[random() % letters.size()]; break;
                case 1: text.erase(at, random() % 8); break;
                default: text.insert(at, 1, letters[random() % letters.size()]);
            }
        }
        try {
            auto const m = parse_bvh(text);
            EXPECT_EQ(m.values.size(), m.channels == 0 ? 0 : m.frames * m.channels);
            for (double const x : m.values) EXPECT_TRUE(std::isfinite(x));
            (void)pose_of_frame(m, 0);
        } catch (bvh_error const&) {
        }
    }
}

TEST(bvh, a_million_joints_deep) {
    // Neither the stack nor the time may grow out of hand: 10^6 joints are 46 MB of text.
    std::size_t const depth = 1'000'000;
    std::string text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\n";
    text.reserve(depth * 46 + 1000);
    for (std::size_t i = 0; i < depth; ++i) text += "JOINT b\n{\nOFFSET 1 0 0\nCHANNELS 0\n";
    auto const truncated = text;
    for (std::size_t i = 0; i <= depth; ++i) text += "}\n";
    text += "MOTION\nFrames: 1\nFrame Time: 1\n5\n";
    auto const start = std::chrono::steady_clock::now();
    auto const m = parse_bvh(text);
    ASSERT_EQ(m.joints.size(), depth + 1);
    EXPECT_EQ(m.joints.back().parent, static_cast<int>(depth) - 1);
    EXPECT_EQ(pose_of_frame(m, 0).position.back(), (vec3<double>{1'000'005, 0, 0}));
    EXPECT_EQ(refusal(truncated), "line 4000006: expected 'JOINT', 'End Site' or '}' but found the end of the file");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(bvh, a_claimed_frame_count_costs_nothing) {
    EXPECT_EQ(refusal_of("Frames: 2", "Frames: 9223372036854775807").substr(0, 8), "line 21:");
    EXPECT_EQ(refusal_of("Frames: 2", "Frames: 18446744073709551615").substr(0, 8), "line 21:");
    EXPECT_EQ(refusal_of("Frames: 2", "Frames: 18446744073709551616"), "line 17: expected a count of frames but found '18446744073709551616'");
    // Without channels there is nothing to read.
    EXPECT_EQ(parse_bvh("HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 9223372036854775807 Frame Time: 1").values.size(), 0u);
}

TEST(bvh, a_local_decimal_comma_changes_nothing) {
    auto const was = std::string(std::setlocale(LC_ALL, nullptr));
    struct comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };
    auto const whole = std::locale();
    std::locale::global(std::locale(whole, new comma));
    (void)std::setlocale(LC_ALL, "de_DE.UTF-8");
    std::istringstream stream(replaced(arm, "Time: 0.5", "Time: 0.125"));
    EXPECT_EQ(sinew::read_bvh(stream).frame_time, 0.125);
    EXPECT_EQ(refusal_of("Time: 0.5", "Time: 0,5"), "line 18: expected a number for the frame time but found '0,5'");
    std::locale::global(whole);
    (void)std::setlocale(LC_ALL, was.c_str());
}

TEST(bvh, reads_streams_and_files) {
    auto const m = parse_bvh(arm);
    std::istringstream stream(arm);
    EXPECT_TRUE(same(m, sinew::read_bvh(stream)));
    auto const path = std::filesystem::temp_directory_path() / "sinew_bvh_test.bvh";
    std::ofstream(path, std::ios::binary) << replaced_all(arm, "\n", "\r\n");
    EXPECT_TRUE(same(m, sinew::load_bvh(path.string())));
    std::filesystem::remove(path);
    try {
        (void)sinew::load_bvh(path.string());
        ADD_FAILURE() << "read a file that is not there";
    } catch (std::runtime_error const& e) {
        EXPECT_EQ(std::string(e.what()), "cannot open '" + path.string() + "'");
    }
    EXPECT_THROW((void)sinew::load_bvh(std::filesystem::temp_directory_path().string()), std::runtime_error) << "a folder";
}

// ---- poses

// One joint with the given channels and values, and an arm along x at its end.
sinew::bvh_pose pose_with(std::string const& channels, std::string const& values) {
    auto const count = std::to_string(std::count(channels.begin(), channels.end(), ' ') + 1);
    return pose_of_frame(parse_bvh("HIERARCHY ROOT a { OFFSET 10 20 30 CHANNELS " + count + " " + channels + " End Site { OFFSET 1 0 0 } } MOTION Frames: 1 Frame Time: 1\n" + values), 0);
}

TEST(bvh, rotations_turn_right_handed_about_each_axis) {
    // Quarter turns by hand: about z, x goes to y; about y, x goes to -z; about x, it stays.
    expect_near(pose_with("Zrotation", "90").position[1], {10, 21, 30}, 1e-14);
    expect_near(pose_with("Yrotation", "90").position[1], {10, 20, 29}, 1e-14);
    expect_near(pose_with("Xrotation", "90").position[1], {11, 20, 30}, 1e-14);
    expect_near(pose_with("Zrotation", "30").position[1], {10 + std::sqrt(3) / 2, 20.5, 30}, 1e-14);
    expect_near(pose_with("Zrotation", "-450").position[1], {10, 19, 30}, 1e-13);
}

TEST(bvh, rotations_apply_in_the_order_of_the_channels) {
    // R = Z(90) Y(90): x goes to -z by Y and stays there. R = Y(90) Z(90): x goes to y by Z and stays there.
    expect_near(pose_with("Zrotation Yrotation", "90 90").position[1], {10, 20, 29}, 1e-14);
    expect_near(pose_with("Yrotation Zrotation", "90 90").position[1], {10, 21, 30}, 1e-14);
    // All six orders against a product of matrices written out here.
    constexpr std::array<std::array<std::size_t, 3>, 6> orders{{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    std::array<double, 3> const angle{20, -35, 110};
    using matrix = std::array<std::array<double, 3>, 3>;
    for (auto const& order : orders) {
        matrix r{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        std::string channels, values;
        for (auto const axis : order) {
            double const a = angle[axis] * 3.14159265358979323846 / 180, c = std::cos(a), s = std::sin(a);
            matrix const turn = axis == 0   ? matrix{{{1, 0, 0}, {0, c, -s}, {0, s, c}}}
                                : axis == 1 ? matrix{{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}}
                                            : matrix{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
            matrix product{};
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    for (std::size_t k = 0; k < 3; ++k) product[i][j] += r[i][k] * turn[k][j];
            r = product;
            channels += (channels.empty() ? "" : " ") + std::string(1, static_cast<char>('X' + axis)) + "rotation";
            values += std::to_string(angle[axis]) + " ";
        }
        SCOPED_TRACE(channels);
        auto const pose = pose_with(channels, values);
        expect_near(pose.position[1], {10 + r[0][0], 20 + r[1][0], 30 + r[2][0]}, 1e-13);
        for (std::size_t j = 0; j < 3; ++j) {
            vec3<double> axis{0, 0, 0};
            axis[j] = 1;
            expect_near(rotate(pose.rotation[0], axis), {r[0][j], r[1][j], r[2][j]}, 1e-14);
        }
    }
}

TEST(bvh, position_channels_replace_the_offset) {
    expect_near(pose_with("Xposition Yposition Zposition", "1 2 3").position[0], {1, 2, 3}, 0);
    expect_near(pose_with("Yposition", "-4").position[0], {10, -4, 30}, 0);
    // Rotation and position channels in any mix: the position does not see the joint's own rotation.
    expect_near(pose_with("Zrotation Yposition Xrotation Xposition", "90 5 0 7").position[0], {7, 5, 30}, 0);
    expect_near(pose_with("Zrotation Yposition Xrotation Xposition", "90 5 0 7").position[1], {7, 6, 30}, 1e-14);
    // So also below the root.
    auto const m = parse_bvh("HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Zrotation JOINT b { OFFSET 9 0 0 CHANNELS 2 Xposition Zposition } } MOTION Frames: 1 Frame Time: 1\n90 2 1");
    expect_near(bvh_local_position(m, 1, 0), {2, 0, 1}, 0);
    expect_near(pose_of_frame(m, 0).position[1], {0, 2, 1}, 1e-15);
}

TEST(bvh, poses_follow_the_tree) {
    auto const m = parse_bvh(arm);
    // Frame 0: the root at (1, 2, 3) turned a quarter about z; the joint hangs 1 along its x, the end 2 along its y.
    auto const a = pose_of_frame(m, 0);
    expect_near(a.position[0], {1, 2, 3}, 0);
    expect_near(a.position[1], {1, 3, 3}, 1e-15);
    expect_near(a.position[2], {-1, 3, 3}, 1e-15);
    // Frame 1: the arm turned a quarter about its x: the end lies along z.
    auto const b = pose_of_frame(m, 1);
    expect_near(b.position[1], {-.5, 20, .25}, 0);
    expect_near(b.position[2], {-.5, 20, 2.25}, 1e-15);
    // A frame that is not there is the rest pose.
    auto const rest = pose_of_frame(m, m.frames);
    expect_near(rest.position[0], {0, 0, 0}, 0);
    expect_near(rest.position[2], {1, 2, 0}, 0);
    EXPECT_EQ(rest.rotation[2], quaternion<double>::identity());
    EXPECT_EQ(bvh_local_rotation(m, 1, m.frames), quaternion<double>::identity());
}

TEST(bvh, bones_keep_their_length_in_every_frame) {
    // 60 joints deep, random angles: the distance from a joint to its parent is that of its offset.
    unsigned const seed = 7;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> angle(-400, 400), length(-2, 2);
    std::ostringstream text, frame;
    text << "HIERARCHY\n";
    for (int i = 0; i < 60; ++i) {
        text << (i == 0 ? "ROOT a" : "JOINT b") << "{OFFSET " << length(random) << ' ' << length(random) << ' ' << length(random) << " CHANNELS 3 Yrotation Xrotation Zrotation\n";
        frame << angle(random) << ' ' << angle(random) << ' ' << angle(random) << ' ';
    }
    text << std::string(60, '}') << "MOTION\nFrames: 1\nFrame Time: 1\n" << frame.str();
    auto const m = parse_bvh(text.str());
    auto const pose = pose_of_frame(m, 0);
    for (std::size_t i = 1; i < m.joints.size(); ++i) {
        EXPECT_NEAR(norm(pose.position[i] - pose.position[i - 1]), norm(m.joints[i].offset), 1e-12);
        EXPECT_NEAR(squared_norm(pose.rotation[i]), 1, 1e-14);
    }
}

// ---- real clips, where they are to be had: SINEW_BVH_FOLDER, or ../shared/bvh beside the sources

std::filesystem::path clip(char const* name) {
    std::vector<std::filesystem::path> folders{std::filesystem::path(SINEW_SOURCE_DIR) / ".." / "shared" / "bvh"};
    if (char const* given = std::getenv("SINEW_BVH_FOLDER")) folders.insert(folders.begin(), given);
    for (auto const& folder : folders)
        if (std::filesystem::exists(folder / name)) return folder / name;
    return {};
}

TEST(bvh, clip_of_a_person) {
    // CMU Graphics Lab, subject 1, trial 1, first 241 frames: 31 joints, 7 end sites, 96 channels, 120 frames a second, ZYX.
    auto const path = clip("cmu_01_01_first241.bvh");
    if (path.empty()) GTEST_SKIP() << "the clip is not here";
    auto const m = sinew::load_bvh(path.string());
    std::size_t ends = 0;
    for (auto const& j : m.joints) ends += j.end_site;
    EXPECT_EQ(m.joints.size() - ends, 31u);
    EXPECT_EQ(ends, 7u);
    EXPECT_EQ(m.channels, 96u);
    EXPECT_EQ(m.frames, 241u);
    EXPECT_EQ(m.frame_time, .0083333);
    EXPECT_EQ(m.joints[0].name, "Hips");
    for (auto const& j : m.joints)
        if (!j.end_site) {
            EXPECT_EQ(std::vector(j.channels.end() - 3, j.channels.end()), (std::vector{bvh_channel::z_rotation, bvh_channel::y_rotation, bvh_channel::x_rotation})) << j.name;
        }
    // A person: bones keep their length, the head is above the hips, the feet below.
    auto const index = [&](std::string const& name) {
        for (std::size_t i = 0; i < m.joints.size(); ++i)
            if (m.joints[i].name == name) return i;
        ADD_FAILURE() << name;
        return std::size_t{0};
    };
    for (std::size_t f = 0; f < m.frames; ++f) {
        auto const pose = pose_of_frame(m, f);
        for (std::size_t i = 1; i < m.joints.size(); ++i)
            EXPECT_NEAR(norm(pose.position[i] - pose.position[static_cast<std::size_t>(m.joints[i].parent)]), norm(m.joints[i].offset), 1e-12);
        EXPECT_GT(pose.position[index("Head")].y(), pose.position[index("Hips")].y() + 5);
        EXPECT_LT(pose.position[index("LeftFoot")].y(), pose.position[index("Hips")].y() - 4);
    }
}

TEST(bvh, clip_without_end_sites) {
    auto const path = clip("fairmotion_sinusoidal.bvh");
    if (path.empty()) GTEST_SKIP() << "the clip is not here";
    auto const m = sinew::load_bvh(path.string());
    ASSERT_EQ(m.joints.size(), 4u);
    for (auto const& j : m.joints) EXPECT_FALSE(j.end_site);
    EXPECT_EQ(m.channels, 15u);
    EXPECT_EQ(m.frames, 120u);
    EXPECT_NEAR(m.frame_time, 1. / 60, 1e-17);
    EXPECT_EQ(m.joints[1].channels, (std::vector{bvh_channel::x_rotation, bvh_channel::y_rotation, bvh_channel::z_rotation}));
    // Frame 0 by hand: the base at (-3, 6, 5), child1 5 above, turned by -90 about x; child2 along -x of it, so not turned away,
    // child3 3 along its y, which now points along -z.
    auto const pose = pose_of_frame(m, 0);
    expect_near(pose.position[0], {-3, 6, 5}, 0);
    expect_near(pose.position[1], {-3, 11, 5}, 0);
    expect_near(pose.position[2], {-8, 11, 5}, 1e-14);
    expect_near(pose.position[3], {-8, 11, 2}, 1e-14);
}

}  // namespace
