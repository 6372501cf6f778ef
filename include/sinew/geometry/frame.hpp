#pragma once
// Where a shape is, with its rotation as a matrix: a query turns many vectors, and a matrix turns a vector in nine products.

#include <sinew/rotation/pose.hpp>
#include <sinew/rotation/rotation_matrix.hpp>

namespace sinew::inline v0 {

/// Position (m, world) and rotation (shape to world).
template <class S>
using frame = pose<S, rotation_matrix<S>>;

/// The frame at a pose of any rotation.
template <class S, class R>
[[nodiscard]] constexpr frame<S> frame_of(pose<S, R> const& p) noexcept {
    return {p.position, {to_matrix(p.rotation)}};
}

/// b as seen from a: a * relative(a, b) = b.
template <class S>
[[nodiscard]] constexpr frame<S> relative(frame<S> const& a, frame<S> const& b) noexcept {
    return {a.local_point(b.position), {transpose(a.rotation.m) * b.rotation.m}};
}

}  // namespace sinew::inline v0
