// Bodies of every shape dropped in a box: none escapes, none becomes NaN, what they lose in energy they never get back. SINEW_LONG_TESTS=1 drops
// 1000 of them for 60 s.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

namespace {

using sinew::vec3;

struct awake_config : sinew::default_config {};
struct sleepy_config : sinew::default_config {
    using sleep = sinew::island_sleep;
};

template <class S>
using dumbbell = sinew::compound<sinew::sphere<S>, sinew::box<S>, sinew::sphere<S>>;

template <class Config>
using world_of = sinew::world<Config, sinew::sphere, sinew::capsule, sinew::box, sinew::cylinder, sinew::cone, sinew::convex_polytope, sinew::rounded_box, dumbbell,
                              sinew::half_space>;

bool at_full_scale() { return std::getenv("SINEW_LONG_TESTS") != nullptr; }

constexpr int kinds = 8;

// A body of about a quarter of a metre, of the kind i.
template <class World>
auto drop(World& w, int i, sinew::pose<float> const& at, std::mt19937& random) {
    std::uniform_real_distribution<float> size(0.1f, 0.25f);
    sinew::collider_options<float> const options{.material = sinew::material<float>::of(0.5f)};
    float const x = size(random), y = size(random), z = size(random);
    float constexpr density = 500;
    switch (i % kinds) {
        case 0: return w.add_solid(sinew::sphere<float>{x}, density, at, options);
        case 1: return w.add_solid(sinew::capsule<float>{x / 2, y}, density, at, options);
        case 2: return w.add_solid(sinew::box<float>{{x, y, z}}, density, at, options);
        case 3: return w.add_solid(sinew::cylinder<float>{x, y}, density, at, options);
        case 4: return w.add_solid(sinew::cone<float>{x, y}, density, at, options);
        case 5: {
            std::vector<vec3<float>> points;
            std::normal_distribution<float> bell;
            for (int k = 0; k < 14; ++k) {
                float const a = bell(random), b = bell(random), c = bell(random);
                points.push_back(normalize(vec3<float>{a, b, c}) * x);
            }
            return w.add_solid(sinew::convex_hull(points), density, at, options);
        }
        case 6: return w.add_solid(sinew::rounded_box<float>{{{x / 2, y / 2, z / 2}}, 0.05f}, density, at, options);
        default: {
            float const r = x / 2;
            return w.add_solid(dumbbell<float>{{{r}, {{0, y, 0}}}, {{{r / 2, y, r / 2}}}, {{r}, {{0, -y, 0}}}}, density, at, options);
        }
    }
}

// In double: the world's own sum of a thousand bodies is rounded by more than what is looked for.
template <class World, class Bodies>
double energy_of(World const& w, Bodies const& all) {
    double sum = 0;
    for (auto const h : all) {
        auto const b = w.body(h);
        auto const v = b.twist.linear, spin = b.pose.local_direction(b.twist.angular), L = b.inertia * spin;
        double kinetic = 0;
        for (std::size_t k = 0; k < 3; ++k) kinetic += double(b.mass) * double(v[k]) * double(v[k]) + double(spin[k]) * double(L[k]);
        sum += kinetic / 2 - double(b.mass) * double(w.gravity.y()) * double(b.pose.position.y());
    }
    return sum;
}

struct outcome {
    std::vector<double> energies;     // mean of each second, J
    std::vector<double> depths;       // the deepest of all contacts in each second, m
    double heaviest = 0;              // kg
    double deepest = 0;               // of all contacts in the whole run, m
    double deepest_at_rest = 0;       // in the last second, m
    double fastest_at_rest = 0;       // m/s, at the end
    int sleeping = 0;
};

template <class Config>
outcome tumble(int bodies, int seconds) {
    world_of<Config> w;
    // As wide as makes them lie about four deep.
    int const across = std::max(2, static_cast<int>(std::sqrt(bodies / 4.0)));
    float const half = 0.3f * static_cast<float>(across), pitch = 2 * half / static_cast<float>(across);
    auto const wall = [&](vec3<float> n, float offset) { w.add(sinew::half_space<float>{n, offset}, w.ground()); };
    wall({0, 1, 0}, 0);
    for (float s : {-1.0f, 1.0f}) {
        wall({s, 0, 0}, -half);
        wall({0, 0, s}, -half);
    }
    std::mt19937 random(11);
    std::uniform_real_distribution<float> part(-1, 1);
    std::vector<typename world_of<Config>::body_handle> all;
    for (int i = 0; i < bodies; ++i) {
        int const layer = i / (across * across), in = i % (across * across);
        float const dx = 0.02f * part(random), dz = 0.02f * part(random);
        vec3<float> const at{(static_cast<float>(in % across) + 0.5f) * pitch - half + dx, 0.6f + 0.65f * static_cast<float>(layer),
                             (static_cast<float>(in / across) + 0.5f) * pitch - half + dz};
        float const a = part(random), b = part(random), c = part(random), d = part(random);
        all.push_back(drop(w, in + 3 * layer, {at, normalize(sinew::quaternion<float>{a + 2, b, c, d})}, random));
    }
    outcome o;
    for (int second = 0; second < seconds && !testing::Test::HasFailure(); ++second) {
        double mean = 0, deepest = 0;
        for (int i = 0; i < 60; ++i) {
            EXPECT_TRUE(w.step(1.0f / 60)) << "after " << second << " s";
            mean += energy_of(w, all) / 60;
            w.for_each_touch([&](auto const& t) {
                for (auto const& e : t.contacts) deepest = std::max(deepest, -double(e.constraint.error(w.pose(t.body_a), w.pose(t.body_b))[0]));
            });
        }
        o.energies.push_back(mean);
        o.depths.push_back(deepest);
        o.deepest = std::max(o.deepest, deepest);
        o.deepest_at_rest = deepest;
        for (std::size_t k = 0; k < all.size(); ++k) {
            auto const x = w.position(all[k]);
            EXPECT_TRUE(std::abs(x.x()) < half && std::abs(x.z()) < half && x.y() > 0 && x.y() < 100) << "body " << k << " escaped to " << x.x() << ", " << x.y() << ", " << x.z();
        }
    }
    for (auto const b : all) {
        o.heaviest = std::max(o.heaviest, double(w.body(b).mass));
        o.fastest_at_rest = std::max(o.fastest_at_rest, double(norm(w.twist(b).linear)));
        if constexpr (!std::is_same_v<Config, awake_config>) o.sleeping += w.is_asleep(b) ? 1 : 0;
    }
    return o;
}

template <class Config>
void check(char const* name) {
    int const bodies = at_full_scale() ? 1000 : 96, seconds = at_full_scale() ? 60 : 6;
    outcome const o = tumble<Config>(bodies, seconds);
    if (testing::Test::HasFailure()) return;
    std::size_t rises = 0;
    double worst = 0;
    for (std::size_t k = 1; k < o.energies.size(); ++k) {
        double const rise = o.energies[k] - o.energies[k - 1];
        if (rise > 0) ++rises;
        worst = std::max(worst, rise);
    }
    double const lost = o.energies.front() - o.energies.back();
    std::printf("%s, %d bodies, %d s: energy from %.6g to %.6g J, rose in %zu of %zu seconds, at most by %.3g J; deepest %.2g mm, in the last second %.2g mm; fastest at the end %.2g m/s, %d asleep\n",
                name, bodies, seconds, o.energies.front(), o.energies.back(), rises, o.energies.size() - 1, worst, 1e3 * o.deepest, 1e3 * o.deepest_at_rest, o.fastest_at_rest, o.sleeping);
    EXPECT_GT(lost, 0);
    // What has sunk into others is pushed out again, which lifts: no second wins more than it takes to lift the heaviest body as far as the deepest one was sunk.
    for (std::size_t k = 1; k < o.energies.size(); ++k)
        EXPECT_LE(o.energies[k] - o.energies[k - 1], o.heaviest * 9.81 * std::max(o.depths[k], o.depths[k - 1]) + 1e-6 * o.energies.front()) << "second " << k;
    // And no second wins any besides.
    EXPECT_LE(worst, 1e-6 * o.energies.front());
    if (at_full_scale()) {
        auto const mean_from = [&](std::size_t k) { return std::accumulate(o.energies.begin() + std::ptrdiff_t(k), o.energies.begin() + std::ptrdiff_t(k + 5), 0.0) / 5; };
        for (std::size_t k = 0; k + 10 <= o.energies.size(); k += 5) EXPECT_LE(mean_from(k + 5), mean_from(k) + 1e-6 * o.energies.front()) << "from second " << k;
    }
    EXPECT_LE(o.deepest, 0.1) << "none is through another";
    EXPECT_LE(o.deepest_at_rest, 0.01);
}

TEST(dropped_bodies, of_every_shape_stay_in_the_box_awake) { check<awake_config>("awake"); }
TEST(dropped_bodies, of_every_shape_stay_in_the_box_and_fall_asleep) { check<sleepy_config>("asleep"); }

}  // namespace
