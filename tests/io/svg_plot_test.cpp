// SVG plots: well-formed whatever the text and numbers, the same bytes each time, ticks and points where they belong.

#include <sinew/io/svg_plot.hpp>

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <locale>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using sinew::svg_plot;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

// ---- XML, strictly, as far as such a file uses it

bool is_name(std::string_view s) {
    if (s.empty()) return false;
    for (char const c : s)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == ':')) return false;
    return true;
}
// Text or a value: no '<', and every '&' begins an entity.
bool is_text(std::string_view s) {
    for (std::size_t i = 0; i < s.size(); ++i) {
        auto const u = static_cast<unsigned char>(s[i]);
        if (s[i] == '<' || (u < 32 && s[i] != '\n')) return false;
        if (s[i] != '&') continue;
        bool known = false;
        for (std::string_view const e : {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"}) known = known || s.substr(i, e.size()) == e;
        if (!known) return false;
    }
    return true;
}
// What is wrong with it; empty if nothing is.
std::string fault_of(std::string_view text) {
    std::vector<std::string> open;
    std::size_t at = 0, roots = 0;
    while (at < text.size()) {
        auto const tag = text.find('<', at);
        std::string_view const between = text.substr(at, tag == std::string_view::npos ? tag : tag - at);
        if (!is_text(between)) return "text: " + std::string(between);
        if (open.empty() && between.find_first_not_of('\n') != std::string_view::npos) return "text outside: " + std::string(between);
        if (tag == std::string_view::npos) break;
        auto const end = text.find('>', tag);
        if (end == std::string_view::npos) return "a tag without end";
        std::string_view inside = text.substr(tag + 1, end - tag - 1);
        at = end + 1;
        if (inside.starts_with('/')) {
            if (open.empty() || open.back() != inside.substr(1)) return "closes what is not open: " + std::string(inside);
            open.pop_back();
            continue;
        }
        bool const closed = inside.ends_with('/');
        if (closed) inside.remove_suffix(1);
        auto const blank = inside.find(' ');
        std::string const name(inside.substr(0, blank));
        if (!is_name(name)) return "a tag called '" + name + "'";
        if (open.empty() && ++roots > 1) return "two roots";
        std::set<std::string> seen;
        std::string_view rest = blank == std::string_view::npos ? std::string_view() : inside.substr(blank);
        while (!rest.empty()) {
            if (rest.front() != ' ') return "no blank before an attribute of " + name;
            rest.remove_prefix(1);
            auto const is = rest.find("=\"");
            if (is == std::string_view::npos || !is_name(rest.substr(0, is))) return "an attribute of " + name + ": " + std::string(rest);
            if (!seen.insert(std::string(rest.substr(0, is))).second) return "an attribute twice in " + name;
            auto const close = rest.find('"', is + 2);
            if (close == std::string_view::npos || !is_text(rest.substr(is + 2, close - is - 2))) return "a value in " + name;
            rest.remove_prefix(close + 1);
        }
        if (!closed) open.push_back(name);
    }
    if (!open.empty()) return "left open: " + open.back();
    return roots == 1 ? "" : "no root";
}
void expect_well_formed(svg_plot const& plot) {
    std::string const text = plot.svg();
    EXPECT_EQ(fault_of(text), "") << text;
    for (char const* word : {"nan", "inf", "NaN"}) EXPECT_EQ(text.find(word), std::string::npos) << word << " in\n" << text;
}

// ---- what the picture says

std::vector<std::string> all_between(std::string_view text, std::string_view from, std::string_view to) {
    std::vector<std::string> r;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string_view::npos;) {
        at += from.size();
        auto const end = text.find(to, at);
        r.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return r;
}
std::vector<std::string> labels_of(std::string const& svg, bool vertical) {
    return all_between(svg, vertical ? "text-anchor=\"end\">" : "text-anchor=\"middle\">", "</text>");
}
struct spot {
    double x, y;
};
// The strokes of a path: each M begins one.
std::vector<std::vector<spot>> strokes_of(std::string const& path) {
    std::vector<std::vector<spot>> r;
    char const* p = path.c_str();
    while (*p != '\0') {
        char const command = *p++;
        EXPECT_TRUE(command == 'M' || command == 'L') << path;
        if (command == 'M') r.emplace_back();
        char* end = nullptr;
        double const x = std::strtod(p, &end), y = std::strtod(end, &end);
        if (end == p || r.empty()) return {};
        r.back().push_back({x, y});
        p = end;
    }
    return r;
}
std::vector<std::vector<spot>> curve_of(std::string const& svg, std::size_t i = 0) {
    auto const paths = all_between(svg, "<path d=\"", "\"");
    return i < paths.size() ? strokes_of(paths[i]) : std::vector<std::vector<spot>>{};
}

svg_plot example() {
    svg_plot plot;
    plot.title = "Energy";
    plot.x_label = "t [s]";
    plot.y_label = "E [J]";
    plot.add("rk4", {0, 1, 2, 3}, {1, 0.5, 0.25, 0.125});
    plot.add("euler", {0, 1, 2, 3}, {1, 2, 3, 4});
    return plot;
}

TEST(svg_plot, is_well_formed) {
    expect_well_formed(example());
    for (bool const log_x : {false, true})
        for (bool const log_y : {false, true})
            for (bool const equal : {false, true})
                for (bool const markers : {false, true}) {
                    auto plot = example();
                    plot.log_x = log_x;
                    plot.log_y = log_y;
                    plot.equal_axes = equal;
                    plot.markers = markers;
                    expect_well_formed(plot);
                }
    // The judge itself.
    EXPECT_NE(fault_of("<a><b></a></b>"), "");
    EXPECT_NE(fault_of("<a x=\"1\" x=\"2\"/>"), "");
    EXPECT_NE(fault_of("<a>&nbsp;</a>"), "");
    EXPECT_NE(fault_of("<a x=1/>"), "");
    EXPECT_NE(fault_of("<a/><b/>"), "");
    EXPECT_NE(fault_of("<a>"), "");
}
TEST(svg_plot, stands_alone) {
    auto const text = example().svg();
    EXPECT_TRUE(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 430\" width=\"760\" height=\"430\""));
    EXPECT_TRUE(text.ends_with("</svg>\n"));
    // The name of the format is the only address in it.
    EXPECT_EQ(all_between(text, "http", "\"").size(), 1u);
    for (char const* reach : {"href", "url(", "<image", "<script", "@import"}) EXPECT_EQ(text.find(reach), std::string::npos) << reach;
    EXPECT_NE(text.find("role=\"img\" aria-label=\"Energy\""), std::string::npos);
}
TEST(svg_plot, escapes_text) {
    std::string const evil = "a < b && \"c\" > 'd' </svg>\x01\t \xc2\xb5";
    std::string const tame = "a &lt; b &amp;&amp; &quot;c&quot; &gt; 'd' &lt;/svg&gt;   \xc2\xb5";
    svg_plot plot;
    plot.title = plot.x_label = plot.y_label = evil;
    plot.add(evil, {0, 1}, {0, 1});
    expect_well_formed(plot);
    auto const text = plot.svg();
    EXPECT_EQ(all_between(text, ">" + tame, "</text>").size(), 4u) << text;
    EXPECT_NE(text.find("aria-label=\"" + tame + "\""), std::string::npos);
}
TEST(svg_plot, is_the_same_each_time) {
    EXPECT_EQ(example().svg(), example().svg());
    auto const plot = example();
    EXPECT_EQ(plot.svg(), plot.svg());
}
// A language that writes decimal commas, or groups digits, writes the same picture.
TEST(svg_plot, locale_does_not_matter) {
    struct comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };
    auto plot = example();
    plot.width = 1760;
    plot.add("large", {0, 3}, {12345.5, 0.25});
    std::string const usual = plot.svg();
    auto const was = std::string(std::setlocale(LC_ALL, nullptr));
    auto const whole = std::locale();
    std::locale::global(std::locale(whole, new comma));
    for (char const* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"})
        if (std::setlocale(LC_ALL, name) != nullptr) break;
    std::string const foreign = plot.svg();
    std::locale::global(whole);
    (void)std::setlocale(LC_ALL, was.c_str());
    EXPECT_EQ(foreign, usual);
}
TEST(svg_plot, is_written_as_it_is) {
    auto const path = std::filesystem::temp_directory_path() / "sinew_svg_plot_test.svg";
    auto const plot = example();
    plot.write(path.string());
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), plot.svg());
    file.close();
    std::filesystem::remove(path);
    try {
        plot.write("/no/such/folder/plot.svg");
        ADD_FAILURE() << "written to nowhere";
    } catch (std::runtime_error const& e) {
        EXPECT_EQ(std::string(e.what()), "sinew: cannot write '/no/such/folder/plot.svg'");
    }
}

