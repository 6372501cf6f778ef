#pragma once
// The equation of an implicit one-stage method, solved to rounding.
//
//   d = g f(t + c h, y + d),   g = c h       c = 1/2: implicit midpoint, c = 1: implicit Euler
//
// The unknown is the increment d, not the state: the rounding of y does not enter the iteration (Hairer, McLachlan,
// Razakarivony 2008). First by fixed-point iteration, which costs one evaluation each and converges while
// g |df/dy| < 1. Where it does not contract, or so slowly that a Jacobian is cheaper, by Newton's method with a dense
// Jacobian from finite differences, which solves stiff systems.
//
// There is no tolerance to choose: an iteration ends when the increment no longer changes, or when its changes have
// stopped shrinking at the level of rounding. Derivatives that numbers carry take no part in that: they follow, when the values are there.

#include <sinew/ode/integrator.hpp>
#include <sinew/ode/lu.hpp>

#include <cstddef>

namespace sinew::inline v0::detail {

template <class F, class Attempt, class T, class E>
class implicit_stage {
    using V = value_type_t<E>;
    static constexpr V eps = epsilon_v<V>;
    static constexpr V settled = eps / V(64);  // changes below this are lost when the increment is added
    static constexpr V rounding = eps * V(64);

public:
    static_assert(!has_lanes_v<E>,
                  "sinew: an implicit integrator iterates until its equations are solved, which takes another number of iterations in every lane; choose an explicit one, "
                  "such as rk4.");
    static_assert(scalar<E>, "sinew: an implicit integrator needs a state made of numbers, not of opaque vectors");

    constexpr implicit_stage(F& f, Attempt const& s, T const& c, state_view<E> d, state_view<E> k, int max_iterations) noexcept
        : f_(f), s_(s), t_(s.t + c * s.h), g_(c * s.h), d_(d), k_(k), max_iterations_(max_iterations), loose_(sqrt(eps)) {}

    /// d, or a failure of f.
    template <class Matrix>
    constexpr void solve([[maybe_unused]] Matrix& matrix) {
        std::size_t const n = d_.size();
        if (n == 0) return;
        bool const has_newton = n <= Matrix::limit;
        if (iterate(n + 4, has_newton ? rounding : loose_, has_newton)) {
            if (settle_derivatives([](auto const&) {}) || f_.failed()) return;
            // Of the values nothing tells whether the derivatives contract: where the values are at rest from the beginning, they need not.
            if constexpr (Matrix::limit > 0 && derivative_order_v<E> > 0)
                if (has_newton && linearise(matrix) && settle_derivatives([&](auto const& x) { lu_solve<V>(matrix.entries(n), matrix.pivots(n), x); })) return;
            if (!f_.failed()) f_.fail(ode_status::not_converged);
            return;
        }
        if (f_.status() == ode_status::not_finite) f_.forgive();  // an iteration that ran away
        if (f_.failed()) return;
        if (!has_newton) return f_.fail(ode_status::not_converged);
        if constexpr (Matrix::limit > 0) {
            newton(matrix);
            // What is nearly nothing beside the others may be their rounding alone: then its effect shows only by a step of theirs.
            if (f_.status() == ode_status::not_converged || f_.status() == ode_status::not_finite) {
                f_.forgive();
                coarse_ = true;
                newton(matrix);
            }
        }
        if (f_.status() == ode_status::not_finite) {
            f_.forgive();
            f_.fail(ode_status::not_converged);
        }
    }

private:
    // Change of component i relative to the size of what it is added to. Components much smaller than the largest are
    // measured against that one: their noise comes from it.
    struct change_meter {
        V floor{}, largest{};
        constexpr void add(V change, V size) noexcept {
            V const w = size + floor;
            if (w > V(0)) largest = max(largest, change / w);
            if (!(change <= scalar_traits<V>::max)) largest = scalar_traits<V>::infinity;
        }
    };
    [[nodiscard]] static constexpr V size_of(E const& x) noexcept { return abs(V(value(x))); }
    [[nodiscard]] constexpr change_meter meter() const noexcept {
        V m{};
        for (std::size_t i = 0; i < d_.size(); ++i) m = max(m, size_of(s_.y[i]) + size_of(d_[i]));
        if constexpr (!floating_scalar<V>) return {max(m * loose_, V(1)), V(0)};  // rounding is the same however small a component is
        return {m * loose_, V(0)};
    }

    // d <- g f(y + d). `patience` is what Newton's method costs, in evaluations.
    constexpr bool iterate(std::size_t patience, V acceptable, bool has_newton) {
        d_ = g_ * s_.k1;
        V last = scalar_traits<V>::infinity, before = last;
        for (int i = 0; i < max_iterations_; ++i) {
            f_(k_, t_, s_.y + d_);
            if (f_.failed()) return false;
            auto m = meter();
            for (std::size_t j = 0; j < d_.size(); ++j) {
                E const next = g_ * k_[j];
                m.add(size_of(next - d_[j]), size_of(s_.y[j]) + size_of(next));
                d_[j] = next;
            }
            V const change = m.largest;
            if (change <= settled) return true;
            // What places gain speeds lose, in turns: without Newton it is over only when two iterations gain nothing, of what is small already.
            if (change >= last && (has_newton || (change >= before && change <= acceptable))) return last <= acceptable;
            // Two rates tell whether the rest is worth its evaluations.
            if (has_newton && i >= 2 && change > rounding) {
                V const rate = change / last;
                V ahead = change;
                std::size_t cost = 0;
                while (ahead > eps && cost <= patience) {
                    ahead *= rate;
                    ++cost;
                }
                if (cost > patience) return false;
            }
            before = last;
            last = change;
        }
        return last <= acceptable;
    }

