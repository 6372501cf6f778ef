#pragma once
// Cases of sinew/constraint/joint_friction.hpp.

#include <sinew/constraint/joint_friction.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct joint_friction_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        return made{joint_friction<S>{S(2)}, a, b};
    }
};

}  // namespace sinew_test
