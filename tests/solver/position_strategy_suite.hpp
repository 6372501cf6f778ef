#pragma once
// What every position-level strategy must do, written once. A strategy's test names itself and its tuning:
//
//   struct tuned {
//       using solver = sinew::jacobi;
//       static constexpr int converged = 400;                           // sweeps that solve a chain of three to rounding
//       template <class W> static void tune(W& w, int sweeps);
//       static constexpr double momentum = 1e-13;                       // relative drift of a free chain in 4 s
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(jacobi, position_strategy, testing::Types<tuned>);

#include "chain_theory.hpp"

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdio>
#include <random>
#include <vector>

namespace position_suite {

using sinew::vec3;

template <class Solver, class Scalar = double>
struct config : sinew::default_config {
    using scalar = Scalar;
    using solver = Solver;
};
template <class Solver>
struct static_config : config<Solver> {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 12, .constraints = 12, .particles = 6}>;
};

// ---- momentum of a tumbling chain of fifty bodies

struct momenta {
    double linear, angular, error;  // relative to the sums of the bodies' own, which is what rounding is relative to
    double energy;                  // J, at its most
};
template <class World, class Bind>
momenta drift_of_momentum(World& w, Bind&& bind, int bodies = 50) {
    w.gravity = {0, 0, 0};
    std::mt19937 random(11);
    std::uniform_real_distribution<> u(-1, 1);
    std::vector<typename World::body_handle> b;
    for (int i = 0; i < bodies; ++i) {
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
    double energy = 0;
    for (int i = 0; i < 240; ++i) {
        EXPECT_TRUE(w.step(1.0 / 60));
        energy = std::max(energy, w.energy());
    }
    return {norm(w.linear_momentum() - p) / sum_p, norm(w.angular_momentum() - l) / sum_l, w.constraint_error(), energy};
}

// ---- scenes

// `n` boxes of 1 kg and 1 m in a row from the origin, joined by balls.
template <class World>
std::vector<typename World::body_handle> add_chain(World& w, int n, double last_mass = 1) {
    using S = typename World::scalar_type;
    std::vector<typename World::body_handle> links;
    auto previous = w.ground();
    for (int i = 0; i < n; ++i) {
        auto box = sinew::solid_box(S(i + 1 == n ? last_mass : 1), vec3<S>{S(1), S(1) / 10, S(1) / 10});
        auto const link = w.add(rigid_body_of(box, typename World::pose_type{{S(i) + S(0.5), S(0), S(0)}}));
        w.add(sinew::ball_joint<S>{i == 0 ? vec3<S>{} : vec3<S>{S(0.5), S(0), S(0)}, {S(-0.5), S(0), S(0)}}, previous, link);
        links.push_back(link);
        previous = link;
    }
    return links;
}
// A binary tree of boxes that hangs from the ground.
template <class World>
void add_tree(World& w, int n) {
    using S = typename World::scalar_type;
    std::vector<typename World::body_handle> all;
    std::vector<vec3<S>> tips;
    for (int i = 0; i < n; ++i) {
        int const parent = (i - 1) / 2;
        vec3<S> const top = i == 0 ? vec3<S>{} : tips[static_cast<std::size_t>(parent)];
        int const depth = static_cast<int>(std::log2(i + 1));
        S const side = i == 0 ? S(0) : S((i % 2 == 0 ? 1 : -1) * 8) / S(1 << depth);
        vec3<S> const tip = top + vec3<S>{side, S(-1), S(0)};
        S const length = norm(tip - top);
        auto box = sinew::solid_box(S(1), vec3<S>{S(0.1), length, S(0.1)});
        auto const turn = sinew::rotation_about<sinew::quaternion<S>>({S(0), S(0), S(1)}, std::atan2(side, S(1)));
        auto const link = w.add(rigid_body_of(box, typename World::pose_type{(top + tip) * S(0.5), turn}));
        w.add(sinew::ball_joint<S>::at(i == 0 ? typename World::pose_type{} : w.pose(all[static_cast<std::size_t>(parent)]), w.pose(link), top),
              i == 0 ? w.ground() : all[static_cast<std::size_t>(parent)], link);
        all.push_back(link);
        tips.push_back(tip);
    }
}

template <class W>
bool same_bits(W const& a, W const& b) {
    auto const x = a.save(), y = b.save();
    bool same = x.bodies.size() == y.bodies.size() && x.multipliers.size() == y.multipliers.size();
    for (std::size_t i = 0; same && i < x.bodies.size(); ++i) same = x.bodies[i] == y.bodies[i];
    for (std::size_t i = 0; same && i < x.particles.size(); ++i) same = x.particles[i] == y.particles[i];
    for (std::size_t i = 0; same && i < x.multipliers.size(); ++i) same = x.multipliers[i] == y.multipliers[i];
    return same;
}

// A puck on a table: normal row, and a friction row bounded by the normal force.
template <class S>
struct table_contact {
    static constexpr std::size_t rows = 2;
    using attachments = sinew::binds<sinew::point_mass>;
    S mu = S(0.5);
    constexpr auto rate(auto const&, auto const& v) const { return sinew::vec{v.linear.y(), v.linear.x()}; }
    constexpr sinew::bounds<S, 2> limits(sinew::vec<S, 2> const& lambda, auto const&) const {
        S const f = mu * sinew::max(lambda[0], S(0));
        return {{S(0), -f}, {sinew::infinity_v<S>, f}};
    }
};
// Dry friction in a plane: two rows that share one bound, a disc.
template <class S>
struct disc_friction {
    static constexpr std::size_t rows = 2;
    using attachments = sinew::binds<sinew::point_mass>;
    S max_force = S(3);
    constexpr auto rate(auto const&, auto const& v) const { return sinew::vec{v.linear.x(), v.linear.z()}; }
    constexpr auto update(sinew::vec<S, 2> const&, sinew::vec<S, 2> const& proposed, auto const&) const {
        return proposed * (max_force / sinew::max(sinew::norm(proposed), max_force));
    }
};

struct reference_config : sinew::default_config {
    using scalar = double;
    using integrator = sinew::rk4;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};
// Where the ends of three links are after a second.
template <class Config, class Tune>
vec3<double> three_links(int steps, Tune&& tune) {
    sinew::world<Config, sinew::ball_joint> w;
    auto const links = add_chain(w, 3);
    tune(w);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(1.0 / steps));
    return w.pose(links.back()).point(vec3<double>{0.5, 0, 0});
}

}  // namespace position_suite

