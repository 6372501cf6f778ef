#pragma once
// What happened between colliders in the last step. Nothing is called from within a step: a user asks when it is over.
//
//   for (auto const& e : world.touch_begins()) play_sound(e.speed);
//   for (auto const& e : world.touch_ends()) ...
//   world.for_each_touch([](auto const& touch) { ... });      // all that touch now
//
// Two solids touch when one pushes the other, or when they have met; they part when all their points are farther apart than a
// small distance, so that a body which rests does not flicker. A sensor touches what overlaps it where a step begins, and pushes nothing. Of what goes farther in a step than
// the smaller of both is wide, half across, the way is looked at too, straight from where it was to where it has come: a bullet through a sensor begins to touch it in the step in
// which it goes in, and parts in the next. Two that both stand still do not begin to touch: what is carried by set_pose alone meets what moves, not a sensor that stands. What
// sleeps goes on touching in silence.

#include <sinew/world/collider.hpp>

namespace sinew::inline v0 {

/// Two colliders that began to touch in the last step, or parted. Of what was removed the handles are dead, but can be compared.
template <class S>
struct touch_event {
    collider_handle a, b;
    handle<rigid> body_a, body_b;
    bool sensor = false;
    vec3<S> point{};   ///< where they met, world, m; of a beginning
    vec3<S> normal{};  ///< from a to b; of a beginning
    S speed{};         ///< at which they approached at that point, m/s; of a beginning. 0 if they overlapped a sensor where a step began
    [[nodiscard]] constexpr bool involves(collider_handle const& h) const noexcept { return a == h || b == h; }
    [[nodiscard]] constexpr bool involves(handle<rigid> const& h) const noexcept { return body_a == h || body_b == h; }
    [[nodiscard]] friend constexpr bool operator==(touch_event const&, touch_event const&) = default;
};

/// Two colliders that touch, as for_each_touch shows them.
template <class S, class Entry>
struct touch {
    collider_handle a, b;
    handle<rigid> body_a, body_b;
    bool sensor = false;
    std::span<Entry const> contacts{};  ///< the contacts between them; their multipliers are the forces of the last step, N

    /// The force that presses them together, N.
    [[nodiscard]] constexpr S pressing() const noexcept {
        S sum{};
        for (auto const& c : contacts) sum = sum + c.lambda[0];
        return sum;
    }
};

}  // namespace sinew::inline v0
