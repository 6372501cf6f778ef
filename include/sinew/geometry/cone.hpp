#pragma once
// A cone along y: the base at -half_height, the tip at +half_height. The centre of mass is at -half_height / 2, not at the origin.
//
//   x^2 + z^2 = k^2 (h - y)^2,  k = radius / (2 h): the side

#include <sinew/geometry/cap.hpp>

namespace sinew::inline v0 {

template <scalar S>
struct cone {
    using scalar_type = S;
    static constexpr bool revolves = true;
    S radius{};       ///< m, of the base
    S half_height{};  ///< m

    [[nodiscard]] constexpr vec3<S> support(vec3<S> const& d) const noexcept {
        vec3<S> rim = detail::across_axis(d) * radius;
        rim[1] = -half_height;
        vec3<S> const tip{S(0), half_height, S(0)};
        return select(dot(rim, d) > dot(tip, d), rim, tip);
    }
    [[nodiscard]] constexpr S margin() const noexcept { return S(0); }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept {
        vec3<S> const axis = f.rotation.m.col(1);
        aabb<S> b{};
        for (std::size_t i = 0; i < 3; ++i) {
            S const tip = axis[i] * half_height, reach = radius * sqrt(max(S(1) - axis[i] * axis[i], S(0)));
            b.lower[i] = f.position[i] + min(tip, -tip - reach);
            b.upper[i] = f.position[i] + max(tip, -tip + reach);
        }
        return b;
    }
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const& density) const noexcept {
        return solid_cone(of_density(density), half_height * S(2), radius);
    }
    /// The base where its normal is nearer to d than that of the side, else the line of the side that looks along d.
    [[nodiscard]] constexpr polygon<S> supporting_face(vec3<S> const& d) const noexcept {
        vec3<S> const u = detail::across_axis(d);
        vec3<S> const side = side_normal(u);
        if (-d.y() >= dot(side, d)) return detail::cap_face(radius, -half_height, false, d, 0);
        polygon<S> p;
        p.add({u.x() * radius, -half_height, u.z() * radius}, 2 * detail::cap_points);
        p.add({S(0), half_height, S(0)}, 2 * detail::cap_points + 1);
        return p;
    }
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept {
        // Distances are counted from the ray's point nearest to the origin, so that a ray from far away keeps its digits.
        S const shift = -dot(r.origin, r.direction);
        vec3<S> const o = r.at(shift), v = r.direction;
        S const h = half_height, k = radius / (h * S(2)), k2 = k * k;
        auto const slab = detail::span_in_slab(o, v, h);
        // x^2 + z^2 - k^2 (h - y)^2 = a t^2 + 2 b t + c, negative inside; of the two nappes, ours opens downwards.
        S const a = v.x() * v.x() + v.z() * v.z() - k2 * v.y() * v.y();
        S const b = o.x() * v.x() + o.z() * v.z() + k2 * (h - o.y()) * v.y();
        S const c = o.x() * o.x() + o.z() * o.z() - k2 * (h - o.y()) * (h - o.y());
        S enters = -infinity_v<S>, leaves = infinity_v<S>;
        S const square = b * b - a * c;
        if (a > S(0)) {
            if (square < S(0) || o.y() - v.y() * (b / a) > h) return {};
            S const q = -(b + (b < S(0) ? -sqrt(square) : sqrt(square)));
            S const t1 = q / a, t2 = q == S(0) ? S(0) : c / q;
            enters = min(t1, t2);
            leaves = max(t1, t2);
        } else if (a < S(0)) {
            // A line steeper than the side runs from one nappe into the other; the root is never of a negative number but by rounding.
            S const q = -(b + (b < S(0) ? -sqrt(max(square, S(0))) : sqrt(max(square, S(0)))));
            S const t1 = q / a, t2 = q == S(0) ? S(0) : c / q;
            (v.y() < S(0) ? enters : leaves) = v.y() < S(0) ? max(t1, t2) : min(t1, t2);
        } else if (b != S(0)) {  // parallel to a line of the side
            if ((b < S(0)) != (v.y() < S(0))) return {};
            (b < S(0) ? enters : leaves) = -c / (b * S(2));
        } else if (c > S(0)) {
            return {};
        }
        bool const through_base = slab.enters >= enters;
        enters = max(enters, slab.enters);
        leaves = min(leaves, slab.leaves);
        if (!(enters <= leaves) || leaves + shift < S(0) || enters + shift > r.length) return {};
        if (enters + shift <= S(0)) return detail::hit_from_inside(r);
        vec3<S> const p = o + v * enters;
        // The plane at the tip is no part of the surface.
        vec3<S> const base{S(0), S(-1), S(0)};
        return {true, enters + shift, p, through_base && v.y() > S(0) ? base : tip_or_side_normal(p)};
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(detail::extent_parameter("radius", radius), detail::extent_parameter("half_height", half_height));
    }
    [[nodiscard]] friend constexpr bool operator==(cone const&, cone const&) = default;

private:
    // Of the side, where u is its direction across the axis.
    [[nodiscard]] constexpr vec3<S> side_normal(vec3<S> const& u) const noexcept {
        return normalize(vec3<S>{u.x() * half_height * S(2), radius, u.z() * half_height * S(2)});
    }
    [[nodiscard]] constexpr vec3<S> tip_or_side_normal(vec3<S> const& p) const noexcept {
        vec3<S> const u = normalize(vec3<S>{p.x(), S(0), p.z()});
        return u.x() == S(0) && u.z() == S(0) ? vec3<S>{S(0), S(1), S(0)} : side_normal(u);
    }
};

}  // namespace sinew::inline v0
