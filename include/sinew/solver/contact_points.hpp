#pragma once
// Vectors at up to four points side by side, and the twists of the two bodies that meet there.

#include <sinew/solver/contact_manifold.hpp>

namespace sinew::inline v0::detail {

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
// The first of the points.
template <class Q, class S, std::size_t Points>
[[nodiscard, gnu::always_inline]] constexpr Q first_of(S const (&e)[3][Points]) noexcept {
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
template <class Q, class Mass>
[[nodiscard, gnu::always_inline]] constexpr Q turn_of(Mass const& w, Q const& torque) noexcept {
    return w.template row<Q>(0) * torque.template all<0>() + (w.template row<Q>(1) * torque.template all<1>() + w.template row<Q>(2) * torque.template all<2>());
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
        push<typename M::scalar_type>(Q::sums(f.x, f.y, f.z, zero), torque_of(point_quads<Q>::load(m.arm_a), f, zero), torque_of(point_quads<Q>::load(m.arm_b), f, zero), bodies.mass(m, 0), bodies.mass(m, 1));
    }
    template <class M, class Bodies>
    [[gnu::always_inline]] constexpr void push_point(M const& m, Q const& f, Bodies const& bodies) noexcept {
        push<typename M::scalar_type>(f, cross_product(first_of<Q>(m.arm_a), f), cross_product(first_of<Q>(m.arm_b), f), bodies.mass(m, 0), bodies.mass(m, 1));
    }
    template <class S, class Mass>
    [[gnu::always_inline]] constexpr void push(Q const& force, Q const& torque_a, Q const& torque_b, Mass const& a, Mass const& b) noexcept {
        va = va - force * a.template pushed<Q>();
        wa = wa - turn_of(a, torque_a);
        read_again<S>();
        vb = vb + force * b.template pushed<Q>();
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

}  // namespace sinew::inline v0::detail
