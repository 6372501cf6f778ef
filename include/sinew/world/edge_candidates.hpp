#pragma once
// Which pairs of colliders are to be looked at for edges that others hide: those of one collider with what stands, and those of one body's colliders where it has several.
// Chains through the pairs of a step, made while these are found: a collider that touches one thing only costs no more than its entry.

#include <sinew/geometry/shape.hpp>
#include <sinew/geometry/sphere.hpp>
#include <sinew/geometry/surface_part.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace sinew::inline v0 {

namespace detail {

/// Whether a neighbour can hide edges of a shape: balls have none, and half spaces are endless.
template <class S, class Shape>
inline constexpr bool has_edges_v = !is_half_space<Shape, S> && !std::same_as<Shape, sphere<typename Shape::scalar_type>>;

/// Env: the world's environment; MaxPairs: of the pairs that a static storage holds.
template <class Env, std::size_t MaxPairs, class... Shapes>
class edge_candidates {
public:
    using S = typename Env::scalar;
    static constexpr bool are_met = (has_edges_v<S, Shapes> || ...);
    static constexpr std::uint32_t none = 0xffffffffu;
    /// Whether colliders of a type have parts that can hide each other's edges; a surface's see to that themselves.
    [[nodiscard]] static constexpr bool has_parts(std::uint16_t type) noexcept {
        constexpr bool of_type[] = {(is_composed<Shapes, S> && !is_surface<Shapes>)...};
        return of_type[type];
    }

    /// One side of a pair.
    struct candidate {
        std::uint32_t pair = 0;
        std::uint32_t next = none;    // of its chain
        std::uint32_t owner = none;   // of the chain
        bool of_b = false;            // it is the pair's b that may be hidden, or hide; else its a
        bool moves = false;           // the chain is that of a body, else of what meets it
    };

    constexpr void clear() noexcept {
        for (candidate const& c : all_) (c.moves ? of_body_ : of_collider_)[c.owner] = none;
        all_.clear();
    }
    /// A pair's side that stands, seen by the collider that meets it; or that is one of a body's several, seen by all of that body.
    constexpr void note(std::uint32_t pair, bool of_b, bool moves, std::uint32_t owner) {
        auto& heads = moves ? of_body_ : of_collider_;
        while (heads.size() <= owner) heads.push_back(none);
        all_.push_back({pair, heads[owner], owner, of_b, moves});
        heads[owner] = static_cast<std::uint32_t>(all_.size() - 1);
    }
    [[nodiscard]] constexpr auto const& all() const noexcept { return all_; }
    /// Where the chain of one begins.
    [[nodiscard]] constexpr std::uint32_t head_of(candidate const& c) const noexcept { return (c.moves ? of_body_ : of_collider_)[c.owner]; }

private:
    template <class T, std::size_t N>
    using array = typename Env::template array<T, N>;
    static constexpr std::size_t most = std::max(Env::limits.colliders, Env::limits.bodies + 1);

    array<candidate, 2 * MaxPairs> all_{};
    array<std::uint32_t, most> of_collider_{}, of_body_{};
};

/// Where there are none.
template <class Env, std::size_t MaxPairs, class... Shapes>
    requires(!(has_edges_v<typename Env::scalar, Shapes> || ...))
class edge_candidates<Env, MaxPairs, Shapes...> {
public:
    static constexpr bool are_met = false;
    static constexpr void clear() noexcept {}
};

}  // namespace detail

}  // namespace sinew::inline v0
