#pragma once
// Cases of sinew/constraint/point_to_point.hpp.

#include <sinew/constraint/point_to_point.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct ball_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static constexpr auto momentum = keeps_momentum::when_satisfied;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        return made{ball_joint<S>::at(a, b, base::point(random)), a, b};
    }
};

template <class R>
struct pin_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static constexpr auto momentum = keeps_momentum::when_satisfied;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random);
        auto const b = base::body(random);
        return made{particle_pin<S>::at(a, b, a.position), a, b};
    }
};

template <class R>
struct scalar_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        return made{scalar_point_to_point<S>::at(a, b, base::point(random)), a, b};
    }
    static S margin(auto const& c, auto const& a, auto const& b) { return c.error(a, b); }
};

template <class R>
struct scalar_pin_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random);
        auto const b = base::body(random);
        return made{scalar_particle_pin<S>::at(a, b, a.position), a, b};
    }
    static S margin(auto const& c, auto const& a, auto const& b) { return c.error(a, b); }
};

}  // namespace sinew_test
