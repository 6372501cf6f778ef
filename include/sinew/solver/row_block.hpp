#pragma once
// The rows of one constraint as a block: what its multipliers do to each of its bodies, and what the bodies' masses make of it.
//
//   f_i = J_i^T p           wrench on attachment i by the multipliers p
//   K = sum J_i W_i J_i^T    how much a unit of one row moves another (W: inverse mass)
//
// Both go attachment by attachment, so that M^-1 J^T is never stored.

#include <sinew/constraint/friction_cone.hpp>
#include <sinew/linear/small_ldlt.hpp>
#include <sinew/math/squared.hpp>
#include <sinew/solver/problem.hpp>

namespace sinew::inline v0 {

namespace detail {

// Three columns of a row of J.
template <class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr vec3<S> row_part(mat<S, M, N> const& J, std::size_t r, std::size_t at) noexcept {
    return {J(r, at), J(r, at + 1), J(r, at + 2)};
}

// K += J_i W_i J_i^T below and on the diagonal. `Angular` is sym3 or mat3 (1/(kg m^2), world frame).
template <class S, std::size_t M, std::size_t N, class Angular>
constexpr void add_rigid(mat<S, M, M>& K, mat<S, M, N> const& J, std::size_t at, S const& linear, Angular const& angular) noexcept {
    for (std::size_t r = 0; r < M; ++r) {
        vec3<S> const v = linear * row_part(J, r, at), w = angular * row_part(J, r, at + 3);
        for (std::size_t q = r; q < M; ++q) K(q, r) = K(q, r) + (dot(row_part(J, q, at), v) + dot(row_part(J, q, at + 3), w));
    }
}
// All of it, not the lower triangle alone: of an angular mass that is not symmetric.
template <class S, std::size_t M, std::size_t N>
constexpr void add_spinning(mat<S, M, M>& K, mat<S, M, N> const& J, std::size_t at, S const& linear, mat3<S> const& angular) noexcept {
    for (std::size_t r = 0; r < M; ++r) {
        vec3<S> const v = linear * row_part(J, r, at), w = angular * row_part(J, r, at + 3);
        for (std::size_t q = 0; q < M; ++q) K(q, r) = K(q, r) + (dot(row_part(J, q, at), v) + dot(row_part(J, q, at + 3), w));
    }
}
template <class S, std::size_t M, std::size_t N>
constexpr void add_particle(mat<S, M, M>& K, mat<S, M, N> const& J, std::size_t at, S const& linear) noexcept {
    for (std::size_t r = 0; r < M; ++r) {
        vec3<S> const v = linear * row_part(J, r, at);
        for (std::size_t q = r; q < M; ++q) K(q, r) = K(q, r) + dot(row_part(J, q, at), v);
    }
}
// W is M_u^-1.
template <class S, std::size_t M, std::size_t N, std::size_t D>
constexpr void add_generalized(mat<S, M, M>& K, mat<S, M, N> const& J, std::size_t at, mat<S, D, D> const& W) noexcept {
    for (std::size_t r = 0; r < M; ++r) {
        vec<S, D> j;
        for (std::size_t k = 0; k < D; ++k) j[k] = J(r, at + k);
        vec<S, D> const v = W * j;
        for (std::size_t q = r; q < M; ++q)
            for (std::size_t k = 0; k < D; ++k) K(q, r) = K(q, r) + J(q, at + k) * v[k];
    }
}
template <class S, std::size_t M>
constexpr void mirror(mat<S, M, M>& K) noexcept {
    for (std::size_t r = 0; r < M; ++r)
        for (std::size_t q = r + 1; q < M; ++q) K(r, q) = K(q, r);
}

// J_i^T p. A particle takes no torque.
template <class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr wrench<S> pushed_by(rigid, mat<S, M, N> const& J, std::size_t at, vec<S, M> const& p) noexcept {
    wrench<S> f{row_part(J, 0, at) * p[0], row_part(J, 0, at + 3) * p[0]};
    for (std::size_t r = 1; r < M; ++r) {
        f.force += row_part(J, r, at) * p[r];
        f.torque += row_part(J, r, at + 3) * p[r];
    }
    return f;
}
template <class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr wrench<S> pushed_by(point_mass, mat<S, M, N> const& J, std::size_t at, vec<S, M> const& p) noexcept {
    wrench<S> f{row_part(J, 0, at) * p[0], {}};
    for (std::size_t r = 1; r < M; ++r) f.force += row_part(J, r, at) * p[r];
    return f;
}

// A generalized body takes no wrench, but a force on its coordinates: pushed_on.
template <class Map, class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr wrench<S> pushed_by(generalized<Map>, mat<S, M, N> const&, std::size_t, vec<S, M> const&) noexcept {
    return {};
}
// J_i^T p as the Kind::dof numbers that a body of any kind takes.
template <class Kind, class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr vec<S, Kind::dof> pushed_on(mat<S, M, N> const& J, std::size_t at, vec<S, M> const& p) noexcept {
    vec<S, Kind::dof> f;
    for (std::size_t k = 0; k < Kind::dof; ++k) {
        f[k] = J(0, at + k) * p[0];
        for (std::size_t r = 1; r < M; ++r) f[k] = f[k] + J(r, at + k) * p[r];
    }
    return f;
}

/// Row by row within one constraint: dp with lower <= p + dp <= upper and the residual r + K dp zero in the free rows.
template <class S, std::size_t M>
[[nodiscard]] constexpr vec<S, M> solve_bounded(mat<S, M, M> const& K, vec<S, M> const& r, vec<S, M> const& p, bounds<S, M> const& limits, S const& xi) {
    vec<S, M> dp{};
    constexpr int sweeps = M == 1 ? 1 : 4;
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (std::size_t i = 0; i < M; ++i) {
            S e = r[i];
            for (std::size_t j = 0; j < M; ++j) e = e + K(i, j) * dp[j];
            auto const stuck = K(i, i) <= S(0);
            S const step = select(stuck, S(0), xi * e / select(stuck, S(1), K(i, i)));
            dp[i] = clamp(p[i] + dp[i] - step, limits.lower[i], limits.upper[i]) - p[i];
        }
    return dp;
}

/// Steps of two rows of friction with the response K: to where neither slips; and one that is as long in every direction, so that where the
/// friction is cut it opposes the slip, whatever K is.
template <class S>
struct friction_step {
    S k00, k01, k11;  // K^-1
    S slide;          // 1 / the larger eigenvalue of K

