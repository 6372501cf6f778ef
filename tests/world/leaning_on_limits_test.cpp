// What leans on a limit has c = 0 but for rounding, and rounding must not decide how it goes on: other numbers come to the same place, and derivatives are those of
// differences.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace sinew;

template <class S, class Solver>
struct config : default_config {
    using scalar = S;
    using solver = Solver;
};

// Where a body is after each step, m.
template <class W>
auto path_of(W& w, auto const& body, int steps) {
    using S = typename W::scalar_type;
    std::vector<vec3<S>> path;
    for (int i = 0; i < steps; ++i) {
        EXPECT_TRUE(w.step(S(1) / S(64))) << i;
        path.push_back(w.position(body));
    }
    return path;
}

// An arm of two links that falls from the side onto a limit of its first joint, and leans on it while the second swings. The path is that of the second.
struct arm {
    template <class S, class Solver>
    static std::vector<vec3<S>> fallen(int steps, S const& mass, S const& reach) {
        world<config<S, Solver>, ball_joint, hinge_joint, angle_limit> w;
        S const zero(0), one(1), half = one / S(2);
        vec3<S> const at{zero, zero, zero}, axis{zero, zero, one}, size{one, half, half};
        auto const upper = w.add(rigid_body_of(solid_box(one, size), pose<S>{{half, zero, zero}, {}}));
        auto const lower = w.add(rigid_body_of(solid_box(mass, size), pose<S>{{one + half, zero, zero}, {}}));
        w.add(hinge_joint<S>::at(w.pose(w.ground()), w.pose(upper), at, axis), w.ground(), upper);
        w.add(ball_joint<S>::at(w.pose(upper), w.pose(lower), {one, zero, zero}), upper, lower);
        w.add(angle_limit<S>::at(w.pose(w.ground()), w.pose(upper), axis, -reach, reach), w.ground(), upper);
        return path_of(w, lower, steps);
    }
};
// A ball that falls into its rope.
struct rope_of_a_ball {
    template <class S, class Solver>
    static std::vector<vec3<S>> fallen(int steps, S const& mass, S const& reach) {
        world<config<S, Solver>, rope> w;
        S const zero(0), quarter = S(1) / S(4);
        auto const ball = w.add(rigid_body_of(solid_sphere(mass, quarter), pose<S>{{reach - quarter, zero, zero}, {}}));
        w.add(rope<S>{{}, {}, reach}, w.ground(), ball);
        return path_of(w, ball, steps);
    }
};
// A ball that slides down to the end of an inclined rail.
struct slide {
    template <class S, class Solver>
    static std::vector<vec3<S>> fallen(int steps, S const& mass, S const& reach) {
        world<config<S, Solver>, slider_joint, linear_limit> w;
        S const zero(0);
        vec3<S> const at{zero, zero, zero}, along = normalize(vec3<S>{S(3), S(4), zero});
        auto const ball = w.add(rigid_body_of(solid_sphere(mass, S(1) / S(4)), pose<S>{}));
        w.add(slider_joint<S>::at(w.pose(w.ground()), w.pose(ball), at, along), w.ground(), ball);
        w.add(linear_limit<S>::at(w.pose(w.ground()), w.pose(ball), at, along, -reach, reach), w.ground(), ball);
        return path_of(w, ball, steps);
    }
};

template <class A, class B>
double most_apart(std::vector<vec3<A>> const& a, std::vector<vec3<B>> const& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k) worst = std::max(worst, std::abs(static_cast<double>(a[i][k]) - static_cast<double>(b[i][k])));
    return worst;
}

template <class Solver>
struct leaning_on_limits : testing::Test {};
using solvers = testing::Types<sequential_impulses, wide_sequential_impulses<4>, nonlinear_gauss_seidel, jacobi, lagrange_impulses<sparse_ldlt>, compliant_implicit, augmented_lagrangian>;
TYPED_TEST_SUITE(leaning_on_limits, solvers, );

// Three seconds. What the arm makes of a rounding grows a hundredfold and more; a limit that is met by chance would make centimetres of it.
TYPED_TEST(leaning_on_limits, is_the_same_in_other_numbers) {
    auto const compare = [](auto scene, char const* name) {
        using Scene = decltype(scene);
        auto const found = Scene::template fallen<double, TypeParam>(192, 1, 1);
        EXPECT_LT(most_apart(found, Scene::template fallen<long double, TypeParam>(192, 1, 1)), 1e-8) << name;
        EXPECT_LT(std::abs(norm(found.back()) - norm(found[found.size() - 2])), 0.2) << name;
    };
    compare(arm{}, "arm");
    compare(rope_of_a_ball{}, "rope");
    compare(slide{}, "slide");
}

// By the mass of the second link or the ball, and by where the limit is. The arm for as long as it leans: later it lifts off, and differences change the substep of a hit.
struct gradients_on_limits : testing::Test {
    template <class Scene>
    static void compare(char const* name, int steps) {
        SCOPED_TRACE(name);
        using D = dual<double, 2>;
        auto const found = Scene::template fallen<D, sequential_impulses>(steps, D::variable(1, 0), D::variable(1, 1)).back();
        auto const plain = Scene::template fallen<double, sequential_impulses>(steps, 1, 1).back();
        double const h = 1e-6;
        for (std::size_t by = 0; by < 2; ++by) {
            auto const ends = [&](double d) { return Scene::template fallen<double, sequential_impulses>(steps, by == 0 ? 1 + d : 1, by == 1 ? 1 + d : 1).back(); };
            auto const slope = (ends(h) - ends(-h)) / (2 * h), coarse = (ends(2 * h) - ends(-2 * h)) / (4 * h);
            double const size = std::max(1.0, norm(slope));
            ASSERT_LT(norm(slope - coarse), 1e-5 * size) << "differences do not agree with themselves, by " << by;
            for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k].d[by], slope[k], 1e-6 * size) << by << ' ' << k;
        }
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(found[k].v, plain[k]);
    }
};
TEST_F(gradients_on_limits, are_those_of_differences) {
    compare<arm>("arm", 140);
    compare<rope_of_a_ball>("rope", 500);
    compare<slide>("slide", 500);
}

}  // namespace
