#pragma once
// Principal axes of an inertia: the frame in which it is diagonal. And whether it can be that of a body at all.
//
//   I = Q diag(moments) Q^T,   moments ascending, Q a rotation whose columns are the axes
//
// Jacobi's method: one off-diagonal entry after the other is turned to zero (Golub & Van Loan, Matrix Computations, 8.5).
// It finds small moments to full relative accuracy, and makes orthonormal axes however close the moments are. Where two
// are equal, any axes in their plane are principal; then the axes at hand are kept.

#include <sinew/body/mass_properties.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace sinew::inline v0 {

/// The moments (kg m^2, ascending), and the rotation from the principal axes to the frame of the inertia.
template <class S, class R = quaternion<S>>
struct principal_inertia {
    vec3<S> moments;
    R axes;
};

namespace detail {

// One Jacobi rotation in the plane (p, q): a becomes J^T a J with a(p, q) = 0, axes becomes axes J.
template <class S>
constexpr void jacobi_rotation(mat3<S>& a, mat3<S>& axes, std::size_t p, std::size_t q) noexcept {
    std::size_t const r = 3 - p - q;
    S const apq = a(p, q);
    // tan of the smaller of the two angles: t^2 + 2 tau t - 1 = 0 with tau = (a_qq - a_pp) / (2 a_pq).
    S const tau = (a(q, q) - a(p, p)) / (S(2) * apq);
    S const magnitude = abs(tau);
    // Far out the square would overflow a float, and 1 / (2 tau) is right to rounding.
    S const root = magnitude > S(1e16L) ? S(2) * magnitude : magnitude + sqrt(S(1) + tau * tau);
    S const t = tau < S(0) ? S(-1) / root : S(1) / root;
    S const c = S(1) / sqrt(S(1) + t * t);
    S const s = t * c;
    a(p, p) = a(p, p) - t * apq;
    a(q, q) = a(q, q) + t * apq;
    a(p, q) = a(q, p) = S(0);
    S const arp = a(r, p), arq = a(r, q);
    a(r, p) = a(p, r) = c * arp - s * arq;
    a(r, q) = a(q, r) = s * arp + c * arq;
    for (std::size_t i = 0; i < 3; ++i) {
        S const vp = axes(i, p), vq = axes(i, q);
        axes(i, p) = c * vp - s * vq;
        axes(i, q) = s * vp + c * vq;
    }
}

// Is the off-diagonal entry lost in the rounding of the diagonal beside it? Relative to both entries, so that a small
// moment beside a large one keeps its digits.
template <class S>
[[nodiscard]] constexpr bool negligible(mat3<S> const& a, std::size_t p, std::size_t q) noexcept {
    S const x = abs(a(p, q)) / epsilon_v<S>;
    S const d = abs(a(p, p)), e = abs(a(q, q));
    S const larger = max(d, e);
    return x == S(0) || (x < larger && x * (x / larger) <= min(d, e));
}

}  // namespace detail

