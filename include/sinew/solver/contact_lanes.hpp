#pragma once
// The contacts of contact_block.hpp where the scalar has lanes: in each other points push, stick or are not there. The same sweeps with the same numbers in
// the same order, so that a lane has the bits of a world that is alone; what is decided there by `if` is a mask here, and what it keeps from acting is put back.
//
//   who     lanes that a sweep is for: the others keep impulses and velocities, to the sign of a zero
//   single, several     lanes with one point, whose arithmetic is that of iterate_point there, and with more

#include <sinew/solver/contact_block.hpp>

namespace sinew::inline v0::detail {

template <class S>
struct lane_manifold : contact_manifold<S> {
    using mask = mask_t<S>;
    mask live[4]{false, false, false, false};
    mask single = false, several = false, ready = false, laid = false;
    S points{};
    S shift[3][4]{};  // how far the points have moved against each other since the step began, along n, t and u
    bool shift_known = false;  // at the poses of now
    S still[3][4]{};  // speed of the points of the body that stands: zeros, with the signs that they have as products

    [[nodiscard]] constexpr mask struck() const noexcept { return this->pushing() > this->last + this->last; }
    [[nodiscard]] constexpr S lasting_share() const noexcept { return select(struck() && !laid, this->last / this->pushing(), S(1)); }
    constexpr void make_anew(mask const& turned) noexcept { ready = ready && !turned; }
    constexpr void end_hit() noexcept {
        S const now = this->pushing();
        auto const hit = struck() && !laid;
        if (any(hit)) {
            S const share = this->last / now;
            for (S* row : {this->push, this->rub[0], this->rub[1]})
                for (std::size_t i = 0; i < 4; ++i) row[i] = select(hit, row[i] * share, row[i]);
        }
        this->last = now;
        laid = laid && !(now > S(0));
    }
};

template <class S>
[[nodiscard, gnu::always_inline]] constexpr array_quad<S> select_quad(mask_t<S> const& on, array_quad<S> const& a, array_quad<S> const& b) noexcept {
    return {{select(on, a.e[0], b.e[0]), select(on, a.e[1], b.e[1]), select(on, a.e[2], b.e[2]), select(on, a.e[3], b.e[3])}};
}
// Velocity, or twist, of the body that moves, the other being the ground: what twist_pair has, with the same bits, without the products that are zero.
// MovesB: it is the second body.
template <class Q, bool MovesB>
struct twist_over_ground {
    Q v, w;
    template <class Packed>
    [[nodiscard, gnu::always_inline]] static constexpr twist_over_ground load(Packed const& m) noexcept {
        return {Q::load(m.e), Q::load(m.e + 4)};
    }
    // Of b against a.
    [[nodiscard, gnu::always_inline]] static constexpr Q against(Q const& mine, Q const& ground) noexcept { return MovesB ? mine - ground : ground - mine; }
    template <class S>
    [[nodiscard, gnu::always_inline]] constexpr point_quads<Q> at(point_quads<Q> const& r, S const (&still)[3][4]) const noexcept {
        Q const d = against(v, Q::splat(S(0)));
        auto const c = cross_each(w, r);
        return {d.template all<0>() + against(c.x, Q::load(still[0])), d.template all<1>() + against(c.y, Q::load(still[1])), d.template all<2>() + against(c.z, Q::load(still[2]))};
    }
    template <class S>
    [[gnu::always_inline]] constexpr void push(Q const& force, Q const& torque, packed_mass<S> const& mass) noexcept {
        v = MovesB ? v + force * Q::load(mass.linear) : v - force * Q::load(mass.linear);
        w = MovesB ? w + turn_of(mass, torque) : w - turn_of(mass, torque);
    }
};

// The lanes that are meant, into memory.
template <class Q, class S>
[[gnu::always_inline]] constexpr void put(mask_t<S> const& on, Q const& q, S* to) noexcept {
    for (std::size_t i = 0; i < 4; ++i) to[i] = select(on, q.e[i], to[i]);
}
template <class M, class Q, bool MovesB, class Packed>
[[gnu::always_inline]] constexpr void put(M const& on, twist_over_ground<Q, MovesB> const& v, Packed& body) noexcept {
    put(on, v.v, body.e);
    put(on, v.w, body.e + 4);
}

template <class Q, class S>
constexpr void prepare(lane_manifold<S>& m, mask_t<S> const& asks, packed_mass<S> const& wa, packed_mass<S> const& wb) noexcept;

template <class Q, bool MovesB, class S, class Packed>
[[gnu::flatten]] constexpr void warm_start_of(lane_manifold<S>& m, Packed& body, packed_mass<S> const& mass) noexcept {
    Q const p = Q::load(m.push), q = Q::load(m.rub[0]), s = Q::load(m.rub[1]), zero = Q::splat(S(0));
    auto const touched = (p * p + (q * q + s * s)).total().first() > S(0), one = touched && m.single, more = touched && m.several;
    auto const& arm = MovesB ? m.arm_b : m.arm_a;
    if (any(one)) {
        auto v = twist_over_ground<Q, MovesB>::load(body);
        Q const f = Q::load(m.normal) * p.template all<0>() + (Q::load(m.tangent) * q.template all<0>() + Q::load(m.bitangent) * s.template all<0>());
        v.push(f, cross_product(Q::of(arm[0][0], arm[1][0], arm[2][0], S(0)), f), mass);
        put(one, v, body);
    }
    if (any(more)) {
        auto v = twist_over_ground<Q, MovesB>::load(body);
        auto const r = point_quads<Q>::load(arm);
        auto const n = spread<Q>::load(m.normal), t = spread<Q>::load(m.tangent), u = spread<Q>::load(m.bitangent);
        point_quads<Q> const f{n.x * p + (t.x * q + u.x * s), n.y * p + (t.y * q + u.y * s), n.z * p + (t.z * q + u.z * s)};
        v.push(Q::sums(f.x, f.y, f.z, zero), torque_of(r, f, zero), mass);
        put(more, v, body);
    }
}
template <class Q, class S, class Packed>
constexpr void warm_start(lane_manifold<S>& m, Packed* bodies, packed_mass<S> const* masses) noexcept {
    m.shift_known = false;  // the bodies have moved
    if (m.moves[1])
        warm_start_of<Q, true>(m, bodies[m.node[1]], masses[m.node[1]]);
    else
        warm_start_of<Q, false>(m, bodies[m.node[0]], masses[m.node[0]]);
}

template <class Q, bool Soft, bool MovesB, class Friction, class S, class Packed>
[[gnu::flatten]] constexpr void iterate_point(lane_manifold<S>& m, mask_t<S> const& on, Packed& body, Packed const& moved, packed_mass<S> const* masses, contact_feedback<S> const& feedback) noexcept {
    S const p = m.push[0], q = m.rub[0][0], s = m.rub[1][0];
    mask_t<S> who = on;
    if constexpr (!Soft && !Friction::is_lagged) {
        who = who && p > S(0);
        if (!any(who)) return;
    }
    using motion = twist_over_ground<Q, MovesB>;
    auto v = motion::load(body);
    Q const zero = Q::splat(S(0)), n = Q::load(m.normal), t = Q::load(m.tangent), u = Q::load(m.bitangent);
    auto const& arm = MovesB ? m.arm_b : m.arm_a;
    Q const r = Q::of(arm[0][0], arm[1][0], arm[2][0], S(0)), still = Q::of(m.still[0][0], m.still[1][0], m.still[2][0], S(0));
    auto const at = [&](motion const& x) {
        Q const slip = motion::against(x.v, zero) + motion::against(cross_product(x.w, r), still);
        return Q::sums(n * slip, t * slip, u * slip, zero);
    };
    Q const slip = at(v);
    S rate = slip.first() + m.softness[0] * p, keep(1), along(1), creep_t(0), creep_u(0);
    auto const is_soft = m.soft_rate > S(0);
    if (Soft || any(is_soft)) {
        Q const d = at(motion::load(moved));
        S const c = m.gap[0] + d.first();
        if constexpr (Soft) {
            auto const slack = c > S(0);
            S const hard = rate + select(slack, c * feedback.inverse_h, max(c * feedback.hard.bias_rate, -feedback.push_speed));
            rate = select(is_soft, rate + c * m.soft_rate, hard);
            keep = select(is_soft || slack, S(1), S(1) - feedback.hard.impulse_scale);
            along = select(is_soft || slack, S(1), feedback.hard.mass_scale);
            creep_t = feedback.hard.bias_rate * (m.slip[0][0] + d.template all<1>().first());
            creep_u = feedback.hard.bias_rate * (m.slip[1][0] + d.template all<2>().first());
        } else {
            rate = select(is_soft, rate + c * m.soft_rate, rate);
        }
    }
    if constexpr (!Friction::is_lagged) {
        who = who && (p > S(0) || rate < S(0));
        if (!any(who)) return;
    }
    if (auto const asks = who && !m.ready; any(asks)) prepare<Q>(m, asks, masses[m.node[0]], masses[m.node[1]]);
    S next = max(keep * p + along * (m.inverse[0][0] * rate), S(0));
    if constexpr (!Soft) next = select(p > S(0), next, S(0));
    S const dp = next - p;
    S const slip_t = slip.template all<1>().first() + m.coupling[0][0][0] * dp - m.drive[0], slip_u = slip.template all<2>().first() + m.coupling[1][0][0] * dp - m.drive[1];
    S q1, s1;
    if constexpr (Soft) {
        S const share = m.rub_step[0] * feedback.hard.mass_scale, rest = S(1) - feedback.rub_give;
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
    v.push(f, cross_product(r, f), masses[m.node[MovesB]]);
    put(who, v, body);
}

template <class Q, bool Soft, bool MovesB, class Friction, class S, class Packed>
[[gnu::flatten]] constexpr void iterate_points(lane_manifold<S>& m, mask_t<S> const& on, Packed& body, Packed const& moved, packed_mass<S> const* masses, contact_feedback<S> const& feedback) noexcept {
    using motion = twist_over_ground<Q, MovesB>;
    auto v = motion::load(body);
    auto const r = point_quads<Q>::load(MovesB ? m.arm_b : m.arm_a);
    auto const n = spread<Q>::load(m.normal), t = spread<Q>::load(m.tangent), u = spread<Q>::load(m.bitangent);
    Q const zero = Q::splat(S(0)), one = Q::splat(S(1));
    auto const is_soft = m.soft_rate > S(0);
    Q const p = Q::load(m.push), q = Q::load(m.rub[0]), s = Q::load(m.rub[1]);
    mask_t<S> who = on, all_push = true;
    if constexpr (!Soft) {
        S const pushing = Q::choose(p, one, zero).total().first();
        if constexpr (!Friction::is_lagged) {
            who = who && pushing > S(0);
            if (!any(who)) return;
        }
        all_push = !(pushing < m.points);
    }
    auto const slip = v.at(r, m.still);
    Q rate = n.along(slip) + Q::load(m.softness) * p, keep = one, along = one;
    Q creep_t = zero, creep_u = zero;
    if (Soft || any(is_soft)) {
        if (!Soft || !m.shift_known) {
            auto const d = motion::load(moved).at(r, m.still);
            n.along(d).store(m.shift[0]);
            t.along(d).store(m.shift[1]);
            u.along(d).store(m.shift[2]);
            m.shift_known = Soft;
        }
        Q const c = Q::load(m.gap) + Q::load(m.shift[0]);
        if constexpr (Soft) {
            Q const hard = rate + (larger(c, zero) * Q::splat(feedback.inverse_h) + larger(smaller(c, zero) * Q::splat(feedback.hard.bias_rate), Q::splat(-feedback.push_speed)));
            keep = Q::choose(c, one, Q::splat(S(1) - feedback.hard.impulse_scale));
            along = Q::choose(c, one, Q::splat(feedback.hard.mass_scale));
            if (any(is_soft)) {
                rate = select_quad(is_soft, rate + c * Q::splat(m.soft_rate), hard);
                keep = select_quad(is_soft, one, keep);
                along = select_quad(is_soft, one, along);
            } else {
                rate = hard;
            }
            Q const k = Q::splat(feedback.hard.bias_rate);
            creep_t = k * (Q::load(m.slip[0]) + Q::load(m.shift[1]));
            creep_u = k * (Q::load(m.slip[1]) + Q::load(m.shift[2]));
        } else {
            rate = select_quad(is_soft, rate + c * Q::splat(m.soft_rate), rate);
        }
    }
    if constexpr (!Soft) along = Q::choose(p, one, zero);
    if constexpr (!Friction::is_lagged) {
        who = who && smaller(rate, zero - p).total().first() < S(0);
        if (!any(who)) return;
    }
    if (auto const asks = who && !m.ready; any(asks)) prepare<Q>(m, asks, masses[m.node[0]], masses[m.node[1]]);
    Q change = after_push(m.inverse, rate);
    auto const hard_hit = who && smaller(rate + one, zero).total().first() < S(0);
    if (any(hard_hit)) {
        Q more = change;
        for (int again = 0; again < 2; ++again) more = more + after_push(m.inverse, rate + (after_push(m.response, more) + Q::load(m.softness) * more));
        change = select_quad(hard_hit, more, change);
    }
    Q next = Soft ? along * change + keep * p : change + p;
    auto const in_turn = who && (!all_push || smaller(next, zero).total().first() < S(0));
    if (any(in_turn)) next = select_quad(in_turn, push_in_turn(m, rate, along, keep, p), next);
    Q const dp = next - p;
    Q const slip_t = t.along(slip) + after_push(m.coupling[0], dp) - Q::splat(m.drive[0]), slip_u = u.along(slip) + after_push(m.coupling[1], dp) - Q::splat(m.drive[1]);
    Q const step = Q::load(m.rub_step);
    Q q1, s1;
    if constexpr (Soft) {
        Q const share = step * Q::splat(feedback.hard.mass_scale), rest = Q::splat(S(1) - feedback.rub_give * m.rub_give);
        q1 = rest * q - share * (slip_t + creep_t);
        s1 = rest * s - share * (slip_u + creep_u);
        cut<Friction>(m, Q::choose(next, larger(p, next), zero), q1, s1);
    } else {
        q1 = q - step * slip_t;
        s1 = s - step * slip_u;
        cut<Friction>(m, next, q1, s1);
    }
    put(who, next, m.push);
    put(who, q1, m.rub[0]);
    put(who, s1, m.rub[1]);
    Q const dq = q1 - q, ds = s1 - s;
    point_quads<Q> const f{n.x * dp + (t.x * dq + u.x * ds), n.y * dp + (t.y * dq + u.y * ds), n.z * dp + (t.z * dq + u.z * ds)};
    v.push(Q::sums(f.x, f.y, f.z, zero), torque_of(r, f, zero), masses[m.node[MovesB]]);
    put(who, v, body);
}

template <class Q, bool Soft, bool MovesB, class Friction, class S, class Packed>
constexpr void sweep_lanes_over(lane_manifold<S>& m, Packed& body, Packed const& moved, packed_mass<S> const* masses, contact_feedback<S> const& feedback, int hit_sweeps) noexcept {
    if (any(m.single)) iterate_point<Q, Soft, MovesB, Friction>(m, m.single, body, moved, masses, feedback);
    if (!any(m.several)) return;
    iterate_points<Q, Soft, MovesB, Friction>(m, m.several, body, moved, masses, feedback);
    auto who = m.several && m.struck();
    if constexpr (Soft) who = who && m.laid;
    if (!any(who)) return;
    S last = m.rubbing();
    for (int k = 0; k < hit_sweeps && any(who); ++k) {
        iterate_points<Q, Soft, MovesB, Friction>(m, who, body, moved, masses, feedback);
        S const now = m.rubbing();
        who = who && !(abs(now - last) <= now * S(value_type_t<S>(1e-3)));
        last = now;
    }
}
/// One sweep over a manifold, in each lane over what points it has there; and the further ones over what is hit.
template <class Q, bool Soft, class Friction, class S, class Packed>
constexpr void sweep_lanes(lane_manifold<S>& m, Packed* bodies, Packed const* moved, packed_mass<S> const* masses, contact_feedback<S> const& feedback, int hit_sweeps) noexcept {
    if (m.moves[1])
        sweep_lanes_over<Q, Soft, true, Friction>(m, bodies[m.node[1]], moved[m.node[1]], masses, feedback, hit_sweeps);
    else
        sweep_lanes_over<Q, Soft, false, Friction>(m, bodies[m.node[0]], moved[m.node[0]], masses, feedback, hit_sweeps);
}

/// `gather` for the entries of one pair of colliders. How many.
template <class Q, class P, class Entries, class S, class Packed>
[[nodiscard, gnu::flatten]] constexpr std::size_t gather(P const& p, Entries const& entries, std::size_t first, S const& h, S const& warm_start, packed_axes<S> const* axes, Packed const* bodies, lane_manifold<S>& m) {
    auto const& e = entries[first];
    auto const& c = e.constraint;
    using friction_type = typename std::remove_cvref_t<decltype(c)>::friction_type;
    std::uint32_t const a = e.bodies[0], b = e.bodies[1];
    m.node = {a, b};
    m.points = S(0);
    m.ready = false;
    m.shift_known = false;
    m.moves = {p.masses[a].movable, p.masses[b].movable};
    vec3<S> const n = c.normal, t = c.tangent, u = c.bitangent();
    Q const zero = Q::splat(S(0)), nq = Q::of(n[0], n[1], n[2], S(0)), tq = Q::of(t[0], t[1], t[2], S(0)), uq = Q::of(u[0], u[1], u[2], S(0));
    nq.store(m.normal);
    tq.store(m.tangent);
    uq.store(m.bitangent);
    m.drive[0] = dot(t, c.surface_velocity);
    m.drive[1] = dot(u, c.surface_velocity);
    m.is_driven = any(m.drive[0] != S(0)) || any(m.drive[1] != S(0));
    S const alpha = c.softness, lag = h + alpha * c.soft_damping;
    auto const soft = alpha > S(0);
    m.soft_rate = select(soft, S(1) / lag, S(0));
    vec3<S> const apart = p.bodies[b].pose.position - p.bodies[a].pose.position;
    Q const between = Q::of(apart[0], apart[1], apart[2], S(0));
    std::size_t k = 0;
    for (; k < 4 && first + k < entries.size(); ++k) {
        auto const& x = entries[first + k];
        auto const& y = x.constraint;
        if (k > 0 && y.presence.place == 0) break;
        auto const here = y.presence.here;
        m.live[k] = here;
        m.points = m.points + select(here, S(1), S(0));
        Q const ra = axes[a].template direction<Q>(y.anchor_a), rb = axes[b].template direction<Q>(y.anchor_b);
        Q const d = between + (rb - ra);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            m.arm_a[axis][k] = select(here, ra.e[axis], S(0));
            m.arm_b[axis][k] = select(here, rb.e[axis], S(0));
        }
        Q const across = d + Q::of(y.slip[0], y.slip[1], y.slip[2], S(0));
        Q const error = Q::sums(nq * d, tq * across, uq * across, zero);
        m.gap[k] = select(here, error.first(), S(0));
        m.slip[0][k] = select(here, error.template all<1>().first(), S(0));
        m.slip[1][k] = select(here, error.template all<2>().first(), S(0));
        m.friction[k] = select(here, friction_type::is_lagged ? y.friction() * y.pressing * h : y.friction(), S(0));
        m.softness[k] = select(here && soft, alpha / (h * lag), S(0));
        S const scale = h * warm_start;
        m.push[k] = select(here, max(x.lambda[0], S(0)) * scale, S(0));
        auto const same = y.tangent[0] == t[0] && y.tangent[1] == t[1] && y.tangent[2] == t[2];
        vec3<S> const f = y.tangent * (x.lambda[1] * scale) + y.bitangent() * (x.lambda[2] * scale);
        m.rub[0][k] = select(here, select(same, x.lambda[1] * scale, dot(t, f)), S(0));
        m.rub[1][k] = select(here, select(same, x.lambda[2] * scale, dot(u, f)), S(0));
    }
    for (std::size_t i = k; i < 4; ++i) {
        m.live[i] = false;
        for (S* row : {m.gap, m.slip[0], m.slip[1], m.friction, m.softness, m.push, m.rub[0], m.rub[1]}) row[i] = S(0);
        for (std::size_t axis = 0; axis < 3; ++axis) m.arm_a[axis][i] = m.arm_b[axis][i] = S(0);
    }
    m.single = m.points == S(1);
    m.several = m.points > S(1);
    for (std::size_t i = 1; i < 4; ++i) {
        auto const spare = m.several && !m.live[i];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            m.arm_a[axis][i] = select(spare, m.arm_a[axis][0], m.arm_a[axis][i]);
            m.arm_b[axis][i] = select(spare, m.arm_b[axis][0], m.arm_b[axis][i]);
        }
        m.gap[i] = select(spare, m.gap[0], m.gap[i]);
    }
    auto const still = cross_each(zero, point_quads<Q>::load(m.moves[1] ? m.arm_a : m.arm_b));
    still.x.store(m.still[0]);
    still.y.store(m.still[1]);
    still.z.store(m.still[2]);
    m.count = static_cast<std::uint8_t>(k);
    m.last = m.pushing();
    auto const velocities = twist_pair<Q>::load(bodies[a], bodies[b]);
    Q const rate = spread<Q>::load(m.normal).along(velocities.at(point_quads<Q>::load(m.arm_a), point_quads<Q>::load(m.arm_b)));
    m.laid = m.several && !(m.last > S(0)) && !(smaller(rate + Q::splat(S(value_type_t<S>(1e-2))), zero).total().first() < S(0));
    return k;
}
template <class Entries, class S>
constexpr void give(lane_manifold<S> const& m, Entries const& entries, S const& scale) {
    vec3<S> const t{m.tangent[0], m.tangent[1], m.tangent[2]}, u{m.bitangent[0], m.bitangent[1], m.bitangent[2]};
    for (std::size_t k = 0; k < m.count; ++k) {
        auto& e = entries[m.first + k];
        auto const& c = e.constraint;
        vec<S, 3> const lambda{m.push[k] * scale, m.rub[0][k] * scale, m.rub[1][k] * scale};
        auto const same = c.tangent[0] == t[0] && c.tangent[1] == t[1] && c.tangent[2] == t[2];
        vec3<S> const f = t * lambda[1] + u * lambda[2];
        e.lambda = {lambda[0], select(same, lambda[1], dot(c.tangent, f)), select(same, lambda[2], dot(c.bitangent(), f))};
    }
}

