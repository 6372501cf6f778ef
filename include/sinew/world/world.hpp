#pragma once
// The world: bodies, constraints and forces, stepped together. Class in container.hpp, stepping in step.hpp.

#include <sinew/world/container.hpp>
#include <sinew/world/step.hpp>
