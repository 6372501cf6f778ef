// Springs: Hooke's law, action and reaction between any two kinds of body, forces that are gradients, dampers that take energy.

#include "force_cases.hpp"

#include <sinew/body/spring.hpp>

#include <limits>

namespace {

using namespace force_cases;

constexpr unsigned seed = 47;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class R>
class springs : public testing::Test {};
using rotations = testing::Types<quaternion<double>, rotation_matrix<double>, rotation_vector<double>>;
TYPED_TEST_SUITE(springs, rotations);

template <class A, class B, class R>
void check_spring(std::mt19937& random) {
    using D = dual<double, 12>;
    std::uniform_real_distribution<double> any(0.1, 2);
    auto const a = random_body<A, R>(random);
    auto const b = random_body<B, R>(random);
    vec3<double> const ra = random_vec(random), rb = random_vec(random);
    double const length = any(random), k = 10 * any(random), c = any(random);
    double const scale = 1000 * (1 + 1 / norm(anchor_of(a, ra) - anchor_of(b, rb)));

    expect_conservative(spring_between<double, A, B>{ra, rb, length, k}, spring_between<D, A, B>{cast<D>(ra), cast<D>(rb), length, k}, a, b, scale);
    spring_between<double, A, B> const damped{ra, rb, length, k, c};
    expect_reaction(damped, a, b, scale);

    // What the damper adds takes power: the sum of force times velocity over both bodies.
    auto const with = damped.wrenches(a, b, 0.0), without = spring_between<double, A, B>{ra, rb, length, k}.wrenches(a, b, 0.0);
    auto const power = [](wrench<double> const& w, auto const& body) { return dot(w.force, velocity_of(body)) + dot(w.torque, angular_velocity_of(body)); };
    EXPECT_LE(power(with[0], a) - power(without[0], a) + power(with[1], b) - power(without[1], b), 1e-12 * scale);
}

TYPED_TEST(springs, laws) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20; ++i) {
        check_spring<rigid, rigid, TypeParam>(random);
        check_spring<rigid, point_mass, TypeParam>(random);
        check_spring<point_mass, rigid, TypeParam>(random);
        check_spring<point_mass, point_mass, TypeParam>(random);
    }
}

TYPED_TEST(springs, torsion_laws) {
    using D = dual<double, 12>;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 50; ++i) {
        auto const a = random_body<rigid, TypeParam>(random), b = random_body<rigid, TypeParam>(random);
        quaternion<double> const rest = quaternion_exp(random_vec(random));
        torsion_spring<D> fd;
        for (std::size_t k = 0; k < 4; ++k) fd.rest.set_coordinate(k, D(rest.coordinate(k)));
        fd.stiffness = 5;
        torsion_spring<double> const f{rest, 5};
        expect_conservative(f, fd, a, b, 1000);
        expect_reaction(torsion_spring<double>{rest, 5, 2}, a, b, 100);
        // The damper's power is -c |omega_b - omega_a|^2.
        auto const with = torsion_spring<double>{rest, 5, 2}.wrenches(a, b, 0.0), without = f.wrenches(a, b, 0.0);
        double const power = dot(with[0].torque - without[0].torque, a.twist.angular) + dot(with[1].torque - without[1].torque, b.twist.angular);
        EXPECT_NEAR(power, -2 * squared_norm(b.twist.angular - a.twist.angular), 1e-11);
    }
}

TEST(spring_forces, hookes_law) {
    particle<double> const a{1, {0, 0, 0}, {0, 0, 0}}, b{1, {3, 4, 0}, {0, 0, 0}};
    auto const w = particle_spring<double>{{}, {}, 2, 10}.wrenches(a, b, 0.0);
    EXPECT_DOUBLE_EQ(w[0].force[0], 10 * 3 * 0.6);
    EXPECT_DOUBLE_EQ(w[0].force[1], 10 * 3 * 0.8);
    EXPECT_DOUBLE_EQ((particle_spring<double>{{}, {}, 2, 10}.energy(a, b)), 45);
    // Shorter than at rest, it pushes.
    EXPECT_DOUBLE_EQ((particle_spring<double>{{}, {}, 6, 10}.wrenches(a, b, 0.0)[0].force[0]), -10 * 0.6);
}

TEST(spring_forces, damping_is_along_the_line) {
    particle<double> const a{1, {0, 0, 0}, {0, 0, 0}}, b{1, {2, 0, 0}, {3, 7, -5}};
    auto const w = particle_spring<double>{{}, {}, 2, 10, 0.5}.wrenches(a, b, 0.0);
    EXPECT_EQ(w[1].force, (vec3<double>{-1.5, 0, 0}));
}

// A turning body's anchor moves: its damper feels omega x r.
TEST(spring_forces, damping_feels_rotation) {
    rigid_body<double> a;
    a.twist.angular = {0, 0, 2};
    particle<double> const b{1, {1, 3, 0}, {0, 0, 0}};
    // The anchor at (1, 0, 0) moves up with 2 m/s, towards b.
    auto const w = rigid_particle_spring<double>{{1, 0, 0}, {}, 3, 10, 0.5}.wrenches(a, b, 0.0);
    EXPECT_EQ(w[0].force, (vec3<double>{0, -1, 0}));
    EXPECT_EQ(w[0].torque, (vec3<double>{0, 0, -1}));
}

