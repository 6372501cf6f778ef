// A program's globals may have the names that these headers use within their templates: no compiler takes them for shadowed (-Wshadow -Werror).

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

namespace {

int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, x, y, z;
[[maybe_unused]] int body, bodies, contact, dt, force, gravity, half, lambda, mass, other, pose, rate, side, solver, step, twist, who, world;

struct config : sinew::default_config {};
sinew::world<config, sinew::ball_joint, sinew::hinge_joint, sinew::powered_axis, sinew::box, sinew::half_space> w;

TEST(names_of_globals, are_the_users) {
    for (int* const one : {&a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &o, &p, &q, &r, &s, &t, &u, &v, &x, &y, &z}) *one = 1;
    w.add(sinew::half_space<float>{}, w.ground());
    auto const crate = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 500, {{0, 1, 0}, {}});
    auto const link = w.add(rigid_body_of(sinew::solid_box(1.0f, sinew::vec3<float>{1, 0.1f, 0.1f}), sinew::pose<float>{{5, 2, 0}, {}}));
    w.add(sinew::ball_joint<float>::at(w.pose(w.ground()), w.pose(link), {4.5f, 2, 0}), w.ground(), link);
    float lowest = 2;
    for (int steps = 0; steps < 60; ++steps) {
        EXPECT_TRUE(w.step(1.0f / 60));
        lowest = sinew::min(lowest, w.position(link).y());
    }
    EXPECT_NEAR(w.position(crate).y(), 0.5f, 1e-2f);
    EXPECT_NEAR(lowest, 1.5f, 1e-2f);
}

}  // namespace
