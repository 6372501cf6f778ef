// Vertex block descent: every visit is the exact minimum of its block, and the sweeps arrive at the implicit Euler step.

#include "position_strategy_suite.hpp"

#include <sinew/solver/vertex_block_descent.hpp>

#include <array>

namespace {

using sinew::vec3;

struct config : sinew::default_config {
    using scalar = double;
    using solver = sinew::vertex_block_descent;
};

// ---- a net of springs between particles, computed here without the library

struct net {
    struct spring {
        std::size_t a, b;
        double length, k, damping;
    };
    std::vector<double> mass;
    std::vector<vec3<double>> x, v;
    std::vector<spring> springs;
    std::vector<bool> fixed;
};
net make_net(double damping) {
    net n;
    std::mt19937 random(3);
    std::uniform_real_distribution<> u(-1, 1);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 3; ++j) {
            n.mass.push_back(1 + 0.5 * u(random));
            n.x.push_back({1.0 * i + 0.2 * u(random), 1.0 * j + 0.2 * u(random), 0.3 * u(random)});
            n.v.push_back({u(random), u(random), u(random)});
            n.fixed.push_back(i == 0);
        }
    auto const at = [](int i, int j) { return static_cast<std::size_t>(3 * i + j); };
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 3; ++j) {
            if (i < 3) n.springs.push_back({at(i, j), at(i + 1, j), 1.0, 2000, damping});
            if (j < 2) n.springs.push_back({at(i, j), at(i, j + 1), 0.9, 500, damping});
            if (i < 3 && j < 2) n.springs.push_back({at(i, j), at(i + 1, j + 1), 1.3, 100, damping});
        }
    for (std::size_t i = 0; i < n.x.size(); ++i)
        if (n.fixed[i]) n.v[i] = {0, 0, 0};
    return n;
}
using net_world = sinew::world<config, sinew::particle_spring_damper>;
struct built {
    net_world world;
    std::vector<net_world::particle_handle> particles;
};
built build(net const& n) {
    built b;
    b.world.gravity = {0, 0, 0};
    b.world.solver.conserve_momentum = false;
    for (std::size_t i = 0; i < n.x.size(); ++i)
        b.particles.push_back(n.fixed[i] ? b.world.add_fixed_particle(n.x[i]) : b.world.add(sinew::particle<double>{n.mass[i], n.x[i], n.v[i]}));
    for (auto const& s : n.springs)
        b.world.add(sinew::particle_spring_damper<double>{.rest_length = s.length, .spring_rate = s.k, .damper_rate = s.damping}, b.particles[s.a], b.particles[s.b]);
    return b;
}
// Gradient and Gauss-Newton Hessian of 1/(2 h^2) m |x - y|^2 + sum k c^2 / 2 + d (J (x - x0))^2 / (2 h) with respect to one particle; with the term
// k c D^2 c if asked for.
struct local {
    vec3<double> g{};
    sinew::mat3<double> H{};
};
local local_model(net const& n, std::vector<vec3<double>> const& x, std::vector<vec3<double>> const& y, std::size_t i, double h, bool exact) {
    local m;
    m.g = (n.mass[i] / (h * h)) * (x[i] - y[i]);
    m.H = (n.mass[i] / (h * h)) * sinew::identity<double, 3>();
    for (auto const& s : n.springs) {
        if (s.a != i && s.b != i) continue;
        vec3<double> const d = x[s.a] - x[s.b];
        double const l = norm(d), c = l - s.length;
        vec3<double> const e = d / l;
        double const moved = dot(e, (x[s.a] - n.x[s.a]) - (x[s.b] - n.x[s.b]));
        double const sign = s.a == i ? 1 : -1;
        m.g += sign * (s.k * c + s.damping * moved / h) * e;
        m.H += (s.k + s.damping / h) * outer(e, e);
        if (exact) m.H += (s.k * c + s.damping * moved / h) / l * (sinew::identity<double, 3>() - outer(e, e));
    }
    return m;
}
std::vector<vec3<double>> predicted(net const& n, double h) {
    auto y = n.x;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * n.v[i];
    return y;
}

