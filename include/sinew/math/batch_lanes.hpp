#pragma once
// What batch.hpp is made of: operations on all lanes of arrays, as vectors of the compiler or one lane after the other.
//
// A batch of more bytes than the processor's registers is taken in parts, which compilers do worse by themselves.

#include <sinew/config/inlining.hpp>
#include <sinew/math/float_tools.hpp>
#include <sinew/math/sqrt.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sinew::inline v0::detail {

template <class T>
using mask_word = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
inline constexpr bool has_lane_vectors = true;
#if defined(__AVX512F__)
inline constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t register_bytes = 32;
#else
inline constexpr std::size_t register_bytes = 16;
#endif
template <class T, std::size_t Bytes>
struct vector_of {
    typedef T type __attribute__((vector_size(Bytes), may_alias));
};
#else
inline constexpr bool has_lane_vectors = false;
inline constexpr std::size_t register_bytes = 16;
template <class T, std::size_t Bytes>
struct vector_of {
    using type = T;
};
#endif

// The same under all options, for it is part of the layout: 64 at most.
template <class T, std::size_t N>
inline constexpr std::size_t lanes_alignment_v = (N & (N - 1)) != 0 || N * sizeof(T) < 16 ? alignof(T) : N * sizeof(T) > 64 ? 64 : N * sizeof(T);

// How N lanes of T are taken apart. Without vectors there are no parts.
template <class T, std::size_t N>
struct parts {
    static constexpr bool are_vectors = has_lane_vectors && float_bits<T>::known && (N & (N - 1)) == 0 && N * sizeof(T) >= 16;
    static constexpr std::size_t bytes = are_vectors ? (N * sizeof(T) > register_bytes ? register_bytes : N * sizeof(T)) : 16;
    static constexpr std::size_t count = N * sizeof(T) / bytes;
    static constexpr std::size_t lanes = bytes / sizeof(T);
    using numbers = typename vector_of<T, bytes>::type;
    using words = typename vector_of<mask_word<T>, bytes>::type;
};

// Part i of an array, as a vector of its numbers or of its words.
template <class P, std::floating_point T>
[[nodiscard]] SINEW_ALWAYS_INLINE inline auto& part(T* e, std::size_t i) noexcept {
    return static_cast<typename P::numbers*>(static_cast<void*>(e))[i];
}
template <class P, std::floating_point T>
[[nodiscard]] SINEW_ALWAYS_INLINE inline auto& part(T const* e, std::size_t i) noexcept {
    return static_cast<typename P::numbers const*>(static_cast<void const*>(e))[i];
}
template <class P, std::signed_integral T>
[[nodiscard]] SINEW_ALWAYS_INLINE inline auto& part(T* e, std::size_t i) noexcept {
    return static_cast<typename P::words*>(static_cast<void*>(e))[i];
}
template <class P, std::signed_integral T>
[[nodiscard]] SINEW_ALWAYS_INLINE inline auto& part(T const* e, std::size_t i) noexcept {
    return static_cast<typename P::words const*>(static_cast<void const*>(e))[i];
}

/// f of all lanes of some arrays.
template <class R, class T, class F, class... A>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr R lane_wise(F const& f, A const&... a) noexcept {
    using P = parts<T, R::lanes>;
    R r;
    if constexpr (P::are_vectors) {
        if (!std::is_constant_evaluated()) {
            for (std::size_t i = 0; i < P::count; ++i) part<P>(r.e, i) = f(part<P>(a.e, i)...);
            return r;
        }
    }
    for (std::size_t i = 0; i < R::lanes; ++i) r.e[i] = f(a.e[i]...);
    return r;
}

/// x in every lane.
template <class T, class B>
SINEW_ALWAYS_INLINE constexpr void fill(B& to, T x) noexcept {
    using P = parts<T, B::lanes>;
    if constexpr (P::are_vectors) {
        if (!std::is_constant_evaluated()) {
            for (std::size_t i = 0; i < P::count; ++i) part<P>(to.e, i) = x - typename P::numbers{};  // + 0 would lose the sign of -0
            return;
        }
    }
    for (T& e : to.e) e = x;
}

// Apart: of two that stand side by side g++ is not to make one copy of twice the width, which would wait for what has been stored in two. It costs a register, and an
// instruction where what is copied is only read.
template <class T, bool Apart, class B>
SINEW_ALWAYS_INLINE constexpr void copy_lanes(B& to, B const& from) noexcept {
    using P = parts<T, B::lanes>;
    if constexpr (P::are_vectors) {
        if (!std::is_constant_evaluated()) {
            for (std::size_t i = 0; i < P::count; ++i) {
                auto x = part<P>(from.e, i);
#if defined(__AVX512F__) && !defined(__clang__)
                if constexpr (Apart && P::bytes == 32) __asm__("" : "+v"(x));
#endif
                part<P>(to.e, i) = x;
            }
            return;
        }
    }
    for (std::size_t i = 0; i < B::lanes; ++i) to.e[i] = from.e[i];
}