/// A and its inverse and the steps of friction, in the lanes that ask for them for the first time.
template <class Q, class S>
[[gnu::flatten, gnu::noinline]] constexpr void prepare(lane_manifold<S>& m, mask_t<S> const& asks, packed_mass<S> const& wa, packed_mass<S> const& wb) noexcept {
    m.ready = m.ready || asks;
    auto const several = asks && m.several, single = asks && m.single;
    S const masses = wa.linear[0] + wb.linear[0];
    Q const n = Q::load(m.normal);
    if (any(several)) {
        auto const ra = point_quads<Q>::load(m.arm_a), rb = point_quads<Q>::load(m.arm_b);
        Q rows[4] = {Q::splat(masses), Q::splat(masses), Q::splat(masses), Q::splat(masses)};
        Q turning = Q::splat(S(0));
        Q coupled[2][4] = {{turning, turning, turning, turning}, {turning, turning, turning, turning}};
        auto const add = [&](point_quads<Q> const& r, packed_mass<S> const& w) {
            auto const j = cross_each(n, r);
            Q const x = Q::load(w.angular[0]), y = Q::load(w.angular[1]), z = Q::load(w.angular[2]);
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
            point_quads<Q> const i{dot_each(x, r), dot_each(y, r), dot_each(z, r)};
            Q const trace = Q::splat(w.angular[0][0] + w.angular[1][1] + w.angular[2][2]);
            turning = turning + (trace * (r.x * r.x + (r.y * r.y + r.z * r.z)) - (i.x * r.x + (i.y * r.y + i.z * r.z)) - (k.x * j.x + (k.y * j.y + k.z * j.z)));
        };
        add(ra, wa);
        add(rb, wb);
        S rubbing = masses * m.points;
        for (std::size_t i = 0; i < 4; ++i) rubbing = select(m.live[i], rubbing + turning.e[i] / S(2), rubbing);
        auto const idle = rubbing <= S(0);
        S const step = select(idle, S(0), S(1) / select(idle, S(1), rubbing));
        m.rub_give = select(several, masses * m.points * step, m.rub_give);
        S used[4], inverse[4][4];
        for (std::size_t i = 0; i < 4; ++i) used[i] = select(m.live[i], S(1), S(0));
        Q const mask = Q::load(used);
        for (std::size_t i = 0; i < 4; ++i) {
            put(several, rows[i], m.response[i]);
            put(several, coupled[0][i], m.coupling[0][i]);
            put(several, coupled[1][i], m.coupling[1][i]);
            m.rub_step[i] = select(several, select(m.live[i], step, S(0)), m.rub_step[i]);
            S const along_n = rows[i].e[i] + m.softness[i];
            auto const stuck = along_n <= S(0);
            m.push_step[i] = select(several, select(m.live[i] && !stuck, S(-1) / select(stuck, S(1), along_n), S(0)), m.push_step[i]);
            (rows[i] * (mask * Q::splat(used[i]))).store(inverse[i]);
            inverse[i][i] = select(m.live[i], rows[i].e[i] * S(value_type_t<S>(1.02)) + m.softness[i], S(1));
        }
        invert<Q>(inverse);
        for (std::size_t i = 0; i < 4; ++i) put(several, Q::load(inverse[i]) * (mask * Q::splat(-used[i])), m.inverse[i]);
    }
    if (any(single)) {
        Q const t = Q::load(m.tangent), u = Q::load(m.bitangent);
        auto const turned = [&](Q const& r, packed_mass<S> const& w) {
            Q const k = turn_of(w, cross_product(r, n)), x = Q::load(w.angular[0]) * r.template all<0>() + (Q::load(w.angular[1]) * r.template all<1>() + Q::load(w.angular[2]) * r.template all<2>());
            Q const trace = Q::splat(w.angular[0][0] + w.angular[1][1] + w.angular[2][2]);
            return Q::sums(cross_product(r, n) * k, cross_product(r, t) * k, cross_product(r, u) * k, r * (trace * r - x));
        };
        Q const sum = turned(Q::of(m.arm_a[0][0], m.arm_a[1][0], m.arm_a[2][0], S(0)), wa) + turned(Q::of(m.arm_b[0][0], m.arm_b[1][0], m.arm_b[2][0], S(0)), wb);
        S const along_n = sum.first(), push = masses + along_n + m.softness[0], rub = masses + (sum.e[3] - along_n) / S(2);
        auto const idle = push <= S(0), still = rub <= S(0);
        m.coupling[0][0][0] = select(single, sum.e[1], m.coupling[0][0][0]);
        m.coupling[1][0][0] = select(single, sum.e[2], m.coupling[1][0][0]);
        m.inverse[0][0] = select(single, select(idle, S(0), S(-1) / select(idle, S(1), push)), m.inverse[0][0]);
        m.rub_step[0] = select(single, select(still, S(0), S(1) / select(still, S(1), rub)), m.rub_step[0]);
    }
}

}  // namespace sinew::inline v0::detail
