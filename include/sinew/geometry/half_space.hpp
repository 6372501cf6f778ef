#pragma once
// All that is below a plane: ground and walls. It has no volume and cannot move by forces.

#include <sinew/geometry/shape.hpp>

namespace sinew::inline v0 {

/// The solid is { x : normal . x <= offset }.
template <scalar S>
struct half_space {
    using scalar_type = S;
    vec3<S> normal{S(0), S(1), S(0)};  ///< out of the solid, length 1
    S offset{};                        ///< m, of the plane from the origin along the normal

    /// Through a point (m), solid below it; the direction out of the solid may have any length but zero.
    [[nodiscard]] static constexpr half_space at(vec3<S> const& point, vec3<S> const& outwards) noexcept {
        vec3<S> const n = normalize(outwards);
        return {n, dot(n, point)};
    }
    /// Height of a point over the plane (m); negative in the solid.
    [[nodiscard]] constexpr S height(vec3<S> const& p) const noexcept { return dot(normal, p) - offset; }

    /// Infinite; but along an axis of the world, the side that is free is known.
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept {
        aabb<S> b = unbounded_aabb<S>();
        vec3<S> const n = f.direction(normal);
        for (std::size_t i = 0; i < 3; ++i) {
            if (n[(i + 1) % 3] != S(0) || n[(i + 2) % 3] != S(0)) continue;
            S const level = f.position[i] + (n[i] > S(0) ? offset : -offset);
            (n[i] > S(0) ? b.upper[i] : b.lower[i]) = level;
        }
        return b;
    }
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept {
        S const above = height(r.origin), falls = -dot(normal, r.direction);
        if (above <= S(0)) return detail::hit_from_inside(r);
        if (!(falls > S(0)) || above > falls * r.length) return {};
        return detail::hit_at(r, above / falls, normal);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        S const length = norm(normal);
        return first_fault(finite_parameter("normal", normal), detail::parameter_within(abs(length - S(1)) <= sqrt(epsilon_v<S>), "normal", "must have length 1; its length", length),
                           finite_parameter("offset", offset));
    }
    [[nodiscard]] friend constexpr bool operator==(half_space const&, half_space const&) = default;
};

/// A half space of a shape's frame, in the world.
template <class S>
[[nodiscard]] constexpr half_space<S> transformed(half_space<S> const& h, frame<S> const& f) noexcept {
    vec3<S> const n = f.direction(h.normal);
    return {n, h.offset + dot(n, f.position)};
}

}  // namespace sinew::inline v0
