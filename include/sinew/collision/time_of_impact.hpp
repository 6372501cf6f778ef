#pragma once
// When two shapes that move and turn first touch: conservative advancement (Mirtich 1996).
//
//   no point of a comes nearer to the plane across n faster than   n . v + |n x omega| r
//
// v: speed of the centre of mass, omega: of turning, r: the farthest the shape reaches from its centre. With both shapes' speeds the
// distance cannot be used up before  distance / (closing speed): so far time may go, and then the distance is asked again.

#include <sinew/collision/distance.hpp>
#include <sinew/collision/exact_closest.hpp>
#include <sinew/core/call_view.hpp>

namespace sinew::inline v0 {

/// A shape's way through a step, from fraction 0 to 1: it turns about a point that moves along a line.
template <scalar S>
struct motion {
    using scalar_type = S;
    frame<S> start{};                            ///< of the shape
    vec3<S> center{S(0), S(0), S(0)};            ///< m, world: what it turns about, at the start
    vec3<S> translation{S(0), S(0), S(0)};       ///< m, world, of the centre
    vec3<S> rotation{S(0), S(0), S(0)};          ///< rad, world

    [[nodiscard]] constexpr frame<S> at(S const& fraction) const noexcept {
        mat3<S> const turn = so3_exp(rotation * fraction);
        return {center + fraction * translation + turn * (start.position - center), {turn * start.rotation.m}};
    }
    [[nodiscard]] friend constexpr bool operator==(motion const&, motion const&) = default;
};

/// What stands.
template <class S>
[[nodiscard]] constexpr motion<S> at_rest(frame<S> const& f) noexcept {
    return {f, f.position, {S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
}

/// When two moving shapes touch.
template <scalar S>
struct impact {
    using scalar_type = S;
    enum class status : unsigned char {
        none,      // they do not come as near as the target
        hit,       // at `fraction` they are as near as the target, and were not before
        at_start,  // they are at the start
        undecided  // up to `fraction` they are not; the search was ended there
    };
    status what = status::none;
    S fraction{1};                         ///< how far both may go
    closest<S> nearest{};                  ///< at that fraction; not set for none
    std::uint32_t part_a = 0, part_b = 0;  ///< of composed shapes

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return what != status::none; }
    [[nodiscard]] friend constexpr bool operator==(impact const&, impact const&) = default;
};

namespace detail {

/// The farthest a shape reaches from a point of its frame (m), from above.
template <class S, class T>
[[nodiscard]] constexpr S reach_about(T const& shape, vec3<S> const& p) noexcept {
    if constexpr (has_support<T, S>) {
        aabb<S> const b = bounds_of<S>(shape, frame<S>{});
        vec3<S> far{S(0), S(0), S(0)};
        for (std::size_t i = 0; i < 3; ++i) far[i] = max(abs(b.lower[i] - p[i]), abs(b.upper[i] - p[i]));
        return norm(far);
    } else {
        return infinity_v<S>;
    }
}

/// A box of the world around all places of a shape on its way.
template <class S, class T>
[[nodiscard]] constexpr aabb<S> bounds_of_motion(T const& shape, motion<S> const& m) noexcept {
    aabb<S> const b = bounds_of<S>(shape, m.start);
    if (m.rotation == vec3<S>{S(0), S(0), S(0)} || !is_bounded(b)) return swept(b, m.translation);
    // It stays within the ball about the centre; and within the box around the start, moved by the arc at most.
    vec3<S> far{S(0), S(0), S(0)};
    for (std::size_t i = 0; i < 3; ++i) far[i] = max(abs(b.lower[i] - m.center[i]), abs(b.upper[i] - m.center[i]));
    S const reach = norm(far);
    aabb<S> const ball = grown(aabb<S>{m.center, m.center}, reach);
    aabb<S> const arc = grown(b, reach * norm(m.rotation));
    aabb<S> turned{};
    for (std::size_t i = 0; i < 3; ++i) {
        turned.lower[i] = max(ball.lower[i], arc.lower[i]);
        turned.upper[i] = min(ball.upper[i], arc.upper[i]);
    }
    return swept(turned, m.translation);
}

/// Of two convex shapes whose nearest points nearest(frame, frame) finds, and which reach so far (m) from what they turn about.
template <class S, class Nearest>
[[nodiscard]] constexpr impact<S> impact_by(Nearest const& nearest, motion<S> const& ma, S const& reach_a, motion<S> const& mb, S const& reach_b, S const& target,
                                            S const& tolerance) noexcept {
    using status = typename impact<S>::status;
    constexpr int rounds = 64;
    impact<S> r;
    vec3<S> const relative_translation = ma.translation - mb.translation;
    auto const turning = [](vec3<S> const& n, vec3<S> const& rotation, S const& reach) {
        S const w = norm(cross(n, rotation));
        return w == S(0) ? S(0) : w * reach;
    };
    r.fraction = S(0);
    for (int k = 0; k < rounds; ++k) {
        r.nearest = nearest(ma.at(r.fraction), mb.at(r.fraction));
        S const gap = r.nearest.distance - target;
        if (gap <= tolerance) {
            r.what = k == 0 ? status::at_start : status::hit;
            return r;
        }
        vec3<S> const& n = r.nearest.normal;
        S const closing = dot(n, relative_translation) + turning(n, ma.rotation, reach_a) + turning(n, mb.rotation, reach_b);
        if (!(closing > S(0)) || !(r.fraction + gap / closing <= S(1))) {
            r.what = status::none;
            r.fraction = S(1);
            return r;
        }
        r.fraction = r.fraction + gap / closing;
    }
    r.what = status::undecided;
    return r;
}

template <class S, class A, class B>
[[nodiscard]] constexpr impact<S> impact_of_pair(A const& a, motion<S> const& ma, B const& b, motion<S> const& mb, S const& target, S const& tolerance) noexcept {
    S const reach_a = reach_about<S>(a, ma.start.local_point(ma.center)), reach_b = reach_about<S>(b, mb.start.local_point(mb.center));
    auto const nearest = [&](frame<S> const& fa, frame<S> const& fb) { return closest_apart<S>(a, fa, b, fb); };
    return seen_as<closest<S>(frame<S> const&, frame<S> const&)>(nearest, [&](auto const& seen) { return impact_by(seen, ma, reach_a, mb, reach_b, target, tolerance); });
}

}  // namespace detail

/// The first fraction of two motions at which the shapes are within `target` of each other (m), but for `tolerance` (m), which must be
/// positive. At the fraction that is returned they are not nearer than the target: nothing has passed through anything.
template <scalar S, shape_like<S> A, shape_like<S> B>
[[nodiscard]] constexpr impact<S> time_of_impact(A const& a, motion<S> const& ma, B const& b, motion<S> const& mb, std::type_identity_t<S> const& target,
                                                 std::type_identity_t<S> const& tolerance) noexcept {
    if constexpr (!is_composed<A, S> && !is_composed<B, S>) {
        return detail::impact_of_pair<S>(a, ma, b, mb, target, tolerance);
    } else {
        using status = typename impact<S>::status;
        impact<S> first;
        // A composed shape's parts are asked for in the frame of its start, where the other is on its way relative to it.
        auto const each_part = [](auto const& shape, motion<S> const& m, auto const& other, motion<S> const& mo, S const& extra, auto const& f) {
            using T = std::remove_cvref_t<decltype(shape)>;
            if constexpr (is_composed<T, S>) {
                bool const stands = m.translation == vec3<S>{} && m.rotation == vec3<S>{};
                aabb<S> const way = grown(detail::bounds_of_motion<S>(other, mo), extra);
                aabb<S> const near = stands ? transformed(way, inverse(m.start)) : unbounded_aabb<S>();
                shape.for_each_part(near, [&](std::uint32_t number, auto const& part, frame<S> const& local) {
                    f(number, part, motion<S>{m.start * local, m.center, m.translation, m.rotation});
                });
            } else {
                f(std::uint32_t{0}, shape, m);
            }
        };
        S const extra = target + tolerance;
        each_part(a, ma, b, mb, extra, [&](std::uint32_t number_a, auto const& part_a, motion<S> const& at_a) {
            each_part(b, mb, part_a, at_a, extra, [&](std::uint32_t number_b, auto const& part_b, motion<S> const& at_b) {
                if (!overlaps(grown(detail::bounds_of_motion<S>(part_a, at_a), extra), detail::bounds_of_motion<S>(part_b, at_b))) return;
                impact<S> r = detail::impact_of_pair<S>(part_a, at_a, part_b, at_b, target, tolerance);
                if (r.what == status::none || (first.what != status::none && !(r.fraction < first.fraction))) return;
                r.part_a = number_a;
                r.part_b = number_b;
                first = r;
            });
        });
        return first;
    }
}

}  // namespace sinew::inline v0
