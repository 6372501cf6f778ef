#pragma once
// A constraint that bounces. Optional of any constraint: restitution_rate(rates) gives, from the rates with which its rows are reached, those with
// which they are left (m/s, rad/s); 0 where nothing bounces, as below what counts as rest.
//
// One of which only the first row ever bounces may also give that row alone, to be asked in every step at a lower price: room(poses...) of its error,
// approach(poses..., twists...) of its rate; and approach_at_most(twists...), a bound of the latter whatever the poses.

#include <sinew/constraint/constraint.hpp>

namespace sinew::inline v0::detail {

/// It says with what rates its rows leave a hit.
template <class C, class S>
concept has_restitution = requires(C const& c, vec<S, rows_v<C>> const& rates) { c.restitution_rate(rates); };
/// Where a constraint may be at all what bounces at `times` its speed.
template <class C, class S, class... Twists>
[[nodiscard]] constexpr mask_t<S> may_bounce([[maybe_unused]] C const& c, [[maybe_unused]] S const& times, Twists const&... twists) {
    if constexpr (requires { c.approach_at_most(twists...); } && floating_scalar<S>) {  // squares of others have no digits
        vec<S, rows_v<C>> r{};
        r[0] = -(times * c.approach_at_most(twists...));
        return c.restitution_rate(r)[0] != S(0);
    } else {
        return true;
    }
}
template <class Cs, class S>
inline constexpr bool any_restitution_v = false;
template <class... Cs, class S>
inline constexpr bool any_restitution_v<std::tuple<Cs...>, S> = (has_restitution<Cs, S> || ...);

}  // namespace sinew::inline v0::detail
