// Sequential impulses and soft step: momentum, convergence as theory says, springs, bounds, friction, hits, and what the chains reach.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace {

using sinew::vec3;

template <class S, template <class> class R = sinew::quaternion>
struct config : sinew::default_config {
    using scalar = S;
    template <class T>
    using rotation = R<T>;
    using solver = sinew::sequential_impulses;
};

template <class Config>
struct with_rk4 : Config {
    using integrator = sinew::rk4;
};

template <class W>
void plain(W& w, int iterations) {
    w.solver.substeps = 1;
    w.solver.iterations = iterations;
    w.solver.relaxing_iterations = 0;
}

template <class W>
auto add_box(W& w, vec3<double> const& at, vec3<double> const& size = {0.5, 0.1, 0.1}, double mass = 1) {
    using S = typename W::scalar_type;
    return w.add(rigid_body_of(sinew::solid_box(S(mass), vec3<S>{S(size[0]), S(size[1]), S(size[2])}), typename W::pose_type{{S(at[0]), S(at[1]), S(at[2])}}));
}
template <class W>
void join(W& w, typename W::body_handle a, typename W::body_handle b, vec3<double> const& at) {
    using S = typename W::scalar_type;
    w.add(sinew::ball_joint<S>::at(w.pose(a), w.pose(b), {S(at[0]), S(at[1]), S(at[2])}), a, b);
}

// Boxes from the horizontal, as in the harness of the engines' comparison.
template <class W>
std::vector<typename W::body_handle> hang_chain(W& w, int links) {
    std::vector<typename W::body_handle> all;
    auto previous = w.ground();
    for (int i = 0; i < links; ++i) {
        all.push_back(add_box(w, {0.25 + 0.5 * i, 0, 0}));
        join(w, previous, all.back(), {0.5 * i, 0, 0});
        previous = all.back();
    }
    return all;
}
template <class W>
void hang_tree(W& w) {
    std::vector<typename W::body_handle> id;
    std::vector<vec3<double>> end;
    for (int i = 0; i < 127; ++i) {
        auto const parent = static_cast<std::size_t>((i - 1) / 2);
        vec3<double> const a = i > 0 ? end[parent] : vec3<double>{0, 0, 0};
        double const angle = i > 0 ? ((i & 1) != 0 ? 0.4 : -0.4) : 0;
        vec3<double> const along{std::cos(angle), 0, std::sin(angle)};
        end.push_back(a + 0.5 * along);
        id.push_back(add_box(w, a + 0.25 * along));
        join(w, i > 0 ? id[parent] : w.ground(), id.back(), a);
    }
}

struct separation {
    double worst = 0, squares = 0;
    long count = 0;
    [[nodiscard]] double rms() const { return std::sqrt(squares / static_cast<double>(count)); }
};
template <class W>
void measure(W const& w, separation& s) {
    using S = typename W::scalar_type;
    w.template for_each<sinew::ball_joint<S>>([&](auto h) {
        auto const c = w.error_of(h);
        double const d2 = std::pow(double(c[0]), 2) + std::pow(double(c[1]), 2) + std::pow(double(c[2]), 2);
        s.worst = std::max(s.worst, std::sqrt(d2));
        s.squares += d2;
        ++s.count;
    });
}


template <class Config>
class sequential_impulses : public testing::Test {};
using configs = testing::Types<config<float>, config<double>, config<double, sinew::rotation_matrix>, config<double, sinew::rotation_vector>>;
TYPED_TEST_SUITE(sequential_impulses, configs);

// ---- momentum

TYPED_TEST(sequential_impulses, keep_momentum_where_the_joints_hold) {
    using S = typename TypeParam::scalar;
    sinew::world<TypeParam, sinew::ball_joint, sinew::hinge_joint> w;
    w.gravity = {};
    std::vector<typename decltype(w)::body_handle> bodies;
    for (int i = 0; i < 6; ++i) bodies.push_back(add_box(w, {0.25 + 0.5 * i, 0, 0}, {0.5, 0.1, 0.2}, 1 + 0.3 * i));
    for (int i = 0; i < 4; ++i) join(w, bodies[std::size_t(i)], bodies[std::size_t(i) + 1], {0.5 + 0.5 * i, 0, 0});
    w.add(sinew::hinge_joint<S>::at(w.pose(bodies[4]), w.pose(bodies[5]), {S(2.5), 0, 0}, {0, 0, 1}), bodies[4], bodies[5]);
    std::mt19937 random(3);
    auto const number = [&] { return S(std::uniform_real_distribution<>(-2, 2)(random)); };
    for (auto b : bodies) w.set_twist(b, {{number(), number(), number()}, {number(), number(), number()}});
    plain(w, 10);
    auto const p = w.linear_momentum(), l = w.angular_momentum();
    w.step(S(1) / 60);
    S const tiny = 100 * sinew::epsilon_v<S>;
    EXPECT_LT(norm(w.linear_momentum() - p), tiny * 10);
    EXPECT_LT(norm(w.angular_momentum() - l), tiny * 10);
    // Later the points of a joint are apart by what a step leaves, and with them the angular momentum; never the linear one.
    w.solver = {};
    for (int i = 0; i < 200; ++i) w.step(S(1) / 60);
    EXPECT_LT(norm(w.linear_momentum() - p), tiny * 100);
    EXPECT_LT(norm(w.angular_momentum() - l), S(0.05) * norm(l));
}

