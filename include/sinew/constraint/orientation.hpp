#pragma once
// Two bodies keep their relative orientation: a part of sliders and welds.
//
//   c = theta = log(R_a^T R_b Q^T),   Q the relative rotation R_a^T R_b to keep       (3 rows, rad, frame of a)
//
// The turn that is missing between the bodies, as a rotation vector. With left-trivialised rates (Waterson 2026, eq. 2.34)
//
//   theta_dot = J_L(theta)^-1 R_a^T (omega_b - omega_a)
//
// Smooth until the bodies are half a turn off, where the shorter way round changes and c jumps from pi to -pi.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/stack.hpp>

namespace sinew::inline v0 {

namespace detail {

// J_L(theta)^-1 w = w - theta x w / 2 + d theta x (theta x w), and its rate for given rates of theta and w.
template <class S>
[[nodiscard]] constexpr vec3<S> left_jacobian_inverse_rate(vec3<S> const& theta, vec3<S> const& theta_dot, vec3<S> const& w,
                                                           vec3<S> const& w_dot) noexcept {
    using D = dual<S, 1>;
    D t2(squared_norm(theta));
    t2.d[0] = S(2) * dot(theta, theta_dot);
    D const d = cotangent_defect_of_square(t2);
    vec3<S> const tw = cross(theta, w);
    vec3<S> const tw_dot = cross(theta_dot, w) + cross(theta, w_dot);
    return w_dot - tw_dot / 2 + cross(theta, tw) * d.d[0] + (cross(theta_dot, tw) + cross(theta, tw_dot)) * d.v;
}

}  // namespace detail

/// (3 rows, rad) The relative orientation of two bodies is locked.
template <scalar S>
struct orientation_lock {
    static constexpr std::size_t rows = 3;
    using attachments = binds<rigid, rigid>;

    quaternion<S> relative{};  ///< R_a^T R_b to keep

    /// As the bodies are turned now.
    [[nodiscard]] static constexpr orientation_lock at(auto const& a, auto const& b) noexcept {
        return {inverse(to_quaternion(a.rotation)) * to_quaternion(b.rotation)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const q = inverse(to_quaternion(a.rotation)) * to_quaternion(b.rotation);
        using T = typename decltype(q)::scalar_type;
        return log(q * inverse(rotation_to_scalar<T>(relative)));
    }

    [[nodiscard]] constexpr mat<S, 3, 12> jacobian(auto const& a, auto const& b) const noexcept {
        mat3<S> const W = left_jacobian_inverse(error(a, b)) * transpose(to_matrix(a.rotation));
        mat<S, 3, 12> J{};
        place(J, 0, 3, -W);
        place(J, 0, 9, W);
        return J;
    }
    [[nodiscard]] constexpr vec3<S> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        vec3<S> const theta = error(a, b);
        vec3<S> const omega = tb.angular - ta.angular;
        // Seen from a, the constant omega turns backwards with it.
        vec3<S> const w = a.local_direction(omega), w_dot = -a.local_direction(cross(ta.angular, omega));
        return detail::left_jacobian_inverse_rate(theta, left_jacobian_inverse(theta) * w, w, w_dot);
    }
    /// The torque on b, R_a J_L(theta)^-T lambda, turns with a and bends with theta; that on a is the opposite.
    [[nodiscard]] constexpr mat<S, 12, 12> stiffness(auto const& a, auto const& b, vec3<S> const& lambda) const noexcept {
        vec3<S> const theta = error(a, b);
        using D = dual<S, 1>;
        D t2(squared_norm(theta));
        t2.d[0] = S(1);
        D const d = cotangent_defect_of_square(t2);
        vec3<S> const once = cross(theta, lambda), twice = cross(theta, once);
        mat3<S> const Ra = to_matrix(a.rotation), bent = outer(twice, theta) * (S(2) * d.d[0]) - skew(lambda / S(2)) - (skew(once) + skew(theta) * skew(lambda)) * d.v;
        mat3<S> const H = Ra * (bent * (left_jacobian_inverse(theta) * transpose(Ra)));
        mat3<S> const T = skew(Ra * (lambda + once / S(2) + twice * d.v));
        mat<S, 12, 12> G{};
        place(G, 3, 3, H + T);
        place(G, 3, 9, -H);
        place(G, 9, 3, -H - T);
        place(G, 9, 9, H);
        return G;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        S const n2 = squared_norm(relative);
        if (all(abs(n2 - S(1)) <= sqrt(epsilon_v<S>))) return {};
        return {"relative", "must be a unit quaternion; its squared norm", detail::shown_number(n2, abs(n2 - S(1)) <= sqrt(epsilon_v<S>))};
    }
    [[nodiscard]] friend constexpr bool operator==(orientation_lock const&, orientation_lock const&) = default;
};

}  // namespace sinew::inline v0
