#pragma once
// Unit quaternion (w, x, y, z), Hamilton's convention, body to world: the default representation of a rotation.
//
//   R v = q v q*,   q = (cos(t/2), n sin(t/2)) for an angle t about the unit axis n   (Waterson 2026, 2.2)
//   q_dot = 1/2 (0, omega) q for the world angular velocity omega

#include <sinew/config/inlining.hpp>
#include <sinew/config/rounded.hpp>
#include <sinew/math/traces.hpp>
#include <sinew/rotation/so3.hpp>

namespace sinew::inline v0 {

template <class S>
    requires scalar<S>
struct quaternion {
    using scalar_type = S;
    template <class T>
    using rebind = quaternion<T>;
    /// How many numbers it is stored in, as a state of an ODE.
    static constexpr std::size_t dimension = 4;

    S w{1}, x{0}, y{0}, z{0};

    /// The rotation that does nothing.
    [[nodiscard]] static constexpr quaternion identity() noexcept { return {S(1), S(0), S(0), S(0)}; }
    [[nodiscard]] constexpr vec3<S> vector() const noexcept { return {x, y, z}; }

    [[nodiscard]] constexpr S coordinate(std::size_t i) const noexcept { return i == 0 ? w : i == 1 ? x : i == 2 ? y : z; }
    constexpr void set_coordinate(std::size_t i, S const& value) noexcept { (i == 0 ? w : i == 1 ? x : i == 2 ? y : z) = value; }

