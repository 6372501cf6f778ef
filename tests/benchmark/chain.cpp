// A chain of 32 boxes (1 kg, 0.5 m), hung by ball joints, falls from the horizontal: nanoseconds per joint and iteration, and how far
// the joints come apart, by strategy. The marginal cost of an iteration is the slope between two numbers of them.

#include <sinew/sinew.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

template <class S>
struct config : sinew::default_config {
    using scalar = S;
    using solver = sinew::nonlinear_gauss_seidel;
};
template <class S>
struct impulse_config : config<S> {
    using solver = sinew::sequential_impulses;
};
template <class S>
struct static_config : config<S> {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 33, .constraints = 32}>;
};

constexpr int links = 32, steps = 600;

template <class World>
void hang_chain(World& world) {
    using S = typename World::scalar_type;
    auto previous = world.ground();
    for (int i = 0; i < links; ++i) {
        S const x = S(i) / 2;
        auto const box = sinew::solid_box(S(1), sinew::vec3<S>{S(1) / 2, S(1) / 10, S(1) / 10});
        auto const link = world.add(rigid_body_of(box, typename World::pose_type{{x + S(1) / 4, S(0), S(0)}}));
        world.add(sinew::ball_joint<S>::at(world.pose(previous), world.pose(link), {x, S(0), S(0)}), previous, link);
        previous = link;
    }
}

// Median over the runs of the time of all steps; yields seconds a step.
template <class Config, class Tune>
double measure(char const* name, Tune&& tune) {
    using world_type = sinew::world<Config, sinew::ball_joint>;
    std::vector<double> times;
    double worst = 0, sweeps = 0;
    for (int run = 0; run < 9; ++run) {
        world_type world;
        hang_chain(world);
        tune(world);
        worst = sweeps = 0;
        double seconds = 0;
        for (int i = 0; i < steps; ++i) {
            auto const begin = std::chrono::steady_clock::now();
            auto const report = world.step(typename Config::scalar(1) / 60);
            seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            sweeps += report.iterations;
            worst = std::max(worst, static_cast<double>(world.constraint_error()));
        }
        times.push_back(seconds);
    }
    std::sort(times.begin(), times.end());
    double const median = times[times.size() / 2];
    std::printf("%-58s %8.1f us/step %8.1f ns per joint and iteration   joints apart %.1e m\n", name, median / steps * 1e6, median / (sweeps * links) * 1e9, worst);
    return median / steps;
}
// What one more iteration costs.
template <class Config>
void measure_slope(char const* name) {
    auto const with = [&](int iterations) {
        return measure<Config>(name, [=](auto& w) {
            w.solver.substeps = 1;
            w.solver.iterations = iterations;
            if constexpr (requires { w.solver.relaxing_iterations; }) w.solver.relaxing_iterations = 0;
        });
    };
    double const few = with(10), many = with(50);
    std::printf("%-58s %33.1f ns per joint and further iteration\n", name, (many - few) / (40 * links) * 1e9);
}

}  // namespace

int main() {
    std::printf("chain of %d boxes, %d steps of 1/60 s, median of 9 runs\n", links, steps);
    auto const plain = [](auto& w) { w.solver.iterations = 10; };
    measure_slope<impulse_config<float>>("sequential_impulses, float");
    measure_slope<impulse_config<double>>("sequential_impulses, double");
    measure<impulse_config<float>>("sequential_impulses, float, its defaults", [](auto&) {});
    measure<impulse_config<double>>("sequential_impulses, double, its defaults", [](auto&) {});
    measure_slope<config<float>>("nonlinear_gauss_seidel, float");
    measure<config<float>>("nonlinear_gauss_seidel, float, 10 iterations", plain);
    measure<static_config<float>>("nonlinear_gauss_seidel, float, 10 iterations, static storage", plain);
    measure<config<double>>("nonlinear_gauss_seidel, double, 10 iterations", plain);
    measure<config<float>>("nonlinear_gauss_seidel, float, 10 substeps of 1 iteration", [](auto& w) {
        w.solver.substeps = 10;
        w.solver.iterations = 1;
    });
    measure<config<float>>("nonlinear_gauss_seidel, float, 40 substeps of 1 iteration", [](auto& w) {
        w.solver.substeps = 40;
        w.solver.iterations = 1;
    });
}
