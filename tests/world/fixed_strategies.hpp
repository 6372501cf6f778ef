#pragma once
// Every strategy moves a pendulum in fixed point as it does in double, as far as the format has digits. What a narrow format cannot hold is refused by
// the compiler: see compile_fail/stiffnesses_in_a_narrow_fixed_point.cpp and its neighbour.

#include "fixed_point.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace fixed_point {

using sinew::vec3;

// Where a rod's centre is, let go level, after a second; a quarter of a swing and more.
template <class S, class Config>
[[nodiscard]] vec3<double> after_a_second() {
    sinew::world<Config, sinew::ball_joint> world;
    auto const rod = world.add(fixed_point::rod<S>(0));
    world.add(sinew::ball_joint<S>::at(world.pose(world.ground()), world.pose(rod), vec3<S>{}), world.ground(), rod);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(world.step(S(1) / S(64)).status, sinew::step_status::ok) << i;
    auto const at = world.position(rod);
    return {real(at.x()), real(at.y()), real(at.z())};
}

template <class Solver, class Integrator = sinew::symplectic_euler, bool OnPositions = false>
struct strategy {
    static constexpr bool on_positions = OnPositions;
    template <class S>
    [[nodiscard]] static vec3<double> run() {
        return after_a_second<S, config<S, Solver, Integrator>>();
    }
};
template <class Solver>
using on_positions = strategy<Solver, sinew::symplectic_euler, true>;

// On velocities a step rounds an angular momentum by up to 2^-17 kg m^2/s (Q15.16), 9e-5 rad/s with the rod's 0.084 kg m^2: 64 steps of one sign are 6e-3
// rad/s, 2e-3 m after a second at half a metre. A descent on positions rounds an angle, and 64 times as much is the speed: at random, 8 times
// 6e-3 rad/s, 12e-3 m.
template <class Strategy>
void expect_as_in_double(auto const&... format) {
    auto const reference = Strategy::template run<double>();
    auto const check = [&](auto one) {
        using S = decltype(one);
        auto const found = Strategy::template run<S>();
        double const tolerance = (Strategy::on_positions ? 12e-3 : 2e-3) * std::ldexp(1.0, 16 - S::fraction_bits);
        EXPECT_LT(norm(found - reference), tolerance) << found.x() << " " << found.y() << " and " << reference.x() << " " << reference.y();
    };
    (check(format), ...);
}

}  // namespace fixed_point
