// Contacts under wide sweeps: whatever the number of lanes and whoever runs the packs, the same bits; and the laws that hold for contacts taken one by one.

#include "wide_sweeps_scene.hpp"

#include <counting_new.hpp>

#include <cmath>

namespace {

using namespace wide_sweeps_scene;

template <class S, class Solver, template <class> class Contact>
struct rubbing : config<S, Solver> {
    template <class T>
    using contact = Contact<T>;
};
template <class S, class Solver, template <class> class Contact>
using room = world<rubbing<S, Solver, Contact>, ball_joint, sphere, box, capsule, half_space>;

// Whatever falls, rolls, stands, slides, bounces and is carried, side by side: one point and up to four, hard and soft, light and heavy, long and thin.
template <class W>
void build_room(W& w) {
    using S = typename W::scalar_type;
    auto const at = [](double x, double y, double z) { return vec3<S>{of<S>(x), of<S>(y), of<S>(z)}; };
    auto const surface = [](double friction, double sliding, double restitution, double compliance = 0) {
        material<S> m;
        m.static_friction = of<S>(friction);
        m.dynamic_friction = of<S>(sliding);
        m.restitution = of<S>(restitution);
        m.compliance = of<S>(compliance);
        return m;
    };
    auto const solid = [&](auto const& shape, double density, vec3<S> const& place, material<S> const& m = {}) {
        collider_options<S, typename W::rotation_type> options;
        options.material = m;
        return w.add_solid(shape, of<S>(density), typename W::pose_type{place, {}}, options);
    };
    w.add(half_space<S>{}, w.ground());
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 5 - y; ++x) solid(box<S>{at(0.5, 0.5, 0.5)}, 1, at(x - (4 - y) / 2.0, 0.5 + y, 0));
    for (int i = 0; i < 9; ++i) {
        double const z = 2 + i;
        auto const b = solid(box<S>{at(0.2, 0.1 + 0.02 * i, 0.4)}, 1 + i, at(0, 0.3 + 0.1 * i, z), surface(0.5, 0.3, 0.1 * i));
        w.set_twist(b, {at(1 + 0.3 * i, 0, -0.2), at(0, 2, 0.3 * i)});
        auto const ball = solid(sphere<S>{of<S>(0.25)}, 2, at(2, 0.3 + 0.05 * i, z), surface(0.6, 0.6, 0, i % 2 == 0 ? 0 : 1e-4));
        w.set_twist(ball, {at(-2, 0, 0.1 * i), {}});
        auto const rod = solid(capsule<S>{of<S>(0.1), of<S>(0.5)}, 1, at(4, 0.4, z));
        w.set_twist(rod, {at(0, -1, 0), at(0.5 * i, 1, 0)});
        auto const top = solid(box<S>{at(0.3, 0.3, 0.3)}, 1, at(6, 0.3, z)), on_top = solid(box<S>{at(0.2, 0.2, 0.2)}, 20, at(6.05, 0.81, z));
        if (i % 3 == 0) w.add(ball_joint<S>::at(w.pose(top), w.pose(on_top), at(6, 0.6, z)), top, on_top);
    }
    auto const carried = w.add_fixed(typename W::pose_type{at(-4, 0.5, 0), {}}, twist<S>{at(0.3, 0, 0), at(0, 0.5, 0)});
    collider_options<S, typename W::rotation_type> belt;
    belt.material.surface_velocity = at(0, 0, 0.4);
    w.add(box<S>{at(1, 0.5, 1)}, carried, belt);
    for (int i = 0; i < 12; ++i) solid(box<S>{at(0.15, 0.15, 0.15)}, 1, at(-4.6 + 0.4 * (i % 4), 1.2, -0.6 + 0.5 * (i / 4)));
}
template <class S, class Solver, template <class> class Contact = contact>
std::vector<unsigned char> room_after(int steps, bool with_other_settings = false) {
    auto const w = std::make_unique<room<S, Solver, Contact>>();
    build_room(*w);
    tune(*w, with_other_settings);
    if (with_other_settings) {
        w->solver.substeps = 1;
        w->solver.iterations = 8;
    }
    return bits_after(*w, steps);
}
// Four and eight lanes against one, and from the last pack to the first against in order.
TEST(wide_contacts, have_the_bits_of_one_lane_and_one_thread) {
    auto const one_lane = room_after<float, wide_sequential_impulses<1>>(90);
    EXPECT_TRUE(one_lane == (room_after<float, wide_sequential_impulses<4>>(90)));
    EXPECT_TRUE(one_lane == (room_after<float, wide_sequential_impulses<8, backwards>>(90)));
    EXPECT_TRUE((room_after<float, wide_sequential_impulses<1>>(30, true)) == (room_after<float, wide_sequential_impulses<8, backwards>>(30, true)));
}
TEST(wide_contacts, have_the_bits_of_one_lane_under_every_law_of_friction) {
    EXPECT_TRUE((room_after<double, wide_sequential_impulses<1>, pyramid_contact>(30)) == (room_after<double, wide_sequential_impulses<4>, pyramid_contact>(30)));
    EXPECT_TRUE((room_after<float, wide_sequential_impulses<1>, lagged_contact>(30)) == (room_after<float, wide_sequential_impulses<4>, lagged_contact>(30)));
}

