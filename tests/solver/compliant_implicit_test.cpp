// compliant_implicit: the discrete solutions that its constants stand for, their order, stiffness without a limit, geometric
// stiffness where it decides, bounds, redundant rows, momentum, and that it keeps house.

#include <sinew/sinew.hpp>
#include <sinew/solver/compliant_implicit.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace {

using sinew::vec3;

template <class Scalar, template <class> class R = sinew::quaternion, class Integrator = sinew::symplectic_euler>
struct config : sinew::default_config {
    using scalar = Scalar;
    using integrator = Integrator;
    using solver = sinew::compliant_implicit;
    template <class S>
    using rotation = R<S>;
};
struct reference_config : sinew::default_config {
    using scalar = double;
    using integrator = sinew::rk4;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

// ---- one spring

// x = 0 along one axis, soft.
template <class S>
struct soft_coordinate {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::point_mass>;
    S spring{100}, damper{0};
    constexpr auto error(auto const& p) const { return p.position.x(); }
    constexpr S compliance() const { return S(1) / spring; }
    constexpr S damping() const { return damper; }
};

template <class S>
struct oscillator {
    S x, v;
};
template <class S>
oscillator<S> after_one_second(sinew::implicit_constants<S> const& constants, S damper, int steps, int iterations) {
    sinew::world<config<S>, soft_coordinate> w;
    w.gravity = {S(0), S(0), S(0)};
    w.solver.constants = constants;
    w.solver.iterations = iterations;
    auto const p = w.add(sinew::particle<S>{S(1), {S(1), S(0), S(0)}, {}});
    w.add(soft_coordinate<S>{S(100), damper}, p);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(S(1) / S(steps)));
    return {w.position(p).x(), w.velocity(p).x()};
}

// A linear spring is solved by one linear system: more change nothing.
TEST(a_spring, is_the_discrete_solution_of_its_constants) {
    auto const euler = sinew::implicit_euler_constants<double>();
    auto const trapezoid = sinew::trapezoid_constants<double>();
    for (int iterations : {1, 2, 3}) {
        EXPECT_NEAR(after_one_second(euler, 0.0, 100, iterations).x, -0.520866526040103, 1e-13);
        EXPECT_NEAR(after_one_second(trapezoid, 0.0, 100, iterations).x, -0.843569150875790, 1e-13);
        // With a damper, by the recursions v1 = (v - h k x) / (1 + h c + h^2 k) and (I - h A / 2) y1 = (I + h A / 2) y.
        for (double c : {2.0, 20.0, 50.0}) {
            long double const h = 0.01L, k = 100;
            long double x = 1, v = 0, y = 1, u = 0;
            for (int i = 0; i < 100; ++i) {
                v = (v - h * k * x) / (1 + h * c + h * h * k);
                x += h * v;
                long double const mean = (u - h / 2 * k * y) / (1 + h / 2 * c + h * h / 4 * k);
                y += h * mean;
                u = 2 * mean - u;
            }
            EXPECT_NEAR(after_one_second(euler, c, 100, iterations).x, static_cast<double>(x), 1e-13);
            EXPECT_NEAR(after_one_second(trapezoid, c, 100, iterations).x, static_cast<double>(y), 1e-13);
        }
    }
    // theta between the two: x^2 + (v / 10)^2 shrinks each step by the modulus of (1 + (1 - theta) z) / (1 - theta z), z = 0.1 i.
    double const t = 0.7, z2 = 0.01;
    auto const o = after_one_second(sinew::theta_constants(t), 0.0, 100, 2);
    EXPECT_NEAR(o.x * o.x + o.v * o.v / 100, std::pow((1 + (1 - t) * (1 - t) * z2) / (1 + t * t * z2), 100), 1e-13);
}
TEST(a_spring, keeps_its_energy_by_the_trapezoid_and_loses_it_by_implicit_euler) {
    auto const kept = after_one_second(sinew::trapezoid_constants<double>(), 0.0, 100, 2);
    EXPECT_NEAR(kept.x * kept.x + kept.v * kept.v / 100, 1, 1e-13);
    auto const lost = after_one_second(sinew::implicit_euler_constants<double>(), 0.0, 100, 2);
    EXPECT_NEAR(lost.x * lost.x + lost.v * lost.v / 100, std::pow(1.01, -100), 1e-13);  // (1 + (h omega)^2)^-n
}
// Damping 2, 20 (critical) and 50 N s/m: the exact x(1) of the reference table.
TEST(a_spring, converges_with_the_order_of_its_constants) {
    struct {
        double damper, exact;
    } const rows[] = {{0, -0.839071529076452}, {2, -0.336851680590413}, {20, 4.99399227387e-4}, {50, 0.129693214344801}};
    for (auto const& row : rows) {
        auto const ratio = [&](sinew::implicit_constants<double> const& constants) {
            double const coarse = after_one_second(constants, row.damper, 3200, 1).x - row.exact;
            double const fine = after_one_second(constants, row.damper, 6400, 1).x - row.exact;
            return coarse / fine;
        };
        EXPECT_NEAR(ratio(sinew::implicit_euler_constants<double>()), 2, 0.02) << row.damper;
        EXPECT_NEAR(ratio(sinew::trapezoid_constants<double>()), 4, 0.02) << row.damper;
    }
}
// alpha = 1 + h r damps by mass: v1 = v / (1 + h r).
TEST(a_spring, is_damped_by_mass_if_alpha_says_so) {
    sinew::world<config<double>, soft_coordinate> w;
    w.gravity = {0, 0, 0};
    w.solver.constants.alpha = 1.25;
    auto const p = w.add(sinew::particle<double>{3, {0, 0, 0}, {0, 1, 0}});
    EXPECT_TRUE(w.step(0.01));
    EXPECT_NEAR(w.velocity(p).y(), 0.8, 1e-15);
    EXPECT_TRUE(w.step(0.01));
    EXPECT_NEAR(w.velocity(p).y(), 0.64, 1e-15);
}

