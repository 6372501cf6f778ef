#pragma once
// Bounds around a linear solve, as compliant_implicit needs them: an active set, by block principal pivoting.
//
// A row is free, or its multiplier is one of its bounds. All rows that a solution shows to be on the wrong side change sides, as long as that
// makes their number less. If not for a while, those that change give more (compliant_rows.hpp): what goes round in circles are rows that say nearly the same. And if not
// even so, only the last of them does (Murty's rule, which comes to an end for a positive definite Schur complement J H^-1 J^T + W). After so many passes rows are only
// put to their bounds, which also ends: bounds hold in any case.

#include <sinew/solver/saddle_point.hpp>

namespace sinew::inline v0::detail {

template <class Env>
class row_active_set {
public:
    using S = typename Env::scalar;
    using rows_type = compliant_rows<Env>;

    /// From where the rows were at last.
    template <class P>
    constexpr void begin([[maybe_unused]] P const& p, [[maybe_unused]] rows_type& rows) {
        if constexpr (any_bounds) {
            bounded_rows_ = 0;
            passes_ = 0;
            rows.for_each(p, [&](auto& e, auto& w) {
                using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
                w.restless = false;
                if constexpr (is_bounded_v<C, S>) {
                    for (std::size_t r = 0; r < rows_v<C>; ++r) {
                        ++bounded_rows_;
                        // Bounds may have changed since: to none, or to one value.
                        bool const is_lower = w.at_bound[r] == at_lower && any(w.lower[r] > -infinity_v<S>);
                        bool const is_upper = w.at_bound[r] == at_upper && any(w.upper[r] < infinity_v<S>);
                        w.at_bound[r] = is_upper ? at_upper : is_lower || !any(w.lower[r] < w.upper[r]) ? at_lower : free_row;
                    }
                }
            });
            try_anew();
        }
    }
    /// By the solution of now. True if some rows have changed sides, so that the system must be solved again.
    template <class P>
    [[nodiscard]] constexpr bool revise([[maybe_unused]] P const& p, [[maybe_unused]] rows_type& rows, [[maybe_unused]] saddle_point<Env> const& system) {
        if constexpr (!any_bounds) {
            return false;
        } else {
            bool const only_clamp = passes_++ > 16 + 2 * bounded_rows_;
            std::size_t wrong = 0;
            rows.for_each(p, [&](auto& e, auto& w) { wrong += judge(p, e, w, system, only_clamp); });
            if (wrong == 0) return false;
            bool all_change = only_clamp;
            if (wrong < fewest_) {
                fewest_ = wrong;
                tries_ = 3;
                all_change = true;
                rows.for_each(p, [](auto&, auto& w) { w.restless = false; });
            } else if (tries_ > 0) {
                --tries_;
                all_change = true;
                rows.for_each(p, [](auto&, auto& w) { w.restless = w.restless || w.wanted != w.at_bound; });
            } else if (!only_clamp && rows.give_more(p)) {
                try_anew();
                return true;
            }
            std::size_t left = wrong;
            rows.for_each(p, [&](auto&, auto& w) {
                for (std::size_t r = 0; r < w.change.size(); ++r)
                    if (w.wanted[r] != w.at_bound[r] && (--left == 0 || all_change)) w.at_bound[r] = w.wanted[r];
            });
            return true;
        }
    }

private:
    static constexpr bool any_bounds = []<class... Cs>(std::tuple<Cs...>*) {
        return (is_bounded_v<Cs, S> || ...);
    }(static_cast<typename Env::constraint_types*>(nullptr));

    constexpr void try_anew() noexcept {
        fewest_ = bounded_rows_ + 1;
        tries_ = 3;
    }
    // On which side each bounded row belongs; how many are wrong.
    template <class P, class E, class W>
    [[nodiscard]] static constexpr std::size_t judge(P const& p, E const& e, W& w, saddle_point<Env> const& system, bool only_clamp) {
        using C = typename E::constraint_type;
        w.wanted = w.at_bound;
        std::size_t wrong = 0;
        if constexpr (is_bounded_v<C, S>) {
            if (!w.active) return 0;
            auto const dv = system.corrections_of(p, e);
            for (std::size_t r = 0; r < rows_v<C>; ++r) {
                S const rounding = S(64) * epsilon_v<S>;
                if (w.at_bound[r] == free_row) {
                    S const mu = w.mu[r] + w.change[r], slack = rounding * (abs(w.mu[r]) + abs(w.change[r]));
                    if (any(mu < w.lower[r] - slack)) w.wanted[r] = at_lower;
                    if (any(mu > w.upper[r] + slack)) w.wanted[r] = at_upper;
                } else if ((any(w.lower[r] < w.upper[r]) || parts_from(w.lower[r], w.upper[r])) && !only_clamp) {
                    S rest = w.W[r] * w.change[r] - w.r[r], size = abs(w.W[r] * w.change[r]) + abs(w.r[r]);
                    for (std::size_t k = 0; k < dof_v<C>; ++k) {
                        rest = rest + w.J(r, k) * dv[k];
                        size = size + abs(w.J(r, k) * dv[k]);
                    }
                    bool const is_one = !any(w.lower[r] < w.upper[r]);
                    if (w.at_bound[r] == at_lower && any(rest < -rounding * size)) w.wanted[r] = is_one ? at_upper : free_row;
                    if (w.at_bound[r] == at_upper && any(rest > rounding * size)) w.wanted[r] = is_one ? at_lower : free_row;
                }
                wrong += w.wanted[r] != w.at_bound[r] ? 1u : 0u;
            }
        }
        return wrong;
    }

    // Bounds that are one value and part with what it has derivatives by, as of a motor of strength 0.
    [[nodiscard]] static constexpr bool parts_from(S const& lower, S const& upper) noexcept {
        if constexpr (derivative_order_v<S> > 0)
            return !any(lower < upper) && any(differs(lower, upper));
        else
            return false;
    }

    std::size_t bounded_rows_ = 0, fewest_ = 0, passes_ = 0;
    int tries_ = 0;
};

}  // namespace sinew::inline v0::detail
