#pragma once
// Dantzig's pivoting for the complementarity problem of lo_hi_problem.hpp (Vondrak 2005, 6.2.5, after Baraff 1994 and ODE).
//
//   F       free rows: w = 0, and A_FF is factored
//   other   at a bound, or `idle`: w = 0 and between the bounds, but dependent on F
//
// The rows are brought onto their lines one at a time while those already there stay there. Row i moves along
//
//   d_i = +-1,  d_F = -A_FF^-1 A_Fi d_i,  d = 0 elsewhere;   w then moves along A d, which is 0 on F and s = d.A d on i   (6.19, 6.20)
//
// to the first event: w_i = 0 and i becomes free; x_i at its bound; a free x at a bound leaves F; some other w = 0 enters F.
// (In 6.2.5 the step to w_i = 0 for d_i = -1 is printed a_i / delta a_i: its minus sign is missing, as the step is positive.)
//
// Why it may meet a semi-definite A. s <= 0 then means A d = 0: no w moves, only free x do, and either one of them or x_i comes to its
// bound, or, since w_i d_i < 0, d proves that there is no solution. And the w of a row that depends on F does not move, so that no
// row asks into F that would make A_FF singular. Both need exact zeros; rounding gives the noise instead. A perturbation E of A
// changes s by d.E d: s is nothing if it is below some eps |d|^2 (measured: 4 at most, whatever n). Of A d it is some eps |d|.
//
// Friction rows come last, with the bounds that the forces of a first pass without friction give them (6.5.3); with more passes than
// one, then those of the pass before.
//
// Beside the text: x may start from the answer to the last problem; the free x are made anew at the end, so that what the pivots'
// rounding added up to is gone; and rows that then are off their lines are driven again. Of rows that depend on each other those are
// free which the others depend on by small factors, as errors multiply by them.
//
// If A is indefinite the steps still keep every row that is on its line there, but row i may find no way: it is given up, stays
// between its bounds and is reported. Steps of length 0 may repeat themselves in principle: after some the least index decides, after
// more the row is given up; the number of pivots is bounded in any case.
//
// One pivot costs two triangular solves, at most one update of the factors, and the product A d: O(n^2).

#include <sinew/core/storage.hpp>
#include <sinew/linear/lo_hi_problem.hpp>
#include <sinew/linear/updatable_ldlt.hpp>
#include <sinew/math/elementary.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::inline v0 {

/// Where a row ended.
enum class lcp_row : std::uint8_t {
    free,     ///< w = 0, between its bounds
    idle,     ///< the same, and so it was before it was looked at, for the free rows imply it: a redundant constraint
    lower,    ///< at its lower bound, w >= 0
    upper,    ///< at its upper bound, w <= 0
    fixed,    ///< lower = upper
    pending,  ///< not on its line
};

/// The solver and its memory. Storage has `array<T, N>`, for at most N rows, or any number on the heap; no problem that is no larger
/// than one before it allocates. S is a floating-point or a fixed-point type.
template <class S, class Storage = dynamic_storage, std::size_t N = 0>
class lo_hi_lcp {
public:
    S tolerance = detail::lcp_tolerance_v<S>;  ///< of a row's residual, see lcp_report, to count as satisfied
    S pivot_floor = epsilon_v<S> * S(floating_scalar<S> ? 8 : 32);  ///< d.A d below this |d|^2 is rounding: the row depends on the free ones. In fixed point every product is rounded by as much
    std::size_t pivots_per_row = 32;      ///< bound of all pivots, times n + 4
    std::size_t friction_passes = 1;      ///< how often friction bounds are taken from their normals' forces; 1 is the customary

