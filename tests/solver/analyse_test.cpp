// analyse(): the numbers that theory gives for chains, rank and redundant rows by name, and what it recommends.

#include <sinew/sinew.hpp>
#include <sinew/solver/analyse.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using sinew::vec3;

template <class Number>
struct config_over : sinew::default_config {
    using scalar = Number;
};

template <class S>
struct Analyse : testing::Test {};
using numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(Analyse, numbers);

template <class S>
using soft_rod = sinew::soft_joint<S, sinew::particle_distance>;

// A row of particles joined by rods: A = tridiag(-1, 2, -1), corners 1 + m/m_end.
template <class S>
auto row_of_particles(int rods, S end_mass) {
    sinew::world<config_over<S>, sinew::particle_distance> world;
    auto last = world.add(sinew::particle<S>{end_mass, {}, {}});
    for (int i = 1; i <= rods; ++i) {
        auto const next = world.add(sinew::particle<S>{i == rods ? end_mass : S(1), {S(i), S(0), S(0)}, {}});
        world.add(sinew::particle_distance<S>{{}, {}, S(1)}, last, next);
        last = next;
    }
    return world;
}

// The radii of references.md, N constraints.
TYPED_TEST(Analyse, finds_the_spectral_radii_of_chains) {
    using S = TypeParam;
    struct reference {
        int n;
        double end, jacobi, gauss_seidel, factor, sor;
    };
    double const exact = sizeof(S) > 4 ? 1e-12 : 2e-5, iterated = sizeof(S) > 4 ? 5e-6 : 1e-4;
    for (reference const& r : {reference{10, 1, 0.959492973614497, 0.92062676641559, 1.56038792127477, 0.560387921274774},
                               reference{10, 10, 0.990440515877989, 0.980972415492657, 1.75756112125149, 0.757561121251487},
                               reference{10, 0.1, 0.942360876943761, 0.888044022394214, 1.49857833643853, 0.498578336438534},
                               reference{32, 1, 0.995471922573085, 0.990964348631353, 1.82639054158842, 0.826390541588421}}) {
        auto const a = analyse(row_of_particles<S>(r.n, S(r.end)));
        EXPECT_EQ(a.rows, std::size_t(r.n));
        EXPECT_EQ(a.constraints, std::size_t(r.n));
        EXPECT_EQ(a.rank, std::size_t(r.n));
        EXPECT_FALSE(a.has_loops);
        EXPECT_FALSE(a.has_bounds);
        EXPECT_NEAR(double(a.radius_jacobi), r.jacobi, exact);
        EXPECT_NEAR(double(a.radius_gauss_seidel), r.gauss_seidel, iterated);
        double const factor = sizeof(S) > 4 ? 1e-10 : 3e-3;
        EXPECT_NEAR(double(a.optimal_relaxation), r.factor, factor);
        EXPECT_NEAR(double(a.radius_sor), r.sor, factor);
        EXPECT_NEAR(double(a.dominance), 1.0, 1e-6);  // (1 + 1) / 2 inside
        EXPECT_TRUE(a.redundant.empty());
        EXPECT_NE(std::string(a.recommendation).find("sparse_ldlt"), std::string::npos) << a.recommendation;
    }
}

// Compliance adds alpha / h^2 to the diagonal: r = 2 / (2 + alpha~), and a soft row needs few sweeps.
TYPED_TEST(Analyse, counts_compliance) {
    using S = TypeParam;
    sinew::world<config_over<S>, soft_rod> world;
    auto last = world.add(sinew::particle<S>{S(1), {}, {}});
    for (int i = 1; i <= 10; ++i) {
        auto const next = world.add(sinew::particle<S>{S(1), {S(i), S(0), S(0)}, {}});
        world.add(soft_rod<S>::with({{}, {}, S(1)}, S(2)), last, next);
        last = next;
    }
    auto const a = analyse(world, S(1));
    EXPECT_NEAR(double(a.dominance), 2.0 / 4.0, 1e-6);
    EXPECT_LE(a.radius_gauss_seidel, S(0.25));
    EXPECT_NE(std::string(a.recommendation).find("sequential_impulses"), std::string::npos) << a.recommendation;
}