    constexpr friction_step() noexcept : k00(S(0)), k01(S(0)), k11(S(0)), slide(S(0)) {}
    constexpr friction_step(S const& a, S const& b, S const& c) noexcept {  // K = (a b; b c)
        S const mean = (a + c) / S(2), half = (a - c) / S(2);
        S const largest = mean + sqrt(half * half + b * b), determinant = a * c - b * b;
        auto const idle = largest <= S(0), flat = determinant <= epsilon_v<S> * largest * largest;
        slide = select(idle, S(0), S(1) / select(idle, S(1), largest));
        S const d = select(flat, S(0), S(1) / select(flat, S(1), determinant));
        k00 = select(flat, slide, c * d);
        k01 = select(flat, S(0), -b * d);
        k11 = select(flat, slide, a * d);
    }
};
/// One step of the friction rows of a constraint that presses and rubs: p + dp within the friction that the push p[0] allows, from the rates e.
template <class C, class S>
[[nodiscard]] constexpr vec<S, 3> rub(C const& c, vec<S, 3> const& p, S const& e1, S const& e2, friction_step<S> const& step, S const& scale) {
    S const inverse = S(1) / scale;
    vec<S, 3> const stuck{p[0] * inverse, (p[1] - (step.k00 * e1 + step.k01 * e2)) * inverse, (p[2] - (step.k01 * e1 + step.k11 * e2)) * inverse};
    vec<S, 3> const held = c.within_friction(stuck);
    auto const sticks = held[1] == stuck[1] && held[2] == stuck[2];
    vec<S, 3> const slid = c.within_friction(vec<S, 3>{stuck[0], (p[1] - step.slide * e1) * inverse, (p[2] - step.slide * e2) * inverse});
    return {p[0], select(sticks, held[1], slid[1]) * scale, select(sticks, held[2], slid[2]) * scale};
}
/// What solve_rubbing takes of K beforehand.
template <class S>
struct rubbing_steps {
    friction_step<S> rub{};
    S push{};  // 1 / K(0, 0), 0 of what nothing moves

    constexpr rubbing_steps() noexcept = default;
    constexpr explicit rubbing_steps(mat<S, 3, 3> const& K, S const& xi = S(1)) noexcept : rub(K(1, 1), K(2, 1), K(2, 2)) {
        auto const stuck = K(0, 0) <= S(0);
        push = select(stuck, S(0), xi / select(stuck, S(1), K(0, 0)));
    }
};
/// solve_bounded for a constraint that presses and rubs: the push, then the friction under it, `sweeps` times. p and dp in N times `scale`.
template <class C, class S>
[[nodiscard]] constexpr vec<S, 3> solve_rubbing(int sweeps, C const& c, mat<S, 3, 3> const& K, rubbing_steps<S> const& steps, vec<S, 3> const& r, vec<S, 3> const& p, S const& lower, S const& upper,
                                                S const& scale, S const& xi) {
    vec<S, 3> dp{};
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        vec<S, 3> e = r + K * dp;
        S const next = clamp(p[0] + dp[0] - steps.push * e[0], lower, upper) - p[0];
        for (std::size_t i = 1; i < 3; ++i) e[i] = e[i] + K(i, 0) * (next - dp[0]);
        dp[0] = next;
        dp = rub(c, p + dp, xi * e[1], xi * e[2], steps.rub, scale) - p;
    }
    return dp;
}

}  // namespace detail

/// J_i^T p for each attachment of an entry, in their order (N and N m times whatever p is times). That of a generalized body is zero.
template <class E, class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr auto wrenches_of(E const& entry, mat<S, M, N> const& J, vec<S, M> const& p) {
    std::array<wrench<S>, attachments_t<typename E::constraint_type>::size> f;
    std::size_t k = 0;
    for_each_attachment(entry, [&](auto kind, auto at, std::uint32_t) { f[k++] = detail::pushed_by(kind, J, at, p); });
    return f;
}

}  // namespace sinew::inline v0
