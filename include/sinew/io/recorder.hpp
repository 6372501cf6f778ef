#pragma once
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

#include <sinew/core/handle.hpp>
#include <sinew/io/page.hpp>
#include <sinew/io/shape_drawing.hpp>
#include <sinew/rotation/pose.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
