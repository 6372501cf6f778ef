#pragma once
// A machine that differs from lane to lane, over a scalar with lanes and over the lanes' own; and that both have the same bits.
//
// A hinge with a motor, ball joints, a user's rod, a rope, soft joints, a particle, a ball among boxes, a body that is carried along; masses,
// lengths, spins, motor speeds and pushes by lane. Which of its limits acts, and when, is another thing in every lane.

#include <sinew/sinew.hpp>

#include <world/my_rod.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

namespace lanes_scene {

using namespace sinew;

template <class S>
using soft_ball = soft_joint<S, ball_joint>;

// f(lane) in every lane, or in the one that is asked for.
template <class S, class F>
S by_lane(std::size_t lane, F const& f) {
    if constexpr (lanes_v<S> == 1) {
        return static_cast<S>(f(static_cast<double>(lane)));
    } else {
        S x;
        for (std::size_t i = 0; i < S::lanes; ++i) x[i] = static_cast<value_type_t<S>>(f(static_cast<double>(i)));
        return x;
    }
}

template <class S>
constexpr S of(double x) {
    return S(static_cast<value_type_t<S>>(x));
}

// Equalities alone: every strategy that has lanes takes them.
template <class S, class W>
void build_chain(W& w, std::size_t lane, int links) {
    auto previous = w.ground();
    for (int k = 0; k < links; ++k) {
        S const length = by_lane<S>(lane, [](double i) { return 1 + 0.1 * i; });
        S const mass = by_lane<S>(lane, [&](double i) { return 1 + 0.3 * i * (k % 2); });
        S const spin = by_lane<S>(lane, [](double i) { return i == 3 ? 0 : 0.2 * i; });
        S const gap = of<S>(k == 3 ? 0.25 : 0), x = of<S>(k) * length + of<S>(k >= 3 ? 0.25 : 0);
        S const half = length / 2, zero(0);
        auto link = k == 2 ? rigid_body_of(solid_sphere(mass, half), pose<S>{{x + half, zero, zero}, {}})
                           : rigid_body_of(solid_box(mass, vec3<S>{length, of<S>(k % 3 == 1 ? 0.5 : 0.1), of<S>(0.2)}), pose<S>{{x + half, zero, zero}, {}});
        // Equal in all directions in one lane, not in the others.
        if (k == 4) link = rigid_body_of(solid_box(mass, vec3<S>{length, by_lane<S>(lane, [](double i) { return i == 1 ? 1 + 0.1 * i : 0.3; }), by_lane<S>(lane, [](double i) { return i == 1 ? 1 + 0.1 * i : 0.3; })}), link.pose);
        link.twist.angular = {zero, spin, spin};
        auto const h = w.add(link);
        vec3<S> const at{x, zero, zero};
        if (k == 3)
            w.add(my_rod<S>{{half, zero, zero}, {-half, zero, zero}, gap}, previous, h);
        else
            w.add(ball_joint<S>::at(w.pose(previous), w.pose(h), at), previous, h);
        previous = h;
    }
}

// And with what has bounds, is soft, or moves by itself.
template <class S, class W>
void build_machine(W& w, std::size_t lane) {
    build_chain<S>(w, lane, 5);
    S const zero(0), one(1);
    std::vector<handle<rigid>> links;
    w.for_each_body([&](auto h) { links.push_back(h); });
    auto const pose_of = [&](std::size_t i) { return w.pose(links[i]); };
    auto const wheel = w.add(rigid_body_of(solid_sphere(one, of<S>(0.2)), pose<S>{pose_of(1).position + vec3<S>{zero, zero, of<S>(0.3)}, {}}));
    w.add(hinge_joint<S>::at(pose_of(1), w.pose(wheel), pose_of(1).position, vec3<S>{zero, zero, one}), links[1], wheel);
    w.add(powered_axis<S>::at(pose_of(1), w.pose(wheel), vec3<S>{zero, zero, one}, by_lane<S>(lane, [](double i) { return i - 3; }), of<S>(0.4)), links[1], wheel);
    S const reach = by_lane<S>(lane, [](double i) { return i == 2 ? 0.2 : 0.4 + 0.3 * i; });
    w.add(rope<S>{{zero, zero, zero}, {zero, zero, zero}, reach + norm(pose_of(4).position - pose_of(0).position) / 2}, links[0], links[4]);
    auto const bob = w.add(rigid_body_of(solid_box(one, vec3<S>{of<S>(0.2), of<S>(0.3), of<S>(0.4)}), pose<S>{pose_of(4).position + vec3<S>{one, zero, zero}, {}}));
    w.add(soft_ball<S>::with(ball_joint<S>::at(pose_of(4), w.pose(bob), pose_of(4).position + vec3<S>{of<S>(0.5), zero, zero}), of<S>(1e-4), of<S>(2)), links[4], bob);
    auto const carried = w.add_fixed(pose<S>{{zero, of<S>(2), zero}, {}}, twist<S>{{by_lane<S>(lane, [](double i) { return 0.1 * i; }), zero, zero}, {zero, zero, by_lane<S>(lane, [](double i) { return i == 1 ? 0 : 1; })}});
    w.add(soft_ball<S>::with(ball_joint<S>::at(w.pose(carried), pose_of(2), pose_of(2).position), of<S>(0.03), of<S>(1)), carried, links[2]);
    auto const mote = w.add(particle<S>{of<S>(0.3), pose_of(1).position - vec3<S>{zero, one, zero}, {zero, zero, zero}});
    w.add(particle_body_distance<S>{{}, {}, one}, mote, links[1]);
    w.add(linear_drag<S>{of<S>(0.05), of<S>(0.02)});
}

template <class T>
void expect_same(T wide, T narrow, char const* what, std::size_t lane, std::uint32_t body) {
    EXPECT_EQ(0, std::memcmp(&wide, &narrow, sizeof(T))) << what << " of body " << body << ", lane " << lane << ": " << wide << " and alone " << narrow;
}

// All bodies and particles of lane `lane` have the bits of the world that is alone.
template <class Wide, class Narrow>
void expect_lane(Wide const& wide, Narrow const& narrow, std::size_t lane) {
    std::vector<typename Narrow::body_handle> bodies;
    std::vector<typename Narrow::particle_handle> motes;
    narrow.for_each_body([&](auto h) { bodies.push_back(h); });
    narrow.for_each_particle([&](auto h) { motes.push_back(h); });
    std::size_t at = 0;
    wide.for_each_body([&](auto h) {
        auto const a = wide.body(h);
        auto const b = narrow.body(bodies[at++]);
        using R = typename Narrow::rotation_type;
        for (std::size_t k = 0; k < 3; ++k) {
            expect_same(a.pose.position[k][lane], b.pose.position[k], "position", lane, h.index);
            expect_same(a.twist.linear[k][lane], b.twist.linear[k], "velocity", lane, h.index);
            expect_same(a.twist.angular[k][lane], b.twist.angular[k], "spin", lane, h.index);
        }
        for (std::size_t k = 0; k < R::dimension; ++k) expect_same(a.pose.rotation.coordinate(k)[lane], b.pose.rotation.coordinate(k), "rotation", lane, h.index);
    });
    at = 0;
    wide.for_each_particle([&](auto h) {
        auto const b = motes[at++];
        for (std::size_t k = 0; k < 3; ++k) {
            expect_same(wide.position(h)[k][lane], narrow.position(b)[k], "position", lane, h.index);
            expect_same(wide.velocity(h)[k][lane], narrow.velocity(b)[k], "velocity", lane, h.index);
        }
    });
    expect_same(wide.time()[lane], narrow.time(), "time", lane, 0);
    expect_same(wide.energy()[lane], narrow.energy(), "energy", lane, 0);
}

inline constexpr auto as_it_is = [](auto&) {};
inline constexpr auto nothing_changes = [](auto&, int) {};

// World<S>: over B and over its lanes' type. tune(world): the same settings for both.
template <template <class> class World, class B>
struct both_worlds {
    using T = typename B::lane_type;
    std::unique_ptr<World<B>> wide = std::make_unique<World<B>>();
    std::vector<World<T>> narrow = std::vector<World<T>>(B::lanes);

