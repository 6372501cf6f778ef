// Gauss-Seidel on positions: convergence as theory says, compliance independent of step and iterations, momentum.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

using sinew::vec3;

struct double_config : sinew::default_config {
    using scalar = double;
    using solver = sinew::nonlinear_gauss_seidel;
};

using matrix = std::vector<std::vector<double>>;

// ---- straight chains of particles (Waterson 2026, section 8)

// A = J W J^T of N rods in a row between masses m_0 .. m_N.
matrix chain_matrix(std::vector<double> const& mass) {
    std::size_t const n = mass.size() - 1;
    matrix a(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) {
        a[i][i] = 1 / mass[i] + 1 / mass[i + 1];
        if (i + 1 < n) a[i][i + 1] = a[i + 1][i] = -1 / mass[i + 1];
    }
    return a;
}

// G = (D + xi L)^-1 ((1 - xi) D - xi L^T), column by column (eq. 4.76).
matrix iteration_matrix(matrix const& a, double xi) {
    std::size_t const n = a.size();
    matrix g(n, std::vector<double>(n, 0.0));
    for (std::size_t c = 0; c < n; ++c) {
        std::vector<double> x(n, 0.0);
        x[c] = 1;
        for (std::size_t i = 0; i < n; ++i) {
            double s = 0;
            for (std::size_t j = 0; j < n; ++j)
                if (j != i) s += a[i][j] * x[j];
            x[i] = (1 - xi) * x[i] - xi * s / a[i][i];
        }
        for (std::size_t i = 0; i < n; ++i) g[i][c] = x[i];
    }
    return g;
}

// Growth of |G^k x| per application between k and 2k, renormalised on the way: right also for the defective matrix of
// optimal SOR, where it is off by 2^(1/k).
double spectral_radius(matrix const& g) {
    std::size_t const n = g.size();
    std::vector<double> x(n), y(n);
    std::mt19937 random(5);
    for (double& v : x) v = std::uniform_real_distribution<>(-1, 1)(random);
    int const k = 20000;
    double log_growth = 0;
    for (int it = 0; it < 2 * k; ++it) {
        double norm = 0;
        for (std::size_t i = 0; i < n; ++i) {
            y[i] = 0;
            for (std::size_t j = 0; j < n; ++j) y[i] += g[i][j] * x[j];
            norm += y[i] * y[i];
        }
        norm = std::sqrt(norm);
        for (std::size_t i = 0; i < n; ++i) x[i] = y[i] / norm;
        if (it >= k) log_growth += std::log(norm);
    }
    return std::exp(log_growth / k);
}

using chain_world = sinew::world<double_config, sinew::particle_distance>;

chain_world make_chain(std::vector<double> const& mass, double stretch) {
    chain_world w;
    w.gravity = {0, 0, 0};
    std::vector<chain_world::particle_handle> p;
    for (std::size_t i = 0; i < mass.size(); ++i) p.push_back(w.add(sinew::particle<double>{mass[i], {static_cast<double>(i) * (1 + stretch), 0, 0}, {}}));
    for (std::size_t i = 0; i + 1 < mass.size(); ++i) w.add(sinew::particle_distance<double>{.length = 1}, p[i], p[i + 1]);
    w.solver.regularization = 0;
    w.solver.conserve_angular_momentum = false;
    return w;
}

// The affine map of multipliers that one sweep of the solver makes, measured by warm starts: its linear part.
matrix measured_iteration_matrix(chain_world const& start, double xi) {
    auto const sweep = [&](std::vector<double> const& lambda) {
        chain_world w = start;
        w.solver.iterations = 1;
        w.solver.relaxation = xi;
        w.solver.warm_start = 1;
        auto s = w.save();
        for (std::size_t i = 0; i < lambda.size(); ++i) s.multipliers[i] = lambda[i];
        w.restore(s);
        EXPECT_TRUE(w.step(1.0));
        auto const after = w.save();
        return std::vector<double>(after.multipliers.begin(), after.multipliers.end());
    };
    std::size_t const n = start.save().multipliers.size();
    matrix g(n, std::vector<double>(n, 0.0));
    std::vector<double> const zero(n, 0.0);
    auto const base = sweep(zero);
    for (std::size_t c = 0; c < n; ++c) {
        auto x = zero;
        x[c] = 1e-3;
        auto const y = sweep(x);
        for (std::size_t i = 0; i < n; ++i) g[i][c] = (y[i] - base[i]) / 1e-3;
    }
    return g;
}

struct published {
    std::size_t n;
    double end_mass, gauss_seidel, factor, sor;
};

// Spectral radii of A = tridiag(-1, 2, -1) with corners 1 + m / m_end: eigenvalues at 40 digits, the reference table.
class straight_chain : public testing::TestWithParam<published> {};

