// Contact with a plane in lanes, by a user's own constraint: the corners of a box stay above the ground and rub on it. Where each comes down, sticks or slides is
// another thing in every lane; each has the bits of a world that is alone.

#include "lanes_scene.hpp"

#include <algorithm>

namespace {

using namespace lanes_scene;

// (3 rows, velocity level) A point of a body does not go below y = 0: what approaches is slower than its height times a rate; and friction along x and z.
template <scalar S>
struct corner_on_ground {
    static constexpr std::size_t rows = 3;
    using attachments = binds<rigid>;

    vec3<S> corner;      // frame of the body, m
    S friction;          // coefficient
    S settling{60};      // 1/s

    constexpr auto rate(auto const& a, auto const& v) const {
        auto const r = a.direction(corner);
        auto const u = v.linear + cross(v.angular, r);
        return vec<std::remove_cvref_t<decltype(u[0] + a.position.y())>, 3>{u.y() + settling * (a.position.y() + r.y()), u.x(), u.z()};
    }
    constexpr bounds<S, 3> limits(vec<S, 3> const& lambda, auto const&) const {
        S const most = friction * max(lambda[0], S(0));
        return {{S(0), -most, -most}, {infinity_v<S>, most, most}};
    }
};

template <class S, class Solver>
using ground_world = world<config<S, Solver>, corner_on_ground>;
template <class S>
using under_impulses = ground_world<S, sequential_impulses>;
template <class S>
using under_gauss_seidel = ground_world<S, nonlinear_gauss_seidel>;

constexpr auto thrown_boxes = [](auto& w, auto scalar, std::size_t lane) {
    using S = typename decltype(scalar)::type;
    S const zero(0);
    for (int k = 0; k < 2; ++k) {
        vec3<S> const half{of<S>(0.5), by_lane<S>(lane, [](double i) { return 0.2 + 0.02 * i; }), of<S>(0.3)};
        auto box = rigid_body_of(solid_box(by_lane<S>(lane, [](double i) { return 1 + i; }), half * S(2)), pose<S>{{of<S>(2 * k), by_lane<S>(lane, [&](double i) { return 0.6 + 0.1 * i; }), zero}, {}});
        box.twist = {{by_lane<S>(lane, [](double i) { return i - 2; }), zero, of<S>(0.3)}, {zero, of<S>(0.5 * k), by_lane<S>(lane, [](double i) { return 0.4 * i; })}};
        auto const h = w.add(box);
        for (int c = 0; c < 8; ++c)
            w.add(corner_on_ground<S>{{(c & 1) != 0 ? half[0] : -half[0], (c & 2) != 0 ? half[1] : -half[1], (c & 4) != 0 ? half[2] : -half[2]},
                                      by_lane<S>(lane, [](double i) { return 0.1 * i; })}, h);
    }
};

TEST(lanes_on_the_ground, are_worlds_that_are_alone) {
    expect_lanes_of_worlds<under_impulses, batch<float, 8>>(thrown_boxes, as_it_is, 45, 60);
    expect_lanes_of_worlds<under_gauss_seidel, batch<double, 4>>(thrown_boxes, as_it_is, 30, 60);
}

// And the constraint is a ground: what was thrown lies on it, and friction has stopped it where there is some.
TEST(lanes_on_the_ground, come_to_rest_by_their_friction) {
    using B = batch<float, 8>;
    ground_world<B, sequential_impulses> w;
    thrown_boxes(w, std::type_identity<B>{}, std::size_t{0});
    for (int s = 0; s < 100; ++s) ASSERT_TRUE(w.step(B(1.0f / 60)));
    w.for_each_body([&](auto h) {
        for (std::size_t i = 0; i < B::lanes; ++i) {
            float const thickness = std::min(0.3f, 0.2f + 0.02f * static_cast<float>(i));  // on whichever side it lies
            EXPECT_GT(w.position(h).y()[i], thickness - 0.01f) << "lane " << i;
            EXPECT_LT(w.position(h).y()[i], 0.71f) << "lane " << i;
            if (i < 4) continue;  // still on its way
            EXPECT_LT(std::abs(w.twist(h).linear.x()[i]), 0.02f) << "lane " << i;
        }
    });
    // Without friction nothing stops them.
    EXPECT_GT(std::abs(w.linear_momentum().x()[0]), 1.0f);
}

}  // namespace
