// Gravity: the field's strength, action and reaction, and forces that are gradients.

#include "force_cases.hpp"

#include <sinew/body/gravity.hpp>

#include <limits>

namespace {

using namespace force_cases;

constexpr unsigned seed = 41;
template <class R>
class gravities : public testing::Test {};
using rotations = testing::Types<quaternion<double>, rotation_matrix<double>, rotation_vector<double>>;
TYPED_TEST_SUITE(gravities, rotations);

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TYPED_TEST(gravities, uniform) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20; ++i) {
        auto const b = random_body<rigid, TypeParam>(random);
        auto const p = random_body<point_mass, TypeParam>(random);
        vec3<double> const g = random_vec(random);
        uniform_gravity<double> const f{g};
        uniform_gravity<dual<double, 6>> const fd{cast<dual<double, 6>>(g)};
        EXPECT_EQ(f.wrench_on(b, 0.0).force, b.mass * g);
        expect_conservative(f, fd, b, 20);
        expect_conservative(f, fd, p, 20);
    }
}

TYPED_TEST(gravities, point) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20; ++i)
        for (double const softening : {0.0, 0.5}) {
            auto const b = random_body<rigid, TypeParam>(random);
            auto const p = random_body<point_mass, TypeParam>(random);
            vec3<double> const c = random_vec(random);
            point_gravity<double> const f{c, 3.0, softening};
            point_gravity<dual<double, 6>> const fd{cast<dual<double, 6>>(c), 3.0, softening};
            double const k = 1 / norm(b.pose.position - c), l = 1 / norm(p.position - c);
            expect_conservative(f, fd, b, 50 * (1 + k * k * k));
            expect_conservative(f, fd, p, 50 * (1 + l * l * l));
        }
}

template <class F, class FD, class A, class B>
void expect_laws(F const& f, FD const& fd, A const& a, B const& b) {
    double const k = 1 / norm(center_of(a) - center_of(b));
    double const scale = 100 * (1 + k * k * k);
    expect_reaction(f, a, b, scale);
    expect_conservative(f, fd, a, b, scale);
}

TYPED_TEST(gravities, pairwise) {
    using D = dual<double, 12>;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20; ++i)
        for (double const softening : {0.0, 0.5}) {
            auto const a = random_body<rigid, TypeParam>(random), b = random_body<rigid, TypeParam>(random);
            auto const p = random_body<point_mass, TypeParam>(random), q = random_body<point_mass, TypeParam>(random);
            expect_laws(newton_gravity<double>{2.0, softening}, newton_gravity<D>{2.0, softening}, a, b);
            expect_laws(particle_newton_gravity<double>{2.0, softening}, particle_newton_gravity<D>{2.0, softening}, p, q);
            expect_laws(rigid_particle_newton_gravity<double>{2.0, softening}, rigid_particle_newton_gravity<D>{2.0, softening}, a, q);
            // It attracts.
            EXPECT_GT(dot((newton_gravity<double>{2.0, softening}.wrenches(a, b, 0.0)[0].force), b.pose.position - a.pose.position), 0);
        }
}

// The Earth's gravitational parameter 3.986004418e14 m^3/s^2 and its equatorial radius 6378137 m (WGS 84) give 9.798 m/s^2.
TEST(gravity, at_the_earths_surface) {
    particle<double> const apple{0.1, {6378137, 0, 0}, {0, 0, 0}};
    point_gravity<double> const earth{{0, 0, 0}, 3.986004418e14};
    EXPECT_NEAR(earth.wrench_on(apple, 0.0).force[0] / apple.mass, -9.798285, 1e-6);
    // The same from the mass of the Earth, 5.9722e24 kg (IAU), to the accuracy of G.
    particle<double> const planet{5.9722e24, {0, 0, 0}, {0, 0, 0}};
    EXPECT_NEAR(particle_newton_gravity<double>{}.wrenches(apple, planet, 0.0)[0].force[0] / apple.mass, -9.7983, 2e-3);
    // Also in float, whose range the products of these numbers would leave: m_a m_b for two planets is 3.6e49.
    particle<float> const a{5.9722e24f, {0, 0, 0}, {0, 0, 0}}, b{5.9722e24f, {3.844e8f, 0, 0}, {0, 0, 0}};
    float const f = particle_newton_gravity<float>{}.wrenches(a, b, 0.0f)[0].force[0];
    EXPECT_NEAR(f / 1.6110e22f, 1, 1e-3f);  // G m^2 / r^2
    particle<float> const moon{7.346e22f, {3.844e8f, 0, 0}, {0, 0, 0}};
    EXPECT_NEAR((point_gravity<float>{{0, 0, 0}, 3.986004e14f}.wrench_on(moon, 0.0f).force[0] / -1.9817e20f), 1, 1e-3f);
}

