#pragma once
// Springs: along the line between two body points, and about the rotation between two bodies.
//
//   linear     f_a = (k (d - l) + c d_dot) n = -f_b,    n = (p_b - p_a) / d,   E = k (d - l)^2 / 2
//   torsional  tau_a = k theta + c (omega_b - omega_a) = -tau_b,               E = k |theta|^2 / 2
//
//   p_a, p_b  anchors in the world     d, l  their distance, and that of the spring at rest     k  stiffness     c  damping
//   theta     log of the rotation that takes a's rest frame to b: R_b = exp([theta]x) R_a R_rest
//
// The torque is the gradient of E: dE = k theta^T J_L(theta)^-1 dw, and theta^T J_L(theta)^-1 = theta^T, since J_L is a
// polynomial in [theta]x with 1 in front (Waterson 2026, eq. 2.27).
// Where the anchors meet, the line has no direction: the spring does nothing there.

#include <sinew/body/body_point.hpp>
#include <sinew/body/parameter_fault.hpp>

#include <array>

namespace sinew::inline v0 {

/// A spring with a damper beside it. A and B are the kinds of its bodies.
template <scalar S, class A, class B>
struct spring_between {
    using attachments = binds<A, B>;
    vec3<S> anchor_a{S(0), S(0), S(0)};  ///< m, body a
    vec3<S> anchor_b{S(0), S(0), S(0)};  ///< m, body b
    S rest_length{0};                    ///< m
    S stiffness{1};                      ///< N/m
    S damping{0};                        ///< N s/m

    [[nodiscard]] constexpr std::array<wrench<S>, 2> wrenches(auto const& a, auto const& b, S const&) const noexcept {
        vec3<S> const p = anchor_of(a, anchor_a);
        vec3<S> const q = anchor_of(b, anchor_b);
        vec3<S> const n = normalize(q - p);
        S const tension = stiffness * (norm(q - p) - rest_length) + damping * dot(n, velocity_at(b, q) - velocity_at(a, p));
        vec3<S> const f = n * tension;
        return {wrench_at(a, f, p), wrench_at(b, vec3<S>(-f), q)};
    }
    /// J, zero at rest.
    [[nodiscard]] constexpr S energy(auto const& a, auto const& b) const noexcept {
        S const stretch = norm(anchor_of(b, anchor_b) - anchor_of(a, anchor_a)) - rest_length;
        return stiffness * stretch * stretch * (S(1) / S(2));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b),
                           nonnegative_parameter("rest_length", rest_length), nonnegative_parameter("stiffness", stiffness),
                           nonnegative_parameter("damping", damping));
    }
    [[nodiscard]] friend constexpr bool operator==(spring_between const&, spring_between const&) = default;
};

template <scalar S>
using spring = spring_between<S, rigid, rigid>;
template <scalar S>
using particle_spring = spring_between<S, point_mass, point_mass>;
template <scalar S>
using rigid_particle_spring = spring_between<S, rigid, point_mass>;

/// A spring that turns b back to where it was relative to a, about any axis.
template <scalar S>
struct torsion_spring {
    using attachments = binds<rigid, rigid>;
    quaternion<S> rest = quaternion<S>::identity();  ///< b's rotation in the frame of a, at rest
    S stiffness{1};                                  ///< N m/rad
    S damping{0};                                    ///< N m s/rad

    [[nodiscard]] constexpr std::array<wrench<S>, 2> wrenches(auto const& a, auto const& b, S const&) const noexcept {
        vec3<S> const torque = stiffness * twisted_by(a, b) + damping * (b.twist.angular - a.twist.angular);
        vec3<S> const none{S(0), S(0), S(0)};
        return {wrench<S>{none, torque}, wrench<S>{none, -torque}};
    }
    /// J, zero at rest.
    [[nodiscard]] constexpr S energy(auto const& a, auto const& b) const noexcept {
        return stiffness * squared_norm(twisted_by(a, b)) * (S(1) / S(2));
    }
    /// How far b is turned from rest: a rotation vector (rad, world frame).
    [[nodiscard]] constexpr vec3<S> twisted_by(auto const& a, auto const& b) const noexcept {
        return log(to_quaternion(b.pose.rotation) * inverse(to_quaternion(a.pose.rotation) * rest));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        S const off = deviation(rest);
        return first_fault(detail::parameter_within(isfinite(off) && off <= sqrt(epsilon_v<S>), "rest", "must be a unit quaternion; the deviation of its squared length from 1", off),
                           nonnegative_parameter("stiffness", stiffness), nonnegative_parameter("damping", damping));
    }
    [[nodiscard]] friend constexpr bool operator==(torsion_spring const&, torsion_spring const&) = default;
};

/// Stiffness and damping of a spring, said in hertz and damping ratio.
template <class S>
struct spring_tuning {
    S stiffness;  ///< N/m (N m/rad for an angular spring)
    S damping;    ///< N s/m (N m s/rad)
};
/// k = m w^2, c = 2 zeta m w with w = 2 pi f. `mass` (kg, or kg m^2) is what the spring moves: reduced_mass of two free bodies.
template <scalar S>
[[nodiscard]] constexpr spring_tuning<S> tuned_spring(S const& hertz, S const& damping_ratio, S const& mass) noexcept {
    S const w = S(2) * pi_v<S> * hertz;
    return {mass * w * w, S(2) * damping_ratio * mass * w};
}
/// m_a m_b / (m_a + m_b): two free bodies on a spring swing as this mass would on a wall.
template <scalar S>
[[nodiscard]] constexpr S reduced_mass(S const& a, S const& b) noexcept {
    return a * b / (a + b);
}

}  // namespace sinew::inline v0