    /// x for the problem p. A warm start takes the x given, rows between their bounds for free ones.
    constexpr lcp_report<S> solve(lo_hi_problem<S> const& p, std::span<S> x, lcp_start start = lcp_start::cold) {
        report_ = {};
        n_ = p.b.size();
        if (!detail::is_valid(p)) return refuse(p, x);
        load(p, x, start);
        bool friction = false;
        for (std::size_t i = 0; i < n_; ++i) friction = friction || waits_[i] != 0;
        begin_rows(start, false);
        run();
        if (friction) {
            for (std::size_t pass = 0; pass < (friction_passes > 0 ? friction_passes : 1); ++pass) {
                set_friction(p, pass == 0 && start == lcp_start::warm ? std::span<S const>(x) : std::span<S const>());
                begin_rows(start, true);
                run();
            }
        }
        if constexpr (derivative_order_v<S> > 0) {
            take_sides();
            share_derivatives();
        }
        return finish(p, x);
    }

    /// Of the problem solved last: where row i ended.
    [[nodiscard]] constexpr lcp_row row(std::size_t i) const noexcept { return row_[i]; }
    /// Whether it is on its line, up to the tolerance.
    [[nodiscard]] constexpr bool is_satisfied(std::size_t i) const noexcept { return isfinite(w_[i]) && violation(i) <= tolerance * size_; }
    /// w of it.
    [[nodiscard]] constexpr S response(std::size_t i) const noexcept { return w_[i] / scale_[i]; }
    /// The bounds it had: those of a friction row come from its normal.
    [[nodiscard]] constexpr S lower(std::size_t i) const noexcept { return lower_[i] * scale_[i]; }
    [[nodiscard]] constexpr S upper(std::size_t i) const noexcept { return upper_[i] * scale_[i]; }

    /// Makes room for n rows, so that solve() need not.
    constexpr void reserve(std::size_t n) {
        make_room(a_, n * n);
        for (auto* v : {&b_, &lower_, &upper_, &x_, &w_, &d_, &step_w_, &gap_, &rate_, &y_, &e_, &scale_}) make_room(*v, n);
        for (auto* v : {&order_, &kept_}) make_room(*v, n);
        for (auto* v : {&waits_, &given_up_}) make_room(*v, n);
        make_room(row_, n);
        make_room(skip_, n);
        factors_.reserve(n);
    }

private:
    constexpr lcp_report<S> refuse(lo_hi_problem<S> const& p, std::span<S> x) {
        detail::set_harmless(p, x);
        scale_.assign(n_, S(1));
        row_.assign(n_, lcp_row::pending);
        x_.assign(n_, S(0));
        lower_.assign(n_, S(0));
        upper_.assign(n_, S(0));
        w_.assign(n_, infinity_v<S>);
        size_ = S(0);
        report_.status = lcp_status::invalid;
        report_.unsatisfied = n_;
        report_.residual = infinity_v<S>;
        return report_;
    }

    // The problem in units in which a_ii is about 1: x = d x', w' = d w, A' = d A d.
    constexpr void load(lo_hi_problem<S> const& p, std::span<S const> x, lcp_start start) {
        a_.resize(n_ * n_);
        for (auto* v : {&b_, &lower_, &upper_, &x_, &w_, &d_, &step_w_, &gap_, &rate_, &y_, &e_, &scale_}) v->resize(n_);
        kept_.resize(n_);
        order_.resize(n_);  // so that it need not grow
        row_.assign(n_, lcp_row::pending);
        waits_.assign(n_, 0);
        given_up_.assign(n_, 0);
        skip_.assign(n_, 0);
        order_.clear();
        factors_.begin(n_);
        stamp_ = 1;
        stale_ = updated_ = false;
        detail::load_scaled<S>(p, scale_.data(), a_.data(), b_.data());
        size_of_b_ = detail::size_of_b<S>(p, scale_.data());
        for (std::size_t i = 0; i < n_; ++i) {
            bool const waits = detail::is_friction(p, i);
            waits_[i] = waits ? 1 : 0;
            auto const scaled = [&](S const& bound) { return bound / scale_[i]; };
            lower_[i] = waits ? S(0) : detail::scaled_bound(S(p.lower[i]), scaled);
            upper_[i] = waits ? S(0) : detail::scaled_bound(S(p.upper[i]), scaled);
            x_[i] = detail::start_of<S>(start, x[i] / scale_[i], lower_[i], upper_[i]);
        }
        rounding_ = epsilon_v<S> * (S(8) + S(0.25) * static_cast<S>(n_));
        budget_ = pivots_per_row * (n_ + 4);
    }

