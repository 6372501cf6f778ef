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
// stopped shrinking at the level of rounding: of d, or of f, which may be rounded far more coarsely than a d next to nothing is.
//
// Derivatives that numbers carry take no part in that: they follow, when the values are there. Their equation is linear, and has the same
// matrix, 1 - g df/dy.

#include <sinew/ode/integrator.hpp>
#include <sinew/ode/lu.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>

namespace sinew::inline v0::detail {

template <class F, class Attempt, class T, class E>
class implicit_stage {
    using V = value_type_t<E>;
    static constexpr V eps = epsilon_v<V>;
    static constexpr V settled = eps / V(64);  // changes below this are lost when the increment is added
    static constexpr V rounding = eps * V(64);
    static constexpr V nothing = floating_scalar<V> ? V(64) / scalar_traits<V>::max : eps;  // below it numbers lose their digits
    static constexpr int most_in_vain = 16;  // iterations of Newton's that come no nearer

public:
    static_assert(!has_lanes_v<E>,
                  "sinew: an implicit integrator iterates until its equations are solved, which takes another number of iterations in every lane; choose an explicit one, "
                  "such as rk4.");
    static_assert(scalar<E>, "sinew: an implicit integrator needs a state made of numbers, not of opaque vectors");

    constexpr implicit_stage(F& f, Attempt const& s, T const& c, state_view<E> d, state_view<E> k, int max_iterations) noexcept
        : f_(f), s_(s), t_(s.t + c * s.h), g_(c * s.h), d_(d), k_(k), max_iterations_(max_iterations), loose_(sqrt(eps)) {}

