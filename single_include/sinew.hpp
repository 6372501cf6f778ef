// sinew 0.1.0: constrained rigid-body dynamics, the whole core in one header.
// Made from include/ by tests/amalgamate/amalgamate.cpp: change it there.
//
// MIT License
//
// Copyright (c) 2026 The sinew authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

// ---- sinew/config/counter.hpp
// A counter for the whole program, atomic where the target has that for four bytes. (<atomic> would be a tenth of a program's
// compile time; a Cortex-M0 has no atomic increment, and one core.)

namespace sinew::inline v0::detail {

/// ++counter.
inline std::uint32_t next_number(std::uint32_t& counter) noexcept {
#if defined(__GCC_ATOMIC_INT_LOCK_FREE) && __GCC_ATOMIC_INT_LOCK_FREE == 2
    return __atomic_add_fetch(&counter, 1u, __ATOMIC_RELAXED);
#else
    return ++counter;
#endif
}

}  // namespace sinew::inline v0::detail

// ---- sinew/config/determinism.hpp
// What the same bits on every machine ask of the compiler, and a warning where it can be seen that they are not to be had.
//
// The code needs IEEE 754 arithmetic as written: no fast-math (which also assumes that NaN never occurs, so that checks of
// input would be folded away), no x87 registers (which keep more digits than the type), and no fusing of a * b + c into one
// rounding. The first two show in the compiler's own macros. The third does not: arithmetic_is_as_written() measures it.

#if defined(__FAST_MATH__) || defined(_M_FP_FAST) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
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

/// Whether this program rounds a product before it is added to something, as -ffp-contract=off asks. Measured at run time:
/// (1 + d)(1 - d) = 1 - d^2 rounds to 1 for d = 2^-27, so that only a fused operation sees the d^2.
[[nodiscard]] inline bool arithmetic_is_as_written() noexcept {
    double volatile const d = 1.0 / 134217728.0;
    double volatile const one = 1.0;
    double const above = one + d;
    double const below = one - d;
    double const minus_one = -one;
    return above * below + minus_one == 0.0;
}

}  // namespace sinew::inline v0

// ---- sinew/config/version.hpp
// The version of the library: macros that a user can ask in #if, and the same as a constant. CMakeLists.txt reads its numbers here.

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 1
#define SINEW_VERSION_PATCH 0
#define SINEW_VERSION (SINEW_VERSION_MAJOR * 10000 + SINEW_VERSION_MINOR * 100 + SINEW_VERSION_PATCH)

namespace sinew::inline v0 {

/// The version of these headers as one number to compare: 10000 major + 100 minor + patch.
inline constexpr int version = SINEW_VERSION;

}  // namespace sinew::inline v0

// ---- sinew/core/dynamic_vector.hpp
// A vector on the heap with no more than a world needs: it grows, and gives nothing back before it ends. Assigning reuses what
// is there, so a world that has run allocates nothing.
//
// std::vector would do; its machinery, instantiated for fifteen element types, took a fifth of a program's compile time.

namespace sinew::inline v0 {

/// T must be default constructible and copyable; a new element is T{}.
template <class T>
class dynamic_vector {
public:
    using value_type = T;

    constexpr dynamic_vector() noexcept = default;
    constexpr explicit dynamic_vector(std::size_t n) { resize(n); }
    constexpr dynamic_vector(dynamic_vector const& b) { *this = b; }
    constexpr dynamic_vector(dynamic_vector&& b) noexcept { swap(b); }
    constexpr dynamic_vector& operator=(dynamic_vector const& b) {
        if (this == &b) return *this;
        size_ = 0;
        reserve(b.size_);
        for (std::size_t i = 0; i < b.size_; ++i) items_[i] = b.items_[i];
        size_ = b.size_;
        return *this;
    }
    constexpr dynamic_vector& operator=(dynamic_vector&& b) noexcept {
        swap(b);
        return *this;
    }
    constexpr ~dynamic_vector() { delete[] items_; }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] constexpr T* data() noexcept { return items_; }
    [[nodiscard]] constexpr T const* data() const noexcept { return items_; }
    [[nodiscard]] constexpr T& operator[](std::size_t i) noexcept { return items_[i]; }
    [[nodiscard]] constexpr T const& operator[](std::size_t i) const noexcept { return items_[i]; }
    [[nodiscard]] constexpr T* begin() noexcept { return items_; }
    [[nodiscard]] constexpr T* end() noexcept { return items_ + size_; }
    [[nodiscard]] constexpr T const* begin() const noexcept { return items_; }
    [[nodiscard]] constexpr T const* end() const noexcept { return items_ + size_; }
    [[nodiscard]] constexpr T& back() noexcept { return items_[size_ - 1]; }
    [[nodiscard]] constexpr T const& back() const noexcept { return items_[size_ - 1]; }

    constexpr void clear() noexcept { size_ = 0; }
    constexpr void push_back(T const& value) {
        if (size_ == capacity_) {
            T const copy = value;  // it may be one of our own
            reserve(capacity_ == 0 ? 8 : 2 * capacity_);
            items_[size_++] = copy;
        } else {
            items_[size_++] = value;
        }
    }
    constexpr void pop_back() noexcept { --size_; }
    constexpr void resize(std::size_t n) {
        reserve(n);
        for (; size_ < n; ++size_) items_[size_] = T{};
        size_ = n;
    }
    constexpr void assign(std::size_t n, T const& value) {
        reserve(n);
        for (std::size_t i = 0; i < n; ++i) items_[i] = value;
        size_ = n;
    }
    constexpr void reserve(std::size_t n) {
        if (n <= capacity_) return;
        dynamic_vector grown;
        grown.items_ = new T[n]();
        grown.capacity_ = n;
        for (std::size_t i = 0; i < size_; ++i) grown.items_[i] = items_[i];
        grown.size_ = size_;
        swap(grown);
    }
    constexpr void swap(dynamic_vector& b) noexcept {
        T* const items = items_;
        std::size_t const size = size_, capacity = capacity_;
        items_ = b.items_, size_ = b.size_, capacity_ = b.capacity_;
        b.items_ = items, b.size_ = size, b.capacity_ = capacity;
    }

    [[nodiscard]] friend constexpr bool operator==(dynamic_vector const& a, dynamic_vector const& b) {
        if (a.size_ != b.size_) return false;
        for (std::size_t i = 0; i < a.size_; ++i)
            if (!(a.items_[i] == b.items_[i])) return false;
        return true;
    }

private:
    T* items_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace sinew::inline v0

// ---- sinew/core/errors.hpp
// What happens when input is refused. Nothing is changed by a refused call; the policy says how the caller learns of it.
//
//   throw_errors   std::invalid_argument with one sentence that names the offending value (the default with exceptions)
//   null_errors    a null handle or false is returned; world.last_error() tells why (the default without exceptions).
//                  A member that only reads returns a default value, and leaves last_error() as it was
//   call_errors<F> as null_errors, and F{}(error) is called first

#if defined(__cpp_exceptions)
#include <stdexcept>
#endif

namespace sinew::inline v0 {

enum class errc : unsigned char {
    none,
    not_finite,
    not_positive,
    invalid_inertia,
    not_a_rotation,
    dead_handle,
    foreign_handle,
    self_binding,
    invalid_parameter,
    full,
    mismatch,
};

/// Why a constraint, force, solver or integrator refuses its own parameters; no name means that all is well. A
/// requirement that ends in "; what the value is of" is followed by " is 3", any other by ", but is 3".
struct input_fault {
    char const* name = nullptr;         ///< the field
    char const* requirement = nullptr;  ///< "must not be the zero vector"
    double value = 0;
};

/// A refused input: which, why, and its value.
struct error {
    errc code = errc::none;
    char const* name = "";         ///< "mass"
    char const* requirement = "";  ///< "must be positive and finite"
    double value = 0;
    bool has_value = false;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return code != errc::none; }
};

/// The error as one sentence, without allocation: "sinew: mass must be positive and finite, but is -1".
class error_text {
public:
    constexpr explicit error_text(error const& e) noexcept {
        put("sinew: ");
        put(e.name);
        put(" ");
        put(e.requirement);
        if (e.has_value) {
            put(names_its_value(e.requirement) ? " is " : ", but is ");
            put_number(e.value);
        }
    }
    [[nodiscard]] constexpr char const* c_str() const noexcept { return text_; }

private:
    [[nodiscard]] static constexpr bool names_its_value(char const* requirement) noexcept {
        while (*requirement != '\0' && *requirement != ';') ++requirement;
        return *requirement == ';';
    }
    constexpr void put(char const* s) noexcept {
        while (*s != '\0' && at_ + 1 < sizeof text_) text_[at_++] = *s++;
    }
    constexpr void put_digit(int d) noexcept {
        if (at_ + 1 < sizeof text_) text_[at_++] = static_cast<char>('0' + d);
    }
    // Six significant digits, in scientific form when very large or small.
    constexpr void put_number(double x) noexcept {
        if (x != x) return put("NaN");
        if (x < 0) {
            put("-");
            x = -x;
        }
        if (x > 1.7976931348623157e308) return put("infinity");
        if (x == 0) return put("0");
        int exponent = 0;
        while (x >= 10) {
            x /= 10;
            ++exponent;
        }
        while (x < 1) {
            x *= 10;
            --exponent;
        }
        auto digits = static_cast<long>(x * 100000 + 0.5);
        if (digits >= 1000000) {
            digits /= 10;
            ++exponent;
        }
        int d[6] = {};
        for (int i = 6; i-- > 0;) {
            d[i] = static_cast<int>(digits % 10);
            digits /= 10;
        }
        int last = 5;
        while (last > 0 && d[last] == 0) --last;
        bool const scientific = exponent < -4 || exponent > 5;
        int const point = scientific ? 0 : exponent;
        if (point < 0) {
            put("0.");
            for (int i = -1; i > point; --i) put_digit(0);
            for (int i = 0; i <= last; ++i) put_digit(d[i]);
        } else {
            for (int i = 0; i <= (last > point ? last : point); ++i) {
                if (i == point + 1) put(".");
                put_digit(i < 6 ? d[i] : 0);
            }
        }
        if (scientific) {
            put(exponent < 0 ? "e-" : "e");
            int const e = exponent < 0 ? -exponent : exponent;
            if (e >= 100) put_digit(e / 100);
            if (e >= 10) put_digit(e / 10 % 10);
            put_digit(e % 10);
        }
    }

    char text_[224] = {};
    std::size_t at_ = 0;
};

#if defined(__cpp_exceptions)
/// Throws std::invalid_argument.
struct throw_errors {
    static constexpr void fail(error const& e) {
        if (e) throw std::invalid_argument(error_text(e).c_str());
    }
};
#endif

/// Says nothing: the call returns a null handle or false.
struct null_errors {
    static constexpr void fail(error const&) noexcept {}
};

/// Calls F{}(error).
template <class F>
struct call_errors {
    static_assert(std::is_default_constructible_v<F> && std::is_invocable_v<F, error const&>,
                  "sinew: call_errors<F> calls F{}(error): F needs a default constructor and `operator()(sinew::error const&)`.");
    static constexpr void fail(error const& e) { F{}(e); }
};

namespace detail {
template <bool HasExceptions>
struct default_errors {
    using type = null_errors;
};
#if defined(__cpp_exceptions)
template <>
struct default_errors<true> {
    using type = throw_errors;
};
inline constexpr bool has_exceptions = true;
#else
inline constexpr bool has_exceptions = false;
#endif
}  // namespace detail

}  // namespace sinew::inline v0

// ---- sinew/core/handle.hpp
// Handles: names of things in a world that stay valid while other things come and go, and that notice when their own
// thing is gone, or when they are shown to a world they do not come from.

namespace sinew::inline v0 {

/// A name of a T in a world: slot, how often the slot has been reused, and which world. A default handle names nothing.
template <class T>
struct handle {
    static constexpr std::uint32_t none = 0xffffffffu;
    std::uint32_t index = none;
    std::uint32_t generation = 0;
    std::uint32_t world = 0;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return index != none; }
    [[nodiscard]] friend constexpr bool operator==(handle const&, handle const&) = default;
};

namespace detail {
// The one piece of state outside objects: an address would be given again to the next world at the same place.
inline std::uint32_t worlds_made = 0;
}  // namespace detail

/// A number that tells worlds apart: how many were made before it in this program. Copies keep it, so that handles work on
/// snapshots. It has no part in what a world computes. In a constant expression every world is 0.
[[nodiscard]] constexpr std::uint32_t next_world_tag() noexcept {
    if (std::is_constant_evaluated()) return 0;
    return detail::next_number(detail::worlds_made);
}

}  // namespace sinew::inline v0

// ---- sinew/core/hash.hpp
// A hash of bits, to compare states across runs, compilers and processors.

namespace sinew::inline v0 {

/// FNV-1a, 64 bits, fed number by number. The sign of zero and the payload of NaN are made uniform first, since
/// processors differ in them.
class bit_hash {
public:
    constexpr void add(std::uint64_t word) noexcept {
        for (int i = 0; i < 8; ++i) {
            value_ = (value_ ^ (word & 0xffu)) * 0x100000001b3ull;
            word >>= 8;
        }
    }
    constexpr void add(float x) noexcept { add(static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(canonical(x)))); }
    constexpr void add(double x) noexcept { add(std::bit_cast<std::uint64_t>(canonical(x))); }
    [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }

private:
    [[nodiscard]] static constexpr float canonical(float x) noexcept {
        return x != x ? std::bit_cast<float>(std::uint32_t{0x7fc00000u}) : x == 0 ? 0.0f : x;
    }
    [[nodiscard]] static constexpr double canonical(double x) noexcept {
        return x != x ? std::bit_cast<double>(std::uint64_t{0x7ff8000000000000u}) : x == 0 ? 0.0 : x;
    }
    std::uint64_t value_ = 0xcbf29ce484222325ull;
};

}  // namespace sinew::inline v0

// ---- sinew/core/static_vector.hpp
// A vector in place: a fixed capacity, no heap. Pass it on as std::span, which does not know the capacity.

namespace sinew::inline v0 {

/// Up to N values of T, which must be default-constructible. Growing past N is the caller's error: ask full() first.
template <class T, std::size_t N>
class static_vector {
public:
    using value_type = T;

    [[nodiscard]] static constexpr std::size_t capacity() noexcept { return N; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] constexpr bool full() const noexcept { return size_ == N; }

    [[nodiscard]] constexpr T* data() noexcept { return items_.data(); }
    [[nodiscard]] constexpr T const* data() const noexcept { return items_.data(); }
    [[nodiscard]] constexpr T& operator[](std::size_t i) noexcept { return items_[i]; }
    [[nodiscard]] constexpr T const& operator[](std::size_t i) const noexcept { return items_[i]; }
    [[nodiscard]] constexpr T* begin() noexcept { return data(); }
    [[nodiscard]] constexpr T* end() noexcept { return data() + size_; }
    [[nodiscard]] constexpr T const* begin() const noexcept { return data(); }
    [[nodiscard]] constexpr T const* end() const noexcept { return data() + size_; }
    [[nodiscard]] constexpr T& back() noexcept { return items_[size_ - 1]; }
    [[nodiscard]] constexpr T const& back() const noexcept { return items_[size_ - 1]; }

    constexpr void clear() noexcept { size_ = 0; }
    constexpr void push_back(T const& value) noexcept { items_[size_++] = value; }
    constexpr void pop_back() noexcept { --size_; }
    constexpr void resize(std::size_t n, T const& fill = T{}) noexcept {
        for (std::size_t i = size_; i < n; ++i) items_[i] = fill;
        size_ = n;
    }
    constexpr void assign(std::size_t n, T const& value) noexcept {
        for (std::size_t i = 0; i < n; ++i) items_[i] = value;
        size_ = n;
    }

    [[nodiscard]] friend constexpr bool operator==(static_vector const& a, static_vector const& b) {
        if (a.size_ != b.size_) return false;
        for (std::size_t i = 0; i < a.size_; ++i)
            if (!(a.items_[i] == b.items_[i])) return false;
        return true;
    }

private:
    std::array<T, (N > 0 ? N : 1)> items_{};
    std::size_t size_ = 0;
};

}  // namespace sinew::inline v0

// ---- sinew/core/storage.hpp
// Where a world keeps its data: on the heap, growing (dynamic_storage), or in place with fixed capacities
// (static_storage), for targets without a heap.

namespace sinew::inline v0 {

/// How many of each a world with static_storage can hold.
struct capacities {
    std::size_t bodies = 0;       ///< rigid bodies, beside the ground
    std::size_t constraints = 0;  ///< of each type of constraint
    std::size_t particles = 0;
    std::size_t forces = 4;  ///< of each type of force
    std::size_t rows = 0;    ///< scalar rows of all constraints together; 0 for all that the constraints could have. A matrix of rows x rows is kept by
                             ///< lagrange_multipliers.
};

/// Grows on the heap. Nothing is freed before the world is, so a step allocates nothing once it has run.
struct dynamic_storage {
    static constexpr bool is_static = false;
    static constexpr capacities limits{};
    template <class T, std::size_t>
    using array = dynamic_vector<T>;
};

/// In place, no heap at all: static_storage<capacities{.bodies = 16, .constraints = 32}>.
template <capacities Limits = capacities{}>
struct static_storage {
    static constexpr bool is_static = true;
    static constexpr capacities limits = Limits;
    template <class T, std::size_t N>
    using array = static_vector<T, N>;
};

/// Whether one more fits.
template <class A>
[[nodiscard]] constexpr bool is_full(A const& array) noexcept {
    if constexpr (requires { array.full(); })
        return array.full();
    else
        return false;
}

}  // namespace sinew::inline v0

// ---- sinew/math/sqrt.hpp
// Square root, correctly rounded, the same in constant evaluation and at run time, without a call to a library.
//
// Run time: one instruction where the processor has it. Otherwise: digit by digit on integers, which is exact.

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

// x = significand * 2^(exponent), significand an integer, by bits.
template <class S>
[[nodiscard]] constexpr S sqrt_by_digits(S x) noexcept {
    using F = float_bits<S>;
    using U = typename F::type;
    U const bits = std::bit_cast<U>(x);
    int exponent = static_cast<int>(bits >> F::mantissa);  // sign is 0 here
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

// Newton's iteration from above, for formats without known bits (80- and 128-bit long double) in constant evaluation.
// The last steps are taken with a residual that is exact thanks to splitting, so the result is correctly rounded but
// for ties that cannot occur in a square root.
template <class S>
[[nodiscard]] constexpr S sqrt_by_newton(S x) noexcept {
    S scale = 1;
    while (x > S(4)) {
        x /= 4;
        scale *= 2;
    }
    while (x < S(1)) {
        x *= 4;
        scale /= 2;
    }
    S r = x;
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

// The instruction. With errno to set, compilers add a call for negative arguments to their builtin; the asm has none.
[[nodiscard]] inline float sqrt_by_hardware(float x) noexcept {
#if (defined(__GNUC__) || defined(__clang__)) && defined(__NO_MATH_ERRNO__)
    return __builtin_sqrtf(x);
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__SSE2__)
    float r;
    __asm__("sqrtss %1, %0" : "=x"(r) : "x"(x));
    return r;
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
#if (defined(__GNUC__) || defined(__clang__)) && defined(__NO_MATH_ERRNO__)
    return __builtin_sqrt(x);
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__SSE2__)
    double r;
    __asm__("sqrtsd %1, %0" : "=x"(r) : "x"(x));
    return r;
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
        if (std::is_constant_evaluated()) return sqrt_by_digits(x);
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

// ---- sinew/math/float_tools.hpp
// What the elementary functions are built from: classification, rounding to integers, scaling by powers of two, and
// sums and products whose rounding error is known. Only + - * / and bit casts, so the bits are the same everywhere.

namespace sinew::inline v0 {

template <std::floating_point S>
[[nodiscard]] constexpr bool isnan(S x) noexcept {
    return x != x;
}
template <std::floating_point S>
[[nodiscard]] constexpr bool isfinite(S x) noexcept {
    return x >= std::numeric_limits<S>::lowest() && x <= std::numeric_limits<S>::max();
}

namespace detail {

template <class S>
[[nodiscard]] constexpr bool sign_bit(S x) noexcept {
    if constexpr (float_bits<S>::known)
        return (std::bit_cast<typename float_bits<S>::type>(x) >> (8 * sizeof(S) - 1)) != 0;
    else
#if defined(__GNUC__) || defined(__clang__)
        return __builtin_copysignl(1.0L, x) < 0.0L;  // also in constant evaluation, where 1 / 0 is not allowed
#else
        return x < S(0) || (x == S(0) && S(1) / x < S(0));
#endif
}
template <class S>
[[nodiscard]] constexpr S magnitude(S x) noexcept {
    if (isnan(x)) return x;  // constant evaluation refuses arithmetic with NaN
    return x < S(0) ? -x : x + S(0);
}

// 2^n for n in the range of normal numbers.
template <class S>
[[nodiscard]] constexpr S power_of_two(int n) noexcept {
    if constexpr (float_bits<S>::known) {
        using U = typename float_bits<S>::type;
        return std::bit_cast<S>(static_cast<U>(n + float_bits<S>::bias) << float_bits<S>::mantissa);
    } else {
        S r = 1, b = n < 0 ? S(0.5L) : S(2);
        for (int k = n < 0 ? -n : n; k != 0;) {
            if (k & 1) r *= b;
            k >>= 1;
            if (k != 0) b *= b;  // the square after the last would overflow
        }
        return r;
    }
}
// x 2^n, rounded once also where the result is subnormal.
template <class S>
[[nodiscard]] constexpr S scaled(S x, int n) noexcept {
    constexpr int top = std::numeric_limits<S>::max_exponent - 1, bottom = std::numeric_limits<S>::min_exponent - 1;
    if (n > top) {
        S const part = x * power_of_two<S>(top), rest = power_of_two<S>(n - top > top ? top : n - top);
        if (magnitude(part) > std::numeric_limits<S>::max() / rest) return x < S(0) ? -std::numeric_limits<S>::infinity() : std::numeric_limits<S>::infinity();
        return part * rest;
    }
    if (n < bottom) {
        int const rest = n - bottom;
        return x * power_of_two<S>(bottom) * power_of_two<S>(rest < bottom ? bottom : rest);
    }
    return x * power_of_two<S>(n);
}

// x = m 2^e with m in [1, 2), for positive finite x.
template <class S>
struct split_float {
    S m;
    int e;
};
template <class S>
[[nodiscard]] constexpr split_float<S> split(S x) noexcept {
    int extra = 0;
    if (x < std::numeric_limits<S>::min()) {
        x *= power_of_two<S>(std::numeric_limits<S>::digits);
        extra = -std::numeric_limits<S>::digits;
    }
    if constexpr (float_bits<S>::known) {
        using F = float_bits<S>;
        using U = typename F::type;
        U const bits = std::bit_cast<U>(x);
        U const one = static_cast<U>(F::bias) << F::mantissa;
        return {std::bit_cast<S>((bits & ((U{1} << F::mantissa) - 1)) | one), static_cast<int>(bits >> F::mantissa) - F::bias + extra};
    } else {
        int e = extra;
        for (int k = 1 << 13; k > 0; k >>= 1) {
            S const p = k < std::numeric_limits<S>::max_exponent ? power_of_two<S>(k) : std::numeric_limits<S>::infinity();
            if (x >= p) {
                x /= p;
                e += k;
            } else if (x < S(1) / p && x * p < S(1)) {
                x *= p;
                e -= k;
            }
        }
        while (x >= S(2)) {
            x /= 2;
            ++e;
        }
        while (x < S(1)) {
            x *= 2;
            --e;
        }
        return {x, e};
    }
}

// An unevaluated sum hi + lo.
template <class S>
struct two {
    S hi, lo;
};
template <class S>
[[nodiscard]] constexpr two<S> two_sum(S a, S b) noexcept {
    S const s = a + b;
    S const bb = s - a;
    return {s, (a - (s - bb)) + (b - bb)};
}
template <class S>
[[nodiscard]] constexpr two<S> fast_two_sum(S a, S b) noexcept {
    S const s = a + b;
    return {s, b - (s - a)};
}
// a b exactly (Dekker 1971, Veltkamp's splitting): no fused multiply-add is needed.
template <class S>
[[nodiscard]] constexpr two<S> two_product(S a, S b) noexcept {
    constexpr S splitter = S(1ull << ((std::numeric_limits<S>::digits + 1) / 2)) + S(1);
    S const p = a * b;
    S const ta = splitter * a, tb = splitter * b;
    S const ah = ta - (ta - a), bh = tb - (tb - b);
    S const al = a - ah, bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

template <class S, std::size_t N>
[[nodiscard]] constexpr S horner(S const (&k)[N], S x) noexcept {
    S r = k[N - 1];
    for (std::size_t i = N - 1; i-- > 0;) r = r * x + k[i];
    return r;
}

}  // namespace detail

/// x with the sign of s.
template <std::floating_point S>
[[nodiscard]] constexpr S copysign(S x, std::type_identity_t<S> s) noexcept {
    return detail::sign_bit(x) == detail::sign_bit(s) ? x : -x;
}

/// Largest integer not above x.
template <std::floating_point S>
[[nodiscard]] constexpr S floor(S x) noexcept {
    using I = std::conditional_t<sizeof(S) == 4, std::int32_t, std::int64_t>;
    constexpr int digits = std::numeric_limits<S>::digits;
    constexpr S limit = S(std::uint64_t{1} << (digits > 63 ? 62 : digits - 1));
    if (isnan(x) || x == S(0)) return x;
    if (!(detail::magnitude(x) < limit)) {
        if constexpr (digits > 63) {
            // Fractions beyond the range of the integer: first what is above 2^48, then the rest.
            if (detail::magnitude(x) < detail::power_of_two<S>(digits - 1)) {
                constexpr S step = S(std::uint64_t{1} << 48);
                S const high = floor(x / step) * step;
                return high + floor(x - high);
            }
        }
        return x;
    }
    S const whole = static_cast<S>(static_cast<I>(x));
    S const r = whole > x ? whole - S(1) : whole;
    return r == S(0) ? copysign(r, x) : r;
}

}  // namespace sinew::inline v0

// ---- sinew/math/exponential.hpp
// exp and log, within 1 ulp but for rare cases, without a library.
//
// exp: x = k ln 2 + r with ln 2 in two parts, |r| <= ln 2 / 2, Taylor's series of exp(r), scaled by 2^k.
// log: x = 2^k m with m in [sqrt(1/2), sqrt(2)), log m = 2 atanh(s) with s = (m - 1) / (m + 1).

namespace sinew::inline v0 {

namespace detail {

template <class S>
struct exp_constants {
    static constexpr int digits = std::numeric_limits<S>::digits;
    static constexpr int kind = digits <= 24 ? 0 : digits <= 53 ? 1 : 2;
    // ln 2 in parts; k times the first is exact.
    static constexpr S ln2_hi = S(kind == 0 ? 0xb172p-16L : kind == 1 ? 0x162e42fefp-33L : 0xb17217f7p-32L);
    static constexpr S ln2_lo =
        S(kind == 0 ? 0xbfbep-35L + 0x8e7bp-51L : kind == 1 ? 0x1473de6afp-66L + 0x13c767300p-101L : 0xd1cf79abp-64L + 0xc9e3b398p-96L);
    static constexpr std::size_t exp_terms = kind == 0 ? 7 : kind == 1 ? 13 : 16;
    static constexpr std::size_t log_terms = kind == 0 ? 4 : kind == 1 ? 10 : 13;
};

// 1/2!, 1/3!, ...
template <class S, std::size_t N>
struct inverse_factorials {
    S k[N];
    constexpr inverse_factorials() : k{} {
        long double f = 1;
        for (std::size_t n = 0; n < N; ++n) {
            f *= static_cast<long double>(n + 2);
            k[n] = static_cast<S>(1.0L / f);
        }
    }
};

}  // namespace detail

template <std::floating_point S>
[[nodiscard]] constexpr S exp(S x) noexcept {
    using K = detail::exp_constants<S>;
    using L = std::numeric_limits<S>;
    if (isnan(x)) return x;
    if (x > S(L::max_exponent) * S(0.694L)) return L::infinity();
    if (x < S(L::min_exponent - L::digits - 1) * S(0.694L)) return S(0);
    S const t = x * S(1.4426950408889634073599246810018921L);
    int const k = static_cast<int>(t + (t < S(0) ? S(-0.5L) : S(0.5L)));
    S const q = static_cast<S>(k);
    S const hi = x - q * K::ln2_hi;
    S const lo = q * K::ln2_lo;
    S const r = hi - lo;
    S const r_lo = (hi - r) - lo;
    // exp(r) - 1 - r = r^2 (1/2! + r/3! + ...)
    constexpr detail::inverse_factorials<S, K::exp_terms> c;
    S const p = detail::horner(c.k, r);
    S const y = S(1) + (r + (r * r * p + r_lo));
    return detail::scaled(y, k);
}

/// -infinity at 0, NaN below.
template <std::floating_point S>
[[nodiscard]] constexpr S log(S x) noexcept {
    using K = detail::exp_constants<S>;
    using L = std::numeric_limits<S>;
    if (isnan(x)) return x;
    if (x < S(0)) return L::quiet_NaN();
    if (x == S(0)) return -L::infinity();
    if (!isfinite(x)) return x;
    auto parts = detail::split(x);
    if (parts.m > S(1.4142135623730950488016887242096981L)) {
        parts.m /= 2;
        ++parts.e;
    }
    S const f = parts.m - S(1);
    S const s = f / (S(2) + f);
    S const z = s * s;
    S R = S(0);
    for (std::size_t n = K::log_terms; n > 0; --n) R = S(2) / static_cast<S>(2 * n + 1) + R * z;
    R *= z;
    S const half = f * f / 2;
    S const k = static_cast<S>(parts.e);
    return k * K::ln2_hi - ((half - (s * (half + R) + k * K::ln2_lo)) - f);
}

}  // namespace sinew::inline v0

// ---- sinew/math/trigonometric.hpp
// sin, cos, tan and their inverses, within 2 ulp, without a library.
//
// Arguments are reduced by pi/2: up to a moderate size with pi/2 in four parts whose products are exact (Cody and Waite
// 1980), beyond with as many bits of 2/pi as are needed, in integers (Payne and Hanek 1983). The kernels are Taylor's
// series on [-pi/4, pi/4]: the first term left out is below a tenth of an ulp. Inverse functions reduce to atan on
// [-1/16, 1/16] by a table of atan(i/8).

namespace sinew::inline v0 {

/// Sine and cosine of one angle.
template <class S>
struct sine_cosine {
    S sin, cos;
};

namespace detail {

template <class S>
struct trig_constants {
    static constexpr int digits = std::numeric_limits<S>::digits;
    static constexpr int kind = digits <= 24 ? 0 : digits <= 53 ? 1 : 2;
    // pi/2 in parts; all but the last have trailing zeros, so that a product with the quadrant's number is exact.
    static constexpr S half_pi[4] = {
        S(kind == 0 ? 0xc90fp-15L : kind == 1 ? 0x1921fb544p-32L : 0xc90fdaa2p-31L),
        S(kind == 0 ? 0xdaa2p-31L : kind == 1 ? 0x10b4611a6p-66L : 0x85a308d3p-65L),
        S(kind == 0 ? 0x85a3p-49L : kind == 1 ? 0x13198a2e0p-101L : 0x98cc5170p-100L),
        S(kind == 0 ? 0x8d3132p-77L : kind == 1 ? 0x1b839a252049c1p-156L : 0xdc1cd129024e088ap-167L)};
    static constexpr S half_pi_hi = S(kind == 0 ? 0xc90fdap-23L : kind == 1 ? 0x1921fb54442d18p-52L : 0xc90fdaa22168c234p-63L);
    static constexpr S half_pi_lo = S(kind == 0 ? 0xa22169p-47L : kind == 1 ? 0x11a62633145c07p-106L : 0xc4c6628b80dc1cd1p-127L);
    static constexpr S two_over_pi = S(0xa2f9836e4e441529p-64L);
    // Up to here the products above are exact.
    static constexpr S moderate = S(kind == 0 ? 200.0L : kind == 1 ? 1.0e6L : 2.0e9L);
};

inline constexpr std::uint32_t two_over_pi_words[] = {
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau,
    0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu,
    0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u,
    0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du, 0xa9e39161u, 0x5ee61b08u, 0x6599855fu, 0x14a06840u};

// 32 bits of 2/pi from bit `at` after the point on; bits before the point are 0.
[[nodiscard]] constexpr std::uint32_t two_over_pi_bits(int at) noexcept {
    auto const word = [](int i) { return i < 0 ? 0u : two_over_pi_words[i]; };
    int const w = at >= 0 ? at / 32 : -((31 - at) / 32);
    int const b = at - w * 32;
    return b == 0 ? word(w) : (word(w) << b) | (word(w + 1) >> (32 - b));
}

// x = quadrant pi/2 + hi + lo, |hi| <= pi/4 but for rounding.
template <class S>
struct reduced {
    int quadrant;
    S hi, lo;
};

template <class S>
[[nodiscard]] constexpr reduced<S> reduce_huge(S x) noexcept {
    // x = m 2^e with integer m. The product of m and 192 bits of 2/pi, modulo 4: the top two bits are the quadrant.
    constexpr int mantissa_bits = std::numeric_limits<S>::digits <= 53 ? std::numeric_limits<S>::digits : 53;
    auto const parts = split(x);
    auto const m = static_cast<std::uint64_t>(parts.m * power_of_two<S>(mantissa_bits - 1));
    int const first = parts.e - (mantissa_bits - 1) - 2;  // bits before this one count whole turns
    std::uint32_t product[6] = {};                        // least significant first
    std::uint32_t const low = static_cast<std::uint32_t>(m), high = static_cast<std::uint32_t>(m >> 32);
    std::uint64_t carry = 0, carry_high = 0;
    std::uint32_t previous = 0;
    for (int i = 0; i < 6; ++i) {
        std::uint32_t const w = two_over_pi_bits(first + 32 * (5 - i));
        std::uint64_t const a = std::uint64_t{low} * w + carry;
        carry = a >> 32;
        std::uint64_t const b = std::uint64_t{high} * previous + carry_high + static_cast<std::uint32_t>(a);
        product[i] = static_cast<std::uint32_t>(b);
        carry_high = b >> 32;
        previous = w;
    }
    int quadrant = static_cast<int>(product[5] >> 30);
    product[5] <<= 2;
    product[5] >>= 2;
    bool const negative = (product[5] >> 29) != 0;  // a fraction of 1/2 or more counts back from the next quadrant
    if (negative) {
        ++quadrant;
        std::uint64_t c = 1;
        for (auto& w : product) {
            c += static_cast<std::uint32_t>(~w);
            w = static_cast<std::uint32_t>(c);
            c >>= 32;
        }
        product[5] &= 0x3fffffffu;
    }
    two<S> f{S(0), S(0)};
    for (int i = 5; i >= 2; --i)
        for (int half = 1; half >= 0; --half) {
            auto const chunk = static_cast<std::uint32_t>(half == 1 ? product[i] >> 16 : product[i] & 0xffffu);
            two<S> const s = two_sum(f.hi, static_cast<S>(chunk) * power_of_two<S>(-30 - 32 * (5 - i) + 16 * half));
            f = {s.hi, f.lo + s.lo};
        }
    f = fast_two_sum(f.hi, f.lo);
    two<S> const p = two_product(f.hi, trig_constants<S>::half_pi_hi);
    two<S> r = fast_two_sum(p.hi, p.lo + (f.hi * trig_constants<S>::half_pi_lo + f.lo * trig_constants<S>::half_pi_hi));
    if (negative) r = {-r.hi, -r.lo};
    return {quadrant, r.hi, r.lo};
}

// For finite x.
template <class S>
[[nodiscard]] constexpr reduced<S> reduce(S x) noexcept {
    using K = trig_constants<S>;
    S const a = magnitude(x);
    if (a <= K::half_pi_hi / 2) return {0, x, S(0)};
    reduced<S> r{};
    if (std::numeric_limits<S>::digits > 53 && !(a < S(4.6e18L))) {  // 2^62 turns: beyond what the constants of long double resolve
        r = {0, std::numeric_limits<S>::quiet_NaN(), S(0)};
    } else if (a < K::moderate || std::numeric_limits<S>::digits > 53) {
        auto const n = static_cast<std::int64_t>(a * K::two_over_pi + S(0.5L));
        S const q = static_cast<S>(n);
        S hi = a - q * K::half_pi[0];
        two<S> const b = two_sum(hi, -q * K::half_pi[1]);
        two<S> const c = two_sum(b.hi, -q * K::half_pi[2]);
        two<S> const d = fast_two_sum(c.hi, (b.lo + c.lo) - q * K::half_pi[3]);
        r = {static_cast<int>(n & 3), d.hi, d.lo};
    } else {
        r = reduce_huge(a);
    }
    if (x < S(0)) r = {-r.quadrant, -r.hi, -r.lo};
    r.quadrant &= 3;
    return r;
}

// 1/3!, 1/5!, ... with alternating signs, from 1/start!.
template <class S, std::size_t N>
struct alternating_factorials {
    S k[N];
    constexpr explicit alternating_factorials(int start) : k{} {
        long double f = 1;
        for (int i = 2; i <= start; ++i) f *= i;
        for (std::size_t i = 0; i < N; ++i) {
            k[i] = static_cast<S>((i % 2 == 0 ? -1.0L : 1.0L) / f);
            f *= static_cast<long double>(start + 1);
            f *= static_cast<long double>(start + 2);
            start += 2;
        }
    }
};
template <class S>
inline constexpr std::size_t series_terms = std::numeric_limits<S>::digits <= 24 ? 4 : std::numeric_limits<S>::digits <= 53 ? 8 : 11;

template <class S>
[[nodiscard]] constexpr two<S> sin_kernel(S r, S lo) noexcept {
    constexpr alternating_factorials<S, series_terms<S>> k(3);  // -1/3!, 1/5!, ...
    S const z = r * r;
    return {r, r * z * horner(k.k, z) + lo * (S(1) - z / 2)};
}
template <class S>
[[nodiscard]] constexpr two<S> cos_kernel(S r, S lo) noexcept {
    constexpr alternating_factorials<S, series_terms<S>> k(4);  // sign turned: 1/4! comes first and is positive
    S const z = r * r;
    S const half = z / 2;
    S const w = S(1) - half;
    return {w, ((S(1) - w) - half) + (-(z * z) * horner(k.k, z) - r * lo)};
}

// atan(i / 8), i = 0..8.
template <class S>
struct atan_table {
    static constexpr int kind = trig_constants<S>::kind;
    static constexpr S hi[9] = {
        S(0),
        S(kind == 0 ? 0xfeadd4p-27L : kind == 1 ? 0x1fd5ba9aac2f6dp-56L : 0xfeadd4d5617b6e32p-67L),
        S(kind == 0 ? 0xfadbafp-26L : kind == 1 ? 0x1f5b75f92c80ddp-55L : 0xfadbafc96406eb15p-66L),
        S(kind == 0 ? 0xb7b0cap-25L : kind == 1 ? 0x16f61941e4def0p-54L : 0xb7b0ca0f26f78473p-65L),
        S(kind == 0 ? 0xed6338p-25L : kind == 1 ? 0x1dac670561bb4fp-54L : 0xed63382b0dda7b45p-65L),
        S(kind == 0 ? 0x8f005dp-24L : kind == 1 ? 0x11e00babdefeb3p-53L : 0x8f005d5ef7f59f9bp-64L),
        S(kind == 0 ? 0xa4bc7dp-24L : kind == 1 ? 0x14978fa3269ee1p-53L : 0xa4bc7d1934f70924p-64L),
        S(kind == 0 ? 0xb8053ep-24L : kind == 1 ? 0x1700a7c5784633p-53L : 0xb8053e2bc2319e73p-64L),
        S(kind == 0 ? 0xc90fdap-24L : kind == 1 ? 0x1921fb54442d18p-53L : 0xc90fdaa22168c234p-64L)};
    static constexpr S lo[9] = {
        S(0),
        S(kind == 0 ? 0xd5617bp-51L : kind == 1 ? 0x18cb225e627cfap-109L : 0xc897989f3e888ef8p-131L),
        S(kind == 0 ? 0xc96407p-50L : kind == 1 ? 0x18ab6e3cf7afbdp-109L : 0xdb8f3debef442fcbp-131L),
        S(kind == 0 ? 0xf26f78p-53L : kind == 1 ? 0x11ce2a8c848b74p-107L : 0x8aa32122dcfe4483p-129L),
        S(kind == 0 ? 0xac376ap-51L : kind == 1 ? 0x1a2b7f222f65e2p-108L : 0xdfc88bd978751a07p-130L),
        S(kind == 0 ? 0xbdefebp-49L : kind == 1 ? 0x1e6d720d785997p-106L : 0xb906bc2ccb886e8fp-129L),
        S(kind == 0 ? 0xc9a7b8p-51L : kind == 1 ? 0x12419a87f2a458p-108L : 0xcd43f9522bed64f7p-131L),
        S(kind == 0 ? 0xaf08c6p-50L : kind == 1 ? 0x19cf2cb6954843p-106L : 0xcb2da55210a4443dp-128L),
        S(kind == 0 ? 0xa22169p-48L : kind == 1 ? 0x11a62633145c07p-107L : 0xc4c6628b80dc1cd1p-128L)};
};

// atan(t + lo) for t in [0, 1], as hi + lo.
template <class S>
[[nodiscard]] constexpr two<S> atan_kernel(S t, S lo) noexcept {
    constexpr std::size_t terms = std::numeric_limits<S>::digits <= 24 ? 3 : std::numeric_limits<S>::digits <= 53 ? 7 : 8;
    auto const i = static_cast<std::size_t>(t * S(8) + S(0.5L));
    S const c = static_cast<S>(i) / S(8);
    S const slope = S(1) / (S(1) + t * t);
    S const u = i == 0 ? t : (t - c) / (S(1) + t * c);
    S const z = u * u;
    S s = S(0);
    for (std::size_t n = terms; n > 0; --n) s = (n % 2 == 0 ? S(1) : S(-1)) / static_cast<S>(2 * n + 1) + s * z;
    S const rest = u * z * s + lo * slope;
    if (i == 0) return {u, rest};
    two<S> const sum = fast_two_sum(atan_table<S>::hi[i], u);
    return {sum.hi, sum.lo + (atan_table<S>::lo[i] + rest)};
}

// atan((y + y_lo) / (x + x_lo)) for y, x >= 0, finite, not both zero: in [0, pi/2], as hi + lo.
template <class S>
[[nodiscard]] constexpr two<S> atan_of_ratio(S y, S y_lo, S x, S x_lo) noexcept {
    bool const swap = y > x;
    S n = swap ? x : y, n_lo = swap ? x_lo : y_lo, d = swap ? y : x, d_lo = swap ? y_lo : x_lo;
    if (d > power_of_two<S>(std::numeric_limits<S>::max_exponent - std::numeric_limits<S>::digits - 3)) {
        S const k = power_of_two<S>(-2 * std::numeric_limits<S>::digits);
        n *= k;
        n_lo *= k;
        d *= k;
        d_lo *= k;
    } else if (d < power_of_two<S>(std::numeric_limits<S>::min_exponent + 3 * std::numeric_limits<S>::digits)) {
        S const k = power_of_two<S>(3 * std::numeric_limits<S>::digits);
        n *= k;
        n_lo *= k;
        d *= k;
        d_lo *= k;
    }
    S const q = n / d;
    two<S> const p = two_product(q, d);
    // The residual of a small n would underflow, but of a small quotient it is below rounding.
    S const q_lo = q < power_of_two<S>(-std::numeric_limits<S>::digits) ? S(0) : (((n - p.hi) - p.lo) + (n_lo - q * d_lo)) / d;
    two<S> const a = atan_kernel(q, q_lo);
    if (!swap) return a;
    two<S> const s = two_sum(trig_constants<S>::half_pi_hi, -a.hi);
    return {s.hi, s.lo + (trig_constants<S>::half_pi_lo - a.lo)};
}

}  // namespace detail

/// Sine and cosine of x (rad) with one reduction. NaN of an infinity.
template <std::floating_point S>
[[nodiscard]] constexpr sine_cosine<S> sincos(S x) noexcept {
    if (!isfinite(x)) return {std::numeric_limits<S>::quiet_NaN(), std::numeric_limits<S>::quiet_NaN()};
    auto const r = detail::reduce(x);
    auto const s = detail::sin_kernel(r.hi, r.lo);
    auto const c = detail::cos_kernel(r.hi, r.lo);
    S const sine = x == S(0) ? x : s.hi + s.lo, cosine = c.hi + c.lo;
    switch (r.quadrant) {
        case 0: return {sine, cosine};
        case 1: return {cosine, -sine};
        case 2: return {-sine, -cosine};
        default: return {-cosine, sine};
    }
}
template <std::floating_point S>
[[nodiscard]] constexpr S sin(S x) noexcept {
    if (!isfinite(x)) return std::numeric_limits<S>::quiet_NaN();
    if (x == S(0)) return x;
    auto const r = detail::reduce(x);
    auto const k = (r.quadrant & 1) != 0 ? detail::cos_kernel(r.hi, r.lo) : detail::sin_kernel(r.hi, r.lo);
    S const v = k.hi + k.lo;
    return (r.quadrant & 2) != 0 ? -v : v;
}
template <std::floating_point S>
[[nodiscard]] constexpr S cos(S x) noexcept {
    if (!isfinite(x)) return std::numeric_limits<S>::quiet_NaN();
    auto const r = detail::reduce(x);
    auto const k = (r.quadrant & 1) != 0 ? detail::sin_kernel(r.hi, r.lo) : detail::cos_kernel(r.hi, r.lo);
    S const v = k.hi + k.lo;
    return ((r.quadrant + 1) & 2) != 0 ? -v : v;
}
template <std::floating_point S>
[[nodiscard]] constexpr S tan(S x) noexcept {
    if (!isfinite(x)) return std::numeric_limits<S>::quiet_NaN();
    if (x == S(0)) return x;
    auto const r = detail::reduce(x);
    auto const sk = detail::sin_kernel(r.hi, r.lo);
    auto const ck = detail::cos_kernel(r.hi, r.lo);
    auto n = detail::fast_two_sum(sk.hi, sk.lo), d = detail::fast_two_sum(ck.hi, ck.lo);
    if ((r.quadrant & 1) != 0) {
        auto const t = n;
        n = {-d.hi, -d.lo};
        d = t;
    }
    S const q = n.hi / d.hi;
    auto const p = detail::two_product(q, d.hi);
    S const rest = (((n.hi - p.hi) - p.lo) + (n.lo - q * d.lo)) / d.hi;
    return isfinite(rest) ? q + rest : q;
}

/// Angle of the point (x, y), in [-pi, pi]; zeros and infinities as in C's annex F.
template <std::floating_point S>
[[nodiscard]] constexpr S atan2(S y, std::type_identity_t<S> x) noexcept {
    using K = detail::trig_constants<S>;
    if (isnan(x) || isnan(y)) return std::numeric_limits<S>::quiet_NaN();
    bool const left = detail::sign_bit(x);
    S ay = detail::magnitude(y), ax = detail::magnitude(x);
    detail::two<S> a{};
    if (ay == S(0)) {
        a = {S(0), S(0)};
    } else if (!isfinite(ay) || !isfinite(ax)) {
        S const huge = S(1), none = S(0);
        a = detail::atan_of_ratio(isfinite(ay) ? none : huge, S(0), isfinite(ax) ? none : huge, S(0));
    } else if (ax == S(0)) {
        a = {K::half_pi_hi, K::half_pi_lo};
    } else {
        a = detail::atan_of_ratio(ay, S(0), ax, S(0));
    }
    if (left) {
        auto const s = detail::two_sum(2 * K::half_pi_hi, -a.hi);
        a = {s.hi, s.lo + (2 * K::half_pi_lo - a.lo)};
    }
    return copysign(a.hi + a.lo, y);
}
template <std::floating_point S>
[[nodiscard]] constexpr S atan(S x) noexcept {
    if (x == S(0)) return x;
    return atan2(x, S(1));
}

namespace detail {
// sqrt(1 - x^2) as hi + lo, for |x| <= 1.
template <class S>
[[nodiscard]] constexpr two<S> cosine_of_asin(S x) noexcept {
    two<S> const square = two_product(x, x);
    two<S> const d = two_sum(S(1), -square.hi);
    two<S> const rest = fast_two_sum(d.hi, d.lo - square.lo);
    if (!(rest.hi > S(0))) return {S(0), S(0)};
    S const root = sinew::v0::sqrt(rest.hi);
    two<S> const p = two_product(root, root);
    return {root, (((rest.hi - p.hi) - p.lo) + rest.lo) / (2 * root)};
}
}  // namespace detail

/// NaN outside [-1, 1].
template <std::floating_point S>
[[nodiscard]] constexpr S asin(S x) noexcept {
    S const a = detail::magnitude(x);
    if (!(a <= S(1))) return std::numeric_limits<S>::quiet_NaN();
    if (a < detail::power_of_two<S>(-std::numeric_limits<S>::digits / 2)) return x;
    auto const c = detail::cosine_of_asin(a);
    auto const r = detail::atan_of_ratio(a, S(0), c.hi, c.lo);
    return copysign(r.hi + r.lo, x);
}
/// In [0, pi]; NaN outside [-1, 1].
template <std::floating_point S>
[[nodiscard]] constexpr S acos(S x) noexcept {
    using K = detail::trig_constants<S>;
    S const a = detail::magnitude(x);
    if (!(a <= S(1))) return std::numeric_limits<S>::quiet_NaN();
    if (a < detail::power_of_two<S>(-std::numeric_limits<S>::digits)) return K::half_pi_hi + (K::half_pi_lo - x);
    auto const s = detail::cosine_of_asin(a);
    auto r = detail::atan_of_ratio(s.hi, s.lo, a, S(0));
    if (x < S(0)) {
        auto const t = detail::two_sum(2 * K::half_pi_hi, -r.hi);
        r = {t.hi, t.lo + (2 * K::half_pi_lo - r.lo)};
    }
    return r.hi + r.lo;
}

}  // namespace sinew::inline v0

// ---- sinew/math/elementary.hpp
// Elementary functions of the built-in scalars: constexpr, without a library, the same bits at compile time, at run
// time, on every compiler and processor (built without contraction of a * b + c).
//
// sqrt is correctly rounded. The others are within 2 ulp over the whole range, for float and double; float uses float
// arithmetic only. long double is as good where it has 64 bits of significand; beyond 2e9, its sine and cosine lose
// accuracy. Special cases follow C's annex F.

// ---- sinew/math/scalar.hpp
// The scalar concept, and the branch-free choices that every scalar offers.
//
// A constraint is written once over a scalar S. S may be a built-in floating-point type, a dual number that
// carries derivatives, or several SIMD lanes. Comparing lanes yields a mask of lanes, so code over S never says
// `if (a < b)`: it says select(a < b, x, y), min, max or clamp. For built-in types the mask is bool.

namespace sinew::inline v0 {

/// Customisation point: numeric facts of a scalar. `value_type` is the built-in type it is made of.
template <class S>
struct scalar_traits;

template <std::floating_point S>
struct scalar_traits<S> {
    using value_type = S;
    static constexpr S epsilon = std::numeric_limits<S>::epsilon();
    static constexpr S max = std::numeric_limits<S>::max();
    static constexpr S infinity = std::numeric_limits<S>::infinity();
};

/// What a comparison of two S yields: bool, or a mask with one truth value a lane.
template <class S>
using mask_t = std::remove_cvref_t<decltype(std::declval<S const&>() < std::declval<S const&>())>;

/// The built-in type that a scalar is made of: double for double, for dual<double, 6>, ...
template <class S>
using value_type_t = typename scalar_traits<S>::value_type;

template <class S>
inline constexpr S epsilon_v = S(scalar_traits<S>::epsilon);

template <class S>
inline constexpr S infinity_v = S(scalar_traits<S>::infinity);

template <class S>
inline constexpr S pi_v = S(3.141592653589793238462643383279502884L);

// select, all and any for the mask of built-in scalars. Other scalars overload these beside their type.

/// `mask ? a : b`, lane by lane.
template <std::floating_point S>
[[nodiscard]] constexpr S select(bool mask, S a, std::type_identity_t<S> b) noexcept {
    return mask ? a : b;
}
[[nodiscard]] constexpr bool all(bool mask) noexcept { return mask; }
[[nodiscard]] constexpr bool any(bool mask) noexcept { return mask; }

template <std::floating_point S>
[[nodiscard]] constexpr S min(S a, std::type_identity_t<S> b) noexcept {
    return b < a ? b : a;
}
template <std::floating_point S>
[[nodiscard]] constexpr S max(S a, std::type_identity_t<S> b) noexcept {
    return a < b ? b : a;
}
template <std::floating_point S>
[[nodiscard]] constexpr S abs(S x) noexcept {
    return x < S(0) ? -x : x + S(0);  // + 0 turns -0 into +0
}
/// `mask ? f() : g()`, evaluating only what some lane needs. Both must be finite wherever they are evaluated.
template <class M, class F, class G>
[[nodiscard]] constexpr auto either(M const& mask, F&& f, G&& g) {
    if (all(mask)) return f();
    if (!any(mask)) return g();
    return select(mask, f(), g());
}
/// x kept within [lo, hi].
template <class S>
[[nodiscard]] constexpr S clamp(S const& x, std::type_identity_t<S> const& lo, std::type_identity_t<S> const& hi) noexcept {
    return min(max(x, lo), hi);
}
/// The built-in value of a scalar: itself, or what a dual number carries without its derivatives.
template <std::floating_point S>
[[nodiscard]] constexpr S value(S x) noexcept {
    return x;
}

// The concept is a conjunction of small named atoms, so that an error names the one that is missing.

template <class S>
concept has_arithmetic = std::copyable<S> && std::constructible_from<S, int> && requires(S a, S b) {
    { a + b } -> std::convertible_to<S>;
    { a - b } -> std::convertible_to<S>;
    { a * b } -> std::convertible_to<S>;
    { a / b } -> std::convertible_to<S>;
    { -a } -> std::convertible_to<S>;
};

template <class S>
concept has_comparison = requires(S a, S b) {
    a < b;
    a == b;
    { select(a < b, a, b) } -> std::convertible_to<S>;
};

template <class S>
concept has_scalar_traits = requires { typename scalar_traits<S>::value_type; };

/// A number that sinew computes with: float, double, long double, dual numbers, SIMD lanes, fixed point.
template <class S>
concept scalar = has_scalar_traits<S> && has_arithmetic<S> && has_comparison<S>;

static_assert(scalar<float> && scalar<double> && scalar<long double>);

}  // namespace sinew::inline v0

// ---- sinew/math/dual.hpp
// Dual numbers: a value and its derivatives in N directions, carried together (forward-mode differentiation).
//
// f(x + eps) = f(x) + f'(x) eps with eps^2 = 0. One evaluation over dual<S, N> yields the value and N directional
// derivatives, exact to rounding. dual<dual<S, N>, M> yields second derivatives. Where a derivative does not exist
// (sqrt and asin at the end of their domain) the derivative is 0, so that a degenerate pose stays finite.

namespace sinew::inline v0 {

template <class S, std::size_t N>
struct dual;

template <class T>
inline constexpr bool is_dual_v = false;
template <class S, std::size_t N>
inline constexpr bool is_dual_v<dual<S, N>> = true;

/// A number without derivatives in the directions of dual D: what D's own scalar can hold.
template <class K, class D>
concept constant_of = !std::same_as<K, D> && std::convertible_to<K, typename D::scalar_type>;

/// v + d[0] eps_0 + ... + d[N-1] eps_(N-1).
template <class S, std::size_t N>
struct dual {
    using scalar_type = S;
    static constexpr std::size_t lanes = N;

    S v;     ///< value
    S d[N];  ///< derivatives

    constexpr dual() noexcept : v{}, d{} {}
    /// A constant: every derivative is zero.
    template <class T>
        requires(std::convertible_to<T, S> && !std::same_as<T, dual>)
    constexpr dual(T const& value) noexcept : v(static_cast<S>(value)), d{} {}
    /// The variable that lane i differentiates by.
    [[nodiscard]] static constexpr dual variable(S const& value, std::size_t i) noexcept {
        dual r(value);
        r.d[i] = S(1);
        return r;
    }

    constexpr dual& operator+=(dual const& b) noexcept { return *this = *this + b; }
    constexpr dual& operator-=(dual const& b) noexcept { return *this = *this - b; }
    constexpr dual& operator*=(dual const& b) noexcept { return *this = *this * b; }
    constexpr dual& operator/=(dual const& b) noexcept { return *this = *this / b; }

    [[nodiscard]] friend constexpr dual operator+(dual const& a) noexcept { return a; }
    [[nodiscard]] friend constexpr dual operator-(dual const& a) noexcept {
        dual r(unset{});
        r.v = -a.v;
        each_lane([&](auto i) { r.d[i] = -a.d[i]; });
        return r;
    }
    [[nodiscard]] friend constexpr dual operator+(dual const& a, dual const& b) noexcept {
        dual r(unset{});
        r.v = a.v + b.v;
        each_lane([&](auto i) { r.d[i] = a.d[i] + b.d[i]; });
        return r;
    }
    [[nodiscard]] friend constexpr dual operator-(dual const& a, dual const& b) noexcept {
        dual r(unset{});
        r.v = a.v - b.v;
        each_lane([&](auto i) { r.d[i] = a.d[i] - b.d[i]; });
        return r;
    }
    [[nodiscard]] friend constexpr dual operator*(dual const& a, dual const& b) noexcept {
        dual r(unset{});
        r.v = a.v * b.v;
        each_lane([&](auto i) { r.d[i] = a.d[i] * b.v + a.v * b.d[i]; });
        return r;
    }
    [[nodiscard]] friend constexpr dual operator/(dual const& a, dual const& b) noexcept {
        dual r(unset{});
        S const k = S(1) / b.v;
        r.v = a.v / b.v;
        each_lane([&](auto i) { r.d[i] = (a.d[i] - r.v * b.d[i]) * k; });
        return r;
    }
    // With a constant of any kind that S can hold: the derivatives need half the work.
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator+(dual const& a, K const& k) noexcept {
        dual r = a;
        r.v = a.v + static_cast<S>(k);
        return r;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator+(K const& k, dual const& a) noexcept {
        return a + k;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator-(dual const& a, K const& k) noexcept {
        dual r = a;
        r.v = a.v - static_cast<S>(k);
        return r;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator-(K const& k, dual const& a) noexcept {
        dual r = -a;
        r.v = static_cast<S>(k) - a.v;
        return r;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator*(dual const& a, K const& constant) noexcept {
        dual r(unset{});
        S const k = static_cast<S>(constant);
        r.v = a.v * k;
        each_lane([&](auto i) { r.d[i] = a.d[i] * k; });
        return r;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator*(K const& k, dual const& a) noexcept {
        return a * k;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator/(dual const& a, K const& constant) noexcept {
        dual r(unset{});
        S const k = static_cast<S>(constant);
        r.v = a.v / k;
        each_lane([&](auto i) { r.d[i] = a.d[i] / k; });
        return r;
    }

    // Comparisons look at the value alone.
    [[nodiscard]] friend constexpr auto operator<(dual const& a, dual const& b) noexcept { return a.v < b.v; }
    [[nodiscard]] friend constexpr auto operator>(dual const& a, dual const& b) noexcept { return b.v < a.v; }
    [[nodiscard]] friend constexpr auto operator<=(dual const& a, dual const& b) noexcept { return a.v <= b.v; }
    [[nodiscard]] friend constexpr auto operator>=(dual const& a, dual const& b) noexcept { return b.v <= a.v; }
    [[nodiscard]] friend constexpr auto operator==(dual const& a, dual const& b) noexcept { return a.v == b.v; }
    [[nodiscard]] friend constexpr auto operator!=(dual const& a, dual const& b) noexcept { return a.v != b.v; }

    template <class M>
    [[nodiscard]] friend constexpr dual select(M const& mask, dual const& a, dual const& b) noexcept {
        dual r(unset{});
        r.v = select(mask, a.v, b.v);
        each_lane([&](auto i) { r.d[i] = select(mask, a.d[i], b.d[i]); });
        return r;
    }
    [[nodiscard]] friend constexpr dual min(dual const& a, dual const& b) noexcept { return select(b.v < a.v, b, a); }
    [[nodiscard]] friend constexpr dual max(dual const& a, dual const& b) noexcept { return select(a.v < b.v, b, a); }
    [[nodiscard]] friend constexpr dual abs(dual const& a) noexcept { return select(a.v < S(0), -a, a); }
    [[nodiscard]] friend constexpr auto value(dual const& a) noexcept { return value(a.v); }
    [[nodiscard]] friend constexpr auto isfinite(dual const& a) noexcept {
        auto r = isfinite(a.v);
        for (std::size_t i = 0; i < N; ++i) r = r & isfinite(a.d[i]);
        return r;
    }

    /// f(a), given f and f' at the value: the chain rule.
    [[nodiscard]] static constexpr dual chain(dual const& a, S const& f, S const& df) noexcept {
        dual r(unset{});
        r.v = f;
        each_lane([&](auto i) { r.d[i] = df * a.d[i]; });
        return r;
    }

    [[nodiscard]] friend constexpr dual sqrt(dual const& a) noexcept {
        auto const zero = a.v == S(0);
        S const r = sqrt(a.v);
        S const safe = select(zero, S(1), r);
        return chain(a, r, select(zero, S(0), (S(1) / S(2)) / safe));
    }
    [[nodiscard]] friend constexpr dual sin(dual const& a) noexcept { return chain(a, sin(a.v), cos(a.v)); }
    [[nodiscard]] friend constexpr dual cos(dual const& a) noexcept { return chain(a, cos(a.v), -sin(a.v)); }
    [[nodiscard]] friend constexpr dual tan(dual const& a) noexcept {
        S const t = tan(a.v);
        return chain(a, t, S(1) + t * t);
    }
    [[nodiscard]] friend constexpr dual atan(dual const& a) noexcept {
        return chain(a, atan(a.v), S(1) / (S(1) + a.v * a.v));
    }
    [[nodiscard]] friend constexpr dual atan2(dual const& y, dual const& x) noexcept {
        S const n = x.v * x.v + y.v * y.v;
        auto const zero = n == S(0);
        S const k = select(zero, S(0), S(1) / select(zero, S(1), n));
        S const ky = x.v * k;
        S const kx = y.v * k;
        dual r(unset{});
        r.v = atan2(y.v, x.v);
        each_lane([&](auto i) { r.d[i] = ky * y.d[i] - kx * x.d[i]; });
        return r;
    }
    [[nodiscard]] friend constexpr dual asin(dual const& a) noexcept { return chain(a, asin(a.v), inverse_cosine_of_asin(a.v)); }
    [[nodiscard]] friend constexpr dual acos(dual const& a) noexcept { return chain(a, acos(a.v), -inverse_cosine_of_asin(a.v)); }
    [[nodiscard]] friend constexpr dual exp(dual const& a) noexcept {
        S const f = exp(a.v);
        return chain(a, f, f);
    }
    [[nodiscard]] friend constexpr dual log(dual const& a) noexcept { return chain(a, log(a.v), S(1) / a.v); }
    [[nodiscard]] friend constexpr dual floor(dual const& a) noexcept { return dual(floor(a.v)); }

private:
    // A result whose every entry is about to be written: writing zeros first is a third of the time of an addition.
    struct unset {};
    constexpr explicit dual(unset) noexcept {}

    // f(i) for every lane i, written out: at -O2 g++ keeps a loop, and with it the lanes in memory, where written out it
    // sees through the zeros of a seed. The outer lanes of nested duals stay a loop, for the sake of the compile time.
    template <class F>
    static constexpr void each_lane(F&& f) noexcept {
        if constexpr (is_dual_v<S>)
            for (std::size_t i = 0; i < N; ++i) f(i);
        else
            [&]<std::size_t... I>(std::index_sequence<I...>) { (f(I), ...); }(std::make_index_sequence<N>{});
    }

    // 1 / sqrt(1 - x^2), 0 at the ends.
    [[nodiscard]] static constexpr S inverse_cosine_of_asin(S const& x) noexcept {
        S const c2 = (S(1) - x) * (S(1) + x);
        auto const end = c2 <= S(0);
        return select(end, S(0), S(1) / sqrt(select(end, S(1), c2)));
    }
};

template <class S, std::size_t N>
struct scalar_traits<dual<S, N>> {
    using value_type = value_type_t<S>;
    static constexpr value_type epsilon = scalar_traits<S>::epsilon;
    static constexpr value_type max = scalar_traits<S>::max;
    static constexpr value_type infinity = scalar_traits<S>::infinity;
};

static_assert(scalar<dual<double, 6>> && scalar<dual<dual<float, 2>, 3>>);

}  // namespace sinew::inline v0

// ---- sinew/math/vec.hpp
// Column vectors of compile-time size over any scalar.

namespace sinew::inline v0 {

/// N numbers in a row; an aggregate: vec3<double>{1, 2, 3}.
template <class S, std::size_t N>
    requires scalar<S>
struct vec {
    using scalar_type = S;
    S e[N];

    [[nodiscard]] static constexpr std::size_t size() noexcept { return N; }
    [[nodiscard]] constexpr S& operator[](std::size_t i) noexcept { return e[i]; }
    [[nodiscard]] constexpr S const& operator[](std::size_t i) const noexcept { return e[i]; }

    [[nodiscard]] constexpr S& x() noexcept { return e[0]; }
    [[nodiscard]] constexpr S const& x() const noexcept { return e[0]; }
    [[nodiscard]] constexpr S& y() noexcept
        requires(N > 1)
    {
        return e[1];
    }
    [[nodiscard]] constexpr S const& y() const noexcept
        requires(N > 1)
    {
        return e[1];
    }
    [[nodiscard]] constexpr S& z() noexcept
        requires(N > 2)
    {
        return e[2];
    }
    [[nodiscard]] constexpr S const& z() const noexcept
        requires(N > 2)
    {
        return e[2];
    }

    constexpr vec& operator+=(vec const& b) noexcept {
        return *this = *this + b;
    }
    constexpr vec& operator-=(vec const& b) noexcept {
        return *this = *this - b;
    }
    constexpr vec& operator*=(S const& k) noexcept {
        return *this = *this * k;
    }
    [[nodiscard]] friend constexpr bool operator==(vec const&, vec const&) = default;
};

template <class S, class... More>
vec(S, More...) -> vec<S, 1 + sizeof...(More)>;

template <class S>
using vec3 = vec<S, 3>;

/// The scalar that holds both an A and a B: a dual number absorbs the plain one.
template <class A, class B>
using common_scalar_t = std::remove_cvref_t<decltype(std::declval<A const&>() * std::declval<B const&>())>;

// Three is written out here and below: at -O2 g++ keeps the loops, and these are the innermost ones of everything.
template <class A, class B, std::size_t N>
[[nodiscard]] constexpr auto operator+(vec<A, N> const& a, vec<B, N> const& b) noexcept {
    using V = vec<common_scalar_t<A, B>, N>;
    if constexpr (N == 3) {
        return V{a.e[0] + b.e[0], a.e[1] + b.e[1], a.e[2] + b.e[2]};
    } else {
        V r;
        for (std::size_t i = 0; i < N; ++i) r.e[i] = a.e[i] + b.e[i];
        return r;
    }
}
template <class A, class B, std::size_t N>
[[nodiscard]] constexpr auto operator-(vec<A, N> const& a, vec<B, N> const& b) noexcept {
    using V = vec<common_scalar_t<A, B>, N>;
    if constexpr (N == 3) {
        return V{a.e[0] - b.e[0], a.e[1] - b.e[1], a.e[2] - b.e[2]};
    } else {
        V r;
        for (std::size_t i = 0; i < N; ++i) r.e[i] = a.e[i] - b.e[i];
        return r;
    }
}
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> operator-(vec<S, N> const& a) noexcept {
    vec<S, N> r;
    for (std::size_t i = 0; i < N; ++i) r.e[i] = -a.e[i];
    return r;
}

// A vector times a scalar: the scalar may be the vector's own, a number that converts to it, or one that absorbs it.
template <class S, class K>
concept scales = scalar<K> && requires(S const& s, K const& k) { requires scalar<common_scalar_t<S, K>>; };

template <class S, std::size_t N, class K>
    requires scales<S, K>
[[nodiscard]] constexpr auto operator*(vec<S, N> const& a, K const& k) noexcept {
    using V = vec<common_scalar_t<S, K>, N>;
    if constexpr (N == 3) {
        return V{a.e[0] * k, a.e[1] * k, a.e[2] * k};
    } else {
        V r;
        for (std::size_t i = 0; i < N; ++i) r.e[i] = a.e[i] * k;
        return r;
    }
}
template <class S, std::size_t N, class K>
    requires scales<S, K>
[[nodiscard]] constexpr auto operator*(K const& k, vec<S, N> const& a) noexcept {
    return a * k;
}
template <class S, std::size_t N, class K>
    requires scales<S, K>
[[nodiscard]] constexpr auto operator/(vec<S, N> const& a, K const& k) noexcept {
    using V = vec<common_scalar_t<S, K>, N>;
    if constexpr (N == 3) {
        return V{a.e[0] / k, a.e[1] / k, a.e[2] / k};
    } else {
        V r;
        for (std::size_t i = 0; i < N; ++i) r.e[i] = a.e[i] / k;
        return r;
    }
}
// An integer literal as factor: 2 * v.
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> operator*(vec<S, N> const& a, int k) noexcept {
    return a * S(value_type_t<S>(k));
}
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> operator*(int k, vec<S, N> const& a) noexcept {
    return a * k;
}
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> operator/(vec<S, N> const& a, int k) noexcept {
    return a / S(value_type_t<S>(k));
}

/// Sum of products.
template <class A, class B, std::size_t N>
[[nodiscard]] constexpr auto dot(vec<A, N> const& a, vec<B, N> const& b) noexcept {
    if constexpr (N == 3) {
        return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2];
    } else {
        common_scalar_t<A, B> r = a.e[0] * b.e[0];
        for (std::size_t i = 1; i < N; ++i) r = r + a.e[i] * b.e[i];
        return r;
    }
}

/// Vector product, right-handed.
template <class A, class B>
[[nodiscard]] constexpr auto cross(vec<A, 3> const& a, vec<B, 3> const& b) noexcept {
    return vec<common_scalar_t<A, B>, 3>{a.e[1] * b.e[2] - a.e[2] * b.e[1],
                                         a.e[2] * b.e[0] - a.e[0] * b.e[2],
                                         a.e[0] * b.e[1] - a.e[1] * b.e[0]};
}

template <class S, std::size_t N>
[[nodiscard]] constexpr S squared_norm(vec<S, N> const& a) noexcept {
    return dot(a, a);
}

/// Euclidean length.
template <class S, std::size_t N>
[[nodiscard]] constexpr S norm(vec<S, N> const& a) noexcept {
    return sqrt(dot(a, a));
}

/// a / |a|; the zero vector stays zero, so that a constraint at its degenerate pose stays finite.
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> normalize(vec<S, N> const& a) noexcept {
    S const n2 = dot(a, a);
    auto const zero = n2 == S(0);
    S const k = S(1) / sqrt(select(zero, S(1), n2));
    return a * k;
}

/// Two unit vectors that, with the unit vector n, make a right-handed frame (u, v, n). Duff et al. 2017, without a branch.
template <class S>
struct basis {
    vec<S, 3> u, v;
};
template <class S>
[[nodiscard]] constexpr basis<S> orthonormal_basis(vec<S, 3> const& n) noexcept {
    S const sign = select(n.z() < S(0), S(-1), S(1));
    S const a = S(-1) / (sign + n.z());
    S const b = n.x() * n.y() * a;
    return {{S(1) + sign * n.x() * n.x() * a, sign * b, -sign * n.x()}, {b, sign + n.y() * n.y() * a, -n.y()}};
}

/// The vector converted to another scalar.
template <class T, class S, std::size_t N>
[[nodiscard]] constexpr vec<T, N> cast(vec<S, N> const& a) noexcept {
    vec<T, N> r;
    for (std::size_t i = 0; i < N; ++i) r.e[i] = static_cast<T>(a.e[i]);
    return r;
}

template <class S, std::size_t N>
[[nodiscard]] constexpr auto isfinite(vec<S, N> const& a) noexcept {
    auto r = isfinite(a.e[0]);
    for (std::size_t i = 1; i < N; ++i) r = r & isfinite(a.e[i]);
    return r;
}

template <class M, class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> select(M const& mask, vec<S, N> const& a, vec<S, N> const& b) noexcept {
    vec<S, N> r;
    for (std::size_t i = 0; i < N; ++i) r.e[i] = select(mask, a.e[i], b.e[i]);
    return r;
}

}  // namespace sinew::inline v0

// ---- sinew/math/mat.hpp
// Matrices of compile-time size, row by row, over any scalar; and the symmetric 3x3 that inertia is made of.

namespace sinew::inline v0 {

/// R rows, C columns, stored row by row. m(i, j).
template <class S, std::size_t R, std::size_t C>
    requires scalar<S>
struct mat {
    using scalar_type = S;
    S e[R * C];

    [[nodiscard]] static constexpr std::size_t rows() noexcept { return R; }
    [[nodiscard]] static constexpr std::size_t cols() noexcept { return C; }
    [[nodiscard]] constexpr S& operator()(std::size_t i, std::size_t j) noexcept { return e[i * C + j]; }
    [[nodiscard]] constexpr S const& operator()(std::size_t i, std::size_t j) const noexcept { return e[i * C + j]; }
    [[nodiscard]] constexpr vec<S, C> row(std::size_t i) const noexcept {
        vec<S, C> r;
        for (std::size_t j = 0; j < C; ++j) r.e[j] = e[i * C + j];
        return r;
    }
    [[nodiscard]] constexpr vec<S, R> col(std::size_t j) const noexcept {
        vec<S, R> r;
        for (std::size_t i = 0; i < R; ++i) r.e[i] = e[i * C + j];
        return r;
    }
    constexpr mat& operator+=(mat const& b) noexcept {
        for (std::size_t i = 0; i < R * C; ++i) e[i] = e[i] + b.e[i];
        return *this;
    }
    constexpr mat& operator-=(mat const& b) noexcept {
        for (std::size_t i = 0; i < R * C; ++i) e[i] = e[i] - b.e[i];
        return *this;
    }
    [[nodiscard]] friend constexpr bool operator==(mat const&, mat const&) = default;
};

template <class S>
using mat3 = mat<S, 3, 3>;

template <class S, std::size_t N>
[[nodiscard]] constexpr mat<S, N, N> identity() noexcept {
    mat<S, N, N> r{};
    for (std::size_t i = 0; i < N; ++i) r(i, i) = S(1);
    return r;
}

template <class A, class B, std::size_t R, std::size_t C>
[[nodiscard]] constexpr auto operator+(mat<A, R, C> const& a, mat<B, R, C> const& b) noexcept {
    mat<common_scalar_t<A, B>, R, C> r;
    for (std::size_t i = 0; i < R * C; ++i) r.e[i] = a.e[i] + b.e[i];
    return r;
}
template <class A, class B, std::size_t R, std::size_t C>
[[nodiscard]] constexpr auto operator-(mat<A, R, C> const& a, mat<B, R, C> const& b) noexcept {
    mat<common_scalar_t<A, B>, R, C> r;
    for (std::size_t i = 0; i < R * C; ++i) r.e[i] = a.e[i] - b.e[i];
    return r;
}
template <class S, std::size_t R, std::size_t C>
[[nodiscard]] constexpr mat<S, R, C> operator-(mat<S, R, C> const& a) noexcept {
    mat<S, R, C> r;
    for (std::size_t i = 0; i < R * C; ++i) r.e[i] = -a.e[i];
    return r;
}
template <class S, std::size_t R, std::size_t C, class K>
    requires scales<S, K>
[[nodiscard]] constexpr auto operator*(mat<S, R, C> const& a, K const& k) noexcept {
    mat<common_scalar_t<S, K>, R, C> r;
    for (std::size_t i = 0; i < R * C; ++i) r.e[i] = a.e[i] * k;
    return r;
}
template <class S, std::size_t R, std::size_t C, class K>
    requires scales<S, K>
[[nodiscard]] constexpr auto operator*(K const& k, mat<S, R, C> const& a) noexcept {
    return a * k;
}
template <class A, class B, std::size_t R, std::size_t K, std::size_t C>
[[nodiscard]] constexpr auto operator*(mat<A, R, K> const& a, mat<B, K, C> const& b) noexcept {
    mat<common_scalar_t<A, B>, R, C> r;
    for (std::size_t i = 0; i < R; ++i)
        for (std::size_t j = 0; j < C; ++j) {
            common_scalar_t<A, B> s = a(i, 0) * b(0, j);
            for (std::size_t k = 1; k < K; ++k) s = s + a(i, k) * b(k, j);
            r(i, j) = s;
        }
    return r;
}
template <class A, class B, std::size_t R, std::size_t C>
[[nodiscard]] constexpr auto operator*(mat<A, R, C> const& a, vec<B, C> const& b) noexcept {
    vec<common_scalar_t<A, B>, R> r;
    for (std::size_t i = 0; i < R; ++i) {
        common_scalar_t<A, B> s = a(i, 0) * b.e[0];
        for (std::size_t k = 1; k < C; ++k) s = s + a(i, k) * b.e[k];
        r.e[i] = s;
    }
    return r;
}

template <class S, std::size_t R, std::size_t C>
[[nodiscard]] constexpr mat<S, C, R> transpose(mat<S, R, C> const& a) noexcept {
    mat<S, C, R> r;
    for (std::size_t i = 0; i < R; ++i)
        for (std::size_t j = 0; j < C; ++j) r(j, i) = a(i, j);
    return r;
}

/// A^T b without forming the transpose.
template <class A, class B, std::size_t R, std::size_t C>
[[nodiscard]] constexpr auto transpose_times(mat<A, R, C> const& a, vec<B, R> const& b) noexcept {
    vec<common_scalar_t<A, B>, C> r;
    for (std::size_t j = 0; j < C; ++j) {
        common_scalar_t<A, B> s = a(0, j) * b.e[0];
        for (std::size_t i = 1; i < R; ++i) s = s + a(i, j) * b.e[i];
        r.e[j] = s;
    }
    return r;
}

/// a b^T.
template <class A, class B, std::size_t R, std::size_t C>
[[nodiscard]] constexpr auto outer(vec<A, R> const& a, vec<B, C> const& b) noexcept {
    mat<common_scalar_t<A, B>, R, C> r;
    for (std::size_t i = 0; i < R; ++i)
        for (std::size_t j = 0; j < C; ++j) r(i, j) = a.e[i] * b.e[j];
    return r;
}

/// [v]x, so that [v]x w = v x w (Waterson 2026, eq. 2.9).
template <class S>
[[nodiscard]] constexpr mat3<S> skew(vec3<S> const& v) noexcept {
    return {S(0), -v.z(), v.y(), v.z(), S(0), -v.x(), -v.y(), v.x(), S(0)};
}

template <class S>
[[nodiscard]] constexpr S determinant(mat3<S> const& m) noexcept {
    return m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) - m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0)) +
           m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0));
}

/// x with A x = b, by Cramer's rule. A singular matrix yields non-finite numbers.
template <class S>
[[nodiscard]] constexpr vec3<S> solve(mat<S, 3, 3> const& A, vec3<S> const& b) noexcept {
    vec3<S> const x = A.col(0), y = A.col(1), z = A.col(2), yz = cross(y, z), bx = cross(b, x);
    return vec3<S>{dot(b, yz), -dot(z, bx), dot(y, bx)} / dot(x, yz);
}

/// Inverse by cofactors. A singular matrix yields non-finite numbers.
template <class S>
[[nodiscard]] constexpr mat3<S> inverse(mat3<S> const& m) noexcept {
    S const k = S(1) / determinant(m);
    return {(m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) * k, (m(0, 2) * m(2, 1) - m(0, 1) * m(2, 2)) * k,
            (m(0, 1) * m(1, 2) - m(0, 2) * m(1, 1)) * k, (m(1, 2) * m(2, 0) - m(1, 0) * m(2, 2)) * k,
            (m(0, 0) * m(2, 2) - m(0, 2) * m(2, 0)) * k, (m(0, 2) * m(1, 0) - m(0, 0) * m(1, 2)) * k,
            (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0)) * k, (m(0, 1) * m(2, 0) - m(0, 0) * m(2, 1)) * k,
            (m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0)) * k};
}

template <class S>
[[nodiscard]] constexpr S trace(mat3<S> const& m) noexcept {
    return m(0, 0) + m(1, 1) + m(2, 2);
}

/// A symmetric 3x3 matrix in six numbers.
template <class S>
    requires scalar<S>
struct sym3 {
    S xx, yy, zz, xy, xz, yz;

    [[nodiscard]] constexpr S operator()(std::size_t i, std::size_t j) const noexcept {
        if (i == j) return i == 0 ? xx : i == 1 ? yy : zz;
        return i + j == 1 ? xy : i + j == 2 ? xz : yz;
    }
    [[nodiscard]] friend constexpr bool operator==(sym3 const&, sym3 const&) = default;
    [[nodiscard]] friend constexpr sym3 operator+(sym3 const& a, sym3 const& b) noexcept {
        return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
    }
    [[nodiscard]] friend constexpr sym3 operator-(sym3 const& a, sym3 const& b) noexcept {
        return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
    }
    [[nodiscard]] friend constexpr sym3 operator*(S const& k, sym3 const& a) noexcept {
        return {k * a.xx, k * a.yy, k * a.zz, k * a.xy, k * a.xz, k * a.yz};
    }
};

template <class S>
[[nodiscard]] constexpr sym3<S> diagonal(S const& xx, S const& yy, S const& zz) noexcept {
    return {xx, yy, zz, S(0), S(0), S(0)};
}

template <class A, class B>
[[nodiscard]] constexpr auto operator*(sym3<A> const& m, vec3<B> const& v) noexcept {
    return vec3<common_scalar_t<A, B>>{m.xx * v.x() + m.xy * v.y() + m.xz * v.z(),
                                       m.xy * v.x() + m.yy * v.y() + m.yz * v.z(),
                                       m.xz * v.x() + m.yz * v.y() + m.zz * v.z()};
}

template <class S>
[[nodiscard]] constexpr mat3<S> to_mat(sym3<S> const& m) noexcept {
    return {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz};
}
/// The symmetric part of m.
template <class S>
[[nodiscard]] constexpr sym3<S> to_sym(mat3<S> const& m) noexcept {
    S const half = S(1) / S(2);
    return {m(0, 0), m(1, 1), m(2, 2), half * (m(0, 1) + m(1, 0)), half * (m(0, 2) + m(2, 0)), half * (m(1, 2) + m(2, 1))};
}

template <class S>
[[nodiscard]] constexpr S determinant(sym3<S> const& m) noexcept {
    return m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) + m.xz * (m.xy * m.yz - m.yy * m.xz);
}

/// Inverse by cofactors; a singular matrix yields zero, the inverse mass of what cannot be moved.
template <class S>
[[nodiscard]] constexpr sym3<S> inverse(sym3<S> const& a) noexcept {
    // Scaled where the determinant, a product of three, would leave the range of a float; elsewhere scaling only costs digits.
    S const largest = max(max(abs(a.xx), abs(a.yy)), abs(a.zz));
    auto const ordinary = largest == clamp(largest, S(value_type_t<S>(1e-6)), S(value_type_t<S>(1e6)));
    S const scale = select(ordinary, S(1), S(1) / select(largest == S(0), S(1), largest));
    sym3<S> const m = scale * a;
    S const cxx = m.yy * m.zz - m.yz * m.yz;
    S const cxy = m.xz * m.yz - m.xy * m.zz;
    S const cxz = m.xy * m.yz - m.xz * m.yy;
    S const det = m.xx * cxx + m.xy * cxy + m.xz * cxz;
    auto const singular = det == S(0);
    S const k = select(singular, S(0), scale / select(singular, S(1), det));
    return {cxx * k, (m.xx * m.zz - m.xz * m.xz) * k, (m.xx * m.yy - m.xy * m.xy) * k,
            cxy * k, cxz * k,                         (m.xy * m.xz - m.xx * m.yz) * k};
}

/// Q D Q^T for a matrix Q and a symmetric D: a tensor seen from another frame (Waterson 2026, eq. 3.19).
template <class S>
[[nodiscard]] constexpr sym3<S> congruence(mat3<S> const& q, sym3<S> const& d) noexcept {
    // t = Q D, then the six entries of t Q^T that differ.
    mat3<S> t;
    for (std::size_t i = 0; i < 3; ++i) {
        t(i, 0) = q(i, 0) * d.xx + q(i, 1) * d.xy + q(i, 2) * d.xz;
        t(i, 1) = q(i, 0) * d.xy + q(i, 1) * d.yy + q(i, 2) * d.yz;
        t(i, 2) = q(i, 0) * d.xz + q(i, 1) * d.yz + q(i, 2) * d.zz;
    }
    auto const entry = [&](std::size_t i, std::size_t j) {
        return t(i, 0) * q(j, 0) + t(i, 1) * q(j, 1) + t(i, 2) * q(j, 2);
    };
    return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

}  // namespace sinew::inline v0

// ---- sinew/rotation/so3.hpp
// The group SO(3) and its algebra: Rodrigues' coefficients, the left Jacobian and its inverse.
//
//   R(theta) = exp([theta]x) = 1 + a [theta]x + b [theta]x^2,   a = sin t / t, b = (1 - cos t) / t^2, t = |theta|   (Waterson 2026, eq. 2.22)
//   J_L      = 1 + b [theta]x + c [theta]x^2,                   c = (t - sin t) / t^3                             (eq. 2.27)
//   J_L^-1   = 1 - [theta]x / 2 + d [theta]x^2,                 d = (1 - (t/2) cot(t/2)) / t^2
//
// All four coefficients are even in t, so they are functions of t^2. Near 0 the quotients lose digits and their
// derivatives do not exist through sqrt; there the power series in t^2 is used, which also differentiates correctly.

namespace sinew::inline v0 {

namespace detail {

// Horner's rule over long double constants, for any scalar.
template <class S, std::size_t N>
[[nodiscard]] constexpr S polynomial(long double const (&k)[N], S const& x) noexcept {
    using V = value_type_t<S>;
    S r = S(static_cast<V>(k[N - 1]));
    for (std::size_t i = N - 1; i-- > 0;) r = r * x + S(static_cast<V>(k[i]));
    return r;
}

// The series below are used up to t^2 = 1: the first term left out is then below 2^-64 of the sum.
template <class S>
[[nodiscard]] constexpr auto small_angle(S const& t2) noexcept {
    return t2 < S(1);
}

// (-1)^k / (2k + shift)!
template <std::size_t Shift>
struct factorial_series {
    static constexpr std::size_t terms = 10;
    long double k[terms];
    constexpr factorial_series() : k{} {
        long double f = 1;
        for (std::size_t i = 2; i <= Shift; ++i) f *= static_cast<long double>(i);
        for (std::size_t i = 0; i < terms; ++i) {
            k[i] = (i % 2 == 0 ? 1.0L : -1.0L) / f;
            f *= static_cast<long double>((2 * i + Shift + 1) * (2 * i + Shift + 2));
        }
    }
};
template <std::size_t Shift>
inline constexpr factorial_series<Shift> factorial_series_v{};

// 2 zeta(2k) / (2 pi)^2k, k = 1..: the expansion of d, from t/2 cot(t/2) = 1 - sum 2 zeta(2k) (t / 2 pi)^2k.
struct cotangent_series {
    static constexpr std::size_t terms = 14;
    long double k[terms];
    constexpr cotangent_series() : k{} {
        constexpr long double zeta[terms] = {
            1.644934066848226436472415166646025189L, 1.082323233711138191516003696541167902L,
            1.017343061984449139714517929790920528L, 1.004077356197944339378685238508652465L,
            1.000994575127818085337145958900319017L, 1.000246086553308048298637998047739670L,
            1.000061248135058704829258545105135333L, 1.000015282259408651871732571487636722L,
            1.000003817293264999839856461644621939L, 1.000000953962033872796113152038683449L,
            1.000000238450502727732990003648186752L, 1.000000059608189051259479612440207935L,
            1.000000014901554828365041234658506630L, 1.000000003725334024788457054819204018L};
        constexpr long double two_pi = 6.283185307179586476925286766559005768L;
        long double p = two_pi * two_pi;
        for (std::size_t i = 0; i < terms; ++i) {
            k[i] = 2 * zeta[i] / p;
            p *= two_pi * two_pi;
        }
    }
};
inline constexpr cotangent_series cotangent_series_v{};

}  // namespace detail

/// sin t / t as a function of t^2.
template <class S>
[[nodiscard]] constexpr S sinc_of_square(S const& t2) noexcept {
    return either(
        detail::small_angle(t2), [&] { return detail::polynomial(detail::factorial_series_v<1>.k, t2); },
        [&] {
            S const t = sqrt(select(detail::small_angle(t2), S(1), t2));
            return sin(t) / t;
        });
}

/// (1 - cos t) / t^2 as a function of t^2.
template <class S>
[[nodiscard]] constexpr S versine_of_square(S const& t2) noexcept {
    return either(
        detail::small_angle(t2), [&] { return detail::polynomial(detail::factorial_series_v<2>.k, t2); },
        [&] {
            S const safe = select(detail::small_angle(t2), S(1), t2);
            S const s = sin(sqrt(safe) / S(2));
            return S(2) * s * s / safe;
        });
}

/// (t - sin t) / t^3 as a function of t^2.
template <class S>
[[nodiscard]] constexpr S sine_defect_of_square(S const& t2) noexcept {
    return either(
        detail::small_angle(t2), [&] { return detail::polynomial(detail::factorial_series_v<3>.k, t2); },
        [&] {
            S const safe = select(detail::small_angle(t2), S(1), t2);
            S const t = sqrt(safe);
            return (t - sin(t)) / (safe * t);
        });
}

/// (1 - (t/2) cot(t/2)) / t^2 as a function of t^2; finite up to t < 2 pi, and 1 / pi^2 at t = pi.
template <class S>
[[nodiscard]] constexpr S cotangent_defect_of_square(S const& t2) noexcept {
    return either(
        detail::small_angle(t2), [&] { return detail::polynomial(detail::cotangent_series_v.k, t2); },
        [&] {
            S const safe = select(detail::small_angle(t2), S(1), t2);
            S const half = sqrt(safe) / S(2);
            return (S(1) - half * cos(half) / sin(half)) / safe;
        });
}

/// exp([theta]x): the rotation matrix of a rotation vector (rad). Rodrigues' formula.
template <class S>
[[nodiscard]] constexpr mat3<S> so3_exp(vec3<S> const& theta) noexcept {
    S const t2 = squared_norm(theta);
    S const a = sinc_of_square(t2);
    S const b = versine_of_square(t2);
    // 1 + a [theta]x + b (theta theta^T - t^2 1)
    S const x = theta.x(), y = theta.y(), z = theta.z();
    return {S(1) - b * (y * y + z * z), b * x * y - a * z,          b * x * z + a * y,
            b * x * y + a * z,          S(1) - b * (x * x + z * z), b * y * z - a * x,
            b * x * z - a * y,          b * y * z + a * x,          S(1) - b * (x * x + y * y)};
}

/// J_L(theta): maps the rate of the rotation vector to the world angular velocity, omega = J_L theta_dot (eq. 2.34).
template <class S>
[[nodiscard]] constexpr mat3<S> left_jacobian(vec3<S> const& theta) noexcept {
    S const t2 = squared_norm(theta);
    mat3<S> const k = skew(theta);
    return identity<S, 3>() + versine_of_square(t2) * k + sine_defect_of_square(t2) * (k * k);
}

/// J_L(theta)^-1: maps the world angular velocity to the rate of the rotation vector. Singular at |theta| = 2 pi.
template <class S>
[[nodiscard]] constexpr mat3<S> left_jacobian_inverse(vec3<S> const& theta) noexcept {
    S const t2 = squared_norm(theta);
    mat3<S> const k = skew(theta);
    return identity<S, 3>() - (S(1) / S(2)) * k + cotangent_defect_of_square(t2) * (k * k);
}

}  // namespace sinew::inline v0

// ---- sinew/rotation/quaternion.hpp
// Unit quaternion (w, x, y, z), Hamilton's convention, body to world: the default representation of a rotation.
//
//   R v = q v q*,   q = (cos(t/2), n sin(t/2)) for an angle t about the unit axis n   (Waterson 2026, 2.2)
//   q_dot = 1/2 (0, omega) q for the world angular velocity omega

namespace sinew::inline v0 {

template <class S>
    requires scalar<S>
struct quaternion {
    using scalar_type = S;
    template <class T>
    using rebind = quaternion<T>;
    /// How many numbers it is stored in, as a state of an ODE.
    static constexpr std::size_t dimension = 4;

    S w{1}, x{0}, y{0}, z{0};

    /// The rotation that does nothing.
    [[nodiscard]] static constexpr quaternion identity() noexcept { return {S(1), S(0), S(0), S(0)}; }
    [[nodiscard]] constexpr vec3<S> vector() const noexcept { return {x, y, z}; }

    [[nodiscard]] constexpr S coordinate(std::size_t i) const noexcept { return i == 0 ? w : i == 1 ? x : i == 2 ? y : z; }
    constexpr void set_coordinate(std::size_t i, S const& value) noexcept { (i == 0 ? w : i == 1 ? x : i == 2 ? y : z) = value; }

    [[nodiscard]] friend constexpr bool operator==(quaternion const&, quaternion const&) = default;
    /// Hamilton product: first b, then a.
    [[nodiscard]] friend constexpr quaternion operator*(quaternion const& a, quaternion const& b) noexcept {
        return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    }
};

template <class S>
[[nodiscard]] constexpr quaternion<S> inverse(quaternion<S> const& q) noexcept {
    return {q.w, -q.x, -q.y, -q.z};
}

template <class S>
[[nodiscard]] constexpr S squared_norm(quaternion<S> const& q) noexcept {
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

/// Nearest unit quaternion. Dividing by the norm alone leaves a norm that is off to one side by up to an ulp; over
/// thousands of steps a spinning body would gain or lose momentum by it. The correction by (1 - |q|^2) / 2 is unbiased.
template <class S>
[[nodiscard]] constexpr quaternion<S> normalize(quaternion<S> const& q) noexcept {
    S const k = S(1) / sqrt(squared_norm(q));
    quaternion<S> const u{q.w * k, q.x * k, q.y * k, q.z * k};
    S const d = (S(1) - squared_norm(u)) * (S(1) / S(2));
    return {u.w + d * u.w, u.x + d * u.x, u.y + d * u.y, u.z + d * u.z};
}

/// R v. Costs 15 products: v + w t + u x t with t = 2 u x v.
template <class S, class T>
[[nodiscard]] constexpr auto rotate(quaternion<S> const& q, vec3<T> const& v) noexcept {
    auto const u = q.vector();
    auto const c = cross(u, v);
    auto const t = c + c;
    return v + q.w * t + cross(u, t);
}

/// R^T v.
template <class S, class T>
[[nodiscard]] constexpr auto inverse_rotate(quaternion<S> const& q, vec3<T> const& v) noexcept {
    return rotate(inverse(q), v);
}

template <class S>
[[nodiscard]] constexpr mat3<S> to_matrix(quaternion<S> const& q) noexcept {
    S const x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    S const xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    S const xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    S const wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return {S(1) - (yy + zz), xy - wz, xz + wy, xy + wz, S(1) - (xx + zz), yz - wx, xz - wy, yz + wx, S(1) - (xx + yy)};
}

template <class S>
[[nodiscard]] constexpr quaternion<S> to_quaternion(quaternion<S> const& q) noexcept {
    return q;
}

/// Quaternion of a rotation matrix, with w >= 0. The largest of the four candidates is divided by (Shepperd 1978).
template <class S>
[[nodiscard]] constexpr quaternion<S> quaternion_of(mat3<S> const& m) noexcept {
    S const d0 = m(0, 0), d1 = m(1, 1), d2 = m(2, 2);
    // Four times the squares of w, x, y, z.
    S const w4 = S(1) + d0 + d1 + d2, x4 = S(1) + d0 - d1 - d2, y4 = S(1) - d0 + d1 - d2, z4 = S(1) - d0 - d1 + d2;
    S const wx = m(2, 1) - m(1, 2), wy = m(0, 2) - m(2, 0), wz = m(1, 0) - m(0, 1);
    S const xy = m(1, 0) + m(0, 1), xz = m(0, 2) + m(2, 0), yz = m(2, 1) + m(1, 2);
    auto const x_wins = w4 < x4;
    S const best_wx = select(x_wins, x4, w4);
    auto const z_wins = y4 < z4;
    S const best_yz = select(z_wins, z4, y4);
    auto const second = best_wx < best_yz;
    auto const pick = [&](S const& if_w, S const& if_x, S const& if_y, S const& if_z) {
        return select(second, select(z_wins, if_z, if_y), select(x_wins, if_x, if_w));
    };
    quaternion<S> q{pick(w4, wx, wy, wz), pick(wx, x4, xy, xz), pick(wy, xy, y4, yz), pick(wz, xz, yz, z4)};
    S const sign = select(q.w < S(0), S(-1), S(1));
    q = {q.w * sign, q.x * sign, q.y * sign, q.z * sign};
    return normalize(q);
}

/// exp of a rotation vector (rad).
template <class S>
[[nodiscard]] constexpr quaternion<S> quaternion_exp(vec3<S> const& theta) noexcept {
    vec3<S> const half = theta * (S(1) / S(2));
    S const h2 = squared_norm(half);
    S const s = sinc_of_square(h2);
    S const c = either(
        detail::small_angle(h2), [&] { return S(1) - h2 * versine_of_square(h2); },
        [&] { return cos(sqrt(select(detail::small_angle(h2), S(1), h2))); });
    return {c, s * half.x(), s * half.y(), s * half.z()};
}

/// The rotation vector theta (rad) with |theta| <= pi. q and -q yield the same.
template <class S>
[[nodiscard]] constexpr vec3<S> log(quaternion<S> const& q) noexcept {
    S const sign = select(q.w < S(0), S(-1), S(1));
    S const w = q.w * sign;
    vec3<S> const u = q.vector() * sign;
    S const n2 = squared_norm(u);
    // 2 atan2(n, w) / n. Near 0: (2 / w) (1 - t/3 + t^2/5 - ...), t = (n / w)^2.
    auto const small = n2 < w * w * (S(1) / S(16));
    S const k = either(
        small,
        [&] {
            S const safe_w = select(small, w, S(1));
            S const t = n2 / (safe_w * safe_w);
            S r = S(1) / S(31);
            for (int i = 29; i > 0; i -= 2) r = S(1) / S(i) - t * r;
            return S(2) * r / safe_w;
        },
        [&] {
            S const n = sqrt(select(small, S(1), n2));
            return S(2) * atan2(n, w) / n;
        });
    return u * k;
}

/// exp([theta]x) R: turned by theta (rad, world frame).
template <class S>
[[nodiscard]] constexpr quaternion<S> turned(quaternion<S> const& q, vec3<S> const& theta) noexcept {
    return normalize(quaternion_exp(theta) * q);
}

/// The same for a small theta, without sine or cosine: the angle is 2 atan(|theta| / 2), right to third order.
template <class S>
[[nodiscard]] constexpr quaternion<S> nudged(quaternion<S> const& q, vec3<S> const& theta) noexcept {
    S const h = S(1) / S(2);
    S const x = h * theta.x(), y = h * theta.y(), z = h * theta.z();
    return normalize(quaternion<S>{q.w - (x * q.x + y * q.y + z * q.z), q.x + (x * q.w + y * q.z - z * q.y),
                                   q.y + (y * q.w + z * q.x - x * q.z), q.z + (z * q.w + x * q.y - y * q.x)});
}

/// d/dt of the coordinates under the world angular velocity omega (rad/s): 1/2 (0, omega) q.
template <class S, class T>
[[nodiscard]] constexpr auto coordinate_rate(quaternion<S> const& q, vec3<T> const& omega) noexcept {
    using U = common_scalar_t<S, T>;
    U const h = U(1) / U(2);
    return vec<U, 4>{-h * (omega.x() * q.x + omega.y() * q.y + omega.z() * q.z), h * (omega.x() * q.w + omega.y() * q.z - omega.z() * q.y),
                     h * (omega.y() * q.w + omega.z() * q.x - omega.x() * q.z), h * (omega.z() * q.w + omega.x() * q.y - omega.y() * q.x)};
}

/// Brings coordinates that drifted back onto the group.
template <class S>
[[nodiscard]] constexpr quaternion<S> projected(quaternion<S> const& q) noexcept {
    return normalize(q);
}

/// How far the coordinates are from a rotation: | |q|^2 - 1 |.
template <class S>
[[nodiscard]] constexpr S deviation(quaternion<S> const& q) noexcept {
    return abs(squared_norm(q) - S(1));
}

}  // namespace sinew::inline v0

// ---- sinew/rotation/rotation_matrix.hpp
// Rotation matrix, body to world, kept orthonormal.
//
//   R_dot = [omega]x R for the world angular velocity omega   (Waterson 2026, eq. 2.9)

namespace sinew::inline v0 {

template <class S>
    requires scalar<S>
struct rotation_matrix {
    using scalar_type = S;
    template <class T>
    using rebind = rotation_matrix<T>;
    static constexpr std::size_t dimension = 9;

    mat3<S> m{S(1), S(0), S(0), S(0), S(1), S(0), S(0), S(0), S(1)};

    [[nodiscard]] static constexpr rotation_matrix identity() noexcept { return {}; }
    [[nodiscard]] constexpr S coordinate(std::size_t i) const noexcept { return m.e[i]; }
    constexpr void set_coordinate(std::size_t i, S const& value) noexcept { m.e[i] = value; }

    [[nodiscard]] friend constexpr bool operator==(rotation_matrix const&, rotation_matrix const&) = default;
    /// First b, then a.
    [[nodiscard]] friend constexpr rotation_matrix operator*(rotation_matrix const& a, rotation_matrix const& b) noexcept {
        return {a.m * b.m};
    }
};

template <class S>
[[nodiscard]] constexpr rotation_matrix<S> inverse(rotation_matrix<S> const& r) noexcept {
    return {transpose(r.m)};
}
template <class S, class T>
[[nodiscard]] constexpr auto rotate(rotation_matrix<S> const& r, vec3<T> const& v) noexcept {
    return r.m * v;
}
template <class S, class T>
[[nodiscard]] constexpr auto inverse_rotate(rotation_matrix<S> const& r, vec3<T> const& v) noexcept {
    return transpose_times(r.m, v);
}
template <class S>
[[nodiscard]] constexpr mat3<S> to_matrix(rotation_matrix<S> const& r) noexcept {
    return r.m;
}
template <class S>
[[nodiscard]] constexpr quaternion<S> to_quaternion(rotation_matrix<S> const& r) noexcept {
    return quaternion_of(r.m);
}
template <class S>
[[nodiscard]] constexpr vec3<S> log(rotation_matrix<S> const& r) noexcept {
    return log(quaternion_of(r.m));
}

/// Gram-Schmidt with the error shared between the first two rows; the third is their cross product.
template <class S>
[[nodiscard]] constexpr rotation_matrix<S> projected(rotation_matrix<S> const& r) noexcept {
    vec3<S> const a = r.m.row(0), b = r.m.row(1);
    S const half_error = dot(a, b) * (S(1) / S(2));
    // A last correction by (1 - |v|^2) / 2: dividing by the norm alone leaves a length that is off to one side by an ulp,
    // which a body that turns for thousands of steps would gain or lose momentum by.
    auto const unit = [](vec3<S> const& v) {
        vec3<S> const n = normalize(v);
        return n + ((S(1) - squared_norm(n)) * (S(1) / S(2))) * n;
    };
    vec3<S> const x = unit(a - half_error * b);
    vec3<S> const y0 = b - half_error * a;
    vec3<S> const y = unit(y0 - dot(x, y0) * x);
    vec3<S> const z = cross(x, y);
    return {{x.x(), x.y(), x.z(), y.x(), y.y(), y.z(), z.x(), z.y(), z.z()}};
}

template <class S>
[[nodiscard]] constexpr rotation_matrix<S> turned(rotation_matrix<S> const& r, vec3<S> const& theta) noexcept {
    return projected(rotation_matrix<S>{so3_exp(theta) * r.m});
}

/// For a small theta: Cayley's map, the same rotation that nudging a quaternion makes.
template <class S>
[[nodiscard]] constexpr rotation_matrix<S> nudged(rotation_matrix<S> const& r, vec3<S> const& theta) noexcept {
    vec3<S> const h = theta * (S(1) / S(2));
    // cay = 1 + k [h]x + k [h]x^2 with k = 2 / (1 + |h|^2)
    S const k = S(2) / (S(1) + squared_norm(h));
    mat3<S> moved = r.m;
    for (std::size_t j = 0; j < 3; ++j) {
        vec3<S> const c = r.m.col(j);
        vec3<S> const hc = cross(h, c);
        vec3<S> const d = k * (hc + cross(h, hc));
        for (std::size_t i = 0; i < 3; ++i) moved(i, j) = moved(i, j) + d[i];
    }
    return projected(rotation_matrix<S>{moved});
}

/// [omega]x R, row by row.
template <class S, class T>
[[nodiscard]] constexpr auto coordinate_rate(rotation_matrix<S> const& r, vec3<T> const& omega) noexcept {
    using U = common_scalar_t<S, T>;
    vec<U, 9> rate;
    for (std::size_t j = 0; j < 3; ++j) {
        auto const c = cross(omega, r.m.col(j));
        for (std::size_t i = 0; i < 3; ++i) rate[3 * i + j] = c[i];
    }
    return rate;
}

/// Largest entry of | R^T R - 1 |, or of a reflection's determinant error.
template <class S>
[[nodiscard]] constexpr S deviation(rotation_matrix<S> const& r) noexcept {
    mat3<S> const e = transpose(r.m) * r.m - identity<S, 3>();
    S d = abs(determinant(r.m) - S(1));
    for (std::size_t i = 0; i < 9; ++i) d = max(d, abs(e.e[i]));
    return d;
}

}  // namespace sinew::inline v0

// ---- sinew/rotation/rotation_vector.hpp
// Rotation vector theta (axis times angle, rad), wrapped so that |theta| <= pi.
//
//   R = exp([theta]x),   theta_dot = J_L(theta)^-1 omega   (Waterson 2026, eq. 2.21 and 2.34)

namespace sinew::inline v0 {

template <class S>
    requires scalar<S>
struct rotation_vector {
    using scalar_type = S;
    template <class T>
    using rebind = rotation_vector<T>;
    static constexpr std::size_t dimension = 3;

    vec3<S> theta{S(0), S(0), S(0)};

    [[nodiscard]] static constexpr rotation_vector identity() noexcept { return {}; }
    [[nodiscard]] constexpr S coordinate(std::size_t i) const noexcept { return theta[i]; }
    constexpr void set_coordinate(std::size_t i, S const& value) noexcept { theta[i] = value; }

    [[nodiscard]] friend constexpr bool operator==(rotation_vector const&, rotation_vector const&) = default;
    /// First b, then a: composed as quaternions, since rotation vectors do not add (eq. 2.23).
    [[nodiscard]] friend constexpr rotation_vector operator*(rotation_vector const& a, rotation_vector const& b) noexcept {
        return {log(quaternion_exp(a.theta) * quaternion_exp(b.theta))};
    }
};

template <class S>
[[nodiscard]] constexpr rotation_vector<S> inverse(rotation_vector<S> const& r) noexcept {
    return {-r.theta};
}
/// Rodrigues: v + a theta x v + b theta x (theta x v).
template <class S, class T>
[[nodiscard]] constexpr auto rotate(rotation_vector<S> const& r, vec3<T> const& v) noexcept {
    S const t2 = squared_norm(r.theta);
    auto const c = cross(r.theta, v);
    return v + sinc_of_square(t2) * c + versine_of_square(t2) * cross(r.theta, c);
}
template <class S, class T>
[[nodiscard]] constexpr auto inverse_rotate(rotation_vector<S> const& r, vec3<T> const& v) noexcept {
    return rotate(inverse(r), v);
}
template <class S>
[[nodiscard]] constexpr mat3<S> to_matrix(rotation_vector<S> const& r) noexcept {
    return so3_exp(r.theta);
}
template <class S>
[[nodiscard]] constexpr quaternion<S> to_quaternion(rotation_vector<S> const& r) noexcept {
    return quaternion_exp(r.theta);
}
/// The same rotation with |theta| <= pi, for |theta| up to 3 pi: past pi, the way round the other side is shorter.
template <class S>
[[nodiscard]] constexpr rotation_vector<S> projected(rotation_vector<S> const& r) noexcept {
    S const t2 = squared_norm(r.theta);
    auto const beyond = t2 > pi_v<S> * pi_v<S>;
    S const t = sqrt(select(beyond, t2, S(1)));
    return {r.theta * select(beyond, S(1) - S(2) * pi_v<S> / t, S(1))};
}
template <class S>
[[nodiscard]] constexpr vec3<S> log(rotation_vector<S> const& r) noexcept {
    return projected(r).theta;
}
template <class S>
[[nodiscard]] constexpr rotation_vector<S> turned(rotation_vector<S> const& r, vec3<S> const& theta) noexcept {
    return rotation_vector<S>{theta} * r;
}
template <class S>
[[nodiscard]] constexpr rotation_vector<S> nudged(rotation_vector<S> const& r, vec3<S> const& theta) noexcept {
    return {log(nudged(quaternion_exp(r.theta), theta))};
}
template <class S, class T>
[[nodiscard]] constexpr auto coordinate_rate(rotation_vector<S> const& r, vec3<T> const& omega) noexcept {
    auto const c = cross(r.theta, omega);
    return omega - (S(1) / S(2)) * c + cotangent_defect_of_square(squared_norm(r.theta)) * cross(r.theta, c);
}
/// Any vector is a rotation; what lies beyond pi is not wrapped.
template <class S>
[[nodiscard]] constexpr S deviation(rotation_vector<S> const& r) noexcept {
    return max(norm(r.theta) - pi_v<S>, S(0));
}

}  // namespace sinew::inline v0

// ---- sinew/rotation/rotation.hpp
// The rotation_like concept, and conversions among the representations, axis-angle and Euler angles.

namespace sinew::inline v0 {

template <class R>
concept has_rotation_coordinates = requires(R r, std::size_t i, typename R::scalar_type s) {
    { R::dimension } -> std::convertible_to<std::size_t>;
    { r.coordinate(i) } -> std::convertible_to<typename R::scalar_type>;
    r.set_coordinate(i, s);
    { coordinate_rate(r, vec3<typename R::scalar_type>{}) };
    { projected(r) } -> std::same_as<R>;
    { deviation(r) } -> std::convertible_to<typename R::scalar_type>;
};

template <class R>
concept has_group_operations = requires(R r, vec3<typename R::scalar_type> v) {
    { R::identity() } -> std::same_as<R>;
    { r* r } -> std::same_as<R>;
    { inverse(r) } -> std::same_as<R>;
    { rotate(r, v) } -> std::same_as<vec3<typename R::scalar_type>>;
    { inverse_rotate(r, v) } -> std::same_as<vec3<typename R::scalar_type>>;
};

template <class R>
concept has_exponential_map = requires(R r, vec3<typename R::scalar_type> v) {
    { log(r) } -> std::same_as<vec3<typename R::scalar_type>>;
    { turned(r, v) } -> std::same_as<R>;
    { nudged(r, v) } -> std::same_as<R>;
    { to_matrix(r) } -> std::same_as<mat3<typename R::scalar_type>>;
    { to_quaternion(r) } -> std::same_as<quaternion<typename R::scalar_type>>;
};

/// A representation of a rotation from body to world: quaternion, rotation_matrix, rotation_vector, or one's own.
template <class R>
concept rotation_like = scalar<typename R::scalar_type> && has_rotation_coordinates<R> && has_group_operations<R> && has_exponential_map<R>;

static_assert(rotation_like<quaternion<double>> && rotation_like<rotation_matrix<float>> && rotation_like<rotation_vector<double>>);

namespace detail {
template <class R>
struct from_quaternion;
template <class S>
struct from_quaternion<quaternion<S>> {
    static constexpr quaternion<S> make(quaternion<S> const& q) noexcept { return q; }
};
template <class S>
struct from_quaternion<rotation_matrix<S>> {
    static constexpr rotation_matrix<S> make(quaternion<S> const& q) noexcept { return {to_matrix(q)}; }
};
template <class S>
struct from_quaternion<rotation_vector<S>> {
    static constexpr rotation_vector<S> make(quaternion<S> const& q) noexcept { return {log(q)}; }
};
}  // namespace detail

/// The same rotation in representation R: rotation_cast<rotation_matrix<double>>(q).
template <class R, class From>
[[nodiscard]] constexpr R rotation_cast(From const& r) noexcept {
    if constexpr (std::same_as<R, From>)
        return r;
    else
        return detail::from_quaternion<R>::make(to_quaternion(r));
}

/// exp of a rotation vector (rad) in representation R.
template <class R>
[[nodiscard]] constexpr R rotation_exp(vec3<typename R::scalar_type> const& theta) noexcept {
    return detail::from_quaternion<R>::make(quaternion_exp(theta));
}

/// A unit axis and an angle (rad) in [0, pi].
template <class S>
struct axis_angle {
    vec3<S> axis;
    S angle;
};

/// Of the identity the axis is x.
template <class R>
[[nodiscard]] constexpr auto to_axis_angle(R const& r) noexcept {
    using S = typename R::scalar_type;
    vec3<S> const theta = log(r);
    S const t = norm(theta);
    auto const none = t == S(0);
    return axis_angle<S>{select(none, vec3<S>{S(1), S(0), S(0)}, normalize(theta)), t};
}
template <class R>
[[nodiscard]] constexpr R rotation_about(vec3<typename R::scalar_type> const& axis, typename R::scalar_type const& angle) noexcept {
    return rotation_exp<R>(normalize(axis) * angle);
}

/// Euler angles (rad) in the order Z-X-Y: R = Rz(z) Rx(x) Ry(y), with x in [-pi/2, pi/2].
template <class S>
struct euler_zxy {
    S z, x, y;
};

/// In gimbal lock (x = +-pi/2) only z +- y matters; then y is 0 and z takes all of it.
template <class R>
[[nodiscard]] constexpr auto to_euler_zxy(R const& r) noexcept {
    using S = typename R::scalar_type;
    mat3<S> const m = to_matrix(r);
    S const cx = sqrt(m(0, 1) * m(0, 1) + m(1, 1) * m(1, 1));
    // Below this the two remaining axes differ by rounding alone.
    auto const locked = cx < S(4) * epsilon_v<S>;
    S const z = select(locked, atan2(m(1, 0), m(0, 0)), atan2(-m(0, 1), m(1, 1)));
    // y from R_z(-z) R = R_x R_y: near lock z has lost digits, and y makes up for it.
    S const c = cos(z), s = sin(z);
    S const y = atan2(c * m(0, 2) + s * m(1, 2), c * m(0, 0) + s * m(1, 0));
    return euler_zxy<S>{z, atan2(m(2, 1), cx), select(locked, S(0), y)};
}
template <class R, class S>
[[nodiscard]] constexpr R from_euler_zxy(euler_zxy<S> const& a) noexcept {
    auto const turn = [](S const& angle, std::size_t axis) {
        quaternion<S> q{cos(angle / S(2)), S(0), S(0), S(0)};
        q.set_coordinate(axis + 1, sin(angle / S(2)));
        return q;
    };
    return detail::from_quaternion<R>::make(turn(a.z, 2) * turn(a.x, 0) * turn(a.y, 1));
}

/// The rotation converted to another scalar.
template <class T, class R>
[[nodiscard]] constexpr auto rotation_to_scalar(R const& r) noexcept {
    typename R::template rebind<T> q;
    for (std::size_t i = 0; i < R::dimension; ++i) q.set_coordinate(i, static_cast<T>(r.coordinate(i)));
    return q;
}

}  // namespace sinew::inline v0

// ---- sinew/rotation/pose.hpp
// Where a body is: position of its centre of mass and rotation from body to world.

namespace sinew::inline v0 {

/// Position x (m, world) and rotation R (body to world). The point r of the body is at x + R r (Waterson 2026, eq. 2.1).
template <class S, class R = quaternion<S>>
struct pose {
    using scalar_type = S;
    using rotation_type = R;

    vec3<S> position{S(0), S(0), S(0)};  ///< m
    R rotation = R::identity();          ///< body to world

    /// World position of a body point (m).
    template <class T>
    [[nodiscard]] constexpr auto point(vec3<T> const& r) const noexcept {
        return position + rotate(rotation, r);
    }
    /// World direction of a body direction.
    template <class T>
    [[nodiscard]] constexpr auto direction(vec3<T> const& d) const noexcept {
        return rotate(rotation, d);
    }
    /// Body coordinates of a world point (m).
    template <class T>
    [[nodiscard]] constexpr auto local_point(vec3<T> const& p) const noexcept {
        return inverse_rotate(rotation, p - position);
    }
    /// Body coordinates of a world direction.
    template <class T>
    [[nodiscard]] constexpr auto local_direction(vec3<T> const& d) const noexcept {
        return inverse_rotate(rotation, d);
    }
    [[nodiscard]] friend constexpr bool operator==(pose const&, pose const&) = default;
    /// First b, then a.
    [[nodiscard]] friend constexpr pose operator*(pose const& a, pose const& b) noexcept {
        return {a.point(b.position), a.rotation * b.rotation};
    }
};

template <class S, class R>
[[nodiscard]] constexpr pose<S, R> inverse(pose<S, R> const& p) noexcept {
    return {-inverse_rotate(p.rotation, p.position), inverse(p.rotation)};
}

/// Where a particle is. A particle has no rotation; its only point is itself.
template <class S>
struct particle_pose {
    using scalar_type = S;
    vec3<S> position{S(0), S(0), S(0)};  ///< m
    [[nodiscard]] friend constexpr bool operator==(particle_pose const&, particle_pose const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/ode/problem.hpp
// What an integrator can solve: the problem concept (Vondrak 2005, 2.3).
//
// A problem owns its state, as objects of any kind. An integrator sees it as a flat vector y of numbers with
// y' = f(t, y): it copies the state out, installs a state, and asks for the derivative of the state installed. It
// knows nothing else of the system.
//
//   p.dimension()             how many numbers
//   p.get_state(y)            current state to y
//   p.set_state(y)            y to the current state
//   p.derivative(t, dydt)     f(t, current state) to dydt
//
// The derivative answers one of three things (Vondrak 2005, 6.3.2 and 6.4.3). It may ask for a third argument, which
// tells a state that may be kept from one that only serves to estimate another: impulses belong to the former.
//
// Optional members of a problem:
//   scalar_type               its number (required by make_step and ode_solver)
//   split()                   where the velocities begin in y; half of the dimension unless given (symplectic_euler, velocity_verlet)
//   position_rate(t, dq)      the first split() numbers of f alone, where they come cheaper than all of f
//   max_dimension             static constexpr: buffers are kept in place and nothing is allocated; 0 means the heap
//   view(y)                   what event functions are given instead of the flat y
//   always_regular            static constexpr bool: the derivative is never changed or invalid; saves evaluations

namespace sinew::inline v0 {

/// What the evaluation of a derivative met.
enum class derivative_status : unsigned char {
    regular,  ///< the derivative of the state that was set
    changed,  ///< the problem changed its state (an impulse, a renormalisation); the derivative is that of the changed state
    invalid,  ///< the state is not admissible (a penetration): no step may end here
};

/// What a state is evaluated for. Only a regular state may be kept; changes of an intermediate one are ignored.
enum class state_kind : unsigned char { regular, intermediate };

// The atoms. S is the number that time is measured in, E an element of the state; for a problem E = S.

template <class P>
concept has_dimension = requires(P& p) {
    { p.dimension() } -> std::convertible_to<std::size_t>;
};
template <class P, class E>
concept has_get_state = requires(P& p, std::span<E> y) { p.get_state(y); };
template <class P, class E>
concept has_set_state = requires(P& p, std::span<E const> y) { p.set_state(y); };
template <class P, class S, class E = S>
concept has_plain_derivative = requires(P& p, S const& t, std::span<E> dydt) {
    { p.derivative(t, dydt) } -> std::same_as<derivative_status>;
};
template <class P, class S, class E = S>
concept has_staged_derivative = requires(P& p, S const& t, std::span<E> dydt, state_kind kind) {
    { p.derivative(t, dydt, kind) } -> std::same_as<derivative_status>;
};
template <class P, class S, class E = S>
concept has_derivative = has_plain_derivative<P, S, E> || has_staged_derivative<P, S, E>;

template <class P>
concept has_split = requires(P& p) {
    { p.split() } -> std::convertible_to<std::size_t>;
};
template <class P, class S, class E = S>
concept has_position_rate = requires(P& p, S const& t, std::span<E> dq) { p.position_rate(t, dq); };

/// A problem y' = f(t, y) over numbers S.
template <class P, class S, class E = S>
concept ode_problem_for = has_dimension<P> && has_get_state<P, E> && has_set_state<P, E> && has_derivative<P, S, E>;

/// Says in one sentence what a type lacks to be a problem.
template <class P, class S, class E = S>
constexpr void check_ode_problem() noexcept {
    static_assert(has_dimension<P>, "sinew: an ODE problem needs dimension(), the number of its state variables");
    static_assert(has_get_state<P, E>, "sinew: an ODE problem needs get_state(std::span<S> y), which copies its state to y");
    static_assert(has_set_state<P, E>, "sinew: an ODE problem needs set_state(std::span<S const> y), which installs y as its state");
    static_assert(has_derivative<P, S, E>,
                  "sinew: an ODE problem needs derivative(S t, std::span<S> dydt), which returns a sinew::derivative_status");
}

namespace detail {

template <class P>
struct problem_element {
    using type = typename P::scalar_type;
};
template <class P>
    requires requires { typename P::element_type; }
struct problem_element<P> {
    using type = typename P::element_type;
};

template <class P>
[[nodiscard]] constexpr std::size_t max_dimension_of() noexcept {
    if constexpr (requires { P::max_dimension; })
        return P::max_dimension;
    else
        return 0;
}
template <class P>
[[nodiscard]] constexpr bool is_always_regular() noexcept {
    if constexpr (requires { P::always_regular; })
        return P::always_regular;
    else
        return false;
}

template <class S, class E, class P>
constexpr derivative_status evaluate(P& p, S const& t, std::span<E> dydt, state_kind kind) {
    if constexpr (has_staged_derivative<P, S, E>)
        return p.derivative(t, dydt, kind);
    else
        return p.derivative(t, dydt);
}

}  // namespace detail

}  // namespace sinew::inline v0

// ---- sinew/ode/status.hpp
// How a step or an integration ended, and what it took.

namespace sinew::inline v0 {

/// How it ended. Whatever it says, the state is one that was reached and is valid: the last good one.
enum class ode_status : unsigned char {
    ok,
    event,            ///< stopped before a terminal event; event_begin and event_end of the report bracket it
    invalid_state,    ///< the problem refused every state ahead; event_begin and event_end bracket the first refusal
    not_finite,       ///< a state or derivative is infinite or NaN
    not_converged,    ///< the equations of an implicit method were not solved
    step_too_small,   ///< the tolerance asks for steps below the smallest allowed, or time has no finer resolution
    too_many_steps,   ///< the limit on steps was reached
    bad_step,         ///< the step is not positive and finite (integrate), or not finite
    bad_time,         ///< a time is not finite
    bad_parameters,   ///< a tolerance, limit or factor is out of its range
    no_split,         ///< a method for positions and velocities met a state that does not fall into two halves
    aborted,          ///< a transaction was refused
};

/// One sentence on a status.
[[nodiscard]] constexpr char const* describe(ode_status s) noexcept {
    switch (s) {
        case ode_status::ok: return "done";
        case ode_status::event: return "stopped before an event";
        case ode_status::invalid_state: return "stopped before a state that the problem refuses";
        case ode_status::not_finite: return "a state or derivative is infinite or NaN";
        case ode_status::not_converged: return "the equations of the implicit method were not solved";
        case ode_status::step_too_small: return "the step needed is below the smallest step";
        case ode_status::too_many_steps: return "the limit on the number of steps was reached";
        case ode_status::bad_step: return "the step must be positive and finite";
        case ode_status::bad_time: return "times must be finite";
        case ode_status::bad_parameters: return "a tolerance, limit or factor is out of its range";
        case ode_status::no_split: return "the state does not fall into positions and velocities";
        case ode_status::aborted: return "the transaction was refused";
    }
    return "";
}

/// What an integration took. S is the built-in type of the scalar.
template <class S>
struct ode_report {
    ode_status status = ode_status::ok;
    S time{};                    ///< s, reached
    std::size_t steps = 0;       ///< accepted
    std::size_t rejections = 0;  ///< steps taken back: error too large, state refused, event passed
    std::size_t evaluations = 0; ///< of the derivative
    S smallest_step{};           ///< s, of those accepted, the ones that locate an event apart; 0 without steps

    std::size_t events = 0;         ///< passed, or stopped at
    std::size_t event_index = 0;    ///< which, in the order given; of those between begin and end the first
    std::uint64_t event_mask = 0;   ///< all between begin and end: bit i is event i
    S event_begin{}, event_end{};   ///< s, the last event or refusal is between these

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return status == ode_status::ok; }
};

}  // namespace sinew::inline v0

// ---- sinew/ode/state_view.hpp
// Arithmetic on flat states without temporaries, so that an integrator reads like its textbook: y1 = y + h * k1.
//
// A sum or multiple of states is an expression: it is evaluated element by element where it is assigned. An element
// is a number, or any value of a vector space. An expression refers to its states; it must not outlive the statement.

namespace sinew::inline v0 {

/// Anything with elements that sums of states are made of.
template <class X>
concept state_expression = requires { typename std::remove_cvref_t<X>::is_state_expression; };

/// n elements somewhere. Assigning writes the elements.
template <class E>
class state_view {
public:
    using is_state_expression = void;

    constexpr state_view(E* first, std::size_t n) noexcept : first_(first), n_(n) {}
    constexpr state_view(state_view const&) noexcept = default;

    [[nodiscard]] constexpr E& operator[](std::size_t i) const noexcept { return first_[i]; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return n_; }
    [[nodiscard]] constexpr std::span<E> span() const noexcept { return {first_, n_}; }
    /// The first m elements: positions.
    [[nodiscard]] constexpr state_view first(std::size_t m) const noexcept { return {first_, m}; }
    /// Those from m on: velocities.
    [[nodiscard]] constexpr state_view from(std::size_t m) const noexcept { return {first_ + m, n_ - m}; }

    // Const: what is assigned are the elements, not the view.
    constexpr state_view const& operator=(state_view const& x) const noexcept {
        assign(x);
        return *this;
    }
    template <state_expression X>
    constexpr state_view const& operator=(X const& x) const {
        assign(x);
        return *this;
    }

private:
    template <class X>
    constexpr void assign(X const& x) const {
        for (std::size_t i = 0; i < n_; ++i) first_[i] = static_cast<E>(x[i]);
    }

    E* first_;
    std::size_t n_;
};

namespace detail {

template <class A, class B>
struct state_sum {
    using is_state_expression = void;
    A a;
    B b;
    [[nodiscard]] constexpr auto operator[](std::size_t i) const { return a[i] + b[i]; }
};
template <class A, class B>
struct state_difference {
    using is_state_expression = void;
    A a;
    B b;
    [[nodiscard]] constexpr auto operator[](std::size_t i) const { return a[i] - b[i]; }
};
template <class K, class A>
struct state_multiple {
    using is_state_expression = void;
    K k;
    A a;
    [[nodiscard]] constexpr auto operator[](std::size_t i) const {
        if constexpr (requires { k * a[i]; })
            return k * a[i];
        else
            return a[i] * k;
    }
};

}  // namespace detail

template <state_expression A, state_expression B>
[[nodiscard]] constexpr auto operator+(A const& a, B const& b) {
    return detail::state_sum<A, B>{a, b};
}
template <state_expression A, state_expression B>
[[nodiscard]] constexpr auto operator-(A const& a, B const& b) {
    return detail::state_difference<A, B>{a, b};
}
template <class K, state_expression A>
    requires(!state_expression<K>)
[[nodiscard]] constexpr auto operator*(K const& k, A const& a) {
    return detail::state_multiple<K, A>{k, a};
}

}  // namespace sinew::inline v0

// ---- sinew/ode/workspace.hpp
// The buffers of an integrator, apart from the integrator, so that tuning numbers and storage stay separate.

namespace sinew::inline v0 {

namespace detail {

// In place up to N items, or on the heap if N is 0.
template <class T, std::size_t N>
struct state_storage {
    using type = static_vector<T, N>;
};
template <class T>
struct state_storage<T, 0> {
    using type = typename dynamic_storage::template array<T, 0>;
};
template <class T, std::size_t N>
using state_storage_t = typename state_storage<T, N>::type;

// Several states of one dimension, one after the other.
template <class E, std::size_t Rows, std::size_t MaxDimension>
class state_rows {
public:
    /// Allocates at most when the dimension grows.
    constexpr void prepare(std::size_t n) {
        n_ = n;
        if (items_.size() < n * Rows) items_.resize(n * Rows);
    }
    [[nodiscard]] constexpr std::size_t dimension() const noexcept { return n_; }
    [[nodiscard]] constexpr state_view<E> row(std::size_t i) noexcept { return {items_.data() + i * n_, n_}; }

private:
    state_storage_t<E, Rows * MaxDimension> items_{};
    std::size_t n_ = 0;
};

// The built-in type of a number; itself for anything else.
template <class E>
struct built_in {
    using type = E;
};
template <has_scalar_traits E>
struct built_in<E> {
    using type = value_type_t<E>;
};
template <class E>
using built_in_t = typename built_in<E>::type;

// The largest system that the integrator solves by Newton's method.
template <class I>
[[nodiscard]] constexpr std::size_t newton_limit_of() noexcept {
    if constexpr (requires { I::newton_limit; })
        return I::newton_limit;
    else
        return 0;
}

struct no_matrix {
    static constexpr std::size_t limit = 0;
    static constexpr void prepare(std::size_t) noexcept {}
};
template <class V, std::size_t Limit, std::size_t MaxDimension>
class newton_matrix {
    static constexpr std::size_t side = MaxDimension < Limit ? MaxDimension : Limit;

public:
    static constexpr std::size_t limit = Limit;
    constexpr void prepare(std::size_t n) {
        if (n > Limit) return;
        if (entries_.size() < n * n) entries_.resize(n * n);
        if (pivots_.size() < n) pivots_.resize(n);
    }
    [[nodiscard]] constexpr std::span<V> entries(std::size_t n) noexcept { return {entries_.data(), n * n}; }
    [[nodiscard]] constexpr std::span<std::uint32_t> pivots(std::size_t n) noexcept { return {pivots_.data(), n}; }

private:
    state_storage_t<V, side * side> entries_{};
    state_storage_t<std::uint32_t, side> pivots_{};
};

template <class Buffer>
[[nodiscard]] constexpr std::size_t capacity_of() noexcept {
    if constexpr (requires { std::integral_constant<std::size_t, Buffer::capacity()>{}; })
        return Buffer::capacity();
    else
        return 0;
}

}  // namespace detail

/// Buffers for one integrator and states of elements E. In place for up to MaxDimension elements, on the heap if that
/// is 0. A workspace carries nothing from one step to the next: it may be shared, and takes no part in a comparison.
template <class Integrator, class E, std::size_t MaxDimension = 0>
class ode_workspace {
    static constexpr std::size_t common = 5;
    static constexpr std::size_t newton = detail::newton_limit_of<Integrator>();

public:
    using element_type = E;

    constexpr void prepare(std::size_t n) {
        rows_.prepare(n);
        matrix_.prepare(n);
    }
    [[nodiscard]] constexpr std::size_t dimension() const noexcept { return rows_.dimension(); }
    [[nodiscard]] constexpr state_view<E> y() noexcept { return rows_.row(0); }        ///< where a step begins
    [[nodiscard]] constexpr state_view<E> k1() noexcept { return rows_.row(1); }       ///< the derivative there
    [[nodiscard]] constexpr state_view<E> y1() noexcept { return rows_.row(2); }       ///< where it ends
    [[nodiscard]] constexpr state_view<E> scratch() noexcept { return rows_.row(3); }  ///< the state being evaluated
    [[nodiscard]] constexpr state_view<E> before() noexcept { return rows_.row(4); }   ///< what a failed step gives back
    /// The integrator's own, i < Integrator::buffers.
    [[nodiscard]] constexpr state_view<E> stage(std::size_t i) noexcept { return rows_.row(common + i); }
    [[nodiscard]] constexpr auto& matrix() noexcept { return matrix_; }

private:
    detail::state_rows<E, common + Integrator::buffers, MaxDimension> rows_{};
    [[no_unique_address]] std::conditional_t<(newton > 0), detail::newton_matrix<detail::built_in_t<E>, newton, MaxDimension>, detail::no_matrix> matrix_{};
};

/// The workspace for states that are kept in a Buffer: in place if that has a fixed capacity, else on the heap.
template <class Integrator, class Buffer>
using ode_workspace_like = ode_workspace<Integrator, typename Buffer::value_type, detail::capacity_of<Buffer>()>;

}  // namespace sinew::inline v0

// ---- sinew/ode/integrator.hpp
// What an integrator is, and one step of any of them over any problem.
//
// An integrator is a small value: its order, how many buffers it needs, its tuning numbers, and
//
//   attempt(f, s)   from the state s.y at s.t with the derivative s.k1 to s.y1, s.h later
//
// where f(k, t, y) evaluates k = f(t, y). Once an evaluation has failed the rest are skipped, so that an attempt reads
// like its textbook. It neither accepts nor rejects: that is the caller's part.
//
//   t, h   time and step (s)      y   state      k   derivatives of the state at the stages

namespace sinew::inline v0 {

namespace detail {

// Whether every element is finite. An element that cannot tell counts as finite, unless it differs from itself.
template <class E>
[[nodiscard]] constexpr bool is_finite(state_view<E> y) {
    for (std::size_t i = 0; i < y.size(); ++i) {
        if constexpr (requires { all(isfinite(y[i])); }) {
            if (!all(isfinite(y[i]))) return false;
        } else if constexpr (std::equality_comparable<E>) {
            if (!(y[i] == y[i])) return false;
        }
    }
    return true;
}

}  // namespace detail

/// The right-hand side f as an attempt sees it.
template <class Problem, class S, class E>
class stage_evaluator {
public:
    constexpr stage_evaluator(Problem& p, state_view<E> scratch) noexcept : problem_(&p), scratch_(scratch) {}

    /// k = f(t, y), unless an evaluation before has failed.
    template <class T, state_expression Y>
    constexpr void operator()(state_view<E> k, T const& t, Y const& y) {
        if (failed()) return;
        install(y);
        evaluate_installed(k, static_cast<S>(t), state_kind::intermediate);
    }
    /// As above, but only the positions' part of k is needed.
    template <class T, state_expression Y>
    constexpr void positions(state_view<E> k, T const& t, Y const& y) {
        if constexpr (has_position_rate<Problem, S, E>) {
            if (failed()) return;
            install(y);
            problem_->position_rate(static_cast<S>(t), k.first(split()).span());
        } else {
            (*this)(k, t, y);
        }
    }
    /// k = f(t, y) of the state that the problem holds.
    constexpr void evaluate_installed(state_view<E> k, S const& t, state_kind kind) {
        ++evaluations_;
        auto const answer = detail::evaluate<S, E>(*problem_, t, k.span(), kind);
        changed_ = answer == derivative_status::changed;
        if (answer == derivative_status::invalid)
            fail(ode_status::invalid_state);
        else if (!detail::is_finite(k))
            fail(ode_status::not_finite);
    }

    /// Where the velocities begin.
    [[nodiscard]] constexpr std::size_t split() {
        if constexpr (has_split<Problem>)
            return problem_->split();
        else
            return scratch_.size() / 2;
    }
    [[nodiscard]] constexpr bool has_halves() const noexcept { return has_split<Problem> || scratch_.size() % 2 == 0; }

    constexpr void fail(ode_status s) noexcept {
        if (!failed()) status_ = s;
    }
    [[nodiscard]] constexpr bool failed() const noexcept { return status_ != ode_status::ok; }
    [[nodiscard]] constexpr ode_status status() const noexcept { return status_; }
    constexpr void forgive() noexcept { status_ = ode_status::ok; }
    /// Whether the last evaluation changed the state.
    [[nodiscard]] constexpr bool changed() const noexcept { return changed_; }
    [[nodiscard]] constexpr std::size_t evaluations() const noexcept { return evaluations_; }

private:
    template <class Y>
    constexpr void install(Y const& y) {
        scratch_ = y;
        problem_->set_state(std::span<E const>(scratch_.span()));
    }

    Problem* problem_;
    state_view<E> scratch_;
    std::size_t evaluations_ = 0;
    ode_status status_ = ode_status::ok;
    bool changed_ = false;
};

/// One step to be attempted. T is the type of time: S, or the built-in type of S.
template <class T, class E, class Workspace>
struct step_attempt {
    T t, h;
    state_view<E> y, k1, y1;
    Workspace& workspace;

    [[nodiscard]] constexpr state_view<E> stage(std::size_t i) const noexcept { return workspace.stage(i); }
};

template <class I>
concept has_order = requires {
    { I::order } -> std::convertible_to<int>;
};
template <class I>
concept has_buffers = requires {
    { I::buffers } -> std::convertible_to<std::size_t>;
};
/// Estimates its error: stage(error_buffer) holds it after an attempt.
template <class I>
concept has_embedded_error = requires {
    { I::error_buffer } -> std::convertible_to<std::size_t>;
};
/// Ends with the derivative at y1, in stage(end_derivative_buffer).
template <class I>
concept has_end_derivative = requires {
    { I::end_derivative_buffer } -> std::convertible_to<std::size_t>;
};

namespace detail {
template <class I, class P, class S>
using attempt_of_t = step_attempt<S, typename problem_element<P>::type, ode_workspace<I, typename problem_element<P>::type, max_dimension_of<P>()>>;
}  // namespace detail

template <class I, class P>
concept has_attempt = requires(I const& i, stage_evaluator<P, typename P::scalar_type, typename detail::problem_element<P>::type>& f,
                               detail::attempt_of_t<I, P, typename P::scalar_type> const& s) { i.attempt(f, s); };

/// An integrator that can step problem P.
template <class I, class P>
concept integrator_for = has_order<I> && has_buffers<I> && has_attempt<I, P>;

/// One step of length h from the problem's current state, in place. On any status but ok the problem has the state from
/// before. A negative h steps back in time. The state at the end is not evaluated: what the problem says of it shows in
/// the next step (ode_solver looks at once).
template <class Integrator, class Problem, class T, class Workspace>
constexpr ode_status make_step(Integrator const& integrator, Problem& p, T const& t, T const& h, Workspace& w) {
    using E = typename Workspace::element_type;
    using S = typename Problem::scalar_type;
    check_ode_problem<Problem, S, E>();
    if (!all(isfinite(t))) return ode_status::bad_time;
    if (!all(isfinite(h))) return ode_status::bad_step;
    w.prepare(p.dimension());
    auto const y = w.y();
    p.get_state(y.span());
    if (!detail::is_finite(y)) return ode_status::not_finite;

    stage_evaluator<Problem, S, E> f(p, w.scratch());
    auto const before = w.before();
    before = y;
    f.evaluate_installed(w.k1(), static_cast<S>(t), state_kind::regular);
    if (f.changed()) p.get_state(y.span());
    step_attempt<T, E, Workspace> const s{t, h, y, w.k1(), w.y1(), w};
    if (!f.failed()) integrator.attempt(f, s);
    if (!f.failed() && !detail::is_finite(s.y1)) f.fail(ode_status::not_finite);
    p.set_state(std::span<E const>(f.failed() ? before.span() : s.y1.span()));
    return f.status();
}

}  // namespace sinew::inline v0

// ---- sinew/ode/dormand_prince_54.hpp
// Dormand and Prince's pair of orders 5 and 4 (J. Comput. Appl. Math. 6, 1980; Hairer, Norsett, Wanner, Solving
// Ordinary Differential Equations I, table II.5.2). The fifth-order result is kept; the difference is the error.
//
// The seventh derivative is that of the state at the end: it is the next step's first, so a step costs six.

namespace sinew::inline v0 {

struct dormand_prince_54 {
    static constexpr int order = 5;
    static constexpr std::size_t buffers = 7;
    static constexpr std::size_t end_derivative_buffer = 5;
    static constexpr std::size_t error_buffer = 6;
    static constexpr int error_order = 4;  ///< of the lower result: the error estimate falls with h^(error_order + 1)

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const& [t, h, y, k1, y1, w] = s;
        auto const k2 = s.stage(0), k3 = s.stage(1), k4 = s.stage(2), k5 = s.stage(3), k6 = s.stage(4), k7 = s.stage(5);
        using V = value_type_t<T>;
        constexpr auto q = [](int n, int d) { return V(n) / V(d); };
        f(k2, t + q(1, 5) * h, y + h * (q(1, 5) * k1));
        f(k3, t + q(3, 10) * h, y + h * (q(3, 40) * k1 + q(9, 40) * k2));
        f(k4, t + q(4, 5) * h, y + h * (q(44, 45) * k1 + q(-56, 15) * k2 + q(32, 9) * k3));
        f(k5, t + q(8, 9) * h, y + h * (q(19372, 6561) * k1 + q(-25360, 2187) * k2 + q(64448, 6561) * k3 + q(-212, 729) * k4));
        f(k6, t + h, y + h * (q(9017, 3168) * k1 + q(-355, 33) * k2 + q(46732, 5247) * k3 + q(49, 176) * k4 + q(-5103, 18656) * k5));
        y1 = y + h * (q(35, 384) * k1 + q(500, 1113) * k3 + q(125, 192) * k4 + q(-2187, 6784) * k5 + q(11, 84) * k6);
        f(k7, t + h, y1);
        s.stage(error_buffer) = h * (q(71, 57600) * k1 + q(-71, 16695) * k3 + q(71, 1920) * k4 + q(-17253, 339200) * k5 + q(22, 525) * k6 + q(-1, 40) * k7);
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<dormand_prince_54, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0

// ---- sinew/ode/euler.hpp
// Explicit Euler (Vondrak 2005, 2.2.1): y1 = y + h f(t, y). Order 1.
//
// Gains energy on every oscillation. Kept to compare with, and for systems that are strongly damped.

namespace sinew::inline v0 {

struct euler {
    static constexpr int order = 1;
    static constexpr std::size_t buffers = 0;

    template <class F, class T, class E, class W>
    constexpr void attempt(F&, step_attempt<T, E, W> const& s) const {
        s.y1 = s.y + s.h * s.k1;
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<euler, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0

// ---- sinew/ode/events.hpp
// Events: zeros of a function g(t, y) along the solution.
//
// A step across which g changes its sign is taken back, and the zero is located by bisection: from the last state before
// it half of what is left is stepped again, until the bracket is narrow (Vondrak 2005, 6.4.3). So the state before the
// event is one that the integrator reached, on the near side of the zero. A g that changes its sign twice within one
// step is not seen: max_step bounds what can be missed.
//
// A solution that starts with g = 0 exactly: leaving in the event's own direction is the event (a ball that lies on the
// ground must not fall through it); an event of either direction is not met by leaving.

namespace sinew::inline v0 {

enum class crossing : unsigned char {
    either,
    rising,   ///< from negative to positive
    falling,  ///< from positive to negative
};

/// Does nothing when its event passes.
struct no_handler {
    template <class T, class Y>
    constexpr void operator()(T const&, Y const&) const noexcept {}
};

/// See stop_when and on_event.
template <class G, class Handler = no_handler>
struct ode_event {
    G function;            ///< g(t, y): y is a span, or what the plain function form integrates
    crossing direction;    ///< of the sign of g
    bool terminal;         ///< the integration ends before it
    Handler handler;       ///< called with the time and state before the event when it is passed
};

/// The integration ends at the last state before g crosses zero.
template <class G>
[[nodiscard]] constexpr ode_event<G> stop_when(G g, crossing direction = crossing::either) {
    return {std::move(g), direction, true, {}};
}
/// handler(t, y) is called with the last time and state before g crosses zero; then the integration goes on.
template <class G, class Handler = no_handler>
[[nodiscard]] constexpr ode_event<G, Handler> on_event(G g, crossing direction, Handler handler = {}) {
    return {std::move(g), direction, false, std::move(handler)};
}

namespace detail {

/// On which side of zero an event function is.
enum class side : signed char { negative = -1, on = 0, positive = 1 };

template <class V>
[[nodiscard]] constexpr side side_of(V g) noexcept {
    return g < V(0) ? side::negative : V(0) < g ? side::positive : side::on;
}

/// Whether a step from `from` to `to` meets the event. Reaching zero is meeting it.
[[nodiscard]] constexpr bool crosses(side from, side to, crossing direction) noexcept {
    if (from == side::on) return (to == side::positive && direction == crossing::rising) || (to == side::negative && direction == crossing::falling);
    bool const rising = from == side::negative && to != side::negative;
    bool const falling = from == side::positive && to != side::positive;
    return (rising && direction != crossing::falling) || (falling && direction != crossing::rising);
}

/// The side to remember after a step: one that just met zero counts as beyond it, so that it is met once.
[[nodiscard]] constexpr side side_after(side from, side to) noexcept {
    if (to != side::on) return to;
    return from == side::negative ? side::positive : from == side::positive ? side::negative : side::on;
}

/// The event functions along a solution. V is the built-in type of time.
template <class V, class... Events>
class event_watch {
    static_assert(sizeof...(Events) <= 64, "sinew: at most 64 events");

public:
    constexpr explicit event_watch(Events const&... events) noexcept : events_(events...) {}

    /// The solution starts here. False if an event function is NaN.
    template <class T, class Y>
    constexpr bool start(T const& t, Y const& y) {
        return measure(t, y, here_);
    }
    /// A step would end here.
    template <class T, class Y>
    constexpr bool look_ahead(T const& t, Y const& y) {
        crossed_ = 0;
        stops_ = false;
        if (!measure(t, y, ahead_)) return false;
        for_each([&](auto const& e, std::size_t i) {
            if (!crosses(here_[i], ahead_[i], e.direction)) return;
            crossed_ |= std::uint64_t{1} << i;
            stops_ = stops_ || e.terminal;
        });
        return true;
    }
    /// The events that this step would pass, one bit each.
    [[nodiscard]] constexpr std::uint64_t crossed() const noexcept { return crossed_; }
    /// Whether one of them ends the integration.
    [[nodiscard]] constexpr bool stops() const noexcept { return stops_; }
    /// The step is kept. It began at t, with the state that y() makes.
    template <class T, class Y>
    constexpr void pass(T const& t, Y&& y) {
        for_each([&](auto const& e, std::size_t i) {
            if ((crossed_ >> i & 1) != 0) e.handler(t, y());
            here_[i] = side_after(here_[i], ahead_[i]);
        });
    }

private:
    using sides = std::array<side, sizeof...(Events) + 1>;

    template <class F>
    constexpr void for_each(F&& f) const {
        std::apply(
            [&f](auto const&... e) {
                [[maybe_unused]] std::size_t i = 0;
                (f(e, i++), ...);
            },
            events_);
    }
    template <class T, class Y>
    constexpr bool measure(T const& t, Y const& y, sides& s) const {
        bool known = true;
        for_each([&](auto const& e, std::size_t i) {
            V const g = static_cast<V>(value(e.function(t, y)));
            known = known && g == g;
            s[i] = side_of(g);
        });
        return known;
    }

    std::tuple<Events const&...> events_;
    sides here_{}, ahead_{};
    std::uint64_t crossed_ = 0;
    bool stops_ = false;
};

}  // namespace detail

}  // namespace sinew::inline v0

// ---- sinew/ode/function_problem.hpp
// A plain function y' = f(t, y) as a problem.
//
// y may be a number; a row of numbers (std::array, vec, std::vector, anything with [] and size()); or any other value
// with y + y and number * y, which fixed steps of explicit integrators can then integrate.
// f(t, y) returns the derivative; or f(t, y, dydt) writes it, to a std::span or to a value like y.

namespace sinew::inline v0 {

namespace detail {

template <class Y>
concept row_of_numbers = requires(Y& y) {
    { y.size() } -> std::convertible_to<std::size_t>;
    y[0];
    requires scalar<std::remove_cvref_t<decltype(y[0])>>;
};

template <class Y>
[[nodiscard]] constexpr std::size_t fixed_size_of() noexcept {
    if constexpr (requires { std::integral_constant<std::size_t, std::tuple_size<Y>::value>{}; })
        return std::tuple_size<Y>::value;
    else if constexpr (requires { std::integral_constant<std::size_t, Y::size()>{}; })
        return Y::size();
    else
        return 0;
}

// The elements of a state and the number that time is measured in. T: the times given, for states that do not tell.
template <class Y, class T>
struct state_access {  // opaque
    using element = Y;
    using time = std::conditional_t<std::floating_point<T>, T, double>;
    static constexpr std::size_t max_dimension = 1;
    static constexpr std::size_t size(Y const&) noexcept { return 1; }
    static constexpr Y const& get(Y const& y, std::size_t) noexcept { return y; }
    static constexpr void set(Y& y, std::size_t, Y const& x) { y = x; }
};
template <scalar Y, class T>
struct state_access<Y, T> {
    using element = Y;
    using time = Y;
    static constexpr std::size_t max_dimension = 1;
    static constexpr std::size_t size(Y const&) noexcept { return 1; }
    static constexpr Y const& get(Y const& y, std::size_t) noexcept { return y; }
    static constexpr void set(Y& y, std::size_t, Y const& x) noexcept { y = x; }
};
template <class Y, class T>
    requires(!scalar<Y> && row_of_numbers<Y>)
struct state_access<Y, T> {
    using element = std::remove_cvref_t<decltype(std::declval<Y&>()[0])>;
    using time = element;
    static constexpr std::size_t max_dimension = fixed_size_of<Y>();
    static constexpr std::size_t size(Y const& y) noexcept { return static_cast<std::size_t>(y.size()); }
    static constexpr element get(Y const& y, std::size_t i) { return y[i]; }
    static constexpr void set(Y& y, std::size_t i, element const& x) { y[i] = x; }
};

}  // namespace detail

/// y' = f(t, y), with its state y. T is the type of time where y is neither a number nor a row of numbers.
template <class F, class Y, class T = double>
class function_problem {
    using access = detail::state_access<Y, T>;

public:
    using scalar_type = typename access::time;
    using element_type = typename access::element;
    static constexpr std::size_t max_dimension = access::max_dimension;
    static constexpr bool always_regular = true;
    using S = scalar_type;
    using E = element_type;

    static constexpr bool returns_derivative = requires(F& f, S const& t, Y const& y) { requires !std::is_void_v<decltype(f(t, y))>; };
    static constexpr bool writes_span = requires(F& f, S const& t, Y const& y, std::span<E>& d) { f(t, y, d); };
    static constexpr bool writes_state = requires(F& f, S const& t, Y const& y, Y& d) { f(t, y, d); };
    static_assert(returns_derivative || writes_span || writes_state,
                  "sinew: the function of an ODE is called as f(t, y) and returns the derivative, or as f(t, y, dydt) and writes it");

    constexpr function_problem(F&& f, Y y0) : y(std::move(y0)), f_(static_cast<F&&>(f)), at_(y) {
        if constexpr (!returns_derivative && !writes_span) rate_ = y;
    }

    Y y;  ///< the state

    [[nodiscard]] constexpr std::size_t dimension() const { return access::size(y); }
    constexpr void get_state(std::span<E> out) const {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = access::get(y, i);
    }
    constexpr void set_state(std::span<E const> in) {
        for (std::size_t i = 0; i < in.size(); ++i) access::set(y, i, in[i]);
    }
    constexpr derivative_status derivative(S const& t, std::span<E> dydt) {
        if constexpr (returns_derivative) {
            auto const rate = f_(t, static_cast<Y const&>(y));
            if constexpr (detail::row_of_numbers<Y>)
                for (std::size_t i = 0; i < dydt.size(); ++i) dydt[i] = rate[i];
            else
                dydt[0] = rate;
        } else if constexpr (writes_span) {
            f_(t, static_cast<Y const&>(y), dydt);
        } else {
            f_(t, static_cast<Y const&>(y), rate_);
            for (std::size_t i = 0; i < dydt.size(); ++i) dydt[i] = access::get(rate_, i);
        }
        return derivative_status::regular;
    }
    /// A flat state as event functions see it.
    [[nodiscard]] constexpr Y const& view(std::span<E const> in) {
        for (std::size_t i = 0; i < in.size(); ++i) access::set(at_, i, in[i]);
        return at_;
    }

private:
    struct nothing {};
    F f_;
    Y at_;
    [[no_unique_address]] std::conditional_t<!returns_derivative && !writes_span, Y, nothing> rate_{};
};

}  // namespace sinew::inline v0

// ---- sinew/ode/lu.hpp
// L U factors of a small dense matrix with row pivoting, in place: the linear part of Newton's method for implicit steps.

namespace sinew::inline v0::detail {

/// P A = L U, row by row; pivots[j] is the row exchanged with row j. False if a pivot is zero or not finite.
template <class V>
[[nodiscard]] constexpr bool lu_factor(std::span<V> a, std::span<std::uint32_t> pivots) noexcept {
    std::size_t const n = pivots.size();
    for (std::size_t j = 0; j < n; ++j) {
        std::size_t best = j;
        for (std::size_t i = j + 1; i < n; ++i)
            if (abs(a[i * n + j]) > abs(a[best * n + j])) best = i;
        pivots[j] = static_cast<std::uint32_t>(best);
        V const pivot = a[best * n + j];
        if (!(abs(pivot) > V(0)) || !(abs(pivot) <= scalar_traits<V>::max)) return false;
        if (best != j)
            for (std::size_t k = 0; k < n; ++k) std::swap(a[j * n + k], a[best * n + k]);
        for (std::size_t i = j + 1; i < n; ++i) {
            V const l = a[i * n + j] / pivot;
            a[i * n + j] = l;
            for (std::size_t k = j + 1; k < n; ++k) a[i * n + k] -= l * a[j * n + k];
        }
    }
    return true;
}

/// x with A x = b, in place. b may carry derivatives that A does not.
template <class V, class B>
constexpr void lu_solve(std::span<V const> a, std::span<std::uint32_t const> pivots, B b) {
    std::size_t const n = pivots.size();
    for (std::size_t j = 0; j < n; ++j) {
        std::size_t const p = pivots[j];
        if (p == j) continue;
        auto const other = b[p];
        b[p] = b[j];
        b[j] = other;
    }
    for (std::size_t i = 1; i < n; ++i)
        for (std::size_t k = 0; k < i; ++k) b[i] = b[i] - b[k] * a[i * n + k];
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) b[i] = b[i] - b[k] * a[i * n + k];
        b[i] = b[i] / a[i * n + i];
    }
}

}  // namespace sinew::inline v0::detail

// ---- sinew/ode/implicit_stage.hpp
// The equation of an implicit one-stage method, solved to rounding.
//
//   d = g f(t + c h, y + d),   g = c h       c = 1/2: implicit midpoint, c = 1: implicit Euler
//
// The unknown is the increment d, not the state: the rounding of y does not enter the iteration (Hairer, McLachlan,
// Razakarivony 2008). First by fixed-point iteration, which costs one evaluation each and converges while
// g |df/dy| < 1. Where it does not contract, or so slowly that a Jacobian is cheaper, by Newton's method with a dense
// Jacobian from finite differences, which solves stiff systems.
//
// There is no tolerance to choose: an iteration ends when the increment no longer changes, or when its changes have
// stopped shrinking at the level of rounding.

namespace sinew::inline v0::detail {

// Largest absolute value of a number and of all derivatives that it carries.
template <class S>
[[nodiscard]] constexpr value_type_t<S> largest_part(S const& x) noexcept {
    if constexpr (requires { x.d[S::lanes - 1]; }) {
        value_type_t<S> m = largest_part(x.v);
        for (std::size_t i = 0; i < S::lanes; ++i) m = max(m, largest_part(x.d[i]));
        return m;
    } else {
        return abs(x);
    }
}

template <class F, class Attempt, class T, class E>
class implicit_stage {
    using V = value_type_t<E>;
    static constexpr V eps = epsilon_v<V>;
    static constexpr V settled = eps / V(64);  // changes below this are lost when the increment is added
    static constexpr V rounding = eps * V(64);

public:
    static_assert(scalar<E>, "sinew: an implicit integrator needs a state made of numbers, not of opaque vectors");

    constexpr implicit_stage(F& f, Attempt const& s, T const& c, state_view<E> d, state_view<E> k, int max_iterations) noexcept
        : f_(f), s_(s), t_(s.t + c * s.h), g_(c * s.h), d_(d), k_(k), max_iterations_(max_iterations), loose_(sqrt(eps)) {}

    /// d, or a failure of f.
    template <class Matrix>
    constexpr void solve([[maybe_unused]] Matrix& matrix) {
        std::size_t const n = d_.size();
        if (n == 0) return;
        bool const has_newton = n <= Matrix::limit;
        if (iterate(has_newton ? n + 4 : static_cast<std::size_t>(max_iterations_), has_newton ? rounding : loose_)) return;
        if (f_.status() == ode_status::not_finite) f_.forgive();  // an iteration that ran away
        if (f_.failed()) return;
        if (!has_newton) return f_.fail(ode_status::not_converged);
        if constexpr (Matrix::limit > 0) newton(matrix);
        if (f_.status() == ode_status::not_finite) {
            f_.forgive();
            f_.fail(ode_status::not_converged);
        }
    }

private:
    // Change of component i relative to the size of what it is added to. Components much smaller than the largest are
    // measured against that one: their noise comes from it.
    struct change_meter {
        V floor{}, largest{};
        constexpr void add(V change, V size) noexcept {
            V const w = size + floor;
            if (w > V(0)) largest = max(largest, change / w);
            if (!(change <= scalar_traits<V>::max)) largest = scalar_traits<V>::infinity;
        }
    };
    [[nodiscard]] constexpr change_meter meter() const noexcept {
        V m{};
        for (std::size_t i = 0; i < d_.size(); ++i) m = max(m, largest_part(s_.y[i]) + largest_part(d_[i]));
        return {m * loose_, V(0)};
    }

    // d <- g f(y + d). `patience` is what the alternative costs, in evaluations.
    constexpr bool iterate(std::size_t patience, V acceptable) {
        d_ = g_ * s_.k1;
        V last = scalar_traits<V>::infinity;
        for (int i = 0; i < max_iterations_; ++i) {
            f_(k_, t_, s_.y + d_);
            if (f_.failed()) return false;
            auto m = meter();
            for (std::size_t j = 0; j < d_.size(); ++j) {
                E const next = g_ * k_[j];
                m.add(largest_part(next - d_[j]), largest_part(s_.y[j]) + largest_part(next));
                d_[j] = next;
            }
            V const change = m.largest;
            if (change <= settled) return true;
            if (change >= last) return last <= acceptable;
            // Two rates tell whether the rest is worth its evaluations.
            if (i >= 2 && change > rounding) {
                V const rate = change / last;
                V ahead = change;
                std::size_t cost = 0;
                while (ahead > eps && cost <= patience) {
                    ahead *= rate;
                    ++cost;
                }
                if (cost > patience) return false;
            }
            last = change;
        }
        return last <= acceptable;
    }

    // d <- d + (1 - g df/dy)^-1 (g f(y + d) - d), with a Jacobian that is renewed when it converges badly.
    template <class Matrix>
    constexpr void newton(Matrix& matrix) {
        std::size_t const n = d_.size();
        auto const step = s_.y1;  // free until the stage is solved
        d_ = T(0) * s_.k1;
        f_(k_, t_, s_.y + d_);
        V last = scalar_traits<V>::infinity;
        bool fresh = false;
        for (int i = 0; i < max_iterations_; ++i) {
            if (f_.failed()) return;
            if (!fresh) {
                if (!linearise(matrix)) return f_.fail(ode_status::not_converged);
                fresh = true;
                last = scalar_traits<V>::infinity;
            }
            step = g_ * k_ - d_;
            lu_solve<V>(matrix.entries(n), matrix.pivots(n), step);
            d_ = d_ + step;
            auto m = meter();
            for (std::size_t j = 0; j < n; ++j) m.add(largest_part(step[j]), largest_part(s_.y[j]) + largest_part(d_[j]));
            f_(k_, t_, s_.y + d_);
            V const change = m.largest;
            if (change <= settled) return;
            if (change >= last && last <= loose_) return;
            if (change > last / V(4) && change > rounding) fresh = false;
            last = change;
        }
        if (!(last <= loose_)) f_.fail(ode_status::not_converged);
    }

    // Factors of 1 - g df/dy at y + d, where k is already f.
    template <class Matrix>
    constexpr bool linearise(Matrix& matrix) {
        std::size_t const n = d_.size();
        auto const a = matrix.entries(n);
        auto const column = s_.y1;
        V largest{};
        for (std::size_t j = 0; j < n; ++j) largest = max(largest, abs(V(value(s_.y[j] + d_[j]))));
        V const g = value(g_);
        for (std::size_t j = 0; j < n; ++j) {
            E const at = d_[j];
            V size = max(abs(V(value(s_.y[j] + at))), abs(V(g * value(k_[j]))));
            if (!(size > V(0))) size = largest > V(0) ? largest : V(1);
            V const wanted = size * loose_;
            // What really is added, after rounding.
            d_[j] = at + wanted;
            V const added = V(value(s_.y[j] + d_[j])) - V(value(s_.y[j] + at));
            f_(column, t_, s_.y + d_);
            d_[j] = at;
            if (f_.failed() || !(abs(added) > V(0))) return false;
            for (std::size_t i = 0; i < n; ++i) a[i * n + j] = V(i == j ? 1 : 0) - g * (V(value(column[i])) - V(value(k_[i]))) / added;
        }
        return lu_factor<V>(a, matrix.pivots(n));
    }

    F& f_;
    Attempt const& s_;
    T t_, g_;
    state_view<E> d_, k_;
    int max_iterations_;
    V loose_;
};

/// Solves d = c h f(t + c h, y + d); k is left as f near the solution.
template <class F, class T, class E, class W>
constexpr void solve_implicit_stage(F& f, step_attempt<T, E, W> const& s, T const& c, state_view<E> d, state_view<E> k, int max_iterations) {
    implicit_stage<F, step_attempt<T, E, W>, T, E>(f, s, c, d, k, max_iterations).solve(s.workspace.matrix());
}

}  // namespace sinew::inline v0::detail

// ---- sinew/ode/implicit_euler.hpp
// Implicit Euler: y1 = y + h f(t + h, y1). Order 1.
//
// Damps whatever is fast against the step, for any step: what position-based dynamics does to a linear spring.

namespace sinew::inline v0 {

struct implicit_euler {
    static constexpr int order = 1;
    static constexpr std::size_t buffers = 2;
    /// The largest state that Newton's method is used for: its Jacobian takes newton_limit^2 numbers. A workspace of a
    /// type derived from this one, with 0 here, does without.
    static constexpr std::size_t newton_limit = 256;

    int max_iterations = 100;  ///< of either iteration

    /// Why its number cannot be.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return max_iterations > 0 ? input_fault{} : input_fault{"integrator.max_iterations", "must be positive", static_cast<double>(max_iterations)};
    }

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const d = s.stage(0), k = s.stage(1);
        detail::solve_implicit_stage(f, s, T(1), d, k, max_iterations);
        s.y1 = s.y + d;
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<implicit_euler, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0

// ---- sinew/ode/implicit_midpoint.hpp
// Implicit midpoint: y1 = y + h f(t + h/2, (y + y1)/2). Order 2.
//
// Keeps every quadratic invariant (energy of an oscillator, angular momentum, the norm of a quaternion) to rounding, is
// symplectic and symmetric, and stable at any step for a damped linear system, whose fast modes it does not damp.

namespace sinew::inline v0 {

struct implicit_midpoint {
    static constexpr int order = 2;
    static constexpr std::size_t buffers = 2;
    /// The largest state that Newton's method is used for: its Jacobian takes newton_limit^2 numbers. A workspace of a
    /// type derived from this one, with 0 here, does without.
    static constexpr std::size_t newton_limit = 256;

    int max_iterations = 100;  ///< of either iteration

    /// Why its number cannot be.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return max_iterations > 0 ? input_fault{} : input_fault{"integrator.max_iterations", "must be positive", static_cast<double>(max_iterations)};
    }

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const d = s.stage(0), k = s.stage(1);
        detail::solve_implicit_stage(f, s, T(1) / T(2), d, k, max_iterations);
        s.y1 = s.y + T(2) * d;
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<implicit_midpoint, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0

// ---- sinew/ode/step_control.hpp
// How long a step may be: parameters, the error measured against the tolerance, and the next step (Vondrak 2005, 2.2.3).
//
//   e      largest |error_i| / (absolute + relative max(|y_i|, |y1_i|)): the step is kept if e <= 1
//   h'     h safety e^(-1/(n + 1)), eq. 2.3, n the order; within the limits of growth
//
// With an embedded error the exponent also looks at the step before (PI control, Hairer, Norsett, Wanner IV.2, with the
// constants of their code DOPRI5), which makes the steps smoother.

namespace sinew::inline v0 {

enum class stepping : unsigned char {
    adaptive,  ///< as long as the tolerance allows
    fixed,     ///< of length initial_step; the last is shortened to end in time
};

/// What an ode_solver goes by. S is the built-in type of the scalar.
template <class S>
struct step_parameters {
    stepping mode = stepping::adaptive;
    S absolute_error = max(S(1e-6L), S(64) * epsilon_v<S>);  ///< local error tolerated, in the units of each state variable
    S relative_error = max(S(1e-6L), S(64) * epsilon_v<S>);  ///< besides, as a fraction of the variable
    S initial_step = S(0);                                   ///< s; 0: estimated. The step where it is fixed
    S min_step = S(0);                                       ///< s; 0: what the resolution of time allows
    S max_step = infinity_v<S>;                              ///< s
    S safety = S(0.9L);                                      ///< part of the step that eq. 2.3 would allow
    S max_growth = S(5);                                     ///< factor from one step to the next
    S max_shrink = S(5);                                     ///< likewise, dividing
    S event_tolerance = S(0);                                ///< s, width of the bracket of an event; 0: the resolution of time
    std::size_t max_steps = 0;                               ///< of one advance; 0: any number
    bool extrapolate = false;                                ///< with step doubling: adds the estimated error to the result
};

/// Steps of length h (s).
template <class S>
[[nodiscard]] constexpr step_parameters<S> fixed_steps(S h) noexcept {
    step_parameters<S> p;
    p.mode = stepping::fixed;
    p.initial_step = h;
    return p;
}
/// Steps as long as the local errors allow.
template <class S>
[[nodiscard]] constexpr step_parameters<S> adaptive_steps(S absolute_error, std::type_identity_t<S> relative_error) noexcept {
    step_parameters<S> p;
    p.absolute_error = absolute_error;
    p.relative_error = relative_error;
    return p;
}

/// Whether every parameter is in its range.
template <class S>
[[nodiscard]] constexpr bool is_valid(step_parameters<S> const& p) noexcept {
    auto const tolerance = [](S x) { return x >= S(0) && isfinite(x); };
    return tolerance(p.absolute_error) && tolerance(p.relative_error) && p.absolute_error + p.relative_error > S(0) && tolerance(p.initial_step) &&
           tolerance(p.min_step) && p.max_step > S(0) && p.min_step <= p.max_step && p.safety > S(0) && p.safety <= S(1) && p.max_growth > S(1) &&
           isfinite(p.max_growth) && p.max_shrink > S(1) && isfinite(p.max_shrink) && tolerance(p.event_tolerance);
}

namespace detail {

template <class S>
[[nodiscard]] constexpr S power(S x, S exponent) noexcept {
    return exp(exponent * log(x));
}

/// The largest error, each in units of what is tolerated. error is anything with elements.
template <class S, class E, class X>
[[nodiscard]] constexpr S scaled_error(step_parameters<S> const& p, X const& error, state_view<E> y, state_view<E> y1) {
    S largest(0);
    for (std::size_t i = 0; i < y.size(); ++i) {
        S const e = abs(S(value(error[i])));
        S const tolerated = p.absolute_error + p.relative_error * max(abs(S(value(y[i]))), abs(S(value(y1[i]))));
        S const ratio = e == S(0) ? S(0) : e / tolerated;
        if (isnan(ratio)) return ratio;
        largest = max(largest, ratio);
    }
    return largest;
}

/// Factor from one step to the next.
template <class S>
class growth_control {
public:
    constexpr void restart() noexcept {
        previous_ = S(1e-4L);
        rejected_ = false;
    }
    /// After a step with error e that is kept.
    [[nodiscard]] constexpr S accept(step_parameters<S> const& p, S e, int order, bool proportional) noexcept {
        S const x = max(e, S(1e-10L));
        S factor = p.safety * power(x, -exponent(order, proportional));
        if (proportional) factor *= power(previous_, S(0.04L));
        previous_ = max(e, S(1e-4L));
        // No growth right after a rejection: the same step would be rejected again.
        factor = min(max(factor, S(1) / p.max_shrink), rejected_ ? S(1) : p.max_growth);
        rejected_ = false;
        return factor;
    }
    /// After a step with error e that is taken back.
    [[nodiscard]] constexpr S reject(step_parameters<S> const& p, S e, int order, bool proportional) noexcept {
        rejected_ = true;
        if (!(e <= scalar_traits<S>::max)) return S(1) / p.max_shrink;
        return min(max(p.safety * power(max(e, S(1)), -exponent(order, proportional)), S(1) / p.max_shrink), p.safety);
    }

private:
    [[nodiscard]] static constexpr S exponent(int order, bool proportional) noexcept {
        return S(1) / S(order + 1) - (proportional ? S(0.03L) : S(0));
    }
    S previous_ = S(1e-4L);
    bool rejected_ = false;
};

/// How many steps of length h lead from a to b, and whether the last is as long as the others. 100 steps of 0.01 from 0
/// to 1 are 100, although 0.01 is no binary fraction.
struct step_count {
    std::uint64_t steps = 0;  ///< 0: more than can be counted
    bool whole = false;
};
template <class S>
[[nodiscard]] constexpr step_count count_steps(S a, S b, S h) noexcept {
    S const quotient = abs(b - a) / h;
    if (!(quotient < S(4.0e18L))) return {};
    auto n = static_cast<std::uint64_t>(quotient + S(0.5L));
    S const size = max(abs(a), abs(b));
    S const slack = min(S(0.25L), S(4) * epsilon_v<S> * (quotient + size / h));
    S const off = static_cast<S>(n) - quotient;
    if (n > 0 && abs(off) <= slack) return {n, true};
    if (off < S(0)) ++n;
    return {n > 0 ? n : 1, false};
}

}  // namespace detail

}  // namespace sinew::inline v0

// ---- sinew/ode/ode_solver.hpp
// Advances a problem in time with any integrator (Vondrak 2005, 2.3, 6.4.3 and 7.3.3): fixed or adaptive steps, location
// of events and of the boundary of valid states by bisection, transactions.
//
// A step is kept only if the problem accepts the state at its end. If it does not, or if an event lies on the way, the
// step is taken back and its end becomes a barrier: the next step goes half way to it. That is bisection, but every
// state kept was reached by a step with its error in bounds. If the problem changes its state on the way (an impulse),
// the barrier is forgotten and the solution goes on from the new state.

namespace sinew::inline v0 {

/// The problem is referred to, and must outlive the solver. After a change of its state from outside: restart.
template <class Integrator, class Problem>
class ode_solver {
    using S = typename Problem::scalar_type;
    using E = typename detail::problem_element<Problem>::type;
    static constexpr std::size_t max_dimension = detail::max_dimension_of<Problem>();
    static constexpr bool always_regular = detail::is_always_regular<Problem>();
    // Whether the derivative that an attempt ends with may serve as that of the state kept.
    static constexpr bool end_is_evaluated = has_end_derivative<Integrator> && (always_regular || !has_staged_derivative<Problem, S, E>);

public:
    using time_type = detail::built_in_t<S>;
    using report_type = ode_report<time_type>;
    using V = time_type;

    Integrator integrator;          ///< its tuning numbers: solver.integrator.max_iterations = 50
    step_parameters<V> parameters;  ///< may be changed between advances

    /// Starts from the problem's state at time t (s).
    constexpr explicit ode_solver(Problem& p, Integrator i = {}, step_parameters<V> const& parameters_ = {}, V t = V(0))
        : integrator(i), parameters(parameters_), problem_(&p), t_(t) {
        check_ode_problem<Problem, S, E>();
        static_assert(has_order<Integrator>, "sinew: an integrator needs static constexpr int order");
        static_assert(has_buffers<Integrator>, "sinew: an integrator needs static constexpr std::size_t buffers");
    }

    /// Starts anew from the problem's state at time t (s). What was learnt about the step is forgotten.
    constexpr ode_status restart(V t) {
        ready_ = false;
        h_ = V(0);
        control_.restart();
        t_ = t;
        if (!isfinite(t)) return ode_status::bad_time;
        w_.prepare(problem_->dimension());
        extra_.prepare(problem_->dimension());
        problem_->get_state(w_.y().span());
        if (!detail::is_finite(w_.y())) return ode_status::not_finite;
        has_derivative_ = false;
        if constexpr (!always_regular) {
            stage_evaluator<Problem, S, E> f(*problem_, w_.scratch());
            f.evaluate_installed(w_.k1(), static_cast<S>(t), state_kind::regular);
            early_evaluations_ += f.evaluations();
            if (f.failed()) return f.status();
            if (f.changed()) problem_->get_state(w_.y().span());
            if (!detail::is_finite(w_.y())) return ode_status::not_finite;
            has_derivative_ = true;
        }
        ready_ = true;
        return ode_status::ok;
    }

    /// Advances to t_end (s), which may lie in the past, or to the last state before something ends it. Events are made by
    /// stop_when and on_event.
    template <class... Events>
    constexpr report_type advance(V t_end, Events const&... events) {
        static_assert(sizeof...(Events) <= 64, "sinew: at most 64 events");
        report_type report;
        report.time = t_;
        ode_status const start = prepare(t_end);
        stage_evaluator<Problem, S, E> f(*problem_, w_.scratch());
        report.status = start == ode_status::ok ? run(f, report, t_end, events...) : start;
        if (ready_) problem_->set_state(std::span<E const>(w_.y().span()));
        report.time = t_;
        report.evaluations = f.evaluations() + early_evaluations_;
        early_evaluations_ = 0;
        return report;
    }

    /// All or nothing: advances to t_end, then asks for permission(report) to keep that. Otherwise the state and time of
    /// before are back, bit for bit, and the report tells why (aborted: no permission). The permission may be a
    /// transacted advance of another solver, so that several reach t_end together or not at all.
    template <class Permission, class... Events>
    constexpr report_type transacted_advance(V t_end, Permission&& permission, Events const&... events) {
        if (ode_status const s = prepare(t_end); s != ode_status::ok) {
            report_type failed;
            failed.status = s;
            failed.time = t_;
            failed.evaluations = early_evaluations_;
            early_evaluations_ = 0;
            return failed;
        }
        extra_.row(saved_y) = w_.y();
        extra_.row(saved_k) = w_.k1();
        V const t = t_, h = h_;
        auto const control = control_;
        bool const has_derivative = has_derivative_;
        report_type report = advance(t_end, events...);
        if (report.status == ode_status::ok) {
            if (permission(static_cast<report_type const&>(report))) return report;
            report.status = ode_status::aborted;
        }
        w_.y() = extra_.row(saved_y);
        w_.k1() = extra_.row(saved_k);
        t_ = t;
        h_ = h;
        control_ = control;
        has_derivative_ = has_derivative;
        problem_->set_state(std::span<E const>(w_.y().span()));
        report.time = t_;
        return report;
    }
    constexpr report_type transacted_advance(V t_end) {
        return transacted_advance(t_end, [](report_type const&) { return true; });
    }

    [[nodiscard]] constexpr V time() const noexcept { return t_; }            ///< s, reached
    [[nodiscard]] constexpr V next_step() const noexcept { return h_; }       ///< s, proposed by step control; 0 before it knows
    [[nodiscard]] constexpr Problem& problem() const noexcept { return *problem_; }

private:
    // Extra states: two half steps and one whole step, the derivative at the end, and what a transaction gives back.
    static constexpr std::size_t whole = 0, middle = 1, middle_k = 2, end_k = 3, saved_y = 4, saved_k = 5;

    constexpr ode_status prepare(V t_end) {
        if (!isfinite(t_end)) return ode_status::bad_time;
        if (parameters.mode == stepping::fixed && !(parameters.initial_step > V(0) && isfinite(parameters.initial_step))) return ode_status::bad_step;
        if (!is_valid(parameters) || (parameters.mode == stepping::adaptive && !scalar<E>)) return ode_status::bad_parameters;
        if (!ready_ || problem_->dimension() != w_.dimension()) return restart(t_);
        return ode_status::ok;
    }

    // A flat state as event functions see it.
    constexpr decltype(auto) seen(state_view<E> y) {
        std::span<E const> const numbers(y.span());
        if constexpr (requires { problem_->view(numbers); })
            return problem_->view(numbers);
        else
            return numbers;
    }

    // Where an advance goes and what is in its way.
    struct course {
        V start, end, direction;
        V tick;       // changes of the time below this are rounding
        V floor;      // the smallest step
        V tolerance;  // width of the bracket of an event
        detail::step_count grid{};
        std::uint64_t at = 0;  // grid points passed
        bool blocked = false;  // something lies between here and the barrier
        V barrier{};
    };
    struct stride {
        V length, end;
        bool free;  // nothing but step control has limited its length
    };

    [[nodiscard]] constexpr course course_to(V t_end) const noexcept {
        V const tick = V(4) * epsilon_v<V> * max(abs(t_), abs(t_end));
        return {t_, t_end, t_end < t_ ? V(-1) : V(1), tick, max(parameters.min_step, tick), max(parameters.event_tolerance, tick)};
    }

    // How far to go next.
    [[nodiscard]] constexpr stride next_stride(course& c) const noexcept {
        stride s{};
        if (parameters.mode == stepping::adaptive) {
            V const left = abs(c.end - t_);
            s = {min(h_, parameters.max_step), V(0), true};
            if (s.length >= left)
                s = {left, V(0), false};
            else if (s.length > left / V(2))
                s = {left / V(2), V(0), false};  // two alike instead of a long one and a short one
            s.end = s.length == left ? c.end : t_ + c.direction * s.length;
        } else {
            auto const point = [&c, this](std::uint64_t k) {
                return k >= c.grid.steps ? c.end : c.start + c.direction * (static_cast<V>(k) * parameters.initial_step);
            };
            while (c.at + 1 < c.grid.steps && c.direction * (point(c.at + 1) - t_) <= V(0)) ++c.at;
            bool const full = t_ == point(c.at) && (c.at + 1 < c.grid.steps || c.grid.whole);
            s.end = point(c.at + 1);
            s.length = full ? parameters.initial_step : abs(s.end - t_);
        }
        if (c.blocked) {
            V const gap = abs(c.barrier - t_);
            bool const narrow = gap <= c.tolerance;
            V const part = narrow ? gap : gap / V(2);
            if (part < s.length) s = {part, narrow ? c.barrier : t_ + c.direction * part, false};
        }
        return s;
    }

    // The stride ended where the solution may not go. False if it was so short that this is known well enough.
    constexpr bool turn_back(course& c, stride const& s, report_type& report) const noexcept {
        ++report.rejections;
        if (s.length <= c.tolerance) {
            report.event_begin = t_;
            report.event_end = s.end;
            return false;
        }
        c.blocked = true;
        c.barrier = s.end;
        return true;
    }
    // The stride was too long. False if there is no shorter one.
    constexpr bool shorten(course const& c, stride const& s, V factor, report_type& report) noexcept {
        ++report.rejections;
        if (s.length <= c.floor) return false;
        h_ = max(s.length * factor, c.floor);
        return true;
    }

    template <class F, class... Events>
    constexpr ode_status run(F& f, report_type& report, V t_end, Events const&... events) {
        bool const adaptive = parameters.mode == stepping::adaptive;
        course c = course_to(t_end);
        if (!adaptive && t_ != t_end) {
            c.grid = detail::count_steps(t_, t_end, parameters.initial_step);
            if (c.grid.steps == 0 || (c.grid.steps > 1 && !(parameters.initial_step > c.tick))) return ode_status::step_too_small;
        }
        detail::event_watch<V, Events...> watch(events...);
        if (!watch.start(static_cast<S>(t_), seen(w_.y()))) return ode_status::not_finite;

        while (t_ != t_end) {
            if (parameters.max_steps != 0 && report.steps >= parameters.max_steps) return ode_status::too_many_steps;
            if (!has_derivative_) {
                problem_->set_state(std::span<E const>(w_.y().span()));
                f.evaluate_installed(w_.k1(), static_cast<S>(t_), state_kind::regular);
                if (f.failed()) return f.status();
                has_derivative_ = true;
            }
            if (adaptive && !(h_ > V(0))) h_ = max(first_step(f, c.direction, abs(t_end - t_)), c.floor);
            stride const s = next_stride(c);
            if (s.end == t_) return ode_status::step_too_small;

            V error{};
            bool changed = false;
            ode_status status = attempt(f, c.direction * s.length, error);
            if (status == ode_status::ok && adaptive && !(error <= V(1))) {
                if (!shorten(c, s, control_.reject(parameters, error, error_order, has_embedded_error<Integrator>), report)) return ode_status::step_too_small;
                continue;
            }
            if (status == ode_status::ok) {
                if (!watch.look_ahead(static_cast<S>(s.end), seen(w_.y1()))) return ode_status::not_finite;
                if (watch.crossed() != 0 && (s.length > c.tolerance || watch.stops())) {
                    if (turn_back(c, s, report)) continue;
                    note_events(report, watch.crossed(), s);
                    return ode_status::event;
                }
                status = evaluate_end(f, s.end, changed);
            }
            if (status == ode_status::invalid_state) {
                if (!turn_back(c, s, report)) return status;
                continue;
            }
            if (status != ode_status::ok) {
                if (!adaptive || status == ode_status::no_split || !shorten(c, s, V(0.25L), report)) return status;
                continue;
            }

            // Keep it.
            if (watch.crossed() != 0) note_events(report, watch.crossed(), s);
            watch.pass(static_cast<S>(t_), [&]() -> decltype(auto) { return seen(w_.y()); });
            w_.y() = w_.y1();
            has_derivative_ = end_is_evaluated || !always_regular;
            if (has_derivative_) w_.k1() = extra_.row(end_k);
            t_ = s.end;
            ++report.steps;
            if (!c.blocked) report.smallest_step = report.steps > 1 ? min(report.smallest_step, s.length) : s.length;
            if (adaptive) {
                V const grown = s.length * control_.accept(parameters, error, error_order, has_embedded_error<Integrator>);
                if (s.free) h_ = max(grown, c.floor);
            }
            if (changed || c.direction * (c.barrier - t_) <= V(0)) c.blocked = false;
            if (changed && !watch.start(static_cast<S>(t_), seen(w_.y()))) return ode_status::not_finite;
        }
        return ode_status::ok;
    }

    // The state at the end of a step, as one to be kept: its derivative, and what the problem makes of it.
    template <class F>
    constexpr ode_status evaluate_end(F& f, V t, bool& changed) {
        if constexpr (end_is_evaluated) {
            extra_.row(end_k) = w_.stage(Integrator::end_derivative_buffer);
        } else if constexpr (!always_regular) {
            problem_->set_state(std::span<E const>(w_.y1().span()));
            f.evaluate_installed(extra_.row(end_k), static_cast<S>(t), state_kind::regular);
        } else {
            return ode_status::ok;
        }
        ode_status const status = f.status();
        f.forgive();
        changed = !always_regular && status == ode_status::ok && f.changed();
        if (changed) {
            problem_->get_state(w_.y1().span());
            if (!detail::is_finite(w_.y1())) return ode_status::not_finite;
        }
        return status;
    }

    // One step of length h, kept in y1; with its error if the steps are adaptive.
    template <class F>
    constexpr ode_status attempt(F& f, V h, V& error) {
        using workspace = decltype(w_);
        step_attempt<V, E, workspace> const full{t_, h, w_.y(), w_.k1(), w_.y1(), w_};
        integrator.attempt(f, full);
        if constexpr (scalar<E>) {
            if (parameters.mode == stepping::adaptive && !f.failed()) {
                if constexpr (has_embedded_error<Integrator>) {
                    error = detail::scaled_error(parameters, w_.stage(Integrator::error_buffer), w_.y(), w_.y1());
                } else {
                    // Step doubling: the whole step against two halves; the latter are kept.
                    V const half = h / V(2);
                    extra_.row(whole) = w_.y1();
                    step_attempt<V, E, workspace> const first{t_, half, w_.y(), w_.k1(), extra_.row(middle), w_};
                    integrator.attempt(f, first);
                    f(extra_.row(middle_k), t_ + half, extra_.row(middle));
                    step_attempt<V, E, workspace> const second{t_ + half, half, extra_.row(middle), extra_.row(middle_k), w_.y1(), w_};
                    if (!f.failed()) integrator.attempt(f, second);
                    error = detail::scaled_error(parameters, w_.y1() - extra_.row(whole), w_.y(), w_.y1());
                    if (parameters.extrapolate) {
                        V power_of_two(1);
                        for (int i = 0; i < Integrator::order; ++i) power_of_two *= V(2);
                        w_.y1() = w_.y1() + (V(1) / (power_of_two - V(1))) * (w_.y1() - extra_.row(whole));
                    }
                }
            }
        }
        if (!f.failed() && !detail::is_finite(w_.y1())) f.fail(ode_status::not_finite);
        ode_status const s = f.status();
        f.forgive();
        return s;
    }

    // A first step from the sizes of y, y' and y'' (Hairer, Norsett, Wanner II.4). One evaluation.
    template <class F>
    constexpr V first_step(F& f, V direction, V left) {
        V const bound = min(left, parameters.max_step);
        if (parameters.initial_step > V(0)) return min(parameters.initial_step, bound);
        if constexpr (scalar<E>) {
            auto const y = w_.y(), k = w_.k1(), k2 = extra_.row(middle_k);
            V const d0 = detail::scaled_error(parameters, y, y, y), d1 = detail::scaled_error(parameters, k, y, y);
            V h0 = d0 < V(1e-5L) || d1 < V(1e-5L) ? V(1e-6L) : V(0.01L) * d0 / d1;
            h0 = min(h0, bound);
            f(k2, t_ + direction * h0, y + direction * h0 * k);
            if (f.failed()) {
                f.forgive();
                return h0;
            }
            V const d2 = detail::scaled_error(parameters, k2 - k, y, y) / h0;
            V const steepest = max(d1, d2);
            V const h1 = steepest <= V(1e-15L) ? max(V(1e-6L), h0 * V(1e-3L)) : detail::power(V(0.01L) / steepest, V(1) / V(Integrator::order + 1));
            return min(min(V(100) * h0, h1), bound);
        } else {
            return bound;
        }
    }

    constexpr void note_events(report_type& report, std::uint64_t crossed, stride const& s) const noexcept {
        report.event_mask = crossed;
        report.event_index = static_cast<std::size_t>(std::countr_zero(crossed));
        report.events += static_cast<std::size_t>(std::popcount(crossed));
        report.event_begin = t_;
        report.event_end = s.end;
    }

    static constexpr int error_order = [] {
        if constexpr (has_embedded_error<Integrator>)
            return Integrator::error_order;
        else
            return Integrator::order;
    }();

    Problem* problem_;
    ode_workspace<Integrator, E, max_dimension> w_{};
    detail::state_rows<E, 6, max_dimension> extra_{};
    V t_, h_{};
    detail::growth_control<V> control_{};
    std::size_t early_evaluations_ = 0;
    bool has_derivative_ = false;
    bool ready_ = false;
};

}  // namespace sinew::inline v0

// ---- sinew/ode/integrate.hpp
// Anybody's ODE in one line: sinew::integrate(sinew::rk4{}, f, y0, t0, t1, h).

namespace sinew::inline v0 {

/// The state reached, and what it took.
template <class Y, class S>
struct integration {
    Y y;
    ode_report<S> report;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return static_cast<bool>(report); }
};

namespace detail {

// The built-in type of time of a state Y, times given as T.
template <class Y, class T>
using integration_time_t = built_in_t<typename state_access<Y, T>::time>;

template <class T, class Integrator, class F, class Y, class V, class... Events>
[[nodiscard]] constexpr integration<Y, V> integrate_function(Integrator const& method, F& f, Y const& y0, V t0, V t1, step_parameters<V> const& parameters,
                                                             Events const&... events) {
    using problem_type = function_problem<F&, Y, T>;
    problem_type problem(f, y0);
    ode_solver<Integrator, problem_type> solver(problem, method, parameters, t0);
    auto const report = solver.advance(t1, events...);
    return {problem.y, report};
}

}  // namespace detail

/// Integrates y' = f(t, y) from t0 to t1 in steps of h; the last is shortened to end at t1, and t1 < t0 goes back in
/// time. What y and f may be: see function_problem. If it does not end well, y is the last good state.
template <class Integrator, class F, class Y, class T0, class T1, class H, class... Events>
    requires std::convertible_to<H, detail::integration_time_t<Y, std::common_type_t<T0, T1, H>>>
[[nodiscard]] constexpr auto integrate(Integrator const& method, F f, Y const& y0, T0 t0, T1 t1, H h, Events const&... events) {
    using T = std::common_type_t<T0, T1, H>;
    using V = detail::integration_time_t<Y, T>;
    return detail::integrate_function<T>(method, f, y0, static_cast<V>(t0), static_cast<V>(t1), fixed_steps(static_cast<V>(h)), events...);
}

/// As above with the steps that the parameters ask for: adaptive_steps(1e-9, 1e-9).
template <class Integrator, class F, class Y, class T0, class T1, class V, class... Events>
[[nodiscard]] constexpr auto integrate(Integrator const& method, F f, Y const& y0, T0 t0, T1 t1, step_parameters<V> const& parameters, Events const&... events) {
    static_assert(std::same_as<V, detail::integration_time_t<Y, V>>, "sinew: the step parameters are of another type than the state's numbers");
    return detail::integrate_function<V>(method, f, y0, static_cast<V>(t0), static_cast<V>(t1), parameters, events...);
}

}  // namespace sinew::inline v0

// ---- sinew/ode/midpoint.hpp
// Explicit midpoint (Vondrak 2005, 2.2.2): half an Euler step, then a full step with the derivative found there. Order 2.

namespace sinew::inline v0 {

struct midpoint {
    static constexpr int order = 2;
    static constexpr std::size_t buffers = 1;

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const& [t, h, y, k1, y1, w] = s;
        T const half = h / T(2);
        auto const k2 = s.stage(0);
        f(k2, t + half, y + half * k1);
        y1 = y + h * k2;
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<midpoint, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0

// ---- sinew/ode/rk4.hpp
// The classical Runge-Kutta method (Vondrak 2005, 2.2.2). Order 4.
//
//   k1 = f(t, y)                  k2 = f(t + h/2, y + h/2 k1)
//   k3 = f(t + h/2, y + h/2 k2)   k4 = f(t + h, y + h k3)      y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4)

namespace sinew::inline v0 {

struct rk4 {
    static constexpr int order = 4;
    static constexpr std::size_t buffers = 3;

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const& [t, h, y, k1, y1, w] = s;
        T const half = h / T(2);
        auto const k2 = s.stage(0), k3 = s.stage(1), k4 = s.stage(2);
        f(k2, t + half, y + half * k1);
        f(k3, t + half, y + half * k2);
        f(k4, t + h, y + h * k3);
        y1 = y + h / T(6) * (k1 + T(2) * (k2 + k3) + k4);
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<rk4, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0

// ---- sinew/ode/symplectic_euler.hpp
// Symplectic Euler: velocities by the forces of now, then positions by the new velocities. Order 1.
//
//   v1 = v + h a(t, q, v)       q1 = q + h q'(t + h, q, v1)
//
// For a separable system the energy error stays bounded for ever. The state is (q, v): the first split() numbers are
// positions. Where the positions' rate is not given apart, a step takes two evaluations.

namespace sinew::inline v0 {

struct symplectic_euler {
    static constexpr int order = 1;
    static constexpr std::size_t buffers = 1;

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const& [t, h, y, k1, y1, w] = s;
        if (!f.has_halves()) return f.fail(ode_status::no_split);
        std::size_t const m = f.split();
        auto const k2 = s.stage(0);
        y1.first(m) = y.first(m);
        y1.from(m) = y.from(m) + h * k1.from(m);
        f.positions(k2, t + h, y1);
        y1.first(m) = y.first(m) + h * k2.first(m);
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<symplectic_euler, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0

// ---- sinew/ode/velocity_verlet.hpp
// Velocity Verlet: half a kick, a drift, half a kick. Order 2, symplectic where forces depend on positions alone.
//
//   u = v + h/2 a(t, q, v)      q1 = q + h q'(t + h/2, q, u)      v1 = u + h/2 a(t + h, q1, u + h/2 a(t, q, v))
//
// The last force is taken at the predicted velocity, so that the order holds with forces that depend on it (drag).
// The state is (q, v), as for symplectic_euler.

namespace sinew::inline v0 {

struct velocity_verlet {
    static constexpr int order = 2;
    static constexpr std::size_t buffers = 2;

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const& [t, h, y, k1, y1, w] = s;
        if (!f.has_halves()) return f.fail(ode_status::no_split);
        std::size_t const m = f.split();
        T const half = h / T(2);
        auto const k2 = s.stage(0), u = s.stage(1);
        u.first(m) = y.first(m);
        u.from(m) = y.from(m) + half * k1.from(m);
        f.positions(k2, t + half, u);
        y1.first(m) = y.first(m) + h * k2.first(m);
        y1.from(m) = u.from(m) + half * k1.from(m);
        f(k2, t + h, y1);
        y1.from(m) = u.from(m) + half * k2.from(m);
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<velocity_verlet, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0

// ---- sinew/linear/dense.hpp
// Cholesky and L D L^T of a dense symmetric matrix whose size is known at run time.
//
// The matrix is a span of n * n numbers, row by row; only the lower triangle is read and written. Nothing allocates.

namespace sinew::inline v0 {

/// How a factorisation ended: `rank` of `n` pivots were usable; the rest were set aside (their unknowns become 0).
struct factor_report {
    std::size_t size = 0;
    std::size_t rank = 0;
    [[nodiscard]] constexpr bool full_rank() const noexcept { return rank == size; }
};

/// A = L L^T in place. A pivot at or below `relative_floor` times the row's own diagonal is a redundant row: it is set
/// aside. The diagonal then holds 1 / L_ii, or 0 for such a row.
template <class S>
constexpr factor_report cholesky_factor(std::span<S> a, std::size_t n, std::type_identity_t<S> const& relative_floor) noexcept {
    factor_report report{n, 0};
    for (std::size_t j = 0; j < n; ++j) {
        S* const row = &a[j * n];
        S const own = row[j];
        for (std::size_t k = 0; k < j; ++k) {
            S const* const rk = &a[k * n];
            S s = row[k];
            for (std::size_t i = 0; i < k; ++i) s = s - row[i] * rk[i];
            row[k] = s * rk[k];
        }
        S d = own;
        for (std::size_t k = 0; k < j; ++k) d = d - row[k] * row[k];
        auto const lost = d <= own * relative_floor;
        row[j] = select(lost, S(0), S(1) / sqrt(select(lost, S(1), d)));
        report.rank += any(lost) ? 0 : 1;
    }
    return report;
}

/// x with L L^T x = b, in place.
template <class S>
constexpr void cholesky_solve(std::span<S const> l, std::size_t n, std::span<S> b) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
        S s = b[i];
        for (std::size_t k = 0; k < i; ++k) s = s - l[i * n + k] * b[k];
        b[i] = s * l[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        b[i] = b[i] * l[i * n + i];
        for (std::size_t k = 0; k < i; ++k) b[k] = b[k] - l[i * n + k] * b[i];
    }
}

/// A = L D L^T in place, for a definite A of either sign or a quasi-definite one: L below the diagonal, 1 / D on it.
template <class S>
constexpr factor_report ldlt_factor(std::span<S> a, std::size_t n, std::type_identity_t<S> const& relative_floor) noexcept {
    factor_report report{n, 0};
    for (std::size_t j = 0; j < n; ++j) {
        S* const row = &a[j * n];
        S const own = abs(row[j]);
        // Row j holds L D up to column j.
        for (std::size_t k = 0; k < j; ++k)
            for (std::size_t i = 0; i < k; ++i) row[k] = row[k] - row[i] * a[k * n + i];
        S d = row[j];
        for (std::size_t k = 0; k < j; ++k) {
            S const ld = row[k];
            row[k] = ld * a[k * n + k];
            d = d - ld * row[k];
        }
        auto const lost = abs(d) <= own * relative_floor;
        row[j] = select(lost, S(0), S(1) / select(lost, S(1), d));
        report.rank += any(lost) ? 0 : 1;
    }
    return report;
}

/// x with L D L^T x = b, in place.
template <class S>
constexpr void ldlt_solve(std::span<S const> l, std::size_t n, std::span<S> b) noexcept {
    for (std::size_t i = 1; i < n; ++i)
        for (std::size_t k = 0; k < i; ++k) b[i] = b[i] - l[i * n + k] * b[k];
    for (std::size_t i = 0; i < n; ++i) b[i] = b[i] * l[i * n + i];
    for (std::size_t i = n; i-- > 0;)
        for (std::size_t k = 0; k < i; ++k) b[k] = b[k] - l[i * n + k] * b[i];
}

}  // namespace sinew::inline v0

// ---- sinew/linear/small_ldlt.hpp
// L D L^T of a small symmetric matrix whose size is known at compile time: the effective mass of one constraint.
//
// Without square roots and without branches, so that it runs on SIMD lanes. A pivot that is lost in rounding belongs
// to a row that nothing can move, or that repeats others: its reciprocal is taken as 0, so that the row gets no
// multiplier instead of an infinite one.

namespace sinew::inline v0 {

/// Factors of A = L D L^T: L unit lower triangular below the diagonal, 1 / D on it.
template <class S, std::size_t N>
struct small_ldlt {
    mat<S, N, N> l;

    constexpr explicit small_ldlt(mat<S, N, N> const& a) noexcept : l(a) {
        // What rounding leaves of a pivot is a share of its own diagonal: rows have different units, 1/kg and 1/(kg m^2).
        S const rounding = epsilon_v<S> * S(value_type_t<S>(4 * N));
        for (std::size_t j = 0; j < N; ++j) {
            // First row j of L D, then of L.
            for (std::size_t i = 1; i < j; ++i)
                for (std::size_t k = 0; k < i; ++k) l(j, i) = l(j, i) - l(j, k) * l(i, k);
            S d = l(j, j);
            for (std::size_t k = 0; k < j; ++k) {
                S const ld = l(j, k);
                l(j, k) = ld * l(k, k);
                d = d - ld * l(j, k);
            }
            auto const lost = d <= a(j, j) * rounding;
            l(j, j) = select(lost, S(0), S(1) / select(lost, S(1), d));
        }
    }

    /// x with A x = b.
    [[nodiscard]] constexpr vec<S, N> solve(vec<S, N> b) const noexcept {
        for (std::size_t i = 1; i < N; ++i)
            for (std::size_t k = 0; k < i; ++k) b[i] = b[i] - l(i, k) * b[k];
        for (std::size_t i = 0; i < N; ++i) b[i] = b[i] * l(i, i);
        for (std::size_t i = N; i-- > 0;)
            for (std::size_t k = i + 1; k < N; ++k) b[i] = b[i] - l(k, i) * b[k];
        return b;
    }
};

template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> solve_spd(mat<S, N, N> const& a, vec<S, N> const& b) noexcept {
    if constexpr (N == 1) {
        auto const lost = a.e[0] <= S(0);
        return {select(lost, S(0), b.e[0] / select(lost, S(1), a.e[0]))};
    } else {
        return small_ldlt<S, N>(a).solve(b);
    }
}

/// A^-1, column by column.
template <class S, std::size_t N>
[[nodiscard]] constexpr mat<S, N, N> inverse_spd(mat<S, N, N> const& a) noexcept {
    mat<S, N, N> r{};
    small_ldlt<S, N> const f(a);
    for (std::size_t j = 0; j < N; ++j) {
        vec<S, N> e{};
        e[j] = S(1);
        vec<S, N> const x = f.solve(e);
        for (std::size_t i = 0; i < N; ++i) r(i, j) = x[i];
    }
    return r;
}

}  // namespace sinew::inline v0

// ---- sinew/body/twist.hpp
// Twist and wrench of a rigid body: six numbers each, world frame, about the centre of mass.

namespace sinew::inline v0 {

/// Velocity of the centre of mass (m/s) and world angular velocity (rad/s). Power is dot(wrench, twist).
template <class S>
struct twist {
    using scalar_type = S;
    vec3<S> linear{S(0), S(0), S(0)};   ///< m/s
    vec3<S> angular{S(0), S(0), S(0)};  ///< rad/s

    [[nodiscard]] friend constexpr bool operator==(twist const&, twist const&) = default;
    [[nodiscard]] friend constexpr twist operator+(twist const& a, twist const& b) noexcept {
        return {a.linear + b.linear, a.angular + b.angular};
    }
    [[nodiscard]] friend constexpr twist operator*(S const& k, twist const& a) noexcept { return {k * a.linear, k * a.angular}; }
};

/// Force (N) and torque about the centre of mass (N m).
template <class S>
struct wrench {
    using scalar_type = S;
    vec3<S> force{S(0), S(0), S(0)};   ///< N
    vec3<S> torque{S(0), S(0), S(0)};  ///< N m

    constexpr wrench& operator+=(wrench const& b) noexcept {
        force += b.force;
        torque += b.torque;
        return *this;
    }
    [[nodiscard]] friend constexpr bool operator==(wrench const&, wrench const&) = default;
    [[nodiscard]] friend constexpr wrench operator+(wrench a, wrench const& b) noexcept { return a += b; }
    [[nodiscard]] friend constexpr wrench operator-(wrench const& a) noexcept { return {-a.force, -a.torque}; }
    [[nodiscard]] friend constexpr wrench operator*(S const& k, wrench const& a) noexcept { return {k * a.force, k * a.torque}; }
};

template <class S>
[[nodiscard]] constexpr S dot(wrench<S> const& w, twist<S> const& t) noexcept {
    return dot(w.force, t.linear) + dot(w.torque, t.angular);
}

/// The wrench of a force (N) that acts at world point p (m) on a body whose centre of mass is at x (m).
template <class S>
[[nodiscard]] constexpr wrench<S> force_at(vec3<S> const& force, vec3<S> const& p, vec3<S> const& x) noexcept {
    return {force, cross(p - x, force)};
}

}  // namespace sinew::inline v0

// ---- sinew/body/body.hpp
// Rigid bodies and particles: what they are made of, how they move, and how a constraint or force sees them.
//
// A body kind says how many degrees of freedom a body has. Constraints and forces name the kinds that they bind.

namespace sinew::inline v0 {

/// Kind of a rigid body: 6 degrees of freedom, (linear, angular).
struct rigid {
    static constexpr std::size_t dof = 6;
};
/// Kind of a particle, a point with mass: 3 degrees of freedom.
struct point_mass {
    static constexpr std::size_t dof = 3;
};

template <class K>
inline constexpr bool is_body_kind_v = std::same_as<K, rigid> || std::same_as<K, point_mass>;

/// The list of body kinds that a constraint or a force acts on: binds<rigid, rigid>, binds<point_mass, rigid, rigid>, ...
template <class... Kinds>
struct binds {
    static constexpr std::size_t size = sizeof...(Kinds);
    static constexpr std::size_t dof = (Kinds::dof + ... + 0);
    template <std::size_t I>
    using kind = std::tuple_element_t<I, std::tuple<Kinds...>>;
    /// First column of attachment i in the rows of a Jacobian.
    [[nodiscard]] static constexpr std::size_t offset(std::size_t i) noexcept {
        std::size_t const dofs[] = {Kinds::dof..., 0};
        std::size_t at = 0;
        for (std::size_t k = 0; k < i; ++k) at += dofs[k];
        return at;
    }
};

/// A rigid body: mass and inertia are constant, pose and twist move.
template <class S, class R = quaternion<S>>
struct rigid_body {
    using scalar_type = S;
    using kind = rigid;
    S mass{1};                                   ///< kg
    sym3<S> inertia = diagonal(S(1), S(1), S(1));  ///< kg m^2, about the centre of mass, body axes
    sinew::pose<S, R> pose{};                    ///< of the centre of mass
    sinew::twist<S> twist{};                     ///< world frame

    [[nodiscard]] friend constexpr bool operator==(rigid_body const&, rigid_body const&) = default;
};

/// A point with mass.
template <class S>
struct particle {
    using scalar_type = S;
    using kind = point_mass;
    S mass{1};                              ///< kg
    vec3<S> position{S(0), S(0), S(0)};     ///< m
    vec3<S> velocity{S(0), S(0), S(0)};     ///< m/s

    [[nodiscard]] friend constexpr bool operator==(particle const&, particle const&) = default;
};

/// Inertia seen from the world: R I R^T (Waterson 2026, eq. 3.19).
template <class S, class R>
[[nodiscard]] constexpr sym3<S> world_inertia(sym3<S> const& body_inertia, R const& rotation) noexcept {
    return congruence(to_matrix(rotation), body_inertia);
}

/// Kinetic energy (J).
template <class S, class R>
[[nodiscard]] constexpr S kinetic_energy(rigid_body<S, R> const& b) noexcept {
    vec3<S> const w = b.pose.local_direction(b.twist.angular);
    return (b.mass * squared_norm(b.twist.linear) + dot(w, b.inertia * w)) * (S(1) / S(2));
}
template <class S>
[[nodiscard]] constexpr S kinetic_energy(particle<S> const& b) noexcept {
    return b.mass * squared_norm(b.velocity) * (S(1) / S(2));
}

/// Linear momentum (kg m/s).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> linear_momentum(rigid_body<S, R> const& b) noexcept {
    return b.mass * b.twist.linear;
}
template <class S>
[[nodiscard]] constexpr vec3<S> linear_momentum(particle<S> const& b) noexcept {
    return b.mass * b.velocity;
}

/// Angular momentum about the centre of mass (kg m^2/s), world frame.
template <class S, class R>
[[nodiscard]] constexpr vec3<S> spin(rigid_body<S, R> const& b) noexcept {
    return b.pose.direction(b.inertia * b.pose.local_direction(b.twist.angular));
}

/// Angular momentum about the world's origin (kg m^2/s).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> angular_momentum(rigid_body<S, R> const& b) noexcept {
    return cross(b.pose.position, b.mass * b.twist.linear) + spin(b);
}
template <class S>
[[nodiscard]] constexpr vec3<S> angular_momentum(particle<S> const& b) noexcept {
    return cross(b.position, b.mass * b.velocity);
}

}  // namespace sinew::inline v0

// ---- sinew/body/body_point.hpp
// A point of a body, whichever kind the body is: where it is, how fast, and what a force there does.
//
// A particle has one point, itself: its anchors are ignored, and no force has a lever on it.

namespace sinew::inline v0 {

/// Centre of mass (m, world).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> center_of(rigid_body<S, R> const& b) noexcept {
    return b.pose.position;
}
template <class S>
[[nodiscard]] constexpr vec3<S> center_of(particle<S> const& b) noexcept {
    return b.position;
}

/// Velocity of the centre of mass (m/s, world).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> velocity_of(rigid_body<S, R> const& b) noexcept {
    return b.twist.linear;
}
template <class S>
[[nodiscard]] constexpr vec3<S> velocity_of(particle<S> const& b) noexcept {
    return b.velocity;
}

/// Angular velocity (rad/s, world). A particle has none.
template <class S, class R>
[[nodiscard]] constexpr vec3<S> angular_velocity_of(rigid_body<S, R> const& b) noexcept {
    return b.twist.angular;
}
template <class S>
[[nodiscard]] constexpr vec3<S> angular_velocity_of(particle<S> const&) noexcept {
    return {S(0), S(0), S(0)};
}

/// World position (m) of the anchor r (m, body frame).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> anchor_of(rigid_body<S, R> const& b, vec3<S> const& r) noexcept {
    return b.pose.point(r);
}
template <class S>
[[nodiscard]] constexpr vec3<S> anchor_of(particle<S> const& b, vec3<S> const&) noexcept {
    return b.position;
}

/// Velocity (m/s) of the body's material at world point p (m).
template <class S, class R>
[[nodiscard]] constexpr vec3<S> velocity_at(rigid_body<S, R> const& b, vec3<S> const& p) noexcept {
    return b.twist.linear + cross(b.twist.angular, p - b.pose.position);
}
template <class S>
[[nodiscard]] constexpr vec3<S> velocity_at(particle<S> const& b, vec3<S> const&) noexcept {
    return b.velocity;
}

/// The wrench of a force (N, world) that acts on the body at world point p (m).
template <class S, class R>
[[nodiscard]] constexpr wrench<S> wrench_at(rigid_body<S, R> const& b, vec3<S> const& force, vec3<S> const& p) noexcept {
    return force_at(force, p, b.pose.position);
}
template <class S>
[[nodiscard]] constexpr wrench<S> wrench_at(particle<S> const&, vec3<S> const& force, vec3<S> const&) noexcept {
    return {force, {S(0), S(0), S(0)}};
}

}  // namespace sinew::inline v0

// ---- sinew/body/parameter_fault.hpp
// The checks that forces and constraints make of their own fields, for their fault(). A world refuses what finds one.
//
//   return first_fault(finite_parameter("anchor", anchor), nonnegative_parameter("stiffness", stiffness));

namespace sinew::inline v0 {

namespace detail {
template <class S>
[[nodiscard]] constexpr double fault_value(S const& x) noexcept {
    if constexpr (requires { static_cast<double>(value(x)); })
        return static_cast<double>(value(x));
    else
        return 0;
}
}  // namespace detail

/// x must be a number.
template <scalar S>
[[nodiscard]] constexpr input_fault finite_parameter(char const* name, S const& x) noexcept {
    return all(isfinite(x)) ? input_fault{} : input_fault{name, "must be finite", detail::fault_value(x)};
}
template <class S, std::size_t N>
[[nodiscard]] constexpr input_fault finite_parameter(char const* name, vec<S, N> const& v) noexcept {
    for (S const& x : v.e)
        if (!all(isfinite(x))) return finite_parameter(name, x);
    return {};
}
/// x must be a number, and not below zero.
template <scalar S>
[[nodiscard]] constexpr input_fault nonnegative_parameter(char const* name, S const& x) noexcept {
    bool const fine = all(isfinite(x)) && all(x >= S(0));
    return fine ? input_fault{} : input_fault{name, "must be finite and not negative", detail::fault_value(x)};
}
/// x must not be below zero; it may be infinite, as the strength of a motor without bound is.
template <class S>
[[nodiscard]] constexpr input_fault magnitude_parameter(char const* name, S const& x) noexcept {
    if (!all(x == x)) return {name, "must be a number", detail::fault_value(x)};
    return all(x >= S(0)) ? input_fault{} : input_fault{name, "must not be negative", detail::fault_value(x)};
}
/// v must have length 1. Directions that were normalised in the scalar at hand pass.
template <class S>
[[nodiscard]] constexpr input_fault unit_parameter(char const* name, vec3<S> const& v) noexcept {
    S const length = norm(v);
    return all(abs(length - S(1)) <= sqrt(epsilon_v<S>)) ? input_fault{} : input_fault{name, "must have length 1 (its maker `at` normalises); its length", detail::fault_value(length)};
}
/// v must be perpendicular to the axis; both are unit vectors.
template <class S>
[[nodiscard]] constexpr input_fault perpendicular_parameter(char const* name, vec3<S> const& v, vec3<S> const& axis) noexcept {
    S const cosine = dot(v, axis);
    return all(abs(cosine) <= sqrt(epsilon_v<S>)) ? input_fault{} : input_fault{name, "must be perpendicular to its axis; their dot product", detail::fault_value(cosine)};
}
/// v must be a direction.
template <class S>
[[nodiscard]] constexpr input_fault direction_parameter(char const* name, vec3<S> const& v) noexcept {
    if (input_fault const f = finite_parameter(name, v); f.name != nullptr) return f;
    return all(squared_norm(v) > S(0)) ? input_fault{} : input_fault{name, "must not be the zero vector", 0};
}

/// The first that is a fault, or none.
template <class... F>
[[nodiscard]] constexpr input_fault first_fault(F const&... faults) noexcept {
    input_fault first;
    ((first.name == nullptr ? void(first = faults) : void()), ...);
    return first;
}

}  // namespace sinew::inline v0

// ---- sinew/body/applied_force.hpp
// Forces that someone applies: constant in the world (a pull, a weight on a string), or constant in the body (a thruster).

namespace sinew::inline v0 {

/// A force that keeps its direction in the world, at a point of a body of kind A.
template <scalar S, class A>
struct constant_force_on {
    using attachments = binds<A>;
    vec3<S> force{S(0), S(0), S(0)};   ///< N, world frame
    vec3<S> anchor{S(0), S(0), S(0)};  ///< m, body frame

    [[nodiscard]] constexpr std::array<wrench<S>, 1> wrenches(auto const& body, S const&) const noexcept {
        return {wrench_at(body, force, anchor_of(body, anchor))};
    }
    /// J, zero with the anchor at the world's origin.
    [[nodiscard]] constexpr S energy(auto const& body) const noexcept { return -dot(force, anchor_of(body, anchor)); }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("force", force), finite_parameter("anchor", anchor));
    }
    [[nodiscard]] friend constexpr bool operator==(constant_force_on const&, constant_force_on const&) = default;
};

template <scalar S>
using constant_force = constant_force_on<S, rigid>;
template <scalar S>
using particle_constant_force = constant_force_on<S, point_mass>;

/// A force and a torque that turn with the body.
template <scalar S>
struct thruster {
    using attachments = binds<rigid>;
    vec3<S> force{S(0), S(0), S(0)};   ///< N, body frame
    vec3<S> torque{S(0), S(0), S(0)};  ///< N m, body frame
    vec3<S> anchor{S(0), S(0), S(0)};  ///< m, body frame

    [[nodiscard]] constexpr std::array<wrench<S>, 1> wrenches(auto const& body, S const&) const noexcept {
        return {wrench<S>{body.pose.direction(force), body.pose.direction(torque + cross(anchor, force))}};
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("force", force), finite_parameter("torque", torque), finite_parameter("anchor", anchor));
    }
    [[nodiscard]] friend constexpr bool operator==(thruster const&, thruster const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/body/drag.hpp
// Drag: what a medium does to a body that moves through it. With a medium that moves, it is wind or a current.
//
//   linear      f = -k (v - u)             tau = -c omega             (Vondrak 2005, 3.3: f = -k_d v)
//   quadratic   f = -k |v - u| (v - u)     tau = -c |omega| omega     with k = rho C_d A / 2
//
//   v, omega  velocity of the centre of mass and angular velocity       u  velocity of the medium, which does not turn

namespace sinew::inline v0 {

/// Grows with the speed: slow bodies, thick media.
template <scalar S>
struct linear_drag {
    S linear{0};                                ///< N s/m
    S angular{0};                               ///< N m s/rad
    vec3<S> medium_velocity{S(0), S(0), S(0)};  ///< m/s, world frame

    [[nodiscard]] constexpr wrench<S> wrench_on(auto const& body, S const&) const noexcept {
        return {-(linear * (velocity_of(body) - medium_velocity)), -(angular * angular_velocity_of(body))};
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(nonnegative_parameter("linear", linear), nonnegative_parameter("angular", angular),
                           finite_parameter("medium_velocity", medium_velocity));
    }
    [[nodiscard]] friend constexpr bool operator==(linear_drag const&, linear_drag const&) = default;
};

/// Grows with the square of the speed: fast bodies, thin media.
template <scalar S>
struct quadratic_drag {
    S linear{0};                                ///< N s^2/m^2
    S angular{0};                               ///< N m s^2/rad^2
    vec3<S> medium_velocity{S(0), S(0), S(0)};  ///< m/s, world frame

    [[nodiscard]] constexpr wrench<S> wrench_on(auto const& body, S const&) const noexcept {
        vec3<S> const v = velocity_of(body) - medium_velocity;
        vec3<S> const w = angular_velocity_of(body);
        return {-(linear * norm(v) * v), -(angular * norm(w) * w)};
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(nonnegative_parameter("linear", linear), nonnegative_parameter("angular", angular),
                           finite_parameter("medium_velocity", medium_velocity));
    }
    [[nodiscard]] friend constexpr bool operator==(quadratic_drag const&, quadratic_drag const&) = default;
};

/// quadratic_drag::linear of a body: density of the medium (kg/m^3), drag coefficient (0.47 for a sphere), frontal area (m^2).
template <scalar S>
[[nodiscard]] constexpr S quadratic_drag_coefficient(S const& density, S const& drag_coefficient, S const& area) noexcept {
    return density * drag_coefficient * area * (S(1) / S(2));
}

}  // namespace sinew::inline v0

// ---- sinew/body/force.hpp
// The force concept: what a type must say to be a force.
//
// On every body of the world (unary, Vondrak 2005, 3.3):
//
//   template <sinew::scalar S>
//   struct lift {
//       sinew::vec3<S> per_kilogram;                          // m/s^2, world frame
//       constexpr sinew::wrench<S> wrench_on(auto const& body, S const& t) const { return {body.mass * per_kilogram}; }
//   };
//
// Between certain bodies (n-ary), which are given when it is added:
//
//   template <sinew::scalar S>
//   struct repulsion {
//       using attachments = sinew::binds<sinew::rigid, sinew::point_mass>;
//       constexpr std::array<sinew::wrench<S>, 2> wrenches(auto const& a, auto const& b, S const& t) const;
//   };
//
// A body is seen as what it is: rigid_body {mass, inertia, pose, twist} or particle {mass, position, velocity}; body_point.hpp
// reads either. A wrench is in the world frame, about the centre of mass; a particle ignores the torque.
// Optional: energy(body) or energy(a, b, ...), the potential energy (J); fault(), why the parameters cannot be (core/errors.hpp).

namespace sinew::inline v0 {

namespace detail {

// A body of each kind, to ask whether a force can be called with it.
template <class Kind, class S>
struct body_archetype;
template <class S>
struct body_archetype<rigid, S> {
    using type = rigid_body<S>;
};
template <class S>
struct body_archetype<point_mass, S> {
    using type = particle<S>;
};

template <class A>
inline constexpr bool is_body_list_v = false;
template <class... K>
inline constexpr bool is_body_list_v<binds<K...>> = (sizeof...(K) > 0) && (is_body_kind_v<K> && ...);

template <class R, class S, std::size_t N>
concept wrenches_of = requires(R r) {
    requires std::tuple_size<R>::value == N;
    { r[0] } -> std::convertible_to<wrench<S>>;
};

template <class F, class S, class A>
struct acts_between : std::false_type {};
template <class F, class S, class... K>
    requires requires(F const& f, typename body_archetype<K, S>::type const&... bodies, S const& t) {
        { f.wrenches(bodies..., t) } -> wrenches_of<S, sizeof...(K)>;
    }
struct acts_between<F, S, binds<K...>> : std::true_type {};

// Does F have a member of that name, however it is to be called? Joined with a base that has one, the name is ambiguous
// exactly if F has one too.
struct wrench_on_name {
    void wrench_on();
};
struct wrenches_name {
    void wrenches();
};
template <class F, class Name>
struct joined : F, Name {};
template <class F>
concept can_be_joined = std::is_class_v<F> && !std::is_final_v<F>;
template <class F>
concept names_wrench_on = can_be_joined<F> && !requires { &joined<F, wrench_on_name>::wrench_on; };
template <class F>
concept names_wrenches = can_be_joined<F> && !requires { &joined<F, wrenches_name>::wrenches; };

}  // namespace detail

// The atoms.

/// Says which bodies it acts between.
template <class F>
concept has_force_attachments = requires { typename F::attachments; } && detail::is_body_list_v<typename F::attachments>;
/// wrench_on(body, t) const can be called with a rigid body.
template <class F, class S>
concept has_wrench_on_rigid = requires(F const& f, rigid_body<S> const& b, S const& t) {
    { f.wrench_on(b, t) } -> std::convertible_to<wrench<S>>;
};
/// wrench_on(body, t) const can be called with a particle.
template <class F, class S>
concept has_wrench_on_particle = requires(F const& f, particle<S> const& b, S const& t) {
    { f.wrench_on(b, t) } -> std::convertible_to<wrench<S>>;
};
template <class F, class S>
concept has_wrench_on = has_wrench_on_rigid<F, S> && has_wrench_on_particle<F, S>;
/// wrenches(bodies..., t) const yields one wrench per attachment.
template <class F, class S>
concept has_wrenches = has_force_attachments<F> && detail::acts_between<F, S, typename F::attachments>::value;

/// Acts on every body.
template <class F, class S>
concept unary_force_for = !has_force_attachments<F> && has_wrench_on<F, S>;
/// Acts between the bodies that it is added with.
template <class F, class S>
concept bound_force_for = has_wrenches<F, S>;

/// A type that a world over scalar S can hold as a force.
template <class F, class S>
concept force_for = scalar<S> && (unary_force_for<F, S> || bound_force_for<F, S>) && std::copyable<F>;

/// Has a member that only a force has, called rightly or not.
template <class F>
concept meant_as_force = detail::names_wrench_on<F> || detail::names_wrenches<F>;

/// Turns a missing part of the concept into one sentence.
template <class F, class S>
constexpr void check_force() noexcept {
    constexpr bool lists_bodies = requires { typename F::attachments; };
    if constexpr (lists_bodies) {
        static_assert(has_force_attachments<F>,
                      "sinew: this force's `attachments` is not a non-empty list of body kinds, such as sinew::binds<sinew::rigid, sinew::point_mass>.");
        if constexpr (has_force_attachments<F>)
            static_assert(has_wrenches<F, S>,
                          "sinew: this force has `attachments`, but no `wrenches(bodies..., t)` const that can be called with one body per attachment and a time "
                          "and returns std::array<sinew::wrench<S>, N>, one wrench per attachment; take the bodies as `auto const&`.");
    } else if constexpr (detail::names_wrenches<F>) {
        static_assert(lists_bodies,
                      "sinew: this force has `wrenches` but does not say which bodies it acts between; add `using attachments = sinew::binds<sinew::rigid, "
                      "sinew::rigid>;`, or whatever the kinds are.");
    } else if constexpr (detail::names_wrench_on<F>) {
        static_assert(has_wrench_on_rigid<F, S>,
                      "sinew: this force's `wrench_on(body, t)` cannot be called on a const force with a sinew::rigid_body and a time, or does not return "
                      "sinew::wrench<S>; take the body as `auto const&`.");
        static_assert(has_wrench_on_particle<F, S>,
                      "sinew: this force's `wrench_on(body, t)` cannot be called on a const force with a sinew::particle and a time, or does not return "
                      "sinew::wrench<S>; take the body as `auto const&`, and return {} for what it leaves alone.");
    } else {
        static_assert(force_for<F, S>,
                      "sinew: this force has neither `wrench_on(body, t)`, to act on every body, nor `attachments` and `wrenches(bodies..., t)`, to act between "
                      "the bodies that it is added with; write one.");
    }
    static_assert(std::copyable<F>, "sinew: a force must be a copyable value.");
}

}  // namespace sinew::inline v0

// ---- sinew/body/gravity.hpp
// Gravity: a uniform field, the field of a fixed centre, and the pull of two bodies on each other.
//
//   uniform     f = m g                                          E = -m g . x
//   point       f = -mu m d / (|d|^2 + s^2)^(3/2)                E = -mu m / sqrt(|d|^2 + s^2),   d = x - centre
//   pairwise    the same with mu = G m_b, and its opposite on b
//
//   mu  gravitational parameter, G times the mass of the centre (m^3/s^2)
//   s   softening length (m; Plummer's, Aarseth 1963): the field stays finite at the centre. With s = 0 the field at the
//       centre itself, which has no direction, is taken as zero, and so is its energy.
//
// The force acts at the centre of mass: bodies are small against the distance, so gravity does not turn them.

namespace sinew::inline v0 {

namespace detail {

// 1 / sqrt(d2 + s^2), and 0 where that has no value.
template <class S>
[[nodiscard]] constexpr S inverse_distance(S const& d2, S const& softening) noexcept {
    S const r2 = d2 + softening * softening;
    auto const none = r2 == S(0);
    return select(none, S(0), S(1) / sqrt(select(none, S(1), r2)));
}

}  // namespace detail

/// The same acceleration everywhere. It comes on top of world.gravity, which is 9.81 m/s^2 downward unless set.
template <scalar S>
struct uniform_gravity {
    vec3<S> acceleration{S(0), S(-9.80665L), S(0)};  ///< m/s^2, world frame; the standard value (3rd CGPM, 1901), down along y

    [[nodiscard]] constexpr wrench<S> wrench_on(auto const& body, S const&) const noexcept {
        return {body.mass * acceleration, {S(0), S(0), S(0)}};
    }
    /// J, zero at the world's origin.
    [[nodiscard]] constexpr S energy(auto const& body) const noexcept { return -(body.mass * dot(acceleration, center_of(body))); }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return finite_parameter("acceleration", acceleration); }
    [[nodiscard]] friend constexpr bool operator==(uniform_gravity const&, uniform_gravity const&) = default;
};

/// Towards a fixed point, falling off with the square of the distance.
template <scalar S>
struct point_gravity {
    vec3<S> center{S(0), S(0), S(0)};  ///< m, world frame
    S parameter{1};                    ///< m^3/s^2, G M
    S softening{0};                    ///< m

    [[nodiscard]] constexpr wrench<S> wrench_on(auto const& body, S const&) const noexcept {
        vec3<S> const d = center_of(body) - center;
        S const k = detail::inverse_distance(squared_norm(d), softening);
        // Multiplied in this order, the product stays within the range of float for planets and for pebbles.
        return {(d * k) * -((parameter * k) * (body.mass * k)), {S(0), S(0), S(0)}};
    }
    /// J, zero at infinity.
    [[nodiscard]] constexpr S energy(auto const& body) const noexcept {
        return -(parameter * body.mass * detail::inverse_distance(squared_norm(center_of(body) - center), softening));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("center", center), finite_parameter("parameter", parameter), nonnegative_parameter("softening", softening));
    }
    [[nodiscard]] friend constexpr bool operator==(point_gravity const&, point_gravity const&) = default;
};

/// Two bodies that attract each other by their masses. What cannot move has no mass to a force: for a fixed centre take
/// point_gravity.
template <scalar S, class A, class B>
struct gravity_between {
    using attachments = binds<A, B>;
    S constant = S(6.67430e-11L);  ///< m^3/(kg s^2), G (CODATA 2018)
    S softening{0};            ///< m

    [[nodiscard]] constexpr std::array<wrench<S>, 2> wrenches(auto const& a, auto const& b, S const&) const noexcept {
        vec3<S> const d = center_of(b) - center_of(a);
        S const k = detail::inverse_distance(squared_norm(d), softening);
        vec3<S> const f = (d * k) * ((constant * a.mass * k) * (b.mass * k));
        return {wrench<S>{f, {S(0), S(0), S(0)}}, wrench<S>{-f, {S(0), S(0), S(0)}}};
    }
    /// J, zero at infinity.
    [[nodiscard]] constexpr S energy(auto const& a, auto const& b) const noexcept {
        return -((constant * a.mass) * (b.mass * detail::inverse_distance(squared_norm(center_of(b) - center_of(a)), softening)));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("constant", constant), nonnegative_parameter("softening", softening));
    }
    [[nodiscard]] friend constexpr bool operator==(gravity_between const&, gravity_between const&) = default;
};

template <scalar S>
using newton_gravity = gravity_between<S, rigid, rigid>;
template <scalar S>
using particle_newton_gravity = gravity_between<S, point_mass, point_mass>;
template <scalar S>
using rigid_particle_newton_gravity = gravity_between<S, rigid, point_mass>;

}  // namespace sinew::inline v0

// ---- sinew/body/mass_properties.hpp
// Mass, centre of mass and inertia: of the common solids, their sums, and what becomes of them in another frame.
//
//   auto const handle = solid_cylinder(0.2, 0.3, 0.015);                                  // kg, m, m
//   auto const head   = solid_box(of_density(7800.0), vec3<double>{0.1, 0.03, 0.03});     // kg/m^3, m
//   auto const hammer = handle + moved(head, vec3<double>{0, 0.15, 0});
//   rigid_body<double> const body = rigid_body_of(hammer, pose<double>{});
//
// The first argument of a shape is its mass (kg), or of_density(kg/m^3). Shapes stand about the origin, those with an axis
// along y. An inertia is about the centre of mass; off its diagonal it holds -integral(x y dm) (Vondrak 2005, eq. 5.13).
//
// Parallel axes (Huygens, Steiner): about a point at d from the centre of mass,  I' = I + m (d^2 1 - d d^T).

namespace sinew::inline v0 {

/// What the equations of motion need to know of a body's shape and material.
template <class S>
    requires scalar<S>
struct mass_properties {
    using scalar_type = S;
    S mass{0};                           ///< kg
    vec3<S> center{S(0), S(0), S(0)};    ///< m, centre of mass
    sym3<S> inertia{};                   ///< kg m^2, about the centre of mass, along the axes of the frame

    [[nodiscard]] friend constexpr bool operator==(mass_properties const&, mass_properties const&) = default;
};

/// An amount of material by its density (kg/m^3), where a shape asks for a mass.
template <class S>
struct material_density {
    S value;
};
template <class S>
[[nodiscard]] constexpr material_density<S> of_density(S const& kilograms_per_cubic_metre) noexcept {
    return {kilograms_per_cubic_metre};
}

namespace detail {

template <class A>
inline constexpr bool is_density_v = false;
template <class D>
inline constexpr bool is_density_v<material_density<D>> = true;

template <class A, class S>
[[nodiscard]] constexpr S mass_of(A const& mass_or_density, S const& volume) noexcept {
    if constexpr (is_density_v<A>)
        return S(mass_or_density.value) * volume;
    else
        return S(mass_or_density);
}

// m (d^2 1 - d d^T): the inertia of a point mass at d.
template <class S>
[[nodiscard]] constexpr sym3<S> inertia_of_point(S const& mass, vec3<S> const& d) noexcept {
    S const x = d.x(), y = d.y(), z = d.z();
    return mass * sym3<S>{y * y + z * z, x * x + z * z, x * x + y * y, -(x * y), -(x * z), -(y * z)};
}

template <class S>
[[nodiscard]] constexpr S ratio(int a, int b) noexcept {
    return S(a) / S(b);
}

}  // namespace detail

/// What a shape over S takes as its amount of material: a mass, or of_density.
template <class A, class S>
concept mass_or_density_for = scalar<S> && (std::convertible_to<A, S> || detail::is_density_v<A>);

// ---- Solids of uniform density

/// Box with edges `size` (m; full lengths).
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_box(A const& mass_or_density, vec3<S> const& size) noexcept {
    S const x2 = size.x() * size.x(), y2 = size.y() * size.y(), z2 = size.z() * size.z();
    S const m = detail::mass_of(mass_or_density, size.x() * size.y() * size.z());
    return {m, {S(0), S(0), S(0)}, (m * detail::ratio<S>(1, 12)) * diagonal(y2 + z2, x2 + z2, x2 + y2)};
}

/// Ellipsoid with semi-axes (m).
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_ellipsoid(A const& mass_or_density, vec3<S> const& semi_axes) noexcept {
    S const x2 = semi_axes.x() * semi_axes.x(), y2 = semi_axes.y() * semi_axes.y(), z2 = semi_axes.z() * semi_axes.z();
    S const m = detail::mass_of(mass_or_density, detail::ratio<S>(4, 3) * pi_v<S> * semi_axes.x() * semi_axes.y() * semi_axes.z());
    return {m, {S(0), S(0), S(0)}, (m * detail::ratio<S>(1, 5)) * diagonal(y2 + z2, x2 + z2, x2 + y2)};
}

/// Sphere (radius in m).
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_sphere(A const& mass_or_density, S const& radius) noexcept {
    return solid_ellipsoid(mass_or_density, vec3<S>{radius, radius, radius});
}

/// Cylinder along y (height and radius in m).
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_cylinder(A const& mass_or_density, S const& height, std::type_identity_t<S> const& radius) noexcept {
    S const r2 = radius * radius;
    S const m = detail::mass_of(mass_or_density, pi_v<S> * r2 * height);
    S const across = m * (r2 * detail::ratio<S>(1, 4) + height * height * detail::ratio<S>(1, 12));
    return {m, {S(0), S(0), S(0)}, diagonal(across, m * r2 * detail::ratio<S>(1, 2), across)};
}

/// Capsule along y: a cylinder of that length (m, without the caps) between two half spheres (radius in m).
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_capsule(A const& mass_or_density, S const& length, std::type_identity_t<S> const& radius) noexcept {
    S const r2 = radius * radius;
    // Volumes over pi r^2: the middle, and both caps.
    S const middle = length, caps = detail::ratio<S>(4, 3) * radius;
    S const m = detail::mass_of(mass_or_density, pi_v<S> * r2 * (middle + caps));
    auto const empty = middle + caps == S(0);
    S const per_length = select(empty, S(0), m / select(empty, S(1), middle + caps));
    S const m_middle = per_length * middle, m_caps = per_length * caps;
    S const along = m_middle * r2 * detail::ratio<S>(1, 2) + m_caps * r2 * detail::ratio<S>(2, 5);
    // A half sphere's centre of mass is 3/8 r from its base, and its inertia about a diameter of the base is 2/5 m r^2.
    S const across = m_middle * (r2 * detail::ratio<S>(1, 4) + length * length * detail::ratio<S>(1, 12)) +
                     m_caps * (r2 * detail::ratio<S>(2, 5) + length * length * detail::ratio<S>(1, 4) + length * radius * detail::ratio<S>(3, 8));
    return {m, {S(0), S(0), S(0)}, diagonal(across, along, across)};
}

/// Cone along y (height and base radius in m): the base at -height/2, the tip at +height/2, the centre of mass at -height/4.
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_cone(A const& mass_or_density, S const& height, std::type_identity_t<S> const& radius) noexcept {
    S const r2 = radius * radius;
    S const m = detail::mass_of(mass_or_density, pi_v<S> * r2 * height * detail::ratio<S>(1, 3));
    S const across = m * (r2 * detail::ratio<S>(3, 20) + height * height * detail::ratio<S>(3, 80));
    return {m, {S(0), height * detail::ratio<S>(-1, 4), S(0)}, diagonal(across, m * r2 * detail::ratio<S>(3, 10), across)};
}

// ---- Bodies without volume: by mass alone

/// A point (position in m).
template <class S>
[[nodiscard]] constexpr mass_properties<S> mass_at(std::type_identity_t<S> const& mass, vec3<S> const& position) noexcept {
    return {mass, position, {}};
}

/// A thin straight rod from a to b (m). Alone it has no inertia about its own line, so it is no rigid body by itself.
template <class S>
[[nodiscard]] constexpr mass_properties<S> thin_rod(std::type_identity_t<S> const& mass, vec3<S> const& a, vec3<S> const& b) noexcept {
    return {mass, (a + b) * detail::ratio<S>(1, 2), detail::inertia_of_point(mass * detail::ratio<S>(1, 12), b - a)};
}

/// A thin spherical shell (radius in m).
template <class S>
[[nodiscard]] constexpr mass_properties<S> thin_sphere(std::type_identity_t<S> const& mass, S const& radius) noexcept {
    S const i = mass * radius * radius * detail::ratio<S>(2, 3);
    return {mass, {S(0), S(0), S(0)}, diagonal(i, i, i)};
}

// ---- Sums and differences

/// Both bodies as one. Their properties must be in the same frame.
template <class S>
[[nodiscard]] constexpr mass_properties<S> operator+(mass_properties<S> const& a, mass_properties<S> const& b) noexcept {
    S const m = a.mass + b.mass;
    auto const none = m == S(0);
    S const share = select(none, S(0), b.mass / select(none, S(1), m));
    vec3<S> const d = b.center - a.center;
    // The two parallel-axis terms in one: m_a |c_a - c|^2 + m_b |c_b - c|^2 = (m_a m_b / m) |c_b - c_a|^2.
    return {m, a.center + d * share, a.inertia + b.inertia + detail::inertia_of_point(a.mass * share, d)};
}

/// What is left of a when b is cut out of it. b must lie within a and weigh less.
template <class S>
[[nodiscard]] constexpr mass_properties<S> operator-(mass_properties<S> const& a, mass_properties<S> const& b) noexcept {
    return a + mass_properties<S>{-b.mass, b.center, sym3<S>{} - b.inertia};
}

/// The sum over a contiguous range of mass_properties.
template <class Range>
    requires requires(Range const& r) { std::span(r); }
[[nodiscard]] constexpr auto total(Range const& parts) noexcept {
    auto const view = std::span(parts);
    typename decltype(view)::value_type sum{};
    for (auto const& p : view) sum = sum + p;
    return sum;
}

/// The same shape of another mass (kg).
template <class S>
[[nodiscard]] constexpr mass_properties<S> scaled_to_mass(mass_properties<S> const& p, std::type_identity_t<S> const& mass) noexcept {
    return {mass, p.center, (mass / p.mass) * p.inertia};
}

// ---- Other frames

/// Seen from the frame that the pose leads to: turned, then shifted.
template <class S, class R>
[[nodiscard]] constexpr mass_properties<S> moved(mass_properties<S> const& p, pose<S, R> const& to) noexcept {
    return {p.mass, to.point(p.center), congruence(to_matrix(to.rotation), p.inertia)};
}
/// Shifted by an offset (m).
template <class S>
[[nodiscard]] constexpr mass_properties<S> moved(mass_properties<S> const& p, vec3<S> const& by) noexcept {
    return {p.mass, p.center + by, p.inertia};
}
/// Turned about the origin.
template <class S, rotation_like R>
    requires std::same_as<typename R::scalar_type, S>
[[nodiscard]] constexpr mass_properties<S> rotated(mass_properties<S> const& p, R const& r) noexcept {
    return moved(p, pose<S, R>{{S(0), S(0), S(0)}, r});
}

/// Inertia about another point (m) than the centre of mass (parallel axes).
template <class S>
[[nodiscard]] constexpr sym3<S> inertia_about(mass_properties<S> const& p, vec3<S> const& point) noexcept {
    return p.inertia + detail::inertia_of_point(p.mass, p.center - point);
}

/// A rigid body of these properties, whose shape's frame is at `frame`. The body's own frame has the same axes and its
/// origin at the centre of mass: what is at r in the shape's frame is at r - center in the body's. It is at rest.
template <class S, class R>
[[nodiscard]] constexpr rigid_body<S, R> rigid_body_of(mass_properties<S> const& p, pose<S, R> const& frame) noexcept {
    return {p.mass, p.inertia, {frame.point(p.center), frame.rotation}, {}};
}

}  // namespace sinew::inline v0

// ---- sinew/body/mesh_mass_properties.hpp
// Mass properties of meshes of uniform density: tetrahedra that fill a volume, or a closed surface of triangles.
//
// Both are sums over tetrahedra, signed for a surface: the tetrahedron (o, a, b, c) of each outward triangle, with o any
// fixed point, adds up to the volume inside (Zhang & Chen 2001). A tetrahedron with corners v_i has
//
//   V = (v_1 - v_0) . ((v_2 - v_0) x (v_3 - v_0)) / 6,   integral of x = V/4 sum v_i,
//   integral of x x^T = V/20 (sum v_i v_i^T + (sum v_i)(sum v_i)^T)                          (Tonon 2004)
//
// and the inertia is tr(C) 1 - C of the second moment C. The sums are exact for the mesh, not approximations.

namespace sinew::inline v0 {

enum class mesh_status : unsigned char {
    ok,
    empty,        ///< no elements
    bad_index,    ///< an element names a point that does not exist
    not_finite,   ///< a point is NaN or infinite
    not_closed,   ///< an edge of a triangle has no partner that runs the other way
    inside_out,   ///< the volume is negative: the elements are numbered the wrong way round
    flat,         ///< there is no volume
};

/// Why a mesh has no mass properties, as a sentence.
[[nodiscard]] constexpr char const* to_text(mesh_status s) noexcept {
    switch (s) {
        case mesh_status::ok: return "the mesh is fine";
        case mesh_status::empty: return "the mesh has no elements";
        case mesh_status::bad_index: return "an element of the mesh names a point that does not exist";
        case mesh_status::not_finite: return "a point of the mesh is not finite";
        case mesh_status::not_closed: return "the mesh is not closed: an edge has no partner that runs the other way";
        case mesh_status::inside_out: return "the mesh is inside out: its volume is negative";
        case mesh_status::flat: return "the mesh has no volume";
    }
    return "";
}

/// Mass properties, or why there are none.
template <class S>
struct mesh_mass_properties {
    mesh_status status = mesh_status::empty;
    S volume{0};  ///< m^3; signed
    mass_properties<S> properties{};

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return status == mesh_status::ok; }
};

namespace detail {

// Moments up to the second of a uniform density of 1, about a point near the mesh, so that little cancels far from the origin.
template <class S>
struct volume_moments {
    S volume{0};
    vec3<S> first{S(0), S(0), S(0)};
    sym3<S> second{};

    // The tetrahedron with corners o (the reference point, at zero), a, b, c.
    constexpr void add(vec3<S> const& a, vec3<S> const& b, vec3<S> const& c) noexcept { add(vec3<S>{S(0), S(0), S(0)}, a, b, c); }

    constexpr void add(vec3<S> const& a, vec3<S> const& b, vec3<S> const& c, vec3<S> const& d) noexcept {
        S const v = dot(b - a, cross(c - a, d - a)) * ratio<S>(1, 6);
        vec3<S> const sum = a + b + c + d;
        volume = volume + v;
        first += sum * (v * ratio<S>(1, 4));
        second = second + (v * ratio<S>(1, 20)) * (square(a) + square(b) + square(c) + square(d) + square(sum));
    }
    [[nodiscard]] constexpr mass_properties<S> properties(S const& mass, vec3<S> const& reference) const noexcept {
        vec3<S> const c = first / volume;
        S const density = mass / volume;
        sym3<S> const m = second - volume * square(c);
        sym3<S> const inertia{m.yy + m.zz, m.xx + m.zz, m.xx + m.yy, -m.xy, -m.xz, -m.yz};
        return {mass, reference + c, density * inertia};
    }
    [[nodiscard]] static constexpr sym3<S> square(vec3<S> const& v) noexcept {
        return {v.x() * v.x(), v.y() * v.y(), v.z() * v.z(), v.x() * v.y(), v.x() * v.z(), v.y() * v.z()};
    }
};

// A sum of hashes over directed edges, in which an edge cancels its reverse: zero if each has a partner, and, but for one
// chance in 2^64, only then. It needs no memory and no order. Points are known by their coordinates rather than by their
// indices, so that a surface whose triangles do not share points (STL) is closed too.
class edge_sum {
public:
    template <class S>
    constexpr void add(vec3<S> const& a, vec3<S> const& b) noexcept {
        sum_ += hash(a, b) - hash(b, a);
    }
    [[nodiscard]] constexpr bool closed() const noexcept { return sum_ == 0; }

private:
    template <class S>
    [[nodiscard]] static constexpr std::uint64_t hash(vec3<S> const& a, vec3<S> const& b) noexcept {
        bit_hash h;
        for (auto const* p : {&a, &b})
            for (S const& x : p->e) {
                auto const v = value(x);
                // Two doubles hold what a long double holds.
                auto const high = static_cast<double>(v);
                h.add(high);
                if constexpr (sizeof(v) > sizeof(double)) h.add(static_cast<double>(v - high));
            }
        // FNV mixes its last bytes little: finish as splitmix64 does (Steele et al. 2014).
        std::uint64_t z = h.value();
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    std::uint64_t sum_ = 0;
};

// Are all corners there and finite? Their mean is the point to compute about.
template <std::size_t Corners, class S, class Elements>
[[nodiscard]] constexpr mesh_status check_corners(std::span<vec3<S> const> points, Elements const& elements, vec3<S>& mean) noexcept {
    if (elements.empty()) return mesh_status::empty;
    vec3<S> sum{S(0), S(0), S(0)};
    for (auto const& e : elements)
        for (std::size_t k = 0; k < Corners; ++k) {
            // A negative index turns into a huge one.
            auto const i = static_cast<std::size_t>(e[k]);
            if (i >= points.size()) return mesh_status::bad_index;
            if (!all(isfinite(points[i]))) return mesh_status::not_finite;
            sum += points[i];
        }
    mean = sum / S(static_cast<value_type_t<S>>(elements.size() * Corners));
    return mesh_status::ok;
}

// Is a tetrahedron numbered the wrong way round, beyond rounding?
template <class S>
[[nodiscard]] constexpr bool is_inverted(vec3<S> const& a, vec3<S> const& b, vec3<S> const& c, vec3<S> const& d) noexcept {
    S const rounding = norm(b - a) * norm(c - a) * norm(d - a) * epsilon_v<S> * S(16);
    return all(dot(b - a, cross(c - a, d - a)) < -rounding);
}

// A volume within rounding of zero, against the cube of the mesh's size, is none.
template <class S>
[[nodiscard]] constexpr mesh_status check_volume(S const& volume, S const& squared_size) noexcept {
    S const size = sqrt(squared_size);
    S const rounding = size * size * size * epsilon_v<S> * S(16);
    if (all(volume < -rounding)) return mesh_status::inside_out;
    return all(volume > rounding) ? mesh_status::ok : mesh_status::flat;
}

template <class Range>
using element_t = std::remove_cv_t<typename decltype(std::span(std::declval<Range const&>()))::element_type>;

template <class V>
inline constexpr bool is_point_v = false;
template <class S>
inline constexpr bool is_point_v<vec<S, 3>> = scalar<S>;

}  // namespace detail

/// A contiguous range of vec3: std::vector, std::array, std::span, ...
template <class R>
concept point_range = requires(R const& r) { std::span(r); } && detail::is_point_v<detail::element_t<R>>;
/// A contiguous range of elements of N indices each: std::vector<std::array<int, N>>, ...
template <class R, std::size_t N>
concept element_range = requires(R const& r) {
    std::span(r);
    { static_cast<std::size_t>(std::span(r)[0][N - 1]) };
};

/// A volume cut into tetrahedra (corners by index into points, m), of a mass (kg) or of_density(kg/m^3). Each must have its
/// corners so that (b - a) . ((c - a) x (d - a)) > 0.
template <class A, point_range Points, element_range<4> Tetrahedra>
[[nodiscard]] constexpr auto solid_tetrahedra(A const& mass_or_density, Points const& points, Tetrahedra const& tetrahedra) noexcept {
    using S = typename detail::element_t<Points>::scalar_type;
    std::span<vec3<S> const> const p(points);
    auto const elements = std::span(tetrahedra);
    mesh_mass_properties<S> result;
    vec3<S> mean{};
    result.status = detail::check_corners<4>(p, elements, mean);
    if (!result) return result;

    detail::volume_moments<S> sum;
    bool inverted = false;
    for (auto const& e : elements) {
        vec3<S> const &a = p[static_cast<std::size_t>(e[0])], &b = p[static_cast<std::size_t>(e[1])], &c = p[static_cast<std::size_t>(e[2])],
                      &d = p[static_cast<std::size_t>(e[3])];
        inverted = inverted || detail::is_inverted(a, b, c, d);
        sum.add(a - mean, b - mean, c - mean, d - mean);
    }
    result.volume = sum.volume;
    result.status = inverted ? mesh_status::inside_out : all(sum.volume > S(0)) ? mesh_status::ok : mesh_status::flat;
    if (result) result.properties = sum.properties(detail::mass_of(mass_or_density, sum.volume), mean);
    return result;
}

/// The inside of a closed surface of triangles (corners by index into points, m), counter-clockwise seen from outside, of a
/// mass (kg) or of_density(kg/m^3). Holes in the surface are found; a surface that intersects itself is not.
template <class A, point_range Points, element_range<3> Triangles>
[[nodiscard]] constexpr auto solid_mesh(A const& mass_or_density, Points const& points, Triangles const& triangles) noexcept {
    using S = typename detail::element_t<Points>::scalar_type;
    std::span<vec3<S> const> const p(points);
    auto const elements = std::span(triangles);
    mesh_mass_properties<S> result;
    vec3<S> mean{};
    result.status = detail::check_corners<3>(p, elements, mean);
    if (!result) return result;

    detail::volume_moments<S> sum;
    detail::edge_sum edges;
    S squared_size{0};
    for (auto const& e : elements) {
        vec3<S> const &a = p[static_cast<std::size_t>(e[0])], &b = p[static_cast<std::size_t>(e[1])], &c = p[static_cast<std::size_t>(e[2])];
        edges.add(a, b);
        edges.add(b, c);
        edges.add(c, a);
        sum.add(a - mean, b - mean, c - mean);
        squared_size = max(squared_size, max(squared_norm(a - mean), max(squared_norm(b - mean), squared_norm(c - mean))));
    }
    result.volume = sum.volume;
    result.status = edges.closed() ? detail::check_volume(sum.volume, squared_size) : mesh_status::not_closed;
    if (result) result.properties = sum.properties(detail::mass_of(mass_or_density, sum.volume), mean);
    return result;
}

}  // namespace sinew::inline v0

// ---- sinew/body/principal_axes.hpp
// Principal axes of an inertia: the frame in which it is diagonal. And whether it can be that of a body at all.
//
//   I = Q diag(moments) Q^T,   moments ascending, Q a rotation whose columns are the axes
//
// Jacobi's method: one off-diagonal entry after the other is turned to zero (Golub & Van Loan, Matrix Computations, 8.5).
// It finds small moments to full relative accuracy, and makes orthonormal axes however close the moments are. Where two
// are equal, any axes in their plane are principal; then the axes at hand are kept.

namespace sinew::inline v0 {

/// The moments (kg m^2, ascending), and the rotation from the principal axes to the frame of the inertia.
template <class S, class R = quaternion<S>>
struct principal_inertia {
    vec3<S> moments;
    R axes;
};

namespace detail {

// One Jacobi rotation in the plane (p, q): a becomes J^T a J with a(p, q) = 0, axes becomes axes J.
template <class S>
constexpr void jacobi_rotation(mat3<S>& a, mat3<S>& axes, std::size_t p, std::size_t q) noexcept {
    std::size_t const r = 3 - p - q;
    S const apq = a(p, q);
    // tan of the smaller of the two angles: t^2 + 2 tau t - 1 = 0 with tau = (a_qq - a_pp) / (2 a_pq).
    S const tau = (a(q, q) - a(p, p)) / (S(2) * apq);
    S const magnitude = abs(tau);
    // Far out the square would overflow a float, and 1 / (2 tau) is right to rounding.
    S const root = magnitude > S(1e16L) ? S(2) * magnitude : magnitude + sqrt(S(1) + tau * tau);
    S const t = tau < S(0) ? S(-1) / root : S(1) / root;
    S const c = S(1) / sqrt(S(1) + t * t);
    S const s = t * c;
    a(p, p) = a(p, p) - t * apq;
    a(q, q) = a(q, q) + t * apq;
    a(p, q) = a(q, p) = S(0);
    S const arp = a(r, p), arq = a(r, q);
    a(r, p) = a(p, r) = c * arp - s * arq;
    a(r, q) = a(q, r) = s * arp + c * arq;
    for (std::size_t i = 0; i < 3; ++i) {
        S const vp = axes(i, p), vq = axes(i, q);
        axes(i, p) = c * vp - s * vq;
        axes(i, q) = s * vp + c * vq;
    }
}

// Is the off-diagonal entry lost in the rounding of the diagonal beside it? Relative to both entries, so that a small
// moment beside a large one keeps its digits.
template <class S>
[[nodiscard]] constexpr bool negligible(mat3<S> const& a, std::size_t p, std::size_t q) noexcept {
    S const x = abs(a(p, q)) / epsilon_v<S>;
    S const d = abs(a(p, p)), e = abs(a(q, q));
    S const larger = max(d, e);
    return x == S(0) || (x < larger && x * (x / larger) <= min(d, e));
}

}  // namespace detail

/// The principal axes of an inertia, or of any symmetric matrix. Its entries must be finite.
template <class R = void, std::floating_point S>
[[nodiscard]] constexpr auto principal_axes(sym3<S> const& inertia) noexcept {
    using rotation = std::conditional_t<std::same_as<R, void>, quaternion<S>, R>;
    // Scaled by a power of two to entries near 1, so that no product under- or overflows.
    S largest = S(0);
    for (S const x : {inertia.xx, inertia.yy, inertia.zz, inertia.xy, inertia.xz, inertia.yz}) largest = max(largest, abs(x));
    if (!(largest > S(0)) || !isfinite(largest)) return principal_inertia<S, rotation>{{inertia.xx, inertia.yy, inertia.zz}, rotation::identity()};
    S scale = S(1);
    while (largest * scale > S(1)) scale = scale / S(2);
    while (largest * scale < S(0.25L)) scale = scale * S(2);

    mat3<S> a = to_mat(scale * inertia);
    mat3<S> axes = identity<S, 3>();
    // It converges quadratically: five sweeps are plenty.
    for (int sweep = 0; sweep < 16; ++sweep) {
        bool done = true;
        for (std::size_t p = 0; p < 2; ++p)
            for (std::size_t q = p + 1; q < 3; ++q)
                if (!detail::negligible(a, p, q)) {
                    detail::jacobi_rotation(a, axes, p, q);
                    done = false;
                }
        if (done) break;
    }

    std::size_t order[3] = {0, 1, 2};
    auto const sort_pair = [&](std::size_t i, std::size_t j) {
        if (a(order[j], order[j]) < a(order[i], order[i])) std::swap(order[i], order[j]);
    };
    sort_pair(0, 1);
    sort_pair(1, 2);
    sort_pair(0, 1);
    vec3<S> const moments{a(order[0], order[0]) / scale, a(order[1], order[1]) / scale, a(order[2], order[2]) / scale};

    // An axis may point either way: its largest component is made positive, and the third completes the right hand.
    auto const pointing_up = [](vec3<S> const& v) {
        std::size_t k = 0;
        for (std::size_t i = 1; i < 3; ++i)
            if (abs(v[i]) > abs(v[k])) k = i;
        return v[k] < S(0) ? -v : v;
    };
    vec3<S> const u = pointing_up(normalize(axes.col(order[0])));
    vec3<S> const y = axes.col(order[1]);
    vec3<S> const v = pointing_up(normalize(y - u * dot(u, y)));
    vec3<S> const w = cross(u, v);
    rotation_matrix<S> const q{{u.x(), v.x(), w.x(), u.y(), v.y(), w.y(), u.z(), v.z(), w.z()}};
    return principal_inertia<S, rotation>{moments, rotation_cast<rotation>(q)};
}

/// The frame of the principal axes at the centre of mass, in the frame of the properties. moved(p, inverse(frame)) has its
/// centre at the origin and a diagonal inertia.
template <class R = void, std::floating_point S>
[[nodiscard]] constexpr auto principal_frame(mass_properties<S> const& p) noexcept {
    auto const axes = principal_axes<R>(p.inertia).axes;
    return pose<S, std::remove_cv_t<decltype(axes)>>{p.center, axes};
}

/// A scalar that is one built-in number and perhaps its derivatives.
template <class S>
concept has_plain_value = scalar<S> && std::floating_point<value_type_t<S>> && requires(S const& x) {
    { value(x) } -> std::same_as<value_type_t<S>>;
};

namespace detail {
template <has_plain_value S>
[[nodiscard]] constexpr sym3<value_type_t<S>> plain(sym3<S> const& m) noexcept {
    return {value(m.xx), value(m.yy), value(m.zz), value(m.xy), value(m.xz), value(m.yz)};
}
}  // namespace detail

/// The principal moments (kg m^2, ascending), without derivatives.
template <has_plain_value S>
[[nodiscard]] constexpr vec3<value_type_t<S>> principal_moments(sym3<S> const& inertia) noexcept {
    return principal_axes(detail::plain(inertia)).moments;
}

/// Can a body have this inertia? No principal moment is negative, and none exceeds the sum of the other two, since
/// I_x + I_y - I_z = 2 integral(z^2 dm). The tolerance is relative to the largest moment. A thin rod passes.
template <has_plain_value S>
[[nodiscard]] constexpr bool possible_inertia(sym3<S> const& inertia, value_type_t<S> const& tolerance = 64 * epsilon_v<value_type_t<S>>) noexcept {
    using V = value_type_t<S>;
    sym3<V> const I = detail::plain(inertia);
    for (V const x : {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz})
        if (!isfinite(x)) return false;
    vec3<V> const m = principal_moments(I);
    V const slack = tolerance * abs(m[2]);
    return m[0] >= -slack && m[0] + (m[1] - m[2]) >= -slack;
}

/// Can a rigid body that turns have this inertia? As possible_inertia, and no moment is zero.
template <has_plain_value S>
[[nodiscard]] constexpr bool valid_inertia(sym3<S> const& inertia, value_type_t<S> const& tolerance = 64 * epsilon_v<value_type_t<S>>) noexcept {
    return possible_inertia(inertia, tolerance) && principal_moments(inertia)[0] > 0;
}

}  // namespace sinew::inline v0

// ---- sinew/body/spring.hpp
// Springs: along the line between two body points, and about the rotation between two bodies.
//
//   linear     f_a = (k (d - l) + c d_dot) n = -f_b,    n = (p_b - p_a) / d,   E = k (d - l)^2 / 2
//   torsional  tau_a = k theta + c (omega_b - omega_a) = -tau_b,               E = k |theta|^2 / 2
//
//   p_a, p_b  anchors in the world     d, l  their distance, and that of the spring at rest     k  stiffness     c  damping
//   theta     log of the rotation that takes a's rest frame to b: R_b = exp([theta]x) R_a R_rest
//
// The torque is the gradient of E: dE = k theta^T J_L(theta)^-1 dw, and theta^T J_L(theta)^-1 = theta^T, since J_L is a
// polynomial in [theta]x with 1 in front (Waterson 2026, eq. 2.27).
// Where the anchors meet, the line has no direction: the spring does nothing there.

namespace sinew::inline v0 {

/// A spring with a damper beside it. A and B are the kinds of its bodies.
template <scalar S, class A, class B>
struct spring_between {
    using attachments = binds<A, B>;
    vec3<S> anchor_a{S(0), S(0), S(0)};  ///< m, body a
    vec3<S> anchor_b{S(0), S(0), S(0)};  ///< m, body b
    S rest_length{0};                    ///< m
    S stiffness{1};                      ///< N/m
    S damping{0};                        ///< N s/m

    [[nodiscard]] constexpr std::array<wrench<S>, 2> wrenches(auto const& a, auto const& b, S const&) const noexcept {
        vec3<S> const p = anchor_of(a, anchor_a);
        vec3<S> const q = anchor_of(b, anchor_b);
        vec3<S> const n = normalize(q - p);
        S const tension = stiffness * (norm(q - p) - rest_length) + damping * dot(n, velocity_at(b, q) - velocity_at(a, p));
        vec3<S> const f = n * tension;
        return {wrench_at(a, f, p), wrench_at(b, vec3<S>(-f), q)};
    }
    /// J, zero at rest.
    [[nodiscard]] constexpr S energy(auto const& a, auto const& b) const noexcept {
        S const stretch = norm(anchor_of(b, anchor_b) - anchor_of(a, anchor_a)) - rest_length;
        return stiffness * stretch * stretch * (S(1) / S(2));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b),
                           nonnegative_parameter("rest_length", rest_length), nonnegative_parameter("stiffness", stiffness),
                           nonnegative_parameter("damping", damping));
    }
    [[nodiscard]] friend constexpr bool operator==(spring_between const&, spring_between const&) = default;
};

template <scalar S>
using spring = spring_between<S, rigid, rigid>;
template <scalar S>
using particle_spring = spring_between<S, point_mass, point_mass>;
template <scalar S>
using rigid_particle_spring = spring_between<S, rigid, point_mass>;

/// A spring that turns b back to where it was relative to a, about any axis.
template <scalar S>
struct torsion_spring {
    using attachments = binds<rigid, rigid>;
    quaternion<S> rest = quaternion<S>::identity();  ///< b's rotation in the frame of a, at rest
    S stiffness{1};                                  ///< N m/rad
    S damping{0};                                    ///< N m s/rad

    [[nodiscard]] constexpr std::array<wrench<S>, 2> wrenches(auto const& a, auto const& b, S const&) const noexcept {
        vec3<S> const torque = stiffness * twisted_by(a, b) + damping * (b.twist.angular - a.twist.angular);
        vec3<S> const none{S(0), S(0), S(0)};
        return {wrench<S>{none, torque}, wrench<S>{none, -torque}};
    }
    /// J, zero at rest.
    [[nodiscard]] constexpr S energy(auto const& a, auto const& b) const noexcept {
        return stiffness * squared_norm(twisted_by(a, b)) * (S(1) / S(2));
    }
    /// How far b is turned from rest: a rotation vector (rad, world frame).
    [[nodiscard]] constexpr vec3<S> twisted_by(auto const& a, auto const& b) const noexcept {
        return log(to_quaternion(b.pose.rotation) * inverse(to_quaternion(a.pose.rotation) * rest));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        S const off = deviation(rest);
        bool const unit = all(isfinite(off)) && all(off <= sqrt(epsilon_v<S>));
        return first_fault(unit ? input_fault{} : input_fault{"rest", "must be a unit quaternion; the deviation of its squared length from 1", detail::fault_value(off)},
                           nonnegative_parameter("stiffness", stiffness), nonnegative_parameter("damping", damping));
    }
    [[nodiscard]] friend constexpr bool operator==(torsion_spring const&, torsion_spring const&) = default;
};

/// Stiffness and damping of a spring, said in hertz and damping ratio.
template <class S>
struct spring_tuning {
    S stiffness;  ///< N/m (N m/rad for an angular spring)
    S damping;    ///< N s/m (N m s/rad)
};
/// k = m w^2, c = 2 zeta m w with w = 2 pi f. `mass` (kg, or kg m^2) is what the spring moves: reduced_mass of two free bodies.
template <scalar S>
[[nodiscard]] constexpr spring_tuning<S> tuned_spring(S const& hertz, S const& damping_ratio, S const& mass) noexcept {
    S const w = S(2) * pi_v<S> * hertz;
    return {mass * w * w, S(2) * damping_ratio * mass * w};
}
/// m_a m_b / (m_a + m_b): two free bodies on a spring swing as this mass would on a wall.
template <scalar S>
[[nodiscard]] constexpr S reduced_mass(S const& a, S const& b) noexcept {
    return a * b / (a + b);
}

}  // namespace sinew::inline v0

// ---- sinew/constraint/seeded_pose.hpp
// Poses that carry derivatives: what a constraint's error is evaluated on to obtain its Jacobian.
//
// A pose is perturbed on the left, x -> x + dx, R -> exp([dw]x) R (Waterson 2026, eq. 2.36), so the derivative of a
// world point p = x + R r is dp = dx + dw x (R r): the lanes are filled with [1 | -[R r]x] directly, instead of being
// pushed through the coordinates of the rotation. The coordinates carry lanes too, for whoever asks for them.
//
// The base of a seeded pose may itself be seeded; nested, the two yield second derivatives.
//
//   B    scalar of the base pose        D = dual<B, N>
//   O    first lane of this body        N    lanes altogether

namespace sinew::inline v0 {

/// Velocity of a particle (m/s): the twist of a body without rotation.
template <class S>
struct particle_twist {
    using scalar_type = S;
    vec3<S> linear{S(0), S(0), S(0)};
};

namespace detail {

// World vector u that turns with the body, u_dot = omega x u: lanes O + 3 .. O + 5 get -[u]x.
template <std::size_t N, std::size_t O, class B>
[[nodiscard]] constexpr vec3<dual<B, N>> seed_turning(vec3<B> const& u) noexcept {
    vec3<dual<B, N>> r{dual<B, N>(u.x()), dual<B, N>(u.y()), dual<B, N>(u.z())};
    r[0].d[O + 4] = u.z();
    r[0].d[O + 5] = -u.y();
    r[1].d[O + 3] = -u.z();
    r[1].d[O + 5] = u.x();
    r[2].d[O + 3] = u.y();
    r[2].d[O + 4] = -u.x();
    return r;
}

template <std::size_t N, std::size_t O, class B>
[[nodiscard]] constexpr vec3<dual<B, N>> seed_position(vec3<B> const& x) noexcept {
    vec3<dual<B, N>> r{dual<B, N>(x.x()), dual<B, N>(x.y()), dual<B, N>(x.z())};
    for (std::size_t i = 0; i < 3; ++i) r[i].d[O + i] = B(1);
    return r;
}

// The members that every pose with lanes shares, given its position, rotation, and how a body vector is lifted.
// A body vector with lanes of its own (T is not the plain scalar) goes through the coordinates.
template <class Derived, class B, class D>
struct pose_with_lanes {
    using scalar_type = D;

    template <class T>
    [[nodiscard]] constexpr auto direction(vec3<T> const& d) const noexcept {
        Derived const& self = static_cast<Derived const&>(*this);
        if constexpr (std::convertible_to<T, B>)
            return self.lifted(self.base.direction(d));
        else
            return rotate(self.rotation, d);
    }
    template <class T>
    [[nodiscard]] constexpr auto point(vec3<T> const& r) const noexcept {
        return static_cast<Derived const&>(*this).position + direction(r);
    }
    template <class T>
    [[nodiscard]] constexpr auto local_point(vec3<T> const& p) const noexcept {
        Derived const& self = static_cast<Derived const&>(*this);
        return inverse_rotate(self.rotation, p - self.position);
    }
    template <class T>
    [[nodiscard]] constexpr auto local_direction(vec3<T> const& d) const noexcept {
        return inverse_rotate(static_cast<Derived const&>(*this).rotation, d);
    }
};

}  // namespace detail

/// A rigid body's pose with lanes O .. O + 5 seeded by its six degrees of freedom.
template <std::size_t N, std::size_t O, class Base>
struct seeded_pose : detail::pose_with_lanes<seeded_pose<N, O, Base>, typename Base::scalar_type, dual<typename Base::scalar_type, N>> {
    using B = typename Base::scalar_type;
    using D = dual<B, N>;
    using rotation_type = typename Base::rotation_type::template rebind<D>;

    Base base;
    vec3<D> position;
    rotation_type rotation;

    constexpr explicit seeded_pose(Base const& pose) noexcept
        : base(pose), position(detail::seed_position<N, O>(pose.position)), rotation(seeded(pose.rotation)) {}
    [[nodiscard]] static constexpr vec3<D> lifted(vec3<B> const& u) noexcept { return detail::seed_turning<N, O>(u); }

private:
    [[nodiscard]] static constexpr rotation_type seeded(typename Base::rotation_type const& r) noexcept {
        D c[rotation_type::dimension];
        for (std::size_t i = 0; i < rotation_type::dimension; ++i) c[i] = D(r.coordinate(i));
        for (std::size_t k = 0; k < 3; ++k) {
            vec3<B> axis{B(0), B(0), B(0)};
            axis[k] = B(1);
            auto const rate = coordinate_rate(r, axis);
            for (std::size_t i = 0; i < rotation_type::dimension; ++i) c[i].d[O + 3 + k] = rate[i];
        }
        rotation_type q;
        for (std::size_t i = 0; i < rotation_type::dimension; ++i) q.set_coordinate(i, c[i]);
        return q;
    }
};

/// A particle with lanes O .. O + 2 seeded.
template <std::size_t N, std::size_t O, class Base>
struct seeded_particle {
    using B = typename Base::scalar_type;
    using D = dual<B, N>;
    using scalar_type = D;
    vec3<D> position;
    constexpr explicit seeded_particle(Base const& pose) noexcept : position(detail::seed_position<N, O>(pose.position)) {}
};

/// A rigid body's pose that moves with a constant twist: the one lane is d/dt.
template <class Base, class S>
struct moving_pose : detail::pose_with_lanes<moving_pose<Base, S>, typename Base::scalar_type, dual<typename Base::scalar_type, 1>> {
    using B = typename Base::scalar_type;
    using D = dual<B, 1>;
    using rotation_type = typename Base::rotation_type::template rebind<D>;

    Base base;
    twist<S> motion;
    vec3<D> position;
    rotation_type rotation;

    constexpr moving_pose(Base const& pose, twist<S> const& t) noexcept : base(pose), motion(t), position(carried(pose.position, t.linear)) {
        auto const rate = coordinate_rate(pose.rotation, t.angular);
        for (std::size_t i = 0; i < rotation_type::dimension; ++i) {
            D c(pose.rotation.coordinate(i));
            c.d[0] = rate[i];
            rotation.set_coordinate(i, c);
        }
    }
    [[nodiscard]] constexpr vec3<D> lifted(vec3<B> const& u) const noexcept { return carried(u, cross(motion.angular, u)); }
    template <class T>
    [[nodiscard]] static constexpr vec3<D> carried(vec3<B> const& u, vec3<T> const& u_dot) noexcept {
        vec3<D> r{D(u.x()), D(u.y()), D(u.z())};
        for (std::size_t i = 0; i < 3; ++i) r[i].d[0] = u_dot[i];
        return r;
    }
};

template <class Base, class S>
struct moving_particle {
    using B = typename Base::scalar_type;
    using D = dual<B, 1>;
    using scalar_type = D;
    vec3<D> position;
    constexpr moving_particle(Base const& pose, particle_twist<S> const& t) noexcept {
        for (std::size_t i = 0; i < 3; ++i) {
            position[i] = D(pose.position[i]);
            position[i].d[0] = t.linear[i];
        }
    }
};

template <class P>
concept pose_with_rotation = requires(P const& p) { p.rotation; };

/// The pose with its lanes seeded.
template <std::size_t N, std::size_t O, class P>
[[nodiscard]] constexpr auto seed(P const& p) noexcept {
    if constexpr (pose_with_rotation<P>)
        return seeded_pose<N, O, P>(p);
    else
        return seeded_particle<N, O, P>(p);
}
/// The twist with its lanes seeded.
template <std::size_t N, std::size_t O, class S>
[[nodiscard]] constexpr auto seed_twist(twist<S> const& t) noexcept {
    twist<dual<S, N>> r;
    r.linear = detail::seed_position<N, O>(t.linear);
    r.angular = detail::seed_position<N, O + 3>(t.angular);
    return r;
}
template <std::size_t N, std::size_t O, class S>
[[nodiscard]] constexpr auto seed_twist(particle_twist<S> const& t) noexcept {
    return particle_twist<dual<S, N>>{detail::seed_position<N, O>(t.linear)};
}
/// The pose moving with a twist; apply it twice for second derivatives in time.
template <class P, class S>
[[nodiscard]] constexpr auto moving(P const& p, twist<S> const& t) noexcept {
    return moving_pose<P, S>(p, t);
}
template <class P, class S>
[[nodiscard]] constexpr auto moving(P const& p, particle_twist<S> const& t) noexcept {
    return moving_particle<P, S>(p, t);
}
/// A twist that does not change, over scalar D.
template <class D, class S>
[[nodiscard]] constexpr twist<D> lift_twist(twist<S> const& t) noexcept {
    twist<D> r;
    for (std::size_t i = 0; i < 3; ++i) {
        r.linear[i] = D(t.linear[i]);
        r.angular[i] = D(t.angular[i]);
    }
    return r;
}
template <class D, class S>
[[nodiscard]] constexpr particle_twist<D> lift_twist(particle_twist<S> const& t) noexcept {
    particle_twist<D> r;
    for (std::size_t i = 0; i < 3; ++i) r.linear[i] = D(t.linear[i]);
    return r;
}

}  // namespace sinew::inline v0

// ---- sinew/constraint/constraint.hpp
// The constraint concept: what a type must say to be a constraint, and where it may say more.
//
//   template <sinew::scalar S>
//   struct my_rod {                                     // two anchors stay `length` apart
//       static constexpr std::size_t rows = 1;
//       sinew::vec3<S> anchor_a, anchor_b;              // body frames, m
//       S length;                                       // m
//       constexpr auto error(auto const& a, auto const& b) const {
//           return norm(a.point(anchor_a) - b.point(anchor_b)) - length;
//       }
//   };
//
// Required: `rows`, and `error(poses...)` (holonomic) or `rate(poses..., twists...)` (non-holonomic).
// Optional, each with a default (see derive.hpp): attachments, jacobian, jacobian_rate, stiffness, compliance, damping,
// limits, effective_mass, update.
//
// Signs. error c; multiplier lambda; the constraint's wrench on its bodies is J^T lambda with c_dot = J v. An inequality
// means c >= 0 and lambda >= 0: limits (0, infinity).

namespace sinew::inline v0 {

/// Bounds of the multipliers of M rows (N, N m): lower <= lambda <= upper.
template <class S, std::size_t M>
struct bounds {
    vec<S, M> lower, upper;
};

/// No bounds: an equality.
template <class S, std::size_t M>
[[nodiscard]] constexpr bounds<S, M> unbounded() noexcept {
    bounds<S, M> b{};
    for (std::size_t i = 0; i < M; ++i) {
        b.lower[i] = -infinity_v<S>;
        b.upper[i] = infinity_v<S>;
    }
    return b;
}
/// c >= 0: the constraint only pushes.
template <class S, std::size_t M>
[[nodiscard]] constexpr bounds<S, M> pushing() noexcept {
    bounds<S, M> b{};
    for (std::size_t i = 0; i < M; ++i) {
        b.lower[i] = S(0);
        b.upper[i] = infinity_v<S>;
    }
    return b;
}

/// Inverse mass of an attachment as a solver sees it: 1/kg, and 1/(kg m^2) in the world frame.
template <class S>
struct inverse_mass {
    S linear{};
    sym3<S> angular{};
};
template <class S>
struct particle_inverse_mass {
    S linear{};
};

namespace detail {
template <class C>
struct declared_attachments {
    using type = binds<rigid, rigid>;
};
template <class C>
    requires requires { typename C::attachments; }
struct declared_attachments<C> {
    using type = typename C::attachments;
};
}  // namespace detail

/// How the library reads a constraint type. Specialise it for a type that cannot be edited; the default asks the members.
template <class C>
struct constraint_traits {
    using attachments = typename detail::declared_attachments<C>::type;

    [[nodiscard]] static constexpr std::size_t rows()
        requires requires {
            { C::rows } -> std::convertible_to<std::size_t>;
        }
    {
        return C::rows;
    }
    template <class... P>
    [[nodiscard]] static constexpr auto error(C const& c, P const&... poses)
        requires requires { c.error(poses...); }
    {
        return c.error(poses...);
    }
    template <class... A>
    [[nodiscard]] static constexpr auto rate(C const& c, A const&... poses_and_twists)
        requires requires { c.rate(poses_and_twists...); }
    {
        return c.rate(poses_and_twists...);
    }
    template <class... P>
    [[nodiscard]] static constexpr auto jacobian(C const& c, P const&... poses)
        requires requires { c.jacobian(poses...); }
    {
        return c.jacobian(poses...);
    }
    template <class... A>
    [[nodiscard]] static constexpr auto jacobian_rate(C const& c, A const&... poses_and_twists)
        requires requires { c.jacobian_rate(poses_and_twists...); }
    {
        return c.jacobian_rate(poses_and_twists...);
    }
    template <class... A>
    [[nodiscard]] static constexpr auto stiffness(C const& c, A const&... poses_and_lambda)
        requires requires { c.stiffness(poses_and_lambda...); }
    {
        return c.stiffness(poses_and_lambda...);
    }
    [[nodiscard]] static constexpr auto compliance(C const& c)
        requires requires { c.compliance(); }
    {
        return c.compliance();
    }
    [[nodiscard]] static constexpr auto damping(C const& c)
        requires requires { c.damping(); }
    {
        return c.damping();
    }
    template <class... A>
    [[nodiscard]] static constexpr auto limits(C const& c, A const&... state)
        requires requires { c.limits(state...); }
    {
        return c.limits(state...);
    }
    template <class... A>
    [[nodiscard]] static constexpr auto effective_mass(C const& c, A const&... state)
        requires requires { c.effective_mass(state...); }
    {
        return c.effective_mass(state...);
    }
    template <class... A>
    [[nodiscard]] static constexpr auto update(C const& c, A const&... state)
        requires requires { c.update(state...); }
    {
        return c.update(state...);
    }
};

template <class C>
using attachments_t = typename constraint_traits<C>::attachments;

namespace detail {

// A list of attachments, and the poses and twists that go with it.
template <class A>
inline constexpr bool is_attachment_list_v = false;
template <class... K>
inline constexpr bool is_attachment_list_v<binds<K...>> = (sizeof...(K) > 0) && (is_body_kind_v<K> && ...);

template <class K, class S>
struct archetype;
template <class S>
struct archetype<rigid, S> {
    using pose_type = pose<S, quaternion<S>>;
    using twist_type = twist<S>;
    using inverse_mass_type = inverse_mass<S>;
};
template <class S>
struct archetype<point_mass, S> {
    using pose_type = particle_pose<S>;
    using twist_type = particle_twist<S>;
    using inverse_mass_type = particle_inverse_mass<S>;
};

template <class R, class S, std::size_t M>
concept residual_of = (M == 1 && std::convertible_to<R, S>) || requires(R r) {
    requires R::size() == M;
    { r[0] } -> std::convertible_to<S>;
};

template <class C, class S, class A>
struct callable_with;
template <class C, class S, class... K>
struct callable_with<C, S, binds<K...>> {
    static constexpr bool error = requires(C const& c, typename archetype<K, S>::pose_type const&... p) {
        constraint_traits<C>::error(c, p...);
    };
    static constexpr bool rate =
        requires(C const& c, typename archetype<K, S>::pose_type const&... p, typename archetype<K, S>::twist_type const&... t) {
            constraint_traits<C>::rate(c, p..., t...);
        };
    template <std::size_t M>
    [[nodiscard]] static constexpr bool values() {
        if constexpr (error) {
            using R = decltype(constraint_traits<C>::error(std::declval<C const&>(), std::declval<typename archetype<K, S>::pose_type const&>()...));
            return residual_of<R, S, M>;
        } else if constexpr (rate) {
            using R = decltype(constraint_traits<C>::rate(std::declval<C const&>(), std::declval<typename archetype<K, S>::pose_type const&>()...,
                                                          std::declval<typename archetype<K, S>::twist_type const&>()...));
            return residual_of<R, S, M>;
        } else {
            return false;
        }
    }
};

}  // namespace detail

// The atoms.

template <class C>
concept has_rows = requires {
    { constraint_traits<C>::rows() } -> std::convertible_to<std::size_t>;
};
template <class C>
concept has_attachments = detail::is_attachment_list_v<attachments_t<C>>;
/// Holonomic: error(poses...) can be called with its attachments' poses.
template <class C, class S>
concept has_error = has_attachments<C> && detail::callable_with<C, S, attachments_t<C>>::error;
/// Velocity level: rate(poses..., twists...) can be called.
template <class C, class S>
concept has_rate = has_attachments<C> && detail::callable_with<C, S, attachments_t<C>>::rate;
template <class C, class S>
concept has_error_or_rate = has_error<C, S> || has_rate<C, S>;
/// What it returns has as many values as `rows` says.
template <class C, class S>
concept has_matching_rows = has_rows<C> && has_attachments<C> &&
                            detail::callable_with<C, S, attachments_t<C>>::template values<constraint_traits<C>::rows()>();

/// A type that a world over scalar S can hold as a constraint.
template <class C, class S>
concept constraint_for = scalar<S> && has_rows<C> && has_attachments<C> && has_error_or_rate<C, S> && has_matching_rows<C, S> && std::copyable<C>;

/// Turns a missing part of the concept into one sentence. Called first wherever a constraint enters the library.
template <class C, class S>
constexpr void check_constraint() noexcept {
    static_assert(has_rows<C>, "sinew: this constraint does not say how many rows it has; add `static constexpr std::size_t rows = ...;`.");
    static_assert(has_attachments<C>, "sinew: this constraint's `attachments` is not a non-empty list of body kinds, such as sinew::binds<sinew::rigid, sinew::point_mass>.");
    if constexpr (has_rows<C> && has_attachments<C>) {
        static_assert(has_error_or_rate<C, S>,
                      "sinew: this constraint has neither `error(poses...)` nor `rate(poses..., twists...)` const that can be called with one pose (and twist) per "
                      "attachment; write one, taking `auto const&`.");
        if constexpr (has_error_or_rate<C, S>)
            static_assert(has_matching_rows<C, S>, "sinew: this constraint's error (or rate) does not return as many values as its `rows` says.");
    }
    static_assert(std::copyable<C>, "sinew: a constraint must be a copyable value.");
}

/// Whether the type says that the direction of its Jacobian turns freely near its solution, as that of a distance which
/// must vanish: `static constexpr bool moving_normal = true`. Such rows are evaluated anew in every iteration.
template <class C>
inline constexpr bool moving_normal_v = false;
template <class C>
    requires requires { requires C::moving_normal; }
inline constexpr bool moving_normal_v<C> = true;

template <class C>
inline constexpr std::size_t rows_v = constraint_traits<C>::rows();
template <class C>
inline constexpr std::size_t dof_v = attachments_t<C>::dof;

}  // namespace sinew::inline v0

// ---- sinew/constraint/derive.hpp
// What the library derives from a constraint, and the choice between that and what the type gives by hand.
//
//   error_of          c                         m
//   rate_of           c_dot                     m
//   jacobian_of       J, c_dot = J v            m x dof, [dc/dx | Dc] for each attachment (Waterson 2026, eq. 3.44)
//   jacobian_rate_of  J_dot v, c_ddot = J v_dot + J_dot v
//   stiffness_of      D(J^T lambda), dof x dof: how the constraint's wrench changes with the pose, lambda held
//   effective_mass_of (J M^-1 J^T + softness)^-1
//
// derived_... always differentiates by dual numbers, so that what is given by hand can be tested against it.

namespace sinew::inline v0 {

/// m x dof Jacobian of a constraint.
template <class C, class S>
using jacobian_t = mat<S, rows_v<C>, dof_v<C>>;
template <class C, class S>
using rows_vec = vec<S, rows_v<C>>;

namespace detail {

// A constraint of one row may return a bare scalar.
template <std::size_t M, class R>
[[nodiscard]] constexpr auto as_rows(R const& r) noexcept {
    if constexpr (requires { R::size(); })
        return r;
    else
        return vec<R, M>{r};
}

template <std::size_t N, std::size_t M, class S>
[[nodiscard]] constexpr mat<S, M, N> lanes_of(vec<dual<S, N>, M> const& e) noexcept {
    mat<S, M, N> J;
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < N; ++j) J(i, j) = e[i].d[j];
    return J;
}

template <class P>
using scalar_of = typename P::scalar_type;
template <class... P>
using first_scalar = scalar_of<std::tuple_element_t<0, std::tuple<P...>>>;

template <class Seq>
struct over_attachments;
template <std::size_t... I>
struct over_attachments<std::index_sequence<I...>> {
    // Flattened: only where everything is inlined do the lanes stay in registers, and the zeros of the seeds vanish.
    template <class C, class... P>
    [[nodiscard, gnu::flatten]] static constexpr auto jacobian(C const& c, P const&... p) {
        using A = attachments_t<C>;
        return lanes_of<A::dof>(as_rows<rows_v<C>>(constraint_traits<C>::error(c, seed<A::dof, A::offset(I)>(p)...)));
    }
    template <class C, class Poses, class Twists>
    [[nodiscard, gnu::flatten]] static constexpr auto rate_jacobian(C const& c, Poses const& poses, Twists const& twists) {
        using A = attachments_t<C>;
        return lanes_of<A::dof>(
            as_rows<rows_v<C>>(constraint_traits<C>::rate(c, std::get<I>(poses)..., seed_twist<A::dof, A::offset(I)>(std::get<I>(twists))...)));
    }
};

template <class C>
using attachment_indices = std::make_index_sequence<attachments_t<C>::size>;

// Poses and twists travel as two tuples, since a function cannot take two packs.
template <class... T>
[[nodiscard]] constexpr std::tuple<T...> pack(T const&... t) {
    return std::tuple<T...>(t...);
}

template <class C, class Poses, class Twists, std::size_t... I>
[[nodiscard]] constexpr auto call_rate(C const& c, Poses const& p, Twists const& t, std::index_sequence<I...>) {
    return as_rows<rows_v<C>>(constraint_traits<C>::rate(c, std::get<I>(p)..., std::get<I>(t)...));
}

template <class Twists, std::size_t N, class S, class A, std::size_t... I>
constexpr void stack(Twists const& t, vec<S, N>& v, A, std::index_sequence<I...>) {
    auto const put = [&v](std::size_t at, auto const& one) {
        for (std::size_t k = 0; k < 3; ++k) v[at + k] = one.linear[k];
        if constexpr (requires { one.angular; })
            for (std::size_t k = 0; k < 3; ++k) v[at + 3 + k] = one.angular[k];
    };
    (put(A::offset(I), std::get<I>(t)), ...);
}

}  // namespace detail

/// Whether the constraint holds a position (error) rather than only a velocity (rate).
template <class C, class S>
inline constexpr bool is_holonomic_v = has_error<C, S>;

/// c(X): the holonomic residual (m, rad).
template <class C, class... P>
[[nodiscard]] constexpr auto error_of(C const& c, P const&... poses) {
    return detail::as_rows<rows_v<C>>(constraint_traits<C>::error(c, poses...));
}

/// The velocities of the attachments one below the other: the v of c_dot = J v.
template <class C, class Twists>
[[nodiscard]] constexpr auto stacked_velocity(Twists const& twists) {
    using S = typename std::tuple_element_t<0, Twists>::scalar_type;
    vec<S, dof_v<C>> v{};
    detail::stack(twists, v, attachments_t<C>{}, detail::attachment_indices<C>{});
    return v;
}

/// J by dual numbers, for a holonomic constraint.
template <class C, class... P>
[[nodiscard]] constexpr auto derived_jacobian(C const& c, P const&... poses) {
    return detail::over_attachments<detail::attachment_indices<C>>::jacobian(c, poses...);
}

/// J of a velocity-level constraint: d rate / d twist, by dual numbers (Waterson 2026, eq. 3.52).
template <class C, class Poses, class Twists>
[[nodiscard]] constexpr auto derived_rate_jacobian(C const& c, Poses const& poses, Twists const& twists) {
    return detail::over_attachments<detail::attachment_indices<C>>::rate_jacobian(c, poses, twists);
}

namespace detail {
template <class P, class S = scalar_of<P>>
[[nodiscard]] constexpr auto zero_twist_for(P const&) noexcept {
    if constexpr (pose_with_rotation<P>)
        return twist<S>{};
    else
        return particle_twist<S>{};
}
}  // namespace detail

/// J, by hand if the type gives it. Of a non-holonomic constraint, which is affine in the twists, J is taken at rest.
template <class C, class... P>
[[nodiscard]] constexpr auto jacobian_of(C const& c, P const&... poses) {
    using S = detail::first_scalar<P...>;
    if constexpr (requires { constraint_traits<C>::jacobian(c, poses...); })
        return constraint_traits<C>::jacobian(c, poses...);
    else if constexpr (is_holonomic_v<C, S>)
        return derived_jacobian(c, poses...);
    else
        return derived_rate_jacobian(c, detail::pack(poses...), detail::pack(detail::zero_twist_for(poses)...));
}

/// c_dot(X, v). A type that has both error and rate says here what its error's rate is to be (a moving target).
template <class C, class... P, class... T>
[[nodiscard]] constexpr auto rate_of(C const& c, std::tuple<P...> const& poses, std::tuple<T...> const& twists) {
    using S = detail::first_scalar<P...>;
    if constexpr (has_rate<C, S>)
        return detail::call_rate(c, poses, twists, detail::attachment_indices<C>{});
    else
        return std::apply([&](auto const&... p) { return jacobian_of(c, p...); }, poses) * stacked_velocity<C>(twists);
}

namespace detail {
template <class C, class Poses, class Twists, std::size_t... I>
[[nodiscard]] constexpr auto jacobian_rate_by_duals(C const& c, Poses const& p, Twists const& t, std::index_sequence<I...>) {
    using S = scalar_of<std::tuple_element_t<0, Poses>>;
    vec<S, rows_v<C>> r;
    if constexpr (is_holonomic_v<C, S>) {
        // c along R(t) = exp([omega t]x) R, x(t) = x + v t; its second derivative is J_dot v, since v_dot = 0 there.
        auto const e = as_rows<rows_v<C>>(constraint_traits<C>::error(c, moving(moving(std::get<I>(p), std::get<I>(t)), std::get<I>(t))...));
        for (std::size_t i = 0; i < rows_v<C>; ++i) r[i] = e[i].d[0].d[0];
    } else {
        using D = dual<S, 1>;
        auto const e = as_rows<rows_v<C>>(constraint_traits<C>::rate(c, moving(std::get<I>(p), std::get<I>(t))..., lift_twist<D>(std::get<I>(t))...));
        for (std::size_t i = 0; i < rows_v<C>; ++i) r[i] = e[i].d[0];
    }
    return r;
}

template <class C, class Poses, class S, std::size_t... I>
[[nodiscard]] constexpr auto stiffness_by_duals(C const& c, Poses const& p, vec<S, rows_v<C>> const& lambda, std::index_sequence<I...>) {
    using A = attachments_t<C>;
    constexpr std::size_t N = A::dof;
    mat<S, N, N> G{};
    auto const accumulate = [&](auto const& e) {
        // e[i].d[j].d[k] = d/dxi_k of J_ij
        for (std::size_t i = 0; i < rows_v<C>; ++i)
            for (std::size_t j = 0; j < N; ++j)
                for (std::size_t k = 0; k < N; ++k) G(j, k) = G(j, k) + lambda[i] * e[i].d[j].d[k];
    };
    if constexpr (is_holonomic_v<C, S>) {
        accumulate(as_rows<rows_v<C>>(constraint_traits<C>::error(c, seed<N, A::offset(I)>(seed<N, A::offset(I)>(std::get<I>(p)))...)));
    } else {
        using D = dual<S, N>;
        accumulate(as_rows<rows_v<C>>(constraint_traits<C>::rate(
            c, seed<N, A::offset(I)>(std::get<I>(p))..., seed_twist<N, A::offset(I)>(lift_twist<D>(zero_twist_for(std::get<I>(p))))...)));
    }
    return G;
}
}  // namespace detail

/// J_dot v by dual numbers: the second derivative in time along a motion of constant twists.
template <class C, class... P, class... T>
[[nodiscard]] constexpr auto derived_jacobian_rate(C const& c, std::tuple<P...> const& poses, std::tuple<T...> const& twists) {
    return detail::jacobian_rate_by_duals(c, poses, twists, detail::attachment_indices<C>{});
}

/// J_dot v, by hand if the type gives it.
template <class C, class... P, class... T>
[[nodiscard]] constexpr auto jacobian_rate_of(C const& c, std::tuple<P...> const& poses, std::tuple<T...> const& twists) {
    if constexpr (requires { constraint_traits<C>::jacobian_rate(c, std::declval<P const&>()..., std::declval<T const&>()...); })
        return detail::as_rows<rows_v<C>>(
            std::apply([&](auto const&... a) { return constraint_traits<C>::jacobian_rate(c, a...); }, std::tuple_cat(poses, twists)));
    else
        return derived_jacobian_rate(c, poses, twists);
}

/// D(J^T lambda) by nested dual numbers. Its antisymmetric part belongs to the left-trivialised torque; the symmetric
/// part is the Hessian of lambda . c along exp.
template <class C, class... P, class S>
[[nodiscard]] constexpr auto derived_stiffness(C const& c, std::tuple<P...> const& poses, S const& lambda) {
    return detail::stiffness_by_duals(c, poses, lambda, detail::attachment_indices<C>{});
}

template <class C, class... P, class S>
[[nodiscard]] constexpr auto stiffness_of(C const& c, std::tuple<P...> const& poses, S const& lambda) {
    if constexpr (requires { constraint_traits<C>::stiffness(c, std::declval<P const&>()..., lambda); })
        return std::apply([&](auto const&... p) { return constraint_traits<C>::stiffness(c, p..., lambda); }, poses);
    else
        return derived_stiffness(c, poses, lambda);
}

namespace detail {
template <class S, std::size_t M, class V>
[[nodiscard]] constexpr vec<S, M> per_row(V const& v) noexcept {
    if constexpr (requires { V::size(); }) {
        return v;
    } else {
        vec<S, M> r;
        for (std::size_t i = 0; i < M; ++i) r[i] = S(v);
        return r;
    }
}
}  // namespace detail

/// Whether any row of the type may be soft. A type without compliance() is hard at compile time.
template <class C>
concept has_compliance = requires(C const& c) { constraint_traits<C>::compliance(c); };
template <class C>
concept has_damping = requires(C const& c) { constraint_traits<C>::damping(c); };

/// Compliance of each row, 1/(N/m) or 1/(N m/rad): 0 is hard.
template <class S, class C>
[[nodiscard]] constexpr rows_vec<C, S> compliance_of([[maybe_unused]] C const& c) noexcept {
    if constexpr (has_compliance<C>)
        return detail::per_row<S, rows_v<C>>(constraint_traits<C>::compliance(c));
    else
        return rows_vec<C, S>{};
}
/// Damping of each row, N s/m or N m s/rad; it acts on rows with compliance.
template <class S, class C>
[[nodiscard]] constexpr rows_vec<C, S> damping_of([[maybe_unused]] C const& c) noexcept {
    if constexpr (has_damping<C>)
        return detail::per_row<S, rows_v<C>>(constraint_traits<C>::damping(c));
    else
        return rows_vec<C, S>{};
}

namespace detail {
template <class C, class S, class A>
struct has_limits_with;
template <class C, class S, class... K>
struct has_limits_with<C, S, binds<K...>> {
    static constexpr bool value =
        requires(C const& c) { constraint_traits<C>::limits(c); } ||
        requires(C const& c, typename archetype<K, S>::pose_type const&... p) { constraint_traits<C>::limits(c, p...); } ||
        requires(C const& c, vec<S, rows_v<C>> const& l, typename archetype<K, S>::pose_type const&... p) { constraint_traits<C>::limits(c, l, p...); };
};
}  // namespace detail

/// Whether the type bounds its multipliers, by limits(), limits(poses...) or limits(lambda, poses...).
template <class C, class S>
inline constexpr bool is_bounded_v = detail::has_limits_with<C, S, attachments_t<C>>::value;

/// Bounds of the multipliers, given their present values and the poses.
template <class C, class S, std::size_t M, class... P>
[[nodiscard]] constexpr bounds<S, M> limits_of(C const& c, vec<S, M> const& lambda, P const&... poses) {
    if constexpr (requires { constraint_traits<C>::limits(c, lambda, poses...); })
        return constraint_traits<C>::limits(c, lambda, poses...);
    else if constexpr (requires { constraint_traits<C>::limits(c, poses...); })
        return constraint_traits<C>::limits(c, poses...);
    else if constexpr (requires { constraint_traits<C>::limits(c); })
        return constraint_traits<C>::limits(c);
    else
        return unbounded<S, M>();
}

namespace detail {
template <class C, class S, class A>
struct has_hooks_with;
template <class C, class S, class... K>
struct has_hooks_with<C, S, binds<K...>> {
    static constexpr bool update =
        requires(C const& c, vec<S, rows_v<C>> const& l, typename archetype<K, S>::pose_type const&... p) { constraint_traits<C>::update(c, l, l, p...); };
    static constexpr bool effective_mass =
        requires(C const& c, typename archetype<K, S>::pose_type const&... p, typename archetype<K, S>::inverse_mass_type const&... w) {
            constraint_traits<C>::effective_mass(c, p..., w...);
        };
};
}  // namespace detail

/// Whether the type has a rule of its own for its multipliers: update(lambda, proposed, poses...) returns those to take. For
/// bounds that couple rows, such as a friction cone.
template <class C, class S>
inline constexpr bool has_update_v = detail::has_hooks_with<C, S, attachments_t<C>>::update;
template <class C, class S, std::size_t M, class... P>
[[nodiscard]] constexpr vec<S, M> updated_multipliers([[maybe_unused]] C const& c, [[maybe_unused]] vec<S, M> const& lambda, vec<S, M> const& proposed,
                                                      [[maybe_unused]] P const&... poses) {
    if constexpr (has_update_v<C, S>)
        return detail::per_row<S, M>(constraint_traits<C>::update(c, lambda, proposed, poses...));
    else
        return proposed;
}

/// Whether a hard type knows (J M^-1 J^T)^-1 in closed form: effective_mass(poses..., inverse_masses...). With compliance the
/// step length enters, and it is derived.
template <class C, class S>
inline constexpr bool has_effective_mass_v = detail::has_hooks_with<C, S, attachments_t<C>>::effective_mass && !has_compliance<C>;

namespace detail {

// Columns of M^-1 J^T that belong to one attachment.
template <std::size_t M, std::size_t N, class S>
constexpr void weigh(mat<S, M, N> const& J, std::size_t at, inverse_mass<S> const& w, mat<S, M, N>& B) noexcept {
    for (std::size_t i = 0; i < M; ++i) {
        for (std::size_t k = 0; k < 3; ++k) B(i, at + k) = w.linear * J(i, at + k);
        vec3<S> const t = w.angular * vec3<S>{J(i, at + 3), J(i, at + 4), J(i, at + 5)};
        for (std::size_t k = 0; k < 3; ++k) B(i, at + 3 + k) = t[k];
    }
}
template <std::size_t M, std::size_t N, class S>
constexpr void weigh(mat<S, M, N> const& J, std::size_t at, particle_inverse_mass<S> const& w, mat<S, M, N>& B) noexcept {
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t k = 0; k < 3; ++k) B(i, at + k) = w.linear * J(i, at + k);
}

template <class A, std::size_t M, std::size_t N, class S, std::size_t... I, class... W>
[[nodiscard]] constexpr mat<S, M, N> weighted(mat<S, M, N> const& J, std::index_sequence<I...>, W const&... w) noexcept {
    mat<S, M, N> B;
    (weigh(J, A::offset(I), w, B), ...);
    return B;
}

}  // namespace detail

/// (M^-1 J^T)^T: the velocity change that a unit of each multiplier makes, row by row.
template <class C, class S, class... W>
[[nodiscard]] constexpr jacobian_t<C, S> weighted_jacobian(jacobian_t<C, S> const& J, W const&... inverse_masses) noexcept {
    return detail::weighted<attachments_t<C>>(J, detail::attachment_indices<C>{}, inverse_masses...);
}

/// J M^-1 J^T of one constraint, from J and the weighted Jacobian.
template <std::size_t M, std::size_t N, class S>
[[nodiscard]] constexpr mat<S, M, M> inverse_effective_mass(mat<S, M, N> const& J, mat<S, M, N> const& B) noexcept {
    mat<S, M, M> K;
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = i; j < M; ++j) {
            S s = J(i, 0) * B(j, 0);
            for (std::size_t k = 1; k < N; ++k) s = s + J(i, k) * B(j, k);
            K(i, j) = s;
            K(j, i) = s;
        }
    return K;
}

/// (J M^-1 J^T + softness)^-1, derived: the effective mass as a block (Waterson 2026, eq. 4.85 and 5.9).
template <class C, class S, std::size_t M, class... PW>
[[nodiscard]] constexpr mat<S, M, M> derived_effective_mass(jacobian_t<C, S> const& J, vec<S, M> const& softness, PW const&... inverse_masses) {
    auto K = inverse_effective_mass(J, weighted_jacobian<C>(J, inverse_masses...));
    for (std::size_t i = 0; i < M; ++i) K(i, i) = K(i, i) + softness[i];
    return inverse_spd(K);
}

}  // namespace sinew::inline v0

// ---- sinew/constraint/stack.hpp
// Joining the rows of parts into the rows of a joint, and writing the blocks of a Jacobian by hand.
//
// A joint is made of parts: a hinge is three rows of a point and two of an axis. Each part knows its error and its
// Jacobian; the joint puts them one below the other, in one order for all of its quantities.
//
//   constexpr auto error(auto const& a, auto const& b) const { return stack_rows(point.error(a, b), axes.error(a, b)); }
//
// Legend: i row, j column of the upper left entry of a block.

namespace sinew::inline v0 {

namespace detail {

template <class T>
struct part_rows {
    static constexpr std::size_t value = 1;
    using scalar_type = T;
};
template <class S, std::size_t M>
struct part_rows<vec<S, M>> {
    static constexpr std::size_t value = M;
    using scalar_type = S;
};
template <class T>
using part_scalar_t = typename part_rows<T>::scalar_type;

template <class... T>
struct joined_scalar;
template <class A>
struct joined_scalar<A> {
    using type = A;
};
template <class A, class B, class... Rest>
struct joined_scalar<A, B, Rest...> : joined_scalar<common_scalar_t<A, B>, Rest...> {};

}  // namespace detail

/// Errors (or rates, or rows of J_dot v) one below the other. A part of one row may be a bare scalar.
template <class... E>
    requires(sizeof...(E) > 0)
[[nodiscard]] constexpr auto stack_rows(E const&... parts) noexcept {
    using T = typename detail::joined_scalar<detail::part_scalar_t<E>...>::type;
    vec<T, (detail::part_rows<E>::value + ...)> r{};
    std::size_t at = 0;
    auto const put = [&](auto const& part) {
        if constexpr (requires { part.size(); })
            for (std::size_t k = 0; k < part.size(); ++k) r[at++] = part[k];
        else
            r[at++] = part;
    };
    (put(parts), ...);
    return r;
}

/// Jacobians of parts with the same attachments, one below the other.
template <class S, std::size_t N, std::size_t... M>
[[nodiscard]] constexpr mat<S, (M + ...), N> stack_rows(mat<S, M, N> const&... parts) noexcept {
    mat<S, (M + ...), N> J{};
    std::size_t at = 0;
    auto const put = [&](auto const& part) {
        for (S const& x : part.e) J.e[at++] = x;
    };
    (put(parts), ...);
    return J;
}

/// Bounds of parts, one below the other.
template <class S, std::size_t... M>
[[nodiscard]] constexpr bounds<S, (M + ...)> stack_rows(bounds<S, M> const&... parts) noexcept {
    return {stack_rows(parts.lower...), stack_rows(parts.upper...)};
}

/// Writes a block with its upper left entry at (i, j).
template <class S, std::size_t M, std::size_t N, std::size_t R, std::size_t C>
constexpr void place(mat<S, M, N>& J, std::size_t i, std::size_t j, mat<S, R, C> const& block) noexcept {
    for (std::size_t r = 0; r < R; ++r)
        for (std::size_t c = 0; c < C; ++c) J(i + r, j + c) = block(r, c);
}
/// Writes a vector as part of row i, from column j.
template <class S, std::size_t M, std::size_t N, std::size_t C>
constexpr void place(mat<S, M, N>& J, std::size_t i, std::size_t j, vec<S, C> const& row) noexcept {
    for (std::size_t c = 0; c < C; ++c) J(i, j + c) = row[c];
}

/// R x C block of a Jacobian whose upper left entry is at (i, j): for a part that binds only some of a joint's bodies.
template <std::size_t R, std::size_t C, class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr mat<S, R, C> block_of(mat<S, M, N> const& J, std::size_t i, std::size_t j) noexcept {
    mat<S, R, C> b;
    for (std::size_t r = 0; r < R; ++r)
        for (std::size_t c = 0; c < C; ++c) b(r, c) = J(i + r, j + c);
    return b;
}

/// omega x (omega x r): the acceleration of an arm r that turns with the constant angular velocity omega (Vondrak 2005, 7.3).
template <class S>
[[nodiscard]] constexpr vec3<S> centripetal(vec3<S> const& omega, vec3<S> const& r) noexcept {
    return cross(omega, cross(omega, r));
}

}  // namespace sinew::inline v0

// ---- sinew/constraint/anchor.hpp
// Where a constraint holds a body: a point fixed in a rigid body, or a particle itself. And how such a point moves.
//
// Makers. Every constraint and part has a static `at(poses..., places in the world)` that measures its body-frame fields
// from where the bodies are now: `hinge_joint<S>::at(a, b, anchor, axis)`. World points in m, world axes of any length but 0.
//
//   r     arm from the centre of mass to the point, world frame, m
//   p     the point, p_dot = v + omega x r, p_ddot = omega x (omega x r) for a constant twist   (Vondrak 2005, eq. 7.3)
//   n     a world direction; n . p_dot = [n | r x n] (v, omega)                                 (Waterson 2026, eq. 5.6)

namespace sinew::inline v0 {

/// The anchor on a particle: nothing to say.
struct no_anchor {
    [[nodiscard]] friend constexpr bool operator==(no_anchor, no_anchor) = default;
};
/// It is never at fault.
[[nodiscard]] constexpr input_fault finite_parameter(char const*, no_anchor) noexcept { return {}; }

namespace detail {
template <class S, class Kind>
struct anchor_on;
template <class S>
struct anchor_on<S, rigid> {
    using type = vec3<S>;
};
template <class S>
struct anchor_on<S, point_mass> {
    using type = no_anchor;
};
}  // namespace detail

/// Anchor on an attachment of kind Kind: a point in its frame (m), or nothing for a particle.
template <class S, class Kind>
using anchor_t = typename detail::anchor_on<S, Kind>::type;

/// World position of an anchor (m).
template <class S>
[[nodiscard]] constexpr auto anchored(auto const& pose, vec3<S> const& anchor) noexcept {
    return pose.point(anchor);
}
[[nodiscard]] constexpr auto anchored(auto const& pose, no_anchor) noexcept { return pose.position; }

/// The anchor that is at a world point now. A particle is its own anchor, wherever it is.
template <class S, class R>
[[nodiscard]] constexpr vec3<S> anchor_at(pose<S, R> const& p, vec3<S> const& world_point) noexcept {
    return p.local_point(world_point);
}
template <class S>
[[nodiscard]] constexpr no_anchor anchor_at(particle_pose<S> const&, vec3<S> const&) noexcept {
    return {};
}

namespace detail {

// The arm of an anchor: r, or nothing.
template <class S, class R>
[[nodiscard]] constexpr vec3<S> arm_of(pose<S, R> const& p, vec3<S> const& anchor) noexcept {
    return p.direction(anchor);
}
template <class S>
[[nodiscard]] constexpr no_anchor arm_of(particle_pose<S> const&, no_anchor) noexcept {
    return {};
}

template <class P, class S>
[[nodiscard]] constexpr vec3<S> end_of(P const& p, vec3<S> const& arm) noexcept {
    return p.position + arm;
}
template <class S>
[[nodiscard]] constexpr vec3<S> end_of(particle_pose<S> const& p, no_anchor) noexcept {
    return p.position;
}

// p_dot and p_ddot.
template <class S>
[[nodiscard]] constexpr vec3<S> velocity_of(twist<S> const& t, vec3<S> const& arm) noexcept {
    return t.linear + cross(t.angular, arm);
}
template <class S>
[[nodiscard]] constexpr vec3<S> velocity_of(particle_twist<S> const& t, no_anchor) noexcept {
    return t.linear;
}
template <class S>
[[nodiscard]] constexpr vec3<S> acceleration_of(twist<S> const& t, vec3<S> const& arm) noexcept {
    return centripetal(t.angular, arm);
}
template <class S>
[[nodiscard]] constexpr vec3<S> acceleration_of(particle_twist<S> const&, no_anchor) noexcept {
    return vec3<S>{};
}

// Row i from column j: n . p_dot.
template <class S, std::size_t M, std::size_t N>
constexpr void place_pull(mat<S, M, N>& J, std::size_t i, std::size_t j, vec3<S> const& n, vec3<S> const& arm) noexcept {
    place(J, i, j, n);
    place(J, i, j + 3, cross(arm, n));
}
template <class S, std::size_t M, std::size_t N>
constexpr void place_pull(mat<S, M, N>& J, std::size_t i, std::size_t j, vec3<S> const& n, no_anchor) noexcept {
    place(J, i, j, n);
}
// Rows i .. i + 2 from column j: sign * p_dot, [1 | -[r]x].
template <class S, std::size_t M, std::size_t N>
constexpr void place_point(mat<S, M, N>& J, std::size_t i, std::size_t j, S const& sign, vec3<S> const& arm) noexcept {
    for (std::size_t k = 0; k < 3; ++k) J(i + k, j + k) = sign;
    place(J, i, j + 3, skew(arm * -sign));
}
template <class S, std::size_t M, std::size_t N>
constexpr void place_point(mat<S, M, N>& J, std::size_t i, std::size_t j, S const& sign, no_anchor) noexcept {
    for (std::size_t k = 0; k < 3; ++k) J(i + k, j + k) = sign;
}

}  // namespace detail

namespace detail {

// How a point moves by a unit impulse on it: 1/m + [r]x I^-1 [r]x^T, symmetric.
template <class S>
[[nodiscard]] constexpr sym3<S> point_response(inverse_mass<S> const& w, vec3<S> const& arm) noexcept {
    auto const& I = w.angular;
    // The rows of T = [r]x I^-1, from its columns r x (column of I^-1); then row i of T [r]x^T is r x (row i of T).
    vec3<S> const x = cross(arm, vec3<S>{I.xx, I.xy, I.xz}), y = cross(arm, vec3<S>{I.xy, I.yy, I.yz}), z = cross(arm, vec3<S>{I.xz, I.yz, I.zz});
    vec3<S> const r0 = cross(arm, vec3<S>{x.x(), y.x(), z.x()}), r1 = cross(arm, vec3<S>{x.y(), y.y(), z.y()}), r2 = cross(arm, vec3<S>{x.z(), y.z(), z.z()});
    return {w.linear + r0.x(), w.linear + r1.y(), w.linear + r2.z(), r0.y(), r0.z(), r1.z()};
}
template <class S>
[[nodiscard]] constexpr sym3<S> point_response(particle_inverse_mass<S> const& w, no_anchor) noexcept {
    return {w.linear, w.linear, w.linear, S(0), S(0), S(0)};
}

}  // namespace detail

}  // namespace sinew::inline v0

// ---- sinew/constraint/angle.hpp
// The angle by which body b is turned against body a about an axis: a part of hinges, limits, servos, motors and gears.
//
//   theta = atan2(v_a . u_b - u_a . v_b,  u_a . u_b + v_a . v_b)      in (-pi, pi]
//
// with the right-handed world frames (u, v, n) of the two bodies: n the axis, u the direction that shows the angle,
// v = n x u. It is the twist of the relative rotation, whatever the swing between n_a and n_b: symmetric in the two
// bodies, and smooth until the axes are opposite. In terms of the relative quaternion the two arguments are 4 w z and
// 2 (w^2 - z^2), hence the angle, and 2 (w^2 + z^2) = 1 + n_a . n_b, hence the gradient:
//
//   theta_dot = g . (omega_b - omega_a),   g = (n_a + n_b) / (1 + n_a . n_b) = 2 s / |s|^2,   s = n_a + n_b
//
// The last form keeps its digits when the axes are nearly opposite.
//
// Sign: positive when b turns against a by the right hand about the axis. Aligned axes: g = n. Opposite axes: g = 0.

namespace sinew::inline v0 {

/// (1 row) The angle of b against a about an axis (rad). As a constraint of its own it holds the angle at 0.
template <scalar S>
struct relative_angle {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    vec3<S> axis_a{S(0), S(0), S(1)};       ///< unit, frame of a
    vec3<S> reference_a{S(1), S(0), S(0)};  ///< unit, perpendicular to axis_a, frame of a
    vec3<S> axis_b{S(0), S(0), S(1)};       ///< unit, frame of b
    vec3<S> reference_b{S(1), S(0), S(0)};  ///< unit, perpendicular to axis_b, frame of b; at angle 0 it is along reference_a

    /// About a world axis (any length but 0); the angle is 0 at these poses.
    [[nodiscard]] static constexpr relative_angle at(auto const& a, auto const& b, vec3<S> const& axis) noexcept {
        vec3<S> const n = normalize(axis);
        vec3<S> const u = orthonormal_basis(n).u;
        return {a.local_direction(n), a.local_direction(u), b.local_direction(n), b.local_direction(u)};
    }

    /// The angle (rad), in (-pi, pi].
    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const ua = a.direction(reference_a), va = a.direction(cross(axis_a, reference_a));
        auto const ub = b.direction(reference_b), vb = b.direction(cross(axis_b, reference_b));
        return atan2(dot(va, ub) - dot(ua, vb), dot(ua, ub) + dot(va, vb));
    }

    /// The axis about which a relative angular velocity changes the angle: g above, world frame.
    template <class R>
    [[nodiscard]] constexpr vec3<S> gradient(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        vec3<S> const s = a.direction(axis_a) + b.direction(axis_b);
        return s * two_over(squared_norm(s));
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        vec3<S> const g = gradient(a, b);
        mat<S, 1, 12> J{};
        place(J, 0, 3, -g);
        place(J, 0, 9, g);
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr S jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const na = a.direction(axis_a), nb = b.direction(axis_b);
        vec3<S> const s = na + nb, s_dot = cross(ta.angular, na) + cross(tb.angular, nb);
        S const k = two_over(squared_norm(s));
        vec3<S> const g = s * k;
        vec3<S> const g_dot = s_dot * k - g * (k * dot(s, s_dot));
        return dot(g_dot, tb.angular - ta.angular);
    }
    /// theta_dot (rad/s).
    template <class R>
    [[nodiscard]] constexpr S speed(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        return dot(gradient(a, b), tb.angular - ta.angular);
    }

    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(unit_parameter("axis_a", axis_a), unit_parameter("axis_b", axis_b),
                                   unit_parameter("reference_a", reference_a), unit_parameter("reference_b", reference_b),
                                   perpendicular_parameter("reference_a", reference_a, axis_a),
                                   perpendicular_parameter("reference_b", reference_b, axis_b));
    }
    [[nodiscard]] friend constexpr bool operator==(relative_angle const&, relative_angle const&) = default;

private:
    // 2 / x; 0 for opposite axes.
    [[nodiscard]] static constexpr S two_over(S const& x) noexcept {
        auto const opposite = x <= S(0);
        return select(opposite, S(0), S(2) / select(opposite, S(1), x));
    }
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/two_sided.hpp
// A number kept between two limits by a single row: the row belongs to the nearer limit.
//
//   nearer to the lower limit   c = x - lower >= 0,  lambda >= 0
//   nearer to the upper limit   c = x - upper <= 0,  lambda <= 0
//
// Between the limits neither c nor J is 0; the bounds of lambda alone keep the row from acting, as in every inequality. An
// iterative solver can therefore take back exactly that part of an earlier push which has become too much; a row that
// was cut to 0 between the limits would forget the push and leave its displacement behind. A limit may be infinite, but
// not both.

namespace sinew::inline v0::detail {

/// x - lower or x - upper.
template <class T, class S>
[[nodiscard]] constexpr T beyond_nearer(T const& x, S const& lower, S const& upper) noexcept {
    T const above_lower = x - lower, above_upper = x - upper;
    return select(above_lower < -above_upper, above_lower, above_upper);
}
/// Bounds of the multiplier of that row.
template <class S>
[[nodiscard]] constexpr bounds<S, 1> bounds_of_nearer(S const& x, S const& lower, S const& upper) noexcept {
    auto const low = x - lower < upper - x;
    return {{select(low, S(0), -infinity_v<S>)}, {select(low, infinity_v<S>, S(0))}};
}

template <class S>
[[nodiscard]] constexpr input_fault order_fault(S const& lower, S const& upper) noexcept {
    if (!all(lower <= upper)) return {"lower", "must not be above `upper`", static_cast<double>(value(lower))};
    if (!all(lower < infinity_v<S>)) return {"lower", "must not be infinitely high", static_cast<double>(value(lower))};
    if (!all(-infinity_v<S> < upper)) return {"upper", "must not be infinitely low", static_cast<double>(value(upper))};
    return {};
}
/// The same, where at least one of the limits must be a number.
template <class S>
[[nodiscard]] constexpr input_fault limits_fault(S const& lower, S const& upper) noexcept {
    if (!all(isfinite(lower)) && !all(isfinite(upper)))
        return {"lower", "or `upper` must be finite: a limit without limits is none; `lower`", static_cast<double>(value(lower))};
    return order_fault(lower, upper);
}

}  // namespace sinew::inline v0::detail

// ---- sinew/constraint/wrapped_angle.hpp
// Angles know no whole turns: which of theta + 2 pi k is meant.

namespace sinew::inline v0 {

/// The angle (rad) brought into (-pi, pi] by whole turns.
template <class T>
[[nodiscard]] constexpr T wrapped(T const& angle) noexcept {
    using V = value_type_t<T>;
    V const turn = V(2) * pi_v<V>;
    return angle + floor((pi_v<V> - angle) / turn) * turn;
}

/// The angle (rad) by whole turns as near as possible to the middle between two limits. With that, whatever is beyond
/// the limits belongs to the one that is nearer the short way round. If a limit is infinite: within (-pi, pi].
template <class T, class S>
[[nodiscard]] constexpr T wrapped_between(T const& angle, S const& lower, S const& upper) noexcept {
    S const sum = lower + upper;
    S const middle = select(isfinite(sum), sum / S(2), S(0));
    return wrapped(T(angle - middle)) + middle;
}

}  // namespace sinew::inline v0

// ---- sinew/constraint/angle_limit.hpp
// The angle of body b against body a about an axis stays between two limits: the stops of a hinge, or of the twist of a
// ball joint. A part to be used beside the joint.
//
//   lower <= theta <= upper,  theta of angle.hpp      one row, two-sided (see two_sided.hpp)
//
// Sign: lambda > 0 is the torque (N m) that turns b onward from the lower limit, lambda < 0 back from the upper one.
// Angles wrap opposite to the middle of the range, so that a range may lie anywhere and be up to a whole turn wide.

namespace sinew::inline v0 {

/// (1 row, rad, inequality) Both limits of an angle.
template <scalar S>
struct angle_limit {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    relative_angle<S> angle{};
    S lower = -pi_v<S>;  ///< rad
    S upper = pi_v<S>;   ///< rad

    /// About a world axis; the angle counts from these poses.
    [[nodiscard]] static constexpr angle_limit at(auto const& a, auto const& b, vec3<S> const& axis, S const& lower, S const& upper) noexcept {
        return {relative_angle<S>::at(a, b, axis), lower, upper};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return detail::beyond_nearer(wrapped_between(angle.error(a, b), lower, upper), lower, upper);
    }
    [[nodiscard]] constexpr bounds<S, 1> limits(auto const& a, auto const& b) const noexcept {
        return detail::bounds_of_nearer(S(wrapped_between(angle.error(a, b), lower, upper)), lower, upper);
    }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept { return angle.jacobian(a, b); }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return angle.jacobian_rate(a, b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(angle.fault(), detail::limits_fault(lower, upper)); }
    [[nodiscard]] friend constexpr bool operator==(angle_limit const&, angle_limit const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/turn.hpp
// The direction about which one axis turns into another, as a part of a Jacobian: w = n_a x n_b / |n_a x n_b|.

namespace sinew::inline v0::detail {

/// w_dot . (omega_b - omega_a) for world axes fixed in two bodies; 0 where they are parallel and w has no direction.
template <class S>
[[nodiscard]] constexpr S turn_rate(vec3<S> const& na, vec3<S> const& nb, vec3<S> const& omega_a, vec3<S> const& omega_b) noexcept {
    vec3<S> const across = cross(na, nb);
    vec3<S> const across_dot = cross(cross(omega_a, na), nb) + cross(na, cross(omega_b, nb));
    S const s2 = squared_norm(across);
    auto const none = s2 == S(0);
    S const inverse = select(none, S(0), S(1) / sqrt(select(none, S(1), s2)));
    vec3<S> const w = across * inverse;
    vec3<S> const w_dot = (across_dot - w * dot(w, across_dot)) * inverse;
    return dot(w_dot, omega_b - omega_a);
}

}  // namespace sinew::inline v0::detail

// ---- sinew/constraint/axis_alignment.hpp
// Relations between an axis n_a fixed in body a and an axis n_b fixed in body b: parts of joints.
//
//   axis_alignment      1 row    c = asin |n_a x n_b|, the angle between the axes      (Waterson 2026, eq. 5.54)
//   parallel_axes       2 rows   c = (n_a . u_b, n_a . v_b), u_b and v_b across n_b
//   perpendicular_axes  1 row    c = n_a . n_b
//
// The asin form turns both bodies about the one axis w = n_a x n_b / |n_a x n_b| that aligns them. Its Jacobian has no
// direction where the axes are aligned, and is taken as 0 there. The two rows of the second form are smooth at zero
// error, which acceleration-level solvers need: joints are made of it. Both forms also hold for opposite axes; the asin
// form leads to the nearer of the two, the other leaves opposite axes as they are.
//
// Signs. n_dot = omega x n, hence d(n_a . t_b)/dt = (omega_a - omega_b) . (n_a x t_b). For the angle between the axes
//   theta_dot = -w . (omega_a - omega_b):   Dc = (-w, w).
// Waterson (5.55) prints (w, -w), which would turn the axes apart. Beyond a right angle, where asin falls again, the sign
// is opposite. Also misprinted: (5.57) inverts once too often, and (5.58) says sin for asin.

namespace sinew::inline v0 {

namespace detail {

// Row i: d(n_a . t_b)/dt, for world directions n_a fixed in a and t_b fixed in b.
template <class S, std::size_t M>
constexpr void place_direction_product(mat<S, M, 12>& J, std::size_t i, vec3<S> const& na, vec3<S> const& tb) noexcept {
    vec3<S> const w = cross(na, tb);
    place(J, i, 3, w);
    place(J, i, 9, -w);
}
// Its J_dot v: n_ddot . t + 2 n_dot . t_dot + n . t_ddot.
template <class S>
[[nodiscard]] constexpr S direction_product_rate(vec3<S> const& na, vec3<S> const& tb, vec3<S> const& omega_a, vec3<S> const& omega_b) noexcept {
    vec3<S> const na_dot = cross(omega_a, na), tb_dot = cross(omega_b, tb);
    return dot(cross(omega_a, na_dot), tb) + S(2) * dot(na_dot, tb_dot) + dot(na, cross(omega_b, tb_dot));
}

}  // namespace detail

/// (1 row, rad) The angle between two axes, at most a right angle: asin form.
template <scalar S>
struct axis_alignment {
    static constexpr std::size_t rows = 1;
    /// The direction of the correction turns freely near the solution: evaluate it anew in every iteration.
    static constexpr bool moving_normal = true;
    using attachments = binds<rigid, rigid>;

    vec3<S> axis_a{S(0), S(0), S(1)};  ///< unit, frame of a
    vec3<S> axis_b{S(0), S(0), S(1)};  ///< unit, frame of b

    /// About a world axis.
    [[nodiscard]] static constexpr axis_alignment at(auto const& a, auto const& b, vec3<S> const& axis) noexcept {
        vec3<S> const n = normalize(axis);
        return {a.local_direction(n), b.local_direction(n)};
    }

    // atan2(s, |c|) is asin(s) for unit axes, but keeps its digits near a right angle.
    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const na = a.direction(axis_a), nb = b.direction(axis_b);
        return atan2(norm(cross(na, nb)), abs(dot(na, nb)));
    }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept {
        vec3<S> const na = a.direction(axis_a), nb = b.direction(axis_b);
        vec3<S> const w = normalize(cross(na, nb)) * sign_of(na, nb);
        mat<S, 1, 12> J{};
        place(J, 0, 3, -w);
        place(J, 0, 9, w);
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        vec3<S> const na = a.direction(axis_a), nb = b.direction(axis_b);
        return detail::turn_rate(na, nb, ta.angular, tb.angular) * sign_of(na, nb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(unit_parameter("axis_a", axis_a), unit_parameter("axis_b", axis_b));
    }
    [[nodiscard]] friend constexpr bool operator==(axis_alignment const&, axis_alignment const&) = default;

private:
    [[nodiscard]] static constexpr S sign_of(vec3<S> const& na, vec3<S> const& nb) noexcept { return select(dot(na, nb) < S(0), S(-1), S(1)); }
};

/// (2 rows, rad for small angles) Two axes are parallel: leaves rotation about them, as a hinge does.
template <scalar S>
struct parallel_axes {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, rigid>;

    vec3<S> axis_a{S(0), S(0), S(1)};  ///< unit, frame of a
    vec3<S> axis_b{S(0), S(0), S(1)};  ///< unit, frame of b

    /// About a world axis.
    [[nodiscard]] static constexpr parallel_axes at(auto const& a, auto const& b, vec3<S> const& axis) noexcept {
        vec3<S> const n = normalize(axis);
        return {a.local_direction(n), b.local_direction(n)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const across = orthonormal_basis(axis_b);
        auto const na = a.direction(axis_a);
        return stack_rows(dot(na, b.direction(across.u)), dot(na, b.direction(across.v)));
    }

    [[nodiscard]] constexpr mat<S, 2, 12> jacobian(auto const& a, auto const& b) const noexcept {
        auto const across = orthonormal_basis(axis_b);
        vec3<S> const na = a.direction(axis_a);
        mat<S, 2, 12> J{};
        detail::place_direction_product(J, 0, na, b.direction(across.u));
        detail::place_direction_product(J, 1, na, b.direction(across.v));
        return J;
    }
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        auto const across = orthonormal_basis(axis_b);
        vec3<S> const na = a.direction(axis_a);
        return {detail::direction_product_rate(na, b.direction(across.u), ta.angular, tb.angular),
                detail::direction_product_rate(na, b.direction(across.v), ta.angular, tb.angular)};
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(unit_parameter("axis_a", axis_a), unit_parameter("axis_b", axis_b));
    }
    [[nodiscard]] friend constexpr bool operator==(parallel_axes const&, parallel_axes const&) = default;
};

/// (1 row, rad for small angles) Two axes are perpendicular, as in the cross of a universal joint.
template <scalar S>
struct perpendicular_axes {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    vec3<S> axis_a{S(1), S(0), S(0)};  ///< unit, frame of a
    vec3<S> axis_b{S(0), S(1), S(0)};  ///< unit, frame of b

    /// Two world axes, one fixed in each body.
    [[nodiscard]] static constexpr perpendicular_axes at(auto const& a, auto const& b, vec3<S> const& axis_of_a, vec3<S> const& axis_of_b) noexcept {
        return {a.local_direction(normalize(axis_of_a)), b.local_direction(normalize(axis_of_b))};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return dot(a.direction(axis_a), b.direction(axis_b)); }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 1, 12> J{};
        detail::place_direction_product(J, 0, a.direction(axis_a), b.direction(axis_b));
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::direction_product_rate(a.direction(axis_a), b.direction(axis_b), ta.angular, tb.angular);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(unit_parameter("axis_a", axis_a), unit_parameter("axis_b", axis_b));
    }
    [[nodiscard]] friend constexpr bool operator==(perpendicular_axes const&, perpendicular_axes const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/check_members.hpp
// An optional member that is there but cannot be called as the library calls it would be passed over in silence, and what it
// says would not hold: an inequality whose limits() takes one pose too few would become an equality. So a member of one of these
// names must be callable.

namespace sinew::inline v0 {

namespace detail {

struct jacobian_name {
    void jacobian();
};
struct jacobian_rate_name {
    void jacobian_rate();
};
struct stiffness_name {
    void stiffness();
};
struct compliance_name {
    void compliance();
};
struct damping_name {
    void damping();
};
struct limits_name {
    void limits();
};
struct effective_mass_name {
    void effective_mass();
};
struct update_name {
    void update();
};
struct fault_name {
    void fault();
};
template <class C>
concept names_jacobian = can_be_joined<C> && !requires { &joined<C, jacobian_name>::jacobian; };
template <class C>
concept names_jacobian_rate = can_be_joined<C> && !requires { &joined<C, jacobian_rate_name>::jacobian_rate; };
template <class C>
concept names_stiffness = can_be_joined<C> && !requires { &joined<C, stiffness_name>::stiffness; };
template <class C>
concept names_compliance = can_be_joined<C> && !requires { &joined<C, compliance_name>::compliance; };
template <class C>
concept names_damping = can_be_joined<C> && !requires { &joined<C, damping_name>::damping; };
template <class C>
concept names_limits = can_be_joined<C> && !requires { &joined<C, limits_name>::limits; };
template <class C>
concept names_effective_mass = can_be_joined<C> && !requires { &joined<C, effective_mass_name>::effective_mass; };
template <class C>
concept names_update = can_be_joined<C> && !requires { &joined<C, update_name>::update; };
template <class C>
concept names_fault = can_be_joined<C> && !requires { &joined<C, fault_name>::fault; };

template <class C, class S, class A>
struct gives_by_hand;
template <class C, class S, class... K>
struct gives_by_hand<C, S, binds<K...>> {
    static constexpr bool jacobian = requires(C const& c, typename archetype<K, S>::pose_type const&... p) { constraint_traits<C>::jacobian(c, p...); };
    static constexpr bool jacobian_rate =
        requires(C const& c, typename archetype<K, S>::pose_type const&... p, typename archetype<K, S>::twist_type const&... t) {
            constraint_traits<C>::jacobian_rate(c, p..., t...);
        };
    static constexpr bool stiffness = requires(C const& c, typename archetype<K, S>::pose_type const&... p, vec<S, rows_v<C>> const& lambda) {
        constraint_traits<C>::stiffness(c, p..., lambda);
    };
};

}  // namespace detail

/// Turns an optional member that would be passed over into one sentence. C satisfies constraint_for.
template <class C, class S>
constexpr void check_members() noexcept {
    if constexpr (requires { typename C::joint_type; }) {
        check_members<typename C::joint_type, S>();  // a wrapper passes on what its joint has
    } else {
        using given = detail::gives_by_hand<C, S, attachments_t<C>>;
        using hooks = detail::has_hooks_with<C, S, attachments_t<C>>;
        static_assert(!detail::names_jacobian<C> || given::jacobian,
                      "sinew: this constraint's `jacobian` cannot be called as jacobian(poses...) const, with one pose per attachment; it would be ignored.");
        static_assert(!detail::names_jacobian_rate<C> || given::jacobian_rate,
                      "sinew: this constraint's `jacobian_rate` cannot be called as jacobian_rate(poses..., twists...) const, with one of each per attachment; "
                      "it would be ignored.");
        static_assert(!detail::names_stiffness<C> || given::stiffness,
                      "sinew: this constraint's `stiffness` cannot be called as stiffness(poses..., lambda) const, with one pose per attachment; it would be "
                      "ignored.");
        static_assert(!detail::names_compliance<C> || has_compliance<C>,
                      "sinew: this constraint's `compliance` cannot be called as compliance() const; it would be ignored.");
        static_assert(!detail::names_damping<C> || has_damping<C>, "sinew: this constraint's `damping` cannot be called as damping() const; it would be ignored.");
        static_assert(!detail::names_limits<C> || is_bounded_v<C, S>,
                      "sinew: this constraint's `limits` cannot be called as limits(), limits(poses...) or limits(lambda, poses...) const, with one pose per "
                      "attachment; it would be ignored.");
        static_assert(!detail::names_effective_mass<C> || hooks::effective_mass,
                      "sinew: this constraint's `effective_mass` cannot be called as effective_mass(poses..., inverse_masses...) const, with one of each per "
                      "attachment; it would be ignored.");
        static_assert(!detail::names_update<C> || hooks::update,
                      "sinew: this constraint's `update` cannot be called as update(lambda, proposed, poses...) const, with one pose per attachment; it would "
                      "be ignored.");
        static_assert(!detail::names_fault<C> || requires(C const& c) {
            { c.fault() } -> std::convertible_to<input_fault>;
        }, "sinew: this constraint's `fault` cannot be called as fault() const, or does not return sinew::input_fault; it would be ignored.");
    }
}

}  // namespace sinew::inline v0

// ---- sinew/constraint/cone_limit.hpp
// An axis of body b stays within a cone about an axis of body a: the swing of a shoulder or a hip.
//
//   c = half_angle - phi >= 0,   phi = atan2(|n_a x n_b|, n_a . n_b) in [0, pi]
//   phi_dot = w . (omega_b - omega_a),   w = n_a x n_b / |n_a x n_b|       (Waterson 2026, eq. 5.55, with the sign derived)
//
// Sign: lambda >= 0 is the torque (N m) that turns n_b back towards n_a. Where the axes are parallel or opposite no
// direction is set apart: J is 0 there.

namespace sinew::inline v0 {

/// (1 row, rad, inequality) The angle between two axes is at most half_angle.
template <scalar S>
struct cone_limit {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    vec3<S> axis_a{S(0), S(0), S(1)};  ///< unit, frame of a: the middle of the cone
    vec3<S> axis_b{S(0), S(0), S(1)};  ///< unit, frame of b
    S half_angle = pi_v<S> / S(2);     ///< rad, above 0, up to pi

    /// About a world axis, on which b's axis lies now.
    [[nodiscard]] static constexpr cone_limit at(auto const& a, auto const& b, vec3<S> const& axis, S const& half_angle) noexcept {
        return at(a, b, axis, axis, half_angle);
    }
    /// The middle of the cone along one world axis, b's axis now along another.
    [[nodiscard]] static constexpr cone_limit at(auto const& a, auto const& b, vec3<S> const& axis_of_a, vec3<S> const& axis_of_b,
                                                 S const& half_angle) noexcept {
        return {a.local_direction(normalize(axis_of_a)), b.local_direction(normalize(axis_of_b)), half_angle};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const na = a.direction(axis_a), nb = b.direction(axis_b);
        return half_angle - atan2(norm(cross(na, nb)), dot(na, nb));
    }
    [[nodiscard]] static constexpr bounds<S, 1> limits() noexcept { return pushing<S, 1>(); }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept {
        vec3<S> const w = normalize(cross(a.direction(axis_a), b.direction(axis_b)));
        mat<S, 1, 12> J{};
        place(J, 0, 3, w);
        place(J, 0, 9, -w);
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        vec3<S> const na = a.direction(axis_a), nb = b.direction(axis_b);
        return -detail::turn_rate(na, nb, ta.angular, tb.angular);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault opening{};
        if (!all(half_angle > S(0)) || !all(half_angle <= pi_v<S>))
            opening = {"half_angle", "must be above 0 and at most pi", static_cast<double>(value(half_angle))};
        return first_fault(unit_parameter("axis_a", axis_a), unit_parameter("axis_b", axis_b), opening);
    }
    [[nodiscard]] friend constexpr bool operator==(cone_limit const&, cone_limit const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/random_state.hpp
// Random poses and twists for tests of constraints: the same sequence on every machine for the same seed.

namespace sinew::inline v0 {

/// Steele, Lea and Flood 2014: 64 random bits a call.
struct splitmix64 {
    std::uint64_t state = 0;
    constexpr std::uint64_t operator()() noexcept {
        state += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
};

/// Uniform in [lo, hi).
template <std::floating_point S>
[[nodiscard]] constexpr S random_number(splitmix64& random, S lo, std::type_identity_t<S> hi) noexcept {
    constexpr int bits = std::numeric_limits<S>::digits < 53 ? std::numeric_limits<S>::digits : 53;
    S const unit = static_cast<S>(random() >> (64 - bits)) / static_cast<S>(std::uint64_t{1} << bits);
    return lo + (hi - lo) * unit;
}
/// Each entry uniform in [-size, size).
template <std::floating_point S, std::size_t N = 3>
[[nodiscard]] constexpr vec<S, N> random_vector(splitmix64& random, S size) noexcept {
    vec<S, N> v{};
    for (std::size_t i = 0; i < N; ++i) v[i] = random_number(random, -size, size);
    return v;
}
/// Uniform on the unit sphere of N dimensions.
template <std::floating_point S, std::size_t N = 3>
[[nodiscard]] constexpr vec<S, N> random_direction(splitmix64& random) noexcept {
    for (;;) {
        vec<S, N> const v = random_vector<S, N>(random, S(1));
        S const n2 = squared_norm(v);
        if (n2 <= S(1) && n2 > S(1) / S(64)) return normalize(v);
    }
}
/// Uniform over all rotations; of a quaternion, both signs.
template <class R>
[[nodiscard]] constexpr R random_rotation(splitmix64& random) noexcept {
    using S = typename R::scalar_type;
    vec<S, 4> const q = random_direction<S, 4>(random);
    return rotation_cast<R>(quaternion<S>{q[0], q[1], q[2], q[3]});
}

/// A pose or particle pose within [-size, size)^3, for an attachment of kind K.
template <class K, class R>
[[nodiscard]] constexpr auto random_pose(splitmix64& random, typename R::scalar_type size) noexcept {
    using S = typename R::scalar_type;
    vec3<S> const x = random_vector<S>(random, size);
    if constexpr (std::same_as<K, rigid>)
        return pose<S, R>{x, random_rotation<R>(random)};
    else
        return particle_pose<S>{x};
}
/// A twist for an attachment of kind K, its entries within [-speed, speed).
template <class K, class S>
[[nodiscard]] constexpr auto random_twist(splitmix64& random, S speed) noexcept {
    vec3<S> const v = random_vector<S>(random, speed);
    if constexpr (std::same_as<K, rigid>)
        return twist<S>{v, random_vector<S>(random, speed)};
    else
        return particle_twist<S>{v};
}
/// The inverse mass of a body of 0.5 to 2 kg and as much inertia (kg m^2), for an attachment of kind K.
template <class K, class R>
[[nodiscard]] constexpr auto random_inverse_mass(splitmix64& random) noexcept {
    using S = typename R::scalar_type;
    auto const number = [&] { return random_number(random, S(1) / S(2), S(2)); };
    S const linear = number();
    if constexpr (std::same_as<K, rigid>) {
        S const xx = number(), yy = number(), zz = number();
        return inverse_mass<S>{linear, world_inertia(diagonal(xx, yy, zz), random_rotation<R>(random))};
    } else {
        return particle_inverse_mass<S>{linear};
    }
}

}  // namespace sinew::inline v0

// ---- sinew/constraint/conformance.hpp
// Whether a constraint says the truth: what it gives by hand against what is derived from its error, and that against
// differences of the error; the momentum it keeps; that it stays finite. A user runs it on a type of their own:
//
//   sinew::splitmix64 random{1};
//   auto const report = sinew::check_conformance<sinew::quaternion<double>>(my_rod<double>{...}, random, 1000);
//   assert(report.conforms() && report.is_internal());
//
// Every deviation is the largest met, relative to the size of what is compared, so that it does not depend on units:
//   J, effective mass   the largest entry of the matrix
//   J_dot v             the same, or the largest of J times the largest velocity squared, if that is more
//   stiffness           the same, or the largest of J times the largest multiplier, if that is more
//   net force, torque   the largest force or torque of any one body (torques about the origin)
//   invariance          the largest of J times the size of the configuration, or the error itself
//
// Differences are central, of two steps h and 2h, extrapolated to fourth order: (4 D(h) - D(2h)) / 3. Where D(h) and
// D(2h) are far apart, or the second differences do not shrink as they should, something jumps, bends or grows without
// bound between the points (an angle wraps, a limit begins, axes are opposite): such a difference says nothing; it is
// not compared, but counted.

namespace sinew::inline v0 {

namespace detail {
template <class S>
[[nodiscard]] constexpr S power_of_half(int n) noexcept {
    S t{1};
    for (int i = 0; i < n; ++i) t = t / S(2);
    return t;
}
}  // namespace detail

/// How configurations are drawn, and how differences are taken: rounding and truncation balance near epsilon^(1/5).
template <std::floating_point S>
struct conformance_options {
    S size{1};   ///< positions lie within [-size, size)^3, m
    S speed{1};  ///< velocities within [-speed, speed), m/s and rad/s
    S step = detail::power_of_half<S>(std::numeric_limits<S>::digits / 5 + 1);    ///< h of the differences, rad, and times size m
    S spread = detail::power_of_half<S>(std::numeric_limits<S>::digits / 5 + 1);  ///< how far D(h) and D(2h) may be apart
};

/// What deviation is let pass; the margins are those of 1000 random configurations, some of them nearly singular.
template <std::floating_point S>
struct conformance_tolerances {
    S by_hand = S(4096) * std::numeric_limits<S>::epsilon();          ///< of J: 9e-13 in double, 5e-4 in float
    S second_by_hand = S(32768) * std::numeric_limits<S>::epsilon();  ///< of J_dot v and stiffness: 7e-12, 4e-3
    S by_difference = S(32) * sqrt(std::numeric_limits<S>::epsilon());  ///< 4.8e-7 in double, 1.1e-2 in float
    S unresolved = S(1) / S(20);                                      ///< share of differences that may be left out
};

/// The worst of everything that was met. 0 also where there is nothing to compare.
template <std::floating_point S>
struct conformance_report {
    int configurations = 0;
    bool finite = true;            ///< all values, also with all bodies in one place and half turns between them
    S jacobian{};                  ///< by hand against derived
    S jacobian_rate{};             ///< by hand against derived
    S stiffness{};                 ///< by hand against derived
    S effective_mass{};            ///< by hand against derived
    S jacobian_difference{};       ///< derived against differences
    S jacobian_rate_difference{};  ///< derived against differences
    S stiffness_difference{};      ///< derived against differences
    S net_force{};                 ///< of J^T lambda over all bodies: 0 if the constraint is internal
    S net_torque{};                ///< about the origin: 0 if the constraint is internal
    S invariance{};                ///< change of the error under a common rigid motion
    int differences = 0;           ///< how many differences were taken,
    int unresolved = 0;            ///< and how many of them said nothing

    [[nodiscard]] constexpr S worst_by_difference() const noexcept {
        return max(jacobian_difference, max(jacobian_rate_difference, stiffness_difference));
    }
    /// Finite, and every derivative is right.
    [[nodiscard]] constexpr bool conforms(conformance_tolerances<S> const& t = {}) const noexcept {
        return configurations > 0 && finite && max(jacobian, effective_mass) <= t.by_hand && max(jacobian_rate, stiffness) <= t.second_by_hand &&
               worst_by_difference() <= t.by_difference &&
               S(unresolved) <= t.unresolved * S(differences);
    }
    /// Keeps momentum: no net force or torque, and only the bodies' places among themselves matter.
    [[nodiscard]] constexpr bool is_internal(conformance_tolerances<S> const& t = {}) const noexcept {
        return net_force <= t.by_hand && net_torque <= t.by_hand && invariance <= t.by_hand;
    }
    /// The worse of two reports.
    constexpr conformance_report& operator+=(conformance_report const& o) noexcept {
        configurations += o.configurations;
        finite = finite && o.finite;
        jacobian = max(jacobian, o.jacobian);
        jacobian_rate = max(jacobian_rate, o.jacobian_rate);
        stiffness = max(stiffness, o.stiffness);
        effective_mass = max(effective_mass, o.effective_mass);
        jacobian_difference = max(jacobian_difference, o.jacobian_difference);
        jacobian_rate_difference = max(jacobian_rate_difference, o.jacobian_rate_difference);
        stiffness_difference = max(stiffness_difference, o.stiffness_difference);
        net_force = max(net_force, o.net_force);
        net_torque = max(net_torque, o.net_torque);
        invariance = max(invariance, o.invariance);
        differences += o.differences;
        unresolved += o.unresolved;
        return *this;
    }
};

namespace detail {

// Works on vec and mat alike: both hold their numbers in e.
template <class M>
[[nodiscard]] constexpr auto largest(M const& m) noexcept {
    using S = typename M::scalar_type;
    S r{};
    for (S const& x : m.e) r = max(r, abs(x));
    return r;
}
// Largest |a - b| relative to the larger of both, or to `size` if that is more. NaN counts as infinite.
template <class M, class S>
[[nodiscard]] constexpr S deviation_of(M const& a, M const& b, S const& size) noexcept {
    S const scale = max(size, max(largest(a), largest(b)));
    S worst{};
    for (std::size_t i = 0; i < sizeof(a.e) / sizeof(a.e[0]); ++i) {
        S const d = abs(a.e[i] - b.e[i]);
        worst = d <= worst ? worst : d;
        if (!(d <= infinity_v<S>)) return infinity_v<S>;
    }
    return scale > S(0) ? worst / scale : worst;
}
template <class M>
[[nodiscard]] constexpr bool all_finite(M const& m) noexcept {
    bool r = true;
    for (auto const& x : m.e) r = r && all(isfinite(x));
    return r;
}

template <class S, class R>
[[nodiscard]] constexpr pose<S, R> displaced(pose<S, R> const& p, S const* xi) noexcept {
    return {p.position + vec3<S>{xi[0], xi[1], xi[2]}, turned(p.rotation, vec3<S>{xi[3], xi[4], xi[5]})};
}
template <class S>
[[nodiscard]] constexpr particle_pose<S> displaced(particle_pose<S> const& p, S const* xi) noexcept {
    return {p.position + vec3<S>{xi[0], xi[1], xi[2]}};
}
// All bodies moved together: turned by Q about the origin, then shifted.
template <class S, class R>
[[nodiscard]] constexpr pose<S, R> carried(pose<S, R> const& p, pose<S, R> const& by) noexcept {
    return by * p;
}
template <class S, class R>
[[nodiscard]] constexpr particle_pose<S> carried(particle_pose<S> const& p, pose<S, R> const& by) noexcept {
    return {by.point(p.position)};
}

// One constraint, and everything that is asked of it at one configuration.
template <class R, class C, class Seq = attachment_indices<C>>
struct conformance;
template <class R, class C, std::size_t... I>
struct conformance<R, C, std::index_sequence<I...>> {
    using S = typename R::scalar_type;
    using A = attachments_t<C>;
    static constexpr std::size_t M = rows_v<C>, N = A::dof;
    static constexpr bool holonomic = is_holonomic_v<C, S>;
    using J_type = mat<S, M, N>;

    C const& c;
    conformance_options<S> const& options;
    conformance_report<S>& report;

    [[nodiscard]] static constexpr auto displaced_poses(auto const& poses, vec<S, N> const& xi) {
        return std::make_tuple(displaced(std::get<I>(poses), xi.e + A::offset(I))...);
    }
    [[nodiscard]] static constexpr vec<S, N> along(std::size_t k, S const& h) noexcept {
        vec<S, N> xi{};
        xi[k] = h;
        return xi;
    }
    [[nodiscard]] constexpr vec<S, M> error(auto const& poses) const { return error_of(c, std::get<I>(poses)...); }
    [[nodiscard]] constexpr vec<S, M> rate(auto const& poses, auto const& twists) const { return rate_of(c, poses, twists); }
    [[nodiscard]] static constexpr auto at_rest(auto const& poses) { return std::make_tuple(zero_twist_for(std::get<I>(poses))...); }
    [[nodiscard]] static constexpr auto twists_of(vec<S, N> const& v) { return std::make_tuple(twist_at<typename A::template kind<I>>(v.e + A::offset(I))...); }
    template <class K>
    [[nodiscard]] static constexpr auto twist_at(S const* v) {
        if constexpr (std::same_as<K, rigid>)
            return twist<S>{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
        else
            return particle_twist<S>{{v[0], v[1], v[2]}};
    }

    [[nodiscard]] constexpr J_type derived(auto const& poses) const {
        if constexpr (holonomic)
            return derived_jacobian(c, std::get<I>(poses)...);
        else
            return derived_rate_jacobian(c, poses, at_rest(poses));
    }
    // Compares d with the difference of f. `size` is that of what d is a part of.
    template <class V, class F>
    constexpr void compare(S& worst, V const& d, S const& h, S const& size, F&& f) const {
        V const middle = f(S(0)), p1 = f(h), m1 = f(-h), p2 = f(S(2) * h), m2 = f(S(-2) * h);
        V const narrow = (p1 - m1) * (S(1) / (S(2) * h)), wide = (p2 - m2) * (S(1) / (S(4) * h));
        // Both are h times the second derivative; where the function bends in the middle, one is twice the other.
        V const narrow_bend = (p1 - middle + (m1 - middle)) * (S(1) / h), wide_bend = (p2 - middle + (m2 - middle)) * (S(1) / (S(4) * h));
        ++report.differences;
        // The extrapolated value errs by about the square of the first.
        if (!(deviation_of(narrow, wide, size) <= options.spread && deviation_of(narrow_bend, wide_bend, size) <= options.spread))
            ++report.unresolved;
        else
            worst = max(worst, deviation_of(d, V((S(4) * narrow - wide) * (S(1) / S(3))), size));
    }
    [[nodiscard]] constexpr S step_of(std::size_t column) const noexcept {
        std::size_t const in_body[] = {(column - A::offset(I))...};
        for (std::size_t i = 0; i < A::size; ++i)
            if (column >= A::offset(i) && in_body[i] < 3) return options.step * options.size;
        return options.step;
    }

    constexpr void jacobians(auto const& poses, vec<S, N> const& v, J_type const& J) const {
        if constexpr (requires { constraint_traits<C>::jacobian(c, std::get<I>(poses)...); })
            report.jacobian = max(report.jacobian, deviation_of(J_type(constraint_traits<C>::jacobian(c, std::get<I>(poses)...)), J, S(0)));
        if constexpr (holonomic) {
            for (std::size_t k = 0; k < N; ++k)
                compare(report.jacobian_difference, J.col(k), step_of(k), largest(J),
                        [&](S const& h) { return error(displaced_poses(poses, along(k, h))); });
        } else {
            // The rate is affine in the twists, so J says all of it.
            vec<S, M> const by_J = J * v + rate(poses, at_rest(poses));
            report.jacobian_difference = max(report.jacobian_difference, deviation_of(by_J, rate(poses, twists_of(v)), largest(J) * largest(v)));
        }
    }
    constexpr void jacobian_rates(auto const& poses, vec<S, N> const& v, J_type const& J) const {
        auto const twists = twists_of(v);
        S const size = largest(J) * largest(v) * largest(v);
        vec<S, M> const d = derived_jacobian_rate(c, poses, twists);
        report.finite = report.finite && all_finite(d);
        if constexpr (requires { constraint_traits<C>::jacobian_rate(c, std::get<I>(poses)..., std::get<I>(twists)...); })
            report.jacobian_rate = max(report.jacobian_rate, deviation_of(vec<S, M>(jacobian_rate_of(c, poses, twists)), d, size));
        compare(report.jacobian_rate_difference, d, options.step, size, [&](S const& t) -> vec<S, M> {
            auto const moved = displaced_poses(poses, v * t);
            if constexpr (holonomic)
                return derived(moved) * v;
            else
                return rate(moved, twists);
        });
    }
    constexpr void stiffnesses(auto const& poses, vec<S, M> const& lambda, J_type const& J) const {
        S const size = largest(J) * largest(lambda);
        mat<S, N, N> const d = derived_stiffness(c, poses, lambda);
        report.finite = report.finite && all_finite(d);
        if constexpr (requires { constraint_traits<C>::stiffness(c, std::get<I>(poses)..., lambda); })
            report.stiffness = max(report.stiffness, deviation_of(mat<S, N, N>(stiffness_of(c, poses, lambda)), d, size));
        S const whole = max(size, largest(d));
        for (std::size_t k = 0; k < N; ++k)
            compare(report.stiffness_difference, d.col(k), step_of(k), whole,
                    [&](S const& h) { return transpose_times(derived(displaced_poses(poses, along(k, h))), lambda); });
    }
    constexpr void effective_masses([[maybe_unused]] auto const& poses, [[maybe_unused]] J_type const& J, splitmix64& random) const {
        auto const w = std::make_tuple(random_inverse_mass<typename A::template kind<I>, R>(random)...);
        if constexpr (requires { constraint_traits<C>::effective_mass(c, std::get<I>(poses)..., std::get<I>(w)...); }) {
            auto const by_hand = constraint_traits<C>::effective_mass(c, std::get<I>(poses)..., std::get<I>(w)...);
            auto const d = derived_effective_mass<C>(J, compliance_of<S>(c), std::get<I>(w)...);
            mat<S, M, M> E{};
            if constexpr (requires { by_hand.e; })
                E = by_hand;
            else
                E(0, 0) = by_hand;
            report.effective_mass = max(report.effective_mass, deviation_of(E, d, S(0)));
        }
    }
    // The constraint's wrenches add up to none, and a common motion changes nothing.
    constexpr void momentum(auto const& poses, vec<S, M> const& lambda, J_type const& J, splitmix64& random) const {
        vec<S, N> const w = transpose_times(J, lambda);
        vec3<S> force{}, torque{};
        S force_size{}, torque_size{};
        auto const add = [&](auto const& p, S const* at) {
            vec3<S> const f{at[0], at[1], at[2]};
            vec3<S> t = cross(p.position, f);
            torque_size = max(torque_size, largest(t));
            if constexpr (pose_with_rotation<std::remove_cvref_t<decltype(p)>>) {
                vec3<S> const own{at[3], at[4], at[5]};
                torque_size = max(torque_size, largest(own));
                t += own;
            }
            force += f;
            torque += t;
            force_size = max(force_size, largest(f));
        };
        (add(std::get<I>(poses), w.e + A::offset(I)), ...);
        report.net_force = max(report.net_force, deviation_of(force, vec3<S>{}, force_size));
        report.net_torque = max(report.net_torque, deviation_of(torque, vec3<S>{}, torque_size));

        auto const by = random_pose<rigid, R>(random, options.size);
        auto const moved = std::make_tuple(carried(std::get<I>(poses), by)...);
        S const size = largest(J) * options.size;
        if constexpr (holonomic) {
            report.invariance = max(report.invariance, deviation_of(error(moved), error(poses), size));
        } else {
            auto const rest = at_rest(poses);
            report.invariance = max(report.invariance, deviation_of(rate(moved, rest), rate(poses, rest), size));
        }
    }

    /// All of it at one configuration.
    constexpr void at(auto const& poses, splitmix64& random) const {
        vec<S, N> const v = random_vector<S, N>(random, options.speed);
        vec<S, M> const lambda = random_vector<S, M>(random, S(1));
        J_type const J = derived(poses);
        report.finite = report.finite && all_finite(J);
        ++report.configurations;
        jacobians(poses, v, J);
        jacobian_rates(poses, v, J);
        stiffnesses(poses, lambda, J);
        effective_masses(poses, J, random);
        momentum(poses, lambda, J, random);
    }
    /// Whether every quantity is finite there, by hand and derived.
    [[nodiscard]] constexpr bool finite_at(auto const& poses, splitmix64& random) const {
        vec<S, N> const v = random_vector<S, N>(random, options.speed);
        vec<S, M> const lambda = random_vector<S, M>(random, S(1));
        auto const twists = twists_of(v);
        bool r = all_finite(derived(poses)) && all_finite(J_type(jacobian_of(c, std::get<I>(poses)...)));
        if constexpr (holonomic)
            r = r && all_finite(error(poses));
        else
            r = r && all_finite(rate(poses, twists));
        r = r && all_finite(vec<S, M>(derived_jacobian_rate(c, poses, twists))) && all_finite(vec<S, M>(jacobian_rate_of(c, poses, twists)));
        return r && all_finite(mat<S, N, N>(derived_stiffness(c, poses, lambda))) && all_finite(mat<S, N, N>(stiffness_of(c, poses, lambda)));
    }
    [[nodiscard]] static constexpr auto draw(splitmix64& random, S const& size) {
        return std::tuple{random_pose<typename A::template kind<I>, R>(random, size)...};
    }
    template <class K>
    [[nodiscard]] static constexpr auto place_of(vec3<S> const& x, R const& rotation) {
        if constexpr (std::same_as<K, rigid>)
            return pose<S, R>{x, rotation};
        else
            return particle_pose<S>{x};
    }
    // All bodies in one place; the first turned, the others not.
    [[nodiscard]] static constexpr auto coincident(vec3<S> const& x, R const& first) {
        return std::make_tuple(place_of<typename A::template kind<I>>(x, I == 0 ? first : R::identity())...);
    }
};

}  // namespace detail

/// Whether error, Jacobians, J_dot v and stiffness are finite at given poses, which may be degenerate.
template <class R = quaternion<double>, class C, class... P>
[[nodiscard]] constexpr bool is_finite_at(C const& c, splitmix64& random, P const&... poses) {
    conformance_options<typename R::scalar_type> const options{};
    conformance_report<typename R::scalar_type> report{};
    return detail::conformance<R, C>{c, options, report}.finite_at(std::make_tuple(poses...), random);
}

/// Checks the constraint at n configurations drawn by `sample(random)`, which returns a tuple of poses.
template <class R, class C, class Sample>
    requires std::invocable<Sample&, splitmix64&>
[[nodiscard]] constexpr conformance_report<typename R::scalar_type> check_conformance(C const& c, splitmix64& random, int n, Sample&& sample,
                                                                                      conformance_options<typename R::scalar_type> const& options = {}) {
    using S = typename R::scalar_type;
    check_constraint<C, S>();
    check_members<C, S>();
    conformance_report<S> report{};
    detail::conformance<R, C> const check{c, options, report};
    for (int i = 0; i < n; ++i) check.at(sample(random), random);
    return report;
}

/// Checks the constraint at n random configurations, and that it stays finite where bodies coincide.
template <class R = quaternion<double>, class C>
[[nodiscard]] constexpr conformance_report<typename R::scalar_type> check_conformance(C const& c, splitmix64& random, int n = 1000,
                                                                                      conformance_options<typename R::scalar_type> const& options = {}) {
    using S = typename R::scalar_type;
    using check = detail::conformance<R, C>;
    auto report = check_conformance<R>(
        c, random, n, [&](splitmix64& r) { return check::draw(r, options.size); }, options);
    auto const finite_at = [&](auto const& poses) { report.finite = report.finite && check{c, options, report}.finite_at(poses, random); };
    finite_at(check::coincident({S(0), S(0), S(0)}, R::identity()));
    for (std::size_t k = 0; k < 3; ++k) {
        // Half a turn and a quarter turn about each axis.
        vec3<S> axis{};
        axis[k] = S(1);
        finite_at(check::coincident(axis, rotation_exp<R>(axis * pi_v<S>)));
        finite_at(check::coincident(axis, rotation_exp<R>(axis * (pi_v<S> / S(2)))));
    }
    return report;
}

}  // namespace sinew::inline v0

// ---- sinew/constraint/displacement.hpp
// How far a point of body b is from a point of body a along a direction fixed in a: the row that planes, lines, sliders,
// linear limits and linear motors share.
//
//   s = n_a . d,   d = p_b - p_a
//   s_dot = n_a . (v_b + omega_b x r_b) - n_a . (v_a + omega_a x l),   l = p_b - x_a
//
// The lever of body a ends at p_b, not at its own point: its direction turns with it.

namespace sinew::inline v0::detail {

/// n . (p_b - p_a); local_n is a direction in the frame of a.
template <class S>
[[nodiscard]] constexpr auto displacement(auto const& a, auto const& b, auto const& anchor_a, auto const& anchor_b, vec3<S> const& local_n) noexcept {
    return dot(a.direction(local_n), anchored(b, anchor_b) - anchored(a, anchor_a));
}

// Row i; b's columns begin at 6. n is the world direction, arm_b the arm of b's anchor.
template <class S, std::size_t M, std::size_t N, class A, class B, class Arm>
constexpr void place_displacement(mat<S, M, N>& J, std::size_t i, A const& a, B const& b, Arm const& arm_b, vec3<S> const& n) noexcept {
    place_pull(J, i, 0, -n, end_of(b, arm_b) - a.position);
    place_pull(J, i, 6, n, arm_b);
}

// J_dot v: n_ddot . d + 2 n_dot . d_dot + n . d_ddot.
template <class S, class A, class B, class TA, class TB, class ArmB>
[[nodiscard]] constexpr S displacement_rate(A const& a, B const& b, vec3<S> const& arm_a, ArmB const& arm_b, TA const& ta, TB const& tb,
                                            vec3<S> const& n) noexcept {
    vec3<S> const d = end_of(b, arm_b) - end_of(a, arm_a);
    vec3<S> const d_dot = velocity_of(tb, arm_b) - velocity_of(ta, arm_a);
    vec3<S> const d_ddot = acceleration_of(tb, arm_b) - acceleration_of(ta, arm_a);
    return dot(centripetal(ta.angular, n), d) + S(2) * dot(cross(ta.angular, n), d_dot) + dot(n, d_ddot);
}

}  // namespace sinew::inline v0::detail

// ---- sinew/constraint/point_on_line.hpp
// A point of body b lies on a line fixed in body a: two planes through the line. A part of sliders and cylindrical joints.
//
//   c = (u_a . d, v_a . d),   d = p_b - p_a      u_a and v_a across the line, p_a a point on it
//
// A line has no ends: along it the point is free.

namespace sinew::inline v0 {

/// (2 rows, m) Body a is rigid and carries the line (or is the ground); b is a rigid body or a particle.
template <scalar S, class KindB>
struct point_on_line_of {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, KindB>;

    vec3<S> anchor_a{};              ///< a point of the line, frame of a, m
    anchor_t<S, KindB> anchor_b{};   ///< frame of b, m
    vec3<S> axis{S(0), S(0), S(1)};  ///< unit, frame of a

    /// The line through a world point; b's anchor is that point too (a particle is where it is).
    [[nodiscard]] static constexpr point_on_line_of at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor), a.local_direction(normalize(axis))};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const across = orthonormal_basis(axis);
        auto const d = anchored(b, anchor_b) - anchored(a, anchor_a);
        return stack_rows(dot(a.direction(across.u), d), dot(a.direction(across.v), d));
    }

    [[nodiscard]] constexpr mat<S, 2, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        auto const across = orthonormal_basis(axis);
        auto const arm = detail::arm_of(b, anchor_b);
        mat<S, 2, attachments::dof> J;
        detail::place_displacement(J, 0, a, b, arm, a.direction(across.u));
        detail::place_displacement(J, 1, a, b, arm, a.direction(across.v));
        return J;
    }
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        auto const across = orthonormal_basis(axis);
        auto const arm_a = detail::arm_of(a, anchor_a);
        auto const arm_b = detail::arm_of(b, anchor_b);
        return {detail::displacement_rate(a, b, arm_a, arm_b, ta, tb, a.direction(across.u)),
                detail::displacement_rate(a, b, arm_a, arm_b, ta, tb, a.direction(across.v))};
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), unit_parameter("axis", axis)); }
    [[nodiscard]] friend constexpr bool operator==(point_on_line_of const&, point_on_line_of const&) = default;
};

template <class S>
using point_on_line = point_on_line_of<S, rigid>;
template <class S>
using particle_on_line = point_on_line_of<S, point_mass>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/cylindrical.hpp
// Cylindrical joint: body b slides along an axis of body a and turns about it, as a rod in a bush does.
//
//   c = (u_a . d, v_a . d, n_a . u_b, n_a . v_b),   d = p_b - p_a      rows 0-1 in m, rows 2-3 in rad for small angles

namespace sinew::inline v0 {

/// (4 rows) Leaves 2 degrees of freedom: along the axis, and about it.
template <scalar S>
struct cylindrical_joint {
    static constexpr std::size_t rows = 4;
    using attachments = binds<rigid, rigid>;

    point_on_line<S> line{};
    parallel_axes<S> axes{};

    /// Along the world axis through a world point.
    [[nodiscard]] static constexpr cylindrical_joint at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis) noexcept {
        return {point_on_line<S>::at(a, b, anchor, axis), parallel_axes<S>::at(a, b, axis)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return stack_rows(line.error(a, b), axes.error(a, b)); }
    [[nodiscard]] constexpr mat<S, 4, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(line.jacobian(a, b), axes.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 4> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(line.jacobian_rate(a, b, ta, tb), axes.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(line.fault(), axes.fault()); }
    [[nodiscard]] friend constexpr bool operator==(cylindrical_joint const&, cylindrical_joint const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/separation.hpp
// The distance between two anchors as a row of a Jacobian: shared by the scalar point-to-point form, the rod and the rope.
//
//   d = |dp|,  dp = p_a - p_b,  n = dp / d       d_dot  = n . dp_dot
//                                                d_ddot = n . dp_ddot + (|dp_dot|^2 - d_dot^2) / d
//
// Where d = 0 there is no direction: n and 1 / d are taken as 0.

namespace sinew::inline v0::detail {

template <class KindA, class KindB, class S, class A, class B>
[[nodiscard]] constexpr mat<S, 1, KindA::dof + KindB::dof> separation_jacobian(A const& a, B const& b, anchor_t<S, KindA> const& anchor_a,
                                                                               anchor_t<S, KindB> const& anchor_b) noexcept {
    auto const ra = arm_of(a, anchor_a);
    auto const rb = arm_of(b, anchor_b);
    vec3<S> const n = normalize(end_of(a, ra) - end_of(b, rb));
    mat<S, 1, KindA::dof + KindB::dof> J;
    place_pull(J, 0, 0, n, ra);
    place_pull(J, 0, KindA::dof, -n, rb);
    return J;
}

template <class KindA, class KindB, class S, class A, class B, class TA, class TB>
[[nodiscard]] constexpr S separation_jacobian_rate(A const& a, B const& b, anchor_t<S, KindA> const& anchor_a, anchor_t<S, KindB> const& anchor_b,
                                                   TA const& ta, TB const& tb) noexcept {
    auto const ra = arm_of(a, anchor_a);
    auto const rb = arm_of(b, anchor_b);
    vec3<S> const dp = end_of(a, ra) - end_of(b, rb);
    vec3<S> const dp_dot = velocity_of(ta, ra) - velocity_of(tb, rb);
    vec3<S> const dp_ddot = acceleration_of(ta, ra) - acceleration_of(tb, rb);
    S const d2 = squared_norm(dp);
    auto const none = d2 == S(0);
    S const inverse = select(none, S(0), S(1) / sqrt(select(none, S(1), d2)));
    vec3<S> const n = dp * inverse;
    // |dp_dot|^2 - (n . dp_dot)^2 without cancellation: the part of dp_dot across n.
    return dot(n, dp_ddot) + squared_norm(cross(n, dp_dot)) * inverse;
}

}  // namespace sinew::inline v0::detail

// ---- sinew/constraint/distance.hpp
// Two points stay a length apart (rod), or no farther apart than a length (rope).
//
//   rod    c = |p_a - p_b| - length  = 0      sign: lambda > 0 pushes the points apart
//   rope   c = length - |p_a - p_b| >= 0      sign: lambda > 0, the rope's tension in N, pulls them together
//
// J is that of Waterson's scalar point-to-point form (2026, eq. 5.6). Where the points coincide there is no direction:
// J is 0, and a rod of positive length stays collapsed until something else moves its ends apart.

namespace sinew::inline v0 {

/// (1 row, m) A rod without mass between any two kinds of bodies.
template <scalar S, class KindA, class KindB>
struct distance_between {
    static constexpr std::size_t rows = 1;
    using attachments = binds<KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    S length{};                     ///< m

    /// Between two world points, as long as they are apart now. A particle is its own end, whatever point is given.
    [[nodiscard]] static constexpr distance_between at(auto const& a, auto const& b, vec3<S> const& end_a, vec3<S> const& end_b) noexcept {
        distance_between c{anchor_at(a, end_a), anchor_at(b, end_b), S(0)};
        c.length = norm(anchored(a, c.anchor_a) - anchored(b, c.anchor_b));
        return c;
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return norm(anchored(a, anchor_a) - anchored(b, anchor_b)) - length;
    }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        return detail::separation_jacobian<KindA, KindB, S>(a, b, anchor_a, anchor_b);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::separation_jacobian_rate<KindA, KindB, S>(a, b, anchor_a, anchor_b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), nonnegative_parameter("length", length)); }
    [[nodiscard]] friend constexpr bool operator==(distance_between const&, distance_between const&) = default;
};

/// (1 row, m, inequality) A rope without mass between any two kinds of bodies: slack, or taut.
template <scalar S, class KindA, class KindB>
struct rope_between {
    static constexpr std::size_t rows = 1;
    using attachments = binds<KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    S length{};                     ///< m

    /// Between two world points, taut now.
    [[nodiscard]] static constexpr rope_between at(auto const& a, auto const& b, vec3<S> const& end_a, vec3<S> const& end_b) noexcept {
        auto const rod = distance_between<S, KindA, KindB>::at(a, b, end_a, end_b);
        return {rod.anchor_a, rod.anchor_b, rod.length};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return length - norm(anchored(a, anchor_a) - anchored(b, anchor_b));
    }
    [[nodiscard]] static constexpr bounds<S, 1> limits() noexcept { return pushing<S, 1>(); }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        return -detail::separation_jacobian<KindA, KindB, S>(a, b, anchor_a, anchor_b);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return -detail::separation_jacobian_rate<KindA, KindB, S>(a, b, anchor_a, anchor_b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), nonnegative_parameter("length", length)); }
    [[nodiscard]] friend constexpr bool operator==(rope_between const&, rope_between const&) = default;
};

template <class S>
using distance = distance_between<S, rigid, rigid>;
template <class S>
using particle_distance = distance_between<S, point_mass, point_mass>;
template <class S>
using particle_body_distance = distance_between<S, point_mass, rigid>;

template <class S>
using rope = rope_between<S, rigid, rigid>;
template <class S>
using particle_rope = rope_between<S, point_mass, point_mass>;
template <class S>
using particle_body_rope = rope_between<S, point_mass, rigid>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/gear.hpp
// Gears: two wheels that turn about axes of one carrier keep the ratio of their teeth. The carrier may be the ground, a
// housing that moves, or the arm of a planetary gear.
//
//   c = wrap(n_a theta_a + n_b theta_b) / n_a       rad, of wheel a
//
//   theta_a, theta_b  angles of the wheels in the carrier, each about its own axis (angle.hpp), in (-pi, pi]
//   n_a, n_b          teeth, divided by their common divisor; wrap takes whole turns away
//
// An angle knows no whole turns, yet nothing is lost: n is an integer, so a turn of a wheel changes the sum by whole turns,
// which wrap takes away. However often the wheels have turned, there is no state and no drift. The error may grow to half
// a turn divided by n_a; beyond that the nearest whole number of steps is taken, as gears that jump do.
//
// Axes of an external mesh that point the same way: teeth of the same sign, the wheels turn oppositely. Internal mesh (a
// ring gear): teeth_b < 0, they turn the same way. Bevel gears: any two axes. The axes themselves are held by hinges.
//
// Sign: lambda > 0 is a torque (N m) on wheel a about its axis, n_b / n_a of it on wheel b about its own; the carrier
// bears both.

namespace sinew::inline v0 {

namespace detail {
/// Greatest common divisor of two numbers of either sign; of 0 and 0 it is 1.
[[nodiscard]] constexpr int common_divisor(int a, int b) noexcept {
    // In unsigned, since the lowest int has no opposite.
    auto const size = [](int n) { return n < 0 ? 0U - static_cast<unsigned>(n) : static_cast<unsigned>(n); };
    unsigned x = size(a), y = size(b);
    while (y != 0) {
        unsigned const rest = x % y;
        x = y;
        y = rest;
    }
    return x == 0 || x > static_cast<unsigned>(std::numeric_limits<int>::max()) ? 1 : static_cast<int>(x);
}
}  // namespace detail

/// (1 row, rad) Two wheels in mesh: binds wheel a, wheel b and their carrier.
template <scalar S>
struct gear {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid, rigid>;

    relative_angle<S> angle_a{};  ///< of wheel a in the carrier
    relative_angle<S> angle_b{};  ///< of wheel b in the carrier
    int teeth_a = 1;              ///< more than 0
    int teeth_b = 1;              ///< not 0; negative: an internal mesh

    /// Wheels about world axes, in mesh as they stand now.
    [[nodiscard]] static constexpr gear at(auto const& a, auto const& b, auto const& carrier, vec3<S> const& axis_a, vec3<S> const& axis_b, int teeth_a,
                                           int teeth_b) noexcept {
        return {relative_angle<S>::at(carrier, a, axis_a), relative_angle<S>::at(carrier, b, axis_b), teeth_a, teeth_b};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b, auto const& carrier) const noexcept {
        int const divisor = detail::common_divisor(teeth_a, teeth_b);
        S const n_a = S(teeth_a / divisor), n_b = S(teeth_b / divisor);
        return wrapped(angle_a.error(carrier, a) * n_a + angle_b.error(carrier, b) * n_b) / n_a;
    }
    /// n_b / n_a: how many turns of a undo one turn of b.
    [[nodiscard]] constexpr S ratio() const noexcept { return S(teeth_b) / S(teeth_a); }

    template <class R>
    [[nodiscard]] constexpr mat<S, 1, 18> jacobian(pose<S, R> const& a, pose<S, R> const& b, pose<S, R> const& carrier) const noexcept {
        vec3<S> const g_a = angle_a.gradient(carrier, a), g_b = angle_b.gradient(carrier, b) * ratio();
        mat<S, 1, 18> J{};
        place(J, 0, 3, g_a);
        place(J, 0, 9, g_b);
        place(J, 0, 15, -(g_a + g_b));
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr S jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, pose<S, R> const& carrier, twist<S> const& ta, twist<S> const& tb,
                                            twist<S> const& tc) const noexcept {
        return angle_a.jacobian_rate(carrier, a, tc, ta) + angle_b.jacobian_rate(carrier, b, tc, tb) * ratio();
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault const a{"teeth_a", "must be a positive number of teeth", static_cast<double>(teeth_a)};
        input_fault const b{"teeth_b", "must be a number of teeth, negative for an internal mesh", static_cast<double>(teeth_b)};
        return first_fault(teeth_a > 0 ? input_fault{} : a, teeth_b != 0 ? input_fault{} : b, angle_a.fault(), angle_b.fault());
    }
    [[nodiscard]] friend constexpr bool operator==(gear const&, gear const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/point_to_point.hpp
// A point of body a and a point of body b coincide (Waterson 2026, 5.1; Vondrak 2005, 7.4.1). Two forms:
//
//   vector form, 3 rows   c = dp           dp = p_a - p_b,  p = x + R anchor
//   scalar form, 1 row    c = |dp|         (Waterson 2026, eq. 5.2)
//
// Both bring the points together. The scalar form pulls along dp, so its forces on the two bodies are opposite and on one
// line wherever the points are: it keeps linear and angular momentum with any relaxation, also while the points are
// still apart. The forces of the vector form are opposite, but of any direction, at two points: the couple dp x f is
// left until the points meet. In return it solves the three directions at once.
//
// Sign: c_dot = J v with J = (1, -[r_a]x, -1, [r_b]x); of the scalar form n^T times that, n = dp / |dp| (eq. 5.6). Where
// the points coincide the scalar form has no direction: its Jacobian is 0, and it asks for nothing.

namespace sinew::inline v0 {

/// (3 rows, m) Vector form, between any two kinds of bodies.
template <scalar S, class KindA, class KindB>
struct point_to_point_between {
    static constexpr std::size_t rows = 3;
    using attachments = binds<KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m

    /// Joined at a world point.
    [[nodiscard]] static constexpr point_to_point_between at(auto const& a, auto const& b, vec3<S> const& anchor) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return anchored(a, anchor_a) - anchored(b, anchor_b); }

    [[nodiscard]] constexpr mat<S, 3, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 3, attachments::dof> J{};
        detail::place_point(J, 0, 0, S(1), detail::arm_of(a, anchor_a));
        detail::place_point(J, 0, KindA::dof, S(-1), detail::arm_of(b, anchor_b));
        return J;
    }
    [[nodiscard]] constexpr vec3<S> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::acceleration_of(ta, detail::arm_of(a, anchor_a)) - detail::acceleration_of(tb, detail::arm_of(b, anchor_b));
    }
    /// (sum of 1/m - [r]x I^-1 [r]x)^-1, a third of the work of J M^-1 J^T.
    [[nodiscard]] constexpr mat3<S> effective_mass(auto const& a, auto const& b, auto const& wa, auto const& wb) const noexcept {
        return to_mat(inverse(detail::point_response(wa, detail::arm_of(a, anchor_a)) + detail::point_response(wb, detail::arm_of(b, anchor_b))));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b)); }
    [[nodiscard]] friend constexpr bool operator==(point_to_point_between const&, point_to_point_between const&) = default;
};

/// (1 row, m) Scalar form, between any two kinds of bodies.
template <scalar S, class KindA, class KindB>
struct scalar_point_to_point_between {
    static constexpr std::size_t rows = 1;
    /// The direction of the pull turns freely near the solution: evaluate it anew in every iteration.
    static constexpr bool moving_normal = true;
    using attachments = binds<KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m

    /// Joined at a world point.
    [[nodiscard]] static constexpr scalar_point_to_point_between at(auto const& a, auto const& b, vec3<S> const& anchor) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return norm(anchored(a, anchor_a) - anchored(b, anchor_b)); }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        return detail::separation_jacobian<KindA, KindB, S>(a, b, anchor_a, anchor_b);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::separation_jacobian_rate<KindA, KindB, S>(a, b, anchor_a, anchor_b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b)); }
    [[nodiscard]] friend constexpr bool operator==(scalar_point_to_point_between const&, scalar_point_to_point_between const&) = default;
};

/// Two rigid bodies joined at a point: 3 degrees of freedom remain.
template <class S>
using point_to_point = point_to_point_between<S, rigid, rigid>;
template <class S>
using ball_joint = point_to_point<S>;
/// A particle pinned to a point of a rigid body.
template <class S>
using particle_pin = point_to_point_between<S, point_mass, rigid>;

template <class S>
using scalar_point_to_point = scalar_point_to_point_between<S, rigid, rigid>;
template <class S>
using scalar_particle_pin = scalar_point_to_point_between<S, point_mass, rigid>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/hinge.hpp
// Hinge (revolute joint): the bodies share a point and an axis; one turn about it is left.
//
//   c = (p_a - p_b, n_a . u_b, n_a . v_b)      rows 0-2 in m, rows 3-4 in rad for small angles
//
// Its angle, limits, motors: see angle.hpp and what is built on it.

namespace sinew::inline v0 {

/// (5 rows) Leaves 1 degree of freedom: rotation about the axis.
template <scalar S>
struct hinge_joint {
    static constexpr std::size_t rows = 5;
    using attachments = binds<rigid, rigid>;

    ball_joint<S> point{};
    parallel_axes<S> axes{};

    /// About the world axis through a world point.
    [[nodiscard]] static constexpr hinge_joint at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis) noexcept {
        return {ball_joint<S>::at(a, b, anchor), parallel_axes<S>::at(a, b, axis)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return stack_rows(point.error(a, b), axes.error(a, b)); }
    [[nodiscard]] constexpr mat<S, 5, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(point.jacobian(a, b), axes.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 5> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(point.jacobian_rate(a, b, ta, tb), axes.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(point.fault(), axes.fault()); }
    [[nodiscard]] friend constexpr bool operator==(hinge_joint const&, hinge_joint const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/joint_friction.hpp
// Dry friction in a joint: a torque that resists relative rotation, up to a maximum. A part to be used beside the joint.
//
//   omega_b - omega_a = 0   (3 rows, velocity level),   |lambda_i| <= max_torque
//
// Each axis of the world has its own bound, so the torque of a rotation about a diagonal may be up to sqrt(3) larger.
// With no bound the bodies keep their relative rotation.

namespace sinew::inline v0 {

/// (3 rows, rad/s, bounded) Sign: lambda is the torque (N m, world frame) on b.
template <scalar S>
struct joint_friction {
    static constexpr std::size_t rows = 3;
    using attachments = binds<rigid, rigid>;

    S max_torque = infinity_v<S>;  ///< N m

    [[nodiscard]] constexpr auto rate(auto const&, auto const&, auto const& ta, auto const& tb) const noexcept { return tb.angular - ta.angular; }
    [[nodiscard]] constexpr bounds<S, 3> limits() const noexcept {
        return {{-max_torque, -max_torque, -max_torque}, {max_torque, max_torque, max_torque}};
    }
    [[nodiscard]] constexpr mat<S, 3, 12> jacobian(auto const&, auto const&) const noexcept {
        mat<S, 3, 12> J{};
        for (std::size_t i = 0; i < 3; ++i) {
            J(i, 3 + i) = S(-1);
            J(i, 9 + i) = S(1);
        }
        return J;
    }
    [[nodiscard]] constexpr vec3<S> jacobian_rate(auto const&, auto const&, auto const&, auto const&) const noexcept { return {S(0), S(0), S(0)}; }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return magnitude_parameter("max_torque", max_torque); }
    [[nodiscard]] friend constexpr bool operator==(joint_friction const&, joint_friction const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/slip.hpp
// The velocity of one body against another where they touch: shared by rolling and the knife edge.
//
//   slip = v_b + omega_b x (p - x_b) - v_a - omega_a x (p - x_a)       m/s, world frame
//
// Both velocities are those of the bodies' matter at one and the same world point p. A force along it therefore has no
// moment of its own, wherever p is: momentum and angular momentum are kept even if the bodies do not quite touch.

namespace sinew::inline v0::detail {

[[nodiscard]] constexpr auto slip_at(auto const& a, auto const& b, auto const& ta, auto const& tb, auto const& p) noexcept {
    return tb.linear + cross(tb.angular, p - b.position) - ta.linear - cross(ta.angular, p - a.position);
}
/// Its rate for constant twists, while p itself moves with p_dot (m/s^2).
template <class S>
[[nodiscard]] constexpr vec3<S> slip_rate_at(twist<S> const& ta, twist<S> const& tb, vec3<S> const& p_dot) noexcept {
    return cross(tb.angular, p_dot - tb.linear) - cross(ta.angular, p_dot - ta.linear);
}
/// Row i of the Jacobian: n . slip.
template <class S, std::size_t M>
constexpr void place_slip(mat<S, M, 12>& J, std::size_t i, auto const& a, auto const& b, vec3<S> const& p, vec3<S> const& n) noexcept {
    place_pull(J, i, 0, vec3<S>(-n), vec3<S>(p - a.position));
    place_pull(J, i, 6, n, vec3<S>(p - b.position));
}

}  // namespace sinew::inline v0::detail

// ---- sinew/constraint/knife_edge.hpp
// Knife edge (skate, blade): a point of body b may move along its blade and turn, but not go sideways over body a.
//
//   rate = s . slip,  slip = velocity of b's point against a there      m/s      (slip.hpp)
//
//   s    direction across the blade, fixed in b (world frame here)
//   p    b's point that touches a
//
// This is non-holonomic: it restricts velocities, yet every place can be reached by going along and turning. There is no
// position to hold, hence no error; what keeps the point on a surface is another constraint (point_on_plane).
//
// Sign: lambda (N) pushes b along s, and a against it.

namespace sinew::inline v0 {

/// (1 row, m/s, non-holonomic) Body a carries the ice (or is the ground), b the blade.
template <scalar S>
struct knife_edge {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    vec3<S> anchor_b{};                ///< the point of the blade that touches, frame of b, m
    vec3<S> across{S(0), S(1), S(0)};  ///< unit, across the blade, frame of b

    /// A blade that touches at a world point and forbids motion along a world direction.
    [[nodiscard]] static constexpr knife_edge at(auto const&, auto const& b, vec3<S> const& point, vec3<S> const& across) noexcept {
        return {b.local_point(point), b.local_direction(normalize(across))};
    }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return dot(b.direction(across), detail::slip_at(a, b, ta, tb, b.point(anchor_b)));
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        mat<S, 1, 12> J;
        detail::place_slip(J, 0, a, b, b.point(anchor_b), b.direction(across));
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr S jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const s = b.direction(across), arm = b.direction(anchor_b);
        vec3<S> const p_dot = tb.linear + cross(tb.angular, arm);
        return dot(cross(tb.angular, s), detail::slip_at(a, b, ta, tb, b.position + arm)) + dot(s, detail::slip_rate_at(ta, tb, p_dot));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_b", anchor_b), unit_parameter("across", across)); }
    [[nodiscard]] friend constexpr bool operator==(knife_edge const&, knife_edge const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/linear_limit.hpp
// How far body b is along an axis of body a stays between two limits: the end stops of a slider, or a plane that may not
// be crossed. A part to be used beside the joint.
//
//   lower <= s <= upper,  s = n_a . (p_b - p_a)      one row, two-sided (see two_sided.hpp)
//
// Sign: lambda > 0 is the force (N) that pushes b along the axis from the lower limit, lambda < 0 back from the upper one.

namespace sinew::inline v0 {

/// (1 row, m, inequality) Body a is rigid and carries the axis; b is a rigid body or a particle.
template <scalar S, class KindB>
struct linear_limit_of {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, KindB>;

    vec3<S> anchor_a{};              ///< where s = 0, frame of a, m
    anchor_t<S, KindB> anchor_b{};   ///< frame of b, m
    vec3<S> axis{S(0), S(0), S(1)};  ///< unit, frame of a
    S lower = S(0);                  ///< m
    S upper = infinity_v<S>;         ///< m

    /// Along a world axis; s counts from a world point, which is b's anchor too (a particle is where it is).
    [[nodiscard]] static constexpr linear_limit_of at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis, S const& lower,
                                                      S const& upper) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor), a.local_direction(normalize(axis)), lower, upper};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return detail::beyond_nearer(detail::displacement(a, b, anchor_a, anchor_b, axis), lower, upper);
    }
    [[nodiscard]] constexpr bounds<S, 1> limits(auto const& a, auto const& b) const noexcept {
        return detail::bounds_of_nearer(S(detail::displacement(a, b, anchor_a, anchor_b, axis)), lower, upper);
    }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 1, attachments::dof> J;
        detail::place_displacement(J, 0, a, b, detail::arm_of(b, anchor_b), a.direction(axis));
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::displacement_rate(a, b, detail::arm_of(a, anchor_a), detail::arm_of(b, anchor_b), ta, tb, a.direction(axis));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), unit_parameter("axis", axis), detail::limits_fault(lower, upper));
    }
    [[nodiscard]] friend constexpr bool operator==(linear_limit_of const&, linear_limit_of const&) = default;
};

template <class S>
using linear_limit = linear_limit_of<S, rigid>;
template <class S>
using particle_linear_limit = linear_limit_of<S, point_mass>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/motor_joint.hpp
// Motor of all six degrees of freedom: drives body b towards a wanted pose in the frame of body a, with bounded force and
// torque. On the velocity level, after MotorJoint of Vondrak 2005, 7.4.2: bodies controlled "kinematically in terms of
// dynamics", which still feel impacts and loads.
//
//   rows 0-2   R_a^T (v_b - v_a - omega_a x d) - u + alpha (R_a^T d - p)     m/s     d = x_b - x_a
//   rows 3-5   R_a^T (omega_b - omega_a) - w + alpha theta                   rad/s   theta = log(R_a^T R_b Q^T)
//
//   p, Q   wanted position of b's centre of mass (m) and wanted rotation, in the frame of a
//   u, w   wanted velocity (m/s) and angular velocity (rad/s) of b seen from a, axes of a
//   alpha  stabilisation rate, 1/s: the deviation decays as exp(-alpha t); 0 follows the velocities alone
//
// theta_dot = J_L(theta)^-1 R_a^T (omega_b - omega_a), and J_L(theta)^-1 theta = theta: the decay of theta is exact however
// far the turn. If the target moves by p_dot = u and Q_dot = [w]x Q, then theta_dot = -alpha theta + w x theta, whose size
// decays all the same. Choose alpha h below 1 for a step h.
//
// Sign: lambda_i > 0 pushes b along axis i of a (N) or turns it about that axis (N m). Both forces act at b's centre of
// mass, so momentum is kept; the Jacobian of (7.6) lacks that arm of a, see powered_axis.hpp. To make it soft: soft.hpp.

namespace sinew::inline v0 {

/// (6 rows, velocity level, m/s and rad/s, bounded) Drives b towards a pose relative to a.
template <scalar S>
struct motor_joint {
    static constexpr std::size_t rows = 6;
    using attachments = binds<rigid, rigid>;

    pose<S> target{};            ///< wanted pose of b in the frame of a; its position is that of the centre of mass, m
    S alpha{};                   ///< stabilisation rate, 1/s
    vec3<S> velocity{};          ///< wanted velocity of b seen from a, axes of a, m/s
    vec3<S> angular_velocity{};  ///< wanted angular velocity of b against a, axes of a, rad/s
    vec3<S> max_force{infinity_v<S>, infinity_v<S>, infinity_v<S>};   ///< along each axis of a, N; 0 leaves it free
    vec3<S> max_torque{infinity_v<S>, infinity_v<S>, infinity_v<S>};  ///< about each axis of a, N m; 0 leaves it free

    /// Keeps b where it is now, seen from a.
    [[nodiscard]] static constexpr motor_joint at(auto const& a, auto const& b, S const& alpha, S const& max_force = infinity_v<S>,
                                                  S const& max_torque = infinity_v<S>) noexcept {
        return at(a, b, b, alpha, max_force, max_torque);
    }
    /// Drives b to a pose in the world, while a is where it is now; once a moves, the target moves with it.
    template <class R>
    [[nodiscard]] static constexpr motor_joint at(auto const& a, auto const&, pose<S, R> const& wanted, S const& alpha,
                                                  S const& max_force = infinity_v<S>, S const& max_torque = infinity_v<S>) noexcept {
        pose<S> const target{a.local_point(wanted.position), inverse(to_quaternion(a.rotation)) * to_quaternion(wanted.rotation)};
        return {target, alpha, {}, {}, {max_force, max_force, max_force}, {max_torque, max_torque, max_torque}};
    }

    /// How far b is turned beyond the target: theta above, frame of a, rad.
    [[nodiscard]] constexpr auto turn(auto const& a, auto const& b) const noexcept {
        auto const q = inverse(to_quaternion(a.rotation)) * to_quaternion(b.rotation);
        using T = typename decltype(q)::scalar_type;
        return log(q * inverse(rotation_to_scalar<T>(target.rotation)));
    }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        auto const d = b.position - a.position;
        auto const d_dot = tb.linear - ta.linear - cross(ta.angular, d);
        auto const omega = tb.angular - ta.angular;
        auto const theta = turn(a, b);
        auto const linear = [&](std::size_t k) {
            auto const n = a.direction(unit(k));
            return dot(n, d_dot) - velocity[k] + alpha * (dot(n, d) - target.position[k]);
        };
        auto const angular = [&](std::size_t k) { return dot(a.direction(unit(k)), omega) - angular_velocity[k] + alpha * theta[k]; };
        return stack_rows(linear(0), linear(1), linear(2), angular(0), angular(1), angular(2));
    }
    [[nodiscard]] constexpr bounds<S, 6> limits() const noexcept {
        return {stack_rows(-max_force, -max_torque), stack_rows(max_force, max_torque)};
    }

    [[nodiscard]] constexpr mat<S, 6, 12> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 6, 12> J{};
        for (std::size_t k = 0; k < 3; ++k) {
            vec3<S> const n = a.direction(unit(k));
            detail::place_displacement(J, k, a, b, vec3<S>{}, n);
            place(J, 3 + k, 3, -n);
            place(J, 3 + k, 9, n);
        }
        return J;
    }
    [[nodiscard]] constexpr vec<S, 6> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        vec3<S> const d_dot = tb.linear - ta.linear - cross(ta.angular, b.position - a.position);
        vec3<S> const omega = tb.angular - ta.angular;
        vec3<S> const theta_dot = left_jacobian_inverse(turn(a, b)) * a.local_direction(omega);
        vec<S, 6> r{};
        for (std::size_t k = 0; k < 3; ++k) {
            vec3<S> const n = a.direction(unit(k));
            r[k] = detail::displacement_rate(a, b, vec3<S>{}, vec3<S>{}, ta, tb, n) + alpha * dot(n, d_dot);
            r[3 + k] = dot(cross(ta.angular, n), omega) + alpha * theta_dot[k];
        }
        return r;
    }

    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault r = first_fault(nonnegative_parameter("alpha", alpha));
        for (std::size_t k = 0; k < 3; ++k)
            r = first_fault(r, finite_parameter("target.position", target.position[k]),
                                    finite_parameter("velocity", velocity[k]),
                                    finite_parameter("angular_velocity", angular_velocity[k]),
                                    magnitude_parameter("max_force", max_force[k]), magnitude_parameter("max_torque", max_torque[k]));
        S const n2 = squared_norm(target.rotation);
        if (r.name == nullptr && !all(abs(n2 - S(1)) <= sqrt(epsilon_v<S>)))
            return {"target.rotation", "must be a unit quaternion; its squared norm", static_cast<double>(value(n2))};
        return r;
    }
    [[nodiscard]] friend constexpr bool operator==(motor_joint const&, motor_joint const&) = default;

private:
    [[nodiscard]] static constexpr vec3<S> unit(std::size_t k) noexcept {
        vec3<S> n{};
        n[k] = S(1);
        return n;
    }
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/nearest_on_curve.hpp
// The place on a parametric curve p(u) that is nearest to a point q, and how far q is from there: what path.hpp holds at 0.
//
//   g(u, q) = p' . (p - q) = 0       the foot u(q)        h = g_u = |p'|^2 + p'' . (p - q)
//   c = (e_1 . (q - p), e_2 . (q - p))                     e_1, e_2 across the tangent t = p' / |p'|
//
// The foot is found anew each time: the nearest of evenly spaced samples, then Newton's method from there. Nothing is
// remembered, so the same poses always give the same numbers.
//
// Derivatives of the foot by the implicit function theorem: once g(u, q) = 0, every step u <- u - g(u, q) / h with h held
// makes the derivatives of u right to one order more; second derivatives take two steps.
//
// The frame: (e_1, e_2, t) is (x, y, up) turned the short way. It is smooth unless the curve runs against `up`.

namespace sinew::inline v0 {

/// The foot of a point on a curve, and a frame there.
template <class T>
struct curve_foot {
    T u;          ///< parameter
    vec3<T> p;    ///< place, m
    vec3<T> e_1;  ///< unit, across the tangent
    vec3<T> e_2;  ///< unit, across both
    vec3<T> t;    ///< unit tangent, the way of growing u
};

namespace detail {

// The plain scalar under the lanes of dual numbers, and how many layers of lanes there are.
template <class S, class T>
[[nodiscard]] constexpr S without_lanes(T const& x) noexcept {
    if constexpr (std::same_as<S, T>)
        return x;
    else
        return without_lanes<S>(x.v);
}
template <class S, class T>
[[nodiscard]] constexpr int layers_of_lanes() noexcept {
    if constexpr (std::same_as<S, T>)
        return 0;
    else
        return 1 + layers_of_lanes<S, typename T::scalar_type>();
}

/// p(u) and p'(u).
template <class T>
struct curve_place {
    vec3<T> p, p_u;
};
template <class Curve, class T>
[[nodiscard]] constexpr curve_place<T> curve_place_at(Curve const& curve, T const& u) noexcept {
    auto const lanes = curve(dual<T, 1>::variable(u, 0));
    curve_place<T> r{};
    for (std::size_t i = 0; i < 3; ++i) {
        r.p[i] = lanes[i].v;
        r.p_u[i] = lanes[i].d[0];
    }
    return r;
}

/// The parameter of the foot, and h there.
template <class S>
struct newton_foot {
    S u, h;
};
// Each step stays within one spacing of the samples, so that Newton's method cannot leave for another branch.
template <class S, class Curve>
[[nodiscard]] constexpr newton_foot<S> nearest_parameter(Curve const& curve, S const& begin, S const& end, int samples, vec3<S> const& q) noexcept {
    S const spacing = (end - begin) / S(samples);
    S u = begin, nearest = infinity_v<S>;
    for (int i = 0; i <= samples; ++i) {
        S const sample = begin + spacing * S(i);
        S const distance = squared_norm(vec3<S>(curve(sample) - q));
        auto const nearer = distance < nearest;
        u = select(nearer, sample, u);
        nearest = select(nearer, distance, nearest);
    }
    S h{1};
    // From half a spacing, the digits double each time: eight steps are more than any scalar here needs.
    for (int i = 0; i < 8; ++i) {
        auto const d = curve_place_at(curve, dual<S, 1>::variable(u, 0));
        S g{0}, size{0};
        h = S(0);
        for (std::size_t k = 0; k < 3; ++k) {
            S const off = d.p[k].v - q[k], p_u = d.p_u[k].v, p_uu = d.p_u[k].d[0];
            g = g + p_u * off;
            size = size + p_u * p_u;
            h = h + p_uu * off;
        }
        h = h + size;
        // Near the centre of curvature h vanishes and the foot is anywhere; without speed there is no foot at all.
        h = select(h > size / S(1024), h, size);
        h = select(h > S(0), h, S(1));
        u = u + clamp(S(-g / h), S(-spacing), spacing);
    }
    return {u, h};
}

}  // namespace detail

/// The place of a curve nearest to q. T is S, or S with lanes; `up` is a unit vector.
template <class S, class Curve, class T>
[[nodiscard]] constexpr curve_foot<T> foot_on(Curve const& curve, S const& begin, S const& end, int samples, vec3<S> const& up, vec3<T> const& q) noexcept {
    vec3<S> plain;
    for (std::size_t i = 0; i < 3; ++i) plain[i] = detail::without_lanes<S>(q[i]);
    auto const foot = detail::nearest_parameter(curve, begin, end, samples, plain);
    T u(foot.u);
    auto place = detail::curve_place_at(curve, u);
    for (int i = 0; i < detail::layers_of_lanes<S, T>(); ++i) {
        u = u - dot(place.p_u, place.p - q) / foot.h;
        place = detail::curve_place_at(curve, u);
    }
    vec3<T> const t = normalize(place.p_u);
    auto const across = orthonormal_basis(up);
    T const sum = dot(t, up) + S(1);
    auto const against = sum <= S(0);
    vec3<T> const halfway = (t + up) / select(against, T(S(1)), sum);
    return {u, place.p, across.u - halfway * dot(t, across.u), across.v - halfway * dot(t, across.v), t};
}

}  // namespace sinew::inline v0

// ---- sinew/constraint/orientation.hpp
// Two bodies keep their relative orientation: a part of sliders and welds.
//
//   c = theta = log(R_a^T R_b Q^T),   Q the relative rotation R_a^T R_b to keep       (3 rows, rad, frame of a)
//
// The turn that is missing between the bodies, as a rotation vector. With left-trivialised rates (Waterson 2026, eq. 2.34)
//
//   theta_dot = J_L(theta)^-1 R_a^T (omega_b - omega_a)
//
// Smooth until the bodies are half a turn off, where the shorter way round changes and c jumps from pi to -pi.

namespace sinew::inline v0 {

namespace detail {

// J_L(theta)^-1 w = w - theta x w / 2 + d theta x (theta x w), and its rate for given rates of theta and w.
template <class S>
[[nodiscard]] constexpr vec3<S> left_jacobian_inverse_rate(vec3<S> const& theta, vec3<S> const& theta_dot, vec3<S> const& w,
                                                           vec3<S> const& w_dot) noexcept {
    using D = dual<S, 1>;
    D t2(squared_norm(theta));
    t2.d[0] = S(2) * dot(theta, theta_dot);
    D const d = cotangent_defect_of_square(t2);
    vec3<S> const tw = cross(theta, w);
    vec3<S> const tw_dot = cross(theta_dot, w) + cross(theta, w_dot);
    return w_dot - tw_dot / 2 + cross(theta, tw) * d.d[0] + (cross(theta_dot, tw) + cross(theta, tw_dot)) * d.v;
}

}  // namespace detail

/// (3 rows, rad) The relative orientation of two bodies is locked.
template <scalar S>
struct orientation_lock {
    static constexpr std::size_t rows = 3;
    using attachments = binds<rigid, rigid>;

    quaternion<S> relative{};  ///< R_a^T R_b to keep

    /// As the bodies are turned now.
    [[nodiscard]] static constexpr orientation_lock at(auto const& a, auto const& b) noexcept {
        return {inverse(to_quaternion(a.rotation)) * to_quaternion(b.rotation)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const q = inverse(to_quaternion(a.rotation)) * to_quaternion(b.rotation);
        using T = typename decltype(q)::scalar_type;
        return log(q * inverse(rotation_to_scalar<T>(relative)));
    }

    [[nodiscard]] constexpr mat<S, 3, 12> jacobian(auto const& a, auto const& b) const noexcept {
        mat3<S> const W = left_jacobian_inverse(error(a, b)) * transpose(to_matrix(a.rotation));
        mat<S, 3, 12> J{};
        place(J, 0, 3, -W);
        place(J, 0, 9, W);
        return J;
    }
    [[nodiscard]] constexpr vec3<S> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        vec3<S> const theta = error(a, b);
        vec3<S> const omega = tb.angular - ta.angular;
        // Seen from a, the constant omega turns backwards with it.
        vec3<S> const w = a.local_direction(omega), w_dot = -a.local_direction(cross(ta.angular, omega));
        return detail::left_jacobian_inverse_rate(theta, left_jacobian_inverse(theta) * w, w, w_dot);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        S const n2 = squared_norm(relative);
        if (all(abs(n2 - S(1)) <= sqrt(epsilon_v<S>))) return {};
        return {"relative", "must be a unit quaternion; its squared norm", static_cast<double>(value(n2))};
    }
    [[nodiscard]] friend constexpr bool operator==(orientation_lock const&, orientation_lock const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/path.hpp
// Path: a point of body b stays on a curve that is fixed in body a (or the ground), and the body may be led along it: a bead
// on a wire that moves, a roller coaster, a camera on rails.
//
//   struct helix {                                                       // callable with u over any scalar
//       template <class T>
//       constexpr sinew::vec3<T> operator()(T const& u) const {
//           using sinew::cos, sinew::sin;                                // of plain numbers too
//           return {cos(u), sin(u), u * 0.1};
//       }
//   };
//   template <class S> using bead_on_helix = sinew::particle_on_path<S, helix>;
//
//   q = R_a^T (p_b - x_a),  c = (e_1 . (q - p(u)), e_2 . (q - p(u)))      m, with u the foot of q (nearest_on_curve.hpp)
//
// guided_path also keeps an axis d of b along the tangent:  c_2,3 = (e_1 . R_a^T d, e_2 . R_a^T d)     rad for small angles
//
// The parameter need not be the length of arc, but p' must not vanish. The ends are no stops: the curve must be defined a
// little beyond them. A closed curve is given over one round.
//
// Sign: lambda is the force (N) on b along e_1 and e_2 (and the torque about them, N m, on the axis).

namespace sinew::inline v0 {

namespace detail {
template <class S>
[[nodiscard]] constexpr input_fault path_fault(S const& begin, S const& end, int samples, vec3<S> const& up) noexcept {
    input_fault const order{"begin", "must be below `end`", static_cast<double>(value(begin))};
    input_fault const few{"samples", "must be at least 2", static_cast<double>(samples)};
    return first_fault(finite_parameter("begin", begin), finite_parameter("end", end), all(begin < end) ? input_fault{} : order,
                               samples >= 2 ? input_fault{} : few, unit_parameter("up", up));
}

/// A world vector d as body a sees it, R_a^T d, with its first and second rate as lanes; the twist of a is constant.
template <class S>
[[nodiscard]] constexpr vec3<dual<dual<S, 1>, 1>> seen_moving(auto const& a, twist<S> const& ta, vec3<S> const& d, vec3<S> const& d_dot,
                                                              vec3<S> const& d_ddot) noexcept {
    vec3<S> const q = a.local_direction(d), q_dot = a.local_direction(vec3<S>(d_dot - cross(ta.angular, d)));
    vec3<S> const q_ddot = a.local_direction(vec3<S>(d_ddot - S(2) * cross(ta.angular, d_dot) + centripetal(ta.angular, d)));
    vec3<dual<dual<S, 1>, 1>> r{};
    for (std::size_t i = 0; i < 3; ++i) {
        r[i].v.v = q[i];
        r[i].v.d[0] = r[i].d[0].v = q_dot[i];
        r[i].d[0].d[0] = q_ddot[i];
    }
    return r;
}
/// The same for the point of b, from a's position.
template <class S>
[[nodiscard]] constexpr auto point_seen_moving(auto const& a, auto const& b, auto const& arm_b, twist<S> const& ta, auto const& tb) noexcept {
    return seen_moving(a, ta, vec3<S>(end_of(b, arm_b) - a.position), vec3<S>(velocity_of(tb, arm_b) - ta.linear), vec3<S>(acceleration_of(tb, arm_b)));
}
/// Second rates out of the lanes.
template <class S, std::size_t M>
[[nodiscard]] constexpr vec<S, M> second_rate(vec<dual<dual<S, 1>, 1>, M> const& c) noexcept {
    vec<S, M> r;
    for (std::size_t i = 0; i < M; ++i) r[i] = c[i].d[0].d[0];
    return r;
}
}  // namespace detail

/// (2 rows, m) A point of b, or a particle, on a curve of a. Curve is a type callable with any scalar T, returning vec3<T>.
template <scalar S, class Curve, class KindB>
struct path_of {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, KindB>;

    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    Curve curve{};                  ///< p(u), frame of a, m
    S begin{0};                     ///< least u
    S end{1};                       ///< greatest u
    int samples = 64;               ///< places at which the foot is sought; the curve bends little between two of them
    vec3<S> up{S(0), S(0), S(1)};   ///< a direction against which the curve never runs, unit, frame of a

    /// b's anchor is on the curve at u now (a particle is where it is).
    [[nodiscard]] static constexpr path_of at(auto const& a, auto const& b, Curve const& curve, S const& begin, S const& end, S const& u,
                                              int samples = 64) noexcept {
        return {anchor_at(b, vec3<S>(a.point(curve(u)))), curve, begin, end, samples, {S(0), S(0), S(1)}};
    }

    /// Where b is on the curve, with u as the parameter; frame of a.
    [[nodiscard]] constexpr auto foot(auto const& a, auto const& b) const noexcept {
        return foot_on(curve, begin, end, samples, up, a.local_point(anchored(b, anchor_b)));
    }
    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return off(a.local_point(anchored(b, anchor_b))); }

    [[nodiscard]] constexpr mat<S, 2, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        auto const arm = detail::arm_of(b, anchor_b);
        vec3<S> const p = detail::end_of(b, arm);
        // c depends on q alone: three lanes say all.
        mat<S, 2, 3> const gradient = detail::lanes_of<3>(off(detail::seed_position<3, 0>(vec3<S>(a.local_point(p)))));
        mat<S, 2, attachments::dof> J{};
        for (std::size_t i = 0; i < 2; ++i) {
            vec3<S> const n = a.direction(gradient.row(i));
            detail::place_pull(J, i, 0, vec3<S>(-n), vec3<S>(p - a.position));
            detail::place_pull(J, i, 6, n, arm);
        }
        return J;
    }
    template <class R, class B>
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(pose<S, R> const& a, B const& b, twist<S> const& ta, auto const& tb) const noexcept {
        return detail::second_rate(off(detail::point_seen_moving(a, b, detail::arm_of(b, anchor_b), ta, tb)));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_b", anchor_b), detail::path_fault(begin, end, samples, up)); }
    [[nodiscard]] friend constexpr bool operator==(path_of const&, path_of const&) = default;

private:
    template <class T>
    [[nodiscard]] constexpr vec<T, 2> off(vec3<T> const& q) const noexcept {
        auto const f = foot_on(curve, begin, end, samples, up, q);
        vec3<T> const d = q - f.p;
        return {dot(f.e_1, d), dot(f.e_2, d)};
    }
};

/// (4 rows, m and rad) As path_of, and an axis of b stays along the curve: b runs along it and turns about it.
template <scalar S, class Curve>
struct guided_path {
    static constexpr std::size_t rows = 4;
    using attachments = binds<rigid, rigid>;

    vec3<S> anchor_b{};              ///< frame of b, m
    vec3<S> axis{S(1), S(0), S(0)};  ///< unit, frame of b: along the tangent
    Curve curve{};                   ///< p(u), frame of a, m
    S begin{0};                      ///< least u
    S end{1};                        ///< greatest u
    int samples = 64;                ///< places at which the foot is sought; the curve bends little between two of them
    vec3<S> up{S(0), S(0), S(1)};    ///< a direction against which the curve never runs, unit, frame of a

    /// b's anchor is on the curve at u now; so is its axis along the tangent.
    [[nodiscard]] static constexpr guided_path at(auto const& a, auto const& b, Curve const& curve, S const& begin, S const& end, S const& u,
                                                  int samples = 64) noexcept {
        auto const place = detail::curve_place_at(curve, u);
        return {b.local_point(a.point(place.p)), b.local_direction(a.direction(normalize(place.p_u))), curve, begin, end, samples, {S(0), S(0), S(1)}};
    }

    /// Where b is on the curve, with u as the parameter; frame of a.
    [[nodiscard]] constexpr auto foot(auto const& a, auto const& b) const noexcept {
        return foot_on(curve, begin, end, samples, up, a.local_point(b.point(anchor_b)));
    }
    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return off(a.local_point(b.point(anchor_b)), a.local_direction(b.direction(axis)));
    }

    template <class R>
    [[nodiscard]] constexpr mat<S, 4, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        vec3<S> const arm = b.direction(anchor_b), p = b.position + arm, d = b.direction(axis);
        vec3<S> const q = a.local_point(p), local_d = a.local_direction(d);
        mat<S, 4, 3> const gradient = detail::lanes_of<3>(off(detail::seed_position<3, 0>(q), local_d));
        auto const f = foot_on(curve, begin, end, samples, up, q);
        mat<S, 4, 12> J{};
        for (std::size_t i = 0; i < 4; ++i) {
            vec3<S> const n = a.direction(gradient.row(i));
            detail::place_pull(J, i, 0, vec3<S>(-n), vec3<S>(p - a.position));
            detail::place_pull(J, i, 6, n, arm);
            if (i < 2) continue;
            // d turns with b, e with a: d/dt (e . d) = (d x e) . (omega_b - omega_a).
            vec3<S> const torque = cross(d, a.direction(i == 2 ? f.e_1 : f.e_2));
            for (std::size_t k = 0; k < 3; ++k) {
                J(i, 3 + k) = J(i, 3 + k) - torque[k];
                J(i, 9 + k) = J(i, 9 + k) + torque[k];
            }
        }
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr vec<S, 4> jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const d = b.direction(axis);
        return detail::second_rate(off(detail::point_seen_moving(a, b, b.direction(anchor_b), ta, tb),
                                       detail::seen_moving(a, ta, d, cross(tb.angular, d), centripetal(tb.angular, d))));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("anchor_b", anchor_b), unit_parameter("axis", axis), detail::path_fault(begin, end, samples, up));
    }
    [[nodiscard]] friend constexpr bool operator==(guided_path const&, guided_path const&) = default;

private:
    template <class T, class D>
    [[nodiscard]] constexpr vec<T, 4> off(vec3<T> const& q, vec3<D> const& d) const noexcept {
        auto const f = foot_on(curve, begin, end, samples, up, q);
        vec3<T> const away = q - f.p;
        return {dot(f.e_1, away), dot(f.e_2, away), dot(f.e_1, d), dot(f.e_2, d)};
    }
};

template <class S, class Curve>
using body_on_path = path_of<S, Curve, rigid>;
template <class S, class Curve>
using particle_on_path = path_of<S, Curve, point_mass>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/penalty_force.hpp
// Any holonomic constraint as a force: a spring and a damper in each of its rows, which pull towards zero error.
//
//   lambda = -k c - d c_dot      wrench = J^T lambda      E = k c^2 / 2      (Vondrak 2005, 3.4; Witkin 1997, section 1)
//
//   template <class S> using soft_pin = sinew::penalty_force<S, sinew::ball_joint>;
//   world.add(soft_pin<double>::with(sinew::ball_joint<double>::at(a, b, anchor), 1000, 20), hand, target);
//
// What a constraint says of the bounds of its multipliers holds here too. A row that can only push, or only pull, acts only
// while it is violated, its damper included, and never the wrong way; the force of a servo stays within its strength.
// Beyond a bound the spring is a constant force, and E its potential: with s = clamp(-k c, lower, upper),
//
//   E = -s (c + s / (2 k)),   whose derivative by c is -s everywhere
//
// The force is explicit: it asks for steps well below sqrt(m / k), which compliance (soft.hpp) does not. Compliance and
// damping of the constraint's own are replaced by those given here.
//
//   c  error     c_dot  its rate     k  stiffness     d  damping     lambda, s  multiplier of a row, and its part by the spring

namespace sinew::inline v0 {

namespace detail {

// A body of a force as a constraint sees it.
template <class S, class R>
[[nodiscard]] constexpr pose<S, R> const& pose_of(rigid_body<S, R> const& b) noexcept {
    return b.pose;
}
template <class S>
[[nodiscard]] constexpr particle_pose<S> pose_of(particle<S> const& b) noexcept {
    return {b.position};
}
template <class S, class R>
[[nodiscard]] constexpr twist<S> const& twist_of(rigid_body<S, R> const& b) noexcept {
    return b.twist;
}
template <class S>
[[nodiscard]] constexpr particle_twist<S> twist_of(particle<S> const& b) noexcept {
    return {b.velocity};
}

// The part of J^T lambda that belongs to an attachment of kind K.
template <class K, class S, std::size_t N>
[[nodiscard]] constexpr wrench<S> wrench_in(vec<S, N> const& q, std::size_t at) noexcept {
    wrench<S> w;
    for (std::size_t i = 0; i < 3; ++i) {
        w.force[i] = q[at + i];
        if constexpr (K::dof == 6) w.torque[i] = q[at + 3 + i];
    }
    return w;
}

}  // namespace detail

/// A force between the attachments of a constraint of type C; written penalty_force below.
template <scalar S, class C>
struct penalty_force_of {
    using constraint_type = C;
    using attachments = attachments_t<constraint_type>;
    static_assert((check_constraint<constraint_type, S>(), true));
    static_assert(has_error<constraint_type, S>,
                  "sinew: a penalty force is made from a constraint's error; this constraint has only a rate, which nothing can be pulled back from.");
    static constexpr std::size_t rows = rows_v<constraint_type>;

    constraint_type constraint{};
    vec<S, rows> stiffness{};  ///< of each row, N/m, N m/rad
    vec<S, rows> damping{};    ///< of each row, N s/m, N m s/rad

    /// All rows alike.
    [[nodiscard]] static constexpr penalty_force_of with(constraint_type const& constraint, S const& stiffness, S const& damping = S(0)) noexcept {
        penalty_force_of f{constraint, {}, {}};
        for (std::size_t i = 0; i < rows; ++i) {
            f.stiffness[i] = stiffness;
            f.damping[i] = damping;
        }
        return f;
    }

    /// wrenches(bodies..., t).
    template <class... BodiesAndTime>
        requires(sizeof...(BodiesAndTime) == attachments::size + 1)
    [[nodiscard]] constexpr std::array<wrench<S>, attachments::size> wrenches(BodiesAndTime const&... bodies_and_time) const {
        return wrenches_on(std::tie(bodies_and_time...), indices{});
    }
    /// J, zero where the constraint holds.
    template <class... Bodies>
        requires(sizeof...(Bodies) == attachments::size && !has_update_v<constraint_type, S>)
    [[nodiscard]] constexpr S energy(Bodies const&... bodies) const {
        auto const c = error_of(constraint, detail::pose_of(bodies)...);
        auto const s = springs(c, detail::pose_of(bodies)...);
        S e{};
        for (std::size_t i = 0; i < rows; ++i) {
            auto const soft = stiffness[i] > S(0);
            e = e - s[i] * (c[i] + s[i] / select(soft, S(2) * stiffness[i], S(1)));
        }
        return e;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault r{};
        if constexpr (requires { constraint.fault(); }) r = constraint.fault();
        for (std::size_t i = 0; i < rows; ++i)
            r = first_fault(r, nonnegative_parameter("stiffness", stiffness[i]), nonnegative_parameter("damping", damping[i]));
        return r;
    }
    [[nodiscard]] friend constexpr bool operator==(penalty_force_of const&, penalty_force_of const&) = default;

private:
    using rows_type = vec<S, rows>;
    using indices = detail::attachment_indices<constraint_type>;

    [[nodiscard]] static constexpr rows_type clamped(rows_type const& lambda, bounds<S, rows> const& b) noexcept {
        rows_type r;
        for (std::size_t i = 0; i < rows; ++i) r[i] = max(b.lower[i], min(b.upper[i], lambda[i]));
        return r;
    }
    [[nodiscard]] constexpr rows_type pull(rows_type const& c) const noexcept {
        rows_type r;
        for (std::size_t i = 0; i < rows; ++i) r[i] = -(stiffness[i] * c[i]);
        return r;
    }
    [[nodiscard]] constexpr rows_type springs(rows_type const& c, auto const&... poses) const {
        rows_type const s = pull(c);
        return clamped(s, limits_of(constraint, s, poses...));
    }
    template <class Bodies, std::size_t... I>
    [[nodiscard]] constexpr std::array<wrench<S>, attachments::size> wrenches_on(Bodies const& bodies, std::index_sequence<I...>) const {
        rows_type const c = error_of(constraint, detail::pose_of(std::get<I>(bodies))...);
        auto const J = jacobian_of(constraint, detail::pose_of(std::get<I>(bodies))...);
        auto const twists = detail::pack(detail::twist_of(std::get<I>(bodies))...);
        rows_type c_dot;
        if constexpr (has_rate<constraint_type, S>)
            c_dot = rate_of(constraint, detail::pack(detail::pose_of(std::get<I>(bodies))...), twists);
        else
            c_dot = J * stacked_velocity<constraint_type>(twists);

        rows_type lambda = pull(c);
        bounds<S, rows> const limits = limits_of(constraint, lambda, detail::pose_of(std::get<I>(bodies))...);
        for (std::size_t i = 0; i < rows; ++i) {
            S const x = max(limits.lower[i], min(limits.upper[i], lambda[i] - damping[i] * c_dot[i]));
            // On its legal side a one-sided row is as if it were not there: its damper does not act either.
            S const pushing_only = select(c[i] >= S(0), S(0), x), pulling_only = select(c[i] <= S(0), S(0), x);
            lambda[i] = select(limits.lower[i] >= S(0), pushing_only, select(limits.upper[i] <= S(0), pulling_only, x));
        }
        lambda = updated_multipliers(constraint, rows_type{}, lambda, detail::pose_of(std::get<I>(bodies))...);
        auto const q = transpose_times(J, lambda);
        return {detail::wrench_in<typename attachments::template kind<I>>(q, attachments::offset(I))...};
    }
};

template <class S, template <class> class Constraint>
using penalty_force = penalty_force_of<S, Constraint<S>>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/point_on_surface.hpp
// A particle, or a point of a rigid body, stays on a surface in the world that the user gives as f(p) = 0.
//
//   struct torus {                                               // callable with a point over any scalar
//       constexpr auto operator()(auto const& p) const {
//           auto const rho = sqrt(p.x() * p.x() + p.y() * p.y()) - 1.0;
//           return rho * rho + p.z() * p.z() - 0.01;
//       }
//   };
//   template <class S> using bead_on_torus = sinew::particle_on_surface<S, torus>;
//
//   c = f(p),  p = x + R anchor      c_dot = grad f . p_dot
//
// The gradient comes from f by dual numbers of three lanes, whatever the kind of body. Let f be near a distance in scale
// (|grad f| near 1 on the surface), so that the error is in metres and the multiplier in newtons.

namespace sinew::inline v0 {

namespace detail {

/// f and its gradients at a world point: rows of f by three columns.
template <std::size_t M, class S, class F>
[[nodiscard]] constexpr mat<S, M, 3> gradient_of(F const& f, vec3<S> const& p) noexcept {
    return lanes_of<3>(as_rows<M>(f(seed_position<3, 0>(p))));
}

/// The Jacobian of M functions of one anchor.
template <std::size_t M, class Kind, class S, class F, class A>
[[nodiscard]] constexpr mat<S, M, Kind::dof> implicit_jacobian(F const& f, A const& a, anchor_t<S, Kind> const& anchor) noexcept {
    auto const arm = arm_of(a, anchor);
    mat<S, M, 3> const gradient = gradient_of<M>(f, end_of(a, arm));
    mat<S, M, Kind::dof> J;
    for (std::size_t i = 0; i < M; ++i) place_pull(J, i, 0, gradient.row(i), arm);
    return J;
}

}  // namespace detail

/// (1 row, in the unit of f) Function is a type callable with vec3<T> for any scalar T, returning T.
template <scalar S, class Function, class Kind>
struct point_on_surface {
    static constexpr std::size_t rows = 1;
    using attachments = binds<Kind>;

    anchor_t<S, Kind> anchor{};  ///< frame of the body, m
    Function surface{};          ///< f, of a world point in m

    /// The anchor is at a world point now (a particle is where it is).
    [[nodiscard]] static constexpr point_on_surface at(auto const& a, vec3<S> const& world_point, Function const& surface = {}) noexcept {
        return {anchor_at(a, world_point), surface};
    }

    [[nodiscard]] constexpr auto error(auto const& a) const noexcept { return surface(anchored(a, anchor)); }
    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a) const noexcept {
        return detail::implicit_jacobian<1, Kind, S>(surface, a, anchor);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return finite_parameter("anchor", anchor); }
    [[nodiscard]] friend constexpr bool operator==(point_on_surface const&, point_on_surface const&) = default;
};

template <class S, class Function>
using particle_on_surface = point_on_surface<S, Function, point_mass>;
template <class S, class Function>
using body_point_on_surface = point_on_surface<S, Function, rigid>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/point_on_curve.hpp
// A particle, or a point of a rigid body, stays on a curve in the world: the bead on a wire (Witkin 1997, 2).
//
// The curve is where two functions vanish, f(p) = (f_0(p), f_1(p)) = 0, given by the user as one callable that returns two
// values; or a curve g(x, y) = 0 in a plane, by planar_curve:
//
//   struct circle {                                                           // callable with x and y over any scalar
//       double radius = 1;
//       constexpr auto operator()(auto const& x, auto const& y) const { return sqrt(x * x + y * y) - radius; }
//   };
//   template <class S> using bead = sinew::particle_on_curve<S, sinew::planar_curve<S, circle>>;
//
// A bead of inertia that turns with a wire of which the place is p(s) needs another form: see the path constraint.

namespace sinew::inline v0 {

/// The curve g(x, y) = 0 in a plane of the world, as two functions of a point: g, and the distance from the plane.
template <scalar S, class Function>
struct planar_curve {
    vec3<S> origin{S(0), S(0), S(0)};  ///< where x = y = 0, m
    vec3<S> x_axis{S(1), S(0), S(0)};  ///< unit
    vec3<S> y_axis{S(0), S(1), S(0)};  ///< unit, across x_axis
    Function curve{};                  ///< g

    [[nodiscard]] constexpr auto operator()(auto const& p) const noexcept {
        auto const d = p - origin;
        return stack_rows(curve(dot(x_axis, d), dot(y_axis, d)), dot(cross(x_axis, y_axis), d));
    }
    [[nodiscard]] friend constexpr bool operator==(planar_curve const&, planar_curve const&) = default;
};

/// (2 rows, in the units of the functions) Function is a type callable with vec3<T> for any scalar T, returning vec<T, 2>.
template <scalar S, class Function, class Kind>
struct point_on_curve {
    static constexpr std::size_t rows = 2;
    using attachments = binds<Kind>;

    anchor_t<S, Kind> anchor{};  ///< frame of the body, m
    Function curve{};            ///< f, of a world point in m

    /// The anchor is at a world point now (a particle is where it is).
    [[nodiscard]] static constexpr point_on_curve at(auto const& a, vec3<S> const& world_point, Function const& curve = {}) noexcept {
        return {anchor_at(a, world_point), curve};
    }

    [[nodiscard]] constexpr auto error(auto const& a) const noexcept { return curve(anchored(a, anchor)); }
    [[nodiscard]] constexpr mat<S, 2, attachments::dof> jacobian(auto const& a) const noexcept {
        return detail::implicit_jacobian<2, Kind, S>(curve, a, anchor);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return finite_parameter("anchor", anchor); }
    [[nodiscard]] friend constexpr bool operator==(point_on_curve const&, point_on_curve const&) = default;
};

template <class S, class Function>
using particle_on_curve = point_on_curve<S, Function, point_mass>;
template <class S, class Function>
using body_point_on_curve = point_on_curve<S, Function, rigid>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/point_on_plane.hpp
// A point of body b lies on a plane fixed in body a; and the distance from the plane, as a part of linear limits and motors.
//
//   c = n_a . (p_b - p_a)      n_a normal of the plane, p_a a point on it
//
// Sign: positive on the side that the normal points to.

namespace sinew::inline v0 {

/// (1 row, m) Body a is rigid and carries the plane (or is the ground); b is a rigid body or a particle.
template <scalar S, class KindB>
struct point_on_plane_of {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, KindB>;

    vec3<S> anchor_a{};                   ///< a point of the plane, frame of a, m
    anchor_t<S, KindB> anchor_b{};        ///< frame of b, m
    vec3<S> normal{S(0), S(0), S(1)};     ///< unit, frame of a

    /// The plane through a world point; b's anchor is that point too (a particle is where it is).
    [[nodiscard]] static constexpr point_on_plane_of at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& normal) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor), a.local_direction(normalize(normal))};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return detail::displacement(a, b, anchor_a, anchor_b, normal);
    }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 1, attachments::dof> J;
        detail::place_displacement(J, 0, a, b, detail::arm_of(b, anchor_b), a.direction(normal));
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::displacement_rate(a, b, detail::arm_of(a, anchor_a), detail::arm_of(b, anchor_b), ta, tb, a.direction(normal));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), unit_parameter("normal", normal)); }
    [[nodiscard]] friend constexpr bool operator==(point_on_plane_of const&, point_on_plane_of const&) = default;
};

template <class S>
using point_on_plane = point_on_plane_of<S, rigid>;
template <class S>
using particle_on_plane = point_on_plane_of<S, point_mass>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/powered_axis.hpp
// Motors: a wanted speed of body b against body a, about an axis or along one, with a bounded torque or force. On the
// velocity level, as in Vondrak 2005, 7.4.2.
//
//   rate = x_dot - k,   k = clamp(speed + alpha (target - x), -max_speed, max_speed),   |lambda| <= max
//
//   x      angle of b about the axis (rad, angle.hpp), or displacement along it (m, displacement.hpp)
//   alpha  stabilisation rate, 1/s: 0 follows the speed alone; above 0 the deviation from the target decays as
//          exp(-alpha t), while a target that moves at `speed` is followed without lag
//   k      the wanted x_dot. An angle goes to its target the short way round.
//
// Choose alpha h below 1 for a step h: the target is then not overshot.
//
// Sign: lambda > 0 turns (N m) or pushes (N) b onward by the right hand or along the axis. Limits stand beside the motor as
// rows of their own (angle_limit.hpp, linear_limit.hpp); Vondrak puts the limit in place of the motor and applies the
// motor's torque as an external one. Hard or exact holds: servo.hpp.
//
// Departures from the printed text. The speed about the axis is that of the angle of angle.hpp, symmetric in both
// bodies; in a hinge it is n_a . (omega_b - omega_a). Along an axis x_dot has a part by which the axis itself turns: the
// Jacobian printed in (7.6), (-a, 0 | a, 0), lacks it, so that its wrench has a net torque d x a lambda; its J_dot v
// should read (omega_A x a) . (v_B - v_A), with velocities for the positions. Above (7.5) the omegas have a dot too many.

namespace sinew::inline v0 {

namespace detail {

// The wanted speed, from how far the target is ahead.
template <class T, class S>
[[nodiscard]] constexpr T wanted_speed(T const& ahead, S const& speed, S const& alpha, S const& max_speed) noexcept {
    return clamp(T(speed + alpha * ahead), T(-max_speed), T(max_speed));
}
// How fast it falls with x: alpha, or 0 while it is cut off.
template <class S>
[[nodiscard]] constexpr S wanted_slope(S const& ahead, S const& speed, S const& alpha, S const& max_speed) noexcept {
    return select(abs(speed + alpha * ahead) <= max_speed, alpha, S(0));
}

// Velocity of an anchor, for poses and twists with lanes too.
template <class S>
[[nodiscard]] constexpr auto anchor_velocity(auto const& p, auto const& t, vec3<S> const& anchor) noexcept {
    return t.linear + cross(t.angular, p.direction(anchor));
}
[[nodiscard]] constexpr auto anchor_velocity(auto const&, auto const& t, no_anchor) noexcept { return t.linear; }

// x_dot = n . (velocity of b's anchor - velocity of body a there).
template <class S>
[[nodiscard]] constexpr auto displacement_speed(auto const& a, auto const& b, auto const& ta, auto const& tb, auto const& anchor_b,
                                                vec3<S> const& local_n) noexcept {
    auto const arm = anchored(b, anchor_b) - a.position;
    return dot(a.direction(local_n), anchor_velocity(b, tb, anchor_b) - ta.linear - cross(ta.angular, arm));
}

template <class S>
[[nodiscard]] constexpr input_fault drive_fault(char const* max_name, S const& maximum, S const& speed, S const& target, S const& alpha,
                                                S const& max_speed) noexcept {
    return first_fault(magnitude_parameter(max_name, maximum), finite_parameter("speed", speed), finite_parameter("target", target),
                       nonnegative_parameter("alpha", alpha), magnitude_parameter("max_speed", max_speed));
}

}  // namespace detail

/// (1 row, velocity level, rad/s, bounded) Turns b about an axis of a, as the motor of a hinge or a wheel.
template <scalar S>
struct powered_axis {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    relative_angle<S> angle{};
    S speed{};                     ///< wanted speed of b against a, rad/s
    S max_torque = infinity_v<S>;  ///< N m
    S target{};                    ///< wanted angle, rad; matters if alpha is above 0
    S alpha{};                     ///< stabilisation rate, 1/s; 0: the speed alone
    S max_speed = infinity_v<S>;   ///< bound of the speed on the way to the target, rad/s

    /// At a speed about a world axis; angles count from these poses.
    [[nodiscard]] static constexpr powered_axis at(auto const& a, auto const& b, vec3<S> const& axis, S const& speed = S(0),
                                                   S const& max_torque = infinity_v<S>) noexcept {
        return {relative_angle<S>::at(a, b, axis), speed, max_torque, S(0), S(0), infinity_v<S>};
    }
    /// The same motor, on its way to an angle (rad) at the rate decay (1/s), no faster than top_speed (rad/s).
    [[nodiscard]] constexpr powered_axis towards(S const& wanted, S const& decay, S const& top_speed = infinity_v<S>) const noexcept {
        return {angle, speed, max_torque, wanted, decay, top_speed};
    }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return angle_speed(a, b, ta, tb) - detail::wanted_speed(ahead(a, b), speed, alpha, max_speed);
    }
    [[nodiscard]] constexpr bounds<S, 1> limits() const noexcept { return {{-max_torque}, {max_torque}}; }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept { return angle.jacobian(a, b); }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        S const slope = detail::wanted_slope(S(ahead(a, b)), speed, alpha, max_speed);
        return angle.jacobian_rate(a, b, ta, tb) + slope * angle.speed(a, b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(angle.fault(), detail::drive_fault("max_torque", max_torque, speed, target, alpha, max_speed));
    }
    [[nodiscard]] friend constexpr bool operator==(powered_axis const&, powered_axis const&) = default;

private:
    [[nodiscard]] constexpr auto ahead(auto const& a, auto const& b) const noexcept { return wrapped(target - angle.error(a, b)); }
    // The gradient of angle.hpp, for poses with lanes too: 2 s . (omega_b - omega_a) / |s|^2, and 0 for opposite axes.
    [[nodiscard]] constexpr auto angle_speed(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        auto const s = a.direction(angle.axis_a) + b.direction(angle.axis_b);
        auto const s2 = squared_norm(s);
        using T = std::remove_const_t<decltype(s2)>;
        auto const opposite = s2 <= T(S(0));
        T const k = select(opposite, T(S(0)), T(S(2)) / select(opposite, T(S(1)), s2));
        return dot(s * k, tb.angular - ta.angular);
    }
};

/// (1 row, velocity level, m/s, bounded) Moves b along an axis of a, as the motor of a slider or a lift. b is a rigid
/// body or a particle.
template <scalar S, class KindB>
struct linear_motor_of {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, KindB>;

    vec3<S> anchor_a{};              ///< where x = 0, frame of a, m
    anchor_t<S, KindB> anchor_b{};   ///< frame of b, m
    vec3<S> axis{S(0), S(0), S(1)};  ///< unit, frame of a
    S speed{};                       ///< wanted speed of b against a, m/s
    S max_force = infinity_v<S>;     ///< N
    S target{};                      ///< wanted displacement, m; matters if alpha is above 0
    S alpha{};                       ///< stabilisation rate, 1/s; 0: the speed alone
    S max_speed = infinity_v<S>;     ///< bound of the speed on the way to the target, m/s

    /// At a speed along a world axis; x counts from a world point, which is b's anchor too (a particle is where it is).
    [[nodiscard]] static constexpr linear_motor_of at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis,
                                                      S const& speed = S(0), S const& max_force = infinity_v<S>) noexcept {
        vec3<S> const n = a.local_direction(normalize(axis));
        return {anchor_at(a, anchor), anchor_at(b, anchor), n, speed, max_force, S(0), S(0), infinity_v<S>};
    }
    /// The same motor, on its way to a place (m) at the rate decay (1/s), no faster than top_speed (m/s).
    [[nodiscard]] constexpr linear_motor_of towards(S const& wanted, S const& decay, S const& top_speed = infinity_v<S>) const noexcept {
        return {anchor_a, anchor_b, axis, speed, max_force, wanted, decay, top_speed};
    }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::displacement_speed(a, b, ta, tb, anchor_b, axis) - detail::wanted_speed(ahead(a, b), speed, alpha, max_speed);
    }
    [[nodiscard]] constexpr bounds<S, 1> limits() const noexcept { return {{-max_force}, {max_force}}; }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 1, attachments::dof> J;
        detail::place_displacement(J, 0, a, b, detail::arm_of(b, anchor_b), a.direction(axis));
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        auto const arm_a = detail::arm_of(a, anchor_a);
        auto const arm_b = detail::arm_of(b, anchor_b);
        S const slope = detail::wanted_slope(S(ahead(a, b)), speed, alpha, max_speed);
        return detail::displacement_rate(a, b, arm_a, arm_b, ta, tb, a.direction(axis)) +
               slope * detail::displacement_speed(a, b, ta, tb, anchor_b, axis);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), unit_parameter("axis", axis),
                           detail::drive_fault("max_force", max_force, speed, target, alpha, max_speed));
    }
    [[nodiscard]] friend constexpr bool operator==(linear_motor_of const&, linear_motor_of const&) = default;

private:
    [[nodiscard]] constexpr auto ahead(auto const& a, auto const& b) const noexcept {
        return target - detail::displacement(a, b, anchor_a, anchor_b, axis);
    }
};

template <class S>
using linear_motor = linear_motor_of<S, rigid>;
template <class S>
using particle_motor = linear_motor_of<S, point_mass>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/pulley.hpp
// Pulley: a rope from body a over two wheels of a carrier to body b. What one side gives, the other takes.
//
//   l = |p_a - w_a| + ratio |p_b - w_b|
//
//   pulley_rod   c = l - length  = 0      sign: lambda > 0 pushes both ends away from their wheels
//   pulley       c = length - l >= 0      sign: lambda > 0, the tension of the rope (N), pulls both ends to their wheels
//
//   p_a, p_b   the ends of the rope, on the bodies
//   w_a, w_b   where the rope leaves the wheels, fixed in the carrier: the ground, or a crane that moves
//   ratio      tackle: side b has `ratio` strands, so it moves 1 / ratio as far and is pulled ratio times as hard
//
// Wheels have no size and no inertia. An end that is at its wheel has no direction: that side of J is 0 there.

namespace sinew::inline v0 {

namespace detail {

/// The two sides of a pulley: what the rod and the rope share.
template <scalar S, class KindA, class KindB>
struct pulley_sides {
    using attachments = binds<KindA, KindB, rigid>;
    static constexpr std::size_t b_at = KindA::dof, carrier_at = KindA::dof + KindB::dof;

    [[nodiscard]] static constexpr auto length(auto const& c, auto const& a, auto const& b, auto const& carrier) noexcept {
        return norm(anchored(a, c.anchor_a) - carrier.point(c.wheel_a)) + norm(anchored(b, c.anchor_b) - carrier.point(c.wheel_b)) * c.ratio;
    }
    template <class R>
    [[nodiscard]] static constexpr mat<S, 1, attachments::dof> jacobian(auto const& c, auto const& a, auto const& b, pose<S, R> const& carrier) noexcept {
        auto const side_a = separation_jacobian<KindA, rigid, S>(a, carrier, c.anchor_a, c.wheel_a);
        auto const side_b = separation_jacobian<KindB, rigid, S>(b, carrier, c.anchor_b, c.wheel_b) * c.ratio;
        mat<S, 1, attachments::dof> J{};
        for (std::size_t k = 0; k < KindA::dof; ++k) J(0, k) = side_a(0, k);
        for (std::size_t k = 0; k < KindB::dof; ++k) J(0, b_at + k) = side_b(0, k);
        for (std::size_t k = 0; k < 6; ++k) J(0, carrier_at + k) = side_a(0, KindA::dof + k) + side_b(0, KindB::dof + k);
        return J;
    }
    [[nodiscard]] static constexpr S jacobian_rate(auto const& c, auto const& a, auto const& b, auto const& carrier, auto const& ta, auto const& tb,
                                                   auto const& tc) noexcept {
        return separation_jacobian_rate<KindA, rigid, S>(a, carrier, c.anchor_a, c.wheel_a, ta, tc) +
               c.ratio * separation_jacobian_rate<KindB, rigid, S>(b, carrier, c.anchor_b, c.wheel_b, tb, tc);
    }
    [[nodiscard]] static constexpr input_fault fault(auto const& c) noexcept {
        input_fault const none{"ratio", "must be positive", static_cast<double>(value(c.ratio))};
        return first_fault(finite_parameter("anchor_a", c.anchor_a), finite_parameter("anchor_b", c.anchor_b), finite_parameter("wheel_a", c.wheel_a),
                           finite_parameter("wheel_b", c.wheel_b), nonnegative_parameter("length", c.length), all(c.ratio > S(0)) ? input_fault{} : none,
                           finite_parameter("ratio", c.ratio));
    }
    // World points to fields; the length is that of now.
    template <class C>
    [[nodiscard]] static constexpr C made(auto const& a, auto const& b, auto const& carrier, vec3<S> const& end_a, vec3<S> const& wheel_a,
                                          vec3<S> const& end_b, vec3<S> const& wheel_b, S const& ratio) noexcept {
        C c{anchor_at(a, end_a), anchor_at(b, end_b), carrier.local_point(wheel_a), carrier.local_point(wheel_b), ratio, S(0)};
        c.length = length(c, a, b, carrier);
        return c;
    }
};

}  // namespace detail

/// (1 row, m) A pulley that can push as well: a hydraulic line, or a rope known to stay taut.
template <scalar S, class KindA, class KindB>
struct pulley_rod_between {
    static constexpr std::size_t rows = 1;
    using attachments = binds<KindA, KindB, rigid>;
    using sides = detail::pulley_sides<S, KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    vec3<S> wheel_a{};              ///< frame of the carrier, m
    vec3<S> wheel_b{};              ///< frame of the carrier, m
    S ratio{1};                     ///< strands of side b to one of side a
    S length{};                     ///< l, m

    /// From the world point end_a over wheel_a and wheel_b to end_b, as long as it is now. A particle is its own end.
    [[nodiscard]] static constexpr pulley_rod_between at(auto const& a, auto const& b, auto const& carrier, vec3<S> const& end_a, vec3<S> const& wheel_a,
                                                         vec3<S> const& end_b, vec3<S> const& wheel_b, S const& ratio = S(1)) noexcept {
        return sides::template made<pulley_rod_between>(a, b, carrier, end_a, wheel_a, end_b, wheel_b, ratio);
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b, auto const& carrier) const noexcept {
        return sides::length(*this, a, b, carrier) - length;
    }
    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b, auto const& carrier) const noexcept {
        return sides::jacobian(*this, a, b, carrier);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& carrier, auto const& ta, auto const& tb, auto const& tc) const noexcept {
        return sides::jacobian_rate(*this, a, b, carrier, ta, tb, tc);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return sides::fault(*this); }
    [[nodiscard]] friend constexpr bool operator==(pulley_rod_between const&, pulley_rod_between const&) = default;
};

/// (1 row, m, inequality) A rope over two wheels: slack, or taut.
template <scalar S, class KindA, class KindB>
struct pulley_between {
    static constexpr std::size_t rows = 1;
    using attachments = binds<KindA, KindB, rigid>;
    using sides = detail::pulley_sides<S, KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    vec3<S> wheel_a{};              ///< frame of the carrier, m
    vec3<S> wheel_b{};              ///< frame of the carrier, m
    S ratio{1};                     ///< strands of side b to one of side a
    S length{};                     ///< of the rope without what lies between the wheels, m

    /// From the world point end_a over wheel_a and wheel_b to end_b, taut now. A particle is its own end.
    [[nodiscard]] static constexpr pulley_between at(auto const& a, auto const& b, auto const& carrier, vec3<S> const& end_a, vec3<S> const& wheel_a,
                                                     vec3<S> const& end_b, vec3<S> const& wheel_b, S const& ratio = S(1)) noexcept {
        return sides::template made<pulley_between>(a, b, carrier, end_a, wheel_a, end_b, wheel_b, ratio);
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b, auto const& carrier) const noexcept {
        return length - sides::length(*this, a, b, carrier);
    }
    [[nodiscard]] static constexpr bounds<S, 1> limits() noexcept { return pushing<S, 1>(); }
    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b, auto const& carrier) const noexcept {
        return -sides::jacobian(*this, a, b, carrier);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& carrier, auto const& ta, auto const& tb, auto const& tc) const noexcept {
        return -sides::jacobian_rate(*this, a, b, carrier, ta, tb, tc);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return sides::fault(*this); }
    [[nodiscard]] friend constexpr bool operator==(pulley_between const&, pulley_between const&) = default;
};

template <class S>
using pulley = pulley_between<S, rigid, rigid>;
template <class S>
using particle_pulley = pulley_between<S, point_mass, point_mass>;
template <class S>
using particle_body_pulley = pulley_between<S, point_mass, rigid>;
template <class S>
using pulley_rod = pulley_rod_between<S, rigid, rigid>;
template <class S>
using particle_pulley_rod = pulley_rod_between<S, point_mass, point_mass>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/rack_and_pinion.hpp
// Rack and pinion: a toothed wheel drives a toothed bar, both guided by one carrier (or the ground).
//
//   c = r wrap(s / r - theta)       m, along the rack
//
//   theta  angle of the pinion in the carrier about its axis, in (-pi, pi] (angle.hpp)
//   s      how far the rack's anchor has moved along a direction fixed in the carrier, m (displacement.hpp)
//   r      radius of the pinion, m
//
// The angle knows no whole turns, but the rack's place does: wrap takes away whole turns of the difference only, so a rack of
// any length is driven through any number of turns without state and without drift. The error may grow to half the
// pinion's circumference, pi r; beyond that the rack is taken to have jumped by a whole turn.
//
// The pinion's axis and the rack's guide are held by other joints (a hinge and a slider).
//
// Sign: lambda > 0 pushes the rack along its direction with lambda newtons and turns the pinion back with lambda r.

namespace sinew::inline v0 {

/// (1 row, m) Binds the pinion, the rack and their carrier.
template <scalar S>
struct rack_and_pinion {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid, rigid>;

    relative_angle<S> angle{};            ///< of the pinion in the carrier
    vec3<S> anchor_carrier{};             ///< where s = 0, frame of the carrier, m
    vec3<S> anchor_rack{};                ///< frame of the rack, m
    vec3<S> direction{S(1), S(0), S(0)};  ///< unit, the way of the rack when the pinion turns forward, frame of the carrier
    S radius{1};                          ///< of the pinion, m

    /// A pinion about the world axis through `centre` meets the rack at `contact`, both world points; in mesh as they
    /// stand now. The radius and the rack's direction, axis x (contact - centre), follow from these.
    [[nodiscard]] static constexpr rack_and_pinion at(auto const& pinion, auto const& rack, auto const& carrier, vec3<S> const& centre, vec3<S> const& axis,
                                                      vec3<S> const& contact) noexcept {
        vec3<S> const rim_velocity = cross(normalize(axis), contact - centre);  // m/s at 1 rad/s
        return {relative_angle<S>::at(carrier, pinion, axis), carrier.local_point(contact), rack.local_point(contact),
                carrier.local_direction(normalize(rim_velocity)), norm(rim_velocity)};
    }

    [[nodiscard]] constexpr auto error(auto const& pinion, auto const& rack, auto const& carrier) const noexcept {
        auto const s = detail::displacement(carrier, rack, anchor_carrier, anchor_rack, direction);
        return wrapped(s / radius - angle.error(carrier, pinion)) * radius;
    }

    template <class R>
    [[nodiscard]] constexpr mat<S, 1, 18> jacobian(pose<S, R> const& pinion, pose<S, R> const& rack, pose<S, R> const& carrier) const noexcept {
        vec3<S> const n = carrier.direction(direction), arm = rack.direction(anchor_rack);
        vec3<S> const g = angle.gradient(carrier, pinion) * radius;
        mat<S, 1, 18> J{};
        place(J, 0, 3, -g);
        detail::place_pull(J, 0, 6, n, arm);
        vec3<S> const lever = rack.position + arm - carrier.position;
        place(J, 0, 12, -n);
        place(J, 0, 15, g - cross(lever, n));
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr S jacobian_rate(pose<S, R> const& pinion, pose<S, R> const& rack, pose<S, R> const& carrier, twist<S> const& tp,
                                            twist<S> const& tr, twist<S> const& tc) const noexcept {
        S const along = detail::displacement_rate(carrier, rack, detail::arm_of(carrier, anchor_carrier), detail::arm_of(rack, anchor_rack), tc, tr,
                                                  carrier.direction(direction));
        return along - radius * angle.jacobian_rate(carrier, pinion, tc, tp);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault const flat{"radius", "must be positive", static_cast<double>(value(radius))};
        return first_fault(all(radius > S(0)) ? input_fault{} : flat, finite_parameter("radius", radius), angle.fault(),
                           finite_parameter("anchor_carrier", anchor_carrier), finite_parameter("anchor_rack", anchor_rack),
                           unit_parameter("direction", direction));
    }
    [[nodiscard]] friend constexpr bool operator==(rack_and_pinion const&, rack_and_pinion const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/rolling.hpp
// Rolling without slipping on a plane fixed in body a: a sphere (ball, round caster) and a disc (wheel, coin, hoop) that may lean.
//
//   rate = (u . slip, v . slip)      m/s      slip: velocity of b against a at the contact (slip.hpp)
//
//   n, u, v  normal of the plane and two directions in it, fixed in a
//   p        the contact: sphere   p = centre - r n
//                         disc     p = centre + r d,  d = -e / |e|,  e = n - (n . k) k,  k the disc's axis
//
// These rows are non-holonomic: they say nothing about places. That b stays at its height is another constraint:
//   sphere   point_on_plane, at the centre                       disc   disc_on_plane, below:  c = n . (centre - p_a) - r |e|
//
// A disc that lies flat touches everywhere (e = 0): the contact is taken at its centre.
//
// Sign: lambda (N) is the friction force on b along u and v; lambda of disc_on_plane is the plane's force on b along n.

namespace sinew::inline v0 {

namespace detail {

/// No slip along two directions in the plane: the rows of every shape, given the contact.
template <class S>
struct rolling_rows {
    [[nodiscard]] static constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb, vec3<S> const& normal, auto const& p) noexcept {
        auto const plane = orthonormal_basis(normal);
        auto const slip = slip_at(a, b, ta, tb, p);
        return stack_rows(dot(a.direction(plane.u), slip), dot(a.direction(plane.v), slip));
    }
    [[nodiscard]] static constexpr mat<S, 2, 12> jacobian(auto const& a, auto const& b, vec3<S> const& normal, vec3<S> const& p) noexcept {
        auto const plane = orthonormal_basis(normal);
        mat<S, 2, 12> J;
        place_slip(J, 0, a, b, p, a.direction(plane.u));
        place_slip(J, 1, a, b, p, a.direction(plane.v));
        return J;
    }
    [[nodiscard]] static constexpr vec<S, 2> jacobian_rate(auto const& a, auto const& b, twist<S> const& ta, twist<S> const& tb, vec3<S> const& normal,
                                                           vec3<S> const& p, vec3<S> const& p_dot) noexcept {
        auto const plane = orthonormal_basis(normal);
        vec3<S> const slip = slip_at(a, b, ta, tb, p), slip_dot = slip_rate_at(ta, tb, p_dot);
        vec3<S> const u = a.direction(plane.u), v = a.direction(plane.v);
        return {dot(cross(ta.angular, u), slip) + dot(u, slip_dot), dot(cross(ta.angular, v), slip) + dot(v, slip_dot)};
    }
};

/// The lowest point of a disc's rim over a plane.
template <class S>
struct rim {
    vec3<S> centre_b;  ///< frame of b, m
    vec3<S> axis;      ///< unit, frame of b
    vec3<S> normal;    ///< unit, frame of a
    S radius;          ///< m

    /// Direction across the disc's axis that leads upward most steeply, and how steeply: e and |e| <= 1.
    [[nodiscard]] constexpr auto upward(auto const& a, auto const& b) const noexcept {
        auto const n = a.direction(normal), k = b.direction(axis);
        return n - k * dot(n, k);
    }
    [[nodiscard]] constexpr auto contact(auto const& a, auto const& b) const noexcept { return b.point(centre_b) - normalize(upward(a, b)) * radius; }
    /// Velocity of that point (m/s), which moves along the rim and along the plane.
    [[nodiscard]] constexpr vec3<S> contact_rate(auto const& a, auto const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const n = a.direction(normal), k = b.direction(axis);
        vec3<S> const n_dot = cross(ta.angular, n), k_dot = cross(tb.angular, k);
        vec3<S> const e = n - k * dot(n, k);
        vec3<S> const e_dot = n_dot - k_dot * dot(n, k) - k * (dot(n_dot, k) + dot(n, k_dot));
        S const size2 = squared_norm(e);
        auto const flat = size2 == S(0);
        S const inverse = select(flat, S(0), S(1) / sqrt(select(flat, S(1), size2)));
        vec3<S> const m = e * inverse;
        vec3<S> const m_dot = (e_dot - m * dot(m, e_dot)) * inverse;
        return tb.linear + cross(tb.angular, b.direction(centre_b)) - m_dot * radius;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("centre_b", centre_b), unit_parameter("axis", axis), unit_parameter("normal", normal),
                           nonnegative_parameter("radius", radius));
    }
};

}  // namespace detail

/// (2 rows, m/s, non-holonomic) A sphere fixed in b rolls on a plane of a.
template <scalar S>
struct rolling_sphere {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, rigid>;

    vec3<S> centre_b{};                ///< of the sphere, frame of b, m
    vec3<S> normal{S(0), S(0), S(1)};  ///< of the plane toward the sphere, unit, frame of a
    S radius{1};                       ///< m

    /// A sphere about a world point on the side to which the world direction `normal` points.
    [[nodiscard]] static constexpr rolling_sphere at(auto const& a, auto const& b, vec3<S> const& centre, vec3<S> const& normal, S const& radius) noexcept {
        return {b.local_point(centre), a.local_direction(normalize(normal)), radius};
    }

    /// Where it touches (m, world).
    [[nodiscard]] constexpr auto contact(auto const& a, auto const& b) const noexcept { return b.point(centre_b) - a.direction(normal) * radius; }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::rolling_rows<S>::rate(a, b, ta, tb, normal, contact(a, b));
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 2, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        return detail::rolling_rows<S>::jacobian(a, b, normal, contact(a, b));
    }
    template <class R>
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const p_dot = tb.linear + cross(tb.angular, b.direction(centre_b)) - cross(ta.angular, a.direction(normal)) * radius;
        return detail::rolling_rows<S>::jacobian_rate(a, b, ta, tb, normal, contact(a, b), p_dot);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("centre_b", centre_b), unit_parameter("normal", normal), nonnegative_parameter("radius", radius));
    }
    [[nodiscard]] friend constexpr bool operator==(rolling_sphere const&, rolling_sphere const&) = default;
};

/// (2 rows, m/s, non-holonomic) A thin disc fixed in b rolls on a plane of a, upright or leaning.
template <scalar S>
struct rolling_disc {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, rigid>;

    vec3<S> centre_b{};                ///< of the disc, frame of b, m
    vec3<S> axis{S(0), S(1), S(0)};    ///< of the disc, unit, frame of b
    vec3<S> normal{S(0), S(0), S(1)};  ///< of the plane toward the disc, unit, frame of a
    S radius{1};                       ///< m

    /// A disc about a world point, with world directions of its axis and of the plane's normal.
    [[nodiscard]] static constexpr rolling_disc at(auto const& a, auto const& b, vec3<S> const& centre, vec3<S> const& axis, vec3<S> const& normal,
                                                   S const& radius) noexcept {
        return {b.local_point(centre), b.local_direction(normalize(axis)), a.local_direction(normalize(normal)), radius};
    }

    /// Where it touches (m, world).
    [[nodiscard]] constexpr auto contact(auto const& a, auto const& b) const noexcept { return rim().contact(a, b); }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::rolling_rows<S>::rate(a, b, ta, tb, normal, contact(a, b));
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 2, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        return detail::rolling_rows<S>::jacobian(a, b, normal, contact(a, b));
    }
    template <class R>
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        return detail::rolling_rows<S>::jacobian_rate(a, b, ta, tb, normal, contact(a, b), rim().contact_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return rim().fault(); }
    [[nodiscard]] friend constexpr bool operator==(rolling_disc const&, rolling_disc const&) = default;

private:
    [[nodiscard]] constexpr detail::rim<S> rim() const noexcept { return {centre_b, axis, normal, radius}; }
};

/// (1 row, m) The lowest point of a thin disc's rim stays on a plane of a: what rolling_disc leaves open.
template <scalar S>
struct disc_on_plane {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    vec3<S> anchor_a{};                ///< a point of the plane, frame of a, m
    vec3<S> centre_b{};                ///< of the disc, frame of b, m
    vec3<S> axis{S(0), S(1), S(0)};    ///< of the disc, unit, frame of b
    vec3<S> normal{S(0), S(0), S(1)};  ///< of the plane toward the disc, unit, frame of a
    S radius{1};                       ///< m

    /// A disc about a world point, with world directions of its axis and of the plane's normal; the plane is where the
    /// disc's lowest point is now.
    [[nodiscard]] static constexpr disc_on_plane at(auto const& a, auto const& b, vec3<S> const& centre, vec3<S> const& axis, vec3<S> const& normal,
                                                    S const& radius) noexcept {
        disc_on_plane c{{}, b.local_point(centre), b.local_direction(normalize(axis)), a.local_direction(normalize(normal)), radius};
        c.anchor_a = a.local_point(c.contact(a, b));
        return c;
    }

    /// Where it touches (m, world).
    [[nodiscard]] constexpr auto contact(auto const& a, auto const& b) const noexcept { return rim().contact(a, b); }

    /// The height of the lowest point over the plane (m).
    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return dot(a.direction(normal), b.point(centre_b) - a.point(anchor_a)) - norm(rim().upward(a, b)) * radius;
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        // The lowest point moves along the rim, hence along the plane: that adds nothing.
        mat<S, 1, 12> J;
        detail::place_slip(J, 0, a, b, contact(a, b), a.direction(normal));
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr S jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const n = a.direction(normal);
        return dot(cross(ta.angular, n), detail::slip_at(a, b, ta, tb, contact(a, b))) +
               dot(n, detail::slip_rate_at(ta, tb, rim().contact_rate(a, b, ta, tb)));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), rim().fault()); }
    [[nodiscard]] friend constexpr bool operator==(disc_on_plane const&, disc_on_plane const&) = default;

private:
    [[nodiscard]] constexpr detail::rim<S> rim() const noexcept { return {centre_b, axis, normal, radius}; }
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/servo.hpp
// A servo brings a joint to a target and holds it there with a bounded force: angular about an axis, linear along one.
//
//   angular   c = theta - target, the short way round    |lambda| <= max_torque    (theta of angle.hpp)
//   linear    c = s - target,  s = n_a . (p_b - p_a)     |lambda| <= max_force
//
// It acts on positions, as hard as a joint while its force lasts: a target that jumps is reached within one step if the
// force is enough. For a bounded speed use powered_axis.hpp. Sign: lambda > 0 turns or pushes b onward along the axis.

namespace sinew::inline v0 {

/// (1 row, rad, bounded) Turns b about an axis of a to an angle.
template <scalar S>
struct angular_servo {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    relative_angle<S> angle{};
    S target{};                      ///< rad
    S max_torque = infinity_v<S>;    ///< N m

    /// About a world axis; the target counts from these poses.
    [[nodiscard]] static constexpr angular_servo at(auto const& a, auto const& b, vec3<S> const& axis, S const& target = S(0),
                                                    S const& max_torque = infinity_v<S>) noexcept {
        return {relative_angle<S>::at(a, b, axis), target, max_torque};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return wrapped(angle.error(a, b) - target); }
    [[nodiscard]] constexpr bounds<S, 1> limits() const noexcept { return {{-max_torque}, {max_torque}}; }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept { return angle.jacobian(a, b); }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return angle.jacobian_rate(a, b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(angle.fault(), finite_parameter("target", target), magnitude_parameter("max_torque", max_torque));
    }
    [[nodiscard]] friend constexpr bool operator==(angular_servo const&, angular_servo const&) = default;
};

/// (1 row, m, bounded) Pushes b along an axis of a to a place. b is a rigid body or a particle.
template <scalar S, class KindB>
struct linear_servo_of {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, KindB>;

    vec3<S> anchor_a{};              ///< where s = 0, frame of a, m
    anchor_t<S, KindB> anchor_b{};   ///< frame of b, m
    vec3<S> axis{S(0), S(0), S(1)};  ///< unit, frame of a
    S target{};                      ///< m
    S max_force = infinity_v<S>;     ///< N

    /// Along a world axis; s counts from a world point, which is b's anchor too (a particle is where it is).
    [[nodiscard]] static constexpr linear_servo_of at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis, S const& target = S(0),
                                                      S const& max_force = infinity_v<S>) noexcept {
        return {anchor_at(a, anchor), anchor_at(b, anchor), a.local_direction(normalize(axis)), target, max_force};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return detail::displacement(a, b, anchor_a, anchor_b, axis) - target;
    }
    [[nodiscard]] constexpr bounds<S, 1> limits() const noexcept { return {{-max_force}, {max_force}}; }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 1, attachments::dof> J;
        detail::place_displacement(J, 0, a, b, detail::arm_of(b, anchor_b), a.direction(axis));
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::displacement_rate(a, b, detail::arm_of(a, anchor_a), detail::arm_of(b, anchor_b), ta, tb, a.direction(axis));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), unit_parameter("axis", axis), finite_parameter("target", target),
                           magnitude_parameter("max_force", max_force));
    }
    [[nodiscard]] friend constexpr bool operator==(linear_servo_of const&, linear_servo_of const&) = default;
};

template <class S>
using linear_servo = linear_servo_of<S, rigid>;
template <class S>
using particle_servo = linear_servo_of<S, point_mass>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/slider.hpp
// Slider (prismatic joint): body b slides along an axis of body a and does not turn against it.
//
//   c = (u_a . d, v_a . d, log(R_a^T R_b Q^T)),   d = p_b - p_a      rows 0-1 in m, rows 2-4 in rad

namespace sinew::inline v0 {

/// (5 rows) Leaves 1 degree of freedom: along the axis.
template <scalar S>
struct slider_joint {
    static constexpr std::size_t rows = 5;
    using attachments = binds<rigid, rigid>;

    point_on_line<S> line{};
    orientation_lock<S> orientation{};

    /// Along the world axis through a world point.
    [[nodiscard]] static constexpr slider_joint at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& axis) noexcept {
        return {point_on_line<S>::at(a, b, anchor, axis), orientation_lock<S>::at(a, b)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return stack_rows(line.error(a, b), orientation.error(a, b));
    }
    [[nodiscard]] constexpr mat<S, 5, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(line.jacobian(a, b), orientation.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 5> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(line.jacobian_rate(a, b, ta, tb), orientation.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(line.fault(), orientation.fault()); }
    [[nodiscard]] friend constexpr bool operator==(slider_joint const&, slider_joint const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/soft.hpp
// Any constraint made soft: a spring and a damper in each of its rows, instead of a rigid hold.
//
//   c + compliance lambda = 0,   plus damping of c_dot      (Waterson 2026, 6.2; Macklin et al. 2016)
//
// A row of stiffness k (N/m, N m/rad) has compliance 1 / k; compliance 0 leaves it hard. Everything else is the joint's own.
//
//   template <class S> using soft_hinge = sinew::soft_joint<S, sinew::hinge_joint>;
//   soft_hinge<double>{sinew::hinge_joint<double>::at(a, b, anchor, axis), uniform_rows, ...}

namespace sinew::inline v0 {

/// (as many rows as the joint) A joint whose rows give way.
template <scalar S, template <class> class Joint>
struct soft_joint {
    using joint_type = Joint<S>;
    using traits = constraint_traits<joint_type>;
    using attachments = attachments_t<joint_type>;
    static constexpr std::size_t rows = rows_v<joint_type>;
    static constexpr bool moving_normal = moving_normal_v<joint_type>;

    joint_type joint{};
    vec<S, rows> row_compliance{};  ///< 1/(N/m), 1/(N m/rad)
    vec<S, rows> row_damping{};     ///< N s/m, N m s/rad

    /// All rows alike.
    [[nodiscard]] static constexpr soft_joint with(joint_type const& joint, S const& compliance, S const& damping = S(0)) noexcept {
        soft_joint c{joint, {}, {}};
        for (std::size_t i = 0; i < rows; ++i) {
            c.row_compliance[i] = compliance;
            c.row_damping[i] = damping;
        }
        return c;
    }

    [[nodiscard]] constexpr vec<S, rows> const& compliance() const noexcept { return row_compliance; }
    [[nodiscard]] constexpr vec<S, rows> const& damping() const noexcept { return row_damping; }

    // Whatever the joint says is passed on; what it does not say is not said here either.
    template <class... P>
    [[nodiscard]] constexpr auto error(P const&... poses) const
        requires requires(joint_type const& j) { traits::error(j, poses...); }
    {
        return traits::error(joint, poses...);
    }
    template <class... A>
    [[nodiscard]] constexpr auto rate(A const&... poses_and_twists) const
        requires requires(joint_type const& j) { traits::rate(j, poses_and_twists...); }
    {
        return traits::rate(joint, poses_and_twists...);
    }
    template <class... P>
    [[nodiscard]] constexpr auto jacobian(P const&... poses) const
        requires requires(joint_type const& j) { traits::jacobian(j, poses...); }
    {
        return traits::jacobian(joint, poses...);
    }
    template <class... A>
    [[nodiscard]] constexpr auto jacobian_rate(A const&... poses_and_twists) const
        requires requires(joint_type const& j) { traits::jacobian_rate(j, poses_and_twists...); }
    {
        return traits::jacobian_rate(joint, poses_and_twists...);
    }
    template <class... A>
    [[nodiscard]] constexpr auto stiffness(A const&... poses_and_lambda) const
        requires requires(joint_type const& j) { traits::stiffness(j, poses_and_lambda...); }
    {
        return traits::stiffness(joint, poses_and_lambda...);
    }
    template <class... A>
    [[nodiscard]] constexpr auto limits(A const&... state) const
        requires requires(joint_type const& j) { traits::limits(j, state...); }
    {
        return traits::limits(joint, state...);
    }
    template <class... A>
    [[nodiscard]] constexpr auto update(A const&... state) const
        requires requires(joint_type const& j) { traits::update(j, state...); }
    {
        return traits::update(joint, state...);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault r{};
        if constexpr (requires { joint.fault(); }) r = joint.fault();
        for (std::size_t i = 0; i < rows; ++i)
            r = first_fault(r, nonnegative_parameter("compliance", row_compliance[i]), nonnegative_parameter("damping", row_damping[i]));
        return r;
    }
    [[nodiscard]] friend constexpr bool operator==(soft_joint const&, soft_joint const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/spring_damper.hpp
// Spring and damper along the line between two points, as a compliant constraint (Waterson 2026, 6.5.1): however stiff, it
// is solved implicitly with the joints, and its force is the multiplier.
//
//   c = |p_a - p_b| - rest_length       lambda = -k c - nu c_dot
//
//   k    spring rate, N/m; the compliance is 1 / k       nu   damper rate, N s/m
//
// Sign: lambda > 0, a pressed spring, pushes the points apart. The spring of body/spring.hpp is the same as an explicit force,
// which asks for small steps when it is stiff. For a spring of no length in three directions, as Waterson's, soften a
// ball_joint (soft.hpp).

namespace sinew::inline v0 {

/// (1 row, m, compliant) Between any two kinds of bodies.
template <scalar S, class KindA, class KindB>
struct spring_damper_between {
    static constexpr std::size_t rows = 1;
    using attachments = binds<KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    S rest_length{};                ///< m
    S spring_rate{1};               ///< k, N/m, more than 0
    S damper_rate{};                ///< nu, N s/m

    /// Between two world points, at rest now. A particle is its own end, whatever point is given.
    [[nodiscard]] static constexpr spring_damper_between at(auto const& a, auto const& b, vec3<S> const& end_a, vec3<S> const& end_b, S const& spring_rate,
                                                            S const& damper_rate = S(0)) noexcept {
        spring_damper_between c{anchor_at(a, end_a), anchor_at(b, end_b), S(0), spring_rate, damper_rate};
        c.rest_length = norm(anchored(a, c.anchor_a) - anchored(b, c.anchor_b));
        return c;
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return norm(anchored(a, anchor_a) - anchored(b, anchor_b)) - rest_length;
    }
    /// 1 / k (m/N).
    [[nodiscard]] constexpr S compliance() const noexcept { return S(1) / spring_rate; }
    /// nu (N s/m).
    [[nodiscard]] constexpr S damping() const noexcept { return damper_rate; }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        return detail::separation_jacobian<KindA, KindB, S>(a, b, anchor_a, anchor_b);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::separation_jacobian_rate<KindA, KindB, S>(a, b, anchor_a, anchor_b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault const none{"spring_rate", "must be positive (a damper alone is a force: spring with stiffness 0)",
                               static_cast<double>(value(spring_rate))};
        return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b),
                           nonnegative_parameter("rest_length", rest_length), all(spring_rate > S(0)) ? input_fault{} : none,
                           finite_parameter("spring_rate", spring_rate), nonnegative_parameter("damper_rate", damper_rate));
    }
    [[nodiscard]] friend constexpr bool operator==(spring_damper_between const&, spring_damper_between const&) = default;
};

template <class S>
using spring_damper = spring_damper_between<S, rigid, rigid>;
template <class S>
using particle_spring_damper = spring_damper_between<S, point_mass, point_mass>;
template <class S>
using particle_body_spring_damper = spring_damper_between<S, point_mass, rigid>;

}  // namespace sinew::inline v0

// ---- sinew/constraint/tetrahedron_volume.hpp
// The volume of a tetrahedron of four particles stays what it was (Waterson 2026, 6.5.2).
//
//   c = V - V_0,   V = (p_1 - p_0) . ((p_2 - p_0) x (p_3 - p_0)) / 6, signed
//
// Each gradient is a third of the face opposite the particle, as a vector pointing at the particle. Sign: lambda > 0
// (a pressure, Pa) inflates. Compliance is in m^3/Pa: that of a material with bulk modulus K is V_0 / K. The volume is
// signed, so a tetrahedron that was turned inside out is pushed back through.

namespace sinew::inline v0 {

/// (1 row, m^3) Keeps a volume; compliance 0 keeps it exactly.
template <scalar S>
struct tetrahedron_volume {
    static constexpr std::size_t rows = 1;
    using attachments = binds<point_mass, point_mass, point_mass, point_mass>;

    S volume{};          ///< signed, m^3
    S row_compliance{};  ///< m^3/Pa

    /// As it is now.
    [[nodiscard]] static constexpr tetrahedron_volume at(auto const& p0, auto const& p1, auto const& p2, auto const& p3,
                                                         S const& compliance = S(0)) noexcept {
        return {S(signed_volume(p0, p1, p2, p3)), compliance};
    }

    [[nodiscard]] constexpr auto error(auto const& p0, auto const& p1, auto const& p2, auto const& p3) const noexcept {
        return signed_volume(p0, p1, p2, p3) - volume;
    }
    [[nodiscard]] constexpr S compliance() const noexcept { return row_compliance; }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& p0, auto const& p1, auto const& p2, auto const& p3) const noexcept {
        auto const a = p1.position - p0.position, b = p2.position - p0.position, c = p3.position - p0.position;
        vec3<S> const g1 = cross(b, c) / S(6), g2 = cross(c, a) / S(6), g3 = cross(a, b) / S(6);
        mat<S, 1, 12> J;
        place(J, 0, 0, -(g1 + g2 + g3));
        place(J, 0, 3, g1);
        place(J, 0, 6, g2);
        place(J, 0, 9, g3);
        return J;
    }
    /// J_dot v: each pair of edges differentiated twice; the edges' own second derivatives are the particles' accelerations, not ours.
    [[nodiscard]] constexpr S jacobian_rate(auto const& p0, auto const& p1, auto const& p2, auto const& p3, auto const& t0, auto const& t1,
                                            auto const& t2, auto const& t3) const noexcept {
        auto const a = p1.position - p0.position, b = p2.position - p0.position, c = p3.position - p0.position;
        auto const u = t1.linear - t0.linear, v = t2.linear - t0.linear, w = t3.linear - t0.linear;
        return (dot(u, cross(v, c)) + dot(u, cross(b, w)) + dot(a, cross(v, w))) / S(3);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("volume", volume), nonnegative_parameter("compliance", row_compliance));
    }
    [[nodiscard]] friend constexpr bool operator==(tetrahedron_volume const&, tetrahedron_volume const&) = default;

private:
    [[nodiscard]] static constexpr auto signed_volume(auto const& p0, auto const& p1, auto const& p2, auto const& p3) noexcept {
        auto const x0 = p0.position;
        return dot(p1.position - x0, cross(p2.position - x0, p3.position - x0)) / S(6);
    }
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/twist_limit.hpp
// The twist of body b about an axis, whatever its swing: R_a^T R_b = swing * twist, where the twist turns about the axis
// and the swing about an axis across it. For the relative quaternion (w, x, y, z) in frames with z along the axis the
// twist is 2 atan2(z, w).
//
// That is the angle of angle.hpp, so the limit of a twist is the limit of a hinge's angle; only here the two axes are
// apart, and each is kept in its own body. The twist has no meaning where the axes are opposite (a swing of pi); a cone limit
// keeps clear of that.

namespace sinew::inline v0 {

/// (1 row, rad, inequality) Both limits of the twist.
template <class S>
using twist_limit = angle_limit<S>;

/// (2 rows, rad, inequalities) A cone for the swing and two limits for the twist, about the same axes: what a ball joint
/// needs to be a shoulder.
template <scalar S>
struct swing_twist_limit {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, rigid>;

    cone_limit<S> swing{};
    twist_limit<S> twist{};

    /// About a world axis; swing and twist count from these poses.
    [[nodiscard]] static constexpr swing_twist_limit at(auto const& a, auto const& b, vec3<S> const& axis, S const& half_angle, S const& twist_lower,
                                                        S const& twist_upper) noexcept {
        return {cone_limit<S>::at(a, b, axis, half_angle), twist_limit<S>::at(a, b, axis, twist_lower, twist_upper)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return stack_rows(swing.error(a, b), twist.error(a, b)); }
    [[nodiscard]] constexpr bounds<S, 2> limits(auto const& a, auto const& b) const noexcept { return stack_rows(swing.limits(), twist.limits(a, b)); }

    [[nodiscard]] constexpr mat<S, 2, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(swing.jacobian(a, b), twist.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(swing.jacobian_rate(a, b, ta, tb), twist.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(swing.fault(), twist.fault()); }
    [[nodiscard]] friend constexpr bool operator==(swing_twist_limit const&, swing_twist_limit const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/universal.hpp
// Universal joint (Hooke's joint, cardan): the bodies share a point; an axis of one stays perpendicular to an axis of the
// other, as the two bars of the cross between two shafts do.
//
//   c = (p_a - p_b, n_a . n_b)      rows 0-2 in m, row 3 in rad for small angles

namespace sinew::inline v0 {

/// (4 rows) Leaves 2 degrees of freedom: rotation about each bar of the cross.
template <scalar S>
struct universal_joint {
    static constexpr std::size_t rows = 4;
    using attachments = binds<rigid, rigid>;

    ball_joint<S> point{};
    perpendicular_axes<S> cross_axes{};

    /// At a world point; the bars of the cross along two world axes, the first held by a, the second by b.
    [[nodiscard]] static constexpr universal_joint at(auto const& a, auto const& b, vec3<S> const& anchor, vec3<S> const& bar_of_a,
                                                      vec3<S> const& bar_of_b) noexcept {
        return {ball_joint<S>::at(a, b, anchor), perpendicular_axes<S>::at(a, b, bar_of_a, bar_of_b)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return stack_rows(point.error(a, b), cross_axes.error(a, b));
    }
    [[nodiscard]] constexpr mat<S, 4, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(point.jacobian(a, b), cross_axes.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 4> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(point.jacobian_rate(a, b, ta, tb), cross_axes.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(point.fault(), cross_axes.fault()); }
    [[nodiscard]] friend constexpr bool operator==(universal_joint const&, universal_joint const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/constraint/weld.hpp
// Weld (fixed joint): the bodies move as one.
//
//   c = (p_a - p_b, log(R_a^T R_b Q^T))      rows 0-2 in m, rows 3-5 in rad

namespace sinew::inline v0 {

/// (6 rows) Leaves no degree of freedom.
template <scalar S>
struct weld_joint {
    static constexpr std::size_t rows = 6;
    using attachments = binds<rigid, rigid>;

    ball_joint<S> point{};
    orientation_lock<S> orientation{};

    /// As the bodies are now, joined at a world point: where the seam is, for forces and torques to be read at.
    [[nodiscard]] static constexpr weld_joint at(auto const& a, auto const& b, vec3<S> const& anchor) noexcept {
        return {ball_joint<S>::at(a, b, anchor), orientation_lock<S>::at(a, b)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return stack_rows(point.error(a, b), orientation.error(a, b));
    }
    [[nodiscard]] constexpr mat<S, 6, 12> jacobian(auto const& a, auto const& b) const noexcept {
        return stack_rows(point.jacobian(a, b), orientation.jacobian(a, b));
    }
    [[nodiscard]] constexpr vec<S, 6> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return stack_rows(point.jacobian_rate(a, b, ta, tb), orientation.jacobian_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(point.fault(), orientation.fault()); }
    [[nodiscard]] friend constexpr bool operator==(weld_joint const&, weld_joint const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/solver/problem.hpp
// What a solver sees: the moving states of the bodies, their inverse masses, and the constraints type by type.
//
// A solver is a strategy over this problem. It never sees the world that made it.

namespace sinew::inline v0 {

/// Where a solver acts in a step: inside the derivative of the integrator, on velocities, or on positions.
enum class solver_level : unsigned char { acceleration, velocity, position };

/// The part of a rigid body that moves.
template <class S, class R>
struct rigid_state {
    sinew::pose<S, R> pose{};
    sinew::twist<S> twist{};
    [[nodiscard]] friend constexpr bool operator==(rigid_state const&, rigid_state const&) = default;
};
/// The part of a rigid body that does not. What is not movable has no inverse mass.
template <class S>
struct rigid_mass {
    S mass{};
    S inverse_mass{};
    sym3<S> inertia{};          ///< body axes
    sym3<S> inverse_inertia{};  ///< body axes
    bool movable = false;
    [[nodiscard]] friend constexpr bool operator==(rigid_mass const&, rigid_mass const&) = default;
};
template <class S>
struct particle_state {
    vec3<S> position{S(0), S(0), S(0)};
    vec3<S> velocity{S(0), S(0), S(0)};
    [[nodiscard]] friend constexpr bool operator==(particle_state const&, particle_state const&) = default;
};
template <class S>
struct particle_mass {
    S mass{};
    S inverse_mass{};
    bool movable = false;
    [[nodiscard]] friend constexpr bool operator==(particle_mass const&, particle_mass const&) = default;
};

namespace detail {
// A vector that takes no room when it has no elements.
template <class S, std::size_t N>
struct memory_of : vec<S, N> {};
template <class S>
struct memory_of<S, 0> {
    [[nodiscard]] friend constexpr bool operator==(memory_of const&, memory_of const&) = default;
};

// The wrenches of the last step, of constraints whose J at the solution no longer shows where they pushed.
template <class C, class S, bool = moving_normal_v<C>>
struct remembered_wrenches {
    constexpr void clear() noexcept {}
    constexpr void add(std::size_t, wrench<S> const&, S const&) noexcept {}
};
template <class C, class S>
struct remembered_wrenches<C, S, true> {
    std::array<wrench<S>, attachments_t<C>::size> wrenches{};
    constexpr void clear() noexcept { wrenches = {}; }
    constexpr void add(std::size_t i, wrench<S> const& w, S const& scale) noexcept {
        wrenches[i].force += w.force * scale;
        wrenches[i].torque += w.torque * scale;
    }
};
}  // namespace detail

/// A constraint, the indices of its bodies, and what a solver keeps of it from step to step: the multipliers (N, N m), and
/// `Memory` more numbers per row where the strategy asks for them (static constexpr std::size_t memory_per_row).
template <class C, class S, std::size_t Memory = 0>
struct constraint_entry {
    using constraint_type = C;
    static constexpr std::size_t memory_size = Memory * rows_v<C>;
    C constraint{};
    std::array<std::uint32_t, attachments_t<C>::size> bodies{};
    vec<S, rows_v<C>> lambda{};
    [[no_unique_address]] detail::memory_of<S, memory_size> memory{};
    [[no_unique_address]] detail::remembered_wrenches<C, S> pushed{};
    [[nodiscard]] friend constexpr bool operator==(constraint_entry const& a, constraint_entry const& b) {
        if constexpr (std::equality_comparable<C>) {
            if (!(a.constraint == b.constraint)) return false;
        }
        return a.bodies == b.bodies && a.lambda == b.lambda && a.memory == b.memory;
    }
};

/// Bodies and constraints of one step. Bodies of all kinds are numbered together as nodes: the rigid ones, then the particles.
template <class S, class R, std::size_t Memory, class... Cs>
struct problem {
    using scalar_type = S;
    using rotation_type = R;
    using constraint_types = std::tuple<Cs...>;

    std::span<rigid_state<S, R>> bodies;
    std::span<rigid_mass<S> const> masses;
    std::span<inverse_mass<S>> inverse_masses;  ///< world frame
    std::span<particle_state<S>> particles;
    std::span<particle_mass<S> const> particle_masses;
    std::tuple<std::span<constraint_entry<Cs, S, Memory>>...> constraints;
    std::uint32_t contents = 0;  ///< changes whenever a body or a constraint is added or removed: what was built of them is then stale

    [[nodiscard]] constexpr std::size_t node_count() const noexcept { return bodies.size() + particles.size(); }
    [[nodiscard]] constexpr std::uint32_t node(rigid, std::uint32_t i) const noexcept { return i; }
    [[nodiscard]] constexpr std::uint32_t node(point_mass, std::uint32_t i) const noexcept { return static_cast<std::uint32_t>(bodies.size()) + i; }
    /// f(kind, index) for every body, of whatever kind, that can be moved; in the order of the nodes.
    template <class F>
    constexpr void for_each_movable(F&& f) const {
        for (std::uint32_t i = 0; i < bodies.size(); ++i)
            if (masses[i].movable) f(rigid{}, i);
        for (std::uint32_t i = 0; i < particles.size(); ++i)
            if (particle_masses[i].movable) f(point_mass{}, i);
    }
    /// R I^-1 R^T of every movable body, at the poses of now.
    constexpr void update_inverse_masses() const noexcept {
        for (std::size_t i = 0; i < bodies.size(); ++i)
            if (masses[i].movable) inverse_masses[i] = {masses[i].inverse_mass, world_inertia(masses[i].inverse_inertia, bodies[i].pose.rotation)};
    }
    /// f(span of entries, index of the type), for each type of constraint.
    template <class F>
    constexpr void for_each_type(F&& f) const {
        [&]<std::size_t... T>(std::index_sequence<T...>) {
            (f(std::get<T>(constraints), std::integral_constant<std::size_t, T>{}), ...);
        }(std::index_sequence_for<Cs...>{});
    }
};

namespace detail {

// How a solver reads and moves a body of any kind K, as vectors and matrices of its K::dof numbers in the order of a Jacobian's
// columns. What a solver does through this alone, it does for every kind of body.
//
//   pose, twist      as a constraint sees them              velocity     the twist as a vector
//   inverse_mass     as a constraint's effective_mass sees   weigh        W f, the velocity change by an impulse f
//   mass_matrix      M at the pose of now, world frame       push         v += W f
//   movable          whether W is not zero                   accelerate   v += dv
//                                                            displace     x moved along d
template <class K>
struct attachment_access;

template <>
struct attachment_access<rigid> {
    [[nodiscard]] static constexpr auto pose(auto const& p, std::uint32_t i) noexcept { return p.bodies[i].pose; }
    [[nodiscard]] static constexpr auto twist(auto const& p, std::uint32_t i) noexcept { return p.bodies[i].twist; }
    [[nodiscard]] static constexpr auto inverse_mass(auto const& p, std::uint32_t i) noexcept { return p.inverse_masses[i]; }
    [[nodiscard]] static constexpr bool movable(auto const& p, std::uint32_t i) noexcept { return p.masses[i].movable; }
    [[nodiscard]] static constexpr auto velocity(auto const& p, std::uint32_t i) noexcept {
        auto const& t = p.bodies[i].twist;
        return joined(t.linear, t.angular);
    }
    template <class S>
    [[nodiscard]] static constexpr vec<S, 6> weigh(auto const& p, std::uint32_t i, vec<S, 6> const& f) noexcept {
        if (!p.masses[i].movable) return vec<S, 6>{};
        auto const& w = p.inverse_masses[i];
        return joined(w.linear * linear_part(f), w.angular * angular_part(f));
    }
    [[nodiscard]] static constexpr auto mass_matrix(auto const& p, std::uint32_t i) noexcept {
        using S = typename std::remove_cvref_t<decltype(p)>::scalar_type;
        sym3<S> const I = world_inertia(p.masses[i].inertia, p.bodies[i].pose.rotation);
        mat3<S> const J = to_mat(I);
        mat<S, 6, 6> m{};
        for (std::size_t r = 0; r < 3; ++r) {
            m(r, r) = p.masses[i].mass;
            for (std::size_t c = 0; c < 3; ++c) m(3 + r, 3 + c) = J(r, c);
        }
        return m;
    }
    template <class S>
    static constexpr void accelerate(auto const& p, std::uint32_t i, vec<S, 6> const& dv) noexcept {
        p.bodies[i].twist.linear += linear_part(dv);
        p.bodies[i].twist.angular += angular_part(dv);
    }
    template <class S>
    static constexpr void push(auto const& p, std::uint32_t i, vec<S, 6> const& f) noexcept {
        if (p.masses[i].movable) accelerate(p, i, weigh(p, i, f));
    }
    template <class S>
    static constexpr void displace(auto const& p, std::uint32_t i, vec<S, 6> const& d) noexcept {
        auto& pose = p.bodies[i].pose;
        pose.position += linear_part(d);
        pose.rotation = nudged(pose.rotation, angular_part(d));
    }

    template <class S>
    [[nodiscard]] static constexpr vec<S, 6> joined(vec3<S> const& a, vec3<S> const& b) noexcept {
        return {a[0], a[1], a[2], b[0], b[1], b[2]};
    }
    template <class S>
    [[nodiscard]] static constexpr vec3<S> linear_part(vec<S, 6> const& f) noexcept {
        return {f[0], f[1], f[2]};
    }
    template <class S>
    [[nodiscard]] static constexpr vec3<S> angular_part(vec<S, 6> const& f) noexcept {
        return {f[3], f[4], f[5]};
    }
};
template <>
struct attachment_access<point_mass> {
    [[nodiscard]] static constexpr auto pose(auto const& p, std::uint32_t i) noexcept {
        using S = typename std::remove_cvref_t<decltype(p)>::scalar_type;
        return particle_pose<S>{p.particles[i].position};
    }
    [[nodiscard]] static constexpr auto twist(auto const& p, std::uint32_t i) noexcept {
        using S = typename std::remove_cvref_t<decltype(p)>::scalar_type;
        return particle_twist<S>{p.particles[i].velocity};
    }
    [[nodiscard]] static constexpr auto inverse_mass(auto const& p, std::uint32_t i) noexcept {
        using S = typename std::remove_cvref_t<decltype(p)>::scalar_type;
        return particle_inverse_mass<S>{p.particle_masses[i].inverse_mass};
    }
    [[nodiscard]] static constexpr bool movable(auto const& p, std::uint32_t i) noexcept { return p.particle_masses[i].movable; }
    [[nodiscard]] static constexpr auto velocity(auto const& p, std::uint32_t i) noexcept { return p.particles[i].velocity; }
    template <class S>
    [[nodiscard]] static constexpr vec3<S> weigh(auto const& p, std::uint32_t i, vec3<S> const& f) noexcept {
        return p.particle_masses[i].inverse_mass * f;  // 0 of what does not move
    }
    [[nodiscard]] static constexpr auto mass_matrix(auto const& p, std::uint32_t i) noexcept {
        using S = typename std::remove_cvref_t<decltype(p)>::scalar_type;
        return p.particle_masses[i].mass * identity<S, 3>();
    }
    template <class S>
    static constexpr void accelerate(auto const& p, std::uint32_t i, vec3<S> const& dv) noexcept {
        p.particles[i].velocity += dv;
    }
    template <class S>
    static constexpr void push(auto const& p, std::uint32_t i, vec3<S> const& f) noexcept {
        if (p.particle_masses[i].movable) accelerate(p, i, weigh(p, i, f));
    }
    template <class S>
    static constexpr void displace(auto const& p, std::uint32_t i, vec3<S> const& d) noexcept {
        p.particles[i].position += d;
    }
};

}  // namespace detail

/// Calls f(kind, column offset, body index) for each attachment of an entry.
template <class E, class F>
constexpr void for_each_attachment(E const& entry, F&& f) {
    using A = attachments_t<typename E::constraint_type>;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (f(typename A::template kind<I>{}, std::integral_constant<std::size_t, A::offset(I)>{}, entry.bodies[I]), ...);
    }(std::make_index_sequence<A::size>{});
}

/// The poses of an entry's bodies, as a tuple.
template <class P, class E>
[[nodiscard]] constexpr auto poses_of(P const& p, E const& entry) {
    using A = attachments_t<typename E::constraint_type>;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::make_tuple(detail::attachment_access<typename A::template kind<I>>::pose(p, entry.bodies[I])...);
    }(std::make_index_sequence<A::size>{});
}
template <class P, class E>
[[nodiscard]] constexpr auto twists_of(P const& p, E const& entry) {
    using A = attachments_t<typename E::constraint_type>;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::make_tuple(detail::attachment_access<typename A::template kind<I>>::twist(p, entry.bodies[I])...);
    }(std::make_index_sequence<A::size>{});
}
template <class P, class E>
[[nodiscard]] constexpr auto inverse_masses_of(P const& p, E const& entry) {
    using A = attachments_t<typename E::constraint_type>;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::make_tuple(detail::attachment_access<typename A::template kind<I>>::inverse_mass(p, entry.bodies[I])...);
    }(std::make_index_sequence<A::size>{});
}
/// Whether every body of the entry can be moved, so that its momentum is the constraint's to keep.
template <class P, class E>
[[nodiscard]] constexpr bool all_movable(P const& p, E const& entry) {
    bool r = true;
    for_each_attachment(entry, [&](auto kind, auto, std::uint32_t i) { r = r && detail::attachment_access<decltype(kind)>::movable(p, i); });
    return r;
}

/// J of an entry at the poses of now.
template <class P, class E>
[[nodiscard]] constexpr auto entry_jacobian(P const& p, E const& entry) {
    return std::apply([&](auto const&... poses) { return jacobian_of(entry.constraint, poses...); }, poses_of(p, entry));
}

/// What a strategy can honour. A constraint that asks for anything else is refused at compile time, with a sentence.
struct solver_abilities {
    bool bounds = true;          ///< limits of the multipliers
    bool update_rules = true;    ///< a constraint's own rule for its multipliers
    bool moving_normals = true;  ///< Jacobians that vanish where the constraint holds
    bool soft_rates = true;      ///< compliance of velocity-level rows
};
/// What a solver reports of one solve.
template <class S>
struct solve_report {
    int iterations = 0;
    S residual{};      ///< largest |error| met in the last sweep (m, rad, or m/s, rad/s for velocity-level rows)
    bool full_rank = true;  ///< false when rows were redundant
};

}  // namespace sinew::inline v0

// ---- sinew/solver/connected_bodies.hpp
// Which bodies hang together through constraints: a disjoint-set forest (Tarjan) over bodies, then particles.
//
// What does not move joins nothing, but whatever is bound to it counts as anchored: its momentum is not its own to keep.

namespace sinew::inline v0 {

/// Env: the world's environment, for its storage.
template <class Env>
class connected_bodies {
public:
    /// Reads all constraints of a problem.
    template <class P>
    constexpr void build(P const& p) {
        nodes_.resize(p.node_count());
        for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i] = {static_cast<std::uint32_t>(i), false, false};
        p.for_each_type([&](auto entries, auto) {
            for (auto const& e : entries) join(p, e);
        });
    }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return nodes_.size(); }

    /// The node that stands for all that hang together with this one.
    [[nodiscard]] constexpr std::uint32_t root(std::uint32_t i) noexcept {
        while (nodes_[i].parent != i) {
            nodes_[i].parent = nodes_[nodes_[i].parent].parent;  // halves the path
            i = nodes_[i].parent;
        }
        return i;
    }
    /// Of a root: whether any constraint binds its bodies, and whether one binds them to what does not move.
    [[nodiscard]] constexpr bool is_bound(std::uint32_t root) const noexcept { return nodes_[root].bound; }
    [[nodiscard]] constexpr bool is_anchored(std::uint32_t root) const noexcept { return nodes_[root].anchored; }

private:
    struct entry {
        std::uint32_t parent;
        bool bound, anchored;
    };

    template <class P, class E>
    constexpr void join(P const& p, E const& e) {
        constexpr std::uint32_t none = 0xffffffffu;
        std::uint32_t all = none;
        bool anchored = false;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            if (!detail::attachment_access<decltype(kind)>::movable(p, i)) {
                anchored = true;
                return;
            }
            std::uint32_t const r = root(p.node(kind, i));
            if (all == none) {
                all = r;
            } else if (r != all) {
                // The smaller index stands for both, whatever the order of the constraints.
                std::uint32_t const low = r < all ? r : all, high = r < all ? all : r;
                nodes_[high].parent = low;
                nodes_[low].anchored = nodes_[low].anchored || nodes_[high].anchored;
                all = low;
            }
        });
        if (all == none) return;
        nodes_[all].bound = true;
        nodes_[all].anchored = nodes_[all].anchored || anchored;
    }

    typename Env::template array<entry, Env::max_nodes> nodes_;
};

}  // namespace sinew::inline v0

// ---- sinew/solver/angular_momentum_balance.hpp
// The angular momentum that displacements cost, and its return.
//
// A position-level solver displaces a body by d/m while it moves with v, which changes x cross m v by d cross v: a term of second
// order that the derivation drops (Waterson 2026, 5.16 holds x fixed). Summed over all constraints of bodies that hang together,
// and on nothing else, it is D = sum d_i cross v_i. It is given back after the last sweep as a common rotation rate of all
// these bodies about their centre of mass, which no constraint that is invariant under rotation feels. Given back
// constraint by constraint it would pull the neighbours apart, and feed on itself.

namespace sinew::inline v0 {

/// Env: the world's environment, for its scalar and storage.
template <class Env>
class angular_momentum_balance {
public:
    using S = typename Env::scalar;
    static constexpr std::uint32_t no_island = 0xffffffffu;

    /// Finds the islands, and forgets what was lost.
    template <class P>
    constexpr void begin(P const& p) {
        connected_.build(p);
        islands_.resize(connected_.size());
        for (std::size_t i = 0; i < connected_.size(); ++i) islands_[i] = {};
    }
    /// The island of a constraint's bodies, or no_island if it hangs on something that does not move.
    template <class P, class E>
    [[nodiscard]] constexpr std::uint32_t island_of(P const& p, E const& e) {
        std::uint32_t r = no_island;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            if (detail::attachment_access<decltype(kind)>::movable(p, i)) r = connected_.root(p.node(kind, i));
        });
        return r == no_island || connected_.is_anchored(r) ? no_island : r;
    }
    /// Displacements by f (force: kg m) of bodies that move with v (m/s).
    template <std::size_t N>
    constexpr void add(std::uint32_t island, std::array<wrench<S>, N> const& f, std::array<vec3<S>, N> const& v) noexcept {
        vec3<S> net{}, lost{};
        S size{};
        for (std::size_t k = 0; k < N; ++k) {
            net += f[k].force;
            size = size + squared_norm(f[k].force);
            lost += cross(f[k].force, v[k]);
        }
        // A constraint to something outside leaves a net force; its momentum is not the bodies' to keep.
        auto const internal = squared_norm(net) <= size * (S(16) * epsilon_v<S>);
        islands_[island].lost += select(internal, lost, vec3<S>{});
    }

    /// Turns the bodies of every free island together, so that its angular momentum grows by -lost and nothing else.
    template <class P>
    constexpr void give_back(P const& p) {
        bool any_free = false;
        for (std::uint32_t i = 0; i < connected_.size(); ++i) any_free = any_free || is_free_root(i);
        if (!any_free) return;
        for_each_of_islands(p, [&](auto kind, std::uint32_t i, island_sums& island) {
            auto const [m, x] = mass_and_place(p, kind, i);
            island.mass = island.mass + m;
            island.moment += m * x;
        });
        for_each_of_islands(p, [&](auto kind, std::uint32_t i, island_sums& island) {
            auto const [m, x] = mass_and_place(p, kind, i);
            vec3<S> const r = x - island.moment / island.mass;
            island.inertia += m * (squared_norm(r) * identity<S, 3>() - outer(r, r));
            if constexpr (std::same_as<decltype(kind), rigid>) island.inertia += to_mat(world_inertia(p.masses[i].inertia, p.bodies[i].pose.rotation));
        });
        for (std::uint32_t i = 0; i < connected_.size(); ++i)
            if (is_free_root(i)) islands_[i].omega = -small_ldlt<S, 3>(islands_[i].inertia).solve(islands_[i].lost);
        for_each_of_islands(p, [&](auto kind, std::uint32_t i, island_sums& island) {
            vec3<S> const center = island.moment / island.mass;
            if constexpr (std::same_as<decltype(kind), rigid>) {
                p.bodies[i].twist.linear += cross(island.omega, p.bodies[i].pose.position - center);
                p.bodies[i].twist.angular += island.omega;
            } else {
                p.particles[i].velocity += cross(island.omega, p.particles[i].position - center);
            }
        });
    }

private:
    [[nodiscard]] constexpr bool is_free_root(std::uint32_t i) noexcept {
        return connected_.root(i) == i && connected_.is_bound(i) && !connected_.is_anchored(i);
    }
    // f(kind, index, sums) for what moves and hangs together on nothing else.
    template <class P, class F>
    constexpr void for_each_of_islands(P const& p, F&& f) {
        auto const visit = [&](auto kind, std::uint32_t i) {
            std::uint32_t const r = connected_.root(p.node(kind, i));
            if (connected_.is_bound(r) && !connected_.is_anchored(r)) f(kind, i, islands_[r]);
        };
        p.for_each_movable(visit);
    }
    template <class Kind>
    struct mass_place {
        S m;
        vec3<S> x;
    };
    template <class P>
    static constexpr mass_place<rigid> mass_and_place(P const& p, rigid, std::uint32_t i) {
        return {p.masses[i].mass, p.bodies[i].pose.position};
    }
    template <class P>
    static constexpr mass_place<point_mass> mass_and_place(P const& p, point_mass, std::uint32_t i) {
        return {p.particle_masses[i].mass, p.particles[i].position};
    }

    struct island_sums {
        vec3<S> lost{};  // D, kg m^2/s
        S mass{};
        vec3<S> moment{};
        mat3<S> inertia{};
        vec3<S> omega{};
    };

    connected_bodies<Env> connected_;
    typename Env::template array<island_sums, Env::max_nodes> islands_;
};

}  // namespace sinew::inline v0

// ---- sinew/solver/lagrange_multipliers.hpp
// Lagrange multipliers at acceleration level: Witkin 1997, eq. 11, inside every stage of the integrator.
//
//   J W J^T lambda = -J_dot v - J W Q - k_s C - k_d C_dot,   constraint force J^T lambda
//
//   W   inverse masses            Q   applied forces, with the gyroscopic torque -omega x I omega
//   C   errors (none for velocity-level constraints), C_dot their rates
//   k_s, k_d   feedback that absorbs the integrator's drift (Baumgarte); at c = 0 it vanishes, so the order of accuracy
//              of the integrator is kept
//
// The linear part is a policy. A compliant row is no unknown: its multiplier is -C / compliance - damping C_dot.
// Multipliers with bounds need a complementarity solver; a linear one refuses them at compile time.
// (Witkin's eq. 9 lacks its equals sign: J W Q^ = -J_dot v - J W Q.)

namespace sinew::inline v0 {

/// Linear part: dense Cholesky factors of J W J^T.
struct cholesky {
    template <class S>
    static constexpr factor_report factor(std::span<S> a, std::size_t n, S const& floor) noexcept {
        return cholesky_factor<S>(a, n, floor);
    }
    template <class S>
    static constexpr void solve(std::span<S const> a, std::size_t n, std::span<S> b) noexcept {
        cholesky_solve<S>(a, n, b);
    }
};
/// Linear part: dense L D L^T factors of J W J^T, without square roots.
struct ldlt {
    template <class S>
    static constexpr factor_report factor(std::span<S> a, std::size_t n, S const& floor) noexcept {
        return ldlt_factor<S>(a, n, floor);
    }
    template <class S>
    static constexpr void solve(std::span<S const> a, std::size_t n, std::span<S> b) noexcept {
        ldlt_solve<S>(a, n, b);
    }
};

/// The strategy: acceleration level, direct, equality constraints.
template <class Linear = cholesky>
struct lagrange_multipliers {
    template <class Env>
    class strategy;
};

template <class Linear>
template <class Env>
class lagrange_multipliers<Linear>::strategy {
public:
    using S = typename Env::scalar;
    static constexpr solver_level level = solver_level::acceleration;
    static constexpr solver_abilities abilities{.bounds = false, .update_rules = false, .moving_normals = false, .soft_rates = false};

    S feedback_stiffness{100};  ///< k_s, 1/s^2
    S feedback_damping{20};     ///< k_d, 1/s

    /// Why the tuning numbers cannot be: negative feedback drives errors apart.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(nonnegative_parameter("solver.feedback_stiffness", feedback_stiffness), nonnegative_parameter("solver.feedback_damping", feedback_damping));
    }

    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return a.feedback_stiffness == b.feedback_stiffness && a.feedback_damping == b.feedback_damping;
    }

    /// Adds the constraint forces J^T lambda to the applied ones.
    template <class P>
    constexpr solve_report<S> solve(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        p.update_inverse_masses();
        gather(p, forces, particle_forces);
        assemble(p, forces, particle_forces);
        std::size_t const n = rows_.size();
        // Of a pivot of a redundant row rounding leaves some eps of its diagonal; sums of n roundings grow as sqrt(n).
        S const floor = epsilon_v<S> * (S(4) * sqrt(S(value_type_t<S>(n + 1))));
        auto const factors = Linear::template factor<S>(std::span<S>(matrix_.data(), n * n), n, floor);
        Linear::template solve<S>(std::span<S const>(matrix_.data(), n * n), n, std::span<S>(rhs_.data(), n));
        apply(p, forces, particle_forces);
        solve_report<S> report;
        report.iterations = 1;
        report.residual = residual_;
        report.full_rank = factors.full_rank();
        return report;
    }

private:
    static constexpr std::uint32_t none = 0xffffffffu;
    // One row's part on one body; those of a body are chained.
    struct block {
        vec<S, 6> J{}, B{};
        std::uint32_t row = 0;
        std::uint32_t body = 0;  // particles come after the rigid bodies
        std::uint32_t next = none;
    };
    struct row_info {
        std::uint32_t first = 0, count = 0;  // blocks
        bool hard = true;
    };

    template <class P>
    [[nodiscard]] static constexpr std::uint32_t place(P const&, rigid, std::uint32_t i) noexcept {
        return i;
    }
    template <class P>
    [[nodiscard]] static constexpr std::uint32_t place(P const& p, point_mass, std::uint32_t i) noexcept {
        return static_cast<std::uint32_t>(p.bodies.size()) + i;
    }

    // Rows, their blocks, and the part of the right-hand side that needs no forces; forces of compliant rows.
    template <class P>
    constexpr void gather(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        rows_.clear();
        blocks_.clear();
        rhs_.clear();
        head_.assign(p.bodies.size() + p.particles.size(), none);
        residual_ = S(0);
        p.for_each_type([&](auto entries, auto) {
            for (auto& e : entries) gather_entry(p, e, forces, particle_forces);
        });
    }

    template <class P, class E>
    constexpr void gather_entry(P const& p, E& e, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        auto const poses = poses_of(p, e);
        auto const twists = twists_of(p, e);
        jacobian_t<C, S> const J = std::apply([&](auto const&... q) { return jacobian_of(e.constraint, q...); }, poses);
        jacobian_t<C, S> const B = std::apply([&](auto const&... m) { return weighted_jacobian<C, S>(J, m...); }, inverse_masses_of(p, e));
        vec<S, M> const c_dot = rate_of(e.constraint, poses, twists);
        vec<S, M> c{};
        if constexpr (is_holonomic_v<C, S>) c = std::apply([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
        vec<S, M> const bias = jacobian_rate_of(e.constraint, poses, twists);
        vec<S, M> const compliance = compliance_of<S>(e.constraint);
        vec<S, M> const damping = damping_of<S>(e.constraint);
        for (std::size_t r = 0; r < M; ++r) {
            bool const hard = !all(compliance[r] > S(0));
            if (hard) residual_ = max(residual_, abs(is_holonomic_v<C, S> ? c[r] : c_dot[r]));
            auto const row = static_cast<std::uint32_t>(rows_.size());
            rows_.push_back({static_cast<std::uint32_t>(blocks_.size()), 0, hard});
            if (hard) {
                rhs_.push_back(-bias[r] - feedback_stiffness * c[r] - feedback_damping * c_dot[r]);
            } else {
                e.lambda[r] = -c[r] / compliance[r] - damping[r] * c_dot[r];
                rhs_.push_back(e.lambda[r]);
            }
            for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
                using K = decltype(kind);
                block b;
                b.row = row;
                b.body = place(p, kind, i);
                for (std::size_t k = 0; k < K::dof; ++k) {
                    b.J[k] = J(r, at + k);
                    b.B[k] = B(r, at + k);
                }
                if (!hard) add_force(p, b, e.lambda[r], forces, particle_forces);
                if (hard && detail::attachment_access<K>::movable(p, i)) {
                    b.next = head_[b.body];
                    head_[b.body] = static_cast<std::uint32_t>(blocks_.size());
                    blocks_.push_back(b);
                    ++rows_.back().count;
                }
            });
        }
    }

    template <class P>
    static constexpr void add_force(P const& p, block const& b, S const& lambda, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        if (b.body < p.bodies.size()) {
            for (std::size_t k = 0; k < 3; ++k) {
                forces[b.body].force[k] = forces[b.body].force[k] + b.J[k] * lambda;
                forces[b.body].torque[k] = forces[b.body].torque[k] + b.J[3 + k] * lambda;
            }
        } else {
            auto& f = particle_forces[b.body - p.bodies.size()];
            for (std::size_t k = 0; k < 3; ++k) f[k] = f[k] + b.J[k] * lambda;
        }
    }

    // A = J W J^T, block by block along the chain of each body; right-hand side minus J W Q = B . Q.
    template <class P>
    constexpr void assemble(P const& p, std::span<wrench<S> const> forces, std::span<vec3<S> const> particle_forces) {
        std::size_t const n = rows_.size();
        matrix_.assign(n * n, S(0));
        for (std::size_t i = 0; i < n; ++i) {
            if (!rows_[i].hard) {
                matrix_[i * n + i] = S(1);
                continue;
            }
            for (std::uint32_t k = rows_[i].first; k < rows_[i].first + rows_[i].count; ++k) {
                block const& b = blocks_[k];
                for (std::uint32_t o = head_[b.body]; o != none; o = blocks_[o].next) {
                    std::size_t const j = blocks_[o].row;
                    if (j > i) continue;
                    matrix_[i * n + j] = matrix_[i * n + j] + dot(b.J, blocks_[o].B);
                }
                if (b.body < p.bodies.size()) {
                    auto const& state = p.bodies[b.body];
                    vec3<S> const w = state.pose.local_direction(state.twist.angular);
                    vec3<S> const gyroscopic = state.pose.direction(cross(p.masses[b.body].inertia * w, w));
                    vec3<S> const torque = forces[b.body].torque + gyroscopic;
                    for (std::size_t q = 0; q < 3; ++q) rhs_[i] = rhs_[i] - b.B[q] * forces[b.body].force[q] - b.B[3 + q] * torque[q];
                } else {
                    auto const& f = particle_forces[b.body - p.bodies.size()];
                    for (std::size_t q = 0; q < 3; ++q) rhs_[i] = rhs_[i] - b.B[q] * f[q];
                }
            }
        }
    }

    template <class P>
    constexpr void apply(P const& p, std::span<wrench<S>> forces, std::span<vec3<S>> particle_forces) {
        std::size_t row = 0;
        p.for_each_type([&](auto entries, auto) {
            using C = typename decltype(entries)::value_type::constraint_type;
            for (auto& e : entries)
                for (std::size_t r = 0; r < rows_v<C>; ++r, ++row)
                    if (rows_[row].hard) e.lambda[r] = rhs_[row];
        });
        for (auto const& b : blocks_) add_force(p, b, rhs_[b.row], forces, particle_forces);
    }

    typename Env::template array<row_info, Env::max_rows> rows_;
    typename Env::template array<block, Env::max_blocks> blocks_;
    typename Env::template array<std::uint32_t, Env::limits.bodies + 1 + Env::limits.particles> head_;
    typename Env::template array<S, Env::max_rows> rhs_;
    typename Env::template array<S, Env::max_rows * Env::max_rows> matrix_;
    S residual_{};
};

}  // namespace sinew::inline v0

// ---- sinew/solver/row_block.hpp
// The rows of one constraint as a block: what its multipliers do to each of its bodies, and what the bodies' masses make of it.
//
//   f_i = J_i^T p           wrench on attachment i by the multipliers p
//   K = sum J_i W_i J_i^T    how much a unit of one row moves another (W: inverse mass)
//
// Both go attachment by attachment, so that M^-1 J^T is never stored.

namespace sinew::inline v0 {

namespace detail {

// Three columns of a row of J.
template <class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr vec3<S> row_part(mat<S, M, N> const& J, std::size_t r, std::size_t at) noexcept {
    return {J(r, at), J(r, at + 1), J(r, at + 2)};
}

// K += J_i W_i J_i^T below and on the diagonal. `Angular` is sym3 or mat3 (1/(kg m^2), world frame).
template <class S, std::size_t M, std::size_t N, class Angular>
constexpr void add_rigid(mat<S, M, M>& K, mat<S, M, N> const& J, std::size_t at, S const& linear, Angular const& angular) noexcept {
    for (std::size_t r = 0; r < M; ++r) {
        vec3<S> const v = linear * row_part(J, r, at), w = angular * row_part(J, r, at + 3);
        for (std::size_t q = r; q < M; ++q) K(q, r) = K(q, r) + (dot(row_part(J, q, at), v) + dot(row_part(J, q, at + 3), w));
    }
}
template <class S, std::size_t M, std::size_t N>
constexpr void add_particle(mat<S, M, M>& K, mat<S, M, N> const& J, std::size_t at, S const& linear) noexcept {
    for (std::size_t r = 0; r < M; ++r) {
        vec3<S> const v = linear * row_part(J, r, at);
        for (std::size_t q = r; q < M; ++q) K(q, r) = K(q, r) + dot(row_part(J, q, at), v);
    }
}
template <class S, std::size_t M>
constexpr void mirror(mat<S, M, M>& K) noexcept {
    for (std::size_t r = 0; r < M; ++r)
        for (std::size_t q = r + 1; q < M; ++q) K(r, q) = K(q, r);
}

// J_i^T p. A particle takes no torque.
template <class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr wrench<S> pushed_by(rigid, mat<S, M, N> const& J, std::size_t at, vec<S, M> const& p) noexcept {
    wrench<S> f{row_part(J, 0, at) * p[0], row_part(J, 0, at + 3) * p[0]};
    for (std::size_t r = 1; r < M; ++r) {
        f.force += row_part(J, r, at) * p[r];
        f.torque += row_part(J, r, at + 3) * p[r];
    }
    return f;
}
template <class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr wrench<S> pushed_by(point_mass, mat<S, M, N> const& J, std::size_t at, vec<S, M> const& p) noexcept {
    wrench<S> f{row_part(J, 0, at) * p[0], {}};
    for (std::size_t r = 1; r < M; ++r) f.force += row_part(J, r, at) * p[r];
    return f;
}

/// Row by row within one constraint: dp with lower <= p + dp <= upper and the residual r + K dp zero in the free rows.
template <class S, std::size_t M>
[[nodiscard]] constexpr vec<S, M> solve_bounded(mat<S, M, M> const& K, vec<S, M> const& r, vec<S, M> const& p, bounds<S, M> const& limits, S const& xi) {
    vec<S, M> dp{};
    constexpr int sweeps = M == 1 ? 1 : 4;
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (std::size_t i = 0; i < M; ++i) {
            S e = r[i];
            for (std::size_t j = 0; j < M; ++j) e = e + K(i, j) * dp[j];
            auto const stuck = K(i, i) <= S(0);
            S const step = select(stuck, S(0), xi * e / select(stuck, S(1), K(i, i)));
            dp[i] = clamp(p[i] + dp[i] - step, limits.lower[i], limits.upper[i]) - p[i];
        }
    return dp;
}

}  // namespace detail

/// J_i^T p for each attachment of an entry, in their order (N and N m times whatever p is times).
template <class E, class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr auto wrenches_of(E const& entry, mat<S, M, N> const& J, vec<S, M> const& p) {
    std::array<wrench<S>, attachments_t<typename E::constraint_type>::size> f;
    std::size_t k = 0;
    for_each_attachment(entry, [&](auto kind, auto at, std::uint32_t) { f[k++] = detail::pushed_by(kind, J, at, p); });
    return f;
}

}  // namespace sinew::inline v0

// ---- sinew/solver/nonlinear_gauss_seidel.hpp
// Non-linear Gauss-Seidel on positions: Waterson 2026, Algorithm 1, with the compliance of XPBD.
//
//   X       predicted poses, displaced in place           h   time step, s
//   lambda  multipliers, N; here as p = lambda h^2         W   inverse masses
//   c       error at the displaced poses                   xi  relaxation
//   alpha~ = compliance / h^2 + regularisation,  gamma = alpha~ damping h
//
//   dp = -xi (alpha~ + (1 + gamma) J W J^T)^-1 (c + alpha~ p + gamma J dx),  X += W J^T dp        (eq. 4.73, 6.35, 6.36)
//
// where dx = v h is the displacement since the start of the step. A constraint is solved as a block of all its rows; one
// with bounds row by row. A velocity-level constraint takes part with c = h rate (eq. 4.82, which lacks the factor h).
//
// Departures from the printed text: gamma = alpha~ damping h needs B h^2 = beta~ in (6.33), not B h; the velocity in the
// last line of (4.8) changes by dX / h without J_L^-1.
//
// Linear momentum is kept to rounding. Angular momentum: see angular_momentum_balance.hpp. Spins are carried as momenta
// through the change of pose. So an isolated system keeps both to rounding, whatever the relaxation, if each J^T dp has no
// net wrench at the pose where it is applied: the scalar point-to-point form, not the vector form under-relaxed.

namespace sinew::inline v0 {

/// When Jacobians and effective masses are evaluated. Constraints with a moving normal are evaluated every iteration.
enum class evaluate : unsigned char { every_step, every_iteration };
/// Where velocity-level constraints are solved: among the positions, or after them on velocities alone (Waterson 4.11).
enum class velocity_rows : unsigned char { in_loop, after };

/// The strategy: position level, iterative, any constraint.
struct nonlinear_gauss_seidel {
    template <class Env>
    class strategy;
};

namespace detail {

// Rows and their weights at one pose.
template <class C, class S>
struct linearised {
    jacobian_t<C, S> J{};
    mat<S, rows_v<C>, rows_v<C>> K{};  // J M^-1 J^T; its inverse where the constraint gives it
};

// Whether the constraint's own effective mass is used. A block with bounds is solved row by row and needs J M^-1 J^T itself.
template <class C, class S>
inline constexpr bool inverts_itself_v = has_effective_mass_v<C, S> && (rows_v<C> == 1 || !is_bounded_v<C, S>);

}  // namespace detail

template <class Env>
class nonlinear_gauss_seidel::strategy {
public:
    using S = typename Env::scalar;
    static constexpr solver_level level = solver_level::position;
    static constexpr solver_abilities abilities{};

    int iterations = 10;                                ///< sweeps over all constraints
    int substeps = 1;                                   ///< predictions and solves in one step
    S relaxation{1};                                    ///< xi: below 1 under-relaxed, above 1 SOR, below 2 always (eq. 4.75)
    bool adaptive = false;                              ///< xi follows the residual from sweep to sweep (Waterson 4.9.3)
    S warm_start{0};                                    ///< fraction of the last multipliers to start from (Waterson 4.10)
    S regularization{0};                                ///< Tikhonov's epsilon, 1/kg (eq. 4.24)
    evaluate jacobian = evaluate::every_iteration;      ///< when J is evaluated
    velocity_rows velocity = velocity_rows::in_loop;    ///< where velocity-level constraints are solved
    int velocity_iterations = 10;                       ///< sweeps of the separate velocity solve
    S tolerance{0};                                     ///< stop when no |error| is above it
    bool conserve_angular_momentum = true;              ///< see angular_momentum_balance.hpp
    bool modified_inertia = false;                      ///< displacements by I~ of eq. 4.17 instead of I: for fast spins in long steps

    /// Why the tuning numbers cannot be. A relaxation of 2 or more diverges (Waterson 2026, eq. 4.75).
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        auto const count = [](int number, int least, char const* name, char const* requirement) {
            return number >= least ? input_fault{} : input_fault{name, requirement, static_cast<double>(number)};
        };
        auto const within = [](bool holds, char const* name, char const* requirement, S const& number) {
            return holds ? input_fault{} : input_fault{name, requirement, detail::fault_value(number)};
        };
        return first_fault(count(iterations, 0, "solver.iterations", "must not be negative"), count(substeps, 1, "solver.substeps", "must be at least 1"),
                           count(velocity_iterations, 0, "solver.velocity_iterations", "must not be negative"),
                           within(all(relaxation > S(0)) && all(relaxation < S(2)), "solver.relaxation", "must be above 0 and below 2", relaxation),
                           within(all(warm_start >= S(0)) && all(warm_start <= S(1)), "solver.warm_start", "must be between 0 and 1", warm_start),
                           nonnegative_parameter("solver.regularization", regularization), magnitude_parameter("solver.tolerance", tolerance));
    }

    /// Displaces the predicted states until the constraints hold, and sets velocities and multipliers to match.
    template <class P>
    constexpr solve_report<S> solve(P const& p, S const& h) {
        prepare(p, h);
        solve_report<S> report;
        S xi = relaxation;
        S previous = infinity_v<S>;
        for (int k = 0; k < iterations; ++k) {
            residual_ = S(0);
            p.for_each_type([&](auto entries, auto t) {
                for (std::size_t i = 0; i < entries.size(); ++i) relax(p, entries[i], std::get<t>(work_)[i], h, xi);
            });
            ++report.iterations;
            report.residual = residual_;
            if (all(residual_ <= tolerance)) break;
            if (adaptive) {
                // Grow by a fifth while the error falls, back off by a twentieth when it rises: on straight chains of 10
                // to 100 links this removes 3 to 2000 times more error than xi = 1, without knowing the optimum.
                xi = select(residual_ < previous, min(xi * S(value_type_t<S>(1.2)), S(value_type_t<S>(1.9))), max(xi * S(value_type_t<S>(0.95)), S(value_type_t<S>(0.1))));
                previous = residual_;
            }
        }
        update_velocities(p, h);
        if (velocity == velocity_rows::after) solve_velocities(p, h);
        return report;
    }

    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return a.iterations == b.iterations && a.substeps == b.substeps && a.relaxation == b.relaxation && a.adaptive == b.adaptive &&
               a.warm_start == b.warm_start && a.regularization == b.regularization && a.jacobian == b.jacobian && a.velocity == b.velocity &&
               a.velocity_iterations == b.velocity_iterations && a.tolerance == b.tolerance &&
               a.conserve_angular_momentum == b.conserve_angular_momentum && a.modified_inertia == b.modified_inertia;
    }

private:
    static constexpr std::uint32_t no_island = angular_momentum_balance<Env>::no_island;
    template <class C>
    struct work : detail::linearised<C, S> {
        std::uint32_t island = no_island;  // the root of its bodies, if they keep their angular momentum
        bool inverted = false;             // K is the inverse
    };
    template <class C>
    using work_array = typename Env::template array<work<C>, Env::limits.constraints>;

    template <class C>
    static constexpr bool in_positions(velocity_rows where) noexcept {
        return is_holonomic_v<C, S> || where == velocity_rows::in_loop;
    }

    template <class P>
    constexpr void prepare(P const& p, S const& h) {
        pushed_.assign(p.bodies.size(), wrench<S>{});
        spin_.resize(p.bodies.size());
        particle_pushed_.assign(p.particles.size(), vec3<S>{});
        p.update_inverse_masses();
        for (std::size_t i = 0; i < p.bodies.size(); ++i) {
            auto const& b = p.bodies[i];
            spin_[i] = b.pose.direction(p.masses[i].inertia * b.pose.local_direction(b.twist.angular));
        }
        if (modified_inertia) prepare_modified_inertia(p, h);
        if (conserve_angular_momentum) balance_.begin(p);
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            auto& works = std::get<t>(work_);
            works.resize(entries.size());
            for (std::size_t i = 0; i < entries.size(); ++i) {
                auto& e = entries[i];
                works[i].island = conserve_angular_momentum ? balance_.island_of(p, e) : no_island;
                e.pushed.clear();
                if (!in_positions<C>(velocity)) continue;
                for (std::size_t r = 0; r < rows_v<C>; ++r) e.lambda[r] = e.lambda[r] * warm_start;
                bool const warm = any(warm_start != S(0));
                if (jacobian == evaluate::every_step || warm) linearise(p, e, works[i], modified_inertia);
                if (warm) displace(p, e, works[i], e.lambda * (h * h), h);
            }
        });
    }

    // A displacement d turns the inertia too, and the spin is to change by J^T dp and nothing else (eq. 4.15, linear in d):
    // I~ d = J^T dp,  I~ = I + h (I [omega]x - [I omega]x). Gradients of the torques are left out.
    template <class P>
    constexpr void prepare_modified_inertia(P const& p, S const& h) {
        inverse_modified_.resize(p.bodies.size());
        for (std::size_t i = 0; i < p.bodies.size(); ++i) {
            if (!p.masses[i].movable) continue;
            auto const& b = p.bodies[i];
            mat3<S> const inertia = to_mat(world_inertia(p.masses[i].inertia, b.pose.rotation));
            vec3<S> const turn = b.twist.angular * h;
            inverse_modified_[i] = inverse(inertia + inertia * skew(turn) - skew(inertia * turn));
        }
    }

    // I^-1, or I~^-1, times a vector.
    template <class P>
    [[nodiscard]] constexpr vec3<S> turn_by(P const& p, std::uint32_t i, vec3<S> const& torque) const {
        return modified_inertia ? inverse_modified_[i] * torque : p.inverse_masses[i].angular * torque;
    }

    template <class P, class E, class W>
    constexpr void linearise(P const& p, E const& e, W& w, bool modified) const {
        using C = typename E::constraint_type;
        w.J = entry_jacobian(p, e);
        w.inverted = false;
        if constexpr (detail::inverts_itself_v<C, S>) {
            if (all(regularization == S(0))) {  // which the constraint does not know of
                w.K = own_effective_mass(p, e);
                w.inverted = true;
                return;
            }
        }
        w.K = {};
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            if constexpr (std::same_as<decltype(kind), point_mass>)
                detail::add_particle(w.K, w.J, at, p.particle_masses[i].inverse_mass);
            else if (!p.masses[i].movable)
                return;
            else if (modified)
                detail::add_rigid(w.K, w.J, at, p.inverse_masses[i].linear, inverse_modified_[i]);
            else
                detail::add_rigid(w.K, w.J, at, p.inverse_masses[i].linear, p.inverse_masses[i].angular);
        });
        detail::mirror(w.K);
    }
    template <class P, class E>
    [[nodiscard]] static constexpr auto own_effective_mass(P const& p, E const& e) {
        using C = typename E::constraint_type;
        return std::apply(
            [&](auto const&... q) {
                return std::apply([&](auto const&... m) { return as_block<rows_v<C>>(constraint_traits<C>::effective_mass(e.constraint, q..., m...)); },
                                  inverse_masses_of(p, e));
            },
            poses_of(p, e));
    }
    // One row's effective mass may be a number.
    template <std::size_t M, class T>
    [[nodiscard]] static constexpr mat<S, M, M> as_block(T const& x) noexcept {
        if constexpr (std::convertible_to<T, S>)
            return mat<S, M, M>{{S(x)}};
        else
            return x;
    }

    // -xi K^-1 r within the bounds, and the constraint's own rule after it. p and dp in N times `scale`.
    template <class E, class W, class Poses, std::size_t M>
    [[nodiscard]] static constexpr vec<S, M> impulse_of(E const& e, W const& w, mat<S, M, M> const& K, vec<S, M> const& r, Poses const& poses, S const& scale,
                                                        S const& xi) {
        using C = typename E::constraint_type;
        vec<S, M> const p = e.lambda * scale;
        vec<S, M> dp;
        if constexpr (is_bounded_v<C, S>) {
            auto limits = std::apply([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
            for (std::size_t i = 0; i < M; ++i) {
                limits.lower[i] = limits.lower[i] * scale;
                limits.upper[i] = limits.upper[i] * scale;
            }
            if (w.inverted) {  // one row
                dp = w.K * r * (-xi);
                dp[0] = clamp(p[0] + dp[0], limits.lower[0], limits.upper[0]) - p[0];
            } else {
                dp = detail::solve_bounded(K, r, p, limits, xi);
            }
        } else if constexpr (detail::inverts_itself_v<C, S>) {
            dp = w.inverted ? w.K * r * (-xi) : solve_spd(K, r) * (-xi);
        } else {
            dp = solve_spd(K, r) * (-xi);
        }
        if constexpr (has_update_v<C, S>)
            dp = std::apply([&](auto const&... q) { return updated_multipliers(e.constraint, e.lambda, e.lambda + dp / scale, q...); }, poses) * scale - p;
        return dp;
    }

    // Velocity now: predicted, plus what has been displaced since.
    template <class P>
    [[nodiscard]] constexpr twist<S> twist_now(P const& p, rigid, std::uint32_t i, S const& inverse_h) const {
        auto const& b = p.bodies[i];
        return {b.twist.linear + (inverse_h * p.inverse_masses[i].linear) * pushed_[i].force, b.twist.angular + inverse_h * turn_by(p, i, pushed_[i].torque)};
    }
    template <class P>
    [[nodiscard]] constexpr particle_twist<S> twist_now(P const& p, point_mass, std::uint32_t i, S const& inverse_h) const {
        return {p.particles[i].velocity + (inverse_h * p.particle_masses[i].inverse_mass) * particle_pushed_[i]};
    }
    template <class P, class E>
    [[nodiscard]] constexpr auto twists_now(P const& p, E const& e, S const& inverse_h) const {
        using A = attachments_t<typename E::constraint_type>;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::make_tuple(twist_now(p, typename A::template kind<I>{}, e.bodies[I], inverse_h)...);
        }(std::make_index_sequence<A::size>{});
    }

    template <class P, class E, class W>
    constexpr void relax(P const& p, E& e, W& w, S const& h, S const& xi) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        if (!in_positions<C>(velocity)) return;
        if (moving_normal_v<C> || jacobian == evaluate::every_iteration) linearise(p, e, w, modified_inertia);

        S const h2 = h * h;
        auto const poses = poses_of(p, e);
        vec<S, M> r;
        if constexpr (is_holonomic_v<C, S>)
            r = std::apply([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
        else
            r = rate_of(e.constraint, poses, twists_now(p, e, S(1) / h)) * h;

        auto K = w.K;
        vec<S, M> const position_impulse = e.lambda * h2;
        if constexpr (has_compliance<C>) {
            vec<S, M> const alpha = compliance_of<S>(e.constraint) / h2;
            r = r + scaled_rows(alpha, position_impulse);
            if constexpr (has_damping<C>) {
                vec<S, M> const gamma = scaled_rows(alpha, damping_of<S>(e.constraint)) * h;
                vec<S, M> const moved = w.J * stacked_velocity<C>(twists_now(p, e, S(1) / h)) * h;
                r = r + scaled_rows(gamma, moved);
                // Each row divided by its 1 + gamma, so that the block stays symmetric.
                for (std::size_t i = 0; i < M; ++i) {
                    S const k = S(1) / (S(1) + gamma[i]);
                    r[i] = r[i] * k;
                    K(i, i) = K(i, i) + alpha[i] * k;
                }
            } else {
                for (std::size_t i = 0; i < M; ++i) K(i, i) = K(i, i) + alpha[i];
            }
        }
        r = r + position_impulse * regularization;
        for (std::size_t i = 0; i < M; ++i) residual_ = max(residual_, violation(e, poses, r, i));
        for (std::size_t i = 0; i < M; ++i) K(i, i) = K(i, i) + regularization;

        vec<S, M> const dp = impulse_of(e, w, K, r, poses, h2, xi);
        e.lambda = e.lambda + dp / h2;
        displace(p, e, w, dp, h);
    }

    // How far a row is from being satisfied: a row that pushes one way only is violated on one side.
    template <class E, class Poses, std::size_t M>
    [[nodiscard]] static constexpr S violation(E const& e, Poses const& poses, vec<S, M> const& r, std::size_t i) {
        using C = typename E::constraint_type;
        if constexpr (is_bounded_v<C, S>) {
            auto const limits = std::apply([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
            S const can_push_up = select(e.lambda[i] < limits.upper[i], max(-r[i], S(0)), S(0));
            S const can_push_down = select(limits.lower[i] < e.lambda[i], max(r[i], S(0)), S(0));
            return max(can_push_up, can_push_down);
        } else {
            return abs(r[i]);
        }
    }

    template <std::size_t M>
    [[nodiscard]] static constexpr vec<S, M> scaled_rows(vec<S, M> const& k, vec<S, M> const& v) noexcept {
        vec<S, M> r;
        for (std::size_t i = 0; i < M; ++i) r[i] = k[i] * v[i];
        return r;
    }

    // X += W J^T dp, and the angular momentum that this displacement costs.
    template <class P, class E, class W, std::size_t M>
    constexpr void displace(P const& p, E& e, W& w, vec<S, M> const& dp, S const& h) {
        auto const f = wrenches_of(e, w.J, dp);  // kg m, kg m^2
        S const inverse_h = S(1) / h;
        for (std::size_t k = 0; k < f.size(); ++k) e.pushed.add(k, f[k], inverse_h * inverse_h);
        if (w.island != no_island) {
            std::size_t k = 0;
            std::array<vec3<S>, attachments_t<typename E::constraint_type>::size> v;
            for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) { v[k++] = twist_now(p, kind, i, inverse_h).linear; });
            balance_.add(w.island, f, v);
        }
        std::size_t k = 0;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            wrench<S> const& push = f[k++];
            if constexpr (std::same_as<decltype(kind), rigid>) {
                if (!p.masses[i].movable) return;
                auto& pose = p.bodies[i].pose;
                pose.position += p.inverse_masses[i].linear * push.force;
                pose.rotation = nudged(pose.rotation, turn_by(p, i, push.torque));
                pushed_[i] += push;
            } else {
                if (!p.particle_masses[i].movable) return;
                p.particles[i].position += p.particle_masses[i].inverse_mass * push.force;
                particle_pushed_[i] += push.force;
            }
        });
    }

    // Momenta grow by J^T dp / h; the spin is then divided by the inertia of the new pose.
    template <class P>
    constexpr void update_velocities(P const& p, S const& h) {
        S const inverse_h = S(1) / h;
        for (std::size_t i = 0; i < p.bodies.size(); ++i) {
            if (!p.masses[i].movable) continue;
            auto& b = p.bodies[i];
            b.twist.linear += (inverse_h * p.masses[i].inverse_mass) * pushed_[i].force;
            vec3<S> const spin = spin_[i] + inverse_h * pushed_[i].torque;
            b.twist.angular = b.pose.direction(p.masses[i].inverse_inertia * b.pose.local_direction(spin));
        }
        for (std::size_t i = 0; i < p.particles.size(); ++i)
            if (p.particle_masses[i].movable) p.particles[i].velocity += (inverse_h * p.particle_masses[i].inverse_mass) * particle_pushed_[i];
        if (conserve_angular_momentum) balance_.give_back(p);
    }

    // Velocity-level constraints on velocities alone; the multipliers are impulses over h.
    template <class P>
    constexpr void solve_velocities(P const& p, S const& h) {
        p.update_inverse_masses();
        for (int k = 0; k < velocity_iterations; ++k)
            p.for_each_type([&](auto entries, auto t) {
                using C = typename decltype(entries)::value_type::constraint_type;
                if constexpr (!is_holonomic_v<C, S>)
                    for (std::size_t i = 0; i < entries.size(); ++i) {
                        auto& e = entries[i];
                        auto& w = std::get<t>(work_)[i];
                        if (k == 0) {
                            linearise(p, e, w, false);
                            e.lambda = vec<S, rows_v<C>>{};
                        }
                        relax_velocity(p, e, w, h);
                    }
            });
    }
    template <class P, class E, class W>
    constexpr void relax_velocity(P const& p, E& e, W const& w, S const& h) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        auto const poses = poses_of(p, e);
        vec<S, M> const r = rate_of(e.constraint, poses, twists_of(p, e));
        vec<S, M> const impulse = impulse_of(e, w, w.K, r, poses, h, relaxation);
        e.lambda = e.lambda + impulse / h;
        auto const f = wrenches_of(e, w.J, impulse);
        for (std::size_t i = 0; i < f.size(); ++i) e.pushed.add(i, f[i], S(1) / h);
        std::size_t k = 0;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            wrench<S> const& push = f[k++];
            if constexpr (std::same_as<decltype(kind), rigid>) {
                if (!p.masses[i].movable) return;
                p.bodies[i].twist.linear += p.inverse_masses[i].linear * push.force;
                p.bodies[i].twist.angular += p.inverse_masses[i].angular * push.torque;
            } else if (p.particle_masses[i].movable) {
                p.particles[i].velocity += p.particle_masses[i].inverse_mass * push.force;
            }
        });
    }

    template <class Tuple>
    struct works_of;
    template <class... Cs>
    struct works_of<std::tuple<Cs...>> {
        using type = std::tuple<work_array<Cs>...>;
    };

    // The sums of J^T dp, apart from the positions: a difference of positions would lose digits far from the origin.
    typename Env::template array<wrench<S>, Env::limits.bodies + 1> pushed_;
    typename Env::template array<vec3<S>, Env::limits.particles> particle_pushed_;
    typename Env::template array<vec3<S>, Env::limits.bodies + 1> spin_;               // R I omega
    typename Env::template array<mat3<S>, Env::limits.bodies + 1> inverse_modified_;  // I~^-1, where asked for
    angular_momentum_balance<Env> balance_;
    typename works_of<typename Env::constraint_types>::type work_;
    S residual_{};
};

}  // namespace sinew::inline v0

// ---- sinew/solver/solver.hpp
// The solver concept: what a strategy must offer to be named as `using solver = ...` in a config.
//
// A solver is a struct with a member template strategy<Env>, a regular value that world::step calls at its level:
//
//   acceleration   solve(p, forces, particle_forces)    inside every derivative: adds the constraint forces to the applied ones
//   velocity       solve(p, h)                          on velocities, after the forces and before the bodies move by h
//                  relax(p, h)                          optional: on velocities, after the bodies have moved by h
//                  finish(p, h)                         optional: once after the last substep; h is the whole step
//   position       solve(p, h)                          on the states that the integrator predicts; sets velocities to match
//
// Optional at every level:
//   substeps            the step is taken in as many equal parts
//   project(p, h)       at acceleration and velocity level: after the bodies have moved, puts them back onto the constraints
//   fault()             why its tuning numbers cannot be
//   abilities           solver_abilities: what it can honour; everything unless it says otherwise
//   operator==          over its tuning numbers
//   memory_per_row      static constexpr, of the solver itself: numbers per row that must survive with the world's state

namespace sinew::inline v0 {

template <class T>
concept has_level = requires {
    { T::level } -> std::convertible_to<solver_level>;
};

/// Solves a problem at the acceleration level: adds constraint forces to the applied forces.
template <class T, class P, class S>
concept solves_accelerations = requires(T t, P const& p, std::span<wrench<S>> f, std::span<vec3<S>> g) {
    { t.solve(p, f, g) } -> std::same_as<solve_report<S>>;
};
/// Solves a problem at the velocity or position level, in place, for a step of h seconds.
template <class T, class P, class S>
concept solves_steps = requires(T t, P const& p, S h) {
    { t.solve(p, h) } -> std::same_as<solve_report<S>>;
};

namespace detail {
template <class T>
[[nodiscard]] constexpr solver_abilities abilities_of() noexcept {
    if constexpr (requires {
                      { T::abilities } -> std::convertible_to<solver_abilities>;
                  })
        return T::abilities;
    else
        return {};
}
}  // namespace detail

/// Whether strategy T can honour constraint C over scalar S.
template <class T, class C, class S>
inline constexpr bool honours_v = (detail::abilities_of<T>().bounds || !is_bounded_v<C, S>) && (detail::abilities_of<T>().update_rules || !has_update_v<C, S>) &&
                                  (detail::abilities_of<T>().moving_normals || !moving_normal_v<C>) &&
                                  (detail::abilities_of<T>().soft_rates || is_holonomic_v<C, S> || !has_compliance<C>);

/// A strategy that can solve problem P over scalar S.
template <class T, class P, class S>
concept solver_for = has_level<T> && (T::level == solver_level::acceleration ? solves_accelerations<T, P, S> : solves_steps<T, P, S>);

}  // namespace sinew::inline v0

// ---- sinew/world/config.hpp
// The configuration of a world: policies chosen at compile time. Derive from default_config and override what differs.

namespace sinew::inline v0 {

/// State variables of the equations of motion: momenta (Vondrak 2005, eq. 5.18) or velocities (eq. 5.22).
enum class motion_form : unsigned char { momentum, velocity };

/// How omega x I omega is integrated in the free motion of a symplectic Euler step (Waterson 2026, 4.1).
enum class gyroscopic_term : unsigned char {
    conserving,         ///< implicit midpoint: keeps energy and angular momentum of a free body, at any step
    explicit_euler,     ///< eq. 4.4: gains energy
    none,               ///< omega is constant: what many games do
};

namespace detail {
template <bool HasExceptions>
struct basic_default_config {
    using scalar = float;                                        ///< what everything is computed in
    template <class S>
    using rotation = quaternion<S>;                              ///< quaternion, rotation_matrix, rotation_vector
    using integrator = symplectic_euler;                         ///< free motion, or all motion under an acceleration-level solver
    using solver = nonlinear_gauss_seidel;                       ///< the strategy for constraints
    using storage = dynamic_storage;                             ///< or static_storage<...>: no heap
    using errors = typename default_errors<HasExceptions>::type; ///< what a refused input does
    static constexpr motion_form form = motion_form::momentum;   ///< of integrators other than symplectic Euler
};
}  // namespace detail

/// A game's choices: float, quaternions, symplectic Euler, Gauss-Seidel on positions, heap storage, exceptions if the
/// compiler has them.
using default_config = detail::basic_default_config<detail::has_exceptions>;

}  // namespace sinew::inline v0

// ---- sinew/world/environment.hpp
// What the parts of one world share at compile time: its scalar, rotation, containers, and how much fits into them.

namespace sinew::inline v0 {

template <class Config, class... Cs>
struct environment {
    using scalar = typename Config::scalar;
    using rotation = typename Config::template rotation<scalar>;
    using constraint_types = std::tuple<Cs...>;
    template <class T, std::size_t N>
    using array = typename Config::storage::template array<T, N>;

    static constexpr capacities limits = Config::storage::limits;
    /// Bodies of all kinds, with the ground.
    static constexpr std::size_t max_nodes = limits.bodies + 1 + limits.particles;
    /// Numbers beside its multiplier that the solver keeps of every row from step to step.
    static constexpr std::size_t memory_per_row = [] {
        if constexpr (requires { Config::solver::memory_per_row; })
            return Config::solver::memory_per_row;
        else
            return std::size_t(0);
    }();
    /// Scalar rows of all constraints, and their parts on single bodies.
    static constexpr std::size_t all_rows = limits.constraints * (rows_v<Cs> + ... + 0);
    static constexpr std::size_t all_blocks = limits.constraints * ((rows_v<Cs> * attachments_t<Cs>::size) + ... + 0);
    static constexpr std::size_t widest = [] {
        std::size_t most = 1;
        ((most = attachments_t<Cs>::size > most ? attachments_t<Cs>::size : most), ...);
        return most;
    }();
    static constexpr std::size_t max_rows = limits.rows > 0 && limits.rows < all_rows ? limits.rows : all_rows;
    static constexpr std::size_t max_blocks = max_rows * widest < all_blocks ? max_rows * widest : all_blocks;
    /// Numbers in the state vector of the equations of motion.
    static constexpr std::size_t max_state = limits.bodies * (9 + rotation::dimension) + limits.particles * 6;
};

}  // namespace sinew::inline v0

// ---- sinew/world/free_motion.hpp
// Free motion of one body over a step: a kick by the applied wrench, then a drift without forces.
//
// The drift of a rotating body solves Euler's equations by an implicit midpoint with a scaled step,
//
//   I (w1 - w0) = k h (I wm) x wm,   wm = (w0 + w1) / 2,   R1 = R0 cay(k h [wm]x)       (body frame)
//
// For any factor k the energy w . I w / 2 is kept, since wm . ((I wm) x wm) = 0; and the first equation is
// I w1 = cay(k h [wm]x)^T I w0, so R1 I w1 = R0 I w0: the angular momentum is kept as a vector. k = tan(a) / a with
// a = h |w0| / 2 makes the rotation about a fixed axis exact, since cay turns by 2 atan(k h |w| / 2).

namespace sinew::inline v0 {

namespace detail {

// tan(a) / a as a function of a^2; held at its value for a = 1.2, where cay already turns by 137 degrees a step.
template <class S>
[[nodiscard]] constexpr S tangent_quotient_of_square(S const& a2) noexcept {
    auto const small = a2 < S(value_type_t<S>(0.0625));
    return either(
        small,
        [&] {
            constexpr long double k[] = {1.0L, 1.0L / 3, 2.0L / 15, 17.0L / 315, 62.0L / 2835, 1382.0L / 155925, 21844.0L / 6081075,
                                         929569.0L / 638512875, 6404582.0L / 10854718875.0L, 443861162.0L / 1856156927625.0L};
            return polynomial(k, a2);
        },
        [&] {
            S const a = sqrt(min(select(small, S(1), a2), S(value_type_t<S>(1.44))));
            return sin(a) / (cos(a) * a);
        });
}

// One implicit midpoint step of the rotation; false, and nothing changed, if Newton does not converge.
template <class S, class R>
[[nodiscard]] constexpr bool rotate_freely(rigid_state<S, R>& b, rigid_mass<S> const& m, S const& h) noexcept {
    vec3<S> const w0 = b.pose.local_direction(b.twist.angular);
    vec3<S> const spin = m.inertia * w0, momentum = b.pose.direction(spin);
    mat3<S> const inertia = to_mat(m.inertia);
    S const turn2 = squared_norm(w0) * (h * h);
    S const k = h * tangent_quotient_of_square(turn2 / S(4));
    // Newton's method: F(w1) = I (w1 - w0) - k (I wm) x wm, from the explicit step where that is near. Three steps reach rounding
    // for |w| h up to about 1.
    vec3<S> w1 = w0 + m.inverse_inertia * (cross(spin, w0) * select(turn2 < S(1), k, S(0)));
    bool converged = false;
    for (int i = 0; i < 10 && !converged; ++i) {
        vec3<S> const wm = (w0 + w1) / S(2);
        vec3<S> const Iwm = m.inertia * wm;
        vec3<S> const F = m.inertia * (w1 - w0) - k * cross(Iwm, wm);
        converged = all(squared_norm(F) <= squared_norm(Iwm) * (S(4) * epsilon_v<S> * epsilon_v<S>));
        if (!converged) w1 -= solve(inertia - (k / S(2)) * (skew(Iwm) - skew(wm) * inertia), F);
    }
    if (!converged) return false;
    b.pose.rotation = nudged(b.pose.rotation, b.pose.direction((w0 + w1) * (k / S(2))));
    b.twist.angular = b.pose.direction(m.inverse_inertia * b.pose.local_direction(momentum));
    return true;
}

}  // namespace detail

/// Changes the twist by a wrench (N, N m) over h seconds.
template <class S, class R>
constexpr void kick(rigid_state<S, R>& b, rigid_mass<S> const& m, wrench<S> const& w, S const& h) noexcept {
    b.twist.linear += w.force * (m.inverse_mass * h);
    b.twist.angular += b.pose.direction(m.inverse_inertia * b.pose.local_direction(w.torque)) * h;
}

/// Moves a body without forces for h seconds. Angular momentum is kept to rounding with the implicit midpoint.
template <class S, class R>
constexpr void drift(rigid_state<S, R>& b, rigid_mass<S> const& m, S const& h, gyroscopic_term gyroscopic) noexcept {
    b.pose.position += b.twist.linear * h;
    if (!m.movable || gyroscopic != gyroscopic_term::conserving) {
        if (m.movable && gyroscopic == gyroscopic_term::explicit_euler) {
            vec3<S> const w0 = b.pose.local_direction(b.twist.angular);
            b.twist.angular = b.pose.direction(w0 + m.inverse_inertia * cross(m.inertia * w0, w0) * h);
        }
        b.pose.rotation = turned(b.pose.rotation, b.twist.angular * h);
        return;
    }
    // Steps that turn by more than about two radians have no solution, or none that Newton finds: those are taken in parts.
    S rest = h, part = h;
    for (int i = 0; i < 4096 && any(rest > S(0)); ++i) {
        if (detail::rotate_freely(b, m, min(part, rest)))
            rest = rest - min(part, rest);
        else
            part = part / S(2);
    }
}

}  // namespace sinew::inline v0

// ---- sinew/world/pool.hpp
// Slots behind handles. A dense pool keeps its values side by side for the loops and moves the last one into a gap; a
// stable pool leaves values where they are, so that others may refer to them by index.

namespace sinew::inline v0 {

/// Where a handle leads, how often the slot has been reused, and, when free, the next free slot.
struct slot {
    std::uint32_t at = 0;
    std::uint32_t generation = 0;
    bool alive = false;
    [[nodiscard]] friend constexpr bool operator==(slot const&, slot const&) = default;
};

/// The free list over an array of slots.
template <class Array>
class slot_list {
public:
    [[nodiscard]] constexpr bool full() const noexcept { return free_ == none && is_full(slots_); }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return slots_.size(); }
    [[nodiscard]] constexpr std::size_t alive() const noexcept { return alive_; }
    [[nodiscard]] constexpr slot const& operator[](std::size_t i) const noexcept { return slots_[i]; }
    [[nodiscard]] constexpr slot& operator[](std::size_t i) noexcept { return slots_[i]; }

    /// Index of a slot now in use, leading to `at`.
    constexpr std::uint32_t take(std::uint32_t at) {
        ++alive_;
        if (free_ != none) {
            std::uint32_t const i = free_;
            free_ = slots_[i].at;
            slots_[i].at = at;
            slots_[i].alive = true;
            return i;
        }
        slots_.push_back({at, 0, true});
        return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    /// The slot that the next take() will use, were it to grow the array: its size.
    [[nodiscard]] constexpr std::uint32_t next() const noexcept { return free_ != none ? free_ : static_cast<std::uint32_t>(slots_.size()); }
    constexpr void release(std::uint32_t i) noexcept {
        --alive_;
        slots_[i].alive = false;
        ++slots_[i].generation;
        slots_[i].at = free_;
        free_ = i;
    }
    [[nodiscard]] friend constexpr bool operator==(slot_list const&, slot_list const&) = default;

private:
    static constexpr std::uint32_t none = 0xffffffffu;
    Array slots_{};
    std::uint32_t free_ = none;
    std::uint32_t alive_ = 0;
};

/// Values of T side by side, named by handles; a second array Side of the same length holds what loops do not need.
template <class T, class Side, class Storage, std::size_t N>
class dense_pool {
public:
    [[nodiscard]] constexpr bool full() const noexcept { return is_full(values_); }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return values_.size(); }
    [[nodiscard]] constexpr auto& values() noexcept { return values_; }
    [[nodiscard]] constexpr auto const& values() const noexcept { return values_; }
    [[nodiscard]] constexpr Side& side(std::size_t dense) noexcept { return sides_[dense]; }
    [[nodiscard]] constexpr Side const& side(std::size_t dense) const noexcept { return sides_[dense]; }
    [[nodiscard]] constexpr slot_list<typename Storage::template array<slot, N>> const& slots() const noexcept { return slots_; }
    [[nodiscard]] constexpr T& at_slot(std::uint32_t i) noexcept { return values_[slots_[i].at]; }
    [[nodiscard]] constexpr T const& at_slot(std::uint32_t i) const noexcept { return values_[slots_[i].at]; }
    [[nodiscard]] constexpr std::uint32_t slot_at(std::size_t dense) const noexcept { return slot_of_[dense]; }

    /// Slot of the new value.
    constexpr std::uint32_t add(T const& value, Side const& side) {
        std::uint32_t const s = slots_.take(static_cast<std::uint32_t>(values_.size()));
        values_.push_back(value);
        sides_.push_back(side);
        slot_of_.push_back(s);
        return s;
    }
    constexpr void remove_slot(std::uint32_t s) { remove_at(slots_[s].at); }
    constexpr void remove_at(std::size_t dense) {
        std::uint32_t const s = slot_of_[dense];
        std::size_t const last = values_.size() - 1;
        if (dense != last) {
            values_[dense] = values_[last];
            sides_[dense] = sides_[last];
            slot_of_[dense] = slot_of_[last];
            slots_[slot_of_[dense]].at = static_cast<std::uint32_t>(dense);
        }
        values_.pop_back();
        sides_.pop_back();
        slot_of_.pop_back();
        slots_.release(s);
    }
    [[nodiscard]] friend constexpr bool operator==(dense_pool const&, dense_pool const&) = default;

private:
    typename Storage::template array<T, N> values_{};
    typename Storage::template array<Side, N> sides_{};
    typename Storage::template array<std::uint32_t, N> slot_of_{};
    slot_list<typename Storage::template array<slot, N>> slots_{};
};

}  // namespace sinew::inline v0

// ---- sinew/world/report.hpp
// What a step tells its caller.

namespace sinew::inline v0 {

enum class step_status : unsigned char {
    ok,
    not_finite,     ///< the step would have made the state infinite or NaN; the world kept its last good state
    invalid_step,   ///< the step length was not positive and finite; nothing was done
    not_converged,  ///< an implicit integrator did not converge; the world kept its last good state
    invalid_parameter,  ///< gravity, or a tuning number of the solver or the integrator, cannot be; nothing was done
};

/// Outcome of world::step.
template <class S>
struct step_report {
    step_status status = step_status::ok;
    int iterations = 0;       ///< solver sweeps, summed over substeps or stages
    S residual{};             ///< largest constraint error met in the last sweep (m, rad, or a rate)
    bool full_rank = true;    ///< false when constraints were redundant
    std::size_t broken = 0;   ///< constraints removed because they exceeded their break threshold
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return status == step_status::ok; }
};

}  // namespace sinew::inline v0

// ---- sinew/world/requirements.hpp
// What a world asks of its config and of its list, checked before anything else of it is compiled: one sentence each.

namespace sinew::inline v0 {

// The atoms of a config.

/// Names a scalar.
template <class Config>
concept has_config_scalar = requires { requires scalar<typename Config::scalar>; };
/// Names a template over the scalar that represents a rotation.
template <class Config>
concept has_config_rotation = has_config_scalar<Config> && requires { requires rotation_like<typename Config::template rotation<typename Config::scalar>>; };
/// Names a storage: the kind of its arrays, and how much fits into them.
template <class Config>
concept has_config_storage = requires {
    { Config::storage::is_static } -> std::convertible_to<bool>;
    { Config::storage::limits } -> std::convertible_to<capacities>;
    typename Config::storage::template array<typename Config::scalar, 1>;
};
/// Names an integrator, with a workspace over the storage's arrays.
template <class Config>
concept has_config_integrator = has_config_storage<Config> && has_order<typename Config::integrator> && has_buffers<typename Config::integrator> && requires {
    typename Config::integrator::template workspace<typename Config::storage::template array<typename Config::scalar, 1>>;
};

namespace detail {
template <template <class> class Strategy>
struct strategy_template {};
}  // namespace detail

/// Names a solver, which has a strategy over the world's environment.
template <class Config>
concept has_config_solver = requires { typename detail::strategy_template<Config::solver::template strategy>; };
/// Names what a refused input does.
template <class Config>
concept has_config_errors = requires(error const& e) { Config::errors::fail(e); };
/// Says which state variables the equations of motion have.
template <class Config>
concept has_config_form = requires {
    { Config::form } -> std::convertible_to<motion_form>;
};

/// All that a world needs to know before it knows its constraints.
template <class Config>
concept world_config = has_config_scalar<Config> && has_config_rotation<Config> && has_config_storage<Config> && has_config_integrator<Config> &&
                       has_config_solver<Config> && has_config_errors<Config> && has_config_form<Config>;

/// Turns a missing part of a config into one sentence.
template <class Config>
constexpr void check_config() noexcept {
    static_assert(std::is_class_v<Config>, "sinew: the first argument of sinew::world is its config: sinew::default_config, or a struct derived from it.");
    if constexpr (std::is_class_v<Config>) {
        static_assert(has_config_scalar<Config>,
                      "sinew: this config's `scalar` is no number that sinew can compute with; say `using scalar = float;`, double or long double, or a type that "
                      "satisfies sinew::scalar.");
        static_assert(has_config_errors<Config>,
                      "sinew: this config's `errors` is no error policy; say `using errors = sinew::throw_errors;`, sinew::null_errors or "
                      "sinew::call_errors<F>, or a type with `static void fail(sinew::error const&)`.");
        static_assert(has_config_form<Config>, "sinew: this config's `form` is no sinew::motion_form: momentum or velocity.");
        static_assert(has_config_storage<Config>,
                      "sinew: this config's `storage` is no storage; say `using storage = sinew::dynamic_storage;` or `using storage = "
                      "sinew::static_storage<sinew::capacities{.bodies = 16, .constraints = 32}>;`.");
        static_assert(has_config_solver<Config>,
                      "sinew: this config's `solver` is no solver; say `using solver = sinew::nonlinear_gauss_seidel;` or "
                      "sinew::lagrange_multipliers<sinew::cholesky>, or a type with a member template `strategy<Env>`.");
        if constexpr (has_config_scalar<Config>)
            static_assert(has_config_rotation<Config>,
                          "sinew: this config's `rotation` represents no rotation; say `template <class S> using rotation = sinew::quaternion<S>;`, "
                          "sinew::rotation_matrix<S> or sinew::rotation_vector<S>, or a template that satisfies sinew::rotation_like.");
        if constexpr (has_config_scalar<Config> && has_config_storage<Config>)
            static_assert(has_config_integrator<Config>,
                          "sinew: this config's `integrator` is no integrator; say `using integrator = sinew::symplectic_euler;`, sinew::rk4 or another of "
                          "sinew/ode, or a type with `order`, `buffers`, `attempt`, `workspace` and `step` like those.");
    }
}

/// A type of the list must be a constraint or a force; which one it was meant to be shows in what it has.
template <class T, class S>
constexpr void check_item() noexcept {
    if constexpr (!force_for<T, S>) {
        if constexpr (meant_as_force<T>)
            check_force<T, S>();
        else
            check_constraint<T, S>();
        if constexpr (constraint_for<T, S>) check_members<T, S>();
    }
}

/// Room for what is listed.
template <class Storage, std::size_t Constraints, std::size_t Forces>
constexpr void check_capacities() noexcept {
    if constexpr (Storage::is_static) {
        constexpr capacities limits = Storage::limits;
        static_assert(limits.bodies + limits.particles > 0,
                      "sinew: this static_storage has no capacities; say how many, as in sinew::static_storage<sinew::capacities{.bodies = 16, .constraints = "
                      "32}>.");
        static_assert(limits.bodies + limits.particles == 0 || Constraints == 0 || limits.constraints > 0,
                      "sinew: the world lists constraints, but its static_storage has room for none; say how many of each type: "
                      "sinew::capacities{.constraints = 32}.");
        static_assert(limits.bodies + limits.particles == 0 || Forces == 0 || limits.forces > 0,
                      "sinew: the world lists forces, but its static_storage has room for none; say how many of each type: sinew::capacities{.forces = 4}.");
    }
}

/// Whether a solver can honour a constraint: one sentence for each thing that it may be unable to do.
template <class Strategy, class C, class S>
constexpr void check_honoured() noexcept {
    constexpr solver_abilities can = detail::abilities_of<Strategy>();
    static_assert(can.bounds || !is_bounded_v<C, S>,
                  "sinew: this solver cannot honour one of the world's constraints: it solves equalities only, and the constraint bounds its multipliers "
                  "(it has limits). Choose lagrange_multipliers<dantzig>, or an iterative solver such as nonlinear_gauss_seidel, or take the constraint off the list.");
    static_assert(can.update_rules || !has_update_v<C, S>,
                  "sinew: this solver cannot honour one of the world's constraints: the constraint has an update rule of its own for its multipliers, which only an "
                  "iterative solver such as nonlinear_gauss_seidel can follow. Choose one, or take the constraint off the list.");
    static_assert(can.moving_normals || !moving_normal_v<C>,
                  "sinew: this solver cannot honour one of the world's constraints: it takes the Jacobian at the start of the step, and the constraint's Jacobian "
                  "vanishes where it holds (moving_normal). Take point_to_point and parallel_axes instead, or a position-level solver such as nonlinear_gauss_seidel.");
    static_assert(can.soft_rates || is_holonomic_v<C, S> || !has_compliance<C>,
                  "sinew: this solver cannot honour one of the world's constraints: the constraint is soft at velocity level, a friction force that acceleration-level "
                  "multipliers do not know. Make it a force, or choose a solver such as nonlinear_gauss_seidel.");
}

namespace detail {

template <class T, class... All>
inline constexpr std::size_t times_listed = (static_cast<std::size_t>(std::is_same_v<T, All>) + ... + 0);

// All that can be said before the world's environment is made of the list.
template <class Config, template <class> class... Items>
[[nodiscard]] constexpr bool check_world() noexcept {
    check_config<Config>();
    if constexpr (world_config<Config>) {
        using S = typename Config::scalar;
        (check_item<Items<S>, S>(), ...);
        static_assert(((times_listed<Items<S>, Items<S>...> == 1) && ...),
                      "sinew: the world lists one type twice, perhaps under two names (ball_joint is point_to_point); list it once.");
        check_capacities<typename Config::storage, ((force_for<Items<S>, S> ? 0 : 1) + ... + 0), ((force_for<Items<S>, S> ? 1 : 0) + ... + 0)>();
    }
    return true;
}
// And with it.
template <class Strategy, class Problem, class S, class... Cs>
[[nodiscard]] constexpr bool check_strategy() noexcept {
    static_assert(solver_for<Strategy, Problem, S>,
                  "sinew: this config's `solver` has a strategy without `level`, or whose `solve` does not take what is solved at that level and return a "
                  "sinew::solve_report; see sinew/solver/solver.hpp.");
    (check_honoured<Strategy, Cs, S>(), ...);
    return true;
}

}  // namespace detail

}  // namespace sinew::inline v0

// ---- sinew/world/validate.hpp
// Checks of input where it enters a world. Each returns an error, or one without a code if all is well.

namespace sinew::inline v0 {

namespace detail {

template <class S>
[[nodiscard]] constexpr double as_double(S const& x) noexcept {
    if constexpr (std::convertible_to<value_type_t<S>, double> && requires { value(x); })
        return static_cast<double>(value(x));
    else
        return 0;
}

template <class S>
[[nodiscard]] constexpr error check_finite(char const* name, S const& x) noexcept {
    if (all(isfinite(x))) return {};
    return {errc::not_finite, name, "must be finite", as_double(x), true};
}
template <class S, std::size_t N>
[[nodiscard]] constexpr error check_finite(char const* name, vec<S, N> const& v) noexcept {
    for (std::size_t i = 0; i < N; ++i)
        if (error e = check_finite(name, v[i])) return e;
    return {};
}
template <class S>
[[nodiscard]] constexpr error check_finite(char const* name, sym3<S> const& m) noexcept {
    for (S const& x : {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz})
        if (error e = check_finite(name, x)) return e;
    return {};
}
template <class S>
[[nodiscard]] constexpr error check_positive(char const* name, S const& x) noexcept {
    if (error e = check_finite(name, x)) return e;
    if (all(x > S(0))) return {};
    return {errc::not_positive, name, "must be positive", as_double(x), true};
}

// Positive semi-definite up to a tolerance: Sylvester's criterion for all principal minors.
template <class S>
[[nodiscard]] constexpr bool is_semidefinite(sym3<S> const& m, S const& scale) noexcept {
    S const t = scale * epsilon_v<S> * S(64);
    S const t2 = t * scale;
    S const t3 = t2 * scale;
    return all(m.xx >= -t) && all(m.yy >= -t) && all(m.zz >= -t) && all(m.xx * m.yy - m.xy * m.xy >= -t2) &&
           all(m.xx * m.zz - m.xz * m.xz >= -t2) && all(m.yy * m.zz - m.yz * m.yz >= -t2) && all(determinant(m) >= -t3);
}

template <class S>
[[nodiscard]] constexpr error check_mass(S const& mass) noexcept {
    if (error e = check_positive("mass", mass)) return e;
    if (all(isfinite(S(1) / mass))) return {};
    return {errc::not_positive, "mass", "must not be so small that its inverse is infinite", as_double(mass), true};
}

template <class S>
[[nodiscard]] constexpr error inertia_error(char const* requirement, [[maybe_unused]] sym3<S> const& I, [[maybe_unused]] bool excess) noexcept {
    if constexpr (has_plain_value<S>) {
        auto const moments = principal_moments(I);
        return {errc::invalid_inertia, "inertia", requirement, static_cast<double>(excess ? moments[2] - moments[1] - moments[0] : moments[0]), true};
    } else {
        return {errc::invalid_inertia, "inertia", requirement, 0, false};
    }
}

// An inertia that a body can have: positive definite, and no principal moment above the sum of the other two. The
// latter says that the second moment of mass, tr(I)/2 1 - I, is semi-definite.
template <class S>
[[nodiscard]] constexpr error check_inertia(sym3<S> const& I) noexcept {
    if (error e = check_finite("inertia", I)) return e;
    // Scaled, for the determinant of a small body's inertia is too small a number.
    sym3<S> const m = (S(1) / max(max(abs(I.xx), abs(I.yy)), abs(I.zz))) * I;
    bool const positive = all(m.xx > S(0)) && all(m.xx * m.yy - m.xy * m.xy > S(0)) && all(determinant(m) > S(0));
    if (!positive) return inertia_error("must be positive definite; its smallest principal moment", I, false);
    S const trace = m.xx + m.yy + m.zz;
    S const half = trace / S(2);
    if (!is_semidefinite(sym3<S>{half - m.xx, half - m.yy, half - m.zz, -m.xy, -m.xz, -m.yz}, trace))
        return inertia_error("cannot be that of a body: no principal moment may exceed the sum of the other two; the excess", I, true);
    sym3<S> const i = inverse(I);
    if (!(all(isfinite(i.xx)) && all(isfinite(i.yy)) && all(isfinite(i.zz))))
        return inertia_error("must not be so small that its inverse is infinite; its smallest principal moment", I, false);
    return {};
}

template <class R>
[[nodiscard]] constexpr error check_rotation(R const& r) noexcept {
    using S = typename R::scalar_type;
    for (std::size_t i = 0; i < R::dimension; ++i)
        if (error e = check_finite("rotation", r.coordinate(i))) return e;
    S const off = deviation(r);
    if (all(off <= sqrt(epsilon_v<S>))) return {};
    return {errc::not_a_rotation, "rotation", "must be a rotation (unit quaternion, orthonormal matrix, |vector| <= pi); its deviation", as_double(off), true};
}

template <class S, class R>
[[nodiscard]] constexpr error check_pose(pose<S, R> const& p) noexcept {
    if (error e = check_finite("position", p.position)) return e;
    return check_rotation(p.rotation);
}
template <class S>
[[nodiscard]] constexpr error check_twist(twist<S> const& t) noexcept {
    if (error e = check_finite("linear velocity", t.linear)) return e;
    return check_finite("angular velocity", t.angular);
}

[[nodiscard]] constexpr error as_error(input_fault const& f) noexcept {
    if (f.name == nullptr) return {};
    return {isfinite(f.value) ? errc::invalid_parameter : errc::not_finite, f.name, f.requirement, f.value, true};
}
template <class T>
[[nodiscard]] constexpr error check_fault([[maybe_unused]] T const& t) noexcept {
    if constexpr (requires { t.fault(); })
        return as_error(t.fault());
    else
        return {};
}

}  // namespace detail

}  // namespace sinew::inline v0

// ---- sinew/world/world_state.hpp
// The dynamic part of a world alone, for rollback: poses, twists, multipliers and time.

namespace sinew::inline v0 {

/// Taken by world::save, put back by world::restore; stepping on from it gives the same bits. It holds neither masses
/// nor constraints, so it fits only the world it was saved from, or a copy,
/// as long as nothing is added or removed.
template <class Env>
struct world_state {
    using S = typename Env::scalar;
    using R = typename Env::rotation;

    typename Env::template array<rigid_state<S, R>, Env::limits.bodies + 1> bodies{};
    typename Env::template array<particle_state<S>, Env::limits.particles> particles{};
    typename Env::template array<S, Env::max_rows * (1 + Env::memory_per_row)> multipliers{};
    S time{};
    S time_carry{};             // what `time` lost to rounding
    std::uint32_t contents = 0;  // which bodies and constraints the world had

    [[nodiscard]] friend constexpr bool operator==(world_state const&, world_state const&) = default;
};

}  // namespace sinew::inline v0

// ---- sinew/world/container.hpp
// The class behind world.hpp: what a world holds, and what it offers. How it steps stands in step.hpp.
//
//   sinew::world<my_config, sinew::ball_joint, my_rod, sinew::spring> world;
//
// The list after the config names the templates of the constraints and forces that it may hold: one contiguous pool
// per type, loops over the pools unrolled at compile time. A world is a regular value: a copy is a snapshot, assigning
// it back is a rollback, == compares, and stepping a copy gives the same bits.

namespace sinew::inline v0 {

namespace detail {

// Types of the list that are constraints, or forces, in their order.
template <template <class, class> class Keep, class S, class... Ts>
using kept_t = decltype(std::tuple_cat(std::declval<std::conditional_t<Keep<Ts, S>::value, std::tuple<std::type_identity<Ts>>, std::tuple<>>>()...));

template <class T, class S>
struct keep_force : std::bool_constant<force_for<T, S>> {};
template <class T, class S>
struct keep_constraint : std::bool_constant<!force_for<T, S>> {};

template <class Config, class Tuple>
struct environment_of;
template <class Config, class... Ts>
struct environment_of<Config, std::tuple<std::type_identity<Ts>...>> {
    using type = environment<Config, Ts...>;
};

template <class T, class Tuple>
struct index_of;
template <class T, class... Ts>
struct index_of<T, std::tuple<T, Ts...>> : std::integral_constant<std::size_t, 0> {};
template <class T, class U, class... Ts>
struct index_of<T, std::tuple<U, Ts...>> : std::integral_constant<std::size_t, 1 + index_of<T, std::tuple<Ts...>>::value> {};
template <class T>
struct index_of<T, std::tuple<>> : std::integral_constant<std::size_t, 0> {};

template <class S>
struct break_limit {
    S force = infinity_v<S>;
    S torque = infinity_v<S>;
    bool exceeded = false;
    [[nodiscard]] friend constexpr bool operator==(break_limit const&, break_limit const&) = default;
};
struct no_side {
    [[nodiscard]] friend constexpr bool operator==(no_side const&, no_side const&) = default;
};

template <class T>
inline constexpr bool is_body_v = false;
template <class S, class R>
inline constexpr bool is_body_v<rigid_body<S, R>> = true;
template <class S>
inline constexpr bool is_body_v<particle<S>> = true;

// Bodies that a force acts between, or none for a force on everything.
template <class F>
struct force_arity : std::integral_constant<std::size_t, 0> {};
template <class F>
    requires requires { typename F::attachments; }
struct force_arity<F> : std::integral_constant<std::size_t, F::attachments::size> {};

// Whether handles have the kinds of an attachment list.
template <class A, class Handles>
struct binds_kinds : std::false_type {};
template <class... K, class... T>
struct binds_kinds<binds<K...>, std::tuple<handle<T>...>> : std::is_same<std::tuple<K...>, std::tuple<T...>> {};

// Where bodies were, or would be, within one step.
template <class Env>
struct moving_states {
    typename Env::template array<rigid_state<typename Env::scalar, typename Env::rotation>, Env::limits.bodies + 1> bodies{};
    typename Env::template array<particle_state<typename Env::scalar>, Env::limits.particles> particles{};
};

template <class F>
struct force_entry {
    F force{};
    std::array<std::uint32_t, force_arity<F>::value> bodies{};
    [[nodiscard]] friend constexpr bool operator==(force_entry const& a, force_entry const& b) {
        if constexpr (std::equality_comparable<F>) {
            if (!(a.force == b.force)) return false;
        }
        return a.bodies == b.bodies;
    }
};

}  // namespace detail

/// Config: see config.hpp. Items: templates over the scalar, each a constraint or a force.
template <class Config, template <class> class... Items>
class world {
    static_assert(detail::check_world<Config, Items...>());

public:
    using config = Config;
    using scalar_type = typename Config::scalar;
    using rotation_type = typename Config::template rotation<scalar_type>;
    using S = scalar_type;
    using R = rotation_type;
    using env = typename detail::environment_of<Config, detail::kept_t<detail::keep_constraint, S, Items<S>...>>::type;
    using force_types = detail::kept_t<detail::keep_force, S, Items<S>...>;
    using strategy_type = typename Config::solver::template strategy<env>;
    using body_type = rigid_body<S, R>;
    using particle_type = particle<S>;
    using pose_type = sinew::pose<S, R>;
    using body_handle = handle<rigid>;
    using particle_handle = handle<point_mass>;
    using state_type = world_state<env>;

    vec3<S> gravity{S(0), S(value_type_t<S>(-9.81)), S(0)};  ///< m/s^2, on everything
    strategy_type solver{};                                 ///< its tuning numbers: world.solver.iterations = 20
    typename Config::integrator integrator{};               ///< likewise
    gyroscopic_term gyroscopic = gyroscopic_term::conserving;

    constexpr world() {
        // Body 0 is the ground: it does not move, and anything may be bound to it.
        states_.push_back({});
        masses_.push_back({});
        inverse_masses_.push_back({});
        applied_.push_back({});
        (void)body_slots_.take(0);
    }

    // ---- bodies

    /// Adds a rigid body. Refuses a mass that is not positive, an inertia that no body can have, a rotation that is
    /// none, and anything not finite.
    constexpr body_handle add(body_type const& b) {
        if (error e = check(b)) return refuse<body_handle>(e);
        if (body_slots_.full() || (body_slots_.next() == states_.size() && is_full(states_)))
            return refuse<body_handle>(full("bodies", Config::storage::limits.bodies));
        rigid_mass<S> const m{b.mass, S(1) / b.mass, b.inertia, inverse(b.inertia), true};
        return place_body({{b.pose.position, projected(b.pose.rotation)}, b.twist}, m);
    }
    /// Adds a body that no force moves: fixed, or kinematic if it is given a twist.
    constexpr body_handle add_fixed(pose_type const& p, sinew::twist<S> const& t = {}) {
        if (error e = detail::check_pose(p)) return refuse<body_handle>(e);
        if (error e = detail::check_twist(t)) return refuse<body_handle>(e);
        if (body_slots_.full() || (body_slots_.next() == states_.size() && is_full(states_)))
            return refuse<body_handle>(full("bodies", Config::storage::limits.bodies));
        return place_body({{p.position, projected(p.rotation)}, t}, {});
    }
    /// Adds a particle.
    constexpr particle_handle add(particle_type const& b) {
        if (error e = detail::check_mass(b.mass)) return refuse<particle_handle>(e);
        if (error e = detail::check_finite("position", b.position)) return refuse<particle_handle>(e);
        if (error e = detail::check_finite("velocity", b.velocity)) return refuse<particle_handle>(e);
        return place_particle({b.position, b.velocity}, {b.mass, S(1) / b.mass, true});
    }
    /// Adds a particle that no force moves.
    constexpr particle_handle add_fixed_particle(vec3<S> const& position) {
        if (error e = detail::check_finite("position", position)) return refuse<particle_handle>(e);
        return place_particle({position, {}}, {});
    }
    /// The immovable body that stands for the world: pose identity.
    [[nodiscard]] constexpr body_handle ground() const noexcept { return {0, 0, tag_}; }

    // ---- constraints and forces

    /// Adds a constraint or a force between bodies, in the order of its attachments:
    /// world.add(ball_joint<float>{...}, a, b). A force on everything takes no bodies.
    template <class C, class... Handles>
    constexpr handle<C> add(C const& c, Handles const&... handles) {
        if constexpr (is_force<C>())
            return add_force(c, handles...);
        else
            return add_constraint(c, handles...);
    }

    // ---- removal

    /// Whether the handle's thing is still here.
    template <class T>
    [[nodiscard]] constexpr bool contains(handle<T> const& h) const noexcept {
        return check(h).code == errc::none;
    }
    /// Removes a body, with the constraints and forces bound to it.
    constexpr bool remove(body_handle const& h) {
        if (error e = check(h)) return refuse<bool>(e);
        if (h.index == 0) return refuse<bool>({errc::invalid_parameter, "ground", "cannot be removed", 0, false});
        remove_bound<rigid>(h.index);
        note(change::body_removed, h.index);
        states_[h.index] = {};
        masses_[h.index] = {};
        inverse_masses_[h.index] = {};
        applied_[h.index] = {};
        body_slots_.release(h.index);
        return true;
    }
    constexpr bool remove(particle_handle const& h) {
        if (error e = check(h)) return refuse<bool>(e);
        remove_bound<point_mass>(h.index);
        note(change::particle_removed, h.index);
        particle_states_[h.index] = {};
        particle_masses_[h.index] = {};
        particle_applied_[h.index] = {};
        particle_slots_.release(h.index);
        return true;
    }
    template <class C>
    constexpr bool remove(handle<C> const& h) {
        if (error e = check(h)) return refuse<bool>(e);
        note(change::item_removed, h.index, place_in_list<C>());
        pool_of<C>().remove_slot(h.index);
        return true;
    }

    // ---- reading and setting bodies

    [[nodiscard]] constexpr pose_type pose(body_handle const& h) const { return valid(h) ? states_[h.index].pose : pose_type{}; }
    [[nodiscard]] constexpr sinew::twist<S> twist(body_handle const& h) const { return valid(h) ? states_[h.index].twist : sinew::twist<S>{}; }
    [[nodiscard]] constexpr vec3<S> position(body_handle const& h) const { return pose(h).position; }
    [[nodiscard]] constexpr vec3<S> position(particle_handle const& h) const { return valid(h) ? particle_states_[h.index].position : vec3<S>{}; }
    [[nodiscard]] constexpr vec3<S> velocity(particle_handle const& h) const { return valid(h) ? particle_states_[h.index].velocity : vec3<S>{}; }
    /// The body as it could be added again. What does not move has no mass.
    [[nodiscard]] constexpr body_type body(body_handle const& h) const {
        if (!valid(h)) return {};
        return {masses_[h.index].mass, masses_[h.index].inertia, states_[h.index].pose, states_[h.index].twist};
    }
    [[nodiscard]] constexpr particle_type body(particle_handle const& h) const {
        if (!valid(h)) return {};
        return {particle_masses_[h.index].mass, particle_states_[h.index].position, particle_states_[h.index].velocity};
    }
    [[nodiscard]] constexpr bool is_movable(body_handle const& h) const { return valid(h) && masses_[h.index].movable; }

    constexpr bool set_pose(body_handle const& h, pose_type const& p) {
        if (error e = check_settable(h)) return refuse<bool>(e);
        if (error e = detail::check_pose(p)) return refuse<bool>(e);
        states_[h.index].pose = {p.position, projected(p.rotation)};
        return true;
    }
    constexpr bool set_twist(body_handle const& h, sinew::twist<S> const& t) {
        if (error e = check_settable(h)) return refuse<bool>(e);
        if (error e = detail::check_twist(t)) return refuse<bool>(e);
        states_[h.index].twist = t;
        return true;
    }
    constexpr bool set_position(particle_handle const& h, vec3<S> const& x) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = detail::check_finite("position", x)) return refuse<bool>(e);
        particle_states_[h.index].position = x;
        return true;
    }
    constexpr bool set_velocity(particle_handle const& h, vec3<S> const& v) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = detail::check_finite("velocity", v)) return refuse<bool>(e);
        particle_states_[h.index].velocity = v;
        return true;
    }
    /// Adds a force (N, world) at a world point (m), and a torque (N m), for the coming step only.
    constexpr bool apply_force(body_handle const& h, vec3<S> const& force, vec3<S> const& point) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = detail::check_finite("force", force)) return refuse<bool>(e);
        if (error e = detail::check_finite("point", point)) return refuse<bool>(e);
        return apply(h, force_at(force, point, states_[h.index].pose.position));
    }
    constexpr bool apply_wrench(body_handle const& h, wrench<S> const& w) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = detail::check_finite("force", w.force)) return refuse<bool>(e);
        if (error e = detail::check_finite("torque", w.torque)) return refuse<bool>(e);
        return apply(h, w);
    }
    constexpr bool apply_force(particle_handle const& h, vec3<S> const& force) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = detail::check_finite("force", force)) return refuse<bool>(e);
        vec3<S> const sum = particle_applied_[h.index] + force;
        if (error e = detail::check_finite("sum of the applied forces", sum)) return refuse<bool>(e);
        particle_applied_[h.index] = sum;
        return true;
    }

    // ---- reading constraints

    /// The constraint or force itself, to read it.
    template <class C>
    [[nodiscard]] constexpr C get(handle<C> const& h) const {
        if (!valid(h)) return C{};
        if constexpr (is_force<C>())
            return pool_of<C>().at_slot(h.index).force;
        else
            return pool_of<C>().at_slot(h.index).constraint;
    }
    /// Replaces its parameters: a motor's target, a spring's stiffness.
    template <class C>
    constexpr bool set(handle<C> const& h, C const& c) {
        if (error e = check(h)) return refuse<bool>(e);
        if (error e = detail::check_fault(c)) return refuse<bool>(e);
        if constexpr (is_force<C>()) {
            auto probe = pool_of<C>().at_slot(h.index);
            probe.force = c;
            if (error e = check_action(probe)) return refuse<bool>(e);
            pool_of<C>().at_slot(h.index).force = c;
        } else {
            auto probe = pool_of<C>().at_slot(h.index);
            probe.constraint = c;
            if (error e = check_evaluation(probe)) return refuse<bool>(e);
            pool_of<C>().at_slot(h.index).constraint = c;
        }
        return true;
    }
    /// Multipliers of the last step (N, N m).
    template <class C>
    [[nodiscard]] constexpr vec<S, rows_v<C>> multipliers(handle<C> const& h) const {
        return valid(h) ? pool_of<C>().at_slot(h.index).lambda : vec<S, rows_v<C>>{};
    }
    /// Its error now (m, rad); of a velocity-level constraint, its rate.
    template <class C>
    [[nodiscard]] constexpr vec<S, rows_v<C>> error_of(handle<C> const& h) const {
        return valid(h) ? residual(pool_of<C>().at_slot(h.index)) : vec<S, rows_v<C>>{};
    }
    /// The wrench (N, N m; about the centre of mass, world frame) with which it acted on attachment i in the last step.
    template <class C>
    [[nodiscard]] constexpr wrench<S> wrench_on(handle<C> const& h, std::size_t i) const {
        if (!valid(h)) return {};
        if (i < attachments_t<C>::size) return wrench_of(pool_of<C>().at_slot(h.index), i);
        Config::errors::fail({errc::invalid_parameter, "index of an attachment", "must be below their number", static_cast<double>(i), true});
        return {};
    }
    /// Removes the constraint after a step in which its force (N) or torque (N m) on a body exceeded these.
    template <class C>
    constexpr bool set_break_threshold(handle<C> const& h, S const& force, S const& torque = infinity_v<S>) {
        static_assert(!is_force<C>(), "sinew: a force does not break; only constraints have a threshold.");
        if (error e = check(h)) return refuse<bool>(e);
        if (!all(force > S(0))) return refuse<bool>({errc::not_positive, "break force", "must be positive", detail::as_double(force), true});
        if (!all(torque > S(0))) return refuse<bool>({errc::not_positive, "break torque", "must be positive", detail::as_double(torque), true});
        pool_of<C>().side(pool_of<C>().slots()[h.index].at) = {force, torque, false};
        has_breakables_ = true;
        return true;
    }

    // ---- stepping

    /// Advances by h seconds. Allocates nothing once it has run with the present contents. A step that would yield a
    /// state that is not finite is not taken.
    constexpr step_report<S> step(S const& h);

    /// Seconds stepped so far.
    [[nodiscard]] constexpr S time() const noexcept { return time_; }

    // ---- totals

    [[nodiscard]] constexpr S kinetic_energy() const;
    /// Of gravity, of forces that know theirs, and of compliant constraints (J).
    [[nodiscard]] constexpr S potential_energy() const;
    [[nodiscard]] constexpr S energy() const { return kinetic_energy() + potential_energy(); }
    [[nodiscard]] constexpr vec3<S> linear_momentum() const;
    /// About the origin (kg m^2/s).
    [[nodiscard]] constexpr vec3<S> angular_momentum() const;
    /// Largest |error| of any hard holonomic equality row (m, rad).
    [[nodiscard]] constexpr S constraint_error() const;

    [[nodiscard]] constexpr std::size_t body_count() const noexcept { return body_slots_.alive() - 1; }
    [[nodiscard]] constexpr std::size_t particle_count() const noexcept { return particle_slots_.alive(); }
    template <class C>
    [[nodiscard]] constexpr std::size_t count() const noexcept {
        return pool_of<C>().size();
    }
    /// f(handle) for every body but the ground, and for every particle.
    template <class F>
    constexpr void for_each_body(F&& f) const {
        for (std::uint32_t i = 1; i < body_slots_.size(); ++i)
            if (body_slots_[i].alive) f(body_handle{i, body_slots_[i].generation, tag_});
    }
    template <class F>
    constexpr void for_each_particle(F&& f) const {
        for (std::uint32_t i = 0; i < particle_slots_.size(); ++i)
            if (particle_slots_[i].alive) f(particle_handle{i, particle_slots_[i].generation, tag_});
    }
    /// f(handle) for every constraint or force of type C.
    template <class C, class F>
    constexpr void for_each(F&& f) const {
        auto const& pool = pool_of<C>();
        for (std::size_t i = 0; i < pool.size(); ++i) f(handle<C>{pool.slot_at(i), pool.slots()[pool.slot_at(i)].generation, tag_});
    }

    // ---- snapshots

    /// The dynamic part alone, into a state that may be used again and again.
    constexpr void save(state_type& s) const;
    [[nodiscard]] constexpr state_type save() const {
        state_type s;
        save(s);
        return s;
    }
    /// Puts a saved state back. Refused if the numbers of bodies, particles or rows are not the same.
    constexpr bool restore(state_type const& s);

    /// Bodies, constraints, forces, multipliers, time, pending forces and tuning numbers are the same: stepped alike, both go
    /// on alike. Needs == of every type in the list.
    [[nodiscard]] friend constexpr bool operator==(world const& a, world const& b) {
        static_assert(pools::all_comparable && fpools::all_comparable,
                      "sinew: worlds can be compared only if every constraint and force in the list can; give yours "
                      "`friend constexpr bool operator==(my_type const&, my_type const&) = default;`.");
        return a.gravity == b.gravity && a.states_ == b.states_ && a.masses_ == b.masses_ && a.body_slots_ == b.body_slots_ &&
               a.particle_states_ == b.particle_states_ && a.particle_masses_ == b.particle_masses_ && a.particle_slots_ == b.particle_slots_ &&
               a.constraints_ == b.constraints_ && a.forces_ == b.forces_ && a.applied_ == b.applied_ && a.particle_applied_ == b.particle_applied_ &&
               a.time_ == b.time_ && a.time_carry_ == b.time_carry_ && a.gyroscopic == b.gyroscopic && same(a.solver, b.solver) &&
               same(a.integrator, b.integrator);
    }

    /// Why the last refused change was refused. Reading by a dead handle changes nothing, so it leaves no reason here: contains()
    /// tells.
    [[nodiscard]] constexpr error const& last_error() const noexcept { return last_error_; }

    /// The problem that a solver sees, for diagnostics and tests.
    [[nodiscard]] constexpr auto make_problem();

private:
    static constexpr bool is_symplectic = std::same_as<typename Config::integrator, symplectic_euler>;
    static constexpr bool keeps_start = strategy_type::level == solver_level::velocity && !is_symplectic;
    template <class T, std::size_t N>
    using array = typename env::template array<T, N>;
    static constexpr capacities limits = env::limits;

    template <class Tuple>
    struct constraint_pools;
    template <class... Cs>
    struct constraint_pools<std::tuple<Cs...>> {
        using type = std::tuple<dense_pool<constraint_entry<Cs, S, env::memory_per_row>, detail::break_limit<S>, typename Config::storage, limits.constraints>...>;
        using problem_type = problem<S, R, env::memory_per_row, Cs...>;
        static constexpr bool all_comparable = (std::equality_comparable<Cs> && ...);
        using plain = std::tuple<Cs...>;
        static constexpr bool check() noexcept { return detail::check_strategy<strategy_type, problem_type, S, Cs...>(); }
    };
    template <class Tuple>
    struct force_pools;
    template <class... Fs>
    struct force_pools<std::tuple<std::type_identity<Fs>...>> {
        using type = std::tuple<dense_pool<detail::force_entry<Fs>, detail::no_side, typename Config::storage, limits.forces>...>;
        using plain = std::tuple<Fs...>;
        static constexpr bool all_comparable = (std::equality_comparable<Fs> && ...);
    };
    template <class T>
    [[nodiscard]] static constexpr bool same([[maybe_unused]] T const& a, [[maybe_unused]] T const& b) {
        if constexpr (std::equality_comparable<T>)
            return a == b;
        else
            return true;  // has no numbers, or does not show them
    }
    using pools = constraint_pools<typename env::constraint_types>;
    using fpools = force_pools<force_types>;

    template <class C>
    [[nodiscard]] static constexpr bool is_force() noexcept {
        constexpr bool listed_constraint = detail::index_of<C, typename env::constraint_types>::value < std::tuple_size_v<typename env::constraint_types>;
        constexpr bool listed_force = detail::index_of<C, typename fpools::plain>::value < std::tuple_size_v<typename fpools::plain>;
        static_assert(!detail::is_body_v<C>, "sinew: this body is not of this world: bodies and particles must be of the world's scalar and rotation.");
        static_assert(detail::is_body_v<C> || listed_constraint || listed_force,
                      "sinew: this type is not in the world's list; add its template to world<config, ...>, and use it with the world's scalar.");
        return listed_force;
    }
    template <class C>
    [[nodiscard]] constexpr auto& pool_of() noexcept {
        if constexpr (is_force<C>())
            return std::get<detail::index_of<C, typename fpools::plain>::value>(forces_);
        else
            return std::get<detail::index_of<C, typename env::constraint_types>::value>(constraints_);
    }
    template <class C>
    [[nodiscard]] constexpr auto const& pool_of() const noexcept {
        return const_cast<world*>(this)->template pool_of<C>();
    }

    // Refusing.

    template <class Result>
    constexpr Result refuse(error const& e) {
        last_error_ = e;
        Config::errors::fail(e);
        return Result{};
    }
    [[nodiscard]] static constexpr error full(char const* what, std::size_t capacity) noexcept {
        return {errc::full, what, "are all in use: the static storage is full; its capacity", static_cast<double>(capacity), true};
    }
    [[nodiscard]] static constexpr error check(body_type const& b) noexcept {
        if (error e = detail::check_mass(b.mass)) return e;
        if (error e = detail::check_inertia(b.inertia)) return e;
        if (error e = detail::check_pose(b.pose)) return e;
        return detail::check_twist(b.twist);
    }
    template <class Slots, class T>
    [[nodiscard]] constexpr error check_slot(Slots const& slots, handle<T> const& h, char const* name) const noexcept {
        if (!h) return {errc::dead_handle, name, "is null: it names nothing", 0, false};
        if (h.world != tag_) return {errc::foreign_handle, name, "belongs to another world", 0, false};
        if (h.index >= slots.size() || !slots[h.index].alive || slots[h.index].generation != h.generation)
            return {errc::dead_handle, name, "is dead: what it named has been removed", 0, false};
        return {};
    }
    [[nodiscard]] constexpr error check(body_handle const& h) const noexcept {
        if (h == body_handle{0, 0, 0}) return {};  // the ground, asked of a world that was still empty
        return check_slot(body_slots_, h, "body handle");
    }
    [[nodiscard]] constexpr error check(particle_handle const& h) const noexcept { return check_slot(particle_slots_, h, "particle handle"); }
    template <class C>
    [[nodiscard]] constexpr error check(handle<C> const& h) const noexcept {
        return check_slot(pool_of<C>().slots(), h, "constraint or force handle");
    }
    [[nodiscard]] constexpr error check_settable(body_handle const& h) const noexcept {
        if (error e = check(h)) return e;
        if (h.index == 0) return {errc::invalid_parameter, "ground", "cannot be changed", 0, false};
        return {};
    }
    template <class T>
    [[nodiscard]] constexpr bool valid(handle<T> const& h) const {
        error const e = check(h);
        if (e) Config::errors::fail(e);
        return !e;
    }

    constexpr bool apply(body_handle const& h, wrench<S> const& w) {
        wrench<S> sum = applied_[h.index];
        sum += w;
        if (error e = detail::check_finite("sum of the applied forces", sum.force)) return refuse<bool>(e);
        if (error e = detail::check_finite("sum of the applied torques", sum.torque)) return refuse<bool>(e);
        applied_[h.index] = sum;
        return true;
    }

    // Every addition and removal changes a number by which a saved state knows its world. The first one also gives the world its
    // tag: not the constructor, which for a global world may run in the compiler.
    enum class change : std::uint32_t { body_added, body_removed, particle_added, particle_removed, item_added, item_removed };
    constexpr void note(change what, std::uint32_t index, std::uint32_t type = 0) noexcept {
        if (contents_ == 0) tag_ = next_world_tag();
        for (std::uint32_t const word : {static_cast<std::uint32_t>(what), type, index}) contents_ = (contents_ ^ word) * 0x9e3779b1u + 0x7f4a7c15u;
    }
    // Which of the world's constraints and forces C is.
    template <class C>
    [[nodiscard]] static constexpr std::uint32_t place_in_list() noexcept {
        using Cs = typename env::constraint_types;
        if constexpr (is_force<C>())
            return static_cast<std::uint32_t>(std::tuple_size_v<Cs> + detail::index_of<C, typename fpools::plain>::value);
        else
            return static_cast<std::uint32_t>(detail::index_of<C, Cs>::value);
    }

    // Placing.

    constexpr body_handle place_body(rigid_state<S, R> const& state, rigid_mass<S> const& m) {
        std::uint32_t const i = body_slots_.take(0);
        note(change::body_added, i, m.movable ? 1 : 0);
        if (i == states_.size()) {
            states_.push_back(state);
            masses_.push_back(m);
            inverse_masses_.push_back({});
        } else {
            states_[i] = state;
            masses_[i] = m;
            inverse_masses_[i] = {};
        }
        applied_.resize(states_.size());
        return {i, body_slots_[i].generation, tag_};
    }
    constexpr particle_handle place_particle(particle_state<S> const& state, particle_mass<S> const& m) {
        if (particle_slots_.full()) return refuse<particle_handle>(full("particles", limits.particles));
        std::uint32_t const i = particle_slots_.take(0);
        note(change::particle_added, i, m.movable ? 1 : 0);
        if (i == particle_states_.size()) {
            particle_states_.push_back(state);
            particle_masses_.push_back(m);
        } else {
            particle_states_[i] = state;
            particle_masses_[i] = m;
        }
        particle_applied_.resize(particle_states_.size());
        return {i, particle_slots_[i].generation, tag_};
    }

    template <class... H>
    [[nodiscard]] constexpr error check_bodies(H const&... handles) const {
        error found{};
        ((found = found ? found : check(handles)), ...);
        if (found) return found;
        [[maybe_unused]] auto const same = [](auto const& a, auto const& b) {
            if constexpr (std::same_as<decltype(a), decltype(b)>)
                return a == b;
            else
                return false;
        };
        int equal_pairs = 0;
        ([&](auto const& a) { equal_pairs += (static_cast<int>(same(a, handles)) + ... + 0); }(handles), ...);
        if (equal_pairs > static_cast<int>(sizeof...(H)))
            return {errc::self_binding, "bodies of a constraint or force", "must be different bodies, not the same one twice", 0, false};
        return {};
    }

    template <class C, class... H>
    constexpr handle<C> add_constraint(C const& c, H const&... handles) {
        static_assert(detail::binds_kinds<attachments_t<C>, std::tuple<H...>>::value,
                      "sinew: this constraint is added with the wrong handles: give one per attachment, body handles for `rigid`, particle handles for "
                      "`point_mass`, in the order of its `attachments`.");
        if (error e = check_bodies(handles...)) return refuse<handle<C>>(e);
        if (error e = detail::check_fault(c)) return refuse<handle<C>>(e);
        constraint_entry<C, S, env::memory_per_row> const entry{c, {handles.index...}, {}};
        if (error e = check_evaluation(entry)) return refuse<handle<C>>(e);
        auto& pool = pool_of<C>();
        if (pool.full()) return refuse<handle<C>>(full("constraints of this type", limits.constraints));
        if constexpr (limits.rows > 0)
            if (row_count() + rows_v<C> > limits.rows) return refuse<handle<C>>(full("rows of constraints", limits.rows));
        std::uint32_t const s = pool.add(entry, {});
        note(change::item_added, s, place_in_list<C>());
        for (std::uint32_t const body : entry.bodies) note(change::item_added, body);
        return {s, pool.slots()[s].generation, tag_};
    }
    template <class F, class... H>
    constexpr handle<F> add_force(F const& f, H const&... handles) {
        if constexpr (detail::force_arity<F>::value > 0) {
            static_assert(detail::binds_kinds<typename F::attachments, std::tuple<H...>>::value,
                          "sinew: this force is added with the wrong handles: give one per attachment, in the order of its `attachments`.");
        } else {
            static_assert(sizeof...(H) == 0, "sinew: this force acts on every body; add it without handles.");
        }
        if (error e = check_bodies(handles...)) return refuse<handle<F>>(e);
        if (error e = detail::check_fault(f)) return refuse<handle<F>>(e);
        detail::force_entry<F> const entry{f, {handles.index...}};
        if (error e = check_action(entry)) return refuse<handle<F>>(e);
        auto& pool = pool_of<F>();
        if (pool.full()) return refuse<handle<F>>(full("forces of this type", limits.forces));
        std::uint32_t const s = pool.add(entry, {});
        note(change::item_added, s, place_in_list<F>());
        return {s, pool.slots()[s].generation, tag_};
    }

    [[nodiscard]] constexpr std::size_t row_count() const noexcept {
        return std::apply([](auto const&... p) { return ((p.size() * rows_v<typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type>) + ... + 0); }, constraints_);
    }
    // A constraint with a NaN inside is found by what it yields.
    template <class E>
    [[nodiscard]] constexpr error check_evaluation(E const& entry) const {
        auto const p = const_problem();
        auto const poses = poses_of(p, entry);
        auto const r = residual(entry);
        bool finite = all(isfinite(r));
        auto const J = std::apply([&](auto const&... q) { return jacobian_of(entry.constraint, q...); }, poses);
        for (S const& x : J.e) finite = finite && all(isfinite(x));
        for (S const& x : compliance_of<S>(entry.constraint).e)
            if (error e = detail::as_error(nonnegative_parameter("compliance", x))) return e;
        auto const limits_now = std::apply([&](auto const&... q) { return limits_of(entry.constraint, entry.lambda, q...); }, poses);
        for (std::size_t i = 0; i < rows_v<typename E::constraint_type>; ++i)
            if (!all(limits_now.lower[i] <= limits_now.upper[i]))
                return {errc::invalid_parameter, "limits", "must be numbers, the lower not above the upper; the lower one", detail::as_double(limits_now.lower[i]), true};
        for (S const& x : damping_of<S>(entry.constraint).e)
            if (error e = detail::as_error(nonnegative_parameter("damping", x))) return e;
        if (!finite) return {errc::not_finite, "constraint", "must have finite parameters: its error or Jacobian is not finite here", 0, false};
        return {};
    }
    // Likewise a force: on the bodies it is added with, or on those that are there.
    template <class F>
    [[nodiscard]] constexpr error check_action(detail::force_entry<F> const& entry) const {
        bool finite = true;
        if constexpr (detail::force_arity<F>::value > 0) {
            for (wrench<S> const& w : wrenches_by(entry, time_)) finite = finite && all(isfinite(w.force)) && all(isfinite(w.torque));
        } else {
            for (std::uint32_t i = 0; i < states_.size(); ++i)
                if (masses_[i].movable) {
                    wrench<S> const w = entry.force.wrench_on(seen(rigid{}, i), time_);
                    finite = finite && all(isfinite(w.force)) && all(isfinite(w.torque));
                }
            for (std::uint32_t i = 0; i < particle_states_.size(); ++i)
                if (particle_masses_[i].movable) finite = finite && all(isfinite(entry.force.wrench_on(seen(point_mass{}, i), time_).force));
        }
        return finite ? error{} : error{errc::not_finite, "force", "must have finite parameters: its wrench is not finite here", 0, false};
    }
    // The bodies of a force as it sees them.
    [[nodiscard]] constexpr body_type seen(rigid, std::uint32_t i) const { return {masses_[i].mass, masses_[i].inertia, states_[i].pose, states_[i].twist}; }
    [[nodiscard]] constexpr particle_type seen(point_mass, std::uint32_t i) const {
        return {particle_masses_[i].mass, particle_states_[i].position, particle_states_[i].velocity};
    }
    template <class F>
    [[nodiscard]] constexpr auto wrenches_by(detail::force_entry<F> const& entry, S const& t) const {
        using A = typename F::attachments;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return entry.force.wrenches(seen(typename A::template kind<I>{}, entry.bodies[I])..., t);
        }(std::make_index_sequence<A::size>{});
    }
    template <class E>
    [[nodiscard]] constexpr vec<S, rows_v<typename E::constraint_type>> residual(E const& entry) const {
        auto const p = const_problem();
        if constexpr (is_holonomic_v<typename E::constraint_type, S>)
            return std::apply([&](auto const&... q) { return sinew::error_of(entry.constraint, q...); }, poses_of(p, entry));
        else
            return rate_of(entry.constraint, poses_of(p, entry), twists_of(p, entry));
    }
    template <class E>
    [[nodiscard]] constexpr wrench<S> wrench_of(E const& entry, std::size_t attachment) const {
        if constexpr (moving_normal_v<typename E::constraint_type>) return entry.pushed.wrenches[attachment];
        auto const p = const_problem();
        auto const J = entry_jacobian(p, entry);
        auto const Q = transpose_times(J, entry.lambda);
        wrench<S> w;
        std::size_t k = 0;
        for_each_attachment(entry, [&](auto kind, auto at, std::uint32_t) {
            if (k++ != attachment) return;
            for (std::size_t i = 0; i < 3; ++i) w.force[i] = Q[at + i];
            if constexpr (std::same_as<decltype(kind), rigid>)
                for (std::size_t i = 0; i < 3; ++i) w.torque[i] = Q[at + 3 + i];
        });
        return w;
    }
    // Reading only: solvers get the same view through make_problem.
    [[nodiscard]] constexpr auto const_problem() const { return const_cast<world*>(this)->make_problem(); }

    template <class Kind>
    constexpr void remove_bound(std::uint32_t index);

    // What a solver keeps of a constraint from step to step.
    template <class E, class F>
    static constexpr void for_each_number(E& entry, F&& f) {
        for (auto& x : entry.lambda.e) f(x);
        if constexpr (E::memory_size > 0)
            for (auto& x : entry.memory.e) f(x);
    }

    // Stepping, in step.hpp.
    constexpr void gather_forces(S const& t);
    constexpr void kick_all(S const& h);
    constexpr void drift_all(S const& h);
    constexpr void step_accelerations(S const& h, step_report<S>& report);
    constexpr void step_velocities(S const& h, step_report<S>& report);
    constexpr void step_positions(S const& h, step_report<S>& report);
    constexpr void integrate(S const& h, step_report<S>& report);
    static constexpr void merge(step_report<S>& report, solve_report<S> const& r);
    constexpr bool is_finite() const;
    template <class Bodies, class Particles>
    [[nodiscard]] static constexpr bool are_finite(Bodies const& bodies, Particles const& particles);
    constexpr void note_overloads();
    constexpr std::size_t break_overloaded();
    constexpr void put_back(state_type const& s);
    constexpr void place_kinematic(state_type const& from, S const& after);
    template <class World>
    friend class motion_problem;

    array<rigid_state<S, R>, limits.bodies + 1> states_{};
    array<rigid_mass<S>, limits.bodies + 1> masses_{};
    array<inverse_mass<S>, limits.bodies + 1> inverse_masses_{};
    array<wrench<S>, limits.bodies + 1> applied_{};      // by the user, for the coming step
    array<wrench<S>, limits.bodies + 1> total_{};        // of a stage
    array<particle_state<S>, limits.particles> particle_states_{};
    array<particle_mass<S>, limits.particles> particle_masses_{};
    array<vec3<S>, limits.particles> particle_applied_{};
    array<vec3<S>, limits.particles> particle_total_{};
    slot_list<array<slot, limits.bodies + 1>> body_slots_{};
    slot_list<array<slot, limits.particles>> particle_slots_{};
    typename pools::type constraints_{};
    typename fpools::type forces_{};
    S time_{};
    S time_carry_{};
    std::uint32_t tag_ = 0;
    std::uint32_t contents_ = 0;
    bool has_breakables_ = false;
    state_type backup_{};
    [[no_unique_address]] std::conditional_t<keeps_start, detail::moving_states<env>, detail::no_side> start_{}, predicted_{};
    typename Config::integrator::template workspace<array<S, env::max_state>> workspace_{};
    error last_error_{};

    static_assert(pools::check());
};

}  // namespace sinew::inline v0

// ---- sinew/world/step.hpp
// How a world steps: forces, free motion, and the solver at its level.

namespace sinew::inline v0 {

namespace detail {
/// f(element) for each element of a tuple.
template <class Tuple, class F>
constexpr void for_each_in(Tuple& tuple, [[maybe_unused]] F&& f) {
    std::apply([&](auto&... element) { (f(element), ...); }, tuple);
}
}  // namespace detail

/// The equations of motion of a world as an ODE problem (Vondrak 2005, 2.3): what an integrator other than symplectic
/// Euler steps. State: all positions and rotation coordinates, then all momenta (or velocities), of movable bodies.
template <class World>
class motion_problem {
public:
    using S = typename World::S;
    using R = typename World::R;
    using scalar_type = S;
    template <std::size_t N>
    using buffer = typename World::env::template array<S, N>;
    static constexpr std::size_t max_dimension = World::env::max_state;

    /// From the states at time t0 (s), which also say how kinematic bodies go on.
    constexpr motion_problem(World& w, typename World::state_type const& from) noexcept : w_(&w), from_(&from) {}

    [[nodiscard]] constexpr std::size_t dimension() const noexcept { return split() + velocity_dimension(); }
    /// Where the velocities begin.
    [[nodiscard]] constexpr std::size_t split() const noexcept { return movable_bodies() * (3 + R::dimension) + movable_particles() * 3; }

    constexpr void get_state(std::span<S> y) const {
        std::size_t q = 0, v = split();
        for (std::size_t i = 0; i < w_->states_.size(); ++i) {
            auto const& m = w_->masses_[i];
            if (!m.movable) continue;
            auto const& b = w_->states_[i];
            put(y, q, b.pose.position);
            for (std::size_t k = 0; k < R::dimension; ++k) y[q++] = b.pose.rotation.coordinate(k);
            if constexpr (in_momenta) {
                put(y, v, b.twist.linear * m.mass);
                put(y, v, b.pose.direction(m.inertia * b.pose.local_direction(b.twist.angular)));
            } else {
                put(y, v, b.twist.linear);
                put(y, v, b.twist.angular);
            }
        }
        for (std::size_t i = 0; i < w_->particle_states_.size(); ++i) {
            auto const& m = w_->particle_masses_[i];
            if (!m.movable) continue;
            put(y, q, w_->particle_states_[i].position);
            put(y, v, in_momenta ? w_->particle_states_[i].velocity * m.mass : w_->particle_states_[i].velocity);
        }
    }
    constexpr void set_state(std::span<S const> y) {
        std::size_t q = 0, v = split();
        for (std::size_t i = 0; i < w_->states_.size(); ++i) {
            auto const& m = w_->masses_[i];
            if (!m.movable) continue;
            auto& b = w_->states_[i];
            take(y, q, b.pose.position);
            for (std::size_t k = 0; k < R::dimension; ++k) b.pose.rotation.set_coordinate(k, y[q++]);
            take(y, v, b.twist.linear);
            take(y, v, b.twist.angular);
            if constexpr (in_momenta) {
                b.twist.linear *= m.inverse_mass;
                b.twist.angular = world_inertia(m.inverse_inertia, projected(b.pose.rotation)) * b.twist.angular;
            }
        }
        for (std::size_t i = 0; i < w_->particle_states_.size(); ++i) {
            auto const& m = w_->particle_masses_[i];
            if (!m.movable) continue;
            take(y, q, w_->particle_states_[i].position);
            take(y, v, w_->particle_states_[i].velocity);
            if constexpr (in_momenta) w_->particle_states_[i].velocity *= m.inverse_mass;
        }
    }
    /// y' at time t: velocities, and the accelerations by all forces. Under an acceleration-level solver these include
    /// the constraint forces.
    constexpr derivative_status derivative(S const& t, std::span<S> dy) {
        w_->place_kinematic(*from_, t - from_->time);
        w_->gather_forces(t);
        if constexpr (World::strategy_type::level == solver_level::acceleration) {
            auto const r = w_->solver.solve(w_->make_problem(), std::span<wrench<S>>(w_->total_.data(), w_->total_.size()),
                                            std::span<vec3<S>>(w_->particle_total_.data(), w_->particle_total_.size()));
            report.iterations += r.iterations;
            report.residual = r.residual;
            report.full_rank = report.full_rank && r.full_rank;
        }
        std::size_t q = 0, v = split();
        for (std::size_t i = 0; i < w_->states_.size(); ++i) {
            auto const& m = w_->masses_[i];
            if (!m.movable) continue;
            auto const& b = w_->states_[i];
            put(dy, q, b.twist.linear);
            auto const rate = coordinate_rate(b.pose.rotation, b.twist.angular);
            for (std::size_t k = 0; k < R::dimension; ++k) dy[q++] = rate[k];
            auto const& f = w_->total_[i];
            if constexpr (in_momenta) {
                put(dy, v, f.force);
                put(dy, v, f.torque);
            } else {
                put(dy, v, f.force * m.inverse_mass);
                R const r = projected(b.pose.rotation);
                vec3<S> const omega = inverse_rotate(r, b.twist.angular);
                vec3<S> const torque = inverse_rotate(r, f.torque) + cross(m.inertia * omega, omega);
                put(dy, v, rotate(r, m.inverse_inertia * torque));
            }
        }
        for (std::size_t i = 0; i < w_->particle_states_.size(); ++i) {
            auto const& m = w_->particle_masses_[i];
            if (!m.movable) continue;
            put(dy, q, w_->particle_states_[i].velocity);
            put(dy, v, in_momenta ? w_->particle_total_[i] : w_->particle_total_[i] * m.inverse_mass);
        }
        return derivative_status::regular;
    }

    solve_report<S> report{};

private:
    static constexpr bool in_momenta = World::config::form == motion_form::momentum;

    static constexpr void put(std::span<S> y, std::size_t& at, vec3<S> const& x) noexcept {
        for (std::size_t k = 0; k < 3; ++k) y[at++] = x[k];
    }
    static constexpr void take(std::span<S const> y, std::size_t& at, vec3<S>& x) noexcept {
        for (std::size_t k = 0; k < 3; ++k) x[k] = y[at++];
    }
    [[nodiscard]] constexpr std::size_t movable_bodies() const noexcept {
        std::size_t n = 0;
        for (auto const& m : w_->masses_) n += m.movable ? 1 : 0;
        return n;
    }
    [[nodiscard]] constexpr std::size_t movable_particles() const noexcept {
        std::size_t n = 0;
        for (auto const& m : w_->particle_masses_) n += m.movable ? 1 : 0;
        return n;
    }
    [[nodiscard]] constexpr std::size_t velocity_dimension() const noexcept { return movable_bodies() * 6 + movable_particles() * 3; }

    World* w_;
    typename World::state_type const* from_;
};

template <class Config, template <class> class... Items>
constexpr auto world<Config, Items...>::make_problem() {
    return [&]<class... P>(std::tuple<P...>& all) {
        return typename pools::problem_type{std::span(states_.data(), states_.size()),
                                            std::span<rigid_mass<S> const>(masses_.data(), masses_.size()),
                                            std::span(inverse_masses_.data(), inverse_masses_.size()),
                                            std::span(particle_states_.data(), particle_states_.size()),
                                            std::span<particle_mass<S> const>(particle_masses_.data(), particle_masses_.size()),
                                            {std::span(std::get<P>(all).values().data(), std::get<P>(all).size())...},
                                            contents_};
    }(constraints_);
}

// Gravity, forces applied by the user, and force objects, at the states of now.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::gather_forces(S const& t) {
    total_.resize(states_.size());
    particle_total_.resize(particle_states_.size());
    applied_.resize(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i) {
        total_[i] = applied_[i];
        total_[i].force += gravity * masses_[i].mass;
    }
    for (std::size_t i = 0; i < particle_states_.size(); ++i) particle_total_[i] = particle_applied_[i] + gravity * particle_masses_[i].mass;

    auto const act = [&](auto const& entry) {
        auto const& f = entry.force;
        using F = std::remove_cvref_t<decltype(f)>;
        if constexpr (detail::force_arity<F>::value == 0) {
            for (std::uint32_t i = 0; i < states_.size(); ++i)
                if (masses_[i].movable) total_[i] += f.wrench_on(seen(rigid{}, i), t);
            for (std::uint32_t i = 0; i < particle_states_.size(); ++i)
                if (particle_masses_[i].movable) particle_total_[i] += f.wrench_on(seen(point_mass{}, i), t).force;
        } else {
            using A = typename F::attachments;
            auto const w = wrenches_by(entry, t);
            auto const add = [&](auto kind, std::uint32_t i, wrench<S> const& one) {
                if constexpr (std::same_as<decltype(kind), rigid>)
                    total_[i] += one;
                else
                    particle_total_[i] += one.force;
            };
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (add(typename A::template kind<I>{}, entry.bodies[I], w[I]), ...);
            }(std::make_index_sequence<A::size>{});
        }
    };
    detail::for_each_in(forces_, [&](auto const& p) {
        for (auto const& e : p.values()) act(e);
    });
}

// Symplectic Euler: velocities by the gathered forces ...
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::kick_all(S const& h) {
    for (std::size_t i = 1; i < states_.size(); ++i)
        if (masses_[i].movable) kick(states_[i], masses_[i], total_[i], h);
    for (std::size_t i = 0; i < particle_states_.size(); ++i)
        particle_states_[i].velocity += particle_total_[i] * (particle_masses_[i].inverse_mass * h);  // 0 of what no force moves
}
// ... then positions by the new velocities.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::drift_all(S const& h) {
    for (std::size_t i = 1; i < states_.size(); ++i)
        if (body_slots_[i].alive) drift(states_[i], masses_[i], h, gyroscopic);
    for (auto& b : particle_states_) b.position += b.velocity * h;
}

// The multipliers are part of the derivative, in every stage; then, if asked for, the positions are put back onto the constraints.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::step_accelerations(S const& h, step_report<S>& report) {
    if constexpr (is_symplectic) {
        gather_forces(time_);
        merge(report, solver.solve(make_problem(), std::span<wrench<S>>(total_.data(), total_.size()),
                                   std::span<vec3<S>>(particle_total_.data(), particle_total_.size())));
        kick_all(h);
        drift_all(h);
    } else {
        integrate(h, report);
    }
}

// Forces, impulses, then motion. Another integrator's free motion is known only when it has arrived: its velocities are corrected where
// the step began, and its positions by as much as that correction would have moved them.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::step_velocities(S const& h, step_report<S>& report) {
    if constexpr (is_symplectic) {
        gather_forces(time_);
        kick_all(h);
        merge(report, solver.solve(make_problem(), h));
        drift_all(h);
    } else {
        start_.bodies = states_;
        start_.particles = particle_states_;
        integrate(h, report);
        if (!report) return;
        auto& free = predicted_;
        free.bodies = states_;
        free.particles = particle_states_;
        for (std::size_t i = 0; i < states_.size(); ++i) states_[i].pose = start_.bodies[i].pose;
        for (std::size_t i = 0; i < particle_states_.size(); ++i) particle_states_[i].position = start_.particles[i].position;
        merge(report, solver.solve(make_problem(), h));
        for (std::size_t i = 0; i < states_.size(); ++i) {
            states_[i].pose = free.bodies[i].pose;
            states_[i].pose.position += (states_[i].twist.linear - free.bodies[i].twist.linear) * h;
            states_[i].pose.rotation = nudged(states_[i].pose.rotation, (states_[i].twist.angular - free.bodies[i].twist.angular) * h);
        }
        for (std::size_t i = 0; i < particle_states_.size(); ++i)
            particle_states_[i].position = free.particles[i].position + (particle_states_[i].velocity - free.particles[i].velocity) * h;
    }
    if constexpr (requires { solver.relax(make_problem(), h); }) merge(report, solver.relax(make_problem(), h));
}

// Free motion predicts, the solver displaces (Waterson 2026, 4.1-4.2).
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::step_positions(S const& h, step_report<S>& report) {
    if constexpr (is_symplectic) {
        gather_forces(time_);
        kick_all(h);
        drift_all(h);
    } else {
        integrate(h, report);
        if (!report) return;
    }
    merge(report, solver.solve(make_problem(), h));
}

// One step of an integrator other than symplectic Euler.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::integrate(S const& h, step_report<S>& report) {
    motion_problem<world> motion(*this, backup_);
    auto const status = integrator.step(motion, time_, h, workspace_);
    if (status == ode_status::not_converged)
        report.status = step_status::not_converged;
    else if (status != ode_status::ok)
        report.status = step_status::not_finite;
    for (std::size_t i = 1; i < states_.size(); ++i)
        if (masses_[i].movable) states_[i].pose.rotation = projected(states_[i].pose.rotation);
    place_kinematic(backup_, time_ - backup_.time + h);
    merge(report, motion.report);
}

template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::merge(step_report<S>& report, solve_report<S> const& r) {
    report.iterations += r.iterations;
    report.residual = r.residual;
    report.full_rank = report.full_rank && r.full_rank;
}

template <class Config, template <class> class... Items>
constexpr step_report<typename Config::scalar> world<Config, Items...>::step(S const& h) {
    step_report<S> report;
    if (error e = detail::check_positive("step length", h)) {
        (void)refuse<bool>(e);
        report.status = step_status::invalid_step;
        return report;
    }
    error parameter = detail::check_finite("gravity", gravity);
    if (!parameter) parameter = detail::check_fault(solver);
    if (!parameter) parameter = detail::check_fault(integrator);
    if (parameter) {
        (void)refuse<bool>(parameter);
        report.status = step_status::invalid_parameter;
        return report;
    }
    save(backup_);
    int parts = 1;
    if constexpr (requires { solver.substeps; }) parts = solver.substeps > 1 ? solver.substeps : 1;
    S const dt = h / S(value_type_t<S>(parts));
    for (int part = 0; part < parts && report; ++part) {
        if constexpr (strategy_type::level == solver_level::acceleration)
            step_accelerations(dt, report);
        else if constexpr (strategy_type::level == solver_level::velocity)
            step_velocities(dt, report);
        else
            step_positions(dt, report);
        if constexpr (requires { solver.project(make_problem(), dt); })
            if (report) merge(report, solver.project(make_problem(), dt));
        time_ = time_ + dt;
        if (has_breakables_ && report) note_overloads();
    }
    if constexpr (requires { solver.finish(make_problem(), h); })
        if (report) merge(report, solver.finish(make_problem(), h));
    if (report && !is_finite()) report.status = step_status::not_finite;
    if (!report) {
        put_back(backup_);
        return report;
    }
    // Kahan's sum: thousands of steps of 1/60 s would otherwise drift by whole per cents in float.
    S const exact = h - backup_.time_carry;
    time_ = backup_.time + exact;
    time_carry_ = (time_ - backup_.time) - exact;
    for (auto& w : applied_) w = {};
    for (auto& f : particle_applied_) f = {};
    if (has_breakables_) report.broken = break_overloaded();
    return report;
}

template <class Config, template <class> class... Items>
template <class Bodies, class Particles>
constexpr bool world<Config, Items...>::are_finite(Bodies const& bodies, Particles const& particles) {
    bool finite = true;
    for (auto const& b : bodies) {
        finite = finite && all(isfinite(b.pose.position)) && all(isfinite(b.twist.linear)) && all(isfinite(b.twist.angular));
        for (std::size_t k = 0; k < R::dimension; ++k) finite = finite && all(isfinite(b.pose.rotation.coordinate(k)));
    }
    for (auto const& b : particles) finite = finite && all(isfinite(b.position)) && all(isfinite(b.velocity));
    return finite;
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::is_finite() const {
    bool finite = are_finite(states_, particle_states_);
    detail::for_each_in(constraints_, [&](auto const& p) {
        for (auto const& e : p.values()) for_each_number(e, [&](S const& x) { finite = finite && all(isfinite(x)); });
    });
    return finite;
}

// Kinematic bodies and particles as far along their constant twists as a time after a saved state.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::place_kinematic(state_type const& from, S const& after) {
    for (std::size_t i = 1; i < states_.size(); ++i) {
        if (masses_[i].movable || !body_slots_[i].alive) continue;
        states_[i].pose = from.bodies[i].pose;
        drift(states_[i], masses_[i], after, gyroscopic);
    }
    for (std::size_t i = 0; i < particle_states_.size(); ++i)
        if (!particle_masses_[i].movable) particle_states_[i].position = from.particles[i].position + from.particles[i].velocity * after;
}

// After every substep: a short jerk breaks too.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::note_overloads() {
    detail::for_each_in(constraints_, [&](auto& p) {
        using C = typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type;
        for (std::size_t i = 0; i < p.size(); ++i)
            for (std::size_t k = 0; k < attachments_t<C>::size; ++k) {
                wrench<S> const w = wrench_of(p.values()[i], k);
                p.side(i).exceeded = p.side(i).exceeded || any(norm(w.force) > p.side(i).force) || any(norm(w.torque) > p.side(i).torque);
            }
    });
}

// Backwards, since a removal moves the last one into the gap.
template <class Config, template <class> class... Items>
constexpr std::size_t world<Config, Items...>::break_overloaded() {
    std::size_t broken = 0;
    detail::for_each_in(constraints_, [&](auto& p) {
        using C = typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type;
        for (std::size_t i = p.size(); i-- > 0;) {
            if (!p.side(i).exceeded) continue;
            note(change::item_removed, p.slot_at(i), place_in_list<C>());
            p.remove_at(i);
            ++broken;
        }
    });
    return broken;
}

template <class Config, template <class> class... Items>
template <class Kind>
constexpr void world<Config, Items...>::remove_bound(std::uint32_t index) {
    auto const unbind_constraints = [&](auto& p) {
        using C = typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type;
        for (std::size_t i = p.size(); i-- > 0;) {
            bool bound = false;
            for_each_attachment(p.values()[i], [&](auto kind, auto, std::uint32_t b) { bound = bound || (std::same_as<decltype(kind), Kind> && b == index); });
            if (!bound) continue;
            note(change::item_removed, p.slot_at(i), place_in_list<C>());
            p.remove_at(i);
        }
    };
    detail::for_each_in(constraints_, unbind_constraints);
    auto const unbind_forces = [&](auto& p) {
        using F = std::remove_cvref_t<decltype(p.values()[0].force)>;
        if constexpr (detail::force_arity<F>::value > 0) {
            using A = typename F::attachments;
            for (std::size_t i = p.size(); i-- > 0;) {
                bool bound = false;
                [&]<std::size_t... I>(std::index_sequence<I...>) {
                    ((bound = bound || (std::same_as<typename A::template kind<I>, Kind> && p.values()[i].bodies[I] == index)), ...);
                }(std::make_index_sequence<A::size>{});
                if (bound) p.remove_at(i);
            }
        }
    };
    detail::for_each_in(forces_, unbind_forces);
}

template <class Config, template <class> class... Items>
constexpr typename Config::scalar world<Config, Items...>::kinetic_energy() const {
    S e{};
    for_each_body([&](body_handle h) {
        if (masses_[h.index].movable) e = e + sinew::kinetic_energy(body(h));
    });
    for_each_particle([&](particle_handle h) { e = e + sinew::kinetic_energy(body(h)); });
    return e;
}

template <class Config, template <class> class... Items>
constexpr typename Config::scalar world<Config, Items...>::potential_energy() const {
    S e{};
    for_each_body([&](body_handle h) { e = e - masses_[h.index].mass * dot(gravity, states_[h.index].pose.position); });
    for_each_particle([&](particle_handle h) { e = e - particle_masses_[h.index].mass * dot(gravity, particle_states_[h.index].position); });
    auto const of_constraint = [&](auto const& p) {
        using C = typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type;
        if constexpr (has_compliance<C> && is_holonomic_v<C, S>)
            for (auto const& entry : p.values()) {
                auto const c = residual(entry);
                auto const alpha = compliance_of<S>(entry.constraint);
                auto const limits_now = std::apply([&](auto const&... q) { return limits_of(entry.constraint, entry.lambda, q...); }, poses_of(const_problem(), entry));
                for (std::size_t i = 0; i < rows_v<C>; ++i) {
                    // alpha lambda^2 / 2 with lambda = -c / alpha, as far as its bounds let it: a slack rope holds nothing.
                    auto const soft = alpha[i] > S(0);
                    S const lambda = select(soft, clamp(-c[i] / select(soft, alpha[i], S(1)), limits_now.lower[i], limits_now.upper[i]), S(0));
                    e = e + alpha[i] * lambda * lambda / S(2);
                }
            }
    };
    detail::for_each_in(constraints_, of_constraint);
    auto const of_force = [&](auto const& p) {
        using F = std::remove_cvref_t<decltype(p.values()[0].force)>;
        for (auto const& entry : p.values()) {
            if constexpr (detail::force_arity<F>::value == 0) {
                if constexpr (requires { entry.force.energy(body_type{}); })
                    for_each_body([&](body_handle h) {
                        if (masses_[h.index].movable) e = e + entry.force.energy(body(h));
                    });
                if constexpr (requires { entry.force.energy(particle_type{}); })
                    for_each_particle([&](particle_handle h) { e = e + entry.force.energy(body(h)); });
            } else {
                using A = typename F::attachments;
                [&]<std::size_t... I>(std::index_sequence<I...>) {
                    if constexpr (requires { entry.force.energy(seen(typename A::template kind<I>{}, entry.bodies[I])...); })
                        e = e + entry.force.energy(seen(typename A::template kind<I>{}, entry.bodies[I])...);
                }(std::make_index_sequence<A::size>{});
            }
        }
    };
    detail::for_each_in(forces_, of_force);
    return e;
}

template <class Config, template <class> class... Items>
constexpr vec3<typename Config::scalar> world<Config, Items...>::linear_momentum() const {
    vec3<S> p{};
    for_each_body([&](body_handle h) { p += masses_[h.index].mass * states_[h.index].twist.linear; });
    for_each_particle([&](particle_handle h) { p += sinew::linear_momentum(body(h)); });
    return p;
}

template <class Config, template <class> class... Items>
constexpr vec3<typename Config::scalar> world<Config, Items...>::angular_momentum() const {
    vec3<S> l{};
    for_each_body([&](body_handle h) {
        if (masses_[h.index].movable) l += sinew::angular_momentum(body(h));
    });
    for_each_particle([&](particle_handle h) { l += sinew::angular_momentum(body(h)); });
    return l;
}

template <class Config, template <class> class... Items>
constexpr typename Config::scalar world<Config, Items...>::constraint_error() const {
    S worst{};
    auto const of_pool = [&](auto const& p) {
        using C = typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type;
        if constexpr (is_holonomic_v<C, S> && !is_bounded_v<C, S>)
            for (auto const& e : p.values()) {
                auto const c = residual(e);
                auto const alpha = compliance_of<S>(e.constraint);
                for (std::size_t i = 0; i < rows_v<C>; ++i) worst = max(worst, select(alpha[i] > S(0), S(0), abs(c[i])));
            }
    };
    detail::for_each_in(constraints_, of_pool);
    return worst;
}

template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::save(state_type& s) const {
    s.bodies = states_;
    s.particles = particle_states_;
    s.time = time_;
    s.time_carry = time_carry_;
    s.contents = contents_;
    s.multipliers.clear();
    auto const of_pool = [&](auto const& p) {
        for (auto const& e : p.values())
            for_each_number(e, [&](S const& x) { s.multipliers.push_back(x); });
    };
    detail::for_each_in(constraints_, of_pool);
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::restore(state_type const& s) {
    std::size_t rows = 0;
    detail::for_each_in(constraints_, [&](auto const& p) {
        for (auto const& e : p.values()) for_each_number(e, [&](S const&) { ++rows; });
    });
    if (s.contents != contents_ || s.bodies.size() != states_.size() || s.particles.size() != particle_states_.size() || s.multipliers.size() != rows)
        return refuse<bool>({errc::mismatch, "world state", "does not fit this world: bodies or constraints were added or removed since it was saved", 0, false});
    bool finite = are_finite(s.bodies, s.particles) && all(isfinite(s.time));
    for (S const& x : s.multipliers) finite = finite && all(isfinite(x));
    if (!finite) return refuse<bool>({errc::not_finite, "world state", "must be finite", 0, false});
    put_back(s);
    // Forces for the coming step were meant for another one.
    for (auto& w : applied_) w = {};
    for (auto& f : particle_applied_) f = {};
    return true;
}

template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::put_back(state_type const& s) {
    states_ = s.bodies;
    particle_states_ = s.particles;
    time_ = s.time;
    time_carry_ = s.time_carry;
    std::size_t at = 0;
    auto const put = [&](auto& p) {
        for (std::size_t i = 0; i < p.size(); ++i) {
            p.side(i).exceeded = false;
            for_each_number(p.values()[i], [&](S& x) { x = s.multipliers[at++]; });
        }
    };
    detail::for_each_in(constraints_, put);
}

}  // namespace sinew::inline v0

// ---- sinew/world/world.hpp
// The world: bodies, constraints and forces, stepped together. Class in container.hpp, stepping in step.hpp.

// ---- sinew/sinew.hpp
// All of sinew but io/, which needs a hosted system.
