#pragma once
// Traces of motion (math/traces.hpp). Bodies that a joint far along a chain hardly reaches, or that are nearly at rest, move by less and less, until products of
// their speeds are subnormal, and a sweep over a thousand joints took four times as long by them. So a speed below 1e-15 m/s or rad/s (float; 1e-123 in double)
// is none: what is lost is a push that gains no more than that in a whole step, 1e-9 m/s^2 for a microsecond.

#include <sinew/body/twist.hpp>
#include <sinew/math/float_tools.hpp>

#include <limits>

namespace sinew::inline v0::detail {

template <class T>
inline constexpr T least_speed_v = power_of_two<T>(std::numeric_limits<T>::min_exponent * 2 / 5);

// 0 for every component below `least`, one by one: g++ copies vectors of lanes in other pieces than they are written in. Derivatives stay.
template <floating_scalar S>
constexpr void drop_below(value_type_t<S> least, vec3<S>& v) noexcept {
    for (S& x : v.e) {
        auto const trace = abs(x) < S(least);
        if constexpr (derivative_order_v<S> > 0)
            x = select(trace, x - S(value(x)), x);
        else
            x = select(trace, S(0), x);
    }
}
/// A twist without speeds that are none; numbers without an exponent have no such.
template <class S>
constexpr void drop_traces([[maybe_unused]] twist<S>& t) noexcept {
    if constexpr (floating_scalar<S>) {
        drop_below(least_speed_v<value_type_t<S>>, t.linear);
        drop_below(least_speed_v<value_type_t<S>>, t.angular);
    }
}

}  // namespace sinew::inline v0::detail
