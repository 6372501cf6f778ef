#pragma once
// What an integrator can solve: the problem concept (Vondrak 2005, 2.3).
//
// A problem owns its state, as objects of any kind. An integrator sees it as a flat vector y of numbers with
// y' = f(t, y): it copies the state out, installs a state, and asks for the derivative of the state installed. It
// knows nothing else of the system.
//
//   p.dimension()             how many numbers
//   p.get_state(y)            current state to y
//   p.set_state(y)            y to the current state
//   p.derivative(t, dydt)     f(t, current state) to dydt
//
// The derivative answers one of three things (Vondrak 2005, 6.3.2 and 6.4.3). It may ask for a third argument, which
// tells a state that may be kept from one that only serves to estimate another: impulses belong to the former.
//
// Optional members of a problem:
//   scalar_type               its number (required by make_step and ode_solver)
//   split()                   where the velocities begin in y; half of the dimension unless given (symplectic_euler, velocity_verlet)
//   position_rate(t, dq)      the first split() numbers of f alone, where they come cheaper than all of f
//   max_dimension             static constexpr: buffers are kept in place and nothing is allocated; 0 means the heap
//   view(y)                   what event functions are given instead of the flat y
//   refused(y)                is told the derivative or the state for which a step is refused since one of its numbers is infinite or NaN
//   always_regular            static constexpr bool: the derivative is never changed or invalid; saves evaluations

#include <concepts>
#include <cstddef>
#include <span>

namespace sinew::inline v0 {

/// What the evaluation of a derivative met.
enum class derivative_status : unsigned char {
    regular,  ///< the derivative of the state that was set
    changed,  ///< the problem changed its state (an impulse, a renormalisation); the derivative is that of the changed state
    invalid,  ///< the state is not admissible (a penetration): no step may end here
};

/// What a state is evaluated for. Only a regular state may be kept; changes of an intermediate one are ignored.
enum class state_kind : unsigned char { regular, intermediate };

// The atoms. S is the number that time is measured in, E an element of the state; for a problem E = S.

template <class P>
concept has_dimension = requires(P& p) {
    { p.dimension() } -> std::convertible_to<std::size_t>;
};
template <class P, class E>
concept has_get_state = requires(P& p, std::span<E> y) { p.get_state(y); };
template <class P, class E>
concept has_set_state = requires(P& p, std::span<E const> y) { p.set_state(y); };
template <class P, class S, class E = S>
concept has_plain_derivative = requires(P& p, S const& t, std::span<E> dydt) {
    { p.derivative(t, dydt) } -> std::same_as<derivative_status>;
};
template <class P, class S, class E = S>
concept has_staged_derivative = requires(P& p, S const& t, std::span<E> dydt, state_kind kind) {
    { p.derivative(t, dydt, kind) } -> std::same_as<derivative_status>;
};
template <class P, class S, class E = S>
concept has_derivative = has_plain_derivative<P, S, E> || has_staged_derivative<P, S, E>;

template <class P>
concept has_split = requires(P& p) {
    { p.split() } -> std::convertible_to<std::size_t>;
};
template <class P, class S, class E = S>
concept has_position_rate = requires(P& p, S const& t, std::span<E> dq) { p.position_rate(t, dq); };

/// A problem y' = f(t, y) over numbers S.
template <class P, class S, class E = S>
concept ode_problem_for = has_dimension<P> && has_get_state<P, E> && has_set_state<P, E> && has_derivative<P, S, E>;

/// Says in one sentence what a type lacks to be a problem.
template <class P, class S, class E = S>
constexpr void check_ode_problem() noexcept {
    static_assert(has_dimension<P>, "sinew: an ODE problem needs dimension(), the number of its state variables");
    static_assert(has_get_state<P, E>, "sinew: an ODE problem needs get_state(std::span<S> y), which copies its state to y");
    static_assert(has_set_state<P, E>, "sinew: an ODE problem needs set_state(std::span<S const> y), which installs y as its state");
    static_assert(has_derivative<P, S, E>,
                  "sinew: an ODE problem needs derivative(S t, std::span<S> dydt), which returns a sinew::derivative_status");
}

namespace detail {

template <class P>
struct problem_element {
    using type = typename P::scalar_type;
};
template <class P>
    requires requires { typename P::element_type; }
struct problem_element<P> {
    using type = typename P::element_type;
};

template <class P>
[[nodiscard]] constexpr std::size_t max_dimension_of() noexcept {
    if constexpr (requires { P::max_dimension; })
        return P::max_dimension;
    else
        return 0;
}
template <class P>
[[nodiscard]] constexpr bool is_always_regular() noexcept {
    if constexpr (requires { P::always_regular; })
        return P::always_regular;
    else
        return false;
}

template <class S, class E, class P>
constexpr derivative_status evaluate(P& p, S const& t, std::span<E> dydt, state_kind kind) {
    if constexpr (has_staged_derivative<P, S, E>)
        return p.derivative(t, dydt, kind);
    else
        return p.derivative(t, dydt);
}

}  // namespace detail

}  // namespace sinew::inline v0
