#pragma once
// The contacts between two bodies as sequential_impulses iterates on them: up to four points with one normal, side by side in quads.
//
//   n, t, u    normal from a to b, and two directions across it       r_a, r_b   arms of the points
//   p, q       impulses along n; along t and u                        N s, at each point
//   A          4 x 4, what an impulse along n at one point changes of the approach at the others
//   D          what a body has moved since the step began: (dx, dtheta)
//
// All is made once a step. Within it the points keep their arms and directions, and only the gaps change, linearly in D: a ball that rolls
// does not lift its point of contact, as it would if the point were fixed in it.
//
//   c = c_0 + J D
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
//
// Four points of a rigid body are redundant: A has rank 3. e, a small share of its diagonal, is left in; the sweeps take out what it keeps back. Along w, the
// pushes that move nothing, e is as large as A is elsewhere: their gaps are in a plane and ask for none of it, but for which of them are slack yet. By a small e
// a landing would share its push, and with it its friction, among the points by millionths of a metre.

#include <sinew/constraint/contact.hpp>
#include <sinew/solver/impulse_block.hpp>

namespace sinew::inline v0::detail {

template <class C>
inline constexpr bool is_contact_v = false;
template <class S, class Friction>
inline constexpr bool is_contact_v<contact_with<S, Friction>> = true;

/// W of one body: rows of I^-1, and 1/m in three lanes. All 0 of what does not move.
template <class S>
struct alignas(2 * quad_alignment_v<S>) packed_mass {
    S angular[3][4]{};
    S linear[4]{};
};
/// The axes of one body where a step begins.
template <class S>
struct alignas(2 * quad_alignment_v<S>) packed_axes {
    S column[3][4]{};
    template <class Q>
    [[nodiscard, gnu::always_inline]] constexpr Q direction(vec3<S> const& d) const noexcept {
        return Q::load(column[0]) * Q::splat(d[0]) + (Q::load(column[1]) * Q::splat(d[1]) + Q::load(column[2]) * Q::splat(d[2]));
    }
};

/// Numbers of a contact's feedback, see soft_step.hpp, and of its limits.
template <class S>
struct contact_feedback {
    row_feedback<S> hard{};
    S inverse_h{};
    S push_speed{};  // at which bodies that have sunk in are pushed apart, m/s
};

/// The share of the last change of a contact's impulses that they begin a substep with, besides.
inline constexpr double impulse_trend = 0.6;
/// Of what a contact pushes, how much its impulses may change by in a substep, all together, and still go on so.
inline constexpr double steady_share = 0.2;

/// What a manifold begins a step with, in numbers of S alone.
template <class S>
struct manifold_numbers {
    S arm_a[3][4]{}, arm_b[3][4]{};  // component by component
    S normal[4]{}, tangent[4]{}, bitangent[4]{};
    S push[4]{}, rub[2][4]{};
    S gap[4]{}, slip[2][4]{};
    S friction[4]{};  // mu, or, lagged, the bound itself
    S softness[4]{};  // gamma, 1/kg
    S drive[2]{};     // of the surfaces against each other along t and u, m/s
    S drive_rate[2]{};  // what that gains, m/s^2: arms that stand through a step do not know that bodies go around each other
    S soft_rate{};    // of a soft push: 1 / (h + alpha d); 0: hard
    S last{};         // what all points pushed together when the last substep was over

    [[nodiscard]] constexpr S pushing() const noexcept { return (push[0] + push[1]) + (push[2] + push[3]); }
    [[nodiscard]] constexpr S rubbing() const noexcept {
        S sum(0);
        for (std::size_t i = 0; i < 4; ++i) sum = sum + abs(rub[0][i]) + abs(rub[1][i]);
        return sum;
    }
};
/// The same, and whose it is.
template <class S>
struct alignas(2 * quad_alignment_v<S>) started_manifold : manifold_numbers<S> {
    using scalar_type = S;
    using mask = mask_t<S>;
    std::array<std::uint32_t, 2> node{};
    std::uint32_t first = 0;  // entry
    std::uint8_t count = 0;
    std::array<bool, 2> moves{};
    bool is_driven = false;
    bool is_crowded = false;  // deep in each other, and in others
    mask is_laid{};  // has not pushed yet, and does not come with a hit: bodies that were laid there, and begin to weigh
};
template <class S>
struct contact_manifold : started_manifold<S> {
    using mask = mask_t<S>;
    alignas(quad_alignment_v<S>) S inverse[4][4]{};  // -(A + e)^-1
    S response[4][4]{};     // A
    S coupling[2][4][4]{};  // what an impulse along n at one point changes of the slips along t and u
    S push_step[4]{};       // of one point alone, -kg
    S rub_step[4]{};        // kg
    S before[3][4]{};       // push and rub as the last substep left them
    S shift[3][4]{};        // how far the points have moved against each other since the step began, along n, t and u
    S rub_give{};           // share of the feedback's impulse_scale that holds for friction here
    S points{};             // how many
    mask live[4]{};         // which
    mask single{}, several{};
    mask both_move{};
    mask is_ready{};  // A, its inverse and the steps are made: only of what pushes, once it does
    bool shift_known = false;  // at the poses of now

