#pragma once
// Path: a point of body b stays on a curve that is fixed in body a (or the ground), and the body may be led along it: a bead
// on a wire that moves, a roller coaster, a camera on rails.
//
//   struct helix {                                                       // callable with u over any scalar
//       template <class T>
//       constexpr sinew::vec3<T> operator()(T const& u) const {
//           using sinew::cos, sinew::sin;                                // of plain numbers too
//           return {cos(u), sin(u), u * 0.1};
//       }
//   };
//   template <class S> using bead_on_helix = sinew::particle_on_path<S, helix>;
//
//   q = R_a^T (p_b - x_a),  c = (e_1 . (q - p(u)), e_2 . (q - p(u)))      m, with u the foot of q (nearest_on_curve.hpp)
//
// guided_path also keeps an axis d of b along the tangent:  c_2,3 = (e_1 . R_a^T d, e_2 . R_a^T d)     rad for small angles
//
// The parameter need not be the length of arc, but p' must not vanish. The ends are no stops: the curve must be defined a
// little beyond them. A closed curve is given over one round.
//
// Sign: lambda is the force (N) on b along e_1 and e_2 (and the torque about them, N m, on the axis).

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/anchor.hpp>
#include <sinew/constraint/nearest_on_curve.hpp>

namespace sinew::inline v0 {

namespace detail {
template <class S>
[[nodiscard]] constexpr input_fault path_fault(auto const& curve, S const& begin, S const& end, int samples, vec3<S> const& up) noexcept {
    constexpr int most = 1 << 16;  // all are tried in every step
    input_fault const few{"samples", "must be from 2 to 65536", static_cast<error_number>(samples)};
    return first_fault(finite_parameter("begin", begin), finite_parameter("end", end), parameter_within(begin < end, "begin", "must be below `end`", begin),
                               samples >= 2 && samples <= most ? input_fault{} : few, unit_parameter("up", up), part_fault(curve));
}

/// A world vector d as body a sees it, R_a^T d, with its first and second rate as lanes; the twist of a is constant.
template <class S>
[[nodiscard]] constexpr vec3<dual<dual<S, 1>, 1>> seen_moving(auto const& a, twist<S> const& ta, vec3<S> const& d, vec3<S> const& d_dot,
                                                              vec3<S> const& d_ddot) noexcept {
    vec3<S> const q = a.local_direction(d), q_dot = a.local_direction(vec3<S>(d_dot - cross(ta.angular, d)));
    vec3<S> const q_ddot = a.local_direction(vec3<S>(d_ddot - S(2) * cross(ta.angular, d_dot) + centripetal(ta.angular, d)));
    vec3<dual<dual<S, 1>, 1>> r{};
    for (std::size_t i = 0; i < 3; ++i) {
        r[i].v.v = q[i];
        r[i].v.d[0] = r[i].d[0].v = q_dot[i];
        r[i].d[0].d[0] = q_ddot[i];
    }
    return r;
}
/// The same for the point of b, from a's position.
template <class S>
[[nodiscard]] constexpr auto point_seen_moving(auto const& a, auto const& b, auto const& arm_b, twist<S> const& ta, auto const& tb) noexcept {
    return seen_moving(a, ta, vec3<S>(end_of(b, arm_b) - a.position), vec3<S>(velocity_of(tb, arm_b) - ta.linear), vec3<S>(acceleration_of(tb, arm_b)));
}
/// Second rates out of the lanes.
template <class S, std::size_t M>
[[nodiscard]] constexpr vec<S, M> second_rate(vec<dual<dual<S, 1>, 1>, M> const& c) noexcept {
    vec<S, M> r;
    for (std::size_t i = 0; i < M; ++i) r[i] = c[i].d[0].d[0];
    return r;
}
}  // namespace detail

/// (2 rows, m) A point of b, or a particle, on a curve of a. Curve is a type callable with any scalar T, returning vec3<T>.
template <scalar S, class Curve, class KindB>
struct path_of {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, KindB>;

    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    Curve curve{};                  ///< p(u), frame of a, m
    S begin{0};                     ///< least u
    S end{1};                       ///< greatest u
    int samples = 64;               ///< places at which the foot is sought; the curve bends little between two of them
    vec3<S> up{S(0), S(0), S(1)};   ///< a direction against which the curve never runs, unit, frame of a

    /// b's anchor is on the curve at u now (a particle is where it is).
    [[nodiscard]] static constexpr path_of at(auto const& a, auto const& b, Curve const& curve, S const& begin, S const& end, S const& u,
                                              int samples = 64) noexcept {
        return {anchor_at(b, vec3<S>(a.point(curve(u)))), curve, begin, end, samples, {S(0), S(0), S(1)}};
    }

    /// Where b is on the curve, with u as the parameter; frame of a.
    [[nodiscard]] constexpr auto foot(auto const& a, auto const& b) const noexcept {
        return foot_on(curve, begin, end, samples, up, a.local_point(anchored(b, anchor_b)));
    }
    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return off(a.local_point(anchored(b, anchor_b))); }