TEST(vertex_block_descent, every_visit_is_the_minimum_of_its_block) {
    for (double damping : {0.0, 30.0}) {
        auto const n = make_net(damping);
        double const h = 1.0 / 60;
        auto const y = predicted(n, h);
        auto x = y;
        for (int sweeps = 1; sweeps <= 5; ++sweeps) {
            for (std::size_t i = 0; i < x.size(); ++i) {
                if (n.fixed[i]) continue;
                auto const m = local_model(n, x, y, i, h, false);
                x[i] -= solve(m.H, m.g);
            }
            auto b = build(n);
            b.world.solver.iterations = sweeps;
            b.world.solver.geometric = sinew::geometric_stiffness::none;
            ASSERT_TRUE(b.world.step(h));
            for (std::size_t i = 0; i < x.size(); ++i) {
                EXPECT_LT(norm(b.world.position(b.particles[i]) - x[i]), 1e-14) << sweeps;
                EXPECT_LT(norm(b.world.velocity(b.particles[i]) - (n.fixed[i] ? vec3<double>{} : (x[i] - n.x[i]) / h)), 1e-12);
            }
        }
    }
}

// Newton's method on all particles at once, with the exact second derivatives.
std::vector<vec3<double>> implicit_euler(net const& n, double h) {
    auto const y = predicted(n, h);
    auto x = y;
    std::size_t const size = 3 * n.x.size();
    for (int it = 0; it < 50; ++it) {
        std::vector<double> g(size, 0.0), H(size * size, 0.0);
        for (std::size_t i = 0; i < n.x.size(); ++i)
            for (std::size_t k = 0; k < 3; ++k) {
                H[(3 * i + k) * size + 3 * i + k] = n.fixed[i] ? 1 : n.mass[i] / (h * h);
                if (!n.fixed[i]) g[3 * i + k] = n.mass[i] / (h * h) * (x[i][k] - y[i][k]);
            }
        for (auto const& s : n.springs) {
            vec3<double> const d = x[s.a] - x[s.b];
            double const l = norm(d), f = s.k * (l - s.length);
            vec3<double> const e = d / l;
            auto const K = s.k * outer(e, e) + (f / l) * (sinew::identity<double, 3>() - outer(e, e));
            for (std::size_t p : {s.a, s.b}) {
                if (n.fixed[p]) continue;
                for (std::size_t k = 0; k < 3; ++k) g[3 * p + k] += (p == s.a ? 1 : -1) * f * e[k];
                for (std::size_t q : {s.a, s.b}) {
                    if (n.fixed[q]) continue;
                    for (std::size_t k = 0; k < 3; ++k)
                        for (std::size_t m = 0; m < 3; ++m) H[(3 * p + k) * size + 3 * q + m] += (p == q ? 1 : -1) * K(k, m);
                }
            }
        }
        for (double& v : g) v = -v;
        // Gauss's elimination.
        for (std::size_t c = 0; c < size; ++c)
            for (std::size_t r = c + 1; r < size; ++r) {
                double const f = H[r * size + c] / H[c * size + c];
                if (f == 0) continue;
                for (std::size_t k = c; k < size; ++k) H[r * size + k] -= f * H[c * size + k];
                g[r] -= f * g[c];
            }
        for (std::size_t c = size; c-- > 0;) {
            for (std::size_t k = c + 1; k < size; ++k) g[c] -= H[c * size + k] * g[k];
            g[c] /= H[c * size + c];
        }
        for (std::size_t i = 0; i < size; ++i) x[i / 3][i % 3] += g[i];
    }
    return x;
}
TEST(vertex_block_descent, arrives_at_the_implicit_euler_step) {
    auto const n = make_net(0);
    double const h = 1.0 / 60;
    auto const exact = implicit_euler(n, h);
    for (auto what : {sinew::geometric_stiffness::none, sinew::geometric_stiffness::diagonal, sinew::geometric_stiffness::full}) {
        auto b = build(n);
        b.world.solver.geometric = what;
        b.world.solver.iterations = 400;
        ASSERT_TRUE(b.world.step(h));
        for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_LT(norm(b.world.position(b.particles[i]) - exact[i]), 1e-12) << static_cast<int>(what);
    }
}

// ---- straight chain of springs: H of eq. 8.31

