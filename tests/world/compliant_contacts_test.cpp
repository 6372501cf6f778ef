// Contacts under compliant_implicit: what lies is still, with few linear systems a step, however it has come there. A box that slides and turns on its face leaves its four points
// with friction that says four different things; a stack has more points than what holds it.

#include "gradients_scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace {

using namespace gradients_scene;

template <class S>
struct stack {
    sinew::world<config<S, compliant_implicit>, box, half_space> world{};
    std::vector<handle<rigid>> boxes{};

    // `count` boxes, one on the other, on a plane that is tilted by so much about z.
    stack(int count, double tilt, twist<S> const& motion) {
        auto const axes = quaternion_exp(vec3<S>{S(0), S(0), number<S>(-tilt)});
        vec3<S> const up = rotate(axes, vec3<S>{S(0), S(1), S(0)});
        auto const surface = surface_of<S>(number<S>(0.5));
        world.add(half_space<S>{up, S(0)}, world.ground(), surface);
        for (int k = 0; k < count; ++k) boxes.push_back(world.add_solid(box<S>{{number<S>(0.25), number<S>(0.125), number<S>(0.25)}}, S(50), {up * number<S>(0.125 + 0.25 * k), axes}, surface, motion));
    }
    // The most linear systems of a step.
    int go(int steps) {
        int most = 0;
        for (int i = 0; i < steps; ++i) {
            auto const report = world.step(S(1) / S(120));
            EXPECT_TRUE(report);
            most = std::max(most, report.iterations);
        }
        return most;
    }
    [[nodiscard]] double fastest() const {
        double speed = 0;
        for (auto const& b : boxes) speed = std::max({speed, static_cast<double>(norm(world.twist(b).linear)), static_cast<double>(norm(world.twist(b).angular))});
        return speed;
    }
};
template <class S>
struct compliant_contacts : testing::Test {
    static constexpr double place = static_cast<double>(epsilon_v<S>);  // m, a last place of a metre
};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(compliant_contacts, scalars, );

TYPED_TEST(compliant_contacts, of_what_has_slid_and_turned_come_to_rest) {
    using S = TypeParam;
    stack<S> one(1, 0, {{number<S>(1.5), S(0), number<S>(0.1)}, {S(0), number<S>(0.5), S(0)}});
    one.go(90);
    for (auto const& e : one.world.contacts()) {
        S const bound = number<S>(0.5) * e.lambda[0];
        EXPECT_LT(std::abs(e.lambda[1]), bound / S(2)) << "rubs against the other points";
        EXPECT_LT(std::abs(e.lambda[2]), bound / S(2)) << "rubs against the other points";
    }
    auto const before = one.world.pose(one.boxes[0]);
    EXPECT_LE(one.go(300), 2 * one.world.solver.iterations);
    EXPECT_LT(one.fastest(), 4 * this->place * 120);
    EXPECT_LT(norm(one.world.pose(one.boxes[0]).position - before.position), 8 * this->place);
}
TYPED_TEST(compliant_contacts, of_a_stack_that_has_slid_come_to_rest) {
    using S = TypeParam;
    stack<S> ten(10, 0, {{S(1), S(0), S(0)}, {S(0), number<S>(0.5), S(0)}});
    ten.go(720);
    EXPECT_LE(ten.go(120), 4 * ten.world.solver.iterations);
    EXPECT_LT(ten.fastest(), 16 * this->place * 120);
}
// Whatever a friction that gives lets through in a step, it is not to be let through in the next again.
TYPED_TEST(compliant_contacts, do_not_creep_on_a_slope) {
    using S = TypeParam;
    for (int const iterations : {1, 2, 3, 6}) {
        stack<S> slope(3, 20 * 3.141592653589793 / 180, {});
        slope.world.solver.iterations = iterations;
        slope.go(240);
        auto const before = slope.world.pose(slope.boxes[2]).position;
        slope.go(1200);
        EXPECT_LT(norm(slope.world.pose(slope.boxes[2]).position - before), 32 * this->place) << iterations;
    }
}