struct is_less {
    template <class T>
    [[nodiscard]] constexpr auto operator()(T const& a, T const& b) const noexcept {
        return a < b;
    }
};
struct is_at_most {
    template <class T>
    [[nodiscard]] constexpr auto operator()(T const& a, T const& b) const noexcept {
        return a <= b;
    }
};
struct is_equal {
    template <class T>
    [[nodiscard]] constexpr auto operator()(T const& a, T const& b) const noexcept {
        return a == b;
    }
};
template <class M, class T, class Compare, class B>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr M compared(B const& a, B const& b) noexcept {
    using P = parts<T, M::lanes>;
    M r;
    if constexpr (P::are_vectors) {
        if (!std::is_constant_evaluated()) {
            for (std::size_t i = 0; i < P::count; ++i) part<P>(r.e, i) = (typename P::words)(Compare{}(part<P>(a.e, i), part<P>(b.e, i)));
            return r;
        }
    }
    for (std::size_t i = 0; i < M::lanes; ++i) r.e[i] = Compare{}(a.e[i], b.e[i]) ? mask_word<T>(-1) : mask_word<T>(0);
    return r;
}
template <class B, class T, class M>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr B chosen(M const& mask, B const& a, B const& b) noexcept {
    using P = parts<T, M::lanes>;
    B r;
    if constexpr (P::are_vectors) {
        if (!std::is_constant_evaluated()) {
            for (std::size_t i = 0; i < P::count; ++i) part<P>(r.e, i) = part<P>(mask.e, i) ? part<P>(a.e, i) : part<P>(b.e, i);
            return r;
        }
    }
    for (std::size_t i = 0; i < M::lanes; ++i) r.e[i] = mask.e[i] != 0 ? a.e[i] : b.e[i];
    return r;
}
// y where it is above x (or below), else x.
template <bool Above, class V>
[[nodiscard]] SINEW_ALWAYS_INLINE inline V one_beyond(V const& x, V const& y) noexcept {
    return Above ? (x < y ? y : x) : (y < x ? y : x);
}
#if defined(__AVX512VL__) && defined(__GNUC__) && !defined(__clang__)
#if __has_builtin(__builtin_ia32_maxps512_mask)
// With one instruction: what it answers to NaNs and zeros is that. Clang finds it by itself, and g++ for all but AVX-512.
template <bool Above, class V>
    requires(sizeof(V) >= 16)
