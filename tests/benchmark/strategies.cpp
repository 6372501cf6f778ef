// Every strategy on the chain of hanging_chain.hpp: microseconds a step and nanoseconds per joint and step with its defaults; what one
// more iteration costs per joint, where a strategy iterates; and how far the joints come apart.

#include <benchmark/hanging_chain.hpp>

#include <cstdio>

namespace {

using namespace sinew;

constexpr int runs = 5;

template <class Solver, class S>
struct config : default_config {
    using scalar = S;
    using solver = Solver;
};

template <class Solver, class S>
void measure(char const* name, char const* scalar) {
    auto const plain = measure_chain<config<Solver, S>>(runs, [](auto& w) {
        if constexpr (requires { w.solver.drift; }) w.solver.drift = drift_control::projection;
    });
    std::printf("%-42s %-6s %9.1f us/step %9.1f ns per joint and step   joints apart %.1e m", name, scalar, plain.seconds * 1e6,
                plain.seconds * 1e9 / links, plain.apart);
    using strategy = typename world<config<Solver, S>, ball_joint>::strategy_type;
    // What iterates to an end of its own, a few times a step, is counted as it comes.
    if constexpr (requires(strategy s) { s.iterations; } && strategy::level != solver_level::acceleration) {
        auto const with = [](int iterations) {
            return measure_chain<config<Solver, S>>(runs, [=](auto& w) {
                w.solver.iterations = iterations;
                if constexpr (requires { w.solver.substeps; }) w.solver.substeps = 1;
                if constexpr (requires { w.solver.relaxing_iterations; }) w.solver.relaxing_iterations = 0;
            });
        };
        double const few = with(10).seconds, many = with(50).seconds;
        std::printf("   %8.1f ns per joint and further iteration\n", (many - few) / (40 * links) * 1e9);
    } else {
        std::printf("   %8.1f ns per joint and iteration, %.1f a step\n", plain.seconds / (plain.iterations * links) * 1e9, plain.iterations);
    }
}

}  // namespace

int main() {
    std::printf("chain of %d boxes, %d steps of 1/60 s, best of %d runs\n", links, steps, runs);
    measure<nonlinear_gauss_seidel, float>("nonlinear_gauss_seidel", "float");
    measure<nonlinear_gauss_seidel, double>("nonlinear_gauss_seidel", "double");
    measure<jacobi, double>("jacobi", "double");
    measure<vertex_block_descent, double>("vertex_block_descent", "double");
    measure<augmented_lagrangian, double>("augmented_lagrangian", "double");
    measure<sequential_impulses, float>("sequential_impulses", "float");
    measure<sequential_impulses, double>("sequential_impulses", "double");
    measure<compliant_implicit, double>("compliant_implicit", "double");
    measure<lagrange_multipliers<cholesky>, double>("lagrange_multipliers<cholesky>", "double");
    measure<lagrange_multipliers<ldlt>, double>("lagrange_multipliers<ldlt>", "double");
    measure<lagrange_multipliers<conjugate_gradient>, double>("lagrange_multipliers<conjugate_gradient>", "double");
    measure<lagrange_multipliers<dantzig>, double>("lagrange_multipliers<dantzig>", "double");
    measure<lagrange_multipliers<sparse_ldlt>, float>("lagrange_multipliers<sparse_ldlt>", "float");
    measure<lagrange_multipliers<sparse_ldlt>, double>("lagrange_multipliers<sparse_ldlt>", "double");
    measure<lagrange_impulses<cholesky>, double>("lagrange_impulses<cholesky>", "double");
    measure<lagrange_impulses<dantzig>, double>("lagrange_impulses<dantzig>", "double");
    measure<lagrange_impulses<sparse_ldlt>, float>("lagrange_impulses<sparse_ldlt>", "float");
    measure<lagrange_impulses<sparse_ldlt>, double>("lagrange_impulses<sparse_ldlt>", "double");
}