    /// d, or a failure of f.
    template <class Matrix>
    constexpr void solve(Matrix& matrix) {
        if (d_.size() == 0) return;
        if (!solve_values(matrix)) {
            if (f_.status() == ode_status::not_finite) f_.forgive();  // an iteration that ran away
            if (!f_.failed()) f_.fail(ode_status::not_converged);
            return;
        }
        if constexpr (derivative_order_v<E> > 0) solve_derivatives(matrix);
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

    template <class Matrix>
    constexpr bool solve_values([[maybe_unused]] Matrix& matrix) {
        std::size_t const n = d_.size();
        bool const has_newton = n <= Matrix::limit;
        if (iterate(n + 4, has_newton ? rounding : loose_, has_newton)) return true;
        if constexpr (Matrix::limit > 0)
            for (int level = 0; has_newton && level < 3; ++level) {
                if (f_.status() == ode_status::not_finite || f_.status() == ode_status::not_converged) f_.forgive();
                if (f_.failed()) return false;
                if (newton(matrix, level)) return true;
            }
        return false;
    }

    // d <- d + (1 - g df/dy)^-1 (g f(y + d) - d), with a Jacobian that is renewed when it converges badly; above level 0, in every iteration.
    template <class Matrix>
    constexpr bool newton(Matrix& matrix, int level) {
        auto const step = s_.y1;  // free until the stage is solved
        d_ = T(0) * s_.k1;
        f_(k_, t_, s_.y + d_);
        V last = scalar_traits<V>::infinity, least = last, left = last;
        bool fresh = false;
        int in_vain = 0;
        for (int i = 0; i < max_iterations_ && in_vain < most_in_vain; ++i) {
            if (f_.failed()) return false;
            if (!fresh || level > 0) {
                if (!linearise(matrix, level)) return false;
                fresh = true;
                last = scalar_traits<V>::infinity;
            }
            V const change = newton_step(matrix, step);
            if (change <= settled || (change >= least && least <= loose_)) return !f_.failed();
            if (change > last / V(4) && change > rounding) fresh = false;
            last = change;
            least = min(least, change);
            // Steps that do not shrink may come nearer all the same, as along an exponential.
            V const missing = largest_of(g_ * k_ - d_);
            in_vain = missing < left ? 0 : in_vain + 1;
            left = min(left, missing);
        }
        return least <= loose_ || is_lost_in_rounding(matrix, level);
    }
    // Yields how much of d changes.
    template <class Matrix>
    constexpr V newton_step(Matrix& matrix, state_view<E> step) {
        step = g_ * k_ - d_;
        lu_solve<V>(matrix.entries(d_.size()), matrix.pivots(d_.size()), step);
        d_ = d_ + step;
        f_(k_, t_, s_.y + d_);
        return size_of_change(step);
    }
    template <class X>
    [[nodiscard]] constexpr V largest_of(X const& x) const {
        V r{};
        for (std::size_t j = 0; j < d_.size(); ++j) r = max(r, size_of(static_cast<E>(x[j])));
        return r;
    }
    [[nodiscard]] constexpr V size_of_change(state_view<E> step) const {
        auto m = meter();
        for (std::size_t j = 0; j < d_.size(); ++j) m.add(size_of(step[j]), size_of(s_.y[j]) + size_of(d_[j]));
        return m.largest;
    }
    // Whether what steps leave over is the rounding of f: little, of each number for itself; f as straight as its Jacobian says over a longer way; and not so at many places
    // on it, where a function with a jump is. In the unit of steps:  s, the step; what is left after it, the next; after m s more, the next plus m s.
    template <class Matrix>
    constexpr bool is_lost_in_rounding(Matrix& matrix, int level) {
        auto const step = s_.y1;
        if (f_.failed() || !linearise(matrix, level)) return false;
        (void)newton_step(matrix, step);
        V const tolerated = level < 2 ? rounding : loose_, one = share_of_numbers(step);
        V near = one;
        bool is_straight = false, is_rough = false;
        V m = V(8);
        for (int i = 0; i < 9 && m * one <= V(8) * loose_ && !(is_straight && is_rough); ++i, m *= V(8)) {
            if (f_.failed() || !(near <= tolerated)) break;
            // There and at three more places: whether it changes within a sixteenth of the way.
            V far{};
            int rough = 0;
            for (V const at : {m, -m, m + m / V(4), -m - m / V(4)}) {
                leave_over(matrix, at, step);
                if (at == m) far = share_of_numbers(k_);
                V const here = largest_of(k_);
                leave_over(matrix, at + m / V(16), step);
                V const beside = largest_of(k_);
                if (abs(here - beside) * V(64) > max(here, beside)) ++rough;
            }
            is_straight = is_straight || (m > V(8) && far <= V(2) * near);  // a kink would make it 8 times as much
            is_rough = is_rough || rough >= 3;
            near = max(near, far);
        }
        if (f_.failed()) f_.forgive();
        f_(k_, t_, s_.y + d_);
        return is_straight && is_rough && near <= tolerated && !f_.failed();
    }
    // k <- what is left after m more steps, less what the Jacobian expects.
    template <class Matrix>
    constexpr void leave_over(Matrix& matrix, V m, state_view<E> step) {
        f_(k_, t_, s_.y + (d_ + m * step));
        k_ = g_ * k_ - (d_ + m * step);
        lu_solve<V>(matrix.entries(d_.size()), matrix.pivots(d_.size()), k_);
        k_ = k_ + m * step;
    }
    // Of numbers below 1, in 1.
    [[nodiscard]] constexpr V share_of_numbers(state_view<E> x) const {
        V r{};
        for (std::size_t j = 0; j < d_.size(); ++j) r = max(r, size_of(x[j]) / max(size_of(s_.y[j]) + size_of(d_[j]), V(1)));
        return r;
    }

    // Factors of 1 - g df/dy at y + d, where k is already f. Differences are by a share of each number; what is nearly nothing beside the others may be their rounding alone:
    // then its effect shows only by a step of theirs (level 1), or by one of 1 (level 2), beside constants in f that are of no state.
    template <class Matrix>
    constexpr bool linearise(Matrix& matrix, int level) {
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
            if (level == 1) size = max(size, largest * sqrt(loose_));
            if (level == 2) size = max(size, V(1));
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

    // Of the values nothing tells whether the derivatives contract: where those are at rest from the beginning, they need not.
    template <class Matrix>
    constexpr void solve_derivatives([[maybe_unused]] Matrix& matrix) {
        std::size_t const n = d_.size();
        bool const has_newton = n <= Matrix::limit;
        if (settle_derivatives(false, has_newton ? rounding : loose_, [](auto const&) {})) return;
        if (f_.status() == ode_status::not_finite) f_.forgive();  // derivatives that ran away
        if (f_.failed()) return;
        if constexpr (Matrix::limit > 0)
            if (has_newton && linearise_exactly(matrix) && settle_derivatives(true, loose_, [&](auto const& x) { lu_solve<V>(matrix.entries(n), matrix.pivots(n), x); })) return;
        if (!f_.failed()) f_.fail(ode_status::not_converged);
    }
    // Derivatives go on until their changes no longer shrink, each direction for itself; the values have converged and stay. solved(x): x for the changes g f(y + d) - d of d.
    // Where that is exact, what is left is the rounding of f's derivatives, however small those of d are.
    template <class Solved>
    constexpr bool settle_derivatives(bool exact, V acceptable, Solved const& solved) {
        constexpr std::size_t parts = detail::parts_of<E>();
        auto const step = s_.y1;
        std::array<V, parts> last{}, before{}, first{}, least{};
        last.fill(scalar_traits<V>::infinity);
        before = least = last;
        bool good = false;
        for (int i = 0; i < max_iterations_ + 4; ++i) {
            f_(k_, t_, s_.y + d_);
            if (f_.failed()) return false;
            step = g_ * k_ - d_;
            solved(step);
            bool over = true;
            good = true;
            for (std::size_t k = 1; k < parts; ++k) {
                V change{}, size{};
                for (std::size_t j = 0; j < d_.size(); ++j) {
                    change = max(change, abs(detail::part_of(step[j], k)));
                    size = max(size, abs(detail::part_of(s_.y[j], k)) + abs(detail::part_of(d_[j], k) + detail::part_of(step[j], k)));
                }
                if (!(change <= scalar_traits<V>::max)) return false;
                if (i == 0) first[k] = change;
                least[k] = min(least[k], change);
                // Of two iterations, as what places gain speeds lose.
                bool const done = change <= max(settled * size, nothing), shrinks = exact ? change < last[k] / V(4) : change < before[k] * V(0.99);
                bool const near = done || max(change, last[k]) <= acceptable * size || (exact && least[k] <= first[k] / V(4));
                if (!shrinks && !near && (i > 1 || !exact)) return false;
                over = over && (done || !shrinks);
                good = good && near;
                before[k] = last[k];
                last[k] = change;
            }
            for (std::size_t j = 0; j < d_.size(); ++j) d_[j] = with_value_of(d_[j] + step[j], d_[j]);
            if (over && good) return true;
        }
        return good;
    }
    // The same factors by derivatives: exact. d loses its own.
    template <class Matrix>
    constexpr bool linearise_exactly(Matrix& matrix) {
        std::size_t const n = d_.size();
        auto const a = matrix.entries(n);
        auto const column = s_.y1;
        V const g = value(g_);
        for (std::size_t j = 0; j < n; ++j) d_[j] = with_value_of(-s_.y[j], d_[j]);  // so that y + d has none
        f_(k_, t_, s_.y + d_);
        V others = V(1);  // what f's own derivatives are: beside them those by y are not to vanish
        for (std::size_t i = 0; i < n; ++i) others = max(others, abs(detail::part_of(k_[i], 1)));
        for (std::size_t j = 0; j < n; ++j) {
            if (f_.failed()) return false;
            E const at = d_[j];
            V const seed = max(abs(detail::part_of(s_.y[j], 1)), others);
            detail::part_of(d_[j], 1) += seed;
            f_(column, t_, s_.y + d_);
            d_[j] = at;
            for (std::size_t i = 0; i < n; ++i) a[i * n + j] = V(i == j ? 1 : 0) - g * (detail::part_of(column[i], 1) - detail::part_of(k_[i], 1)) / seed;
        }
        return !f_.failed() && lu_factor<V>(a, matrix.pivots(n));
    }

    F& f_;
    Attempt const& s_;
    T t_, g_;
    state_view<E> d_, k_;
    int max_iterations_;
    V loose_;
};

/// Solves d = c h f(t + c h, y + d); k is left as f near the solution.
template <class F, class T, class E, class W>
constexpr void solve_implicit_stage(F& f, step_attempt<T, E, W> const& s, T const& c, state_view<E> d, state_view<E> k, int max_iterations) {
    implicit_stage<F, step_attempt<T, E, W>, T, E>(f, s, c, d, k, max_iterations).solve(s.workspace.matrix());
}

}  // namespace sinew::inline v0::detail
