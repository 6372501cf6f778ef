#pragma once
// Cases of sinew/constraint/cylindrical.hpp.

#include <sinew/constraint/cylindrical.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct cylindrical_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static constexpr auto momentum = keeps_momentum::always;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const anchor = base::point(random);
        return made{cylindrical_joint<S>::at(a, b, anchor, base::axis(random)), a, b};
    }
};

}  // namespace sinew_test
