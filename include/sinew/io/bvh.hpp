#pragma once
// Motion capture in the BVH format: a hierarchy of joints, each with an offset from its parent and channels, then one
// line of numbers a frame (Meredith and Maddock 2001, Motion Capture File Formats Explained).
//
// Lengths are in the file's own unit, angles in degrees as written. Joints come in the order of the file, parents first.
// Reading needs no recursion, so a hierarchy may be as deep as memory allows, and time and memory grow with the text, never
// with a count that the text claims. Keywords may be in any case, and a joint need not have children or an end site.

#include <sinew/math/vec.hpp>
#include <sinew/rotation/quaternion.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <istream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::inline v0 {

/// What is wrong with a BVH file: one sentence with the line, what was expected and what was found.
class bvh_error : public std::runtime_error {
public:
    bvh_error(std::size_t line, std::string const& what) : std::runtime_error("line " + std::to_string(line) + ": " + what), line_(line) {}
    /// Counted from 1.
    [[nodiscard]] std::size_t line() const noexcept { return line_; }

private:
    std::size_t line_;
};

enum class bvh_channel : std::uint8_t { x_position, y_position, z_position, x_rotation, y_rotation, z_rotation };

/// One joint, or the end of a limb (end_site), which has no channels.
struct bvh_joint {
    std::string name;
    int parent = -1;                    ///< index, -1 of a root
    vec3<double> offset{0, 0, 0};       ///< from the parent, in the parent's axes
    std::vector<bvh_channel> channels;  ///< in the order of the file, which is the order of the rotations
    std::size_t first_channel = 0;      ///< column of its first value in a frame
    bool end_site = false;
};

/// A whole file.
struct bvh_motion {
    std::vector<bvh_joint> joints;
    std::size_t channels = 0;     ///< values in a frame
    std::size_t frames = 0;
    double frame_time = 0;        ///< s
    std::vector<double> values;   ///< frame by frame

    [[nodiscard]] double value(std::size_t frame, std::size_t channel) const { return values[frame * channels + channel]; }
};

namespace detail {

// Words of a text, with the line they stand on.
class bvh_words {
public:
    explicit bvh_words(std::string_view text) : text_(text) {
        if (text_.substr(0, 3) == "\xef\xbb\xbf") text_.remove_prefix(3);
    }
    [[nodiscard]] std::size_t line() const noexcept { return line_; }

    /// The next word, empty at the end of the text.
    [[nodiscard]] std::string_view peek() {
        skip_space();
        std::size_t n = 0;
        while (n < text_.size() && !is_space(text_[n]) && !is_mark(text_[n])) ++n;
        if (n == 0 && !text_.empty()) n = 1;  // a brace or a colon is a word of its own
        return text_.substr(0, n);
    }
    std::string_view next() {
        auto const word = peek();
        text_.remove_prefix(word.size());
        return word;
    }
    /// The rest of the line up to a brace, without the space around it: names may be several words.
    std::string_view name() {
        std::size_t n = text_.find_first_of("\r\n{}");
        if (n == std::string_view::npos) n = text_.size();
        std::string_view rest = text_.substr(0, n);
        text_.remove_prefix(n);
        while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
        while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
        return rest;
    }
    /// Whether nothing but space is left on this line.
    [[nodiscard]] bool at_end_of_line() {
        std::size_t n = 0;
        while (n < text_.size() && is_space(text_[n]) && !is_end_of_line(text_[n])) ++n;
        text_.remove_prefix(n);
        return text_.empty() || is_end_of_line(text_.front());
    }
    [[nodiscard]] std::string found() {
        auto const word = peek();
        if (word.empty()) return "the end of the file";
        std::string shown(word.substr(0, 40));
        for (char& c : shown)
            if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
        return "'" + shown + (word.size() > 40 ? "...'" : "'");
    }
    [[noreturn]] void fail(std::string const& expected) {
        std::string const what = "expected " + expected + " but found " + found();  // found() moves on to the line of the word
        throw bvh_error(line_, what);
    }

