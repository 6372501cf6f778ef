// Every strategy on the same scenes: what error does a microsecond buy? Writes 10_solver_comparison.html, .md and, of the
// first scene, .svg.
//
// A scene is written once, over any world. A strategy is one line of a config: `using solver = ...`. Each is run at rising budgets:
// more sweeps for those that iterate, more and shorter steps for all. The page plots error over cost (a work-precision diagram);
// low and to the left is good. The argument, if any, is the number of frames: 60 by default, a second.
//
// Error is the largest joint error in the run. The bridge is soft in every row, so its error is how far the middle of its span is from
// where the equations of motion, integrated with rk4 at a sixty-fourth of the step, put it. Energy is the largest change, relative
// to the energy that the scene could turn over.

#include <sinew/io/svg_plot.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

// ---- worlds

template <class S>
using soft_edge = sinew::soft_joint<S, sinew::particle_distance>;
template <class S>
using soft_volume = sinew::soft_joint<S, sinew::tetrahedron_volume>;

template <class Solver, class Integrator = sinew::symplectic_euler>
struct config : sinew::default_config {
    using scalar = double;
    using solver = Solver;
    using integrator = Integrator;
};
template <class Config>
using world_of = sinew::world<Config, sinew::ball_joint, sinew::hinge_joint, sinew::weld_joint, soft_edge, soft_volume>;

using vec = sinew::vec3<double>;
constexpr double frame = 1.0 / 60;

// ---- scenes: what is built, how much energy it turns over (J), and which point is watched where no joint is hard

sinew::rigid_body<double> box(vec const& size, double mass, vec const& at) {
    return rigid_body_of(sinew::solid_box(mass, size), sinew::pose<double>{at, {}});
}

struct chain {
    static constexpr char const* name = "chain of 32";
    static constexpr double energy = 32 * 9.81 * 8;
    static constexpr bool soft = false;
    void build(auto& world) {
        auto last = world.ground();
        for (int i = 0; i < 32; ++i) {
            auto const link = world.add(box({0.5, 0.1, 0.1}, 1, {0.5 * i + 0.25, 0, 0}));
            world.add(sinew::ball_joint<double>::at(world.pose(last), world.pose(link), vec{0.5 * i, 0, 0}), last, link);
            last = link;
        }
    }
};

// A binary tree of 127 boxes, each welded to its parent: no freedom is left, and it must not sag.
struct tree {
    static constexpr char const* name = "welded tree of 127";
    static constexpr double energy = 127 * 9.81 * 3;
    static constexpr bool soft = false;
    void build(auto& world) {
        using handle = typename std::remove_reference_t<decltype(world)>::body_handle;
        std::vector<handle> boxes;
        std::vector<vec> ends;
        for (std::size_t i = 0; i < 127; ++i) {
            std::size_t const parent = (i - 1) / 2;  // of i > 0
            vec const start = i == 0 ? vec{0, 0, 0} : ends[parent];
            int level = 0;
            for (std::size_t k = i + 1; k > 1; k /= 2) ++level;
            double const side = i == 0 ? 0 : (i % 2 == 1 ? 1 : -1) * 4.0 / (1 << level);
            vec const end = start + (level % 2 == 0 ? vec{0.5, 0, side} : vec{0.5, side, 0});
            boxes.push_back(world.add(box({0.5, 0.1, 0.1}, 1, (start + end) / 2.0)));
            ends.push_back(end);
            auto const to = i == 0 ? world.ground() : boxes[parent];
            world.add(sinew::weld_joint<double>::at(world.pose(to), world.pose(boxes[i]), start), to, boxes[i]);
        }
    }
};

struct heavy_end {
    static constexpr char const* name = "10 links under 1000 kg";
    static constexpr double energy = 1010 * 1.05 * 1.05 / 2;
    static constexpr bool soft = false;
    void build(auto& world) {
        auto last = world.ground();
        for (int i = 0; i <= 10; ++i) {
            auto b = box({0.1, 0.5, 0.1}, i == 10 ? 1000 : 1, {0, -0.5 * i - 0.25, 0});
            b.twist = {{0.1 * i + 0.05, 0, 0}, {0, 0, 0.2}};  // swinging as a whole
            auto const link = world.add(b);
            world.add(sinew::ball_joint<double>::at(world.pose(last), world.pose(link), vec{0, -0.5 * i, 0}), last, link);
            last = link;
        }
    }
};

