// Joints between the same bodies that repeat each other: a door on two hinges is a door on one, and what does not repeat is held.

#include "linear_parts.hpp"

#include <gtest/gtest.h>

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
    using S = typename TypeParam::scalar;
    auto const on = [](std::initializer_list<double> heights) {
        return self::door([&](auto& w, auto leaf, auto const& axis) {
            for (double y : heights) self::hinge(w, leaf, axis * S(y), axis);
        });
    };
    self::expect_same_motion(on({-0.8, 0.8}), on({-0.8}), self::is_double ? 1e-7 : 1e-2);
    self::expect_same_motion(on({-0.8, 0.8, 0.1}), on({-0.8}), self::is_double ? 1e-7 : 1e-2);
}
TYPED_TEST(repeating_rows, of_points_on_a_line_change_nothing) {
    using self = TestFixture;
    using S = typename TypeParam::scalar;
    auto const on = [](std::initializer_list<double> heights) {
        return self::door([&](auto& w, auto leaf, auto const& axis) {
            for (double y : heights) self::point(w, leaf, axis * S(y));
        });
    };
    auto const hinged = self::door([&](auto& w, auto leaf, auto const& axis) { self::hinge(w, leaf, {}, axis); });
    self::expect_same_motion(on({-0.8, 0.8}), hinged, self::is_double ? 1e-7 : 1e-2);
    self::expect_same_motion(on({-0.8, 0.8, 0.3}), hinged, self::is_double ? 1e-7 : 1e-2);
}
// Of those beside a ball joint that holds the same bodies, none repeats.
TYPED_TEST(repeating_rows, are_told_from_rows_that_do_not) {
    using self = TestFixture;
    using S = typename TypeParam::scalar;
    // Two points a hundredth of the door's size apart, and a rod that leaves it one way to go.
    auto w = self::door([&](auto& world, auto leaf, auto const& axis) {
        self::point(world, leaf, axis * S(0.01));
        self::point(world, leaf, axis * S(-0.01));
    });
    auto held = self::door([&](auto& world, auto leaf, auto const& axis) {
        self::point(world, leaf, {});
        world.add(distance<S>{.anchor_a = {S(0.5), S(0), S(2)}, .anchor_b = {S(0), S(0), S(0)}, .length = S(2)}, world.ground(), leaf);
        (void)axis;
    });
    for (int i = 0; i < 1200; ++i) {
        ASSERT_TRUE(w.step(S(1) / S(240)));
        auto const report = held.step(S(1) / S(240));
        ASSERT_TRUE(report);
        EXPECT_TRUE(report.full_rank);
        ASSERT_LT(w.constraint_error(), self::is_double ? 1e-7 : 1e-3) << i;
        ASSERT_LT(held.constraint_error(), self::is_double ? 1e-6 : 1e-4) << i;
    }
    auto const hinged = self::door([&](auto& world, auto leaf, auto const& axis) { self::hinge(world, leaf, {}, axis); });
    auto copy = hinged;
    for (int i = 0; i < 1200; ++i) ASSERT_TRUE(copy.step(S(1) / S(240)));
    EXPECT_LT(norm(self::corner(w) - self::corner(copy)), self::is_double ? 1e-6 : 0.1);
}

}  // namespace