// A circular orbit: the pull is the centripetal force m v^2 / r at v^2 = mu / r.
TEST(gravity, circular_orbit) {
    particle<double> const satellite{2, {0, 4, 0}, {1.5, 0, 0}};
    point_gravity<double> const f{{0, 0, 0}, 9.0};
    EXPECT_DOUBLE_EQ(f.wrench_on(satellite, 0.0).force[1], -2 * 1.5 * 1.5 / 4);
    EXPECT_DOUBLE_EQ(f.energy(satellite), -2 * 9.0 / 4);
}

TEST(gravity, at_no_distance_nothing_happens) {
    particle<double> const a{2, {1, 2, 3}, {0, 0, 0}};
    rigid_body<double> b;
    b.pose.position = {1, 2, 3};
    for (double const softening : {0.0, 0.1}) {
        point_gravity<double> const f{{1, 2, 3}, 9.0, softening};
        EXPECT_EQ(f.wrench_on(a, 0.0).force, (vec3<double>{0, 0, 0}));
        EXPECT_EQ(f.wrench_on(b, 0.0).force, (vec3<double>{0, 0, 0}));
        EXPECT_TRUE(std::isfinite(f.energy(a)));
        auto const w = rigid_particle_newton_gravity<double>{1.0, softening}.wrenches(b, a, 0.0);
        EXPECT_EQ(w[0].force, (vec3<double>{0, 0, 0}));
        EXPECT_TRUE(finite(w[1]));
        // Also with derivatives.
        dual<double, 6> const e = point_gravity<dual<double, 6>>{{1, 2, 3}, 9.0, softening}.energy(seeded<6, 0>(a));
        EXPECT_TRUE(isfinite(e));
    }
}

// Softened, the field is greatest at s / sqrt(2), with 2 mu / (3 sqrt(3) s^2) (Plummer's sphere).
TEST(gravity, softened_field_has_its_maximum) {
    double const s = 0.5;
    point_gravity<double> const f{{0, 0, 0}, 1.0, s};
    auto const pull = [&](double r) { return -f.wrench_on(particle<double>{1, {r, 0, 0}, {0, 0, 0}}, 0.0).force[0]; };
    double const r = s / std::sqrt(2.0);
    EXPECT_NEAR(pull(r), 2 / (3 * std::sqrt(3.0) * s * s), 1e-15);
    EXPECT_LT(pull(r * 1.01), pull(r));
    EXPECT_LT(pull(r * 0.99), pull(r));
}

TEST(gravity, faults_are_named) {
    EXPECT_EQ(faulty(uniform_gravity<double>{}), "");
    EXPECT_EQ(faulty(uniform_gravity<double>{{0, nan, 0}}), "acceleration");
    EXPECT_EQ(faulty(point_gravity<double>{}), "");
    EXPECT_EQ(faulty(point_gravity<double>{{nan, 0, 0}}), "center");
    EXPECT_EQ(faulty(point_gravity<double>{{0, 0, 0}, nan}), "parameter");
    EXPECT_EQ(faulty(point_gravity<double>{{0, 0, 0}, 1, -1}), "softening");
    EXPECT_EQ(faulty(newton_gravity<double>{}), "");
    EXPECT_EQ(faulty(newton_gravity<double>{nan}), "constant");
    EXPECT_EQ(faulty(newton_gravity<double>{1.0, nan}), "softening");
}

static_assert(unary_force_for<uniform_gravity<float>, float> && unary_force_for<point_gravity<double>, double>);
static_assert(bound_force_for<newton_gravity<double>, double> && bound_force_for<particle_newton_gravity<long double>, long double>);
static_assert(uniform_gravity<double>{}.wrench_on(particle<double>{2, {0, 0, 0}, {0, 0, 0}}, 0.0).force == vec3<double>{0, -19.6133, 0});

}  // namespace
