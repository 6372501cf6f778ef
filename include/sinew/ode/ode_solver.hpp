#pragma once
// Advances a problem in time with any integrator (Vondrak 2005, 2.3, 6.4.3 and 7.3.3): fixed or adaptive steps, location
// of events and of the boundary of valid states by bisection, transactions.
//
// A step is kept only if the problem accepts the state at its end. If it does not, or if an event lies on the way, the
// step is taken back and its end becomes a barrier: the next step goes half way to it. That is bisection, but every
// state kept was reached by a step with its error in bounds. If the problem changes its state on the way (an impulse),
// the barrier is forgotten and the solution goes on from the new state.

#include <sinew/math/elementary.hpp>
#include <sinew/math/scalar.hpp>
#include <sinew/ode/events.hpp>
#include <sinew/ode/integrator.hpp>
#include <sinew/ode/problem.hpp>
#include <sinew/ode/status.hpp>
#include <sinew/ode/step_control.hpp>
#include <sinew/ode/workspace.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::inline v0 {

/// The problem is referred to, and must outlive the solver. After a change of its state from outside: restart.
template <class Integrator, class Problem>
class ode_solver {
    using S = typename Problem::scalar_type;
    using E = typename detail::problem_element<Problem>::type;
    static constexpr std::size_t max_dimension = detail::max_dimension_of<Problem>();
    static constexpr bool always_regular = detail::is_always_regular<Problem>();
    // Whether the derivative that an attempt ends with may serve as that of the state kept.
    static constexpr bool end_is_evaluated = has_end_derivative<Integrator> && (always_regular || !has_staged_derivative<Problem, S, E>);

public:
    using time_type = detail::built_in_t<S>;
    using report_type = ode_report<time_type>;
    using V = time_type;

    Integrator integrator;          ///< its tuning numbers: solver.integrator.max_iterations = 50
    step_parameters<V> parameters;  ///< may be changed between advances

    /// Starts from the problem's state at time t (s).
    constexpr explicit ode_solver(Problem& p, Integrator i = {}, step_parameters<V> const& parameters_ = {}, V t = V(0))
        : integrator(i), parameters(parameters_), problem_(&p), t_(t) {
        check_ode_problem<Problem, S, E>();
        static_assert(has_order<Integrator>, "sinew: an integrator needs static constexpr int order");
        static_assert(has_buffers<Integrator>, "sinew: an integrator needs static constexpr std::size_t buffers");
    }

    /// Starts anew from the problem's state at time t (s). What was learnt about the step is forgotten.
    constexpr ode_status restart(V t) {
        ready_ = false;
        h_ = V(0);
        control_.restart();
        t_ = t;
        if (!isfinite(t)) return ode_status::bad_time;
        w_.prepare(problem_->dimension());
        extra_.prepare(problem_->dimension());
        problem_->get_state(w_.y().span());
        if (!detail::is_finite(w_.y())) return ode_status::not_finite;
        has_derivative_ = false;
        if constexpr (!always_regular) {
            stage_evaluator<Problem, S, E> f(*problem_, w_.scratch());
            f.evaluate_installed(w_.k1(), static_cast<S>(t), state_kind::regular);
            early_evaluations_ += f.evaluations();
            if (f.failed()) return f.status();
            if (f.changed()) problem_->get_state(w_.y().span());
            if (!detail::is_finite(w_.y())) return ode_status::not_finite;
            has_derivative_ = true;
        }
        ready_ = true;
        return ode_status::ok;
    }

    /// Advances to t_end (s), which may lie in the past, or to the last state before something ends it. Events are made by
    /// stop_when and on_event.
    template <class... Events>
    constexpr report_type advance(V t_end, Events const&... events) {
        static_assert(sizeof...(Events) <= 64, "sinew: at most 64 events");
        report_type report;
        report.time = t_;
        ode_status const start = prepare(t_end);
        stage_evaluator<Problem, S, E> f(*problem_, w_.scratch());
        report.status = start == ode_status::ok ? run(f, report, t_end, events...) : start;
        if (ready_) problem_->set_state(std::span<E const>(w_.y().span()));
        report.time = t_;
        report.evaluations = f.evaluations() + early_evaluations_;
        early_evaluations_ = 0;
        return report;
    }

