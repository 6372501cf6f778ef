#pragma once
// Which bodies hang together through constraints: a disjoint-set forest (Tarjan) over bodies, then particles.
//
// What does not move joins nothing, but whatever is bound to it counts as anchored: its momentum is not its own to keep. So does
// a generalized body, and whatever is bound to one: its map may hold it anywhere.

#include <sinew/core/storage.hpp>
#include <sinew/solver/problem.hpp>

#include <cstdint>

namespace sinew::inline v0 {

/// Env: the world's environment, for its storage.
template <class Env>
class connected_bodies {
public:
    /// Reads all constraints of a problem.
    template <class P>
    constexpr void build(P const& p) {
        nodes_.resize(p.node_count());
        for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i] = {static_cast<std::uint32_t>(i), false, false};
        p.for_each_type([&](auto entries, auto) {
            for (auto const& e : entries) join(p, e);
        });
    }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return nodes_.size(); }

    /// The node that stands for all that hang together with this one.
    [[nodiscard]] constexpr std::uint32_t root(std::uint32_t i) noexcept {
        while (nodes_[i].parent != i) {
            nodes_[i].parent = nodes_[nodes_[i].parent].parent;  // halves the path
            i = nodes_[i].parent;
        }
        return i;
    }
    /// Of a root: whether any constraint binds its bodies, and whether one binds them to what does not move.
    [[nodiscard]] constexpr bool is_bound(std::uint32_t root) const noexcept { return nodes_[root].bound; }
    [[nodiscard]] constexpr bool is_anchored(std::uint32_t root) const noexcept { return nodes_[root].anchored; }

private:
    struct entry {
        std::uint32_t parent;
        bool bound, anchored;
    };

    template <class P, class E>
    constexpr void join(P const& p, E const& e) {
        constexpr std::uint32_t none = 0xffffffffu;
        std::uint32_t all = none;
        bool anchored = false;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            if (!detail::attachment_access<decltype(kind)>::movable(p, i)) {
                anchored = true;
                return;
            }
            anchored = anchored || is_generalized_v<decltype(kind)>;
            std::uint32_t const r = root(p.node(kind, i));
            if (all == none) {
                all = r;
            } else if (r != all) {
                // The smaller index stands for both, whatever the order of the constraints.
                std::uint32_t const low = r < all ? r : all, high = r < all ? all : r;
                nodes_[high].parent = low;
                nodes_[low].anchored = nodes_[low].anchored || nodes_[high].anchored;
                all = low;
            }
        });
        if (all == none) return;
        nodes_[all].bound = true;
        nodes_[all].anchored = nodes_[all].anchored || anchored;
    }

    typename Env::template array<entry, Env::max_nodes> nodes_;
};

}  // namespace sinew::inline v0