template <class Tuned>
class position_strategy : public testing::Test {
public:
    using solver = typename Tuned::solver;
    using config = position_suite::config<solver>;
};
TYPED_TEST_SUITE_P(position_strategy);

TYPED_TEST_P(position_strategy, rests_at_m_g_alpha) {
    using namespace position_suite;
    for (double rate : {60.0, 240.0}) {
        sinew::world<typename TestFixture::config, sinew::particle_spring_damper, sinew::spring_damper> w;
        auto const top = w.add_fixed_particle({0, 1, 0}), mass = w.add(sinew::particle<double>{2, {0, 0, 0}, {}});
        auto const soft = w.add(sinew::particle_spring_damper<double>{.rest_length = 1, .spring_rate = 1000, .damper_rate = 40}, top, mass);
        sinew::rigid_body<double> b;
        b.mass = 3;
        b.inertia = sinew::diagonal(0.1, 0.2, 0.3);
        b.pose.position = {5, 0, 0};
        auto const body = w.add(b);
        w.add(sinew::spring_damper<double>{.anchor_a = {5, 1, 0}, .rest_length = 1, .spring_rate = 500, .damper_rate = 40}, w.ground(), body);
        TypeParam::tune(w, TypeParam::converged);
        for (int i = 0; i < static_cast<int>(12 * rate); ++i) ASSERT_TRUE(w.step(1 / rate));
        EXPECT_NEAR(-w.position(mass).y() / (2 * -w.gravity.y() / 1000), 1.0, 1e-6);
        EXPECT_NEAR(w.multipliers(soft)[0] / (2 * w.gravity.y()), 1.0, 1e-6);  // tension
        EXPECT_NEAR(-w.position(body).y() / (3 * -w.gravity.y() / 500), 1.0, 1e-6);
    }
}