    /// All or nothing: advances to t_end, then asks for permission(report) to keep that. Otherwise the state and time of
    /// before are back, bit for bit, and the report tells why (aborted: no permission). The permission may be a
    /// transacted advance of another solver, so that several reach t_end together or not at all.
    template <class Permission, class... Events>
    constexpr report_type transacted_advance(V t_end, Permission&& permission, Events const&... events) {
        if (ode_status const s = prepare(t_end); s != ode_status::ok) {
            report_type failed;
            failed.status = s;
            failed.time = t_;
            failed.evaluations = early_evaluations_;
            early_evaluations_ = 0;
            return failed;
        }
        extra_.row(saved_y) = w_.y();
        extra_.row(saved_k) = w_.k1();
        V const t = t_, h = h_;
        auto const control = control_;
        bool const has_derivative = has_derivative_;
        report_type report = advance(t_end, events...);
        if (report.status == ode_status::ok) {
            if (permission(static_cast<report_type const&>(report))) return report;
            report.status = ode_status::aborted;
        }
        w_.y() = extra_.row(saved_y);
        w_.k1() = extra_.row(saved_k);
        t_ = t;
        h_ = h;
        control_ = control;
        has_derivative_ = has_derivative;
        problem_->set_state(std::span<E const>(w_.y().span()));
        report.time = t_;
        return report;
    }
    constexpr report_type transacted_advance(V t_end) {
        return transacted_advance(t_end, [](report_type const&) { return true; });
    }

    [[nodiscard]] constexpr V time() const noexcept { return t_; }            ///< s, reached
    [[nodiscard]] constexpr V next_step() const noexcept { return h_; }       ///< s, proposed by step control; 0 before it knows
    [[nodiscard]] constexpr Problem& problem() const noexcept { return *problem_; }

private:
    // Extra states: two half steps and one whole step, the derivative at the end, and what a transaction gives back.
    static constexpr std::size_t whole = 0, middle = 1, middle_k = 2, end_k = 3, saved_y = 4, saved_k = 5;

    constexpr ode_status prepare(V t_end) {
        if (!isfinite(t_end)) return ode_status::bad_time;
        if (parameters.mode == stepping::fixed && !(parameters.initial_step > V(0) && isfinite(parameters.initial_step))) return ode_status::bad_step;
        if (!is_valid(parameters) || (parameters.mode == stepping::adaptive && !scalar<E>)) return ode_status::bad_parameters;
        if (!ready_ || problem_->dimension() != w_.dimension()) return restart(t_);
        return ode_status::ok;
    }

    // A flat state as event functions see it.
    constexpr decltype(auto) seen(state_view<E> y) {
        std::span<E const> const numbers(y.span());
        if constexpr (requires { problem_->view(numbers); })
            return problem_->view(numbers);
        else
            return numbers;
    }

    // Where an advance goes and what is in its way.
    struct course {
        V start, end, direction;
        V tick;       // changes of the time below this are rounding
        V floor;      // the smallest step
        V tolerance;  // width of the bracket of an event
        detail::step_count grid{};
        std::uint64_t at = 0;  // grid points passed
        bool blocked = false;  // something lies between here and the barrier
        V barrier{};
    };
    struct stride {
        V length, end;
        bool free;  // nothing but step control has limited its length
    };

    [[nodiscard]] constexpr course course_to(V t_end) const noexcept {
        V const tick = detail::tick_of(t_, t_end);
        V const shortest = parameters.mode == stepping::adaptive && !has_embedded_error<Integrator> ? detail::shortest_doubled(tick) : tick;
        return {t_, t_end, t_end < t_ ? V(-1) : V(1), tick, max(parameters.min_step, shortest), max(parameters.event_tolerance, tick)};
    }

    // How far to go next.
    [[nodiscard]] constexpr stride next_stride(course& c) const noexcept {
        stride s{};
        if (parameters.mode == stepping::adaptive) {
            V const left = abs(c.end - t_);
            s = {min(h_, parameters.max_step), V(0), true};
            if constexpr (is_fixed_v<V>) s.length = min(s.length, V::from_raw(V::largest / 2));  // times may be farther apart than any number, and what is infinite has no half
            if (s.length >= left)
                s = {left, V(0), false};
            else if (s.length > left / V(2))
                s = {left / V(2), V(0), false};  // two alike instead of a long one and a short one
            s.end = s.length == left ? c.end : t_ + c.direction * s.length;
        } else {
            auto const point = [&c, this](std::uint64_t k) {
                return k >= c.grid.steps ? c.end : detail::point_of_grid(c.start, c.direction, k, parameters.initial_step);
            };
            while (c.at + 1 < c.grid.steps && c.direction * (point(c.at + 1) - t_) <= V(0)) ++c.at;
            bool const full = t_ == point(c.at) && (c.at + 1 < c.grid.steps || c.grid.whole);
            s.end = point(c.at + 1);
            s.length = full ? parameters.initial_step : abs(s.end - t_);
        }
        if (c.blocked) {
            V const gap = abs(c.barrier - t_);
            bool const narrow = gap <= c.tolerance;
            V const part = narrow ? gap : gap / V(2);
            if (part < s.length) s = {part, narrow ? c.barrier : t_ + c.direction * part, false};
        }
        return s;
    }

