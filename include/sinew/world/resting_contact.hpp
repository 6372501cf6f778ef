#pragma once
// Where two bodies touch and neither hits nor leaves: the contact of the equations of motion themselves, for motions that never penetrate
// (Vondrak 2005, 6.5.2-6.5.4).
//
//   c_ddot >= -k_d (c_dot - aim),  lambda_n >= 0, one of them equal        a hit: c_dot >= aim, impulses >= 0
//   sticks   t . v_dot = 0, |lambda_t| <= mu_s lambda_n                     in two directions                        (6.42)
//   slides   lambda_t = -mu_d lambda_n along the sliding, 0 across it                                                (6.38)
//
//   c     separation along the normal n, from a to b, m                     k_d    feedback_damping of the strategy
//   aim   speed with which the bodies are to part, m/s: restitution in a hit, and what takes away an overlap
//   q     core points of the two bodies: the surfaces, or what they are round about by r_a, r_b
//   u     velocity of q_b in the frame of a;  e = q_b - q_a
//
// Positions stay as they are: there is no error to take back but by `aim`. So that J and J_dot v are those of the true separation, and an integrator keeps
// its order, it is told what the normal moves with:
//
//   a        a face of a: n turns with a, and q_b slides over it.  c_ddot = J a + n . (w_b x (w_b x l_b) - w_a x (v_qb - v_a)) + (w_a x n) . u
//   edge_a   an edge of a, along which q_b slides: the same, + |u across the edge and n|^2 / rho,  rho the distance of q_b from the edge
//   cores    two points: an edge without a direction
//   edges    n is across an edge of each.  c_ddot = J a + n . (w_b x (w_b x l_b) - w_a x (w_a x l_a)) + 2 n_dot . u - |e| |n_dot|^2
//   b, edge_b   as a and edge_a
//   nothing     it is held for a step.
//
// What slides over a face may be round itself: of a circle about an axis of the body, of radius r, it is the point nearest to the face that touches, and it
// goes round as the body rolls. With W the turn of that body against the face, t = (axis x n) / s, s the sine of the angle between axis and n, k = t . (W x n):
//
//   c_ddot gets - r k^2 / s,  and the point that touches goes by r k / s along t where b is round, against t where a is
//
// Or it is smooth all over, of a shape that is told by its support function s alone: H = Ds(d) in the direction d out of the face says how the farthest point
// goes as d turns (its eigenvalues are the radii of curvature), and with m = W x n
//
//   c_ddot gets - m . H m,  and the point that touches goes by H m where b is smooth, by -H m where a is
//
// (6.36 takes n_dot from the first body and leaves out n_ddot, which is exact for the faces of polyhedra only.)

#include <sinew/constraint/anchor.hpp>
#include <sinew/constraint/constraint.hpp>
#include <sinew/constraint/material.hpp>

namespace sinew::inline v0 {

/// What a normal turns with.
enum class normal_of : unsigned char { nothing, a, b, edge_a, edge_b, cores, edges };

/// (3 rows, bounded) A push, and friction along `tangent` and across it.
template <scalar S>
struct resting_contact {
    static constexpr std::size_t rows = 3;
    using attachments = binds<rigid, rigid>;

    vec3<S> core_a{};                   ///< frame of a, m
    vec3<S> core_b{};                   ///< frame of b, m
    S round_a{0}, round_b{0};           ///< of the surfaces about them, m
    vec3<S> normal{S(0), S(0), S(1)};   ///< from a to b, unit, world
    vec3<S> tangent{S(1), S(0), S(0)};  ///< unit, world; of what slides along the sliding of b over a
    vec3<S> own_normal{};               ///< the normal in the frame of a or b, where it turns with one of them
    vec3<S> edge_a{}, edge_b{};         ///< directions of edges, unit, frames of a and b, where the normal has to do with them
    normal_of turns = normal_of::nothing;
    vec3<S> circle_axis{}, circle_center{};  ///< of what rolls over a face of the other: unit, and m, in the frame of the body that rolls
    S circle_radius{0};                      ///< m; 0 where nothing is round
    bool is_smooth = false;                  ///< what rolls has a curvature instead
    mat3<S> curvature{};                     ///< how its farthest point goes as the direction turns, m, in its frame
    S static_friction{0}, dynamic_friction{0};
    vec3<S> surface_velocity{};         ///< of the surface of a against that of b, apart from the bodies' motion, world, m/s
    S aim{0};                           ///< speed of parting that is asked for, m/s
    S held_push{-1};                    ///< N; what bounds the friction of what sticks, where it is known beforehand; negative: the push itself
    bool slides = false;
    bool hits = false;                  ///< impulses are asked for: friction brakes, and is bounded by the impulse of the push

