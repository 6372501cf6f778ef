#pragma once
// Fixed point as a scalar: the number, its elementary functions, and vectors of it whose length neither overflows nor vanishes.

#include <sinew/math/fixed_functions.hpp>
#include <sinew/math/fixed_number.hpp>
#include <sinew/math/fixed_vec.hpp>