TYPED_TEST(sequential_impulses, carry_the_weight_of_a_hanging_chain) {
    using S = typename TypeParam::scalar;
    auto const sag = [](S warm_start) {
        sinew::world<TypeParam, sinew::ball_joint> w;
        auto previous = w.ground();
        for (int i = 0; i < 10; ++i) {
            auto const b = add_box(w, {0, -0.25 - 0.5 * i, 0}, {0.1, 0.5, 0.1});
            join(w, previous, b, {0, -0.5 * i, 0});
            previous = b;
        }
        w.solver.warm_start = warm_start;
        for (int i = 0; i < 240; ++i) w.step(S(1) / 60);
        // Every joint pulls up what hangs below it.
        if (warm_start == S(1)) {
            int below = 10;
            w.template for_each<sinew::ball_joint<S>>([&](auto h) { EXPECT_NEAR(std::abs(double(w.multipliers(h)[1])), 9.81 * below--, 0.02); });
        }
        separation s;
        measure(w, s);
        return s.worst;
    };
    EXPECT_LT(sag(1), 1e-3);
    EXPECT_GT(sag(0), 1.5 * sag(1));  // without memory every substep begins from nothing
}

// ---- convergence

// N rods in a row between N + 1 equal masses: rho of Gauss-Seidel is cos^2(pi / (N + 1)), 0.92062676641559 for N = 10 (references.md).
TEST(sequential_impulses_converge, as_gauss_seidel) {
    auto const left_after = [](int iterations) {
        sinew::world<config<double>, sinew::particle_distance> w;
        w.gravity = {};
        std::vector<typename decltype(w)::particle_handle> p;
        std::mt19937 random(7);
        for (int i = 0; i < 11; ++i) p.push_back(w.add(sinew::particle<double>{1, {double(i), 0, 0}, {std::uniform_real_distribution<>(-1, 1)(random), 0, 0}}));
        for (std::size_t i = 0; i < 10; ++i) w.add(sinew::particle_distance<double>{{}, {}, 1}, p[i], p[i + 1]);
        plain(w, iterations);
        w.solver.feedback = sinew::position_feedback::none;
        w.solver.measure_rates = true;
        return double(w.step(1e-3).residual);
    };
    double const rate = std::pow(left_after(80) / left_after(40), 1.0 / 40);
    EXPECT_NEAR(std::log(rate), std::log(0.92062676641559), 0.02 * std::abs(std::log(0.92062676641559)));
}

TEST(sequential_impulses_converge, in_fewer_sweeps_from_the_last_impulses) {
    auto const left = [](double warm_start) {
        sinew::world<config<double>, sinew::ball_joint> w;
        hang_chain(w, 8);
        plain(w, 40);
        w.solver.feedback = sinew::position_feedback::none;
        for (int i = 0; i < 30; ++i) w.step(1.0 / 240);
        w.solver.warm_start = warm_start;
        w.solver.iterations = 10;
        w.solver.measure_rates = true;
        return double(w.step(1.0 / 240).residual);
    };
    EXPECT_LT(left(1), 0.1 * left(0));
}

// A step of four substeps is four steps of one: the last impulses start each at the share asked for.
TEST(sequential_impulses_converge, from_the_same_share_of_the_last_impulses_in_every_substep) {
    auto const end = [](double warm_start, int substeps) {
        sinew::world<config<double>, sinew::ball_joint> w;
        auto const last = hang_chain(w, 6).back();
        w.solver.warm_start = warm_start;
        w.solver.substeps = substeps;
        for (int i = 0; i < 120 / substeps; ++i) w.step(substeps / 240.0);
        return w.position(last);
    };
    for (double const warm_start : {0.0, 0.5, 1.0}) EXPECT_NEAR(norm(end(warm_start, 4) - end(warm_start, 1)), 0, 1e-12) << warm_start;
}

