#pragma once
// Elementary functions of the built-in scalars: constexpr, without a library, the same bits at compile time, at run
// time, on every compiler and processor (built without contraction of a * b + c).
//
// sqrt is correctly rounded. The others are within 2 ulp over the whole range, for float and double; float uses float
// arithmetic only. long double is as good where it has 64 bits of significand; beyond 2e9, its sine and cosine lose
// accuracy. Special cases follow C's annex F.

#include <sinew/math/exponential.hpp>
#include <sinew/math/sqrt.hpp>
#include <sinew/math/trigonometric.hpp>
