#pragma once
// Cases of sinew/constraint/motor_joint.hpp.

#include <sinew/constraint/motor_joint.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct motor_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto c = motor_joint<S>::at(a, b, base::body(random), random_number(random, S(0), S(4)), S(2), S(3));
        c.velocity = base::point(random);
        c.angular_velocity = base::point(random);
        return made{c, a, b};
    }
    // Half a turn off, the shorter way round changes.
    static S margin(auto const& c, auto const& a, auto const& b) { return pi_v<S> - norm(c.turn(a, b)); }
};

}  // namespace sinew_test
