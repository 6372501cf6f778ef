// sinew 0.1.0: readers and writers for hosted systems, on top of sinew.hpp.
// Made from include/ by tests/amalgamate/amalgamate.cpp: change it there.
//
// MIT License
//
// Copyright (c) 2026 The sinew authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <istream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "sinew.hpp"

#if defined(__GNUC__) && !defined(__clang__)
// g++ takes names of your globals for shadowed by those within templates of a header.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

// ---- sinew/io/bvh.hpp
// Motion capture in the BVH format: a hierarchy of joints, each with an offset from its parent and channels, then one
// line of numbers a frame (Meredith and Maddock 2001, Motion Capture File Formats Explained).
//
// Lengths are in the file's own unit, angles in degrees as written. Joints come in the order of the file, parents first.
// Reading needs no recursion, so a hierarchy may be as deep as memory allows, and time and memory grow with the text, never
// with a count that the text claims. Keywords may be in any case, and a joint need not have children or an end site.

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

// ---- sinew/io/page.hpp
// The page that a recorder writes: style, structure and script, without anything from the network.
//
// The script draws on a 2D canvas with its own perspective, farthest first, so that it looks the same wherever there
// is a browser, with or without a graphics processor.

namespace sinew::inline v0 {

namespace detail {

inline constexpr std::string_view page_style = R"css(
:root{color-scheme:light dark;--bg:#f7f7f5;--panel:#fff;--ink:#1c1f24;--soft:#5b626d;--line:#d9dbd6;--grid:#e4e5e0;--floor:#b9c1c9;--accent:#0b62a8;--sky0:#f3f5f7;--sky1:#dfe5ea;--shadow:40,48,60}
@media (prefers-color-scheme:dark){:root{--bg:#14171b;--panel:#1b1f25;--ink:#e8eaed;--soft:#a3abb6;--line:#343a43;--grid:#2a3038;--floor:#46525f;--accent:#6db7ff;--sky0:#20262e;--sky1:#14181d;--shadow:0,0,0}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1180px;margin:0 auto;padding:16px 20px 32px}
h1{font-size:1.25rem;font-weight:650;margin:0 0 10px;letter-spacing:-.01em}
h2{font-size:.95rem;font-weight:600;margin:0 0 2px}
.stage{position:relative;background:var(--panel);border:1px solid var(--line);border-radius:10px;overflow:hidden}
#view{display:block;width:100%;height:min(56vh,560px);min-height:300px;touch-action:none;cursor:grab}
#view:active{cursor:grabbing}
#clock{position:absolute;left:14px;top:10px;font-variant-numeric:tabular-nums;color:var(--soft);pointer-events:none}
.controls{display:flex;flex-wrap:wrap;gap:8px;align-items:center;padding:8px 10px;border-top:1px solid var(--line)}
button,select{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line);border-radius:7px;min-height:36px;min-width:40px;padding:4px 11px;cursor:pointer}
button:hover,select:hover{border-color:var(--soft)}
#play{min-width:76px;background:var(--accent);border-color:var(--accent);color:var(--panel);font-weight:600}
#scrub{flex:1 1 220px;min-width:140px;accent-color:var(--accent);height:28px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
label{color:var(--soft)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:14px;margin-top:14px}
.charts.pairs{grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr))}
figure{margin:0;background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:10px 12px 8px}
figure canvas{display:block;width:100%;height:210px;touch-action:pan-y;border-radius:4px}
.legend{display:flex;flex-wrap:wrap;gap:2px 14px;color:var(--soft);font-size:.86rem;font-variant-numeric:tabular-nums;min-height:1.4em}
.legend svg{vertical-align:middle;margin-right:5px}
table{border-collapse:separate;border-spacing:0;overflow:hidden;margin-top:14px;background:var(--panel);border:1px solid var(--line);border-radius:10px;width:100%;font-size:.92rem}
th,td{text-align:left;padding:5px 12px;border-top:1px solid var(--line);vertical-align:top}
tr:first-child>*{border-top:0}
th{font-weight:500;color:var(--soft);width:38%}
td{font-variant-numeric:tabular-nums}
.keys{color:var(--soft);font-size:.86rem;margin:12px 2px 0}
kbd{font:inherit;border:1px solid var(--line);border-radius:4px;padding:0 5px;background:var(--panel)}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media (max-width:520px){main{padding:10px 10px 24px}h1{font-size:1.1rem}#view{height:46vh}figure canvas{height:180px}.controls{gap:6px;justify-content:space-between}#scrub{order:-1;flex-basis:100%}button,select{min-width:36px;padding:4px 8px}#play{min-width:64px}#word{display:none}}
)css";

inline constexpr std::string_view page_body = R"html(
<main>
<h1 id="title"></h1>
<section class="stage" aria-label="Three-dimensional view">
<canvas id="view" tabindex="0" role="img" aria-label="Bodies in motion. Drag to orbit, use the arrow keys to turn the camera, plus and minus to zoom."></canvas>
<div id="clock" aria-hidden="true"></div>
<div class="controls">
<button id="play" aria-label="Play or pause">Play</button>
<button id="back" aria-label="One frame back">&#8249;</button>
<button id="next" aria-label="One frame on">&#8250;</button>
<input id="scrub" type="range" min="0" max="0" step="1" value="0" aria-label="Time">
<label><span id="word">Speed </span><select id="speed" aria-label="Speed"><option value="0.1">0.1x</option><option value="0.25">0.25x</option><option value="0.5">0.5x</option><option value="1" selected>1x</option><option value="2">2x</option><option value="4">4x</option></select></label>
<button id="home" aria-label="Reset the view">Reset</button>
</div>
</section>
<div class="charts" id="charts"></div>
<table id="summary"><caption class="hidden">Summary of the run</caption><tbody></tbody></table>
<p class="keys">Keys: <kbd>space</kbd> play or pause, <kbd>,</kbd> <kbd>.</kbd> one frame, arrows orbit, <kbd>shift</kbd> + arrows pan, <kbd>+</kbd> <kbd>&minus;</kbd> zoom, <kbd>home</kbd> reset. Drag to orbit, right drag or two fingers to pan, wheel or pinch to zoom. In a plot, arrows move the time.</p>
</main>
)html";

inline constexpr std::string_view page_script_view = R"js(
'use strict';
const floats=s=>{const b=atob(s),u=new Uint8Array(b.length);for(let i=0;i<b.length;i++)u[i]=b.charCodeAt(i);return new Float32Array(u.buffer)};
const D=JSON.parse(document.getElementById('data').textContent);
const T=floats(D.times),X=floats(D.state),N=T.length;
const $=i=>document.getElementById(i);
$('title').textContent=D.title;document.title=D.title;
const css=n=>getComputedStyle(document.documentElement).getPropertyValue(n).trim();
const palette=['#3b7cb8','#d9822b','#4a9e6b','#b5504f','#8067a9','#8c7356','#c06fa4','#7d8590','#a8a33f','#3fa3b0'];
let theme={};
const readTheme=()=>{for(const n of ['bg','panel','ink','soft','line','grid','floor','accent','sky0','sky1','shadow'])theme[n]=css('--'+n)};
readTheme();
// ---- vectors
const add=(a,b)=>[a[0]+b[0],a[1]+b[1],a[2]+b[2]],sub=(a,b)=>[a[0]-b[0],a[1]-b[1],a[2]-b[2]],mul=(a,k)=>[a[0]*k,a[1]*k,a[2]*k];
const dot=(a,b)=>a[0]*b[0]+a[1]*b[1]+a[2]*b[2],cross=(a,b)=>[a[1]*b[2]-a[2]*b[1],a[2]*b[0]-a[0]*b[2],a[0]*b[1]-a[1]*b[0]];
const len=a=>Math.sqrt(dot(a,a)),unit=a=>mul(a,1/(len(a)||1));
const turn=(q,v)=>{const u=[q[1],q[2],q[3]],t=mul(cross(u,v),2);return add(add(v,mul(t,q[0])),cross(u,t))};
// ---- state of shape i at frame f
const times=(a,b)=>{const v=cross([a[1],a[2],a[3]],[b[1],b[2],b[3]]);return [a[0]*b[0]-a[1]*b[1]-a[2]*b[2]-a[3]*b[3],...[0,1,2].map(k=>a[0]*b[k+1]+b[0]*a[k+1]+v[k])]};
const at=(i,f)=>{const s=D.shapes[i],o=f*D.stride+s.at;let p=[0,0,0],q=[1,0,0,0];if(s.at>=0){p=[X[o],X[o+1],X[o+2]];if(s.turns)q=[X[o+3],X[o+4],X[o+5],X[o+6]]}
if(s.local){p=add(p,turn(q,s.local));q=times(q,s.local.slice(3))}return {p,q}};
const M=(D.meshes||[]).map(m=>{const v=floats(m.points),points=[];for(let i=0;i<v.length;i+=3)points.push([v[i],v[i+1],v[i+2]]);return {...m,points,reach:Math.max(...points.map(len))}});
const C=D.contacts?floats(D.contacts):[];
// the height of its lowest point
const lowest=(s,o)=>{if(s.mesh>=0){let y=1e30;for(const v of M[s.mesh].points)y=Math.min(y,turn(o.q,v)[1]);return o.p[1]+y}const y=k=>{const e=[0,0,0];e[k]=1;return turn(o.q,e)[1]};return s.kind==='box'?o.p[1]-Math.abs(y(0))*s.size[0]-Math.abs(y(1))*s.size[1]-Math.abs(y(2))*s.size[2]:s.kind==='capsule'?o.p[1]-s.size[0]-Math.abs(y(1))*s.size[1]:s.kind==='cylinder'?o.p[1]-Math.abs(y(1))*s.size[1]-Math.sqrt(Math.max(0,1-y(1)**2))*s.size[0]:s.kind==='marker'?o.p[1]:o.p[1]-s.size[0]};
// ---- camera
// It begins where it just sees all that is met: balls around the shapes in some sixty frames, and every curve.
const reach=s=>s.mesh>=0?M[s.mesh].reach:s.kind==='capsule'?s.size[0]+s.size[1]:s.kind==='marker'?0:Math.hypot(...s.size);
const seen=[];
for(let f=0;f<N;f+=Math.max(1,Math.floor(N/60)))D.shapes.forEach((s,i)=>{if(s.kind==='plane')return;const o=at(i,f),p=o.p;if(s.at<0){if(f)return;const put=v=>{const w=add(p,turn(o.q,v));seen.push([w,0,w[1]])};
if(s.kind==='box'){for(const x of [-1,1])for(const y of [-1,1])for(const z of [-1,1])put([x*s.size[0],y*s.size[1],z*s.size[2]]);return}if(s.mesh>=0){M[s.mesh].points.forEach(put);return}}
if(isFinite(p[0]+p[1]+p[2]))seen.push([p,reach(s),lowest(s,at(i,f))])});
D.curves.forEach(c=>c.points.forEach(p=>seen.push([p,0,p[1]])));
let lo=[1e30,1e30,1e30],hi=[-1e30,-1e30,-1e30],under=1e30;
for(const [p,r,y] of seen){under=Math.min(under,y);for(let k=0;k<3;k++){lo[k]=Math.min(lo[k],p[k]-r);hi[k]=Math.max(hi[k],p[k]+r)}}
if(!seen.length){lo=[-1,-1,-1];hi=[1,1,1];under=-1}
const middle=D.follow?[0,0,0]:mul(add(lo,hi),.5),radius=D.follow?D.follow[1]:Math.max(.5*len(sub(hi,lo)),1e-3),floor=D.ground===null?under:D.ground;
if(D.follow)seen.splice(0,seen.length,[[0,0,0],radius]);
else if(D.ground===null)for(const q of seen.slice())if(q[1])seen.push([[q[0][0],floor,q[0][2]],0]); // its shadow
// It may go with a shape: what it sees first is then a ball around that.
const anchor=f=>D.follow?at(D.follow[0],f).p:[0,0,0];
let cam={yaw:D.view[0],pitch:D.view[1],distance:radius*1.8,target:middle},moved=false;
const home=()=>{cam={yaw:D.view[0],pitch:D.view[1],distance:radius*1.8,target:middle.slice()};moved=false;const mx=.46*W/scale,my=.43*H/scale;
for(let k=0;k<6&&seen.length;k++){aim();let d=radius*.3,x0=1e30,x1=-1e30,y0=1e30,y1=-1e30;const all=seen.map(([p,r])=>{const v=sub(p,cam.target);return [dot(v,right),dot(v,up),dot(v,ahead),r]});
for(const [x,y,z,r] of all)d=Math.max(d,(Math.abs(x)+r)/mx-z,(Math.abs(y)+r)/my-z);cam.distance=d;
for(const [x,y,z,r] of all){x0=Math.min(x0,(x-r)/(d+z));x1=Math.max(x1,(x+r)/(d+z));y0=Math.min(y0,(y-r)/(d+z));y1=Math.max(y1,(y+r)/(d+z))}
if(k<5)cam.target=add(cam.target,add(mul(right,d*(x0+x1)/2),mul(up,d*(y0+y1)/2)))}};
const view=$('view'),g=view.getContext('2d');
let W=0,H=0,scale=1;
const fit=()=>{const r=view.getBoundingClientRect(),d=Math.min(window.devicePixelRatio||1,2);W=r.width;H=r.height;view.width=Math.round(W*d);view.height=Math.round(H*d);g.setTransform(d,0,0,d,0,0);scale=Math.min(W,H*1.35)*.95};
let eye,right,up,ahead,look,frame=0;
const aim=()=>{const c=Math.cos(cam.pitch),s=Math.sin(cam.pitch);ahead=[-Math.sin(cam.yaw)*c,-s,-Math.cos(cam.yaw)*c];right=unit(cross(ahead,[0,1,0]));up=cross(right,ahead);look=add(cam.target,anchor(frame));eye=sub(look,mul(ahead,cam.distance))};
const project=p=>{const d=sub(p,eye),z=Math.max(dot(d,ahead),radius*1e-3),k=scale/z;return [W/2+dot(d,right)*k,H/2-dot(d,up)*k,z,k]};
const light=unit([.45,.85,.35]);
const shade=(hex,k)=>{const n=parseInt(hex.slice(1),16),c=v=>Math.max(0,Math.min(255,Math.round(k<1?v*k:v+(255-v)*(k-1))));return `rgb(${c(n>>16)},${c(n>>8&255)},${c(n&255)})`};
const lit=n=>.62+.46*Math.max(0,dot(n,light))+.08*n[1];
// ---- shapes as things to paint
const hullOf=(a,b,ra,rb)=>{const dx=b[0]-a[0],dy=b[1]-a[1],d=Math.hypot(dx,dy);const path=new Path2D();if(d<Math.abs(ra-rb)+1e-6){const m=ra>rb?[a,ra]:[b,rb];path.arc(m[0][0],m[0][1],m[1],0,7);return path}
const t=Math.atan2(dy,dx),o=Math.acos(Math.max(-1,Math.min(1,(ra-rb)/d)));path.arc(a[0],a[1],ra,t+o,t-o+2*Math.PI);path.arc(b[0],b[1],rb,t-o,t+o);path.closePath();return path};
const ball=(p,r,c)=>{const s=project(p),R=r*s[3];return {z:s[2]-r,draw(){const l=[dot(light,right)*R*.45,-dot(light,up)*R*.45],q=g.createRadialGradient(s[0]+l[0],s[1]+l[1],R*.05,s[0],s[1],R);q.addColorStop(0,shade(c,1.32));q.addColorStop(.55,shade(c,1));q.addColorStop(1,shade(c,.62));g.fillStyle=q;g.beginPath();g.arc(s[0],s[1],R,0,7);g.fill()}}};
const capsule=(a,b,r,c)=>{const A=project(a),B=project(b),ra=r*A[3],rb=r*B[3];return {z:(A[2]+B[2])/2,draw(){const path=hullOf(A,B,ra,rb),t=Math.atan2(B[1]-A[1],B[0]-A[0]),R=Math.max(ra,rb),n=[-Math.sin(t),Math.cos(t)],lx=dot(light,right),ly=-dot(light,up),side=n[0]*lx+n[1]*ly>=0?1:-1,m=[(A[0]+B[0])/2,(A[1]+B[1])/2];
const q=g.createLinearGradient(m[0]+n[0]*R*side,m[1]+n[1]*R*side,m[0]-n[0]*R*side,m[1]-n[1]*R*side);q.addColorStop(0,shade(c,1.02));q.addColorStop(.3,shade(c,1.26));q.addColorStop(.62,shade(c,.96));q.addColorStop(1,shade(c,.6));g.fillStyle=q;g.fill(path);g.strokeStyle=shade(c,.5);g.lineWidth=.7;g.globalAlpha=.5;g.stroke(path);g.globalAlpha=1}}};
const polygon=(points,c,n,edge)=>{const s=points.map(project);let z=0;for(const p of s)z+=p[2];z/=s.length;return {z,draw(){g.beginPath();s.forEach((p,i)=>i?g.lineTo(p[0],p[1]):g.moveTo(p[0],p[1]));g.closePath();g.fillStyle=shade(c,lit(n));g.fill();g.strokeStyle=edge?shade(c,lit(n)*.8):shade(c,lit(n));g.lineWidth=edge?1:.6;g.lineJoin='round';g.stroke()}}};
const facing=(p,n)=>dot(n,sub(eye,p))>0;
const boxFaces=[[0,1],[0,-1],[1,1],[1,-1],[2,1],[2,-1]];
const box=(s,o,c,out)=>{for(const [a,d] of boxFaces){const n=[0,0,0];n[a]=d;const N_=turn(o.q,n),centre=add(o.p,mul(N_,s[a]));if(!facing(centre,N_))continue;const u=[0,0,0],v=[0,0,0];u[(a+1)%3]=s[(a+1)%3];v[(a+2)%3]=s[(a+2)%3];const U=turn(o.q,u),V=turn(o.q,v);out.push(polygon([add(add(centre,U),V),add(sub(centre,U),V),sub(sub(centre,U),V),sub(add(centre,U),V)],c,N_,true))}};
const cylinder=(s,o,c,out)=>{const n=24,ring=[];for(let i=0;i<n;i++){const a=2*Math.PI*i/n;ring.push([Math.cos(a),Math.sin(a)])}const P=(i,y)=>add(o.p,turn(o.q,[ring[i%n][0]*s[0],y,ring[i%n][1]*s[0]]));for(let i=0;i<n;i++){const a=2*Math.PI*(i+.5)/n,m=turn(o.q,[Math.cos(a),0,Math.sin(a)]);if(facing(add(o.p,mul(m,s[0])),m))out.push(polygon([P(i,-s[1]),P(i+1,-s[1]),P(i+1,s[1]),P(i,s[1])],c,m,false))}
for(const d of [1,-1]){const m=turn(o.q,[0,d,0]);if(facing(add(o.p,mul(m,s[1])),m)){const f=[];for(let i=0;i<n;i++)f.push(P(i,d*s[1]));out.push(polygon(f,c,m,true))}}};
// lines pale with distance
const blend=(a,b,k)=>{const n=parseInt(a.slice(1),16),m=parseInt(b.slice(1),16),c=s=>Math.round((n>>s&255)*(1-k)+(m>>s&255)*k);return `rgb(${c(16)},${c(8)},${c(0)})`};
const line=(points,c,w)=>{const out=[];for(let i=0;i+1<points.length;i++){const a=project(points[i]),b=project(points[i+1]);out.push({z:(a[2]+b[2])/2,draw(){g.strokeStyle=blend(c,theme.sky1,Math.max(0,Math.min(.75,.4+.4*((a[2]+b[2])/2-cam.distance)/radius)));g.lineWidth=w;g.lineCap='round';g.beginPath();g.moveTo(a[0],a[1]);g.lineTo(b[0],b[1]);g.stroke()}})}return out};
const flat=p=>[p[0],floor,p[2]];
// all shadows are one path, so that they do not darken each other
const shadowOf=(i,f,all)=>{const s=D.shapes[i],o=at(i,f);if(s.kind==='marker'||s.kind==='plane'||s.mesh>=0&&!M[s.mesh].convex||!isFinite(o.p[0]))return;const r=s.size[0];
if(s.kind==='capsule'){const e=turn(o.q,[0,s.size[1],0]),A=project(flat(add(o.p,e))),B=project(flat(sub(o.p,e)));all.addPath(hullOf(A,B,s.size[0]*A[3],s.size[0]*B[3]));return}
let pts=[];if(s.mesh>=0)pts=M[s.mesh].points.map(v=>flat(add(o.p,turn(o.q,v))));else if(s.kind==='box')for(const x of [-1,1])for(const y of [-1,1])for(const z of [-1,1])pts.push(flat(add(o.p,turn(o.q,[x*s.size[0],y*s.size[1],z*s.size[2]]))));
else if(s.kind==='cylinder')for(let k=0;k<16;k++)for(const y of [-1,1])pts.push(flat(add(o.p,turn(o.q,[Math.cos(k*.3927)*s.size[0],y*s.size[1],Math.sin(k*.3927)*s.size[0]]))));
else for(let k=0;k<14;k++)pts.push([o.p[0]+Math.cos(k*.4488)*r,floor,o.p[2]+Math.sin(k*.4488)*r]);
let q=pts.map(project).map(p=>[p[0],p[1]]).sort((a,b)=>a[0]-b[0]||a[1]-b[1]);const half=l=>{const h=[];for(const p of l){while(h.length>1&&(h[h.length-1][0]-h[h.length-2][0])*(p[1]-h[h.length-2][1])-(h[h.length-1][1]-h[h.length-2][1])*(p[0]-h[h.length-2][0])<=0)h.pop();h.push(p)}h.pop();return h};const hull=half(q).concat(half(q.reverse()));if(hull.length>2){hull.forEach((p,k)=>k?all.lineTo(p[0],p[1]):all.moveTo(p[0],p[1]));all.closePath()}};
// ---- solids: each is drawn whole, in an order that their faces tell
// What lies outside of a face that is seen is before the solid; outside of one that is not seen, behind it.
const outward=p=>{let n=[0,0,0];for(let i=0;i<p.length;i++)n=add(n,cross(sub(p[i],p[0]),sub(p[(i+1)%p.length],p[0])));return unit(n)};
const mix=(c,k)=>{const n=parseInt(c.slice(1),16),m=[138,146,156];return '#'+[16,8,0].map((b,i)=>Math.round((n>>b&255)*(1-k)+m[i]*k).toString(16).padStart(2,'0')).join('')};
const solid=(pts,r,planes,things,one)=>{let x0=1e30,x1=-1e30,y0=1e30,y1=-1e30,z=0,c=[0,0,0];for(const p of pts){const q=project(p),k=r*q[3];x0=Math.min(x0,q[0]-k);x1=Math.max(x1,q[0]+k);y0=Math.min(y0,q[1]-k);y1=Math.max(y1,q[1]+k);z+=q[2]/pts.length;c=add(c,mul(p,1/pts.length))}
let size=r;for(const p of pts)size=Math.max(size,r+len(sub(p,c)));return {z,pts,r,planes,one,size,x0,x1,y0,y1,draw(){for(const t of things)t.draw()}}};
const cut=(planes,pts,r,e,one,way,seen)=>{for(const [n,p,f] of planes){let a=1e30,b=-1e30;for(const q of pts){const d=dot(n,sub(q,p));a=Math.min(a,d);b=Math.max(b,d)}if(a-r>-e)seen[f?way:-way]=1;else if(one&&b+r<e)seen[f?-way:way]=1}};
// What is both before and behind another does not cover it, nor is covered.
const after=(a,b)=>{const e=.03*Math.min(a.size,b.size),seen={};cut(b.planes,a.pts,a.r,e,b.one,1,seen);cut(a.planes,b.pts,b.r,e,a.one,-1,seen);return (seen[1]||0)-(seen[-1]||0)};
const solids=(s,o,c,out)=>{const things=[],plane=(n,p)=>[n,p,facing(p,n)];
if(s.kind==='sphere'){out.push(solid([o.p],s.size[0],[],[ball(o.p,s.size[0],c)]));return}
if(s.kind==='capsule'){const e=turn(o.q,[0,s.size[1],0]),a=add(o.p,e),b=sub(o.p,e);out.push(solid([a,b],s.size[0],[],[capsule(a,b,s.size[0],c)]));return}
if(s.kind==='box'){const pts=[],planes=[];for(const x of [-1,1])for(const y of [-1,1])for(const z of [-1,1])pts.push(add(o.p,turn(o.q,[x*s.size[0],y*s.size[1],z*s.size[2]])));for(const [a,d] of boxFaces){const n=[0,0,0];n[a]=d;const m=turn(o.q,n);planes.push(plane(m,add(o.p,mul(m,s.size[a]))))}box(s.size,o,c,things);out.push(solid(pts,0,planes,things));return}
if(s.kind==='cylinder'){const pts=[],planes=[];for(let k=0;k<24;k++){const a=k*Math.PI/12,u=[Math.cos(a),0,Math.sin(a)],m=turn(o.q,u);planes.push(plane(m,add(o.p,mul(m,s.size[0]))));for(const y of [-1,1])pts.push(add(o.p,turn(o.q,[u[0]*s.size[0],y*s.size[1],u[2]*s.size[0]])))}for(const y of [-1,1]){const m=turn(o.q,[0,y,0]);planes.push(plane(m,add(o.p,mul(m,s.size[1]))))}cylinder(s.size,o,c,things);out.push(solid(pts,0,planes,things));return}
const m=M[s.mesh],at=s.at<0&&s.placed||m.points.map(v=>add(o.p,turn(o.q,v))),planes=[];if(s.at<0)s.placed=at;
for(const [faces,edge] of [[m.sharp,true],[m.smooth,false]])for(const f of faces){const p=f.map(i=>at[i]),n=outward(p),w=plane(n,p[0]);
if(m.convex){planes.push(w);if(w[2])things.push(polygon(p,c,n,edge))}
else if(p.every(q=>dot(sub(q,eye),ahead)>radius*.02))out.push(solid(p,0,[w],[polygon(p,c,w[2]?n:mul(n,-1),edge)],true))}
if(m.convex)out.push(solid(at,0,planes,things))};
const ordered=all=>{all.sort((a,b)=>b.z-a.z);const first=all.map(()=>[]),out=[],done=new Uint8Array(all.length);
for(let i=0;i<all.length;i++){const a=all[i];if(!a.pts)continue;for(let j=i+1;j<all.length;j++){const b=all[j];if(!b.pts||a.one&&b.one||a.x1<b.x0||b.x1<a.x0||a.y1<b.y0||b.y1<a.y0)continue;const k=after(b,a);if(k<0)first[i].push(j);else if(k>0)first[j].push(i)}}
const visit=i=>{if(done[i])return;done[i]=1;for(const j of first[i])visit(j);out.push(all[i])};for(let i=0;i<all.length;i++)visit(i);return out};
const grid=(o,things)=>{const cell=nice(radius/3),n=7,u=turn(o.q,[1,0,0]),v=turn(o.q,[0,0,1]),d=sub(look,o.p),cu=Math.round(dot(d,u)/cell)*cell,cv=Math.round(dot(d,v)/cell)*cell,P=(i,j)=>add(o.p,add(mul(u,cu+i*cell),mul(v,cv+j*cell)));
for(let i=-n;i<=n;i++)for(let j=-n;j<n;j++)for(const w of [0,1]){const q=w?[P(i,j),P(i,j+1)]:[P(j,i),P(j+1,i)];if(Math.hypot(i,j+.5)<n&&q.every(p=>dot(sub(p,eye),ahead)>radius*.02))things.push(...line(q,theme.floor,1).map(t=>({...t,z:1e9})))}};
const nice=x=>{const e=Math.pow(10,Math.floor(Math.log10(x))),m=x/e;return (m<1.5?1:m<3.5?2:m<7.5?5:10)*e};
const drawGround=()=>{const cell=nice(radius/3),n=7,cx=Math.round(look[0]/cell)*cell,cz=Math.round(look[2]/cell)*cell;if(eye[1]<floor)return;
for(let i=-n;i<=n;i++)for(const way of [0,1]){for(let j=-n;j<n;j++){const P=(u,v)=>way?[cx+u*cell,floor,cz+v*cell]:[cx+v*cell,floor,cz+u*cell];const d=Math.hypot(i,j+.5)/n;if(d>1)continue;const a=P(i,j),b=P(i,j+1);if(dot(sub(a,eye),ahead)<radius*.02||dot(sub(b,eye),ahead)<radius*.02)continue;const A=project(a),B=project(b);g.strokeStyle=theme.floor;g.globalAlpha=(1-d)*.9;g.lineWidth=1;g.beginPath();g.moveTo(A[0],A[1]);g.lineTo(B[0],B[1]);g.stroke()}}g.globalAlpha=1};
const draw=()=>{aim();const sky=g.createLinearGradient(0,0,0,H);sky.addColorStop(0,theme.sky0);sky.addColorStop(1,theme.sky1);g.fillStyle=sky;g.fillRect(0,0,W,H);if(!N)return;drawGround();
if(eye[1]>floor){const all=new Path2D();D.shapes.forEach((s,i)=>shadowOf(i,frame,all));D.triangles.forEach(t=>{const q=t.ids.map(i=>project(flat(at(i,frame).p)));if((q[1][0]-q[0][0])*(q[2][1]-q[0][1])<(q[1][1]-q[0][1])*(q[2][0]-q[0][0]))q.reverse();q.forEach((p,k)=>k?all.lineTo(p[0],p[1]):all.moveTo(p[0],p[1]));all.closePath()});g.fillStyle=`rgba(${theme.shadow},.2)`;g.fill(all)}
const things=[];
D.shapes.forEach((s,i)=>{const o=at(i,frame);if(!isFinite(o.p[0]))return;let c=s.color||palette[(s.group??i)%palette.length];
if(s.rests&&X[frame*D.stride+s.at+7])c=mix(c,.6);
if(s.kind==='plane')grid(o,things);else if(D.solid&&!['marker','point'].includes(s.kind))solids(s,o,c,things);
else if(s.kind==='sphere'||s.kind==='point')things.push(ball(o.p,s.size[0],c));
else if(s.kind==='capsule'){const e=turn(o.q,[0,s.size[1],0]);things.push(capsule(add(o.p,e),sub(o.p,e),s.size[0],c))}
else if(s.kind==='box')box(s.size,o,c,things);
else if(s.kind==='cylinder')cylinder(s.size,o,c,things);
else if(s.kind==='marker'){const p=project(o.p),r=Math.max(2,Math.min(4.5,s.size[0]*p[3]));things.push({z:p[2]-radius*.5,draw(){g.beginPath();g.arc(p[0],p[1],r,0,7);g.fillStyle=theme.panel;g.fill();g.lineWidth=1.6;g.strokeStyle=c;g.stroke()}})}});
D.lines.forEach(l=>things.push(...line(l.ids.map(i=>at(i,frame).p),l.color||theme.soft,l.width)));
D.triangles.forEach(t=>{const p=t.ids.map(i=>at(i,frame).p),n=unit(cross(sub(p[1],p[0]),sub(p[2],p[0]))),m=facing(p[0],n)?n:mul(n,-1);things.push(polygon(p,t.color||palette[0],m,true))});
D.curves.forEach(c=>things.push(...line(c.points,c.color||theme.soft,1.5)));
if(D.solid)for(const t of ordered(things))t.draw();else{things.sort((a,b)=>b.z-a.z);for(const t of things)t.draw()}
if(C.length){g.fillStyle='#d9534f';for(let k=D.met[frame];k<D.met[frame+1];k++){const p=project([C[3*k],C[3*k+1],C[3*k+2]]);g.beginPath();g.arc(p[0],p[1],2.4,0,7);g.fill()}}
$('clock').textContent=T[frame].toFixed(2)+' s'};
)js";