// Units and masses do not make a row redundant: a gram beside a ton, and a ton at the end of a light chain.
TYPED_TEST(Analyse, tells_heavy_from_redundant) {
    using S = TypeParam;
    sinew::world<config_over<S>, sinew::ball_joint> world;
    for (S const mass : {S(1e-3), S(1e3)}) {
        S const inertia = mass / S(10);
        auto const body = world.add(sinew::rigid_body<S>{mass, sinew::diagonal(inertia, inertia, inertia), {}, {}});
        world.add(sinew::ball_joint<S>{{}, {S(0.1), S(0), S(0)}}, world.ground(), body);
    }
    auto const apart = analyse(world);
    EXPECT_EQ(apart.rank, 6u);
    EXPECT_TRUE(apart.redundant.empty());
    EXPECT_NEAR(double(apart.condition), 1.1e6, 1e3);  // 1 / m + r^2 / I over 1 / m of the other
    EXPECT_EQ(std::string(apart.recommendation).find("redundant"), std::string::npos) << apart.recommendation;

    sinew::world<config_over<S>, sinew::ball_joint> chain;
    auto last = chain.ground();
    for (int i = 0; i < 32; ++i) {
        S const mass = S(i == 31 ? 1000 : 1);
        auto const link = chain.add(sinew::rigid_body<S>{mass, sinew::diagonal(mass, mass, mass), {{S(i) + S(0.5), S(0), S(0)}, {}}, {}});
        chain.add(sinew::ball_joint<S>::at(chain.pose(last), chain.pose(link), vec3<S>{S(i), S(0), S(0)}), last, link);
        last = link;
    }
    auto const a = analyse(chain);
    EXPECT_EQ(a.rank, a.rows);
    EXPECT_TRUE(a.redundant.empty());
    EXPECT_EQ(std::string(a.recommendation).find("redundant"), std::string::npos) << a.recommendation;
}

// A planar four-bar with hinges: three bodies have 18 freedoms, four hinges 20 rows, one freedom is left: rank 17, three rows say nothing.
TYPED_TEST(Analyse, names_the_redundant_rows_of_a_four_bar) {
    using S = TypeParam;
    using world_type = sinew::world<config_over<S>, sinew::hinge_joint>;
    world_type world;
    sinew::quaternion<S> const level{};
    auto bar = [&](S x, S y) { return world.add(sinew::rigid_body<S>{S(1), sinew::diagonal(S(0.02), S(0.02), S(0.02)), {{x, y, S(0)}, level}, {}}); };
    auto const left = bar(S(0), S(0.5)), top = bar(S(0.5), S(1)), right = bar(S(1), S(0.5));
    auto const hinge = [&](auto a, auto b, S x, S y) {
        world.add(sinew::hinge_joint<S>::at(world.pose(a), world.pose(b), vec3<S>{x, y, S(0)}, vec3<S>{S(0), S(0), S(1)}), a, b);
    };
    hinge(world.ground(), left, S(0), S(0));
    hinge(left, top, S(0), S(1));
    hinge(top, right, S(1), S(1));
    auto const open = analyse(world);
    EXPECT_EQ(open.rows, 15u);
    EXPECT_EQ(open.rank, 15u);
    EXPECT_FALSE(open.has_loops);
    hinge(right, world.ground(), S(1), S(0));
    auto const a = analyse(world);
    EXPECT_EQ(a.rows, 20u);
    EXPECT_EQ(a.rank, 17u);
    EXPECT_TRUE(a.has_loops);
    ASSERT_EQ(a.redundant.size(), 3u);
    for (auto const& row : a.redundant) {
        EXPECT_EQ(std::string(row.constraint).rfind("hinge_joint<", 0), 0u) << row.constraint;
        EXPECT_EQ(row.index, 3u);  // the hinge that closed the loop
        EXPECT_LT(row.row, 5u);
    }
    EXPECT_NE(std::string(a.recommendation).find("redundant"), std::string::npos) << a.recommendation;
    EXPECT_LT(a.radius_sor, S(1));
}

// An inequality takes part only where it is reached.
TYPED_TEST(Analyse, leaves_out_what_does_not_act) {
    using S = TypeParam;
    sinew::world<config_over<S>, sinew::particle_rope> world;
    auto const a = world.add(sinew::particle<S>{S(1), {}, {}});
    auto const b = world.add(sinew::particle<S>{S(1), {S(1), S(0), S(0)}, {}});
    world.add(sinew::particle_rope<S>{{}, {}, S(2)}, a, b);
    auto const slack = analyse(world);
    EXPECT_EQ(slack.rows, 0u);
    EXPECT_TRUE(slack.has_bounds);
    EXPECT_NE(std::string(slack.recommendation).find("any strategy"), std::string::npos);
    world.set_position(b, vec3<S>{S(2), S(0), S(0)});
    EXPECT_EQ(analyse(world).rows, 1u);
}

// What does not move is one body: two ropes from a body to the ground and to a fixed body close a loop.
TYPED_TEST(Analyse, knows_loops_through_the_ground) {
    using S = TypeParam;
    sinew::world<config_over<S>, sinew::ball_joint> world;
    auto const fixed = world.add_fixed({{S(1), S(0), S(0)}, {}});
    auto const body = world.add(sinew::rigid_body<S>{});
    world.add(sinew::ball_joint<S>{}, body, world.ground());
    EXPECT_FALSE(analyse(world).has_loops);
    world.add(sinew::ball_joint<S>{}, body, fixed);
    EXPECT_TRUE(analyse(world).has_loops);
}

}  // namespace
