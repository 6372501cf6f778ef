#pragma once
// Cases of sinew/constraint/pulley.hpp.

#include <sinew/constraint/pulley.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct pulley_case_base : conformance_case<R> {
    using S = typename R::scalar_type;
    // An end at its wheel has no direction.
    static S margin(auto const& c, auto const& a, auto const& b, auto const& carrier) {
        return min(norm(anchored(a, c.anchor_a) - carrier.point(c.wheel_a)), norm(anchored(b, c.anchor_b) - carrier.point(c.wheel_b)));
    }
};
template <class R>
struct pulley_case : pulley_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random), carrier = base::body(random);
        auto const p = base::point(random), q = base::point(random), v = base::point(random), w = base::point(random);
        S const ratio = random_number(random, S(1), S(3));
        return made{pulley<S>::at(a, b, carrier, p, v, q, w, ratio), a, b, carrier};
    }
};

template <class R>
struct pulley_rod_case : pulley_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random), carrier = base::body(random);
        auto const p = base::point(random), q = base::point(random), v = base::point(random), w = base::point(random);
        return made{pulley_rod<S>::at(a, b, carrier, p, v, q, w), a, b, carrier};
    }
};

template <class R>
struct particle_pulley_case : pulley_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random), b = base::particle(random);
        auto const carrier = base::body(random);
        auto const v = base::point(random), w = base::point(random);
        return made{particle_pulley<S>::at(a, b, carrier, a.position, v, b.position, w, S(2)), a, b, carrier};
    }
};

template <class R>
struct particle_body_pulley_case : pulley_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random);
        auto const b = base::body(random), carrier = base::body(random);
        auto const v = base::point(random), q = base::point(random), w = base::point(random);
        return made{particle_body_pulley<S>::at(a, b, carrier, a.position, v, q, w, S(2)), a, b, carrier};
    }
};

template <class R>
struct particle_pulley_rod_case : pulley_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random), b = base::particle(random);
        auto const carrier = base::body(random);
        auto const v = base::point(random), w = base::point(random);
        return made{particle_pulley_rod<S>::at(a, b, carrier, a.position, v, b.position, w), a, b, carrier};
    }
};

}  // namespace sinew_test
