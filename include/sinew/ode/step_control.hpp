#pragma once
// How long a step may be: parameters, the error measured against the tolerance, and the next step (Vondrak 2005, 2.2.3).
//
//   e      largest |error_i| / (absolute + relative max(|y_i|, |y1_i|)): the step is kept if e <= 1
//   h'     h safety e^(-1/(n + 1)), eq. 2.3, n the order; within the limits of growth
//
// With an embedded error the exponent also looks at the step before (PI control, Hairer, Norsett, Wanner IV.2, with the
// constants of their code DOPRI5), which makes the steps smoother.

#include <sinew/math/elementary.hpp>
#include <sinew/math/fixed_number.hpp>
#include <sinew/math/scalar.hpp>
#include <sinew/ode/state_view.hpp>

#include <cstddef>
#include <cstdint>

namespace sinew::inline v0 {

enum class stepping : unsigned char {
    adaptive,  ///< as long as the tolerance allows
    fixed,     ///< of length initial_step; the last is shortened to end in time
};

/// What an ode_solver goes by. S is the built-in type of the scalar.
template <class S>
struct step_parameters {
    stepping mode = stepping::adaptive;
    S absolute_error = max(S(1e-6L), S(64) * epsilon_v<S>);  ///< local error tolerated, in the units of each state variable
    S relative_error = max(S(1e-6L), S(64) * epsilon_v<S>);  ///< besides, as a fraction of the variable
    S initial_step = S(0);                                   ///< s; 0: estimated. The step where it is fixed
    S min_step = S(0);                                       ///< s; 0: what the resolution of time allows; in fixed point, with step doubling, 8 last places
    S max_step = infinity_v<S>;                              ///< s
    S safety = S(0.9L);                                      ///< part of the step that eq. 2.3 would allow
    S max_growth = S(5);                                     ///< factor from one step to the next
    S max_shrink = S(5);                                     ///< likewise, dividing
    S event_tolerance = S(0);                                ///< s, width of the bracket of an event; 0: the resolution of time
    std::size_t max_steps = 0;                               ///< of one advance; 0: any number
    bool extrapolate = false;                                ///< with step doubling: adds the estimated error to the result
};

/// Steps of length h (s).
template <class S>
[[nodiscard]] constexpr step_parameters<S> fixed_steps(S h) noexcept {
    step_parameters<S> p;
    p.mode = stepping::fixed;
    p.initial_step = h;
    return p;
}
/// Steps as long as the local errors allow.
template <class S>
[[nodiscard]] constexpr step_parameters<S> adaptive_steps(S absolute_error, std::type_identity_t<S> relative_error) noexcept {
    step_parameters<S> p;
    p.absolute_error = absolute_error;
    p.relative_error = relative_error;
    return p;
}

/// Whether every parameter is in its range.
template <class S>
[[nodiscard]] constexpr bool is_valid(step_parameters<S> const& p) noexcept {
    auto const tolerance = [](S x) { return x >= S(0) && isfinite(x); };
    return tolerance(p.absolute_error) && tolerance(p.relative_error) && p.absolute_error + p.relative_error > S(0) && tolerance(p.initial_step) &&
           tolerance(p.min_step) && p.max_step > S(0) && p.min_step <= p.max_step && p.safety > S(0) && p.safety <= S(1) && p.max_growth > S(1) &&
           isfinite(p.max_growth) && p.max_shrink > S(1) && isfinite(p.max_shrink) && tolerance(p.event_tolerance);
}

namespace detail {

template <class S>
[[nodiscard]] constexpr S power(S x, S exponent) noexcept {
    return exp(exponent * log(x));
}
/// (a / b)^(1 / n). In fixed point the quotient may be less than a last place, of which no root would be left, and b have left the range.
template <class S>
[[nodiscard]] constexpr S root_of_ratio(S a, S b, int n) noexcept {
    if constexpr (is_fixed_v<S>)
        return exp((log(a) - log(min(b, S::from_raw(S::largest / 2)))) / S(n));
    else
        return power(a / b, S(1) / S(n));
}

/// The size of a value without its derivatives; of lanes, in one of them.
template <class S, class X>
[[nodiscard]] constexpr S size_in(X const& x, [[maybe_unused]] std::size_t lane) noexcept {
    if constexpr (has_lanes_v<X>)
        return abs(S(value(x)[lane]));
    else
        return abs(S(value(x)));
}
/// The largest error, each in units of what is tolerated: absolute_error times unit(i), and a share of y. error is anything with elements. Lanes go through time
/// together, by the worst of them.
template <class S, class E, class X, class Unit>
[[nodiscard]] constexpr S scaled_error(step_parameters<S> const& p, X const& error, state_view<E> y, state_view<E> y1, Unit const& unit) {
    S largest(0);
    for (std::size_t i = 0; i < y.size(); ++i) {
        E const error_i = error[i];
        for (std::size_t lane = 0; lane < lanes_v<E>; ++lane) {
            S const e = size_in<S>(error_i, lane);
            S const tolerated = p.absolute_error * unit(i) + p.relative_error * max(size_in<S>(E(y[i]), lane), size_in<S>(E(y1[i]), lane));
            S const ratio = e == S(0) ? S(0) : e / tolerated;
            if (isnan(ratio)) return ratio;
            largest = max(largest, ratio);
        }
    }
    return largest;
}
template <class S, class E, class X>
[[nodiscard]] constexpr S scaled_error(step_parameters<S> const& p, X const& error, state_view<E> y, state_view<E> y1) {
    return scaled_error(p, error, y, y1, [](std::size_t) { return S(1); });
}

/// Factor from one step to the next.
template <class S>
class growth_control {
public:
    constexpr void restart() noexcept {
        previous_ = S(1e-4L);
        rejected_ = false;
    }
    /// After a step with error e that is kept.
    [[nodiscard]] constexpr S accept(step_parameters<S> const& p, S e, int order, bool proportional) noexcept {
        S const x = max(e, S(1e-10L));
        S factor = p.safety * power(x, -exponent(order, proportional));
        if (proportional) factor *= power(previous_, S(0.04L));
        previous_ = max(e, S(1e-4L));
        // No growth right after a rejection: the same step would be rejected again.
        factor = min(max(factor, S(1) / p.max_shrink), rejected_ ? S(1) : p.max_growth);
        rejected_ = false;
        return factor;
    }
    /// After a step with error e that is taken back.
    [[nodiscard]] constexpr S reject(step_parameters<S> const& p, S e, int order, bool proportional) noexcept {
        rejected_ = true;
        if (!(e <= scalar_traits<S>::max)) return S(1) / p.max_shrink;
        return min(max(p.safety * power(max(e, S(1)), -exponent(order, proportional)), S(1) / p.max_shrink), p.safety);
    }