inline constexpr std::string_view page_script_plots = R"js(
// ---- plots
const dashes=[[],[7,4],[2,3],[9,3,2,3],[4,2],[12,4]],lineColours=['#2f77b5','#d9822b','#3f9a68','#b5504f','#8067a9','#8c7356'];
const text=x=>{if(!isFinite(x))return '\u2013';if(x===0)return '0';const a=Math.abs(x);return a>=1e4||a<1e-3?x.toExponential(2).replace('e+','e'):parseFloat(x.toPrecision(4)).toString()};
const plots=D.charts.map((c,n)=>{const fig=document.createElement('figure'),h=document.createElement('h2'),canvas=document.createElement('canvas'),legend=document.createElement('div');h.textContent=c.name;legend.className='legend';legend.setAttribute('aria-live','off');canvas.tabIndex=0;canvas.setAttribute('role','img');
const series=c.series.map((s,i)=>({name:s.name,y:floats(s.values),colour:lineColours[i%6],dash:dashes[i%6]}));
const values=[];for(const s of series)for(const v of s.y)if(isFinite(v)&&(!c.log||v>0))values.push(v);values.sort((a,b)=>a-b);
// a few values far below the others, as rounding in the first frames, do not stretch a logarithmic axis
let lo=values.length?values[c.log?Math.floor(values.length*.02):0]:Infinity,hi=values.length?values[values.length-1]:-Infinity;
if(!(hi>=lo)){lo=c.log?1e-3:0;hi=1}
if(c.log){lo=Math.max(lo,hi*1e-12);lo=Math.floor(Math.log10(lo)+1e-9);hi=Math.ceil(Math.log10(hi)-1e-9);if(hi<=lo)hi=lo+1}else{const size=Math.max(Math.abs(lo),Math.abs(hi));if(hi-lo<=1e-5*size||hi===lo){const pad=size*1e-3||1;lo-=pad;hi+=pad}else{const pad=(hi-lo)*.06;lo-=pad;hi+=pad}}
canvas.setAttribute('aria-label',c.name+' over time; '+series.map(s=>s.name+': from '+text(s.y[0])+' to '+text(s.y[s.y.length-1])).join('; ')+'. Arrow keys move the time.');
series.forEach(s=>{const e=document.createElement('span');e.innerHTML=`<svg width="22" height="8" aria-hidden="true"><line x1="0" y1="4" x2="22" y2="4" stroke="${s.colour}" stroke-width="2.2" stroke-dasharray="${s.dash.join(' ')}"/></svg>`;s.label=document.createElement('span');e.append(s.label);legend.append(e)});
fig.append(h,legend,canvas);$('charts').append(fig);
const k=canvas.getContext('2d');let w=0,hgt=0,L=58;const R=10,Tp=8,B=26;
const px=t=>L+(w-L-R)*(t-T[0])/((T[N-1]-T[0])||1),py=v=>Tp+(hgt-Tp-B)*(1-((c.log?Math.log10(v):v)-lo)/(hi-lo));
const resize=()=>{const r=canvas.getBoundingClientRect(),d=Math.min(window.devicePixelRatio||1,2);w=r.width;hgt=r.height;canvas.width=Math.round(w*d);canvas.height=Math.round(hgt*d);k.setTransform(d,0,0,d,0,0)};
const paint=()=>{k.clearRect(0,0,w,hgt);k.font='11.5px system-ui,sans-serif';k.lineWidth=1;k.textBaseline='middle';k.textAlign='right';
const ticks=[];if(c.log){const step=Math.max(1,Math.ceil((hi-lo)/5));for(let e=Math.ceil(lo/step)*step;e<=hi;e+=step)ticks.push([Math.pow(10,e),e?'1e'+e:'1'])}else{const step=nice((hi-lo)/4),size=Math.max(Math.abs(lo),Math.abs(hi)),digits=Math.max(0,Math.min(12,-Math.floor(Math.log10(step)+1e-9)));for(let v=Math.ceil(lo/step)*step;v<=hi+step*1e-6;v+=step){const z=Math.abs(v)<step*1e-6?0:v;ticks.push([z,z&&(step<1e-4&&size<1e-2||step>=1e4)?parseFloat(z.toPrecision(6)).toExponential().replace('e+','e'):z?z.toFixed(digits):'0'])}}
L=14+Math.max(20,...ticks.map(t=>k.measureText(t[1]).width));
for(const [v,s] of ticks){const y=py(v);k.strokeStyle=theme.grid;k.beginPath();k.moveTo(L,y);k.lineTo(w-R,y);k.stroke();k.fillStyle=theme.soft;k.fillText(s,L-7,y)}
k.textAlign='center';k.textBaseline='top';const ts=nice((T[N-1]-T[0])/5||1);for(let t=Math.ceil(T[0]/ts)*ts;t<=T[N-1]+1e-9;t+=ts){const x=px(t);k.strokeStyle=theme.grid;k.beginPath();k.moveTo(x,Tp);k.lineTo(x,hgt-B);k.stroke();k.fillStyle=theme.soft;k.fillText(parseFloat(t.toFixed(6))+' s',Math.min(x,w-R-8),hgt-B+6)}
k.save();k.beginPath();k.rect(L,Tp-2,w-L-R+1,hgt-Tp-B+4);k.clip();
for(const s of series){k.strokeStyle=s.colour;k.lineWidth=1.8;k.setLineDash(s.dash);k.lineJoin='round';k.beginPath();let pen=false;const m=Math.max(1,Math.floor(N/(2*w)));for(let i=0;i<N;i+=m){const v=s.y[i];if(!isFinite(v)||(c.log&&!(v>0))){pen=false;continue}const x=px(T[i]),y=py(v);pen?k.lineTo(x,y):k.moveTo(x,y);pen=true}k.stroke()}
k.restore();k.setLineDash([]);const x=px(T[frame]);k.strokeStyle=theme.ink;k.globalAlpha=.55;k.lineWidth=1;k.beginPath();k.moveTo(x,Tp);k.lineTo(x,hgt-B);k.stroke();k.globalAlpha=1;
for(const s of series){const v=s.y[frame];s.label.textContent=s.name+'  '+text(v);if(isFinite(v)&&(!c.log||v>0)){k.fillStyle=s.colour;k.beginPath();k.arc(x,Math.max(Tp,Math.min(hgt-B,py(v))),3.2,0,7);k.fill()}}};
const seek=e=>{const r=canvas.getBoundingClientRect(),u=(e.clientX-r.left-L)/(w-L-R);show(nearest(T[0]+u*(T[N-1]-T[0])));pause()};
canvas.addEventListener('pointerdown',e=>{canvas.setPointerCapture(e.pointerId);seek(e)});canvas.addEventListener('pointermove',e=>{if(e.buttons&1)seek(e)});
canvas.addEventListener('keydown',e=>{const d={ArrowRight:1,ArrowLeft:-1,ArrowUp:10,ArrowDown:-10,PageUp:-30,PageDown:30}[e.key];if(d){pause();show(frame+d)}else if(e.key==='Home'){pause();show(0)}else if(e.key==='End'){pause();show(N-1)}else return;e.preventDefault();e.stopPropagation()});
return {resize,paint}});
// ---- time
const nearest=t=>{let a=0,b=N-1;while(a<b){const m=(a+b)>>1;T[m]<t?a=m+1:b=m}return a>0&&t-T[a-1]<T[a]-t?a-1:a};
const show=f=>{frame=Math.max(0,Math.min(N-1,f));$('scrub').value=frame;$('scrub').setAttribute('aria-valuetext',T[frame].toFixed(2)+' seconds');draw();for(const p of plots)p.paint()};
let playing=false,started=0,from=0;
const pause=()=>{playing=false;$('play').textContent='Play'};
const tick=now=>{if(!playing)return;const t=from+(now-started)/1000*parseFloat($('speed').value);if(t>=T[N-1]){show(N-1);pause();return}show(nearest(t));requestAnimationFrame(tick)};
const play=()=>{if(!N)return;if(frame>=N-1)show(0);playing=true;from=T[frame];started=performance.now();$('play').textContent='Pause';requestAnimationFrame(tick)};
const toggle=()=>playing?pause():play();
$('play').onclick=toggle;$('back').onclick=()=>{pause();show(frame-1)};$('next').onclick=()=>{pause();show(frame+1)};
$('scrub').max=Math.max(0,N-1);$('scrub').oninput=e=>{pause();show(+e.target.value)};
$('speed').onchange=()=>{if(playing){from=T[frame];started=performance.now()}};
$('home').onclick=()=>{home();draw()};
// ---- camera by pointer, touch and keys
const orbit=(dx,dy)=>{moved=true;cam.yaw-=dx*.008;cam.pitch=Math.max(-1.5,Math.min(1.5,cam.pitch+dy*.008))};
const pan=(dx,dy)=>{moved=true;const k=cam.distance/scale;cam.target=add(cam.target,add(mul(right,-dx*k),mul(up,dy*k)))};
const zoom=k=>{moved=true;cam.distance=Math.max(radius*.05,Math.min(radius*40,cam.distance*k))};
const fingers=new Map();
view.addEventListener('pointerdown',e=>{view.setPointerCapture(e.pointerId);fingers.set(e.pointerId,[e.clientX,e.clientY])});
for(const n of ['pointerup','pointercancel'])view.addEventListener(n,e=>fingers.delete(e.pointerId));
view.addEventListener('pointermove',e=>{const old=fingers.get(e.pointerId);if(!old)return;const dx=e.clientX-old[0],dy=e.clientY-old[1];if(fingers.size===1){(e.buttons&6)||e.shiftKey?pan(dx,dy):orbit(dx,dy)}else if(fingers.size===2){const other=[...fingers].find(([i])=>i!==e.pointerId)[1],d0=Math.hypot(old[0]-other[0],old[1]-other[1]),d1=Math.hypot(e.clientX-other[0],e.clientY-other[1]);pan(dx/2,dy/2);if(d1>1)zoom(d0/d1)}fingers.set(e.pointerId,[e.clientX,e.clientY]);draw()});
view.addEventListener('contextmenu',e=>e.preventDefault());
view.addEventListener('wheel',e=>{e.preventDefault();zoom(Math.exp(e.deltaY*.0012));draw()},{passive:false});
addEventListener('keydown',e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;const tag=e.target.tagName;if(tag==='SELECT'||(tag==='INPUT'&&e.key.startsWith('Arrow')))return;const a={ArrowLeft:[-30,0],ArrowRight:[30,0],ArrowUp:[0,-30],ArrowDown:[0,30]}[e.key];
if(e.key===' '){if(tag==='BUTTON')return;toggle()}else if(e.key===','){pause();show(frame-1)}else if(e.key==='.'){pause();show(frame+1)}else if(a){e.shiftKey?pan(-a[0],-a[1]):orbit(a[0],a[1]);draw()}else if(e.key==='+'||e.key==='='){zoom(.85);draw()}else if(e.key==='-'){zoom(1/.85);draw()}else if(e.key==='Home'){home();draw()}else return;e.preventDefault()});
// ---- summary and start
for(const [key,value] of D.summary){const r=$('summary').tBodies[0].insertRow(),h=document.createElement('th');h.scope='row';h.textContent=key;r.append(h);r.insertCell().textContent=value}
$('summary').hidden=!D.summary.length;
if(plots.length===2||plots.length===4)$('charts').classList.add('pairs');
const layout=()=>{readTheme();fit();if(!moved)home();for(const p of plots)p.resize();show(frame)};
addEventListener('resize',layout);matchMedia('(prefers-color-scheme: dark)').addEventListener('change',layout);
// #t=3&zoom=2 in the address: stand still at 3 s, from half the distance
const asked=/[#&]t=([0-9.]+)/.exec(location.hash),closer=/[#&]zoom=([0-9.]+)/.exec(location.hash);
layout();
if(closer)zoom(1/Math.max(parseFloat(closer[1])||1,.01));
if(asked)show(nearest(parseFloat(asked[1])));else if(!matchMedia('(prefers-reduced-motion: reduce)').matches)play();
)js";

}  // namespace detail

}  // namespace sinew::inline v0

