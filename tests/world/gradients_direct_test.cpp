// Gradients through rows with bounds of the strategies that solve all rows at once: a box that slides, a ball that bounces and comes to roll, a pendulum
// that leans on the limit of its hinge. And through projection, whose steps of Newton are of old Jacobians where those are good enough: derivatives are of what came of it.

#include "gradients_scene.hpp"

namespace {

using namespace gradients_scene;

/// {speed, friction, density, half height, gravity}
template <class S, class Solver>
struct sliding_box {
    sinew::world<config<S, Solver>, box, half_space> world;
    handle<rigid> crate{};

    void build(std::span<S const> p) {
        world.gravity = {number<S>(0.5), -p[4], S(0)};
        world.add(half_space<S>{}, world.ground(), surface_of(p[1]));
        crate = world.add_solid(box<S>{{number<S>(0.5), p[3], number<S>(0.4)}}, p[2], pose<S>{{S(0), p[3], S(0)}, {}}, surface_of(p[1]), {{p[0], S(0), S(0)}, {}});
    }
    bool step(std::size_t, std::span<S const>) { return static_cast<bool>(world.step(S(1) / S(120))); }
    S loss(std::size_t k, std::span<S const>) const { return k == 99 ? world.position(crate).x() + world.twist(crate).linear.x() : S(0); }
};

/// {height, speed, friction, restitution, spin}
template <class S, class Solver>
struct bouncing_ball {
    sinew::world<config<S, Solver>, sphere, half_space> world;
    handle<rigid> ball{};

    void build(std::span<S const> p) {
        world.add(half_space<S>{}, world.ground(), surface_of(p[2], p[3]));
        ball = world.add_solid(sphere<S>{number<S>(0.25)}, S(800), pose<S>{{S(0), p[0], S(0)}, {}}, surface_of(p[2], p[3]), {{p[1], S(0), S(0)}, {S(0), S(0), p[4]}});
    }
    bool step(std::size_t, std::span<S const>) { return static_cast<bool>(world.step(S(1) / S(240))); }
    S loss(std::size_t k, std::span<S const>) const { return k == 219 ? world.position(ball).y() + world.position(ball).x() + world.twist(ball).angular.z() : S(0); }
};

/// {mass, length, limit, speed, weight of a ball at its end}: it swings, falls onto its limit, and leans on it while the ball goes on.
template <class S, class Solver>
struct leaning_pendulum {
    sinew::world<config<S, Solver>, hinge_joint, angle_limit, ball_joint> world;
    handle<rigid> rod{}, end{};

    void build(std::span<S const> p) {
        vec3<S> const axis{S(0), S(0), S(1)};
        rod = world.add(rigid_body_of(solid_box(p[0], vec3<S>{p[1], number<S>(0.1), number<S>(0.1)}), pose<S>{{p[1] / S(2), S(0), S(0)}, {}}));
        end = world.add(rigid_body_of(solid_box(p[4], vec3<S>{S(1), number<S>(0.1), number<S>(0.1)}), pose<S>{{p[1] + number<S>(0.5), S(0), S(0)}, {}}));
        world.add(hinge_joint<S>::at(world.pose(world.ground()), world.pose(rod), {}, axis), world.ground(), rod);
        world.add(ball_joint<S>::at(world.pose(rod), world.pose(end), {p[1], S(0), S(0)}), rod, end);
        world.add(angle_limit<S>::at(world.pose(world.ground()), world.pose(rod), axis, -p[2], S(2)), world.ground(), rod);
        world.set_twist(end, {{S(0), p[3], S(0)}, {}});
    }
    bool step(std::size_t, std::span<S const>) { return static_cast<bool>(world.step(S(1) / S(240))); }
    S loss(std::size_t k, std::span<S const>) const { return k == 199 ? mark_of(world.pose(end)) : S(0); }
};

// Scene<S> for each strategy.
template <class Solver>
struct by {
    template <class S>
    using box = sliding_box<S, Solver>;
    template <class S>
    using ball = bouncing_ball<S, Solver>;
    template <class S>
    using pendulum = leaning_pendulum<S, Solver>;
};
template <class By>
class gradients_by : public testing::Test {};
using strategies = testing::Types<by<lagrange_impulses<dantzig>>, by<lagrange_impulses<sparse_ldlt>>, by<lagrange_multipliers<dantzig>>, by<lagrange_multipliers<sparse_ldlt>>, by<compliant_implicit>>;
TYPED_TEST_SUITE(gradients_by, strategies);

TYPED_TEST(gradients_by, a_box_that_slides_are_those_of_differences) { expect_gradient<TypeParam::template box, 5>({3, 0.3, 800, 0.25, 9.81}, 100, 1e-6); }
TYPED_TEST(gradients_by, a_ball_that_bounces_are_those_of_differences) { expect_gradient<TypeParam::template ball, 5>({1, 1, 0.3, 0.7, 3}, 220, 1e-6); }
TYPED_TEST(gradients_by, a_limit_that_is_leaned_on_are_those_of_differences) { expect_gradient<TypeParam::template pendulum, 5>({1, 1.3, 0.4, 0.5, 0.5}, 200, 1e-6); }

template <class Scene>
struct projecting : Scene {
    void build(auto const& p) {
        this->world.solver.drift = drift_control::projection;
        Scene::build(p);
    }
};
template <class Solver>
struct projected_by {
    template <class S>
    using row = projecting<row_of_boxes<S, sinew::world<config<S, Solver>, ball_joint>, 2, 60>>;
    // Until it has hit its limit: where it leans there it is put back to it in every other step, and in which ones depends on the number's last digits.
    template <class S>
    struct pendulum : projecting<leaning_pendulum<S, Solver>> {
        S loss(std::size_t k, std::span<S const>) const { return k == 72 ? mark_of(this->world.pose(this->end)) : S(0); }
    };
};
template <class By>
class gradients_projected_by : public testing::Test {};
using projecting_strategies = testing::Types<projected_by<lagrange_impulses<dantzig>>, projected_by<lagrange_multipliers<dantzig>>, projected_by<lagrange_multipliers<sparse_ldlt>>>;
TYPED_TEST_SUITE(gradients_projected_by, projecting_strategies);

TYPED_TEST(gradients_projected_by, a_double_pendulum_are_those_of_differences) { expect_gradient<TypeParam::template row, 4>({1.3, 0.9, 0.2, 0}, 100, 1e-6); }
TYPED_TEST(gradients_projected_by, a_limit_that_is_hit_are_those_of_differences) { expect_gradient<TypeParam::template pendulum, 5>({1, 1.3, 0.4, 0.5, 0.5}, 73, 1e-6); }
TYPED_TEST(gradients_projected_by, a_limit_that_is_hit_are_the_same_backwards) { expect_same_gradient<TypeParam::template pendulum>({1, 1.3, 0.4, 0.5, 0.5}, {}, 73, 7); }

}  // namespace