struct chain {
    sinew::world<config, sinew::particle_spring_damper> world;
    std::vector<double> mass, k;
};
chain make_chain(std::size_t n, double end_mass, double stiffness) {
    chain c;
    c.mass = chain_theory::ends(n, end_mass);
    c.k.assign(n, stiffness);
    c.world.gravity = {0, 0, 0};
    c.world.solver.conserve_momentum = false;
    std::vector<sinew::world<config, sinew::particle_spring_damper>::particle_handle> p;
    double x = 0;
    for (std::size_t i = 0; i <= n; ++i) {
        p.push_back(c.world.add(sinew::particle<double>{c.mass[i], {x, 0, 0}, {}}));
        x += 1 + 0.01 * static_cast<double>((i * i + 3) % 7);
    }
    for (std::size_t i = 0; i < n; ++i) c.world.add(sinew::particle_spring_damper<double>{.rest_length = 1, .spring_rate = stiffness}, p[i], p[i + 1]);
    return c;
}
double step_after(chain c, int sweeps) {
    c.world.solver.iterations = sweeps;
    return c.world.step(1.0).residual;
}
TEST(vertex_block_descent, contracts_by_the_spectral_radius) {
    for (std::size_t n : {10u, 32u})
        for (double end : {1.0, 100.0})
            for (double k : {10.0, 100.0}) {
                auto const c = make_chain(n, end, k);
                double const rho = chain_theory::spectral_radius(chain_theory::gauss_seidel_matrix(chain_theory::masses(c.mass, c.k, 1)), 20000);
                int const late = static_cast<int>(7 * std::log(10.0) / -std::log(rho));
                double const measured = step_after(c, late + 1) / step_after(c, late);
                // The theory's eq. 8.32, which leaves the ends out: (2 k h^2 / (m + 2 k h^2))^2 cos^2(pi / (N + 1)).
                double const b = 2 * k / (1 + 2 * k), cosine = std::cos(3.14159265358979323846 / static_cast<double>(n + 2));
                std::printf("N = %zu, ends %g, k h^2 = %g: rho %.6f, measured %.6f, eq. 8.32 for n + 1 bodies %.6f\n", n, end, k, rho, measured, b * b * cosine * cosine);
                EXPECT_NEAR((1 - measured) / (1 - rho), 1.0, 0.02);
            }
}
// Forth and back the eigenvalues are those of 1 - (D + L^T)^-1 D (D + L)^-1 A, real and in [0, rho].
chain_theory::matrix forth_and_back(chain_theory::matrix const& a) {
    std::size_t const n = a.size();
    auto reversed = a;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) reversed[i][j] = a[n - 1 - i][n - 1 - j];
    auto const back = chain_theory::gauss_seidel_matrix(reversed);
    auto turned = back;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) turned[i][j] = back[n - 1 - i][n - 1 - j];
    return chain_theory::product(turned, chain_theory::gauss_seidel_matrix(a));
}
TEST(vertex_block_descent, chebyshev_reaches_its_asymptotic_rate) {
    auto const c = make_chain(32, 1, 100);
    double const rho = chain_theory::spectral_radius(forth_and_back(chain_theory::masses(c.mass, c.k, 1)), 20000);
    double const r = rho / (2 - rho), rate = r / (1 + std::sqrt(1 - r * r));
    auto given = c, estimated = c;
    given.world.solver.chebyshev = estimated.world.solver.chebyshev = true;
    given.world.solver.spectral_radius = rho;
    double const measured = std::pow(step_after(given, 80) / step_after(given, 40), 1.0 / 40);
    EXPECT_NEAR((1 - measured) / (1 - rate), 1.0, 0.05) << measured << " " << rate;
    double const a = step_after(given, 50), b = step_after(estimated, 50), none = step_after(c, 100);
    std::printf("100 visits of 33 particles, rho %.4f forth and back: last step %.1e with rho given, %.1e estimated, %.1e without\n", rho, a, b, none);
    EXPECT_LT(a, 1e-2 * none);
    EXPECT_LT(b, 0.5 * none);
}

// ---- hard rows, momentum, unconverged