    [[nodiscard]] static bool equal(std::string_view a, std::string_view b) noexcept {
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i)
            if (lower(a[i]) != lower(b[i])) return false;
        return true;
    }
    [[nodiscard]] bool at(std::string_view keyword) { return equal(peek(), keyword); }
    void expect(std::string_view keyword) {
        if (!at(keyword)) fail("'" + std::string(keyword) + "'");
        next();
    }
    double number(char const* what) {
        auto word = peek();
        if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
        double x = 0;
        auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
        bool const whole = end == word.data() + word.size();
        // Out of range at the small end is zero to any skeleton.
        bool const tiny = whole && error == std::errc::result_out_of_range && word.find("e-") + word.find("E-") != 2 * std::string_view::npos;
        if (tiny) x = 0;
        if (word.empty() || !whole || (error != std::errc{} && !tiny) || !std::isfinite(x)) fail(std::string("a number for ") + what);
        next();
        return x;
    }
    std::size_t count(char const* what) {
        auto const word = peek();
        std::size_t n = 0;
        auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
        if (word.empty() || error != std::errc{} || end != word.data() + word.size()) fail(std::string("a count of ") + what);
        next();
        return n;
    }

private:
    [[nodiscard]] static bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }
    [[nodiscard]] static bool is_mark(char c) noexcept { return c == '{' || c == '}' || c == ':'; }
    [[nodiscard]] static bool is_end_of_line(char c) noexcept { return c == '\n' || c == '\r'; }
    [[nodiscard]] static char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
    void skip_space() {
        std::size_t n = 0;
        while (n < text_.size() && is_space(text_[n])) {
            if (text_[n] == '\n' || (text_[n] == '\r' && !(n + 1 < text_.size() && text_[n + 1] == '\n'))) ++line_;
            ++n;
        }
        text_.remove_prefix(n);
    }

    std::string_view text_;
    std::size_t line_ = 1;
};

inline bvh_channel read_channel(bvh_words& words) {
    constexpr std::string_view names[] = {"Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"};
    for (std::size_t i = 0; i < 6; ++i)
        if (words.at(names[i])) {
            words.next();
            return static_cast<bvh_channel>(i);
        }
    words.fail("a channel such as 'Zrotation'");
}

}  // namespace detail

/// Reads a BVH file from its text. Throws bvh_error.
[[nodiscard]] inline bvh_motion parse_bvh(std::string_view text) {
    detail::bvh_words words(text);
    bvh_motion motion;
    words.expect("HIERARCHY");
    std::vector<int> open;  // joints whose closing brace is still to come
    for (;;) {
        if (open.empty()) {
            if (words.at("MOTION")) {
                if (motion.joints.empty()) words.fail("'ROOT'");
                break;
            }
            if (!words.at("ROOT")) words.fail(motion.joints.empty() ? "'ROOT'" : "'MOTION' or another 'ROOT'");
        } else if (words.at("}")) {
            words.next();
            open.pop_back();
            continue;
        }
        bool const end = words.at("End");
        if (!open.empty()) {
            if (motion.joints[static_cast<std::size_t>(open.back())].end_site) words.fail("'}' after the offset of an end site");
            if (!end && !words.at("JOINT")) words.fail("'JOINT', 'End Site' or '}'");
        }
        words.next();
        bvh_joint joint;
        joint.parent = open.empty() ? -1 : open.back();
        joint.end_site = end;
        if (end) {
            words.expect("Site");
            joint.name = std::string(words.name());  // a few programs name their end sites
            if (joint.name.empty()) joint.name = motion.joints[static_cast<std::size_t>(joint.parent)].name + " end";
        } else {
            joint.name = std::string(words.name());
            if (joint.name.empty()) words.fail("the name of a joint");
        }
        words.expect("{");
        words.expect("OFFSET");
        for (std::size_t k = 0; k < 3; ++k) joint.offset[k] = words.number("the offset");
        joint.first_channel = motion.channels;
        if (!end && words.at("CHANNELS")) {
            words.next();
            std::size_t const n = words.count("channels");
            if (n > 6) throw bvh_error(words.line(), "expected at most 6 channels but found " + std::to_string(n));
            for (std::size_t k = 0; k < n; ++k) {
                auto const c = detail::read_channel(words);
                for (auto const other : joint.channels)
                    if (other == c) throw bvh_error(words.line(), "expected each channel once but found one of joint '" + joint.name + "' twice");
                joint.channels.push_back(c);
            }
            motion.channels += n;
        }
        open.push_back(static_cast<int>(motion.joints.size()));
        motion.joints.push_back(std::move(joint));
    }
    words.expect("MOTION");
    words.expect("Frames");
    words.expect(":");
    motion.frames = words.count("frames");
    words.expect("Frame");
    words.expect("Time");
    words.expect(":");
    std::string const time = words.found();
    motion.frame_time = words.number("the frame time");
    if (!(motion.frame_time > 0)) throw bvh_error(words.line(), "expected a positive frame time but found " + time);
    // A frame is a line: so a line with a number too few is found where it stands, and not at the end of the file.
    std::string const per_line = std::to_string(motion.channels) + " numbers for frame ";
    for (std::size_t f = 0; f < motion.frames && motion.channels > 0; ++f) {
        if (words.peek().empty()) words.fail(std::to_string(motion.frames) + " frames, as the header says, of which this would be number " + std::to_string(f + 1) + ",");
        for (std::size_t c = 0; c < motion.channels; ++c) {
            if (c > 0 && words.at_end_of_line())
                throw bvh_error(words.line(), "expected " + per_line + std::to_string(f + 1) + " but found the end of the line after " + std::to_string(c));
            motion.values.push_back(words.number("a channel"));
        }
        if (!words.at_end_of_line()) words.fail("the end of the line after " + per_line + std::to_string(f + 1));
    }
    if (!words.peek().empty()) words.fail("the end of the file after " + std::to_string(motion.frames) + " frames");
    return motion;
}

