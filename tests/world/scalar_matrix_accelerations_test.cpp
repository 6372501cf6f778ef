// Strategies on accelerations under every scalar.

#include <world/scalar_matrix.hpp>

namespace {

using namespace scalar_matrix;

TEST(every_scalar, under_multipliers_by_cholesky) { under_every_scalar<run_of<lagrange_multipliers<cholesky>, rk4, rotation_matrix>>(); }
TEST(every_scalar, under_multipliers_by_ldlt) { under_every_scalar<run_of<lagrange_multipliers<ldlt>, dormand_prince_54, rotation_vector>>(); }
TEST(every_scalar, under_multipliers_by_conjugate_gradient) { under_every_scalar<run_of<lagrange_multipliers<conjugate_gradient>, midpoint, quaternion>>(); }

}  // namespace
