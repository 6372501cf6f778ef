#pragma once
// Cases of sinew/constraint/distance.hpp.

#include <sinew/constraint/distance.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct distance_case_base : conformance_case<R> {
    using S = typename R::scalar_type;
    // Where the ends coincide, the distance has no direction.
    static S margin(auto const& c, auto const& a, auto const& b) { return norm(anchored(a, c.anchor_a) - anchored(b, c.anchor_b)); }
};
template <class R>
struct distance_case : distance_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const p = base::point(random), q = base::point(random);
        return made{distance<S>::at(a, b, p, q), a, b};
    }
};

template <class R>
struct particle_distance_case : distance_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random), b = base::particle(random);
        return made{particle_distance<S>::at(a, b, a.position, b.position), a, b};
    }
};

template <class R>
struct rope_case : distance_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const p = base::point(random), q = base::point(random);
        return made{rope<S>::at(a, b, p, q), a, b};
    }
};

template <class R>
struct particle_body_rope_case : distance_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random);
        auto const b = base::body(random);
        return made{particle_body_rope<S>::at(a, b, a.position, base::point(random)), a, b};
    }
};

template <class R>
struct particle_body_distance_case : distance_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random);
        auto const b = base::body(random);
        return made{particle_body_distance<S>::at(a, b, a.position, base::point(random)), a, b};
    }
};

template <class R>
struct particle_rope_case : distance_case_base<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random), b = base::particle(random);
        return made{particle_rope<S>::at(a, b, a.position, b.position), a, b};
    }
};

}  // namespace sinew_test
