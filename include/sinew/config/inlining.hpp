#pragma once
// What must be inlined, lest its numbers leave the registers.
//
// Where nothing is optimised nothing stays in registers: there it would only make programs larger, and take up to two fifths of the time to compile them.

#if defined(__OPTIMIZE__)
#define SINEW_ALWAYS_INLINE __attribute__((always_inline))
#else
#define SINEW_ALWAYS_INLINE
#endif
