#pragma once
// Rotation vector theta (axis times angle, rad), wrapped so that |theta| <= pi.
//
//   R = exp([theta]x),   theta_dot = J_L(theta)^-1 omega   (Waterson 2026, eq. 2.21 and 2.34)

#include <sinew/rotation/quaternion.hpp>

namespace sinew::inline v0 {

template <class S>
    requires scalar<S>
struct rotation_vector {
    using scalar_type = S;
    template <class T>
    using rebind = rotation_vector<T>;
    static constexpr std::size_t dimension = 3;

    vec3<S> theta{S(0), S(0), S(0)};

    [[nodiscard]] static constexpr rotation_vector identity() noexcept { return {}; }
    [[nodiscard]] constexpr S coordinate(std::size_t i) const noexcept { return theta[i]; }
    constexpr void set_coordinate(std::size_t i, S const& value) noexcept { theta[i] = value; }

    [[nodiscard]] friend constexpr bool operator==(rotation_vector const&, rotation_vector const&) = default;
    /// First b, then a: composed as quaternions, since rotation vectors do not add (eq. 2.23).
    [[nodiscard]] friend constexpr rotation_vector operator*(rotation_vector const& a, rotation_vector const& b) noexcept {
        return {log(quaternion_exp(a.theta) * quaternion_exp(b.theta))};
    }
};

template <class S>
[[nodiscard]] constexpr rotation_vector<S> inverse(rotation_vector<S> const& r) noexcept {
    return {-r.theta};
}
/// Rodrigues: v + a theta x v + b theta x (theta x v).
template <class S, class T>
[[nodiscard]] constexpr auto rotate(rotation_vector<S> const& r, vec3<T> const& v) noexcept {
    S const t2 = squared_norm(r.theta);
    auto const c = cross(r.theta, v);
    return v + sinc_of_square(t2) * c + versine_of_square(t2) * cross(r.theta, c);
}
template <class S, class T>
[[nodiscard]] constexpr auto inverse_rotate(rotation_vector<S> const& r, vec3<T> const& v) noexcept {
    return rotate(inverse(r), v);
}
template <class S>
[[nodiscard]] constexpr mat3<S> to_matrix(rotation_vector<S> const& r) noexcept {
    return so3_exp(r.theta);
}
template <class S>
[[nodiscard]] constexpr quaternion<S> to_quaternion(rotation_vector<S> const& r) noexcept {
    return quaternion_exp(r.theta);
}
/// The same rotation with |theta| <= pi, for |theta| up to 3 pi: past pi, the way round the other side is shorter.
template <class S>
[[nodiscard]] constexpr rotation_vector<S> projected(rotation_vector<S> const& r) noexcept {
    S const t2 = squared_norm(r.theta);
    auto const beyond = t2 > pi_v<S> * pi_v<S>;
    S const t = sqrt(select(beyond, t2, S(1)));
    return {r.theta * select(beyond, S(1) - S(2) * pi_v<S> / t, S(1))};
}
template <class S>
[[nodiscard]] constexpr vec3<S> log(rotation_vector<S> const& r) noexcept {
    return projected(r).theta;
}
template <class S>
[[nodiscard]] constexpr rotation_vector<S> turned(rotation_vector<S> const& r, vec3<S> const& theta) noexcept {
    return rotation_vector<S>{theta} * r;
}
template <class S>
[[nodiscard]] constexpr rotation_vector<S> nudged(rotation_vector<S> const& r, vec3<S> const& theta) noexcept {
    return {log(nudged(quaternion_exp(r.theta), theta))};
}
template <class S, class T>
[[nodiscard]] constexpr auto coordinate_rate(rotation_vector<S> const& r, vec3<T> const& omega) noexcept {
    auto const c = cross(r.theta, omega);
    return omega - (S(1) / S(2)) * c + cotangent_defect_of_square(squared_norm(r.theta)) * cross(r.theta, c);
}
/// Any vector is a rotation; what lies beyond pi is not wrapped.
template <class S>
[[nodiscard]] constexpr S deviation(rotation_vector<S> const& r) noexcept {
    return max(norm(r.theta) - pi_v<S>, S(0));
}

}  // namespace sinew::inline v0
