#pragma once
// The rows of one constraint while its bodies are struck: all that stays as it is while only velocities change.
//
//   J v + o      their rates;  o: what they have when the bodies are at rest, as of a surface that moves by itself
//   K            J M^-1 J^T
//   w, p         rates that are wanted, and impulses so far (m/s, N s; rad/s, N m s)

#include <sinew/core/call_with.hpp>
#include <sinew/solver/row_block.hpp>

namespace sinew::inline v0::detail {

template <class C, class S>
struct struck_rows {
    static constexpr std::size_t M = rows_v<C>;
    static constexpr bool rubs = presses_and_rubs<C, S>;
    // Friction in proportion to the push is asked in N s as well: the force of a hit over a short step has no room in fixed point.
    static constexpr bool rubs_in_proportion = requires { requires !C::friction_type::is_lagged; };

    jacobian_t<C, S> J{};
    mat<S, M, M> K{};
    vec<S, M> at_rest{};
    struct none {};
    [[no_unique_address]] std::conditional_t<rubs, rubbing_steps<S>, none> steps{};

    /// At the poses of now.
    template <class P, class E>
    constexpr void prepare(P const& p, E const& e) {
        J = entry_jacobian(p, e);
        K = detail::call_with([&](auto const&... w) { return inverse_effective_mass(J, weighted_jacobian<C>(J, w...)); }, inverse_masses_of(p, e));
        // Of the poses alone: what has been struck before, or in another lane, is not to round it otherwise.
        at_rest = detail::call_with([&]<class... Twists>(Twists const&...) { return rate_of(e.constraint, poses_of(p, e), std::tuple<Twists...>{}); }, twists_of(p, e));
        if constexpr (rubs) steps = rubbing_steps<S>(K);
    }
    template <class P, class E>
    [[nodiscard]] constexpr vec<S, M> rates(P const& p, E const& e) const {
        return J * stacked_velocity<C>(twists_of(p, e)) + at_rest;
    }
    /// Impulses for the rates that are wanted, of each row as if it were alone, and without friction.
    template <class P, class E>
    [[nodiscard]] constexpr vec<S, M> alone(P const& p, E const& e, vec<S, M> const& wanted) const {
        vec<S, M> const missing = wanted - rates(p, e);
        vec<S, M> impulse{};
        for (std::size_t i = 0; i < (rubs ? 1 : M); ++i) {
            auto const idle = wanted[i] == S(0) || K(i, i) <= S(0);
            impulse[i] = select(idle, S(0), max(missing[i] / select(idle, S(1), K(i, i)), S(0)));
        }
        return impulse;
    }
    /// By how much the impulses change for rates not below those wanted, with impulses not below 0; friction is taken along. Rows that only press
    /// are left alone where no rate is wanted. h: for how long the impulses act, s.
    template <class P, class E>
    [[nodiscard]] constexpr vec<S, M> change(P const& p, E const& e, vec<S, M> const& wanted, vec<S, M> const& impulse, [[maybe_unused]] S const& h) const {
        vec<S, M> const r = rates(p, e) - wanted;
        if constexpr (rubs) {
            return solve_rubbing(2, e.constraint, K, steps, r, impulse, S(0), infinity_v<S>, rubs_in_proportion && !floating_scalar<S> ? S(1) : h, S(1));
        } else {
            vec<S, M> dp{};
            for (std::size_t i = 0; i < M; ++i) {
                auto const idle = wanted[i] == S(0) || K(i, i) <= S(0);
                dp[i] = select(idle, S(0), max(impulse[i] - r[i] / select(idle, S(1), K(i, i)), S(0)) - impulse[i]);
            }
            return dp;
        }
    }
};

}  // namespace sinew::inline v0::detail