// Four points under a box are of a rank of three, in the solve for the velocities of the end too, which theta < 1 has: without a trace it is singular.
TEST(compliant_stacks, gain_no_energy_whatever_theta) {
    std::uint32_t const seed = 20261130;
    std::mt19937 random(seed);
    auto const u = [&] { return static_cast<double>(random()) / 2147483648.0 - 1; };
    for (double const theta : {0.5, 0.6, 0.8, 1.0})
        for (int run = 0; run < 10; ++run) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << ", theta " << theta << ", run " << run);
            sinew::world<config<double, compliant_implicit>, box, half_space> w;
            w.solver.constants = theta_constants<double>(theta);
            auto const surface = surface_of(0.5);
            w.add(half_space<double>{}, w.ground(), surface);
            for (int k = 0; k < 4; ++k) {
                vec3<double> const at{0.02 * u(), 0.125 + 0.25 * k, 0.01 * u()}, v{1.5, 0, 0.1 * u()}, spin{0, 0.5 * u(), 0};
                w.add_solid(box<double>{{0.25, 0.125, 0.25}}, 50.0, {at, {}}, surface, {v, spin});
            }
            double before = w.energy();
            for (int i = 0; i < 100; ++i) {
                ASSERT_TRUE(w.step(0.01));
                double const now = w.energy();
                ASSERT_LT(now - before, 1e-3 * std::abs(before)) << "step " << i;
                before = now;
            }
        }
}
// A heap whose rows stall gives more: itself, and nothing that has a motor.
// Under the push of a hard hit a body tips over the point that bears it by more than a right angle a step, if the push goes with it. Bodies that fall, of all kinds and ways.
struct thrown {
    vec3<double> half;
    pose<double> from;
    twist<double> motion;

    explicit thrown(unsigned seed) {
        std::mt19937 engine(seed);
        auto const in = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine); };
        auto const vector = [&](double lo, double hi) { return vec3<double>{in(lo, hi), in(lo, hi), in(lo, hi)}; };
        half = vector(0.05, 0.35);
        from = {{0, 0.8, 0}, quaternion_exp(vector(-2, 2))};
        motion = {vector(-3, 3) - vec3<double>{0, 8, 0}, vector(-10, 10)};
    }
};
template <class W>
void expect_to_gain_nothing(W& w) {
    double const before = w.energy();
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(w.step(1.0 / 60));
        ASSERT_LT(w.energy(), before * (1 + 1e-9)) << "step " << i;
    }
}
TEST(compliant_hits, return_no_more_than_fell) {
    for (int const iterations : {2, 3, 6})
        for (double const friction : {0.0, 0.1, 0.6})
            for (unsigned seed = 0; seed < 100; ++seed) {
                SCOPED_TRACE(testing::Message() << "seed " << seed << ", friction " << friction << ", iterations " << iterations);
                thrown const t(seed);
                sinew::world<config<double, compliant_implicit>, box, capsule, half_space> w;
                w.solver.iterations = iterations;
                auto const surface = surface_of<double>(friction);
                w.add(half_space<double>{}, w.ground(), surface);
                if (seed % 2 == 0)
                    w.add_solid(capsule<double>{t.half[0], t.half[1]}, 50.0, t.from, surface, t.motion);
                else
                    w.add_solid(box<double>{t.half}, 50.0, t.from, surface, t.motion);
                expect_to_gain_nothing(w);
            }
}
/// A point of a body stays above the ground: a constraint that pushes, and knows nothing of contacts.
template <class S>
struct above_ground {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid>;
    vec3<S> anchor{};
    [[nodiscard]] constexpr auto error(auto const& body) const { return stack_rows(body.point(anchor)[1]); }
    [[nodiscard]] constexpr bounds<S, 1> limits() const { return {{S(0)}, {infinity_v<S>}}; }
};
TEST(compliant_hits, on_constraints_of_ones_own_return_no_more_either) {
    for (int const iterations : {2, 3, 6})
        for (unsigned seed = 0; seed < 100; ++seed) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << ", iterations " << iterations);
            thrown const t(seed);
            sinew::world<config<double, compliant_implicit>, above_ground> w;
            w.solver.iterations = iterations;
            auto const body = w.add(rigid_body_of(solid_box(50.0, t.half * 2.0), t.from));
            ASSERT_TRUE(w.set_twist(body, t.motion));
            for (int corner = 0; corner < 8; ++corner) w.add(above_ground<double>{{(corner & 1 ? 1 : -1) * t.half[0], (corner & 2 ? 1 : -1) * t.half[1], (corner & 4 ? 1 : -1) * t.half[2]}}, body);
            expect_to_gain_nothing(w);
        }
}
// All of it in a step of a millisecond would be 150 m/s.
TEST(compliant_hits, push_apart_slowly_what_is_deep) {
    for (int const iterations : {1, 3}) {
        sinew::world<config<double, compliant_implicit>, box, half_space> w;
        w.solver.iterations = iterations;
        w.add(half_space<double>{}, w.ground());
        auto const body = w.add_solid(box<double>{{0.25, 0.25, 0.25}}, 50.0, {{0, 0.1, 0}, {}});
        for (int i = 0; i < 60; ++i) {
            ASSERT_TRUE(w.step(1e-3));
            ASSERT_LT(norm(w.twist(body).linear), 3.001) << "step " << i;
        }
        EXPECT_GT(w.position(body).y(), 0.25 - 1e-4);
    }
}
TEST(compliant_motors, hold_beside_a_heap) {
    sinew::world<config<double, compliant_implicit>, box, half_space, hinge_joint, powered_axis> w;
    auto const surface = surface_of(0.5);
    w.add(half_space<double>{}, w.ground(), surface);
    vec3<double> const at{0, 2, 0}, axis{0, 0, 1};
    auto const arm = w.add(rigid_body_of(solid_box(200.0, vec3<double>{1, 0.2, 0.2}), pose<double>{{0.5, 2, 0}, {}}));
    w.add(hinge_joint<double>::at(w.pose(w.ground()), w.pose(arm), at, axis), w.ground(), arm);
    w.add(powered_axis<double>::at(w.pose(w.ground()), w.pose(arm), axis, 0.0, 5000.0), w.ground(), arm);
    for (int k = 0; k < 16; ++k) {
        double const x = k;
        w.add_solid(box<double>{{0.25, 0.15, 0.2}}, 50.0, {{5 + 0.3 * std::sin(7 * x), 0.3 + 0.4 * x, 0.3 * std::cos(5 * x)}, quaternion_exp(vec3<double>{std::sin(x), std::cos(2 * x), std::sin(3 * x)})}, surface);
    }
    int most = 0;
    for (int i = 0; i < 300; ++i) {
        auto const report = w.step(1.0 / 60);
        ASSERT_TRUE(report);
        most = std::max(most, report.iterations);
        ASSERT_LT(std::abs(w.twist(arm).angular.z()), 1e-15) << i;
    }
    EXPECT_GT(most, 20) << "nothing has stalled";
    EXPECT_LT(norm(w.pose(arm).position - vec3<double>{0.5, 2, 0}), 1e-12);
}

