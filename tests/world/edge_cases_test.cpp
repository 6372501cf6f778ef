// Cases that were wrong once, or that are easily got wrong.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace {

using sinew::vec3;

struct double_config : sinew::default_config {
    using scalar = double;
    using solver = sinew::nonlinear_gauss_seidel;
};
template <class Integrator>
struct direct_config : double_config {
    using integrator = Integrator;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};
template <class S>
using soft_rod = sinew::soft_joint<S, sinew::particle_distance>;
template <class S>
using soft_rope = sinew::soft_joint<S, sinew::particle_rope>;
struct quiet_config : double_config {
    using errors = sinew::null_errors;
};

// A free chain that spins fast, far from solved: angular momentum given back joint by joint would feed on itself.
TEST(free_chain, does_not_gain_energy_by_giving_momentum_back) {
    sinew::world<double_config, sinew::ball_joint> w;
    w.gravity = {0, 0, 0};
    w.solver.iterations = 20;
    vec3<double> const omega{0, 0, 30};
    std::optional<decltype(w)::body_handle> previous;
    for (int i = 0; i < 8; ++i) {
        vec3<double> const x{0.1 * i - 0.35, 0, 0};
        auto b = rigid_body_of(sinew::solid_box(0.1, vec3<double>{0.1, 0.02, 0.02}), sinew::pose<double>{x});
        b.twist = {cross(omega, x), omega};
        auto const h = w.add(b);
        if (previous) w.add(sinew::ball_joint<double>::at(w.pose(*previous), w.pose(h), x - vec3<double>{0.05, 0, 0}), *previous, h);
        previous = h;
    }
    double const energy = w.kinetic_energy();
    for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(w.step(1.0 / 60)) << i;
        ASSERT_LT(w.kinetic_energy(), 1.5 * energy) << i;
    }
}

// A weld mixes rows of 1/kg with rows of 1/(kg m^2): for a body of a millimetre they are 1e6 apart.
TEST(small_bodies, stay_welded_in_float) {
    for (float size : {1.0f, 0.01f, 0.001f}) {
        sinew::world<sinew::default_config, sinew::weld_joint> w;
        auto const b = w.add(rigid_body_of(sinew::solid_box(sinew::of_density(1000.0f), vec3<float>{size, size, size}), sinew::pose<float>{}));
        w.add(sinew::weld_joint<float>::at(w.pose(w.ground()), w.pose(b), vec3<float>{0.0f, 0.0f, 0.0f}), w.ground(), b);
        for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(1.0f / 60));
        // The soft step's joints give way by g / omega^2.
        float const share = std::min(w.solver.joint_hertz_share, sinew::bearable_hertz_share<float>(w.solver.iterations + w.solver.relaxing_iterations));
        float const omega = 2 * sinew::pi_v<float> * share * static_cast<float>(w.solver.substeps) * 60;
        EXPECT_LT(norm(w.position(b)), 9.81f / (omega * omega) * 1.01f + 1e-3f * size) << size;
    }
}

// At its solution the Jacobian of the scalar form is 0; its wrench is still that with which it acted.
TEST(moving_normal, shows_its_wrench_and_breaks) {
    sinew::world<double_config, sinew::scalar_point_to_point> w;
    auto const b = w.add(rigid_body_of(sinew::solid_sphere(2.0, 0.1), sinew::pose<double>{}));
    auto const joint = w.add(sinew::scalar_point_to_point<double>::at(w.pose(w.ground()), w.pose(b), vec3<double>{0, 0, 0}), w.ground(), b);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    EXPECT_NEAR(norm(w.wrench_on(joint, 1).force), 2 * 9.81, 1e-6);
    EXPECT_NEAR(norm(w.wrench_on(joint, 0).force + w.wrench_on(joint, 1).force), 0, 1e-9);
    w.set_break_threshold(joint, 25.0);
    EXPECT_EQ(w.step(1.0 / 60).broken, 0u);
    w.set_break_threshold(joint, 15.0);
    EXPECT_EQ(w.step(1.0 / 60).broken, 1u);
    EXPECT_FALSE(w.contains(joint));
}
TEST(breaking, sees_every_substep) {
    sinew::world<double_config, sinew::ball_joint> w;
    w.gravity = {0, 0, 0};
    w.solver.substeps = 4;
    auto const b = w.add(rigid_body_of(sinew::solid_sphere(1.0, 0.1), sinew::pose<double>{}));
    w.set_twist(b, {{10, 0, 0}, {0, 0, 0}});  // stopped dead in the first substep: 2400 N
    auto const joint = w.add(sinew::ball_joint<double>::at(w.pose(w.ground()), w.pose(b), vec3<double>{0, 0, 0}), w.ground(), b);
    w.set_break_threshold(joint, 1000.0);
    EXPECT_EQ(w.step(1.0 / 60).broken, 1u);
}