    // Derivatives go on until their changes no longer shrink; the values have converged and stay. solved(x): x for the changes g f(y + d) - d of d.
    template <class Solved>
    constexpr bool settle_derivatives([[maybe_unused]] Solved const& solved) {
        if constexpr (derivative_order_v<E> > 0) {
            auto const step = s_.y1;
            V last = scalar_traits<V>::infinity, before = last, size{};
            for (int i = 0; i < max_iterations_; ++i) {
                f_(k_, t_, s_.y + d_);
                if (f_.failed()) return false;
                step = g_ * k_ - d_;
                solved(step);
                V change{};
                size = V(0);
                for (std::size_t j = 0; j < d_.size(); ++j) {
                    d_[j] = with_value_of(d_[j] + step[j], d_[j]);
                    change = max(change, largest_part(with_value_of(step[j], E(0))));
                    size = max(size, largest_part(with_value_of(s_.y[j] + d_[j], E(0))));
                }
                if (change <= settled * size) return true;
                // Of two iterations, as what places gain speeds lose.
                if (!(change < before * V(0.99))) return last <= loose_ * size;
                before = last;
                last = change;
            }
            return last <= loose_ * size;
        } else {
            return true;
        }
    }

    // d <- d + (1 - g df/dy)^-1 (g f(y + d) - d), with a Jacobian that is renewed when it converges badly.
    template <class Matrix>
    constexpr void newton(Matrix& matrix) {
        std::size_t const n = d_.size();
        auto const step = s_.y1;  // free until the stage is solved
        d_ = T(0) * s_.k1;
        f_(k_, t_, s_.y + d_);
        V last = scalar_traits<V>::infinity, least = last;
        bool fresh = false, converged = false;
        for (int i = 0; i < max_iterations_; ++i) {
            if (f_.failed()) return;
            if (!fresh) {
                if (!linearise(matrix)) return f_.fail(ode_status::not_converged);
                fresh = true;
                last = scalar_traits<V>::infinity;
            }
            step = g_ * k_ - d_;
            lu_solve<V>(matrix.entries(n), matrix.pivots(n), step);
            d_ = d_ + step;
            auto m = meter();
            for (std::size_t j = 0; j < n; ++j) m.add(size_of(step[j]), size_of(s_.y[j]) + size_of(d_[j]));
            f_(k_, t_, s_.y + d_);
            V const change = m.largest;
            converged = change <= settled || (change >= least && least <= loose_);
            if (converged) break;
            if (change > last / V(4) && change > rounding) fresh = false;
            last = change;
            least = min(least, change);
        }
        converged = converged || least <= loose_;
        if (!converged || !settle_derivatives([&](auto const& x) { lu_solve<V>(matrix.entries(n), matrix.pivots(n), x); }))
            if (!f_.failed()) f_.fail(ode_status::not_converged);
    }

    // Factors of 1 - g df/dy at y + d, where k is already f.
    template <class Matrix>
    constexpr bool linearise(Matrix& matrix) {
        std::size_t const n = d_.size();
        auto const a = matrix.entries(n);
        auto const column = s_.y1;
        V largest{};
        for (std::size_t j = 0; j < n; ++j) largest = max(largest, abs(V(value(s_.y[j] + d_[j]))));
        V const g = value(g_);
        for (std::size_t j = 0; j < n; ++j) {
            E const at = d_[j];
            V size = max(size_of(s_.y[j]) + size_of(at), abs(V(g * value(k_[j]))));
            if (!(size > V(0))) size = largest > V(0) ? largest : V(1);
            if (coarse_) size = max(size, largest * sqrt(loose_));
            V const wanted = size * loose_;
            // What really is added, after rounding.
            d_[j] = at + wanted;
            V const added = V(value(s_.y[j] + d_[j])) - V(value(s_.y[j] + at));
            f_(column, t_, s_.y + d_);
            d_[j] = at;
            if (f_.failed() || !(abs(added) > V(0))) return false;
            for (std::size_t i = 0; i < n; ++i) a[i * n + j] = V(i == j ? 1 : 0) - g * (V(value(column[i])) - V(value(k_[i]))) / added;
        }
        return lu_factor<V>(a, matrix.pivots(n));
    }

    F& f_;
    Attempt const& s_;
    T t_, g_;
    state_view<E> d_, k_;
    int max_iterations_;
    V loose_;
    bool coarse_ = false;  // differences for the Jacobian are by no less than the largest number says
};

/// Solves d = c h f(t + c h, y + d); k is left as f near the solution.
template <class F, class T, class E, class W>
constexpr void solve_implicit_stage(F& f, step_attempt<T, E, W> const& s, T const& c, state_view<E> d, state_view<E> k, int max_iterations) {
    implicit_stage<F, step_attempt<T, E, W>, T, E>(f, s, c, d, k, max_iterations).solve(s.workspace.matrix());
}

}  // namespace sinew::inline v0::detail