// ---- sinew/io/shape_drawing.hpp
// What a recorder draws of a shape: what the page has a drawing of, as that, and everything else as a body of flat faces.
//
// A convex shape that has no faces of its own is drawn as the hull of points of its surface. Faces are sharp or smooth: the edges of
// sharp ones are drawn. Lengths in m, in the shape's frame.

namespace sinew::inline v0 {

namespace detail {

/// Flat faces around a solid, or a surface. Corners are counter-clockwise seen from outside.
struct drawn_mesh {
    std::vector<vec3<double>> points;
    std::vector<std::vector<std::uint32_t>> sharp, smooth;
    bool convex = true;
    [[nodiscard]] friend bool operator==(drawn_mesh const&, drawn_mesh const&) = default;
};

/// A drawing and where it is in the frame of the body. `kind` and `size` are the page's; of kind "mesh" the mesh counts.
struct drawn_part {
    std::string kind;
    std::vector<double> size;
    drawn_mesh mesh{};
    pose<double> local{};
};

/// A number as it is drawn: without its derivatives.
template <class S>
[[nodiscard]] double drawn_number(S const& x) {
    if constexpr (has_lanes_v<S>) {
        static_assert(!has_lanes_v<S>, "sinew: a page shows one world, and numbers with lanes are of several: draw a world over float that has the state of one lane");
        return 0;
    } else if constexpr (std::is_convertible_v<S const&, double>) {
        return static_cast<double>(x);
    } else {
        return static_cast<double>(value(x));
    }
}
template <class S, class R>
[[nodiscard]] pose<double> drawn_pose(pose<S, R> const& p) {
    auto const q = to_quaternion(p.rotation);
    return {{drawn_number(p.position[0]), drawn_number(p.position[1]), drawn_number(p.position[2])}, {drawn_number(q.w), drawn_number(q.x), drawn_number(q.y), drawn_number(q.z)}};
}
template <class S>
[[nodiscard]] vec3<double> drawn_point(vec3<S> const& p) {
    return {drawn_number(p[0]), drawn_number(p[1]), drawn_number(p[2])};
}

/// Directions all around, those of the axes and of the diagonals among them.
[[nodiscard]] inline std::vector<vec3<double>> drawn_directions(int n) {
    std::vector<vec3<double>> r;
    for (int i = -n; i <= n; ++i)
        for (int j = -n; j <= n; ++j)
            for (int k = -n; k <= n; ++k)
                if (std::abs(i) + std::abs(j) + std::abs(k) == n) r.push_back(normalize(vec3<double>{double(i), double(j), double(k)}));
    return r;
}

/// The hull of points, its faces as they are; smooth where they are many. Empty of what is flat.
[[nodiscard]] inline drawn_mesh drawn_hull(std::vector<vec3<double>> const& points, double tolerance) {
    auto const hull = convex_hull(points, tolerance);
    drawn_mesh mesh;
    mesh.points.assign(hull.vertices().begin(), hull.vertices().end());
    for (auto const& f : hull.faces()) {
        auto const corners = hull.corners(f);
        (hull.faces().size() > 40 ? mesh.smooth : mesh.sharp).emplace_back(corners.begin(), corners.end());
    }
    return mesh;
}

/// Of any convex shape: the farthest points in many directions, and those of what lies just beside the directions, which
/// tells the corners of a face.
template <class S, class Shape>
[[nodiscard]] drawn_mesh drawn_convex(Shape const& shape) {
    auto const core = [&](vec3<double> const& d) {
        return drawn_point(shape.support(vec3<S>{static_cast<S>(d[0]), static_cast<S>(d[1]), static_cast<S>(d[2])}));
    };
    double const radius = drawn_number(margin_of<S>(shape));
    std::vector<vec3<double>> cores, points;
    for (auto const& d : drawn_directions(6)) {
        for (int i = 0; i < 8; ++i) {
            vec3<double> const aside{i & 1 ? 1e-3 : -1e-3, i & 2 ? 1.7e-3 : -1.7e-3, i & 4 ? 0.6e-3 : -0.6e-3};
            vec3<double> const c = core(d + aside);
            cores.push_back(c);
            points.push_back(c + d * radius);
        }
    }
    double size = 0;
    for (auto const& p : points) size = max(size, norm(p - points[0]));
    if (radius > 0) {
        // The faces of the core, moved out.
        auto const hull = convex_hull(cores, 1e-4 * size);
        for (auto const& f : hull.faces())
            for (auto const c : hull.corners(f)) points.push_back(hull.vertices()[c] + f.normal * radius);
    }
    return drawn_hull(points, 1e-3 * size);
}

template <class S>
[[nodiscard]] drawn_mesh drawn_cone(cone<S> const& c) {
    constexpr std::uint32_t n = 24;
    double const r = drawn_number(c.radius), h = drawn_number(c.half_height);
    drawn_mesh mesh;
    mesh.sharp.emplace_back();
    for (std::uint32_t i = 0; i < n; ++i) {
        double const angle = 2 * pi_v<double> * i / n;
        mesh.points.push_back({r * std::cos(angle), -h, r * std::sin(angle)});
        mesh.sharp[0].push_back(i);
        mesh.smooth.push_back({(i + 1) % n, i, n});
    }
    mesh.points.push_back({0, h, 0});
    return mesh;
}

/// f(drawn_part) for all that is to be seen of a shape.
template <class S, class Shape, class F>
void draw_shape(Shape const& shape, pose<double> const& at, F&& f) {
    auto const number = [](auto const& x) { return drawn_number(x); };
    auto const solid = [&](char const* kind, std::vector<double> size) { f(drawn_part{kind, std::move(size), {}, at}); };
    auto const mesh = [&](drawn_mesh m) { f(drawn_part{"mesh", {}, std::move(m), at}); };
    if constexpr (std::same_as<Shape, sphere<S>>) {
        solid("sphere", {number(shape.radius)});
    } else if constexpr (std::same_as<Shape, capsule<S>>) {
        solid("capsule", {number(shape.radius), number(shape.half_height)});
    } else if constexpr (std::same_as<Shape, box<S>>) {
        vec3<S> const h = shape.half_extents;
        solid("box", {number(h[0]), number(h[1]), number(h[2])});
    } else if constexpr (std::same_as<Shape, cylinder<S>>) {
        solid("cylinder", {number(shape.radius), number(shape.half_height)});
    } else if constexpr (std::same_as<Shape, cone<S>>) {
        mesh(drawn_cone(shape));
    } else if constexpr (is_half_space<Shape, S>) {
        // y of the drawing is out of the solid.
        vec3<double> const n = drawn_point(shape.normal), axis = cross(vec3<double>{0, 1, 0}, n);
        double const s = norm(axis), angle = std::atan2(s, n[1]);
        auto const turn = s > 0 ? quaternion_exp(axis * (angle / s)) : n[1] > 0 ? quaternion<double>::identity() : quaternion<double>{0, 1, 0, 0};
        f(drawn_part{"plane", {}, {}, at * pose<double>{n * number(shape.offset), turn}});
    } else if constexpr (requires { shape.rows(), shape.sample(0, 0); }) {
        drawn_mesh m;
        m.convex = false;
        auto const columns = static_cast<std::uint32_t>(shape.columns()), rows = static_cast<std::uint32_t>(shape.rows());
        for (std::uint32_t j = 0; j < rows; ++j)
            for (std::uint32_t i = 0; i < columns; ++i) m.points.push_back(drawn_point(shape.sample(i, j)));
        for (std::uint32_t j = 0; j + 1 < rows; ++j)
            for (std::uint32_t i = 0; i + 1 < columns; ++i) {
                std::uint32_t const p = j * columns + i, r = p + 1, q = p + columns;
                m.sharp.push_back({p, q, r});
                m.sharp.push_back({r, q, q + 1});
            }
        mesh(std::move(m));
    } else if constexpr (requires { shape.triangles(), shape.vertices(); }) {
        drawn_mesh m;
        m.convex = false;
        for (auto const& p : shape.vertices()) m.points.push_back(drawn_point(p));
        for (auto const& t : shape.triangles()) m.sharp.emplace_back(t.begin(), t.end());
        mesh(std::move(m));
    } else if constexpr (requires { shape.vertices(), shape.faces(); }) {
        drawn_mesh m;
        for (auto const& p : shape.vertices()) m.points.push_back(drawn_point(p));
        for (auto const& face : shape.faces()) {
            auto const corners = shape.corners(face);
            (shape.faces().size() > 40 ? m.smooth : m.sharp).emplace_back(corners.begin(), corners.end());
        }
        mesh(std::move(m));
    } else if constexpr (is_composed<Shape, S>) {
        shape.for_each_part(unbounded_aabb<S>(), [&](std::uint32_t, auto const& part, frame<S> const& local) {
            draw_shape<S>(part, at * drawn_pose(local), f);
        });
    } else if constexpr (requires { static_cast<triangle<S> const&>(shape); }) {
        mesh(drawn_mesh{{drawn_point(shape.a), drawn_point(shape.b), drawn_point(shape.c)}, {{0, 1, 2}}, {}, false});
    } else {
        mesh(drawn_convex<S>(shape));
    }
}

}  // namespace detail

}  // namespace sinew::inline v0

