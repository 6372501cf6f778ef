#pragma once
// Cases of sinew/constraint/hinge.hpp.

#include <sinew/constraint/hinge.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct hinge_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static constexpr auto momentum = keeps_momentum::when_satisfied;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const anchor = base::point(random), axis = base::axis(random);
        return made{hinge_joint<S>::at(a, b, anchor, axis), a, b};
    }
};

}  // namespace sinew_test
