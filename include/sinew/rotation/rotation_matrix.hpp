#pragma once
// Rotation matrix, body to world, kept orthonormal.
//
//   R_dot = [omega]x R for the world angular velocity omega   (Waterson 2026, eq. 2.9)

#include <sinew/rotation/quaternion.hpp>

namespace sinew::inline v0 {

template <class S>
    requires scalar<S>
struct rotation_matrix {
    using scalar_type = S;
    template <class T>
    using rebind = rotation_matrix<T>;
    static constexpr std::size_t dimension = 9;

    mat3<S> m{S(1), S(0), S(0), S(0), S(1), S(0), S(0), S(0), S(1)};

    [[nodiscard]] static constexpr rotation_matrix identity() noexcept { return {}; }
    [[nodiscard]] constexpr S coordinate(std::size_t i) const noexcept { return m.e[i]; }
    constexpr void set_coordinate(std::size_t i, S const& value) noexcept { m.e[i] = value; }

    [[nodiscard]] friend constexpr bool operator==(rotation_matrix const&, rotation_matrix const&) = default;
    /// First b, then a.
    [[nodiscard]] friend constexpr rotation_matrix operator*(rotation_matrix const& a, rotation_matrix const& b) noexcept {
        return {a.m * b.m};
    }
};

template <class S>
[[nodiscard]] constexpr rotation_matrix<S> inverse(rotation_matrix<S> const& r) noexcept {
    return {transpose(r.m)};
}
template <class S, class T>
[[nodiscard]] constexpr auto rotate(rotation_matrix<S> const& r, vec3<T> const& v) noexcept {
    return r.m * v;
}
template <class S, class T>
[[nodiscard]] constexpr auto inverse_rotate(rotation_matrix<S> const& r, vec3<T> const& v) noexcept {
    return transpose_times(r.m, v);
}
template <class S>
[[nodiscard]] constexpr mat3<S> to_matrix(rotation_matrix<S> const& r) noexcept {
    return r.m;
}
template <class S>
[[nodiscard]] constexpr quaternion<S> to_quaternion(rotation_matrix<S> const& r) noexcept {
    return quaternion_of(r.m);
}
template <class S>
[[nodiscard]] constexpr vec3<S> log(rotation_matrix<S> const& r) noexcept {
    return log(quaternion_of(r.m));
}

/// Gram-Schmidt with the error shared between the first two rows; the third is their cross product.
template <class S>
[[nodiscard]] constexpr rotation_matrix<S> projected(rotation_matrix<S> const& r) noexcept {
    auto const tilts = [](vec3<S> const& v) -> vec3<S> { return {detail::tilt(v[0]), detail::tilt(v[1]), detail::tilt(v[2])}; };
    vec3<S> const a = tilts(r.m.row(0)), b = tilts(r.m.row(1));
    S const half_error = dot(a, b) * (S(1) / S(2));
    // A last correction by (1 - |v|^2) / 2: dividing by the norm alone leaves a length that is off to one side by an ulp,
    // which a body that turns for thousands of steps would gain or lose momentum by.
    auto const unit = [](vec3<S> const& v) {
        vec3<S> const n = normalize(v);
        return n + ((S(1) - squared_norm(n)) * (S(1) / S(2))) * n;
    };
    vec3<S> const x = tilts(unit(a - half_error * b));
    vec3<S> const y0 = b - half_error * a;
    vec3<S> const y = tilts(unit(y0 - dot(x, y0) * x));
    vec3<S> const z = tilts(cross(x, y));
    return {{x.x(), x.y(), x.z(), y.x(), y.y(), y.z(), z.x(), z.y(), z.z()}};
}

template <class S>
[[nodiscard]] constexpr rotation_matrix<S> turned(rotation_matrix<S> const& r, vec3<S> const& theta) noexcept {
    return projected(rotation_matrix<S>{so3_exp(theta) * r.m});
}

/// For a small theta: Cayley's map, the same rotation that nudging a quaternion makes.
template <class S>
[[nodiscard]] constexpr rotation_matrix<S> nudged(rotation_matrix<S> const& r, vec3<S> const& theta) noexcept {
    vec3<S> const h = theta * (S(1) / S(2));
    // cay = 1 + k [h]x + k [h]x^2 with k = 2 / (1 + |h|^2)
    S const k = S(2) / (S(1) + squared_norm(h));
    mat3<S> moved = r.m;
    for (std::size_t j = 0; j < 3; ++j) {
        vec3<S> const c = r.m.col(j);
        vec3<S> const hc = cross(h, c);
        vec3<S> const d = k * (hc + cross(h, hc));
        for (std::size_t i = 0; i < 3; ++i) moved(i, j) = moved(i, j) + d[i];
    }
    return projected(rotation_matrix<S>{moved});
}

/// [omega]x R, row by row.
template <class S, class T>
[[nodiscard]] constexpr auto coordinate_rate(rotation_matrix<S> const& r, vec3<T> const& omega) noexcept {
    using U = common_scalar_t<S, T>;
    vec<U, 9> rate;
    for (std::size_t j = 0; j < 3; ++j) {
        auto const c = cross(omega, r.m.col(j));
        for (std::size_t i = 0; i < 3; ++i) rate[3 * i + j] = c[i];
    }
    return rate;
}

/// Largest entry of | R^T R - 1 |, or of a reflection's determinant error.
template <class S>
[[nodiscard]] constexpr S deviation(rotation_matrix<S> const& r) noexcept {
    mat3<S> const e = transpose(r.m) * r.m - identity<S, 3>();
    S d = abs(determinant(r.m) - S(1));
    for (std::size_t i = 0; i < 9; ++i) d = max(d, abs(e.e[i]));
    return d;
}

}  // namespace sinew::inline v0
