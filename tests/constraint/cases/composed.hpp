#pragma once
// Cases of sinew/constraint/composed.hpp.

#include <sinew/constraint/composed.hpp>
#include <sinew/constraint/hinge.hpp>
#include <sinew/constraint/point_to_point.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

// |y| - length, over the three values of a ball joint: a rod.
template <class S>
struct length_of {
    static constexpr std::size_t rows = 1;
    S length{};
    constexpr auto value(auto const& y) const { return norm(y) - length; }
    friend constexpr bool operator==(length_of const&, length_of const&) = default;
};
template <class S>
using composed_rod = composed<S, length_of, ball_joint>;

// Two functions that mix the five values of a hinge.
template <class S>
struct mixture {
    static constexpr std::size_t rows = 2;
    vec<S, 5> weight{};
    constexpr auto value(auto const& y) const {
        return vec{y[0] * y[1] + sin(y[2]) * weight[0] + y[3], y[4] * weight[1] + y[0] * y[3] * weight[2] - y[2] * y[2]};
    }
    friend constexpr bool operator==(mixture const&, mixture const&) = default;
};
template <class S>
using mixed_hinge = composed<S, mixture, hinge_joint>;

// A function of a rod's error, so a composition of a composition.
template <class S>
struct square_plus {
    static constexpr std::size_t rows = 1;
    constexpr auto value(auto const& y) const { return y[0] * (y[0] + S(2)); }
    // Derivatives by hand.
    constexpr mat<S, 1, 1> jacobian(vec<S, 1> const& y) const { return {S(2) * y[0] + S(2)}; }
    constexpr mat<S, 1, 1> stiffness(vec<S, 1> const&, vec<S, 1> const& lambda) const { return {S(2) * lambda[0]}; }
    friend constexpr bool operator==(square_plus const&, square_plus const&) = default;
};
template <class S>
using squared_rod = composed<S, square_plus, composed_rod>;

template <class R>
struct composed_rod_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static S margin(auto const& c, auto const& a, auto const& b) { return norm(anchored(a, c.inner.anchor_a) - anchored(b, c.inner.anchor_b)); }
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const p = base::point(random), q = base::point(random);
        composed_rod<S> c{{anchor_at(a, p), anchor_at(b, q)}, {}};
        c.outer.length = norm(anchored(a, c.inner.anchor_a) - anchored(b, c.inner.anchor_b));
        return made{c, a, b};
    }
};
template <class R>
struct mixed_hinge_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static constexpr auto momentum = keeps_momentum::when_satisfied;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        return made{mixed_hinge<S>{hinge_joint<S>::at(a, b, base::point(random), base::axis(random)), {{S(1), S(2), S(3), S(4), S(5)}}}, a, b};
    }
};
template <class R>
struct squared_rod_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static S margin(auto const& c, auto const& a, auto const& b) { return composed_rod_case<R>::margin(c.inner, a, b); }
    static auto make(splitmix64& random) {
        auto const m = composed_rod_case<R>::make(random);
        return made{squared_rod<S>{m.constraint, {}}, std::get<0>(m.poses), std::get<1>(m.poses)};
    }
};

}  // namespace sinew_test
