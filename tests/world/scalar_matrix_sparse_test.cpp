// The sparse linear part under every scalar but lanes.

#include <world/scalar_matrix.hpp>

namespace {

using namespace scalar_matrix;

TEST(every_scalar, under_impulses_at_once_by_sparse_ldlt) { under_every_scalar<run_of<lagrange_impulses<sparse_ldlt>, symplectic_euler, quaternion>>(); }
TEST(every_scalar, under_multipliers_by_sparse_ldlt) { under_every_scalar<run_of<lagrange_multipliers<sparse_ldlt>, implicit_euler, rotation_matrix>>(); }

}  // namespace
