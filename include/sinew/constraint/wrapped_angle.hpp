#pragma once
// Angles know no whole turns: which of theta + 2 pi k is meant.

#include <sinew/math/elementary.hpp>
#include <sinew/math/scalar.hpp>

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