    template <class Build, class Tune>
    both_worlds(Build const& build, Tune const& tune) {
        tune(*wide);
        build(*wide, std::type_identity<B>{}, std::size_t{0});
        for (std::size_t i = 0; i < B::lanes; ++i) {
            tune(narrow[i]);
            build(narrow[i], std::type_identity<T>{}, i);
        }
    }
};

// The control of a step is a push on the second body, and change(world, step).
template <template <class> class World, class B, class Build, class Tune, class Change = decltype(nothing_changes)>
void expect_lanes_of_worlds(Build const& build, Tune const& tune, int steps, double hertz, Change const& change = nothing_changes) {
    using T = typename B::lane_type;
    both_worlds<World, B> worlds(build, tune);
    auto& [wide, narrow] = worlds;
    auto const push = [](auto& w, std::size_t lane, int step) {
        using S = typename std::remove_cvref_t<decltype(w)>::scalar_type;
        bool first = true;
        w.for_each_body([&](auto h) {
            if (h.index != 2 || !first) return;
            first = false;
            w.apply_wrench(h, {{S(0), by_lane<S>(lane, [&](double i) { return i == 1 ? 0 : (step % 20 < 10 ? i : -i); }), S(0)}, {by_lane<S>(lane, [](double i) { return i == 2 ? 0.5 : 0; }), S(0), S(0)}});
        });
    };
    for (int s = 0; s < steps; ++s) {
        push(*wide, 0, s);
        change(*wide, s);
        ASSERT_TRUE(wide->step(of<B>(1 / hertz))) << "step " << s;
        for (std::size_t i = 0; i < B::lanes; ++i) {
            push(narrow[i], i, s);
            change(narrow[i], s);
            ASSERT_TRUE(narrow[i].step(of<T>(1 / hertz))) << "step " << s << ", lane " << i;
        }
        if (s % 10 == 0 || s + 1 == steps)
            for (std::size_t i = 0; i < B::lanes; ++i) expect_lane(*wide, narrow[i], i);
        if (testing::Test::HasFailure()) FAIL() << "first at step " << s;
    }
    EXPECT_GT(std::abs(static_cast<double>(narrow[0].energy() - narrow[1].energy())), 1e-3);  // they do differ
}

inline constexpr auto chain = [](auto& w, auto scalar, std::size_t lane) { build_chain<typename decltype(scalar)::type>(w, lane, 6); };
inline constexpr auto machine = [](auto& w, auto scalar, std::size_t lane) { build_machine<typename decltype(scalar)::type>(w, lane); };

template <class T, class Solver>
struct config : default_config {
    using scalar = T;
    using solver = Solver;
};
template <class S, class Solver>
using machine_world = world<config<S, Solver>, ball_joint, hinge_joint, my_rod, powered_axis, rope, soft_ball, particle_body_distance, linear_drag>;
template <class S, class Solver>
using chain_world = world<config<S, Solver>, ball_joint, my_rod>;

}  // namespace lanes_scene