// ---- stiffness without a limit

template <class S>
class stiff : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(stiff, scalars);

template <class S>
using soft_ball = sinew::soft_joint<S, sinew::ball_joint>;

template <class S>
sinew::rigid_body<S> box(S mass, vec3<S> const& centre, S length = S(1)) {
    sinew::rigid_body<S> b;
    b.mass = mass;
    b.inertia = sinew::solid_box(mass, vec3<S>{length, S(0.1), S(0.1)}).inertia;
    b.pose.position = centre;
    return b;
}

// Two boxes on springs of 1 to 1e9 N/m, or hard, swing for 10,000 steps of 1/60 s (the softer ones for 2,000): their energy stays below
// that of the start.
TYPED_TEST(stiff, springs_and_hard_rows_step_without_a_limit) {
    using S = TypeParam;
    for (S compliance : {S(1), S(1e-3), S(1e-6), S(1e-9), S(0)})
        for (S damping : {S(0), S(10)}) {
            sinew::world<config<S>, soft_ball> w;
            w.gravity = {S(0), S(-9.81), S(0)};
            auto const a = w.add(box<S>(S(1), {S(0.5), S(0), S(0)})), b = w.add(box<S>(S(2), {S(1.5), S(0), S(0)}));
            w.add(soft_ball<S>::with({{S(0), S(0), S(0)}, {S(-0.5), S(0), S(0)}}, compliance, damping), w.ground(), a);
            w.add(soft_ball<S>::with({{S(0.5), S(0), S(0)}, {S(-0.5), S(0), S(0)}}, compliance, damping), a, b);
            S const start = w.kinetic_energy() + w.potential_energy();
            S highest = start, apart = S(0);
            int const steps = compliance > S(1e-9) ? 2000 : 10000;
            for (int i = 0; i < steps; ++i) {
                ASSERT_TRUE(w.step(S(1) / S(60))) << "compliance " << compliance << ", step " << i;
                highest = std::max(highest, w.kinetic_energy() + w.potential_energy());
                apart = std::max(apart, w.constraint_error());
            }
            EXPECT_LT(highest, start + S(100) * std::numeric_limits<S>::epsilon()) << "compliance " << compliance;
            EXPECT_LT(apart, S(1e-6)) << "compliance " << compliance;
            if (steps == 10000) {
                EXPECT_NEAR(w.position(a).y(), -S(0.5), S(1e-3)) << "compliance " << compliance;  // at rest in the end
            }
        }
}
// As compliance goes to 0 the motion goes to the hard one: at 1e-9 m/N by as much.
TEST(stiffness, has_the_hard_joint_as_its_limit) {
    auto const end = [](double compliance) {
        sinew::world<config<double>, soft_ball> w;
        w.gravity = {0, -9.81, 0};
        auto const a = w.add(box<double>(1, {0.5, 0, 0}));
        w.add(soft_ball<double>::with({{0, 0, 0}, {-0.5, 0, 0}}, compliance), w.ground(), a);
        for (int i = 0; i < 60; ++i) EXPECT_TRUE(w.step(1.0 / 60));
        return w.position(a);
    };
    auto const hard = end(0);
    double const at_6 = norm(end(1e-6) - hard), at_9 = norm(end(1e-9) - hard);
    EXPECT_LT(at_6, 1e-3);
    EXPECT_NEAR(at_9 / at_6, 1e-3, 1e-4);
}