// ---- sinew/io/ragdoll.hpp
// A rag doll from a skeleton: bodies of capsules with masses, joined by ball joints and hinges with limits.
//
//   sinew::ragdoll const doll = sinew::make_ragdoll(sinew::load_bvh("clip.bvh"));
//   sinew::ragdoll_bodies<world_type> const parts = add_ragdoll(world, doll);
//
// A file of motion capture says only where the joints are, in a unit of its own. The rest is taken from what people are
// like: the largest extent of the rest pose becomes `size`, capsules as thick as long limbs allow, the density the
// same everywhere so that the mass adds up, and a range for each joint by the name of it. Joints that lie on their parent, and
// small ones such as fingers, become part of the body before them.

namespace sinew::inline v0 {

/// What a file of motion capture does not say.
struct ragdoll_options {
    double size = 1.75;             ///< m, largest extent of the rest pose
    double mass = 75;               ///< kg, all together
    std::size_t frame = 0;          ///< the pose to begin in; the rest pose if the file has no such frame
    double smallest_part = 0.04;    ///< of `size`: a joint below which all is shorter belongs to its parent
    double joint_friction = 0.4;    ///< N m, of an average joint; each has its share by the mass that it carries
};

/// A capsule fixed in a part, along the y axis of `local`.
struct ragdoll_capsule {
    pose<double> local;  ///< frame of the part
    double half_length;  ///< m, of the cylindrical part
    double radius;       ///< m
};

enum class ragdoll_joint : std::uint8_t { none, ball, hinge };

/// One body of the doll. At rest its axes are those of the world.
struct ragdoll_part {
    std::string name;                       ///< of the joint of the skeleton
    int parent = -1;                        ///< index of the part before it, -1 of a root
    std::size_t joint = 0;                  ///< index of the joint of the skeleton
    mass_properties<double> mass;           ///< about its centre of mass, which is the origin of its frame
    std::vector<ragdoll_capsule> capsules;
    vec3<double> rest{0, 0, 0};             ///< m, centre of mass in the rest pose
    vec3<double> pivot{0, 0, 0};            ///< m, where it hangs on its parent in the rest pose
    vec3<double> axis{0, 1, 0};             ///< unit, in the rest pose: of the limb (ball), or about which it bends (hinge)
    ragdoll_joint kind = ragdoll_joint::none;
    double lower = 0, upper = 0;            ///< rad, of the bend (hinge) or the twist (ball)
    double swing = 0;                       ///< rad (ball)
    double friction = 0;                    ///< N m
    pose<double> start;                     ///< in the pose to begin in
};

/// Parts come parents first.
struct ragdoll {
    std::vector<ragdoll_part> parts;
    std::vector<std::size_t> part_of_joint;  ///< for each joint of the skeleton, ends included
    double scale = 1;                        ///< metres per unit of the file
};

namespace detail {

[[nodiscard]] inline std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}
[[nodiscard]] inline bool name_has(std::string_view name, std::initializer_list<std::string_view> words) {
    std::string const lower = in_lower_case(name);
    for (auto const word : words)
        if (lower.find(in_lower_case(word)) != std::string::npos) return true;
    return false;
}
[[nodiscard]] inline bool is_elbow(std::string_view name) { return name_has(name, {"forearm", "lowerarm", "lowarm", "elbow"}); }
[[nodiscard]] inline bool is_knee(std::string_view name) {
    return name_has(name, {"knee", "shin", "calf", "lowerleg", "lowleg"}) || (name_has(name, {"leg"}) && !name_has(name, {"up", "thigh"}));
}
[[nodiscard]] inline bool is_trunk(std::string_view name) { return name_has(name, {"spine", "chest", "back", "abdomen", "torso", "hips", "pelvis"}); }

// The rotation that takes y to d, a unit vector.
[[nodiscard]] inline quaternion<double> from_y_axis(vec3<double> const& d) {
    if (d.y() < -0.999999) return {0, 1, 0, 0};
    return normalize(quaternion<double>{1 + d.y(), d.z(), 0, -d.x()});
}

// Where the figure looks in the rest pose: the way its toes point. Zero if there are none.
[[nodiscard]] inline vec3<double> forward_of(bvh_motion const& motion) {
    vec3<double> sum{0, 0, 0};
    for (auto const& j : motion.joints)
        if (j.parent >= 0 && name_has(motion.joints[static_cast<std::size_t>(j.parent)].name, {"foot", "ankle", "toe"}))
            sum += vec3<double>{j.offset.x(), 0, j.offset.z()};
    return normalize(sum);
}

// A joint's range, from what its name says and the direction of its limb.
inline void set_range(ragdoll_part& part, vec3<double> const& limb, vec3<double> const& forward) {
    constexpr double degree = pi_v<double> / 180;
    part.kind = ragdoll_joint::ball;
    part.axis = limb;
    part.swing = 70 * degree;
    part.upper = 40 * degree;
    bool const elbow = is_elbow(part.name), knee = is_knee(part.name);
    vec3<double> const bend = cross(limb, forward) * (knee ? -1.0 : 1.0);  // elbows bend forward, knees backward
    if ((elbow || knee) && norm(bend) > 0.5) {
        part.kind = ragdoll_joint::hinge;
        part.axis = normalize(bend);
        part.lower = -5 * degree;
        part.upper = 140 * degree;
        return;
    }
    if (is_trunk(part.name) || name_has(part.name, {"neck"})) {
        part.swing = 25 * degree;
        part.upper = 20 * degree;
    } else if (name_has(part.name, {"head", "foot", "ankle", "hand", "wrist", "toe"})) {
        part.swing = 40 * degree;
        part.upper = 30 * degree;
    } else if (name_has(part.name, {"arm", "shoulder"})) {
        part.swing = 100 * degree;
        part.upper = 70 * degree;
    }
    part.lower = -part.upper;
}

// Which joint of the skeleton each joint's body hangs on: itself, if it begins a body of its own.
[[nodiscard]] inline std::vector<std::size_t> heads_of(bvh_motion const& motion, double extent, double smallest_part) {
    std::size_t const n = motion.joints.size();
    std::vector<double> reach(n, 0);  // along the longest chain of bones below
    for (std::size_t i = n; i-- > 0;)
        if (motion.joints[i].parent >= 0) {
            auto const p = static_cast<std::size_t>(motion.joints[i].parent);
            reach[p] = std::max(reach[p], reach[i] + norm(motion.joints[i].offset));
        }
    std::vector<std::size_t> head(n);
    for (std::size_t i = 0; i < n; ++i) {
        auto const& j = motion.joints[i];
        bool const coincident = norm(j.offset) < 0.01 * extent;
        // A joint without anything below it is drawn on in the direction of its bone, so it counts as half of that.
        bool const leaf = reach[i] == 0;
        bool const small = (leaf ? norm(j.offset) / 2 : reach[i]) < smallest_part * extent;
        head[i] = j.parent >= 0 && (j.end_site || coincident || small) ? head[static_cast<std::size_t>(j.parent)] : i;
    }
    return head;
}

}  // namespace detail

