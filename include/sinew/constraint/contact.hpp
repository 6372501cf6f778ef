#pragma once
// Where two bodies touch, or are about to: they push apart along a normal and rub across it.
//
//   d = p_b - p_a            between the points of the two surfaces, anchored in the bodies
//   e = q_b - q_a            between points beneath them, where the surfaces are rounded about those by r, r_a and r_b together
//   c = (n . e - r, t . (d + s), u . (d + s))
//
//   n        normal from a to b;  t, u = n x t  directions across it; world frame, constant within a step
//   s        how far b had slipped over a, since it began to stick, when the anchors were set
//   lambda   (N) push along n, friction on b along t and u
//
//   c_n >= 0,  lambda_n >= 0                                   (Waterson 2026, eq. 5.29 with a and b swapped; Vondrak 2005, eq. 6.35)
//   c_t = 0    as long as |lambda_t| <= mu lambda_n            (Waterson 2026, eq. 5.53; Vondrak 2005, eq. 6.39-6.43)
//
// Friction holds a place, not only a velocity: what sticks does not creep. Who finds contacts sets the anchors anew in every step,
// where the surfaces are nearest now, and hands on what is to be remembered: `continued` gives s, and whether it slides.
//
// Sticking takes the static coefficient. Once friction has given way the dynamic one holds, until it is enough to stop the sliding: what
// is needed to stop is then less than it, and the contact sticks again. (5.53 decides anew in every iteration, without a memory: it sticks again where
// the static coefficient is enough.)
//
// A ball that rolls does not lift the point where it touches, which is another one at every moment: its push is measured from its centre. Of
// what is not round q is p. And it goes by the arc that rolls off, not by its chord: to d is added what rolled_arc.hpp says of the radius from q to p.
//
// A surface that moves over its body, a conveyor belt, asks for  t . d_dot = t . v_s  instead.

#include <sinew/constraint/anchor.hpp>
#include <sinew/constraint/friction_cone.hpp>
#include <sinew/constraint/material.hpp>
#include <sinew/constraint/rolled_arc.hpp>

#include <cstdint>

namespace sinew::inline v0 {

namespace detail {
/// In which lanes a contact is there at all, and which it is of those of its two bodies. Without lanes there is nothing to say: it is there.
template <class S, bool = has_lanes_v<S>>
struct contact_presence {
    [[nodiscard]] friend constexpr bool operator==(contact_presence const&, contact_presence const&) = default;
};
template <class S>
struct contact_presence<S, true> {
    mask_t<S> here = true;
    std::uint32_t place = 0;
    // A number of its own whenever it is written anew, or 0: two with the same differ at most by what has been pushed, and where they are. Who changes anything else sets it to 0.
    std::uint64_t written = 0;
    [[nodiscard]] friend constexpr bool operator==(contact_presence const& a, contact_presence const& b) noexcept { return all(a.here == b.here) && a.place == b.place; }
};
/// How fast two bodies turn together about a normal, 1/s: what one of them turns beyond the other grinds over it.
template <class S>
[[nodiscard]] constexpr S common_spin(vec3<S> const& normal, vec3<S> const& angular_a, vec3<S> const& angular_b) noexcept {
    S const a = dot(normal, angular_a), b = dot(normal, angular_b);
    return max(S(0), min(a, b)) + min(S(0), max(a, b));
}
/// By how much an arc is longer than its chord, from its start to its end, is along the plane with normal n that touches it there; m. Of a circle of radius r
///   r theta - r sin(theta),   tan(theta / 2) = k = chord . n / |chord across n|,   theta / sin(theta) = (1 + k^2) atan(k) / k
/// 0 of one that is shorter than a thirtieth of the size whose square is size2, or bent by more than a right angle.
template <class S>
[[nodiscard]] constexpr vec3<S> hidden_by_bending(vec3<S> const& chord, vec3<S> const& normal, S const& size2) noexcept {
    using T = value_type_t<S>;
    S const up = dot(normal, chord);
    vec3<S> const across = chord - normal * up;
    S const length2 = squared_norm(across);
    auto const is_arc = length2 > size2 * S(T(1e-3)) && up * up < length2;
    S const k2 = select(is_arc, up * up / select(is_arc, length2, S(1)), S(0));
    return across * (k2 * (S(T(2) / T(3)) - k2 * S(T(2) / T(15))));
}
/// (|slip| / give)^2 of a contact that slides, and a little: what has stopped does not slide again by a rounding.
inline constexpr double bent_as_far_as_it_goes = 1.001;
/// In a step, rad: less is no turning. What lies still trembles by as much.
inline constexpr double least_common_turn = 1e-5;
/// By what angle they have done so.
template <class S>
struct common_turn {
    S cosine{1}, sine{0};
    bool is_none = true;

