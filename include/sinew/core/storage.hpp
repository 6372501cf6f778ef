#pragma once
// Where a world keeps its data: on the heap, growing (dynamic_storage), or in place with fixed capacities
// (static_storage), for targets without a heap. The only header that includes <vector>.

#include <sinew/core/static_vector.hpp>

#include <cstddef>
#include <vector>

namespace sinew::inline v0 {

/// How many of each a world with static_storage can hold.
struct capacities {
    std::size_t bodies = 0;       ///< rigid bodies, beside the ground
    std::size_t constraints = 0;  ///< of each type of constraint
    std::size_t particles = 0;
    std::size_t forces = 4;  ///< of each type of force
};

/// Grows on the heap. Nothing is freed before the world is, so a step allocates nothing once it has run.
struct dynamic_storage {
    static constexpr bool is_static = false;
    static constexpr capacities limits{};
    template <class T, std::size_t>
    using array = std::vector<T>;
};

/// In place, no heap at all: static_storage<capacities{.bodies = 16, .constraints = 32}>.
template <capacities Limits = capacities{}>
struct static_storage {
    static constexpr bool is_static = true;
    static constexpr capacities limits = Limits;
    template <class T, std::size_t N>
    using array = static_vector<T, N>;
};

/// n times the value. (std::vector's own assign and resize are no constant expressions in clang 14 with libstdc++ 12.)
template <class A, class T>
constexpr void refill(A& array, std::size_t n, T const& value) {
    array.clear();
    for (std::size_t i = 0; i < n; ++i) array.push_back(value);
}
/// n elements, those at the end new.
template <class A>
constexpr void resize_to(A& array, std::size_t n) {
    while (array.size() > n) array.pop_back();
    while (array.size() < n) array.push_back({});
}

/// Whether one more fits.
template <class A>
[[nodiscard]] constexpr bool is_full(A const& array) noexcept {
    if constexpr (requires { array.full(); })
        return array.full();
    else
        return false;
}

}  // namespace sinew::inline v0
