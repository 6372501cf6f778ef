#pragma once
// Traces: what is so small beside 1 that products of two of it are subnormal. Of bodies that lie nearly along the axes of the world there are many, and some
// processors take fifty times as long for each. So where numbers of a known size are made, they are rounded to multiples of 2^-60 of it.

#include <sinew/config/inlining.hpp>
#include <sinew/math/scalar.hpp>

namespace sinew::inline v0::detail {

/// Float alone: in double such products are far from subnormal.
template <class S>
inline constexpr bool drops_traces_v = floating_scalar<S> && sizeof(value_type_t<S>) == 4;

/// What of x is more than 2^-61 of `size`: x + c - c, with c odd in the last place of its own, 2^-60. In no other place is it half of one: there each sum would be a
/// tie, and x would drift. Derivatives stay. Q: a number, or several side by side.
template <class Q, class S>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q without_traces(Q const& x, S const& size) noexcept {
    S const c = size * S(value_type_t<S>(0x1.800002p-37));
    if constexpr (requires { Q::splat(c); }) {
        Q const all = Q::splat(c);
        return (x + all) - all;
    } else {
        return (x + c) - c;
    }
}

/// A number of a rotation: a coordinate of a unit quaternion, an entry of a matrix.
template <class S>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr S tilt(S const& x) noexcept {
    if constexpr (drops_traces_v<S>)
        return detail::without_traces(x, S(1));
    else
        return x;
}

}  // namespace sinew::inline v0::detail
