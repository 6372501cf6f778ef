#pragma once
// Cases of sinew/constraint/rack_and_pinion.hpp.

#include <sinew/constraint/rack_and_pinion.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct rack_and_pinion_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const pinion = base::body(random), rack = base::body(random), carrier = base::body(random);
        auto const centre = base::point(random), axis = base::axis(random);
        // As large as the scene, so that its wrap is seldom near.
        auto const contact = centre + orthonormal_basis(axis).u * random_number(random, S(1), S(2));
        return made{rack_and_pinion<S>::at(pinion, rack, carrier, centre, axis, contact), pinion, rack, carrier};
    }
    static S margin(auto const& c, auto const& pinion, auto const& rack, auto const& carrier) {
        S const apart = (S(1) + dot(carrier.direction(c.angle.axis_a), pinion.direction(c.angle.axis_b))) / S(2);
        return min(apart, (pi_v<S> - abs(c.error(pinion, rack, carrier)) / c.radius) / S(4));
    }
};

}  // namespace sinew_test
