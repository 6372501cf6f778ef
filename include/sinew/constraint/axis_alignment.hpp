#pragma once
// Relations between an axis n_a fixed in body a and an axis n_b fixed in body b: parts of joints.
//
//   axis_alignment      1 row    c = asin |n_a x n_b|, the angle between the axes      (Waterson 2026, eq. 5.54)
//   parallel_axes       2 rows   c = (n_a . u_b, n_a . v_b), u_b and v_b across n_b
//   perpendicular_axes  1 row    c = n_a . n_b
//
// The asin form turns both bodies about the one axis w = n_a x n_b / |n_a x n_b| that aligns them. Its Jacobian has no
// direction where the axes are aligned, and is taken as 0 there. The two rows of the second form are smooth at zero
// error, which acceleration-level solvers need: joints are made of it. Both forms also hold for opposite axes; the asin
// form leads to the nearer of the two, the other leaves opposite axes as they are.
//
// Signs. n_dot = omega x n, hence d(n_a . t_b)/dt = (omega_a - omega_b) . (n_a x t_b). For the angle between the axes
//   theta_dot = -w . (omega_a - omega_b):   Dc = (-w, w).
// Waterson (5.55) prints (w, -w), which would turn the axes apart. Beyond a right angle, where asin falls again, the sign
// is opposite. Also misprinted: (5.57) inverts once too often, and (5.58) says sin for asin.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/stack.hpp>
#include <sinew/constraint/turn.hpp>

namespace sinew::inline v0 {

namespace detail {

// Row i: d(n_a . t_b)/dt, for world directions n_a fixed in a and t_b fixed in b.
template <class S, std::size_t M>
constexpr void place_direction_product(mat<S, M, 12>& J, std::size_t i, vec3<S> const& na, vec3<S> const& tb) noexcept {
    vec3<S> const w = cross(na, tb);
    place(J, i, 3, w);
    place(J, i, 9, -w);
}
// Its J_dot v: n_ddot . t + 2 n_dot . t_dot + n . t_ddot.
template <class S>
[[nodiscard]] constexpr S direction_product_rate(vec3<S> const& na, vec3<S> const& tb, vec3<S> const& omega_a, vec3<S> const& omega_b) noexcept {
    vec3<S> const na_dot = cross(omega_a, na), tb_dot = cross(omega_b, tb);
    return dot(cross(omega_a, na_dot), tb) + S(2) * dot(na_dot, tb_dot) + dot(na, cross(omega_b, tb_dot));
}

// How the torques of lambda n_a . t_b turn: D(n x t) = [t]x [n]x for a, -[n]x [t]x for b, and minus those in b's rows; t with lambda in it.
// [t]x [n]x = n t^T - n . t.
template <class S>
[[nodiscard]] constexpr mat<S, 12, 12> direction_product_stiffness(vec3<S> const& n, vec3<S> const& t) noexcept {
    mat<S, 12, 12> G{};
    S const along = dot(n, t);
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) {
            S const own = r == c ? along : S(0), nt = n[r] * t[c] - own, tn = t[r] * n[c] - own;
            G(3 + r, 3 + c) = nt;
            G(3 + r, 9 + c) = -tn;
            G(9 + r, 3 + c) = -nt;
            G(9 + r, 9 + c) = tn;
        }
    return G;
}

}  // namespace detail

/// (1 row, rad) The angle between two axes, at most a right angle: asin form.
template <scalar S>
struct axis_alignment {
    static constexpr std::size_t rows = 1;
    /// The direction of the correction turns freely near the solution: evaluate it anew in every iteration.
    static constexpr bool moving_normal = true;
    using attachments = binds<rigid, rigid>;

    vec3<S> axis_a{S(0), S(0), S(1)};  ///< unit, frame of a
    vec3<S> axis_b{S(0), S(0), S(1)};  ///< unit, frame of b

    /// About a world axis.
    [[nodiscard]] static constexpr axis_alignment at(auto const& a, auto const& b, vec3<S> const& axis) noexcept {
        vec3<S> const n = normalize(axis);
        return {a.local_direction(n), b.local_direction(n)};
    }

