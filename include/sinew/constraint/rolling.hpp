#pragma once
// Rolling without slipping on a plane fixed in body a: a sphere (ball, round caster) and a disc (wheel, coin, hoop) that may lean.
//
//   rate = (u . slip, v . slip)      m/s      slip: velocity of b against a at the contact (slip.hpp)
//
//   n, u, v  normal of the plane and two directions in it, fixed in a
//   p        the contact: sphere   p = centre - r n
//                         disc     p = centre + r d,  d = -e / |e|,  e = n - (n . k) k,  k the disc's axis
//
// These rows are non-holonomic: they say nothing about places. That b stays at its height is another constraint:
//   sphere   point_on_plane, at the centre                       disc   disc_on_plane, below:  c = n . (centre - p_a) - r |e|
//
// A disc that lies flat touches everywhere (e = 0): the contact is taken at its centre.
//
// Sign: lambda (N) is the friction force on b along u and v; lambda of disc_on_plane is the plane's force on b along n.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/slip.hpp>

namespace sinew::inline v0 {

namespace detail {

/// No slip along two directions in the plane: the rows of every shape, given the contact.
template <class S>
struct rolling_rows {
    [[nodiscard]] static constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb, vec3<S> const& normal, auto const& p) noexcept {
        auto const plane = orthonormal_basis(normal);
        auto const slip = slip_at(a, b, ta, tb, p);
        return stack_rows(dot(a.direction(plane.u), slip), dot(a.direction(plane.v), slip));
    }
    [[nodiscard]] static constexpr mat<S, 2, 12> jacobian(auto const& a, auto const& b, vec3<S> const& normal, vec3<S> const& p) noexcept {
        auto const plane = orthonormal_basis(normal);
        mat<S, 2, 12> J;
        place_slip(J, 0, a, b, p, a.direction(plane.u));
        place_slip(J, 1, a, b, p, a.direction(plane.v));
        return J;
    }
    [[nodiscard]] static constexpr vec<S, 2> jacobian_rate(auto const& a, auto const& b, twist<S> const& ta, twist<S> const& tb, vec3<S> const& normal,
                                                           vec3<S> const& p, vec3<S> const& p_dot) noexcept {
        auto const plane = orthonormal_basis(normal);
        vec3<S> const slip = slip_at(a, b, ta, tb, p), slip_dot = slip_rate_at(ta, tb, p_dot);
        vec3<S> const u = a.direction(plane.u), v = a.direction(plane.v);
        return {dot(cross(ta.angular, u), slip) + dot(u, slip_dot), dot(cross(ta.angular, v), slip) + dot(v, slip_dot)};
    }
};

/// The lowest point of a disc's rim over a plane.
template <class S>
struct rim {
    vec3<S> centre_b;  ///< frame of b, m
    vec3<S> axis;      ///< unit, frame of b
    vec3<S> normal;    ///< unit, frame of a
    S radius;          ///< m

    /// Direction across the disc's axis that leads upward most steeply, and how steeply: e and |e| <= 1.
    [[nodiscard]] constexpr auto upward(auto const& a, auto const& b) const noexcept {
        auto const n = a.direction(normal), k = b.direction(axis);
        return n - k * dot(n, k);
    }
    [[nodiscard]] constexpr auto contact(auto const& a, auto const& b) const noexcept { return b.point(centre_b) - normalize(upward(a, b)) * radius; }
    /// Velocity of that point (m/s), which moves along the rim and along the plane.
    [[nodiscard]] constexpr vec3<S> contact_rate(auto const& a, auto const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const n = a.direction(normal), k = b.direction(axis);
        vec3<S> const n_dot = cross(ta.angular, n), k_dot = cross(tb.angular, k);
        vec3<S> const e = n - k * dot(n, k);
        vec3<S> const e_dot = n_dot - k_dot * dot(n, k) - k * (dot(n_dot, k) + dot(n, k_dot));
        S const size2 = squared_norm(e);
        auto const flat = size2 == S(0);
        S const inverse = select(flat, S(0), S(1) / sqrt(select(flat, S(1), size2)));
        vec3<S> const m = e * inverse;
        vec3<S> const m_dot = (e_dot - m * dot(m, e_dot)) * inverse;
        return tb.linear + cross(tb.angular, b.direction(centre_b)) - m_dot * radius;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("centre_b", centre_b), unit_parameter("axis", axis), unit_parameter("normal", normal),
                           nonnegative_parameter("radius", radius));
    }
};

}  // namespace detail

/// (2 rows, m/s, non-holonomic) A sphere fixed in b rolls on a plane of a.
template <scalar S>
struct rolling_sphere {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, rigid>;

    vec3<S> centre_b{};                ///< of the sphere, frame of b, m
    vec3<S> normal{S(0), S(0), S(1)};  ///< of the plane toward the sphere, unit, frame of a
    S radius{1};                       ///< m

    /// A sphere about a world point on the side to which the world direction `normal` points.
    [[nodiscard]] static constexpr rolling_sphere at(auto const& a, auto const& b, vec3<S> const& centre, vec3<S> const& normal, S const& radius) noexcept {
        return {b.local_point(centre), a.local_direction(normalize(normal)), radius};
    }

