// Gradients by what is 0 where they are taken: what stands may be about to move, and what is straight about to turn. Comparisons of numbers that carry
// derivatives look at values alone, and must not leave such a derivative out.

#include "gradients_scene.hpp"

namespace {

using namespace gradients_scene;

/// A box lies on a block: {speed of the block, its spin, speed of the block's surface along and across, sideways force, its tilting}.
template <class S, class Solver>
struct carried_box {
    sinew::world<config<S, Solver>, box> world;
    handle<rigid> crate{};
    S force{};

    void build(std::span<S const> p) {
        auto const block = world.add_fixed({{S(0), number<S>(-0.5), S(0)}, {}}, {{p[0], S(0), S(0)}, {p[5], p[1], p[5]}});
        auto belt = surface_of(number<S>(0.7));
        belt.material.surface_velocity = {p[2], S(0), p[3]};
        world.add(box<S>{{S(3), number<S>(0.5), S(3)}}, block, belt);
        // Not quite flat: of corners that are equally deep rounding would choose the first.
        pose<S> const at{{number<S>(0.4), number<S>(0.2 - 2e-4), number<S>(0.1)}, quaternion_exp(vec3<S>{number<S>(1e-4), number<S>(0.3), number<S>(2e-4)})};
        crate = world.add_solid(box<S>{{number<S>(0.3), number<S>(0.2), number<S>(0.25)}}, S(500), at, surface_of(number<S>(0.7)));
        force = p[4];
    }
    bool step(std::size_t, std::span<S const> controls) {
        world.apply_wrench(crate, {{S(0), S(0), controls.empty() ? force : force + controls[0]}, {}});
        return static_cast<bool>(world.step(S(1) / S(60)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? mark_of(world.pose(crate)) : S(0); }
};
template <class S>
using box_carried_by_impulses = carried_box<S, sequential_impulses>;
template <class S>
using box_carried_by_positions = carried_box<S, nonlinear_gauss_seidel>;
TEST(gradients_of_a_carried_box, are_those_of_differences) { expect_gradient<box_carried_by_impulses, 6>({0, 0, 0, 0, 0, 0}, 60, 1e-7); }
TEST(gradients_of_a_carried_box, are_those_of_differences_by_positions) { expect_gradient<box_carried_by_positions, 6>({0, 0, 0, 0, 0, 0}, 60, 1e-7); }

/// A capsule lies along a slope, and sticks: {torque about the slope's normal, spin about it, turn, force across}.
template <class S>
struct lying_capsule {
    sinew::world<config<S, sequential_impulses>, capsule, half_space> world;
    handle<rigid> rod{};
    S torque{}, force{};

    void build(std::span<S const> p) {
        auto options = surface_of(number<S>(0.4));
        vec3<S> const up{number<S>(-0.28), number<S>(0.96), S(0)};
        world.add(half_space<S>{up, S(0)}, world.ground(), options);
        S const quarter = S(2) * atan(S(1));
        pose<S> const at{up * number<S>(0.1 - 1e-4), quaternion_exp(up * p[2]) * quaternion_exp(vec3<S>{S(0), S(0), atan2(number<S>(0.28), number<S>(0.96)) - quarter})};
        rod = world.add_solid(capsule<S>{number<S>(0.1), number<S>(0.4)}, S(500), at, options, {{}, up * p[1]});
        torque = p[0];
        force = p[3];
    }
    bool step(std::size_t, std::span<S const>) {
        world.apply_wrench(rod, {{S(0), S(0), force}, {number<S>(-0.28) * torque, number<S>(0.96) * torque, S(0)}});
        return static_cast<bool>(world.step(S(1) / S(60)));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? mark_of(world.pose(rod)) : S(0); }
};
TEST(gradients_of_a_capsule_that_sticks_on_a_slope, are_those_of_differences) { expect_gradient<lying_capsule, 4>({0, 0, 0, 0}, 20, 1e-7); }

/// A box whose surface is off its centre slides on a plane: {offset upwards, along, across, turn of the surface}.
template <class S>
struct offset_shape {
    sinew::world<config<S, sequential_impulses>, box, half_space> world;
    handle<rigid> crate{};

    void build(std::span<S const> p) {
        auto options = surface_of(number<S>(0.5));
        world.add(half_space<S>{{S(0), S(1), S(0)}, S(0)}, world.ground(), options);
        vec3<S> const half{number<S>(0.3), number<S>(0.2), number<S>(0.25)};
        auto body = rigid_body_of(solid_box(S(60), half * S(2)), pose<S>{{S(0), number<S>(0.2 - 2e-4), S(0)}, quaternion_exp(vec3<S>{number<S>(1e-4), number<S>(0.3), number<S>(2e-4)})});
        body.twist.linear = {S(3), S(0), S(1)};
        crate = world.add(body);
        options.frame = {{p[1], p[0], p[2]}, quaternion_exp(vec3<S>{S(0), p[3], S(0)})};
        world.add(box<S>{half}, crate, options);
    }
    bool step(std::size_t, std::span<S const>) { return static_cast<bool>(world.step(S(1) / S(60))); }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? mark_of(world.pose(crate)) : S(0); }
};
TEST(gradients_by_the_place_of_a_shape, are_those_of_differences) { expect_gradient<offset_shape, 4>({0, 0, 0, 0}, 60, 1e-7); }

}  // namespace
