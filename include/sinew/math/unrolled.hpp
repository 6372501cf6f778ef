#pragma once
// Loops that are written out: over entries whose number is known, where compilers would not do it by themselves.

#include <sinew/config/inlining.hpp>
#include <sinew/math/scalar.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sinew::inline v0::detail {

/// How many, as a constant.
template <std::size_t N>
inline constexpr std::integral_constant<std::size_t, N> count_v{};

/// f(0), f(1), ... f(N - 1), written out: f takes an integral_constant.
template <std::size_t N, class F>
SINEW_ALWAYS_INLINE constexpr void each_of(F const& f) noexcept {
    [&]<std::size_t... I>(std::index_sequence<I...>) SINEW_ALWAYS_INLINE { (f(std::integral_constant<std::size_t, I>{}), ...); }(std::make_index_sequence<N>{});
}

// What follows is written out where code is optimised, and a loop elsewhere: a function per number is what takes long to compile. f takes either.
#if !SINEW_IS_UNOPTIMISED
/// f(0), f(1), ... f(n - 1) for a constant n, or one that f was given.
template <class N, class F>
SINEW_ALWAYS_INLINE constexpr void each_to(N, F const& f) noexcept {
    each_of<N::value>(f);
}
/// n - i, as such a number.
template <class N, class I>
SINEW_ALWAYS_INLINE constexpr auto count_less(N, I) noexcept {
    return count_v<N::value - I::value>;
}
/// f(first) + f(first + 1) + ... + f(first + n - 1), as a balanced tree: its depth is what a Gauss-Seidel sweep waits for.
template <class First, class N, class F>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr auto tree_sum(First first, N, F const& f) noexcept {
    constexpr std::size_t n = N::value;
    if constexpr (n == 1)
        return f(first);
    else
        return tree_sum(first, count_v<n - n / 2>, f) + tree_sum(count_v<First::value + n - n / 2>, count_v<n / 2>, f);
}
#else
template <class F>
constexpr void each_to(std::size_t n, F const& f) noexcept {
    for (std::size_t i = 0; i < n; ++i) f(i);
}
constexpr std::size_t count_less(std::size_t n, std::size_t i) noexcept { return n - i; }
template <class F>
[[nodiscard]] constexpr auto tree_sum(std::size_t first, std::size_t n, F const& f) noexcept -> decltype(f(first)) {
    if (n == 1) return f(first);
    return tree_sum(first, n - n / 2, f) + tree_sum(first + n - n / 2, n / 2, f);
}
#endif
/// Whether loops over so many numbers are written out: of lanes always, since compilers keep the entries of what they loop over in memory, each with a copy or
/// two, and read them before they are there; of floating point where it is to be fast. The results are the same; units that are compiled otherwise may be linked.
template <class S>
inline constexpr bool writes_out_v = lanes_v<S> > 1 || (SINEW_IS_FOR_SPEED && std::is_floating_point_v<S>);
/// f(0), f(1), ... f(n - 1). Written out where n is a constant; else a loop.
template <class S, class N, class F>
SINEW_ALWAYS_INLINE constexpr void each_below(N n, F const& f) noexcept {
    if constexpr (writes_out_v<S> && !std::is_integral_v<N>)
        each_of<N::value>(f);
    else
        for (std::size_t i = 0; i < n; ++i) f(i);
}

}  // namespace sinew::inline v0::detail
