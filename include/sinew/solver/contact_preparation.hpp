#pragma once
// What follows of the arms and directions of a manifold, and of the masses of its bodies: A, its inverse, and the steps of friction.
//
// Four points of a rigid body are redundant: A has rank 3. e, a small share of its diagonal, is left in; the sweeps take out what it keeps back. Along w, the
// pushes that move nothing, e is as large as A is elsewhere: their gaps are in a plane and ask for none of it, but for which of them are slack yet. By a small e
// a landing would share its push, and with it its friction, among the points by millionths of a metre.

#include <sinew/config/inlining.hpp>
#include <sinew/solver/contact_points.hpp>

namespace sinew::inline v0::detail {

// Gauss and Jordan on a positive definite matrix, in place: no pivots are sought. A pivot that is lost, of bodies that do not move, counts as
// without end.
template <class Q, class S>
SINEW_ALWAYS_INLINE constexpr void invert(S (&a)[4][4]) noexcept {
    Q row[4] = {Q::load(a[0]), Q::load(a[1]), Q::load(a[2]), Q::load(a[3])};
    each_of<4>([&](auto k) {
        S const pivot = row[k].template all<static_cast<int>(k)>().first();
        auto const lost = pivot <= S(0);
        S const one = select(lost, S(0), S(1) / select(lost, S(1), pivot));
        Q const unit = Q::of(S(k == 0), S(k == 1), S(k == 2), S(k == 3)), others = Q::splat(S(1)) - unit;
        Q const pivot_row = row[k] * others * Q::splat(one) + unit * Q::splat(one);
        each_of<4>([&](auto i) {
            if constexpr (i != k) {
                Q const factor = row[i].template all<static_cast<int>(k)>();
                row[i] = row[i] * others - factor * pivot_row;
            }
        });
        row[k] = pivot_row;
    });
    for (std::size_t i = 0; i < 4; ++i) row[i].store(a[i]);
}

// e, a share of the diagonal. Three points in line, as under a capsule that is nearly laid down, have but e between their pushes and what no number could
// hold: e is to be more than the rounding of a pivot, which in Q15.16 is a part in a thousand and more.
template <class S>
inline constexpr double spare_share_v = has_small_squares_v<S> ? 0.02 : 0.125;

// What follows of one point alone.
template <class Q, class S, std::size_t Points, class Mass>
[[gnu::flatten]] constexpr void prepare_point(contact_manifold<S, Points>& m, mask_t<S> const& asks, Mass const& wa, Mass const& wb) noexcept {
    Q const n = Q::load(m.normal), t = Q::load(m.tangent), u = Q::load(m.bitangent);
    S const masses = wa.inverse_mass() + wb.inverse_mass();
    auto const turned = [&](Q const& r, Mass const& w) {  // of the push along n, t and u; and of all three directions together
        Q const k = turn_of(w, cross_product(r, n)), x = turn_of(w, r);
        Q const trace = Q::splat(w.trace());
        return Q::sums(cross_product(r, n) * k, cross_product(r, t) * k, cross_product(r, u) * k, r * (trace * r - x));
    };
    Q const sum = turned(first_of<Q>(m.arm_a), wa) + turned(first_of<Q>(m.arm_b), wb);
    S const along_n = sum.first(), push = masses + along_n + m.softness[0], rub = masses + (sum.template all<3>().first() - along_n) / S(2);
    auto const idle = push <= S(0), still = rub <= S(0);
    m.coupling[0][0][0] = select(asks, sum.template all<1>().first(), m.coupling[0][0][0]);
    m.coupling[1][0][0] = select(asks, sum.template all<2>().first(), m.coupling[1][0][0]);
    m.inverse[0][0] = select(asks, select(idle, S(0), S(-1) / select(idle, S(1), push)), m.inverse[0][0]);
    m.rub_step[0] = select(asks, select(still, S(0), S(1) / select(still, S(1), rub)), m.rub_step[0]);
}
// w: of four points the pushes that add up to no force and no torque, the largest 1; 0 where there are fewer, or all are in line.
template <class Q, class S>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q idle_pushes(contact_manifold<S> const& m) noexcept {
    auto const &x = m.arm_b[1], &y = m.arm_b[2];
    auto const area = [&](std::size_t i, std::size_t j, std::size_t k) { return (x[j] - x[i]) * (y[k] - y[i]) - (x[k] - x[i]) * (y[j] - y[i]); };
    S const w[4] = {area(1, 2, 3), area(0, 3, 2), area(0, 1, 3), area(0, 2, 1)};
    S const largest = max(max(abs(w[0]), abs(w[1])), max(abs(w[2]), abs(w[3])));
    auto const some = m.live[3] && largest > S(0);
    return Q::of(w[0], w[1], w[2], w[3]) * Q::splat(select(some, S(1) / select(some, largest, S(1)), S(0)));
}
// A and its inverse and the steps of friction.
template <class Q, class S, class Mass>
[[gnu::flatten]] constexpr void prepare_points(contact_manifold<S>& m, mask_t<S> const& asks, Mass const& wa, Mass const& wb) noexcept {
    using V = vectors_of<Q, S>;
    auto const frame = contact_frame<V>::of(m);
    S const masses = wa.inverse_mass() + wb.inverse_mass();
    Q rows[4] = {Q::splat(masses), Q::splat(masses), Q::splat(masses), Q::splat(masses)};
    Q turning = Q::splat(S(0));
    Q coupled[2][4] = {{turning, turning, turning, turning}, {turning, turning, turning, turning}};
    // r x n = (0, z, -y), r x t = (-z, 0, x) and r x u = (y, -x, 0) along n, t and u.
    auto const add = [&](S const(&r)[3][4], Mass const& w, S(&torque_turn)[3][4]) {
        V const along_n = turn_of(w, frame.n), along_t = turn_of(w, frame.t), along_u = turn_of(w, frame.u);
        put(asks, along_n, torque_turn[0]);
        put(asks, along_t, torque_turn[1]);
        put(asks, along_u, torque_turn[2]);
        V const about_n = frame.seen(along_n), about_t = frame.seen(along_t), about_u = frame.seen(along_u);
        Q const x = Q::load(r[0]), y = Q::load(r[1]), z = Q::load(r[2]);
        each_of<4>([&](auto at) {
            constexpr int l = static_cast<int>(at);
            V const k = about_t * for_all<l, V>(z) - about_u * for_all<l, V>(y);
            Q const k_n = for_all<0, Q>(k), k_t = for_all<1, Q>(k), k_u = for_all<2, Q>(k);
            rows[at] = rows[at] + (z * k_t - y * k_u);
            coupled[0][at] = coupled[0][at] + (x * k_u - z * k_n);
            coupled[1][at] = coupled[1][at] + (y * k_n - x * k_t);
        });
        // (r x t) . I^-1 (r x t) + (r x u) . I^-1 (r x u)
        Q const both = for_all<1, Q>(about_t) + for_all<2, Q>(about_u);
        turning = turning + (for_all<0, Q>(about_n) * (y * y + z * z) + x * (x * both - (y * for_all<1, Q>(about_n) + z * for_all<2, Q>(about_n)) * Q::splat(S(2))));
    };
    // What moves in no lane adds nothing but zeros.
    if (m.moves[0]) add(m.arm_a, wa, m.torque_turn[0]);
    if (m.moves[1]) add(m.arm_b, wb, m.torque_turn[1]);
    for (std::size_t i = 0; i < 4; ++i) {
        put(asks, rows[i], m.response[i]);
        put(asks, coupled[0][i], m.coupling[0][i]);
        put(asks, coupled[1][i], m.coupling[1][i]);
    }
    alignas(quad_alignment_v<S>) S share[4];
    turning.store(share);
    S rubbing = masses * m.points;
    for (std::size_t i = 0; i < 4; ++i) rubbing = select(m.live[i], rubbing + share[i] / S(2), rubbing);
    auto const idle = rubbing <= S(0);
    S const step = select(idle, S(0), S(1) / select(idle, S(1), rubbing));
    m.rub_give = select(asks, select(m.both_move, S(1), masses * m.points * step), m.rub_give);  // less of the spring's step, less given back: how far it bends does not depend on the size of the step

    // What no point stands for is left out: 1 on the diagonal and 0 beside it, and 0 in the inverse.
    alignas(quad_alignment_v<S>) S used[4], inverse[4][4];
    for (std::size_t i = 0; i < 4; ++i) used[i] = select(m.live[i], S(1), S(0));
    Q const mask = Q::load(used), idle_push = idle_pushes<Q>(m);
    S const size2 = (idle_push * idle_push).total().first();
    auto const is_redundant = size2 > S(0);
    S const firm = select(is_redundant, (m.response[0][0] + m.response[1][1] + m.response[2][2] + m.response[3][3]) / (S(4) * select(is_redundant, size2, S(1))), S(0));
    alignas(quad_alignment_v<S>) S w[4];
    idle_push.store(w);
    for (std::size_t i = 0; i < 4; ++i) {
        S const along_n = m.response[i][i] + m.softness[i];
        auto const stuck = along_n <= S(0);
        m.push_step[i] = select(asks, select(m.live[i] && !stuck, S(-1) / select(stuck, S(1), along_n), S(0)), m.push_step[i]);
        (rows[i] * (mask * Q::splat(used[i]))).store(inverse[i]);
        inverse[i][i] = select(m.live[i], m.response[i][i] * S(value_type_t<S>(1 + spare_share_v<S>)) + m.softness[i], S(1));
    }
    put(asks, Q::splat(step) * mask, m.rub_step);
    for (std::size_t i = 0; i < 4; ++i) (Q::load(inverse[i]) + idle_push * Q::splat(firm * w[i])).store(inverse[i]);
    invert<Q>(inverse);
    for (std::size_t i = 0; i < 4; ++i) put(asks, Q::load(inverse[i]) * (mask * Q::splat(-used[i])), m.inverse[i]);
}

/// (rad^2) A turn by which an inertia is seen to have turned.
inline constexpr double least_turn_of_inertia = 1e-6;
/// Of a body whose inverse inertia is w in its own frame, and no multiple of the unit matrix: whether `turn` (rad, in the world) changes it in the world by more than would
/// matter to a rod 500 times as long as it is thick. That of a wheel stays as it is while it spins about its axle.
template <class S, class R>
[[nodiscard]] constexpr mask_t<S> turns_inertia(sym3<S> const& w, R const& rotation, vec3<S> const& turn) noexcept {
    S const most = S(value_type_t<S>(least_turn_of_inertia));
    mask_t<S> turns = squared_norm(turn) > most;
    if constexpr (has_lanes_v<S>) turns = turns && !isotropic_lanes(w);
    if (!any(turns)) return turns;
    auto const same = [](S const& a, S const& b) -> mask_t<S> {
        mask_t<S> r = a == b;
        if constexpr (requires { a.v + a.d[0]; })  // derivatives must not differ either
            for (std::size_t i = 0; i < S::lanes; ++i) r = r && a.d[i] == b.d[i];
        return r;
    };
    S const zero(0);
    mask_t<S> const principal = same(w.xy, zero) && same(w.xz, zero) && same(w.yz, zero);
    mask_t<S> const about_x = principal && same(w.yy, w.zz), about_y = principal && same(w.zz, w.xx), about_z = principal && same(w.xx, w.yy), has_axle = about_x || about_y || about_z;
    if (!any(turns && has_axle)) return turns;
    vec3<S> const own = inverse_rotate(rotation, turn);
    vec3<S> const across{select(about_x, zero, own[0]), select(about_y, zero, own[1]), select(about_z, zero, own[2])};
    turns = turns && (!has_axle || squared_norm(across) > most);
    return turns;
}

/// What follows from arms and directions, in the lanes that ask for it for the first time.
template <class Q, class S, std::size_t Points, class Mass>
[[gnu::noinline]] constexpr void prepare(contact_manifold<S, Points>& m, mask_t<S> const& asks, Mass const& wa, Mass const& wb) noexcept {
    m.is_ready = m.is_ready || asks;
    if constexpr (Points > 1)
        if (auto const several = asks && m.several; any(several)) prepare_points<Q>(m, several, wa, wb);
    if (auto const single = asks && m.single; any(single)) prepare_point<Q>(m, single, wa, wb);
}

}  // namespace sinew::inline v0::detail
