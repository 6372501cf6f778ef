#pragma once
// All checks of input that a world makes, or none: where its error policy is trusted_input, nothing of them is in the program.

#include <sinew/world/generalized_pool.hpp>
#include <sinew/world/validate.hpp>

namespace sinew::inline v0::detail {

template <bool Checks>
struct input_checks {
    template <class... A>
    [[nodiscard]] static constexpr error finite([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_finite(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr error mass([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_mass(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr error inertia([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_inertia(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr error pose([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_pose(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr error twist([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_twist(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr error generalized([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_generalized(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr error coordinates([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_coordinates(a...);
        else
            return {};
    }
    template <class... A>
    [[nodiscard]] static constexpr error fault([[maybe_unused]] A const&... a) noexcept {
        if constexpr (Checks)
            return check_fault(a...);
        else
            return {};
    }
};

}  // namespace sinew::inline v0::detail
