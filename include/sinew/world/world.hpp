#pragma once
// The world: bodies, constraints and forces, stepped together. The class stands in container.hpp, what it does in the others.

#include <sinew/world/adding.hpp>
#include <sinew/world/body_access.hpp>
#include <sinew/world/constraint_access.hpp>
#include <sinew/world/container.hpp>
#include <sinew/world/gathered_forces.hpp>
#include <sinew/world/handle_checks.hpp>
#include <sinew/world/motion_problem.hpp>
#include <sinew/world/removing.hpp>
#include <sinew/world/saving.hpp>
#include <sinew/world/step.hpp>
#include <sinew/world/totals.hpp>
