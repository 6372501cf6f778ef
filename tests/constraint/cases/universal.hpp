#pragma once
// Cases of sinew/constraint/universal.hpp.

#include <sinew/constraint/universal.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct universal_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static constexpr auto momentum = keeps_momentum::when_satisfied;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const anchor = base::point(random);
        auto const bars = orthonormal_basis(base::axis(random));
        return made{universal_joint<S>::at(a, b, anchor, bars.u, bars.v), a, b};
    }
};

}  // namespace sinew_test