// What lies apart shares no body, and is one colour: then wide sweeps are the ordinary ones, to the bit.
template <class Solver>
std::vector<unsigned char> apart_after(int steps) {
    using W = world<config<float, Solver>, sphere, box, half_space>;
    auto const w = std::make_unique<W>();
    w->add(half_space<float>{}, w->ground());
    for (int i = 0; i < 13; ++i) {
        float const z = static_cast<float>(i), k = 0.1f * z;
        auto const b = w->add_solid(box<float>{{0.2f, 0.1f + 0.1f * k, 0.3f}}, 1.0f, {{0, 0.5f, z}, quaternion_exp(vec3<float>{k, 0, 0.5f * k})});
        w->set_twist(b, {{1, -1, 0}, {0, 1, k}});
        auto const s = w->add_solid(sphere<float>{0.2f}, 1.0f, {{3, 0.3f, z}, {}});
        w->set_twist(s, {{k, 0, 0.1f}, {1, 0, 0}});
    }
    return bits_after(*w, steps);
}
TEST(wide_contacts, of_what_lies_apart_are_the_ordinary_ones) { EXPECT_TRUE(apart_after<wide_sequential_impulses<4>>(60) == apart_after<sequential_impulses>(60)); }

// Nine boxes of any heading on a plane that falls by `slope` rad, with friction mu: the farthest that one went in some seconds, and the speed of each.
struct slid {
    double farthest = 0;
    std::vector<double> speed;
};
slid slide(double mu, double slope, int steps) {
    using W = world<config<double, wide_sequential_impulses<4>>, box, half_space>;
    W w;
    vec3<double> const up{std::sin(slope), std::cos(slope), 0}, down{std::cos(slope), -std::sin(slope), 0};
    collider_options<double, W::rotation_type> options;
    options.material = material<double>::of(mu);
    w.add(half_space<double>{up}, w.ground(), options);
    std::vector<std::pair<handle<rigid>, vec3<double>>> placed;
    for (int i = 0; i < 9; ++i) {
        vec3<double> const at = up * 0.1 + vec3<double>{0, 0, 2.0 * i};
        auto const tilt = quaternion_exp(vec3<double>{0, 0, -slope}), turn = quaternion_exp(vec3<double>{0, 0.15 * i, 0});
        placed.push_back({w.add_solid(box<double>{{0.5, 0.1, 0.4}}, 1000.0, {at, tilt * turn}, options), at});
    }
    slid r;
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(1.0 / 60));
    for (auto const& [body, at] : placed) {
        r.farthest = max(r.farthest, norm(w.position(body) - at));
        r.speed.push_back(dot(w.twist(body).linear, down));
    }
    return r;
}
TEST(wide_contacts, stick_below_the_angle_of_friction_and_slide_above_it_as_coulomb_says) {
    for (double const mu : {0.3, 0.7}) {
        EXPECT_LT(slide(mu, 0.95 * std::atan(mu), 600).farthest, 1e-4);
        double const slope = std::atan(mu) + 0.12, a = 9.81 * (std::sin(slope) - mu * std::cos(slope));
        auto const before = slide(mu, slope, 30), after = slide(mu, slope, 90);
        for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(after.speed[i] - before.speed[i], a, 5e-3 * a) << mu << ' ' << i;
    }
}

// Cubes of 1 m; drift is what is lost sideways. Who touches whom has settled then, and nothing is allocated any more.
TEST(wide_contacts, let_a_pyramid_stand) {
    world<config<float, wide_sequential_impulses<8>>, box, half_space> w;
    w.add(half_space<float>{}, w.ground());
    std::vector<std::pair<handle<rigid>, vec3<float>>> placed;
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8 - y; ++x) {
            vec3<float> const at{static_cast<float>(x) - static_cast<float>(7 - y) / 2, 0.5f + static_cast<float>(y), 0};
            placed.push_back({w.add_solid(box<float>{{0.5f, 0.5f, 0.5f}}, 1.0f, {at}), at});
        }
    for (int i = 0; i < 1180; ++i) ASSERT_TRUE(w.step(1.0f / 60));
    std::size_t const before = sinew_test::allocations;
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(w.step(1.0f / 60));
    EXPECT_EQ(sinew_test::allocations, before);
    for (auto const& [body, at] : placed) {
        vec3<float> const d = w.position(body) - at;
        EXPECT_LT(norm(vec3<float>{d[0], 0.0f, d[2]}), 0.01f);
    }
}

}  // namespace
