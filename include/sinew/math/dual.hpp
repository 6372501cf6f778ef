#pragma once
// Dual numbers: a value and its derivatives in N directions, carried together (forward-mode differentiation).
//
// f(x + eps) = f(x) + f'(x) eps with eps^2 = 0. One evaluation over dual<S, N> yields the value and N directional
// derivatives, exact to rounding. dual<dual<S, N>, M> yields second derivatives. Where a derivative does not exist
// (sqrt and asin at the end of their domain) the derivative is 0, so that a degenerate pose stays finite.

#include <sinew/math/by_name.hpp>
#include <sinew/math/elementary.hpp>
#include <sinew/math/scalar.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace sinew::inline v0 {

template <class S, std::size_t N>
struct dual;

template <class T>
inline constexpr bool is_dual_v = false;
template <class S, std::size_t N>
inline constexpr bool is_dual_v<dual<S, N>> = true;

/// A floating-point constant for a scalar that is made of none (fixed point): the compiler converts it, or nobody.
template <class K, class S>
concept folded_for = std::floating_point<K> && !std::floating_point<value_type_t<S>>;

/// A number without derivatives in the directions of dual D: what D's own scalar can hold.
template <class K, class D>
concept constant_of = !std::same_as<K, D> && std::convertible_to<K, typename D::scalar_type> && !folded_for<K, typename D::scalar_type>;

/// v + d[0] eps_0 + ... + d[N-1] eps_(N-1).
template <class S, std::size_t N>
struct dual {
    using scalar_type = S;
    static constexpr std::size_t lanes = N;

    S v;     ///< value
    S d[N];  ///< derivatives

    constexpr dual() noexcept : v{}, d{} {}
    /// A constant: every derivative is zero.
    template <class T>
        requires(std::convertible_to<T, S> && !std::same_as<T, dual> && !folded_for<T, S>)
    constexpr dual(T const& value) noexcept : v(static_cast<S>(value)), d{} {
        if constexpr (!floating_scalar<S> && !std::is_trivially_default_constructible_v<S>)
            for (S& x : d) x = S(0);  // once more, or g++ 12 takes no such constant for one
    }
    template <folded_for<S> T>
    consteval dual(T const& value) noexcept : v(value), d{} {}
    /// Over fixed point: a number known at run time, see fixed.
    [[nodiscard]] static constexpr dual from(double x) noexcept
        requires requires { S::from(x); }
    {
        return dual(S::from(x));
    }
    /// A number of another kind, with the same derivatives.
    template <class T>
        requires(!std::same_as<T, S> && derivative_order_v<T> == derivative_order_v<S> && std::constructible_from<S, T const&> && !folded_for<T, S>)
    constexpr explicit dual(dual<T, N> const& a) noexcept : dual(unset{}) {
        v = static_cast<S>(a.v);
        each_lane([&](auto i) { d[i] = static_cast<S>(a.d[i]); });
    }
    /// The variable that lane i differentiates by.
    [[nodiscard]] static constexpr dual variable(S const& value, std::size_t i) noexcept {
        dual r(value);
        r.d[i] = S(1);
        return r;
    }

    constexpr dual& operator+=(dual const& b) noexcept { return *this = *this + b; }
    constexpr dual& operator-=(dual const& b) noexcept { return *this = *this - b; }
    constexpr dual& operator*=(dual const& b) noexcept { return *this = *this * b; }
    constexpr dual& operator/=(dual const& b) noexcept { return *this = *this / b; }

