// Worlds over lanes are values: a copy equals, until a number of any lane differs.

#include "lanes_scene.hpp"

namespace {

using namespace lanes_scene;

template <class Solver>
struct lanes_compared : testing::Test {};
using solvers = testing::Types<sequential_impulses, nonlinear_gauss_seidel, jacobi, vertex_block_descent, augmented_lagrangian, lagrange_impulses<cholesky>, lagrange_impulses<conjugate_gradient>,
                               lagrange_multipliers<ldlt>, wide_sequential_impulses<1>>;
TYPED_TEST_SUITE(lanes_compared, solvers);

TYPED_TEST(lanes_compared, are_equal_in_all_lanes) {
    using S = batch<double, 4>;
    using chains = world<config<S, TypeParam>, ball_joint>;
    auto const a = std::make_unique<chains>();
    auto previous = a->ground();
    for (int k = 0; k < 3; ++k) {
        vec3<S> const at{of<S>(k), S(0), S(0)};
        auto const link = a->add(rigid_body_of(solid_box(by_lane<S>(0, [](double i) { return 1 + i; }), vec3<S>{S(1), of<S>(0.1), of<S>(0.2)}), pose<S>{at + vec3<S>{of<S>(0.5), S(0), S(0)}, {}}));
        a->add(ball_joint<S>::at(a->pose(previous), a->pose(link), at), previous, link);
        previous = link;
    }
    auto const b = std::make_unique<chains>(*a);
    EXPECT_TRUE(*a == *b);
    ASSERT_TRUE(a->step(of<S>(1.0 / 60)));
    EXPECT_FALSE(*a == *b);
    ASSERT_TRUE(b->step(of<S>(1.0 / 60)));
    EXPECT_TRUE(*a == *b);
    b->gravity.y() = with_lane(b->gravity.y(), 3, -1.0);
    EXPECT_TRUE(*a != *b);
    b->gravity = a->gravity;
    EXPECT_TRUE(*a == *b);
    auto const differs_in_a_lane = [&](auto const& number) {
        auto& x = number(b->solver);
        auto const kept = x;
        x = with_lane(x, 2, 0.25);
        EXPECT_FALSE(*a == *b);
        x = kept;
        EXPECT_TRUE(*a == *b);
    };
    if constexpr (requires { b->solver.relaxation; }) differs_in_a_lane([](auto& s) -> auto& { return s.relaxation; });
    if constexpr (requires { b->solver.joint_damping_ratio; }) differs_in_a_lane([](auto& s) -> auto& { return s.joint_damping_ratio; });
    if constexpr (requires { b->solver.baumgarte; }) differs_in_a_lane([](auto& s) -> auto& { return s.baumgarte; });
    if constexpr (requires { b->solver.feedback_stiffness; }) differs_in_a_lane([](auto& s) -> auto& { return s.feedback_stiffness; });
    if constexpr (requires { b->solver.linear.tolerance; }) differs_in_a_lane([](auto& s) -> auto& { return s.linear.tolerance; });
}

}  // namespace
