#pragma once
// Two rigid bodies joined at a point, as wide sweeps iterate on it: no rows, but what they are made of. A third of the numbers of a hard_block, which a sweep over
// many joints waits for; where lanes are constraints, vectors of three need no quads.
//
//   u = (v_a + omega_a x r_a) - (v_b + omega_b x r_b)     dp = -K^-1 u, softened
//   v_a += dp / m_a,  omega_a += I_a^-1 (r_a x dp)        and against it on b

#include <sinew/config/inlining.hpp>
#include <sinew/solver/impulse_preparation.hpp>

namespace sinew::inline v0::detail {

template <class S>
struct point_block {
    static constexpr std::size_t rows = 3;
    static constexpr bool solves_at_once = true;
    S impulse[3]{};
    vec3<S> offset{};         // -mass_scale K^-1 (the rate that feedback asks for)
    sym3<S> effective_mass{};  // K^-1
    vec3<S> arm_a{}, arm_b{};
    inverse_mass<S> mass_a{}, mass_b{};
};

template <class Q, class P, class E, class Packed, class S>
[[gnu::flatten]] constexpr S prepare(P const& p, E const& e, point_block<S>& b, Packed*, row_feedback<S> const& feedback, S const&, S const&) {
    auto const &pose_a = p.bodies[e.bodies[0]].pose, &pose_b = p.bodies[e.bodies[1]].pose;
    b.arm_a = pose_a.direction(e.constraint.anchor_a);
    b.arm_b = pose_b.direction(e.constraint.anchor_b);
    b.mass_a = p.inverse_masses[e.bodies[0]];
    b.mass_b = p.inverse_masses[e.bodies[1]];
    vec3<S> const c = (pose_a.position + b.arm_a) - (pose_b.position + b.arm_b);
    // K is divided by the sum of 1/m: its determinant then stays near 1.
    S const masses = b.mass_a.linear + b.mass_b.linear;
    auto const fixed = masses <= S(0);
    S const scale = S(1) / select(fixed, S(1), masses);
    sym3<S> const K = scale * (point_response(b.mass_a, b.arm_a) + point_response(b.mass_b, b.arm_b));
    sym3<S> const cofactors{K.yy * K.zz - K.yz * K.yz, K.xx * K.zz - K.xz * K.xz, K.xx * K.yy - K.xy * K.xy,
                            K.xz * K.yz - K.xy * K.zz, K.xy * K.yz - K.xz * K.yy, K.xy * K.xz - K.xx * K.yz};
    S const determinant = K.xx * cofactors.xx + K.xy * cofactors.xy + K.xz * cofactors.xz;
    auto const lost = fixed || determinant <= S(0);
    b.effective_mass = select(lost, S(0), scale / select(lost, S(1), determinant)) * cofactors;
    b.offset = -(b.effective_mass * c) * (feedback.bias_rate * feedback.mass_scale);
    return max(max(abs(c[0]), abs(c[1])), abs(c[2]));
}

// v += W J^T dp
template <class S, class Packed>
SINEW_ALWAYS_INLINE constexpr void push_points(point_block<S> const& b, Packed* v, vec3<S> const& dp) noexcept {
    vec3<S> const turn_a = b.mass_a.angular * cross(b.arm_a, dp), turn_b = b.mass_b.angular * cross(b.arm_b, dp);
    for (std::size_t k = 0; k < 3; ++k) {
        v[0].e[k] = v[0].e[k] + b.mass_a.linear * dp[k];
        v[0].e[4 + k] = v[0].e[4 + k] + turn_a[k];
        v[1].e[k] = v[1].e[k] - b.mass_b.linear * dp[k];
        v[1].e[4 + k] = v[1].e[4 + k] - turn_b[k];
    }
}
template <class Q, class S, class Packed>
[[gnu::flatten]] constexpr void warm_start(point_block<S> const& b, Packed* v) noexcept {
    push_points(b, v, vec3<S>{b.impulse[0], b.impulse[1], b.impulse[2]});
}
template <class Q, bool Soft, class S, class Packed>
[[gnu::flatten]] constexpr void iterate(point_block<S>& b, Packed* v, row_feedback<S> const& feedback) noexcept {
    auto const linear = [&](std::size_t i) { return vec3<S>{v[i].e[0], v[i].e[1], v[i].e[2]}; };
    auto const angular = [&](std::size_t i) { return vec3<S>{v[i].e[4], v[i].e[5], v[i].e[6]}; };
    vec3<S> const u = (linear(0) + cross(angular(0), b.arm_a)) - (linear(1) + cross(angular(1), b.arm_b));
    vec3<S> const change = b.effective_mass * u;
    vec3<S> dp;
    for (std::size_t k = 0; k < 3; ++k) {
        if constexpr (Soft)
            dp[k] = (b.offset[k] - b.impulse[k] * feedback.impulse_scale) - change[k] * feedback.mass_scale;
        else
            dp[k] = -change[k];
        b.impulse[k] = b.impulse[k] + dp[k];
    }
    push_points(b, v, dp);
}

}  // namespace sinew::inline v0::detail
