#pragma once
// What the same bits on every machine ask of the compiler, and a warning where it can be seen that they are not to be had.
//
// The code needs IEEE 754 arithmetic as written: no fast-math (which also assumes that NaN never occurs, so that checks of
// input would be folded away), no x87 registers (which keep more digits than the type), and no fusing of a * b + c into one
// rounding. The first two show in the compiler's own macros. The third does not: arithmetic_is_as_written() measures it.
//
// g++ 12 with -O2 and -mfma (-march=haswell, native) fuses some neighbouring sums and differences of products even then: see rounded.hpp. Where every
// bit counts, give -fno-tree-slp-vectorize to code of your own beside it, or leave -mfma out.

#if defined(__FAST_MATH__) || defined(_M_FP_FAST) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#if defined(_MSC_VER) && !defined(__clang__)
#pragma message("sinew: fast-math is on: results differ between compilers and machines, and NaN may pass unseen (use /fp:precise)")
#else
#warning "sinew: fast-math is on: results differ between compilers and machines, and NaN may pass unseen (use -fno-fast-math)"
#endif
#endif

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#warning "sinew: floating point is kept in wider registers: results differ from those of other machines (use -msse2 -mfpmath=sse)"
#endif

namespace sinew::inline v0 {

/// Whether this program computes as written: it rounds a product before it is added to something, as -ffp-contract=off asks, rounds to nearest, and keeps
/// numbers too small for their full digits (denormals) rather than making them zero. Measured at run time, since none of it shows to the compiler;
/// the last two also change while a program runs, by what other libraries do to the processor.
///
/// (1 + d)(1 - d) = 1 - d^2 rounds to 1 for d = 2^-27, so that only a fused operation sees the d^2.
[[nodiscard]] inline bool arithmetic_is_as_written() noexcept {
    double volatile const d = 1.0 / 134217728.0;
    double volatile const one = 1.0;
    double const above = one + d;
    double const below = one - d;
    double const minus_one = -one;
    bool const unfused = above * below + minus_one == 0.0;

    float volatile const unit = 1.0f, least = 1.17549435e-38f;  // 2^-126
    float volatile const quarter_ulp = 1.0f / 33554432.0f, most_of_an_ulp = 3.0f * quarter_ulp;
    bool const to_nearest = unit + quarter_ulp == unit && unit + most_of_an_ulp > unit && -unit - quarter_ulp == -unit;

    float volatile const small = least / 2.0f;
    return unfused && to_nearest && small > 0.0f && small * 2.0f == least;
}

}  // namespace sinew::inline v0