    [[nodiscard]] friend constexpr bool operator==(quaternion const&, quaternion const&) = default;
    /// Hamilton product: first b, then a.
    [[nodiscard]] friend constexpr quaternion operator*(quaternion const& a, quaternion const& b) noexcept {
        auto const times = [](S const& s, S const& t) { return detail::rounded(S(s * t)); };
        return {times(a.w, b.w) - times(a.x, b.x) - times(a.y, b.y) - a.z * b.z, times(a.w, b.x) + times(a.x, b.w) + times(a.y, b.z) - a.z * b.y,
                times(a.w, b.y) - times(a.x, b.z) + times(a.y, b.w) + a.z * b.x, times(a.w, b.z) + times(a.x, b.y) - times(a.y, b.x) + a.z * b.w};
    }
};

template <class S>
[[nodiscard]] constexpr quaternion<S> inverse(quaternion<S> const& q) noexcept {
    return {q.w, -q.x, -q.y, -q.z};
}

template <class S>
[[nodiscard]] constexpr S squared_norm(quaternion<S> const& q) noexcept {
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

/// Nearest unit quaternion. Dividing by the norm alone leaves a norm that is off to one side by up to an ulp; over
/// thousands of steps a spinning body would gain or lose momentum by it. The correction by (1 - |q|^2) / 2 is unbiased.
template <class S>
[[nodiscard]] SINEW_RESULT_INLINE constexpr quaternion<S> normalize(quaternion<S> const& q) noexcept {
    if constexpr (!floating_scalar<S>) {  // the correction would be below rounding; the length of a vector is exact there
        vec<S, 4> const u = normalize(vec<S, 4>{q.w, q.x, q.y, q.z});
        return {u[0], u[1], u[2], u[3]};
    }
    S const k = S(1) / sqrt(squared_norm(q));
    quaternion<S> const u{q.w * k, q.x * k, q.y * k, q.z * k};
    S const d = (S(1) - squared_norm(u)) * (S(1) / S(2));
    return {u.w + d * u.w, u.x + d * u.x, u.y + d * u.y, u.z + d * u.z};
}

namespace detail {

// The same of what is a unit quaternion but for rounding.
template <class S>
[[nodiscard]] SINEW_RESULT_INLINE constexpr quaternion<S> renormalized(quaternion<S> q) noexcept {
    q.w = detail::tilt(q.w);
    q.x = detail::tilt(q.x);
    q.y = detail::tilt(q.y);
    q.z = detail::tilt(q.z);
    return normalize(q);
}

}  // namespace detail

/// R v. Costs 15 products: v + w t + u x t with t = 2 u x v.
template <class S, class T>
[[nodiscard]] SINEW_RESULT_INLINE constexpr auto rotate(quaternion<S> const& q, vec3<T> const& v) noexcept {
    auto const u = q.vector();
    auto const c = cross(u, v);
    auto const t = c + c;
    return v + q.w * t + cross(u, t);
}

/// R^T v.
template <class S, class T>
[[nodiscard]] SINEW_RESULT_INLINE constexpr auto inverse_rotate(quaternion<S> const& q, vec3<T> const& v) noexcept {
    return rotate(inverse(q), v);
}

template <class S>
[[nodiscard]] constexpr mat3<S> to_matrix(quaternion<S> const& q) noexcept {
    S const x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    S const xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    S const xy = detail::rounded(q.x * y2), xz = detail::rounded(q.x * z2), yz = detail::rounded(q.y * z2);
    S const wx = detail::rounded(q.w * x2), wy = detail::rounded(q.w * y2), wz = detail::rounded(q.w * z2);
    return {S(1) - (yy + zz),      detail::tilt(xy - wz), detail::tilt(xz + wy),  //
            detail::tilt(xy + wz), S(1) - (xx + zz),      detail::tilt(yz - wx),  //
            detail::tilt(xz - wy), detail::tilt(yz + wx), S(1) - (xx + yy)};
}

template <class S>
[[nodiscard]] constexpr quaternion<S> to_quaternion(quaternion<S> const& q) noexcept {
    return q;
}

/// Quaternion of a rotation matrix, with w >= 0. The largest of the four candidates is divided by (Shepperd 1978).
template <class S>
[[nodiscard]] constexpr quaternion<S> quaternion_of(mat3<S> const& m) noexcept {
    S const d0 = m(0, 0), d1 = m(1, 1), d2 = m(2, 2);
    // Four times the squares of w, x, y, z.
    S const w4 = S(1) + d0 + d1 + d2, x4 = S(1) + d0 - d1 - d2, y4 = S(1) - d0 + d1 - d2, z4 = S(1) - d0 - d1 + d2;
    S const wx = m(2, 1) - m(1, 2), wy = m(0, 2) - m(2, 0), wz = m(1, 0) - m(0, 1);
    S const xy = m(1, 0) + m(0, 1), xz = m(0, 2) + m(2, 0), yz = m(2, 1) + m(1, 2);
    auto const x_wins = w4 < x4;
    S const best_wx = select(x_wins, x4, w4);
    auto const z_wins = y4 < z4;
    S const best_yz = select(z_wins, z4, y4);
    auto const second = best_wx < best_yz;
    auto const pick = [&](S const& if_w, S const& if_x, S const& if_y, S const& if_z) {
        return select(second, select(z_wins, if_z, if_y), select(x_wins, if_x, if_w));
    };
    quaternion<S> q{pick(w4, wx, wy, wz), pick(wx, x4, xy, xz), pick(wy, xy, y4, yz), pick(wz, xz, yz, z4)};
    S const sign = select(q.w < S(0), S(-1), S(1));
    q = {q.w * sign, q.x * sign, q.y * sign, q.z * sign};
    return normalize(q);
}

/// exp of a rotation vector (rad).
template <class S>
[[nodiscard]] constexpr quaternion<S> quaternion_exp(vec3<S> const& theta) noexcept {
    vec3<S> const half = theta * (S(1) / S(2));
    S const h2 = squared_norm(half);
    S const s = sinc_of_square(h2);
    S const c = either(
        detail::small_angle(h2), [&] { return S(1) - h2 * versine_of_square(h2); },
        [&] { return cos(sqrt(select(detail::small_angle(h2), S(1), h2))); });
    return {c, s * half.x(), s * half.y(), s * half.z()};
}

/// The rotation vector theta (rad) with |theta| <= pi. q and -q yield the same.
template <class S>
[[nodiscard]] constexpr vec3<S> log(quaternion<S> const& q) noexcept {
    S const sign = select(q.w < S(0), S(-1), S(1));
    S const w = q.w * sign;
    vec3<S> const u = q.vector() * sign;
    S const n2 = squared_norm(u);
    // 2 atan2(n, w) / n. Near 0: (2 / w) (1 - t/3 + t^2/5 - ...), t = (n / w)^2.
    auto const small = n2 < w * w * (S(1) / S(16));
    S const k = either(
        small,
        [&] {
            S const safe_w = select(small, w, S(1));
            S const t = n2 / (safe_w * safe_w);
            S r = S(1) / S(31);
            for (int i = 29; i > 0; i -= 2) r = S(1) / S(i) - t * r;
            return S(2) * r / safe_w;
        },
        [&] {
            S const n = sqrt(select(small, S(1), n2));
            return S(2) * atan2(n, w) / n;
        });
    return u * k;
}

/// exp([theta]x) R: turned by theta (rad, world frame).
template <class S>
[[nodiscard]] constexpr quaternion<S> turned(quaternion<S> const& q, vec3<S> const& theta) noexcept {
    return detail::renormalized(quaternion_exp(theta) * q);
}

/// The same for a small theta, without sine or cosine: the angle is 2 atan(|theta| / 2), right to third order.
template <class S>
[[nodiscard]] SINEW_RESULT_INLINE constexpr quaternion<S> nudged(quaternion<S> const& q, vec3<S> const& theta) noexcept {
    S const h = S(1) / S(2);
    S const x = h * theta.x(), y = h * theta.y(), z = h * theta.z();
    return detail::renormalized(quaternion<S>{q.w - (x * q.x + y * q.y + z * q.z), q.x + (x * q.w + y * q.z - z * q.y),
                                              q.y + (y * q.w + z * q.x - x * q.z), q.z + (z * q.w + x * q.y - y * q.x)});
}

/// d/dt of the coordinates under the world angular velocity omega (rad/s): 1/2 (0, omega) q.
template <class S, class T>
[[nodiscard]] constexpr auto coordinate_rate(quaternion<S> const& q, vec3<T> const& omega) noexcept {
    using U = common_scalar_t<S, T>;
    U const h = U(1) / U(2);
    return vec<U, 4>{-h * (omega.x() * q.x + omega.y() * q.y + omega.z() * q.z), h * (omega.x() * q.w + omega.y() * q.z - omega.z() * q.y),
                     h * (omega.y() * q.w + omega.z() * q.x - omega.x() * q.z), h * (omega.z() * q.w + omega.x() * q.y - omega.y() * q.x)};
}

/// Brings coordinates that drifted back onto the group, from nearby.
template <class S>
[[nodiscard]] constexpr quaternion<S> projected(quaternion<S> const& q) noexcept {
    return detail::renormalized(q);
}

/// How far the coordinates are from a rotation: | |q|^2 - 1 |.
template <class S>
[[nodiscard]] constexpr S deviation(quaternion<S> const& q) noexcept {
    return abs(squared_norm(q) - S(1));
}

}  // namespace sinew::inline v0
