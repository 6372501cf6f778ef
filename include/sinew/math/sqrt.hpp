#pragma once
// Square root, correctly rounded, the same in constant evaluation and at run time, without a call to a library.
//
// Run time: one instruction where the processor has it, digit by digit on integers where not. Constant evaluation: Newton's iteration, rounded by
// an exact residual.

#include <bit>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace sinew::inline v0 {

namespace detail {

// Floats as bits, for the two formats whose bits can be had in a constant expression.
template <class S>
struct float_bits {
    static constexpr bool known = false;
};
template <>
struct float_bits<float> {
    using type = std::uint32_t;
    static constexpr bool known = true;
    static constexpr int mantissa = 23, bias = 127, max_exponent = 255;
};
template <std::floating_point S>
    requires(std::numeric_limits<S>::digits == 53 && sizeof(S) == 8)
struct float_bits<S> {
    using type = std::uint64_t;
    static constexpr bool known = true;
    static constexpr int mantissa = 52, bias = 1023, max_exponent = 2047;
};

// x = significand * 2^(exponent), significand an integer, by bits. Of any x: where there is no instruction it stands for it, but for the bits of a NaN.
template <class S>
[[nodiscard]] constexpr S sqrt_by_digits(S x) noexcept {
    using F = float_bits<S>;
    using U = typename F::type;
    U const bits = std::bit_cast<U>(x);
    constexpr U infinity = static_cast<U>(F::max_exponent) << F::mantissa, sign = ~(~U{0} >> 1);
    if ((bits & ~sign) == 0 || (bits & ~sign) > infinity || bits == infinity) return x;  // zeros, NaN, infinity
    if ((bits & sign) != 0) return std::numeric_limits<S>::quiet_NaN();
    int exponent = static_cast<int>(bits >> F::mantissa);
    U m = bits & ((U{1} << F::mantissa) - 1);
    if (exponent == 0) {
        while ((m >> F::mantissa) == 0) {
            m <<= 1;
            --exponent;
        }
        ++exponent;
    } else {
        m |= U{1} << F::mantissa;
    }
    int e = exponent - F::bias;  // x = m / 2^mantissa * 2^e, m with its leading bit at `mantissa`
    if (e & 1) {
        m <<= 1;
        e -= 1;
    }
    // mantissa + 2 bits of the root of m * 2^(mantissa + 2), then round to nearest even on the last bit and the rest.
    U remainder = 0, root = 0;
    int const steps = F::mantissa + 2;
    // m has up to mantissa + 2 bits: bring them down two at a time, followed by zeros.
    int shift = F::mantissa;
    for (int i = 0; i < steps; ++i) {
        U const pair = shift >= 0 ? (m >> shift) & 3 : shift == -1 ? (m & 1) << 1 : U{0};
        shift -= 2;
        remainder = (remainder << 2) | pair;
        U const trial = (root << 2) | 1;
        root <<= 1;
        if (remainder >= trial) {
            remainder -= trial;
            root |= 1;
        }
    }
    // root has `steps` bits: one more than the significand.
    U const half = root & 1;
    root >>= 1;
    if (half != 0 && (remainder != 0 || (root & 1) != 0)) ++root;
    int const result_exponent = e / 2 + F::bias;
    U const packed = (static_cast<U>(result_exponent) << F::mantissa) + (root - (U{1} << F::mantissa));
    return std::bit_cast<S>(packed);
}

// Newton's iteration from above, in constant evaluation, where it costs a tenth of the digits, and for formats without known bits (80- and
// 128-bit long double). The last step compares residuals that are exact thanks to splitting. The neighbour of the least residual is the root
// rounded correctly: with u the last place, x - r^2 - r u is a multiple of u^2, so that u^2 / 2 parts the same numbers as u^2 / 4.
template <class S>
[[nodiscard]] constexpr S sqrt_by_newton(S x) noexcept {
    S scale = 1;
    if constexpr (float_bits<S>::known) {
        using F = float_bits<S>;
        using U = typename F::type;
        if (x < std::numeric_limits<S>::min()) {
            x *= std::bit_cast<S>(static_cast<U>(F::bias + 2 * F::mantissa) << F::mantissa);
            scale = std::bit_cast<S>(static_cast<U>(F::bias - F::mantissa) << F::mantissa);
        }
        U const bits = std::bit_cast<U>(x);
        int const e = (static_cast<int>(bits >> F::mantissa) - F::bias) & ~1;
        x = std::bit_cast<S>(bits - (static_cast<U>(e) << F::mantissa));
        scale *= std::bit_cast<S>(static_cast<U>(F::bias + e / 2) << F::mantissa);
    } else {
        while (x > S(4)) {
            x /= 4;
            scale *= 2;
        }
        while (x < S(1)) {
            x *= 4;
            scale /= 2;
        }
    }
    S r = S(0.5) + x / 2;  // not below the root, by at most a quarter of it
    for (int i = 0; i < 64; ++i) {
        S const next = (r + x / r) / 2;
        if (!(next < r)) break;
        r = next;
    }
    // r is within an ulp. Compare the exact residuals of the neighbours: x - r^2 by Dekker's splitting.
    S constexpr splitter = []() {
        S s = 1;
        for (int i = 0; i < (std::numeric_limits<S>::digits + 1) / 2; ++i) s *= 2;
        return s + 1;
    }();
    auto const residual = [&](S y) {
        S const t = splitter * y;
        S const hi = t - (t - y);
        S const lo = y - hi;
        S const square = y * y;
        S const error = ((hi * hi - square) + 2 * hi * lo) + lo * lo;
        return (x - square) - error;
    };
    S const ulp = std::numeric_limits<S>::epsilon();
    S best = r;
    for (S const candidate : {r - ulp, r + ulp}) {
        S const a = residual(best), b = residual(candidate);
        if ((b < 0 ? -b : b) < (a < 0 ? -a : a)) best = candidate;
    }
    return best * scale;
}

// The instruction. With errno to set, compilers add a call for negative arguments to their builtin; the asm has none. Where there is no
// instruction, the builtin is a call. Under AVX the older encoding, which keeps the rest of its register, would wait for that register's upper
// half (Intel: 50 ns each); and either waits for no other register than x's.
[[nodiscard]] inline float sqrt_by_hardware(float x) noexcept {
#if (defined(__GNUC__) || defined(__clang__)) && defined(__NO_MATH_ERRNO__) && !(defined(__arm__) && !(defined(__ARM_FP) && (__ARM_FP & 4))) && \
    !(defined(__riscv) && !(defined(__riscv_flen) && __riscv_flen >= 32))
    return __builtin_sqrtf(x);
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__AVX__)
    __asm__("vsqrtss %0, %0, %0" : "+x"(x));
    return x;
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__SSE2__)
    __asm__("sqrtss %0, %0" : "+x"(x));
    return x;
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
    float r;
    __asm__("fsqrt %s0, %s1" : "=w"(r) : "w"(x));
    return r;
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__ARM_FP) && ((__ARM_FP & 4) != 0)
    float r;
    __asm__("vsqrt.f32 %0, %1" : "=t"(r) : "t"(x));
    return r;
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__riscv_flen) && __riscv_flen >= 32
    float r;
    __asm__("fsqrt.s %0, %1" : "=f"(r) : "f"(x));
    return r;
