#pragma once
// Two rigid bodies joined at a point, as an iteration on velocities wants them: J = (1, -[r]x), so that K is 1/m - [r]x I^-1 [r]x of both, and all of it a few cross products.
//
//   T_i = I^-1 (r x e_i)     columns of K: sum (e_i / m + T_i x r)     rows of -K^-1 J: k_i, r x k_i
//
// The arm of b is taken backwards, so that its rows are those of a. K is divided by the sum of 1/m: its determinant then stays near 1.
//
//   hard_block        as any other hard rows
//   point_in_threes   where there are no vectors for the scalar: the same sums in the same order, without what is zero in them

#include <sinew/config/inlining.hpp>
#include <sinew/constraint/point_to_point.hpp>
#include <sinew/math/traces.hpp>
#include <sinew/rotation/lane_poses.hpp>
#include <sinew/solver/impulse_block.hpp>

namespace sinew::inline v0::detail {

template <class C>
inline constexpr bool joins_points_v = false;
template <class S>
inline constexpr bool joins_points_v<point_to_point_between<S, rigid, rigid>> = true;

template <class Q, class S>
struct point_of_body {
    Q arm;
    S linear;  // 1/m
    Q turn[3];  // T_i

    constexpr point_of_body(inverse_mass<S> const& w, vec3<S> const& r) noexcept : arm(Q::of(r[0], r[1], r[2], S(0))), linear(w.linear) {
        auto const& I = w.angular;
        Q const x = Q::of(I.xx, I.xy, I.xz, S(0)), y = Q::of(I.xy, I.yy, I.yz, S(0)), z = Q::of(I.xz, I.yz, I.zz, S(0));
        Q const rx = Q::splat(r[0]), ry = Q::splat(r[1]), rz = Q::splat(r[2]);
        turn[0] = rz * y - ry * z;
        turn[1] = rx * z - rz * x;
        turn[2] = ry * x - rx * y;
        if constexpr (drops_traces_v<S>) {
            S const size = (I.xx + I.yy + I.zz) * (abs(r[0]) + abs(r[1]) + abs(r[2]));
            for (Q& t : turn) t = without_traces(t, size);
        }
    }
};
/// Two such bodies at the poses of now.
template <class Q, class S>
struct joined_point {
    point_of_body<Q, S> a, b;
    Q row[3];                 // k_i
    vec3<S> error;            // from b's anchor to a's, m