// ---- springs

// A hard row of joint_hertz and joint_damping_ratio is a damped oscillator, right to first order in h.
TEST(sequential_impulses_springs, have_their_frequency_and_damping_ratio) {
    double const hertz = 2, zeta = 0.15, omega = 2 * sinew::pi_v<double> * hertz;
    auto const error = [&](double h) {
        sinew::world<config<double>, sinew::particle_body_distance> w;
        w.gravity = {};
        auto const p = w.add(sinew::particle<double>{3, {1.1, 0, 0}, {0, 0, 0}});
        w.add(sinew::particle_body_distance<double>{{}, {0, 0, 0}, 1}, p, w.ground());
        plain(w, 1);
        w.solver.joint_hertz = hertz;
        w.solver.joint_damping_ratio = zeta;
        double worst = 0;
        double const decay = zeta * omega, beat = omega * std::sqrt(1 - zeta * zeta);
        for (double t = h; t < 1; t += h) {
            w.step(h);
            double const x = 0.1 * std::exp(-decay * t) * (std::cos(beat * t) + decay / beat * std::sin(beat * t));
            worst = std::max(worst, std::abs(w.position(p)[0] - 1 - x));
        }
        return worst;
    };
    double const coarse = error(1e-3), fine = error(5e-4);
    EXPECT_LT(fine, 1e-3);
    EXPECT_NEAR(coarse / fine, 2, 0.1);
}

// The same of a physical spring, k and nu: implicit Euler, right to first order, and the same after many sweeps.
TEST(sequential_impulses_springs, follow_a_spring_and_damper) {
    double const mass = 2, k = 300, nu = 4, omega = std::sqrt(k / mass), decay = nu / mass / 2, beat = std::sqrt(omega * omega - decay * decay);
    auto const error = [&](double h, int iterations) {
        sinew::world<config<double>, sinew::particle_body_spring_damper> w;
        w.gravity = {};
        auto const p = w.add(sinew::particle<double>{mass, {1.1, 0, 0}, {0, 0, 0}});
        w.add(sinew::particle_body_spring_damper<double>{{}, {0, 0, 0}, 1, k, nu}, p, w.ground());
        w.solver.substeps = 1;
        w.solver.iterations = iterations;
        double worst = 0;
        for (double t = h; t < 1; t += h) {
            w.step(h);
            worst = std::max(worst, std::abs(w.position(p)[0] - 1 - 0.1 * std::exp(-decay * t) * (std::cos(beat * t) + decay / beat * std::sin(beat * t))));
        }
        return worst;
    };
    double const coarse = error(1e-3, 1), fine = error(5e-4, 1);
    EXPECT_LT(fine, 4e-3);
    EXPECT_NEAR(coarse / fine, 2, 0.1);
    EXPECT_NEAR(error(1e-3, 20), coarse, 1e-9);
}
TYPED_TEST(sequential_impulses, hold_a_spring_of_any_stiffness) {
    using S = typename TypeParam::scalar;
    for (double const k : {1e2, 1e5, 1e9}) {
        sinew::world<TypeParam, sinew::particle_body_spring_damper> w;
        auto const p = w.add(sinew::particle<S>{S(1), {0, -1, 0}, {S(0.5), 0, 0}});
        w.add(sinew::particle_body_spring_damper<S>{{}, {0, 0, 0}, S(1), S(k), S(0)}, p, w.ground());
        for (int i = 0; i < 2000; ++i) {
            ASSERT_TRUE(w.step(S(1) / 60));
            ASSERT_LT(norm(w.position(p)), S(1.4)) << k;
        }
        if (k > 1e4) {
            EXPECT_NEAR(double(norm(w.position(p))), 1, 2e-3) << k;
        }
    }
}

// ---- motors and limits

