#pragma once
// Cases of sinew/constraint/contact.hpp and rolling_friction.hpp: their directions are fixed in the world and do not turn with the bodies.

#include <sinew/constraint/contact.hpp>
#include <sinew/constraint/rolling_friction.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R, template <class> class Contact>
struct contact_case_of : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static constexpr auto momentum = keeps_momentum::never;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const place = base::point(random), normal = base::axis(random);
        auto c = Contact<S>::at(a, b, place, place, normal, material<S>::of(S(1) / S(2)), random_number(random, S(0), S(1)), random_number(random, S(0), S(1)));
        c.pressing = S(4);
        return made{c, a, b};
    }
};
template <class R>
struct contact_case : contact_case_of<R, contact> {};
template <class R>
struct pyramid_contact_case : contact_case_of<R, pyramid_contact> {};
template <class R>
struct lagged_contact_case : contact_case_of<R, lagged_contact> {};

template <class R>
struct rolling_friction_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        rolling_friction<S> c;
        c.normal = base::axis(random);
        c.tangent = orthonormal_basis(c.normal).u;
        c.rolling = S(1) / S(8);
        c.spinning = S(1) / S(4);
        c.pressing = S(4);
        return made{c, a, b};
    }
};

}  // namespace sinew_test
