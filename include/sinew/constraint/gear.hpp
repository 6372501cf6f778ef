#pragma once
// Gears: two wheels that turn about axes of one carrier keep the ratio of their teeth. The carrier may be the ground, a
// housing that moves, or the arm of a planetary gear.
//
//   c = wrap(n_a theta_a + n_b theta_b) / n_a       rad, of wheel a
//
//   theta_a, theta_b  angles of the wheels in the carrier, each about its own axis (angle.hpp), in (-pi, pi]
//   n_a, n_b          teeth, divided by their common divisor; wrap takes whole turns away
//
// An angle knows no whole turns, yet nothing is lost: n is an integer, so a turn of a wheel changes the sum by whole turns,
// which wrap takes away. However often the wheels have turned, there is no state and no drift. The error may grow to half
// a turn divided by n_a; beyond that the nearest whole number of steps is taken, as gears that jump do.
//
// Axes of an external mesh that point the same way: teeth of the same sign, the wheels turn oppositely. Internal mesh (a
// ring gear): teeth_b < 0, they turn the same way. Bevel gears: any two axes. The axes themselves are held by hinges.
//
// Sign: lambda > 0 is a torque (N m) on wheel a about its axis, n_b / n_a of it on wheel b about its own; the carrier
// bears both.

#include <sinew/constraint/angle.hpp>
#include <sinew/constraint/wrapped_angle.hpp>

namespace sinew::inline v0 {

namespace detail {
/// Greatest common divisor of two numbers of either sign; of 0 and 0 it is 1.
[[nodiscard]] constexpr int common_divisor(int a, int b) noexcept {
    // In unsigned, since the lowest int has no opposite.
    auto const size = [](int n) { return n < 0 ? 0U - static_cast<unsigned>(n) : static_cast<unsigned>(n); };
    unsigned x = size(a), y = size(b);
    while (y != 0) {
        unsigned const rest = x % y;
        x = y;
        y = rest;
    }
    return x == 0 || x > static_cast<unsigned>(std::numeric_limits<int>::max()) ? 1 : static_cast<int>(x);
}
}  // namespace detail

/// (1 row, rad) Two wheels in mesh: binds wheel a, wheel b and their carrier.
template <scalar S>
struct gear {
    static constexpr std::size_t rows = 1;
    using attachments = binds<rigid, rigid, rigid>;

    relative_angle<S> angle_a{};  ///< of wheel a in the carrier
    relative_angle<S> angle_b{};  ///< of wheel b in the carrier
    int teeth_a = 1;              ///< more than 0
    int teeth_b = 1;              ///< not 0; negative: an internal mesh

    /// Wheels about world axes, in mesh as they stand now.
    [[nodiscard]] static constexpr gear at(auto const& a, auto const& b, auto const& carrier, vec3<S> const& axis_a, vec3<S> const& axis_b, int teeth_a,
                                           int teeth_b) noexcept {
        return {relative_angle<S>::at(carrier, a, axis_a), relative_angle<S>::at(carrier, b, axis_b), teeth_a, teeth_b};
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b, auto const& carrier) const noexcept {
        int const divisor = detail::common_divisor(teeth_a, teeth_b);
        S const n_a = S(teeth_a / divisor), n_b = S(teeth_b / divisor);
        return wrapped(angle_a.error(carrier, a) * n_a + angle_b.error(carrier, b) * n_b) / n_a;
    }
    /// n_b / n_a: how many turns of a undo one turn of b.
    [[nodiscard]] constexpr S ratio() const noexcept {
        if constexpr (floating_scalar<S>) {
            return S(teeth_b) / S(teeth_a);
        } else {  // which may have no room for so many teeth
            int const divisor = detail::common_divisor(teeth_a, teeth_b);
            return S(teeth_b / divisor) / S(teeth_a / divisor);
        }
    }

    template <class R>
    [[nodiscard]] constexpr mat<S, 1, 18> jacobian(pose<S, R> const& a, pose<S, R> const& b, pose<S, R> const& carrier) const noexcept {
        vec3<S> const g_a = angle_a.gradient(carrier, a), g_b = angle_b.gradient(carrier, b) * ratio();
        mat<S, 1, 18> J{};
        place(J, 0, 3, g_a);
        place(J, 0, 9, g_b);
        place(J, 0, 15, -(g_a + g_b));
        return J;
    }
    template <class R>
    [[nodiscard]] constexpr S jacobian_rate(pose<S, R> const& a, pose<S, R> const& b, pose<S, R> const& carrier, twist<S> const& ta, twist<S> const& tb,
                                            twist<S> const& tc) const noexcept {
        return angle_a.jacobian_rate(carrier, a, tc, ta) + angle_b.jacobian_rate(carrier, b, tc, tb) * ratio();
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault const a{"teeth_a", "must be a positive number of teeth", static_cast<error_number>(teeth_a)};
        input_fault const b{"teeth_b", "must be a number of teeth, negative for an internal mesh", static_cast<error_number>(teeth_b)};
        return first_fault(teeth_a > 0 ? input_fault{} : a, teeth_b != 0 ? input_fault{} : b, angle_a.fault(), angle_b.fault());
    }
    [[nodiscard]] friend constexpr bool operator==(gear const&, gear const&) = default;
};

}  // namespace sinew::inline v0