TEST_P(straight_chain, contracts_by_the_spectral_radius) {
    auto const& row = GetParam();
    std::vector<double> mass(row.n + 1, 1.0);
    mass.front() = mass.back() = row.end_mass;
    auto const a = chain_matrix(mass);
    auto const world = make_chain(mass, 0.05);

    auto const g = iteration_matrix(a, 1.0);
    EXPECT_NEAR(spectral_radius(g), row.gauss_seidel, 1e-9);
    EXPECT_NEAR(spectral_radius(measured_iteration_matrix(world, 1.0)) / row.gauss_seidel, 1.0, 1e-6);

    auto const s = iteration_matrix(a, row.factor);
    auto const measured = measured_iteration_matrix(world, row.factor);
    for (std::size_t i = 0; i < row.n; ++i)
        for (std::size_t j = 0; j < row.n; ++j) EXPECT_NEAR(measured[i][j], s[i][j], 1e-9);
    EXPECT_NEAR(spectral_radius(measured) / row.sor, 1.0, 1e-2);
}

// The same without a matrix: the error of the multipliers, sweep by sweep.
TEST_P(straight_chain, shrinks_the_error_by_the_spectral_radius) {
    auto const& row = GetParam();
    std::vector<double> mass(row.n + 1, 1.0);
    mass.front() = mass.back() = row.end_mass;
    auto const start = make_chain(mass, 0.05);
    auto const multipliers = [&](int iterations) {
        auto w = start;
        w.solver.iterations = iterations;
        EXPECT_TRUE(w.step(1.0));
        return w.save().multipliers;
    };
    // Late enough that one mode is left, early enough that rounding is far below.
    int const late = static_cast<int>(8 * std::log(10.0) / -std::log(row.gauss_seidel));
    auto const exact = multipliers(6 * late);
    auto const distance = [&](int iterations) {
        auto const x = multipliers(iterations);
        double d = 0;
        for (std::size_t i = 0; i < x.size(); ++i) d += (x[i] - exact[i]) * (x[i] - exact[i]);
        return std::sqrt(d);
    };
    EXPECT_NEAR(distance(late + 1) / distance(late) / row.gauss_seidel, 1.0, 0.01);
}

INSTANTIATE_TEST_SUITE_P(published, straight_chain,
                         testing::Values(published{10, 1, 0.92062676641559, 1.56038792127477, 0.560387921274774},
                                         published{10, 10, 0.980972415492657, 1.75756112125149, 0.757561121251487},
                                         published{10, 100, 0.997813882449322, 1.91066506644716, 0.910665066447156},
                                         published{32, 1, 0.990964348631353, 1.82639054158842, 0.826390541588421},
                                         published{32, 10, 0.995859390761662, 1.87908542666042, 0.879085426660423},
                                         published{32, 100, 0.999387078783238, 1.95168173565884, 0.951681735658845}));

TEST(relaxation, adaptive_reaches_what_fixed_does_in_fewer_sweeps) {
    auto const start = make_chain(std::vector<double>(33, 1.0), 0.05);
    auto const residual = [&](bool adaptive) {
        auto w = start;
        w.solver.iterations = 100;
        w.solver.adaptive = adaptive;
        return w.step(1.0).residual;
    };
    EXPECT_LT(residual(true), 0.01 * residual(false));
}

// ---- compliance (XPBD notes, eq. 18)

template <class S>
using soft_rod = sinew::soft_joint<S, sinew::particle_distance>;
using soft_world = sinew::world<double_config, soft_rod>;

struct hanging {
    soft_world world;
    soft_world::particle_handle mass;
};

hanging hang(double m, double compliance, double damping) {
    hanging h;
    auto const top = h.world.add_fixed_particle({0, 0, 0});
    h.mass = h.world.add(sinew::particle<double>{m, {0, -1, 0}, {}});
    auto const rod = soft_rod<double>::with(sinew::particle_distance<double>{.length = 1}, compliance, damping);
    h.world.add(rod, top, h.mass);
    return h;
}

TEST(compliance, rests_at_m_g_alpha_for_any_iterations_and_step) {
    double const m = 2, alpha = 1e-3, g = 9.81;
    for (int iterations : {1, 3, 10, 100})
        for (double rate : {30.0, 60.0, 240.0, 960.0}) {
            auto h = hang(m, alpha, 40);
            h.world.solver.iterations = iterations;
            for (int i = 0; i < static_cast<int>(10 * rate); ++i) ASSERT_TRUE(h.world.step(1 / rate));
            double const stretch = -h.world.position(h.mass).y() - 1;
            EXPECT_NEAR(stretch / (m * g * alpha), 1.0, 1e-4) << iterations << " iterations at " << rate << " Hz";
        }
}

TEST(compliance, oscillates_at_sqrt_k_over_m_as_the_step_shrinks) {
    double const m = 1, k = 100;
    double const exact = 2 * 3.14159265358979323846 / std::sqrt(k / m);
    double previous = 1;
    for (double h = 1.0 / 120; h > 1.0 / 4000; h /= 2) {
        auto s = hang(m, 1 / k, 0);
        s.world.gravity = {0, 0, 0};
        s.world.set_position(s.mass, {0, -1.1, 0});
        // Period between the second and fourth passage through rest, by linear interpolation.
        std::vector<double> passages;
        double before = 0.1;
        for (int i = 1; passages.size() < 4; ++i) {
            ASSERT_TRUE(s.world.step(h));
            double const now = -s.world.position(s.mass).y() - 1;
            if ((before > 0) != (now > 0)) passages.push_back((i - now / (now - before)) * h);
            before = now;
        }
        double const error = std::abs((passages[3] - passages[1]) / exact - 1);
        EXPECT_LT(error, 0.6 * previous);
        previous = error;
    }
    EXPECT_LT(previous, 1e-3);
}

