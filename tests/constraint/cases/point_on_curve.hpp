#pragma once
// Cases of sinew/constraint/point_on_curve.hpp.

#include <sinew/constraint/point_on_curve.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

struct parabola {
    constexpr auto operator()(auto const& x, auto const& y) const { return y - x * x * 0.25f; }
    constexpr bool operator==(parabola const&) const = default;
};

template <class S>
planar_curve<S, parabola> tilted_parabola(splitmix64& random) {
    vec3<S> const n = random_direction<S>(random);
    auto const plane = orthonormal_basis(n);
    return {random_vector<S>(random, S(1)), plane.u, plane.v, {}};
}
template <class S>
vec3<S> point_of(planar_curve<S, parabola> const& c, S x) {
    return c.origin + c.x_axis * x + c.y_axis * (x * x / S(4));
}

// The curve is in the world: it takes up momentum.
template <class R>
struct particle_on_curve_case : conformance_case<R> {
    using S = typename R::scalar_type;
    static constexpr auto momentum = keeps_momentum::never;
    static auto make(splitmix64& random) {
        auto const curve = tilted_parabola<S>(random);
        particle_pose<S> const a{point_of(curve, random_number(random, S(-1), S(1)))};
        return made{particle_on_curve<S, planar_curve<S, parabola>>::at(a, a.position, curve), a};
    }
};

template <class R>
struct body_on_curve_case : conformance_case<R> {
    using S = typename R::scalar_type;
    static constexpr auto momentum = keeps_momentum::never;
    static auto make(splitmix64& random) {
        auto const curve = tilted_parabola<S>(random);
        auto const a = conformance_case<R>::body(random);
        return made{body_point_on_curve<S, planar_curve<S, parabola>>::at(a, point_of(curve, random_number(random, S(-1), S(1))), curve), a};
    }
};

}  // namespace sinew_test