    // Pushes twice as much as when the last substep was over: a hit.
    [[nodiscard]] constexpr mask is_struck() const noexcept { return this->pushing() > this->last + this->last; }
    // Of the impulses, what goes on: what a hit pushes, once, does not act again.
    [[nodiscard]] constexpr S lasting_share() const noexcept {
        auto const hit = is_struck() && !this->is_laid;
        return select(hit, this->last / select(hit, this->pushing(), S(1)), S(1));
    }
    // What follows of the inertia of its bodies, if that has turned.
    constexpr void make_anew(mask const& turned) noexcept { is_ready = is_ready && !turned; }
    // Where a substep begins. A hit is over; impulses of what lies go on as they have changed, see soft_step.hpp. Nothing is known of that in the first of a step.
    template <class Q>
    constexpr void go_on(bool is_first) noexcept {
        S* const rows[3] = {this->push, this->rub[0], this->rub[1]};
        if (is_first) {
            for (std::size_t k = 0; k < 3; ++k) Q::load(rows[k]).store(before[k]);
            return;
        }
        if constexpr (has_lanes_v<S>) {
            if (!any(several)) {
                go_on_alone();
                return;
            }
        }
        S const now = this->pushing();
        auto const hit = is_struck() && !this->is_laid;
        if (any(hit)) {
            S const share = this->last / select(hit, now, S(1));
            for (S* row : rows)
                for (std::size_t i = 0; i < 4; ++i) row[i] = select(hit, row[i] * share, row[i]);
        }
        Q const zero = Q::splat(S(0));
        Q changes = zero;
        for (std::size_t k = 0; k < 3; ++k) {
            Q const change = Q::load(rows[k]) - Q::load(before[k]);
            changes = changes + larger(change, zero - change);
        }
        // Impulses that ring or grow from one substep to the next would be driven on.
        auto const rings = changes.total().first() > now * S(value_type_t<S>(steady_share));
        Q const trend = Q::splat(select(hit || rings || this->is_laid, S(0), S(value_type_t<S>(impulse_trend))));
        for (std::size_t k = 0; k < 3; ++k) {
            Q const left = Q::load(rows[k]), next = left + trend * (left - Q::load(before[k]));
            left.store(before[k]);
            (k == 0 ? larger(next, zero) : Q::choose(Q::load(this->push), next, zero)).store(rows[k]);  // what does not push does not rub
        }
        this->last = now;
        this->is_laid = this->is_laid && !(now > S(0));
    }
    // The same where no lane has more than one point.
    constexpr void go_on_alone() noexcept {
        S* const numbers[3] = {this->push, this->rub[0], this->rub[1]};
        S const now = this->push[0], zero(0);
        auto const hit = is_struck() && !this->is_laid;
        if (any(hit)) {
            S const share = this->last / select(hit, now, S(1));
            for (S* x : numbers) *x = select(hit, *x * share, *x);
        }
        S changes(0);
        for (std::size_t k = 0; k < 3; ++k) {
            S const change = *numbers[k] - before[k][0];
            changes = changes + max(zero - change, change);
        }
        auto const rings = changes > now * S(value_type_t<S>(steady_share));
        S const trend = select(hit || rings || this->is_laid, zero, S(value_type_t<S>(impulse_trend)));
        for (std::size_t k = 0; k < 3; ++k) {
            S const left = *numbers[k], next = left + trend * (left - before[k][0]);
            before[k][0] = left;
            *numbers[k] = k == 0 ? max(zero, next) : select(this->push[0] > zero, next, zero);
        }
        this->last = now;
        this->is_laid = this->is_laid && !(now > zero);
    }
    // Where a step begins, of what has been gathered.
    constexpr void begin() noexcept {
        std::size_t const n = this->count;
        points = S(static_cast<value_type_t<S>>(n));
        for (std::size_t i = 0; i < 4; ++i) live[i] = i < n;
        single = n == 1;
        several = n > 1;
        both_move = this->moves[0] && this->moves[1];
        is_ready = false;
    }
};

// Where lanes have masks, what is not meant is put back; without them, code is left early instead, and this is only a store.
template <class Q, class S>
[[gnu::always_inline]] constexpr void put([[maybe_unused]] mask_t<S> const& on, Q const& q, S* to) noexcept {
    if constexpr (has_lanes_v<S>)
        for (std::size_t i = 0; i < 4; ++i) to[i] = select(on, q.e[i], to[i]);
    else
        q.store(to);
}
template <class S, class Q>
[[nodiscard, gnu::always_inline]] constexpr Q select_quad(mask_t<S> const& on, Q const& a, Q const& b) noexcept {
    if constexpr (has_lanes_v<S>)
        return {{select(on, a.e[0], b.e[0]), select(on, a.e[1], b.e[1]), select(on, a.e[2], b.e[2]), select(on, a.e[3], b.e[3])}};
    else
        return on ? a : b;
}
template <class Q, class S>
constexpr void prepare(contact_manifold<S>& m, mask_t<S> const& asks, packed_mass<S> const& wa, packed_mass<S> const& wb) noexcept;
// What vectors of three are kept in where a manifold has one point: bodies may have better than quads.
template <class Q, class Bodies>
struct vectors_of {
    using type = Q;
};
template <class Q, class Bodies>
    requires requires { typename Bodies::point_vectors; }
struct vectors_of<Q, Bodies> {
    using type = typename Bodies::point_vectors;
};

// Three components, each of four points.
template <class Q>
struct point_quads {
    Q x, y, z;
    template <class S>
    [[nodiscard, gnu::always_inline]] static constexpr point_quads load(S const (&e)[3][4]) noexcept {
        return {Q::load(e[0]), Q::load(e[1]), Q::load(e[2])};
    }
    template <class S>
    [[gnu::always_inline]] constexpr void store(S (&e)[3][4]) const noexcept {
        x.store(e[0]);
        y.store(e[1]);
        z.store(e[2]);
    }
};
// The first of four points.
template <class Q, class S>
[[nodiscard, gnu::always_inline]] constexpr Q first_of(S const (&e)[3][4]) noexcept {
    return Q::of(e[0][0], e[1][0], e[2][0], S(0));
}
// d . each
template <class Q>
[[nodiscard, gnu::always_inline]] constexpr Q dot_each(Q const& d, point_quads<Q> const& p) noexcept {
    return d.template all<0>() * p.x + (d.template all<1>() * p.y + d.template all<2>() * p.z);
}
// One direction, the same for all points.
template <class Q>
struct spread {
    Q x, y, z;
    template <class S>
    [[nodiscard, gnu::always_inline]] static constexpr spread load(S const* e) noexcept {
        return {Q::splat(e[0]), Q::splat(e[1]), Q::splat(e[2])};
    }
    [[nodiscard, gnu::always_inline]] constexpr Q along(point_quads<Q> const& v) const noexcept { return x * v.x + (y * v.y + z * v.z); }
};
// a x each
template <class Q>
[[nodiscard, gnu::always_inline]] constexpr point_quads<Q> cross_each(Q const& a, point_quads<Q> const& p) noexcept {
    Q const x = a.template all<0>(), y = a.template all<1>(), z = a.template all<2>();
    return {y * p.z - z * p.y, z * p.x - x * p.z, x * p.y - y * p.x};
}
// sum of r x f
template <class Q>
[[nodiscard, gnu::always_inline]] constexpr Q torque_of(point_quads<Q> const& r, point_quads<Q> const& f, Q const& zero) noexcept {
    return Q::sums(r.y * f.z - r.z * f.y, r.z * f.x - r.x * f.z, r.x * f.y - r.y * f.x, zero);
}
template <class Q, class S>
[[nodiscard, gnu::always_inline]] constexpr Q turn_of(packed_mass<S> const& w, Q const& torque) noexcept {
    return Q::load(w.angular[0]) * torque.template all<0>() + (Q::load(w.angular[1]) * torque.template all<1>() + Q::load(w.angular[2]) * torque.template all<2>());
}

// Velocities of the two bodies, or any twists.
template <class Q>
struct twist_pair {
    Q va, wa, vb, wb;
    template <class Packed>
    [[nodiscard, gnu::always_inline]] static constexpr twist_pair load(Packed const& a, Packed const& b) noexcept {
        return {Q::load(a.e), Q::load(a.e + 4), Q::load(b.e), Q::load(b.e + 4)};
    }
    // Of b against a at each point.
    [[nodiscard, gnu::always_inline]] constexpr point_quads<Q> at(point_quads<Q> const& ra, point_quads<Q> const& rb) const noexcept {
        Q const v = vb - va;
        auto const a = cross_each(wa, ra), b = cross_each(wb, rb);
        return {v.template all<0>() + (b.x - a.x), v.template all<1>() + (b.y - a.y), v.template all<2>() + (b.z - a.z)};
    }
    template <class M>
    [[nodiscard, gnu::always_inline]] constexpr point_quads<Q> at_points(M const& m) const noexcept {
        return at(point_quads<Q>::load(m.arm_a), point_quads<Q>::load(m.arm_b));
    }
    template <class M>
    [[nodiscard, gnu::always_inline]] constexpr Q at_point(M const& m) const noexcept {
        return (vb - va) + (cross_product(wb, first_of<Q>(m.arm_b)) - cross_product(wa, first_of<Q>(m.arm_a)));
    }
    // By forces at the points, or at the only one.
    template <class M, class Bodies>
    [[gnu::always_inline]] constexpr void push_points(M const& m, point_quads<Q> const& f, Bodies const& bodies) noexcept {
        Q const zero = Q::splat(typename M::scalar_type(0));
        push(Q::sums(f.x, f.y, f.z, zero), torque_of(point_quads<Q>::load(m.arm_a), f, zero), torque_of(point_quads<Q>::load(m.arm_b), f, zero), bodies.mass(m, 0), bodies.mass(m, 1));
    }
    template <class M, class Bodies>
    [[gnu::always_inline]] constexpr void push_point(M const& m, Q const& f, Bodies const& bodies) noexcept {
        push(f, cross_product(first_of<Q>(m.arm_a), f), cross_product(first_of<Q>(m.arm_b), f), bodies.mass(m, 0), bodies.mass(m, 1));
    }
    template <class S>
    [[gnu::always_inline]] constexpr void push(Q const& force, Q const& torque_a, Q const& torque_b, packed_mass<S> const& a, packed_mass<S> const& b) noexcept {
        va = va - force * Q::load(a.linear);
        wa = wa - turn_of(a, torque_a);
        read_again<S>();
        vb = vb + force * Q::load(b.linear);
        wb = wb + turn_of(b, torque_b);
    }
    template <class S>
    [[nodiscard, gnu::always_inline]] constexpr twist_pair where(mask_t<S> const& on, twist_pair const& other) const noexcept {
        return {select_quad<S>(on, va, other.va), select_quad<S>(on, wa, other.wa), select_quad<S>(on, vb, other.vb), select_quad<S>(on, wb, other.wb)};
    }
};

/// Where a manifold finds what it needs of its two bodies: one after the other, all bodies' side by side.
template <class S, class Packed>
struct bodies_in_rows {
    Packed* velocities;
    Packed const* moves;  // since the step began
    packed_mass<S> const* masses;

