#pragma once
// What a broad phase is: it keeps one box per collider and says which pairs may touch, so that the narrow phase need not try them all.
//
// A policy is a struct with a class template index<S, Storage, N>: S the scalar, Storage where it keeps its arrays, N the most colliders with
// static storage (0 otherwise). An id is a small dense integer, below N with static storage; the world numbers its colliders so.
//
//   insert(id, box, moves)   a new box; moves = false for what stands still until set_moves says otherwise
//   move(id, box)            it is elsewhere
//   set_moves(id, moves)     it stands still from now on, or moves again
//   erase(id)                it is gone, and its id may be used again
//   for_each_pair(f)         f(low id, high id), once for each pair of overlapping boxes of which at least one moves, in ascending order
//   query(box, f) const      f(id) for each box that overlaps this one, in any order
//   cast(ray, f) const       f(id) -> S for each box on the ray, in any order. What f returns is the new length of the ray: where the collider
//                            is hit, or the length as it was
//
// Pairs come in ascending order from every policy: a simulation is the same bit for bit under all that keep boxes. An index is a regular value; two
// are equal if they hold the same boxes, whatever way they came there. f must not change the index.

#include <sinew/core/storage.hpp>
#include <sinew/geometry/aabb.hpp>
#include <sinew/geometry/ray.hpp>
#include <sinew/math/vec.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace sinew::inline v0 {

namespace detail {

struct any_pair {
    constexpr void operator()(std::uint32_t, std::uint32_t) const noexcept {}
};
struct any_id {
    constexpr void operator()(std::uint32_t) const noexcept {}
};
template <class S>
struct any_length {
    constexpr S operator()(std::uint32_t) const noexcept {
        return S(0);
    }
};

template <class P, class S>
using broad_phase_index = typename P::template index<S, dynamic_storage, 0>;

}  // namespace detail

template <class P, class S>
concept has_broad_phase_index = requires { typename detail::broad_phase_index<P, S>; };

template <class I, class S>
concept has_insert_and_erase = requires(I& index, std::uint32_t id, aabb<S> const& box) {
    index.insert(id, box, true);
    index.erase(id);
};

template <class I, class S>
concept has_move = requires(I& index, std::uint32_t id, aabb<S> const& box) {
    index.move(id, box);
    index.set_moves(id, true);
};

template <class I>
concept has_for_each_pair = requires(I& index) { index.for_each_pair(detail::any_pair{}); };

template <class I, class S>
concept has_query = requires(I const& index, aabb<S> const& box) { index.query(box, detail::any_id{}); };

template <class I, class S>
concept has_ray_cast = requires(I const& index, ray<S> const& r) { index.cast(r, detail::any_length<S>{}); };

/// A policy that finds the pairs of boxes of scalar S which overlap: sweep_and_prune, bounding_volume_tree, brute_force, no_broad_phase, or a
/// user's own.
template <class P, class S>
concept broad_phase_for = has_broad_phase_index<P, S> && std::regular<detail::broad_phase_index<P, S>> &&
                          has_insert_and_erase<detail::broad_phase_index<P, S>, S> && has_move<detail::broad_phase_index<P, S>, S> &&
                          has_for_each_pair<detail::broad_phase_index<P, S>> && has_query<detail::broad_phase_index<P, S>, S> &&
                          has_ray_cast<detail::broad_phase_index<P, S>, S>;

}  // namespace sinew::inline v0