// A link hung on a rotor that turns by itself: the stages must see the rotor where it is at their time.
template <class Integrator>
double error_on_a_rotor(int steps) {
    auto const run = [](int n) {
        sinew::world<direct_config<Integrator>, sinew::ball_joint> w;
        auto const rotor = w.add_fixed({{0, 0, 0}, {}}, {{0.2, 0, 0}, {0, 0, 3}});
        auto const link = w.add(rigid_body_of(sinew::solid_box(1.0, vec3<double>{1, 0.2, 0.1}), sinew::pose<double>{{1.5, 0, 0}}));
        w.set_twist(link, {vec3<double>{0.2, 4.5, 0}, {0, 0, 3}});
        w.add(sinew::ball_joint<double>::at(w.pose(rotor), w.pose(link), vec3<double>{1, 0, 0}), rotor, link);
        for (int i = 0; i < n; ++i) EXPECT_TRUE(w.step(0.5 / n));
        EXPECT_NEAR(w.position(rotor).x(), 0.1, 1e-12);
        return w.position(link);
    };
    return norm(run(steps) - run(16 * steps));
}
TEST(kinematic_bodies, do_not_lower_the_order) {
    EXPECT_NEAR(std::log2(error_on_a_rotor<sinew::rk4>(32) / error_on_a_rotor<sinew::rk4>(64)), 4, 0.3);
    EXPECT_NEAR(std::log2(error_on_a_rotor<sinew::midpoint>(128) / error_on_a_rotor<sinew::midpoint>(256)), 2, 0.2);
}
template <class Config>
void expect_moving_particle() {
    sinew::world<Config> w;
    auto const p = w.add_fixed_particle({1, 0, 0});
    w.set_velocity(p, {2, 0, 1});
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(w.step(0.1));
    EXPECT_NEAR(norm(w.position(p) - vec3<double>{3, 0, 1}), 0, 1e-12);
    EXPECT_EQ(w.velocity(p), (vec3<double>{2, 0, 1}));
}
TEST(kinematic_particles, move_by_their_velocity) {
    expect_moving_particle<double_config>();
    expect_moving_particle<direct_config<sinew::rk4>>();
}

// Regularisation is a compliance; the ball joint's closed form does not know of it.
TEST(regularization, gives_way_as_a_compliance_does) {
    double const epsilon = 0.5, h = 0.01;
    sinew::world<double_config, sinew::ball_joint> w;
    w.solver.regularization = epsilon;
    auto const b = w.add(rigid_body_of(sinew::solid_sphere(2.0, 0.1), sinew::pose<double>{}));
    auto const joint = w.add(sinew::ball_joint<double>::at(w.pose(w.ground()), w.pose(b), vec3<double>{0, 0, 0}), w.ground(), b);
    ASSERT_TRUE(w.step(h));
    // One step from rest: (1/m + epsilon) p = g h^2
    EXPECT_NEAR(norm(w.multipliers(joint)), 9.81 / (0.5 + epsilon), 1e-9);
}

// A loaded spring holds with its stretch; that is no error.
TEST(residual, leaves_out_what_compliance_allows) {
    using soft = soft_rod<double>;
    sinew::world<double_config, soft_rod> w;
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const p = w.add(sinew::particle<double>{1, {0, -1, 0}, {}});
    w.add(soft::with(sinew::particle_distance<double>::at(sinew::particle_pose<double>{}, sinew::particle_pose<double>{{0, -1, 0}}, {}, {}), 0.01, 10.0), top, p);
    sinew::step_report<double> report;
    for (int i = 0; i < 2000; ++i) report = w.step(0.01);
    EXPECT_NEAR(w.position(p).y(), -1 - 0.0981, 1e-4);
    EXPECT_LT(report.residual, 1e-9);
}

