#pragma once
// Cases of sinew/constraint/angle_limit.hpp.

#include <sinew/constraint/angle_limit.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct angle_limit_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    // Made at one of its limits.
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const axis = base::axis(random);
        S const range = random_number(random, S(0.5), S(3));
        bool const at_lower = random() % 2 == 0;
        return made{angle_limit<S>::at(a, b, axis, at_lower ? S(0) : -range, at_lower ? range : S(0)), a, b};
    }
    // Without an angle where the axes are opposite; halfway between the limits, on either side, the row changes over.
    static S margin(auto const& c, auto const& a, auto const& b) {
        S const axes = (S(1) + dot(a.direction(c.angle.axis_a), b.direction(c.angle.axis_b))) / S(2);
        S const from_middle = abs(wrapped(c.angle.error(a, b) - (c.lower + c.upper) / S(2)));
        return min(axes, min(from_middle, pi_v<S> - from_middle));
    }
};

}  // namespace sinew_test
