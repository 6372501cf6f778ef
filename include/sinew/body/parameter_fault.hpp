#pragma once
// The checks that forces and constraints make of their own fields, for their fault(). A world refuses what finds one.
//
//   return first_fault(finite_parameter("anchor", anchor), nonnegative_parameter("stiffness", stiffness));

#include <sinew/core/errors.hpp>
#include <sinew/math/shown_number.hpp>
#include <sinew/math/vec.hpp>

namespace sinew::inline v0 {

namespace detail {
/// What is required of x is fine; of lanes, in all of them.
template <class M, class S>
[[nodiscard]] constexpr input_fault parameter_within(M const& fine, char const* name, char const* requirement, S const& x) noexcept {
    return all(fine) ? input_fault{} : input_fault{name, requirement, shown_number(x, fine)};
}
}  // namespace detail

/// x must be a number.
template <scalar S>
[[nodiscard]] constexpr input_fault finite_parameter(char const* name, S const& x) noexcept {
    return detail::parameter_within(isfinite(x), name, "must be finite", x);
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
    return detail::parameter_within(isfinite(x) && x >= S(0), name, "must be finite and not negative", x);
}
/// x must not be below zero; it may be infinite, as the strength of a motor without bound is.
template <class S>
[[nodiscard]] constexpr input_fault magnitude_parameter(char const* name, S const& x) noexcept {
    if (input_fault const f = detail::parameter_within(x == x, name, "must be a number", x); f.name != nullptr) return f;
    return detail::parameter_within(x >= S(0), name, "must not be negative", x);
}
/// v must have length 1. Directions that were normalised in the scalar at hand pass.
template <class S>
[[nodiscard]] constexpr input_fault unit_parameter(char const* name, vec3<S> const& v) noexcept {
    S const length = norm(v);
    return detail::parameter_within(abs(length - S(1)) <= sqrt(epsilon_v<S>), name, "must have length 1 (its maker `at` normalises); its length", length);
}
/// v must be perpendicular to the axis; both are unit vectors.
template <class S>
[[nodiscard]] constexpr input_fault perpendicular_parameter(char const* name, vec3<S> const& v, vec3<S> const& axis) noexcept {
    S const cosine = dot(v, axis);
    return detail::parameter_within(abs(cosine) <= sqrt(epsilon_v<S>), name, "must be perpendicular to its axis; their dot product", cosine);
}
/// v must be a direction.
template <class S>
[[nodiscard]] constexpr input_fault direction_parameter(char const* name, vec3<S> const& v) noexcept {
    if (input_fault const f = finite_parameter(name, v); f.name != nullptr) return f;
    return all(squared_norm(v) > S(0)) ? input_fault{} : input_fault{name, "must not be the zero vector", 0};
}

/// An angle that is sought (rad) must leave the scalar digits for a part of a turn.
template <class S>
[[nodiscard]] constexpr input_fault angle_parameter(char const* name, S const& x) noexcept {
    if (input_fault const f = finite_parameter(name, x); f.name != nullptr) return f;
    return detail::parameter_within(abs(x) * epsilon_v<S> <= S(0.0625), name, "must be so small that the scalar tells angles apart at it", x);
}

/// What a part that the user gives has to say of itself: a curve, an outer function, a joint that is made soft.
template <class Part>
[[nodiscard]] constexpr input_fault part_fault(Part const& part) noexcept {
    if constexpr (requires { part.fault(); }) {
        return part.fault();
    } else {
        static_assert(!requires(Part& p) { p.fault(); }, "sinew: the `fault` of this part of a constraint or force cannot be called as fault() const; it would be ignored.");
        return {};
    }
}

/// The first that is a fault, or none.
template <class... F>
[[nodiscard]] constexpr input_fault first_fault(F const&... faults) noexcept {
    input_fault first;
    ((first.name == nullptr ? void(first = faults) : void()), ...);
    return first;
}

}  // namespace sinew::inline v0