TYPED_TEST(sequential_impulses, drive_a_motor_with_bounded_torque) {
    using S = typename TypeParam::scalar;
    sinew::world<TypeParam, sinew::hinge_joint, sinew::powered_axis> w;
    auto const b = add_box(w, {0, 0, 0}, {1, 0.2, 1});
    double const I = 1.0 / 12 * (1 + 1);
    w.add(sinew::hinge_joint<S>::at(typename decltype(w)::pose_type{}, w.pose(b), {0, 0, 0}, {0, 1, 0}), w.ground(), b);
    auto const motor = w.add(sinew::powered_axis<S>::at(typename decltype(w)::pose_type{}, w.pose(b), {0, 1, 0}, S(3), S(0.5)), w.ground(), b);
    for (int i = 0; i < 30; ++i) w.step(S(1) / 60);
    EXPECT_NEAR(double(w.twist(b).angular[1]), 0.5 / I * 0.5, 2e-3);  // torque bound / inertia * time
    EXPECT_NEAR(double(w.multipliers(motor)[0]), 0.5, 1e-5);
    for (int i = 0; i < 60; ++i) w.step(S(1) / 60);
    EXPECT_NEAR(double(w.twist(b).angular[1]), 3, 1e-4);
    EXPECT_LT(std::abs(double(w.multipliers(motor)[0])), 1e-3);
}

TYPED_TEST(sequential_impulses, stop_at_a_limit_and_not_before) {
    using S = typename TypeParam::scalar;
    sinew::world<TypeParam, sinew::particle_linear_limit> w;
    w.gravity = {};
    auto const p = w.add(sinew::particle<S>{S(1), {0, 0, 0}, {S(7), 0, 0}});
    typename decltype(w)::pose_type const ground{};
    w.add(sinew::particle_linear_limit<S>::at(ground, sinew::particle_pose<S>{}, {0, 0, 0}, {1, 0, 0}, S(-2), S(0.5)), w.ground(), p);
    double furthest = 0;
    for (int i = 0; i < 60; ++i) {
        w.step(S(1) / 60);
        furthest = std::max(furthest, double(w.position(p)[0]));
    }
    EXPECT_NEAR(furthest, 0.5, 1e-5);
    EXPECT_NEAR(double(w.position(p)[0]), 0.5, 1e-5);
    w.set_velocity(p, {S(-7), 0, 0});  // and lets go
    for (int i = 0; i < 6; ++i) w.step(S(1) / 60);
    EXPECT_NEAR(double(w.position(p)[0]), 0.5 - 0.7, 1e-5);
}

TYPED_TEST(sequential_impulses, tauten_a_rope_and_let_it_hang) {
    using S = typename TypeParam::scalar;
    sinew::world<TypeParam, sinew::particle_body_rope> w;
    auto const p = w.add(sinew::particle<S>{S(2), {0, S(-0.5), 0}, {0, 0, 0}});
    auto const rope = w.add(sinew::particle_body_rope<S>{{}, {0, 0, 0}, S(1)}, p, w.ground());
    double longest = 0;
    for (int i = 0; i < 120; ++i) {
        w.step(S(1) / 60);
        longest = std::max(longest, -double(w.position(p)[1]));
    }
    // It gives way by what the spring of the feedback does, g / omega^2.
    double const share = std::min(double(w.solver.joint_hertz_share), sinew::bearable_hertz_share<double>(w.solver.iterations + w.solver.relaxing_iterations));
    double const omega = 2 * sinew::pi_v<double> * share * 60 * w.solver.substeps;
    EXPECT_LT(longest, 1 + 1.01 * 9.81 / (omega * omega));
    EXPECT_NEAR(double(w.position(p)[1]), -1 - 9.81 / (omega * omega), 1e-6);
    EXPECT_NEAR(double(w.multipliers(rope)[0]), 2 * 9.81, 1e-3);
}

// ---- friction

// A block on a plane: it does not sink in, and its tangential force stays within mu times the normal one.
template <sinew::scalar S>
struct block_on_plane {
    static constexpr std::size_t rows = 3;
    using attachments = sinew::binds<sinew::rigid>;
    vec3<S> normal, along, across;
    S mu;
    constexpr auto rate(auto const&, auto const& t) const { return sinew::vec{dot(normal, t.linear), dot(along, t.linear), dot(across, t.linear)}; }
};
// As a pyramid ...
template <sinew::scalar S>
struct pyramid_friction : block_on_plane<S> {
    constexpr sinew::bounds<S, 3> limits(sinew::vec<S, 3> const& lambda, auto const&) const {
        S const most = this->mu * lambda[0];
        return {{S(0), -most, -most}, {sinew::infinity_v<S>, most, most}};
    }
};
// ... and as a cone.
template <sinew::scalar S>
struct cone_friction : block_on_plane<S> {
    constexpr sinew::vec<S, 3> update(sinew::vec<S, 3> const&, sinew::vec<S, 3> const& proposed, auto const&) const {
        S const n = proposed[0] < S(0) ? S(0) : proposed[0];
        S const t = sinew::sqrt(proposed[1] * proposed[1] + proposed[2] * proposed[2]), most = this->mu * n;
        S const k = t > most ? most / t : S(1);
        return {n, proposed[1] * k, proposed[2] * k};
    }
};

