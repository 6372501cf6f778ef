#pragma once
// Cases of sinew/constraint/point_on_surface.hpp.

#include <sinew/constraint/point_on_surface.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

/// Smooth everywhere, and near a distance in scale.
struct waves {
    constexpr auto operator()(auto const& p) const { return p.z() - sin(p.x()) * cos(p.y()) * 0.25f; }
    constexpr bool operator==(waves const&) const = default;
};

template <class S>
vec3<S> point_on_waves(splitmix64& random) {
    vec3<S> p = random_vector<S>(random, S(1));
    p.z() = p.z() - waves{}(p);
    return p;
}

// The surface is in the world: it takes up momentum.
template <class R>
struct particle_on_surface_case : conformance_case<R> {
    using S = typename R::scalar_type;
    static constexpr auto momentum = keeps_momentum::never;
    static auto make(splitmix64& random) {
        particle_pose<S> const a{point_on_waves<S>(random)};
        return made{particle_on_surface<S, waves>::at(a, a.position), a};
    }
};

template <class R>
struct body_on_surface_case : conformance_case<R> {
    using S = typename R::scalar_type;
    static constexpr auto momentum = keeps_momentum::never;
    static auto make(splitmix64& random) {
        auto const a = conformance_case<R>::body(random);
        return made{body_point_on_surface<S, waves>::at(a, point_on_waves<S>(random)), a};
    }
};

}  // namespace sinew_test
