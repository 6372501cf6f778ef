// Eight chains of 32 boxes, of other masses and lengths, as one world whose scalar has eight lanes and as eight worlds: how many times as fast the
// lanes are. Both are measured in turn, and the best of each counts. Compile it with -O3 -march=native: lanes are as wide as the processor is told to be.

#include <sinew/sinew.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

using lanes = sinew::batch<float, 8>;

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
template <class W>
double seconds(W& w, int steps) {
    using S = typename W::scalar_type;
    auto const start = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) (void)w.step(S(1.0f / 60));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class Solver>
void measure(char const* name) {
    constexpr int steps = 60, runs = 7;
    auto const wide = std::make_unique<chain<lanes, Solver>>();
    build(*wide, 0);
    std::vector<chain<float, Solver>> alone(8);
    for (std::size_t i = 0; i < 8; ++i) build(alone[i], i);
    double of_lanes = 1e9, of_worlds = 1e9;
    for (int run = 0; run < runs; ++run) {
        auto const w = std::make_unique<chain<lanes, Solver>>(*wide);
        auto v = alone;
        double const a = seconds(*w, steps);
        double b = 0;
        for (auto& one : v) b += seconds(one, steps);
        of_lanes = a < of_lanes ? a : of_lanes;
        of_worlds = b < of_worlds ? b : of_worlds;
    }
    std::printf("%-44s eight lanes %7.1f us a step, eight worlds %7.1f us: %.1f times\n", name, of_lanes / steps * 1e6, of_worlds / steps * 1e6, of_worlds / of_lanes);
}

}  // namespace

int main() {
    measure<sinew::sequential_impulses>("sequential_impulses");
    measure<sinew::nonlinear_gauss_seidel>("nonlinear_gauss_seidel");
    measure<sinew::lagrange_impulses<sinew::ldlt>>("lagrange_impulses<ldlt>");
}