    // The friction rows get their bounds, and the guess if there is one.
    constexpr void set_friction(lo_hi_problem<S> const& p, std::span<S const> guess) {
        for (std::size_t i = 0; i < n_; ++i) {
            if (!detail::is_friction(p, i)) continue;
            std::size_t const normal = p.normal[i];
            auto const range = detail::friction_interval<S>(p, i, x_[normal] * scale_[normal]);
            waits_[i] = 0;
            lower_[i] = range.lower / scale_[i];
            upper_[i] = range.upper / scale_[i];
            x_[i] = detail::start_of<S>(lcp_start::warm, guess.empty() ? x_[i] : guess[i] / scale_[i], lower_[i], upper_[i]);
        }
    }

    // Unbounded rows are free from the start; so are, of a warm one, those between their bounds. Again: the sets are kept, and x, which
    // friction changed, decides only of the friction rows.
    constexpr void begin_rows(lcp_start start, bool again) {
        if (!again || start == lcp_start::warm) {
            factors_.clear();
            order_.clear();
            stale_ = updated_ = false;
            for (std::size_t i = 0; i < n_; ++i) row_[i] = lcp_row::pending;
            for (std::size_t i = 0; i < n_; ++i)
                if (is_unbounded(i)) set_free(i);
            // What is idle now depends on unbounded rows alone. If it is off its line it contradicts them, and it is not driven: no bounded row can help, and one that
            // seems to, by rounding, would be dragged to its bound.
            for (std::size_t i = 0; i < n_; ++i)
                if (row_[i] == lcp_row::idle) given_up_[i] = 2;
            if (start == lcp_start::warm)
                for (std::size_t i = 0; i < n_; ++i)
                    if (!is_unbounded(i) && x_[i] > lower_[i] && x_[i] < upper_[i]) set_free(i);
        } else {
            for (std::size_t k = order_.size(); k-- > 0;) {
                std::size_t const i = order_[k];
                if (!(x_[i] > lower_[i] && x_[i] < upper_[i])) leave(k, lcp_row::pending);
            }
        }
        settle();
    }

    // Rows off their lines are driven there; what rounding leaves, or an earlier row found no way for, is tried again.
    constexpr void run() {
        for (std::size_t round = 0; round < 4; ++round) {
            bool any_pending = false;
            for (std::size_t i = 0; i < n_; ++i) {
                if (row_[i] != lcp_row::pending || waits_[i] != 0 || given_up_[i] > 1) continue;
                if (report_.pivots >= budget_) break;
                any_pending = true;
                if (!drive(i)) ++given_up_[i];
            }
            if (!any_pending) return;
            settle();
        }
    }

    [[nodiscard]] constexpr bool is_unbounded(std::size_t i) const noexcept { return lower_[i] == -infinity_v<S> && upper_[i] == infinity_v<S>; }
    [[nodiscard]] constexpr S violation(std::size_t i) const noexcept { return detail::lcp_violation(x_[i], w_[i], lower_[i], upper_[i]); }

    // w = A x + b, and the size of the forces that everything is measured by.
    constexpr void refresh() noexcept {
        size_ = size_of_b_;
        for (std::size_t i = 0; i < n_; ++i) {
            w_[i] = b_[i];
            size_ = max(size_, abs(x_[i]));
        }
        auto const add = [&](auto const& which) {
            std::size_t count = 0;
            for (std::size_t i = 0; i < n_; ++i) {
                if (!which(x_[i])) continue;
                kept_[count] = static_cast<std::uint32_t>(i);
                d_[count++] = x_[i];
            }
            add_columns(w_.data(), d_.data(), kept_.data(), count);
        };
        add([](S const& x) { return x != S(0); });
        if constexpr (derivative_order_v<S> > 0) add([](S const& x) { return x == S(0) && differs(x, S(0)); });  // by themselves, so that values are added up as without derivatives
    }
    // y += A x of some unknowns, four at a time: y is read and written a quarter as often.
    constexpr void add_columns(S* y, S const* x, std::uint32_t const* which, std::size_t count) const noexcept {
        S const* const a = a_.data();
        std::size_t k = 0;
        for (; k + 4 <= count; k += 4) {
            S const* const p = a + which[k] * n_;
            S const* const q = a + which[k + 1] * n_;
            S const* const r = a + which[k + 2] * n_;
            S const* const t = a + which[k + 3] * n_;
            S const f = x[k], g = x[k + 1], h = x[k + 2], l = x[k + 3];
            for (std::size_t i = 0; i < n_; ++i) y[i] = y[i] + ((f * p[i] + g * q[i]) + (h * r[i] + l * t[i]));
        }
        for (; k < count; ++k) detail::add_multiple(y, a + which[k] * n_, x[k], n_);
    }