    [[nodiscard]] constexpr mat<S, 2, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        auto const arm = detail::arm_of(b, anchor_b);
        vec3<S> const p = detail::end_of(b, arm);
        // c depends on q alone: three lanes say all.
        mat<S, 2, 3> const gradient = detail::lanes_of<3>(off(detail::seed_position<3, 0>(vec3<S>(a.local_point(p)))));
        mat<S, 2, attachments::dof> J{};
        for (std::size_t i = 0; i < 2; ++i) {
            vec3<S> const n = a.direction(gradient.row(i));
            detail::place_pull(J, i, 0, vec3<S>(-n), vec3<S>(p - a.position));
            detail::place_pull(J, i, 6, n, arm);
        }
        return J;
    }
    template <class R, class B>
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(pose<S, R> const& a, B const& b, twist<S> const& ta, auto const& tb) const noexcept {
        return detail::second_rate(off(detail::point_seen_moving(a, b, detail::arm_of(b, anchor_b), ta, tb)));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_b", anchor_b), detail::path_fault(curve, begin, end, samples, up)); }
    [[nodiscard]] friend constexpr bool operator==(path_of const&, path_of const&) = default;

private:
    template <class T>
    [[nodiscard]] constexpr vec<T, 2> off(vec3<T> const& q) const noexcept {
        auto const f = foot_on(curve, begin, end, samples, up, q);
        vec3<T> const d = q - f.p;
        return {dot(f.e_1, d), dot(f.e_2, d)};
    }
};

/// (4 rows, m and rad) As path_of, and an axis of b stays along the curve: b runs along it and turns about it.
template <scalar S, class Curve>
struct guided_path {
    static constexpr std::size_t rows = 4;
    using attachments = binds<rigid, rigid>;

    vec3<S> anchor_b{};              ///< frame of b, m
    vec3<S> axis{S(1), S(0), S(0)};  ///< unit, frame of b: along the tangent
    Curve curve{};                   ///< p(u), frame of a, m
    S begin{0};                      ///< least u
    S end{1};                        ///< greatest u
    int samples = 64;                ///< places at which the foot is sought; the curve bends little between two of them
    vec3<S> up{S(0), S(0), S(1)};    ///< a direction against which the curve never runs, unit, frame of a

    /// b's anchor is on the curve at u now; so is its axis along the tangent.
    [[nodiscard]] static constexpr guided_path at(auto const& a, auto const& b, Curve const& curve, S const& begin, S const& end, S const& u,
                                                  int samples = 64) noexcept {
        auto const place = detail::curve_place_at(curve, u);
        return {b.local_point(a.point(place.p)), b.local_direction(a.direction(normalize(place.p_u))), curve, begin, end, samples, {S(0), S(0), S(1)}};
    }

    /// Where b is on the curve, with u as the parameter; frame of a.
    [[nodiscard]] constexpr auto foot(auto const& a, auto const& b) const noexcept {
        return foot_on(curve, begin, end, samples, up, a.local_point(b.point(anchor_b)));
    }
    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return off(a.local_point(b.point(anchor_b)), a.local_direction(b.direction(axis)));
    }

    template <class R>
    [[nodiscard]] constexpr mat<S, 4, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        vec3<S> const arm = b.direction(anchor_b), p = b.position + arm, d = b.direction(axis);
        vec3<S> const q = a.local_point(p), local_d = a.local_direction(d);
        mat<S, 4, 3> const gradient = detail::lanes_of<3>(off(detail::seed_position<3, 0>(q), local_d));
        auto const f = foot_on(curve, begin, end, samples, up, q);
        mat<S, 4, 12> J{};
        for (std::size_t i = 0; i < 4; ++i) {
            vec3<S> const n = a.direction(gradient.row(i));
            detail::place_pull(J, i, 0, vec3<S>(-n), vec3<S>(p - a.position));
            detail::place_pull(J, i, 6, n, arm);
            if (i < 2) continue;
            // d turns with b, e with a: d/dt (e . d) = (d x e) . (omega_b - omega_a).
            vec3<S> const torque = cross(d, a.direction(i == 2 ? f.e_1 : f.e_2));
            for (std::size_t k = 0; k < 3; ++k) {
                J(i, 3 + k) = J(i, 3 + k) - torque[k];
                J(i, 9 + k) = J(i, 9 + k) + torque[k];
            }
        }
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr vec<S, 4> jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const d = b.direction(axis);
        return detail::second_rate(off(detail::point_seen_moving(a, b, b.direction(anchor_b), ta, tb),
                                       detail::seen_moving(a, ta, d, cross(tb.angular, d), centripetal(tb.angular, d))));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("anchor_b", anchor_b), unit_parameter("axis", axis), detail::path_fault(curve, begin, end, samples, up));
    }
    [[nodiscard]] friend constexpr bool operator==(guided_path const&, guided_path const&) = default;

private:
    template <class T, class D>
    [[nodiscard]] constexpr vec<T, 4> off(vec3<T> const& q, vec3<D> const& d) const noexcept {
        auto const f = foot_on(curve, begin, end, samples, up, q);
        vec3<T> const away = q - f.p;
        return {dot(f.e_1, away), dot(f.e_2, away), dot(f.e_1, d), dot(f.e_2, d)};
    }
};

template <class S, class Curve>
using body_on_path = path_of<S, Curve, rigid>;
template <class S, class Curve>
using particle_on_path = path_of<S, Curve, point_mass>;

}  // namespace sinew::inline v0