// ---- geometric stiffness

// A bead of m between a nail and a load of M on two rods of length l: pulled sideways it swings with omega^2 = 2 M g / (m l). Explicit
// force directions are those of symplectic Euler: they hold up to h omega = 2, whatever is implicit along the rods.
struct string_result {
    double largest;  // |x| of the bead over its start
    bool finite;
};
string_result pluck(double h_omega, bool geometric_stiffness, int iterations, int steps = 400) {
    double const h = 1.0 / 60, m = 0.1, l = 1, g = 9.81;
    double const load = h_omega * h_omega / (h * h) * m * l / (2 * g);
    sinew::world<config<double>, sinew::particle_body_distance, sinew::particle_distance> w;
    w.gravity = {0, -g, 0};
    w.solver.geometric_stiffness = geometric_stiffness;
    w.solver.iterations = iterations;
    double const start = 1e-6;
    auto const bead = w.add(sinew::particle<double>{m, {0, -l, 0}, {}});
    auto const end = w.add(sinew::particle<double>{load, {0, -2 * l, 0}, {}});
    w.add(sinew::particle_body_distance<double>{.length = l}, bead, w.ground());
    w.add(sinew::particle_distance<double>{.length = l}, bead, end);
    string_result r{0, true};
    // The tension is found in the first step; then the bead is plucked.
    EXPECT_TRUE(w.step(h));
    w.set_position(bead, {start, -l, 0});
    for (int i = 0; i < steps; ++i) {
        r.finite = r.finite && static_cast<bool>(w.step(h));
        r.largest = std::max(r.largest, std::abs(w.position(bead).x()) / start);
    }
    return r;
}
TEST(a_plucked_string, diverges_without_geometric_stiffness_beyond_a_step_and_holds_with_it) {
    for (int iterations : {1, 3}) {
        EXPECT_LT(pluck(1.9, false, iterations).largest, 5);
        EXPECT_GT(pluck(2.1, false, iterations).largest, 1e3);
        for (double h_omega : {1.9, 2.1, 10.0, 100.0}) {
            auto const r = pluck(h_omega, true, iterations, 2000);
            EXPECT_TRUE(r.finite);
            EXPECT_LE(r.largest, 1.001) << h_omega;
        }
    }
}
// The other way up it is a column: G takes from the mass, at h omega > 1 more than there is. The bead is pushed out and the
// load comes down, and nothing is gained by it.
TEST(a_column, buckles_without_gaining_energy) {
    for (double h_omega : {0.5, 0.9, 1.1, 3.0, 30.0})
        for (int iterations : {3, 6}) {
            double const h = 1.0 / 60, m = 0.1, l = 1, g = 9.81;
            double const load = h_omega * h_omega / (h * h) * m * l / (2 * g);
            sinew::world<config<double>, sinew::particle_body_distance, sinew::particle_distance> w;
            w.gravity = {0, -g, 0};
            w.solver.iterations = iterations;
            auto const bead = w.add(sinew::particle<double>{m, {1e-6, l, 0}, {}});
            auto const end = w.add(sinew::particle<double>{load, {0, 2 * l, 0}, {}});
            w.add(sinew::particle_body_distance<double>{.length = l}, bead, w.ground());
            w.add(sinew::particle_distance<double>{.length = l}, bead, end);
            double const start = w.kinetic_energy() + w.potential_energy();
            double highest = start, lowest_load = 2 * l;
            for (int i = 0; i < 600 && lowest_load > 0; ++i) {
                ASSERT_TRUE(w.step(h));
                highest = std::max(highest, w.kinetic_energy() + w.potential_energy());
                lowest_load = std::min(lowest_load, w.position(end).y());
            }
            EXPECT_LT(highest, start * (1 + 1e-3)) << h_omega << ", " << iterations;
            EXPECT_LE(lowest_load, 0.0) << h_omega << ", " << iterations;
        }
}

