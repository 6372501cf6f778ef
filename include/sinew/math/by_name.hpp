#pragma once
// The functions of scalars that are classes, by their full names.
//
// Dual numbers, lanes and fixed point bring their functions as friends, which only a call without a namespace finds. A constraint outside of the library says
// sinew::sin(x) for any scalar, as it must for float and double, where a plain sin(x) would be that of libm.

#include <sinew/math/scalar.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace sinew::inline v0 {

template <class S, std::size_t N>
struct dual;
template <std::floating_point T, std::size_t N>
struct batch;
template <std::floating_point T, std::size_t N>
struct batch_mask;
template <int I, int F>
    requires(I >= 0 && F >= 1 && F <= 62 && I + F <= 63)
struct fixed;

/// A scalar that is a class: dual, batch, fixed.
template <class S>
concept scalar_class = std::is_class_v<S> && has_scalar_traits<S>;

// Every call in here is to a friend: a function that is no template goes first.

template <scalar_class S>
[[nodiscard]] constexpr S abs(S const& x) noexcept {
    return abs(x);
}
template <scalar_class S>
[[nodiscard]] constexpr S min(S const& a, std::type_identity_t<S> const& b) noexcept {
    return min(a, b);
}
template <scalar_class S>
[[nodiscard]] constexpr S max(S const& a, std::type_identity_t<S> const& b) noexcept {
    return max(a, b);
}
// By type, for what compares lanes gives masks of types of their own.
template <class M, class S, std::size_t N>
[[nodiscard]] constexpr dual<S, N> select(M const& mask, dual<S, N> const& a, dual<S, N> const& b) noexcept {
    return select(mask, a, b);
}
template <std::floating_point T, std::size_t N>
[[nodiscard]] constexpr batch<T, N> select(batch_mask<T, N> const& mask, batch<T, N> const& a, batch<T, N> const& b) noexcept {
    return select(mask, a, b);
}
template <int I, int F>
[[nodiscard]] constexpr fixed<I, F> select(bool mask, fixed<I, F> const& a, fixed<I, F> const& b) noexcept {
    return select(mask, a, b);
}
template <std::floating_point T, std::size_t N>
[[nodiscard]] constexpr bool any(batch_mask<T, N> const& mask) noexcept {
    return any(mask);
}
template <std::floating_point T, std::size_t N>
[[nodiscard]] constexpr bool all(batch_mask<T, N> const& mask) noexcept {
    return all(mask);
}
template <scalar_class S>
[[nodiscard]] constexpr auto isfinite(S const& x) noexcept {
    return isfinite(x);
}
template <scalar_class S>
[[nodiscard]] constexpr auto value(S const& x) noexcept {
    return value(x);
}
template <scalar_class S>
[[nodiscard]] constexpr S floor(S const& x) noexcept {
    return floor(x);
}
template <scalar_class S>
[[nodiscard]] constexpr S sqrt(S const& x) noexcept {
    return sqrt(x);
}
template <scalar_class S>
[[nodiscard]] constexpr S sin(S const& x) noexcept {
    return sin(x);
}
template <scalar_class S>
[[nodiscard]] constexpr S cos(S const& x) noexcept {
    return cos(x);
}
template <scalar_class S>
[[nodiscard]] constexpr S tan(S const& x) noexcept {
    return tan(x);
}
template <scalar_class S>
[[nodiscard]] constexpr S asin(S const& x) noexcept {
    return asin(x);
}
template <scalar_class S>
[[nodiscard]] constexpr S acos(S const& x) noexcept {
    return acos(x);
}
template <scalar_class S>
[[nodiscard]] constexpr S atan(S const& x) noexcept {
    return atan(x);
}
template <scalar_class S>
[[nodiscard]] constexpr S atan2(S const& y, std::type_identity_t<S> const& x) noexcept {
    return atan2(y, x);
}
template <scalar_class S>
[[nodiscard]] constexpr S exp(S const& x) noexcept {
    return exp(x);
}
template <scalar_class S>
[[nodiscard]] constexpr S log(S const& x) noexcept {
    return log(x);
}

}  // namespace sinew::inline v0
