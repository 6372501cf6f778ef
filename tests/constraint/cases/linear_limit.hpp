#pragma once
// Cases of sinew/constraint/linear_limit.hpp.

#include <sinew/constraint/linear_limit.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

// Halfway between the limits the row changes over.
template <class S>
S clear_of_the_middle(auto const& c, auto const& a, auto const& b) {
    return abs(detail::displacement(a, b, c.anchor_a, c.anchor_b, c.axis) - (c.lower + c.upper) / S(2));
}

template <class R>
struct linear_limit_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    // Made at one of its limits.
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const anchor = base::point(random), axis = base::axis(random);
        S const range = random_number(random, S(0.5), S(3));
        bool const at_lower = random() % 2 == 0;
        return made{linear_limit<S>::at(a, b, anchor, axis, at_lower ? S(0) : -range, at_lower ? range : S(0)), a, b};
    }
    static S margin(auto const& c, auto const& a, auto const& b) { return clear_of_the_middle<S>(c, a, b); }
};

template <class R>
struct particle_limit_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random);
        auto const b = base::particle(random);
        return made{particle_linear_limit<S>::at(a, b, b.position, base::axis(random), S(0), infinity_v<S>), a, b};
    }
};

}  // namespace sinew_test
