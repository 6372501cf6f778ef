// Strategies on velocities under every scalar.

#include <world/scalar_matrix.hpp>

namespace {

using namespace scalar_matrix;

TEST(every_scalar, under_sequential_impulses) { under_every_scalar<run_of<sequential_impulses, symplectic_euler, rotation_vector>>(); }
TEST(every_scalar, under_impulses_at_once_by_cholesky) { under_every_scalar<run_of<lagrange_impulses<cholesky>, midpoint, rotation_matrix>>(); }
TEST(every_scalar, under_impulses_at_once_by_ldlt) { under_every_scalar<run_of<lagrange_impulses<ldlt>, euler, quaternion>>(); }
TEST(every_scalar, under_impulses_at_once_by_conjugate_gradient) { under_every_scalar<run_of<lagrange_impulses<conjugate_gradient>, symplectic_euler, rotation_vector>>(); }

}  // namespace