    // atan2(s, |c|) is asin(s) for unit axes, but keeps its digits near a right angle.
    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const na = a.direction(axis_a), nb = b.direction(axis_b);
        return atan2(norm(cross(na, nb)), abs(dot(na, nb)));
    }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept {
        vec3<S> const na = a.direction(axis_a), nb = b.direction(axis_b);
        vec3<S> const w = normalize(cross(na, nb)) * sign_of(na, nb);
        mat<S, 1, 12> J{};
        place(J, 0, 3, -w);
        place(J, 0, 9, w);
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        vec3<S> const na = a.direction(axis_a), nb = b.direction(axis_b);
        return detail::turn_rate(na, nb, ta.angular, tb.angular) * sign_of(na, nb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(unit_parameter("axis_a", axis_a), unit_parameter("axis_b", axis_b));
    }
    [[nodiscard]] friend constexpr bool operator==(axis_alignment const&, axis_alignment const&) = default;

private:
    [[nodiscard]] static constexpr S sign_of(vec3<S> const& na, vec3<S> const& nb) noexcept { return select(dot(na, nb) < S(0), S(-1), S(1)); }
};

/// (2 rows, rad for small angles) Two axes are parallel: leaves rotation about them, as a hinge does.
template <scalar S>
struct parallel_axes {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, rigid>;

    vec3<S> axis_a{S(0), S(0), S(1)};  ///< unit, frame of a
    vec3<S> axis_b{S(0), S(0), S(1)};  ///< unit, frame of b

    /// About a world axis.
    [[nodiscard]] static constexpr parallel_axes at(auto const& a, auto const& b, vec3<S> const& axis) noexcept {
        vec3<S> const n = normalize(axis);
        return {a.local_direction(n), b.local_direction(n)};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        auto const across = orthonormal_basis(axis_b);
        auto const na = a.direction(axis_a);
        return stack_rows(dot(na, b.direction(across.u)), dot(na, b.direction(across.v)));
    }

    [[nodiscard]] constexpr mat<S, 2, 12> jacobian(auto const& a, auto const& b) const noexcept {
        auto const across = orthonormal_basis(axis_b);
        vec3<S> const na = a.direction(axis_a);
        mat<S, 2, 12> J{};
        detail::place_direction_product(J, 0, na, b.direction(across.u));
        detail::place_direction_product(J, 1, na, b.direction(across.v));
        return J;
    }
    [[nodiscard]] constexpr vec<S, 2> jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        auto const across = orthonormal_basis(axis_b);
        vec3<S> const na = a.direction(axis_a);
        return {detail::direction_product_rate(na, b.direction(across.u), ta.angular, tb.angular),
                detail::direction_product_rate(na, b.direction(across.v), ta.angular, tb.angular)};
    }
    [[nodiscard]] constexpr mat<S, 12, 12> stiffness(auto const& a, auto const& b, vec<S, 2> const& lambda) const noexcept {
        auto const across = orthonormal_basis(axis_b);
        return detail::direction_product_stiffness(a.direction(axis_a), b.direction(across.u * lambda[0] + across.v * lambda[1]));
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(unit_parameter("axis_a", axis_a), unit_parameter("axis_b", axis_b));
    }
    [[nodiscard]] friend constexpr bool operator==(parallel_axes const&, parallel_axes const&) = default;
};

/// (1 row, rad for small angles) Two axes are perpendicular, as in the cross of a universal joint.
template <scalar S>
struct perpendicular_axes {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid>;

    vec3<S> axis_a{S(1), S(0), S(0)};  ///< unit, frame of a
    vec3<S> axis_b{S(0), S(1), S(0)};  ///< unit, frame of b

    /// Two world axes, one fixed in each body.
    [[nodiscard]] static constexpr perpendicular_axes at(auto const& a, auto const& b, vec3<S> const& axis_of_a, vec3<S> const& axis_of_b) noexcept {
        return {a.local_direction(normalize(axis_of_a)), b.local_direction(normalize(axis_of_b))};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept { return dot(a.direction(axis_a), b.direction(axis_b)); }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& a, auto const& b) const noexcept {
        mat<S, 1, 12> J{};
        detail::place_direction_product(J, 0, a.direction(axis_a), b.direction(axis_b));
        return J;
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::direction_product_rate(a.direction(axis_a), b.direction(axis_b), ta.angular, tb.angular);
    }
    [[nodiscard]] constexpr mat<S, 12, 12> stiffness(auto const& a, auto const& b, vec<S, 1> const& lambda) const noexcept {
        return detail::direction_product_stiffness(a.direction(axis_a), b.direction(axis_b) * lambda[0]);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(unit_parameter("axis_a", axis_a), unit_parameter("axis_b", axis_b));
    }
    [[nodiscard]] friend constexpr bool operator==(perpendicular_axes const&, perpendicular_axes const&) = default;
};

}  // namespace sinew::inline v0
