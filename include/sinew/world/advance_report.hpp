#pragma once
// What a motion that never penetrates says of how it went: see non_penetrating.hpp.

#include <sinew/math/scalar.hpp>

#include <cstddef>

namespace sinew::inline v0 {

/// How an advance ended. Whatever it says, the world has the last valid state, and its time.
enum class advance_status : unsigned char {
    ok,
    stuck,              ///< no step, however short, is valid, even after the bodies have been stopped
    step_too_small,     ///< the tolerance asks for steps that time cannot resolve
    too_many_steps,     ///< max_steps were taken
    not_finite,         ///< a state or derivative was infinite or NaN
    invalid_duration,   ///< not positive and finite; nothing was done
    invalid_parameter,  ///< gravity or a tuning number cannot be; nothing was done
};

/// What an advance took.
template <class S>
struct advance_report {
    advance_status status = advance_status::ok;
    S advanced{};                 ///< s
    std::size_t steps = 0;        ///< kept
    std::size_t rejections = 0;   ///< taken again because of their error
    std::size_t trials = 0;       ///< steps taken to find where something touches
    std::size_t evaluations = 0;  ///< of the equations of motion
    std::size_t hits = 0;         ///< moments at which impulses acted
    std::size_t critical = 0;     ///< contacts that would have bounced within the shell, and were stopped
    std::size_t stopped = 0;      ///< bodies stopped, because no impulse could
    S nearest = infinity_v<S>;    ///< least distance of a pair at the end of a step, m; negative when deep
    std::size_t dropped_contacts = 0;  ///< for which the static storage had no room
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return status == advance_status::ok; }
};

}  // namespace sinew::inline v0
