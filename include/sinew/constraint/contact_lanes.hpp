#pragma once
// What a contact remembers from step to step, in lanes: what contact.hpp decides by `if` is decided here by select, lane by lane, with the bits of
// continue_from and stay there.
//
//   on     lanes that are meant; in the others nothing of the contact changes

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
    r.travel = select(on, a.travel, b.travel);
    r.steadiness = select(on, a.steadiness, b.steadiness);
    r.presence.here = select(on, a.presence.here, b.presence.here);
    r.presence.place = a.presence.place;
    return r;
}
template <class S>
[[nodiscard]] constexpr mask_t<S> is_zero(vec3<S> const& v) noexcept {
    return v[0] == S(0) && v[1] == S(0) && v[2] == S(0);
}
template <class S, class F>
[[nodiscard]] constexpr mask_t<S> rubs_hard(contact_with<S, F> const& c, vec<S, 3> const& lambda, S const& share) noexcept {
    S const most = c.friction() * max(F::is_lagged ? c.pressing : lambda[0], S(0)) * share;
    return !(lambda[1] * lambda[1] + lambda[2] * lambda[2] < most * most);
}
template <class S, class F>
constexpr void align(contact_with<S, F>& c, mask_t<S> const& on, vec3<S> const& direction) noexcept {
    vec3<S> const across = direction - c.normal * dot(c.normal, direction);
    S const size2 = squared_norm(across);
    c.tangent = select(on && size2 > S(0), across * (select(dot(across, c.tangent) < S(0), S(-1), S(1)) / sqrt(size2)), c.tangent);
}

/// contact_with::continue_from.
template <class S, class F, class Frame>
[[gnu::flatten, gnu::noinline]] constexpr vec<S, 3> continue_from(contact_with<S, F>& c, mask_t<S> const& on, contact_with<S, F> const& last, vec<S, 3> const& lambda, Frame const& a, Frame const& b, S const& h, bool follows = true) noexcept {
    S const give(value_type_t<S>(3e-4));
    vec3<S> const push = last.tangent * lambda[1] + last.bitangent() * lambda[2];
    vec3<S> const was = b.point(last.anchor_b), d = was - a.point(last.anchor_a) + last.slip - last.surface_velocity * h;
    vec3<S> slip = d - c.normal * dot(c.normal, d);
    S const way = squared_norm(slip) / (give * give);
    auto const full = rubs_hard(last, lambda, S(value_type_t<S>(0.999))), hard = rubs_hard(last, lambda, S(value_type_t<S>(0.5)));
    auto const moves = !(squared_norm(slip - last.slip) <= give * give / S(1000));
    auto const far = !(way <= S(1)), pushes = lambda[0] > S(0);
    auto const slides = (full && far) || (hard && !(way <= S(100))) || (last.slides && (full || (hard && moves)));
    align(c, on && pushes && (slides || far || hard), select(slides || far, slip, push));
    slip = select(slides && far, slip * (S(1) / sqrt(way)), slip);
    auto const keeps = on && pushes && !slides && is_zero(last.surface_velocity) && squared_norm(c.anchor_a - last.anchor_a) <= give * give / S(1000) &&
                       squared_norm(c.anchor_b - last.anchor_b) <= give * give / S(1000);
    c.anchor_a = select(keeps, last.anchor_a, c.anchor_a);
    c.anchor_b = select(keeps, last.anchor_b, c.anchor_b);
    slip = select(keeps, last.slip, slip);
    auto const same = keeps && c.rounding == last.rounding;
    c.core_a = select(same, last.core_a, c.core_a);
    c.core_b = select(same, last.core_b, c.core_b);
    if (follows) {
        auto const before = c;
        auto const goes_on = on && pushes;
        c.follow(last, b.point(c.anchor_b) - was, h);
        c.turning = select(goes_on, c.turning, before.turning);
        c.travel = select(goes_on, c.travel, before.travel);
        c.steadiness = select(goes_on, c.steadiness, before.steadiness);
    }
    c.pressing = select(on, lambda[0], c.pressing);
    c.slip = select(on, select(pushes, slip, vec3<S>{}), c.slip);
    c.slides = select(on, select(pushes, slides, moves), c.slides);
    return select(pushes, c.within_friction({lambda[0], dot(c.tangent, push), dot(c.bitangent(), push)}), vec<S, 3>{});
}

// Goes on with normal n; in the lanes `anew` with b's anchor across from a's.
template <class S, class F, class Frame>
constexpr void turn_and_anchor(contact_with<S, F>& c, vec<S, 3> const& lambda, mask_t<S> const& pushes, mask_t<S> const& anew, vec3<S> const& n, Frame const& b, vec3<S> const& on_a,
                               vec3<S> const& on_b) noexcept {
    S const give(value_type_t<S>(3e-4));
    auto const turns = !(n[0] == c.normal[0] && n[1] == c.normal[1] && n[2] == c.normal[2]);
    c.normal = n;
    c.steadiness = S(0);
    if (any(turns)) c.tangent = select(turns, normalize(c.tangent - n * dot(n, c.tangent)), c.tangent);
    c.pressing = select(pushes, lambda[0], S(0));
    if (!any(anew)) return;
    vec3<S> const apart = n * dot(n, on_b - on_a);
    c.anchor_b = select(anew, b.local_point(on_a + apart), c.anchor_b);
    c.core_b = select(anew, c.anchor_b, c.core_b);
    c.slides = select(pushes, c.slides, !(squared_norm(on_b - on_a - apart) <= give * give / S(1000)));
    c.slip = select(pushes, c.slip, vec3<S>{});
}
/// contact_with::stay.
template <class S, class F, class Frame>
[[gnu::flatten, gnu::noinline]] constexpr vec<S, 3> stay(contact_with<S, F>& c, vec<S, 3> const& lambda, vec3<S> const& n, Frame const& a, Frame const& b, vec3<S> const& on_a, vec3<S> const& on_b, S const& h) noexcept {
    auto const pushes = lambda[0] > S(0), rubs = pushes && rubs_hard(c, lambda, S(1) / S(2));
    vec<S, 3> const next = select(pushes, lambda, vec<S, 3>{});
    if (!any(rubs)) {
        turn_and_anchor(c, lambda, pushes, !pushes, n, b, on_a, on_b);
        return next;
    }
    auto const last = c;
    turn_and_anchor(c, lambda, pushes, !pushes || rubs, n, b, on_a, on_b);
    return select(rubs, continue_from(c, rubs, last, lambda, a, b, h, false), next);
}

}  // namespace sinew::inline v0::detail
