// Gradients through contacts of hulls, cylinders and cones, away from the instants at which points come and go.

#include "gradients_scene.hpp"

#include <array>

namespace {

using namespace gradients_scene;

/// Something that falls on the ground, hits it with a corner or a rim, and tumbles on: {size, speed, friction, spin, restitution, height}.
template <class S, template <class> class Shape>
struct tumbling {
    sinew::world<config<S, sequential_impulses>, Shape, half_space> world;
    handle<rigid> body{};

    bool step(std::size_t, std::span<S const>) { return static_cast<bool>(world.step(S(1) / S(240))); }
    S loss(std::size_t k, std::span<S const>) const { return k % 25 == 24 ? mark_of(world.pose(body)) : S(0); }

protected:
    void let_go(Shape<S> const& shape, std::span<S const> p) {
        collider_options<S, quaternion<S>> options;
        options.material = material<S>::of(p[2], p[4]);
        world.add(half_space<S>{{S(0), S(1), S(0)}, S(0)}, world.ground(), options);
        pose<S> const at{{S(0), p[5], S(0)}, quaternion_exp(vec3<S>{number<S>(0.4), number<S>(0.3), number<S>(0.2)})};
        body = world.add_solid(shape, S(1000), at, options, {{p[1], S(0), number<S>(0.2)}, {S(0), S(0), p[3]}});
    }
};

template <class S>
struct tumbling_hull : tumbling<S, convex_polytope> {
    void build(std::span<S const> p) {
        std::array<vec3<S>, 6> points;
        double const corners[6][3] = {{1, 0.1, 0}, {-0.9, 0, 0.2}, {0, 1.1, 0.1}, {0.1, -1, 0}, {0, 0.2, 0.8}, {0.2, 0, -0.9}};
        for (std::size_t i = 0; i < 6; ++i) points[i] = vec3<S>{number<S>(corners[i][0]), number<S>(corners[i][1]), number<S>(corners[i][2])} * p[0];
        this->let_go(convex_hull(points), p);
    }
};
template <class S>
struct tumbling_cylinder : tumbling<S, cylinder> {
    void build(std::span<S const> p) { this->let_go(cylinder<S>{p[0], p[0] * number<S>(1.5)}, p); }
};
template <class S>
struct tumbling_cone : tumbling<S, cone> {
    void build(std::span<S const> p) { this->let_go(cone<S>{p[0], p[0] * number<S>(1.5)}, p); }
};

TEST(gradients_of_a_tumbling_hull, are_those_of_differences) { expect_gradient<tumbling_hull, 6>({0.1, 0.7, 0.25, 0.2, 0.3, 0.3}, 75, 1e-6, 1e-8L); }
TEST(gradients_of_a_tumbling_cylinder, are_those_of_differences) { expect_gradient<tumbling_cylinder, 6>({0.1, 0.7, 0.25, 0.2, 0.3, 0.3}, 75, 1e-6, 1e-8L); }
TEST(gradients_of_a_tumbling_cone, are_those_of_differences) { expect_gradient<tumbling_cone, 6>({0.1, 0.7, 0.25, 0.2, 0.3, 0.3}, 75, 1e-6, 1e-8L); }

}  // namespace