// A hard row is a penalty: a body hangs g h^2 / hard_stiffness too low, at any mass and step.
TEST(vertex_block_descent, a_hard_row_sags_by_its_tuning) {
    for (double mass : {1e-3, 1.0, 1e3})
        for (double h : {1.0 / 60, 1.0 / 240}) {
            sinew::world<config, sinew::particle_distance> w;
            auto const top = w.add_fixed_particle({0, 0, 0}), low = w.add(sinew::particle<double>{mass, {0, -1, 0}, {}});
            w.add(sinew::particle_distance<double>{.length = 1}, top, low);
            for (int i = 0; i < 400; ++i) ASSERT_TRUE(w.step(h));
            EXPECT_NEAR((-w.position(low).y() - 1) / (-w.gravity.y() * h * h / w.solver.hard_stiffness), 1.0, 1e-6);
        }
}
// Unconverged, a sweep's actions and reactions differ; what is lost is given back.
TEST(vertex_block_descent, loses_momentum_unless_it_is_given_back) {
    for (bool keep : {true, false}) {
        sinew::world<config, sinew::ball_joint, sinew::distance> w;
        w.solver.iterations = 5;
        w.solver.conserve_momentum = keep;
        auto const d = position_suite::drift_of_momentum(w, [](auto& world, auto const& b) {
            for (std::size_t i = 1; i < b.size(); ++i) world.add(sinew::ball_joint<double>{{0.35, 0, 0}, {-0.35, 0, 0}}, b[i - 1], b[i]);
        });
        std::printf("five sweeps, conserve_momentum %d: linear %.1e, angular %.1e relative in 4 s\n", keep, d.linear, d.angular);
        if (keep) {
            EXPECT_LT(d.linear, 1e-13);
            EXPECT_LT(d.angular, 1e-13);
        } else {
            EXPECT_GT(d.linear, 1e-6);
        }
    }
}
// However few the sweeps, stiff springs that turn stay together; but only with the geometric stiffness in H.
double fastest(double k, int sweeps, sinew::geometric_stiffness what) {
    sinew::world<config, sinew::spring_damper> w;
    w.solver.iterations = sweeps;
    w.solver.geometric = what;
    auto previous = w.ground();
    for (int i = 0; i < 10; ++i) {
        auto const link = w.add(rigid_body_of(sinew::solid_box(1.0, vec3<double>{1, 0.2, 0.1}), sinew::pose<double>{{i + 0.5, 0, 0}}));
        for (double z : {-0.05, 0.05})
            w.add(sinew::spring_damper<double>{.anchor_a = {i == 0 ? 0 : 0.5, 0, z}, .anchor_b = {-0.5, 0.1, z}, .rest_length = 0.1, .spring_rate = k}, previous, link);
        previous = link;
    }
    double most = 0;
    for (int i = 0; i < 1200; ++i) {
        if (!w.step(1.0 / 60)) return sinew::infinity_v<double>;
        w.for_each_body([&](auto h) { most = std::max(most, norm(w.twist(h).linear)); });
    }
    return most;
}
TEST(vertex_block_descent, stays_together_unconverged_with_the_geometric_stiffness) {
    for (double k : {1e3, 1e6})
        for (int sweeps : {1, 3}) EXPECT_LT(fastest(k, sweeps, sinew::geometric_stiffness::diagonal), 60) << k << " " << sweeps;
    EXPECT_GT(fastest(1e6, 3, sinew::geometric_stiffness::none), 1e3);
}

// A rope holds until one end is at its wheel, and from there on as well: what is slack lets its body fall no farther than where it is taut again.
TEST(vertex_block_descent, a_weight_that_is_pulled_up_to_its_wheel_stays_there) {
    double const wheel = 2, light = 1, heavy = 1.2, gravity = 9.81;
    for (int substeps : {1, 4})
        for (double warm_start : {0.0, 1.0}) {
            sinew::world<config, sinew::pulley> w;
            w.gravity = {0, -gravity, 0};
            w.solver.substeps = substeps;
            w.solver.warm_start = warm_start;
            auto const hung = [&](double x, double mass) { return w.add(rigid_body_of(sinew::solid_box(mass, vec3<double>{1, 0.5, 0.75}), sinew::pose<double>{{x, 0, 0}})); };
            auto const a = hung(0, light), b = hung(3, heavy);
            w.add(sinew::pulley<double>{.wheel_a = {0, wheel, 0}, .wheel_b = {3, wheel, 0}, .length = 2 * wheel}, a, b, w.ground());
            for (int i = 0; i < 600; ++i) {
                ASSERT_TRUE(w.step(1.0 / 60));
                ASSERT_LT(std::max(norm(w.twist(a).linear), norm(w.twist(b).linear)), std::sqrt(4 * gravity * wheel)) << i << " " << substeps << " " << warm_start;
            }
            EXPECT_NEAR(w.position(a).y(), wheel, 1e-3) << substeps << " " << warm_start;
            EXPECT_NEAR(w.position(b).y(), -wheel, 1e-3) << substeps << " " << warm_start;
            EXPECT_NEAR(w.energy(), (light - heavy) * gravity * wheel, 1e-2) << substeps << " " << warm_start;
        }
}

struct tuned {
    using solver = sinew::vertex_block_descent;
    static constexpr int converged = 1000;
    template <class W>
    static void tune(W& w, int sweeps) {
        w.solver.iterations = sweeps;
    }
    static constexpr double momentum = 1e-12;
    static constexpr double hard_error = 1e-5;
    static constexpr double loose = 0.2;
};
INSTANTIATE_TYPED_TEST_SUITE_P(vertex_block_descent, position_strategy, testing::Types<tuned>);

}  // namespace
