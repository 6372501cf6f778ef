#pragma once
// Cases of sinew/constraint/axis_alignment.hpp.

#include <sinew/constraint/axis_alignment.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct alignment_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        return made{axis_alignment<S>::at(a, b, base::axis(random)), a, b};
    }
    // Where the axes are parallel, their angle has no direction.
    static S margin(auto const& c, auto const& a, auto const& b) { return norm(cross(a.direction(c.axis_a), b.direction(c.axis_b))); }
};

template <class R>
struct parallel_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        return made{parallel_axes<S>::at(a, b, base::axis(random)), a, b};
    }
};

template <class R>
struct perpendicular_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const across = orthonormal_basis(base::axis(random));
        return made{perpendicular_axes<S>::at(a, b, across.u, across.v), a, b};
    }
};

}  // namespace sinew_test