    /// Turns the normal as far as the bodies have turned.
    constexpr void follow(auto const& a, auto const& b) noexcept {
        if (turns == normal_of::a) normal = a.direction(own_normal);
        if (turns == normal_of::b) normal = b.direction(own_normal);
        if (circle_radius > S(0)) {
            if (turns == normal_of::a) core_b = circle_point(b, -normal);
            if (turns == normal_of::b) core_a = circle_point(a, normal);
        }
        vec3<S> e = b.point(core_b) - a.point(core_a);
        if (turns == normal_of::edge_a) e = e - a.direction(edge_a) * dot(a.direction(edge_a), e);
        if (turns == normal_of::edge_b) e = e - b.direction(edge_b) * dot(b.direction(edge_b), e);
        if (turns == normal_of::edges) {
            vec3<S> const p = a.direction(edge_a), q = b.direction(edge_b), m = cross(p, q);
            S const pq = dot(p, q), square = S(1) - pq * pq;
            if (all(square > S(0))) {
                // To where the edges are nearest.
                S const s = (dot(p, e) - pq * dot(q, e)) / square, r = (pq * dot(p, e) - dot(q, e)) / square;
                core_a = core_a + edge_a * s;
                core_b = core_b + edge_b * r;
                normal = normalize(m) * (dot(m, normal) < S(0) ? S(-1) : S(1));
            }
        } else if (turns == normal_of::cores || turns == normal_of::edge_a || turns == normal_of::edge_b) {
            // Sharp edges that touch leave no direction to take: the last one holds.
            S const size = norm(e);
            if (all(size > sqrt(epsilon_v<S>))) normal = e * (S(1) / size);
        }
        vec3<S> const t = tangent - normal * dot(normal, tangent);
        tangent = all(squared_norm(t) > S(value_type_t<S>(0.25))) ? normalize(t) : orthonormal_basis(normal).u;
    }
    [[nodiscard]] constexpr vec3<S> bitangent() const noexcept { return cross(normal, tangent); }
    /// Separation, m.
    [[nodiscard]] constexpr S separation(auto const& a, auto const& b) const noexcept { return dot(normal, b.point(core_b) - a.point(core_a)) - round_a - round_b; }
    /// How fast the points that touch part, m/s.
    [[nodiscard]] constexpr S parting(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        place const l = levers(a, b);
        return dot(normal, tb.linear + cross(tb.angular, l.b) - ta.linear - cross(ta.angular, l.a));
    }
    /// How b slides over a, m/s, world.
    [[nodiscard]] constexpr vec3<S> sliding(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        place const r = surfaces(levers(a, b));
        vec3<S> const v = tb.linear + cross(tb.angular, r.b) - ta.linear - cross(ta.angular, r.a) - surface_velocity;
        return v - normal * dot(normal, v);
    }

