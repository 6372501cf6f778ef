#pragma once
// How far a contact's friction may go: the shape that its multipliers (N) stay in, given the force that presses.
//
//   |lambda_t| <= mu lambda_n                              friction_cone: alike in every direction (Waterson 2026, eq. 5.53)
//   |lambda_1| <= mu lambda_n, |lambda_2| <= mu lambda_n   friction_pyramid: four sides (Vondrak 2005, eq. 6.43)
//   the same with lambda_n of the last step                friction_lagged: the bounds are known beforehand (Loetstedt; Vondrak 2005, 6.5.3)
//
// Rows that press and rub. A constraint of three rows, a push along a normal and friction along two directions across it, has a
// member `within_friction(lambda)`: the nearest allowed friction under the push lambda[0]. Strategies that go constraint by constraint
// find the push first, then the friction, and cut it by this rule, so that the push is not the wrong one where the friction has been cut.
// Strategies that solve for all rows at once know bounds only: `limits(lambda, poses...)` of such a constraint are those of a pyramid.

#include <sinew/constraint/constraint.hpp>

namespace sinew::inline v0 {

namespace detail {
// Friction that is cut to nothing though it is 0 already, as what stands still on ice: there derivatives are cut too, of which the values tell nothing.
template <class S>
constexpr void cut_derivatives([[maybe_unused]] S const& most, [[maybe_unused]] S& along, [[maybe_unused]] S& across) noexcept {
    if constexpr (derivative_order_v<S> > 0) {
        S const left = select(!(most > S(0)) && along == S(0) && across == S(0), S(0), S(1));
        along = along * left;
        across = across * left;
    }
}
}  // namespace detail

/// Alike in every direction.
struct friction_cone {
    static constexpr bool is_lagged = false, is_round = true;
    template <class S>
    [[nodiscard]] static constexpr vec<S, 3> within(vec<S, 3> lambda, S const& most) noexcept {
        detail::cut_derivatives(most, lambda[1], lambda[2]);
        if constexpr (floating_scalar<S>) {
            S const size2 = lambda[1] * lambda[1] + lambda[2] * lambda[2];
            auto const inside = size2 <= most * most;
            if (all(inside)) return lambda;
            S const scale = select(inside, S(1), most / sqrt(select(inside, S(1), size2)));
            return {lambda[0], lambda[1] * scale, lambda[2] * scale};
        } else {  // what would stop the slip at once may be thousands of newtons, whose square has no room
            vec<S, 2> const along{lambda[1], lambda[2]};
            auto const inside = norm(along) <= most;
            vec<S, 2> const cut = normalize(along) * most;
            return {lambda[0], select(inside, along[0], cut[0]), select(inside, along[1], cut[1])};
        }
    }
};
/// Each direction by itself: more in between, by up to sqrt(2).
struct friction_pyramid {
    static constexpr bool is_lagged = false, is_round = false;
    template <class S>
    [[nodiscard]] static constexpr vec<S, 3> within(vec<S, 3> lambda, S const& most) noexcept {
        detail::cut_derivatives(most, lambda[1], lambda[2]);
        return {lambda[0], clamp(lambda[1], -most, most), clamp(lambda[2], -most, most)};
    }
};
/// A cone whose width is that of the last step.
struct friction_lagged : friction_cone {
    static constexpr bool is_lagged = true;
};

/// A constraint whose rows are a push and friction across it.
template <class C, class S>
concept presses_and_rubs = has_rows<C> && (constraint_traits<C>::rows() == 3) && requires(C const& c, vec<S, 3> const& lambda) {
    { c.within_friction(lambda) } -> std::convertible_to<vec<S, 3>>;
};

}  // namespace sinew::inline v0
