// Gradients where nothing moves yet: there friction is 0, pushes of which there are more than are needed are 0, and no value tells whether they would have given way
// or held. From such states optimisation begins.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace {

using namespace sinew;
using D = dual<double, 2>;

template <class S, class Solver>
struct config : default_config {
    using scalar = S;
    using solver = Solver;
};
template <class S>
struct motion {
    twist<S> box, ball;
};
// A box and a ball that rest on a floor and are set moving along x and z.
template <class Solver, class S>
motion<S> after(int steps, double friction, S const& x, S const& z) {
    world<config<S, Solver>, box, sphere, half_space> w;
    collider_options<S> const surface{.material = material<S>::of(S(friction), S(0))};
    w.add(half_space<S>{}, w.ground(), surface);
    twist<S> const start{{x, S(0), z}, {}};
    auto const b = w.add_solid(box<S>{{S(0.5), S(0.25), S(0.375)}}, S(4), pose<S>{{S(0), S(0.25), S(0)}, {}}, surface, start);
    auto const s = w.add_solid(sphere<S>{S(0.5)}, S(4), pose<S>{{S(10), S(0.5), S(0)}, {}}, surface, start);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(S(1.0 / 64)));
    return {w.twist(b), w.twist(s)};
}
bool same_values(twist<D> const& a, twist<double> const& b) {
    bool r = true;
    for (std::size_t i = 0; i < 3; ++i) r = r && value(a.linear[i]) == b.linear[i] && value(a.angular[i]) == b.angular[i];
    return r;
}

template <class Solver>
class gradients_on_ice : public testing::Test {};
using solvers = testing::Types<sequential_impulses, nonlinear_gauss_seidel, jacobi, vertex_block_descent, augmented_lagrangian, lagrange_impulses<dantzig>, lagrange_impulses<warm_dantzig>,
                               lagrange_multipliers<dantzig>>;
TYPED_TEST_SUITE(gradients_on_ice, solvers);

// What is pushed slides on, and does not turn; but where corners are taken in turn at the level of positions, each tilts the box a little, and on ice nothing takes back
// what is left of it about the vertical.
TYPED_TEST(gradients_on_ice, are_those_of_free_motion) {
    auto const m = after<TypeParam>(20, 0, D::variable(0, 0), D::variable(0, 1));
    double const turning = std::is_same_v<TypeParam, nonlinear_gauss_seidel> ? 1e-3 : 1e-9;
    for (twist<D> const& t : {m.box, m.ball})
        for (std::size_t k = 0; k < 2; ++k)
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_NEAR(t.linear[i].d[k], i == 2 * k ? 1 : 0, 1e-9);
                EXPECT_NEAR(t.angular[i].d[k], 0, turning);
            }
    auto const plain = after<TypeParam>(20, 0, 0.0, 0.0);
    EXPECT_TRUE(same_values(m.box, plain.box) && same_values(m.ball, plain.ball));
}

// With friction a box that is pushed ever so little stays, also where pivots have it stand on two of its corners.
template <class Solver>
class gradients_of_a_box_on_its_corners : public testing::Test {};
using pivoting = testing::Types<lagrange_impulses<dantzig>, lagrange_impulses<warm_dantzig>, lagrange_impulses<sparse_ldlt>>;
TYPED_TEST_SUITE(gradients_of_a_box_on_its_corners, pivoting);
TYPED_TEST(gradients_of_a_box_on_its_corners, are_those_of_one_that_stays) {
    for (int const steps : {1, 2, 5, 60}) {
        auto const m = after<TypeParam>(steps, 0.5, D::variable(0, 0), D::variable(0, 1));
        for (std::size_t k = 0; k < 2; ++k)
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_NEAR(m.box.linear[i].d[k], 0, 1e-12) << steps;
                EXPECT_NEAR(m.box.angular[i].d[k], 0, 1e-12) << steps;
            }
        auto const plain = after<TypeParam>(steps, 0.5, 0.0, 0.0);
        EXPECT_TRUE(same_values(m.box, plain.box) && same_values(m.ball, plain.ball)) << steps;
    }
}

}  // namespace
