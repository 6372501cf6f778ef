#pragma once
// Whether the target's processor knows doubles, or floats. Where it does not, each operation on one is a call into a library of several KB, so
// that what only informs (the value in an error) is kept as a float there. Programs for processors with and without are not linked together.

namespace sinew::inline v0::detail {

#if defined(__arm__) && !(defined(__ARM_FP) && (__ARM_FP & 8))
inline constexpr bool has_double_unit = false;
#elif defined(__riscv) && !(defined(__riscv_flen) && __riscv_flen >= 64)
inline constexpr bool has_double_unit = false;
#elif defined(__AVR__) || defined(__XTENSA__) || defined(__MSP430__)
inline constexpr bool has_double_unit = false;
#else
inline constexpr bool has_double_unit = true;
#endif

#if (defined(__arm__) && !defined(__ARM_FP)) || (defined(__riscv) && !defined(__riscv_flen)) || defined(__AVR__) || defined(__MSP430__)
inline constexpr bool has_float_unit = false;
#else
inline constexpr bool has_float_unit = true;
#endif

// Whether two words of 32 bits are multiplied to 64 at once. A Cortex-M0 calls a library for it, which multiplies all 64 by 64 bits.
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__) || defined(__AVR__) || defined(__MSP430__) || (defined(__riscv) && !defined(__riscv_mul))
inline constexpr bool has_long_multiply = false;
#else
inline constexpr bool has_long_multiply = true;
#endif

}  // namespace sinew::inline v0::detail
