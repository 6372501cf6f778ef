#pragma once
// Tests for boxes that are tried in great number.

#include <sinew/geometry/aabb.hpp>
#include <sinew/geometry/ray.hpp>
#include <sinew/math/vec.hpp>

#include <cstddef>

namespace sinew::inline v0::detail {

/// Whether two boxes share a point, without a branch: in a pile every other test would be guessed wrong.
template <class S>
[[nodiscard]] constexpr bool meet(aabb<S> const& a, aabb<S> const& b) noexcept {
    unsigned const x = unsigned{a.lower[0] <= b.upper[0]} & unsigned{b.lower[0] <= a.upper[0]};
    unsigned const y = unsigned{a.lower[1] <= b.upper[1]} & unsigned{b.lower[1] <= a.upper[1]};
    unsigned const z = unsigned{a.lower[2] <= b.upper[2]} & unsigned{b.lower[2] <= a.upper[2]};
    return (x & y & z) != 0;
}

/// A ray made ready to be tried against many boxes: a box is where three slabs between parallel planes meet, and the ray is in it as long as
/// it is in all three (Kay & Kajiya 1986). Never misses a box that the ray hits: the far end is lengthened by what rounding may take (Ize 2013).
template <class S>
class ray_slabs {
public:
    constexpr explicit ray_slabs(ray<S> const& r) noexcept : origin_(r.origin), length_(r.length) {
        for (std::size_t i = 0; i < 3; ++i) {
            forward_[i] = !(r.direction[i] < S(0));
            inverse_[i] = r.direction[i] == S(0) ? infinity_v<S> : S(1) / r.direction[i];
        }
    }
    [[nodiscard]] constexpr bool hits(aabb<S> const& box) const noexcept {
        S enters{0}, leaves = length_;
        for (std::size_t i = 0; i < 3; ++i) {
            // Along an axis that the ray does not move on, both are infinite, or NaN on a face: the comparisons pass over NaN.
            S const near = ((forward_[i] ? box.lower[i] : box.upper[i]) - origin_[i]) * inverse_[i];
            S const far = ((forward_[i] ? box.upper[i] : box.lower[i]) - origin_[i]) * inverse_[i] * (S(1) + S(4) * epsilon_v<S>);
            if (near > enters) enters = near;
            if (far < leaves) leaves = far;
        }
        return enters <= leaves;
    }
    [[nodiscard]] constexpr S const& length() const noexcept { return length_; }
    /// The ray ends here, unless it did so before.
    constexpr void shorten(S const& length) noexcept {
        if (length < length_) length_ = length;
    }
    /// Whether the ray runs towards greater coordinates on an axis.
    [[nodiscard]] constexpr bool forward(std::size_t axis) const noexcept { return forward_[axis]; }

private:
    vec3<S> origin_;
    vec3<S> inverse_{};
    S length_;
    bool forward_[3] = {};
};

}  // namespace sinew::inline v0::detail
