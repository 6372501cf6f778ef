// Motor of all six degrees of freedom: derivatives and momentum on the velocity level; that it asks for what it says;
// that deviations decay at its rate; that force and torque are bounded, each axis apart; that it keeps momentum.

#include <sinew/constraint/motor_joint.hpp>
#include <sinew/constraint/soft.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>
#include <sinew/world/world.hpp>

#include <constraint/cases/motor_joint.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(motor_joint, Conformance, on_all_rotations<motor_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;
using motor = motor_joint<double>;

struct scene {
    body a, b, wanted;
    twist<double> ta;
    V u, w;
    explicit scene(std::uint64_t seed) {
        splitmix64 random{seed};
        a = random_pose<rigid, Q>(random, 1.0);
        b = random_pose<rigid, Q>(random, 1.0);
        wanted = random_pose<rigid, Q>(random, 1.0);
        ta = random_twist<rigid>(random, 1.0);
        u = random_vector(random, 1.0);
        w = random_vector(random, 1.0);
    }
    // The twist of b that has velocities u and w (axes of a) seen from a.
    twist<double> seen_from_a(V const& linear, V const& angular) const {
        return {ta.linear + cross(ta.angular, b.position - a.position) + a.direction(linear), ta.angular + a.direction(angular)};
    }
};

TEST(motor_joint, is_satisfied_at_its_target_by_its_velocities) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        auto c = motor::at(s.a, s.b, 5.0);
        EXPECT_LE(norm(c.rate(s.a, s.b, s.ta, s.seen_from_a({}, {}))), 1e-13);
        c.velocity = s.u;
        c.angular_velocity = s.w;
        EXPECT_LE(norm(c.rate(s.a, s.b, s.ta, s.seen_from_a(s.u, s.w))), 1e-13);
        auto const r = c.rate(s.a, s.b, s.ta, s.seen_from_a(2.0 * s.u, 3.0 * s.w));
        EXPECT_LE(norm(V{r[0], r[1], r[2]} - s.u), 1e-13);
        EXPECT_LE(norm(V{r[3], r[4], r[5]} - 2.0 * s.w), 1e-13);
    }
}

TEST(motor_joint, asks_for_a_speed_of_alpha_times_the_deviation) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        double const alpha = 3;
        auto const c = motor::at(s.a, s.b, s.wanted, alpha);
        V const p = s.a.local_point(s.b.position) - s.a.local_point(s.wanted.position);
        V const theta = s.a.local_direction(log(s.b.rotation * inverse(s.wanted.rotation)));
        auto const r = c.rate(s.a, s.b, twist<double>{}, twist<double>{});
        EXPECT_LE(norm(V{r[0], r[1], r[2]} - alpha * p), 1e-12);
        EXPECT_LE(norm(V{r[3], r[4], r[5]} - alpha * theta), 1e-12);
        // At the wanted pose nothing is left to ask for.
        EXPECT_LE(norm(c.rate(s.a, s.wanted, twist<double>{}, twist<double>{})), 1e-13);
    }
}

// Where b obeys, the deviation from a target that moves with u and w shrinks at the rate alpha, however a moves.
TEST(motor_joint, deviation_decays_at_the_rate_alpha) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        double const alpha = 3, h = 1e-5;
        auto c = motor::at(s.a, s.b, s.wanted, alpha);
        c.velocity = s.u;
        c.angular_velocity = s.w;
        V const theta = c.turn(s.a, s.b), p = s.a.local_point(s.b.position) - c.target.position;
        if (norm(theta) > 3.1) continue;
        auto const tb = s.seen_from_a(s.u - alpha * p, s.w - alpha * theta);
        ASSERT_LE(norm(c.rate(s.a, s.b, s.ta, tb)), 1e-13);
        auto const later = [&](double t) {
            body const a{s.a.position + t * s.ta.linear, turned(s.a.rotation, t * s.ta.angular)};
            body const b{s.b.position + t * tb.linear, turned(s.b.rotation, t * tb.angular)};
            auto moved = c;
            moved.target = {c.target.position + t * s.u, turned(c.target.rotation, t * s.w)};
            return std::pair{V(a.local_point(b.position) - moved.target.position), moved.turn(a, b)};
        };
        auto const after = later(h), before = later(-h);
        V const p_dot = (after.first - before.first) * (0.5 / h), theta_dot = (after.second - before.second) * (0.5 / h);
        EXPECT_LE(norm(p_dot + alpha * p), 1e-7);
        EXPECT_NEAR(dot(theta, theta_dot), -alpha * squared_norm(theta), 1e-6);
    }
}

TEST(motor_joint, bounds_force_and_torque_along_each_axis) {
    auto c = motor::at(body{}, body{}, 1.0, 2.0, 3.0);
    c.max_force[1] = 0;
    c.max_torque[2] = 7;
    EXPECT_EQ(c.limits().upper, (vec<double, 6>{2, 0, 2, 3, 3, 7}));
    EXPECT_EQ(c.limits().lower, (vec<double, 6>{-2, 0, -2, -3, -3, -7}));
    static_assert(is_bounded_v<motor, double> && !is_holonomic_v<motor, double>);
}