// ---- where things are

TEST(svg_plot, points_are_linear_in_the_values) {
    svg_plot plot;
    plot.add("line", {0, 1, 2, 4}, {10, 20, 30, 50});
    auto const strokes = curve_of(plot.svg());
    ASSERT_EQ(strokes.size(), 1u);
    auto const& s = strokes[0];
    ASSERT_EQ(s.size(), 4u);
    for (std::size_t i : {1u, 2u, 3u}) {
        double const part = i == 3 ? 1.0 : 0.25 * static_cast<double>(i);
        EXPECT_NEAR(s[i].x, s[0].x + part * (s[3].x - s[0].x), 0.011);
        EXPECT_NEAR(s[i].y, s[0].y + part * (s[3].y - s[0].y), 0.011);
    }
    EXPECT_GT(s[3].x, s[0].x);
    EXPECT_LT(s[3].y, s[0].y) << "values grow upwards";
    for (auto const& p : s) {
        EXPECT_GT(p.x, 74);
        EXPECT_LT(p.x, 760 - 18);
        EXPECT_GT(p.y, 36);
        EXPECT_LT(p.y, 430 - 52);
    }
}
TEST(svg_plot, points_are_logarithmic_in_the_values) {
    svg_plot plot;
    plot.log_x = plot.log_y = true;
    plot.add("powers", {1, 10, 100, 1000}, {1e-8, 1e-6, 1e-4, 1e-2});
    auto const strokes = curve_of(plot.svg());
    ASSERT_EQ(strokes.size(), 1u);
    auto const& s = strokes[0];
    ASSERT_EQ(s.size(), 4u);
    for (std::size_t i = 1; i < 3; ++i) {
        EXPECT_NEAR(s[i].x - s[i - 1].x, s[i + 1].x - s[i].x, 0.021);
        EXPECT_NEAR(s[i].y - s[i - 1].y, s[i + 1].y - s[i].y, 0.021);
    }
    EXPECT_EQ(labels_of(plot.svg(), true).front(), "1e-08");
    auto const across = labels_of(plot.svg(), false);
    ASSERT_GE(across.size(), 4u);
    EXPECT_EQ((std::vector<std::string>(across.begin(), across.begin() + 4)), (std::vector<std::string>{"1", "10", "100", "1000"}));
}
TEST(svg_plot, equal_axes_have_equal_units) {
    svg_plot plot;
    plot.equal_axes = true;
    plot.add("square", {0, 1, 1, 0, 0}, {0, 0, 1, 1, 0});
    auto const strokes = curve_of(plot.svg());
    ASSERT_EQ(strokes.size(), 1u);
    EXPECT_NEAR(strokes[0][1].x - strokes[0][0].x, strokes[0][1].y - strokes[0][2].y, 0.03);
}
TEST(svg_plot, markers_stand_on_every_value) {
    auto plot = example();
    EXPECT_EQ(all_between(plot.svg(), "<circle ", "/>").size(), 0u);
    plot.markers = true;
    EXPECT_EQ(all_between(plot.svg(), "<circle ", "/>").size(), 8u);
}
TEST(svg_plot, every_curve_has_its_name_and_its_stroke) {
    svg_plot plot;
    for (int i = 0; i < 6; ++i) plot.add("curve " + std::to_string(i), {0, 1}, {0, static_cast<double>(i)});
    auto const text = plot.svg();
    expect_well_formed(plot);
    std::set<std::string> looks;
    for (auto const& path : all_between(text, "<path d=\"", "/>")) looks.insert(path.substr(path.find('"')));
    EXPECT_EQ(looks.size(), 6u);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(all_between(text, ">curve " + std::to_string(i), "</text>").size(), 1u);
    // More than there are colours.
    for (int i = 0; i < 20; ++i) plot.add("more", {0, 1}, {0, 1});
    expect_well_formed(plot);
}

