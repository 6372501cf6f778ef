#pragma once
// Lengths of vectors of fixed-point numbers. Squares of them would leave the range (182 m in Q15.16) or vanish (4 mm), so they are summed whole.

#include <sinew/math/dual.hpp>
#include <sinew/math/fixed_functions.hpp>
#include <sinew/math/vec.hpp>

namespace sinew::inline v0 {

namespace detail {

template <int I, int F, std::size_t N>
[[nodiscard]] constexpr two_words sum_of_squares(vec<fixed<I, F>, N> const& a) noexcept {
    two_words s{0, 0};
    for (std::size_t i = 0; i < N; ++i) {
        std::uint64_t const m = a.e[i].magnitude();
        if constexpr (fixed<I, F>::is_narrow)
            s = sum(s, {0, m * m});
        else
            s = sum(s, product(m, m));
    }
    return s;
}
// The root to the nearest.
[[nodiscard]] constexpr std::uint64_t nearest_sqrt(two_words s) noexcept {
    std::uint64_t const r = floor_sqrt(s);
    return r + (less({0, r}, difference(s, product(r, r))) ? 1 : 0);
}

}  // namespace detail

/// Euclidean length, to the nearest.
template <int I, int F, std::size_t N>
[[nodiscard]] constexpr fixed<I, F> norm(vec<fixed<I, F>, N> const& a) noexcept {
    return fixed<I, F>::nearest(detail::nearest_sqrt(detail::sum_of_squares(a)), false);
}

/// a / |a| with every digit, however short a is; the zero vector stays zero.
template <int I, int F, std::size_t N>
[[nodiscard]] constexpr vec<fixed<I, F>, N> normalize(vec<fixed<I, F>, N> const& a) noexcept {
    using T = fixed<I, F>;
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < N; ++i) largest |= static_cast<std::uint64_t>(a.e[i].magnitude());
    if (largest == 0) return a;
    // The same direction as long as its length fits: then that has all the digits that the quotients need.
    static_assert(N < 16);
    constexpr int room = I + F - (N < 4 ? 1 : 2);
    int const up = room - (64 - std::countl_zero(largest));
    vec<T, N> b;
    for (std::size_t i = 0; i < N; ++i)
        b.e[i].raw = static_cast<typename T::storage>(up >= 0 ? a.e[i].raw * (typename T::storage{1} << up) : a.e[i].raw / (typename T::storage{1} << -up));
    T const length = norm(b);
    for (std::size_t i = 0; i < N; ++i) b.e[i] = b.e[i] / length;
    return b;
}

namespace detail {
template <class S, std::size_t L, std::size_t N>
[[nodiscard]] constexpr vec<S, N> values_of(vec<dual<S, L>, N> const& a) noexcept {
    vec<S, N> v;
    for (std::size_t i = 0; i < N; ++i) v.e[i] = a.e[i].v;
    return v;
}
template <class S, std::size_t L, std::size_t N>
[[nodiscard]] constexpr vec<S, N> lane_of(vec<dual<S, L>, N> const& a, std::size_t lane) noexcept {
    vec<S, N> d;
    for (std::size_t i = 0; i < N; ++i) d.e[i] = a.e[i].d[lane];
    return d;
}
}  // namespace detail

/// The same with derivatives: |a|' = u . a', u = a / |a|; 0 at the zero vector.
template <class S, std::size_t L, std::size_t N>
    requires(!floating_scalar<S>)
[[nodiscard]] constexpr dual<S, L> norm(vec<dual<S, L>, N> const& a) noexcept {
    vec<S, N> const v = detail::values_of(a), u = normalize(v);
    dual<S, L> r(norm(v));
    for (std::size_t l = 0; l < L; ++l) r.d[l] = dot(u, detail::lane_of(a, l));
    return r;
}
/// u' = (a' - (u . a') u) / |a|.
template <class S, std::size_t L, std::size_t N>
    requires(!floating_scalar<S>)
[[nodiscard]] constexpr vec<dual<S, L>, N> normalize(vec<dual<S, L>, N> const& a) noexcept {
    vec<S, N> const v = detail::values_of(a), u = normalize(v);
    S const length = norm(v);
    vec<dual<S, L>, N> r;
    for (std::size_t i = 0; i < N; ++i) r.e[i] = dual<S, L>(u.e[i]);
    if (all(length == S(0))) return r;
    for (std::size_t l = 0; l < L; ++l) {
        vec<S, N> const d = detail::lane_of(a, l);
        S const along = dot(u, d);
        for (std::size_t i = 0; i < N; ++i) r.e[i].d[l] = (d.e[i] - along * u.e[i]) / length;
    }
    return r;
}

}  // namespace sinew::inline v0