/// Makes the doll. Throws std::invalid_argument if the skeleton is empty, its offsets are not finite, or an option makes no sense.
[[nodiscard]] inline ragdoll make_ragdoll(bvh_motion const& motion, ragdoll_options const& options = {}) {
    using V = vec3<double>;
    if (motion.joints.empty()) throw std::invalid_argument("sinew: a rag doll needs a skeleton with at least one joint");
    if (!(options.size > 0) || !isfinite(options.size)) throw std::invalid_argument("sinew: ragdoll_options::size must be positive, got " + std::to_string(options.size));
    if (!(options.mass > 0) || !isfinite(options.mass)) throw std::invalid_argument("sinew: ragdoll_options::mass must be positive, got " + std::to_string(options.mass));
    if (!(options.joint_friction >= 0)) throw std::invalid_argument("sinew: ragdoll_options::joint_friction must not be negative, got " + std::to_string(options.joint_friction));

    std::size_t const n = motion.joints.size();
    auto const rest = pose_of_frame(motion, motion.frames).position;  // no such frame: the rest pose
    V low = rest[0], high = rest[0];
    for (auto const& p : rest)
        for (std::size_t k = 0; k < 3; ++k) {
            if (!isfinite(p[k])) throw std::invalid_argument("sinew: the offsets of the skeleton are not finite");
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    double const extent = std::max({high.x() - low.x(), high.y() - low.y(), high.z() - low.z()});
    if (!isfinite(extent)) throw std::invalid_argument("sinew: the skeleton is too large");
    ragdoll doll;
    doll.scale = extent > 0 ? options.size / extent : 1;
    double const size = options.size;
    auto const head = detail::heads_of(motion, extent, options.smallest_part);
    auto const at = [&](std::size_t i) { return rest[i] * doll.scale; };

    std::vector<std::size_t> child_count(n, 0);
    std::vector<std::size_t>& part_of = doll.part_of_joint;
    part_of.resize(n);
    for (auto const& j : motion.joints)
        if (j.parent >= 0) ++child_count[static_cast<std::size_t>(j.parent)];
    for (std::size_t i = 0; i < n; ++i) {
        if (head[i] != i) {
            part_of[i] = part_of[head[i]];
            continue;
        }
        ragdoll_part part;
        part.name = motion.joints[i].name;
        part.joint = i;
        part.pivot = at(i);
        if (motion.joints[i].parent >= 0) part.parent = static_cast<int>(part_of[static_cast<std::size_t>(motion.joints[i].parent)]);
        part_of[i] = doll.parts.size();
        doll.parts.push_back(std::move(part));
    }

    // Capsules about the bones, from each joint to what hangs on it; first in the world, at rest. A bone that ends nowhere
    // goes on as the one before it did, and a part without any is a ball.
    std::vector<V> limb(doll.parts.size(), V{0, 0, 0});  // the longest bone of each part
    double volume = 0;
    auto const add_capsule = [&](std::size_t i, V const& from, V const& to, double radius) {
        auto& part = doll.parts[i];
        double const length = norm(to - from), half = std::max(0.0, length / 2 - radius);
        pose<double> const where{(from + to) * 0.5, detail::from_y_axis(length > 0 ? (to - from) / length : V{0, 1, 0})};
        double const capsule_volume = pi_v<double> * radius * radius * (2 * half + 4.0 / 3.0 * radius);
        auto const solid = moved(solid_capsule(capsule_volume, 2 * half, radius), where);
        part.mass = part.capsules.empty() ? solid : part.mass + solid;
        part.capsules.push_back({where, half, radius});
        volume += capsule_volume;
        if (length > norm(limb[i])) limb[i] = to - from;
    };
    std::vector<int> branches(doll.parts.size(), 0);
    for (auto const& part : doll.parts)
        if (part.parent >= 0) ++branches[static_cast<std::size_t>(part.parent)];
    auto const add_bone = [&](std::size_t i, V const& from, V const& to) {
        bool const trunk = branches[i] > 1 || detail::is_trunk(doll.parts[i].name), head_bone = detail::name_has(doll.parts[i].name, {"head"});
        double const length = norm(to - from);
        double const radius = head_bone ? std::clamp(0.5 * length, 0.045 * size, 0.06 * size)
                              : trunk   ? std::clamp(0.7 * length, 0.03 * size, 0.055 * size)
                                        : std::clamp(0.15 * length, 0.02 * size, 0.045 * size);
        add_capsule(i, from, to, radius);
    };
    for (std::size_t i = 0; i < n; ++i) {
        if (motion.joints[i].parent < 0) continue;
        V const from = at(static_cast<std::size_t>(motion.joints[i].parent)), to = at(i);
        if (norm(to - from) > 0.01 * size) add_bone(part_of[static_cast<std::size_t>(motion.joints[i].parent)], from, to);
        if (head[i] == i && child_count[i] == 0) add_bone(part_of[i], to, to + (to - from) * 0.5);
    }
    for (std::size_t i = 0; i < doll.parts.size(); ++i)
        if (doll.parts[i].capsules.empty()) add_capsule(i, doll.parts[i].pivot, doll.parts[i].pivot, 0.05 * size);

    V const forward = detail::forward_of(motion);
    for (std::size_t i = 0; i < doll.parts.size(); ++i) {
        auto& part = doll.parts[i];
        part.rest = part.mass.center;
        part.mass = scaled_to_mass(moved(part.mass, -part.rest), part.mass.mass * (options.mass / volume));
        part.mass.center = V{0, 0, 0};  // rounding aside, it is
        for (auto& c : part.capsules) c.local.position -= part.rest;
        if (part.parent >= 0) detail::set_range(part, norm(limb[i]) > 0 ? normalize(limb[i]) : V{0, 1, 0}, forward);
        part.friction = options.joint_friction * part.mass.mass * static_cast<double>(doll.parts.size()) / options.mass;
    }

    // The pose to begin in: each part turned as its own joint is, and hung on its parent where it hangs at rest.
    auto const frame = pose_of_frame(motion, options.frame);
    for (auto& part : doll.parts) {
        part.start.rotation = frame.rotation[part.joint];
        V pivot = frame.position[part.joint] * doll.scale;
        if (part.parent >= 0) {
            auto const& p = doll.parts[static_cast<std::size_t>(part.parent)];
            pivot = p.start.point(part.pivot - p.rest);
        }
        part.start.position = pivot + rotate(part.start.rotation, part.rest - part.pivot);
    }
    return doll;
}

/// The joint whose name holds one of some words (any case), the one nearest to its root if several; -1 if there is none.
[[nodiscard]] inline int find_joint(bvh_motion const& motion, std::initializer_list<std::string_view> words) {
    int found = -1, least = 0;
    std::vector<int> depth;
    for (auto const& j : motion.joints) {
        depth.push_back(j.parent < 0 ? 0 : depth[static_cast<std::size_t>(j.parent)] + 1);
        if (!j.end_site && detail::name_has(j.name, words) && (found < 0 || depth.back() < least)) {
            least = depth.back();
            found = static_cast<int>(depth.size()) - 1;
        }
    }
    return found;
}

/// The end of a part that is farthest from where it hangs on its parent: where a hand is held (m, in the pose to begin in).
[[nodiscard]] inline vec3<double> far_end(ragdoll_part const& part) {
    vec3<double> best = part.pivot - part.rest;
    double farthest = -1;
    for (auto const& c : part.capsules)
        for (double const side : {-1.0, 1.0}) {
            auto const end = c.local.point(vec3<double>{0, side * (c.half_length + c.radius), 0});
            double const away = norm(end - (part.pivot - part.rest));
            if (away > farthest) {
                farthest = away;
                best = end;
            }
        }
    return part.start.point(best);
}

/// The bodies of a doll in a world, one per part.
template <class World>
using ragdoll_bodies = std::vector<typename World::body_handle>;

/// Adds the doll to a world that knows ball_joint, hinge_joint, angle_limit, swing_twist_limit and joint_friction, moved by `offset` (m).
template <class World>
ragdoll_bodies<World> add_ragdoll(World& world, ragdoll const& doll, vec3<double> const& offset = {0, 0, 0}) {
    using S = typename World::scalar_type;
    using pose_type = typename World::pose_type;
    auto const cast = [](vec3<double> const& v) { return vec3<S>{static_cast<S>(v.x()), static_cast<S>(v.y()), static_cast<S>(v.z())}; };
    ragdoll_bodies<World> bodies;
    for (auto const& part : doll.parts) {
        mass_properties<S> mass;
        mass.mass = static_cast<S>(part.mass.mass);
        auto const& I = part.mass.inertia;
        mass.inertia = {static_cast<S>(I.xx), static_cast<S>(I.yy), static_cast<S>(I.zz), static_cast<S>(I.xy), static_cast<S>(I.xz), static_cast<S>(I.yz)};
        auto const& q = part.start.rotation;
        quaternion<S> const rotation{static_cast<S>(q.w), static_cast<S>(q.x), static_cast<S>(q.y), static_cast<S>(q.z)};
        pose_type const start{cast(part.start.position + offset), rotation_cast<typename World::rotation_type>(normalize(rotation))};
        auto const body = world.add(rigid_body_of(mass, start));
        bodies.push_back(body);
        if (part.parent < 0) continue;
        // Joints and their ranges are measured in the rest pose.
        auto const parent = bodies[static_cast<std::size_t>(part.parent)];
        pose_type const a{cast(doll.parts[static_cast<std::size_t>(part.parent)].rest), World::rotation_type::identity()}, b{cast(part.rest), World::rotation_type::identity()};
        if (part.kind == ragdoll_joint::hinge) {
            world.add(hinge_joint<S>::at(a, b, cast(part.pivot), cast(part.axis)), parent, body);
            world.add(angle_limit<S>::at(a, b, cast(part.axis), static_cast<S>(part.lower), static_cast<S>(part.upper)), parent, body);
        } else {
            world.add(ball_joint<S>::at(a, b, cast(part.pivot)), parent, body);
            world.add(swing_twist_limit<S>::at(a, b, cast(part.axis), static_cast<S>(part.swing), static_cast<S>(part.lower), static_cast<S>(part.upper)), parent, body);
        }
        if (part.friction > 0) world.add(joint_friction<S>{static_cast<S>(part.friction)}, parent, body);
    }
    return bodies;
}

/// The shapes of a doll on a page: one per capsule. `Recorder` is recorder.hpp's.
template <class Recorder>
class ragdoll_view {
public:
    /// Parts take two colours in turn, from the root outward.
    ragdoll_view(Recorder& page, ragdoll const& doll, std::string const& even = "#3b7cb8", std::string const& odd = "#d9822b") : doll_(&doll) {
        std::vector<bool> is_odd;
        for (auto const& part : doll.parts) {
            is_odd.push_back(part.parent >= 0 && !is_odd[static_cast<std::size_t>(part.parent)]);
            for (auto const& c : part.capsules) shapes_.push_back(page.add_capsule(c.half_length, c.radius, is_odd.back() ? odd : even));
        }
    }
    /// Sets this frame's poses.
    template <class World>
    void show(Recorder& page, World const& world, ragdoll_bodies<World> const& bodies) const {
        std::size_t k = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            pose<double> body = detail::drawn_pose(world.pose(bodies[i]));
            body.rotation = normalize(body.rotation);
            for (auto const& c : doll_->parts[i].capsules) page.pose(shapes_[k++], body * c.local);
        }
    }

private:
    ragdoll const* doll_;
    std::vector<decltype(std::declval<Recorder&>().add_capsule(0.0, 0.0))> shapes_;
};

}  // namespace sinew::inline v0

