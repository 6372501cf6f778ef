// Strategies on positions and the implicit one in fixed point, and those that need a wide format.

#include "fixed_strategies.hpp"

#include <tuple>
#include <utility>

namespace {

using namespace fixed_point;
using sinew::vec3;

template <class Strategy>
class position_strategy : public testing::Test {};
using position_strategies = testing::Types<strategy<sinew::nonlinear_gauss_seidel>, strategy<sinew::jacobi>, strategy<sinew::compliant_implicit>>;
TYPED_TEST_SUITE(position_strategy, position_strategies);

TYPED_TEST(position_strategy, moves_as_in_double) { expect_as_in_double<TypeParam>(q16{}, q32{}); }

// In a short substep gravity moves less than a place (of Q15.16: 9.81 m/s^2 in 1/1024 s, 0.6 places; in 1/4096 s, 0.04), and an error of one place is
// a velocity of a place over h. Constraints still push with the digits of velocities: two rods fall as over double, whatever the substep.
template <class Strategy>
class short_substeps_on_positions : public testing::Test {};
using on_short_substeps = testing::Types<sinew::nonlinear_gauss_seidel, sinew::plain_gauss_seidel, sinew::jacobi>;
TYPED_TEST_SUITE(short_substeps_on_positions, on_short_substeps);

template <sinew::scalar S>
using soft_ball = sinew::soft_joint<S, sinew::ball_joint>;

template <class S, class Strategy>
[[nodiscard]] vec3<double> end_of_two_rods(int rate, int substeps) {
    sinew::world<config<S, Strategy>, sinew::ball_joint> world;
    world.solver.substeps = substeps;
    world.solver.iterations = 30;
    auto const one = world.add(rod<S>(0)), other = world.add(rod<S>(1));
    world.add(sinew::ball_joint<S>::at(world.pose(world.ground()), world.pose(one), vec3<S>{}), world.ground(), one);
    world.add(sinew::ball_joint<S>::at(world.pose(one), world.pose(other), numbers<S>(1, 0, 0)), one, other);
    for (int i = 0; i < rate / 2; ++i) EXPECT_EQ(world.step(S(1) / S(rate)).status, sinew::step_status::ok) << i;
    auto const at = world.pose(other).point(numbers<S>(0.5, 0, 0));
    return {real(at.x()), real(at.y()), real(at.z())};
}
TYPED_TEST(short_substeps_on_positions, move_as_in_double) {
    for (auto const& [rate, substeps] : {std::pair(64, 1), std::pair(64, 8), std::pair(512, 1), std::pair(1024, 1), std::pair(64, 40), std::pair(1024, 4)}) {
        auto const reference = end_of_two_rods<double, TypeParam>(rate, substeps);
        EXPECT_LT(norm(end_of_two_rods<q16, TypeParam>(rate, substeps) - reference), 5e-3) << rate << ' ' << substeps;
        EXPECT_LT(norm(end_of_two_rods<q32, TypeParam>(rate, substeps) - reference), 1e-6) << rate << ' ' << substeps;
    }
}

// A soft joint holds a body that flies by: compliance (m/N), damping (s), speed (m/s) along y, step (s). Where it is after four steps.
template <class S, class Strategy>
struct held_softly {
    sinew::world<config<S, Strategy>, soft_ball> world;
    sinew::handle<sinew::rigid> body;
    held_softly(double compliance, double damping, double speed, double way = 0) {
        world.gravity = {};
        auto b = rigid_body_of(solid_box(S(1), numbers<S>(1, 1, 1)), sinew::pose<S>{numbers<S>(0, way, 0), {}});
        b.twist.linear = numbers<S>(0, speed, 0);
        body = world.add(b);
        world.add(soft_ball<S>::with(sinew::ball_joint<S>{{}, {}}, number<S>(compliance), number<S>(damping)), world.ground(), body);
    }
};
TYPED_TEST(short_substeps_on_positions, soft_rows_keep_their_range) {
    // compliance damping / h times 70 m/s is beyond Q15.16; compliance / h^2 times damping is.
    for (auto const& [compliance, damping, speed, rate] : {std::tuple(1.0, 7.9, 70.0, 64), std::tuple(2.0, 15.0, 40.0, 32), std::tuple(0.01, 5.0, 10.0, 1024)}) {
        held_softly<double, TypeParam> exact(compliance, damping, speed);
        held_softly<q16, TypeParam> found(compliance, damping, speed);
        for (int i = 0; i < 4; ++i) {
            (void)exact.world.step(1.0 / rate);
            ASSERT_EQ(found.world.step(q16(1) / q16(rate)).status, sinew::step_status::ok) << rate;
        }
        EXPECT_NEAR(real(found.world.position(found.body).y()), exact.world.position(exact.body).y(), 2e-3) << rate;
    }
}
TYPED_TEST(short_substeps_on_positions, what_leaves_the_range_is_not_committed) {
    // 12 m over 1/4096 s.
    held_softly<q16, TypeParam> far(0.002, 0, 0, 12);
    far.world.solver.substeps = 64;
    EXPECT_EQ(far.world.step(q16(1) / q16(64)).status, sinew::step_status::not_finite);
    EXPECT_EQ(far.world.position(far.body), numbers<q16>(0, 12, 0));
    // A compliance over h^2.
    held_softly<q16, TypeParam> slack(0.1, 0, 1);
    EXPECT_EQ(slack.world.step(q16(1) / q16(1024)).status, sinew::step_status::not_finite);
    EXPECT_EQ(slack.world.position(slack.body), vec3<q16>{});
}

// Turns of less than a place add up: a cube on its corners comes to rest even where an error of one place is 1/64 m/s, and sleeps.
template <class Solver>
struct sleeping : config<q16, Solver> {
    using sleep = sinew::island_sleep;
};
TYPED_TEST(short_substeps_on_positions, cube_on_its_corners_falls_asleep) {
    sinew::world<sleeping<TypeParam>, sinew::box, sinew::half_space> world;
    world.add(sinew::half_space<q16>{}, world.ground());
    auto const cube = world.add_solid(sinew::box<q16>{numbers<q16>(0.5, 0.5, 0.5)}, q16(1), sinew::pose<q16>{numbers<q16>(0, 0.5, 0), {}});
    for (int i = 0; i < 1024; ++i) ASSERT_EQ(world.step(q16(1) / q16(1024)).status, sinew::step_status::ok) << i;
    EXPECT_TRUE(world.is_asleep(cube));
    EXPECT_NEAR(real(world.position(cube).y()), 0.5, 1e-3);
    EXPECT_LT(norm(vec3<double>{real(world.position(cube).x()), 0, real(world.position(cube).z())}), 5e-3);
}

// Of a row at its bound nothing is amiss, however far its target is: a servo of 7.3 N moves a body towards a point 100 m away.
TYPED_TEST(short_substeps_on_positions, row_at_its_bound_is_no_residual) {
    sinew::world<config<q16, TypeParam>, sinew::linear_servo> world;
    world.gravity = {};
    auto const body = world.add(rigid_body_of(solid_box(q16(1), numbers<q16>(1, 1, 1)), sinew::pose<q16>{}));
    world.add(sinew::linear_servo<q16>::at(world.pose(world.ground()), world.pose(body), vec3<q16>{}, numbers<q16>(1, 0, 0), q16(100), number<q16>(7.3)), world.ground(), body);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(real(world.step(q16(1) / q16(64)).residual), 0) << i;
}

template <class Format>
class one_body_in_fixed_point : public testing::Test {};
using bound_ones = testing::Types<std::pair<q16, sinew::nonlinear_gauss_seidel>, std::pair<q16, sinew::jacobi>, std::pair<q32, sinew::nonlinear_gauss_seidel>, std::pair<q32, sinew::jacobi>>;
TYPED_TEST_SUITE(one_body_in_fixed_point, bound_ones);

// A body's centre goes around a point of the world. Nothing turns the body: it is pushed from outside, however little, and no momentum is its own to keep.
template <sinew::scalar S>
struct tether {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::rigid>;
    S length;
    [[nodiscard]] constexpr auto error(auto const& b) const { return norm(b.position) - length; }
};
TYPED_TEST(one_body_in_fixed_point, does_not_turn_without_a_torque) {
    using S = typename TypeParam::first_type;
    sinew::world<config<S, typename TypeParam::second_type>, tether> world;
    auto body = rigid_body_of(solid_box(S(1), numbers<S>(1, 1, 1)), sinew::pose<S>{numbers<S>(1, 0, 0), {}});
    body.twist.linear = numbers<S>(0, 2, 0);
    auto const cube = world.add(body);
    world.add(tether<S>{S(1)}, cube);
    for (int i = 0; i < 256; ++i) ASSERT_EQ(world.step(S(1) / S(64)).status, sinew::step_status::ok) << i;
    EXPECT_EQ(world.twist(cube).angular, vec3<S>{});
    EXPECT_EQ(world.pose(cube).rotation, sinew::quaternion<S>{});
    EXPECT_NEAR(real(norm(world.position(cube))), 1, 2e-3);
}

template <class Strategy>
class strategy_of_wide_numbers : public testing::Test {};
using wide_strategies = testing::Types<on_positions<sinew::vertex_block_descent>, on_positions<sinew::augmented_lagrangian>,
                                       strategy<sinew::lagrange_multipliers<sinew::conjugate_gradient>, sinew::rk4>>;
TYPED_TEST_SUITE(strategy_of_wide_numbers, wide_strategies);

TYPED_TEST(strategy_of_wide_numbers, moves_as_in_double) { expect_as_in_double<TypeParam>(q32{}); }

}  // namespace