// 10 links of 1 kg carry 1000 kg.
template <class S>
S heavy_end(int iterations) {
    sinew::world<config<S>, sinew::ball_joint> w;
    w.gravity = {S(0), S(-9.81), S(0)};
    w.solver.iterations = iterations;
    auto previous = w.ground();
    for (int i = 0; i < 10; ++i) {
        auto const link = w.add(box<S>(i == 9 ? S(1000) : S(1), {S(i) + S(0.5), S(0), S(0)}));
        w.add(sinew::ball_joint<S>{i == 0 ? vec3<S>{} : vec3<S>{S(0.5), S(0), S(0)}, {S(-0.5), S(0), S(0)}}, previous, link);
        previous = link;
    }
    S worst{};
    for (int i = 0; i < 600; ++i) {
        EXPECT_TRUE(w.step(S(1) / S(60)));
        worst = std::max(worst, w.constraint_error());
    }
    return worst;
}
TEST(a_heavy_end, is_carried_by_light_links) {
    EXPECT_LT(heavy_end<double>(1), 1e-3);
    EXPECT_LT(heavy_end<double>(3), 1e-8);
    EXPECT_LT(heavy_end<double>(4), 1e-12);
    EXPECT_LT(heavy_end<float>(3), 5e-6f);
}

// ---- against rk4

