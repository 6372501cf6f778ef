// Strategies on positions under every scalar.

#include <world/scalar_matrix.hpp>

namespace {

using namespace scalar_matrix;

TEST(every_scalar, under_nonlinear_gauss_seidel) { under_every_scalar<run_of<nonlinear_gauss_seidel, symplectic_euler, quaternion>>(); }
TEST(every_scalar, under_plain_gauss_seidel) { under_every_scalar<run_of<plain_gauss_seidel, euler, rotation_matrix>>(); }
TEST(every_scalar, under_jacobi) { under_every_scalar<run_of<jacobi, velocity_verlet, rotation_matrix>>(); }
TEST(every_scalar, under_vertex_block_descent) { under_every_scalar<run_of<vertex_block_descent, symplectic_euler, rotation_vector>>(); }
TEST(every_scalar, under_augmented_lagrangian) { under_every_scalar<run_of<augmented_lagrangian, rk4, quaternion>>(); }

}  // namespace
