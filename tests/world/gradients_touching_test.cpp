// Derivatives of what touches the ground without slipping yet, or without weighing on it: they are those of differences, and no value is changed by them.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace sinew;

template <class T, class Solver, template <class> class Contact = sinew::contact>
struct config : default_config {
    using scalar = T;
    using solver = Solver;
    template <class U>
    using contact = Contact<U>;
};
template <class S, class Solver, template <class> class Contact = sinew::contact>
using ground = world<config<S, Solver, Contact>, half_space, box, capsule>;

// A turning box that comes down: its spins after each step.
template <class S, class Solver>
std::vector<double> spins_of_a_fall(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    auto const within = [&](double a, double b) { return S(std::uniform_real_distribution<double>(a, b)(random)); };
    ground<S, Solver> w;
    w.add(half_space<S>{}, w.ground(), {.material = material<S>::of(S(0.5))});
    S const height = within(0.3, 0.5), a = within(-1, 1), b = within(-1, 1), c = within(-1, 1), x = within(-2, 2), y = within(-2, 0), spin = within(-2, 2);
    auto const body = w.add_solid(box<S>{{S(0.3), S(0.3), S(0.2)}}, S(700), pose<S>{{S(0), height, S(0)}, quaternion_exp(vec3<S>{a, b, c})});
    w.set_twist(body, {{x, y, S(0)}, {spin, S(1), S(0)}});
    std::vector<double> r;
    for (int k = 0; k < 8; ++k) {
        EXPECT_TRUE(w.step(S(1) / S(60)));
        r.push_back(value(w.twist(body).angular.x()));
    }
    return r;
}
template <class Solver>
void expect_values_of_double() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) EXPECT_EQ((spins_of_a_fall<dual<double, 1>, Solver>(seed)), (spins_of_a_fall<double, Solver>(seed))) << "seed " << seed;
}
// Sweeps end where nothing is left; a row at its bound had told nothing of that.
TEST(values_over_duals, are_those_of_double_under_augmented_lagrangian) { expect_values_of_double<augmented_lagrangian>(); }
TEST(values_over_duals, are_those_of_double_under_vertex_block_descent) { expect_values_of_double<vertex_block_descent>(); }

template <class S>
std::vector<double> heights_on_soft_ground() {
    ground<S, sequential_impulses> w;
    auto soft = material<S>::of(S(0.5));
    soft.compliance = S(1e-4);
    w.add(half_space<S>{}, w.ground(), {.material = soft});
    auto const body = w.add_solid(capsule<S>{S(0.3), S(0.4)}, S(700), pose<S>{{S(0), S(0.301), S(0)}, quaternion_exp(vec3<S>{S(1.5), S(0), S(0)})});
    std::vector<double> r;
    for (int k = 0; k < 20; ++k) {
        EXPECT_TRUE(w.step(S(1) / S(60)));
        r.push_back(value(w.position(body).y()));
    }
    return r;
}
TEST(values_over_duals, are_those_of_double_of_two_points_on_soft_ground) { EXPECT_EQ((heights_on_soft_ground<dual<double, 1>>()), heights_on_soft_ground<double>()); }

// A box at rest that gravity pulls sideways by p: friction holds it.
template <class S, class Solver, template <class> class Contact>
vec3<S> speed_at_rest(S const& p, int steps) {
    ground<S, Solver, Contact> w;
    w.gravity = {p, S(-9.81), S(0)};
    w.add(half_space<S>{}, w.ground(), {.material = material<S>::of(S(0.5))});
    auto const body = w.add_solid(box<S>{{S(0.2), S(0.3), S(0.25)}}, S(700), pose<S>{{S(0), S(0.3), S(0)}, {}});
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(w.step(S(1) / S(60)));
    return w.twist(body).linear;
}
template <class Solver, template <class> class Contact>
void expect_to_stand() {
    using D = dual<double, 1>;
    double const h = 1e-5;
    for (int steps : {1, 4, 8, 16, 28}) {
        auto const found = speed_at_rest<D, Solver, Contact>(D::variable(0, 0), steps);
        auto const differences = (speed_at_rest<double, Solver, Contact>(h, steps) - speed_at_rest<double, Solver, Contact>(-h, steps)) / (2 * h);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i].d[0], differences[i], 1e-8) << steps << " steps, axis " << i;
    }
}
TEST(gradients_of_a_box_that_stands, say_that_it_stays_under_dantzig) { expect_to_stand<lagrange_impulses<dantzig>, pyramid_contact>(); }
TEST(gradients_of_a_box_that_stands, say_that_it_stays_under_sparse_ldlt) { expect_to_stand<lagrange_impulses<sparse_ldlt>, sinew::contact>(); }