template <class Config>
auto three_links(int steps, vec3<double> const& spin) {
    using S = typename Config::scalar;
    sinew::world<Config, sinew::ball_joint> w;
    w.gravity = {S(0), S(-9.81), S(0)};
    if constexpr (requires { w.solver.constants; }) {
        if constexpr (!std::is_same_v<typename Config::integrator, sinew::symplectic_euler>) w.solver.constants = sinew::trapezoid_constants<S>();
    }
    auto const a = w.add(box<S>(S(1), {S(0.5), S(0), S(0)})), b = w.add(box<S>(S(2), {S(1.5), S(0), S(0)})), c = w.add(box<S>(S(0.5), {S(2.5), S(0), S(0)}));
    w.add(sinew::ball_joint<S>{{}, {S(-0.5), S(0), S(0)}}, w.ground(), a);
    w.add(sinew::ball_joint<S>{{S(0.5), S(0), S(0)}, {S(-0.5), S(0), S(0)}}, a, b);
    w.add(sinew::ball_joint<S>{{S(0.5), S(0), S(0)}, {S(-0.5), S(0), S(0)}}, b, c);
    vec3<S> const omega = spin;
    for (auto h : {a, b, c}) w.set_twist(h, {cross(omega, w.position(h)), omega});
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(S(1) / S(steps)));
    return std::array<vec3<S>, 3>{w.position(a), w.position(b), w.position(c)};
}
// A square of four hinged bars, one of them the ground: redundant in three dimensions.
template <class Config>
auto four_bar(int steps) {
    using S = typename Config::scalar;
    sinew::world<Config, sinew::hinge_joint> w;
    w.gravity = {S(0), S(-9.81), S(0)};
    if constexpr (requires { w.solver.constants; }) {
        if constexpr (!std::is_same_v<typename Config::integrator, sinew::symplectic_euler>) w.solver.constants = sinew::trapezoid_constants<S>();
    }
    auto upright = box<S>(S(1), {S(0), S(-0.5), S(0)}), other = box<S>(S(1), {S(2), S(-0.5), S(0)});
    auto const a = w.add(upright), c = w.add(other), b = w.add(box<S>(S(3), {S(1), S(-1), S(0)}, S(2)));
    vec3<S> const z{S(0), S(0), S(1)};
    auto const hinge = [&](auto p, auto q, vec3<S> const& at) { w.add(sinew::hinge_joint<S>::at(w.pose(p), w.pose(q), at, z), p, q); };
    hinge(w.ground(), a, {S(0), S(0), S(0)});
    hinge(a, b, {S(0), S(-1), S(0)});
    hinge(b, c, {S(2), S(-1), S(0)});
    hinge(c, w.ground(), {S(2), S(0), S(0)});
    // Turning about its anchors.
    w.set_twist(a, {{S(1), S(0), S(0)}, {S(0), S(0), S(2)}});
    w.set_twist(c, {{S(1), S(0), S(0)}, {S(0), S(0), S(2)}});
    w.set_twist(b, {{S(2), S(0), S(0)}, {}});
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(S(1) / S(steps)));
    return std::array<vec3<S>, 3>{w.position(a), w.position(b), w.position(c)};
}
template <class A>
double difference(A const& a, A const& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, norm(a[i] - b[i]));
    return worst;
}
using second_order = config<double, sinew::quaternion, sinew::velocity_verlet>;

TEST(the_motion, converges_to_that_of_rk4_with_the_order_of_the_constants) {
    vec3<double> const in_space{0.25, 1, 0.5}, in_plane{0, 0, 1};
    auto const chain = three_links<reference_config>(4000, in_space), flat_chain = three_links<reference_config>(4000, in_plane);
    auto const bars = four_bar<reference_config>(4000);
    double const chain_1 = difference(three_links<config<double>>(2000, in_space), chain);
    double const chain_2 = difference(three_links<config<double>>(4000, in_space), chain);
    double const bars_1 = difference(four_bar<config<double>>(2000), bars), bars_2 = difference(four_bar<config<double>>(4000), bars);
    EXPECT_NEAR(chain_1 / chain_2, 2, 0.1);
    EXPECT_NEAR(bars_1 / bars_2, 2, 0.1);
    EXPECT_LT(chain_1, 2e-2);
    EXPECT_LT(bars_1, 1e-2);
    std::printf("h = 1/2000: chain %.3g, four-bar %.3g m\n", chain_1, bars_1);
    // The trapezoid on the free motion of velocity_verlet; in a plane, where that has no gyroscopic torque to be split from the rest.
    double const chain_3 = difference(three_links<second_order>(1000, in_plane), flat_chain);
    double const chain_4 = difference(three_links<second_order>(2000, in_plane), flat_chain);
    double const bars_3 = difference(four_bar<second_order>(1000), bars), bars_4 = difference(four_bar<second_order>(2000), bars);
    EXPECT_NEAR(chain_3 / chain_4, 4, 0.2);
    EXPECT_NEAR(bars_3 / bars_4, 4, 0.2);
    std::printf("trapezoid, velocity_verlet, h = 1/2000: chain %.3g, four-bar %.3g m\n", chain_4, bars_4);
}


