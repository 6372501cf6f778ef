#pragma once
// The scalar concept, and the branch-free choices that every scalar offers.
//
// A constraint is written once over a scalar S. S may be a built-in floating-point type, a dual number that
// carries derivatives, or several SIMD lanes. Comparing lanes yields a mask of lanes, so code over S never says
// `if (a < b)`: it says select(a < b, x, y), min, max or clamp. For built-in types the mask is bool.

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace sinew::inline v0 {

/// Customisation point: numeric facts of a scalar. `value_type` is the built-in type it is made of.
template <class S>
struct scalar_traits;

template <std::floating_point S>
struct scalar_traits<S> {
    using value_type = S;
    static constexpr S epsilon = std::numeric_limits<S>::epsilon();
    static constexpr S max = std::numeric_limits<S>::max();
    static constexpr S infinity = std::numeric_limits<S>::infinity();
};

/// What a comparison of two S yields: bool, or a mask with one truth value a lane.
template <class S>
using mask_t = std::remove_cvref_t<decltype(std::declval<S const&>() < std::declval<S const&>())>;

/// The built-in type that a scalar is made of: double for double, for dual<double, 6>, ...
template <class S>
using value_type_t = typename scalar_traits<S>::value_type;

/// How many independent numbers S holds, side by side: 1, or the lanes of a batch.
template <class S>
inline constexpr std::size_t lanes_v = 1;

/// Whether code over S must choose by select, for its comparisons yield masks.
template <class S>
inline constexpr bool has_lanes_v = !std::same_as<mask_t<S>, bool>;

template <class S>
inline constexpr S epsilon_v = S(scalar_traits<S>::epsilon);

template <class S>
inline constexpr S infinity_v = S(scalar_traits<S>::infinity);

template <class S>
inline constexpr S pi_v = S(3.141592653589793238462643383279502884L);

// select, all and any for the mask of built-in scalars. Other scalars overload these beside their type.

/// `mask ? a : b`, lane by lane.
template <std::floating_point S>
[[nodiscard]] constexpr S select(bool mask, S a, std::type_identity_t<S> b) noexcept {
    return mask ? a : b;
}
template <std::same_as<bool> Mask>
[[nodiscard]] constexpr Mask select(bool mask, Mask a, Mask b) noexcept {
    return mask ? a : b;
}
[[nodiscard]] constexpr bool all(bool mask) noexcept { return mask; }
[[nodiscard]] constexpr bool any(bool mask) noexcept { return mask; }

template <std::floating_point S>
[[nodiscard]] constexpr S min(S a, std::type_identity_t<S> b) noexcept {
    return b < a ? b : a;
}
template <std::floating_point S>
[[nodiscard]] constexpr S max(S a, std::type_identity_t<S> b) noexcept {
    return a < b ? b : a;
}
template <std::floating_point S>
[[nodiscard]] constexpr S abs(S x) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    if constexpr (sizeof(S) == sizeof(float))
        return __builtin_fabsf(x);
    else if constexpr (sizeof(S) == sizeof(double))
        return static_cast<S>(__builtin_fabs(static_cast<double>(x)));
    else
        return static_cast<S>(__builtin_fabsl(x));
#else
    if (x != x) return x;                 // constant evaluation refuses arithmetic with NaN
    return x < S(0) ? -x : x + S(0);  // + 0 turns -0 into +0
#endif
}
/// `mask ? f() : g()`, evaluating only what some lane needs. Both must be finite wherever they are evaluated.
template <class M, class F, class G>
[[nodiscard]] constexpr auto either(M const& mask, F&& f, G&& g) {
    if (all(mask)) return f();
    if (!any(mask)) return g();
    return select(mask, f(), g());
}
/// x kept within [lo, hi].
template <class S>
[[nodiscard]] constexpr S clamp(S const& x, std::type_identity_t<S> const& lo, std::type_identity_t<S> const& hi) noexcept {
    return min(max(x, lo), hi);
}
/// The built-in value of a scalar: itself, or what a dual number carries without its derivatives.
template <std::floating_point S>
[[nodiscard]] constexpr S value(S x) noexcept {
    return x;
}

/// How many derivatives a scalar carries: 0 of plain numbers, 1 of dual numbers, 2 of duals of duals.
template <class S>
inline constexpr std::size_t derivative_order_v = 0;

