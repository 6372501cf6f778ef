// Strategies that choose their rows by numbers, under every scalar but lanes.

#include <world/scalar_matrix.hpp>

namespace {

using namespace scalar_matrix;

TEST(every_scalar, under_impulses_at_once_by_dantzig) { under_every_scalar<run_of<lagrange_impulses<dantzig>, symplectic_euler, rotation_matrix>>(); }
TEST(every_scalar, under_multipliers_by_dantzig) { under_every_scalar<run_of<lagrange_multipliers<dantzig>, implicit_midpoint, quaternion>>(); }
TEST(every_scalar, under_compliant_implicit) { under_every_scalar<run_of<compliant_implicit, symplectic_euler, rotation_vector>>(); }

}  // namespace