TEST(spring_forces, at_no_distance_nothing_happens) {
    particle<double> const a{1, {1, 2, 3}, {1, 0, 0}}, b{1, {1, 2, 3}, {0, 1, 0}};
    auto const w = particle_spring<double>{{}, {}, 2, 10, 1}.wrenches(a, b, 0.0);
    EXPECT_EQ(w[0].force, (vec3<double>{0, 0, 0}));
    EXPECT_EQ(w[1].force, (vec3<double>{0, 0, 0}));
    EXPECT_DOUBLE_EQ((particle_spring<double>{{}, {}, 2, 10}.energy(a, b)), 20);
    using D = dual<double, 12>;
    EXPECT_TRUE(isfinite(particle_spring<D>{{}, {}, 2, 10}.energy(seeded<12, 0>(a), seeded<12, 6>(b))));
}

// About one axis the torsion spring is k times the angle, and at half a turn it is still finite.
TEST(spring_forces, torsion_about_one_axis) {
    rigid_body<double> a, b;
    for (double const angle : {-3.0, -0.5, 0.0, 1e-9, 0.5, 3.0}) {
        b.pose.rotation = rotation_about<quaternion<double>>({0, 0, 1}, angle);
        auto const w = torsion_spring<double>{quaternion<double>::identity(), 4}.wrenches(a, b, 0.0);
        EXPECT_NEAR(w[1].torque[2], -4 * angle, 1e-14);
        EXPECT_NEAR(w[0].torque[2], 4 * angle, 1e-14);
        EXPECT_NEAR((torsion_spring<double>{quaternion<double>::identity(), 4}.energy(a, b)), 2 * angle * angle, 1e-14);
    }
    b.pose.rotation = {0, 0, 0, 1};
    EXPECT_NEAR(std::abs(torsion_spring<double>{}.wrenches(a, b, 0.0)[1].torque[2]), 3.14159265358979324, 1e-15);
    // At rest in the frame of a, wherever a is.
    a.pose.rotation = quaternion_exp(vec3<double>{1, 2, -1});
    quaternion<double> const rest = quaternion_exp(vec3<double>{0.3, -0.5, 2});
    b.pose.rotation = a.pose.rotation * rest;
    EXPECT_LE(norm(torsion_spring<double>{rest, 1}.wrenches(a, b, 0.0)[0].torque), 1e-15);
}

// 2 Hz and a damping ratio of 1/4 on 3 kg: k = m (2 pi f)^2, c = 2 zeta m 2 pi f.
TEST(spring_forces, tuning) {
    auto const t = tuned_spring(2.0, 0.25, 3.0);
    EXPECT_NEAR(t.stiffness, 473.7410112522892, 1e-12);
    EXPECT_NEAR(t.damping, 18.84955592153876, 1e-13);
    EXPECT_DOUBLE_EQ(reduced_mass(2.0, 6.0), 1.5);
    // The period of the undamped spring is 1 / f: x'' = -(k / m) x.
    EXPECT_NEAR(2 * 3.14159265358979324 / std::sqrt(t.stiffness / 3), 0.5, 1e-15);
}

TEST(spring_forces, faults_are_named) {
    EXPECT_EQ(faulty(spring<double>{}), "");
    EXPECT_EQ(faulty(spring<double>{{nan, 0, 0}}), "anchor_a");
    EXPECT_EQ(faulty(spring<double>{{0, 0, 0}, {0, nan, 0}}), "anchor_b");
    EXPECT_EQ(faulty(spring<double>{{0, 0, 0}, {0, 0, 0}, -1}), "rest_length");
    EXPECT_EQ(faulty(spring<double>{{0, 0, 0}, {0, 0, 0}, 1, nan}), "stiffness");
    EXPECT_EQ(faulty(spring<double>{{0, 0, 0}, {0, 0, 0}, 1, 1, -1}), "damping");
    EXPECT_EQ(faulty(torsion_spring<double>{}), "");
    EXPECT_EQ(faulty(torsion_spring<double>{{2, 0, 0, 0}}), "rest");
    EXPECT_EQ(faulty(torsion_spring<double>{{nan, 0, 0, 0}}), "rest");
    EXPECT_EQ(faulty(torsion_spring<double>{{1, 0, 0, 0}, -1}), "stiffness");
    EXPECT_EQ(faulty(torsion_spring<double>{{1, 0, 0, 0}, 1, nan}), "damping");
}

static_assert(bound_force_for<spring<float>, float> && bound_force_for<particle_spring<double>, double> &&
              bound_force_for<rigid_particle_spring<double>, double> && bound_force_for<torsion_spring<long double>, long double>);
static_assert(particle_spring<double>{{}, {}, 1, 10}.wrenches(particle<double>{}, particle<double>{1, {3, 0, 0}, {0, 0, 0}}, 0.0)[0].force ==
              vec3<double>{20, 0, 0});

}  // namespace
