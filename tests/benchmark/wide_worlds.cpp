// Chains of 32 boxes, of other masses and lengths, as one world whose scalar has lanes and as a world each: how many times as fast the lanes are. Eight lanes
// against eight worlds, over float, whose worlds solve rows and contacts in vectors of four, and over batch<float, 1>: the code of the lanes, with one number at a
// time. And sixteen lanes against sixteen worlds over float. And eight bodies that fall onto a plane, roll, slide and come to rest there, or bounce, in every lane
// at other times; and eight arms of four boxes that fall onto it. Each world is measured in turn with the others, and the best of its runs counts. Compile it with
// -O3 -march=native: lanes are as wide as the processor is told to be.

#include <sinew/sinew.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <type_traits>
#include <vector>

namespace {

using eight_lanes = sinew::batch<float, 8>;
using sixteen_lanes = sinew::batch<float, 16>;
using one_lane = sinew::batch<float, 1>;

template <class S, class Solver>
struct config : sinew::default_config {
    using scalar = S;
    using solver = Solver;
};
template <class S, class Solver>
using chain = sinew::world<config<S, Solver>, sinew::ball_joint>;

// first + place * step. Lanes have the places from 0 to 8, evenly.
template <class S>
S variant(float place, float first, float step) {
    if constexpr (sinew::lanes_v<S> == 1) {
        return first + step * place;
    } else {
        S x;
        for (std::size_t i = 0; i < S::lanes; ++i) x[i] = first + step * (static_cast<float>(8 * i) / S::lanes);
        return x;
    }
}
template <class S, class Solver>
void build(chain<S, Solver>& w, float place) {
    S const mass = variant<S>(place, 1, 0.1f), length = variant<S>(place, 1, 0.02f), zero(0);
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
void build_powered(powered_chain<S, Solver>& w, float place) {
    S const mass = variant<S>(place, 1, 0.1f), length = variant<S>(place, 1, 0.02f), zero(0);
    sinew::vec3<S> const axis{zero, zero, S(1)};
    auto previous = w.ground();
    for (int k = 0; k < 32; ++k) {
        S const x = static_cast<float>(k) * length;
        auto const link = w.add(rigid_body_of(sinew::solid_box(mass, sinew::vec3<S>{length, S(0.1f), S(0.2f)}), sinew::pose<S>{{x + length / 2, zero, zero}, {}}));
        w.add(sinew::hinge_joint<S>::at(w.pose(previous), w.pose(link), {x, zero, zero}, axis), previous, link);
        w.add(sinew::powered_axis<S>::at(w.pose(previous), w.pose(link), axis, variant<S>(place, 1, 0.2f), S(0.5f)), previous, link);
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
void drop(ground<S, Solver>& w, float place, float bounce = 0) {
    S const zero(0), friction = variant<S>(place, 0.3f, 0.05f), density = variant<S>(place, 500, 100);
    w.add(sinew::half_space<S>{}, w.ground());
    sinew::collider_options<S> const alone{.material = sinew::material<S>::of(friction, variant<S>(place, bounce, bounce / 10)), .filter = {.category = 2, .mask = 1}};
    for (int k = 0; k < 8; ++k) {
        S const x = static_cast<float>(3 * k), spin = variant<S>(place, 0.1f * static_cast<float>(k), 0.2f), size = variant<S>(place, 0.3f, 0.01f);
        w.add_solid(shape_of<Shape, S>(size), density, sinew::pose<S>{{x, variant<S>(place, 0.4f + bounce, 0.05f), zero}, {}}, alone, sinew::twist<S>{{spin, zero, spin}, {zero, spin, spin}});
    }
}
// Four boxes, joined one to the next.
template <class S, class Solver>
void drop_arms(ground<S, Solver>& w, float place) {
    S const zero(0), one(1), density = variant<S>(place, 500, 100), half = variant<S>(place, 0.3f, 0.01f);
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

// Worlds that all begin where they are given, and the best run of each.
template <class W>
struct worlds {
    std::vector<W> begin;
    std::vector<double> best;

    template <class Build>
    worlds(std::size_t count, Build const& make) : begin(count), best(count, 1e9) {
        for (std::size_t i = 0; i < count; ++i) make(begin[i], static_cast<float>(8 * i) / static_cast<float>(count));
    }
    void run(int steps) {
        for (std::size_t i = 0; i < begin.size(); ++i) {
            auto const w = std::make_unique<W>(begin[i]);
            best[i] = std::min(best[i], seconds(*w, steps));
        }
    }
    // Of one of each `every`.
    double sum(std::size_t every = 1) const {
        double r = 0;
        for (std::size_t i = 0; i < best.size(); i += every) r += best[i];
        return r;
    }
};

template <template <class, class> class World, class Solver, class Build>
void measure(char const* name, Build const& make, int steps = 60) {
    constexpr int runs = 15;
    worlds<World<eight_lanes, Solver>> eight(1, make);
    worlds<World<sixteen_lanes, Solver>> sixteen(1, make);
    worlds<World<float, Solver>> alone(16, make);  // every other one is a variant of the eight lanes
    worlds<World<one_lane, Solver>> single(8, make);
    for (int run = 0; run < runs; ++run) {
        eight.run(steps);
        sixteen.run(steps);
        alone.run(steps);
        single.run(steps);
    }
    double const us = 1e6 / steps;
    std::printf("%-40s eight lanes %6.1f us a step; eight worlds %7.1f, of one lane %7.1f us: %.1f and %.1f times\n", name, eight.sum() * us, alone.sum(2) * us, single.sum() * us,
                alone.sum(2) / eight.sum(), single.sum() / eight.sum());
    std::printf("%-40s sixteen    %7.1f us;   sixteen worlds %7.1f us: %.1f times\n", "", sixteen.sum() * us, alone.sum() * us, alone.sum() / sixteen.sum());
}

}  // namespace

int main() {
    auto const chains = [](auto& w, float place) { build(w, place); };
    measure<chain, sinew::sequential_impulses>("sequential_impulses", chains);
    measure<powered_chain, sinew::sequential_impulses>("sequential_impulses, hinges with motors", [](auto& w, float place) { build_powered(w, place); });
    measure<chain, sinew::nonlinear_gauss_seidel>("nonlinear_gauss_seidel", chains);
    measure<chain, sinew::lagrange_impulses<sinew::ldlt>>("lagrange_impulses<ldlt>", chains);
    measure<ground, sinew::sequential_impulses>("boxes on a plane", [](auto& w, float place) { drop<sinew::box>(w, place); }, 180);
    measure<ground, sinew::sequential_impulses>("balls on a plane", [](auto& w, float place) { drop<sinew::sphere>(w, place); }, 180);
    measure<ground, sinew::sequential_impulses>("capsules on a plane", [](auto& w, float place) { drop<sinew::capsule>(w, place); }, 180);
    measure<ground, sinew::sequential_impulses>("boxes that bounce", [](auto& w, float place) { drop<sinew::box>(w, place, 0.5f); }, 180);
    measure<ground, sinew::sequential_impulses>("balls that bounce", [](auto& w, float place) { drop<sinew::sphere>(w, place, 0.5f); }, 180);
    measure<ground, sinew::sequential_impulses>("arms on a plane", [](auto& w, float place) { drop_arms(w, place); }, 180);
}
