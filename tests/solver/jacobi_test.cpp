// Jacobi on positions: the spectral radius of theory, sharing of bodies, acceleration, momentum.

#include "position_strategy_suite.hpp"

#include <sinew/solver/jacobi.hpp>

namespace {

using chain_theory::jacobi_matrix;
using chain_theory::matrix;
using sinew::body_sharing;
using sinew::vec3;

struct config : sinew::default_config {
    using scalar = double;
    using solver = sinew::jacobi;
};

// ---- straight chains (Waterson 2026, section 8)

using chain_world = sinew::world<config, sinew::particle_distance>;

chain_world make_chain(std::vector<double> const& mass, body_sharing sharing) {
    chain_world w;
    w.gravity = {0, 0, 0};
    std::vector<chain_world::particle_handle> p;
    // Stretched unevenly, so that every mode takes part.
    double x = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) {
        p.push_back(w.add(sinew::particle<double>{mass[i], {x, 0, 0}, {}}));
        x += 1 + 0.01 * static_cast<double>((i * i + 3) % 7);
    }
    for (std::size_t i = 0; i + 1 < mass.size(); ++i) w.add(sinew::particle_distance<double>{.length = 1}, p[i], p[i + 1]);
    w.solver.sharing = sharing;
    w.solver.conserve_angular_momentum = false;
    return w;
}
double residual_after(chain_world w, int sweeps) {
    w.solver.iterations = sweeps;
    return w.step(1.0).residual;
}
// Over two sweeps: plain Jacobi has pairs of eigenvalues +-mu.
double measured_radius(chain_world const& w, double expected, int decades) {
    int const late = static_cast<int>(decades * std::log(10.0) / -std::log(expected));
    return std::sqrt(residual_after(w, late + 2) / residual_after(w, late));
}
std::vector<double> diagonal_of(std::vector<double> const& mass, body_sharing sharing) {
    std::size_t const n = mass.size() - 1;
    std::vector<double> d(n);
    for (std::size_t i = 0; i < n; ++i) {
        double const na = i == 0 ? 1 : 2, nb = i + 1 == n ? 1 : 2;
        if (sharing == body_sharing::plain) d[i] = 1 / mass[i] + 1 / mass[i + 1];
        if (sharing == body_sharing::averaging) d[i] = std::max(na, nb) * (1 / mass[i] + 1 / mass[i + 1]);
        if (sharing == body_sharing::mass_splitting) d[i] = na / mass[i] + nb / mass[i + 1];
    }
    return d;
}

struct published {
    std::size_t n;
    double end_mass, radius;
};
class straight_chain_by_jacobi : public testing::TestWithParam<published> {};
TEST_P(straight_chain_by_jacobi, contracts_by_the_spectral_radius) {
    auto const& row = GetParam();
    auto const mass = chain_theory::ends(row.n, row.end_mass);
    auto const a = chain_theory::rods(mass);
    for (auto sharing : {body_sharing::plain, body_sharing::averaging, body_sharing::mass_splitting}) {
        double const rho = chain_theory::spectral_radius(jacobi_matrix(a, diagonal_of(mass, sharing)), 20000);
        if (sharing == body_sharing::plain) {
            EXPECT_NEAR(rho, row.radius, 1e-6);
        }
        double const measured = measured_radius(make_chain(mass, sharing), rho, 6);
        EXPECT_NEAR((1 - measured) / (1 - rho), 1.0, 0.02) << static_cast<int>(sharing);
        std::printf("N = %zu, ends %g: rho %.9f, measured %.9f\n", row.n, row.end_mass, rho, measured);
    }
}
// Eigenvalues at 40 digits, the reference table; 8.27 prints cos(pi / N), right only if N counts masses.
INSTANTIATE_TEST_SUITE_P(published, straight_chain_by_jacobi,
                         testing::Values(published{10, 1, 0.959492973614497}, published{10, 10, 0.990440515877989}, published{10, 100, 0.998906343182043},
                                         published{10, 0.1, 0.942360876943761}, published{32, 1, 0.995471922573085}, published{32, 0.01, 0.994875954226363}));

// ---- bodies with many constraints