    constexpr common_turn() = default;
    constexpr common_turn(S const& spin, S const& h) noexcept {
        S const angle = spin * h;
        is_none = !any(abs(angle) > S(value_type_t<S>(least_common_turn)));
        if (is_none) return;
        cosine = cos(angle);
        sine = sin(angle);
    }
};
}  // namespace detail

/// (3 rows, m, bounded) Friction: friction_cone, friction_pyramid or friction_lagged.
template <scalar S, class Friction>
struct contact_with {
    static constexpr std::size_t rows = 3;
    static constexpr bool additive_error = true;
    using attachments = binds<rigid, rigid>;
    using friction_type = Friction;

    vec3<S> anchor_a{};                 ///< where the surface of a is nearest, frame of a, m
    vec3<S> anchor_b{};                 ///< where the surface of b is, frame of b, m
    vec3<S> core_a{};                   ///< the point about which the surface of a is round there, or the anchor, frame of a, m
    vec3<S> core_b{};                   ///< the same of b, frame of b, m
    S rounding{0};                      ///< of both surfaces together, m
    vec3<S> normal{S(0), S(0), S(1)};   ///< from a to b, unit, world
    vec3<S> tangent{S(1), S(0), S(0)};  ///< across the normal, unit, world
    vec3<S> slip{};                     ///< of b over a since it began to stick, when the anchors were set, world, m
    S static_friction{value_type_t<S>(0.6)};        ///< coefficient while sticking
    S dynamic_friction{value_type_t<S>(0.6)};       ///< coefficient while sliding
    S restitution{0};                               ///< share of the approach speed that a hit gives back
    S restitution_threshold{value_type_t<S>(0.5)};  ///< approach speed below which nothing bounces, m/s
    S softness{0};                                  ///< compliance of the push, 1/(N/m); 0 is hard
    S soft_damping{0};                              ///< damping of a soft push, N s/m
    vec3<S> surface_velocity{};                     ///< of the surface of a against that of b, apart from the bodies' motion, world, m/s
    S pressing{0};                                  ///< the push of the last step, N: the width of friction_lagged
    mask_t<S> slides = false;                       ///< friction has given way
    vec3<S> turning{};                              ///< how fast the normal has turned in the last step, world, 1/s
    vec3<S> arm{};                                  ///< from the origin of b to its surface, where that was found, world, m
    vec3<S> arm_rate{};                             ///< how fast that arm has changed in the last step, world, m/s; of a ball that rolls it does not
    vec3<S> travel{};                               ///< how fast the contact went over the surface of b then, world, m/s
    S steadiness{};                                 ///< 0 to 1: the share of turning and travel that the step before had too
    [[no_unique_address]] detail::contact_presence<S> presence{};

