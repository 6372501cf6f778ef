#pragma once
// Cases of sinew/constraint/orientation.hpp.

#include <sinew/constraint/orientation.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct lock_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        return made{orientation_lock<S>::at(a, b), a, b};
    }
};

}  // namespace sinew_test
