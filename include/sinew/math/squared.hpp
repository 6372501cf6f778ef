#pragma once
// The square of a number as a divisor: x / squared(h).
//
// Of floating-point numbers it is h * h. A number without an exponent keeps few digits of a small square (of h = 1/60 s, 18 steps in Q15.16), and none
// of the square's reciprocal: there is divided by the number twice.

#include <sinew/math/vec.hpp>

namespace sinew::inline v0::detail {

template <class S>
struct applied_twice {
    S root;
};
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

}  // namespace sinew::inline v0::detail
