#pragma once
// Cases of sinew/constraint/rolling.hpp.

#include <sinew/constraint/rolling.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct rolling_sphere_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const centre = base::point(random), normal = base::axis(random);
        return made{rolling_sphere<S>::at(a, b, centre, normal, random_number(random, S(0), S(1))), a, b};
    }
};

template <class R>
struct disc_case : conformance_case<R> {
    using S = typename R::scalar_type;
    // A disc that lies flat touches at no one point.
    static S margin(auto const& c, auto const& a, auto const& b) { return norm(cross(a.direction(c.normal), b.direction(c.axis))) / S(2); }
};
template <class R>
struct rolling_disc_case : disc_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const centre = base::point(random), axis = base::axis(random), normal = base::axis(random);
        return made{rolling_disc<S>::at(a, b, centre, axis, normal, random_number(random, S(0), S(1))), a, b};
    }
};

template <class R>
struct disc_on_plane_case : disc_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const centre = base::point(random), axis = base::axis(random), normal = base::axis(random);
        return made{disc_on_plane<S>::at(a, b, centre, axis, normal, random_number(random, S(0), S(1))), a, b};
    }
};

}  // namespace sinew_test