    /// Where it touches (m, world).
    [[nodiscard]] constexpr auto contact(auto const& a, auto const& b) const noexcept { return b.point(centre_b) - a.direction(normal) * radius; }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::rolling_rows<S>::rate(a, b, ta, tb, normal, contact(a, b));
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 2, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        return detail::rolling_rows<S>::jacobian(a, b, normal, contact(a, b));
    }
    template <class R>
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const p_dot = tb.linear + cross(tb.angular, b.direction(centre_b)) - cross(ta.angular, a.direction(normal)) * radius;
        return detail::rolling_rows<S>::jacobian_rate(a, b, ta, tb, normal, contact(a, b), p_dot);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("centre_b", centre_b), unit_parameter("normal", normal), nonnegative_parameter("radius", radius));
    }
    [[nodiscard]] friend constexpr bool operator==(rolling_sphere const&, rolling_sphere const&) = default;
};

/// (2 rows, m/s, non-holonomic) A thin disc fixed in b rolls on a plane of a, upright or leaning.
template <scalar S>
struct rolling_disc {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, rigid>;

    vec3<S> centre_b{};                ///< of the disc, frame of b, m
    vec3<S> axis{S(0), S(1), S(0)};    ///< of the disc, unit, frame of b
    vec3<S> normal{S(0), S(0), S(1)};  ///< of the plane toward the disc, unit, frame of a
    S radius{1};                       ///< m

    /// A disc about a world point, with world directions of its axis and of the plane's normal.
    [[nodiscard]] static constexpr rolling_disc at(auto const& a, auto const& b, vec3<S> const& centre, vec3<S> const& axis, vec3<S> const& normal,
                                                   S const& radius) noexcept {
        return {b.local_point(centre), b.local_direction(normalize(axis)), a.local_direction(normalize(normal)), radius};
    }

    /// Where it touches (m, world).
    [[nodiscard]] constexpr auto contact(auto const& a, auto const& b) const noexcept { return rim().contact(a, b); }

    [[nodiscard]] constexpr auto rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::rolling_rows<S>::rate(a, b, ta, tb, normal, contact(a, b));
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 2, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        return detail::rolling_rows<S>::jacobian(a, b, normal, contact(a, b));
    }
    template <class R>
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        return detail::rolling_rows<S>::jacobian_rate(a, b, ta, tb, normal, contact(a, b), rim().contact_rate(a, b, ta, tb));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return rim().fault(); }
    [[nodiscard]] friend constexpr bool operator==(rolling_disc const&, rolling_disc const&) = default;

private:
    [[nodiscard]] constexpr detail::rim<S> rim() const noexcept { return {centre_b, axis, normal, radius}; }
};

/// (1 row, m) The lowest point of a thin disc's rim stays on a plane of a: what rolling_disc leaves open.
template <scalar S>
struct disc_on_plane {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    vec3<S> anchor_a{};                ///< a point of the plane, frame of a, m
    vec3<S> centre_b{};                ///< of the disc, frame of b, m
    vec3<S> axis{S(0), S(1), S(0)};    ///< of the disc, unit, frame of b
    vec3<S> normal{S(0), S(0), S(1)};  ///< of the plane toward the disc, unit, frame of a
    S radius{1};                       ///< m

    /// A disc about a world point, with world directions of its axis and of the plane's normal; the plane is where the
    /// disc's lowest point is now.
    [[nodiscard]] static constexpr disc_on_plane at(auto const& a, auto const& b, vec3<S> const& centre, vec3<S> const& axis, vec3<S> const& normal,
                                                    S const& radius) noexcept {
        disc_on_plane c{{}, b.local_point(centre), b.local_direction(normalize(axis)), a.local_direction(normalize(normal)), radius};
        c.anchor_a = a.local_point(c.contact(a, b));
        return c;
    }

    /// Where it touches (m, world).
    [[nodiscard]] constexpr auto contact(auto const& a, auto const& b) const noexcept { return rim().contact(a, b); }

    /// The height of the lowest point over the plane (m).
    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return dot(a.direction(normal), b.point(centre_b) - a.point(anchor_a)) - norm(rim().upward(a, b)) * radius;
    }
    template <class R>
    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(pose<S, R> const& a, pose<S, R> const& b) const noexcept {
        // The lowest point moves along the rim, hence along the plane: that adds nothing.
        mat<S, 1, 12> J;
        detail::place_slip(J, 0, a, b, contact(a, b), a.direction(normal));
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr S jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, twist<S> const& ta, twist<S> const& tb) const noexcept {
        vec3<S> const n = a.direction(normal);
        return dot(cross(ta.angular, n), detail::slip_at(a, b, ta, tb, contact(a, b))) +
               dot(n, detail::slip_rate_at(ta, tb, rim().contact_rate(a, b, ta, tb)));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(finite_parameter("anchor_a", anchor_a), rim().fault()); }
    [[nodiscard]] friend constexpr bool operator==(disc_on_plane const&, disc_on_plane const&) = default;

private:
    [[nodiscard]] constexpr detail::rim<S> rim() const noexcept { return {centre_b, axis, normal, radius}; }
};

}  // namespace sinew::inline v0