/// Reads a BVH file from a stream, to its end. Throws bvh_error, or std::runtime_error if it cannot be read.
[[nodiscard]] inline bvh_motion read_bvh(std::istream& stream) {
    std::string const text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (stream.bad()) throw std::runtime_error("cannot read the BVH stream");
    return parse_bvh(text);
}

/// Reads a BVH file. Throws bvh_error, or std::runtime_error if it cannot be opened.
[[nodiscard]] inline bvh_motion load_bvh(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot open '" + path + "'");
    if (file.peek() == std::ifstream::traits_type::eof() && file.bad()) throw std::runtime_error("cannot read '" + path + "'");
    return read_bvh(file);
}

/// Where the joints are in the world.
struct bvh_pose {
    std::vector<vec3<double>> position;           ///< in the file's unit
    std::vector<quaternion<double>> rotation;     ///< joint to world
};

/// Rotation of a joint against its parent in a frame: the product of its rotation channels in the order of the file. Identity
/// if there is no such frame.
[[nodiscard]] inline quaternion<double> bvh_local_rotation(bvh_motion const& motion, std::size_t joint, std::size_t frame) {
    auto rotation = quaternion<double>::identity();
    auto const& j = motion.joints[joint];
    for (std::size_t k = 0; frame < motion.frames && k < j.channels.size(); ++k) {
        auto const c = static_cast<std::size_t>(j.channels[k]);
        if (c < 3) continue;
        vec3<double> angle{0, 0, 0};
        angle[c - 3] = motion.value(frame, j.first_channel + k) * (pi_v<double> / 180);
        rotation = rotation * quaternion_exp(angle);
    }
    return rotation;
}

/// Position of a joint in the axes of its parent in a frame: its offset, where no position channel replaces it. The offset if
/// there is no such frame.
//
// Some programs add position channels to the offset. They differ only for joints other than the root that have any, and those
// who write such files (Perception Neuron, MotionBuilder) mean the whole translation, as Blender reads it.
[[nodiscard]] inline vec3<double> bvh_local_position(bvh_motion const& motion, std::size_t joint, std::size_t frame) {
    auto const& j = motion.joints[joint];
    vec3<double> position = j.offset;
    for (std::size_t k = 0; frame < motion.frames && k < j.channels.size(); ++k) {
        auto const c = static_cast<std::size_t>(j.channels[k]);
        if (c < 3) position[c] = motion.value(frame, j.first_channel + k);
    }
    return position;
}

/// Positions and rotations of all joints: of a frame, or of the rest pose if there is no such frame.
[[nodiscard]] inline bvh_pose pose_of_frame(bvh_motion const& motion, std::size_t frame) {
    bvh_pose pose;
    pose.position.reserve(motion.joints.size());
    pose.rotation.reserve(motion.joints.size());
    for (std::size_t i = 0; i < motion.joints.size(); ++i) {
        vec3<double> position = bvh_local_position(motion, i, frame);
        quaternion<double> rotation = bvh_local_rotation(motion, i, frame);
        if (motion.joints[i].parent >= 0) {
            auto const p = static_cast<std::size_t>(motion.joints[i].parent);
            position = pose.position[p] + rotate(pose.rotation[p], position);
            rotation = normalize(pose.rotation[p] * rotation);
        }
        pose.position.push_back(position);
        pose.rotation.push_back(rotation);
    }
    return pose;
}

}  // namespace sinew::inline v0
