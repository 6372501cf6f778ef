#pragma once
// Cases of sinew/constraint/angle.hpp.

#include <sinew/constraint/angle.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct angle_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        return made{relative_angle<S>::at(a, b, base::axis(random)), a, b};
    }
    // Where the axes are opposite, no angle is defined: both arguments of atan2 shrink with 1 + n_a . n_b.
    static S margin(auto const& c, auto const& a, auto const& b) { return (S(1) + dot(a.direction(c.axis_a), b.direction(c.axis_b))) / S(2); }
};

}  // namespace sinew_test
