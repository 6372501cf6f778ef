// Rigid bodies and particles: energy and momentum against the sum over their points, and the lists of what is bound.

#include <sinew/body/body.hpp>
#include <sinew/body/mass_properties.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using namespace sinew;

constexpr unsigned seed = 71;

static_assert(rigid::dof == 6 && point_mass::dof == 3);
static_assert(binds<rigid, point_mass, rigid>::size == 3 && binds<rigid, point_mass, rigid>::dof == 15);
static_assert(binds<rigid, point_mass, rigid>::offset(0) == 0 && binds<rigid, point_mass, rigid>::offset(1) == 6 && binds<rigid, point_mass, rigid>::offset(2) == 9);
static_assert(std::is_same_v<binds<rigid, point_mass>::kind<1>, point_mass>);

template <class R>
class bodies : public testing::Test {};
using representations = testing::Types<quaternion<float>, quaternion<double>, rotation_matrix<double>, rotation_vector<double>, quaternion<long double>>;
TYPED_TEST_SUITE(bodies, representations);

// A body made of points: its energy and momenta are the sums over the points as they move.
TYPED_TEST(bodies, energy_and_momenta_are_sums_over_points) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1, 1);
    auto const draw = [&] { return vec3<S>{static_cast<S>(any(random)), static_cast<S>(any(random)), static_cast<S>(any(random))}; };
    for (int i = 0; i < 10; ++i) {
        std::vector<mass_properties<S>> points;
        for (int k = 0; k < 7; ++k) points.push_back(mass_at(static_cast<S>(1 + any(random) / 2), draw()));
        auto const all = total(points);
        pose<S, TypeParam> const frame{draw(), rotation_exp<TypeParam>(draw())};
        rigid_body<S, TypeParam> b = rigid_body_of(all, frame);
        b.twist = {draw(), draw()};

        S energy = S(0);
        vec3<S> linear{}, angular{};
        for (auto const& p : points) {
            vec3<S> const x = b.pose.point(p.center - all.center);
            particle<S> const q{p.mass, x, b.twist.linear + cross(b.twist.angular, x - b.pose.position)};
            energy = energy + kinetic_energy(q);
            linear += linear_momentum(q);
            angular += angular_momentum(q);
        }
        S const e = 64 * epsilon_v<S> * S(10);
        EXPECT_LE(abs(kinetic_energy(b) - energy), e);
        EXPECT_LE(norm(linear_momentum(b) - linear), e);
        EXPECT_LE(norm(angular_momentum(b) - angular), e);
        EXPECT_LE(norm(spin(b) + cross(b.pose.position, linear_momentum(b)) - angular), e);
        EXPECT_LE(norm(world_inertia(b.inertia, b.pose.rotation) * b.twist.angular - spin(b)), e);
    }
}

TEST(body, a_new_body_is_a_unit_at_rest) {
    rigid_body<double> const b;
    EXPECT_EQ(b.mass, 1);
    EXPECT_EQ(b.pose, pose<double>{});
    EXPECT_EQ(kinetic_energy(b), 0);
    EXPECT_EQ(b, rigid_body<double>{});
    EXPECT_EQ(kinetic_energy(particle<double>{2, {0, 0, 0}, {3, 0, 0}}), 9);
}

}  // namespace