// A particle on n springs to points around it: D^-1 A has an eigenvalue of about n / 3, so that plain Jacobi diverges.
using star_world = sinew::world<config, sinew::particle_distance>;
star_world make_star(int n, body_sharing sharing) {
    star_world w;
    w.gravity = {0, 0, 0};
    auto const hub = w.add(sinew::particle<double>{1, {0.02, -0.01, 0.015}, {}});
    for (int i = 0; i < n; ++i) {
        vec3<double> const d = normalize(vec3<double>{std::cos(1.0 + 2 * i), std::sin(2.0 + 3 * i), std::cos(4.0 * i)});
        w.add(sinew::particle_distance<double>{.length = 1}, hub, w.add(sinew::particle<double>{1, d, {}}));
    }
    w.solver.sharing = sharing;
    return w;
}
TEST(body_sharing, plain_diverges_on_a_hub_and_the_others_do_not) {
    auto const residual = [](body_sharing sharing) {
        auto w = make_star(12, sharing);
        w.solver.iterations = 40;
        return w.step(1.0).residual;
    };
    EXPECT_GT(residual(body_sharing::plain), 0.1);
    EXPECT_LT(residual(body_sharing::averaging), 1e-3);
    EXPECT_LT(residual(body_sharing::mass_splitting), 1e-3);
}
TEST(body_sharing, all_rest_at_m_g_alpha) {
    using soft_world = sinew::world<config, sinew::particle_spring_damper>;
    for (auto sharing : {body_sharing::plain, body_sharing::averaging, body_sharing::mass_splitting}) {
        soft_world w;
        // A mass on three springs side by side, and another on a spring below it.
        auto const top = w.add_fixed_particle({0, 1, 0}), middle = w.add(sinew::particle<double>{2, {0, 0, 0}, {}}), low = w.add(sinew::particle<double>{1, {0, -1, 0}, {}});
        w.solver.sharing = sharing;
        w.solver.relaxation = sharing == body_sharing::plain ? 0.4 : 1;  // plain would diverge
        w.solver.iterations = 300;
        for (int i = 0; i < 3; ++i) w.add(sinew::particle_spring_damper<double>{.rest_length = 1, .spring_rate = 1000, .damper_rate = 20}, top, middle);
        w.add(sinew::particle_spring_damper<double>{.rest_length = 1, .spring_rate = 1000, .damper_rate = 20}, middle, low);
        for (int i = 0; i < 1200; ++i) ASSERT_TRUE(w.step(1.0 / 60));
        double const g = -w.gravity.y();
        EXPECT_NEAR(-w.position(middle).y() / (3 * g / 3000), 1.0, 1e-9) << static_cast<int>(sharing);
        EXPECT_NEAR((w.position(middle).y() - w.position(low).y() - 1) / (g / 1000), 1.0, 1e-9);
    }
}
TEST(body_sharing, order_of_constraints_changes_nothing) {
    auto const run = [](bool reversed) {
        chain_world w;
        std::vector<chain_world::particle_handle> p;
        for (int i = 0; i < 8; ++i) p.push_back(w.add(sinew::particle<double>{1.0 + i % 3, {1.0 * i, 0.1 * (i % 2), 0}, {0, 0, 0.3 * i}}));
        for (int i = 0; i < 7; ++i) {
            int const k = reversed ? 6 - i : i;
            w.add(sinew::particle_distance<double>{.length = 1}, p[static_cast<std::size_t>(k)], p[static_cast<std::size_t>(k) + 1]);
        }
        for (int i = 0; i < 60; ++i) EXPECT_TRUE(w.step(1.0 / 60));
        return w.position(p.back());
    };
    EXPECT_LT(norm(run(false) - run(true)), 1e-12);
}

// ---- acceleration

