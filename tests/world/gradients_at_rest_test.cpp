// Gradients where sweeps have nothing to do: at rest and undisturbed the values are right from the beginning, but what is next to them takes all sweeps; and
// what spins about a principal axis keeps its velocity, but what is next to it does not.

#include "gradients_scene.hpp"

namespace {

using namespace gradients_scene;

/// Boxes without weight that ball joints hold in a row: {force across the last, along it, torque about the row, mass of the first}.
template <class S, class Solver>
struct weightless_row {
    sinew::world<config<S, Solver>, ball_joint> world;
    handle<rigid> last{};
    wrench<S> push{};

    void build(std::span<S const> p) {
        world.gravity = {};
        auto previous = world.ground();
        for (int k = 0; k < 4; ++k) {
            S const x = number<S>(k);
            last = world.add(rigid_body_of(solid_box(k == 0 ? p[3] : S(1), vec3<S>{S(1), number<S>(0.125), number<S>(0.25)}), pose<S>{{x + number<S>(0.5), S(0), S(0)}, {}}));
            world.add(ball_joint<S>::at(world.pose(previous), world.pose(last), vec3<S>{x, S(0), S(0)}), previous, last);
            previous = last;
        }
        push = {{p[1], p[0], S(0)}, {p[2], S(0), S(0)}};
    }
    bool step(std::size_t, std::span<S const>) {
        world.apply_wrench(last, push);
        return static_cast<bool>(world.step(S(1) / S(64)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 10 == 9 ? mark_of(world.pose(last)) : S(0); }
};
template <class Solver>
struct by {
    template <class S>
    using row = weightless_row<S, Solver>;
};
template <class T>
class gradients_of_a_weightless_row : public testing::Test {};
using strategies = testing::Types<by<nonlinear_gauss_seidel>, by<plain_gauss_seidel>, by<jacobi>, by<vertex_block_descent>, by<compliant_implicit>, by<sequential_impulses>>;
TYPED_TEST_SUITE(gradients_of_a_weightless_row, strategies);
TYPED_TEST(gradients_of_a_weightless_row, are_those_of_differences) { expect_gradient<TypeParam::template row, 4>({0, 0, 0, 1.5}, 20, 1e-6); }
TYPED_TEST(gradients_of_a_weightless_row, are_the_same_backwards) { expect_same_gradient<TypeParam::template row>({0, 0, 0, 1.5}, {}, 20, 1); }

// A ball that spins over the ground: nothing is left to do from the first sweep, so that all are for derivatives alone, and not one value may change by them.
template <class S, class Solver>
std::vector<double> spins_of_hovering_ball() {
    sinew::world<config<S, Solver>, sphere, half_space> w;
    w.gravity = {};
    w.add(half_space<S>{}, w.ground());
    auto const ball = w.add_solid(sphere<S>{number<S>(0.5)}, S(100), {{S(0), number<S>(0.505), S(0)}, {}});
    EXPECT_TRUE(w.set_twist(ball, {{}, {number<S>(0.7), number<S>(1.3), number<S>(-0.4)}}));
    std::vector<double> r;
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(w.step(S(1) / S(60)));
        for (std::size_t k = 0; k < 4; ++k) r.push_back(value(w.pose(ball).rotation.coordinate(k)));
        for (std::size_t k = 0; k < 3; ++k) r.push_back(value(w.twist(ball).angular[k]));
    }
    return r;
}
TEST(sweeps_for_derivatives_alone, change_no_value) {
    auto const check = []<class Solver>(Solver const&) { EXPECT_EQ((spins_of_hovering_ball<double, Solver>()), (spins_of_hovering_ball<dual<double, 1>, Solver>())); };
    check(nonlinear_gauss_seidel{});
    check(plain_gauss_seidel{});
    check(jacobi{});
    check(vertex_block_descent{});
    check(augmented_lagrangian{});
    check(compliant_implicit{});
}

/// A top on a ball joint spins about its axis without weight: {torque across, spin across, product of inertia, mass}.
template <class S, class Solver>
struct sleeping_top {
    sinew::world<config<S, Solver>, ball_joint> world;
    handle<rigid> top{};
    S torque{};

    void build(std::span<S const> p) {
        world.gravity = {};
        rigid_body<S> b;
        b.mass = p[3];
        b.inertia = diagonal(number<S>(0.3), number<S>(0.4), number<S>(0.5));
        b.inertia.xz = p[2];
        b.pose.position = {S(0), S(0), number<S>(0.5)};
        b.twist.angular = {p[1], S(0), S(4)};
        b.twist.linear = cross(b.twist.angular, b.pose.position);
        top = world.add(b);
        world.add(ball_joint<S>::at(world.pose(world.ground()), world.pose(top), vec3<S>{}), world.ground(), top);
        torque = p[0];
    }
    bool step(std::size_t, std::span<S const>) {
        world.apply_wrench(top, {{}, {torque, S(0), S(0)}});
        return static_cast<bool>(world.step(S(1) / S(64)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 25 == 24 ? mark_of(world.pose(top)) : S(0); }
};
template <class S>
using sleeping_top_by_compliance = sleeping_top<S, compliant_implicit>;
template <class S>
using sleeping_top_by_positions = sleeping_top<S, nonlinear_gauss_seidel>;
TEST(gradients_of_a_sleeping_top, are_those_of_differences) { expect_gradient<sleeping_top_by_compliance, 4>({0, 0, 0, 1.5}, 50, 1e-6); }
TEST(gradients_of_a_sleeping_top, are_those_of_differences_by_positions) { expect_gradient<sleeping_top_by_positions, 4>({0, 0, 0, 1.5}, 50, 1e-6); }
TEST(gradients_of_a_sleeping_top, are_the_same_backwards) { expect_same_gradient<sleeping_top_by_compliance>({0, 0, 0, 1.5}, {}, 50, 1); }

/// A box is carried off by a belt: {length of the steps, s, friction, speed of the belt}. Controls: what a step is longer.
template <class S>
struct box_on_belt {
    sinew::world<config<S, sequential_impulses>, box, half_space> world;
    handle<rigid> crate{};
    S h{};

    void build(std::span<S const> p) {
        h = p[0];
        auto belt = surface_of(p[1]);
        belt.material.surface_velocity = {p[2], S(0), S(0)};
        world.add(half_space<S>{}, world.ground(), belt);
        pose<S> const at{{S(0), number<S>(0.1998), S(0)}, quaternion_exp(vec3<S>{number<S>(1e-4), number<S>(0.2), number<S>(2e-4)})};
        crate = world.add_solid(box<S>{{number<S>(0.3), number<S>(0.2), number<S>(0.25)}}, S(800), at, surface_of(p[1]));
    }
    bool step(std::size_t, std::span<S const> controls) { return static_cast<bool>(world.step(controls.empty() ? h : h + controls[0])); }
    S loss(std::size_t k, std::span<S const>) const { return k % 10 == 9 ? mark_of(world.pose(crate)) : S(0); }
};
TEST(gradients_by_the_length_of_steps, are_those_of_differences) { expect_gradient<box_on_belt, 3>({1.0 / 120, 0.8, 0.9}, 20, 1e-6); }
TEST(gradients_by_the_length_of_steps, are_the_same_backwards) { expect_same_gradient<box_on_belt>({1.0 / 120, 0.8, 0.9}, std::vector<double>(20), 20, 3); }

}  // namespace
