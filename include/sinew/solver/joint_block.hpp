#pragma once
// Hinges, universal joints, welds, sliders and cylindrical joints of rigid bodies, as wide sweeps iterate on them: not their rows, but what these are made of, a third of the
// numbers. What a sweep over many joints waits for is to read them.
//
//   point     three rows:  u = (v_a + omega_a x r_a) - (v_b + omega_b x r_b)
//   along     rows of a direction n:  n . (v_a - v_b) + j_a . omega_a + j_b . omega_b
//   turns     rows of an axis j:  j . (omega_a - omega_b)
//
//   dp = -K^-1 u, softened;  f, t_a, t_b = J^T dp;  v_a += f / m_a,  omega_a += I_a^-1 t_a,  and so on b
//
// All are read off the joint's own Jacobian, row by row in this order.

#include <sinew/config/inlining.hpp>
#include <sinew/constraint/cylindrical.hpp>
#include <sinew/constraint/hinge.hpp>
#include <sinew/constraint/slider.hpp>
#include <sinew/constraint/universal.hpp>
#include <sinew/constraint/weld.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/solver/impulse_preparation.hpp>

namespace sinew::inline v0::detail {

/// How many rows of each kind a joint has.
template <std::size_t Point, std::size_t Along, std::size_t Turns>
struct rows_by_kind {
    static constexpr std::size_t point = Point, along = Along, turns = Turns;
};
template <class C>
struct joint_rows;
template <class S>
struct joint_rows<hinge_joint<S>> : rows_by_kind<3, 0, 2> {};
template <class S>
struct joint_rows<universal_joint<S>> : rows_by_kind<3, 0, 1> {};
template <class S>
struct joint_rows<weld_joint<S>> : rows_by_kind<3, 0, 3> {};
template <class S>
struct joint_rows<slider_joint<S>> : rows_by_kind<0, 2, 3> {};
template <class S>
struct joint_rows<cylindrical_joint<S>> : rows_by_kind<0, 2, 2> {};
template <class C>
inline constexpr bool has_joint_rows_v = requires { joint_rows<C>::turns; };

template <class C, class S>
struct joint_block {
    using kinds = joint_rows<C>;
    static constexpr std::size_t rows = rows_v<C>;
    static constexpr bool solves_at_once = true;
    static_assert(kinds::point + kinds::along + kinds::turns == rows);
    struct along_row {
        vec3<S> n{}, turn_a{}, turn_b{};
    };
    struct response {
        vec3<S> linear_a{}, angular_a{}, linear_b{}, angular_b{};
    };

    S impulse[rows]{};
    vec<S, rows> offset{};                       // -mass_scale K^-1 (the rate that feedback asks for)
    std::array<S, rows * (rows + 1) / 2> inverse{};  // K^-1, its lower half
    inverse_mass<S> mass_a{}, mass_b{};
    std::array<vec3<S>, kinds::point == 0 ? 0 : 2> arm{};
    std::array<along_row, kinds::along> along{};
    std::array<vec3<S>, kinds::turns> turn{};

