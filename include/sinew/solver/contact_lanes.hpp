#pragma once
// The contacts of contact_sweep.hpp where the scalar has lanes: in each other points push, stick or are not there. The same sweeps, with masks for what is
// decided by `if` over one number, so that a lane has the bits of a world that is alone, to the sign of a zero. What they meet is the ground, which does not move:
// its turning about its arms is 0 or -0, and so seen by nobody, as sums of quads are never -0.
//
//   single, several     lanes with one point, and with more

#include <sinew/config/inlining.hpp>
#include <sinew/solver/contact_sweep.hpp>

namespace sinew::inline v0::detail {

template <bool OfB, class M>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr auto const& arm_of(M const& m) noexcept {
    if constexpr (OfB)
        return m.arm_b;
    else
        return m.arm_a;
}
// How the body that moves does so against the ground, along n, t and u: what seen_twists has, with the same bits. MovesB: it is the second body.
template <class V, bool MovesB>
struct seen_over_ground {
    V speed, turning;
    template <int I, class Q, class M>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q along(M const& m) const noexcept {
        Q const own = turning_along<I, Q>(turning, arm_of<MovesB>(m));
        return MovesB ? for_all<I, Q>(speed) + own : for_all<I, Q>(speed) - own;
    }
};
// Velocity, or twist, of the body that moves, the other being the ground: what twist_pair has, with the same bits, without the products that are zero.
// MovesB: it is the second body.
template <class Q, bool MovesB>
struct twist_over_ground {
    using vectors = Q;
    Q v, w;
    // Of b against a.
    [[nodiscard]] SINEW_ALWAYS_INLINE static constexpr Q against(Q const& mine) noexcept { return MovesB ? mine : Q::splat(std::remove_cvref_t<decltype(mine.first())>(0)) - mine; }
    template <class M>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr seen_over_ground<Q, MovesB> seen(M const& m) const noexcept {
        auto const frame = contact_frame<Q>::of(m);
        return {frame.seen(against(v)), frame.seen(w)};
    }
    template <class M>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q at_point(M const& m) const noexcept {
        return against(v + cross_product(w, first_of<Q>(arm_of<MovesB>(m))));
    }
    template <class M, class P, class Bodies>
    SINEW_ALWAYS_INLINE constexpr void push_points(M const& m, P const& p, P const& q, P const& s, Bodies const& bodies) noexcept {
        pushed(contact_frame<Q>::of(m).in_world(sums_of<Q>(p, q, s)), times(m.torque_turn[MovesB], torque_of<Q>(arm_of<MovesB>(m), p, q, s)), bodies.mass(m, MovesB));
    }
    template <class M, class Bodies>
    SINEW_ALWAYS_INLINE constexpr void push_point(M const& m, Q const& f, Bodies const& bodies) noexcept {
        auto const& mass = bodies.mass(m, MovesB);
        pushed(f, turn_of(mass, cross_product(first_of<Q>(arm_of<MovesB>(m)), f)), mass);
    }
    template <class S>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr twist_over_ground where(mask_t<S> const& on, twist_over_ground const& other) const noexcept {
        return {select_quad<S>(on, v, other.v), select_quad<S>(on, w, other.w)};
    }

private:
    template <class Mass>
    SINEW_ALWAYS_INLINE constexpr void pushed(Q const& force, Q const& turn, Mass const& mass) noexcept {
        Q const gained = force * mass.template pushed<Q>();
        v = MovesB ? v + gained : v - gained;
        w = MovesB ? w + turn : w - turn;
    }
};
template <class S, class Packed, bool MovesB>
struct body_over_ground {
    bodies_in_rows<S, Packed> const& all;

    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr twist_over_ground<Q, MovesB> velocity(contact_manifold<S> const& m) const noexcept {
        S const* const e = all.velocities[m.node[MovesB]].e;
        return {Q::load(e), Q::load(e + 4)};
    }
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr twist_over_ground<Q, MovesB> moved(contact_manifold<S> const& m) const noexcept {
        S const* const e = all.moves[m.node[MovesB]].e;
        return {Q::load(e), Q::load(e + 4)};
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr packed_mass<S> const& mass(contact_manifold<S> const& m, std::size_t body) const noexcept { return all.masses[m.node[body]]; }
    template <class Q>
    SINEW_ALWAYS_INLINE constexpr void store(contact_manifold<S> const& m, twist_over_ground<Q, MovesB> const& v) const noexcept {
        S* const e = all.velocities[m.node[MovesB]].e;
        v.v.store(e);
        v.w.store(e + 4);
    }
};
// In which lanes t is the tangent of a contact.
template <class C, class S>
[[nodiscard]] constexpr mask_t<S> has_tangent(C const& c, vec3<S> const& t) noexcept {
    return c.tangent[0] == t[0] && c.tangent[1] == t[1] && c.tangent[2] == t[2];
}
/// `gather` for the entries of one pair of colliders. How many.
template <class Q, class P, class Entries, class S, class Packed>
    requires has_lanes_v<S>
[[nodiscard, gnu::flatten]] constexpr std::size_t gather(P const& p, Entries const& entries, std::size_t first, S const& h, S const& step, S const& warm_start, packed_axes<S> const* axes, Packed const* bodies, contact_manifold<S>& m) {
    auto const& e = entries[first];
    auto const& c = e.constraint;
    using friction_type = typename std::remove_cvref_t<decltype(c)>::friction_type;
    std::uint32_t const a = e.bodies[0], b = e.bodies[1];
    m.node = {a, b};
    m.points = S(0);
    m.is_ready = false;
    m.both_move = false;
    m.moves = {p.masses[a].movable, p.masses[b].movable};
    vec3<S> const n = c.normal, t = c.tangent, u = c.bitangent();
    Q const zero = Q::splat(S(0)), nq = Q::of(n[0], n[1], n[2], S(0)), tq = Q::of(t[0], t[1], t[2], S(0)), uq = Q::of(u[0], u[1], u[2], S(0));
    nq.store(m.normal);
    tq.store(m.tangent);
    uq.store(m.bitangent);
    m.drive[0] = dot(t, c.surface_velocity);
    m.drive[1] = dot(u, c.surface_velocity);
    m.is_driven = any(differs(m.drive[0], S(0))) || any(differs(m.drive[1], S(0)));
    S const alpha = c.softness, lag = h + alpha * c.soft_damping;
    auto const soft = alpha > S(0);
    m.soft_rate = select(soft, S(1) / lag, S(0));
    if constexpr (derivative_order_v<S> > 0) m.own = own_derivatives<S, 4>::of_one(m.soft_rate);
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
        m.softness[k] = select(here && soft, soft_share(alpha, h, lag), S(0));
        S const scale = h * warm_start;
        m.push[k] = select(here, max(x.lambda[0], S(0)) * scale, S(0));
        S along_t = x.lambda[1] * scale, along_u = x.lambda[2] * scale;
        if (auto const other = !has_tangent(y, t); k > 0 && any(other)) {
            vec3<S> const f = y.tangent * along_t + y.bitangent() * along_u;
            along_t = select(other, dot(t, f), along_t);
            along_u = select(other, dot(u, f), along_u);
        }
        m.rub[0][k] = select(here, along_t, S(0));
        m.rub[1][k] = select(here, along_u, S(0));
    }
    lead<Q>(&e, k, p.bodies[a].twist, p.bodies[b].twist, step, h, m);
    for (std::size_t i = k; i < 4; ++i) {
        m.live[i] = false;
        for (S* row : {m.gap, m.slip[0], m.slip[1], m.friction, m.softness, m.push, m.rub[0], m.rub[1]}) row[i] = S(0);
        for (std::size_t axis = 0; axis < 3; ++axis) m.arm_a[axis][i] = m.arm_b[axis][i] = S(0);
    }
    m.single = m.points == S(1);
    m.several = m.points > S(1);
    bool const any_several = any(m.several);
    for (std::size_t i = 1; i < 4 && any_several; ++i) {
        auto const spare = m.several && !m.live[i];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            m.arm_a[axis][i] = select(spare, m.arm_a[axis][0], m.arm_a[axis][i]);
            m.arm_b[axis][i] = select(spare, m.arm_b[axis][0], m.arm_b[axis][i]);
        }
        m.gap[i] = select(spare, m.gap[0], m.gap[i]);
    }
    if (any_several) see_arms<Q>(m, m.several);
    m.count = static_cast<std::uint8_t>(k);
    m.last = m.pushing();
    m.is_laid = false;
    if (any_several) {
        using V = vectors_of<Q, S>;
        Q const rate = twist_pair<V>::load(bodies[a], bodies[b]).seen(m).template along<0, Q>(m);
        m.is_laid = m.several && !(m.last > S(0)) && !any_below(rate + Q::splat(S(value_type_t<S>(1e-2))), Q::splat(S(0)));
    }
    return k;
}
template <class Entries, class S>
    requires has_lanes_v<S>
constexpr void give(contact_manifold<S> const& m, Entries const& entries, S const& scale) {
    vec3<S> const t = entries[m.first].constraint.tangent, u = entries[m.first].constraint.bitangent();
    for (std::size_t k = 0; k < m.count; ++k) {
        auto& e = entries[m.first + k];
        auto const& c = e.constraint;
        vec<S, 3> const lambda{m.push[k] * scale, m.rub[0][k] * scale, m.rub[1][k] * scale};
        e.lambda = lambda;
        if (auto const other = !has_tangent(c, t); k > 0 && any(other)) {
            vec3<S> const f = t * lambda[1] + u * lambda[2];
            e.lambda[1] = select(other, dot(c.tangent, f), lambda[1]);
            e.lambda[2] = select(other, dot(c.bitangent(), f), lambda[2]);
        }
    }
}

}  // namespace sinew::inline v0::detail