TYPED_TEST_P(position_strategy, a_rope_pulls_only_when_taut) {
    using namespace position_suite;
    sinew::world<typename TestFixture::config, sinew::particle_rope> w;
    auto const top = w.add_fixed_particle({0, 0, 0}), mass = w.add(sinew::particle<double>{2, {0, -0.5, 0}, {}}), free = w.add(sinew::particle<double>{2, {1, -0.5, 0}, {}});
    auto const rope = w.add(sinew::particle_rope<double>{.length = 1}, top, mass);
    TypeParam::tune(w, TypeParam::converged);
    while (w.position(free).y() > -0.95) {
        ASSERT_TRUE(w.step(1.0 / 240));
        EXPECT_EQ(w.position(mass).y(), w.position(free).y());
        EXPECT_EQ(w.multipliers(rope)[0], 0);
    }
    for (int i = 0; i < 960; ++i) {
        ASSERT_TRUE(w.step(1.0 / 240));
        ASSERT_GE(w.multipliers(rope)[0], 0);
    }
    EXPECT_NEAR(w.position(mass).y(), -1, TypeParam::hard_error);
    EXPECT_NEAR(w.multipliers(rope)[0] / (2 * -w.gravity.y()), 1, 1e-3);
    // Thrown up, it is not held back by the slack rope.
    w.set_velocity(mass, {0, 1, 0});
    ASSERT_TRUE(w.step(1.0 / 240));
    EXPECT_NEAR(w.velocity(mass).y(), 1 + w.gravity.y() / 240, 0.05);
}

TYPED_TEST_P(position_strategy, friction_is_bounded_by_the_normal_force) {
    using namespace position_suite;
    sinew::world<typename TestFixture::config, table_contact> w;
    auto const puck = w.add(sinew::particle<double>{2, {0, 0, 0}, {5, 0, 0}});
    auto const contact = w.add(table_contact<double>{}, puck);
    TypeParam::tune(w, TypeParam::converged);
    double const g = -w.gravity.y(), h = 1.0 / 240;
    // 5 m/s at mu g: 1.02 s (the reference table's 2.548 m).
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(w.step(h));
        EXPECT_LE(std::abs(w.multipliers(contact)[1]), 0.5 * w.multipliers(contact)[0] * (1 + 1e-9));
    }
    EXPECT_NEAR(w.multipliers(contact)[0] / (2 * g), 1, 1e-3);
    EXPECT_NEAR((5 - w.velocity(puck).x()) / (0.5 * g * 200 * h), 1, 1e-2);
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(w.step(h));
    EXPECT_LT(std::abs(w.velocity(puck).x()), 1e-3);
    EXPECT_NEAR(w.position(puck).x(), 2.54841997961264, 0.02);
}
TYPED_TEST_P(position_strategy, a_constraint_may_have_its_own_rule) {
    using namespace position_suite;
    for (double heading : {0.0, 0.3, 0.8, 2.0}) {
        sinew::world<typename TestFixture::config, disc_friction> w;
        w.gravity = {0, 0, 0};
        vec3<double> const start{5 * std::cos(heading), 0, 5 * std::sin(heading)};
        auto const p = w.add(sinew::particle<double>{2, {0, 0, 0}, start});
        auto const friction = w.add(disc_friction<double>{}, p);
        TypeParam::tune(w, TypeParam::converged);
        ASSERT_TRUE(w.step(0.01));
        EXPECT_NEAR(norm(w.velocity(p) - start) * 2 / 0.01, 3, 1e-6);  // the same in every direction
        EXPECT_LE(norm(w.multipliers(friction)), 3 * (1 + 1e-12));
        for (int i = 0; i < 400; ++i) ASSERT_TRUE(w.step(0.01));
        EXPECT_LT(norm(w.velocity(p)), 1e-6);
        EXPECT_NEAR(norm(w.position(p)), 25 / (2 * 1.5), 0.1);
    }
}

