#pragma once
// Cases of sinew/constraint/point_on_line.hpp.

#include <sinew/constraint/point_on_line.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct line_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const p = base::point(random);
        return made{point_on_line<S>::at(a, b, p, base::axis(random)), a, b};
    }
};

template <class R>
struct particle_line_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random);
        auto const b = base::particle(random);
        return made{particle_on_line<S>::at(a, b, b.position, base::axis(random)), a, b};
    }
};

}  // namespace sinew_test