/// Whether two numbers are not the same: for scalars with derivatives, in their derivatives too, which comparisons do not look at. What is left out, or
/// kept from before, because a number is 0 or has not changed is asked by this.
template <class S>
[[nodiscard]] constexpr auto differs(S const& a, S const& b) noexcept {
    return a != b;
}

namespace detail {
// Whether the first is equal to the second, the third to the fourth, and so on; numbers with lanes in all of them.
[[nodiscard]] constexpr bool all_same() noexcept { return true; }
template <class A, class... Others>
[[nodiscard]] constexpr bool all_same(A const& a, A const& b, Others const&... others) {
    return static_cast<bool>(a == b) && all_same(others...);
}
// Largest absolute value of a number and of all derivatives that it carries.
template <class S>
[[nodiscard]] constexpr value_type_t<S> largest_part(S const& x) noexcept {
    if constexpr (requires { x.d[S::lanes - 1]; }) {
        value_type_t<S> m = largest_part(x.v);
        for (std::size_t i = 0; i < S::lanes; ++i) m = max(m, largest_part(x.d[i]));
        return m;
    } else {
        return abs(x);
    }
}
// What a bound is in other units: f(bound). None stays none, with no derivative: inf times a derivative of 0 is no number.
template <class S, class F>
[[nodiscard]] constexpr S scaled_bound(S const& bound, F const& f) noexcept {
    if constexpr (derivative_order_v<S> > 0) {
        auto const none = bound == infinity_v<S> || bound == -infinity_v<S>;
        return select(none, bound, f(select(none, S(0), bound)));
    } else {
        return f(bound);
    }
}
// The value and all derivatives of a number, one after the other; of derivatives of derivatives each.
template <class S>
[[nodiscard]] constexpr std::size_t parts_of() noexcept {
    if constexpr (requires(S const& x) { x.d[S::lanes - 1]; })
        return (1 + S::lanes) * parts_of<std::remove_cvref_t<decltype(S{}.v)>>();
    else
        return 1;
}
template <class S>
[[nodiscard]] constexpr auto& part_of(S& x, std::size_t k) noexcept {
    if constexpr (requires { x.d[S::lanes - 1]; }) {
        constexpr std::size_t inner = parts_of<std::remove_cvref_t<decltype(x.v)>>();
        return k < inner ? part_of(x.v, k) : part_of(x.d[k / inner - 1], k % inner);
    } else {
        return x;
    }
}
}  // namespace detail

// The concept is a conjunction of small named atoms, so that an error names the one that is missing.

template <class S>
concept has_arithmetic = std::copyable<S> && std::constructible_from<S, int> && requires(S a, S b) {
    { a + b } -> std::convertible_to<S>;
    { a - b } -> std::convertible_to<S>;
    { a * b } -> std::convertible_to<S>;
    { a / b } -> std::convertible_to<S>;
    { -a } -> std::convertible_to<S>;
};

template <class S>
concept has_comparison = requires(S a, S b) {
    a < b;
    a == b;
    { select(a < b, a, b) } -> std::convertible_to<S>;
};

template <class S>
concept has_scalar_traits = requires { typename scalar_traits<S>::value_type; };

/// A number that sinew computes with: float, double, long double, dual numbers, SIMD lanes, fixed point.
template <class S>
concept scalar = has_scalar_traits<S> && has_arithmetic<S> && has_comparison<S>;

/// A scalar made of floating-point numbers, whose rounding is a share of the value. That of others (fixed point) is the same for all values: their
/// small numbers have few digits, and squares of them none.
template <class S>
concept floating_scalar = scalar<S> && std::floating_point<value_type_t<S>>;

/// Whether the square of a millimetre still has digits: those of floating point do, and of fixed point with 24 bits and more behind the point.
template <class S>
inline constexpr bool has_small_squares_v = floating_scalar<S> || (epsilon_v<value_type_t<S>> < value_type_t<S>(1e-7));

/// The scalar in which products of many lengths still have digits: S itself, unless its traits name a `wider` one.
template <class S>
struct wider_scalar {
    using type = S;
};
template <class S>
    requires requires { typename scalar_traits<S>::wider; }
struct wider_scalar<S> {
    using type = typename scalar_traits<S>::wider;
};
template <class S>
using wider_t = typename wider_scalar<S>::type;

static_assert(scalar<float> && scalar<double> && scalar<long double>);

}  // namespace sinew::inline v0
