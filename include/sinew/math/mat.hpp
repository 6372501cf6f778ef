#pragma once
// Matrices of compile-time size, row by row, over any scalar; and the symmetric 3x3 that inertia is made of.

#include <sinew/config/inlining.hpp>
#include <sinew/config/opaque.hpp>
#include <sinew/math/vec.hpp>

namespace sinew::inline v0 {

/// R rows, C columns, stored row by row. m(i, j).
template <class S, std::size_t R, std::size_t C>
    requires scalar<S>
struct mat {
    using scalar_type = S;
    S e[R * C];

    [[nodiscard]] static constexpr std::size_t rows() noexcept { return R; }
    [[nodiscard]] static constexpr std::size_t cols() noexcept { return C; }
    [[nodiscard]] constexpr S& operator()(std::size_t i, std::size_t j) noexcept { return e[i * C + j]; }
    [[nodiscard]] constexpr S const& operator()(std::size_t i, std::size_t j) const noexcept { return e[i * C + j]; }
    [[nodiscard]] constexpr vec<S, C> row(std::size_t i) const noexcept {
        vec<S, C> r;
        for (std::size_t j = 0; j < C; ++j) r.e[j] = e[i * C + j];
        return r;
    }
    [[nodiscard]] constexpr vec<S, R> col(std::size_t j) const noexcept {
        vec<S, R> r;
        for (std::size_t i = 0; i < R; ++i) r.e[i] = e[i * C + j];
        return r;
    }
    constexpr mat& operator+=(mat const& b) noexcept {
        for (std::size_t i = 0; i < R * C; ++i) e[i] = e[i] + b.e[i];
        return *this;
    }
    constexpr mat& operator-=(mat const& b) noexcept {
        for (std::size_t i = 0; i < R * C; ++i) e[i] = e[i] - b.e[i];
        return *this;
    }
    [[nodiscard]] friend constexpr bool operator==(mat const&, mat const&) = default;
};

template <class S>
using mat3 = mat<S, 3, 3>;

template <class S, std::size_t N>
[[nodiscard]] constexpr mat<S, N, N> identity() noexcept {
    mat<S, N, N> r{};
    for (std::size_t i = 0; i < N; ++i) r(i, i) = S(1);
    return r;
}

template <class A, class B, std::size_t R, std::size_t C>
[[nodiscard]] constexpr auto operator+(mat<A, R, C> const& a, mat<B, R, C> const& b) noexcept {
    mat<common_scalar_t<A, B>, R, C> r;
    for (std::size_t i = 0; i < R * C; ++i) r.e[i] = a.e[i] + b.e[i];
    return r;
}
template <class A, class B, std::size_t R, std::size_t C>
[[nodiscard]] constexpr auto operator-(mat<A, R, C> const& a, mat<B, R, C> const& b) noexcept {
    mat<common_scalar_t<A, B>, R, C> r;
    for (std::size_t i = 0; i < R * C; ++i) r.e[i] = a.e[i] - b.e[i];
    return r;
}
template <class S, std::size_t R, std::size_t C>
[[nodiscard]] constexpr mat<S, R, C> operator-(mat<S, R, C> const& a) noexcept {
    mat<S, R, C> r;
    for (std::size_t i = 0; i < R * C; ++i) r.e[i] = -a.e[i];
    return r;
}
template <class S, std::size_t R, std::size_t C, class K>
    requires scales<S, K>
[[nodiscard]] constexpr auto operator*(mat<S, R, C> const& a, K const& k) noexcept {
    mat<common_scalar_t<S, K>, R, C> r;
    for (std::size_t i = 0; i < R * C; ++i) r.e[i] = a.e[i] * k;
    return r;
}
template <class S, std::size_t R, std::size_t C, class K>
    requires scales<S, K>
[[nodiscard]] constexpr auto operator*(K const& k, mat<S, R, C> const& a) noexcept {
    return a * k;
}
template <class A, class B, std::size_t R, std::size_t K, std::size_t C>
[[nodiscard]] constexpr auto operator*(mat<A, R, K> const& a, mat<B, K, C> const& b) noexcept {
    mat<common_scalar_t<A, B>, R, C> r;
    for (std::size_t i = 0; i < R; ++i)
        for (std::size_t j = 0; j < C; ++j) {
            common_scalar_t<A, B> s = a(i, 0) * b(0, j);
            for (std::size_t k = 1; k < K; ++k) s = s + a(i, k) * b(k, j);
            r(i, j) = s;
        }
    return r;
}
template <class A, class B, std::size_t R, std::size_t C>
[[nodiscard]] constexpr auto operator*(mat<A, R, C> const& a, vec<B, C> const& b) noexcept {
    if constexpr (R == 3 && C == 3) {  // written out: see vec.hpp
        return vec<common_scalar_t<A, B>, 3>{a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2], a.e[3] * b.e[0] + a.e[4] * b.e[1] + a.e[5] * b.e[2],
                                             a.e[6] * b.e[0] + a.e[7] * b.e[1] + a.e[8] * b.e[2]};
    } else {
        vec<common_scalar_t<A, B>, R> r;
        for (std::size_t i = 0; i < R; ++i) {
            common_scalar_t<A, B> s = a(i, 0) * b.e[0];
            for (std::size_t k = 1; k < C; ++k) s = s + a(i, k) * b.e[k];
            r.e[i] = s;
        }
        return r;
    }
}

