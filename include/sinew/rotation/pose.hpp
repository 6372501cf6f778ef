#pragma once
// Where a body is: position of its centre of mass and rotation from body to world.

#include <sinew/config/inlining.hpp>
#include <sinew/rotation/rotation.hpp>

namespace sinew::inline v0 {

/// Position x (m, world) and rotation R (body to world). The point r of the body is at x + R r (Waterson 2026, eq. 2.1).
template <class S, class R = quaternion<S>>
struct pose {
    using scalar_type = S;
    using rotation_type = R;

    vec3<S> position{S(0), S(0), S(0)};  ///< m
    R rotation = R::identity();          ///< body to world

    /// World position of a body point (m).
    template <class T>
    [[nodiscard]] SINEW_RESULT_INLINE constexpr auto point(vec3<T> const& r) const noexcept {
        return position + rotate(rotation, r);
    }
    /// World direction of a body direction.
    template <class T>
    [[nodiscard]] SINEW_RESULT_INLINE constexpr auto direction(vec3<T> const& d) const noexcept {
        return rotate(rotation, d);
    }
    /// Body coordinates of a world point (m).
    template <class T>
    [[nodiscard]] SINEW_RESULT_INLINE constexpr auto local_point(vec3<T> const& p) const noexcept {
        return inverse_rotate(rotation, p - position);
    }
    /// Body coordinates of a world direction.
    template <class T>
    [[nodiscard]] SINEW_RESULT_INLINE constexpr auto local_direction(vec3<T> const& d) const noexcept {
        return inverse_rotate(rotation, d);
    }
    [[nodiscard]] friend constexpr bool operator==(pose const&, pose const&) = default;
    /// First b, then a.
    [[nodiscard]] friend constexpr pose operator*(pose const& a, pose const& b) noexcept {
        return {a.point(b.position), a.rotation * b.rotation};
    }
};

/// `mask ? a : b`, lane by lane.
template <class M, class S, class R>
[[nodiscard]] constexpr pose<S, R> select(M const& mask, pose<S, R> const& a, pose<S, R> const& b) noexcept {
    return {select(mask, a.position, b.position), select(mask, a.rotation, b.rotation)};
}

template <class S, class R>
[[nodiscard]] constexpr pose<S, R> inverse(pose<S, R> const& p) noexcept {
    return {-inverse_rotate(p.rotation, p.position), inverse(p.rotation)};
}

/// Where a particle is. A particle has no rotation; its only point is itself.
template <class S>
struct particle_pose {
    using scalar_type = S;
    vec3<S> position{S(0), S(0), S(0)};  ///< m
    [[nodiscard]] friend constexpr bool operator==(particle_pose const&, particle_pose const&) = default;
};

}  // namespace sinew::inline v0
