// Gradients through contacts that rest, stick, slide and roll: several points of a box, stacks, balls against each other, away from the instants at which
// that changes.

#include "gradients_scene.hpp"

namespace {

using namespace gradients_scene;

template <class S>
pose<S> turned_pose(vec3<S> const& at, S const& about_x, S const& about_y, S const& about_z) {
    return {at, quaternion_exp(vec3<S>{about_x, about_y, about_z})};
}

/// A box on a slope: {half its length, speed, friction, slope, heading, height above the slope}. Controls: a force across it.
template <class S, class Solver>
struct box_on_slope {
    sinew::world<config<S, Solver>, box, half_space> world;
    handle<rigid> crate{};

    void build(std::span<S const> p) {
        vec3<S> const up{sin(p[3]), cos(p[3]), S(0)};
        world.add(half_space<S>{up, S(0)}, world.ground(), surface_of(p[2]));
        vec3<S> const half{p[0], number<S>(0.2), number<S>(0.25)};
        // Not quite flat: of corners that are equally deep rounding would choose the first.
        auto const on_slope = turned_pose(up * (half[1] + p[5]), number<S>(1e-4), p[4], number<S>(2e-4));
        pose<S> const at{on_slope.position, quaternion_exp(vec3<S>{S(0), S(0), -p[3]}) * on_slope.rotation};
        crate = world.add_solid(box<S>{half}, S(500), at, surface_of(p[2]), {{p[1], S(0), p[1] * number<S>(0.3)}, {S(0), p[1], S(0)}});
    }
    bool step(std::size_t, std::span<S const> controls) {
        if (!controls.empty()) world.apply_wrench(crate, {{S(0), S(0), controls[0]}, {}});
        return static_cast<bool>(world.step(S(1) / S(60)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? mark_of(world.pose(crate)) : S(0); }
};
template <class S>
using box_by_impulses = box_on_slope<S, sequential_impulses>;
template <class S>
using box_by_positions = box_on_slope<S, nonlinear_gauss_seidel>;

// It slides on for the whole second and a half.
TEST(gradients_of_a_sliding_box, are_those_of_differences) { expect_gradient<box_by_impulses, 6>({0.3, 6, 0.1, 0.05, 0.4, -2e-4}, 90, 1e-7, 1e-7L); }
// It slides, stops after half a second, and lies.
TEST(gradients_of_a_box_that_comes_to_rest, are_those_of_differences) {
    for (int k = 11; k <= 21; ++k) {
        SCOPED_TRACE(k);
        expect_gradient<box_by_impulses, 6>({0.3, 0.1 * k, 0.4, 0.05, 0.4, -2e-4}, 90, 1e-6, 1e-9L);
    }
}
// It sticks from the beginning.
TEST(gradients_of_a_box_that_sticks_on_a_slope, are_those_of_differences) { expect_gradient<box_by_impulses, 6>({0.3, 0.01, 0.8, 0.3, 0.4, -2e-4}, 90, 1e-7, 1e-7L); }
// Positions leave all corners equally deep but for rounding, which then says which is first, and is worth 1e-5 m and more: so the same numbers on both sides.
template <class S>
struct box_by_positions_soon : box_by_positions<S> {
    S loss(std::size_t, std::span<S const>) const { return mark_of(this->world.pose(this->crate)); }
};
TEST(gradients_of_a_sliding_box, are_those_of_differences_by_positions) {
    double const parameters[6] = {0.3, 6, 0.1, 0.05, 0.4, -2e-4};
    expect_gradient<box_by_positions, 6, long double>(parameters, 40, 1e-7, 1e-7L);
    expect_gradient<box_by_positions_soon, 6>(parameters, 5, 1e-7, 1e-7L);  // before double takes another corner
    // Whichever it takes, derivatives do not choose.
    std::vector<double> const alone(parameters, parameters + 6);
    std::vector<dual<double, 6>> with;
    for (std::size_t i = 0; i < 6; ++i) with.push_back(dual<double, 6>::variable(parameters[i], i));
    EXPECT_EQ((simulate<box_by_positions_soon, dual<double, 6>>(with, {}, 40).loss.v), (simulate<box_by_positions_soon, double>(alone, {}, 40).loss));
}
TEST(gradients_of_a_box_that_comes_to_rest, are_those_of_differences_by_positions) { expect_gradient<box_by_positions, 6, long double>({0.3, 1.5, 0.4, 0.05, 0.4, -2e-4}, 90, 1e-7, 1e-7L); }
TEST(gradients_of_a_box_that_sticks_on_a_slope, are_those_of_differences_by_positions) { expect_gradient<box_by_positions, 6>({0.3, 0.01, 0.8, 0.3, 0.4, -2e-4}, 90, 1e-7, 1e-7L); }

// A box that slides and turns over a plane lands on it. Of four points some push first, by gaps of hundredths of a millimetre; what they push together, and how that
// brakes it, is not to hang on them.
// The ends of 101 landings, each 0.2 um higher than the last: Where a corner hits in one more part of a step the box ends 2 cm farther: no more than one such.
TEST(a_landing, does_not_hang_on_millionths_of_a_metre) {
    for (double const speed : {1.5, 2.0}) {
        SCOPED_TRACE(speed);
        double variation = 0, last = 0;
        for (int i = 0; i <= 100; ++i) {
            double const p[6] = {0.3, speed, 0.4, 0.05, 0.4, -2.1e-4 + i * 2e-7};
            double const end = simulate<box_by_impulses, double>(p, {}, 90).loss;
            if (i > 0) variation += std::abs(end - last);
            last = end;
        }
        EXPECT_LT(variation, 0.03);
    }
}

/// Boxes on each other, pushed from the side: {width of the lowest, friction, force on the middle, turn of the highest, density of the highest, offset of it}.
template <class S, int Count>
struct stack {
    sinew::world<config<S, sequential_impulses>, box, half_space> world;
    handle<rigid> pushed{}, highest{};
    S force{};

    void build(std::span<S const> p) {
        world.add(half_space<S>{{S(0), S(1), S(0)}, S(0)}, world.ground(), surface_of(p[1]));
        S y(0);
        for (int k = 0; k < Count; ++k) {
            bool const is_last = k == Count - 1;
            vec3<S> const half{k == 0 ? p[0] : number<S>(0.3 - 0.02 * k), number<S>(0.2), number<S>(0.3 - 0.01 * k)};
            y = y + half[1] - number<S>(2e-4);
            auto const at = turned_pose(vec3<S>{is_last ? p[5] : number<S>(0.01 * k), y, number<S>(-0.01 * k)}, number<S>(1e-4 * (k + 1)), is_last ? p[3] : number<S>(0.1 * k), number<S>(2e-4));
            highest = world.add_solid(box<S>{half}, is_last ? p[4] : number<S>(500), at, surface_of(p[1]));
            if (k == Count / 2) pushed = highest;
            y = y + half[1];
        }
        force = p[2];
    }
    bool step(std::size_t, std::span<S const> controls) {
        world.apply_wrench(pushed, {{force, S(0), controls.empty() ? S(0) : controls[0]}, {}});
        return static_cast<bool>(world.step(S(1) / S(60)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? mark_of(world.pose(pushed)) + mark_of(world.pose(highest)) : S(0); }
};
template <class S>
using two_boxes = stack<S, 2>;
template <class S>
using three_boxes = stack<S, 3>;
// What they weigh: 360 and 310 N. Pushed they stay where they are.
TEST(gradients_of_a_stack, are_those_of_differences_while_it_stands) { expect_gradient<two_boxes, 6>({0.32, 0.6, 60, 0.13, 500, 0.02}, 60, 1e-7, 1e-7L); }
TEST(gradients_of_a_stack_of_three, are_those_of_differences_while_it_stands) { expect_gradient<three_boxes, 6>({0.32, 0.6, 60, 0.13, 500, 0.02}, 60, 1e-7, 1e-7L); }
// The upper one slides off.
TEST(gradients_of_a_stack, are_those_of_differences_while_it_slides) { expect_gradient<two_boxes, 6>({0.32, 0.3, 400, 0.13, 500, 0.02}, 20, 1e-7, 1e-7L); }

/// Two balls that meet in the air: {radius of the first, its speed, restitution, offset, density of the second, friction}. Controls: a force on the first.
template <class S>
struct two_balls {
    sinew::world<config<S, sequential_impulses>, sphere> world;
    handle<rigid> first{}, second{};

    void build(std::span<S const> p) {
        first = world.add_solid(sphere<S>{p[0]}, S(1000), pose<S>{{S(0), S(2), S(0)}, {}}, surface_of(p[5], p[2]), {{p[1], S(0), S(0)}, {S(1), S(2), S(3)}});
        second = world.add_solid(sphere<S>{number<S>(0.1)}, p[4], pose<S>{{S(1), number<S>(2.02), p[3]}, {}}, surface_of(p[5], p[2]));
    }
    bool step(std::size_t, std::span<S const> controls) {
        if (!controls.empty()) world.apply_wrench(first, {{controls[0], S(0), S(0)}, {}});
        return static_cast<bool>(world.step(S(1) / S(120)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? mark_of(world.pose(first)) + mark_of(world.pose(second)) : S(0); }
};

/// A ball on a plane: {radius, speed, friction, spin, depth, speed across}. Controls: a force on it.
template <class S, class Solver>
struct ball_on_plane {
    sinew::world<config<S, Solver>, sphere, half_space> world;
    handle<rigid> ball{};

    void build(std::span<S const> p) {
        world.add(half_space<S>{{S(0), S(1), S(0)}, S(0)}, world.ground(), surface_of(p[2]));
        ball = world.add_solid(sphere<S>{p[0]}, S(1000), pose<S>{{S(0), p[0] - p[4], S(0)}, {}}, surface_of(p[2]), {{p[1], S(0), p[5]}, {S(0), S(1), p[3]}});
    }
    bool step(std::size_t, std::span<S const> controls) {
        if (!controls.empty()) world.apply_wrench(ball, {{controls[0], S(0), S(0)}, {}});
        return static_cast<bool>(world.step(S(1) / S(120)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? mark_of(world.pose(ball)) : S(0); }
};
template <class S>
using ball_by_impulses = ball_on_plane<S, sequential_impulses>;
template <class S>
using ball_by_positions = ball_on_plane<S, nonlinear_gauss_seidel>;
// It slides for a third of a second, and rolls.
TEST(gradients_of_a_ball_that_comes_to_roll, are_those_of_differences) { expect_gradient<ball_by_impulses, 6>({0.1, 1.4, 0.12, 0.5, 1e-4, 0.3}, 100, 1e-7, 1e-7L); }
TEST(gradients_of_a_ball_that_comes_to_roll, are_those_of_differences_by_positions) { expect_gradient<ball_by_positions, 6>({0.1, 1.4, 0.12, 0.5, 1e-4, 0.3}, 100, 1e-7, 1e-7L); }
TEST(gradients_of_balls_that_meet, are_those_of_differences) { expect_gradient<two_balls, 6>({0.12, 3, 0.7, 0.05, 900, 0.3}, 100, 1e-7, 1e-7L); }

/// A plank that rocks on a log: {its tilt, the log's radius, half its length, how far its middle is off the log}. Controls: a force along it.
template <class S>
struct plank_on_log {
    sinew::world<config<S, sequential_impulses>, capsule, box> world;
    handle<rigid> plank{};

    void build(std::span<S const> p) {
        auto const along_z = turned_pose(vec3<S>{}, number<S>(1.5707963), S(0), S(0));
        world.add(capsule<S>{p[1], S(2)}, world.add_fixed(along_z), surface_of(number<S>(0.8)));
        vec3<S> const up{-sin(p[0]), cos(p[0]), S(0)}, along{cos(p[0]), sin(p[0]), S(0)};
        plank = world.add_solid(box<S>{{p[2], number<S>(0.05), number<S>(0.3)}}, S(500), turned_pose(up * (p[1] + number<S>(0.0499)) + along * p[3], S(0), S(0), p[0]), surface_of(number<S>(0.8)));
    }
    bool step(std::size_t, std::span<S const> controls) {
        if (!controls.empty()) world.apply_wrench(plank, {{controls[0], S(0), S(0)}, {}});
        return static_cast<bool>(world.step(S(1) / S(60)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? mark_of(world.pose(plank)) : S(0); }
};
TEST(gradients_of_a_plank_that_rocks, are_the_same_backwards) { expect_same_gradient<plank_on_log>({0.1, 0.4, 1, 0.02}, std::vector<double>(60, 2.0), 60, 13); }

TEST(gradients_of_a_box_that_comes_to_rest, are_the_same_backwards) { expect_same_gradient<box_by_impulses>({0.3, 1.5, 0.4, 0.05, 0.4, -2e-4}, std::vector<double>(60, 5.0), 60, 13); }
TEST(gradients_of_a_box_that_comes_to_rest, are_the_same_backwards_by_positions) {
    expect_same_gradient<box_by_positions>({0.3, 1.5, 0.4, 0.05, 0.4, -2e-4}, std::vector<double>(20, 5.0), 20, 13);
}
TEST(gradients_of_a_stack, are_the_same_backwards) { expect_same_gradient<two_boxes>({0.32, 0.6, 60, 0.13, 500, 0.02}, std::vector<double>(20, 5.0), 20, 13); }
TEST(gradients_of_balls_that_meet, are_the_same_backwards) { expect_same_gradient<two_balls>({0.12, 3, 0.7, 0.05, 900, 0.3}, std::vector<double>(60, 5.0), 60, 13); }

}  // namespace
