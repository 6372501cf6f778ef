#pragma once
// Cases of sinew/constraint/spring_damper.hpp.

#include <sinew/constraint/spring_damper.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct spring_damper_case_base : conformance_case<R> {
    using S = typename R::scalar_type;
    // Where the ends meet, the spring has no direction.
    static S margin(auto const& c, auto const& a, auto const& b) { return norm(anchored(a, c.anchor_a) - anchored(b, c.anchor_b)); }
};
template <class R>
struct spring_damper_case : spring_damper_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const p = base::point(random), q = base::point(random);
        return made{spring_damper<S>::at(a, b, p, q, S(100), S(2)), a, b};
    }
};

template <class R>
struct particle_spring_damper_case : spring_damper_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random), b = base::particle(random);
        return made{particle_spring_damper<S>::at(a, b, a.position, b.position, S(100)), a, b};
    }
};

template <class R>
struct particle_body_spring_damper_case : spring_damper_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random);
        auto const b = base::body(random);
        return made{particle_body_spring_damper<S>::at(a, b, a.position, base::point(random), S(100)), a, b};
    }
};

}  // namespace sinew_test
