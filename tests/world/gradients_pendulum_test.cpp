// Gradients through a double pendulum under Lagrange multipliers and Runge-Kutta's method.

#include "gradients_scene.hpp"

namespace {

using namespace gradients_scene;

template <class S>
using double_pendulum = row_of_boxes<S, world<config<S, lagrange_multipliers<cholesky>, rk4>, ball_joint>, 2, 200>;

TEST(gradients_of_a_double_pendulum, are_those_of_differences) { expect_gradient<double_pendulum, 4>({1.3, 0.9, 0.2, 0}, 500, 1e-6); }

TEST(gradients_of_a_double_pendulum, are_the_same_backwards) {
    std::vector<double> torques;
    for (int k = 0; k < 250; ++k) torques.push_back(std::sin(0.1 * k));
    // 16 of the states and 16 between two of them are held, of 250.
    auto const report = expect_same_gradient<double_pendulum>({1.3, 0.9, 0.2, 0}, torques, 250, 13);
    EXPECT_EQ(report.states_kept, 32u);
}
// Whatever is kept and whatever is computed again.
TEST(gradients_of_a_double_pendulum, do_not_depend_on_what_is_kept) {
    std::vector<double> const parameters{1.3, 0.9, 0.2, 0}, torques(40, 0.5);
    std::vector<double> reference;
    for (std::size_t const stride : {1u, 7u, 40u, 100u}) {
        reverse_sweep<double_pendulum> sweep;
        sweep.stride = stride;
        std::vector<double> by_parameters(4), by_controls(40);
        auto const report = sweep(parameters, torques, 40, by_parameters, by_controls);
        ASSERT_TRUE(report);
        EXPECT_LE(report.states_kept, 41u);
        by_controls.insert(by_controls.end(), by_parameters.begin(), by_parameters.end());
        if (reference.empty()) reference = by_controls;
        EXPECT_EQ(by_controls, reference) << "stride " << stride;
    }
}

/// A bar with a hinge and another on it, in reduced coordinates, and a particle pinned to its end: {length, angle, mass of the particle}. Controls: a torque
/// on each hinge.
template <scalar S>
struct arm {
    static constexpr std::size_t coordinates = 2;
    S length{1};

    constexpr auto links(auto const& u) const {
        using T = typename std::remove_cvref_t<decltype(u)>::scalar_type;
        std::array<pose<T>, 2> bars;
        vec3<T> end{T(0), T(0), T(0)};
        T angle(0);
        for (std::size_t i = 0; i < 2; ++i) {
            angle = angle + u[i];
            vec3<T> const half{cos(angle) * (length / S(2)), sin(angle) * (length / S(2)), T(0)};
            bars[i] = {end + half, rotation_about<quaternion<T>>({T(0), T(0), T(1)}, angle)};
            end = end + half + half;
        }
        return bars;
    }
};
template <class S>
using held_end = on_link<S, particle_pin, as_bound, link_of<arm, 1>>;
template <class S>
struct arm_with_load {
    sinew::world<config<S, sequential_impulses>, arm, held_end> world;
    handle<generalized<arm<S>>> bars{};
    handle<point_mass> load{};

    void build(std::span<S const> p) {
        auto const bar = link_mass<S>::of(solid_box(S(1), vec3<S>{p[0], number<S>(0.1), number<S>(0.1)}));
        bars = world.add(generalized_body<arm<S>>{{p[0]}, {bar, bar}, {p[1], number<S>(0.4)}, {S(0), S(0)}, {}});
        vec3<S> const tip = world.pose(bars, 1).point(vec3<S>{p[0] / S(2), S(0), S(0)});
        load = world.add(particle<S>{p[2], tip, {}});
        world.add(held_end<S>::at(particle_pose<S>{tip}, world.pose(bars), tip), load, bars);
    }
    bool step(std::size_t, std::span<S const> controls) {
        if (!controls.empty()) world.apply_force(bars, vec<S, 2>{controls[0], controls[1]});
        return static_cast<bool>(world.step(S(1) / S(120)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? world.position(load)[0] : S(0); }
};
TEST(gradients_of_reduced_coordinates, are_those_of_differences) { expect_gradient<arm_with_load, 3>({0.7, -0.5, 0.3}, 40, 1e-6); }
TEST(gradients_of_reduced_coordinates, are_the_same_backwards) { expect_same_gradient<arm_with_load>({0.7, -0.5, 0.3}, std::vector<double>(40, 0.1), 20, 7); }

/// The same beside a flap that swings against a limit: {length, angle, mass of the particle, torque on the flap}.
template <class S>
struct arm_and_flap {
    sinew::world<config<S, lagrange_multipliers<dantzig>>, arm, held_end, hinge_joint, angle_limit> world;
    handle<point_mass> load{};
    handle<rigid> flap{};
    S torque{};

    void build(std::span<S const> p) {
        auto const bar = link_mass<S>::of(solid_box(S(1), vec3<S>{p[0], number<S>(0.1), number<S>(0.1)}));
        auto const bars = world.add(generalized_body<arm<S>>{{p[0]}, {bar, bar}, {p[1], number<S>(0.4)}, {S(1), S(-2)}, {}});
        vec3<S> const tip = world.pose(bars, 1).point(vec3<S>{p[0] / S(2), S(0), S(0)}), axis{S(0), S(0), S(1)};
        load = world.add(particle<S>{p[2], tip, {}});
        world.add(held_end<S>::at(particle_pose<S>{tip}, world.pose(bars), tip), load, bars);
        flap = world.add(rigid_body_of(solid_box(S(1), vec3<S>{number<S>(0.4), number<S>(0.1), number<S>(0.2)}), pose<S>{{number<S>(0.2), S(3), S(0)}, {}}));
        world.add(hinge_joint<S>::at(world.pose(world.ground()), world.pose(flap), vec3<S>{S(0), S(3), S(0)}, axis), world.ground(), flap);
        world.add(angle_limit<S>::at(world.pose(world.ground()), world.pose(flap), axis, number<S>(-0.3), number<S>(0.3)), world.ground(), flap);
        torque = p[3];
    }
    bool step(std::size_t, std::span<S const> controls) {
        world.apply_wrench(flap, {{}, {S(0), S(0), torque + (controls.empty() ? S(0) : controls[0])}});
        return static_cast<bool>(world.step(S(1) / S(120)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 10 == 9 ? world.position(load)[0] + mark_of(world.pose(flap)) : S(0); }
};
TEST(gradients_of_reduced_coordinates, are_those_of_differences_where_another_body_hits_a_limit) { expect_gradient<arm_and_flap, 4>({0.7, -0.5, 0.3, -0.2}, 60, 1e-6); }
TEST(gradients_of_reduced_coordinates, are_the_same_backwards_where_another_body_hits_a_limit) {
    expect_same_gradient<arm_and_flap>({0.7, -0.5, 0.3, -0.2}, std::vector<double>(60, 0.01), 60, 7);
}

}  // namespace
