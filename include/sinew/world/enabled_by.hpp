#pragma once
// What enables a disabled body: see enabling.hpp.

namespace sinew::inline v0 {

/// What, beside world.enable, enables a disabled body. Touch and force need a config whose islands sleep: they wake sleepers and the disabled alike.
enum class enabled_by : unsigned char {
    hand = 0,
    force = 1,  ///< one that is applied to it
    touch = 2,  ///< of what moves, and did not touch it before
    force_or_touch = 3,
};

}  // namespace sinew::inline v0
