#pragma once
// Disabled bodies, which respond to no force and no impulse until they are enabled (Vondrak 2005, 7.1), and what else makes a body stand still.
//
//   world.disable(gate);                                  // stands where it is, like a fixed body
//   world.disable(boulder, sinew::enabled_by::touch);     // until something comes and touches it
//
// To others a disabled body is a fixed one: they lie on it, hit it and hang on it, and constraints between it and what does not move do nothing. It loses its
// velocity; given a twist afterwards it is moved by that, like a kinematic body, and goes on with it when it is enabled. Forces that are applied to it are lost,
// unless they enable it.
//
//   fixed       add_fixed(pose): never moves by forces             kinematic   add_fixed(pose, twist): moves by its twist, whatever comes in its way
//   disabled    for as long as the user says                       asleep      for as long as nothing happens to it: sleep.hpp

#include <sinew/core/handle.hpp>
#include <sinew/solver/problem.hpp>
#include <sinew/world/enabled_by.hpp>
#include <sinew/world/validate.hpp>

namespace sinew::inline v0 {

namespace detail {

/// The part of a world that enables and disables. It holds nothing: what is disabled has a mass, and does not move, and does not sleep.
template <class World, class Env>
class enabling_world {
    using S = typename Env::scalar;
    using error_type = error_told_to<typename Env::config_type::errors>;

public:
    /// Whether the body responds to forces, now or when it has woken. A fixed one does not.
    [[nodiscard]] constexpr bool is_enabled(handle<rigid> const& h) const { return self().valid(h) && self().may_move(h.index); }
    constexpr bool enable(handle<rigid> const& h) {
        if (error_type e = check_enabling(h)) return self().template refuse<bool>(e);
        if (!self().may_move(h.index)) enable_one(h.index);
        return true;
    }
    constexpr bool disable(handle<rigid> const& h) {
        if (error_type e = check_enabling(h)) return self().template refuse<bool>(e);
        disable_one(h.index);
        return true;
    }
    constexpr bool disable(handle<rigid> const& h, enabled_by by) {
        static_assert(Env::sleeps, "sinew: what wakes a body is known to a world that sleeps: say `using sleep = sinew::island_sleep;` in its configuration.");
        if (!disable(h)) return false;
        if constexpr (Env::sleeps) self().rest_[h.index].enabled_by = by;
        return true;
    }

protected:
    // In the way of a solver as what moves, or as what does not.
    constexpr void set_movable(std::uint32_t i, bool movable) {
        World& w = self();
        auto& m = w.masses_[i];
        m.movable = movable;
        m.inverse_mass = movable ? S(1) / m.mass : S(0);
        m.inverse_inertia = movable ? inverse(m.inertia) : sym3<S>{};
        w.inverse_masses_[i] = {};
        w.note_motion(i);
    }
    constexpr void enable_one(std::uint32_t i) {
        World& w = self();
        if constexpr (Env::sleeps) {
            w.rest_[i] = {};
            w.note_layout();
        } else {
            toggle(i);
        }
        w.applied_[i] = {};
        set_movable(i, true);
        w.wake_with(i);
        w.wake_bound_to(i);
    }

private:
    [[nodiscard]] constexpr World& self() noexcept { return static_cast<World&>(*this); }
    [[nodiscard]] constexpr World const& self() const noexcept { return static_cast<World const&>(*this); }

    [[nodiscard]] constexpr error_type check_enabling(handle<rigid> const& h) const noexcept {
        if (error_type e = self().check(h)) return e;
        if (any(self().masses_[h.index].mass > S(0))) return {};
        return {errc::invalid_parameter, "body", "is fixed: it cannot be enabled or disabled", 0, false};
    }
    constexpr void disable_one(std::uint32_t i) {
        World& w = self();
        w.wake_with(i);
        if constexpr (Env::sleeps) {
            w.rest_[i] = {};
            w.rest_[i].disabled = true;
            w.note_layout();
        } else if (w.masses_[i].movable) {
            toggle(i);
        }
        w.states_[i].twist = {};
        w.applied_[i] = {};
        set_movable(i, false);
    }
    // A saved state that does not say who is enabled fits only while the same are. Twice is as never.
    constexpr void toggle(std::uint32_t i) noexcept { self().contents_ ^= (i + 1) * 0x9e3779b1u; }
};

}  // namespace detail

}  // namespace sinew::inline v0
