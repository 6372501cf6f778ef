// The recorder's page: one file that needs nothing else, holds what was recorded to the bit, and no input can break.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using sinew::recorder;
using point = recorder::point;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

// ---- what a browser does with the page

std::string between(std::string const& text, std::string_view from, std::string_view to) {
    auto const begin = text.find(from);
    if (begin == std::string::npos) return "nothing after " + std::string(from);
    auto const start = begin + from.size();
    return text.substr(start, text.find(to, start) - start);
}
std::size_t count(std::string_view text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++n;
    return n;
}
std::string data_of(std::string const& page) { return between(page, "<script id=\"data\" type=\"application/json\">", "</script>"); }

std::vector<float> decoded(std::string_view text) {
    std::vector<unsigned char> bytes;
    std::uint32_t bits = 0;
    int held = 0;
    for (char const c : text) {
        if (c == '=') break;
        std::string_view const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        auto const at = digits.find(c);
        EXPECT_NE(at, std::string_view::npos) << c;
        bits = bits << 6 | static_cast<std::uint32_t>(at & 63);
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes.push_back(static_cast<unsigned char>(bits >> held));
        }
    }
    EXPECT_EQ(text.size() % 4, 0u);
    EXPECT_EQ(bytes.size() % 4, 0u);
    std::vector<float> r;
    for (std::size_t i = 0; i + 3 < bytes.size(); i += 4)
        r.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16) | static_cast<std::uint32_t>(bytes[i + 3]) << 24));
    return r;
}
std::vector<float> times_of(std::string const& page) { return decoded(between(data_of(page), "\"times\":\"", "\"")); }
std::vector<float> state_of(std::string const& page) { return decoded(between(data_of(page), "\"state\":\"", "\"")); }
std::vector<float> series_of(std::string const& page, std::string const& name) {
    return decoded(between(data_of(page), "{\"name\":\"" + name + "\",\"values\":\"", "\""));
}

