#pragma once
// Balls, boxes and capsules that fall between half spaces, in every lane elsewhere; and that each lane has the bits of a world that is alone.

#include "lanes_scene.hpp"

#include <random>

namespace lanes_drops {

using namespace lanes_scene;

template <class S>
struct pyramid_config : config<S, sequential_impulses> {
    template <class T>
    using contact = pyramid_contact<T>;
};
template <class S>
struct lagged_config : config<S, sequential_impulses> {
    template <class T>
    using contact = lagged_contact<T>;
};
template <class S>
using ground = world<config<S, sequential_impulses>, box, sphere, half_space, capsule, ball_joint>;
template <class S>
using pyramid_ground = world<pyramid_config<S>, half_space, box, sphere, capsule>;
template <class S>
using lagged_ground = world<lagged_config<S>, half_space, box, sphere, capsule>;

// In lanes bodies do not meet each other; alone they are told not to.
inline constexpr collision_filter alone{.category = 2, .mask = 1};

// A number of each lane; beyond the eighth they are those of the first eight, mirrored between lo and hi.
struct numbers {
    std::mt19937 engine;
    template <class S>
    S in(std::size_t lane, double lo, double hi) {
        double x[8];
        for (double& one : x) one = std::uniform_real_distribution<double>(lo, hi)(engine);
        return by_lane<S>(lane, [&](double i) { return i < 8 ? x[static_cast<std::size_t>(i)] : lo + hi - x[static_cast<std::size_t>(i) - 8]; });
    }
    template <class S>
    vec3<S> vector(std::size_t lane, double size) {
        S const x = in<S>(lane, -size, size), y = in<S>(lane, -size, size), z = in<S>(lane, -size, size);
        return {x, y, z};
    }
};

template <class W, class S>
void drop(W& w, std::size_t lane, numbers& of_lane, S const& x, int kind, material<S> const& surface, double bounce, bool at_rest, double fastest = 3) {
    material<S> m = surface;
    m.static_friction = of_lane.in<S>(lane, 0, 0.8);
    m.dynamic_friction = m.static_friction * of<S>(0.8);
    m.restitution = max(of_lane.in<S>(lane, -bounce, bounce), S(0));  // none in half of the lanes
    S const height = of_lane.in<S>(lane, 0.5, 1.5), size = of_lane.in<S>(lane, 0.2, 0.4), density = of_lane.in<S>(lane, 300, 1500);
    vec3<S> const turn = of_lane.vector<S>(lane, at_rest ? 0 : 1.5), speed = of_lane.vector<S>(lane, at_rest ? 0 : fastest), spin = of_lane.vector<S>(lane, at_rest ? 0 : 4);
    pose<S> const at{{x, height, S(0)}, quaternion_exp(turn)};
    collider_options<S> const options{.material = m, .filter = alone};
    if (kind == 0) w.add_solid(box<S>{{size, of<S>(0.2), size * of<S>(0.7)}}, density, at, options, {speed, spin});
    if (kind == 1) w.add_solid(sphere<S>{size}, density, at, options, {speed, spin});
    if (kind == 2) w.add_solid(capsule<S>{size * of<S>(0.5), of<S>(0.3)}, density, at, options, {speed, spin});
}
// Balls, boxes and capsules between a floor and two walls that lean.
template <class S, class W>
void build_drops(W& w, std::size_t lane, unsigned seed, double bounce) {
    numbers of_lane{std::mt19937(seed)};
    material<S> const surface = material<S>::of(of<S>(0.5));
    w.add(half_space<S>{}, w.ground(), {.material = surface});
    for (int k = 0; k < 6; ++k) {
        drop(w, lane, of_lane, of<S>(1.5 * (k % 3) - 1.5), k % 3, surface, bounce, k >= 5);
        S const lean = of_lane.in<S>(lane, -0.3, 0.3);
        if (k == 1) w.add(half_space<S>::at({of<S>(3), S(0), S(0)}, {S(-1), lean, S(0)}), w.ground(), {.material = surface});
        if (k == 3) w.add(half_space<S>::at({of<S>(-3), S(0), S(0)}, {S(1), S(0), lean}), w.ground(), {.material = surface});
    }
}
template <class W, class B>
void expect_lanes_of_drops(unsigned seed, double bounce, int steps, auto const& tune) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_lanes_of_worlds<W::template of, B>([&](auto& w, auto scalar, std::size_t lane) { build_drops<typename decltype(scalar)::type>(w, lane, seed, bounce); }, tune, steps, 60);
}
struct plain {
    template <class S>
    using of = ground<S>;
};
struct pyramids {
    template <class S>
    using of = pyramid_ground<S>;
};
struct lagged {
    template <class S>
    using of = lagged_ground<S>;
};

// Surfaces that give way, and a belt that moves, which stand in the list before and behind what lies on them.
inline constexpr auto on_soft_ground_and_a_belt = [](auto& w, auto scalar, std::size_t lane) {
    using S = typename decltype(scalar)::type;
    numbers of_lane{std::mt19937(7)};
    material<S> soft = material<S>::of(of<S>(0.5)), belt = soft;
    soft.compliance = by_lane<S>(lane, [](double i) { return i == 3 ? 0 : 1e-5 * i; });
    soft.damping = by_lane<S>(lane, [](double i) { return 10 * i; });
    belt.surface_velocity.x() = by_lane<S>(lane, [](double i) { return i == 2 ? 0 : 0.3 * i; });
    w.add(half_space<S>{}, w.ground(), {.material = belt, .filter = {.category = 4, .mask = 2}});
    for (int k = 0; k < 6; ++k) drop(w, lane, of_lane, of<S>(1.5 * k), k % 3, k < 3 ? soft : material<S>{}, 0, k % 2 == 0);
    w.for_each_shape([&](auto const&, auto h) { (void)h; });
    w.add(half_space<S>::at({S(0), of<S>(-0.1), S(0)}, {S(0), S(1), by_lane<S>(lane, [](double i) { return 0.02 * (i + 1); })}), w.ground(), {.filter = {.category = 1, .mask = 2}});
};

}  // namespace lanes_drops
