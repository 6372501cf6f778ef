#pragma once
// A chain of 32 boxes (1 kg, 0.5 m), hung by ball joints, that falls from the horizontal; and the time its steps take.

#include <sinew/sinew.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

constexpr int links = 32, steps = 600;

template <class World>
void hang_chain(World& world) {
    using S = typename World::scalar_type;
    auto previous = world.ground();
    for (int i = 0; i < links; ++i) {
        S const x = S(i) / 2;
        auto const box = sinew::solid_box(S(1), sinew::vec3<S>{S(1) / 2, S(1) / 10, S(1) / 10});
        auto const link = world.add(rigid_body_of(box, typename World::pose_type{{x + S(1) / 4, S(0), S(0)}}));
        world.add(sinew::ball_joint<S>::at(world.pose(previous), world.pose(link), {x, S(0), S(0)}), previous, link);
        previous = link;
    }
}

struct measured {
    double seconds;     // a step
    double iterations;  // a step
    double apart;       // joints at most, m
};
// The same steps are taken in several runs; of each the shortest time counts, so that what else the machine does does not.
// tune(world) sets the strategy's numbers.
template <class Config, class Tune>
measured measure_chain(int runs, Tune&& tune) {
    std::vector<double> shortest(steps, std::numeric_limits<double>::infinity());
    measured m{};
    for (int run = 0; run < runs; ++run) {
        sinew::world<Config, sinew::ball_joint> world;
        hang_chain(world);
        tune(world);
        m = {};
        for (double& seconds : shortest) {
            auto const begin = std::chrono::steady_clock::now();
            auto const report = world.step(typename Config::scalar(1) / 60);
            seconds = std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
            m.iterations += static_cast<double>(report.iterations) / steps;
            m.apart = std::max(m.apart, static_cast<double>(world.constraint_error()));
        }
    }
    for (double const seconds : shortest) m.seconds += seconds / steps;
    return m;
}