// JSON, strictly: where it stops being JSON, or npos.
class json {
public:
    static bool holds(std::string_view text) {
        json j{text};
        return j.value() && (j.blank(), j.at_ == text.size());
    }

private:
    explicit json(std::string_view text) : text_(text) {}
    void blank() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    bool take(char c) {
        blank();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    bool string() {
        if (!take('"')) return false;
        for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            if (static_cast<unsigned char>(text_[at_]) < 32) return false;
            if (text_[at_] != '\\') continue;
            ++at_;
            if (at_ >= text_.size() || std::string_view("\"\\/bfnrtu").find(text_[at_]) == std::string_view::npos) return false;
            if (text_[at_] == 'u')
                for (int k = 0; k < 4; ++k)
                    if (++at_ >= text_.size() || std::string_view("0123456789abcdefABCDEF").find(text_[at_]) == std::string_view::npos) return false;
        }
        return take('"');
    }
    template <class Item>
    bool list(char close, Item item) {
        if (take(close)) return true;
        do
            if (!item()) return false;
        while (take(','));
        return take(close);
    }
    bool value() {
        blank();
        if (take('{')) return list('}', [this] { return string() && take(':') && value(); });
        if (take('[')) return list(']', [this] { return value(); });
        if (at_ < text_.size() && text_[at_] == '"') return string();
        for (std::string_view const word : {"true", "false", "null"})
            if (text_.substr(at_, word.size()) == word) {
                at_ += word.size();
                return true;
            }
        std::string const rest(text_.substr(at_, 40));
        if (rest.empty() || (rest[0] != '-' && (rest[0] < '0' || rest[0] > '9'))) return false;
        char* end = nullptr;
        (void)std::strtod(rest.c_str(), &end);
        at_ += static_cast<std::size_t>(end - rest.c_str());
        return end != rest.c_str();
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

// A page with something of everything.
recorder full_page(int frames = 3) {
    recorder page("A test");
    auto const box = page.add_box({0.5, 0.25, 0.125}, "#336699");
    auto const ball = page.add_sphere(0.5);
    auto const capsule = page.add_capsule(0.75, 0.1);
    auto const cylinder = page.add_cylinder(0.5, 0.2);
    auto const a = page.add_point(0.02), b = page.add_point(0.02), c = page.add_point(0.02);
    (void)page.add_marker();
    page.add_line({box, ball, a}, "#112233", 1.5);
    page.add_triangle(a, b, c);
    page.add_curve({{0, 0, 0}, {1, 2, 3}, {0.1, 0.2, 1.0 / 3}});
    page.ground(-1);
    page.camera(0.5, 0.25);
    page.log_scale("error [m]");
    page.summary("steps", "120");
    for (int i = 0; i < frames; ++i) {
        page.frame(i / 60.0);
        page.pose(box, sinew::pose<double>{{i + 0.5, 1, -2}, {1, 0, 0, 0}});
        page.pose(ball, sinew::pose<float>{{0, 0.5f, 0}, {0, 1, 0, 0}});
        page.pose(capsule, sinew::pose<double>{});
        page.pose(cylinder, sinew::pose<double>{});
        page.position(a, sinew::vec3<double>{0, i * 0.1, 0});
        page.position(b, sinew::vec3<float>{1, 0, 0});
        page.position(c, sinew::vec3<double>{0, 0, 1});
        page.plot("energy [J]", "total", 10.0 - i);
        page.plot("energy [J]", "kinetic", 0.1 * i);
        page.plot("error [m]", "largest", std::pow(10.0, -i));
    }
    return page;
}

// ---- the file

TEST(recorder_page, is_one_file_that_needs_no_other) {
    std::string const page = full_page().html();
    for (char const* reach : {"http:", "https:", "src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import(", "WebSocket", "//cdn", "integrity="})
        EXPECT_EQ(page.find(reach), std::string::npos) << reach;
    // The only link is the empty icon, so that no browser asks for one.
    EXPECT_EQ(count(page, "<link"), 1u);
    EXPECT_EQ(count(page, "href="), 1u);
    EXPECT_NE(page.find("<link rel=\"icon\" href=\"data:,\">"), std::string::npos);
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    for (char const* element : {"html", "head", "body", "title", "style", "main", "section", "table", "h1"}) {
        EXPECT_EQ(count(page, std::string("</") + element + ">"), 1u) << element;
        EXPECT_EQ(count(page, std::string("<") + element + ">") + count(page, std::string("<") + element + " "), 1u) << element;
    }
    EXPECT_EQ(count(page, "<script"), 2u);
    EXPECT_EQ(count(page, "</script>"), 2u);
    EXPECT_NE(page.find("<meta charset=\"utf-8\">"), std::string::npos);
    EXPECT_NE(page.find("<meta name=\"viewport\""), std::string::npos);
}
TEST(recorder_page, is_the_same_each_time) {
    auto const page = full_page();
    EXPECT_EQ(page.html(), page.html());
    EXPECT_EQ(page.html(), full_page().html());
}
TEST(recorder_page, is_written_as_it_is) {
    auto const path = std::filesystem::temp_directory_path() / ("sinew_recorder_test_" + std::to_string(std::hash<std::string>{}(testing::TempDir())) + ".html");
    auto const page = full_page();
    page.write(path.string());
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), page.html());
    file.close();
    std::filesystem::remove(path);
    try {
        page.write("/no/such/folder/page.html");
        ADD_FAILURE() << "written to nowhere";
    } catch (std::runtime_error const& e) {
        EXPECT_EQ(std::string(e.what()), "sinew: cannot write '/no/such/folder/page.html'");
    }
}

// ---- what it holds

