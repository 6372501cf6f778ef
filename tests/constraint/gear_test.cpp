// Gears: derivatives and momentum; which way the wheels turn; that turns are not lost.

#include <sinew/constraint/gear.hpp>
#include <sinew/math/fixed.hpp>

#include <constraint/cases/gear.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(gear, Conformance, on_all_rotations<gear_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;

constexpr V z{0, 0, 1};

body turned_about(body const& p, V const& axis, double angle) { return {p.position, rotation_about<Q>(axis, angle) * p.rotation}; }

struct train {
    body a, b, carrier;
    explicit train(std::uint64_t seed) {
        splitmix64 random{seed};
        a = random_pose<rigid, Q>(random, 1.0);
        b = random_pose<rigid, Q>(random, 1.0);
        carrier = random_pose<rigid, Q>(random, 1.0);
    }
};

TEST(gear, external_mesh_turns_oppositely_and_forgets_no_turn) {
    train const t(1);
    auto const c = gear<double>::at(t.a, t.b, t.carrier, z, z, 24, 36);
    EXPECT_EQ(c.fault().name, nullptr);
    // Ten turns of the small wheel, in steps that are no divisor of a turn.
    for (double phi = -31; phi < 31; phi += 0.37)
        EXPECT_NEAR(c.error(turned_about(t.a, z, phi), turned_about(t.b, z, -phi * 24 / 36), t.carrier), 0, 1e-13) << phi;
    EXPECT_NEAR(c.error(turned_about(t.a, z, 0.1), t.b, t.carrier), 0.1, 1e-14);
    EXPECT_NEAR(c.error(t.a, turned_about(t.b, z, 0.1), t.carrier), 0.15, 1e-14);
}

TEST(gear, internal_mesh_turns_the_same_way) {
    train const t(2);
    auto const c = gear<double>::at(t.a, t.b, t.carrier, z, z, 20, -60);
    EXPECT_EQ(c.fault().name, nullptr);
    for (double phi = -31; phi < 31; phi += 0.37)
        EXPECT_NEAR(c.error(turned_about(t.a, z, phi), turned_about(t.b, z, phi * 20 / 60), t.carrier), 0, 1e-13) << phi;
}

TEST(gear, bevel_gears_have_axes_of_their_own) {
    train const t(3);
    V const x{1, 0, 0};
    auto const c = gear<double>::at(t.a, t.b, t.carrier, z, x, 1, 1);
    for (double phi = -5; phi < 5; phi += 0.37)
        EXPECT_NEAR(c.error(turned_about(t.a, z, phi), turned_about(t.b, x, -phi), t.carrier), 0, 1e-14) << phi;
}

// Willis: seen from the arm, sun and ring keep their ratio; with the ring held, (1 + ring / sun) turns of the sun per turn of the arm.
TEST(gear, planetary_gear) {
    int const n_sun = 20, n_planet = 16, n_ring = 52;
    body const sun{}, planet{{1, 0, 0}, {}}, ring{}, arm{};
    auto const inner = gear<double>::at(sun, planet, arm, z, z, n_sun, n_planet);
    auto const outer = gear<double>::at(planet, ring, arm, z, z, n_planet, -n_ring);
    for (double phi = -7; phi < 7; phi += 0.37) {
        double const sun_angle = phi * (1 + double(n_ring) / n_sun), planet_angle = phi * (1 - double(n_ring) / n_planet);
        auto const turned_sun = turned_about(sun, z, sun_angle), turned_planet = turned_about(planet, z, planet_angle), turned_arm = turned_about(arm, z, phi);
        EXPECT_NEAR(inner.error(turned_sun, turned_planet, turned_arm), 0, 1e-13);
        EXPECT_NEAR(outer.error(turned_planet, ring, turned_arm), 0, 1e-13);
    }
}

TEST(gear, torques_are_as_the_teeth) {
    body const p{};
    auto const c = gear<double>::at(p, p, p, z, z, 10, 30);
    auto const J = c.jacobian(p, p, p);
    EXPECT_DOUBLE_EQ(J(0, 5), 1);
    EXPECT_DOUBLE_EQ(J(0, 11), 3);
    EXPECT_DOUBLE_EQ(J(0, 17), -4);
}

TEST(gear, depends_on_the_ratio_alone) {
    train const t(4);
    auto c = gear<double>::at(t.a, t.b, t.carrier, z, z, 120, 240);
    auto const d = gear<double>::at(t.a, t.b, t.carrier, z, z, 1, 2);
    auto const a = turned_about(t.a, z, 1.5);
    EXPECT_EQ(c.error(a, t.b, t.carrier), d.error(a, t.b, t.carrier));
    EXPECT_NEAR(c.error(a, t.b, t.carrier), 1.5, 1e-14);
    EXPECT_NE(c, d);
    EXPECT_EQ(detail::common_divisor(std::numeric_limits<int>::min(), std::numeric_limits<int>::min()), 1);
    EXPECT_EQ(detail::common_divisor(0, 0), 1);
    EXPECT_EQ(detail::common_divisor(-12, 18), 6);
}

TEST(gear, refuses_wheels_without_teeth_and_axes_without_direction) {
    body const p{};
    EXPECT_STREQ(gear<double>::at(p, p, p, z, z, 0, 3).fault().name, "teeth_a");
    EXPECT_STREQ(gear<double>::at(p, p, p, z, z, -2, 3).fault().name, "teeth_a");
    EXPECT_EQ(gear<double>::at(p, p, p, z, z, -2, 3).fault().value, -2);
    EXPECT_STREQ(gear<double>::at(p, p, p, z, z, 3, 0).fault().name, "teeth_b");
    EXPECT_NE(gear<double>::at(p, p, p, {}, z, 3, 3).fault().name, nullptr);
    EXPECT_NE(gear<double>::at(p, p, p, z, {}, 3, 3).fault().name, nullptr);
    EXPECT_EQ(gear<double>{}.fault().name, nullptr);
}
// Numbers of teeth may be beyond the scalar, if their ratio is not.
TEST(gear, of_more_teeth_than_the_scalar_has_numbers) {
    pose<fixed<15, 16>> const p{};
    vec3<fixed<15, 16>> const axis{0, 0, 1};
    EXPECT_EQ((gear<fixed<15, 16>>::at(p, p, p, axis, axis, 40000, 20000).ratio()), (fixed<15, 16>(0.5)));
    EXPECT_EQ((gear<fixed<15, 16>>::at(p, p, p, axis, axis, 40000, -40000).ratio()), (fixed<15, 16>(-1)));
}

constexpr bool works_at_compile_time() {
    pose<double> const a{}, b{{1, 0, 0}, {}}, carrier{};
    auto const c = gear<double>::at(a, b, carrier, {0, 0, 2}, {0, 0, 1}, 2, 3);
    return c.error(a, b, carrier) == 0 && c.jacobian(a, b, carrier) == derived_jacobian(c, a, b, carrier);
}
static_assert(works_at_compile_time());

}  // namespace
