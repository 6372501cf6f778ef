#pragma once
// A constraint that bounces. Optional of any constraint: restitution_rate(rates) gives, from the rates with which its rows are reached, those with
// which they are left (m/s, rad/s); 0 where nothing bounces, as below what counts as rest.

#include <sinew/constraint/constraint.hpp>

namespace sinew::inline v0::detail {

/// It says with what rates its rows leave a hit.
template <class C, class S>
concept has_restitution = requires(C const& c, vec<S, rows_v<C>> const& rates) { c.restitution_rate(rates); };
template <class Cs, class S>
inline constexpr bool any_restitution_v = false;
template <class... Cs, class S>
inline constexpr bool any_restitution_v<std::tuple<Cs...>, S> = (has_restitution<Cs, S> || ...);

}  // namespace sinew::inline v0::detail
