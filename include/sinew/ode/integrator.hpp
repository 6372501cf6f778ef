#pragma once
// What an integrator is, and one step of any of them over any problem.
//
// An integrator is a small value: its order, how many buffers it needs, its tuning numbers, and
//
//   attempt(f, s)   from the state s.y at s.t with the derivative s.k1 to s.y1, s.h later
//
// where f(k, t, y) evaluates k = f(t, y). Once an evaluation has failed the rest are skipped, so that an attempt reads
// like its textbook. It neither accepts nor rejects: that is the caller's part.
//
//   t, h   time and step (s)      y   state      k   derivatives of the state at the stages

#include <sinew/math/elementary.hpp>
#include <sinew/math/scalar.hpp>
#include <sinew/ode/problem.hpp>
#include <sinew/ode/status.hpp>
#include <sinew/ode/workspace.hpp>

#include <cstddef>
#include <span>

namespace sinew::inline v0 {

namespace detail {

// Whether every element is finite. An element that cannot tell counts as finite, unless it differs from itself.
template <class E>
[[nodiscard]] constexpr bool is_finite(state_view<E> y) {
    for (std::size_t i = 0; i < y.size(); ++i) {
        if constexpr (requires { all(isfinite(y[i])); }) {
            if (!all(isfinite(y[i]))) return false;
        } else if constexpr (std::equality_comparable<E>) {
            if (!(y[i] == y[i])) return false;
        }
    }
    return true;
}

}  // namespace detail

/// The right-hand side f as an attempt sees it.
template <class Problem, class S, class E>
class stage_evaluator {
public:
    constexpr stage_evaluator(Problem& p, state_view<E> scratch) noexcept : problem_(&p), scratch_(scratch) {}

    /// k = f(t, y), unless an evaluation before has failed.
    template <class T, state_expression Y>
    constexpr void operator()(state_view<E> k, T const& t, Y const& y) {
        if (failed()) return;
        install(y);
        evaluate_installed(k, static_cast<S>(t), state_kind::intermediate);
    }
    /// As above, but only the positions' part of k is needed.
    template <class T, state_expression Y>
    constexpr void positions(state_view<E> k, T const& t, Y const& y) {
        if constexpr (has_position_rate<Problem, S, E>) {
            if (failed()) return;
            install(y);
            problem_->position_rate(static_cast<S>(t), k.first(split()).span());
        } else {
            (*this)(k, t, y);
        }
    }
    /// k = f(t, y) of the state that the problem holds.
    constexpr void evaluate_installed(state_view<E> k, S const& t, state_kind kind) {
        ++evaluations_;
        auto const answer = detail::evaluate<S, E>(*problem_, t, k.span(), kind);
        changed_ = answer == derivative_status::changed;
        if (answer == derivative_status::invalid)
            fail(ode_status::invalid_state);
        else if (!detail::is_finite(k))
            refuse(k);
    }

    /// Where the velocities begin.
    [[nodiscard]] constexpr std::size_t split() {
        if constexpr (has_split<Problem>)
            return problem_->split();
        else
            return scratch_.size() / 2;
    }
    [[nodiscard]] constexpr bool has_halves() const noexcept { return has_split<Problem> || scratch_.size() % 2 == 0; }

    constexpr void fail(ode_status s) noexcept {
        if (!failed()) status_ = s;
    }
    /// What is infinite or NaN; a problem that wants to know where is told.
    constexpr void refuse(state_view<E> x) {
        if constexpr (requires { problem_->refused(x.span()); })
            if (!failed()) problem_->refused(x.span());
        fail(ode_status::not_finite);
    }
    [[nodiscard]] constexpr bool failed() const noexcept { return status_ != ode_status::ok; }
    [[nodiscard]] constexpr ode_status status() const noexcept { return status_; }
    constexpr void forgive() noexcept { status_ = ode_status::ok; }
    /// Whether the last evaluation changed the state.
    [[nodiscard]] constexpr bool changed() const noexcept { return changed_; }
    [[nodiscard]] constexpr std::size_t evaluations() const noexcept { return evaluations_; }

private:
    template <class Y>
    constexpr void install(Y const& y) {
        scratch_ = y;
        problem_->set_state(std::span<E const>(scratch_.span()));
    }

    Problem* problem_;
    state_view<E> scratch_;
    std::size_t evaluations_ = 0;
    ode_status status_ = ode_status::ok;
    bool changed_ = false;
};

/// One step to be attempted. T is the type of time: S, or the built-in type of S.
template <class T, class E, class Workspace>
struct step_attempt {
    T t, h;
    state_view<E> y, k1, y1;
    Workspace& workspace;

    [[nodiscard]] constexpr state_view<E> stage(std::size_t i) const noexcept { return workspace.stage(i); }
};

template <class I>
concept has_order = requires {
    { I::order } -> std::convertible_to<int>;
};
template <class I>
concept has_buffers = requires {
    { I::buffers } -> std::convertible_to<std::size_t>;
};
/// Estimates its error: stage(error_buffer) holds it after an attempt.
template <class I>
concept has_embedded_error = requires {
    { I::error_buffer } -> std::convertible_to<std::size_t>;
};
/// Ends with the derivative at y1, in stage(end_derivative_buffer).
template <class I>
concept has_end_derivative = requires {
    { I::end_derivative_buffer } -> std::convertible_to<std::size_t>;
};

namespace detail {
template <class I, class P, class S>
using attempt_of_t = step_attempt<S, typename problem_element<P>::type, ode_workspace<I, typename problem_element<P>::type, max_dimension_of<P>()>>;
}  // namespace detail

template <class I, class P>
concept has_attempt = requires(I const& i, stage_evaluator<P, typename P::scalar_type, typename detail::problem_element<P>::type>& f,
                               detail::attempt_of_t<I, P, typename P::scalar_type> const& s) { i.attempt(f, s); };

/// An integrator that can step problem P.
template <class I, class P>
concept integrator_for = has_order<I> && has_buffers<I> && has_attempt<I, P>;

/// One step of length h from the problem's current state, in place. On any status but ok the problem has the state from
/// before. A negative h steps back in time. The state at the end is not evaluated: what the problem says of it shows in
/// the next step (ode_solver looks at once).
template <class Integrator, class Problem, class T, class Workspace>
constexpr ode_status make_step(Integrator const& integrator, Problem& p, T const& t, T const& h, Workspace& w) {
    using E = typename Workspace::element_type;
    using S = typename Problem::scalar_type;
    check_ode_problem<Problem, S, E>();
    if (!all(isfinite(t))) return ode_status::bad_time;
    if (!all(isfinite(h))) return ode_status::bad_step;
    w.prepare(p.dimension());
    auto const y = w.y();
    p.get_state(y.span());
    if (!detail::is_finite(y)) return ode_status::not_finite;

    stage_evaluator<Problem, S, E> f(p, w.scratch());
    auto const before = w.before();
    before = y;
    f.evaluate_installed(w.k1(), static_cast<S>(t), state_kind::regular);
    if (f.changed()) p.get_state(y.span());
    step_attempt<T, E, Workspace> const s{t, h, y, w.k1(), w.y1(), w};
    if (!f.failed()) integrator.attempt(f, s);
    if (!f.failed() && !detail::is_finite(s.y1)) f.refuse(s.y1);
    p.set_state(std::span<E const>(f.failed() ? before.span() : s.y1.span()));
    return f.status();
}

}  // namespace sinew::inline v0
