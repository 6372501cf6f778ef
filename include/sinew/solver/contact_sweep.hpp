#pragma once
// The iteration on the contacts of two bodies, in quantities of contact_manifold.hpp.
//
// One sweep: the push from the velocities that it finds, then friction from those after the push, known by the coupling of both; then both act.
// (Friction that did not know of the push would feed it: both then grow without end where a body is about to tip.)
//
//   p <- p - (A + e)^-1 (J_n v + bias),   or, where that would pull at a point, two sweeps of Gauss-Seidel over the points
//   q <- within the cone of (q - step J_t v)      step = 1 / (k (1/m_a + 1/m_b) + tr / 2),  k points, tr: trace of the angular part of J_t W J_t^T
//
// The step of friction is one for all points and both directions, so that what has given way opposes the slip (see friction_step). It converges:
// no eigenvalue of J_t W J_t^T is above twice 1 / step, as the whole is the sum of a part with eigenvalue k (1/m_a + 1/m_b) and one with trace tr.
//
// A hit comes in one substep, and is over in the next. So its push does not act again there, as that of what rests does: bodies that hang together would be
// thrown up by it, and its energy would come back. And as a sweep or two would leave most of the slip, and a spin, it gets more sweeps of its own
// (hit_sweeps of the strategy) until its friction is found. What was laid there and begins to weigh does not hit: its push goes on. It too gets sweeps of its
// own, while it still stands: a block on a slope would start to slide before its friction is found.

#include <sinew/config/inlining.hpp>
#include <sinew/solver/contact_preparation.hpp>

#include <utility>