/// The principal axes of an inertia, or of any symmetric matrix. Its entries must be finite.
template <class R = void, std::floating_point S>
[[nodiscard]] constexpr auto principal_axes(sym3<S> const& inertia) noexcept {
    using rotation = std::conditional_t<std::same_as<R, void>, quaternion<S>, R>;
    // Scaled by a power of two to entries near 1, so that no product under- or overflows.
    S largest = S(0);
    for (S const& x : {inertia.xx, inertia.yy, inertia.zz, inertia.xy, inertia.xz, inertia.yz}) largest = max(largest, abs(x));
    if (!(largest > S(0)) || !isfinite(largest)) return principal_inertia<S, rotation>{{inertia.xx, inertia.yy, inertia.zz}, rotation::identity()};
    S scale = S(1);
    while (largest * scale > S(1)) scale = scale / S(2);
    while (largest * scale < S(0.25L)) scale = scale * S(2);

    mat3<S> a = to_mat(scale * inertia);
    mat3<S> axes = identity<S, 3>();
    // It converges quadratically: five sweeps are plenty.
    for (int sweep = 0; sweep < 16; ++sweep) {
        bool done = true;
        for (std::size_t p = 0; p < 2; ++p)
            for (std::size_t q = p + 1; q < 3; ++q)
                if (!detail::negligible(a, p, q)) {
                    detail::jacobi_rotation(a, axes, p, q);
                    done = false;
                }
        if (done) break;
    }

    std::size_t order[3] = {0, 1, 2};
    auto const sort_pair = [&](std::size_t i, std::size_t j) {
        if (a(order[j], order[j]) < a(order[i], order[i])) std::swap(order[i], order[j]);
    };
    sort_pair(0, 1);
    sort_pair(1, 2);
    sort_pair(0, 1);
    vec3<S> const moments{a(order[0], order[0]) / scale, a(order[1], order[1]) / scale, a(order[2], order[2]) / scale};

    // An axis may point either way: its largest component is made positive, and the third completes the right hand.
    auto const pointing_up = [](vec3<S> const& v) {
        std::size_t k = 0;
        for (std::size_t i = 1; i < 3; ++i)
            if (abs(v[i]) > abs(v[k])) k = i;
        return v[k] < S(0) ? -v : v;
    };
    vec3<S> const u = pointing_up(normalize(axes.col(order[0])));
    vec3<S> const y = axes.col(order[1]);
    vec3<S> const v = pointing_up(normalize(y - u * dot(u, y)));
    vec3<S> const w = cross(u, v);
    rotation_matrix<S> const q{{u.x(), v.x(), w.x(), u.y(), v.y(), w.y(), u.z(), v.z(), w.z()}};
    return principal_inertia<S, rotation>{moments, rotation_cast<rotation>(q)};
}

/// The frame of the principal axes at the centre of mass, in the frame of the properties. moved(p, inverse(frame)) has its
/// centre at the origin and a diagonal inertia.
template <class R = void, std::floating_point S>
[[nodiscard]] constexpr auto principal_frame(mass_properties<S> const& p) noexcept {
    auto const axes = principal_axes<R>(p.inertia).axes;
    return pose<S, std::remove_cv_t<decltype(axes)>>{p.center, axes};
}

/// A scalar that is one built-in number and perhaps its derivatives.
template <class S>
concept has_plain_value = scalar<S> && std::floating_point<value_type_t<S>> && requires(S const& x) {
    { value(x) } -> std::same_as<value_type_t<S>>;
};

namespace detail {
template <has_plain_value S>
[[nodiscard]] constexpr sym3<value_type_t<S>> plain(sym3<S> const& m) noexcept {
    return {value(m.xx), value(m.yy), value(m.zz), value(m.xy), value(m.xz), value(m.yz)};
}
}  // namespace detail

/// The principal moments (kg m^2, ascending), without derivatives.
template <has_plain_value S>
[[nodiscard]] constexpr vec3<value_type_t<S>> principal_moments(sym3<S> const& inertia) noexcept {
    return principal_axes(detail::plain(inertia)).moments;
}

/// Can a body have this inertia? No principal moment is negative, and none exceeds the sum of the other two, since
/// I_x + I_y - I_z = 2 integral(z^2 dm). The tolerance is relative to the largest moment. A thin rod passes.
template <has_plain_value S>
[[nodiscard]] constexpr bool possible_inertia(sym3<S> const& inertia, value_type_t<S> const& tolerance = 64 * epsilon_v<value_type_t<S>>) noexcept {
    using V = value_type_t<S>;
    sym3<V> const I = detail::plain(inertia);
    for (V const x : {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz})
        if (!isfinite(x)) return false;
    vec3<V> const m = principal_moments(I);
    V const slack = tolerance * abs(m[2]);
    return m[0] >= -slack && m[0] + (m[1] - m[2]) >= -slack;
}

/// Can a rigid body that turns have this inertia? As possible_inertia, and no moment is zero.
template <has_plain_value S>
[[nodiscard]] constexpr bool valid_inertia(sym3<S> const& inertia, value_type_t<S> const& tolerance = 64 * epsilon_v<value_type_t<S>>) noexcept {
    return possible_inertia(inertia, tolerance) && principal_moments(inertia)[0] > 0;
}

}  // namespace sinew::inline v0
