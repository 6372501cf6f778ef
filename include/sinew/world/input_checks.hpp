#pragma once
// All checks of input that a world makes, or none: where its error policy is trusted_input, nothing of them is in the program.

#include <sinew/world/generalized_pool.hpp>
#include <sinew/world/validate.hpp>

namespace sinew::inline v0::detail {

// E: see validate.hpp.
template <bool Checks, class E>
struct input_checks {
    template <class... A>
    [[nodiscard]] static constexpr E finite([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_finite<E>(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr E mass([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_mass<E>(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr E inertia([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_inertia<E>(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr E pose([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_pose<E>(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr E twist([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_twist<E>(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr E generalized([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_generalized(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr E coordinates([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_coordinates(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr E fault([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_fault<E>(a...);
        else
            return {};
    }
};

}  // namespace sinew::inline v0::detail
