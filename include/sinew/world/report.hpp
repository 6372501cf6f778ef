#pragma once
// What a step tells its caller.

#include <sinew/math/scalar.hpp>

#include <cstddef>

namespace sinew::inline v0 {

enum class step_status : unsigned char {
    ok,
    not_finite,     ///< the step would have made the state infinite or NaN; the world kept its last good state
    invalid_step,   ///< the step length was not positive and finite, or in fixed point too short for so many substeps; nothing was done
    not_converged,  ///< an implicit integrator did not converge; the world kept its last good state
    invalid_parameter,  ///< gravity, or a tuning number of the solver or the integrator, cannot be; nothing was done
};

/// Outcome of world::step.
template <class S>
struct step_report {
    step_status status = step_status::ok;
    mask_t<S> failed = false;  ///< under not_finite, in which lanes it was seen first (under integrators with stages others may follow); over a scalar without lanes, whether it was
    int iterations = 0;       ///< solver sweeps, summed over substeps or stages
    S residual{};             ///< largest constraint error met in the last sweep (m, rad, or a rate)
    bool full_rank = true;    ///< false when constraints were redundant
    std::size_t broken = 0;   ///< constraints removed because they exceeded their break threshold
    std::size_t contacts = 0;          ///< points of contact that the solver was given
    std::size_t dropped_contacts = 0;  ///< points and pairs for which the static storage had no room
    std::size_t islands = 0;           ///< that were awake at the end, where the config lets islands sleep
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return status == step_status::ok; }
};

}  // namespace sinew::inline v0