    [[nodiscard]] friend constexpr bool operator==(growth_control const&, growth_control const&) = default;

private:
    [[nodiscard]] static constexpr S exponent(int order, bool proportional) noexcept {
        return S(1) / S(order + 1) - (proportional ? S(0.03L) : S(0));
    }
    S previous_ = S(1e-4L);
    bool rejected_ = false;
};

/// How many steps of length h lead from a to b, and whether the last is as long as the others. 100 steps of 0.01 from 0
/// to 1 are 100, although 0.01 is no binary fraction.
struct step_count {
    std::uint64_t steps = 0;  ///< 0: more than can be counted
    bool whole = false;
};
template <class S>
[[nodiscard]] constexpr step_count count_steps(S a, S b, S h) noexcept {
    S const quotient = abs(b - a) / h;
    if (!(quotient < S(4.0e18L))) return {};
    auto n = static_cast<std::uint64_t>(quotient + S(0.5L));
    S const size = max(abs(a), abs(b));
    S const slack = min(S(0.25L), S(4) * epsilon_v<S> * (quotient + size / h));
    S const off = static_cast<S>(n) - quotient;
    if (n > 0 && abs(off) <= slack) return {n, true};
    if (off < S(0)) ++n;
    return {n > 0 ? n : 1, false};
}
/// In fixed point times are whole numbers of 2^-F s, and so are steps: each may be half of that away from what was meant.
template <class S>
    requires is_fixed_v<S>
[[nodiscard]] constexpr step_count count_steps(S a, S b, S h) noexcept {
    auto const from = static_cast<std::uint64_t>(static_cast<std::int64_t>(min(a, b).raw)), to = static_cast<std::uint64_t>(static_cast<std::int64_t>(max(a, b).raw));
    if (!(h > S(0)) || a.is_infinite() || b.is_infinite()) return {};
    std::uint64_t const length = to - from, step = h.magnitude(), n = length / step + (length % step > step / 2 ? 1 : 0);
    std::uint64_t const off = n * step > length ? n * step - length : length - n * step;
    if (n > 0 && off <= n / 2 && off <= step / 4) return {n, true};
    std::uint64_t const up = length / step + (length % step != 0 ? 1 : 0);
    return {up > 0 ? up : 1, length % step == 0 && up > 0};
}
/// start + direction k h, where direction is 1 or -1.
template <class S>
[[nodiscard]] constexpr S point_of_grid(S start, S direction, std::uint64_t k, S h) noexcept {
    if constexpr (is_fixed_v<S>) {  // of a count from above: in range
        std::uint64_t const from = static_cast<std::uint64_t>(static_cast<std::int64_t>(start.raw)), way = k * h.magnitude();  // which wraps
        return S::from_raw(static_cast<typename S::storage>(static_cast<std::int64_t>(direction < S(0) ? from - way : from + way)));
    } else {
        return start + direction * (static_cast<S>(k) * h);
    }
}
/// The shortest step that is compared with two halves. In fixed point methods divide those further, and what is left of a last place would be rounding.
template <class S>
[[nodiscard]] constexpr S shortest_doubled(S tick) noexcept {
    return is_fixed_v<S> ? S(8) * tick : tick;
}
/// Changes of a time between a and b below this are rounding.
template <class S>
[[nodiscard]] constexpr S tick_of(S a, S b) noexcept {
    if constexpr (is_fixed_v<S>)
        return S::from_raw(1);
    else
        return S(4) * epsilon_v<S> * max(abs(a), abs(b));
}

}  // namespace detail

}  // namespace sinew::inline v0