template <class Config, template <class> class Friction>
double speed_after_one_second(double mu, double angle_to_rows) {
    using S = typename Config::scalar;
    sinew::world<Config, Friction> w;
    double const incline = sinew::pi_v<double> / 6;
    vec3<double> const n{-std::sin(incline), std::cos(incline), 0}, down{-std::cos(incline), -std::sin(incline), 0}, side{0, 0, 1};
    auto const to = [](vec3<double> const& v) { return vec3<S>{S(v[0]), S(v[1]), S(v[2])}; };
    vec3<double> const along = std::cos(angle_to_rows) * down + std::sin(angle_to_rows) * side, across = std::cos(angle_to_rows) * side - std::sin(angle_to_rows) * down;
    auto const b = add_box(w, {0, 0, 0});
    Friction<S> f;
    f.normal = to(n), f.along = to(along), f.across = to(across), f.mu = S(mu);
    w.add(f, b);
    for (int i = 0; i < 60; ++i) w.step(S(1) / 60);
    EXPECT_NEAR(double(dot(w.twist(b).linear, to(n))), 0, 1e-4);
    return double(norm(w.twist(b).linear));
}
// 2.35628723666240 m/s^2 down an incline of 30 degrees at mu = 0.3 (references.md).
TYPED_TEST(sequential_impulses, slide_and_stick_by_coulomb) {
    EXPECT_NEAR((speed_after_one_second<TypeParam, pyramid_friction>(0.3, 0)), 2.35628723666240, 1e-4);
    EXPECT_NEAR((speed_after_one_second<TypeParam, pyramid_friction>(0.7, 0)), 0, 1e-5);
    EXPECT_NEAR((speed_after_one_second<TypeParam, cone_friction>(0.3, 0)), 2.35628723666240, 1e-4);
    EXPECT_NEAR((speed_after_one_second<TypeParam, cone_friction>(0.3, 0.6)), 2.35628723666240, 1e-4);  // a cone has no corners
    EXPECT_NEAR((speed_after_one_second<TypeParam, cone_friction>(0.7, 0.6)), 0, 1e-5);
}

// ---- hits

template <sinew::scalar S>
struct bouncy_floor {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::point_mass>;
    S restitution{};
    constexpr auto error(auto const& a) const { return a.position[1]; }
    constexpr sinew::bounds<S, 1> limits() const { return sinew::pushing<S, 1>(); }
    constexpr sinew::vec<S, 1> restitution_rate(sinew::vec<S, 1> const& rate) const { return {rate[0] < S(-0.5) ? -restitution * rate[0] : S(0)}; }
};
TYPED_TEST(sequential_impulses, bounce_with_restitution) {
    using S = typename TypeParam::scalar;
    sinew::world<TypeParam, bouncy_floor> w;
    auto const p = w.add(sinew::particle<S>{S(1), {0, S(1), 0}, {0, 0, 0}});
    w.add(bouncy_floor<S>{S(0.5)}, p);
    double lowest = 1, apex = 0;
    bool bounced = false;
    for (int i = 0; i < 600; ++i) {
        w.step(S(1) / 600);
        lowest = std::min(lowest, double(w.position(p)[1]));
        bounced = bounced || w.velocity(p)[1] > S(0);
        if (bounced && i < 500) apex = std::max(apex, double(w.position(p)[1]));
    }
    EXPECT_GT(lowest, -1e-5);
    EXPECT_NEAR(apex, 0.25, 0.01);  // e^2
    for (int i = 0; i < 2000; ++i) w.step(S(1) / 600);
    EXPECT_NEAR(double(w.position(p)[1]), 0, 1e-4);
    EXPECT_NEAR(double(w.velocity(p)[1]), 0, 1e-3);
}

// ---- any constraint

