// Gradients through a double pendulum under Lagrange multipliers and Runge-Kutta's method.

#include "gradients_scene.hpp"

namespace {

using namespace gradients_scene;

template <class S>
using double_pendulum = row_of_boxes<S, world<config<S, lagrange_multipliers<cholesky>, rk4>, ball_joint>, 2, 200>;

TEST(gradients_of_a_double_pendulum, are_those_of_differences) { expect_gradient<double_pendulum, 4>({1.3, 0.9, 0.2, 0}, 500, 1e-6); }

TEST(gradients_of_a_double_pendulum, are_the_same_backwards) {
    std::vector<double> torques;
    for (int k = 0; k < 250; ++k) torques.push_back(std::sin(0.1 * k));
    // 16 of the states and 16 between two of them are held, of 250.
    auto const report = expect_same_gradient<double_pendulum>({1.3, 0.9, 0.2, 0}, torques, 250, 13);
    EXPECT_EQ(report.states_kept, 32u);
}
// Whatever is kept and whatever is computed again.
TEST(gradients_of_a_double_pendulum, do_not_depend_on_what_is_kept) {
    std::vector<double> const parameters{1.3, 0.9, 0.2, 0}, torques(40, 0.5);
    std::vector<double> reference;
    for (std::size_t const stride : {1u, 7u, 40u, 100u}) {
        reverse_sweep<double_pendulum> sweep;
        sweep.stride = stride;
        std::vector<double> by_parameters(4), by_controls(40);
        ASSERT_TRUE(sweep(parameters, torques, 40, by_parameters, by_controls));
        by_controls.insert(by_controls.end(), by_parameters.begin(), by_parameters.end());
        if (reference.empty()) reference = by_controls;
        EXPECT_EQ(by_controls, reference) << "stride " << stride;
    }
}

}  // namespace
