#pragma once
// The checks that several constraints make of their own fields; a world refuses a constraint that finds a fault.

#include <sinew/core/errors.hpp>
#include <sinew/math/vec.hpp>

namespace sinew::inline v0::detail {

/// A direction that is not of unit length. Directions that were normalised in the scalar at hand pass.
template <class S>
[[nodiscard]] constexpr input_fault unit_fault(char const* name, vec3<S> const& direction) noexcept {
    S const length = norm(direction);
    if (all(abs(length - S(1)) <= sqrt(epsilon_v<S>))) return {};
    return {name, "must have length 1 (its maker `at` normalises)", static_cast<double>(value(length))};
}
template <class S>
[[nodiscard]] constexpr input_fault perpendicular_fault(char const* name, vec3<S> const& direction, vec3<S> const& axis) noexcept {
    S const cosine = dot(direction, axis);
    if (all(abs(cosine) <= sqrt(epsilon_v<S>))) return {};
    return {name, "must be perpendicular to its axis; their dot product", static_cast<double>(value(cosine))};
}
template <class S>
[[nodiscard]] constexpr input_fault negative_fault(char const* name, S const& number) noexcept {
    if (all(number >= S(0))) return {};
    return {name, "must not be negative", static_cast<double>(value(number))};
}
template <class S>
[[nodiscard]] constexpr input_fault finite_fault(char const* name, S const& number) noexcept {
    if (all(isfinite(number))) return {};
    return {name, "must be finite", static_cast<double>(value(number))};
}

/// The first of several faults.
template <class... F>
[[nodiscard]] constexpr input_fault first_fault(F const&... faults) noexcept {
    input_fault r{};
    ((r.name == nullptr ? void(r = faults) : void()), ...);
    return r;
}

}  // namespace sinew::inline v0::detail
