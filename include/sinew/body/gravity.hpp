#pragma once
// Gravity: a uniform field, the field of a fixed centre, and the pull of two bodies on each other.
//
//   uniform     f = m g                                          E = -m g . x
//   point       f = -mu m d / (|d|^2 + s^2)^(3/2)                E = -mu m / sqrt(|d|^2 + s^2),   d = x - centre
//   pairwise    the same with mu = G m_b, and its opposite on b
//
//   mu  gravitational parameter, G times the mass of the centre (m^3/s^2)
//   s   softening length (m; Plummer's, Aarseth 1963): the field stays finite at the centre. With s = 0 the field at the
//       centre itself, which has no direction, is taken as zero, and so is its energy.
//
// The force acts at the centre of mass: bodies are small against the distance, so gravity does not turn them.

#include <sinew/body/body_point.hpp>
#include <sinew/body/parameter_fault.hpp>

#include <array>

namespace sinew::inline v0 {

namespace detail {

// 1 / sqrt(d2 + s^2), and 0 where that has no value.
template <class S>
[[nodiscard]] constexpr S inverse_distance(S const& d2, S const& softening) noexcept {
    S const r2 = d2 + softening * softening;
    auto const none = r2 == S(0);
    return select(none, S(0), S(1) / sqrt(select(none, S(1), r2)));
}

}  // namespace detail

/// The same acceleration everywhere. It comes on top of world.gravity, which is 9.81 m/s^2 downward unless set.
template <scalar S>
struct uniform_gravity {
    vec3<S> acceleration{S(0), S(-9.80665L), S(0)};  ///< m/s^2, world frame; the standard value (3rd CGPM, 1901), down along y

    [[nodiscard]] constexpr wrench<S> wrench_on(auto const& body, S const&) const noexcept {
        return {body.mass * acceleration, {S(0), S(0), S(0)}};
    }
    /// J, zero at the world's origin.
    [[nodiscard]] constexpr S energy(auto const& body) const noexcept { return -(body.mass * dot(acceleration, center_of(body))); }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return finite_parameter("acceleration", acceleration); }
    [[nodiscard]] friend constexpr bool operator==(uniform_gravity const&, uniform_gravity const&) = default;
};

/// Towards a fixed point, falling off with the square of the distance.
template <scalar S>
struct point_gravity {
    vec3<S> center{S(0), S(0), S(0)};  ///< m, world frame
    S parameter{1};                    ///< m^3/s^2, G M
    S softening{0};                    ///< m

    [[nodiscard]] constexpr wrench<S> wrench_on(auto const& body, S const&) const noexcept {
        vec3<S> const d = center_of(body) - center;
        S const k = detail::inverse_distance(squared_norm(d), softening);
        // Multiplied in this order, the product stays within the range of float for planets and for pebbles.
        return {(d * k) * -((parameter * k) * (body.mass * k)), {S(0), S(0), S(0)}};
    }
    /// J, zero at infinity.
    [[nodiscard]] constexpr S energy(auto const& body) const noexcept {
        return -(parameter * body.mass * detail::inverse_distance(squared_norm(center_of(body) - center), softening));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("center", center), finite_parameter("parameter", parameter), nonnegative_parameter("softening", softening));
    }
    [[nodiscard]] friend constexpr bool operator==(point_gravity const&, point_gravity const&) = default;
};

/// Two bodies that attract each other by their masses. What cannot move has no mass to a force: for a fixed centre take
/// point_gravity.
template <scalar S, class A, class B>
struct gravity_between {
    using attachments = binds<A, B>;
    S constant = S(6.67430e-11L);  ///< m^3/(kg s^2), G (CODATA 2018)
    S softening{0};            ///< m

    [[nodiscard]] constexpr std::array<wrench<S>, 2> wrenches(auto const& a, auto const& b, S const&) const noexcept {
        vec3<S> const d = center_of(b) - center_of(a);
        S const k = detail::inverse_distance(squared_norm(d), softening);
        vec3<S> const f = (d * k) * ((constant * a.mass * k) * (b.mass * k));
        return {wrench<S>{f, {S(0), S(0), S(0)}}, wrench<S>{-f, {S(0), S(0), S(0)}}};
    }
    /// J, zero at infinity.
    [[nodiscard]] constexpr S energy(auto const& a, auto const& b) const noexcept {
        return -((constant * a.mass) * (b.mass * detail::inverse_distance(squared_norm(center_of(b) - center_of(a)), softening)));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("constant", constant), nonnegative_parameter("softening", softening));
    }
    [[nodiscard]] friend constexpr bool operator==(gravity_between const&, gravity_between const&) = default;
};

template <scalar S>
using newton_gravity = gravity_between<S, rigid, rigid>;
template <scalar S>
using particle_newton_gravity = gravity_between<S, point_mass, point_mass>;
template <scalar S>
using rigid_particle_newton_gravity = gravity_between<S, rigid, point_mass>;

}  // namespace sinew::inline v0