// What a motor gives is a share of the weight of its own bodies: on a light link under a heavy load it counts by the ratio of both, in every step.
TEST(compliant_motors, hold_heavy_loads_by_light_links) {
    sinew::world<config<double, compliant_implicit>, hinge_joint, weld_joint, powered_axis> w;
    vec3<double> const at{0, 3, 0}, axis{0, 0, 1};
    auto const link = w.add(rigid_body_of(solid_box(0.1, vec3<double>{0.1, 0.1, 0.1}), pose<double>{at, {}}));
    w.add(hinge_joint<double>::at(w.pose(w.ground()), w.pose(link), at, axis), w.ground(), link);
    w.add(powered_axis<double>::at(w.pose(w.ground()), w.pose(link), axis, 0.0, 1e5), w.ground(), link);
    auto const load = w.add(rigid_body_of(solid_box(100.0, vec3<double>{1, 0.2, 0.2}), pose<double>{{0.5, 3, 0}, {}}));
    w.add(weld_joint<double>::at(w.pose(link), w.pose(load), {0.05, 3, 0}), link, load);
    for (int i = 0; i < 240; ++i) ASSERT_TRUE(w.step(1.0 / 120));
    EXPECT_LT(norm(w.pose(load).position - vec3<double>{0.5, 3, 0}), 1e-6);
}

/// {friction, speed, spin}
template <class S>
struct sliding_box {
    sinew::world<config<S, compliant_implicit>, box, half_space> world;
    handle<rigid> body{};

    void build(std::span<S const> p) {
        auto const surface = surface_of<S>(p[0]);
        world.add(half_space<S>{}, world.ground(), surface);
        body = world.add_solid(box<S>{{number<S>(0.25), number<S>(0.125), number<S>(0.25)}}, S(50), {{S(0), number<S>(0.135), S(0)}, {}}, surface, {{p[1], S(0), number<S>(0.1)}, {S(0), p[2], S(0)}});
    }
    bool step(std::size_t, std::span<S const> u) {
        if (!u.empty()) world.apply_wrench(body, {{u[0], S(0), S(0)}, {}});
        return static_cast<bool>(world.step(S(1) / S(120)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? mark_of(world.pose(body)) : S(0); }
};
TEST(gradients_of_a_sliding_box, are_those_of_differences) { expect_gradient<sliding_box>({0.4, 1.5, 0.5}, 120, 1e-6); }
TEST(gradients_of_a_sliding_box, are_the_same_backwards) {
    std::vector<double> pushes(120);
    for (std::size_t i = 0; i < pushes.size(); ++i) pushes[i] = 0.2 * std::sin(0.1 * static_cast<double>(i));
    expect_same_gradient<sliding_box>({0.4, 1.5, 0.5}, pushes, 120, 13);
}

}  // namespace