    [[nodiscard]] constexpr vec<S, 3> error(auto const&, auto const&) const noexcept { return {S(0), S(0), S(0)}; }
    [[nodiscard]] constexpr vec<S, 3> rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        vec3<S> const v = sliding(a, b, ta, tb);
        return {parting(a, b, ta, tb) - aim, dot(tangent, v), dot(bitangent(), v)};
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 3, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        place const l = levers(a, b), r = surfaces(l);
        vec3<S> const axes[3] = {normal, tangent, bitangent()};
        mat<S, 3, 12> J;
        for (std::size_t i = 0; i < 3; ++i) {
            detail::place_pull(J, i, 0, -axes[i], i == 0 ? l.a : r.a);
            detail::place_pull(J, i, 6, axes[i], i == 0 ? l.b : r.b);
        }
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr vec<S, 3> jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        place const l = levers(a, b);
        vec3<S> const qa = ta.linear + cross(ta.angular, l.a), qb = tb.linear + cross(tb.angular, l.b), u = qb - qa;
        S push = dot(normal, centripetal(tb.angular, l.b) - centripetal(ta.angular, l.a));
        // Where the points that touch go.
        vec3<S> on_a = qa, on_b = qb;
        switch (turns) {
            case normal_of::nothing: break;
            case normal_of::a:
                push = push_over(l.b, tb.angular, ta, qb, u);
                on_a = on_b = qb - cross(ta.angular, normal) * round_b;
                if (circle_radius > S(0)) {
                    going const g = going_round(b.direction(circle_axis), tb.angular - ta.angular);
                    push = push - g.rise;
                    on_a = on_b = on_b + g.along;
                } else if (is_smooth) {
                    going const g = going_over(b, tb.angular - ta.angular);
                    push = push - g.rise;
                    on_a = on_b = on_b + g.along;
                }
                break;
            case normal_of::b:
                push = push_under(l.a, ta.angular, tb, qa, u);
                on_a = on_b = qa + cross(tb.angular, normal) * round_a;
                if (circle_radius > S(0)) {
                    going const g = going_round(a.direction(circle_axis), ta.angular - tb.angular);
                    push = push - g.rise;
                    on_a = on_b = on_b - g.along;
                } else if (is_smooth) {
                    going const g = going_over(a, ta.angular - tb.angular);
                    push = push - g.rise;
                    on_a = on_b = on_b - g.along;
                }
                break;
            case normal_of::edge_a: {
                vec3<S> const turn = turning(b.point(core_b) - a.point(core_a), a.direction(edge_a), u);
                push = push_over(l.b, tb.angular, ta, qb, u) + dot(turn, u);
                on_a = on_b = qb - (cross(ta.angular, normal) + turn) * round_b;
                break;
            }
            case normal_of::edge_b: {
                vec3<S> const turn = turning(b.point(core_b) - a.point(core_a), b.direction(edge_b), u);
                push = push_under(l.a, ta.angular, tb, qa, u) + dot(turn, u);
                on_a = on_b = qa + (cross(tb.angular, normal) + turn) * round_a;
                break;
            }
            case normal_of::cores: {
                vec3<S> const turn = turning(b.point(core_b) - a.point(core_a), vec3<S>{}, u);
                push = push + dot(turn, u);
                on_a = qa + turn * round_a;
                on_b = qb - turn * round_b;
                break;
            }
            case normal_of::edges: {
                vec3<S> const p = a.direction(edge_a), q = b.direction(edge_b), m = cross(p, q);
                S const size = norm(m);
                if (!all(size > S(0))) break;
                vec3<S> const m_dot = cross(cross(ta.angular, p), q) + cross(p, cross(tb.angular, q));
                vec3<S> const turn = (m_dot - normal * dot(normal, m_dot)) * ((dot(m, normal) < S(0) ? S(-1) : S(1)) / size);
                push = push + S(2) * dot(turn, u) - dot(normal, b.point(core_b) - a.point(core_a)) * squared_norm(turn);
                on_a = qa + turn * round_a;
                on_b = qb - turn * round_b;
                break;
            }
        }
        vec3<S> const rub = cross(tb.angular, on_b - tb.linear) - cross(ta.angular, on_a - ta.linear);
        return {push, dot(tangent, rub), dot(bitangent(), rub)};
    }
    [[nodiscard]] constexpr bounds<S, 3> limits(vec<S, 3> const& lambda, auto const&, auto const&) const noexcept {
        bool const held = held_push >= S(0) && !slides && !hits;
        S const push = held ? held_push : max(lambda[0], S(0)), most = (slides || hits ? dynamic_friction : static_friction) * push;
        if (slides && !hits) return {{S(0), -most, S(0)}, {infinity_v<S>, -most, S(0)}};
        return {{S(0), -most, -most}, {infinity_v<S>, most, most}};
    }
    [[nodiscard]] friend constexpr bool operator==(resting_contact const&, resting_contact const&) = default;

private:
    // Of the circle, where it reaches farthest along d; frame of its body.
    [[nodiscard]] constexpr vec3<S> circle_point(auto const& body, vec3<S> const& d) const noexcept {
        vec3<S> const axis = body.direction(circle_axis), across = d - axis * dot(axis, d);
        S const s = norm(across);
        return all(s > S(0)) ? circle_center + body.local_direction(across) * (circle_radius / s) : circle_center;
    }
    struct going {
        vec3<S> along{};  // m/s
        S rise{};         // m/s^2, of the body's own point over the one that touches
    };
    [[nodiscard]] constexpr going going_round(vec3<S> const& axis, vec3<S> const& turn) const noexcept {
        vec3<S> const t = cross(axis, normal);
        S const s = norm(t);
        if (!all(s > S(0))) return {};
        S const k = dot(t, cross(turn, normal)) / s, rho = circle_radius / s;
        return {t * (rho * k / s), rho * k * k};
    }
    [[nodiscard]] constexpr going going_over(auto const& body, vec3<S> const& turn) const noexcept {
        vec3<S> const m = cross(turn, normal), along = body.direction(curvature * body.local_direction(m));
        return {along, dot(m, along)};
    }
    // J_dot v of the push over a face of a, and of b.
    [[nodiscard]] constexpr S push_over(vec3<S> const& lb, vec3<S> const& wb, twist<S> const& ta, vec3<S> const& qb, vec3<S> const& u) const noexcept {
        return dot(normal, centripetal(wb, lb) - cross(ta.angular, qb - ta.linear)) + dot(cross(ta.angular, normal), u);
    }
    [[nodiscard]] constexpr S push_under(vec3<S> const& la, vec3<S> const& wa, twist<S> const& tb, vec3<S> const& qa, vec3<S> const& u) const noexcept {
        return dot(normal, cross(tb.angular, qa - tb.linear) - centripetal(wa, la)) + dot(cross(tb.angular, normal), u);
    }
    // How fast a normal along e, across an edge, turns as the point at its end moves by u.
    [[nodiscard]] constexpr vec3<S> turning(vec3<S> const& e, vec3<S> const& edge, vec3<S> const& u) const noexcept {
        vec3<S> const across = u - normal * dot(normal, u) - edge * dot(edge, u);
        S const size = dot(normal, e);
        return all(size > sqrt(epsilon_v<S>)) ? across * (S(1) / size) : vec3<S>{};
    }
    // From the bodies' origins, world.
    struct place {
        vec3<S> a, b;
    };
    // To where the push is measured. A face's own body is measured at the point that slides over it.
    [[nodiscard]] constexpr place levers(auto const& a, auto const& b) const noexcept {
        if (turns == normal_of::a || turns == normal_of::edge_a) return {b.point(core_b) - a.position, b.direction(core_b)};
        if (turns == normal_of::b || turns == normal_of::edge_b) return {a.direction(core_a), a.point(core_a) - b.position};
        return {a.direction(core_a), b.direction(core_b)};
    }
    // To where it rubs.
    [[nodiscard]] constexpr place surfaces(place const& l) const noexcept {
        if (turns == normal_of::a || turns == normal_of::edge_a) return {l.a - normal * round_b, l.b - normal * round_b};
        if (turns == normal_of::b || turns == normal_of::edge_b) return {l.a + normal * round_a, l.b + normal * round_a};
        return {l.a + normal * round_a, l.b - normal * round_b};
    }
};

}  // namespace sinew::inline v0