TEST(motor_joint, leaves_no_relative_degree_of_freedom) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        scene const s(seed);
        EXPECT_EQ(rank_of(motor::at(s.a, s.b, 1.0).jacobian(s.a, s.b)), 6);
    }
}

// lambda in the axes of a, on b; a takes the reaction on the same line.
TEST(motor_joint, pushes_b_along_the_axes_of_a) {
    scene const s(2);
    auto const w = transpose_times(motor::at(s.a, s.b, 1.0).jacobian(s.a, s.b), vec<double, 6>{1, 2, 3, 4, 5, 6});
    V const f = s.a.direction(V{1, 2, 3}), t = s.a.direction(V{4, 5, 6});
    EXPECT_LE(norm(V{w[6], w[7], w[8]} - f), 1e-14);
    EXPECT_LE(norm(V{w[9], w[10], w[11]} - t), 1e-14);
    EXPECT_LE(norm(V{w[0], w[1], w[2]} + f), 1e-14);
    EXPECT_LE(norm(V{w[3], w[4], w[5]} + t + cross(s.b.position - s.a.position, f)), 1e-13);
}

struct double_config : default_config {
    using scalar = double;
    using solver = nonlinear_gauss_seidel;
};
constexpr double step = 1.0 / 120;

rigid_body<double> block() {
    rigid_body<double> b;
    b.mass = 2;
    b.inertia = diagonal(0.2, 0.3, 0.4);
    return b;
}

// Driven against the ground, whatever the load, if the force is enough.
TEST(motor_joint, brings_a_body_to_its_target) {
    world<double_config, motor_joint> w;
    auto const b = w.add(block());
    body const wanted{{0.5, -0.3, 0.8}, rotation_about<Q>(V{1, 2, 3}, 2.5)};
    auto const c = motor::at(body{}, w.pose(b), wanted, 6.0);
    auto const h = w.add(c, w.ground(), b);
    double const p0 = norm(wanted.position), theta0 = norm(c.turn(body{}, w.pose(b)));
    w.solver.iterations = 20;
    for (int i = 1; i <= 360; ++i) {
        ASSERT_TRUE(w.step(step));
        // The implicit form of the decay: a factor 1 / (1 + alpha h) a step.
        double decay = 1;
        for (int k = 0; k < i; ++k) decay /= 1 + 6.0 * step;
        EXPECT_NEAR(norm(w.position(b) - wanted.position), p0 * decay, 1e-6);
        EXPECT_NEAR(norm(c.turn(body{}, w.pose(b))), theta0 * decay, 1e-3);
    }
    EXPECT_LE(norm(w.position(b) - wanted.position), 1e-6);
    EXPECT_LE(norm(c.turn(body{}, w.pose(b))), 1e-6);
    EXPECT_NEAR(w.multipliers(h)[1], 2 * 9.81, 1e-4);  // it bears the weight
}

TEST(motor_joint, follows_a_moving_target) {
    world<double_config, motor_joint> w;
    auto const b = w.add(block());
    auto c = motor::at(body{}, w.pose(b), 10.0);
    c.velocity = {0.5, 0.2, -0.1};
    c.angular_velocity = {0.3, -0.7, 0.4};
    auto const h = w.add(c, w.ground(), b);
    w.solver.iterations = 20;
    for (int i = 0; i < 240; ++i) {
        c.target = {c.target.position + step * c.velocity, turned(c.target.rotation, step * c.angular_velocity)};
        ASSERT_TRUE(w.set(h, c));
        ASSERT_TRUE(w.step(step));
        EXPECT_LE(norm(w.position(b) - c.target.position), 1e-6);
        EXPECT_LE(norm(c.turn(body{}, w.pose(b))), 1e-4);
    }
    EXPECT_LE(norm(w.twist(b).linear - c.velocity), 1e-5);
    EXPECT_LE(norm(w.twist(b).angular - c.angular_velocity), 1e-3);
}

// Too weak for the weight, it falls by what is left of it; along the other axes it holds.
TEST(motor_joint, gives_way_to_more_than_its_force) {
    world<double_config, motor_joint> w;
    auto const b = w.add(block());
    auto const h = w.add(motor::at(body{}, w.pose(b), 10.0, 15.0, 5.0), w.ground(), b);
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(w.step(step));
    EXPECT_NEAR(w.multipliers(h)[1], 15.0, 1e-12);
    EXPECT_NEAR(w.twist(b).linear.y(), 15.0 / 2 - 9.81, 1e-9);
    EXPECT_NEAR(w.position(b).x(), 0, 1e-12);
    EXPECT_NEAR(w.position(b).z(), 0, 1e-12);
}

