#pragma once
// In what unit a solve on positions counts.
//
// In floating point multipliers are p = lambda h^2 (kg m): W J^T dp displaces a body, and changes its velocity by that over h. Numbers without an
// exponent have few digits of either. In 1/1024 s gravity moves less than a place of Q15.16, and one place of dp is 1/64 m/s of a body of 1 kg:
// most steps of multipliers would round to nothing. There the equation is divided by h: p = lambda h (N s), W J^T dp changes the velocity, and h
// times that displaces.

#include <sinew/math/squared.hpp>

namespace sinew::inline v0::detail {

// Of a step of h seconds.
template <class S>
struct position_unit {
    static constexpr bool is_divided = !floating_scalar<S>;
    S h;
    S inverse_h;

    constexpr explicit position_unit(S const& step) noexcept : h(step), inverse_h(S(1) / step) {}
    // p is lambda times this.
    [[nodiscard]] constexpr S of_multiplier() const noexcept {
        if constexpr (is_divided)
            return h;
        else
            return squared(h);
    }
    // A force is p times this.
    [[nodiscard]] constexpr S force() const noexcept {
        if constexpr (is_divided)
            return inverse_h;
        else
            return squared(inverse_h);
    }
    // From and to the unit: what is a length, an error or a displacement (m) ...
    template <class T>
    [[nodiscard]] constexpr T of_length(T const& x) const noexcept {
        return is_divided ? x * inverse_h : x;
    }
    template <class T>
    [[nodiscard]] constexpr T to_length(T const& x) const noexcept {
        return is_divided ? x * h : x;
    }
    // ... and what is its rate.
    template <class T>
    [[nodiscard]] constexpr T of_rate(T const& x) const noexcept {
        return is_divided ? x : x * h;
    }
    template <class T>
    [[nodiscard]] constexpr T to_rate(T const& x) const noexcept {
        return is_divided ? x : inverse_h * x;
    }
};

}  // namespace sinew::inline v0::detail
