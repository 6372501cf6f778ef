#pragma once
// The checks that forces and constraints make of their own fields, for their fault(). A world refuses what finds one.
//
//   return first_fault(finite_parameter("anchor", anchor), nonnegative_parameter("stiffness", stiffness));

#include <sinew/core/errors.hpp>
#include <sinew/math/vec.hpp>

namespace sinew::inline v0 {

namespace detail {
template <class S>
[[nodiscard]] constexpr error_number fault_value(S const& x) noexcept {
    if constexpr (requires { static_cast<double>(value(x)); })
        return static_cast<error_number>(value(x));
    else
        return 0;
}
}  // namespace detail

/// x must be a number.
template <scalar S>
[[nodiscard]] constexpr input_fault finite_parameter(char const* name, S const& x) noexcept {
    return all(isfinite(x)) ? input_fault{} : input_fault{name, "must be finite", detail::fault_value(x)};
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
    bool const fine = all(isfinite(x)) && all(x >= S(0));
    return fine ? input_fault{} : input_fault{name, "must be finite and not negative", detail::fault_value(x)};
}
/// x must not be below zero; it may be infinite, as the strength of a motor without bound is.
template <class S>
[[nodiscard]] constexpr input_fault magnitude_parameter(char const* name, S const& x) noexcept {
    if (!all(x == x)) return {name, "must be a number", detail::fault_value(x)};
    return all(x >= S(0)) ? input_fault{} : input_fault{name, "must not be negative", detail::fault_value(x)};
}
/// v must have length 1. Directions that were normalised in the scalar at hand pass.
template <class S>
[[nodiscard]] constexpr input_fault unit_parameter(char const* name, vec3<S> const& v) noexcept {
    S const length = norm(v);
    return all(abs(length - S(1)) <= sqrt(epsilon_v<S>)) ? input_fault{} : input_fault{name, "must have length 1 (its maker `at` normalises); its length", detail::fault_value(length)};
}
/// v must be perpendicular to the axis; both are unit vectors.
template <class S>
[[nodiscard]] constexpr input_fault perpendicular_parameter(char const* name, vec3<S> const& v, vec3<S> const& axis) noexcept {
    S const cosine = dot(v, axis);
    return all(abs(cosine) <= sqrt(epsilon_v<S>)) ? input_fault{} : input_fault{name, "must be perpendicular to its axis; their dot product", detail::fault_value(cosine)};
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