    // The free x anew, so that w = 0 there; those which that would take past a bound stop at it and are free no more. Then every row
    // is on its line or pending.
    constexpr void settle() {
        bool fresh = false;
        S worst_before = infinity_v<S>;
        for (std::size_t turn = 0;; ++turn) {
            if (stale_) refactor();
            refresh();
            std::size_t const m = order_.size();
            if (m == 0 || turn > 2 * n_ + 2) break;
            S worst(0);
            for (std::size_t k = 0; k < m; ++k) {
                y_[k] = -w_[order_[k]];
                worst = max(worst, abs(y_[k]));
            }
            if (turn > 0 && worst <= rounding_ * size_) break;
            // No better than before: the factors are to blame, or this is as good as it gets.
            if (turn > 0 && worst >= worst_before * S(0.5)) {
                if (fresh) break;
                refactor();
                fresh = true;
                worst_before = infinity_v<S>;
                continue;
            }
            worst_before = worst;
            factors_.forward(y_.data());
            factors_.backward(y_.data());
            for (std::size_t k = m; k-- > 0;) {
                std::size_t const i = order_[k];
                S const wanted = x_[i] + y_[k];
                x_[i] = min(max(wanted, lower_[i]), upper_[i]);
                if (wanted < lower_[i] || wanted > upper_[i]) {
                    leave(k, wanted < lower_[i] ? lcp_row::lower : lcp_row::upper);
                    worst_before = infinity_v<S>;
                }
            }
        }
        for (std::size_t i = 0; i < n_; ++i) {
            if (waits_[i] != 0) continue;
            bool const on_line = violation(i) <= S(0.5) * tolerance * size_;
            if (row_[i] == lcp_row::free) {
                if (!on_line) leave(position(i), lcp_row::pending);
            } else if (lower_[i] == upper_[i]) {
                row_[i] = lcp_row::fixed;
            } else if (!on_line) {
                row_[i] = lcp_row::pending;
            } else if (x_[i] <= lower_[i]) {
                row_[i] = lcp_row::lower;
            } else if (x_[i] >= upper_[i]) {
                row_[i] = lcp_row::upper;
            } else if (row_[i] != lcp_row::idle) {
                row_[i] = lcp_row::pending;
            }
        }
    }

    [[nodiscard]] constexpr std::size_t position(std::size_t i) const noexcept {
        std::size_t k = 0;
        while (order_[k] != i) ++k;
        return k;
    }

    // Row i against the free ones: into y L^-1 A_Fi, into d the direction of the header with d_i = 1, zeros elsewhere.
    struct seen {
        S s;        // d.A d
        S squared;  // |d|^2
        [[nodiscard]] constexpr bool dependent(S const& floor) const noexcept { return abs(s) <= floor * squared; }
    };
    constexpr seen look_at(std::size_t i, S* y, S* d) const noexcept {
        std::size_t const m = order_.size();
        S const* const row = a_.data() + i * n_;
        for (std::size_t k = 0; k < m; ++k) y[k] = row[order_[k]];
        factors_.forward(y);
        S const s = row[i] - factors_.eliminated(y);
        // y is needed for the factors, so the direction is made beside it.
        for (std::size_t k = 0; k < m; ++k) d[k] = y[k];
        factors_.backward(d);
        S squared(1);
        for (std::size_t k = 0; k < m; ++k) squared = squared + d[k] * d[k];
        return {s, squared};
    }

