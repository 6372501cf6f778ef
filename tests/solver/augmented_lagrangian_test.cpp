// The augmented Lagrangian: its rate of convergence, hard rows at a finite stiffness, mass ratios and units.

#include "position_strategy_suite.hpp"

#include <sinew/solver/augmented_lagrangian.hpp>

namespace {

using sinew::vec3;

struct config : sinew::default_config {
    using scalar = double;
    using solver = sinew::augmented_lagrangian;
};
struct gauss_seidel_config : sinew::default_config {
    using scalar = double;
    using solver = sinew::nonlinear_gauss_seidel;
};

// ---- straight chains of particles and rods (Waterson 2026, 8.2.3 and 8.3.2)

template <class Config>
sinew::world<Config, sinew::particle_distance> make_chain(std::vector<double> const& mass) {
    sinew::world<Config, sinew::particle_distance> w;
    w.gravity = {0, 0, 0};
    std::vector<typename decltype(w)::particle_handle> p;
    double x = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) {
        p.push_back(w.add(sinew::particle<double>{mass[i], {x, 0, 0}, {}}));
        x += 1 + 0.01 * static_cast<double>((i * i + 3) % 7);
    }
    for (std::size_t i = 0; i + 1 < mass.size(); ++i) w.add(sinew::particle_distance<double>{.length = 1}, p[i], p[i + 1]);
    return w;
}
template <class World>
double residual_after(World w, int sweeps) {
    w.solver.iterations = sweeps;
    return w.step(1.0).residual;
}
// One sweep over the bodies and one of the multipliers, linear along the chain: z = (x, f), penalties kappa / (1 / m_a + 1 / m_b) at h = 1.
chain_theory::matrix iteration(std::vector<double> const& mass, double kappa) {
    std::size_t const n = mass.size(), m = n - 1;
    std::vector<double> k(m);
    for (std::size_t i = 0; i < m; ++i) k[i] = kappa / (1 / mass[i] + 1 / mass[i + 1]);
    auto g = chain_theory::zeros(n + m);
    for (std::size_t column = 0; column < n + m; ++column) {
        std::vector<double> x(n, 0.0), f(m, 0.0);
        (column < n ? x[column] : f[column - n]) = 1;
        for (std::size_t i = 0; i < n; ++i) {
            // m x_i = sum of J_i (f - k c), c = x_b - x_a.
            double stiff = mass[i], push = 0;
            if (i > 0) stiff += k[i - 1], push += f[i - 1] + k[i - 1] * x[i - 1];
            if (i < m) stiff += k[i], push += -f[i] + k[i] * x[i + 1];
            x[i] = push / stiff;
        }
        for (std::size_t i = 0; i < m; ++i) f[i] -= k[i] * (x[i + 1] - x[i]);
        for (std::size_t i = 0; i < n; ++i) g[i][column] = x[i];
        for (std::size_t i = 0; i < m; ++i) g[n + i][column] = f[i];
    }
    return g;
}
// The plain method: constant penalty, nothing carried over.
void tune_plain(auto& w, double kappa) {
    w.solver.start_stiffness = w.solver.largest_stiffness = kappa;
    w.solver.ramp = 0;
    w.solver.correction_share = 1;
    w.solver.conserve_momentum = false;
}
TEST(augmented_lagrangian, contracts_by_the_spectral_radius) {
    for (std::size_t n : {10u, 32u})
        for (double end : {1.0, 100.0})
            for (double kappa : {10.0, 100.0}) {
                auto const mass = chain_theory::ends(n, end);
                double const rho = chain_theory::spectral_radius(iteration(mass, kappa), 20000);
                ASSERT_LT(rho, 1);
                auto w = make_chain<config>(mass);
                tune_plain(w, kappa);
                // Eigenvalues may be complex: the envelope over some sweeps.
                auto const envelope = [&](int sweeps) {
                    double most = 0;
                    for (int i = 0; i < 30; ++i) most = std::max(most, residual_after(w, sweeps + i));
                    return most;
                };
                int const late = static_cast<int>(5 * std::log(10.0) / -std::log(rho)), window = 1 + late / 2;
                double const measured = std::pow(envelope(late + window) / envelope(late), 1.0 / window);
                std::printf("N = %zu, ends %g, kappa %g: rho %.6f, measured %.6f\n", n, end, kappa, rho, measured);
                EXPECT_NEAR(measured / rho, 1.0, 0.02);
                EXPECT_NEAR((1 - measured) / (1 - rho), 1.0, 0.1);
            }
}
// Gauss-Seidel on rods needs N / gamma sweeps with ends 1 / gamma times heavier (eq. 8.42). Here the same end needs no more than with equal masses, if
// the penalty is of the size of the heavy mass, rho h^2 = M (as 8.49 assumes); at a penalty of the size of the light links the multipliers are
// as slow as Gauss-Seidel. Masses of the end stand in H, light links between still cost their N^2.
TEST(augmented_lagrangian, heavy_ends_do_not_slow_it_down_at_a_penalty_of_their_size) {
    std::size_t const n = 10;
    auto const radius_of_rods = [&](double end) { return chain_theory::spectral_radius(chain_theory::gauss_seidel_matrix(chain_theory::rods(chain_theory::ends(n, end))), 40000); };
    auto const sweeps = [](auto const& w, int most) {
        double const first = residual_after(w, 1);
        int low = 1, high = most;
        while (high - low > 1 + low / 50) {
            int const middle = (low + high) / 2;
            (residual_after(w, middle) > 1e-4 * first ? low : high) = middle;
        }
        return high;
    };
    int equal = 0;
    for (double end : {1.0, 10.0, 100.0, 1000.0}) {
        auto rods = make_chain<gauss_seidel_config>(chain_theory::ends(n, end));
        rods.solver.conserve_angular_momentum = false;
        auto weak = make_chain<config>(chain_theory::ends(n, end));
        auto strong = weak;
        tune_plain(weak, 10);
        tune_plain(strong, 10 * end);
        int const a = sweeps(rods, 100000), b = sweeps(weak, 100000), c = sweeps(strong, 100000);
        double const gamma = 1 / end, theory = std::log(1e4) / -std::log(radius_of_rods(end)), law = static_cast<double>(n) / (2 * gamma) * std::log(1e4);
        std::printf("ends %g: Gauss-Seidel %d sweeps to 1e-4 (rho says %.0f, N / 2 gamma ln 1e4 = %.0f); augmented Lagrangian at kappa 10 %d, at kappa 10 M / m %d\n", end, a,
                    theory, law, b, c);
        if (end == 1.0) equal = c;
        if (end >= 100) {
            EXPECT_NEAR(a / theory, 1, 0.35);
            EXPECT_NEAR(theory / law, 1, 0.15);
            EXPECT_GT(b, 0.1 * a);
        }
        EXPECT_LE(c, 3 * equal);
    }
}