// A four-bar, and a box of four plates with two hinges on every edge: each loop repeats rows that others have said.
struct loops {
    static constexpr char const* name = "four-bar and hinged box";
    static constexpr double energy = 7 * 9.81;
    static constexpr bool soft = false;
    void build(auto& world) {
        vec const z{0, 0, 1}, y{0, 1, 0};
        auto const hinge = [&](auto a, auto b, vec const& at, vec const& axis) {
            world.add(sinew::hinge_joint<double>::at(world.pose(a), world.pose(b), at, axis), a, b);
        };
        auto const bar = [&](vec const& size, vec const& at, vec const& velocity, vec const& spin) {
            auto b = box(size, 1, at);
            b.twist = {velocity, spin};
            return world.add(b);
        };
        auto const left = bar({0.1, 1, 0.1}, {0, 0.5, 0}, {0.5, 0, 0}, -z), top = bar({1, 0.1, 0.1}, {0.5, 1, 0}, {1, 0, 0}, {});
        auto const right = bar({0.1, 1, 0.1}, {1, 0.5, 0}, {0.5, 0, 0}, -z);
        hinge(world.ground(), left, {0, 0, 0}, z);
        hinge(left, top, {0, 1, 0}, z);
        hinge(top, right, {1, 1, 0}, z);
        hinge(right, world.ground(), {1, 0, 0}, z);
        std::array<vec, 4> const corners{vec{3, 0, 0}, vec{4, 0, 0}, vec{4, 0, 1}, vec{3, 0, 1}};
        std::array<vec, 4> const opening{vec{0.5, 0, 0}, vec{0, 0, -0.5}, vec{-0.5, 0, 0}, vec{0, 0, 0.5}};
        std::array<typename std::remove_reference_t<decltype(world)>::body_handle, 4> plates{};
        for (std::size_t i = 0; i < 4; ++i) {
            vec const a = corners[i], b = corners[(i + 1) % 4];
            plates[i] = bar(i % 2 == 0 ? vec{1, 1, 0.05} : vec{0.05, 1, 1}, (a + b) / 2.0, opening[i], i % 2 == 0 ? y : -y);
        }
        for (std::size_t i = 0; i < 4; ++i)
            for (double const height : {-0.4, 0.4}) hinge(plates[i], plates[(i + 1) % 4], corners[(i + 1) % 4] + height * y, y);
    }
};

// A bar of 8 cubes, five tetrahedra each, held at both ends.
struct bridge {
    static constexpr char const* name = "soft bridge";
    static constexpr double energy = 28 * 0.2 * 9.81;
    static constexpr bool soft = true;
    sinew::handle<sinew::point_mass> middle{};

    void build(auto& world) {
        using handle = typename std::remove_reference_t<decltype(world)>::particle_handle;
        constexpr int nx = 9;
        std::vector<handle> points;
        for (int i = 0; i < nx * 4; ++i) {
            vec const p{0.25 * (i / 4), 0.25 * (i / 2 % 2), 0.25 * (i % 2)};
            bool const held = i < 4 || i >= nx * 4 - 4;
            points.push_back(held ? world.add_fixed_particle(p) : world.add(sinew::particle<double>{1, p, {}}));
        }
        middle = points[nx / 2 * 4];
        std::set<std::pair<std::size_t, std::size_t>> edges;
        auto const pose = [&](std::size_t i) { return sinew::particle_pose<double>{world.position(points[i])}; };
        for (int x = 0; x + 1 < nx; ++x) {
            auto const at = [&](int i, int j, int k) { return static_cast<std::size_t>((x + (x % 2 == 0 ? i : 1 - i)) * 4 + j * 2 + k); };
            std::size_t const cube[5][4] = {{at(0, 0, 0), at(1, 1, 0), at(1, 0, 1), at(0, 1, 1)},
                                            {at(1, 0, 0), at(0, 0, 0), at(1, 1, 0), at(1, 0, 1)},
                                            {at(0, 1, 0), at(0, 0, 0), at(1, 1, 0), at(0, 1, 1)},
                                            {at(0, 0, 1), at(0, 0, 0), at(1, 0, 1), at(0, 1, 1)},
                                            {at(1, 1, 1), at(1, 1, 0), at(1, 0, 1), at(0, 1, 1)}};
            for (auto const& t : cube) {
                world.add(soft_volume<double>::with(sinew::tetrahedron_volume<double>::at(pose(t[0]), pose(t[1]), pose(t[2]), pose(t[3])), 1e-8), points[t[0]],
                          points[t[1]], points[t[2]], points[t[3]]);
                for (std::size_t i = 0; i < 4; ++i)
                    for (std::size_t k = i + 1; k < 4; ++k)
                        if (edges.insert({std::min(t[i], t[k]), std::max(t[i], t[k])}).second)
                            world.add(soft_edge<double>::with(sinew::particle_distance<double>::at(pose(t[i]), pose(t[k]), pose(t[i]).position, pose(t[k]).position), 1e-4),
                                      points[t[i]], points[t[k]]);
            }
        }
    }
};