// ---- sinew/io/recorder.hpp
// A recorder: collects poses and plots frame by frame and writes one HTML page that shows them, without network or
// library: a 3D view with orbit, pan, zoom, play, pause, scrub and speed, and plots over time below it.
//
//   sinew::recorder page("A falling box");
//   auto const id = page.add_box({0.5, 0.1, 0.1});
//   for (...) { page.frame(world.time()); page.pose(id, world.pose(box)); page.plot("energy [J]", "total", world.energy()); }
//   page.write("falling_box.html");
//
// Of a world with shapes, all colliders at once:
//
//   auto const shown = page.add_colliders(world);
//   for (...) { page.record(world, shown); page.show_contacts(world); world.step(h); }

namespace sinew::inline v0 {

namespace detail {

// Text inside a JSON string inside a script element: also '<' is escaped, so that no markup can end the element.
[[nodiscard]] inline std::string json_text(std::string_view s) {
    std::string r = "\"";
    for (char const c : s) {
        auto const u = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            r += '\\';
            r += c;
        } else if (u < 32 || c == '<' || c == '>' || c == '&' || u == 127) {
            constexpr char hex[] = "0123456789abcdef";
            r += "\\u00";
            r += hex[u >> 4];
            r += hex[u & 15];
        } else {
            r += c;
        }
    }
    return r + '"';
}
// The shortest text that reads back as the same number.
[[nodiscard]] inline std::string number_text(double x) {
    if (!std::isfinite(x)) return "null";
    char buffer[32];
    auto const [end, error] = std::to_chars(buffer, buffer + sizeof buffer, x);
    return error == std::errc{} ? std::string(buffer, end) : "0";
}
[[nodiscard]] inline std::string base64(std::vector<float> const& values) {
    std::vector<unsigned char> bytes;
    bytes.reserve(values.size() * 4);
    for (float const v : values) {
        auto const bits = std::bit_cast<std::uint32_t>(v);
        for (int k = 0; k < 4; ++k) bytes.push_back(static_cast<unsigned char>(bits >> (8 * k)));  // little-endian, as browsers read it
    }
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string r;
    r.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t const a = bytes[i], b = i + 1 < bytes.size() ? bytes[i + 1] : 0u, c = i + 2 < bytes.size() ? bytes[i + 2] : 0u;
        std::uint32_t const n = a << 16 | b << 8 | c;
        r += digits[n >> 18];
        r += digits[n >> 12 & 63];
        r += i + 1 < bytes.size() ? digits[n >> 6 & 63] : '=';
        r += i + 2 < bytes.size() ? digits[n & 63] : '=';
    }
    return r;
}

}  // namespace detail

/// Names something that a recorder shows.
struct shape_id {
    std::size_t index = 0;
};

/// Lengths in metres, colours as "#rrggbb" or empty for one of the page's own. Shapes are added before the first frame.
/// What cannot be shown is refused: std::invalid_argument for numbers, std::logic_error for calls out of order.
class recorder {
public:
    using point = vec3<double>;

    explicit recorder(std::string title) : title_(std::move(title)) {}

    shape_id add_box(point const& half_extents, std::string color = {}) {
        return add("box", {half_extents.x(), half_extents.y(), half_extents.z()}, true, std::move(color));
    }
    shape_id add_sphere(double radius, std::string color = {}) { return add("sphere", {radius}, true, std::move(color)); }
    /// Along the body's y axis; half_length is that of the cylindrical part.
    shape_id add_capsule(double half_length, double radius, std::string color = {}) {
        return add("capsule", {radius, half_length}, true, std::move(color));
    }
    /// Along the body's y axis.
    shape_id add_cylinder(double half_height, double radius, std::string color = {}) {
        return add("cylinder", {radius, half_height}, true, std::move(color));
    }
    /// A particle: a small ball that has a position only.
    shape_id add_point(double radius, std::string color = {}) { return add("point", {radius}, false, std::move(color)); }
    /// A ring that marks a joint, seen through whatever is before it.
    shape_id add_marker(std::string color = {}, double radius = 0.02) { return add("marker", {radius}, false, std::move(color)); }
    /// A line through the positions of shapes, which moves with them.
    void add_line(std::vector<shape_id> const& through, std::string color = {}, double width = 2) {
        check(through.size() >= 2, "a line of a recorder needs two shapes");
        lines_.push_back({indices(through), std::move(color), size(width)});
    }
    /// All colliders of a world, for record() or show(): the bodies and what shows them. Half spaces are grids, and the ground if they are level. `color`
    /// tells the colour of a body, empty for one of the page's own. Bodies that sleep are paler. What is drawn is in the order of depth even where
    /// solids are of very different sizes.
    template <class World, class Color>
    std::vector<std::pair<handle<rigid>, shape_id>> add_colliders(World const& world, Color&& color) {
        using S = typename World::scalar_type;
        solid_ = true;
        std::vector<std::pair<handle<rigid>, shape_id>> shown;
        world.for_each_shape([&](auto const& solid, auto const& collider) {
            auto const body = world.body_of(collider);
            bool const stands = body == world.ground();
            std::string paint = color(body);
            if (paint.empty() && !world.is_movable(body)) paint = "#a3abb3";
            auto const local = inverse(detail::drawn_pose(world.pose(body))) * detail::drawn_pose(world.frame_of(collider));
            detail::draw_shape<S>(solid, local, [&](detail::drawn_part part) {
                if (part.kind == "plane" && stands && !std::isfinite(ground_) && part.local.rotation == quaternion<double>::identity()) {
                    ground_ = part.local.position.y();
                    return;
                }
                std::size_t k = 0;  // of the body among those that have been met
                while (k < shown.size() && !(shown[k].first == body)) ++k;
                bool const met = k < shown.size();
                shape_id const id = add(part.kind.c_str(), std::move(part.size), true, paint, stands || met);
                auto& made = shapes_.back();
                made.local = part.local;
                made.group = k;
                if (part.kind == "mesh") made.mesh = known_mesh(std::move(part.mesh));
                if (stands) return;
                if (met) {
                    made.at = shapes_[shown[k].second.index].at;
                    made.rests = shapes_[shown[k].second.index].rests;
                    return;
                }
                if constexpr (requires { world.is_asleep(body); }) {
                    made.rests = true;
                    now_.push_back(0);
                }
                shown.emplace_back(body, id);
            });
        });
        return shown;
    }
    template <class World>
    std::vector<std::pair<handle<rigid>, shape_id>> add_colliders(World const& world) {
        return add_colliders(world, [](handle<rigid> const&) { return std::string(); });
    }
    /// A triangle between three points.
    void add_triangle(shape_id a, shape_id b, shape_id c, std::string color = {}) { triangles_.push_back({indices({a, b, c}), std::move(color), 0}); }
    /// A line that stays: a wire, a track.
    void add_curve(std::vector<point> points, std::string color = {}) {
        check(points.size() >= 2, "a curve of a recorder needs two points");
        for (point const& p : points) check(storable(p.x()) && storable(p.y()) && storable(p.z()), "a point of a recorder's curve must be finite");
        curves_.push_back({std::move(points), std::move(color)});
    }

    /// Height of the ground with its grid and shadows (m); without it, the lowest point met.
    void ground(double height) { ground_ = height; }
    /// First direction of the camera: turned about the vertical, and raised (rad).
    void camera(double yaw, double pitch) {
        check(std::isfinite(yaw) && std::isfinite(pitch), "a recorder's camera must have finite angles");
        yaw_ = yaw;
        pitch_ = pitch;
    }

    /// The camera goes with a shape; first it sees a ball of this radius (m) around it.
    void follow(shape_id id, double radius) { follow_ = {known(id), size(radius)}; }

    /// Begins the frame of a time (s), not before that of the last. What is not set in it stays where it was.
    template <class S = double>
    void frame(S const& seconds) {
        double const t = detail::drawn_number(seconds);
        check(storable(t), "the time of a recorder's frame must be finite");
        check(times_.empty() || static_cast<float>(t) >= times_.back(), "the times of a recorder's frames must not decrease");
        if (!times_.empty()) close_frame();
        met_.push_back(contacts_.size() / 3);
        times_.push_back(static_cast<float>(t));
    }
    template <class S, class R>
    void pose(shape_id id, sinew::pose<S, R> const& p) {
        auto const q = to_quaternion(p.rotation);
        place(id, as_point(p.position), {detail::drawn_number(q.w), detail::drawn_number(q.x), detail::drawn_number(q.y), detail::drawn_number(q.z)});
    }
    template <class S>
    void position(shape_id id, vec3<S> const& p) {
        place(id, as_point(p), {1, 0, 0, 0});
    }
    /// Sets the value of a series of a chart at this frame. The chart's name says its unit: "energy [J]". A value that is
    /// not finite leaves a gap.
    template <class S = double>
    void plot(std::string_view chart, std::string_view series, S const& number) {
        double const value = detail::drawn_number(number);
        if (times_.empty()) throw std::logic_error("sinew: a recorder's plots begin with its first frame");
        auto& s = series_of(chart_of(chart), series);
        s.resize(times_.size() - 1, std::numeric_limits<float>::quiet_NaN());
        s.push_back(storable(value) ? static_cast<float>(value) : std::numeric_limits<float>::quiet_NaN());
    }
    /// Where the bodies of `shapes` are now, pairs of a handle and the shape that shows it.
    template <class World, class Shapes>
    void show(World const& world, Shapes const& shapes) {
        for (auto const& shown : shapes) {
            if constexpr (requires { world.pose(shown.first); }) {
                pose(shown.second, world.pose(shown.first));
                auto const& s = shapes_[shown.second.index];
                if constexpr (requires { world.is_asleep(shown.first); })
                    if (s.rests) now_[s.at + 7] = world.is_asleep(shown.first) ? 1.0f : 0.0f;
            } else {
                position(shown.second, world.position(shown.first));
            }
        }
    }
    /// The contacts of a world that press, as dots in this frame.
    template <class World>
    void show_contacts(World const& world) {
        if (times_.empty()) throw std::logic_error("sinew: a recorder's contacts begin with its first frame");
        world.for_each_touch([&](auto const& touch) {
            for (auto const& c : touch.contacts) {
                if (!(detail::drawn_number(c.lambda[0]) > 0)) continue;
                auto const p = as_point(world.pose(touch.body_a).point(c.constraint.anchor_a));
                for (std::size_t k = 0; k < 3; ++k) contacts_.push_back(static_cast<float>(p[k]));
            }
        });
    }
    /// A frame of a world: its time, the bodies of `shapes` (pairs of a handle and the shape that shows it), and plots of energy,
    /// momentum and constraint error.
    template <class World, class Shapes>
    void record(World const& world, Shapes const& shapes) {
        frame(world.time());
        show(world, shapes);
        plot("energy [J]", "kinetic", world.kinetic_energy());
        plot("energy [J]", "total", world.energy());
        plot("largest joint error [m, rad]", "error", world.constraint_error());
        plot("momentum [kg m/s]", "linear", norm(world.linear_momentum()));
    }
    /// Gives a chart a logarithmic axis.
    void log_scale(std::string_view chart) { chart_of(chart).log = true; }
    /// A line of the table below the plots.
    void summary(std::string key, std::string value) { summary_.emplace_back(std::move(key), std::move(value)); }

    [[nodiscard]] std::size_t frames() const noexcept { return times_.size(); }