// Ten links of 1 kg carry ever more: joints stay together in ten sweeps a step.
TEST(augmented_lagrangian, carries_a_heavy_end) {
    for (double load : {1.0, 10.0, 100.0, 1000.0}) {
        auto const apart = [&](auto& w) {
            position_suite::add_chain(w, 10, load);
            double worst = 0;
            for (int i = 0; i < 600; ++i) {
                EXPECT_TRUE(w.step(1.0 / 60));
                worst = std::max(worst, w.constraint_error());
            }
            return worst;
        };
        sinew::world<config, sinew::ball_joint> w;
        sinew::world<gauss_seidel_config, sinew::ball_joint> g;
        double const a = apart(w), b = apart(g);
        std::printf("10 links carry %g kg, 10 sweeps at 60 Hz: joints apart %.1e m; Gauss-Seidel %.1e m\n", load, a, b);
        EXPECT_LT(a, 0.02);
    }
}
// Grams or tons, the same motion: nothing in it has a unit of mass.
TEST(augmented_lagrangian, is_the_same_for_grams_and_tons) {
    auto const end_of = [](double scale) {
        sinew::world<config, sinew::ball_joint> w;
        std::vector<decltype(w)::body_handle> links;
        auto previous = w.ground();
        for (int i = 0; i < 5; ++i) {
            auto const link = w.add(rigid_body_of(sinew::solid_box(scale, vec3<double>{1, 0.1, 0.1}), sinew::pose<double>{{i + 0.5, 0, 0}}));
            w.add(sinew::ball_joint<double>{i == 0 ? vec3<double>{} : vec3<double>{0.5, 0, 0}, {-0.5, 0, 0}}, previous, link);
            previous = link;
        }
        for (int i = 0; i < 60; ++i) EXPECT_TRUE(w.step(1.0 / 60));
        return w.position(previous);
    };
    auto const one = end_of(1);
    EXPECT_LT(norm(end_of(1e-3) - one), 1e-9);
    EXPECT_LT(norm(end_of(1e6) - one), 1e-9);
}
// A hard row holds at a finite penalty: what is left shrinks from sweep to sweep.
TEST(augmented_lagrangian, holds_hard_rows_exactly) {
    sinew::world<config, sinew::particle_distance> w;
    auto const top = w.add_fixed_particle({0, 0, 0}), low = w.add(sinew::particle<double>{3, {0, -1, 0}, {}});
    auto const rod = w.add(sinew::particle_distance<double>{.length = 1}, top, low);
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    EXPECT_NEAR(w.position(low).y(), -1, 1e-12);
    EXPECT_NEAR(w.multipliers(rod)[0] / (3 * w.gravity.y()), 1, 1e-9);
}
TEST(augmented_lagrangian, refuses_impossible_tuning) {
    sinew::world<config> w;
    w.solver.correction_share = 2;
    EXPECT_STREQ(w.solver.fault().name, "solver.correction_share");
    w.solver.correction_share = 0.5;
    w.solver.largest_stiffness = 1;
    EXPECT_STREQ(w.solver.fault().name, "solver.largest_stiffness");
}

struct tuned {
    using solver = sinew::augmented_lagrangian;
    static constexpr int converged = 300;
    template <class W>
    static void tune(W& w, int sweeps) {
        w.solver.iterations = sweeps;
    }
    static constexpr double momentum = 1e-12;
    static constexpr double hard_error = 1e-6;
    static constexpr double loose = 0.1;
};
INSTANTIATE_TYPED_TEST_SUITE_P(augmented_lagrangian, position_strategy, testing::Types<tuned>);

}  // namespace