TEST(restore, refuses_a_world_whose_contents_changed) {
    sinew::world<quiet_config, sinew::ball_joint> w;
    auto const a = w.add(sinew::rigid_body<double>{}), b = w.add(sinew::rigid_body<double>{});
    auto const saved = w.save();
    auto const other = w;
    w.remove(a);
    EXPECT_FALSE(w.restore(saved));
    (void)w.add(sinew::rigid_body<double>{});  // in the same slot
    EXPECT_FALSE(w.restore(saved));
    EXPECT_EQ(w.last_error().code, sinew::errc::mismatch);
    w = other;
    EXPECT_TRUE(w.restore(saved));
    w.add(sinew::ball_joint<double>{}, a, b);
    EXPECT_FALSE(w.restore(saved));
}
// Two copies that each got a joint of another type in the same slot have other rows.
TEST(restore, knows_the_types_that_were_added) {
    sinew::world<quiet_config, sinew::ball_joint, sinew::hinge_joint> w;
    auto const a = w.add(sinew::rigid_body<double>{});
    auto other = w;
    EXPECT_TRUE(w.add(sinew::hinge_joint<double>{}, w.ground(), a));
    EXPECT_TRUE(other.add(sinew::ball_joint<double>{}, other.ground(), a));
    auto const before = w;
    EXPECT_FALSE(w.restore(other.save()));
    EXPECT_TRUE(w == before);
    EXPECT_TRUE(w.restore(w.save()));
}
TEST(restore, forgets_forces_of_the_step_that_did_not_come) {
    sinew::world<quiet_config> w;
    w.gravity = {0, 0, 0};
    auto const b = w.add(sinew::rigid_body<double>{});
    auto const saved = w.save();
    w.apply_force(b, {100, 0, 0}, {0, 0, 0});
    ASSERT_TRUE(w.restore(saved));
    ASSERT_TRUE(w.step(0.01));
    EXPECT_EQ(w.twist(b).linear, (vec3<double>{0, 0, 0}));
}

TEST(handles, of_an_earlier_world_at_the_same_place_are_foreign) {
    sinew::world<quiet_config>::body_handle first;
    for (int round = 0; round < 2; ++round) {
        sinew::world<quiet_config> w;
        auto const h = w.add(sinew::rigid_body<double>{});
        if (round == 0) first = h;
        EXPECT_TRUE(w.contains(h));
        EXPECT_EQ(w.contains(first), round == 0);
    }
}
// Global worlds without a heap are made by the compiler, and yet are two.
struct tiny_config : quiet_config {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 2}>;
};
sinew::world<tiny_config> one_world, other_world;
TEST(handles, of_global_worlds_are_told_apart) {
    auto const ground = one_world.ground();
    auto const a = one_world.add(sinew::rigid_body<double>{}), b = other_world.add(sinew::rigid_body<double>{});
    EXPECT_TRUE(one_world.contains(a));
    EXPECT_FALSE(one_world.contains(b));
    EXPECT_FALSE(other_world.contains(a));
    EXPECT_TRUE(one_world.contains(ground));
    EXPECT_TRUE(one_world.contains(one_world.ground()));
}

TEST(handles, of_a_force_added_first_stay_good) {
    sinew::world<quiet_config, sinew::uniform_gravity> w;
    auto const wind = w.add(sinew::uniform_gravity<double>{{1, 0, 0}});
    (void)w.add(sinew::rigid_body<double>{});
    EXPECT_TRUE(w.contains(wind));
    EXPECT_TRUE(w.remove(wind));
}

TEST(comparison, sees_tuning_numbers) {
    sinew::world<double_config, sinew::ball_joint> a;
    auto b = a;
    EXPECT_TRUE(a == b);
    b.solver.iterations = 11;
    EXPECT_FALSE(a == b);
    b = a;
    b.gyroscopic = sinew::gyroscopic_term::none;
    EXPECT_FALSE(a == b);
}

// 1/60 is no float, and neither is a sum of a million of them.
TEST(time, does_not_drift_in_float) {
    sinew::world<sinew::default_config> w;
    int const steps = 5 * 3600 * 60;
    for (int i = 0; i < steps; ++i) (void)w.step(1.0f / 60);
    EXPECT_NEAR(w.time(), 18000.0f, 0.01f);
}

