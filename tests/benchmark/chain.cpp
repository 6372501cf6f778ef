// The chain of hanging_chain.hpp under two strategies for games: nanoseconds per joint and iteration, and how far the joints come
// apart. The marginal cost of an iteration is the slope between two numbers of them.

#include <benchmark/hanging_chain.hpp>

#include <cstdio>

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

constexpr int runs = 9;

// Yields seconds a step.
template <class Config, class Tune>
double measure(char const* name, Tune&& tune) {
    auto const m = measure_chain<Config>(runs, tune);
    std::printf("%-58s %8.1f us/step %8.1f ns per joint and iteration   joints apart %.1e m\n", name, m.seconds * 1e6,
                m.seconds / (m.iterations * links) * 1e9, m.apart);
    return m.seconds;
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
    std::printf("chain of %d boxes, %d steps of 1/60 s, best of %d runs\n", links, steps, runs);
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
