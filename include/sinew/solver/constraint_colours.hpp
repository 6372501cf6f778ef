#pragma once
// Colours for the graph of constraints: no two of one colour share a body that moves, so that those of one colour may be solved at once, in any order.
//
// Greedy, in the order in which constraints are met: each takes the lowest colour that none of its bodies has. It depends on nothing else, so the same
// constraints in the same order have the same colours. Sixty-four colours at a time; what finds none among them waits for the next sixty-four.

#include <bit>
#include <cstddef>
#include <cstdint>

namespace sinew::inline v0::detail {

/// Array: of one word for each body.
template <class Array>
class constraint_colours {
public:
    static constexpr std::uint32_t none = ~std::uint32_t(0);

    constexpr void begin(std::size_t nodes) {
        taken_.resize(nodes);
        for (auto& t : taken_) t = 0;
    }
    /// The lowest colour below 64 that no body of these has; `none` where all are taken. Nodes(f): f(node) for each body that moves.
    template <class Nodes>
    [[nodiscard]] constexpr std::uint32_t take(Nodes const& nodes) noexcept {
        std::uint64_t taken = 0;
        nodes([&](std::uint32_t n) { taken |= taken_[n]; });
        if (taken == ~std::uint64_t(0)) return none;
        auto const colour = static_cast<std::uint32_t>(std::countr_one(taken));
        nodes([&](std::uint32_t n) { taken_[n] |= std::uint64_t(1) << colour; });
        return colour;
    }

private:
    Array taken_{};
};

}  // namespace sinew::inline v0::detail
