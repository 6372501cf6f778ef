// Gradients through landings: what falls flat or tilted, turning or not, on one corner after the other, and comes to rest.
//
// There are instants at which what comes is not smooth in what was: a corner that is reached at the very end of a part of a step, or at the beginning of the next;
// a push that doubles, or not, and so is a hit; friction that gives way, or not; an island that falls asleep, or does so a step later. Derivatives are those of the
// way that is taken, and differences are to be small enough to stay on it.

#include "gradients_scene.hpp"

namespace {

using namespace gradients_scene;

/// A solid that falls on a floor and lies: {speed along the floor, spin about the upright, friction, tilt, height of its lowest rim or corner when it is not tilted}.
template <class S, template <class> class Shape, bool Sleeps>
struct landing {
    struct settings : config<S, sequential_impulses> {
        using sleep = std::conditional_t<Sleeps, island_sleep, never_sleep>;
    };
    sinew::world<settings, Shape, half_space> world;
    handle<rigid> body{};

    static constexpr Shape<S> shape() {
        if constexpr (requires(Shape<S> s) { s.radius; })
            return {number<S>(0.3), number<S>(0.2)};
        else
            return {{number<S>(0.3), number<S>(0.2), number<S>(0.25)}};
    }
    void build(std::span<S const> p) {
        world.add(half_space<S>{}, world.ground(), surface_of(p[2]));
        pose<S> const at{{S(0), number<S>(0.2) + p[4], S(0)}, quaternion_exp(vec3<S>{p[3], number<S>(0.4), p[3] * number<S>(0.7)})};
        body = world.add_solid(shape(), S(500), at, surface_of(p[2]), {{p[0], S(0), p[0] * number<S>(0.3)}, {S(0), p[1], S(0)}});
    }
    bool step(std::size_t, std::span<S const>) { return static_cast<bool>(world.step(S(1) / S(60))); }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? mark_of(world.pose(body)) : S(0); }
};
template <class S>
using box_lands = landing<S, box, false>;
template <class S>
using box_falls_asleep = landing<S, box, true>;
template <class S>
using cylinder_lands = landing<S, cylinder, false>;

// Flat, tilted by half a degree, and by six; not turning, slowly and fast.
TEST(gradients_of_a_box_that_lands, are_those_of_differences) {
    for (double const tilt : {2e-4, 0.01, 0.1})
        for (double const spin : {0.1, 1.0, 4.0}) {
            SCOPED_TRACE(testing::Message() << "tilt " << tilt << ", spin " << spin);
            expect_gradient<box_lands, 5>({1.3, spin, 0.4, tilt, 0.06}, 80, 1e-6, 1e-9L);
        }
}
TEST(gradients_of_a_cylinder_that_lands, are_those_of_differences) {
    for (double const tilt : {0.01, 0.1}) {
        SCOPED_TRACE(tilt);
        expect_gradient<cylinder_lands, 5>({1.3, 1.0, 0.4, tilt, 0.06}, 80, 1e-6, 1e-9L);
    }
}
// It sleeps at the end; when it fell asleep does not depend on a little more or less.
TEST(gradients_of_a_box_that_falls_asleep, are_those_of_differences) { expect_gradient<box_falls_asleep, 5>({1.0, 1.0, 0.4, 0.01, 0.02}, 100, 1e-6, 1e-9L); }

/// A box lies on a floor; another falls on it: {speed of that along, its spin, friction, its tilt, height over it}.
template <class S>
struct box_on_box {
    sinew::world<config<S, sequential_impulses>, box, half_space> world;
    handle<rigid> lower{}, upper{};

    void build(std::span<S const> p) {
        auto const at = [](S const& y, S const& a, double b) { return pose<S>{{number<S>(0.02), y, number<S>(-0.01)}, quaternion_exp(vec3<S>{a, number<S>(b), a * number<S>(0.7)})}; };
        world.add(half_space<S>{}, world.ground(), surface_of(p[2]));
        lower = world.add_solid(box<S>{{number<S>(0.4), number<S>(0.2), number<S>(0.35)}}, S(500), at(number<S>(0.2), S(0), 0.1), surface_of(p[2]));
        upper = world.add_solid(box<S>{{number<S>(0.2), number<S>(0.1), number<S>(0.15)}}, S(500), at(number<S>(0.5) + p[4], p[3], 0.5), surface_of(p[2]), {{p[0], S(0), S(0)}, {S(0), p[1], S(0)}});
    }
    bool step(std::size_t, std::span<S const>) { return static_cast<bool>(world.step(S(1) / S(60))); }
    S loss(std::size_t k, std::span<S const>) const { return k % 20 == 19 ? mark_of(world.pose(lower)) + mark_of(world.pose(upper)) : S(0); }
};
TEST(gradients_of_a_box_that_falls_on_another, are_those_of_differences) { expect_gradient<box_on_box, 5>({0.5, 0.7, 0.5, 0.03, 0.1}, 60, 1e-6, 1e-9L); }

}  // namespace
