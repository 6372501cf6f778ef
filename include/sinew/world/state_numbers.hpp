#pragma once
// All numbers of a saved state, one after the other, in an order that depends on nothing but the state's contents: what a step is a function of.

#include <sinew/core/call_with.hpp>
#include <sinew/world/world_state.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sinew::inline v0 {

namespace detail {

// Of contacts: what the next step takes over. Surfaces are asked anew; of where a pair was looked for only the normal goes on, and the step.
template <class Set, class F>
constexpr void for_each_contact_number(Set& set, F const& f) {
    auto const all_of = [&](auto&... values) {
        [[maybe_unused]] auto const one = [&](auto& v) {
            if constexpr (requires { v.e; })
                for (auto& x : v.e) f(x);
            else
                f(v);
        };
        (one(values), ...);
    };
    auto const kept = [&](auto& e) {
        all_of(e.lambda);
        if constexpr (std::remove_cvref_t<decltype(e)>::memory_size > 0) all_of(e.memory);
    };
    for (auto& e : set.entries) {
        auto& c = e.constraint;
        all_of(c.anchor_a, c.anchor_b, c.core_a, c.core_b, c.rounding, c.normal, c.tangent, c.slip, c.surface_velocity, c.pressing, c.turning, c.arm, c.travel);
        kept(e);
    }
    for (auto& e : set.rolling) {
        all_of(e.constraint.normal, e.constraint.tangent);
        kept(e);
    }
    for (auto& o : set.origins) all_of(o.normal, o.step);
}

}  // namespace detail

/// f(number) for each: of every body but the ground, of multipliers, of time, of contacts. They may be changed. Not of what sleeps.
template <class State, class F>
constexpr void for_each_number(State& s, F const& f) {
    auto const each = [&](auto& v) {
        for (auto& x : v.e) f(x);
    };
    bool is_ground = true;
    for (auto& b : s.bodies) {
        if (!std::exchange(is_ground, false)) {
            each(b.pose.position);
            auto& r = b.pose.rotation;
            using R = std::remove_cvref_t<decltype(r)>;
            for (std::size_t k = 0; k < R::dimension; ++k) {
                auto x = r.coordinate(k);
                f(x);
                if constexpr (!std::is_const_v<State>) r.set_coordinate(k, x);
            }
            each(b.twist.linear);
            each(b.twist.angular);
        }
    }
    for (auto& b : s.particles) {
        each(b.position);
        each(b.velocity);
    }
    detail::call_with(
        [&](auto&... maps) {
            [[maybe_unused]] auto const of_map = [&](auto& states) {
                for (auto& b : states) {
                    each(b.u);
                    each(b.rates);
                }
            };
            (of_map(maps), ...);
        },
        s.generalized);
    for (auto& x : s.multipliers) f(x);
    f(s.time);
    f(s.time_carry);
    if constexpr (requires { s.contacts.awake; }) {
        detail::for_each_contact_number(s.contacts.awake, f);
        f(s.contacts.last_step);
    }
}

}  // namespace sinew::inline v0
