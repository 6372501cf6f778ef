#pragma once
// The configuration for microcontrollers: float or, without a unit for it, fixed point (FIXED_POINT); all in place, no heap, and nothing that is not
// used.

#include "board.hpp"

#include <sinew/constraint/hinge.hpp>
#include <sinew/math/fixed.hpp>
#include <sinew/solver/nonlinear_gauss_seidel.hpp>

#include <new>

#ifndef INPUT_POLICY
#define INPUT_POLICY trusted_input  // error_codes checks what is added, and each step's settings, for 2 KB more; null_errors tells it in sentences
#endif

#ifdef FIXED_POINT
using real = sinew::fixed<15, 16>;
#else
using real = float;
#endif
using vec = sinew::vec3<real>;
constexpr real step_length = 1.0f / 200;  // s

template <std::size_t Bodies, std::size_t Constraints = Bodies>
struct small_config : sinew::default_config {
    using scalar = real;
    using solver = sinew::plain_gauss_seidel;
    using storage = sinew::static_storage<sinew::capacities{.bodies = Bodies, .constraints = Constraints, .forces = 0}>;
    using errors = sinew::INPUT_POLICY;
    static constexpr bool breakable = false;
};

/// A world made when the program runs: a global one is filled by the compiler, and its image takes flash too.
template <class World>
World& make_world() {
    alignas(World) static unsigned char room[sizeof(World)];
    return *new (room) World;
}

/// Whether x is within `most` of 0.
constexpr bool is_within(real x, real most) { return -most < x && x < most; }

/// Steps, each after `control()`, and yields the instructions of one.
template <class World, class Control>
std::uint32_t run(World& world, int steps, Control&& control) {
    std::uint64_t const before = board::instructions();
    for (int i = 0; i < steps; ++i) {
        control(i);
        world.step(step_length);
        (void)board::instructions();
    }
    return static_cast<std::uint32_t>(board::instructions() - before) / static_cast<std::uint32_t>(steps);
}
