#pragma once
// Vectors at up to four points side by side, and the twists of the two bodies that meet there.
//
// Several points are seen in the frame of the contact, along n, t and u: arms, speeds, pushes and torques. So what is along n needs no sum over the axes of the
// world, point by point: only the twists themselves go there and back.

#include <sinew/config/inlining.hpp>
#include <sinew/solver/contact_manifold.hpp>

namespace sinew::inline v0::detail {

// Three components, each of four points.
template <class Q>
struct point_quads {
    Q x, y, z;
    template <class S>
    [[nodiscard]] SINEW_ALWAYS_INLINE static constexpr point_quads load(S const (&e)[3][4]) noexcept {
        return {Q::load(e[0]), Q::load(e[1]), Q::load(e[2])};
    }
    template <class S>
    SINEW_ALWAYS_INLINE constexpr void store(S (&e)[3][4]) const noexcept {
        x.store(e[0]);
        y.store(e[1]);
        z.store(e[2]);
    }
};
// The first of the points.
template <class V, class S, std::size_t Points>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr V first_of(S const (&e)[3][Points]) noexcept {
    return V::of(e[0][0], e[1][0], e[2][0], S(0));
}
// Component I of a vector, for all points.
template <int I, class Q, class V>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q for_all(V const& v) noexcept {
    if constexpr (std::same_as<Q, V>)
        return v.template all<I>();
    else
        return Q::splat(v.template all<I>().first());
}
// A vector of the sums over all points.
template <class V, class Q>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr V sums_of(Q const& x, Q const& y, Q const& z) noexcept {
    using S = std::remove_cvref_t<decltype(x.first())>;
    if constexpr (std::same_as<Q, V>)
        return Q::sums(x, y, z, Q::splat(S(0)));
    else
        return V::of(x.total().first(), y.total().first(), z.total().first(), S(0));
}
// Columns times the components of a vector.
template <class V, class S>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr V times(S const (&columns)[3][4], V const& x) noexcept {
    return V::load(columns[0]) * x.template all<0>() + (V::load(columns[1]) * x.template all<1>() + V::load(columns[2]) * x.template all<2>());
}
template <class V, class Mass>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr V turn_of(Mass const& w, V const& torque) noexcept {
    return w.template row<V>(0) * torque.template all<0>() + (w.template row<V>(1) * torque.template all<1>() + w.template row<V>(2) * torque.template all<2>());
}

// The frame of a contact: what of a vector of the world is along n, t and u, and back.
template <class V>
struct contact_frame {
    V n, t, u;
    template <class M>
    [[nodiscard]] SINEW_ALWAYS_INLINE static constexpr contact_frame of(M const& m) noexcept {
        return {V::load(m.normal), V::load(m.tangent), V::load(m.bitangent)};
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr V seen(V const& x) const noexcept {
        using S = std::remove_cvref_t<decltype(x.first())>;
        return V::sums(n * x, t * x, u * x, V::splat(S(0)));
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr V in_world(V const& x) const noexcept { return n * x.template all<0>() + (t * x.template all<1>() + u * x.template all<2>()); }
};
// Component I along n, t and u of w x r, at each point.
template <int I, class Q, class V, class S>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q turning_along(V const& w, S const (&r)[3][4]) noexcept {
    constexpr int J = (I + 1) % 3, K = (I + 2) % 3;
    return for_all<J, Q>(w) * Q::load(r[K]) - for_all<K, Q>(w) * Q::load(r[J]);
}
// sum of r x f, all along n, t and u; p, q and s of each point.
template <class V, class Q, class S>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr V torque_of(S const (&r)[3][4], Q const& p, Q const& q, Q const& s) noexcept {
    Q const x = Q::load(r[0]), y = Q::load(r[1]), z = Q::load(r[2]);
    return sums_of<V>(y * s - z * q, z * p - x * s, x * q - y * p);
}

// How two bodies move against each other, along n, t and u.
template <class V>
struct seen_twists {
    V speed, turn_a, turn_b;  // of b against a; of each
    // Of b against a at each point, along direction I.
    template <int I, class Q, class M>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q along(M const& m) const noexcept {
        return for_all<I, Q>(speed) + (turning_along<I, Q>(turn_b, m.arm_b) - turning_along<I, Q>(turn_a, m.arm_a));
    }
};

// Velocities of the two bodies, or any twists.
template <class Q>
struct twist_pair {
    using vectors = Q;
    Q va, wa, vb, wb;
    template <class Packed>
    [[nodiscard]] SINEW_ALWAYS_INLINE static constexpr twist_pair load(Packed const& a, Packed const& b) noexcept {
        return {Q::load(a.e), Q::load(a.e + 4), Q::load(b.e), Q::load(b.e + 4)};
    }
    // In the frame of the contact.
    template <class M>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr seen_twists<Q> seen(M const& m) const noexcept {
        auto const frame = contact_frame<Q>::of(m);
        return {frame.seen(vb - va), frame.seen(wa), frame.seen(wb)};
    }
    template <class M>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q at_point(M const& m) const noexcept {
        return (vb - va) + (cross_product(wb, first_of<Q>(m.arm_b)) - cross_product(wa, first_of<Q>(m.arm_a)));
    }
    // By impulses along n, t and u at the points; or by one at the only point.
    template <class M, class P, class Bodies>
    SINEW_ALWAYS_INLINE constexpr void push_points(M const& m, P const& p, P const& q, P const& s, Bodies const& bodies) noexcept {
        Q const force = contact_frame<Q>::of(m).in_world(sums_of<Q>(p, q, s));
        va = va - force * bodies.mass(m, 0).template pushed<Q>();
        wa = wa - times(m.torque_turn[0], torque_of<Q>(m.arm_a, p, q, s));
        read_again<typename M::scalar_type>();
        vb = vb + force * bodies.mass(m, 1).template pushed<Q>();
        wb = wb + times(m.torque_turn[1], torque_of<Q>(m.arm_b, p, q, s));
    }
    template <class M, class Bodies>
    SINEW_ALWAYS_INLINE constexpr void push_point(M const& m, Q const& f, Bodies const& bodies) noexcept {
        push<typename M::scalar_type>(f, cross_product(first_of<Q>(m.arm_a), f), cross_product(first_of<Q>(m.arm_b), f), bodies.mass(m, 0), bodies.mass(m, 1));
    }
    template <class S, class Mass>
    SINEW_ALWAYS_INLINE constexpr void push(Q const& force, Q const& torque_a, Q const& torque_b, Mass const& a, Mass const& b) noexcept {
        va = va - force * a.template pushed<Q>();
        wa = wa - turn_of(a, torque_a);
        read_again<S>();
        vb = vb + force * b.template pushed<Q>();
        wb = wb + turn_of(b, torque_b);
    }
    template <class S>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr twist_pair where(mask_t<S> const& on, twist_pair const& other) const noexcept {
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
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr twist_pair<Q> velocity(contact_manifold<S> const& m) const noexcept {
        return twist_pair<Q>::load(velocities[m.node[0]], velocities[m.node[1]]);
    }
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr twist_pair<Q> moved(contact_manifold<S> const& m) const noexcept {
        return twist_pair<Q>::load(moves[m.node[0]], moves[m.node[1]]);
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr packed_mass<S> const& mass(contact_manifold<S> const& m, std::size_t body) const noexcept { return masses[m.node[body]]; }
    template <class Q>
    SINEW_ALWAYS_INLINE constexpr void store(contact_manifold<S> const& m, twist_pair<Q> const& v) const noexcept {
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
template <class M, class Bodies, class Motion, class F>
SINEW_ALWAYS_INLINE constexpr void push_where([[maybe_unused]] mask_t<typename M::scalar_type> const& on, M const& m, Bodies const& bodies, Motion& v, F const& push) noexcept {
    using S = typename M::scalar_type;
    if constexpr (has_lanes_v<S>) {
        push();
        if (!all(on)) v = v.template where<S>(on, bodies.template velocity<typename Motion::vectors>(m));
    } else {
        push();
    }
    bodies.store(m, v);
}

}  // namespace sinew::inline v0::detail