// Forms whose Jacobian vanishes where they hold are solved at the poses ahead.
TYPED_TEST(sequential_impulses, hold_rows_whose_normals_turn) {
    using S = typename TypeParam::scalar;
    sinew::world<TypeParam, sinew::scalar_point_to_point, sinew::axis_alignment> w;
    auto const b = add_box(w, {0.25, 0, 0});
    typename decltype(w)::pose_type const ground{};
    auto const hold = w.add(sinew::scalar_point_to_point<S>::at(ground, w.pose(b), {0, 0, 0}), w.ground(), b);
    auto const align = w.add(sinew::axis_alignment<S>::at(ground, w.pose(b), {0, 0, 1}), w.ground(), b);
    w.set_twist(b, {{0, 0, 0}, {S(0.1), S(0.1), 0}});
    w.solver.iterations = 4;
    double worst = 0, tilt = 0;
    for (int i = 0; i < 300; ++i) {
        w.step(S(1) / 60);
        worst = std::max(worst, std::abs(double(w.error_of(hold)[0])));
        tilt = std::max(tilt, std::abs(double(w.error_of(align)[0])));
    }
    EXPECT_LT(worst, 0.01);
    EXPECT_LT(tilt, 0.01);
}

TYPED_TEST(sequential_impulses, let_a_kinematic_body_carry_others) {
    using S = typename TypeParam::scalar;
    sinew::world<TypeParam, sinew::weld_joint> w;
    w.gravity = {};
    auto const cart = w.add_fixed({}, {{S(2), 0, 0}, {0, S(1), 0}});
    auto const b = add_box(w, {0.5, 0, 0});
    w.add(sinew::weld_joint<S>::at(w.pose(cart), w.pose(b), {0, 0, 0}), cart, b);
    for (int i = 0; i < 120; ++i) w.step(S(1) / 60);
    EXPECT_LT(double(norm(w.pose(cart).local_point(w.position(b)) - vec3<S>{S(0.5), 0, 0})), 5e-3);
    EXPECT_NEAR(double(w.twist(b).angular[1]), 1, 1e-2);
}

TYPED_TEST(sequential_impulses, correct_the_free_motion_of_another_integrator) {
    using S = typename TypeParam::scalar;
    sinew::world<with_rk4<TypeParam>, sinew::ball_joint> w;
    auto const links = hang_chain(w, 4);
    separation s;
    S const energy = w.kinetic_energy() + w.potential_energy();
    for (int i = 0; i < 120; ++i) {
        ASSERT_TRUE(w.step(S(1) / 120));
        measure(w, s);
    }
    EXPECT_LT(s.worst, 0.01);
    EXPECT_LT(std::abs(double(w.kinetic_energy() + w.potential_energy() - energy)), 0.05 * 4 * 9.81);
}

// ---- state

TYPED_TEST(sequential_impulses, go_on_alike_from_a_copy_and_from_a_saved_state) {
    using S = typename TypeParam::scalar;
    sinew::world<TypeParam, sinew::ball_joint> w;
    hang_chain(w, 6);
    for (int i = 0; i < 30; ++i) w.step(S(1) / 60);
    auto const state = w.save();
    auto copy = w;
    for (int i = 0; i < 30; ++i) w.step(S(1) / 60);
    for (int i = 0; i < 30; ++i) copy.step(S(1) / 60);
    EXPECT_TRUE(w == copy);
    auto other = w;
    ASSERT_TRUE(other.restore(state));
    for (int i = 0; i < 30; ++i) other.step(S(1) / 60);
    EXPECT_TRUE(w == other);
}

struct static_config : config<float> {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 8, .constraints = 8}>;
};
TEST(sequential_impulses_storage, in_place_gives_the_same_bits) {
    sinew::world<config<float>, sinew::ball_joint> a;
    sinew::world<static_config, sinew::ball_joint> b;
    auto const in_a = hang_chain(a, 8);
    auto const in_b = hang_chain(b, 8);
    for (int i = 0; i < 60; ++i) {
        a.step(1.0f / 60);
        b.step(1.0f / 60);
    }
    for (std::size_t i = 0; i < 8; ++i) EXPECT_TRUE(a.pose(in_a[i]) == b.pose(in_b[i]));
}

