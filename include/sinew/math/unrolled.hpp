#pragma once
// Loops that are written out: over entries whose number is known, where compilers would not do it by themselves.

#include <sinew/config/inlining.hpp>
#include <sinew/math/scalar.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sinew::inline v0::detail {

/// f(0), f(1), ... f(N - 1), written out: f takes an integral_constant.
template <std::size_t N, class F>
SINEW_ALWAYS_INLINE constexpr void each_of(F const& f) noexcept {
    [&]<std::size_t... I>(std::index_sequence<I...>) SINEW_ALWAYS_INLINE { (f(std::integral_constant<std::size_t, I>{}), ...); }(std::make_index_sequence<N>{});
}
/// f(0) + f(1) + ... + f(N - 1), as a balanced tree: its depth is what a Gauss-Seidel sweep waits for. f takes an integral_constant.
template <std::size_t First, std::size_t N, class F>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr auto tree_sum(F const& f) noexcept {
    if constexpr (N == 1)
        return f(std::integral_constant<std::size_t, First>{});
    else
        return tree_sum<First, N - N / 2>(f) + tree_sum<First + N - N / 2, N / 2>(f);
}
/// How many, as a constant.
template <std::size_t N>
inline constexpr std::integral_constant<std::size_t, N> count_v{};
/// f(0), f(1), ... f(n - 1). Written out where n is a constant and S has lanes: compilers keep the entries of what they loop over in memory, each with a copy or two, and
/// read them before they are there. Else a loop, which they write out where it is worth it.
template <class S, class N, class F>
SINEW_ALWAYS_INLINE constexpr void each_below(N n, F const& f) noexcept {
    if constexpr (lanes_v<S> > 1 && !std::is_integral_v<N>)
        each_of<N::value>(f);
    else
        for (std::size_t i = 0; i < n; ++i) f(i);
}

}  // namespace sinew::inline v0::detail
