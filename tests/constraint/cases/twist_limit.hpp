#pragma once
// Cases of sinew/constraint/twist_limit.hpp.

#include <sinew/constraint/twist_limit.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct swing_twist_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    // Made at a limit of both: the axis of b on the cone, the twist at its lower end.
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const na = base::axis(random), nb = base::axis(random);
        swing_twist_limit<S> c{};
        c.swing = cone_limit<S>::at(a, b, na, nb, atan2(norm(cross(na, nb)), dot(na, nb)));
        auto const ua = orthonormal_basis(na).u, ub = orthonormal_basis(nb).u;
        c.twist.angle = {a.local_direction(na), a.local_direction(ua), b.local_direction(nb), b.local_direction(ub)};
        c.twist.lower = c.twist.angle.error(a, b);
        c.twist.upper = c.twist.lower + random_number(random, S(0.5), S(3));
        return made{c, a, b};
    }
    static S margin(auto const& c, auto const& a, auto const& b) {
        auto const na = a.direction(c.swing.axis_a), nb = b.direction(c.swing.axis_b);
        S const axes = min(norm(cross(na, nb)), (S(1) + dot(na, nb)) / S(2));
        S const from_middle = abs(wrapped(c.twist.angle.error(a, b) - (c.twist.lower + c.twist.upper) / S(2)));
        return min(axes, min(from_middle, pi_v<S> - from_middle));
    }
};

}  // namespace sinew_test
