// Every integrator over quaternions, under every scalar.

#include <world/scalar_matrix.hpp>

namespace {

using namespace scalar_matrix;

TEST(every_scalar, steps_quaternions_by_euler) { under_every_scalar<flight_of<euler, quaternion>>(); }
TEST(every_scalar, steps_quaternions_by_symplectic_euler) { under_every_scalar<flight_of<symplectic_euler, quaternion>>(); }
TEST(every_scalar, steps_quaternions_by_velocity_verlet) { under_every_scalar<flight_of<velocity_verlet, quaternion>>(); }
TEST(every_scalar, steps_quaternions_by_midpoint) { under_every_scalar<flight_of<midpoint, quaternion>>(); }
TEST(every_scalar, steps_quaternions_by_rk4) { under_every_scalar<flight_of<rk4, quaternion>>(); }
TEST(every_scalar, steps_quaternions_by_dormand_prince_54) { under_every_scalar<flight_of<dormand_prince_54, quaternion>>(); }
TEST(every_scalar, steps_quaternions_by_implicit_euler) { under_every_scalar<flight_of<implicit_euler, quaternion>>(); }
TEST(every_scalar, steps_quaternions_by_implicit_midpoint) { under_every_scalar<flight_of<implicit_midpoint, quaternion>>(); }

}  // namespace