template <class S, std::size_t R, std::size_t C>
[[nodiscard]] constexpr mat<S, C, R> transpose(mat<S, R, C> const& a) noexcept {
    mat<S, C, R> r;
    for (std::size_t i = 0; i < R; ++i)
        for (std::size_t j = 0; j < C; ++j) r(j, i) = a(i, j);
    return r;
}

/// A^T b without forming the transpose.
template <class A, class B, std::size_t R, std::size_t C>
[[nodiscard]] constexpr auto transpose_times(mat<A, R, C> const& a, vec<B, R> const& b) noexcept {
    if constexpr (R == 3 && C == 3) {
        return vec<common_scalar_t<A, B>, 3>{a.e[0] * b.e[0] + a.e[3] * b.e[1] + a.e[6] * b.e[2], a.e[1] * b.e[0] + a.e[4] * b.e[1] + a.e[7] * b.e[2],
                                             a.e[2] * b.e[0] + a.e[5] * b.e[1] + a.e[8] * b.e[2]};
    } else {
        vec<common_scalar_t<A, B>, C> r;
        for (std::size_t j = 0; j < C; ++j) {
            common_scalar_t<A, B> s = a(0, j) * b.e[0];
            for (std::size_t i = 1; i < R; ++i) s = s + a(i, j) * b.e[i];
            r.e[j] = s;
        }
        return r;
    }
}

/// a b^T.
template <class A, class B, std::size_t R, std::size_t C>
[[nodiscard]] constexpr auto outer(vec<A, R> const& a, vec<B, C> const& b) noexcept {
    mat<common_scalar_t<A, B>, R, C> r;
    for (std::size_t i = 0; i < R; ++i)
        for (std::size_t j = 0; j < C; ++j) r(i, j) = a.e[i] * b.e[j];
    return r;
}

/// [v]x, so that [v]x w = v x w (Waterson 2026, eq. 2.9).
template <class S>
[[nodiscard]] constexpr mat3<S> skew(vec3<S> const& v) noexcept {
    return {S(0), -v.z(), v.y(), v.z(), S(0), -v.x(), -v.y(), v.x(), S(0)};
}

template <class S>
[[nodiscard]] constexpr S determinant(mat3<S> const& m) noexcept {
    return m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) - m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0)) +
           m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0));
}

/// x with A x = b, by Cramer's rule. A singular matrix yields non-finite numbers.
template <class S>
[[nodiscard]] constexpr vec3<S> solve(mat<S, 3, 3> const& A, vec3<S> const& b) noexcept {
    vec3<S> const x = A.col(0), y = A.col(1), z = A.col(2), yz = cross(y, z), bx = cross(b, x);
    return vec3<S>{dot(b, yz), -dot(z, bx), dot(y, bx)} / dot(x, yz);
}

template <class S>
[[nodiscard]] constexpr S trace(mat3<S> const& m) noexcept {
    return m(0, 0) + m(1, 1) + m(2, 2);
}

/// A symmetric 3x3 matrix in six numbers.
template <class S>
    requires scalar<S>
struct sym3 {
    S xx, yy, zz, xy, xz, yz;

    [[nodiscard]] constexpr S operator()(std::size_t i, std::size_t j) const noexcept {
        if (i == j) return i == 0 ? xx : i == 1 ? yy : zz;
        return i + j == 1 ? xy : i + j == 2 ? xz : yz;
    }
    [[nodiscard]] friend constexpr bool operator==(sym3 const&, sym3 const&) = default;
    [[nodiscard]] friend constexpr sym3 operator+(sym3 const& a, sym3 const& b) noexcept {
        return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
    }
    [[nodiscard]] friend constexpr sym3 operator-(sym3 const& a, sym3 const& b) noexcept {
        return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
    }
    [[nodiscard]] friend constexpr sym3 operator*(S const& k, sym3 const& a) noexcept {
        return {k * a.xx, k * a.yy, k * a.zz, k * a.xy, k * a.xz, k * a.yz};
    }
};