// ---- runs

struct budget {
    int pieces;  // steps in a frame
    int sweeps;  // of a step
};
struct outcome {
    std::string strategy, budget;
    double error = 0, energy = 0, microseconds = 0;
};

/// The middle of the bridge at every frame, as the equations of motion have it.
std::vector<double> const& bridge_reference(int frames) {
    static std::vector<double> const heights = [&] {
        world_of<config<sinew::lagrange_multipliers<sinew::sparse_ldlt>, sinew::rk4>> world;
        bridge scene;
        scene.build(world);
        std::vector<double> r;
        for (int i = 0; i < frames; ++i) {
            for (int k = 0; k < 64; ++k) world.step(frame / 64);
            r.push_back(world.position(scene.middle).y());
        }
        return r;
    }();
    return heights;
}

template <class Config, class Scene>
outcome run(budget const& b, int frames) {
    world_of<Config> world;
    Scene scene;
    scene.build(world);
    if constexpr (requires { world.solver.iterations; }) world.solver.iterations = b.sweeps;
    int pieces = b.pieces;
    if constexpr (requires { world.solver.substeps; }) {
        world.solver.substeps = b.pieces;
        pieces = 1;
    }
    if constexpr (std::is_same_v<typename Config::integrator, sinew::symplectic_euler> && requires { world.solver.drift; })
        world.solver.drift = sinew::drift_control::projection;
    outcome r;
    double const at_start = world.energy();
    std::vector<double> times;
    for (int i = 0; i < frames; ++i) {
        auto const begin = std::chrono::steady_clock::now();
        for (int k = 0; k < pieces; ++k)
            if (!world.step(frame / pieces)) return {"", "", -1, -1, -1};
        times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
        if constexpr (Scene::soft)
            r.error = std::max(r.error, std::abs(world.position(scene.middle).y() - bridge_reference(frames)[static_cast<std::size_t>(i)]));
        else
            r.error = std::max(r.error, world.constraint_error());
        r.energy = std::max(r.energy, std::abs(world.energy() - at_start) / Scene::energy);
    }
    std::sort(times.begin(), times.end());
    r.microseconds = times[times.size() / 2];
    return r;
}

// ---- the table and the page

struct report {
    std::vector<outcome> rows;
    std::string scene;
};

template <class Config, class Scene>
void compare(report& to, int frames, char const* strategy, std::vector<budget> const& budgets) {
    for (budget const& b : budgets) {
        outcome r = run<Config, Scene>(b, frames);
        r.strategy = strategy;
        r.budget = std::to_string(b.pieces) + (b.sweeps > 0 ? " x " + std::to_string(b.sweeps) : "");
        to.rows.push_back(r);
        if (r.microseconds * frames > 0.6e6) break;  // more would be slower still
    }
}

template <class Scene>
report compare_all(int frames) {
    report r;
    r.scene = Scene::name;
    std::vector<budget> const sweeps{{1, 4}, {1, 10}, {1, 40}, {4, 10}, {10, 10}, {10, 40}}, pieces{{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}};
    compare<config<sinew::sequential_impulses>, Scene>(r, frames, "sequential_impulses", {{1, 2}, {5, 3}, {10, 3}, {20, 4}, {40, 8}});
    compare<config<sinew::nonlinear_gauss_seidel>, Scene>(r, frames, "nonlinear_gauss_seidel", sweeps);
    compare<config<sinew::jacobi>, Scene>(r, frames, "jacobi", sweeps);
    compare<config<sinew::vertex_block_descent>, Scene>(r, frames, "vertex_block_descent", sweeps);
    compare<config<sinew::augmented_lagrangian>, Scene>(r, frames, "augmented_lagrangian", sweeps);
    compare<config<sinew::lagrange_impulses<sinew::sparse_ldlt>>, Scene>(r, frames, "lagrange_impulses<sparse_ldlt>", pieces);
    compare<config<sinew::compliant_implicit>, Scene>(r, frames, "compliant_implicit", {{1, 1}, {1, 3}, {4, 3}, {10, 3}});
    compare<config<sinew::lagrange_multipliers<sinew::sparse_ldlt>>, Scene>(r, frames, "lagrange_multipliers<sparse_ldlt>, projected", pieces);
    compare<config<sinew::lagrange_multipliers<sinew::cholesky>, sinew::rk4>, Scene>(r, frames, "lagrange_multipliers<cholesky>, rk4", pieces);
    compare<config<sinew::lagrange_multipliers<sinew::sparse_ldlt>, sinew::rk4>, Scene>(r, frames, "lagrange_multipliers<sparse_ldlt>, rk4", pieces);
    return r;
}

