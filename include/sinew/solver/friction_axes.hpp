#pragma once
// Which way the friction of a contact points, for strategies that solve for all rows at once: they know bounds of single rows, a pyramid about the cone, and a pyramid is
// exact along its axes only. So the first of them goes along the slip, or, where nothing slips yet, along what pulls.
//
// All contacts of a body do so in every step, whatever they did before: of a box that slides on four corners others may carry it from one step to the next, and one
// that begins to would brake along axes of its own, too little and to one side.

#include <sinew/constraint/friction_cone.hpp>
#include <sinew/solver/problem.hpp>

namespace sinew::inline v0::detail {

/// A contact whose friction is alike in every direction, and whose axes may be turned.
template <class C, class S>
concept has_friction_axes = presses_and_rubs<C, S> && C::friction_type::is_round && requires(C& c, vec3<S> const& v) {
    { c.tangent + c.bitangent() } -> std::convertible_to<vec3<S>>;
    c.align(v);
};
/// (m/s) What is slower does not tell a direction: rounding has as much.
template <class S>
[[nodiscard]] constexpr S least_slip() noexcept {
    return sqrt(epsilon_v<S>);
}
/// Turns the axes along what the rows of friction say: their rates, or their accelerations. False if these are below the least.
template <class C, class S>
constexpr bool turn_friction(C& c, vec<S, 3> const& rows, S const& least) noexcept {
    if (!any(max(abs(rows[1]), abs(rows[2])) > least)) return false;
    c.align(c.tangent * rows[1] + c.bitangent() * rows[2]);
    return true;
}

}  // namespace sinew::inline v0::detail