// Axes without force are free: an upright hold that lets the body fall, slide and turn about the vertical.
TEST(motor_joint, leaves_free_what_has_no_force) {
    world<double_config, motor_joint> w;
    w.gravity = {0, 0, 0};
    auto body_of = block();
    body_of.twist = {{0.4, 0.5, 0.6}, {0, 2, 0}};
    auto const b = w.add(body_of);
    auto c = motor::at(body{}, w.pose(b), 10.0);
    c.max_force = {0, 0, 0};
    c.max_torque[1] = 0;
    w.add(c, w.ground(), b);
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(w.step(step));
    EXPECT_LE(norm(w.position(b) - V{0.4, 0.5, 0.6}), 1e-12);
    EXPECT_LE(norm(w.twist(b).angular - V{0, 2, 0}), 1e-9);
}

// Between two free bodies: they come to the relative pose, and momentum stays what it was.
TEST(motor_joint, keeps_momentum) {
    world<double_config, motor_joint> w;
    w.gravity = {0, 0, 0};
    auto first = block(), second = block();
    first.twist = {{0.3, 0.1, -0.2}, {0.5, -0.4, 0.3}};
    second.mass = 1;
    second.pose.position = {1, 0.5, 0};
    second.twist = {{-0.2, 0.4, 0.1}, {-0.1, 0.6, 0.2}};
    auto const a = w.add(first), b = w.add(second);
    auto const wanted = w.pose(a) * body{{0, 1, 0}, rotation_about<Q>(V{0, 0, 1}, 1.0)};
    auto const c = motor::at(w.pose(a), w.pose(b), wanted, 5.0, 50.0, 50.0);
    w.add(c, a, b);
    auto const spin = [&](auto handle, rigid_body<double> const& m) {
        auto const p = w.pose(handle);
        auto const t = w.twist(handle);
        return cross(p.position, m.mass * t.linear) + p.direction(m.inertia * p.local_direction(t.angular));
    };
    auto const linear = [&] { return 2.0 * w.twist(a).linear + 1.0 * w.twist(b).linear; };
    auto const angular = [&] { return spin(a, first) + spin(b, second); };
    V const p0 = linear(), l0 = angular();
    for (int i = 0; i < 480; ++i) {
        ASSERT_TRUE(w.step(step));
        EXPECT_LE(norm(linear() - p0), 1e-12);
        EXPECT_LE(norm(angular() - l0), 1e-10);
    }
    EXPECT_LE(norm(w.pose(a).local_point(w.position(b)) - c.target.position), 1e-3);
    EXPECT_LE(norm(c.turn(w.pose(a), w.pose(b))), 1e-3);
}

template <class S>
using soft_motor = soft_joint<S, motor_joint>;

TEST(motor_joint, may_be_soft) {
    static_assert(constraint_for<soft_motor<double>, double> && is_bounded_v<soft_motor<double>, double>);
    scene const s(3);
    auto const c = soft_motor<double>::with(motor::at(s.a, s.b, s.wanted, 2.0), 0.1);
    EXPECT_EQ(c.jacobian(s.a, s.b), c.joint.jacobian(s.a, s.b));
    EXPECT_EQ(c.fault().name, nullptr);
}

TEST(motor_joint, refuses_what_cannot_be) {
    double const inf = infinity_v<double>, nan = std::numeric_limits<double>::quiet_NaN();
    scene const s(1);
    auto const good = motor::at(s.a, s.b, s.wanted, 2.0, 0.0, inf);
    EXPECT_EQ(good.fault().name, nullptr);
    EXPECT_EQ(motor{}.fault().name, nullptr);
    auto const name_of = [&](auto spoil) {
        auto c = good;
        spoil(c);
        return std::string(c.fault().name == nullptr ? "" : c.fault().name);
    };
    EXPECT_EQ(name_of([](motor& c) { c.alpha = -1; }), "alpha");
    EXPECT_EQ(name_of([&](motor& c) { c.alpha = inf; }), "alpha");
    EXPECT_EQ(name_of([&](motor& c) { c.target.position[2] = nan; }), "target.position");
    EXPECT_EQ(name_of([&](motor& c) { c.target.rotation = {0, 0, 0, 0}; }), "target.rotation");
    EXPECT_EQ(name_of([&](motor& c) { c.velocity[0] = inf; }), "velocity");
    EXPECT_EQ(name_of([&](motor& c) { c.angular_velocity[1] = nan; }), "angular_velocity");
    EXPECT_EQ(name_of([&](motor& c) { c.max_force[1] = -1; }), "max_force");
    EXPECT_EQ(name_of([&](motor& c) { c.max_torque[2] = nan; }), "max_torque");
}

constexpr bool works_at_compile_time() {
    pose<double> const a{}, b{{1, 0, 0}, {}};
    auto const c = motor::at(a, b, 2.0);
    return c.rate(a, b, twist<double>{}, twist<double>{}) == vec<double, 6>{} && c == c;
}
static_assert(works_at_compile_time());

}  // namespace