    // The stride ended where the solution may not go. False if it was so short that this is known well enough.
    constexpr bool turn_back(course& c, stride const& s, report_type& report) const noexcept {
        ++report.rejections;
        if (s.length <= c.tolerance) {
            report.event_begin = t_;
            report.event_end = s.end;
            return false;
        }
        c.blocked = true;
        c.barrier = s.end;
        return true;
    }
    // The stride was too long. False if there is no shorter one.
    constexpr bool shorten(course const& c, stride const& s, V factor, report_type& report) noexcept {
        ++report.rejections;
        if (s.length <= c.floor) return false;
        h_ = max(s.length * factor, c.floor);
        return true;
    }

    template <class F, class... Events>
    constexpr ode_status run(F& f, report_type& report, V t_end, Events const&... events) {
        bool const adaptive = parameters.mode == stepping::adaptive;
        course c = course_to(t_end);
        if (!adaptive && t_ != t_end) {
            c.grid = detail::count_steps(t_, t_end, parameters.initial_step);
            if (c.grid.steps == 0 || (c.grid.steps > 1 && !(parameters.initial_step > c.tick))) return ode_status::step_too_small;
        }
        detail::event_watch<V, Events...> watch(events...);
        if (!watch.start(static_cast<S>(t_), seen(w_.y()))) return ode_status::not_finite;

        while (t_ != t_end) {
            if (parameters.max_steps != 0 && report.steps >= parameters.max_steps) return ode_status::too_many_steps;
            if (!has_derivative_) {
                problem_->set_state(std::span<E const>(w_.y().span()));
                f.evaluate_installed(w_.k1(), static_cast<S>(t_), state_kind::regular);
                if (f.failed()) return f.status();
                has_derivative_ = true;
            }
            if (adaptive && !(h_ > V(0))) h_ = max(first_step(f, c.direction, abs(t_end - t_)), c.floor);
            stride const s = next_stride(c);
            if (s.end == t_) return ode_status::step_too_small;

            V error{};
            bool changed = false;
            ode_status status = attempt(f, c.direction * s.length, error);
            if (status == ode_status::ok && adaptive && !(error <= V(1))) {
                if (!shorten(c, s, control_.reject(parameters, error, error_order, has_embedded_error<Integrator>), report)) return ode_status::step_too_small;
                continue;
            }
            if (status == ode_status::ok) {
                if (!watch.look_ahead(static_cast<S>(s.end), seen(w_.y1()))) return ode_status::not_finite;
                if (watch.crossed() != 0 && (s.length > c.tolerance || watch.stops())) {
                    if (turn_back(c, s, report)) continue;
                    note_events(report, watch.crossed(), s);
                    return ode_status::event;
                }
                status = evaluate_end(f, s.end, changed);
            }
            if (status == ode_status::invalid_state) {
                if (!turn_back(c, s, report)) return status;
                continue;
            }
            if (status != ode_status::ok) {
                if (!adaptive || status == ode_status::no_split || !shorten(c, s, V(0.25L), report)) return status;
                continue;
            }

            // Keep it.
            if (watch.crossed() != 0) note_events(report, watch.crossed(), s);
            watch.pass(static_cast<S>(t_), [&]() -> decltype(auto) { return seen(w_.y()); });
            w_.y() = w_.y1();
            has_derivative_ = end_is_evaluated || !always_regular;
            if (has_derivative_) w_.k1() = extra_.row(end_k);
            t_ = s.end;
            ++report.steps;
            if (!c.blocked) report.smallest_step = report.steps > 1 ? min(report.smallest_step, s.length) : s.length;
            if (adaptive) {
                V const grown = s.length * control_.accept(parameters, error, error_order, has_embedded_error<Integrator>);
                if (s.free) h_ = max(grown, c.floor);
            }
            if (changed || c.direction * (c.barrier - t_) <= V(0)) c.blocked = false;
            if (changed && !watch.start(static_cast<S>(t_), seen(w_.y()))) return ode_status::not_finite;
        }
        return ode_status::ok;
    }

    // The state at the end of a step, as one to be kept: its derivative, and what the problem makes of it.
    template <class F>
    constexpr ode_status evaluate_end(F& f, V t, bool& changed) {
        if constexpr (end_is_evaluated) {
            extra_.row(end_k) = w_.stage(Integrator::end_derivative_buffer);
        } else if constexpr (!always_regular) {
            problem_->set_state(std::span<E const>(w_.y1().span()));
            f.evaluate_installed(extra_.row(end_k), static_cast<S>(t), state_kind::regular);
        } else {
            return ode_status::ok;
        }
        ode_status const status = f.status();
        f.forgive();
        changed = !always_regular && status == ode_status::ok && f.changed();
        if (changed) {
            problem_->get_state(w_.y1().span());
            if (!detail::is_finite(w_.y1())) return ode_status::not_finite;
        }
        return status;
    }

