#pragma once
// Where two shapes touch, or are about to: up to four points with one common normal.
//
//   d_i = n . (on_b_i - on_a_i)      positive: still apart; negative: deep
//
// n points from a to b. A point's feature says which vertex, edge or face of a met which of b: as long as the same two meet,
// the number is the same, whatever the poses, so that what a solver learnt about the point can be found again a step later.
//
//   feature = (code of a) << 16 | (code of b),   code = kind << 14 | index

#include <sinew/core/static_vector.hpp>
#include <sinew/math/vec.hpp>

#include <cstddef>
#include <cstdint>

namespace sinew::inline v0 {

/// One place where two surfaces are near.
template <class S>
    requires scalar<S>
struct contact_point {
    vec3<S> on_a, on_b;     ///< m, world, on the two surfaces
    S distance;             ///< m, along the normal; negative when deep
    std::uint32_t feature;  ///< which features met

    [[nodiscard]] friend constexpr bool operator==(contact_point const&, contact_point const&) = default;
};

/// What solvers need of two shapes that touch. Without points they do not touch, and the normal says nothing.
template <class S>
    requires scalar<S>
struct manifold {
    using scalar_type = S;
    static constexpr std::size_t max_points = 4;

    vec3<S> normal{S(0), S(0), S(0)};                      ///< unit, world, from a to b
    static_vector<contact_point<S>, max_points> points{};  ///< the deepest first
    S round_a{0}, round_b{0};                              ///< radii about which the surfaces are round (m): as such a shape turns, its point of contact runs along

    [[nodiscard]] constexpr bool empty() const noexcept { return points.empty(); }
    [[nodiscard]] friend constexpr bool operator==(manifold const&, manifold const&) = default;
};

/// Which kind of feature of one shape took part.
enum class feature_kind : std::uint32_t { vertex = 0, edge = 1, face = 2, surface = 3 };

/// Code of one shape's feature.
[[nodiscard]] constexpr std::uint32_t feature_code(feature_kind kind, std::uint32_t index) noexcept {
    return static_cast<std::uint32_t>(kind) << 14 | (index & 0x3FFFU);
}
/// Code of the two features that meet.
[[nodiscard]] constexpr std::uint32_t feature_pair(std::uint32_t of_a, std::uint32_t of_b) noexcept { return of_a << 16 | of_b; }

/// The feature with a and b exchanged.
[[nodiscard]] constexpr std::uint32_t flipped_feature(std::uint32_t feature) noexcept { return feature << 16 | feature >> 16; }

/// The manifold of (b, a) from that of (a, b).
template <class S>
[[nodiscard]] constexpr manifold<S> flipped(manifold<S> const& m) noexcept {
    manifold<S> r;
    r.normal = -m.normal;
    r.round_a = m.round_b;
    r.round_b = m.round_a;
    for (auto const& p : m.points) r.points.push_back({p.on_b, p.on_a, p.distance, flipped_feature(p.feature)});
    return r;
}

}  // namespace sinew::inline v0