    // Row i, between its bounds, w = 0 or about to be: free, or idle if it depends on those that are. Errors of the w of the free rows come
    // back in its own as often as d says. So if it counts for more than one of them does, they change places: |det A_FF| grows by d_k^2.
    constexpr void set_free(std::size_t i) {
        seen const c = look_at(i, y_.data(), e_.data());
        if (!c.dependent(pivot_floor)) {
            report_.indefinite = report_.indefinite || (c.s < S(0) && !updated_);
            return enter(i, c.s);
        }
        row_[i] = lcp_row::idle;
        std::size_t const k = largest(e_.data());
        if (k == order_.size() || abs(e_[k]) <= S(2)) return;
        leave(k, lcp_row::idle);
        seen const again = look_at(i, y_.data(), e_.data());
        if (!again.dependent(pivot_floor)) enter(i, again.s);
    }
    // The largest of as many numbers as there are free rows.
    [[nodiscard]] constexpr std::size_t largest(S const* e) const noexcept {
        std::size_t at = order_.size();
        S most(0);
        for (std::size_t k = 0; k < order_.size(); ++k)
            if (abs(e[k]) > most) {
                most = abs(e[k]);
                at = k;
            }
        return at;
    }
    // y is L^-1 A_Fi.
    constexpr void enter(std::size_t i, S const& pivot) {
        factors_.append(y_.data(), pivot);
        order_.push_back(static_cast<std::uint32_t>(i));
        row_[i] = lcp_row::free;
        ++stamp_;
    }
    constexpr void leave(std::size_t k, lcp_row where) {
        row_[order_[k]] = where;
        stale_ = !factors_.remove(k) || stale_;
        updated_ = true;
        for (std::size_t j = k; j + 1 < order_.size(); ++j) order_[j] = order_[j + 1];
        order_.pop_back();
        ++stamp_;
    }
    constexpr void refactor() {
        stale_ = updated_ = false;
        ++report_.refactored;
        std::size_t const m = order_.size();
        for (std::size_t k = 0; k < m; ++k) kept_[k] = order_[k];
        factors_.clear();
        order_.clear();
        for (std::size_t k = 0; k < m; ++k) set_free(kept_[k]);
        ++stamp_;
    }

    enum class event : std::uint8_t { none, on_line, at_bound, leaves, enters };