namespace sinew::inline v0::detail {

// The impulses of single points, in the lanes `one`, act again.
template <class Q, class M, class Bodies>
SINEW_ALWAYS_INLINE constexpr void push_point_again(M& m, mask_t<typename M::scalar_type> const& one, Bodies const& bodies) noexcept {
    using V = vectors_of<Q, typename M::scalar_type>;
    auto v = bodies.template velocity<V>(m);
    V const f = V::load(m.normal) * V::splat(m.push[0]) + (V::load(m.tangent) * V::splat(m.rub[0][0]) + V::load(m.bitangent) * V::splat(m.rub[1][0]));
    push_where(one, m, bodies, v, [&] { v.push_point(m, f, bodies); });
}
// And those of several.
template <class Q, class M, class Bodies>
SINEW_ALWAYS_INLINE constexpr void push_points_again(M& m, mask_t<typename M::scalar_type> const& several, Bodies const& bodies) noexcept {
    using S = typename M::scalar_type;
    if (auto const asks = several && !m.is_ready; any(asks)) prepare<Q>(m, asks, bodies.mass(m, 0), bodies.mass(m, 1));
    Q const p = Q::load(m.push), q = Q::load(m.rub[0]), s = Q::load(m.rub[1]);
    auto v = bodies.template velocity<vectors_of<Q, S>>(m);
    push_where(several, m, bodies, v, [&] { v.push_points(m, p, q, s, bodies); });
}
/// The impulses that are there already act again.
template <class Q, class M, class Bodies>
[[gnu::flatten]] constexpr void push_again(M& m, Bodies const& bodies) noexcept {
    using S = typename M::scalar_type;
    m.gaps_known = false;  // the bodies have moved
    if constexpr (M::room == 1) {
        auto const touched = m.push[0] * m.push[0] + (m.rub[0][0] * m.rub[0][0] + m.rub[1][0] * m.rub[1][0]) > S(0);
        if (any(touched)) push_point_again<Q>(m, touched, bodies);
    } else {
        auto const square = [](S const(&x)[4]) { return Q::load(x) * Q::load(x); };
        auto const touched = any_below(Q::splat(S(0)), square(m.push) + (square(m.rub[0]) + square(m.rub[1])));
        if (!any(touched)) return;
        if (auto const one = touched && m.single; any(one)) push_point_again<Q>(m, one, bodies);
        if (auto const several = touched && m.several; any(several)) push_points_again<Q>(m, several, bodies);
    }
}

// Point by point, where a point would have to pull: two sweeps from p. What is kept of p, and the share of a step that is taken, by point.
template <class Q, class S>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q push_in_turn(contact_manifold<S> const& m, Q const& rate, Q const& along, Q const& keep, Q const& p) noexcept {
    Q const kept = keep * p, step = along * Q::load(m.push_step);
    Q now = rate;
    S changed[4]{};
    for (int sweep = 0; sweep < 2; ++sweep)
        each_of<4>([&](auto i) {
            constexpr int l = static_cast<int>(i);
            Q const row = Q::load(m.response[i]);  // and column
            S const start = p.template all<l>().first(), alone = now.template all<l>().first() - row.template all<l>().first() * changed[i];
            S const next = max(kept.template all<l>().first() + step.template all<l>().first() * alone, S(0)) - start;
            now = now + row * Q::splat(next - changed[i]);
            changed[i] = next;
        });
    return p + Q::of(changed[0], changed[1], changed[2], changed[3]);
}

// The same where squares are not to be trusted: in fixed point those of small impulses are 0 and those of large ones have no room.
template <class Friction, class S, class Q>
constexpr void cut_in_turn(Q const& most, Q& q, Q& s) noexcept {
    alignas(quad_alignment_v<S>) S bound[4], along[4], across[4];
    most.store(bound);
    q.store(along);
    s.store(across);
    for (std::size_t i = 0; i < 4; ++i) {
        if (all(abs(along[i]) + abs(across[i]) <= bound[i])) continue;
        auto const within = Friction::within(vec<S, 3>{S(0), along[i], across[i]}, bound[i]);
        along[i] = within[1];
        across[i] = within[2];
    }
    q = Q::load(along);
    s = Q::load(across);
}

// Friction cut to what the push allows.
template <class Friction, class Q, class S>
SINEW_ALWAYS_INLINE constexpr void cut(contact_manifold<S> const& m, Q const& p, Q& q, Q& s) noexcept {
    Q const mu = Q::load(m.friction);
    Q const most = Friction::is_lagged ? mu : mu * p;
    if constexpr (derivative_order_v<S> > 0) {
        alignas(quad_alignment_v<S>) S bound[4], along[4], across[4];
        most.store(bound);
        q.store(along);
        s.store(across);
        for (std::size_t i = 0; i < 4; ++i) cut_derivatives(bound[i], along[i], across[i]);
        q = Q::load(along);
        s = Q::load(across);
    }
    if constexpr (Friction::is_round && !floating_scalar<S>) {
        cut_in_turn<Friction, S>(most, q, s);
    } else if constexpr (Friction::is_round) {
        Q const size2 = q * q + s * s;
        if (any(any_below(most * most, size2))) {
            alignas(quad_alignment_v<S>) S bound[4], size[4];
            most.store(bound);
            size2.store(size);
            auto const scale = [&](std::size_t i) {
                auto const inside = size[i] <= bound[i] * bound[i];
                return select(inside, S(1), bound[i] / sqrt(select(inside, S(1), size[i])));
            };
            Q const k = Q::of(scale(0), scale(1), scale(2), scale(3));  // not through memory, which would wait for four stores
            q = q * k;
            s = s * k;
        }
    } else {
        Q const zero = Q::splat(S(0));
        q = larger(smaller(q, most), zero - most);
        s = larger(smaller(s, most), zero - most);
    }
}

// Rows times what each point is pushed.
template <class Q, class S>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q after_push(S const (&rows)[4][4], Q const& dp) noexcept {
    return (Q::load(rows[0]) * dp.template all<0>() + Q::load(rows[1]) * dp.template all<1>()) +
           (Q::load(rows[2]) * dp.template all<2>() + Q::load(rows[3]) * dp.template all<3>());
}

// Friction of one point cut to what the push allows.
template <class Friction, class S>
constexpr void cut(S const& mu, S const& p, S& q, S& s) noexcept {
    S const most = Friction::is_lagged ? mu : mu * p;
    auto const within = Friction::within(vec<S, 3>{p, q, s}, most);
    q = within[1];
    s = within[2];
}

// One sweep over manifolds of one point, as between balls: the quads hold directions here, not points.
template <class Quad, bool Soft, class Friction, class M, class Bodies>
[[gnu::flatten]] constexpr void iterate_point(M& m, mask_t<typename M::scalar_type> const& on, Bodies const& bodies, contact_feedback<typename M::scalar_type> const& feedback) noexcept {
    using S = typename M::scalar_type;
    using Q = vectors_of<Quad, S>;
    S const p = m.push[0], q = m.rub[0][0], s = m.rub[1][0];
    mask_t<S> who = on;
    if constexpr (!Soft && !Friction::is_lagged) {
        who = who && p > S(0);
        if (!any(who)) return;
    }
    auto v = bodies.template velocity<Q>(m);
    Q const zero = Q::splat(S(0)), n = Q::load(m.normal), t = Q::load(m.tangent), u = Q::load(m.bitangent);
    auto const at = [&](auto const& x) {
        Q const slip = x.at_point(m);
        return Q::sums(n * slip, t * slip, u * slip, zero);
    };
    Q const slip = at(v);
    S rate = slip.first() + m.softness[0] * p, keep(1), along(1), creep_t(0), creep_u(0);
    auto const is_soft = m.soft_rate > S(0);
    if (Soft || any(is_soft)) {
        constexpr bool keeps = Soft && (!has_lanes_v<S> || M::room == 1);  // other lanes may keep there what they are in several points
        S c, bias;
        if (!keeps || !m.gaps_known) {
            Q const shift = at(bodies.template moved<Q>(m));
            c = m.gap[0] + shift.first();
            bias = select(c > S(0), c * feedback.inverse_h, max(c * feedback.hard.bias_rate, -feedback.push_speed));
            creep_t = feedback.hard.bias_rate * (m.slip[0][0] + shift.template all<1>().first());
            creep_u = feedback.hard.bias_rate * (m.slip[1][0] + shift.template all<2>().first());
            if constexpr (keeps) {
                m.gap_now[0] = c;
                m.bias[0] = bias;
                m.creep[0][0] = creep_t;
                m.creep[1][0] = creep_u;
                m.gaps_known = true;
            }
        } else {
            c = m.gap_now[0];
            bias = m.bias[0];
            creep_t = m.creep[0][0];
            creep_u = m.creep[1][0];
        }
        if constexpr (Soft) {
            auto const slack = c > S(0);
            S const hard = rate + bias;
            auto const firm = is_soft || (slack && (m.is_struck() || rate < S(-1)));  // of a hit nothing is given back: what is fast would be through
            rate = select(is_soft, rate + c * m.soft_rate, hard);
            keep = select(firm, S(1), S(1) - feedback.hard.impulse_scale);
            along = select(firm, S(1), feedback.hard.mass_scale);
        } else {
            rate = select(is_soft, rate + c * m.soft_rate, rate);
        }
    }
    if constexpr (!Friction::is_lagged) {
        who = who && (p > S(0) || rate < S(0));
        if (!any(who)) return;  // apart, and not on its way
    }
    if (auto const asks = who && !m.is_ready; any(asks)) prepare<Quad>(m, asks, bodies.mass(m, 0), bodies.mass(m, 1));
    S next = max(keep * p + along * (m.inverse[0][0] * rate), S(0));
    if constexpr (!Soft) next = select(p > S(0), next, S(0));
    S const dp = next - p;
    S const slip_t = slip.template all<1>().first() + m.coupling[0][0][0] * dp - m.drive[0], slip_u = slip.template all<2>().first() + m.coupling[1][0][0] * dp - m.drive[1];
    S q1, s1;
    if constexpr (Soft) {
        S const share = m.rub_step[0] * feedback.hard.mass_scale, rest = S(1) - feedback.hard.impulse_scale;
        q1 = rest * q - share * (slip_t + creep_t);
        s1 = rest * s - share * (slip_u + creep_u);
        cut<Friction>(m.friction[0], select(next > S(0), max(p, next), S(0)), q1, s1);
    } else {
        q1 = q - m.rub_step[0] * slip_t;
        s1 = s - m.rub_step[0] * slip_u;
        cut<Friction>(m.friction[0], next, q1, s1);
    }
    m.push[0] = select(who, next, p);
    m.rub[0][0] = select(who, q1, q);
    m.rub[1][0] = select(who, s1, s);
    Q const f = n * Q::splat(dp) + (t * Q::splat(q1 - q) + u * Q::splat(s1 - s));
    push_where(who, m, bodies, v, [&] { v.push_point(m, f, bodies); });
}

/// One sweep over the points of one manifold, in the lanes `on`. Soft: with feedback of what has sunk in or crept. Without it, after the bodies have moved,
/// what does not push is left alone: it is not to be braked before the next forces, as a hit needs its speed.
template <class Q, bool Soft, class Friction, class M, class Bodies>
[[gnu::flatten]] constexpr void iterate_points(M& m, mask_t<typename M::scalar_type> const& on, Bodies const& bodies, contact_feedback<typename M::scalar_type> const& feedback) noexcept {
    using S = typename M::scalar_type;
    Q const zero = Q::splat(S(0)), one = Q::splat(S(1));
    mask_t<S> who = on, all_push = true;
    if constexpr (!Soft) {
        S const pushing = Q::choose(Q::load(m.push), one, zero).total().first();
        if constexpr (!Friction::is_lagged) {
            who = who && pushing > S(0);
            if (!any(who)) return;
        }
        all_push = !(pushing < m.points);
    }
    auto v = bodies.template velocity<vectors_of<Q, S>>(m);
    auto const is_soft = m.soft_rate > S(0);
    auto const slip = v.seen(m);
    Q rate = slip.template along<0, Q>(m);
    bool const any_soft = any(is_soft);
    if (any_soft) rate = rate + Q::load(m.softness) * Q::load(m.push);
    Q const fast = Q::splat(S(-1));
    mask_t<S> hits = false;
    bool any_hits = false;
    if (Soft || any_soft) {
        if (!Soft || !m.gaps_known) {
            auto const shift = bodies.template moved<vectors_of<Q, S>>(m).seen(m);
            Q const c = Q::load(m.gap) + shift.template along<0, Q>(m);
            [[maybe_unused]] Q const k = Q::splat(feedback.hard.bias_rate);
            c.store(m.gap_now);
            if constexpr (Soft) {
                // What is slack may go on until it is not.
                Q::choose(c, c * Q::splat(feedback.inverse_h), larger(c * k, Q::splat(-feedback.push_speed))).store(m.bias);
                (k * (Q::load(m.slip[0]) + shift.template along<1, Q>(m))).store(m.creep[0]);
                (k * (Q::load(m.slip[1]) + shift.template along<2, Q>(m))).store(m.creep[1]);
            }
            m.gaps_known = Soft;
        }
        read_again<S>();
        if constexpr (Soft) {
            hits = m.is_struck() || any_below(rate, fast);
            any_hits = any(hits);
            Q const hard = rate + Q::load(m.bias);
            rate = any_soft ? select_quad<S>(is_soft, rate + Q::load(m.gap_now) * m.template soft_rates<Q>(), hard) : hard;
        } else {
            rate = select_quad<S>(is_soft, rate + Q::load(m.gap_now) * m.template soft_rates<Q>(), rate);
        }
    }
    if constexpr (!Friction::is_lagged) {
        who = who && (any_below(rate, zero) || any_below(zero, Q::load(m.push)));
        if (!any(who)) return;  // apart, and not on their way: what could push has p = 0 and needs none
    }
    read_again<S>();
    if (auto const asks = who && !m.is_ready; any(asks)) prepare<Q>(m, asks, bodies.mass(m, 0), bodies.mass(m, 1));
    // What is kept of p, and the share of the change that is taken. Said when they are asked for: of numbers with lanes they would fill the registers until then.
    auto const keep_and_share = [&]() SINEW_ALWAYS_INLINE {
        if constexpr (Soft) {
            auto r = std::pair(Q::splat(S(1) - feedback.hard.impulse_scale), Q::splat(feedback.hard.mass_scale));  // of what is slack too: a point would go on pushing where nothing has sunk in
            if (any_hits) {  // but of a hit: what is fast would be through
                Q const c = Q::load(m.gap_now);
                r.first = select_quad<S>(hits, Q::choose(c, one, r.first), r.first);
                r.second = select_quad<S>(hits, Q::choose(c, one, r.second), r.second);
            }
            if (any_soft) {
                r.first = select_quad<S>(is_soft, one, r.first);
                r.second = select_quad<S>(is_soft, one, r.second);
            }
            return r;
        } else {
            return std::pair(one, Q::choose(Q::load(m.push), one, zero));
        }
    };
    Q const p = Q::load(m.push);
    Q change = after_push(m.inverse, rate);
    // Of a hard hit e would let through too much: what the push has left is taken back too. (Where not all push, they are asked in turn below.)
    if (auto const hard_hit = who && all_push && any_below(rate, fast); any(hard_hit)) {
        Q more = change;
        for (int again = 0; again < 2; ++again) more = more + after_push(m.inverse, rate + (after_push(m.response, more) + Q::load(m.softness) * more));
        change = select_quad<S>(hard_hit, more, change);
    }
    Q next = change + p;
    if constexpr (Soft) {
        auto const [keep, share] = keep_and_share();
        next = share * change + keep * p;
    }
    if (auto const in_turn = who && (!all_push || any_below(next, zero)); any(in_turn)) {
        auto const [keep, share] = keep_and_share();
        next = select_quad<S>(in_turn, push_in_turn(m, rate, share, keep, p), next);
    }
    read_again<S>();
    Q const dp = next - p;
    Q slip_t = slip.template along<1, Q>(m) + after_push(m.coupling[0], dp);
    Q slip_u = slip.template along<2, Q>(m) + after_push(m.coupling[1], dp);
    if (m.is_driven) {
        slip_t = slip_t - m.template drives<Q>(0);
        slip_u = slip_u - m.template drives<Q>(1);
    }
    read_again<S>();
    Q const step = Q::load(m.rub_step), q = Q::load(m.rub[0]), s = Q::load(m.rub[1]);
    Q q1, s1;
    if constexpr (Soft) {
        Q const share = step * Q::splat(feedback.hard.mass_scale), rest = Q::splat(S(1) - feedback.hard.impulse_scale * m.rub_give);
        q1 = rest * q - share * (slip_t + Q::load(m.creep[0]));
        s1 = rest * s - share * (slip_u + Q::load(m.creep[1]));
        cut<Friction>(m, Q::choose(next, larger(p, next), zero), q1, s1);  // what the spring gives back is not lost to the friction
    } else {
        q1 = q - step * slip_t;
        s1 = s - step * slip_u;
        cut<Friction>(m, next, q1, s1);
    }
    Q const dq = q1 - q, ds = s1 - s;
    if (!has_lanes_v<S> || all(who)) {
        next.store(m.push);
        q1.store(m.rub[0]);
        s1.store(m.rub[1]);
    } else {
        put(who, next, m.push);
        put(who, q1, m.rub[0]);
        put(who, s1, m.rub[1]);
    }
    push_where(who, m, bodies, v, [&] { v.push_points(m, dp, dq, ds, bodies); });
}

// Of several points: one sweep, and the further ones over what hits, and what begins to weigh: it has no other time to find its friction.
template <class Q, bool Soft, class Friction, class M, class Bodies>
constexpr void sweep_points(M& m, Bodies const& bodies, contact_feedback<typename M::scalar_type> const& feedback, int hit_sweeps) noexcept {
    using S = typename M::scalar_type;
    iterate_points<Q, Soft, Friction>(m, m.several, bodies, feedback);
    mask_t<S> who = m.several;
    if constexpr (Soft) {
        who = who && m.is_laid;
        if (!any(who)) return;
    }
    who = who && m.is_struck();
    if (!any(who)) return;
    S last = m.rubbing();
    for (int k = 0; k < hit_sweeps && any(who); ++k) {
        iterate_points<Q, Soft, Friction>(m, who, bodies, feedback);
        S const now = m.rubbing();
        // Where nothing rubs yet, what does by the least speed has all these sweeps.
        who = who && !(abs(now - last) <= now * S(value_type_t<S>(1e-3)) && (now > S(0) || !(m.friction[0] > S(0))));
        last = now;
    }
}
/// One sweep over a manifold, or some over one of several points.
template <class Q, bool Soft, class Friction, class M, class Bodies>
constexpr void sweep(M& m, Bodies const& bodies, contact_feedback<typename M::scalar_type> const& feedback, int hit_sweeps) noexcept {
    if constexpr (M::room == 1) {
        iterate_point<Q, Soft, Friction>(m, m.single, bodies, feedback);
    } else {
        if (any(m.single)) iterate_point<Q, Soft, Friction>(m, m.single, bodies, feedback);
        if (any(m.several)) sweep_points<Q, Soft, Friction>(m, bodies, feedback, hit_sweeps);
    }
}

}  // namespace sinew::inline v0::detail
