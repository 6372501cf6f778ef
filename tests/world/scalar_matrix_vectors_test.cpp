// Every integrator over rotation vectors, under every scalar.

#include <world/scalar_matrix.hpp>

namespace {

using namespace scalar_matrix;

TEST(every_scalar, steps_vectors_by_euler) { under_every_scalar<flight_of<euler, rotation_vector>>(); }
TEST(every_scalar, steps_vectors_by_symplectic_euler) { under_every_scalar<flight_of<symplectic_euler, rotation_vector>>(); }
TEST(every_scalar, steps_vectors_by_velocity_verlet) { under_every_scalar<flight_of<velocity_verlet, rotation_vector>>(); }
TEST(every_scalar, steps_vectors_by_midpoint) { under_every_scalar<flight_of<midpoint, rotation_vector>>(); }
TEST(every_scalar, steps_vectors_by_rk4) { under_every_scalar<flight_of<rk4, rotation_vector>>(); }
TEST(every_scalar, steps_vectors_by_dormand_prince_54) { under_every_scalar<flight_of<dormand_prince_54, rotation_vector>>(); }
TEST(every_scalar, steps_vectors_by_implicit_euler) { under_every_scalar<flight_of<implicit_euler, rotation_vector>>(); }
TEST(every_scalar, steps_vectors_by_implicit_midpoint) { under_every_scalar<flight_of<implicit_midpoint, rotation_vector>>(); }

}  // namespace
