#pragma once
// What a contact remembers from step to step, in lanes: what contact.hpp decides by `if` is decided here by select, lane by lane, with the bits of
// continue_from and stay there.
//
//   on     lanes that are meant; in the others nothing of the contact changes
//
// Of eight lanes nearly always some stay where they were and some are looked for anew, and the same friction holds both: one pass does.

#include <sinew/constraint/contact.hpp>

namespace sinew::inline v0::detail {

/// a where the mask is set, else b.
template <class S, class F>
[[nodiscard]] constexpr contact_with<S, F> select_contact(mask_t<S> const& on, contact_with<S, F> const& a, contact_with<S, F> const& b) noexcept {
    contact_with<S, F> r;
    r.anchor_a = select(on, a.anchor_a, b.anchor_a);
    r.anchor_b = select(on, a.anchor_b, b.anchor_b);
    r.core_a = select(on, a.core_a, b.core_a);
    r.core_b = select(on, a.core_b, b.core_b);
    r.rounding = select(on, a.rounding, b.rounding);
    r.normal = select(on, a.normal, b.normal);
    r.tangent = select(on, a.tangent, b.tangent);
    r.slip = select(on, a.slip, b.slip);
    r.static_friction = select(on, a.static_friction, b.static_friction);
    r.dynamic_friction = select(on, a.dynamic_friction, b.dynamic_friction);
    r.restitution = select(on, a.restitution, b.restitution);
    r.restitution_threshold = select(on, a.restitution_threshold, b.restitution_threshold);
    r.softness = select(on, a.softness, b.softness);
    r.soft_damping = select(on, a.soft_damping, b.soft_damping);
    r.surface_velocity = select(on, a.surface_velocity, b.surface_velocity);
    r.pressing = select(on, a.pressing, b.pressing);
    r.slides = select(on, a.slides, b.slides);
    r.turning = select(on, a.turning, b.turning);
    r.arm = select(on, a.arm, b.arm);
    r.arm_rate = select(on, a.arm_rate, b.arm_rate);
    r.travel = select(on, a.travel, b.travel);
    r.steadiness = select(on, a.steadiness, b.steadiness);
    r.presence.here = select(on, a.presence.here, b.presence.here);
    r.presence.place = a.presence.place;
    return r;
}
// to = select(on, from, to), number by number: g++ keeps a vector in between in memory, and reads it wider than it was written.
template <class M, class T>
constexpr void assign_where(M const& on, T& to, std::type_identity_t<T> const& from) noexcept {
    to = select(on, from, to);
}
template <class M, class S>
constexpr void assign_where(M const& on, vec3<S>& to, std::type_identity_t<vec3<S>> const& from) noexcept {
    to.e[0] = select(on, from.e[0], to.e[0]);
    to.e[1] = select(on, from.e[1], to.e[1]);
    to.e[2] = select(on, from.e[2], to.e[2]);
}
template <class S>
[[nodiscard]] constexpr mask_t<S> is_zero(vec3<S> const& v) noexcept {
    return v[0] == S(0) && v[1] == S(0) && v[2] == S(0);
}
// friction: the coefficient that holds for c.
template <class S, class F>
[[nodiscard]] constexpr mask_t<S> rubs_hard(contact_with<S, F> const& c, S const& friction, vec<S, 3> const& lambda, S const& share) noexcept {
    S const most = friction * max(F::is_lagged ? c.pressing : lambda[0], S(0)) * share;
    return !(lambda[1] * lambda[1] + lambda[2] * lambda[2] < most * most);
}
template <class S, class F>
constexpr void align(contact_with<S, F>& c, mask_t<S> const& on, vec3<S> const& direction) noexcept {
    vec3<S> const across = direction - c.normal * dot(c.normal, direction);
    S const size2 = squared_norm(across);
    auto const turns = on && size2 > S(0);
    c.tangent = select(turns, across * (select(dot(across, c.tangent) < S(0), S(-1), S(1)) / sqrt(select(turns, size2, S(1)))), c.tangent);
}

/// What has become of a contact since it was `last`, with the multipliers lambda of a step of h. In the lanes `stays` it is between bodies that have hardly moved
/// against each other, and has the normal n now: contact_with::hold and stay. In the lanes `found` c is at new points: contact_with::continue_from. In all others c is
/// left as it is. Yields the multipliers to start from, 0 in these. is_last: c is a copy of `last`, and is still said to be the same if nothing but its push has changed.
template <class S, class F, class Frame>
[[gnu::flatten, gnu::noinline]] constexpr vec<S, 3> go_on(contact_with<S, F>& c, mask_t<S> const& found, mask_t<S> const& stays, contact_with<S, F> const& last, vec<S, 3> const& lambda,
                                                          vec3<S> const& n, Frame const& a, Frame const& b, S const& h, bool is_last) noexcept {
    S const give(value_type_t<S>(3e-4));
    // What stays is asked as the surfaces are now, what is found as they were.
    S const friction = select(last.slides, select(stays, c.dynamic_friction, last.dynamic_friction), select(stays, c.static_friction, last.static_friction));
    auto const pushes = lambda[0] > S(0), hard = rubs_hard(last, friction, lambda, S(value_type_t<S>(0.5)));
    auto const tilts = stays && !(n[0] == last.normal[0] && n[1] == last.normal[1] && n[2] == last.normal[2]);
    if (is_last && !any(found || (stays && (hard || !pushes)) || tilts)) {  // contact_with::hold in all of them, as of what has come to rest
        assign_where(stays, c.steadiness, S(0));
        assign_where(stays, c.pressing, lambda[0]);
        return select(stays, lambda, vec<S, 3>{});
    }
    c.presence.written = 0;
    vec3<S> const on_a = a.point(last.anchor_a), on_b = b.point(last.anchor_b), apart = on_b - on_a;
    vec<S, 3> next{};
    mask_t<S> on = found;
    if (any(stays)) {
        on = on || (stays && pushes && hard);
        next = select(stays && pushes, lambda, next);
        if (!is_last) {
            assign_where(stays, c.tangent, last.tangent);
            assign_where(stays, c.anchor_a, last.anchor_a);
            assign_where(stays, c.core_a, last.core_a);
            assign_where(stays, c.anchor_b, last.anchor_b);
            assign_where(stays, c.core_b, last.core_b);
            assign_where(stays, c.rounding, last.rounding);
            assign_where(stays, c.turning, last.turning);
            assign_where(stays, c.arm, last.arm);
            assign_where(stays, c.arm_rate, last.arm_rate);
            assign_where(stays, c.travel, last.travel);
            assign_where(stays, c.slip, last.slip);
            assign_where(stays, c.slides, last.slides);
        }
        if (any(tilts)) assign_where(tilts, c.tangent, normalize(last.tangent - n * dot(n, last.tangent)));
        assign_where(stays, c.normal, n);
        assign_where(stays, c.steadiness, S(0));
        assign_where(stays, c.pressing, select(pushes, lambda[0], S(0)));
        if (auto const anew = stays && !(pushes && !hard); any(anew)) {
            vec3<S> const up = n * dot(n, apart), anchor = b.local_point(on_a + up);
            assign_where(anew, c.anchor_b, anchor);
            assign_where(anew, c.core_b, anchor);
            auto const idle = stays && !pushes;
            assign_where(idle, c.slides, !(squared_norm(apart - up) <= give * give / S(1000)));
            assign_where(idle, c.slip, vec3<S>{});
        }
    }
    if (!any(on)) return next;
    vec3<S> const push = last.tangent * lambda[1] + last.bitangent() * lambda[2];
    vec3<S> const way_apart = any(found) ? select(found, apart + c.hidden_way(last, a, b), apart) : apart;
    vec3<S> const d = way_apart + last.slip - last.surface_velocity * h;
    vec3<S> slip = d - c.normal * dot(c.normal, d);
    S const way = squared_norm(slip) / (give * give);
    auto const full = rubs_hard(last, friction, lambda, S(value_type_t<S>(0.999)));
    auto const moves = !(squared_norm(slip - last.slip) <= give * give / S(1000));
    auto const far = !(way <= S(1));
    auto const slides = (full && !(way <= S(value_type_t<S>(bent_as_far_as_it_goes)))) || (hard && !(way <= S(100))) || (last.slides && hard && moves);
    auto const goes_on = on && pushes;
    if (auto const turns = goes_on && (slides || far || hard); any(turns)) align(c, turns, select(slides || far, slip, push));
    if (auto const bends = slides && far; any(bends)) slip = select(bends, slip * (S(1) / sqrt(select(bends, way, S(1)))), slip);
    auto const keeps = goes_on && !slides && is_zero(last.surface_velocity) && squared_norm(c.anchor_a - last.anchor_a) <= give * give / S(1000) &&
                       squared_norm(c.anchor_b - last.anchor_b) <= give * give / S(1000) && !c.rolled_from(last, give);
    if (any(keeps)) {
        assign_where(keeps, c.anchor_a, last.anchor_a);
        assign_where(keeps, c.anchor_b, last.anchor_b);
        slip = select(keeps, last.slip, slip);
        auto const same = keeps && c.rounding == last.rounding;
        assign_where(same, c.core_a, last.core_a);
        assign_where(same, c.core_b, last.core_b);
    }
    if (auto const follows = found && pushes; any(follows)) {
        auto const turning = c.turning, travel = c.travel, arm_rate = c.arm_rate;
        auto const steadiness = c.steadiness;
        c.follow(last, b.point(c.anchor_b) - on_b, h);
        c.turning = select(follows, c.turning, turning);
        c.travel = select(follows, c.travel, travel);
        c.arm_rate = select(follows, c.arm_rate, arm_rate);
        c.steadiness = select(follows, c.steadiness, steadiness);
    }
    assign_where(on, c.pressing, max(lambda[0], S(0)));
    assign_where(on, c.slip, select(pushes, slip, vec3<S>{}));
    assign_where(on, c.slides, select(pushes, slides, moves));
    return select(goes_on, c.within_friction({lambda[0], dot(c.tangent, push), dot(c.bitangent(), push)}), next);
}

}  // namespace sinew::inline v0::detail
