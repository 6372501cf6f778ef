// Worlds of joints in fixed point: physical laws, to what the format can hold.

#include "fixed_point.hpp"
#include "my_rod.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace {

using namespace fixed_point;
using sinew::ball_joint;
using sinew::vec3;

using exact_solver = sinew::lagrange_multipliers<sinew::cholesky>;

template <class S>
class joints_in_fixed_point : public testing::Test {};
using formats = testing::Types<q16, q32>;
TYPED_TEST_SUITE(joints_in_fixed_point, formats);

// A rod let go level. Its inertia about the end is m (l^2 + w^2)/12 + m (l/2)^2, and the period of a swing of 90 degrees 1.1803406 times that of a
// small one, 2 pi sqrt(I / (m g l/2)): K(sin 45 deg) = 1.8540747 over pi/2.
TYPED_TEST(joints_in_fixed_point, pendulum_keeps_its_period_and_energy) {
    using S = TypeParam;
    sinew::world<config<S, exact_solver, sinew::rk4>, ball_joint> world;
    auto const rod = world.add(fixed_point::rod<S>(0));
    world.add(ball_joint<S>::at(world.pose(world.ground()), world.pose(rod), vec3<S>{}), world.ground(), rod);
    double const h = 1.0 / 64, inertia = 1.01 / 12 + 0.25, period = 4 * 1.8540746773 * std::sqrt(inertia / (9.81 * 0.5));
    double const start = real(world.energy());
    double first = 0, last = 0, before = 1, worst = 0;
    int swings = 0;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(world.step(S(1) / S(64)).status, sinew::step_status::ok);
        double const x = real(world.position(rod).x()), z = real(world.position(rod).z());
        if (before > 0 && x <= 0) {
            last = (i + 1) * h + h * x / (before - x);
            if (swings++ == 0) first = last;
        }
        before = x;
        worst = std::max(worst, std::abs(real(world.energy()) - start));
        ASSERT_LT(std::abs(z), 1e-3);
    }
    ASSERT_GE(swings, 7);
    // rk4 at 122 steps a swing is within 1e-5 s. In Q15.16 a step rounds a speed of up to 3 m/s by 2^-17 m/s: 0.023 J in 1000 steps if always to one
    // side, of 4.9 J that go to and fro; and the period goes by the 0.23rd power of those, which makes 1e-3 s.
    EXPECT_NEAR((last - first) / (swings - 1), period, sizeof(S) == 4 ? 1e-3 : 2e-5);
    EXPECT_LT(worst, sizeof(S) == 4 ? 0.023 : 5e-4);
}

// A chain of eight links swings for five seconds. A copy taken on the way goes on to the same bits.
TYPED_TEST(joints_in_fixed_point, chain_holds_and_repeats) {
    using S = TypeParam;
    sinew::world<config<S>, ball_joint> world;
    auto previous = world.ground();
    std::array<decltype(previous), 8> link;
    std::array<sinew::handle<ball_joint<S>>, 8> joint;
    for (std::size_t i = 0; i < 8; ++i) {
        link[i] = world.add(fixed_point::rod<S>(static_cast<double>(i)));
        joint[i] = world.add(ball_joint<S>::at(world.pose(previous), world.pose(link[i]), vec3<S>{S(i), S(0), S(0)}), previous, link[i]);
        previous = link[i];
    }
    auto copy = world;
    for (int i = 0; i < 320; ++i) {
        ASSERT_EQ(world.step(S(1) / S(64)).status, sinew::step_status::ok);
        if (i == 150) copy = world;
        for (std::size_t k = 0; k < 8; ++k) {
            auto const from = world.pose(k == 0 ? world.ground() : link[k - 1]).point(k == 0 ? vec3<S>{} : numbers<S>(0.5, 0, 0));
            ASSERT_LT(real(norm(from - world.pose(link[k]).point(numbers<S>(-0.5, 0, 0)))), 0.02) << "link " << k << ", step " << i;
        }
    }
    for (int i = 151; i < 320; ++i) copy.step(S(1) / S(64));
    EXPECT_TRUE(copy == world);
    EXPECT_LT(real(world.position(link[7]).y()), -1);  // it hangs
}

// A body of three different moments tumbles freely. Its angular momentum stays, in every direction, and so does its energy.
TYPED_TEST(joints_in_fixed_point, free_body_keeps_momentum_and_energy) {
    using S = TypeParam;
    sinew::world<config<S>, ball_joint> world;
    world.gravity = vec3<S>{};
    auto body = rigid_body_of(solid_box(S(2), numbers<S>(0.3, 0.6, 1)), sinew::pose<S>{});
    body.twist.angular = numbers<S>(0.3, 4, 0.2);  // about the middle axis: it turns over
    auto const b = world.add(body);
    auto const momentum = [&] {
        auto const x = world.body(b);
        vec3<double> const w{real(x.twist.angular.x()), real(x.twist.angular.y()), real(x.twist.angular.z())};
        sinew::quaternion<double> q{real(x.pose.rotation.w), real(x.pose.rotation.x), real(x.pose.rotation.y), real(x.pose.rotation.z)};
        auto const spin = inverse_rotate(q, w);
        return rotate(q, vec3<double>{real(x.inertia.xx) * spin.x(), real(x.inertia.yy) * spin.y(), real(x.inertia.zz) * spin.z()});
    };
    auto const before = momentum();
    double const energy = real(world.kinetic_energy());
    double turned_over = 1;
    for (int i = 0; i < 640; ++i) {
        ASSERT_EQ(world.step(S(1) / S(64)).status, sinew::step_status::ok);
        turned_over = std::min(turned_over, real(world.pose(b).rotation.w * world.pose(b).rotation.w));
    }
    // 640 steps round the spin and the rotation by 2^-17 each, at random: 640^1/2 2^-17 4 is 8e-4 of the 1 kg m^2/s; steps of one sign would be 2e-2.
    double const tolerance = sizeof(S) == 4 ? 4e-3 : 1e-6;
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(momentum()[k], before[k], tolerance) << k;
    EXPECT_NEAR(real(world.kinetic_energy()), energy, 4 * tolerance);
}