    template <class Q>
    [[nodiscard, gnu::always_inline]] constexpr twist_pair<Q> velocity(contact_manifold<S> const& m) const noexcept {
        return twist_pair<Q>::load(velocities[m.node[0]], velocities[m.node[1]]);
    }
    template <class Q>
    [[nodiscard, gnu::always_inline]] constexpr twist_pair<Q> moved(contact_manifold<S> const& m) const noexcept {
        return twist_pair<Q>::load(moves[m.node[0]], moves[m.node[1]]);
    }
    [[nodiscard, gnu::always_inline]] constexpr packed_mass<S> const& mass(contact_manifold<S> const& m, std::size_t body) const noexcept { return masses[m.node[body]]; }
    template <class Q>
    [[gnu::always_inline]] constexpr void store(contact_manifold<S> const& m, twist_pair<Q> const& v) const noexcept {
        if (m.moves[0]) {
            v.va.store(velocities[m.node[0]].e);
            v.wa.store(velocities[m.node[0]].e + 4);
        }
        if (m.moves[1]) {
            v.vb.store(velocities[m.node[1]].e);
            v.wb.store(velocities[m.node[1]].e + 4);
        }
    }
};
// What has been pushed in the lanes that are meant, and what was there before in the others.
template <class Q, class M, class Bodies, class Motion, class F>
[[gnu::always_inline]] constexpr void push_where([[maybe_unused]] mask_t<typename M::scalar_type> const& on, M const& m, Bodies const& bodies, Motion& v, F const& push) noexcept {
    using S = typename M::scalar_type;
    if constexpr (has_lanes_v<S>) {
        Motion const before = v;
        push();
        if (!all(on)) v = v.template where<S>(on, before);
    } else {
        push();
    }
    bodies.template store<Q>(m, v);
}

/// The impulses that are there already act again.
template <class Q, class M, class Bodies>
[[gnu::flatten]] constexpr void push_again(M& m, Bodies const& bodies) noexcept {
    using S = typename M::scalar_type;
    m.shift_known = false;  // the bodies have moved
    auto const impulses = [&](auto const& f) { return f(Q::load(m.push), Q::load(m.rub[0]), Q::load(m.rub[1])); };
    auto const touched = impulses([](Q const& p, Q const& q, Q const& s) { return p * p + (q * q + s * s); }).total().first() > S(0);
    if (!any(touched)) return;
    if (auto const one = touched && m.single; any(one)) {
        auto v = bodies.template velocity<Q>(m);
        Q const f = impulses([&](Q const& p, Q const& q, Q const& s) {
            return Q::load(m.normal) * p.template all<0>() + (Q::load(m.tangent) * q.template all<0>() + Q::load(m.bitangent) * s.template all<0>());
        });
        push_where<Q>(one, m, bodies, v, [&] { v.push_point(m, f, bodies); });
    }
    if (auto const more = touched && m.several; any(more)) {
        auto const f = impulses([&](Q const& p, Q const& q, Q const& s) {
            auto const n = spread<Q>::load(m.normal), t = spread<Q>::load(m.tangent), u = spread<Q>::load(m.bitangent);
            return point_quads<Q>{n.x * p + (t.x * q + u.x * s), n.y * p + (t.y * q + u.y * s), n.z * p + (t.z * q + u.z * s)};
        });
        read_again<S>();
        auto v = bodies.template velocity<Q>(m);
        push_where<Q>(more, m, bodies, v, [&] { v.push_points(m, f, bodies); });
    }
}

// Point by point, where a point would have to pull: two sweeps from p. What is kept of p, and the share of a step that is taken, by point.
template <class Q, class S>
[[nodiscard, gnu::always_inline]] constexpr Q push_in_turn(contact_manifold<S> const& m, Q const& rate, Q const& along, Q const& keep, Q const& p) noexcept {
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

// Friction cut to what the push allows.
template <class Friction, class Q, class S>
[[gnu::always_inline]] constexpr void cut(contact_manifold<S> const& m, Q const& p, Q& q, Q& s) noexcept {
    Q const mu = Q::load(m.friction);
    Q const most = Friction::is_lagged ? mu : mu * p;
    if constexpr (Friction::is_round) {
        Q const zero = Q::splat(S(0));
        Q const size2 = q * q + s * s, over = larger(size2 - most * most, zero);
        if (any(over.total().first() > S(0))) {
            alignas(quad_alignment_v<S>) S bound[4], size[4], scale[4];
            most.store(bound);
            size2.store(size);
            for (std::size_t i = 0; i < 4; ++i) {
                auto const inside = size[i] <= bound[i] * bound[i];
                scale[i] = select(inside, S(1), bound[i] / sqrt(select(inside, S(1), size[i])));
            }
            Q const k = Q::load(scale);
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
[[nodiscard, gnu::always_inline]] constexpr Q after_push(S const (&rows)[4][4], Q const& dp) noexcept {
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
    using Q = typename vectors_of<Quad, Bodies>::type;
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
    vec3<S> shift{};  // along n, t and u
    auto const is_soft = m.soft_rate > S(0);
    if (Soft || any(is_soft)) {
        constexpr bool keeps = Soft && !has_lanes_v<S>;  // other lanes may keep there what they are in several points
        if (!keeps || !m.shift_known) {
            Q const d = at(bodies.template moved<Q>(m));
            shift = {d.first(), d.template all<1>().first(), d.template all<2>().first()};
            if constexpr (keeps) {
                for (std::size_t k = 0; k < 3; ++k) m.shift[k][0] = shift[k];
                m.shift_known = true;
            }
        } else {
            for (std::size_t k = 0; k < 3; ++k) shift[k] = m.shift[k][0];
        }
        S const c = m.gap[0] + shift[0];
        if constexpr (Soft) {
            auto const slack = c > S(0);
            S const hard = rate + select(slack, c * feedback.inverse_h, max(c * feedback.hard.bias_rate, -feedback.push_speed));
            auto const firm = is_soft || (slack && (m.is_struck() || rate < S(-1)));  // of a hit nothing is given back: what is fast would be through
            rate = select(is_soft, rate + c * m.soft_rate, hard);
            keep = select(firm, S(1), S(1) - feedback.hard.impulse_scale);
            along = select(firm, S(1), feedback.hard.mass_scale);
            creep_t = feedback.hard.bias_rate * (m.slip[0][0] + shift[1]);
            creep_u = feedback.hard.bias_rate * (m.slip[1][0] + shift[2]);
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
    push_where<Q>(who, m, bodies, v, [&] { v.push_point(m, f, bodies); });
}

/// One sweep over the points of one manifold, in the lanes `on`. Soft: with feedback of what has sunk in or crept. Without it, after the bodies have moved,
/// what does not push is left alone: it is not to be braked before the next forces, as a hit needs its speed.
template <class Q, bool Soft, class Friction, class M, class Bodies>
[[gnu::flatten]] constexpr void iterate_points(M& m, mask_t<typename M::scalar_type> const& on, Bodies const& bodies, contact_feedback<typename M::scalar_type> const& feedback) noexcept {
    using S = typename M::scalar_type;
    Q const zero = Q::splat(S(0)), one = Q::splat(S(1));
    Q keep = one, along = one;
    mask_t<S> who = on, all_push = true;
    if constexpr (!Soft) {
        along = Q::choose(Q::load(m.push), one, zero);
        S const pushing = along.total().first();
        if constexpr (!Friction::is_lagged) {
            who = who && pushing > S(0);
            if (!any(who)) return;
        }
        all_push = !(pushing < m.points);
    }
    auto v = bodies.template velocity<Q>(m);
    // Directions, read where they are used.
    auto const along_n = [&](point_quads<Q> const& x) { return spread<Q>::load(m.normal).along(x); };
    auto const along_t = [&](point_quads<Q> const& x) { return spread<Q>::load(m.tangent).along(x); };
    auto const along_u = [&](point_quads<Q> const& x) { return spread<Q>::load(m.bitangent).along(x); };
    auto const is_soft = m.soft_rate > S(0);
    auto const slip = v.at_points(m);
    read_again<S>();
    Q rate = along_n(slip) + Q::load(m.softness) * Q::load(m.push);
    Q creep_t = zero, creep_u = zero;
    if (Soft || any(is_soft)) {
        if (!Soft || !m.shift_known) {
            auto const d = bodies.template moved<Q>(m).at_points(m);
            read_again<S>();
            along_n(d).store(m.shift[0]);
            along_t(d).store(m.shift[1]);
            along_u(d).store(m.shift[2]);
            m.shift_known = Soft;
        }
        read_again<S>();
        Q const c = Q::load(m.gap) + Q::load(m.shift[0]);
        if constexpr (Soft) {
            // What is slack may go on until it is not.
            Q const hard = rate + (larger(c, zero) * Q::splat(feedback.inverse_h) + larger(smaller(c, zero) * Q::splat(feedback.hard.bias_rate), Q::splat(-feedback.push_speed)));
            keep = Q::splat(S(1) - feedback.hard.impulse_scale);  // of what is slack too: a point would go on pushing where nothing has sunk in
            along = Q::splat(feedback.hard.mass_scale);
            if (auto const hits = m.is_struck() || smaller(rate + one, zero).total().first() < S(0); any(hits)) {  // but of a hit: what is fast would be through
                keep = select_quad<S>(hits, Q::choose(c, one, keep), keep);
                along = select_quad<S>(hits, Q::choose(c, one, along), along);
            }
            if (any(is_soft)) {
                rate = select_quad<S>(is_soft, rate + c * Q::splat(m.soft_rate), hard);
                keep = select_quad<S>(is_soft, one, keep);
                along = select_quad<S>(is_soft, one, along);
            } else {
                rate = hard;
            }
            Q const k = Q::splat(feedback.hard.bias_rate);
            creep_t = k * (Q::load(m.slip[0]) + Q::load(m.shift[1]));
            creep_u = k * (Q::load(m.slip[1]) + Q::load(m.shift[2]));
        } else {
            rate = select_quad<S>(is_soft, rate + c * Q::splat(m.soft_rate), rate);
        }
    }
    if constexpr (!Friction::is_lagged) {
        who = who && smaller(rate, zero - Q::load(m.push)).total().first() < S(0);
        if (!any(who)) return;  // apart, and not on their way: what could push has p = 0 and needs none
    }
    read_again<S>();
    if (auto const asks = who && !m.is_ready; any(asks)) prepare<Q>(m, asks, bodies.mass(m, 0), bodies.mass(m, 1));
    Q const p = Q::load(m.push);
    Q change = after_push(m.inverse, rate);
    // Of a hard hit e would let through too much: what the push has left is taken back too.
    if (auto const hard_hit = who && smaller(rate + one, zero).total().first() < S(0); any(hard_hit)) {
        Q more = change;
        for (int again = 0; again < 2; ++again) more = more + after_push(m.inverse, rate + (after_push(m.response, more) + Q::load(m.softness) * more));
        change = select_quad<S>(hard_hit, more, change);
    }
    Q next = Soft ? along * change + keep * p : change + p;
    if (auto const in_turn = who && (!all_push || smaller(next, zero).total().first() < S(0)); any(in_turn)) next = select_quad<S>(in_turn, push_in_turn(m, rate, along, keep, p), next);
    read_again<S>();
    Q const dp = next - p;
    Q const slip_t = along_t(slip) + after_push(m.coupling[0], dp) - Q::splat(m.drive[0]), slip_u = along_u(slip) + after_push(m.coupling[1], dp) - Q::splat(m.drive[1]);
    read_again<S>();
    Q const step = Q::load(m.rub_step), q = Q::load(m.rub[0]), s = Q::load(m.rub[1]);
    Q q1, s1;
    if constexpr (Soft) {
        Q const share = step * Q::splat(feedback.hard.mass_scale), rest = Q::splat(S(1) - feedback.hard.impulse_scale * m.rub_give);
        q1 = rest * q - share * (slip_t + creep_t);
        s1 = rest * s - share * (slip_u + creep_u);
        cut<Friction>(m, Q::choose(next, larger(p, next), zero), q1, s1);  // what the spring gives back is not lost to the friction
    } else {
        q1 = q - step * slip_t;
        s1 = s - step * slip_u;
        cut<Friction>(m, next, q1, s1);
    }
    Q const dq = q1 - q, ds = s1 - s;
    put(who, next, m.push);
    put(who, q1, m.rub[0]);
    put(who, s1, m.rub[1]);
    auto const n = spread<Q>::load(m.normal), t = spread<Q>::load(m.tangent), u = spread<Q>::load(m.bitangent);
    point_quads<Q> const f{n.x * dp + (t.x * dq + u.x * ds), n.y * dp + (t.y * dq + u.y * ds), n.z * dp + (t.z * dq + u.z * ds)};
    read_again<S>();
    push_where<Q>(who, m, bodies, v, [&] { v.push_points(m, f, bodies); });
}

/// One sweep over a manifold, and the further ones over what hits, and what begins to weigh: it has no other time to find its friction.
template <class Q, bool Soft, class Friction, class M, class Bodies>
constexpr void sweep(M& m, Bodies const& bodies, contact_feedback<typename M::scalar_type> const& feedback, int hit_sweeps) noexcept {
    using S = typename M::scalar_type;
    if (any(m.single)) iterate_point<Q, Soft, Friction>(m, m.single, bodies, feedback);
    if (!any(m.several)) return;
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
        who = who && !(abs(now - last) <= now * S(value_type_t<S>(1e-3)));
        last = now;
    }
}

/// What a point's friction is bounded by: a coefficient, or, lagged, an impulse.
template <class C, class S>
[[nodiscard, gnu::always_inline]] constexpr S friction_bound(C const& c, S const& h) noexcept {
    return C::friction_type::is_lagged ? c.friction() * c.pressing * h : c.friction();
}
/// Where k points of one normal are, and what they push, side by side. Lanes that stand for no point go where the first one goes, and push nothing: their impulses
/// stay 0. apart: from body a to body b.
template <class Q, class Entry, class S>
[[gnu::always_inline]] constexpr void place_points(Entry const* from, std::size_t k, vec3<S> const& apart, packed_axes<S> const& axes_a, packed_axes<S> const& axes_b, S const& h, S const& scale,
                                                   started_manifold<S>& m) {
    auto const& c = from->constraint;
    vec3<S> const n = c.normal, t = c.tangent, u = c.bitangent();
    auto const &x0 = from[0], &x1 = from[k > 1 ? 1 : 0], &x2 = from[k > 2 ? 2 : 0], &x3 = from[k > 3 ? 3 : 0];
    auto const each = [&](auto const& f) { return Q::of(f(x0), f(x1), f(x2), f(x3)); };
    auto const each_vector = [&](auto const& f) {
        return point_quads<Q>{each([&](auto const& x) { return f(x.constraint)[0]; }), each([&](auto const& x) { return f(x.constraint)[1]; }),
                              each([&](auto const& x) { return f(x.constraint)[2]; })};
    };
    auto const turned = [](packed_axes<S> const& body, point_quads<Q> const& r) {
        auto const along = [&](std::size_t i) { return Q::splat(body.column[0][i]) * r.x + (Q::splat(body.column[1][i]) * r.y + Q::splat(body.column[2][i]) * r.z); };
        return point_quads<Q>{along(0), along(1), along(2)};
    };
    // In the order of Q::sums.
    auto const along = [](vec3<S> const& d, point_quads<Q> const& v) { return (Q::splat(d[0]) * v.x + Q::splat(d[2]) * v.z) + Q::splat(d[1]) * v.y; };
    Q const zero = Q::splat(S(0)), used = Q::of(S(1), S(k > 1 ? 1 : 0), S(k > 2 ? 1 : 0), S(k > 3 ? 1 : 0));
    auto const put = [&](Q const& x, S(&to)[4]) { (k < 4 ? Q::choose(used, x, zero) : x).store(to); };

    auto const ra = turned(axes_a, each_vector([](auto const& y) -> auto& { return y.anchor_a; }));
    auto const rb = turned(axes_b, each_vector([](auto const& y) -> auto& { return y.anchor_b; }));
    auto const crept = each_vector([](auto const& y) -> auto& { return y.slip; });
    point_quads<Q> const d{Q::splat(apart[0]) + (rb.x - ra.x), Q::splat(apart[1]) + (rb.y - ra.y), Q::splat(apart[2]) + (rb.z - ra.z)};
    point_quads<Q> const across{d.x + crept.x, d.y + crept.y, d.z + crept.z};
    ra.store(m.arm_a);
    rb.store(m.arm_b);
    along(n, d).store(m.gap);
    put(along(t, across), m.slip[0]);
    put(along(u, across), m.slip[1]);
    put(each([&](auto const& x) { return friction_bound(x.constraint, h); }), m.friction);
    put(each([](auto const& x) { return max(x.lambda[0], S(0)); }) * Q::splat(scale), m.push);
    put(each([](auto const& x) { return x.lambda[1]; }) * Q::splat(scale), m.rub[0]);
    put(each([](auto const& x) { return x.lambda[2]; }) * Q::splat(scale), m.rub[1]);
    for (std::size_t i = 1; i < k; ++i) {
        auto const& y = from[i].constraint;
        if (is_same(y.tangent, t)) continue;
        auto const& lambda = from[i].lambda;
        vec3<S> const f = y.tangent * (lambda[1] * scale) + y.bitangent() * (lambda[2] * scale);
        m.rub[0][i] = dot(t, f);
        m.rub[1][i] = dot(u, f);
    }
}
/// The same of a single point; the other lanes are 0.
template <class Q, class Entry, class S>
[[gnu::always_inline]] constexpr void place_point(Entry const& x, vec3<S> const& apart, packed_axes<S> const& axes_a, packed_axes<S> const& axes_b, S const& h, S const& scale,
                                                  started_manifold<S>& m) {
    auto const& c = x.constraint;
    Q const zero = Q::splat(S(0)), ra = axes_a.template direction<Q>(c.anchor_a), rb = axes_b.template direction<Q>(c.anchor_b);
    Q const d = Q::of(apart[0], apart[1], apart[2], S(0)) + (rb - ra), across = d + Q::of(c.slip[0], c.slip[1], c.slip[2], S(0));
    Q const error = Q::sums(Q::load(m.normal) * d, Q::load(m.tangent) * across, Q::load(m.bitangent) * across, zero);
    auto const put = [&](S const& value, S(&to)[4]) { Q::of(value, S(0), S(0), S(0)).store(to); };
    put(ra.first(), m.arm_a[0]);
    put(ra.template all<1>().first(), m.arm_a[1]);
    put(ra.template all<2>().first(), m.arm_a[2]);
    put(rb.first(), m.arm_b[0]);
    put(rb.template all<1>().first(), m.arm_b[1]);
    put(rb.template all<2>().first(), m.arm_b[2]);
    put(error.first(), m.gap);
    put(error.template all<1>().first(), m.slip[0]);
    put(error.template all<2>().first(), m.slip[1]);
    put(friction_bound(c, h), m.friction);
    put(max(x.lambda[0], S(0)) * scale, m.push);
    put(x.lambda[1] * scale, m.rub[0]);
    put(x.lambda[2] * scale, m.rub[1]);
}

/// In which lanes a contact is there.
template <class C>
[[nodiscard, gnu::always_inline]] constexpr auto presence_of([[maybe_unused]] C const& c) noexcept {
    if constexpr (requires { c.presence.here; })
        return c.presence.here;
    else
        return true;
}
/// Normal and arms of k points as they will be in the middle of the step, if the contact goes on as it has gone. Where a body rolls or rocks, a push along the
/// normal of the step's beginning lags behind what it holds, and feeds a swing: over n substeps of symplectic Euler with a push that leads by a time s
///
///   theta' = theta + step v - step^2 omega^2 (n + 1) / (2 n) (theta + s v),   v' = v - step omega^2 (theta + s v)
///
/// a share (omega step)^2 ((n - 1) / (2 n) - s / step) of the energy is won. So s is half of the step less a substep.
template <class Q, class Entry, class S, class M>
constexpr void lead(Entry const* from, std::size_t k, twist<S> const& ta, twist<S> const& tb, S const& step, S const& h, M& m) noexcept {
    auto const& c = from->constraint;
    S steadiness(1);
    mask_t<S> here = false;
    vec3<S> turning{};
    for (std::size_t i = k; i-- > 0;) {
        auto const& y = from[i].constraint;
        auto const is_here = presence_of(y);
        here = here || is_here;
        steadiness = select(is_here, min(steadiness, y.steadiness), steadiness);
        turning = select(is_here, y.turning, turning);
    }
    S const most(value_type_t<S>(0.04));  // (0.2 rad)^2 in a step: beyond, what turns has no use for a line along its way
    auto const slow = max(squared_norm(ta.angular), squared_norm(tb.angular)) * step * step < most;
    S const ahead = select(here && slow, steadiness * (step - h) / S(2), S(0));
    auto const leads = ahead > S(0);
    if (!any(leads)) return;
    vec3<S> const n = select(leads, normalize(c.normal + turning * ahead), c.normal), t = select(leads, normalize(c.tangent - n * dot(n, c.tangent)), c.tangent), u = cross(n, t);
    for (std::size_t i = 0; i < k; ++i) {
        vec3<S> const ra{m.arm_a[0][i], m.arm_a[1][i], m.arm_a[2][i]}, rb{m.arm_b[0][i], m.arm_b[1][i], m.arm_b[2][i]};
        vec3<S> const apart = tb.linear - ta.linear, points_apart = apart + cross(tb.angular, rb) - cross(ta.angular, ra);
        vec3<S> const on_b = from[i].constraint.arm_rate, on_a = on_b + apart - n * dot(n, points_apart);
        S const far = select(presence_of(from[i].constraint), ahead, S(0));
        for (std::size_t j = 0; j < 3; ++j) {
            m.arm_a[j][i] = select(leads, ra[j] + on_a[j] * far, ra[j]);
            m.arm_b[j][i] = select(leads, rb[j] + on_b[j] * far, rb[j]);
        }
    }
    if (k > 1)
        for (std::size_t i = k; i < 4; ++i)  // go where the first one goes
            for (std::size_t j = 0; j < 3; ++j) {
                m.arm_a[j][i] = m.arm_a[j][0];
                m.arm_b[j][i] = m.arm_b[j][0];
            }
    Q::of(n[0], n[1], n[2], S(0)).store(m.normal);
    Q::of(t[0], t[1], t[2], S(0)).store(m.tangent);
    Q::of(u[0], u[1], u[2], S(0)).store(m.bitangent);
}

/// Bodies that turn together at `spin` (1/s), their centres apart by t_apart and u_apart (m): b goes around a, as what stands on a turntable, with a centripetal
/// acceleration of spin^2 times that; and a belt between them turns its way. At the middle of a substep of h. Who turns more than half a radian in a step goes no
/// way that a line could follow.
template <class S, class M>
constexpr void go_around(M& m, S const& common, S const& t_apart, S const& u_apart, S const& h, S const& step) noexcept {
    S const angle = abs(common) * step;
    S const spin = select(angle > S(value_type_t<S>(least_common_turn)) && angle < S(value_type_t<S>(0.5)), common, S(0));
    m.drive_rate[0] = -(spin * spin * t_apart + spin * m.drive[1]);
    m.drive_rate[1] = -(spin * spin * u_apart - spin * m.drive[0]);
    for (std::size_t i = 0; i < 2; ++i) m.drive[i] = m.drive[i] + m.drive_rate[i] * h / S(2);
}
/// The points of entries from `first` on that belong together: the same bodies, normal and softness. How many. h of a substep.
template <class Q, class P, class Entries, class S, class Packed>
[[nodiscard, gnu::flatten]] constexpr std::size_t gather(P const& p, Entries const& entries, std::size_t first, S const& h, S const& step, S const& warm_start, packed_axes<S> const* axes, Packed const* bodies, started_manifold<S>& m) {
    auto const& e = entries[first];
    auto const& c = e.constraint;
    std::uint32_t const a = e.bodies[0], b = e.bodies[1];
    auto const& pose_a = p.bodies[a].pose;
    auto const& pose_b = p.bodies[b].pose;
    m.node = {a, b};
    m.moves = {p.masses[a].movable, p.masses[b].movable};
    m.is_crowded = false;
    vec3<S> const n = c.normal, t = c.tangent, u = c.bitangent();
    S const alpha = c.softness;
    auto const belongs = [&](auto const& x) {
        auto const& y = x.constraint;
        bool const as_soft = static_cast<bool>(y.softness == alpha), as_damped = static_cast<bool>(y.soft_damping == c.soft_damping);
        return x.bodies[0] == a && x.bodies[1] == b && is_same(y.normal, n) && as_soft && as_damped && is_same(y.surface_velocity, c.surface_velocity);
    };
    std::size_t k = 1;
    while (k < 4 && first + k < entries.size() && belongs(entries[first + k])) ++k;

    Q const zero = Q::splat(S(0));
    Q::of(n[0], n[1], n[2], S(0)).store(m.normal);
    Q::of(t[0], t[1], t[2], S(0)).store(m.tangent);
    Q::of(u[0], u[1], u[2], S(0)).store(m.bitangent);
    m.drive[0] = dot(t, c.surface_velocity);
    m.drive[1] = dot(u, c.surface_velocity);
    vec3<S> const apart = pose_b.position - pose_a.position;
    go_around(m, common_spin(n, p.bodies[a].twist.angular, p.bodies[b].twist.angular), dot(t, apart), dot(u, apart), h, step);
    m.is_driven = any(differs(m.drive[0], S(0))) || any(differs(m.drive[1], S(0)));
    S const lag = h + alpha * c.soft_damping;
    auto const soft = alpha > S(0);
    m.soft_rate = select(soft, S(1) / lag, S(0));

    S const softness = select(soft, alpha / (h * lag), S(0));
    for (std::size_t i = 0; i < 4; ++i) m.softness[i] = i < k ? softness : S(0);
    if (k == 1)
        place_point<Q>(e, apart, axes[a], axes[b], h, h * warm_start, m);
    else
        place_points<Q>(&e, k, apart, axes[a], axes[b], h, h * warm_start, m);
    m.count = static_cast<std::uint8_t>(k);
    if constexpr (floating_scalar<S>) lead<Q>(&e, k, p.bodies[a].twist, p.bodies[b].twist, step, h, m);
    m.last = m.pushing();
    m.is_laid = false;
    if (k > 1 && !any(m.last > S(0))) {
        // What comes nearer by 1 cm/s before any force has acted comes with a hit.
        auto const velocities = twist_pair<Q>::load(bodies[a], bodies[b]);
        Q const rate = spread<Q>::load(m.normal).along(velocities.at(point_quads<Q>::load(m.arm_a), point_quads<Q>::load(m.arm_b)));
        m.is_laid = !any(smaller(rate + Q::splat(S(value_type_t<S>(1e-2))), zero).total().first() < S(0));
    }
    return k;
}
/// Surfaces that move over their bodies have done so for h.
template <class S>
constexpr void drive(contact_manifold<S>& m, S const& h) noexcept {
    for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t i = 0; i < 2; ++i) m.slip[i][k] = m.slip[i][k] - m.drive[i] * h;
    for (std::size_t i = 0; i < 2; ++i) m.drive[i] = m.drive[i] + m.drive_rate[i] * h;
}
/// The impulses into the multipliers of the entries that they came from, times scale.
template <class Entries, class S>
constexpr void give(started_manifold<S> const& m, Entries const& entries, S const& scale) {
    vec3<S> const t = entries[m.first].constraint.tangent, u = entries[m.first].constraint.bitangent();
    for (std::size_t k = 0; k < m.count; ++k) {
        auto& e = entries[m.first + k];
        auto const& c = e.constraint;
        e.lambda = {m.push[k] * scale, m.rub[0][k] * scale, m.rub[1][k] * scale};
        if (k > 0 && !is_same(c.tangent, t)) {
            vec3<S> const f = t * e.lambda[1] + u * e.lambda[2];
            e.lambda[1] = dot(c.tangent, f);
            e.lambda[2] = dot(c.bitangent(), f);
        }
    }
}

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
template <class Q, class S>
[[gnu::flatten]] constexpr void prepare_point(contact_manifold<S>& m, mask_t<S> const& asks, packed_mass<S> const& wa, packed_mass<S> const& wb) noexcept {
    Q const n = Q::load(m.normal), t = Q::load(m.tangent), u = Q::load(m.bitangent);
    S const masses = wa.linear[0] + wb.linear[0];
    auto const turned = [&](Q const& r, packed_mass<S> const& w) {  // of the push along n, t and u; and of all three directions together
        Q const k = turn_of(w, cross_product(r, n)), x = Q::load(w.angular[0]) * r.template all<0>() + (Q::load(w.angular[1]) * r.template all<1>() + Q::load(w.angular[2]) * r.template all<2>());
        Q const trace = Q::splat(w.angular[0][0] + w.angular[1][1] + w.angular[2][2]);
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
template <class Q, class S>
[[gnu::flatten]] constexpr void prepare_points(contact_manifold<S>& m, mask_t<S> const& asks, packed_mass<S> const& wa, packed_mass<S> const& wb) noexcept {
    Q const n = Q::load(m.normal);
    auto const ra = point_quads<Q>::load(m.arm_a), rb = point_quads<Q>::load(m.arm_b);
    S const masses = wa.linear[0] + wb.linear[0];
    Q rows[4] = {Q::splat(masses), Q::splat(masses), Q::splat(masses), Q::splat(masses)};
    Q turning = Q::splat(S(0));
    Q coupled[2][4] = {{turning, turning, turning, turning}, {turning, turning, turning, turning}};
    auto const add = [&](point_quads<Q> const& r, packed_mass<S> const& w) {
        auto const j = cross_each(n, r);  // r x n but for its sign
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
        // Over three directions (r x e) . I^-1 (r x e) adds up to tr(I^-1) r.r - r . I^-1 r; less the one along n it is that of friction.
        point_quads<Q> const i{dot_each(x, r), dot_each(y, r), dot_each(z, r)};
        Q const trace = Q::splat(w.angular[0][0] + w.angular[1][1] + w.angular[2][2]);
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

/// What follows from arms and directions, in the lanes that ask for it for the first time.
template <class Q, class S>
[[gnu::noinline]] constexpr void prepare(contact_manifold<S>& m, mask_t<S> const& asks, packed_mass<S> const& wa, packed_mass<S> const& wb) noexcept {
    m.is_ready = m.is_ready || asks;
    if (auto const several = asks && m.several; any(several)) prepare_points<Q>(m, several, wa, wb);
    if (auto const single = asks && m.single; any(single)) prepare_point<Q>(m, single, wa, wb);
}

}  // namespace sinew::inline v0::detail