TEST(recorder_page, data_is_json) {
    EXPECT_TRUE(json::holds(data_of(full_page().html())));
    EXPECT_TRUE(json::holds(data_of(full_page(1).html())));
    recorder bare("");
    bare.frame(0);
    EXPECT_TRUE(json::holds(data_of(bare.html()))) << data_of(bare.html());
    EXPECT_FALSE(json::holds("{\"a\":1,}"));
    EXPECT_FALSE(json::holds("[1 2]"));
    EXPECT_FALSE(json::holds("[nan]"));
}
TEST(recorder_page, holds_every_frame) {
    for (int const n : {1, 2, 3, 100, 1000}) {
        auto const recorded = full_page(n);
        EXPECT_EQ(recorded.frames(), static_cast<std::size_t>(n));
        std::string const page = recorded.html();
        auto const times = times_of(page);
        ASSERT_EQ(times.size(), static_cast<std::size_t>(n));
        for (int i = 0; i < n; ++i) EXPECT_EQ(times[static_cast<std::size_t>(i)], static_cast<float>(i / 60.0));
        // Four shapes that turn, four that do not.
        std::size_t const stride = 4 * 7 + 4 * 3;
        EXPECT_EQ(between(data_of(page), "\"stride\":", ","), std::to_string(stride));
        EXPECT_EQ(state_of(page).size(), stride * static_cast<std::size_t>(n));
        EXPECT_EQ(series_of(page, "total").size(), static_cast<std::size_t>(n));
    }
}
TEST(recorder_page, poses_round_trip) {
    recorder page("numbers");
    auto const box = page.add_box({1, 1, 1});
    auto const dot = page.add_point(0.1);
    float const odd[] = {0.1f, -1e-30f, 3.4e38f, 1.0f / 3, -0.0f, 1e-45f};
    for (int i = 0; i < 6; ++i) {
        page.frame(i * 0.1);
        page.pose(box, sinew::pose<float>{{odd[i], 2, -odd[i]}, {0.5f, -0.5f, 0.5f, -0.5f}});
        page.position(dot, sinew::vec3<float>{1, odd[i], 7});
    }
    auto const state = state_of(page.html());
    ASSERT_EQ(state.size(), 60u);
    for (std::size_t i = 0; i < 6; ++i) {
        float const expected[] = {odd[i], 2, -odd[i], 0.5f, -0.5f, 0.5f, -0.5f, 1, odd[i], 7};
        for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(std::bit_cast<std::uint32_t>(state[10 * i + k]), std::bit_cast<std::uint32_t>(expected[k])) << i << " " << k;
    }
}
// Of numbers with derivatives the values are shown; fixed point as it is.
template <class S>
struct numbers_of : sinew::default_config {
    using scalar = S;
};
template <class S>
std::string page_over() {
    sinew::world<numbers_of<S>, sinew::box, sinew::half_space> w;
    w.add(sinew::half_space<S>{}, w.ground());
    w.add_solid(sinew::box<S>{{S(0.5), S(0.25), S(0.5)}}, S(4), sinew::pose<S>{{S(0), S(0.5), S(0)}, {}});
    recorder page("numbers");
    auto const shown = page.add_colliders(w);
    for (int i = 0; i < 3; ++i) {
        page.record(w, shown);
        page.show_contacts(w);
        (void)w.step(S(1) / S(64));
    }
    page.frame(w.time());
    page.plot("of its own [J]", "kinetic", w.kinetic_energy());
    return page.html();
}
TEST(recorder_page, shows_worlds_over_duals_and_fixed_point) {
    EXPECT_EQ((page_over<sinew::dual<double, 2>>()), page_over<double>());
    EXPECT_EQ(state_of(page_over<sinew::fixed<31, 32>>()).size(), state_of(page_over<double>()).size());
}
// Any rotation is stored as a quaternion.
TEST(recorder_page, every_representation_of_a_rotation) {
    recorder page("turns");
    auto const box = page.add_box({1, 1, 1});
    page.frame(0);
    page.pose(box, sinew::pose<double, sinew::rotation_matrix<double>>{{0, 0, 0}, sinew::rotation_cast<sinew::rotation_matrix<double>>(sinew::quaternion<double>{0, 0, 1, 0})});
    auto const state = state_of(page.html());
    EXPECT_NEAR(std::fabs(state[5]), 1, 1e-6);
    EXPECT_NEAR(state[3], 0, 1e-6);
}
TEST(recorder_page, what_is_not_set_stays) {
    recorder page("rest");
    auto const dot = page.add_point(0.1);
    page.frame(0);
    page.position(dot, sinew::vec3<double>{1, 2, 3});
    page.frame(1);
    page.frame(2);
    page.position(dot, sinew::vec3<double>{4, 5, 6});
    EXPECT_EQ(state_of(page.html()), (std::vector<float>{1, 2, 3, 1, 2, 3, 4, 5, 6}));
}
TEST(recorder_page, plots_keep_their_frames) {
    recorder page("plots");
    page.frame(0);
    page.plot("a", "early", 1);
    page.frame(1);
    page.plot("a", "late", 20);
    page.plot("a", "late", 21);  // the last value of a frame counts
    page.frame(2);
    page.plot("a", "late", nan_);
    page.frame(3);
    page.plot("a", "late", 1e300);
    page.frame(4);
    page.plot("a", "late", 24);
    auto const text = page.html();
    auto const early = series_of(text, "early"), late = series_of(text, "late");
    ASSERT_EQ(early.size(), 5u);
    ASSERT_EQ(late.size(), 5u);
    EXPECT_EQ(early[0], 1);
    EXPECT_EQ(late[1], 21);
    EXPECT_EQ(late[4], 24);
    for (std::size_t i = 1; i < 5; ++i) EXPECT_TRUE(std::isnan(early[i]));
    for (std::size_t const i : {0u, 2u, 3u}) EXPECT_TRUE(std::isnan(late[i]));  // gaps
}
TEST(recorder_page, sizes_and_curves_round_trip) {
    recorder page("sizes");
    double const third = 1.0 / 3, tiny = 1.2345678901234567e-30;
    (void)page.add_box({third, tiny, 0.1});
    page.add_curve({{third, -tiny, 1e30}, {0, -0.0, 123456789.123}});
    page.frame(0);
    auto const data = data_of(page.html());
    auto const read = [](std::string const& text) {
        std::vector<double> r;
        std::istringstream in(text);
        for (std::string item; std::getline(in, item, ',');) r.push_back(std::strtod(item.c_str(), nullptr));
        return r;
    };
    EXPECT_EQ(read(between(data, "\"size\":[", "]")), (std::vector<double>{third, tiny, 0.1}));
    EXPECT_EQ(read(between(data, "\"points\":[[", "]")), (std::vector<double>{third, -tiny, 1e30}));
    EXPECT_NE(data.find("123456789.123"), std::string::npos);
}
TEST(recorder_page, tells_the_view) {
    recorder page("view");
    page.frame(0);
    EXPECT_NE(data_of(page.html()).find("\"ground\":null"), std::string::npos);
    page.ground(-0.5);
    page.camera(1.25, -0.5);
    EXPECT_NE(data_of(page.html()).find("\"ground\":-0.5,\"view\":[1.25,-0.5]"), std::string::npos);
    page.plot("a", "b", 1);
    EXPECT_NE(data_of(page.html()).find("\"name\":\"a\",\"log\":false"), std::string::npos);
    page.log_scale("a");
    EXPECT_NE(data_of(page.html()).find("\"name\":\"a\",\"log\":true"), std::string::npos);
}

