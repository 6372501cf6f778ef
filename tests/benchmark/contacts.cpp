// What contact costs: microseconds a step and nanoseconds a contact point, with the default config, nothing asleep, steps of 1/60 s.
//
//   pyramid   210 cubes of 1 m, 20 in the lowest row, side by side
//   spheres   1000 of 0.5 m across, poured into a room with walls, 6 m wide
//   cubes     1000 of 0.5 m, the same
//   layer     cubes of 0.5 m, five high, on a floor that grows with their number: the density stays
//   fall      the same cubes side by side in the air, all falling at 10 m/s
//   piles     100 pyramids of ten cubes, of which some sleep
//
// The first three also under wide sweeps of eight lanes, by turns. Medians of the time of the processor, once the scene has come to rest. Drift: the farthest that a cube of the pyramid has been carried aside.

#include <sinew/sinew.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>
#include <vector>

namespace {

using sinew::vec3;

struct config : sinew::default_config {};
struct sleeping_config : config {
    using sleep = sinew::island_sleep;
};
struct wide_config : config {
    using solver = sinew::wide_sequential_impulses<8>;
};
template <class Config>
using world_of = sinew::world<Config, sinew::sphere, sinew::box, sinew::half_space>;
using world = world_of<config>;
using body = world::body_handle;

template <class World>
auto add_cube(World& w, vec3<float> const& at, float half) {
    return w.add_solid(sinew::box<float>{{half, half, half}}, 1.0f, {at});
}
template <class World>
void add_floor(World& w) {
    w.add(sinew::half_space<float>{}, w.ground());
}

// Median of steps, us.
template <class World>
double time_of(World& w, int settle, int steps) {
    for (int i = 0; i < settle; ++i) (void)w.step(1.0f / 60);
    std::vector<double> times;
    for (int i = 0; i < steps; ++i) {
        std::clock_t const before = std::clock();
        (void)w.step(1.0f / 60);
        times.push_back(1e6 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    }
    std::nth_element(times.begin(), times.begin() + steps / 2, times.end());
    return times[static_cast<std::size_t>(steps / 2)];
}
template <class World>
void print(char const* name, World const& w, std::size_t bodies, double time) {
    std::printf("%-12s %6zu bodies %7.0f us a step %7.0f ns a body", name, bodies, time, 1e3 * time / static_cast<double>(bodies));
    if (!w.contacts().empty()) std::printf(" %6.0f ns a contact point (%zu)", 1e3 * time / static_cast<double>(w.contacts().size()), w.contacts().size());
}

template <class World>
void pyramid(char const* name) {
    World w;
    add_floor(w);
    std::vector<typename World::body_handle> cubes;
    std::vector<vec3<float>> places;
    for (int row = 0; row < 20; ++row)
        for (int i = 0; i < 20 - row; ++i) {
            places.push_back({static_cast<float>(i) - static_cast<float>(19 - row) / 2, 0.5f + static_cast<float>(row), 0});
            cubes.push_back(add_cube(w, places.back(), 0.5f));
        }
    double const time = time_of(w, 300, 300);
    float drift = 0;
    for (std::size_t i = 0; i < cubes.size(); ++i) {
        vec3<float> const d = w.position(cubes[i]) - places[i];
        drift = std::max(drift, std::hypot(d[0], d[2]));
    }
    print(name, w, cubes.size(), time);
    std::printf("  drift %.2f mm\n", 1e3 * static_cast<double>(drift));
}

template <class World>
void pour(char const* name, bool spheres) {
    World w;
    add_floor(w);
    for (float const side : {-1.0f, 1.0f}) {
        w.add(sinew::box<float>{{1, 20, 10}}, w.ground(), {.frame = {{4 * side, 20, 0}}});
        w.add(sinew::box<float>{{10, 20, 1}}, w.ground(), {.frame = {{0, 20, 4 * side}}});
    }
    std::mt19937 random(1);
    std::uniform_real_distribution<float> noise(-0.025f, 0.025f);
    for (int i = 0; i < 1000; ++i) {
        float const x = noise(random), z = noise(random);
        vec3<float> const at{0.62f * static_cast<float>(i % 9 - 4) + x, 0.5f + 0.62f * static_cast<float>(i / 81), 0.62f * static_cast<float>(i / 9 % 9 - 4) + z};
        if (spheres)
            w.add_solid(sinew::sphere<float>{0.25f}, 1.0f, {at});
        else
            add_cube(w, at, 0.25f);
    }
    double const time = time_of(w, 240, 120);
    print(name, w, 1000, time);
    std::printf("\n");
}

void layer(int n) {
    world w;
    add_floor(w);
    int const side = static_cast<int>(std::ceil(std::sqrt(n / 5.0)));
    for (int i = 0; i < n; ++i)
        add_cube(w, {0.6f * static_cast<float>(i / 5 % side), 0.26f + 0.52f * static_cast<float>(i % 5), 0.6f * static_cast<float>(i / 5 / side)}, 0.25f);
    double const time = time_of(w, 30, 10);
    print("layer", w, static_cast<std::size_t>(n), time);
    std::printf("\n");
}

void fall(int n) {
    world w;
    int const side = static_cast<int>(std::ceil(std::cbrt(n)));
    for (int i = 0; i < n; ++i) {
        vec3<float> const at{0.62f * static_cast<float>(i % side), 0.62f * static_cast<float>(i / side % side), 0.62f * static_cast<float>(i / side / side)};
        w.set_twist(add_cube(w, at, 0.25f), {{0, -10, 0}, {}});
    }
    double const time = time_of(w, 5, 10);
    print("fall", w, static_cast<std::size_t>(n), time);
    std::printf("\n");
}

void piles(int awake) {
    world_of<sleeping_config> w;
    w.sleep.time = 1e9f;  // nothing falls asleep by itself
    add_floor(w);
    std::vector<body> first;
    for (int pile = 0; pile < 100; ++pile)
        for (int row = 0; row < 4; ++row)
            for (int i = 0; i < 4 - row; ++i) {
                vec3<float> const at{5.0f * static_cast<float>(pile % 10) + 0.52f * static_cast<float>(i) + 0.26f * static_cast<float>(row), 0.25f + 0.5f * static_cast<float>(row),
                                     5.0f * static_cast<float>(pile / 10)};
                body const b = add_cube(w, at, 0.25f);
                if (row == 0 && i == 0) first.push_back(b);
            }
    for (int i = 0; i < 60; ++i) (void)w.step(1.0f / 60);
    for (std::size_t pile = static_cast<std::size_t>(awake); pile < 100; ++pile) (void)w.put_to_sleep(first[pile]);
    double const time = time_of(w, 5, 40);
    print("piles", w, 1000, time);
    std::printf("  %d piles awake\n", awake);
}

}  // namespace

int main() {
    using wide_world = world_of<wide_config>;
    pyramid<world>("pyramid");
    pyramid<wide_world>("pyramid, 8");
    pour<world>("spheres", true);
    pour<wide_world>("spheres, 8", true);
    pour<world>("cubes", false);
    pour<wide_world>("cubes, 8", false);
    for (int const n : {100, 1000, 5000, 20000}) layer(n);
    for (int const n : {100, 1000, 5000, 20000}) fall(n);
    for (int const awake : {0, 1, 10, 50, 100}) piles(awake);
}