    // Row i to its line, those already there kept there. False: no way was found; x_i is between its bounds.
    constexpr bool drive(std::size_t i) {
        std::size_t stalled = 0;
        bool turned = false;
        while (true) {
            if (stale_) refactor();
            if (lower_[i] == upper_[i]) return settle_as(i, lcp_row::fixed);
            S const small = rounding_ * size_;
            if (x_[i] <= lower_[i] && w_[i] >= -small) return settle_as(i, lcp_row::lower);
            if (x_[i] >= upper_[i] && w_[i] <= small) return settle_as(i, lcp_row::upper);

            seen const c = look_at(i, y_.data(), d_.data());
            S const length = sqrt(c.squared);
            bool const nothing = c.dependent(pivot_floor);
            if (abs(w_[i]) <= small || (nothing && abs(w_[i]) <= S(4) * small * length)) {
                w_[i] = S(0);
                if (x_[i] <= lower_[i]) return settle_as(i, lcp_row::lower);
                if (x_[i] >= upper_[i]) return settle_as(i, lcp_row::upper);
                ++report_.pivots;
                set_free(i);
                return true;
            }
            if (++report_.pivots >= budget_) return false;

            // Towards w_i = 0. With s < 0 that is the other way, if there is room; from the bound there it goes back once.
            bool const backwards = !nothing && c.s < S(0);
            bool up = w_[i] < S(0);
            bool const room = up ? x_[i] > lower_[i] : x_[i] < upper_[i];
            bool const reverse = backwards && room && !turned;
            if (reverse) up = !up;
            S const sign = up ? S(1) : S(-1);

            // step_w = A d.
            std::size_t const m = order_.size();
            {
                S const* const row = a_.data() + i * n_;
                for (std::size_t k = 0; k < n_; ++k) step_w_[k] = sign * row[k];
                for (std::size_t k = 0; k < m; ++k) d_[k] = -sign * d_[k];
                add_columns(step_w_.data(), d_.data(), order_.data(), m);
            }
            // On F it is 0 but for rounding; much more says that the factors are worn, and so may a negative s.
            if (updated_ && (backwards || worn(length))) {
                refactor();
                continue;
            }
            report_.indefinite = report_.indefinite || backwards;

            std::size_t at = n_;
            bool const own = !nothing && (!backwards || reverse);
            S step = infinity_v<S>;
            event const what = first_event(i, up, own ? abs(c.s) : S(0), length, stalled > n_, at, step);
            if (what == event::none) {
                if (!report_.indefinite && nothing) given_up_[i] = 1;  // no later row can change this: see the header
                return false;
            }

            x_[i] = min(max(x_[i] + sign * step, lower_[i]), upper_[i]);
            size_ = max(size_, abs(x_[i]));
            for (std::size_t k = 0; k < m; ++k) {
                std::size_t const f = order_[k];
                x_[f] = min(max(x_[f] + d_[k] * step, lower_[f]), upper_[f]);
                size_ = max(size_, abs(x_[f]));
            }
            detail::add_multiple(w_.data(), step_w_.data(), step, n_);
            for (std::size_t k = 0; k < m; ++k) w_[order_[k]] = S(0);

            stalled = step > rounding_ * size_ ? 0 : stalled + 1;
            if (stalled > 4 * n_ + 8) return false;

            switch (what) {
                case event::on_line:
                    w_[i] = S(0);
                    enter(i, c.s);
                    return true;
                case event::at_bound:
                    x_[i] = up ? upper_[i] : lower_[i];
                    turned = turned || reverse;
                    break;
                case event::leaves: {
                    bool const to_upper = d_[at] > S(0);
                    std::size_t const f = order_[at];
                    x_[f] = to_upper ? upper_[f] : lower_[f];
                    leave(at, to_upper ? lcp_row::upper : lcp_row::lower);
                    break;
                }
                default: {
                    w_[at] = S(0);
                    seen e = look_at(at, y_.data(), e_.data());
                    if (e.s < S(0) && !e.dependent(pivot_floor) && updated_) {
                        refactor();
                        e = look_at(at, y_.data(), e_.data());
                    }
                    if (!e.dependent(pivot_floor)) {
                        report_.indefinite = report_.indefinite || e.s < S(0);
                        enter(at, e.s);
                        break;
                    }
                    // Of a semi-definite A: step_w^2 <= s_i s_at. More is no rounding.
                    S const room_i = abs(c.s) + pivot_floor * c.squared, room_at = abs(e.s) + pivot_floor * e.squared;
                    if (step_w_[at] * step_w_[at] > S(16) * room_i * room_at) {
                        report_.indefinite = true;
                        return false;
                    }
                    skip_[at] = stamp_;
                }
            }
        }
    }

    constexpr bool settle_as(std::size_t i, lcp_row where) noexcept {
        row_[i] = where;
        return true;
    }
    [[nodiscard]] constexpr bool worn(S const& length) const noexcept {
        S worst(0);
        for (std::size_t k = 0; k < order_.size(); ++k) worst = max(worst, abs(step_w_[order_[k]]));
        return worst > S(64) * rounding_ * length;
    }