// ---- text

TEST(recorder_page, escapes_text) {
    std::string const evil = "</script><script>alert(1)</script>\"'\\&<!-- \x01\n\t\x7f \xc3\xbc";
    recorder page(evil);
    auto const dot = page.add_point(0.1, evil);
    page.add_line({dot, dot}, evil);
    page.add_curve({{0, 0, 0}, {1, 1, 1}}, evil);
    page.summary(evil, evil);
    page.frame(0);
    page.plot(evil, evil, 1);
    auto const text = page.html();
    EXPECT_EQ(count(text, "<script"), 2u);
    EXPECT_EQ(count(text, "</script"), 2u);
    EXPECT_EQ(text.find("<!--"), std::string::npos);
    auto const data = data_of(text);
    EXPECT_TRUE(json::holds(data)) << data;
    EXPECT_EQ(data.find('<'), std::string::npos);
    EXPECT_EQ(data.find('&'), std::string::npos);
    EXPECT_NE(data.find("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"), std::string::npos);
    EXPECT_NE(data.find("\\\"'\\\\"), std::string::npos);
    EXPECT_NE(data.find("\\u0001\\u000a\\u0009\\u007f \xc3\xbc"), std::string::npos);
    EXPECT_EQ(between(text, "<title>", "</title>").find('<'), std::string::npos);
    EXPECT_TRUE(between(text, "<title>", "</title>").starts_with("&lt;/script&gt;"));
}

