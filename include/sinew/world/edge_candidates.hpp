#pragma once
// Which pairs of colliders are to be looked at for edges that others hide: those of one collider with what stands, or with one body of
// several. Chains through the pairs of a step, made while these are found: a collider that touches one thing only costs no more than its entry.

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
inline constexpr bool has_edges_v = !is_half_space<Shape, S> && !std::same_as<Shape, sphere<S>>;

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

    /// Whether colliders of a type are half spaces: without an edge, whatever hides their surface further on.
    [[nodiscard]] static constexpr bool is_endless(std::uint16_t type) noexcept {
        constexpr bool of_type[] = {is_half_space<Shapes, S>...};
        return of_type[type];
    }

    /// One side of a pair.
    struct candidate {
        std::uint32_t pair = 0;
        std::uint32_t next = none;   // of its chain, found before it
        std::uint32_t x = 0;         // the collider that meets it
        std::uint32_t body = none;   // of the side, or none: all that stands is one
        bool of_b = false;           // the side is the pair's b, else its a
        bool seen = false;

        /// Whether one collider meets both, and they do not move against each other.
        [[nodiscard]] constexpr bool is_beside(candidate const& other) const noexcept { return x == other.x && body == other.body; }
    };

    constexpr void clear() noexcept {
        for (candidate const& c : all_) heads_[place_of(c)] = none;
        all_.clear();
    }
    /// A side that collider x meets: of a body that has several, or, as none, of what stands.
    constexpr void note(std::uint32_t pair, bool of_b, std::uint32_t x, std::uint32_t body) {
        if constexpr (Env::storage::is_static) {
            while (!is_full(heads_)) heads_.push_back(none);
        } else if (all_.size() >= heads_.size()) {
            // So wide that chains stay short.
            heads_.resize(heads_.size() < 64 ? 64 : 2 * heads_.size());
            for (auto& head : heads_) head = none;
            for (std::uint32_t i = 0; i < all_.size(); ++i) link(i);
        }
        all_.push_back({pair, none, x, body, of_b, false});
        link(static_cast<std::uint32_t>(all_.size() - 1));
    }
    [[nodiscard]] constexpr auto& all() noexcept { return all_; }
    /// Where the chain of one begins, among which others may be.
    [[nodiscard]] constexpr std::uint32_t head_of(candidate const& c) const noexcept { return heads_[place_of(c)]; }

private:
    template <class T, std::size_t N>
    using array = typename Env::template array<T, N>;

    [[nodiscard]] constexpr std::size_t place_of(candidate const& c) const noexcept {
        std::uint32_t const mixed = (c.x * 0x9e3779b1u) ^ ((c.body + 1) * 0x85ebca6bu);
        return static_cast<std::size_t>(std::uint64_t{mixed} * heads_.size() >> 32);
    }
    constexpr void link(std::uint32_t i) noexcept {
        std::uint32_t& head = heads_[place_of(all_[i])];
        all_[i].next = head;
        head = i;
    }

    array<candidate, 2 * MaxPairs> all_{};
    array<std::uint32_t, MaxPairs> heads_{};
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
