#pragma once
// The rotation_like concept, and conversions among the representations, axis-angle and Euler angles.

#include <sinew/rotation/quaternion.hpp>
#include <sinew/rotation/rotation_matrix.hpp>
#include <sinew/rotation/rotation_vector.hpp>

namespace sinew::inline v0 {

template <class R>
concept has_rotation_coordinates = requires(R r, std::size_t i, typename R::scalar_type s) {
    { R::dimension } -> std::convertible_to<std::size_t>;
    { r.coordinate(i) } -> std::convertible_to<typename R::scalar_type>;
    r.set_coordinate(i, s);
    { coordinate_rate(r, vec3<typename R::scalar_type>{}) };
    { projected(r) } -> std::same_as<R>;
    { deviation(r) } -> std::convertible_to<typename R::scalar_type>;
};

template <class R>
concept has_group_operations = requires(R r, vec3<typename R::scalar_type> v) {
    { R::identity() } -> std::same_as<R>;
    { r* r } -> std::same_as<R>;
    { inverse(r) } -> std::same_as<R>;
    { rotate(r, v) } -> std::same_as<vec3<typename R::scalar_type>>;
    { inverse_rotate(r, v) } -> std::same_as<vec3<typename R::scalar_type>>;
};

template <class R>
concept has_exponential_map = requires(R r, vec3<typename R::scalar_type> v) {
    { log(r) } -> std::same_as<vec3<typename R::scalar_type>>;
    { turned(r, v) } -> std::same_as<R>;
    { nudged(r, v) } -> std::same_as<R>;
    { to_matrix(r) } -> std::same_as<mat3<typename R::scalar_type>>;
    { to_quaternion(r) } -> std::same_as<quaternion<typename R::scalar_type>>;
};

/// A representation of a rotation from body to world: quaternion, rotation_matrix, rotation_vector, or one's own.
template <class R>
concept rotation_like = scalar<typename R::scalar_type> && has_rotation_coordinates<R> && has_group_operations<R> && has_exponential_map<R>;

static_assert(rotation_like<quaternion<double>> && rotation_like<rotation_matrix<float>> && rotation_like<rotation_vector<double>>);

namespace detail {
template <class R>
struct from_quaternion;
template <class S>
struct from_quaternion<quaternion<S>> {
    static constexpr quaternion<S> make(quaternion<S> const& q) noexcept { return q; }
};
template <class S>
struct from_quaternion<rotation_matrix<S>> {
    static constexpr rotation_matrix<S> make(quaternion<S> const& q) noexcept { return {to_matrix(q)}; }
};
template <class S>
struct from_quaternion<rotation_vector<S>> {
    static constexpr rotation_vector<S> make(quaternion<S> const& q) noexcept { return {log(q)}; }
};
}  // namespace detail

/// The same rotation in representation R: rotation_cast<rotation_matrix<double>>(q).
template <class R, class From>
[[nodiscard]] constexpr R rotation_cast(From const& r) noexcept {
    if constexpr (std::same_as<R, From>)
        return r;
    else
        return detail::from_quaternion<R>::make(to_quaternion(r));
}

/// exp of a rotation vector (rad) in representation R.
template <class R>
[[nodiscard]] constexpr R rotation_exp(vec3<typename R::scalar_type> const& theta) noexcept {
    return detail::from_quaternion<R>::make(quaternion_exp(theta));
}

/// A unit axis and an angle (rad) in [0, pi].
template <class S>
struct axis_angle {
    vec3<S> axis;
    S angle;
};

/// Of the identity the axis is x.
template <class R>
[[nodiscard]] constexpr auto to_axis_angle(R const& r) noexcept {
    using S = typename R::scalar_type;
    vec3<S> const theta = log(r);
    S const t = norm(theta);
    auto const none = t == S(0);
    return axis_angle<S>{select(none, vec3<S>{S(1), S(0), S(0)}, normalize(theta)), t};
}
template <class R>
[[nodiscard]] constexpr R rotation_about(vec3<typename R::scalar_type> const& axis, typename R::scalar_type const& angle) noexcept {
    return rotation_exp<R>(normalize(axis) * angle);
}

/// Euler angles (rad) in the order Z-X-Y: R = Rz(z) Rx(x) Ry(y), with x in [-pi/2, pi/2].
template <class S>
struct euler_zxy {
    S z, x, y;
};

/// In gimbal lock (x = +-pi/2) only z +- y matters; then y is 0 and z takes all of it.
template <class R>
[[nodiscard]] constexpr auto to_euler_zxy(R const& r) noexcept {
    using S = typename R::scalar_type;
    mat3<S> const m = to_matrix(r);
    S const cx = sqrt(m(0, 1) * m(0, 1) + m(1, 1) * m(1, 1));
    // Below this the two remaining axes differ by rounding alone.
    auto const locked = cx < S(4) * epsilon_v<S>;
    S const z = select(locked, atan2(m(1, 0), m(0, 0)), atan2(-m(0, 1), m(1, 1)));
    // y from R_z(-z) R = R_x R_y: near lock z has lost digits, and y makes up for it.
    S const c = cos(z), s = sin(z);
    S const y = atan2(c * m(0, 2) + s * m(1, 2), c * m(0, 0) + s * m(1, 0));
    return euler_zxy<S>{z, atan2(m(2, 1), cx), select(locked, S(0), y)};
}
template <class R, class S>
[[nodiscard]] constexpr R from_euler_zxy(euler_zxy<S> const& a) noexcept {
    auto const turn = [](S const& angle, std::size_t axis) {
        quaternion<S> q{cos(angle / S(2)), S(0), S(0), S(0)};
        q.set_coordinate(axis + 1, sin(angle / S(2)));
        return q;
    };
    return detail::from_quaternion<R>::make(turn(a.z, 2) * turn(a.x, 0) * turn(a.y, 1));
}

/// `mask ? a : b`, lane by lane.
template <class M, rotation_like R>
[[nodiscard]] constexpr R select(M const& mask, R const& a, R const& b) noexcept {
    R r = b;
    for (std::size_t i = 0; i < R::dimension; ++i) r.set_coordinate(i, select(mask, a.coordinate(i), b.coordinate(i)));
    return r;
}

/// The rotation converted to another scalar.
template <class T, class R>
[[nodiscard]] constexpr auto rotation_to_scalar(R const& r) noexcept {
    typename R::template rebind<T> q;
    for (std::size_t i = 0; i < R::dimension; ++i) q.set_coordinate(i, static_cast<T>(r.coordinate(i)));
    return q;
}

}  // namespace sinew::inline v0
