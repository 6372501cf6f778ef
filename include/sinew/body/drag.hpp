#pragma once
// Drag: what a medium does to a body that moves through it. With a medium that moves, it is wind or a current.
//
//   linear      f = -k (v - u)             tau = -c omega             (Vondrak 2005, 3.3: f = -k_d v)
//   quadratic   f = -k |v - u| (v - u)     tau = -c |omega| omega     with k = rho C_d A / 2
//
//   v, omega  velocity of the centre of mass and angular velocity       u  velocity of the medium, which does not turn

#include <sinew/body/body_point.hpp>
#include <sinew/body/parameter_fault.hpp>

namespace sinew::inline v0 {

/// Grows with the speed: slow bodies, thick media.
template <scalar S>
struct linear_drag {
    S linear{0};                                ///< N s/m
    S angular{0};                               ///< N m s/rad
    vec3<S> medium_velocity{S(0), S(0), S(0)};  ///< m/s, world frame

    [[nodiscard]] constexpr wrench<S> wrench_on(auto const& body, S const&) const noexcept {
        return {-(linear * (velocity_of(body) - medium_velocity)), -(angular * angular_velocity_of(body))};
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(nonnegative_parameter("linear", linear), nonnegative_parameter("angular", angular),
                           finite_parameter("medium_velocity", medium_velocity));
    }
    [[nodiscard]] friend constexpr bool operator==(linear_drag const&, linear_drag const&) = default;
};

/// Grows with the square of the speed: fast bodies, thin media.
template <scalar S>
struct quadratic_drag {
    S linear{0};                                ///< N s^2/m^2
    S angular{0};                               ///< N m s^2/rad^2
    vec3<S> medium_velocity{S(0), S(0), S(0)};  ///< m/s, world frame

    [[nodiscard]] constexpr wrench<S> wrench_on(auto const& body, S const&) const noexcept {
        vec3<S> const v = velocity_of(body) - medium_velocity;
        vec3<S> const w = angular_velocity_of(body);
        return {-(linear * norm(v) * v), -(angular * norm(w) * w)};
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(nonnegative_parameter("linear", linear), nonnegative_parameter("angular", angular),
                           finite_parameter("medium_velocity", medium_velocity));
    }
    [[nodiscard]] friend constexpr bool operator==(quadratic_drag const&, quadratic_drag const&) = default;
};

/// quadratic_drag::linear of a body: density of the medium (kg/m^3), drag coefficient (0.47 for a sphere), frontal area (m^2).
template <scalar S>
[[nodiscard]] constexpr S quadratic_drag_coefficient(S const& density, S const& drag_coefficient, S const& area) noexcept {
    return density * drag_coefficient * area * (S(1) / S(2));
}

}  // namespace sinew::inline v0