    // How far along d, and what happens there. Of events as good as together the one with the largest rate, which is the safest pivot
    // (Harris 1973), or, after steps of length 0, the one of least index.
    constexpr event first_event(std::size_t i, bool up, S const& own_rate, S const& length, bool least_index, std::size_t& at, S& step) {
        S const slack = rounding_ * size_ * S(0.5);
        S const rate_floor = rounding_ * length;
        S most = infinity_v<S>;
        S const own_gap = up ? upper_[i] - x_[i] : x_[i] - lower_[i];
        most = own_gap;
        if (own_rate > S(0)) most = min(most, (abs(w_[i]) + slack) / own_rate);
        // The free rows and their bounds.
        std::size_t const m = order_.size();
        for (std::size_t k = 0; k < m; ++k) {
            std::size_t const f = order_[k];
            S const d = d_[k];
            bool const rises = d > S(0);
            S const gap = max(rises ? upper_[f] - x_[f] : x_[f] - lower_[f], S(0));
            S const rate = abs(d);
            gap_[f] = gap;
            rate_[f] = rate > rate_floor && gap < infinity_v<S> ? rate : S(0);
            if (rate_[f] > S(0) && gap + slack < most * rate) most = (gap + slack) / rate;
        }
        for (std::size_t j = 0; j < n_; ++j) {
            lcp_row const r = row_[j];
            if (r == lcp_row::free) continue;
            S const dw = step_w_[j];
            bool const meets = (r == lcp_row::lower && dw < S(0)) || (r == lcp_row::upper && dw > S(0)) || r == lcp_row::idle;
            rate_[j] = S(0);
            if (!meets || abs(dw) <= rate_floor || skip_[j] == stamp_ || j == i) continue;
            rate_[j] = abs(dw);
            gap_[j] = r == lcp_row::idle ? S(0) : max(r == lcp_row::lower ? w_[j] : -w_[j], S(0));
            if (gap_[j] + slack < most * rate_[j]) most = (gap_[j] + slack) / rate_[j];
        }
        // The row that gave the limit must be within it, rounded as it is.
        most = most * (S(1) + S(4) * epsilon_v<S>);
        // The row's own events end the drive: they go first.
        if (own_gap <= most) {
            step = own_gap;
            if (own_gap == infinity_v<S>) return event::none;
            return event::at_bound;
        }
        if (own_rate > S(0) && abs(w_[i]) <= most * own_rate) {
            step = abs(w_[i]) / own_rate;
            return event::on_line;
        }
        S best(0);
        at = n_;
        for (std::size_t j = 0; j < n_; ++j) {
            if (!(rate_[j] > best) || (j == i) || gap_[j] > most * rate_[j]) continue;
            at = j;
            best = rate_[j];
            if (least_index) break;
        }
        if (at == n_) return event::none;  // something has overflowed
        step = gap_[at] / rate_[at];
        if (row_[at] != lcp_row::free) return event::enters;
        at = position(at);
        return event::leaves;
    }

