// What a step of the broad phase costs: every box is moved, every pair reported. The density stays as the number grows.
//
//   drift   boxes of 0.5 m at the density of a pile, each moving 1 cm a step
//   rest    the same, each moving 0.01 mm a step: a pile that has settled
//   fall    the same, all falling 15 cm a step
//   sleep   nine in ten stand still
//   pile    as rest, in a room of four walls and a ground, much wider than the others

#include <sinew/collision/bounding_volume_tree.hpp>
#include <sinew/collision/brute_force.hpp>
#include <sinew/collision/sweep_and_prune.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <initializer_list>
#include <random>
#include <vector>

namespace {

using namespace sinew;

enum class scene { drift, rest, fall, sleep, pile };

struct body {
    vec3<float> position, velocity, half;
    bool moves;
};

std::vector<body> make(scene s, std::size_t n) {
    std::mt19937_64 random(n);
    auto const uniform = [&](float a, float b) { return std::uniform_real_distribution<float>(a, b)(random); };
    // 0.6 m apart on a disturbed lattice: about eleven neighbours' boxes overlap with each.
    auto const side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(n))));
    float const step = s == scene::drift || s == scene::fall || s == scene::sleep ? 0.01f : 1e-5f;
    std::vector<body> bodies;
    if (s == scene::pile) {
        float const w = 0.6f * static_cast<float>(side);
        for (vec3<float> const p : {vec3<float>{0, -1, 0}, vec3<float>{-w / 2 - 1, w / 2, 0}, vec3<float>{w / 2 + 1, w / 2, 0}, vec3<float>{0, w / 2, -w / 2 - 1}, vec3<float>{0, w / 2, w / 2 + 1}})
            bodies.push_back({p, {0, 0, 0}, {p[0] != 0 ? 1.f : w, p[1] < 0 ? 1.f : w, p[2] != 0 ? 1.f : w}, false});
    }
    for (std::size_t i = 0; i < n; ++i) {
        vec3<float> p{static_cast<float>(i % side), static_cast<float>(i / side % side), static_cast<float>(i / side / side)};
        p = 0.6f * p + vec3<float>{uniform(0, 0.2f), uniform(0, 0.2f), uniform(0, 0.2f)};
        if (s == scene::pile) p = p - vec3<float>{0.3f * static_cast<float>(side), -0.25f, 0.3f * static_cast<float>(side)};
        vec3<float> v = step * normalize(vec3<float>{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
        if (s == scene::fall) v[1] -= 0.15f;
        bool const moves = s != scene::sleep || i % 10 == 0;
        // The boxes of turned cubes.
        float const h = uniform(0.25f, 0.43f);
        bodies.push_back({p, v, {h, h, h}, moves});
    }
    return bodies;
}

struct figures {
    double time;   // us a step, of the processor
    double pairs;  // a body
};

template <class Policy>
figures run(scene s, std::size_t n) {
    std::vector<body> bodies = make(s, n);
    typename Policy::template index<float, dynamic_storage, 0> index;
    auto const box = [](body const& b) { return aabb<float>{b.position - b.half, b.position + b.half}; };
    for (std::size_t i = 0; i < bodies.size(); ++i) index.insert(static_cast<std::uint32_t>(i), box(bodies[i]), bodies[i].moves);
    std::size_t pairs = 0;
    int const steps = static_cast<int>(400000 / n) / 20 * 20 + 40;
    std::clock_t before = 0;
    for (int k = 0; k < steps + 20; ++k) {
        if (k == 20) before = std::clock();
        for (std::size_t i = 0; i < bodies.size(); ++i)
            if (bodies[i].moves) {
                bodies[i].position += bodies[i].velocity;
                index.move(static_cast<std::uint32_t>(i), box(bodies[i]));
            }
        index.for_each_pair([&](std::uint32_t a, std::uint32_t b) { pairs += a < b ? 1 : 0; });
        // Back and forth, so that the density stays.
        if (s != scene::fall && k % 20 == 19)
            for (body& b : bodies) b.velocity = -b.velocity;
    }
    double const time = 1e6 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    return {time / steps, static_cast<double>(pairs) / static_cast<double>(n) / (steps + 20)};
}

template <class Policy>
void row(char const* policy, scene s, char const* name, std::initializer_list<std::size_t> sizes) {
    for (std::size_t const n : sizes) {
        figures const f = run<Policy>(s, n);
        std::printf("%-6s %6zu  %-22s %9.1f us a step  %7.1f ns a body  (%.1f pairs a body)\n", name, n, policy, f.time, 1e3 * f.time / static_cast<double>(n), f.pairs);
    }
}

}  // namespace

int main() {
    struct named {
        scene s;
        char const* name;
    };
    for (named const x : {named{scene::drift, "drift"}, named{scene::rest, "rest"}, named{scene::fall, "fall"}, named{scene::sleep, "sleep"}, named{scene::pile, "pile"}}) {
        row<bounding_volume_tree>("bounding_volume_tree", x.s, x.name, {100, 1000, 5000, 20000});
        row<sweep_and_prune>("sweep_and_prune", x.s, x.name, {100, 1000, 5000, 20000});
        row<brute_force>("brute_force", x.s, x.name, {100, 1000});
    }
}
