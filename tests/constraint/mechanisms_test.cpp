// Gears, racks, pulleys, rolling bodies, blades and paths in a world, under both kinds of solver: they move as they should.

#include <sinew/constraint/gear.hpp>
#include <sinew/constraint/hinge.hpp>
#include <sinew/constraint/knife_edge.hpp>
#include <sinew/constraint/path.hpp>
#include <sinew/constraint/point_on_plane.hpp>
#include <sinew/constraint/pulley.hpp>
#include <sinew/constraint/rack_and_pinion.hpp>
#include <sinew/constraint/rolling.hpp>
#include <sinew/constraint/slider.hpp>
#include <sinew/constraint/spring_damper.hpp>
#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

namespace {

using sinew::quaternion, sinew::vec3;
using V = vec3<double>;
using T = sinew::twist<double>;

constexpr double g = 9.81;

struct exact : sinew::default_config {  // multipliers within rk4
    using scalar = double;
    using integrator = sinew::rk4;
    using solver = sinew::lagrange_multipliers<>;
};
struct game : sinew::default_config {  // Gauss-Seidel on positions
    using scalar = double;
    using solver = sinew::nonlinear_gauss_seidel;
};
// How near a second of motion comes to theory: the game step is of first order.
template <class Config>
constexpr double accuracy = 1e-9;
template <>
constexpr double accuracy<game> = 5e-3;

template <class Config>
struct mechanism : testing::Test {};
using both = testing::Types<exact, game>;
TYPED_TEST_SUITE(mechanism, both);

template <class World>
typename World::body_handle add_body(World& w, V const& position, double mass = 1, double inertia = 1) {
    typename World::body_type b;
    b.mass = mass;
    b.inertia = sinew::diagonal(inertia, inertia, inertia);
    b.pose.position = position;
    return w.add(b);
}
template <class World>
void run(World& w, double seconds, double h = 1e-3) {
    int const steps = static_cast<int>(seconds / h + 0.5);
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(w.step(h));
}

constexpr V z{0, 0, 1};

// A small wheel that spins brings a large one along: I_a w_a - (n_a / n_b) I_b w_b is kept, as the teeth push both.
TYPED_TEST(mechanism, gears_share_the_spin_as_their_teeth_say) {
    sinew::world<TypeParam, sinew::hinge_joint, sinew::gear> w;
    w.gravity = {0, 0, 0};
    auto const a = add_body(w, {0, 0, 0}, 1, 0.5), b = add_body(w, {3, 0, 0}, 4, 2);
    auto const ground = w.pose(w.ground());
    w.add(sinew::hinge_joint<double>::at(ground, w.pose(a), w.position(a), z), w.ground(), a);
    w.add(sinew::hinge_joint<double>::at(ground, w.pose(b), w.position(b), z), w.ground(), b);
    w.add(sinew::gear<double>::at(w.pose(a), w.pose(b), ground, z, z, 10, 20), a, b, w.ground());
    // Spins that mesh: w_b = -w_a / 2.
    w.set_twist(a, T{{}, 20.0 * z});
    w.set_twist(b, T{{}, -10.0 * z});
    run(w, 1);
    EXPECT_NEAR(w.twist(a).angular.z(), 20, 20 * accuracy<TypeParam>);
    EXPECT_NEAR(w.twist(b).angular.z(), -10, 10 * accuracy<TypeParam>);
    // Three turns later: an integer gear has not lost a tooth.
    auto const in_mesh = sinew::gear<double>::at(sinew::pose<double>{}, sinew::pose<double>{{3, 0, 0}, {}}, ground, z, z, 10, 20);
    EXPECT_NEAR(in_mesh.error(w.pose(a), w.pose(b), ground), 0, accuracy<TypeParam>);
}

// A falling rack drives its pinion: (m + I / r^2) x'' = m g.
TYPED_TEST(mechanism, falling_rack_turns_its_pinion) {
    sinew::world<TypeParam, sinew::hinge_joint, sinew::slider_joint, sinew::rack_and_pinion> w;
    w.gravity = {0, 0, -g};
    double const r = 0.2, m = 2, inertia = 0.12;
    auto const pinion = add_body(w, {0, 0, 0}, 1, inertia), rack = add_body(w, {r, 0, 1}, m);
    auto const ground = w.pose(w.ground());
    V const y{0, 1, 0};
    w.add(sinew::hinge_joint<double>::at(ground, w.pose(pinion), {}, y), w.ground(), pinion);
    w.add(sinew::slider_joint<double>::at(ground, w.pose(rack), {r, 0, 0}, z), w.ground(), rack);
    auto const drive = w.add(sinew::rack_and_pinion<double>::at(w.pose(pinion), w.pose(rack), ground, {}, y, {r, 0, 0}), pinion, rack, w.ground());
    run(w, 1);
    double const acceleration = m * g / (m + inertia / (r * r));
    EXPECT_NEAR(w.twist(rack).linear.z(), -acceleration, acceleration * accuracy<TypeParam>);
    EXPECT_NEAR(w.twist(pinion).angular.y(), acceleration / r, acceleration / r * accuracy<TypeParam>);
    // The multiplier is that of the last stage of the step, with what feedback adds there.
    EXPECT_NEAR(sinew::norm(w.wrench_on(drive, 0).torque), inertia * acceleration / r, sinew::max(accuracy<TypeParam>, 1e-5));
}

// Atwood's machine with tackle: a one strand, b two. m_a x'' = m_a g - T, m_b x'' / 2 = 2 T - m_b g.
TYPED_TEST(mechanism, tackle) {
    sinew::world<TypeParam, sinew::particle_pulley_rod> w;
    w.gravity = {0, 0, -g};
    double const m_a = 3, m_b = 4;
    auto const a = w.add(sinew::particle<double>{m_a, {-1, 0, -2}, {}}), b = w.add(sinew::particle<double>{m_b, {1, 0, -9}, {}});
    sinew::particle_pose<double> const end_a{w.position(a)}, end_b{w.position(b)};
    auto const tackle = sinew::particle_pulley_rod<double>::at(end_a, end_b, w.pose(w.ground()), {}, {-1, 0, 0}, {}, {1, 0, 0}, 2.0);
    auto const rope = w.add(tackle, a, b, w.ground());
    run(w, 1);
    double const acceleration = (m_a - m_b / 2) * g / (m_a + m_b / 4), tension = m_a * (g - acceleration);
    EXPECT_NEAR(w.velocity(a).z(), -acceleration, acceleration * accuracy<TypeParam>);
    EXPECT_NEAR(w.velocity(b).z(), acceleration / 2, acceleration * accuracy<TypeParam>);
    EXPECT_NEAR(sinew::norm(w.wrench_on(rope, 1).force), 2 * tension, 2 * tension * accuracy<TypeParam>);
    EXPECT_NEAR(w.wrench_on(rope, 2).force.z(), -3 * tension, 3 * tension * accuracy<TypeParam>);
}

// Down an incline a solid ball that rolls has five sevenths of the acceleration of one that slides.
TYPED_TEST(mechanism, ball_rolls_down_an_incline) {
    sinew::world<TypeParam, sinew::point_on_plane, sinew::rolling_sphere> w;
    w.gravity = {3, 0, -9};
    double const r = 0.5, m = 2;
    auto const ball = add_body(w, {0, 0, r}, m, 2.0 / 5 * m * r * r);
    auto const ground = w.pose(w.ground());
    w.add(sinew::point_on_plane<double>::at(ground, w.pose(ball), w.position(ball), z), w.ground(), ball);
    w.add(sinew::rolling_sphere<double>::at(ground, w.pose(ball), w.position(ball), z, r), w.ground(), ball);
    run(w, 1);
    double const acceleration = 5.0 / 7 * 3;
    EXPECT_NEAR(w.twist(ball).linear.x(), acceleration, acceleration * accuracy<TypeParam>);
    EXPECT_NEAR(w.twist(ball).angular.y(), acceleration / r, acceleration / r * accuracy<TypeParam>);
    EXPECT_NEAR(w.position(ball).x(), acceleration / 2, acceleration * accuracy<TypeParam>);
    EXPECT_NEAR(w.position(ball).z(), r, 1e-12);
}

// A hoop that rolls fast does not fall over, and keeps its energy; one that stands falls at once.
template <class Config>
double lean_after_rolling(double speed) {
    sinew::world<Config, sinew::disc_on_plane, sinew::rolling_disc> w;
    w.gravity = {0, 0, -g};
    double const r = 0.3, m = 1, tilt = 0.05;
    typename decltype(w)::body_type hoop;
    hoop.mass = m;
    hoop.inertia = sinew::diagonal(m * r * r / 2, m * r * r, m * r * r / 2);
    hoop.pose = {{0, 0, r * sinew::cos(tilt)}, sinew::rotation_about<quaternion<double>>(V{1, 0, 0}, tilt)};
    V const axis = hoop.pose.direction(V{0, 1, 0});
    hoop.twist = {{speed, 0, 0}, axis * (speed / r)};
    auto const h = w.add(hoop);
    auto const ground = w.pose(w.ground());
    w.add(sinew::disc_on_plane<double>::at(ground, w.pose(h), w.position(h), axis, z, r), w.ground(), h);
    w.add(sinew::rolling_disc<double>::at(ground, w.pose(h), w.position(h), axis, z, r), w.ground(), h);
    auto const energy = [&] {
        auto const p = w.pose(h);
        auto const t = w.twist(h);
        V const local = p.local_direction(t.angular);
        return m * sinew::squared_norm(t.linear) / 2 + sinew::dot(local, hoop.inertia * local) / 2 + m * g * p.position.z();
    };
    double const before = energy();
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
        EXPECT_TRUE(w.step(1e-3));
        worst = sinew::max(worst, sinew::abs(w.pose(h).direction(V{0, 1, 0}).z()));
        if (worst > 0.9) return worst;
    }
    EXPECT_NEAR(energy() / before, 1, 10 * accuracy<Config>);
    return worst;
}
TYPED_TEST(mechanism, rolling_hoop_stays_up_above_its_critical_speed) {
    // A hoop is stable above v^2 = g r / 4 (Routh 1905).
    EXPECT_LT(lean_after_rolling<TypeParam>(3), 0.2);
    EXPECT_GT(lean_after_rolling<TypeParam>(0.1), 0.9);
}

