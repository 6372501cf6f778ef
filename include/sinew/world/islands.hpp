#pragma once
// Islands: bodies that hang together through constraints, contacts and forces. A disjoint-set forest (Tarjan) over the nodes of a problem.
//
// What does not move joins nothing: two piles on one floor are two islands. The least node stands for its island, whatever the order in which
// bodies were joined.

#include <sinew/core/storage.hpp>

#include <cstdint>

namespace sinew::inline v0 {

namespace detail {

template <class Env>
class island_forest {
public:
    constexpr void reset(std::size_t nodes) {
        parents_.resize(nodes);
        for (std::size_t i = 0; i < nodes; ++i) parents_[i] = static_cast<std::uint32_t>(i);
    }
    [[nodiscard]] constexpr std::uint32_t root(std::uint32_t i) noexcept {
        while (parents_[i] != i) {
            parents_[i] = parents_[parents_[i]];  // halves the path
            i = parents_[i];
        }
        return i;
    }
    constexpr void join(std::uint32_t i, std::uint32_t j) noexcept {
        std::uint32_t const a = root(i), b = root(j);
        if (a < b)
            parents_[b] = a;
        else
            parents_[a] = b;
    }

private:
    typename Env::template array<std::uint32_t, Env::max_nodes> parents_{};
};

}  // namespace detail

}  // namespace sinew::inline v0
