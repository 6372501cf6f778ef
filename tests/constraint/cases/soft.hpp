#pragma once
// Cases of sinew/constraint/soft.hpp.

#include <sinew/constraint/soft.hpp>
#include <sinew/constraint/hinge.hpp>
#include <sinew/constraint/knife_edge.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class S>
using soft_hinge = soft_joint<S, hinge_joint>;
template <class S>
using soft_blade = soft_joint<S, knife_edge>;

template <class R>
struct soft_hinge_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static constexpr auto momentum = keeps_momentum::when_satisfied;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const anchor = base::point(random), axis = base::axis(random);
        return made{soft_hinge<S>::with(hinge_joint<S>::at(a, b, anchor, axis), S(1) / S(1000), S(2)), a, b};
    }
};

template <class R>
struct soft_blade_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const point = base::point(random), across = base::axis(random);
        return made{soft_blade<S>::with(knife_edge<S>::at(a, b, point, across), S(1) / S(1000)), a, b};
    }
};

}  // namespace sinew_test