// ---- momentum (Waterson 2026, 5.2)

struct momenta {
    double linear, angular, error;  // relative to the sums of the bodies' own, which is what rounding is relative to
};

template <class World, class Bind>
momenta drift_of_momentum(double relaxation, bool keep, Bind&& bind) {
    World w;
    w.gravity = {0, 0, 0};
    w.solver.relaxation = relaxation;
    w.solver.conserve_angular_momentum = keep;
    std::mt19937 random(11);
    std::uniform_real_distribution<> u(-1, 1);
    std::vector<typename World::body_handle> b;
    for (int i = 0; i < 50; ++i) {
        sinew::rigid_body<double> body;
        body.mass = 1.5 + u(random);
        body.inertia = sinew::diagonal(0.2 + 0.05 * u(random), 0.25 + 0.05 * u(random), 0.3 + 0.05 * u(random));
        body.pose.position = {0.7 * i, 0.3 * u(random), 0.3 * u(random)};
        body.pose.rotation = sinew::quaternion_exp(vec3<double>{u(random), u(random), u(random)});
        body.twist = {{2 + u(random), u(random), u(random)}, {u(random), u(random), u(random)}};
        b.push_back(w.add(body));
    }
    bind(w, b);
    double sum_p = 0, sum_l = 0;
    for (auto const& h : b) {
        auto const body = w.body(h);
        sum_p += norm(linear_momentum(body));
        sum_l += norm(body.pose.position) * norm(linear_momentum(body)) + norm(spin(body));
    }
    auto const p = w.linear_momentum(), l = w.angular_momentum();
    for (int i = 0; i < 240; ++i) EXPECT_TRUE(w.step(1.0 / 60));
    return {norm(w.linear_momentum() - p) / sum_p, norm(w.angular_momentum() - l) / sum_l, w.constraint_error()};
}

using mixed_world = sinew::world<double_config, sinew::scalar_point_to_point, sinew::distance, sinew::ball_joint, sinew::hinge_joint, sinew::axis_alignment>;

template <class W, class B>
void bind_mixed(W& w, B const& b, bool vector_form) {
    for (std::size_t i = 1; i < b.size(); ++i) {
        if (vector_form)
            w.add(sinew::ball_joint<double>{{0.35, 0, 0}, {-0.35, 0, 0}}, b[i - 1], b[i]);
        else
            w.add(sinew::scalar_point_to_point<double>{{0.35, 0, 0}, {-0.35, 0, 0}}, b[i - 1], b[i]);
        if (i > 5 && i % 3 == 0) w.add(sinew::distance<double>{.anchor_a = {0, 0.1, 0}, .anchor_b = {0, 0, 0.1}, .length = 2.5}, b[i - 4], b[i]);
        if (i % 4 == 0) w.add(sinew::axis_alignment<double>{{0, 1, 0}, {0, 1, 0}}, b[i - 1], b[i]);
    }
}

TEST(momentum, is_kept_to_rounding_by_the_scalar_form_with_any_relaxation) {
    for (double relaxation : {0.3, 0.7, 1.0, 1.4}) {
        auto const m = drift_of_momentum<mixed_world>(relaxation, true, [](auto& w, auto const& b) { bind_mixed(w, b, false); });
        // 240 steps of 10 sweeps over 75 constraints: the roundings of 180,000 updates, as a random walk.
        double const rounding = 2.2e-16 * std::sqrt(180000.0) * 4;
        EXPECT_LT(m.linear, rounding) << "relaxation " << relaxation;
        EXPECT_LT(m.angular, rounding) << "relaxation " << relaxation;
        std::printf("scalar form, relaxation %.1f: linear %.1e, angular %.1e relative in 4 s\n", relaxation, m.linear, m.angular);
    }
}

TEST(momentum, is_lost_by_the_vector_form_under_relaxed) {
    auto const m = drift_of_momentum<mixed_world>(0.3, true, [](auto& w, auto const& b) { bind_mixed(w, b, true); });
    std::printf("vector form, relaxation 0.3: linear %.1e, angular %.1e relative in 4 s\n", m.linear, m.angular);
    EXPECT_LT(m.linear, 1e-12);
    EXPECT_GT(m.angular, 1e-5);
}

TEST(momentum, drifts_at_second_order_without_the_correction) {
    auto const m = drift_of_momentum<mixed_world>(1.0, false, [](auto& w, auto const& b) { bind_mixed(w, b, false); });
    EXPECT_LT(m.linear, 1e-12);
    EXPECT_GT(m.angular, 1e-8);
}

}  // namespace
