// Drag takes energy away from the motion through the medium, never gives it.

#include "force_cases.hpp"

#include <sinew/body/drag.hpp>

#include <limits>

namespace {

using namespace force_cases;

constexpr unsigned seed = 43;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(drag, linear) {
    rigid_body<double> b;
    b.twist = {{1, 2, 3}, {-1, 0, 2}};
    linear_drag<double> const f{0.5, 0.25, {1, 1, 1}};
    wrench<double> const w = f.wrench_on(b, 0.0);
    EXPECT_EQ(w.force, (vec3<double>{0, -0.5, -1}));
    EXPECT_EQ(w.torque, (vec3<double>{0.25, 0, -0.5}));
    EXPECT_EQ(f.wrench_on(particle<double>{1, {0, 0, 0}, {1, 2, 3}}, 0.0).force, w.force);
}

TEST(drag, quadratic) {
    rigid_body<double> b;
    b.twist = {{1, 4, 1}, {0, 3, 4}};
    quadratic_drag<double> const f{0.5, 0.25, {1, 1, -3}};
    wrench<double> const w = f.wrench_on(b, 0.0);
    EXPECT_EQ(w.force, (vec3<double>{0, -7.5, -10}));
    EXPECT_EQ(w.torque, (vec3<double>{0, -3.75, -5}));
    EXPECT_EQ(f.wrench_on(particle<double>{1, {0, 0, 0}, {1, 4, 1}}, 0.0).force, w.force);
}

// A sphere of 1 cm in air falls at 2 m g / (rho C_d A) under its square root: there, drag carries the weight.
TEST(drag, terminal_speed) {
    double const mass = 0.004, area = 3.14159265358979324 * 0.005 * 0.005;
    double const speed = std::sqrt(2 * mass * 9.80665 / (1.225 * 0.47 * area));
    quadratic_drag<double> const f{quadratic_drag_coefficient(1.225, 0.47, area)};
    EXPECT_NEAR(f.wrench_on(particle<double>{mass, {0, 0, 0}, {0, -speed, 0}}, 0.0).force[1], mass * 9.80665, 1e-15);
}

// In the frame of the medium the power is never positive: f . (v - u) + tau . omega <= 0, also without any motion.
TEST(drag, takes_power) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 1000; ++i) {
        auto b = random_body<rigid, quaternion<double>>(random);
        vec3<double> const u = random_vec(random);
        if (i % 3 == 0) b.twist.linear = u;
        if (i % 5 == 0) b.twist.angular = {0, 0, 0};
        particle<double> const p{b.mass, b.pose.position, b.twist.linear};
        auto const check = [&](auto const& f) {
            wrench<double> const w = f.wrench_on(b, 0.0);
            EXPECT_TRUE(finite(w));
            EXPECT_LE(dot(w.force, b.twist.linear - u), 0);
            EXPECT_LE(dot(w.torque, b.twist.angular), 0);
            EXPECT_EQ(f.wrench_on(p, 0.0).force, w.force);
        };
        check(linear_drag<double>{0.3, 0.2, u});
        check(quadratic_drag<double>{0.3, 0.2, u});
        // A medium at rest takes the power itself.
        EXPECT_LE(dot(linear_drag<double>{0.3, 0.2}.wrench_on(b, 0.0), b.twist), 0);
        EXPECT_LE(dot(quadratic_drag<double>{0.3, 0.2}.wrench_on(b, 0.0), b.twist), 0);
    }
}

// Its slope is finite at rest too, for implicit methods.
TEST(drag, derivative_at_rest) {
    using D = dual<double, 3>;
    particle<D> p;
    for (std::size_t i = 0; i < 3; ++i) p.velocity[i] = D::variable(0, i);
    auto const w = quadratic_drag<D>{0.3, 0.2}.wrench_on(p, D(0));
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(w.force[i].d[k], 0);
}

TEST(drag, faults_are_named) {
    EXPECT_EQ(faulty(linear_drag<double>{}), "");
    EXPECT_EQ(faulty(linear_drag<double>{-1, 0}), "linear");
    EXPECT_EQ(faulty(linear_drag<double>{1, nan}), "angular");
    EXPECT_EQ(faulty(linear_drag<double>{1, 1, {0, 0, nan}}), "medium_velocity");
    EXPECT_EQ(faulty(quadratic_drag<double>{}), "");
    EXPECT_EQ(faulty(quadratic_drag<double>{nan, 0}), "linear");
    EXPECT_EQ(faulty(quadratic_drag<double>{1, -1}), "angular");
    EXPECT_EQ(faulty(quadratic_drag<double>{1, 1, {nan, 0, 0}}), "medium_velocity");
}

static_assert(unary_force_for<linear_drag<float>, float> && unary_force_for<quadratic_drag<double>, double>);
static_assert(linear_drag<double>{2}.wrench_on(particle<double>{1, {0, 0, 0}, {1, 0, 0}}, 0.0).force == vec3<double>{-2, 0, 0});

}  // namespace