[[nodiscard]] SINEW_ALWAYS_INLINE inline V one_beyond(V const& x, V const& y) noexcept {
    constexpr bool of_floats = sizeof(x[0]) == 4;
    constexpr int rounding_of_now = 4;
    if constexpr (sizeof(V) == 64 && of_floats)
        return Above ? __builtin_ia32_maxps512_mask(y, x, x, -1, rounding_of_now) : __builtin_ia32_minps512_mask(y, x, x, -1, rounding_of_now);
    else if constexpr (sizeof(V) == 64)
        return Above ? __builtin_ia32_maxpd512_mask(y, x, x, 0xff, rounding_of_now) : __builtin_ia32_minpd512_mask(y, x, x, 0xff, rounding_of_now);
    else if constexpr (sizeof(V) == 32 && of_floats)
        return Above ? __builtin_ia32_maxps256(y, x) : __builtin_ia32_minps256(y, x);
    else if constexpr (sizeof(V) == 32)
        return Above ? __builtin_ia32_maxpd256(y, x) : __builtin_ia32_minpd256(y, x);
    else if constexpr (of_floats)
        return Above ? __builtin_ia32_maxps(y, x) : __builtin_ia32_minps(y, x);
    else
        return Above ? __builtin_ia32_maxpd(y, x) : __builtin_ia32_minpd(y, x);
}
#endif
#endif
/// b where it is above a (or below), else a.
template <bool Above, class T, class B>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr B beyond(B const& a, B const& b) noexcept {
    using P = parts<T, B::lanes>;
    B r;
    if constexpr (P::are_vectors) {
        if (!std::is_constant_evaluated()) {
            for (std::size_t i = 0; i < P::count; ++i) part<P>(r.e, i) = one_beyond<Above>(part<P>(a.e, i), part<P>(b.e, i));
            return r;
        }
    }
    for (std::size_t i = 0; i < B::lanes; ++i) r.e[i] = (Above ? a.e[i] < b.e[i] : b.e[i] < a.e[i]) ? b.e[i] : a.e[i];
    return r;
}
/// The numbers of a with the signs of s.
template <class B, class T>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr B with_signs(B const& a, B const& s) noexcept {
    using P = parts<T, B::lanes>;
    B r;
    if constexpr (P::are_vectors) {
        if (!std::is_constant_evaluated()) {
            constexpr auto sign = std::numeric_limits<mask_word<T>>::min();
            for (std::size_t i = 0; i < P::count; ++i)
                part<P>(r.e, i) = (typename P::numbers)(((typename P::words)(part<P>(a.e, i)) & ~sign) | ((typename P::words)(part<P>(s.e, i)) & sign));
            return r;
        }
    }
    for (std::size_t i = 0; i < B::lanes; ++i) r.e[i] = copysign(a.e[i], s.e[i]);
    return r;
}
/// The numbers of a without their signs.
template <class B, class T>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr B without_signs(B const& a) noexcept {
    using P = parts<T, B::lanes>;
    B r;
    if constexpr (P::are_vectors) {
        if (!std::is_constant_evaluated()) {
            for (std::size_t i = 0; i < P::count; ++i) part<P>(r.e, i) = (typename P::numbers)((typename P::words)(part<P>(a.e, i)) & std::numeric_limits<mask_word<T>>::max());
            return r;
        }
    }
    for (std::size_t i = 0; i < B::lanes; ++i) r.e[i] = abs(a.e[i]);
    return r;
}
#if defined(__AVX512VL__) && defined(__AVX512DQ__)
// One bit a lane.
template <class V>
[[nodiscard]] SINEW_ALWAYS_INLINE inline unsigned signs_of(V const& words) noexcept {
    constexpr bool of_words = sizeof(words[0]) == 4;
    if constexpr (sizeof(V) == 64)
        return of_words ? __builtin_ia32_cvtd2mask512((vector_of<int, 64>::type)(words)) : __builtin_ia32_cvtq2mask512((vector_of<long long, 64>::type)(words));
    else if constexpr (sizeof(V) == 32)
        return of_words ? __builtin_ia32_cvtd2mask256((vector_of<int, 32>::type)(words)) : __builtin_ia32_cvtq2mask256((vector_of<long long, 32>::type)(words));
    else
        return of_words ? __builtin_ia32_cvtd2mask128((vector_of<int, 16>::type)(words)) : __builtin_ia32_cvtq2mask128((vector_of<long long, 16>::type)(words));
}
#endif
template <class T, class M>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr bool any_bit(M const& mask) noexcept {
    using P = parts<T, M::lanes>;
    if constexpr (P::are_vectors) {
        if (!std::is_constant_evaluated()) {
#if defined(__AVX512VL__) && defined(__AVX512DQ__)
            // Signs, gathered in a mask register: there a comparison has left them.
            if constexpr (P::count == 1) return signs_of(part<P>(mask.e, 0)) != 0;
#endif
            using halves = typename vector_of<std::uint64_t, P::bytes>::type;
#if defined(__AVX__)
            if constexpr (P::bytes == 32) {
                using quarters = typename vector_of<long long, 32>::type;
                quarters bits = (quarters)(part<P>(mask.e, 0));
                for (std::size_t i = 1; i < P::count; ++i) bits |= (quarters)(part<P>(mask.e, i));
                return __builtin_ia32_ptestz256(bits, bits) == 0;
            }
#endif
            halves bits = (halves)(part<P>(mask.e, 0));
            for (std::size_t i = 1; i < P::count; ++i) bits |= (halves)(part<P>(mask.e, i));
            std::uint64_t found = 0;
            for (std::size_t i = 0; i < P::bytes / 8; ++i) found |= bits[i];
            return found != 0;
        }
    }
    bool found = false;
    for (auto const x : mask.e) found = found || x != 0;
    return found;
}

// All lanes of a register with one instruction: see sqrt_by_hardware.
template <class V, class T>
SINEW_ALWAYS_INLINE inline void take_roots(V& to, V const& from, [[maybe_unused]] T zero) noexcept {
#if (defined(__GNUC__) || defined(__clang__)) && defined(__AVX__)
    if constexpr (sizeof(T) == 4)
        __asm__("vsqrtps %1, %0" : "=v"(to) : "v"(from));
    else
        __asm__("vsqrtpd %1, %0" : "=v"(to) : "v"(from));
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__SSE2__)
    if constexpr (sizeof(T) == 4)
        __asm__("sqrtps %1, %0" : "=x"(to) : "x"(from));
    else
        __asm__("sqrtpd %1, %0" : "=x"(to) : "x"(from));
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
    if constexpr (sizeof(T) == 4)
        __asm__("fsqrt %0.4s, %1.4s" : "=w"(to) : "w"(from));
    else
        __asm__("fsqrt %0.2d, %1.2d" : "=w"(to) : "w"(from));
#else
    V r{};
    for (std::size_t i = 0; i < sizeof(V) / sizeof(T); ++i) r[i] = sinew::v0::sqrt(from[i] + zero);
    to = r;
#endif
}
template <class B, class T>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr B roots(B const& x) noexcept {
    using P = parts<T, B::lanes>;
    B r;
    if constexpr (P::are_vectors) {
        if (!std::is_constant_evaluated()) {
            for (std::size_t i = 0; i < P::count; ++i) take_roots(part<P>(r.e, i), part<P>(x.e, i), T{});
            return r;
        }
    }
    for (std::size_t i = 0; i < B::lanes; ++i) r.e[i] = sinew::v0::sqrt(x.e[i]);
    return r;
}

}  // namespace sinew::inline v0::detail
