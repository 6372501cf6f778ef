// Rack and pinion: derivatives and momentum; the way and the sense of the motion; many turns.

#include <sinew/constraint/rack_and_pinion.hpp>

#include <constraint/cases/rack_and_pinion.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(rack_and_pinion, Conformance, on_all_rotations<rack_and_pinion_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;

struct scene {
    body pinion, rack, carrier;
    V centre, axis, contact;
    double radius;
    rack_and_pinion<double> drive;
    explicit scene(std::uint64_t seed) {
        splitmix64 random{seed};
        pinion = random_pose<rigid, Q>(random, 1.0);
        rack = random_pose<rigid, Q>(random, 1.0);
        carrier = random_pose<rigid, Q>(random, 1.0);
        centre = pinion.position;
        axis = random_direction<double>(random);
        radius = random_number(random, 0.1, 0.5);
        contact = centre + radius * orthonormal_basis(axis).u;
        drive = rack_and_pinion<double>::at(pinion, rack, carrier, centre, 2.0 * axis, contact);
    }
    [[nodiscard]] body pinion_at(double angle) const { return {pinion.position, rotation_about<Q>(axis, angle) * pinion.rotation}; }
    [[nodiscard]] body rack_at(double way) const { return {rack.position + way * normalize(cross(axis, contact - centre)), rack.rotation}; }
};

TEST(rack_and_pinion, moves_the_rack_by_the_rim_through_many_turns) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        EXPECT_NEAR(s.drive.radius, s.radius, 1e-15);
        for (double phi = -40; phi < 40; phi += 0.77) EXPECT_NEAR(s.drive.error(s.pinion_at(phi), s.rack_at(s.radius * phi), s.carrier), 0, 1e-13) << phi;
    }
}

TEST(rack_and_pinion, error_is_the_way_that_the_rack_is_ahead) {
    scene const s(3);
    EXPECT_NEAR(s.drive.error(s.pinion, s.rack_at(0.01), s.carrier), 0.01, 1e-14);
    EXPECT_NEAR(s.drive.error(s.pinion_at(0.1), s.rack, s.carrier), -0.1 * s.radius, 1e-14);
    // A whole circumference ahead is the next mesh.
    EXPECT_NEAR(s.drive.error(s.pinion, s.rack_at(2 * pi_v<double> * s.radius + 0.01), s.carrier), 0.01, 1e-13);
}

// At the point of contact, rim and rack have the same velocity exactly if the constraint's rate is 0.
TEST(rack_and_pinion, rim_and_rack_do_not_slip) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        scene const s(seed);
        V const omega = 3.0 * s.axis, rim = cross(omega, s.contact - s.centre);
        auto const J = s.drive.jacobian(s.pinion, s.rack, s.carrier);
        vec<double, 18> v{};
        for (std::size_t k = 0; k < 3; ++k) {
            v[3 + k] = omega[k];
            v[6 + k] = rim[k];
        }
        EXPECT_NEAR((J * v)[0], 0, 1e-14);
    }
}

TEST(rack_and_pinion, refuses_a_flat_pinion) {
    body const p{};
    EXPECT_STREQ(rack_and_pinion<double>::at(p, p, p, {}, {0, 0, 1}, {}).fault().name, "radius");
    EXPECT_STREQ(rack_and_pinion<double>::at(p, p, p, {}, {0, 0, 0}, {1, 0, 0}).fault().name, "radius");
    rack_and_pinion<double> c{};
    EXPECT_EQ(c.fault().name, nullptr);
    c.radius = -1;
    EXPECT_STREQ(c.fault().name, "radius");
    c.radius = infinity_v<double>;
    EXPECT_STREQ(c.fault().name, "radius");
    c.radius = 1;
    c.direction = {1, 1, 0};
    EXPECT_STREQ(c.fault().name, "direction");
    c.direction = {0, 1, 0};
    c.angle.axis_b = {0, 0, 2};
    EXPECT_STREQ(c.fault().name, "axis_b");
}

}  // namespace