// In the end a sweep shrinks the error by rho / (1 + sqrt(1 - rho^2)): 0.7527 instead of 0.9595 for ten rods.
TEST(semi_iteration, reaches_its_asymptotic_rate) {
    for (std::size_t n : {10u, 32u}) {
        auto w = make_chain(chain_theory::ends(n, 1), body_sharing::plain);
        double const rho = std::cos(3.14159265358979323846 / static_cast<double>(n + 1));
        double const rate = rho / (1 + std::sqrt(1 - rho * rho));
        w.solver.chebyshev = true;
        w.solver.spectral_radius = rho;
        int const early = static_cast<int>(4 * std::log(10.0) / -std::log(rate)), late = 2 * early;
        double const measured = std::pow(residual_after(w, late) / residual_after(w, early), 1.0 / (late - early));
        EXPECT_NEAR((1 - measured) / (1 - rate), 1.0, 0.05) << measured << " " << rate;
        // Estimated from the first sweeps it is slower, and yet far faster than none.
        auto estimated = w;
        estimated.solver.spectral_radius = 0;
        auto none = w;
        none.solver.chebyshev = false;
        double const a = residual_after(w, late), b = residual_after(estimated, late), c = residual_after(none, late);
        std::printf("N = %zu, %d sweeps: residual %.1e with rho given, %.1e estimated, %.1e without\n", n, late, a, b, c);
        EXPECT_LT(a, b);
        EXPECT_LT(b, 0.05 * c);
    }
}
// Where the eigenvalues are not negative they are moved to both sides of 0 first.
TEST(semi_iteration, reaches_its_rate_with_split_masses) {
    auto const mass = chain_theory::ends(10, 1);
    auto w = make_chain(mass, body_sharing::mass_splitting);
    double const rho = chain_theory::spectral_radius(jacobi_matrix(chain_theory::rods(mass), diagonal_of(mass, body_sharing::mass_splitting)), 20000);
    double const r = rho / (2 - rho), rate = r / (1 + std::sqrt(1 - r * r));
    w.solver.chebyshev = true;
    w.solver.spectral_radius = rho;
    double const measured = std::pow(residual_after(w, 80) / residual_after(w, 40), 1.0 / 40);
    EXPECT_NEAR((1 - measured) / (1 - rate), 1.0, 0.05) << measured << " " << rate;
}
TEST(semi_iteration, refuses_what_diverges) {
    sinew::world<config> w;
    w.solver.spectral_radius = 1;
    EXPECT_STREQ(w.solver.fault().name, "solver.spectral_radius");
    w.solver.spectral_radius = 0.5;
    w.solver.relaxation = 2;
    EXPECT_STREQ(w.solver.fault().name, "solver.relaxation");
}

// ---- momentum

TEST(momentum_by_jacobi, is_kept_to_rounding_however_bodies_are_shared) {
    for (auto sharing : {body_sharing::averaging, body_sharing::mass_splitting})
        for (bool chebyshev : {false, true}) {
            sinew::world<config, sinew::scalar_point_to_point, sinew::distance> w;
            w.solver.sharing = sharing;
            w.solver.chebyshev = chebyshev;
            w.solver.spectral_radius = 0.5;
            auto const d = position_suite::drift_of_momentum(w, [](auto& world, auto const& b) {
                for (std::size_t i = 1; i < b.size(); ++i) {
                    world.add(sinew::scalar_point_to_point<double>{{0.35, 0, 0}, {-0.35, 0, 0}}, b[i - 1], b[i]);
                    if (i > 5 && i % 3 == 0) world.add(sinew::distance<double>{.anchor_a = {0, 0.1, 0}, .anchor_b = {0, 0, 0.1}, .length = 2.5}, b[i - 4], b[i]);
                }
            });
            std::printf("sharing %d, chebyshev %d: linear %.1e, angular %.1e relative in 4 s\n", static_cast<int>(sharing), chebyshev, d.linear, d.angular);
            EXPECT_LT(d.linear, 1e-13);
            EXPECT_LT(d.angular, 1e-13);
        }
}

// ---- what every position-level strategy must do

struct tuned {
    using solver = sinew::jacobi;
    static constexpr int converged = 400;
    template <class W>
    static void tune(W& w, int sweeps) {
        w.solver.iterations = sweeps;
    }
    static constexpr double momentum = 1e-13;
    static constexpr double hard_error = 1e-6;  // m, of a hard row run to convergence
    static constexpr double loose = 1;          // m, after 20 sweeps on the long runs
};
INSTANTIATE_TYPED_TEST_SUITE_P(jacobi, position_strategy, testing::Types<tuned>);

}  // namespace
