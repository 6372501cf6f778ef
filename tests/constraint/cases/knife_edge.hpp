#pragma once
// Cases of sinew/constraint/knife_edge.hpp.

#include <sinew/constraint/knife_edge.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct knife_edge_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const point = base::point(random), across = base::axis(random);
        return made{knife_edge<S>::at(a, b, point, across), a, b};
    }
};

}  // namespace sinew_test
