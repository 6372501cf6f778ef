#pragma once
// Scenes whose bits must be the same on every compiler and processor: how they are run and printed.
//
// A line: its file, the name of the scene, then a hash of all its state after 100, 200, ... steps. The state is poses, twists, coordinates,
// multipliers and time; hash.hpp makes zeros and NaN uniform.

#include <sinew/core/hash.hpp>
#include <sinew/solver/augmented_lagrangian.hpp>
#include <sinew/solver/compliant_implicit.hpp>
#include <sinew/solver/jacobi.hpp>
#include <sinew/solver/lagrange_impulses.hpp>
#include <sinew/solver/lagrange_multipliers.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>
#include <sinew/solver/sequential_impulses.hpp>
#include <sinew/solver/vertex_block_descent.hpp>
#include <sinew/sinew.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace determinism {

using namespace sinew;

template <class Solver, class S, class Integrator = symplectic_euler, template <class> class Rotation = quaternion>
struct config : default_config {
    using scalar = S;
    using solver = Solver;
    using integrator = Integrator;
    template <class T>
    using rotation = Rotation<T>;
};

// A number, or one from each lane.
template <class T>
void add(bit_hash& h, T const& x) {
    if constexpr (has_lanes_v<T>)
        for (std::size_t lane = 0; lane < lanes_v<T>; ++lane) h.add(x[lane]);
    else
        h.add(x);
}

template <class State>
[[nodiscard]] std::uint64_t hash_of(State const& s) {
    bit_hash h;
    auto const put = [&](auto const& v) {
        for (auto const& x : v.e) add(h, x);
    };
    for (auto const& b : s.bodies) {
        put(b.pose.position);
        for (std::size_t k = 0; k < decltype(b.pose.rotation)::dimension; ++k) add(h, b.pose.rotation.coordinate(k));
        put(b.twist.linear);
        put(b.twist.angular);
    }
    for (auto const& b : s.particles) {
        put(b.position);
        put(b.velocity);
    }
    std::apply([&](auto const&... of_map) {
        ([&](auto const& all) {
            for (auto const& g : all) {
                put(g.u);
                put(g.rates);
            }
        }(of_map), ...);
    }, s.generalized);
    for (auto const& x : s.multipliers) add(h, x);
    add(h, s.time);
    return h.value();
}

/// A file of scenes, for main to run. A program may be linked with any of them, or be made of all.
struct scene_file {
    char const* name;
    void (*run)();
    scene_file* next = nullptr;

    scene_file(char const* file_name, void (*all)()) : name(file_name), run(all) {
        for (scene_file** p = &first(); ; p = &(*p)->next)
            if (*p == nullptr) {
                *p = this;
                break;
            }
    }
    static scene_file*& first() {
        static scene_file* list = nullptr;
        return list;
    }
    static char const*& running() {
        static char const* file = "";
        return file;
    }
};

/// Of all state after 100, 200, ... steps.
using hashes = std::vector<std::uint64_t>;

/// Calls step `steps` times. A scene that fails to step, or that stands still, would test nothing.
template <class World, class Step>
[[nodiscard]] hashes hashes_of(char const* name, World& w, int steps, Step&& step) {
    hashes found;
    std::uint64_t last = hash_of(w.save());
    for (int i = 1; i <= steps; ++i) {
        if (!step()) {
            std::fprintf(stderr, "%s: step %d failed\n", name, i);
            std::exit(2);
        }
        if (i % 100 != 0) continue;
        std::uint64_t const now = hash_of(w.save());
        if (now == last) {
            std::fprintf(stderr, "%s: stands still\n", name);
            std::exit(2);
        }
        last = now;
        found.push_back(now);
    }
    return found;
}
inline void print(char const* name, hashes const& found) {
    std::printf("%s %s", scene_file::running(), name);
    for (auto const h : found) std::printf(" %016" PRIx64, h);
    std::printf("\n");
}
/// Ways to run a scene that must not differ.
inline void expect_same(char const* name, hashes const& a, hashes const& b) {
    if (a == b) return;
    std::fprintf(stderr, "%s: differs from one to the next, as after 100 steps %016" PRIx64 " and %016" PRIx64 "\n", name, a.at(0), b.at(0));
    std::exit(2);
}
template <class World, class Step>
void run_with(char const* name, World& w, int steps, Step&& step) {
    print(name, hashes_of(name, w, steps, step));
}
template <class World>
void run(char const* name, World& w, int steps, typename World::scalar_type const& h) {
    run_with(name, w, steps, [&] { return bool(w.step(h)); });
}

}  // namespace determinism