    template <class P, class E>
    SINEW_ALWAYS_INLINE static constexpr joined_point of(P const& p, E const& e) noexcept {
        std::uint32_t const ia = e.bodies[0], ib = e.bodies[1];
        return of(p.bodies[ia].pose, p.bodies[ib].pose, p.inverse_masses[ia], p.inverse_masses[ib], e.constraint.anchor_a, e.constraint.anchor_b);
    }
    template <class Pose>
    SINEW_ALWAYS_INLINE static constexpr joined_point of(Pose const& pose_a, Pose const& pose_b, inverse_mass<S> const& wa, inverse_mass<S> const& wb, vec3<S> const& anchor_a,
                                                            vec3<S> const& anchor_b) noexcept {
        vec3<S> const ra = pose_a.direction(anchor_a), rb = pose_b.direction(anchor_b);
        joined_point x{{wa, ra}, {wb, -rb}, {}, (pose_a.position + ra) - (pose_b.position + rb)};

        S const masses = x.a.linear + x.b.linear;
        auto const fixed = masses <= S(0);
        S const scale = select(fixed, S(0), S(1) / select(fixed, S(1), masses));
        Q const by_masses = Q::splat(scale);
        S const one = select(fixed, S(0), S(1));
        Q const unit[3] = {Q::of(one, S(0), S(0), S(0)), Q::of(S(0), one, S(0), S(0)), Q::of(S(0), S(0), one, S(0))};
        Q column[3];
        for (int i = 0; i < 3; ++i) column[i] = unit[i] + (cross_product(x.a.turn[i], x.a.arm) + cross_product(x.b.turn[i], x.b.arm)) * by_masses;
        if constexpr (drops_traces_v<S>)
            for (Q& k : column) k = without_traces(k, S(1));
        x.row[0] = cross_product(column[1], column[2]);
        x.row[1] = cross_product(column[2], column[0]);
        x.row[2] = cross_product(column[0], column[1]);
        S const determinant = (column[0] * x.row[0]).total().first();
        auto const lost = determinant <= S(0);
        Q const by = Q::splat(select(lost, S(0), -scale / select(lost, S(1), determinant)));
        for (int i = 0; i < 3; ++i) x.row[i] = x.row[i] * by;
        return x;
    }
    /// -K^-1 (error * push)
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q offset(S const& push) const noexcept {
        return row[0] * Q::splat(error[0] * push) + (row[1] * Q::splat(error[1] * push) + row[2] * Q::splat(error[2] * push));
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr S worst() const noexcept { return max(max(abs(error[0]), abs(error[1])), abs(error[2])); }
};
template <class Q, class P, class E, class S>
[[gnu::flatten]] constexpr S prepare_point(P const& p, E const& e, hard_block<typename E::constraint_type, S>& b, row_feedback<S> const& feedback) {
    auto const x = joined_point<Q, S>::of(p, e);
    Q const zero = Q::splat(S(0));
    S const ma = x.a.linear, mb = -x.b.linear;
    for (int i = 0; i < 3; ++i) {
        x.row[i].store(b.gather[i]);
        cross_product(x.a.arm, x.row[i]).store(b.gather[i] + 4);
        (zero - x.row[i]).store(b.gather[i] + 8);
        cross_product(x.b.arm, x.row[i]).store(b.gather[i] + 12);
        Q::of(i == 0 ? ma : S(0), i == 1 ? ma : S(0), i == 2 ? ma : S(0), S(0)).store(b.spread[i]);
        x.a.turn[i].store(b.spread[i] + 4);
        Q::of(i == 0 ? mb : S(0), i == 1 ? mb : S(0), i == 2 ? mb : S(0), S(0)).store(b.spread[i] + 8);
        x.b.turn[i].store(b.spread[i] + 12);
    }
    x.offset(feedback.bias_rate * feedback.mass_scale).store(b.offset);
    return x.worst();
}

/// Three rows, and what they change of velocities.
template <class S>
struct point_in_threes {
    static constexpr std::size_t rows = 3;
    struct row {
        array_three<S> k, about_a, about_b;  // of -K^-1 J:  k . (v_a - v_b) + about_a . omega_a + about_b . omega_b
        array_three<S> turn_a, turn_b;       // of a push of 1 along this axis
    };
    row of[3]{};
    S linear_a{}, linear_b{};  // 1/m
    S impulse[3]{};
    S offset[3]{};  // -mass_scale K^-1 (the rate that feedback asks for)
    std::array<std::uint32_t, 2> node{};
    std::array<bool, 2> moves{};

