#pragma once
// Scenes of joints: a robot arm with a motor and a stop, for strategies that know bounds; and a net of links and particles, for all.

#include <determinism/scene.hpp>

namespace determinism {

template <class S>
[[nodiscard]] constexpr S number_as(double x) noexcept {
    if constexpr (floating_scalar<S>)
        return S(x);
    else
        return S::from(x);
}

template <class S>
using soft_link = soft_joint<S, particle_distance>;

/// An arm on a turning foot: a hinge with a bounded motor, a hinge with a stop, and a spring to the ground.
template <class Config>
using machine = world<Config, hinge_joint, angle_limit, powered_axis, spring>;
template <class World>
void build_machine(World& w) {
    using S = typename World::scalar_type;
    using V = vec3<S>;
    using P = typename World::pose_type;
    auto const number = [](double x) { return number_as<S>(x); };
    auto const add = [&](V const& size, V const& at) { return w.add(rigid_body_of(solid_box(S(1), size), P{at})); };
    auto const foot = add({number(0.4), number(0.2), number(0.3)}, {0, 0, 0});
    auto const upper = add({number(0.6), number(0.1), number(0.1)}, {number(0.3), number(0.1), 0});
    auto const lower = add({number(0.6), number(0.08), number(0.1)}, {number(0.9), number(0.1), 0});
    auto const hand = add({number(0.2), number(0.05), number(0.3)}, {number(1.3), number(0.1), number(0.02)});
    V const y{0, 1, 0}, z{0, 0, 1};
    auto const turntable = hinge_joint<S>::at(w.pose(w.ground()), w.pose(foot), V{0, 0, 0}, y);
    w.add(turntable, w.ground(), foot);
    w.add(powered_axis<S>::at(w.pose(w.ground()), w.pose(foot), y, number(1.7), S(6)), w.ground(), foot);
    w.add(hinge_joint<S>::at(w.pose(foot), w.pose(upper), V{0, number(0.1), 0}, z), foot, upper);
    w.add(hinge_joint<S>::at(w.pose(upper), w.pose(lower), V{number(0.6), number(0.1), 0}, z), upper, lower);
    w.add(angle_limit<S>::at(w.pose(upper), w.pose(lower), z, number(-0.7), number(0.4)), upper, lower);
    w.add(hinge_joint<S>::at(w.pose(lower), w.pose(hand), V{number(1.2), number(0.1), 0}, V{number(0.6), number(0.8), 0}), lower, hand);
    w.add(spring<S>{.anchor_a = {0, S(1), 0}, .rest_length = number(0.8), .stiffness = S(20), .damping = number(0.5)}, w.ground(), upper);
}

/// A chain of boxes from the ground, and a rope of particles with soft links.
template <class Config>
using net = world<Config, ball_joint, soft_link>;
template <class World>
void build_net(World& w) {
    using S = typename World::scalar_type;
    using V = vec3<S>;
    auto last = w.ground();
    auto const number = [](double x) { return number_as<S>(x); };
    for (int i = 0; i < 4; ++i) {
        V const at{number(0.5) * S(i) + number(0.25), number(0.01) * S(i), number(0.05) * S(i * i)};
        auto const link = w.add(rigid_body_of(solid_box(S(1) + number(0.3) * S(i), V{number(0.5), number(0.1), number(0.2)}), typename World::pose_type{at}));
        w.add(ball_joint<S>::at(w.pose(last), w.pose(link), at - V{number(0.25), 0, 0}), last, link);
        last = link;
    }
    auto before = w.add_fixed_particle({0, 1, 0});
    for (int i = 0; i < 4; ++i) {
        auto const p = w.add(particle<S>{number(0.2), {number(0.2) * S(i + 1), number(1.1), number(0.03) * S(i)}, {}});
        w.add(soft_link<S>::with(particle_distance<S>{.length = number(0.2)}, number(1e-3), number(0.1)), before, p);
        before = p;
    }
}

template <class Config>
void run_machine(char const* name, typename Config::scalar const& h, auto&& tune) {
    machine<Config> w;
    build_machine(w);
    tune(w);
    run(name, w, 300, h);
}
template <class Config>
void run_net(char const* name, typename Config::scalar const& h, auto&& tune) {
    net<Config> w;
    build_net(w);
    tune(w);
    run(name, w, 300, h);
}
inline constexpr auto as_it_comes = [](auto&) {};

}  // namespace determinism