// Nothing but the world's state goes from step to step.
TYPED_TEST_P(position_strategy, restored_and_copied_worlds_step_to_the_same_bits) {
    using namespace position_suite;
    using world_type = sinew::world<typename TestFixture::config, sinew::ball_joint, sinew::spring_damper, sinew::rope>;
    world_type w;
    auto const links = add_chain(w, 6);
    w.add(sinew::spring_damper<double>{.anchor_a = {3, 1, 0}, .rest_length = 0.5, .spring_rate = 300, .damper_rate = 3}, w.ground(), links[2]);
    w.add(sinew::rope<double>{.length = 5}, w.ground(), links[5]);
    TypeParam::tune(w, 12);
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    auto const state = w.save();
    world_type copy = w;
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(copy.step(1.0 / 60));
    EXPECT_TRUE(same_bits(w, copy));
    world_type other = w;
    ASSERT_TRUE(w.restore(state));
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    EXPECT_TRUE(same_bits(w, other));
    EXPECT_EQ(w.solver, other.solver);
}
// What was built of bodies and constraints is built anew when they change; a removal moves others into the gap.
TYPED_TEST_P(position_strategy, follows_what_is_added_and_removed) {
    using namespace position_suite;
    using world_type = sinew::world<typename TestFixture::config, sinew::ball_joint, sinew::spring_damper>;
    world_type w;
    auto const links = add_chain(w, 6);
    TypeParam::tune(w, 200);
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    world_type copy = w;
    ASSERT_TRUE(copy.remove(links[5]));
    ASSERT_TRUE(copy.remove(links[4]));
    auto const spring = copy.add(sinew::spring_damper<double>{.anchor_a = {2, -2, 0}, .rest_length = 0.5, .spring_rate = 300, .damper_rate = 3}, copy.ground(), links[3]);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(copy.step(1.0 / 60));
    EXPECT_LT(copy.constraint_error(), 0.02);
    EXPECT_NE(copy.multipliers(spring)[0], 0);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    EXPECT_LT(w.constraint_error(), 0.02);
}
TYPED_TEST_P(position_strategy, runs_in_static_storage_to_the_same_bits) {
    using namespace position_suite;
    sinew::world<typename TestFixture::config, sinew::ball_joint> a;
    sinew::world<static_config<typename TestFixture::solver>, sinew::ball_joint> b;
    auto const x = add_chain(a, 12), y = add_chain(b, 12);
    TypeParam::tune(a, 10);
    TypeParam::tune(b, 10);
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(a.step(1.0 / 60));
        ASSERT_TRUE(b.step(1.0 / 60));
    }
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(a.pose(x[i]), b.pose(y[i]));
}

template <class World, class Tuned>
void run_long(World& w, int steps, double worst, char const* name) {
    using S = typename World::scalar_type;
    Tuned::tune(w, 20);
    double most = 0, error = 0;
    for (int i = 0; i < steps; ++i) {
        ASSERT_TRUE(w.step(S(1) / 60)) << name << " step " << i;
        w.for_each_body([&](auto h) { most = std::max(most, static_cast<double>(norm(w.twist(h).linear))); });
        error = std::max(error, static_cast<double>(w.constraint_error()));
    }
    std::printf("%s: joints apart %.1e m at most, fastest body %.1f m/s\n", name, error, most);
    EXPECT_LT(error, worst);
    EXPECT_LT(most, 80);  // 2 sqrt(g L) is 35 m/s for the chain of 32 m
}
TYPED_TEST_P(position_strategy, long_runs_stay_together) {
    using namespace position_suite;
    using S = typename TestFixture::solver;
    sinew::world<config<S, float>, sinew::ball_joint> chain;
    add_chain(chain, 32);
    run_long<decltype(chain), TypeParam>(chain, 1800, TypeParam::loose, "chain of 32, float, 30 s");
    sinew::world<config<S, double>, sinew::ball_joint> tree;
    add_tree(tree, 127);
    run_long<decltype(tree), TypeParam>(tree, 600, TypeParam::loose, "tree of 127, double, 10 s");
}