template <class S>
[[nodiscard]] constexpr sym3<S> diagonal(S const& xx, S const& yy, S const& zz) noexcept {
    return {xx, yy, detail::opaque(zz), S(0), S(0), S(0)};
}

/// In which lanes it is the same number in every direction, as is the inertia of balls and cubes. Scalars with derivatives must not differ in these either.
template <class S>
[[nodiscard]] constexpr mask_t<S> isotropic_lanes(sym3<S> const& m) noexcept {
    if constexpr (requires { m.xx.v + m.xx.d[0]; }) {
        using T = std::remove_cvref_t<decltype(m.xx.v)>;
        mask_t<S> all_parts = isotropic_lanes(sym3<T>{m.xx.v, m.yy.v, m.zz.v, m.xy.v, m.xz.v, m.yz.v});
        for (std::size_t i = 0; i < S::lanes; ++i)
            all_parts = all_parts && isotropic_lanes(sym3<T>{m.xx.d[i], m.yy.d[i], m.zz.d[i], m.xy.d[i], m.xz.d[i], m.yz.d[i]});
        return all_parts;
    } else if constexpr (std::same_as<S, value_type_t<S>> || has_lanes_v<S>) {
        return m.xx == m.yy && m.yy == m.zz && m.xy == S(0) && m.xz == S(0) && m.yz == S(0);
    } else {
        return false;
    }
}
/// In all of them.
template <class S>
[[nodiscard]] constexpr bool is_isotropic(sym3<S> const& m) noexcept {
    return all(isotropic_lanes(m));
}
template <class M, class S>
[[nodiscard]] constexpr sym3<S> select(M const& mask, sym3<S> const& a, sym3<S> const& b) noexcept {
    return {select(mask, a.xx, b.xx), select(mask, a.yy, b.yy), select(mask, a.zz, b.zz), select(mask, a.xy, b.xy), select(mask, a.xz, b.xz), select(mask, a.yz, b.yz)};
}

template <class A, class B>
[[nodiscard]] SINEW_RESULT_INLINE constexpr auto operator*(sym3<A> const& m, vec3<B> const& v) noexcept {
    return vec3<common_scalar_t<A, B>>{m.xx * v.e[0] + m.xy * v.e[1] + m.xz * v.e[2],
                                       m.xy * v.e[0] + m.yy * v.e[1] + m.yz * v.e[2],
                                       m.xz * v.e[0] + m.yz * v.e[1] + m.zz * v.e[2]};
}

template <class S>
[[nodiscard]] constexpr mat3<S> to_mat(sym3<S> const& m) noexcept {
    return {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz};
}
/// The symmetric part of m.
template <class S>
[[nodiscard]] constexpr sym3<S> to_sym(mat3<S> const& m) noexcept {
    S const half = S(1) / S(2);
    return {m(0, 0), m(1, 1), m(2, 2), half * (m(0, 1) + m(1, 0)), half * (m(0, 2) + m(2, 0)), half * (m(1, 2) + m(2, 1))};
}

template <class S>
[[nodiscard]] constexpr S determinant(sym3<S> const& m) noexcept {
    return m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) + m.xz * (m.xy * m.yz - m.yy * m.xz);
}