    /// What the rows change by, of two bodies' velocities.
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr vec<S, rows> rates(vec3<S> const& va, vec3<S> const& wa, vec3<S> const& vb, vec3<S> const& wb) const noexcept {
        vec<S, rows> u;
        if constexpr (kinds::point > 0) {
            vec3<S> const at_point = (va + cross(wa, arm[0])) - (vb + cross(wb, arm[1]));
            for (std::size_t k = 0; k < 3; ++k) u[k] = at_point[k];
        }
        each_to(count_v<kinds::along>, [&](auto i) {
            auto const& x = along[i];
            u[kinds::point + i] = dot(x.n, va - vb) + (dot(x.turn_a, wa) + dot(x.turn_b, wb));
        });
        each_to(count_v<kinds::turns>, [&](auto i) { u[kinds::point + kinds::along + i] = dot(turn[i], wa - wb); });
        return u;
    }
    /// What impulses change of the velocities.
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr response pushed(vec<S, rows> const& dp) const noexcept {
        vec3<S> f{}, t{}, ta{}, tb{};
        if constexpr (kinds::point > 0) {
            f = {dp[0], dp[1], dp[2]};
            ta = cross(arm[0], f);
            tb = -cross(arm[1], f);
        }
        each_to(count_v<kinds::along>, [&](auto i) {
            S const p = dp[kinds::point + i];
            auto const& x = along[i];
            f = i == 0 && kinds::point == 0 ? x.n * p : f + x.n * p;
            ta = i == 0 && kinds::point == 0 ? x.turn_a * p : ta + x.turn_a * p;
            tb = i == 0 && kinds::point == 0 ? x.turn_b * p : tb + x.turn_b * p;
        });
        each_to(count_v<kinds::turns>, [&](auto i) {
            vec3<S> const by = turn[i] * dp[kinds::point + kinds::along + i];
            t = i == 0 ? by : t + by;
        });
        return {f * mass_a.linear, mass_a.angular * (ta + t), f * -mass_b.linear, mass_b.angular * (tb - t)};
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr vec<S, rows> divided(vec<S, rows> const& u) const noexcept {
        vec<S, rows> r;
        each_to(count_v<rows>, [&](auto i) {
            r[i] = tree_sum(count_v<0>, count_v<rows>, [&](auto j) { return inverse[i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j] * u[j]; });
        });
        return r;
    }
};

template <class Q, class P, class E, class Packed, class S>
[[gnu::flatten]] constexpr S prepare(P const& p, E const& e, joint_block<typename E::constraint_type, S>& b, Packed*, row_feedback<S> const& feedback, S const&, S const&) {
    using block = joint_block<typename E::constraint_type, S>;
    using kinds = typename block::kinds;
    constexpr std::size_t M = block::rows;
    auto const J = entry_jacobian(p, e);
    auto const part = [&](std::size_t row, std::size_t at) { return vec3<S>{J(row, at), J(row, at + 1), J(row, at + 2)}; };
    b.mass_a = p.inverse_masses[e.bodies[0]];
    b.mass_b = p.inverse_masses[e.bodies[1]];
    if constexpr (kinds::point > 0) {  // row i is r x e_i
        b.arm[0] = {J(1, 5), J(2, 3), J(0, 4)};
        b.arm[1] = -vec3<S>{J(1, 11), J(2, 9), J(0, 10)};
    }
    for (std::size_t i = 0; i < kinds::along; ++i) b.along[i] = {part(kinds::point + i, 0), part(kinds::point + i, 3), part(kinds::point + i, 9)};
    for (std::size_t i = 0; i < kinds::turns; ++i) b.turn[i] = part(kinds::point + kinds::along + i, 3);
    mat<S, M, M> K;
    for (std::size_t j = 0; j < M; ++j) {
        vec<S, M> one{};
        one[j] = S(1);
        auto const v = b.pushed(one);
        auto const column = b.rates(v.linear_a, v.angular_a, v.linear_b, v.angular_b);
        for (std::size_t i = j; i < M; ++i) K(i, j) = K(j, i) = column[i];
    }
    small_ldlt<S, M> const factors(K);
    for (std::size_t j = 0; j < M; ++j) {
        vec<S, M> one{};
        one[j] = S(1);
        auto const column = factors.solve(one);
        for (std::size_t i = j; i < M; ++i) b.inverse[i * (i + 1) / 2 + j] = column[i];
    }
    vec<S, M> const c = detail::call_with([&](auto const&... q) { return error_of(e.constraint, q...); }, poses_of(p, e));
    b.offset = -(b.divided(c) * (feedback.bias_rate * feedback.mass_scale));
    S worst = abs(c[0]);
    for (std::size_t i = 1; i < M; ++i) worst = max(worst, abs(c[i]));
    return worst;
}

template <class C, class S, class Packed>
SINEW_ALWAYS_INLINE constexpr void push_joint(joint_block<C, S> const& b, Packed* v, vec<S, rows_v<C>> const& dp) noexcept {
    auto const d = b.pushed(dp);
    for (std::size_t k = 0; k < 3; ++k) {
        v[0].e[k] = v[0].e[k] + d.linear_a[k];
        v[0].e[4 + k] = v[0].e[4 + k] + d.angular_a[k];
        v[1].e[k] = v[1].e[k] + d.linear_b[k];
        v[1].e[4 + k] = v[1].e[4 + k] + d.angular_b[k];
    }
}
template <class Q, class C, class S, class Packed>
[[gnu::flatten]] constexpr void warm_start(joint_block<C, S> const& b, Packed* v) noexcept {
    vec<S, rows_v<C>> p;
    for (std::size_t i = 0; i < rows_v<C>; ++i) p[i] = b.impulse[i];
    push_joint(b, v, p);
}
template <class Q, bool Soft, class C, class S, class Packed>
[[gnu::flatten]] constexpr void iterate(joint_block<C, S>& b, Packed* v, row_feedback<S> const& feedback) noexcept {
    auto const three = [&](std::size_t body, std::size_t at) { return vec3<S>{v[body].e[at], v[body].e[at + 1], v[body].e[at + 2]}; };
    auto const change = b.divided(b.rates(three(0, 0), three(0, 4), three(1, 0), three(1, 4)));
    vec<S, rows_v<C>> dp;
    each_to(count_v<rows_v<C>>, [&](auto i) {
        if constexpr (Soft)
            dp[i] = (b.offset[i] - b.impulse[i] * feedback.impulse_scale) - change[i] * feedback.mass_scale;
        else
            dp[i] = -change[i];
        b.impulse[i] = b.impulse[i] + dp[i];
    });
    push_joint(b, v, dp);
}

}  // namespace sinew::inline v0::detail
