#pragma once
// How simulation groups are stepped, and what an advance of them has come to.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/ode/step_control.hpp>
#include <sinew/world/report.hpp>

namespace sinew::inline v0 {

/// How long the steps of groups are.
template <class S>
struct group_settings {
    stepping mode = stepping::adaptive;
    S absolute_error{S(1e-3)};   ///< of a step, in places (m), turns (rad) and coordinates: tolerated
    S relative_error{S(1e-2)};   ///< besides, as a fraction of the way gone in the step
    S initial_step{};            ///< s, of a group that is new; 0: the whole advance. The step where it is fixed
    S min_step{S(1.0 / 1920)};   ///< s: such a step is kept whatever its error. At a hit the error falls no faster than the step
    S max_step{infinity_v<S>};   ///< s
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        auto const longest = min_step <= max_step && max_step > S(0) ? input_fault{} : input_fault{"settings.max_step", "must be positive and not below min_step", static_cast<error_number>(max_step)};
        auto const some = absolute_error + relative_error > S(0) ? input_fault{} : input_fault{"settings.absolute_error", "must be positive where relative_error is not", static_cast<error_number>(absolute_error)};
        return first_fault(nonnegative_parameter("settings.absolute_error", absolute_error), nonnegative_parameter("settings.relative_error", relative_error),
                           nonnegative_parameter("settings.initial_step", initial_step), nonnegative_parameter("settings.min_step", min_step), longest, some);
    }
    [[nodiscard]] friend constexpr bool operator==(group_settings const&, group_settings const&) = default;
};

/// Outcome of simulation_groups::advance.
template <class S>
struct group_report {
    step_status status = step_status::ok;
    std::size_t groups = 0;       ///< that were advanced; bodies that are moved without forces are in none
    std::size_t retries = 0;      ///< how often all were taken back, because groups had to be merged
    std::size_t widenings = 0;    ///< how often one group was, because it had come near something that stands still or sleeps
    std::size_t steps = 0;        ///< kept, of all groups together
    std::size_t rejections = 0;   ///< taken back, because of their error
    std::size_t at_floor = 0;     ///< kept in spite of their error, because they were as short as steps may be
    std::size_t body_steps = 0;   ///< bodies moved, summed over all steps that were tried: what the advance has cost
    std::size_t contacts = 0;     ///< points of contact in the last step of each group
    std::size_t dropped_contacts = 0;  ///< in static storage that had no room
    std::size_t islands = 0;      ///< that were awake at the end, where the config lets islands sleep
    std::size_t broken = 0;       ///< constraints that broke
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return status == step_status::ok; }
};

/// What a body's group knows of its steps.
template <class S>
struct group_pace {
    S next_step{};  ///< s, proposed by step control; 0 before it knows
    detail::growth_control<S> control{};
    [[nodiscard]] friend constexpr bool operator==(group_pace const&, group_pace const&) = default;
};

}  // namespace sinew::inline v0