    [[nodiscard]] friend constexpr dual operator+(dual const& a) noexcept { return a; }
    [[nodiscard]] friend constexpr dual operator-(dual const& a) noexcept {
        dual r(unset{});
        r.v = -a.v;
        each_lane([&](auto i) { r.d[i] = -a.d[i]; });
        return r;
    }
    [[nodiscard]] friend constexpr dual operator+(dual const& a, dual const& b) noexcept {
        dual r(unset{});
        r.v = a.v + b.v;
        each_lane([&](auto i) { r.d[i] = a.d[i] + b.d[i]; });
        return r;
    }
    [[nodiscard]] friend constexpr dual operator-(dual const& a, dual const& b) noexcept {
        dual r(unset{});
        r.v = a.v - b.v;
        each_lane([&](auto i) { r.d[i] = a.d[i] - b.d[i]; });
        return r;
    }
    [[nodiscard]] friend constexpr dual operator*(dual const& a, dual const& b) noexcept {
        dual r(unset{});
        r.v = a.v * b.v;
        each_lane([&](auto i) { r.d[i] = a.d[i] * b.v + a.v * b.d[i]; });
        return r;
    }
    [[nodiscard]] friend constexpr dual operator/(dual const& a, dual const& b) noexcept {
        dual r(unset{});
        r.v = a.v / b.v;
        if constexpr (floating_scalar<S>) {
            S const k = S(1) / b.v;
            each_lane([&](auto i) { r.d[i] = (a.d[i] - r.v * b.d[i]) * k; });
        } else {  // 1 / b may have few digits
            each_lane([&](auto i) { r.d[i] = (a.d[i] - r.v * b.d[i]) / b.v; });
        }
        return r;
    }
    // Of duals of duals a constant stays one on every level: derivatives of 0 would make infinity times it NaN.
    template <class K>
    [[nodiscard]] static constexpr decltype(auto) without_derivatives(K const& constant) noexcept {
        if constexpr (requires(S const& x) { x.v; x.d; } && constant_of<K, S>)
            return (constant);
        else
            return static_cast<S>(constant);
    }
    // With a constant of any kind that S can hold: the derivatives need half the work.
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator+(dual const& a, K const& k) noexcept {
        dual r = a;
        r.v = a.v + static_cast<S>(k);
        return r;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator+(K const& k, dual const& a) noexcept {
        return a + k;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator-(dual const& a, K const& k) noexcept {
        dual r = a;
        r.v = a.v - static_cast<S>(k);
        return r;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator-(K const& k, dual const& a) noexcept {
        dual r = -a;
        r.v = static_cast<S>(k) - a.v;
        return r;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator*(dual const& a, K const& constant) noexcept {
        dual r(unset{});
        auto const& k = without_derivatives(constant);
        r.v = a.v * k;
        each_lane([&](auto i) { r.d[i] = a.d[i] * k; });
        return r;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator*(K const& k, dual const& a) noexcept {
        return a * k;
    }
    template <constant_of<dual> K>
    [[nodiscard]] friend constexpr dual operator/(dual const& a, K const& constant) noexcept {
        dual r(unset{});
        auto const& k = without_derivatives(constant);
        r.v = a.v / k;
        each_lane([&](auto i) { r.d[i] = a.d[i] / k; });
        return r;
    }

    // Comparisons look at the value alone.
    [[nodiscard]] friend constexpr auto operator<(dual const& a, dual const& b) noexcept { return a.v < b.v; }
    [[nodiscard]] friend constexpr auto operator>(dual const& a, dual const& b) noexcept { return b.v < a.v; }
    [[nodiscard]] friend constexpr auto operator<=(dual const& a, dual const& b) noexcept { return a.v <= b.v; }
    [[nodiscard]] friend constexpr auto operator>=(dual const& a, dual const& b) noexcept { return b.v <= a.v; }
    [[nodiscard]] friend constexpr auto operator==(dual const& a, dual const& b) noexcept { return a.v == b.v; }
    [[nodiscard]] friend constexpr auto operator!=(dual const& a, dual const& b) noexcept { return a.v != b.v; }
    // Of lanes there is a difference between what has a name and what has been computed (batch.hpp).
    [[nodiscard]] friend constexpr auto operator==(dual const& a, dual&& b) noexcept { return a.v == static_cast<S&&>(b.v); }
    [[nodiscard]] friend constexpr auto operator==(dual&& a, dual const& b) noexcept { return static_cast<S&&>(a.v) == b.v; }
    [[nodiscard]] friend constexpr auto operator==(dual&& a, dual&& b) noexcept { return static_cast<S&&>(a.v) == static_cast<S&&>(b.v); }
    [[nodiscard]] friend constexpr auto operator!=(dual const& a, dual&& b) noexcept { return a.v != static_cast<S&&>(b.v); }
    [[nodiscard]] friend constexpr auto operator!=(dual&& a, dual const& b) noexcept { return static_cast<S&&>(a.v) != b.v; }
    [[nodiscard]] friend constexpr auto operator!=(dual&& a, dual&& b) noexcept { return static_cast<S&&>(a.v) != static_cast<S&&>(b.v); }

    [[nodiscard]] friend constexpr auto differs(dual const& a, dual const& b) noexcept {
        auto r = differs(a.v, b.v);
        for (std::size_t i = 0; i < N; ++i) r = r | differs(a.d[i], b.d[i]);
        return r;
    }

    template <class M>
    [[nodiscard]] friend constexpr dual select(M const& mask, dual const& a, dual const& b) noexcept {
        dual r(unset{});
        r.v = select(mask, a.v, b.v);
        each_lane([&](auto i) { r.d[i] = select(mask, a.d[i], b.d[i]); });
        return r;
    }
    [[nodiscard]] friend constexpr dual min(dual const& a, dual const& b) noexcept { return select(b.v < a.v, b, a); }
    [[nodiscard]] friend constexpr dual max(dual const& a, dual const& b) noexcept { return select(a.v < b.v, b, a); }
    [[nodiscard]] friend constexpr dual abs(dual const& a) noexcept {
        dual r = select(a.v < S(0), -a, a);
        r.v = abs(a.v);  // of -0 too
        return r;
    }
    [[nodiscard]] friend constexpr auto value(dual const& a) noexcept { return value(a.v); }
    [[nodiscard]] friend constexpr auto isfinite(dual const& a) noexcept {
        auto r = isfinite(a.v);
        for (std::size_t i = 0; i < N; ++i) r = r & isfinite(a.d[i]);
        return r;
    }

    /// f(a), given f and f' at the value: the chain rule.
    [[nodiscard]] static constexpr dual chain(dual const& a, S const& f, S const& df) noexcept {
        dual r(unset{});
        r.v = f;
        each_lane([&](auto i) { r.d[i] = df * a.d[i]; });
        return r;
    }

    [[nodiscard]] friend constexpr dual sqrt(dual const& a) noexcept {
        auto const zero = a.v == S(0);
        S const r = sqrt(a.v);
        S const safe = select(zero, S(1), r);
        return chain(a, r, select(zero, S(0), (S(1) / S(2)) / safe));
    }
    [[nodiscard]] friend constexpr dual sin(dual const& a) noexcept { return chain(a, sin(a.v), cos(a.v)); }
    [[nodiscard]] friend constexpr dual cos(dual const& a) noexcept { return chain(a, cos(a.v), -sin(a.v)); }
    [[nodiscard]] friend constexpr dual tan(dual const& a) noexcept {
        S const t = tan(a.v);
        return chain(a, t, S(1) + t * t);
    }
    [[nodiscard]] friend constexpr dual atan(dual const& a) noexcept {
        return chain(a, atan(a.v), S(1) / (S(1) + a.v * a.v));
    }
    [[nodiscard]] friend constexpr dual atan2(dual const& y, dual const& x) noexcept {
        // x / (x^2 + y^2) and y / (x^2 + y^2), whose squares may have no room.
        S const size = max(abs(x.v), abs(y.v));
        auto const zero = size <= (floating_scalar<S> ? S(4) / S(scalar_traits<S>::max) : S(0));  // or as good as
        S const k = select(zero, S(0), S(1) / select(zero, S(1), size)), scaled_x = x.v * k, scaled_y = y.v * k;
        S const n = select(zero, S(1), scaled_x * scaled_x + scaled_y * scaled_y);
        S const ky = scaled_x / n * k, kx = scaled_y / n * k;
        dual r(unset{});
        r.v = atan2(y.v, x.v);
        each_lane([&](auto i) { r.d[i] = ky * y.d[i] - kx * x.d[i]; });
        return r;
    }
    [[nodiscard]] friend constexpr dual asin(dual const& a) noexcept { return chain(a, asin(a.v), inverse_cosine_of_asin(a.v)); }
    [[nodiscard]] friend constexpr dual acos(dual const& a) noexcept { return chain(a, acos(a.v), -inverse_cosine_of_asin(a.v)); }
    [[nodiscard]] friend constexpr dual exp(dual const& a) noexcept {
        S const f = exp(a.v);
        return chain(a, f, f);
    }
    [[nodiscard]] friend constexpr dual log(dual const& a) noexcept { return chain(a, log(a.v), S(1) / a.v); }
    [[nodiscard]] friend constexpr dual floor(dual const& a) noexcept { return dual(floor(a.v)); }

private:
    // A result whose every entry is about to be written: writing zeros first is a third of the time of an addition.
    struct unset {};
    constexpr explicit dual(unset) noexcept {}

    // f(i) for every lane i, written out: at -O2 g++ keeps a loop, and with it the lanes in memory, where written out it
    // sees through the zeros of a seed. The outer lanes of nested duals stay a loop, for the sake of the compile time.
    template <class F>
    static constexpr void each_lane(F&& f) noexcept {
        if constexpr (is_dual_v<S>)
            for (std::size_t i = 0; i < N; ++i) f(i);
        else
            [&]<std::size_t... I>(std::index_sequence<I...>) { (f(I), ...); }(std::make_index_sequence<N>{});
    }

    // 1 / sqrt(1 - x^2), 0 at the ends.
    [[nodiscard]] static constexpr S inverse_cosine_of_asin(S const& x) noexcept {
        S const c2 = (S(1) - x) * (S(1) + x);
        auto const end = c2 <= S(0);
        return select(end, S(0), S(1) / sqrt(select(end, S(1), c2)));
    }
};

template <class S, std::size_t N>
struct scalar_traits<dual<S, N>> {
    using value_type = value_type_t<S>;
    static constexpr value_type epsilon = scalar_traits<S>::epsilon;
    static constexpr value_type max = scalar_traits<S>::max;
    static constexpr value_type infinity = scalar_traits<S>::infinity;
};

template <class S, std::size_t N>
inline constexpr std::size_t derivative_order_v<dual<S, N>> = 1 + derivative_order_v<S>;

/// The derivatives of a with the value of b. What has converged in its value may have to go on for its derivatives; it keeps its bits.
template <scalar S>
[[nodiscard]] constexpr S with_value_of(S const& a, S const& b) noexcept {
    if constexpr (floating_scalar<S>) {
        return (a - S(value(a))) + S(value(b));
    } else {  // that of a may have left the range
        S r = a;
        detail::part_of(r, 0) = value(b);
        return r;
    }
}

static_assert(scalar<dual<double, 6>> && scalar<dual<dual<float, 2>, 3>>);

}  // namespace sinew::inline v0
