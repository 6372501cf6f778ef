#pragma once
// A plain function y' = f(t, y) as a problem.
//
// y may be a number; a row of numbers (std::array, vec, std::vector, anything with [] and size()); or any other value
// with y + y and number * y, which fixed steps of explicit integrators can then integrate.
// f(t, y) returns the derivative; or f(t, y, dydt) writes it, to a std::span or to a value like y.

#include <sinew/math/scalar.hpp>
#include <sinew/ode/problem.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sinew::inline v0 {

namespace detail {

template <class Y>
concept row_of_numbers = requires(Y& y) {
    { y.size() } -> std::convertible_to<std::size_t>;
    y[0];
    requires scalar<std::remove_cvref_t<decltype(y[0])>>;
};

template <class Y>
[[nodiscard]] constexpr std::size_t fixed_size_of() noexcept {
    if constexpr (requires { std::integral_constant<std::size_t, std::tuple_size<Y>::value>{}; })
        return std::tuple_size<Y>::value;
    else if constexpr (requires { std::integral_constant<std::size_t, Y::size()>{}; })
        return Y::size();
    else
        return 0;
}

// The elements of a state and the number that time is measured in. T: the times given, for states that do not tell.
template <class Y, class T>
struct state_access {  // opaque
    using element = Y;
    using time = std::conditional_t<std::floating_point<T>, T, double>;
    static constexpr std::size_t max_dimension = 1;
    static constexpr std::size_t size(Y const&) noexcept { return 1; }
    static constexpr Y const& get(Y const& y, std::size_t) noexcept { return y; }
    static constexpr void set(Y& y, std::size_t, Y const& x) { y = x; }
};
template <scalar Y, class T>
struct state_access<Y, T> {
    using element = Y;
    using time = Y;
    static constexpr std::size_t max_dimension = 1;
    static constexpr std::size_t size(Y const&) noexcept { return 1; }
    static constexpr Y const& get(Y const& y, std::size_t) noexcept { return y; }
    static constexpr void set(Y& y, std::size_t, Y const& x) noexcept { y = x; }
};
template <class Y, class T>
    requires(!scalar<Y> && row_of_numbers<Y>)
struct state_access<Y, T> {
    using element = std::remove_cvref_t<decltype(std::declval<Y&>()[0])>;
    using time = element;
    static constexpr std::size_t max_dimension = fixed_size_of<Y>();
    static constexpr std::size_t size(Y const& y) noexcept { return static_cast<std::size_t>(y.size()); }
    static constexpr element get(Y const& y, std::size_t i) { return y[i]; }
    static constexpr void set(Y& y, std::size_t i, element const& x) { y[i] = x; }
};

}  // namespace detail

/// y' = f(t, y), with its state y. T is the type of time where y is neither a number nor a row of numbers.
template <class F, class Y, class T = double>
class function_problem {
    using access = detail::state_access<Y, T>;

public:
    using scalar_type = typename access::time;
    using element_type = typename access::element;
    static constexpr std::size_t max_dimension = access::max_dimension;
    static constexpr bool always_regular = true;
    using S = scalar_type;
    using E = element_type;

    static constexpr bool returns_derivative = requires(F& f, S const& t, Y const& y) { requires !std::is_void_v<decltype(f(t, y))>; };
    static constexpr bool writes_span = requires(F& f, S const& t, Y const& y, std::span<E>& d) { f(t, y, d); };
    static constexpr bool writes_state = requires(F& f, S const& t, Y const& y, Y& d) { f(t, y, d); };
    static_assert(returns_derivative || writes_span || writes_state,
                  "sinew: the function of an ODE is called as f(t, y) and returns the derivative, or as f(t, y, dydt) and writes it; the time t is a number like those of y, with their derivatives");

    constexpr function_problem(F&& f, Y y0) : y(std::move(y0)), f_(static_cast<F&&>(f)), at_(y) {
        if constexpr (!returns_derivative && !writes_span) rate_ = y;
    }

    Y y;  ///< the state

    [[nodiscard]] constexpr std::size_t dimension() const { return access::size(y); }
    constexpr void get_state(std::span<E> out) const {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = access::get(y, i);
    }
    constexpr void set_state(std::span<E const> in) {
        for (std::size_t i = 0; i < in.size(); ++i) access::set(y, i, in[i]);
    }
    constexpr derivative_status derivative(S const& t, std::span<E> dydt) {
        if constexpr (returns_derivative) {
            auto const rate = f_(t, static_cast<Y const&>(y));
            if constexpr (detail::row_of_numbers<Y>)
                for (std::size_t i = 0; i < dydt.size(); ++i) dydt[i] = rate[i];
            else
                dydt[0] = rate;
        } else if constexpr (writes_span) {
            f_(t, static_cast<Y const&>(y), dydt);
        } else {
            f_(t, static_cast<Y const&>(y), rate_);
            for (std::size_t i = 0; i < dydt.size(); ++i) dydt[i] = access::get(rate_, i);
        }
        return derivative_status::regular;
    }
    /// A flat state as event functions see it.
    [[nodiscard]] constexpr Y const& view(std::span<E const> in) {
        for (std::size_t i = 0; i < in.size(); ++i) access::set(at_, i, in[i]);
        return at_;
    }

private:
    struct nothing {};
    F f_;
    Y at_;
    [[no_unique_address]] std::conditional_t<!returns_derivative && !writes_span, Y, nothing> rate_{};
};

}  // namespace sinew::inline v0
