#pragma once
// Cases of sinew/constraint/gear.hpp.

#include <sinew/constraint/gear.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct gear_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random), carrier = base::body(random);
        auto const axis_a = base::axis(random), axis_b = base::axis(random);
        int const teeth[][2] = {{1, 2}, {3, 2}, {10, -20}, {24, 36}};
        auto const& n = teeth[random() % 4];
        return made{gear<S>::at(a, b, carrier, axis_a, axis_b, n[0], n[1]), a, b, carrier};
    }
    // Clear of opposite axes, and of the half turn where the sum of the angles jumps.
    static S margin(auto const& c, auto const& a, auto const& b, auto const& carrier) {
        auto const apart = [&](auto const& angle, auto const& wheel) {
            return (S(1) + dot(carrier.direction(angle.axis_a), wheel.direction(angle.axis_b))) / S(2);
        };
        S const n_a = S(c.teeth_a / detail::common_divisor(c.teeth_a, c.teeth_b));
        S const to_jump = (pi_v<S> / n_a - abs(c.error(a, b, carrier))) / S(4);
        return min(min(apart(c.angle_a, a), apart(c.angle_b, b)), to_jump);
    }
};

}  // namespace sinew_test
