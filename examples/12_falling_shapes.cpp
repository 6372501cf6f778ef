// Spheres, capsules, boxes, cylinders, cones and rocks, poured into a hollow of uneven ground. Writes 12_falling_shapes.html.
//
// A world lists the shapes that it knows as it lists its constraints, and code is made for the pairs of these alone. add_solid makes a body of
// a shape and a density: mass, centre of mass and inertia follow from its form. What has come to rest sleeps, and is drawn paler.
//
// Nothing may fall through the ground or go astray, energy may only fall, and in the end all must lie still.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

struct config : sinew::default_config {
    using sleep = sinew::island_sleep;
    static constexpr bool resists_rolling = true;
};
using vec = sinew::vec3<float>;
using world_type = sinew::world<config, sinew::sphere, sinew::capsule, sinew::box, sinew::cylinder, sinew::cone, sinew::convex_polytope, sinew::height_field>;

// A hollow with waves in it, 6 m wide.
sinew::height_field<float> ground() {
    constexpr int n = 25;
    std::vector<float> heights;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            float const x = 0.25f * float(i - n / 2), z = 0.25f * float(j - n / 2);
            heights.push_back(0.16f * (x * x + z * z) + 0.09f * std::sin(2.1f * x) * std::cos(1.7f * z));
        }
    return height_field_of(heights, n, sinew::vec{0.25f, 0.25f});
}

int main() {
    world_type world;
    sinew::material<float> rough;
    rough.rolling_friction = 0.01f;  // m: or what is round would roll to and fro for long
    world.add(ground(), world.ground(), {.frame = {{-3, 0, -3}}, .material = rough});

    std::vector<vec> corners;  // of a rock
    for (int i = 0; i < 14; ++i) {
        float const a = 2.4f * float(i), y = (float(i) + 0.5f) / 7 - 1, r = 0.26f * std::sqrt(1 - y * y);
        corners.push_back({r * std::cos(a), 0.2f * y, r * std::sin(a)});
    }
    auto const rock = convex_hull(corners);

    constexpr int layers = 9;
    for (int layer = 0; layer < layers; ++layer) {
        auto drop = [&, place = 0](auto const& shape) mutable {
            float const angle = 1.047f * float(place) + 0.35f * float(layer), r = 0.95f;
            vec const at{r * std::cos(angle), 1.4f + 0.55f * float(layer) + 0.08f * float(place), r * std::sin(angle)};
            world.add_solid(shape, 1000.0f, {at, sinew::quaternion_exp(vec{float(place), float(layer), 0.5f})});
            ++place;
        };
        drop(sinew::sphere<float>{0.2f});
        drop(sinew::capsule<float>{0.13f, 0.2f});
        drop(sinew::box<float>{{0.22f, 0.16f, 0.2f}});
        drop(sinew::cylinder<float>{0.2f, 0.17f});
        drop(sinew::cone<float>{0.23f, 0.22f});
        drop(rock);
    }

    sinew::recorder page("Shapes poured into a hollow");
    page.camera(0.6, 0.6);
    auto const shown = page.add_colliders(world);
    float lowest = 1, highest_energy = world.energy();
    double gained = 0;  // J, in all steps together
    std::size_t contacts = 0;
    for (int step = 0; step < 900; ++step) {
        if (step % 2 == 0) {
            page.frame(static_cast<double>(world.time()));
            page.show(world, shown);
            page.plot("energy [J]", "kinetic", static_cast<double>(world.kinetic_energy()));
            page.plot("energy [J]", "total", static_cast<double>(world.energy()));
            page.plot("contacts", "that press", static_cast<double>(contacts));
            page.plot("bodies asleep", "of 54", static_cast<double>(world.asleep_count()));
        }
        auto const report = world.step(1.0f / 60);
        if (!report) return 1;
        contacts = report.contacts;
        gained += std::max(0.0, static_cast<double>(world.energy() - highest_energy));
        highest_energy = std::min(highest_energy, world.energy());
        world.for_each_body([&](auto body) { lowest = std::min(lowest, world.position(body).y()); });
    }
    page.write("12_falling_shapes.html");

    float fastest = 0;
    world.for_each_body([&](auto body) { fastest = std::max(fastest, norm(world.twist(body).linear)); });
    std::printf("%zu bodies: none below %.2f m, %zu asleep after %.0f s, the fastest at %.1e m/s; energy regained %.2f J\n", world.body_count(), static_cast<double>(lowest),
                world.asleep_count(), static_cast<double>(world.time()), static_cast<double>(fastest), gained);
    return lowest > -0.1f && fastest < 0.05f ? 0 : 1;
}
