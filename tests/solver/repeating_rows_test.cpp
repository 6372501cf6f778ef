// Joints between the same bodies that repeat each other: a door on two hinges is a door on one, and what does not repeat is held.

#include "linear_parts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <type_traits>

namespace {

using namespace sinew;

template <class Linear, class S>
struct parts {
    using config = sinew_test::direct_config<lagrange_multipliers<Linear>, S, rk4>;
    using scalar = S;
};
template <class T>
class repeating_rows : public testing::Test {
public:
    using S = typename T::scalar;
    using door_world = world<typename T::config, hinge_joint, ball_joint, distance>;
    static constexpr bool is_double = std::is_same_v<S, double>;

    // A door of 1 x 2 m that gravity swings; f(world, ground, door, axis) hangs it. Its axis is none of inertia.
    template <class F>
    static door_world door(F&& hang) {
        door_world w;
        w.gravity = {S(3), S(-5), S(8)};
        auto const shape = solid_box(S(20), vec3<S>{S(1), S(2), S(0.05)});
        auto const leaf = w.add(rigid_body_of(shape, pose<S>{{S(0.5), S(0), S(0)}}));
        hang(w, leaf, normalize(vec3<S>{S(0.1), S(1), S(0.05)}));
        return w;
    }
    static void hinge(door_world& w, typename door_world::body_handle leaf, vec3<S> const& at, vec3<S> const& axis) {
        w.add(hinge_joint<S>::at(w.pose(w.ground()), w.pose(leaf), at, axis), w.ground(), leaf);
    }
    static void point(door_world& w, typename door_world::body_handle leaf, vec3<S> const& at) {
        w.add(ball_joint<S>::at(w.pose(w.ground()), w.pose(leaf), at), w.ground(), leaf);
    }
    static vec3<S> corner(door_world const& w) {
        vec3<S> at{};
        w.for_each_body([&](auto h) { at = w.pose(h).position + w.pose(h).direction(vec3<S>{S(0.5), S(1), S(0)}); });
        return at;
    }
    // In 5 s.
    static void expect_same_motion(door_world w, door_world other, double most) {
        step_report<S> report;
        for (int i = 0; i < 1200; ++i) {
            report = w.step(S(1) / S(240));
            ASSERT_TRUE(report) << i;
            ASSERT_TRUE(other.step(S(1) / S(240))) << i;
            EXPECT_FALSE(report.full_rank) << i;
            ASSERT_LT(norm(corner(w) - corner(other)), most) << i;
        }
        EXPECT_LT(w.constraint_error(), 2 * other.constraint_error() + (is_double ? 1e-9 : 1e-5));
    }
};
using all_parts = testing::Types<parts<cholesky, double>, parts<ldlt, double>, parts<ldlt, float>, parts<sparse_ldlt, double>, parts<sparse_ldlt, float>, parts<dantzig, double>,
                                 parts<dantzig, float>, parts<warm_dantzig, double>>;
TYPED_TEST_SUITE(repeating_rows, all_parts);

TYPED_TEST(repeating_rows, of_a_second_hinge_change_nothing) {
    using self = TestFixture;
    using number = typename TypeParam::scalar;
    auto const on = [](std::initializer_list<double> heights) {
        return self::door([&](auto& w, auto leaf, auto const& axis) {
            for (double y : heights) self::hinge(w, leaf, axis * number(y), axis);
        });
    };
    self::expect_same_motion(on({-0.8, 0.8}), on({-0.8}), self::is_double ? 1e-7 : 1e-2);
    self::expect_same_motion(on({-0.8, 0.8, 0.1}), on({-0.8}), self::is_double ? 1e-7 : 1e-2);
}
TYPED_TEST(repeating_rows, of_points_on_a_line_change_nothing) {
    using self = TestFixture;
    using number = typename TypeParam::scalar;
    auto const on = [](std::initializer_list<double> heights) {
        return self::door([&](auto& w, auto leaf, auto const& axis) {
            for (double y : heights) self::point(w, leaf, axis * number(y));
        });
    };
    auto const hinged = self::door([&](auto& w, auto leaf, auto const& axis) { self::hinge(w, leaf, {}, axis); });
    self::expect_same_motion(on({-0.8, 0.8}), hinged, self::is_double ? 1e-7 : 1e-2);
    self::expect_same_motion(on({-0.8, 0.8, 0.3}), hinged, self::is_double ? 1e-7 : 1e-2);
}
TYPED_TEST(repeating_rows, are_told_from_rows_that_do_not) {
    using self = TestFixture;
    using number = typename TypeParam::scalar;
    // Two points a hundredth of the door's size apart, and a rod that leaves it one way to go.
    auto w = self::door([&](auto& world, auto leaf, auto const& axis) {
        self::point(world, leaf, axis * number(0.01));
        self::point(world, leaf, axis * number(-0.01));
    });
    auto held = self::door([&](auto& world, auto leaf, auto const& axis) {
        self::point(world, leaf, {});
        world.add(distance<number>{.anchor_a = {number(0.5), number(0), number(2)}, .anchor_b = {number(0), number(0), number(0)}, .length = number(2)}, world.ground(), leaf);
        (void)axis;
    });
    for (int i = 0; i < 1200; ++i) {
        ASSERT_TRUE(w.step(number(1) / number(240)));
        auto const report = held.step(number(1) / number(240));
        ASSERT_TRUE(report);
        EXPECT_TRUE(report.full_rank);
        ASSERT_LT(w.constraint_error(), self::is_double ? 1e-7 : 1e-3) << i;
        ASSERT_LT(held.constraint_error(), self::is_double ? 1e-6 : 1e-4) << i;
    }
    auto const hinged = self::door([&](auto& world, auto leaf, auto const& axis) { self::hinge(world, leaf, {}, axis); });
    auto copy = hinged;
    for (int i = 0; i < 1200; ++i) ASSERT_TRUE(copy.step(number(1) / number(240)));
    EXPECT_LT(norm(self::corner(w) - self::corner(copy)), self::is_double ? 1e-6 : 0.1);
}

// What has bounds may let go: a limit holds the hinge whose motor is not strong enough, whichever of them comes first.
template <class First, class Second>
double end_angle(First const& add_first, Second const& add_second) {
    world<sinew_test::direct_config<lagrange_multipliers<dantzig>, double, rk4>, hinge_joint, powered_axis, angle_limit> w;
    auto const box = sinew_test::add_box(w, {0.5, 0, 0}, 1, {1, 0.1, 0.2});
    w.add(hinge_joint<double>::at(w.pose(w.ground()), w.pose(box), {}, {0, 0, 1}), w.ground(), box);
    add_first(w, box);
    add_second(w, box);
    for (int i = 0; i < 480; ++i) EXPECT_TRUE(w.step(1.0 / 240));
    auto const d = w.pose(box).direction(vec3<double>{1, 0, 0});
    return std::atan2(d.y(), d.x());
}
TEST(repeating_rows_with_bounds, are_none) {
    auto const motor = [](auto& w, auto box) { w.add(powered_axis<double>::at(w.pose(w.ground()), w.pose(box), {0, 0, 1}, 0.0, 1.0), w.ground(), box); };
    auto const limit = [](auto& w, auto box) { w.add(angle_limit<double>::at(w.pose(w.ground()), w.pose(box), {0, 0, 1}, -0.2, 0.2), w.ground(), box); };
    EXPECT_NEAR(end_angle(motor, limit), -0.2, 1e-3);
    EXPECT_NEAR(end_angle(limit, motor), -0.2, 1e-3);
}
// A projection answers every row, however far the joints have strayed.
TEST(repeating_rows_that_have_strayed, are_put_back_by_projection) {
    world<sinew_test::direct_config<lagrange_multipliers<ldlt>, double, rk4>, ball_joint> w;
    w.solver.drift = drift_control::projection;
    auto const box = sinew_test::add_box(w, {0.5, 0, 0}, 20, {1, 2, 0.05});
    w.add(ball_joint<double>{{0, -0.05, 0}, {-0.5, -0.05, 0}}, w.ground(), box);
    w.add(ball_joint<double>{{0, 0.05, 0.004}, {-0.5, -0.05 + std::hypot(0.1, 0.004), 0}}, w.ground(), box);
    for (int i = 0; i < 240; ++i) (void)w.step(1.0 / 240);
    EXPECT_LT(w.constraint_error(), 1e-8);
}

}  // namespace
