// Worlds whose scalar has lanes, under Lagrange multipliers inside the derivative: every lane has the bits of a world that is alone.

#include "lanes_scene.hpp"

#include <cstddef>
#include <vector>

namespace {

using namespace lanes_scene;

template <class S>
using multipliers = chain_world<S, lagrange_multipliers<cholesky>>;
template <class S>
struct stages : config<S, lagrange_multipliers<cholesky>> {
    using integrator = rk4;
};
template <class S>
using staged = world<stages<S>, ball_joint, my_rod>;

TEST(lanes_under_multipliers, are_worlds_that_are_alone) { expect_lanes_of_worlds<multipliers, batch<double, 4>>(chain, as_it_is, 100, 240); }
TEST(lanes_under_multipliers, are_worlds_that_are_alone_in_stages) { expect_lanes_of_worlds<staged, batch<double, 4>>(chain, as_it_is, 60, 120); }
// Newton's steps back onto the constraints: more in some lanes, factors renewed in some.
TEST(lanes_under_multipliers, are_projected_each_as_it_must) {
    expect_lanes_of_worlds<multipliers, batch<double, 4>>(chain, [](auto& w) { w.solver.drift = drift_control::projection; }, 60, 60);
}

// A particle on ten curves. In lane L all are the x axis but number L + 1, so that in every lane others say again what one has said.
template <class S>
struct line_of_two_planes {
    vec3<S> n{}, m{};
    S off{};
    constexpr auto operator()(auto const& p) const { return stack_rows(dot(n, p), dot(m, p) - off); }
    constexpr bool operator==(line_of_two_planes const&) const = default;
};
template <class S>
using on_line = particle_on_curve<S, line_of_two_planes<S>>;
template <class S>
std::vector<vec<S, 2>> held_by_ten_curves(std::size_t lane) {
    world<config<S, lagrange_multipliers<ldlt>>, on_line> w;
    auto const in_lane = [&](std::size_t k, std::size_t l, float one, float other) { return k == (l < 7 ? l + 1 : 9) ? one : other; };
    auto const number = [&](std::size_t k, float one, float other) {
        if constexpr (has_lanes_v<S>) {
            S x;
            for (std::size_t l = 0; l < S::lanes; ++l) x[l] = in_lane(k, l, one, other);
            return x;
        } else {
            return in_lane(k, lane, one, other);
        }
    };
    auto const mote = w.add(particle<S>{S(1), {S(0), S(0), S(0)}, {S(0), S(0), S(0)}});
    std::vector<handle<on_line<S>>> lines;
    for (std::size_t k = 0; k < 10; ++k) {
        S const x = number(k, 0.6f, 0.0f), y = number(k, 0.8f, 1.0f);
        lines.push_back(w.add(on_line<S>::at(particle_pose<S>{}, vec3<S>{}, line_of_two_planes<S>{{x, y, S(0)}, {x, S(0), y}, x * S(1e-3f)}), mote));
    }
    w.apply_force(mote, {S(1), S(2), S(3)});
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(w.step(S(0.01f)));
    std::vector<vec<S, 2>> r;
    for (auto const line : lines) r.push_back(w.multipliers(line));
    return r;
}
TEST(lanes_under_multipliers, know_each_what_repeats_there) {
    auto const wide = held_by_ten_curves<batch<float, 8>>(0);
    for (std::size_t lane = 0; lane < 8; ++lane) {
        auto const alone = held_by_ten_curves<float>(lane);
        for (std::size_t k = 0; k < alone.size(); ++k)
            for (std::size_t r = 0; r < 2; ++r) EXPECT_EQ(wide[k][r][lane], alone[k][r]) << "lane " << lane << ", curve " << k << ", row " << r;
    }
}

}  // namespace