    /// Between points of the two surfaces, with the normal from a to b; world frame. round_a and round_b are the radii of the surfaces there (m).
    [[nodiscard]] static constexpr contact_with at(auto const& a, auto const& b, vec3<S> const& on_a, vec3<S> const& on_b, vec3<S> const& normal,
                                                   material<S> const& m = {}, S const& round_a = S(0), S const& round_b = S(0)) noexcept {
        contact_with c = between(normal, m);
        c.place(a, b, on_a, on_b, round_a, round_b);
        return c;
    }
    /// Of surfaces with a normal, not placed yet.
    [[nodiscard]] static constexpr contact_with between(vec3<S> const& normal, material<S> const& m) noexcept {
        contact_with c;
        c.normal = normalize(normal);
        c.tangent = orthonormal_basis(c.normal).u;
        c.set(m);
        return c;
    }
    /// At other points, with the same normal.
    constexpr void place(auto const& a, auto const& b, vec3<S> const& on_a, vec3<S> const& on_b, S const& round_a = S(0), S const& round_b = S(0)) noexcept {
        anchor_a = a.local_point(on_a);
        anchor_b = b.local_point(on_b);
        core_a = any(round_a != S(0)) ? a.local_point(on_a - normal * round_a) : anchor_a;
        core_b = any(round_b != S(0)) ? b.local_point(on_b + normal * round_b) : anchor_b;
        rounding = round_a + round_b;
        if constexpr (has_small_squares_v<S>) arm = on_b - b.position;
    }
    /// With the properties of a pair of surfaces.
    constexpr void set(material<S> const& m) noexcept {
        static_friction = m.static_friction;
        dynamic_friction = m.dynamic_friction;
        restitution = m.restitution;
        restitution_threshold = m.restitution_threshold;
        softness = m.compliance;
        soft_damping = m.damping;
        surface_velocity = m.surface_velocity;
    }
    /// The other direction across the normal.
    [[nodiscard]] constexpr vec3<S> bitangent() const noexcept { return cross(normal, tangent); }
    /// The coefficient that holds now.
    [[nodiscard]] constexpr S friction() const noexcept { return select(slides, dynamic_friction, static_friction); }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto across = b.point(anchor_b) - a.point(anchor_a) + slip;
        if constexpr (has_small_squares_v<S>)
            if (any(rounding > S(0))) across = across + (arc_b(b).hidden() - arc_a(a).hidden());
        return stack_rows(room(a, b), dot(tangent, across), dot(bitangent(), across));
    }
    /// The first row of it alone, m: what is left between the surfaces.
    [[nodiscard]] constexpr auto room(auto const& a, auto const& b) const noexcept { return dot(normal, b.point(core_b) - a.point(core_a)) - rounding; }
    /// What the rows' rates are to be: those of the points, less that of a surface which moves by itself.
    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        auto across = (tb.linear - ta.linear) + (cross(tb.angular, b.direction(anchor_b)) - cross(ta.angular, a.direction(anchor_a))) - surface_velocity;
        if constexpr (has_small_squares_v<S>)
            if (any(rounding > S(0))) across = across + (arc_b(b).hidden_rate(tb.angular) - arc_a(a).hidden_rate(ta.angular));
        return stack_rows(approach(a, b, ta, tb), dot(tangent, across), dot(bitangent(), across));
    }
    /// The first row of it alone, m/s: below 0 where they come nearer.
    [[nodiscard]] constexpr auto approach(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return dot(normal, (tb.linear - ta.linear) + (cross(tb.angular, b.direction(core_b)) - cross(ta.angular, a.direction(core_a))));
    }
    /// What it is not beyond, however the bodies are turned, m/s: (x + y + z)^2 <= 3 (x^2 + y^2 + z^2).
    [[nodiscard]] constexpr S approach_at_most(twist<S> const& ta, twist<S> const& tb) const noexcept {
        return sqrt(S(3) * (squared_norm(tb.linear - ta.linear) + (squared_norm(ta.angular) * squared_norm(core_a) + squared_norm(tb.angular) * squared_norm(core_b))));
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 3, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        vec3<S> const ra = a.direction(anchor_a), rb = b.direction(anchor_b);
        vec3<S> const axes[3] = {normal, tangent, bitangent()};
        mat<S, 3, 12> J;
        detail::place_pull(J, 0, 0, -normal, a.direction(core_a));
        detail::place_pull(J, 0, 6, normal, b.direction(core_b));
        for (std::size_t i = 1; i < 3; ++i) {
            detail::place_pull(J, i, 0, -axes[i], ra);
            detail::place_pull(J, i, 6, axes[i], rb);
        }
        if constexpr (has_small_squares_v<S>)
            if (any(rounding > S(0))) {
                auto const of_a = arc_a(a), of_b = arc_b(b);
                for (std::size_t i = 1; i < 3; ++i) {
                    vec3<S> const turn_a = of_a.hidden_turn(axes[i]), turn_b = of_b.hidden_turn(axes[i]);
                    for (std::size_t k = 0; k < 3; ++k) {
                        J(i, 3 + k) = J(i, 3 + k) - turn_a[k];
                        J(i, 9 + k) = J(i, 9 + k) + turn_b[k];
                    }
                }
            }
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr vec<S, 3> jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> of_anchors = centripetal(tb.angular, b.direction(anchor_b)) - centripetal(ta.angular, a.direction(anchor_a));
        vec3<S> const of_cores = centripetal(tb.angular, b.direction(core_b)) - centripetal(ta.angular, a.direction(core_a));
        if constexpr (has_small_squares_v<S>)
            if (any(rounding > S(0))) of_anchors = of_anchors + (arc_b(b).hidden_acceleration(tb.angular) - arc_a(a).hidden_acceleration(ta.angular));
        return {dot(normal, of_cores), dot(tangent, of_anchors), dot(bitangent(), of_anchors)};
    }
    [[nodiscard]] constexpr vec<S, 3> compliance() const noexcept { return {softness, S(0), S(0)}; }
    [[nodiscard]] constexpr vec<S, 3> damping() const noexcept { return {soft_damping, S(0), S(0)}; }

    /// The pyramid around the cone: for strategies that know bounds only.
    [[nodiscard]] constexpr bounds<S, 3> limits([[maybe_unused]] vec<S, 3> const& lambda, auto const&, auto const&) const noexcept
        requires(!Friction::is_lagged)
    {
        return pyramid(lambda[0]);
    }
    [[nodiscard]] constexpr bounds<S, 3> limits() const noexcept
        requires(Friction::is_lagged)
    {
        return pyramid(pressing);
    }
    /// The friction nearest to lambda's that the push lambda[0] allows.
    [[nodiscard]] constexpr vec<S, 3> within_friction(vec<S, 3> const& lambda) const noexcept {
        return Friction::within(lambda, friction() * max(Friction::is_lagged ? pressing : lambda[0], S(0)));
    }
    /// Rates of approach (m/s) into those after the hit.
    [[nodiscard]] constexpr vec<S, 3> restitution_rate(vec<S, 3> const& approach) const noexcept {
        return {select(approach[0] < -restitution_threshold, -restitution * approach[0], S(0)), S(0), S(0)};
    }

    /// Whether the friction of a step is at least this share of all that it may be.
    [[nodiscard]] constexpr bool rubs_hard(vec<S, 3> const& lambda, S const& share) const noexcept {
        S const most = friction() * max(Friction::is_lagged ? pressing : lambda[0], S(0)) * share;
        if constexpr (floating_scalar<S>)
            return !all(lambda[1] * lambda[1] + lambda[2] * lambda[2] < most * most);
        else  // squares of hundreds of newtons have no room
            return !all(norm(vec<S, 2>{lambda[1], lambda[2]}) < most);
    }
    /// This contact, found anew, remembers `last` and the multipliers which that had after a step of h seconds. Yields them as this one's
    /// multipliers, to start from. The poses are those of now. Friction that has given way has done so for good when it has let the surfaces
    /// slip by `give` (m): of several contacts of a body that sticks some may well be at their limits. It holds again when they slip no more.
    constexpr vec<S, 3> continue_from(contact_with const& last, vec<S, 3> const& lambda, auto const& a, auto const& b, S const& h,
                                      S const& give = S(value_type_t<S>(3e-4))) noexcept {
        vec3<S> const was = b.point(last.anchor_b);
        vec3<S> apart = was - a.point(last.anchor_a);
        if constexpr (has_small_squares_v<S>) apart = apart + hidden_way(last, a, b);
        vec<S, 3> const next = continue_apart(last, lambda, apart, h, give);
        if (all(lambda[0] > S(0))) follow(last, b.point(anchor_b) - was, h);
        return next;
    }
    /// What the slip since it was `last` is beyond the distance of that one's anchors, m, world: that grows too where round surfaces roll over each other.
    [[nodiscard]] constexpr vec3<S> hidden_way(contact_with const& last, auto const& a, auto const& b) const noexcept {
        vec3<S> const over_a = anchor_a - last.anchor_a, over_b = anchor_b - last.anchor_b;
        S const size_a = squared_norm(anchor_a), size_b = squared_norm(anchor_b), least(value_type_t<S>(1e-3));
        auto const rolls = squared_norm(over_a) > size_a * least || squared_norm(over_b) > size_b * least;
        if (!any(rolls)) return {};
        return select(rolls, detail::hidden_by_bending(a.direction(over_a), normal, size_a) - detail::hidden_by_bending(b.direction(over_b), normal, size_b), vec3<S>{});
    }
    /// How it has gone since it was `last`, `over` (m, world) over the surface of b in h seconds.
    constexpr void follow(contact_with const& last, vec3<S> const& over, S const& h) noexcept {
        if constexpr (has_small_squares_v<S>) {
            S const rate = select(h > S(0), S(1) / select(h > S(0), h, S(1)), S(0)), arm2 = min(squared_norm(anchor_a), squared_norm(anchor_b));
            turning = (normal - last.normal) * rate;
            travel = (over - normal * dot(normal, over)) * rate;
            arm_rate = (arm - last.arm) * rate;
            S const size2 = squared_norm(travel) + squared_norm(turning) * arm2, kept = dot(travel, last.travel) + dot(turning, last.turning) * arm2;
            S const still(value_type_t<S>(1e-8));  // (0.1 mm/s)^2: what rests leads nothing
            steadiness = clamp(S(2) * kept / (size2 + still), S(0), S(1));
        }
    }
    /// Whether the same two points may go on as the contact of bodies that hardly move against each other: not while they slide.
    [[nodiscard]] constexpr bool may_stay(vec<S, 3> const& lambda) const noexcept { return !(slides && any(lambda[0] > S(0))); }
    /// Sticks, and has more than half of its friction left: of such a contact nothing changes but its normal, to n.
    [[nodiscard]] constexpr bool holds(vec<S, 3> const& lambda) const noexcept { return all(lambda[0] > S(0)) && !rubs_hard(lambda, S(1) / S(2)); }
    constexpr void hold(vec<S, 3> const& lambda, vec3<S> const& n, S const& h) noexcept {
        turn_to(n);
        pressing = lambda[0];
        run(surface_velocity, h);
    }
    /// Of one that does not hold: what `continue_from` would come to with the same anchors. The points are at on_a and on_b (world).
    constexpr vec<S, 3> stay(vec<S, 3> const& lambda, vec3<S> const& n, auto const& b, vec3<S> const& on_a, vec3<S> const& on_b, S const& h,
                             S const& give = S(value_type_t<S>(3e-4))) noexcept {
        auto const turn_and_anchor = [&](vec3<S> const& apart) {
            turn_to(n);
            anchor_b = b.local_point(on_a + apart);
            core_b = anchor_b;
        };
        vec3<S> const apart = n * dot(n, on_b - on_a);
        if (all(lambda[0] > S(0))) {
            contact_with const last = *this;
            turn_and_anchor(apart);
            return continue_apart(last, lambda, on_b - on_a, h, give);
        }
        turn_and_anchor(apart);
        pressing = S(0);
        slides = !is_tiny(on_b - on_a - apart, give);  // what touches while it moves slides
        slip = {};
        return {};
    }
    /// Both bodies have turned about the normal: what the surfaces remember of each other goes with them.
    constexpr void turn_with_bodies(detail::common_turn<S> const& t) noexcept {
        auto const turned = [&](vec3<S> const& v) { return v * t.cosine + cross(normal, v) * t.sine; };
        tangent = turned(tangent);
        slip = turned(slip);
        surface_velocity = turned(surface_velocity);
    }
    constexpr void turn_to(vec3<S> const& n) noexcept {
        steadiness = S(0);
        if constexpr (derivative_order_v<S> > 0) {
            if (n == normal) {  // the same, whichever derivatives are asked for: only these turn
                S const along = dot(n, tangent);
                normal = n;
                tangent = tangent - n * (along - S(value(along)));
                return;
            }
        }
        if (!any(differs(n, normal))) return;
        normal = n;
        tangent = normalize(tangent - n * dot(n, tangent));
    }
    // A surface that stands, but whose speed is what derivatives are taken by, runs on under the anchors in these alone.
    constexpr void run([[maybe_unused]] vec3<S> const& speed, [[maybe_unused]] S const& h) noexcept {
        if constexpr (derivative_order_v<S> > 0) slip = slip - (speed - normal * dot(normal, speed)) * h;
    }
    // A slip of hardly more than a rounding has a direction, but none to take derivatives of: they are as large as it is small, and where they cancel each other
    // only their rounding is left. Whichever way the tangent points, it only stays across the normal.
    constexpr void fix_tangent() noexcept {
        vec3<S> fixed{};
        for (std::size_t k = 0; k < 3; ++k) fixed[k] = S(value(tangent[k]));
        tangent = detail::with_values_of(normalize(fixed - normal * dot(normal, fixed)), tangent);
    }
    // Lengths against `give`, by their squares where those have digits.
    [[nodiscard]] static constexpr S share_of(vec3<S> const& v, S const& give) noexcept {  // (|v| / give)^2
        if constexpr (floating_scalar<S>) return squared_norm(v) / (give * give);
        S const share = norm(v) / give;
        return share * share;
    }
    [[nodiscard]] static constexpr bool is_tiny(vec3<S> const& v, S const& give) noexcept {
        if constexpr (floating_scalar<S>) return all(squared_norm(v) <= give * give / S(1000));
        return all(norm(v) * S(32) <= give);
    }
    /// Other points touch than when it was `last`: of round surfaces, which roll (in fixed point by more than its digits tell), or where both anchors have moved by
    /// more than a rounding. Were they kept, the push would act behind the point that touches now, and drive the bodies on.
    [[nodiscard]] constexpr mask_t<S> rolled_from(contact_with const& last, S const& give) const noexcept {
        vec3<S> const over_a = anchor_a - last.anchor_a, over_b = anchor_b - last.anchor_b;
        if constexpr (floating_scalar<S>) {
            S const rounding_there = S(value_type_t<S>(4)) * epsilon_v<S>;
            S const least = max(give * give * S(value_type_t<S>(1e-9)), rounding_there * rounding_there * max(squared_norm(anchor_a), squared_norm(anchor_b)));
            return rounding > S(0) || min(squared_norm(over_a), squared_norm(over_b)) > least;
        } else {
            return !is_tiny(over_a, give / S(1024)) && !is_tiny(over_b, give / S(1024));
        }
    }
    /// Turns the tangent along a direction, this way or that, or leaves it where that has no part across the normal: a pyramid is exact along its axes.
    constexpr void align(vec3<S> const& direction) noexcept {
        vec3<S> const across = direction - normal * dot(normal, direction);
        S const back = select(dot(across, tangent) < S(0), S(-1), S(1));
        if constexpr (floating_scalar<S>) {
            S const size2 = squared_norm(across);
            if (all(size2 > S(0))) tangent = across * (back / sqrt(size2));
        } else if (vec3<S> const u = normalize(across); u != vec3<S>{}) {  // the square of a slip has hardly a digit
            tangent = u * back;
        }
    }

    [[nodiscard]] constexpr input_fault fault() const noexcept {
        material<S> m;
        m.static_friction = static_friction;
        m.dynamic_friction = dynamic_friction;
        m.restitution = restitution;
        m.restitution_threshold = restitution_threshold;
        m.compliance = softness;
        m.damping = soft_damping;
        m.surface_velocity = surface_velocity;
        return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b), finite_parameter("core_a", core_a), finite_parameter("core_b", core_b),
                           nonnegative_parameter("rounding", rounding), unit_parameter("normal", normal), unit_parameter("tangent", tangent),
                           perpendicular_parameter("tangent", tangent, normal), finite_parameter("slip", slip), m.fault(), nonnegative_parameter("pressing", pressing));
    }
    [[nodiscard]] friend constexpr bool operator==(contact_with const&, contact_with const&) = default;