// ---- bounds

// A ball on a rope falls, is caught, swings, and is slack again: never longer than the rope, which never pushes.
TEST(bounds, of_a_rope_hold) {
    sinew::world<config<double>, sinew::particle_body_rope> w;
    w.gravity = {0, -9.81, 0};
    auto const p = w.add(sinew::particle<double>{2, {0.5, 0.5, 0}, {1, 3, 0}});
    auto const rope = w.add(sinew::particle_body_rope<double>{.length = 1}, p, w.ground());
    int taut = 0, slack = 0;
    for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(w.step(1.0 / 60));
        EXPECT_LE(norm(w.position(p)), 1 + 1e-6);
        EXPECT_GE(w.multipliers(rope)[0], 0);
        (w.multipliers(rope)[0] > 0 ? taut : slack) += 1;
    }
    EXPECT_GT(slack, 10);
    EXPECT_GT(taut, 300);
}
// Boxes stacked on a floor by one-sided rows on points: the weights are carried, exactly.
template <class S>
struct above {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::point_mass, sinew::point_mass>;
    constexpr auto error(auto const& a, auto const& b) const { return a.position.y() - b.position.y() - S(1); }
    constexpr auto limits() const { return sinew::pushing<S, 1>(); }
};
template <class S>
struct above_floor {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::point_mass>;
    constexpr auto error(auto const& a) const { return a.position.y(); }
    constexpr auto limits() const { return sinew::pushing<S, 1>(); }
};
TEST(bounds, of_a_stack_carry_its_weight) {
    sinew::world<config<double>, above, above_floor> w;
    w.gravity = {0, -9.81, 0};
    std::vector<decltype(w)::particle_handle> p;
    for (int i = 0; i < 10; ++i) p.push_back(w.add(sinew::particle<double>{1.0 + i % 3, {0, 1.5 * i + 0.3, 0}, {}}));
    auto const floor = w.add(above_floor<double>{}, p[0]);
    for (std::size_t i = 1; i < p.size(); ++i) w.add(above<double>{}, p[i], p[i - 1]);
    for (int i = 0; i < 240; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(w.position(p[i]).y(), static_cast<double>(i), 1e-12);
    EXPECT_NEAR(w.multipliers(floor)[0], 9.81 * (4 * 1 + 3 * 2 + 3 * 3), 1e-9);
    // Thrown up, all of them leave.
    for (auto h : p) w.set_velocity(h, {0, 1, 0});
    ASSERT_TRUE(w.step(1.0 / 60));
    EXPECT_EQ(w.multipliers(floor)[0], 0);
}
// A hinge with a stop at 30 degrees below the horizontal; the rod falls onto it and stays.
TEST(bounds, of_an_angle_hold_a_rod_up) {
    sinew::world<config<double>, sinew::hinge_joint, sinew::angle_limit> w;
    w.gravity = {0, -9.81, 0};
    auto const a = w.add(box<double>(1, {0.5, 0, 0}));
    auto const& ground = w.pose(w.ground());
    w.add(sinew::hinge_joint<double>::at(ground, w.pose(a), {0, 0, 0}, {0, 0, 1}), w.ground(), a);
    double const stop = sinew::pi_v<double> / 6;
    auto const limit = w.add(sinew::angle_limit<double>::at(ground, w.pose(a), {0, 0, 1}, -stop, 1.0), w.ground(), a);
    double lowest = 0;
    for (int i = 0; i < 300; ++i) {
        ASSERT_TRUE(w.step(1.0 / 60));
        lowest = std::min(lowest, std::atan2(w.position(a).y(), w.position(a).x()));
    }
    EXPECT_NEAR(lowest, -stop, 1e-9);
    EXPECT_NEAR(std::atan2(w.position(a).y(), w.position(a).x()), -stop, 1e-9);
    EXPECT_NEAR(std::abs(w.multipliers(limit)[0]), 9.81 * 0.5 * std::cos(stop), 1e-6);
}
// A motor turns a wheel at its speed, as far as its torque goes.
TEST(bounds, of_a_motor_are_its_torque) {
    sinew::world<config<double>, sinew::hinge_joint, sinew::motor_joint> w;
    w.gravity = {0, 0, 0};
    auto const a = w.add(box<double>(1, {0, 0, 0}));
    w.add(sinew::hinge_joint<double>::at(w.pose(w.ground()), w.pose(a), {0, 0, 0}, {0, 0, 1}), w.ground(), a);
    sinew::motor_joint<double> motor;
    motor.angular_velocity = {0, 0, 10};
    motor.max_force = {0, 0, 0};
    motor.max_torque = {0, 0, 0.5};
    auto const m = w.add(motor, w.ground(), a);
    double const inertia = w.body(a).inertia.zz;
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(w.step(0.01));
    EXPECT_NEAR(w.twist(a).angular.z(), 0.1 * 0.5 / inertia, 1e-12);
    EXPECT_NEAR(w.multipliers(m)[5], 0.5, 1e-12);
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(w.step(0.01));
    EXPECT_NEAR(w.twist(a).angular.z(), 10, 1e-12);
    EXPECT_NEAR(w.multipliers(m)[5], 0, 1e-9);
}

// ---- redundant rows, moving normals

// A plate of 2 kg on four hinges about one axis: twenty rows of which five are independent.
TEST(redundant_rows, are_set_aside) {
    sinew::world<config<double>, sinew::hinge_joint> w;
    w.gravity = {0, -9.81, 0};
    auto const a = w.add(box<double>(2, {0.5, 0, 0}));
    for (int i = 0; i < 4; ++i) w.add(sinew::hinge_joint<double>::at(w.pose(w.ground()), w.pose(a), {0, 0, 0.1 * i}, {0, 0, 1}), w.ground(), a);
    sinew::world<config<double>, sinew::hinge_joint> one;
    one.gravity = w.gravity;
    auto const b = one.add(box<double>(2, {0.5, 0, 0}));
    one.add(sinew::hinge_joint<double>::at(one.pose(one.ground()), one.pose(b), {0, 0, 0}, {0, 0, 1}), one.ground(), b);
    for (int i = 0; i < 120; ++i) {
        auto const report = w.step(1.0 / 60);
        ASSERT_TRUE(report);
        EXPECT_FALSE(report.full_rank);
        ASSERT_TRUE(one.step(1.0 / 60));
    }
    EXPECT_LT(w.constraint_error(), 1e-10);
    EXPECT_LT(norm(w.position(a) - one.position(b)), 1e-8);
}
TEST(a_moving_normal, is_held_and_its_wrench_is_the_weight) {
    sinew::world<config<double>, sinew::scalar_point_to_point> w;
    w.gravity = {0, -9.81, 0};
    auto const a = w.add(box<double>(2, {0.5, 0, 0}));
    auto const joint = w.add(sinew::scalar_point_to_point<double>{{}, {-0.5, 0, 0}}, w.ground(), a);
    for (int i = 0; i < 6000; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    EXPECT_LT(w.constraint_error(), 1e-6);
    EXPECT_NEAR(w.position(a).y(), -0.5, 1e-3);
    EXPECT_NEAR(w.wrench_on(joint, 1).force.y(), 2 * 9.81, 0.1);
}

// ---- momentum

TEST(momentum, is_kept) {
    auto const drift = [](bool geometric_stiffness, int iterations, auto const& constants) {
        sinew::world<config<double>, sinew::ball_joint, soft_ball> w;
        w.gravity = {0, 0, 0};
        w.solver.geometric_stiffness = geometric_stiffness;
        w.solver.iterations = iterations;
        w.solver.constants = constants;
        auto const a = w.add(box<double>(1, {0.5, 0, 0})), b = w.add(box<double>(3, {1.5, 0, 0})), c = w.add(box<double>(2, {2.5, 0, 0}));
        w.add(sinew::ball_joint<double>{{0.5, 0, 0}, {-0.5, 0, 0}}, a, b);
        w.add(soft_ball<double>::with({{0.5, 0, 0}, {-0.5, 0, 0}}, 1e-3), b, c);
        w.set_twist(a, {{0, 1, 0}, {3, -1, 2}});
        w.set_twist(c, {{0, 0, 2}, {0, 1, 0}});
        auto const p = w.linear_momentum(), l = w.angular_momentum();
        for (int i = 0; i < 200; ++i) EXPECT_TRUE(w.step(0.01));
        return std::array<double, 2>{norm(w.linear_momentum() - p), norm(w.angular_momentum() - l) / norm(l)};
    };
    auto const euler = sinew::implicit_euler_constants<double>();
    auto const trapezoid = sinew::trapezoid_constants<double>();
    for (bool g : {false, true})
        for (int iterations : {1, 3}) {
            EXPECT_LT(drift(g, iterations, euler)[0], 1e-12);
            EXPECT_LT(drift(g, iterations, trapezoid)[0], 1e-12);
        }
    std::printf("angular momentum lost in 2 s at h = 0.01: euler %.3g, trapezoid %.3g, directions of the start %.3g (1 iteration), %.3g (3)\n", drift(true, 3, euler)[1],
                drift(true, 3, trapezoid)[1], drift(false, 1, euler)[1], drift(false, 3, euler)[1]);
}

// ---- housekeeping

// Bodies and constraints come and go; the graph follows.
TEST(the_graph, follows_what_is_added_and_removed) {
    sinew::world<config<double>, sinew::ball_joint> w;
    w.gravity = {0, -9.81, 0};
    auto const a = w.add(box<double>(1, {0.5, 0, 0}));
    auto const pin = w.add(sinew::ball_joint<double>{{}, {-0.5, 0, 0}}, w.ground(), a);
    ASSERT_TRUE(w.step(0.01));
    auto const b = w.add(box<double>(1, w.pose(a).point(vec3<double>{1, 0, 0})));
    w.set_pose(b, {w.pose(a).point(vec3<double>{1, 0, 0}), w.pose(a).rotation});
    w.add(sinew::ball_joint<double>{{0.5, 0, 0}, {-0.5, 0, 0}}, a, b);
    ASSERT_TRUE(w.step(0.01));
    EXPECT_LT(w.constraint_error(), 1e-9);
    w.remove(pin);
    auto const p = w.linear_momentum();
    ASSERT_TRUE(w.step(0.01));
    EXPECT_LT(w.constraint_error(), 1e-9);
    EXPECT_LT(norm(w.linear_momentum() - p - vec3<double>{0, -2 * 9.81 * 0.01, 0}), 1e-12);
    w.solver.geometric_stiffness = false;
    ASSERT_TRUE(w.step(0.01));
}
TEST(tuning_numbers, are_checked_and_compared) {
    sinew::world<config<double>, sinew::ball_joint> w, v;
    EXPECT_TRUE(w.solver == v.solver);
    w.solver.iterations = 0;
    EXPECT_STREQ(w.solver.fault().name, "solver.iterations");
    EXPECT_FALSE(w.solver == v.solver);
    w.solver.iterations = 1;
    w.solver.constants.gamma = 0;
    EXPECT_STREQ(w.solver.fault().name, "solver.constants.gamma");
    w.solver.constants = {1, 1, 2, 1, 1, 1};
    EXPECT_STREQ(w.solver.fault().name, "solver.constants.eta");
    w.solver.constants = sinew::theta_constants(0.75);
    EXPECT_EQ(w.solver.fault().name, nullptr);
}

}  // namespace
