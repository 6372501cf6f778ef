#pragma once
// Many structs of a few numbers as a few batches, and back: lane i of x[k] is number k of struct i.
//
//   load_columns<7>(poses, x)     x[0] ... x[6], from the seven numbers that each of poses[i] points to
//   store_columns(x, velocities)  four numbers each
//
// Four numbers at a time, transposed in registers: what is written number by number and read back as a whole waits for the store buffer, which
// costs more than the arithmetic in between.

#include <sinew/config/inlining.hpp>
#include <sinew/math/batch.hpp>

#include <array>
#include <utility>

namespace sinew::inline v0 {

namespace detail {

#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)

// Four numbers. They are read and written as bytes, wherever they stand: clang forgets the alignment of a vector type that depends on T.
template <class T>
using loose_quad = typename vector_of<T, 4 * sizeof(T)>::type;

// Whether the parts of a batch are made of whole fours.
template <class T, std::size_t N>
inline constexpr bool has_quad_columns_v = parts<T, N>::are_vectors && parts<T, N>::lanes % 4 == 0;

// Row i of W / 4 matrices of 4 x 4, side by side, from the rows i, 4 + i, ... of what they are gathered from.
template <class P, class T>
[[nodiscard]] SINEW_ALWAYS_INLINE inline typename P::numbers quads_beside(T const* const* from, std::size_t i, std::size_t k) noexcept {
    auto const at = [&](std::size_t lane) SINEW_ALWAYS_INLINE {
        loose_quad<T> q;
        __builtin_memcpy(&q, from[lane] + k, sizeof q);
        return q;
    };
    if constexpr (P::lanes == 4) {
        return at(i);
    } else if constexpr (P::lanes == 8) {
        return __builtin_shufflevector(at(i), at(i + 4), 0, 1, 2, 3, 4, 5, 6, 7);
    } else {
        return __builtin_shufflevector(__builtin_shufflevector(at(i), at(i + 4), 0, 1, 2, 3, 4, 5, 6, 7), __builtin_shufflevector(at(i + 8), at(i + 12), 0, 1, 2, 3, 4, 5, 6, 7), 0, 1, 2, 3, 4, 5, 6, 7,
                                       8, 9, 10, 11, 12, 13, 14, 15);
    }
}
template <class T, class V>
SINEW_ALWAYS_INLINE inline void put_quad(T* to, V const& rows, std::size_t group) noexcept {
    loose_quad<T> place;
    if constexpr (sizeof(V) == sizeof(place)) {
        place = rows;
    } else {
        switch (group) {
            case 0: place = __builtin_shufflevector(rows, rows, 0, 1, 2, 3); break;
            case 1: place = __builtin_shufflevector(rows, rows, 4, 5, 6, 7); break;
            default:
                if constexpr (sizeof(V) > 2 * sizeof(place)) {
                    if (group == 2)
                        place = __builtin_shufflevector(rows, rows, 8, 9, 10, 11);
                    else
                        place = __builtin_shufflevector(rows, rows, 12, 13, 14, 15);
                }
        }
    }
    __builtin_memcpy(to, &place, sizeof place);
}
// Numbers a, b of every four of x beside numbers c, d of the same four of y.
template <int A, int B, int C, int D, class V>
[[nodiscard]] SINEW_ALWAYS_INLINE inline V of_fours(V const& x, V const& y) noexcept {
    if constexpr (sizeof(V) / sizeof(x[0]) == 4)
        return __builtin_shufflevector(x, y, A, B, 4 + C, 4 + D);
    else if constexpr (sizeof(V) / sizeof(x[0]) == 8)
        return __builtin_shufflevector(x, y, A, B, 8 + C, 8 + D, 4 + A, 4 + B, 12 + C, 12 + D);
    else
        return __builtin_shufflevector(x, y, A, B, 16 + C, 16 + D, 4 + A, 4 + B, 20 + C, 20 + D, 8 + A, 8 + B, 24 + C, 24 + D, 12 + A, 12 + B, 28 + C, 28 + D);
}
template <class V>
[[nodiscard]] SINEW_ALWAYS_INLINE inline V low_pairs(V const& x, V const& y) noexcept {
    if constexpr (sizeof(V) / sizeof(x[0]) == 4)
        return __builtin_shufflevector(x, y, 0, 4, 1, 5);
    else if constexpr (sizeof(V) / sizeof(x[0]) == 8)
        return __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13);
    else
        return __builtin_shufflevector(x, y, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
}
template <class V>
[[nodiscard]] SINEW_ALWAYS_INLINE inline V high_pairs(V const& x, V const& y) noexcept {
    if constexpr (sizeof(V) / sizeof(x[0]) == 4)
        return __builtin_shufflevector(x, y, 2, 6, 3, 7);
    else if constexpr (sizeof(V) / sizeof(x[0]) == 8)
        return __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15);
    else
        return __builtin_shufflevector(x, y, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
}
// Matrices of 4 x 4, each transposed.
template <class V>
SINEW_ALWAYS_INLINE inline void transpose_fours(V& a, V& b, V& c, V& d) noexcept {
    V const ab = low_pairs(a, b), cd = low_pairs(c, d), AB = high_pairs(a, b), CD = high_pairs(c, d);
    a = of_fours<0, 1, 0, 1>(ab, cd);
    b = of_fours<2, 3, 2, 3>(ab, cd);
    c = of_fours<0, 1, 0, 1>(AB, CD);
    d = of_fours<2, 3, 2, 3>(AB, CD);
}
template <class T, std::size_t N>
SINEW_ALWAYS_INLINE inline void load_four_columns(T const* const* from, std::size_t k, batch<T, N>* x) noexcept {
    using P = parts<T, N>;
    for (std::size_t p = 0; p < P::count; ++p) {
        T const* const* const rows = from + p * P::lanes;
        auto a = quads_beside<P>(rows, 0, k), b = quads_beside<P>(rows, 1, k), c = quads_beside<P>(rows, 2, k), d = quads_beside<P>(rows, 3, k);
        transpose_fours(a, b, c, d);
        part<P>(x[0].e, p) = a;
        part<P>(x[1].e, p) = b;
        part<P>(x[2].e, p) = c;
        part<P>(x[3].e, p) = d;
    }
}
template <class T, std::size_t N>
SINEW_ALWAYS_INLINE inline void store_four_columns(batch<T, N> const* x, T* const* to, std::size_t k) noexcept {
    using P = parts<T, N>;
    for (std::size_t p = 0; p < P::count; ++p) {
        T* const* const rows = to + p * P::lanes;
        auto a = part<P>(x[0].e, p), b = part<P>(x[1].e, p), c = part<P>(x[2].e, p), d = part<P>(x[3].e, p);
        transpose_fours(a, b, c, d);
        for (std::size_t g = 0; g < P::lanes / 4; ++g) {
            put_quad(rows[4 * g] + k, a, g);
            put_quad(rows[4 * g + 1] + k, b, g);
            put_quad(rows[4 * g + 2] + k, c, g);
            put_quad(rows[4 * g + 3] + k, d, g);
        }
    }
}

#else

template <class, std::size_t>
inline constexpr bool has_quad_columns_v = false;
template <class T, std::size_t N>
void load_four_columns(T const* const*, std::size_t, batch<T, N>*) noexcept;
template <class T, std::size_t N>
void store_four_columns(batch<T, N> const*, T* const*, std::size_t) noexcept;

#endif

}  // namespace detail

/// x[k], lane i, is from[i][k], for K numbers each.
template <std::size_t K, std::floating_point T, std::size_t N>
SINEW_ALWAYS_INLINE constexpr void load_columns(std::array<T const*, N> const& from, batch<T, N>* x) noexcept {
    if constexpr (K >= 4 && detail::has_quad_columns_v<T, N>) {
        if (!std::is_constant_evaluated()) {
            for (std::size_t k = 0; k + 4 <= K; k += 4) detail::load_four_columns(from.data(), k, x + k);
            if constexpr (K % 4 != 0) detail::load_four_columns(from.data(), K - 4, x + (K - 4));
            return;
        }
    }
    for (std::size_t k = 0; k < K; ++k)
        for (std::size_t i = 0; i < N; ++i) x[k].e[i] = from[i][k];
}
/// to[i][from + k] is x[k], lane i, for four numbers each; in the order of the lanes.
template <std::floating_point T, std::size_t N>
SINEW_ALWAYS_INLINE constexpr void store_columns(batch<T, N> const* x, std::array<T*, N> const& to, std::size_t from = 0) noexcept {
    if constexpr (detail::has_quad_columns_v<T, N>) {
        if (!std::is_constant_evaluated()) {
            detail::store_four_columns(x, to.data(), from);
            return;
        }
    }
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t k = 0; k < 4; ++k) to[i][from + k] = x[k].e[i];
}

}  // namespace sinew::inline v0
