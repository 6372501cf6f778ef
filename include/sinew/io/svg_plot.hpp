#pragma once
// Line plots as SVG files: for the examples' pictures and for a thesis.
//
//   sinew::svg_plot plot{.title = "Energy", .x_label = "t [s]", .y_label = "E [J]"};
//   plot.add("rk4", times, energies);
//   plot.write("energy.svg");

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

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
