// Applied forces: where they act, and in whose frame.

#include "force_cases.hpp"

#include <sinew/body/applied_force.hpp>

#include <limits>

namespace {

using namespace force_cases;

constexpr unsigned seed = 53;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(applied_forces, constant_force_is_the_gradient_of_its_energy) {
    using D = dual<double, 6>;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20; ++i) {
        auto const b = random_body<rigid, quaternion<double>>(random);
        vec3<double> const force = random_vec(random), anchor = random_vec(random);
        auto const w = constant_force<double>{force, anchor}.wrenches(b, 0.0);
        EXPECT_EQ(w[0].force, force);
        expect_gradient<6, 0>(w[0], b, constant_force<D>{cast<D>(force), cast<D>(anchor)}.energy(seeded<6, 0>(b)), 100);
        auto const p = random_body<point_mass, quaternion<double>>(random);
        EXPECT_EQ((particle_constant_force<double>{force, anchor}.wrenches(p, 0.0)[0]), (wrench<double>{force, {0, 0, 0}}));
    }
}

TEST(applied_forces, a_thruster_turns_with_its_body) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20; ++i) {
        auto b = random_body<rigid, quaternion<double>>(random);
        thruster<double> const f{random_vec(random), random_vec(random), random_vec(random)};
        wrench<double> const w = f.wrenches(b, 0.0)[0];
        EXPECT_LE(norm(w.force - b.pose.direction(f.force)), 1e-14);
        vec3<double> const expected = force_at(w.force, b.pose.point(f.anchor), b.pose.position).torque + b.pose.direction(f.torque);
        EXPECT_LE(norm(w.torque - expected), 1e-13);
    }
}

TEST(applied_forces, faults_are_named) {
    EXPECT_EQ(faulty(constant_force<double>{}), "");
    EXPECT_EQ(faulty(constant_force<double>{{nan, 0, 0}}), "force");
    EXPECT_EQ(faulty(constant_force<double>{{0, 0, 0}, {0, 0, nan}}), "anchor");
    EXPECT_EQ(faulty(thruster<double>{}), "");
    EXPECT_EQ(faulty(thruster<double>{{nan, 0, 0}}), "force");
    EXPECT_EQ(faulty(thruster<double>{{0, 0, 0}, {nan, 0, 0}}), "torque");
    EXPECT_EQ(faulty(thruster<double>{{0, 0, 0}, {0, 0, 0}, {nan, 0, 0}}), "anchor");
}

static_assert(bound_force_for<constant_force<double>, double> && bound_force_for<particle_constant_force<float>, float> && bound_force_for<thruster<double>, double>);

}  // namespace