std::string number(double x, char const* format = "%.1e") {
    if (x < 0) return "failed";
    char text[32];
    std::snprintf(text, sizeof text, format, x);
    return text;
}

int main(int argc, char** argv) {
    int const frames = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 60;
    std::vector<report> const reports{compare_all<chain>(frames), compare_all<tree>(frames), compare_all<heavy_end>(frames), compare_all<loops>(frames), compare_all<bridge>(frames)};

    std::string markdown, html =
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Strategies compared</title>"
        "<style>:root{color-scheme:light dark}body{font:15px/1.45 system-ui,sans-serif;max-width:1000px;margin:0 auto;padding:16px 20px}"
        "h2{margin:28px 0 6px}svg{max-width:100%;height:auto;background:#fff;border-radius:8px}table{border-collapse:collapse;margin:8px 0;font-variant-numeric:tabular-nums;width:100%}"
        "td,th{padding:2px 10px;text-align:right;border-top:1px solid #8884}td:first-child,th:first-child{text-align:left}</style>"
        "<h1>Every strategy on the same scenes</h1><p>Error over cost, " + std::to_string(frames) + " frames of motion at 60 a second, in double; low and to the left is good. "
        "A budget of 4 x 10 is four steps a frame with ten sweeps each.</p>";
    for (auto const& r : reports) {
        sinew::svg_plot plot;
        plot.x_label = "time per frame [us]";
        plot.y_label = r.scene == bridge::name ? "deviation of the middle [m]" : "largest joint error [m, rad]";
        plot.log_x = plot.log_y = plot.markers = true;
        plot.width = 960;
        plot.height = 520;
        markdown += "\n**" + r.scene + "**\n\n| strategy | steps x sweeps | error [m] | energy | us a frame |\n|---|---|---:|---:|---:|\n";
        html += "<h2>" + r.scene + "</h2>";
        std::string table = "<details><summary>numbers</summary><table><tr><th>strategy<th>steps x sweeps<th>error [m]<th>energy<th>us a frame</tr>";
        for (std::size_t i = 0; i < r.rows.size();) {
            std::string const strategy = r.rows[i].strategy;
            std::vector<double> x, y;
            for (; i < r.rows.size() && r.rows[i].strategy == strategy; ++i) {
                auto const& o = r.rows[i];
                if (o.microseconds > 0) {
                    x.push_back(o.microseconds);
                    y.push_back(std::max(o.error, 1e-15));
                }
                markdown += "| `" + o.strategy + "` | " + o.budget + " | " + number(o.error) + " | " + number(o.energy) + " | " + number(o.microseconds, "%.0f") + " |\n";
                std::string escaped = o.strategy;
                for (std::size_t k = 0; (k = escaped.find('<', k)) != std::string::npos;) escaped.replace(k, 1, "&lt;");
                table += "<tr><td>" + escaped + "<td>" + o.budget + "<td>" + number(o.error) + "<td>" + number(o.energy) + "<td>" + number(o.microseconds, "%.0f") + "</tr>";
            }
            if (!x.empty()) plot.add(strategy, x, y);
        }
        html += plot.svg() + table + "</table></details>";
        if (r.scene == chain::name) plot.write("10_solver_comparison.svg");
    }
    std::printf("%s", markdown.c_str());
    std::ofstream("10_solver_comparison.md") << markdown;
    std::ofstream page("10_solver_comparison.html");
    page << html << "</html>\n";
    if (!page) {
        std::fprintf(stderr, "cannot write 10_solver_comparison.html\n");
        return 1;
    }
}
