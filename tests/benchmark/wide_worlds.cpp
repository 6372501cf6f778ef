// Eight chains of 32 boxes, of other masses and lengths, as one world whose scalar has eight lanes and as eight worlds: how many times as fast the
// lanes are. The eight are over float, whose worlds solve rows and contacts in vectors of four, and over batch<float, 1>: the code of the lanes, with one number
// at a time. And eight bodies that fall onto a plane, roll, slide and come to rest there, or bounce, in every lane at other times; and eight arms of four boxes that fall onto it. Each world is measured in turn with the others, and the best of its runs counts. Compile it with -O3 -march=native: lanes are as wide as the processor is told to be.

#include <sinew/sinew.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <type_traits>
#include <vector>

namespace {

using lanes = sinew::batch<float, 8>;
using one_lane = sinew::batch<float, 1>;

template <class S, class Solver>
struct config : sinew::default_config {
    using scalar = S;
    using solver = Solver;
};
template <class S, class Solver>
using chain = sinew::world<config<S, Solver>, sinew::ball_joint>;

// first + i * step in lane i.
template <class S>
S variant(std::size_t lane, float first, float step) {
    if constexpr (sinew::lanes_v<S> == 1) {
        return first + step * static_cast<float>(lane);
    } else {
        S x;
        for (std::size_t i = 0; i < S::lanes; ++i) x[i] = first + step * static_cast<float>(i);
        return x;
    }
}
template <class S, class Solver>
void build(chain<S, Solver>& w, std::size_t lane) {
    S const mass = variant<S>(lane, 1, 0.1f), length = variant<S>(lane, 1, 0.02f), zero(0);
    auto previous = w.ground();
    for (int k = 0; k < 32; ++k) {
        S const x = static_cast<float>(k) * length;
        auto const link = w.add(rigid_body_of(sinew::solid_box(mass, sinew::vec3<S>{length, S(0.1f), S(0.2f)}), sinew::pose<S>{{x + length / 2, zero, zero}, {}}));
        w.add(sinew::ball_joint<S>::at(w.pose(previous), w.pose(link), {x, zero, zero}), previous, link);
        previous = link;
    }
}
// The same of hinges with motors.
template <class S, class Solver>
using powered_chain = sinew::world<config<S, Solver>, sinew::hinge_joint, sinew::powered_axis>;
template <class S, class Solver>
void build_powered(powered_chain<S, Solver>& w, std::size_t lane) {
    S const mass = variant<S>(lane, 1, 0.1f), length = variant<S>(lane, 1, 0.02f), zero(0);
    sinew::vec3<S> const axis{zero, zero, S(1)};
    auto previous = w.ground();
    for (int k = 0; k < 32; ++k) {
        S const x = static_cast<float>(k) * length;
        auto const link = w.add(rigid_body_of(sinew::solid_box(mass, sinew::vec3<S>{length, S(0.1f), S(0.2f)}), sinew::pose<S>{{x + length / 2, zero, zero}, {}}));
        w.add(sinew::hinge_joint<S>::at(w.pose(previous), w.pose(link), {x, zero, zero}, axis), previous, link);
        w.add(sinew::powered_axis<S>::at(w.pose(previous), w.pose(link), axis, variant<S>(lane, 1, 0.2f), S(0.5f)), previous, link);
        previous = link;
    }
}
template <class S, class Solver>
using ground = sinew::world<config<S, Solver>, sinew::half_space, sinew::box, sinew::sphere, sinew::capsule, sinew::ball_joint>;

// Shapes that do not meet each other, on a plane.
template <template <class> class Shape, class S>
Shape<S> shape_of(S const& size) {
    if constexpr (std::is_same_v<Shape<S>, sinew::box<S>>)
        return {{size, size * S(0.5f), size}};
    else if constexpr (std::is_same_v<Shape<S>, sinew::sphere<S>>)
        return {size};
    else
        return {size * S(0.5f), size};
}
template <template <class> class Shape, class S, class Solver>
void drop(ground<S, Solver>& w, std::size_t lane, float bounce = 0) {
    S const zero(0), friction = variant<S>(lane, 0.3f, 0.05f), density = variant<S>(lane, 500, 100);
    w.add(sinew::half_space<S>{}, w.ground());
    sinew::collider_options<S> const alone{.material = sinew::material<S>::of(friction, variant<S>(lane, bounce, bounce / 10)), .filter = {.category = 2, .mask = 1}};
    for (int k = 0; k < 8; ++k) {
        S const x = static_cast<float>(3 * k), spin = variant<S>(lane, 0.1f * static_cast<float>(k), 0.2f), size = variant<S>(lane, 0.3f, 0.01f);
        w.add_solid(shape_of<Shape, S>(size), density, sinew::pose<S>{{x, variant<S>(lane, 0.4f + bounce, 0.05f), zero}, {}}, alone, sinew::twist<S>{{spin, zero, spin}, {zero, spin, spin}});
    }
}
// Four boxes, joined one to the next.
template <class S, class Solver>
void drop_arms(ground<S, Solver>& w, std::size_t lane) {
    S const zero(0), one(1), density = variant<S>(lane, 500, 100), half = variant<S>(lane, 0.3f, 0.01f);
    w.add(sinew::half_space<S>{}, w.ground());
    sinew::collider_options<S> const alone{.filter = {.category = 2, .mask = 1}};
    for (int k = 0; k < 8; ++k) {
        sinew::handle<sinew::rigid> previous{};
        for (int i = 0; i < 4; ++i) {
            S const x = S(static_cast<float>(4 * k)) + half * S(static_cast<float>(2 * i));
            auto const link = w.add_solid(sinew::box<S>{{half, S(0.1f), S(0.1f)}}, density, sinew::pose<S>{{x, one, zero}, {}}, alone);
            if (i > 0) w.add(sinew::ball_joint<S>::at(w.pose(previous), w.pose(link), {x - half, one, zero}), previous, link);
            previous = link;
        }
    }
}
template <class W>
double seconds(W& w, int steps) {
    using S = typename W::scalar_type;
    auto const start = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) (void)w.step(S(1.0f / 60));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The best run of each of eight worlds, which all begin where they are given.
struct fastest {
    double of_world[8] = {1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9};

