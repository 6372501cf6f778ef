#pragma once
// Cases of sinew/constraint/cone_limit.hpp.

#include <sinew/constraint/cone_limit.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct cone_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    // Made with the axis of b on the cone.
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const na = base::axis(random), nb = base::axis(random);
        return made{cone_limit<S>::at(a, b, na, nb, atan2(norm(cross(na, nb)), dot(na, nb))), a, b};
    }
    // Where the axes are parallel or opposite, their angle has no direction.
    static S margin(auto const& c, auto const& a, auto const& b) { return norm(cross(a.direction(c.axis_a), b.direction(c.axis_b))); }
};

}  // namespace sinew_test