// One laid down that begins to move by p.
template <class S>
S spin_of_a_box_laid_down(S const& p) {
    ground<S, sequential_impulses> w;
    w.add(half_space<S>{}, w.ground(), {.material = material<S>::of(S(0.5))});
    auto const body = w.add_solid(box<S>{{S(0.2), S(0.3), S(0.2)}}, S(700), pose<S>{{S(0), S(0.3), S(0)}, {}});
    w.set_twist(body, {{p, S(0), S(0)}, {}});
    EXPECT_TRUE(w.step(S(1) / S(60)));
    return w.twist(body).angular.z();
}
TEST(gradients_of_a_box_laid_down, by_its_speed_are_those_of_differences) {
    using D = dual<double, 1>;
    double const wanted = (spin_of_a_box_laid_down(1e-6) - spin_of_a_box_laid_down(-1e-6)) / 2e-6;
    EXPECT_GT(std::abs(wanted), 0.1);
    EXPECT_NEAR(spin_of_a_box_laid_down(D::variable(0, 0)).d[0], wanted, 1e-2 * std::abs(wanted));  // those sweeps end at a change of 1e-3
}

// A capsule laid down flat that begins to roll by p. What has been found of its spin is nothing but rounding, whose length told how far a sweep is to be believed.
template <class S>
vec3<S> spin_of_a_capsule_laid_down(S const& p, S const& yaw, int iterations, int steps) {
    ground<S, vertex_block_descent> w;
    w.solver.iterations = iterations;
    w.add(half_space<S>{}, w.ground(), {.material = material<S>::of(S(0.5))});
    auto const body = w.add_solid(capsule<S>{S(0.3), S(0.4)}, S(700), pose<S>{{S(0), S(0.3), S(0)}, quaternion_exp(vec3<S>{S(0), yaw, S(0)}) * quaternion_exp(vec3<S>{pi_v<S> / S(2), S(0), S(0)})});
    w.set_twist(body, {{p, S(0), S(0)}, {}});
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(w.step(S(1) / S(60)));
    return w.twist(body).angular;
}
TEST(gradients_of_a_capsule_laid_down, by_its_speed_are_those_of_differences_under_vertex_block_descent) {
    using D = dual<double, 1>;
    double const h = 1e-6;
    for (double yaw : {0.0, 0.4})
        for (int iterations : {3, 10, 20})
            for (int steps : {1, 3}) {
                auto const found = spin_of_a_capsule_laid_down(D::variable(0, 0), D(yaw), iterations, steps);
                auto const wanted = (spin_of_a_capsule_laid_down(h, yaw, iterations, steps) - spin_of_a_capsule_laid_down(-h, yaw, iterations, steps)) / (2 * h);
                EXPECT_GT(norm(wanted), 2);
                for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i].d[0], wanted[i], 1e-5) << "yaw " << yaw << ", " << iterations << " iterations, " << steps << " steps, axis " << i;
            }
}

// By the fraction of the last impulses that a step begins with, whose default is 1.
template <class S>
S end_of_a_chain(S const& warm) {
    world<config<S, sequential_impulses>, ball_joint> w;
    w.solver.warm_start = warm;
    w.solver.iterations = 1;
    auto previous = w.ground();
    for (int k = 0; k < 4; ++k) {
        S const x = S(k);
        auto const link = w.add(rigid_body_of(solid_box(S(k == 3 ? 30 : 1), vec3<S>{S(1), S(0.1), S(0.2)}), pose<S>{{x + S(0.5), S(0), S(0)}, {}}));
        w.add(ball_joint<S>::at(w.pose(previous), w.pose(link), vec3<S>{x, S(0), S(0)}), previous, link);
        previous = link;
    }
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(w.step(S(1) / S(60)));
    return w.position(previous).y();
}
TEST(gradients_by_the_warm_start, are_there_at_its_default) {
    using D = dual<double, 1>;
    double const h = 1e-6, one = end_of_a_chain(1.0), wanted = (3 * one - 4 * end_of_a_chain(1 - h) + end_of_a_chain(1 - 2 * h)) / (2 * h);
    EXPECT_GT(std::abs(wanted), 5e-5);
    auto const found = end_of_a_chain(D::variable(1, 0));
    EXPECT_EQ(found.v, one);
    EXPECT_NEAR(found.d[0], wanted, 1e-5 * std::abs(wanted) + 1e-7);
}

}  // namespace