    template <class W>
    void run(std::vector<W> worlds, int steps) {
        for (std::size_t i = 0; i < 8; ++i) of_world[i] = std::min(of_world[i], seconds(worlds[i], steps));
    }
    double sum() const {
        double r = 0;
        for (double const one : of_world) r += one;
        return r;
    }
};

template <template <class, class> class World, class Solver, class Build>
void measure(char const* name, Build const& make, int steps = 60) {
    constexpr int runs = 15;
    auto const wide = std::make_unique<World<lanes, Solver>>();
    make(*wide, 0);
    std::vector<World<float, Solver>> alone(8);
    std::vector<World<one_lane, Solver>> single(8);
    for (std::size_t i = 0; i < 8; ++i) {
        make(alone[i], i);
        make(single[i], i);
    }
    double of_lanes = 1e9;
    fastest of_worlds, of_single;
    for (int run = 0; run < runs; ++run) {
        auto const w = std::make_unique<World<lanes, Solver>>(*wide);
        of_lanes = std::min(of_lanes, seconds(*w, steps));
        of_worlds.run(alone, steps);
        of_single.run(single, steps);
    }
    double const us = 1e6 / steps;
    std::printf("%-40s eight lanes %6.1f us a step; eight worlds %7.1f, of one lane %7.1f us: %.1f and %.1f times\n", name, of_lanes * us, of_worlds.sum() * us, of_single.sum() * us,
                of_worlds.sum() / of_lanes, of_single.sum() / of_lanes);
}

}  // namespace

int main() {
    auto const chains = [](auto& w, std::size_t lane) { build(w, lane); };
    measure<chain, sinew::sequential_impulses>("sequential_impulses", chains);
    measure<powered_chain, sinew::sequential_impulses>("sequential_impulses, hinges with motors", [](auto& w, std::size_t lane) { build_powered(w, lane); });
    measure<chain, sinew::nonlinear_gauss_seidel>("nonlinear_gauss_seidel", chains);
    measure<chain, sinew::lagrange_impulses<sinew::ldlt>>("lagrange_impulses<ldlt>", chains);
    measure<ground, sinew::sequential_impulses>("boxes on a plane", [](auto& w, std::size_t lane) { drop<sinew::box>(w, lane); }, 180);
    measure<ground, sinew::sequential_impulses>("balls on a plane", [](auto& w, std::size_t lane) { drop<sinew::sphere>(w, lane); }, 180);
    measure<ground, sinew::sequential_impulses>("capsules on a plane", [](auto& w, std::size_t lane) { drop<sinew::capsule>(w, lane); }, 180);
    measure<ground, sinew::sequential_impulses>("boxes that bounce", [](auto& w, std::size_t lane) { drop<sinew::box>(w, lane, 0.5f); }, 180);
    measure<ground, sinew::sequential_impulses>("balls that bounce", [](auto& w, std::size_t lane) { drop<sinew::sphere>(w, lane, 0.5f); }, 180);
    measure<ground, sinew::sequential_impulses>("arms on a plane", [](auto& w, std::size_t lane) { drop_arms(w, lane); }, 180);
}
