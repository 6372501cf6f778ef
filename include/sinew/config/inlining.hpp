#pragma once
// What must be inlined, lest its numbers leave the registers, and what must not.
//
// Where nothing is optimised nothing stays in registers: there it would only make programs larger, and take up to two fifths of the time to compile them.

#if defined(__OPTIMIZE__)
#define SINEW_ALWAYS_INLINE __attribute__((always_inline))
#else
#define SINEW_ALWAYS_INLINE
#endif

// Whether the compiler says that it optimises for speed.
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define SINEW_IS_FOR_SPEED 1
#else
#define SINEW_IS_FOR_SPEED 0
#endif

// What returns small vectors. GCC puts the two halves of a vec3<float> in memory, to hand both on as one number: the load waits for both stores, longer
// than the function itself takes. Where size counts it is called all the same.
#if defined(__GNUC__) && !defined(__clang__) && SINEW_IS_FOR_SPEED
#define SINEW_RESULT_INLINE __attribute__((always_inline))
#else
#define SINEW_RESULT_INLINE
#endif

// Whether the compiler says that it optimises nothing. One that does not tell is taken to optimise.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__OPTIMIZE__)
#define SINEW_IS_UNOPTIMISED 1
#else
#define SINEW_IS_UNOPTIMISED 0
#endif

// Called, never inlined. Nor cloned: where GCC 12 clones a function for constant arguments (-O3), its summary of what a caller of that one reads lacks the numbers
// which are handed on by value, and stores to them are left out as dead.
#if defined(__GNUC__) && !defined(__clang__)
#define SINEW_CALLED __attribute__((noinline, noclone))
#elif defined(__clang__)
#define SINEW_CALLED __attribute__((noinline))
#else
#define SINEW_CALLED
#endif