    /// V += B^T dp, of the bodies that move.
    template <class Packed>
    SINEW_ALWAYS_INLINE constexpr void push(Packed* bodies, S const (&dp)[3]) const noexcept {
        if (moves[0]) push_body(bodies[node[0]], dp, [&](std::size_t i) { return linear_a * dp[i]; }, [&](auto r) -> auto& { return of[r].turn_a; });
        if (moves[1]) push_body(bodies[node[1]], dp, [&](std::size_t i) { return -(linear_b * dp[i]); }, [&](auto r) -> auto& { return of[r].turn_b; });
    }

private:
    template <class Packed, class Linear, class Turn>
    SINEW_ALWAYS_INLINE static constexpr void push_body(Packed& body, S const (&dp)[3], Linear const& linear, Turn const& turn) noexcept {
        each_to(count_v<3>, [&](auto i) {
            body.e[i] = body.e[i] + linear(i);
            body.e[4 + i] = (body.e[4 + i] + turn(index<0>).e[i] * dp[0]) + (turn(index<1>).e[i] * dp[1] + turn(index<2>).e[i] * dp[2]);
        });
    }
    template <std::size_t I>
    static constexpr std::integral_constant<std::size_t, I> index{};
};
template <class P, class E, class S>
[[gnu::flatten]] constexpr S prepare_point(P const& p, E const& e, point_in_threes<S>& b, row_feedback<S> const& feedback) {
    auto const x = joined_point<array_three<S>, S>::of(p, e);
    b.linear_a = x.a.linear;
    b.linear_b = x.b.linear;
    for (int i = 0; i < 3; ++i) b.of[i] = {x.row[i], cross_product(x.a.arm, x.row[i]), cross_product(x.b.arm, x.row[i]), x.a.turn[i], x.b.turn[i]};
    x.offset(feedback.bias_rate * feedback.mass_scale).store(b.offset);
    return x.worst();
}
/// Two of them side by side, where a register takes the lanes of both: with the bits of one after the other.
template <class P, class E, class S>
[[gnu::flatten]] inline S prepare_two_points(P const& p, E const& e, E const& f, point_in_threes<S>& of_e, point_in_threes<S>& of_f, row_feedback<S> const& feedback, S const& worst) {
    using W = lane_pair_t<S>;
    using R = std::remove_cvref_t<decltype(p.bodies[0].pose.rotation)>;
    using both = pose<W, typename R::template rebind<W>>;
    constexpr std::size_t numbers = sizeof(pose<S, R>) / sizeof(S);
    static_assert(sizeof(inverse_mass<W>) == 7 * sizeof(W));
    both poses[2];
    inverse_mass<W> w[2];
    vec3<W> anchors[2];
    for (std::size_t body = 0; body < 2; ++body) {
        std::uint32_t const i = e.bodies[body], j = f.bodies[body];
        pair_numbers<numbers>(&p.bodies[i].pose.position.e[0], &p.bodies[j].pose.position.e[0], &poses[body].position.e[0]);
        pair_numbers<7>(&p.inverse_masses[i].linear, &p.inverse_masses[j].linear, &w[body].linear);
    }
    pair_numbers<3>(e.constraint.anchor_a.e, f.constraint.anchor_a.e, anchors[0].e);
    pair_numbers<3>(e.constraint.anchor_b.e, f.constraint.anchor_b.e, anchors[1].e);
    auto const x = joined_point<array_three<W>, W>::of(poses[0], poses[1], w[0], w[1], anchors[0], anchors[1]);
    auto const part = [](W const& from, S& a, S& b) {
        a = half_of<S, false>(from);
        b = half_of<S, true>(from);
    };
    auto const part_three = [&](array_three<W> const& from, array_three<S>& a, array_three<S>& b) {
        each_to(count_v<3>, [&](auto k) { part(from.e[k], a.e[k], b.e[k]); });
    };
    part(x.a.linear, of_e.linear_a, of_f.linear_a);
    part(x.b.linear, of_e.linear_b, of_f.linear_b);
    each_to(count_v<3>, [&](auto i) {
        auto &a = of_e.of[i], &b = of_f.of[i];
        part_three(x.row[i], a.k, b.k);
        part_three(cross_product(x.a.arm, x.row[i]), a.about_a, b.about_a);
        part_three(cross_product(x.b.arm, x.row[i]), a.about_b, b.about_b);
        part_three(x.a.turn[i], a.turn_a, b.turn_a);
        part_three(x.b.turn[i], a.turn_b, b.turn_b);
    });
    S const push = feedback.bias_rate * feedback.mass_scale;
    auto const offset = x.offset(side_by_side<W>(push, push));
    each_to(count_v<3>, [&](auto k) { part(offset.e[k], of_e.offset[k], of_f.offset[k]); });
    W const own = x.worst();
    return max(max(worst, half_of<S, false>(own)), half_of<S, true>(own));
}
template <class Q, class S, class Packed>
[[gnu::flatten]] constexpr void warm_start(point_in_threes<S> const& b, Packed* bodies) noexcept {
    b.push(bodies, b.impulse);
}
template <class Q, bool Soft, class S, class Packed>
[[gnu::flatten]] constexpr void iterate(point_in_threes<S>& b, Packed* bodies, [[maybe_unused]] row_feedback<S> const& feedback) noexcept {
    auto const &va = bodies[b.node[0]].e, &vb = bodies[b.node[1]].e;
    S change[3];
    each_to(count_v<3>, [&](auto r) {
        auto const& row = b.of[r];
        auto const along = [&](std::size_t i) {
            return (row.k.e[i] * va[i] + row.about_a.e[i] * va[4 + i]) + (row.about_b.e[i] * vb[4 + i] - row.k.e[i] * vb[i]);
        };
        S const p = b.impulse[r];
        S dp = (along(0) + along(2)) + (along(1) + S(0));
        if constexpr (Soft) dp = dp * feedback.mass_scale + (b.offset[r] - p * feedback.impulse_scale);
        b.impulse[r] = p + dp;
        change[r] = dp;
    });
    b.push(bodies, change);
}

}  // namespace sinew::inline v0::detail