namespace detail {

// For numbers without an exponent, in which the product of three entries has no digits left: pivot by pivot, L D L^T. A lost pivot yields zero.
template <class S>
[[nodiscard]] constexpr sym3<S> inverse_by_pivots(sym3<S> const& a) noexcept {
    S const one(1), none(0);
    if (all(a.xx == none)) return {};
    S const p = a.xy / a.xx, q = a.xz / a.xx, yy = a.yy - p * a.xy, yz = a.yz - p * a.xz;
    if (all(yy == none)) return {};
    S const r = yz / yy, zz = (a.zz - q * a.xz) - r * yz;
    if (all(zz == none)) return {};
    // L^-T D^-1 L^-1 with L = (1; p 1; q r 1)
    S const s = p * r - q, z = one / zz, y = one / yy, yz_part = -r * z;
    return {(one / a.xx + p * p * y) + s * s * z, y + r * r * z, z, -p * y + s * yz_part, s * z, yz_part};
}
// The same for any matrix, by elimination with the largest pivot of each column (Golub & Van Loan, Matrix Computations, 3.4).
template <class S>
[[nodiscard]] constexpr mat3<S> inverse_by_elimination(mat3<S> a) noexcept {
    mat3<S> r = identity<S, 3>();
    auto const swap_rows = [](mat3<S>& m, std::size_t i, std::size_t j) {
        for (std::size_t k = 0; k < 3; ++k) {
            S const t = m(i, k);
            m(i, k) = m(j, k);
            m(j, k) = t;
        }
    };
    for (std::size_t j = 0; j < 3; ++j) {
        std::size_t top = j;
        for (std::size_t i = j + 1; i < 3; ++i)
            if (all(abs(a(top, j)) < abs(a(i, j)))) top = i;
        swap_rows(a, j, top);
        swap_rows(r, j, top);
        S const pivot = a(j, j);
        for (std::size_t k = 0; k < 3; ++k) {
            a(j, k) = a(j, k) / pivot;
            r(j, k) = r(j, k) / pivot;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            S const f = a(i, j);
            if (i == j) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                a(i, k) = a(i, k) - f * a(j, k);
                r(i, k) = r(i, k) - f * r(j, k);
            }
        }
    }
    return r;
}

}  // namespace detail

/// Inverse by cofactors. A singular matrix yields non-finite numbers.
template <class S>
[[nodiscard]] constexpr mat3<S> inverse(mat3<S> const& m) noexcept {
    if constexpr (!floating_scalar<S>) return detail::inverse_by_elimination(m);
    S const k = S(1) / determinant(m);
    return {(m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) * k, (m(0, 2) * m(2, 1) - m(0, 1) * m(2, 2)) * k,
            (m(0, 1) * m(1, 2) - m(0, 2) * m(1, 1)) * k, (m(1, 2) * m(2, 0) - m(1, 0) * m(2, 2)) * k,
            (m(0, 0) * m(2, 2) - m(0, 2) * m(2, 0)) * k, (m(0, 2) * m(1, 0) - m(0, 0) * m(1, 2)) * k,
            (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0)) * k, (m(0, 1) * m(2, 0) - m(0, 0) * m(2, 1)) * k,
            (m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0)) * k};
}

/// Inverse by cofactors; a singular matrix yields zero, the inverse mass of what cannot be moved.
template <class S>
[[nodiscard]] constexpr sym3<S> inverse(sym3<S> const& a) noexcept {
    if constexpr (!floating_scalar<S>) {
        return detail::inverse_by_pivots(a);
    } else {
        // Scaled where the determinant, a product of three, would leave the range of a float; elsewhere scaling only costs digits.
        S const largest = max(max(abs(a.xx), abs(a.yy)), abs(a.zz));
        auto const ordinary = largest == clamp(largest, S(value_type_t<S>(1e-6)), S(value_type_t<S>(1e6)));
        S const scale = select(ordinary, S(1), S(1) / select(largest == S(0), S(1), largest));
        sym3<S> const m = scale * a;
        S const cxx = m.yy * m.zz - m.yz * m.yz;
        S const cxy = m.xz * m.yz - m.xy * m.zz;
        S const cxz = m.xy * m.yz - m.xz * m.yy;
        S const det = m.xx * cxx + m.xy * cxy + m.xz * cxz;
        auto const singular = det == S(0);
        S const k = select(singular, S(0), scale / select(singular, S(1), det));
        return {cxx * k, (m.xx * m.zz - m.xz * m.xz) * k, (m.xx * m.yy - m.xy * m.xy) * k,
                cxy * k, cxz * k,                         (m.xy * m.xz - m.xx * m.yz) * k};
    }
}

/// Q D Q^T for a matrix Q and a symmetric D: a tensor seen from another frame (Waterson 2026, eq. 3.19).
template <class S>
[[nodiscard]] constexpr sym3<S> congruence(mat3<S> const& q, sym3<S> const& d) noexcept {
    // t = Q D row by row, then the six entries of t Q^T that differ.
    vec3<S> const q0{q.e[0], q.e[1], q.e[2]}, q1{q.e[3], q.e[4], q.e[5]}, q2{q.e[6], q.e[7], q.e[8]};
    vec3<S> const t0 = d * q0, t1 = d * q1, t2 = d * q2;
    return {dot(t0, q0), dot(t1, q1), dot(t2, q2), dot(t0, q1), dot(t0, q2), dot(t1, q2)};
}

}  // namespace sinew::inline v0
