#pragma once
// Which bodies, constraints, forces and contacts belong to which simulation group: for each kind of thing a list, group after group.

#include <sinew/core/storage.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace sinew::inline v0 {

namespace detail {

/// f(k as a constant) for each k below N.
template <std::size_t N, class F>
constexpr void for_each_constant([[maybe_unused]] F&& f) {
    [&]<std::size_t... K>(std::index_sequence<K...>) { (f(std::integral_constant<std::size_t, K>{}), ...); }(std::make_index_sequence<N>{});
}

/// Numbers side by side, those of a group together and in the order in which they came. Filled in two rounds: reset, count each; make_room, put each.
template <class Env, std::size_t N>
class grouped_numbers {
public:
    static constexpr std::uint32_t none = 0xffffffffu;

    constexpr void reset(std::size_t groups) {
        ends_.assign(groups, 0);
        numbers_.clear();
    }
    constexpr void count(std::uint32_t group) noexcept {
        if (group != none) ++ends_[group];
    }
    // Until all are put, an end is where the next number of its group goes.
    constexpr void make_room() {
        std::uint32_t sum = 0;
        for (auto& end : ends_) {
            std::uint32_t const n = end;
            end = sum;
            sum += n;
        }
        numbers_.resize(sum);
    }
    constexpr void put(std::uint32_t group, std::uint32_t number) noexcept {
        if (group != none) numbers_[ends_[group]++] = number;
    }
    [[nodiscard]] constexpr std::span<std::uint32_t const> of(std::uint32_t group) const noexcept {
        std::uint32_t const first = group == 0 ? 0 : ends_[group - 1];
        return {numbers_.data() + first, ends_[group] - first};
    }

private:
    typename Env::template array<std::uint32_t, N> numbers_{};
    typename Env::template array<std::uint32_t, Env::max_nodes + 1> ends_{};
};

/// Both rounds: each(visit) calls visit(group, number) for each, the same each time.
template <class List, class F>
constexpr void fill_grouped(List& list, std::size_t groups, F&& each) {
    list.reset(groups);
    each([&](std::uint32_t group, std::uint32_t) { list.count(group); });
    list.make_room();
    each([&](std::uint32_t group, std::uint32_t number) { list.put(group, number); });
}

/// Of all groups of a world. Types: how many types of constraints, and of forces, it has.
template <class Env, std::size_t Types, std::size_t ForceTypes>
struct group_lists {
    static constexpr std::size_t max_pairs = [] {
        if constexpr (Env::has_shapes)
            return Env::all_pairs;
        else
            return std::size_t(0);
    }();
    grouped_numbers<Env, Env::max_nodes> nodes{};
    std::array<grouped_numbers<Env, Env::limits.constraints>, Types> constraints{};  // their slots
    std::array<grouped_numbers<Env, Env::limits.forces>, ForceTypes> forces{};
    grouped_numbers<Env, max_pairs> pairs{}, slept{};  // places in the sets of contacts
};

}  // namespace detail

}  // namespace sinew::inline v0
