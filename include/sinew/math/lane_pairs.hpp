#pragma once
// Two batches of N lanes side by side in one of 2 N: where the processor has registers of that width, what is done twice alike is done once. The bits are the same.

#include <sinew/config/inlining.hpp>
#include <sinew/math/batch.hpp>

#include <type_traits>
#include <utility>

namespace sinew::inline v0::detail {

/// Whether a register takes two S.
template <class S>
inline constexpr bool has_lane_pairs_v = false;
template <class T, std::size_t N>
inline constexpr bool has_lane_pairs_v<batch<T, N>> = parts<T, N>::are_vectors && parts<T, 2 * N>::count == 1;
template <class S>
struct lane_pair;
template <class T, std::size_t N>
struct lane_pair<batch<T, N>> {
    using type = batch<T, 2 * N>;
};
// Lanes, or words of a mask, two of which compilers take as one vector.
template <class B>
inline constexpr bool pairs_as_vectors_v = (B::lanes & (B::lanes - 1)) == 0 && sizeof(B) >= 16 && sizeof(B) <= 32;
/// A batch of twice the lanes.
template <class S>
using lane_pair_t = typename lane_pair<S>::type;
/// Whether there is a machine with such a register: of this no layout may depend on more than the type.
template <class S>
inline constexpr bool may_have_lane_pairs_v = requires { typename lane_pair<S>::type; } && sizeof(S) <= 32;

/// a in the lower half of the lanes, b in the upper half. Of batches or their masks.
template <class R, class B>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr R side_by_side(B const& a, B const& b) noexcept {
    R r;
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
    if constexpr (pairs_as_vectors_v<B>) {
        if (!std::is_constant_evaluated()) {
            using T = std::remove_cvref_t<decltype(a.e[0])>;
            using half = typename vector_of<T, sizeof(B)>::type;
            using whole = typename vector_of<T, sizeof(R)>::type;
            auto const& x = *static_cast<half const*>(static_cast<void const*>(a.e));
            auto const& y = *static_cast<half const*>(static_cast<void const*>(b.e));
            [&]<std::size_t... I>(std::index_sequence<I...>) SINEW_ALWAYS_INLINE {
                *static_cast<whole*>(static_cast<void*>(r.e)) = __builtin_shufflevector(x, y, I...);
            }(std::make_index_sequence<R::lanes>{});
            return r;
        }
    }
#endif
    for (std::size_t i = 0; i < B::lanes; ++i) {
        r.e[i] = a.e[i];
        r.e[B::lanes + i] = b.e[i];
    }
    return r;
}
/// The lower half of the lanes, or the upper one.
template <class B, bool Upper, class R>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr B half_of(R const& a) noexcept {
    B r;
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
    if constexpr (pairs_as_vectors_v<B>) {
        if (!std::is_constant_evaluated()) {
            using T = std::remove_cvref_t<decltype(a.e[0])>;
            using half = typename vector_of<T, sizeof(B)>::type;
            using whole = typename vector_of<T, sizeof(R)>::type;
            auto const& x = *static_cast<whole const*>(static_cast<void const*>(a.e));
            [&]<std::size_t... I>(std::index_sequence<I...>) SINEW_ALWAYS_INLINE {
                *static_cast<half*>(static_cast<void*>(r.e)) = __builtin_shufflevector(x, x, (Upper ? B::lanes + I : I)...);
            }(std::make_index_sequence<B::lanes>{});
            return r;
        }
    }
#endif
    for (std::size_t i = 0; i < B::lanes; ++i) r.e[i] = a.e[Upper ? B::lanes + i : i];
    return r;
}
/// The first numbers of two structs that begin with S alone, side by side in those of a third; and back, into both.
template <std::size_t Numbers, class S>
SINEW_ALWAYS_INLINE inline void pair_numbers(S const* a, S const* b, lane_pair_t<S>* to) noexcept {
    for (std::size_t i = 0; i < Numbers; ++i) to[i] = side_by_side<lane_pair_t<S>>(a[i], b[i]);
}
template <std::size_t Numbers, class S>
SINEW_ALWAYS_INLINE inline void part_numbers(lane_pair_t<S> const* from, S* a, S* b) noexcept {
    for (std::size_t i = 0; i < Numbers; ++i) {
        a[i] = half_of<S, false>(from[i]);
        b[i] = half_of<S, true>(from[i]);
    }
}

}  // namespace sinew::inline v0::detail