// In a constant expression the quads are arrays, at run time the compiler's vectors: the bits are the same.
template <class S>
constexpr sinew::pose<S> swung() {
    sinew::world<config<S>, sinew::ball_joint, sinew::hinge_joint> w;
    sinew::pose<S> const at{{S(1) / 4, S(0), S(0)}}, next{{S(3) / 4, S(0), S(0)}};
    auto const box = sinew::solid_box(S(1), vec3<S>{S(1) / 2, S(1) / 8, S(1) / 8});
    auto const a = w.add(rigid_body_of(box, at)), b = w.add(rigid_body_of(box, next));
    w.add(sinew::ball_joint<S>::at(sinew::pose<S>{}, at, {S(0), S(0), S(0)}), w.ground(), a);
    w.add(sinew::hinge_joint<S>::at(at, next, {S(1) / 2, S(0), S(0)}, {S(0), S(0), S(1)}), a, b);
    for (int i = 0; i < 3; ++i) w.step(S(1) / 64);
    return w.pose(b);
}
TEST(sequential_impulses_storage, constant_expressions_give_the_same_bits) {
    constexpr auto in_float = swung<float>();
    constexpr auto in_double = swung<double>();
    EXPECT_TRUE(swung<float>() == in_float);
    EXPECT_TRUE(swung<double>() == in_double);
}

// ---- what the defaults reach

// The accuracy of Jolt's 4 substeps in these scenes, 600 steps of 1/60 s: chain 0.040 m at most and 0.0043 m rms, tree 0.023 m and 0.0036 m.
// What the whip of the chain's end tears apart at most is chaotic: not once is it more, for four values of gravity that differ by 1e-5.
template <class S, class Hang>
void hold_as_well_as(double most, double rms, Hang&& hang) {
    for (int k = 0; k < 4; ++k) {
        sinew::world<config<S>, sinew::ball_joint> w;
        w.gravity = {S(0), S(-9.81 * (1 + 1e-5 * k)), S(0)};
        hang(w);
        separation s;
        for (int i = 0; i < 600; ++i) {
            w.step(S(1) / 60);
            measure(w, s);
        }
        EXPECT_LT(s.worst, most) << k;
        EXPECT_LT(s.rms(), rms) << k;
    }
}
TEST(sequential_impulses_defaults, hold_the_long_chain) {
    hold_as_well_as<float>(0.040, 0.0043, [](auto& w) { hang_chain(w, 32); });
    hold_as_well_as<double>(0.040, 0.0043, [](auto& w) { hang_chain(w, 32); });
}
TEST(sequential_impulses_defaults, hold_the_tree) {
    hold_as_well_as<float>(0.023, 0.0036, [](auto& w) { hang_tree(w); });
}
TYPED_TEST(sequential_impulses, hold_a_heavy_end) {
    using S = typename TypeParam::scalar;
    sinew::world<TypeParam, sinew::ball_joint> w;
    auto previous = w.ground();
    for (int i = 0; i < 11; ++i) {
        auto const b = add_box(w, {0, -0.25 - 0.5 * i, 0}, {0.1, 0.5, 0.1}, i < 10 ? 1 : 100);
        join(w, previous, b, {0, -0.5 * i, 0});
        previous = b;
    }
    separation s;
    for (int i = 0; i < 300; ++i) {
        w.step(S(1) / 60);
        measure(w, s);
    }
    EXPECT_LT(s.worst, 0.02);
}

TEST(sequential_impulses_numbers, are_checked) {
    using world = sinew::world<config<double>, sinew::ball_joint>;
    auto const refused = [](auto&& change) {
        world w;
        change(w.solver);
        return w.solver.fault().name != nullptr;
    };
    double const nan = std::nan("");
    EXPECT_FALSE(refused([](auto&) {}));
    EXPECT_TRUE(refused([](auto& s) { s.substeps = 0; }));
    EXPECT_TRUE(refused([](auto& s) { s.iterations = -1; }));
    EXPECT_TRUE(refused([](auto& s) { s.relaxing_iterations = -1; }));
    EXPECT_TRUE(refused([](auto& s) { s.joint_hertz = 0; }));
    EXPECT_TRUE(refused([&](auto& s) { s.joint_hertz = nan; }));
    EXPECT_TRUE(refused([](auto& s) { s.joint_hertz_share = 0; }));
    EXPECT_TRUE(refused([](auto& s) { s.joint_damping_ratio = -1; }));
    EXPECT_TRUE(refused([](auto& s) { s.baumgarte = 1.5; }));
    EXPECT_TRUE(refused([](auto& s) { s.max_push_speed = -1; }));
    EXPECT_TRUE(refused([](auto& s) { s.warm_start = 2; }));
    world a, b;
    b.solver.joint_damping_ratio = 3;
    EXPECT_FALSE(a.solver == b.solver);
}