// A skate that spins on an incline drifts sideways at g' / (2 w) and does not slide down.
TYPED_TEST(mechanism, spinning_skate_drifts_sideways) {
    sinew::world<TypeParam, sinew::knife_edge> w;
    w.gravity = {3, 0, 0};
    auto const skate = add_body(w, {});
    w.set_twist(skate, T{{}, 2.0 * z});
    w.add(sinew::knife_edge<double>{{}, {0, 1, 0}}, w.ground(), skate);
    double const seconds = sinew::pi_v<double>;  // one cycle of the skate's way down and up is pi / w
    run(w, seconds, seconds / 3000);
    EXPECT_NEAR(w.position(skate).x(), 0, accuracy<TypeParam>);
    EXPECT_NEAR(w.position(skate).y(), 3.0 / 8 * 2 * seconds, 3 * accuracy<TypeParam>);
}

struct helix {
    template <class U>
    constexpr vec3<U> operator()(U const& u) const {
        using sinew::cos, sinew::sin;
        return {cos(u), sin(u), u * -0.5};
    }
    constexpr bool operator==(helix const&) const = default;
};
template <class S>
using bead_on_helix = sinew::particle_on_path<S, helix>;

// A bead slides down a helix of slope tan = 0.5: along the wire it falls as on an incline.
TYPED_TEST(mechanism, bead_slides_down_a_helix) {
    sinew::world<TypeParam, bead_on_helix> w;
    w.gravity = {0, 0, -g};
    auto const bead = w.add(sinew::particle<double>{2, {1, 0, 0}, {}});
    w.add(bead_on_helix<double>{{}, {}, -1, 8, 64, {0, 0, -1}}, w.ground(), bead);
    run(w, 1);
    double const slope = 0.5 / sinew::sqrt(1.25), along = g * slope;  // sin of the slope, m/s^2
    EXPECT_NEAR(sinew::norm(w.velocity(bead)), along, along * accuracy<TypeParam>);
    EXPECT_NEAR(w.position(bead).z(), -along / 2 * slope, accuracy<TypeParam> * 3);
    V const p = w.position(bead);
    EXPECT_NEAR(p.x() * p.x() + p.y() * p.y(), 1, accuracy<TypeParam>);
}

// Hung on a spring with a damper, a weight comes to rest m g / k lower.
TYPED_TEST(mechanism, weight_rests_on_its_spring) {
    sinew::world<TypeParam, sinew::particle_spring_damper> w;
    w.gravity = {0, 0, -g};
    double const m = 2, k = 500;
    auto const top = w.add_fixed_particle({0, 0, 0});
    auto const weight = w.add(sinew::particle<double>{m, {0, 0, -1}, {}});
    auto const spring = w.add(sinew::particle_spring_damper<double>{{}, {}, 1, k, 30}, top, weight);
    run(w, 5);
    EXPECT_NEAR(w.position(weight).z(), -1 - m * g / k, 1e-8);
    EXPECT_NEAR(w.wrench_on(spring, 1).force.z(), m * g, 1e-5);
}

}  // namespace
