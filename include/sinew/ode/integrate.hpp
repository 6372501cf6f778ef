#pragma once
// Anybody's ODE in one line: sinew::integrate(sinew::rk4{}, f, y0, t0, t1, h).

#include <sinew/ode/events.hpp>
#include <sinew/ode/function_problem.hpp>
#include <sinew/ode/ode_solver.hpp>
#include <sinew/ode/step_control.hpp>

#include <concepts>
#include <type_traits>

namespace sinew::inline v0 {

/// The state reached, and what it took.
template <class Y, class S>
struct integration {
    Y y;
    ode_report<S> report;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return static_cast<bool>(report); }
};

namespace detail {

// The built-in type of time of a state Y, times given as T.
template <class Y, class T>
using integration_time_t = built_in_t<typename state_access<Y, T>::time>;

template <class T, class Integrator, class F, class Y, class V, class... Events>
[[nodiscard]] constexpr integration<Y, V> integrate_function(Integrator const& method, F& f, Y const& y0, V t0, V t1, step_parameters<V> const& parameters,
                                                             Events const&... events) {
    using problem_type = function_problem<F&, Y, T>;
    problem_type problem(f, y0);
    ode_solver<Integrator, problem_type> solver(problem, method, parameters, t0);
    auto const report = solver.advance(t1, events...);
    return {problem.y, report};
}

}  // namespace detail

/// Integrates y' = f(t, y) from t0 to t1 in steps of h; the last is shortened to end at t1, and t1 < t0 goes back in
/// time. What y and f may be: see function_problem. If it does not end well, y is the last good state.
template <class Integrator, class F, class Y, class T0, class T1, class H, class... Events>
    requires std::convertible_to<H, detail::integration_time_t<Y, std::common_type_t<T0, T1, H>>>
[[nodiscard]] constexpr auto integrate(Integrator const& method, F f, Y const& y0, T0 t0, T1 t1, H h, Events const&... events) {
    using T = std::common_type_t<T0, T1, H>;
    using V = detail::integration_time_t<Y, T>;
    return detail::integrate_function<T>(method, f, y0, static_cast<V>(t0), static_cast<V>(t1), fixed_steps(static_cast<V>(h)), events...);
}

/// As above with the steps that the parameters ask for: adaptive_steps(1e-9, 1e-9).
template <class Integrator, class F, class Y, class T0, class T1, class V, class... Events>
[[nodiscard]] constexpr auto integrate(Integrator const& method, F f, Y const& y0, T0 t0, T1 t1, step_parameters<V> const& parameters, Events const&... events) {
    static_assert(std::same_as<V, detail::integration_time_t<Y, V>>, "sinew: the step parameters are of another type than the state's numbers");
    return detail::integrate_function<V>(method, f, y0, static_cast<V>(t0), static_cast<V>(t1), parameters, events...);
}

}  // namespace sinew::inline v0