// A constraint that knows nothing of fixed point: its derivatives come from dual numbers.
TYPED_TEST(joints_in_fixed_point, own_constraint) {
    using S = TypeParam;
    sinew::world<config<S>, my_rod> world;
    auto const b = world.add(rigid_body_of(solid_sphere(S(1), number<S>(0.3)), sinew::pose<S>{numbers<S>(0.6, 0, 0.8), {}}));
    world.add(my_rod<S>{vec3<S>{}, vec3<S>{}, S(1)}, world.ground(), b);
    for (int i = 0; i < 256; ++i) {
        ASSERT_EQ(world.step(S(1) / S(64)).status, sinew::step_status::ok);
        ASSERT_NEAR(real(norm(world.position(b))), 1, 2e-3) << i;
    }
}

// What leaves the range is not committed: the world keeps its last good state.
TYPED_TEST(joints_in_fixed_point, overflow_is_no_state) {
    using S = TypeParam;
    sinew::world<config<S>, ball_joint> world;
    auto body = rod<S>(0);
    body.pose.position.x() = S(S::integer_bits == 15 ? 32700 : 2147483600);
    body.twist.linear.x() = S(500);
    auto const b = world.add(body);
    sinew::step_report<S> report{};
    int i = 0;
    for (; i < 64 && report.status == sinew::step_status::ok; ++i) report = world.step(S(1) / S(64));
    EXPECT_EQ(report.status, sinew::step_status::not_finite);
    EXPECT_TRUE(isfinite(world.position(b).x()));
    EXPECT_GT(i, 4);
}
// Two joints pull one body 100 m to either side, in turns: what they push in the sweeps is too much for Q15.16, though they may end in balance.
TEST(joints_in_q16, impulses_beyond_the_range_are_no_state) {
    sinew::world<config<q16>, ball_joint> world;
    world.gravity = {};
    auto const b = world.add(sinew::rigid_body_of(sinew::solid_sphere(q16(1), q16(0.5)), sinew::pose<q16>{}));
    for (int const side : {-100, 100}) world.add(ball_joint<q16>{{q16(side), q16(0), q16(0)}, {}}, world.ground(), b);
    EXPECT_EQ(world.step(q16(1) / q16(60)).status, sinew::step_status::not_finite);
    EXPECT_EQ(world.position(b), vec3<q16>{});
    // What was infinite goes with the body.
    auto const other = world.add(sinew::rigid_body_of(sinew::solid_sphere(q16(1), q16(0.5)), sinew::pose<q16>{}));
    world.remove(b);
    EXPECT_EQ(world.step(q16(1) / q16(60)).status, sinew::step_status::ok);
    EXPECT_TRUE(isfinite(world.position(other).x()));
}
// A user's constraint about an angle, whose derivatives are found by differentiation.
template <class S>
struct two_angles {
    static constexpr std::size_t rows = 1;
    sinew::relative_angle<S> angle{};
    constexpr auto error(auto const& a, auto const& b) const { return angle.error(a, b) + angle.error(a, b); }
};
TEST(joints_in_q16, angles_are_differentiated) {
    sinew::world<config<q16>, two_angles> world;
    auto const b = world.add(rod<q16>(0));
    world.add(two_angles<q16>{sinew::relative_angle<q16>::at(world.pose(world.ground()), world.pose(b), vec3<q16>{q16(0), q16(1), q16(0)})}, world.ground(), b);
    for (int i = 0; i < 16; ++i) ASSERT_EQ(world.step(q16(1) / q16(64)).status, sinew::step_status::ok);
    sinew::pose<q16> const here{};
    sinew::relative_angle<q16> const angle{};
    EXPECT_EQ(sinew::derived_jacobian(angle, here, here), angle.jacobian(here, here));
}
// A body is held from turning about its own axis and the ground's, and tumbles until these are opposite, where a turn about them is no angle any more.
// What holds it does no work.
TYPED_TEST(joints_in_fixed_point, angle_passes_opposite_axes) {
    using S = TypeParam;
    sinew::world<config<S>, sinew::angular_servo> world;
    world.gravity = {};
    sinew::rigid_body<S> body{S(1), {S(0.5), S(0.75), S(1), S(0), S(0), S(0)}, {}, {}};
    body.twist.angular = {S(3), S(0.25), S(0.125)};
    auto const b = world.add(body);
    world.add(sinew::angular_servo<S>::at(world.pose(world.ground()), world.pose(b), vec3<S>{S(0), S(0), S(1)}), world.ground(), b);
    double const start = real(world.energy());
    bool was_opposite = false;
    for (int i = 0; i < 600; ++i) {
        ASSERT_EQ(world.step(S(1) / S(60)).status, sinew::step_status::ok);
        ASSERT_NEAR(real(world.energy()), start, 0.02 * start) << i;
        was_opposite = was_opposite || real(world.pose(b).direction(vec3<S>{S(0), S(0), S(1)}).z()) < -0.999;
    }
    EXPECT_TRUE(was_opposite);
}

}  // namespace
