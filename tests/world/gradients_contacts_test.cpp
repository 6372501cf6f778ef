// Gradients through contacts: a ball that hits, bounces, rubs and rolls, away from the instants at which that changes.

#include "gradients_scene.hpp"

namespace {

using namespace gradients_scene;

/// {radius, speed along the ground, restitution, spin, height, friction}. Controls: a push along the ground.
template <class S>
struct bouncing_ball {
    sinew::world<config<S, sequential_impulses>, sphere, half_space> world;
    handle<rigid> ball{};

    void build(std::span<S const> p) {
        collider_options<S, quaternion<S>> options;
        options.material = material<S>::of(p[5], p[2]);
        world.add(half_space<S>{{S(0), S(1), S(0)}, S(0)}, world.ground(), options);
        ball = world.add_solid(sphere<S>{p[0]}, S(1000), pose<S>{{S(0), p[4], S(0)}, {}}, options, {{p[1], S(0), S(0)}, {S(0), S(0), p[3]}});
    }
    bool step(std::size_t, std::span<S const> controls) {
        if (!controls.empty()) world.apply_wrench(ball, {{controls[0], S(0), S(0)}, {}});
        return static_cast<bool>(world.step(S(1) / S(240)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 50 == 49 ? mark_of(world.pose(ball)) : S(0); }
};

// It hits the ground seven times, and is in the air at the end.
TEST(gradients_of_a_bouncing_ball, are_those_of_differences) { expect_gradient<bouncing_ball, 6>({0.1, 0.4, 0.8, 0.5, 1, 0.3}, 500, 1e-6); }
// It falls, does not bounce, and slides all the time.
TEST(gradients_of_a_sliding_ball, are_those_of_differences) { expect_gradient<bouncing_ball, 6>({0.1, 1.4, 0.05, 0.5, 0.105, 0.05}, 150, 1e-6); }

/// A box that tumbles on the ground, and two capsules that fall crosswise: {size, speed, friction, spin, density of a capsule, height}.
template <class S>
struct tumbling_shapes {
    sinew::world<config<S, sequential_impulses>, box, capsule, half_space> world;
    handle<rigid> first{}, second{};

    void build(std::span<S const> p) {
        collider_options<S, quaternion<S>> options;
        options.material = material<S>::of(p[2], number<S>(0.05));
        auto const at = [&](double x, S const& y, double a, double b, double c) {
            return pose<S>{{number<S>(x), y, S(0)}, quaternion_exp(vec3<S>{number<S>(a), number<S>(b), number<S>(c)})};
        };
        twist<S> const t{{p[1], S(0), number<S>(0.2)}, {S(0), S(0), p[3]}};
        S const density(1000);
        world.add(half_space<S>{{S(0), S(1), S(0)}, S(0)}, world.ground(), options);
        first = world.add_solid(box<S>{{p[0] + number<S>(0.05), p[0], p[0] + number<S>(0.1)}}, density, at(-3, p[5] + number<S>(0.3), 0.4, 0.3, 0.2), options, t);
        second = world.add_solid(capsule<S>{p[0], p[0] * S(2)}, density * p[4], at(0, p[5], 1.4, 0.3, 0), options, t);
        world.add_solid(capsule<S>{number<S>(0.1), number<S>(0.2)}, density, at(0, p[5] + number<S>(0.25), 1.5, 1.3, 0), options);
    }
    bool step(std::size_t, std::span<S const>) { return static_cast<bool>(world.step(S(1) / S(240))); }
    S loss(std::size_t k, std::span<S const>) const { return k % 50 == 49 ? mark_of(world.pose(first)) + mark_of(world.pose(second)) : S(0); }
};
TEST(gradients_of_tumbling_shapes, are_those_of_differences) { expect_gradient<tumbling_shapes, 6>({0.1, 1.4, 0.25, 0.2, 1.1, 0.11}, 100, 1e-6, 1e-8L); }

TEST(gradients_of_a_bouncing_ball, are_the_same_backwards) {
    std::vector<double> pushes;
    for (int k = 0; k < 250; ++k) pushes.push_back(std::sin(0.1 * k));
    expect_same_gradient<bouncing_ball>({0.1, 0.4, 0.8, 0.5, 1, 0.3}, pushes, 250, 13);
}
TEST(gradients_of_a_rolling_ball, are_the_same_backwards) {
    std::vector<double> pushes(100, 0.2);
    expect_same_gradient<bouncing_ball>({0.1, 1.4, 0.05, 0.5, 0.12, 0.2}, pushes, 100, 13);
}

// A box that lands on a belt which carries it along: {gravity, friction, speed of the belt}. Where it sticks, it slips by roundings alone. Controls: a push on it.
template <class S>
struct box_on_a_belt {
    sinew::world<config<S, nonlinear_gauss_seidel>, box, half_space> world;
    handle<rigid> cart{}, belt{};

    void build(std::span<S const> p) {
        world.gravity = {number<S>(0.03), -p[0], number<S>(0.02)};
        auto const moving = [&](S const& friction) {
            auto options = surface_of(friction);
            options.material.static_friction = friction * number<S>(1.25);
            options.material.surface_velocity = {p[2], S(0), S(0)};
            return options;
        };
        world.add(half_space<S>{}, world.ground(), surface_of(p[1]));
        auto const leaning = [](vec3<S> const& at, double x, double y, double z) { return pose<S>{at, quaternion_exp(vec3<S>{number<S>(x), number<S>(y), number<S>(z)})}; };
        belt = world.add_solid(box<S>{{S(2), number<S>(0.25), S(1)}}, S(2000), leaning({S(6), number<S>(0.2498), S(0)}, 3e-5, 0, 7e-5), surface_of(S(1)));
        cart = world.add_solid(box<S>{{number<S>(0.3), number<S>(0.1), number<S>(0.2)}}, S(300), leaning({S(6), number<S>(0.5995), number<S>(0.05)}, 1e-4, 0.3, 2e-4), moving(p[1]));
    }
    bool step(std::size_t, std::span<S const> controls) {
        world.apply_wrench(cart, {{controls[0], S(0), S(0)}, {}});
        return static_cast<bool>(world.step(S(1) / S(120)));
    }
    S loss(std::size_t, std::span<S const>) const { return mark_of(world.pose(cart)) + mark_of(world.pose(belt)); }
};
TEST(gradients_of_a_box_on_a_belt, are_the_same_backwards) {
    for (std::size_t const steps : {16u, 30u}) {
        std::vector<double> pushes;
        for (std::size_t k = 0; k < steps; ++k) pushes.push_back(3 * std::sin(0.2 * static_cast<double>(k)));
        expect_same_gradient<box_on_a_belt>({9.8, 0.4, 0.6}, pushes, steps, 3);
    }
}

}  // namespace