// ---- what is refused

template <class E, class F>
void expect_refused(std::string const& sentence, F f) {
    try {
        f();
        ADD_FAILURE() << "accepted; expected: " << sentence;
    } catch (E const& e) {
        EXPECT_EQ(std::string(e.what()), "sinew: " + sentence);
    }
}
TEST(recorder_input, numbers_that_are_not_finite) {
    using bad = std::invalid_argument;
    for (double const x : {nan_, inf, -inf, 1e39}) {
        recorder page("bad");
        char const* const sizes = "sizes of a recorder must be finite and not negative";
        expect_refused<bad>(sizes, [&] { page.add_box({1, x, 1}); });
        expect_refused<bad>(sizes, [&] { page.add_sphere(x); });
        expect_refused<bad>(sizes, [&] { page.add_capsule(x, 1); });
        expect_refused<bad>(sizes, [&] { page.add_cylinder(1, x); });
        expect_refused<bad>(sizes, [&] { page.add_point(x); });
        expect_refused<bad>(sizes, [&] { page.add_marker({}, x); });
        expect_refused<bad>("a point of a recorder's curve must be finite", [&] { page.add_curve({{0, 0, 0}, {0, x, 0}}); });
        auto const box = page.add_box({1, 1, 1});
        auto const dot = page.add_point(1);
        expect_refused<bad>(sizes, [&] { page.add_line({box, dot}, {}, x); });
        expect_refused<bad>("the time of a recorder's frame must be finite", [&] { page.frame(x); });
        EXPECT_EQ(page.frames(), 0u);
        page.frame(0);
        expect_refused<bad>("a position of a recorder must be finite", [&] { page.position(dot, sinew::vec3<double>{0, 0, x}); });
        expect_refused<bad>("a position of a recorder must be finite", [&] { page.pose(box, sinew::pose<double>{{x, 0, 0}, {1, 0, 0, 0}}); });
        expect_refused<bad>("a rotation of a recorder must be finite", [&] { page.pose(box, sinew::pose<double>{{5, 5, 5}, {1, x, 0, 0}}); });
        // What was refused has left no trace.
        EXPECT_EQ(state_of(page.html()), (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
    }
    recorder page("bad");
    expect_refused<bad>("sizes of a recorder must be finite and not negative", [&] { page.add_sphere(-1); });
    expect_refused<bad>("a recorder's camera must have finite angles", [&] { page.camera(nan_, 0); });
    expect_refused<bad>("a recorder's camera must have finite angles", [&] { page.camera(0, inf); });
}
TEST(recorder_input, nothing_to_show) {
    recorder page("empty");
    expect_refused<std::logic_error>("a recorder without frames has no page", [&] { (void)page.html(); });
    auto const path = (std::filesystem::temp_directory_path() / "sinew_recorder_test_empty.html").string();
    expect_refused<std::logic_error>("a recorder without frames has no page", [&] { page.write(path); });
    EXPECT_FALSE(std::filesystem::exists(path));
    expect_refused<std::invalid_argument>("a curve of a recorder needs two points", [&] { page.add_curve({}); });
    expect_refused<std::invalid_argument>("a curve of a recorder needs two points", [&] { page.add_curve({{0, 0, 0}}); });
    expect_refused<std::invalid_argument>("a line of a recorder needs two shapes", [&] { page.add_line({}); });
}
TEST(recorder_input, calls_out_of_order) {
    recorder page("order");
    auto const dot = page.add_point(1);
    expect_refused<std::logic_error>("a recorder's plots begin with its first frame", [&] { page.plot("a", "b", 1); });
    page.frame(1);
    expect_refused<std::logic_error>("a recorder's shapes must be added before its first frame", [&] { page.add_sphere(1); });
    expect_refused<std::invalid_argument>("the times of a recorder's frames must not decrease", [&] { page.frame(0.5); });
    page.frame(1);  // the same time again is one more frame
    EXPECT_EQ(page.frames(), 2u);
    sinew::shape_id const stranger{7};
    expect_refused<std::invalid_argument>("a recorder does not know this shape", [&] { page.position(stranger, sinew::vec3<double>{}); });
    expect_refused<std::invalid_argument>("a recorder does not know this shape", [&] { page.add_line({dot, stranger}); });
    expect_refused<std::invalid_argument>("a recorder does not know this shape", [&] { page.add_triangle(dot, dot, stranger); });
}

TEST(recorder, records_a_world) {
    sinew::world<sinew::default_config> world;
    sinew::recorder page("a world");
    auto const body = world.add(sinew::rigid_body<float>{});
    auto const particle = world.add(sinew::particle<float>{});
    std::vector<std::pair<decltype(body), sinew::shape_id>> const bodies{{body, page.add_sphere(0.1)}};
    std::vector<std::pair<decltype(particle), sinew::shape_id>> const particles{{particle, page.add_point(0.1)}};
    page.record(world, bodies);
    EXPECT_TRUE(world.step(1.0f / 60));
    page.record(world, particles);
    EXPECT_EQ(page.frames(), 2u);
    std::string const html = page.html();
    for (char const* chart : {"energy [J]", "momentum [kg m/s]", "largest joint error [m, rad]"}) EXPECT_NE(html.find(chart), std::string::npos) << chart;
}

// ---- colliders

// An egg, by its support function alone.
template <class S>
struct egg {
    S half_width{S(0.3)}, half_height{S(0.4)};
    [[nodiscard]] constexpr sinew::vec3<S> support(sinew::vec3<S> const& d) const {
        sinew::vec3<S> const r{half_width * d[0], half_height * d[1], half_width * d[2]};
        S const size = norm(r);
        return size > S(0) ? sinew::vec3<S>{half_width * r[0] / size, half_height * r[1] / size, half_width * r[2] / size} : sinew::vec3<S>{};
    }
};
struct sleepy : sinew::default_config {
    using scalar = double;
    using sleep = sinew::island_sleep;
};
using solid_world = sinew::world<sleepy, sinew::box, sinew::sphere, sinew::cone, sinew::half_space, egg>;

struct drawn_shape {
    std::string kind, text;
    long at = 0, group = 0;
};
std::vector<drawn_shape> shapes_of(std::string const& page) {
    std::vector<drawn_shape> r;
    std::string const list = between(data_of(page), "\"shapes\":[", "],\"lines\"") + ",{\"kind\":";
    std::string_view const mark = "{\"kind\":\"";
    for (std::size_t at = list.find(mark); at != std::string::npos;) {
        std::size_t const next = list.find("{\"kind\":", at + 1);
        std::string const one = list.substr(at, next - at) + ",";
        r.push_back({between(one, mark, "\""), one, std::stol(between(one, "\"at\":", ",")), one.find("\"group\":") == std::string::npos ? -1 : std::stol(between(one, "\"group\":", ","))});
        at = list.find(mark, at + 1);
    }
    return r;
}

TEST(recorder_colliders, all_shapes_of_a_world_are_shown_where_they_are) {
    solid_world world;
    world.add(sinew::half_space<double>{.offset = -0.5}, world.ground());
    world.add(sinew::box<double>{{1, 2, 3}}, world.ground(), {.frame = {{9, 0, 0}}});
    auto const ball = world.add_solid(sinew::sphere<double>{0.25}, 1000.0, {{0, 3, 0}});
    auto const two = world.add_solid(sinew::box<double>{{0.5, 0.25, 0.125}}, 1000.0, {{3, 1, 0}});
    world.add(sinew::sphere<double>{0.1}, two, {.frame = {{0.5, 0.5, 0}}});

    recorder page("colliders");
    std::size_t asked = 0;
    auto const shown = page.add_colliders(world, [&](auto const& body) {
        ++asked;
        return std::string(body == ball ? "#123456" : "");
    });
    EXPECT_EQ(asked, 5u);
    ASSERT_EQ(shown.size(), 2u) << "bodies, not colliders, and not the ground";
    for (int i = 0; i < 10; ++i) {
        page.record(world, shown);
        ASSERT_TRUE(world.step(1.0 / 60));
    }
    page.frame(world.time());
    page.show(world, shown);
    std::string const html = page.html();
    EXPECT_TRUE(json::holds(data_of(html)));
    EXPECT_EQ(between(data_of(html), "\"ground\":", ","), "-0.5") << "a level half space is the ground, not a shape";

    auto const shapes = shapes_of(html);
    ASSERT_EQ(shapes.size(), 4u);
    auto const state = state_of(html);
    auto const stride = static_cast<std::size_t>(std::stoul(between(data_of(html), "\"stride\":", ",")));
    EXPECT_EQ(stride, 2u * 8) << "a pose of seven numbers each, and whether it sleeps";
    ASSERT_EQ(state.size(), 11 * stride);
    // Shapes come type by type.
    std::size_t boxes = 0, balls = 0;
    long of_two = -1, at_two = -1;
    for (auto const& s : shapes) {
        if (s.at < 0) {
            EXPECT_NE(s.text.find("\"local\":[9,0,0,1,0,0,0]"), std::string::npos) << s.text;
            continue;
        }
        boxes += s.kind == "box";
        balls += s.kind == "sphere";
        auto const* const last = state.data() + 10 * stride + static_cast<std::size_t>(s.at);
        bool const is_ball = s.text.find("#123456") != std::string::npos;
        auto const body = is_ball ? ball : two;
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(last[k], static_cast<float>(world.position(body)[k])) << s.text;
        EXPECT_EQ(last[7], 0.0f) << "awake";
        if (is_ball) continue;
        if (of_two >= 0) {
            EXPECT_EQ(s.group, of_two) << "shapes of one body are one group";
            EXPECT_EQ(s.at, at_two) << "and are recorded once";
        }
        of_two = s.group;
        at_two = s.at;
        EXPECT_EQ(s.text.find("\"local\":[0.5,0.5,0,1,0,0,0]") != std::string::npos, s.kind == "sphere") << s.text;
    }
    EXPECT_EQ(boxes, 1u);
    EXPECT_EQ(balls, 2u);
}

TEST(recorder_colliders, what_sleeps_is_told) {
    solid_world world;
    world.add(sinew::half_space<double>{}, world.ground());
    auto const cube = world.add_solid(sinew::box<double>{{0.5, 0.5, 0.5}}, 1000.0, {{0, 0.5, 0}});
    recorder page("sleep");
    auto const shown = page.add_colliders(world);
    page.record(world, shown);
    for (int i = 0; i < 300 && !world.is_asleep(cube); ++i) ASSERT_TRUE(world.step(1.0 / 60));
    ASSERT_TRUE(world.is_asleep(cube));
    page.record(world, shown);
    auto const state = state_of(page.html());
    ASSERT_EQ(state.size(), 16u);
    EXPECT_EQ(state[7], 0.0f);
    EXPECT_EQ(state[15], 1.0f);
}

// Also of a shape that the page has no drawing of: a closed surface around the solid, within a hundredth of it.
TEST(recorder_colliders, other_shapes_are_closed_meshes) {
    solid_world world;
    for (int i = 0; i < 3; ++i) world.add_solid(egg<double>{}, 1000.0, {{double(i), 0, 0}});
    world.add_solid(sinew::cone<double>{0.3, 0.4}, 1000.0, {{5, 0, 0}});
    recorder page("meshes");
    (void)page.add_colliders(world);
    page.frame(0);
    std::string const data = data_of(page.html());
    EXPECT_TRUE(json::holds(data));
    EXPECT_EQ(count(data, "\"kind\":\"mesh\""), 4u);
    EXPECT_EQ(count(data, "\"convex\":true"), 2u) << "the same mesh is written once";

    sinew::detail::draw_shape<double>(egg<double>{}, sinew::pose<double>{}, [](sinew::detail::drawn_part const& part) {
        auto const& m = part.mesh;
        ASSERT_GT(m.points.size(), 50u);
        double volume = 0;
        std::size_t edges = 0;
        for (auto const* list : {&m.sharp, &m.smooth})
            for (auto const& face : *list) {
                edges += face.size();
                for (std::size_t k = 1; k + 1 < face.size(); ++k) volume += dot(m.points[face[0]], cross(m.points[face[k]], m.points[face[k + 1]])) / 6;
            }
        EXPECT_EQ(edges % 2, 0u);
        EXPECT_EQ(m.points.size() + m.sharp.size() + m.smooth.size(), edges / 2 + 2) << "Euler: closed, without a hole";
        for (auto const& p : m.points) EXPECT_NEAR(p[0] * p[0] / 0.09 + p[1] * p[1] / 0.16 + p[2] * p[2] / 0.09, 1, 1e-6);
        double const whole = 4.0 / 3 * sinew::pi_v<double> * 0.3 * 0.3 * 0.4;
        EXPECT_LT(volume, whole);
        EXPECT_GT(volume, 0.95 * whole) << "outside is where the corners run counter-clockwise";
    });
}

TEST(recorder_colliders, contacts_that_press_are_dots_on_the_surfaces) {
    solid_world world;
    world.add(sinew::half_space<double>{}, world.ground());
    world.add_solid(sinew::box<double>{{0.5, 0.5, 0.5}}, 1000.0, {{0, 0.5, 0}});
    recorder page("contacts");
    expect_refused<std::logic_error>("a recorder's contacts begin with its first frame", [&] { page.show_contacts(world); });
    auto const shown = page.add_colliders(world);
    page.record(world, shown);
    page.show_contacts(world);  // none yet
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(world.step(1.0 / 60));
    page.record(world, shown);
    page.show_contacts(world);
    std::string const data = data_of(page.html());
    EXPECT_TRUE(json::holds(data));
    EXPECT_EQ(between(data, "\"met\":[", "]"), "0,0,4") << "before each frame, and in all";
    auto const dots = decoded(between(data, "\"contacts\":\"", "\""));
    ASSERT_EQ(dots.size(), 12u);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(std::abs(dots[3 * i]), 0.5f, 1e-3f);
        EXPECT_NEAR(dots[3 * i + 1], 0.0f, 1e-3f);
        EXPECT_NEAR(std::abs(dots[3 * i + 2]), 0.5f, 1e-3f);
    }
}

TEST(recorder_colliders, the_camera_follows_a_shape_it_knows) {
    recorder page("follow");
    auto const ball = page.add_sphere(0.5);
    expect_refused<std::invalid_argument>("a recorder does not know this shape", [&] { page.follow({7}, 1); });
    expect_refused<std::invalid_argument>("sizes of a recorder must be finite and not negative", [&] { page.follow(ball, -1); });
    expect_refused<std::invalid_argument>("sizes of a recorder must be finite and not negative", [&] { page.follow(ball, nan_); });
    page.follow(ball, 2.5);
    page.frame(0);
    std::string const data = data_of(page.html());
    EXPECT_TRUE(json::holds(data));
    EXPECT_EQ(between(data, "\"follow\":[", "]"), "0,2.5");
}

}  // namespace
