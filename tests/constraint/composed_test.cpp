// Compositions f(g(q)): the chain rule for J, J_dot v and the geometric stiffness.

#include <sinew/sinew.hpp>
#include <sinew/constraint/composed.hpp>
#include <sinew/solver/compliant_implicit.hpp>

#include <constraint/cases/composed.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(composed_rod, Conformance, on_all_rotations<composed_rod_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(mixed_hinge, Conformance, on_all_rotations<mixed_hinge_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(squared_rod, Conformance, on_all_rotations<squared_rod_case>);

// The same rod twice: composed, and written out.
TEST(composed, equals_the_constraint_that_says_the_same_at_once) {
    splitmix64 random{7};
    double worst_J = 0, worst_G = 0, worst_rate = 0;
    for (int i = 0; i < 200; ++i) {
        auto const a = random_pose<rigid, quaternion<double>>(random, 1.0), b = random_pose<rigid, quaternion<double>>(random, 1.0);
        vec3<double> const p = random_vector<double>(random, 1.0), q = random_vector<double>(random, 1.0);
        distance<double> const rod{p, q, 0.5};
        sinew_test::composed_rod<double> const c{{p, q}, {0.5}};
        EXPECT_DOUBLE_EQ(c.error(a, b), rod.error(a, b));
        auto const J = c.jacobian(a, b) - rod.jacobian(a, b);
        vec<double, 1> const lambda{3.0};
        auto const poses = std::make_tuple(a, b);
        auto const G = c.stiffness(a, b, lambda) - derived_stiffness(rod, poses, lambda);
        twist<double> const s{random_vector<double>(random, 1.0), random_vector<double>(random, 1.0)}, t{random_vector<double>(random, 1.0), {}};
        worst_rate = std::max(worst_rate, std::abs(c.jacobian_rate(a, b, s, t)[0] - rod.jacobian_rate(a, b, s, t)));
        for (double x : J.e) worst_J = std::max(worst_J, std::abs(x));
        for (double x : G.e) worst_G = std::max(worst_G, std::abs(x));
    }
    EXPECT_LT(worst_J, 1e-14);
    EXPECT_LT(worst_G, 1e-11);
    EXPECT_LT(worst_rate, 1e-11);
}

// An arm that reaches so far: a bound on the length of a ball joint's error, soft where it says so, under two strategies.
template <class S>
struct reach {
    static constexpr std::size_t rows = 1;
    S length{1}, give{0};
    constexpr auto value(auto const& y) const { return length - norm(y); }
    constexpr auto limits() const { return pushing<S, 1>(); }
    constexpr S compliance() const { return give; }
    constexpr input_fault fault() const { return nonnegative_parameter("length", length); }
    friend constexpr bool operator==(reach const&, reach const&) = default;
};
template <class S>
using arm = composed<S, reach, ball_joint>;

template <class Solver>
struct config : default_config {
    using scalar = double;
    using solver = Solver;
};
template <class Solver>
double lowest(double give) {
    world<config<Solver>, arm> w;
    w.gravity = {0, -9.81, 0};
    rigid_body<double> b;
    b.pose.position = {0, -0.5, 0};
    auto const load = w.add(b);
    w.add(arm<double>{{}, {0.8, give}}, w.ground(), load);
    double y = 0;
    for (int i = 0; i < 400; ++i) {
        EXPECT_TRUE(w.step(1.0 / 60));
        y = std::min(y, w.position(load).y());
    }
    return y;
}
TEST(composed, passes_on_bounds_and_compliance) {
    EXPECT_NEAR(lowest<compliant_implicit>(0), -0.8, 1e-9);
    EXPECT_NEAR(lowest<nonlinear_gauss_seidel>(0), -0.8, 1e-9);
    EXPECT_LT(lowest<compliant_implicit>(0.01), -0.8 - 0.0981);  // and overshoots
    EXPECT_STREQ((arm<double>{{}, {-1, 0}}.fault().name), "length");
    static_assert(is_bounded_v<arm<double>, double> && has_compliance<arm<double>> && !has_damping<arm<double>>);
}

}  // namespace