    // One step of length h, kept in y1; with its error if the steps are adaptive.
    template <class F>
    constexpr ode_status attempt(F& f, V h, V& error) {
        using workspace = decltype(w_);
        step_attempt<V, E, workspace> const full{t_, h, w_.y(), w_.k1(), w_.y1(), w_};
        integrator.attempt(f, full);
        if constexpr (scalar<E>) {
            if (parameters.mode == stepping::adaptive && !f.failed()) {
                if constexpr (has_embedded_error<Integrator>) {
                    error = detail::scaled_error(parameters, w_.stage(Integrator::error_buffer), w_.y(), w_.y1());
                } else if (V const half = h / V(2); half != V(0)) {
                    // Step doubling: the whole step against two halves; the latter are kept. In fixed point one may be longer than the other by a last place
                    // of the time; and of that alone, which may be left to the end, there is no half.
                    extra_.row(whole) = w_.y1();
                    step_attempt<V, E, workspace> const first{t_, half, w_.y(), w_.k1(), extra_.row(middle), w_};
                    integrator.attempt(f, first);
                    f(extra_.row(middle_k), t_ + half, extra_.row(middle));
                    step_attempt<V, E, workspace> const second{t_ + half, h - half, extra_.row(middle), extra_.row(middle_k), w_.y1(), w_};
                    if (!f.failed()) integrator.attempt(f, second);
                    error = detail::scaled_error(parameters, w_.y1() - extra_.row(whole), w_.y(), w_.y1());
                    if (parameters.extrapolate) {
                        V power_of_two(1);
                        for (int i = 0; i < Integrator::order; ++i) power_of_two *= V(2);
                        w_.y1() = w_.y1() + (V(1) / (power_of_two - V(1))) * (w_.y1() - extra_.row(whole));
                    }
                }
            }
        }
        if (!f.failed() && !detail::is_finite(w_.y1())) f.refuse(w_.y1());
        ode_status const s = f.status();
        f.forgive();
        return s;
    }

    // A first step from the sizes of y, y' and y'' (Hairer, Norsett, Wanner II.4). One evaluation.
    template <class F>
    constexpr V first_step(F& f, V direction, V left) {
        V const bound = min(left, parameters.max_step);
        if (parameters.initial_step > V(0)) return min(parameters.initial_step, bound);
        if constexpr (scalar<E>) {
            auto const y = w_.y(), k = w_.k1(), k2 = extra_.row(middle_k);
            V const d0 = detail::scaled_error(parameters, y, y, y), d1 = detail::scaled_error(parameters, k, y, y);
            V h0 = d0 < V(1e-5L) || d1 < V(1e-5L) ? V(1e-6L) : V(0.01L) * d0 / d1;
            if constexpr (is_fixed_v<V>) h0 = max(h0, V(1.0 / 64));  // of numbers that have left the range, or have no digits, nothing follows
            h0 = min(h0, bound);
            f(k2, t_ + direction * h0, y + direction * h0 * k);
            if (f.failed()) {
                f.forgive();
                return h0;
            }
            V const d2 = detail::scaled_error(parameters, k2 - k, y, y) / h0;
            V const steepest = max(d1, d2);
            V const h1 = steepest <= V(1e-15L) ? max(V(1e-6L), h0 * V(1e-3L)) : detail::root_of_ratio(V(0.01L), steepest, Integrator::order + 1);
            return min(min(V(100) * h0, h1), bound);
        } else {
            return bound;
        }
    }

    constexpr void note_events(report_type& report, std::uint64_t crossed, stride const& s) const noexcept {
        report.event_mask = crossed;
        report.event_index = static_cast<std::size_t>(std::countr_zero(crossed));
        report.events += static_cast<std::size_t>(std::popcount(crossed));
        report.event_begin = t_;
        report.event_end = s.end;
    }

    static constexpr int error_order = [] {
        if constexpr (has_embedded_error<Integrator>)
            return Integrator::error_order;
        else
            return Integrator::order;
    }();

    Problem* problem_;
    ode_workspace<Integrator, E, max_dimension> w_{};
    detail::state_rows<E, 6, max_dimension> extra_{};
    V t_, h_{};
    detail::growth_control<V> control_{};
    std::size_t early_evaluations_ = 0;
    bool has_derivative_ = false;
    bool ready_ = false;
};

}  // namespace sinew::inline v0