// ---- ticks

TEST(svg_plot, ticks_are_round_and_distinct) {
    for (double const low : {0.0, -1.0, 1.0, -250.0, 1e6, 0.001, -3e-7, 1e12})
        for (double const span : {1.0, 0.3, 7.0, 1234.5, 1e-3, 1e9, 1e-6}) {
            if (span < 1e-8 * std::fabs(low)) continue;
            svg_plot plot;
            plot.add("", {0, 1}, {low, low + span});
            expect_well_formed(plot);
            auto const labels = labels_of(plot.svg(), true);
            EXPECT_GE(labels.size(), 3u) << low << " " << span;
            EXPECT_LE(labels.size(), 13u) << low << " " << span;
            EXPECT_EQ(std::set<std::string>(labels.begin(), labels.end()).size(), labels.size()) << low << " " << span << ": " << labels.front();
            for (auto const& label : labels) {
                EXPECT_NE(label, "-0");
                char* end = nullptr;
                double const v = std::strtod(label.c_str(), &end);
                EXPECT_EQ(*end, '\0');
                EXPECT_GE(v, low - 0.05 * span - 1e-9 * std::fabs(low));
                EXPECT_LE(v, low + 1.05 * span + 1e-9 * std::fabs(low));
            }
        }
    svg_plot plot;
    plot.add("", {0, 1}, {0, 6});
    EXPECT_EQ(labels_of(plot.svg(), true), (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6"}));
}
TEST(svg_plot, a_narrow_range_far_from_zero) {
    for (double const at : {1.0, 1e6, -1e9, 1e300, 1e-300}) {
        svg_plot plot;
        plot.add("", {0, 1}, {at, at * (1 + 2e-9)});
        expect_well_formed(plot);
        auto const labels = labels_of(plot.svg(), true);
        EXPECT_EQ(std::set<std::string>(labels.begin(), labels.end()).size(), labels.size());
        // A constant.
        svg_plot flat;
        flat.add("", {0, 1}, {at, at});
        expect_well_formed(flat);
        ASSERT_EQ(curve_of(flat.svg()).size(), 1u);
    }
    svg_plot zero;
    zero.add("", {0, 1}, {0, 0});
    expect_well_formed(zero);
    svg_plot least;  // whose sixth is 0
    least.add("", {0, 1, 2}, {0, 5e-324, 0});
    expect_well_formed(least);
    svg_plot dot;
    dot.add("", {2}, {3});
    expect_well_formed(dot);
    EXPECT_EQ(curve_of(dot.svg()).size(), 1u);
}
TEST(svg_plot, decades_are_few_enough_to_read) {
    for (double const top : {1.0, 3.0, 1e3, 1e20, 1e250}) {
        svg_plot plot;
        plot.log_y = true;
        plot.add("", {0, 1}, {1e-30, top});
        expect_well_formed(plot);
        auto const labels = labels_of(plot.svg(), true);
        EXPECT_GE(labels.size(), 2u);
        EXPECT_LE(labels.size(), 10u);
    }
    // Less than a decade still has two ticks.
    svg_plot plot;
    plot.log_y = true;
    plot.add("", {0, 1}, {2, 3});
    EXPECT_EQ(labels_of(plot.svg(), true), (std::vector<std::string>{"1", "10"}));
}

// ---- what cannot be drawn

TEST(svg_plot, what_is_not_finite_leaves_a_gap) {
    for (double const x : {nan_, inf, -inf, 1e301}) {
        svg_plot plot;
        plot.add("y", {0, 1, 2, 3, 4}, {0, 1, x, 3, 4});
        expect_well_formed(plot);
        auto strokes = curve_of(plot.svg());
        ASSERT_EQ(strokes.size(), 2u) << x;
        EXPECT_EQ(strokes[0].size(), 2u);
        EXPECT_EQ(strokes[1].size(), 2u);
        svg_plot other;
        other.add("x", {0, 1, x, 3}, {0, 1, 2, 3});
        expect_well_formed(other);
        strokes = curve_of(other.svg());
        ASSERT_EQ(strokes.size(), 2u) << x;
        EXPECT_EQ(strokes[1].size(), 1u);
    }
}
TEST(svg_plot, logarithmic_axes_refuse_what_is_not_positive) {
    for (double const bad : {0.0, -0.0, -1.0, -1e-300}) {
        svg_plot plot;
        plot.log_y = true;
        plot.add("y", {0, 1, 2, 3}, {1, 10, bad, 1000});
        expect_well_formed(plot);
        auto const strokes = curve_of(plot.svg());
        ASSERT_EQ(strokes.size(), 2u);
        EXPECT_EQ(strokes[0].size() + strokes[1].size(), 3u);
        // It does not stretch the axis either.
        EXPECT_EQ(labels_of(plot.svg(), true), (std::vector<std::string>{"1", "10", "100", "1000"}));
        svg_plot across;
        across.log_x = true;
        across.add("x", {bad, 1, 10}, {1, 2, 3});
        expect_well_formed(across);
        ASSERT_EQ(curve_of(across.svg()).size(), 1u);
        EXPECT_EQ(curve_of(across.svg())[0].size(), 2u);
    }
    // Nothing is left: an empty frame with the name in its legend.
    svg_plot none;
    none.log_y = true;
    none.add("gone", {0, 1}, {0, -1});
    expect_well_formed(none);
    EXPECT_TRUE(curve_of(none.svg()).empty());
    EXPECT_NE(none.svg().find(">gone</text>"), std::string::npos);
}
template <class F>
void expect_refused(std::string const& sentence, F f) {
    try {
        f();
        ADD_FAILURE() << "accepted; expected: " << sentence;
    } catch (std::invalid_argument const& e) {
        EXPECT_EQ(std::string(e.what()), "sinew: " + sentence);
    }
}
TEST(svg_plot, refuses_what_is_no_plot) {
    expect_refused("a plot needs a curve", [] { (void)svg_plot{}.svg(); });
    svg_plot uneven;
    uneven.add("rk4", {0, 1, 2}, {0, 1});
    expect_refused("the curve 'rk4' of a plot needs as many x as y", [&] { (void)uneven.svg(); });
    for (int const side : {199, 0, -5}) {
        auto plot = example();
        plot.width = side;
        expect_refused("a plot needs a width and a height of 200 or more", [&] { (void)plot.svg(); });
        plot.width = 760;
        plot.height = side;
        expect_refused("a plot needs a width and a height of 200 or more", [&] { (void)plot.svg(); });
    }
    // Refused before a file is made.
    auto const path = std::filesystem::temp_directory_path() / "sinew_svg_plot_test_refused.svg";
    expect_refused("a plot needs a curve", [&] { svg_plot{}.write(path.string()); });
    EXPECT_FALSE(std::filesystem::exists(path));
    // An empty curve is one without values yet.
    svg_plot empty;
    empty.add("nothing", {}, {});
    expect_well_formed(empty);
    auto small = example();
    small.width = small.height = 200;
    expect_well_formed(small);
}

}  // namespace
