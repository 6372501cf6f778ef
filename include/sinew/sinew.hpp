#pragma once
// All of sinew but io/, which needs a hosted system.

#include <sinew/config/determinism.hpp>
#include <sinew/config/version.hpp>

#include <sinew/core/errors.hpp>
#include <sinew/core/handle.hpp>
#include <sinew/core/hash.hpp>
#include <sinew/core/static_vector.hpp>
#include <sinew/core/storage.hpp>

#include <sinew/math/dual.hpp>
#include <sinew/math/elementary.hpp>
#include <sinew/math/exponential.hpp>
#include <sinew/math/float_tools.hpp>
#include <sinew/math/mat.hpp>
#include <sinew/math/scalar.hpp>
#include <sinew/math/sqrt.hpp>
#include <sinew/math/trigonometric.hpp>
#include <sinew/math/vec.hpp>

#include <sinew/rotation/pose.hpp>
#include <sinew/rotation/quaternion.hpp>
#include <sinew/rotation/rotation.hpp>
#include <sinew/rotation/rotation_matrix.hpp>
#include <sinew/rotation/rotation_vector.hpp>
#include <sinew/rotation/so3.hpp>

#include <sinew/ode/dormand_prince_54.hpp>
#include <sinew/ode/euler.hpp>
#include <sinew/ode/events.hpp>
#include <sinew/ode/function_problem.hpp>
#include <sinew/ode/implicit_euler.hpp>
#include <sinew/ode/implicit_midpoint.hpp>
#include <sinew/ode/implicit_stage.hpp>
#include <sinew/ode/integrate.hpp>
#include <sinew/ode/integrator.hpp>
#include <sinew/ode/lu.hpp>
#include <sinew/ode/midpoint.hpp>
#include <sinew/ode/ode_solver.hpp>
#include <sinew/ode/problem.hpp>
#include <sinew/ode/rk4.hpp>
#include <sinew/ode/state_view.hpp>
#include <sinew/ode/status.hpp>
#include <sinew/ode/step_control.hpp>
#include <sinew/ode/symplectic_euler.hpp>
#include <sinew/ode/velocity_verlet.hpp>
#include <sinew/ode/workspace.hpp>

#include <sinew/linear/dense.hpp>
#include <sinew/linear/small_ldlt.hpp>

#include <sinew/body/applied_force.hpp>
#include <sinew/body/body.hpp>
#include <sinew/body/body_point.hpp>
#include <sinew/body/drag.hpp>
#include <sinew/body/force.hpp>
#include <sinew/body/gravity.hpp>
#include <sinew/body/mass_properties.hpp>
#include <sinew/body/mesh_mass_properties.hpp>
#include <sinew/body/parameter_fault.hpp>
#include <sinew/body/principal_axes.hpp>
#include <sinew/body/spring.hpp>
#include <sinew/body/twist.hpp>

#include <sinew/constraint/anchor.hpp>
#include <sinew/constraint/angle.hpp>
#include <sinew/constraint/axis_alignment.hpp>
#include <sinew/constraint/conformance.hpp>
#include <sinew/constraint/constraint.hpp>
#include <sinew/constraint/cylindrical.hpp>
#include <sinew/constraint/derive.hpp>
#include <sinew/constraint/displacement.hpp>
#include <sinew/constraint/distance.hpp>
#include <sinew/constraint/fault.hpp>
#include <sinew/constraint/hinge.hpp>
#include <sinew/constraint/orientation.hpp>
#include <sinew/constraint/point_on_curve.hpp>
#include <sinew/constraint/point_on_line.hpp>
#include <sinew/constraint/point_on_plane.hpp>
#include <sinew/constraint/point_on_surface.hpp>
#include <sinew/constraint/point_to_point.hpp>
#include <sinew/constraint/random_state.hpp>
#include <sinew/constraint/seeded_pose.hpp>
#include <sinew/constraint/separation.hpp>
#include <sinew/constraint/slider.hpp>
#include <sinew/constraint/soft.hpp>
#include <sinew/constraint/stack.hpp>
#include <sinew/constraint/universal.hpp>
#include <sinew/constraint/weld.hpp>

#include <sinew/solver/lagrange_multipliers.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>
#include <sinew/solver/problem.hpp>
#include <sinew/solver/solver.hpp>

#include <sinew/world/config.hpp>
#include <sinew/world/container.hpp>
#include <sinew/world/environment.hpp>
#include <sinew/world/free_motion.hpp>
#include <sinew/world/pool.hpp>
#include <sinew/world/report.hpp>
#include <sinew/world/step.hpp>
#include <sinew/world/validate.hpp>
#include <sinew/world/world.hpp>
#include <sinew/world/world_state.hpp>