// Run to convergence it is of first order: the difference to the fourth-order solution at acceleration level halves with the step.
TYPED_TEST_P(position_strategy, converges_to_the_equations_of_motion) {
    using namespace position_suite;
    auto const exact = three_links<reference_config>(4000, [](auto&) {});
    double previous = 0;
    for (int steps : {500, 1000, 2000}) {
        auto const x = three_links<typename TestFixture::config>(steps, [](auto& w) { TypeParam::tune(w, TypeParam::converged); });
        double const error = norm(x - exact);
        std::printf("three links, h = 1/%d: %.3e m from the reference\n", steps, error);
        if (steps == 2000) {
            EXPECT_NEAR(previous / error, 2, 0.25);
        }
        previous = error;
    }
    EXPECT_LT(previous, 0.05);
}
TYPED_TEST_P(position_strategy, keeps_momentum) {
    using namespace position_suite;
    sinew::world<typename TestFixture::config, sinew::scalar_point_to_point, sinew::distance> w;
    TypeParam::tune(w, 20);
    auto const d = drift_of_momentum(w, [](auto& world, auto const& b) {
        for (std::size_t i = 1; i < b.size(); ++i) {
            world.add(sinew::scalar_point_to_point<double>{{0.35, 0, 0}, {-0.35, 0, 0}}, b[i - 1], b[i]);
            if (i > 5 && i % 3 == 0) world.add(sinew::distance<double>{.anchor_a = {0, 0.1, 0}, .anchor_b = {0, 0, 0.1}, .length = 2.5}, b[i - 4], b[i]);
        }
    });
    std::printf("momentum of fifty bodies in 4 s: linear %.1e, angular %.1e relative, joints apart %.1e m, at most %.1e J\n", d.linear, d.angular, d.error, d.energy);
    EXPECT_LT(d.linear, TypeParam::momentum);
    EXPECT_LT(d.angular, TypeParam::momentum);
    // The joints start some 0.7 m apart. 75 kg that go by that in one step have 0.5 * 75 * 42^2 = 7e4 J; fifteen times that is far from the 1e8 J of a descent
    // that trusts the forces of a solve that has not converged.
    EXPECT_LT(d.energy, 1e6);
}

// Nothing acts along a rope over two wheels with the same weight on both sides: only what the sweeps have left undone moves it.
TYPED_TEST_P(position_strategy, equal_weights_over_a_pulley_stay_where_they_are) {
    sinew::world<typename TestFixture::config, sinew::pulley> w;
    auto const hung = [&](double x) { return w.add(rigid_body_of(sinew::solid_box(1.0, sinew::vec3<double>{1, 0.5, 0.75}), sinew::pose<double>{{x, 0, 0}})); };
    auto const a = hung(0), b = hung(3);
    w.add(sinew::pulley<double>{.wheel_a = {0, 10, 0}, .wheel_b = {3, 10, 0}, .length = 20}, a, b, w.ground());
    if constexpr (std::same_as<typename TestFixture::solver, sinew::vertex_block_descent>) w.solver.warm_start = 1;
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    for (auto const h : {a, b}) EXPECT_LT(norm(w.twist(h).linear), 0.15);
}

REGISTER_TYPED_TEST_SUITE_P(position_strategy, equal_weights_over_a_pulley_stay_where_they_are, rests_at_m_g_alpha, a_rope_pulls_only_when_taut, friction_is_bounded_by_the_normal_force,
                            a_constraint_may_have_its_own_rule, restored_and_copied_worlds_step_to_the_same_bits, follows_what_is_added_and_removed,
                            runs_in_static_storage_to_the_same_bits, long_runs_stay_together, converges_to_the_equations_of_motion, keeps_momentum);