// A slow mode of many bodies, of which a sweep finds only the share a of the impulse that it needs: the largest error in the last quarter of many
// substeps, against that of the second. `share`: frequency of the feedback, of the rate of substeps.
double growth_of_slow_mode(double share, int iterations, int relaxing, double trend, double damping_ratio) {
    constexpr double a = 1e-4;
    constexpr int substeps = 200000;
    auto const feedback = sinew::soft_feedback(share, damping_ratio, 1.0);
    double impulse = 0, before = 0, speed = 1e-3, error = 0, early = 0, late = 0;
    auto const push = [&](double d) {
        impulse += d;
        speed += d;
    };
    for (int i = 0; i < substeps; ++i) {
        double const next = impulse + trend * (impulse - before);
        before = impulse;
        impulse = next;
        speed += impulse;
        for (int k = 0; k < iterations; ++k) push(-a * feedback.mass_scale * (speed + feedback.bias_rate * error) - feedback.impulse_scale * impulse);
        error += speed;
        for (int k = 0; k < relaxing; ++k) push(-a * speed);
        if (i > substeps / 4 && i < substeps / 2) early = std::max(early, std::abs(error));
        if (i > 3 * substeps / 4) late = std::max(late, std::abs(error));
    }
    return late / early;
}

// Routh's criterion, head of soft_step.hpp.
TEST(soft_step, slow_modes_die_out_at_the_bearable_frequency_and_grow_a_fifth_above) {
    for (double const damping_ratio : {10.0, 16.0})
        for (double const trend : {0.0, 0.5})
            for (auto const& [iterations, relaxing] : {std::pair{2, 1}, std::pair{1, 1}, std::pair{4, 1}, std::pair{1, 2}}) {
                double const share = sinew::bearable_hertz_share(iterations + relaxing, trend, 1.2);
                EXPECT_LT(growth_of_slow_mode(share, iterations, relaxing, trend, damping_ratio), 1e-3) << iterations << " and " << relaxing << " sweeps, trend " << trend;
                EXPECT_GT(growth_of_slow_mode(1.2 * share, iterations, relaxing, trend, damping_ratio), 1e3) << iterations << " and " << relaxing << " sweeps, trend " << trend;
            }
}

// Joints: critically damped, and up to the bound itself, where modes neither grow nor go.
TEST(soft_step, slow_modes_of_joints_do_not_grow_up_to_the_bearable_frequency) {
    for (auto const& [iterations, relaxing] : {std::pair{3, 1}, std::pair{1, 1}, std::pair{2, 1}, std::pair{10, 0}, std::pair{1, 4}}) {
        double const share = sinew::bearable_hertz_share<double>(iterations + relaxing);
        EXPECT_LT(growth_of_slow_mode(share, iterations, relaxing, 0.0, 1.0), 1) << iterations << " and " << relaxing << " sweeps";
        EXPECT_GT(growth_of_slow_mode(1.2 * share, iterations, relaxing, 0.0, 1.0), 1e3) << iterations << " and " << relaxing << " sweeps";
    }
}

// What follows of the inertia in the world is made anew where it changes: its rate is w x (I^-1 .) - I^-1 (w x .), which is zero about an axle.
TEST(contacts, inertia_of_a_wheel_stays_as_it_is_while_it_spins_about_its_axle) {
    sinew::sym3<double> const wheel{2, 2, 7, 0, 0, 0}, brick{2, 3, 7, 0, 0, 0}, tilted{2, 2, 7, 0.1, 0, 0};
    auto const at = sinew::nudged(sinew::quaternion<double>{}, vec3<double>{0.6, 0, 0.8} * 1.1);
    vec3<double> const axle = rotate(at, vec3<double>{0, 0, 1}), spoke = rotate(at, vec3<double>{1, 0, 0});
    auto const change = [&](sinew::sym3<double> const& w, vec3<double> const& turn) -> double {  // of the world's inverse inertia
        auto const before = sinew::world_inertia(w, at), after = sinew::world_inertia(w, sinew::nudged(at, turn));
        return std::abs(after.xx - before.xx) + std::abs(after.yy - before.yy) + std::abs(after.zz - before.zz) + std::abs(after.xy - before.xy) + std::abs(after.xz - before.xz) + std::abs(after.yz - before.yz);
    };
    for (auto const& w : {wheel, brick, tilted})
        for (auto const& turn : {axle * 0.2, spoke * 0.2, axle * 0.2 + spoke * 0.01, axle * 1e-4, axle * 0.2 + spoke * 1e-5})
            EXPECT_EQ(sinew::detail::turns_inertia(w, at, turn), change(w, turn) > 1e-3) << turn[0] << ' ' << turn[1] << ' ' << turn[2];
}

}  // namespace