    // Bounds that are one value and part with what they have derivatives by, as of a motor of strength 0: its row is at that to which w pushes it.
    constexpr void take_sides() {
        S const nothing = epsilon_v<S> * S(512) * size_;
        bool any_taken = false;
        for (std::size_t i = 0; i < n_; ++i) {
            if (row_[i] != lcp_row::fixed || !differs(lower_[i], upper_[i]) || !(abs(w_[i]) > nothing)) continue;
            x_[i] = with_value_of(w_[i] < S(0) ? upper_[i] : lower_[i], x_[i]);
            any_taken = true;
        }
        if (any_taken && isfinite(size_)) renew_derivatives();
    }
    // Those of the free rows.
    constexpr void renew_derivatives() {
        if (stale_) refactor();
        for (std::size_t turn = 0; turn < 2; ++turn) {  // and once more, for the rounding
            refresh();
            for (std::size_t k = 0; k < order_.size(); ++k) y_[k] = -w_[order_[k]];
            factors_.forward(y_.data());
            factors_.backward(y_.data());
            for (std::size_t k = 0; k < order_.size(); ++k) x_[order_[k]] = x_[order_[k]] + with_value_of(y_[k], S(0));
        }
        refresh();
    }
    // Where more rows push than are needed, as the four corners of a box that rests, some push with nothing, though any of them might bear what others do. In
    // values that is a matter of taste; derivatives ask those that bear something for all, as if the box stood on these alone, and it would tip. Such rows are those
    // that rise where another one rises which depends on them: they are free for the derivatives. No value changes.
    constexpr void share_derivatives() {
        auto const rises = [&](std::size_t i) { return x_[i] <= lower_[i] ? S(1) : S(-1); };
        S const nothing = epsilon_v<S> * max(S(4096) * size_, S(16));  // what stands creeps by roundings, step by step; at rest they are all there is
        bool shares = false;
        for (std::size_t i = 0; i < n_; ++i) {
            bool const bears_nothing = waits_[i] == 0 && (row_[i] == lcp_row::lower || row_[i] == lcp_row::upper) && abs(w_[i]) <= nothing;
            given_up_[i] = bears_nothing ? 1 : 0;
            shares = shares || bears_nothing;
        }
        if (!shares || !isfinite(size_)) return;
        if (stale_) refactor();
        for (std::size_t i = 0; i < n_; ++i) {
            if (given_up_[i] == 0) continue;
            seen const c = look_at(i, y_.data(), e_.data());
            if (!c.dependent(pivot_floor)) {
                enter(i, c.s);
                continue;
            }
            given_up_[i] = 0;
            auto const change = [&](std::size_t k) { return -(e_[k] * rises(i)) * rises(order_[k]); };  // of a free row, where row i rises by 1
            S const least = sqrt(epsilon_v<S>);
            bool may_rise = true;
            for (std::size_t k = 0; k < order_.size(); ++k) may_rise = may_rise && (given_up_[order_[k]] == 0 || change(k) > -least);
            for (std::size_t k = 0; k < order_.size() && may_rise; ++k)
                if (given_up_[order_[k]] != 0 && change(k) > least) given_up_[order_[k]] = 2;
        }
        shares = false;
        for (std::size_t k = order_.size(); k-- > 0;) {
            std::size_t const i = order_[k];
            if (given_up_[i] == 1) leave(k, x_[i] <= lower_[i] ? lcp_row::lower : lcp_row::upper);
            shares = shares || given_up_[i] == 2;
        }
        if (!shares) return;
        renew_derivatives();
        for (std::size_t k = 0; k < order_.size(); ++k)
            if (given_up_[order_[k]] == 2) row_[order_[k]] = x_[order_[k]] <= lower_[order_[k]] ? lcp_row::lower : lcp_row::upper;
    }

    constexpr lcp_report<S> finish(lo_hi_problem<S> const& p, std::span<S> x) {
        // Entries that an indefinite A of wild scales makes overflow.
        for (std::size_t i = 0; i < n_; ++i)
            if (!isfinite(x_[i]) || !isfinite(w_[i])) {
                std::size_t const pivots = report_.pivots;
                (void)refuse(p, x);
                report_.pivots = pivots;
                report_.indefinite = true;
                report_.status = lcp_status::unsatisfied;
                return report_;
            }
        S worst(0);
        for (std::size_t i = 0; i < n_; ++i) {
            S const v = violation(i);
            worst = max(worst, v);
            if (!(v <= tolerance * size_)) ++report_.unsatisfied;
            bool const own = !detail::is_friction(p, i);
            x[i] = x_[i] * scale_[i];
            if (own) x[i] = min(max(x[i], p.lower[i]), p.upper[i]);
        }
        report_.residual = size_ > S(0) ? worst / size_ : worst;
        if (report_.unsatisfied > 0) report_.status = report_.pivots >= budget_ ? lcp_status::pivot_limit : lcp_status::unsatisfied;
        return report_;
    }

    template <class T>
    using row_array = typename Storage::template array<T, N>;

    typename Storage::template array<S, N * N> a_;
    row_array<S> b_, lower_, upper_, x_, w_, scale_;
    row_array<S> d_, step_w_, gap_, rate_, y_, e_;
    row_array<lcp_row> row_;
    row_array<unsigned char> waits_, given_up_;
    row_array<std::size_t> skip_;  // the row is not asked again while the free ones are those of this stamp
    row_array<std::uint32_t> order_, kept_;  // the free rows, in the order of the factors
    updatable_ldlt<S, Storage, N> factors_;
    lcp_report<S> report_;
    std::size_t n_ = 0, budget_ = 0, stamp_ = 1;
    S size_{}, size_of_b_{}, rounding_{};
    bool stale_ = false;    // the factors must be made anew
    bool updated_ = false;  // they have lost rows since they were
};

}  // namespace sinew::inline v0
