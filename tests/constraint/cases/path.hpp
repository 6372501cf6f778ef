#pragma once
// Cases of sinew/constraint/path.hpp.

#include <sinew/constraint/path.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

/// Bends little, so that every point nearby has one foot, well clear of the centres of curvature.
struct twisted_cubic {
    template <class T>
    constexpr vec3<T> operator()(T const& u) const {
        return {u, u * u * 0.0625f, u * u * u * 0.015625f};
    }
    constexpr bool operator==(twisted_cubic const&) const = default;
};

template <class R>
struct path_case_base : conformance_case<R> {
    using S = typename R::scalar_type;
    static constexpr S begin = -8, end = 8;
    // Clear of the centres of curvature: the foot moves there without bound.
    static S margin(auto const& c, auto const& a, auto const& b) {
        vec3<S> const q = a.local_point(anchored(b, c.anchor_b));
        auto const foot = detail::nearest_parameter(c.curve, c.begin, c.end, c.samples, q);
        return foot.h / squared_norm(detail::curve_place_at(c.curve, foot.u).p_u) / S(2);
    }
};
template <class R>
struct body_on_path_case : path_case_base<R> {
    using S = typename R::scalar_type;
    using base = path_case_base<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        S const u = random_number(random, S(-1), S(1));
        return made{body_on_path<S, twisted_cubic>::at(a, b, {}, base::begin, base::end, u), a, b};
    }
};

template <class R>
struct particle_on_path_case : path_case_base<R> {
    using S = typename R::scalar_type;
    using base = path_case_base<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random);
        particle_pose<S> const b{a.point(twisted_cubic{}(random_number(random, S(-1), S(1))))};
        return made{particle_on_path<S, twisted_cubic>::at(a, b, {}, base::begin, base::end, S(0)), a, b};
    }
};

template <class R>
struct guided_path_case : path_case_base<R> {
    using S = typename R::scalar_type;
    using base = path_case_base<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        S const u = random_number(random, S(-1), S(1));
        return made{guided_path<S, twisted_cubic>::at(a, b, {}, base::begin, base::end, u), a, b};
    }
};

}  // namespace sinew_test
