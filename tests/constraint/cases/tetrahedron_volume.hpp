#pragma once
// Cases of sinew/constraint/tetrahedron_volume.hpp.

#include <sinew/constraint/tetrahedron_volume.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct tetrahedron_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::particle(random), b = base::particle(random), c = base::particle(random), d = base::particle(random);
        return made{tetrahedron_volume<S>::at(a, b, c, d), a, b, c, d};
    }
};

}  // namespace sinew_test
