// Nothing goes through anything, and no position is ever edited (Vondrak 2005, 6.3-6.5; his TestCriticalContacts). Writes 16_crushed_cube.html.
//
// The motion is integrated with steps as long as its accuracy allows, each of which ends where bodies touch; there impulses act on all contacts at once.
//
// The cube in the middle is pressed by two desks that nothing can push back. When it has no room left no impulse can help, so that the desks
// are stopped: a critical contact. On the left a press of forty tonnes falls on a cube and rests on it. On the right balls bounce
// with restitutions of 0.5, 0.8 and 1; each must come back as high as the law says, e^2 of the height before.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

struct config : sinew::default_config {
    using scalar = double;
};
using vec = sinew::vec3<double>;
using box = sinew::box<double>;
using ball = sinew::sphere<double>;
using material = sinew::material<double>;
using world_type = sinew::world<config, sinew::box, sinew::sphere, sinew::half_space>;

int main() {
    world_type world;
    material const stone = material::of(0.5);
    world.add(sinew::half_space<double>{}, world.ground(), {.material = stone});

    // Between the desks, which come together at 0.15 and 0.1 m/s.
    vec const middle{0, 1, 0};
    auto const cube = world.add_solid(box{{0.2, 0.2, 0.2}}, 1000, {middle}, {.material = material::of(1)});
    std::array<world_type::body_handle, 2> desks;
    for (std::size_t k = 0; k < 2; ++k) {
        double const side = k == 0 ? -1 : 1;
        desks[k] = world.add_fixed({middle + vec{side * 0.5, 0, 0}}, {{-side * (k == 0 ? 0.15 : 0.1), 0, 0}, {}});
        world.add(box{{0.06, 0.6, 0.5}}, desks[k], {.material = material::of(1)});
    }
    // It stands on a shelf until it is held.
    world.add(box{{0.15, 0.05, 0.3}}, world.ground(), {.frame = {middle - vec{0, 0.25, 0}}, .material = stone});

    vec const left{-2, 0, 0};
    auto const anvil = world.add_solid(box{{0.2, 0.2, 0.2}}, 1000, {left + vec{0, 0.2, 0}}, {.material = stone});
    auto const press = world.add_solid(box{{0.6, 0.3, 0.6}}, 4.6e4, {left + vec{0, 1.4, 0}}, {.material = stone});

    constexpr std::array<double, 3> restitution{0.5, 0.8, 1};
    constexpr double radius = 0.15, height = 1.2;
    std::array<world_type::body_handle, 3> balls;
    for (std::size_t k = 0; k < 3; ++k) {
        material m = material::of(0, restitution[k]);
        m.restitution_threshold = 0;
        balls[k] = world.add_solid(ball{radius}, 1000, {{1.4 + 0.5 * double(k), radius + height, 0}}, {.material = m});
    }

    sinew::recorder page("Crushed cube, heavy press, bouncing balls: a motion without penetration");
    page.camera(0.35, 0.25);
    auto const shown = page.add_colliders(world, [&](auto const& b) {
        return std::string(b == cube || b == anvil ? "#d9822b" : b == press || b == desks[0] || b == desks[1] ? "#5b6b7d" : b == world.ground() ? "#a9b39a" : "#3b7cb8");
    });

    sinew::non_penetrating motion(world);
    std::array<double, 3> top{};  // of the second flight, m
    double nearest = 1;
    std::size_t steps = 0, hits = 0, stopped = 0;
    double const fall = std::sqrt(2 * height / 9.81);
    for (int frame = 0; frame < 240; ++frame) {
        page.frame(world.time());
        page.show(world, shown);
        for (std::size_t k = 0; k < 3; ++k) page.plot("height of the balls [m]", "e = " + std::to_string(restitution[k]).substr(0, 3), world.position(balls[k]).y() - radius);
        page.plot("distance of the desks' faces [m]", "desks", world.position(desks[1]).x() - world.position(desks[0]).x() - 0.12);
        page.plot("speed of the press [m/s]", "press", norm(world.twist(press).linear));
        auto const report = motion.advance(1.0 / 60);
        if (!report) return 1;
        steps += report.steps;
        hits += report.hits;
        stopped += report.stopped;
        nearest = std::min(nearest, report.nearest);
        page.plot("steps of a frame", "steps", double(report.steps));
        for (std::size_t k = 0; k < 3; ++k)
            if (world.time() > fall && world.time() < fall * (1 + 2 * restitution[k])) top[k] = std::max(top[k], world.position(balls[k]).y() - radius);
    }
    page.write("16_crushed_cube.html");

    double worst = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        double const law = height * restitution[k] * restitution[k];
        std::printf("a ball of restitution %.1f came back to %.4f m; e^2 h is %.4f m\n", restitution[k], top[k], law);
        worst = std::max(worst, std::abs(top[k] - law));
    }
    double const gap = world.position(desks[1]).x() - world.position(desks[0]).x() - 0.12, squeezed = world.position(anvil).y();
    std::printf("the desks were stopped %.6f m apart, the cube between them is 0.4 m wide; the cube below the press stands at %.6f m of 0.2 m\n", gap, squeezed);
    std::printf("%zu steps, %zu hits, %zu bodies stopped; two bodies were never nearer than %.1e m\n", steps, hits, stopped, nearest);
    return worst < 2e-3 && std::abs(gap - 0.4) < 1e-4 && std::abs(squeezed - 0.2) < 1e-5 && nearest > -1e-8 && stopped > 0 ? 0 : 1;
}
