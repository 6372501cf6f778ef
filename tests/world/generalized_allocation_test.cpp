// With generalized bodies too, a step allocates nothing once it has run, and nothing ever with static storage.

#include <body/body_maps.hpp>

#include <counting_new.hpp>

#include <gtest/gtest.h>

using sinew_test::allocations;

namespace {

using sinew::vec3;

struct by_impulses : sinew::default_config {
    using scalar = double;
    using solver = sinew::sequential_impulses;
};
struct iterative : by_impulses {
    using solver = sinew::nonlinear_gauss_seidel;
};
template <class Config>
struct direct : Config {
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};
template <class Config>
struct with_rk4 : Config {
    using integrator = sinew::rk4;
};
template <class Config>
struct in_place : Config {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 1, .constraints = 8, .particles = 8, .forces = 1, .generalized = 2}>;
};

template <class S>
using rope_end = sinew::on_link<S, sinew::particle_pin, sinew::as_bound, sinew::link_of<maps::arm, 2>>;
template <class S>
using clasp = sinew::on_link<S, sinew::ball_joint, sinew::link_of<maps::arm, 1>, sinew::link_of<maps::two_bars, 1>>;
template <class S>
using pull = sinew::force_on_link<S, sinew::spring, sinew::link_of<maps::arm, 1>>;

template <class Config>
using hybrid = sinew::world<Config, maps::arm, maps::two_bars, rope_end, clasp, sinew::particle_distance, pull>;

template <class World>
void fill(World& w) {
    auto const arm = w.add(sinew::generalized_body<maps::arm<double>>{.u = {0.3, -0.4, -0.5}});
    auto const other = w.add(sinew::generalized_body<maps::two_bars<double>>{.map = {.root = {0.5, 0, 0}}, .u = {0.4, 0.2}});
    w.add(clasp<double>::at(w.pose(arm), w.pose(other), w.position(arm, 1)), arm, other);
    vec3<double> const tip = w.pose(arm, 2).point(vec3<double>{0.5, 0, 0});
    auto previous = w.add(sinew::particle<double>{0.1, tip, {}});
    w.add(rope_end<double>::at(sinew::particle_pose<double>{tip}, w.pose(arm), tip), previous, arm);
    for (int i = 1; i < 6; ++i) {
        auto const next = w.add(sinew::particle<double>{0.1, tip + vec3<double>{0.2 * i, 0, 0}, {}});
        w.add(sinew::particle_distance<double>{.length = 0.2}, previous, next);
        previous = next;
    }
    w.add(pull<double>{{.stiffness = 10}}, arm, w.ground());
}

template <class Config>
std::size_t allocations_in_steps() {
    hybrid<Config> w;
    fill(w);
    (void)w.step(1.0 / 240);
    auto state = w.save();
    std::size_t const before = allocations;
    for (int i = 0; i < 60; ++i) EXPECT_TRUE(w.step(1.0 / 240));
    w.save(state);
    w.restore(state);
    return allocations - before;
}
TEST(generalized_bodies, allocate_nothing_once_a_step_has_run) {
    EXPECT_EQ(allocations_in_steps<by_impulses>(), 0u);
    EXPECT_EQ(allocations_in_steps<iterative>(), 0u);
    EXPECT_EQ(allocations_in_steps<direct<iterative>>(), 0u);
    EXPECT_EQ(allocations_in_steps<with_rk4<iterative>>(), 0u);
    EXPECT_EQ(allocations_in_steps<with_rk4<direct<iterative>>>(), 0u);
}
template <class Config>
std::size_t allocations_ever() {
    std::size_t const before = allocations;
    hybrid<in_place<Config>> w;
    fill(w);
    auto const state = w.save();
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(w.step(1.0 / 240));
    w.restore(state);
    return allocations - before;
}
TEST(generalized_bodies, never_allocate_with_static_storage) {
    EXPECT_EQ(allocations_ever<by_impulses>(), 0u);
    EXPECT_EQ(allocations_ever<iterative>(), 0u);
    EXPECT_EQ(allocations_ever<direct<iterative>>(), 0u);
    EXPECT_EQ(allocations_ever<with_rk4<iterative>>(), 0u);
    EXPECT_EQ(allocations_ever<with_rk4<direct<iterative>>>(), 0u);
}
TEST(generalized_bodies, move_alike_in_either_storage) {
    hybrid<iterative> a;
    hybrid<in_place<iterative>> b;
    fill(a);
    fill(b);
    for (int i = 0; i < 100; ++i) {
        a.step(1.0 / 240);
        b.step(1.0 / 240);
    }
    EXPECT_EQ(a.kinetic_energy(), b.kinetic_energy());
}
TEST(generalized_bodies, are_refused_when_the_storage_is_full) {
    struct config : in_place<iterative> {
        using errors = sinew::null_errors;
    };
    sinew::world<config, maps::two_bars> w;
    EXPECT_TRUE(w.add(sinew::generalized_body<maps::two_bars<double>>{}));
    EXPECT_TRUE(w.add(sinew::generalized_body<maps::two_bars<double>>{}));
    EXPECT_FALSE(w.add(sinew::generalized_body<maps::two_bars<double>>{}));
    EXPECT_EQ(w.last_error().code, sinew::errc::full);
}

}  // namespace