#else
    return sqrt_by_digits(x);
#endif
}
[[nodiscard]] inline double sqrt_by_hardware(double x) noexcept {
#if (defined(__GNUC__) || defined(__clang__)) && defined(__NO_MATH_ERRNO__) && !(defined(__arm__) && !(defined(__ARM_FP) && (__ARM_FP & 8))) && \
    !(defined(__riscv) && !(defined(__riscv_flen) && __riscv_flen >= 64))
    return __builtin_sqrt(x);
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__AVX__)
    __asm__("vsqrtsd %0, %0, %0" : "+x"(x));
    return x;
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__SSE2__)
    __asm__("sqrtsd %0, %0" : "+x"(x));
    return x;
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
    double r;
    __asm__("fsqrt %d0, %d1" : "=w"(r) : "w"(x));
    return r;
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__ARM_FP) && ((__ARM_FP & 8) != 0)
    double r;
    __asm__("vsqrt.f64 %P0, %P1" : "=w"(r) : "w"(x));
    return r;
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__riscv_flen) && __riscv_flen >= 64
    double r;
    __asm__("fsqrt.d %0, %1" : "=f"(r) : "f"(x));
    return r;
#else
    return sqrt_by_digits(x);
#endif
}
template <class S>
[[nodiscard]] constexpr S sqrt_positive(S x) noexcept {
    if constexpr (float_bits<S>::known) {
        if (std::is_constant_evaluated()) return sqrt_by_newton(x);
        return static_cast<S>(sqrt_by_hardware(static_cast<std::conditional_t<sizeof(S) == 4, float, double>>(x)));
    } else {
        return sqrt_by_newton(x);
    }
}

}  // namespace detail

/// Correctly rounded square root. NaN below 0; sqrt(-0) is -0.
template <std::floating_point S>
[[nodiscard]] constexpr S sqrt(S x) noexcept {
    if (detail::float_bits<S>::known && !std::is_constant_evaluated()) return detail::sqrt_positive(x);
    if (x < S(0)) return std::numeric_limits<S>::quiet_NaN();
    if (!(x > S(0)) || x > std::numeric_limits<S>::max()) return x;  // zeros, NaN, infinity
    return detail::sqrt_positive(x);
}

}  // namespace sinew::inline v0