TEST(energy, of_a_slack_soft_rope_is_nothing) {
    sinew::world<double_config, soft_rope> w;
    w.gravity = {0, 0, 0};
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const p = w.add(sinew::particle<double>{1, {0, -1, 0}, {}});
    auto rope = sinew::particle_rope<double>{.length = 3};
    auto const slack = w.add(soft_rope<double>::with(rope, 1e-3), top, p);
    EXPECT_EQ(w.potential_energy(), 0);
    rope.length = 0.9;
    ASSERT_TRUE(w.set(slack, soft_rope<double>::with(rope, 1e-3)));
    EXPECT_NEAR(w.potential_energy(), 0.1 * 0.1 / 1e-3 / 2, 1e-12);
}

// Any spin, in long steps: the step of the rotation is divided where the implicit equation has no solution.
TEST(free_motion, keeps_energy_and_momentum_at_any_spin) {
    for (double turn : {0.5, 2.2, 2.6, 3.0, 10.0, 60.0}) {  // rad in a step
        sinew::world<double_config> w;
        w.gravity = {0, 0, 0};
        sinew::rigid_body<double> b;
        b.inertia = sinew::diagonal(1.0, 2.0, 3.0);
        b.twist.angular = 60 * turn * normalize(vec3<double>{0.3, 0.9, 0.3});
        w.add(b);
        double const energy = w.energy();
        auto const momentum = w.angular_momentum();
        for (int i = 0; i < 600; ++i) ASSERT_TRUE(w.step(1.0 / 60));
        EXPECT_NEAR(w.energy() / energy, 1, 1e-11) << turn;
        EXPECT_LT(norm(w.angular_momentum() - momentum) / norm(momentum), 1e-11) << turn;
    }
}

// What is not a number inside a user's type is found when it is added.
template <class S>
struct bounded_by {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::point_mass>;
    S bound{};
    constexpr auto error(auto const& a) const { return a.position.y(); }
    constexpr sinew::bounds<S, 1> limits() const { return {{-bound}, {bound}}; }
    friend constexpr bool operator==(bounded_by const&, bounded_by const&) = default;
};
template <class S>
struct wind {
    S strength{};
    constexpr sinew::wrench<S> wrench_on(auto const&, S const&) const { return {{strength, S(0), S(0)}, {}}; }
    friend constexpr bool operator==(wind const&, wind const&) = default;
};
TEST(types_of_ones_own, are_refused_with_what_is_not_a_number) {
    sinew::world<quiet_config, bounded_by, wind> w;
    auto const p = w.add(sinew::particle<double>{1, {0, 0, 0}, {}});
    auto const before = w;
    EXPECT_FALSE(w.add(bounded_by<double>{NAN}, p));
    EXPECT_FALSE(w.add(bounded_by<double>{-1}, p));
    EXPECT_FALSE(w.add(wind<double>{NAN}));
    EXPECT_TRUE(w == before);
    EXPECT_TRUE(w.add(bounded_by<double>{1}, p));
    EXPECT_TRUE(w.add(wind<double>{1}));
}

// Few rows of many types: the dense matrix has the size that is asked for, and more rows are refused.
struct few_rows : quiet_config {
    using integrator = sinew::rk4;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
    using storage = sinew::static_storage<sinew::capacities{.bodies = 3, .constraints = 3, .rows = 8}>;
};
struct all_rows : few_rows {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 3, .constraints = 3}>;
};
TEST(static_storage, can_be_told_how_many_rows) {
    using world_type = sinew::world<few_rows, sinew::ball_joint, sinew::hinge_joint, sinew::weld_joint>;
    // 3 (3 + 5 + 6) rows at most, or 8.
    static_assert(sizeof(world_type) + (42 * 42 - 8 * 8) * sizeof(double) < sizeof(sinew::world<all_rows, sinew::ball_joint, sinew::hinge_joint, sinew::weld_joint>));
    world_type w;
    auto const a = w.add(sinew::rigid_body<double>{}), b = w.add(sinew::rigid_body<double>{});
    EXPECT_TRUE(w.add(sinew::ball_joint<double>{}, w.ground(), a));
    auto const hinge = w.add(sinew::hinge_joint<double>{}, a, b);
    EXPECT_TRUE(hinge);
    EXPECT_FALSE(w.add(sinew::ball_joint<double>{}, w.ground(), b));
    EXPECT_EQ(w.last_error().code, sinew::errc::full);
    EXPECT_TRUE(w.step(0.01));
    EXPECT_TRUE(w.remove(hinge));
    EXPECT_TRUE(w.add(sinew::ball_joint<double>{}, w.ground(), b));
}

}  // namespace
