#pragma once
// The square of a number as a factor: x * squared(h), x / squared(h).
//
// Of floating-point numbers it is h * h. A number without an exponent keeps few digits of a small square (of h = 1/60 s, 18 steps in Q15.16), and none
// of the square's reciprocal: there the factor is applied twice.

#include <sinew/math/vec.hpp>

namespace sinew::inline v0::detail {

template <class S>
struct applied_twice {
    S root;
};
template <class T, class S>
[[nodiscard]] constexpr T operator*(T const& x, applied_twice<S> const& f) noexcept {
    return (x * f.root) * f.root;
}
template <class S, class T>
[[nodiscard]] constexpr T operator*(applied_twice<S> const& f, T const& x) noexcept {
    return (x * f.root) * f.root;
}
template <class T, class S>
[[nodiscard]] constexpr T operator/(T const& x, applied_twice<S> const& f) noexcept {
    return (x / f.root) / f.root;
}

template <class S>
[[nodiscard]] constexpr auto squared(S const& x) noexcept {
    if constexpr (floating_scalar<S>)
        return x * x;
    else
        return applied_twice<S>{x};
}

/// 1 / x, also of a square.
template <class S>
[[nodiscard]] constexpr S reciprocal(S const& x) noexcept {
    return S(1) / x;
}
template <class S>
[[nodiscard]] constexpr auto reciprocal(applied_twice<S> const& f) noexcept {
    return applied_twice<S>{S(1) / f.root};
}

}  // namespace sinew::inline v0::detail
