// Gradients through a chain of boxes under iterative strategies, which start every step from the multipliers of the last one.

#include "gradients_scene.hpp"

namespace {

using namespace gradients_scene;

template <class S>
using under_gauss_seidel = row_of_boxes<S, world<config<S, nonlinear_gauss_seidel>, ball_joint>, 3, 240>;
template <class S>
using under_impulses = row_of_boxes<S, world<config<S, sequential_impulses>, ball_joint>, 3, 240>;

TEST(gradients_of_a_chain, are_those_of_differences_under_gauss_seidel) { expect_gradient<under_gauss_seidel, 4>({1.3, 0.9, 0.2, 0}, 500, 1e-6); }
TEST(gradients_of_a_chain, are_those_of_differences_under_impulses) { expect_gradient<under_impulses, 4>({1.3, 0.9, 0.2, 0}, 500, 1e-6); }
TEST(gradients_of_a_chain, are_the_same_backwards) {
    std::vector<double> torques;
    for (int k = 0; k < 60; ++k) torques.push_back(std::sin(0.1 * k));
    expect_same_gradient<under_impulses>({1.3, 0.9, 0.2, 0}, torques, 60, 7);
}

}  // namespace
