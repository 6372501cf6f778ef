#pragma once
// What follows of the arms and directions of a manifold, and of the masses of its bodies: A, its inverse, and the steps of friction.
//
// Four points of a rigid body are redundant: A has rank 3. e, a small share of its diagonal, is left in; the sweeps take out what it keeps back. Along w, the
// pushes that move nothing, e is as large as A is elsewhere: their gaps are in a plane and ask for none of it, but for which of them are slack yet. By a small e
// a landing would share its push, and with it its friction, among the points by millionths of a metre.

#include <sinew/solver/contact_points.hpp>

namespace sinew::inline v0::detail {

// Gauss and Jordan on a positive definite matrix, in place: no pivots are sought. A pivot that is lost, of bodies that do not move, counts as
// without end.
template <class Q, class S>
[[gnu::always_inline]] constexpr void invert(S (&a)[4][4]) noexcept {
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
[[nodiscard, gnu::always_inline]] constexpr Q idle_pushes(contact_manifold<S> const& m, point_quads<Q> const& r) noexcept {
    alignas(quad_alignment_v<S>) S x[4], y[4];
    spread<Q>::load(m.tangent).along(r).store(x);
    spread<Q>::load(m.bitangent).along(r).store(y);
    auto const area = [&](std::size_t i, std::size_t j, std::size_t k) { return (x[j] - x[i]) * (y[k] - y[i]) - (x[k] - x[i]) * (y[j] - y[i]); };
    S const w[4] = {area(1, 2, 3), area(0, 3, 2), area(0, 1, 3), area(0, 2, 1)};
    S const largest = max(max(abs(w[0]), abs(w[1])), max(abs(w[2]), abs(w[3])));
    auto const some = m.live[3] && largest > S(0);
    return Q::of(w[0], w[1], w[2], w[3]) * Q::splat(select(some, S(1) / select(some, largest, S(1)), S(0)));
}
// A and its inverse and the steps of friction.
template <class Q, class S, class Mass>
[[gnu::flatten]] constexpr void prepare_points(contact_manifold<S>& m, mask_t<S> const& asks, Mass const& wa, Mass const& wb) noexcept {
    Q const n = Q::load(m.normal);
    auto const ra = point_quads<Q>::load(m.arm_a), rb = point_quads<Q>::load(m.arm_b);
    S const masses = wa.inverse_mass() + wb.inverse_mass();
    Q rows[4] = {Q::splat(masses), Q::splat(masses), Q::splat(masses), Q::splat(masses)};
    Q turning = Q::splat(S(0));
    Q coupled[2][4] = {{turning, turning, turning, turning}, {turning, turning, turning, turning}};
    auto const add = [&](point_quads<Q> const& r, Mass const& w) {
        auto const j = cross_each(n, r);  // r x n but for its sign
        Q const x = w.template row<Q>(0), y = w.template row<Q>(1), z = w.template row<Q>(2);
        point_quads<Q> const k{dot_each(x, j), dot_each(y, j), dot_each(z, j)};
        each_of<4>([&](auto at) {
            constexpr int l = static_cast<int>(at);
            rows[at] = rows[at] + (k.x * j.x.template all<l>() + (k.y * j.y.template all<l>() + k.z * j.z.template all<l>()));
        });
        for (int across = 0; across < 2; ++across) {
            auto const i = cross_each(Q::load(across == 0 ? m.tangent : m.bitangent), r);
            each_of<4>([&](auto at) {
                constexpr int l = static_cast<int>(at);
                coupled[across][at] = coupled[across][at] + (i.x * k.x.template all<l>() + (i.y * k.y.template all<l>() + i.z * k.z.template all<l>()));
            });
        }
        // Over three directions (r x e) . I^-1 (r x e) adds up to tr(I^-1) r.r - r . I^-1 r; less the one along n it is that of friction.
        point_quads<Q> const i{dot_each(x, r), dot_each(y, r), dot_each(z, r)};
        Q const trace = Q::splat(w.trace());
        turning = turning + (trace * (r.x * r.x + (r.y * r.y + r.z * r.z)) - (i.x * r.x + (i.y * r.y + i.z * r.z)) - (k.x * j.x + (k.y * j.y + k.z * j.z)));
    };
    // What moves in no lane adds nothing but zeros.
    if (m.moves[0]) add(ra, wa);
    if (m.moves[1]) add(rb, wb);
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
    Q const mask = Q::load(used), idle_push = idle_pushes(m, rb);
    S const size2 = (idle_push * idle_push).total().first();
    auto const is_redundant = size2 > S(0);
    S const firm = select(is_redundant, (m.response[0][0] + m.response[1][1] + m.response[2][2] + m.response[3][3]) / (S(4) * select(is_redundant, size2, S(1))), S(0));
    alignas(quad_alignment_v<S>) S w[4];
    idle_push.store(w);
    for (std::size_t i = 0; i < 4; ++i) {
        S const along_n = m.response[i][i] + m.softness[i];
        auto const stuck = along_n <= S(0);
        m.rub_step[i] = select(asks, select(m.live[i], step, S(0)), m.rub_step[i]);
        m.push_step[i] = select(asks, select(m.live[i] && !stuck, S(-1) / select(stuck, S(1), along_n), S(0)), m.push_step[i]);
        (rows[i] * (mask * Q::splat(used[i]))).store(inverse[i]);
        inverse[i][i] = select(m.live[i], m.response[i][i] * S(value_type_t<S>(1.02)) + m.softness[i], S(1));
        (Q::load(inverse[i]) + idle_push * Q::splat(firm * w[i])).store(inverse[i]);
    }
    invert<Q>(inverse);
    for (std::size_t i = 0; i < 4; ++i) put(asks, Q::load(inverse[i]) * (mask * Q::splat(-used[i])), m.inverse[i]);
}

/// Of a body whose inverse inertia is w in its own frame, and no multiple of the unit matrix: whether `turn` (rad, in the world) changes it in the world by more than would
/// matter to a rod 500 times as long as it is thick. That of a wheel stays as it is while it spins about its axle.
template <class S, class R>
[[nodiscard]] constexpr mask_t<S> turns_inertia(sym3<S> const& w, R const& rotation, vec3<S> const& turn) noexcept {
    S const most(value_type_t<S>(1e-6));
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
