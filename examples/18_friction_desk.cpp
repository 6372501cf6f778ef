// A desk that stands at 20 degrees, with things on it that stick, slide and roll; beside it a belt. Writes 18_friction_desk.html.
//
// Coulomb's friction holds up to mu_s N and slides with mu_d N (Vondrak 2005, 6.5.3): below atan(mu) a block stays where it is, above it comes down
// with g (sin - mu cos). Between the two angles it depends on what has happened: the block that holds begins to slide when it is tapped,
// and goes on. A ball needs friction to roll, and then comes down with 5/7 g sin whatever it is; a cylinder with 2/3; rolling friction, a length, takes
// its share of the push from that.
//
// A belt moves its surface and not itself: what lands on it slips for v^2 / (2 mu g) and then goes along.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

struct config : sinew::default_config {
    using scalar = double;
    static constexpr bool resists_rolling = true;
};
using vec = sinew::vec3<double>;
using material = sinew::material<double>;
using world_type = sinew::world<config, sinew::sphere, sinew::box, sinew::cylinder, sinew::half_space>;

// What stands on a surface of mu = 1: two surfaces rub with the geometric mean of their coefficients.
material rubbing(double mu_static, double mu_dynamic, double rolling = 0) {
    material m;
    m.static_friction = mu_static * mu_static;
    m.dynamic_friction = mu_dynamic * mu_dynamic;
    m.rolling_friction = rolling;
    return m;
}

int main() {
    world_type world;
    constexpr double slope = 20 * sinew::pi_v<double> / 180, g = 9.81, r = 0.14;
    double const s = std::sin(slope), c = std::cos(slope);
    sinew::pose<double> const desk{{0, 1.4, 0}, sinew::quaternion_exp(vec{0, 0, -slope})};
    world.add(sinew::box<double>{{3.2, 0.05, 1.5}}, world.ground(), {.frame = desk, .material = material::of(1)});

    struct runner {
        std::string name;
        world_type::body_handle body;
        double law;  // m/s^2
        double before = 0, measured = 0;
    };
    std::vector<runner> runners;
    auto const put = [&](std::string name, auto const& shape, double height, sinew::quaternion<double> const& turn, material const& m, double law) {
        sinew::pose<double> const at{{-2.9, 0.05 + height, 0.4 * double(runners.size()) - 1.2}, turn};
        runners.push_back({std::move(name), world.add_solid(shape, 600, desk * at, {.material = m}), law});
    };
    auto const upright = sinew::quaternion<double>::identity(), lying = sinew::quaternion_exp(vec{sinew::pi_v<double> / 2, 0, 0});
    sinew::box<double> const block{{0.18, 0.1, 0.14}};
    put("block, mu 0.40", block, 0.1, upright, rubbing(0.4, 0.4), 0);
    put("block, mu 0.30", block, 0.1, upright, rubbing(0.3, 0.3), g * (s - 0.3 * c));
    put("block, mu 0.15", block, 0.1, upright, rubbing(0.15, 0.15), g * (s - 0.15 * c));
    put("block, 0.40 / 0.25", block, 0.1, upright, rubbing(0.4, 0.25), g * (s - 0.25 * c));
    put("ball", sinew::sphere<double>{r}, r, upright, rubbing(0.6, 0.6), 5.0 / 7 * g * s);
    put("cylinder", sinew::cylinder<double>{r, 0.14}, r, lying, rubbing(0.6, 0.6), 2.0 / 3 * g * s);
    put("ball, rolling friction", sinew::sphere<double>{r}, r, upright, rubbing(0.6, 0.6, 0.02), 5.0 / 7 * g * (s - 0.02 / r * c));
    std::size_t const tapped = 3;

    world.add(sinew::half_space<double>{}, world.ground(), {.material = material::of(1)});

    // The belt runs along x; its surface is given in the frame of the collider.
    constexpr double belt = 1.5, mu_belt = 0.3;
    material moving = material::of(1);
    moving.surface_velocity = {belt, 0, 0};
    world.add(sinew::box<double>{{3.2, 0.05, 0.3}}, world.ground(), {.frame = {{0, 0.05, 2.2}}, .material = moving});
    auto const parcel = world.add_solid(sinew::box<double>{{0.15, 0.15, 0.15}}, 200, {{-2.9, 0.25, 2.2}}, {.material = rubbing(mu_belt, mu_belt)});

    sinew::recorder page("A desk at 20 degrees, and a belt");
    page.camera(0.5, 0.38);
    auto const shown = page.add_colliders(world);
    vec const down = desk.direction(vec{1, 0, 0});
    double slipped = 0, stuck_for = 0, moved_at_rest = 0;
    vec const at_rest = world.position(runners[0].body), before_tap = world.position(runners[tapped].body);
    for (int step = 0; step < 3 * 240; ++step) {
        double const t = world.time();
        if (step % 4 == 0) {
            page.frame(t);
            page.show(world, shown);
            for (auto const& one : runners) page.plot("speed down the desk [m/s]", one.name, dot(world.twist(one.body).linear, down));
            page.plot("speed on the belt [m/s]", "parcel", world.twist(parcel).linear.x());
        }
        if (step == 240) {  // a tap of 0.1 m/s
            stuck_for = norm(world.position(runners[tapped].body) - before_tap);
            world.set_twist(runners[tapped].body, {down * 0.1, {}});
        }
        if (!world.step(1.0 / 240)) return 1;
        slipped += std::max(0.0, belt - world.twist(parcel).linear.x()) / 240;
        // Accelerations over half a second, while all are on the desk.
        for (auto& one : runners) {
            double const from = &one == &runners[tapped] ? 1.25 : 0.25, v = dot(world.twist(one.body).linear, down);
            if (std::abs(t - from) < 1e-6) one.before = v;
            if (std::abs(t - from - 0.5) < 1e-6) one.measured = (v - one.before) / 0.5;
        }
        moved_at_rest = norm(world.position(runners[0].body) - at_rest);
    }

    bool fine = moved_at_rest < 1e-4 && stuck_for < 1e-4;
    for (auto const& one : runners) {
        std::printf("%-24s %7.4f m/s^2; the law says %7.4f\n", one.name.c_str(), one.measured, one.law);
        page.summary(one.name, std::to_string(one.measured) + " m/s^2; the law says " + std::to_string(one.law));
        fine = fine && std::abs(one.measured - one.law) <= 5e-3 * one.law + 1e-4;
    }
    double const way = belt * belt / (2 * mu_belt * g);
    std::printf("what holds has moved by %.3f mm in 3 s; the block that was tapped, by %.3f mm in the second before\n", 1e3 * moved_at_rest, 1e3 * stuck_for);
    std::printf("the parcel slips %.3f m on the belt; the law says %.3f; then it goes at %.4f m/s\n", slipped, way, world.twist(parcel).linear.x());
    page.write("18_friction_desk.html");
    return fine && std::abs(slipped - way) < 0.02 * way ? 0 : 1;
}
