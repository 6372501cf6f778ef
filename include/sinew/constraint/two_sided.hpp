#pragma once
// A number kept between two limits by a single row: the row belongs to the nearer limit.
//
//   nearer to the lower limit   c = x - lower >= 0,  lambda >= 0
//   nearer to the upper limit   c = x - upper <= 0,  lambda <= 0
//
// Between the limits neither c nor J is 0; the bounds of lambda alone keep the row from acting, as in every inequality. An
// iterative solver can therefore take back exactly that part of an earlier push which has become too much; a row that
// was cut to 0 between the limits would forget the push and leave its displacement behind. A limit may be infinite, but
// not both.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/stack.hpp>

namespace sinew::inline v0::detail {

/// x - lower or x - upper.
template <class T, class S>
[[nodiscard]] constexpr T beyond_nearer(T const& x, S const& lower, S const& upper) noexcept {
    T const above_lower = x - lower, above_upper = x - upper;
    return select(above_lower < -above_upper, above_lower, above_upper);
}
/// Bounds of the multiplier of that row.
template <class S>
[[nodiscard]] constexpr bounds<S, 1> bounds_of_nearer(S const& x, S const& lower, S const& upper) noexcept {
    auto const low = x - lower < upper - x;
    return {{select(low, S(0), -infinity_v<S>)}, {select(low, infinity_v<S>, S(0))}};
}

template <class S>
[[nodiscard]] constexpr input_fault order_fault(S const& lower, S const& upper) noexcept {
    if (!all(lower <= upper)) return {"lower", "must not be above `upper`", detail::shown_number(lower, lower <= upper)};
    if (!all(lower < infinity_v<S>)) return {"lower", "must not be infinitely high", detail::shown_number(lower, lower < infinity_v<S>)};
    if (!all(-infinity_v<S> < upper)) return {"upper", "must not be infinitely low", detail::shown_number(upper, -infinity_v<S> < upper)};
    return {};
}
/// The same, where at least one of the limits must be a number.
template <class S>
[[nodiscard]] constexpr input_fault limits_fault(S const& lower, S const& upper) noexcept {
    auto const any = isfinite(lower) || isfinite(upper);
    if (!all(any)) return {"lower", "or `upper` must be finite: a limit without limits is none; `lower`", detail::shown_number(lower, any)};
    return order_fault(lower, upper);
}

}  // namespace sinew::inline v0::detail