private:
    // The radii from the cores to the anchors, which pointed along the normal when they were set.
    [[nodiscard]] constexpr auto arc_a(auto const& a) const noexcept { return detail::rolled_arc_of(a.direction(anchor_a - core_a), anchor_a - core_a, normal); }
    [[nodiscard]] constexpr auto arc_b(auto const& b) const noexcept { return detail::rolled_arc_of(b.direction(anchor_b - core_b), anchor_b - core_b, -normal); }
    // `continue_from`, where the anchors of `last` are apart by so much (m, world).
    constexpr vec<S, 3> continue_apart(contact_with const& last, vec<S, 3> const& lambda, vec3<S> const& apart, S const& h, S const& give) noexcept {
        vec3<S> const push = last.tangent * lambda[1] + last.bitangent() * lambda[2];
        pressing = max(lambda[0], S(0));  // a rounding may have left it below
        vec3<S> const d = apart + last.slip - last.surface_velocity * h;
        slip = d - normal * dot(normal, d);
        // Some strategies take the push for the friction's bounds from a solve before the last: there half may be all, and the way tells.
        S const way = share_of(slip, give);
        bool const full = last.rubs_hard(lambda, S(value_type_t<S>(0.999))), hard = last.rubs_hard(lambda, S(value_type_t<S>(0.5)));
        bool const moves = !is_tiny(slip - last.slip, give);
        if (!all(lambda[0] > S(0))) {  // what touches while it moves slides
            slides = moves;
            slip = {};
            return {};
        }
        slides = (full && !all(way <= S(value_type_t<S>(detail::bent_as_far_as_it_goes)))) || (hard && !all(way <= S(100))) || (last.slides && hard && moves);
        if (slides || !all(way <= S(1))) {
            align(slip);
            if constexpr (derivative_order_v<S> > 0)
                if (all(way <= sqrt(epsilon_v<S>))) fix_tangent();
        } else if (hard) {
            align(push);
        }
        // As a bristle that is bent as far as it goes: let go, it would have to be bent anew before it holds.
        if (slides && !all(way <= S(1))) slip = slip * (S(1) / sqrt(way));
        // The same points of both bodies keep their anchors: the rounding of thousands of steps would add up to a creep.
        if (!slides && last.surface_velocity == vec3<S>{} && is_tiny(anchor_a - last.anchor_a, give) && is_tiny(anchor_b - last.anchor_b, give) && !rolled_from(last, give)) {
            anchor_a = last.anchor_a;
            anchor_b = last.anchor_b;
            slip = last.slip;
            run(last.surface_velocity, h);
            if (rounding == last.rounding) {
                core_a = last.core_a;
                core_b = last.core_b;
            }
        }
        return within_friction({lambda[0], dot(tangent, push), dot(bitangent(), push)});
    }
    [[nodiscard]] constexpr bounds<S, 3> pyramid(S const& push) const noexcept {
        S const most = friction() * max(push, S(0));
        // What slides is held back along its way alone, where the tangent points then: across it a pyramid would hold it too.
        S const aside = select(slides && Friction::is_round, S(0), most);
        return {{S(0), -most, -aside}, {infinity_v<S>, most, aside}};
    }
};

/// Friction alike in every direction.
template <class S>
using contact = contact_with<S, friction_cone>;
/// Friction in each of two directions by itself.
template <class S>
using pyramid_contact = contact_with<S, friction_pyramid>;
/// Friction by the push of the last step.
template <class S>
using lagged_contact = contact_with<S, friction_lagged>;

}  // namespace sinew::inline v0
