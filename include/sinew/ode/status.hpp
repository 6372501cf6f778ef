#pragma once
// How a step or an integration ended, and what it took.

#include <cstddef>
#include <cstdint>

namespace sinew::inline v0 {

/// How it ended. Whatever it says, the state is one that was reached and is valid: the last good one.
enum class ode_status : unsigned char {
    ok,
    event,            ///< stopped before a terminal event; event_begin and event_end of the report bracket it
    invalid_state,    ///< the problem refused every state ahead; event_begin and event_end bracket the first refusal
    not_finite,       ///< a state or derivative is infinite or NaN
    not_converged,    ///< the equations of an implicit method were not solved
    step_too_small,   ///< the tolerance asks for steps below the smallest allowed, or time has no finer resolution
    too_many_steps,   ///< the limit on steps was reached
    bad_step,         ///< the step is not positive and finite (integrate), or not finite
    bad_time,         ///< a time is not finite
    bad_parameters,   ///< a tolerance, limit or factor is out of its range
    no_split,         ///< a method for positions and velocities met a state that does not fall into two halves
    aborted,          ///< a transaction was refused
};

/// One sentence on a status.
[[nodiscard]] constexpr char const* describe(ode_status s) noexcept {
    switch (s) {
        case ode_status::ok: return "done";
        case ode_status::event: return "stopped before an event";
        case ode_status::invalid_state: return "stopped before a state that the problem refuses";
        case ode_status::not_finite: return "a state or derivative is infinite or NaN";
        case ode_status::not_converged: return "the equations of the implicit method were not solved";
        case ode_status::step_too_small: return "the step needed is below the smallest step";
        case ode_status::too_many_steps: return "the limit on the number of steps was reached";
        case ode_status::bad_step: return "the step must be positive and finite";
        case ode_status::bad_time: return "times must be finite";
        case ode_status::bad_parameters: return "a tolerance, limit or factor is out of its range";
        case ode_status::no_split: return "the state does not fall into positions and velocities";
        case ode_status::aborted: return "the transaction was refused";
    }
    return "";
}

/// What an integration took. S is the built-in type of the scalar.
template <class S>
struct ode_report {
    ode_status status = ode_status::ok;
    S time{};                    ///< s, reached
    std::size_t steps = 0;       ///< accepted
    std::size_t rejections = 0;  ///< steps taken back: error too large, state refused, event passed
    std::size_t evaluations = 0; ///< of the derivative
    S smallest_step{};           ///< s, of those accepted, the ones that locate an event apart; 0 without steps

    std::size_t events = 0;         ///< passed, or stopped at
    std::size_t event_index = 0;    ///< which, in the order given; of those between begin and end the first
    std::uint64_t event_mask = 0;   ///< all between begin and end: bit i is event i
    S event_begin{}, event_end{};   ///< s, the last event or refusal is between these

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return status == ode_status::ok; }
};

}  // namespace sinew::inline v0
