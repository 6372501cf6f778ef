#pragma once
// The checks that forces and constraints make of their own fields, for their fault(). A world refuses what finds one.
//
//   return first_fault(finite_parameter("anchor", anchor), nonnegative_parameter("stiffness", stiffness));

#include <sinew/core/errors.hpp>
#include <sinew/math/shown_number.hpp>
#include <sinew/math/vec.hpp>

namespace sinew::inline v0 {

/// x must be a number.
template <scalar S>
[[nodiscard]] constexpr input_fault finite_parameter(char const* name, S const& x) noexcept {
    auto const fine = isfinite(x);
    return all(fine) ? input_fault{} : input_fault{name, "must be finite", detail::shown_number(x, fine)};
}
template <class S, std::size_t N>
[[nodiscard]] constexpr input_fault finite_parameter(char const* name, vec<S, N> const& v) noexcept {
    for (S const& x : v.e)
        if (!all(isfinite(x))) return finite_parameter(name, x);
    return {};
}
/// x must be a number, and not below zero.
template <scalar S>
[[nodiscard]] constexpr input_fault nonnegative_parameter(char const* name, S const& x) noexcept {
    auto const fine = isfinite(x) && x >= S(0);
    return all(fine) ? input_fault{} : input_fault{name, "must be finite and not negative", detail::shown_number(x, fine)};
}
/// x must not be below zero; it may be infinite, as the strength of a motor without bound is.
template <class S>
[[nodiscard]] constexpr input_fault magnitude_parameter(char const* name, S const& x) noexcept {
    auto const is_number = x == x;
    auto const fine = x >= S(0);
    if (!all(is_number)) return {name, "must be a number", detail::shown_number(x, is_number)};
    return all(fine) ? input_fault{} : input_fault{name, "must not be negative", detail::shown_number(x, fine)};
}
/// v must have length 1. Directions that were normalised in the scalar at hand pass.
template <class S>
[[nodiscard]] constexpr input_fault unit_parameter(char const* name, vec3<S> const& v) noexcept {
    S const length = norm(v);
    auto const fine = abs(length - S(1)) <= sqrt(epsilon_v<S>);
    return all(fine) ? input_fault{} : input_fault{name, "must have length 1 (its maker `at` normalises); its length", detail::shown_number(length, fine)};
}
/// v must be perpendicular to the axis; both are unit vectors.
template <class S>
[[nodiscard]] constexpr input_fault perpendicular_parameter(char const* name, vec3<S> const& v, vec3<S> const& axis) noexcept {
    S const cosine = dot(v, axis);
    auto const fine = abs(cosine) <= sqrt(epsilon_v<S>);
    return all(fine) ? input_fault{} : input_fault{name, "must be perpendicular to its axis; their dot product", detail::shown_number(cosine, fine)};
}
/// v must be a direction.
template <class S>
[[nodiscard]] constexpr input_fault direction_parameter(char const* name, vec3<S> const& v) noexcept {
    if (input_fault const f = finite_parameter(name, v); f.name != nullptr) return f;
    return all(squared_norm(v) > S(0)) ? input_fault{} : input_fault{name, "must not be the zero vector", 0};
}

/// The first that is a fault, or none.
template <class... F>
[[nodiscard]] constexpr input_fault first_fault(F const&... faults) noexcept {
    input_fault first;
    ((first.name == nullptr ? void(first = faults) : void()), ...);
    return first;
}

}  // namespace sinew::inline v0
