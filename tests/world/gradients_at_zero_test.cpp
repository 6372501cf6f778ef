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

// What is 0, and differentiated by, changes no value.
template <class S>
struct rolling_config : sinew::default_config {
    using scalar = S;
    static constexpr bool resists_rolling = true;
};
template <class S>
std::vector<double> way_of_a_crate(S const& force, double density) {
    sinew::world<rolling_config<S>, box> w;
    auto options = surface_of(number<S>(0.5));
    options.material.rolling_friction = number<S>(0.01);
    options.material.spinning_friction = number<S>(0.02);
    options.frame = {{S(0), S(-1), S(0)}, {}};
    w.add(box<S>{{S(5), S(1), S(5)}}, w.ground(), options);
    options.frame = {};
    auto const b = w.add_solid(box<S>{{number<S>(0.3), number<S>(0.1), number<S>(0.2)}}, number<S>(density), pose<S>{{S(0), number<S>(0.1), S(0)}, {}}, options,
                               sinew::twist<S>{{S(1), S(0), number<S>(0.2)}, {S(0), S(2), S(-1)}});
    std::vector<double> way;
    for (int i = 0; i < 30; ++i) {
        w.apply_wrench(b, {{force, S(0), S(0)}, {}});
        EXPECT_TRUE(w.step(S(1) / S(120)));
        for (std::size_t k = 0; k < 3; ++k) way.push_back(sinew::value(w.position(b)[k]));
    }
    return way;
}
TEST(a_control_of_zero, changes_no_value_of_what_resists_rolling) {
    using D = sinew::dual<double, 1>;
    for (double const density : {500.0, 649.2, 723.8}) EXPECT_EQ(way_of_a_crate<D>(D::variable(0, 0), density), way_of_a_crate<double>(0, density)) << density;
}

template <class S, template <class> class R>
struct turned_config : sinew::default_config {
    using scalar = S;
    template <class T>
    using rotation = R<T>;
};
template <template <class> class R, class S>
auto standing_after(S const& spin, double turn) {
    sinew::world<turned_config<S, R>, sinew::ball_joint> w;
    auto const b = w.add_fixed(pose<S, R<S>>{{S(1), S(2), S(3)}, sinew::rotation_exp<R<S>>(vec3<S>{number<S>(turn), number<S>(0.3), number<S>(-0.7)})}, {{}, {spin, S(0), S(0)}});
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(w.step(S(1) / S(120)));
    return w.pose(b);
}
template <template <class> class R>
void expect_to_stand() {
    using D = sinew::dual<double, 1>;
    for (double const turn : {0.4, 0.9, 1.7, 3.0}) {
        SCOPED_TRACE(turn);
        auto const with = standing_after<R, D>(D::variable(0, 0), turn);
        auto const without = standing_after<R, double>(0, turn);
        for (std::size_t k = 0; k < R<double>::dimension; ++k) EXPECT_EQ(sinew::value(with.rotation.coordinate(k)), without.rotation.coordinate(k)) << k;
        double const h = 1e-5;
        auto const seen = []<class S, class Q>(pose<S, Q> const& p) { return p.point(vec3<S>{S(0.3), S(0.2), S(0.1)}); };
        auto const by_spin = (seen(standing_after<R, double>(h, turn)) - seen(standing_after<R, double>(-h, turn))) / (2 * h);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(seen(with)[k].d[0], by_spin[k], 1e-8) << k;
    }
}
TEST(a_spin_of_zero, does_not_turn_what_stands) {
    expect_to_stand<sinew::quaternion>();
    expect_to_stand<sinew::rotation_matrix>();
    expect_to_stand<sinew::rotation_vector>();
}

}  // namespace
