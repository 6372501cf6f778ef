#pragma once
// Where a world keeps its data: on the heap, growing (dynamic_storage), or in place with fixed capacities
// (static_storage), for targets without a heap.

#include <sinew/core/dynamic_vector.hpp>
#include <sinew/core/static_vector.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace sinew::inline v0 {

/// How many of each a world with static_storage can hold.
struct capacities {
    std::size_t bodies = 0;       ///< rigid bodies, beside the ground
    std::size_t constraints = 0;  ///< of each type of constraint
    std::size_t particles = 0;
    std::size_t forces = 4;  ///< of each type of force
    std::size_t rows = 0;    ///< scalar rows of all constraints together; 0 for all that the constraints could have. A matrix of rows x rows is kept by
                             ///< lagrange_multipliers.
    std::size_t generalized = 0;  ///< bodies over each map
    std::size_t colliders = 0;    ///< shapes on bodies, of all types together; also of each type
    std::size_t contacts = 0;     ///< points of contact, up to four for two convex shapes
    std::size_t pairs = 0;        ///< colliders that are near each other, two by two, and manifolds that resist rolling; 0 for as many as contacts
};

/// Grows on the heap. Nothing is freed before the world is, so a step allocates nothing once it has run.
struct dynamic_storage {
    static constexpr bool is_static = false;
    static constexpr capacities limits{};
    template <class T, std::size_t>
    using array = dynamic_vector<T>;
};

/// In place, no heap at all: static_storage<capacities{.bodies = 16, .constraints = 32}>.
template <capacities Limits = capacities{}>
struct static_storage {
    static constexpr bool is_static = true;
    static constexpr capacities limits = Limits;
    template <class T, std::size_t N>
    using array = static_vector<T, N>;
};

/// Room for n elements at once, where it can be made: what may come to be needed is better asked for before it is.
template <class A>
constexpr void make_room([[maybe_unused]] A& array, [[maybe_unused]] std::size_t n) {
    if constexpr (requires { array.reserve(n); }) array.reserve(n);
}

/// Whether one more fits.
template <class A>
[[nodiscard]] constexpr bool is_full(A const& array) noexcept {
    if constexpr (requires { array.full(); })
        return array.full();
    else
        return false;
}

namespace detail {
/// Room for what every constraint has some of: weight(type) for each that there may be.
template <class Env, class Weight>
[[nodiscard]] constexpr std::size_t room_for(Weight const& weight) noexcept {
    return [&]<class... Cs>(std::tuple<Cs...>*) {
        return ((Env::template most_of<Cs> * static_cast<std::size_t>(weight(std::type_identity<Cs>{}))) + ... + std::size_t(0));
    }(static_cast<typename Env::constraint_types*>(nullptr));
}
}  // namespace detail

}  // namespace sinew::inline v0
