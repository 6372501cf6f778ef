#pragma once
// Sleep: islands that have been at rest for a while are not simulated until something wakes them (Vondrak 2005, 7.1: idle groups).
//
//   struct my_config : sinew::default_config { using sleep = sinew::island_sleep; };
//
// An island falls asleep when all of its bodies have been slow for a while. To the solver its bodies do not move, and its constraints and
// contacts are not there. What wakes it: the touch of a body that moves, a force, a change of one of its bodies, constraints or colliders, or
// of gravity, the removal of something that it touches or is bound to; or world.wake(body). An island that holds particles or generalized bodies does not
// sleep. A force object that changes with time by itself wakes nobody.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/world/enabled_by.hpp>

#include <cstdint>

namespace sinew::inline v0 {

/// Nothing sleeps, and there is no trace of it in the program.
struct never_sleep {
    static constexpr bool is_active = false;
    template <class S>
    struct settings {
        [[nodiscard]] friend constexpr bool operator==(settings const&, settings const&) = default;
    };
};
/// Islands sleep. Its settings are members of the world: world.sleep.time = 1.
struct island_sleep {
    static constexpr bool is_active = true;
    template <class S>
    struct settings {
        S speed{value_type_t<S>(0.05)};  ///< below which a body counts as slow, m/s
        S spin{value_type_t<S>(0.1)};    ///< and its angular velocity, rad/s
        S time{value_type_t<S>(0.5)};    ///< for which all bodies of an island must have been slow, s
        [[nodiscard]] constexpr input_fault fault() const noexcept {
            return first_fault(nonnegative_parameter("sleep.speed", speed), nonnegative_parameter("sleep.spin", spin), nonnegative_parameter("sleep.time", time));
        }
        [[nodiscard]] friend constexpr bool operator==(settings const&, settings const&) = default;
    };
};

namespace detail {

/// What sleep knows of a body.
template <class S>
struct rest_state {
    S still{};               // how long it has been slow, s
    std::uint32_t next = 0;  // while it sleeps: another body of its island, in a ring
    bool asleep = false;
    bool disabled = false;                               // and stands for as long as the user says
    sinew::enabled_by enabled_by = sinew::enabled_by::hand;
    [[nodiscard]] friend constexpr bool operator==(rest_state const&, rest_state const&) = default;
};

template <class Config>
[[nodiscard]] constexpr bool config_sleeps() noexcept {
    if constexpr (requires { Config::sleep::is_active; })
        return Config::sleep::is_active;
    else
        return false;
}
template <class Config, class S>
struct sleep_settings {
    using type = never_sleep::settings<S>;
};
template <class Config, class S>
    requires requires { typename Config::sleep; }
struct sleep_settings<Config, S> {
    using type = typename Config::sleep::template settings<S>;
};

}  // namespace detail

}  // namespace sinew::inline v0
