#pragma once
// The points of two bodies with one normal, from the contacts that a step begins with into a manifold; and what it has pushed back into their multipliers.

#include <sinew/config/inlining.hpp>
#include <sinew/solver/contact_points.hpp>

namespace sinew::inline v0::detail {

/// What a point's friction is bounded by: a coefficient, or, lagged, an impulse.
template <class C, class S>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr S friction_bound(C const& c, S const& h) noexcept {
    return C::friction_type::is_lagged ? c.friction() * c.pressing * h : c.friction();
}
/// Where k points of one normal are, and what they push, side by side. Lanes that stand for no point go where the first one goes, and push nothing: their impulses
/// stay 0. apart: from body a to body b.
template <class Q, class Entry, class S>
SINEW_ALWAYS_INLINE constexpr void place_points(Entry const* from, std::size_t k, vec3<S> const& apart, packed_axes<S> const& axes_a, packed_axes<S> const& axes_b, S const& h, S const& scale,
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
        S by_t = dot(t, f), by_u = dot(u, f);
        if constexpr (derivative_order_v<S> > 0)
            if (!any(values_differ(y.tangent, t))) {
                by_t = with_value_of(by_t, m.rub[0][i]);
                by_u = with_value_of(by_u, m.rub[1][i]);
            }
        m.rub[0][i] = by_t;
        m.rub[1][i] = by_u;
    }
}
/// The same of a single point; the other lanes are 0.
template <class Q, class Entry, class S>
SINEW_ALWAYS_INLINE constexpr void place_point(Entry const& x, vec3<S> const& apart, packed_axes<S> const& axes_a, packed_axes<S> const& axes_b, S const& h, S const& scale,
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
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr auto presence_of([[maybe_unused]] C const& c) noexcept {
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

/// Arms along the axes of the world, in the lanes that have several points, into such along n, t and u.
template <class Q, class M>
SINEW_ALWAYS_INLINE constexpr void see_arms(M& m, mask_t<typename M::scalar_type> const& several) noexcept {
    using S = typename M::scalar_type;
    auto const see = [&](S(&arm)[3][4]) {
        auto const r = point_quads<Q>::load(arm);
        auto const along = [&](S const(&d)[4]) { return Q::splat(d[0]) * r.x + (Q::splat(d[1]) * r.y + Q::splat(d[2]) * r.z); };
        put(several, along(m.normal), arm[0]);
        put(several, along(m.tangent), arm[1]);
        put(several, along(m.bitangent), arm[2]);
    };
    see(m.arm_a);
    see(m.arm_b);
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
/// Whether normals are the same, also in their derivatives: but for what rounding makes of those of the bodies' poses, which is to part no points that are together without derivatives.
template <class S, class Pose>
[[nodiscard]] constexpr bool is_same_normal(vec3<S> const& x, vec3<S> const& y, [[maybe_unused]] Pose const& a, [[maybe_unused]] Pose const& b) noexcept {
    if constexpr (derivative_order_v<S> == 0) {
        return x == y;
    } else {
        if (any(values_differ(x, y))) return false;
        using R = typename Pose::rotation_type;
        for (std::size_t k = 1; k < parts_of<S>(); ++k) {
            auto const size = [k](S const& z) {
                auto const d = part_of(z, k);
                return d < 0 ? -d : d;
            };
            auto apart = size(S(0)), about = apart;
            for (std::size_t i = 0; i < 3; ++i) {
                apart += size(x[i] - y[i]);
                about += size(x[i]) + size(y[i]) + size(a.position[i]) + size(b.position[i]);
            }
            for (std::size_t i = 0; i < R::dimension; ++i) about += size(a.rotation.coordinate(i)) + size(b.rotation.coordinate(i));
            using T = value_type_t<S>;
            if (!(apart <= about * (T(4096) * epsilon_v<T>))) return false;
        }
        return true;
    }
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
        return x.bodies[0] == a && x.bodies[1] == b && is_same_normal(y.normal, n, pose_a, pose_b) && as_soft && as_damped && y.surface_velocity == c.surface_velocity;
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

    S const softness = select(soft, soft_share(alpha, h, lag), S(0));
    for (std::size_t i = 0; i < 4; ++i) m.softness[i] = i < k ? softness : S(0);
    if constexpr (derivative_order_v<S> > 0) {
        m.own = {};
        for (std::size_t i = k; i < 4; ++i) m.own.soft_rate[i] = m.soft_rate;  // as of numbers without derivatives, where all four have it
        for (std::size_t i = 0; i < k; ++i) {
            auto const& y = entries[first + i].constraint;
            vec3<S> const more = y.surface_velocity - c.surface_velocity;
            m.own.drive[0][i] = dot(t, more);
            m.own.drive[1][i] = dot(u, more);
            for (std::size_t axis = 0; axis < 2; ++axis) m.is_driven = m.is_driven || any(differs(m.own.drive[axis][i], S(0)));
            S const own_lag = h + y.softness * y.soft_damping;
            m.own.soft_rate[i] = select(soft, S(1) / own_lag, S(0));
            m.softness[i] = select(soft, soft_share(y.softness, h, own_lag), S(0));
        }
    }
    if (k == 1)
        place_point<Q>(e, apart, axes[a], axes[b], h, h * warm_start, m);
    else
        place_points<Q>(&e, k, apart, axes[a], axes[b], h, h * warm_start, m);
    m.count = static_cast<std::uint8_t>(k);
    if constexpr (has_small_squares_v<S>) lead<Q>(&e, k, p.bodies[a].twist, p.bodies[b].twist, step, h, m);
    m.last = m.pushing();
    m.is_laid = false;
    if (k > 1) see_arms<Q>(m, true);
    if (k > 1 && !any(m.last > S(0))) {
        // What comes nearer by 1 cm/s before any force has acted comes with a hit.
        Q const rate = twist_pair<Q>::load(bodies[a], bodies[b]).seen(m).template along<0, Q>(m);
        m.is_laid = !any(any_below(rate + Q::splat(S(value_type_t<S>(1e-2))), zero));
    }
    return k;
}
/// Surfaces that move over their bodies have done so for h.
template <class S, std::size_t Points>
constexpr void drive(contact_manifold<S, Points>& m, S const& h) noexcept {
    for (std::size_t k = 0; k < Points; ++k)
        for (std::size_t i = 0; i < 2; ++i) {
            m.slip[i][k] = m.slip[i][k] - m.drive[i] * h;
            if constexpr (derivative_order_v<S> > 0) m.slip[i][k] = m.slip[i][k] - m.own.drive[i][k] * h;
        }
    for (std::size_t i = 0; i < 2; ++i) m.drive[i] = m.drive[i] + m.drive_rate[i] * h;
}
/// The impulses into the multipliers of the entries that they came from, times scale.
template <class Entries, class S>
constexpr void give(started_manifold<S> const& m, Entries const& entries, S const& scale) {
    vec3<S> const t = entries[m.first].constraint.tangent, u = entries[m.first].constraint.bitangent();
    for (std::size_t k = 0; k < m.count; ++k) {
        auto& e = entries[m.first + k];
        auto const& c = e.constraint;
        auto const force = [&](S const& impulse) {
            if constexpr (floating_scalar<S>) {
                return impulse * scale;
            } else {  // that of a hit over a short substep may have no room. It is begun with in the next step, and shown: the largest there is will do
                using T = value_type_t<S>;
                S const most(T::from_raw(T::largest - 1));
                return clamp(impulse * scale, -most, most);
            }
        };
        e.lambda = {force(m.push[k]), force(m.rub[0][k]), force(m.rub[1][k])};
        if (k > 0 && !is_same(c.tangent, t)) {
            vec3<S> const f = t * e.lambda[1] + u * e.lambda[2];
            S by_t = dot(c.tangent, f), by_u = dot(c.bitangent(), f);
            if constexpr (derivative_order_v<S> > 0)
                if (!any(values_differ(c.tangent, t))) {
                    by_t = with_value_of(by_t, e.lambda[1]);
                    by_u = with_value_of(by_u, e.lambda[2]);
                }
            e.lambda[1] = by_t;
            e.lambda[2] = by_u;
        }
    }
}

}  // namespace sinew::inline v0::detail