    /// The page as text. It needs a frame.
    [[nodiscard]] std::string html() const {
        if (times_.empty()) throw std::logic_error("sinew: a recorder without frames has no page");
        std::vector<float> state = state_;
        state.insert(state.end(), now_.begin(), now_.end());
        std::string r = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>";
        r += markup_text(title_);
        r += "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>";
        r += detail::page_style;
        r += "</style>\n</head>\n<body>";
        r += detail::page_body;
        r += "<script id=\"data\" type=\"application/json\">{\"title\":" + detail::json_text(title_);
        r += ",\"stride\":" + std::to_string(now_.size());
        r += ",\"ground\":" + (std::isfinite(ground_) ? detail::number_text(ground_) : std::string("null"));
        r += ",\"view\":[" + detail::number_text(yaw_) + "," + detail::number_text(pitch_) + "]";
        r += ",\"shapes\":[" + joined(shapes_, [](shape const& s) {
            return "{\"kind\":\"" + s.kind + "\",\"size\":[" + joined(s.size, detail::number_text) + "],\"turns\":" + (s.turns ? "true" : "false") +
                   ",\"at\":" + (s.at == nowhere ? std::string("-1") : std::to_string(s.at)) + ",\"color\":" + detail::json_text(s.color) + collider_text(s) + "}";
        });
        auto const group = [](polyline const& l) {
            return "{\"ids\":[" + joined(l.ids, [](std::size_t i) { return std::to_string(i); }) + "],\"color\":" + detail::json_text(l.color) +
                   ",\"width\":" + detail::number_text(l.width) + "}";
        };
        r += "],\"lines\":[" + joined(lines_, group) + "],\"triangles\":[" + joined(triangles_, group);
        r += "],\"curves\":[" + joined(curves_, [](curve const& c) {
            return "{\"points\":[" + joined(c.points, [](point const& p) {
                       return "[" + detail::number_text(p.x()) + "," + detail::number_text(p.y()) + "," + detail::number_text(p.z()) + "]";
                   }) + "],\"color\":" + detail::json_text(c.color) + "}";
        });
        if (solid_) {
            r += "],\"solid\":true,\"meshes\":[" + joined(meshes_, [](detail::drawn_mesh const& m) {
                std::vector<float> points;
                for (point const& p : m.points)
                    for (std::size_t k = 0; k < 3; ++k) points.push_back(static_cast<float>(p[k]));
                auto const faces = [](auto const& list) {
                    return joined(list, [](auto const& f) { return "[" + joined(f, [](std::uint32_t i) { return std::to_string(i); }) + "]"; });
                };
                return "{\"points\":\"" + detail::base64(points) + "\",\"sharp\":[" + faces(m.sharp) + "],\"smooth\":[" + faces(m.smooth) +
                       "],\"convex\":" + (m.convex ? "true" : "false") + "}";
            });
        }
        if (!contacts_.empty())
            r += "],\"contacts\":\"" + detail::base64(contacts_) + "\",\"met\":[" + joined(met_, [](std::size_t i) { return std::to_string(i); }) + "," + std::to_string(contacts_.size() / 3);
        if (follow_.second > 0) r += "],\"follow\":[" + std::to_string(follow_.first) + "," + detail::number_text(follow_.second);
        r += "],\"charts\":[" + joined(charts_, [this](chart_data const& c) {
            return "{\"name\":" + detail::json_text(c.name) + ",\"log\":" + (c.log ? "true" : "false") + ",\"series\":[" + joined(c.series, [this](auto const& s) {
                       auto values = s.second;
                       values.resize(times_.size(), std::numeric_limits<float>::quiet_NaN());
                       return "{\"name\":" + detail::json_text(s.first) + ",\"values\":\"" + detail::base64(values) + "\"}";
                   }) + "]}";
        });
        r += "],\"summary\":[" + joined(summary_, [](auto const& s) { return "[" + detail::json_text(s.first) + "," + detail::json_text(s.second) + "]"; });
        r += "],\"times\":\"" + detail::base64(times_) + "\",\"state\":\"" + detail::base64(state) + "\"}</script>\n<script>";
        r += detail::page_script_view;
        r += detail::page_script_plots;
        r += "</script>\n</body>\n</html>\n";
        return r;
    }
    /// Writes the page. Throws std::runtime_error if it cannot.
    void write(std::string const& path) const {
        std::string const text = html();
        std::ofstream file(path, std::ios::binary);
        file << text;
        file.flush();
        if (!file) throw std::runtime_error("sinew: cannot write '" + path + "'");
    }

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    struct shape {
        std::string kind;
        std::vector<double> size;
        bool turns;
        std::size_t at;  // first number in a frame, or nowhere: it stands
        std::string color;
        // Of a collider: where it is in what is recorded, its body, its mesh, and whether the number after the pose says that it sleeps.
        sinew::pose<double> local{};
        std::size_t group = nowhere, mesh = nowhere;
        bool rests = false;
    };
    struct polyline {
        std::vector<std::size_t> ids;
        std::string color;
        double width;
    };
    struct curve {
        std::vector<point> points;
        std::string color;
    };
    struct chart_data {
        std::string name;
        bool log = false;
        std::vector<std::pair<std::string, std::vector<float>>> series{};
    };

    static void check(bool fine, char const* sentence) {
        if (!fine) throw std::invalid_argument(std::string("sinew: ") + sentence);
    }
    // The page holds floats.
    [[nodiscard]] static bool storable(double x) { return std::abs(x) <= static_cast<double>(std::numeric_limits<float>::max()); }
    [[nodiscard]] static double size(double x) {
        check(storable(x) && x >= 0, "sizes of a recorder must be finite and not negative");
        return x;
    }
    shape_id add(char const* kind, std::vector<double> sizes, bool turns, std::string color, bool stands = false) {
        if (!times_.empty()) throw std::logic_error("sinew: a recorder's shapes must be added before its first frame");
        for (double const x : sizes) (void)size(x);
        shapes_.push_back({kind, std::move(sizes), turns, stands ? nowhere : now_.size(), std::move(color)});
        if (stands) return {shapes_.size() - 1};
        now_.insert(now_.end(), {0.0f, 0.0f, 0.0f});
        if (turns) now_.insert(now_.end(), {1.0f, 0.0f, 0.0f, 0.0f});
        return {shapes_.size() - 1};
    }
    // The same mesh is written once.
    [[nodiscard]] std::size_t known_mesh(detail::drawn_mesh m) {
        for (std::size_t i = 0; i < meshes_.size(); ++i)
            if (meshes_[i] == m) return i;
        meshes_.push_back(std::move(m));
        return meshes_.size() - 1;
    }
    [[nodiscard]] static std::string collider_text(shape const& s) {
        if (s.group == nowhere) return {};
        auto const &p = s.local.position, q = vec3<double>{s.local.rotation.x, s.local.rotation.y, s.local.rotation.z};
        std::string r = ",\"group\":" + std::to_string(s.group);
        if (!(s.local == sinew::pose<double>{}))
            r += ",\"local\":[" + joined(std::vector<double>{p[0], p[1], p[2], s.local.rotation.w, q[0], q[1], q[2]}, detail::number_text) + "]";
        if (s.mesh != nowhere) r += ",\"mesh\":" + std::to_string(s.mesh);
        if (s.rests) r += ",\"rests\":true";
        return r;
    }
    void place(shape_id id, point const& p, std::initializer_list<double> rotation) {
        auto const& s = shapes_.at(known(id));
        check(s.at != nowhere, "a shape of a recorder that stands on the ground cannot be placed");
        for (std::size_t k = 0; k < 3; ++k) check(storable(p[k]), "a position of a recorder must be finite");
        for (double const x : rotation) check(storable(x), "a rotation of a recorder must be finite");
        for (std::size_t k = 0; k < 3; ++k) now_[s.at + k] = static_cast<float>(p[k]);
        std::size_t k = 3;
        if (s.turns)
            for (double const x : rotation) now_[s.at + k++] = static_cast<float>(x);
    }
    void close_frame() { state_.insert(state_.end(), now_.begin(), now_.end()); }
    template <class S>
    [[nodiscard]] static point as_point(vec3<S> const& p) {
        return {detail::drawn_number(p.x()), detail::drawn_number(p.y()), detail::drawn_number(p.z())};
    }
    [[nodiscard]] std::size_t known(shape_id id) const {
        check(id.index < shapes_.size(), "a recorder does not know this shape");
        return id.index;
    }
    [[nodiscard]] std::vector<std::size_t> indices(std::vector<shape_id> const& ids) const {
        std::vector<std::size_t> r;
        for (auto const& id : ids) r.push_back(known(id));
        return r;
    }
    chart_data& chart_of(std::string_view name) {
        for (auto& c : charts_)
            if (c.name == name) return c;
        charts_.push_back({std::string(name)});
        return charts_.back();
    }
    static std::vector<float>& series_of(chart_data& c, std::string_view name) {
        for (auto& s : c.series)
            if (s.first == name) return s.second;
        c.series.emplace_back(std::string(name), std::vector<float>{});
        return c.series.back().second;
    }
    template <class List, class F>
    [[nodiscard]] static std::string joined(List const& list, F&& f) {
        std::string r;
        for (auto const& x : list) {
            if (!r.empty()) r += ',';
            r += f(x);
        }
        return r;
    }
    [[nodiscard]] static std::string markup_text(std::string_view s) {
        std::string r;
        for (char const c : s) {
            if (c == '<') r += "&lt;";
            else if (c == '>') r += "&gt;";
            else if (c == '&') r += "&amp;";
            else r += c;
        }
        return r;
    }

    std::string title_;
    std::vector<shape> shapes_;
    std::vector<polyline> lines_, triangles_;
    std::vector<curve> curves_;
    std::vector<chart_data> charts_;
    std::vector<std::pair<std::string, std::string>> summary_;
    std::vector<float> times_, state_, now_;
    std::vector<detail::drawn_mesh> meshes_;
    std::vector<float> contacts_;
    std::vector<std::size_t> met_;  // contacts before each frame
    std::pair<std::size_t, double> follow_{};
    bool solid_ = false;
    double ground_ = std::numeric_limits<double>::quiet_NaN();
    double yaw_ = 0.6, pitch_ = 0.28;
};

}  // namespace sinew::inline v0

// ---- sinew/io/svg_plot.hpp
// Line plots as SVG files: for the examples' pictures and for a thesis.
//
//   sinew::svg_plot plot{.title = "Energy", .x_label = "t [s]", .y_label = "E [J]"};
//   plot.add("rk4", times, energies);
//   plot.write("energy.svg");

namespace sinew::inline v0 {

/// Curves over two axes, each linear or logarithmic. Numbers that are not finite, or not positive on a logarithmic axis,
/// leave a gap. Curves differ in colour and in dashes; one of a single value is a dot. The same input gives the same bytes, in any locale.
class svg_plot {
public:
    std::string title{}, x_label{}, y_label{};
    bool log_x = false, log_y = false;
    bool equal_axes = false;  ///< one unit is as long on both axes: for trajectories
    bool markers = false;     ///< a dot on every value
    int width = 760, height = 430;
    struct curve {
        std::string name;
        std::vector<double> x, y;
    };
    std::vector<curve> curves{};

    void add(std::string name, std::vector<double> x, std::vector<double> y) { curves.push_back({std::move(name), std::move(x), std::move(y)}); }

    /// The plot as text. Throws std::invalid_argument if there is no curve, if one has not as many x as y, or if the frame
    /// is too small for its labels.
    [[nodiscard]] std::string svg() const;
    /// Writes the plot. Throws std::runtime_error if it cannot.
    void write(std::string const& path) const {
        std::string const text = svg();
        std::ofstream file(path, std::ios::binary);
        file << text;
        file.flush();
        if (!file) throw std::runtime_error("sinew: cannot write '" + path + "'");
    }
};

namespace detail {

[[nodiscard]] inline std::string svg_escape(std::string_view s) {
    std::string r;
    for (char const c : s) {
        switch (c) {
            case '<': r += "&lt;"; break;
            case '>': r += "&gt;"; break;
            case '&': r += "&amp;"; break;
            case '"': r += "&quot;"; break;
            default: r += static_cast<unsigned char>(c) < 32 ? ' ' : c;
        }
    }
    return r;
}
[[nodiscard]] inline std::string svg_number(double x, int decimals = 1) {
    char text[40];
    auto const [end, error] = std::to_chars(text, text + sizeof text, x, std::chars_format::fixed, decimals);
    return error == std::errc{} ? std::string(text, end) : "0";
}
[[nodiscard]] inline std::string svg_label(double x, int digits) {
    char text[40];
    auto const [end, error] = std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits);
    return error == std::errc{} ? std::string(text, end) : "0";
}
// 0.001 to 1000 in full, 1e-04 and 1e+04 beyond.
[[nodiscard]] inline std::string svg_decade(double e) {
    char text[40];
    auto const format = std::abs(e) < 3.5 ? std::chars_format::fixed : std::chars_format::scientific;
    int const decimals = format == std::chars_format::fixed && e < 0 ? static_cast<int>(0.5 - e) : 0;
    auto const [end, error] = std::to_chars(text, text + sizeof text, std::pow(10.0, e), format, decimals);
    return error == std::errc{} ? std::string(text, end) : "0";
}

// One axis: what it spans, and where its ticks are.
struct svg_axis {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    bool log = false;

    // Spans beyond 1e300 would overflow.
    [[nodiscard]] bool shows(double v) const { return std::abs(v) <= 1e300 && (!log || v > 0); }
    [[nodiscard]] double mapped(double v) const { return log ? std::log10(v) : v; }
    void include(double v) {
        if (!shows(v)) return;
        low = std::min(low, mapped(v));
        high = std::max(high, mapped(v));
    }
    void settle() {
        if (!(high >= low)) {
            low = 0;
            high = 1;
        }
        if (log) {
            // As the values are, if two decades are among them; whole decades otherwise.
            double const margin = 0.04 * (high - low);
            if (std::floor(high) - std::ceil(low) >= 1) {
                low -= margin;
                high += margin;
                return;
            }
            low = std::floor(low + 1e-9);
            high = std::ceil(high - 1e-9);
            if (high <= low) high = low + 1;
        } else {
            double const size = std::max(std::abs(low), std::abs(high));
            double const margin = high - low <= 1e-9 * size || size < 1e-300 ? (size > 1e-300 ? 0.05 * size : 1.0) : 0.04 * (high - low);  // subnormal numbers have no sixth
            low -= margin;
            high += margin;
        }
    }
    [[nodiscard]] static double nice(double x) {
        double const e = std::pow(10.0, std::floor(std::log10(x)));
        double const m = x / e;
        return (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * e;
    }
    [[nodiscard]] std::vector<std::pair<double, std::string>> ticks() const {
        std::vector<std::pair<double, std::string>> r;
        if (log) {
            double const step = std::max(1.0, std::ceil((high - low) / 8));
            for (double e = std::ceil(low / step) * step; e <= high + 1e-9; e += step) {
                r.emplace_back(e, svg_decade(e));
            }
            // Two and five between few decades.
            if (high - low > 1 && high - low < 2.6)
                for (double e = std::floor(low); e <= high; e += 1)
                    for (double const k : {2.0, 5.0})
                        if (double const m = e + std::log10(k); m >= low && m <= high) r.emplace_back(m, svg_label(k * std::pow(10.0, e), 6));
        } else {
            double const step = nice((high - low) / 6);
            // As many digits as tell neighbours apart.
            int const digits = std::clamp(2 + static_cast<int>(std::floor(std::log10(std::max(std::abs(low), std::abs(high)) / step))), 6, 17);
            for (double k = std::ceil(low / step); k * step <= high + step * 1e-6; k += 1) r.emplace_back(k * step, svg_label(k * step + 0.0, digits));
        }
        return r;
    }
};

}  // namespace detail

inline std::string svg_plot::svg() const {
    using detail::svg_number;
    if (curves.empty()) throw std::invalid_argument("sinew: a plot needs a curve");
    for (auto const& c : curves)
        if (c.x.size() != c.y.size()) throw std::invalid_argument("sinew: the curve '" + c.name + "' of a plot needs as many x as y");
    if (width < 200 || height < 200) throw std::invalid_argument("sinew: a plot needs a width and a height of 200 or more");
    constexpr char const* colours[] = {"#2f77b5", "#d9822b", "#3f9a68", "#b5504f", "#8067a9", "#8c7356", "#c45b9c", "#59606b", "#94902a", "#2a96a5"};
    constexpr char const* dashes[] = {"", "7 4", "2 3", "9 3 2 3", "4 2", "12 4"};
    constexpr std::size_t palette = std::size(colours), patterns = std::size(dashes);
    detail::svg_axis ax{.log = log_x}, ay{.log = log_y};
    for (auto const& c : curves)
        for (std::size_t i = 0; i < c.x.size(); ++i)
            if (ax.shows(c.x[i]) && ay.shows(c.y[i])) {
                ax.include(c.x[i]);
                ay.include(c.y[i]);
            }
    ax.settle();
    ay.settle();
    double const left = 74, right = 24, bottom = 52;
    // The legend stands in rows above the frame, where no curve can be.
    struct place {
        double x, row;
    };
    std::vector<place> legend;
    double rows = 1, end = left;
    for (auto const& c : curves) {
        double const length = 56 + 7.3 * static_cast<double>(c.name.size());
        if (end > left && end + length - 24 > width - right) {
            rows += 1;
            end = left;
        }
        legend.push_back({end, rows});
        end += length;
    }
    double const head = title.empty() ? 16 : 44, top = head + 20 * rows;
    if (height < top + bottom + 60) throw std::invalid_argument("sinew: a plot needs more height for a legend of so many curves");
    double const w = width - left - right, h = height - top - bottom;
    if (equal_axes) {
        double const unit = std::max((ax.high - ax.low) / w, (ay.high - ay.low) / h);
        auto const widen = [](detail::svg_axis& a, double span) {
            double const middle = (a.low + a.high) / 2;
            a.low = middle - span / 2;
            a.high = middle + span / 2;
        };
        widen(ax, unit * w);
        widen(ay, unit * h);
    }
    auto const px = [&](double m) { return left + w * (m - ax.low) / (ax.high - ax.low); };
    auto const py = [&](double m) { return top + h * (1 - (m - ay.low) / (ay.high - ay.low)); };

    std::string r = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(height) + "\" width=\"" + std::to_string(width) +
                    "\" height=\"" + std::to_string(height) + "\" role=\"img\" aria-label=\"" + detail::svg_escape(title) + "\">\n";
    r += "<style>text{font:13px system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;fill:#3c434d}.t{font-size:16px;font-weight:600;fill:#1c1f24}</style>\n";
    r += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    if (!title.empty()) r += "<text class=\"t\" x=\"" + svg_number(left) + "\" y=\"28\">" + detail::svg_escape(title) + "</text>\n";
    for (auto const& [m, label] : ax.ticks()) {
        r += "<line x1=\"" + svg_number(px(m)) + "\" y1=\"" + svg_number(top) + "\" x2=\"" + svg_number(px(m)) + "\" y2=\"" + svg_number(top + h) + "\" stroke=\"#e3e5e0\"/>";
        r += "<text x=\"" + svg_number(px(m)) + "\" y=\"" + svg_number(top + h + 18) + "\" text-anchor=\"middle\">" + label + "</text>\n";
    }
    for (auto const& [m, label] : ay.ticks()) {
        r += "<line x1=\"" + svg_number(left) + "\" y1=\"" + svg_number(py(m)) + "\" x2=\"" + svg_number(left + w) + "\" y2=\"" + svg_number(py(m)) + "\" stroke=\"#e3e5e0\"/>";
        r += "<text x=\"" + svg_number(left - 8) + "\" y=\"" + svg_number(py(m) + 4.5) + "\" text-anchor=\"end\">" + label + "</text>\n";
    }
    r += "<rect x=\"" + svg_number(left) + "\" y=\"" + svg_number(top) + "\" width=\"" + svg_number(w) + "\" height=\"" + svg_number(h) + "\" fill=\"none\" stroke=\"#9aa1ab\"/>\n";
    r += "<text x=\"" + svg_number(left + w / 2) + "\" y=\"" + svg_number(height - 12.0) + "\" text-anchor=\"middle\">" + detail::svg_escape(x_label) + "</text>\n";
    r += "<text transform=\"translate(18 " + svg_number(top + h / 2) + ") rotate(-90)\" text-anchor=\"middle\">" + detail::svg_escape(y_label) + "</text>\n";
    for (std::size_t c = 0; c < curves.size(); ++c) {
        std::string const stroke = std::string("stroke=\"") + colours[c % palette] + "\" stroke-width=\"2\" fill=\"none\" stroke-linejoin=\"round\"" +
                                   (*dashes[c % patterns] ? std::string(" stroke-dasharray=\"") + dashes[c % patterns] + "\"" : std::string());
        std::string path, dots;
        bool pen = false;
        bool const lone = curves[c].x.size() == 1;
        for (std::size_t i = 0; i < curves[c].x.size(); ++i) {
            double const x = curves[c].x[i], y = curves[c].y[i];
            if (!ax.shows(x) || !ay.shows(y)) {
                pen = false;
                continue;
            }
            std::string const at = svg_number(px(ax.mapped(x)), 2) + " " + svg_number(py(ay.mapped(y)), 2);
            path += (pen ? "L" : "M") + at;
            pen = true;
            if (markers || lone)
                dots += "<circle cx=\"" + svg_number(px(ax.mapped(x)), 2) + "\" cy=\"" + svg_number(py(ay.mapped(y)), 2) + "\" r=\"" + (lone ? "5" : "3") + "\" fill=\"" +
                        colours[c % palette] + "\"/>";
        }
        if (!path.empty()) r += "<path d=\"" + path + "\" " + stroke + "/>" + dots + "\n";
        double const legend_x = legend[c].x, legend_y = head + 20 * legend[c].row;
        if (lone)
            r += "<circle cx=\"" + svg_number(legend_x + 18) + "\" cy=\"" + svg_number(legend_y - 13) + "\" r=\"5\" fill=\"" + colours[c % palette] + "\"/>";
        else
            r += "<line x1=\"" + svg_number(legend_x) + "\" y1=\"" + svg_number(legend_y - 13) + "\" x2=\"" + svg_number(legend_x + 26) + "\" y2=\"" + svg_number(legend_y - 13) + "\" " + stroke + "/>";
        r += "<text x=\"" + svg_number(legend_x + 32) + "\" y=\"" + svg_number(legend_y - 8.5) + "\">" + detail::svg_escape(curves[c].name) + "</text>\n";
    }
    return r + "</svg>\n";
}

}  // namespace sinew::inline v0

// ---- sinew/io/thread_pool.hpp
// A small pool of threads, and the executor that runs wide sweeps on it.
//
//   sinew::thread_pool pool(3);                                   three threads beside the calling one
//   struct game : sinew::default_config { using solver = sinew::wide_sequential_impulses<8, sinew::on_threads>; };
//   world.solver.sweeps.executor.pool = &pool;                    without one: on the calling thread
//
// Pieces of a sweep take microseconds, so threads look for the next for a while before they sleep. One caller at a time, and f must not throw. A copy of a world
// names the same pool, which must outlive both.
//
// Each thread begins with the same part of the pieces in every task: neighbours in one sweep are neighbours in the next, and what a piece writes stays in the
// cache of its processor. (Half of it in the other one's cost more than the arithmetic.) Then it takes what others have not got to.
//
// Who takes piece i is one compare-and-swap of the ticket of its part: number of the task in the upper half, next piece in the lower. A thread that comes late
// holds a ticket of a task that is over, and gets nothing.

namespace sinew::inline v0 {

/// Threads that help whoever calls for_each.
class thread_pool {
public:
    /// `helpers` threads, by default one less than the machine has processors.
    explicit thread_pool(std::size_t helpers = default_helpers()) : parts_(helpers + 1) {
        threads_.reserve(helpers);
        for (std::size_t i = 1; i <= helpers; ++i) threads_.emplace_back([this, i](std::stop_token const& stop) { help(stop, i); });
    }
    thread_pool(thread_pool const&) = delete;
    thread_pool& operator=(thread_pool const&) = delete;
    [[nodiscard]] std::size_t helpers() const noexcept { return threads_.size(); }

    /// f(0) ... f(count - 1), each once, on the threads of the pool and this one. Returns when all are done.
    template <class F>
    void for_each(std::size_t count, F&& f) {
        if (threads_.empty() || count < 2) {
            for (std::size_t i = 0; i < count; ++i) f(i);
            return;
        }
        using function = std::remove_reference_t<F>;
        std::uint32_t const number = task_.load(std::memory_order_relaxed) + 1;
        std::uint64_t const task = std::uint64_t(number) << 32;
        for (auto& p : parts_) p.ticket.store(task | none);  // closed, while the task is written
        done_.store(0);
        count_.store(static_cast<std::uint32_t>(count));
        context_.store(const_cast<void*>(static_cast<void const*>(&f)));
        run_.store([](void* context, std::uint32_t i) { (*static_cast<function*>(context))(static_cast<std::size_t>(i)); });
        for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].ticket.store(task | first_of(i, static_cast<std::uint32_t>(count)));
        task_.store(number);
        task_.notify_all();
        take_pieces(0);
        for (int look = 0; done_.load() != count;)
            if (look < looks_at_once)
                ++look;
            else
                std::this_thread::yield();
    }

private:
    static constexpr std::uint64_t none = 0xffffffffu;
    using function_type = void (*)(void*, std::uint32_t);

    [[nodiscard]] static std::size_t default_helpers() noexcept {
        std::size_t const n = std::thread::hardware_concurrency();
        return n > 1 ? n - 1 : 0;
    }
    // Where the pieces of part i begin.
    [[nodiscard]] std::uint32_t first_of(std::size_t i, std::uint32_t count) const noexcept {
        return static_cast<std::uint32_t>(std::uint64_t(count) * i / parts_.size());
    }
    // Takes pieces while there are any, of its own part before others. They are counted as done together: a task is not over before.
    void take_pieces(std::size_t own) {
        std::uint32_t taken = 0;
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            std::size_t const of = (own + k) % parts_.size();
            auto& next = parts_[of].ticket;
            std::uint64_t ticket = next.load();
            for (;;) {
                auto const i = static_cast<std::uint32_t>(ticket & none);
                if (i >= first_of(of + 1, count_.load())) break;
                function_type const run = run_.load();
                void* const context = context_.load();
                if (!next.compare_exchange_weak(ticket, ticket + 1)) continue;
                run(context, i);
                ++taken;
                ticket = next.load();
            }
        }
        if (taken > 0) done_.fetch_add(taken);
    }
    void help(std::stop_token const& stop, std::size_t own) {
        while (!stop.stop_requested()) {
            std::uint32_t const before = task_.load();
            take_pieces(own);
            for (int look = 0; look < looks_at_once + 200 && task_.load() == before; ++look)
                if (look >= looks_at_once) std::this_thread::yield();
            if (!stop.stop_requested()) task_.wait(before);
        }
    }

    static constexpr int looks_at_once = 20000;  // some ten microseconds: less than it takes to fall asleep and to be woken
    // What threads write while others read it has cache lines of its own.
    static constexpr std::size_t apart = 64;
    struct alignas(apart) part {
        std::atomic<std::uint64_t> ticket{none};
    };
    alignas(apart) std::atomic<std::uint32_t> task_{0};
    alignas(apart) std::atomic<std::uint32_t> done_{0};
    alignas(apart) std::atomic<std::uint32_t> count_{0};
    std::atomic<void*> context_{nullptr};
    std::atomic<function_type> run_{nullptr};
    std::vector<part> parts_;
    std::vector<std::jthread> threads_;
    // Goes before the threads do, which are then awake and stop; also those that a constructor began which could not begin them all.
    struct wake_up {
        thread_pool& pool;
        ~wake_up() {
            for (auto& t : pool.threads_) t.request_stop();
            pool.task_.fetch_add(1);
            pool.task_.notify_all();
        }
    } wake_up_{*this};
};

/// The executor that runs on a pool, if it is given one.
struct on_threads {
    thread_pool* pool = nullptr;

    template <class F>
    void for_each(std::size_t count, F&& f) const {
        if (pool != nullptr)
            pool->for_each(count, f);
        else
            for (std::size_t i = 0; i < count; ++i) f(i);
    }
};

}  // namespace sinew::inline v0

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
